//! Coordinates by their names: what moves, and how. `hip_flex_r` is the flexion of the hip on the right.
//! Not here: other columns (`column`).
//! In: a name, what is shown of it, its unit. Out: a label and a place in the tree.

use super::abbreviation::{numbered, spelt};
use super::column::{Axes, ColumnLabel};
use super::{Given, Side, bare_words, capital, parts};

/// What is shown of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Value,
    Rate,
    Accel,
    Effort,
}

impl Shown {
    pub(super) const ALL: [(&'static str, Shown); 4] =
        [(".value", Shown::Value), (".rate", Shown::Rate), (".accel", Shown::Accel), (".effort", Shown::Effort)];
}

/// Last words of names that say how something moves.
const MOTIONS: [&str; 26] = [
    "abduction",
    "adduction",
    "angle",
    "bending",
    "deviation",
    "droop",
    "eversion",
    "extension",
    "flexion",
    "height",
    "inversion",
    "lean",
    "list",
    "obliquity",
    "pitch",
    "position",
    "pronation",
    "roll",
    "rotation",
    "stretch",
    "supination",
    "tilt",
    "turn",
    "twist",
    "velocity",
    "yaw",
];

/// How a part of a joint with names of its own moves: last words such as `tx`, `qw`, `wy`.
enum Part {
    /// Along an axis.
    Along(usize),
    /// About an axis of the parent.
    About(usize),
    /// Part of a quaternion.
    Quaternion(char),
    /// Angular velocity about an axis of the child.
    Turning(usize),
}

fn part(word: &str) -> Option<Part> {
    let axis = |letter: char| "xyz".find(letter);
    let mut letters = word.chars();
    match (letters.next()?, letters.next(), letters.next()) {
        ('q', Some(letter @ ('w' | 'x' | 'y' | 'z')), None) => Some(Part::Quaternion(letter)),
        ('t' | 'p' | 'v', Some(letter), None) => axis(letter).map(Part::Along),
        ('r', Some(letter), None) => axis(letter).map(Part::About),
        ('w', Some(letter), None) => axis(letter).map(Part::Turning),
        (letter, None, None) => axis(letter).map(Part::Along),
        _ => None,
    }
}

/// What is shown, by the unit of a turn or of a displacement.
fn noun(shown: Shown, unit: Option<&str>) -> &'static str {
    let turns = unit.is_some_and(|unit| unit.starts_with("rad") || unit == "N m");
    match (shown, turns) {
        (Shown::Value, true) => "angle",
        (Shown::Value, false) => "position",
        (Shown::Rate, true) => "angular velocity",
        (Shown::Rate, false) => "velocity",
        (Shown::Accel, true) => "angular acceleration",
        (Shown::Accel, false) => "acceleration",
        (Shown::Effort, true) => "moment",
        (Shown::Effort, false) => "force",
    }
}

/// Displacements along the axes.
fn along(axis: usize, shown: Shown, axes: Axes) -> String {
    let what = noun(shown, None);
    if !axes.upright {
        return format!("{what} along {}", ["X", "Y", "Z"][axis]);
    }
    match (axis, shown) {
        (0, _) => format!("forward {what}"),
        (1, Shown::Value) => "height".into(),
        (1, _) => format!("upward {what}"),
        _ => format!("sideways {what}"),
    }
}

/// The first branch of the tree.
fn tree(shown: Shown, unit: Option<&str>) -> &'static str {
    match (shown, unit) {
        (Shown::Value, Some("rad")) => "Joint angles",
        (Shown::Value, Some("1")) => "Quaternions",
        (Shown::Value, _) => "Joint displacements",
        (Shown::Rate, _) => "Joint velocities",
        (Shown::Accel, _) => "Joint accelerations",
        (Shown::Effort, Some("N m")) => "Joint moments",
        (Shown::Effort, _) => "Joint efforts",
    }
}

/// The label of a coordinate's column.
pub(super) fn label(name: &str, side: Option<Side>, shown: Shown, unit: Option<&str>, axes: Axes, given: Given) -> ColumnLabel {
    if let Some(own) = given.get("coordinate", name) {
        let text = if shown == Shown::Value { own.to_string() } else { format!("{own}: {}", noun(shown, unit)) };
        return ColumnLabel { text, path: vec![tree(shown, unit).to_string(), own.to_string()], side };
    }
    let sided = |text: String| side.map_or(text.clone(), |side| format!("{text}, {}", side.word()));
    let beside = |subject: &str| side.map_or(subject.to_string(), |side| format!("{subject} {}", side.word()).trim().to_string());
    let last = parts(name).filter(|part| Side::of_word(part).is_none()).last().unwrap_or_default();
    let (stem, number) = numbered(last);
    let mut subject = bare_words(name, side);
    let mut motion = subject.pop().unwrap_or_default();
    let mut after = "";
    if let Some(part) = part(stem) {
        let letter = |axis: usize| ["x", "y", "z"][axis];
        motion = match part {
            Part::Along(axis) => along(axis, shown, axes),
            Part::About(axis) => format!("rotation about {}", letter(axis).to_uppercase()),
            Part::Quaternion(letter) => format!("quaternion {letter}"),
            Part::Turning(axis) => format!("{} about own {}", noun(shown, unit), letter(axis)),
        };
        if matches!(part, Part::About(_)) && shown != Shown::Value {
            after = noun(shown, unit);
        }
        if !number.is_empty() {
            motion = format!("{motion} {number}");
        }
    } else if MOTIONS.contains(&numbered(&spelt(stem)).0) {
        match shown {
            Shown::Value => (),
            // a moment is no angle: `knee moment`, `hip flexion moment`
            Shown::Effort if motion == "angle" => motion = noun(shown, unit).into(),
            Shown::Effort => motion = format!("{motion} {}", noun(shown, unit)),
            Shown::Rate | Shown::Accel => after = noun(shown, unit),
        }
    } else {
        // the name says what moves and not how
        subject.push(motion);
        motion = if unit.is_some() { noun(shown, unit).into() } else { String::new() };
    }
    let subject = subject.join(" ");
    let mut text = capital(&sided(format!("{subject} {motion}").trim().to_string()));
    if !after.is_empty() {
        text = format!("{text}: {after}");
    }
    let mut path = vec![tree(shown, unit).to_string()];
    path.extend([capital(&beside(&subject)), motion].into_iter().filter(|word| !word.is_empty()));
    ColumnLabel { text, path, side }
}
