//! A fit put to a system: residuals, objectives and constraints at a point of the scaled unknowns, with exact slopes.
//! Not here: searches (`search`), what was measured (`data`), where unknowns act (`unknowns`).
//! In: a system, a plan whose motion is known. Out: answers to what a solver asks.
//!
//! Motions are prescribed, so that they are found once; parameters change what acts along them. With the channels c(x) at the samples of a motion,
//!
//!     e = scale^(1/p) w g (c - m)/M,        J = sum |e|^p + extra                                               (1)
//!
//! and duals carry slopes by a few unknowns at once through all of it. Maxima have the slope of the sample at which they are, the first where there are several.
//! A constraint that an unknown u meets, c <= b with c linear in u, is met exactly: u gives way by (c - b)/(∂c/∂u) at the sample where that is most, and its slopes by the
//! others follow from c = b there.
//!
//! An evaluation forgets where searches for contacts ended before, so that an answer depends on its point alone, whoever evaluates and in whatever order.

use super::data::{Compared, compare, quantity};
use super::definition::{Extreme, Fit, Reduce, Trial};
use super::fault::FitFault;
use super::unknowns::Unknowns;
use crate::channels::Channels;
use crate::parameter_columns::{ParameterColumns, Worth};
use crate::plan_fault::PlanFault;
use crate::run::Along;
use crate::settings::parameter;
use borelli_dynamics::System;
use borelli_fit::{Answer, Bounds, Query, Scale, Wanted};
use borelli_math::function::Formula;
use borelli_math::{Dual, Real};
use borelli_model::{Findings, Span, suggest};

/// Unknowns that one pass has slopes by.
const N: usize = 6;
/// Rounds in which an unknown gives way to a constraint before it counts as not to be met.
const ROUNDS: usize = 20;
/// Part of its limit by which a column may be above one that a search is to hold.
const HELD: f64 = 1e-6;
/// Part of a column by which it may be above its limit: rounding.
const MET: f64 = 1e-13;

/// A trial along its motion.
struct Track {
    name: String,
    is_fitted: bool,
    /// Parameters of this trial, by slot.
    settings: Vec<(usize, f64)>,
    terms: Vec<Compared>,
    /// First row of each term among all residuals of fitted trials.
    first: Vec<usize>,
}

/// A constraint on a channel.
struct Bounded {
    channel: usize,
    at_most: f64,
    /// Unknown that gives way.
    met_by: Option<usize>,
    /// Samples that count.
    counts: Vec<bool>,
}

/// Which samples lie in a window.
fn inside(times: &[f64], window: (Option<f64>, Option<f64>)) -> Vec<bool> {
    let (from, to) = (window.0.unwrap_or(f64::NEG_INFINITY), window.1.unwrap_or(f64::INFINITY));
    times.iter().map(|t| (from..=to).contains(t)).collect()
}

/// Reports a window in which no sample lies.
fn nothing_counts(counts: &[bool], name: &str, at: Span, section: &str, findings: &mut Findings) {
    if !counts.contains(&true) {
        findings.push(at, format!("{section}.{name}"), "from", &FitFault::NoSample { trial: "every".into(), term: name.into() });
    }
}

/// An extreme of a channel.
struct Peak {
    channel: usize,
    extreme: Extreme,
    counts: Vec<bool>,
}

/// A fit that goes with a system.
pub(crate) struct Problem<'s> {
    system: &'s System,
    fit: &'s Fit,
    pub unknowns: Unknowns,
    along: Along,
    tracks: Vec<Track>,
    numbers: Vec<Peak>,
    extra: Option<Formula>,
    limits: Vec<Bounded>,
    rows: usize,
    objectives: usize,
    /// Channels that are looked at.
    asked: Vec<usize>,
    /// Samples that count for something.
    samples: Vec<usize>,
}

/// Memory of one evaluation; each thread has its own.
pub(crate) struct Evaluator<'s> {
    plain: ParameterColumns<'s, f64>,
    sloped: ParameterColumns<'s, Dual<N>>,
    values: Vec<f64>,
    duals: Vec<Dual<N>>,
}

