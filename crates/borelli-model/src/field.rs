//! How fields are declared: name, kind with unit and range, need, one line of text.
//! Not here: any particular field; every joint, law and function declares its own.
//! In: static tables. Out: what reader, checker, schema and manual work from.

use crate::fault::ReadFault;
use crate::finding::Findings;
use crate::model::Dimension;
use crate::value::{Data, Element};
pub use borelli_math::{Declaration, Need, Range};

/// One field of an element.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in the file.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether it must be there.
    pub need: Need,
    /// What it means, in one line.
    pub doc: &'static str,
}

impl Field {
    /// A number with a unit.
    pub const fn number(declared: Declaration) -> Field {
        let Declaration { name, unit, range, need, doc } = declared;
        Field { name, kind: FieldKind::Quantity { unit, range }, need, doc }
    }
}

/// A field that is a number, in short.
pub const fn number(name: &'static str, unit: &'static str, range: Range, need: Need, doc: &'static str) -> Field {
    Field::number(Declaration { name, unit, range, need, doc })
}

/// A field that is a number whose unit depends on whether a coordinate is an angle or a length: `units` in this order.
pub const fn number_of(name: &'static str, units: [&'static str; 2], range: Range, need: Need, doc: &'static str) -> Field {
    Field { name, kind: FieldKind::QuantityOf { angle: units[0], length: units[1], range }, need, doc }
}

/// What a field holds. The unit `"1"` is a pure number; `"*"` leaves the dimension to the caller, who asks with
/// `quantity_in`, `function_in` or [`Fields::check`](crate::Fields::check).
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// One number with a unit.
    Quantity {
        /// Unit.
        unit: &'static str,
        /// Allowed SI values.
        range: Range,
    },
    /// One number whose unit depends on whether a coordinate is an angle or a length; read with `quantity_in`.
    QuantityOf {
        /// Unit for an angle.
        angle: &'static str,
        /// Unit for a length.
        length: &'static str,
        /// Allowed SI values.
        range: Range,
    },
    /// Two numbers in a planar model, three in a spatial one.
    Vector {
        /// Unit of every entry.
        unit: &'static str,
    },
    /// A list of vectors.
    Vectors {
        /// Unit of every entry.
        unit: &'static str,
        /// Fewest vectors.
        least: usize,
    },
    /// A list of numbers; a single one may stand without the list.
    Numbers {
        /// Unit of every entry.
        unit: &'static str,
        /// Fewest entries, at least one.
        least: usize,
    },
    /// A direction: two numbers in a planar model, three in a spatial one, not all zero.
    Direction,
    /// Several directions in space, also in a planar model; a single one stands without the list.
    Directions {
        /// How many.
        count: usize,
    },
    /// Planar: one moment of inertia. Spatial: three or six entries of the tensor. kg m^2.
    Inertia,
    /// A function: name, inline table, or a constant.
    Function {
        /// Unit of its values.
        value: &'static str,
    },
    /// Several functions.
    Functions {
        /// Unit of their values.
        value: &'static str,
        /// How many in a planar model; one may stand without the list.
        planar: usize,
        /// How many in a spatial model.
        spatial: usize,
    },
    /// `body`, `body.point` or `body.frame`.
    Place,
    /// Name of a body.
    Body,
    /// Name of a joint.
    Joint,
    /// Name of a path.
    Path,
    /// Name of a coordinate.
    Coordinate,
    /// Name of a wrap.
    Wrap,
    /// Name of a surface.
    Surface,
    /// Name of a material.
    Material,
    /// Two or more stops of a path: a place, or a table with these fields.
    Stops(&'static [Field]),
    /// A table from a name, such as that of a coordinate, to a number.
    Coefficients,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of the words of a registry.
    WordOf(fn() -> Vec<&'static str>),
    /// True or false.
    Flag,
    /// A whole number in a range.
    Count {
        /// Smallest.
        least: usize,
    },
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
    /// A list of pairs of texts.
    Pairs,
    /// A table from a name of any characters to the name of an element.
    NamesByName,
    /// A table with these fields, to be read with them.
    Table(&'static [Field]),
    /// A list of tables `[[name]]`, each to be read with its own fields: these, for the schema.
    List(fn() -> Vec<Field>),
    /// A table of named tables `[section.NAME]`, each to be read with these fields.
    Named(&'static [Field]),
    /// A law: its name, or a table in place.
    Law,
    /// A name, or a list of names.
    NameOrNames,
    /// A list of names.
    Names,
    /// A list of `{ axis = [..], function = .. }`.
    Rotations,
    /// A table of named vectors.
    Points {
        /// Unit of every entry.
        unit: &'static str,
    },
    /// A table of named tables; read each with its own fields.
    Tables,
    /// Anything; the caller looks at the value itself.
    Any,
}

/// One registered kind: a joint type, a loop type, a force law, a function type, ...
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its `type` in the file.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// Its own fields, beside those common to the section.
    pub fields: &'static [Field],
    /// Exists in planar models.
    pub planar: bool,
    /// Exists in spatial models.
    pub spatial: bool,
}

impl Kind {
    /// The kind an element names in `type`; reports a missing, unknown or ill-dimensioned one.
    pub fn find<'k>(element: &Element, kinds: &[&'k Kind], dimension: Dimension, findings: &mut Findings) -> Option<&'k Kind> {
        let choices = || kinds.iter().map(|k| k.name).collect::<Vec<_>>();
        let Some(entry) = element.get("type") else {
            let doc = format!("`type` is one of: {}", choices().join(", "));
            findings.push(element.at, element, "", &ReadFault::MissingField { name: "type".into(), doc });
            return None;
        };
        if entry.value.data == Data::Faulty {
            return None;
        }
        let Some(text) = entry.value.as_text() else {
            let fault = ReadFault::WrongType { expected: "a text".into(), found: entry.value.data.kind() };
            findings.push(entry.value.at, element, "type", &fault);
            return None;
        };
        let Some(kind) = kinds.iter().find(|k| k.name == text) else {
            findings.push(entry.value.at, element, "type", &ReadFault::BadChoice { found: text.into(), choices: choices() });
            return None;
        };
        let exists = if dimension == Dimension::Planar { kind.planar } else { kind.spatial };
        if !exists {
            findings.push(entry.value.at, element, "type", &ReadFault::WrongDimension { kind: kind.name, dimension: dimension.word() });
            return None;
        }
        Some(kind)
    }
}
