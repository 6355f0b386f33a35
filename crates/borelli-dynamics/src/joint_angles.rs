//! Angles and displacements between two frames as Grood and Suntay define them for the knee, for either side of the body.
//! Not here: coordinates of joints, which need not be these; columns.
//! In: poses of two frames with X to the front, Y up along the bone and Z to the right of the person, and a point of the distal body. Out: six numbers.
//!
//! With I, J, K the proximal axes to the outside, to the front and up, i, j, k the distal ones, e₁ = I, e₃ = k, e₂ = k × I/|k × I| the floating axis, and H
//! from the proximal origin to the point,
//!
//!     flexion            atan2(−e₂·K, e₂·J)          the distal end goes back
//!     adduction          asin(I·k)                   the distal end goes to the middle of the body
//!     external rotation  atan2(−e₂·i, e₂·j)          the front turns to the outside
//!     lateral H·e₁        anterior H·e₂        distraction −H·e₃                                     (1)
//!
//! On the right side I = Z, J = X, K = Y. The left side is looked at in the mirror: with S = diag(1, 1, −1) in proximal axes the relative rotation R becomes
//! S R S and H becomes S H, so that equal numbers mean mirrored poses.
//! Source: Grood, Suntay 1983, J. Biomech. Eng. 105:136-144; signs by the motion they mean, where the paper's differ between the sides.
//! Limits: where the distal bone lies along the proximal Z axis (adduction of 90 degrees) flexion and rotation are not determined.

use crate::compile::Context;
use crate::system::Numbers;
use borelli_math::{Constant, Mat3, Real, Vec3, vec3};
use borelli_model::{Element, Field, FieldKind, Fields, Findings, Need};

/// Fields of `[joint_angles.NAME]`.
pub static JOINT_ANGLES: &[Field] = &[
    Field { name: "proximal", kind: FieldKind::Place, need: Need::Required, doc: "frame on the body nearer to the trunk" },
    Field { name: "distal", kind: FieldKind::Place, need: Need::Required, doc: "frame on the other body" },
    Field {
        name: "point",
        kind: FieldKind::Place,
        need: Need::Optional,
        doc: "point whose displacement is told; the origin of `distal` unless given",
    },
    Field { name: "side", kind: FieldKind::Choice(&["right", "left"]), need: Need::Required, doc: "side of the body" },
];

/// Two frames and a point between which angles and displacements are told.
#[derive(Clone, Debug, PartialEq)]
pub struct JointAngles {
    /// Name.
    pub name: String,
    /// Place of the proximal frame.
    pub proximal: u32,
    /// Place of the distal frame.
    pub distal: u32,
    /// Place of the point.
    pub point: u32,
    /// Whether it is a joint of the left side.
    pub left: bool,
}

/// What (1) gives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grood<S = f64> {
    /// Flexion, adduction, external rotation, rad.
    pub angles: [S; 3],
    /// Lateral, anterior, distraction, m.
    pub shifts: [S; 3],
}

/// Reads all elements of the section.
pub(crate) fn read(elements: &[Element], context: &mut Context, findings: &mut Findings) -> Vec<JointAngles> {
    let mut list = Vec::new();
    for element in elements {
        let mut fields = Fields::read(element, &[JOINT_ANGLES], context.dimension, findings);
        let (proximal, distal) = (context.place(&mut fields, "proximal"), context.place(&mut fields, "distal"));
        let point = if fields.has("point") { context.place(&mut fields, "point") } else { distal };
        let left = fields.choice("side") == Some("left");
        if let (Some(proximal), Some(distal), Some(point)) = (proximal, distal, point) {
            list.push(JointAngles { name: element.name.clone(), proximal, distal, point, left });
        }
    }
    list
}

impl JointAngles {
    /// The numbers for poses of all kernel frames: their origins and axes in the world.
    pub fn look<S: Constant<S>>(&self, numbers: &Numbers<S>, p: &[Vec3<S>], R: &[Mat3<S>]) -> Grood<S> {
        let (tree, body) = (&numbers.tree, &numbers.place_body);
        let [proximal, distal, point] = [self.proximal, self.distal, self.point].map(|place| {
            let (k, b) = (place as usize, body[place as usize] as usize);
            (p[b] + R[b] * tree.place_p[k], R[b] * tree.place_R[k])
        });
        let turn = proximal.1.transpose() * distal.1;
        grood(&turn, proximal.1.transpose_mul(point.0 - proximal.0), self.left)
    }
}

