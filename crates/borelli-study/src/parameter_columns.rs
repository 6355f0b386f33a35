//! Columns and formulas over them as functions of the parameters, over any scalar: plain numbers, or duals for exact slopes.
//! Not here: which columns there are (`instant_columns`), columns of a run (`columns`, `channels`), who seeds the parameters.
//! In: values of all parameters, a state, what is asked for. Out: the channels that are asked for. Nothing is allocated after the first look.
//!
//! The system gives names and topology only; its numbers are filled anew from the parameters, so that one compiled model serves all values. Accelerations are those of
//! `articulated`. Columns of a pressure mat and work since the start have no slopes, and are not to be had here; cells of a mat are fitted with
//! slopes of their own (`fit::maps`).

use crate::channels::{Channels, TIME};
use crate::column_visitor::{Filler, Instant, Listed, Needs};
use crate::columns::look_around;
use crate::instant_columns::{self, Scope};
use crate::run::Along;
use borelli_dynamics::System;
use borelli_dynamics::constraint::Rows;
use borelli_dynamics::contact::Resultant;
use borelli_dynamics::force::LoadReading;
use borelli_dynamics::formulation::articulated::{Parts, Sloped};
use borelli_dynamics::formulation::{Evaluation, Failure, Input};
use borelli_dynamics::scene::{Inside, Scene};
use borelli_dynamics::system::Numbers;
use borelli_math::function::Formula;
use borelli_math::{Constant, Dual};

/// Directions that one look over duals has slopes along.
pub(crate) const N: usize = 6;

/// A scalar that formulas can be worth: a plain number or a dual.
pub(crate) trait Worth: Constant<Self> {
    /// The formula's worth, for the worth of each channel.
    fn of(formula: &Formula, channels: &[Self]) -> Self;
}

impl Worth for f64 {
    fn of(formula: &Formula, channels: &[f64]) -> f64 {
        formula.eval(channels)
    }
}

impl<const N: usize> Worth for Dual<N> {
    fn of(formula: &Formula, channels: &[Dual<N>]) -> Dual<N> {
        let mut worth = Dual { re: f64::NAN, eps: [0.0; N] };
        for k in 0..N {
            [worth.re, worth.eps[k]] = formula.eval_with(|channel| [channels[channel].re, channels[channel].eps[k]]);
        }
        worth
    }
}

/// A state over a scalar.
#[derive(Clone, Copy)]
pub(crate) struct StateOver<'a, S> {
    pub t: f64,
    pub q: &'a [S],
    pub v: &'a [S],
    /// States of force elements; empty: as the model starts.
    pub z: &'a [S],
    /// Accelerations, if they are given; what is missing in the balance of forces is then supplied by efforts.
    pub vdot: Option<&'a [S]>,
}

/// A formula that is a channel of its own.
struct DerivedOver {
    channel: usize,
    formula: Formula,
    asked: bool,
}

/// Channels over a scalar.
pub(crate) struct ParameterColumns<'s, S> {
    scope: Scope<'s>,
    listed: Listed,
    derived: Vec<DerivedOver>,
    numbers: Numbers<S>,
    forward: Sloped<S>,
    report: Sloped<S>,
    inverse: Sloped<S>,
    evaluation: Evaluation<S>,
    rows: Rows<S>,
    loads: Vec<LoadReading<S>>,
    resultants: Vec<Resultant<S>>,
    released: Vec<bool>,
    tau: Vec<S>,
    effort: Vec<S>,
    /// By channel; only those that are asked for have a meaning.
    values: Vec<S>,
    /// Memory for a sample of a motion: coordinates, velocities, accelerations.
    sample: [Vec<S>; 3],
}

