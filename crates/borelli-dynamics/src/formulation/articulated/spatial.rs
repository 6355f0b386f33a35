//! The spatial articulated-body kernel: forward and inverse dynamics of a tree, linear in the number of bodies.
//! Not here: kinematics (`frames`), forces and constraints (their own rooms), planar models (`planar`).
//! In: `Frames` filled for q and v, loads on bodies, generalised forces. Out: accelerations; joint wrenches.
//!
//! World axes, each body about its own joint origin, so that nothing is rotated but each body's constant inertia, once. Pass 1
//! already holds the accelerations for v̇ = 0; only the additional ones are propagated in pass 3. With the wrench (n, f) of a subtree
//! needed to accelerate its root by (α, a),
//!
//!     n = J α + H a + n₀        f = Hᵀ α + M a + f₀                                              (1)
//!
//! each free direction s is eliminated: U = (J s, Hᵀ s), D = s·U, u = τ − s·n₀, and (J, H, M) −= U Uᵀ/D, (n₀, f₀) += U u/D.
//! Source: Featherstone 1983, Int. J. Robotics Research 2(1):13-30; block form and order after our own measurements.
//! Tests: peers' accelerations, the oracle, `cartesian`, and forward after inverse in the suite.

use crate::frames::Frames;
use crate::system::{Constants, DofClass, Skeleton};
use borelli_math::{Constant, Mat3, Real, Sym3, Vec3};

/// Articulated inertias and what is needed to solve with them again. Index 0 of body arrays is the world.
#[derive(Clone, Debug)]
pub struct Factors<S> {
    /// Moment per angular acceleration. Filled by `fill_inertia`, changed by `factor`.
    J: Vec<Sym3<S>>,
    /// Moment per linear acceleration. Likewise.
    H: Vec<Mat3<S>>,
    /// Force per linear acceleration. Likewise.
    M: Vec<Sym3<S>>,
    /// Bias moment about the kernel origin. Filled by `fill_bias`, changed by `solve`.
    pub n: Vec<Vec3<S>>,
    /// Bias force. Likewise.
    pub f: Vec<Vec3<S>>,
    /// U of each degree of freedom. Filled by `factor`.
    U_n: Vec<Vec3<S>>,
    /// U of each degree of freedom. Filled by `factor`.
    U_f: Vec<Vec3<S>>,
    /// 1/D of each degree of freedom. Filled by `factor`.
    inv_D: Vec<S>,
    /// u/D of each degree of freedom. Filled by `solve`.
    u: Vec<S>,
    /// Additional angular acceleration. Filled by `solve`.
    pub d_al: Vec<Vec3<S>>,
    /// Additional linear acceleration. Filled by `solve`.
    pub d_a: Vec<Vec3<S>>,
}

impl<S: Real> Factors<S> {
    /// Memory for a skeleton.
    pub fn new(skeleton: &Skeleton) -> Self {
        let (n, d) = (skeleton.parent.len(), skeleton.dofs());
        Factors {
            J: vec![Sym3::ZERO; n],
            H: vec![Mat3::ZERO; n],
            M: vec![Sym3::ZERO; n],
            n: vec![Vec3::ZERO; n],
            f: vec![Vec3::ZERO; n],
            U_n: vec![Vec3::ZERO; d],
            U_f: vec![Vec3::ZERO; d],
            inv_D: vec![S::ZERO; d],
            u: vec![S::ZERO; d],
            d_al: vec![Vec3::ZERO; n],
            d_a: vec![Vec3::ZERO; n],
        }
    }

