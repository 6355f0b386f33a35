//! RODASP 4(3): a linearly implicit method of order 4, L-stable and stiffly accurate, with an embedded result of order 3 and dense output of order 3.
//! Not here: slopes and solves (the equation has them), the norm and the first step (`control`), Jacobians by differences (there are none).
//! Sources: Hairer, Wanner, Solving ODEs II, section VI.4 (RODAS); Steinebach, Preprint 1741, TH Darmstadt (1995), for the coefficients,
//! which keep more of the order than the first RODAS on stiff parts that are driven in time.
//!
//!     (I/(γh) - J) u_i = f(t + α_i h, y + Σ a_ij u_j) + Σ c_ij u_j / h + γ_i h ∂f/∂t,    y_new = stage 6 + u_6,    error = u_6
//!
//! One Jacobian per accepted step, one factorisation per attempt. Both the result and the embedded one are L-stable.
//! On a very stiff part driven in time the error is h³ over the stiffness (tested).

use super::control::{Miss, first_step, fit, norm, shorter, weights, worst};
use super::drive::Guard;
use super::failure::{Failure, Trouble};
use super::ode::Settings;
use super::{Interpolant, Method};

const STAGES: usize = 6;
const GAMMA: f64 = 0.25;
const ALPHA: [f64; STAGES] = [0.0, 0.75, 0.21, 0.63, 1.0, 1.0];
/// γ_i, the weight of the time derivative.
const DRIVE: [f64; STAGES] = [0.25, -0.5, -0.023504, -0.0362, 0.0, 0.0];
/// Rows are filled up with zeros, so that a sum over all stages is one over those that are done.
const A: [[f64; STAGES]; STAGES] = [
    [0.0; STAGES],
    [3.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [1.831036793486759, 0.4955183967433795, 0.0, 0.0, 0.0, 0.0],
    [2.304376582692669, -0.05249275245743001, -1.176798761832782, 0.0, 0.0, 0.0],
    [-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401, 0.0, 0.0],
    [-7.170454962423024, -4.741636671481785, -16.31002631330971, -1.062004044111401, 1.0, 0.0],
];
const C: [[f64; STAGES]; STAGES] = [
    [0.0; STAGES],
    [-12.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [-8.791795173947035, -2.207865586973518, 0.0, 0.0, 0.0, 0.0],
    [10.81793056857153, 6.780270611428266, 19.5348594464241, 0.0, 0.0, 0.0],
    [34.19095006749676, 15.49671153725963, 54.7476087596413, 14.16005392148534, 0.0, 0.0],
    [34.62605830930532, 15.30084976114473, 56.99955578662667, 18.40807009793095, -5.714285714285717, 0.0],
];
/// The two inner terms of the dense output.
const D: [[f64; STAGES]; 2] = [
    [25.09876703708589, 11.62013104361867, 28.49148307714626, -5.664021568594133, 0.0, 0.0],
    [1.638054557396973, -0.7373619806678748, 8.47791821923899, 15.9925314877952, -1.882352941176471, 0.0],
];
const SAFETY: f64 = 0.9;

/// The method with its memory.
pub struct Rosenbrock {
    t0: f64,
    t1: f64,
    h_next: f64,
    /// Length and error of the last accepted step, for the predictive control; none after a start.
    before: Option<(f64, f64)>,
    y0: Vec<f64>,
    y1: Vec<f64>,
    stage: Vec<f64>,
    weight: Vec<f64>,
    /// Rates at the start of the next step.
    rate: Vec<f64>,
    rate_t: Vec<f64>,
    /// Right side of a stage, then its solution; after a trial the error.
    solution: Vec<f64>,
    /// Solutions of all stages, those of one entry of the state side by side: the sums over stages are what a step of a small system spends its time on.
    u: Vec<[f64; STAGES]>,
    dense: [Vec<f64>; 2],
}

/// A Rosenbrock method for states of a length.
pub fn build(dim: usize) -> Box<dyn Method> {
    let list = || vec![0.0; dim];
    Box::new(Rosenbrock {
        t0: 0.0,
        t1: 0.0,
        h_next: 0.0,
        before: None,
        y0: list(),
        y1: list(),
        stage: list(),
        weight: list(),
        rate: list(),
        rate_t: list(),
        solution: list(),
        u: vec![[0.0; STAGES]; dim],
        dense: std::array::from_fn(|_| list()),
    })
}

/// Sum over the stages of one entry.
#[inline(always)]
fn weighted(weight: &[f64; STAGES], u: &[f64; STAGES]) -> f64 {
    let mut sum = 0.0;
    for j in 0..STAGES {
        sum += weight[j] * u[j];
    }
    sum
}

/// Much cheaper than a power, and as exact.
fn fourth_root(x: f64) -> f64 {
    x.sqrt().sqrt()
}

impl Rosenbrock {
    /// All stages of a trial of length `h` (result in `y1`), and its error relative to the tolerance.
    fn trial(&mut self, guard: &mut Guard, settings: &Settings, t: f64, y: &[f64], h: f64) -> Result<f64, Trouble> {
        guard.factor(1.0 / (GAMMA * h))?;
        self.u.fill([0.0; STAGES]);
        for s in 0..STAGES {
            if s == 0 {
                self.solution.copy_from_slice(&self.rate);
            } else {
                for ((stage, y), u) in self.stage.iter_mut().zip(y).zip(&self.u) {
                    *stage = y + weighted(&A[s], u);
                }
                guard.rates(t + ALPHA[s] * h, &self.stage, &mut self.solution)?;
            }
            for ((right, u), rate_t) in self.solution.iter_mut().zip(&self.u).zip(&self.rate_t) {
                *right += weighted(&C[s], u) / h + DRIVE[s] * h * rate_t;
            }
            guard.solve(&mut self.solution);
            self.u.iter_mut().zip(&self.solution).for_each(|(u, solution)| u[s] = *solution);
        }
        for ((y1, stage), error) in self.y1.iter_mut().zip(&self.stage).zip(&self.solution) {
            *y1 = stage + error;
        }
        weights(settings, y, &self.y1, &mut self.weight);
        Ok(norm(&self.solution, &self.weight))
    }

    fn keep(&mut self, y: &[f64]) {
        self.y0.copy_from_slice(y);
        for (list, weight) in self.dense.iter_mut().zip(&D) {
            list.iter_mut().zip(&self.u).for_each(|(dense, u)| *dense = weighted(weight, u));
        }
    }

    /// Rates and their derivatives at the start of the next step.
    fn linearise(&mut self, guard: &mut Guard, t: f64, y: &[f64]) -> Result<(), Failure> {
        guard.prepare(t, y, &mut self.rate, &mut self.rate_t).map_err(|trouble| Failure::of(trouble, t))
    }
}

impl Method for Rosenbrock {
    fn start(&mut self, guard: &mut Guard, settings: &Settings, t: f64, limit: f64, y: &[f64]) -> Result<(), Failure> {
        if y.len() != self.y0.len() {
            return Err(Failure::WrongLength { expected: self.y0.len(), found: y.len() });
        }
        self.t1 = t;
        self.before = None;
        self.linearise(guard, t, y)?;
        let scratch = [&mut self.weight[..], &mut self.stage, &mut self.solution];
        self.h_next = first_step(guard, settings, (t, limit), y, &self.rate, 4, scratch);
        Ok(())
    }

    fn advance(&mut self, guard: &mut Guard, settings: &Settings, limit: f64, y: &mut [f64]) -> Result<f64, Failure> {
        let t = self.t1;
        let mut rejected = false;
        if self.before.is_some() {
            self.linearise(guard, t, y)?;
        }
        loop {
            guard.attempt(settings, t)?;
            let (h, end) = fit(self.h_next.min(settings.max_step), t, limit);
            let error = match self.trial(guard, settings, t, y, h) {
                Ok(error) => error,
                Err(trouble) => {
                    guard.statistics.rejected += 1;
                    rejected = true;
                    self.h_next = shorter(settings, t, 0.25 * h, Miss::Trouble(trouble))?;
                    continue;
                }
            };
            let mut scale = (fourth_root(error) / SAFETY).clamp(1.0 / 6.0, 5.0);
            if !(error <= 1.0) {
                guard.statistics.rejected += 1;
                rejected = true;
                let scale = if error.is_finite() { scale } else { 10.0 };
                self.h_next = shorter(settings, t, h / scale, Miss::Error(worst(&self.solution, &self.weight)))?;
                continue;
            }
            if let Some((h_before, error_before)) = self.before {
                let trend = (h_before / h) * fourth_root(error * error / error_before) / SAFETY;
                scale = scale.max(trend.clamp(1.0 / 6.0, 5.0));
            }
            self.before = Some((h, error.max(1e-2)));
            self.h_next = if rejected { (h / scale).min(h) } else { h / scale };
            self.keep(y);
            (self.t0, self.t1) = (t, end);
            // Rates and Jacobian at the end are taken when the next step begins, at the corrected state.
            guard.accepted(end, &mut self.y1);
            guard.statistics.note_step(h, 4);
            y.copy_from_slice(&self.y1);
            return Ok(end);
        }
    }
}

impl Interpolant for Rosenbrock {
    fn eval(&self, t: f64, y: &mut [f64]) {
        if t >= self.t1 {
            return y.copy_from_slice(&self.y1);
        }
        let s = (t - self.t0) / (self.t1 - self.t0);
        let r = 1.0 - s;
        let [inner, fine] = &self.dense;
        for i in 0..y.len() {
            y[i] = r * self.y0[i] + s * (self.y1[i] + r * (inner[i] + s * fine[i]));
        }
    }
}
