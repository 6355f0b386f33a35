//! What the names of models and columns say to a reader: the side of the body, and plain words.
//! Not here: names themselves (`borelli-model`).
//! In: a name. Out: its side, its words.

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

    /// The side that a word of a name means.
    fn of_word(word: &str) -> Option<Side> {
        match word.to_ascii_lowercase().as_str() {
            "l" | "left" => Some(Side::Left),
            "r" | "right" => Some(Side::Right),
            _ => None,
        }
    }
}

/// The parts of a name between `_`, `.`, `-` and spaces.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['_', '.', '-', ' ']).filter(|part| !part.is_empty())
}

/// The side that a name tells: the first of the words l, left, r, right between `_`, `.`, `-`, spaces or ends.
pub fn side_of(name: &str) -> Option<Side> {
    parts(name).find_map(Side::of_word)
}

/// A name in plain words, its side last: `thigh_r` is "thigh right".
pub fn words(name: &str) -> String {
    let side = side_of(name);
    let mut list: Vec<&str> = parts(name).filter(|part| Side::of_word(part).is_none()).collect();
    list.extend(side.map(Side::word));
    list.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_a_word_of_its_own() {
        for (name, side) in [
            ("thigh_r", Some(Side::Right)),
            ("left-shank", Some(Side::Left)),
            ("contact.heel_L.force", Some(Side::Left)),
            ("r", Some(Side::Right)),
            ("lower leg", None),
            ("crank", None),
        ] {
            assert_eq!(side_of(name), side, "{name}");
        }
    }

    #[test]
    fn words_have_the_side_last() {
        assert_eq!(words("thigh_r"), "thigh right");
        assert_eq!(words("left-upper_arm"), "upper arm left");
        assert_eq!(words("torso"), "torso");
    }
}
