//! Local slopes: how what acts between two bodies changes when one of them is moved or set in motion while the other stays.
//! Not here: what acts (`force`, `contact`), and how the slopes are chained along the tree (`formulation::articulated`).
//! In: kinematics of all bodies, two of them, a function that adds the loads of one element over duals. Out: a wrench and its slopes.
//!
//! An element sees two bodies only, so twelve directions say everything: six of the pose of one body and six of its twist, however many degrees of freedom the model
//! has. Moved together the two bodies carry the wrench along, which needs no slope. In the plane six directions are enough. All spatial vectors are about one common
//! point of the world.

use crate::frames::Frames;
use crate::scene::{Inside, Loads, Point, Scene};
use crate::system::{Numbers, Skeleton};
use crate::twist::{Twist, Wrench};
use borelli_math::{Dual, Mat3, Real, Vec3};

/// Directions per pass: six are all that there are in the plane, and half of those in space.
pub(crate) const N: usize = 6;

/// A number with its slopes along the directions of one pass.
pub(crate) type Slope = Dual<N>;

/// The components of a twist that count: about Z and along X, Y in the plane, all in space.
pub(crate) fn components(skeleton: &Skeleton) -> &'static [usize] {
    if skeleton.planar { &[2, 3, 4] } else { &[0, 1, 2, 3, 4, 5] }
}

/// What an element does by one direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    /// Wrench on the body that is moved.
    pub(crate) wrench: Wrench,
    /// Power that is lost.
    pub(crate) lost: f64,
}

impl Change {
    pub(crate) const ZERO: Self = Change { wrench: Wrench::ZERO, lost: 0.0 };

    #[inline(always)]
    fn add_scaled(&mut self, o: &Change, s: f64) {
        self.wrench = self.wrench.add(o.wrench.scale(s));
        self.lost += o.lost * s;
    }
}

/// What acts between two bodies, and its slopes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    /// The body that is moved.
    pub(crate) moved: usize,
    /// The body that stays; the opposite acts on it.
    pub(crate) other: usize,
    /// On the moved body.
    pub(crate) wrench: Wrench,
    /// By the moved body's pose at fixed twists, by component of a twist.
    pub(crate) by_pose: [Change; 6],
    /// By its twist.
    pub(crate) by_twist: [Change; 6],
    /// By time.
    pub(crate) by_time: Change,
}

impl Between {
    fn new([moved, other]: [usize; 2]) -> Self {
        let none = [Change::ZERO; 6];
        Between { moved, other, wrench: Wrench::ZERO, by_pose: none, by_twist: none, by_time: Change::ZERO }
    }

    /// The change when the moved body is displaced by one twist and sped up by another.
    #[inline(always)]
    pub(crate) fn change(&self, components: &[usize], displaced: Twist, faster: Twist) -> Change {
        let (displaced, faster) = (displaced.to_array(), faster.to_array());
        let mut sum = Change::ZERO;
        for &k in components {
            sum.add_scaled(&self.by_pose[k], displaced[k]);
            sum.add_scaled(&self.by_twist[k], faster[k]);
        }
        sum
    }

    /// The change when the moved body is only sped up.
    #[inline(always)]
    pub(crate) fn change_by_twist(&self, components: &[usize], faster: Twist) -> Change {
        let faster = faster.to_array();
        let mut sum = Change::ZERO;
        components.iter().for_each(|&k| sum.add_scaled(&self.by_twist[k], faster[k]));
        sum
    }
}

/// What one pass differentiates by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Pose(usize),
    Twist(usize),
    Time,
}

/// What an element sees apart from time: whether its force depends on velocities, or on time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sees {
    /// Poses and velocities.
    Motion,
    /// Poses and time.
    PoseAndTime,
}

/// Takes the elements that act on bodies, one after the other.
pub(crate) trait BodySlopes {
    /// An element between two bodies, by a function that adds its loads.
    fn element(&mut self, bodies: [usize; 2], apply: impl FnMut(&Scene<Slope, f64>, &mut Loads<Slope>));
}

/// Kinematics at which slopes are taken.
#[derive(Clone, Copy)]
pub(crate) struct Stand<'a> {
    pub(crate) skeleton: &'a Skeleton,
    pub(crate) numbers: &'a Numbers<f64>,
    pub(crate) frames: &'a Frames<f64>,
    pub(crate) t: f64,
    /// The common point, m.
    pub(crate) origin: Vec3<f64>,
}

/// Memory of local passes.
#[derive(Clone, Debug)]
pub(crate) struct LocalWork {
    frames: Frames<Slope>,
    pub(crate) loads: Loads<Slope>,
}

impl LocalWork {
    pub(crate) fn new(skeleton: &Skeleton, numbers: &Numbers<f64>) -> Self {
        LocalWork { frames: Frames::new(skeleton), loads: Loads::new(skeleton, numbers) }
    }

