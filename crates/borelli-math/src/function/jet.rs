//! Jets: a value with its first three derivatives by one variable, and their arithmetic.
//! Not here: text and programs (`expression`).
//! In: jets of the operands; out: the jet of the result. Outside a function's domain the result is infinite or not a number.

use crate::real::sin_cos;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Value, first, second and third derivative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Jet(pub [f64; 4]);

impl Jet {
    pub const fn constant(value: f64) -> Jet {
        Jet([value, 0.0, 0.0, 0.0])
    }

    pub const fn variable(value: f64) -> Jet {
        Jet([value, 1.0, 0.0, 0.0])
    }

    pub fn value(self) -> f64 {
        self.0[0]
    }

    /// All three derivatives vanish: to this order a constant.
    fn is_constant(self) -> bool {
        self.0[1..] == [0.0; 3]
    }

    /// `g(self)` by the chain rule, for a function with value and derivatives `g` at `self.value()`.
    ///
    /// A constant stays one even where g has no derivative, as in `sqrt(max(x, 0))` left of zero.
    fn compose(self, g: [f64; 4]) -> Jet {
        if self.is_constant() {
            return Jet::constant(g[0]);
        }
        let [_, f1, f2, f3] = self.0;
        Jet([g[0], g[1] * f1, g[2] * f1 * f1 + g[1] * f2, g[3] * f1 * f1 * f1 + 3.0 * g[2] * f1 * f2 + g[1] * f3])
    }

    pub fn sin(self) -> Jet {
        let (s, c) = sin_cos(self.value());
        self.compose([s, c, -s, -c])
    }

    pub fn cos(self) -> Jet {
        let (s, c) = sin_cos(self.value());
        self.compose([c, -s, -c, s])
    }

    pub fn tan(self) -> Jet {
        let t = self.value().tan();
        let g1 = 1.0 + t * t;
        self.compose([t, g1, 2.0 * t * g1, 2.0 * g1 * (1.0 + 3.0 * t * t)])
    }

    pub fn asin(self) -> Jet {
        let v = self.value();
        let square = (1.0 - v) * (1.0 + v);
        let g1 = 1.0 / square.sqrt();
        self.compose([v.asin(), g1, v * g1 / square, (1.0 + 2.0 * v * v) * g1 / (square * square)])
    }

    pub fn acos(self) -> Jet {
        let mut jet = -self.asin();
        jet.0[0] = self.value().acos();
        jet
    }

    pub fn atan(self) -> Jet {
        let v = self.value();
        let g1 = 1.0 / (1.0 + v * v);
        self.compose([v.atan(), g1, -2.0 * v * g1 * g1, (6.0 * v * v - 2.0) * g1 * g1 * g1])
    }

    pub fn sinh(self) -> Jet {
        let (s, c) = (self.value().sinh(), self.value().cosh());
        self.compose([s, c, s, c])
    }

    pub fn cosh(self) -> Jet {
        let (s, c) = (self.value().sinh(), self.value().cosh());
        self.compose([c, s, c, s])
    }

    pub fn tanh(self) -> Jet {
        let (t, c) = (self.value().tanh(), self.value().cosh());
        let g1 = 1.0 / (c * c);
        self.compose([t, g1, -2.0 * t * g1, -2.0 * g1 * (1.0 - 3.0 * t * t)])
    }

    pub fn exp(self) -> Jet {
        self.compose([self.value().exp(); 4])
    }

    pub fn ln(self) -> Jet {
        let r = 1.0 / self.value();
        self.compose([self.value().ln(), r, -r * r, 2.0 * r * r * r])
    }

    pub fn sqrt(self) -> Jet {
        let v = self.value();
        let root = v.sqrt();
        self.compose([root, 0.5 / root, -0.25 / (root * v), 0.375 / (root * v * v)])
    }

    /// Absolute value; at zero the branch of positive arguments.
    pub fn abs(self) -> Jet {
        if self.value() < 0.0 { -self } else { self }
    }

    /// The smaller value; the first where both are equal.
    pub fn min(self, other: Jet) -> Jet {
        if other.value() < self.value() || other.value().is_nan() { other } else { self }
    }

    /// The larger value; the first where both are equal.
    pub fn max(self, other: Jet) -> Jet {
        if other.value() > self.value() || other.value().is_nan() { other } else { self }
    }

    /// Four-quadrant arc tangent of `self / x`: `theta' = (x y' - y x')/(x^2 + y^2)` and the derivatives of this quotient.
    pub fn atan2(self, x: Jet) -> Jet {
        let [y0, y1, y2, y3] = self.0;
        let [x0, x1, x2, x3] = x.0;
        let theta = y0.atan2(x0);
        if self.is_constant() && x.is_constant() {
            return Jet::constant(theta);
        }
        let rate = Jet([x0 * y1 - y0 * x1, x0 * y2 - y0 * x2, x0 * y3 + x1 * y2 - y1 * x2 - y0 * x3, 0.0]);
        let square = Jet([x0 * x0 + y0 * y0, 2.0 * (x0 * x1 + y0 * y1), 2.0 * (x1 * x1 + y1 * y1 + x0 * x2 + y0 * y2), 0.0]);
        let [t1, t2, t3, _] = (rate / square).0;
        Jet([theta, t1, t2, t3])
    }

    /// `self ^ exponent`; for a negative base only where the exponent is a whole number that does not vary.
    pub fn pow(self, exponent: Jet) -> Jet {
        let (a, n) = (self.value(), exponent.value());
        if !exponent.is_constant() {
            let mut jet = (self.ln() * exponent).exp();
            jet.0[0] = a.powf(n);
            return jet;
        }
        // Squares and cubes are common and cheap as products.
        if n == 2.0 || n == 3.0 {
            let square = self * self;
            return if n == 2.0 { square } else { square * self };
        }
        // A factor that vanishes ends the series, so that 0^1 has the slope one and no more.
        let mut g = [a.powf(n), 0.0, 0.0, 0.0];
        let mut factor = 1.0;
        for k in 1..4 {
            factor *= n - (k - 1) as f64;
            if factor == 0.0 {
                break;
            }
            g[k] = factor * a.powf(n - k as f64);
        }
        self.compose(g)
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, o: Jet) -> Jet {
        Jet(std::array::from_fn(|k| self.0[k] + o.0[k]))
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, o: Jet) -> Jet {
        Jet(std::array::from_fn(|k| self.0[k] - o.0[k]))
    }
}

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        Jet(self.0.map(|v| -v))
    }
}

impl Mul for Jet {
    type Output = Jet;
    fn mul(self, o: Jet) -> Jet {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.0, o.0);
        Jet([a0 * b0, a0 * b1 + a1 * b0, a0 * b2 + 2.0 * a1 * b1 + a2 * b0, a0 * b3 + 3.0 * (a1 * b2 + a2 * b1) + a3 * b0])
    }
}

impl Div for Jet {
    type Output = Jet;
    /// From `q b = a`, differentiated three times.
    fn div(self, o: Jet) -> Jet {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.0, o.0);
        let q0 = a0 / b0;
        let q1 = (a1 - q0 * b1) / b0;
        let q2 = (a2 - 2.0 * q1 * b1 - q0 * b2) / b0;
        let q3 = (a3 - 3.0 * (q2 * b1 + q1 * b2) - q0 * b3) / b0;
        Jet([q0, q1, q2, q3])
    }
}
