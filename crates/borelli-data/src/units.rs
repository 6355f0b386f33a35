//! Units: text to a factor and a dimension with rational exponents.
//! Not here: which field wants which dimension.
//! In: `"38400 kg cm^2"`, `"N s/m"`. Out: SI value and [`Dim`], or what is wrong with the text.

use crate::dim::{Dim, Exponent, dim};
use crate::suggest::suggest;

/// What can be wrong with the text of a quantity or of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitFault {
    /// The text does not begin with a number.
    NoNumber {
        /// The text.
        text: String,
    },
    /// NaN, infinity, or too large to be represented.
    NotFinite {
        /// The text.
        text: String,
    },
    /// A unit nobody knows.
    UnknownUnit {
        /// The unit.
        unit: String,
        /// A known unit that looks like it.
        nearest: Option<String>,
    },
    /// An exponent that is no decimal number or fraction, or is absurd.
    BadExponent {
        /// The text of the exponent.
        text: String,
    },
    /// Something else stands where a unit was expected.
    BadUnit {
        /// The whole text.
        text: String,
        /// What stands there; empty at the end of the text.
        found: String,
    },
}

/// A factor `factor * 10^ten`: kept apart so that `1.4 cm` is exactly the number `0.014`.
#[derive(Clone, Copy)]
struct Scale {
    factor: f64,
    ten: Exponent,
}

const UNIT: Scale = Scale { factor: 1.0, ten: Exponent::ZERO };

impl Scale {
    fn times(self, other: Scale) -> Option<Scale> {
        Some(Scale { factor: self.factor * other.factor, ten: self.ten.plus(other.ten)? })
    }

    fn power(self, e: Exponent) -> Option<Scale> {
        Some(Scale { factor: power(self.factor, e), ten: self.ten.times(e)? })
    }

    /// The number written as `text` times this scale; decimal shifts are made in the text and cost no rounding.
    fn apply(self, text: &str) -> f64 {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(k) => (&text[..k], text[k + 1..].parse::<i64>().unwrap_or(if text[k + 1..].starts_with('-') { -9999 } else { 9999 })),
            None => (text, 0),
        };
        let number = |exponent: i64| format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN);
        if self.factor == 1.0 && self.ten.den == 1 {
            return number(exponent.saturating_add(i64::from(self.ten.num)));
        }
        let ten = power(10.0, Exponent { num: self.ten.num.abs(), den: self.ten.den });
        let product: f64 = number(exponent) * self.factor;
        if self.ten.num < 0 { product / ten } else { product * ten }
    }
}

/// x^e; whole and half powers by multiplication and square root only, so that every machine agrees.
fn power(x: f64, e: Exponent) -> f64 {
    let base = match e.den {
        1 => x,
        2 => x.sqrt(),
        _ => return x.powf(e.value()),
    };
    let raised = (0..e.num.unsigned_abs()).fold(1.0, |product, _| product * base);
    if e.num < 0 { 1.0 / raised } else { raised }
}

struct Named {
    name: &'static str,
    factor: f64,
    ten: i32,
    dim: Dim,
    prefixes: bool,
}

const fn named(name: &'static str, factor: f64, ten: i32, dim: Dim, prefixes: bool) -> Named {
    Named { name, factor, ten, dim, prefixes }
}

/// Every unit: factor times ten to a power gives SI. Those with `true` take a prefix.
const UNITS: [Named; 21] = [
    named("m", 1.0, 0, Dim::LENGTH, true),
    named("in", 254.0, -4, Dim::LENGTH, false),
    named("ft", 3048.0, -4, Dim::LENGTH, false),
    named("g", 1.0, -3, Dim::MASS, true),
    named("kg", 1.0, 0, Dim::MASS, false),
    named("lb", 45_359_237.0, -8, Dim::MASS, false),
    named("t", 1.0, 3, Dim::MASS, false),
    named("s", 1.0, 0, Dim::TIME, true),
    named("min", 60.0, 0, Dim::TIME, false),
    named("h", 3600.0, 0, Dim::TIME, false),
    named("Hz", 1.0, 0, dim(0, 0, -1, 0), true),
    named("rad", 1.0, 0, Dim::ANGLE, false),
    named("mrad", 1.0, -3, Dim::ANGLE, false),
    named("deg", std::f64::consts::PI / 180.0, 0, Dim::ANGLE, false),
    named("rev", std::f64::consts::TAU, 0, Dim::ANGLE, false),
    named("N", 1.0, 0, dim(1, 1, -2, 0), true),
    named("Pa", 1.0, 0, dim(-1, 1, -2, 0), true),
    named("J", 1.0, 0, dim(2, 1, -2, 0), true),
    named("W", 1.0, 0, dim(2, 1, -3, 0), true),
    named("%", 1.0, -2, Dim::NONE, false),
    named("1", 1.0, 0, Dim::NONE, false),
];

