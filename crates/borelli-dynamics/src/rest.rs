//! Starts at rest: a balance with some degrees of freedom held and, where wanted, without gravity; and how it changes with parameters.
//! Not here: the search (`equilibrium`), what is asked for by name.
//! In: a system, an approximate start. Out: an `Equilibrium`; derivatives of its coordinates.
//!
//! What holds the fixed degrees of freedom f is a generalised force τ_f. With it v̇(q, p, τ) = 0, and since the mass matrix multiplies a zero,
//!
//!     ∂v̇/∂q N δ + ∂v̇/∂τ_f dτ_f + ∂v̇/∂p dp = 0        δ_f = 0        dq = N δ                                  (1)
//!
//! with N from velocities to rates of coordinates: as many equations as unknowns (δ of the others, τ_f). Derivatives of v̇ are the exact ones of the equations of
//! motion; ∂v̇/∂τ_f is exact, too, because v̇ is linear in τ.
//! Limits: derivatives are not available with loops, guides or states of force elements.

use crate::equilibrium::{Equilibrium, EquilibriumFault, Seek, equilibrium};
use crate::formulation::{Declined, Failure};
use crate::implicit_movement::{ImplicitMovement, ImplicitOptions};
use crate::integrate::{Motion, Residual};
use crate::memory::Memory;
use crate::movement::{Movement, Options};
use crate::parts::Slot;
use crate::retract::rate;
use crate::system::System;
use nalgebra::{DMatrix, DVector};
use std::fmt;

/// How a balance is sought.
#[derive(Clone, Debug)]
pub struct Rest {
    /// Degrees of freedom that stay as they are, whatever force that takes.
    pub fixed: Vec<usize>,
    /// Whether gravity acts.
    pub gravity: bool,
    /// Which rows are held and where, and how pairs of surfaces touch.
    pub memory: Memory,
}

/// Why there is no balance, or none with derivatives.
#[derive(Clone, Debug, PartialEq)]
pub enum Unrest {
    /// The system cannot be asked.
    Declined(String),
    /// The search fails.
    Search(EquilibriumFault),
    /// The balance does not change in one way with parameters: some displacement is not pushed back.
    Neutral,
}

impl fmt::Display for Unrest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unrest::Declined(reason) => f.write_str(reason),
            Unrest::Search(fault) => fault.fmt(f),
            Unrest::Neutral => f.write_str("some small displacement from the balance is not pushed back, so that it has no derivatives"),
        }
    }
}

impl std::error::Error for Unrest {}

impl From<Declined> for Unrest {
    fn from(declined: Declined) -> Self {
        Unrest::Declined(declined.reason)
    }
}

impl From<Failure> for Unrest {
    fn from(failure: Failure) -> Self {
        Unrest::Search(EquilibriumFault::Refused(failure))
    }
}

impl Rest {
    /// The balance downhill of the coordinates `q` with states `z`, at time `t`.
    pub fn balance(&self, system: &System, t: f64, q: &[f64], z: &[f64]) -> Result<Equilibrium, Unrest> {
        let weightless = self.weightless(system);
        let acting = weightless.as_ref().unwrap_or(system);
        let options = ImplicitOptions { memory: self.memory.clone(), fixed: self.fixed.clone(), ..ImplicitOptions::default() };
        let mut movement = ImplicitMovement::new(acting, options)?;
        equilibrium(&mut movement.of(acting), t, q, z, &Seek::default()).map_err(Unrest::Search)
    }

    /// Derivatives of the coordinates of the balance at `q` by parameters (by slot), one list each: (1).
    pub fn slopes(&self, system: &System, t: f64, q: &[f64], parameters: &[usize]) -> Result<Vec<Vec<f64>>, Unrest> {
        if !system.names.rows.is_empty() || !system.names.states.is_empty() {
            let reason = "derivatives of a balance are not available with loops, guides or states of force elements";
            return Err(Unrest::Declined(reason.into()));
        }
        let weightless = self.weightless(system);
        let acting = weightless.as_ref().unwrap_or(system);
        let (n, coords, width) = (acting.skeleton.dofs(), acting.skeleton.coords(), parameters.len());
        let tau = self.holding(acting, t, q)?;
        let y = [q, &vec![0.0; n]].concat();
        let (mut movement, mut rates) = (self.movement(acting, &tau)?, vec![0.0; coords + n]);
        let (mut jac, mut dt, mut by_p) = (vec![0.0; y.len() * y.len()], vec![0.0; y.len()], vec![0.0; n * width]);
        movement.jacobian(acting, t, &y, &mut jac, &mut dt)?;
        movement.parameter_slopes(acting, t, &y, parameters, &mut by_p)?;
        movement.rates(acting, t, &y, &mut rates)?;
        let still = rates[coords..].to_vec();
        // N, column by column.
        let along: Vec<Vec<f64>> = (0..n)
            .map(|dof| {
                let (mut unit, mut column) = (vec![0.0; n], vec![0.0; coords]);
                unit[dof] = 1.0;
                rate(&acting.skeleton, q, &unit, &mut column);
                column
            })
            .collect();
        let slope = |row: usize, dof: usize| -> f64 { jac[(coords + row) * y.len()..].iter().zip(&along[dof]).map(|(a, n)| a * n).sum() };
        let mut A = DMatrix::from_fn(n, n, slope);
        for dof in &self.fixed {
            let mut more = tau.clone();
            more[*dof] += 1.0;
            self.movement(acting, &more)?.rates(acting, t, &y, &mut rates)?;
            (0..n).for_each(|row| A[(row, *dof)] = rates[coords + row] - still[row]);
        }
        let right = DMatrix::from_fn(n, width, |row, k| if self.left_out(system, parameters[k]) { 0.0 } else { -by_p[row * width + k] });
        let mut steps = A.lu().solve(&right).filter(|steps| steps.iter().all(|x| x.is_finite())).ok_or(Unrest::Neutral)?;
        self.fixed.iter().for_each(|dof| steps.row_mut(*dof).fill(0.0));
        let N = DMatrix::from_fn(coords, n, |row, dof| along[dof][row]);
        Ok(steps.column_iter().map(|step| (&N * DVector::from_iterator(n, step.iter().copied())).as_slice().to_vec()).collect())
    }

