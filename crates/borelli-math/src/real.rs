//! The scalar trait of all kernels: plain `f64` for speed, duals for derivatives.
//! Not here: any particular number type but `f64`.
//! Model constants enter through `Constant`: plain numbers on the fast path, scalars where derivatives by parameters are wanted.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number kernels can compute with.
///
/// Only what kernels need; `chain` and `chain2` carry any smooth function whose derivatives are known into the scalar.
pub trait Real:
    Copy
    + Debug
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// Whether it is a value without derivatives; what only these need may then be left out.
    const PLAIN: bool = false;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// A constant as a scalar.
    fn from_f64(value: f64) -> Self;
    /// The value without its derivatives; the only thing branches may look at.
    fn value(self) -> f64;
    /// Whether it has derivatives other than zero.
    fn varies(self) -> bool {
        false
    }
    /// `g(self)` for a function with value `g0` and slope `g1` at `self.value()`.
    fn chain(self, g0: f64, g1: f64) -> Self;
    /// `g(self, other)` for a function of two variables with value and both slopes.
    fn chain2(self, other: Self, g0: f64, g1: f64, g2: f64) -> Self;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// Sines and cosines of a list; `sines` and `cosines` are as long as `angles`.
    fn sin_cos_all(angles: &[Self], sines: &mut [Self], cosines: &mut [Self]) {
        for ((x, s), c) in angles.iter().zip(sines).zip(cosines) {
            (*s, *c) = x.sin_cos();
        }
    }
    /// `1 / self`.
    fn recip(self) -> Self;
    /// Square root; for duals undefined at zero.
    fn sqrt(self) -> Self;

    /// Four-quadrant arc tangent of `self / x`.
    fn atan2(self, x: Self) -> Self {
        let (y0, x0) = (self.value(), x.value());
        let r2 = x0 * x0 + y0 * y0;
        self.chain2(x, y0.atan2(x0), x0 / r2, -y0 / r2)
    }
}

impl Real for f64 {
    const PLAIN: bool = true;
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn from_f64(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
    #[inline(always)]
    fn chain(self, g0: f64, _g1: f64) -> f64 {
        g0
    }
    #[inline(always)]
    fn chain2(self, _other: f64, g0: f64, _g1: f64, _g2: f64) -> f64 {
        g0
    }
    #[inline(always)]
    fn sin_cos(self) -> (f64, f64) {
        sin_cos(self)
    }
    #[inline(always)]
    fn sin_cos_all(angles: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
        let n = angles.len();
        let (sines, cosines) = (&mut sines[..n], &mut cosines[..n]);
        let mut far = false;
        for i in 0..n {
            far |= !(angles[i].abs() < FAR);
            (sines[i], cosines[i]) = sin_cos_near(angles[i]);
        }
        if far {
            for i in 0..n {
                (sines[i], cosines[i]) = sin_cos(angles[i]);
            }
        }
    }
    #[inline(always)]
    fn recip(self) -> f64 {
        1.0 / self
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
}

/// A model constant in a kernel whose scalar is `S`.
///
/// `f64` for every scalar (a product by a plain number costs half of a product of duals), and each dual for itself, where
/// derivatives by the parameters are wanted.
pub trait Constant<S: Real>: Real {
    /// The constant as a scalar.
    fn lift(self) -> S;
    /// `self * s`.
    fn times(self, s: S) -> S;
}

impl<S: Real> Constant<S> for f64 {
    #[inline(always)]
    fn lift(self) -> S {
        S::from_f64(self)
    }
    #[inline(always)]
    fn times(self, s: S) -> S {
        s * self
    }
}

/// Beyond this the range reduction of `sin_cos_near` loses digits.
const FAR: f64 = 1e6;

/// Sine and cosine; see `sin_cos_near`. Far arguments, NaN and infinity go to the standard library.
#[inline(always)]
pub fn sin_cos(x: f64) -> (f64, f64) {
    if x.abs() < FAR { sin_cos_near(x) } else { x.sin_cos() }
}

/// Sine and cosine for |x| < 1e6, without a branch and in the same steps for both, so that the compiler keeps the two in one register and
/// loops over it become vector code.
///
///     sin x = (−1)ᵐ sin r,  r = x − m π,         m = round(x/π)
///     cos x = (−1)ᵐ sin r,  r = x − (m − ½) π,   m = round(x/π + ½)
///
/// with π in two parts (33 bits, so that its product with m is exact, and the rest) and sin r = r + r³ Q(r²) on |r| ≤ π/2, Q of degree 7
/// interpolating in Chebyshev points (error 4e-17, computed in 60 digits). Why by hand: one library call takes 11.5 ns, as much as a
/// fifth of a planar evaluation, and cannot be vectorised. Source: Cody & Waite 1980, Software Manual for the Elementary Functions, for the
/// reduction; coefficients our own. Limits: differs from the standard library by at most 2.3e-16, one unit in the last place of 1.
/// Test: `sin_cos_agrees_with_the_standard_library`.
#[inline(always)]
fn sin_cos_near(x: f64) -> (f64, f64) {
    // Adding and subtracting 1.5 * 2^52 rounds to the nearest integer without a library call.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    // Cosine first: callers keep the pair in that order, and a pair stored in one piece can be loaded in one.
    const OFFSET: [f64; 2] = [0.5, 0.0];
    let mut out = [0.0; 2];
    for lane in 0..2 {
        let shifted = (x * std::f64::consts::FRAC_1_PI + OFFSET[lane]) + ROUND;
        let k = (shifted - ROUND) - OFFSET[lane];
        let r = (x - k * 3.141_592_653_468_251_2) - k * 1.215_420_101_301_238_4e-10;
        let z = r * r;
        let q = 2.731_405_316_964_731_4e-15;
        let q = q * z - 7.643_967_132_130_914e-13;
        let q = q * z + 1.605_897_721_331_826_5e-10;
        let q = q * z - 2.505_210_761_546_661e-8;
        let q = q * z + 2.755_731_921_915_122e-6;
        let q = q * z - 1.984_126_984_125_492_8e-4;
        let q = q * z + 8.333_333_333_333_316e-3;
        let q = q * z - 1.666_666_666_666_666_6e-1;
        let s = r + (r * z) * q;
        out[lane] = f64::from_bits(s.to_bits() ^ (shifted.to_bits() << 63));
    }
    (out[1], out[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sin_cos_agrees_with_the_standard_library() {
        let mut worst = 0.0_f64;
        let mut x = -1.0e6;
        while x < 1.0e6 {
            let (s, c) = sin_cos(x);
            worst = worst.max((s - x.sin()).abs()).max((c - x.cos()).abs());
            x += 0.7310585786300049 * (1.0 + (x * 0.37).sin().abs());
        }
        let mut x = -10.0;
        while x < 10.0 {
            let (s, c) = sin_cos(x);
            worst = worst.max((s - x.sin()).abs()).max((c - x.cos()).abs());
            x += 1.7e-5;
        }
        assert!(worst <= 2.3e-16, "{worst:e}");
        let angles = [0.1, -2.0, 7.0, 1.0e9, 3.0];
        let (mut s, mut c) = ([0.0; 5], [0.0; 5]);
        for n in [3, 5] {
            f64::sin_cos_all(&angles[..n], &mut s, &mut c);
            (0..n).for_each(|k| assert_eq!((s[k], c[k]), sin_cos(angles[k])));
        }
        assert!(sin_cos(f64::NAN).0.is_nan());
        assert_eq!(sin_cos(1.0e9), 1.0e9_f64.sin_cos());
    }
}
