//! Copies of one side of a body for the other side.
//! Not here: any other change of a model. `[initial]`, functions, laws and materials are not copied.
//! In: elements and `[mirror.NAME]` tables. Out: renamed and, in space, reflected copies at the end of each section.
//!
//! The reflection is S = diag(1, 1, -1). A point p becomes S p; a rotation R becomes S R S, so that its axis (x, y, z)
//! becomes (-x, -y, z) under the same angle; an inertia I becomes S I S; a force f becomes S f, a torque (-x, -y, z).

use crate::column_formula::with_names;
use crate::fault::ReadFault;
use crate::field::{Field, FieldKind, Need};
use crate::fields::Fields;
use crate::finding::Findings;
use crate::model::{Dimension, MAX_BODIES, MAX_MIRRORS, Model, is_name};
use crate::source::Span;
use crate::value::{Data, Element, Entry, Value};
use std::collections::HashSet;

/// Fields of `[mirror.NAME]`.
pub(crate) const FIELDS: [Field; 2] = [
    Field { name: "from", kind: FieldKind::Text, need: Need::Required, doc: "ending of the names that are copied, such as `_r`" },
    Field { name: "to", kind: FieldKind::Text, need: Need::Required, doc: "ending of the copies' names, such as `_l`" },
];

/// Fields that hold places or names of elements.
const REFERENCES: [&str; 16] = [
    "proximal", "distal", "parent", "child", "a", "b", "at", "point", "points", "path", "joint", "body", "bodies", "boundary", "to",
    "target",
];
/// What a joint appends to its name, after `_`, to name its coordinates and speeds.
const DERIVED: [&str; 22] =
    ["1", "2", "3", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "px", "py", "pz", "vx", "vy", "vz", "tx", "ty", "tz", "x", "y", "angle"];

/// Adds the copies that the mirrors ask for. Only what stands in the files is copied, never a copy.
pub(crate) fn expand(model: &mut Model, mirrors: &[Element], findings: &mut Findings) {
    if let Some(excess) = mirrors.get(MAX_MIRRORS) {
        return findings.push(excess.at, excess, "", &ReadFault::TooManyMirrors { limit: MAX_MIRRORS });
    }
    let originals = sections(model).map(|s| s.len());
    let mut taken = sections(model).map(|s| s.iter().map(|e| e.name.clone()).collect::<HashSet<String>>());
    let functions: HashSet<String> = model.functions.iter().map(|f| f.name.clone()).collect();
    let laws: HashSet<String> = model.laws.iter().map(|l| l.name.clone()).collect();
    let materials: HashSet<String> = model.materials.iter().map(|m| m.name.clone()).collect();
    for mirror in mirrors {
        let Some((from, to)) = endings(mirror, model.dimension, findings) else {
            continue;
        };
        let joints = model.joints.iter().map(|j| &j.name).filter(|n| n.ends_with(&from)).cloned().collect();
        let spatial = model.dimension == Dimension::Spatial;
        let opposite = model.joints.iter().filter(|j| spatial && j.name.ends_with(&from)).flat_map(across).collect();
        let mut copier =
            Copier { from: &from, to: &to, spatial, functions: &functions, laws: &laws, materials: &materials, joints, opposite, findings };
        let mut copied = false;
        for (k, section) in sections(model).into_iter().enumerate() {
            let mut copies = Vec::new();
            for original in &section[..originals[k]] {
                let Some(copy) = copier.copy(original) else { continue };
                copied = true;
                if !taken[k].insert(copy.name.clone()) {
                    let fault = ReadFault::MirrorClash { copy: copy.path(), original: original.path() };
                    copier.findings.push(original.at, mirror, "", &fault);
                } else {
                    copies.push(copy);
                }
            }
            section.append(&mut copies);
        }
        if !copied {
            let at = mirror.value("from").map_or(mirror.at, |v| v.at);
            findings.push(at, mirror, "from", &ReadFault::MirrorNothing { from });
        }
        if model.bodies.len() > MAX_BODIES {
            return;
        }
    }
}

