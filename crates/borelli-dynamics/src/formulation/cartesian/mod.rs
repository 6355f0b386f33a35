//! Absolute coordinates: Newton's and Euler's equations of every body, all joints held by multipliers.
//! Not here: kinematics of the given state (`frames`), forces, rows of loops and guides, which all formulations share.
//! In: a `System` and a state in joint coordinates. Out: an `Evaluation`, with reactions straight from the multipliers.
//!
//! Unknowns are, for each body b, the acceleration a of its mass centre and its angular acceleration α in world axes (in the plane two
//! and one), and a multiplier for each row of each joint, loop and guide:
//!
//!     m a = m g + f + Σ reactions            I_W α = n − ω × I_W ω + Σ reactions                          (1)
//!
//! f, n forces and moments about the mass centre, efforts of joints included. The joint coordinates only say where the bodies are;
//! nothing is projected on them. Cost: linear in bodies, plus a dense system for the rows of loops and guides.
//!
//! | file | what |
//! | --- | --- |
//! | `blocks` | arrays of 3 or 6 |
//! | `joint` | rows of a tree joint |
//!
//! Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, ch. 8 and 11. Tests: the oracle, peers, balance of
//! momentum and energy.

mod blocks;
mod joint;

#[cfg(test)]
mod tests;

use super::{Declined, Evaluation, Failure, Formulation, Input, check_input};
use crate::block_tree::{Border, Tree, mul};
use crate::constraint::RowControl;
use crate::joint_motion::{self, Shape};
use crate::sight::Sight;
use crate::system::System;
use blocks::{mass_block, pack, unpack};
use borelli_math::{Sym3, Vec3};
use joint::Site;
use nalgebra::{Matrix3, SymmetricEigen};

/// Radius of gyration below which a body counts as thin, m, and the same as part of its largest.
const THIN: f64 = 1e-3;

/// Makes the formulation for a system, with the planar or the spatial blocks. It takes every model.
pub fn build(system: &System) -> Result<Box<dyn Formulation + '_>, Declined> {
    Ok(if system.skeleton.planar { Box::new(Cartesian::<3>::new(system)) } else { Box::new(Cartesian::<6>::new(system)) })
}

/// The formulation with its memory; D unknowns per body: 3 in the plane, 6 in space.
pub struct Cartesian<'a, const D: usize> {
    system: &'a System,
    shapes: Vec<Shape>,
    /// Mass centre in the kernel frame, m.
    com_B: Vec<Vec3<f64>>,
    /// Inertia about the mass centre in kernel axes, kg m².
    I_Bc_B: Vec<Sym3<f64>>,
    sight: Sight<f64>,
    /// From each mass centre to the kernel origin, world axes, m.
    d: Vec<Vec3<f64>>,
    /// What the relative acceleration of the unknowns must be without v̇, linear and angular.
    site_lin: Vec<Vec3<f64>>,
    site_ang: Vec<Vec3<f64>>,
    /// Dual directions of degrees of freedom.
    dual_lin: Vec<Vec3<f64>>,
    dual_ang: Vec<Vec3<f64>>,
    /// Efforts on degrees of freedom, those of guides included.
    effort: Vec<f64>,
    tree: Tree<D>,
    border: Border<D>,
}

