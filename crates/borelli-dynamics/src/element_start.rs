//! States of force elements where an analysis starts: the numbers of the file, and what elements find for themselves at the pose of the start.
//! Not here: how an element finds its start (`muscle`); equilibrium of bodies (`equilibrium`).
//! In: a system, time and pose. Out: z, with what is worth telling about it.

use crate::frames::Frames;
use crate::muscle::MuscleFault;
use crate::scene::{Inside, Loads, Scene};
use crate::system::System;
use borelli_model::{Explain, Findings, Severity};

/// States of elements at a start.
#[derive(Clone, Debug, PartialEq)]
pub struct StatesAtStart {
    /// States of force elements and integrals.
    pub z: Vec<f64>,
    /// What is worth telling, by element.
    pub notes: Vec<(String, MuscleFault)>,
}

impl StatesAtStart {
    /// Adds what is worth telling to findings.
    pub fn tell(&self, findings: &mut Findings) {
        for (element, note) in &self.notes {
            findings.push(None, element.clone(), note.field(), note);
        }
    }

    /// The same of errors alone.
    pub fn tell_errors(&self, findings: &mut Findings) {
        let errors = self.notes.iter().filter(|(_, note)| note.severity() == Severity::Error).cloned().collect();
        StatesAtStart { z: Vec::new(), notes: errors }.tell(findings);
    }
}

impl System {
    /// States of force elements at a time and pose: fibres of muscles at rest in equilibrium with their tendons, activations as excitations say, where the file gives no
    /// other start; all else as the file says.
    pub fn states_at(&self, t: f64, q: &[f64]) -> StatesAtStart {
        let System { skeleton, numbers, .. } = self;
        let mut states = StatesAtStart { z: numbers.states.clone(), notes: Vec::new() };
        if states.z.is_empty() && numbers.forces.count_of_muscles() == 0 {
            return states;
        }
        let still = vec![0.0; skeleton.dofs()];
        let mut frames = Frames::new(skeleton);
        frames.fill::<f64, false>(skeleton, &numbers.tree, q, &still, &[]);
        frames.fill_points(skeleton);
        let scene = Scene { skeleton, numbers, frames: &frames, q, v: &still, vdot: &[], t, inside: Inside::NONE };
        let mut loads = Loads::new(skeleton, numbers);
        numbers.forces.start(&scene, &mut loads.lines, &mut states.z, |element, note| states.notes.push((element, note)));
        states
    }
}
