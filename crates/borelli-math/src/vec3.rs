//! Three-vectors, 3x3 and symmetric 3x3 matrices over any scalar.
//! Why by hand: in the kernels these are a quarter faster than general fixed-size matrices and know symmetry.
//! Layout: matrices by columns, so that the axes of a body are `R.x`, `R.y`, `R.z`.

use crate::real::{Constant, Real};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A vector with three entries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3<S> {
    /// First entry.
    pub x: S,
    /// Second entry.
    pub y: S,
    /// Third entry.
    pub z: S,
}

/// Short form of the constructor.
#[inline(always)]
pub fn vec3<S>(x: S, y: S, z: S) -> Vec3<S> {
    Vec3 { x, y, z }
}

impl<S: Real> Vec3<S> {
    /// The zero vector.
    pub const ZERO: Self = Vec3 { x: S::ZERO, y: S::ZERO, z: S::ZERO };

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> S {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        vec3(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }
    /// Times a scalar.
    #[inline(always)]
    pub fn scale(self, s: S) -> Self {
        vec3(self.x * s, self.y * s, self.z * s)
    }
    /// Length.
    #[inline(always)]
    pub fn norm(self) -> S {
        self.dot(self).sqrt()
    }
    /// Plain numbers as scalars.
    #[inline(always)]
    pub fn lift<C: Constant<S>>(c: Vec3<C>) -> Self {
        vec3(c.x.lift(), c.y.lift(), c.z.lift())
    }
    /// Values without derivatives.
    pub fn values(self) -> Vec3<f64> {
        vec3(self.x.value(), self.y.value(), self.z.value())
    }
    /// From an array.
    #[inline(always)]
    pub fn from_array(a: [S; 3]) -> Self {
        vec3(a[0], a[1], a[2])
    }
    /// To an array.
    #[inline(always)]
    pub fn to_array(self) -> [S; 3] {
        [self.x, self.y, self.z]
    }
}

impl<S: Real> Add for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        vec3(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}
impl<S: Real> Sub for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        vec3(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}
impl<S: Real> Neg for Vec3<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        vec3(-self.x, -self.y, -self.z)
    }
}
impl<S: Real> AddAssign for Vec3<S> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<S: Real> SubAssign for Vec3<S> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

/// A 3x3 matrix by columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3<S> {
    /// First column.
    pub x: Vec3<S>,
    /// Second column.
    pub y: Vec3<S>,
    /// Third column.
    pub z: Vec3<S>,
}

impl<S: Real> Mat3<S> {
    /// The zero matrix.
    pub const ZERO: Self = Mat3 { x: Vec3::ZERO, y: Vec3::ZERO, z: Vec3::ZERO };
    /// The unit matrix.
    pub const IDENTITY: Self = Mat3 {
        x: Vec3 { x: S::ONE, y: S::ZERO, z: S::ZERO },
        y: Vec3 { x: S::ZERO, y: S::ONE, z: S::ZERO },
        z: Vec3 { x: S::ZERO, y: S::ZERO, z: S::ONE },
    };

