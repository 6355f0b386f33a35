//! Dormand-Prince 5(4): seven stages, the last of which is the first of the next step; dense output of order 4; PI step control.
//! Not here: the first step and the norm (`control`), the loop (`drive`).
//! Sources: Dormand, Prince, J. Comp. Appl. Math. 6 (1980) 19-26; Hairer, Nørsett, Wanner, Solving ODEs I, sections II.4 to II.6.

use super::control::{Miss, first_step, fit, norm, shorter, weights, worst};
use super::drive::Guard;
use super::failure::{Failure, Trouble};
use super::ode::Settings;
use super::{Interpolant, Method};

const STAGES: usize = 7;
const C: [f64; STAGES] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; STAGES - 1] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Result of order 5 less the embedded one of order 4.
const E: [f64; STAGES] = [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
/// Highest term of the dense output.
const D: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];
/// What the last stage stands beside the one before it, at the same time, in parts of the step.
const BESIDE: [f64; STAGES - 1] = [
    35.0 / 384.0 - 9017.0 / 3168.0,
    355.0 / 33.0,
    500.0 / 1113.0 - 46732.0 / 5247.0,
    125.0 / 192.0 - 49.0 / 176.0,
    -2187.0 / 6784.0 + 5103.0 / 18656.0,
    11.0 / 84.0,
];
const SAFETY: f64 = 0.9;
/// Share of the previous error in the choice of the step.
const MEMORY: f64 = 0.04;

/// The method with its memory.
pub struct Dopri5 {
    t0: f64,
    t1: f64,
    h_next: f64,
    error_before: f64,
    y0: Vec<f64>,
    y1: Vec<f64>,
    stage: Vec<f64>,
    error: Vec<f64>,
    weight: Vec<f64>,
    /// Rates at the start of the next step.
    rate: Vec<f64>,
    k: [Vec<f64>; STAGES],
    dense: [Vec<f64>; 4],
    /// h |λ| of the last step.
    strain: f64,
}

/// A Dormand-Prince method for states of a length.
pub fn build(dim: usize) -> Box<dyn Method> {
    let list = || vec![0.0; dim];
    Box::new(Dopri5 {
        t0: 0.0,
        t1: 0.0,
        h_next: 0.0,
        error_before: 1e-4,
        y0: list(),
        y1: list(),
        stage: list(),
        error: list(),
        weight: list(),
        rate: list(),
        k: std::array::from_fn(|_| list()),
        dense: std::array::from_fn(|_| list()),
        strain: 0.0,
    })
}

impl Dopri5 {
    /// All stages of a trial of length `h`, and its error relative to the tolerance.
    fn trial(&mut self, guard: &mut Guard, settings: &Settings, t: f64, y: &[f64], h: f64) -> Result<f64, Trouble> {
        self.k[0].copy_from_slice(&self.rate);
        for s in 1..STAGES {
            let (done, rest) = self.k.split_at_mut(s);
            let row = A[s - 1];
            for i in 0..y.len() {
                let mut slope = 0.0;
                for j in 0..s {
                    slope += row[j] * done[j][i];
                }
                self.stage[i] = y[i] + h * slope;
            }
            guard.rates(t + C[s] * h, &self.stage, &mut rest[0])?;
        }
        // The last stage stands at the result.
        for i in 0..y.len() {
            let mut slope = 0.0;
            for s in 0..STAGES {
                slope += E[s] * self.k[s][i];
            }
            self.error[i] = h * slope;
        }
        weights(settings, y, &self.stage, &mut self.weight);
        Ok(norm(&self.error, &self.weight))
    }

    /// h |λ| by the last two stages, which stand at the same time: what their rates differ by, over what they themselves differ by.
    ///
    /// Source: Hairer, Wanner, Solving ODEs II, section IV.2.
    fn strain_of(&self, driving: usize) -> f64 {
        let (mut rates, mut places) = (0.0, 0.0);
        for i in 0..driving {
            let mut place = 0.0;
            for (weight, k) in BESIDE.iter().zip(&self.k) {
                place += weight * k[i];
            }
            let rate = self.k[STAGES - 1][i] - self.k[STAGES - 2][i];
            (rates, places) = (rates + rate * rate, places + place * place);
        }
        if places > 0.0 { (rates / places).sqrt() } else { 0.0 }
    }

    /// Keeps the step from `y` to the last stage, with its dense output.
    fn keep(&mut self, y: &[f64], h: f64) {
        let [rise, bend, twist, fine] = &mut self.dense;
        for i in 0..y.len() {
            self.y0[i] = y[i];
            self.y1[i] = self.stage[i];
            rise[i] = self.y1[i] - y[i];
            bend[i] = h * self.k[0][i] - rise[i];
            twist[i] = rise[i] - h * self.k[STAGES - 1][i] - bend[i];
            let mut slope = 0.0;
            for s in 0..STAGES {
                slope += D[s] * self.k[s][i];
            }
            fine[i] = h * slope;
        }
    }
}

impl Method for Dopri5 {
    fn start(&mut self, guard: &mut Guard, settings: &Settings, t: f64, limit: f64, y: &[f64]) -> Result<(), Failure> {
        if y.len() != self.y0.len() {
            return Err(Failure::WrongLength { expected: self.y0.len(), found: y.len() });
        }
        self.t1 = t;
        self.error_before = 1e-4;
        guard.rates(t, y, &mut self.rate).map_err(|trouble| Failure::of(trouble, t))?;
        let scratch = [&mut self.weight[..], &mut self.stage, &mut self.error];
        self.h_next = first_step(guard, settings, (t, limit), y, &self.rate, 5, scratch);
        Ok(())
    }

    fn advance(&mut self, guard: &mut Guard, settings: &Settings, limit: f64, y: &mut [f64]) -> Result<f64, Failure> {
        let t = self.t1;
        let mut rejected = false;
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
            let now = error.powf(0.2 - 0.75 * MEMORY);
            if !(error <= 1.0) {
                guard.statistics.rejected += 1;
                rejected = true;
                let scale = if error.is_finite() { (now / SAFETY).min(5.0) } else { 10.0 };
                self.h_next = shorter(settings, t, h / scale, Miss::Error(worst(&self.error, &self.weight)))?;
                continue;
            }
            let scale = (now / self.error_before.powf(MEMORY) / SAFETY).clamp(0.1, 5.0);
            self.error_before = error.max(1e-4);
            self.h_next = if rejected { (h / scale).min(h) } else { h / scale };
            self.keep(y, h);
            self.strain = self.strain_of(guard.driving());
            (self.t0, self.t1) = (t, end);
            self.rate.copy_from_slice(&self.k[STAGES - 1]);
            if guard.accepted(end, &mut self.y1) {
                guard.rates(end, &self.y1, &mut self.rate).map_err(|trouble| Failure::of(trouble, t))?;
            }
            guard.statistics.note_step(h, 5);
            y.copy_from_slice(&self.y1);
            return Ok(end);
        }
    }

    fn strain(&self) -> Option<f64> {
        Some(self.strain)
    }
}

impl Interpolant for Dopri5 {
    fn eval(&self, t: f64, y: &mut [f64]) {
        if t >= self.t1 {
            return y.copy_from_slice(&self.y1);
        }
        let s = (t - self.t0) / (self.t1 - self.t0);
        let r = 1.0 - s;
        let [rise, bend, twist, fine] = &self.dense;
        for i in 0..y.len() {
            y[i] = self.y0[i] + s * (rise[i] + r * (bend[i] + s * (twist[i] + r * fine[i])));
        }
    }
}
