//! Baumgarte's control and released rows: closed forms, the equations they stand for, both formulations.

use super::*;
use crate::constraint::{Rows, fill_jacobian};
use crate::frames::Frames;
use crate::scene::Scene;
use borelli_testkit::assert_close;

/// Φ at `t` of Φ̈ + 2αΦ̇ + β²Φ = 0 from Φ = a, Φ̇ = b.
fn closed_form(alpha: f64, beta: f64, a: f64, b: f64, t: f64) -> f64 {
    let w = (beta * beta - alpha * alpha).sqrt();
    let swing = if w > 0.0 { (w * t).sin() / w } else { t };
    (-alpha * t).exp() * (a * (w * t).cos() + (b + alpha * a) * swing)
}

#[test]
fn an_error_of_the_start_decays_as_the_closed_form_says() {
    let system = guided();
    let w = std::f64::consts::TAU * 0.7;
    // Critically damped, swinging, undamped, and nothing asked for: the error then grows with time.
    for (alpha, beta) in [(5.0, 5.0), (20.0, 20.0), (3.0, 11.0), (0.0, 6.0), (0.0, 0.0)] {
        for formulation in ["articulated", "cartesian", "natural"] {
            let drift = DriftControl::Baumgarte { alpha, beta };
            let mut movement = Movement::new(&system, Options { formulation, drift, ..Options::default() }).unwrap();
            let (a, b) = (0.05, -0.4);
            let mut y = movement.state(&system, &[0.3 * 0.4f64.sin() + a], &[0.3 * w * 0.4f64.cos() + b]);
            let mut t = 0.0;
            for end in [0.1, 0.35, 0.9] {
                run(&mut movement.of(&system), "dopri5", &Settings::tolerance(1e-12), (t, end), &mut y);
                let (mut position, mut velocity) = ([0.0], [0.0]);
                movement.fill_drift(&system, end, &y, &mut position, &mut velocity);
                let expected = closed_form(alpha, beta, a, b, end);
                assert!((position[0] - expected).abs() < 1e-10, "{formulation} {alpha} {beta} at {end}: {} {expected}", position[0]);
                assert_eq!(movement.drift(&system, end, &y), Drift { position: position[0].abs(), velocity: velocity[0].abs() });
                t = end;
            }
        }
    }
}

#[test]
fn a_released_row_is_as_if_it_were_not_there() {
    let (guided, free) = (guided(), parse(RAIL));
    assert_eq!((guided.names.rows.len(), free.names.rows.len()), (1, 0));
    for formulation in ["articulated", "cartesian", "natural"] {
        let mut released =
            Movement::new(&guided, Options { formulation, memory: Memory::letting_go(&[true]), ..Options::default() }).unwrap();
        let mut without = Movement::new(&free, Options { formulation, ..Options::default() }).unwrap();
        let (mut a, mut b) = (released.state(&guided, &[0.2], &[0.1]), without.state(&free, &[0.2], &[0.1]));
        run(&mut released.of(&guided), "rk4", &Settings::fixed(0.05), (0.0, 1.0), &mut a);
        run(&mut without.of(&free), "rk4", &Settings::fixed(0.05), (0.0, 1.0), &mut b);
        assert_eq!(a, b, "{formulation}");
        // 5 N on 2 kg: x = x0 + v0 t + ½ 2.5 t².
        assert!((a[0] - (0.2 + 0.1 + 1.25)).abs() < 1e-13);
        assert_eq!(released.drift(&guided, 1.0, &a), Drift::default());
        released.recall(&Memory::default()).unwrap();
        assert!(released.drift(&guided, 1.0, &a).position > 1.0);
    }
}

/// Rows and G at a state with given accelerations.
fn rows_at(system: &System, t: f64, q: &[f64], v: &[f64], vdot: &[f64]) -> (Rows<f64>, Vec<f64>) {
    let System { skeleton, numbers, .. } = system;
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, true>(skeleton, &numbers.tree, q, v, vdot);
    frames.fill_points(skeleton);
    let mut rows = Rows::new(system.names.rows.len(), numbers.constraints.entries());
    numbers.constraints.fill(&Scene { skeleton, numbers, frames: &frames, q, v, vdot, t, inside: crate::scene::Inside::NONE }, &mut rows);
    let mut G = vec![0.0; rows.len() * skeleton.dofs()];
    fill_jacobian(skeleton, &frames, &rows, &mut G);
    (rows, G)
}

