//! What the names of models and columns say to a reader: the side of the body, plain words, the label of a column and its place in a tree.
//! Not here: names themselves (`borelli-model`), what columns mean (`docs/src/columns.md`).
//! In: a name. Out: its side, its words, its label.

mod abbreviation;
mod column;
mod coordinate;
mod given;
#[cfg(test)]
mod tests;

pub use column::{Axes, ColumnLabel, columns};
pub use given::Given;

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

/// The parts of a name between `_`, `.`, `-`, `/` and spaces.
pub(crate) fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['_', '.', '-', '/', ' ']).filter(|part| !part.is_empty())
}

/// The side that a name tells: the first of the words l, left, r, right between `_`, `.`, `-`, spaces or ends.
pub fn side_of(name: &str) -> Option<Side> {
    parts(name).find_map(Side::of_word)
}

/// The words of a name without its side, abbreviations spelt out.
fn bare_words(name: &str) -> Vec<String> {
    parts(name).filter(|part| Side::of_word(part).is_none()).map(abbreviation::spelt).collect()
}

/// A name in plain words, its side last: `thigh_r` is "thigh right".
pub fn words(name: &str) -> String {
    let mut list = bare_words(name);
    list.extend(side_of(name).map(|side| side.word().to_string()));
    list.join(" ")
}

/// A text with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// The label of an element of a model: `thigh_r` is "Thigh right".
pub fn element(name: &str) -> String {
    capital(&words(name))
}

/// The label of a case: hyphens between words are spaces, `step-0.60-fine` is "Step 0.60 fine"; those of numbers are signs, `rtol-1e-3` is "Rtol 1e-3".
pub fn case(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut pieces = name.split(['-', '_']).peekable();
    let mut marks = name.chars().filter(|c| ['-', '_'].contains(c));
    while let Some(piece) = pieces.next() {
        text.push_str(piece);
        let (Some(next), Some(mark)) = (pieces.peek(), marks.next()) else { break };
        let word = piece.len() > 1 && piece.chars().all(char::is_alphabetic);
        text.push(if mark == '_' || word || next.starts_with(char::is_alphabetic) { ' ' } else { mark });
    }
    capital(text.trim())
}

/// The label of an event: what a pair of surfaces does, or the words of its name.
pub fn event(name: &str) -> String {
    let touch =
        name.strip_prefix("contact.").and_then(|rest| rest.rsplit_once('.')).filter(|(_, what)| ["touchdown", "liftoff"].contains(what));
    match touch {
        Some((pair, what)) => format!("{}: {what}", element(pair)),
        None => element(name),
    }
}
