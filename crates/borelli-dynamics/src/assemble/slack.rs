//! Muscles that can pull nowhere: paths that are shorter than tendon and shortest fibre at every pose.
//! Not here: muscles that are slack at the start only (`muscle`). In: a system, and notes on muscles that start slack. Out: the same notes, sharper where they must be.
//!
//! Poses are drawn over the ranges of coordinates; angles without a range over a full turn, displacements over as much as no model needs. Loops and guides have no say: they
//! only take poses away. The longest path of all these is taken as a tenth longer, for poses between them.

use crate::force::PathView;
use crate::muscle::MuscleFault;
use crate::system::{Measure, System};
use borelli_math::random::Random;
use std::f64::consts::PI;

/// Poses that are looked at.
const POSES: usize = 512;
/// Part by which a path may be longer between them.
const BETWEEN: f64 = 0.1;
/// Spread of displacements without a range, m.
const FAR: f64 = 10.0;

/// Makes an error of the note on a muscle that starts slack where no pose would make it taut.
pub(super) fn never_taut(system: &System, notes: &mut [(String, MuscleFault)]) {
    let muscles = system.numbers.forces.muscles();
    for (element, note) in notes {
        let MuscleFault::NoEquilibrium { needed, by_fibre, .. } = *note else { continue };
        let own = muscles.iter().find(|(name, _)| element.strip_prefix("muscle.") == Some(name));
        let Some((_, size)) = own else { continue };
        let longest = longest(system, size.path as usize);
        if longest * (1.0 + BETWEEN) < needed {
            *note = MuscleFault::NeverTaut { longest, needed, by_fibre };
        }
    }
}

/// The length of a path where it is longest, m; infinite where it has no place at any pose.
fn longest(system: &System, path: usize) -> f64 {
    let (mut random, mut view) = (Random::new(1), PathView::new(system));
    let mut most: Option<f64> = None;
    for _ in 0..POSES {
        view.look(system, &drawn(system, &mut random));
        let length = view.lines().length[path];
        if length.is_finite() {
            most = Some(most.map_or(length, |most| most.max(length)));
        }
    }
    most.unwrap_or(f64::INFINITY)
}

fn drawn(system: &System, random: &mut Random) -> Vec<f64> {
    let mut q = system.start.q.clone();
    let mut k = 0;
    while k < q.len() {
        match (system.coordinates[k].range, system.names.coordinates[k].measure) {
            (Some((from, to)), _) => q[k] = random.uniform(from, to),
            (None, Measure::Angle) => q[k] = random.uniform(-PI, PI),
            (None, Measure::Length) => q[k] += random.uniform(-FAR, FAR),
            (None, Measure::Quaternion) => {
                q[k..k + 4].copy_from_slice(&random.unit_quaternion());
                k += 3;
            }
        }
        k += 1;
    }
    q
}
