//! Bounded least squares: Levenberg and Marquardt with an active set and geodesic acceleration, also for sums of other powers of residuals.
//! Not here: how residuals are found.
//! Source: Marquardt (1963), J SIAM 11:431; Transtrum, Sethna (2012), arXiv:1201.5885; reweighting: Huber (1981), Robust statistics, ch. 7.

use std::f64::consts::SQRT_2;

use faer::Mat;
use faer::linalg::solvers::Qr;

use super::rounds::Elsewhere;
use super::{Answer, Best, Progress, Query, Solver, Stop, Wanted, keep_stop};
use crate::checkpoint::Page;
use crate::unknown::Bounds;

/// Residuals smaller than this count as this large in the model of sum |e|^p: for p < 2 in turn, each to convergence.
const SMOOTHING: [f64; 3] = [3e-2, 3e-3, 3e-4];
/// The same for p >= 2, where it only keeps weights above zero.
const LEAST_RESIDUAL: f64 = 1e-6;
/// How far along a step the residuals are looked at for their curvature.
const LOOK: f64 = 0.1;
/// Largest length of the acceleration, relative to the step: beyond, the model is not to be trusted.
const ACCELERATION: f64 = 0.75;
/// Iterations over which progress is looked at where p is not 2, and the share of J by which it must have fallen since: to go on in a stage before
/// the last, and in the last. Reweighted steps creep towards an edge for ever; what they still gain there is nothing that the next stage, or
/// anybody, needs.
const WINDOW: usize = 10;
const PROGRESS: [f64; 2] = [1e-3, 1e-5];
/// Least damping, and the same over the gradient at which a search is to end: along directions that data determine by a millionth, damping is what
/// keeps it from there.
const LEAST_DAMPING: f64 = 1e-9;
const DAMPING_BY_GRADIENT: f64 = 10.0;
const LARGEST_DAMPING: f64 = 1e8;

/// How a least-squares search goes about its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The power p of sum |e|^p, at least 1.
    pub power: f64,
    /// Whether steps are bent by the curvature of the residuals; it follows narrow curved valleys.
    pub geodesic: bool,
    /// Largest number of evaluations.
    pub evaluations: usize,
    /// Stop when the projected gradient is below this times 1 + J.
    pub gradient: f64,
    /// Stop when three steps in a row lower J by less than this share.
    pub decrease: f64,
    /// Stop when a step is shorter than this.
    pub step: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { power: 2.0, geodesic: true, evaluations: 100_000, gradient: 1e-10, decrease: 1e-12, step: 1e-12 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Residuals and slopes at `z` are wanted.
    Jacobian,
    /// Residuals a little along the step are wanted.
    Curvature,
    /// Residuals at the end of the step are wanted.
    Trial,
}

/// Minimises J = sum |e|^p + extra between bounds.
///
/// In scaled unknowns z, with slopes A of e, weights W = max(p, p(p-1)) max(|e|, ε)^(p-2) and g the exact gradient of J:
///
/// ```text
/// (A_f' W A_f + λ D) d = -g_f       free unknowns only; D = running maximum of column norms²
/// a = -(same)⁻¹ A' W e_vv,          step d + a/2 where 2 |√D a| <= 0.75 |√D d|
/// ```
///
/// The weights majorise |e|^p for p < 2 and are its second derivative for p >= 2. What decides is always J itself.
#[derive(Clone, Debug)]
pub struct LeastSquares {
    bounds: Bounds,
    settings: Settings,
    phase: Phase,
    z: Vec<f64>,
    residuals: Vec<f64>,
    jacobian: Vec<f64>,
    extra_slopes: Vec<f64>,
    objective: f64,
    damping: f64,
    /// Running maximum of squared column norms.
    size: Vec<f64>,
    stage: usize,
    idle: usize,
    /// J when progress was last looked at, and at which iteration that was.
    mark: (f64, usize),
    step: Vec<f64>,
    trial: Vec<f64>,
    predicted: f64,
    /// The model at `z`, where it is still at hand; it follows from the rest.
    model: Option<Model>,
    best: Best,
    progress: Progress,
    stop: Option<Stop>,
}

