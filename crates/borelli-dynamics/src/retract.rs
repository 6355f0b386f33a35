//! From velocities to coordinates: rates of coordinates, and steps along velocities that keep quaternions of unit length.
//! Not here: integration in time. In: coordinates and a rate or step by degree of freedom. Out: rates, new coordinates, or coordinates that carry the
//! slopes along a degree of freedom.

use crate::system::{Motion, Skeleton};
use borelli_math::{Dual, Quat, Real, Vec3};

/// Rates of coordinates: `qdot = N(q) v`.
///
/// Angles and displacements have their velocity for a rate; a quaternion p with angular velocity ω in child axes has ṗ = ½ p ⊗ (0, ω).
#[inline(always)]
pub fn rate<S: Real>(skeleton: &Skeleton, q: &[S], v: &[S], qdot: &mut [S]) {
    for &motion in &skeleton.motions {
        match motion {
            Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. } => {
                qdot[coord as usize] = v[dof as usize];
            }
            Motion::Ball { coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let rate = Quat::from_slice(&q[coord..coord + 4]).rate(Vec3::from_array([v[dof], v[dof + 1], v[dof + 2]]));
                qdot[coord..coord + 4].copy_from_slice(&[rate.w, rate.x, rate.y, rate.z]);
            }
            Motion::Fixed { .. } => {}
        }
    }
}

/// Moves coordinates by a step in each degree of freedom: a constant velocity kept for one unit of time, turned away exactly.
///
/// Angles and displacements are added to; a quaternion p becomes p ⊗ exp(step/2), scaled to unit length.
pub fn retract<S: Real>(skeleton: &Skeleton, q: &mut [S], step: &[S]) {
    for &motion in &skeleton.motions {
        match motion {
            Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. } => {
                q[coord as usize] += step[dof as usize];
            }
            Motion::Ball { coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let turn = Quat::from_rotation_vector(Vec3::from_array([step[dof], step[dof + 1], step[dof + 2]]));
                let p = Quat::from_slice(&q[coord..coord + 4]).product(turn).normalized();
                q[coord..coord + 4].copy_from_slice(&[p.w, p.x, p.y, p.z]);
            }
            Motion::Fixed { .. } => {}
        }
    }
}

/// Makes direction `k` differentiate the coordinates along degree of freedom `dof`.
pub(crate) fn seed_tangent<const M: usize>(skeleton: &Skeleton, q: &mut [Dual<M>], dof: usize, k: usize) {
    for motion in skeleton.motions_of(skeleton.dof_body[dof] as usize) {
        match *motion {
            Motion::Turn { coord, dof: d, .. } | Motion::Slide { coord, dof: d, .. } | Motion::Function { coord, dof: d, .. } => {
                if d as usize == dof {
                    q[coord as usize].eps[k] = 1.0;
                }
            }
            Motion::Ball { coord, dof: first } => {
                let (coord, first) = (coord as usize, first as usize);
                if (first..first + 3).contains(&dof) {
                    let mut axis = [0.0; 3];
                    axis[dof - first] = 1.0;
                    let q0 = Quat { w: q[coord].re, x: q[coord + 1].re, y: q[coord + 2].re, z: q[coord + 3].re };
                    let rate = q0.rate(Vec3::from_array(axis)).to_array();
                    for (x, r) in q[coord..coord + 4].iter_mut().zip(rate) {
                        x.eps[k] = r;
                    }
                }
            }
            Motion::Fixed { .. } => {}
        }
    }
}

/// Scales all quaternions to unit length.
pub fn normalise(skeleton: &Skeleton, q: &mut [f64]) {
    for motion in &skeleton.motions {
        if let Motion::Ball { coord, .. } = motion {
            let p = &mut q[*coord as usize..][..4];
            p.copy_from_slice(&Quat::from_slice(p).normalized().to_array());
        }
    }
}

