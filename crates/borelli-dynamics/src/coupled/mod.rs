//! `coupled`: rigid bodies of a planar tree and soft parts in one set of equations, for implicit schemes and statics.
//! Not here: soft parts by themselves (`borelli-soft`), schemes (`integrate`), what is recorded.
//! In: a `System` with soft parts. Out: a `Residual` whose coordinates are those of the tree and then the positions of all nodes.
//!
//! The tree's open equations and the soft parts meet in the poses p(q) of the bodies that carry or touch them. With the wrench w of the soft
//! parts on these bodies (sign of internal forces), J = ∂p/∂q and soft unknowns s,
//!
//!     R(q, v, v̇, λ) + Jᵀ w(s, p) = 0        Φ(q) = 0        R_s(s, p) = 0                         (1)
//!
//! A Newton step condenses s (`borelli_soft::problem`): the tree's small matrix gets Jᵀ C' J + Σ w ∂²p/∂q∂q, is solved with pivots, and the soft
//! unknowns follow. The soft parts' matrix is factored anew only while it pays: it is kept as long as no contact changes and each iteration makes
//! the residual ten times smaller (`KEEP`).
//!
//! An iteration may end when no force is open by more than a millionth of a newton or rounding, and contacts are as they were one look before.
//! A step that does not converge, turns a cell inside out or leaves a target is cut.

mod begin;
mod carriers;
mod convergence;
mod evaluate;
mod inspect;
mod paths;
mod rest;
mod settle;
mod wrench;

#[cfg(test)]
mod tests;

pub use borelli_soft::problem::TieGap;
pub use convergence::{Converged, Iteration, exponents};
pub use evaluate::build;
pub use inspect::inspect;
pub use rest::{AtRestFault, EachRest, LoadStep, RestOptions};

use crate::constraint::RowControl;
use crate::formulation::articulated::Open;
use crate::formulation::{Declined, Failure, Input};
use crate::implicit_movement::ImplicitOptions;
use crate::integrate::{DenseNewton, Linearised, Motion, Residual, Trial, Trouble, Weights};
use crate::memory::Memory;
use crate::movement::{Breakpoints, Of, audited_of, check_controls, fill_powers, given_efforts};
use crate::power::PowerMeter;
use crate::retract::{rate, retract};
use crate::soft::SoftModel;
use crate::system::{Skeleton, System};
use borelli_soft::problem::{At, Following, Pose, Problem, Pull, SoftFault, Statuses};
use carriers::Carriers;
use std::sync::Arc;

/// Forces open by less than this are balanced in a step, N, and by less than this part of the largest that acts.
const BALANCED: (f64, f64) = (1e-6, 1e-9);
/// At rest forces are balanced to this part of the largest that acts, and rounding.
const FINE: f64 = 1e-11;
/// Factors are kept while an iteration leaves less than this part of the residual.
const KEEP: f64 = 0.1;

/// Memory of a system with soft parts in motion; [`CoupledMovement::of`] puts it together with the system.
///
/// The state of a run is y = (q, x, v, ẋ, z): coordinates of the tree, positions of nodes, their rates, states of elements. Multipliers are those
/// of loops and guides, then those of ties and contacts.
pub struct CoupledMovement {
    skeleton: Arc<Skeleton>,
    open: Open,
    control: RowControl,
    active: Vec<bool>,
    newton: DenseNewton,
    breakpoints: Option<Breakpoints>,
    /// Where the state carries the audit integrals.
    meter: Option<PowerMeter<f64>>,
    soft: SoftModel,
    problem: Problem,
    carriers: Carriers,
    /// Velocities and accelerations as the tree's equations take them: with the states of elements behind.
    v: Vec<f64>,
    a: Vec<f64>,
    /// Displacements of supports and loads at the time of the last look.
    displacement: Vec<[f64; 2]>,
    load: Vec<[f64; 2]>,
    /// Rates of the displacements of supports, where the audit asks for them.
    support_rate: Vec<[f64; 2]>,
    /// Paths over nodes: tension and slopes, and the rates of the poses of carriers.
    pulls: Vec<Pull>,
    pose_rates: Vec<Pose>,
    /// Multipliers of ties and contacts of the last trial, and of the last step that was kept.
    multipliers: Vec<f64>,
    kept: Vec<f64>,
    /// Changes of poses in a correction.
    changes: Vec<f64>,
    poses_before: Vec<Pose>,
    carried: Vec<f64>,
    /// Coordinates of the tree that a step begins to look from.
    q: Vec<f64>,
    /// Force of the soft parts along the coordinates; a step of the coordinates while it is predicted.
    push: Vec<f64>,
    /// Forces on the tree with those of the soft parts, at the last look.
    total: Vec<f64>,
    /// Every iteration of the last attempt.
    history: Vec<Iteration>,
    /// Attempts since the last step that was kept, and how all steps were found, where that is asked for.
    attempts: usize,
    record: Option<Vec<Converged>>,
    newton_only: bool,
    may_end: bool,
    /// Weight of the coordinates at the last trial.
    c: f64,
}

