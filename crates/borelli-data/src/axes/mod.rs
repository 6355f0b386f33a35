//! Axes of a laboratory by name, and the rotation to borelli's: X forward, Y up, Z right.
//! Not here: which way the person walks (`heading`), whether the person stands upright (`upright`), turning a recording (`recording::turned`).
//! In: text such as `x-forward, z-up`. Out: one of the 24 rotations that map axes to axes.

mod heading;
mod upright;

pub use heading::{Heading, HeadingSource, heading};
pub use upright::{Upright, look_upright};

use crate::explain::Explain;
use crate::recording::Recording;
use borelli_math::{Mat3, Vec3, vec3};
use std::fmt;

/// A direction along an axis of the laboratory: `+x` to `-z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// 0 for x, 1 for y, 2 for z.
    axis: usize,
    negative: bool,
}

impl Direction {
    /// Along x.
    pub const X: Direction = Direction { axis: 0, negative: false };
    /// Along y.
    pub const Y: Direction = Direction { axis: 1, negative: false };
    /// Along z.
    pub const Z: Direction = Direction { axis: 2, negative: false };
    /// All six.
    pub const ALL: [Direction; 6] =
        [Direction::X, Direction::Y, Direction::Z, Direction::X.reversed(), Direction::Y.reversed(), Direction::Z.reversed()];

    /// The other way.
    pub const fn reversed(self) -> Direction {
        Direction { axis: self.axis, negative: !self.negative }
    }

    /// The unit vector.
    pub fn vector(self) -> Vec3<f64> {
        let mut entries = [0.0; 3];
        entries[self.axis] = if self.negative { -1.0 } else { 1.0 };
        Vec3::from_array(entries)
    }

    /// The direction nearest to a vector; nothing for the zero vector.
    pub fn nearest(v: Vec3<f64>) -> Option<Direction> {
        let mut best: Option<(f64, Direction)> = None;
        for direction in Direction::ALL {
            let along = v.dot(direction.vector());
            if along > best.map_or(0.0, |(most, _)| most) {
                best = Some((along, direction));
            }
        }
        best.map(|(_, direction)| direction)
    }

    /// Reads `+y`, `-x` or `z`.
    pub fn parse(text: &str) -> Result<Direction, AxesFault> {
        let trimmed = text.trim();
        let bad = || AxesFault::BadDirection { text: text.to_string() };
        let (negative, rest) = match trimmed.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
        };
        let axis = match rest.trim().to_ascii_lowercase().as_str() {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return Err(bad()),
        };
        Ok(Direction { axis, negative })
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "" }, ["x", "y", "z"][self.axis])
    }
}

/// What is wrong with a name of axes.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum AxesFault {
    /// Text that is no direction.
    BadDirection { text: String },
    /// A term that is not an axis and a word.
    BadTerm { term: String },
    /// Fewer than two terms, or more than three.
    WrongCount { count: usize },
    /// One axis used for two directions.
    SameAxis { axis: Direction },
    /// Two terms that speak of the same line: forward and backward.
    SameLine { first: String, second: String },
    /// Three terms that make a left-handed system.
    LeftHanded { third: String },
    /// A forward direction that points up or down.
    ForwardIsVertical { forward: Direction, up: Direction },
}

use AxesFault::*;

impl Explain for AxesFault {
    fn code(&self) -> &'static str {
        match self {
            BadDirection { .. } => "bad-direction",
            BadTerm { .. } => "bad-axis-term",
            WrongCount { .. } => "wrong-axis-count",
            SameAxis { .. } => "axis-used-twice",
            SameLine { .. } => "axis-line-named-twice",
            LeftHanded { .. } => "left-handed-axes",
            ForwardIsVertical { .. } => "forward-is-vertical",
        }
    }

    fn message(&self) -> String {
        match self {
            BadDirection { text } => format!("`{text}` is not a direction"),
            BadTerm { term } => format!("`{term}` does not say which axis points where"),
            WrongCount { count } => format!("axes need two directions, {count} given"),
            SameAxis { axis } => format!("axis {} cannot point two ways", ["x", "y", "z"][axis.axis]),
            SameLine { first, second } => format!("`{first}` and `{second}` name the same line"),
            LeftHanded { third } => format!("with `{third}` the axes would be left-handed"),
            ForwardIsVertical { forward, up } => format!("forward is {forward}, but {up} points up"),
        }
    }

    fn hint(&self) -> Option<String> {
        Some(
            match self {
                BadDirection { .. } | ForwardIsVertical { .. } => "one of +x, -x, +y, -y, +z, -z, in the axes of the laboratory",
                LeftHanded { .. } => "leave the third direction out, or change its sign",
                _ => "write for example `x-forward, z-up`; words are forward, backward, up, down, right, left",
            }
            .into(),
        )
    }
}

