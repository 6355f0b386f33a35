//! Force of the user's own: a formula over what forces see, on a coordinate, along a path or at a place of a body.

use super::at_point::AXES;
use super::path::PATH;
use super::{Law, Lines};
use crate::compile::{Context, Fault, FormulaOf as Of, named_numbers};
use crate::formula::{Seen, component};
use crate::parts::Slot;
use crate::scene::{Inner, Loads, Scene};
use crate::system::Measure;
use borelli_math::{Constant, Mat3, Real, Vec3};
use borelli_model::{Dim, Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// A force that follows a formula: a spring, a controller, a drag of one's own.
///
/// ```text
/// τ = f        on a coordinate           N = f     along a path            F = (f_x, f_y, f_z)   at a place          (1)
/// ```
///
/// | τ generalised force `effort`, N m or N | N tension `tension`, N | F force `force`, N, in world axes or those of the body | f formulas |
///
/// Formulas see time, coordinates, speeds, lengths of paths and their rates, states and controls of other elements, integrals, the element's own
/// `numbers`, and at a place its position x, y, z and velocity vx, vy, vz in world axes. Slopes by all of them are exact.
///
/// Source: elementary. Limits: what a force depends on must not depend on forces, so that no formula of a force sees a tension; it has no energy of its own,
/// so that all that it does counts as work of force elements. Formulas neither see nor pull at paths over nodes of soft parts.
/// Tests: `a_formula_does_what_the_law_does_that_it_says`, and those of all laws.
#[derive(Clone, Debug)]
pub struct FormulaForce<N> {
    on: On,
    /// By component; a scalar is the first.
    formulas: [Option<u32>; 3],
    /// First output.
    output: u32,
    number: PhantomData<N>,
}

/// What a formula acts on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum On {
    Path(u32),
    Dof(u32),
    Place { place: u32, body_axes: bool },
}

const fn formula(name: &'static str, doc: &'static str) -> Field {
    Field { name, kind: FieldKind::Text, need: Need::Optional, doc }
}

impl Law for FormulaForce<Slot> {
    const KIND: Kind = Kind {
        name: "formula",
        doc: "Force by a formula, on a coordinate, along a path or at a place",
        fields: &[
            Field { name: "coordinate", kind: FieldKind::Coordinate, need: Need::Optional, doc: "coordinate that `effort` acts on" },
            formula("effort", "formula for the moment on an angle or the force on a displacement"),
            Field { need: Need::Optional, doc: "path that `tension` pulls along", ..PATH },
            formula("tension", "formula for the tension"),
            Field { name: "at", kind: FieldKind::Place, need: Need::Optional, doc: "place that `force` acts at" },
            Field { name: "force", kind: FieldKind::Texts, need: Need::Optional, doc: "a formula for each component" },
            AXES,
            Field { name: "numbers", kind: FieldKind::Coefficients, need: Need::Optional, doc: "numbers that formulas call by name" },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        const WAYS: [(&str, &str); 3] = [("coordinate", "effort"), ("path", "tension"), ("at", "force")];
        let element = fields.element();
        let has = |name: &str| element.get(name).is_some();
        let mut begun = WAYS.into_iter().filter(|(on, what)| has(on) || has(what));
        let unclear = match (begun.next(), begun.next()) {
            (None, _) => Some(Fault::NeitherGiven { one: "coordinate", other: "path` or `at" }),
            (Some((one, _)), Some((other, _))) => Some(Fault::BothGiven { one, other }),
            (Some((on, what)), None) if !has(what) => Some(Fault::GivenAlone { one: on, other: what }),
            (Some((on, what)), None) if !has(on) => Some(Fault::GivenAlone { one: what, other: on }),
            (Some(("at", _)), None) => None,
            _ => has("axes").then_some(Fault::GivenAlone { one: "axes", other: "at" }),
        };
        if let Some(fault) = unclear {
            fields.fault("", &fault);
            return None;
        }
        let numbers = named_numbers(fields, context);
        let text = |fields: &Fields, what: &str| fields.text(what).map(|(text, at)| (text.to_string(), at));
        let mut formulas = [None; 3];
        let (on, outputs) = if has("coordinate") {
            let on = context.coordinate_or_speed(fields, "coordinate")?;
            let unit = if on.measure == Measure::Angle { "N m" } else { "N" };
            formulas[0] = Some(context.formula(fields, "effort", text(fields, "effort")?, Dim::of(unit), Of::Force, &numbers?));
            (On::Dof(on.dof), vec![("effort", unit)])
        } else if has("path") {
            let path = context.path(fields, "path")?;
            if let Some(fault) = context.runs_over_nodes(path) {
                fields.fault("path", &fault);
                return None;
            }
            formulas[0] = Some(context.formula(fields, "tension", text(fields, "tension")?, Dim::of("N"), Of::Force, &numbers?));
            (On::Path(path), vec![("tension", "N")])
        } else {
            let (at, texts, mut known) = (context.place(fields, "at"), fields.texts("force"), numbers?);
            let (place, texts) = (at?, texts?);
            let names = [["x", "vx"], ["y", "vy"], ["z", "vz"]];
            let names = &names[..if context.planar() { 2 } else { 3 }];
            if texts.len() != names.len() {
                fields.fault("force", &Fault::WrongCount { what: "formulas", expected: names.len(), found: texts.len() });
                return None;
            }
            for (axis, [position, velocity]) in (0..).zip(names) {
                known.push((position.to_string(), Seen::Position { place, axis }, Some(Dim::of("m"))));
                known.push((velocity.to_string(), Seen::Velocity { place, axis }, Some(Dim::of("m/s"))));
            }
            for (formula, text) in formulas.iter_mut().zip(texts) {
                *formula = Some(context.formula(fields, "force", text, Dim::of("N"), Of::Force, &known));
            }
            (On::Place { place, body_axes: fields.choice("axes") == Some("body") }, names.iter().map(|[axis, _]| (*axis, "N")).collect())
        };
        let first: Vec<u32> = outputs.into_iter().map(|(name, unit)| context.output(fields, name, unit)).collect();
        Some(FormulaForce { on, formulas, output: first[0], number: PhantomData })
    }
}

impl<N> FormulaForce<N> {
    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut FormulaForce<M>>) -> FormulaForce<M> {
        FormulaForce { on: self.on, formulas: self.formulas, output: self.output, number: PhantomData }
    }

