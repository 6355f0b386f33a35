//! One pair of surfaces alone: what it does where its bodies are known to be, and which parameters it sees.
//! Not here: what pairs do (`press`, `patch`), loads on bodies (`Contacts::apply`), who keeps poses.
//! In: a `Scene` in which the bodies of the pair have their places. Out: a `Touching`; slots of the parameter array.

use super::{Contacts, PairMemory, press};
use crate::parts::{PlacePart, Slot};
use crate::scene::Scene;
use borelli_math::{Constant, Real};

impl<C> Contacts<C> {
    /// What a pair does, into `memory`. Of the scene it sees the poses and velocities of its two bodies.
    #[inline(never)]
    pub fn look_at<S: Real>(&self, pair: usize, scene: &Scene<S, C>, memory: &mut PairMemory<S>)
    where
        C: Constant<S>,
    {
        self.fill_pair(pair, scene, memory);
    }

    /// How fast the overlap of a pair grows that was looked at, m/s, also where its surfaces are apart.
    pub fn approach<S: Real>(&self, pair: usize, scene: &Scene<S, C>, memory: &PairMemory<S>) -> S
    where
        C: Constant<S>,
    {
        let surface = |surface: u32| &self.surfaces[surface as usize].item;
        press::approach(scene, surface(self.pairs[pair].first), surface(self.pairs[pair].second), &memory.touching[pair])
    }
}

impl Contacts<Slot> {
    /// Parameters that a pair sees beside the joints of the tree: those of its surfaces, their places, and the laws of its contact.
    pub fn slots_of(&self, pair: usize, places: &[PlacePart<Slot>]) -> Vec<usize> {
        let mut slots = Vec::new();
        let mut note = |slot: &Slot| {
            slots.extend(slot.index());
            *slot
        };
        let surfaces = [self.pairs[pair].first, self.pairs[pair].second].map(|surface| &self.surfaces[surface as usize].item);
        for surface in surfaces {
            surface.shape.map(&mut note);
            places[surface.place as usize].each_slot(&mut |slot| {
                note(slot);
            });
        }
        self.manner(pair).map(&mut note);
        slots.sort_unstable();
        slots.dedup();
        slots
    }
}
