//! `articulated`: recursive dynamics in joint coordinates, linear in the number of bodies; loops and guides by multipliers.
//! Not here: the recursions (`spatial`, `planar`), derivatives (`jacobian`).
//! In: a `System` and states in joint coordinates. Out: accelerations, generalised forces, everything in an `Evaluation`.
//!
//! With the rows G v̇ = γ of loops and guides and the tree's mass matrix M,
//!
//!     v̇ = v̇_free + M⁻¹ Gᵀ λ        (G M⁻¹ Gᵀ) λ = γ − G v̇_free                                   (1)
//!
//! γ holds what the control of rows asks for.
//! The recursion carries the wrench of each row to the ground, which gives its half of the small matrix; `row_system` factors that in an order that keeps
//! it sparse, and sets redundant rows aside. One more pass of the recursion moves the tree by all rows together. Where rows are weak, λ and v̇ are corrected by
//! what they leave over of the second equation.

mod jacobian;
mod open;
pub mod planar;
mod project;
mod rank;
mod report;
mod sloped;
pub mod spatial;

#[cfg(test)]
mod tests;

pub use jacobian::Jacobian;
pub(crate) use jacobian::LostSlopes;
pub use open::Open;
pub use rank::RowDistance;
pub use report::Parts;
pub use sloped::Sloped;

use super::{Declined, Evaluation, Failure, Formulation, Input, check_finite, check_inside, check_lengths, check_shape};
use crate::constraint::{RowControl, Rows, SparseJacobian};
use crate::contact::PairMemory;
use crate::force::Lines;
use crate::frames::Frames;
use crate::power::{element_power, row_power};
use crate::row_system::{CORRECTIONS, RowStructure, RowSystem};
use crate::scene::{Inside, Loads, Push, Scene};
use crate::system::{Constants, Numbers, Skeleton, System};
use borelli_math::{Constant, Real, Vec3};
use planar::Planar;
use spatial::Factors;
use std::sync::Arc;

/// Memory of one evaluation over the scalar `S`.
#[derive(Clone, Debug)]
pub(crate) struct Work<S> {
    /// True when force elements and contacts are looked at: the model has some, and nobody else differentiates them.
    loaded: bool,
    /// What soft parts do to the bodies, given from outside.
    pushes: Vec<Push>,
    frames: Frames<S>,
    kernel: Kernel<S>,
    loads: Loads<S>,
    rows: Rows<S>,
    /// Generalised forces with those of the model's elements.
    tau: Vec<S>,
    G: SparseJacobian<S>,
    /// G M⁻¹ Gᵀ.
    row_system: RowSystem<S>,
    lambda: Vec<S>,
    /// A correction of multipliers.
    correction: Vec<S>,
    /// Gᵀ μ, and M⁻¹ Gᵀ μ; the first is zero between uses.
    effort: Vec<S>,
    moved: Vec<S>,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // there is one per workspace
enum Kernel<S> {
    Planar(Planar<S>),
    Spatial(Factors<S>),
}

impl<S: Real> Work<S> {
    pub(crate) fn new(system: &System) -> Self {
        let skeleton = &system.skeleton;
        let (rows, dofs) = (system.names.rows.len(), skeleton.dofs());
        let structure = RowStructure::new(system);
        Work {
            loaded: skeleton.extent.loaded,
            pushes: Vec::new(),
            frames: Frames::new(skeleton),
            kernel: if skeleton.planar { Kernel::Planar(Planar::new(skeleton)) } else { Kernel::Spatial(Factors::new(skeleton)) },
            loads: Loads::new(skeleton, &system.numbers),
            rows: Rows::new(rows, system.numbers.constraints.entries()),
            tau: vec![S::ZERO; dofs],
            G: SparseJacobian::new(system, &structure),
            row_system: RowSystem::new(structure, skeleton.parent.len(), |b| skeleton.dofs_of(b).len()),
            lambda: vec![S::ZERO; rows],
            correction: vec![S::ZERO; rows],
            effort: vec![S::ZERO; dofs],
            moved: vec![S::ZERO; dofs],
        }
    }

    /// What rows are asked for, and what events have written.
    pub(crate) fn set_control(&mut self, control: &RowControl) {
        self.rows.set_control(control);
        self.loads.recall(&control.memory);
    }

