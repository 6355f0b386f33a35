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
//! Three turns of one joint go at once: with the moment n' that they transmit (s·n' = τ for each), the dual axes d, and K = J⁻¹ H,
//!
//!     M' = M − Hᵀ K,  f₀' = f₀ + Hᵀ J⁻¹ (n' − n₀),  J' = H' = 0        α = J⁻¹ (n' − n₀) − K a,  v̇ = d·(α − α_parent)       (2)
//!
//! Source: Featherstone 1983, Int. J. Robotics Research 2(1):13-30; block form and order after our own measurements.
//! Tests: peers' accelerations, the oracle, `cartesian`, and forward after inverse in the suite.

use crate::constraint::Rows;
use crate::frames::Frames;
use crate::scene::Loads;
use crate::system::{Constants, DofClass, Skeleton};
use borelli_math::{Constant, Mat3, Real, Sym3, Vec3};

/// Articulated inertias and what is needed to solve with them again. Index 0 of body arrays is the world.
#[derive(Clone, Debug)]
pub struct Factors<S> {
    /// Moment per angular acceleration. Filled by `fill_inertia`, changed by `reduce`.
    J: Vec<Sym3<S>>,
    /// Moment per linear acceleration. Likewise.
    H: Vec<Mat3<S>>,
    /// Force per linear acceleration. Likewise.
    M: Vec<Sym3<S>>,
    /// Bias moment about the kernel origin. Filled by `fill_inertia`, changed by `reduce`.
    pub n: Vec<Vec3<S>>,
    /// Bias force. Likewise.
    pub f: Vec<Vec3<S>>,
    /// What is kept of each degree of freedom. Filled by `reduce`.
    dofs: Vec<DofFactor<S>>,
    /// What is kept of each body that turns freely. Filled by `reduce`.
    free: Vec<FreeTurn<S>>,
    /// Additional angular acceleration. Filled by `propagate`.
    pub d_al: Vec<Vec3<S>>,
    /// Additional linear acceleration. Filled by `propagate`.
    pub d_a: Vec<Vec3<S>>,
}

/// What is kept of one degree of freedom: U, 1/D and u/D.
#[derive(Clone, Copy, Debug)]
struct DofFactor<S> {
    U_n: Vec3<S>,
    U_f: Vec3<S>,
    inv_D: S,
    u: S,
}

