//! Columns along a motion as functions of the unknowns, found part by part: what an unknown does not touch is found once, the rest with slopes by
//! its own unknowns only.
//! Not here: what is compared with what was measured (`problem`, `answer`), formulas themselves, columns (`instant_columns`, `contact_columns`).
//! In: a system, a motion, which parameters are unknown, which channels are asked for. Out: their values and slopes at any sample. Nothing is
//! allocated by a look.
//!
//! Poses and velocities of bodies follow from coordinates and joints. Where no unknown is a number of a joint they are kept, and a pair of surfaces
//! is looked at alone:
//!
//! | part | columns | unknowns |
//! | --- | --- | --- |
//! | still | coordinates; poses and momenta where no unknown is a number of bodies or places; pairs that no unknown touches | none |
//! | pair | what one pair of surfaces does | those that its surfaces, their places and its laws have |
//! | contact | all pairs of a contact together | those of all its pairs |
//! | whole | everything else | all |
//!
//! With c = f(a, b, ..) a formula over columns, ∂c/∂x = ∂f/∂a ∂a/∂x + ∂f/∂b ∂b/∂x + .., column by column.

use super::mover::{Mover, Stage};
use super::parts::{Group, Part, groups, union};
use super::unknowns::Unknowns;
use crate::channels::{Channels, TIME};
use crate::column_visitor::{Filler, Instant};
use crate::contact_columns::{visit_contact, visit_pair};
use crate::parameter_columns::{N, ParameterColumns, StateOver};
use crate::plan::Touchdown;
use crate::run::{Along, speed_of_touchdown};
use borelli_dynamics::System;
use borelli_dynamics::constraint::Rows;
use borelli_dynamics::contact::{PairMemory, Resultant, resultant};
use borelli_dynamics::formulation::Evaluation;
use borelli_dynamics::frames::{BodyMotion, Frames};
use borelli_dynamics::scene::{Inside, Scene};
use borelli_dynamics::system::Numbers;
use borelli_math::function::{Formula, Gradient};
use borelli_math::{Constant, Dual};

/// How columns are found; the whole way is the measure of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Part by part.
    Parts,
    /// Everything at every sample.
    #[cfg(test)]
    Whole,
}

/// Where a channel comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// A group and its cell.
    Found {
        group: usize,
        cell: usize,
    },
    /// A formula, by place in the list.
    Made(usize),
    Nowhere,
}

/// A formula over channels.
struct Made {
    channel: usize,
    formula: Formula,
    /// Unknowns that it depends on, increasing.
    unknowns: Vec<usize>,
}

/// Columns along a motion.
pub(crate) struct Course<'s> {
    system: &'s System,
    mover: Mover,
    touchdown: Touchdown,
    /// Unknowns that the motion depends on, increasing.
    moving: Vec<usize>,
    groups: Vec<Group>,
    made: Vec<Made>,
    /// By channel.
    origin: Vec<Origin>,
    /// Channels that groups find, with group and cell.
    columns: Vec<(usize, usize, usize)>,
    /// Bodies whose motion is kept.
    bodies: Vec<usize>,
    tracks: Vec<Kept>,
    unknowns: usize,
}

/// A trial: its motion as it is given, and the parameters that only it has.
pub(crate) struct Route {
    /// Of a table without its corrections; of guides with the parameters of the model.
    pub along: Along,
    pub settings: Vec<(usize, f64)>,
}

/// A trial with what the start of the unknowns makes of its motion, and what no unknown changes.
struct Kept {
    route: Route,
    /// The motion at the start.
    along: Along,
    /// Motion of `Course::bodies`, sample by sample, at the start.
    motion: Vec<BodyMotion>,
    /// What is still, sample by sample.
    still: Vec<f64>,
}

/// Everything that a pair is looked at with, over a scalar.
struct Bench<S> {
    numbers: Numbers<S>,
    frames: Frames<S>,
    stage: Stage<S>,
    memory: PairMemory<S>,
    /// Overlap and rate of each pair that remembers, at the sample before.
    last: Vec<Option<(S, S)>>,
    evaluation: Evaluation<S>,
    resultants: Vec<Resultant<S>>,
    rows: Rows<S>,
    row: Vec<S>,
}

