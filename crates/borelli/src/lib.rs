//! borelli: one façade over the crates of the workspace, the gallery of models that comes with it, reports and pictures.
//! Not here: anything of its own that computes.
//!
//! ```
//! use borelli::{Model, compile};
//! let model = Model::parse("rod.toml", r#"
//! borelli = 1
//! dimension = "planar"
//! [body.rod]
//! mass = "2 kg"
//! center = [0, "-0.25 m"]
//! inertia = "0.0417 kg m^2"
//! [joint.pivot]
//! type = "hinge"
//! parent = "world"
//! child = "rod"
//! "#).map_err(|rejected| rejected.to_string())?;
//! let system = compile(&model).map_err(|rejected| rejected.to_string())?;
//! assert_eq!(system.skeleton.dofs(), 1);
//! # Ok::<(), String>(())
//! ```

pub mod columns;
pub mod figure;
pub mod gait;
pub mod gallery;
pub mod job;
pub mod label;
pub mod muscled;
pub mod parallel;
pub mod plot;
pub mod report;
pub mod results;
pub mod soft;
pub mod studies;
pub mod sweep;

#[cfg(test)]
mod recorded;

pub use borelli_contact as contact;
pub use borelli_data as data;
pub use borelli_dynamics as dynamics;
pub use borelli_dynamics::{System, compile};
pub use borelli_math as math;
pub use borelli_model as model;
pub use borelli_model::Model;
pub use borelli_study as study;