impl<'a, const D: usize> Cartesian<'a, D> {
    /// Memory for a system; D must be 3 for planar kernels and 6 for spatial ones.
    pub fn new(system: &'a System) -> Self {
        let (skeleton, c) = (&system.skeleton, &system.numbers.tree);
        let n = skeleton.parent.len();
        let shapes: Vec<Shape> = (0..n).map(|b| Shape::of(skeleton, b)).collect();
        let com_B: Vec<Vec3<f64>> = (0..n).map(|b| if c.mass[b] > 0.0 { c.mc_B[b].scale(1.0 / c.mass[b]) } else { Vec3::ZERO }).collect();
        let about_com = |b: usize| {
            let r = com_B[b];
            c.I_Bo_B[b] - (Sym3::diagonal(r.dot(r)) - Sym3::outer(r)).scale(c.mass[b])
        };
        let I_Bc_B: Vec<Sym3<f64>> = (0..n).map(about_com).collect();
        let rows = shapes.iter().map(|shape| shape.rows(D)).collect();
        let thin = (0..n).map(|b| is_thin::<D>(c.mass[b], &I_Bc_B[b])).collect();
        let count = system.names.rows.len();
        Cartesian {
            system,
            shapes,
            com_B,
            I_Bc_B,
            sight: Sight::new(system),
            d: vec![Vec3::ZERO; n],
            site_lin: vec![Vec3::ZERO; n],
            site_ang: vec![Vec3::ZERO; n],
            dual_lin: vec![Vec3::ZERO; skeleton.dofs()],
            dual_ang: vec![Vec3::ZERO; skeleton.dofs()],
            effort: vec![0.0; skeleton.dofs()],
            tree: Tree::new(&skeleton.parent, rows, thin),
            border: Border::new(count, n),
        }
    }

    /// Poses, velocities, applied loads, and rows of loops and guides.
    fn look(&mut self, input: &Input) {
        self.sight.look(self.system, input.t, input.q, input.v, &[]);
    }

