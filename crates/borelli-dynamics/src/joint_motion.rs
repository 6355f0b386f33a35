//! What a tree joint lets its child do against its parent: velocity part of the acceleration, dual directions, rows of a screw.
//! Not here: rows of the other joints, which formulations write in their own unknowns. Accelerations are not taken from `frames`.
//! In: `Frames` (poses, velocities, free directions), v. Out: β, dual directions of every degree of freedom.
//!
//! With O the child's joint origin, the child moves against the parent's material point at O by
//!
//!     ρ = (a_child(O) − a_parent(O), α_child − α_parent) = Σ S_j v̇_j + β                             (1)
//!     β_ang = Σ ω_before × s_k v_k + Σ s_k f''_k v²      β_lin = 2 ω_P × ṙ_slide + Σ e_k f''_k v²       (2)
//!
//! Rows n with n·S_j = 0 for all j hold the joint: n·ρ = n·β. Dual directions D_j with D_i·S_j = δ_ij give v̇_j = D_j·(ρ − β), and
//! the wrench D_j at O, on the child and reversed on the parent, is a unit effort on the degree of freedom j.
//!
//! Source: Haug 1989, Computer Aided Kinematics and Dynamics of Mechanical Systems, ch. 9, with rows spanned from the free side.
//! Tests: the oracle, `the_velocity_part_of_joint_accelerations_equals_that_of_the_tree_kinematics`.

use crate::frames::Frames;
use crate::system::{Constants, DofClass, Motion, Skeleton};
use borelli_math::{Mat3, Vec3, rotation_about, vec3};

/// Length that makes angles and displacements of a screw comparable, m: of the order of a human segment.
const SCREW_LENGTH: f64 = 0.1;

/// What a joint is made of; constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// First degree of freedom; slides come first.
    pub first: usize,
    /// Number of slides.
    pub slides: usize,
    /// Number of turns.
    pub turns: usize,
    /// The turns are a ball's.
    ball: bool,
    /// Curve and coordinate of a function joint.
    screw: Option<(usize, usize)>,
}

impl Shape {
    pub(crate) fn of(skeleton: &Skeleton, body: usize) -> Shape {
        let dofs = skeleton.dofs_of(body);
        let count = |class| dofs.clone().filter(|d| skeleton.class[*d] == class).count();
        let motions = skeleton.motions_of(body);
        Shape {
            first: dofs.start,
            slides: count(DofClass::Slide),
            turns: count(DofClass::Turn),
            ball: motions.iter().any(|m| matches!(m, Motion::Ball { .. })),
            screw: motions.iter().find_map(|m| match *m {
                Motion::Function { slot, coord, .. } => Some((slot as usize, coord as usize)),
                _ => None,
            }),
        }
    }

    /// Constraint rows in D dimensions.
    pub(crate) fn rows(&self, dimension: usize) -> usize {
        dimension - self.slides - self.turns - usize::from(self.screw.is_some())
    }
}

/// Velocity-dependent part β of the relative acceleration: linear, angular. Equation (2).
pub(crate) fn bias(
    shape: &Shape,
    body: usize,
    parent: usize,
    frames: &Frames<f64>,
    c: &Constants<f64>,
    q: &[f64],
    v: &[f64],
) -> (Vec3<f64>, Vec3<f64>) {
    let w_P = frames.w[parent];
    let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
    if shape.slides > 0 || shape.screw.is_some() {
        linear = w_P.cross(frames.slide_rate[body]).scale(2.0);
    }
    if let Some((slot, coord)) = shape.screw {
        let rate = v[shape.first];
        let curve = &c.curves[slot];
        let mut R: Mat3<f64> = frames.R[parent];
        for (axis, function) in &curve.slides {
            linear += (R * *axis).scale(function.eval(q[coord])[2] * rate * rate);
        }
        let mut w = w_P;
        for (axis, function) in &curve.turns {
            let [f0, f1, f2] = function.eval(q[coord]);
            let s = R * *axis;
            angular += w.cross(s).scale(f1 * rate) + s.scale(f2 * rate * rate);
            w += s.scale(f1 * rate);
            R = R * rotation_about(*axis, f0);
        }
    } else if shape.ball {
        // The axes turn with the child, which adds nothing along its own velocity.
        angular = w_P.cross(frames.w[body] - w_P);
    } else {
        let mut w = w_P;
        for dof in shape.first + shape.slides..shape.first + shape.slides + shape.turns {
            let rate = frames.s_ang[dof].scale(v[dof]);
            angular += w.cross(rate);
            w += rate;
        }
    }
    (linear, angular)
}

