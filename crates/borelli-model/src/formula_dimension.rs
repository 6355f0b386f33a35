//! Dimensions of formulas: what unit the result has, or which step adds m and rad.
//! Not here: reading formulas (`borelli-math`), what a dimension is (`borelli-data`).
//! In: a formula and the dimensions of its variables. Out: the dimension of its value, or the first step that makes no sense.
//!
//! Numbers written in a formula are pure, but beside `+`, `-`, in `min`, `max`, `atan2` and comparisons they take the dimension of the other
//! side, in SI; so does a pure product in which such a number stands (`body.hip.x + 0.4*sin(coord.hip.value)`: metres).

use crate::{Dim, Explain, Exponent};
use borelli_math::function::{Binary, Fold, Formula, Unary};
use std::fmt;

/// Largest denominator of an exponent: `x^1.5`, `x^(2/3)`.
const DENOMINATOR: i64 = 12;

/// A step of a formula that makes no sense. Positions count bytes of the text from zero.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum DimensionFault {
    /// Two operands that cannot be added, subtracted or compared.
    UnequalDimensions { position: usize, verb: &'static str, left: Dim, right: Dim },
    /// An argument a function cannot take.
    WrongArgument { position: usize, function: &'static str, found: Dim, wanted: &'static str },
    /// A quantity raised to a power that varies.
    VaryingExponent { position: usize, base: Dim },
    /// A quantity raised to a power that is no simple fraction.
    OddExponent { position: usize, base: Dim, exponent: f64 },
    /// An exponent that is no pure number.
    ExponentWithUnit { position: usize, found: Dim },
    /// A result of a dimension beyond all sense.
    AbsurdDimension { position: usize },
}

use DimensionFault::*;

impl DimensionFault {
    /// Where in the text, bytes from zero.
    pub fn position(&self) -> usize {
        match self {
            UnequalDimensions { position, .. }
            | WrongArgument { position, .. }
            | VaryingExponent { position, .. }
            | OddExponent { position, .. }
            | ExponentWithUnit { position, .. }
            | AbsurdDimension { position } => *position,
        }
    }
}

impl Explain for DimensionFault {
    fn code(&self) -> &'static str {
        match self {
            UnequalDimensions { .. } => "unequal-dimensions",
            WrongArgument { .. } => "wrong-argument",
            VaryingExponent { .. } => "varying-exponent",
            OddExponent { .. } => "odd-exponent",
            ExponentWithUnit { .. } => "exponent-with-unit",
            AbsurdDimension { .. } => "absurd-dimension",
        }
    }

    fn message(&self) -> String {
        let at = self.position();
        match self {
            UnequalDimensions { verb, left, right, .. } => format!("byte {at}: {verb} {left} and {right}"),
            WrongArgument { function, found, wanted, .. } => format!("byte {at}: {function} of {found}, expected {wanted}"),
            VaryingExponent { base, .. } => format!("byte {at}: {base} to a power that varies"),
            OddExponent { base, exponent, .. } => format!("byte {at}: {base} to the power {exponent}"),
            ExponentWithUnit { found, .. } => format!("byte {at}: an exponent in {found}"),
            AbsurdDimension { .. } => format!("byte {at}: the result has no sensible unit"),
        }
    }

    fn hint(&self) -> Option<String> {
        let text = match self {
            UnequalDimensions { .. } => "only a number written out takes the unit of the other side; divide or multiply first",
            WrongArgument { .. } => "divide by a quantity of the same unit first",
            VaryingExponent { .. } | ExponentWithUnit { .. } => "divide by a quantity of the same unit first, so that the number is pure",
            OddExponent { .. } => "a quantity with a unit takes exponents such as 2, -1, 0.5 or 2/3",
            AbsurdDimension { .. } => "use smaller powers",
        };
        Some(text.into())
    }
}

impl fmt::Display for DimensionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for DimensionFault {}

/// The dimension of a formula's value, from those of its variables by number.
///
/// A variable without a known dimension makes the result unknown, and is not judged.
pub fn dimension(formula: &Formula, variable: &dyn Fn(usize) -> Option<Dim>) -> Result<Option<Dim>, DimensionFault> {
    Ok(formula.fold(&mut Dimensions { formula, variable })?.dim)
}

/// What is known of an intermediate result.
#[derive(Clone, Copy, Default)]
struct Known {
    dim: Option<Dim>,
    /// A pure number in which a number of the text is a factor: it may stand for a quantity in SI.
    free: bool,
    /// Its value, where it is a number of the text.
    constant: Option<f64>,
}

impl Known {
    fn of(dim: impl Into<Option<Dim>>) -> Known {
        Known { dim: dim.into(), free: false, constant: None }
    }
}

struct Dimensions<'a> {
    formula: &'a Formula,
    variable: &'a dyn Fn(usize) -> Option<Dim>,
}