/// How the axes of a laboratory lie: which of them point forward and up.
///
/// Tests: `there_are_24_rotations_and_each_reads_its_own_name`, `nonsense_is_refused`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    forward: Direction,
    up: Direction,
}

impl Axes {
    /// Borelli's own.
    pub const OWN: Axes = Axes { forward: Direction::X, up: Direction::Y };
    /// The custom of C3D files: x to X, z to Y, y to -Z.
    pub const Z_UP: Axes = Axes { forward: Direction::X, up: Direction::Z };

    /// Axes from two perpendicular directions.
    pub fn new(forward: Direction, up: Direction) -> Result<Axes, AxesFault> {
        if forward.axis == up.axis { Err(ForwardIsVertical { forward, up }) } else { Ok(Axes { forward, up }) }
    }

    /// Axes with this direction up and x forward, or y where x is vertical.
    pub fn with_up(up: Direction) -> Axes {
        Axes { forward: if up.axis == 0 { Direction::Y } else { Direction::X }, up }
    }

    /// Axes that a recording says it has, or else those with `otherwise` up.
    pub fn of_recording(recording: &Recording, otherwise: Direction) -> Axes {
        Axes::with_up(recording.up.and_then(Direction::nearest).unwrap_or(otherwise))
    }

    /// Reads names such as `x-forward, z-up`, `-y-right, z-up`; two directions suffice.
    pub fn parse(text: &str) -> Result<Axes, AxesFault> {
        let terms: Vec<&str> = text.split(',').map(str::trim).filter(|term| !term.is_empty()).collect();
        if !(2..=3).contains(&terms.len()) {
            return Err(WrongCount { count: terms.len() });
        }
        // Lines 0, 1, 2 are forward, up, right; opposite words reverse the axis.
        let mut lines: [Option<(Direction, &str)>; 3] = [None; 3];
        for term in &terms {
            let bad = || BadTerm { term: term.to_string() };
            let cut = term.rfind(['-', ' ']).filter(|cut| *cut > 0).ok_or_else(bad)?;
            let axis = Direction::parse(term[..cut].trim_end_matches(['-', ' '])).map_err(|_| bad())?;
            let (line, reversed) = match term[cut + 1..].to_ascii_lowercase().as_str() {
                "forward" | "forwards" | "front" => (0, false),
                "backward" | "backwards" | "back" => (0, true),
                "up" => (1, false),
                "down" => (1, true),
                "right" => (2, false),
                "left" => (2, true),
                _ => return Err(bad()),
            };
            let axis = if reversed { axis.reversed() } else { axis };
            if let Some((_, first)) = lines[line] {
                return Err(SameLine { first: first.to_string(), second: term.to_string() });
            }
            if lines.iter().flatten().any(|(other, _)| other.axis == axis.axis) {
                return Err(SameAxis { axis });
            }
            lines[line] = Some((axis, term));
        }
        let direction = |line: usize| lines[line].map(|(axis, _)| axis);
        // forward x up = right, up x right = forward, right x forward = up.
        let product = |a: Direction, b: Direction| Direction::nearest(a.vector().cross(b.vector())).unwrap_or(a);
        let axes = match (direction(0), direction(1), direction(2)) {
            (Some(forward), Some(up), _) => Axes { forward, up },
            (Some(forward), None, Some(right)) => Axes { forward, up: product(right, forward) },
            (None, Some(up), Some(right)) => Axes { forward: product(up, right), up },
            _ => return Err(WrongCount { count: terms.len() }),
        };
        match lines[2] {
            Some((right, term)) if product(axes.forward, axes.up) != right => Err(LeftHanded { third: term.to_string() }),
            _ => Ok(axes),
        }
    }

    /// Which axis of the laboratory points forward.
    pub fn forward(&self) -> Direction {
        self.forward
    }

    /// Which axis of the laboratory points up.
    pub fn up(&self) -> Direction {
        self.up
    }

    /// The rotation that takes vectors of the laboratory to borelli's axes.
    pub fn rotation(&self) -> Mat3<f64> {
        let (forward, up) = (self.forward.vector(), self.up.vector());
        Mat3 { x: forward, y: up, z: forward.cross(up) }.transpose()
    }
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-forward, {}-up", self.forward, self.up)
    }
}

/// Turn about the vertical that takes a horizontal direction, in borelli's axes, to X.
pub(crate) fn turn_to_forward(forward: Vec3<f64>) -> Mat3<f64> {
    let flat = vec3(forward.x, 0.0, forward.z);
    let length = flat.norm();
    if length == 0.0 {
        return Mat3::IDENTITY;
    }
    let x = flat.scale(1.0 / length);
    let y = vec3(0.0, 1.0, 0.0);
    Mat3 { x, y, z: x.cross(y) }.transpose()
}

#[cfg(test)]
mod tests;