    /// Forward dynamics. `work.lambda` holds the multipliers afterwards.
    #[inline(always)]
    pub(crate) fn forward<C: Constant<S>>(
        &mut self,
        skeleton: &Skeleton,
        numbers: &Numbers<C>,
        t: S,
        q: &[S],
        v: &[S],
        inside: Inside<S>,
        tau: &[S],
        vdot: &mut [S],
    ) {
        match &mut self.kernel {
            Kernel::Planar(kernel) => kernel.fill(skeleton, &numbers.tree, q, v),
            Kernel::Spatial(kernel) => {
                self.frames.fill::<C, false>(skeleton, &numbers.tree, q, v, &[]);
                kernel.fill_inertia(skeleton, &numbers.tree, &self.frames);
            }
        }
        if self.loaded || !self.rows.is_empty() {
            return self.forward_loaded(skeleton, numbers, t, q, v, inside, tau, vdot);
        }
        self.kernel.factor_and_solve(skeleton, &self.frames, tau, vdot);
    }

    /// The rest of forward dynamics for models with force elements, loops or guides.
    #[inline(never)]
    fn forward_loaded<C: Constant<S>>(
        &mut self,
        skeleton: &Skeleton,
        numbers: &Numbers<C>,
        t: S,
        q: &[S],
        v: &[S],
        inside: Inside<S>,
        tau: &[S],
        vdot: &mut [S],
    ) {
        if let Kernel::Planar(kernel) = &self.kernel {
            kernel.expand(skeleton, &mut self.frames);
        }
        self.frames.fill_points(skeleton);
        let scene = Scene { skeleton, numbers, frames: &self.frames, q, v, vdot: &[], t, inside };
        let mut total = tau;
        if self.loaded {
            self.loads.clear();
            numbers.apply_loads(&scene, &mut self.loads);
            for ((sum, own), given) in self.tau.iter_mut().zip(&self.loads.tau).zip(tau) {
                *sum = *own + *given;
            }
            total = &self.tau;
            match &mut self.kernel {
                Kernel::Planar(kernel) => kernel.add_loads(&self.loads),
                Kernel::Spatial(kernel) => kernel.add_loads(&self.loads),
            }
        }
        self.kernel.factor_and_solve(skeleton, &self.frames, total, vdot);
        if !self.rows.is_empty() {
            numbers.constraints.fill(&scene, &mut self.rows);
            self.add_constraints(skeleton, &numbers.tree, vdot);
        }
    }

    /// Equation (1), with `vdot` the free accelerations on entry.
    #[inline(never)]
    fn add_constraints<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>, vdot: &mut [S]) {
        self.factor_rows(skeleton, c);
        self.lambda.fill(S::ZERO);
        let rounds = if self.row_system.is_weak() { 1 + CORRECTIONS } else { 1 };
        for _ in 0..rounds {
            for i in 0..self.lambda.len() {
                self.correction[i] = -(self.rows.acceleration[i] + self.G.times(i, vdot));
            }
            self.row_system.solve(&mut self.correction);
            for (sum, x) in self.lambda.iter_mut().zip(&self.correction) {
                *sum += *x;
            }
            let correction = std::mem::take(&mut self.correction);
            self.add_rows(skeleton, &correction, vdot);
            self.correction = correction;
        }
    }

    /// Solves M x − Gᵀ μ = `right`, G x = `rows` with the factors of the last evaluation; `rows` becomes μ.
    fn solve_bordered(&mut self, skeleton: &Skeleton, right: &[S], rows: &mut [S], x: &mut [S]) {
        self.kernel.apply_inverse_mass(skeleton, &self.frames, right, x);
        if rows.is_empty() {
            return;
        }
        for (i, row) in rows.iter_mut().enumerate() {
            *row -= self.G.times(i, x);
        }
        self.row_system.solve(rows);
        self.add_rows(skeleton, rows, x);
    }

    /// Adds M⁻¹ Gᵀ μ.
    fn add_rows(&mut self, skeleton: &Skeleton, multipliers: &[S], x: &mut [S]) {
        self.G.fill_transposed(multipliers, &mut self.effort);
        self.kernel.apply_inverse_mass(skeleton, &self.frames, &self.effort, &mut self.moved);
        self.effort.fill(S::ZERO);
        for (x, moved) in x.iter_mut().zip(&self.moved) {
            *x += *moved;
        }
    }

