//! What model files may say of soft parts: kinds of meshes and materials, fields of ties, supports, loads and contacts.
//! Not here: the laws themselves, whose registry (`borelli-soft`) is read here once.
//! In: their numbers. Out: fields with units and ranges, for reader, schema and manual.

use borelli_model::{Declaration, Field, FieldKind, Kind, Need, Range, number};
use borelli_soft::element;
use borelli_soft::material::Material;

const fn optional(name: &'static str, kind: FieldKind, doc: &'static str) -> Field {
    Field { name, kind, need: Need::Optional, doc }
}

const fn required(name: &'static str, kind: FieldKind, doc: &'static str) -> Field {
    Field { name, kind, need: Need::Required, doc }
}

const fn length(name: &'static str, doc: &'static str) -> Field {
    number(name, "m", Range::POSITIVE, Need::Required, doc)
}

fn elements() -> Vec<&'static str> {
    element::KINDS.iter().map(|kind| kind.name).collect()
}

const BOUNDARY: Field = required("boundary", FieldKind::Text, "boundary of a soft part: `liner.outer`");
const DIVISIONS: FieldKind = FieldKind::Numbers { unit: "1", least: 2 };
const CELLS: Field = optional("cells", FieldKind::Choice(&["t3", "q4", "t6", "q8"]), "shape of the cells; default q4");
const GRADING: Range = Range::between(1e-6, 1e6);

const fn grading(doc: &'static str) -> Field {
    number("grading", "1", GRADING, Need::Default(1.0), doc)
}

const fn kind(name: &'static str, doc: &'static str, fields: &'static [Field]) -> Kind {
    Kind { name, doc, fields, planar: true, spatial: false }
}

/// Fields of every soft part.
pub(crate) static SOFT: &[Field] = &[
    optional("at", FieldKind::Place, "place whose axes the mesh is given in and with which it starts; default the world"),
    length("depth", "depth at right angles to the plane"),
    optional("plane", FieldKind::Choice(&["strain", "stress"]), "what is kept zero out of the plane; default strain"),
    optional("element", FieldKind::WordOf(elements), "how strains are taken in a cell; default plain"),
    optional("material", FieldKind::Material, "material of all regions"),
    optional("materials", FieldKind::NamesByName, "material of each region of a mesh file, by the name of the region"),
];

/// Where the mesh of a soft part comes from.
pub(crate) static SHAPES: [Kind; 4] = [
    kind(
        "annulus",
        "Sector of an annulus about the origin of its place; boundaries inner, outer, start, end",
        &[
            length("inner_radius", "inner radius"),
            length("outer_radius", "outer radius"),
            number(
                "span",
                "rad",
                Range { min: 0.0, max: 6.283185307179587, open_min: true },
                Need::Default(std::f64::consts::PI),
                "angle between both ends; a full turn closes the ring",
            ),
            number("direction", "rad", Range::ANY, Need::Default(std::f64::consts::FRAC_PI_2), "direction of the middle of the sector"),
            required("divisions", DIVISIONS, "cells around and through the wall"),
            grading("ratio of the outermost to the innermost edge"),
            CELLS,
        ],
    ),
    kind(
        "block",
        "Block with four straight sides; boundaries bottom, right, top, left",
        &[
            optional("size", FieldKind::Vector { unit: "m" }, "width and height of a rectangle"),
            optional("corner", FieldKind::Vector { unit: "m" }, "its lower left corner; default the origin"),
            optional(
                "corners",
                FieldKind::Vectors { unit: "m", least: 4 },
                "in place of `size`: four corners, counter-clockwise from the lower left",
            ),
            required("divisions", DIVISIONS, "cells along the bottom and along the left side"),
            optional(
                "grading",
                FieldKind::Vector { unit: "1" },
                "ratio of the last to the first edge, to the right and upwards; default 1",
            ),
            CELLS,
        ],
    ),
    kind(
        "disc",
        "Quarter or half of a disc below its flat face; boundaries flat, arc and, of a quarter, symmetry",
        &[
            length("radius", "radius"),
            optional("part", FieldKind::Choice(&["quarter", "half"]), "how much of it; default half, the quarter is its right one"),
            required(
                "divisions",
                DIVISIONS,
                "cells along the flat face from the centre to the rim, and how many of those belong to the core",
            ),
            grading("ratio of the last to the first edge along the flat face, from the centre"),
            CELLS,
        ],
    ),
    kind(
        "file",
        "Mesh file of Gmsh, text of version 4.1 or 2.2; physical groups name regions and boundaries",
        &[
            required("file", FieldKind::Text, "path of the mesh, from the file that names it"),
            number("unit", "m", Range::POSITIVE, Need::Default(1.0), "length of one unit of the file"),
        ],
    ),
];

