//! Joints: how a child may move on its parent. One joint per file, one line in the list below.
//! Not here: kinematics (`frames`), which sees only the elementary motions a joint is made of, and constraints.
//! In: the joint's own fields. Out: its motions (slides before turns) and the names and measures of its coordinates.

mod ball;
mod free;
mod function;
mod gimbal;
mod hinge;
mod planar;
mod slider;
mod universal;
mod weld;

use crate::compile::Context;
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::{Fields, Kind};

/// A joint type.
pub struct JointKind {
    /// Name and own fields in model files.
    pub kind: Kind,
    /// Reads the own fields.
    pub build: fn(&mut Fields, &mut Context) -> Option<Shape>,
}

/// What a joint is made of.
pub struct Shape {
    /// Elementary motions, slides before turns.
    pub motions: Vec<MotionPart>,
    /// Ends of default names and measures of coordinates.
    pub coordinates: Vec<(&'static str, Measure)>,
    /// The same for speeds, where they are not the rates of the coordinates.
    pub speeds: Option<Vec<(&'static str, Measure)>>,
}

impl Shape {
    /// A joint whose speeds are the rates of its coordinates.
    fn simple(motions: Vec<MotionPart>, coordinates: Vec<(&'static str, Measure)>) -> Option<Shape> {
        Some(Shape { motions, coordinates, speeds: None })
    }
}

/// All joint types.
pub static JOINTS: &[&JointKind] = &[
    &weld::WELD,
    &hinge::HINGE,
    &slider::SLIDER,
    &universal::UNIVERSAL,
    &gimbal::GIMBAL,
    &ball::BALL,
    &planar::PLANAR,
    &free::FREE,
    &function::FUNCTION,
];

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A direction of unit length in space; planar directions get a third entry of zero. Axes that are exactly along X, Y or Z stay exact.
fn unit(direction: &[f64]) -> [f64; 3] {
    let mut v = [0.0; 3];
    v[..direction.len()].copy_from_slice(direction);
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}
