//! The equations of `coupled` without soft parts, as a formulation: open equations solved by a full matrix for each branch of the tree.
//! Not here: soft parts, which have no accelerations of their own to be found at a state.
//! In: a planar system and a state. Out: an `Evaluation`.
//!
//!     M v̇ − Gᵀ λ = −R(v̇ = 0, λ = 0) + τ        G v̇ = −Φ̈(v̇ = 0)                                    (1)
//!
//! with the mass matrix that implicit schemes take, not that of the recursion. Bodies on different branches from the ground do not feel each other's
//! accelerations, so that M has a block for each branch. Redundant rows are set aside as in other formulations.

use crate::constraint::RowControl;
use crate::formulation::articulated::{Articulated, Open, Parts};
use crate::formulation::{Declined, Evaluation, Failure, Formulation, Input, check_input, check_shape};
use crate::integrate::{Lu, Motion, Tangents};
use crate::row_system::{RowStructure, RowSystem};
use crate::system::{Skeleton, System};
use std::ops::Range;
use std::sync::Arc;

/// Memory of the formulation.
struct Coupled {
    skeleton: Arc<Skeleton>,
    open: Open,
    report: Articulated,
    tangents: Tangents,
    /// Degrees of freedom of each branch, with the factors of its mass matrix.
    branches: Vec<(Range<usize>, Lu)>,
    /// Branches that each row sees.
    seen: Vec<Vec<usize>>,
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
        branches: branches(&system.skeleton).into_iter().map(|branch| (branch.clone(), Lu::new(branch.len()))).collect(),
        seen: vec![Vec::new(); m],
        rows: RowSystem::new(RowStructure::new(system), system.skeleton.parent.len(), |_| 0),
        v: vec![0.0; n + states],
        still: vec![0.0; n + states],
        no_force: vec![0.0; m],
        spread: vec![0.0; m * n],
        small: vec![0.0; m * m],
    }))
}

/// Degrees of freedom of each branch from the ground, which stand together.
fn branches(skeleton: &Skeleton) -> Vec<Range<usize>> {
    let ground = RowStructure::ground(skeleton);
    let mut list: Vec<Range<usize>> = Vec::new();
    for b in (1..skeleton.parent.len()).filter(|b| !ground[*b]) {
        let own = skeleton.dofs_of(b);
        match list.last_mut() {
            Some(branch) if !ground[skeleton.parent[b] as usize] => branch.end = own.end,
            _ => list.push(own),
        }
    }
    list
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
        for (branch, mass) in &mut self.branches {
            for (row, i) in mass.matrix().chunks_exact_mut(branch.len()).zip(branch.clone()) {
                row.copy_from_slice(&self.tangents.by_a[i * all..][branch.clone()]);
            }
            mass.decompose().map_err(|_| Failure::of_joint(system, system.skeleton.dof_body[branch.start] as usize, None))?;
        }
        for i in 0..n {
            out.vdot[i] = input.tau[i] - self.tangents.force[i];
        }
        self.branches.iter().for_each(|(branch, mass)| mass.solve(&mut out.vdot[branch.clone()]));
        let G = &self.tangents.effect;
        self.spread.fill(0.0);
        for r in 0..m {
            let (given, row, seen) = (&G[r * n..][..n], &mut self.spread[r * n..][..n], &mut self.seen[r]);
            seen.clear();
            for (k, (branch, mass)) in self.branches.iter().enumerate() {
                if given[branch.clone()].iter().any(|x| *x != 0.0) {
                    row[branch.clone()].copy_from_slice(&given[branch.clone()]);
                    mass.solve(&mut row[branch.clone()]);
                    seen.push(k);
                }
            }
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        for r in 0..m {
            for s in 0..=r {
                let within = |k: &usize| self.branches[*k].0.clone();
                let entry: f64 = self.seen[r].iter().map(within).map(|own| dot(&G[r * n..][own.clone()], &self.spread[s * n..][own])).sum();
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
