//! Formulas over columns in which quantities may stand in brackets: `exp(-[5 1/s]*time)`.
//! Not here: formulas over names (`borelli-math`), the dimension of a formula (`formula_dimension`).
//! In: text, the numbers and dimensions of the columns. Out: a formula over the columns, with the dimension of its value.

use crate::formula_dimension::{DimensionFault, dimension};
use crate::{Dim, parse_quantity};
use borelli_math::function::{Crossing, ExpressionFault, Formula};

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaFault {
    /// Its text.
    Text(ExpressionFault),
    /// Its units.
    Units(DimensionFault),
}

/// The columns a formula may name.
pub struct Names<'a> {
    /// How many there are; their numbers are below this.
    pub count: usize,
    /// Number of a column.
    pub index: &'a dyn Fn(&str) -> Option<usize>,
    /// Dimension of a column; nothing where it is not known.
    pub dim: &'a dyn Fn(usize) -> Option<Dim>,
}

impl Names<'_> {
    /// Reads a formula; the dimension of its value is nothing where it cannot be known.
    pub fn formula(&self, text: &str) -> Result<(Formula, Option<Dim>), FormulaFault> {
        self.read(|resolve| Formula::parse(text, resolve), |formula| formula)
    }

    /// Reads a formula or a comparison whose crossing is meant.
    pub fn crossing(&self, text: &str) -> Result<Crossing, FormulaFault> {
        Ok(self.read(|resolve| Crossing::parse(text, resolve), |crossing| &mut crossing.formula)?.0)
    }

    fn read<T>(
        &self,
        parse: impl FnOnce(&mut dyn FnMut(&str) -> Option<usize>) -> Result<T, ExpressionFault>,
        formula: impl FnOnce(&mut T) -> &mut Formula,
    ) -> Result<(T, Option<Dim>), FormulaFault> {
        // Quantities are numbered after the columns, and put in as numbers once units are checked.
        let mut quantities: Vec<(f64, Dim)> = Vec::new();
        let mut resolve = |name: &str| {
            (self.index)(name).or_else(|| {
                quantities.push(parse_quantity(name).ok()?);
                Some(self.count + quantities.len() - 1)
            })
        };
        let mut read = parse(&mut resolve).map_err(FormulaFault::Text)?;
        let whole = formula(&mut read);
        let dim_of = |k: usize| if k < self.count { (self.dim)(k) } else { Some(quantities[k - self.count].1) };
        let dim = dimension(whole, &dim_of).map_err(FormulaFault::Units)?;
        whole.set_numbers(&|k| (k >= self.count).then(|| quantities[k - self.count].0));
        Ok((read, dim))
    }
}

/// The names that a formula or a comparison uses, quantities in brackets among them; none where it cannot be read.
pub fn names_in(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut note = |name: &str| {
        names.push(name.to_string());
        Some(names.len() - 1)
    };
    match Crossing::parse(text, &mut note) {
        Ok(_) => names,
        Err(_) => Vec::new(),
    }
}

/// The formula with other names, in brackets or not. Numbers, and quantities in brackets, are handed over too where they look like names.
pub(crate) fn with_names(text: &str, mut rename: impl FnMut(&str) -> String) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let run = |is: fn(char) -> bool| rest.find(|c: char| !is(c)).unwrap_or(rest.len());
        let end = match first {
            '[' => rest.find(']').map_or(rest.len(), |at| at + 1),
            c if c.is_ascii_alphabetic() || c == '_' => run(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.'),
            // The exponent of a number is no name.
            c if c.is_ascii_digit() => run(|c| c.is_ascii_alphanumeric() || c == '.'),
            c => c.len_utf8(),
        };
        let (token, behind) = rest.split_at(end);
        match first {
            '[' => match token.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
                Some(inner) => out.extend(["[", &rename(inner), "]"]),
                None => out.push_str(token),
            },
            c if c.is_ascii_alphabetic() || c == '_' => out.push_str(&rename(token)),
            _ => out.push_str(token),
        }
        rest = behind;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names<'static> {
        Names {
            count: 2,
            index: &|name| ["time", "coord.hip.value"].iter().position(|n| *n == name),
            dim: &|k| Some([Dim::TIME, Dim::ANGLE][k]),
        }
    }

    #[test]
    fn a_quantity_in_brackets_has_its_value_and_its_unit() {
        let (formula, dim) = names().formula("[20 deg]*exp(-[0.5 1/s]*time) + coord.hip.value").expect("a formula");
        assert_eq!(dim, Some(Dim::ANGLE));
        let exact = 20.0_f64.to_radians() * (-0.5_f64 * 3.0).exp() + 0.25;
        assert!((formula.eval(&[3.0, 0.25]) - exact).abs() < 1e-15);
        assert_eq!(formula.variables(), [0, 1]);
        let crossing = names().crossing("coord.hip.value > [30 deg]").expect("a crossing");
        assert!((crossing.formula.eval(&[0.0, 1.0]) - (1.0 - 30.0_f64.to_radians())).abs() < 1e-15);
    }

    #[test]
    fn units_of_quantities_are_checked_and_unknown_names_stay_unknown() {
        assert!(matches!(names().formula("coord.hip.value + [1 m]"), Err(FormulaFault::Units(_))));
        assert!(matches!(names().formula("sin([3 m/s]*time)"), Err(FormulaFault::Units(_))));
        assert!(matches!(names().formula("[coord.left-hip.value]"), Err(FormulaFault::Text(ExpressionFault::UnknownVariable { .. }))));
    }

    #[test]
    fn names_are_exchanged_wherever_they_stand() {
        let other = |name: &str| name.replace("_r", "_l");
        for (text, expected) in [
            ("-k*sin(coord.hip_r.value) + 2e-3*path.a_r.rate", "-k*sin(coord.hip_l.value) + 2e-3*path.a_l.rate"),
            ("[coord.left-knee_r.value]*[3 N/m]", "[coord.left-knee_l.value]*[3 N/m]"),
            ("[open_r", "[open_r"),
            ("1.5e+3*x_r - é_r", "1.5e+3*x_l - é_l"),
        ] {
            assert_eq!(with_names(text, other), expected);
        }
    }
}
