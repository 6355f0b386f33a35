//! Machines: bodies whose mass is not that of flesh between their joints.
//! Not here: bodies of people (`rules`).
//! In: bodies with their anchors. Out: whether a model is a machine; rods, plates and balls.
//!
//! A body of flesh density between two anchors L apart has a radius. In limbs it is 0.1 to 0.2 of L; in a mechanism of metal it has nothing to do with
//! L, and solids of the right volume would be lumps. The median decides, over all bodies between two anchors but trunks with heads and pieces that are
//! welded to others.

use super::anchor::Anchor;
use super::cone::Cone;
use super::ellipsoid::Ellipsoid;
use super::hull::Hull;
use super::{Part, Solid, head};
use borelli_math::Vec3;

/// Above this ratio matter is no flesh.
const FLESH: f64 = 0.25;

/// Radius of a rod over its length, and of the balls of joints over the middle length of rods.
const ROD: f64 = 0.08;
const BALL: f64 = 0.1;

/// Median radius over length of bodies between two anchors; nothing where no body is.
pub(super) fn stoutness(parts: &[Part]) -> Option<f64> {
    let limbs = parts.iter().filter(|part| !part.welded && !head::has_head(part));
    let ratio = |[a, b]: [Vec3<f64>; 2], volume: f64| Cone::even(a, b, volume).ra / (b - a).norm();
    median(limbs.filter_map(|part| Some(ratio(part.limb()?, part.matter.volume()))).collect())
}

/// Whether a model is one.
pub(super) fn is_machine(parts: &[Part]) -> bool {
    stoutness(parts).is_some_and(|ratio| ratio > FLESH)
}

/// The middle value, or the mean of the two in the middle.
fn median(mut list: Vec<f64>) -> Option<f64> {
    list.sort_by(f64::total_cmp);
    let half = list.len() / 2;
    if list.len() % 2 == 1 { Some(list[half]) } else { Some(0.5 * (list.get(half.checked_sub(1)?)? + list[half])) }
}

/// The largest distance between anchors.
pub(super) fn extent(anchors: &[Anchor]) -> f64 {
    anchors.iter().flat_map(|a| anchors.iter().map(|b| (a.at - b.at).norm())).fold(0.0, f64::max)
}

/// A rod between two places, a plate on more.
pub(super) fn plate(anchors: &[Anchor]) -> Solid {
    let radius = ROD * extent(anchors);
    match anchors {
        [a, b] => Solid::Cone(Cone::rod(a.at, b.at, radius)),
        _ => Solid::Hull(Hull { points: anchors.iter().map(|anchor| anchor.at.to_array()).collect(), radius }),
    }
}

/// A straight rod along the one of a body's inertia.
pub(super) fn rod(from: Vec3<f64>, to: Vec3<f64>) -> Solid {
    Solid::Cone(Cone::rod(from, to, ROD * (to - from).norm()))
}

/// The radius of the balls of joints.
pub(super) fn ball_radius(parts: &[Part]) -> f64 {
    let limbs = parts.iter().filter_map(|part| part.limb().map(|[a, b]| (b - a).norm()));
    BALL * median(limbs.collect()).unwrap_or(0.0)
}

/// A ball at a joint.
pub(super) fn ball(at: Vec3<f64>, radius: f64) -> Solid {
    Solid::Ellipsoid(Ellipsoid::ball(at, radius))
}
