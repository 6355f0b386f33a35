//! Colours of figures, as they stand in a file or follow the scheme of a page.
//! Not here: colours of curves (`plot`).
//! In: what is coloured. Out: values of attributes.

use crate::figure::{Figure, ToneKind};
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

/// Colours of bodies in models without sides: none of them is like the red of the left, the blue of the right, or the colours of contact surfaces.
/// The page has the same (`report/page/scene.js`).
const TURNS: [&str; 7] = ["#b7a0d6", "#eedd88", "#8fa870", "#b08d6a", "#bbcc33", "#8f9aa6", "#c995c4"];

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

/// Colours of muscles by activation and of cords by tension, of cords that push, and of ligaments by strain. The page has the same
/// (`report/page/scene-pull.js`).
pub(in crate::plot) const PULLING: [&str; 3] = ["#f7ccb8", "#cc3329", "#66001a"];
const PUSHING: [&str; 2] = ["#c9d6ea", "#3b6fb6"];
pub(in crate::plot) const STRAINED: [&str; 3] = ["#e4e0c8", "#3f9a8a", "#0b3c49"];

/// The colour of a line of pull at a part of full colour; without anything to tell, that of a muscle.
pub(in crate::plot) fn pull_colour(kind: Option<ToneKind>, part: f64) -> String {
    match kind {
        None => PULLING[1].to_string(),
        Some(ToneKind::Ligament) => on_scale(&STRAINED, part),
        Some(_) if part < 0.0 => on_scale(&PUSHING, -part),
        Some(_) => on_scale(&PULLING, part),
    }
}

/// A colour on a scale, from 0 to 1.
pub(in crate::plot) fn on_scale(scale: &[&str], part: f64) -> String {
    let at = part.clamp(0.0, 1.0) * (scale.len() - 1) as f64;
    let k = (at.floor() as usize).min(scale.len() - 2);
    mix(scale[k], scale[k + 1], at - k as f64)
}

/// A colour between two, mixed as they are written (sRGB): none of the second, or all of it at one.
pub(in crate::plot) fn mix(first: &str, second: &str, part: f64) -> String {
    let channel = |colour: &str, k: usize| {
        colour.get(1 + 2 * k..3 + 2 * k).and_then(|digits| u8::from_str_radix(digits, 16).ok()).map_or(0.0, f64::from)
    };
    let mixed = [0, 1, 2].map(|k| ((1.0 - part) * channel(first, k) + part * channel(second, k)).round() as u8);
    format!("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE L*a*b* of a colour as written (sRGB, D65).
    fn lab(colour: &str) -> [f64; 3] {
        let channel = |k: usize| {
            let c = f64::from(u8::from_str_radix(&colour[1 + 2 * k..3 + 2 * k], 16).expect("two digits")) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        let [r, g, b] = [0, 1, 2].map(channel);
        let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505;
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089;
        let [x, y, z] = [x, y, z].map(|t| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Distance of two colours as eyes see it, ΔE of 1976; a difference of 30 is another colour at a glance.
    fn apart(a: &str, b: &str) -> f64 {
        let (a, b) = (lab(a), lab(b));
        (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn no_body_without_a_side_looks_like_a_side_or_a_contact() {
        assert!((lab("#ffffff")[0] - 100.0).abs() < 0.1 && apart("#000000", "#ffffff") > 99.0);
        // Of each the strong colour, and the pale one of poses at other times.
        let reserved = [Tint::Left.colour(), Tint::Right.colour(), "#cc3311", "#0077bb", "#ee7733", "#009988"];
        for turn in TURNS {
            for own in reserved {
                assert!(apart(turn, own) > 30.0, "{turn} and {own}: {}", apart(turn, own));
                let (pale_turn, pale) = (mix(turn, "#f7f9fb", 0.7), mix(own, "#f7f9fb", 0.7));
                assert!(apart(&pale_turn, &pale) > 10.0, "pale {turn} and {own}: {}", apart(&pale_turn, &pale));
            }
        }
    }

    #[test]
    fn the_page_has_the_same_colours() {
        let script = include_str!("../../report/page/scene.js").to_lowercase();
        let list = TURNS.map(|turn| format!("\"{turn}\"")).join(", ");
        assert!(script.contains(&list), "{list}");
        let script = include_str!("../../report/page/scene-pull.js").to_lowercase();
        for scale in [&PULLING[..], &STRAINED, &PUSHING] {
            let list = scale.iter().map(|colour| format!("\"{colour}\"")).collect::<Vec<_>>().join(", ");
            assert!(script.contains(&list), "{list}");
        }
        assert_eq!([-1.0, 0.0, 0.5, 1.0].map(|part| pull_colour(Some(ToneKind::Cord), part)), ["#3b6fb6", "#f7ccb8", "#cc3329", "#66001a"]);
    }
}
