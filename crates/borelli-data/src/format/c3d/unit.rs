//! Units as laboratories write them into C3D files: `Nmm`, `degrees`, `mV`.
//! Not here: the units of borelli's own files (`crate::units`), which this leans on.
//! In: the text of a unit. Out: its factor to SI and the SI unit, or nothing where it is not understood.

use crate::dim::Dim;
use crate::trajectory::si_text;
use crate::units::parse_unit;

/// Words and the units they mean, in lower case. `nm` in a laboratory's file is a moment, not a length.
const WORDS: [(&str, &str); 24] = [
    ("nmm", "N mm"),
    ("nm", "N m"),
    ("n", "N"),
    ("newton", "N"),
    ("newtons", "N"),
    ("deg", "deg"),
    ("degree", "deg"),
    ("degrees", "deg"),
    ("°", "deg"),
    ("radian", "rad"),
    ("radians", "rad"),
    ("millimeter", "mm"),
    ("millimeters", "mm"),
    ("millimetres", "mm"),
    ("centimeters", "cm"),
    ("centimetres", "cm"),
    ("meter", "m"),
    ("meters", "m"),
    ("metres", "m"),
    ("inch", "in"),
    ("inches", "in"),
    ("feet", "ft"),
    ("watt", "W"),
    ("watts", "W"),
];

/// Voltages, which are no unit of mechanics.
const VOLTS: [(&str, f64); 8] =
    [("v", 1.0), ("volt", 1.0), ("volts", 1.0), ("mv", 1e-3), ("millivolts", 1e-3), ("uv", 1e-6), ("µv", 1e-6), ("μv", 1e-6)];

/// Factor to SI and the SI unit. A lone `g` is not understood: it is gravity for an accelerometer and a gram for a balance.
///
/// Tests: `units_of_laboratories_are_understood`.
pub(super) fn si(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let small = text.to_lowercase();
    if small.is_empty() || small == "g" {
        return None;
    }
    if let Some((_, factor)) = VOLTS.iter().find(|(word, _)| *word == small) {
        return Some((*factor, "V".into()));
    }
    understood(text).map(|(factor, dim)| (factor, si_text(dim)))
}

/// Factor to metres of a unit of length.
pub(super) fn length(text: &str) -> Option<f64> {
    understood(text.trim()).filter(|(_, dim)| *dim == Dim::LENGTH).map(|(factor, _)| factor)
}

fn understood(text: &str) -> Option<(f64, Dim)> {
    let plain = |part: &str| -> String {
        let joined: String = part.chars().filter(|c| !matches!(c, '.' | '*' | '·' | ' ' | '-')).collect();
        let word = WORDS.iter().find(|(word, _)| *word == joined.to_lowercase()).map(|(_, unit)| unit.to_string());
        // `s2` is `s^2`
        let power = joined.strip_suffix('2').filter(|rest| rest.chars().all(char::is_alphabetic) && !rest.is_empty());
        word.or_else(|| power.map(|rest| format!("{rest}^2"))).unwrap_or_else(|| part.to_string())
    };
    if let Some((above, below)) = text.split_once('/') {
        return parse_unit(&format!("{}/{}", plain(above), plain(below))).ok();
    }
    parse_unit(&plain(text)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_laboratories_are_understood() {
        for (text, factor, unit) in [
            ("N", 1.0, "N"),
            ("Nmm", 1e-3, "N m"),
            ("N.mm", 1e-3, "N m"),
            ("N-m", 1.0, "N m"),
            ("Nm", 1.0, "N m"),
            ("nm", 1.0, "N m"),
            ("kN", 1e3, "N"),
            ("V", 1.0, "V"),
            ("mV", 1e-3, "V"),
            ("uV", 1e-6, "V"),
            ("deg", std::f64::consts::PI / 180.0, "rad"),
            ("Degrees", std::f64::consts::PI / 180.0, "rad"),
            ("W", 1.0, "W"),
            ("W/kg", 1.0, "m^2/s^3"),
            ("Nmm/kg", 1e-3, "m^2/s^2"),
            ("m/s2", 1.0, "m/s^2"),
            ("mm", 1e-3, "m"),
        ] {
            assert_eq!(si(text), Some((factor, unit.to_string())), "{text}");
        }
        for text in ["", "g", "bits", "furlong", "N/", "///", "\u{1}"] {
            assert_eq!(si(text), None, "{text}");
        }
        // what is written in SI is read as such
        for (text, _) in crate::dim::SHOWN.iter().skip(1) {
            assert_eq!(si(text), Some((1.0, text.to_string())), "{text}");
        }
        assert_eq!(si("1"), Some((1.0, "1".into())));
        assert_eq!(length("inches"), Some(0.0254));
        assert_eq!(length("N"), None);
    }
}
