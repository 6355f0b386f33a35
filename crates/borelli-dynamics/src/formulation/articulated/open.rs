//! The equations of motion left open: what accelerations and multipliers that are given, not found, leave over, with exact slopes.
//! Not here: finding them (`super`, or an implicit scheme).
//! In: a state, accelerations, multipliers. Out: R = inverse(q, v, v̇) − Q(q, v, z, t) − τ − Gᵀ λ and Φ(q, t); slopes by q along tangent directions, by v, by v̇. States z of elements
//! stand behind v, their rates behind v̇, ż − f behind R; where v comes without them they are as the model starts.

use super::{Failure, Work, Wrenches, check_inside, check_lengths, check_shape};
use crate::constraint::{RowControl, fill_jacobian};
use crate::integrate::{Motion, Tangents};
use crate::retract::seed_tangent;
use crate::scene::Inside;
use crate::system::{Skeleton, System};
use borelli_math::{Dual, Real};
use std::sync::Arc;

/// Directions per dual pass, as in `jacobian`.
const N: usize = 4;

/// Memory of open equations.
pub struct Open {
    skeleton: Arc<Skeleton>,
    tau: Vec<f64>,
    work: Work<f64>,
    wrench: Wrenches<f64>,
    duals: Work<Dual<N>>,
    dual_wrench: Wrenches<Dual<N>>,
    q: Vec<Dual<N>>,
    v: Vec<Dual<N>>,
    a: Vec<Dual<N>>,
    z: Vec<Dual<N>>,
    residual: Vec<Dual<N>>,
}

impl Open {
    /// Memory for a system with additional generalised forces `tau`.
    pub fn new(system: &System, tau: Vec<f64>) -> Self {
        let skeleton = &system.skeleton;
        let zeros = |n: usize| vec![Dual { re: 0.0, eps: [0.0; N] }; n];
        Open {
            skeleton: skeleton.clone(),
            tau,
            work: Work::new(system),
            wrench: Wrenches::new(skeleton),
            duals: Work::new(system),
            dual_wrench: Wrenches::new(skeleton),
            q: zeros(skeleton.coords()),
            v: zeros(skeleton.dofs()),
            a: zeros(skeleton.dofs()),
            z: zeros(system.numbers.states.len()),
            residual: zeros(skeleton.dofs()),
        }
    }

    /// Sets which rows are released.
    pub fn set_row_control(&mut self, control: &RowControl) {
        self.work.set_control(control);
        self.duals.set_control(control);
    }

    /// Accelerations and multipliers of forward dynamics. `set_aside` is called with each row that depends on others here.
    pub fn forward(
        &mut self,
        system: &System,
        t: f64,
        q: &[f64],
        v: &[f64],
        vdot: &mut [f64],
        lambda: &mut [f64],
        mut set_aside: impl FnMut(usize),
    ) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        let n = system.skeleton.dofs().min(v.len());
        let (v, z) = v.split_at(n);
        let (vdot, zdot) = vdot.split_at_mut(n);
        check_lengths(system, t, q, v, &self.tau)?;
        let inside = Inside { z, u: &[] };
        check_inside(system, &inside)?;
        self.work.forward(&system.skeleton, &system.numbers, t, q, v, inside, &self.tau, vdot);
        zdot.copy_from_slice(&self.work.loads.zdot[..zdot.len()]);
        lambda.copy_from_slice(&self.work.lambda);
        self.work.small.dependent().iter().for_each(|row| set_aside(*row));
        Ok(())
    }

    /// R and Φ.
    pub fn residual(
        &mut self,
        system: &System,
        t: f64,
        at: Motion,
        lambda: &[f64],
        force: &mut [f64],
        position: &mut [f64],
    ) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        let System { skeleton, numbers, .. } = system;
        let n = skeleton.dofs().min(at.v.len());
        let ((v, z), (a, zdot)) = (at.v.split_at(n), at.a.split_at(n));
        check_lengths(system, t, at.q, v, &self.tau)?;
        let inside = Inside { z, u: &[] };
        check_inside(system, &inside)?;
        let (force, rest) = force.split_at_mut(n);
        self.work.residual::<f64, true>(skeleton, numbers, t, at.q, v, inside, a, lambda, &mut self.wrench, force);
        for (k, rest) in rest.iter_mut().enumerate() {
            *rest = zdot[k] - self.work.loads.zdot[k];
        }
        force.iter_mut().zip(&self.tau).for_each(|(r, tau)| *r -= tau);
        position.copy_from_slice(&self.work.rows.position);
        Ok(())
    }

    /// R, Φ and all slopes.
    pub fn linearise(&mut self, system: &System, t: f64, at: Motion, lambda: &[f64], out: &mut Tangents) -> Result<(), Failure> {
        self.residual(system, t, at, lambda, &mut out.force, &mut out.position)?;
        let System { skeleton, numbers, .. } = system;
        let (n, all) = (skeleton.dofs(), at.v.len());
        let ((at_v, at_z), at_a) = (at.v.split_at(n), &at.a[..n]);
        let variables_in_all = 3 * n + at_z.len();
        fill_jacobian(skeleton, &self.work.frames, &self.work.rows, &mut out.effect);
        out.by_a.fill(0.0);
        for k in n..all {
            out.by_a[k * all + k] = 1.0;
        }
        for first in (0..variables_in_all).step_by(N) {
            for (list, values) in [(&mut self.q, at.q), (&mut self.v, at_v), (&mut self.a, at_a), (&mut self.z, at_z)] {
                list.iter_mut().zip(values).for_each(|(x, value)| *x = Dual { re: *value, eps: [0.0; N] });
            }
            let variables = first..(first + N).min(variables_in_all);
            for (k, variable) in variables.clone().enumerate() {
                match variable {
                    dof if dof < n => seed_tangent(skeleton, &mut self.q, dof, k),
                    dof if dof < 2 * n => self.v[dof - n].eps[k] = 1.0,
                    dof if dof < 3 * n => self.a[dof - 2 * n].eps[k] = 1.0,
                    state => self.z[state - 3 * n].eps[k] = 1.0,
                }
            }
            let (wrench, residual) = (&mut self.dual_wrench, &mut self.residual);
            let (q, v, a) = (&self.q, &self.v, &self.a);
            let inside = Inside { z: &self.z[..at_z.len()], u: &[] };
            self.duals.residual::<f64, true>(skeleton, numbers, Dual::from_f64(t), q, v, inside, a, lambda, wrench, residual);
            for (k, variable) in variables.enumerate() {
                let (block, width, column) = match variable {
                    dof if dof < n => (&mut out.by_q, n, dof),
                    dof if dof < 2 * n => (&mut out.by_v, all, dof - n),
                    dof if dof < 3 * n => (&mut out.by_a, all, dof - 2 * n),
                    state => (&mut out.by_v, all, state - 2 * n),
                };
                for i in 0..n {
                    block[i * width + column] = self.residual[i].eps[k];
                }
                // Rates of states do not depend on accelerations.
                for s in 0..if (2 * n..3 * n).contains(&variable) { 0 } else { all - n } {
                    block[(n + s) * width + column] = -self.duals.loads.zdot[s].eps[k];
                }
                if variable < n {
                    for (r, position) in self.duals.rows.position.iter().enumerate() {
                        out.G[r * n + column] = position.eps[k];
                    }
                }
            }
        }
        Ok(())
    }
}
