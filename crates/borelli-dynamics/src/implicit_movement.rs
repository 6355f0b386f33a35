//! A system in motion as an implicit scheme sees it: coordinates, velocities, accelerations and multipliers with exact tangents.
//! Not here: schemes (`integrate`), which see no body; the same system as a first-order equation (`movement`).
//! In: a `System`. Out: a `Residual`. Rows are kept at the level of positions, so that there is no drift.
//!
//! Redundant rows are set aside where a run starts: their multiplier is zero, and they stay met because the others are.
//!
//! Steps are never cut: a step that fails ends the run with what is to blame. Rigid bodies fail to converge where a scheme rings (`newmark`
//! without damping on constraints), and shorter steps would hide that and change results without a word.

use crate::constraint::RowControl;
use crate::equilibrium::{AtRest, DenseAtRest, EquilibriumFault, Statics};
use crate::formulation::articulated::Open;
use crate::formulation::{Declined, Failure, Input, decline_soft};
use crate::integrate::{DenseNewton, Linearised, Motion, Residual, Tangents, Trial, Trouble};
use crate::memory::Memory;
use crate::movement::{Breakpoints, Of, audited_of, check_controls, fill_powers, given_efforts};
use crate::power::PowerMeter;
use crate::retract::{normalise, rate, retract, through_retraction};
use crate::system::{Skeleton, System};
use std::sync::Arc;

/// How a system is to be moved by an implicit scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct ImplicitOptions {
    /// Generalised forces beside the model's own that do not change; empty: none.
    pub tau: Vec<f64>,
    /// Which rows are held and where, and how pairs of surfaces touch.
    pub memory: Memory,
    /// Controls of elements, in the order of the names of the system; empty: as the functions of the model say.
    pub controls: Vec<f64>,
    /// Whether the state carries the audit integrals.
    pub audit: bool,
    /// Whether steps end where functions of time change their polynomial.
    pub stop_at_breakpoints: bool,
    /// Degrees of freedom that a search for a balance leaves as they are. Motion does not ask.
    pub fixed: Vec<usize>,
}

impl Default for ImplicitOptions {
    fn default() -> Self {
        ImplicitOptions {
            tau: Vec::new(),
            memory: Memory::default(),
            controls: Vec::new(),
            audit: false,
            stop_at_breakpoints: true,
            fixed: Vec::new(),
        }
    }
}

/// Memory of the recursive formulation as equations left open; [`ImplicitMovement::of`] puts it together with a system. The state of a run is
/// y = (q, v, z, w) (`Layout`), with the same audit integrals w as a first-order equation has.
pub struct ImplicitMovement {
    skeleton: Arc<Skeleton>,
    open: Open,
    control: RowControl,
    active: Vec<bool>,
    fixed: Vec<usize>,
    newton: DenseNewton,
    /// Where the state carries the audit integrals.
    meter: Option<PowerMeter<f64>>,
    breakpoints: Option<Breakpoints>,
}

impl ImplicitMovement {
    /// The movement of a system, or why it cannot be had with these options.
    pub fn new(system: &System, options: ImplicitOptions) -> Result<Self, Declined> {
        decline_soft(system)?;
        let ImplicitOptions { tau, memory, controls, audit, stop_at_breakpoints, fixed } = options;
        let (tau, dofs) = (given_efforts(system, tau)?, system.skeleton.dofs());
        check_controls(&controls, system.skeleton.extent)?;
        if let Some(dof) = fixed.iter().find(|dof| **dof >= dofs) {
            return Err(Declined { reason: format!("there is no degree of freedom {dof} to be fixed, the system has {dofs}") });
        }
        let mut movement = ImplicitMovement {
            skeleton: system.skeleton.clone(),
            open: Open::new(system, tau, controls),
            control: RowControl::default(),
            active: vec![true; system.names.rows.len()],
            fixed,
            newton: DenseNewton::new(dofs, system.numbers.states.len(), system.names.rows.len()),
            meter: audit.then(|| PowerMeter::new(system)),
            breakpoints: stop_at_breakpoints.then(|| Breakpoints::new(system)),
        };
        movement.recall(&memory)?;
        Ok(movement)
    }

    /// Sets what is remembered from now on. A run has to start anew after it.
    pub fn recall(&mut self, memory: &Memory) -> Result<(), Declined> {
        let rows = self.active.len();
        if let Some(reason) = memory.fault(&self.skeleton.extent) {
            return Err(Declined { reason });
        }
        self.control.memory.copy_from(memory);
        self.open.set_row_control(&self.control);
        if let Some(meter) = &mut self.meter {
            meter.set_control(&self.control);
        }
        (0..rows).for_each(|row| self.active[row] = !self.control.is_released(row));
        Ok(())
    }

