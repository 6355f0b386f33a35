//! The equations of `coupled` without soft parts, as a formulation: open equations solved by one full matrix.
//! Not here: soft parts, which have no accelerations of their own to be found at a state.
//! In: a planar system and a state. Out: an `Evaluation`.
//!
//!     M v̇ − Gᵀ λ = −R(v̇ = 0, λ = 0) + τ        G v̇ = −Φ̈(v̇ = 0)                                    (1)
//!
//! with the mass matrix that implicit schemes take, not that of the recursion. Redundant rows are set aside as in other formulations.

use crate::constraint::RowControl;
use crate::formulation::articulated::{Articulated, Open, Parts};
use crate::formulation::{Declined, Evaluation, Failure, Formulation, Input, check_input, check_shape};
use crate::integrate::{Lu, Motion, Tangents};
use crate::row_system::{RowStructure, RowSystem};
use crate::system::{Skeleton, System};
use std::sync::Arc;

/// Memory of the formulation.
struct Coupled {
    skeleton: Arc<Skeleton>,
    open: Open,
    report: Articulated,
    tangents: Tangents,
    mass: Lu,
    rows: RowSystem<f64>,
    v: Vec<f64>,
    still: Vec<f64>,
    no_force: Vec<f64>,
    /// M⁻¹ Gᵀ, by rows of G, and G M⁻¹ Gᵀ.
    spread: Vec<f64>,
    small: Vec<f64>,
}

/// Makes the formulation for planar models without soft parts.
pub fn build(system: &System) -> Result<Box<dyn Formulation>, Declined> {
    if system.has_soft() {
        return Err(Declined {
            reason: "soft parts have no accelerations at a single state; simulate the model, or look for its rest".into(),
        });
    }
    if !system.skeleton.planar {
        return Err(Declined { reason: "`coupled` takes planar models only".into() });
    }
    let (n, m, states) = (system.skeleton.dofs(), system.names.rows.len(), system.numbers.states.len());
    Ok(Box::new(Coupled {
        skeleton: system.skeleton.clone(),
        open: Open::new(system, vec![0.0; n], Vec::new()),
        report: Articulated::new(system),
        tangents: Tangents::with_states(n, states, m),
        mass: Lu::new(n),
        rows: RowSystem::new(RowStructure::new(system), system.skeleton.parent.len(), |_| 0),
        v: vec![0.0; n + states],
        still: vec![0.0; n + states],
        no_force: vec![0.0; m],
        spread: vec![0.0; m * n],
        small: vec![0.0; m * m],
    }))
}

impl Formulation for Coupled {
    fn evaluate(&mut self, system: &System, input: Input, out: &mut Evaluation) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        let n = system.skeleton.dofs();
        let all = self.v.len();
        let m = self.no_force.len();
        check_input(system, &input)?;
        self.v[..n].copy_from_slice(input.v);
        self.v[n..].copy_from_slice(if input.inside.z.is_empty() { &system.numbers.states } else { input.inside.z });
        self.open.replace_controls(input.inside.u);
        let at = Motion { q: input.q, v: &self.v, a: &self.still };
        self.open.linearise(system, input.t, at, &self.no_force, &mut self.tangents)?;
        let matrix = self.mass.matrix();
        for i in 0..n {
            matrix[i * n..][..n].copy_from_slice(&self.tangents.by_a[i * all..][..n]);
        }
        self.mass.decompose().map_err(|_| Failure::of_joint(system, 1.min(system.skeleton.bodies()), None))?;
        for i in 0..n {
            out.vdot[i] = input.tau[i] - self.tangents.force[i];
        }
        self.mass.solve(&mut out.vdot);
        let G = &self.tangents.effect;
        for r in 0..m {
            let row = &mut self.spread[r * n..][..n];
            row.copy_from_slice(&G[r * n..][..n]);
            self.mass.solve(row);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        for r in 0..m {
            for s in 0..=r {
                let entry = dot(&G[r * n..][..n], &self.spread[s * n..][..n]);
                (self.small[r * m + s], self.small[s * m + r]) = (entry, entry);
            }
        }
        self.rows.fill_scale(&system.skeleton, &system.numbers.tree, self.open.rows());
        self.rows.factor_full(&self.small);
        for r in 0..m {
            out.row_force[r] = -(self.open.row_accelerations()[r] + dot(&G[r * n..][..n], &out.vdot));
        }
        self.rows.solve(&mut out.row_force);
        for r in 0..m {
            for (a, along) in out.vdot.iter_mut().zip(&self.spread[r * n..][..n]) {
                *a += along * out.row_force[r];
            }
        }
        if let Some(dof) = out.vdot.iter().position(|a| !a.is_finite()) {
            return Err(Failure::of_joint(system, system.skeleton.dof_body[dof] as usize, None));
        }
        self.report.report(system, input, Parts::ALL, out)
    }

    fn set_row_control(&mut self, control: &RowControl) {
        self.open.set_row_control(control);
        self.report.set_row_control(control);
    }
}
