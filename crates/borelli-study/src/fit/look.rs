//! Looks at the parts of a course: values at samples, and slopes where they are wanted.
//! Not here: formulas over what is found (`made`), which part finds what (`parts`).
//! In: numbers of a trial, a motion. Out: cells of groups at samples, over plain numbers or duals. Nothing is allocated after the first look.

use super::course::Course;
use super::mover::Mover;
use super::parts::{Group, Part};
use super::sights::{Bench, Found, Seen, Sights};
use super::unknowns::Unknowns;
use crate::column_visitor::{Filler, Instant};
use crate::contact_columns::visit_contact;
use crate::pair_columns::PairColumn;
use crate::parameter_columns::{N, StateOver};
use crate::run::{Along, speed_of_touchdown};
use borelli_dynamics::contact::{Touching, resultant};
use borelli_dynamics::frames::BodyMotion;
use borelli_dynamics::scene::{Inside, Scene};
use borelli_math::{Constant, Dual};

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

/// What is seen of a group at a sample.
enum View<'a, S> {
    /// A contact could not be found, or guides not be met.
    Nothing,
    Pair(&'a Touching<S>, &'a [PairColumn]),
    /// Columns of which some were asked for.
    Row(&'a [S], &'a [usize]),
}

impl<S: Constant<S>> View<'_, S> {
    #[inline(always)]
    fn cell(&self, cell: usize) -> S {
        match self {
            View::Nothing => S::from_f64(f64::NAN),
            View::Pair(touching, columns) => columns[cell].of(touching),
            View::Row(row, columns) => row[columns[cell]],
        }
    }

    /// Whether surfaces do something to each other, as far as that is known.
    fn acts(&self) -> bool {
        if let View::Pair(touching, _) = self { touching.acts() } else { true }
    }
}

impl<'s> Course<'s> {
    /// Finds values of some groups, and of the formulas over them, at some samples; with `sloped` also which cells formulas change with.
    pub(crate) fn look(&self, sights: &mut Sights<'s>, groups: &[usize], samples: &[usize], sloped: bool) {
        for &k in groups.iter().filter(|k| !self.groups[**k].is_still()) {
            self.look_at(sights, k, samples);
        }
        if let (Some(first), Some(last)) = (samples.first(), samples.last()) {
            self.derive(sights, groups, *first..last + 1, sloped);
        }
    }

    /// Finds values of a group at those of some samples where they are not known.
    fn look_at(&self, sights: &mut Sights<'s>, k: usize, samples: &[usize]) {
        let Sights { track, trials, plain, whole, todo, .. } = sights;
        let Seen { found, path, motion, is_met, stamp, .. } = &mut trials[*track];
        let (group, Found { values, acts, looked, .. }) = (&self.groups[k], &mut found[k]);
        todo.clear();
        todo.extend(samples.iter().copied().filter(|sample| looked[*sample] != *stamp));
        if todo.is_empty() {
            return;
        }
        let (count, cells) = (looked.len(), group.channels.len());
        if let (Part::Whole, Some(whole)) = (&group.part, whole) {
            whole.0.forget();
            let along = if self.moving.is_empty() { &self.tracks[*track].along } else { path };
            for &sample in &*todo {
                let seen = whole.0.look_along(along, sample).ok().filter(|_| *is_met);
                for (cell, channel) in group.channels.iter().enumerate() {
                    values[cell * count + sample] = seen.map_or(f64::NAN, |seen| seen[*channel]);
                }
            }
        } else {
            let trail = self.trail(*track, path, motion, *is_met, false);
            self.along_pairs(group, plain, trail, todo, |sample, view| {
                for cell in 0..cells {
                    values[cell * count + sample] = view.cell(cell);
                }
                acts[sample] = view.acts();
            });
        }
        todo.iter().for_each(|sample| looked[*sample] = *stamp);
    }

    /// Finds slopes of all groups where they are wanted.
    pub(crate) fn look_slopes(&self, sights: &mut Sights<'s>, unknowns: &Unknowns) {
        for (k, group) in self.groups.iter().enumerate().filter(|(_, group)| !group.unknowns.is_empty()) {
            let Sights { track, trials, todo, .. } = &mut *sights;
            let Seen { found, stamp, .. } = &mut trials[*track];
            let Found { wanted, sloped, .. } = &mut found[k];
            todo.clear();
            todo.extend((0..wanted.len()).filter(|sample| wanted[*sample] == *stamp && sloped[*sample] != *stamp));
            if todo.is_empty() {
                continue;
            }
            todo.iter().for_each(|sample| sloped[*sample] = *stamp);
            for first in (0..group.unknowns.len()).step_by(N) {
                self.look_slopes_by(sights, unknowns, k, first);
            }
        }
    }

