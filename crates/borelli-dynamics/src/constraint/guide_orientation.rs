//! Guide: the orientation of a body follows functions of time.

use super::coincident::unit;
use super::turn::{Turning, push_turn, turn_parts};
use super::weld::turning;
use super::{Constraint, Part, Rows, check_smooth};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::Scene;
use borelli_math::{Constant, Mat3, Real, Vec3, rotation_about};
use borelli_model::{Field, FieldKind, Fields, Kind, Need, ReadFault};
use std::marker::PhantomData;

/// The axes of a place follow a prescribed orientation R_d(t); rows of `push_turn` with R_d for a and the place for b.
///
///     R_d = R(e₁, f₁) R(e₂, f₂) R(e₃, f₃)          e_k by `sequence`, each in the frame reached so far    (1)
///     ω_d = Σ s_k f_k′        α_d = Σ s_k f_k″ + ω_{k−1} × s_k f_k′        s_k = e_k in world axes        (2)
///
/// In the plane R_d turns about Z by f₁. The multipliers are the moment on the body in the axes of R_d (planar: about Z), N m.
///
/// Source: elementary. Limits: f must be C1; loads jump where it is not C2. Where angle and function differ by half a turn the residual
/// jumps. In space the rate is that of the residual only where that is zero (see `push_turn`). Tests:
/// `rates_of_all_kinds_are_the_slopes_of_their_residuals`, `a_guided_orientation_counts_whole_turns_as_none`.
#[derive(Clone, Debug)]
pub struct GuideOrientation<N> {
    place: u32,
    planar: bool,
    /// Axis and function, in order.
    turns: Vec<(usize, u32)>,
    number: PhantomData<N>,
}

impl Constraint for GuideOrientation<Slot> {
    const KIND: Kind = Kind {
        name: "orientation",
        doc: "The orientation of a body follows functions of time",
        fields: &[
            Field { name: "body", kind: FieldKind::Place, need: Need::Required, doc: "place whose axes are guided" },
            Field {
                name: "angle",
                kind: FieldKind::Function { value: "rad" },
                need: Need::Optional,
                doc: "planar: angle from world X in time",
            },
            Field {
                name: "angles",
                kind: FieldKind::Functions { value: "rad", planar: 3, spatial: 3 },
                need: Need::Optional,
                doc: "spatial: three angles in time",
            },
            Field { name: "sequence", kind: FieldKind::Text, need: Need::Optional, doc: "spatial: axes of the angles; default zxy" },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let planar = context.planar();
        let place = context.place(fields, "body");
        let before = fields.findings().counts().0;
        let turns = if planar { read_angle(fields, context) } else { read_angles(fields, context) };
        for (_, function) in turns.iter().flatten() {
            check_smooth(fields, if planar { "angle" } else { "angles" }, *function, context);
        }
        let (place, turns) = (place?, turns?);
        (fields.findings().counts().0 == before).then_some(GuideOrientation { place, planar, turns, number: PhantomData })
    }
}

/// The turn about Z of a planar model.
fn read_angle(fields: &mut Fields, context: &mut Context) -> Option<Vec<(usize, u32)>> {
    for field in ["angles", "sequence"] {
        if fields.has(field) {
            context.only_spatial(fields, field);
        }
    }
    require(fields, "angle", "angle from world X in time")?;
    Some(vec![(2, context.function(fields, "angle", "s", "rad")?)])
}

/// The three turns of a spatial model.
fn read_angles(fields: &mut Fields, context: &mut Context) -> Option<Vec<(usize, u32)>> {
    if fields.has("angle") {
        context.only_planar(fields, "angle");
    }
    let axes = context.sequence(fields);
    require(fields, "angles", "three angles in time")?;
    let functions = context.functions(fields, "angles", "s", "rad")?;
    Some(axes?.into_iter().zip(functions).collect())
}

/// Reports a field that only this dimension needs.
fn require(fields: &mut Fields, name: &str, doc: &str) -> Option<()> {
    if !fields.has(name) {
        fields.fault("", &ReadFault::MissingField { name: name.into(), doc: doc.into() });
        return None;
    }
    Some(())
}

impl<N> GuideOrientation<N> {
    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, old: Option<&mut GuideOrientation<M>>) -> GuideOrientation<M> {
        let mut turns = old.map(|old| std::mem::take(&mut old.turns)).unwrap_or_default();
        turns.clone_from(&self.turns);
        GuideOrientation { place: self.place, planar: self.planar, turns, number: PhantomData }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        turn_parts(self.planar)
    }

    pub(super) fn entries(&self) -> usize {
        0
    }
}

impl<C> GuideOrientation<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        let mut prescribed = Turning { body: 0, R: Mat3::IDENTITY, w: Vec3::ZERO, al: Vec3::ZERO };
        for &(axis, function) in &self.turns {
            let [f0, f1, f2] = scene.at_time(function);
            let e = unit(axis);
            let s = prescribed.R * e;
            let rate = s.scale(f1);
            prescribed.al += prescribed.w.cross(rate) + s.scale(f2);
            prescribed.w += rate;
            prescribed.R = prescribed.R * rotation_about(e, f0);
        }
        push_turn(self.planar, prescribed, turning(scene, self.place), rows);
    }
}
