//! Force and moment of an overlap.

use super::overlap::Overlap;
use super::softplus::damping_factor;
use crate::friction::Friction;
use crate::friction::spin::{PatchSlip, Spin};
use crate::law::{Range, law};
use borelli_math::{Constant, Real, Vec3};

law! {
    /// A bed of springs and dampers along the normal, integrated over the overlap.
    ///
    /// ```text
    /// F_n = k V g,   g = max(0, 1 − a v_n)                                                        (1)
    /// τ_r = −k a g' J ω_t                                                                         (2)
    /// U = k V z_c                                                                                 (3)
    /// P = −[(F_n − k V) v_n + F_t·v_t + τ_r·ω_t + τ_s ω_n] ≥ 0                                    (4)
    /// ```
    ///
    /// | k `stiffness` N/m³ | a `dissipation` s/m | w `softness` 1 | v_n speed of separation at the centroid m/s | ω_t rolling rad/s |
    ///
    /// (2) is the moment of the damped pressure about the centroid, present whenever a > 0; g' is one, and zero when (1) is cut. (3) is exact:
    /// the undamped bed is hydrostatics. With w > 0 the cut is rounded over a width w of 1 − a v_n (`softness`).
    ///
    /// Source: Brown 2017, (2.3), (5.44)-(5.51); (3), (4) and the cut ours. Departures: (5.44) has |v_n|, with which nothing is
    /// dissipated; here the signed speed, and a = −a_V ≥ 0. Friction opposes sliding; printed along it.
    /// Limits: (2) assumes that no part of the patch is in tension while the whole is not. The force ends at k 4πabc/3 (`Immersion`).
    /// Tests: `the_wrench_is_minus_the_slope_of_the_stored_energy`, `dissipation_only_takes_power`,
    /// `an_impact_on_the_bed_has_the_restitution_of_the_general_relation`.
    "volumetric": "Pressure in proportion to depth, integrated over the overlap"
    pub struct Volumetric {
        /// pressure per depth
        stiffness: "N/m^3", Range::POSITIVE, typical 1.6e7;
        /// damping per speed of approach
        dissipation: "s/m", Range::NON_NEGATIVE, default 0.0, typical 0.565;
        /// width over which the cut at zero force is rounded; zero for a sharp cut
        softness: "1", Range::NON_NEGATIVE, default 0.0;
    }
}

/// Motion of the ellipsoid relative to the half-space, in the axes of the overlap.
#[derive(Clone, Copy, Debug)]
pub struct PatchMotion<S> {
    /// n, unit, out of the half-space.
    pub normal: Vec3<S>,
    /// v_c, velocity of the ellipsoid's material at the centroid less that of the half-space, m/s.
    pub velocity: Vec3<S>,
    /// ω, relative angular velocity, rad/s.
    pub angular: Vec3<S>,
}

/// Load on the body of the ellipsoid; the half-space has the opposite at the same point.
#[derive(Clone, Copy, Debug)]
pub struct PatchLoad<S> {
    /// F_n, N ≥ 0.
    pub normal_force: S,
    /// F_t, N.
    pub friction: Vec3<S>,
    /// τ_r, N m.
    pub rolling: Vec3<S>,
    /// τ_s, moment about the normal, N m.
    pub spinning: S,
    /// F_n n + F_t, at the centroid, N.
    pub force: Vec3<S>,
    /// τ_r + τ_s n, about the centroid, N m.
    pub moment: Vec3<S>,
    /// U, J.
    pub stored: S,
    /// P, W.
    pub dissipated: S,
    /// True when the bodies part so fast that the bed lets go.
    pub clipped: bool,
}

impl<C> Volumetric<C> {
    /// Pressure per depth at a place that moves away at `v_n`, N/m³, and its slope by 1 − a v_n.
    #[inline]
    pub(crate) fn bed<S: Real>(&self, v_n: S) -> (S, S)
    where
        C: Constant<S>,
    {
        let (factor, slope) = damping_factor(-self.dissipation.times(v_n) + 1.0, self.softness.lift());
        (self.stiffness.times(factor), self.stiffness.times(slope))
    }

    /// Load of an overlap; without a friction law normal force and rolling resistance only.
    pub fn load<S: Real>(&self, overlap: &Overlap<S>, motion: &PatchMotion<S>, friction: Option<(&Friction<C>, &Spin<C>)>) -> PatchLoad<S>
    where
        C: Constant<S>,
    {
        let n = motion.normal;
        let v_n = motion.velocity.dot(n);
        let v_t = motion.velocity - n.scale(v_n);
        let w_n = motion.angular.dot(n);
        let w_t = motion.angular - n.scale(w_n);

        let (bed, bed_slope) = self.bed(v_n);
        let normal_force = overlap.volume * bed; // (1)
        let rolling = overlap.rotary(w_t).scale(-self.dissipation.times(bed_slope)); // (2)
        let (traction, spinning) = match friction {
            Some((law, spin)) => spin.friction(law, PatchSlip { slip: v_t, spin: w_n, normal: normal_force, gyration: overlap.gyration() }),
            None => (Vec3::ZERO, S::ZERO),
        };
        let elastic = self.stiffness.times(overlap.volume);
        PatchLoad {
            normal_force,
            friction: traction,
            rolling,
            spinning,
            force: n.scale(normal_force) + traction,
            moment: rolling + n.scale(spinning),
            stored: elastic * overlap.centroid_depth, // (3)
            dissipated: -((normal_force - elastic) * v_n + traction.dot(v_t) + rolling.dot(w_t) + spinning * w_n), // (4)
            clipped: !(normal_force.value() > 0.0),
        }
    }
}
