//! Inverse kinematics: the pose of a model whose markers come nearest to where they were measured.
//! Not here: recordings and files, which marker was seen when, filters.
//! In: a `System` with markers, measured points of one instant. Out: coordinates and how well they fit.
//!
//! With W the sum of the weights of the markers seen, the pose is the minimum of
//!
//!     f(q) = Σ w_i |p_i(q) − x_i|² / W + Σ w_c (q_c − ref_c)²                                      (1)
//!
//! subject to loops Φ(q) = 0, ranges of clamped coordinates, and locked coordinates. `marker_sums` gives the slope and curvature of (1),
//! `solver` goes down to the minimum, `begin` finds the root of a first pose, `swaps` looks for exchanged markers, `trajectory` fits all frames at once,
//! `scaling` makes a generic model as large as a person.

mod begin;
mod bounds;
mod dense;
mod loops;
mod marker_sums;
pub mod scaling;
mod solver;
mod swaps;
pub mod trajectory;

#[cfg(test)]
mod tests;

pub use solver::Solver;

use crate::system::{Motion, Skeleton};
use borelli_math::{Quat, Vec3};
use borelli_model::Explain;

/// Where a marker was measured.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Index of the marker.
    pub marker: u32,
    /// Measured position in world axes, m. In a planar model z is not looked at.
    pub position: Vec3<f64>,
    /// Weight; that of the marker unless there is reason for another.
    pub weight: f64,
}

/// A value that a coordinate is drawn to.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Index into q; no part of a quaternion.
    pub coordinate: u32,
    /// Weight, m²/rad² or none.
    pub weight: f64,
    /// Value, rad or m.
    pub value: f64,
}

/// How a pose is sought.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Guides are kept too, not only loops.
    pub guides: bool,
    /// Look for exchanged markers where a frame fits badly.
    pub swaps: bool,
    /// A step below this is the last, rad or m.
    pub step: f64,
    /// Steps at most.
    pub iterations: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { guides: false, swaps: true, step: 1e-8, iterations: 100 }
    }
}

/// How well a pose fits.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    /// A minimum was reached.
    pub converged: bool,
    /// Steps taken.
    pub iterations: usize,
    /// f, m².
    pub objective: f64,
    /// Root mean square distance of the markers with a weight, each counted once, m.
    pub rms: f64,
    /// Largest such distance, m.
    pub largest: f64,
    /// The marker that has it, by index.
    pub worst: Option<u32>,
    /// Model minus measured position of every target, m.
    pub error: Vec<Vec3<f64>>,
    /// Coordinates (indices into q) that the markers say nothing about: held at their last value. Of a ball the entry qx, qy or qz stands for turns about x, y or z.
    pub unobserved: Vec<u32>,
    /// Coordinates (indices into q) at an end of their range that the markers would draw beyond it.
    pub at_bound: Vec<u32>,
    /// Two markers (indices) whose exchange would at least halve f.
    pub swap: Option<(u32, u32)>,
    /// Fewer than three markers (in the plane two) seen on a body that hangs on the world, where the model has more.
    pub few_root_markers: bool,
    /// Largest residual of a loop, m or rad.
    pub loop_error: f64,
}

/// Why a frame cannot be fitted.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each variant's message says what its fields are
pub enum Refusal {
    NoMarker { index: u32, markers: usize },
    TargetNotFinite { marker: String },
    BadWeight { of: String, weight: f64 },
    NoCoordinate { index: u32, coordinates: usize },
    TaskOnQuaternion { coordinate: String },
    TaskNotFinite { coordinate: String },
    WrongLength { found: usize, expected: usize },
    OtherShape,
    StartNotFinite { coordinate: String },
}

impl Explain for Refusal {
    fn code(&self) -> &'static str {
        use Refusal::*;
        match self {
            NoMarker { .. } => "unknown-marker",
            TargetNotFinite { .. } => "target-not-finite",
            BadWeight { .. } => "bad-weight",
            NoCoordinate { .. } => "unknown-coordinate",
            TaskOnQuaternion { .. } => "quaternion-coordinate",
            TaskNotFinite { .. } => "task-not-finite",
            WrongLength { .. } => "wrong-count",
            OtherShape => "other-shape",
            StartNotFinite { .. } => "start-not-finite",
        }
    }

    fn message(&self) -> String {
        use Refusal::*;
        match self {
            NoMarker { index, markers } => format!("there is no marker {index}, the model has {markers}"),
            TargetNotFinite { marker } => format!("the measured position of marker `{marker}` is not finite"),
            BadWeight { of, weight } => format!("the weight of `{of}` is {weight}"),
            NoCoordinate { index, coordinates } => format!("there is no coordinate {index}, the model has {coordinates}"),
            TaskOnQuaternion { coordinate } => format!("coordinate `{coordinate}` is part of a quaternion"),
            TaskNotFinite { coordinate } => format!("the value that `{coordinate}` is drawn to is not finite"),
            WrongLength { found, expected } => format!("{found} coordinates are given, the model has {expected}"),
            OtherShape => "the solver was made for a system of another shape".into(),
            StartNotFinite { coordinate } => format!("coordinate `{coordinate}` is not finite where the search begins"),
        }
    }

    fn hint(&self) -> Option<String> {
        use Refusal::*;
        let text = match self {
            NoMarker { .. } => "markers are counted from 0 in the order of the model",
            TargetNotFinite { .. } => "leave out markers that were not seen",
            BadWeight { .. } => "a weight is finite and not negative",
            NoCoordinate { .. } | WrongLength { .. } => "coordinates are counted from 0 in the order of the model",
            OtherShape => "make a new one for this system",
            TaskOnQuaternion { .. } => "use a joint with angles: `gimbal`, or `free` with rotation = \"angles\"",
            TaskNotFinite { .. } | StartNotFinite { .. } => "give a finite number",
        };
        Some(text.into())
    }
}

/// The pose that would come next if a motion went on from `before` over `last` for as long again; `last` and the result are coordinates.
///
/// Quaternions go on turning: p ⊗ (p_before* ⊗ p).
pub fn extrapolate(skeleton: &Skeleton, before: &[f64], last: &[f64], next: &mut [f64]) {
    for (k, x) in next.iter_mut().enumerate() {
        *x = 2.0 * last[k] - before[k];
    }
    for motion in &skeleton.motions {
        if let Motion::Ball { coord, .. } = *motion {
            let coord = coord as usize;
            let (b, l) = (Quat::from_slice(&before[coord..coord + 4]), Quat::from_slice(&last[coord..coord + 4]));
            let turned = Quat { w: b.w, x: -b.x, y: -b.y, z: -b.z }.product(l);
            next[coord..coord + 4].copy_from_slice(&l.product(turned).normalized().to_array());
        }
    }
}
