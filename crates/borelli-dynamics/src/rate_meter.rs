//! The fastest rate of a movement at a state: the spectral radius of the slopes of its rates, by powers of them that only need rates.
//! Not here: which element makes it so (`stiffness`), steps of methods.
//! In: a system, a state. Out: the fastest decay, growth or angular frequency, 1/s.
//!
//!     x_k = J x_{k-1} / |x_{k-1}|,    J x ≈ (f(y + ε x) - f(y))/ε,    ρ ≈ (|x_1| |x_2| … |x_k|)^(1/k)          (1)
//!
//! The direction is kept from one state to the next, so that along a motion two products at each step follow the rate. They come in pairs: positions
//! and velocities take turns, and what one product gains by their units the next one loses. A little of a fixed direction without pattern is added
//! before each pair, so that what becomes fast later is not missed; velocities and states of elements only, for positions are smaller than
//! velocities by the rate that is looked for.
//!
//! Source: Sommeijer, Shampine, Verwer, J. Comp. Appl. Math. 88 (1998) 315-326, section 2.5. Cost: one evaluation for each product, whatever the model.

use crate::formulation::{Declined, Failure};
use crate::integrate::Ode;
use crate::memory::Memory;
use crate::movement::{Movement, Options};
use crate::system::System;

/// Length of the change by which slopes are seen; rad, m, their rates, states of elements.
const STEP: f64 = 1e-7;
/// Part of the fixed direction that is added.
const FRESH: f64 = 1e-2;
/// Pairs of products at one state: the first ones turn the direction, the others are counted.
const TURNING: usize = 10;
const COUNTED: usize = 20;

/// Follows the fastest rate of a movement.
pub struct RateMeter {
    movement: Movement,
    /// Rates at the state and beside it, and the state beside.
    rates: Vec<f64>,
    beside: Vec<f64>,
    y: Vec<f64>,
    direction: Vec<f64>,
}

/// Entry of the fixed direction, between -1 and 1; zero for positions.
fn fresh(entry: usize, positions: usize) -> f64 {
    if entry < positions { 0.0 } else { 2.0 * (0.754_877_666_246_692_8 * (entry + 1) as f64).fract() - 1.0 }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl RateMeter {
    /// For the movement of a system.
    pub fn new(system: &System, memory: Memory) -> Result<RateMeter, Declined> {
        let movement = Movement::new(system, Options { memory, ..Options::default() })?;
        let layout = movement.layout();
        let list = || vec![0.0; layout.dim()];
        let direction = (0..layout.dim()).map(|entry| fresh(entry, layout.coords)).collect();
        Ok(RateMeter { movement, rates: list(), beside: list(), y: list(), direction })
    }

    /// Remembers what events have written.
    pub fn recall(&mut self, memory: &Memory) -> Result<(), Declined> {
        self.movement.recall(memory)
    }

    /// The rate by two more products, 1/s: nearer to that of a state the more often it is asked for, and along the steps of a motion not far from it.
    /// Audit integrals in the state do not count.
    pub fn follow(&mut self, system: &System, t: f64, y: &[f64]) -> Result<f64, Failure> {
        let RateMeter { movement, rates, beside, y: there, direction } = self;
        let (y, positions) = (&y[..rates.len()], movement.layout().coords);
        let mut equation = movement.of(system);
        equation.rates(t, y, rates)?;
        let (size, part) = (norm(direction), FRESH / (rates.len() as f64).sqrt());
        if !size.is_finite() {
            direction.fill(0.0);
        }
        let scale = if size > 0.0 && size.is_finite() { 1.0 / size } else { 0.0 };
        direction.iter_mut().enumerate().for_each(|(entry, x)| *x = *x * scale + part * fresh(entry, positions));
        let begin = norm(direction);
        for _ in 0..2 {
            let length = norm(direction);
            if length == 0.0 {
                return Ok(0.0);
            }
            there.iter_mut().zip(y).zip(&*direction).for_each(|((there, y), x)| *there = y + STEP * x / length);
            equation.rates(t, there, beside)?;
            direction.iter_mut().zip(&*beside).zip(&*rates).for_each(|((x, beside), rate)| *x = (beside - rate) * (length / STEP));
        }
        let growth = norm(direction) / begin;
        Ok(growth.sqrt())
    }

    /// The rate at one state, 1/s.
    pub fn rate(&mut self, system: &System, t: f64, y: &[f64]) -> Result<f64, Failure> {
        let mut logarithm = 0.0;
        for turn in 0..TURNING + COUNTED {
            let rate = self.follow(system, t, y)?;
            if rate == 0.0 {
                return Ok(0.0);
            }
            if turn >= TURNING {
                logarithm += rate.ln() / COUNTED as f64;
            }
        }
        Ok(logarithm.exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use borelli_model::Model;

    /// A mass of 0.5 kg and one of 2 kg on rails, the first with a spring and damper that vary.
    fn rails(stiffness: f64, damping: f64) -> System {
        let text = format!(
            "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 2\ninertia = 1\n[body.b]\nmass = 0.5\ninertia = 1\n\
             [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n\
             [joint.y]\ntype = \"slider\"\nparent = \"world\"\nchild = \"b\"\naxis = [1, 0]\n\
             [force.soft]\ntype = \"coordinate-spring\"\ncoordinate = \"x\"\nstiffness = 200\n\
             [force.hard]\ntype = \"coordinate-spring\"\ncoordinate = \"y\"\nstiffness = {stiffness:?}\ndamping = {damping:?}\n"
        );
        compile(&Model::parse("test.toml", &text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
    }

    /// √(k/m) where it swings, the larger root of λ² - c/m λ + k/m where it creeps.
    #[test]
    fn rates_of_springs_and_dampers() {
        for (stiffness, damping, expected) in
            [(2e6, 0.0, 2000.0), (0.0, 1500.0, 3000.0), (5e5, 1e3, 1e3), (5e5, 2.5e3, 4791.287847), (20.0, 0.0, 10.0), (5e9, 0.0, 1e5)]
        {
            let system = rails(stiffness, damping);
            let mut meter = RateMeter::new(&system, Memory::default()).expect("a meter");
            let found = meter.rate(&system, 0.0, &[0.1, 0.02, 0.3, 0.4]).expect("a rate");
            // A double root is reached slowly.
            let allowed = if damping == 1e3 { 0.1 } else { 0.02 };
            assert!((found / expected - 1.0).abs() < allowed, "{stiffness} {damping}: {found}, {expected}");
        }
    }

    /// From a hard spring to a soft one and back: the rate follows within a few steps.
    #[test]
    fn the_rate_is_followed_along_a_motion() {
        let hard = rails(2e6, 0.0);
        let soften = |own: &crate::system::Parameter| if own.path == "force.hard.stiffness" { 20.0 } else { own.value };
        let soft = hard.with_parameters(&hard.parameters.iter().map(soften).collect::<Vec<f64>>());
        let mut meter = RateMeter::new(&hard, Memory::default()).expect("a meter");
        let y = [0.1, 0.02, 0.3, 0.4];
        for (system, rate) in [(&hard, 2000.0), (&soft, 10.0), (&hard, 2000.0)] {
            let found: Vec<f64> = (0..8).map(|_| meter.follow(system, 0.0, &y).expect("a rate")).collect();
            assert!((found[7] / rate - 1.0).abs() < 0.15, "{rate}: {found:?}");
        }
    }
}
