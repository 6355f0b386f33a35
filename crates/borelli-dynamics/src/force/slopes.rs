//! Slopes of laws of one variable by the few things they see: the variable, its rate, time, their own states and controls.
//! Not here: how a path's length depends on the coordinates.
//! In: a law and where it stands. Out: slopes of its force and of the rates of its states, one variable after the other.

use super::{Along, Own};
use crate::local::{N, Slope};
use crate::scene::{Inner, Inside, Now};
use borelli_math::Real;

/// What a law acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// The length of a path.
    Path(usize),
    /// A coordinate.
    Coordinate {
        /// Its degree of freedom.
        dof: usize,
    },
}

/// What a slope is by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The variable itself.
    Value,
    /// Its rate.
    Rate,
    /// Time, through the functions that controls follow, too.
    Time,
    /// A state.
    State(usize),
    /// A control.
    Control(usize),
}

/// One slope of a law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineSlope<'a> {
    /// What the law acts on.
    pub(crate) on: Variable,
    /// What the slope is by.
    pub(crate) by: By,
    /// Of the force.
    pub(crate) force: f64,
    /// Of the powers of a muscle (`Inner::power`).
    pub(crate) power: [f64; 2],
    /// Direction of the pass.
    k: usize,
    /// Entry of z of the law's first state, and the rates of all its states.
    first: usize,
    zdot: &'a [Slope],
}

impl LineSlope<'_> {
    /// Slopes of the rates of the law's states, by entry of z.
    pub(crate) fn of_rates(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.zdot.iter().enumerate().map(|(s, rate)| (self.first + s, rate.eps[self.k]))
    }
}

/// Memory for slopes of laws of one variable.
#[derive(Clone, Debug)]
pub(crate) struct LineSlopes {
    z: Vec<Slope>,
    u: Vec<Slope>,
    /// Rates of the controls, where they follow functions of time.
    u_rate: Vec<f64>,
    inner: Inner<Slope>,
}

/// The numbers and the time that all laws see.
pub(super) type Here<'a> = Now<'a, f64, f64>;

impl LineSlopes {
    pub(crate) fn new(numbers: &crate::system::Numbers<f64>) -> Self {
        let zero = Slope::ZERO;
        LineSlopes {
            z: vec![zero; numbers.states.len()],
            u: vec![zero; numbers.controls.len()],
            u_rate: vec![0.0; numbers.controls.len()],
            inner: Inner { reporting: false, ..Inner::new(numbers) },
        }
    }

    /// Takes over states and controls.
    pub(super) fn begin(&mut self, now: &Here) {
        for (k, z) in self.z.iter_mut().enumerate() {
            *z = Slope::from_f64(now.state(k as u32));
        }
        for (k, u) in self.u.iter_mut().enumerate() {
            *u = Slope::from_f64(now.control(k as u32));
            // Controls that are given do not change with time.
            self.u_rate[k] = if now.inside.u.is_empty() { now.at_time(now.numbers.controls[k])[1] } else { 0.0 };
        }
    }

    /// Calls `visit` with every slope of a law.
    #[inline]
    pub(super) fn visit(
        &mut self,
        here: &Here,
        on: Variable,
        at: Along<f64>,
        own: &Own,
        mut force: impl FnMut(Along<Slope>, &Now<Slope, f64>, &mut Inner<Slope>) -> Slope,
        visit: &mut impl FnMut(LineSlope<'_>),
    ) {
        let (states, controls) = (own.states.len(), own.controls.len());
        let by = |k: usize| match k {
            0 => By::Value,
            1 => By::Rate,
            2 => By::Time,
            k if k < 3 + states => By::State(own.states.start + k - 3),
            k => By::Control(own.controls.start + k - 3 - states),
        };
        let count = 3 + states + controls;
        for first in (0..count).step_by(N) {
            let mut along = Along { x: Slope::from_f64(at.x), rate: Slope::from_f64(at.rate) };
            let mut t = Slope::from_f64(here.t);
            let pass = first..count.min(first + N);
            for (k, variable) in pass.clone().enumerate() {
                match by(variable) {
                    By::Value => along.x.eps[k] = 1.0,
                    By::Rate => along.rate.eps[k] = 1.0,
                    By::Time => {
                        t.eps[k] = 1.0;
                        own.controls.clone().for_each(|control| self.u[control].eps[k] = self.u_rate[control]);
                    }
                    By::State(state) => self.z[state].eps[k] = 1.0,
                    By::Control(control) => self.u[control].eps[k] = 1.0,
                }
            }
            let now = Now { numbers: here.numbers, t, inside: Inside { z: &self.z, u: &self.u } };
            self.inner.power = [Slope::ZERO; 2];
            let force = force(along, &now, &mut self.inner);
            let power = self.inner.power;
            for (k, variable) in pass.enumerate() {
                let zdot = &self.inner.zdot[own.states.clone()];
                visit(LineSlope {
                    on,
                    by: by(variable),
                    force: force.eps[k],
                    power: power.map(|own| own.eps[k]),
                    k,
                    first: own.states.start,
                    zdot,
                });
            }
            own.states.clone().for_each(|state| self.z[state].eps = [0.0; N]);
            own.controls.clone().for_each(|control| self.u[control].eps = [0.0; N]);
        }
    }
}
