//! Absolute coordinates: Newton's and Euler's equations of every body, all joints held by multipliers.
//! Not here: kinematics, forces, rows of loops and guides (`sight`), which all formulations share; solving with multipliers (`held_bodies`).
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
//! | `joint` | directions that a tree joint holds |
//!
//! Source: Nikravesh 1988, Computer-Aided Analysis of Mechanical Systems, ch. 8 and 11. Tests: the oracle, peers, balance of
//! momentum and energy.

mod blocks;
mod joint;

#[cfg(test)]
mod tests;

use super::{Declined, Evaluation, Failure, Formulation, Input, check_input, check_shape};
use crate::block_tree::BodyRows;
use crate::constraint::RowControl;
use crate::frames::Frames;
use crate::held_bodies::{HeldBodies, Joint, MomentBits, Unknowns};
use crate::system::{Constants, System};
use blocks::{mass_block, pack, unpack};
use borelli_math::{Sym3, Vec3};
use nalgebra::{Matrix3, SymmetricEigen};

/// Radius of gyration below which a body counts as thin, m, and the same as part of its largest.
const THIN: f64 = 1e-3;

/// Makes the formulation for a system, with the planar or the spatial blocks. It takes every model of rigid bodies.
pub fn build(system: &System) -> Result<Box<dyn Formulation>, Declined> {
    super::decline_soft(system)?;
    Ok(if system.skeleton.planar { Box::new(Cartesian::<3>::new(system)) } else { Box::new(Cartesian::<6>::new(system)) })
}

/// The formulation with its memory; D unknowns per body: 3 in the plane, 6 in space.
pub struct Cartesian<const D: usize> {
    bodies: Bodies,
    held: HeldBodies<D>,
}

/// Mass centres, whose accelerations are the unknowns, and inertia about them.
struct Bodies {
    /// Mass and moments that the rest was derived from.
    moments: Vec<MomentBits>,
    /// Mass centre in the kernel frame, m.
    com_B: Vec<Vec3<f64>>,
    /// Inertia about the mass centre in kernel axes, kg m².
    I_Bc_B: Vec<Sym3<f64>>,
    /// From each mass centre to the kernel origin, world axes, m.
    d: Vec<Vec3<f64>>,
}

impl<const D: usize> Cartesian<D> {
    /// Memory for a system; D must be 3 for planar kernels and 6 for spatial ones.
    pub fn new(system: &System) -> Self {
        let n = system.skeleton.parent.len();
        let zeros = vec![Vec3::ZERO; n];
        let bodies = Bodies { moments: vec![MomentBits::NONE; n], com_B: zeros.clone(), I_Bc_B: vec![Sym3::ZERO; n], d: zeros };
        let mut cartesian = Cartesian { bodies, held: HeldBodies::new::<Bodies>(system, vec![false; n]) };
        cartesian.measure(&system.numbers.tree);
        cartesian
    }

    /// Takes over mass and moments of bodies where they are others than before.
    #[inline]
    fn measure(&mut self, c: &Constants<f64>) {
        for b in 0..c.mass.len() {
            let bits = MomentBits::of(c, b);
            if self.bodies.moments[b] != bits {
                self.bodies.moments[b] = bits;
                self.fill_body(c, b);
            }
        }
    }

    #[cold]
    fn fill_body(&mut self, c: &Constants<f64>, b: usize) {
        let r = if c.mass[b] > 0.0 { c.mc_B[b].scale(1.0 / c.mass[b]) } else { Vec3::ZERO };
        let inertia = c.I_Bo_B[b] - (Sym3::diagonal(r.dot(r)) - Sym3::outer(r)).scale(c.mass[b]);
        (self.bodies.com_B[b], self.bodies.I_Bc_B[b]) = (r, inertia);
        self.held.tree.set_thin(b, is_thin::<D>(c.mass[b], &inertia));
    }

