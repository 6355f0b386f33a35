//! Which role each point of a recording has, from its name.
//! Not here: names that users add (`map`).
//! In: names. Out: roles by point, points by role, and the names nobody knows.

use super::map::MarkerMap;
use super::role::{Part, Role};
use crate::recording::{Recording, Side};
use borelli_math::Vec3;

/// The table of names, one role a line.
pub const NAME_TABLE: &str = include_str!("names.txt");

/// Names that only markerless tools use.
const MARKERLESS: [&str; 7] = ["rbigtoe", "lbigtoe", "midhip", "nose", "neck", "rsmalltoe", "reye"];

/// Two points that both have a name of the same role.
#[derive(Clone, Debug, PartialEq)]
pub struct Double {
    /// The role.
    pub role: Role,
    /// Name of the point that has it.
    pub kept: String,
    /// Name of the point that is left without.
    pub left_out: String,
}

/// Roles of the points of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Landmarks {
    names: Vec<String>,
    roles: Vec<Option<Role>>,
    /// Points with names of a role that another point has.
    pub doubles: Vec<Double>,
    /// Whether the names are those of a markerless tool.
    pub markerless: bool,
}

/// A name without what differs from laboratory to laboratory: prefix before a colon, case, separators.
pub(super) fn plain(name: &str) -> String {
    let bare = name.rsplit_once(':').map_or(name, |(_, rest)| rest);
    bare.chars().filter(|c| !matches!(c, '.' | '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Whether a plain name has the form of a pattern, and on which side.
fn matches(pattern: &str, name: &str) -> Option<Option<Side>> {
    if !pattern.contains('%') {
        return digits_match(pattern, name).then_some(None);
    }
    // The long words first, so that `left...` is not read as l and `eft...`.
    let words = [("right", Side::Right), ("left", Side::Left), ("r", Side::Right), ("l", Side::Left)];
    words.iter().find(|(word, _)| digits_match(&pattern.replace('%', word), name)).map(|(_, side)| Some(*side))
}

/// Equality with `#` for one or more digits, anywhere once.
fn digits_match(pattern: &str, name: &str) -> bool {
    let Some((before, after)) = pattern.split_once('#') else { return pattern == name };
    name.strip_prefix(before)
        .and_then(|rest| rest.strip_suffix(after))
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

impl Landmarks {
    /// Roles of points by their names: those of the user's map first, then the table.
    ///
    /// Tests: `common_marker_sets_are_recognised`, `knees_of_markerless_tools_are_joint_centres`, `a_map_has_the_last_word`.
    pub fn recognise<S: AsRef<str>>(names: &[S], map: Option<&MarkerMap>) -> Landmarks {
        let plain_names: Vec<String> = names.iter().map(|name| plain(name.as_ref())).collect();
        let markerless = plain_names.iter().filter(|name| MARKERLESS.contains(&name.as_str())).count() >= 2;
        let mut landmarks = Landmarks {
            names: names.iter().map(|name| name.as_ref().to_string()).collect(),
            roles: vec![None; names.len()],
            doubles: Vec::new(),
            markerless,
        };
        if let Some(map) = map {
            for (index, name) in plain_names.iter().enumerate() {
                if let Some(role) = map.role(name) {
                    landmarks.give(index, role);
                }
            }
        }
        for special in [true, false] {
            if special && !markerless {
                continue;
            }
            for (part, pattern) in table(special) {
                for (index, name) in plain_names.iter().enumerate() {
                    let mapped = map.is_some_and(|map| map.knows(name));
                    if let Some(side) = matches(pattern, name).filter(|_| !mapped && landmarks.roles[index].is_none()) {
                        landmarks.give(index, Role { part, side: side.filter(|_| part.sided()) });
                    }
                }
            }
        }
        landmarks
    }

    /// Roles of the points of a recording.
    pub fn of(recording: &Recording, map: Option<&MarkerMap>) -> Landmarks {
        let names: Vec<&str> = recording.points.iter().map(|point| point.name.as_str()).collect();
        Landmarks::recognise(&names, map)
    }

    /// Gives a point a role, unless another has it and it can have only one.
    fn give(&mut self, index: usize, role: Role) {
        match self.index(role) {
            Some(kept) if role.part.unique() => {
                let double = Double { role, kept: self.names[kept].clone(), left_out: self.names[index].clone() };
                if !self.doubles.contains(&double) {
                    self.doubles.push(double);
                }
            }
            _ => self.roles[index] = Some(role),
        }
    }

    /// Role of a point.
    pub fn role(&self, point: usize) -> Option<Role> {
        self.roles.get(point).copied().flatten()
    }

    /// The first point of a role.
    pub fn index(&self, role: Role) -> Option<usize> {
        self.roles.iter().position(|found| *found == Some(role))
    }

    /// The name in the recording of the first point of a role.
    pub fn name(&self, role: Role) -> Option<&str> {
        self.index(role).map(|index| self.names[index].as_str())
    }

    /// Names of points without a role.
    pub fn unknown(&self) -> Vec<&str> {
        self.names.iter().zip(&self.roles).filter(|(_, role)| role.is_none()).map(|(name, _)| name.as_str()).collect()
    }

    /// Names of all points.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Place of a role in a frame, m.
    pub fn place(&self, recording: &Recording, role: Role, frame: usize) -> Option<Vec3<f64>> {
        let point = &recording.points[self.index(role)?];
        point.seen.get(frame).copied().unwrap_or(false).then(|| point.position[frame])
    }

    /// Middle of both sides of the first of `parts` that the recording has and that is seen in a frame, m. Where only one side has the marker, that one.
    pub fn middle_of(&self, recording: &Recording, parts: &[Part], frame: usize) -> Option<Vec3<f64>> {
        parts.iter().find_map(|part| {
            let roles = if part.sided() { Side::BOTH.map(|side| Role::on(*part, side)).to_vec() } else { vec![Role::middle(*part)] };
            let had: Vec<Role> = roles.into_iter().filter(|role| self.index(*role).is_some()).collect();
            let places: Option<Vec<Vec3<f64>>> = had.iter().map(|role| self.place(recording, *role, frame)).collect();
            let places = places.filter(|places| !places.is_empty())?;
            Some(places.iter().fold(Vec3::ZERO, |sum, p| sum + *p).scale(1.0 / places.len() as f64))
        })
    }
}

/// Lines of the table: those for markerless tools, or the others.
fn table(markerless: bool) -> impl Iterator<Item = (Part, &'static str)> {
    let lines = NAME_TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
    lines
        .filter(move |(head, _)| head.contains("@markerless") == markerless)
        .filter_map(|(head, names)| {
            let part = head.split_whitespace().next().unwrap_or_default();
            Part::ALL.iter().find(|p| p.name() == part).map(|part| (*part, names))
        })
        .flat_map(|(part, names)| names.split_whitespace().map(move |name| (part, name)))
}

#[cfg(test)]
#[path = "recognise_tests.rs"]
mod tests;
