//! What every formulation is asked and answers: a state with efforts, and everything found there.
//! Not here: who finds it, and how.
//! In: a `System`. Out: memory for one answer.

use crate::contact::Touching;
use crate::force::Lines;
use crate::scene::{Inside, Loads};
use crate::system::System;
use borelli_math::{Real, Vec3};

/// A state in joint coordinates, and what acts on it beside the model's own forces.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a, S = f64> {
    /// Time, s.
    pub t: S,
    /// Coordinates.
    pub q: &'a [S],
    /// Velocities.
    pub v: &'a [S],
    /// States and controls of elements.
    pub inside: Inside<'a, S>,
    /// Additional generalised forces.
    pub tau: &'a [S],
}

impl Default for Input<'_> {
    /// Of a system without coordinates; for the fields that a caller has nothing to say of.
    fn default() -> Self {
        Input { t: 0.0, q: &[], v: &[], inside: Inside::NONE, tau: &[] }
    }
}

/// Everything a formulation finds at one state. World axes. Over duals: with slopes.
#[derive(Clone, Debug)]
pub struct Evaluation<S = f64> {
    /// Accelerations: rates of v.
    pub vdot: Vec<S>,
    /// Force or moment of each row of loops and guides: of a loop on its body `b`, of a guide on what it guides.
    pub row_force: Vec<S>,
    /// Force of each body's joint on it (by body, world first), N. The joint's own effort is not included.
    pub reaction_force: Vec<Vec3<S>>,
    /// Moment of each body's joint on it about the child's joint frame origin, N m. The joint's own effort is not included.
    pub reaction_moment: Vec<Vec3<S>>,
    /// Kinetic energy, J.
    pub kinetic_energy: S,
    /// Potential energy of gravity, zero at the world origin, J.
    pub gravity_energy: S,
    /// Energy stored in springs, J.
    pub stored_energy: S,
    /// Linear momentum, kg m/s.
    pub momentum: Vec3<S>,
    /// Angular momentum about the world origin, kg m²/s.
    pub angular_momentum: Vec3<S>,
    /// Paths: lengths, rates, tensions, where they run.
    pub lines: Lines<S>,
    /// Rate of each state of an element.
    pub zdot: Vec<S>,
    /// What elements report, by output; controls stand behind.
    pub output: Vec<S>,
    /// What each pair of surfaces does.
    pub touching: Vec<Touching<S>>,
}

impl<S: Real> Evaluation<S> {
    /// Memory for a system.
    pub fn new(system: &System) -> Self {
        let bodies = system.skeleton.parent.len();
        Evaluation {
            vdot: vec![S::ZERO; system.skeleton.dofs()],
            row_force: vec![S::ZERO; system.names.rows.len()],
            reaction_force: vec![Vec3::ZERO; bodies],
            reaction_moment: vec![Vec3::ZERO; bodies],
            lines: Lines::new(&system.numbers.paths),
            kinetic_energy: S::ZERO,
            gravity_energy: S::ZERO,
            stored_energy: S::ZERO,
            momentum: Vec3::ZERO,
            angular_momentum: Vec3::ZERO,
            zdot: vec![S::ZERO; system.numbers.states.len()],
            output: vec![S::ZERO; system.names.outputs.len()],
            touching: vec![Touching::NONE; system.numbers.contacts.pairs.len()],
        }
    }

    /// Takes over what loads report, and sets energies and momenta to zero for bodies to add theirs.
    pub(crate) fn begin(&mut self, loads: &Loads<S>) {
        self.clear_momenta();
        self.take_loads(loads);
    }

    /// Sets the energies that bodies have, and their momenta, to zero.
    pub(crate) fn clear_momenta(&mut self) {
        (self.kinetic_energy, self.gravity_energy) = (S::ZERO, S::ZERO);
        (self.momentum, self.angular_momentum) = (Vec3::ZERO, Vec3::ZERO);
    }

    /// Takes over what loads report.
    pub(crate) fn take_loads(&mut self, loads: &Loads<S>) {
        self.stored_energy = loads.stored;
        self.lines.show(&loads.lines);
        self.zdot.copy_from_slice(&loads.inner.zdot);
        self.output.copy_from_slice(&loads.inner.output);
        self.touching.copy_from_slice(&loads.pairs.touching);
    }
}
