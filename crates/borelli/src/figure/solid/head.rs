//! Head, neck and trunk of a body that stands for all three.
//! Not here: bodies that are a head or a trunk alone (`rules`).
//! In: a body with its anchors. Out: three solids, nothing for a body without a head.
//!
//! The rod of the body's inertia from its joints through the mass centre ends near the middle of the head. The head takes 0.12 of the volume and the
//! trunk below it 0.86; the neck between them is thin and short. With the part of the trunk at c, of the head at d and of both at the mass centre m,
//!
//! ```text
//! 0.86 c + 0.12 d = 0.98 m                                                                    (1)
//! ```
//!
//! In the plane the trunk is a cone, in space the superellipsoid of the body's principal moments.

use super::anchor::{Anchor, Link};
use super::cone::{Cone, bisect};
use super::ellipsoid::Ellipsoid;
use super::principal::principal;
use super::{Part, Solid, says};
use borelli_math::{Mat3, Vec3, vec3};
use std::f64::consts::PI;

/// Parts of the volume.
const HEAD: f64 = 0.12;
const TRUNK: f64 = 0.86;

/// Half-axes of a head over its radius: forward, up, across.
const HEAD_AXES: [f64; 3] = [0.92, 1.18, 0.88];

/// Gap between trunk and head, and radius of the neck, over the head's radius.
const NECK: f64 = 0.3;
const NECK_RADIUS: f64 = 0.5;

/// Exponent of a trunk.
const TRUNK_POWER: f64 = 2.6;

/// Shortest axis of a trunk over the distance from its joints to the head.
const SHORTEST: f64 = 0.2;

/// From the joints of a trunk upward.
struct Axis {
    foot: Vec3<f64>,
    up: Vec3<f64>,
    /// Distance from the foot to the mass centre and to the middle of the head, m.
    center: f64,
    head: f64,
}

/// The solids of a body with a head; `headless`: no other body of the model is a head.
pub(super) fn solids(part: &Part, headless: bool) -> Option<Vec<Solid>> {
    let volume = part.matter.volume();
    if !(volume > 0.0) {
        return None;
    }
    let radius = (HEAD * volume / (4.0 / 3.0 * PI * HEAD_AXES.iter().product::<f64>())).cbrt();
    let axis = axis(part, headless, HEAD_AXES[1] * radius)?;
    let at = |part: f64| axis.foot + axis.up.scale(part);
    let head = Ellipsoid { at: at(axis.head).to_array(), axes: upright(axis.up), half: HEAD_AXES.map(|a| a * radius), power: 2.0 };
    // Equation (1), and the highest that the trunk may reach.
    let middle = ((TRUNK + HEAD) * axis.center - HEAD * axis.head) / TRUNK;
    let top = axis.head - (HEAD_AXES[1] + NECK) * radius;
    let (trunk, shoulders) = if part.matter.planar {
        let fit = |length: f64| Cone::fit(axis.foot, at(length), TRUNK * volume, at(middle));
        let upper = |cone: &Cone| if Vec3::from_array(cone.a) == axis.foot { cone.rb } else { cone.ra };
        // The longer the cone, the thinner: its upper end rises.
        let length = bisect(SHORTEST * axis.head, axis.head, |length| length + upper(&fit(length)) - top);
        (Solid::Cone(fit(length)), at(length))
    } else {
        let (moments, axes) = principal(&part.matter.inertia);
        let whole = Ellipsoid::of_moments(at(middle), axes, moments, TRUNK_POWER, TRUNK * volume);
        let trunk = below(whole, axis.up, (top - middle).max(SHORTEST * axis.head));
        (Solid::Ellipsoid(trunk), at(middle))
    };
    let neck = Cone::rod(shoulders, at(axis.head), NECK_RADIUS * radius);
    Some(vec![trunk, Solid::Cone(neck), Solid::Ellipsoid(head)])
}

/// Whether a body is said to have a head: it is called `hat`, or has a point `head`.
pub(super) fn has_head(part: &Part) -> bool {
    says(part.name, "hat") || part.points.iter().any(|(name, _)| name == "head")
}

/// Whether a body is called a trunk.
pub(super) fn is_trunk(name: &str) -> bool {
    says(name, "trunk") || says(name, "torso")
}

/// The axis of a body with a head; `tall` is the half-height of the head.
fn axis(part: &Part, headless: bool, tall: f64) -> Option<Axis> {
    let point = part.points.iter().find(|(name, _)| name == "head").map(|(_, at)| Vec3::from_array(*at));
    let said = has_head(part) && (part.matter.planar || says(part.name, "hat"));
    if !(said || (headless && is_trunk(part.name))) {
        return None;
    }
    let joints = || part.anchors.iter().filter(|anchor| anchor.link != Link::Other);
    let own = joints().find(|anchor| anchor.link == Link::Parent);
    let foot = match own {
        Some(anchor) => anchor.at,
        None if joints().next().is_some() => joints().fold(Vec3::ZERO, |sum, anchor| sum + anchor.at).scale(1.0 / joints().count() as f64),
        None => return None,
    };
    let lever = part.matter.center - foot;
    let half = part.matter.rod_along(lever);
    if !(lever.norm() > 0.2 * half) {
        return None;
    }
    let tip = lever.norm() + half;
    let up = lever.scale(1.0 / lever.norm());
    // What stands on a trunk may be a head, and what holds a trunk at the tip of its rod leaves no room for one. A second half of the trunk is neither.
    let over = |anchor: &Anchor| {
        let limit = match anchor.link {
            Link::Parent => return false,
            Link::Child { trunk: true, .. } => return false,
            Link::Child { .. } => lever.norm(),
            Link::Other => tip - tall,
        };
        (anchor.at - foot).dot(up) > limit
    };
    if !said && part.anchors.iter().any(over) {
        return None;
    }
    // A point that lies far below the tip is where the neck is.
    match point.filter(|at| (*at - foot).dot(up) > tip - tall) {
        Some(at) => {
            let (line, center) = (at - foot, lever);
            let up = line.scale(1.0 / line.norm());
            Some(Axis { foot, up, center: center.dot(up), head: line.norm() })
        }
        None => Some(Axis { foot, up, center: lever.norm(), head: tip }),
    }
}

/// Axes with Y along a direction and X forward as far as it can be: across it and the body's own Z.
pub(super) fn upright(up: Vec3<f64>) -> Mat3<f64> {
    let across = if up.z.abs() > 0.9 { vec3(1.0, 0.0, 0.0) } else { vec3(0.0, 0.0, 1.0) };
    let x = up.cross(across);
    let x = x.scale(1.0 / x.norm());
    Mat3 { x, y: up, z: x.cross(up) }
}

/// The same volume with no more than a height above the middle.
fn below(whole: Ellipsoid, up: Vec3<f64>, height: f64) -> Ellipsoid {
    let long = (0..3).fold(0, |best, k| {
        let axis = |k: usize| [whole.axes.x, whole.axes.y, whole.axes.z][k].dot(up).abs();
        if axis(k) > axis(best) { k } else { best }
    });
    let squeeze = (height / whole.half[long]).min(1.0);
    let mut half = whole.half.map(|a| a / squeeze.sqrt());
    half[long] = whole.half[long] * squeeze;
    Ellipsoid { half, ..whole }
}
