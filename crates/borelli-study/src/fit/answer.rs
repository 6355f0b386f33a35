//! Answers to a solver: residuals, objectives and constraints at a point of the scaled unknowns, with exact slopes.
//! Not here: searches (`search`), where columns come from (`course`), constraints that an unknown meets (`giving_way`).
//! In: a problem, a point. Out: an answer, written over an older one; nothing is allocated after the first.
//!
//! Slopes are those of equation (1) of `problem` by the unknowns x, then by the scaled ones z through ∂x/∂z. Maxima have the slope of the sample at
//! which they are, the first where there are several. An evaluation forgets where searches for contacts ended before, so that an answer depends on
//! its point alone, whoever evaluates and in whatever order.

use super::data::Compared;
use super::definition::{Extreme, Reduce};
use super::fault::FitFault;
use super::giving_way::Values;
use super::maps::{MapSights, Pressed, Seen};
use super::problem::{Bounded, Problem, Track};
use super::source::Sights;
use crate::channels::Channels;
use borelli_fit::solver::Slopes;
use borelli_fit::{Answer, Query, Wanted};
use borelli_math::function::Gradient;

/// Part of its limit by which a column may be above one that a search is to hold.
const HELD: f64 = 1e-6;

/// Memory of one evaluation; each thread has its own.
pub(crate) struct Evaluator<'s> {
    pub(super) sights: Sights<'s>,
    pub(super) values: Values,
    maps: MapSights,
    /// Extremes of the run, those of free constraints, then the largest |e| of every term of every fitted trial.
    numbers: Extremes,
    limits: Extremes,
    maxima: Extremes,
    /// Next row of each term.
    next: Vec<usize>,
    /// Sums of |e| of terms that count together, at one sample.
    at_once: Vec<Option<f64>>,
    by: Vec<f64>,
    gradient: Gradient,
}

/// Extremes over samples, with their slopes.
#[derive(Default)]
struct Extremes {
    values: Vec<f64>,
    /// Sample of the trial at hand, where it set the extreme.
    samples: Vec<Option<usize>>,
    slopes: Vec<f64>,
}

impl Extremes {
    fn begin(&mut self, starts: impl Iterator<Item = f64>, n: usize) {
        self.values.clear();
        self.values.extend(starts);
        self.samples.clear();
        self.samples.resize(self.values.len(), None);
        self.slopes.clear();
        self.slopes.resize(self.values.len() * n, 0.0);
    }

    /// Takes a value that is larger (or less, with `sign` -1); what is no number stays so.
    fn offer(&mut self, k: usize, value: f64, sign: f64, sample: usize) {
        let own = &mut self.values[k];
        if !own.is_nan() && !(sign * value <= sign * *own) {
            *own = value;
            self.samples[k] = Some(sample);
        }
    }
}

/// What slopes are added to.
#[derive(Clone, Copy)]
enum Sum {
    /// A residual, by its row.
    Residual(usize),
    Number(usize),
    Limit(usize),
    /// The largest |e| of a term.
    Maximum(usize),
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

/// |e|^p.
fn power(e: f64, p: f64) -> f64 {
    match p {
        1.0 => e.abs(),
        2.0 => e * e,
        _ => e.abs().powf(p),
    }
}

/// Equation (1) for one sample, and its slopes by the column and by what opens the gate.
#[inline]
fn error(term: &Compared, value: impl Fn(usize) -> f64, sample: usize) -> (f64, f64, f64) {
    let difference = (value(term.channel) - term.measured[sample]) * term.factor;
    let Some((by, low, high)) = term.fade else { return (difference, term.factor, 0.0) };
    let width = 1.0 / (high - low);
    let u = (value(by) - low) * width;
    // A gate that is shut lets nothing through, whatever is behind it.
    if u <= 0.0 {
        (0.0, 0.0, 0.0)
    } else if u >= 1.0 {
        (difference, term.factor, 0.0)
    } else {
        let gate = u * u * (3.0 - 2.0 * u);
        (difference * gate, term.factor * gate, difference * 6.0 * u * (1.0 - u) * width)
    }
}

impl<'s> Problem<'s> {
    /// Memory for evaluations.
    pub(crate) fn evaluator(&self, channels: &Channels) -> Evaluator<'s> {
        Evaluator {
            sights: self.course.sights(channels),
            values: Values::new(self.len()),
            maps: MapSights::new(self.system),
            numbers: Extremes::default(),
            limits: Extremes::default(),
            maxima: Extremes::default(),
            next: Vec::new(),
            at_once: Vec::new(),
            by: vec![0.0; self.numbers.len()],
            gradient: Gradient::default(),
        }
    }