/// What is kept of a joint whose three turns go at once: J⁻¹, K and the dual axes, and u = J⁻¹ (n' − n₀).
#[derive(Clone, Copy, Debug)]
struct FreeTurn<S> {
    inv_J: Sym3<S>,
    K: Mat3<S>,
    dual: Mat3<S>,
    u: Vec3<S>,
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
            free: vec![FreeTurn { inv_J: Sym3::ZERO, K: Mat3::ZERO, dual: Mat3::ZERO, u: Vec3::ZERO }; n],
            dofs: vec![DofFactor { U_n: Vec3::ZERO, U_f: Vec3::ZERO, inv_D: S::ZERO, u: S::ZERO }; d],
            d_al: vec![Vec3::ZERO; n],
            d_a: vec![Vec3::ZERO; n],
        }
    }

    /// Inertias of single bodies in world axes, and the wrench that their accelerations in `frames` need.
    #[inline(never)]
    pub fn fill_inertia<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>, frames: &Frames<S>) {
        // Slices of one length: the compiler then checks no index of the loop.
        let count = skeleton.parent.len();
        let (R, w, al, a) = (&frames.R[..count], &frames.w[..count], &frames.al[..count], &frames.a[..count]);
        let (mass, mc_B, I_Bo_B) = (&c.mass[..count], &c.mc_B[..count], &c.I_Bo_B[..count]);
        let (n, f) = (&mut self.n[..count], &mut self.f[..count]);
        let (J, H, M) = (&mut self.J[..count], &mut self.H[..count], &mut self.M[..count]);
        for b in 1..count {
            let mc = R[b].mul_const(mc_B[b]);
            let J_W = Sym3::rotated(&R[b], &I_Bo_B[b]);
            let (w, al, a) = (w[b], al[b], a[b]);
            n[b] = J_W * al + w.cross(J_W * w) + mc.cross(a);
            f[b] = Vec3 { x: mass[b].times(a.x), y: mass[b].times(a.y), z: mass[b].times(a.z) }
                + al.cross(mc)
                + gyroscopic(w.cross(w.cross(mc)));
            J[b] = J_W;
            H[b] = Mat3::skew(mc);
            M[b] = Sym3::diagonal(mass[b].lift());
        }
    }

    /// Takes external moments (about kernel origins) and forces off the bias wrenches.
    pub fn add_loads(&mut self, loads: &Loads<S>) {
        for b in 1..self.n.len() {
            self.n[b] -= loads.moment[b];
            self.f[b] -= loads.force[b];
        }
    }

    /// Accelerations for generalised forces: articulated inertias and bias wrenches from the tips to the root, then back.
    #[inline(never)]
    pub fn factor_and_solve(&mut self, skeleton: &Skeleton, frames: &Frames<S>, tau: &[S], vdot: &mut [S]) {
        self.reduce::<true>(skeleton, frames, (1..skeleton.parent.len()).rev(), tau);
        self.propagate(skeleton, frames, vdot);
    }

    /// Applies the inverse of the mass matrix; needs `factor_and_solve` before.
    #[inline(never)]
    pub fn apply_inverse_mass(&mut self, skeleton: &Skeleton, frames: &Frames<S>, tau: &[S], vdot: &mut [S]) {
        self.n.fill(Vec3::ZERO);
        self.f.fill(Vec3::ZERO);
        self.reduce::<false>(skeleton, frames, (1..skeleton.parent.len()).rev(), tau);
        self.propagate(skeleton, frames, vdot);
    }

    /// Carries the wrench of a row's unit multiplier along its way to the ground, with its coefficients on coordinates in `tau`; needs
    /// `factor_and_solve` before.
    #[inline(never)]
    pub fn carry_row(&mut self, skeleton: &Skeleton, frames: &Frames<S>, way: &[u32], rows: &Rows<S>, i: usize, tau: &[S]) {
        for b in way {
            (self.n[*b as usize], self.f[*b as usize]) = (Vec3::ZERO, Vec3::ZERO);
        }
        for side in 0..2 {
            let b = rows.body[i][side] as usize;
            self.n[b] -= rows.moment[i][side];
            self.f[b] -= rows.force[i][side];
        }
        self.reduce::<false>(skeleton, frames, way.iter().map(|b| *b as usize), tau);
    }

    /// What the wrench carried last met at a body's joint, and how it moves the joint alone: their product is the power of the one on the other.
    #[inline(always)]
    pub fn read_half(&self, skeleton: &Skeleton, b: usize, p: &mut [S], u: &mut [S]) {
        let mut dofs = skeleton.dofs_of(b);
        if skeleton.turns_freely[b] {
            dofs.end -= 3;
            let turned = self.free[b].u;
            p[dofs.len()..].copy_from_slice(&(self.J[b] * turned).to_array());
            u[dofs.len()..].copy_from_slice(&turned.to_array());
        }
        for ((dof, p), u) in self.dofs[dofs].iter().zip(p).zip(u) {
            (*p, *u) = (dof.u / dof.inv_D, dof.u);
        }
    }

    /// From the tips to the root in the given order: bias wrenches, and with `FACTOR` also articulated inertias. Both are used up.
    #[inline(always)]
    fn reduce<const FACTOR: bool>(&mut self, skeleton: &Skeleton, frames: &Frames<S>, order: impl Iterator<Item = usize>, tau: &[S]) {
        let count = skeleton.parent.len();
        let (parent, r) = (&skeleton.parent[..count], &frames.r[..count]);
        for b in order {
            let (mut n, mut f) = (self.n[b], self.f[b]);
            let (mut J, mut H, mut M) = if FACTOR { (self.J[b], self.H[b], self.M[b]) } else { (Sym3::ZERO, Mat3::ZERO, Sym3::ZERO) };
            let mut dofs = skeleton.dofs_of(b);
            if skeleton.turns_freely[b] {
                // Equation (2).
                dofs.end -= 3;
                let (s, tau) = (&frames.s_ang[dofs.end..][..3], &tau[dofs.end..][..3]);
                let kept = &mut self.free[b];
                if FACTOR {
                    let inv_J = J.inverse();
                    let K = Mat3 { x: inv_J * H.x, y: inv_J * H.y, z: inv_J * H.z };
                    let (d0, d1, d2) = (s[1].cross(s[2]), s[2].cross(s[0]), s[0].cross(s[1]));
                    let scale = s[0].dot(d0).recip();
                    M.xx -= H.x.dot(K.x);
                    M.yy -= H.y.dot(K.y);
                    M.zz -= H.z.dot(K.z);
                    M.xy -= H.x.dot(K.y);
                    M.xz -= H.x.dot(K.z);
                    M.yz -= H.y.dot(K.z);
                    kept.inv_J = inv_J;
                    kept.K = K;
                    kept.dual = Mat3 { x: d0.scale(scale), y: d1.scale(scale), z: d2.scale(scale) };
                }
                let transmitted = kept.dual.x.scale(tau[0]) + kept.dual.y.scale(tau[1]) + kept.dual.z.scale(tau[2]);
                let extra = transmitted - n;
                kept.u = kept.inv_J * extra;
                // Hᵀ J⁻¹ = Kᵀ.
                f += kept.K.transpose_mul(extra);
                n = transmitted;
                J = Sym3::ZERO;
                H = Mat3::ZERO;
            }
            for dof in dofs.rev() {
                let class = skeleton.class[dof];
                let kept = &mut self.dofs[dof];
                if FACTOR {
                    let (U_n, U_f, D) = match class {
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
                    kept.U_n = U_n;
                    kept.U_f = U_f;
                    kept.inv_D = inv_D;
                }
                let bias = match class {
                    DofClass::Turn => frames.s_ang[dof].dot(n),
                    DofClass::Slide => frames.s_lin[dof].dot(f),
                    DofClass::Screw => frames.s_ang[dof].dot(n) + frames.s_lin[dof].dot(f),
                };
                let u = (tau[dof] - bias) * kept.inv_D;
                n += kept.U_n.scale(u);
                f += kept.U_f.scale(u);
                kept.u = u;
            }
            let P = parent[b] as usize;
            if P != 0 {
                if FACTOR && skeleton.turns_freely[b] {
                    self.shift_mass_to_parent(P, r[b], &M);
                } else if FACTOR {
                    self.shift_to_parent(P, r[b], &J, &H, &M);
                }
                self.n[P] += n + r[b].cross(f);
                self.f[P] += f;
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

    /// The same for a body that turns freely, of which only M is left.
    #[inline(always)]
    fn shift_mass_to_parent(&mut self, P: usize, r: Vec3<S>, M: &Sym3<S>) {
        let m = M.to_mat();
        let G = Mat3 { x: r.cross(m.x), y: r.cross(m.y), z: r.cross(m.z) };
        let J_P = &mut self.J[P];
        J_P.xx += r.y * G.z.x - r.z * G.y.x;
        J_P.yy += r.z * G.x.y - r.x * G.z.y;
        J_P.zz += r.x * G.y.z - r.y * G.x.z;
        J_P.xy += r.z * G.x.x - r.x * G.z.x;
        J_P.xz += r.x * G.y.x - r.y * G.x.x;
        J_P.yz += r.x * G.y.y - r.y * G.x.y;
        self.H[P] = self.H[P] + G;
        self.M[P] = self.M[P] + *M;
    }

    /// From the root to the tips: accelerations beyond those of v̇ = 0.
    #[inline(always)]
    fn propagate(&mut self, skeleton: &Skeleton, frames: &Frames<S>, vdot: &mut [S]) {
        let count = skeleton.parent.len();
        let (parent, r) = (&skeleton.parent[..count], &frames.r[..count]);
        let (d_al, d_a) = (&mut self.d_al[..count], &mut self.d_a[..count]);
        for b in 1..count {
            let P = parent[b] as usize;
            let mut al = d_al[P];
            let mut a = d_a[P] + al.cross(r[b]);
            let mut dofs = skeleton.dofs_of(b);
            if skeleton.turns_freely[b] {
                dofs.end -= 3;
            }
            let turns = dofs.end;
            for dof in dofs {
                let kept = &self.dofs[dof];
                let x = kept.u - (kept.U_n.dot(al) + kept.U_f.dot(a)) * kept.inv_D;
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
            if skeleton.turns_freely[b] {
                let kept = &self.free[b];
                let turned = kept.u - kept.K * a;
                let rates = kept.dual.transpose_mul(turned - al);
                vdot[turns..turns + 3].copy_from_slice(&rates.to_array());
                al = turned;
            }
            d_al[b] = al;
            d_a[b] = a;
        }
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
pub fn inverse<S: Real, C: Constant<S>>(
    skeleton: &Skeleton,
    c: &Constants<C>,
    frames: &Frames<S>,
    n: &mut [Vec3<S>],
    f: &mut [Vec3<S>],
    tau: &mut [S],
) {
    let count = skeleton.parent.len();
    let (parent, r, R) = (&skeleton.parent[..count], &frames.r[..count], &frames.R[..count]);
    let (w, al, a) = (&frames.w[..count], &frames.al[..count], &frames.a[..count]);
    let (mass, mc_B, I_Bo_B) = (&c.mass[..count], &c.mc_B[..count], &c.I_Bo_B[..count]);
    let (n, f) = (&mut n[..count], &mut f[..count]);
    for b in (1..count).rev() {
        let (w, al, a) = (w[b], al[b], a[b]);
        // The inertia stays in kernel axes: turning two vectors is cheaper than turning a tensor.
        let (w_B, al_B) = (R[b].transpose_mul(w), R[b].transpose_mul(al));
        let n_B = Sym3::const_mul(&I_Bo_B[b], al_B) + w_B.cross(Sym3::const_mul(&I_Bo_B[b], w_B));
        let mc = R[b].mul_const(mc_B[b]);
        let n_b = n[b] + R[b] * n_B + mc.cross(a);
        let f_b = f[b]
            + Vec3 { x: mass[b].times(a.x), y: mass[b].times(a.y), z: mass[b].times(a.z) }
            + al.cross(mc)
            + gyroscopic(w.cross(w.cross(mc)));
        (n[b], f[b]) = (n_b, f_b);
        for dof in skeleton.dofs_of(b) {
            tau[dof] = match skeleton.class[dof] {
                DofClass::Turn => frames.s_ang[dof].dot(n_b),
                DofClass::Slide => frames.s_lin[dof].dot(f_b),
                DofClass::Screw => frames.s_ang[dof].dot(n_b) + frames.s_lin[dof].dot(f_b),
            };
        }
        let P = parent[b] as usize;
        if P != 0 {
            n[P] += n_b + r[b].cross(f_b);
            f[P] += f_b;
        }
    }
}
