//! Joints with their frames and coordinates; a `CustomJoint` is recognised as one of borelli's joints or refused.
//! Not here: functions (`function`).

use super::function::Law;
use super::{Places, body_of_path, child, element_name, numbers, text_of, title, words};
use roxmltree::Node;
use std::fmt::Write;

const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// A frame: body, position, angles about X, Y, Z.
struct Frame {
    body: String,
    position: [f64; 3],
    angles: [f64; 3],
}

impl Frame {
    /// The frame that a socket of a joint names.
    fn of(joint: Node, socket: &str) -> Result<Frame, String> {
        let path = words(joint, socket)?;
        let offset = child(joint, "frames").and_then(|list| list.children().find(|frame| frame.attribute("name") == Some(path)));
        let Some(offset) = offset else {
            return Ok(Frame { body: body_of_path(path)?, position: [0.0; 3], angles: [0.0; 3] });
        };
        let body = body_of_path(words(offset, "socket_parent")?)?;
        Ok(Frame { body, position: numbers(offset, "translation")?, angles: numbers(offset, "orientation")? })
    }

    /// Moves the origin by a vector in the frame's own axes.
    fn shift(&mut self, by: [f64; 3]) {
        let mut turned = by;
        for axis in [2, 1, 0] {
            let (s, c) = self.angles[axis].sin_cos();
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            (turned[j], turned[k]) = (c * turned[j] - s * turned[k], s * turned[j] + c * turned[k]);
        }
        (0..3).for_each(|k| self.position[k] += turned[k]);
    }
}

/// A moving axis of a `CustomJoint`.
struct Axis<'a> {
    direction: [f64; 3],
    coordinate: &'a str,
    law: Law,
}

impl Axis<'_> {
    /// The direction along which the coordinate itself is the motion.
    fn plain(&self) -> Option<[f64; 3]> {
        // Adding zero turns −0 into 0.
        self.law.sign().map(|sign| self.direction.map(|x| sign * x + 0.0))
    }
}

/// The joint with rules for its coordinates, as text.
pub(super) fn translate(joint: Node, places: &mut Places) -> Result<String, String> {
    let fault = |what: String| format!("joint `{}`: {what}", title(joint));
    let (mut parent, child_frame) =
        (Frame::of(joint, "socket_parent_frame").map_err(fault)?, Frame::of(joint, "socket_child_frame").map_err(fault)?);
    let list = child(joint, "coordinates");
    let coordinates: Vec<Node> = list.into_iter().flat_map(|list| list.children().filter(Node::is_element).collect::<Vec<_>>()).collect();
    let names: Vec<&str> = coordinates.iter().map(|c| title(*c)).collect();
    let named = |names: &[&str]| format!("coordinates = {names:?}\n");
    let own = match (joint.tag_name().name(), &names[..]) {
        ("WeldJoint", _) => "type = \"weld\"\n".to_string(),
        ("PinJoint", [_]) => format!("type = \"hinge\"\n{}", named(&names)),
        ("SliderJoint", [_]) => format!("type = \"slider\"\n{}", named(&names)),
        ("UniversalJoint", [_, _]) => format!("type = \"universal\"\naxes = {:?}\n{}", &AXES[..2], named(&names)),
        ("GimbalJoint", [_, _, _]) => format!("type = \"gimbal\"\naxes = {AXES:?}\n{}", named(&names)),
        ("PlanarJoint", [angle, x, y]) => format!("type = \"planar\"\n{}", named(&[x, y, angle])),
        ("CustomJoint", _) => {
            let Transform { turns, slides, offset } = spatial_transform(joint).map_err(fault)?;
            parent.shift(offset);
            custom(&turns, &slides).ok_or_else(|| fault("a CustomJoint of no known kind".into()))?
        }
        (kind, _) => return Err(fault(format!("kind {kind}"))),
    };
    let name = element_name(title(joint));
    let from = places.add(&parent.body, &format!("{name}_parent"), parent.position, parent.angles);
    let to = places.add(&child_frame.body, &format!("{name}_child"), child_frame.position, child_frame.angles);
    let mut text = format!("\n[joint.{name}]\nparent = \"{from}\"\nchild = \"{to}\"\n{own}");
    for coordinate in coordinates {
        text += &rule(coordinate).map_err(fault)?;
    }
    Ok(text)
}

