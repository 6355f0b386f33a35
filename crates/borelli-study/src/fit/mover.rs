//! The motion of a trial as a function of the parameters, over any scalar: kept, with corrections that are functions of the model, or as guides prescribe it.
//! Not here: which unknowns move it (`problem`), columns along it (`course`).
//! In: numbers of a system over a scalar, a sample. Out: coordinates, velocities and, along a table, accelerations there; nothing is allocated.
//!
//! Corrections f(t) of the parameters p are added to a table, with their slopes: q = q₀(t) + f(t; p), v = v₀ + ḟ, v̇ = v̇₀ + f̈. Guides and loops
//! give q and v by
//!
//!     Φ(q, t; p) = 0        G v = ν(t; p),   G = ∂Φ̇/∂v                                             (1)
//!
//! solved by Newton steps of least length from a known motion nearby. A step of (1) over duals at a solution, with G of the values, gives the exact slopes:
//! ∂q = −G⁺ ∂Φ/∂p, then ∂v = −G⁺ ∂Φ̇/∂p at the moved coordinates.

use crate::run::Along;
use borelli_dynamics::System;
use borelli_dynamics::constraint::{Rows, fill_jacobian};
use borelli_dynamics::frames::Frames;
use borelli_dynamics::retract::retract;
use borelli_dynamics::scene::{Inside, Scene};
use borelli_dynamics::system::Numbers;
use borelli_math::{Constant, Real};

/// Most steps from a motion nearby.
const STEPS: usize = 30;
/// Residual up to which guides and loops count as met, m or rad.
const MET: f64 = 1e-9;
/// Part of the largest entry of GᵀG below which a pivot is none: rows that follow from others, or that leave something free.
const SINGULAR: f64 = 1e-13;

/// A function of the model that is added to a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Correction {
    /// Entry of q, and of v.
    pub coord: usize,
    pub dof: usize,
    /// The function, by index.
    pub function: usize,
}

/// How a motion follows from the parameters.
#[derive(Clone, Debug)]
pub(crate) enum Mover {
    /// A table, with corrections or none.
    Table(Vec<Correction>),
    /// Guides and loops that leave nothing free.
    Guides,
}

/// Memory of a mover over a scalar.
pub(super) struct Stage<S> {
    pub q: Vec<S>,
    pub v: Vec<S>,
    pub vdot: Vec<S>,
    rows: Rows<S>,
    jacobian: Vec<S>,
    /// GᵀG, then its factors; and a right side, then a step.
    normal: Vec<f64>,
    step: Vec<S>,
}

impl<S: Real> Stage<S> {
    pub(super) fn new(system: &System) -> Stage<S> {
        let (coords, dofs, rows) = (system.skeleton.coords(), system.skeleton.dofs(), system.names.rows.len());
        Stage {
            q: vec![S::ZERO; coords],
            v: vec![S::ZERO; dofs],
            vdot: Vec::with_capacity(dofs),
            rows: Rows::new(rows, system.numbers.constraints.entries()),
            jacobian: vec![S::ZERO; rows * dofs],
            normal: vec![0.0; dofs * dofs],
            step: vec![S::ZERO; dofs],
        }
    }
}

impl Mover {
    /// The motion at a sample, into the stage. `near` is that of a table without its corrections; of guides a known motion nearby, of duals the
    /// solution itself. False where guides and loops cannot be met.
    pub(super) fn place<S: Constant<S>>(
        &self,
        system: &System,
        numbers: &Numbers<S>,
        frames: &mut Frames<S>,
        stage: &mut Stage<S>,
        near: &Along,
        sample: usize,
    ) -> bool {
        let t = near.times[sample];
        let [q, v, vdot] = near.at(sample);
        let lift = |own: &mut Vec<S>, values: &[f64]| {
            own.clear();
            own.extend(values.iter().map(|value| S::from_f64(*value)));
        };
        lift(&mut stage.q, q);
        lift(&mut stage.v, v);
        lift(&mut stage.vdot, vdot);
        match self {
            Mover::Table(corrections) => {
                for own in corrections {
                    let [value, slope, bend] = numbers.functions[own.function].eval(S::from_f64(t));
                    stage.q[own.coord] += value;
                    stage.v[own.dof] += slope;
                    if let Some(vdot) = stage.vdot.get_mut(own.dof) {
                        *vdot += bend;
                    }
                }
                true
            }
            Mover::Guides => stage.follow(system, numbers, frames, t),
        }
    }
}

