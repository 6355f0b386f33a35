//! Where the channels of a fit come from: columns along prescribed motions, or runs of an analysis. Who compares them does not see which.
//! Not here: columns along a motion (`course`), runs (`runs`), what is compared (`problem`, `answer`).
//! In: values of the unknowns, a trial, samples. Out: channels at those samples, with slopes by the unknowns where they are asked for.

use super::course::Course;
use super::runs::{self, Runs};
use super::sights;
use super::unknowns::Unknowns;
use crate::channels::Channels;

/// Channels as functions of the unknowns.
pub(super) enum Source<'s> {
    /// Motions are prescribed, and found once.
    Course(Box<Course<'s>>),
    /// A run for every value.
    Runs(Box<Runs<'s>>),
}

/// Memory of looks; each thread has its own.
pub(crate) enum Sights<'s> {
    Course(Box<sights::Sights<'s>>),
    Runs(Box<runs::Sights<'s>>),
}

impl Sights<'_> {
    /// Forgets all that is known.
    pub(crate) fn forget(&mut self) {
        match self {
            Sights::Course(own) => own.forget(),
            Sights::Runs(own) => own.forget(),
        }
    }
}

/// Does the same with a source and the sights that it made.
macro_rules! each {
    ($source:expr, $sights:expr, |$own:ident, $seen:ident| $what:expr, $otherwise:expr) => {
        match ($source, $sights) {
            (Source::Course($own), Sights::Course($seen)) => $what,
            (Source::Runs($own), Sights::Runs($seen)) => $what,
            // Sights are made by the source that they are used with.
            _ => $otherwise,
        }
    };
}

impl<'s> Source<'s> {
    /// Memory for looks.
    pub(super) fn sights(&self, channels: &Channels) -> Sights<'s> {
        match self {
            Source::Course(own) => Sights::Course(Box::new(own.sights(channels))),
            Source::Runs(own) => Sights::Runs(Box::new(own.sights())),
        }
    }

    /// The motion that is followed, with what is known along it; nothing of runs.
    pub(super) fn along_motion<'a>(&'a self, sights: &'a Sights<'s>) -> Option<(&'a Course<'s>, &'a sights::Sights<'s>)> {
        match (self, sights) {
            (Source::Course(own), Sights::Course(seen)) => Some((own, seen)),
            _ => None,
        }
    }

    /// Times of a trial.
    pub(super) fn times(&self, track: usize) -> &[f64] {
        match self {
            Source::Course(own) => own.times(track),
            Source::Runs(own) => own.times(track),
        }
    }

    /// Parts of what is looked at that some channels come from; a run is one.
    pub(super) fn groups_of(&self, channels: impl IntoIterator<Item = usize>) -> Vec<usize> {
        match self {
            Source::Course(own) => own.groups_of(channels),
            Source::Runs(_) => vec![0],
        }
    }

    /// Chooses the trial, and the values of the unknowns.
    pub(super) fn set(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, track: usize, x: &[f64]) {
        each!(self, sights, |own, seen| own.set(seen, unknowns, track, x), ());
    }

    /// Finds values at some samples; with `sloped` also what takes them to slopes.
    pub(super) fn look(&self, sights: &mut Sights<'s>, groups: &[usize], samples: &[usize], sloped: bool) {
        match (self, sights) {
            (Source::Course(own), Sights::Course(seen)) => own.look(seen, groups, samples, sloped),
            (Source::Runs(own), Sights::Runs(seen)) => own.look(seen),
            _ => {}
        }
    }

    /// A channel at a sample that was looked at.
    #[inline]
    pub(super) fn value(&self, sights: &Sights<'s>, channel: usize, sample: usize) -> f64 {
        each!(self, sights, |own, seen| own.value(seen, channel, sample), f64::NAN)
    }

    /// Asks for the slopes of a channel at a sample that was looked at for slopes; `look_slopes` finds them.
    pub(super) fn want(&self, sights: &mut Sights<'s>, channel: usize, sample: usize) {
        match (self, sights) {
            (Source::Course(own), Sights::Course(seen)) => own.want(seen, channel, sample),
            (Source::Runs(own), Sights::Runs(seen)) => own.want(seen, sample),
            _ => {}
        }
    }

    /// Finds slopes where they are wanted.
    pub(super) fn look_slopes(&self, sights: &mut Sights<'s>, unknowns: &Unknowns) {
        each!(self, sights, |own, seen| own.look_slopes(seen, unknowns), ());
    }

    /// Adds `factor` times the slopes of a channel at a sample at which they were wanted.
    pub(super) fn add_slopes(&self, sights: &Sights<'s>, channel: usize, sample: usize, factor: f64, out: &mut [f64]) {
        each!(self, sights, |own, seen| own.add_slopes(seen, channel, sample, factor, out), ());
    }

    /// Why samples of a trial have no values at the values `x` of the unknowns; nothing where they have, and along a motion that is followed.
    pub(super) fn trouble(
        &self,
        sights: &mut Sights<'s>,
        unknowns: &Unknowns,
        track: usize,
        x: &[f64],
        samples: &[usize],
    ) -> Option<String> {
        let (Source::Runs(own), Sights::Runs(seen)) = (self, sights) else { return None };
        own.set(seen, unknowns, track, x);
        own.trouble(seen, samples)
    }
}
