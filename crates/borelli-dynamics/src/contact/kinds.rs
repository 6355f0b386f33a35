//! Shapes and laws of contact as kinds of model elements.
//! Not here: the shapes and laws themselves, whose registries (`borelli-contact`) are read here once.
//! In: their parameters. Out: fields with units and ranges, for reader, schema and manual.

use borelli_contact::friction::Friction;
use borelli_contact::friction::spin::Spin;
use borelli_contact::law;
use borelli_contact::normal::Normal;
use borelli_contact::pressure::Foundation;
use borelli_contact::shape;
use borelli_contact::volume::Volumetric;
use borelli_math::Declaration;
use borelli_model::{Field, Kind};

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

/// Whether a number is a stiffness whose dimension depends on the exponent of the law.
pub(super) const fn by_exponent(parameter: &Declaration) -> bool {
    matches!(parameter.unit.as_bytes(), b"N/m^n")
}

/// The families, in the order in which laws are listed.
const FAMILIES: [(Family, &[law::Kind]); 5] = [
    (Family::Normal, Normal::<f64>::KINDS),
    (Family::Volume, &[Volumetric::<f64>::KIND]),
    (Family::Foundation, &[Foundation::<f64>::KIND]),
    (Family::Friction, Friction::<f64>::KINDS),
    (Family::Spin, Spin::<f64>::KINDS),
];

const SHAPES: usize = shape::KINDS.len();

const LAWS: usize = {
    let (mut count, mut f) = (0, 0);
    while f < FAMILIES.len() {
        count += FAMILIES[f].1.len();
        f += 1;
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

/// Numbers of kind `k`: shapes first, then laws.
const fn parameters(k: usize) -> &'static [Declaration] {
    if k < SHAPES { shape::KINDS[k].parameters } else { law_at(k - SHAPES).1.parameters }
}

const NUMBERS: usize = {
    let (mut count, mut k) = (0, 0);
    while k < SHAPES + LAWS {
        count += parameters(k).len();
        k += 1;
    }
    count
};

/// Fields of all kinds, one kind after another. The tables here are made when the program is compiled.
static FIELDS: [Field; NUMBERS] = {
    let mut list = [Field::number(parameters(SHAPES)[0]); NUMBERS];
    let (mut k, mut at) = (0, 0);
    while k < SHAPES + LAWS {
        let own = parameters(k);
        let mut p = 0;
        while p < own.len() {
            let unit = if by_exponent(&own[p]) { "*" } else { own[p].unit };
            list[at] = Field::number(Declaration { unit, ..own[p] });
            p += 1;
            at += 1;
        }
        k += 1;
    }
    list
};

static KINDS: [Kind; SHAPES + LAWS] = {
    let mut list = [Kind { name: "", doc: "", fields: &[], planar: false, spatial: false }; SHAPES + LAWS];
    let (mut k, mut fields) = (0, FIELDS.as_slice());
    while k < SHAPES + LAWS {
        let (own, rest) = fields.split_at(parameters(k).len());
        list[k] = if k < SHAPES {
            let shape::ShapeKind { name, doc, planar, spatial, .. } = shape::KINDS[k];
            Kind { name, doc, fields: own, planar, spatial }
        } else {
            let (family, &law::Kind { name, doc, .. }) = law_at(k - SHAPES);
            Kind { name, doc, fields: own, planar: matches!(family, Family::Normal | Family::Friction), spatial: true }
        };
        fields = rest;
        k += 1;
    }
    list
};

/// All shapes.
pub fn surfaces() -> Vec<&'static Kind> {
    KINDS[..SHAPES].iter().collect()
}

/// All laws.
pub fn laws() -> Vec<&'static Kind> {
    KINDS[SHAPES..].iter().collect()
}

/// The family of a law, and what the law says of its numbers.
pub(super) fn law_named(name: &str) -> Option<(Family, &'static law::Kind)> {
    (0..LAWS).map(law_at).find(|(_, kind)| kind.name == name)
}