impl<S: Constant<S>> Bench<S> {
    fn new(system: &System, width: usize) -> Bench<S> {
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

/// Where bodies go in a trial.
#[derive(Clone, Copy)]
struct Trail<'a> {
    /// Of `Course::bodies`, sample by sample.
    motion: &'a [BodyMotion],
    times: &'a [f64],
    /// The motion from which that with slopes is found.
    near: Option<&'a Along>,
    is_met: bool,
}

/// A trial as it is set, for what is found beside columns.
pub(super) struct Stand<'a> {
    pub mover: &'a Mover,
    /// Values of all parameters, and the numbers that they give.
    pub parameters: &'a [f64],
    pub numbers: &'a Numbers<f64>,
    /// The motion, and that from which the one with slopes is found.
    pub along: &'a Along,
    pub near: &'a Along,
    /// Unknowns that the motion depends on.
    pub moving: &'a [usize],
    pub track: usize,
    pub is_met: bool,
}

/// Values and slopes of a group at all samples.
struct Found {
    values: Vec<f64>,
    slopes: Vec<f64>,
}

/// Memory of looks along a course; each thread has its own.
pub(crate) struct Sights<'s> {
    values: Vec<f64>,
    duals: Vec<Dual<N>>,
    plain: Bench<f64>,
    sloped: Bench<Dual<N>>,
    whole: Option<Box<(ParameterColumns<'s, f64>, ParameterColumns<'s, Dual<N>>)>>,
    found: Vec<Found>,
    track: usize,
    /// The motion of the trial at hand, and that of `Course::bodies`, where unknowns move it.
    path: Along,
    motion: Vec<BodyMotion>,
    /// Whether guides could be met at every sample.
    is_met: bool,
    /// Values by channel at the sample that is shown.
    now: Vec<f64>,
    /// Slopes of formulas at the sample that is shown, row after row.
    rows: Vec<f64>,
    by: Vec<f64>,
    gradient: Gradient,
}

impl Sights<'_> {
    /// Values by channel at the sample that is shown; those that are not asked for have no meaning.
    pub(crate) fn now(&self) -> &[f64] {
        &self.now
    }
}