    /// Inertias of single bodies in world axes, and the wrench that their accelerations in `frames` need.
    #[inline(always)]
    pub fn fill_inertia<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>, frames: &Frames<S>) {
        for b in 1..skeleton.parent.len() {
            let R = &frames.R[b];
            let mc = R.mul_const(c.mc_B[b]);
            let J = Sym3::rotated(R, &c.I_Bo_B[b]);
            let (w, al, a) = (frames.w[b], frames.al[b], frames.a[b]);
            self.n[b] = J * al + w.cross(J * w) + mc.cross(a);
            self.f[b] = Vec3 { x: c.mass[b].times(a.x), y: c.mass[b].times(a.y), z: c.mass[b].times(a.z) }
                + al.cross(mc)
                + gyroscopic(w.cross(w.cross(mc)));
            self.J[b] = J;
            self.H[b] = Mat3::skew(mc);
            self.M[b] = Sym3::diagonal(c.mass[b].lift());
        }
    }

    /// Takes external moments (about kernel origins) and forces off the bias wrenches.
    #[inline(always)]
    pub fn add_loads(&mut self, moment: &[Vec3<S>], force: &[Vec3<S>]) {
        for b in 1..self.n.len() {
            self.n[b] -= moment[b];
            self.f[b] -= force[b];
        }
    }

    /// Articulated inertias from the tips to the root.
    #[inline(always)]
    pub fn factor(&mut self, skeleton: &Skeleton, frames: &Frames<S>) {
        for b in (1..skeleton.parent.len()).rev() {
            let (mut J, mut H, mut M) = (self.J[b], self.H[b], self.M[b]);
            for dof in skeleton.dofs_of(b).rev() {
                let (U_n, U_f, D) = match skeleton.class[dof] {
                    DofClass::Turn => {
                        let s = frames.s_ang[dof];
                        let U_n = J * s;
                        (U_n, H.transpose_mul(s), s.dot(U_n))
                    }
                    DofClass::Slide => {
                        let e = frames.s_lin[dof];
                        let U_f = M * e;
                        (H * e, U_f, e.dot(U_f))
                    }
                    DofClass::Screw => {
                        let (s, e) = (frames.s_ang[dof], frames.s_lin[dof]);
                        let (U_n, U_f) = (J * s + H * e, H.transpose_mul(s) + M * e);
                        (U_n, U_f, s.dot(U_n) + e.dot(U_f))
                    }
                };
                let inv_D = D.recip();
                let (k_n, k_f) = (U_n.scale(inv_D), U_f.scale(inv_D));
                J.xx -= U_n.x * k_n.x;
                J.yy -= U_n.y * k_n.y;
                J.zz -= U_n.z * k_n.z;
                J.xy -= U_n.x * k_n.y;
                J.xz -= U_n.x * k_n.z;
                J.yz -= U_n.y * k_n.z;
                H.x -= U_n.scale(k_f.x);
                H.y -= U_n.scale(k_f.y);
                H.z -= U_n.scale(k_f.z);
                M.xx -= U_f.x * k_f.x;
                M.yy -= U_f.y * k_f.y;
                M.zz -= U_f.z * k_f.z;
                M.xy -= U_f.x * k_f.y;
                M.xz -= U_f.x * k_f.z;
                M.yz -= U_f.y * k_f.z;
                self.U_n[dof] = U_n;
                self.U_f[dof] = U_f;
                self.inv_D[dof] = inv_D;
            }
            let P = skeleton.parent[b] as usize;
            if P != 0 {
                self.shift_to_parent(P, frames.r[b], &J, &H, &M);
            }
        }
    }

    /// Adds an articulated inertia, moved by −r to the parent's origin, to the parent:
    /// H' = H + r̃ M, J' = J + r̃ Hᵀ − H' r̃.
    #[inline(always)]
    fn shift_to_parent(&mut self, P: usize, r: Vec3<S>, J: &Sym3<S>, H: &Mat3<S>, M: &Sym3<S>) {
        let m = M.to_mat();
        let G = Mat3 { x: H.x + r.cross(m.x), y: H.y + r.cross(m.y), z: H.z + r.cross(m.z) };
        let J_P = &mut self.J[P];
        // Entries row by row: H.y.x is row x, column y.
        J_P.xx += J.xx + r.y * (H.z.x + G.z.x) - r.z * (H.y.x + G.y.x);
        J_P.yy += J.yy + r.z * (H.x.y + G.x.y) - r.x * (H.z.y + G.z.y);
        J_P.zz += J.zz + r.x * (H.y.z + G.y.z) - r.y * (H.x.z + G.x.z);
        J_P.xy += J.xy + r.z * (G.x.x - H.y.y) + r.y * H.z.y - r.x * G.z.x;
        J_P.xz += J.xz + r.y * (H.z.z - G.x.x) - r.z * H.y.z + r.x * G.y.x;
        J_P.yz += J.yz + r.x * (G.y.y - H.z.z) + r.z * H.x.z - r.y * G.x.y;
        self.H[P] = self.H[P] + G;
        self.M[P] = self.M[P] + *M;
    }

    /// Accelerations from generalised forces and the bias wrenches in `n`, `f` (which are used up); needs `factor`.
    #[inline(always)]
    pub fn solve(&mut self, skeleton: &Skeleton, frames: &Frames<S>, tau: &[S], vdot: &mut [S]) {
        for b in (1..skeleton.parent.len()).rev() {
            let (mut n, mut f) = (self.n[b], self.f[b]);
            for dof in skeleton.dofs_of(b).rev() {
                let bias = match skeleton.class[dof] {
                    DofClass::Turn => frames.s_ang[dof].dot(n),
                    DofClass::Slide => frames.s_lin[dof].dot(f),
                    DofClass::Screw => frames.s_ang[dof].dot(n) + frames.s_lin[dof].dot(f),
                };
                let u = (tau[dof] - bias) * self.inv_D[dof];
                n += self.U_n[dof].scale(u);
                f += self.U_f[dof].scale(u);
                self.u[dof] = u;
            }
            let P = skeleton.parent[b] as usize;
            if P != 0 {
                self.n[P] += n + frames.r[b].cross(f);
                self.f[P] += f;
            }
        }
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let mut al = self.d_al[P];
            let mut a = self.d_a[P] + al.cross(frames.r[b]);
            for dof in skeleton.dofs_of(b) {
                let x = self.u[dof] - (self.U_n[dof].dot(al) + self.U_f[dof].dot(a)) * self.inv_D[dof];
                vdot[dof] = x;
                match skeleton.class[dof] {
                    DofClass::Turn => al += frames.s_ang[dof].scale(x),
                    DofClass::Slide => a += frames.s_lin[dof].scale(x),
                    DofClass::Screw => {
                        al += frames.s_ang[dof].scale(x);
                        a += frames.s_lin[dof].scale(x);
                    }
                }
            }
            self.d_al[b] = al;
            self.d_a[b] = a;
        }
    }

    /// Sets the bias wrenches to zero: `solve` then applies the inverse of the mass matrix to `tau`.
    #[inline(always)]
    pub fn clear_bias(&mut self) {
        self.n.fill(Vec3::ZERO);
        self.f.fill(Vec3::ZERO);
    }
}

