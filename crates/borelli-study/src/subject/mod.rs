//! Models of persons: a lower-limb model built from the markers of a recording, and whether two recordings show the same person.
//! Not here: landmarks, tables of segments and gait, which need no model (`borelli-data`); solving for coordinates.
//! In: recordings in borelli's axes with their landmarks. Out: the text of a model file that users can read and edit, and notices.

mod fault;
mod inertia;
mod lengths;
mod lower_limb;
mod model_text;
mod scaled;
mod survey;

pub use fault::{SubjectFault, SubjectNotice};
pub use lengths::{LengthPair, compare_lengths, same_person};
pub use lower_limb::{Built, SubjectOptions, build_lower_limb};
pub use scaled::{Person, ScaledModel, scale_to_person};

#[cfg(test)]
mod tests;
