//! Adams PECE of orders 1 to 12 with variable steps, on modified divided differences; dense output from its own polynomial.
//! Not here: the loop (`drive`), the norm (`control`). Steps are not carried beyond the end: the last one is cut to fit.
//! Source: Shampine, Gordon, Computer Solution of Ordinary Differential Equations (1975), chapters 5 to 10; error per step, local extrapolation.
//!
//! With steps h_n and ψ_i(n+1) = h_{n+1} + ... + h_{n+2-i}: α_i = h/ψ_i, β_i = Π_{j<i} ψ_j(n+1)/ψ_j(n), σ_{i+1} = i α_i σ_i,
//! g_i from g_{1,q} = 1/q, g_{i+1,q} = g_{i,q} - α_i g_{i,q+1}, g_i = g_{i,1}, φ*_i = β_i φ_i(n):
//!
//!     p = y + h Σ_{i≤k} g_i φ*_i,   φᵖ_i = φᵖ_{i+1} + φ*_i,   y_new = p + h g_{k+1} (f(p) - φᵖ_1),   error = h (g_k - g_{k+1}) (f(p) - φᵖ_1)
//!
//! Departures: tolerances weigh each entry by atol + rtol |y| (the norm is the source's root of the sum of squares); the coefficients g are built anew each step
//! from the history of steps; rounding is not propagated; a linear term joins the dense output to the start of the step.

use super::control::{Miss, fit, norm, shorter, shortest, weights, worst};
use super::drive::Guard;
use super::failure::{Failure, Trouble};
use super::ode::Settings;
use super::{Interpolant, Method};

const HIGHEST: usize = 12;
/// Lists are counted from 1, as in the source; entry 0 is not used.
const LISTS: usize = HIGHEST + 3;

/// Errors of a trial relative to the tolerance, as estimated for neighbouring orders with equal steps.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    two_below: f64,
    below: f64,
    here: f64,
    /// The error of the step as made.
    step: f64,
}

/// Root of the sum of squares of the entries over their weights.
fn size(x: &[f64], weight: &[f64]) -> f64 {
    norm(x, weight) * (x.len() as f64).sqrt()
}

/// The method with its memory.
pub struct Adams {
    order: usize,
    order_before: usize,
    /// Steps of equal length up to the present one, at most one more than the order.
    equal: usize,
    /// Orders and steps grow together until the first setback.
    growing: bool,
    h_next: f64,
    t0: f64,
    t1: f64,
    y0: Vec<f64>,
    y1: Vec<f64>,
    /// Accepted steps, the latest first.
    steps: [f64; LISTS],
    alpha: [f64; LISTS],
    beta: [f64; LISTS],
    sigma: [f64; LISTS],
    g: [f64; LISTS],
    /// Size of the coefficients of the Adams-Moulton methods with equal steps.
    moulton: [f64; LISTS],
    phi: Vec<Vec<f64>>,
    predicted: Vec<Vec<f64>>,
    p: Vec<f64>,
    rate: Vec<f64>,
    gap: Vec<f64>,
    weight: Vec<f64>,
    scratch: Vec<f64>,
    /// What the polynomial misses at the start of the step.
    seam: Vec<f64>,
}

/// An Adams method for states of a length.
pub fn build(dim: usize) -> Box<dyn Method> {
    let list = || vec![0.0; dim];
    let mut moulton = [0.0; LISTS];
    moulton[0] = 1.0;
    for m in 1..LISTS {
        moulton[m] = -(0..m).map(|j| moulton[j] / (m + 1 - j) as f64).sum::<f64>();
    }
    Box::new(Adams {
        order: 1,
        order_before: 0,
        equal: 0,
        growing: true,
        h_next: 0.0,
        t0: 0.0,
        t1: 0.0,
        y0: list(),
        y1: list(),
        steps: [0.0; LISTS],
        alpha: [0.0; LISTS],
        beta: [0.0; LISTS],
        sigma: [0.0; LISTS],
        g: [0.0; LISTS],
        moulton: moulton.map(f64::abs),
        phi: (0..LISTS).map(|_| list()).collect(),
        predicted: (0..LISTS).map(|_| list()).collect(),
        p: list(),
        rate: list(),
        gap: list(),
        weight: list(),
        scratch: list(),
        seam: list(),
    })
}