    /// Slopes of what an element does. `act` evaluates it in a scene and gives the wrench on the moved body (force, moment about its origin, power lost).
    pub(crate) fn slopes(
        &mut self,
        stand: &Stand,
        bodies: [usize; 2],
        sees: Sees,
        mut act: impl FnMut(&Scene<Slope, f64>, &mut Loads<Slope>) -> Acting,
    ) -> Between {
        let mut out = Between::new(bodies);
        let components = components(stand.skeleton);
        let second = |k: usize| if sees == Sees::Motion { Direction::Twist(k) } else { Direction::Time };
        let seconds = if sees == Sees::Motion { components.len() } else { 1 };
        let count = components.len() + seconds;
        let direction = |k: usize| match components.get(k) {
            Some(component) => Direction::Pose(*component),
            None => second(components.get(k - components.len()).copied().unwrap_or(0)),
        };
        self.stand_still(stand, bodies[1]);
        for first in (0..count).step_by(N) {
            self.stand_still(stand, bodies[0]);
            let mut t = Slope::from_f64(stand.t);
            let here = N.min(count - first);
            for k in 0..here {
                match direction(first + k) {
                    Direction::Time => t.eps[k] = 1.0,
                    direction => self.seed(stand, bodies[0], direction, k),
                }
            }
            let Stand { skeleton, numbers, origin, .. } = *stand;
            let scene = Scene { skeleton, numbers, frames: &self.frames, q: &[], v: &[], vdot: &[], t, inside: Inside::NONE };
            let Acting { force, moment, lost } = act(&scene, &mut self.loads);
            let arm = self.frames.p[bodies[0]] - Vec3::lift(origin);
            let n = moment + arm.cross(force);
            out.wrench = Wrench { n: n.values(), f: force.values() };
            for k in 0..here {
                let change = Change { wrench: Wrench { n: along(n, k), f: along(force, k) }, lost: lost.eps[k] };
                match direction(first + k) {
                    Direction::Pose(component) => out.by_pose[component] = change,
                    Direction::Twist(component) => out.by_twist[component] = change,
                    Direction::Time => out.by_time = change,
                }
            }
        }
        out
    }

    /// A body as it is, without slopes.
    fn stand_still(&mut self, stand: &Stand, body: usize) {
        let (frames, base) = (&mut self.frames, stand.frames);
        frames.R[body] = Mat3::lift(&base.R[body]);
        frames.p[body] = Vec3::lift(base.p[body]);
        frames.v[body] = Vec3::lift(base.v[body]);
        frames.w[body] = Vec3::lift(base.w[body]);
        // The axis of a hinge is fixed in both of its bodies, so that no motion between them turns it. Laws on bodies look at no other axes.
        for dof in stand.skeleton.dofs_of(body) {
            frames.s_ang[dof] = Vec3::lift(base.s_ang[dof]);
        }
    }

    /// Makes direction `k` differentiate by a component of the pose, at fixed twist about the common point, or of the twist.
    fn seed(&mut self, stand: &Stand, body: usize, direction: Direction, k: usize) {
        let (frames, base) = (&mut self.frames, stand.frames);
        let arm = base.p[body] - stand.origin;
        let unit = |component: usize| {
            let mut e = [0.0; 3];
            e[component % 3] = 1.0;
            Vec3::from_array(e)
        };
        match direction {
            Direction::Pose(component) => {
                let e = unit(component);
                let shift = if component < 3 { e.cross(arm) } else { e };
                if component < 3 {
                    let R = &base.R[body];
                    set(&mut frames.R[body].x, k, e.cross(R.x));
                    set(&mut frames.R[body].y, k, e.cross(R.y));
                    set(&mut frames.R[body].z, k, e.cross(R.z));
                }
                set(&mut frames.p[body], k, shift);
                set(&mut frames.v[body], k, base.w[body].cross(shift));
            }
            Direction::Twist(component) => {
                let e = unit(component);
                if component < 3 {
                    set(&mut frames.w[body], k, e);
                }
                set(&mut frames.v[body], k, if component < 3 { e.cross(arm) } else { e });
            }
            Direction::Time => {}
        }
    }
}

/// What an element does to the moved body over duals.
pub(crate) struct Acting {
    pub(crate) force: Vec3<Slope>,
    /// About the body's kernel origin.
    pub(crate) moment: Vec3<Slope>,
    pub(crate) lost: Slope,
}

impl Acting {
    /// A force at a point of space, with a couple.
    pub(crate) fn at(point: Vec3<Slope>, origin: Vec3<Slope>, force: Vec3<Slope>, couple: Vec3<Slope>, lost: Slope) -> Self {
        Acting { force, moment: (point - origin).cross(force) + couple, lost }
    }

    /// What loads there are on a body, taken away from it and from the other one.
    pub(crate) fn take(loads: &mut Loads<Slope>, [moved, other]: [usize; 2]) -> Self {
        let (force, moment) = (loads.force[moved], loads.moment[moved]);
        for body in [moved, other] {
            (loads.force[body], loads.moment[body]) = (Vec3::ZERO, Vec3::ZERO);
        }
        Acting { force, moment, lost: Slope::ZERO }
    }
}

#[inline(always)]
fn along(v: Vec3<Slope>, k: usize) -> Vec3<f64> {
    Vec3 { x: v.x.eps[k], y: v.y.eps[k], z: v.z.eps[k] }
}

#[inline(always)]
fn set(v: &mut Vec3<Slope>, k: usize, slope: Vec3<f64>) {
    (v.x.eps[k], v.y.eps[k], v.z.eps[k]) = (slope.x, slope.y, slope.z);
}

/// Slopes of a unit tension along a straight segment, on the body of its first end, when that end moves: exact.
///
/// ```text
/// δa = δu + δθ × (a − o)        δe = −(δa − e e·δa)/l        δf = δe        δn = δa × e + (a − o) × δe        (1)
/// ```
///
/// | a first end | o common point | e unit vector to the second end | l length | δθ, δu displacement, by its parts |
#[inline(always)]
pub(crate) fn segment_change(a: &Point<f64>, origin: Vec3<f64>, e: Vec3<f64>, length: f64, displaced: Twist) -> Wrench {
    let arm = a.p_W - origin;
    let da = displaced.u + displaced.w.cross(arm);
    let de = (e.scale(e.dot(da)) - da).scale(1.0 / length);
    Wrench { n: da.cross(e) + arm.cross(de), f: de }
}
