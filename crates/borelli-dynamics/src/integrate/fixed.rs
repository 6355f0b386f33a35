//! Steps of a given length with any explicit Runge-Kutta tableau; dense output is the cubic through both ends and their rates.
//! Not here: the tableaus (`heun`, `rk4`).
//! In: a tableau and `Settings::step`. Out: steps; the last one before a breakpoint or the end is shortened to fit.

use super::drive::{Guard, finite};
use super::failure::{Failure, Trouble};
use super::ode::Settings;
use super::{Interpolant, Method};

/// An explicit Runge-Kutta method; row i of `a` makes stage i + 1, the last row of the method is `b`.
pub struct Tableau {
    /// Order.
    pub order: usize,
    /// Weights of earlier stages, for stages 1, 2, ...
    pub a: &'static [&'static [f64]],
    /// Weights of the stages in the result.
    pub b: &'static [f64],
    /// Time of each stage, of the step.
    pub c: &'static [f64],
}

/// A fixed-step method with its memory.
pub struct Fixed {
    tableau: &'static Tableau,
    t_start: f64,
    steps: u64,
    t0: f64,
    t1: f64,
    y0: Vec<f64>,
    y1: Vec<f64>,
    rate1: Vec<f64>,
    stage: Vec<f64>,
    k: Vec<Vec<f64>>,
}

impl Fixed {
    /// Memory for states of a length.
    pub fn new(tableau: &'static Tableau, dim: usize) -> Self {
        let list = || vec![0.0; dim];
        Fixed {
            tableau,
            t_start: 0.0,
            steps: 0,
            t0: 0.0,
            t1: 0.0,
            y0: list(),
            y1: list(),
            rate1: list(),
            stage: list(),
            k: tableau.b.iter().map(|_| list()).collect(),
        }
    }

    /// The stages and the new state of a step of length `h` from `t0`.
    fn stages(&mut self, guard: &mut Guard, h: f64) -> Result<(), Trouble> {
        for s in 1..self.tableau.b.len() {
            let (done, rest) = self.k.split_at_mut(s);
            combine(&self.y0, h, self.tableau.a[s - 1], done, &mut self.stage);
            guard.rates(self.t0 + self.tableau.c[s] * h, &self.stage, &mut rest[0])?;
        }
        combine(&self.y0, h, self.tableau.b, &self.k, &mut self.y1);
        finite(&self.y1)
    }
}

/// `out = y + h Σ weight_j k_j`.
fn combine(y: &[f64], h: f64, weight: &[f64], k: &[Vec<f64>], out: &mut [f64]) {
    for i in 0..out.len() {
        let mut slope = 0.0;
        for (w, k) in weight.iter().zip(k) {
            slope += w * k[i];
        }
        out[i] = y[i] + h * slope;
    }
}

impl Method for Fixed {
    fn start(&mut self, guard: &mut Guard, settings: &Settings, t: f64, _limit: f64, y: &[f64]) -> Result<(), Failure> {
        if settings.step.is_none() {
            return Err(Failure::BadSetting { name: "step", value: f64::NAN });
        }
        if y.len() != self.y0.len() {
            return Err(Failure::WrongLength { expected: self.y0.len(), found: y.len() });
        }
        (self.t_start, self.steps, self.t1) = (t, 0, t);
        self.y1.copy_from_slice(y);
        guard.rates(t, y, &mut self.rate1).map_err(|trouble| Failure::of(trouble, t))
    }

    fn advance(&mut self, guard: &mut Guard, settings: &Settings, limit: f64, y: &mut [f64]) -> Result<f64, Failure> {
        let length = settings.step.ok_or(Failure::BadSetting { name: "step", value: f64::NAN })?;
        guard.attempt(settings, self.t1)?;
        self.t0 = self.t1;
        self.y0.copy_from_slice(y);
        self.k[0].copy_from_slice(&self.rate1);
        self.steps += 1;
        let end = fixed_end(self.t_start, self.steps, length, limit);
        let h = end - self.t0;
        if !(h > 0.0) {
            return Err(Failure::StepTooSmall { t: self.t0, step: length, entry: 0 });
        }
        let t0 = self.t0;
        self.stages(guard, h).map_err(|trouble| Failure::of(trouble, t0))?;
        guard.accepted(end, &mut self.y1);
        guard.rates(end, &self.y1, &mut self.rate1).map_err(|trouble| Failure::of(trouble, t0))?;
        self.t1 = end;
        guard.statistics.note_step(h, self.tableau.order);
        y.copy_from_slice(&self.y1);
        Ok(end)
    }
}

impl Interpolant for Fixed {
    fn eval(&self, t: f64, y: &mut [f64]) {
        let h = self.t1 - self.t0;
        if t >= self.t1 || h <= 0.0 {
            return y.copy_from_slice(&self.y1);
        }
        cubic((self.t0, self.t1), t, [&self.y0, &self.y1], [&self.k[0], &self.rate1], y);
    }
}

/// End of step number `steps` of a piece: counted from its start, so that times do not drift; a remainder of rounding joins the last step.
pub fn fixed_end(t_start: f64, steps: u64, length: f64, limit: f64) -> f64 {
    let end = t_start + steps as f64 * length;
    if end + 1e-9 * length >= limit { limit } else { end }
}

/// The cubic through two states with given rates.
pub fn cubic((t0, t1): (f64, f64), t: f64, [y0, y1]: [&[f64]; 2], [rate0, rate1]: [&[f64]; 2], y: &mut [f64]) {
    let h = t1 - t0;
    let s = (t - t0) / h;
    let r = 1.0 - s;
    for i in 0..y.len() {
        let rise = y1[i] - y0[i];
        let bend = r * (h * rate0[i] - rise) - s * (h * rate1[i] - rise);
        y[i] = y0[i] + s * (rise + r * bend);
    }
}
