//! The equations of motion left open: what accelerations and multipliers that are given, not found, leave over, with exact slopes.
//! Not here: finding them (`super`, or an implicit scheme).
//! In: a state, accelerations, multipliers. Out: R = inverse(q, v, v̇) − Q(q, v, t) − τ − Gᵀ λ and Φ(q, t); slopes by q along tangent directions, by v, by v̇.

use super::{Failure, Work, Wrenches, check_lengths};
use crate::constraint::{RowControl, fill_jacobian};
use crate::integrate::{Motion, Tangents};
use crate::retract::seed_tangent;
use crate::scene::Inside;
use crate::system::System;
use borelli_math::{Dual, Real};

/// Directions per dual pass, as in `jacobian`.
const N: usize = 4;

/// Open equations of one system, with their memory.
pub struct Open<'s> {
    system: &'s System,
    tau: Vec<f64>,
    work: Work<f64>,
    wrench: Wrenches<f64>,
    duals: Work<Dual<N>>,
    dual_wrench: Wrenches<Dual<N>>,
    q: Vec<Dual<N>>,
    v: Vec<Dual<N>>,
    a: Vec<Dual<N>>,
    residual: Vec<Dual<N>>,
}

impl<'s> Open<'s> {
    /// Memory for a system with additional generalised forces `tau`.
    pub fn new(system: &'s System, tau: Vec<f64>) -> Self {
        let skeleton = &system.skeleton;
        let zeros = |n: usize| vec![Dual { re: 0.0, eps: [0.0; N] }; n];
        Open {
            system,
            tau,
            work: Work::new(system),
            wrench: Wrenches::new(skeleton),
            duals: Work::new(system),
            dual_wrench: Wrenches::new(skeleton),
            q: zeros(skeleton.coords()),
            v: zeros(skeleton.dofs()),
            a: zeros(skeleton.dofs()),
            residual: zeros(skeleton.dofs()),
        }
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// Sets which rows are released.
    pub fn set_row_control(&mut self, control: &RowControl) {
        self.work.set_control(control);
        self.duals.set_control(control);
    }

    /// Accelerations and multipliers of forward dynamics. `set_aside` is called with each row that depends on others here.
    pub fn forward(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        vdot: &mut [f64],
        lambda: &mut [f64],
        mut set_aside: impl FnMut(usize),
    ) -> Result<(), Failure> {
        check_lengths(self.system, t, q, v, &self.tau)?;
        self.work.forward(&self.system.skeleton, &self.system.numbers, t, q, v, Inside::NONE, &self.tau, vdot);
        lambda.copy_from_slice(&self.work.lambda);
        self.work.small.dependent().iter().for_each(|row| set_aside(*row));
        Ok(())
    }

    /// R and Φ.
    pub fn residual(&mut self, t: f64, at: Motion, lambda: &[f64], force: &mut [f64], position: &mut [f64]) -> Result<(), Failure> {
        check_lengths(self.system, t, at.q, at.v, &self.tau)?;
        let System { skeleton, numbers, .. } = self.system;
        self.work.residual::<f64, true>(skeleton, numbers, t, at.q, at.v, Inside::NONE, at.a, lambda, &mut self.wrench, force);
        force.iter_mut().zip(&self.tau).for_each(|(r, tau)| *r -= tau);
        position.copy_from_slice(&self.work.rows.position);
        Ok(())
    }

    /// R, Φ and all slopes.
    pub fn linearise(&mut self, t: f64, at: Motion, lambda: &[f64], out: &mut Tangents) -> Result<(), Failure> {
        self.residual(t, at, lambda, &mut out.force, &mut out.position)?;
        let System { skeleton, numbers, .. } = self.system;
        let n = skeleton.dofs();
        fill_jacobian(skeleton, &self.work.frames, &self.work.rows, &mut out.effect);
        for first in (0..3 * n).step_by(N) {
            for (list, values) in [(&mut self.q, at.q), (&mut self.v, at.v), (&mut self.a, at.a)] {
                list.iter_mut().zip(values).for_each(|(x, value)| *x = Dual { re: *value, eps: [0.0; N] });
            }
            let variables = first..(first + N).min(3 * n);
            for (k, variable) in variables.clone().enumerate() {
                match (variable / n, variable % n) {
                    (0, dof) => seed_tangent(skeleton, &mut self.q, dof, k),
                    (1, dof) => self.v[dof].eps[k] = 1.0,
                    (_, dof) => self.a[dof].eps[k] = 1.0,
                }
            }
            let (wrench, residual) = (&mut self.dual_wrench, &mut self.residual);
            let (q, v, a) = (&self.q, &self.v, &self.a);
            self.duals.residual::<f64, true>(skeleton, numbers, Dual::from_f64(t), q, v, Inside::NONE, a, lambda, wrench, residual);
            for (k, variable) in variables.enumerate() {
                let column = variable % n;
                let block = match variable / n {
                    0 => &mut out.by_q,
                    1 => &mut out.by_v,
                    _ => &mut out.by_a,
                };
                for i in 0..n {
                    block[i * n + column] = self.residual[i].eps[k];
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