impl<S: Constant<S>> Stage<S> {
    /// Equation (1) from where the stage stands.
    fn follow(&mut self, system: &System, numbers: &Numbers<S>, frames: &mut Frames<S>, t: f64) -> bool {
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let size = self.look(system, numbers, frames, t, false);
            // Values come no nearer than rounding. Over duals, which begin at a solution, one step is exact.
            let ends = if S::PLAIN { !(size < 0.5 * last) || size == 0.0 } else { last.is_finite() };
            if ends {
                last = size;
                break;
            }
            last = size;
            if !self.solve(system, false) {
                return false;
            }
            retract(&system.skeleton, &mut self.q, &self.step);
        }
        if !(last <= MET) {
            return false;
        }
        // Rows are linear in v: a second step takes away the rounding of the first.
        for _ in 0..2 {
            self.look(system, numbers, frames, t, true);
            if !self.solve(system, true) {
                return false;
            }
            self.v.iter_mut().zip(&self.step).for_each(|(v, step)| *v += *step);
        }
        true
    }

    /// Rows and G at the stage; the largest residual.
    fn look(&mut self, system: &System, numbers: &Numbers<S>, frames: &mut Frames<S>, t: f64, moving: bool) -> f64 {
        let Stage { q, v, rows, jacobian, .. } = self;
        frames.fill::<S, false>(&system.skeleton, &numbers.tree, q, v, &[]);
        frames.fill_points(&system.skeleton);
        let (t, inside) = (S::from_f64(t), Inside::NONE);
        let scene = Scene { skeleton: &system.skeleton, numbers, frames: &*frames, q, v, vdot: &[], t, inside };
        numbers.constraints.fill(&scene, rows);
        fill_jacobian(&system.skeleton, frames, rows, jacobian);
        let list = if moving { &rows.velocity } else { &rows.position };
        list.iter().fold(0.0, |most: f64, row| if row.value().is_nan() { f64::NAN } else { most.max(row.value().abs()) })
    }

    /// The step of least squares that takes the residuals away, with the values of G; false where the rows leave something free.
    fn solve(&mut self, system: &System, moving: bool) -> bool {
        let n = system.skeleton.dofs();
        let Stage { rows, jacobian, normal, step, .. } = self;
        let residual = if moving { &rows.velocity } else { &rows.position };
        let g = |row: usize, k: usize| jacobian[row * n + k].value();
        for i in 0..n {
            for j in 0..=i {
                normal[i * n + j] = (0..residual.len()).map(|row| g(row, i) * g(row, j)).sum();
            }
            step[i] = residual.iter().enumerate().fold(S::ZERO, |sum, (row, own)| sum - *own * g(row, i));
        }
        // Cholesky, in place.
        let largest = (0..n).fold(0.0_f64, |most, i| most.max(normal[i * n + i]));
        for i in 0..n {
            for j in 0..=i {
                let rest: f64 = (0..j).map(|k| normal[i * n + k] * normal[j * n + k]).sum();
                let entry = normal[i * n + j] - rest;
                if i == j && !(entry > SINGULAR * largest) {
                    return false;
                }
                normal[i * n + j] = if i == j { entry.sqrt() } else { entry / normal[j * n + j] };
            }
        }
        for i in 0..n {
            let rest = (0..i).fold(S::ZERO, |sum, k| sum + step[k] * normal[i * n + k]);
            step[i] = (step[i] - rest) * (1.0 / normal[i * n + i]);
        }
        for i in (0..n).rev() {
            let rest = (i + 1..n).fold(S::ZERO, |sum, k| sum + step[k] * normal[k * n + i]);
            step[i] = (step[i] - rest) * (1.0 / normal[i * n + i]);
        }
        true
    }
}
