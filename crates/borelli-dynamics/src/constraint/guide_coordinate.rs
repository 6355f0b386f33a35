//! Guide: a coordinate follows a function of time.

use super::{Constraint, Part, Rows, check_smooth};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::Scene;
use crate::system::Measure;
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// A coordinate follows a function of time.
///
///     Φ = q − f(t)        Φ̇ = v − f′        Φ̈ = v̇ − f″                                           (1)
///
/// The multiplier is the generalised force on the coordinate, N m or N.
///
/// Source: Saraiva 2022, (3.26), with ν = +f′ and γ = +f″. Limits: f must be C1; loads jump where it is not C2. Tests:
/// `rates_of_all_kinds_are_the_slopes_of_their_residuals`.
#[derive(Clone, Debug)]
pub struct GuideCoordinate<N> {
    coord: u32,
    dof: u32,
    function: u32,
    measure: Measure,
    number: PhantomData<N>,
}

impl Constraint for GuideCoordinate<Slot> {
    const KIND: Kind = Kind {
        name: "coordinate",
        doc: "A coordinate follows a function of time",
        fields: &[
            Field { name: "coordinate", kind: FieldKind::Coordinate, need: Need::Required, doc: "coordinate that is guided" },
            Field { name: "function", kind: FieldKind::Function { value: "*" }, need: Need::Required, doc: "its value in time" },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let coordinate = context.coordinate(fields, "coordinate")?;
        let unit = if coordinate.measure == Measure::Angle { "rad" } else { "m" };
        fields.function_in("function", unit)?;
        let function = context.function(fields, "function", "s", unit)?;
        check_smooth(fields, "function", function, context);
        Some(GuideCoordinate { coord: coordinate.coord, dof: coordinate.dof, function, measure: coordinate.measure, number: PhantomData })
    }
}

impl<N> GuideCoordinate<N> {
    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut GuideCoordinate<M>>) -> GuideCoordinate<M> {
        GuideCoordinate { coord: self.coord, dof: self.dof, function: self.function, measure: self.measure, number: PhantomData }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        vec![("coordinate", self.measure)]
    }

    pub(super) fn entries(&self) -> usize {
        1
    }
}

impl<C> GuideCoordinate<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        let dof = self.dof as usize;
        let [f0, f1, f2] = scene.at_time(self.function);
        let acceleration = scene.vdot.get(dof).map_or(S::ZERO, |rate| *rate) - f2;
        rows.push_on_dofs(std::iter::once((self.dof, S::ONE)), scene.q[self.coord as usize] - f0, scene.v[dof] - f1, acceleration);
    }
}