impl CoupledMovement {
    /// The movement of a system, or why it cannot be had.
    pub fn new(system: &System, options: ImplicitOptions) -> Result<Self, Declined> {
        let ImplicitOptions { tau, memory, controls, audit, stop_at_breakpoints, fixed } = options;
        if !fixed.is_empty() {
            return Err(Declined { reason: "`coupled` holds no coordinates at rest".into() });
        }
        let (dofs, rows, states) = (system.skeleton.dofs(), system.names.rows.len(), system.numbers.states.len());
        if !system.skeleton.planar {
            return Err(Declined { reason: "`coupled` takes planar models only".into() });
        }
        let tau = given_efforts(system, tau)?;
        check_controls(&controls, system.skeleton.extent)?;
        let soft = system.soft_model().map_err(|fault| Declined { reason: fault.to_string() })?;
        let mut carriers = Carriers::new(system, &soft.carriers);
        carriers.fill(system, &system.start.q, &vec![0.0; dofs]);
        let problem = Problem::new(soft.definition.clone(), carriers.poses()).map_err(|fault| Declined { reason: fault.to_string() })?;
        let multipliers = vec![0.0; problem.multipliers()];
        let mut movement = CoupledMovement {
            skeleton: system.skeleton.clone(),
            open: Open::new(system, tau, controls),
            control: RowControl::default(),
            active: vec![true; rows],
            newton: DenseNewton::new(dofs, states, rows),
            breakpoints: stop_at_breakpoints.then(|| Breakpoints::new(system)),
            meter: audit.then(|| PowerMeter::new(system)),
            v: vec![0.0; dofs + states],
            a: vec![0.0; dofs + states],
            displacement: vec![[0.0; 2]; soft.definition.supports.len()],
            load: vec![[0.0; 2]; soft.definition.loads.len()],
            support_rate: Vec::new(),
            pulls: Vec::with_capacity(soft.paths.len()),
            pose_rates: vec![[0.0; 3]; soft.carriers.len()],
            kept: multipliers.clone(),
            multipliers,
            changes: vec![0.0; carriers.entries()],
            poses_before: carriers.poses().to_vec(),
            carried: vec![0.0; problem.dofs()],
            q: vec![0.0; system.skeleton.coords()],
            carriers,
            problem,
            soft,
            push: vec![0.0; dofs],
            total: vec![0.0; dofs + states],
            history: Vec::with_capacity(64),
            attempts: 0,
            record: None,
            newton_only: false,
            may_end: false,
            c: 1.0,
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

    /// Every tangent is taken and factored anew, so that convergence can be looked at.
    pub fn with_full_newton(mut self) -> Self {
        self.newton_only = true;
        self
    }

    /// How each step is found is written down from now on.
    pub fn record_convergence(&mut self) {
        self.record = Some(Vec::new());
    }

    /// How the steps were found since that was asked for.
    pub fn take_convergence(&mut self) -> Vec<Converged> {
        self.record.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Before the first iteration of an attempt.
    fn begin_attempt(&mut self) {
        self.problem.begin_attempt();
        self.history.clear();
        self.attempts += 1;
    }

    /// The step is kept with its multipliers: the next one begins with them.
    fn keep(&mut self, at: f64) {
        self.kept.copy_from_slice(&self.multipliers);
        self.problem.keep();
        if let Some(record) = &mut self.record {
            record.push(Converged { at, attempts: self.attempts, iterations: self.history.clone() });
        }
        self.attempts = 0;
    }

    /// Notes an iteration.
    fn note(&mut self, open: f64, rounding: f64, renewed: bool) {
        self.history.push(Iteration { open, rounding, changed: self.problem.changed(), renewed });
    }

    /// The equations of a system.
    pub fn of<'a>(&'a mut self, system: &'a System) -> Of<'a, CoupledMovement> {
        Of { system, memory: self }
    }

    /// The soft parts.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Multipliers of ties and contacts of the last step that was kept.
    pub fn soft_multipliers(&self) -> &[f64] {
        &self.kept
    }

    /// Poses of the carriers at the last look.
    pub fn poses(&self) -> &[Pose] {
        self.carriers.poses()
    }

    /// All iterations of the last attempt of a step.
    pub fn history(&self) -> &[Iteration] {
        &self.history
    }

    /// Positions and velocities of all nodes where the tree has this state and nothing is strained.
    pub fn fill_start(&mut self, system: &System, q: &[f64], v: &[f64], x: &mut [f64], xdot: &mut [f64]) {
        self.carriers.fill(system, q, v);
        self.problem.place(self.carriers.poses(), x);
        for k in 0..x.len() / 2 {
            let carrier = self.problem.carrier_of(k);
            xdot[2 * k..2 * k + 2].copy_from_slice(&self.carriers.velocity(carrier, [x[2 * k], x[2 * k + 1]]));
        }
    }

    /// What supports and loads are at a time.
    fn fill_given(&mut self, system: &System, t: f64) {
        let value = |function: &Option<u32>| function.map_or(0.0, |function| system.numbers.functions[function as usize].eval(t)[0]);
        for (out, functions) in self.displacement.iter_mut().zip(&self.soft.displacement) {
            *out = [value(&functions[0]), value(&functions[1])];
        }
        for (out, functions) in self.load.iter_mut().zip(&self.soft.load) {
            *out = [value(&functions[0]), value(&functions[1])];
        }
    }
}

impl Of<'_, CoupledMovement> {
    /// The memory.
    pub fn memory_mut(&mut self) -> &mut CoupledMovement {
        self.memory
    }

    /// Looks at a state of a run with its accelerations and multipliers, for what is shown of it.
    pub fn observe(&mut self, t: f64, y: &[f64], a: &[f64], lambda: &[f64], part: f64) -> Result<(), Failure> {
        let Split { coords, dofs, nodes } = self.split();
        let (q, rest) = y.split_at(coords + nodes);
        let moving = dofs + nodes + self.memory.skeleton.extent.states;
        self.look(t, Motion { q, v: &rest[..moving], a: &a[..moving] }, lambda, None, Statuses::Decided, part)
    }
}

/// How many entries of the scheme's lists belong to the tree and to the nodes.
#[derive(Clone, Copy)]
struct Split {
    coords: usize,
    dofs: usize,
    nodes: usize,
}

impl Of<'_, CoupledMovement> {
    fn split(&self) -> Split {
        let skeleton = &self.memory.skeleton;
        Split { coords: skeleton.coords(), dofs: skeleton.dofs(), nodes: self.memory.problem.dofs() }
    }

    /// R + Jᵀ w and Φ, with all slopes where soft parts are to follow a step; `part` of all loads acts. Afterwards `total` holds the forces,
    /// and the tangents the tree's own part of them.
    fn look(
        &mut self,
        t: f64,
        at: Motion,
        lambda: &[f64],
        following: Option<Following>,
        statuses: Statuses,
        part: f64,
    ) -> Result<(), Failure> {
        let Split { coords, dofs, nodes } = self.split();
        let (system, memory) = (self.system, &mut *self.memory);
        let rows = memory.active.len();
        memory.fill_given(system, t);
        memory.displacement.iter_mut().flatten().for_each(|x| *x *= part);
        let (q, x) = at.q.split_at(coords);
        for (out, given) in [(&mut memory.v, at.v), (&mut memory.a, at.a)] {
            out[..dofs].copy_from_slice(&given[..dofs]);
            out[dofs..].copy_from_slice(&given[dofs + nodes..]);
        }
        memory.carriers.fill(system, q, &at.v[..dofs]);
        memory.measure_paths(x, &at.v[dofs..dofs + nodes], &at.v[..dofs]);
        let tree = Motion { q, v: &memory.v, a: &memory.a };
        let tangents = &mut memory.newton.tangents;
        if following.is_some() {
            memory.open.linearise(system, t, tree, &lambda[..rows], tangents)?;
        } else {
            memory.open.residual(system, t, tree, &lambda[..rows], &mut tangents.force, &mut tangents.position)?;
        }
        if part != 1.0 {
            tangents.force.iter_mut().chain(&mut tangents.by_q).for_each(|x| *x *= part);
        }
        memory.pull_paths(part);
        let gravity = system.numbers.tree.gravity;
        let soft = At {
            x,
            v: Some(&at.v[dofs..dofs + nodes]),
            a: Some(&at.a[dofs..dofs + nodes]),
            lambda: &lambda[rows..],
            poses: memory.carriers.poses(),
            displacement: &memory.displacement,
            load: &memory.load,
            gravity: [gravity.x, gravity.y],
            part,
        };
        memory.problem.evaluate(&soft, following, statuses)?;
        memory.total.copy_from_slice(&memory.newton.tangents.force);
        memory.carriers.add_force(memory.problem.wrench(), &mut memory.total);
        Ok(())
    }

    /// The largest force that is open after a look, N or N m, and how much of it may be rounding.
    fn largest_open(&self) -> (f64, f64) {
        let memory = &*self.memory;
        let (soft, rounding) = memory.problem.largest_open();
        let most = memory.total.iter().fold(soft, |most, f| if f.abs() <= most { most } else { f.abs() });
        (most, rounding)
    }

    /// Puts the soft parts, condensed, into the tree's equations; with their stiffness where slopes are fresh.
    fn condense(&mut self, q: &[f64], renewed: bool) -> Result<(), Failure> {
        let (system, memory) = (self.system, &mut *self.memory);
        let dofs = memory.skeleton.dofs();
        if renewed {
            memory.problem.factor()?;
        }
        memory.problem.condense()?;
        let CoupledMovement { carriers, problem, newton, .. } = memory;
        carriers.add_force(problem.condensed_wrench(), &mut newton.tangents.force);
        if renewed {
            carriers.add_stiffness(system, problem.condensed_stiffness(), problem.wrench(), q, &mut newton.tangents.by_q, dofs);
        }
        Ok(())
    }
}

impl From<SoftFault> for Failure {
    fn from(fault: SoftFault) -> Self {
        Failure::Soft { element: fault.element(), reason: fault.to_string() }
    }
}

impl Residual for Of<'_, CoupledMovement> {
    fn coords(&self) -> usize {
        let Split { coords, nodes, .. } = self.split();
        coords + nodes
    }

