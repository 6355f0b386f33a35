//! Contacts along a motion that is given: forces as a pure function of parameters and motion, without dynamics.
//! Not here: accelerations and reactions (`formulation`); where the motion comes from.
//! In: a system, coordinates and velocities. Out: what every pair does.

use super::Touching;
use crate::frames::Frames;
use crate::memory::Touch;
use crate::scene::{Loads, Scene};
use crate::system::System;

/// Memory for the contacts of a system along a prescribed motion.
#[derive(Clone, Debug)]
pub struct Prescribed {
    frames: Frames<f64>,
    loads: Loads<f64>,
}

impl Prescribed {
    /// Memory for a system.
    pub fn new(system: &System) -> Self {
        Prescribed { frames: Frames::new(&system.skeleton), loads: Loads::new(&system.skeleton, &system.numbers) }
    }

    /// Sets what is remembered of each pair; an empty list: nothing.
    pub fn recall(&mut self, touch: &[Touch]) {
        self.loads.pairs.recall(touch);
    }

    /// What every pair does at a state. Allocates nothing. A pair that cannot be solved has forces that are not a number.
    pub fn look(&mut self, system: &System, t: f64, q: &[f64], v: &[f64]) -> &[Touching<f64>] {
        let System { skeleton, numbers, .. } = system;
        self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
        self.frames.fill_points(skeleton);
        self.loads.clear();
        let scene = Scene { skeleton, numbers, frames: &self.frames, q, v, vdot: &[], t, inside: crate::scene::Inside::NONE };
        numbers.contacts.apply(&scene, &mut self.loads);
        &self.loads.pairs.touching
    }
}
