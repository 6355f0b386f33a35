//! How an assembled start changes with a value that is held.
//! Not here: assembling (`assemble`). In: an assembled state and which value. Out: exact derivatives of coordinates and velocities.
//!
//! With G = (A, g): columns A of what moves and g of the held value, a change δ of a held coordinate, or ε of a held speed,
//!
//!     δq_A = −A⁺ g δ        δv_A = −A⁺ (∂Φ̇/∂q δq + g ε)                                             (1)
//!
//! with ∂Φ̇/∂q along δq by duals. Source: (1) is the derivative of Φ(q, t) = 0 and Φ̇(q, v, t) = 0. Limits: where the rows leave something that is not held free, the change of
//! least length is taken, as assembling does from the state itself. Tests: `slopes_of_a_start_are_those_of_assembling_again`.

use super::normal::Normal;
use super::workbench::Workbench;
use super::{AssemblyFault, named};
use crate::constraint::Rows;
use crate::formulation::{Input, check_input};
use crate::frames::Frames;
use crate::retract::rate;
use crate::scene::Scene;
use crate::system::System;
use borelli_math::{Dual, Real};

/// Rank of the rows, as of velocities in assembling.
const RANK: f64 = 1e-6;
/// Part of a change of the held value that may be left in a row before it is said that the rows do not follow it.
const LEFT: f64 = 1e-8;

/// A value of the start that is held, by degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartValue {
    /// Its coordinate (of a ball: the turn about an axis of the child).
    Coordinate(usize),
    /// Its velocity.
    Speed(usize),
}

/// Derivatives of an assembled start by one of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct StartSlope {
    /// Of the coordinates.
    pub q: Vec<f64>,
    /// Of the velocities.
    pub v: Vec<f64>,
}

/// Derivatives of the assembled start (q, v) by one value, with the degrees of freedom of `held` and that of the value kept as they are; by equation (1).
///
/// Rows that cannot follow a change of the value (a guide prescribes it) are named.
pub fn slope(system: &System, t: f64, q: &[f64], v: &[f64], held: &[bool], value: StartValue) -> Result<StartSlope, AssemblyFault> {
    let skeleton = &system.skeleton;
    let dofs = skeleton.dofs();
    check_input(system, &Input { t, q, v, tau: &vec![0.0; dofs], ..Input::default() })?;
    let (StartValue::Coordinate(given) | StartValue::Speed(given)) = value;
    let moving: Vec<usize> = (0..dofs).filter(|dof| *dof != given && !held.get(*dof).is_some_and(|held| *held)).collect();
    let mut bench = Workbench::new(system, t);
    bench.look(q, v);

    let (mut dq, mut dv) = (vec![0.0; dofs], vec![0.0; dofs]);
    let mut qdot = vec![0.0; skeleton.coords()];
    if let StartValue::Coordinate(_) = value {
        dq[given] = 1.0;
        follow(&bench, &moving, bench.column(given), &mut dq)?;
        rate(skeleton, q, &dq, &mut qdot);
        follow(&bench, &moving, rates_along(system, t, q, v, &qdot), &mut dv)?;
    } else {
        dv[given] = 1.0;
        follow(&bench, &moving, bench.column(given), &mut dv)?;
    }
    Ok(StartSlope { q: qdot, v: dv })
}

/// Sets the moving entries of `change` to the shortest −A⁺ `open`; the rows that are left open, if any.
fn follow(bench: &Workbench, moving: &[usize], open: Vec<f64>, change: &mut [f64]) -> Result<(), AssemblyFault> {
    let scale = open.iter().fold(1.0f64, |most, x| most.max(x.abs()));
    let mut left = open;
    if let Some(A) = bench.finite_columns(moving) {
        let mut normal = Normal::new(A.clone(), RANK);
        // The second step only removes rounding.
        for _ in 0..2 {
            let step = normal.independent(&left);
            moving.iter().zip(&step).for_each(|(dof, x)| change[*dof] += x);
            left.iter_mut().enumerate().for_each(|(i, left)| *left += step.iter().enumerate().map(|(j, x)| A[(i, j)] * x).sum::<f64>());
        }
    }
    let open: Vec<(usize, f64)> = left.into_iter().enumerate().filter(|(_, x)| !(x.abs() <= LEFT * scale)).collect();
    if open.is_empty() { Ok(()) } else { Err(AssemblyFault::Unreachable { rows: named(bench.system, open.into_iter()) }) }
}

