//! The middle of a pair: how deep two surfaces may be in each other before a force at a point pushes to the wrong side.
//! Not here: who watches it, and what is said.
//! In: a pair at a state, the normal of its contact. Out: the depth of its middle.
//!
//! A law of a point pushes along the normal on which the overlap is least. Where the surface of one body has come to the middle of the other, half
//! its width along the normal, its far side is as near as the one it came in by: beyond, the normal may turn round in no time, and energy that was
//! stored is gone. With the half widths h of both along n,
//!
//!     d = min(h₁(n), h₂(n))                                                                        (1)
//!
//! A pair has a middle when its law is one of a point and both surfaces end: two bodies, or a point and a body, whose own middle counts alone. A
//! half-space goes on below without end and has none, nor has a law of a volume.
//!
//! Source: elementary; all bounded shapes are symmetric about their centres. Test: `the_middle_is_half_of_the_thinner_body`.

use super::press::pose;
use super::{Contacts, Gaps, NormalLaw, Surface};
use crate::system::System;
use borelli_contact::shape::{Shape, Surface as _};
use borelli_math::Vec3;

impl<N> Contacts<N> {
    /// True for a pair that has a middle.
    pub fn has_middle(&self, pair: usize) -> bool {
        let second = &self.surfaces[self.pairs[pair].second as usize].item.shape;
        matches!(self.manner(pair).normal, NormalLaw::Point(_)) && !matches!(second, Shape::HalfSpace(_))
    }
}

impl Gaps {
    /// Depth of the middle of a pair that has one, along a unit normal in world axes at the state it is at, m.
    pub fn middle(&self, system: &System, pair: usize, normal: Vec3<f64>) -> f64 {
        let scene = self.scene(system);
        let half = |surface: &Surface<f64>| match &surface.shape {
            Shape::Smooth(smooth) => smooth.support(pose(&scene, surface).R.transpose_mul(normal)).distance,
            Shape::Point(_) | Shape::HalfSpace(_) => f64::INFINITY,
        };
        let [first, second] = system.numbers.contacts.surfaces_of(pair);
        half(first).min(half(second))
    }

    /// A direction of the world in the axes of the second surface of a pair, at the state it is at.
    pub fn in_second(&self, system: &System, pair: usize, direction: Vec3<f64>) -> Vec3<f64> {
        let [_, second] = system.numbers.contacts.surfaces_of(pair);
        pose(&self.scene(system), second).R.transpose_mul(direction)
    }
}
