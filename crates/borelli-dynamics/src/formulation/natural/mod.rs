//! Natural coordinates: a point and unit vectors of every body, no angle among them, with a constant mass matrix.
//! Not here: kinematics of the given state (`frames`), forces, rows of loops and guides, which all formulations share.
//! In: a `System` and a state in joint coordinates. Out: an `Evaluation`, with reactions straight from the multipliers.
//!
//! A body's coordinates q_b are its joint origin r and three orthonormal vectors x_k fixed in it (in the plane one; its second follows).
//! Any of its points is r + Σ c_k x_k with constant c, so that
//!
//!     M q̈ − Φ_qᵀ λ = Q        Φ_q q̈ = γ                                                               (1)
//!
//! has a constant M and no inertial force of velocity on the right: all of that is in γ. Φ holds the rigidity of each body, its joint,
//! and loops and guides. Cost: linear in bodies, plus a dense system for the rows of loops and guides.
//!
//! M alone would let bodies change their shape, and is singular where the mass of a body lies in a plane. So the elimination adds every
//! body's rows to its block (`block_tree`): near singular loops this was worth a factor of 30 in accelerations.
//!
//! | file | what |
//! | --- | --- |
//! | `basics` | point and vectors of a body: loads, moments, mass matrix |
//! | `rows` | rows of rigidity and of joints |
//!
//! Source: García de Jalón & Bayo 1994, Kinematic and Dynamic Simulation of Multibody Systems, ch. 2 and 4. Tests: the oracle, peers,
//! closed forms; the mass matrix at random states.

mod basics;
mod rows;

#[cfg(test)]
mod tests;

use super::{Declined, Evaluation, Failure, Formulation, Input, check_input};
use crate::block_tree::{Border, Tree};
use crate::constraint::RowControl;
use crate::joint_motion::{self, Shape};
use crate::sight::Sight;
use crate::system::System;
use basics::{Basics, Moments};
use borelli_math::Vec3;
use rows::{Tie, rigid};

/// Makes the formulation for a system, with the planar or the spatial blocks. It takes every model.
pub fn build(system: &System) -> Result<Box<dyn Formulation + '_>, Declined> {
    Ok(if system.skeleton.planar { Box::new(Natural::<4>::new(system)) } else { Box::new(Natural::<12>::new(system)) })
}

/// The formulation with its memory; D coordinates per body: 4 in the plane, 12 in space.
pub struct Natural<'a, const D: usize> {
    system: &'a System,
    shapes: Vec<Shape>,
    /// Rows of each body's joint.
    ties: Vec<Vec<Tie>>,
    /// Mass, first and second moments of each body; the whole of its mass matrix.
    moments: Vec<Moments>,
    sight: Sight<f64>,
    basics: Vec<Basics>,
    /// Velocity part of the relative acceleration in each joint, linear and angular.
    beta: Vec<[Vec3<f64>; 2]>,
    /// Dual directions of degrees of freedom.
    dual_lin: Vec<Vec3<f64>>,
    dual_ang: Vec<Vec3<f64>>,
    /// Efforts on degrees of freedom, those of guides included.
    effort: Vec<f64>,
    tree: Tree<D>,
    border: Border<D>,
}

impl<'a, const D: usize> Natural<'a, D> {
    /// Memory for a system; D must be 4 for planar kernels and 12 for spatial ones.
    pub fn new(system: &'a System) -> Self {
        let (skeleton, c) = (&system.skeleton, &system.numbers.tree);
        let n = skeleton.parent.len();
        let shapes: Vec<Shape> = (0..n).map(|b| Shape::of(skeleton, b)).collect();
        let mut sight = Sight::new(system);
        sight.frames.fill::<f64, false>(skeleton, c, &system.start.q, &vec![0.0; skeleton.dofs()], &[]);
        let ties: Vec<Vec<Tie>> = (0..n).map(|b| rows::ties::<D>(skeleton, b, &sight.frames)).collect();
        let moments: Vec<Moments> = (0..n).map(|b| Moments::new(D == 4, c.mass[b], c.mc_B[b], &c.I_Bo_B[b])).collect();
        let dimension = if D == 4 { 3 } else { 6 };
        let row_counts = shapes.iter().map(|shape| rigid::<D>() + shape.rows(dimension)).collect();
        let count = system.names.rows.len();
        Natural {
            system,
            shapes,
            ties,
            moments,
            sight,
            basics: vec![Basics::WORLD; n],
            beta: vec![[Vec3::ZERO; 2]; n],
            dual_lin: vec![Vec3::ZERO; skeleton.dofs()],
            dual_ang: vec![Vec3::ZERO; skeleton.dofs()],
            effort: vec![0.0; skeleton.dofs()],
            tree: Tree::new(&skeleton.parent, row_counts, vec![true; n]),
            border: Border::new(count, n),
        }
    }

