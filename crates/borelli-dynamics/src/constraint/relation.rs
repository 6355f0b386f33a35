//! Loop: a linear relation between coordinates.

use super::{Constraint, Part, Rows};
use crate::compile::{Context, Fault};
use crate::parts::Slot;
use crate::scene::Scene;
use crate::system::Measure;
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need, Range, number_of};

/// A sum of coordinates is constant: coupled joints, gears, a locked angle between segments.
///
///     Φ = Σ c_j q_j − o        Φ̇ = Σ c_j v_j        Φ̈ = Σ c_j v̇_j                                (1)
///
/// | c_j `coefficients.COORDINATE` | o `offset` |
///
/// Between coordinates of one kind the coefficients are pure numbers and the offset is an angle (rad) or a length (m). Where both
/// kinds occur the sum is a length: coefficients of angles are in m/rad.
/// The multiplier λ acts on coordinate j with the generalised force c_j λ. Each c_j is the parameter `loop.NAME.coefficients.COORDINATE`.
///
/// Source: Saraiva 2022, (5.27), for two angles. Tests: `rates_of_all_kinds_are_the_slopes_of_their_residuals`.
#[derive(Clone, Debug)]
pub struct Relation<N> {
    terms: Vec<(u32, u32, N)>,
    offset: N,
    measure: Measure,
}

impl Constraint for Relation<Slot> {
    const KIND: Kind = Kind {
        name: "relation",
        doc: "A sum of coefficients times coordinates equals the offset",
        fields: &[
            Field { name: "coefficients", kind: FieldKind::Coefficients, need: Need::Required, doc: "coefficient of each coordinate" },
            number_of("offset", ["rad", "m"], Range::ANY, Need::Default(0.0), "what the sum equals"),
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let listed = fields.coefficients("coefficients")?;
        let mut found = Vec::new();
        for (name, at, quantity) in &listed {
            match context.coordinate_named(name) {
                Ok(coordinate) => found.push((name, coordinate, quantity)),
                Err(fault) => {
                    let element = fields.element();
                    fields.findings().push(*at, element, "coefficients", &fault);
                }
            }
        }
        if found.len() < listed.len() {
            return None;
        }
        let lengths = found.iter().filter(|(_, c, _)| c.measure == Measure::Length).count();
        let mixed = lengths > 0 && lengths < found.len();
        let mut terms = Vec::with_capacity(found.len());
        let mut complete = true;
        for (name, coordinate, quantity) in &found {
            let unit = if mixed && coordinate.measure == Measure::Angle { "m/rad" } else { "1" };
            match fields.check("coefficients", quantity, unit, Range::ANY) {
                Some(0.0) => {}
                Some(value) => {
                    let slot = context.parameter(format!("{}.coefficients.{name}", fields.element().path()), value, unit);
                    terms.push((coordinate.coord, coordinate.dof, slot));
                }
                None => complete = false,
            }
        }
        let measure = if lengths == 0 { Measure::Angle } else { Measure::Length };
        let offset = context.quantity_of(fields, "offset", measure, ["rad", "m"])?;
        if complete && terms.is_empty() {
            fields.fault("coefficients", &Fault::EmptyRelation);
        }
        (complete && !terms.is_empty()).then_some(Relation { terms, offset, measure })
    }
}

impl<N> Relation<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M, old: Option<&mut Relation<M>>) -> Relation<M> {
        let mut terms = old.map(|old| std::mem::take(&mut old.terms)).unwrap_or_default();
        terms.clear();
        terms.extend(self.terms.iter().map(|(coord, dof, c)| (*coord, *dof, number(c))));
        Relation { terms, offset: number(&self.offset), measure: self.measure }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        vec![("sum", self.measure)]
    }

    pub(super) fn entries(&self) -> usize {
        self.terms.len()
    }
}

impl<C> Relation<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        let (mut position, mut velocity, mut acceleration) = (-self.offset.lift(), S::ZERO, S::ZERO);
        for (coord, dof, c) in &self.terms {
            let dof = *dof as usize;
            position += c.times(scene.q[*coord as usize]);
            velocity += c.times(scene.v[dof]);
            if let Some(rate) = scene.vdot.get(dof) {
                acceleration += c.times(*rate);
            }
        }
        rows.push_on_dofs(self.terms.iter().map(|(_, dof, c)| (*dof, c.lift())), position, velocity, acceleration);
    }
}