impl LeastSquares {
    /// A search from `start`, which is moved inside the bounds.
    pub fn new(bounds: Bounds, mut start: Vec<f64>, settings: Settings) -> LeastSquares {
        bounds.clip(&mut start);
        let n = start.len();
        LeastSquares {
            bounds,
            settings,
            phase: Phase::Jacobian,
            z: start,
            residuals: Vec::new(),
            jacobian: Vec::new(),
            extra_slopes: Vec::new(),
            objective: f64::NAN,
            damping: 1e-2,
            size: vec![0.0; n],
            stage: 0,
            idle: 0,
            mark: (f64::INFINITY, 0),
            step: vec![0.0; n],
            trial: Vec::new(),
            predicted: 0.0,
            model: None,
            best: Best::none(),
            progress: Progress { objective: f64::INFINITY, ..Progress::default() },
            stop: None,
        }
    }

    fn value(&self, answer: &Answer) -> f64 {
        let p = self.settings.power;
        // Whole powers are common and cheap as products.
        let sum: f64 = match p {
            1.0 => answer.residuals.iter().map(|e| e.abs()).sum(),
            2.0 => answer.residuals.iter().map(|e| e * e).sum(),
            _ => answer.residuals.iter().map(|e| e.abs().powf(p)).sum(),
        };
        sum + answer.extra
    }

    /// Root of the weight of residual `e` in the model, and the weighted residual that makes the model's gradient exact.
    fn weight(&self, e: f64) -> (f64, f64) {
        let p = self.settings.power;
        if p == 2.0 {
            return (SQRT_2, SQRT_2 * e);
        }
        if p == 1.0 {
            let root = e.abs().max(SMOOTHING[self.stage]).sqrt().recip();
            return (root, if e == 0.0 { 0.0 } else { e.signum() / root });
        }
        let least = if p < 2.0 { SMOOTHING[self.stage] } else { LEAST_RESIDUAL };
        let root = (p.max(p * (p - 1.0)) * e.abs().max(least).powf(p - 2.0)).sqrt();
        let slope = if e == 0.0 { 0.0 } else { p * e.abs().powf(p - 1.0) * e.signum() };
        (root, slope / root)
    }

    /// The model at `z`, from the slopes at hand.
    fn model(&self) -> Model {
        let n = self.z.len();
        let (roots, weighted): (Vec<f64>, Vec<f64>) = self.residuals.iter().map(|&e| self.weight(e)).unzip();
        let mut gradient = self.extra_slopes.clone();
        gradient.resize(n, 0.0);
        let mut size = vec![0.0; n];
        // Rows without any slope say nothing about a step.
        let mut speaking = Vec::with_capacity(roots.len());
        for (i, row) in self.jacobian.chunks_exact(n).enumerate() {
            if row.iter().all(|slope| *slope == 0.0) {
                continue;
            }
            speaking.push(i);
            let (root, own) = (roots[i], weighted[i]);
            for ((slope, gradient), size) in row.iter().zip(&mut gradient).zip(&mut size) {
                let a = slope * root;
                *gradient += a * own;
                *size += a * a;
            }
        }
        let free: Vec<usize> = (0..n).filter(|&k| self.bounds.is_free(k, self.z[k], gradient[k])).collect();
        // The residuals stand as a last column, so that the triangle holds Q'r beside R and Q itself is never made.
        let cell = |i: usize, j: usize| free.get(j).map_or(weighted[i], |k| self.jacobian[i * n + k] * roots[i]);
        let beside = Mat::from_fn(speaking.len(), free.len() + 1, |i, j| cell(speaking[i], j)).qr();
        let (triangle, rank) = (beside.thin_R(), speaking.len().min(free.len()));
        let upper = triangle.submatrix(0, 0, rank, free.len()).to_owned();
        let rotated = triangle.submatrix(0, free.len(), rank, 1).to_owned();
        Model { free, upper, rotated, gradient, size, roots }
    }

    /// Finds the next step from the slopes at hand, or stops.
    fn begin_step(&mut self) {
        let model = self.model.take().unwrap_or_else(|| self.model());
        self.progress.gradient = self.bounds.projected_gradient(&self.z, &model.gradient);
        if self.progress.gradient <= self.settings.gradient * (1.0 + self.objective.abs()) {
            return self.end_stage(Stop::Gradient);
        }
        self.size.iter_mut().zip(&model.size).for_each(|(largest, size)| *largest = largest.max(*size));
        loop {
            if self.damping > LARGEST_DAMPING {
                // Where the whole step of the model would gain nothing that counts, no step lowers J because of rounding alone.
                self.damping = LEAST_DAMPING;
                let gain = model.decrease(&self.damped_step(&model));
                let nothing = gain.abs() <= self.settings.decrease * self.objective.abs();
                return self.end_stage(if nothing { Stop::Decrease } else { Stop::Stuck });
            }
            let step = self.damped_step(&model);
            let predicted = model.decrease(&step);
            if predicted > 0.0 {
                (self.step, self.predicted) = (step, predicted);
                break;
            }
            self.damping *= 4.0;
        }
        self.trial = (0..self.z.len()).map(|k| self.bounds.clipped(k, self.z[k] + self.step[k])).collect();
        self.phase = if self.settings.geodesic { Phase::Curvature } else { Phase::Trial };
        self.model = Some(model);
    }