    /// The coordinates at the last state, with their names: `BODY.point.x`, and `BODY.vector1.x` of a unit vector. There are no others.
    pub fn coordinates(&self) -> Vec<(String, f64)> {
        let kinds: &[(&str, &str)] = if D == 4 {
            &[("point", "xy"), ("vector1", "xy")]
        } else {
            &[("point", "xyz"), ("vector1", "xyz"), ("vector2", "xyz"), ("vector3", "xyz")]
        };
        let mut list = Vec::new();
        for (name, basics) in self.system.names.bodies.iter().zip(&self.basics).skip(1) {
            for ((kind, axes), value) in kinds.iter().zip([basics.r, basics.x.x, basics.x.y, basics.x.z]) {
                list.extend(axes.chars().zip(value.to_array()).map(|(axis, x)| (format!("{name}.{kind}.{axis}"), x)));
            }
        }
        list
    }

    /// Natural coordinates and their rates, applied loads, and rows of loops and guides.
    fn look(&mut self, input: &Input) {
        self.sight.look(self.system, input.t, input.q, input.v, &[]);
        for b in 1..self.basics.len() {
            self.basics[b] = Basics::new(self.sight.frames.p[b], self.sight.frames.R[b], self.sight.frames.v[b], self.sight.frames.w[b]);
        }
    }

    /// Mass matrices and forces of all bodies; energies and momenta on the way.
    fn set_up_bodies(&mut self, out: &mut Evaluation) {
        let gravity = self.system.numbers.tree.gravity;
        (out.kinetic_energy, out.gravity_energy, out.stored_energy) = (0.0, 0.0, self.sight.loads.stored);
        (out.momentum, out.angular_momentum) = (Vec3::ZERO, Vec3::ZERO);
        for b in 1..self.basics.len() {
            let (moments, basics) = (&self.moments[b], &self.basics[b]);
            self.tree.mass[b] = moments.matrix();
            let mut force = basics.on_load(Vec3::ZERO, self.sight.loads.force[b], self.sight.loads.moment[b]);
            // Weight is the first column of the mass matrix, times gravity: on the point, and on each vector by the first moment.
            let weight: [f64; D] = Basics::on_vector(moments.first, gravity);
            let on_point: [f64; D] = Basics::on_point(Vec3::ZERO, gravity.scale(moments.mass));
            for k in 0..D {
                force[k] += weight[k] + on_point[k];
            }
            self.tree.wrench[b] = force;

            let (energy, momentum, angular_momentum) = moments.motion(basics);
            out.kinetic_energy += energy;
            out.gravity_energy -= gravity.dot(basics.r.scale(moments.mass) + basics.x * moments.first);
            out.momentum += momentum;
            out.angular_momentum += angular_momentum;
        }
    }

