//! Tree joints as constraint rows between two bodies, found from the joint's free directions at the state.
//! Not here: solving (`tree`). Accelerations are not taken from `frames`; the velocity-dependent part is derived here.
//! In: `Frames` (poses, velocities, free directions), v. Out: rows, right-hand sides, dual directions of every degree of freedom.
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

use super::blocks::{Block, pack, unpack};
use crate::frames::Frames;
use crate::system::{Constants, DofClass, Motion, Skeleton};
use borelli_math::{Mat3, Vec3, rotation_about};

/// Length that makes angles and displacements of a screw comparable, m: of the order of a human segment.
const SCREW_LENGTH: f64 = 0.1;

const X: Vec3<f64> = Vec3 { x: 1.0, y: 0.0, z: 0.0 };
const Y: Vec3<f64> = Vec3 { x: 0.0, y: 1.0, z: 0.0 };
const Z: Vec3<f64> = Vec3 { x: 0.0, y: 0.0, z: 1.0 };

/// What a joint is made of; constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// First degree of freedom; slides come first.
    first: usize,
    slides: usize,
    turns: usize,
    /// The turns are a ball's.
    ball: bool,
    /// Curve and coordinate of a function joint.
    screw: Option<(usize, usize)>,
}

impl Shape {
    pub(super) fn of(skeleton: &Skeleton, body: usize) -> Shape {
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
    pub(super) fn rows(&self, dimension: usize) -> usize {
        dimension - self.slides - self.turns - usize::from(self.screw.is_some())
    }
}

/// Velocity-dependent part β of the relative acceleration: linear, angular. Equation (2).
pub(super) fn bias(
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
pub(super) fn duals(shape: &Shape, frames: &Frames<f64>, dual_lin: &mut [Vec3<f64>], dual_ang: &mut [Vec3<f64>]) {
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
pub(super) fn effort_of_screw(shape: &Shape, frames: &Frames<f64>) -> (Vec3<f64>, Vec3<f64>) {
    let (lin, ang) = (frames.s_lin[shape.first], frames.s_ang[shape.first]);
    let turning = ang.dot(ang);
    if turning > 1e-24 { (Vec3::ZERO, ang.scale(1.0 / turning)) } else { (lin.scale(1.0 / lin.dot(lin)), Vec3::ZERO) }
}

/// True for a function joint.
pub(super) fn is_screw(shape: &Shape) -> bool {
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

/// Rows of one joint; unused ones are zero.
pub(super) struct Rows<const D: usize> {
    /// On the child's accelerations (mass centre, angular), one column per row.
    pub child: Block<D>,
    /// On the parent's accelerations, to be subtracted, by rows.
    pub parent: Block<D>,
    /// Right-hand sides.
    pub gamma: [f64; D],
    count: usize,
}

/// Where rows refer to: joint origin from both mass centres, and what n·(relative acceleration of the unknowns) must equal.
pub(super) struct Site {
    /// From the child's mass centre to the joint origin, m.
    pub d: Vec3<f64>,
    /// From the parent's mass centre to the joint origin, m.
    pub d_P: Vec3<f64>,
    /// Required linear part.
    pub linear: Vec3<f64>,
    /// Required angular part.
    pub angular: Vec3<f64>,
}

impl<const D: usize> Rows<D> {
    #[inline(always)]
    fn push(&mut self, site: &Site, linear: Vec3<f64>, angular: Vec3<f64>) {
        let i = self.count;
        let child: [f64; D] = pack(linear, site.d.cross(linear) + angular);
        for k in 0..D {
            self.child[k][i] = child[k];
        }
        self.parent[i] = pack(linear, site.d_P.cross(linear) + angular);
        self.gamma[i] = linear.dot(site.linear) + angular.dot(site.angular);
        self.count += 1;
    }
}

/// The rows of a joint: a basis of what its free directions leave out.
#[inline(always)]
pub(super) fn rows<const D: usize>(shape: &Shape, site: &Site, frames: &Frames<f64>) -> Rows<D> {
    let mut rows = Rows { child: [[0.0; D]; D], parent: [[0.0; D]; D], gamma: [0.0; D], count: 0 };
    if shape.screw.is_some() {
        screw_rows(shape.first, site, frames, &mut rows);
        return rows;
    }
    let (middle, end) = (shape.first + shape.slides, shape.first + shape.slides + shape.turns);
    let (linear, n) = complement::<D>(&frames.s_lin[shape.first..middle]);
    for direction in linear.into_iter().take(n) {
        rows.push(site, direction, Vec3::ZERO);
    }
    let (angular, n) = if D == 3 { ([Z; 3], 1 - shape.turns) } else { complement::<D>(&frames.s_ang[middle..end]) };
    for direction in angular.into_iter().take(n) {
        rows.push(site, Vec3::ZERO, direction);
    }
    rows
}

/// Unit directions at right angles to all of `s`, and their number; in the plane those of the plane.
#[inline(always)]
fn complement<const D: usize>(s: &[Vec3<f64>]) -> ([Vec3<f64>; 3], usize) {
    match *s {
        [] => ([X, Y, Z], if D == 3 { 2 } else { 3 }),
        [a] if D == 3 => ([unit(Z.cross(a)); 3], 1),
        [a] => {
            let first = unit(a.cross(if a.x.abs() < 0.6 * a.norm() { X } else { Y }));
            ([first, unit(a.cross(first)), first], 2)
        }
        [a, b] if D == 6 => ([unit(a.cross(b)); 3], 1),
        _ => ([X, Y, Z], 0),
    }
}

#[inline(always)]
fn unit(v: Vec3<f64>) -> Vec3<f64> {
    v.scale(1.0 / v.norm())
}

/// Rows at right angles to one screw: the last D − 1 columns of the Householder reflection that turns it to the first axis.
fn screw_rows<const D: usize>(dof: usize, site: &Site, frames: &Frames<f64>, rows: &mut Rows<D>) {
    let mut u: [f64; D] = pack(frames.s_lin[dof], frames.s_ang[dof].scale(SCREW_LENGTH));
    let norm = u.iter().map(|x| x * x).sum::<f64>().sqrt();
    u.iter_mut().for_each(|x| *x /= norm);
    let towards = if u[0] < 0.0 { -1.0 } else { 1.0 };
    u[0] += towards;
    // With h = u ± e1: 1 − 2 h hᵀ / hᵀh, and hᵀh = 2 |h_1|.
    let scale = 1.0 / u[0].abs();
    for i in 1..D {
        let mut row = [0.0; D];
        for k in 0..D {
            row[k] = f64::from(u8::from(k == i)) - scale * u[i] * u[k];
        }
        let (linear, angular) = unpack(&row);
        rows.push(site, linear, angular.scale(SCREW_LENGTH));
    }
}
