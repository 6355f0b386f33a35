//! Kinematics of the tree in world axes: poses, velocities, accelerations, free directions. One forward loop.
//! Not here: masses and forces.
//! In: q, v and (for inverse dynamics) accelerations. Out: `Frames`, for each body about its own kernel origin.
//!
//! Equations, body b with parent P, offset r = R_P p_PF + slides, for each turn about the world axis s at rate v:
//!
//!     α += ω × s v + s v̇ ;  ω += s v                                                             (1)
//!     a_b = a_P + α_P × r + ω_P × (ω_P × r) + 2 ω_P × ṙ_rel + r̈_rel                               (2)
//!
//! The base accelerates upward by g, so that gravity needs no force. Source: Featherstone 2008, Rigid Body Dynamics Algorithms, ch. 5,
//! written in world axes. Tests: `compare`, the oracle, and central differences of poses and velocities in the suite.

use crate::system::{Axis, Constants, Motion, Skeleton};
use borelli_math::rotation::rotation_from_axis;
use borelli_math::{Constant, Mat3, Quat, Real, Vec3};

/// Kinematics of all bodies in world axes. Entry 0 is the world.
#[derive(Clone, Debug)]
pub struct Frames<S> {
    /// Orientation, kernel frame to world. Filled by `fill`.
    pub R: Vec<Mat3<S>>,
    /// Kernel origin relative to the parent's, m. Filled by `fill`.
    pub r: Vec<Vec3<S>>,
    /// Rate of `r` due to the joint's own slides, m/s. Filled by `fill`.
    pub slide_rate: Vec<Vec3<S>>,
    /// Angular velocity, rad/s. Filled by `fill`.
    pub w: Vec<Vec3<S>>,
    /// Angular acceleration (with v̇ = 0, or as given), rad/s². Filled by `fill`.
    pub al: Vec<Vec3<S>>,
    /// Acceleration of the kernel origin minus gravity, m/s². Filled by `fill`.
    pub a: Vec<Vec3<S>>,
    /// Position of the kernel origin, m. Filled by `fill_points`.
    pub p: Vec<Vec3<S>>,
    /// Velocity of the kernel origin, m/s. Filled by `fill_points`.
    pub v: Vec<Vec3<S>>,
    /// Angular part of each free direction. Filled by `fill`.
    pub s_ang: Vec<Vec3<S>>,
    /// Linear part of each free direction at the kernel origin. Filled by `fill`.
    pub s_lin: Vec<Vec3<S>>,
    /// Angles of all turns, their sines and cosines, in the order of motions. Filled by `fill`.
    angle: Vec<S>,
    sine: Vec<S>,
    cosine: Vec<S>,
}

/// Pose and velocity of one body, as in `Frames`: what forces see of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// Orientation.
    pub R: Mat3<f64>,
    /// Position of the kernel origin, m.
    pub p: Vec3<f64>,
    /// Angular velocity, rad/s.
    pub w: Vec3<f64>,
    /// Velocity of the kernel origin, m/s.
    pub v: Vec3<f64>,
}

impl Frames<f64> {
    /// Pose and velocity of a body, to be kept.
    pub fn body(&self, b: usize) -> BodyMotion {
        BodyMotion { R: self.R[b], p: self.p[b], w: self.w[b], v: self.v[b] }
    }
}

impl<S: Real> Frames<S> {
    /// Puts a body where it was found to be; nothing else changes.
    #[inline]
    pub fn put_body(&mut self, b: usize, kept: &BodyMotion) {
        // Number by number: of duals the whole is a kilobyte, and would be copied.
        let put = |own: &mut Vec3<S>, kept: Vec3<f64>| {
            own.x = S::from_f64(kept.x);
            own.y = S::from_f64(kept.y);
            own.z = S::from_f64(kept.z);
        };
        let R = &mut self.R[b];
        put(&mut R.x, kept.R.x);
        put(&mut R.y, kept.R.y);
        put(&mut R.z, kept.R.z);
        put(&mut self.p[b], kept.p);
        put(&mut self.w[b], kept.w);
        put(&mut self.v[b], kept.v);
    }

