//! Shapes and laws of contact as kinds of model elements.
//! Not here: the shapes and laws themselves, whose registries (`borelli-contact`) are read here once.
//! In: their parameters. Out: fields with units and ranges, for reader, schema and manual.

use borelli_contact::friction::Friction;
use borelli_contact::friction::spin::Spin;
use borelli_contact::law::{self, Parameter};
use borelli_contact::normal::Normal;
use borelli_contact::pressure::Foundation;
use borelli_contact::shape;
use borelli_contact::volume::Volumetric;
use borelli_model::{Field, FieldKind, Kind, Need, Range};
use std::sync::LazyLock;

/// What a law answers for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Normal force of a point.
    Normal,
    /// Normal force of a volume.
    Volume,
    /// Normal force and friction of a volume, summed.
    Foundation,
    /// Friction.
    Friction,
    /// How a patch slides and spins.
    Spin,
}

impl Family {
    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            Family::Normal | Family::Volume | Family::Foundation => "normal force",
            Family::Friction => "friction",
            Family::Spin => "sliding and spinning of a patch",
        }
    }
}

/// The unit of a stiffness whose dimension depends on the exponent of the law.
pub(super) const BY_EXPONENT: &str = "N/m^n";

/// A range as model files know it.
pub(super) fn range(range: law::Range) -> Range {
    Range { min: range.min, max: range.max, open_min: range.open_min }
}

/// Fields for parameters. Made once and kept as long as the program runs.
fn fields(parameters: &[Parameter]) -> &'static [Field] {
    let field = |p: &Parameter| Field {
        name: p.name,
        kind: FieldKind::Quantity { unit: if p.unit == BY_EXPONENT { "*" } else { p.unit }, range: range(p.range) },
        need: p.default.map_or(Need::Required, Need::Default),
        doc: p.doc,
    };
    Vec::leak(parameters.iter().map(field).collect())
}

static SURFACES: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let kind = |kind: &shape::ShapeKind| Kind {
        name: kind.name,
        doc: kind.doc,
        fields: fields(kind.parameters),
        planar: kind.planar,
        spatial: kind.spatial,
    };
    shape::KINDS.iter().map(kind).collect()
});

static LAWS: LazyLock<Vec<(Family, Kind)>> = LazyLock::new(|| {
    let of = |family: Family, kinds: &[law::Kind]| {
        kinds
            .iter()
            .map(|kind| {
                let flat = matches!(family, Family::Normal | Family::Friction);
                (family, Kind { name: kind.name, doc: kind.doc, fields: fields(kind.parameters), planar: flat, spatial: true })
            })
            .collect::<Vec<_>>()
    };
    [
        of(Family::Normal, Normal::<f64>::KINDS),
        of(Family::Volume, &[Volumetric::<f64>::KIND]),
        of(Family::Foundation, &[Foundation::<f64>::KIND]),
        of(Family::Friction, Friction::<f64>::KINDS),
        of(Family::Spin, Spin::<f64>::KINDS),
    ]
    .concat()
});

/// All shapes.
pub fn surfaces() -> Vec<&'static Kind> {
    SURFACES.iter().collect()
}

/// All laws.
pub fn laws() -> Vec<&'static Kind> {
    LAWS.iter().map(|(_, kind)| kind).collect()
}

/// The family of a law.
pub(super) fn family(kind: &str) -> Option<Family> {
    LAWS.iter().find(|(_, own)| own.name == kind).map(|(family, _)| *family)
}