impl<'s> Course<'s> {
    /// A course for the channels that are asked for, along the motion of each trial. `moving`: unknowns that the motion depends on.
    ///
    /// # Errors
    /// The first channel that cannot be found as a function of parameters.
    pub(crate) fn new(
        system: &'s System,
        (routes, mover, touchdown, moving): (Vec<Route>, Mover, Touchdown, Vec<usize>),
        channels: &Channels,
        unknowns: &Unknowns,
        asked: &[usize],
        way: Way,
    ) -> Result<Course<'s>, usize> {
        let mut probe = ParameterColumns::<f64>::new(system, channels);
        if let Some(channel) = asked.iter().copied().find(|channel| !probe.ask(*channel)) {
            return Err(channel);
        }
        let formulas: Vec<(usize, &Formula)> = channels.derived().collect();
        let mut leaves: Vec<usize> = Vec::new();
        let mut wanted = asked.to_vec();
        let mut made_channels = Vec::new();
        while let Some(channel) = wanted.pop() {
            match formulas.iter().find(|(own, _)| *own == channel) {
                Some((_, formula)) if !made_channels.contains(&channel) => {
                    made_channels.push(channel);
                    wanted.extend(formula.variables());
                }
                Some(_) => {}
                None => leaves.push(channel),
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        made_channels.sort_unstable();
        let mut course = Course {
            system,
            mover,
            touchdown,
            groups: groups(system, channels, unknowns, &moving, &leaves, way),
            moving,
            made: Vec::new(),
            origin: vec![Origin::Nowhere; channels.list().len() + 1],
            columns: Vec::new(),
            bodies: Vec::new(),
            tracks: Vec::new(),
            unknowns: unknowns.list.len(),
        };
        course.find_bodies();
        for (group, own) in course.groups.iter().enumerate() {
            for (cell, column) in own.cells.iter().enumerate() {
                let channel = match own.part {
                    Part::Pair(_) | Part::Contact(_) => channels.index(&own.listed.list[*column].name).unwrap_or(TIME),
                    Part::Still | Part::Whole => *column,
                };
                course.origin[channel] = Origin::Found { group, cell };
                course.columns.push((channel, group, cell));
            }
        }
        for channel in made_channels {
            let Some((_, formula)) = formulas.iter().find(|(own, _)| *own == channel) else { continue };
            let unknowns = union(formula.variables().iter().map(|variable| course.unknowns_of(*variable).to_vec()));
            course.origin[channel] = Origin::Made(course.made.len());
            course.made.push(Made { channel, formula: (*formula).clone(), unknowns });
        }
        for (track, route) in routes.into_iter().enumerate() {
            let kept = course.keep(channels, unknowns, track, route);
            course.tracks.push(kept);
        }
        Ok(course)
    }

    /// Which bodies the pairs of each group are on.
    fn find_bodies(&mut self) {
        let pair_bodies = |pair: usize| self.system.numbers.contacts.bodies(pair, &self.system.numbers.place_body);
        for group in &mut self.groups {
            for body in group.pairs.clone().flat_map(pair_bodies).filter(|body| *body != 0) {
                let place = self.bodies.iter().position(|own| *own == body).unwrap_or_else(|| {
                    self.bodies.push(body);
                    self.bodies.len() - 1
                });
                if !group.bodies.contains(&place) {
                    group.bodies.push(place);
                }
            }
        }
    }

    /// What no unknown changes in a trial.
    fn keep(&self, channels: &Channels, unknowns: &Unknowns, track: usize, route: Route) -> Kept {
        let mut values = self.system.values();
        let start: Vec<f64> = unknowns.list.iter().map(|known| known.start).collect();
        unknowns.fill(track, &route.settings, &start, &mut values);
        let numbers = self.system.parts.numbers(&self.system.skeleton, &values);
        let (mut frames, mut stage) = (Frames::new(&self.system.skeleton), Stage::new(self.system));
        let mut kept = Kept { along: route.along.clone(), route, motion: Vec::new(), still: Vec::new() };
        let still: &[usize] = self.groups.iter().find(|group| group.part == Part::Still).map_or(&[], |group| &group.cells);
        let mut columns = ParameterColumns::<f64>::new(self.system, channels);
        columns.set_parameters(&values);
        still.iter().for_each(|channel| {
            columns.ask(*channel);
        });
        for sample in 0..kept.along.times.len() {
            let is_given = matches!(self.mover, Mover::Guides) && self.moving.is_empty() && kept.route.settings.is_empty();
            // Where guides cannot be met the search tells so at its start.
            if !is_given && self.mover.place(self.system, &numbers, &mut frames, &mut stage, &kept.route.along, sample) {
                kept.along.put(sample, [&stage.q, &stage.v, &stage.vdot]);
            }
            let [q, v, _] = kept.along.at(sample);
            frames.fill::<f64, false>(&self.system.skeleton, &numbers.tree, q, v, &[]);
            frames.fill_points(&self.system.skeleton);
            kept.motion.extend(self.bodies.iter().map(|body| frames.body(*body)));
            if !still.is_empty() {
                let found = columns.look_along(&kept.along, sample);
                kept.still.extend(still.iter().map(|channel| found.as_ref().map_or(f64::NAN, |found| found[*channel])));
            }
        }
        kept
    }

    /// Whether some columns can only be found whole, at each sample for itself.
    pub(crate) fn is_whole(&self) -> bool {
        self.groups.iter().any(|group| group.part == Part::Whole)
    }

    /// Parameters that trials set.
    pub(crate) fn settings(&self) -> impl Iterator<Item = usize> {
        self.tracks.iter().flat_map(|kept| &kept.route.settings).map(|(slot, _)| *slot)
    }

    /// Parameters of a trial where unknowns have the values `x`.
    pub(crate) fn fill(&self, unknowns: &Unknowns, track: usize, x: &[f64], parameters: &mut [f64]) {
        unknowns.fill(track, &self.tracks[track].route.settings, x, parameters);
    }

    /// Times of a trial.
    pub(crate) fn times(&self, track: usize) -> &[f64] {
        &self.tracks[track].along.times
    }

    /// Memory for looks.
    pub(crate) fn sights(&self, channels: &Channels) -> Sights<'s> {
        let width = self.groups.iter().map(|group| group.listed.list.len()).max().unwrap_or(0);
        let samples = self.tracks.iter().map(|kept| kept.along.times.len()).max().unwrap_or(0);
        let found = |group: &Group| Found {
            values: vec![f64::NAN; if group.part == Part::Still { 0 } else { samples * group.cells.len() }],
            slopes: vec![0.0; samples * group.cells.len() * group.unknowns.len()],
        };
        let whole = self.groups.iter().find(|group| group.part == Part::Whole).map(|group| {
            let (mut plain, mut sloped) = (ParameterColumns::new(self.system, channels), ParameterColumns::new(self.system, channels));
            for channel in &group.cells {
                // Whether they can be had was asked when the course was made.
                let _ = (plain.ask(*channel), sloped.ask(*channel));
            }
            Box::new((plain, sloped))
        });
        let parameters = self.system.parameters.len();
        let longest = self.made.iter().map(|made| made.formula.variables().len()).max().unwrap_or(0);
        Sights {
            values: vec![0.0; parameters],
            duals: vec![Dual { re: 0.0, eps: [0.0; N] }; parameters],
            plain: Bench::new(self.system, width),
            sloped: Bench::new(self.system, width),
            whole,
            found: self.groups.iter().map(found).collect(),
            track: 0,
            path: Along::default(),
            motion: Vec::new(),
            is_met: true,
            now: vec![f64::NAN; self.origin.len()],
            rows: vec![0.0; self.made.len() * self.unknowns],
            by: vec![0.0; longest],
            gradient: Gradient::default(),
        }
    }

