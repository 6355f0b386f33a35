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
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// A constant as a scalar.
    fn from_f64(value: f64) -> Self;
    /// The value without its derivatives; the only thing branches may look at.
    fn value(self) -> f64;
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
        for x in angles {
            far |= !(x.abs() < FAR);
        }
        if far {
            for i in 0..n {
                (sines[i], cosines[i]) = angles[i].sin_cos();
            }
        } else {
            for i in 0..n {
                (sines[i], cosines[i]) = sin_cos_near(angles[i]);
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

/// Sine and cosine for |x| < 1e6 by range reduction in two parts and polynomials of degree 13 and 14, without a branch, so that loops
/// over it become vector code.
///
/// Why by hand: one library call takes 11.5 ns, as much as a fifth of a planar evaluation, and cannot be vectorised. The coefficients
/// are those of Cody & Waite's classical scheme as tabulated in the Cephes library (S. L. Moshier, 1984-89); the error against the
/// standard library is at most 1.2e-16. Test: `sin_cos_agrees_with_the_standard_library`.
#[inline(always)]
fn sin_cos_near(x: f64) -> (f64, f64) {
    // Adding and subtracting 1.5 * 2^52 rounds to the nearest integer without a library call.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUND;
    let quadrant = shifted.to_bits();
    let k = shifted - ROUND;
    // pi/2 in two parts: the first has 33 bits, so that k times it is exact; the second carries the next 53.
    let r = (x - k * 1.570_796_326_734_125_6) - k * 6.077_100_506_506_192e-11;
    let z = r * r;
    let s = 1.589_623_015_765_465_6e-10;
    let s = s * z - 2.505_074_776_285_780_7e-8;
    let s = s * z + 2.755_731_362_138_572_4e-6;
    let s = s * z - 1.984_126_982_958_954e-4;
    let s = s * z + 8.333_333_333_322_119e-3;
    let s = s * z - 1.666_666_666_666_663e-1;
    let s = r + (r * z) * s;
    let c = -1.135_853_652_138_768_2e-11;
    let c = c * z + 2.087_570_084_197_473e-9;
    let c = c * z - 2.755_731_417_929_674e-7;
    let c = c * z + 2.480_158_728_885_170_4e-5;
    let c = c * z - 1.388_888_888_887_305_6e-3;
    let c = c * z + 4.166_666_666_666_659_6e-2;
    // 1 - z/2 is rounded once; what the rounding lost is added back with the small terms.
    let half = 0.5 * z;
    let w = 1.0 - half;
    let c = w + (((1.0 - w) - half) + (z * z) * c);
    // In odd quadrants sine and cosine change places; sine is negative in quadrants 2 and 3, cosine in 1 and 2.
    let odd = 0_u64.wrapping_sub(quadrant & 1);
    let (s, c) = (s.to_bits(), c.to_bits());
    let swap = (s ^ c) & odd;
    let sine = (s ^ swap) ^ ((quadrant & 2) << 62);
    let cosine = (c ^ swap) ^ ((quadrant.wrapping_add(1) & 2) << 62);
    (f64::from_bits(sine), f64::from_bits(cosine))
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
        assert!(worst <= 1.3e-16, "{worst:e}");
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
