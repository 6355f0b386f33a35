//! Derivatives of the accelerations by parameters, by duals through the residual.
//! Not here: those by the state. In: a state and slots. Out: one column per slot.

use super::{Articulated, Derivatives, Duals, N};
use crate::formulation::{Failure, Input};
use crate::scene::Inside;
use crate::system::{Numbers, System};
use borelli_math::Dual;

impl Articulated {
    /// Derivatives of the accelerations by chosen parameters (by slot), elements as the model starts; entry (i, k) of the row-major result is by `slots[k]`.
    pub fn parameter_jacobian(
        &mut self,
        system: &System,
        t: f64,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        slots: &[usize],
    ) -> Result<Vec<f64>, Failure> {
        let mut table = self.parameter_slopes(system, Input { t, q, v, inside: Inside::NONE, tau }, slots)?;
        table.truncate(v.len() * slots.len());
        Ok(table)
    }

    /// Derivatives of the accelerations, and in further rows of the rates of elements' states, by chosen parameters.
    pub fn parameter_slopes(&mut self, system: &System, input: Input, slots: &[usize]) -> Result<Vec<f64>, Failure> {
        let Input { t, q, v, inside, .. } = input;
        let states = system.numbers.states.len();
        let skeleton = &system.skeleton;
        let (n, m, width) = (skeleton.dofs(), system.names.rows.len(), slots.len());
        let mut d = self.derivatives.take().unwrap_or_else(|| Box::new(Derivatives::new(system)));
        self.prepare(system, &mut d, input)?;
        let mut columns = vec![0.0; n * width];
        let mut row_columns = vec![0.0; m * width];
        let mut duals = Duals::with_loads(system);
        duals.set(q, v, &d.vdot);
        duals.set_inside(&system.numbers, t, &inside);
        let mut out = vec![0.0; (n + states) * width];
        duals.work.set_control(self.work.rows.control());
        let t = Dual { re: t, eps: [0.0; N] };
        for (c, chunk) in slots.chunks(N).enumerate() {
            let mut parameters: Vec<Dual<N>> = system.parameters.iter().map(|p| Dual { re: p.value, eps: [0.0; N] }).collect();
            chunk.iter().enumerate().for_each(|(k, slot)| parameters[*slot].eps[k] = 1.0);
            let numbers: Numbers<Dual<N>> = system.parts.numbers(skeleton, &parameters);
            let Duals { work, wrench, q, v, vdot, z, u, residual } = &mut duals;
            // What the model itself says of elements depends on parameters, what is given does not.
            let inside = Inside { z: if inside.z.is_empty() { &[] } else { z }, u: if inside.u.is_empty() { &[] } else { u } };
            work.residual::<Dual<N>, true>(skeleton, &numbers, t, q, v, inside, vdot, &d.lambda, wrench, residual);
            for k in 0..chunk.len() {
                (0..states).for_each(|s| out[(n + s) * width + c * N + k] = work.loads.inner.zdot[s].eps[k]);
                (0..n).for_each(|i| columns[i * width + c * N + k] = -residual[i].eps[k]);
                (0..m).for_each(|r| row_columns[r * width + c * N + k] = -work.rows.acceleration[r].eps[k]);
            }
        }
        // One column at a time: parameters are few, and this is no hot loop.
        let (mut right, mut x) = (vec![0.0; n], vec![0.0; n]);
        for k in 0..width {
            (0..n).for_each(|i| right[i] = columns[i * width + k]);
            (0..m).for_each(|r| d.row_scratch[r] = row_columns[r * width + k]);
            self.work.solve_bordered(skeleton, &right, &mut d.row_scratch, &mut x);
            (0..n).for_each(|i| out[i * width + k] = x[i]);
        }
        self.derivatives = Some(d);
        Ok(out)
    }
}
