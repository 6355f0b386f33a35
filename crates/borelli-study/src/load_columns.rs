//! Columns of measured loads: what every force element `load` does.
//! Not here: the loads themselves (`borelli_dynamics::force`); other columns (`columns`).
//! In: a scene at one instant. Out: names with units, and one number for each, in the same order.
//!
//! | columns | what | unit |
//! | --- | --- | --- |
//! | `load.N.force.x` ... | force on the body, world axes | N |
//! | `load.N.point.x` ... | point of application in the world; without meaning where the force is zero | m |
//! | `load.N.moment.x` ... | couple beside the force (planar: `.z` only) | N m |
//! | `load.N.power` | force times the velocity of the body's point there, and couple times angular velocity | W |

use crate::contact_columns::axes;
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::force::LoadReading;

/// Names and units, in the order in which `write` writes.
pub(crate) fn list(system: &System) -> Vec<Column> {
    let mut list = Vec::new();
    let (along, about) = axes(system);
    for load in &system.numbers.forces.load {
        let own = |part: &str| format!("load.{}.{part}", load.name);
        let mut vector = |part: &str, axes: &[&str], unit: &str| {
            axes.iter().for_each(|axis| list.push(Column::new(own(&format!("{part}.{axis}")), unit)));
        };
        vector("force", along, "N");
        vector("point", along, "m");
        vector("moment", about, "N m");
        list.push(Column::new(own("power"), "W"));
    }
    list
}

/// Hands out the number of every column.
pub(crate) fn write(system: &System, readings: &[LoadReading<f64>], put: &mut dyn FnMut(f64)) {
    let (along, about) = if system.skeleton.planar { (0..2, 2..3) } else { (0..3, 0..3) };
    for reading in readings {
        let mut vector = |x: [f64; 3], axes: &std::ops::Range<usize>| x[axes.clone()].iter().for_each(|x| put(*x));
        vector(reading.force.to_array(), &along);
        vector(reading.point.to_array(), &along);
        vector(reading.moment.to_array(), &about);
        put(reading.power);
    }
}
