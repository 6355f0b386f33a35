//! Derivatives of the accelerations by parameters, by duals through the residual.
//! Not here: those by the state. In: a state and slots. Out: one column per slot.

use super::duals::Duals;
use super::{Articulated, Derivatives, N};
use crate::formulation::{Failure, Input, check_shape};
use crate::scene::Inside;
use crate::system::{Numbers, System};
use borelli_math::Dual;

/// Memory of derivatives by parameters.
pub(in super::super) struct ParameterDuals {
    duals: Duals,
    /// Parameters, those of a pass with a slope of one, and the numbers that follow.
    parameters: Vec<Dual<N>>,
    numbers: Numbers<Dual<N>>,
    /// −∂R/∂p of one parameter, and what solves for it.
    right: Vec<f64>,
    solution: Vec<f64>,
}

impl ParameterDuals {
    fn new(system: &System) -> Self {
        let n = system.skeleton.dofs();
        ParameterDuals {
            duals: Duals::with_loads(system),
            parameters: Vec::with_capacity(system.parameters.len()),
            numbers: Numbers::empty(&system.skeleton),
            right: vec![0.0; n],
            solution: vec![0.0; n],
        }
    }
}

impl Articulated {
    /// Derivatives of the accelerations by chosen parameters (by slot), elements as the model starts; entry (i, k) of the row-major `out` is by
    /// `slots[k]`. Allocates on its first call only.
    pub fn parameter_jacobian(
        &mut self,
        system: &System,
        t: f64,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        slots: &[usize],
        out: &mut [f64],
    ) -> Result<(), Failure> {
        self.fill_parameter_slopes(system, Input { t, q, v, inside: Inside::NONE, tau }, slots, 0, out)
    }

    /// Derivatives of the accelerations, and in further rows of the rates of elements' states, by chosen parameters.
    pub fn parameter_slopes(&mut self, system: &System, input: Input, slots: &[usize], out: &mut [f64]) -> Result<(), Failure> {
        self.fill_parameter_slopes(system, input, slots, system.numbers.states.len(), out)
    }

    /// The same with the rates of so many states.
    fn fill_parameter_slopes(
        &mut self,
        system: &System,
        input: Input,
        slots: &[usize],
        states: usize,
        out: &mut [f64],
    ) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        let (expected, known) = ((system.skeleton.dofs() + states) * slots.len(), system.parameters.len());
        if out.len() != expected {
            return Err(Failure::WrongLength { what: "list of slopes", expected, found: out.len() });
        }
        if let Some(slot) = slots.iter().find(|slot| **slot >= known) {
            return Err(Failure::WrongLength { what: "list of parameters", expected: known, found: slot + 1 });
        }
        let mut d = self.derivatives.take().unwrap_or_else(|| Box::new(Derivatives::new(system)));
        let prepared = self.prepare(system, &mut d, input);
        if prepared.is_ok() {
            let mut own = self.parameter_duals.take().unwrap_or_else(|| Box::new(ParameterDuals::new(system)));
            self.pass_parameters(system, input, slots, states, &mut d, &mut own, out);
            self.parameter_duals = Some(own);
        }
        self.derivatives = Some(d);
        prepared
    }

    /// Passes of a few parameters each, after `prepare`.
    fn pass_parameters(
        &mut self,
        system: &System,
        input: Input,
        slots: &[usize],
        states: usize,
        d: &mut Derivatives,
        own: &mut ParameterDuals,
        out: &mut [f64],
    ) {
        let Input { t, q, v, inside, .. } = input;
        let skeleton = &system.skeleton;
        let (n, m, width) = (skeleton.dofs(), system.names.rows.len(), slots.len());
        let ParameterDuals { duals, parameters, numbers, right, solution } = own;
        duals.set(q, v, &d.vdot);
        duals.set_inside(&system.numbers, t, &inside);
        duals.work.set_control(self.work.rows.control());
        let t = Dual { re: t, eps: [0.0; N] };
        for (c, chunk) in slots.chunks(N).enumerate() {
            parameters.clear();
            parameters.extend(system.parameters.iter().map(|p| Dual { re: p.value, eps: [0.0; N] }));
            chunk.iter().enumerate().for_each(|(k, slot)| parameters[*slot].eps[k] = 1.0);
            system.parts.fill(skeleton, parameters, numbers);
            let Duals { work, wrench, q, v, vdot, z, u, residual } = &mut *duals;
            // What the model itself says of elements depends on parameters, what is given does not.
            let inside = Inside { z: if inside.z.is_empty() { &[] } else { z }, u: if inside.u.is_empty() { &[] } else { u } };
            work.residual::<Dual<N>, true>(skeleton, numbers, t, q, v, inside, vdot, &d.lambda, wrench, residual);
            for k in 0..chunk.len() {
                let column = c * N + k;
                (0..states).for_each(|s| out[(n + s) * width + column] = work.loads.inner.zdot[s].eps[k]);
                (0..n).for_each(|i| right[i] = -residual[i].eps[k]);
                (0..m).for_each(|r| d.row_scratch[r] = -work.rows.acceleration[r].eps[k]);
                self.work.solve_bordered(skeleton, right, &mut d.row_scratch, solution);
                (0..n).for_each(|i| out[i * width + column] = solution[i]);
            }
        }
    }
}
