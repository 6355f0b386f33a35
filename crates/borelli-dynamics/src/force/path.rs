//! Paths: straight lines from place to place along which elements pull. Shared by the path laws; no law itself.
//! Not here: what makes the tension; each element adds its own to `Loads::path_tension`.
//! In: a `Scene` and the sum of tensions of each path. Out: lengths, rates, and the forces of the tensions on bodies.
//!
//! For a path over points 1 … n with dᵢ = pᵢ₊₁ − pᵢ, lᵢ = ‖dᵢ‖ and unit vectors eᵢ = dᵢ/lᵢ:
//!
//! ```text
//! l = Σ lᵢ        l̇ = Σ eᵢ·(vᵢ₊₁ − vᵢ)                                                      (1)
//! f₁ = N e₁        fᵢ = N (eᵢ − eᵢ₋₁)        fₙ = −N eₙ₋₁                                     (2)
//! ```
//!
//! | l path length m | l̇ its rate m/s | N tension, positive when it shortens the path, N | fᵢ force on the body of point i, N |
//!
//! The power of (2) is −N l̇: lengths, rates and forces belong to one virtual work. The tension is the same along the path (no friction at
//! via points).
//!
//! Limits: a segment of zero length has no direction. It is skipped: it adds nothing to l and l̇ and pulls at nothing, so that nothing becomes
//! NaN. Across such an instant the forces of (2) jump to the other side; the law N = c l̇ of a dashpot, f = −c e eᵀ v, does not see the sign of e
//! and goes on smoothly but for the instant itself.
//!
//! Source: elementary. Tests: `every_path_law_acts_and_reacts`, `the_rate_of_a_path_is_the_slope_of_its_length`,
//! `a_segment_of_zero_length_pulls_at_nothing`.

use crate::compile::Context;
use crate::scene::{Loads, Point, Scene};
use borelli_math::{Constant, Real, Vec3};
use borelli_model::{Field, FieldKind, Fields, Need};

/// The field `path` of every path law.
pub(super) const PATH: Field = Field { name: "path", kind: FieldKind::Path, need: Need::Required, doc: "path it pulls along" };

/// The path and the function of time of an element that is told what to do.
pub(super) fn path_and_function(fields: &mut Fields, context: &mut Context, function: &str, unit: &str) -> (Option<u32>, Option<u32>) {
    (context.path(fields, "path"), context.function(fields, function, "s", unit))
}

/// Length and unit vector from `a` to `b`; none where they coincide.
#[inline]
pub(super) fn segment<S: Real>(a: &Point<S>, b: &Point<S>) -> Option<(S, Vec3<S>)> {
    let d = b.p_W - a.p_W;
    let square = d.dot(d);
    // Compared with zero exactly, so that NaN is not taken for a missing segment.
    if square.value() == 0.0 {
        return None;
    }
    let length = square.sqrt();
    Some((length, d.scale(length.recip())))
}

/// Calls `visit` with the two ends, length and direction of each segment that has one.
#[inline]
fn segments<S: Real, C: Constant<S>>(scene: &Scene<S, C>, path: usize, mut visit: impl FnMut(&Point<S>, &Point<S>, S, Vec3<S>)) {
    let mut places = scene.numbers.paths[path].iter();
    let Some(first) = places.next() else { return };
    let mut a = scene.point(*first);
    for place in places {
        let b = scene.point(*place);
        if let Some((length, e)) = segment(&a, &b) {
            visit(&a, &b, length, e);
        }
        a = b;
    }
}

/// Writes the length of every path, with or without an element on it. Equation (1).
#[inline]
pub(super) fn fill_path_lengths<S: Real, C: Constant<S>>(scene: &Scene<S, C>, loads: &mut Loads<S>) {
    for path in 0..scene.numbers.paths.len() {
        let mut sum = S::ZERO;
        segments(scene, path, |_, _, length, _| sum += length);
        loads.path_length[path] = sum;
    }
}

/// Rate of a path's length, m/s. Equation (1).
#[inline]
pub(super) fn path_rate<S: Real, C: Constant<S>>(scene: &Scene<S, C>, path: u32) -> S {
    let mut sum = S::ZERO;
    segments(scene, path as usize, |a, b, _, e| sum += e.dot(b.v_W - a.v_W));
    sum
}

/// Pulls along every path with the sum of the tensions of its elements. Equation (2).
#[inline]
pub(super) fn pull_paths<S: Real, C: Constant<S>>(scene: &Scene<S, C>, loads: &mut Loads<S>) {
    for path in 0..scene.numbers.paths.len() {
        let tension = loads.path_tension[path];
        segments(scene, path, |a, b, _, e| {
            let f = e.scale(tension);
            loads.push(a, f);
            loads.push(b, -f);
        });
    }
}