/// What one pass over all samples finds.
struct Pass<S> {
    residuals: Vec<S>,
    numbers: Vec<S>,
    limits: Vec<S>,
    /// Largest |e| of each term that is a maximum, by fitted track and term.
    maxima: Vec<S>,
}

/// What a term shows at a sample of a trial.
pub(crate) struct Shown<'p> {
    pub trial: &'p str,
    pub is_fitted: bool,
    pub term: &'p str,
    pub time: f64,
    pub measured: f64,
    pub computed: f64,
    pub error: f64,
}

impl<'s> Problem<'s> {
    /// A problem along a motion; all faults are reported.
    pub(crate) fn new(system: &'s System, fit: &'s Fit, channels: &Channels, along: Along, findings: &mut Findings) -> Option<Problem<'s>> {
        let unknowns = Unknowns::new(system, fit, findings);
        let times = &along.times;
        let nothing = [Trial { name: "run".into(), tables: Vec::new(), is_fitted: true, settings: Vec::new(), at: None }];
        let trials = if fit.trials.is_empty() { &nothing[..] } else { &fit.trials };
        let (mut tracks, mut rows) = (Vec::new(), 0);
        for trial in trials {
            let mut settings = Vec::new();
            for setting in &trial.settings {
                settings.extend(parameter(system, setting, findings));
            }
            let terms: Vec<Compared> = fit.terms.iter().filter_map(|term| compare(fit, term, trial, channels, times, findings)).collect();
            let mut first = Vec::new();
            for term in &terms {
                first.push(rows);
                if trial.is_fitted && term.reduce != Reduce::Max {
                    rows += term.counts.iter().filter(|counts| **counts).count();
                }
            }
            tracks.push(Track { name: trial.name.clone(), is_fitted: trial.is_fitted, settings, terms, first });
        }
        if !tracks.iter().any(|track| track.is_fitted) {
            findings.push(None, "fit", "trial", &FitFault::NoTrial);
        }
        let channel = |name: &str| {
            channels.index(name).ok_or_else(|| {
                let nearest = suggest(name, channels.list().iter().map(|column| column.name.as_str())).map(str::to_string);
                FitFault::from(PlanFault::NoColumn { pattern: name.into(), nearest })
            })
        };
        let mut numbers = Vec::new();
        for number in &fit.numbers {
            match channel(&number.column) {
                Ok(channel) => {
                    let counts = inside(times, number.window);
                    nothing_counts(&counts, &number.name, number.at, "fit.number", findings);
                    numbers.push(Peak { channel, extreme: number.extreme, counts });
                }
                Err(fault) => findings.push(number.at, format!("fit.number.{}", number.name), "column", &fault),
            }
        }
        let extra = fit.extra.as_ref().and_then(|(text, at)| {
            let index = |name: &str| name.strip_prefix("number.").and_then(|own| fit.numbers.iter().position(|number| number.name == own));
            let dim = |k: usize| numbers.get(k).and_then(|number| channels.dim(number.channel));
            let names = crate::column_formula::Names { count: fit.numbers.len(), index: &index, dim: &dim };
            let known: Vec<String> = fit.numbers.iter().map(|number| format!("number.{}", number.name)).collect();
            match names.formula(text) {
                Ok((formula, _)) => Some(formula),
                Err(fault) => {
                    findings.push(*at, "fit", "extra", &crate::channels::explain(text, fault, known.iter().map(String::as_str)));
                    None
                }
            }
        });
        let mut limits = Vec::new();
        for limit in &fit.limits {
            let element = format!("fit.constraint.{}", limit.name);
            let found = channel(&limit.column).and_then(|channel| Ok((channel, quantity(&limit.at_most, channels.dim(channel))?)));
            match found {
                Ok((channel, at_most)) => {
                    let met_by = limit.met_by.as_ref().and_then(|name| fit.unknowns.iter().position(|unknown| unknown.name == *name));
                    let counts = inside(times, limit.window);
                    nothing_counts(&counts, &limit.name, limit.at, "fit.constraint", findings);
                    limits.push(Bounded { channel, at_most, met_by, counts });
                }
                Err(fault) => findings.push(limit.at, element, "column", &fault),
            }
        }
        let of_terms = tracks.iter().flat_map(|track| &track.terms);
        let mut asked: Vec<usize> = of_terms.flat_map(|term| [Some(term.channel), term.fade.map(|fade| fade.0)]).flatten().collect();
        asked.extend(numbers.iter().map(|number| number.channel));
        asked.extend(limits.iter().map(|limit| limit.channel));
        asked.sort_unstable();
        asked.dedup();
        let objectives = fit.terms.iter().map(|term| term.objective).max().unwrap_or(1);
        let of_terms = |sample: &usize| tracks.iter().flat_map(|track| &track.terms).any(|term| term.counts[*sample]);
        let of_others = |sample: &usize| {
            numbers.iter().any(|number| number.counts[*sample])
                || limits.iter().any(|limit| limit.met_by.is_none() && limit.counts[*sample])
        };
        let samples = (0..times.len()).filter(|sample| of_terms(sample) || of_others(sample)).collect();
        let problem = Problem { system, fit, unknowns, along, tracks, numbers, extra, limits, rows, objectives, asked, samples };
        let mut probe = ParameterColumns::<f64>::new(system, channels);
        for wanted in &problem.asked {
            if !probe.ask(*wanted) {
                let column = channels.list()[*wanted - 1].name.clone();
                findings.push(None, "fit", "term", &FitFault::NoSlope { column });
            }
        }
        if findings.has_errors() { None } else { Some(problem) }
    }

    /// Memory for evaluations.
    pub(crate) fn evaluator(&self, channels: &Channels) -> Evaluator<'s> {
        let (mut plain, mut sloped) = (ParameterColumns::new(self.system, channels), ParameterColumns::new(self.system, channels));
        for channel in &self.asked {
            // Whether they can be had was asked when the problem was made.
            let _ = (plain.ask(*channel), sloped.ask(*channel));
        }
        let parameters = self.system.parameters.len();
        Evaluator { plain, sloped, values: vec![0.0; parameters], duals: vec![Dual { re: 0.0, eps: [0.0; N] }; parameters] }
    }

    /// Parameters that are searched for, or set by a trial, and that loops and guides depend on: they change the motion.
    pub(crate) fn changing_motion(&self, channels: &Channels) -> Vec<usize> {
        let mut slots: Vec<usize> = self.unknowns.list.iter().flat_map(|known| &known.slots).map(|(slot, _)| *slot).collect();
        slots.extend(self.tracks.iter().flat_map(|track| &track.settings).map(|(slot, _)| *slot));
        slots.sort_unstable();
        slots.dedup();
        let mut columns = ParameterColumns::<Dual<N>>::new(self.system, channels);
        let is_row = |name: &str| (name.starts_with("guide.") || name.starts_with("loop.")) && name.contains(".drift");
        let rows: Vec<usize> = (1..=channels.list().len()).filter(|k| is_row(&channels.list()[k - 1].name)).collect();
        rows.iter().for_each(|row| {
            columns.ask(*row);
        });
        let last = self.along.times.len() - 1;
        let mut found = Vec::new();
        for chunk in slots.chunks(N) {
            let mut seeded: Vec<Dual<N>> = self.system.values().into_iter().map(|re| Dual { re, eps: [0.0; N] }).collect();
            chunk.iter().enumerate().for_each(|(k, slot)| seeded[*slot].eps[k] = 1.0);
            columns.set_parameters(&seeded);
            for sample in [0, last / 3, 2 * last / 3, last] {
                let Ok(values) = look(&self.along, &mut columns, sample) else { continue };
                let moves = |k: &usize| rows.iter().any(|row| values[*row].eps[*k] != 0.0);
                found.extend((0..chunk.len()).filter(moves).map(|k| chunk[k]));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Number of unknowns.
    pub(crate) fn len(&self) -> usize {
        self.unknowns.list.len()
    }

    /// Number of residuals.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of objectives.
    pub(crate) fn objectives(&self) -> usize {
        self.objectives
    }

    /// Bounds of scaled points.
    pub(crate) fn bounds(&self) -> Bounds {
        self.unknowns.bounds()
    }

    /// Whether constraints are left to the search.
    pub(crate) fn has_free_constraints(&self) -> bool {
        self.limits.iter().any(|limit| limit.met_by.is_none())
    }

    /// Answers a solver.
    pub(crate) fn answer(&self, evaluator: &mut Evaluator<'s>, query: &Query) -> Answer {
        let n = self.len();
        let Some((x, slopes)) = self.values(evaluator, &query.point) else {
            return self.no_answer(query.wanted);
        };
        let wants_slopes = matches!(query.wanted, Wanted::Jacobian | Wanted::Gradient);
        let mut answer = Answer::default();
        if !wants_slopes {
            let pass = self.pass_plain(evaluator, &x);
            answer.objectives = self.objective_values(&pass);
            answer.constraints = pass.limits.clone();
            answer.extra = self.extra_of(&pass.numbers);
            answer.residuals = pass.residuals;
            return answer;
        }
        answer.slopes.residuals = vec![0.0; self.rows * n];
        answer.slopes.extra = vec![0.0; n];
        answer.slopes.objective = vec![0.0; n];
        let free = self.limits.iter().filter(|limit| limit.met_by.is_none()).count();
        answer.slopes.constraints = vec![0.0; free * n];
        for first in (0..n).step_by(N) {
            let width = N.min(n - first);
            let pass = self.pass_sloped(evaluator, &x, &slopes, first, width);
            let extra = self.extra_of(&pass.numbers);
            let objective = self.first_objective(&pass) + extra;
            for k in 0..width {
                for (row, residual) in pass.residuals.iter().enumerate() {
                    answer.slopes.residuals[row * n + first + k] = residual.eps[k];
                }
                for (row, limit) in pass.limits.iter().enumerate() {
                    answer.slopes.constraints[row * n + first + k] = limit.eps[k];
                }
                answer.slopes.extra[first + k] = extra.eps[k];
                answer.slopes.objective[first + k] = objective.eps[k];
            }
            if first == 0 {
                answer.residuals = pass.residuals.iter().map(|residual| residual.re).collect();
                answer.constraints = pass.limits.iter().map(|limit| limit.re).collect();
                answer.extra = extra.re;
                answer.objectives = vec![objective.re];
            }
        }
        answer
    }

    /// What is answered where a point cannot be: no numbers.
    fn no_answer(&self, wanted: Wanted) -> Answer {
        let (n, free) = (self.len(), self.limits.iter().filter(|limit| limit.met_by.is_none()).count());
        let mut answer = Answer {
            objectives: vec![f64::NAN; self.objectives],
            residuals: vec![f64::NAN; self.rows],
            extra: f64::NAN,
            constraints: vec![f64::NAN; free],
            ..Answer::default()
        };
        if matches!(wanted, Wanted::Jacobian | Wanted::Gradient) {
            answer.slopes.residuals = vec![f64::NAN; self.rows * n];
            answer.slopes.extra = vec![f64::NAN; n];
            answer.slopes.objective = vec![f64::NAN; n];
            answer.slopes.constraints = vec![f64::NAN; free * n];
        }
        answer
    }

    /// Values of the unknowns at a scaled point, those that give way to constraints included, and their slopes by scaled unknowns, row after row; nothing where a
    /// constraint leaves no value between the bounds.
    pub(crate) fn values(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let n = self.len();
        let mut x = self.unknowns.values(z);
        let mut slopes = vec![0.0; n * n];
        for (k, known) in self.unknowns.list.iter().enumerate() {
            slopes[k * n + k] = known.scale.slope(z[k]);
        }
        for limit in &self.limits {
            let Some(u) = limit.met_by else { continue };
            // Each round meets the sample that is farthest above; others may ask for more, and a column that is not quite linear for another round.
            let mut rounds = 0;
            let mut active = None;
            while let Some((track, sample)) = self.worst(evaluator, &x, limit) {
                let (over, by) = self.column_slopes(evaluator, &x, track, sample, limit.channel)?;
                x[u] -= (over - limit.at_most) / by[u];
                active = Some((track, sample));
                rounds += 1;
                if rounds > ROUNDS || !x[u].is_finite() {
                    return None;
                }
            }
            if let Some((track, sample)) = active {
                let (_, by) = self.column_slopes(evaluator, &x, track, sample, limit.channel)?;
                for j in 0..n {
                    let rest: f64 = (0..n).filter(|k| *k != u).map(|k| by[k] * slopes[k * n + j]).sum();
                    slopes[u * n + j] = -rest / by[u];
                }
            }
            let (low, high) = match self.unknowns.list[u].scale {
                Scale::Linear { low, high } | Scale::Log { low, high } => (low, high),
                Scale::Free { .. } => (f64::NEG_INFINITY, f64::INFINITY),
            };
            if !(low..=high).contains(&x[u]) {
                return None;
            }
        }
        Some((x, slopes))
    }

    /// A column at a sample, and its slopes by all unknowns.
    fn column_slopes(
        &self,
        evaluator: &mut Evaluator<'s>,
        x: &[f64],
        track: usize,
        sample: usize,
        channel: usize,
    ) -> Option<(f64, Vec<f64>)> {
        let n = self.len();
        let seeds: Vec<f64> = (0..n * n).map(|k| f64::from(u8::from(k / n == k % n))).collect();
        let (mut value, mut by) = (f64::NAN, vec![0.0; n]);
        for first in (0..n).step_by(N) {
            let width = N.min(n - first);
            let column = self.at_sample(evaluator, x, &seeds, (first, width), track, sample, channel)?;
            value = column.re;
            by[first..first + width].copy_from_slice(&column.eps[..width]);
        }
        Some((value, by))
    }

    /// A point whose unknowns that give way to constraints have the values they give way to, so that a search can move them back.
    pub(crate) fn given_way(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<f64> {
        let mut point = z.to_vec();
        if let Some((x, _)) = self.values(evaluator, z) {
            for u in self.limits.iter().filter_map(|limit| limit.met_by) {
                if x[u] != self.unknowns.list[u].scale.value(z[u]) {
                    point[u] = self.unknowns.list[u].scale.scaled(x[u]);
                }
            }
        }
        point
    }

    /// The fitted trial and sample at which a column is farthest above its limit; nothing where it is not above by more than rounding.
    fn worst(&self, evaluator: &mut Evaluator<'s>, x: &[f64], limit: &Bounded) -> Option<(usize, usize)> {
        let mut worst: Option<(usize, usize, f64)> = None;
        for (k, track) in self.tracks.iter().enumerate().filter(|(_, track)| track.is_fitted) {
            self.unknowns.fill(&track.settings, x, &mut evaluator.values);
            evaluator.plain.set_parameters(&evaluator.values);
            evaluator.plain.forget();
            for sample in (0..self.along.times.len()).filter(|sample| limit.counts[*sample]) {
                let Ok(channels) = look(&self.along, &mut evaluator.plain, sample) else { continue };
                let over = channels[limit.channel] - limit.at_most;
                let rounding = MET * (limit.at_most.abs() + channels[limit.channel].abs());
                if over > worst.map_or(rounding, |(_, _, most)| most) {
                    worst = Some((k, sample, over));
                }
            }
        }
        worst.map(|(track, sample, _)| (track, sample))
    }

    /// A channel at one sample, with slopes.
    fn at_sample(
        &self,
        evaluator: &mut Evaluator<'s>,
        x: &[f64],
        slopes: &[f64],
        chunk: (usize, usize),
        track: usize,
        sample: usize,
        channel: usize,
    ) -> Option<Dual<N>> {
        self.seed(evaluator, &self.tracks[track], x, slopes, chunk);
        look(&self.along, &mut evaluator.sloped, sample).ok().map(|channels| channels[channel])
    }

    /// Parameters of a track with slopes by a few scaled unknowns.
    fn seed(&self, evaluator: &mut Evaluator<'s>, track: &Track, x: &[f64], slopes: &[f64], (first, width): (usize, usize)) {
        let n = self.len();
        self.unknowns.fill(&track.settings, x, &mut evaluator.values);
        let seeds: Vec<[f64; N]> = (0..n)
            .map(|k| {
                let mut own = [0.0; N];
                own[..width].copy_from_slice(&slopes[k * n + first..k * n + first + width]);
                own
            })
            .collect();
        self.unknowns.fill_sloped(&evaluator.values, &seeds, &mut evaluator.duals);
        evaluator.sloped.set_parameters(&evaluator.duals);
        evaluator.sloped.forget();
    }

    fn pass_plain(&self, evaluator: &mut Evaluator<'s>, x: &[f64]) -> Pass<f64> {
        let mut pass = self.begin();
        for track in self.tracks.iter().filter(|track| track.is_fitted) {
            self.unknowns.fill(&track.settings, x, &mut evaluator.values);
            evaluator.plain.set_parameters(&evaluator.values);
            evaluator.plain.forget();
            self.go(track, &mut evaluator.plain, &mut pass);
        }
        pass
    }

    fn pass_sloped(&self, evaluator: &mut Evaluator<'s>, x: &[f64], slopes: &[f64], first: usize, width: usize) -> Pass<Dual<N>> {
        let mut pass = self.begin();
        for track in self.tracks.iter().filter(|track| track.is_fitted) {
            self.seed(evaluator, track, x, slopes, (first, width));
            self.go(track, &mut evaluator.sloped, &mut pass);
        }
        pass
    }

    fn begin<S: Real>(&self) -> Pass<S> {
        let none = |extreme: Extreme| S::from_f64(if extreme == Extreme::Max { f64::NEG_INFINITY } else { f64::INFINITY });
        let free = self.limits.iter().filter(|limit| limit.met_by.is_none()).count();
        Pass {
            residuals: Vec::with_capacity(self.rows),
            numbers: self.numbers.iter().map(|number| none(number.extreme)).collect(),
            limits: vec![none(Extreme::Max); free],
            maxima: Vec::new(),
        }
    }

    /// Follows a track.
    fn go<S: Worth>(&self, track: &Track, columns: &mut ParameterColumns<'s, S>, pass: &mut Pass<S>) {
        let nan = S::from_f64(f64::NAN);
        let first = pass.residuals.len();
        let own = track.terms.iter().filter(|term| term.reduce != Reduce::Max);
        let rows: usize = own.map(|term| term.counts.iter().filter(|counts| **counts).count()).sum();
        pass.residuals.resize(first + rows, nan);
        let mut next: Vec<usize> = track.first.clone();
        let mut maxima = vec![S::ZERO; track.terms.len()];
        for sample in self.samples.iter().copied() {
            let Ok(channels) = look(&self.along, columns, sample) else {
                // Without contacts that could be found there is no number.
                pass.residuals[first..].fill(nan);
                pass.numbers.fill(nan);
                maxima.fill(nan);
                break;
            };
            for (k, term) in track.terms.iter().enumerate().filter(|(_, term)| term.counts[sample]) {
                let e = error(term, channels, sample);
                if term.reduce == Reduce::Max {
                    let size = e.chain(e.value().abs(), e.value().signum());
                    // What is no number stays so.
                    if !maxima[k].value().is_nan() && !(size.value() <= maxima[k].value()) {
                        maxima[k] = size;
                    }
                } else {
                    pass.residuals[next[k]] = e;
                    next[k] += 1;
                }
            }
            for (number, peak) in pass.numbers.iter_mut().zip(&self.numbers).filter(|(_, peak)| peak.counts[sample]) {
                let own = channels[peak.channel];
                let better = if peak.extreme == Extreme::Max { own.value() > number.value() } else { own.value() < number.value() };
                if (better || own.value().is_nan()) && !number.value().is_nan() {
                    *number = own;
                }
            }
            let free = self.limits.iter().filter(|limit| limit.met_by.is_none());
            for (most, limit) in pass.limits.iter_mut().zip(free) {
                let over = channels[limit.channel] - limit.at_most;
                if limit.counts[sample] && over.value() > most.value() {
                    *most = over;
                }
            }
        }
        pass.maxima.extend(maxima);
    }

    fn extra_of<S: Worth>(&self, numbers: &[S]) -> S {
        self.extra.as_ref().map_or(S::ZERO, |formula| S::of(formula, numbers))
    }

    /// The sum of the terms of the first objective.
    fn first_objective<S: Real>(&self, pass: &Pass<S>) -> S {
        self.sums(pass, 1)[0]
    }

    /// Sums of terms by objective.
    fn sums<S: Real>(&self, pass: &Pass<S>, objectives: usize) -> Vec<S> {
        let power = self.fit.power;
        let mut sums = vec![S::ZERO; objectives];
        let mut maxima = pass.maxima.iter();
        for track in self.tracks.iter().filter(|track| track.is_fitted) {
            for (term, first) in track.terms.iter().zip(&track.first) {
                let most = maxima.next().copied().unwrap_or(S::ZERO);
                let Some(sum) = sums.get_mut(term.objective) else { continue };
                if term.reduce == Reduce::Max {
                    *sum += most;
                    continue;
                }
                let count = term.counts.iter().filter(|counts| **counts).count();
                for e in &pass.residuals[*first..first + count] {
                    let size = e.value().abs();
                    let slope = if size == 0.0 { 0.0 } else { power * size.powf(power - 1.0) * e.value().signum() };
                    *sum += e.chain(size.powf(power), slope);
                }
            }
        }
        sums
    }

    /// Objectives; what is extra belongs to the first.
    fn objective_values(&self, pass: &Pass<f64>) -> Vec<f64> {
        let mut sums = self.sums(pass, self.objectives);
        sums[0] += self.extra_of(&pass.numbers);
        sums
    }

    /// Value of each term at a point, of fitted trials, and what is extra.
    pub(crate) fn terms_at(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Option<(Vec<f64>, f64)> {
        let (x, _) = self.values(evaluator, z)?;
        let pass = self.pass_plain(evaluator, &x);
        let power = self.fit.power;
        let mut sums = vec![0.0; self.fit.terms.len()];
        let mut maxima = pass.maxima.iter();
        for track in self.tracks.iter().filter(|track| track.is_fitted) {
            for (k, (term, first)) in track.terms.iter().zip(&track.first).enumerate() {
                let most = maxima.next().copied().unwrap_or(0.0);
                let count = term.counts.iter().filter(|counts| **counts).count();
                let own = pass.residuals.get(*first..first + count).unwrap_or_default();
                sums[k] += if term.reduce == Reduce::Max { most } else { own.iter().map(|e| e.abs().powf(power)).sum() };
            }
        }
        Some((sums, self.extra_of(&pass.numbers)))
    }

    /// Why the objective is no number at a point; nothing where it is one.
    pub(crate) fn trouble(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Option<FitFault> {
        let Some((x, _)) = self.values(evaluator, z) else {
            let own = self.fit.limits.iter().filter_map(|limit| Some((limit.name.clone(), limit.met_by.clone()?)));
            let (names, unknowns): (Vec<String>, Vec<String>) = own.unzip();
            return Some(FitFault::NotMet { constraint: names.join("`, `"), unknown: unknowns.join("`, `") });
        };
        let pass = self.pass_plain(evaluator, &x);
        for track in self.tracks.iter().filter(|track| track.is_fitted) {
            for (k, (term, first)) in track.terms.iter().zip(&track.first).enumerate().filter(|(_, (term, _))| term.reduce != Reduce::Max) {
                let samples = (0..self.along.times.len()).filter(|sample| term.counts[*sample]);
                let bad = samples.enumerate().find(|(row, _)| !pass.residuals[first + row].is_finite());
                if let Some((_, sample)) = bad {
                    return Some(FitFault::NotANumber { term: self.fit.terms[k].name.clone(), time: Some(self.along.times[sample]) });
                }
            }
        }
        let total: f64 = self.objective_values(&pass).iter().sum();
        (!total.is_finite()).then(|| FitFault::NotANumber { term: "`extra` or a maximum".into(), time: None })
    }

    /// How far constraints that no unknown meets are exceeded at a point, by name; those that hold are left out.
    pub(crate) fn exceeded(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<(String, f64)> {
        let Some((x, _)) = self.values(evaluator, z) else { return Vec::new() };
        let over = self.pass_plain(evaluator, &x).limits;
        let free = self.fit.limits.iter().zip(&self.limits).filter(|(_, limit)| limit.met_by.is_none());
        let told = |((limit, own), over): ((&super::Limit, &Bounded), f64)| {
            (!(over <= HELD * own.at_most.abs().max(f64::MIN_POSITIVE))).then(|| (limit.name.clone(), over))
        };
        free.zip(over).filter_map(told).collect()
    }

    /// Rows of each term among the residuals, term by term of each fitted trial.
    pub(crate) fn term_rows(&self) -> Vec<std::ops::Range<usize>> {
        let fitted = self.tracks.iter().filter(|track| track.is_fitted);
        let of_track = |track: &'_ Track| -> Vec<std::ops::Range<usize>> {
            let own = track.terms.iter().zip(&track.first).filter(|(term, _)| term.reduce != Reduce::Max);
            own.map(|(term, first)| *first..first + term.counts.iter().filter(|counts| **counts).count()).collect()
        };
        fitted.flat_map(of_track).collect()
    }

    /// Parameters of the first fitted trial where unknowns have these values.
    pub(crate) fn parameters(&self, x: &[f64]) -> Vec<f64> {
        let mut values = self.system.values();
        let settings = self.tracks.iter().find(|track| track.is_fitted).map_or(&[][..], |track| &track.settings);
        self.unknowns.fill(settings, x, &mut values);
        values
    }

    /// All terms of all trials at every sample that counts, at a point.
    pub(crate) fn shown(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<Shown<'_>> {
        let mut list = Vec::new();
        let Some((x, _)) = self.values(evaluator, z) else { return list };
        for track in &self.tracks {
            self.unknowns.fill(&track.settings, &x, &mut evaluator.values);
            evaluator.plain.set_parameters(&evaluator.values);
            evaluator.plain.forget();
            for (sample, time) in self.along.times.iter().enumerate() {
                let Ok(channels) = look(&self.along, &mut evaluator.plain, sample) else { continue };
                for (term, own) in self.fit.terms.iter().zip(&track.terms).filter(|(_, own)| own.counts[sample]) {
                    let (measured, computed) = (own.measured[sample], channels[own.channel]);
                    list.push(Shown {
                        trial: &track.name,
                        is_fitted: track.is_fitted,
                        term: &term.name,
                        time: *time,
                        measured,
                        computed,
                        error: error(own, channels, sample),
                    });
                }
            }
        }
        list.sort_by(|a, b| (a.trial, a.term).cmp(&(b.trial, b.term)).then(a.time.total_cmp(&b.time)));
        list
    }
}

/// Equation (1) for one sample.
fn error<S: Real>(term: &Compared, channels: &[S], sample: usize) -> S {
    let difference = (channels[term.channel] - term.measured[sample]) * term.factor;
    match term.fade {
        None => difference,
        Some((by, low, high)) => {
            let u = (channels[by] - low) * (1.0 / (high - low));
            // A gate that is shut lets nothing through, whatever is behind it.
            match u.value() {
                u if u <= 0.0 => S::ZERO,
                u if u >= 1.0 => difference,
                _ => difference * (u * u * (S::from_f64(3.0) - u * 2.0)),
            }
        }
    }
}

/// Channels at a sample of a motion.
fn look<'c, S: Worth>(along: &Along, columns: &'c mut ParameterColumns<S>, sample: usize) -> Result<&'c [S], ()> {
    columns.look_along(along, sample).map_err(|_| ())
}
