//! Columns by their names: one table of families with their branch of the tree and their words.
//! Not here: coordinates (`coordinate`), what columns mean (`docs/src/columns.md`).
//! In: names and units of all columns of a case. Out: a label and a place in the tree for each; no two labels are the same.

use super::coordinate::{self, Shown};
use super::{Given, Side, Sides, bare_words, capital, words, words_of};
use borelli_data::Column;

/// What the axes of the world are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// Gravity is along −Y: X is forward, Y up, Z to the right.
    pub upright: bool,
    /// Moments and turns are about Z only.
    pub planar: bool,
}

impl Axes {
    /// The word for an axis.
    pub fn word(self, axis: usize) -> &'static str {
        if self.upright { ["forward", "up", "right"][axis] } else { ["X", "Y", "Z"][axis] }
    }

    /// What follows the words of a component: `, up`, or of a turn `, about Y`.
    fn part(self, axis: usize, turn: bool) -> String {
        match (turn, self.planar) {
            (true, true) => String::new(),
            (true, false) => format!("about {}", ["X", "Y", "Z"][axis]),
            (false, _) => self.word(axis).to_string(),
        }
    }
}

/// How a column is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnLabel {
    /// For people.
    pub text: String,
    /// Branches of the tree from the root, the last one is the column.
    pub path: Vec<String>,
    /// Side of the body.
    pub side: Option<Side>,
}

/// A family of columns. In the pattern `*` is the name of an element, `@` an axis that something points along, and `%` one that it turns about.
struct Family {
    pattern: &'static str,
    /// First branch of the tree.
    tree: &'static str,
    /// Word before the name; may be empty.
    before: &'static str,
    /// Words of what is shown; empty where the name says all.
    words: &'static str,
    /// Words of the last branch where they are not `words`; only the axis where it is `@`.
    leaf: &'static str,
}

const fn family(pattern: &'static str, tree: &'static str, words: &'static str) -> Family {
    Family { pattern, tree, before: "", words, leaf: "" }
}

const fn with(pattern: &'static str, tree: &'static str, before: &'static str, words: &'static str) -> Family {
    Family { pattern, tree, before, words, leaf: "" }
}

const fn axis(pattern: &'static str, tree: &'static str, words: &'static str) -> Family {
    Family { pattern, tree, before: "", words, leaf: "@" }
}

