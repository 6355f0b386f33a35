//! Columns of contacts: what every pair of surfaces does, and every contact as a whole.
//! Not here: the contacts themselves (`borelli_dynamics::contact`); other columns (`columns`).
//! In: what pairs do at one instant, work lost. Out: names with units, and one number for each, in the same order.
//!
//! | columns | what | unit |
//! | --- | --- | --- |
//! | `contact.P.depth`, `.rate` | overlap of pair P, negative where its surfaces are apart; how fast it grows, zero there | m, m/s |
//! | `contact.P.normal_force`, `.friction.x` ..., `.slip` | on the first surface's body; speed that friction sees | N, m/s |
//! | `contact.P.couple.x` ... | resistance of a patch to rolling and spinning (planar: none) | N m |
//! | `contact.P.point.x` ... | where the pair acts | m |
//! | `contact.P.volume`, `.area` | of the overlap, where the law is one of volumes | m^3, m^2 |
//! | `contact.P.stored`, `.dissipated` | energy stored; work lost since the start, an integral of the run | J |
//! | `contact.C.total.force.x` ..., `.total.moment.x` ... | sum over the pairs of contact C, moment about the world's origin | N, N m |
//! | `contact.C.cop.x` ..., `.cop.free_moment`, `.cop.valid` | centre of pressure on the plane, and the moment about its normal there | m, N m |
//! | `contact.C.axis.x` ..., `.axis.moment`, `.axis.valid` | point of the central axis nearest to the origin, and the moment along it | m, N m |

use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::contact::{Touching, resultant};
use borelli_math::Vec3;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Axes along which vectors, and about which moments, are shown.
pub(crate) fn axes(system: &System) -> (&'static [&'static str], &'static [&'static str]) {
    if system.skeleton.planar { (&AXES[..2], &AXES[2..]) } else { (&AXES, &AXES) }
}

fn is_volume(system: &System, pair: usize) -> bool {
    system.numbers.contacts.has_volume(pair)
}

/// Names and units, in the order in which `write` writes.
pub(crate) fn list(system: &System, audited: bool) -> Vec<Column> {
    let mut list = Vec::new();
    let mut add = |name: String, unit: &str| list.push(Column::new(name, unit));
    let (along, about) = axes(system);
    for (k, pair) in system.names.pairs.iter().enumerate() {
        let mut own = |part: &str, unit: &str| add(format!("contact.{pair}.{part}"), unit);
        own("depth", "m");
        own("rate", "m/s");
        own("slip", "m/s");
        own("normal_force", "N");
        along.iter().for_each(|axis| own(&format!("friction.{axis}"), "N"));
        along.iter().for_each(|axis| own(&format!("point.{axis}"), "m"));
        if is_volume(system, k) {
            about.iter().for_each(|axis| own(&format!("couple.{axis}"), "N m"));
            own("volume", "m^3");
            own("area", "m^2");
        }
        own("stored", "J");
        if audited {
            own("dissipated", "J");
        }
    }
    for contact in &system.names.contacts {
        let own = |part: &str| format!("contact.{contact}.{part}");
        along.iter().for_each(|axis| list.push(Column::new(own(&format!("total.force.{axis}")), "N")));
        about.iter().for_each(|axis| list.push(Column::new(own(&format!("total.moment.{axis}")), "N m")));
        for (part, moment) in [("cop", "free_moment"), ("axis", "moment")] {
            along.iter().for_each(|axis| list.push(Column::optional(own(&format!("{part}.{axis}")), "m")));
            if !(system.skeleton.planar) {
                list.push(Column::optional(own(&format!("{part}.{moment}")), "N m"));
            }
            list.push(Column::new(own(&format!("{part}.valid")), "1"));
        }
    }
    list
}

/// Hands out the number of every column. `lost` is the work lost in each pair, where a run integrates it.
pub(crate) fn write(system: &System, touching: &[Touching<f64>], lost: Option<&[f64]>, put: &mut dyn FnMut(f64)) {
    let planar = system.skeleton.planar;
    let along = |x: Vec3<f64>, put: &mut dyn FnMut(f64)| x.to_array().into_iter().take(if planar { 2 } else { 3 }).for_each(put);
    let about = |x: Vec3<f64>, put: &mut dyn FnMut(f64)| x.to_array().into_iter().skip(if planar { 2 } else { 0 }).for_each(put);
    for (k, touching) in touching.iter().enumerate() {
        put(touching.depth);
        put(touching.rate);
        put(touching.slip.norm());
        put(touching.normal_force);
        along(touching.friction, put);
        along(touching.point, put);
        if is_volume(system, k) {
            about(touching.couple, put);
            put(touching.volume);
            put(touching.area);
        }
        put(touching.stored);
        if let Some(lost) = lost {
            put(lost[k]);
        }
    }
    for contact in 0..system.names.contacts.len() {
        let whole = resultant(&system.numbers.contacts, contact, touching);
        along(whole.force, put);
        about(whole.moment, put);
        let centre = whole.centre.map(|centre| (centre.point, centre.free_moment));
        for found in [centre, whole.axis] {
            let (point, moment) = found.unwrap_or((Vec3 { x: f64::NAN, y: f64::NAN, z: f64::NAN }, f64::NAN));
            along(point, put);
            if !planar {
                put(moment);
            }
            put(if found.is_some() { 1.0 } else { 0.0 });
        }
    }
}
