//! Formulas over columns: the value at many samples, with its slopes by all variables, some samples side by side.
//! Not here: one sample (`formula`, `gradient`), whose values these have to the bit.
//! In: columns of the variables. Out: a column, and columns of slopes. Nothing is allocated after the first formula of a length.
//!
//! A step of the program is done for all samples of a block before the next, so that its kind is asked for once. Slopes run backwards as in `gradient`.

use super::Formula;
use super::jet::Jet;
use super::program::{Binary, DEPTH, Op, Unary};

/// Samples of a block.
const BLOCK: usize = 32;

/// A number of every sample of a block.
type Lane = [f64; BLOCK];

/// Memory for formulas over columns; one serves many.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    steps: Vec<Step>,
}

/// A step with its values, its operands and the slopes by them, and its adjoints.
#[derive(Clone, Debug)]
struct Step {
    value: Lane,
    operands: [u32; 2],
    slopes: [Lane; 2],
    adjoint: Lane,
    /// Whether it changes with a variable whose slope is wanted.
    moves: bool,
}

const EMPTY: Step = Step { value: [0.0; BLOCK], operands: [0; 2], slopes: [[0.0; BLOCK]; 2], adjoint: [0.0; BLOCK], moves: false };

/// `out` from each pair of two lanes.
#[inline(always)]
fn each(a: &Lane, b: &Lane, of: impl Fn(f64, f64) -> f64) -> Lane {
    let mut out = [0.0; BLOCK];
    for k in 0..BLOCK {
        out[k] = of(a[k], b[k]);
    }
    out
}

impl Unary {
    fn over(self, a: &Lane) -> Lane {
        match self {
            Unary::Negate => a.map(|a| -a),
            _ => a.map(|a| self.of(Jet::constant(a)).value()),
        }
    }

    /// Values and slopes.
    fn over_with_slopes(self, a: &Lane, slope: &mut Lane) -> Lane {
        let mut value = [0.0; BLOCK];
        for k in 0..BLOCK {
            [value[k], slope[k]] = self.with_slope(a[k]);
        }
        value
    }
}

impl Binary {
    fn over(self, a: &Lane, b: &Lane) -> Lane {
        match self {
            Binary::Add => each(a, b, |a, b| a + b),
            Binary::Subtract => each(a, b, |a, b| a - b),
            Binary::Multiply => each(a, b, |a, b| a * b),
            Binary::Divide => each(a, b, |a, b| a / b),
            Binary::Min => each(a, b, |a, b| if b < a || b.is_nan() { b } else { a }),
            Binary::Max => each(a, b, |a, b| if b > a || b.is_nan() { b } else { a }),
            Binary::Power | Binary::Atan2 => each(a, b, |a, b| self.of(Jet::constant(a), Jet::constant(b)).value()),
        }
    }

    /// Slopes by both operands.
    fn slopes_over(self, value: &Lane, a: &Lane, b: &Lane, out: &mut [Lane; 2]) {
        let [by_a, by_b] = out;
        match self {
            Binary::Add => (*by_a, *by_b) = ([1.0; BLOCK], [1.0; BLOCK]),
            Binary::Subtract => (*by_a, *by_b) = ([1.0; BLOCK], [-1.0; BLOCK]),
            Binary::Multiply => (*by_a, *by_b) = (*b, *a),
            Binary::Divide => (*by_a, *by_b) = (b.map(|b| 1.0 / b), each(value, b, |q, b| -q / b)),
            _ => {
                for k in 0..BLOCK {
                    [by_a[k], by_b[k]] = self.with_slopes(a[k], b[k]).1;
                }
            }
        }
    }
}

/// Adds `adjoint` times `slope` where neither is zero: what takes no part must not matter, even where it has no slope.
fn add_product(out: &mut Lane, adjoint: &Lane, slope: &Lane) {
    for k in 0..BLOCK {
        let product = adjoint[k] * slope[k];
        out[k] += if adjoint[k] != 0.0 && slope[k] != 0.0 { product } else { 0.0 };
    }
}

/// Part of a column, the rest of the lane zero.
fn lane(column: &[f64], first: usize, count: usize) -> Lane {
    let mut out = [0.0; BLOCK];
    out[..count].copy_from_slice(&column[first..first + count]);
    out
}