#[test]
fn both_formulations_meet_what_rows_are_asked_for_on_every_model_with_rows() {
    let (mut random, mut tested) = (Random::new(31), 0);
    for (name, system) in gallery().into_iter().filter(|(_, system)| !system.names.rows.is_empty()) {
        let (n, m) = (system.skeleton.dofs(), system.names.rows.len());
        // Rows that follow from each other contradict each other beside the motions they allow.
        let redundant = !start(&system).redundant.is_empty();
        let (alpha, beta) = (7.0, 13.0);
        for every in [0, 2] {
            let released: Vec<bool> = (0..m).map(|i| every > 0 && i % every == 1).collect();
            if redundant && every == 0 || every > 0 && !released.contains(&true) {
                continue;
            }
            let (q, v) = if redundant { (start(&system).q, start(&system).v) } else { beside(&system, &mut random) };
            let tau = random.uniforms(n, -1.0, 1.0);
            let mut found = Vec::new();
            for formulation in ["articulated", "cartesian", "natural"] {
                let drift = DriftControl::Baumgarte { alpha, beta };
                let options = Options { formulation, drift, memory: Memory::letting_go(&released), tau: tau.clone(), ..Options::default() };
                let mut movement = Movement::new(&system, options).unwrap();
                let mut out = Evaluation::new(&system);
                movement
                    .evaluate(&system, 0.01, &movement.state(&system, &q, &v), &mut out)
                    .unwrap_or_else(|failure| panic!("{name}: {failure}"));
                // The rows that are held ...
                let (rows, G) = rows_at(&system, 0.01, &q, &v, &out.vdot);
                let asked = |i: usize| rows.acceleration[i] + 2.0 * alpha * rows.velocity[i] + beta * beta * rows.position[i];
                let left: Vec<f64> = (0..m).filter(|i| !released[*i]).map(asked).collect();
                let scale = out.vdot.iter().fold(1.0f64, |most, x| most.max(x.abs()));
                assert!(left.iter().all(|x| x.abs() < 1e-9 * scale), "{name} {formulation}: {left:?} of {scale}");
                // ... those that are not, and the equations of motion with the forces of rows.
                (0..m).filter(|i| released[*i]).for_each(|i| assert_eq!(out.row_force[i], 0.0, "{name} {formulation}"));
                let mut needed = vec![0.0; n];
                Articulated::new(&system).inverse(&system, 0.01, &q, &v, &out.vdot, &mut needed).unwrap();
                let given: Vec<f64> = (0..n).map(|j| tau[j] + (0..m).map(|i| G[i * n + j] * out.row_force[i]).sum::<f64>()).collect();
                assert_close(&given, &needed, 1e-9, &format!("{name} {formulation}"));
                found.push(out);
            }
            assert_close(&found[1].vdot, &found[0].vdot, 1e-9, &format!("{name}: accelerations"));
            tested += 1;
        }
    }
    assert!(tested >= 18, "{tested}");
}

#[test]
fn steps_stop_at_breakpoints_only_where_that_is_wanted() {
    let system = read("half-hat-leg");
    let [some, none] = [true, false].map(|stop_at_breakpoints| {
        let mut movement = Movement::new(&system, Options { stop_at_breakpoints, ..Options::default() }).unwrap();
        let Assembled { q, v, .. } = start(&system);
        let mut y = movement.state(&system, &q, &v);
        (movement.breakpoint_after(0.0), run(&mut movement.of(&system), "dopri5", &Settings::default(), (0.0, 0.05), &mut y).starts)
    });
    assert_eq!((some, none), ((Some(0.029), 2), (None, 1)));
}

#[test]
fn what_does_not_fit_is_declined_with_its_reason() {
    let system = guided();
    let reason = |options: Options| Movement::new(&system, options).err().expect("declined").reason;
    assert!(reason(Options { formulation: "newtonian", ..Options::default() }).contains("no formulation `newtonian`"));
    assert!(reason(Options { tau: vec![0.0; 3], ..Options::default() }).contains("3 generalised forces"));
    assert!(reason(Options { memory: Memory::letting_go(&[true; 2]), ..Options::default() }).contains("2 rows"));
    let touch = [Touch::Open];
    assert!(reason(Options { memory: Memory::touching(&touch), ..Options::default() }).contains("1 pairs"));
    let drift = DriftControl::Baumgarte { alpha: -1.0, beta: 0.0 };
    assert!(reason(Options { drift, ..Options::default() }).contains("-1"));
}
