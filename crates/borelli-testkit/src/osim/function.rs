//! Functions of one coordinate: constants, lines and the splines of SIMM, each times a factor.
//! Not here: functions of several coordinates and all other kinds, which are refused by name.

use super::{child, list, numbers, words};
use roxmltree::Node;

/// What a transform axis does with its coordinate.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Law {
    Constant(f64),
    /// Slope and value at zero.
    Line(f64, f64),
    Spline(Vec<f64>, Vec<f64>),
}

impl Law {
    /// Reads a function element.
    pub(super) fn read(node: Node) -> Result<Law, String> {
        match node.tag_name().name() {
            "Constant" => Ok(Law::Constant(numbers::<1>(node, "value")?[0])),
            "LinearFunction" => numbers::<2>(node, "coefficients").map(|[slope, offset]| Law::Line(slope, offset)),
            "SimmSpline" => {
                let (x, y) = (list(words(node, "x")?)?, list(words(node, "y")?)?);
                if x.len() == y.len() { Ok(Law::Spline(x, y)) } else { Err("SimmSpline with unequal lists".into()) }
            }
            "MultiplierFunction" => {
                let [scale] = numbers::<1>(node, "scale")?;
                let inner = child(node, "function").and_then(|f| f.first_element_child()).ok_or("MultiplierFunction of nothing")?;
                Ok(match Law::read(inner)? {
                    Law::Constant(c) => Law::Constant(scale * c),
                    Law::Line(slope, offset) => Law::Line(scale * slope, scale * offset),
                    Law::Spline(x, y) => Law::Spline(x, y.iter().map(|y| scale * y).collect()),
                })
            }
            other => Err(format!("function {other}")),
        }
    }

    /// Plus or minus one for q or −q.
    pub(super) fn sign(&self) -> Option<f64> {
        match *self {
            Law::Line(slope, 0.0) if slope.abs() == 1.0 => Some(slope),
            _ => None,
        }
    }

    /// As an inline table of a model file.
    pub(super) fn text(&self) -> String {
        match self {
            Law::Constant(c) => format!("{{ type = \"constant\", constant = {c:?} }}"),
            Law::Line(slope, offset) => format!("{{ type = \"polynomial\", coefficients = [{offset:?}, {slope:?}] }}"),
            Law::Spline(x, y) => format!("{{ type = \"table\", x = {x:?}, y = {y:?}, interpolation = \"simm\", outside = \"tangent\" }}"),
        }
    }
}
