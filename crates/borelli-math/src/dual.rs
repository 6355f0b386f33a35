//! First-order dual numbers with `N` directions: a value and its derivatives.
//! Not here: second-order numbers (the testkit has them for its oracle).
//! Why by hand: a plain array is four times faster than the generic crate on this use and needs no dependency.

use crate::real::{Constant, Real};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// `re + sum of eps[k] * e_k` with `e_j e_k = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const N: usize> {
    /// Value.
    pub re: f64,
    /// Derivatives along the `N` directions.
    pub eps: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// The variable that direction `k` differentiates by.
    pub fn variable(re: f64, k: usize) -> Self {
        let mut eps = [0.0; N];
        eps[k] = 1.0;
        Dual { re, eps }
    }

    #[inline(always)]
    fn with(re: f64, eps: [f64; N]) -> Self {
        Dual { re, eps }
    }
}

macro_rules! each {
    ($n:ident, $k:ident => $e:expr) => {{
        let mut eps = [0.0; $n];
        for $k in 0..$n {
            eps[$k] = $e;
        }
        eps
    }};
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::with(self.re + o.re, each!(N, k => self.eps[k] + o.eps[k]))
    }
}
impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::with(self.re - o.re, each!(N, k => self.eps[k] - o.eps[k]))
    }
}
impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self::with(self.re * o.re, each!(N, k => self.eps[k] * o.re + self.re * o.eps[k]))
    }
}
impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    #[inline(always)]
    #[allow(clippy::suspicious_arithmetic_impl)] // a quotient as a product with the reciprocal: one division instead of N + 1
    fn div(self, o: Self) -> Self {
        self * o.recip()
    }
}
impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::with(-self.re, each!(N, k => -self.eps[k]))
    }
}
impl<const N: usize> AddAssign for Dual<N> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<const N: usize> SubAssign for Dual<N> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<const N: usize> Add<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: f64) -> Self {
        Self::with(self.re + o, self.eps)
    }
}
impl<const N: usize> Sub<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: f64) -> Self {
        Self::with(self.re - o, self.eps)
    }
}
impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: f64) -> Self {
        Self::with(self.re * o, each!(N, k => self.eps[k] * o))
    }
}

impl<const N: usize> Real for Dual<N> {
    const ZERO: Self = Dual { re: 0.0, eps: [0.0; N] };
    const ONE: Self = Dual { re: 1.0, eps: [0.0; N] };

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::with(value, [0.0; N])
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self.re
    }
    fn varies(self) -> bool {
        self.eps.iter().any(|slope| *slope != 0.0)
    }
    #[inline(always)]
    fn chain(self, g0: f64, g1: f64) -> Self {
        Self::with(g0, each!(N, k => g1 * self.eps[k]))
    }
    #[inline(always)]
    fn chain2(self, o: Self, g0: f64, g1: f64, g2: f64) -> Self {
        Self::with(g0, each!(N, k => g1 * self.eps[k] + g2 * o.eps[k]))
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = crate::real::sin_cos(self.re);
        (self.chain(s, c), self.chain(c, -s))
    }
    #[inline(always)]
    fn recip(self) -> Self {
        let r = 1.0 / self.re;
        self.chain(r, -r * r)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let r = self.re.sqrt();
        self.chain(r, 0.5 / r)
    }
}

impl<const N: usize> Constant<Dual<N>> for Dual<N> {
    #[inline(always)]
    fn lift(self) -> Dual<N> {
        self
    }
    #[inline(always)]
    fn times(self, s: Dual<N>) -> Dual<N> {
        self * s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_a_composite_expression_equal_the_closed_form() {
        let (x, y) = (0.7, -1.3);
        let (dx, dy) = (Dual::<2>::variable(x, 0), Dual::<2>::variable(y, 1));
        // f = sin(x y) / sqrt(1 + x^2) + atan2(y, x)
        let f = (dx * dy).sin_cos().0 / (dx * dx + 1.0).sqrt() + dy.atan2(dx);
        let root = (1.0 + x * x).sqrt();
        let r2 = x * x + y * y;
        let fx = y * (x * y).cos() / root - (x * y).sin() * x / root.powi(3) - y / r2;
        let fy = x * (x * y).cos() / root + x / r2;
        assert!((f.re - ((x * y).sin() / root + y.atan2(x))).abs() < 1e-15);
        assert!((f.eps[0] - fx).abs() < 1e-15 && (f.eps[1] - fy).abs() < 1e-15);
    }
}
