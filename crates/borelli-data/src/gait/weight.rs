//! Mass of a person from force plates, when nobody wrote it down.
//! Not here: which foot stood where (`plate_foot`).
//! In: plates in borelli's axes. Out: kg, and how it was found.

use super::contact::Contact;
use crate::recording::{Plate, Side};

/// Standard gravity, m/s².
const G: f64 = 9.80665;

/// A mass with its origin.
#[derive(Clone, Debug, PartialEq)]
pub struct MassEstimate {
    /// kg.
    pub mass: f64,
    /// How it was found, in words for a report.
    pub how: String,
}

/// Mass from walking: over a cycle both stances together carry the weight, `m g T = J_right + J_left`, with the vertical impulse of one whole stance of each foot
/// and the time T of a cycle. Exact for a walk that repeats itself; a stance of each foot suffices, they need not belong to one cycle.
/// A foot on two plates at once is one stance. Where only one foot has whole stances the other is taken to be equal, and told. Stances without strike or off are no whole stances and do not count. Test: `the_mass_of_a_walker_follows_from_two_stances`.
pub fn mass_from_stances(stances: &[(Side, &Plate, Contact)], cycle_time: f64) -> Option<MassEstimate> {
    if !(cycle_time > 0.0) {
        return None;
    }
    let mut impulses = [(0.0, 0_usize); 2];
    // Ends of the stances counted so far: a foot on two plates at once is one stance.
    let mut counted: [Vec<(f64, f64)>; 2] = Default::default();
    for (side, plate, contact) in stances.iter().filter(|(.., c)| c.strike.is_some() && c.off.is_some()) {
        let samples = plate.force.get(contact.first..=contact.last)?;
        let sum = samples.iter().map(|force| force.y).sum::<f64>() / plate.clock.rate;
        let own = usize::from(*side == Side::Left);
        let (from, to) = contact.span(&plate.clock);
        let again = counted[own].iter().any(|(a, b)| from < *b && *a < to);
        counted[own].push((from, to));
        impulses[own] = (impulses[own].0 + sum, impulses[own].1 + usize::from(!again));
    }
    let [right, left] = impulses.map(|(sum, count)| (count > 0).then(|| sum / count as f64));
    let (both, told) = match (right, left) {
        (Some(right), Some(left)) => (right + left, "right and left stances"),
        (Some(right), None) => (2.0 * right, "right stances, the left taken to be equal,"),
        (None, Some(left)) => (2.0 * left, "left stances, the right taken to be equal,"),
        (None, None) => return None,
    };
    let mass = both / (G * cycle_time);
    let how = format!("vertical impulse of {told} over a cycle of {cycle_time:.3} s and g = {G} m/s²");
    (mass > 0.0).then_some(MassEstimate { mass, how })
}

/// Mass from standing still: mean of the vertical force of all plates over g. Nothing where the force changes by more than a twentieth of itself (standard
/// deviation), or nobody stands there. Test: `the_mass_of_a_person_who_stands_is_the_mean_force`.
pub fn mass_from_standing(plates: &[Plate]) -> Option<MassEstimate> {
    let count = plates.first()?.force.len();
    if count == 0 || plates.iter().any(|plate| plate.force.len() != count) {
        return None;
    }
    let total: Vec<f64> = (0..count).map(|k| plates.iter().map(|plate| plate.force[k].y).sum()).collect();
    let mean = total.iter().sum::<f64>() / count as f64;
    let sd = (total.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / count as f64).sqrt();
    let still = mean > 50.0 && sd < 0.05 * mean;
    still.then(|| MassEstimate { mass: mean / G, how: format!("mean vertical force of standing over g = {G} m/s²") })
}