    /// Factor of R'R + λD over the columns `open` of the model, and the roots of D.
    fn damped(&self, model: &Model, open: &[usize]) -> (Qr<f64>, Vec<f64>) {
        let largest = self.size.iter().fold(0.0, |a: f64, &b| a.max(b)).max(f64::MIN_POSITIVE);
        let roots: Vec<f64> = open.iter().map(|&j| self.size[model.free[j]].max(1e-8 * largest).sqrt()).collect();
        let (rows, n, damping) = (model.upper.nrows(), open.len(), self.damping.sqrt());
        let stacked = Mat::from_fn(rows + n, n, |i, j| match i.checked_sub(rows) {
            None if i <= open[j] => model.upper[(i, open[j])],
            Some(k) if k == j => damping * roots[j],
            _ => 0.0,
        });
        (stacked.as_ref().qr(), roots)
    }

    /// The damped step between the bounds, by a primal active set: towards the minimum of the damped model over the open unknowns as far as the
    /// first bound, where that unknown stays, then on with the others. Every part of the way lowers the model.
    fn damped_step(&self, model: &Model) -> Vec<f64> {
        let rows = model.upper.nrows();
        let mut step = vec![0.0; self.z.len()];
        let mut open: Vec<usize> = (0..model.free.len()).collect();
        // Q'r + R s, s the parts of the step that are settled.
        let mut rotated: Vec<f64> = (0..rows).map(|i| model.rotated[(i, 0)]).collect();
        while !open.is_empty() {
            let (qr, _) = self.damped(model, &open);
            let right = Mat::from_fn(rows + open.len(), 1, |i, _| rotated.get(i).copied().unwrap_or(0.0));
            let mut from_residuals: Mat<f64> = qr.compute_thin_Q().transpose() * right;
            back_substitute(qr.thin_R(), &mut from_residuals);
            let extra = |place: usize| self.extra_slopes.get(model.free[open[place]]).copied().unwrap_or(0.0);
            let mut from_extra = Mat::from_fn(open.len(), 1, |place, _| extra(place));
            forward_substitute(qr.thin_R(), &mut from_extra);
            back_substitute(qr.thin_R(), &mut from_extra);
            let target = |place: usize| -from_residuals[(place, 0)] - from_extra[(place, 0)];
            // How far along the way each unknown meets its bound.
            let reach = |place: usize| {
                let k = model.free[open[place]];
                let way = target(place) - step[k];
                let room = if way > 0.0 { self.bounds.high[k] - self.z[k] - step[k] } else { self.bounds.low[k] - self.z[k] - step[k] };
                if way == 0.0 { f64::INFINITY } else { (room / way).max(0.0) }
            };
            let reaches: Vec<f64> = (0..open.len()).map(reach).collect();
            let first = reaches.iter().fold(1.0, |a: f64, &b| a.min(b));
            for (place, &j) in open.iter().enumerate() {
                let k = model.free[j];
                step[k] += first * (target(place) - step[k]);
            }
            if first >= 1.0 {
                break;
            }
            for (place, &j) in open.iter().enumerate().filter(|(place, _)| reaches[*place] <= first) {
                let k = model.free[j];
                step[k] = if target(place) > step[k] { self.bounds.high[k] } else { self.bounds.low[k] } - self.z[k];
                (0..rows.min(j + 1)).for_each(|i| rotated[i] += model.upper[(i, j)] * step[k]);
            }
            open = open.iter().enumerate().filter(|(place, _)| reaches[*place] > first).map(|(_, &j)| j).collect();
        }
        step
    }

