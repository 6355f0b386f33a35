//! Rows held elsewhere than at zero: closed forms, orientations far from each other, slopes.

use super::*;
use borelli_math::{Quat, Vec3, vec3};
use borelli_testkit::assert_close;
use std::f64::consts::PI;

/// A body welded to the world.
fn welded(dimension: &str) -> System {
    let inertia = if dimension == "planar" { "0.4" } else { "[0.3, 0.4, 0.5]" };
    parse(&format!(
        "borelli = 1\ndimension = \"{dimension}\"\n[body.block]\nmass = 2\ninertia = {inertia}\n[joint.place]\ntype = \"free\"\nparent = \"world\"\n\
         child = \"block\"\n[loop.glue]\ntype = \"weld\"\na = \"world\"\nb = \"block\"\n"
    ))
}

/// Φ of all rows.
fn residuals(system: &System, movement: &mut Movement, y: &[f64]) -> Vec<f64> {
    let rows = system.names.rows.len();
    let (mut position, mut rate) = (vec![0.0; rows], vec![0.0; rows]);
    movement.fill_drift(system, 0.0, y, &mut position, &mut rate);
    position
}

#[test]
fn a_row_with_an_offset_stays_where_it_was() {
    let (system, w, offset) = (guided(), std::f64::consts::TAU * 0.7, 0.7);
    let drive = |t: f64| 0.3 * (w * t + 0.4).sin();
    // A slider is no segment of a chain.
    let takes: Vec<_> = FORMULATIONS.iter().filter(|entry| (entry.build)(&system).is_ok()).collect();
    assert_eq!(takes.len() + 1, FORMULATIONS.len());
    for entry in takes {
        for (alpha, beta) in [(5.0, 5.0), (0.0, 0.0)] {
            let drift = DriftControl::Baumgarte { alpha, beta };
            let options = Options { formulation: entry.name, drift, memory: Memory::held_at(&[offset]), ..Options::default() };
            let mut movement = Movement::new(&system, options).unwrap();
            let mut y = movement.state(&system, &[drive(0.0) + offset + 0.05], &[0.3 * w * 0.4f64.cos()]);
            run(&mut movement.of(&system), "dopri5", &Settings::tolerance(1e-12), (0.0, 0.6), &mut y);
            // From 0.05 at rest, critically damped; without control it stays.
            let left = 0.05 * (1.0 + alpha * 0.6) * (-alpha * 0.6f64).exp();
            assert!((y[0] - (drive(0.6) + offset + left)).abs() < 1e-10, "{} {alpha}: {}", entry.name, y[0]);
            assert!((movement.drift(&system, 0.6, &y).position - left).abs() < 1e-10);
        }
        let options =
            Options { formulation: entry.name, drift: DriftControl::Projection, memory: Memory::held_at(&[offset]), ..Options::default() };
        let mut movement = Movement::new(&system, options).unwrap();
        let mut y = movement.state(&system, &[drive(0.0) + offset], &[0.3 * w * 0.4f64.cos()]);
        run(&mut movement.of(&system), "rk4", &Settings::fixed(0.05), (0.0, 0.6), &mut y);
        assert!((y[0] - (drive(0.6) + offset)).abs() < 1e-14, "{}: {}", entry.name, y[0]);
    }
}

#[test]
fn an_orientation_is_held_where_it_is_also_beyond_half_a_turn() {
    let system = welded("spatial");
    let axis = vec3(0.36, -0.48, 0.8);
    let step = [0.0, 0.0, 0.0, 3e-6, -2e-6, 5e-6];
    for angle in [0.0, 0.4, 2.0, 3.1, PI - 1e-3, 3.5, 6.0] {
        let (sin, cos) = (0.5f64 * angle).sin_cos();
        let q = [0.3, -0.2, 0.7, cos, sin * axis.x, sin * axis.y, sin * axis.z];
        let mut movement = Movement::new(&system, Options { drift: DriftControl::Projection, ..Options::default() }).unwrap();
        let mut y = movement.state(&system, &q, &[0.0; 6]);
        let offset = residuals(&system, &mut movement, &y);
        movement.recall(&Memory::held_at(&offset)).unwrap();
        // Rounding of the scalar part of an offset near half a turn.
        assert!(movement.drift(&system, 0.0, &y).position < 1e-12, "{angle}: {:?}", residuals(&system, &mut movement, &y));
        // A small turn shows as what it is: in the axes of a, the world.
        retract(&system.skeleton, &mut y[..7], &step);
        let R = Quat { w: q[3], x: q[4], y: q[5], z: q[6] }.to_rotation();
        let expected = R * Vec3::from_array([step[3], step[4], step[5]]);
        assert_close(&residuals(&system, &mut movement, &y)[3..], &expected.to_array(), 1e-11, &format!("{angle}"));
        movement.accepted(&system, 0.0, &mut y);
        assert!(movement.drift(&system, 0.0, &y).position < 1e-13, "{angle}");
        let sign = if (0..4).map(|k| y[3 + k] * q[3 + k]).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        (0..7).for_each(|k| assert!((y[k] * if k < 3 { 1.0 } else { sign } - q[k]).abs() < 1e-12, "{angle}: {y:?}"));
    }
}

#[test]
fn an_angle_held_at_half_a_turn_does_not_jump() {
    let system = welded("planar");
    for angle in [PI - 1e-4, PI, -PI + 1e-4, 7.0 * PI] {
        let mut movement = Movement::new(&system, Options::default()).unwrap();
        let y = movement.state(&system, &[0.1, 0.2, angle], &[0.0; 3]);
        let offset = residuals(&system, &mut movement, &y);
        movement.recall(&Memory::held_at(&offset)).unwrap();
        for more in [1e-3, -1e-3] {
            let turned = movement.state(&system, &[0.1, 0.2, angle + more], &[0.0; 3]);
            assert_close(&residuals(&system, &mut movement, &turned), &[0.0, 0.0, more], 1e-12, "the small turn");
        }
    }
}

#[test]
fn slopes_of_rows_with_offsets_are_exact() {
    let system = welded("spatial");
    let drift = DriftControl::Baumgarte { alpha: 3.0, beta: 5.0 };
    let mut movement = Movement::new(&system, Options { drift, audit: true, ..Options::default() }).unwrap();
    let y = movement.state(&system, &[0.3, -0.2, 0.7, 0.1, 0.7, -0.5, 0.5], &[0.1, 0.2, -0.3, 0.4, -0.2, 0.1]);
    let mut offset = residuals(&system, &mut movement, &y);
    offset.iter_mut().for_each(|offset| *offset -= 0.02);
    movement.recall(&Memory::held_at(&offset)).unwrap();
    slopes::assert_slopes("weld", &system, &mut movement, 0.0, &y);
}

#[test]
fn offsets_that_do_not_fit_are_declined() {
    let system = guided();
    let reason = |offset: Vec<f64>| {
        Movement::new(&system, Options { memory: Memory::held_at(&offset), ..Options::default() }).err().expect("declined").reason
    };
    assert!(reason(vec![0.1; 2]).contains("2 rows"));
    assert!(reason(vec![f64::NAN]).contains("not finite"));
}
