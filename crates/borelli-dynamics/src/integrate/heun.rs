//! Heun's method: the mean of the slopes at both ends of the step, the second one predicted by Euler's method. Order 2.
//! Not here: the loop and the dense output (`fixed`).
//! Source: K. Heun, Z. Math. Phys. 45 (1900) 23-38.

use super::Method;
use super::fixed::{Fixed, Tableau};

static HEUN: Tableau = Tableau { order: 2, a: &[&[1.0]], b: &[0.5, 0.5], c: &[0.0, 1.0] };

/// A Heun method for states of a length.
pub fn build(dim: usize) -> Box<dyn Method> {
    Box::new(Fixed::new(&HEUN, dim))
}
