//! Columns along a motion as functions of the unknowns, found part by part: what an unknown does not touch is found once, the rest with slopes by
//! its own unknowns only.
//! Not here: looks at parts (`look`), formulas over channels (`made`), their memory (`sights`), what is compared with what was measured (`problem`,
//! `answer`).
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
//! Values come first, at every sample; slopes only where something changes with them. One asks in turn for `set`, `look`, `value`, `want`, `look_slopes`
//! and `add_slopes`.

use super::made::Made;
use super::mover::{Mover, Stage};
use super::parts::{Group, Part, groups};
use super::sights::{Bench, Derived, Found, Seen, Sights};
use super::unknowns::Unknowns;
use crate::channels::Channels;
use crate::parameter_columns::{N, ParameterColumns};
use crate::plan::Touchdown;
use crate::run::Along;
use borelli_dynamics::System;
use borelli_dynamics::frames::{BodyMotion, Frames};
use borelli_dynamics::system::Numbers;
use borelli_math::Dual;
use borelli_math::function::{Formula, Lanes};

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
pub(super) enum Origin {
    /// A group and its cell.
    Found {
        group: usize,
        cell: usize,
    },
    /// A formula, by place in the list.
    Made(usize),
    Nowhere,
}

/// Columns along a motion.
pub(crate) struct Course<'s> {
    pub(super) system: &'s System,
    pub(super) mover: Mover,
    pub(super) touchdown: Touchdown,
    /// Unknowns that the motion depends on, increasing.
    pub(super) moving: Vec<usize>,
    pub(super) groups: Vec<Group>,
    pub(super) made: Vec<Made>,
    /// By channel.
    pub(super) origin: Vec<Origin>,
    /// Bodies whose motion is kept.
    pub(super) bodies: Vec<usize>,
    pub(super) tracks: Vec<Kept>,
}

/// A trial: its motion as it is given, and the parameters that only it has.
pub(crate) struct Route {
    /// Of a table without its corrections; of guides with the parameters of the model.
    pub along: Along,
    pub settings: Vec<(usize, f64)>,
}