/// The coordinates and speeds of a free or ball joint that have the other sign in the mirrored pose and that elements can act on or see: along z, and
/// turns about other axes than z.
fn across(joint: &Element) -> Vec<String> {
    let list = |field: &str| joint.value(field).and_then(Value::as_list).unwrap_or_default();
    let name = |field: &str, k: usize, end: &str| {
        let given = list(field).get(k).and_then(Value::as_text);
        given.map_or_else(|| format!("{}_{end}", joint.name), str::to_string)
    };
    match (joint.text("type"), joint.text("rotation")) {
        (Some("ball"), _) => vec![name("speeds", 0, "wx"), name("speeds", 1, "wy")],
        (Some("free"), Some("angles")) => {
            let turned = joint.text("sequence").unwrap_or("zxy").chars().zip(1..).filter(|(letter, _)| *letter != 'z');
            let about = turned.map(|(_, k)| name("coordinates", 2 + k, &k.to_string()));
            std::iter::once(name("coordinates", 2, "tz")).chain(about).collect()
        }
        (Some("free"), _) => {
            vec![name("coordinates", 2, "pz"), name("speeds", 2, "vz"), name("speeds", 3, "wx"), name("speeds", 4, "wy")]
        }
        _ => Vec::new(),
    }
}

/// The sections that are copied.
fn sections(model: &mut Model) -> [&mut Vec<Element>; 20] {
    [
        &mut model.bodies,
        &mut model.joints,
        &mut model.loops,
        &mut model.guides,
        &mut model.wraps,
        &mut model.paths,
        &mut model.forces,
        &mut model.muscles,
        &mut model.ligaments,
        &mut model.surfaces,
        &mut model.contacts,
        &mut model.joint_angles,
        &mut model.markers,
        &mut model.coordinates,
        &mut model.measurements,
        &mut model.softs,
        &mut model.ties,
        &mut model.supports,
        &mut model.tractions,
        &mut model.soft_contacts,
    ]
}

fn endings(mirror: &Element, dimension: Dimension, findings: &mut Findings) -> Option<(String, String)> {
    const DECLARED: &[Field] = &FIELDS;
    let mut fields = Fields::read(mirror, &[DECLARED], dimension, findings);
    let (from, _) = fields.text("from")?;
    let (to, _) = fields.text("to")?;
    for (name, text) in [("from", from), ("to", to)] {
        // an ending is what a name may go on with, and is not nothing
        if text.is_empty() || !is_name(&format!("a{text}")) {
            fields.fault(name, &ReadFault::BadName { name: text.into() });
            return None;
        }
    }
    if from == to {
        fields.fault("to", &ReadFault::MirrorClash { copy: to.into(), original: from.into() });
        return None;
    }
    Some((from.to_string(), to.to_string()))
}

struct Copier<'m> {
    from: &'m str,
    to: &'m str,
    spatial: bool,
    functions: &'m HashSet<String>,
    laws: &'m HashSet<String>,
    materials: &'m HashSet<String>,
    /// Joints that are copied; their coordinates may be named after them.
    joints: HashSet<String>,
    /// Coordinates whose sign is the other one in the mirrored pose.
    opposite: HashSet<String>,
    findings: &'m mut Findings,
}

