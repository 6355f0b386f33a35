//! The value of a formula with its slopes by all of its variables at once, backwards through the steps.
//! Not here: reading formulas (`formula`), slopes along one direction (`Formula::eval_with`).
//! In: values of the variables. Out: value and slopes. Nothing is allocated after the first formula of a length.
//!
//! With v_s the value of step s and a, b the steps of its operands, adjoints run from the result, whose own is 1, to the variables:
//!
//!     v̄_a += v̄_s ∂v_s/∂v_a,     v̄_b += v̄_s ∂v_s/∂v_b                                              (1)
//!
//! Source: Griewank, Walther 2008, Evaluating Derivatives, ch. 3.

use super::Formula;
use super::jet::Jet;
use super::program::{Binary, DEPTH, Op, Unary};

/// Memory for the slopes of formulas; one serves many.
#[derive(Clone, Debug, Default)]
pub struct Gradient {
    steps: Vec<Step>,
}

/// A step with its value, its operands and the slopes by them, and its adjoint.
#[derive(Clone, Copy, Debug)]
struct Step {
    value: f64,
    operands: [u32; 2],
    slopes: [f64; 2],
    adjoint: f64,
}

impl Unary {
    /// Value and slope.
    pub(super) fn with_slope(self, a: f64) -> [f64; 2] {
        let [value, slope, ..] = self.of(Jet::variable(a)).0;
        [value, slope]
    }
}

impl Binary {
    /// Value and both slopes; those of equal operands are as in `Jet`.
    pub(super) fn with_slopes(self, a: f64, b: f64) -> (f64, [f64; 2]) {
        match self {
            Binary::Add => (a + b, [1.0, 1.0]),
            Binary::Subtract => (a - b, [1.0, -1.0]),
            Binary::Multiply => (a * b, [b, a]),
            Binary::Divide => {
                let q = a / b;
                (q, [1.0 / b, -q / b])
            }
            Binary::Min | Binary::Max => {
                let second = if self == Binary::Min { b < a } else { b > a } || b.is_nan();
                if second { (b, [0.0, 1.0]) } else { (a, [1.0, 0.0]) }
            }
            Binary::Power | Binary::Atan2 => {
                let by = |x: Jet, y: Jet| self.of(x, y).0;
                let [value, first, ..] = by(Jet::variable(a), Jet::constant(b));
                (value, [first, by(Jet::constant(a), Jet::variable(b))[1]])
            }
        }
    }
}

impl Formula {
    /// Its value, and its slopes by the variables of [`Formula::variables`], in that order.
    ///
    /// A step that does not change with any variable takes no part, even where it has no slope itself: `varies` says of each variable whether its
    /// slope is wanted; the slopes by others are zero.
    ///
    /// # Panics
    /// If `slopes` is not as long as the list of variables.
    pub fn gradient(&self, value: impl Fn(usize) -> f64, varies: impl Fn(usize) -> bool, memory: &mut Gradient, slopes: &mut [f64]) -> f64 {
        assert_eq!(slopes.len(), self.variables().len());
        let steps = &mut memory.steps;
        steps.clear();
        let mut stack = [0_u32; DEPTH];
        let mut top = 0;
        for op in self.steps() {
            let at = steps.len() as u32;
            let own = |value: f64, operands: [u32; 2], slopes: [f64; 2], moves: bool| Step {
                value,
                operands,
                slopes,
                adjoint: f64::from(u8::from(moves)),
            };
            // Until the way back the adjoint says whether the step changes with a variable.
            let moves = |step: u32| steps[step as usize].adjoint != 0.0;
            let step = match *op {
                Op::Number(number) => own(number, [at; 2], [0.0; 2], false),
                Op::Variable(index) => own(value(index), [at; 2], [0.0; 2], varies(index)),
                Op::Unary(unary) => {
                    let a = stack[top - 1];
                    top -= 1;
                    let [result, slope] = unary.with_slope(steps[a as usize].value);
                    own(result, [a, at], [if moves(a) { slope } else { 0.0 }, 0.0], moves(a))
                }
                Op::Binary(binary) => {
                    let [a, b] = [stack[top - 2], stack[top - 1]];
                    top -= 2;
                    let (result, by) = binary.with_slopes(steps[a as usize].value, steps[b as usize].value);
                    let kept = [if moves(a) { by[0] } else { 0.0 }, if moves(b) { by[1] } else { 0.0 }];
                    own(result, [a, b], kept, moves(a) || moves(b))
                }
            };
            steps.push(step);
            stack[top] = at;
            top += 1;
        }
        slopes.fill(0.0);
        let Some(last) = steps.len().checked_sub(1) else { return f64::NAN };
        let result = steps[last].value;
        let begins = steps[last].adjoint;
        steps.iter_mut().for_each(|step| step.adjoint = 0.0);
        steps[last].adjoint = begins;
        for at in (0..steps.len()).rev() {
            let Step { operands, slopes: by, adjoint, .. } = steps[at];
            if adjoint == 0.0 {
                continue;
            }
            match self.steps()[at] {
                Op::Number(_) => {}
                Op::Variable(index) if varies(index) => {
                    let place = self.variables().binary_search(&index).unwrap_or_else(|place| place);
                    slopes[place] += adjoint;
                }
                Op::Variable(_) => {}
                Op::Unary(_) => steps[operands[0] as usize].adjoint += adjoint * by[0],
                Op::Binary(_) => {
                    for (operand, slope) in operands.into_iter().zip(by).filter(|(_, slope)| *slope != 0.0) {
                        steps[operand as usize].adjoint += adjoint * slope;
                    }
                }
            }
        }
        result
    }
}
