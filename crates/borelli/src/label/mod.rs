//! What the names of models and columns say to a reader: the side of the body, plain words, the label of a column and its place in a tree.
//! Not here: names themselves (`borelli-model`), what columns mean (`docs/src/columns.md`).
//! In: a name. Out: its side, its words, its label.

mod abbreviation;
mod column;
mod coordinate;
mod given;
mod side;
#[cfg(test)]
mod tests;

pub use column::{Axes, ColumnLabel, columns};
pub use given::Given;
pub use side::{Side, Sides, side_of};

/// What stands between the words of a name.
const SEPARATORS: [char; 5] = ['_', '.', '-', '/', ' '];

/// The parts of a name between `_`, `.`, `-`, `/` and spaces.
pub(crate) fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(SEPARATORS).filter(|part| !part.is_empty())
}

/// The words of a name without its side, abbreviations spelt out. A lone letter that tells no side is kept, except where it could only have told one.
fn bare_words(name: &str, side: Option<Side>) -> Vec<String> {
    let dropped = |part: &str| Side::of_word(part).is_some() && (side.is_some() || side::single(name));
    parts(name).filter(|part| !dropped(part)).map(abbreviation::spelt).collect()
}

/// A name in plain words, its side last: `thigh_r` on the right is "thigh right". A word is not said twice on end: `knee.knee_r` is "knee right".
pub fn words_of(name: &str, side: Option<Side>) -> String {
    let mut list = bare_words(name, side);
    list.dedup_by(|a, b| a.eq_ignore_ascii_case(b) && a.chars().all(char::is_alphabetic));
    list.extend(side.map(|side| side.word().to_string()));
    list.join(" ")
}

/// A name in plain words, with the side that it tells by itself.
pub fn words(name: &str) -> String {
    words_of(name, side_of(name))
}

/// A text with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// A label within a sentence: its first letter is small, unless it is an abbreviation.
pub fn lower(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next();
    if rest.clone().next().is_some_and(char::is_uppercase) {
        return text.to_string();
    }
    first.map_or(String::new(), |first| first.to_lowercase().chain(rest).collect())
}

/// A unit as people write it: `kg m^2/s` is "kg m²/s".
pub fn unit(unit: &str) -> String {
    unit.replace("^2", "²").replace("^3", "³")
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