/// Multiplies each row of `matrix`, slopes by a further step taken after [`retract`] with `step`, so that they become slopes by `step`.
///
/// For a turn θ of length φ, p ⊗ exp((θ + δ)/2) = p ⊗ exp(θ/2) ⊗ exp(T δ/2) to first order with
///
/// ```text
/// T = 1 − (1 − cos φ)/φ² θ̂ + (φ − sin φ)/φ³ θ̂ θ̂                                                  (1)
/// ```
///
/// Source: Iserles et al. 2000, Acta Numerica 9:215-365, appendix B. Tests: `slopes_through_a_step_are_those_of_duals`.
pub fn through_retraction(skeleton: &Skeleton, step: &[f64], matrix: &mut [f64]) {
    for &motion in &skeleton.motions {
        if let Motion::Ball { dof, .. } = motion {
            let dof = dof as usize;
            let turn = Vec3::from_array([step[dof], step[dof + 1], step[dof + 2]]);
            let square = turn.dot(turn);
            let angle = square.sqrt();
            // Below 0.01 rad the first terms of the series are exact to rounding.
            let (first, second) = if angle < 1e-2 {
                (0.5 - square * (1.0 / 24.0 - square / 720.0), 1.0 / 6.0 - square * (1.0 / 120.0 - square / 5040.0))
            } else {
                ((1.0 - angle.cos()) / square, (angle - angle.sin()) / (square * angle))
            };
            for row in matrix.chunks_exact_mut(step.len()) {
                let slope = Vec3::from_array([row[dof], row[dof + 1], row[dof + 2]]);
                // The row times θ̂ is −θ × row, as a column.
                let once = -turn.cross(slope);
                let twice = -turn.cross(once);
                let changed = slope - once.scale(first) + twice.scale(second);
                row[dof..dof + 3].copy_from_slice(&changed.to_array());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::{Dual, rotation_about, vec3};

    fn ball() -> Skeleton {
        Skeleton {
            parent: vec![0, 0],
            motions: vec![
                Motion::Slide { axis: crate::system::Axis::X, coord: 0, dof: 0 },
                Motion::Fixed { slot: 0 },
                Motion::Ball { coord: 1, dof: 1 },
            ],
            ..Skeleton::default()
        }
    }

    #[test]
    fn a_step_turns_about_the_axis_fixed_in_the_child_by_its_length() {
        let mut q = [0.5, 0.5, -0.5, 0.5, 0.5];
        let before = Quat::from_slice(&q[1..]).to_rotation();
        retract(&ball(), &mut q, &[0.25, 0.0, 1.2, 0.0]);
        let after = Quat::from_slice(&q[1..]).to_rotation();
        let expected = before * rotation_about(vec3(0.0, 1.0, 0.0), 1.2);
        assert_eq!(q[0], 0.75);
        assert!((after.x - expected.x).norm() + (after.y - expected.y).norm() + (after.z - expected.z).norm() < 1e-15 * 4.0);
    }

    #[test]
    fn slopes_through_a_step_are_those_of_duals() {
        // Around the border of the series, and a large turn.
        for size in [0.0, 1e-4, 9.99e-3, 1.001e-2, 0.7, 2.9] {
            let step = [0.25, 0.6 * size, -0.64 * size, 0.48 * size];
            let (start, further) = ([0.5, 0.5, -0.5, 0.5, 0.5], [0.3, -0.2, 0.9]);
            // A function of where the step leads: the dot product of the quaternion with a constant one; its slopes by a further step, and by the step.
            let value = |q: &[Dual<4>]| (1..5).fold(q[0] * 2.0, |sum, k| sum + q[k] * ([0.1, -0.7, 0.4, 1.3][k - 1] + further[k % 3]));
            let duals = |x: &[f64]| -> Vec<Dual<4>> { x.iter().enumerate().map(|(k, x)| Dual::variable(*x, k)).collect() };
            let mut moved = start.map(Dual::<4>::from_f64);
            retract(&ball(), &mut moved, &duals(&step));
            let expected = value(&moved);
            let mut end = start;
            retract(&ball(), &mut end, &step);
            let mut further = end.map(Dual::<4>::from_f64);
            retract(&ball(), &mut further, &duals(&[0.0; 4]));
            let mut slopes = value(&further).eps;
            through_retraction(&ball(), &step, &mut slopes);
            for k in 0..4 {
                assert!((slopes[k] - expected.eps[k]).abs() < 1e-14, "{size}: {slopes:?} {:?}", expected.eps);
            }
        }
    }

    #[test]
    fn the_rate_is_the_slope_of_a_step() {
        let (q, v) = ([0.1, 0.1, 0.7, -0.1, 0.7], [0.4, 0.3, -1.1, 0.8]);
        let mut rates = [0.0; 5];
        rate(&ball(), &q, &v, &mut rates);
        let s = Dual::<1>::variable(0.0, 0);
        let mut moved = q.map(Dual::from_f64);
        retract(&ball(), &mut moved, &v.map(|x| s * x));
        for k in 0..5 {
            assert!((moved[k].eps[0] - rates[k]).abs() < 1e-15, "{k}");
        }
    }
}
