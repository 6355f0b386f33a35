//! Second-order jets: a number with its first and second derivative along one line through the coordinates.
//! Not here: derivatives by several variables at once; the oracle walks one line after the other.
//! In and out: `x(s)` near `s = 0`, as `x`, `x'`, `x''`.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Value and two derivatives at `s = 0` of a smooth function of one parameter `s`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// `x(0)`.
    pub value: f64,
    /// `x'(0)`.
    pub first: f64,
    /// `x''(0)`.
    pub second: f64,
}

impl Jet {
    /// A number that does not depend on the parameter.
    pub fn constant(value: f64) -> Self {
        Jet { value, first: 0.0, second: 0.0 }
    }

    /// The straight line `value + slope s`.
    pub fn line(value: f64, slope: f64) -> Self {
        Jet { value, first: slope, second: 0.0 }
    }

    /// `g(x)` for a function with value, slope and second derivative `g` at `x(0)`: `(g(x))'' = g'' x'^2 + g' x''`.
    pub fn chain(self, g: [f64; 3]) -> Self {
        Jet { value: g[0], first: g[1] * self.first, second: g[2] * self.first * self.first + g[1] * self.second }
    }

    /// Sine.
    pub fn sin(self) -> Self {
        let (s, c) = self.value.sin_cos();
        self.chain([s, c, -s])
    }

    /// Cosine.
    pub fn cos(self) -> Self {
        let (s, c) = self.value.sin_cos();
        self.chain([c, -s, -c])
    }

    /// Square root of a positive number.
    pub fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain([root, 0.5 / root, -0.25 / (root * self.value)])
    }

    /// Four-quadrant arc tangent of `self / x`. With y = self, its rate is `(x y' - y x')/(x² + y²)`, and the rate of a quotient gives the second.
    pub fn atan2(self, x: Jet) -> Self {
        let (y, square) = (self, x.value * x.value + self.value * self.value);
        let first = (x.value * y.first - y.value * x.first) / square;
        let second = (x.value * y.second - y.value * x.second - 2.0 * first * (x.value * x.first + y.value * y.first)) / square;
        Jet { value: y.value.atan2(x.value), first, second }
    }
}

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        self * -1.0
    }
}

/// Quotient by the chain rule of the reciprocal.
impl Div for Jet {
    type Output = Jet;
    fn div(self, o: Jet) -> Jet {
        let r = 1.0 / o.value;
        self * o.chain([r, -r * r, 2.0 * r * r * r])
    }
}

impl Sub<f64> for Jet {
    type Output = Jet;
    fn sub(self, o: f64) -> Jet {
        Jet { value: self.value - o, ..self }
    }
}

impl Add<f64> for Jet {
    type Output = Jet;
    fn add(self, o: f64) -> Jet {
        Jet { value: self.value + o, ..self }
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, o: Jet) -> Jet {
        Jet { value: self.value + o.value, first: self.first + o.first, second: self.second + o.second }
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, o: Jet) -> Jet {
        Jet { value: self.value - o.value, first: self.first - o.first, second: self.second - o.second }
    }
}

/// Leibniz' rule: `(x y)'' = x'' y + 2 x' y' + x y''`.
impl Mul for Jet {
    type Output = Jet;
    fn mul(self, o: Jet) -> Jet {
        Jet {
            value: self.value * o.value,
            first: self.first * o.value + self.value * o.first,
            second: self.second * o.value + 2.0 * self.first * o.first + self.value * o.second,
        }
    }
}

impl Mul<f64> for Jet {
    type Output = Jet;
    fn mul(self, o: f64) -> Jet {
        Jet { value: self.value * o, first: self.first * o, second: self.second * o }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differences::assert_close;

    #[test]
    fn a_jet_of_the_sine_of_a_square_has_its_closed_derivatives() {
        let (x, d) = (0.8, 1.7);
        let s = Jet::line(x, d);
        let jet = (s * s).sin();
        // By s: (sin x^2)' = 2 x d cos x^2; (sin x^2)'' = 2 d^2 cos x^2 - 4 x^2 d^2 sin x^2.
        let (sine, cosine) = (x * x).sin_cos();
        let expected = [sine, 2.0 * x * d * cosine, 2.0 * d * d * cosine - 4.0 * x * x * d * d * sine];
        assert_close(&[jet.value, jet.first, jet.second], &expected, 1e-15, "sin x^2");
    }

    #[test]
    fn the_squares_of_sine_and_cosine_add_to_one_in_every_derivative() {
        let angle = Jet { value: 2.1, first: -0.4, second: 3.0 };
        let one = angle.sin() * angle.sin() + angle.cos() * angle.cos() - Jet::constant(1.0);
        assert_close(&[one.value, one.first, one.second], &[0.0; 3], 1e-14, "sin^2 + cos^2 - 1");
    }

    #[test]
    fn arc_tangent_root_and_quotient_undo_what_made_them() {
        let (angle, radius) = (Jet { value: 2.6, first: -0.7, second: 1.9 }, Jet { value: 1.4, first: 0.3, second: -2.0 });
        let (x, y) = (radius * angle.cos(), radius * angle.sin());
        let back = [y.atan2(x) - angle, (x * x + y * y).sqrt() - radius, (x * angle) / angle - x, -x + x];
        for (k, zero) in back.iter().enumerate() {
            assert_close(&[zero.value, zero.first, zero.second], &[0.0; 3], 1e-14, &format!("number {k}"));
        }
    }

    #[test]
    fn a_product_of_three_follows_the_rule_for_the_chain_of_a_cube() {
        let x = Jet { value: 1.3, first: 0.6, second: -0.9 };
        let cube = x.chain([1.3f64.powi(3), 3.0 * 1.3 * 1.3, 6.0 * 1.3]);
        let product = x * x * x * 1.0 + Jet::default();
        assert_close(&[product.value, product.first, product.second], &[cube.value, cube.first, cube.second], 1e-15, "cube");
    }
}