    /// Memory for a skeleton.
    pub fn new(skeleton: &Skeleton) -> Self {
        let (n, d) = (skeleton.parent.len(), skeleton.dofs());
        let zeros = vec![Vec3::ZERO; n];
        // A filled last pair lets the loop over the angles run in pairs to the end.
        let turns = vec![S::ZERO; (skeleton.turn_coords.len() + 1) & !1];
        Frames {
            angle: turns.clone(),
            sine: turns.clone(),
            cosine: turns,
            R: vec![Mat3::IDENTITY; n],
            r: zeros.clone(),
            slide_rate: zeros.clone(),
            w: zeros.clone(),
            al: zeros.clone(),
            a: zeros.clone(),
            p: zeros.clone(),
            v: zeros,
            s_ang: vec![Vec3::ZERO; d],
            s_lin: vec![Vec3::ZERO; d],
        }
    }

    /// Fills everything but `p` and `v`. With `ACCEL` the accelerations `vdot` are included, else they are taken as zero.
    #[inline(never)]
    pub fn fill<C: Constant<S>, const ACCEL: bool>(&mut self, skeleton: &Skeleton, c: &Constants<C>, q: &[S], v: &[S], vdot: &[S]) {
        for (angle, coord) in self.angle.iter_mut().zip(&skeleton.turn_coords) {
            *angle = q[*coord as usize];
        }
        S::sin_cos_all(&self.angle, &mut self.sine, &mut self.cosine);
        self.a[0] = -Vec3::lift(c.gravity);
        let (mut turn, mut b) = (0, 1);
        while b < skeleton.parent.len() {
            if skeleton.turns_only[b] {
                b = self.fill_turns::<C, ACCEL>(b, &mut turn, skeleton, c, v, vdot);
            } else {
                self.fill_motions::<C, ACCEL>(b, &mut turn, skeleton, c, q, v, vdot);
                b += 1;
            }
        }
    }

    /// Bodies from `first` on as long as their joints only turn them, by far the most common; returns the first that it left.
    #[inline(never)]
    fn fill_turns<C: Constant<S>, const ACCEL: bool>(
        &mut self,
        first: usize,
        next: &mut usize,
        skeleton: &Skeleton,
        c: &Constants<C>,
        v: &[S],
        vdot: &[S],
    ) -> usize {
        // Slices of one length: the compiler then checks no index of the loop, and the rotation is turned in place.
        let (n, d) = (skeleton.parent.len(), skeleton.class.len());
        let (parent, turns_only, p_PF_P) = (&skeleton.parent[..n], &skeleton.turns_only[..n], &c.p_PF_P[..n]);
        let (R, r, w, al, a) = (&mut self.R[..n], &mut self.r[..n], &mut self.w[..n], &mut self.al[..n], &mut self.a[..n]);
        let (s_ang, v) = (&mut self.s_ang[..d], &v[..d]);
        let (sine, cosine) = (&self.sine[..], &self.cosine[..self.sine.len()]);
        let mut k = *next;
        for b in first..n {
            if !turns_only[b] {
                *next = k;
                return b;
            }
            let P = parent[b] as usize;
            let (w_P, al_P) = (w[P], al[P]);
            let r_b = R[P].mul_const(p_PF_P[b]);
            R[b] = R[P];
            let R_b = &mut R[b];
            r[b] = r_b;
            a[b] = a[P] + al_P.cross(r_b) + w_P.cross(w_P.cross(r_b));
            let (mut w_b, mut al_b) = (w_P, al_P);
            for motion in skeleton.motions_of(b) {
                if let Motion::Turn { axis, dof, .. } = *motion {
                    let dof = dof as usize;
                    let s = turn(R_b, axis, &c.axis, dof, sine[k], cosine[k]);
                    k += 1;
                    let rate = s.scale(v[dof]);
                    al_b += w_b.cross(rate);
                    if ACCEL {
                        al_b += s.scale(vdot[dof]);
                    }
                    w_b += rate;
                    s_ang[dof] = s;
                }
            }
            w[b] = w_b;
            al[b] = al_b;
        }
        *next = k;
        n
    }

