//! Values of the unknowns at a scaled point, those included that give way to a constraint; and how they change with the point.
//! Not here: constraints that are left to a search (`answer`).
//! In: a scaled point. Out: values x, slopes ∂x/∂z; or that a constraint leaves no value between the bounds.
//!
//! A constraint that an unknown u meets, c <= b with c linear in u, is met exactly: u gives way by (c - b)/(∂c/∂u) at the sample where c is farthest
//! above, and its slopes by the others follow from c = b there:
//!
//!     ∂u/∂z = -(sum over k ≠ u of ∂c/∂x_k ∂x_k/∂z)/(∂c/∂u)                                        (1)
//!
//! A column that is not quite linear in u takes further rounds.

use super::answer::Evaluator;
use super::problem::{Bounded, Problem};
use borelli_fit::Scale;
use nalgebra::{DMatrix, DVector};

/// Rounds in which an unknown gives way to a constraint before it counts as not to be met.
const ROUNDS: usize = 20;
/// Part of a column by which it may be above its limit: rounding.
const MET: f64 = 1e-13;

/// Values of the unknowns and their slopes by the scaled ones.
pub(crate) struct Values {
    /// Values.
    pub x: Vec<f64>,
    /// ∂x/∂z, row after row.
    slopes: Vec<f64>,
    /// Unknowns that gave way: the only rows of `slopes` with more than the diagonal.
    gave: Vec<usize>,
    /// What they gave way to, one for one.
    to: Vec<Active>,
    /// Slopes of a column by x.
    by: Vec<f64>,
    /// Memory of `scale`.
    held: Vec<f64>,
}

/// The sample at which a constraint holds an unknown.
#[derive(Clone, Copy)]
struct Active {
    limit: usize,
    track: usize,
    sample: usize,
}

