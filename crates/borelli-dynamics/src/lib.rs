//! The engine: compiled multibody systems, their forces and constraints, and the formulations that compute with them.
//! Not here: files (`borelli-model`), questions put to the engine (`borelli-study`), the program.
//! In: a `Model`. Out: a `System`; from it accelerations, reactions, energies, derivatives.

pub mod assemble;
mod block_tree;
pub mod compile;
pub mod constraint;
pub mod contact;
pub mod coupled;
mod element_start;
pub mod equilibrium;
mod evaluation;
pub mod force;
pub mod formula;
pub mod formulation;
pub mod frames;
mod held_bodies;
pub mod implicit_movement;
pub mod integral;
pub mod integrate;
pub mod joint;
pub mod joint_angles;
mod joint_motion;
pub mod kinematics;
pub mod ligament;
mod local;
mod measured_load;
pub mod mechanism;
pub mod memory;
pub mod movement;
pub mod muscle;
pub mod parts;
mod power;
pub mod rate_meter;
mod reference;
pub mod rest;
pub mod retract;
mod row_system;
pub mod scene;
pub mod sensitivity;
mod sight;
pub mod soft;
pub mod stiffness;
pub mod system;
mod twist;
pub mod wrap;

#[cfg(test)]
mod against_balances;
#[cfg(test)]
mod against_library;
#[cfg(test)]
mod against_oracle;
#[cfg(test)]
mod chains_against_recursion;
#[cfg(test)]
mod fault_injection;
#[cfg(test)]
mod mirrored_contacts;
#[cfg(test)]
mod refilled;
#[cfg(test)]
mod twin;

pub use compile::compile;
pub use element_start::StatesAtStart;
pub use measured_load::{LoadFault, MeasuredLoad};
pub use memory::Memory;
pub use system::System;
