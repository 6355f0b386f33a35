//! Formulas: expressions over named variables, such as `coord.hip.value - coord.knee.value`, and the crossings they describe.
//! Not here: what the names mean and their units; a [`Fold`] over the steps finds those. One variable with derivatives (`expression`).
//! In: text, and which number a name has; out: a value for the values of the variables, or what is wrong with the text and where.

use super::expression_fault::ExpressionFault;
use super::jet::Jet;
use super::program::{Fold, Op, run, run_on_jets, run_on_numbers};
use super::reader::{Reading, Word, is_of_name, read};

/// A number computed from named variables.
///
/// Operators, functions and constants as in [`Expression`](super::Expression). A name is made of letters, digits, `_` and points; any
/// other stands in brackets: `[coord.left-knee.value]`. Outside the domain of its functions the value is infinite or not a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    program: Vec<Op>,
    places: Vec<usize>,
    variables: Vec<usize>,
}

impl Formula {
    /// Reads a formula; `resolve` gives the number under which [`Formula::eval`] finds the value of a name.
    pub fn parse(text: &str, resolve: &mut dyn FnMut(&str) -> Option<usize>) -> Result<Formula, ExpressionFault> {
        Ok(Formula::new(read(text, false, &mut |word| number_of(&word, resolve))?))
    }

    fn new(reading: Reading) -> Formula {
        let index = |op: &Op| if let Op::Variable(index) = op { Some(*index) } else { None };
        let mut variables: Vec<usize> = reading.program.iter().filter_map(index).collect();
        variables.sort_unstable();
        variables.dedup();
        Formula { program: reading.program, places: reading.places, variables }
    }

    /// Puts numbers in the place of some variables; `number` gives that of a variable.
    pub fn set_numbers(&mut self, number: &dyn Fn(usize) -> Option<f64>) {
        for op in &mut self.program {
            if let Op::Variable(index) = *op
                && let Some(value) = number(index)
            {
                *op = Op::Number(value);
            }
        }
        self.variables.retain(|index| number(*index).is_none());
    }

    /// The numbers of the variables it uses, increasing.
    pub fn variables(&self) -> &[usize] {
        &self.variables
    }

    /// Its value, for the values of all variables by number; allocates nothing.
    ///
    /// # Panics
    /// If a variable it uses is not among the values.
    pub fn eval(&self, values: &[f64]) -> f64 {
        run_on_numbers(&self.program, |index| values[index])
    }

    /// Its value, and how fast that changes when the variables change at the given rates: `sum of df/dv_k rate_k`, exact.
    ///
    /// # Panics
    /// If a variable it uses is not among the values and the rates.
    pub fn eval_along(&self, values: &[f64], rates: &[f64]) -> [f64; 2] {
        self.eval_with(|index| [values[index], rates[index]])
    }

    /// Value and slope, for the values of the variables it uses and their rates, which are asked for by number; allocates nothing.
    pub fn eval_with(&self, variable: impl Fn(usize) -> [f64; 2]) -> [f64; 2] {
        let jet = |index: usize| {
            let [value, rate] = variable(index);
            Jet([value, rate, 0.0, 0.0])
        };
        let [value, slope, ..] = run_on_jets(&self.program, jet).0;
        [value, slope]
    }

    /// Its steps.
    pub(super) fn steps(&self) -> &[Op] {
        &self.program
    }

    /// What the formula is worth in another sense than numbers, such as dimensions.
    pub fn fold<F: Fold>(&self, fold: &mut F) -> Result<F::Value, F::Fault> {
        run(&self.program, fold)
    }

    /// Where a step of [`Formula::fold`] stands in the text, bytes from zero: its operator, function, name or number.
    ///
    /// # Panics
    /// If there are not so many steps.
    pub fn position(&self, step: usize) -> usize {
        self.places[step]
    }
}

fn number_of(word: &Word, resolve: &mut dyn FnMut(&str) -> Option<usize>) -> Result<usize, ExpressionFault> {
    resolve(word.name).ok_or_else(|| {
        let (position, name) = (word.position, word.name.to_string());
        if word.rest.trim_start().starts_with('(') {
            return ExpressionFault::UnknownFunction { position, name };
        }
        // `coord.left-knee.value` is read as a difference; the hint shows it as one name.
        let more = word.rest.bytes().take_while(|b| is_of_name(b) || b".-".contains(b)).count();
        let hyphenated = word.rest.starts_with('-') && word.rest[1..more].starts_with(|c: char| c.is_ascii_alphabetic());
        ExpressionFault::UnknownVariable { position, hyphenated: hyphenated.then(|| format!("{name}{}", &word.rest[..more])), name }
    })
}

/// Which way a value must pass zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// From below to above.
    Rising,
    /// From above to below.
    Falling,
    /// Either.
    Either,
}

/// The moment at which a formula passes zero.
///
/// `a > b` is the moment at which `a - b` rises through zero, `a < b` that at which it falls; a formula without comparison may pass
/// zero either way.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The function whose zero is meant.
    pub formula: Formula,
    /// Which way it passes.
    pub sense: Sense,
}

impl Crossing {
    /// Reads a formula or a comparison of two; `resolve` as for [`Formula::parse`].
    pub fn parse(text: &str, resolve: &mut dyn FnMut(&str) -> Option<usize>) -> Result<Crossing, ExpressionFault> {
        let reading = read(text, true, &mut |word| number_of(&word, resolve))?;
        let sense = match reading.comparison {
            Some('>') => Sense::Rising,
            Some(_) => Sense::Falling,
            None => Sense::Either,
        };
        Ok(Crossing { formula: Formula::new(reading), sense })
    }
}
