//! Memory of dual passes through the residual.
//! Not here: who seeds them, and by what.

use super::super::{Work, Wrenches};
use super::N;
use crate::scene::Inside;
use crate::system::{Numbers, System};
use borelli_math::Dual;

/// Memory of dual passes through the residual.
pub(super) struct Duals {
    pub(super) work: Work<Dual<N>>,
    pub(super) wrench: Wrenches<Dual<N>>,
    pub(super) q: Vec<Dual<N>>,
    pub(super) v: Vec<Dual<N>>,
    pub(super) vdot: Vec<Dual<N>>,
    pub(super) z: Vec<Dual<N>>,
    pub(super) u: Vec<Dual<N>>,
    pub(super) residual: Vec<Dual<N>>,
}

impl Duals {
    /// For rows and function joints: loads have slopes of their own.
    pub(super) fn new(system: &System) -> Self {
        let mut duals = Duals::with_loads(system);
        duals.work.loaded = false;
        duals
    }

    /// For everything.
    pub(super) fn with_loads(system: &System) -> Self {
        let skeleton = &system.skeleton;
        let zero = Dual { re: 0.0, eps: [0.0; N] };
        Duals {
            work: Work::new(system),
            wrench: Wrenches::new(skeleton),
            q: vec![zero; skeleton.coords()],
            v: vec![zero; skeleton.dofs()],
            vdot: vec![zero; skeleton.dofs()],
            z: vec![zero; system.numbers.states.len()],
            u: vec![zero; system.numbers.controls.len()],
            residual: vec![zero; skeleton.dofs()],
        }
    }

    /// Sets values without derivatives.
    pub(super) fn set(&mut self, q: &[f64], v: &[f64], vdot: &[f64]) {
        for (list, values) in [(&mut self.q, q), (&mut self.v, v), (&mut self.vdot, vdot)] {
            for (x, value) in list.iter_mut().zip(values) {
                *x = Dual { re: *value, eps: [0.0; N] };
            }
        }
    }

    /// Sets states and controls of elements without derivatives, those of the model where none are given.
    pub(super) fn set_inside(&mut self, numbers: &Numbers<f64>, t: f64, inside: &Inside<f64>) {
        for (k, z) in self.z.iter_mut().enumerate() {
            *z = Dual { re: inside.z.get(k).copied().unwrap_or(numbers.states[k]), eps: [0.0; N] };
        }
        for (k, u) in self.u.iter_mut().enumerate() {
            let given = inside.u.get(k).copied();
            *u = Dual { re: given.unwrap_or_else(|| numbers.functions[numbers.controls[k] as usize].eval(t)[0]), eps: [0.0; N] };
        }
    }
}