    /// Transposed times a vector: components of `v` along the columns.
    #[inline(always)]
    pub fn transpose_mul(&self, v: Vec3<S>) -> Vec3<S> {
        vec3(self.x.dot(v), self.y.dot(v), self.z.dot(v))
    }
    /// Transposed matrix.
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        Mat3 { x: vec3(self.x.x, self.y.x, self.z.x), y: vec3(self.x.y, self.y.y, self.z.y), z: vec3(self.x.z, self.y.z, self.z.z) }
    }
    /// Times a constant vector.
    #[inline(always)]
    pub fn mul_const<C: Constant<S>>(&self, v: Vec3<C>) -> Vec3<S> {
        vec3(
            v.x.times(self.x.x) + v.y.times(self.y.x) + v.z.times(self.z.x),
            v.x.times(self.x.y) + v.y.times(self.y.y) + v.z.times(self.z.y),
            v.x.times(self.x.z) + v.y.times(self.y.z) + v.z.times(self.z.z),
        )
    }
    /// Times a constant matrix.
    #[inline(always)]
    pub fn mul_const_mat<C: Constant<S>>(&self, m: &Mat3<C>) -> Self {
        Mat3 { x: self.mul_const(m.x), y: self.mul_const(m.y), z: self.mul_const(m.z) }
    }
    /// `[v]x`, so that `Mat3::skew(v) * u = v x u`.
    #[inline(always)]
    pub fn skew(v: Vec3<S>) -> Self {
        Mat3 { x: vec3(S::ZERO, v.z, -v.y), y: vec3(-v.z, S::ZERO, v.x), z: vec3(v.y, -v.x, S::ZERO) }
    }
    /// Plain numbers as scalars.
    #[inline(always)]
    pub fn lift<C: Constant<S>>(m: &Mat3<C>) -> Self {
        Mat3 { x: Vec3::lift(m.x), y: Vec3::lift(m.y), z: Vec3::lift(m.z) }
    }
    /// Values without derivatives.
    pub fn values(&self) -> Mat3<f64> {
        Mat3 { x: self.x.values(), y: self.y.values(), z: self.z.values() }
    }
    /// Determinant.
    pub fn determinant(&self) -> S {
        self.x.dot(self.y.cross(self.z))
    }
}

impl<S: Real> Mul<Vec3<S>> for Mat3<S> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn mul(self, v: Vec3<S>) -> Vec3<S> {
        self.x.scale(v.x) + self.y.scale(v.y) + self.z.scale(v.z)
    }
}
impl<S: Real> Mul for Mat3<S> {
    type Output = Mat3<S>;
    #[inline(always)]
    fn mul(self, o: Mat3<S>) -> Mat3<S> {
        Mat3 { x: self * o.x, y: self * o.y, z: self * o.z }
    }
}
impl<S: Real> Add for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Mat3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}
impl<S: Real> Sub for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Mat3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

/// A symmetric 3x3 matrix: six numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sym3<S> {
    /// Entry 11.
    pub xx: S,
    /// Entry 22.
    pub yy: S,
    /// Entry 33.
    pub zz: S,
    /// Entry 12.
    pub xy: S,
    /// Entry 13.
    pub xz: S,
    /// Entry 23.
    pub yz: S,
}

impl<S: Real> Sym3<S> {
    /// The zero matrix.
    pub const ZERO: Self = Sym3 { xx: S::ZERO, yy: S::ZERO, zz: S::ZERO, xy: S::ZERO, xz: S::ZERO, yz: S::ZERO };

    /// Sum of the diagonal.
    #[inline(always)]
    pub fn trace(&self) -> S {
        self.xx + self.yy + self.zz
    }
    /// `a aT`.
    #[inline(always)]
    pub fn outer(a: Vec3<S>) -> Self {
        Sym3 { xx: a.x * a.x, yy: a.y * a.y, zz: a.z * a.z, xy: a.x * a.y, xz: a.x * a.z, yz: a.y * a.z }
    }
    /// Times a scalar.
    #[inline(always)]
    pub fn scale(&self, s: S) -> Self {
        Sym3 { xx: self.xx * s, yy: self.yy * s, zz: self.zz * s, xy: self.xy * s, xz: self.xz * s, yz: self.yz * s }
    }
    /// `s` times the unit matrix.
    #[inline(always)]
    pub fn diagonal(s: S) -> Self {
        Sym3 { xx: s, yy: s, zz: s, ..Self::ZERO }
    }
    /// All nine entries.
    #[inline(always)]
    pub fn to_mat(&self) -> Mat3<S> {
        Mat3 { x: vec3(self.xx, self.xy, self.xz), y: vec3(self.xy, self.yy, self.yz), z: vec3(self.xz, self.yz, self.zz) }
    }
    /// Values without derivatives.
    pub fn values(&self) -> Sym3<f64> {
        Sym3 {
            xx: self.xx.value(),
            yy: self.yy.value(),
            zz: self.zz.value(),
            xy: self.xy.value(),
            xz: self.xz.value(),
            yz: self.yz.value(),
        }
    }

