//! Where a muscle starts: activation from excitation, and the fibre at which fibre and tendon pull equally at rest.
//! Not here: whole-body equilibrium (`equilibrium`), when it is asked for.
//! In: the length of the path, the excitation at the start. Out: activation and σ; a note where there is no equilibrium, or more than one.
//!
//! ```text
//! r(s) = f_T((L − s)/l_s) − cos α (a f_L + f_P) = 0     over s from s_min to L − 0.98 l_s                                         (1)
//! ```
//!
//! f_T falls with s, but where the active force falls with length (1) may have several roots: the one of the longest fibre is taken, which a muscle
//! that contracts reaches first. Intervals no longer than l₀/20 are searched from the long end. Where r has the same sign at both ends of one, but
//! slopes that lead it towards zero from both, its extremum is found by halving, and with it two roots that lie in one interval. Newton's method
//! kept between the ends of the interval finds the root.
//! Source: elementary. Limits: three roots within one interval count as one; the fibre is at rest, whatever the path does.
//! Tests: `the_start_is_in_equilibrium`, `a_start_without_equilibrium_is_told`, `all_equilibria_on_the_descending_limb_are_counted`, table 7.2.

use super::curves::Curves;
use super::element::{Built, Fibre};
use super::fault::MuscleFault;
use super::metabolic;
use super::read::Common;
use crate::scene::Now;
use borelli_math::Dual;
use std::ops::RangeInclusive;

/// Masses of muscles in kg that are no sign of a slip of units: from the smallest of a hand to more than all of a person.
const MASSES: RangeInclusive<f64> = 0.5e-3..=50.0;
/// Least and largest number of intervals that are searched, and how long they are at most, over the optimal length.
const INTERVALS: [f64; 2] = [32.0, 512.0];
const INTERVAL: f64 = 0.05;
/// Part of its slack length to which a tendon may be shortened in the search.
const SHORT_TENDON: f64 = 0.98;

/// Writes the states of a muscle at the start of an analysis.
pub(super) fn start<K: Curves<f64>>(
    common: &Common<f64>,
    built: &Built<f64, K>,
    length: f64,
    now: &Now<f64, f64>,
    z: &mut [f64],
    tell: &mut dyn FnMut(MuscleFault),
) {
    let excitation = now.control(common.excitation);
    if !excitation.is_finite() {
        tell(MuscleFault::ExcitationNotFinite { t: now.t, found: excitation });
    }
    let excited = excitation.clamp(common.least_activation, 1.0);
    let a = common.given_activation.unwrap_or(excited);
    if let Some(state) = common.activation {
        z[state as usize] = a;
    }
    if !a.is_finite() {
        return;
    }
    let note = match common.fibre {
        Some(state) => {
            let (s, note) = match common.given_fibre {
                Some(fibre) => given(common, built, length, fibre),
                None => equilibrium(common, built, length, a),
            };
            z[state as usize] = s / common.fibre_length;
            note
        }
        None => (length < common.tendon_length + built.least).then(|| slack(common, built, length)),
    };
    match note {
        // What follows from a slip of units is told in its place.
        Some(note) => tell(note),
        None => odd(common, length).into_iter().for_each(&mut *tell),
    }
    // Zero is said of every muscle at rest, and meant as the least activation; functions of time may come near it.
    let least = if now.has_constant(common.excitation) && excitation > 0.0 { common.least_activation } else { 0.0 };
    if !(least..=1.0).contains(&excitation) {
        tell(MuscleFault::ExcitationClipped { found: excitation, least: common.least_activation });
    }
}

/// Lengths or a mass that no muscle has.
fn odd(common: &Common<f64>, length: f64) -> Option<MuscleFault> {
    let rest = common.tendon_length + common.fibre_length * common.pennation.cos();
    if rest > 2.0 * length || rest < 0.5 * length {
        return Some(MuscleFault::OddLengths { length, rest });
    }
    let mass = metabolic::mass(common.force, common.fibre_length);
    (!MASSES.contains(&mass)).then_some(MuscleFault::OddMass { mass })
}

/// A path too short for the muscle to pull.
fn slack<K: Curves<f64>>(common: &Common<f64>, built: &Built<f64, K>, length: f64) -> MuscleFault {
    MuscleFault::NoEquilibrium { length, needed: common.tendon_length + built.least, by_fibre: built.least > common.tendon_length }
}