impl Dimensions<'_> {
    /// The dimension shared by two operands.
    fn shared(&self, step: usize, verb: &'static str, a: Known, b: Known) -> Result<Known, DimensionFault> {
        let (Some(left), Some(right)) = (a.dim, b.dim) else { return Ok(Known::default()) };
        match (a.free, b.free) {
            (true, true) => Ok(Known { constant: None, ..a }),
            (true, false) => Ok(Known::of(right)),
            (false, true) => Ok(Known::of(left)),
            (false, false) if left.fits(right) => Ok(Known::of(left)),
            (false, false) => Err(UnequalDimensions { position: self.formula.position(step), verb, left, right }),
        }
    }

    /// The result of a function, after a look at its argument.
    fn function(&self, step: usize, unary: Unary, a: Known, angle: bool, result: Dim) -> Result<Known, DimensionFault> {
        match a.dim {
            Some(found) if found != Dim::NONE && !(angle && found == Dim::ANGLE) => {
                let wanted = if angle { "an angle or a pure number" } else { "a pure number" };
                Err(WrongArgument { position: self.formula.position(step), function: unary.name(), found, wanted })
            }
            _ => Ok(Known::of(result)),
        }
    }

    fn product(&self, step: usize, a: Known, b: Known, dim: impl Fn(Dim, Dim) -> Option<Dim>) -> Result<Known, DimensionFault> {
        let (Some(left), Some(right)) = (a.dim, b.dim) else { return Ok(Known::default()) };
        let dim = self.sensible(step, dim(left, right))?;
        Ok(Known { dim: Some(dim), free: (a.free || b.free) && dim == Dim::NONE, constant: None })
    }

    fn power(&self, step: usize, base: Known, exponent: Known) -> Result<Known, DimensionFault> {
        let position = self.formula.position(step);
        if let Some(found) = exponent.dim
            && found != Dim::NONE
        {
            return Err(ExponentWithUnit { position, found });
        }
        let Some(dim) = base.dim else { return Ok(Known::default()) };
        if dim == Dim::NONE {
            return Ok(Known { constant: None, ..base });
        }
        let Some(value) = exponent.constant else { return Err(VaryingExponent { position, base: dim }) };
        let fraction = fraction(value).ok_or(OddExponent { position, base: dim, exponent: value })?;
        Ok(Known::of(self.sensible(step, dim.power(fraction))?))
    }

    fn sensible(&self, step: usize, dim: Option<Dim>) -> Result<Dim, DimensionFault> {
        dim.ok_or_else(|| AbsurdDimension { position: self.formula.position(step) })
    }
}

/// The number as a fraction with a small denominator, to rounding.
fn fraction(value: f64) -> Option<Exponent> {
    (1..=DENOMINATOR).find_map(|den| {
        let num = value * den as f64;
        // rounding of the text and of a quotient such as 2/3; a larger number is no exponent
        let whole = num.abs() < 1e4 && (num - num.round()).abs() <= 4.0 * f64::EPSILON * num.abs();
        if whole { Exponent::new(num.round() as i64, den) } else { None }
    })
}

