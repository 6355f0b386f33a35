//! Detection against references that share none of its code, and against itself under exchanges and derivatives.

mod allocation;
mod borders;
mod closed;
mod degenerate;
mod derivatives;
mod pairs;
mod point;
mod reference;
mod statistics;
mod verification;
mod warm;

use super::{Detection, Fault, Memory, Settings, detect};
use crate::shape::{Ellipsoid, Pose, SeparableSuperellipsoid, Shape, Smooth, Sphere, Superellipsoid, Surface};
use borelli_math::random::Random;
use borelli_math::{Mat3, Quat, Vec3, vec3};

/// Classes of shapes, from the kindest to the worst.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    Spheres,
    Ellipsoids,
    ExponentsTo5,
    ExponentsTo10,
}

const CLASSES: [Class; 4] = [Class::Spheres, Class::Ellipsoids, Class::ExponentsTo5, Class::ExponentsTo10];

/// Two shapes in their poses.
#[derive(Clone, Copy, Debug)]
struct Placed {
    first: Smooth<f64>,
    X_first: Pose<f64>,
    second: Smooth<f64>,
    X_second: Pose<f64>,
}

impl Placed {
    /// A random pair whose gap along the line of centres has the given sign. Semi-axes 0.01 to 0.08 m.
    fn any(random: &mut Random, class: Class, overlapping: bool) -> Placed {
        let shapes = (any_shape(random, class), any_shape(random, class));
        Placed::apart(random, shapes, overlapping, 1.0)
    }

    /// Two shapes at random poses, overlapping along the line of centres, or `far` times their reach apart.
    fn apart(random: &mut Random, (first, second): (Smooth<f64>, Smooth<f64>), overlapping: bool, far: f64) -> Placed {
        let (R1, R2) = (any_rotation(random), any_rotation(random));
        let m = Vec3::from_array(random.direction());
        let reach = first.support(R1.transpose_mul(-m)).distance + second.support(R2.transpose_mul(m)).distance;
        let distance = reach * if overlapping { random.uniform(0.5, 0.99) } else { far * random.uniform(1.01, 2.0) };
        let p = vec3(0.1, -0.2, 0.3);
        Placed { first, X_first: Pose { p: p + m.scale(distance), R: R1 }, second, X_second: Pose { p, R: R2 } }
    }

    fn find(&self) -> Result<Detection<f64>, Fault> {
        self.find_with(&Settings::default(), None)
    }

    fn find_with(&self, settings: &Settings, memory: Option<&Memory>) -> Result<Detection<f64>, Fault> {
        detect(&Shape::Smooth(self.first), &self.X_first, &Shape::Smooth(self.second), &self.X_second, settings, memory)
    }

    fn swapped(&self) -> Placed {
        Placed { first: self.second, X_first: self.X_second, second: self.first, X_second: self.X_first }
    }

    /// The directional gap written out again, from the support functions of the shapes alone.
    fn gap(&self, m: Vec3<f64>) -> f64 {
        let h1 = self.first.support(self.X_first.R.transpose() * m.scale(-1.0)).distance;
        let h2 = self.second.support(self.X_second.R.transpose() * m).distance;
        m.dot(self.X_first.p - self.X_second.p) - (h1 + h2)
    }
}

fn any_shape(random: &mut Random, class: Class) -> Smooth<f64> {
    let semi_axes = [random.uniform(0.01, 0.08), random.uniform(0.01, 0.08), random.uniform(0.01, 0.08)];
    let (low, high) = if class == Class::ExponentsTo10 { (5.0, 10.0) } else { (2.2, 5.0) };
    let exponents = [random.uniform(low, high), random.uniform(low, high), random.uniform(low, high)];
    let separable = random.uniform(0.0, 1.0) < 0.5;
    match class {
        Class::Spheres => Sphere { radius: semi_axes[0] }.into(),
        Class::Ellipsoids => Ellipsoid { semi_axes }.into(),
        _ if separable => SeparableSuperellipsoid { semi_axes, exponents }.into(),
        _ => Superellipsoid { semi_axes, p: exponents[0], r: exponents[1] }.into(),
    }
}

fn any_rotation(random: &mut Random) -> Mat3<f64> {
    Quat::from_slice(&random.unit_quaternion()).to_rotation()
}

/// `BORELLI_SLOW` asks for the large samples.
fn slow() -> bool {
    std::env::var_os("BORELLI_SLOW").is_some()
}

/// Figures of the large samples, for whoever reads the log.
fn report(line: std::fmt::Arguments) {
    use std::io::Write;
    if slow() {
        writeln!(std::io::stderr(), "{line}").expect("a log can be written");
    }
}
