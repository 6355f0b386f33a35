//! The prescribed part of the walk: where pelvis, trunk and feet are at any time, twice continuously differentiable.
//! Not here: joint angles (`leg`), forces (`ground`).
//! In: time. Out: poses with their derivatives.
//!
//! Steady level walking along X: every stride is the last one, a stride's length farther. A foot lands on its heel, goes flat, stands, rises about its
//! toe, and swings; while it stands, heel or toe stay where they are to a tenth of a millimetre. The path of the pelvis is a short Fourier series, found once
//! by taking away from it, again and again, the harmonics of the distance between centre of pressure and plan, each divided by 1 + h ω²/g, as an inverted pendulum of height h asks.

use super::space::{Rotation, Vector, about, add, fixed, product, sub, turn, zxy};
use borelli_testkit::jet::Jet;
use std::array::from_fn;
use std::f64::consts::TAU;

/// Time from strike to strike of the same foot, s.
pub const STRIDE: f64 = 1.05;
/// Walking speed, m/s.
pub const SPEED: f64 = 1.25;
/// Part of the stride for which a foot is on the ground.
pub const STANCE: f64 = 0.62;
/// Heel to heel across the direction of walking, m.
pub const STEP_WIDTH: f64 = 0.12;
/// First strike of the right foot, s.
pub const FIRST_STRIKE: f64 = 0.12;
/// Heel and toe in the axes of the foot, m: what the model calls `heel` and `toe`.
pub const HEEL: [f64; 3] = [-0.05, -0.08, 0.0];
pub const TOE: [f64; 3] = [0.19, -0.08, 0.0];
/// Feet point outwards, degrees.
const TOE_OUT: f64 = 6.0;
/// Pitch of the foot at strike, and how far it turns about its toe, degrees.
const STRIKE_PITCH: f64 = 18.0;
const RISE: f64 = 84.0;
/// When the sole lies flat, and when the heel rises, in strides after strike.
const FLAT: f64 = 0.12;
const HEEL_RISE: f64 = 0.32;
/// How far sole and floor give to and fro, m: markers that stay exactly where they are for many frames would look like markers that were lost.
pub const GIVE: f64 = 1e-4;
/// Extra height of a swinging foot, m.
const CLEARANCE: f64 = 0.05;

/// What of the walk is tuned: the way of the pelvis about its steady advance, m, as cosine and sine of harmonics of the stride.
#[derive(Clone, Debug)]
pub struct Sway {
    /// Where the pelvis is at the first strike of the right foot, on average, before the heel.
    pub lead: f64,
    /// Height of the hips: mean and half the way up and down.
    pub height: [f64; 2],
    /// Harmonics 2, 4, 6 and 8, forward.
    pub forward: [[f64; 2]; 4],
    /// Harmonics 1, 3, 5 and 7, to the right.
    pub across: [[f64; 2]; 4],
}

/// The sway of this walk.
pub const SWAY: Sway = Sway {
    lead: -0.26509,
    height: [0.892, 0.018],
    forward: [[-0.0096, 0.00886], [-0.00113, -0.00143], [-0.00036, -0.00021], [-0.0001, -0.00009]],
    across: [[-0.01694, 0.02742], [-0.00076, 0.00075], [-0.00029, -0.00004], [-0.00001, -0.00004]],
};

/// The side of a foot: +1 right, -1 left.
pub type Side = f64;

/// A body frame over time.
#[derive(Clone, Copy)]
pub struct Frame {
    pub origin: Vector,
    pub axes: Rotation,
}

/// Smooth step from 0 at 0 to 1 at 1 whose first three derivatives vanish at both ends: 35 x⁴ - 84 x⁵ + 70 x⁶ - 20 x⁷.
pub fn step(x: Jet) -> Jet {
    if x.value <= 0.0 {
        return Jet::default();
    }
    if x.value >= 1.0 {
        return Jet::constant(1.0);
    }
    let (x2, p) = (x * x, Jet::constant(35.0) - x * 84.0 + x * x * 70.0 - x * x * x * 20.0);
    x2 * x2 * p
}

/// Stride and phase of a foot: how many strikes it has had since the first, and the part of a stride since the last.
pub fn phase(t: Jet, side: Side) -> (f64, Jet) {
    let strides = (t - FIRST_STRIKE) * (1.0 / STRIDE) - if side > 0.0 { 0.0 } else { 0.5 };
    let n = strides.value.floor();
    (n, strides - n)
}

/// Where the heel of a foot stands after its strike number `n`, m.
pub fn heel_print(n: f64, side: Side) -> [f64; 3] {
    let strides = n + if side > 0.0 { 0.0 } else { 0.5 };
    [strides * SPEED * STRIDE, 0.0, side * STEP_WIDTH / 2.0]
}

/// The point of the floor at a distance before the heel print, along the foot.
pub fn before_heel(n: f64, side: Side, distance: Jet) -> Vector {
    let ahead = turn(&heading(side), [distance, Jet::default(), Jet::default()]);
    add(fixed(heel_print(n, side)), ahead)
}

