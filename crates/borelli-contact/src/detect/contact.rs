//! Where two shapes touch, and how fast they approach and slide there.
//! Not here: how it is found; forces.
//! In: points, normal, poses and motions. Out: gap, depth, velocities, all in world axes.

use crate::shape::{Motion, Pose};
use borelli_math::{Real, Vec3};

/// Nearest points of separated shapes, or deepest points of overlapping ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<S> {
    /// Signed distance, m: n·(P₁ − P₂), below zero when the shapes overlap.
    pub gap: S,
    /// P₁, on the first surface.
    pub p_first: Vec3<S>,
    /// P₂, on the second surface.
    pub p_second: Vec3<S>,
    /// Unit normal n, out of the second surface into the first.
    pub normal: Vec3<S>,
}

/// Relative velocity of the two material points in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sliding<S> {
    /// Rate of the depth, m/s: above zero when the shapes approach.
    pub approach: S,
    /// Tangential velocity of the first shape over the second, m/s.
    pub slip: Vec3<S>,
}

impl<S: Real> Contact<S> {
    /// Overlap, m: above zero when the shapes overlap.
    pub fn depth(&self) -> S {
        -self.gap
    }

    /// The same contact with the shapes exchanged.
    pub fn swapped(&self) -> Self {
        Contact { gap: self.gap, p_first: self.p_second, p_second: self.p_first, normal: -self.normal }
    }

    /// Approach and slip, given places and motions of both shapes.
    ///
    /// ```text
    /// v = v(P₁) − v(P₂),  δ̇ = −n·v,  slip = v − n (n·v)                                        (1)
    /// ```
    ///
    /// The velocities are those of material points. That the points of contact wander over the surfaces and the normal turns adds
    /// nothing to δ̇: wandering is tangential, and a unit normal turns across itself, while the points lie along it.
    ///
    /// Source: Marques 2015, with one normal throughout. Test: `approach_is_the_rate_of_the_depth`.
    pub fn sliding(&self, first: (&Pose<S>, &Motion<S>), second: (&Pose<S>, &Motion<S>)) -> Sliding<S> {
        let v = first.1.at(first.0, self.p_first) - second.1.at(second.0, self.p_second);
        let along = self.normal.dot(v);
        Sliding { approach: -along, slip: v - self.normal.scale(along) }
    }
}
