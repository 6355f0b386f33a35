//! Functions of one variable with their derivatives, for guides, loads and joints driven by a coordinate; formulas over named variables.
//! Not here: units, names and files; the argument and the value are plain numbers.
//! In: the argument as any scalar; out: value, first and second derivative in the same scalar, exact also for duals.

mod expression;
mod expression_fault;
mod formula;
mod gradient;
mod jet;
mod many;
mod points;
mod program;
mod quintic;
mod reader;
mod slopes;
mod table;
#[cfg(test)]
mod tests;

pub use expression::Expression;
pub use expression_fault::ExpressionFault;
pub use formula::{Crossing, Formula, Sense};
pub use gradient::Gradient;
pub use many::Lanes;
pub use points::Points;
pub use program::{Binary, Fold, Unary};
pub use quintic::QuinticKnots;
pub use table::{Interpolation, Outside, Table, TableFault};

use crate::real::{Constant, Real};
use std::f64::consts::TAU;
use std::fmt;
use std::sync::Arc;

/// A function of one variable.
///
/// `C` is the type of its constants: `f64`, or a dual where derivatives by them are wanted. Expressions have plain constants always, and so have
/// tables but for their points.
#[derive(Clone, PartialEq)]
pub enum Function<C> {
    /// `f = c`.
    Constant(C),
    /// `f = sum of c_k (x - origin)^k`, k from zero.
    Polynomial {
        /// Where the powers vanish.
        origin: C,
        /// `c_0, c_1, ...`; none gives zero.
        coefficients: Vec<C>,
    },
    /// `f = offset + amplitude sin(2 pi frequency x + phase)`.
    Sine {
        /// Largest distance from the offset.
        amplitude: C,
        /// Cycles per unit of x.
        frequency: C,
        /// Angle at x = 0, rad.
        phase: C,
        /// Mean value.
        offset: C,
    },
    /// `f = mean + sum of a_k cos(2 pi k x/period) + b_k sin(2 pi k x/period)`, k from one.
    Fourier {
        /// Period, in units of x; not zero.
        period: C,
        /// Mean value.
        mean: C,
        /// `a_1, a_2, ...`.
        cosines: Vec<C>,
        /// `b_1, b_2, ...`; need not be as many as the cosines.
        sines: Vec<C>,
    },
    /// Piecewise polynomial through points.
    Table(Arc<Table>),
    /// The same with values of its own at its knots.
    Points(Box<Points<C>>),
    /// As written.
    Expression(Arc<Expression>),
}

/// What it is worth, not which memory it has: a table whose values are its own again is that table.
impl<C: fmt::Debug> fmt::Debug for Function<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Function::Constant(c) => f.debug_tuple("Constant").field(c).finish(),
            Function::Polynomial { origin, coefficients } => {
                f.debug_struct("Polynomial").field("origin", origin).field("coefficients", coefficients).finish()
            }
            Function::Sine { amplitude, frequency, phase, offset } => {
                f.debug_tuple("Sine").field(&[amplitude, frequency, phase, offset]).finish()
            }
            Function::Fourier { period, mean, cosines, sines } => f
                .debug_struct("Fourier")
                .field("period", period)
                .field("mean", mean)
                .field("cosines", cosines)
                .field("sines", sines)
                .finish(),
            Function::Table(table) => f.debug_tuple("Table").field(table).finish(),
            Function::Points(points) if points.is_base() => f.debug_tuple("Table").field(points.base()).finish(),
            Function::Points(points) => f.debug_tuple("Points").field(points).finish(),
            Function::Expression(expression) => f.debug_tuple("Expression").field(expression).finish(),
        }
    }
}

/// How many derivatives of a function are continuous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Continuity {
    /// The value only.
    C0,
    /// Value and slope.
    C1,
    /// Value, first and second derivative.
    C2,
    /// All derivatives.
    Smooth,
}

impl<C: Real> Function<C> {
    /// Value, first and second derivative at `x`; allocates nothing.
    ///
    /// Beyond the ends of a table with `Outside::Error` the end polynomial goes on: callers test [`Function::domain`] where that
    /// matters. Where an expression has no value the result is infinite or not a number.
    pub fn eval<S: Real>(&self, x: S) -> [S; 3]
    where
        C: Constant<S>,
    {
        match self {
            Function::Constant(c) => [c.lift(), S::ZERO, S::ZERO],
            Function::Polynomial { origin, coefficients } => polynomial(x - origin.lift(), coefficients),
            Function::Sine { amplitude, frequency, phase, offset } => {
                let rate = *frequency * TAU;
                let (s, c) = (rate.times(x) + phase.lift()).sin_cos();
                let (s, c) = (amplitude.times(s), amplitude.times(c));
                [offset.lift() + s, rate.times(c), -rate.times(rate.times(s))]
            }
            Function::Fourier { period, mean, cosines, sines } => fourier(x, *period, *mean, cosines, sines),
            Function::Table(table) => carry(x, table.derivatives(x.value())),
            Function::Points(points) => points.eval(x),
            Function::Expression(expression) => carry(x, expression.derivatives(x.value())),
        }
    }

