//! The planar articulated-body kernel: absolute angles, one sine and cosine per body, six inertia numbers.
//! Not here: forces and constraints; they see the three-dimensional `Frames` that `expand` writes.
//! In: q, v, loads, generalised forces. Out: accelerations; joint wrenches. Equations: those of `spatial`, in the X-Y plane,
//! where a moment is one number and a cross product with a vector turns it by a right angle.

use crate::frames::Frames;
use crate::scene::Loads;
use crate::system::{Axis, Constants, DofClass, Motion, Skeleton};
use borelli_math::{Constant, Mat3, Real, Vec3, vec3};

/// A vector in the plane.
#[derive(Clone, Copy, Debug)]
struct Vec2<S> {
    x: S,
    y: S,
}

impl<S: Real> Vec2<S> {
    const ZERO: Self = Vec2 { x: S::ZERO, y: S::ZERO };
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Vec2 { x: self.x + o.x, y: self.y + o.y }
    }
    #[inline(always)]
    fn scale(self, s: S) -> Self {
        Vec2 { x: self.x * s, y: self.y * s }
    }
    #[inline(always)]
    fn dot(self, o: Self) -> S {
        self.x * o.x + self.y * o.y
    }
    /// Turned by +90 degrees: `z × self`.
    #[inline(always)]
    fn turned(self) -> Self {
        Vec2 { x: -self.y, y: self.x }
    }
    /// Constant vector turned by the rotation (c, s).
    #[inline(always)]
    fn rotate<C: Constant<S>>(c: S, s: S, p: Vec3<C>) -> Self {
        Vec2 { x: p.x.times(c) - p.y.times(s), y: p.x.times(s) + p.y.times(c) }
    }
}

/// Symmetric 2x2 matrix.
#[derive(Clone, Copy, Debug)]
struct Sym2<S> {
    xx: S,
    xy: S,
    yy: S,
}

impl<S: Real> Sym2<S> {
    const ZERO: Self = Sym2 { xx: S::ZERO, xy: S::ZERO, yy: S::ZERO };
    #[inline(always)]
    fn mul(&self, v: Vec2<S>) -> Vec2<S> {
        Vec2 { x: self.xx * v.x + self.xy * v.y, y: self.xy * v.x + self.yy * v.y }
    }
}

/// Kinematics, inertias and factors of a planar tree. Index 0 of body arrays is the world.
#[derive(Clone, Debug)]
pub struct Planar<S> {
    /// Absolute angle. Filled by `fill`.
    angle: Vec<S>,
    /// Cosine and sine of it. Filled by `fill`.
    cs: Vec<Vec2<S>>,
    /// Kernel origin relative to the parent's. Filled by `fill`.
    r: Vec<Vec2<S>>,
    /// Rate of `r` by the joint's own slides. Filled by `fill`.
    slide_rate: Vec<Vec2<S>>,
    /// Angular velocity. Filled by `fill`.
    w: Vec<S>,
    /// Angular acceleration. Filled by `fill` when the model has function joints or accelerations are given.
    al: Vec<S>,
    /// Acceleration of the kernel origin minus gravity. Filled by `fill`.
    a: Vec<Vec2<S>>,
    /// Angular part of free directions. Filled by `fill`.
    s_ang: Vec<S>,
    /// Linear part of free directions. Filled by `fill`.
    s_lin: Vec<Vec2<S>>,
    /// Articulated inertia: n = J α + h·a, f = h α + M a. Filled by `fill_inertia`, changed by `factor`.
    J: Vec<S>,
    h: Vec<Vec2<S>>,
    M: Vec<Sym2<S>>,
    /// Bias wrench. Filled by `fill_inertia`, changed by `solve`; joint wrenches after `inverse`.
    n: Vec<S>,
    f: Vec<Vec2<S>>,
    U_n: Vec<S>,
    U_f: Vec<Vec2<S>>,
    inv_D: Vec<S>,
    u: Vec<S>,
    d_al: Vec<S>,
    d_a: Vec<Vec2<S>>,
    /// True when some joint is a function of its coordinate.
    curved: bool,
    /// True when `al` belongs to the present kinematics; else all angular accelerations are zero.
    turning: bool,
}