    /// G and the factored G M⁻¹ Gᵀ for the rows in `rows`; the kernel must be factored.
    fn factor_rows<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>) {
        self.G.fill(skeleton, &self.frames, &self.rows);
        self.row_system.fill_scale(skeleton, c, &self.rows);
        let Work { kernel, frames, rows, row_system, effort, .. } = self;
        let mut on_dofs = 0;
        for i in 0..rows.len() {
            let steps = row_system.structure().range(i);
            let first = on_dofs;
            while let Some((_, dof, coefficient)) = rows.on_dofs.get(on_dofs).filter(|(row, ..)| *row as usize == i) {
                effort[*dof as usize] += *coefficient;
                on_dofs += 1;
            }
            match kernel {
                Kernel::Planar(kernel) => kernel.carry_row(skeleton, row_system.structure().way(i), rows, i, effort),
                Kernel::Spatial(kernel) => kernel.carry_row(skeleton, frames, row_system.structure().way(i), rows, i, effort),
            }
            for step in steps {
                let b = row_system.structure().steps()[step] as usize;
                let (p, u) = row_system.half_mut(step);
                match kernel {
                    Kernel::Planar(kernel) => kernel.read_half(skeleton, b, p, u),
                    Kernel::Spatial(kernel) => kernel.read_half(skeleton, b, p, u),
                }
            }
            rows.on_dofs[first..on_dofs].iter().for_each(|(_, dof, _)| effort[*dof as usize] = S::ZERO);
        }
        row_system.factor();
    }

    /// What is left over of the equations of motion and of the rows for given accelerations and multipliers:
    ///
    ///     R = inverse(q, v, v̇) − Q(q, v, t) − Gᵀ λ        Φ̈(q, v, v̇, t) + what the control of rows adds    (2)
    ///
    /// without the inertial part unless `INERTIA`. Afterwards `n`, `f` hold the joint wrenches on bodies (with `INERTIA`).
    pub(crate) fn residual<C: Constant<S>, const INERTIA: bool>(
        &mut self,
        skeleton: &Skeleton,
        numbers: &Numbers<C>,
        t: S,
        q: &[S],
        v: &[S],
        inside: Inside<S>,
        vdot: &[S],
        lambda: &[impl Constant<S>],
        wrench: &mut Wrenches<S>,
        residual: &mut [S],
    ) {
        self.frames.fill::<C, true>(skeleton, &numbers.tree, q, v, vdot);
        self.frames.fill_points(skeleton);
        self.loads.clear();
        let scene = Scene { skeleton, numbers, frames: &self.frames, q, v, vdot, t, inside };
        if self.loaded {
            numbers.apply_loads(&scene, &mut self.loads);
        }
        self.loads.add_pushes(&self.pushes);
        numbers.constraints.fill(&scene, &mut self.rows);
        for (i, &l) in lambda.iter().enumerate() {
            for side in 0..2 {
                let body = self.rows.body[i][side] as usize;
                self.loads.moment[body] += self.rows.moment[i][side].scale(l.lift());
                self.loads.force[body] += self.rows.force[i][side].scale(l.lift());
            }
        }
        for &(row, dof, c) in &self.rows.on_dofs {
            self.loads.tau[dof as usize] += lambda[row as usize].times(c);
        }
        for b in 0..skeleton.parent.len() {
            wrench.moment[b] = -self.loads.moment[b];
            wrench.force[b] = -self.loads.force[b];
        }
        if INERTIA {
            spatial::inverse(skeleton, &numbers.tree, &self.frames, &mut wrench.moment, &mut wrench.force, residual);
        } else {
            self.frames.project(skeleton, &mut wrench.moment, &mut wrench.force, residual);
        }
        for (r, own) in residual.iter_mut().zip(&self.loads.tau) {
            *r -= *own;
        }
    }
}

impl<S: Real> Kernel<S> {
    #[inline(always)]
    fn factor_and_solve(&mut self, skeleton: &Skeleton, frames: &Frames<S>, tau: &[S], vdot: &mut [S]) {
        match self {
            Kernel::Planar(kernel) => kernel.factor_and_solve(skeleton, tau, vdot),
            Kernel::Spatial(kernel) => kernel.factor_and_solve(skeleton, frames, tau, vdot),
        }
    }

    #[inline(always)]
    fn apply_inverse_mass(&mut self, skeleton: &Skeleton, frames: &Frames<S>, tau: &[S], vdot: &mut [S]) {
        match self {
            Kernel::Planar(kernel) => kernel.apply_inverse_mass(skeleton, tau, vdot),
            Kernel::Spatial(kernel) => kernel.apply_inverse_mass(skeleton, frames, tau, vdot),
        }
    }
}

