//! Columns of measured loads: what every force element `load` does.
//! Not here: the loads themselves (`borelli_dynamics::force`); other columns (`columns`).
//! In: readings of all loads at one instant. Out: columns, shown to a visitor.
//!
//! | columns | what | unit |
//! | --- | --- | --- |
//! | `load.N.force.x` ... | force on the body, world axes | N |
//! | `load.N.point.x` ... | point of application in the world; without meaning where the force is zero | m |
//! | `load.N.moment.x` ... | couple beside the force (planar: `.z` only) | N m |
//! | `load.N.power` | force times the velocity of the body's point there, and couple times angular velocity | W |

use crate::column_visitor::{Needs, Visitor};
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_math::Real;

/// Shows the columns of all loads.
pub(crate) fn visit<S: Real>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    let planar = system.skeleton.planar;
    for (k, load) in system.numbers.forces.load.iter().enumerate() {
        let own = |part: &str, unit: &str| Column::new(format!("load.{}.{part}", load.name), unit);
        visitor.along(planar, Needs::MEASURED, |axis| own(&format!("force.{axis}"), "N"), |now| now.loads[k].force);
        visitor.along(planar, Needs::MEASURED, |axis| own(&format!("point.{axis}"), "m"), |now| now.loads[k].point);
        visitor.about(planar, Needs::MEASURED, |axis| own(&format!("moment.{axis}"), "N m"), |now| now.loads[k].moment);
        visitor.one(Needs::MEASURED, || own("power", "W"), |now| now.loads[k].power);
    }
}
