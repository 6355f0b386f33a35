//! What all pairs of a contact do together: force, moment, centre of pressure, free moment, central axis.
//! Not here: single pairs (`Touching`).
//! In: what pairs do at one instant. Out: a `Resultant`.
//!
//!     F = Σ Fᵢ        M_O = Σ Xᵢ × Fᵢ + τᵢ                                                            (1)
//!     P₀ = F × M_O/|F|²        M_∥ = (M_O·F/|F|) , along F                                             (2)
//!
//! The central axis passes through P₀, its point nearest to the world's origin, along F; about it the moment is along F alone. The centre of pressure is that
//! of a force plate in the plane of the half-space (`borelli_contact::pressure::centre_of_pressure`).
//!
//! Source: elementary. Departures: Marques 2015 inverts the skew matrix of F, which has no inverse.
//! Tests: `a_single_pair_has_its_own_point_as_centre_of_pressure`, `the_resultant_is_equivalent_to_its_pairs`.

use super::{Contacts, Touching};
use borelli_contact::pressure::{Centre, centre_of_pressure};
use borelli_contact::shape::Shape;
use borelli_math::{Real, Vec3};

/// The loads of a contact on its first bodies, reduced.
#[derive(Clone, Copy, Debug)]
pub struct Resultant<S = f64> {
    /// F, N.
    pub force: Vec3<S>,
    /// M_O about the world's origin, N m.
    pub moment: Vec3<S>,
    /// Centre of pressure and free moment on the plane of the half-space; nothing without one, or below the least normal force.
    pub centre: Option<Centre<S>>,
    /// P₀ and M_∥ of the central axis, m and N m; nothing below the least force.
    pub axis: Option<(Vec3<S>, S)>,
}

/// Sums up the pairs of a contact.
pub fn resultant<S: Real, C>(contacts: &Contacts<C>, contact: usize, touching: &[Touching<S>]) -> Resultant<S> {
    let pairs = contacts.pairs_of(contact);
    let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
    for touching in &touching[pairs.clone()] {
        if touching.normal_force.value() > 0.0 {
            let f = touching.force();
            force += f;
            moment += touching.point.cross(f) + touching.couple;
        }
    }
    let least = contacts.least_force[contact];
    // All pairs of a contact with a centre of pressure press on one plane.
    let plane = |pair: usize| contacts.pairs[pair].second;
    let one_plane = pairs.clone().all(|pair| plane(pair) == plane(pairs.start))
        && matches!(contacts.surfaces[plane(pairs.start) as usize].item.shape, Shape::HalfSpace(_));
    let first = &touching[pairs.start];
    let centre = if one_plane {
        // A point of the plane: the foot of the first pair, whose depth is measured from the plane along the normal.
        let g = first.foot;
        centre_of_pressure(force, moment - g.cross(force), g, first.normal, least)
    } else {
        None
    };
    let square = force.dot(force);
    let is_there = square.value() > least * least && square.value() > 0.0;
    let axis = is_there.then(|| (force.cross(moment).scale(square.recip()), moment.dot(force) / square.sqrt()));
    Resultant { force, moment, centre, axis }
}
