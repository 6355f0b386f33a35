//! How pressures of an ellipsoid on a mat change with the few things that they depend on, whatever moves these.
//! Not here: pressures themselves (`mat`), which parameters there are.
//! In: what presses, plain or over duals of parameters. Out: the same over duals of its own 15 numbers; how these change with the parameters.
//!
//! A pressure depends on its parameters x through the numbers l of `LOCAL` only, so that one look over duals of l serves all parameters:
//!
//!     ∂p/∂x = Σ ∂p/∂l ∂l/∂x                                                                        (1)
//!
//! The rotation R changes as R (1 + [φ]×), so that φ = vee(Rᵀ ∂R).
//!
//! Tests: `slopes_of_cells_are_those_of_differences`.

use super::Contacts;
use super::mat::{Mat, Pressing};
use crate::parts::{PlacePart, Slot};
use borelli_contact::pressure::Twist;
use borelli_contact::volume::{SemiAxes, Volumetric};
use borelli_math::{Constant, Dual, Mat3, Real, Vec3, vec3};

/// Numbers that pressures of an ellipsoid depend on: centre (3), turn (3), speed along the normal, angular velocity about X and Z of the mat, semi-axes (3),
/// stiffness, dissipation and softness of its bed.
pub const LOCAL: usize = 15;

type Local = Dual<LOCAL>;

/// [v]×.
fn cross<S: Real>(v: Vec3<S>) -> Mat3<S> {
    Mat3 { x: vec3(S::ZERO, v.z, -v.y), y: vec3(-v.z, S::ZERO, v.x), z: vec3(v.y, -v.x, S::ZERO) }
}

impl<S: Real + Constant<S>> Pressing<S, S> {
    /// Its own numbers in the order of `LOCAL`, but for the turn.
    fn numbers(&self) -> [S; LOCAL] {
        let (Twist { at, velocity, angular }, law, axes) = (&self.twist, &self.law, &self.axes);
        let turn = S::ZERO;
        [
            at.x,
            at.y,
            at.z,
            turn,
            turn,
            turn,
            velocity.y,
            angular.x,
            angular.z,
            axes.a,
            axes.b,
            axes.c,
            law.stiffness,
            law.dissipation,
            law.softness,
        ]
    }
}

impl Pressing<f64, f64> {
    /// The same over duals of its own numbers.
    pub fn local(&self) -> Pressing<Local, Local> {
        let mut k = 0;
        let [x, y, z, turn_x, turn_y, turn_z, v, w_x, w_z, a, b, c, stiffness, dissipation, softness] = self.numbers().map(|number| {
            k += 1;
            Local::variable(number, k - 1)
        });
        let still = |x: Vec3<f64>| Vec3::lift(x);
        let R = Mat3 { x: still(self.R_ME.x), y: still(self.R_ME.y), z: still(self.R_ME.z) };
        let Twist { velocity, angular, .. } = self.twist;
        let lift = Local::from_f64;
        Pressing {
            law: Volumetric { stiffness, dissipation, softness },
            axes: SemiAxes { a, b, c },
            R_ME: R + R * cross(vec3(turn_x, turn_y, turn_z)),
            twist: Twist {
                at: vec3(x, y, z),
                velocity: vec3(lift(velocity.x), v, lift(velocity.z)),
                angular: vec3(w_x, lift(angular.y), w_z),
            },
        }
    }
}

impl<const N: usize> Pressing<Dual<N>, Dual<N>> {
    /// How its own numbers change along each direction.
    pub fn changes(&self) -> [[f64; N]; LOCAL] {
        let mut changes = self.numbers().map(|number| number.eps);
        let R = self.R_ME;
        for k in 0..N {
            let along = |v: Vec3<Dual<N>>| vec3(v.x.eps[k], v.y.eps[k], v.z.eps[k]);
            let turn = R.values().transpose() * Mat3 { x: along(R.x), y: along(R.y), z: along(R.z) };
            (changes[3][k], changes[4][k], changes[5][k]) = (turn.y.z, turn.z.x, turn.x.y);
        }
        changes
    }
}

impl Contacts<Slot> {
    /// Parameters that a mat has beside the joints of the tree: its place, that of its plane, and the plane itself.
    pub fn slots_of_mat(&self, mat: &Mat<Slot>, places: &[PlacePart<Slot>]) -> Vec<usize> {
        let mut slots = Vec::new();
        let mut note = |slot: &Slot| {
            slots.extend(slot.index());
            *slot
        };
        let plane = &self.surfaces[mat.surface as usize].item;
        plane.shape.map(&mut note);
        for place in [mat.place, plane.place] {
            places[place as usize].each_slot(&mut |slot| {
                note(slot);
            });
        }
        slots
    }
}
