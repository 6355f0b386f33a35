//! Formulas over the channels of a course, at many samples at once, with slopes by the few cells that they rest on.
//! Not here: cells (`look`), reading formulas (`borelli_math::function`).
//! In: values of cells. Out: values of channels; which slopes of cells matter; slopes of channels by the unknowns.
//!
//! With c = f(a, b, ..), and a a formula over cells k itself:
//!
//!     ∂c/∂k = ∂f/∂a ∂a/∂k + ∂f/∂b ∂b/∂k + ..          ∂c/∂x = sum over k of ∂c/∂k ∂k/∂x            (1)
//!
//! The first sum does not know the unknowns. It says which cells matter at a sample, and slopes by the unknowns are found of those alone. What takes no
//! part, since a factor is zero, does not matter, even where it has no slope itself.

use super::course::{Course, Origin};
use super::sights::{Derived, Seen, Sights};
use borelli_math::function::Formula;
use std::ops::Range;

/// A formula over channels.
pub(super) struct Made {
    pub formula: Formula,
    /// Unknowns that it depends on, increasing.
    pub unknowns: Vec<usize>,
    /// Groups that its cells belong to, increasing.
    pub groups: Vec<usize>,
    /// Cells that change with unknowns, by group and cell.
    leaves: Vec<(usize, usize)>,
    /// Where the slopes by its leaves stand among those of all formulas.
    first: usize,
    /// How each of its variables changes with the leaves.
    ways: Vec<Chain>,
}

/// How a variable of a formula changes with the leaves of the formula.
enum Chain {
    Not,
    /// It is one of them.
    Leaf(usize),
    /// It is a formula itself, and these are its leaves among them.
    Made(usize, Vec<usize>),
}

