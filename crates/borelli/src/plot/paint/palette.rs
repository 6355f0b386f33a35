//! Colours of figures, as they stand in a file or follow the scheme of a page.
//! Not here: colours of curves (`plot`).
//! In: what is coloured. Out: values of attributes.

use crate::figure::Figure;
use crate::label::Side;

/// What may have a colour of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::plot) enum Tint {
    /// A body of the left side.
    Left,
    /// A body of the right side.
    Right,
    /// A body of neither side, where others have one.
    Neither,
    /// A body of a model without sides, by its number.
    Turn(usize),
}

/// Colours of bodies in models without sides.
const TURNS: [&str; 7] = ["#77aadd", "#ee8866", "#44bb99", "#eedd88", "#ffaabb", "#99ddff", "#bbcc33"];

impl Tint {
    /// The tint of a body.
    pub fn of(figure: &Figure, body: usize) -> Tint {
        match figure.bodies[body].side {
            Some(Side::Left) => Tint::Left,
            Some(Side::Right) => Tint::Right,
            None if figure.sided => Tint::Neither,
            None => Tint::Turn(body.saturating_sub(1) % TURNS.len()),
        }
    }

    /// Its colour on a light page.
    pub fn colour(self) -> &'static str {
        match self {
            Tint::Left => "#d9604a",
            Tint::Right => "#3f8fc9",
            Tint::Neither => "#c9cdd3",
            Tint::Turn(k) => TURNS[k % TURNS.len()],
        }
    }

    /// A short word for the names of gradients and classes.
    pub fn word(self) -> String {
        match self {
            Tint::Left => "left".into(),
            Tint::Right => "right".into(),
            Tint::Neither => "neither".into(),
            Tint::Turn(k) => format!("body{k}"),
        }
    }
}

/// Whether colours follow the scheme of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plot) enum Ink {
    /// A picture of its own, on white.
    File,
    /// Part of a page whose style sets the variables `--text`, `--soft`, `--line`, `--stage`, `--neither`, `--ground`, `--free`, `--touching`, `--grid` and
    /// `--shadow`; light where it does not.
    Page,
}

/// What is drawn beside bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plot) enum Role {
    Text,
    Soft,
    Line,
    Stage,
    Neither,
    Force,
    Free,
    Touching,
    Grid,
    Shadow,
    Left,
    Right,
}

impl Ink {
    /// A colour as the value of an attribute.
    pub fn of(self, role: Role) -> String {
        let (name, light) = match role {
            Role::Text => ("text", "#1b1f24"),
            Role::Soft => ("soft", "#59636e"),
            Role::Line => ("line", "#d5dbe1"),
            Role::Stage => ("stage", "#ffffff"),
            Role::Neither => ("neither", Tint::Neither.colour()),
            Role::Force => ("ground", "#1b7f3b"),
            Role::Free => ("free", "#009988"),
            Role::Touching => ("touching", "#ee7733"),
            Role::Grid => ("grid", "#cfd6dd"),
            Role::Shadow => ("shadow", "#d9dfe6"),
            Role::Left => ("left-text", "#cc3311"),
            Role::Right => ("right-text", "#0077bb"),
        };
        match self {
            Ink::File => light.to_string(),
            Ink::Page => format!("var(--{name},{light})"),
        }
    }
}

/// A colour between two, mixed as they are written (sRGB): none of the second, or all of it at one.
pub(in crate::plot) fn mix(first: &str, second: &str, part: f64) -> String {
    let channel = |colour: &str, k: usize| {
        colour.get(1 + 2 * k..3 + 2 * k).and_then(|digits| u8::from_str_radix(digits, 16).ok()).map_or(0.0, f64::from)
    };
    let mixed = [0, 1, 2].map(|k| ((1.0 - part) * channel(first, k) + part * channel(second, k)).round() as u8);
    format!("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2])
}
