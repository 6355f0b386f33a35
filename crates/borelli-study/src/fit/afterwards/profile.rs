//! Profiles: one unknown held at value after value, all others fitted, until J has risen by what ends a 95 % interval.
//! Not here: searches (`refit`). In: an unknown, the best point. Out: values with the least J at each, and the interval.
//! Source: Bates, Watts (1988), Nonlinear regression analysis, 6.1.
//!
//! With J₀ at the best point and n unknowns for m residuals, an interval of 95 % ends where
//!
//!     J - J₀ = s² F_0.95(1, m - n),   s² = J₀/(m - n)   (known noise: 3.84)                                 (1)
//!
//! widened like linear intervals where residuals are alike from sample to sample. Values are chosen so that the root of the rise grows by a quarter of
//! that each time, each search from where the last one ended: the valley is followed wherever it bends. Where it becomes steep at once values are put
//! between.

use super::super::answer::Evaluator;
use super::super::problem::Problem;
use super::super::record::FitRecord;
use super::record::{End, Profile, ProfilePoint};
use super::refit::Refit;
use borelli_math::function::{Interpolation, Outside, Table};

/// Values on each side of the best one.
const VALUES: usize = 7;
/// By how much the root of the rise is to grow from value to value.
const GROWTH: f64 = 0.25;
/// By how much a step may differ from the one before.
const CHANGE: f64 = 4.0;
/// Growth of the root over the end of the interval beyond which a value is put between.
const GAP: f64 = 0.5;
/// How near a value between comes to the two around it, as a part of what is between them.
const INSIDE: f64 = 0.2;
/// First step, scaled, of an unknown of which slopes tell no interval.
const BLIND: f64 = 0.02;

/// A value that was tried.
struct Tried {
    /// The value, scaled.
    z: f64,
    /// Where the search ended, scaled: the next begins there.
    end: Vec<f64>,
    /// Root of the rise of J.
    root: f64,
    point: ProfilePoint,
}

/// One side of a profile.
pub(super) struct Side {
    unknown: usize,
    sign: f64,
    /// From the best value outwards, without it.
    tried: Vec<Tried>,
    /// Whether the last value is a bound.
    at_bound: bool,
}

/// Follows an unknown to one side; nothing where that was stopped.
pub(super) fn follow<'s>(
    refit: &Refit<'_, 's>,
    evaluator: &mut Evaluator<'s>,
    (unknown, sign): (usize, f64),
    z: &[f64],
    record: &FitRecord,
) -> Option<Side> {
    let problem = refit.problem;
    let (rise, scale) = (record.rise?, problem.unknowns.list[unknown].scale);
    let (low, high) = scale.bounds();
    let bound = if sign < 0.0 { low } else { high };
    let half = record.unknowns[unknown].spread.map(|(_, [_, high])| scale.scaled(high) - z[unknown]);
    let mut step = half.map_or(BLIND, |half| GROWTH * half);
    let mut side = Side { unknown, sign, tried: Vec::new(), at_bound: z[unknown] == bound };
    while side.tried.len() < VALUES {
        let (place, next) = match side.coarse(z[unknown]) {
            Some(found) => found,
            None if side.at_bound => break,
            None => {
                let at = side.tried.last().map_or(z[unknown], |last| last.z);
                (side.tried.len(), (at + sign * step).clamp(low, high))
            }
        };
        let inner = place.checked_sub(1).map(|place| &side.tried[place]);
        let (at, before) = inner.map_or((z[unknown], 0.0), |inner| (inner.z, inner.root));
        let mut from = inner.map_or_else(|| z.to_vec(), |inner| inner.end.clone());
        from[unknown] = next;
        let found = refit.search(evaluator, &from, &[unknown], &[])?;
        let Some(values) = problem.values(evaluator, &found.point).filter(|_| found.objective.is_finite()) else { break };
        let root = ((found.objective - record.objective).max(0.0) / rise).sqrt();
        let point =
            ProfilePoint { value: scale.value(next), objective: found.objective, root: sign * root, found: found.found, unknowns: values };
        if place == side.tried.len() {
            side.at_bound = next == bound;
            step = (next - at).abs() * if root > before { (GROWTH / (root - before)).clamp(1.0 / CHANGE, CHANGE) } else { CHANGE };
        }
        side.tried.insert(place, Tried { z: next, end: found.point, root, point });
    }
    Some(side)
}

impl Side {
    /// The first value beyond the end of the interval.
    fn risen(&self) -> Option<usize> {
        self.tried.iter().position(|own| own.root >= 1.0)
    }

    /// Where the root passes one within too wide a gap: the place of a value between, and that value.
    fn coarse(&self, best: f64) -> Option<(usize, f64)> {
        let above = self.risen()?;
        let (z, root) = above.checked_sub(1).map_or((best, 0.0), |below| (self.tried[below].z, self.tried[below].root));
        let own = &self.tried[above];
        let part = ((1.0 - root) / (own.root - root)).clamp(INSIDE, 1.0 - INSIDE);
        (own.root - root > GAP).then_some((above, z + part * (own.z - z)))
    }

    /// Where the interval ends: between the values at which the root passes one.
    fn end(&self, best: f64, value: impl Fn(f64) -> f64) -> End {
        let Some(risen) = self.risen() else {
            let last = self.tried.last().map_or(best, |own| own.z);
            return if self.at_bound { End::Bound(value(last)) } else { End::Open };
        };
        // Values whose roots grow, with the two around the end among them: a curve through them has the end at one.
        let (mut roots, mut places) = (vec![0.0], vec![best]);
        for (k, own) in self.tried.iter().enumerate() {
            if own.root > roots[roots.len() - 1] && (k <= risen || own.root > 1.0) {
                roots.push(own.root);
                places.push(own.z);
            }
        }
        let curve = Table::new(roots, places, Interpolation::Pchip, Outside::Hold);
        curve.map_or(End::Open, |curve| End::Risen(value(curve.derivatives(1.0)[0])))
    }
}

/// Both sides of each profile as one; those of which a side was stopped are left out.
pub(super) fn joined(problem: &Problem, asked: &[usize], held: &[usize], sides: Vec<Side>, z: &[f64], record: &FitRecord) -> Vec<Profile> {
    let one = |unknown: &usize| {
        let scale = problem.unknowns.list[*unknown].scale;
        let side = |sign: f64| sides.iter().find(|side| side.unknown == *unknown && side.sign == sign);
        let (below, above) = (side(-1.0)?, side(1.0)?);
        let best = ProfilePoint {
            value: record.unknowns[*unknown].best,
            objective: record.objective,
            root: 0.0,
            found: record.found,
            unknowns: record.unknowns.iter().map(|own| own.best).collect(),
        };
        let points = below.tried.iter().rev().map(|own| own.point.clone());
        Some(Profile {
            unknown: *unknown,
            points: points.chain([best]).chain(above.tried.iter().map(|own| own.point.clone())).collect(),
            ends: [below, above].map(|side| side.end(z[*unknown], |z| scale.value(z))),
            held: held.contains(unknown),
        })
    };
    asked.iter().filter_map(one).collect()
}