    /// Mass blocks, wrenches and joint rows of all bodies; energies and momenta on the way.
    fn set_up(&mut self, input: &Input, out: &mut Evaluation) {
        let (skeleton, c) = (&self.system.skeleton, &self.system.numbers.tree);
        (out.kinetic_energy, out.gravity_energy, out.stored_energy) = (0.0, 0.0, self.sight.loads.stored);
        (out.momentum, out.angular_momentum) = (Vec3::ZERO, Vec3::ZERO);
        for b in 1..skeleton.parent.len() {
            let (mass, w, R) = (c.mass[b], self.sight.frames.w[b], &self.sight.frames.R[b]);
            let (inertia, d) = (Sym3::rotated(R, &self.I_Bc_B[b]), -R.mul_const(self.com_B[b]));
            let (force, spin) = (self.sight.loads.force[b], inertia * w);
            self.d[b] = d;
            self.tree.mass[b] = mass_block(mass, &inertia);
            self.tree.wrench[b] = pack(c.gravity.scale(mass) + force, self.sight.loads.moment[b] + d.cross(force) - w.cross(spin));

            let (p, v) = (self.sight.frames.p[b] - d, self.sight.frames.v[b] - w.cross(d));
            let momentum = v.scale(mass);
            out.kinetic_energy += 0.5 * (momentum.dot(v) + spin.dot(w));
            out.gravity_energy -= mass * c.gravity.dot(p);
            out.momentum += momentum;
            out.angular_momentum += p.cross(momentum) + spin;
        }
        for dof in 0..self.effort.len() {
            self.effort[dof] = input.tau[dof] + self.sight.loads.tau[dof];
        }
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let (w, w_P) = (self.sight.frames.w[b], self.sight.frames.w[P]);
            let (d, d_P) = (self.d[b], self.offset_from_parent(b));
            let (linear, angular) = joint_motion::bias(&self.shapes[b], b, P, &self.sight.frames, c, input.q, input.v);
            let linear = linear - w.cross(w.cross(d)) + w_P.cross(w_P.cross(d_P));
            (self.site_lin[b], self.site_ang[b]) = (linear, angular);
            joint_motion::duals(&self.shapes[b], &self.sight.frames, &mut self.dual_lin, &mut self.dual_ang);
            let rows = joint::rows::<D>(&self.shapes[b], &Site { d, d_P, linear, angular }, &self.sight.frames);
            (self.tree.child[b], self.tree.on_parent[b], self.tree.gamma[b]) = (rows.child, rows.parent, rows.gamma);

            let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
            for dof in skeleton.dofs_of(b) {
                force += self.dual_lin[dof].scale(self.effort[dof]);
                moment += self.dual_ang[dof].scale(self.effort[dof]);
            }
            let (on_child, on_parent): ([f64; D], [f64; D]) =
                (pack(force, moment + d.cross(force)), pack(force, moment + d_P.cross(force)));
            for k in 0..D {
                self.tree.wrench[b][k] += on_child[k];
                self.tree.wrench[P][k] -= on_parent[k];
            }
        }
    }

    /// From the parent's mass centre to the child's joint origin, m.
    #[inline(always)]
    fn offset_from_parent(&self, b: usize) -> Vec3<f64> {
        self.sight.frames.r[b] + self.d[self.system.skeleton.parent[b] as usize]
    }

    /// Wrenches of loops and guides about mass centres, and what their Φ̈ has beyond the product with accelerations.
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
                let (force, moment, d, w) =
                    (self.sight.rows.force[i][side], self.sight.rows.moment[i][side], self.d[b], self.sight.frames.w[b]);
                self.border.add(i, b, &pack(force, moment + d.cross(force)));
                let known = w.cross(w.cross(d)) - (self.sight.frames.a[b] - self.sight.frames.a[0]);
                rest += force.dot(known) - moment.dot(self.sight.frames.al[b]);
            }
            self.border.multiplier[i] += rest;
        }
        for k in 0..self.sight.rows.on_dofs.len() {
            let (row, dof, coefficient) = self.sight.rows.on_dofs[k];
            let (row, dof) = (row as usize, dof as usize);
            let b = self.system.skeleton.dof_body[dof] as usize;
            let (force, moment) = (self.dual_lin[dof].scale(coefficient), self.dual_ang[dof].scale(coefficient));
            self.border.add(row, b, &pack(force, moment + self.d[b].cross(force)));
            let P = self.system.skeleton.parent[b] as usize;
            if P > 0 {
                self.border.add(row, P, &pack(-force, -(moment + self.offset_from_parent(b).cross(force))));
            }
            self.border.multiplier[row] -= force.dot(self.site_lin[b]) + moment.dot(self.site_ang[b]);
        }
    }

    /// Accelerations of coordinates and reactions from those of bodies and multipliers. The first joint with a number not finite, if any.
    fn read_off(&mut self, out: &mut Evaluation) -> Result<(), usize> {
        let skeleton = &self.system.skeleton;
        for k in 0..self.sight.rows.on_dofs.len() {
            let (row, dof, coefficient) = self.sight.rows.on_dofs[k];
            self.effort[dof as usize] += coefficient * self.border.multiplier[row as usize];
        }
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let ((a, alpha), (a_P, alpha_P)) = (unpack(&self.tree.acceleration[b]), unpack(&self.tree.acceleration[P]));
            let linear = a + alpha.cross(self.d[b]) - a_P - alpha_P.cross(self.offset_from_parent(b)) - self.site_lin[b];
            let angular = alpha - alpha_P - self.site_ang[b];
            let mut sum = linear.dot(linear) + angular.dot(angular);
            for dof in skeleton.dofs_of(b) {
                out.vdot[dof] = self.dual_lin[dof].dot(linear) + self.dual_ang[dof].dot(angular);
                sum += out.vdot[dof];
            }
            let (mut force, mut moment) = unpack(&mul(&self.tree.child[b], &self.tree.lambda[b]));
            moment -= self.d[b].cross(force);
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

    /// Solves at the state that `look` saw.
    fn solve(&mut self, input: &Input, out: &mut Evaluation) -> Result<(), Failure> {
        self.set_up(input, out);
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

impl<const D: usize> Formulation for Cartesian<'_, D> {
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

/// True when the inertia about some axis through the mass centre is so small that the body's own block is almost singular.
fn is_thin<const D: usize>(mass: f64, inertia: &Sym3<f64>) -> bool {
    let limit = |largest: f64| THIN * THIN * mass.max(largest);
    if D == 3 {
        return inertia.zz < limit(0.0);
    }
    let [a, b, c] = [inertia.to_mat().x, inertia.to_mat().y, inertia.to_mat().z].map(Vec3::to_array);
    let moments = SymmetricEigen::new(Matrix3::from_columns(&[a.into(), b.into(), c.into()])).eigenvalues;
    moments.min() < limit(moments.max())
}
