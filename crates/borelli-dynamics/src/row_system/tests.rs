//! Rows of many loops: what they cost, and what is left of them near positions where they lose rank.
//! Judged by the closed form of parallel cranks, which has no loops at all.

use super::{RowStructure, RowSystem};
use crate::formulation::{Evaluation, FORMULATIONS, Input};
use crate::system::System;
use crate::twin::parse;
use std::fmt::Write;

/// N four-bar linkages in a row: N + 1 cranks on the ground, N couplers between their tips, all of 1 m and 1 kg.
fn four_bars(loops: usize) -> System {
    let rod = "mass = 1\ncenter = [0.5, 0]\ninertia = \"0.08333333333333333 kg m^2\"\npoint.T = [1, 0]\n";
    let mut text = String::from("borelli = 1\ndimension = \"planar\"\n[world.point]\n");
    (0..=loops).for_each(|k| text += &format!("A{k} = [{k}, 0]\n"));
    for k in 0..=loops {
        let _ = write!(text, "[body.crank{k}]\n{rod}[joint.crank{k}]\ntype = \"hinge\"\nparent = \"world.A{k}\"\nchild = \"crank{k}\"\n");
    }
    for k in 0..loops {
        let next = k + 1;
        let _ = write!(
            text,
            "[body.bar{k}]\n{rod}[joint.bar{k}]\ntype = \"hinge\"\nparent = \"crank{k}.T\"\nchild = \"bar{k}\"\n\
             [loop.L{k}]\ntype = \"coincident\"\na = \"bar{k}.T\"\nb = \"crank{next}.T\"\n"
        );
    }
    parse(&text)
}

/// Cranks at an angle with a rate, couplers level.
fn parallel(system: &System, angle: f64, rate: f64) -> (Vec<f64>, Vec<f64>) {
    let is_crank = |name: &str| name.starts_with("crank");
    let pick = |x: f64| system.names.coordinates.iter().map(|c| if is_crank(&c.name) { x } else { -x }).collect();
    (pick(angle), pick(rate))
}

/// Acceleration of all cranks: I θ̈ = −g M cos θ.
fn closed_form(loops: usize, angle: f64) -> f64 {
    let n = loops as f64;
    -9.81 * ((n + 1.0) / 2.0 + n) * angle.cos() / ((n + 1.0) / 3.0 + n)
}

const FAST: [&str; 3] = ["articulated", "cartesian", "natural"];

#[test]
fn near_a_flat_position_all_formulations_follow_the_closed_form() {
    for loops in [2, 7] {
        let system = four_bars(loops);
        for entry in FORMULATIONS.iter().filter(|entry| FAST.contains(&entry.name)) {
            let mut formulation = (entry.build)(&system).unwrap_or_else(|declined| panic!("{}", declined.reason));
            let mut out = Evaluation::new(&system);
            for (from_flat, allowed) in [(1.0, 1e-12), (1e-1, 1e-12), (1e-2, 1e-11), (1e-3, 1e-10), (1e-4, 5e-9)] {
                for angle in [from_flat, -from_flat] {
                    let (q, v) = parallel(&system, angle, -5.0);
                    let tau = vec![0.0; v.len()];
                    formulation.evaluate(&system, Input { t: 0.0, q: &q, v: &v, tau: &tau, ..Input::default() }, &mut out).expect("finite");
                    let expected = closed_form(loops, angle);
                    for (name, found) in system.names.speeds.iter().zip(&out.vdot).filter(|(name, _)| name.name.starts_with("crank")) {
                        let error = (found - expected).abs() / expected.abs();
                        assert!(error < allowed, "{loops} loops, {}, {} at {angle}: {found} for {expected}", entry.name, name.name);
                    }
                }
            }
        }
    }
}

#[test]
fn rows_of_a_row_of_loops_are_as_many_times_coupled_however_many_there_are() {
    for loops in [10, 50, 200] {
        let system = four_bars(loops);
        let structure = RowStructure::new(&system);
        let pattern = structure.pattern();
        assert_eq!(structure.rows(), 2 * loops);
        assert!(structure.steps().len() <= 3 * 2 * loops && pattern.fill() < 6 * 2 * loops, "{loops}: {}", pattern.fill());
    }
}

#[test]
fn a_frame_welded_to_the_ground_does_not_couple_what_stands_on_it() {
    let text = "borelli = 1\ndimension = \"planar\"\n[body.frame]\nmass = 1\ninertia = 1\npoint = { A = [0, 0], B = [1, 0], C = [2, 0], D = [3, 0] }\n\
        [joint.frame]\ntype = \"weld\"\nparent = \"world\"\nchild = \"frame\"\n";
    let mut text = String::from(text);
    for (name, at) in [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")] {
        let _ = write!(
            text,
            "[body.{name}]\nmass = 1\ncenter = [0, 0.5]\ninertia = 0.1\npoint.T = [0, 1]\n\
             [joint.{name}]\ntype = \"hinge\"\nparent = \"frame.{at}\"\nchild = \"{name}\"\n"
        );
    }
    for (name, [a, b]) in [("one", ["a", "b"]), ("other", ["c", "d"])] {
        let _ = write!(text, "[loop.{name}]\ntype = \"rod\"\na = \"{a}.T\"\nb = \"{b}.T\"\nlength = 1\n");
    }
    let system = parse(&text);
    let structure = RowStructure::new(&system);
    assert_eq!(structure.pattern().entries().len(), 2, "the two rods do not feel each other");
    assert_eq!(RowSystem::<f64>::new(structure, system.skeleton.parent.len(), |_| 1).len(), 2);
}