/// All families but coordinates, loops and guides. The first pattern that fits counts.
const FAMILIES: &[Family] = &[
    family("body.*.angle", "Bodies", "angle in space"),
    family("body.*.rate", "Bodies", "angular velocity"),
    family("body.*.q?", "Bodies", "quaternion"),
    family("body.*.v@", "Bodies", "velocity"),
    family("body.*.w%", "Bodies", "angular velocity"),
    family("body.*.@", "Bodies", "position"),
    axis("joint.*.reaction.force.@", "Joint forces", "joint force"),
    axis("joint.*.reaction.moment.%", "Joint reaction moments", "reaction moment"),
    family("joint.*.power", "Joint powers", "joint power"),
    family("joint_angles.*.flexion", "Joint rotations", "flexion"),
    family("joint_angles.*.adduction", "Joint rotations", "adduction"),
    family("joint_angles.*.external_rotation", "Joint rotations", "external rotation"),
    family("joint_angles.*.lateral", "Joint displacements", "shift to the outside"),
    family("joint_angles.*.anterior", "Joint displacements", "shift to the front"),
    family("joint_angles.*.distraction", "Joint displacements", "distraction"),
    family("path.*.length", "Paths", "length"),
    family("path.*.rate", "Paths", "rate of the length"),
    family("path.*.force", "Paths", "tension"),
    family("force.*.@", "Force elements", "force"),
    family("force.*.moment.%", "Force elements", "couple"),
    family("force.*.effort", "Force elements", "effort of the element"),
    family("force.*.creep", "Force elements", "stretch of the dashpot"),
    family("force.*.tension", "Force elements", "tension of the element"),
    family("force.*.command", "Force elements", "tension asked for"),
    family("muscle.*.excitation", "Muscles", "excitation"),
    family("muscle.*.activation", "Muscles", "activation"),
    family("muscle.*.fibre", "Muscles", "fibre along the tendon, in optimal lengths"),
    family("muscle.*.force", "Muscles", "muscle force"),
    family("muscle.*.fibre_length", "Muscles", "fibre length"),
    family("muscle.*.fibre_speed", "Muscles", "lengthening speed of the fibre"),
    family("muscle.*.pennation", "Muscles", "pennation"),
    family("muscle.*.tendon_length", "Muscles", "tendon length"),
    family("muscle.*.active_force", "Muscles", "active force of the fibre"),
    family("muscle.*.passive_force", "Muscles", "passive force of the fibre"),
    family("muscle.*.active_power", "Muscles", "power of contraction"),
    family("muscle.*.damping_power", "Muscles", "power of damping"),
    family("muscle.*.stored_energy", "Muscles", "energy stored in fibre and tendon"),
    family("muscle.*.metabolic_power", "Muscles", "metabolic power"),
    family("ligament.*.force", "Ligaments", "ligament force"),
    family("ligament.*.strain", "Ligaments", "strain"),
    family("ligament.*.stored_energy", "Ligaments", "energy stored in the ligament"),
    family("integral.*", "Integrals", "integral"),
    family("load.*.force.@", "Measured loads", "load"),
    family("load.*.point.@", "Measured loads", "point of the load"),
    family("load.*.moment.%", "Measured loads", "moment of the load"),
    family("load.*.power", "Measured loads", "power of the load"),
    with("marker.*.error.valid", "Markers", "Marker", "error known"),
    with("marker.*.error.norm", "Markers", "Marker", "size of the error"),
    with("marker.*.error.@", "Markers", "Marker", "error"),
    with("marker.*.valid", "Markers", "Marker", "seen"),
    with("marker.*.@", "Markers", "Marker", "measured position"),
    family("markers.seen", "Markers", "Markers seen"),
    family("markers.rms", "Markers", "Error of all markers, root mean square"),
    family("markers.largest", "Markers", "Error of all markers, largest"),
    with("plate.*.force.@", "Force plates", "Plate", "force"),
    with("plate.*.cop.valid", "Force plates", "Plate", "loaded"),
    with("plate.*.cop.@", "Force plates", "Plate", "centre of pressure"),
    with("plate.*.free_moment", "Force plates", "Plate", "free moment"),
    family("root.residual.force.@", "Residuals", "Residual force"),
    family("root.residual.moment.%", "Residuals", "Residual moment"),
    family("soft.*.von_mises", "Soft parts", "highest von Mises stress"),
    family("soft.*.hydrostatic", "Soft parts", "highest hydrostatic pressure"),
    family("soft.*.compression", "Soft parts", "largest compressive strain"),
    family("soft.*.extension", "Soft parts", "largest tensile strain"),
    family("soft.*.energy", "Soft parts", "stored energy"),
    family("soft_contact.*.pressure", "Soft parts", "highest contact pressure"),
    family("soft_contact.*.force.@", "Soft parts", "force on the target"),
    family("soft_contact.*.touching", "Soft parts", "nodes in contact"),
    family("soft_contact.*.area", "Soft parts", "contact area"),
    family("soft_contact.*.overlap", "Soft parts", "deepest overlap"),
    family("soft_contact.*.middle.pressure", "Soft parts", "contact pressure in the middle"),
    family("soft_contact.*.middle.von_mises", "Soft parts", "von Mises stress in the middle"),
    family("soft_contact.*.middle.hydrostatic", "Soft parts", "hydrostatic pressure in the middle"),
    family("soft_contact.*.middle.stress.xx", "Soft parts", "stress along x in the middle"),
    family("soft_contact.*.middle.stress.yy", "Soft parts", "stress along y in the middle"),
    family("soft_contact.*.middle.stress.xy", "Soft parts", "shear stress in the middle"),
    family("soft_contact.*.middle.compression", "Soft parts", "compressive strain in the middle"),
    family("tie.*.middle.von_mises", "Soft parts", "von Mises stress in the middle"),
    family("tie.*.middle.hydrostatic", "Soft parts", "hydrostatic pressure in the middle"),
    family("tie.*.middle.stress.xx", "Soft parts", "stress along x in the middle"),
    family("tie.*.middle.stress.yy", "Soft parts", "stress along y in the middle"),
    family("tie.*.middle.stress.xy", "Soft parts", "shear stress in the middle"),
    family("tie.*.middle.compression", "Soft parts", "compressive strain in the middle"),
    family("tie.*.force.@", "Soft parts", "force of the tie"),
    family("support.*.force.@", "Soft parts", "force of the support"),
    family("traction.*.first.dx", "Soft parts", "displacement along x of the first node"),
    family("traction.*.first.dy", "Soft parts", "displacement along y of the first node"),
    family("traction.*.last.dx", "Soft parts", "displacement along x of the last node"),
    family("traction.*.last.dy", "Soft parts", "displacement along y of the last node"),
    family("contact.*.total.force.@", "Ground and contact", "total force"),
    family("contact.*.total.moment.%", "Ground and contact", "total moment"),
    family("contact.*.cop.free_moment", "Ground and contact", "free moment"),
    family("contact.*.cop.valid", "Ground and contact", "centre of pressure known"),
    family("contact.*.cop.@", "Ground and contact", "centre of pressure in the world"),
    family("contact.*.axis.moment", "Ground and contact", "moment along the central axis"),
    family("contact.*.axis.valid", "Ground and contact", "central axis known"),
    family("contact.*.axis.@", "Ground and contact", "point of the central axis"),
    family("contact.*.depth", "Ground and contact", "depth of contact"),
    family("contact.*.rate", "Ground and contact", "closing speed"),
    family("contact.*.slip", "Ground and contact", "slip speed"),
    family("contact.*.normal_force", "Ground and contact", "normal force"),
    family("contact.*.friction.@", "Ground and contact", "friction"),
    family("contact.*.point.@", "Ground and contact", "point of contact"),
    family("contact.*.couple.%", "Ground and contact", "couple of the patch"),
    family("contact.*.volume", "Ground and contact", "volume of overlap"),
    family("contact.*.area", "Ground and contact", "area of contact"),
    family("contact.*.stored", "Ground and contact", "energy stored in contact"),
    family("contact.*.dissipated", "Ground and contact", "energy lost in contact"),
    family("sensor.*.force", "Pressure mats", "force on the mat"),
    family("sensor.*.cop.valid", "Pressure mats", "centre of pressure known"),
    family("sensor.*.cop.x", "Pressure mats", "centre of pressure from the corner, along X"),
    family("sensor.*.cop.z", "Pressure mats", "centre of pressure from the corner, along Z"),
    family("sensor.*.peak", "Pressure mats", "highest pressure"),
    family("system.energy.kinetic", "Energy", "Kinetic energy"),
    family("system.energy.gravity", "Energy", "Energy of gravity"),
    family("system.energy.stored", "Energy", "Stored energy"),
    family("system.energy.total", "Energy", "Total energy"),
    family("system.energy.balance", "Energy", "Energy balance"),
    family("system.work.forces", "Energy", "Work of forces"),
    family("system.work.efforts", "Energy", "Work of efforts"),
    family("system.work.rows", "Energy", "Work of loops and guides"),
    family("account.change", "Energy", "Change of the total energy since the start"),
    family("account.efforts", "Energy", "Work of given efforts"),
    family("account.rows", "Energy", "Work of guides and loops"),
    family("account.muscles", "Energy", "Work of active forces of muscles"),
    family("account.fibres", "Energy", "Lost in damping of muscle fibres"),
    family("account.elements", "Energy", "Work of drives (gain) and dampers (loss)"),
    family("account.forces", "Energy", "Work of drives (gain), dampers and contacts (loss)"),
    family("account.contacts", "Energy", "Lost in contact"),
    family("account.open", "Energy", "Not accounted for (error of the computation)"),
    family("system.work.muscles", "Energy", "Work of active forces of muscles"),
    family("system.work.fibre_damping", "Energy", "Work of damping in muscles"),
    family("system.work.switches", "Energy", "Energy at switches of path points"),
    family("system.momentum.@", "Whole body", "Momentum"),
    family("system.angular_momentum.%", "Whole body", "Angular momentum"),
    family("system.center.@", "Whole body", "Mass centre"),
    family("constraint.drift.position", "Loops and guides", "Largest gap"),
    family("constraint.drift.velocity", "Loops and guides", "Largest speed of a gap"),
    family("chain.joint.*.force.@", "Chain", "joint force of the chain"),
    family("chain.joint.*.moment", "Chain", "joint moment of the chain"),
    family("chain.joint.*.support.moment", "Chain", "moment of the support between segments"),
    family("chain.joint.*.support.@", "Chain", "force of the support at the joint"),
    family("chain.body.*.support.moment", "Chain", "moment of supports"),
    family("chain.body.*.support.@", "Chain", "force of supports"),
    family("chain.body.*.force.@", "Chain", "external force"),
    family("chain.body.*.moment", "Chain", "external moment"),
    family("chain.body.*.angular_acceleration", "Chain", "angular acceleration of the segment"),
    family("chain.base.acceleration.@", "Chain", "Acceleration of the base of the chain"),
    family("chain.condition", "Chain", "Condition of the chain's equations"),
    family("chain.residual", "Chain", "Residual of the chain's equations"),
    family("chain.left_over", "Chain", "Left over of the chain's equations"),
    family("derived.*.rotation.%", "Joint rotations", "rotation"),
];