impl Adams {
    /// Coefficients of a step of length `h` at the present order, from the history of steps.
    fn coefficients(&mut self, h: f64) {
        let k = self.order;
        let (mut psi, mut psi_before, mut beta, mut sigma) = (0.0, 0.0, 1.0, 1.0);
        for i in 1..=k + 1 {
            psi += if i == 1 { h } else { self.steps[i - 2] };
            self.beta[i] = beta;
            self.sigma[i] = sigma;
            self.alpha[i] = h / psi;
            psi_before += self.steps[i - 1];
            if psi_before > 0.0 {
                beta *= psi / psi_before;
            }
            sigma *= i as f64 * self.alpha[i];
        }
        self.sigma[k + 2] = sigma;
        let mut w = [0.0; LISTS];
        for q in 1..=k + 1 {
            w[q] = 1.0 / q as f64;
        }
        self.g[1] = 1.0;
        for i in 2..=k + 1 {
            for q in 1..=k + 2 - i {
                w[q] -= self.alpha[i - 1] * w[q + 1];
            }
            self.g[i] = w[1];
        }
    }

    /// Predicts, evaluates and estimates.
    fn trial(&mut self, guard: &mut Guard, settings: &Settings, end: f64, y: &[f64], h: f64) -> Result<Errors, Trouble> {
        let (n, k) = (y.len(), self.order);
        self.coefficients(h);
        self.p.fill(0.0);
        self.predicted[k + 1].fill(0.0);
        for i in (1..=k).rev() {
            let (low, high) = self.predicted.split_at_mut(i + 1);
            let (phi, now, above) = (&self.phi[i], &mut low[i], &high[0]);
            for e in 0..n {
                let scaled = self.beta[i] * phi[e];
                self.p[e] += self.g[i] * scaled;
                now[e] = above[e] + scaled;
            }
        }
        for e in 0..n {
            self.p[e] = y[e] + h * self.p[e];
        }
        guard.rates(end, &self.p, &mut self.rate)?;
        for e in 0..n {
            self.gap[e] = self.rate[e] - self.predicted[1][e];
        }
        weights(settings, y, &self.p, &mut self.weight);
        let far = h * size(&self.gap, &self.weight);
        let mut errors =
            Errors { here: far * self.sigma[k + 1] * self.moulton[k], step: far * (self.g[k] - self.g[k + 1]).abs(), ..Errors::default() };
        if k >= 2 {
            errors.below = self.lower(h, k);
        }
        if k > 2 {
            errors.two_below = self.lower(h, k - 1);
        }
        Ok(errors)
    }

    /// Estimate of the error at order `i - 1`.
    fn lower(&mut self, h: f64, i: usize) -> f64 {
        for e in 0..self.gap.len() {
            self.scratch[e] = self.predicted[i][e] + self.gap[e];
        }
        h * self.sigma[i] * self.moulton[i - 1] * size(&self.scratch, &self.weight)
    }

    /// Whether the order should fall already before the next one above is looked at.
    fn falls(&self, errors: &Errors) -> bool {
        match self.order {
            1 => false,
            2 => errors.below <= 0.5 * errors.here,
            _ => errors.below.max(errors.two_below) <= errors.here,
        }
    }

    /// Order and step of the next step, after a success at length `h`.
    fn choose(&mut self, errors: &Errors, h: f64) {
        let (k, falls) = (self.order, self.falls(errors));
        let mut here = errors.here;
        if falls || k == HIGHEST {
            self.growing = false;
        }
        if self.growing {
            self.order = k + 1;
        } else if falls {
            (self.order, here) = (k - 1, errors.below);
        } else if k < self.equal {
            let above = h * self.moulton[k + 1] * size(&self.phi[k + 2], &self.weight);
            if k > 1 && errors.below <= here.min(above) {
                (self.order, here) = (k - 1, errors.below);
            } else if k < HIGHEST && above < if k == 1 { 0.5 * here } else { here } {
                (self.order, here) = (k + 1, above);
            }
        }
        let power = self.order as i32 + 1;
        self.h_next = if self.growing || here * 2.0_f64.powi(power) <= 0.5 {
            2.0 * h
        } else if here <= 0.5 {
            h
        } else {
            h * (0.5 / here).powf(1.0 / f64::from(power)).clamp(0.5, 0.9)
        };
    }

    /// New differences at the end of the step, from the rates there.
    fn update(&mut self) {
        let k = self.order;
        for e in 0..self.rate.len() {
            let top = self.rate[e] - self.predicted[1][e];
            self.phi[k + 2][e] = top - self.beta[k + 1] * self.phi[k + 1][e];
            self.phi[k + 1][e] = top;
            for i in 1..=k {
                self.phi[i][e] = self.predicted[i][e] + top;
            }
        }
    }

