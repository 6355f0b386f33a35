//! Slack lengths of ligaments that are known by their strain or force at the start: found once, when a model is compiled.
//! Not here: the law (`ligament`), reading (`compile`).
//! In: a system. Out: the same with the slack lengths as parameters of their own.

use crate::assemble::assemble;
use crate::frames::Frames;
use crate::parts::Slot;
use crate::scene::{Inside, Loads, Scene};
use crate::system::{Start, System};

/// Writes the slack lengths. Where the start cannot be assembled it is taken as it is given: whoever uses the model hears of that.
pub(crate) fn resolve(system: &mut System) {
    if system.parts.forces.ligament.iter().all(|ligament| ligament.item.slot_to_find().is_none()) {
        return;
    }
    let Start { q, v, held } = &system.start;
    let q = assemble(system, 0.0, q, v, held).map_or_else(|_| q.clone(), |assembled| assembled.q);
    let System { skeleton, numbers, .. } = &*system;
    let still = vec![0.0; skeleton.dofs()];
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, false>(skeleton, &numbers.tree, &q, &still, &[]);
    frames.fill_points(skeleton);
    let scene = Scene { skeleton, numbers, frames: &frames, q: &q, v: &still, vdot: &[], t: 0.0, inside: Inside::NONE };
    let mut loads = Loads::new(skeleton, numbers);
    numbers.forces.apply(&scene, &mut loads);
    let mut values = system.values();
    for (recipe, own) in system.parts.forces.ligament.iter().zip(&numbers.forces.ligament) {
        let length = loads.lines.length[own.item.on() as usize];
        if let (Some(Slot::Param(slot)), Some(slack)) = (recipe.item.slot_to_find(), own.item.slack_from(length)) {
            values[slot as usize] = slack;
        }
    }
    system.refill(&values);
}