/// Rows of loops and guides: part of the column's name, words of the reaction, words of the gap. `@` and `%` as in families.
const ROWS: [(&str, &str, &str); 10] = [
    ("@", "force", "gap"),
    ("tilt_u", "moment about u", "gap about u"),
    ("tilt_w", "moment about w", "gap about w"),
    ("turn_x", "moment about own X", "gap about own X"),
    ("turn_y", "moment about own Y", "gap about own Y"),
    ("turn_z", "moment about own Z", "gap about own Z"),
    ("angle", "moment", "gap of the angle"),
    ("length", "force along the rod", "gap of the length"),
    ("sum", "multiplier", "gap of the sum"),
    ("coordinate", "effort", "gap of the coordinate"),
];

/// What a pattern finds in a name: the element, and the axis at the end.
struct Fit<'n> {
    name: &'n str,
    last: Option<char>,
}

/// Holds a pattern with one `*` at most and an axis or letter at its end against a name.
fn fit<'n>(pattern: &str, name: &'n str) -> Option<Fit<'n>> {
    let (body, last) = match pattern.chars().last() {
        Some('@' | '%') => (&pattern[..pattern.len() - 1], name.chars().last().filter(|c| ('x'..='z').contains(c)).map(Some)?),
        Some('?') => (&pattern[..pattern.len() - 1], name.chars().last().map(Some)?),
        _ => (pattern, None),
    };
    let rest = &name[..name.len() - last.map_or(0, char::len_utf8)];
    let found = match body.split_once('*') {
        None => (body == rest).then_some(""),
        Some((head, tail)) => rest.strip_prefix(head)?.strip_suffix(tail).filter(|middle| !middle.is_empty()),
    };
    found.map(|name| Fit { name, last })
}

