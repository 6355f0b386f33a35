//! Rigid bodies of a planar tree as carriers of soft parts: poses, how they follow the coordinates, and how a wrench on them turns with them.
//! Not here: what the soft parts do.
//! In: coordinates and velocities. Out: poses (x, y, angle) of body frames, J = ∂pose/∂q, Σ w ∂²pose/∂q∂q.
//!
//! A degree of freedom with turn ω and slide s at the joint o moves a point p of a body it carries by
//!
//!     ∂p/∂q = s + ω e₃ × (p − o)                                                                  (1)
//!
//! and turns the effect of every degree of freedom after it, so that for i before j (or i = j, but for function joints)
//!
//!     ∂²p/∂q_i∂q_j = ω_i e₃ × ∂p/∂q_j                                                             (2)
//!
//! A function joint changes its own directions: ∂²p/∂q² = s' + ω' e₃ × (p − o) + ω e₃ × (ω e₃ × (p − o)), and the angle's is ω'.

use crate::frames::Frames;
use crate::system::{DofClass, System};
use borelli_math::{Vec3, vec3};
use borelli_soft::problem::Pose;

/// Carriers of soft parts, the world first.
pub(crate) struct Carriers {
    /// Body of each carrier.
    bodies: Vec<usize>,
    /// Degrees of freedom that move each carrier, from the root outwards.
    moving: Vec<Vec<usize>>,
    frames: Frames<f64>,
    poses: Vec<Pose>,
    /// Three rows per carrier but the world, each as long as there are degrees of freedom.
    jacobian: Vec<f64>,
    dofs: usize,
}

impl Carriers {
    /// Memory for carriers on these bodies; the first must be the world.
    pub(crate) fn new(system: &System, bodies: &[u32]) -> Self {
        let skeleton = &system.skeleton;
        let moving = |body: &u32| {
            let (mut list, mut at) = (Vec::new(), *body as usize);
            while at != 0 {
                list.extend(skeleton.dofs_of(at).rev());
                at = skeleton.parent[at] as usize;
            }
            list.reverse();
            list
        };
        Carriers {
            bodies: bodies.iter().map(|body| *body as usize).collect(),
            moving: bodies.iter().map(moving).collect(),
            frames: Frames::new(skeleton),
            poses: vec![[0.0; 3]; bodies.len()],
            jacobian: vec![0.0; 3 * (bodies.len() - 1) * skeleton.dofs()],
            dofs: skeleton.dofs(),
        }
    }

    /// Entries of a wrench on all carriers.
    pub(crate) fn entries(&self) -> usize {
        3 * (self.bodies.len() - 1)
    }

    /// Bodies of the carriers, the world first.
    pub(crate) fn bodies(&self) -> &[usize] {
        &self.bodies
    }

    /// Kinematics at a state; everything else here is about the last one.
    pub(crate) fn fill(&mut self, system: &System, q: &[f64], v: &[f64]) {
        let (skeleton, tree) = (&system.skeleton, &system.numbers.tree);
        self.frames.fill::<f64, false>(skeleton, tree, q, v, &[]);
        self.frames.fill_points(skeleton);
        self.jacobian.fill(0.0);
        for k in 1..self.bodies.len() {
            let b = self.bodies[k];
            let p = self.origin(system, k);
            let x = self.frames.R[b] * (tree.R_KB[b] * vec3(1.0, 0.0, 0.0));
            self.poses[k] = [p.x, p.y, x.y.atan2(x.x)];
            for &dof in &self.moving[k] {
                let [dx, dy, turn] = self.effect(system, dof, p);
                for (row, value) in [dx, dy, turn].into_iter().enumerate() {
                    self.jacobian[(3 * (k - 1) + row) * self.dofs + dof] = value;
                }
            }
        }
    }

    /// Origin of a carrier's frame.
    fn origin(&self, system: &System, carrier: usize) -> Vec3<f64> {
        let b = self.bodies[carrier];
        self.frames.p[b] + self.frames.R[b] * system.numbers.tree.p_KB[b]
    }

    /// From the kernel origin of a carrier's body to the origin of its frame.
    pub(crate) fn arm(&self, system: &System, carrier: usize) -> Vec3<f64> {
        self.origin(system, carrier) - self.frames.p[self.bodies[carrier]]
    }

    /// J, three rows per carrier but the world.
    pub(crate) fn jacobian(&self) -> &[f64] {
        &self.jacobian
    }

