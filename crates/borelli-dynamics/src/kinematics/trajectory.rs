//! Poses of all frames at once, held together by smoothness, so that the model bridges frames in which markers are missing.
//! Not here: the pose of one frame (`solver`), splines through the result.
//! In: measured points of evenly spaced frames, poses to begin with. Out: poses of all frames.
//!
//!     minimise  Σ_k f_k(q_k) + μ dt Σ_k |q_{k−1} − 2 q_k + q_{k+1}|² / dt⁴                                   (1)
//!
//! with f_k the objective of one frame. Gauss-Newton steps with damping; the matrix couples a frame with its two neighbours on either side and is factored as a
//! band. Locked coordinates stay, clamped ones keep to their ranges. μ is given, or found such that what is left of the markers has the size of their noise,
//! or by leaving out every tenth measured point and predicting it.
//!
//! With N measured numbers of noise σ and A the matrix that takes them to where the fit puts them, tr A of them are used up for the motion, and the largest μ is taken with
//!
//!     Σ |p − x|² ≤ σ² (N − tr A)                                                                 (2)
//!
//! tr A is estimated by zᵀ A z for random signs z.
//!
//! Source: Morozov 1966, Soviet Math. Dokl. 7:414-417, for the discrepancy principle; Wahba 1983, J. R. Stat. Soc. B 45:133-150, for the degrees of freedom in (2); Hutchinson 1989, Commun. Stat.
//! Simul. 18:1059-1076, for the trace; the rest elementary. Limits: quaternions and loops are refused.
//! Tests: `a_linear_problem_has_its_closed_form`, `a_gap_is_bridged_and_noise_is_smoothed`, `a_stated_noise_leaves_what_degrees_of_freedom_leave_of_it`.

use super::bounds::{Freedom, freedoms};
use super::marker_sums::{Aim, MarkerSums};
use super::{Refusal, Solver, Target};
use crate::constraint::RowKind;
use crate::frames::Frames;
use crate::kinematics::Options;
use crate::system::System;
use borelli_math::Vec3;
use borelli_math::random::Random;
use borelli_model::Explain;

/// How smooth a motion is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoothness {
    /// μ itself, m² s³/rad².
    Given(f64),
    /// Such that what is left of markers, in each direction, is what this noise leaves, m; equation (2).
    Noise(f64),
    /// Such that measured points that were left out are predicted best.
    CrossValidation,
}

/// A smooth motion.
#[derive(Clone, Debug)]
pub struct Smooth {
    /// Coordinates of every frame.
    pub q: Vec<Vec<f64>>,
    /// μ.
    pub mu: f64,
    /// Root mean square distance of the markers with a weight, m.
    pub rms: f64,
    /// Steps taken with this μ.
    pub iterations: usize,
    /// A minimum was reached.
    pub converged: bool,
}

/// Why a motion cannot be smoothed.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each variant's message says what its fields are
pub enum SmoothRefusal {
    Frame { frame: usize, refusal: Refusal },
    Quaternions,
    Loops,
    BadSmoothness { value: f64 },
    BadStep { dt: f64 },
    WrongCount { frames: usize, poses: usize },
}

impl Explain for SmoothRefusal {
    fn code(&self) -> &'static str {
        use SmoothRefusal::*;
        match self {
            Frame { refusal, .. } => refusal.code(),
            Quaternions => "quaternion-coordinate",
            Loops => "loops-not-smoothed",
            BadSmoothness { .. } => "bad-smoothness",
            BadStep { .. } => "bad-step",
            WrongCount { .. } => "wrong-count",
        }
    }

    fn message(&self) -> String {
        use SmoothRefusal::*;
        match self {
            Frame { frame, refusal } => format!("frame {frame}: {}", refusal.message()),
            Quaternions => "the model has joints with quaternions, whose second differences are no smoothness".into(),
            Loops => "the model has loops, which smoothing does not keep".into(),
            BadSmoothness { value } => format!("{value} is neither a smoothness nor a noise"),
            BadStep { dt } => format!("frames are {dt} s apart"),
            WrongCount { frames, poses } => format!("{frames} frames, but {poses} poses to begin with"),
        }
    }

    fn hint(&self) -> Option<String> {
        use SmoothRefusal::*;
        match self {
            Frame { refusal, .. } => refusal.hint(),
            Quaternions => Some("use `gimbal` for `ball`, and rotation = \"angles\" for `free`".into()),
            Loops => Some("fit frame by frame".into()),
            BadSmoothness { .. } | BadStep { .. } => Some("give a positive finite number".into()),
            WrongCount { .. } => Some("give one pose for every frame".into()),
        }
    }
}

