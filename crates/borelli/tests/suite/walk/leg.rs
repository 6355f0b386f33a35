//! The angles of a leg between a given pelvis and a given foot, in closed form.
//! Not here: the engine's inverse kinematics, which they are to judge.
//! In: frames of pelvis and foot. Out: three angles of the hip, the knee, two of the ankle; frames of thigh and shank.

use super::path::{Frame, Side};
use super::space::{Rotation, Vector, about, add, fixed, product, sub, transposed, turn, zxy_angles};
use borelli_testkit::jet::Jet;

/// Lengths of a person, m.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Hip from the middle between the hips, to the right.
    pub hip: f64,
    pub thigh: f64,
    pub shank: f64,
    /// Ankle above the sole.
    pub ankle: f64,
}

/// A leg between pelvis and foot.
pub struct Leg {
    /// Hip flexion, adduction, rotation, knee, ankle, subtalar: as coordinates of the model, equal on both sides in mirrored poses.
    pub q: [Jet; 6],
    pub thigh: Frame,
    pub shank: Frame,
}

/// The leg whose six angles put the foot where it is.
///
/// Thigh, knee and shank lie in one plane, and the axes of knee and ankle are normal to it. With r the hip seen from the ankle in axes of the foot, the
/// subtalar angle turns r into that plane; its length there gives the knee by the law of cosines, its direction the ankle; what is left of
/// the foot's orientation is the hip's. Source: elementary; the leg of Kajita et al., Introduction to Humanoid Robotics, section 2.5, with the order
/// of axes of our model.
pub fn between(pelvis: &Frame, foot: &Frame, side: Side, lengths: &Lengths) -> Leg {
    let hip = add(pelvis.origin, turn(&pelvis.axes, fixed([0.0, 0.0, side * lengths.hip])));
    let r = turn(&transposed(&foot.axes), sub(hip, foot.origin));
    let (thigh, shank) = (lengths.thigh, lengths.shank);
    let subtalar = (-r[2]).atan2(r[1]);
    let up = (r[1] * r[1] + r[2] * r[2]).sqrt();
    let cosine = (r[0] * r[0] + up * up - thigh * thigh - shank * shank) * (0.5 / (thigh * shank));
    let knee = -(Jet::constant(1.0) - cosine * cosine).sqrt().atan2(cosine);
    let (x, y) = (knee.sin() * thigh, knee.cos() * thigh + shank);
    let ankle = y.atan2(x) - up.atan2(r[0]);

    let shank_axes = product(&product(&foot.axes, &about(0, -subtalar)), &about(2, -ankle));
    let thigh_axes = product(&shank_axes, &about(2, -knee));
    let [flexion, adduction, rotation] = zxy_angles(&product(&transposed(&pelvis.axes), &thigh_axes));
    let below = |axes: &Rotation, origin: Vector, length: f64| add(origin, turn(axes, fixed([0.0, -length, 0.0])));
    Leg {
        q: [flexion, adduction * side, rotation * side, knee, ankle, subtalar * side],
        thigh: Frame { origin: hip, axes: thigh_axes },
        shank: Frame { origin: below(&thigh_axes, hip, thigh), axes: shank_axes },
    }
}
