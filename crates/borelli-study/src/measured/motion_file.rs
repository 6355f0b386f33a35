//! A table of motion meets a model: its columns get the names of coordinates, its angles become radians.
//! Not here: reading the file (`read`), what is computed along the motion (`run`).
//! In: a table with names as any program writes them, what its header says of angles, a system. Out: a table of `coord.NAME.value` in SI, and what was
//! decided.
//!
//! `inDegrees=yes` speaks of rotations only: lengths are never converted, and neither is a coordinate whose every use in its joint is curved, such as
//! that of a coupled patella, which such files keep in radians.

use crate::plan::MotionFile;
use crate::plan_fault::PlanFault;
use borelli_data::format::AngleBasis;
use borelli_data::{Column, Trajectory};
use borelli_dynamics::System;
use borelli_dynamics::system::{Measure, Motion};
use borelli_math::function::Function;

/// An angle in radians that covers more than this, or lies farther from zero, was probably written in degrees: three somersaults are 6 pi = 18.8.
const WIDEST_ANGLE: f64 = 20.0;
/// Angles in degrees that all stay within this were probably written in radians.
const NARROWEST_DEGREES: f64 = 3.2;

/// A table with the names and units of a model.
pub(crate) struct Settled {
    /// Columns `coord.NAME.value` in SI, then the others as they were.
    pub table: Trajectory,
    /// For each column of the file: what its numbers were multiplied by.
    pub factors: Vec<f64>,
    /// Whether another program wrote it: a coordinate is not called `coord.NAME.value`.
    pub foreign: bool,
    /// What was decided, in one sentence.
    pub told: String,
    /// What looks wrong all the same.
    pub doubt: Option<String>,
}

/// Gives a table the names and units of a system.
pub(crate) fn settle(file: &MotionFile, system: &System) -> Result<Settled, PlanFault> {
    let table = &file.table;
    // For each column of the file: the coordinate that it is, if any.
    let mut owner: Vec<Option<usize>> = vec![None; table.columns().len()];
    for (c, coordinate) in system.names.coordinates.iter().enumerate() {
        if let Some(k) = column_of(table, &coordinate.name) {
            owner[k] = Some(c);
        }
    }
    if owner.iter().all(Option::is_none) {
        return Err(PlanFault::MotionOfAnother {
            path: file.path.clone(),
            columns: table.columns().iter().map(|column| column.name.clone()).collect(),
            coordinates: system.names.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect(),
        });
    }
    let (mut columns, mut factors) = (Vec::new(), Vec::new());
    let (mut turned, mut kept, mut widest) = (Vec::new(), Vec::new(), 0.0_f64);
    for (k, column) in table.columns().iter().enumerate() {
        let Some(c) = owner[k] else {
            columns.push(column.clone());
            factors.push(1.0);
            continue;
        };
        let coordinate = &system.names.coordinates[c];
        let open = column.unit.is_none() && coordinate.measure == Measure::Angle;
        let degrees = open && file.angles.degrees && is_turn(system, c);
        if open {
            let extent = extent(table.values(k));
            if degrees {
                turned.push(coordinate.name.clone());
                widest = widest.max(extent);
            } else {
                kept.push(coordinate.name.clone());
                if extent > WIDEST_ANGLE {
                    return Err(PlanFault::MotionAngle { column: column.name.clone(), extent });
                }
            }
        }
        let unit = column.unit.clone().or_else(|| {
            let own = match coordinate.measure {
                Measure::Angle => "rad",
                Measure::Length => "m",
                Measure::Quaternion => "1",
            };
            Some(own.to_string())
        });
        columns.push(Column { name: format!("coord.{}.value", coordinate.name), unit, optional: column.optional });
        factors.push(if degrees { std::f64::consts::PI / 180.0 } else { 1.0 });
    }
    let mut settled = Trajectory::foreign(columns).map_err(|fault| PlanFault::MotionTable { reason: fault.to_string() })?;
    let mut row = vec![0.0; factors.len() + 1];
    for sample in 0..table.len() {
        table.fill_row(sample, &mut row);
        row[1..].iter_mut().zip(&factors).for_each(|(cell, factor)| *cell *= factor);
        settled.push_row(&row).map_err(|fault| PlanFault::MotionTable { reason: fault.to_string() })?;
    }
    let doubt = (!turned.is_empty() && widest < NARROWEST_DEGREES && table.len() > 1)
        .then(|| format!("all angles of `{}` stay within {widest:.2} degrees: are they radians?", file.path));
    let foreign = owner.iter().zip(table.columns()).any(|(owner, column)| owner.is_some() && !column.name.starts_with("coord."));
    Ok(Settled { table: settled, factors, foreign, told: told(file, &turned, &kept), doubt })
}