    /// Whether a parameter is that of gravity, which is left out.
    fn left_out(&self, system: &System, parameter: usize) -> bool {
        !self.gravity && system.parts.gravity.contains(&Slot::Param(parameter as u32))
    }

    fn weightless(&self, system: &System) -> Option<System> {
        (!self.gravity).then(|| {
            let mut values = system.values();
            for slot in system.parts.gravity {
                if let Slot::Param(k) = slot {
                    values[k as usize] = 0.0;
                }
            }
            system.with_parameters(&values)
        })
    }

    /// What holds the fixed degrees of freedom: R(q, 0, 0) = −F there.
    fn holding(&self, acting: &System, t: f64, q: &[f64]) -> Result<Vec<f64>, Unrest> {
        let n = acting.skeleton.dofs();
        let options = ImplicitOptions { memory: self.memory.clone(), ..ImplicitOptions::default() };
        let mut movement = ImplicitMovement::new(acting, options)?;
        let (still, mut force, mut tau) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        movement.of(acting).residual(t, Motion { q, v: &still, a: &still }, &[], &mut force, &mut [])?;
        self.fixed.iter().for_each(|dof| tau[*dof] = force[*dof]);
        Ok(tau)
    }

    fn movement(&self, acting: &System, tau: &[f64]) -> Result<Movement, Unrest> {
        Ok(Movement::new(acting, Options { tau: tau.to_vec(), memory: self.memory.clone(), ..Options::default() })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use borelli_model::Model;

    fn knee() -> System {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/knee.toml");
        compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
    }

    fn rest(system: &System, gravity: bool) -> Rest {
        let held = system.names.speeds.iter().position(|speed| speed.name == "extension_r").expect("a coordinate");
        Rest { fixed: vec![held], gravity, memory: Memory::default() }
    }

    /// Against central differences of whole searches, with and without gravity, by numbers of every kind.
    #[test]
    fn a_balance_changes_with_parameters_as_differences_say() {
        let system = knee();
        let paths = [
            "surface.condyle_medial_r.radius",
            "surface.plateau_lateral_r.height",
            "surface.plateau_medial_r.nx",
            "law.cartilage.stiffness",
            "ligament.acl_anterior_r.toe",
            "ligament.capsule_medial_r.linear",
            "ligament.lcl_r.damping",
            "world.point.lcl_r.x",
            "body.tibia_r.point.pcl_anterior.y",
            "body.tibia_r.mass",
            "gravity.x",
        ];
        let slots: Vec<usize> = paths.iter().map(|path| system.parameter(path).unwrap_or_else(|| panic!("{path}"))).collect();
        for gravity in [false, true] {
            let rest = rest(&system, gravity);
            let balance = |system: &System| rest.balance(system, 0.0, &system.start.q, &[]).unwrap_or_else(|fault| panic!("{fault}")).q;
            let q = balance(&system);
            let slopes = rest.slopes(&system, 0.0, &q, &slots).unwrap_or_else(|fault| panic!("{fault}"));
            for ((path, slot), exact) in paths.iter().zip(&slots).zip(&slopes) {
                let values = system.values();
                // Of lengths 1 µm, else a part of the number.
                let step = if system.parameters[*slot].unit == "m" { 1e-6 } else { 1e-4 * values[*slot].abs() };
                let moved = |by: f64| {
                    let mut changed = values.clone();
                    changed[*slot] += by;
                    balance(&system.with_parameters(&changed))
                };
                let (up, down) = (moved(step), moved(-step));
                let size = exact.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                for (k, exact) in exact.iter().enumerate() {
                    let difference = (up[k] - down[k]) / (2.0 * step);
                    // The search ends where a step is 1e-11.
                    let allowed = 1e-5 * size + 2e-11 / step;
                    assert!((difference - exact).abs() <= allowed, "{path} {gravity}: {difference} {exact}");
                }
                let none = path.ends_with("damping") || !gravity && (path.starts_with("gravity") || path.ends_with("mass"));
                // A number that is zero is changed by one unit, any other by itself.
                let whole = if values[*slot] == 0.0 { 1.0 } else { values[*slot].abs() };
                assert_eq!(size * whole < 1e-12, none, "{path} {gravity}: {exact:?}");
            }
        }
    }
}