impl Values {
    pub(super) fn new(n: usize) -> Values {
        let (gave, to, held) = (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
        Values { x: vec![0.0; n], slopes: vec![0.0; n * n], gave, to, by: vec![0.0; n], held }
    }

    /// Turns slopes by x into slopes by z.
    pub(super) fn scale(&mut self, row: &mut [f64]) {
        let n = row.len();
        let Values { slopes, gave, held, .. } = self;
        held.clear();
        held.extend(gave.iter().map(|u| row[*u]));
        row.iter_mut().enumerate().for_each(|(k, slope)| *slope *= slopes[k * n + k]);
        for (u, slope) in gave.iter().zip(&*held) {
            // Its diagonal entry counts here with the rest of its row.
            row[*u] -= slope * slopes[u * n + u];
            row.iter_mut().zip(&slopes[u * n..][..n]).for_each(|(own, by)| *own += slope * by);
        }
    }
}

impl<'s> Problem<'s> {
    /// Finds the values of the unknowns at a scaled point, into the evaluator; false where a constraint leaves none.
    pub(super) fn place(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> bool {
        let n = self.len();
        if self.gives_way() {
            // What is known already was found on another way, and may have other last digits.
            evaluator.sights.forget();
        }
        let values = &mut evaluator.values;
        values.gave.clear();
        values.to.clear();
        values.slopes.fill(0.0);
        for (k, (known, z)) in self.unknowns.list.iter().zip(z).enumerate() {
            values.x[k] = known.scale.value(*z);
            values.slopes[k * n + k] = known.scale.slope(*z);
        }
        self.limits.iter().enumerate().all(|(k, limit)| limit.met_by.is_none_or(|u| self.give_way(evaluator, (k, limit), u)))
    }

    /// Lets an unknown give way to a constraint; false where that leaves it no value.
    fn give_way(&self, evaluator: &mut Evaluator<'s>, (number, limit): (usize, &Bounded), u: usize) -> bool {
        let n = self.len();
        // Each round meets the sample that is farthest above; others may ask for more.
        let mut active = None;
        for round in 0.. {
            let Some((track, sample)) = self.worst(evaluator, limit) else { break };
            let over = self.column_slopes(evaluator, limit, track, sample);
            let Evaluator { values, .. } = &mut *evaluator;
            values.x[u] -= (over - limit.at_most) / values.by[u];
            active = Some((track, sample));
            if round >= ROUNDS || !values.x[u].is_finite() {
                return false;
            }
        }
        if let Some((track, sample)) = active {
            self.column_slopes(evaluator, limit, track, sample);
            let Values { slopes, by, gave, to, .. } = &mut evaluator.values;
            for j in 0..n {
                let rest: f64 = (0..n).filter(|k| *k != u).map(|k| by[k] * slopes[k * n + j]).sum();
                slopes[u * n + j] = -rest / by[u];
            }
            gave.push(u);
            to.push(Active { limit: number, track, sample });
        }
        let (low, high) = match self.unknowns.list[u].scale {
            Scale::Linear { low, high } | Scale::Log { low, high } => (low, high),
            Scale::Free { .. } => (f64::NEG_INFINITY, f64::INFINITY),
        };
        (low..=high).contains(&evaluator.values.x[u])
    }

    /// A column at a sample; its slopes by all unknowns are left in the values.
    fn column_slopes(&self, evaluator: &mut Evaluator<'s>, limit: &Bounded, track: usize, sample: usize) -> f64 {
        let Evaluator { sights, values, .. } = evaluator;
        self.course.set(sights, &self.unknowns, track, &values.x);
        self.course.look(sights, &limit.groups, &[sample], true);
        self.course.want(sights, limit.channel, sample);
        self.course.look_slopes(sights, &self.unknowns);
        values.by.fill(0.0);
        self.course.add_slopes(sights, limit.channel, sample, 1.0, &mut values.by);
        self.course.value(sights, limit.channel, sample)
    }

    /// The fitted trial and sample at which a column is farthest above its limit; nothing where it is not above by more than rounding.
    fn worst(&self, evaluator: &mut Evaluator<'s>, limit: &Bounded) -> Option<(usize, usize)> {
        let Evaluator { sights, values, .. } = evaluator;
        let mut worst: Option<(usize, usize, f64)> = None;
        for (k, _) in self.tracks.iter().enumerate().filter(|(_, track)| track.is_fitted) {
            self.course.set(sights, &self.unknowns, k, &values.x);
            self.course.look(sights, &limit.groups, &limit.samples[k], false);
            for &sample in &limit.samples[k] {
                let column = self.course.value(sights, limit.channel, sample);
                let over = column - limit.at_most;
                let rounding = MET * (limit.at_most.abs() + column.abs());
                if over > worst.map_or(rounding, |(_, _, most)| most) {
                    worst = Some((k, sample, over));
                }
            }
        }
        worst.map(|(track, sample, _)| (track, sample))
    }

    /// Values of the unknowns at a scaled point; nothing where a constraint leaves none.
    pub(crate) fn values(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Option<Vec<f64>> {
        self.place(evaluator, z).then(|| evaluator.values.x.clone())
    }

    /// What constraints that unknowns give way to at a point cost: by constraint its number, the unknown, and how much J would fall for each unit that the
    /// limit is raised, and where it is raised so far that the unknown moves by its width; to first order.
    ///
    /// With the slopes ∂J/∂x of J as if nothing gave way, and C the slopes of the constraints by the unknowns that give way, these are the multipliers λ of
    /// ∂J/∂x + Cᵀ λ = 0.
    pub(super) fn limit_multipliers(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<(usize, usize, [f64; 2])> {
        if !self.place(evaluator, z) || evaluator.values.gave.is_empty() {
            return Vec::new();
        }
        let n = self.len();
        let mut held: Vec<(usize, Active)> = Vec::new();
        for (u, to) in evaluator.values.gave.iter().copied().zip(evaluator.values.to.iter().copied()) {
            // Of several constraints that one unknown meets the last is the one that holds it.
            held.retain(|(own, _)| *own != u);
            held.push((u, to));
        }
        let count = held.len();
        let mut slopes = DMatrix::zeros(count, count);
        for (row, (_, to)) in held.iter().enumerate() {
            self.column_slopes(evaluator, &self.limits[to.limit], to.track, to.sample);
            (0..count).for_each(|column| slopes[(row, column)] = evaluator.values.by[held[column].0]);
        }
        // The same values, as if nothing gave way.
        let Values { x, slopes: own, gave, .. } = &mut evaluator.values;
        gave.clear();
        own.fill(0.0);
        for (k, known) in self.unknowns.list.iter().enumerate() {
            own[k * n + k] = known.scale.slope(known.scale.scaled(x[k]));
        }
        let width: Vec<f64> = held.iter().map(|(u, _)| own[u * n + u]).collect();
        let by_scaled = self.slopes_here(evaluator);
        let right = DVector::from_iterator(count, held.iter().zip(&width).map(|((u, _), width)| -by_scaled[*u] / width));
        let Some(multipliers) = slopes.transpose().lu().solve(&right) else { return Vec::new() };
        let told =
            |(k, (u, to)): (usize, &(usize, Active))| (to.limit, *u, [multipliers[k], multipliers[k] * (slopes[(k, k)] * width[k]).abs()]);
        held.iter().enumerate().map(told).collect()
    }

    /// Unknowns that give way at a point.
    pub(crate) fn giving(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<usize> {
        if self.place(evaluator, z) { evaluator.values.gave.clone() } else { Vec::new() }
    }

    /// A point whose unknowns that give way to constraints have the values they give way to, so that a search can move them back.
    pub(crate) fn given_way(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<f64> {
        let mut point = z.to_vec();
        if self.place(evaluator, z) {
            for &u in &evaluator.values.gave {
                point[u] = self.unknowns.list[u].scale.scaled(evaluator.values.x[u]);
            }
        }
        point
    }
}