    /// One body with a joint of any motions.
    #[inline(never)]
    fn fill_motions<C: Constant<S>, const ACCEL: bool>(
        &mut self,
        b: usize,
        next: &mut usize,
        skeleton: &Skeleton,
        c: &Constants<C>,
        q: &[S],
        v: &[S],
        vdot: &[S],
    ) {
        let P = skeleton.parent[b] as usize;
        let mut R = self.R[P];
        let (w_P, al_P) = (self.w[P], self.al[P]);
        let mut r = R.mul_const(c.p_PF_P[b]);
        let (mut w, mut al) = (w_P, al_P);
        let (mut slide_rate, mut slide_acc) = (Vec3::ZERO, Vec3::ZERO);
        for &motion in skeleton.motions_of(b) {
            match motion {
                Motion::Turn { axis, dof, .. } => {
                    let dof = dof as usize;
                    let s = turn(&mut R, axis, &c.axis, dof, self.sine[*next], self.cosine[*next]);
                    *next += 1;
                    let rate = s.scale(v[dof]);
                    al += w.cross(rate);
                    if ACCEL {
                        al += s.scale(vdot[dof]);
                    }
                    w += rate;
                    self.s_ang[dof] = s;
                }
                Motion::Slide { axis, coord, dof } => {
                    let (coord, dof) = (coord as usize, dof as usize);
                    let e = direction(&R, axis, c.axis[dof]);
                    r += e.scale(q[coord]);
                    slide_rate += e.scale(v[dof]);
                    if ACCEL {
                        slide_acc += e.scale(vdot[dof]);
                    }
                    self.s_lin[dof] = e;
                }
                Motion::Ball { coord, dof } => {
                    let (coord, dof) = (coord as usize, dof as usize);
                    R = R * Quat::from_slice(&q[coord..coord + 4]).to_rotation();
                    let rate = R.x.scale(v[dof]) + R.y.scale(v[dof + 1]) + R.z.scale(v[dof + 2]);
                    al += w.cross(rate);
                    if ACCEL {
                        al += R.x.scale(vdot[dof]) + R.y.scale(vdot[dof + 1]) + R.z.scale(vdot[dof + 2]);
                    }
                    w += rate;
                    self.s_ang[dof] = R.x;
                    self.s_ang[dof + 1] = R.y;
                    self.s_ang[dof + 2] = R.z;
                }
                Motion::Fixed { slot } => R = R.mul_const_mat(&c.fixed[slot as usize]),
                Motion::Function { slot, coord, dof } => {
                    let (coord, dof) = (coord as usize, dof as usize);
                    let (x, rate, acc) = (q[coord], v[dof], if ACCEL { vdot[dof] } else { S::ZERO });
                    let curve = &c.curves[slot as usize];
                    let mut s_lin = Vec3::ZERO;
                    for (axis, function) in &curve.slides {
                        let e = R.mul_const(*axis);
                        let [f0, f1, f2] = function.eval(x);
                        r += e.scale(f0);
                        s_lin += e.scale(f1);
                        slide_acc += e.scale(f2 * rate * rate);
                    }
                    slide_rate += s_lin.scale(rate);
                    slide_acc += s_lin.scale(acc);
                    let mut s_ang = Vec3::ZERO;
                    for (axis, function) in &curve.turns {
                        let [f0, f1, f2] = function.eval(x);
                        let (sine, cosine) = f0.sin_cos();
                        let s = turn_about(&mut R, *axis, sine, cosine);
                        let turn_rate = s.scale(f1 * rate);
                        al += w.cross(turn_rate) + s.scale(f2 * rate * rate + f1 * acc);
                        w += turn_rate;
                        s_ang += s.scale(f1);
                    }
                    self.s_ang[dof] = s_ang;
                    self.s_lin[dof] = s_lin;
                }
            }
        }
        // Equation (2).
        let coriolis = w_P.cross(slide_rate);
        self.a[b] = self.a[P] + al_P.cross(r) + w_P.cross(w_P.cross(r)) + coriolis + coriolis + slide_acc;
        self.slide_rate[b] = slide_rate;
        self.R[b] = R;
        self.r[b] = r;
        self.w[b] = w;
        self.al[b] = al;
    }