impl Family {
    /// Section of the model whose elements the names are.
    fn section(&self) -> &'static str {
        let pattern = self.pattern.strip_prefix("chain.").unwrap_or(self.pattern);
        match pattern.split('.').next() {
            // rotations are those of joints
            Some("derived") => "joint",
            other => other.unwrap_or_default(),
        }
    }

    fn label(&self, name: &str, side: Option<Side>, axes: Axes, given: Given) -> Option<ColumnLabel> {
        let Fit { name, last } = fit(self.pattern, name)?;
        let part = match (self.pattern.chars().last(), last) {
            (Some('?'), Some(letter)) => letter.to_string(),
            (kind, Some(letter)) => axes.part("xyz".find(letter)?, kind == Some('%')),
            _ => String::new(),
        };
        let with_part = |text: &str| match self.pattern.ends_with('?') {
            _ if part.is_empty() => text.to_string(),
            true => format!("{text} {part}"),
            false => format!("{text}, {part}"),
        };
        if name.is_empty() {
            let text = with_part(self.words);
            return Some(ColumnLabel { path: vec![self.tree.into(), text.clone()], text, side: None });
        }
        let own = given.element(self.section(), name, side);
        let plain = self.before.is_empty() || given.get(self.section(), name).is_some();
        let subject = if plain { own } else { format!("{} {}", self.before, words_of(name, side)) };
        let words = with_part(self.words);
        let leaf = if self.leaf == "@" && !part.is_empty() { part.clone() } else { words.clone() };
        Some(ColumnLabel { text: format!("{subject}: {words}"), path: vec![self.tree.into(), subject, leaf], side })
    }
}

