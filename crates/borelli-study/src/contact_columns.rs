//! Columns of contacts: what every pair of surfaces does, and every contact as a whole.
//! Not here: the contacts themselves (`borelli_dynamics::contact`); other columns (`columns`).
//! In: what pairs and contacts do at one instant, work lost. Out: columns, shown to a visitor.
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

use crate::column_visitor::{Needs, Visitor};
use crate::pair_columns::PairColumn;
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::contact::Resultant;
use borelli_dynamics::movement::AUDITED;
use borelli_math::{Constant, Real, Vec3};

/// Shows the columns of all pairs and contacts. `audited`: a run integrates the work lost.
pub(crate) fn visit<S: Constant<S>>(system: &System, audited: bool, visitor: &mut impl Visitor<S>) {
    if visitor.section() {
        for pair in 0..system.names.pairs.len() {
            visit_pair(system, pair, audited, visitor);
        }
    }
    if visitor.section() {
        for contact in 0..system.names.contacts.len() {
            visit_contact(system, contact, visitor);
        }
    }
}

/// Shows the columns of one pair.
fn visit_pair<S: Real>(system: &System, pair: usize, audited: bool, visitor: &mut impl Visitor<S>) {
    let name = &system.names.pairs[pair];
    let own = |part: &str, unit: &str| Column::new(format!("contact.{name}.{part}"), unit);
    for column in PairColumn::list(system.skeleton.planar, system.numbers.contacts.has_volume(pair)) {
        let named = || {
            let (part, unit) = column.words();
            own(&part, unit)
        };
        visitor.one(Needs::LOADS, named, |now| column.of(&now.evaluation.touching[pair]));
    }
    if audited {
        visitor.one(Needs::WORK, || own("dissipated", "J"), |now| now.work(AUDITED + pair));
    }
}

/// A point of a contact with the moment there; nothing where the forces are too small.
type Place<S> = fn(&Resultant<S>) -> Option<(Vec3<S>, S)>;

/// Shows the columns of one contact as a whole.
pub(crate) fn visit_contact<S: Real>(system: &System, contact: usize, visitor: &mut impl Visitor<S>) {
    let (planar, name) = (system.skeleton.planar, &system.names.contacts[contact]);
    let called = |part: &str| format!("contact.{name}.{part}");
    let force = |axis: &str| Column::new(called(&format!("total.force.{axis}")), "N");
    let moment = |axis: &str| Column::new(called(&format!("total.moment.{axis}")), "N m");
    visitor.along(planar, Needs::RESULTANTS, force, |now| now.resultants[contact].force);
    visitor.about(planar, Needs::RESULTANTS, moment, |now| now.resultants[contact].moment);
    let places: [(&str, &str, Place<S>); 2] = [
        ("cop", "free_moment", |whole| whole.centre.map(|centre| (centre.point, centre.free_moment))),
        ("axis", "moment", |whole| whole.axis),
    ];
    for (part, moment, found) in places {
        let point = |axis: &str| Column::optional(called(&format!("{part}.{axis}")), "m");
        visitor.along(planar, Needs::RESULTANTS, point, |now| {
            found(&now.resultants[contact]).map_or(Vec3::from_array([S::from_f64(f64::NAN); 3]), |(point, _)| point)
        });
        if !planar {
            let column = || Column::optional(called(&format!("{part}.{moment}")), "N m");
            visitor
                .one(Needs::RESULTANTS, column, |now| found(&now.resultants[contact]).map_or(S::from_f64(f64::NAN), |(_, moment)| moment));
        }
        let valid = || Column::new(called(&format!("{part}.valid")), "1");
        visitor.one(Needs::RESULTANTS, valid, |now| S::from_f64(f64::from(found(&now.resultants[contact]).is_some())));
    }
}