/// A trial with what the start of the unknowns makes of its motion, and what no unknown changes.
pub(super) struct Kept {
    pub route: Route,
    /// The motion at the start.
    pub along: Along,
    /// Motion of `Course::bodies`, sample by sample, at the start.
    pub motion: Vec<BodyMotion>,
    /// What is still, one column after the other.
    pub still: Vec<f64>,
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
            bodies: Vec::new(),
            tracks: Vec::new(),
        };
        course.find_bodies();
        for (group, own) in course.groups.iter().enumerate() {
            for (cell, channel) in own.channels.iter().enumerate() {
                course.origin[*channel] = Origin::Found { group, cell };
            }
        }
        for channel in made_channels {
            let Some((_, formula)) = formulas.iter().find(|(own, _)| *own == channel) else { continue };
            let made = Made::new((*formula).clone(), &course.made, &course.origin, &|channel| course.unknowns_of(channel).to_vec());
            course.origin[channel] = Origin::Made(course.made.len());
            course.made.push(made);
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
        let still: &[usize] = self.groups.iter().find(|group| group.is_still()).map_or(&[], |group| &group.channels);
        let mut columns = ParameterColumns::<f64>::new(self.system, channels);
        columns.set_parameters(&values);
        still.iter().for_each(|channel| {
            columns.ask(*channel);
        });
        let samples = kept.along.times.len();
        kept.still = vec![f64::NAN; still.len() * samples];
        for sample in 0..samples {
            let is_given = matches!(self.mover, Mover::Guides) && self.moving.is_empty() && kept.route.settings.is_empty();
            // Where guides cannot be met the search tells so at its start.
            if !is_given && self.mover.place(self.system, &numbers, &mut frames, &mut stage, &kept.route.along, sample) {
                kept.along.put(sample, [&stage.q, &stage.v, &stage.vdot]);
            }
            let [q, v, _] = kept.along.at(sample);
            frames.fill::<f64, false>(&self.system.skeleton, &numbers.tree, q, v, &[]);
            frames.fill_points(&self.system.skeleton);
            kept.motion.extend(self.bodies.iter().map(|body| frames.body(*body)));
            if !still.is_empty()
                && let Ok(found) = columns.look_along(&kept.along, sample)
            {
                for (cell, channel) in still.iter().enumerate() {
                    kept.still[cell * samples + sample] = found[*channel];
                }
            }
        }
        kept
    }

    /// Whether some columns can only be found whole, at each sample for itself.
    pub(crate) fn is_whole(&self) -> bool {
        self.groups.iter().any(|group| matches!(group.part, Part::Whole))
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
        let width = |group: &Group| if let Part::Contact(_, listed, _) = &group.part { listed.list.len() } else { 0 };
        let width = self.groups.iter().map(width).max().unwrap_or(0);
        let whole = self.groups.iter().find(|group| matches!(group.part, Part::Whole)).map(|group| {
            let (mut plain, mut sloped) = (ParameterColumns::new(self.system, channels), ParameterColumns::new(self.system, channels));
            for channel in &group.channels {
                // Whether they can be had was asked when the course was made.
                let _ = (plain.ask(*channel), sloped.ask(*channel));
            }
            Box::new((plain, sloped))
        });
        let parameters = self.system.parameters.len();
        Sights {
            values: vec![0.0; parameters],
            duals: vec![Dual { re: 0.0, eps: [0.0; N] }; parameters],
            plain: Bench::new(self.system, width),
            sloped: Bench::new(self.system, width),
            whole,
            track: 0,
            trials: self.tracks.iter().map(|_| Seen::nothing()).collect(),
            todo: Vec::new(),
            lanes: Lanes::default(),
        }
    }

    /// Makes room for what is to be known of a trial.
    fn make_room(&self, track: usize, seen: &mut Seen) {
        let samples = self.times(track).len();
        let found = |group: &Group| {
            let cells = if group.is_still() { 0 } else { group.channels.len() };
            Found::new(samples, cells, group.unknowns.len())
        };
        seen.found = self.groups.iter().map(found).collect();
        seen.made = vec![f64::NAN; samples * self.made.len()];
        seen.derived = vec![Derived::default(); self.made.len()];
        seen.partials = vec![0.0; samples * self.made.last().map_or(0, Made::partials)];
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
                Origin::Made(made) => groups.extend(&self.made[made].groups),
                Origin::Nowhere => {}
            }
        }
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Chooses the trial and its parameters, where unknowns have the values `x`. What is known at the same values stays known.
    pub(crate) fn set(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, track: usize, x: &[f64]) {
        sights.track = track;
        unknowns.fill(track, &self.tracks[track].route.settings, x, &mut sights.values);
        self.system.parts.fill(&self.system.skeleton, &sights.values, &mut sights.plain.numbers);
        if let Some(whole) = &mut sights.whole {
            whole.0.set_parameters(&sights.values);
        }
        let seen = &mut sights.trials[track];
        if seen.found.is_empty() {
            self.make_room(track, seen);
        }
        if seen.x == x {
            return;
        }
        seen.x.clear();
        seen.x.extend_from_slice(x);
        seen.stamp += 1;
        if !self.moving.is_empty() {
            self.follow(sights, track);
        }
    }

    /// The trial that was set.
    pub(super) fn stand<'a>(&'a self, sights: &'a Sights<'s>) -> Stand<'a> {
        let seen = &sights.trials[sights.track];
        let along = if self.moving.is_empty() { &self.tracks[sights.track].along } else { &seen.path };
        Stand {
            mover: &self.mover,
            parameters: &sights.values,
            numbers: &sights.plain.numbers,
            along,
            near: if matches!(self.mover, Mover::Guides) { along } else { &self.tracks[sights.track].route.along },
            moving: &self.moving,
            track: sights.track,
            is_met: seen.is_met,
        }
    }

    /// Unknowns that the motion depends on, increasing.
    pub(super) fn moving(&self) -> &[usize] {
        &self.moving
    }

    /// Finds the motion of a trial at the parameters at hand.
    fn follow(&self, sights: &mut Sights<'s>, track: usize) {
        let (kept, skeleton) = (&self.tracks[track], &self.system.skeleton);
        let Sights { trials, plain: Bench { numbers, frames, stage, .. }, .. } = sights;
        let Seen { path, motion, is_met, .. } = &mut trials[track];
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
}