/// Finds a smooth motion; `start` has a pose for every frame, as frame-by-frame fitting gives them. Nothing where `stop` says so on the way.
pub fn smooth(
    system: &System,
    dt: f64,
    frames: &[Vec<Target>],
    start: &[Vec<f64>],
    smoothness: Smoothness,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Smooth>, SmoothRefusal> {
    let freedoms = freedoms(system);
    if freedoms.iter().any(|freedom| !freedom.plain) {
        return Err(SmoothRefusal::Quaternions);
    }
    if system.names.rows.iter().any(|row| row.kind == RowKind::Loop) {
        return Err(SmoothRefusal::Loops);
    }
    if frames.len() != start.len() {
        return Err(SmoothRefusal::WrongCount { frames: frames.len(), poses: start.len() });
    }
    if !(dt > 0.0 && dt.is_finite()) {
        return Err(SmoothRefusal::BadStep { dt });
    }
    if let Smoothness::Given(value) | Smoothness::Noise(value) = smoothness
        && !(value > 0.0 && value.is_finite())
    {
        return Err(SmoothRefusal::BadSmoothness { value });
    }
    // The solver of one frame checks what each frame gives.
    let mut checker = Solver::new(system, Options::default());
    let mut aims = Vec::with_capacity(frames.len());
    for (k, (targets, q)) in frames.iter().zip(start).enumerate() {
        checker.take(system, targets, &[], q).map_err(|refusal| SmoothRefusal::Frame { frame: k, refusal })?;
        aims.push(checker.aims.clone());
    }
    let mut whole = Whole::new(system, freedoms, dt, aims, stop);
    let mu = match smoothness {
        Smoothness::Given(mu) => mu,
        Smoothness::Noise(noise) => whole.by_noise(start, noise),
        Smoothness::CrossValidation => whole.by_prediction(start),
    };
    let found = whole.fit(mu, start);
    Ok((!stop()).then_some(found))
}

/// Everything that fits of several μ share.
struct Whole<'s> {
    system: &'s System,
    freedoms: Vec<Freedom>,
    dt: f64,
    aims: Vec<Vec<Aim>>,
    frames: Frames<f64>,
    sums: MarkerSums,
    still: Vec<f64>,
    /// Lower half of the matrix, 2n + 1 entries a row, the diagonal last.
    band: Vec<f64>,
    gradient: Vec<f64>,
    stop: &'s dyn Fn() -> bool,
}

impl<'s> Whole<'s> {
    fn new(system: &'s System, freedoms: Vec<Freedom>, dt: f64, aims: Vec<Vec<Aim>>, stop: &'s dyn Fn() -> bool) -> Self {
        let (n, most) = (freedoms.len(), aims.iter().map(Vec::len).max().unwrap_or(0));
        let size = n * aims.len();
        Whole {
            system,
            freedoms,
            dt,
            frames: Frames::new(&system.skeleton),
            sums: MarkerSums::new(&system.skeleton, most),
            still: vec![0.0; n],
            band: vec![0.0; size * (2 * n + 1)],
            gradient: vec![0.0; size],
            stop,
            aims,
        }
    }