    /// Finds slopes of a group by some of its unknowns, as many as a dual has directions, from the `first` on.
    fn look_slopes_by(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, k: usize, first: usize) {
        let Sights { values, duals, sloped: bench, whole, track, trials, todo, .. } = sights;
        let (group, Seen { found, path, motion, is_met, .. }) = (&self.groups[k], &mut trials[*track]);
        let (count, cells) = (group.unknowns.len(), group.channels.len());
        let chunk = &group.unknowns[first..(first + N).min(count)];
        for (dual, value) in duals.iter_mut().zip(&*values) {
            *dual = Dual { re: *value, eps: [0.0; N] };
        }
        for (direction, unknown) in chunk.iter().enumerate() {
            let known = &unknowns.list[*unknown];
            // Of another trial it has no slopes here.
            if known.is_of(*track) {
                known.slots.iter().for_each(|(slot, factor)| duals[*slot].eps[direction] = *factor);
            }
        }
        let moves = chunk.iter().any(|unknown| self.moving.contains(unknown));
        let slopes = &mut found[k].slopes;
        let mut take = |sample: usize, cell: usize, found: Dual<N>| {
            slopes[(sample * cells + cell) * count + first..][..chunk.len()].copy_from_slice(&found.eps[..chunk.len()]);
        };
        let is_whole = matches!(group.part, Part::Whole);
        if moves || !is_whole {
            self.system.parts.fill(&self.system.skeleton, duals, &mut bench.numbers);
        }
        if let (true, Some(whole)) = (is_whole, whole) {
            whole.1.set_parameters(duals);
            whole.1.forget();
            let along = if self.moving.is_empty() { &self.tracks[*track].along } else { &*path };
            let near = if matches!(self.mover, Mover::Guides) { along } else { &self.tracks[*track].route.along };
            let none = Dual { re: f64::NAN, eps: [f64::NAN; N] };
            for &sample in &*todo {
                let seen = if moves {
                    let Bench { numbers, frames, stage, .. } = &mut *bench;
                    let is_met = *is_met && self.mover.place(self.system, numbers, frames, stage, near, sample);
                    let vdot = (!stage.vdot.is_empty()).then_some(&stage.vdot[..]);
                    let state = StateOver { t: near.times[sample], q: &stage.q, v: &stage.v, z: &[], vdot };
                    is_met.then(|| whole.1.look(state).ok()).flatten()
                } else {
                    whole.1.look_along(along, sample).ok().filter(|_| *is_met)
                };
                for (cell, channel) in group.channels.iter().enumerate() {
                    take(sample, cell, seen.map_or(none, |seen| seen[*channel]));
                }
            }
            return;
        }
        let trail = self.trail(*track, path, motion, *is_met, moves);
        self.along_pairs(group, bench, trail, todo, |sample, view| match view {
            View::Nothing => (0..cells).for_each(|cell| take(sample, cell, Dual { re: f64::NAN, eps: [f64::NAN; N] })),
            view => (0..cells).for_each(|cell| take(sample, cell, view.cell(cell))),
        });
    }

    /// Where bodies go in a trial; over duals by unknowns that move it, the motion is found with its slopes.
    fn trail<'a>(&'a self, track: usize, path: &'a Along, motion: &'a [BodyMotion], is_met: bool, moves: bool) -> Trail<'a> {
        let kept = &self.tracks[track];
        let is_still = self.moving.is_empty();
        let near = if matches!(self.mover, Mover::Guides) && !is_still { path } else { &kept.route.along };
        Trail { motion: if is_still { &kept.motion } else { motion }, times: &kept.along.times, near: moves.then_some(near), is_met }
    }

    /// Looks at the pairs of a group along the motion and hands over what is seen at some samples.
    fn along_pairs<S: Constant<S>>(
        &self,
        group: &Group,
        bench: &mut Bench<S>,
        trail: Trail,
        samples: &[usize],
        mut take: impl FnMut(usize, View<S>),
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
                if !every || !remembers(pair) {
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
            if !is_met || memory.unsolved.is_some() {
                take(sample, View::Nothing);
                continue;
            }
            match &group.part {
                Part::Pair(pair, columns) => take(sample, View::Pair(&memory.touching[*pair], columns)),
                Part::Contact(contact, listed, columns) => {
                    // What columns show stands in the evaluation.
                    std::mem::swap(&mut memory.touching, &mut evaluation.touching);
                    resultants[*contact] = resultant(&numbers.contacts, *contact, &evaluation.touching);
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
                    visit_contact(self.system, *contact, &mut Filler::new(listed, &now, row));
                    std::mem::swap(&mut memory.touching, &mut evaluation.touching);
                    take(sample, View::Row(row, columns));
                }
                Part::Still | Part::Whole => {}
            }
        }
    }
}
