//! A translator of OpenSim models (format 4.0 and later) for tests: what the walking models of the reference folder use, and no more.
//! Not here: muscles and other forces, contact and geometry, which are dropped; everything else that is not listed is refused by name.
//! In: the text of an `.osim` file. Out: the text of a borelli model file, or what was not understood.
//!
//! Taken over: gravity, bodies, joints (`WeldJoint`, `PinJoint`, `SliderJoint`, `UniversalJoint`, `GimbalJoint`, and those `CustomJoint`s that are one
//! of borelli's joints), offset frames, ranges, locks and defaults of coordinates, markers. Coordinates keep their names; a name that borelli
//! does not allow gets `_` for the characters at fault, and a marker keeps its own as label.

mod function;
mod joint;
#[cfg(test)]
mod tests;

use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Translates the text of a file.
pub fn translate(text: &str) -> Result<String, String> {
    let document = Document::parse(text).map_err(|fault| format!("not XML: {fault}"))?;
    let root = document.root_element();
    let version: u32 = root.attribute("Version").and_then(|v| v.parse().ok()).unwrap_or(0);
    if root.tag_name().name() != "OpenSimDocument" || version < 40000 {
        return Err(format!("`{}` of version {version}: only OpenSimDocument of 40000 and later", root.tag_name().name()));
    }
    let model = child(root, "Model").ok_or("no Model")?;
    if let Some(constraint) = objects(model, "ConstraintSet").next() {
        return Err(format!("constraint {}", title(constraint)));
    }
    let mut places = Places::default();
    let mut rest = String::new();
    for joint in objects(model, "JointSet") {
        rest += &joint::translate(joint, &mut places)?;
    }
    for marker in objects(model, "MarkerSet") {
        let name = title(marker);
        let body = body_of_path(words(marker, "socket_parent_frame")?)?;
        let location = numbers::<3>(marker, "location")?;
        let fixed = text_of(marker, "fixed").is_some_and(|text| text.eq_ignore_ascii_case("true"));
        let element = element_name(name);
        let _ = write!(rest, "\n[marker.{element}]\nbody = \"{body}\"\nlocation = {location:?}\nlabel = \"{name}\"\nfixed = {fixed}\n");
    }
    let gravity = numbers::<3>(model, "gravity")?;
    let mut out = format!("borelli = 1\nname = \"{}\"\ndimension = \"spatial\"\ngravity = {gravity:?}\n", element_name(title(model)));
    out += &places.text("world");
    for body in objects(model, "BodySet") {
        let name = element_name(title(body));
        let [mass] = numbers::<1>(body, "mass")?;
        let (center, inertia) = (numbers::<3>(body, "mass_center")?, numbers::<6>(body, "inertia")?);
        let _ = write!(out, "\n[body.{name}]\nmass = {mass:?}\ncenter = {center:?}\ninertia = {inertia:?}\n{}", places.text(&name));
    }
    Ok(out + &rest)
}

/// Places that joints need, by body.
#[derive(Default)]
struct Places {
    of_body: BTreeMap<String, Vec<Place>>,
}

struct Place {
    name: String,
    position: [f64; 3],
    /// About X, Y, Z.
    angles: [f64; 3],
}

impl Places {
    /// Adds a place to a body; its reference in the file.
    fn add(&mut self, body: &str, name: &str, position: [f64; 3], angles: [f64; 3]) -> String {
        self.of_body.entry(body.to_string()).or_default().push(Place { name: name.to_string(), position, angles });
        format!("{body}.{name}")
    }

    /// The tables of a body's places: points, and frames where axes are turned.
    fn text(&self, body: &str) -> String {
        let own = if body == "world" { "world".to_string() } else { format!("body.{body}") };
        let list = self.of_body.get(body).map_or(&[][..], Vec::as_slice);
        let mut text = format!("[{own}.point]\n");
        let (points, frames): (Vec<&Place>, Vec<&Place>) = list.iter().partition(|place| place.angles == [0.0; 3]);
        for Place { name, position, .. } in points {
            let _ = writeln!(text, "{name} = {position:?}");
        }
        for Place { name, position, angles } in frames {
            let _ = writeln!(text, "[{own}.frame.{name}]\norigin = {position:?}\nangles = {angles:?}");
        }
        text
    }
}

fn child<'a, 'd>(node: Node<'a, 'd>, name: &str) -> Option<Node<'a, 'd>> {
    node.children().find(|child| child.is_element() && child.tag_name().name() == name)
}

/// Entries of a set of the model.
fn objects<'a, 'd>(model: Node<'a, 'd>, set: &str) -> impl Iterator<Item = Node<'a, 'd>> {
    let list = child(model, set).and_then(|set| child(set, "objects"));
    list.into_iter().flat_map(|list| list.children().filter(Node::is_element).collect::<Vec<_>>())
}

/// Name of a component.
fn title<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("name").unwrap_or("nameless")
}

/// A name as borelli takes it.
fn element_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect()
}

fn text_of<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    child(node, name).and_then(|node| node.text()).map(str::trim).filter(|text| !text.is_empty())
}

fn words<'a>(node: Node<'a, '_>, name: &str) -> Result<&'a str, String> {
    text_of(node, name).ok_or_else(|| format!("`{}` has no {name}", title(node)))
}

fn list(text: &str) -> Result<Vec<f64>, String> {
    let parse = |word: &str| word.parse::<f64>().map_err(|_| format!("`{word}` is no number"));
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).map(parse).collect()
}

fn numbers<const N: usize>(node: Node, name: &str) -> Result<[f64; N], String> {
    let found = list(words(node, name)?)?;
    let count = found.len();
    found.try_into().map_err(|_| format!("{name} of `{}` has {count} numbers, not {N}", title(node)))
}

/// The body at the end of a path, `/bodyset/NAME` or `/ground`.
fn body_of_path(path: &str) -> Result<String, String> {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["", "ground"] => Ok("world".into()),
        ["", "bodyset", name] => Ok(element_name(name)),
        _ => Err(format!("frame `{path}`")),
    }
}