impl Fold for Dimensions<'_> {
    type Value = Known;
    type Fault = DimensionFault;

    fn number(&mut self, _: usize, value: f64) -> Result<Known, DimensionFault> {
        Ok(Known { dim: Some(Dim::NONE), free: true, constant: Some(value) })
    }

    fn variable(&mut self, _: usize, index: usize) -> Result<Known, DimensionFault> {
        Ok(Known::of((self.variable)(index)))
    }

    fn unary(&mut self, step: usize, unary: Unary, a: Known) -> Result<Known, DimensionFault> {
        match unary {
            Unary::Negate | Unary::Abs => Ok(a),
            Unary::Sin | Unary::Cos | Unary::Tan | Unary::Sinh | Unary::Cosh | Unary::Tanh | Unary::Exp => {
                self.function(step, unary, a, true, Dim::NONE)
            }
            Unary::Ln => self.function(step, unary, a, false, Dim::NONE),
            Unary::Asin | Unary::Acos | Unary::Atan => self.function(step, unary, a, false, Dim::ANGLE),
            Unary::Sqrt => self.power(step, a, Known { dim: Some(Dim::NONE), free: true, constant: Some(0.5) }),
        }
    }

    fn binary(&mut self, step: usize, binary: Binary, a: Known, b: Known) -> Result<Known, DimensionFault> {
        match binary {
            Binary::Add => self.shared(step, "adds", a, b),
            Binary::Subtract => self.shared(step, "subtracts or compares", a, b),
            Binary::Min | Binary::Max => self.shared(step, "compares", a, b),
            Binary::Atan2 => self.shared(step, "takes the angle of", a, b).map(|_| Known::of(Dim::ANGLE)),
            Binary::Multiply => self.product(step, a, b, Dim::times),
            Binary::Divide => self.product(step, a, b, Dim::over),
            Binary::Power => self.power(step, a, b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every column of the tests with its unit; the last has none.
    const COLUMNS: [(&str, &str); 10] = [
        ("time", "s"),
        ("coord.hip.value", "rad"),
        ("coord.hip.rate", "rad/s"),
        ("coord.hip.effort", "N m"),
        ("spring.stiffness", "N m/rad"),
        ("body.hip.x", "m"),
        ("body.hip.y", "m"),
        ("body.hip.mass", "kg"),
        ("ratio", "1"),
        ("foreign", ""),
    ];

    fn judge(text: &str) -> Result<Option<Dim>, DimensionFault> {
        let formula = Formula::parse(text, &mut |name| COLUMNS.iter().position(|(known, _)| *known == name))
            .unwrap_or_else(|fault| panic!("{text}: {fault}"));
        dimension(&formula, &|k| (!COLUMNS[k].1.is_empty()).then(|| Dim::of(COLUMNS[k].1)))
    }

    #[test]
    fn the_unit_of_a_result_follows_from_the_units_of_its_columns() {
        for (text, unit) in [
            ("coord.hip.value - pi/2", "rad"),
            ("1.5 + coord.hip.value", "rad"),
            ("body.hip.x + 0.4*sin(coord.hip.value)", "m"),
            ("0.4*sin(coord.hip.value) - 0.3*cos(coord.hip.value) + body.hip.x", "m"),
            ("max(0, body.hip.x)", "m"),
            ("min(2*ratio, body.hip.x)", "m"),
            ("atan2(body.hip.y, -body.hip.x)", "rad"),
            ("atan2(body.hip.y, 1)", "rad"),
            ("asin(body.hip.y/body.hip.x)", "rad"),
            ("sqrt(body.hip.x^2 + body.hip.y^2)", "m"),
            ("(body.hip.x^3)^(2/3)/time", "m^2/s"),
            ("0.5*body.hip.mass*(body.hip.x/time)^2 + coord.hip.effort", "N m"),
            ("coord.hip.effort - spring.stiffness", "N m"),
            ("spring.stiffness*coord.hip.value - coord.hip.effort", "N m"),
            ("coord.hip.rate*time + coord.hip.value", "rad"),
            ("exp(-ratio*coord.hip.value)", "1"),
            ("ratio^ratio", "1"),
            ("abs(-body.hip.x)^-1", "1/m"),
            ("1/time", "1/s"),
            ("2", "1"),
            ("tan(0.3)*body.hip.x", "m"),
        ] {
            let found = judge(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(found, Some(Dim::of(unit)), "{text}");
        }
    }

    #[test]
    fn a_column_without_a_unit_makes_the_result_unknown_and_hides_no_other_fault() {
        for text in ["foreign", "foreign + body.hip.x", "2*foreign", "foreign^ratio", "-foreign"] {
            assert_eq!(judge(text), Ok(None), "{text}");
        }
        assert_eq!(judge("sin(foreign)"), Ok(Some(Dim::NONE)));
        assert!(judge("foreign*(body.hip.x + time)").is_err());
    }

    #[test]
    fn a_fault_names_the_step_and_both_dimensions() {
        let (m, s, rad) = (Dim::LENGTH, Dim::TIME, Dim::ANGLE);
        for (text, expected) in [
            ("body.hip.x + coord.hip.value", UnequalDimensions { position: 11, verb: "adds", left: m, right: rad }),
            ("2*body.hip.x - time", UnequalDimensions { position: 13, verb: "subtracts or compares", left: m, right: s }),
            ("ratio + body.hip.x", UnequalDimensions { position: 6, verb: "adds", left: Dim::NONE, right: m }),
            ("max(time, body.hip.x)", UnequalDimensions { position: 0, verb: "compares", left: s, right: m }),
            ("atan2(time, body.hip.x)", UnequalDimensions { position: 0, verb: "takes the angle of", left: s, right: m }),
            ("1 + sin(2*time)", WrongArgument { position: 4, function: "sin", found: s, wanted: "an angle or a pure number" }),
            ("ln(coord.hip.value)", WrongArgument { position: 0, function: "ln", found: rad, wanted: "a pure number" }),
            ("body.hip.x^ratio", VaryingExponent { position: 10, base: m }),
            ("body.hip.x^1.2345", OddExponent { position: 10, base: m, exponent: 1.2345 }),
            ("2^time", ExponentWithUnit { position: 1, found: s }),
            ("body.hip.x^1000*body.hip.y", AbsurdDimension { position: 15 }),
        ] {
            let fault = judge(text).expect_err(text);
            assert_eq!(fault, expected, "{text}");
            assert!(fault.hint().is_some());
        }
        let fault = judge("body.hip.x + coord.hip.value").expect_err("a fault");
        assert_eq!((fault.code(), fault.to_string().as_str()), ("unequal-dimensions", "byte 11: adds m and rad"));
    }
}