    /// The polynomial through the end of the last step and the rates there and at the points before it.
    fn polynomial(&self, t: f64, y: &mut [f64]) {
        let (k, back) = (self.order_before + 1, t - self.t1);
        // Weight i is the mean, over the way from the end to t, of the i-th Newton factor of the rates.
        let mut w = [0.0; LISTS];
        for q in 1..=k {
            w[q] = 1.0 / q as f64;
        }
        let (mut weight, mut psi, mut before) = ([0.0; LISTS], 0.0, 0.0);
        weight[1] = 1.0;
        for i in 2..=k {
            // By parts: each factor (s + ψ_{i-2}) / ψ_{i-1} lowers the repeated integrals w by one.
            psi += self.steps[i - 2];
            let (gamma, eta) = ((back + before) / psi, back / psi);
            for q in 1..=k + 1 - i {
                w[q] = gamma * w[q] - eta * w[q + 1];
            }
            weight[i] = w[1];
            before = psi;
        }
        for e in 0..y.len() {
            let mut sum = 0.0;
            for i in (1..=k).rev() {
                sum += weight[i] * self.phi[i][e];
            }
            y[e] = self.y1[e] + back * sum;
        }
    }
}

impl Method for Adams {
    fn start(&mut self, guard: &mut Guard, settings: &Settings, t: f64, limit: f64, y: &[f64]) -> Result<(), Failure> {
        if y.len() != self.y0.len() {
            return Err(Failure::WrongLength { expected: self.y0.len(), found: y.len() });
        }
        (self.order, self.order_before, self.equal, self.growing, self.t1) = (1, 0, 0, true, t);
        self.steps = [0.0; LISTS];
        for list in &mut self.phi {
            list.fill(0.0);
        }
        guard.rates(t, y, &mut self.rate).map_err(|trouble| Failure::of(trouble, t))?;
        self.phi[1].copy_from_slice(&self.rate);
        weights(settings, y, y, &mut self.weight);
        let wanted = settings.step.unwrap_or(0.25 / size(&self.rate, &self.weight).sqrt()).min(0.01 * (limit - t));
        self.h_next = wanted.max(shortest(settings, t)).min(settings.max_step);
        Ok(())
    }

    fn advance(&mut self, guard: &mut Guard, settings: &Settings, limit: f64, y: &mut [f64]) -> Result<f64, Failure> {
        let t = self.t1;
        let mut failures = 0;
        loop {
            guard.attempt(settings, t)?;
            let (h, end) = fit(self.h_next.min(settings.max_step), t, limit);
            let tried = self.trial(guard, settings, end, y, h).and_then(|errors| {
                if errors.step <= 1.0 {
                    let far = h * self.g[self.order + 1];
                    for e in 0..y.len() {
                        self.y1[e] = self.p[e] + far * self.gap[e];
                    }
                    guard.rates(end, &self.y1, &mut self.rate)?;
                }
                Ok(errors)
            });
            let errors = match tried {
                Ok(errors) if errors.step <= 1.0 => errors,
                missed => {
                    guard.statistics.rejected += 1;
                    failures += 1;
                    self.growing = false;
                    let (factor, miss) = match missed {
                        Ok(errors) => {
                            if self.falls(&errors) {
                                self.order -= 1;
                            }
                            let factor = if failures > 3 && errors.here > 2.0 { (0.5 / errors.here).sqrt() } else { 0.5 };
                            (factor, Miss::Error(worst(&self.gap, &self.weight)))
                        }
                        Err(trouble) => (0.25, Miss::Trouble(trouble)),
                    };
                    if failures >= 3 {
                        self.order = 1;
                    }
                    self.h_next = shorter(settings, t, factor * h, miss)?;
                    continue;
                }
            };
            if guard.accepted(end, &mut self.y1) {
                guard.rates(end, &self.y1, &mut self.rate).map_err(|trouble| Failure::of(trouble, t))?;
            }
            self.update();
            self.equal = if h != self.steps[0] { 1 } else { (self.equal + 1).min(self.order_before + 1).max(self.equal) };
            self.order_before = self.order;
            guard.statistics.note_step(h, self.order);
            self.steps.copy_within(..LISTS - 1, 1);
            self.steps[0] = h;
            self.choose(&errors, h);
            (self.t0, self.t1) = (t, end);
            self.y0.copy_from_slice(y);
            y.copy_from_slice(&self.y1);
            let mut seam = std::mem::take(&mut self.seam);
            self.polynomial(t, &mut seam);
            for e in 0..y.len() {
                seam[e] = self.y0[e] - seam[e];
            }
            self.seam = seam;
            return Ok(end);
        }
    }
}

impl Interpolant for Adams {
    fn eval(&self, t: f64, y: &mut [f64]) {
        if t >= self.t1 {
            return y.copy_from_slice(&self.y1);
        }
        self.polynomial(t, y);
        let left = (self.t1 - t) / (self.t1 - self.t0);
        for e in 0..y.len() {
            y[e] += left * self.seam[e];
        }
    }
}