    fn fitted(&self) -> impl Iterator<Item = (usize, &Track)> {
        self.tracks.iter().enumerate().filter(|(_, track)| track.is_fitted)
    }

    fn free_limits(&self) -> impl Iterator<Item = &Bounded> {
        self.limits.iter().filter(|limit| limit.met_by.is_none())
    }

    /// Answers a solver.
    pub(crate) fn answer(&self, evaluator: &mut Evaluator<'s>, query: &Query, answer: &mut Answer) {
        let sloped = matches!(query.wanted, Wanted::Jacobian | Wanted::Gradient);
        // What is not wanted stays empty.
        answer.objectives.clear();
        answer.slopes.objective.clear();
        answer.slopes.constraints.clear();
        if !self.place(evaluator, &query.point) {
            return self.no_answer(sloped, answer);
        }
        self.pass(evaluator, sloped, answer);
        if matches!(query.wanted, Wanted::Objectives | Wanted::Gradient) {
            self.sums(evaluator, answer);
        }
        if query.wanted == Wanted::Gradient {
            self.objective_slopes(evaluator, answer);
        }
    }

    /// Slopes of the first objective by the scaled unknowns at the values that they have.
    pub(super) fn slopes_here(&self, evaluator: &mut Evaluator<'s>) -> Vec<f64> {
        let mut answer = Answer::default();
        self.pass(evaluator, true, &mut answer);
        self.objective_slopes(evaluator, &mut answer);
        answer.slopes.objective
    }

    /// What is answered where a point cannot be: no numbers.
    fn no_answer(&self, sloped: bool, answer: &mut Answer) {
        let (n, free) = (self.len(), self.free_limits().count());
        let fill = |list: &mut Vec<f64>, count: usize| {
            list.clear();
            list.resize(count, f64::NAN);
        };
        fill(&mut answer.objectives, self.objectives);
        fill(&mut answer.residuals, self.rows);
        fill(&mut answer.constraints, free);
        answer.extra = f64::NAN;
        let each = usize::from(sloped) * n;
        fill(&mut answer.slopes.residuals, self.rows * each);
        fill(&mut answer.slopes.extra, each);
        fill(&mut answer.slopes.objective, each);
        fill(&mut answer.slopes.constraints, free * each);
    }

    /// Residuals, what is extra, and constraints at the values that the unknowns have.
    fn pass(&self, evaluator: &mut Evaluator<'s>, sloped: bool, answer: &mut Answer) {
        let n = self.len();
        let none = |extreme: Extreme| if extreme == Extreme::Max { f64::NEG_INFINITY } else { f64::INFINITY };
        evaluator.numbers.begin(self.numbers.iter().map(|number| none(number.extreme)), n);
        evaluator.limits.begin(self.free_limits().map(|_| none(Extreme::Max)), n);
        evaluator.maxima.begin(self.fitted().flat_map(|(_, track)| &track.terms).map(|_| 0.0), n);
        answer.residuals.resize(self.rows, f64::NAN);
        answer.slopes.residuals.resize(if sloped { self.rows * n } else { 0 }, 0.0);
        let mut first = 0;
        for (k, track) in self.fitted() {
            self.follow(evaluator, k, track, first, sloped, answer);
            first += track.terms.len();
        }
        self.draw(&evaluator.values.x, sloped, answer);
        answer.constraints.clone_from(&evaluator.limits.values);
        answer.extra = self.extra(evaluator, sloped, &mut answer.slopes.extra);
        if sloped {
            let to_scaled = |list: &mut [f64], values: &mut Values| list.chunks_exact_mut(n.max(1)).for_each(|row| values.scale(row));
            to_scaled(&mut answer.slopes.residuals, &mut evaluator.values);
            to_scaled(&mut answer.slopes.extra, &mut evaluator.values);
            answer.slopes.constraints.clone_from(&evaluator.limits.slopes);
            to_scaled(&mut answer.slopes.constraints, &mut evaluator.values);
            to_scaled(&mut evaluator.maxima.slopes, &mut evaluator.values);
        }
    }