    /// Where the third or a lower derivative may jump: the knots of a table, else none.
    ///
    /// The knots of a periodic table repeat with [`Function::period`].
    pub fn breakpoints(&self) -> &[f64] {
        self.knots().map_or(&[], |table| table.knots())
    }

    /// The table whose knots and rules a function has.
    fn knots(&self) -> Option<&Table> {
        match self {
            Function::Table(table) => Some(table),
            Function::Points(points) => Some(points.base()),
            _ => None,
        }
    }

    /// Distance at which the breakpoints repeat: the period of a periodic table, else none.
    pub fn period(&self) -> Option<f64> {
        let (first, last) = self.knots().filter(|table| table.outside() == Outside::Periodic)?.ends();
        Some(last - first)
    }

    /// How smooth the function is over its domain.
    pub fn continuity(&self) -> Continuity {
        match self {
            Function::Table(_) | Function::Points(_) => self.knots().map_or(Continuity::Smooth, Table::continuity),
            Function::Expression(expression) => expression.continuity(),
            _ => Continuity::Smooth,
        }
    }

    /// The ends of a table that is not defined beyond them; `None` for a function defined everywhere.
    pub fn domain(&self) -> Option<(f64, f64)> {
        self.knots().filter(|table| table.outside() == Outside::Error).map(Table::ends)
    }

    /// The same function with its constants turned into another scalar, as for derivatives by them.
    pub fn map<D: Real>(&self, mut constant: impl FnMut(C) -> D) -> Function<D> {
        match self {
            Function::Constant(c) => Function::Constant(constant(*c)),
            Function::Polynomial { origin, coefficients } => {
                let origin = constant(*origin);
                Function::Polynomial { origin, coefficients: coefficients.iter().map(|c| constant(*c)).collect() }
            }
            Function::Sine { amplitude, frequency, phase, offset } => Function::Sine {
                amplitude: constant(*amplitude),
                frequency: constant(*frequency),
                phase: constant(*phase),
                offset: constant(*offset),
            },
            Function::Fourier { period, mean, cosines, sines } => Function::Fourier {
                period: constant(*period),
                mean: constant(*mean),
                cosines: cosines.iter().map(|c| constant(*c)).collect(),
                sines: sines.iter().map(|c| constant(*c)).collect(),
            },
            Function::Table(table) => Function::Table(Arc::clone(table)),
            Function::Points(points) => Function::Points(Box::new(points.map(constant))),
            Function::Expression(expression) => Function::Expression(Arc::clone(expression)),
        }
    }
}

/// Known derivatives at `x.value()` as scalars: each is the slope of the one before.
#[inline]
fn carry<S: Real>(x: S, [f0, f1, f2, f3]: [f64; 4]) -> [S; 3] {
    [x.chain(f0, f1), x.chain(f1, f2), x.chain(f2, f3)]
}

/// Horner's scheme, differentiated twice.
fn polynomial<S: Real, C: Constant<S>>(z: S, coefficients: &[C]) -> [S; 3] {
    let (mut p, mut slope, mut half_bend) = (S::ZERO, S::ZERO, S::ZERO);
    for c in coefficients.iter().rev() {
        half_bend = half_bend * z + slope;
        slope = slope * z + p;
        p = p * z + c.lift();
    }
    [p, slope, half_bend * 2.0]
}

/// One sine and cosine, the harmonics by rotation; rounding grows with the number of the harmonic, not with x.
fn fourier<S: Real, C: Constant<S>>(x: S, period: C, mean: C, cosines: &[C], sines: &[C]) -> [S; 3] {
    let rate = period.recip() * TAU;
    let (s1, c1) = rate.times(x).sin_cos();
    let (mut s, mut c) = (s1, c1);
    let (mut sum, mut slope, mut bend) = (mean.lift(), S::ZERO, S::ZERO);
    for k in 0..cosines.len().max(sines.len()) {
        let order = (k + 1) as f64;
        let a = cosines.get(k).copied().unwrap_or(C::ZERO);
        let b = sines.get(k).copied().unwrap_or(C::ZERO);
        let term = a.times(c) + b.times(s);
        sum += term;
        slope += (b.times(c) - a.times(s)) * order;
        bend -= term * (order * order);
        (s, c) = (s * c1 + c * s1, c * c1 - s * s1);
    }
    [sum, rate.times(slope), rate.times(rate.times(bend))]
}
