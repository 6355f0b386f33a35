//! Physical dimensions: rational exponents of length, mass, time and angle, and how they are shown.
//! Not here: units and their factors.
//! In and out: exponents; text such as `N s/m`.

use crate::units::parse_unit;
use std::fmt;

/// A rational exponent in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponent {
    pub(crate) num: i32,
    pub(crate) den: i32,
}

/// Largest numerator or denominator of an exponent; beyond it a unit is nonsense.
const LIMIT: i64 = 1000;

impl Exponent {
    /// Zero.
    pub const ZERO: Exponent = Exponent { num: 0, den: 1 };
    /// One.
    pub const ONE: Exponent = Exponent { num: 1, den: 1 };

    /// `num/den` in lowest terms; nothing if it is no sensible exponent.
    pub fn new(num: i64, den: i64) -> Option<Exponent> {
        if den == 0 {
            return None;
        }
        let g = gcd(num.unsigned_abs(), den.unsigned_abs()) as i64 * den.signum();
        let (num, den) = (num / g, den / g);
        (num.abs() <= LIMIT && den <= LIMIT).then_some(Exponent { num: num as i32, den: den as i32 })
    }

    /// As a number.
    pub fn value(self) -> f64 {
        f64::from(self.num) / f64::from(self.den)
    }

    pub(crate) fn wide(self) -> (i64, i64) {
        (i64::from(self.num), i64::from(self.den))
    }

    pub(crate) fn plus(self, other: Exponent) -> Option<Exponent> {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        Exponent::new(a * d + c * b, b * d)
    }

    pub(crate) fn times(self, other: Exponent) -> Option<Exponent> {
        let ((a, b), (c, d)) = (self.wide(), other.wide());
        Exponent::new(a * c, b * d)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl fmt::Display for Exponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.den {
            1 => write!(f, "{}", self.num),
            2 | 4 | 5 => write!(f, "{}", self.value()),
            _ => write!(f, "({}/{})", self.num, self.den),
        }
    }
}

/// A physical dimension: exponents of length, mass, time and angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    /// Exponent of m.
    pub length: Exponent,
    /// Exponent of kg.
    pub mass: Exponent,
    /// Exponent of s.
    pub time: Exponent,
    /// Exponent of rad.
    pub angle: Exponent,
}

/// A dimension of whole exponents.
pub(crate) const fn dim(length: i32, mass: i32, time: i32, angle: i32) -> Dim {
    const fn whole(num: i32) -> Exponent {
        Exponent { num, den: 1 }
    }
    Dim { length: whole(length), mass: whole(mass), time: whole(time), angle: whole(angle) }
}

/// Unit texts in which a dimension is shown, where one fits; the first that matches is taken.
pub(crate) const SHOWN: [(&str, Dim); 29] = [
    ("no unit", Dim::NONE),
    ("m", Dim::LENGTH),
    ("kg", Dim::MASS),
    ("s", Dim::TIME),
    ("rad", Dim::ANGLE),
    ("1/s", dim(0, 0, -1, 0)),
    ("m^2", dim(2, 0, 0, 0)),
    ("m^3", dim(3, 0, 0, 0)),
    ("m/s", dim(1, 0, -1, 0)),
    ("m/s^2", dim(1, 0, -2, 0)),
    ("rad/s", dim(0, 0, -1, 1)),
    ("rad/s^2", dim(0, 0, -2, 1)),
    ("m/rad", dim(1, 0, 0, -1)),
    ("N", dim(1, 1, -2, 0)),
    ("N m", dim(2, 1, -2, 0)),
    ("N m/rad", dim(2, 1, -2, -1)),
    ("N m s", dim(2, 1, -1, 0)),
    ("N m s/rad", dim(2, 1, -1, -1)),
    ("N/m", dim(0, 1, -2, 0)),
    ("N/m^2", dim(-1, 1, -2, 0)),
    ("N/m^3", dim(-2, 1, -2, 0)),
    ("N s/m", dim(0, 1, -1, 0)),
    ("N s", dim(1, 1, -1, 0)),
    ("W", dim(2, 1, -3, 0)),
    ("kg m^2", dim(2, 1, 0, 0)),
    ("kg/m^3", dim(-3, 1, 0, 0)),
    ("kg/m", dim(-1, 1, 0, 0)),
    ("s/m", dim(-1, 0, 1, 0)),
    ("1/m", dim(-1, 0, 0, 0)),
];

impl Dim {
    /// A pure number.
    pub const NONE: Dim = dim(0, 0, 0, 0);
    /// m.
    pub const LENGTH: Dim = dim(1, 0, 0, 0);
    /// kg.
    pub const MASS: Dim = dim(0, 1, 0, 0);
    /// s.
    pub const TIME: Dim = dim(0, 0, 1, 0);
    /// rad.
    pub const ANGLE: Dim = dim(0, 0, 0, 1);

    /// The dimension of a unit written in the program.
    ///
    /// # Panics
    /// If the text is not a unit: a mistake of the program, never of a file. For text from a file use [`parse_unit`].
    pub fn of(unit: &str) -> Dim {
        match parse_unit(unit) {
            Ok((_, dim)) => dim,
            Err(fault) => panic!("`{unit}` is declared as a unit but is none: {fault:?}"),
        }
    }

    /// Product; nothing if an exponent becomes absurd.
    pub fn times(self, other: Dim) -> Option<Dim> {
        Some(Dim {
            length: self.length.plus(other.length)?,
            mass: self.mass.plus(other.mass)?,
            time: self.time.plus(other.time)?,
            angle: self.angle.plus(other.angle)?,
        })
    }

    /// Power; nothing if an exponent becomes absurd.
    pub fn power(self, e: Exponent) -> Option<Dim> {
        Some(Dim { length: self.length.times(e)?, mass: self.mass.times(e)?, time: self.time.times(e)?, angle: self.angle.times(e)? })
    }

    /// Quotient; nothing if an exponent becomes absurd.
    pub fn over(self, other: Dim) -> Option<Dim> {
        self.times(other.power(Exponent { num: -1, den: 1 })?)
    }

    /// True when a value of this dimension may stand where `expected` is asked for: equal, or, where the expected dimension
    /// contains mass, equal but for angle (`N m` for `N m/rad`).
    pub fn fits(self, expected: Dim) -> bool {
        let sloppy = expected.mass != Exponent::ZERO;
        self.length == expected.length
            && self.mass == expected.mass
            && self.time == expected.time
            && (sloppy || self.angle == expected.angle)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((text, _)) = SHOWN.iter().find(|(_, d)| d == self) {
            return f.write_str(text);
        }
        // a force times whatever is left, where that is shorter than base units
        let force = dim(1, 1, -2, 0);
        let newton = self.mass == Exponent::ONE && self.time.num < -1;
        let rest = if newton { self.over(force).unwrap_or(*self) } else { *self };
        let bases = [("kg", rest.mass), ("m", rest.length), ("s", rest.time), ("rad", rest.angle)];
        let mut above = if newton && rest != *self { "N".to_string() } else { String::new() };
        let mut below = String::new();
        for (name, e) in bases {
            let flipped = Exponent { num: e.num.abs(), den: e.den };
            let part = if flipped == Exponent::ONE { name.to_string() } else { format!("{name}^{flipped}") };
            if e.num > 0 {
                above.push_str(if above.is_empty() { "" } else { " " });
                above.push_str(&part);
            } else if e.num < 0 {
                below.push('/');
                below.push_str(&part);
            }
        }
        if above.is_empty() {
            above.push('1');
        }
        write!(f, "{above}{below}")
    }
}
