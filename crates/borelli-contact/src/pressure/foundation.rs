//! The bed of springs summed point by point, with friction at the slip of each point.

use super::chord::Presser;
use super::grid::Grid;
use crate::friction::Friction;
use crate::law::{Range, law};
use crate::volume::Volumetric;
use borelli_math::{Constant, Real, Vec3};

law! {
    /// The bed of springs and dampers of `volumetric`, summed point by point: brute force behind the closed forms, and friction at the slip of each point.
    ///
    /// | k `stiffness` N/m³ | a `dissipation` s/m | `pitch` distance of the points, m |
    ///
    /// Source: elementary; the sum is that of `foundation`.
    /// Limits: costs as many points as the shape covers; forces converge with the second power of the pitch, and have small kinks where points come into touch.
    /// Tests: `a_summed_bed_does_what_the_closed_form_does`.
    "foundation": "The bed of `volumetric` summed point by point, with friction at the slip of each"
    pub struct Foundation {
        /// pressure per depth
        stiffness: "N/m^3", Range::POSITIVE;
        /// damping per speed of approach
        dissipation: "s/m", Range::NON_NEGATIVE, default 0.0;
        /// distance of the points
        pitch: "m", Range::POSITIVE, default 0.002;
    }
}

impl<C: Real> Foundation<C> {
    /// The law of a single spring.
    pub fn bed(&self) -> Volumetric<C> {
        Volumetric { stiffness: self.stiffness, dissipation: self.dissipation, softness: C::ZERO }
    }
}

/// Sum of all forces on the ellipsoid.
#[derive(Clone, Copy, Debug)]
pub struct Resultant<S> {
    /// F_n, N.
    pub normal_force: S,
    /// Normal and friction force together, N.
    pub force: Vec3<S>,
    /// Moment about the given point, N m.
    pub moment: Vec3<S>,
}

/// Discrete elastic foundation: every point of the grid carries p dA, and slides on its own.
///
/// ```text
/// F = Σ pᵢ Aᵢ n + Tᵢ,   M = Σ (xᵢ − x₀) × (pᵢ Aᵢ n + Tᵢ)                                           (1)
/// Tᵢ = −(pᵢ Aᵢ/F_n) [F_f/v](|vᵢ|, F_n) vᵢ                                                         (2)
/// ```
///
/// A point has its share of the friction that the whole normal force would have at the point's slip, so that parts of a law that do not grow with
/// F_n count once and not once per point. Mixed stick and slip and the ease that spin gives to sliding come out by themselves.
///
/// Source: elementary. Limits: costs the grid twice; converges with the second power of the distance of points.
/// Tests: `the_grid_has_the_force_the_moment_and_the_rolling_moment_of_the_closed_form`, `spinning_friction_is_that_of_the_summed_patch`.
pub fn foundation<S: Real, C: Constant<S>>(
    grid: &Grid,
    presser: &Presser<S, C>,
    friction: Option<&Friction<C>>,
    about: Vec3<S>,
) -> Resultant<S> {
    let n = presser.normal();
    let (mut total, mut first) = (S::ZERO, Vec3::ZERO);
    for (x, area) in grid.all_points() {
        let x = Vec3::lift(x);
        let share = presser.pressure(x) * area;
        total += share;
        first += (x - about).scale(share);
    }
    let (mut force, mut moment) = (n.scale(total), first.cross(n));
    if let (Some(law), true) = (friction, total.value() > 0.0) {
        let over_total = total.recip();
        for (x, area) in grid.all_points() {
            let x = Vec3::lift(x);
            let p = presser.pressure(x);
            if p.value() > 0.0 {
                let traction = law.traction(presser.slip(x), total).scale(p * over_total * area);
                force += traction;
                moment += (x - about).cross(traction);
            }
        }
    }
    Resultant { normal_force: total, force, moment }
}
