//! States of force elements and integrals along a prescribed motion: they are of first order, driven by the motion, and integrated with it.
//! Not here: the motion itself (`motion`), what is computed from the states (`evaluate`).
//! In: a motion, from one sample to the next. Out: z at the sample; at the first one elements start as they do at the start of a run.

use super::motion::{Instant, Motion};
use crate::plan::Plan;
use borelli_dynamics::System;
use borelli_dynamics::formulation::articulated::{Articulated, Parts};
use borelli_dynamics::formulation::{Evaluation, Failure, Input};
use borelli_dynamics::integrate::{Method, Ode, Settings, Statistics, Unobserved, find, integrate};
use borelli_dynamics::movement::{Movement, Options};
use borelli_dynamics::scene::Inside;

/// The method: states do not push back on a prescribed motion, so that one with error control is good for all but very short time constants.
pub(super) const METHOD: &str = "dopri5";

/// States, and what integrates them.
pub(super) struct StatesAlong<'s> {
    z: Vec<f64>,
    /// Time of `z`; nothing before the first sample.
    t: Option<f64>,
    settings: Settings,
    method: Box<dyn Method>,
    driven: Driven<'s>,
}

/// The rates of states at an instant of the motion.
struct Driven<'s> {
    system: &'s System,
    /// Where the motion was looked at last: guides are followed from there.
    now: Instant,
    articulated: Articulated,
    found: Evaluation,
    tau: Vec<f64>,
    /// Knows where functions of time bend.
    movement: Movement,
    /// Why the motion could not be followed.
    fault: Option<String>,
}

impl<'s> StatesAlong<'s> {
    /// For a motion that is followed from its first sample; nothing for a system without states.
    pub(super) fn new(system: &'s System, plan: &Plan, motion: &Motion) -> Option<StatesAlong<'s>> {
        let states = system.numbers.states.len();
        let (entry, movement) = (find(METHOD)?, Movement::new(system, Options::default()).ok()?);
        let driven = Driven {
            system,
            now: motion.begin(),
            articulated: Articulated::new(system),
            found: Evaluation::new(system),
            tau: vec![0.0; system.skeleton.dofs()],
            movement,
            fault: None,
        };
        // A step of a method that is not used here is no first step of this one.
        let settings = Settings { step: None, ..plan.integrator.settings };
        (states > 0).then(|| StatesAlong { z: system.numbers.states.clone(), t: None, settings, method: (entry.build)(states), driven })
    }

    /// The states at a sample, from those at the one before. Why they cannot be had is told as text.
    pub(super) fn advance(&mut self, motion: &mut Motion, t: f64) -> Result<&[f64], String> {
        if let Some(from) = self.t.filter(|from| t > *from) {
            let mut along = Along { driven: &mut self.driven, motion };
            let mut statistics = Statistics::default();
            let end = integrate(&mut *self.method, &mut along, (from, t), &mut self.z, &self.settings, &mut statistics, &mut Unobserved);
            if let Err(failure) = end {
                let names = &self.driven.system.names.states;
                let entry = |k: usize| names.get(k).map_or(String::new(), |state| format!("`{}`", state.column()));
                return Err(self.driven.fault.take().unwrap_or_else(|| failure.tell(&entry, &|_| String::new())));
            }
        }
        if self.t.is_none() {
            self.driven.begin(motion, t)?;
            self.z = self.driven.system.states_at(t, &self.driven.now.q).z;
        }
        self.t = Some(t);
        Ok(&self.z)
    }
}

impl Driven<'_> {
    /// Looks at the motion where it begins.
    fn begin(&mut self, motion: &mut Motion, t: f64) -> Result<(), String> {
        motion.advance(t, &mut self.now)
    }
}

/// The equation: states along a motion.
struct Along<'a, 's, 'm> {
    driven: &'a mut Driven<'s>,
    motion: &'a mut Motion<'m>,
}

impl Ode for Along<'_, '_, '_> {
    fn dim(&self) -> usize {
        self.driven.found.zdot.len()
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        let Driven { system, now, articulated, found, tau, fault, .. } = &mut *self.driven;
        if let Err(reason) = self.motion.advance(t, now) {
            *fault = Some(reason);
            dy.fill(f64::NAN);
            return Ok(());
        }
        // Rates of states depend on no acceleration and no force of a row: those of `found` stay zero.
        let input = Input { t, q: &now.q, v: &now.v, inside: Inside { z: y, u: &[] }, tau };
        articulated.report(system, input, Parts::ALL, found)?;
        dy.copy_from_slice(&found.zdot);
        Ok(())
    }

    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.driven.movement.breakpoint_after(t)
    }
}