    /// Bends the step by the curvature of the residuals along it, or asks for a shorter one.
    fn bend(&mut self, along: &Answer) {
        let n = self.z.len();
        let model = self.model.take().unwrap_or_else(|| self.model());
        // Unknowns that the step carries to a bound stay there.
        let is_inside = |k: usize| self.bounds.low[k] < self.trial[k] && self.trial[k] < self.bounds.high[k];
        let open: Vec<usize> = (0..model.free.len()).filter(|&j| is_inside(model.free[j])).collect();
        let (qr, roots) = self.damped(&model, &open);
        // A'W e_vv with e_vv = 2/h ((e(z + h d) - e)/h - A d)
        let mut pulled = vec![0.0; n];
        for (i, row) in self.jacobian.chunks_exact(n).enumerate() {
            let slope: f64 = row.iter().zip(&self.step).map(|(a, d)| a * d).sum();
            let second = (2.0 / LOOK) * ((along.residuals[i] - self.residuals[i]) / LOOK - slope);
            let weighted = model.roots[i].powi(2) * second;
            pulled.iter_mut().zip(row).for_each(|(sum, slope)| *sum += slope * weighted);
        }
        let mut acceleration = Mat::from_fn(open.len(), 1, |place, _| pulled[model.free[open[place]]]);
        forward_substitute(qr.thin_R(), &mut acceleration);
        back_substitute(qr.thin_R(), &mut acceleration);
        let length = |part: &dyn Fn(usize) -> f64| (0..roots.len()).map(|j| (roots[j] * part(j)).powi(2)).sum::<f64>().sqrt();
        let bent = length(&|j| acceleration[(j, 0)]);
        let straight = length(&|place| self.step[model.free[open[place]]]);
        if !bent.is_finite() || 2.0 * bent > ACCELERATION * straight {
            self.damping *= 4.0;
            self.model = Some(model);
            return self.begin_step();
        }
        for (place, &j) in open.iter().enumerate() {
            let k = model.free[j];
            self.trial[k] = self.bounds.clipped(k, self.z[k] + self.step[k] - 0.5 * acceleration[(place, 0)]);
        }
        self.model = Some(model);
        self.phase = Phase::Trial;
    }

    fn judge(&mut self, answer: &Answer) {
        let value = self.value(answer);
        let ratio = (self.objective - value) / self.predicted;
        let length = self.z.iter().zip(&self.trial).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if ratio > 1e-4 {
            let fallen = (self.objective - value) / self.objective.abs().max(f64::MIN_POSITIVE);
            // At rounding values with and without slopes may differ for ever: a step that does not move is idle, too.
            self.idle = if fallen < self.settings.decrease || length < self.settings.step { self.idle + 1 } else { 0 };
            if ratio > 0.75 {
                self.damping = (self.damping / 5.0).max(LEAST_DAMPING.min(DAMPING_BY_GRADIENT * self.settings.gradient));
            } else if ratio < 0.25 {
                self.damping *= 4.0;
            }
            self.z.clone_from(&self.trial);
            self.progress.iterations += 1;
            (self.progress.step, self.progress.control) = (length, self.damping);
            self.phase = Phase::Jacobian;
            return;
        }
        if length < self.settings.step {
            return self.end_stage(Stop::Step);
        }
        self.damping *= 4.0;
        self.begin_step();
    }

    /// Whether the last iterations gained nothing that counts.
    fn creeps(&mut self) -> bool {
        let (before, since) = self.mark;
        if self.settings.power == 2.0 || self.progress.iterations < since + WINDOW {
            return false;
        }
        self.mark = (self.objective, self.progress.iterations);
        let is_last = self.settings.power > 2.0 || self.stage + 1 == SMOOTHING.len();
        before - self.objective < PROGRESS[usize::from(is_last)] * self.objective.abs()
    }

    /// Ends the search, or goes on with smaller smoothing.
    fn end_stage(&mut self, stop: Stop) {
        if self.settings.power < 2.0 && self.stage + 1 < SMOOTHING.len() {
            self.stage += 1;
            (self.damping, self.idle) = (1e-2, 0);
            self.mark = (self.objective, self.progress.iterations);
            self.size.fill(0.0);
            self.model = None;
            return self.begin_step();
        }
        self.stop = Some(stop);
    }
}

/// The model of J around a point: the triangle R of √W A = QR over free unknowns, Q' times the weighted residuals, and the exact gradient.
#[derive(Clone, Debug)]
struct Model {
    free: Vec<usize>,
    upper: Mat<f64>,
    rotated: Mat<f64>,
    gradient: Vec<f64>,
    /// Squared norms of the columns of √W A.
    size: Vec<f64>,
    /// √W.
    roots: Vec<f64>,
}

