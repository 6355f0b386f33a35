//! Action and reaction, momentum and energy of single pairs between free bodies.

use super::*;
use crate::retract::retract;
use borelli_contact::friction::Friction;
use borelli_contact::friction::spin::Spin;
use borelli_contact::normal::Normal;
use borelli_contact::pressure::Foundation;
use borelli_contact::volume::Volumetric;
use borelli_math::Vec3;
use borelli_testkit::central_difference;

/// Speed of the first touch that laws with memory see, m/s.
const IMPACT: [f64; 1] = [1.7];

/// Checks that the pair adds no momentum and that its power is minus the rate of what it stores less what it loses; gives the loss, W.
fn assert_balanced(name: &str, system: &System, q: &[f64], v: &[f64]) -> f64 {
    assert_balanced_to(1e-8, name, system, q, v)
}

/// The same up to a part of all powers.
fn assert_balanced_to(allowed: f64, name: &str, system: &System, q: &[f64], v: &[f64]) -> f64 {
    let sight = look(system, q, v, &IMPACT);
    let (frames, loads) = (&sight.frames, &sight.loads);
    let pair = touching(&sight);
    let largest = loads.force.iter().map(|f| f.norm()).fold(1.0, f64::max);
    let (mut force, mut moment, mut power) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for b in 0..loads.force.len() {
        force += loads.force[b];
        moment += loads.moment[b] + frames.p[b].cross(loads.force[b]);
        power += loads.force[b].dot(frames.v[b]) + loads.moment[b].dot(frames.w[b]);
    }
    assert!(force.norm() <= 1e-12 * largest, "{name}: force {force:?} of {largest}");
    assert!(moment.norm() <= 1e-12 * largest, "{name}: moment {moment:?} of {largest}");
    assert!(pair.stored > 0.0 && pair.normal_force >= 0.0, "{name}: {pair:?}");
    // Along the motion with these velocities; the stored energy looks at positions only.
    let mut stored = |h: f64| {
        let (mut moved, step) = (q.to_vec(), v.iter().map(|v| h * v).collect::<Vec<_>>());
        retract(&system.skeleton, &mut moved, &step);
        vec![look(system, &moved, v, &IMPACT).loads.stored]
    };
    let rate = central_difference(&mut stored, 2e-4)[0];
    let scale = power.abs() + rate.abs() + pair.dissipation.abs() + 1.0;
    let miss = power + rate + pair.dissipation;
    assert!(miss.abs() < allowed * scale, "{name}: {miss:e} W of {scale}: power {power}, stored {rate}, lost {}", pair.dissipation);
    pair.dissipation
}

#[test]
fn pairs_act_and_react_and_lose_what_they_say() {
    let mut random = Random::new(1);
    for pairing in PAIRINGS {
        for force_at in ["", "force_at = \"a\"", "force_at = \"b\"", "force_at = \"middle\""] {
            let system = pairing.system(&format!("normal = {HERTZ}\nfriction = {RUB}\n{force_at}"));
            for _ in 0..4 {
                let (q, v) = meeting(&system, &mut random);
                let name = format!("{} {force_at}", pairing.name());
                let lost = assert_balanced(&name, &system, &q, &v);
                assert!(lost > 0.0, "{name}: {lost}");
            }
        }
    }
}

#[test]
fn patches_act_and_react_and_lose_what_they_say() {
    let mut random = Random::new(2);
    for one in [BALL, EGG] {
        let pairing = pairing("spatial", one, BOARD);
        for (friction, spin) in
            Friction::<f64>::KINDS.iter().flat_map(|friction| Spin::<f64>::KINDS.iter().map(move |spin| (friction, spin)))
        {
            for moment in ["weighted", "oblique"] {
                let normal = draw(&Volumetric::<f64>::KIND, &mut random);
                let (rub, turn) = (draw(friction, &mut random), draw(spin, &mut random));
                let system = pairing.system(&format!("normal = {normal}\nfriction = {rub}\nspin = {turn}\nsecond_moment = \"{moment}\""));
                let (q, v) = meeting(&system, &mut random);
                let name = format!("{} {} {} {moment}", pairing.name(), friction.name, spin.name);
                let lost = assert_balanced(&name, &system, &q, &v);
                assert!(lost > 0.0, "{name}: {lost}");
            }
        }
    }
}

#[test]
fn summed_patches_act_and_react_and_lose_what_they_say() {
    // What is stored under the points changes also where the shape moves along the plane over them; the sum of powers has that but for the error of the sum.
    const SUMMED: f64 = 1e-3;
    let mut random = Random::new(5);
    for friction in Friction::<f64>::KINDS {
        let (normal, rub) = (draw(&Foundation::<f64>::KIND, &mut random), draw(friction, &mut random));
        let system = EGG_ON_BOARD.system(&format!("normal = {normal}\nfriction = {rub}"));
        for _ in 0..3 {
            let (q, v) = meeting(&system, &mut random);
            let lost = assert_balanced_to(SUMMED, friction.name, &system, &q, &v);
            assert!(lost > 0.0, "{}: {lost}", friction.name);
        }
    }
}

#[test]
fn every_normal_law_with_every_friction_law_only_takes_energy() {
    let mut random = Random::new(3);
    let mut clipped = 0;
    for normal in Normal::<f64>::KINDS {
        let none = std::iter::once(None);
        for friction in none.chain(Friction::<f64>::KINDS.iter().map(Some)) {
            let push = draw(normal, &mut random);
            let rub = friction.map_or(String::new(), |friction| format!("friction = {}", draw(friction, &mut random)));
            let system = EGG_ON_BOARD.system(&format!("normal = {push}\n{rub}"));
            for _ in 0..8 {
                let (q, v) = meeting(&system, &mut random);
                let name = format!("{} {}", normal.name, friction.map_or("none", |friction| friction.name));
                let lost = assert_balanced(&name, &system, &q, &v);
                assert!(lost >= -1e-12 * look(&system, &q, &v, &IMPACT).loads.stored, "{name}: {lost}");
                clipped += usize::from(touching(&look(&system, &q, &v, &IMPACT)).clipped);
            }
        }
    }
    assert!(clipped > 10, "states in which a law would pull: {clipped}");
}

#[test]
fn slip_of_the_centre_may_feed_energy_and_says_so() {
    let mut random = Random::new(4);
    let system = EGG_ON_BOARD.system(&format!("normal = {ELASTIC}\nfriction = {RUB}\nslip_at = \"centre\""));
    let mut least = f64::INFINITY;
    for _ in 0..40 {
        let (q, v) = meeting(&system, &mut random);
        least = least.min(assert_balanced("slip of the centre", &system, &q, &v));
    }
    assert!(least < -1.0, "{least}");
}
