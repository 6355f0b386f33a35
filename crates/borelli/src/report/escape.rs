//! Text and numbers inside pages: nothing that is written can become markup or end a script.
//! Not here: what is written.

use std::fmt::Write;

/// Text for HTML and SVG, in elements and in quoted attributes. Characters that XML forbids become a question mark in a box.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Text for elements of a page, with what stands between two backticks (names in files, settings) in the type of code.
pub(super) fn prose(text: &str) -> String {
    let escaped = escape(text);
    let mut parts = escaped.split('`');
    let mut out = parts.next().unwrap_or_default().to_string();
    while let Some(part) = parts.next() {
        out.push_str(&match parts.next() {
            Some(rest) if part.is_empty() => format!("``{rest}"),
            Some(rest) => format!("<code>{part}</code>{rest}"),
            // A lone one has no end.
            None => format!("`{part}"),
        });
    }
    out
}

/// Units that belong to the number before them.
const UNITS: [&str; 34] = [
    "N",
    "kN",
    "m",
    "mm",
    "cm",
    "µm",
    "km",
    "s",
    "ms",
    "µs",
    "min",
    "J",
    "kJ",
    "W",
    "kg",
    "g",
    "Pa",
    "kPa",
    "MPa",
    "GPa",
    "Hz",
    "rad",
    "deg",
    "rad/s",
    "deg/s",
    "m/s",
    "1/s",
    "%",
    "N/m",
    "N/mm",
    "degrees",
    "micrometres",
    "steps/min",
    "V",
];

/// Text whose numbers stay with their units where lines break. Before it is escaped.
pub(super) fn glued(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(' ') {
        let bare = word.trim_end_matches(['.', ',', ';', ':', ')', '”']);
        let glue = out.chars().next_back().is_some_and(|c| c.is_ascii_digit()) && UNITS.contains(&bare);
        if !out.is_empty() {
            out.push(if glue { '\u{a0}' } else { ' ' });
        }
        out.push_str(word);
    }
    out
}

/// A number with a true minus sign.
pub fn with_minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

/// A JSON string that may stand in a script element: `<` is written by its code.
pub(super) fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('<', "\\u003c")
}

/// A JSON number with the shortest digits that give the same bits back; `null` for what is not finite.
pub(super) fn json_number(out: &mut String, x: f64) {
    // Writing to a string cannot fail.
    let _ = if x.is_finite() { write!(out, "{x:?}") } else { write!(out, "null") };
}

/// A number with some significant digits, as people write it: no trailing zeros, powers of ten where plain digits would be long.
pub fn significant(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { format!("{x}") };
    }
    let text = format!("{x:.*e}", digits.saturating_sub(1));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    let trim =
        |text: &str| if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text.to_string() };
    if (-4..6).contains(&power) {
        return trim(&format!("{x:.*}", (digits as i32 - 1 - power).max(0) as usize));
    }
    format!("{}e{power}", trim(mantissa))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escape("<a href=\"x\">&'\u{0}"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\u{fffd}");
        assert_eq!(json_string("</script>\n"), "\"\\u003c/script>\\n\"");
    }

    #[test]
    fn names_between_backticks_are_code_and_nothing_else_is() {
        assert_eq!(prose("of `SACR` and `a<b`"), "of <code>SACR</code> and <code>a&lt;b</code>");
        assert_eq!(prose("a ` b"), "a ` b");
        assert_eq!(prose("`` `x`"), "`` <code>x</code>");
        assert_eq!(prose("<`</td>`>"), "&lt;<code>&lt;/td&gt;</code>&gt;");
        assert_eq!(prose(""), "");
    }

    #[test]
    fn a_number_stays_with_its_unit() {
        assert_eq!(
            glued("ends 1.2 m from here, 30 N; in 4 cases of 5 s."),
            "ends 1.2\u{a0}m from here, 30\u{a0}N; in 4 cases of 5\u{a0}s."
        );
        assert_eq!(glued("The model m of 3 parts"), "The model m of 3 parts");
    }

    #[test]
    fn numbers_are_short_and_right() {
        let cases = [
            (0.0, "0"),
            (1.0238, "1.0238"),
            (-54.44, "-54.44"),
            (716.2, "716.2"),
            (0.1 + 0.2, "0.3"),
            (123456.7, "123457"),
            (1234567.0, "1.23457e6"),
            (1e-9, "1e-9"),
            (0.00012345, "0.00012345"),
            (999999.9, "1e6"),
            (100.0, "100"),
        ];
        for (x, text) in cases {
            assert_eq!(significant(x, 6), text);
        }
    }

    #[test]
    fn json_numbers_come_back_bit_for_bit() {
        for x in [0.1, -0.0, 1e300, 5e-324, 1.0 / 3.0, 123456789.0, f64::MAX] {
            let mut text = String::new();
            json_number(&mut text, x);
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(x.to_bits()), "{text}");
        }
        let mut text = String::new();
        json_number(&mut text, f64::NAN);
        assert_eq!(text, "null");
    }
}