/// Wrenches on bodies about their kernel origins.
#[derive(Clone, Debug)]
pub(crate) struct Wrenches<S> {
    pub moment: Vec<Vec3<S>>,
    pub force: Vec<Vec3<S>>,
}

impl<S: Real> Wrenches<S> {
    pub(crate) fn new(skeleton: &Skeleton) -> Self {
        let zeros = vec![Vec3::ZERO; skeleton.parent.len()];
        Wrenches { moment: zeros.clone(), force: zeros }
    }
}

/// Memory of the recursive formulation.
pub struct Articulated {
    skeleton: Arc<Skeleton>,
    work: Work<f64>,
    /// Memory of reports: kinematics with accelerations (always by the spatial loop), joint wrenches.
    wrench: Wrenches<f64>,
    residual: Vec<f64>,
    projection: project::Memory,
    derivatives: Option<Box<jacobian::Derivatives>>,
    parameter_duals: Option<Box<jacobian::ParameterDuals>>,
}

impl Articulated {
    /// Memory for a system.
    pub fn new(system: &System) -> Self {
        Articulated {
            skeleton: system.skeleton.clone(),
            work: Work::new(system),
            wrench: Wrenches::new(&system.skeleton),
            residual: vec![0.0; system.skeleton.dofs()],
            projection: project::Memory::new(system),
            derivatives: None,
            parameter_duals: None,
        }
    }

    /// What soft parts do to the bodies from now on: reports and inverse dynamics count it among the loads.
    pub fn set_pushes(&mut self, pushes: &[Push]) {
        self.work.pushes.clear();
        self.work.pushes.extend_from_slice(pushes);
    }

    /// Length and rate of a path over nodes of soft parts, for the looks that follow.
    pub fn give_path(&mut self, path: u32, along: [f64; 2]) {
        self.work.loads.lines.give(path, along);
    }

    /// The skeleton it was made for.
    pub(crate) fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Forward dynamics: accelerations for the model's forces and `tau`, elements as the model starts.
    #[inline]
    pub fn forward(&mut self, system: &System, t: f64, q: &[f64], v: &[f64], tau: &[f64], vdot: &mut [f64]) -> Result<(), Failure> {
        self.accelerate(system, Input { t, q, v, inside: Inside::NONE, tau }, vdot)
    }

    /// Forward dynamics: accelerations at a state; afterwards `rates_of_states` has the rates of the elements' states.
    #[inline(never)]
    pub fn accelerate(&mut self, system: &System, input: Input, vdot: &mut [f64]) -> Result<(), Failure> {
        let Input { t, q, v, inside, tau } = input;
        check_shape(&self.skeleton, system)?;
        check_lengths(system, t, q, v, tau)?;
        check_inside(system, &inside)?;
        self.work.loads.inner.reporting = false;
        self.work.forward(&system.skeleton, &system.numbers, t, q, v, inside, tau, vdot);
        self.check_finite(system, input, vdot)
    }

    /// Rates of the states of elements at the last state looked at.
    pub fn rates_of_states(&self) -> &[f64] {
        &self.work.loads.inner.zdot
    }

    /// Forces of rows of the last forward dynamics.
    pub fn row_force(&self) -> &[f64] {
        &self.work.lambda
    }

    /// Power of the force elements and of the rows at the state of the last forward dynamics, W.
    pub fn powers(&self, v: &[f64]) -> [f64; 2] {
        let Work { loaded, frames, loads, G, lambda, .. } = &self.work;
        [if *loaded { element_power(frames, loads, v) } else { 0.0 }, row_power(G, lambda, v)]
    }

    /// Q, generalised forces of elements and contacts at the state of the last call of `linearise`.
    pub(crate) fn fill_load_forces(&mut self, out: &mut [f64]) {
        let (Work { frames, loads, .. }, wrench) = (&self.work, &mut self.wrench);
        wrench.moment.copy_from_slice(&loads.moment);
        wrench.force.copy_from_slice(&loads.force);
        frames.project(&self.skeleton, &mut wrench.moment, &mut wrench.force, out);
        out.iter_mut().zip(&loads.tau).for_each(|(force, tau)| *force += tau);
    }

    /// Powers of muscles at the state of the last forward dynamics (`Inner::power`).
    pub(crate) fn muscle_powers(&self) -> [f64; 2] {
        self.work.loads.inner.power
    }

    /// Paths at the state of the last forward dynamics.
    pub(crate) fn lines(&self) -> &Lines<f64> {
        &self.work.loads.lines
    }