    /// Follows a trial; `first` is its first term among all.
    fn follow(&self, evaluator: &mut Evaluator<'s>, k: usize, track: &Track, first: usize, sloped: bool, answer: &mut Answer) {
        let (course, n) = (&self.course, self.len());
        let Evaluator { sights, values, maps, numbers, limits, maxima, next, at_once, .. } = evaluator;
        course.set(sights, &self.unknowns, k, &values.x);
        course.look(sights, &self.groups, &track.samples, sloped);
        next.clone_from(&track.first);
        for own in [&mut *numbers, &mut *limits, &mut *maxima] {
            own.samples.fill(None);
        }
        for &sample in &track.samples {
            at_once.clear();
            at_once.resize(track.terms.len(), None);
            for (j, term) in track.terms.iter().enumerate().filter(|(_, term)| term.counts[sample] && term.map.is_none()) {
                let (e, ..) = error(term, |channel| course.value(sights, channel, sample), sample);
                if term.reduce == Reduce::Max {
                    *at_once[term.leader].get_or_insert(0.0) += e.abs();
                }
                if term.has_rows {
                    answer.residuals[next[j]] = e;
                    next[j] += 1;
                }
            }
            for (j, sum) in at_once.iter().enumerate() {
                sum.iter().for_each(|sum| maxima.offer(first + j, *sum, 1.0, sample));
            }
            for (j, peak) in self.numbers.iter().enumerate().filter(|(_, peak)| peak.counts[k][sample]) {
                let sign = if peak.extreme == Extreme::Max { 1.0 } else { -1.0 };
                numbers.offer(j, course.value(sights, peak.channel, sample), sign, sample);
            }
            for (j, limit) in self.free_limits().enumerate().filter(|(_, limit)| limit.counts[k][sample]) {
                limits.offer(j, course.value(sights, limit.channel, sample) - limit.at_most, 1.0, sample);
            }
        }
        if let Some((course, seen)) = course.along_motion(sights) {
            for (term, first) in track.terms.iter().zip(&track.first) {
                let Some(pressed) = &term.map else { continue };
                let rows = *first..first + term.number;
                let slopes = sloped.then(|| &mut answer.slopes.residuals[rows.start * n..rows.end * n]);
                let of = (self.system, &self.unknowns, &self.maps);
                course.press(of, (seen, maps), pressed, term.factor, &mut answer.residuals[rows], slopes);
            }
        }
        if sloped {
            self.follow_slopes(evaluator, track, first, answer);
        }
    }

    /// Slopes along a trial whose values are known: first it is asked which slopes of channels matter, then they are found, then they are added up.
    fn follow_slopes(&self, evaluator: &mut Evaluator<'s>, track: &Track, first: usize, answer: &mut Answer) {
        let (course, n) = (&self.course, self.len());
        let Evaluator { sights, numbers, limits, maxima, .. } = evaluator;
        let samples = [&numbers.samples[..], &limits.samples[..], &maxima.samples[..]];
        self.each_slope(sights, samples, track, first, |sights, _, channel, sample, _| course.want(sights, channel, sample));
        course.look_slopes(sights, &self.unknowns);
        let rows = &mut answer.slopes.residuals;
        for (term, first) in track.terms.iter().zip(&track.first).filter(|(term, _)| term.has_rows && term.map.is_none()) {
            rows[first * n..(first + term.number) * n].fill(0.0);
        }
        let mut slopes = [&mut numbers.slopes, &mut limits.slopes, &mut maxima.slopes];
        for (own, samples) in slopes.iter_mut().zip(samples) {
            for (j, _) in samples.iter().enumerate().filter(|(_, sample)| sample.is_some()) {
                own[j * n..][..n].fill(0.0);
            }
        }
        let [numbers, limits, maxima] = slopes;
        self.each_slope(sights, samples, track, first, |sights, sum, channel, sample, slope| {
            let (list, row) = match sum {
                Sum::Residual(row) => (&mut *rows, row),
                Sum::Number(j) => (&mut *numbers, j),
                Sum::Limit(j) => (&mut *limits, j),
                Sum::Maximum(j) => (&mut *maxima, j),
            };
            course.add_slopes(sights, channel, sample, slope, &mut list[row * n..][..n]);
        });
    }

