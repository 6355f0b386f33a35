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
    /// U, J.
    pub stored: S,
    /// P, power lost, W.
    pub lost: S,
}

/// Discrete elastic foundation: every point of the grid carries p dA, and slides on its own.
///
/// ```text
/// F = Σ pᵢ Aᵢ n + Tᵢ,   M = Σ (xᵢ − x₀) × (pᵢ Aᵢ n + Tᵢ)                                           (1)
/// Tᵢ = −(pᵢ Aᵢ/F_n) [F_f/v](|vᵢ|, F_n) vᵢ                                                         (2)
/// U = Σ ½ k (z₁² − min(z₂, 0)²) Aᵢ                    z₁ < z₂ the ends of the chord                (3)
/// P = −Σ (pᵢ − k fᵢ) Aᵢ v_nᵢ + Tᵢ·vᵢ                                                              (4)
/// ```
///
/// A point has its share of the friction that the whole normal force would have at the point's slip, so that parts of a law that do not grow with
/// F_n count once and not once per point. Mixed stick and slip and the ease that spin gives to sliding come out by themselves. The grid is put on the plane
/// n·x = `height` along n, so that the sum has slopes by the place of the plane.
///
/// Source: elementary. Limits: costs the grid twice; converges with the second power of the distance of points.
/// Tests: `the_grid_has_the_force_the_moment_and_the_rolling_moment_of_the_closed_form`, `spinning_friction_is_that_of_the_summed_patch`,
/// `a_summed_bed_does_what_the_closed_form_does`.
pub fn foundation<S: Real, C: Constant<S>>(
    grid: &Grid,
    presser: &Presser<S, C>,
    height: S,
    friction: Option<&Friction<C>>,
    about: Vec3<S>,
) -> Resultant<S> {
    let n = presser.normal();
    let on_plane = |x: Vec3<f64>| {
        let x = Vec3::lift(x);
        x + n.scale(height - n.dot(x))
    };
    let (mut total, mut first, mut stored, mut lost) = (S::ZERO, Vec3::ZERO, S::ZERO, S::ZERO);
    for (x, area) in grid.all_points() {
        let x = on_plane(x);
        let Some(spring) = presser.spring(x) else { continue };
        let share = spring.pressure * area;
        total += share;
        first += (x - about).scale(share);
        stored += spring.stored * area; // (3)
        lost -= (spring.pressure - spring.elastic) * spring.parting * area; // (4)
    }
    let (mut force, mut moment) = (n.scale(total), first.cross(n));
    if let (Some(law), true) = (friction, total.value() > 0.0) {
        let over_total = total.recip();
        for (x, area) in grid.all_points() {
            let x = on_plane(x);
            let p = presser.pressure(x);
            if p.value() > 0.0 {
                let slip = presser.slip(x);
                let traction = law.traction(slip, total).scale(p * over_total * area);
                force += traction;
                moment += (x - about).cross(traction);
                lost -= traction.dot(slip);
            }
        }
    }
    Resultant { normal_force: total, force, moment, stored, lost }
}