/// Prefixes and their powers of ten.
const PREFIXES: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("µ", -6), ("μ", -6), ("m", -3), ("c", -2), ("d", -1), ("k", 3), ("M", 6), ("G", 9)];

/// Units worth suggesting with their prefix.
const COMMON: [&str; 14] = ["cm", "mm", "km", "kg", "ms", "kN", "MN", "mN", "kPa", "MPa", "GPa", "kJ", "kW", "kHz"];

fn lookup(name: &str) -> Option<(Scale, Dim)> {
    let scale = |unit: &Named, extra: i32| Scale { factor: unit.factor, ten: Exponent { num: unit.ten + extra, den: 1 } };
    if let Some(unit) = UNITS.iter().find(|u| u.name == name) {
        return Some((scale(unit, 0), unit.dim));
    }
    let (rest, extra) = PREFIXES.iter().find_map(|(p, e)| name.strip_prefix(p).map(|rest| (rest, *e)))?;
    UNITS.iter().find(|u| u.prefixes && u.name == rest).map(|u| (scale(u, extra), u.dim))
}

fn unknown(name: &str) -> UnitFault {
    let spelled = match name.to_lowercase().as_str() {
        "°" | "degree" | "degrees" => Some("deg"),
        "radian" | "radians" => Some("rad"),
        "sec" | "second" | "seconds" => Some("s"),
        "meter" | "metre" | "meters" | "metres" => Some("m"),
        "newton" | "newtons" => Some("N"),
        "nm" => Some("N m"),
        "percent" => Some("%"),
        _ => None,
    };
    let known = UNITS.iter().map(|u| u.name).filter(|n| *n != "1").chain(COMMON);
    UnitFault::UnknownUnit { unit: name.to_string(), nearest: spelled.or_else(|| suggest(name, known)).map(str::to_string) }
}

/// Reads a unit such as `N s/m`, `kg cm^2`, `N/m^(3/2)`, `N/(m s)`; the empty text and `1` are pure numbers.
/// Gives the factor to SI and the dimension.
pub fn parse_unit(text: &str) -> Result<(f64, Dim), UnitFault> {
    let (scale, dim) = unit_scale(text)?;
    let factor = scale.apply("1");
    if factor.is_finite() && factor > 0.0 { Ok((factor, dim)) } else { Err(UnitFault::NotFinite { text: text.trim().to_string() }) }
}

/// Reads a number with its unit, such as `"20 deg"` or `"2e9 N/m^3"`; gives the SI value and the dimension.
pub fn parse_quantity(text: &str) -> Result<(f64, Dim), UnitFault> {
    let trimmed = text.trim();
    let (number, unit) = split_number(trimmed)?;
    let (scale, dim) = unit_scale(unit)?;
    let value = scale.apply(number);
    if value.is_finite() { Ok((value, dim)) } else { Err(UnitFault::NotFinite { text: trimmed.to_string() }) }
}

/// The number and the unit of a quantity as they are written: `"-54.44 deg/s"` is `-54.44` and `deg/s`.
pub fn split_quantity(text: &str) -> Result<(&str, &str), UnitFault> {
    split_number(text.trim()).map(|(number, unit)| (number, unit.trim()))
}