/// The column of a coordinate: `coord.NAME.value`, `NAME`, or a path that ends with `NAME/value`.
fn column_of(table: &Trajectory, name: &str) -> Option<usize> {
    let own = format!("coord.{name}.value");
    let path = format!("{name}/value");
    let ends = |column: &Column| {
        let head = column.name.strip_suffix(&path);
        head.is_some_and(|head| head.is_empty() || head.ends_with('/'))
    };
    table.index(&own).or_else(|| table.index(name)).or_else(|| table.columns().iter().position(ends))
}

/// Whether a coordinate turns its body by itself, or by a function that is straight.
fn is_turn(system: &System, coordinate: usize) -> bool {
    system.skeleton.motions.iter().any(|motion| match *motion {
        Motion::Turn { coord, .. } => coord as usize == coordinate,
        Motion::Function { slot, coord, .. } => {
            coord as usize == coordinate && system.numbers.tree.curves[slot as usize].turns.iter().any(|(_, angle)| is_straight(angle))
        }
        Motion::Slide { .. } | Motion::Ball { .. } | Motion::Fixed { .. } => false,
    })
}

/// Whether a function is a straight line that rises or falls.
fn is_straight(function: &Function<f64>) -> bool {
    match function {
        Function::Polynomial { coefficients, .. } => {
            coefficients.get(1).is_some_and(|slope| *slope != 0.0) && coefficients.iter().skip(2).all(|c| *c == 0.0)
        }
        Function::Points(points) => points.table().is_ok_and(|table| is_straight(&Function::Table(table.into()))),
        Function::Table(table) => {
            let slopes = table.knots().iter().map(|x| table.derivatives(*x)[1]);
            let first = table.derivatives(table.ends().0)[1];
            first != 0.0 && slopes.into_iter().all(|slope| (slope - first).abs() <= 1e-9 * first.abs())
        }
        Function::Expression(_) => {
            let [_, first, _] = function.eval(0.0);
            let straight = |x: f64| {
                let [_, slope, bend] = function.eval(x);
                bend == 0.0 && slope == first
            };
            first != 0.0 && [-1.3, -0.4, 0.0, 0.7, 1.9].into_iter().all(straight)
        }
        Function::Constant(_) | Function::Sine { .. } | Function::Fourier { .. } => false,
    }
}

/// The largest distance from zero, or the range, whichever is more; missing values do not count.
fn extent(values: &[f64]) -> f64 {
    let seen = || values.iter().filter(|value| value.is_finite());
    let (low, high) = seen().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
    if low > high { 0.0 } else { (high - low).max(high.abs()).max(low.abs()) }
}

fn told(file: &MotionFile, turned: &[String], kept: &[String]) -> String {
    let why = match file.angles.basis {
        Some(AngleBasis::Header) => "as its header says",
        Some(AngleBasis::OldMotion) => "as in every .mot file of version 0",
        Some(AngleBasis::Silence) => "since its header does not say otherwise",
        None => "by the units of its columns",
    };
    let list = |names: &[String]| names.join(", ");
    let what = match (file.angles.degrees, turned.is_empty(), kept.is_empty()) {
        (_, true, true) => "every angle has its own unit".to_string(),
        (true, true, false) => {
            format!("angles are in degrees {why}, but none of the model's is a plain rotation: kept in radians {}", list(kept))
        }
        (true, false, true) => format!("angles are in degrees {why}, converted: {}", list(turned)),
        (true, false, false) => format!("angles are in degrees {why}, converted: {}; kept in radians: {}", list(turned), list(kept)),
        (false, ..) => format!("angles are in radians {why}: {}", list(kept)),
    };
    format!("{}: {what}", file.path)
}

#[cfg(test)]
#[path = "motion_file_tests.rs"]
mod tests;