/// Slope of Φ̇ along a change of the coordinates, velocities kept.
fn rates_along(system: &System, t: f64, q: &[f64], v: &[f64], change: &[f64]) -> Vec<f64> {
    let System { skeleton, numbers, .. } = system;
    let q: Vec<Dual<1>> = q.iter().zip(change).map(|(x, d)| Dual { re: *x, eps: [*d] }).collect();
    let v: Vec<Dual<1>> = v.iter().map(|x| Dual::from_f64(*x)).collect();
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, false>(skeleton, &numbers.tree, &q, &v, &[]);
    frames.fill_points(skeleton);
    let mut rows = Rows::new(system.names.rows.len(), numbers.constraints.entries());
    let scene =
        Scene { skeleton, numbers, frames: &frames, q: &q, v: &v, vdot: &[], t: Dual::from_f64(t), inside: crate::scene::Inside::NONE };
    numbers.constraints.fill(&scene, &mut rows);
    rows.velocity.iter().map(|x| x.eps[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::assemble;
    use super::*;
    use crate::compile;
    use crate::retract::retract;
    use borelli_model::Model;
    use borelli_testkit::{assert_close, central_difference};

    fn read(name: &str) -> System {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
        compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn slopes_of_a_start_are_those_of_assembling_again() {
        let mut tested = 0;
        for name in ["four-bar", "ballistic-gait", "slider-crank", "andrews", "spatial-four-bar", "spatial-loop", "geared", "spatial-rod"] {
            let system = read(name);
            let dofs = system.skeleton.dofs();
            let lively: Vec<f64> = (0..dofs).map(|k| 1.0 + (k as f64).sin()).collect();
            let start = assemble(&system, 0.0, &system.start.q, &lively, &vec![false; dofs]).unwrap_or_else(|f| panic!("{name}: {f}"));
            for dof in 0..dofs {
                let mut held = vec![false; dofs];
                held[dof] = true;
                for value in [StartValue::Coordinate(dof), StartValue::Speed(dof)] {
                    let again = |h: f64| {
                        let (mut q, mut v, mut step) = (start.q.clone(), start.v.clone(), vec![0.0; dofs]);
                        match value {
                            StartValue::Coordinate(dof) => step[dof] = h,
                            StartValue::Speed(dof) => v[dof] += h,
                        }
                        retract(&system.skeleton, &mut q, &step);
                        assemble(&system, 0.0, &q, &v, &held).ok().map(|found| [found.q, found.v].concat())
                    };
                    // A value that the rows forbid to change has no slope.
                    let step = 2e-4;
                    let (Some(_), Some(_)) = (again(step), again(-step)) else { continue };
                    let expected = central_difference(&mut |h| again(h).expect("assembled"), step);
                    let Ok(found) = slope(&system, 0.0, &start.q, &start.v, &held, value) else { panic!("{name} {value:?}") };
                    assert_close(&[found.q, found.v].concat(), &expected, 1e-7, &format!("{name} {value:?}"));
                    tested += 1;
                }
            }
        }
        assert!(tested >= 40, "{tested}");
    }

    #[test]
    fn a_value_that_a_guide_prescribes_is_named() {
        let system = read("driven-pendulum");
        let fault = slope(&system, 0.0, &system.start.q, &system.start.v, &[true], StartValue::Speed(0)).expect_err("guided");
        assert!(fault.to_string().contains("guide.swing"), "{fault}");
    }
}