    /// Unknowns that a channel depends on, increasing.
    pub(crate) fn unknowns_of(&self, channel: usize) -> &[usize] {
        match self.origin[channel] {
            Origin::Found { group, .. } => &self.groups[group].unknowns,
            Origin::Made(made) => &self.made[made].unknowns,
            Origin::Nowhere => &[],
        }
    }

    /// Groups that some channels come from.
    pub(crate) fn groups_of(&self, channels: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut groups = Vec::new();
        let mut rest: Vec<usize> = channels.into_iter().collect();
        while let Some(channel) = rest.pop() {
            match self.origin[channel] {
                Origin::Found { group, .. } => groups.push(group),
                Origin::Made(made) => rest.extend(self.made[made].formula.variables()),
                Origin::Nowhere => {}
            }
        }
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Chooses the trial and its parameters, where unknowns have the values `x`.
    pub(crate) fn set(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, track: usize, x: &[f64]) {
        sights.track = track;
        unknowns.fill(track, &self.tracks[track].route.settings, x, &mut sights.values);
        self.system.parts.fill(&self.system.skeleton, &sights.values, &mut sights.plain.numbers);
        if let Some(whole) = &mut sights.whole {
            whole.0.set_parameters(&sights.values);
        }
        if !self.moving.is_empty() {
            self.follow(sights, track);
        }
    }

    /// The trial that was set.
    pub(super) fn stand<'a>(&'a self, sights: &'a Sights<'s>) -> Stand<'a> {
        let along = if self.moving.is_empty() { &self.tracks[sights.track].along } else { &sights.path };
        Stand {
            mover: &self.mover,
            parameters: &sights.values,
            numbers: &sights.plain.numbers,
            along,
            near: if matches!(self.mover, Mover::Guides) { along } else { &self.tracks[sights.track].route.along },
            moving: &self.moving,
            track: sights.track,
            is_met: sights.is_met,
        }
    }

    /// Unknowns that the motion depends on, increasing.
    pub(super) fn moving(&self) -> &[usize] {
        &self.moving
    }

    /// Finds the motion of a trial at the parameters at hand.
    fn follow(&self, sights: &mut Sights<'s>, track: usize) {
        let (kept, skeleton) = (&self.tracks[track], &self.system.skeleton);
        let Sights { path, motion, is_met, plain: Bench { numbers, frames, stage, .. }, .. } = sights;
        path.make_room(&kept.along);
        motion.clear();
        *is_met = true;
        for sample in 0..path.times.len() {
            // Guides are followed from the start of the unknowns, so that an answer depends on its point alone.
            let near = if matches!(self.mover, Mover::Guides) { &kept.along } else { &kept.route.along };
            *is_met &= self.mover.place(self.system, numbers, frames, stage, near, sample);
            path.put(sample, [&stage.q, &stage.v, &stage.vdot]);
            frames.fill::<f64, false>(skeleton, &numbers.tree, &stage.q, &stage.v, &[]);
            frames.fill_points(skeleton);
            motion.extend(self.bodies.iter().map(|body| frames.body(*body)));
        }
    }

    /// Finds the values of some groups at some samples.
    pub(crate) fn look(&self, sights: &mut Sights<'s>, groups: &[usize], samples: &[usize]) {
        for &k in groups {
            let (group, width) = (&self.groups[k], self.groups[k].cells.len());
            let trail = self.trail(sights.track, &sights.path, &sights.motion, sights.is_met, false);
            let found = &mut sights.found[k].values;
            match group.part {
                Part::Still => {}
                Part::Whole => {
                    let Some(whole) = &mut sights.whole else { continue };
                    whole.0.forget();
                    let along = if self.moving.is_empty() { &self.tracks[sights.track].along } else { &sights.path };
                    for &sample in samples {
                        let cells = &mut found[sample * width..][..width];
                        match whole.0.look_along(along, sample) {
                            Ok(values) if sights.is_met => {
                                cells.iter_mut().zip(&group.cells).for_each(|(cell, channel)| *cell = values[*channel]);
                            }
                            _ => cells.fill(f64::NAN),
                        }
                    }
                }
                Part::Pair(_) | Part::Contact(_) => self.along_pairs(group, &mut sights.plain, trail, samples, |sample, row| {
                    let cells = &mut found[sample * width..][..width];
                    match row {
                        Some(row) => cells.iter_mut().zip(&group.cells).for_each(|(cell, column)| *cell = row[*column]),
                        None => cells.fill(f64::NAN),
                    }
                }),
            }
        }
    }

    /// Finds values and slopes of some groups at some samples.
    pub(crate) fn look_sloped(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, groups: &[usize], samples: &[usize]) {
        for &k in groups {
            let (group, width, count) = (&self.groups[k], self.groups[k].cells.len(), self.groups[k].unknowns.len());
            if group.unknowns.is_empty() {
                self.look(sights, &[k], samples);
                continue;
            }
            for first in (0..count).step_by(N) {
                let chunk = &group.unknowns[first..(first + N).min(count)];
                for (dual, value) in sights.duals.iter_mut().zip(&sights.values) {
                    *dual = Dual { re: *value, eps: [0.0; N] };
                }
                for (direction, unknown) in chunk.iter().enumerate() {
                    let known = &unknowns.list[*unknown];
                    // Of another trial it has no slopes here.
                    if known.is_of(sights.track) {
                        known.slots.iter().for_each(|(slot, factor)| sights.duals[*slot].eps[direction] = *factor);
                    }
                }
                let moves = chunk.iter().any(|unknown| self.moving.contains(unknown));
                let Found { values, slopes } = &mut sights.found[k];
                let mut take = |sample: usize, cell: usize, found: Dual<N>| {
                    values[sample * width + cell] = found.re;
                    slopes[(sample * width + cell) * count + first..][..chunk.len()].copy_from_slice(&found.eps[..chunk.len()]);
                };
                let none = Dual { re: f64::NAN, eps: [f64::NAN; N] };
                match group.part {
                    Part::Still => {}
                    Part::Whole => {
                        let Some(whole) = &mut sights.whole else { continue };
                        whole.1.set_parameters(&sights.duals);
                        whole.1.forget();
                        if moves {
                            self.system.parts.fill(&self.system.skeleton, &sights.duals, &mut sights.sloped.numbers);
                        }
                        let along = if self.moving.is_empty() { &self.tracks[sights.track].along } else { &sights.path };
                        let near = if matches!(self.mover, Mover::Guides) { along } else { &self.tracks[sights.track].route.along };
                        for &sample in samples {
                            let found = if moves {
                                let Bench { numbers, frames, stage, .. } = &mut sights.sloped;
                                let is_met = sights.is_met && self.mover.place(self.system, numbers, frames, stage, near, sample);
                                let vdot = (!stage.vdot.is_empty()).then_some(&stage.vdot[..]);
                                let state = StateOver { t: near.times[sample], q: &stage.q, v: &stage.v, z: &[], vdot };
                                is_met.then(|| whole.1.look(state).ok()).flatten()
                            } else {
                                whole.1.look_along(along, sample).ok().filter(|_| sights.is_met)
                            };
                            group
                                .cells
                                .iter()
                                .enumerate()
                                .for_each(|(cell, channel)| take(sample, cell, found.map_or(none, |found| found[*channel])));
                        }
                    }
                    Part::Pair(_) | Part::Contact(_) => {
                        self.system.parts.fill(&self.system.skeleton, &sights.duals, &mut sights.sloped.numbers);
                        let trail = self.trail(sights.track, &sights.path, &sights.motion, sights.is_met, moves);
                        self.along_pairs(group, &mut sights.sloped, trail, samples, |sample, row| {
                            group
                                .cells
                                .iter()
                                .enumerate()
                                .for_each(|(cell, column)| take(sample, cell, row.map_or(none, |row| row[*column])));
                        });
                    }
                }
            }
        }
    }

    /// Where bodies go in a trial; over duals by unknowns that move it, the motion is found with its slopes.
    fn trail<'a>(&'a self, track: usize, path: &'a Along, motion: &'a [BodyMotion], is_met: bool, moves: bool) -> Trail<'a> {
        let kept = &self.tracks[track];
        let is_still = self.moving.is_empty();
        let near = if matches!(self.mover, Mover::Guides) && !is_still { path } else { &kept.route.along };
        Trail { motion: if is_still { &kept.motion } else { motion }, times: &kept.along.times, near: moves.then_some(near), is_met }
    }

    /// Looks at the pairs of a group along the motion and hands over all its columns, of which those that are asked for have a meaning; nothing
    /// where a contact was not found.
    fn along_pairs<S: Constant<S>>(
        &self,
        group: &Group,
        bench: &mut Bench<S>,
        trail: Trail,
        samples: &[usize],
        mut take: impl FnMut(usize, Option<&[S]>),
    ) {
        let Bench { numbers, frames, stage, memory, last, evaluation, resultants, rows, row } = bench;
        memory.forget();
        for pair in group.pairs.clone() {
            memory.note(pair, None);
            last[pair] = None;
        }
        // A pair that remembers is followed through all samples.
        let remembers = |pair: usize| self.system.numbers.contacts.remembers(pair);
        let every = group.pairs.clone().any(remembers);
        let count = if every { trail.times.len() } else { samples.len() };
        let mut wanted = samples.iter().copied().peekable();
        for step in 0..count {
            let sample = if every { step } else { samples[step] };
            let mut is_met = trail.is_met;
            match trail.near {
                None => group.bodies.iter().for_each(|place| {
                    frames.put_body(self.bodies[*place], &trail.motion[sample * self.bodies.len() + place]);
                }),
                Some(near) => {
                    is_met &= self.mover.place(self.system, numbers, frames, stage, near, sample);
                    frames.fill::<S, false>(&self.system.skeleton, &numbers.tree, &stage.q, &stage.v, &[]);
                    frames.fill_points(&self.system.skeleton);
                }
            }
            memory.unsolved = None;
            let (t, inside) = (S::from_f64(trail.times[sample]), Inside::NONE);
            let scene =
                Scene { skeleton: &self.system.skeleton, numbers: &*numbers, frames: &*frames, q: &[], v: &[], vdot: &[], t, inside };
            for pair in group.pairs.clone() {
                numbers.contacts.look_at(pair, &scene, memory);
                if !remembers(pair) {
                    continue;
                }
                let now = (memory.touching[pair].depth, numbers.contacts.approach(pair, &scene, memory));
                match last[pair].replace(now) {
                    Some(before) if before.0.value() <= 0.0 && now.0.value() > 0.0 => {
                        let h = trail.times[sample] - trail.times[sample - 1];
                        let speed = speed_of_touchdown(self.touchdown, [before, now], h);
                        memory.note(pair, Some(if speed.value() > 0.0 { speed } else { S::ZERO }));
                        numbers.contacts.look_at(pair, &scene, memory);
                    }
                    Some(before) if before.0.value() > 0.0 && !(now.0.value() > 0.0) => memory.note(pair, None),
                    _ => {}
                }
            }
            if every && wanted.next_if_eq(&sample).is_none() {
                continue;
            }
            // What columns show stands in the evaluation.
            std::mem::swap(&mut memory.touching, &mut evaluation.touching);
            if let Part::Contact(contact) = group.part {
                resultants[contact] = resultant(&numbers.contacts, contact, &evaluation.touching);
            }
            let now = Instant {
                system: self.system,
                numbers,
                q: &[],
                v: &[],
                z: &[],
                evaluation,
                frames,
                effort: &[],
                rows,
                released: &[],
                loads: &[],
                mats: &[],
                resultants,
                work: &[],
                energy_at_start: 0.0,
                soft_energy: 0.0,
            };
            let mut filler = Filler::new(&group.listed, &now, row);
            match group.part {
                Part::Pair(pair) => visit_pair(self.system, pair, false, &mut filler),
                Part::Contact(contact) => visit_contact(self.system, contact, &mut filler),
                Part::Still | Part::Whole => {}
            }
            std::mem::swap(&mut memory.touching, &mut evaluation.touching);
            take(sample, (is_met && memory.unsolved.is_none()).then_some(&**row));
        }
    }

    /// Finds the values of all channels at a sample that was looked at, for `Sights::now`; with slopes for `add_slopes`, where it was looked at with slopes.
    pub(crate) fn show(&self, sights: &mut Sights<'s>, sample: usize, sloped: bool) {
        self.show_columns(sights, sample);
        if sloped {
            return self.show_slopes(sights, sample);
        }
        let now = &mut sights.now;
        for made in &self.made {
            now[made.channel] = made.formula.eval(now);
        }
    }

    /// One channel at a sample that was looked at.
    pub(crate) fn channel(&self, sights: &mut Sights<'s>, channel: usize, sample: usize) -> f64 {
        match self.origin[channel] {
            Origin::Found { group, cell } if self.groups[group].part != Part::Still => {
                sights.found[group].values[sample * self.groups[group].cells.len() + cell]
            }
            _ => {
                self.show(sights, sample, false);
                sights.now[channel]
            }
        }
    }

    fn show_columns(&self, sights: &mut Sights<'s>, sample: usize) {
        let Sights { now, found, track, .. } = sights;
        now[TIME] = self.tracks[*track].along.times[sample];
        for &(channel, group, cell) in &self.columns {
            let own = &self.groups[group];
            let values = if own.part == Part::Still { &self.tracks[*track].still } else { &found[group].values };
            now[channel] = values[sample * own.cells.len() + cell];
        }
    }

    /// Values and slopes of formulas at the sample that is shown.
    fn show_slopes(&self, sights: &mut Sights<'s>, sample: usize) {
        for (k, made) in self.made.iter().enumerate() {
            let (variables, n) = (made.formula.variables(), self.unknowns);
            let Sights { now, by, gradient, .. } = &mut *sights;
            let varies = |channel: usize| !self.unknowns_of(channel).is_empty();
            let by = &mut by[..variables.len()];
            let value = made.formula.gradient(|channel| now[channel], varies, gradient, by);
            now[made.channel] = value;
            let mut row = std::mem::take(&mut sights.rows);
            let (before, own) = row.split_at_mut(k * n);
            own[..n].fill(0.0);
            for (j, variable) in variables.iter().enumerate() {
                let slope = sights.by[j];
                if slope != 0.0 {
                    self.add_to(sights, before, *variable, sample, slope, &mut own[..n]);
                }
            }
            sights.rows = row;
        }
    }

    /// Adds `factor` times the slopes of a channel at the sample that is shown.
    pub(crate) fn add_slopes(&self, sights: &Sights<'s>, channel: usize, sample: usize, factor: f64, out: &mut [f64]) {
        self.add_to(sights, &sights.rows, channel, sample, factor, out);
    }

    fn add_to(&self, sights: &Sights<'s>, rows: &[f64], channel: usize, sample: usize, factor: f64, out: &mut [f64]) {
        match self.origin[channel] {
            Origin::Found { group, cell } => {
                let own = &self.groups[group];
                let count = own.unknowns.len();
                let slopes = &sights.found[group].slopes[(sample * own.cells.len() + cell) * count..][..count];
                match is_run(&own.unknowns) {
                    Some(first) => out[first..][..count].iter_mut().zip(slopes).for_each(|(out, slope)| *out += factor * slope),
                    None => own.unknowns.iter().zip(slopes).for_each(|(unknown, slope)| out[*unknown] += factor * slope),
                }
            }
            Origin::Made(made) => {
                // Slopes by unknowns that it does not depend on are zero.
                let row = &rows[made * self.unknowns..][..self.unknowns];
                out.iter_mut().zip(row).for_each(|(out, slope)| *out += factor * slope);
            }
            Origin::Nowhere => {}
        }
    }
}

/// The first of an increasing list that has no gaps.
fn is_run(list: &[usize]) -> Option<usize> {
    let (first, last) = (*list.first()?, *list.last()?);
    (last - first + 1 == list.len()).then_some(first)
}
