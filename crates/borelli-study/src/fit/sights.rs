//! Memory of looks along a course: what is known of every trial at the values that the unknowns have there.
//! Not here: finding it (`look`, `made`).
//! In: sizes. Out: places for values and slopes. Nothing is allocated once every trial was looked at.
//!
//! What is known is stamped: other values of the unknowns take a new stamp, and what has an old one counts as unknown. So nothing is found twice at one
//! point, whoever asks for it first.

use super::mover::Stage;
use crate::parameter_columns::{N, ParameterColumns};
use crate::run::Along;
use borelli_dynamics::System;
use borelli_dynamics::constraint::Rows;
use borelli_dynamics::contact::{PairMemory, Resultant, resultant};
use borelli_dynamics::formulation::Evaluation;
use borelli_dynamics::frames::{BodyMotion, Frames};
use borelli_dynamics::system::Numbers;
use borelli_math::function::Lanes;
use borelli_math::{Constant, Dual};

/// Memory of looks along a course; each thread has its own.
pub(crate) struct Sights<'s> {
    /// Parameters of the trial at hand.
    pub(super) values: Vec<f64>,
    pub(super) duals: Vec<Dual<N>>,
    pub(super) plain: Bench<f64>,
    pub(super) sloped: Bench<Dual<N>>,
    pub(super) whole: Option<Box<(ParameterColumns<'s, f64>, ParameterColumns<'s, Dual<N>>)>>,
    /// The trial at hand.
    pub(super) track: usize,
    pub(super) trials: Vec<Seen>,
    /// Samples that are looked at now.
    pub(super) todo: Vec<usize>,
    pub(super) lanes: Lanes,
}

impl Sights<'_> {
    /// Forgets all that is known.
    pub(crate) fn forget(&mut self) {
        self.trials.iter_mut().for_each(|seen| seen.x.clear());
    }
}

/// What is known of a trial.
pub(super) struct Seen {
    /// Values of the unknowns at which it is known.
    pub x: Vec<f64>,
    pub stamp: u32,
    /// Its motion, and that of `Course::bodies`, where unknowns move it.
    pub path: Along,
    pub motion: Vec<BodyMotion>,
    /// Whether guides could be met at every sample.
    pub is_met: bool,
    /// By group.
    pub found: Vec<Found>,
    /// Values of formulas, one column after the other, and at which samples they are known.
    pub made: Vec<f64>,
    pub derived: Vec<Derived>,
    /// Slopes of formulas by the cells they rest on, one column after the other.
    pub partials: Vec<f64>,
}

impl Seen {
    /// Nothing, without room for anything.
    pub fn nothing() -> Seen {
        Seen {
            x: Vec::new(),
            stamp: 0,
            path: Along::default(),
            motion: Vec::new(),
            is_met: true,
            found: Vec::new(),
            made: Vec::new(),
            derived: Vec::new(),
            partials: Vec::new(),
        }
    }
}

/// Samples at which a formula is known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Derived {
    pub stamp: u32,
    pub from: usize,
    pub to: usize,
    pub sloped: bool,
}

/// What is known of a group; columns of a cell stand together, slopes of a sample.
pub(super) struct Found {
    pub values: Vec<f64>,
    /// Stamps of values, of wishes for slopes, and of slopes, by sample.
    pub looked: Vec<u32>,
    pub wanted: Vec<u32>,
    pub sloped: Vec<u32>,
    /// Whether anything acts.
    pub acts: Vec<bool>,
    pub slopes: Vec<f64>,
}

impl Found {
    /// Room for so many samples, cells and unknowns.
    pub fn new(samples: usize, cells: usize, unknowns: usize) -> Found {
        let stamps = vec![0; samples];
        Found {
            values: vec![f64::NAN; samples * cells],
            looked: stamps.clone(),
            wanted: stamps.clone(),
            sloped: stamps,
            acts: vec![true; samples],
            slopes: vec![0.0; samples * cells * unknowns],
        }
    }
}

/// Everything that a pair is looked at with, over a scalar.
pub(super) struct Bench<S> {
    pub numbers: Numbers<S>,
    pub frames: Frames<S>,
    pub stage: Stage<S>,
    pub memory: PairMemory<S>,
    /// Overlap and rate of each pair that remembers, at the sample before.
    pub last: Vec<Option<(S, S)>>,
    pub evaluation: Evaluation<S>,
    pub resultants: Vec<Resultant<S>>,
    pub rows: Rows<S>,
    pub row: Vec<S>,
}

impl<S: Constant<S>> Bench<S> {
    /// Memory; `width`: most columns of a contact.
    pub fn new(system: &System, width: usize) -> Bench<S> {
        let values: Vec<S> = system.parameters.iter().map(|parameter| S::from_f64(parameter.value)).collect();
        let numbers = system.parts.numbers(&system.skeleton, &values);
        let evaluation = Evaluation::new(system);
        let resultants =
            (0..system.names.contacts.len()).map(|contact| resultant(&numbers.contacts, contact, &evaluation.touching)).collect();
        Bench {
            frames: Frames::new(&system.skeleton),
            stage: Stage::new(system),
            memory: PairMemory::new(&system.numbers.contacts),
            last: vec![None; system.names.pairs.len()],
            rows: Rows::new(0, 0),
            row: vec![S::ZERO; width],
            numbers,
            evaluation,
            resultants,
        }
    }
}