impl<'s, S: Worth> ParameterColumns<'s, S> {
    /// The channels of a run, none of them asked for, at the values that the system has.
    pub(crate) fn new(system: &'s System, channels: &Channels) -> Self {
        let scope = Scope { system, audited: false, root: None };
        let mut listed = Listed::default();
        instant_columns::visit::<S>(scope, &mut listed);
        let derived = channels.derived().map(|(channel, formula)| DerivedOver { channel, formula: formula.clone(), asked: false });
        let mut columns = ParameterColumns {
            scope,
            listed,
            derived: derived.collect(),
            numbers: Numbers::empty(&system.skeleton),
            forward: Sloped::new(system),
            report: Sloped::new(system),
            inverse: Sloped::new(system),
            evaluation: Evaluation::new(system),
            rows: Rows::new(system.names.rows.len(), system.numbers.constraints.entries()),
            loads: Vec::with_capacity(system.numbers.forces.load.len()),
            resultants: Vec::with_capacity(system.names.contacts.len()),
            released: vec![false; system.names.rows.len()],
            tau: vec![S::ZERO; system.skeleton.dofs()],
            effort: vec![S::ZERO; system.skeleton.dofs()],
            values: vec![S::from_f64(f64::NAN); channels.list().len() + 1],
            sample: [(); 3].map(|()| Vec::new()),
        };
        let values: Vec<S> = system.parameters.iter().map(|parameter| S::from_f64(parameter.value)).collect();
        columns.set_parameters(&values);
        columns
    }

    /// Asks for a channel and those it is derived from; false where it has no slopes: mats, work, tables beside the motion.
    pub(crate) fn ask(&mut self, channel: usize) -> bool {
        if channel == TIME {
            return true;
        }
        if channel <= self.listed.list.len() {
            self.listed.ask(channel - 1);
            return !(self.listed.needs.has(Needs::MATS) || self.listed.needs.has(Needs::WORK));
        }
        let Some(k) = self.derived.iter().position(|derived| derived.channel == channel) else { return false };
        if std::mem::replace(&mut self.derived[k].asked, true) {
            return true;
        }
        let variables = self.derived[k].formula.variables().to_vec();
        variables.into_iter().all(|variable| self.ask(variable))
    }

    /// Whether a channel has slopes. Unlike `ask` it changes nothing.
    pub(crate) fn is_sloped(&self, channel: usize) -> bool {
        if channel == TIME {
            return true;
        }
        if channel <= self.listed.list.len() {
            let needs = self.listed.needs_of(channel - 1);
            return !(needs.has(Needs::MATS) || needs.has(Needs::WORK));
        }
        let own = self.derived.iter().find(|derived| derived.channel == channel);
        own.is_some_and(|derived| derived.formula.variables().iter().all(|variable| self.is_sloped(*variable)))
    }

    /// All parameters, by slot.
    pub(crate) fn set_parameters(&mut self, values: &[S]) {
        let system = self.scope.system;
        system.parts.fill(&system.skeleton, values, &mut self.numbers);
    }

    /// Forgets where searches for contacts and paths ended, so that what is found next does not depend on what was looked at before.
    pub(crate) fn forget(&mut self) {
        for sloped in [&mut self.forward, &mut self.report, &mut self.inverse] {
            sloped.forget();
        }
    }

    /// The channels that are asked for, at a sample of a motion that no parameter changes.
    pub(crate) fn look_along(&mut self, along: &Along, sample: usize) -> Result<&[S], Failure> {
        let mut own = std::mem::take(&mut self.sample);
        for (own, values) in own.iter_mut().zip(along.at(sample)) {
            own.clear();
            own.extend(values.iter().map(|value| S::from_f64(*value)));
        }
        let vdot = (!own[2].is_empty()).then_some(&own[2][..]);
        let found = self.look(StateOver { t: along.times[sample], q: &own[0], v: &own[1], z: &[], vdot }).map(|_| ());
        self.sample = own;
        found.map(|()| &self.values[..])
    }

