//! Surfaces as functions, and how a string lies at one point of them.
//! Not here: geodesics. In: an obstacle, a point, a direction. Out: normal, tangent, curvatures.
//!
//! | surface | f | g | H | K on the surface |
//! | --- | --- | --- | --- | --- |
//! | sphere | (x² + y² + z² − r²)/2 | (x, y, z) | 1 | 1/r² |
//! | cylinder | (x² + y² − r²)/2 | (x, y, 0) | diag(1, 1, 0) | 0 |
//! | ellipsoid | (Σ xᵢ²/Aᵢ² − 1)/2 | xᵢ/Aᵢ² | diag(1/Aᵢ²) | 1/(A₁²A₂²A₃² \|g\|⁴) |
//! | torus, ρ² = x² + y² | ((ρ − R)² + z² − r²)/2 | ((1 − R/ρ) x, (1 − R/ρ) y, z) | (1 − R/ρ) + R/ρ³ (x, y)(x, y)ᵀ in the plane, 1 along z | (ρ − R)/(r² ρ) |
//!
//! Tests: `surfaces_have_the_slopes_of_differences`, `geodesics_keep_to_their_surface_and_vary_as_their_fields_say`.

use super::Obstacle;
use borelli_math::{Real, Vec3, vec3};

impl<S: Real> Obstacle<S> {
    /// f.
    pub(crate) fn value(&self, x: Vec3<S>) -> S {
        match *self {
            Obstacle::Sphere { radius } => (x.dot(x) - radius * radius) * 0.5,
            Obstacle::Cylinder { radius } => (x.x * x.x + x.y * x.y - radius * radius) * 0.5,
            Obstacle::Ellipsoid { .. } => (x.dot(self.gradient(x)) - 1.0) * 0.5,
            Obstacle::Torus { ring, tube } => {
                let out = (x.x * x.x + x.y * x.y).sqrt() - ring;
                (out * out + x.z * x.z - tube * tube) * 0.5
            }
        }
    }

    /// g.
    #[inline(always)]
    pub(crate) fn gradient(&self, x: Vec3<S>) -> Vec3<S> {
        match *self {
            Obstacle::Torus { ring, .. } => {
                let part = S::ONE - ring / (x.x * x.x + x.y * x.y).sqrt();
                vec3(x.x * part, x.y * part, x.z)
            }
            // H does not depend on x.
            _ => self.bent(x, x),
        }
    }

    /// H u at x.
    #[inline(always)]
    pub(crate) fn bent(&self, x: Vec3<S>, u: Vec3<S>) -> Vec3<S> {
        match *self {
            Obstacle::Sphere { .. } => u,
            Obstacle::Cylinder { .. } => vec3(u.x, u.y, S::ZERO),
            Obstacle::Ellipsoid { axes: [a, b, c] } => vec3(u.x / (a * a), u.y / (b * b), u.z / (c * c)),
            Obstacle::Torus { ring, .. } => {
                let square = x.x * x.x + x.y * x.y;
                let over = ring / square.sqrt();
                let (part, along) = (S::ONE - over, over * (x.x * u.x + x.y * u.y) / square);
                vec3(part * u.x + along * x.x, part * u.y + along * x.y, u.z)
            }
        }
    }

    /// How deep a point is inside, m; negative outside. Of an ellipsoid to first order, with a function that is linear along rays from its centre.
    pub(crate) fn depth(&self, x: Vec3<S>) -> S {
        let round = |a: S, b: S| (a * a + b * b).sqrt();
        match *self {
            Obstacle::Sphere { radius } => radius - x.norm(),
            Obstacle::Cylinder { radius } => radius - round(x.x, x.y),
            Obstacle::Ellipsoid { axes: [a, b, c] } => {
                let ray = vec3(x.x / a, x.y / b, x.z / c);
                let (part, slope) = (ray.norm(), vec3(ray.x / a, ray.y / b, ray.z / c).norm());
                if slope.value() > 0.0 { (S::ONE - part) * part / slope } else { S::from_f64(self.size()) }
            }
            Obstacle::Torus { ring, tube } => tube - round(round(x.x, x.y) - ring, x.z),
        }
    }

    /// The point of the surface next to x, which is nearly on it, to first order in the distance after two steps.
    pub(crate) fn drawn_in(&self, x: Vec3<S>) -> Vec3<S> {
        let once = |x: Vec3<S>| {
            let g = self.gradient(x);
            x - g.scale(self.value(x) / g.dot(g))
        };
        once(once(once(x)))
    }
}

/// How a string lies at a point of a surface: where, along what, and how curved the surface is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lay<S> {
    pub(crate) x: Vec3<S>,
    pub(crate) t: Vec3<S>,
    pub(crate) n: Vec3<S>,
    pub(crate) b: Vec3<S>,
    /// κ, τ, κ_b.
    pub(crate) curved: [S; 3],
}

impl<S: Real> Lay<S> {
    /// At a point of the surface along a direction, both nearly so.
    pub(crate) fn at(surface: &Obstacle<S>, x: Vec3<S>, along: Vec3<S>) -> Self {
        let x = surface.drawn_in(x);
        let g = surface.gradient(x);
        let size = g.norm();
        let n = g.scale(size.recip());
        let t = along - n.scale(n.dot(along));
        let t = t.scale(t.norm().recip());
        let b = n.cross(t);
        let (Ht, Hb) = (surface.bent(x, t), surface.bent(x, b));
        let curved = [t.dot(Ht), b.dot(Ht), b.dot(Hb)].map(|c| c / size);
        Lay { x, t, n, b, curved }
    }

    /// In space, with axes and origin of the surface's frame.
    pub(crate) fn outside(&self, pose: &super::Pose<S>) -> Self {
        Lay { x: pose.outside(self.x), t: pose.R * self.t, n: pose.R * self.n, b: pose.R * self.b, curved: self.curved }
    }

    /// In the numbers of a caller.
    pub(crate) fn lifted<T: Real>(&self) -> Lay<T> {
        let [x, t, n, b] = [self.x, self.t, self.n, self.b].map(|v| Vec3::from_array(v.to_array().map(|x| T::from_f64(x.value()))));
        Lay { x, t, n, b, curved: self.curved.map(|c| T::from_f64(c.value())) }
    }

    /// How point, normal and binormal change when it is shifted along t and b and turned about n.
    #[inline(always)]
    pub(crate) fn varied(&self, s: f64, beta: f64, theta: f64) -> [Vec3<f64>; 3]
    where
        S: Real,
    {
        let (t, n, b) = (self.t.values(), self.n.values(), self.b.values());
        let [k, w, kb] = self.curved.map(Real::value);
        let (along, across) = (k * s + w * beta, w * s + kb * beta);
        [t.scale(s) + b.scale(beta), t.scale(along) + b.scale(across), n.scale(-across) - t.scale(theta)]
    }
}
