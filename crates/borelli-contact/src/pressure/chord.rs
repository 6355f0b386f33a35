//! Depth and pressure at one point of the plane.

use crate::law::Fault;
use crate::volume::{SemiAxes, Volumetric, unit_normal};
use borelli_math::{Constant, Mat3, Real, Vec3, vec3};

/// Motion of one rigid body seen from another: velocity of the material at a point, and angular velocity.
#[derive(Clone, Copy, Debug)]
pub struct Twist<S> {
    /// The point, m.
    pub at: Vec3<S>,
    /// Velocity there, m/s.
    pub velocity: Vec3<S>,
    /// Angular velocity, rad/s.
    pub angular: Vec3<S>,
}

impl<S: Real> Twist<S> {
    /// Velocity of the material at another point.
    #[inline]
    pub fn velocity_at(&self, x: Vec3<S>) -> Vec3<S> {
        self.velocity + self.angular.cross(x - self.at)
    }
}

/// What a spring of the bed does, per area.
pub(super) struct Spring<S> {
    /// p, Pa.
    pub pressure: S,
    /// k f, what it would press at rest, Pa.
    pub elastic: S,
    /// Energy stored, J/m².
    pub stored: S,
    /// v_n, speed of separation, m/s.
    pub parting: S,
}

/// An ellipsoid pressing on a plane, ready to be asked at many points.
///
/// On the vertical x + z n through a point x of the plane, with B = S⁻¹Rᵀ, w = B (x − centre) and m = B n:
///
/// ```text
/// |w + z m|² = 1:   (m·m) z² + 2 (w·m) z + w·w − 1 = 0,   roots z₁ < z₂                             (1)
/// f = min(z₂, 0) − min(z₁, 0)                 the chord below the plane; 0 without roots              (2)
/// p = k f g(1 − a v_n(x))                     g of `Volumetric`                                       (3)
/// ```
///
/// A tilted ellipsoid overhangs: beside the patch both ends of the chord lie below the plane, and (2) counts it, so that the sum of p is
/// the force of the closed form. The depth of the lower surface inside the patch alone is too little.
///
/// Source: ours; the field whose resultants are those of Brown 2017, section 5.1.
/// Tests: `the_grid_has_the_force_the_moment_and_the_rolling_moment_of_the_closed_form`, `pressure_never_exceeds_that_of_the_lowest_point`.
#[derive(Clone, Copy, Debug)]
pub struct Presser<S, C> {
    law: Volumetric<C>,
    twist: Twist<S>,
    normal: Vec3<S>,
    centre: Vec3<S>,
    /// B = S⁻¹Rᵀ.
    to_sphere: Mat3<S>,
    /// S Rᵀ, for the width in a direction.
    stretched: Mat3<f64>,
    /// m = B n.
    m: Vec3<S>,
    over_mm: S,
}

impl<S: Real, C: Constant<S>> Presser<S, C> {
    /// An ellipsoid with its centre and the rotation `R` from its axes to those of the plane, moving relative to the plane with normal `n`.
    pub fn new(law: Volumetric<C>, shape: &SemiAxes<C>, R: &Mat3<S>, centre: Vec3<S>, n: Vec3<S>, twist: Twist<S>) -> Result<Self, Fault> {
        unit_normal(n.values())?;
        let inverse = vec3(shape.a.recip().lift(), shape.b.recip().lift(), shape.c.recip().lift());
        let scale = |v: Vec3<S>| vec3(v.x * inverse.x, v.y * inverse.y, v.z * inverse.z);
        let Rt = R.transpose();
        let to_sphere = Mat3 { x: scale(Rt.x), y: scale(Rt.y), z: scale(Rt.z) };
        let m = to_sphere * n;
        let (Rt, axes) = (Rt.values(), vec3(shape.a.value(), shape.b.value(), shape.c.value()));
        let stretch = |v: Vec3<f64>| vec3(v.x * axes.x, v.y * axes.y, v.z * axes.z);
        let stretched = Mat3 { x: stretch(Rt.x), y: stretch(Rt.y), z: stretch(Rt.z) };
        Ok(Presser { law, twist, normal: n, centre, to_sphere, stretched, m, over_mm: m.dot(m).recip() })
    }

    /// Heights of the ends of the vertical chord over the point `x` of the plane, lower first; (1).
    #[inline]
    pub fn chord(&self, x: Vec3<S>) -> Option<(S, S)> {
        let w = self.to_sphere * (x - self.centre);
        let middle = -(w.dot(self.m) * self.over_mm);
        let square = middle * middle - (w.dot(w) - 1.0) * self.over_mm;
        if !(square.value() > 0.0) {
            return None;
        }
        let half = square.sqrt();
        Some((middle - half, middle + half))
    }

    /// f, length of the chord below the plane, m; (2).
    #[inline]
    pub fn depth(&self, x: Vec3<S>) -> S {
        let below = |z: S| if z.value() < 0.0 { z } else { S::ZERO };
        self.chord(x).map_or(S::ZERO, |(low, high)| below(high) - below(low))
    }

    /// p at the point `x` of the plane, Pa; (3).
    #[inline]
    pub fn pressure(&self, x: Vec3<S>) -> S {
        let depth = self.depth(x);
        if depth.value() > 0.0 { depth * self.law.bed(self.twist.velocity_at(x).dot(self.normal)).0 } else { S::ZERO }
    }

    /// The spring under the point `x` of the plane; nothing where the ellipsoid is not below it.
    pub(super) fn spring(&self, x: Vec3<S>) -> Option<Spring<S>> {
        let (low, high) = self.chord(x)?;
        if !(low.value() < 0.0) {
            return None;
        }
        let high = if high.value() < 0.0 { high } else { S::ZERO };
        let parting = self.twist.velocity_at(x).dot(self.normal);
        let depth = high - low;
        let k: S = self.law.stiffness.lift();
        let stored = k * (low * low - high * high) * 0.5;
        Some(Spring { pressure: depth * self.law.bed(parting).0, elastic: k * depth, stored, parting })
    }

    /// Slip of the ellipsoid's material at `x` along the plane, m/s.
    #[inline]
    pub(super) fn slip(&self, x: Vec3<S>) -> Vec3<S> {
        let v = self.twist.velocity_at(x);
        v - self.normal.scale(v.dot(self.normal))
    }

    /// Middle and half width of the ellipsoid along the unit vector `u`, from the point `from`: |S Rᵀ u| is its support.
    pub fn shadow(&self, from: Vec3<f64>, u: Vec3<f64>) -> (f64, f64) {
        ((self.centre.values() - from).dot(u), (self.stretched * u).norm())
    }

    /// n.
    pub(super) fn normal(&self) -> Vec3<S> {
        self.normal
    }
}
