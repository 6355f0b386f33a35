//! Rotations: matrices, unit quaternions, rotation vectors.
//! Convention: a rotation takes body components to parent components; quaternions are w, x, y, z.

use crate::real::Real;
use crate::vec3::{Mat3, Vec3, vec3};

/// Rotation by `angle` about the unit vector `axis` (Rodrigues).
#[inline(always)]
pub fn rotation_about<S: Real>(axis: Vec3<S>, angle: S) -> Mat3<S> {
    let (s, c) = angle.sin_cos();
    rotation_from_axis(axis, s, c)
}

/// Rodrigues' formula from sine and cosine: `c 1 + s [a]x + (1 - c) a aT`.
#[inline(always)]
pub fn rotation_from_axis<S: Real>(a: Vec3<S>, s: S, c: S) -> Mat3<S> {
    let t = S::ONE - c;
    let (sx, sy, sz) = (a.x * s, a.y * s, a.z * s);
    let (tx, ty) = (a.x * t, a.y * t);
    let (txy, txz, tyz) = (tx * a.y, tx * a.z, ty * a.z);
    Mat3 {
        x: vec3(tx * a.x + c, txy + sz, txz - sy),
        y: vec3(txy - sz, ty * a.y + c, tyz + sx),
        z: vec3(txz + sy, tyz - sx, a.z * a.z * t + c),
    }
}

/// Rotation of a rotation vector (axis times angle); exact also at zero, with its derivative.
pub fn rotation_vector<S: Real>(v: Vec3<S>) -> Mat3<S> {
    Quat::from_rotation_vector(v).to_rotation()
}

/// Rotation vector of a rotation matrix, angle in [0, pi].
pub fn rotation_log(R: &Mat3<f64>) -> Vec3<f64> {
    Quat::from_rotation(R).to_rotation_vector()
}

/// A quaternion, w x y z; a rotation when of unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat<S> {
    /// Scalar part.
    pub w: S,
    /// First vector part.
    pub x: S,
    /// Second vector part.
    pub y: S,
    /// Third vector part.
    pub z: S,
}

impl<S: Real> Quat<S> {
    /// No rotation.
    pub const IDENTITY: Self = Quat { w: S::ONE, x: S::ZERO, y: S::ZERO, z: S::ZERO };

    /// From four entries w, x, y, z.
    #[inline(always)]
    pub fn from_slice(q: &[S]) -> Self {
        Quat { w: q[0], x: q[1], y: q[2], z: q[3] }
    }
    /// To four entries w, x, y, z.
    pub fn to_array(self) -> [S; 4] {
        [self.w, self.x, self.y, self.z]
    }

    /// The rotation matrix; the quaternion need not be of unit length.
    #[inline(always)]
    pub fn to_rotation(self) -> Mat3<S> {
        let Quat { w, x, y, z } = self;
        let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
        let scale = (xx + yy + zz + ww).recip();
        let two = scale + scale;
        let (xy, xz, yz, wx, wy, wz) = (x * y, x * z, y * z, w * x, w * y, w * z);
        Mat3 {
            x: vec3(S::ONE - (yy + zz) * two, (xy + wz) * two, (xz - wy) * two),
            y: vec3((xy - wz) * two, S::ONE - (xx + zz) * two, (yz + wx) * two),
            z: vec3((xz + wy) * two, (yz - wx) * two, S::ONE - (xx + yy) * two),
        }
    }

    /// Hamilton product: first `o`, then `self`.
    pub fn product(self, o: Self) -> Self {
        Quat {
            w: self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
            x: self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
            y: self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
            z: self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w,
        }
    }

    /// Exponential map of a rotation vector, smooth through zero.
    pub fn from_rotation_vector(v: Vec3<S>) -> Self {
        // sin(a/2)/a and cos(a/2) as functions of a^2 and their slopes; series near zero.
        let n2 = v.dot(v);
        let n2v = n2.value();
        let (c0, c1, s0, s1);
        if n2v < 1e-6 {
            let u = n2v;
            s0 = 0.5 - u / 48.0 + u * u / 3840.0;
            s1 = -1.0 / 48.0 + u / 1920.0;
            c0 = 1.0 - u / 8.0 + u * u / 384.0 - u * u * u / 46080.0;
            c1 = -1.0 / 8.0 + u / 192.0 - u * u / 15360.0;
        } else {
            let a = n2v.sqrt();
            let (s, c) = (0.5 * a).sin_cos();
            s0 = s / a;
            s1 = (0.5 * c - s0) / (2.0 * n2v);
            c0 = c;
            c1 = -0.25 * s0;
        }
        let k = n2.chain(s0, s1);
        Quat { w: n2.chain(c0, c1), x: v.x * k, y: v.y * k, z: v.z * k }
    }

