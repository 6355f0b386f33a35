//! Integrators against closed forms and published digits: order, tolerance, stiffness, dense output, events, failures.
//! Not here: models of bodies; the equations are written out below.
//! A new method takes part in the loops over `INTEGRATORS` by its line there.

mod accuracy;
mod allocation;
mod chain;
mod cuts;
mod events;
mod failures;
mod implicit;
mod order;
mod published;
mod stiff;

use super::{DenseSlopes, End, Entry, Failure, INTEGRATORS, Kind, Observer, Ode, Settings, Statistics, Unobserved, find, integrate};
use crate::formulation;

type Rates = fn(f64, &[f64], &mut [f64]);
type Jacobian = fn(f64, &[f64], &mut [f64], &mut [f64]);

/// An equation written as two functions.
#[derive(Clone, Copy)]
struct Equation {
    dim: usize,
    rates: Rates,
    jacobian: Option<Jacobian>,
    breakpoints: &'static [f64],
}

impl Equation {
    /// With memory to solve with its slopes.
    fn solved(self) -> Solved {
        Solved { equation: self, slopes: DenseSlopes::new(self.dim) }
    }
}

/// An equation with its slopes as a full matrix.
struct Solved {
    equation: Equation,
    slopes: DenseSlopes,
}

impl Ode for Solved {
    fn dim(&self) -> usize {
        self.equation.dim
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), formulation::Failure> {
        (self.equation.rates)(t, y, dy);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Result<bool, formulation::Failure> {
        if let Some(jacobian) = self.equation.jacobian {
            jacobian(t, y, jac, dt);
        }
        Ok(self.equation.jacobian.is_some())
    }

    fn dense(&mut self) -> Option<&mut DenseSlopes> {
        Some(&mut self.slopes)
    }

    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.equation.breakpoints.iter().copied().find(|b| *b > t)
    }
}

/// x'' = -x.
const OSCILLATOR: Equation = Equation {
    dim: 2,
    rates: |_, y, dy| dy.copy_from_slice(&[y[1], -y[0]]),
    jacobian: Some(|_, _, jac, dt| {
        jac.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]);
        dt.fill(0.0);
    }),
    breakpoints: &[],
};

/// y1' = y1 cos t and y2' = -2 t y2², from (1, 1): y1 = exp(sin t), y2 = 1 / (1 + t²).
const DRIVEN: Equation = Equation {
    dim: 2,
    rates: |t, y, dy| dy.copy_from_slice(&[y[0] * t.cos(), -2.0 * t * y[1] * y[1]]),
    jacobian: Some(|t, y, jac, dt| {
        jac.copy_from_slice(&[t.cos(), 0.0, 0.0, -4.0 * t * y[1]]);
        dt.copy_from_slice(&[-y[0] * t.sin(), -2.0 * y[1] * y[1]]);
    }),
    breakpoints: &[],
};

fn driven_exactly(t: f64) -> [f64; 2] {
    [t.sin().exp(), 1.0 / (1.0 + t * t)]
}

/// The plane two-body problem; from (0.4, 0, 0, 2) an ellipse of eccentricity 0.6 and period 2π.
const KEPLER: Equation = Equation {
    dim: 4,
    rates: |_, y, dy| {
        let r3 = y[0].hypot(y[1]).powi(3);
        dy.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
    },
    jacobian: Some(|_, y, jac, dt| {
        let (r, [x, z]) = (y[0].hypot(y[1]), [y[0], y[1]]);
        let (r3, r5) = (r.powi(3), r.powi(5));
        jac.fill(0.0);
        jac[2] = 1.0;
        jac[7] = 1.0;
        jac[8] = -1.0 / r3 + 3.0 * x * x / r5;
        jac[9] = 3.0 * x * z / r5;
        jac[12] = jac[9];
        jac[13] = -1.0 / r3 + 3.0 * z * z / r5;
        dt.fill(0.0);
    }),
    breakpoints: &[],
};
const KEPLER_START: [f64; 4] = [0.4, 0.0, 0.0, 2.0];

/// Position and velocity on that ellipse, by Kepler's equation t = E - 0.6 sin E.
fn kepler_exactly(t: f64) -> [f64; 4] {
    let mut anomaly = t;
    for _ in 0..50 {
        anomaly -= (anomaly - 0.6 * anomaly.sin() - t) / (1.0 - 0.6 * anomaly.cos());
    }
    let (s, c) = anomaly.sin_cos();
    let rate = 1.0 / (1.0 - 0.6 * c);
    [c - 0.6, 0.8 * s, -s * rate, 0.8 * c * rate]
}

fn method(name: &str) -> &'static Entry {
    find(name).unwrap_or_else(|| panic!("no {name}"))
}

fn adaptive() -> impl Iterator<Item = &'static Entry> {
    INTEGRATORS.iter().filter(|entry| entry.kind == Kind::Adaptive)
}

/// Runs a method over an equation; the state, and what it cost.
fn observed(
    entry: &Entry,
    equation: Equation,
    interval: (f64, f64),
    start: &[f64],
    settings: &Settings,
    observer: &mut dyn Observer,
) -> (Result<End, Failure>, Vec<f64>, Statistics) {
    let (mut y, mut statistics) = (start.to_vec(), Statistics::default());
    let mut method = (entry.build)(start.len());
    let end = integrate(&mut *method, &mut equation.solved(), interval, &mut y, settings, &mut statistics, observer);
    (end, y, statistics)
}

fn run(entry: &Entry, equation: Equation, interval: (f64, f64), start: &[f64], settings: &Settings) -> (Vec<f64>, Statistics) {
    let (end, y, statistics) = observed(entry, equation, interval, start, settings, &mut Unobserved);
    assert_eq!(end, Ok(End { t: interval.1, stopped: false }), "{}", entry.name);
    (y, statistics)
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Settings under which an adaptive method takes equal steps: any error is allowed.
fn equal_steps(h: f64) -> Settings {
    Settings { rtol: 0.5, atol: 1e6, step: Some(h), max_step: h, ..Settings::default() }
}
