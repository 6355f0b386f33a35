//! What can be wrong with soft parts whose fields are well written.
//! Not here: finding out (`read`, `attach`, `check`; for values that are set, `define`).

use borelli_model::{Explain, Severity};

/// What is wrong with a soft part; facts only.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // each variant's message says what its fields are
pub enum SoftFault {
    InSpace,
    UnknownSoft { found: String, nearest: Option<String>, known: Vec<String> },
    UnknownBoundary { soft: String, found: String, nearest: Option<String>, known: Vec<String> },
    UnknownMaterial { found: String, nearest: Option<String>, known: Vec<String> },
    UnknownRegion { found: String, known: Vec<String> },
    NoMaterial { regions: Vec<String> },
    UnusedMaterial { name: String },
    BadMesh { soft: String, field: &'static str, value: f64, expected: &'static str },
    BadDivisions { found: Vec<f64> },
    BadCell { file: String, cell: usize, at: [f64; 2], what: &'static str },
    BadEdge { file: String, nodes: [u32; 2], what: &'static str },
    Pieces { file: String, pieces: usize },
    PlaneStress { material: String, law: &'static str },
    Remedy { cells: &'static str },
    QuadraticContact { boundary: String },
    TieOfBodies { one: String, other: String },
    TieToPlace { found: String, body: String },
    TieToItself { boundary: String },
    NoStiffness { method: &'static str },
    StiffnessUnused,
    SharedNode { node: u32, at: [f64; 2], first: String, second: String },
    FreeDirection { direction: &'static str },
    Unheld { soft: String },
    NoTarget { surface: String, shape: &'static str },
    OpenCavity,
    OnlyWithPoints { field: &'static str },
    NotBuilt { what: String, reason: String },
    NotSetUp { reason: String },
    NoNode { boundary: String, found: String, nodes: usize },
    TieGap { tie: String, distance: f64, part: f64 },
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

fn did_you_mean(nearest: &Option<String>, what: &str, known: &[String]) -> String {
    let others = format!("{what} here: {}", list(known));
    nearest.as_ref().map_or_else(|| others.clone(), |name| format!("did you mean `{name}`? {others}"))
}

impl std::fmt::Display for SoftFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())?;
        self.hint().map_or(Ok(()), |hint| write!(f, "\n  hint: {hint}"))
    }
}

impl std::error::Error for SoftFault {}

impl Explain for SoftFault {
    fn code(&self) -> &'static str {
        use SoftFault::*;
        match self {
            InSpace => "soft-in-space",
            UnknownSoft { .. } => "unknown-soft",
            UnknownBoundary { .. } => "unknown-boundary",
            UnknownMaterial { .. } => "unknown-material",
            UnknownRegion { .. } => "unknown-region",
            NoMaterial { .. } => "region-without-material",
            UnusedMaterial { .. } => "unused-material",
            BadMesh { .. } | BadDivisions { .. } => "bad-mesh",
            BadCell { .. } | BadEdge { .. } => "bad-cell",
            Pieces { .. } => "mesh-in-pieces",
            PlaneStress { .. } => "plane-stress",
            Remedy { .. } => "element-of-other-cells",
            QuadraticContact { .. } => "quadratic-contact",
            TieOfBodies { .. } => "tie-of-bodies",
            TieToPlace { .. } => "tie-to-place",
            TieToItself { .. } => "tie-to-itself",
            NoStiffness { .. } => "needs-stiffness",
            StiffnessUnused => "stiffness-unused",
            SharedNode { .. } => "shared-node",
            FreeDirection { .. } => "free-direction",
            Unheld { .. } => "nothing-holds",
            NoTarget { .. } => "no-target",
            OpenCavity => "open-cavity",
            OnlyWithPoints { .. } => "only-with-points",
            NotBuilt { .. } => "soft-not-built",
            NotSetUp { .. } => "soft-start",
            NoNode { .. } => "no-such-node",
            TieGap { .. } => "tie-gap",
        }
    }

    fn message(&self) -> String {
        use SoftFault::*;
        match self {
            InSpace => "soft parts exist in planar models only: cells, materials and contact are those of the plane".into(),
            UnknownSoft { found, .. } => format!("soft part `{found}` does not exist"),
            UnknownBoundary { soft, found, .. } if found.is_empty() => format!("`{soft}` is a soft part, one of its boundaries is needed"),
            UnknownBoundary { soft, found, .. } => format!("soft part `{soft}` has no boundary `{found}`"),
            UnknownMaterial { found, .. } => format!("material `{found}` does not exist"),
            UnknownRegion { found, .. } => format!("the mesh has no region `{found}`"),
            NoMaterial { regions } if regions.len() == 1 => format!("region `{}` of the mesh has no material", regions[0]),
            NoMaterial { regions } => format!("regions of the mesh have no material: {}", list(regions)),
            UnusedMaterial { name } => format!("no soft part is made of `{name}`"),
            BadMesh { soft, field, value, expected } => {
                // Generators call their numbers by shorter names.
                let expected = expected.replace("`inner`", "`inner_radius`").replace("`along`", "the first of the two");
                format!("`{field}` of soft part `{soft}` is {value}; it must be {expected}")
            }
            BadDivisions { found } => format!("{found:?} are no divisions: two whole numbers, 1 or more"),
            BadCell { file, cell, at: [x, y], what } => format!("`{file}`: cell {cell} at ({x:.6}, {y:.6}) m {what}"),
            BadEdge { file, nodes: [a, b], what } => format!("`{file}`: at the edge from node {a} to node {b} {what}"),
            Pieces { file, pieces } => format!("`{file}`: the mesh falls into {pieces} pieces that share no edge"),
            PlaneStress { material, law } => format!("plane stress with material `{material}` of type `{law}`"),
            Remedy { cells } => format!("element `f-bar` on cells `{cells}`"),
            QuadraticContact { boundary } => format!("`{boundary}` has quadratic edges, on which contact forces of nodes are no pressure"),
            TieOfBodies { one, other } => format!("`{one}` and `{other}` are rigid: a tie holds a boundary of a soft part"),
            TieToPlace { found, .. } => format!("`{found}` is a place, but a tie holds every node where it lies on the body"),
            TieToItself { boundary } => format!("`{boundary}` is tied to itself"),
            NoStiffness { method } => format!("method `{method}` needs `stiffness`"),
            StiffnessUnused => "method `lagrange` has no stiffness".into(),
            SharedNode { node, at: [x, y], first, second } => {
                format!("node {node} at ({x:.6}, {y:.6}) m is held twice in the same direction, by `{first}` and by `{second}`")
            }
            FreeDirection { direction } => format!("a displacement along {direction} is given, but `fix` leaves {direction} free"),
            Unheld { soft } => format!("nothing holds soft part `{soft}`: no tie, no support, no contact"),
            NoTarget { surface, shape } => format!("surface `{surface}` is a {shape}, which soft parts cannot touch"),
            OpenCavity => "a half-space or an open curve has no inside".into(),
            OnlyWithPoints { field } => format!("`{field}` belongs to a curve of `points`, the target here is a surface"),
            NotBuilt { what, reason } => format!("`{what}`: {reason}"),
            NotSetUp { reason } => reason.split("\n  hint: ").next().unwrap_or(reason).into(),
            NoNode { boundary, found, .. } if found.is_empty() => format!("`{boundary}` is a boundary, one of its nodes is needed"),
            NoNode { boundary, found, nodes } => format!("boundary `{boundary}` has {nodes} nodes and none of them is `{found}`"),
            TieGap { tie, distance, part } => format!(
                "the boundaries that `{tie}` holds together are up to {:.3e} mm apart at the start, {part:.1e} of an edge: the tie closes the gap and strains both",
                1e3 * distance
            ),
        }
    }

    fn hint(&self) -> Option<String> {
        use SoftFault::*;
        Some(match self {
            InSpace => "say dimension = \"planar\", or take the soft parts out".into(),
            UnknownSoft { nearest, known, .. } => did_you_mean(nearest, "soft parts", known),
            UnknownBoundary { nearest, known, .. } => did_you_mean(nearest, "boundaries", known),
            UnknownMaterial { nearest, known, .. } => did_you_mean(nearest, "materials", known),
            UnknownRegion { known, .. } => format!("regions here: {}", list(known)),
            NoMaterial { regions } => {
                let region = regions.first().map_or("all", String::as_str);
                format!("give `material` for all regions, or materials = {{ \"{region}\" = \"NAME\" }} by region")
            }
            UnusedMaterial { .. } => "name it in `material` of a [soft.NAME], or take it out".into(),
            BadMesh { .. } => "check the number and its unit".into(),
            BadDivisions { .. } => "write for instance divisions = [48, 8]".into(),
            BadCell { .. } | BadEdge { .. } => "mend the geometry or mesh it again".into(),
            Pieces { .. } => "mesh them together, or give each piece a file and a [soft.NAME] of its own, held by a [tie.NAME]".into(),
            PlaneStress { .. } => "only `linear` without viscosity offers plane stress: take it, or say plane = \"strain\"".into(),
            Remedy { .. } => "`f-bar` is made for cells = \"q4\": take those, or say element = \"plain\"".into(),
            QuadraticContact { .. } => "take linear cells, q4 or t3, for soft parts that touch".into(),
            TieOfBodies { one, other } => format!(
                "hold rigid bodies together by a loop: [loop.NAME], type = \"coincident\", a = \"{one}\", b = \"{other}\"; a tie says boundary = \"SOFT.BOUNDARY\""
            ),
            TieToPlace { body, .. } => format!("say to = \"{body}\""),
            TieToItself { .. } => "name another boundary, a body or `world`".into(),
            NoStiffness { .. } => "write for instance stiffness = \"100 N/mm\"; with `augmented` the result does not depend on it".into(),
            StiffnessUnused => "take `stiffness` out, or say method = \"augmented\"".into(),
            SharedNode { .. } => "let one of the two end before that node, leave a direction free, or hold all of it by one of them".into(),
            FreeDirection { direction } => format!("write 0 for {direction}, or fix it, too"),
            Unheld { soft } => format!("add a [support.NAME] or a [tie.NAME] with boundary = \"{soft}.BOUNDARY\""),
            NoTarget { .. } => "name a surface of type circle, ellipse or half-space, or give `points` of a curve".into(),
            OpenCavity => "take `cavity` out; the body lies on the left of an open curve, and behind the normal of a half-space".into(),
            OnlyWithPoints { .. } => "take the field out, or give `points` in place of `target`".into(),
            NotBuilt { .. } => "check its numbers".into(),
            NotSetUp { reason } => return reason.split_once("\n  hint: ").map(|(_, hint)| hint.into()),
            NoNode { boundary, nodes, .. } => format!(
                "write `{boundary}.0` to `{boundary}.{}` along the boundary, or `{boundary}.first`, `.middle`, `.last`",
                nodes.saturating_sub(1)
            ),
            TieGap { .. } => "place both so that they meet; along a curve give both meshes the same nodes".into(),
        })
    }

    fn severity(&self) -> Severity {
        if matches!(self, SoftFault::UnusedMaterial { .. } | SoftFault::TieGap { .. }) { Severity::Warning } else { Severity::Error }
    }
}
