//! Programs: what an expression is once it is read, a flat list of steps that runs on a small stack of any kind of value.
//! Not here: text (`reader`), the derivatives of the single operators (`jet`).
//! In: steps, and a [`Fold`] that says what each is worth; out: the worth of the whole. Nothing is allocated.

use super::jet::Jet;
use std::convert::Infallible;

/// Most intermediate results at once; the size of the stack at evaluation.
pub(super) const DEPTH: usize = 32;

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names of the functions themselves
pub enum Unary {
    /// The sign in front.
    Negate,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Sqrt,
    Abs,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names of the operations themselves
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    Atan2,
}

/// Functions of one argument as they are written.
pub(super) const UNARY: [(&str, Unary); 13] = [
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
    ("atan", Unary::Atan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("tanh", Unary::Tanh),
    ("exp", Unary::Exp),
    ("ln", Unary::Ln),
    ("sqrt", Unary::Sqrt),
    ("abs", Unary::Abs),
];

/// Functions of two arguments as they are written.
pub(super) const BINARY: [(&str, Binary); 3] = [("min", Binary::Min), ("max", Binary::Max), ("atan2", Binary::Atan2)];

impl Unary {
    /// As it is written: `sin`, `-`.
    pub fn name(self) -> &'static str {
        UNARY.iter().find(|(_, unary)| *unary == self).map_or("-", |(name, _)| name)
    }

    pub(super) fn of(self, a: Jet) -> Jet {
        match self {
            Unary::Negate => -a,
            Unary::Sin => a.sin(),
            Unary::Cos => a.cos(),
            Unary::Tan => a.tan(),
            Unary::Asin => a.asin(),
            Unary::Acos => a.acos(),
            Unary::Atan => a.atan(),
            Unary::Sinh => a.sinh(),
            Unary::Cosh => a.cosh(),
            Unary::Tanh => a.tanh(),
            Unary::Exp => a.exp(),
            Unary::Ln => a.ln(),
            Unary::Sqrt => a.sqrt(),
            Unary::Abs => a.abs(),
        }
    }
}

impl Binary {
    pub(super) fn of(self, a: Jet, b: Jet) -> Jet {
        match self {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a * b,
            Binary::Divide => a / b,
            Binary::Power => a.pow(b),
            Binary::Min => a.min(b),
            Binary::Max => a.max(b),
            Binary::Atan2 => a.atan2(b),
        }
    }
}

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Number(f64),
    Variable(usize),
    Unary(Unary),
    Binary(Binary),
}

/// What the steps of a program are worth: numbers, jets, dimensions.
///
/// `step` counts the steps from zero, so that a fault can say where in the text it arose.
pub trait Fold {
    /// A result on the stack.
    type Value: Copy + Default;
    /// Why there is none; `Infallible` where there always is one.
    type Fault;

    /// A number of the text.
    fn number(&mut self, step: usize, value: f64) -> Result<Self::Value, Self::Fault>;
    /// A variable.
    fn variable(&mut self, step: usize, index: usize) -> Result<Self::Value, Self::Fault>;
    /// An operator of one operand.
    fn unary(&mut self, step: usize, unary: Unary, a: Self::Value) -> Result<Self::Value, Self::Fault>;
    /// An operator of two operands.
    fn binary(&mut self, step: usize, binary: Binary, a: Self::Value, b: Self::Value) -> Result<Self::Value, Self::Fault>;
}

/// Runs a program; the reader made sure that the stack suffices and that one result remains.
#[inline(always)]
pub(super) fn run<F: Fold>(program: &[Op], fold: &mut F) -> Result<F::Value, F::Fault> {
    let mut stack = [F::Value::default(); DEPTH];
    let mut top = 0;
    for (step, op) in program.iter().enumerate() {
        match *op {
            Op::Number(value) => {
                stack[top] = fold.number(step, value)?;
                top += 1;
            }
            Op::Variable(index) => {
                stack[top] = fold.variable(step, index)?;
                top += 1;
            }
            Op::Unary(unary) => stack[top - 1] = fold.unary(step, unary, stack[top - 1])?,
            Op::Binary(binary) => {
                top -= 1;
                stack[top - 1] = fold.binary(step, binary, stack[top - 1], stack[top])?;
            }
        }
    }
    Ok(stack[0])
}

/// A program on jets, with the jets of its variables.
#[inline(always)]
pub(super) fn run_on_jets(program: &[Op], variables: impl Fn(usize) -> Jet) -> Jet {
    struct OnJets<V>(V);
    impl<V: Fn(usize) -> Jet> Fold for OnJets<V> {
        type Value = Jet;
        type Fault = Infallible;

        fn number(&mut self, _: usize, value: f64) -> Result<Jet, Infallible> {
            Ok(Jet::constant(value))
        }
        fn variable(&mut self, _: usize, index: usize) -> Result<Jet, Infallible> {
            Ok((self.0)(index))
        }
        fn unary(&mut self, _: usize, unary: Unary, a: Jet) -> Result<Jet, Infallible> {
            Ok(unary.of(a))
        }
        fn binary(&mut self, _: usize, binary: Binary, a: Jet, b: Jet) -> Result<Jet, Infallible> {
            Ok(binary.of(a, b))
        }
    }
    let Ok(jet) = run(program, &mut OnJets(variables));
    jet
}

/// A program on plain numbers, with those of its variables: the values of jets, bit by bit, without their derivatives.
#[inline(always)]
pub(super) fn run_on_numbers(program: &[Op], variables: impl Fn(usize) -> f64) -> f64 {
    struct OnNumbers<V>(V);
    impl<V: Fn(usize) -> f64> Fold for OnNumbers<V> {
        type Value = f64;
        type Fault = Infallible;

        fn number(&mut self, _: usize, value: f64) -> Result<f64, Infallible> {
            Ok(value)
        }
        fn variable(&mut self, _: usize, index: usize) -> Result<f64, Infallible> {
            Ok((self.0)(index))
        }
        fn unary(&mut self, _: usize, unary: Unary, a: f64) -> Result<f64, Infallible> {
            Ok(unary.of(Jet::constant(a)).value())
        }
        fn binary(&mut self, _: usize, binary: Binary, a: f64, b: f64) -> Result<f64, Infallible> {
            Ok(match binary {
                Binary::Add => a + b,
                Binary::Subtract => a - b,
                Binary::Multiply => a * b,
                Binary::Divide => a / b,
                _ => binary.of(Jet::constant(a), Jet::constant(b)).value(),
            })
        }
    }
    let Ok(number) = run(program, &mut OnNumbers(variables));
    number
}
