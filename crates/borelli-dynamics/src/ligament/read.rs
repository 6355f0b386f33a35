//! The ways to write a ligament in model files.
//! Not here: the law.
//! In: fields of one ligament. Out: the ligament; faults go to the fields' findings.

use super::{Damping, Ligament, OUTPUTS, Stiffness};
use crate::compile::{Context, Fault};
use crate::force::Law;
use crate::parts::Slot;
use crate::system::Measure;
use borelli_model::{Field, FieldKind, Fields, Kind, Need, Range};

/// What is known of a ligament at the start of the model, in place of its slack length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference<N> {
    /// Strain.
    Strain(N),
    /// Force, N.
    Force(N),
}

impl<N: Copy> Reference<N> {
    /// The number.
    pub(crate) fn number(&self) -> N {
        let (Reference::Strain(number) | Reference::Force(number)) = self;
        *number
    }
}

/// Strains of a path that is there.
const ABOVE_MINUS_ONE: Range = Range { min: -1.0, max: f64::INFINITY, open_min: true };

const fn quantity(name: &'static str, unit: &'static str, range: Range, need: Need, doc: &'static str) -> Field {
    Field { name, kind: FieldKind::Quantity { unit, range }, need, doc }
}

/// Fields of a ligament.
static FIELDS: &[Field] = &[
    Field { name: "path", kind: FieldKind::Path, need: Need::Required, doc: "path it pulls along" },
    quantity("stiffness", "N", Range::POSITIVE, Need::Optional, "force per strain beyond the toe"),
    quantity("stiffness_length", "N/m", Range::POSITIVE, Need::Optional, "the same per length: `stiffness` over the slack length"),
    quantity("toe", "N/m^2", Range::POSITIVE, Need::Optional, "the same as force per square of the stretch in the toe, with `linear`"),
    quantity(
        "linear",
        "N/m",
        Range::POSITIVE,
        Need::Optional,
        "force per stretch beyond the toe, with `toe`; the slack length follows from both",
    ),
    quantity("slack_length", "m", Range::POSITIVE, Need::Optional, "length from which it pulls"),
    quantity(
        "reference_strain",
        "1",
        ABOVE_MINUS_ONE,
        Need::Optional,
        "in its place: strain at the start of the model; negative: slack there",
    ),
    quantity("reference_force", "N", Range::NON_NEGATIVE, Need::Optional, "in its place: force at the start of the model"),
    quantity("transition", "1", Range::POSITIVE, Need::Default(0.06), "strain at which the toe ends"),
    Field {
        name: "damping",
        kind: FieldKind::QuantityOf { angle: "N s", length: "N s/m", range: Range::NON_NEGATIVE },
        need: Need::Default(0.0),
        doc: "N s/m for the kind ramp, N s (per rate of strain) for lengthening",
    },
    Field {
        name: "kind",
        kind: FieldKind::Choice(&["ramp", "lengthening", "none"]),
        need: Need::Optional,
        doc: "damping: both ways, set in over the toe; only against lengthening; none. ramp unless given",
    },
];

impl Law for Ligament<Slot> {
    const SECTION: &'static str = "ligament";
    const COMMON: &'static [Field] = FIELDS;
    const ABOUT: &'static str = super::ABOUT;
    const KIND: Kind =
        Kind { name: "ligament", doc: "Ligament: slack, then a parabola, then a line; damped", fields: &[], planar: true, spatial: true };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let path = context.path(fields, "path");
        let transition = context.quantity(fields, "transition", "1");
        context.doubt_strain(fields, "transition", transition);
        let kind = match fields.choice("kind") {
            Some("lengthening") => Damping::Lengthening,
            Some("none") => Damping::None,
            _ => Damping::Ramp,
        };
        if kind == Damping::None && fields.has("damping") {
            fields.fault("damping", &Fault::DampingOfNoKind);
        }
        let measure = if kind == Damping::Lengthening { Measure::Angle } else { Measure::Length };
        let damping = context.quantity_of(fields, "damping", measure, ["N s", "N s/m"]);
        let stiffness = stiffness(fields, context);
        let (slack_length, reference) = slack(fields, context)?;
        let outputs = OUTPUTS.map(|(name, unit)| context.output(fields, name, unit))[0];
        let (k, slack) = (Slot::Const(0.0), slack_length);
        let own = context.own_since(context.inside());
        let (path, stiffness, transition, damping) = (path?, stiffness?, transition?, damping?);
        Some(Ligament { path, stiffness, slack_length, transition, damping, kind, reference, outputs, own, k, slack })
    }
}

/// Reports two fields of which one is meant.
fn both(fields: &mut Fields, one: &'static str, other: &'static str) -> bool {
    let found = fields.has(one) && fields.has(other);
    if found {
        fields.fault(other, &Fault::BothGiven { one, other });
    }
    found
}

fn stiffness(fields: &mut Fields, context: &mut Context) -> Option<Stiffness<Slot>> {
    let pairs = [("stiffness", "stiffness_length"), ("stiffness", "toe"), ("stiffness_length", "toe")];
    if pairs.into_iter().any(|(one, other)| both(fields, one, other)) {
        return None;
    }
    if fields.has("stiffness") {
        return context.quantity(fields, "stiffness", "N").map(Stiffness::Strain);
    }
    if fields.has("stiffness_length") {
        return context.quantity(fields, "stiffness_length", "N/m").map(Stiffness::Length);
    }
    if fields.has("toe") && fields.has("linear") {
        let (toe, linear) = (context.quantity(fields, "toe", "N/m^2"), context.quantity(fields, "linear", "N/m"));
        return Some(Stiffness::ToeLinear(toe?, linear?));
    }
    match ["toe", "linear"].map(|name| fields.has(name)) {
        [true, _] => fields.fault("toe", &Fault::GivenAlone { one: "toe", other: "linear" }),
        [_, true] => fields.fault("linear", &Fault::GivenAlone { one: "linear", other: "toe" }),
        _ => fields.fault("stiffness", &Fault::NeitherGiven { one: "stiffness", other: "toe" }),
    }
    None
}

/// The slack length as a parameter, with what it is to be found from.
fn slack(fields: &mut Fields, context: &mut Context) -> Option<(Slot, Option<Reference<Slot>>)> {
    let ways = ["slack_length", "reference_strain", "reference_force", "toe"];
    for (k, one) in ways.into_iter().enumerate() {
        for other in &ways[k + 1..] {
            if both(fields, one, other) {
                return None;
            }
        }
    }
    // From both the slack length follows; where one is missing, that is told.
    if fields.has("toe") || fields.has("linear") && !fields.has("stiffness") && !fields.has("stiffness_length") {
        return Some((Slot::Const(0.0), None));
    }
    if fields.has("slack_length") {
        return Some((context.quantity(fields, "slack_length", "m")?, None));
    }
    let reference = if fields.has("reference_strain") {
        let strain = context.quantity(fields, "reference_strain", "1");
        context.doubt_strain(fields, "reference_strain", strain);
        Reference::Strain(strain?)
    } else if fields.has("reference_force") {
        Reference::Force(context.quantity(fields, "reference_force", "N")?)
    } else {
        fields.fault("slack_length", &Fault::NeitherGiven { one: "slack_length", other: "reference_strain" });
        return None;
    };
    // Found where the start is known; until then any length will do.
    let path = format!("{}.slack_length", fields.element().path());
    Some((context.parameter_in(path, 1.0, "m", Range::POSITIVE), Some(reference)))
}