/// Dual directions of the joint's degrees of freedom; `dual_lin` and `dual_ang` are indexed by degree of freedom.
#[inline(always)]
pub(crate) fn duals(shape: &Shape, frames: &Frames<f64>, dual_lin: &mut [Vec3<f64>], dual_ang: &mut [Vec3<f64>]) {
    let first = shape.first;
    if shape.screw.is_some() {
        let (lin, ang) = (frames.s_lin[first], frames.s_ang[first]);
        let square = SCREW_LENGTH * SCREW_LENGTH;
        let inverse = 1.0 / (lin.dot(lin) + ang.dot(ang) * square);
        dual_lin[first] = lin.scale(inverse);
        dual_ang[first] = ang.scale(square * inverse);
        return;
    }
    let (middle, end) = (first + shape.slides, first + shape.slides + shape.turns);
    reciprocal(&frames.s_lin[first..middle], &mut dual_lin[first..middle]);
    if shape.ball {
        dual_ang[middle..end].copy_from_slice(&frames.s_ang[middle..end]);
    } else {
        reciprocal(&frames.s_ang[middle..end], &mut dual_ang[middle..end]);
    }
}

/// Wrench by which reports express a unit effort of a function joint: a moment if the joint turns, else a force.
pub(crate) fn effort_of_screw(shape: &Shape, frames: &Frames<f64>) -> (Vec3<f64>, Vec3<f64>) {
    let (lin, ang) = (frames.s_lin[shape.first], frames.s_ang[shape.first]);
    let turning = ang.dot(ang);
    if turning > 1e-24 { (Vec3::ZERO, ang.scale(1.0 / turning)) } else { (lin.scale(1.0 / lin.dot(lin)), Vec3::ZERO) }
}

/// True for a function joint.
pub(crate) fn is_screw(shape: &Shape) -> bool {
    shape.screw.is_some()
}

/// Dual basis of one to three directions in their own span.
#[inline(always)]
fn reciprocal(s: &[Vec3<f64>], dual: &mut [Vec3<f64>]) {
    match *s {
        [a] => dual[0] = a.scale(1.0 / a.dot(a)),
        [a, b] => {
            let n = a.cross(b);
            let inverse = 1.0 / n.dot(n);
            dual[0] = b.cross(n).scale(inverse);
            dual[1] = n.cross(a).scale(inverse);
        }
        [a, b, c] => {
            let n = b.cross(c);
            let inverse = 1.0 / a.dot(n);
            dual[0] = n.scale(inverse);
            dual[1] = c.cross(a).scale(inverse);
            dual[2] = a.cross(b).scale(inverse);
        }
        _ => {}
    }
}

/// Directions (linear, angular) at right angles to the screw of a function joint, D − 1 in D = 3 or 6 dimensions: the last columns of the
/// Householder reflection that turns it to the first axis.
pub(crate) fn across_screw<const D: usize>(dof: usize, frames: &Frames<f64>, mut row: impl FnMut(Vec3<f64>, Vec3<f64>)) {
    let (lin, ang) = (frames.s_lin[dof], frames.s_ang[dof].scale(SCREW_LENGTH));
    let mut u = [lin.x, lin.y, ang.z, ang.x, ang.y, lin.z];
    let u = &mut u[..D];
    let norm = u.iter().map(|x| x * x).sum::<f64>().sqrt();
    u.iter_mut().for_each(|x| *x /= norm);
    let towards = if u[0] < 0.0 { -1.0 } else { 1.0 };
    u[0] += towards;
    // With h = u ± e1: 1 − 2 h hᵀ / hᵀh, and hᵀh = 2 |h_1|.
    let scale = 1.0 / u[0].abs();
    for i in 1..D {
        let mut entries = [0.0; 6];
        for (k, entry) in entries[..D].iter_mut().enumerate() {
            *entry = f64::from(u8::from(k == i)) - scale * u[i] * u[k];
        }
        let [x, y, turn_z, turn_x, turn_y, z] = entries;
        row(vec3(x, y, z), vec3(turn_x, turn_y, turn_z).scale(SCREW_LENGTH));
    }
}
