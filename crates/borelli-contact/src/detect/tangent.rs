//! Two tangents to a unit normal, and how they turn with it.
//! Not here: surfaces.
//! In: a unit vector. Out: two vectors across it, and their derivatives by it.

use borelli_math::{Mat3, Real, Vec3, vec3};

/// How tangents are made from a normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Tangents {
    /// t = n × u, b = n × t with a fixed unit vector u, the axis furthest from n at the start of a solve. Degenerate where n meets u.
    Auxiliary,
    /// Second and third column of the reflection that takes the first axis to ∓n: orthonormal for every n.
    #[default]
    Householder,
}

/// Two tangents and their derivatives by the normal, for changes across it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub t: Vec3<f64>,
    pub b: Vec3<f64>,
    pub dt_dn: Mat3<f64>,
    pub db_dn: Mat3<f64>,
}

/// The axis with the smallest component of n.
pub(super) fn auxiliary(n: Vec3<f64>) -> Vec3<f64> {
    let (x, y, z) = (n.x.abs(), n.y.abs(), n.z.abs());
    if x <= y && x <= z {
        vec3(1.0, 0.0, 0.0)
    } else if y <= z {
        vec3(0.0, 1.0, 0.0)
    } else {
        vec3(0.0, 0.0, 1.0)
    }
}

/// Second and third column of 1 − 2 h hᵀ/(h·h), h = n + sgn(n₁) e₁, sgn(0) = 1.
///
/// Source: Householder 1958; as tangents of contact surfaces Lopes, Neptune, Ambrósio and Silva 2013.
pub(super) fn householder<S: Real>(n: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    let side = if n.x.value() < 0.0 { -S::ONE } else { S::ONE };
    let h = vec3(n.x + side, n.y, n.z);
    let k = h.dot(h).recip() * -2.0;
    let (one, zero) = (S::ONE, S::ZERO);
    (h.scale(h.y * k) + vec3(zero, one, zero), h.scale(h.z * k) + vec3(zero, zero, one))
}

impl Frame {
    pub(super) fn new(n: Vec3<f64>, tangents: Tangents, u: Vec3<f64>) -> Frame {
        match tangents {
            Tangents::Auxiliary => Frame::auxiliary(n, u),
            Tangents::Householder => Frame::householder(n),
        }
    }

    /// dt = −u × dn, db = n × dt − t × dn.
    fn auxiliary(n: Vec3<f64>, u: Vec3<f64>) -> Frame {
        let t = n.cross(u);
        let dt_dn = Mat3::skew(-u);
        Frame { t, b: n.cross(t), dt_dn, db_dn: Mat3::skew(n) * dt_dn - Mat3::skew(t) }
    }

    /// With n·dn = 0: dh = dn, and for column k with entry h_k
    ///
    ///     dt = −2 (h dh_k + h_k dh)/(h·h) + 4 h_k h (h·dh)/(h·h)²
    fn householder(n: Vec3<f64>) -> Frame {
        let (t, b) = householder(n);
        let side = if n.x < 0.0 { -1.0 } else { 1.0 };
        let h = vec3(n.x + side, n.y, n.z);
        let k = 1.0 / h.dot(h);
        let turn = |entry: f64, axis: Vec3<f64>| {
            let row = axis.scale(-2.0 * k) + h.scale(4.0 * entry * k * k);
            let columns = Mat3 { x: h.scale(row.x), y: h.scale(row.y), z: h.scale(row.z) };
            let across = -2.0 * k * entry;
            columns + Mat3 { x: vec3(across, 0.0, 0.0), y: vec3(0.0, across, 0.0), z: vec3(0.0, 0.0, across) }
        };
        Frame { t, b, dt_dn: turn(h.y, vec3(0.0, 1.0, 0.0)), db_dn: turn(h.z, vec3(0.0, 0.0, 1.0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::random::Random;

    #[test]
    fn tangents_lie_across_the_normal_and_turn_as_their_differences() {
        let mut random = Random::new(4);
        for k in 0..50 {
            let n = if k == 0 { vec3(0.0, 1.0, 0.0) } else { Vec3::from_array(random.direction()) };
            for tangents in [Tangents::Auxiliary, Tangents::Householder] {
                let u = auxiliary(n);
                let frame = Frame::new(n, tangents, u);
                assert!(n.dot(frame.t).abs() + n.dot(frame.b).abs() + frame.t.dot(frame.b).abs() < 1e-15 * 4.0);
                assert!(frame.t.norm() > 0.8 && frame.b.norm() > 0.8);
                // Turn the normal about a tangent of its own; a central difference of step 1e-6 leaves about 1e-10.
                let across = n.cross(Vec3::from_array(random.direction()));
                let step = 1e-6;
                let turned = |s: f64| {
                    let m = n + across.scale(s);
                    Frame::new(m.scale(1.0 / m.norm()), tangents, u)
                };
                let (plus, minus) = (turned(step), turned(-step));
                if plus.t.dot(minus.t) > 0.0 {
                    assert!(((plus.t - minus.t).scale(0.5 / step) - frame.dt_dn * across).norm() < 1e-9, "{tangents:?} {n:?}");
                    assert!(((plus.b - minus.b).scale(0.5 / step) - frame.db_dn * across).norm() < 1e-9, "{tangents:?} {n:?}");
                }
            }
        }
    }
}