impl Copier<'_> {
    /// The copy of an element, if its name says that there is one; a rule for a coordinate goes with the coordinate.
    fn copy(&mut self, original: &Element) -> Option<Element> {
        let rule = original.section == "coordinate";
        let name = if rule { self.renamed_coordinate(&original.name) } else { self.renamed(&original.name) };
        let mut copy = Element { name: name?, ..original.clone() };
        for field in &mut copy.fields {
            self.rename_field(field, original);
        }
        if self.spatial {
            self.reflect(&mut copy, original);
        }
        Some(copy)
    }

    /// The name with the other ending, if it has the first.
    fn renamed(&self, name: &str) -> Option<String> {
        name.strip_suffix(self.from).map(|stem| format!("{stem}{}", self.to))
    }

    /// A coordinate: a name like any other, or one derived from a copied joint's name.
    fn renamed_coordinate(&self, name: &str) -> Option<String> {
        self.renamed(name).or_else(|| {
            let (joint, suffix) = name.rsplit_once('_')?;
            let derived = DERIVED.contains(&suffix) && self.joints.contains(joint);
            derived.then(|| self.renamed(joint)).flatten().map(|joint| format!("{joint}_{suffix}"))
        })
    }

    fn rename_field(&mut self, field: &mut Entry, original: &Element) {
        match field.key.as_str() {
            "effort" | "tension" | "force" if is_formula(original) => self.rename_formula(field, original),
            "type" => {}
            // semi-axes, where elsewhere these are places
            "a" | "b" if matches!(original.section, "surface" | "wrap") => {}
            "points" if original.section == "path" => {
                for value in list_mut(&mut field.value) {
                    self.rename_stop(value, original);
                }
            }
            "normal" | "friction" | "spin" if original.section == "contact" => {
                each_text(&mut field.value, &mut |text| self.rename_shared(self.laws, text));
            }
            "material" => each_text(&mut field.value, &mut |text| self.rename_shared(self.materials, text)),
            "materials" => {
                for entry in table_mut(&mut field.value) {
                    each_text(&mut entry.value, &mut |text| self.rename_shared(self.materials, text));
                }
            }
            "point" | "frame" if original.section == "body" => self.rename_keys(&mut field.value, original),
            "point" if original.section == "force" => {
                each_text(&mut field.value, &mut |text| self.rename_shared(self.functions, text));
            }
            key if REFERENCES.contains(&key) => {
                each_text(&mut field.value, &mut |text| *text = self.renamed_place(text));
            }
            "pairs" if original.section == "measurement" => {
                let rename = &mut |text: &mut String| *text = self.renamed(text).unwrap_or_else(|| text.clone());
                list_mut(&mut field.value).iter_mut().for_each(|pair| each_text(pair, rename));
            }
            "coordinate" if original.section == "joint" => {}
            "label" => each_text(&mut field.value, &mut |text| *text = self.renamed(text).unwrap_or_else(|| text.clone())),
            "coordinate" => self.rename_coordinate(field, original),
            "coordinates" | "speeds" => {
                for value in list_mut(&mut field.value) {
                    let Data::Text(text) = &mut value.data else { continue };
                    match self.renamed(text) {
                        Some(name) => *text = name,
                        None => {
                            let fault = ReadFault::MirrorClash { copy: text.clone(), original: text.clone() };
                            self.findings.push(value.at, original, &field.key, &fault);
                        }
                    }
                }
            }
            "coefficients" => {
                for entry in table_mut(&mut field.value) {
                    self.refuse_opposite(Some(&entry.key), entry.key_at, original, "coefficients");
                    entry.key = self.renamed_coordinate(&entry.key).unwrap_or_else(|| entry.key.clone());
                }
            }
            "rotations" => {
                for rotation in list_mut(&mut field.value) {
                    if let Some(function) = table_mut(rotation).iter_mut().find(|e| e.key == "function") {
                        each_text(&mut function.value, &mut |text| self.rename_shared(self.functions, text));
                    }
                }
            }
            _ => each_text(&mut field.value, &mut |text| self.rename_shared(self.functions, text)),
        }
    }

    /// A point of a path: a place, or a table that names one, or a wrap, or a body with functions of a coordinate.
    fn rename_stop(&mut self, value: &mut Value, original: &Element) {
        if let Data::Text(text) = &mut value.data {
            *text = self.renamed_place(text);
        }
        for entry in table_mut(value) {
            match entry.key.as_str() {
                "wrap" | "at" | "on" => each_text(&mut entry.value, &mut |text| *text = self.renamed_place(text)),
                "of" => self.rename_coordinate(entry, original),
                "when" => table_mut(&mut entry.value)
                    .iter_mut()
                    .filter(|own| own.key == "coordinate")
                    .for_each(|own| self.rename_coordinate(own, original)),
                _ => each_text(&mut entry.value, &mut |text| self.rename_shared(self.functions, text)),
            }
        }
    }

    /// A place, part by part.
    fn renamed_place(&self, text: &str) -> String {
        let parts: Vec<String> = text.split('.').map(|part| self.renamed(part).unwrap_or_else(|| part.to_string())).collect();
        parts.join(".")
    }

    /// A field that names a coordinate.
    fn rename_coordinate(&mut self, field: &mut Entry, original: &Element) {
        self.refuse_opposite(field.value.as_text(), field.value.at, original, &field.key);
        each_text(&mut field.value, &mut |text| *text = self.renamed_coordinate(text).unwrap_or_else(|| text.clone()));
    }

    /// A formula, or a list of them: names of the other side; in space z and vz of a place have the other sign, and so has the force along z.
    fn rename_formula(&mut self, field: &mut Entry, original: &Element) {
        let at_place = field.key == "force";
        let turned = |name: &str| self.spatial && at_place && ["z", "vz"].contains(&name);
        let mut opposite = None;
        let mut rename = |name: &str| -> String {
            let mut parts: Vec<String> = name.split('.').map(str::to_string).collect();
            let (section, own) = (parts[0].clone(), parts.get(1).cloned());
            match (section.as_str(), own) {
                ("coord", Some(own)) => {
                    if self.opposite.contains(&own) {
                        opposite = Some(own.clone());
                    }
                    parts[1] = self.renamed_coordinate(&own).unwrap_or(own);
                }
                ("path" | "force" | "muscle" | "ligament", Some(own)) => parts[1] = self.renamed(&own).unwrap_or(own),
                _ if turned(name) => return format!("(-{name})"),
                _ => {}
            }
            parts.join(".")
        };
        each_text(&mut field.value, &mut |text| *text = with_names(text, &mut rename));
        if self.spatial && at_place {
            list_mut(&mut field.value).iter_mut().skip(2).for_each(|value| each_text(value, &mut |text| *text = format!("-({text})")));
        }
        self.refuse_opposite(opposite.as_deref(), field.value.at, original, &field.key);
    }

    /// Reports what acts on a coordinate that does not have the same value in the mirrored pose.
    fn refuse_opposite(&mut self, coordinate: Option<&str>, at: Span, original: &Element, field: &str) {
        if coordinate.is_some_and(|name| self.opposite.contains(name)) {
            let fault = ReadFault::MirrorImpossible {
                what: "what acts on, or sees, a coordinate or speed that has the other sign on the other side",
                instead: "make that freedom a `slider` or a `hinge`, or write this element for each side, its name without the mirror's `from`",
            };
            self.findings.push(at, original, field, &fault);
        }
    }

    /// A function or law is taken for the other side only if there is one for it.
    fn rename_shared(&self, known: &HashSet<String>, text: &mut String) {
        if let Some(name) = self.renamed(text).filter(|name| known.contains(name)) {
            *text = name;
        }
    }

    /// Names of points and frames of a copied body.
    fn rename_keys(&mut self, value: &mut Value, original: &Element) {
        let mut taken = HashSet::new();
        for entry in table_mut(value) {
            let name = self.renamed(&entry.key).unwrap_or_else(|| entry.key.clone());
            if !taken.insert(name.clone()) {
                self.findings.push(entry.key_at, original, "", &ReadFault::MirrorClash { copy: name.clone(), original: entry.key.clone() });
            }
            entry.key = name;
        }
    }

    fn reflect(&mut self, copy: &mut Element, original: &Element) {
        let kind = copy.text("type").unwrap_or("").to_string();
        let sequence: Vec<char> = copy.text("sequence").unwrap_or("zxy").chars().collect();
        for field in &mut copy.fields {
            let value = &mut field.value;
            match (original.section, field.key.as_str()) {
                ("body", "center" | "along") => flip(value, &[2]),
                ("body", "inertia") if value.as_list().is_some_and(|l| l.len() == 6) => flip(value, &[4, 5]),
                ("body", "point") => table_mut(value).iter_mut().for_each(|e| flip(&mut e.value, &[2])),
                ("body", "frame") => table_mut(value).iter_mut().for_each(|e| reflect_frame(&mut e.value)),
                ("body", "mesh") => reflect_mesh(value),
                ("joint", "axis") if kind == "slider" => flip(value, &[2]),
                ("joint" | "loop", "axis") => flip(value, &[0, 1]),
                ("joint", "axes") => list_mut(value).iter_mut().for_each(|axis| flip(axis, &[0, 1])),
                ("joint", "rotations") => {
                    let axes = list_mut(value).iter_mut().flat_map(|r| table_mut(r).iter_mut().filter(|e| e.key == "axis"));
                    axes.for_each(|axis| flip(&mut axis.value, &[0, 1]));
                }
                ("joint" | "guide", "z") => self.negate(value, original, "z"),
                ("guide", "angles") => {
                    for (angle, about) in list_mut(value).iter_mut().zip(&sequence) {
                        if *about != 'z' {
                            self.negate(angle, original, "angles");
                        }
                    }
                }
                ("surface", "nz") => negate_number(value),
                ("joint_angles", "side") => swap_side(value),
                ("path", "points") => {
                    for stop in list_mut(value).iter_mut().flat_map(table_mut) {
                        match stop.key.as_str() {
                            "side" => flip(&mut stop.value, &[2]),
                            "z" => self.negate(&mut stop.value, original, "points"),
                            _ => {}
                        }
                    }
                }
                ("marker", "location") => flip(value, &[2]),
                ("coordinate", "default") if self.opposite.contains(&original.name) => negate_number(value),
                ("coordinate", "range") if self.opposite.contains(&original.name) => {
                    list_mut(value).iter_mut().for_each(negate_number);
                    list_mut(value).reverse();
                }
                ("force", "force") if !is_formula(original) => {
                    list_mut(value).iter_mut().skip(2).for_each(|f| self.negate(f, original, "force"))
                }
                ("force", "point") => list_mut(value).iter_mut().skip(2).for_each(|x| self.negate(x, original, "point")),
                ("force", "moment") => list_mut(value).iter_mut().take(2).for_each(|f| self.negate(f, original, "moment")),
                ("force", "torque") => list_mut(value).iter_mut().take(2).for_each(|f| self.negate(f, original, "torque")),
                _ => {}
            }
        }
        // axes that were left to their defaults do not stay where they are
        let defaults: &[[f64; 3]] = match kind.as_str() {
            "universal" => &[[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]],
            "gimbal" => &[[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
            _ => &[],
        };
        if original.section == "joint" && !defaults.is_empty() && copy.get("axes").is_none() {
            let at = original.at;
            let axes = defaults.iter().map(|axis| list(at, axis.iter().map(|x| Value { at, data: Data::Number(*x) }).collect()));
            copy.fields.push(Entry { key: "axes".into(), key_at: at, value: list(at, axes.collect()) });
        }
    }

    /// A function of the other sign. A constant gets it; a named one must have its own for this side, because the
    /// reader knows nothing of what functions are.
    fn negate(&mut self, value: &mut Value, original: &Element, field: &str) {
        let own = match &value.data {
            Data::Text(text) if is_name(text) => text.ends_with(self.to) && self.functions.contains(text),
            Data::Text(_) | Data::Number(_) => {
                negate_number(value);
                true
            }
            _ => false,
        };
        if !own {
            let fault = ReadFault::MirrorImpossible {
                what: "a function that has the other sign on the other side",
                instead: "give each side a `[function.NAME]` of its own, the names ending in the mirror's `from` and `to`",
            };
            self.findings.push(value.at, original, field, &fault);
        }
    }
}

/// Whether an element is a force by formulas.
fn is_formula(element: &Element) -> bool {
    element.section == "force" && element.text("type") == Some("formula")
}

/// The other side of the body; what is no side is told where the copy is read.
fn swap_side(side: &mut Value) {
    if let Data::Text(text) = &mut side.data {
        *text = match text.as_str() {
            "right" => "left".into(),
            "left" => "right".into(),
            other => other.into(),
        };
    }
}

fn reflect_frame(frame: &mut Value) {
    for entry in table_mut(frame) {
        match entry.key.as_str() {
            "origin" | "x" | "y" => flip(&mut entry.value, &[2]),
            "rotation" | "angles" => flip(&mut entry.value, &[0, 1]),
            _ => {}
        }
    }
}

/// S (s ∘ u + o) = (S s) ∘ u + S o for corners u of the file, factors s along the axes and an origin o.
fn reflect_mesh(mesh: &mut Value) {
    let at = mesh.at;
    let Data::Table(entries) = &mut mesh.data else { return };
    if !entries.iter().any(|entry| entry.key == "scale") {
        let ones = list(at, vec![Value { at, data: Data::Number(1.0) }; 3]);
        entries.push(Entry { key: "scale".into(), key_at: at, value: ones });
    }
    entries.iter_mut().filter(|entry| ["origin", "scale"].contains(&entry.key.as_str())).for_each(|entry| flip(&mut entry.value, &[2]));
}

fn list(at: Span, values: Vec<Value>) -> Value {
    Value { at, data: Data::List(values) }
}

fn list_mut(value: &mut Value) -> &mut [Value] {
    if let Data::List(list) = &mut value.data { list } else { &mut [] }
}

fn table_mut(value: &mut Value) -> &mut [Entry] {
    if let Data::Table(table) = &mut value.data { table } else { &mut [] }
}

/// A text, or every text of a list.
fn each_text(value: &mut Value, change: &mut dyn FnMut(&mut String)) {
    match &mut value.data {
        Data::Text(text) => change(text),
        Data::List(list) => {
            for value in list {
                if let Data::Text(text) = &mut value.data {
                    change(text);
                }
            }
        }
        _ => {}
    }
}

/// Changes the sign of some entries of a list.
fn flip(value: &mut Value, entries: &[usize]) {
    let list = list_mut(value);
    for k in entries {
        if let Some(entry) = list.get_mut(*k) {
            negate_number(entry);
        }
    }
}

/// The other sign of a number or of a quantity's text; no zero gets a minus.
fn negate_number(value: &mut Value) {
    match &mut value.data {
        Data::Number(x) => *x = 0.0 - *x,
        Data::Text(text) => {
            let trimmed = text.trim();
            *text = match trimmed.strip_prefix('-') {
                Some(rest) => rest.to_string(),
                None => format!("-{}", trimmed.strip_prefix('+').unwrap_or(trimmed)),
            };
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "mirror_tests.rs"]
mod tests;
