//! Left and right: which names tell a side of the body.
//! Not here: other words of names.
//! In: a name, and the names beside it. Out: its side, if it certainly has one.
//!
//! The words `left` and `right` always tell a side. A lone letter `l` or `r` may mean anything, a radius or the half of a body that is there only once. It tells a side
//! where the same name exists with the other letter, or where the name is of a part of the body that comes in pairs; so the one leg of a single-leg model is a
//! right leg, and the trunk that it carries has no side.

use super::{SEPARATORS, parts};
use std::collections::BTreeSet;

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Side {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Side::Left => "left",
            Side::Right => "right",
        }
    }

    /// The side that a word of a name may mean.
    pub(super) fn of_word(word: &str) -> Option<Side> {
        match word.to_ascii_lowercase().as_str() {
            "l" | "left" => Some(Side::Left),
            "r" | "right" => Some(Side::Right),
            _ => None,
        }
    }
}

/// Parts of a person, and what feet push on a bicycle, that come in pairs. Digits at the end of a word do not count.
const PAIRED: &[&str] = &[
    "acl",
    "acromion",
    "acromium",
    "ankle",
    "arm",
    "arms",
    "asis",
    "biceps",
    "calcaneus",
    "calcn",
    "calf",
    "capsule",
    "clavicle",
    "condyle",
    "crank",
    "ear",
    "elbow",
    "eye",
    "femur",
    "fibula",
    "finger",
    "foot",
    "forearm",
    "forefoot",
    "gastrocnemius",
    "hallux",
    "hamstrings",
    "hand",
    "heel",
    "hindfoot",
    "hip",
    "humerus",
    "knee",
    "lateral",
    "lcl",
    "leg",
    "legs",
    "malleolus",
    "mcl",
    "medial",
    "meniscus",
    "metatarsal",
    "midfoot",
    "mtp",
    "patella",
    "pcl",
    "pedal",
    "plateau",
    "popliteal",
    "psis",
    "rectus",
    "scapula",
    "shank",
    "shin",
    "shoulder",
    "soleus",
    "subtalar",
    "talus",
    "thigh",
    "thumb",
    "tibia",
    "toe",
    "toes",
    "ulna",
    "upperarm",
    "vasti",
    "wrist",
];

/// Parts of which a person, or a bicycle, has one.
const SINGLE: &[&str] = &["abdomen", "axle", "hat", "head", "lumbar", "neck", "pelvis", "saddle", "spine", "thorax", "torso", "trunk"];

/// Whether a part of a name is among some words.
fn has(name: &str, words: &[&str]) -> bool {
    parts(name).any(|part| words.contains(&part.to_ascii_lowercase().trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// Whether a name is of a part that a person has once.
pub(super) fn single(name: &str) -> bool {
    has(name, SINGLE) && !has(name, PAIRED)
}

/// The side that a name tells by itself: a whole word, or a letter beside a part that comes in pairs.
pub fn side_of(name: &str) -> Option<Side> {
    let (word, side) = parts(name).find_map(|part| Some((part, Side::of_word(part)?)))?;
    (word.len() > 1 || has(name, PAIRED)).then_some(side)
}

/// Names of one kind, of a model or a table, that decide together which of them have a side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sides(BTreeSet<String>);

impl Sides {
    /// All names of a kind.
    pub fn among<'n>(names: impl IntoIterator<Item = &'n str>) -> Sides {
        Sides(names.into_iter().filter(|name| parts(name).any(|part| Side::of_word(part).is_some())).map(str::to_lowercase).collect())
    }

    /// The side of a name: the one it tells by itself, or by its counterpart among the others.
    pub fn of(&self, name: &str) -> Option<Side> {
        side_of(name).or_else(|| {
            let side = parts(name).find_map(Side::of_word)?;
            let other = if side == Side::Left { 'r' } else { 'l' };
            let letter = |c: char| !SEPARATORS.contains(&c);
            let lone = |at: &usize| {
                let (before, after) = (name[..*at].chars().next_back(), name[*at + 1..].chars().next());
                !before.is_some_and(letter) && !after.is_some_and(letter)
            };
            let at = name.char_indices().filter(|(_, c)| "lrLR".contains(*c)).map(|(at, _)| at).find(lone)?;
            let counterpart = format!("{}{other}{}", &name[..at], &name[at + 1..]).to_lowercase();
            self.0.contains(&counterpart).then_some(side)
        })
    }
}
