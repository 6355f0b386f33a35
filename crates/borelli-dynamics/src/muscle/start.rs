//! Where a muscle starts: activation from excitation, and the fibre at which fibre and tendon pull equally at rest.
//! Not here: whole-body equilibrium (`equilibrium`), when it is asked for.
//! In: the length of the path, the excitation at the start. Out: activation and σ; a note where there is no equilibrium, or more than one.
//!
//! ```text
//! r(s) = f_T((L − s)/l_s) − cos α (a f_L + f_P) = 0     over s from s_min to L − 0.98 l_s                                         (1)
//! ```
//!
//! f_T falls with s, but where the active force falls with length (1) may have several roots: the one of the longest fibre is taken, which a muscle that contracts reaches
//! first. 32 intervals are searched for changes of sign from the long end; Newton's method kept between the ends of the interval finds the root.
//! Source: elementary. Limits: two roots within one interval are not seen; the fibre is at rest, whatever the path does.
//! Tests: `the_start_is_in_equilibrium`, `a_start_without_equilibrium_is_told`, table 7.2.

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
/// Intervals that are searched.
const INTERVALS: usize = 32;
/// Part of its slack length to which a tendon may be shortened in the search.
const SHORT_TENDON: f64 = 0.98;

/// Writes the states of a muscle at the start of an analysis.
pub(super) fn start<K: Curves<f64>>(
    common: &Common<f64>,
    built: &Built<f64, K>,
    length: f64,
    now: &Now<f64, f64>,
    z: &mut [f64],
) -> Option<MuscleFault> {
    let excitation = now.control(common.excitation);
    let excited = excitation.clamp(common.least_activation, 1.0);
    let a = common.given_activation.unwrap_or(excited);
    if let Some(state) = common.activation {
        z[state as usize] = a;
    }
    let rest = common.tendon_length + common.fibre_length * common.pennation.cos();
    let odd = (rest > 2.0 * length || rest < 0.5 * length).then_some(MuscleFault::OddLengths { length, rest });
    let mass = metabolic::mass(common.force, common.fibre_length);
    let odd = odd.or_else(|| (!MASSES.contains(&mass)).then_some(MuscleFault::OddMass { mass }));
    // Zero is said of every muscle at rest, and meant as the least activation.
    let clipped = MuscleFault::ExcitationClipped { found: excitation, least: common.least_activation };
    let odd = odd.or((!(0.0..=1.0).contains(&excitation)).then_some(clipped));
    let Some(state) = common.fibre else {
        let needed = common.tendon_length + built.least;
        return (length < needed).then_some(MuscleFault::NoEquilibrium { length, needed }).or(odd);
    };
    let (s, note) = match common.given_fibre {
        Some(fibre) => ((fibre * fibre - built.square).max(built.least * built.least).sqrt(), None),
        None => equilibrium(common, built, length, a),
    };
    z[state as usize] = s / common.fibre_length;
    note.or(odd)
}

/// The projected fibre length in equilibrium.
fn equilibrium<K: Curves<f64>>(common: &Common<f64>, built: &Built<f64, K>, length: f64, a: f64) -> (f64, Option<MuscleFault>) {
    let (least, slack) = (built.least, common.tendon_length);
    let most = length - SHORT_TENDON * slack;
    let none = MuscleFault::NoEquilibrium { length, needed: slack + least };
    if !(most > least) {
        return (least, Some(none));
    }
    let residual = |s: f64| {
        let s = Dual::<1>::variable(s, 0);
        let fibre = Fibre::new(built, s);
        let tendon = built.curves.tendon((-s + length) * (1.0 / slack));
        let r = tendon - fibre.cos() * (built.curves.active(fibre.n) * a + built.curves.passive(fibre.n));
        [r.re, r.eps[0]]
    };
    let at = |k: usize| least + (most - least) * k as f64 / INTERVALS as f64;
    let mut above = residual(most)[0];
    if above == 0.0 {
        // Nothing pulls: the tendon is just slack.
        return ((length - slack).max(least), None);
    }
    let (mut found, mut roots) = (None, 0);
    for k in (0..INTERVALS).rev() {
        let below = residual(at(k))[0];
        if (below > 0.0) != (above > 0.0) {
            roots += 1;
            found.get_or_insert((at(k), at(k + 1)));
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
