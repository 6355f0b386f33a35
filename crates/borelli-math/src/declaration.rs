//! How a number is declared: name, unit, allowed values, whether it must be given, one line of text.
//! Not here: any particular number; laws, shapes, elements and files declare their own. Units are words here: nothing is converted.
//! In: constant tables. Out: what readers, checkers, messages, schema and manual work from.

use std::fmt;

/// One number of a law, a shape, an element or a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// Its SI unit; `1` for a pure number, `*` where only the reader knows it.
    pub unit: &'static str,
    /// Allowed SI values.
    pub range: Range,
    /// Whether it must be given.
    pub need: Need,
    /// What it is, in one line.
    pub doc: &'static str,
}

/// Whether something must be given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Need {
    /// It must.
    Required,
    /// It may be left out.
    Optional,
    /// If left out it has this SI value (numbers, and functions of one value).
    Default(f64),
}

impl Need {
    /// The value of what is left out.
    pub const fn default(self) -> Option<f64> {
        if let Need::Default(value) = self { Some(value) } else { None }
    }
}

/// An interval of allowed SI values; infinity and NaN are never inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// True when the smallest value itself is not allowed.
    pub open_min: bool,
}

impl Range {
    /// Every finite number.
    pub const ANY: Range = Range::between(f64::NEG_INFINITY, f64::INFINITY);
    /// Above zero.
    pub const POSITIVE: Range = Range { min: 0.0, max: f64::INFINITY, open_min: true };
    /// Zero or above.
    pub const NON_NEGATIVE: Range = Range::between(0.0, f64::INFINITY);
    /// One or above.
    pub const AT_LEAST_ONE: Range = Range::between(1.0, f64::INFINITY);
    /// From zero to one.
    pub const UNIT: Range = Range::between(0.0, 1.0);
    /// Above zero, at most one.
    pub const FRACTION: Range = Range { min: 0.0, max: 1.0, open_min: true };

    /// From `min` to `max`, both allowed if they are finite.
    pub const fn between(min: f64, max: f64) -> Range {
        Range { min, max, open_min: false }
    }

    /// True when x is allowed.
    pub fn contains(&self, x: f64) -> bool {
        x.is_finite() && x <= self.max && if self.open_min { x > self.min } else { x >= self.min }
    }

    /// In words, with the unit of its bounds: `above 0 m`.
    pub fn in_unit(&self, unit: &str) -> String {
        let bounded = self.min.is_finite() || self.max.is_finite();
        if bounded { with_unit(self, unit) } else { self.to_string() }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = if self.open_min { "above" } else { "at least" };
        match (self.min.is_finite(), self.max.is_finite()) {
            (true, true) => write!(f, "{low} {} and at most {}", self.min, self.max),
            (true, false) => write!(f, "{low} {}", self.min),
            (false, true) => write!(f, "at most {}", self.max),
            (false, false) => f.write_str("finite"),
        }
    }
}

/// Something with its unit, as text; what is a pure number, or has no known unit, stands alone.
pub fn with_unit(value: impl fmt::Display, unit: &str) -> String {
    if matches!(unit, "1" | "*" | "") { value.to_string() } else { format!("{value} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BELOW: Range = Range::between(f64::NEG_INFINITY, 2.0);
    const ALL: [Range; 7] = [Range::ANY, Range::POSITIVE, Range::NON_NEGATIVE, Range::AT_LEAST_ONE, Range::UNIT, Range::FRACTION, BELOW];

    #[test]
    fn no_range_holds_infinity_or_nan() {
        for range in ALL {
            for x in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                assert!(!range.contains(x), "{x} is {range}");
            }
        }
    }

    #[test]
    fn ends_are_inside_unless_open() {
        let inside = |x: f64| ALL.map(|range| range.contains(x));
        //                            any   positive non-neg  >= 1   unit  fraction <= 2
        assert_eq!(inside(-f64::MAX), [true, false, false, false, false, false, true]);
        assert_eq!(inside(-1e-300), [true, false, false, false, false, false, true]);
        assert_eq!(inside(0.0), [true, false, true, false, true, false, true]);
        assert_eq!(inside(1e-300), [true, true, true, false, true, true, true]);
        assert_eq!(inside(1.0), [true, true, true, true, true, true, true]);
        assert_eq!(inside(2.0), [true, true, true, true, false, false, true]);
        assert_eq!(inside(f64::MAX), [true, true, true, true, false, false, false]);
    }

    #[test]
    fn ranges_have_words_and_units() {
        let words = ALL.map(|range| range.in_unit("N m"));
        let expected = [
            "finite",
            "above 0 N m",
            "at least 0 N m",
            "at least 1 N m",
            "at least 0 and at most 1 N m",
            "above 0 and at most 1 N m",
            "at most 2 N m",
        ];
        assert_eq!(words, expected);
        for unit in ["1", "*", ""] {
            assert_eq!(Range::POSITIVE.in_unit(unit), "above 0");
        }
    }

    #[test]
    fn only_a_default_has_a_value() {
        assert_eq!([Need::Required, Need::Optional, Need::Default(2.0)].map(Need::default), [None, None, Some(2.0)]);
    }
}
