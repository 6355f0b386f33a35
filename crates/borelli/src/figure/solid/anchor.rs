//! Places that hold a body: what its solid has to reach.
//! Not here: what is made of them (`rules`).
//! In: joints, loops, rods, named points. Out: anchors, the joint to the parent first; those that lie together count as one.

use super::Matter;
use super::head::is_trunk;
use crate::figure::{FigureHold, FigureJoint, FigurePath, distance};
use borelli_math::Vec3;

/// What an anchor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// The joint that carries the body.
    Parent,
    /// A joint that carries another body, which may be called a trunk.
    Child { body: usize, trunk: bool },
    /// A loop, the end of a rod or a named point.
    Other,
}

/// A place that holds a body, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Anchor {
    pub at: Vec3<f64>,
    pub link: Link,
}

/// Anchors nearer to each other than this part of the half-length of the body's rod count as one.
const TOGETHER: f64 = 0.25;

/// Two places are one when they are nearer than this, m: above rounding, far below what a pen can show of a body.
const SAME_PLACE: f64 = 1e-9;

/// What can hold bodies.
pub(super) struct Places<'a> {
    pub joints: &'a [FigureJoint],
    pub holds: &'a [FigureHold],
    pub rods: &'a [FigurePath],
    pub paths: &'a [FigurePath],
    /// Of all bodies, the world first.
    pub names: Vec<&'a str>,
}

impl Places<'_> {
    /// Anchors of a body. In flesh, points at which a line of pull acts are where muscles are, not where the body is.
    pub fn of(&self, body: usize, points: &[(String, [f64; 3])], matter: &Matter, flesh: bool) -> Vec<Anchor> {
        let own = &self.joints[body - 1];
        let parent = (!own.floats()).then_some((own.child.at, Link::Parent));
        let children = self.joints.iter().filter(|joint| joint.parent.body == body && !joint.floats());
        let children = children.map(|joint| {
            let body = joint.child.body;
            (joint.parent.at, Link::Child { body, trunk: is_trunk(self.names[body]) })
        });
        let loops = self.holds.iter().filter(|hold| hold.a.is_some()).flat_map(|hold| hold.a.into_iter().chain([hold.b]));
        let ends = self.rods.iter().flat_map(|rod| rod.points.iter().copied());
        let others = loops.chain(ends).filter(|spot| spot.body == body).map(|spot| spot.at);
        let pulled: Vec<[f64; 3]> =
            self.paths.iter().flat_map(|path| &path.points).filter(|spot| spot.body == body).map(|spot| spot.at).collect();
        let named = points.iter().map(|(_, at)| *at).filter(|at| !flesh || pulled.iter().all(|p| distance(*p, *at) > SAME_PLACE));
        let apart = (TOGETHER * matter.rod_half()).max(SAME_PLACE);
        let mut kept: Vec<Anchor> = Vec::new();
        for (at, link) in parent.into_iter().chain(children).chain(others.chain(named).map(|at| (at, Link::Other))) {
            if kept.iter().all(|known| distance(known.at.to_array(), at) >= apart) {
                kept.push(Anchor { at: Vec3::from_array(at), link });
            }
        }
        kept
    }
}