    /// Mass blocks and wrenches of all bodies at the state looked at; energies and momenta on the way.
    fn set_up_bodies(&mut self, system: &System, out: &mut Evaluation) {
        let c = &system.numbers.tree;
        let (bodies, frames, loads) = (&mut self.bodies, &self.held.sight.frames, &self.held.sight.loads);
        out.begin(loads);
        for b in 1..bodies.d.len() {
            let (mass, w, R) = (c.mass[b], frames.w[b], &frames.R[b]);
            let (inertia, d) = (Sym3::rotated(R, &bodies.I_Bc_B[b]), -R.mul_const(bodies.com_B[b]));
            let (force, spin) = (loads.force[b], inertia * w);
            bodies.d[b] = d;
            self.held.tree.mass[b] = mass_block(mass, &inertia);
            self.held.tree.wrench[b] = pack(c.gravity.scale(mass) + force, loads.moment[b] + d.cross(force) - w.cross(spin));

            let (p, v) = (frames.p[b] - d, frames.v[b] - w.cross(d));
            let momentum = v.scale(mass);
            out.kinetic_energy += 0.5 * (momentum.dot(v) + spin.dot(w));
            out.gravity_energy -= mass * c.gravity.dot(p);
            out.momentum += momentum;
            out.angular_momentum += p.cross(momentum) + spin;
        }
    }
}

impl<const D: usize> Unknowns<D> for Bodies {
    const OWN_ROWS: usize = 0;

    #[inline(always)]
    fn own_rows(&self, _: usize) -> BodyRows<D> {
        BodyRows::NONE
    }

    #[inline(always)]
    fn push_joint_rows(&self, joint: &Joint, frames: &Frames<f64>, rows: &mut BodyRows<D>) {
        joint::across::<D>(joint.shape, frames, |linear, angular| joint.push(self, rows, linear, angular));
    }

    #[inline(always)]
    fn on_load(&self, body: usize, offset: Vec3<f64>, force: Vec3<f64>, moment: Vec3<f64>) -> [f64; D] {
        pack(force, moment + (offset + self.d[body]).cross(force))
    }

    #[inline(always)]
    fn read(&self, body: usize, offset: Vec3<f64>, acceleration: &[f64; D]) -> (Vec3<f64>, Vec3<f64>) {
        let (a, alpha) = unpack(acceleration);
        (a + alpha.cross(offset + self.d[body]), alpha)
    }

    /// ω × (ω × r) from the mass centre.
    #[inline(always)]
    fn velocity_part(&self, body: usize, offset: Vec3<f64>, w: Vec3<f64>) -> Vec3<f64> {
        w.cross(w.cross(offset + self.d[body]))
    }

    #[inline(always)]
    fn wrench(&self, body: usize, on_unknowns: &[f64; D]) -> (Vec3<f64>, Vec3<f64>) {
        let (force, moment) = unpack(on_unknowns);
        (force, moment - self.d[body].cross(force))
    }
}

impl<const D: usize> Formulation for Cartesian<D> {
    fn evaluate(&mut self, system: &System, input: Input, out: &mut Evaluation) -> Result<(), Failure> {
        check_shape(&self.held.skeleton, system)?;
        check_input(system, &input)?;
        self.measure(&system.numbers.tree);
        self.held.look(system, &input);
        self.set_up_bodies(system, out);
        let solved = self.held.solve(system, &self.bodies, &input, out);
        solved.map_err(|body| Failure::of_joint(system, body, self.held.sight.loads.unfound()))
    }

    fn set_row_control(&mut self, control: &RowControl) {
        self.held.sight.set_control(control);
    }
}

/// True when the inertia about some axis through the mass centre is so small that the body's own block is almost singular.
fn is_thin<const D: usize>(mass: f64, inertia: &Sym3<f64>) -> bool {
    let limit = |largest: f64| THIN * THIN * mass.max(largest);
    if !(inertia.to_mat().x + inertia.to_mat().y + inertia.to_mat().z).norm().is_finite() {
        return false;
    }
    if D == 3 {
        return inertia.zz < limit(0.0);
    }
    let [a, b, c] = [inertia.to_mat().x, inertia.to_mat().y, inertia.to_mat().z].map(Vec3::to_array);
    let moments = SymmetricEigen::new(Matrix3::from_columns(&[a.into(), b.into(), c.into()])).eigenvalues;
    moments.min() < limit(moments.max())
}