/// (1), from the axes of the distal frame and H, both in proximal axes.
pub fn grood<S: Real>(turn: &Mat3<S>, H: Vec3<S>, left: bool) -> Grood<S> {
    let s = S::from_f64(if left { -1.0 } else { 1.0 });
    let mirrored = |a: Vec3<S>| vec3(a.x, a.y, s * a.z);
    // S R S: the third axis gets the other sign, too.
    let (j, k, i) = (mirrored(turn.x), mirrored(turn.y), mirrored(turn.z).scale(s));
    let H = mirrored(H);
    let [x, y] = [k.x, k.y].map(S::value);
    let length = x.hypot(y);
    // With the third axis upright the floating one is lost, and with it its slope.
    let (across, e2) = if length > 0.0 {
        let across = k.x.chain2(k.y, length, x / length, y / length);
        (across, vec3(k.y / across, -k.x / across, S::ZERO))
    } else {
        (S::ZERO, vec3(S::ONE, S::ZERO, S::ZERO))
    };
    Grood { angles: [k.x.atan2(k.y), k.z.atan2(across), (-e2.dot(i)).atan2(e2.dot(j))], shifts: [H.z, H.dot(e2), -H.dot(k)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::{rotation_vector, vec3};

    fn turn(axis: Vec3<f64>, angle: f64) -> Mat3<f64> {
        rotation_vector(axis.scale(angle))
    }

    /// Rotations by the three angles one after the other, about the axes they are defined about, give them back: on the right a negative turn about Z flexes, a
    /// positive one about the floating X adducts, a negative one about the distal Y turns outwards.
    #[test]
    fn turns_about_the_three_axes_are_told_apart() {
        for (flexion, adduction, rotation) in
            [(0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, -0.3), (1.9, -0.35, 0.6), (-2.7, 1.2, -2.2)]
        {
            let R = turn(vec3(0.0, 0.0, 1.0), -flexion) * turn(vec3(1.0, 0.0, 0.0), adduction) * turn(vec3(0.0, 1.0, 0.0), -rotation);
            let found = grood(&R, Vec3::ZERO, false).angles;
            for (found, given) in found.into_iter().zip([flexion, adduction, rotation]) {
                assert!((found - given).abs() < 1e-14, "{found} {given}");
            }
        }
    }

    /// What the words mean: where a foot at the distal end and toes at the front go.
    #[test]
    fn signs_are_those_of_the_motion() {
        let foot = vec3(0.0, -1.0, 0.0);
        for (left, out) in [(false, 1.0), (true, -1.0)] {
            let flexed = turn(vec3(0.0, 0.0, 1.0), -0.3);
            assert!((flexed * foot).x < 0.0 && grood(&flexed, Vec3::ZERO, left).angles[0] > 0.29);
            // A foot that goes to the middle of the body: to the left on the right side.
            let adducted = turn(vec3(1.0, 0.0, 0.0), 0.3 * out);
            assert!((adducted * foot).z * out < 0.0 && grood(&adducted, Vec3::ZERO, left).angles[1] > 0.29);
            let outward = turn(vec3(0.0, 1.0, 0.0), -0.3 * out);
            assert!((outward * vec3(1.0, 0.0, 0.0)).z * out > 0.0 && grood(&outward, Vec3::ZERO, left).angles[2] > 0.29);
            let shifts = grood(&Mat3::IDENTITY, vec3(0.02, -0.03, 0.01 * out), left).shifts;
            assert_eq!(shifts, [0.01, 0.02, 0.03]);
        }
    }

    /// Displacements are along e₁, e₂ and −e₃, in closed form for a flexion of a right angle: forward of the shank is then down the thigh.
    #[test]
    fn displacements_follow_the_floating_axis() {
        let R = turn(vec3(0.0, 0.0, 1.0), -std::f64::consts::FRAC_PI_2);
        let found = grood(&R, vec3(0.003, -0.005, 0.007), false).shifts;
        for (found, given) in found.into_iter().zip([0.007, 0.005, -0.003]) {
            assert!((found - given).abs() < 1e-16, "{found} {given}");
        }
    }

    /// The mirror image of any pose has the same numbers on the other side.
    #[test]
    fn the_left_side_is_the_mirror_image_of_the_right() {
        let R = rotation_vector(vec3(0.3, -0.8, 0.5));
        let H = vec3(0.01, -0.02, 0.005);
        let flip = |a: Vec3<f64>| vec3(a.x, a.y, -a.z);
        let mirrored = Mat3 { x: flip(R.x), y: flip(R.y), z: flip(R.z).scale(-1.0) };
        assert_eq!(grood(&R, H, false), grood(&mirrored, flip(H), true));
    }
}
