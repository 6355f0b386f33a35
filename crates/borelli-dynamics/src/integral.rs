//! Integrals of the user's own, `[integral.NAME]`: ẏ = f, a formula over what one evaluation of the forces gives.
//! Not here: reading them (`compile`), integrating (they are entries of z behind the states of force elements, so that whoever carries z carries them).
//! In: a `Scene` and the `Loads` of all force elements. Out: rates of their entries of z, and the slopes of these by what the formulas see.

use crate::force::Lines;
use crate::scene::{Loads, Now, Scene};
use borelli_math::function::Formula;
use borelli_math::{Constant, Real};

/// What a rate may see: what the forces know when they have been applied, and whose slopes are known exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Time.
    Time,
    /// A coordinate, by entry of q and degree of freedom.
    Coordinate {
        /// Entry of q.
        coord: u32,
        /// Entry of v.
        dof: u32,
    },
    /// A velocity, by entry of v.
    Speed(u32),
    /// Length of a path.
    Length(u32),
    /// Rate of the length of a path.
    Rate(u32),
    /// Tension of all laws along a path.
    Tension(u32),
    /// A state of a force element or an integral, by entry of z.
    State(u32),
    /// A control, by entry of u.
    Control(u32),
}

impl Seen {
    #[inline]
    fn of<S: Real, C: Constant<S>>(self, now: &Now<S, C>, lines: &Lines<S>, q: &[S], v: &[S]) -> S {
        match self {
            Seen::Time => now.t,
            Seen::Coordinate { coord, .. } => q[coord as usize],
            Seen::Speed(dof) => v[dof as usize],
            Seen::Length(path) => lines.length[path as usize],
            Seen::Rate(path) => lines.rate[path as usize],
            Seen::Tension(path) => lines.pulled[path as usize],
            Seen::State(z) => now.state(z),
            Seen::Control(u) => now.control(u),
        }
    }
}

/// One integral.
#[derive(Clone, Debug, PartialEq)]
pub struct Integral {
    /// Its entry of z.
    pub state: u32,
    /// Its rate, over the numbers of `Integrals::seen`.
    pub rate: Formula,
}

/// All integrals of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Integrals {
    /// What the formulas may name, by number.
    pub seen: Vec<Seen>,
    /// The integrals.
    pub list: Vec<Integral>,
}

impl Integrals {
    /// Writes the rates. All force elements must have been applied.
    pub(crate) fn apply<S: Real, C: Constant<S>>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>) {
        let now = scene.now();
        let Loads { lines, inner, .. } = loads;
        let of = |k: usize| self.seen[k].of(&now, lines, scene.q, scene.v);
        for Integral { state, rate } in &self.list {
            let mut sum = S::from_f64(rate.eval_with(|k| [of(k).value(), 0.0])[0]);
            // Only numbers that carry slopes need those of the formula; plain ones are no larger than their value.
            if size_of::<S>() > size_of::<f64>() {
                for &k in rate.variables() {
                    let [_, slope] = rate.eval_with(|other| [of(other).value(), f64::from(u8::from(other == k))]);
                    let x = of(k);
                    sum += (x - S::from_f64(x.value())) * slope;
                }
            }
            inner.zdot[*state as usize] = sum;
        }
    }

    /// Hands over ∂ẏ/∂x for every integral and everything that its rate sees: entry of z, x, slope.
    pub(crate) fn slopes(&self, now: &Now<f64, f64>, lines: &Lines<f64>, q: &[f64], v: &[f64], mut visit: impl FnMut(usize, Seen, f64)) {
        let of = |k: usize| self.seen[k].of(now, lines, q, v);
        for Integral { state, rate } in &self.list {
            for &k in rate.variables() {
                let [_, slope] = rate.eval_with(|other| [of(other), f64::from(u8::from(other == k))]);
                visit(*state as usize, self.seen[k], slope);
            }
        }
    }
}
