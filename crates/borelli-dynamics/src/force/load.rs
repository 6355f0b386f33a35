//! Force at a point that moves over a body, with a couple, given in time: what a force plate measures.

use super::Law;
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Point, Scene};
use borelli_math::{Constant, Real, Vec3};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// A force and a couple given in time, the force at a point of the world that is given in time too: a measured ground reaction at its centre
/// of pressure.
///
/// ```text
/// Q = f(t)·∂v_P/∂v + t(t)·∂ω/∂v,     P the point of the body that is at p(t) at that instant        (1)
/// ```
///
/// | Q generalised force | f `force`, N | p `point`, m | t `moment`, N m | v_P, ω velocity of P as a point of the body, and of the body |
///
/// All vectors are in world axes. The power is that of the body's own point P, which the place of application leaves behind as it moves on:
/// f·v_P, not f·dp/dt. Where force and slope of the force are zero the point does not count, so that it may be anything there.
///
/// Source: elementary, by virtual power: for a joint whose translation depends on its angle a moment about a fixed point would be wrong. Limits:
/// on the world it moves nothing.
/// Tests: `a_load_works_by_the_velocity_of_the_body_under_it`, `a_load_at_a_point_of_the_body_is_a_force`,
/// `the_point_of_a_load_without_force_does_not_count`.
#[derive(Clone, Debug)]
pub struct Load<N> {
    body: u32,
    force: [Option<u32>; 3],
    point: [Option<u32>; 3],
    moment: [Option<u32>; 3],
    number: PhantomData<N>,
}

impl<N> Load<N> {
    /// Body it acts on.
    pub fn body(&self) -> usize {
        self.body as usize
    }
}

/// What a load does at one instant, world axes.
#[derive(Clone, Copy, Debug)]
pub struct LoadReading<S> {
    /// Body it acts on.
    pub body: usize,
    /// Force, N.
    pub force: Vec3<S>,
    /// Point of application, m.
    pub point: Vec3<S>,
    /// Couple, N m.
    pub moment: Vec3<S>,
    /// Power, W.
    pub power: S,
}

impl Law for Load<Slot> {
    const KIND: Kind = Kind {
        name: "load",
        doc: "Measured force at a point that moves over a body, with a couple",
        fields: &[
            Field { name: "body", kind: FieldKind::Body, need: Need::Required, doc: "body it acts on" },
            Field {
                name: "force",
                kind: FieldKind::Functions { value: "N", planar: 2, spatial: 3 },
                need: Need::Required,
                doc: "components along world axes, functions of time",
            },
            Field {
                name: "point",
                kind: FieldKind::Functions { value: "m", planar: 2, spatial: 3 },
                need: Need::Required,
                doc: "point of application in the world, functions of time",
            },
            Field {
                name: "moment",
                kind: FieldKind::Functions { value: "N m", planar: 1, spatial: 3 },
                need: Need::Optional,
                doc: "couple beside the force: about Z in the plane, three components along world axes in space; functions of time",
            },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let body = context.body(fields, "body");
        let about = if context.planar() { 2 } else { 0 };
        let with_moment = fields.element().value("moment").is_some();
        let mut components = |name: &str, unit: &str, first: usize| {
            let list = context.functions(fields, name, "s", unit)?;
            let mut functions = [None; 3];
            functions[first..].iter_mut().zip(list).for_each(|(place, function)| *place = Some(function));
            Some(functions)
        };
        let (force, point) = (components("force", "N", 0), components("point", "m", 0));
        let moment = if with_moment { components("moment", "N m", about) } else { Some([None; 3]) };
        Some(Load::new(body?, force?, point?, moment?))
    }
}

impl<N> Load<N> {
    /// A load by the functions of its components; those without a function are zero.
    pub(crate) fn new(body: u32, force: [Option<u32>; 3], point: [Option<u32>; 3], moment: [Option<u32>; 3]) -> Self {
        Load { body, force, point, moment, number: PhantomData }
    }

    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut Load<M>>) -> Load<M> {
        Load::new(self.body, self.force, self.point, self.moment)
    }
}

impl<C> Load<C> {
    /// What the load does in a scene.
    pub fn reading<S: Real>(&self, scene: &Scene<S, C>) -> LoadReading<S>
    where
        C: Constant<S>,
    {
        let body = self.body as usize;
        let (force, moment) = (vector(scene, &self.force), vector(scene, &self.moment));
        let mut power = moment.dot(scene.frames.w[body]);
        if let Some(P) = self.point_of_body(scene) {
            power += force.dot(P.v_W);
        }
        LoadReading { body, force, point: vector(scene, &self.point), moment, power }
    }

    /// The body it acts on, and the world.
    pub(super) fn bodies(&self, _place_body: &[u32]) -> [usize; 2] {
        [self.body as usize, 0]
    }

    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        if let Some(P) = self.point_of_body(scene) {
            loads.push(&P, vector(scene, &self.force));
        }
        loads.moment[self.body as usize] += vector(scene, &self.moment);
    }

    /// The point of the body at the place of application; nothing where the force and its slope are zero.
    fn point_of_body<S: Real>(&self, scene: &Scene<S, C>) -> Option<Point<S>>
    where
        C: Constant<S>,
    {
        let acts = |function: &u32| {
            let [force, slope, _] = scene.at_time(*function);
            force.value() != 0.0 || slope.value() != 0.0
        };
        if !self.force.iter().flatten().any(acts) {
            return None;
        }
        let (frames, body) = (scene.frames, self.body as usize);
        let p_W = vector(scene, &self.point);
        let r_W = p_W - frames.p[body];
        Some(Point { body, r_W, p_W, v_W: frames.v[body] + frames.w[body].cross(r_W) })
    }
}

/// Values of three functions of time.
fn vector<S: Real, C: Constant<S>>(scene: &Scene<S, C>, functions: &[Option<u32>; 3]) -> Vec3<S> {
    Vec3::from_array(functions.map(|function| function.map_or(S::ZERO, |f| scene.at_time(f)[0])))
}