/// The leading number and what follows it.
fn split_number(text: &str) -> Result<(&str, &str), UnitFault> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let unsigned = text[sign..].to_ascii_lowercase();
    if unsigned.starts_with("nan") || unsigned.starts_with("inf") {
        return Err(UnitFault::NotFinite { text: text.to_string() });
    }
    let whole = digits(sign);
    let mut end = sign + whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return Err(UnitFault::NoNumber { text: text.to_string() });
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let power = if signed <= bytes.len() { digits(signed) } else { 0 };
        if power > 0 {
            end = signed + power;
        }
    }
    Ok((&text[..end], &text[end..]))
}

/// Reader of a unit's text; one level of parentheses, so it cannot nest.
struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
}

fn unit_scale(text: &str) -> Result<(Scale, Dim), UnitFault> {
    let text = text.trim();
    let mut reader = Reader { text, rest: text };
    if text.is_empty() {
        return Ok((UNIT, Dim::NONE));
    }
    reader.product(false)
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip();
        let found = self.rest.strip_prefix(c);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn bad(&self) -> UnitFault {
        UnitFault::BadUnit { text: self.text.to_string(), found: self.rest.chars().take(1).collect() }
    }

    /// Factors joined by blanks, `*`, `·` or `/`, up to the end or a closing parenthesis.
    fn product(&mut self, inside: bool) -> Result<(Scale, Dim), UnitFault> {
        let mut total = self.factor(inside)?;
        loop {
            self.skip();
            if self.rest.is_empty() || (inside && self.rest.starts_with(')')) {
                return Ok(total);
            }
            let divide = self.eat('/');
            let _explicit = !divide && (self.eat('*') || self.eat('·'));
            let (scale, dim) = self.factor(inside)?;
            let sign = if divide { Exponent { num: -1, den: 1 } } else { Exponent::ONE };
            total = raise(scale, dim, sign).and_then(|(s, d)| Some((total.0.times(s)?, total.1.times(d)?))).ok_or_else(|| self.bad())?;
        }
    }

    /// One unit or a parenthesis, with its exponent.
    fn factor(&mut self, inside: bool) -> Result<(Scale, Dim), UnitFault> {
        self.skip();
        let (scale, dim) = if !inside && self.eat('(') {
            let product = self.product(true)?;
            if !self.eat(')') {
                return Err(self.bad());
            }
            product
        } else {
            let end = self.rest.find(|c: char| c.is_whitespace() || "*·/^()".contains(c)).unwrap_or(self.rest.len());
            if end == 0 {
                return Err(self.bad());
            }
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest;
            lookup(name).ok_or_else(|| unknown(name))?
        };
        if !self.eat('^') {
            return Ok((scale, dim));
        }
        let (e, text) = self.exponent();
        e.and_then(|e| raise(scale, dim, e)).ok_or(UnitFault::BadExponent { text })
    }

    /// `2`, `-1`, `1.5` or `(3/2)`; and its text.
    fn exponent(&mut self) -> (Option<Exponent>, String) {
        self.skip();
        if let Some(open) = self.rest.strip_prefix('(') {
            let end = open.find(')').unwrap_or(open.len());
            let text = &open[..end];
            self.rest = open.get(end + 1..).unwrap_or("");
            let parsed = match text.split_once('/') {
                Some((num, den)) => decimal(num.trim()).zip(decimal(den.trim())).and_then(|(n, d)| {
                    let ((a, b), (c, d)) = (n.wide(), d.wide());
                    Exponent::new(a * d, b * c)
                }),
                None => decimal(text.trim()),
            };
            return (parsed, text.to_string());
        }
        let end = self.rest.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c))).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        (decimal(text), text.to_string())
    }
}

fn raise(scale: Scale, dim: Dim, e: Exponent) -> Option<(Scale, Dim)> {
    Some((scale.power(e)?, dim.power(e)?))
}

/// A decimal number as a fraction; at most three decimals.
fn decimal(text: &str) -> Option<Exponent> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || whole.len() > 3 || fraction.len() > 3 || !plain(whole) || !plain(fraction) {
        return None;
    }
    let den = 10_i64.pow(fraction.len() as u32);
    let num: i64 = format!("{whole}{fraction}").parse().ok()?;
    Exponent::new(sign * num, den)
}

#[cfg(test)]
#[path = "units_tests.rs"]
mod tests;