impl Made {
    /// A formula whose variables are found already, by all formulas `before` it.
    pub fn new(formula: Formula, before: &[Made], origin: &[Origin], unknowns_of: &dyn Fn(usize) -> Vec<usize>) -> Made {
        let variables = || formula.variables().iter().copied();
        let (mut leaves, mut groups) = (Vec::new(), Vec::new());
        for variable in variables() {
            match origin[variable] {
                Origin::Found { group, cell } => {
                    groups.push(group);
                    leaves.extend((!unknowns_of(variable).is_empty()).then_some((group, cell)));
                }
                Origin::Made(made) => {
                    groups.extend(&before[made].groups);
                    leaves.extend(&before[made].leaves);
                }
                Origin::Nowhere => {}
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        groups.sort_unstable();
        groups.dedup();
        let place = |leaf: &(usize, usize)| leaves.binary_search(leaf).ok();
        let way = |variable: usize| match origin[variable] {
            Origin::Found { group, cell } => place(&(group, cell)).map_or(Chain::Not, Chain::Leaf),
            Origin::Made(made) => Chain::Made(made, before[made].leaves.iter().filter_map(place).collect()),
            Origin::Nowhere => Chain::Not,
        };
        let ways = variables().map(way).collect();
        let unknowns = super::parts::union(variables().map(unknowns_of));
        Made { unknowns, groups, first: before.last().map_or(0, |made| made.first + made.leaves.len()), ways, leaves, formula }
    }

    /// Leaves of it and of all formulas before it.
    pub fn partials(&self) -> usize {
        self.first + self.leaves.len()
    }
}

/// Adds the product of two columns where neither factor is zero.
fn add_products(out: &mut [f64], a: &[f64], b: &[f64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out += if *a != 0.0 && *b != 0.0 { a * b } else { 0.0 };
    }
}

impl<'s> Course<'s> {
    /// Finds formulas over some groups at a range of samples; with slopes by cells for `want` and `add_slopes`.
    pub(super) fn derive(&self, sights: &mut Sights<'s>, groups: &[usize], range: Range<usize>, sloped: bool) {
        let Sights { track, trials, lanes, .. } = sights;
        let (kept, samples) = (&self.tracks[*track], self.times(*track).len());
        let Seen { found, made: all, partials, derived, stamp, .. } = &mut trials[*track];
        for (k, made) in self.made.iter().enumerate() {
            let known = &derived[k];
            let is_known = known.stamp == *stamp && known.from <= range.start && range.end <= known.to && (known.sloped || !sloped);
            if is_known || !made.groups.iter().all(|group| groups.contains(group) || self.groups[*group].is_still()) {
                continue;
            }
            let (before, own) = all.split_at_mut(k * samples);
            let own = &mut own[range.clone()];
            let column = |channel: usize| -> &[f64] {
                let (list, first) = match self.origin[channel] {
                    Origin::Found { group, cell } if self.groups[group].is_still() => (&kept.still[..], cell),
                    Origin::Found { group, cell } => (&found[group].values[..], cell),
                    Origin::Made(made) => (&*before, made),
                    Origin::Nowhere => (&kept.along.times[..], 0),
                };
                &list[first * samples..][range.clone()]
            };
            if sloped && !made.leaves.is_empty() {
                let (earlier, mine) = partials.split_at_mut(made.first * samples);
                let cells = |place: usize, from: usize| place * samples + range.start + from;
                for leaf in 0..made.leaves.len() {
                    mine[cells(leaf, 0)..][..range.len()].fill(0.0);
                }
                let varies = |channel: usize| !self.unknowns_of(channel).is_empty();
                made.formula.gradient_many(column, varies, lanes, own, |place, from, slopes| match &made.ways[place] {
                    Chain::Not => {}
                    Chain::Leaf(leaf) => {
                        mine[cells(*leaf, from)..].iter_mut().zip(slopes).for_each(|(out, slope)| *out += slope);
                    }
                    Chain::Made(other, leaves) => {
                        for (nested, leaf) in leaves.iter().enumerate() {
                            add_products(
                                &mut mine[cells(*leaf, from)..],
                                slopes,
                                &earlier[cells(self.made[*other].first + nested, from)..],
                            );
                        }
                    }
                });
            } else {
                made.formula.eval_many(column, lanes, own);
            }
            derived[k] = Derived { stamp: *stamp, from: range.start, to: range.end, sloped };
        }
    }

    /// A channel at a sample that was looked at.
    #[inline]
    pub(crate) fn value(&self, sights: &Sights<'s>, channel: usize, sample: usize) -> f64 {
        let (kept, seen) = (&self.tracks[sights.track], &sights.trials[sights.track]);
        let samples = kept.along.times.len();
        match self.origin[channel] {
            Origin::Found { group, cell } if self.groups[group].is_still() => kept.still[cell * samples + sample],
            Origin::Found { group, cell } => seen.found[group].values[cell * samples + sample],
            Origin::Made(made) => seen.made[made * samples + sample],
            Origin::Nowhere => kept.along.times[sample],
        }
    }

    /// Cells that a channel changes with at a sample that was looked at for slopes, each with the slope by it.
    #[inline]
    fn each_leaf(&self, partials: &[f64], channel: usize, (sample, samples): (usize, usize), mut take: impl FnMut(usize, usize, f64)) {
        match self.origin[channel] {
            Origin::Found { group, cell } => take(group, cell, 1.0),
            Origin::Made(made) => {
                let made = &self.made[made];
                for (leaf, (group, cell)) in made.leaves.iter().enumerate() {
                    let slope = partials[(made.first + leaf) * samples + sample];
                    if slope != 0.0 {
                        take(*group, *cell, slope);
                    }
                }
            }
            Origin::Nowhere => {}
        }
    }

    /// Asks for the slopes of a channel at a sample that was looked at for slopes; `look_slopes` finds them.
    pub(crate) fn want(&self, sights: &mut Sights<'s>, channel: usize, sample: usize) {
        let samples = self.times(sights.track).len();
        let Seen { found, partials, stamp, .. } = &mut sights.trials[sights.track];
        self.each_leaf(partials, channel, (sample, samples), |group, cell, _| {
            let (own, found) = (&self.groups[group], &mut found[group]);
            // Where the surfaces of a pair are apart most of its columns are zero and stay so.
            if !own.unknowns.is_empty() && (found.acts[sample] || own.is_seen_apart(cell)) {
                found.wanted[sample] = *stamp;
            }
        });
    }

    /// Adds `factor` times the slopes of a channel at a sample at which they were wanted.
    pub(crate) fn add_slopes(&self, sights: &Sights<'s>, channel: usize, sample: usize, factor: f64, out: &mut [f64]) {
        let samples = self.times(sights.track).len();
        let seen = &sights.trials[sights.track];
        self.each_leaf(&seen.partials, channel, (sample, samples), |group, cell, slope| {
            let (own, found) = (&self.groups[group], &seen.found[group]);
            let count = own.unknowns.len();
            if count == 0 || found.sloped[sample] != seen.stamp {
                return;
            }
            let slopes = &found.slopes[(sample * own.channels.len() + cell) * count..][..count];
            let factor = factor * slope;
            match own.run {
                Some(first) => out[first..][..count].iter_mut().zip(slopes).for_each(|(out, slope)| *out += factor * slope),
                None => own.unknowns.iter().zip(slopes).for_each(|(unknown, slope)| out[*unknown] += factor * slope),
            }
        });
    }
}