/// The projected length of a fibre whose length is given, and what is wrong with it.
fn given<K: Curves<f64>>(common: &Common<f64>, built: &Built<f64, K>, length: f64, fibre: f64) -> (f64, Option<MuscleFault>) {
    let square = fibre * fibre - built.square;
    let s = square.max(0.0).sqrt();
    // What is as short as it can be comes back from its square by rounding only.
    if s < built.least * (1.0 - 1e-12) {
        let least = (built.least * built.least + built.square).sqrt();
        return (built.least, Some(MuscleFault::FibreTooShort { given: fibre, least }));
    }
    (s, (s >= length).then_some(MuscleFault::FibreTooLong { given: fibre, along: s, length, optimal: common.fibre_length }))
}

/// The projected fibre length in equilibrium.
fn equilibrium<K: Curves<f64>>(common: &Common<f64>, built: &Built<f64, K>, length: f64, a: f64) -> (f64, Option<MuscleFault>) {
    let (least, slack_length) = (built.least, common.tendon_length);
    let most = length - SHORT_TENDON * slack_length;
    let none = slack(common, built, length);
    if !(most > least) {
        return (least, Some(none));
    }
    let residual = |s: f64| {
        let s = Dual::<1>::variable(s, 0);
        let fibre = Fibre::new(built, s);
        let tendon = built.curves.tendon((-s + length) * (1.0 / slack_length));
        let r = tendon - fibre.cos() * (built.curves.active(fibre.n) * a + built.curves.passive(fibre.n));
        [r.re, r.eps[0]]
    };
    let intervals = ((most - least) / (INTERVAL * common.fibre_length)).ceil().clamp(INTERVALS[0], INTERVALS[1]) as usize;
    let at = |k: usize| least + (most - least) * k as f64 / intervals as f64;
    let mut above = residual(most);
    if above[0] == 0.0 {
        // Nothing pulls: the tendon is just slack.
        return ((length - slack_length).max(least), None);
    }
    let (mut found, mut roots) = (None, 0);
    for k in (0..intervals).rev() {
        let below = residual(at(k));
        if (below[0] > 0.0) != (above[0] > 0.0) {
            roots += 1;
            found.get_or_insert((at(k), at(k + 1)));
        } else if let Some(turn) = crossing_extremum([at(k), at(k + 1)], [below, above], residual) {
            roots += 2;
            found.get_or_insert((turn, at(k + 1)));
        }
        above = below;
    }
    match found {
        None => (least, Some(none)),
        Some((low, high)) => {
            let s = root(low, high, residual);
            (s, (roots > 1).then_some(MuscleFault::SeveralEquilibria { roots, fibre: (s * s + built.square).sqrt() }))
        }
    }
}

/// Where a function of one sign at both ends of an interval has the other, or is zero: at its extremum, if its slopes lead it towards zero from both ends.
fn crossing_extremum([mut low, mut high]: [f64; 2], [below, above]: [[f64; 2]; 2], function: impl Fn(f64) -> [f64; 2]) -> Option<f64> {
    let sign = if below[0] > 0.0 { 1.0 } else { -1.0 };
    if !(sign * below[1] < 0.0 && sign * above[1] > 0.0) {
        return None;
    }
    for _ in 0..60 {
        let s = 0.5 * (low + high);
        let [value, slope] = function(s);
        if sign * value < 0.0 {
            return Some(s);
        }
        *(if sign * slope < 0.0 { &mut low } else { &mut high }) = s;
    }
    None
}

/// The root of a function that is positive at `low` and not at `high`, by Newton's method kept between them.
fn root(mut low: f64, mut high: f64, function: impl Fn(f64) -> [f64; 2]) -> f64 {
    let mut s = 0.5 * (low + high);
    for _ in 0..200 {
        let [value, slope] = function(s);
        *(if value > 0.0 { &mut low } else { &mut high }) = s;
        let mut next = s - value / slope;
        if !(next > low && next < high) {
            next = 0.5 * (low + high);
        }
        let step = (next - s).abs();
        s = next;
        if step <= f64::EPSILON * s.abs() {
            break;
        }
    }
    s
}
