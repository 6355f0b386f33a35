//! Numbers and geometry: the scalar trait, dual numbers, small vectors, rotations, functions of one variable, formulas over several; how numbers
//! are declared.
//! Not here: bodies, joints, files. This crate has never heard of a segment.
//! In and out: plain numbers, SI and radians.

pub mod arc_tangent;
pub mod banded;
pub mod declaration;
pub mod dual;
pub mod exponential;
pub mod function;
pub mod linalg;
pub mod random;
pub mod real;
pub mod rotation;
pub mod sparse_ldl;
pub mod vec3;

pub use declaration::{Declaration, Need, Range, with_unit};
pub use dual::Dual;
pub use real::{Constant, Real};
pub use rotation::{Quat, rotation_about, rotation_log, rotation_vector};
pub use vec3::{Mat3, Sym3, Vec3, vec3};
