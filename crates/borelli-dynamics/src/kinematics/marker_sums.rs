//! Slope and curvature of the distances of markers from measured points, by degree of freedom.
//! Not here: tasks, loops, ranges; the search for the minimum.
//! In: `Frames`, marked points with weights and errors. Out: the gradient and the two parts of the Hessian of ½ Σ w |p − x|².
//!
//! A marker of weight w is like a point mass: with x its place from the kernel origin of a body, ρ its error and f = w ρ, each body gathers over all markers
//! that it carries, itself or further out,
//!
//!     m = Σ w    h = Σ w x    I = Σ w (x·x 1 − x xᵀ)    F = Σ f    B = Σ x fᵀ    M = Σ x × f          (1)
//!
//! With (a, l) the angular and linear part of a free direction, dp = l + a × x, and for d at or before e on the way to the body of e
//!
//!     g_e = a_e·M + l_e·F                                                                        (2)
//!     N_de = a_d·L + l_d·P      P = m l_e + a_e × h      L = I a_e + h × l_e, taken to the origin of d     (3)
//!     C_de = a_d·Q_e            Q_e = l_e × F + B a_e − a_e tr B                                         (4)
//!
//! since turning by d turns everything after it: ∂²p/∂d∂e = a_d × ∂p/∂e. N is the Gauss-Newton matrix JᵀJ, N + C the Hessian. Of a ball, whose increments
//! turn together, (4) is symmetrised; of a function joint the second derivatives of its functions are added.
//!
//! Source: (3) is the composite-rigid-body method (Featherstone 2008, ch. 6) for point masses; (4) elementary.
//! Tests: `the_slope_is_that_of_the_objective`, `the_curvature_is_the_slope_of_the_slope`.

use crate::frames::Frames;
use crate::joint_motion::{self, Shape};
use crate::system::{Constants, Motion, Skeleton};
use borelli_math::{Mat3, Sym3, Vec3};

/// A marked point: which body carries it where, and where it was measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    pub body: usize,
    /// In kernel axes from the kernel origin, m.
    pub place: Vec3<f64>,
    /// Measured, world axes, m.
    pub measured: Vec3<f64>,
    /// Weight over the sum of all.
    pub share: f64,
}

/// Sums (1) of one body.
#[derive(Clone, Copy, Debug)]
struct Sum {
    m: f64,
    h: Vec3<f64>,
    I: Sym3<f64>,
    F: Vec3<f64>,
    B: Mat3<f64>,
}

const NOTHING: Sum = Sum { m: 0.0, h: Vec3::ZERO, I: Sym3::ZERO, F: Vec3::ZERO, B: Mat3::ZERO };

/// Σ x × f from Σ x fᵀ.
fn moment(B: &Mat3<f64>) -> Vec3<f64> {
    Vec3 { x: B.z.y - B.y.z, y: B.x.z - B.z.x, z: B.y.x - B.x.y }
}

/// x·x 1 − x xᵀ.
fn spread(x: Vec3<f64>) -> Sym3<f64> {
    Sym3::diagonal(x.dot(x)) - Sym3::outer(x)
}

/// Distances of markers and their derivatives.
#[derive(Clone, Debug)]
pub(super) struct MarkerSums {
    sums: Vec<Sum>,
    /// Of each body: its joint holds a quaternion.
    ball: Vec<bool>,
    /// Function joints.
    screw: Vec<Option<Shape>>,
    /// From kernel origins to marked points, world axes, m.
    arm: Vec<Vec3<f64>>,
    /// Model minus measured, m.
    pub error: Vec<Vec3<f64>>,
    /// Gradient by degree of freedom.
    pub gradient: Vec<f64>,
    /// JᵀJ, lower triangle by rows.
    pub normal: Vec<f64>,
    /// What is missing of it to the Hessian, lower triangle by rows.
    pub curvature: Vec<f64>,
    ones: Vec<f64>,
}

impl MarkerSums {
    pub(super) fn new(skeleton: &Skeleton, markers: usize) -> Self {
        let (n, dofs) = (skeleton.parent.len(), skeleton.dofs());
        let is = |b: usize, wanted: fn(&Motion) -> bool| skeleton.motions_of(b).iter().any(wanted);
        let shape = |b: usize| is(b, |m| matches!(m, Motion::Function { .. })).then(|| Shape::of(skeleton, b));
        MarkerSums {
            sums: vec![NOTHING; n],
            ball: (0..n).map(|b| is(b, |m| matches!(m, Motion::Ball { .. }))).collect(),
            screw: (0..n).map(shape).collect(),
            arm: Vec::with_capacity(markers),
            error: Vec::with_capacity(markers),
            gradient: vec![0.0; dofs],
            normal: vec![0.0; dofs * dofs],
            curvature: vec![0.0; dofs * dofs],
            ones: vec![1.0; dofs],
        }
    }