impl Formula {
    /// Its values at all samples, for columns of the variables it uses.
    ///
    /// # Panics
    /// If a column is shorter than `out`.
    pub fn eval_many<'c>(&self, column: impl Fn(usize) -> &'c [f64], memory: &mut Lanes, out: &mut [f64]) {
        memory.room(DEPTH);
        for first in (0..out.len()).step_by(BLOCK) {
            let count = BLOCK.min(out.len() - first);
            let mut top = 0;
            for op in self.steps() {
                match *op {
                    Op::Number(number) => {
                        memory.steps[top].value = [number; BLOCK];
                        top += 1;
                    }
                    Op::Variable(index) => {
                        memory.steps[top].value = lane(column(index), first, count);
                        top += 1;
                    }
                    Op::Unary(unary) => memory.steps[top - 1].value = unary.over(&memory.steps[top - 1].value),
                    Op::Binary(binary) => {
                        top -= 1;
                        memory.steps[top - 1].value = binary.over(&memory.steps[top - 1].value, &memory.steps[top].value);
                    }
                }
            }
            out[first..first + count].copy_from_slice(&memory.steps[0].value[..count]);
        }
    }

    /// Its values at all samples, and its slopes by the variables of [`Formula::variables`], handed over block by block: number of the variable in that
    /// list, first sample, slopes. `varies` as for [`Formula::gradient`]; slopes by variables that do not vary are not handed over.
    ///
    /// # Panics
    /// If a column is shorter than `out`.
    pub fn gradient_many<'c>(
        &self,
        column: impl Fn(usize) -> &'c [f64],
        varies: impl Fn(usize) -> bool,
        memory: &mut Lanes,
        out: &mut [f64],
        mut take: impl FnMut(usize, usize, &[f64]),
    ) {
        let Some(last) = self.steps().len().checked_sub(1) else { return };
        memory.room(last + 1);
        for first in (0..out.len()).step_by(BLOCK) {
            let count = BLOCK.min(out.len() - first);
            self.forwards(|index| lane(column(index), first, count), &varies, memory);
            out[first..first + count].copy_from_slice(&memory.steps[last].value[..count]);
            self.backwards(memory, last);
            for (place, variable) in self.variables().iter().enumerate().filter(|(_, variable)| varies(**variable)) {
                let mut sum = [0.0; BLOCK];
                // Backwards, as one sample adds them up.
                for (op, step) in self.steps().iter().zip(&memory.steps[..=last]).rev() {
                    if *op == Op::Variable(*variable) {
                        (0..BLOCK).for_each(|k| sum[k] += step.adjoint[k]);
                    }
                }
                take(place, first, &sum[..count]);
            }
        }
    }

    /// Values of all steps of a block, and slopes of those that move.
    fn forwards(&self, variable: impl Fn(usize) -> Lane, varies: &impl Fn(usize) -> bool, memory: &mut Lanes) {
        let mut stack = [0_u32; DEPTH];
        let mut top = 0;
        for (at, op) in self.steps().iter().enumerate() {
            let (before, rest) = memory.steps.split_at_mut(at);
            let own = &mut rest[0];
            match *op {
                Op::Number(number) => (own.value, own.moves) = ([number; BLOCK], false),
                Op::Variable(index) => (own.value, own.moves) = (variable(index), varies(index)),
                Op::Unary(unary) => {
                    top -= 1;
                    let a = &before[stack[top] as usize];
                    (own.operands[0], own.moves) = (stack[top], a.moves);
                    own.value = if a.moves { unary.over_with_slopes(&a.value, &mut own.slopes[0]) } else { unary.over(&a.value) };
                }
                Op::Binary(binary) => {
                    top -= 2;
                    let [a, b] = [stack[top], stack[top + 1]];
                    own.operands = [a, b];
                    let [a, b] = [&before[a as usize], &before[b as usize]];
                    own.moves = a.moves || b.moves;
                    own.value = binary.over(&a.value, &b.value);
                    if own.moves {
                        binary.slopes_over(&own.value, &a.value, &b.value, &mut own.slopes);
                    }
                }
            }
            stack[top] = at as u32;
            top += 1;
        }
    }

    /// Adjoints of all steps of a block, from the last one.
    fn backwards(&self, memory: &mut Lanes, last: usize) {
        memory.steps[..=last].iter_mut().for_each(|step| step.adjoint = [0.0; BLOCK]);
        memory.steps[last].adjoint = [f64::from(u8::from(memory.steps[last].moves)); BLOCK];
        for (at, op) in self.steps().iter().enumerate().rev() {
            let (before, rest) = memory.steps.split_at_mut(at);
            let own = &rest[0];
            let operands = match op {
                Op::Number(_) | Op::Variable(_) => 0,
                Op::Unary(_) => 1,
                Op::Binary(_) => 2,
            };
            for (operand, slope) in own.operands.iter().zip(&own.slopes).take(operands) {
                let other = &mut before[*operand as usize];
                if own.moves && other.moves {
                    add_product(&mut other.adjoint, &own.adjoint, slope);
                }
            }
        }
    }
}

impl Lanes {
    fn room(&mut self, steps: usize) {
        if self.steps.len() < steps {
            self.steps.resize(steps, EMPTY);
        }
    }
}