    /// What pairs of surfaces did at the state of the last forward dynamics.
    pub fn pairs(&self) -> &PairMemory<f64> {
        &self.work.loads.pairs
    }

    /// Inverse dynamics: the generalised forces beside the model's own that give the tree these accelerations. Loops and guides play no
    /// part: what is returned is all that they and any actuators must do together.
    pub fn inverse(&mut self, system: &System, t: f64, q: &[f64], v: &[f64], vdot: &[f64], tau: &mut [f64]) -> Result<(), Failure> {
        self.inverse_inside(system, t, q, v, Inside::NONE, vdot, tau)
    }

    /// Inverse dynamics with given states and controls of elements.
    #[inline(never)]
    pub fn inverse_inside(
        &mut self,
        system: &System,
        t: f64,
        q: &[f64],
        v: &[f64],
        inside: Inside<f64>,
        vdot: &[f64],
        tau: &mut [f64],
    ) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        check_lengths(system, t, q, v, vdot)?;
        check_inside(system, &inside)?;
        let System { skeleton, numbers, .. } = system;
        let work = &mut self.work;
        let loaded = work.loaded || !work.pushes.is_empty();
        if let Kernel::Planar(kernel) = &mut work.kernel {
            kernel.fill_accelerated(skeleton, &numbers.tree, q, v, vdot);
            if loaded {
                kernel.expand(skeleton, &mut work.frames);
            }
        } else {
            work.frames.fill::<f64, true>(skeleton, &numbers.tree, q, v, vdot);
        }
        if loaded {
            work.frames.fill_points(skeleton);
            work.loads.clear();
            let scene = Scene { skeleton, numbers, frames: &work.frames, q, v, vdot, t, inside };
            if work.loaded {
                numbers.apply_loads(&scene, &mut work.loads);
            }
            work.loads.add_pushes(&work.pushes);
        }
        if let Kernel::Planar(kernel) = &mut work.kernel {
            kernel.inverse(skeleton, loaded.then_some(&work.loads), tau);
        } else {
            let wrench = &mut self.wrench;
            if loaded {
                for b in 0..skeleton.parent.len() {
                    wrench.moment[b] = -work.loads.moment[b];
                    wrench.force[b] = -work.loads.force[b];
                }
            } else {
                wrench.moment.fill(Vec3::ZERO);
                wrench.force.fill(Vec3::ZERO);
            }
            spatial::inverse(skeleton, &numbers.tree, &work.frames, &mut wrench.moment, &mut wrench.force, tau);
        }
        if loaded {
            for (x, own) in tau.iter_mut().zip(&work.loads.tau) {
                *x -= *own;
            }
        }
        self.check_finite(system, Input { t, q, v, inside, tau: vdot }, tau)
    }

    /// A result that is not finite is blamed on the state or a control if that is not finite, else on the joint.
    #[inline(always)]
    fn check_finite(&self, system: &System, input: Input, result: &[f64]) -> Result<(), Failure> {
        // Zero times x is zero for finite numbers and NaN for all others, and sums keep a NaN.
        let mut sum = 0.0;
        for x in result {
            sum += 0.0 * x;
        }
        if sum == 0.0 { Ok(()) } else { Err(self.blame(system, &input, result)) }
    }

    #[cold]
    fn blame(&self, system: &System, input: &Input, result: &[f64]) -> Failure {
        if let Err(failure) = check_finite(system, input) {
            return failure;
        }
        if let Some(failure) = system.control_not_finite(input.t).filter(|_| input.inside.u.is_empty()) {
            return failure;
        }
        let dof = result.iter().position(|x| !x.is_finite()).unwrap_or(0);
        let body = system.skeleton.dof_body[dof] as usize;
        Failure::of_joint(system, body, self.work.loads.unfound())
    }
}

impl Formulation for Articulated {
    fn evaluate(&mut self, system: &System, input: Input, out: &mut Evaluation) -> Result<(), Failure> {
        self.accelerate(system, input, &mut out.vdot)?;
        out.row_force.copy_from_slice(&self.work.lambda);
        self.fill_report(system, input, Parts::ALL, out);
        Ok(())
    }

    fn set_row_control(&mut self, control: &RowControl) {
        self.work.set_control(control);
    }

    fn apart(&mut self) -> Option<&mut Articulated> {
        Some(self)
    }
}

/// Makes the formulation; it takes every model of rigid bodies.
pub fn build(system: &System) -> Result<Box<dyn Formulation>, Declined> {
    super::decline_soft(system)?;
    Ok(Box::new(Articulated::new(system)))
}
