//! Rotations of ball and free joints as rotation vectors, which can be plotted: quaternions cannot be read, and angles of a sequence jump.
//! Not here: turning anything by them.
//! In: the four parts of a quaternion over time. Out: axis times angle, rad, without jumps of whole turns.
//!
//! A rotation by θ about a unit vector u is one by θ + 2πk, so every sample may be
//!
//! ```text
//! r = (θ + 2πk) u                                                                             (1)
//! ```
//!
//! and the k that brings it nearest to the sample before is taken; the first has |r| ≤ π. Where the joint is back at its start after whole turns every u
//! will do, and that of the sample before stays.

use borelli_math::{Vec3, vec3};
use std::f64::consts::TAU;

/// Components of the rotation vector; NaN where the quaternion is not a number.
pub(super) fn rotation_vector(parts: [&[f64]; 4]) -> [Vec<f64>; 3] {
    let mut out = [(); 3].map(|()| Vec::with_capacity(parts[0].len()));
    let mut last: Option<Vec3<f64>> = None;
    for k in 0..parts[0].len() {
        let [w, x, y, z] = parts.map(|part| part[k]);
        let found = vector(w, vec3(x, y, z), last);
        last = found.or(last);
        let r = found.map_or([f64::NAN; 3], Vec3::to_array);
        out.iter_mut().zip(r).for_each(|(list, r)| list.push(r));
    }
    out
}

/// Equation (1) nearest to the sample before.
fn vector(w: f64, v: Vec3<f64>, last: Option<Vec3<f64>>) -> Option<Vec3<f64>> {
    let sine = v.norm();
    if !(w.is_finite() && sine.is_finite()) {
        return None;
    }
    // q and -q are one rotation
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    let angle = 2.0 * sine.atan2(sign * w);
    let before = last.unwrap_or(Vec3::ZERO);
    let axis = if sine > 0.0 {
        v.scale(sign / sine)
    } else if before.norm() > 0.0 {
        before.scale(1.0 / before.norm())
    } else {
        return Some(Vec3::ZERO);
    };
    let turns = if last.is_some() { ((before.dot(axis) - angle) / TAU).round() } else { 0.0 };
    Some(axis.scale(angle + TAU * turns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn quaternions(rotations: &[(Vec3<f64>, f64)]) -> [Vec<f64>; 4] {
        let part = |k: usize| {
            let of = |(axis, angle): &(Vec3<f64>, f64)| {
                [(0.5 * angle).cos(), axis.x * (0.5 * angle).sin(), axis.y * (0.5 * angle).sin(), axis.z * (0.5 * angle).sin()]
            };
            rotations.iter().map(|rotation| of(rotation)[k]).collect()
        };
        [part(0), part(1), part(2), part(3)]
    }

    fn vectors(parts: &[Vec<f64>; 4]) -> Vec<[f64; 3]> {
        let [x, y, z] = rotation_vector([&parts[0], &parts[1], &parts[2], &parts[3]]);
        (0..x.len()).map(|k| [x[k], y[k], z[k]]).collect()
    }

    #[test]
    fn a_known_rotation_is_its_axis_times_its_angle() {
        let axis = vec3(2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0);
        for angle in [0.0, 1e-9, 0.3, 1.5, 3.0] {
            let parts = quaternions(&[(axis, angle)]);
            // the opposite quaternion is the same rotation
            for parts in [parts.clone(), parts.map(|list| list.into_iter().map(|x| -x).collect())] {
                let found = vectors(&parts)[0];
                for (a, b) in found.iter().zip(axis.to_array()) {
                    assert!((a - b * angle).abs() < 1e-15, "{angle} {found:?}");
                }
            }
        }
    }

    #[test]
    fn whole_turns_are_counted_on_and_back() {
        let axis = vec3(0.6, 0.0, -0.8);
        // five turns forward and back, also at angles that are exactly whole turns, with quaternions of either sign
        let angles: Vec<f64> = (0..=100).chain((0..100).rev()).map(|k| k as f64 * PI / 10.0).collect();
        let mut parts = quaternions(&angles.iter().map(|angle| (axis, *angle)).collect::<Vec<_>>());
        for k in (0..angles.len()).step_by(3) {
            parts.iter_mut().for_each(|part| part[k] = -part[k]);
        }
        for (found, angle) in vectors(&parts).iter().zip(&angles) {
            for (a, b) in found.iter().zip(axis.to_array()) {
                assert!((a - b * angle).abs() < 1e-12, "{angle} {found:?}");
            }
        }
        // one sample exactly at the start orientation after a whole turn
        let exact = [
            vec![(0.5_f64 * 6.0).cos(), -1.0, (0.5_f64 * 6.5).cos()],
            vec![0.0; 3],
            vec![0.0; 3],
            vec![(0.5_f64 * 6.0).sin(), 0.0, (0.5_f64 * 6.5).sin()],
        ];
        // begins within half a turn: 6 rad are 6 - 2π
        let z: Vec<f64> = vectors(&exact).iter().map(|r| r[2]).collect();
        assert!((z[0] - (6.0 - TAU)).abs() < 1e-12 && z[1].abs() < 1e-12 && (z[2] - (6.5 - TAU)).abs() < 1e-12, "{z:?}");
    }

    #[test]
    fn a_missing_quaternion_is_missing_and_the_count_goes_on() {
        let axis = vec3(0.0, 0.0, 1.0);
        let mut parts = quaternions(&[(axis, 3.0), (axis, 3.2), (axis, 3.4)]);
        parts[2][1] = f64::NAN;
        let found = vectors(&parts);
        assert!(found[1].iter().all(|x| x.is_nan()) && (found[2][2] - 3.4).abs() < 1e-15, "{found:?}");
    }
}