impl Model {
    /// d' A'WA d.
    fn curvature(&self, step: &[f64]) -> f64 {
        let rows = self.upper.nrows();
        (0..rows).map(|i| (i..self.free.len()).map(|j| self.upper[(i, j)] * step[self.free[j]]).sum::<f64>().powi(2)).sum()
    }

    /// By how much the model says that J falls with a step.
    fn decrease(&self, step: &[f64]) -> f64 {
        -self.free.iter().map(|&k| self.gradient[k] * step[k]).sum::<f64>() - 0.5 * self.curvature(step)
    }
}

fn back_substitute(upper: faer::MatRef<'_, f64>, right: &mut Mat<f64>) {
    for i in (0..upper.ncols()).rev() {
        let sum: f64 = (i + 1..upper.ncols()).map(|j| upper[(i, j)] * right[(j, 0)]).sum();
        right[(i, 0)] = (right[(i, 0)] - sum) / upper[(i, i)];
    }
}

fn forward_substitute(upper: faer::MatRef<'_, f64>, right: &mut Mat<f64>) {
    for i in 0..upper.ncols() {
        let sum: f64 = (0..i).map(|j| upper[(j, i)] * right[(j, 0)]).sum();
        right[(i, 0)] = (right[(i, 0)] - sum) / upper[(i, i)];
    }
}

impl Elsewhere for LeastSquares {
    fn begun_at(&self, start: Vec<f64>) -> LeastSquares {
        LeastSquares::new(self.bounds.clone(), start, self.settings)
    }
}

impl Solver for LeastSquares {
    fn ask(&self) -> Vec<Query> {
        if self.stop.is_some() {
            return Vec::new();
        }
        let query = match self.phase {
            Phase::Jacobian => Query { wanted: Wanted::Jacobian, point: self.z.clone() },
            Phase::Curvature => {
                Query { wanted: Wanted::Residuals, point: self.z.iter().zip(&self.step).map(|(z, d)| z + LOOK * d).collect() }
            }
            Phase::Trial => Query { wanted: Wanted::Residuals, point: self.trial.clone() },
        };
        vec![query]
    }

    fn tell(&mut self, answers: &[Answer]) {
        let asked = self.ask();
        let [answer] = answers else { return };
        self.progress.count(&asked);
        match self.phase {
            Phase::Jacobian => {
                self.objective = self.value(answer);
                self.residuals.clone_from(&answer.residuals);
                self.jacobian.clone_from(&answer.slopes.residuals);
                self.extra_slopes.clone_from(&answer.slopes.extra);
                self.model = None;
                self.best.offer(&self.z, self.objective, 0.0);
                self.progress.objective = self.best.objective;
                if !self.objective.is_finite() {
                    self.stop = Some(Stop::NotANumber);
                } else if self.idle >= 3 || self.creeps() {
                    self.idle = 0;
                    self.end_stage(Stop::Decrease);
                } else {
                    self.begin_step();
                }
            }
            Phase::Curvature => self.bend(answer),
            Phase::Trial => self.judge(answer),
        }
        if self.stop.is_none() && self.progress.evaluations >= self.settings.evaluations {
            self.stop = Some(Stop::Evaluations);
        }
    }

    fn stop(&self) -> Option<Stop> {
        self.stop
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn keep(&mut self, page: &mut Page) {
        let mut phase = self.phase as usize;
        page.count("phase", &mut phase);
        self.phase = [Phase::Jacobian, Phase::Curvature, Phase::Trial][phase.min(2)];
        page.numbers("z", &mut self.z);
        page.numbers("residuals", &mut self.residuals);
        page.numbers("jacobian", &mut self.jacobian);
        page.numbers("extra_slopes", &mut self.extra_slopes);
        page.number("objective", &mut self.objective);
        page.number("damping", &mut self.damping);
        page.numbers("size", &mut self.size);
        page.count("stage", &mut self.stage);
        page.count("idle", &mut self.idle);
        page.number("mark", &mut self.mark.0);
        page.count("marked_at", &mut self.mark.1);
        page.numbers("step", &mut self.step);
        page.numbers("trial", &mut self.trial);
        page.number("predicted", &mut self.predicted);
        if page.is_read() {
            self.model = None;
        }
        self.best.keep(page);
        self.progress.keep(page);
        keep_stop(&mut self.stop, page);
    }
}