/// The centripetal term of a body's inertial force, m ω × (ω × c). Tests flip its sign to see the guards fail.
#[inline(always)]
fn gyroscopic<S: Real>(term: Vec3<S>) -> Vec3<S> {
    #[cfg(test)]
    if crate::fault_injection::coriolis_flipped() {
        return -term;
    }
    term
}

/// Joint wrenches of inverse dynamics: from the tips to the root, the wrench (about the kernel origin) that each joint transmits to its
/// body, for the accelerations in `frames` (filled with `ACCEL`), less the loads already in `n`, `f` with negative sign.
/// On return `n`, `f` hold the joint wrenches and `tau` the generalised forces.
#[inline(always)]
pub fn inverse<S: Real, C: Constant<S>>(
    skeleton: &Skeleton,
    c: &Constants<C>,
    frames: &Frames<S>,
    n: &mut [Vec3<S>],
    f: &mut [Vec3<S>],
    tau: &mut [S],
) {
    for b in (1..skeleton.parent.len()).rev() {
        let R = &frames.R[b];
        let (w, al, a) = (frames.w[b], frames.al[b], frames.a[b]);
        // The inertia stays in kernel axes: turning two vectors is cheaper than turning a tensor.
        let (w_B, al_B) = (R.transpose_mul(w), R.transpose_mul(al));
        let n_B = Sym3::const_mul(&c.I_Bo_B[b], al_B) + w_B.cross(Sym3::const_mul(&c.I_Bo_B[b], w_B));
        let mc = R.mul_const(c.mc_B[b]);
        n[b] += *R * n_B + mc.cross(a);
        f[b] += Vec3 { x: c.mass[b].times(a.x), y: c.mass[b].times(a.y), z: c.mass[b].times(a.z) }
            + al.cross(mc)
            + gyroscopic(w.cross(w.cross(mc)));
        let (n_b, f_b) = (n[b], f[b]);
        for dof in skeleton.dofs_of(b) {
            tau[dof] = match skeleton.class[dof] {
                DofClass::Turn => frames.s_ang[dof].dot(n_b),
                DofClass::Slide => frames.s_lin[dof].dot(f_b),
                DofClass::Screw => frames.s_ang[dof].dot(n_b) + frames.s_lin[dof].dot(f_b),
            };
        }
        let P = skeleton.parent[b] as usize;
        if P != 0 {
            n[P] += n_b + frames.r[b].cross(f_b);
            f[P] += f_b;
        }
    }
}