    /// Every channel with whose slopes residuals and extremes of a trial change, the sample, and the slope by the channel. `samples`: where extremes of
    /// numbers, of free constraints and of terms are, if they are in this trial.
    fn each_slope(
        &self,
        sights: &mut Sights<'s>,
        samples: [&[Option<usize>]; 3],
        track: &Track,
        first: usize,
        mut take: impl FnMut(&mut Sights<'s>, Sum, usize, usize, f64),
    ) {
        let mut of_term = |sights: &mut Sights<'s>, term: &Compared, sum: Sum, sample: usize| {
            let (e, by_column, by_gate) = error(term, |channel| self.course.value(sights, channel, sample), sample);
            let sign = if matches!(sum, Sum::Maximum(_)) { e.signum() } else { 1.0 };
            if by_column != 0.0 {
                take(sights, sum, term.channel, sample, sign * by_column);
            }
            if let (Some((by, ..)), true) = (term.fade, by_gate != 0.0) {
                take(sights, sum, by, sample, sign * by_gate);
            }
        };
        let [numbers, limits, maxima] = samples;
        for (j, term) in track.terms.iter().enumerate() {
            if term.has_rows && term.map.is_none() {
                let counted = track.samples.iter().filter(|sample| term.counts[**sample]);
                for (row, sample) in (track.first[j]..).zip(counted) {
                    of_term(sights, term, Sum::Residual(row), *sample);
                }
            }
            if let Some(sample) = maxima[first + term.leader].filter(|sample| term.reduce == Reduce::Max && term.counts[*sample]) {
                of_term(sights, term, Sum::Maximum(first + term.leader), sample);
            }
        }
        for (j, peak) in self.numbers.iter().enumerate() {
            if let Some(sample) = numbers[j] {
                take(sights, Sum::Number(j), peak.channel, sample, 1.0);
            }
        }
        for (j, limit) in self.free_limits().enumerate() {
            if let Some(sample) = limits[j] {
                take(sights, Sum::Limit(j), limit.channel, sample, 1.0);
            }
        }
    }

    /// Residuals that draw unknowns to the values of the model, behind those of all terms.
    fn draw(&self, x: &[f64], sloped: bool, answer: &mut Answer) {
        let (n, pulled) = (self.len(), self.unknowns.list.iter().enumerate().filter_map(|(k, known)| Some((k, known.pull?))));
        for (row, (k, (to, factor))) in (self.pulls()..self.rows).zip(pulled) {
            answer.residuals[row] = factor * (x[k] - to);
            if sloped {
                let slopes = &mut answer.slopes.residuals[row * n..][..n];
                slopes.fill(0.0);
                slopes[k] = factor;
            }
        }
    }

    /// The first residual that draws an unknown.
    fn pulls(&self) -> usize {
        self.rows - self.unknowns.list.iter().filter(|known| known.pull.is_some()).count()
    }

    /// What residuals that draw unknowns are worth.
    fn drawn(&self, residuals: &[f64]) -> f64 {
        residuals[self.pulls()..].iter().map(|e| power(*e, self.fit.power)).sum()
    }

    /// What is extra, and its slopes by the unknowns.
    fn extra(&self, evaluator: &mut Evaluator<'s>, sloped: bool, slopes: &mut Vec<f64>) -> f64 {
        let n = self.len();
        slopes.clear();
        slopes.resize(if sloped { n } else { 0 }, 0.0);
        let Some(formula) = &self.extra else { return 0.0 };
        let Evaluator { numbers, by, gradient, .. } = evaluator;
        if !sloped {
            return formula.eval(&numbers.values);
        }
        let by = &mut by[..formula.variables().len()];
        let value = formula.gradient(|k| numbers.values[k], |_| true, gradient, by);
        for (number, factor) in formula.variables().iter().zip(by) {
            let row = &numbers.slopes[number * n..][..n];
            slopes.iter_mut().zip(row).for_each(|(slope, own)| *slope += *factor * own);
        }
        value
    }

