//! Exact derivatives of forward dynamics with respect to state, generalised forces and parameters.
//! Not here: the dynamics themselves.
//! In: a state. Out: ∂v̇/∂q (in tangent directions: a quaternion is differentiated along turns about child axes), ∂v̇/∂v, ∂v̇/∂τ, ∂v̇/∂t,
//! and the same of the forces of rows.
//!
//! Forward dynamics solves R(q, v, v̇, λ, t) = τ, Φ̈(q, v, v̇, t) = 0 (with what the control of rows adds) for v̇ and λ, so for any variable x
//!
//!     M dv̇ − Gᵀ dλ = −∂R/∂x        G dv̇ = −∂Φ̈/∂x        at fixed v̇ and λ                         (1)
//!
//! ∂R/∂x of the rigid tree is analytic (below); that of force elements and contacts is chained from local slopes (`loads`); that of constraints and function
//! joints comes from duals through the residual, which needs no solve. With composite quantities about one common point and, for each degree of freedom with spatial axis S,
//! Ψ̇ = v_before × S, Ψ̈ = a_before × S + v_before × Ψ̇, Ṡ its rate,
//!
//!     ∂τ_j/∂q_i = S_j·(2B_i Ψ̇_i + I_i Ψ̈_i + S_i ×* f_i)      ∂τ_i/∂q_j = S_i·(2B_i Ψ̇_j + I_i Ψ̈_j)        (2)
//!     ∂τ_j/∂v_i = S_j·(2B_i S_i + I_i (Ψ̇_i + Ṡ_i))           ∂τ_i/∂v_j = S_i·(2B_i S_j + I_i (Ψ̇_j + Ṡ_j))   (3)
//!
//! for j an ancestor of i (within one ball joint without the f-term). For a set of particles m at x moving with ẋ,
//! 2B (η, u) is the force 2 η × p and the moment 2 (tr P − P) η with p = Σ m ẋ and P = Σ m ẋ xᵀ, twelve numbers.
//!
//! Source: Singh, Russell & Wensing 2022, IEEE Robotics and Automation Letters 7(2):1776-1783, in world axes; the reduction of B to twelve
//! numbers is our own. Tests: duals through forward dynamics and central differences, on every gallery model.

mod composite;
mod derivatives;
mod dof_tree;
mod duals;
mod formulas;
mod loads;
mod lost;
mod parameters;
mod seeds;

pub(super) use derivatives::Derivatives;
pub(crate) use loads::LoadSlopes;
pub(crate) use lost::LostSlopes;
pub(super) use parameters::ParameterDuals;

use super::Articulated;
use crate::formulation::{Failure, Input, check_shape};
use crate::scene::Inside;
use crate::system::System;
use dof_tree::axpy;

/// Directions per dual pass: four cost large systems no more than eight would, small ones half as much, and the compiler less.
const N: usize = 4;

/// Derivatives of the accelerations, row-major: entry (i, j) is the derivative of v̇_i by variable j.
#[derive(Clone, Debug)]
pub struct Jacobian {
    /// Number of degrees of freedom.
    pub dofs: usize,
    /// Number of states of elements.
    pub states: usize,
    /// By the coordinates, in tangent directions.
    pub by_q: Vec<f64>,
    /// By the velocities.
    pub by_v: Vec<f64>,
    /// By the generalised forces; without constraints the inverse of the mass matrix.
    pub by_tau: Vec<f64>,
    /// By time.
    pub by_t: Vec<f64>,
    /// Of the forces of rows by the coordinates, rows × degrees of freedom.
    pub row_force_by_q: Vec<f64>,
    /// Of the forces of rows by the velocities.
    pub row_force_by_v: Vec<f64>,
    /// Of the forces of rows by time.
    pub row_force_by_t: Vec<f64>,
    /// By the states of elements, degrees of freedom × states.
    pub by_z: Vec<f64>,
    /// By the controls of elements, degrees of freedom × controls.
    pub by_u: Vec<f64>,
    /// Of the forces of rows by the states, rows × states.
    pub row_force_by_z: Vec<f64>,
    /// Of the rates of states by coordinates (tangent), velocities, time, states and controls, in this order: states × variables.
    pub zdot: Vec<f64>,
}

impl Jacobian {
    /// Memory for a system.
    pub fn new(system: &System) -> Self {
        let (n, m) = (system.skeleton.dofs(), system.names.rows.len());
        let (states, controls) = (system.numbers.states.len(), system.numbers.controls.len());
        Jacobian {
            dofs: n,
            states,
            by_q: vec![0.0; n * n],
            by_v: vec![0.0; n * n],
            by_tau: vec![0.0; n * n],
            by_t: vec![0.0; n],
            row_force_by_q: vec![0.0; m * n],
            row_force_by_v: vec![0.0; m * n],
            row_force_by_t: vec![0.0; m],
            by_z: vec![0.0; n * states],
            by_u: vec![0.0; n * controls],
            row_force_by_z: vec![0.0; m * states],
            zdot: vec![0.0; states * (2 * n + 1 + states + controls)],
        }
    }

    /// Slopes of the rate of a state: by coordinates (tangent), velocities, time, states and controls.
    pub fn of_state(&self, state: usize) -> &[f64] {
        let width = self.zdot.len() / self.states.max(1);
        &self.zdot[state * width..][..width]
    }
}

