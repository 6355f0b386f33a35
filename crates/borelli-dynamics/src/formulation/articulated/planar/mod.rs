//! The planar articulated-body kernel: absolute angles, one sine and cosine per body, six inertia numbers.
//! Not here: forces and constraints; they see the three-dimensional `Frames` that `expand` writes.
//! In: q, v, loads, generalised forces. Out: accelerations; joint wrenches. Equations: those of `spatial`, in the X-Y plane,
//! where a moment is one number and a cross product with a vector turns it by a right angle.

mod algebra;
mod body;
mod joint;

use crate::constraint::Rows;
use crate::frames::Frames;
use crate::scene::Loads;
use crate::system::{Axis, Constants, Motion, Skeleton};
use algebra::{Sym2, Vec2};
use body::{BodyState, DofState};
use borelli_math::{Constant, Mat3, Real, vec3};
use joint::move_joint;

/// A body's joint as the loops see it. The two that make up nearly all planar models have a short way of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// One turn.
    Hinge,
    /// Displacements along X and Y of the parent, and a turn.
    Floating,
    /// Anything.
    General,
}

/// A body's joint: its parent, and the first of its coordinates and degrees of freedom.
#[derive(Clone, Copy, Debug)]
struct Step {
    parent: u32,
    coord: u32,
    dof: u32,
    way: Way,
}

/// Kinematics, inertias and factors of a planar tree. Index 0 of body arrays is the world.
#[derive(Clone, Debug)]
pub struct Planar<S> {
    steps: Vec<Step>,
    bodies: Vec<BodyState<S>>,
    dofs: Vec<DofState<S>>,
    /// True when some joint is a function of its coordinate.
    curved: bool,
    /// True when `al` belongs to the present kinematics; else all angular accelerations are zero.
    turning: bool,
}

impl<S: Real> Planar<S> {
    /// Memory for a skeleton.
    pub fn new(skeleton: &Skeleton) -> Self {
        let body = BodyState {
            angle: S::ZERO,
            cs: Vec2 { x: S::ONE, y: S::ZERO },
            r: Vec2::ZERO,
            slide_rate: Vec2::ZERO,
            w: S::ZERO,
            al: S::ZERO,
            a: Vec2::ZERO,
            J: S::ZERO,
            h: Vec2::ZERO,
            M: Sym2::ZERO,
            n: S::ZERO,
            f: Vec2::ZERO,
            d_al: S::ZERO,
            d_a: Vec2::ZERO,
            k: Vec2::ZERO,
            inv_D: S::ZERO,
            u: S::ZERO,
            inv_M: Sym2::ZERO,
            a_free: Vec2::ZERO,
        };
        let dof = DofState { s_ang: S::ONE, s_lin: Vec2::ZERO, U_n: S::ZERO, U_f: Vec2::ZERO, inv_D: S::ZERO, u: S::ZERO };
        let step = |b: usize| {
            let way = match skeleton.motions_of(b) {
                [Motion::Turn { .. }] => Way::Hinge,
                [Motion::Slide { axis: Axis::X, .. }, Motion::Slide { axis: Axis::Y, .. }, Motion::Turn { .. }] => Way::Floating,
                _ => Way::General,
            };
            Step { parent: skeleton.parent[b], coord: skeleton.coord_start[b], dof: skeleton.dof_start[b], way }
        };
        Planar {
            steps: (0..skeleton.parent.len()).map(step).collect(),
            bodies: vec![body; skeleton.parent.len()],
            dofs: vec![dof; skeleton.dofs()],
            curved: skeleton.motions.iter().any(|m| matches!(m, Motion::Function { .. })),
            turning: false,
        }
    }