    fn dofs(&self) -> usize {
        let Split { dofs, nodes, .. } = self.split();
        dofs + nodes
    }

    fn states(&self) -> usize {
        self.memory.skeleton.extent.states
    }

    fn integrals(&self) -> usize {
        self.memory.meter.as_ref().map_or(0, |_| audited_of(&self.memory.skeleton.extent))
    }

    fn rows(&self) -> usize {
        self.memory.active.len() + self.memory.problem.multipliers()
    }

    fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        let Split { coords, dofs, .. } = self.split();
        rate(&self.memory.skeleton, &q[..coords], &v[..dofs], &mut qdot[..coords]);
        qdot[coords..].copy_from_slice(&v[dofs..]);
    }

    fn retract(&self, q: &mut [f64], step: &[f64]) {
        let Split { coords, dofs, .. } = self.split();
        let (q, x) = q.split_at_mut(coords);
        retract(&self.memory.skeleton, q, &step[..dofs]);
        x.iter_mut().zip(&step[dofs..]).for_each(|(x, s)| *x += s);
    }

    /// Soft parts push the bodies as they do where they are; their nodes speed up as if they were fixed to the bodies that carry them. Those with mass
    /// have accelerations of their own, found together with those of the bodies (`begin`).
    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Result<(), Failure> {
        let Split { coords, dofs, nodes } = self.split();
        let still = vec![0.0; v.len()];
        let rows = self.memory.active.len();
        lambda[..rows].fill(0.0);
        lambda[rows..].copy_from_slice(&self.memory.kept);
        // Forces of soft parts do not depend on accelerations but for their own mass, which is taken to be carried.
        self.look(t, Motion { q, v, a: &still }, lambda, None, Statuses::Kept, 1.0)?;
        let (system, memory) = (self.system, &mut *self.memory);
        (0..rows).for_each(|row| memory.active[row] = !memory.control.is_released(row));
        memory.push.fill(0.0);
        memory.carriers.add_force(memory.problem.wrench(), &mut memory.push);
        memory.push.iter_mut().for_each(|f| *f = -*f);
        let CoupledMovement { open, active, v: own, a: found, push, .. } = memory;
        open.forward_pushed(system, t, &q[..coords], own, push, found, &mut lambda[..rows], |row| active[row] = false)?;
        a[..dofs].copy_from_slice(&memory.a[..dofs]);
        a[dofs + nodes..].copy_from_slice(&memory.a[dofs..]);
        for k in 0..nodes / 2 {
            let (carrier, at) = (memory.problem.carrier_of(k), [q[coords + 2 * k], q[coords + 2 * k + 1]]);
            let along = memory.carriers.acceleration(system, carrier, at, &a[..dofs]);
            a[dofs + 2 * k..dofs + 2 * k + 2].copy_from_slice(&along);
        }
        self.accelerate_masses(t, q, v, a, lambda)
    }

    fn residual(&mut self, t: f64, at: Motion, lambda: &[f64], force: &mut [f64], position: &mut [f64]) -> Result<(), Failure> {
        let Split { dofs, nodes, .. } = self.split();
        self.look(t, at, lambda, None, Statuses::Decided, 1.0)?;
        let memory = &*self.memory;
        let (x, rest) = memory.problem.residual().split_at(nodes);
        force[..dofs].copy_from_slice(&memory.total[..dofs]);
        force[dofs..dofs + nodes].copy_from_slice(x);
        force[dofs + nodes..].copy_from_slice(&memory.total[dofs..]);
        let rows = memory.active.len();
        position[..rows].copy_from_slice(&memory.newton.tangents.position);
        position[rows..].copy_from_slice(rest);
        Ok(())
    }

    /// Supports and loads on boundaries do work on soft parts like forces; what soft parts do to bodies is in the energy that they store.
    fn fill_rates(&mut self, t: f64, at: Motion, lambda: &[f64], out: &mut [f64]) -> Result<(), Failure> {
        let Split { coords, dofs, .. } = self.split();
        if self.memory.meter.is_none() {
            return Ok(());
        }
        let still = vec![0.0; at.v.len()];
        let a = if at.a.len() == at.v.len() { at.a } else { &still[..] };
        self.look(t, Motion { a, ..at }, lambda, None, Statuses::Same, 1.0)?;
        let (system, memory) = (self.system, &mut *self.memory);
        let rows = memory.active.len();
        let nodes = memory.problem.dofs();
        memory.fill_support_rates(system, t);
        let soft = memory.problem.outer_power(&memory.load, &at.v[dofs..dofs + nodes], &memory.support_rate) + memory.problem.line_power();
        let CoupledMovement { open, meter, v, .. } = memory;
        if let Some(meter) = meter {
            let Input { inside, tau, .. } = open.input(t, &Motion { q: &at.q[..coords], v, a: v });
            let [elements, of_rows] = meter.powers(system, t, &at.q[..coords], &at.v[..dofs], inside, &lambda[..rows]);
            let efforts = tau.iter().zip(at.v).map(|(tau, v)| tau * v).sum();
            fill_powers(out, [elements + soft, efforts, of_rows], meter.pairs(), meter.muscle_powers());
        }
        Ok(())
    }

    /// The bodies go on with the accelerations they have, and carry their soft parts along: these are strained by micrometres while they travel
    /// by centimetres.
    fn predict(&mut self, before: Motion, trial: &Trial, correction: &mut [f64]) -> bool {
        let Split { coords, dofs, nodes } = self.split();
        let (system, memory) = (self.system, &mut *self.memory);
        let Weights { a, c, .. } = trial.weights;
        correction.fill(0.0);
        memory.carriers.fill(system, &before.q[..coords], &before.v[..dofs]);
        memory.poses_before.copy_from_slice(memory.carriers.poses());
        memory.q.copy_from_slice(&trial.at.q[..coords]);
        for i in 0..dofs {
            correction[i] = before.a[i] / a;
            memory.push[i] = c * correction[i];
        }
        retract(&memory.skeleton, &mut memory.q, &memory.push);
        memory.carriers.fill(system, &memory.q, &before.v[..dofs]);
        let [x0, x1] = [before.q, trial.at.q].map(|q| &q[coords..]);
        memory.problem.carry(&memory.poses_before, memory.carriers.poses(), x0, &mut memory.carried);
        for k in 0..nodes {
            correction[dofs + k] = (memory.carried[k] - x1[k]) / c;
        }
        true
    }

    fn linearise(&mut self, trial: &Trial) -> Result<Linearised, Trouble> {
        let Split { coords, .. } = self.split();
        let Weights { a, b, c } = trial.weights;
        let first = trial.iteration == 0;
        let following = Following { damping: b / c, mass: a / c };
        if first {
            self.memory.begin_attempt();
        }
        let last = self.memory.history.last().map(|last| last.open);
        let mut renewed = first || self.memory.newton_only;
        let statuses = if first { Statuses::Kept } else { Statuses::Decided };
        self.look(trial.t, trial.at, trial.lambda, renewed.then_some(following), statuses, 1.0)?;
        let (open, rounding) = self.largest_open();
        let balanced = open <= rounding + BALANCED.0.min(BALANCED.1 * self.memory.problem.largest_force());
        let settled = !first && self.memory.problem.changed() == 0;
        let converges = settled && last.is_some_and(|last| open <= KEEP * last);
        if !(renewed || balanced || converges) {
            renewed = true;
            self.look(trial.t, trial.at, trial.lambda, Some(following), Statuses::Same, 1.0)?;
        }
        self.memory.note(open, rounding, renewed);
        self.memory.may_end = balanced && settled;
        self.condense(&trial.at.q[..coords], renewed)?;
        let memory = &mut *self.memory;
        memory.c = c;
        memory.multipliers.copy_from_slice(&trial.lambda[memory.active.len()..]);
        let active = &memory.active;
        let report = memory.newton.load(trial, |row| active[row])?;
        if renewed {
            memory.newton.factor(trial, |row| active[row], |_, _| {})?;
        }
        Ok(Linearised { renewed, ..report })
    }

    fn solve(&mut self, correction: &mut [f64], multipliers: &mut [f64]) -> Result<bool, Trouble> {
        let Split { dofs, nodes, .. } = self.split();
        let memory = &mut *self.memory;
        let rows = memory.active.len();
        let (rows_of_tree, rows_of_soft) = multipliers.split_at_mut(rows);
        memory.newton.solve(&mut memory.a, rows_of_tree);
        let c = memory.c;
        correction[..dofs].copy_from_slice(&memory.a[..dofs]);
        correction[dofs + nodes..].copy_from_slice(&memory.a[dofs..]);
        memory.a[..dofs].iter_mut().for_each(|w| *w *= c);
        memory.carriers.changes(&memory.a[..dofs], &mut memory.changes);
        let of_nodes = &mut correction[dofs..dofs + nodes];
        memory.problem.follow(&memory.changes, of_nodes, rows_of_soft);
        let part = memory.problem.longest_part(of_nodes);
        of_nodes.iter_mut().for_each(|x| *x /= c);
        if part < 1.0 {
            correction.iter_mut().chain(multipliers.iter_mut()).for_each(|x| *x *= part);
        }
        for (sum, more) in memory.multipliers.iter_mut().zip(&multipliers[rows..]) {
            *sum += more;
        }
        Ok(memory.may_end && part == 1.0)
    }

    fn shorter_step_may_help(&self, trouble: &Trouble) -> bool {
        matches!(trouble, Trouble::NotConverged { .. } | Trouble::Refused(Failure::Soft { .. }))
    }

    fn commit(&mut self, t: f64, _y: &[f64]) {
        self.memory.keep(t);
    }

    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.memory.breakpoints.as_ref()?.after(t)
    }
}