    /// Equation (1), and the turn.
    fn effect(&self, system: &System, dof: usize, p: Vec3<f64>) -> [f64; 3] {
        let o = self.frames.p[system.skeleton.dof_body[dof] as usize];
        let (turn, slide) = (self.frames.s_ang[dof].z, self.frames.s_lin[dof]);
        [slide.x - turn * (p.y - o.y), slide.y + turn * (p.x - o.x), turn]
    }

    /// Poses, the world's first.
    pub(crate) fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// Adds Jᵀ w.
    pub(crate) fn add_force(&self, wrench: &[f64], force: &mut [f64]) {
        for (row, w) in self.jacobian.chunks_exact(self.dofs.max(1)).zip(wrench) {
            for (f, j) in force.iter_mut().zip(row) {
                *f += j * w;
            }
        }
    }

    /// J Δq.
    pub(crate) fn changes(&self, step: &[f64], changes: &mut [f64]) {
        changes.fill(0.0);
        for (row, change) in self.jacobian.chunks_exact(self.dofs.max(1)).zip(changes) {
            *change = row.iter().zip(step).map(|(j, s)| j * s).sum();
        }
    }

    /// Adds Jᵀ C J + Σ w ∂²pose/∂q∂q to a matrix whose rows are `stride` long. C is row by row.
    pub(crate) fn add_stiffness(&self, system: &System, stiffness: &[f64], wrench: &[f64], q: &[f64], matrix: &mut [f64], stride: usize) {
        let (n, rows) = (self.dofs, self.entries());
        for a in 0..rows {
            for b in 0..rows {
                let c = stiffness[a * rows + b];
                if c == 0.0 {
                    continue;
                }
                for i in 0..n {
                    let left = self.jacobian[a * n + i] * c;
                    if left != 0.0 {
                        for j in 0..n {
                            matrix[i * stride + j] += left * self.jacobian[b * n + j];
                        }
                    }
                }
            }
        }
        for k in 1..self.bodies.len() {
            let [fx, fy, moment] = [0, 1, 2].map(|row| wrench[3 * (k - 1) + row]);
            let p = self.origin(system, k);
            for (at, &j) in self.moving[k].iter().enumerate() {
                let [dx, dy, _] = self.effect(system, j, p);
                for &i in &self.moving[k][..at] {
                    let bend = self.frames.s_ang[i].z * (dx * fy - dy * fx);
                    matrix[i * stride + j] += bend;
                    matrix[j * stride + i] += bend;
                }
                matrix[j * stride + j] += match system.skeleton.class[j] {
                    DofClass::Screw => {
                        let (body, tree) = (system.skeleton.dof_body[j] as usize, &system.numbers.tree);
                        let (turn, slide) = self.frames.curve_slope(&system.skeleton, tree, body, q);
                        let (r, w) = (p - self.frames.p[body], self.frames.s_ang[j].z);
                        let x = slide.x - turn.z * r.y - w * w * r.x;
                        let y = slide.y + turn.z * r.x - w * w * r.y;
                        x * fx + y * fy + turn.z * moment
                    }
                    DofClass::Turn | DofClass::Slide => self.frames.s_ang[j].z * (dx * fy - dy * fx),
                };
            }
        }
    }

    /// Velocity of a point that moves with a carrier.
    pub(crate) fn velocity(&self, carrier: usize, point: [f64; 2]) -> [f64; 2] {
        let (b, frames) = (self.bodies[carrier], &self.frames);
        let (v, w, r) = (frames.v[b], frames.w[b].z, [point[0] - frames.p[b].x, point[1] - frames.p[b].y]);
        [v.x - w * r[1], v.y + w * r[0]]
    }

    /// Acceleration of a point that moves with a carrier, for accelerations of the coordinates.
    pub(crate) fn acceleration(&self, system: &System, carrier: usize, point: [f64; 2], vdot: &[f64]) -> [f64; 2] {
        let (b, frames) = (self.bodies[carrier], &self.frames);
        if b == 0 {
            return [0.0; 2];
        }
        let (o, w, al) = (frames.p[b], frames.w[b].z, frames.al[b].z);
        let r = [point[0] - o.x, point[1] - o.y];
        let a = frames.a[b] - frames.a[0];
        let mut sum = [a.x - al * r[1] - w * w * r[0], a.y + al * r[0] - w * w * r[1]];
        for &dof in &self.moving[carrier] {
            let [x, y, _] = self.effect(system, dof, vec3(point[0], point[1], 0.0));
            sum[0] += x * vdot[dof];
            sum[1] += y * vdot[dof];
        }
        sum
    }
}
