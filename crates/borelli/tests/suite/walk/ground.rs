//! What the ground does to the walking person, and what joints do: Newton's and Euler's equations of the bodies one by one.
//! Not here: the engine's equations of motion, which they are to judge.
//! In: bodies over time. Out: forces on the feet at their centres of pressure, moments of joints.

use super::leg::{Leg, Lengths, between};
use super::path::{Frame, SWAY, Side, foot, pelvis, pelvis_frame, planned_pressure, share, trunk};
use super::space::{about, add, cross, dot, fixed, minus, now, plus, product, second, times, turn, zxy};
use borelli_testkit::jet::Jet;

/// Gravity as models have it by default, m/s².
pub const GRAVITY: f64 = 9.81;

/// A rigid body.
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    pub mass: f64,
    pub center: [f64; 3],
    /// Moments of inertia about the mass centre.
    pub inertia: [f64; 3],
}

/// A person: lengths, and pelvis, trunk, thigh, shank, foot. Legs are mirrored; their mass centres have no z.
#[derive(Clone, Copy, Debug)]
pub struct Person {
    pub lengths: Lengths,
    pub lumbar: [f64; 3],
    pub bodies: [Mass; 5],
}

/// A force with the point of the floor where it acts, and a couple about the vertical.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    pub force: [f64; 3],
    pub point: [f64; 3],
    pub couple: f64,
}

/// Everything at one time.
pub struct Instant {
    /// Coordinates: pelvis 6, trunk 3, right leg 6, left leg 6.
    pub q: [Jet; 21],
    /// Load on the right and on the left foot.
    pub loads: [Load; 2],
    /// Efforts of the coordinates after the pelvis: trunk 3, right leg 6, left leg 6.
    pub efforts: [f64; 15],
    /// How far the centre of pressure of all lies from where the feet planned it.
    pub off_plan: [f64; 3],
    /// Pelvis, trunk, right thigh, shank and foot, left thigh, shank and foot.
    pub frames: [Frame; 8],
}

/// A force and its moment about the origin of the world.
#[derive(Clone, Copy, Default)]
struct Wrench {
    force: [f64; 3],
    moment: [f64; 3],
}

impl Wrench {
    fn and(self, other: Wrench) -> Wrench {
        Wrench { force: plus(self.force, other.force), moment: plus(self.moment, other.moment) }
    }

    fn without(self, other: Wrench) -> Wrench {
        Wrench { force: minus(self.force, other.force), moment: minus(self.moment, other.moment) }
    }

    fn about(self, point: [f64; 3]) -> [f64; 3] {
        minus(self.moment, cross(point, self.force))
    }
}

impl Load {
    fn wrench(self) -> Wrench {
        Wrench { force: self.force, moment: plus(cross(self.point, self.force), [0.0, self.couple, 0.0]) }
    }
}

/// What must act on a body beside gravity so that it moves as it does.
///
/// Force m (a - g); moment about the mass centre ∫ (R u) x (R̈ u) dm = Σ_i E_i (R e_i) x (R̈ e_i) with ∫ u uᵀ dm = diag(E), E_i = tr(I)/2 - I_i.
fn needed(body: &Mass, frame: &Frame) -> Wrench {
    let center = add(frame.origin, turn(&frame.axes, fixed(body.center)));
    let mut force = times(second(center), body.mass);
    force[1] += body.mass * GRAVITY;
    let half = body.inertia.iter().sum::<f64>() / 2.0;
    let mut moment = cross(now(center), force);
    for i in 0..3 {
        let axis = [0, 1, 2].map(|k| frame.axes[k][i]);
        moment = plus(moment, times(cross(now(axis), second(axis)), half - body.inertia[i]));
    }
    Wrench { force, moment }
}

/// The walk at a time.
pub fn walk(t: f64, person: &Person) -> Instant {
    let t = Jet::line(t, 1.0);
    let root = pelvis(t, &SWAY);
    let feet = [1.0, -1.0].map(|side| foot(t, side));
    instant(root, trunk(t), feet, person, |total| {
        let shares = [1.0, -1.0].map(|side| share(t, side));
        let plans = [1.0, -1.0].map(|side| planned_pressure(t, side));
        let planned = plus(times(plans[0], shares[0]), times(plans[1], shares[1]));
        let off = minus(total.point, planned);
        // Each foot goes off its plan in proportion to its share λ: by λ/Σλ² of the whole. The mean weighted by shares is the centre of pressure of all,
        // so that the balance is exact.
        let squares: f64 = shares.iter().map(|share| share * share).sum();
        let load = |k: usize| {
            let part = |x: f64| shares[k] * x;
            if shares[k] == 0.0 {
                return Load::default();
            }
            Load { force: total.force.map(part), point: plus(plans[k], times(off, shares[k] / squares)), couple: part(total.couple) }
        };
        ([load(0), load(1)], off)
    })
}

