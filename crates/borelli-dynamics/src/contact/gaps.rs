//! Distances of pairs along a motion: what touchdown and lift-off are found by.
//! Not here: locating (`integrate::events`), what a touchdown does.
//! In: a system, states. Out: overlap of pairs and its rate; which pairs may touch at all.

use super::near::Near;
use super::press::{self, Reach};
use crate::frames::Frames;
use crate::scene::{Inside, Scene};
use crate::system::System;
use borelli_contact::detect::{Contact, Memory};

/// Memory for the distances of a system's pairs.
#[derive(Clone, Debug)]
pub struct Gaps {
    frames: Frames<f64>,
    following: Vec<Option<Memory>>,
    near: Near,
    depth: Vec<f64>,
    rate: Vec<f64>,
    /// Whether curved pairs far apart are searched, too.
    reach: Reach,
}

impl Gaps {
    /// Memory for a system.
    pub fn new(system: &System) -> Self {
        let pairs = system.numbers.contacts.pairs.len();
        Gaps {
            frames: Frames::new(&system.skeleton),
            following: vec![None; pairs],
            near: Near::new(&system.numbers.contacts),
            depth: vec![0.0; pairs],
            rate: vec![0.0; pairs],
            reach: Reach::Near,
        }
    }

    /// Memory for a system whose distances are to be those of the surfaces also where they are far apart.
    pub fn exact(system: &System) -> Self {
        Gaps { reach: Reach::Far, ..Gaps::new(system) }
    }

    /// Goes to a state, without a look at any pair.
    pub fn place(&mut self, system: &System, q: &[f64], v: &[f64]) {
        self.frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, v, &[]);
        self.frames.fill_points(&system.skeleton);
    }

    /// Where the surfaces of a pair meet at the state it is at; forces of laws play no part. Nothing for a pair that cannot be solved.
    pub fn meet(&mut self, system: &System, pair: usize) -> Option<Contact<f64>> {
        let contacts = &system.numbers.contacts;
        let [first, second] = contacts.surfaces_of(pair);
        press::meet(&scene(system, &self.frames), first, second, self.reach, &mut self.following[pair])
    }

    /// Overlap of a pair at the state it is at, m, negative where they are apart, and its rate, m/s, positive where the surfaces approach; no numbers
    /// for a pair that cannot be solved.
    pub fn of(&mut self, system: &System, pair: usize) -> (f64, f64) {
        let Some(contact) = self.meet(system, pair) else { return (f64::NAN, f64::NAN) };
        let scene = scene(system, &self.frames);
        let [first, second] = system.numbers.contacts.surfaces_of(pair);
        let v = press::velocity(&scene, first, contact.p_first) - press::velocity(&scene, second, contact.p_second);
        (contact.depth(), -contact.normal.dot(v))
    }

    /// What is seen of the state it is at.
    pub(super) fn scene<'a>(&'a self, system: &'a System) -> Scene<'a, f64, f64> {
        scene(system, &self.frames)
    }

    /// Looks at all pairs at a state.
    pub fn look(&mut self, system: &System, q: &[f64], v: &[f64]) {
        self.place(system, q, v);
        for pair in 0..self.depth.len() {
            (self.depth[pair], self.rate[pair]) = self.of(system, pair);
        }
    }

    /// Pairs that may come within `margin`, m, of each other at one of these states (coordinates and velocities), or within the time `ahead`, s, of
    /// it, in increasing order. It is at the last of them then.
    pub fn near<'s>(
        &mut self,
        system: &System,
        states: impl IntoIterator<Item = (&'s [f64], &'s [f64])>,
        margin: f64,
        ahead: f64,
    ) -> &[u32] {
        for (q, v) in states {
            self.place(system, q, v);
            self.near.mark(&system.numbers.contacts, &scene(system, &self.frames), margin, ahead);
        }
        self.near.collect();
        self.near.list()
    }

    /// Overlap of each pair at the state last looked at, m; negative where they are apart.
    pub fn depth(&self) -> &[f64] {
        &self.depth
    }

    /// Rate of each overlap, m/s; positive where the surfaces approach.
    pub fn rate(&self) -> &[f64] {
        &self.rate
    }
}

/// A scene of which only places and velocities of bodies are looked at.
fn scene<'a>(system: &'a System, frames: &'a Frames<f64>) -> Scene<'a, f64, f64> {
    Scene { skeleton: &system.skeleton, numbers: &system.numbers, frames, q: &[], v: &[], vdot: &[], t: 0.0, inside: Inside::NONE }
}
