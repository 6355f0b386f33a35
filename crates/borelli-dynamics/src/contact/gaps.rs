//! Distances of all pairs along a motion: what touchdown and lift-off are found by.
//! Not here: locating (`integrate::events`), what a touchdown does.
//! In: a system, a state. Out: overlap of each pair and its rate.

use super::press::Reach;
use super::{Contacts, press};
use crate::frames::Frames;
use crate::scene::Scene;
use crate::system::System;
use borelli_contact::detect::Memory;

/// Memory for the distances of a system's pairs.
#[derive(Clone, Debug)]
pub struct Gaps {
    frames: Frames<f64>,
    following: Vec<Option<Memory>>,
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
            depth: vec![0.0; pairs],
            rate: vec![0.0; pairs],
            reach: Reach::Near,
        }
    }

    /// Memory for a system whose distances are to be those of the surfaces also where they are far apart.
    pub fn exact(system: &System) -> Self {
        Gaps { reach: Reach::Far, ..Gaps::new(system) }
    }

    /// Looks at a state; forces of laws play no part. A pair that cannot be solved has a depth that is not a number.
    pub fn look(&mut self, system: &System, q: &[f64], v: &[f64]) {
        let System { skeleton, numbers, .. } = system;
        self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
        self.frames.fill_points(skeleton);
        let scene = Scene { skeleton, numbers, frames: &self.frames, q, v, vdot: &[], t: 0.0, inside: crate::scene::Inside::NONE };
        let Contacts { surfaces, pairs, .. } = &numbers.contacts;
        for (k, pair) in pairs.iter().enumerate() {
            let (first, second) = (&surfaces[pair.first as usize].item, &surfaces[pair.second as usize].item);
            (self.depth[k], self.rate[k]) = match press::meet(&scene, first, second, self.reach, &mut self.following[k]) {
                Some(contact) => {
                    let v = press::velocity(&scene, first, contact.p_first) - press::velocity(&scene, second, contact.p_second);
                    (contact.depth(), -contact.normal.dot(v))
                }
                None => (f64::NAN, f64::NAN),
            };
        }
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