impl Articulated {
    /// Derivatives of forward dynamics, elements as the model starts.
    pub fn jacobian(&mut self, system: &System, t: f64, q: &[f64], v: &[f64], tau: &[f64], out: &mut Jacobian) -> Result<(), Failure> {
        self.linearise(system, Input { t, q, v, inside: Inside::NONE, tau }, out)
    }

    /// Derivatives of forward dynamics and of the rates of elements' states. Allocates on its first call only.
    #[inline(never)]
    pub fn linearise(&mut self, system: &System, input: Input, out: &mut Jacobian) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        let (states, controls) = (system.numbers.states.len(), system.numbers.controls.len());
        let skeleton = &system.skeleton;
        let (n, m) = (skeleton.dofs(), system.names.rows.len());
        let width = 3 * n;
        let mut d = self.derivatives.take().unwrap_or_else(|| Box::new(Derivatives::new(system)));
        if let Err(failure) = self.prepare(system, &mut d, input) {
            self.derivatives = Some(d);
            return Err(failure);
        }
        d.differentiate(system, &self.work, &input, &mut out.zdot, &mut out.row_force_by_t);
        d.factor(n);
        d.solve_columns(n, d.branched);
        if m > 0 {
            self.add_multipliers(&mut d, width);
        }
        for i in 0..n {
            let row = d.columns[i * width..][..width].chunks_exact(3);
            let (by_q, by_v, by_tau) = (&mut out.by_q[i * n..][..n], &mut out.by_v[i * n..][..n], &mut out.by_tau[i * n..][..n]);
            for (((x, q), v), tau) in row.zip(by_q).zip(by_v).zip(by_tau) {
                (*q, *v, *tau) = (x[0], x[1], x[2]);
            }
        }
        for r in 0..m {
            let row = d.row_columns[r * width..][..width].chunks_exact(3);
            let (by_q, by_v) = (&mut out.row_force_by_q[r * n..][..n], &mut out.row_force_by_v[r * n..][..n]);
            for ((x, q), v) in row.zip(by_q).zip(by_v) {
                (*q, *v) = (x[0], x[1]);
            }
        }
        out.by_t.fill(0.0);
        if !system.of_time.is_empty() {
            self.work.solve_bordered(skeleton, &d.time_column, &mut out.row_force_by_t, &mut out.by_t);
        }
        for k in 0..states + controls {
            let (right, rows) = d.inner_columns[k * (n + m)..][..n + m].split_at_mut(n);
            self.work.solve_bordered(skeleton, right, rows, &mut d.solution);
            for i in 0..n {
                if k < states {
                    out.by_z[i * states + k] = d.solution[i];
                } else {
                    out.by_u[i * controls + k - states] = d.solution[i];
                }
            }
            if k < states {
                (0..m).for_each(|r| out.row_force_by_z[r * states + k] = rows[r]);
            }
        }
        self.derivatives = Some(d);
        Ok(())
    }

    /// Accelerations of the last call of `jacobian`.
    pub(crate) fn linearised(&self) -> &[f64] {
        self.derivatives.as_ref().map_or(&[], |derivatives| &derivatives.vdot)
    }

    /// Slopes of the generalised forces of elements and contacts of the last call of `linearise`.
    pub(crate) fn load_slopes(&self) -> Option<&LoadSlopes> {
        self.derivatives.as_ref()?.loads.as_ref()
    }

    /// Slopes of the power lost in pairs of surfaces of the last call of `linearise`.
    pub(crate) fn lost_slopes(&self) -> Option<&LostSlopes> {
        self.load_slopes().map(|loads| &loads.lost)
    }

    /// Accelerations and multipliers, then kinematics with these accelerations and the composites.
    fn prepare(&mut self, system: &System, d: &mut Derivatives, input: Input) -> Result<(), Failure> {
        let System { skeleton, numbers, .. } = system;
        let Input { q, v, .. } = input;
        self.accelerate(system, input, &mut d.vdot)?;
        d.lambda.copy_from_slice(&self.work.lambda);
        let frames = &mut self.work.frames;
        frames.fill::<f64, true>(skeleton, &numbers.tree, q, v, &d.vdot);
        frames.fill_points(skeleton);
        Ok(())
    }

    /// The second half of (1): multipliers that keep the rows, added to the columns.
    fn add_multipliers(&mut self, d: &mut Derivatives, width: usize) {
        let (n, G) = (d.vdot.len(), &self.work.G);
        d.asked.copy_from_slice(&d.row_columns);
        d.row_columns.fill(0.0);
        // The second round brings what rounding left of the rows to its floor: small inertias make the free columns large.
        for _ in 0..2 {
            // Rows do not depend on τ: their columns by it are zero so far.
            d.open_rows.copy_from_slice(&d.asked);
            for (r, row) in d.open_rows.chunks_exact_mut(width).enumerate() {
                G.row(r).iter().for_each(|(dof, g)| axpy(row, -g, &d.columns[*dof as usize * width..][..width]));
            }
            self.work.row_system.solve_columns(&mut d.open_rows, width);
            d.pushed.fill(0.0);
            for (r, row) in d.open_rows.chunks_exact(width).enumerate() {
                G.row(r).iter().for_each(|(dof, g)| axpy(&mut d.pushed[*dof as usize * width..][..width], *g, row));
            }
            std::mem::swap(&mut d.columns, &mut d.pushed);
            d.solve_columns(n, false);
            std::mem::swap(&mut d.columns, &mut d.pushed);
            axpy(&mut d.columns, 1.0, &d.pushed);
            axpy(&mut d.row_columns, 1.0, &d.open_rows);
        }
    }
}
