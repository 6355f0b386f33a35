//! What an evaluation reports beside accelerations: reactions, energies, momenta, paths.
//! Not here: how accelerations are found.
//! In: accelerations and multipliers of the evaluation. Out: the rest of it.

use super::super::{Evaluation, Failure, Input, check_input, check_shape};
use super::Articulated;
use crate::system::{DofClass, System};
use borelli_math::{Sym3, Vec3};

impl Articulated {
    /// Everything beside accelerations and row forces, which `out` holds already: those of a prescribed motion, or of a scheme that found its own.
    /// What is missing in the balance of forces is taken to be supplied by efforts along the coordinates.
    pub fn report(&mut self, system: &System, input: Input, out: &mut Evaluation) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        check_input(system, &input)?;
        self.fill_report(system, input, out);
        Ok(())
    }

    /// Fills everything but accelerations and row forces.
    pub(super) fn fill_report(&mut self, system: &System, input: Input, out: &mut Evaluation) {
        let System { skeleton, numbers, .. } = system;
        let Input { t, q, v, inside, .. } = input;
        let (wrench, residual) = (&mut self.wrench, &mut self.residual);
        self.work.residual::<f64, true>(skeleton, numbers, t, q, v, inside, &out.vdot, &out.row_force, wrench, residual);
        let (frames, tree) = (&self.work.frames, &numbers.tree);

        // Reactions: the joint wrench without its part along the free directions, which is the joint's effort.
        for b in 1..skeleton.parent.len() {
            let (n, f) = (wrench.moment[b], wrench.force[b]);
            let dofs = skeleton.dofs_of(b);
            let (mut reaction_n, mut reaction_f) = (n, f);
            if dofs.clone().any(|d| skeleton.class[d] == DofClass::Screw) {
                let (s, e) = (frames.s_ang[dofs.start], frames.s_lin[dofs.start]);
                let effort = s.dot(n) + e.dot(f);
                if s.dot(s) > 1e-24 {
                    reaction_n -= s.scale(effort / s.dot(s));
                } else {
                    reaction_f -= e.scale(effort / e.dot(e));
                }
            } else {
                reaction_n = without_span(n, dofs.clone().filter(|d| skeleton.class[*d] == DofClass::Turn).map(|d| frames.s_ang[d]));
                reaction_f = without_span(f, dofs.filter(|d| skeleton.class[*d] == DofClass::Slide).map(|d| frames.s_lin[d]));
            }
            out.reaction_moment[b] = reaction_n;
            out.reaction_force[b] = reaction_f;
        }

        // Energies and momenta about kernel origins: p = m v + ω × mc, L = I ω + mc × v.
        out.begin(&self.work.loads);
        for b in 1..skeleton.parent.len() {
            let (R, p, w, v) = (&frames.R[b], frames.p[b], frames.w[b], frames.v[b]);
            let mc = *R * tree.mc_B[b];
            let momentum = v.scale(tree.mass[b]) + w.cross(mc);
            let spin = Sym3::rotated(R, &tree.I_Bo_B[b]) * w + mc.cross(v);
            out.kinetic_energy += 0.5 * (v.dot(momentum) + w.dot(spin));
            out.gravity_energy -= tree.gravity.dot(p.scale(tree.mass[b]) + mc);
            out.momentum += momentum;
            out.angular_momentum += spin + p.cross(momentum);
        }
    }
}

/// The part of `x` at right angles to all directions (at most three), by Gram and Schmidt.
fn without_span(x: Vec3<f64>, directions: impl Iterator<Item = Vec3<f64>>) -> Vec3<f64> {
    let mut basis = [Vec3::ZERO; 3];
    let mut rank = 0;
    let mut rest = x;
    for direction in directions {
        let mut e = direction;
        for b in &basis[..rank] {
            e -= b.scale(b.dot(e));
        }
        let length = e.norm();
        if length < 1e-9 {
            continue;
        }
        let e = e.scale(1.0 / length);
        rest -= e.scale(e.dot(rest));
        basis[rank] = e;
        rank += 1;
    }
    // Three directions leave nothing; say so exactly rather than up to rounding.
    if rank == 3 { Vec3::ZERO } else { rest }
}
