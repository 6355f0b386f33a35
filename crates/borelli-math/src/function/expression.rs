//! Expressions: text such as `0.6*sin(2*pi*0.9*x)` as a function of one variable with its derivatives.
//! Not here: reading (`reader`), running (`program`), the derivatives of the single operators (`jet`), several variables (`formula`).
//! In: text; out: value and three derivatives at a point, or what is wrong with the text and where.

use super::Continuity;
use super::expression_fault::ExpressionFault;
use super::jet::Jet;
use super::program::{Binary, Op, Unary, run_on_jets};
use super::reader::read;

/// A function given by text.
///
/// One variable, `x` or `t`; constants `pi`, `e`; operators `+ - * / ^` (`^` binds to the right and before the sign: `-x^2` is
/// `-(x^2)`); `sin cos tan asin acos atan sinh cosh tanh exp ln sqrt abs`, `min(a,b) max(a,b) atan2(y,x)`. Angles in radians.
/// Outside the domain of its functions the value is infinite or not a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    program: Vec<Op>,
    /// Units of the text: the value is `value` times the program at `x / argument`.
    value: f64,
    argument: f64,
}

impl Expression {
    /// Reads an expression. Parts without the variable are computed at once.
    pub fn parse(text: &str) -> Result<Expression, ExpressionFault> {
        let mut variable: Option<String> = None;
        let reading = read(text, false, &mut |word| match word.name {
            "x" | "t" if variable.get_or_insert_with(|| word.name.into()) == word.name => Ok(0),
            "x" | "t" => Err(ExpressionFault::MixedVariables { position: word.position }),
            name => Err(ExpressionFault::UnknownName { position: word.position, name: name.into() }),
        })?;
        Ok(Expression { program: reading.program, value: 1.0, argument: 1.0 })
    }

    /// The expression `e` read in other units: `f(x) = value e(x/argument)`, hence `f' = value/argument e'` and so on.
    ///
    /// `value` and `argument` are what one unit of either is worth; `argument` is not zero. Scaling again multiplies.
    pub fn scaled(self, value: f64, argument: f64) -> Expression {
        Expression { value: self.value * value, argument: self.argument * argument, ..self }
    }

    /// Value and three derivatives at `x`.
    pub fn derivatives(&self, x: f64) -> [f64; 4] {
        let z = x / self.argument;
        let jet = run_on_jets(&self.program, |_| Jet::variable(z));
        let mut scale = self.value;
        jet.0.map(|derivative| {
            let scaled = derivative * scale;
            scale /= self.argument;
            scaled
        })
    }

    /// C0 with `abs`, `min` or `max`, else smooth; inside the domain of the functions and away from poles and the cut of `atan2`.
    pub fn continuity(&self) -> Continuity {
        let kink = |op: &Op| matches!(op, Op::Unary(Unary::Abs) | Op::Binary(Binary::Min | Binary::Max));
        if self.program.iter().any(kink) { Continuity::C0 } else { Continuity::Smooth }
    }
}