    /// Objectives; what is extra belongs to the first.
    fn sums(&self, evaluator: &Evaluator<'s>, answer: &mut Answer) {
        answer.objectives.clear();
        answer.objectives.resize(self.objectives, 0.0);
        answer.objectives[0] = answer.extra + self.drawn(&answer.residuals);
        let mut maxima = evaluator.maxima.values.iter();
        for (_, track) in self.fitted() {
            for (term, first) in track.terms.iter().zip(&track.first) {
                let most = maxima.next().copied().unwrap_or(0.0);
                answer.objectives[term.objective] += self.term_sum(term, *first, most, &answer.residuals);
            }
        }
    }

    /// The worth of a term whose residuals begin at `first`.
    fn term_sum(&self, term: &Compared, first: usize, most: f64, residuals: &[f64]) -> f64 {
        if term.reduce == Reduce::Max {
            return most;
        }
        residuals[first..first + term.number].iter().map(|e| power(*e, self.fit.power)).sum()
    }

    /// Slopes of the first objective by the scaled unknowns.
    fn objective_slopes(&self, evaluator: &Evaluator<'s>, answer: &mut Answer) {
        let (n, p) = (self.len(), self.fit.power);
        let Answer { residuals, slopes: Slopes { objective, residuals: rows, extra, .. }, .. } = answer;
        objective.clone_from(extra);
        let mut add = |factor: f64, row: &[f64]| objective.iter_mut().zip(row).for_each(|(slope, own)| *slope += factor * own);
        let mut add_rows = |range: std::ops::Range<usize>| {
            for (e, row) in residuals[range.clone()].iter().zip(rows[range.start * n..].chunks(n)) {
                add(if *e == 0.0 { 0.0 } else { p * power(*e, p - 1.0) * e.signum() }, row);
            }
        };
        add_rows(self.pulls()..self.rows);
        let terms = || {
            self.fitted()
                .flat_map(|(_, track)| track.terms.iter().zip(&track.first))
                .enumerate()
                .filter(|(_, (term, _))| term.objective == 0)
        };
        for (_, (term, first)) in terms().filter(|(_, (term, _))| term.reduce != Reduce::Max) {
            add_rows(*first..first + term.number);
        }
        for (k, _) in terms().filter(|(_, (term, _))| term.reduce == Reduce::Max) {
            add(1.0, &evaluator.maxima.slopes[k * n..][..n]);
        }
    }