    /// `R C RT` for a constant symmetric C: a body's inertia turned into world axes.
    #[inline(always)]
    pub fn rotated<C: Constant<S>>(R: &Mat3<S>, c: &Sym3<C>) -> Self {
        // A = R C, then only the upper half of A RT.
        let a = R.mul_const(vec3(c.xx, c.xy, c.xz));
        let b = R.mul_const(vec3(c.xy, c.yy, c.yz));
        let d = R.mul_const(vec3(c.xz, c.yz, c.zz));
        Sym3 {
            xx: a.x * R.x.x + b.x * R.y.x + d.x * R.z.x,
            yy: a.y * R.x.y + b.y * R.y.y + d.y * R.z.y,
            zz: a.z * R.x.z + b.z * R.y.z + d.z * R.z.z,
            xy: a.x * R.x.y + b.x * R.y.y + d.x * R.z.y,
            xz: a.x * R.x.z + b.x * R.y.z + d.x * R.z.z,
            yz: a.y * R.x.z + b.y * R.y.z + d.y * R.z.z,
        }
    }

    /// Inverse, by cofactors.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let (cxx, cxy, cxz) =
            (self.yy * self.zz - self.yz * self.yz, self.xz * self.yz - self.xy * self.zz, self.xy * self.yz - self.xz * self.yy);
        let k = (self.xx * cxx + self.xy * cxy + self.xz * cxz).recip();
        Sym3 {
            xx: cxx * k,
            yy: (self.xx * self.zz - self.xz * self.xz) * k,
            zz: (self.xx * self.yy - self.xy * self.xy) * k,
            xy: cxy * k,
            xz: cxz * k,
            yz: (self.xy * self.xz - self.xx * self.yz) * k,
        }
    }

    /// Constant symmetric matrix times a vector.
    #[inline(always)]
    pub fn const_mul<C: Constant<S>>(c: &Sym3<C>, v: Vec3<S>) -> Vec3<S> {
        vec3(
            c.xx.times(v.x) + c.xy.times(v.y) + c.xz.times(v.z),
            c.xy.times(v.x) + c.yy.times(v.y) + c.yz.times(v.z),
            c.xz.times(v.x) + c.yz.times(v.y) + c.zz.times(v.z),
        )
    }
}

impl<S: Real> Mul<Vec3<S>> for Sym3<S> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn mul(self, v: Vec3<S>) -> Vec3<S> {
        vec3(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}
impl<S: Real> Add for Sym3<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Sym3 { xx: self.xx + o.xx, yy: self.yy + o.yy, zz: self.zz + o.zz, xy: self.xy + o.xy, xz: self.xz + o.xz, yz: self.yz + o.yz }
    }
}
impl<S: Real> Sub for Sym3<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Sym3 { xx: self.xx - o.xx, yy: self.yy - o.yy, zz: self.zz - o.zz, xy: self.xy - o.xy, xz: self.xz - o.xz, yz: self.yz - o.yz }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_inertia_equals_the_full_triple_product() {
        let R = crate::rotation_about(vec3(0.6, 0.0, 0.8), 0.7);
        let c = Sym3 { xx: 3.0, yy: 2.0, zz: 1.0, xy: 0.1, xz: -0.2, yz: 0.3 };
        let full = R * c.to_mat() * R.transpose();
        let got = Sym3::rotated(&R, &c).to_mat();
        for (a, b) in [(full.x, got.x), (full.y, got.y), (full.z, got.z)] {
            assert!((a - b).norm() < 1e-15);
        }
    }

    #[test]
    fn a_symmetric_matrix_times_its_inverse_is_the_unit_matrix() {
        let c = Sym3 { xx: 3.0, yy: 2.0, zz: 1.0, xy: 0.1, xz: -0.2, yz: 0.3 };
        let product = c.to_mat() * c.inverse().to_mat();
        let unit = Mat3::IDENTITY;
        assert!((product.x - unit.x).norm() + (product.y - unit.y).norm() + (product.z - unit.z).norm() < 1e-15);
    }
}
