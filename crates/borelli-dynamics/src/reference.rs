//! Slack lengths of ligaments known by their strain or force at the start: found at compile time, and anew when the reference or the start is set.
//! Not here: the law (`ligament`), reading (`compile`).
//! In: a system. Out: the same with the slack lengths as parameters of their own.

use crate::assemble::assemble;
use crate::frames::Frames;
use crate::parts::Slot;
use crate::scene::{Inside, Loads, Scene};
use crate::system::{Start, System};

impl System {
    /// Finds slack lengths anew from references, where `wanted` says so of the parameters of slack length and reference. Where the start cannot be assembled
    /// it is taken as it is given: whoever uses the model hears of that.
    pub fn resolve_references(&mut self, wanted: impl Fn(&str, &str) -> bool) {
        let slots: Vec<Option<usize>> =
            self.parts.forces.ligament.iter().map(|own| own.item.slots_to_find()).map(|found| self.to_find(found?, &wanted)).collect();
        if slots.iter().all(Option::is_none) {
            return;
        }
        let Start { q, v, held } = &self.start;
        let q = assemble(self, 0.0, q, v, held).map_or_else(|_| q.clone(), |assembled| assembled.q);
        let System { skeleton, numbers, .. } = &*self;
        let still = vec![0.0; skeleton.dofs()];
        let mut frames = Frames::new(skeleton);
        frames.fill::<f64, false>(skeleton, &numbers.tree, &q, &still, &[]);
        frames.fill_points(skeleton);
        let scene = Scene { skeleton, numbers, frames: &frames, q: &q, v: &still, vdot: &[], t: 0.0, inside: Inside::NONE };
        let mut loads = Loads::new(skeleton, numbers);
        numbers.forces.apply(&scene, &mut loads);
        let mut values = self.values();
        for (slot, own) in slots.iter().zip(&numbers.forces.ligament) {
            let length = loads.lines.length[own.item.on() as usize];
            if let (Some(slot), Some(slack)) = (slot, own.item.slack_from(length)) {
                values[*slot] = slack;
            }
        }
        self.refill(&values);
    }

    /// The slot of a slack length, if it is to be found.
    fn to_find(&self, slots: [Slot; 2], wanted: impl Fn(&str, &str) -> bool) -> Option<usize> {
        let [Slot::Param(slack), Slot::Param(reference)] = slots else { return None };
        let path = |slot: u32| self.parameters[slot as usize].path.as_str();
        wanted(path(slack), path(reference)).then_some(slack as usize)
    }

    /// The slack length that follows from a reference, and how it changes with that: of a parameter that is one.
    pub fn follows_reference(&self, parameter: usize) -> Option<(usize, f64)> {
        let (recipes, numbers) = (&self.parts.forces.ligament, &self.numbers.forces.ligament);
        recipes.iter().zip(numbers).find_map(|(recipe, own)| match recipe.item.slots_to_find()? {
            [Slot::Param(slack), Slot::Param(reference)] if reference as usize == parameter => {
                Some((slack as usize, own.item.slack_slope()?))
            }
            _ => None,
        })
    }
}