    /// Kinematics with v̇ = 0, inertias of single bodies and the wrenches that these accelerations need.
    #[inline(never)]
    pub fn fill<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>, q: &[S], v: &[S]) {
        if self.curved {
            self.fill_general::<C, false, true>(skeleton, c, q, v, &[]);
        } else {
            self.fill_general::<C, false, false>(skeleton, c, q, v, &[]);
        }
    }

    /// Kinematics with given accelerations and the wrenches that they need.
    #[inline(never)]
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
        let count = self.steps.len();
        let (steps, bodies, constants) = (&self.steps[..count], &mut self.bodies[..count], &c.planar[..count]);
        bodies[0].a = Vec2 { x: -c.gravity.x.lift(), y: -c.gravity.y.lift() };
        for b in 1..count {
            let step = steps[b];
            let parent = &bodies[step.parent as usize];
            let Vec2 { x: cos_P, y: sin_P } = parent.cs;
            let (w_P, al_P, a_P) = (parent.w, parent.al, parent.a);
            let (mut angle, mut w) = (parent.angle, w_P);
            let mut al = if TURNING { al_P } else { S::ZERO };
            let mut r = Vec2::rotate(cos_P, sin_P, constants[b].p_PF);
            let mut slide = None;
            if step.way == Way::Hinge {
                let dof = step.dof as usize;
                angle += q[step.coord as usize];
                w += v[dof];
                if ACCEL {
                    al += vdot[dof];
                }
            } else if step.way == Way::Floating {
                let (coord, dof) = (step.coord as usize, step.dof as usize);
                let (q, v, e_x, e_y) = (&q[coord..coord + 3], &v[dof..dof + 3], parent.cs, parent.cs.turned());
                r = r.add(e_x.scale(q[0])).add(e_y.scale(q[1]));
                angle += q[2];
                w += v[2];
                let mut slide_acc = Vec2::ZERO;
                if ACCEL {
                    slide_acc = e_x.scale(vdot[dof]).add(e_y.scale(vdot[dof + 1]));
                    al += vdot[dof + 2];
                }
                slide = Some((e_x.scale(v[0]).add(e_y.scale(v[1])), slide_acc));
                self.dofs[dof].s_lin = e_x;
                self.dofs[dof + 1].s_lin = e_y;
            } else {
                let joint = move_joint::<S, C, ACCEL>(skeleton.motions_of(b), c, parent.cs, q, v, vdot, &mut self.dofs);
                r = r.add(joint.slide);
                angle += joint.angle;
                w += joint.w;
                al += joint.al;
                slide = Some((joint.slide_rate, joint.slide_acc));
            }
            let ww = w_P * w_P;
            let mut a = Vec2 { x: a_P.x - ww * r.x, y: a_P.y - ww * r.y };
            if TURNING {
                a = a.add(r.turned().scale(al_P));
            }
            let body = &mut bodies[b];
            if let Some((slide_rate, slide_acc)) = slide {
                a = a.add(slide_rate.turned().scale(w_P + w_P)).add(slide_acc);
                body.slide_rate = slide_rate;
            }
            let (sine, cosine) = angle.sin_cos();
            let cs = Vec2 { x: cosine, y: sine };
            body.angle = angle;
            body.cs = cs;
            body.r = r;
            body.w = w;
            if TURNING {
                body.al = al;
            }
            body.a = a;

            // The wrench that this acceleration needs, about the kernel origin; with v̇ open also the body's inertia.
            let constants = &constants[b];
            let mc = Vec2::rotate(cs.x, cs.y, constants.mc);
            let h = mc.turned();
            let ww = centripetal(w * w);
            let mut n = h.dot(a);
            let mut f = Vec2 { x: constants.mass.times(a.x) - ww * mc.x, y: constants.mass.times(a.y) - ww * mc.y };
            if TURNING {
                n += constants.inertia.times(al);
                f = f.add(h.scale(al));
            }
            body.n = n;
            body.f = f;
            if !ACCEL {
                let mass = constants.mass.lift();
                body.J = constants.inertia.lift();
                body.h = h;
                body.M = Sym2 { xx: mass, xy: S::ZERO, yy: mass };
            }
        }
    }

    /// Takes external loads off the bias wrenches.
    pub fn add_loads(&mut self, loads: &Loads<S>) {
        for ((body, moment), force) in self.bodies.iter_mut().zip(&loads.moment).zip(&loads.force) {
            body.n -= moment.z;
            body.f.x -= force.x;
            body.f.y -= force.y;
        }
    }

    /// Accelerations for generalised forces: articulated inertias and bias wrenches from the tips to the root, then back.
    #[inline(never)]
    pub fn factor_and_solve(&mut self, skeleton: &Skeleton, tau: &[S], vdot: &mut [S]) {
        self.reduce::<true>(skeleton, (1..self.steps.len()).rev(), tau);
        self.propagate(skeleton, vdot);
    }

    /// Applies the inverse of the mass matrix; needs `factor_and_solve` before.
    #[inline(never)]
    pub fn apply_inverse_mass(&mut self, skeleton: &Skeleton, tau: &[S], vdot: &mut [S]) {
        for body in &mut self.bodies {
            body.n = S::ZERO;
            body.f = Vec2::ZERO;
        }
        self.reduce::<false>(skeleton, (1..self.steps.len()).rev(), tau);
        self.propagate(skeleton, vdot);
    }

    /// Carries the wrench of a row's unit multiplier along its way to the ground, with its coefficients on coordinates in `tau`; needs
    /// `factor_and_solve` before.
    #[inline(never)]
    pub fn carry_row(&mut self, skeleton: &Skeleton, way: &[u32], rows: &Rows<S>, i: usize, tau: &[S]) {
        for b in way {
            let body = &mut self.bodies[*b as usize];
            (body.n, body.f) = (S::ZERO, Vec2::ZERO);
        }
        for side in 0..2 {
            let body = &mut self.bodies[rows.body[i][side] as usize];
            let (moment, force) = (rows.moment[i][side], rows.force[i][side]);
            body.n -= moment.z;
            body.f = Vec2 { x: body.f.x - force.x, y: body.f.y - force.y };
        }
        self.reduce::<false>(skeleton, way.iter().map(|b| *b as usize), tau);
    }

    /// What the wrench carried last met at a body's joint, and how it moves the joint alone: their product is the power of the one on the other.
    #[inline(always)]
    pub fn read_half(&self, skeleton: &Skeleton, b: usize, p: &mut [S], u: &mut [S]) {
        let (step, body) = (self.steps[b], &self.bodies[b]);
        match step.way {
            Way::Hinge => (p[0], u[0]) = (body.u * body.J, body.u),
            Way::Floating => {
                let force = body.M.without(body.h, body.k).mul(body.a_free);
                p.copy_from_slice(&[force.x, force.y, body.u * body.J]);
                u.copy_from_slice(&[body.a_free.x, body.a_free.y, body.u]);
            }
            Way::General => {
                for ((dof, p), u) in self.dofs[skeleton.dofs_of(b)].iter().zip(p).zip(u) {
                    (*p, *u) = (dof.u / dof.inv_D, dof.u);
                }
            }
        }
    }

    /// From the tips to the root in the given order: bias wrenches, and with `FACTOR` also articulated inertias. Both are used up.
    #[inline(always)]
    fn reduce<const FACTOR: bool>(&mut self, skeleton: &Skeleton, order: impl Iterator<Item = usize>, tau: &[S]) {
        let count = self.steps.len();
        let (steps, bodies) = (&self.steps[..count], &mut self.bodies[..count]);
        for b in order {
            let step = steps[b];
            let body = &mut bodies[b];
            let t = body.r.turned();
            if step.way != Way::Hinge {
                let seen = if step.way == Way::Floating {
                    body.reduce_floating::<FACTOR>(&self.dofs[step.dof as usize..], &tau[step.dof as usize..])
                } else {
                    let dofs = skeleton.dofs_of(b);
                    body.reduce_general::<FACTOR>(&mut self.dofs[dofs.clone()], &skeleton.class[dofs.clone()], &tau[dofs])
                };
                if step.parent != 0 {
                    bodies[step.parent as usize].carry::<FACTOR>(t, &seen);
                }
                continue;
            }
            // A hinge, in one piece: afterwards the body resists neither a moment nor through one. What the parent takes over is
            // written so that as little as possible waits for the division.
            let torque = tau[step.dof as usize];
            let free = torque - body.n;
            let (h, M) = (body.h, body.M);
            if FACTOR {
                let inv_D = body.J.recip();
                body.inv_D = inv_D;
                body.k = h.scale(inv_D);
            }
            let k = body.k;
            body.u = free * body.inv_D;
            let f = body.f.add(k.scale(free));
            if step.parent != 0 {
                let inv_D = body.inv_D;
                let parent = &mut bodies[step.parent as usize];
                parent.n += torque + t.dot(f);
                parent.f = parent.f.add(f);
                if FACTOR {
                    let (Mt, ht) = (M.mul(t), h.dot(t));
                    parent.J += t.dot(Mt) - ht * ht * inv_D;
                    parent.h = parent.h.add(Mt).add(k.scale(-ht));
                    parent.M.add(&M.without(h, k));
                }
            }
        }
    }

    /// From the root to the tips: accelerations beyond those of v̇ = 0.
    #[inline(always)]
    fn propagate(&mut self, skeleton: &Skeleton, vdot: &mut [S]) {
        let count = self.steps.len();
        let (steps, bodies) = (&self.steps[..count], &mut self.bodies[..count]);
        for b in 1..count {
            let step = steps[b];
            let parent = &bodies[step.parent as usize];
            let (mut al, a_P) = (parent.d_al, parent.d_a);
            let body = &mut bodies[b];
            let mut a = a_P.add(body.r.turned().scale(al));
            match step.way {
                Way::Hinge => {
                    let turned = body.u - body.k.dot(a);
                    vdot[step.dof as usize] = turned - al;
                    al = turned;
                }
                Way::Floating => {
                    let dof = step.dof as usize;
                    let slide = Vec2 { x: body.a_free.x - a.x, y: body.a_free.y - a.y };
                    a = body.a_free;
                    let turned = body.u - body.k.dot(a);
                    vdot[dof] = self.dofs[dof].s_lin.dot(slide);
                    vdot[dof + 1] = self.dofs[dof + 1].s_lin.dot(slide);
                    vdot[dof + 2] = turned - al;
                    al = turned;
                }
                Way::General => {
                    for index in skeleton.dofs_of(b) {
                        let dof = &self.dofs[index];
                        let (s, e) = dof.direction(skeleton.class[index]);
                        let x = dof.u - (dof.U_n * al + dof.U_f.dot(a)) * dof.inv_D;
                        vdot[index] = x;
                        al += s * x;
                        a = a.add(e.scale(x));
                    }
                }
            }
            body.d_al = al;
            body.d_a = a;
        }
    }

    /// Generalised forces for the accelerations of `fill_accelerated`, with loads given as three-dimensional wrenches.
    #[inline(never)]
    pub fn inverse(&mut self, skeleton: &Skeleton, loads: Option<&Loads<S>>, tau: &mut [S]) {
        if let Some(loads) = loads {
            self.add_loads(loads);
        }
        let count = self.steps.len();
        let (steps, bodies) = (&self.steps[..count], &mut self.bodies[..count]);
        for b in (1..count).rev() {
            let step = steps[b];
            let body = &bodies[b];
            let (n, f, t) = (body.n, body.f, body.r.turned());
            if step.way == Way::Hinge {
                tau[step.dof as usize] = n;
            } else {
                for index in skeleton.dofs_of(b) {
                    let (s, e) = self.dofs[index].direction(skeleton.class[index]);
                    tau[index] = s * n + e.dot(f);
                }
            }
            if step.parent != 0 {
                let parent = &mut bodies[step.parent as usize];
                parent.n += n + t.dot(f);
                parent.f = parent.f.add(f);
            }
        }
    }

    /// Writes the kinematics as three-dimensional frames for forces, constraints and reports.
    #[inline(never)]
    pub fn expand(&self, skeleton: &Skeleton, frames: &mut Frames<S>) {
        let flat = |v: Vec2<S>| vec3(v.x, v.y, S::ZERO);
        let up = |x: S| vec3(S::ZERO, S::ZERO, x);
        frames.a[0] = flat(self.bodies[0].a);
        for (b, body) in self.bodies.iter().enumerate().skip(1) {
            let Vec2 { x: c, y: s } = body.cs;
            frames.R[b] = Mat3 { x: vec3(c, s, S::ZERO), y: vec3(-s, c, S::ZERO), z: up(S::ONE) };
            frames.r[b] = flat(body.r);
            frames.slide_rate[b] = flat(body.slide_rate);
            frames.w[b] = up(body.w);
            frames.al[b] = up(if self.turning { body.al } else { S::ZERO });
            frames.a[b] = flat(body.a);
        }
        for (index, dof) in self.dofs.iter().enumerate() {
            let (s, e) = dof.direction(skeleton.class[index]);
            frames.s_ang[index] = up(s);
            frames.s_lin[index] = flat(e);
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