/// Standing with a slow sway, both feet loaded alike.
pub fn stand(t: f64, person: &Person) -> Instant {
    let t = Jet::line(t, 1.0);
    let still = Jet::default();
    let height = person.lengths.thigh + person.lengths.shank + person.lengths.ankle - 0.0005;
    let angle = t * std::f64::consts::TAU;
    let root = [angle.sin() * 0.002, Jet::constant(height), angle.cos() * 0.001, still, still, still];
    let feet = [1.0, -1.0]
        .map(|side: Side| Frame { origin: fixed([0.0, person.lengths.ankle, side * person.lengths.hip]), axes: zxy([still; 3]) });
    instant(root, [still; 3], feet, person, |total| {
        let half = Load { force: times(total.force, 0.5), point: total.point, couple: total.couple / 2.0 };
        ([half, half], [0.0; 3])
    })
}

fn instant(root: [Jet; 6], back: [Jet; 3], feet: [Frame; 2], person: &Person, divide: impl Fn(&Load) -> ([Load; 2], [f64; 3])) -> Instant {
    let pelvis = pelvis_frame(&root);
    let spine = add(pelvis.origin, turn(&pelvis.axes, fixed(person.lumbar)));
    let upper = Frame { origin: spine, axes: product(&pelvis.axes, &zxy(back)) };
    let legs = [(0, 1.0), (1, -1.0)].map(|(k, side)| between(&pelvis, &feet[k], side, &person.lengths));
    let [of_pelvis, of_trunk, of_thigh, of_shank, of_foot] = &person.bodies;
    let trunk = needed(of_trunk, &upper);
    let parts = [0, 1].map(|k| [needed(of_thigh, &legs[k].thigh), needed(of_shank, &legs[k].shank), needed(of_foot, &feet[k])]);
    let all = parts.iter().flatten().fold(needed(of_pelvis, &pelvis).and(trunk), |sum, part| sum.and(*part));

    let total = pressed(&all);
    let (loads, off_plan) = divide(&total);
    let mut efforts = [0.0; 15];
    let turned = |frame: &Frame, angles: [Jet; 3]| gimbal(frame, angles).map(|axis| dot(axis, trunk.about(now(spine))));
    efforts[..3].copy_from_slice(&turned(&pelvis, back));
    for (k, side) in [1.0, -1.0].into_iter().enumerate() {
        let of_leg = leg_efforts(&pelvis, &legs[k], &feet[k], side, &parts[k], loads[k].wrench());
        efforts[3 + 6 * k..9 + 6 * k].copy_from_slice(&of_leg);
    }
    let mut q = [Jet::default(); 21];
    q[..6].copy_from_slice(&root);
    q[6..9].copy_from_slice(&back);
    q[9..15].copy_from_slice(&legs[0].q);
    q[15..].copy_from_slice(&legs[1].q);
    let [right, left] = &legs;
    let frames = [pelvis, upper, right.thigh, right.shank, feet[0], left.thigh, left.shank, feet[1]];
    Instant { q, loads, efforts, off_plan, frames }
}

/// The force on the floor Y = 0 that a wrench amounts to: its moments about X and Z vanish at the centre of pressure.
fn pressed(all: &Wrench) -> Load {
    let [fx, fy, fz] = all.force;
    let point = [all.moment[2] / fy, 0.0, -all.moment[0] / fy];
    Load { force: all.force, point, couple: all.moment[1] - (point[2] * fx - point[0] * fz) }
}

/// World directions of the axes z, x, y of a gimbal on a frame, each turned by the angles before.
fn gimbal(frame: &Frame, angles: [Jet; 3]) -> [[f64; 3]; 3] {
    let first = product(&frame.axes, &about(2, angles[0]));
    let next = product(&first, &about(0, angles[1]));
    [[0, 1, 2].map(|k| frame.axes[k][2].value), [0, 1, 2].map(|k| first[k][0].value), [0, 1, 2].map(|k| next[k][1].value)]
}

/// Moments of hip, knee and ankle about the axes of their coordinates: what the bodies below need beyond what the ground gives.
fn leg_efforts(pelvis: &Frame, leg: &Leg, foot: &Frame, side: Side, parts: &[Wrench; 3], ground: Wrench) -> [f64; 6] {
    let at_ankle = parts[2].without(ground);
    let at_knee = at_ankle.and(parts[1]);
    let at_hip = at_knee.and(parts[0]);
    let [flexion, adduction, rotation, knee, ankle, _] = leg.q;
    let hip_axes = gimbal(pelvis, [flexion, adduction * side, rotation * side]);
    let knee_axis = gimbal(&leg.thigh, [knee, Jet::default(), Jet::default()])[0];
    let ankle_axes = gimbal(&leg.shank, [ankle, Jet::default(), Jet::default()]);
    let hip = hip_axes.map(|axis| dot(axis, at_hip.about(now(leg.thigh.origin))));
    let below = |axis| dot(axis, at_ankle.about(now(foot.origin)));
    let knee = dot(knee_axis, at_knee.about(now(leg.shank.origin)));
    [hip[0], side * hip[1], side * hip[2], knee, below(ankle_axes[0]), side * below(ankle_axes[1])]
}