    /// Scaled to unit length.
    pub fn normalized(self) -> Self {
        let k = (self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z).sqrt().recip();
        Quat { w: self.w * k, x: self.x * k, y: self.y * k, z: self.z * k }
    }

    /// Rate of the quaternion for an angular velocity in body axes: `q (0, w) / 2`.
    pub fn rate(self, w_B: Vec3<S>) -> Self {
        let h = w_B.scale(S::from_f64(0.5));
        self.product(Quat { w: S::ZERO, x: h.x, y: h.y, z: h.z })
    }
}

impl<S: Real> Quat<S> {
    /// From a rotation matrix (the largest of four forms, so that no digit is lost), with w >= 0.
    pub fn from_rotation(R: &Mat3<S>) -> Self {
        let trace = R.x.x + R.y.y + R.z.z;
        let (t, xx, yy, zz) = (trace.value(), R.x.x.value(), R.y.y.value(), R.z.z.value());
        let one = S::ONE;
        let q = if t >= xx.max(yy).max(zz) {
            Quat { w: one + trace, x: R.y.z - R.z.y, y: R.z.x - R.x.z, z: R.x.y - R.y.x }
        } else if xx >= yy && xx >= zz {
            Quat { w: R.y.z - R.z.y, x: one + R.x.x - R.y.y - R.z.z, y: R.y.x + R.x.y, z: R.z.x + R.x.z }
        } else if yy >= zz {
            Quat { w: R.z.x - R.x.z, x: R.y.x + R.x.y, y: one - R.x.x + R.y.y - R.z.z, z: R.z.y + R.y.z }
        } else {
            Quat { w: R.x.y - R.y.x, x: R.z.x + R.x.z, y: R.z.y + R.y.z, z: one - R.x.x - R.y.y + R.z.z }
        };
        let q = q.normalized();
        if q.w.value() < 0.0 { Quat { w: -q.w, x: -q.x, y: -q.y, z: -q.z } } else { q }
    }
}

impl Quat<f64> {
    /// Rotation vector, angle in [0, pi].
    pub fn to_rotation_vector(self) -> Vec3<f64> {
        let q = if self.w < 0.0 { Quat { w: -self.w, x: -self.x, y: -self.y, z: -self.z } } else { self };
        let v = vec3(q.x, q.y, q.z);
        let s = v.norm();
        if s < 1e-300 { v.scale(2.0) } else { v.scale(2.0 * s.atan2(q.w) / s) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;

    #[test]
    fn exponential_and_logarithm_undo_each_other() {
        for v in [vec3(0.0, 0.0, 0.0), vec3(1e-9, -2e-9, 1e-10), vec3(0.3, -0.2, 0.9), vec3(-2.0, 1.5, 0.4), vec3(0.0, 3.1, 0.0)] {
            let back = rotation_log(&rotation_vector(v));
            assert!((back - v).norm() < 1e-14, "{v:?} {back:?}");
        }
    }

    #[test]
    fn the_slope_of_the_exponential_at_zero_is_the_skew_matrix() {
        let v = vec3(Dual::<3>::variable(0.0, 0), Dual::variable(0.0, 1), Dual::variable(0.0, 2));
        let R = rotation_vector(v);
        assert_eq!(R.y.z.eps, [1.0, 0.0, 0.0]);
        assert_eq!(R.z.x.eps, [0.0, 1.0, 0.0]);
        assert_eq!(R.x.y.eps, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn the_quaternion_of_a_matrix_gives_the_matrix_back() {
        for angle in [0.1, 1.6, 2.9, 3.1] {
            for axis in [vec3(1.0, 0.0, 0.0), vec3(0.0, 0.6, 0.8), vec3(-0.48, 0.6, 0.64)] {
                let R = rotation_about(axis, angle);
                let S = Quat::from_rotation(&R).to_rotation();
                assert!((R.x - S.x).norm() + (R.y - S.y).norm() + (R.z - S.z).norm() < 1e-15 * 6.0);
            }
        }
    }
}