impl<S: Real> Planar<S> {
    /// Memory for a skeleton.
    pub fn new(skeleton: &Skeleton) -> Self {
        let (n, d) = (skeleton.parent.len(), skeleton.dofs());
        let zeros = || vec![S::ZERO; n];
        let zeros2 = || vec![Vec2::ZERO; n];
        Planar {
            angle: zeros(),
            cs: vec![Vec2 { x: S::ONE, y: S::ZERO }; n],
            r: zeros2(),
            slide_rate: zeros2(),
            w: zeros(),
            al: zeros(),
            a: zeros2(),
            s_ang: vec![S::ONE; d],
            s_lin: vec![Vec2::ZERO; d],
            J: zeros(),
            h: zeros2(),
            M: vec![Sym2::ZERO; n],
            n: zeros(),
            f: zeros2(),
            U_n: vec![S::ZERO; d],
            U_f: vec![Vec2::ZERO; d],
            inv_D: vec![S::ZERO; d],
            u: vec![S::ZERO; d],
            d_al: zeros(),
            d_a: zeros2(),
            curved: skeleton.motions.iter().any(|m| matches!(m, Motion::Function { .. })),
            turning: false,
        }
    }

    /// Kinematics with v̇ = 0.
    #[inline(always)]
    pub fn fill<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>, q: &[S], v: &[S]) {
        if self.curved {
            self.fill_general::<C, false, true>(skeleton, c, q, v, &[]);
        } else {
            self.fill_general::<C, false, false>(skeleton, c, q, v, &[]);
        }
    }

    /// Kinematics with given accelerations.
    #[inline(always)]
    pub fn fill_accelerated<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>, q: &[S], v: &[S], vdot: &[S]) {
        self.fill_general::<C, true, true>(skeleton, c, q, v, vdot);
    }

    /// `ACCEL`: accelerations are given. `TURNING`: some body may have an angular acceleration.
    #[inline(always)]
    fn fill_general<C: Constant<S>, const ACCEL: bool, const TURNING: bool>(
        &mut self,
        skeleton: &Skeleton,
        c: &Constants<C>,
        q: &[S],
        v: &[S],
        vdot: &[S],
    ) {
        self.turning = TURNING;
        self.a[0] = Vec2 { x: -c.gravity.x.lift(), y: -c.gravity.y.lift() };
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let Vec2 { x: cos_P, y: sin_P } = self.cs[P];
            let w_P = self.w[P];
            let mut r = Vec2::rotate(cos_P, sin_P, c.p_PF_P[b]);
            let (mut angle, mut w) = (self.angle[P], w_P);
            let mut al = if TURNING { self.al[P] } else { S::ZERO };
            let (mut slide_rate, mut slide_acc) = (Vec2::ZERO, Vec2::ZERO);
            let mut slides = false;
            for &motion in skeleton.motions_of(b) {
                match motion {
                    Motion::Turn { coord, dof, .. } => {
                        angle += q[coord as usize];
                        w += v[dof as usize];
                        if ACCEL {
                            al += vdot[dof as usize];
                        }
                    }
                    Motion::Slide { axis, coord, dof } => {
                        let (coord, dof) = (coord as usize, dof as usize);
                        let e = match axis {
                            Axis::X => Vec2 { x: cos_P, y: sin_P },
                            Axis::Y => Vec2 { x: -sin_P, y: cos_P },
                            _ => Vec2::rotate(cos_P, sin_P, c.axis[dof]),
                        };
                        r = r.add(e.scale(q[coord]));
                        slide_rate = slide_rate.add(e.scale(v[dof]));
                        if ACCEL {
                            slide_acc = slide_acc.add(e.scale(vdot[dof]));
                        }
                        self.s_lin[dof] = e;
                        slides = true;
                    }
                    Motion::Function { slot, coord, dof } => {
                        let (coord, dof) = (coord as usize, dof as usize);
                        let (x, rate, acc) = (q[coord], v[dof], if ACCEL { vdot[dof] } else { S::ZERO });
                        let curve = &c.curves[slot as usize];
                        let mut s_lin = Vec2::ZERO;
                        for (axis, function) in &curve.slides {
                            let e = Vec2::rotate(cos_P, sin_P, *axis);
                            let [f0, f1, f2] = function.eval(x);
                            r = r.add(e.scale(f0));
                            s_lin = s_lin.add(e.scale(f1));
                            slide_acc = slide_acc.add(e.scale(f2 * rate * rate));
                        }
                        slide_rate = slide_rate.add(s_lin.scale(rate));
                        slide_acc = slide_acc.add(s_lin.scale(acc));
                        let mut s_ang = S::ZERO;
                        for (_, function) in &curve.turns {
                            let [f0, f1, f2] = function.eval(x);
                            angle += f0;
                            w += f1 * rate;
                            al += f2 * rate * rate + f1 * acc;
                            s_ang += f1;
                        }
                        self.s_ang[dof] = s_ang;
                        self.s_lin[dof] = s_lin;
                        slides = true;
                    }
                    // A planar joint has neither; compile refuses them.
                    Motion::Ball { .. } | Motion::Fixed { .. } => {}
                }
            }
            let ww = w_P * w_P;
            let a_P = self.a[P];
            let mut a = Vec2 { x: a_P.x - ww * r.x, y: a_P.y - ww * r.y };
            if TURNING {
                a = a.add(r.turned().scale(self.al[P]));
            }
            if slides {
                a = a.add(slide_rate.turned().scale(w_P + w_P)).add(slide_acc);
                self.slide_rate[b] = slide_rate;
            }
            let (sine, cosine) = angle.sin_cos();
            self.angle[b] = angle;
            self.cs[b] = Vec2 { x: cosine, y: sine };
            self.r[b] = r;
            self.w[b] = w;
            if TURNING {
                self.al[b] = al;
            }
            self.a[b] = a;
        }
    }

    /// Inertias of single bodies and the wrench that their accelerations need.
    #[inline(always)]
    pub fn fill_inertia<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>) {
        for b in 1..skeleton.parent.len() {
            let (mc, n, f) = if self.turning { self.inertial_wrench::<C, true>(b, c) } else { self.inertial_wrench::<C, false>(b, c) };
            self.n[b] = n;
            self.f[b] = f;
            let mass = c.mass[b].lift();
            self.J[b] = c.I_Bo_B[b].zz.lift();
            self.h[b] = mc.turned();
            self.M[b] = Sym2 { xx: mass, xy: S::ZERO, yy: mass };
        }
    }

    /// First moment in world axes, and the wrench (about the kernel origin) of the body's acceleration.
    #[inline(always)]
    fn inertial_wrench<C: Constant<S>, const TURNING: bool>(&self, b: usize, c: &Constants<C>) -> (Vec2<S>, S, Vec2<S>) {
        let Vec2 { x: cosine, y: sine } = self.cs[b];
        let mc = Vec2::rotate(cosine, sine, c.mc_B[b]);
        let (w, a) = (self.w[b], self.a[b]);
        let ww = centripetal(w * w);
        let h = mc.turned();
        let mut n = h.dot(a);
        let mut f = Vec2 { x: c.mass[b].times(a.x) - ww * mc.x, y: c.mass[b].times(a.y) - ww * mc.y };
        if TURNING {
            n += c.I_Bo_B[b].zz.times(self.al[b]);
            f = f.add(h.scale(self.al[b]));
        }
        (mc, n, f)
    }

    /// Takes external loads off the bias wrenches.
    #[inline(always)]
    pub fn add_loads(&mut self, moment: &[Vec3<S>], force: &[Vec3<S>]) {
        for b in 1..self.n.len() {
            self.n[b] -= moment[b].z;
            self.f[b].x -= force[b].x;
            self.f[b].y -= force[b].y;
        }
    }

    /// Articulated inertias from the tips to the root.
    #[inline(always)]
    pub fn factor(&mut self, skeleton: &Skeleton) {
        for b in (1..skeleton.parent.len()).rev() {
            let (mut J, mut h, mut M) = (self.J[b], self.h[b], self.M[b]);
            for dof in skeleton.dofs_of(b).rev() {
                let (U_n, U_f, D) = match skeleton.class[dof] {
                    DofClass::Turn => (J, h, J),
                    DofClass::Slide => {
                        let e = self.s_lin[dof];
                        let U_f = M.mul(e);
                        (h.dot(e), U_f, e.dot(U_f))
                    }
                    DofClass::Screw => {
                        let (s, e) = (self.s_ang[dof], self.s_lin[dof]);
                        let (U_n, U_f) = (J * s + h.dot(e), h.scale(s).add(M.mul(e)));
                        (U_n, U_f, s * U_n + e.dot(U_f))
                    }
                };
                let inv_D = D.recip();
                let k = U_f.scale(inv_D);
                M.xx -= U_f.x * k.x;
                M.xy -= U_f.x * k.y;
                M.yy -= U_f.y * k.y;
                if skeleton.class[dof] == DofClass::Turn {
                    // The body now turns freely: it resists neither a moment nor through one.
                    J = S::ZERO;
                    h = Vec2::ZERO;
                } else {
                    J -= U_n * U_n * inv_D;
                    h = Vec2 { x: h.x - U_n * k.x, y: h.y - U_n * k.y };
                }
                self.U_n[dof] = U_n;
                self.U_f[dof] = U_f;
                self.inv_D[dof] = inv_D;
            }
            let P = skeleton.parent[b] as usize;
            if P != 0 {
                let t = self.r[b].turned();
                let Mt = M.mul(t);
                self.J[P] += J + (h.dot(t) + h.dot(t)) + t.dot(Mt);
                self.h[P] = self.h[P].add(h).add(Mt);
                let M_P = &mut self.M[P];
                M_P.xx += M.xx;
                M_P.xy += M.xy;
                M_P.yy += M.yy;
            }
        }
    }

    /// Accelerations from generalised forces and the bias wrenches (used up); needs `factor`.
    #[inline(always)]
    pub fn solve(&mut self, skeleton: &Skeleton, tau: &[S], vdot: &mut [S]) {
        for b in (1..skeleton.parent.len()).rev() {
            let (mut n, mut f) = (self.n[b], self.f[b]);
            for dof in skeleton.dofs_of(b).rev() {
                let bias = match skeleton.class[dof] {
                    DofClass::Turn => n,
                    DofClass::Slide => self.s_lin[dof].dot(f),
                    DofClass::Screw => self.s_ang[dof] * n + self.s_lin[dof].dot(f),
                };
                let u = (tau[dof] - bias) * self.inv_D[dof];
                n += self.U_n[dof] * u;
                f = f.add(self.U_f[dof].scale(u));
                self.u[dof] = u;
            }
            let P = skeleton.parent[b] as usize;
            if P != 0 {
                self.n[P] += n + self.r[b].turned().dot(f);
                self.f[P] = self.f[P].add(f);
            }
        }
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let mut al = self.d_al[P];
            let mut a = self.d_a[P].add(self.r[b].turned().scale(al));
            for dof in skeleton.dofs_of(b) {
                let x = self.u[dof] - (self.U_n[dof] * al + self.U_f[dof].dot(a)) * self.inv_D[dof];
                vdot[dof] = x;
                match skeleton.class[dof] {
                    DofClass::Turn => al += x,
                    DofClass::Slide => a = a.add(self.s_lin[dof].scale(x)),
                    DofClass::Screw => {
                        al += self.s_ang[dof] * x;
                        a = a.add(self.s_lin[dof].scale(x));
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
        self.n.fill(S::ZERO);
        self.f.fill(Vec2::ZERO);
    }

    /// Generalised forces for the accelerations of `fill_accelerated`, with loads given as three-dimensional wrenches.
    #[inline(always)]
    pub fn inverse<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>, loads: Option<&Loads<S>>, tau: &mut [S]) {
        for b in 1..skeleton.parent.len() {
            let (_, n, f) = self.inertial_wrench::<C, true>(b, c);
            self.n[b] = n;
            self.f[b] = f;
        }
        if let Some(loads) = loads {
            self.add_loads(&loads.moment, &loads.force);
        }
        for b in (1..skeleton.parent.len()).rev() {
            let (n, f) = (self.n[b], self.f[b]);
            for dof in skeleton.dofs_of(b) {
                tau[dof] = match skeleton.class[dof] {
                    DofClass::Turn => n,
                    DofClass::Slide => self.s_lin[dof].dot(f),
                    DofClass::Screw => self.s_ang[dof] * n + self.s_lin[dof].dot(f),
                };
            }
            let P = skeleton.parent[b] as usize;
            if P != 0 {
                self.n[P] += n + self.r[b].turned().dot(f);
                self.f[P] = self.f[P].add(f);
            }
        }
    }

    /// Writes the kinematics as three-dimensional frames for forces, constraints and reports.
    #[inline(always)]
    pub fn expand(&self, skeleton: &Skeleton, frames: &mut Frames<S>) {
        let flat = |v: Vec2<S>| vec3(v.x, v.y, S::ZERO);
        frames.a[0] = flat(self.a[0]);
        for b in 1..skeleton.parent.len() {
            let Vec2 { x: c, y: s } = self.cs[b];
            frames.R[b] = Mat3 { x: vec3(c, s, S::ZERO), y: vec3(-s, c, S::ZERO), z: vec3(S::ZERO, S::ZERO, S::ONE) };
            frames.r[b] = flat(self.r[b]);
            frames.slide_rate[b] = flat(self.slide_rate[b]);
            frames.w[b] = vec3(S::ZERO, S::ZERO, self.w[b]);
            frames.al[b] = vec3(S::ZERO, S::ZERO, if self.turning { self.al[b] } else { S::ZERO });
            frames.a[b] = flat(self.a[b]);
        }
        for dof in 0..skeleton.dofs() {
            frames.s_ang[dof] = match skeleton.class[dof] {
                DofClass::Slide => Vec3::ZERO,
                _ => vec3(S::ZERO, S::ZERO, self.s_ang[dof]),
            };
            frames.s_lin[dof] = flat(self.s_lin[dof]);
        }
    }
}

/// The square of the angular velocity in the centripetal force. Tests flip its sign to see the guards fail.
#[inline(always)]
fn centripetal<S: Real>(ww: S) -> S {
    #[cfg(test)]
    if crate::fault_injection::coriolis_flipped() {
        return -ww;
    }
    ww
}