    /// Looks at one frame; its f.
    fn look(&mut self, k: usize, q: &[f64]) -> f64 {
        let System { skeleton, numbers, .. } = self.system;
        self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, &self.still, &[]);
        self.frames.fill_points(skeleton);
        self.sums.measure(skeleton, &self.frames, &self.aims[k])
    }

    /// Value of (1).
    fn value(&mut self, mu: f64, q: &[Vec<f64>]) -> f64 {
        let fits: f64 = (0..q.len()).map(|k| self.look(k, &q[k])).sum();
        let bend =
            |w: &[Vec<f64>]| -> f64 { self.freedoms.iter().map(|f| (w[0][f.coord] - 2.0 * w[1][f.coord] + w[2][f.coord]).powi(2)).sum() };
        fits + mu / self.dt.powi(3) * q.windows(3).map(bend).sum::<f64>()
    }

    /// Half the gradient of (1) and half its Gauss-Newton matrix.
    fn differentiate(&mut self, mu: f64, q: &[Vec<f64>]) {
        let (n, count) = (self.freedoms.len(), q.len());
        let width = 2 * n + 1;
        let share = mu / self.dt.powi(3);
        self.band.fill(0.0);
        self.gradient.fill(0.0);
        for k in 0..count {
            self.look(k, &q[k]);
            let System { skeleton, numbers, .. } = self.system;
            self.sums.differentiate(skeleton, &numbers.tree, &self.frames, &q[k], &self.aims[k], false);
            for e in 0..n {
                let row = k * n + e;
                self.gradient[row] = self.sums.gradient[e];
                let line = &mut self.band[row * width..(row + 1) * width];
                line[2 * n - e..].copy_from_slice(&self.sums.normal[e * n..=e * n + e]);
            }
        }
        for k in 1..count.saturating_sub(1) {
            for (e, freedom) in self.freedoms.iter().enumerate() {
                let x = |k: usize| q[k][freedom.coord];
                let bend = x(k - 1) - 2.0 * x(k) + x(k + 1);
                for (at, factor) in [(k - 1, 1.0), (k, -2.0), (k + 1, 1.0)] {
                    let row = at * n + e;
                    self.gradient[row] += share * factor * bend;
                    for (other, with) in [(k - 1, 1.0), (k, -2.0), (k + 1, 1.0)].into_iter().filter(|(other, _)| *other <= at) {
                        self.band[row * width + 2 * n - (at - other) * n] += share * factor * with;
                    }
                }
            }
        }
    }

    /// Takes coordinates that may not move out of the equations.
    fn hold(&mut self, q: &[Vec<f64>]) {
        let n = self.freedoms.len();
        let width = 2 * n + 1;
        let size = self.gradient.len();
        for (k, pose) in q.iter().enumerate() {
            for (e, freedom) in self.freedoms.iter().enumerate() {
                let (row, x) = (k * n + e, pose[freedom.coord]);
                let slope = self.gradient[row];
                let beyond = x <= freedom.lower && slope > 0.0 || x >= freedom.upper && slope < 0.0;
                if !(freedom.locked || beyond) {
                    continue;
                }
                self.gradient[row] = 0.0;
                self.band[row * width..(row + 1) * width].fill(0.0);
                self.band[row * width + 2 * n] = 1.0;
                for below in row + 1..(row + 2 * n + 1).min(size) {
                    self.band[below * width + 2 * n - (below - row)] = 0.0;
                }
            }
        }
    }

    /// Goes down to the minimum of (1).
    fn fit(&mut self, mu: f64, start: &[Vec<f64>]) -> Smooth {
        let n = self.freedoms.len();
        let width = 2 * n + 1;
        let mut q = start.to_vec();
        for freedom in self.freedoms.iter().filter(|f| f.bounded() && !f.locked) {
            q.iter_mut().for_each(|pose| pose[freedom.coord] = pose[freedom.coord].clamp(freedom.lower, freedom.upper));
        }
        let mut value = self.value(mu, &q);
        let (mut damping, mut iterations, mut converged) = (0.0, 0, false);
        while iterations < 100 && !converged && !(self.stop)() {
            self.differentiate(mu, &q);
            self.hold(&q);
            let mut accepted = false;
            for _ in 0..15 {
                let mut factor = self.band.clone();
                let largest = (0..self.gradient.len()).map(|row| factor[row * width + 2 * n]).fold(0.0, f64::max);
                for row in 0..self.gradient.len() {
                    // A coordinate that no marker of any frame sees goes on as it is.
                    factor[row * width + 2 * n] += damping * self.band[row * width + 2 * n] + 1e-14 * largest;
                }
                let mut step: Vec<f64> = self.gradient.iter().map(|g| -g).collect();
                if !factor_band(&mut factor, 2 * n, step.len()) {
                    damping = if damping == 0.0 { 1e-6 } else { 10.0 * damping };
                    continue;
                }
                solve_band(&factor, 2 * n, &mut step);
                let mut trial = q.clone();
                let mut size = 0.0_f64;
                for (pose, step) in trial.iter_mut().zip(step.chunks(n)) {
                    for (freedom, x) in self.freedoms.iter().zip(step) {
                        let old = pose[freedom.coord];
                        pose[freedom.coord] = (old + x).clamp(freedom.lower.min(old), freedom.upper.max(old));
                        size = size.max((pose[freedom.coord] - old).abs());
                    }
                }
                let reached = self.value(mu, &trial);
                if reached < value || size < 1e-8 && reached <= value * (1.0 + 1e-9) {
                    converged = size < 1e-8 || value - reached <= 1e-14 * value;
                    (q, value, accepted) = (trial, reached, true);
                    break;
                }
                damping = if damping == 0.0 { 1e-4 } else { 10.0 * damping };
            }
            if !accepted {
                break;
            }
            iterations += 1;
            damping = if damping > 1e-7 { 0.1 * damping } else { 0.0 };
        }
        let rms = self.rms(&q);
        Smooth { q, mu, rms, iterations, converged }
    }

    /// Root mean square distance of the markers with a weight.
    fn rms(&mut self, q: &[Vec<f64>]) -> f64 {
        let (mut sum, mut count) = (0.0, 0_usize);
        for k in 0..q.len() {
            self.look(k, &q[k]);
            for (aim, error) in self.aims[k].iter().zip(&self.sums.error).filter(|(aim, _)| aim.share > 0.0) {
                debug_assert!(aim.share.is_finite());
                sum += error.dot(*error);
                count += 1;
            }
        }
        if count > 0 { (sum / count as f64).sqrt() } else { 0.0 }
    }

    /// The largest μ for which (2) holds; the least one tried where it holds for none, and the largest where it holds for all.
    fn by_noise(&mut self, start: &[Vec<f64>], noise: f64) -> f64 {
        let axes = f64::from(if self.system.skeleton.planar { 2 } else { 3 });
        let points = self.aims.iter().flatten().filter(|aim| aim.share > 0.0).count() as f64;
        let mut from = start.to_vec();
        let mut holds = |own: &mut Self, power: f64| {
            let mu = 10_f64.powf(power);
            let fit = own.fit(mu, &from);
            let left = axes * points - own.used(mu, &fit.q);
            let good = points * fit.rms * fit.rms <= noise * noise * left;
            // Far beyond it nothing better follows.
            let hopeless = fit.rms * fit.rms > 4.0 * axes * noise * noise;
            from = fit.q;
            (good, hopeless)
        };
        let (mut low, mut high, mut power) = (LEAST_POWER, LEAST_POWER, LEAST_POWER);
        while power <= MOST_POWER && !(self.stop)() {
            let (good, hopeless) = holds(self, power);
            if good {
                (low, high) = (power, (power + POWER_STEP).min(MOST_POWER));
            }
            if hopeless {
                break;
            }
            power += POWER_STEP;
        }
        while high - low > 0.05 && !(self.stop)() {
            let middle = 0.5 * (low + high);
            if holds(self, middle).0 { low = middle } else { high = middle }
        }
        10_f64.powf(0.5 * (low + high))
    }

    /// How many of the measured numbers a fit with this μ, which led to `q`, uses up: the trace of A in (2).
    fn used(&mut self, mu: f64, q: &[Vec<f64>]) -> f64 {
        let n = self.freedoms.len();
        let width = 2 * n + 1;
        self.differentiate(mu, q);
        self.hold(q);
        let mut factor = self.band.clone();
        let largest = (0..self.gradient.len()).map(|row| factor[row * width + 2 * n]).fold(0.0, f64::max);
        (0..self.gradient.len()).for_each(|row| factor[row * width + 2 * n] += 1e-14 * largest);
        if !factor_band(&mut factor, 2 * n, self.gradient.len()) {
            return 0.0;
        }
        let before = self.gradient.clone();
        let (planar, measured) = (self.system.skeleton.planar, self.aims.clone());
        let mut random = Random::new(1);
        let mut trace = 0.0;
        for _ in 0..PROBES {
            let mut sign = |counts: bool| {
                if !counts {
                    0.0
                } else if random.bits() & 1 == 0 {
                    1.0
                } else {
                    -1.0
                }
            };
            let signs: Vec<Vec<Vec3<f64>>> = measured
                .iter()
                .map(|aims| {
                    aims.iter().map(|aim| aim.share > 0.0).map(|on| Vec3 { x: sign(on), y: sign(on), z: sign(on && !planar) }).collect()
                })
                .collect();
            for (aims, signs) in self.aims.iter_mut().zip(&signs) {
                aims.iter_mut().zip(signs).for_each(|(aim, sign)| aim.measured += sign.scale(PROBE));
            }
            self.differentiate(mu, q);
            self.hold(q);
            let mut step: Vec<f64> = before.iter().zip(&self.gradient).map(|(before, after)| before - after).collect();
            self.aims.clone_from(&measured);
            solve_band(&factor, 2 * n, &mut step);
            for (k, (pose, step)) in q.iter().zip(step.chunks(n)).enumerate() {
                let mut moved = pose.clone();
                self.freedoms.iter().zip(step).filter(|(freedom, _)| !freedom.locked).for_each(|(freedom, x)| moved[freedom.coord] += x);
                self.look(k, pose);
                let old = self.sums.error.clone();
                self.look(k, &moved);
                trace +=
                    self.sums.error.iter().zip(&old).zip(&signs[k]).map(|((new, old), sign)| (*new - *old).dot(*sign)).sum::<f64>() / PROBE;
            }
        }
        trace / f64::from(PROBES)
    }

    /// μ that predicts best what was left out: every tenth measured point.
    fn by_prediction(&mut self, start: &[Vec<f64>]) -> f64 {
        let all = self.aims.clone();
        let mut counter = 0;
        let mut left_out: Vec<Vec<Aim>> = Vec::with_capacity(all.len());
        for (kept, aims) in self.aims.iter_mut().zip(&all) {
            let mut out = Vec::new();
            kept.clear();
            for aim in aims {
                counter += 1;
                if counter % 10 == 0 { out.push(*aim) } else { kept.push(*aim) }
            }
            left_out.push(out);
        }
        let mut best = (f64::INFINITY, LEAST_POWER);
        let mut from = start.to_vec();
        let mut power = LEAST_POWER;
        while power <= MOST_POWER && !(self.stop)() {
            let fit = self.fit(10_f64.powf(power), &from);
            let kept = std::mem::replace(&mut self.aims, std::mem::take(&mut left_out));
            let missed = self.rms(&fit.q);
            left_out = std::mem::replace(&mut self.aims, kept);
            if missed < best.0 {
                best = (missed, power);
            }
            from = fit.q;
            power += POWER_STEP;
        }
        self.aims = all;
        10_f64.powf(best.1)
    }
}