    /// The channels that are asked for, at a state.
    pub(crate) fn look(&mut self, state: StateOver<S>) -> Result<&[S], Failure> {
        self.find(state)?;
        let ParameterColumns {
            scope, listed, derived, numbers, report, evaluation, rows, loads, resultants, released, effort, values, ..
        } = self;
        let now = Instant {
            system: scope.system,
            numbers,
            q: state.q,
            v: state.v,
            z: if state.z.is_empty() { &numbers.states } else { state.z },
            evaluation,
            frames: report.frames(),
            effort,
            rows,
            released,
            loads,
            mats: &[],
            resultants,
            work: &[],
            energy_at_start: 0.0,
            soft_energy: 0.0,
        };
        let own = listed.list.len();
        values[TIME] = S::from_f64(state.t);
        instant_columns::visit(*scope, &mut Filler::new(listed, &now, &mut values[1..=own]));
        for derived in derived.iter().filter(|derived| derived.asked) {
            values[derived.channel] = S::of(&derived.formula, values);
        }
        Ok(values)
    }

    /// Finds what the columns that are asked for need.
    fn find(&mut self, state: StateOver<S>) -> Result<(), Failure> {
        let (system, needs, numbers, out) = (self.scope.system, self.listed.needs, &self.numbers, &mut self.evaluation);
        let StateOver { q, v, .. } = state;
        let (t, inside) = (S::from_f64(state.t), Inside { z: state.z, u: &[] });
        let input = Input { t, q, v, inside, tau: &self.tau };
        match state.vdot {
            Some(vdot) => {
                out.vdot.copy_from_slice(vdot);
                out.row_force.fill(S::ZERO);
            }
            None if needs.has(Needs::ACCELERATIONS) => {
                self.forward.accelerate(system, numbers, input, out);
                self.forward.found(system)?;
            }
            None => {}
        }
        if needs.has(Needs::POSES) {
            let parts =
                Parts { loads: needs.has(Needs::LOADS), momenta: needs.has(Needs::MOMENTA), reactions: needs.has(Needs::REACTIONS) };
            self.report.report(system, numbers, input, parts, out);
            if parts.loads {
                self.report.found(system)?;
            }
        }
        if needs.has(Needs::EFFORTS) {
            self.inverse.inverse(system, numbers, input, &out.vdot, &mut self.effort);
            self.inverse.found(system)?;
        }
        let scene = Scene { skeleton: &system.skeleton, numbers, frames: self.report.frames(), q, v, vdot: &[], t, inside };
        look_around(needs, &scene, &out.touching, &mut self.rows, &mut self.loads, &mut self.resultants);
        Ok(())
    }
}

/// Of some parameters those by which residuals of guides and loops change along a motion.
pub(crate) fn changing_rows(system: &System, slots: &[usize], motions: &[Along], channels: &Channels) -> Vec<usize> {
    let mut columns = ParameterColumns::<Dual<N>>::new(system, channels);
    let is_row = |name: &str| (name.starts_with("guide.") || name.starts_with("loop.")) && name.contains(".drift");
    let rows: Vec<usize> = (1..=channels.list().len()).filter(|k| is_row(&channels.list()[k - 1].name)).collect();
    rows.iter().for_each(|row| {
        columns.ask(*row);
    });
    let mut found = Vec::new();
    for chunk in slots.chunks(N) {
        let mut seeded: Vec<Dual<N>> = system.values().into_iter().map(|re| Dual { re, eps: [0.0; N] }).collect();
        chunk.iter().enumerate().for_each(|(k, slot)| seeded[*slot].eps[k] = 1.0);
        columns.set_parameters(&seeded);
        for (along, sample) in motions.iter().flat_map(|along| (0..along.times.len()).map(move |sample| (along, sample))) {
            let Ok(values) = columns.look_along(along, sample) else { continue };
            let moves = |k: &usize| rows.iter().any(|row| values[*row].eps[*k] != 0.0);
            found.extend((0..chunk.len()).filter(moves).map(|k| chunk[k]));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
