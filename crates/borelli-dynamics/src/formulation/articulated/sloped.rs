//! Looks at a state over duals: what `Articulated` finds, with slopes by whatever numbers and state were seeded with.
//! Not here: who seeds them, and by what; rows that are not met.
//! In: numbers of a system and a state over a scalar. Out: accelerations, efforts, everything in an `Evaluation`, over the same scalar.
//!
//! The recursions are those of plain numbers, so that values have their bits up to the order of operations, and slopes are exact.

use super::report::fill;
use super::{Parts, Work, Wrenches, spatial};
use crate::evaluation::{Evaluation, Input};
use crate::formulation::Failure;
use crate::frames::Frames;
use crate::scene::Scene;
use crate::system::{Numbers, System};
use borelli_math::Constant;

/// Memory of looks over a scalar.
pub struct Sloped<S> {
    work: Work<S>,
    wrench: Wrenches<S>,
    residual: Vec<S>,
}

impl<S: Constant<S>> Sloped<S> {
    /// Memory for a system.
    pub fn new(system: &System) -> Self {
        let residual = vec![S::ZERO; system.skeleton.dofs()];
        Sloped { work: Work::new(system), wrench: Wrenches::new(&system.skeleton), residual }
    }

    /// Poses and velocities of bodies in the last look.
    pub fn frames(&self) -> &Frames<S> {
        &self.work.frames
    }

    /// Whether all contacts and paths of the last look were found.
    ///
    /// # Errors
    /// The one that was not.
    pub fn found(&self, system: &System) -> Result<(), Failure> {
        self.work.loads.unfound().map_or(Ok(()), |unfound| Err(Failure::of_joint(system, 0, Some(unfound))))
    }

    /// Forgets where searches for contacts and paths ended, so that what is found next does not depend on what was looked at before.
    pub fn forget(&mut self) {
        self.work.loads.forget();
    }

    /// Accelerations and forces of rows, into `out`.
    pub fn accelerate(&mut self, system: &System, numbers: &Numbers<S>, input: Input<S>, out: &mut Evaluation<S>) {
        let Input { t, q, v, inside, tau } = input;
        self.work.loads.inner.reporting = false;
        self.work.forward(&system.skeleton, numbers, t, q, v, inside, tau, &mut out.vdot);
        out.row_force.copy_from_slice(&self.work.lambda);
    }

    /// The parts that are asked for of everything beside accelerations and forces of rows, which `out` holds already.
    pub fn report(&mut self, system: &System, numbers: &Numbers<S>, input: Input<S>, parts: Parts, out: &mut Evaluation<S>) {
        fill(&mut self.work, &mut self.wrench, &mut self.residual, &system.skeleton, numbers, input, parts, out);
    }

    /// The generalised forces beside the model's own that give the tree these accelerations; loops and guides play no part.
    pub fn inverse(&mut self, system: &System, numbers: &Numbers<S>, input: Input<S>, vdot: &[S], effort: &mut [S]) {
        let (skeleton, work, wrench) = (&*system.skeleton, &mut self.work, &mut self.wrench);
        let Input { t, q, v, inside, .. } = input;
        work.frames.fill::<S, true>(skeleton, &numbers.tree, q, v, vdot);
        work.frames.fill_points(skeleton);
        work.loads.clear();
        if work.loaded {
            let scene = Scene { skeleton, numbers, frames: &work.frames, q, v, vdot, t, inside };
            numbers.apply_loads(&scene, &mut work.loads);
        }
        for b in 0..skeleton.parent.len() {
            wrench.moment[b] = -work.loads.moment[b];
            wrench.force[b] = -work.loads.force[b];
        }
        spatial::inverse(skeleton, &numbers.tree, &work.frames, &mut wrench.moment, &mut wrench.force, effort);
        effort.iter_mut().zip(&work.loads.tau).for_each(|(effort, own)| *effort -= *own);
    }
}