    /// What it acts on.
    pub(crate) fn on(&self) -> On {
        self.on
    }

    /// The path that it pulls along, if it does.
    pub(super) fn path(&self) -> Option<u32> {
        if let On::Path(path) = self.on { Some(path) } else { None }
    }

    /// Its formulas with the components that they are.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = (u8, u32)> + use<N> {
        (0..).zip(self.formulas).filter_map(|(axis, formula)| Some((axis, formula?)))
    }
}

impl<C> FormulaForce<C> {
    /// Values of its formulas, along world axes where they are a vector; they become outputs.
    fn values<S: Real>(&self, scene: &Scene<S, C>, lines: &Lines<S>, inner: &mut Inner<S>) -> Vec3<S>
    where
        C: Constant<S>,
    {
        let mut values = [S::ZERO; 3];
        for (axis, formula) in self.formulas() {
            values[usize::from(axis)] = scene.numbers.formulas.value(formula, scene, lines);
        }
        let along = self.axes(scene) * Vec3::from_array(values);
        for (axis, _) in self.formulas() {
            inner.output[self.output as usize + usize::from(axis)] = component(along, axis);
        }
        along
    }

    /// Pulls along its path, where it has one: before paths pull at bodies.
    #[inline]
    pub(super) fn pull<S: Real>(&self, scene: &Scene<S, C>, lines: &mut Lines<S>, inner: &mut Inner<S>)
    where
        C: Constant<S>,
    {
        if let On::Path(path) = self.on {
            let tension = self.values(scene, lines, inner).x;
            lines.pulled[path as usize] += tension + lines.length[path as usize] * 0.0;
        }
    }

    /// Acts on its coordinate or at its place.
    #[inline]
    pub(super) fn push<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        match self.on {
            On::Path(_) => {}
            On::Dof(dof) => {
                let effort = self.values(scene, &loads.lines, &mut loads.inner).x;
                loads.tau[dof as usize] += effort;
            }
            On::Place { place, .. } => {
                let point = scene.point(place);
                let f = self.values(scene, &loads.lines, &mut loads.inner);
                loads.push(&point, f);
            }
        }
    }

    /// The axes of its components, world axes.
    pub(crate) fn axes<S: Real>(&self, scene: &Scene<S, C>) -> Mat3<S>
    where
        C: Constant<S>,
    {
        match self.on {
            On::Place { place, body_axes: true } => {
                let body = scene.numbers.place_body[place as usize] as usize;
                scene.frames.R[body].mul_const_mat(&scene.numbers.tree.R_KB[body])
            }
            _ => Mat3::IDENTITY,
        }
    }
}
