//! Tension along a path such that it makes a given moment about a hinge.

use super::Law;
use super::path::{PATH, Stop, segment};
use crate::compile::{Context, Fault};
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real, Vec3};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// Below this moment arm, m, a line of action is taken to pass through the hinge.
const NO_ARM: f64 = 1e-9;

/// A muscle between the two bodies of a hinge that makes a moment given in time: its tension follows from its moment arm.
///
/// ```text
/// N = m(t) / D        D = s · (h × u)                                                        (1)
/// ```
///
/// | N tension, N | m `moment`, function of time: on the body of the last point, about the hinge, N m | D moment arm, m |
/// | --- | --- | --- |
/// | s unit axis of the hinge, world axes | h from the hinge to the last point, m | u unit vector from the last point to the first |
///
/// The body of the last point gets the moment m along s, that of the first −m, whichever of them is the hinge's child. What is left of
/// the moment N h × u, at right angles to s, and the force N u go through the hinge.
///
/// Source: elementary statics; in the plane the law of the planar muscle element with D = h₂ t₁ − h₁ t₂. Departure: in space the moment
/// arm is projected on the axis.
///
/// Limits: where |D| < 1e-9 m, or the path has no length, no tension makes the moment. Tension and generalised force of the hinge are then
/// not finite, also for m = 0, and whoever computes with them reports the hinge. The tension is as large as m/D asks for, and negative
/// where the muscle would have to push.
/// Tests: `a_moment_actuator_equals_two_couples`, `a_moment_actuator_through_its_hinge_is_not_finite`.
#[derive(Clone, Debug)]
pub struct MomentActuator<N> {
    pub(super) path: u32,
    first: u32,
    last: u32,
    /// Child of the hinge.
    child: u32,
    moment: u32,
    number: PhantomData<N>,
}

impl Law for MomentActuator<Slot> {
    const KIND: Kind = Kind {
        name: "moment-actuator",
        doc: "Tension along a path of two points that makes a moment, given in time, about a hinge on the body of the last point",
        fields: &[
            PATH,
            Field { name: "moment", kind: FieldKind::Function { value: "N m" }, need: Need::Required, doc: "moment, function of time" },
            Field { name: "joint", kind: FieldKind::Joint, need: Need::Required, doc: "hinge between the bodies of the two points" },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let (path, moment) = (context.path(fields, "path"), context.function(fields, "moment", "s", "N m"));
        let child = context.joint(fields, "joint");
        let joint = fields.name("joint").map(|(name, _)| name);
        let hinge = match (child, &joint) {
            (Some(child), Some(joint)) if context.joint_kind(child) != "hinge" => {
                fields.fault("joint", &Fault::NotAHinge { joint: joint.clone() });
                None
            }
            _ => child,
        };
        let path = path?;
        let &[Stop::Place(first), Stop::Place(last)] = context.path_stops(path) else {
            let found = context.path_stops(path).len();
            fields.fault("path", &Fault::NotTwoPoints { found });
            return None;
        };
        let (child, joint) = (hinge?, joint?);
        let between = [context.parent_of(child), child];
        let bodies = [context.body_of(first), context.body_of(last)];
        if bodies != between && bodies != [between[1], between[0]] {
            fields.fault("joint", &Fault::HingeNotBetween { joint });
            return None;
        }
        Some(MomentActuator { path, first, last, child, moment: moment?, number: PhantomData })
    }
}

impl<N> MomentActuator<N> {
    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut MomentActuator<M>>) -> MomentActuator<M> {
        let MomentActuator { path, first, last, child, moment, .. } = *self;
        MomentActuator { path, first, last, child, moment, number: PhantomData }
    }
}

impl<C> MomentActuator<C> {
    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let hinge = self.child as usize;
        let dof = scene.skeleton.dof_start[hinge] as usize;
        let (first, last) = (scene.point(self.first), scene.point(self.last));
        let u = segment(&last, &first).map_or(Vec3::ZERO, |(_, u)| u);
        let h = last.p_W - scene.frames.p[hinge];
        let arm = scene.frames.s_ang[dof].dot(h.cross(u));
        let moment = scene.at_time(self.moment)[0];
        let through = arm.value().abs() < NO_ARM;
        let tension = if through { moment * S::from_f64(f64::INFINITY) } else { moment / arm };
        if through {
            loads.tau[dof] += tension;
        }
        loads.lines.tension[self.path as usize] += tension;
        let f = u.scale(tension);
        loads.push(&last, f);
        loads.push(&first, -f);
    }

    /// The bodies of the path's first and last point.
    pub(super) fn bodies(&self, place_body: &[u32]) -> [usize; 2] {
        [self.first, self.last].map(|place| place_body[place as usize] as usize)
    }
}
