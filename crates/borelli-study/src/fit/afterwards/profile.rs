//! Profiles: one unknown held at value after value, all others fitted, until J has risen by what ends a 95 % interval.
//! Not here: searches (`refit`). In: an unknown, the best point. Out: values with the least J at each, and the interval.
//! Source: Bates, Watts (1988), Nonlinear regression analysis, 6.1.
//!
//! With J₀ at the best point and n unknowns for m residuals, an interval of 95 % ends where
//!
//!     J - J₀ = s² F_0.95(1, m - n),   s² = J₀/(m - n)   (known noise: 3.84)                                 (1)
//!
//! widened like linear intervals where residuals are alike from sample to sample. Values are chosen so that the root of the rise grows by a quarter of
//! that each time, each search from where the last one ended: the valley is followed wherever it bends.

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
/// First step, scaled, of an unknown of which slopes tell no interval.
const BLIND: f64 = 0.02;

/// One side of a profile.
pub(super) struct Side {
    unknown: usize,
    sign: f64,
    /// From the best value outwards, without it: scaled value and what was found there.
    points: Vec<(f64, ProfilePoint)>,
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
    let mut side = Side { unknown, sign, points: Vec::new(), at_bound: z[unknown] == bound };
    let (mut from, mut at, mut root) = (z.to_vec(), z[unknown], 0.0);
    while side.points.len() < VALUES && !side.at_bound {
        let next = (at + sign * step).clamp(low, high);
        from[unknown] = next;
        let found = refit.search(evaluator, &from, &[unknown], &[])?;
        let Some(values) = problem.values(evaluator, &found.point).filter(|_| found.objective.is_finite()) else { break };
        let own = ((found.objective - record.objective).max(0.0) / rise).sqrt();
        let point =
            ProfilePoint { value: scale.value(next), objective: found.objective, root: sign * own, found: found.found, unknowns: values };
        side.points.push((next, point));
        side.at_bound = next == bound;
        step = (next - at).abs() * if own > root { (GROWTH / (own - root)).clamp(1.0 / CHANGE, CHANGE) } else { CHANGE };
        (from, at, root) = (found.point, next, own);
    }
    Some(side)
}

impl Side {
    /// Where the interval ends: between the values at which the root passes one.
    fn end(&self, best: f64, value: impl Fn(f64) -> f64) -> End {
        let risen = self.points.iter().position(|(_, point)| point.root.abs() >= 1.0);
        let Some(risen) = risen else {
            let last = self.points.last().map_or(best, |(z, _)| *z);
            return if self.at_bound { End::Bound(value(last)) } else { End::Open };
        };
        // Values whose roots grow, with the two around the end among them: a curve through them has the end at one.
        let (mut roots, mut places) = (vec![0.0], vec![best]);
        for (k, (z, point)) in self.points.iter().enumerate() {
            let root = point.root.abs();
            if root > roots[roots.len() - 1] && (k <= risen || root > 1.0) {
                roots.push(root);
                places.push(*z);
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
        let points = below.points.iter().rev().map(|(_, point)| point.clone());
        Some(Profile {
            unknown: *unknown,
            points: points.chain([best]).chain(above.points.iter().map(|(_, point)| point.clone())).collect(),
            ends: [below, above].map(|side| side.end(z[*unknown], |z| scale.value(z))),
            held: held.contains(unknown),
        })
    };
    asked.iter().filter_map(one).collect()
}