    /// Value of each term at a point, of fitted trials, and what is beside them: what is extra, and what draws unknowns.
    pub(crate) fn terms_at(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Option<(Vec<f64>, f64)> {
        if !self.place(evaluator, z) {
            return None;
        }
        let mut answer = Answer::default();
        self.pass(evaluator, false, &mut answer);
        let mut sums = vec![0.0; self.fit.terms.len()];
        let mut maxima = evaluator.maxima.values.iter();
        for (_, track) in self.fitted() {
            for (k, (term, first)) in track.terms.iter().zip(&track.first).enumerate() {
                sums[k] += self.term_sum(term, *first, maxima.next().copied().unwrap_or(0.0), &answer.residuals);
            }
        }
        Some((sums, answer.extra + self.drawn(&answer.residuals)))
    }

    /// What the residuals of a trial are worth at a point, whether it is fitted or not; maxima count nothing. NaN where the point cannot be.
    pub(super) fn trial_value(&self, evaluator: &mut Evaluator<'s>, z: &[f64], trial: usize) -> f64 {
        if !self.place(evaluator, z) {
            return f64::NAN;
        }
        let (Evaluator { sights, values, maps, .. }, track) = (evaluator, &self.tracks[trial]);
        self.course.set(sights, &self.unknowns, trial, &values.x);
        self.course.look(sights, &self.groups, &track.samples, false);
        let mut sum = 0.0;
        for &sample in &track.samples {
            let value = |channel: usize| self.course.value(sights, channel, sample);
            for term in track.terms.iter().filter(|term| term.counts[sample] && term.reduce != Reduce::Max && term.map.is_none()) {
                sum += power(error(term, value, sample).0, self.fit.power);
            }
        }
        for term in &track.terms {
            let Some(pressed) = &term.map else { continue };
            let p = self.fit.power;
            self.each_map(sights, maps, pressed, |_, seen| sum += power(term.factor * seen.powers(p), p));
        }
        sum
    }

    /// Samples of each fitted trial that have residuals: their times, and the residuals of each.
    pub(super) fn frames(&self) -> Vec<(Vec<f64>, Vec<Vec<usize>>)> {
        let of_track = |(k, track): (usize, &Track)| {
            let mut next = track.first.clone();
            let (mut times, mut frames) = (Vec::new(), Vec::new());
            for &sample in &track.samples {
                let mut rows = Vec::new();
                for (j, term) in track.terms.iter().enumerate().filter(|(_, term)| term.counts[sample] && term.reduce != Reduce::Max) {
                    let frame = term.map.as_ref().and_then(|pressed| pressed.frames.iter().find(|frame| frame.sample == sample));
                    let count = frame.map_or(1, |frame| frame.measured.len());
                    rows.extend(next[j]..next[j] + count);
                    next[j] += count;
                }
                if !rows.is_empty() {
                    times.push(self.course.times(k)[sample]);
                    frames.push(rows);
                }
            }
            (times, frames)
        };
        self.fitted().map(of_track).collect()
    }

    /// Of each term over a mat, over the frames of fitted trials, the root mean square of A Σ |p − m| over what it is divided by; of other terms nothing.
    pub(crate) fn mismatches(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<Option<f64>> {
        let mut sums = vec![(0.0, 0); self.fit.terms.len()];
        if self.place(evaluator, z) {
            let Evaluator { sights, values, maps, .. } = evaluator;
            for (k, track) in self.fitted() {
                self.course.set(sights, &self.unknowns, k, &values.x);
                for (own, (sum, frames)) in track.terms.iter().zip(&mut sums) {
                    let Some(pressed) = &own.map else { continue };
                    self.each_map(sights, maps, pressed, |_, seen| {
                        *sum += (seen.powers(1.0) / own.normaliser).powi(2);
                        *frames += 1;
                    });
                }
            }
        }
        sums.iter().map(|(sum, frames)| (*frames > 0).then(|| (sum / f64::from(*frames)).sqrt())).collect()
    }

    /// Looks at every frame of a mat in the trial that was set.
    fn each_map(&self, sights: &Sights<'s>, maps: &mut MapSights, pressed: &Pressed, mut take: impl FnMut(usize, Seen)) {
        let Some((course, sights)) = self.course.along_motion(sights) else { return };
        for frame in &pressed.frames {
            maps.begin();
            let is_met = course.look_at_mat(self.system, sights, maps, &self.maps, (pressed.mat, 0, frame.sample));
            let area = course.cell_area(sights, pressed.mat);
            take(frame.sample, Seen::new(maps.pressures(), &frame.measured, if is_met { area } else { f64::NAN }));
        }
    }

    /// Why the objective is no number at a point; nothing where it is one.
    pub(crate) fn trouble(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Option<FitFault> {
        if !self.place(evaluator, z) {
            let own = self.fit.limits.iter().filter_map(|limit| Some((limit.name.clone(), limit.met_by.clone()?)));
            let (names, unknowns): (Vec<String>, Vec<String>) = own.unzip();
            return Some(FitFault::NotMet { constraint: names.join("`, `"), unknown: unknowns.join("`, `") });
        }
        for (k, track) in self.fitted() {
            let Evaluator { sights, values, .. } = &mut *evaluator;
            if let Some(reason) = self.course.trouble(sights, &self.unknowns, k, &values.x, &track.samples) {
                return Some(FitFault::RunFails { trial: track.name.clone(), analysis: self.fit.of.name(), reason });
            }
        }
        let mut answer = Answer::default();
        self.pass(evaluator, false, &mut answer);
        self.sums(evaluator, &mut answer);
        for (k, track) in self.fitted() {
            let times = self.course.times(k);
            for (k, (term, first)) in track.terms.iter().zip(&track.first).enumerate().filter(|(_, (term, _))| term.reduce != Reduce::Max) {
                if let Some(pressed) = &term.map {
                    let is_bad = |cell: &usize| !answer.residuals[first + cell].is_finite();
                    if let Some(frame) = (0..term.number).find(is_bad).and_then(|cell| pressed.frame_of(cell)) {
                        let time = Some(times[frame.sample]);
                        return Some(FitFault::NotANumber { term: self.fit.terms[k].name.clone(), time });
                    }
                    continue;
                }
                let samples = (0..times.len()).filter(|sample| term.counts[*sample]);
                let bad = samples.enumerate().find(|(row, _)| !answer.residuals[first + row].is_finite());
                if let Some((_, sample)) = bad {
                    return Some(FitFault::NotANumber { term: self.fit.terms[k].name.clone(), time: Some(times[sample]) });
                }
            }
        }
        let total: f64 = answer.objectives.iter().sum();
        (!total.is_finite()).then(|| FitFault::NotANumber { term: "`extra` or a maximum".into(), time: None })
    }

    /// Why a point has no value, in words.
    pub(crate) fn why_none(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> String {
        match self.trouble(evaluator, z) {
            Some(FitFault::RunFails { trial, reason, .. }) => format!("the run of trial `{trial}`: {reason}"),
            Some(FitFault::NotANumber { term, time: Some(t) }) => format!("term `{term}` has no value at {t} s"),
            Some(FitFault::NotMet { constraint, .. }) => format!("constraint `{constraint}` cannot be met"),
            _ => "a maximum or `extra` has no value".into(),
        }
    }

    /// How far constraints that no unknown meets are exceeded at a point, by name; those that hold are left out.
    pub(crate) fn exceeded(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<(String, f64)> {
        let mut answer = Answer::default();
        self.answer(evaluator, &Query { wanted: Wanted::Residuals, point: z.to_vec() }, &mut answer);
        let free = self.fit.limits.iter().zip(&self.limits).filter(|(_, limit)| limit.met_by.is_none());
        let told = |((limit, own), over): ((&super::Limit, &Bounded), f64)| {
            (!(over <= HELD * own.at_most.abs().max(f64::MIN_POSITIVE))).then(|| (limit.name.clone(), over))
        };
        free.zip(answer.constraints).filter_map(told).collect()
    }

    /// All terms of all trials at every sample that counts, at a point.
    pub(crate) fn shown(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<Shown<'_>> {
        let mut list = Vec::new();
        if !self.place(evaluator, z) {
            return list;
        }
        let Evaluator { sights, values, maps, .. } = evaluator;
        for (k, track) in self.tracks.iter().enumerate() {
            self.course.set(sights, &self.unknowns, k, &values.x);
            for (term, own) in self.fit.terms.iter().zip(&track.terms) {
                let Some(pressed) = &own.map else { continue };
                self.each_map(sights, maps, pressed, |sample, seen| {
                    list.push(Shown {
                        trial: &track.name,
                        is_fitted: track.is_fitted,
                        term: &term.name,
                        time: self.course.times(k)[sample],
                        measured: seen.measured,
                        computed: seen.computed,
                        error: own.factor * seen.powers(self.fit.power),
                    });
                });
            }
            self.course.look(sights, &self.groups, &track.samples, false);
            for &sample in &track.samples {
                let value = |channel: usize| self.course.value(sights, channel, sample);
                for (term, own) in self.fit.terms.iter().zip(&track.terms).filter(|(_, own)| own.counts[sample] && own.map.is_none()) {
                    list.push(Shown {
                        trial: &track.name,
                        is_fitted: track.is_fitted,
                        term: &term.name,
                        time: self.course.times(k)[sample],
                        measured: own.measured[sample],
                        computed: value(own.channel),
                        error: error(own, value, sample).0,
                    });
                }
            }
        }
        list.sort_by(|a, b| (a.trial, a.term).cmp(&(b.trial, b.term)).then(a.time.total_cmp(&b.time)));
        list
    }
}
