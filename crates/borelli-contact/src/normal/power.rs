//! What most laws share: a power of depth, and damping in proportion to it.

use super::{Push, Touch};
use crate::smooth::pow;
use borelli_math::Real;

/// k δⁿ without damping.
#[inline]
pub(super) fn elastic<S: Real>(stiffness: S, exponent: S, depth: S) -> Push<S> {
    let force = stiffness * pow(depth, exponent);
    Push {
        force,
        by_depth: exponent * force / depth,
        by_rate: S::ZERO,
        stored: force * depth / (exponent + 1.0),
        elastic: force,
        clipped: false,
    }
}

/// k δⁿ (1 + d δ̇) with d in s/m.
#[inline]
pub(super) fn damped<S: Real>(stiffness: S, exponent: S, damping: S, touch: Touch<S>) -> Push<S> {
    let still = elastic(stiffness, exponent, touch.depth);
    let factor = damping * touch.rate + 1.0;
    Push { force: still.force * factor, by_depth: still.by_depth * factor, by_rate: still.force * damping, ..still }
}