/// Loops and guides.
fn row_label(name: &str, side: Option<Side>, axes: Axes, given: Given) -> Option<ColumnLabel> {
    let (kind, rest) = name.split_once('.').filter(|(kind, _)| ["loop", "guide"].contains(kind))?;
    let shown = [(".reaction.", ""), (".drift.", ""), (".drift_rate.", "speed of the ")];
    let (of, part, what, rate) = shown.iter().find_map(|(what, rate)| {
        let (of, part) = rest.split_once(what)?;
        Some((of, part, *what, *rate))
    })?;
    let (word, reaction, gap) = ROWS.iter().find(|(row, ..)| *row == part || (*row == "@" && ["x", "y", "z"].contains(&part)))?;
    let mut words =
        if what == ".reaction." { format!("{kind} {reaction}") } else { gap.replacen("gap", &format!("{rate}gap of the {kind}"), 1) };
    if let (Some(axis), "@") = ("xyz".find(part), *word) {
        words = format!("{words}, {}", axes.word(axis));
    }
    let subject = given.element(kind, of, side);
    Some(ColumnLabel { text: format!("{subject}: {words}"), path: vec!["Loops and guides".into(), subject, words], side })
}

/// What a path does about a coordinate, and on a wrap.
fn path_label(name: &str, side: Option<Side>, given: Given) -> Option<ColumnLabel> {
    let parts: Vec<&str> = name.split('.').collect();
    let (of, words) = match parts[..] {
        ["path", of, "arm", coordinate] => (of, format!("moment arm about {}", words(coordinate).to_lowercase())),
        ["path", of, wrap, "touching"] => (of, format!("touches {}", words(wrap).to_lowercase())),
        ["path", of, wrap, "arc"] => (of, format!("length on {}", words(wrap).to_lowercase())),
        _ => return None,
    };
    let subject = given.element("path", of, side);
    Some(ColumnLabel { text: format!("{subject}: {words}"), path: vec!["Paths".into(), subject, words], side })
}

/// A column of a study, or of another program: the words of its name, an axis at its end set apart.
fn plain(name: &str, side: Option<Side>, tree: &str) -> ColumnLabel {
    let mut words = bare_words(name, side);
    let axis = if words.len() > 1 { words.pop_if(|word| ["x", "y", "z"].contains(&word.as_str())) } else { None };
    let mut text = words.join(" ");
    if let Some(side) = side {
        text = format!("{text}, {}", side.word());
    }
    if let Some(axis) = axis {
        text = format!("{text}, {}", axis.to_uppercase());
    }
    let text = capital(text.trim_start_matches(", "));
    let text = if text.is_empty() { name.to_string() } else { text };
    ColumnLabel { path: vec![tree.into(), text.clone()], text, side }
}

/// The label of one column by itself.
fn one(name: &str, side: Option<Side>, unit: Option<&str>, axes: Axes, given: Given) -> ColumnLabel {
    if let Some(rest) = name.strip_prefix("coord.") {
        let shown = Shown::ALL.iter().find_map(|(ending, shown)| Some((rest.strip_suffix(ending)?, *shown)));
        if let Some((name, shown)) = shown {
            return coordinate::label(name, side, shown, unit, axes, given);
        }
    }
    let known = FAMILIES
        .iter()
        .find_map(|family| family.label(name, side, axes, given))
        .or_else(|| row_label(name, side, axes, given))
        .or_else(|| path_label(name, side, given));
    known.unwrap_or_else(|| match name.strip_prefix("derived.") {
        Some(own) => plain(own, side, "From this study"),
        None => plain(name, side, "Other columns"),
    })
}

/// Labels of all columns of a case, by the words of names and what the model calls its elements. Where two would be the same, the raw name follows in brackets.
pub fn columns(list: &[Column], axes: Axes, given: Given) -> Vec<ColumnLabel> {
    let sides = Sides::among(list.iter().map(|column| column.name.as_str()));
    let label = |column: &Column| one(&column.name, sides.of(&column.name), column.unit.as_deref(), axes, given);
    let mut labels: Vec<ColumnLabel> = list.iter().map(label).collect();
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_by(|a, b| labels[*a].text.cmp(&labels[*b].text));
    let same: Vec<usize> =
        order.chunk_by(|a, b| labels[*a].text == labels[*b].text).filter(|run| run.len() > 1).flatten().copied().collect();
    for k in same {
        labels[k].text = format!("{} ({})", labels[k].text, list[k].name);
        if let Some(leaf) = labels[k].path.last_mut() {
            *leaf = format!("{leaf} ({})", list[k].name);
        }
    }
    labels
}
