//! The classical Runge-Kutta method: four slopes, order 4.
//! Not here: the loop and the dense output (`fixed`; the cubic there has order 3, so samples between steps are a little less accurate).
//! Source: W. Kutta, Z. Math. Phys. 46 (1901) 435-453.

use super::Method;
use super::fixed::{Fixed, Tableau};

static RK4: Tableau = Tableau {
    order: 4,
    a: &[&[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    c: &[0.0, 0.5, 0.5, 1.0],
};

/// A classical Runge-Kutta method for states of a length.
pub fn build(dim: usize) -> Box<dyn Method> {
    Box::new(Fixed::new(&RK4, dim))
}
