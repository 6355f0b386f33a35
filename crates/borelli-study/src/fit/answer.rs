//! Answers to a solver: residuals, objectives and constraints at a point of the scaled unknowns, with exact slopes.
//! Not here: searches (`search`), where columns come from (`course`), constraints that an unknown meets (`giving_way`).
//! In: a problem, a point. Out: an answer, written over an older one; nothing is allocated after the first.
//!
//! Slopes are those of equation (1) of `problem` by the unknowns x, then by the scaled ones z through ∂x/∂z. Maxima have the slope of the sample at
//! which they are, the first where there are several. An evaluation forgets where searches for contacts ended before, so that an answer depends on
//! its point alone, whoever evaluates and in whatever order.

use super::course::Sights;
use super::data::Compared;
use super::definition::{Extreme, Reduce};
use super::fault::FitFault;
use super::giving_way::Values;
use super::maps::{MapSights, Pressed, Seen};
use super::problem::{Bounded, Problem, Track};
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
fn error(term: &Compared, channels: &[f64], sample: usize) -> (f64, f64, f64) {
    let difference = (channels[term.channel] - term.measured[sample]) * term.factor;
    let Some((by, low, high)) = term.fade else { return (difference, term.factor, 0.0) };
    let width = 1.0 / (high - low);
    let u = (channels[by] - low) * width;
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
        if sloped {
            course.look_sloped(sights, &self.unknowns, &self.groups, &track.samples);
        } else {
            course.look(sights, &self.groups, &track.samples);
        }
        next.clone_from(&track.first);
        for own in [&mut *numbers, &mut *limits, &mut *maxima] {
            own.samples.fill(None);
        }
        for &sample in &track.samples {
            course.show(sights, sample, sloped);
            at_once.clear();
            at_once.resize(track.terms.len(), None);
            for (j, term) in track.terms.iter().enumerate().filter(|(_, term)| term.counts[sample] && term.map.is_none()) {
                let (e, by_column, by_gate) = error(term, sights.now(), sample);
                if term.reduce == Reduce::Max {
                    *at_once[term.leader].get_or_insert(0.0) += e.abs();
                    continue;
                }
                answer.residuals[next[j]] = e;
                if sloped {
                    let row = &mut answer.slopes.residuals[next[j] * n..][..n];
                    row.fill(0.0);
                    course.add_slopes(sights, term.channel, sample, by_column, row);
                    if let (Some((by, ..)), true) = (term.fade, by_gate != 0.0) {
                        course.add_slopes(sights, by, sample, by_gate, row);
                    }
                }
                next[j] += 1;
            }
            for (j, sum) in at_once.iter().enumerate() {
                sum.iter().for_each(|sum| maxima.offer(first + j, *sum, 1.0, sample));
            }
            for (j, peak) in self.numbers.iter().enumerate().filter(|(_, peak)| peak.counts[k][sample]) {
                let sign = if peak.extreme == Extreme::Max { 1.0 } else { -1.0 };
                numbers.offer(j, sights.now()[peak.channel], sign, sample);
            }
            for (j, limit) in self.free_limits().enumerate().filter(|(_, limit)| limit.counts[k][sample]) {
                limits.offer(j, sights.now()[limit.channel] - limit.at_most, 1.0, sample);
            }
        }
        for (term, first) in track.terms.iter().zip(&track.first) {
            let Some(pressed) = &term.map else { continue };
            let rows = *first..first + term.number;
            let slopes = sloped.then(|| &mut answer.slopes.residuals[rows.start * n..rows.end * n]);
            let of = (self.system, &self.unknowns, &self.maps);
            course.press(of, (sights, maps), pressed, term.factor, &mut answer.residuals[rows], slopes);
        }
        if !sloped {
            return;
        }
        let mut slopes_at = |own: &mut Extremes, j: usize, add: &mut dyn FnMut(&Sights<'s>, usize, &mut [f64])| {
            let Some(sample) = own.samples[j] else { return };
            course.show(sights, sample, true);
            let row = &mut own.slopes[j * n..][..n];
            row.fill(0.0);
            add(sights, sample, row);
        };
        for (j, peak) in self.numbers.iter().enumerate() {
            slopes_at(numbers, j, &mut |sights, sample, row| course.add_slopes(sights, peak.channel, sample, 1.0, row));
        }
        for (j, limit) in self.free_limits().enumerate() {
            slopes_at(limits, j, &mut |sights, sample, row| course.add_slopes(sights, limit.channel, sample, 1.0, row));
        }
        for j in 0..track.terms.len() {
            slopes_at(maxima, first + j, &mut |sights, sample, row| {
                let own = |term: &&Compared| term.reduce == Reduce::Max && term.leader == j && term.counts[sample];
                for term in track.terms.iter().filter(own) {
                    let (e, by_column, by_gate) = error(term, sights.now(), sample);
                    course.add_slopes(sights, term.channel, sample, e.signum() * by_column, row);
                    if let (Some((by, ..)), true) = (term.fade, by_gate != 0.0) {
                        course.add_slopes(sights, by, sample, e.signum() * by_gate, row);
                    }
                }
            });
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

    /// Of each term over a mat, over the frames of fitted trials, the root mean square of A Σ |p − m| over what it is divided by; of other terms nothing.
    pub(crate) fn mismatches(&self, evaluator: &mut Evaluator<'s>, z: &[f64]) -> Vec<Option<f64>> {
        let mut sums = vec![(0.0, 0); self.fit.terms.len()];
        if self.place(evaluator, z) {
            let Evaluator { sights, values, maps, .. } = evaluator;
            for (k, track) in self.fitted() {
                self.course.set(sights, &self.unknowns, k, &values.x);
                for (own, (sum, frames)) in track.terms.iter().zip(&mut sums) {
                    let Some(pressed) = &own.map else { continue };
                    self.frames(sights, maps, pressed, |_, seen| {
                        *sum += (seen.powers(1.0) / own.normaliser).powi(2);
                        *frames += 1;
                    });
                }
            }
        }
        sums.iter().map(|(sum, frames)| (*frames > 0).then(|| (sum / f64::from(*frames)).sqrt())).collect()
    }

    /// Looks at every frame of a mat in the trial that was set.
    fn frames(&self, sights: &Sights<'s>, maps: &mut MapSights, pressed: &Pressed, mut take: impl FnMut(usize, Seen)) {
        for frame in &pressed.frames {
            let is_met = self.course.look_at_mat(self.system, sights, maps, &self.maps, (pressed.mat, 0, frame.sample));
            let area = self.course.cell_area(sights, pressed.mat);
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
                self.frames(sights, maps, pressed, |sample, seen| {
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
            self.course.look(sights, &self.groups, &track.samples);
            for &sample in &track.samples {
                self.course.show(sights, sample, false);
                for (term, own) in self.fit.terms.iter().zip(&track.terms).filter(|(_, own)| own.counts[sample] && own.map.is_none()) {
                    list.push(Shown {
                        trial: &track.name,
                        is_fitted: track.is_fitted,
                        term: &term.name,
                        time: self.course.times(k)[sample],
                        measured: own.measured[sample],
                        computed: sights.now()[own.channel],
                        error: error(own, sights.now(), sample).0,
                    });
                }
            }
        }
        list.sort_by(|a, b| (a.trial, a.term).cmp(&(b.trial, b.term)).then(a.time.total_cmp(&b.time)));
        list
    }
}
