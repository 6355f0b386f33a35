//! Everything that can be wrong with a mesh file.
//! Not here: bad shapes of cells, see [`crate::mesh::Quality`].
//! In: facts. Out: line, what was found, what was expected, a hint.

use std::fmt;

/// A fault of a mesh file. Each variant carries the facts; `line` counts from 1.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum Fault {
    /// Text that is not a mesh file of Gmsh.
    NotMesh { line: usize, found: String },
    /// A version that is not read.
    Version { line: usize, found: String },
    /// A binary file.
    Binary { line: usize },
    /// Bytes that are not letters of UTF-8.
    NotText { line: usize },
    /// A section that the file must have; `line` is the last one.
    MissingSection { line: usize, section: &'static str },
    /// A section that stands twice.
    RepeatedSection { line: usize, section: String },
    /// A section, or a record in it, that ends early.
    Truncated { line: usize, section: String, found: String, expected: String },
    /// More in a section, or in a record, than its counts announce.
    Surplus { line: usize, section: String, found: String },
    /// Something that is not the number it should be.
    BadNumber { line: usize, field: &'static str, found: String, expected: &'static str },
    /// A type of element that is not read; `name` says what it is, where that is known.
    UnknownType { line: usize, number: u64, name: &'static str },
    /// An element of a solid in space.
    NotPlanar { line: usize, number: u64, name: &'static str },
    /// An element with a node that the file does not define.
    UndefinedNode { line: usize, tag: u64 },
    /// A node that is defined twice.
    RepeatedNode { line: usize, tag: u64 },
    /// A cell without a physical group.
    NoGroup { line: usize },
    /// A cell with two physical groups.
    TwoGroups { line: usize, names: [String; 2] },
    /// A physical group with an empty name.
    EmptyName { line: usize },
    /// A cell without area, or with the same node twice.
    Degenerate { line: usize },
    /// Two cells on the same side of an edge; the other stands at `other`.
    Overlap { line: usize, other: usize },
    /// A boundary line that is not an edge of any cell.
    NotAnEdge { line: usize, boundary: String, tags: [u64; 2] },
    /// A boundary line whose middle node is not that of the cell, or that has one where the cell has none.
    OtherMiddle { line: usize, boundary: String },
    /// A line that stands twice in one boundary.
    RepeatedLine { line: usize, boundary: String },
    /// A node out of the plane of the others.
    OutOfPlane { line: usize, z: f64, plane: f64 },
    /// More than can be read.
    TooMany { line: usize, what: &'static str, found: u64, limit: usize },
    /// No cells of the plane; `line` is the last one.
    NoCells { line: usize },
    /// A unit factor that is not positive and finite.
    BadUnit { found: f64 },
}

/// Where a fault is, what was found, what was expected, and what to do about it.
struct Facts(usize, String, String, &'static str);

const EXPORT: &str = "export the mesh again and copy the whole file";

impl Fault {
    /// The line, counted from 1; 0 if the fault is not in the file.
    pub fn line(&self) -> usize {
        self.facts().0
    }

    /// What was found.
    pub fn found(&self) -> String {
        self.facts().1
    }

    /// What was expected.
    pub fn expected(&self) -> String {
        self.facts().2
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        self.facts().3
    }

    fn facts(&self) -> Facts {
        use Fault::*;
        match self {
            NotMesh { line, found } => Facts(
                *line,
                format!("`{found}`"),
                "the section $MeshFormat".into(),
                "choose a mesh file of Gmsh (.msh), not its geometry (.geo)",
            ),
            Version { line, found } => Facts(
                *line,
                format!("format version `{found}`"),
                "version 4.1 or 2.2".into(),
                "export with -format msh41, or set Mesh.MshFileVersion = 4.1",
            ),
            Binary { line } => Facts(*line, "a binary file".into(), "a text file".into(), "export without -bin, or set Mesh.Binary = 0"),
            NotText { line } => {
                Facts(*line, "bytes that are not text".into(), "text in UTF-8".into(), "use plain letters in the names of physical groups")
            }
            MissingSection { line, section } => Facts(
                *line,
                format!("the end of the file without a section ${section}"),
                format!("a section ${section}"),
                "mesh the surfaces in Gmsh before the export",
            ),
            RepeatedSection { line, section } => Facts(*line, format!("a second section ${section}"), "one of them".into(), EXPORT),
            Truncated { line, section, found, expected } => Facts(*line, format!("{found} in ${section}"), expected.clone(), EXPORT),
            Surplus { line, section, found } => Facts(*line, format!("`{found}` in ${section}"), "nothing more there".into(), EXPORT),
            BadNumber { line, field, found, expected } => Facts(*line, format!("`{found}` as {field}"), (*expected).into(), EXPORT),
            UnknownType { line, number, name } => Facts(
                *line,
                format!("element type {number} ({name})"),
                "lines, triangles and quadrilaterals: types 1, 8, 2, 9, 3, 16".into(),
                "for quadratic quadrilaterals set Mesh.ElementOrder = 2 and Mesh.SecondOrderIncomplete = 1",
            ),
            NotPlanar { line, number, name } => Facts(
                *line,
                format!("element type {number} ({name}), a solid in space"),
                "a mesh of the plane".into(),
                "mesh in two dimensions only (gmsh -2)",
            ),
            UndefinedNode { line, tag } => Facts(*line, format!("node {tag}"), "a node that stands in $Nodes".into(), EXPORT),
            RepeatedNode { line, tag } => Facts(*line, format!("node {tag} again"), "each node once".into(), EXPORT),
            NoGroup { line } => Facts(
                *line,
                "a cell without a physical group".into(),
                "a name for every cell".into(),
                "add Physical Surface(\"name\") = {...} for its surface in Gmsh",
            ),
            TwoGroups { line, names: [a, b] } => Facts(
                *line,
                format!("a cell in the physical groups `{a}` and `{b}`"),
                "one group for each cell".into(),
                "give each surface one physical group",
            ),
            EmptyName { line } => {
                Facts(*line, "a physical group with an empty name".into(), "a name".into(), "name the physical group in Gmsh")
            }
            Degenerate { line } => Facts(
                *line,
                "a cell without area or with a node twice".into(),
                "a cell with an area".into(),
                "mend the geometry or mesh it again",
            ),
            Overlap { line, other } => Facts(
                *line,
                format!("a cell on the same side of an edge as the cell in line {other}"),
                "one cell on each side".into(),
                "version 2.2 writes the cells of a surface once per physical group: give each surface one group",
            ),
            NotAnEdge { line, boundary, tags: [a, b] } => Facts(
                *line,
                format!("a line from node {a} to node {b} on `{boundary}`"),
                "an edge of a cell".into(),
                "leave curves that bound no surface out of the physical group",
            ),
            OtherMiddle { line, boundary } => Facts(
                *line,
                format!("a line on `{boundary}` with another middle node than the cell has"),
                "lines and cells of the same order".into(),
                "set the order of the whole mesh with Mesh.ElementOrder",
            ),
            RepeatedLine { line, boundary } => Facts(
                *line,
                format!("a line that `{boundary}` already has"),
                "each line once".into(),
                "list each curve once in a physical group",
            ),
            OutOfPlane { line, z, plane } => Facts(
                *line,
                format!("a node at z = {z}"),
                format!("all cells in the plane z = {plane}"),
                "draw the surfaces in the x-y plane",
            ),
            TooMany { line, what, found, limit } => {
                Facts(*line, format!("{found} {what}"), format!("at most {limit}"), "use a coarser mesh")
            }
            NoCells { line } => Facts(
                *line,
                "the end of the file without triangles or quadrilaterals".into(),
                "cells of the plane".into(),
                "mesh the surfaces (gmsh -2) and give them a physical group",
            ),
            BadUnit { found } => Facts(0, format!("a unit of {found} m"), "a positive factor".into(), "millimetres are 0.001"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Facts(line, found, expected, hint) = self.facts();
        if line > 0 {
            write!(f, "line {line}: ")?;
        }
        write!(f, "found {found}, expected {expected}\nhint: {hint}")
    }
}

impl std::error::Error for Fault {}
