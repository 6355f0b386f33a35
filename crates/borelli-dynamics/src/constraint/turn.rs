//! Rows of relative orientation, shared by `weld` and the guide of orientation.
//! Not here: whose orientations they are. In: two orientations with their rates. Out: one row in the plane, three in space.

use super::control::Turned;
use super::{Part, Row, Rows};
use crate::system::Measure;
use borelli_math::{Mat3, Quat, Real, Vec3};

/// An orientation and how it changes, world axes.
#[derive(Clone, Copy)]
pub(super) struct Turning<S> {
    /// Body that carries it; 0 for the world and for prescribed orientations.
    pub body: usize,
    /// Orientation.
    pub R: Mat3<S>,
    /// Angular velocity, rad/s.
    pub w: Vec3<S>,
    /// Angular acceleration, rad/s².
    pub al: Vec3<S>,
}

/// Names of the rows of [`push_turn`].
pub(super) fn turn_parts(planar: bool) -> Vec<Part> {
    let parts = if planar { &["angle"][..] } else { &["turn_x", "turn_y", "turn_z"] };
    parts.iter().map(|part| (*part, Measure::Angle)).collect()
}

/// Rows that hold the orientation of b to that of a.
///
///     planar:   Φ = atan2(sin, cos) of the angle from a to b, in (−π, π];  Φ̇ = ω_b − ω_a;  Φ̈ = α_b − α_a          (1)
///     spatial:  Φ = 2 vec(q),  q the quaternion of R_aᵀ R_b with w ≥ 0                                              (2)
///               ψ = R_aᵀ (ω_b − ω_a),  taken for Φ̇;   ψ̇ = R_aᵀ (α_b − α_a − ω_a × (ω_b − ω_a))                       (3)
///
/// Φ of (2) is the rotation vector but for terms of third order, has no other zero than R_a = R_b, and jumps where the angle is π.
/// Its true slope is w ψ + ψ × vec(q): (3) misses it by ½ ψ × Φ and smaller terms, so by nothing where Φ = 0. The multipliers are the moment on b in
/// the axes of a; in the plane about Z.
pub(super) fn push_turn<S: Real>(planar: bool, a: Turning<S>, b: Turning<S>, rows: &mut Rows<S>) {
    let (relative, relative_acc) = (b.w - a.w, b.al - a.al);
    if planar {
        rows.turned.push(Turned::InPlane(rows.next));
        let e = Vec3 { x: S::ZERO, y: S::ZERO, z: S::ONE };
        rows.push(Row {
            body: [a.body, b.body],
            moment: [-e, e],
            force: [Vec3::ZERO; 2],
            position: a.R.x.cross(b.R.x).z.atan2(a.R.x.dot(b.R.x)),
            velocity: relative.z,
            acceleration: relative_acc.z,
        });
        return;
    }
    let q = Quat::from_rotation(&(a.R.transpose() * b.R));
    rows.turned.push(Turned::InSpace(rows.next, q));
    let angles = [q.x + q.x, q.y + q.y, q.z + q.z];
    let rate = a.R.transpose_mul(relative).to_array();
    let acceleration = a.R.transpose_mul(relative_acc - a.w.cross(relative)).to_array();
    for (k, e) in [a.R.x, a.R.y, a.R.z].into_iter().enumerate() {
        rows.push(Row {
            body: [a.body, b.body],
            moment: [-e, e],
            force: [Vec3::ZERO; 2],
            position: angles[k],
            velocity: rate[k],
            acceleration: acceleration[k],
        });
    }
}
