//! The effort of a free root joint as a force and a moment: what no measured load accounts for.
//! Not here: whether it is small enough (`run::root_check`).
//! In: kinematics and efforts at one instant. Out: a force, N, and a moment about the origin of the root's joint, N m, world axes.
//!
//! A free root lets its body move every way, so that its efforts τ are those of one wrench: along the directions e_i of its slides and s_i of its turns
//!
//!     F·e_i = τ_i        M·s_i = τ_i                                                                  (1)
//!
//! Of a root that is free in a plane of space the parts across that plane are zero: the joint bears them.

use crate::column_visitor::{Needs, Visitor};
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::frames::Frames;
use borelli_dynamics::system::DofClass;
use borelli_math::{Real, Vec3};

/// The first body whose joint to the world leaves it free, in space or in a plane.
pub(crate) fn free_root(system: &System) -> Option<usize> {
    let skeleton = &system.skeleton;
    (1..skeleton.parent.len()).find(|b| {
        let count = |class: DofClass| skeleton.dofs_of(*b).filter(|d| skeleton.class[*d] == class).count();
        skeleton.parent[*b] == 0 && [[2, 1], [3, 3]].contains(&[count(DofClass::Slide), count(DofClass::Turn)])
    })
}

/// Shows the residual of a free root.
pub(crate) fn visit<S: Real>(system: &System, root: usize, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    let (planar, needs) = (system.skeleton.planar, Needs::EFFORTS | Needs::POSES);
    let column = |what: &'static str, unit: &'static str| move |axis: &str| Column::new(format!("root.residual.{what}.{axis}"), unit);
    visitor.along(planar, needs, column("force", "N"), |now| residual(system, now.frames, root, now.effort)[0]);
    visitor.about(planar, needs, column("moment", "N m"), |now| residual(system, now.frames, root, now.effort)[1]);
}

/// Force and moment, equation (1). Where the turns have lost an axis the moment is that of the least size with these efforts' sum.
pub(crate) fn residual<S: Real>(system: &System, frames: &Frames<S>, root: usize, effort: &[S]) -> [Vec3<S>; 2] {
    let skeleton = &system.skeleton;
    let of_class = |class: DofClass, directions: &[Vec3<S>]| {
        let mut rows = [(Vec3::ZERO, S::ZERO); 3];
        let mut count = 0;
        for d in skeleton.dofs_of(root).filter(|d| skeleton.class[*d] == class).take(3) {
            rows[count] = (directions[d], effort[d]);
            count += 1;
        }
        wrench(&rows, count)
    };
    [of_class(DofClass::Slide, &frames.s_lin), of_class(DofClass::Turn, &frames.s_ang)]
}

/// The vector with given products with up to three directions.
fn wrench<S: Real>(rows: &[(Vec3<S>, S); 3], count: usize) -> Vec3<S> {
    let [(a, x), (b, y), (c, z)] = *rows;
    // In the plane the missing directions are across the others, with product zero.
    let (b, c) = match count {
        1 => return a.scale(x / a.dot(a)),
        2 => (b, a.cross(b)),
        _ => (b, c),
    };
    let volume = a.dot(b.cross(c));
    if volume.value().abs() < 1e-12 {
        return a.scale(x) + b.scale(y) + c.scale(z);
    }
    (b.cross(c).scale(x) + c.cross(a).scale(y) + a.cross(b).scale(z)).scale(volume.recip())
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::vec3;

    #[test]
    fn a_wrench_has_the_power_of_its_efforts_along_oblique_axes() {
        let directions = [vec3(1.0, 0.2, 0.0), vec3(0.1, 0.9, 0.3), vec3(0.0, -0.4, 0.8)];
        let force = vec3(3.0, -7.0, 11.0);
        let rows = directions.map(|d| (d, d.dot(force)));
        assert!((wrench(&rows, 3) - force).norm() < 1e-13);
        let flat = vec3(2.0, 5.0, 0.0);
        let rows = [(vec3(1.0, 0.0, 0.0), 2.0), (vec3(0.0, 1.0, 0.0), 5.0), (Vec3::ZERO, 0.0)];
        assert!((wrench(&rows, 2) - flat).norm() < 1e-15);
    }
}
