//! Guide: a point follows functions of time.

use super::coincident::unit;
use super::{Constraint, Part, Row, Rows, check_smooth};
use crate::compile::{Context, Fault};
use crate::parts::Slot;
use crate::scene::Scene;
use crate::system::Measure;
use borelli_math::{Constant, Real, Vec3};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// World coordinates of a point follow functions of time, any of the three.
///
///     Φ_k = e_k·p − f_k(t)        Φ̇_k = e_k·v − f_k′        Φ̈_k = e_k·a − f_k″                     (1)
///
/// The multipliers are the force on the point along the world axes, N.
///
/// Source: Saraiva 2022, (3.26), for a point of a body. Limits: f must be C1; loads jump where it is not C2. Tests:
/// `rates_of_all_kinds_are_the_slopes_of_their_residuals`.
#[derive(Clone, Debug)]
pub struct GuidePoint<N> {
    place: u32,
    /// Axis and function.
    along: Vec<(usize, u32)>,
    number: PhantomData<N>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

const fn along(name: &'static str, doc: &'static str) -> Field {
    Field { name, kind: FieldKind::Function { value: "m" }, need: Need::Optional, doc }
}

impl Constraint for GuidePoint<Slot> {
    const KIND: Kind = Kind {
        name: "point",
        doc: "World coordinates of a point follow functions of time",
        fields: &[
            Field { name: "point", kind: FieldKind::Place, need: Need::Required, doc: "place that is guided" },
            along(AXES[0], "world x in time"),
            along(AXES[1], "world y in time"),
            along(AXES[2], "spatial: world z in time"),
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let place = context.place(fields, "point");
        let (mut given, mut complete, mut along) = (false, true, Vec::new());
        for (k, name) in AXES.into_iter().enumerate() {
            if !fields.has(name) {
                continue;
            }
            given = true;
            if k == 2 && context.planar() {
                context.only_spatial(fields, name);
                complete = false;
                continue;
            }
            match context.function(fields, name, "s", "m") {
                Some(function) => {
                    check_smooth(fields, name, function, context);
                    along.push((k, function));
                }
                None => complete = false,
            }
        }
        if !given {
            fields.fault("", &Fault::NothingGuided);
        }
        let place = place?;
        (given && complete).then_some(GuidePoint { place, along, number: PhantomData })
    }
}

impl<N> GuidePoint<N> {
    /// The place it guides, for pictures.
    pub fn place(&self) -> u32 {
        self.place
    }

    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, old: Option<&mut GuidePoint<M>>) -> GuidePoint<M> {
        let mut along = old.map(|old| std::mem::take(&mut old.along)).unwrap_or_default();
        along.clone_from(&self.along);
        GuidePoint { place: self.place, along, number: PhantomData }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        self.along.iter().map(|(k, _)| (AXES[*k], Measure::Length)).collect()
    }

    pub(super) fn entries(&self) -> usize {
        0
    }
}

impl<C> GuidePoint<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        let point = scene.point(self.place);
        let acceleration = scene.acceleration(&point).to_array();
        for &(k, function) in &self.along {
            let e = unit(k);
            let [f0, f1, f2] = scene.at_time(function);
            rows.push(Row {
                body: [0, point.body],
                moment: [Vec3::ZERO, point.r_W.cross(e)],
                force: [Vec3::ZERO, e],
                position: point.p_W.to_array()[k] - f0,
                velocity: point.v_W.to_array()[k] - f1,
                acceleration: acceleration[k] - f2,
            });
        }
    }
}