    /// Rows of rigidity and joints, and efforts of joints as forces on the coordinates.
    fn set_up_joints(&mut self, input: &Input) {
        let (skeleton, c) = (&self.system.skeleton, &self.system.numbers.tree);
        for dof in 0..self.effort.len() {
            self.effort[dof] = input.tau[dof] + self.sight.loads.tau[dof];
        }
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let (basics, parent, shape, r) = (&self.basics[b], &self.basics[P], &self.shapes[b], self.sight.frames.r[b]);
            let (linear, angular) = joint_motion::bias(shape, b, P, &self.sight.frames, c, input.q, input.v);
            self.beta[b] = [linear, angular];
            joint_motion::duals(shape, &self.sight.frames, &mut self.dual_lin, &mut self.dual_ang);

            let mut rows = rows::Rows::<D>::new(basics);
            for tie in &self.ties[b] {
                rows.tie(tie, basics, parent, c.p_PF_P[b]);
            }
            if joint_motion::is_screw(shape) {
                rows.screw(shape.first, &self.sight.frames, [basics, parent], r, self.beta[b]);
            }
            (self.tree.child[b], self.tree.on_parent[b], self.tree.gamma[b]) = (rows.child, rows.parent, rows.gamma);

            let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
            for dof in skeleton.dofs_of(b) {
                force += self.dual_lin[dof].scale(self.effort[dof]);
                moment += self.dual_ang[dof].scale(self.effort[dof]);
            }
            let (on_child, on_parent): ([f64; D], [f64; D]) = (basics.on_load(Vec3::ZERO, force, moment), parent.on_load(r, force, moment));
            for k in 0..D {
                self.tree.wrench[b][k] += on_child[k];
                self.tree.wrench[P][k] -= on_parent[k];
            }
        }
    }

    /// Rows of loops and guides on the coordinates, and what their Φ̈ has beyond the product with accelerations.
    ///
    /// `Rows::acceleration` is Φ̈ for the accelerations that `frames` holds, those with v̇ = 0; the product with them is taken off.
    fn set_up_border(&mut self) {
        self.border.clear();
        for i in 0..self.border.len() {
            let mut rest = self.sight.rows.acceleration[i];
            for side in 0..2 {
                let b = self.sight.rows.body[i][side] as usize;
                if b == 0 {
                    continue;
                }
                let (force, moment) = (self.sight.rows.force[i][side], self.sight.rows.moment[i][side]);
                self.border.add(i, b, &self.basics[b].on_load(Vec3::ZERO, force, moment));
                rest -= force.dot(self.sight.frames.a[b] - self.sight.frames.a[0]) + moment.dot(self.sight.frames.al[b]);
            }
            self.border.multiplier[i] += rest;
        }
        for k in 0..self.sight.rows.on_dofs.len() {
            let (row, dof, coefficient) = self.sight.rows.on_dofs[k];
            let (row, dof) = (row as usize, dof as usize);
            let b = self.system.skeleton.dof_body[dof] as usize;
            let (force, moment) = (self.dual_lin[dof].scale(coefficient), self.dual_ang[dof].scale(coefficient));
            self.border.add(row, b, &self.basics[b].on_load(Vec3::ZERO, force, moment));
            let P = self.system.skeleton.parent[b] as usize;
            if P > 0 {
                self.border.add(row, P, &self.basics[P].on_load(self.sight.frames.r[b], -force, -moment));
            }
            self.border.multiplier[row] -= force.dot(self.beta[b][0]) + moment.dot(self.beta[b][1]);
        }
    }

    /// Accelerations in joint coordinates and reactions from those of the natural coordinates and multipliers. The first joint with a
    /// number not finite, if any.
    fn read_off(&mut self, out: &mut Evaluation) -> Result<(), usize> {
        let skeleton = &self.system.skeleton;
        for k in 0..self.sight.rows.on_dofs.len() {
            let (row, dof, coefficient) = self.sight.rows.on_dofs[k];
            self.effort[dof as usize] += coefficient * self.border.multiplier[row as usize];
        }
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let (a, alpha) = self.basics[b].read(Vec3::ZERO, &self.tree.acceleration[b]);
            let (a_P, alpha_P) = self.basics[P].read(self.sight.frames.r[b], &self.tree.acceleration[P]);
            let (linear, angular) = (a - a_P - self.beta[b][0], alpha - alpha_P - self.beta[b][1]);
            let mut sum = linear.dot(linear) + angular.dot(angular);
            for dof in skeleton.dofs_of(b) {
                out.vdot[dof] = self.dual_lin[dof].dot(linear) + self.dual_ang[dof].dot(angular);
                sum += out.vdot[dof];
            }
            let (mut force, mut moment) = self.basics[b].wrench(&self.joint_force(b));
            if joint_motion::is_screw(&self.shapes[b]) {
                // The effort was applied along the dual direction; reports count it as a pure moment or force.
                let dof = skeleton.dof_start[b] as usize;
                let (pure_force, pure_moment) = joint_motion::effort_of_screw(&self.shapes[b], &self.sight.frames);
                force += (self.dual_lin[dof] - pure_force).scale(self.effort[dof]);
                moment += (self.dual_ang[dof] - pure_moment).scale(self.effort[dof]);
            }
            (out.reaction_force[b], out.reaction_moment[b]) = (force, moment);
            if !sum.is_finite() {
                return Err(b);
            }
        }
        Ok(())
    }

    /// What the rows of a body's joint, those of rigidity left out, exert on its coordinates.
    #[inline(always)]
    fn joint_force(&self, b: usize) -> [f64; D] {
        let mut force = [0.0; D];
        for (entry, row) in force.iter_mut().zip(&self.tree.child[b]) {
            for i in rigid::<D>()..D {
                *entry += row[i] * self.tree.lambda[b][i];
            }
        }
        force
    }

    /// Solves at the state that `look` saw.
    fn solve(&mut self, input: &Input, out: &mut Evaluation) -> Result<(), Failure> {
        self.set_up_bodies(out);
        self.set_up_joints(input);
        self.tree.eliminate().map_err(|body| self.failure(body))?;
        if self.border.len() > 0 {
            self.set_up_border();
            self.border.solve(&mut self.tree).map_err(|row| self.failure(self.sight.rows.seat(&self.system.skeleton, row)))?;
        }
        self.tree.substitute();
        self.read_off(out).map_err(|body| self.failure(body))
    }

    /// The failure of a body's joint.
    fn failure(&self, body: usize) -> Failure {
        Failure::NotFinite { joint: self.system.names.joints[body].clone() }
    }
}

impl<const D: usize> Formulation for Natural<'_, D> {
    fn evaluate(&mut self, input: Input, out: &mut Evaluation) -> Result<(), Failure> {
        check_input(self.system, &input)?;
        self.look(&input);
        self.solve(&input, out)?;
        out.row_force.copy_from_slice(&self.border.multiplier);
        out.path_length.copy_from_slice(&self.sight.loads.path_length);
        out.path_tension.copy_from_slice(&self.sight.loads.path_tension);
        Ok(())
    }

    fn set_row_control(&mut self, control: &RowControl) {
        self.sight.rows.set_control(control);
    }
}