fn heading(side: Side) -> Rotation {
    about(1, Jet::constant(-side * TOE_OUT.to_radians()))
}

/// A foot, its origin in the ankle.
pub fn foot(t: Jet, side: Side) -> Frame {
    let (n, s) = phase(t, side);
    let mut frame = firm_foot(n, s, side);
    frame.origin[0] = frame.origin[0] + (s * TAU).sin() * GIVE;
    frame
}

/// A foot on a floor that does not give at all.
fn firm_foot(n: f64, s: Jet, side: Side) -> Frame {
    let fall = Jet::constant(1.0) - step(s * (1.0 / FLAT));
    let rise = step((s - HEEL_RISE) * (1.0 / 0.46));
    let recover = step((s - 0.62) * (1.0 / 0.36));
    let pitch = fall * STRIKE_PITCH - rise * RISE + recover * (RISE + STRIKE_PITCH);
    let axes = product(&heading(side), &about(2, pitch * 1f64.to_radians()));
    let on_heel = |n: f64| sub(fixed(heel_print(n, side)), turn(&axes, fixed(HEEL)));
    let on_toe = sub(before_heel(n, side, Jet::constant(TOE[0] - HEEL[0])), turn(&axes, fixed(TOE)));
    if s.value < (FLAT + HEEL_RISE) / 2.0 {
        return Frame { origin: on_heel(n), axes };
    }
    // In swing from the turn about the old toe print to that about the next heel print.
    let swing = (s - STANCE) * (1.0 / (1.0 - STANCE));
    if swing.value <= 0.0 {
        return Frame { origin: on_toe, axes };
    }
    let (square, left) = (swing * swing, Jet::constant(1.0) - swing);
    let done = square * swing * (square * 6.0 - swing * 15.0 + 10.0);
    let hump = square * swing * left * left * left * 64.0;
    let next = on_heel(n + 1.0);
    let mut origin: Vector = from_fn(|k| on_toe[k] + (next[k] - on_toe[k]) * done);
    // the toe hangs low while the heel comes down: the foot is lowered later than it is carried forward
    origin[1] = on_toe[1] + (next[1] - on_toe[1]) * done * done + hump * CLEARANCE;
    Frame { origin, axes }
}

/// Coordinates of the pelvis: three displacements, tilt, list, rotation.
pub fn pelvis(t: Jet, sway: &Sway) -> [Jet; 6] {
    let strides = (t - FIRST_STRIKE) * (1.0 / STRIDE);
    let wave = |first: f64, amplitudes: &[[f64; 2]; 4]| {
        let harmonic = |sum: Jet, (k, [cosine, sine]): (usize, &[f64; 2])| {
            let angle = strides * ((first + 2.0 * k as f64) * TAU);
            sum + angle.cos() * *cosine + angle.sin() * *sine
        };
        amplitudes.iter().enumerate().fold(Jet::default(), harmonic)
    };
    let degrees = 1f64.to_radians();
    // lowest in double support; list and rotation highest towards the leg in front
    let middle = (STANCE - 0.5) / 2.0;
    let bob = ((strides - 0.03) * (2.0 * TAU)).cos();
    let lean = ((strides - middle) * TAU).sin();
    let reach = ((strides - 0.02) * TAU).cos();
    [
        strides * (SPEED * STRIDE) + sway.lead + wave(2.0, &sway.forward),
        bob * -sway.height[1] + sway.height[0],
        wave(1.0, &sway.across),
        bob * degrees - 6.0 * degrees,
        lean * (-4.0 * degrees),
        reach * (5.0 * degrees),
    ]
}

/// Coordinates of the trunk on the pelvis: extension, bending, rotation. It stays nearly upright and turns against the pelvis.
pub fn trunk(t: Jet) -> [Jet; 3] {
    let [_, _, _, tilt, list, rotation] = pelvis(t, &Sway { lead: 0.0, height: [0.0; 2], forward: [[0.0; 2]; 4], across: [[0.0; 2]; 4] });
    [-tilt, list * -0.8, rotation * -1.6]
}

/// The frame of the pelvis.
pub fn pelvis_frame(q: &[Jet; 6]) -> Frame {
    Frame { origin: [q[0], q[1], q[2]], axes: zxy([q[3], q[4], q[5]]) }
}

/// Share of the load on a foot: from nothing to everything in double support.
pub fn share(t: Jet, side: Side) -> f64 {
    let (_, s) = phase(t, side);
    let double = STANCE - 0.5;
    (step(s * (1.0 / double)) - step((s - 0.5) * (1.0 / double))).value
}

/// Where the centre of pressure of a foot is planned, on the floor: from the heel print to the toe in the course of stance.
pub fn planned_pressure(t: Jet, side: Side) -> [f64; 3] {
    let (n, s) = phase(t, side);
    // a little inside heel and toe, fast over the heel and slow over the toe
    let left = 1.0 - (s.value / STANCE).clamp(0.0, 1.0);
    let along = 0.225 - 0.205 * left * left;
    super::space::now(before_heel(n, side, Jet::constant(along)))
}
