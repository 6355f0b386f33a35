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
const fn range(range: law::Range) -> Range {
    Range { min: range.min, max: range.max, open_min: range.open_min }
}

/// Most parameters of a law or a shape.
const MOST: usize = 8;
type Row = [Field; MOST];
const NO_FIELD: Field = Field { name: "", kind: FieldKind::Flag, need: Need::Optional, doc: "" };
const NO_KIND: Kind = Kind { name: "", doc: "", fields: &[], planar: false, spatial: false };

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

/// Fields for parameters, the rest of the row empty. All tables here are made when the program is compiled.
const fn row(parameters: &[Parameter]) -> Row {
    let mut row = [NO_FIELD; MOST];
    let mut k = 0;
    while k < parameters.len() {
        let Parameter { name, unit, default, doc, .. } = parameters[k];
        let need = match default {
            Some(value) => Need::Default(value),
            None => Need::Required,
        };
        let unit = if same(unit, BY_EXPONENT) { "*" } else { unit };
        row[k] = Field { name, kind: FieldKind::Quantity { unit, range: range(parameters[k].range) }, need, doc };
        k += 1;
    }
    row
}

const SHAPES: usize = shape::KINDS.len();

static SHAPE_FIELDS: [Row; SHAPES] = {
    let mut rows = [[NO_FIELD; MOST]; SHAPES];
    let mut k = 0;
    while k < SHAPES {
        rows[k] = row(shape::KINDS[k].parameters);
        k += 1;
    }
    rows
};

static SURFACES: [Kind; SHAPES] = {
    let mut list = [NO_KIND; SHAPES];
    let mut k = 0;
    while k < SHAPES {
        let shape::ShapeKind { name, doc, parameters, planar, spatial } = shape::KINDS[k];
        list[k] = Kind { name, doc, fields: SHAPE_FIELDS[k].split_at(parameters.len()).0, planar, spatial };
        k += 1;
    }
    list
};

/// The families, in the order in which laws are listed.
const FAMILIES: [(Family, &[law::Kind]); 5] = [
    (Family::Normal, Normal::<f64>::KINDS),
    (Family::Volume, &[Volumetric::<f64>::KIND]),
    (Family::Foundation, &[Foundation::<f64>::KIND]),
    (Family::Friction, Friction::<f64>::KINDS),
    (Family::Spin, Spin::<f64>::KINDS),
];

const COUNT: usize = {
    let (mut count, mut k) = (0, 0);
    while k < FAMILIES.len() {
        count += FAMILIES[k].1.len();
        k += 1;
    }
    count
};

/// Law `k` of all families.
const fn law_at(mut k: usize) -> (Family, &'static law::Kind) {
    let mut f = 0;
    while k >= FAMILIES[f].1.len() {
        k -= FAMILIES[f].1.len();
        f += 1;
    }
    (FAMILIES[f].0, &FAMILIES[f].1[k])
}

static LAW_FIELDS: [Row; COUNT] = {
    let mut rows = [[NO_FIELD; MOST]; COUNT];
    let mut k = 0;
    while k < COUNT {
        rows[k] = row(law_at(k).1.parameters);
        k += 1;
    }
    rows
};

static LAWS: [(Family, Kind); COUNT] = {
    let mut list = [(Family::Normal, NO_KIND); COUNT];
    let mut k = 0;
    while k < COUNT {
        let (family, kind) = law_at(k);
        let planar = matches!(family, Family::Normal | Family::Friction);
        let fields = LAW_FIELDS[k].split_at(kind.parameters.len()).0;
        list[k] = (family, Kind { name: kind.name, doc: kind.doc, fields, planar, spatial: true });
        k += 1;
    }
    list
};

/// All shapes.
pub fn surfaces() -> Vec<&'static Kind> {
    SURFACES.iter().collect()
}

/// All laws.
pub fn laws() -> Vec<&'static Kind> {
    LAWS.iter().map(|(_, kind)| kind).collect()
}

/// What a law says of its numbers.
pub(super) fn law_kind(name: &str) -> Option<&'static law::Kind> {
    (0..COUNT).map(|k| law_at(k).1).find(|kind| kind.name == name)
}

/// The family of a law.
pub(super) fn family(kind: &str) -> Option<Family> {
    LAWS.iter().find(|(_, own)| own.name == kind).map(|(family, _)| *family)
}
