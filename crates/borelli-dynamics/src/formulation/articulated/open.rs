//! The equations of motion left open: what accelerations and multipliers that are given, not found, leave over, with exact slopes.
//! Not here: finding them (`super`, or an implicit scheme).
//! In: a state, accelerations, multipliers. Out: R = inverse(q, v, v̇) − Q(q, v, z, t) − τ − Gᵀ λ and Φ(q, t); slopes by q along
//! tangent directions, by v, by v̇. States z of elements stand behind v, their rates behind v̇, ż − f behind R; where v comes without them they are as the model starts.

use super::jacobian::Derivatives;
use super::{Failure, Input, Work, Wrenches, check_inside, check_lengths, check_shape};
use crate::constraint::{RowControl, Rows, fill_jacobian};
use crate::integrate::{Motion, Tangents};
use crate::scene::Inside;
use crate::system::{Skeleton, System};
use std::sync::Arc;

/// Memory of open equations.
pub struct Open {
    skeleton: Arc<Skeleton>,
    tau: Vec<f64>,
    controls: Vec<f64>,
    work: Work<f64>,
    wrench: Wrenches<f64>,
    derivatives: Derivatives,
}

impl Open {
    /// Memory for a system with additional generalised forces `tau` and controls of elements; without controls they are as the model says.
    pub fn new(system: &System, tau: Vec<f64>, controls: Vec<f64>) -> Self {
        let skeleton = &system.skeleton;
        let (work, wrench, derivatives) = (Work::new(system), Wrenches::new(skeleton), Derivatives::new(system));
        Open { skeleton: skeleton.clone(), tau, controls, work, wrench, derivatives }
    }

    /// A motion without its accelerations as formulations see it.
    pub(crate) fn input<'a>(&'a self, t: f64, at: &Motion<'a>) -> Input<'a> {
        let (v, z) = at.v.split_at(self.tau.len().min(at.v.len()));
        Input { t, q: at.q, v, inside: Inside { z, u: &self.controls }, tau: &self.tau }
    }

    /// Replaces the controls of elements; empty: the functions of the model again.
    pub(crate) fn replace_controls(&mut self, controls: &[f64]) {
        self.controls.clear();
        self.controls.extend(controls);
    }

    /// Rows at the last look.
    pub(crate) fn rows(&self) -> &Rows<f64> {
        &self.work.rows
    }

    /// Φ̈ of the last look, with what the control of rows adds.
    pub(crate) fn row_accelerations(&self) -> &[f64] {
        &self.work.rows.acceleration
    }

    /// Length and rate of a path over nodes of soft parts, for the looks that follow.
    pub(crate) fn give_path(&mut self, path: u32, along: [f64; 2]) {
        self.work.loads.lines.give(path, along);
    }

    /// Tension of the laws along a path at the last look, with its slopes by length and rate at the last one with slopes.
    pub(crate) fn pull(&self, path: u32) -> [f64; 3] {
        let path = path as usize;
        let [by_length, by_rate] = self.derivatives.tension(path);
        [self.work.loads.lines.pulled[path], by_length, by_rate]
    }

    /// Sets which rows are released.
    pub fn set_row_control(&mut self, control: &RowControl) {
        self.work.set_control(control);
    }

    /// Accelerations and multipliers of forward dynamics with further generalised forces. `set_aside` is called with each row that depends on
    /// others here.
    pub fn forward_pushed(
        &mut self,
        system: &System,
        t: f64,
        q: &[f64],
        v: &[f64],
        push: &[f64],
        vdot: &mut [f64],
        lambda: &mut [f64],
        set_aside: impl FnMut(usize),
    ) -> Result<(), Failure> {
        let own = self.tau.clone();
        self.tau.iter_mut().zip(push).for_each(|(tau, push)| *tau += push);
        let done = self.forward(system, t, q, v, vdot, lambda, set_aside);
        self.tau = own;
        done
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
        let inside = Inside { z, u: &self.controls };
        check_inside(system, &inside)?;
        self.work.forward(&system.skeleton, &system.numbers, t, q, v, inside, &self.tau, vdot);
        zdot.copy_from_slice(&self.work.loads.inner.zdot[..zdot.len()]);
        lambda.copy_from_slice(&self.work.lambda);
        self.work.row_system.dependent().iter().for_each(|row| set_aside(*row));
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
        let inside = Inside { z, u: &self.controls };
        check_inside(system, &inside)?;
        let (force, rest) = force.split_at_mut(n);
        self.work.residual::<f64, true>(skeleton, numbers, t, at.q, v, inside, a, lambda, &mut self.wrench, force);
        for (k, rest) in rest.iter_mut().enumerate() {
            *rest = zdot[k] - self.work.loads.inner.zdot[k];
        }
        force.iter_mut().zip(&self.tau).for_each(|(r, tau)| *r -= tau);
        position.copy_from_slice(&self.work.rows.position);
        Ok(())
    }

    /// R, Φ and all slopes.
    pub fn linearise(&mut self, system: &System, t: f64, at: Motion, lambda: &[f64], out: &mut Tangents) -> Result<(), Failure> {
        self.residual(system, t, at, lambda, &mut out.force, &mut out.position)?;
        let skeleton = &system.skeleton;
        let n = skeleton.dofs();
        fill_jacobian(skeleton, &self.work.frames, &self.work.rows, &mut out.effect);
        let (v, z) = at.v.split_at(n);
        let input = Input { t, q: at.q, v, inside: Inside { z, u: &self.controls }, tau: &self.tau };
        self.derivatives.open(system, &self.work, &input, &at.a[..n], lambda, out);
        Ok(())
    }
}
