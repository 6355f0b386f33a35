//! Patches that slide and spin, against integrals over a round patch whose pressure falls with the square of the radius.

use super::*;
use crate::friction::spin::{PatchSlip, Spin};

fn new(kind: &str, lever: f64) -> Spin<f64> {
    Spin::new(kind, &[("lever", lever)]).unwrap()
}

/// Force along x and moment of a unit disc with pressure 2 F_n (1 − r²)/π, every ring element at its own speed.
fn integrated(law: &Friction<f64>, v: f64, spin: f64, F_n: f64) -> (f64, f64) {
    let (rings, spokes) = (400, 400);
    let (mut force, mut moment) = (0.0, 0.0);
    for i in 0..rings {
        let r = (i as f64 + 0.5) / rings as f64;
        for j in 0..spokes {
            let (sin, cos) = (std::f64::consts::TAU * (j as f64 + 0.5) / spokes as f64).sin_cos();
            let share = 2.0 * (1.0 - r * r) * r * 2.0 / (rings * spokes) as f64;
            let (vx, vy) = (v - spin * r * sin, spin * r * cos);
            let factor = law.per_speed(vx.hypot(vy), F_n) * share;
            force -= factor * vx;
            moment -= factor * r * (vy * cos - vx * sin);
        }
    }
    (force, moment)
}

/// Radius of gyration of that disc: ∫ p r²/∫ p = 1/3.
const GYRATION: f64 = 0.577_350_269_189_625_8;

fn patch(v: f64, spin: f64, F_n: f64) -> PatchSlip<f64> {
    PatchSlip { slip: vec3(v, 0.0, 0.0), spin, normal: F_n, gyration: GYRATION }
}

#[test]
fn a_ring_of_gyration_has_the_moment_of_the_patch_it_stands_for() {
    let coulomb = Friction::new("coulomb", &[("friction", 0.5)]).unwrap();
    let kappa = 8.0 / (5.0 * 3.0_f64.sqrt());
    let (_, wanted) = integrated(&coulomb, 0.0, 2.0, 30.0);
    for kind in ["gyration", "rate", "coupled"] {
        let (force, moment) = new(kind, kappa).friction(&coulomb, patch(0.0, 2.0, 30.0));
        // Midpoint rule on 400 rings: 1e-5.
        assert!((moment - wanted).abs() < 1e-5 * wanted.abs(), "{kind} {moment} {wanted}");
        assert_eq!(force.norm(), 0.0);
    }
}

#[test]
fn an_own_transition_rate_is_met() {
    let law = Friction::new("tanh", &[("friction", 0.5), ("transition", 0.01)]).unwrap();
    // Transition rate 0.25 rad/s: at that spin the moment is tanh(1) of the full one.
    let spin = Spin::new("rate", &[("speed_per_rate", 0.01 / 0.25)]).unwrap();
    let (_, moment) = spin.friction(&law, patch(0.0, 0.25, 30.0));
    assert!((moment + 0.5 * 30.0 * GYRATION * 1.0_f64.tanh()).abs() < 1e-13);
}

#[test]
fn spin_eases_sliding_as_in_the_integrated_patch() {
    let coulomb = Friction::new("coulomb", &[("friction", 0.5)]).unwrap();
    let coupled = new("coupled", 1.0);
    let mut last = f64::INFINITY;
    for spin in [0.0, 0.5, 1.0, 2.0, 4.0, 8.0] {
        let (force, moment) = coupled.friction(&coulomb, patch(1.0, spin, 30.0));
        let (wanted_force, wanted_moment) = integrated(&coulomb, 1.0, spin, 30.0);
        assert!(-force.x < last, "sliding friction falls with spin");
        last = -force.x;
        // One speed for the patch is a model of it: within 8 % of the full force 15 N and 19 % of the full moment.
        assert!((force.x - wanted_force).abs() < 0.08 * 15.0, "{spin}: {} {wanted_force}", force.x);
        assert!((moment - wanted_moment).abs() < 0.19 * 15.0 * GYRATION, "{spin}: {moment} {wanted_moment}");
        // Apart, sliding does not know of the spin.
        let (apart, _) = new("gyration", 1.0).friction(&coulomb, patch(1.0, spin, 30.0));
        assert!((apart.x + 15.0).abs() < 1e-13);
    }
}

#[test]
fn every_spin_law_takes_power_scales_with_length_and_is_smooth_at_rest() {
    let law = Friction::new("three-parameter", &[("static_friction", 0.8), ("dynamic_friction", 0.6), ("transition", 0.01)]).unwrap();
    let mut random = Random::new(6);
    for kind in Spin::<f64>::KINDS {
        let spin = new(kind.name, 0.9);
        for _ in 0..100 {
            let slip = vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.0);
            let at = PatchSlip { slip, spin: random.uniform(-5.0, 5.0), normal: 20.0, gyration: random.uniform(0.001, 0.1) };
            let (force, moment) = spin.friction(&law, at);
            assert!(force.dot(at.slip) <= 0.0 && moment * at.spin <= 0.0, "{}", kind.name);
            // Lengths tenfold at equal speeds of the rim: the moment is tenfold, a force times a length.
            let larger = PatchSlip { spin: at.spin / 10.0, gyration: at.gyration * 10.0, ..at };
            if kind.name != "rate" {
                let (same, tenfold) = spin.friction(&law, larger);
                assert!((same - force).norm() < 1e-12 && (tenfold - 10.0 * moment).abs() < 1e-12, "{}", kind.name);
            }
        }
        let lift = |x: f64, k: usize| Dual::<4>::variable(x, k);
        let rest = PatchSlip {
            slip: vec3(lift(0.0, 0), lift(0.0, 1), lift(0.0, 2)),
            spin: lift(0.0, 3),
            normal: Dual::from_f64(20.0),
            gyration: Dual::from_f64(0.02),
        };
        let (force, moment) = spin.friction(&law, rest);
        let slope = law.per_speed(0.0, 20.0);
        assert_eq!(force.x.eps, [-slope, 0.0, 0.0, 0.0], "{}", kind.name);
        assert!(moment.eps[3] < 0.0 && moment.eps[..3] == [0.0; 3], "{}", kind.name);
    }
}
