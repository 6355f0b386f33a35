//! A prescribed motion: coordinates, velocities and accelerations at any time, of a table or of guides that leave nothing free.
//! Not here: what is computed along it (`evaluate`).
//! In: a table of `coord.NAME.value`, or a system whose guides and loops determine everything. Out: q, v and, of a table, v̇.
//!
//! A table is interpolated by not-a-knot cubic splines, whose second derivatives are continuous. A quaternion p gives
//!
//!     ω = 2 vec(p̄ ṗ)/|p|²        ω̇ = 2 vec(p̄ p̈)/|p|² − 2 (p·ṗ)/|p|² ω                             (1)

use crate::plan::Plan;
use crate::plan_fault::PlanFault;
use borelli_dynamics::System;
use borelli_dynamics::assemble::assemble;
use borelli_dynamics::system::{Measure, Motion as Elementary};
use borelli_math::Quat;
use borelli_math::function::{Interpolation, Outside, Table};
use borelli_model::{Findings, Trajectory, parse_unit};

/// Where a motion comes from.
pub(super) enum Motion<'s> {
    /// One spline per coordinate.
    Table {
        /// The system.
        system: &'s System,
        /// Splines in the order of q.
        splines: Vec<Table>,
        /// Value and two derivatives of each, at the last time.
        jets: Vec<[f64; 3]>,
    },
    /// Guides and loops.
    Guides {
        /// The system.
        system: &'s System,
    },
}

/// Coordinates, velocities and accelerations at one time.
#[derive(Clone, Debug)]
pub(super) struct Instant {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// Rates of v; empty where the equations of motion give them.
    pub vdot: Vec<f64>,
}

impl<'s> Motion<'s> {
    /// The motion of a plan, and where it begins; why there is none is reported.
    pub(super) fn new(system: &'s System, plan: &Plan, findings: &mut Findings) -> Option<Motion<'s>> {
        match &plan.motion {
            Some(table) => Motion::of_table(system, plan, table, findings),
            None => Motion::of_guides(system, plan, findings),
        }
    }

    fn of_table(system: &'s System, plan: &Plan, table: &Trajectory, findings: &mut Findings) -> Option<Motion<'s>> {
        let time = table.time();
        let mut splines = Vec::new();
        for coordinate in &system.names.coordinates {
            match spline(table, format!("coord.{}.value", coordinate.name), coordinate.measure) {
                Ok(spline) => splines.push(spline),
                Err(fault) => findings.push(None, "motion", "file", &fault),
            }
        }
        let (Some(&from), Some(&to)) = (time.first(), time.last()) else { return None };
        if plan.time.start < from || plan.time.end > to {
            findings.push(None, "time", "", &PlanFault::MotionTime { from, to, start: plan.time.start, end: plan.time.end });
        }
        let jets = vec![[0.0; 3]; splines.len()];
        (!findings.has_errors()).then_some(Motion::Table { system, splines, jets })
    }

    fn of_guides(system: &'s System, plan: &Plan, findings: &mut Findings) -> Option<Motion<'s>> {
        let free = match assemble(system, plan.time.start, &system.start.q, &system.start.v, &vec![false; system.skeleton.dofs()]) {
            Ok(assembled) => assembled.free,
            Err(fault) => {
                findings.push(None, "initial", "", &PlanFault::Unassembled { reason: fault.to_string() });
                return None;
            }
        };
        if free > 0 {
            findings.push(None, "", "analysis", &PlanFault::NoMotion { free });
            return None;
        }
        Some(Motion::Guides { system })
    }

    /// Where the motion begins to be followed.
    pub(super) fn begin(&self) -> Instant {
        let (Motion::Table { system, .. } | Motion::Guides { system }) = self;
        Instant { q: system.start.q.clone(), v: system.start.v.clone(), vdot: Vec::new() }
    }

    /// Moves on to a time; guides are followed from the instant before. Why it cannot is told as text.
    pub(super) fn advance(&mut self, t: f64, now: &mut Instant) -> Result<(), String> {
        match self {
            Motion::Table { system, splines, jets } => {
                for (jet, spline) in jets.iter_mut().zip(splines) {
                    let [value, slope, second, _] = spline.derivatives(t);
                    *jet = [value, slope, second];
                }
                follow(system, jets, now);
                Ok(())
            }
            Motion::Guides { system } => {
                let held = vec![false; now.v.len()];
                let assembled = assemble(system, t, &now.q, &now.v, &held).map_err(|fault| fault.to_string())?;
                (now.q, now.v) = (assembled.q, assembled.v);
                Ok(())
            }
        }
    }
}

/// A column of a table as a function of time, or what is wrong with it.
fn spline(table: &Trajectory, column: String, measure: Measure) -> Result<Table, PlanFault> {
    let Some(values) = table.column(&column) else { return Err(PlanFault::MotionColumn { column }) };
    let expected = match measure {
        Measure::Angle => "rad",
        Measure::Length => "m",
        Measure::Quaternion => "1",
    };
    let unit = table.columns().iter().find(|own| own.name == column).and_then(|own| own.unit.as_deref());
    let dim = |unit: &str| parse_unit(unit).ok().map(|(_, dim)| dim);
    if let Some(unit) = unit.filter(|unit| dim(unit) != dim(expected)) {
        return Err(PlanFault::MotionUnit { column, unit: unit.into(), expected });
    }
    if let Some(gap) = values.iter().position(|value| !value.is_finite()) {
        return Err(PlanFault::MotionGap { column, time: table.time()[gap] });
    }
    let spline = Table::new(table.time().to_vec(), values.to_vec(), Interpolation::Spline, Outside::Error);
    spline.map_err(|fault| PlanFault::MotionValues { column, cause: fault.to_string().lines().next().unwrap_or_default().into() })
}

/// Coordinates, velocities and accelerations from the values and derivatives of the entries of q.
fn follow(system: &System, jets: &[[f64; 3]], now: &mut Instant) {
    now.vdot.resize(now.v.len(), 0.0);
    for motion in &system.skeleton.motions {
        match *motion {
            Elementary::Turn { coord, dof, .. } | Elementary::Slide { coord, dof, .. } | Elementary::Function { coord, dof, .. } => {
                let [value, slope, second] = jets[coord as usize];
                (now.q[coord as usize], now.v[dof as usize], now.vdot[dof as usize]) = (value, slope, second);
            }
            Elementary::Ball { coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let entry = |order: usize| Quat::from_slice(&[0, 1, 2, 3].map(|k| jets[coord + k][order]));
                let (p, rate, second) = (entry(0), entry(1), entry(2));
                let bar = Quat { w: p.w, x: -p.x, y: -p.y, z: -p.z };
                let square = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
                let along = (p.w * rate.w + p.x * rate.x + p.y * rate.y + p.z * rate.z) / square;
                let (turn, bend) = (bar.product(rate).to_array(), bar.product(second).to_array());
                now.q[coord..coord + 4].copy_from_slice(&p.normalized().to_array());
                for k in 0..3 {
                    let w = 2.0 * turn[k + 1] / square;
                    now.v[dof + k] = w;
                    now.vdot[dof + k] = 2.0 * bend[k + 1] / square - 2.0 * along * w;
                }
            }
            Elementary::Fixed { .. } => {}
        }
    }
}