/// Range, lock and default of a coordinate.
fn rule(coordinate: Node) -> Result<String, String> {
    let flag = |name: &str| text_of(coordinate, name).is_some_and(|text| text.eq_ignore_ascii_case("true"));
    if flag("prescribed") {
        return Err(format!("prescribed coordinate `{}`", title(coordinate)));
    }
    let mut text = format!("\n[coordinate.{}]\nclamp = {}\nlock = {}\n", title(coordinate), flag("clamped"), flag("locked"));
    if text_of(coordinate, "default_value").is_some() {
        let [value] = numbers::<1>(coordinate, "default_value")?;
        let _ = writeln!(text, "default = {value:?}");
    }
    if text_of(coordinate, "range").is_some() {
        let range = numbers::<2>(coordinate, "range")?;
        let _ = writeln!(text, "range = {range:?}");
    }
    Ok(text)
}

/// Turns and slides that move, and the constant displacement of the others.
#[derive(Default)]
struct Transform<'a> {
    turns: Vec<Axis<'a>>,
    slides: Vec<Axis<'a>>,
    offset: [f64; 3],
}

fn spatial_transform<'a>(joint: Node<'a, '_>) -> Result<Transform<'a>, String> {
    let Transform { mut turns, mut slides, mut offset } = Transform::default();
    let transform = child(joint, "SpatialTransform").ok_or("no SpatialTransform")?;
    for (k, node) in transform.children().filter(Node::is_element).enumerate() {
        let direction = unit(numbers::<3>(node, "axis")?);
        let function = node.children().find(|c| c.is_element() && !["coordinates", "axis"].contains(&c.tag_name().name()));
        let function = function.map(|f| if f.tag_name().name() == "function" { f.first_element_child().unwrap_or(f) } else { f });
        let coordinate = text_of(node, "coordinates").unwrap_or("");
        let law = match function {
            Some(function) => Law::read(function)?,
            None if coordinate.is_empty() => Law::Constant(0.0),
            None => Law::Line(1.0, 0.0),
        };
        match (law, k < 3) {
            (Law::Constant(0.0), true) => {}
            (Law::Constant(c), false) => (0..3).for_each(|k| offset[k] += c * direction[k]),
            (Law::Constant(_), true) => return Err("a constant rotation".into()),
            (_, _) if coordinate.split_whitespace().count() != 1 => return Err("a function of several coordinates".into()),
            (law, true) => turns.push(Axis { direction, coordinate, law }),
            (law, false) => slides.push(Axis { direction, coordinate, law }),
        }
    }
    Ok(Transform { turns, slides, offset })
}

/// The fields of borelli's joint that moves in the same way.
fn custom(turns: &[Axis], slides: &[Axis]) -> Option<String> {
    let mut names: Vec<&str> = slides.iter().chain(turns).map(|axis| axis.coordinate).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    let plain = |list: &[Axis]| list.iter().map(Axis::plain).collect::<Option<Vec<[f64; 3]>>>();
    let coordinates: Vec<&str> = slides.iter().chain(turns).map(|axis| axis.coordinate).collect();
    let each_its_own = names.len() == all;
    match (plain(turns), plain(slides)) {
        (Some(turning), Some(sliding)) if each_its_own => {
            let fields = match (&sliding[..], &turning[..]) {
                ([], []) => return Some("type = \"weld\"\n".into()),
                ([], [axis]) => format!("type = \"hinge\"\naxis = {axis:?}\n"),
                ([axis], []) => format!("type = \"slider\"\naxis = {axis:?}\n"),
                ([], [_, _]) => format!("type = \"universal\"\naxes = {turning:?}\n"),
                ([], [_, _, _]) => format!("type = \"gimbal\"\naxes = {turning:?}\n"),
                ([x, y], [about]) if [*x, *y, *about] == AXES => "type = \"planar\"\n".into(),
                (slides, [a, b, c]) if *slides == AXES => {
                    let letter = |axis: &[f64; 3]| AXES.iter().position(|a| a == axis).map(|k| ['x', 'y', 'z'][k]);
                    let sequence: String = [letter(a)?, letter(b)?, letter(c)?].iter().collect();
                    format!("type = \"free\"\nrotation = \"angles\"\nsequence = \"{sequence}\"\n")
                }
                _ => return None,
            };
            Some(format!("{fields}coordinates = {coordinates:?}\n"))
        }
        _ if names.len() == 1 => {
            let mut text = format!("type = \"function\"\ncoordinates = {names:?}\n");
            for slide in slides {
                let axis = AXES.iter().position(|axis| *axis == slide.direction)?;
                let _ = writeln!(text, "{} = {}", ["x", "y", "z"][axis], slide.law.text());
            }
            if !turns.is_empty() {
                let list: Vec<String> =
                    turns.iter().map(|t| format!("{{ axis = {:?}, function = {} }}", t.direction, t.law.text())).collect();
                let _ = writeln!(text, "rotations = [{}]", list.join(", "));
            }
            Some(text)
        }
        _ => None,
    }
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length + 0.0)
}
