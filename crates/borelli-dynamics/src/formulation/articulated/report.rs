//! What an evaluation reports beside accelerations: reactions, energies, momenta, paths.
//! Not here: how accelerations are found.
//! In: accelerations and multipliers of the evaluation. Out: the rest of it.

use super::super::{Evaluation, Failure, Input, check_input, check_shape};
use super::{Articulated, Work, Wrenches};
use crate::frames::Frames;
use crate::scene::Scene;
use crate::system::{DofClass, Numbers, Skeleton, System};
use borelli_math::{Constant, Real, Sym3, Vec3};

/// Parts of a report that are asked for. Poses and velocities of bodies (`Articulated::frames`) come with all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// What force elements and contacts do: paths, rates of states, outputs, pairs of surfaces, energy stored.
    pub loads: bool,
    /// Kinetic energy, that of gravity, momenta.
    pub momenta: bool,
    /// Reactions of joints, which need accelerations and row forces; loads come with them.
    pub reactions: bool,
}

impl Parts {
    /// Everything.
    pub const ALL: Parts = Parts { loads: true, momenta: true, reactions: true };
}

impl Articulated {
    /// The parts that are asked for, of everything beside accelerations and row forces, which `out` holds already: those of a prescribed motion, or of a scheme
    /// that found its own. What is missing in the balance of forces is taken to be supplied by efforts along the coordinates. What is asked for has the same
    /// bits whatever else is; the rest of `out` keeps what it held. A pair of surfaces whose contact cannot be found is a failure, and so is a path that has no place.
    pub fn report(&mut self, system: &System, input: Input, parts: Parts, out: &mut Evaluation) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        check_input(system, &input)?;
        self.fill_report(system, input, parts, out);
        match self.work.loads.unfound().filter(|_| parts.loads || parts.reactions) {
            Some(unfound) => Err(Failure::of_joint(system, 0, Some(unfound))),
            None => Ok(()),
        }
    }

    /// Poses and velocities of bodies in the last report.
    pub fn frames(&self) -> &Frames<f64> {
        &self.work.frames
    }

    /// Fills parts of everything but accelerations and row forces.
    pub(super) fn fill_report(&mut self, system: &System, input: Input, parts: Parts, out: &mut Evaluation) {
        fill(&mut self.work, &mut self.wrench, &mut self.residual, &system.skeleton, &system.numbers, input, parts, out);
    }
}

/// Fills parts of everything but accelerations and row forces, over any scalar.
pub(super) fn fill<S: Constant<S>>(
    work: &mut Work<S>,
    wrench: &mut Wrenches<S>,
    residual: &mut [S],
    skeleton: &Skeleton,
    numbers: &Numbers<S>,
    input: Input<S>,
    parts: Parts,
    out: &mut Evaluation<S>,
) {
    let Input { t, q, v, inside, .. } = input;
    work.loads.inner.reporting = true;
    if parts.reactions {
        work.residual::<S, true>(skeleton, numbers, t, q, v, inside, &out.vdot, &out.row_force, wrench, residual);
        fill_reactions(skeleton, &work.frames, wrench, out);
    } else {
        work.frames.fill::<S, false>(skeleton, &numbers.tree, q, v, &[]);
        work.frames.fill_points(skeleton);
        if parts.loads {
            work.loads.clear();
            if work.loaded {
                // Forces of elements do not depend on accelerations.
                let scene = Scene { skeleton, numbers, frames: &work.frames, q, v, vdot: &[], t, inside };
                numbers.apply_loads(&scene, &mut work.loads);
            }
        }
    }
    if parts.loads || parts.reactions {
        out.take_loads(&work.loads);
    }
    if parts.momenta {
        fill_momenta(skeleton, numbers, &work.frames, out);
    }
}

/// Reactions: the joint wrench without its part along the free directions, which is the joint's effort.
fn fill_reactions<S: Real>(skeleton: &Skeleton, frames: &Frames<S>, wrench: &Wrenches<S>, out: &mut Evaluation<S>) {
    for b in 1..skeleton.parent.len() {
        let (n, f) = (wrench.moment[b], wrench.force[b]);
        let dofs = skeleton.dofs_of(b);
        let (mut reaction_n, mut reaction_f) = (n, f);
        if dofs.clone().any(|d| skeleton.class[d] == DofClass::Screw) {
            let (s, e) = (frames.s_ang[dofs.start], frames.s_lin[dofs.start]);
            let effort = s.dot(n) + e.dot(f);
            if s.dot(s).value() > 1e-24 {
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
}

/// Energies and momenta about kernel origins: p = m v + ω × mc, L = I ω + mc × v.
fn fill_momenta<S: Constant<S>>(skeleton: &Skeleton, numbers: &Numbers<S>, frames: &Frames<S>, out: &mut Evaluation<S>) {
    let tree = &numbers.tree;
    out.clear_momenta();
    for b in 1..skeleton.parent.len() {
        let (R, p, w, v) = (&frames.R[b], frames.p[b], frames.w[b], frames.v[b]);
        let mc = *R * tree.mc_B[b];
        let momentum = v.scale(tree.mass[b]) + w.cross(mc);
        let spin = Sym3::rotated(R, &tree.I_Bo_B[b]) * w + mc.cross(v);
        out.kinetic_energy += (v.dot(momentum) + w.dot(spin)) * 0.5;
        out.gravity_energy -= tree.gravity.dot(p.scale(tree.mass[b]) + mc);
        out.momentum += momentum;
        out.angular_momentum += spin + p.cross(momentum);
    }
}

/// The part of `x` at right angles to all directions (at most three), by Gram and Schmidt.
fn without_span<S: Real>(x: Vec3<S>, directions: impl Iterator<Item = Vec3<S>>) -> Vec3<S> {
    let mut basis = [Vec3::ZERO; 3];
    let mut rank = 0;
    let mut rest = x;
    for direction in directions {
        let mut e = direction;
        for b in &basis[..rank] {
            e -= b.scale(b.dot(e));
        }
        let length = e.norm();
        if length.value() < 1e-9 {
            continue;
        }
        let e = e.scale(length.recip());
        rest -= e.scale(e.dot(rest));
        basis[rank] = e;
        rank += 1;
    }
    // Three directions leave nothing; say so exactly rather than up to rounding.
    if rank == 3 { Vec3::ZERO } else { rest }
}
