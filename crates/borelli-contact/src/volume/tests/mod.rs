//! Overlaps against integrated slices, and their loads against energies.

mod geometry;
mod loads;
mod slices;

use super::*;
use borelli_math::random::Random;
use borelli_math::{Dual, Mat3, Quat, Real, Sym3, Vec3, vec3};

/// Random semi-axes between 1 and 8 cm, a random unit normal, and a plane at a random depth.
fn draw(random: &mut Random, depth: (f64, f64)) -> (SemiAxes<f64>, Vec3<f64>, f64) {
    let axis = |random: &mut Random| random.uniform(0.01, 0.08);
    let shape = SemiAxes { a: axis(random), b: axis(random), c: axis(random) };
    let n = Vec3::from_array(random.direction());
    let h = vec3(shape.a * n.x, shape.b * n.y, shape.c * n.z).norm();
    (shape, n, h * (random.uniform(depth.0, depth.1) - 1.0))
}

fn entries(M: &Sym3<f64>) -> [f64; 6] {
    [M.xx, M.yy, M.zz, M.xy, M.xz, M.yz]
}