/// Powers of ten between which μ is sought.
const LEAST_POWER: f64 = -14.0;
const MOST_POWER: f64 = 0.0;
/// Between two that are tried.
const POWER_STEP: f64 = 0.5;
/// Vectors of signs for a trace, and how far points are moved along them, m.
const PROBES: u32 = 4;
const PROBE: f64 = 1e-6;

/// Cholesky factor of a band in place, rows of `half` + 1 entries, the diagonal last; false where it is not positive definite.
fn factor_band(a: &mut [f64], half: usize, size: usize) -> bool {
    let width = half + 1;
    for i in 0..size {
        let (above, rest) = a.split_at_mut(i * width);
        let row = &mut rest[..width];
        let first = i.saturating_sub(half);
        for j in first..i {
            let other = &above[j * width..(j + 1) * width];
            let from = first.max(j.saturating_sub(half));
            let (mine, theirs) = (from + half - i, from + half - j);
            let count = j - from;
            let sum = super::dense::dot(&row[mine..mine + count], &other[theirs..theirs + count]);
            row[j + half - i] = (row[j + half - i] - sum) / other[half];
        }
        let known = &row[first + half - i..half];
        let pivot = row[half] - super::dense::dot(known, known);
        if !(pivot > 0.0) {
            return false;
        }
        row[half] = pivot.sqrt();
    }
    true
}

/// Solves with the factor of a band, in place.
fn solve_band(l: &[f64], half: usize, x: &mut [f64]) {
    let width = half + 1;
    for i in 0..x.len() {
        let first = i.saturating_sub(half);
        let row = &l[i * width..(i + 1) * width];
        let sum = super::dense::dot(&row[first + half - i..half], &x[first..i]);
        x[i] = (x[i] - sum) / row[half];
    }
    for i in (0..x.len()).rev() {
        let first = i.saturating_sub(half);
        let row = &l[i * width..(i + 1) * width];
        x[i] /= row[half];
        let known = x[i];
        for (x, l) in x[first..i].iter_mut().zip(&row[first + half - i..half]) {
            *x -= l * known;
        }
    }
}
