//! Gait: when feet touch the ground and leave it, which foot stands on which plate, cycles, and the numbers of a walk.
//! Not here: models and joint angles; curves are handed in.
//! In: recordings in borelli's axes, X forward, Y up, Z right, with filtered markers. Out: events, cycles, ensembles, spatio-temporal numbers.

mod belt;
mod choose;
mod contact;
mod cycle;
mod ensemble;
mod foot_velocity;
mod ghoussayni;
mod outline;
mod peaks;
mod plate_foot;
mod spatiotemporal;
mod symmetry;
mod tracks;
mod weight;
mod zeni;

pub use belt::belt_speed;
pub use choose::{Chosen, ChosenEvent, Difference, Found, Method, choose};
pub use contact::{Contact, SHORTEST_CONTACT, THRESHOLD, contacts, force_events};
pub use cycle::{Cycle, cycles, resample};
pub use ensemble::{Ensemble, SAMPLES, ensemble};
pub use foot_velocity::foot_velocity_events;
pub use ghoussayni::{SLOW_FOOT, ghoussayni_events};
pub use outline::{FOOT_MARGIN, Outline};
pub use plate_foot::{Assignment, FootMarkers, Standing, assign_plate, assign_plates};
pub use spatiotemporal::{CycleNumbers, NUMBERS, Number, Spread, Summary, cycle_numbers, hof, summary};
pub use symmetry::{symmetry_angle, symmetry_index};
pub use tracks::{FootTracks, foot_tracks, pelvis_track};
pub use weight::{MassEstimate, mass_from_stances, mass_from_standing};
pub use zeni::{LEAST_SWING, swing, zeni_events};

#[cfg(test)]
mod reference_tests;
#[cfg(test)]
mod tests;
