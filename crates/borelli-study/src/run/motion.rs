//! A prescribed motion: coordinates, velocities and accelerations at any time, of a table or of guides that leave nothing free.
//! Not here: what is computed along it (`evaluate`).
//! In: a table of `coord.NAME.value`, or a system whose guides and loops determine everything. Out: q, v and, of a table, v̇.
//!
//! A table is interpolated by not-a-knot cubic splines, whose second derivatives are continuous, or taken as it is, with rates and accelerations
//! that stand in it, at its own times. A quaternion p gives
//!
//!     ω = 2 vec(p̄ ṗ)/|p|²        ω̇ = 2 vec(p̄ p̈)/|p|² − 2 (p·ṗ)/|p|² ω                             (1)

use crate::curve::Curve;
use crate::fit::Correction;
use crate::plan::{self, CorrectionRule, Derivatives, MotionSource, Plan};
use crate::plan_fault::PlanFault;
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_dynamics::assemble::assemble;
use borelli_dynamics::system::{Measure, Motion as Elementary};
use borelli_math::Quat;
use borelli_model::{Findings, suggest};

/// Where a motion comes from.
pub(super) enum Motion<'s> {
    /// One spline per coordinate.
    Table {
        /// The system.
        system: &'s System,
        /// Splines in the order of q.
        splines: Vec<Curve>,
        /// Value and two derivatives of each, at the last time.
        jets: Vec<[f64; 3]>,
        /// What is added to them.
        corrections: Vec<Correction>,
    },
    /// Coordinates, velocities and accelerations at some times.
    Samples {
        /// The system.
        system: &'s System,
        /// Entries of q, v and v̇ over time.
        entries: [Vec<Curve>; 3],
        /// What is added to them.
        corrections: Vec<Correction>,
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
            Some(plan::Motion { source: MotionSource::Table(table), derivatives }) => {
                Motion::of_table(system, plan, table, *derivatives, findings)
            }
            // A motion that is simulated or measured is a table by the time it is followed.
            Some(plan::Motion { .. }) => None,
            None => Motion::of_guides(system, plan, findings),
        }
    }

    fn of_table(
        system: &'s System,
        plan: &Plan,
        table: &Trajectory,
        derivatives: Derivatives,
        findings: &mut Findings,
    ) -> Option<Motion<'s>> {
        let time = table.time();
        let names = &system.names;
        let mut curve = |name: String, unit: &'static str| match Curve::new(table, &name, unit, derivatives) {
            Ok(curve) => Some(curve),
            Err(fault) => {
                findings.push(None, "motion", "file", &fault);
                None
            }
        };
        let splines: Vec<Curve> =
            names.coordinates.iter().filter_map(|c| curve(format!("coord.{}.value", c.name), unit(c.measure, ["rad", "m"]))).collect();
        let mut of_speeds = |what: &str, units: [&'static str; 2]| -> Vec<Curve> {
            names.speeds.iter().filter_map(|s| curve(format!("coord.{}.{what}", s.name), unit(s.measure, units))).collect()
        };
        let exact = derivatives == Derivatives::Exact;
        let others = exact.then(|| [of_speeds("rate", ["rad/s", "m/s"]), of_speeds("accel", ["rad/s^2", "m/s^2"])]);
        let (Some(&from), Some(&to)) = (time.first(), time.last()) else { return None };
        if plan.time.start < from || plan.time.end > to {
            findings.push(None, "time", "", &PlanFault::MotionTime { from, to, start: plan.time.start, end: plan.time.end });
        }
        let corrections = corrections(system, &plan.corrections, findings);
        if findings.has_errors() {
            return None;
        }
        Some(match others {
            Some([rates, accelerations]) => Motion::Samples { system, entries: [splines, rates, accelerations], corrections },
            None => Motion::Table { system, jets: vec![[0.0; 3]; splines.len()], splines, corrections },
        })
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
        let (Motion::Table { system, .. } | Motion::Samples { system, .. } | Motion::Guides { system }) = self;
        Instant { q: system.start.q.clone(), v: system.start.v.clone(), vdot: Vec::new() }
    }

    /// Moves on to a time; guides are followed from the instant before. Why it cannot is told as text.
    pub(super) fn advance(&mut self, t: f64, now: &mut Instant) -> Result<(), String> {
        match self {
            Motion::Table { system, splines, jets, corrections } => {
                for (jet, spline) in jets.iter_mut().zip(splines) {
                    *jet = spline.jet(t);
                }
                follow(system, jets, now);
                add(system, corrections, t, now);
                Ok(())
            }
            Motion::Samples { system, entries, corrections } => {
                now.vdot.resize(now.v.len(), 0.0);
                for (list, entries) in [&mut now.q, &mut now.v, &mut now.vdot].into_iter().zip(entries) {
                    for (cell, curve) in list.iter_mut().zip(entries) {
                        [*cell, _, _] = curve.jet(t);
                    }
                }
                add(system, corrections, t, now);
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

/// Adds functions of the model to coordinates, and their slopes to velocities and accelerations.
fn add(system: &System, corrections: &[Correction], t: f64, now: &mut Instant) {
    for own in corrections {
        let [value, slope, bend] = system.numbers.functions[own.function].eval(t);
        now.q[own.coord] += value;
        now.v[own.dof] += slope;
        now.vdot[own.dof] += bend;
    }
}

/// Corrections of a motion that go with a system; faults are reported.
pub(super) fn corrections(system: &System, rules: &[CorrectionRule], findings: &mut Findings) -> Vec<Correction> {
    let mut list = Vec::new();
    for rule in rules {
        let coordinate = system.names.coordinates.iter().position(|own| own.name == rule.coordinate);
        let single = |motion: &Elementary| match *motion {
            Elementary::Turn { coord, dof, .. } | Elementary::Slide { coord, dof, .. } | Elementary::Function { coord, dof, .. } => {
                (Some(coord as usize) == coordinate).then_some(dof as usize)
            }
            Elementary::Ball { .. } | Elementary::Fixed { .. } => None,
        };
        let Some((coord, dof)) = coordinate.zip(system.skeleton.motions.iter().find_map(single)) else {
            let single = system.names.coordinates.iter().filter(|own| own.measure != Measure::Quaternion);
            let nearest = suggest(&rule.coordinate, single.map(|own| own.name.as_str())).map(str::to_string);
            findings.push(
                rule.at,
                "motion.add",
                &rule.coordinate,
                &PlanFault::NoCorrected { coordinate: rule.coordinate.clone(), nearest },
            );
            continue;
        };
        let Some(function) = system.names.functions.iter().position(|own| *own == rule.function) else {
            let nearest = suggest(&rule.function, system.names.functions.iter().map(String::as_str)).map(str::to_string);
            findings.push(rule.at, "motion.add", &rule.coordinate, &PlanFault::NoFunction { function: rule.function.clone(), nearest });
            continue;
        };
        list.push(Correction { coord, dof, function });
    }
    list
}

/// The unit of a coordinate, of a speed or of its rate.
fn unit(measure: Measure, units: [&'static str; 2]) -> &'static str {
    match measure {
        Measure::Angle => units[0],
        Measure::Length => units[1],
        Measure::Quaternion => "1",
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::system;

    /// A quaternion of any length turns by (1): about an axis by φ(t), its length growing and shrinking on the way.
    #[test]
    fn a_quaternion_of_changing_length_turns_as_its_direction_does() {
        let ball = system(
            "borelli = 1\ndimension = \"spatial\"\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\n[joint.a]\ntype = \"ball\"\nparent = \"world\"\nchild = \"a\"\n",
        );
        let axis = [2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0];
        for t in [0.0, 0.3, 1.1] {
            // φ = sin 2t + t/2 and s = 1 + 0.2 cos 3t, with two derivatives each; half angles make the quaternion.
            let (phi, rate, second) = ((2.0_f64 * t).sin() + 0.5 * t, 2.0 * (2.0_f64 * t).cos() + 0.5, -4.0 * (2.0_f64 * t).sin());
            let s = [1.0 + 0.2 * (3.0_f64 * t).cos(), -0.6 * (3.0_f64 * t).sin(), -1.8 * (3.0_f64 * t).cos()];
            let (sin, cos) = (0.5 * phi).sin_cos();
            let (c, n) = (
                [cos, -0.5 * rate * sin, -0.5 * second * sin - 0.25 * rate * rate * cos],
                [sin, 0.5 * rate * cos, 0.5 * second * cos - 0.25 * rate * rate * sin],
            );
            let product = |f: [f64; 3]| [s[0] * f[0], s[1] * f[0] + s[0] * f[1], s[2] * f[0] + 2.0 * s[1] * f[1] + s[0] * f[2]];
            let (w, v) = (product(c), product(n));
            let jets: Vec<[f64; 3]> = std::iter::once(w).chain(axis.map(|a| v.map(|x| a * x))).collect();
            let mut now = Instant { q: ball.start.q.clone(), v: ball.start.v.clone(), vdot: Vec::new() };
            follow(&ball, &jets, &mut now);
            for (k, a) in axis.into_iter().enumerate() {
                assert!((now.v[k] - a * rate).abs() < 1e-12, "{t}: {:?}", now.v);
                assert!((now.vdot[k] - a * second).abs() < 1e-12, "{t}: {:?} for {second}", now.vdot);
                assert!((now.q[k + 1] - a * sin).abs() < 1e-12);
            }
        }
    }
}