    /// How the free direction of a function joint changes with its coordinate while its parent stays: angular part, and linear part at the kernel origin.
    pub(crate) fn curve_slope<C: Constant<S>>(&self, skeleton: &Skeleton, c: &Constants<C>, body: usize, q: &[S]) -> (Vec3<S>, Vec3<S>) {
        let mut R = self.R[skeleton.parent[body] as usize];
        let (mut ang, mut lin) = (Vec3::ZERO, Vec3::ZERO);
        for &motion in skeleton.motions_of(body) {
            match motion {
                Motion::Fixed { slot } => R = R.mul_const_mat(&c.fixed[slot as usize]),
                Motion::Function { slot, coord, .. } => {
                    let (x, curve) = (q[coord as usize], &c.curves[slot as usize]);
                    for (axis, function) in &curve.slides {
                        lin += R.mul_const(*axis).scale(function.eval(x)[2]);
                    }
                    let mut before = Vec3::ZERO;
                    for (axis, function) in &curve.turns {
                        let [f0, f1, f2] = function.eval(x);
                        let (sine, cosine) = f0.sin_cos();
                        let s = turn_about(&mut R, *axis, sine, cosine);
                        // Each axis is turned by the turns before it.
                        ang += s.scale(f2) + before.cross(s.scale(f1));
                        before += s.scale(f1);
                    }
                }
                _ => {}
            }
        }
        (ang, lin)
    }

    /// Positions and velocities of kernel origins, after `fill`.
    pub fn fill_points(&mut self, skeleton: &Skeleton) {
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let r = self.r[b];
            self.p[b] = self.p[P] + r;
            self.v[b] = self.v[P] + self.w[P].cross(r) + self.slide_rate[b];
        }
    }

    /// Generalised forces of moments about kernel origins and forces on bodies: the sum of power over each free direction.
    /// `moment` and `force` are used up.
    pub fn project(&self, skeleton: &Skeleton, moment: &mut [Vec3<S>], force: &mut [Vec3<S>], tau: &mut [S]) {
        for b in (1..skeleton.parent.len()).rev() {
            let (n, f) = (moment[b], force[b]);
            for dof in skeleton.dofs_of(b) {
                tau[dof] = self.s_ang[dof].dot(n) + self.s_lin[dof].dot(f);
            }
            let P = skeleton.parent[b] as usize;
            force[P] += f;
            moment[P] += n + self.r[b].cross(f);
        }
    }
}

/// World direction of an axis.
#[inline(always)]
fn direction<S: Real, C: Constant<S>>(R: &Mat3<S>, axis: Axis, general: Vec3<C>) -> Vec3<S> {
    match axis {
        Axis::X => R.x,
        Axis::Y => R.y,
        Axis::Z => R.z,
        Axis::General => R.mul_const(general),
    }
}

/// Turns the frame about an axis fixed in it (a general one is entry `dof` of `general`); returns the axis in world axes.
#[inline(always)]
fn turn<S: Real, C: Constant<S>>(R: &mut Mat3<S>, axis: Axis, general: &[Vec3<C>], dof: usize, s: S, c: S) -> Vec3<S> {
    match axis {
        Axis::X => {
            (R.y, R.z) = (R.y.scale(c) + R.z.scale(s), R.z.scale(c) - R.y.scale(s));
            R.x
        }
        Axis::Y => {
            (R.z, R.x) = (R.z.scale(c) + R.x.scale(s), R.x.scale(c) - R.z.scale(s));
            R.y
        }
        Axis::Z => {
            (R.x, R.y) = (R.x.scale(c) + R.y.scale(s), R.y.scale(c) - R.x.scale(s));
            R.z
        }
        Axis::General => turn_about(R, general[dof], s, c),
    }
}

/// Turns the frame about any axis fixed in it; returns the axis in world axes.
#[inline(always)]
fn turn_about<S: Real, C: Constant<S>>(R: &mut Mat3<S>, axis: Vec3<C>, s: S, c: S) -> Vec3<S> {
    let a = Vec3::lift(axis);
    let world = *R * a;
    *R = *R * rotation_from_axis(a, s, c);
    world
}