    /// Σ w |p − x|²; keeps errors and arms for [`MarkerSums::differentiate`].
    pub(super) fn measure(&mut self, skeleton: &Skeleton, frames: &Frames<f64>, aims: &[Aim]) -> f64 {
        self.arm.clear();
        self.error.clear();
        let mut sum = 0.0;
        for aim in aims {
            let arm = frames.R[aim.body] * aim.place;
            let mut error = frames.p[aim.body] + arm - aim.measured;
            if skeleton.planar {
                error.z = 0.0;
            }
            sum += aim.share * error.dot(error);
            self.arm.push(arm);
            self.error.push(error);
        }
        sum
    }

    /// Gradient, JᵀJ and curvature at the pose measured last, of which `q` are the coordinates.
    pub(super) fn differentiate(
        &mut self,
        skeleton: &Skeleton,
        c: &Constants<f64>,
        frames: &Frames<f64>,
        q: &[f64],
        aims: &[Aim],
        curved: bool,
    ) {
        let (n, dofs) = (skeleton.parent.len(), skeleton.dofs());
        self.sums.fill(NOTHING);
        for ((aim, x), error) in aims.iter().zip(&self.arm).zip(&self.error) {
            let (sum, w, f) = (&mut self.sums[aim.body], aim.share, error.scale(aim.share));
            sum.m += w;
            sum.h += x.scale(w);
            sum.I = sum.I + spread(*x).scale(w);
            sum.F += f;
            sum.B = Mat3 { x: sum.B.x + x.scale(f.x), y: sum.B.y + x.scale(f.y), z: sum.B.z + x.scale(f.z) };
        }
        self.gradient.fill(0.0);
        self.normal.fill(0.0);
        self.curvature.fill(0.0);
        let (s_ang, s_lin) = (&frames.s_ang[..dofs], &frames.s_lin[..dofs]);
        for b in (1..n).rev() {
            let Sum { m, h, I, F, B } = self.sums[b];
            if m == 0.0 {
                continue;
            }
            let P_b = skeleton.parent[b] as usize;
            let (M, trace) = (moment(&B), B.x.x + B.y.y + B.z.z);
            let same = if self.ball[b] { symmetric(&B) } else { B };
            let own = skeleton.dofs_of(b);
            for e in own.clone() {
                let (a, l) = (s_ang[e], s_lin[e]);
                let P = l.scale(m) + a.cross(h);
                let mut L = I * a + h.cross(l);
                let row = e * dofs;
                let (normal, curvature) = (&mut self.normal[row..row + dofs], &mut self.curvature[row..row + dofs]);
                self.gradient[e] = a.dot(M) + l.dot(F);
                for d in own.start..=e {
                    normal[d] = s_ang[d].dot(L) + s_lin[d].dot(P);
                }
                let (mut from, mut to) = (b, P_b);
                while to != 0 {
                    L += frames.r[from].cross(P);
                    for d in skeleton.dofs_of(to) {
                        normal[d] = s_ang[d].dot(L) + s_lin[d].dot(P);
                    }
                    (from, to) = (to, skeleton.parent[to] as usize);
                }
                if !curved {
                    continue;
                }
                let push = l.cross(F) - a.scale(trace);
                let (Q, Q_same) = (push + B * a, push + same * a);
                for d in own.start..=e {
                    curvature[d] = s_ang[d].dot(Q_same);
                }
                let mut to = P_b;
                while to != 0 {
                    for d in skeleton.dofs_of(to) {
                        curvature[d] = s_ang[d].dot(Q);
                    }
                    to = skeleton.parent[to] as usize;
                }
                if let Some(shape) = &self.screw[b] {
                    let (linear, angular) = joint_motion::bias(shape, b, P_b, frames, c, q, &self.ones);
                    // Its displacements do not turn with it.
                    curvature[e] += F.dot(linear) + M.dot(angular) - a.dot(l.cross(F));
                }
            }
            let r = frames.r[b];
            let outer = |u: Vec3<f64>| Mat3 { x: r.scale(u.x), y: r.scale(u.y), z: r.scale(u.z) };
            let sum = &mut self.sums[P_b];
            let moved = h + r.scale(m);
            sum.m += m;
            sum.h += moved;
            // Σ w (x + r)(x + r)ᵀ = Σ w x xᵀ + h rᵀ + r (h + m r)ᵀ
            let both = r.dot(h + moved);
            sum.I = sum.I
                + I
                + Sym3 {
                    xx: both - h.x * r.x - r.x * moved.x,
                    yy: both - h.y * r.y - r.y * moved.y,
                    zz: both - h.z * r.z - r.z * moved.z,
                    xy: -h.x * r.y - r.x * moved.y,
                    xz: -h.x * r.z - r.x * moved.z,
                    yz: -h.y * r.z - r.y * moved.z,
                };
            sum.F += F;
            let shifted = outer(F);
            sum.B = Mat3 { x: sum.B.x + B.x + shifted.x, y: sum.B.y + B.y + shifted.y, z: sum.B.z + B.z + shifted.z };
        }
    }
}

fn symmetric(B: &Mat3<f64>) -> Mat3<f64> {
    let T = B.transpose();
    Mat3 { x: (B.x + T.x).scale(0.5), y: (B.y + T.y).scale(0.5), z: (B.z + T.z).scale(0.5) }
}