const METHODS: FieldKind = FieldKind::Choice(&["augmented", "lagrange", "penalty"]);

const fn stiffness(doc: &'static str) -> Field {
    number("stiffness", "N/m", Range::POSITIVE, Need::Optional, doc)
}

/// Fields of a tie.
pub(crate) static TIE: &[Field] = &[
    BOUNDARY,
    required("to", FieldKind::Text, "what it is held to where it lies at the start: a body, `world`, or another boundary"),
    optional("method", METHODS, "multipliers with a regularisation (default), multipliers alone, or a stiffness alone"),
    stiffness("regularisation, or the stiffness itself, of each node; not with `lagrange`"),
];

/// Fields of a support.
pub(crate) static SUPPORT: &[Field] = &[
    BOUNDARY,
    optional("fix", FieldKind::Choice(&["xy", "x", "y"]), "directions of the world in which it is held; default xy"),
    optional(
        "displacement",
        FieldKind::Functions { value: "m", planar: 2, spatial: 2 },
        "prescribed motion from where it starts, world axes; default none",
    ),
];

/// Fields of a load on a boundary.
pub(crate) static TRACTION: &[Field] = &[
    BOUNDARY,
    optional(
        "force",
        FieldKind::Functions { value: "Pa", planar: 2, spatial: 2 },
        "force per area of the start, world axes; its direction stays",
    ),
    optional(
        "pressure",
        FieldKind::Function { value: "Pa" },
        "in place of `force`: at right angles to the boundary as it is now, positive when it pushes",
    ),
];

/// Fields of a contact with a rigid target.
pub(crate) static SOFT_CONTACT: &[Field] = &[
    BOUNDARY,
    optional("target", FieldKind::Surface, "surface of type circle, ellipse or half-space"),
    optional(
        "points",
        FieldKind::Vectors { unit: "m", least: 3 },
        "in place of `target`: points of a smooth curve, with the body on their left",
    ),
    optional("at", FieldKind::Place, "place whose axes the points are given in; default the world"),
    optional("closed", FieldKind::Flag, "true for a closed curve; default false"),
    number("alpha", "1", Range::FRACTION, Need::Optional, "shape factor of the curve; default 0.5"),
    optional(
        "cavity",
        FieldKind::Flag,
        "true where the body lies around a circle, an ellipse or a closed curve, as a socket does; default false",
    ),
    optional("method", FieldKind::Choice(&["augmented", "penalty"]), "multipliers with a regularisation (default), or a stiffness alone"),
    Field { need: Need::Required, ..stiffness("regularisation, or the stiffness itself, of each node") },
];

const LAWS: usize = Material::KINDS.len();

const NUMBERS: usize = {
    let (mut count, mut k) = (0, 0);
    while k < LAWS {
        count += Material::KINDS[k].parameters.len();
        k += 1;
    }
    count
};

/// Numbers of all laws, one law after another.
static FIELDS: [Field; NUMBERS] = {
    let mut list = [Field::number(Material::KINDS[0].parameters[0]); NUMBERS];
    let (mut k, mut at) = (0, 0);
    while k < LAWS {
        let own: &[Declaration] = Material::KINDS[k].parameters;
        let mut p = 0;
        while p < own.len() {
            list[at] = Field::number(own[p]);
            p += 1;
            at += 1;
        }
        k += 1;
    }
    list
};

/// Laws of materials.
pub(crate) static MATERIALS: [Kind; LAWS] = {
    let mut list = [kind("", "", &[]); LAWS];
    let (mut k, mut fields) = (0, FIELDS.as_slice());
    while k < LAWS {
        let law = &Material::KINDS[k];
        let (own, rest) = fields.split_at(law.parameters.len());
        list[k] = kind(law.name, law.doc, own);
        fields = rest;
        k += 1;
    }
    list
};