    /// Replaces the controls of elements, in the order of the names of the system; empty: the functions of the model again. A run has to start anew after it.
    pub fn replace_controls(&mut self, controls: &[f64]) -> Result<(), Declined> {
        check_controls(controls, self.skeleton.extent)?;
        self.open.replace_controls(controls);
        Ok(())
    }

    /// The equations of a system.
    pub fn of<'a>(&'a mut self, system: &'a System) -> Of<'a, ImplicitMovement> {
        Of { system, memory: self }
    }
}

impl Of<'_, ImplicitMovement> {
    /// R, Φ and all slopes.
    pub fn fill_tangents(&mut self, t: f64, at: Motion, lambda: &[f64], out: &mut Tangents) -> Result<(), Failure> {
        self.memory.open.linearise(self.system, t, at, lambda, out)
    }
}

impl Residual for Of<'_, ImplicitMovement> {
    fn coords(&self) -> usize {
        self.memory.skeleton.coords()
    }

    fn dofs(&self) -> usize {
        self.memory.skeleton.dofs()
    }

    fn states(&self) -> usize {
        self.memory.skeleton.extent.states
    }

    fn integrals(&self) -> usize {
        self.memory.meter.as_ref().map_or(0, |_| audited_of(&self.memory.skeleton.extent))
    }

    fn rows(&self) -> usize {
        self.memory.active.len()
    }

    fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        rate(&self.memory.skeleton, q, v, qdot);
    }

    fn retract(&self, q: &mut [f64], step: &[f64]) {
        retract(&self.memory.skeleton, q, step);
    }

    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Result<(), Failure> {
        let ImplicitMovement { open, active, control, .. } = &mut *self.memory;
        (0..active.len()).for_each(|row| active[row] = !control.is_released(row));
        open.forward(self.system, t, q, v, a, lambda, |row| active[row] = false)
    }

    fn residual(&mut self, t: f64, at: Motion, lambda: &[f64], force: &mut [f64], position: &mut [f64]) -> Result<(), Failure> {
        self.memory.open.residual(self.system, t, at, lambda, force, position)
    }

    fn fill_rates(&mut self, t: f64, at: Motion, lambda: &[f64], out: &mut [f64]) -> Result<(), Failure> {
        let ImplicitMovement { open, meter, .. } = &mut *self.memory;
        if let Some(meter) = meter {
            let Input { q, v, inside, tau, .. } = open.input(t, &at);
            let [elements, rows] = meter.powers(self.system, t, q, v, inside, lambda);
            let efforts = tau.iter().zip(v).map(|(tau, v)| tau * v).sum();
            fill_powers(out, [elements, efforts, rows], meter.pairs(), meter.muscle_powers());
        }
        Ok(())
    }

    fn linearise(&mut self, trial: &Trial) -> Result<Linearised, Trouble> {
        let ImplicitMovement { skeleton, open, active, newton, .. } = &mut *self.memory;
        open.linearise(self.system, trial.t, trial.at, trial.lambda, &mut newton.tangents)?;
        newton.factor(trial, |row| active[row], |step, matrix| through_retraction(skeleton, step, matrix))
    }

    fn solve(&mut self, correction: &mut [f64], multipliers: &mut [f64]) -> Result<bool, Trouble> {
        self.memory.newton.solve(correction, multipliers);
        Ok(true)
    }

    fn correct(&mut self, q: &mut [f64], _v: &mut [f64]) {
        normalise(&self.memory.skeleton, q);
    }

    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.memory.breakpoints.as_ref()?.after(t)
    }
}

impl Statics for Of<'_, ImplicitMovement> {
    fn at_rest(&mut self, t: f64, q: &[f64], z: &[f64], lambda: &[f64]) -> Result<Box<dyn AtRest>, EquilibriumFault> {
        let (n, states, m) = (self.dofs(), z.len(), self.rows());
        let (v, a) = ([&vec![0.0; n][..], z].concat(), vec![0.0; n + states]);
        let mut tangents = Tangents::with_states(n, states, m);
        self.fill_tangents(t, Motion { q, v: &v, a: &a }, lambda, &mut tangents).map_err(EquilibriumFault::Refused)?;
        // Integrals of the user stand behind and stay as they are, since they may go on at rest.
        let settling = states - self.system.numbers.integrals.len();
        Ok(Box::new(DenseAtRest::new(&tangents, |row| !self.memory.control.is_released(row), &self.memory.fixed, (settling, z))?))
    }
}

#[cfg(test)]
mod tests;
