//! Force plates of types 1 to 4: from channels to the load on the person.
//! Not here: what a file says of its plates (`platform`), where a plate is at rest (`baseline`).
//! In: a recording with channels and platforms, SI. Out: plates in the axes of the laboratory, and what was mended or seen.

use super::C3dOptions;
use super::baseline::{Rest, rest};
use super::platform::roles_of;
use crate::recording::{Baseline, ChannelGroup, ChannelKind, Plate, PlateKind, Platform, Recording, Repair};
use borelli_math::{Mat3, Vec3, vec3};

/// How far a centre of pressure may lie outside the corners, m.
const MARGIN: f64 = 0.05;

/// Largest difference between a wrench and the one rebuilt from its centre of pressure, over the size of its parts.
const AGREEMENT: f64 = 1e-9;

/// Share of the largest load from which on a sample tells the sign of a plate.
const TELLING: f64 = 0.1;

/// Where repairs of plates stand, before their number.
const PLATE: &str = "plate ";

/// A plate that can be evaluated: plate axes x, y along its edges, z = x × y; into the floor for the usual order of corners.
///
///     X = c₁ - c₂,  Y' = c₁ - c₄,  Z = X × Y',  Y = Z × X,  R = [x y z],  S = (c₁ + c₂ + c₃ + c₄)/4          (1)
///     type 1:  F = (Fx, Fy, Fz),  M = (Px, Py, 0) × F + (0, 0, Tz)                                            (2)
///     type 2:  F, M = M_raw + F × o                                                                           (3)
///     type 3:  Fx = Fx12 + Fx34,  Fy = Fy14 + Fy23,  Fz = Fz1 + Fz2 + Fz3 + Fz4,
///              Mx = b (Fz1 + Fz2 - Fz3 - Fz4),  My = a (-Fz1 + Fz2 + Fz3 - Fz4),
///              Mz = b (-Fx12 + Fx34) + a (Fy14 - Fy23),  M = (Mx, My, Mz) + F × (0, 0, o_z)                   (4)
///     type 4:  (F, M_raw) = C raw, then as type 2                                                             (5)
///     P = (-My/Fz, Mx/Fz, 0),  T = Mz - (Px Fy - Py Fx)                                                       (6)
///     f = R F,  m_S = R M,  p = S + R P,  t = T R z                                                           (7)
///     type 3 with a polynomial:  x -= (p₀y⁴ + p₁y² + p₂) x³ + (p₃y⁴ + p₄y² + p₅) x, y likewise with p₆ to p₁₁ (8)
///
/// | F, f force on the person, N | M, m_S moment about S, N m | P, p centre of pressure, m | T, t free moment, N m |
/// | a, b = o_x, o_y places of the sensors, m | o origin of the sensor from S, m | C calibration |
///
/// Source: the user guide of the C3D format, FORCE_PLATFORM, types 1 to 4; (8) from Kistler's correction as files store it (FPCOPPOLY).
/// Departure: where o_z is positive the file means the other direction, and -o is taken. The free moment is taken at the
/// corrected place, and after (8) the moment is rebuilt from p and t.
/// Limits: (6) needs a normal load; below the threshold there is no centre of pressure.
///
/// Tests: `plates_are_those_of_the_reference`, `a_type_1_plate_obeys_its_own_equation`, `a_plate_with_reversed_signs_is_turned_and_told`.
struct Sensor<'p> {
    platform: &'p Platform,
    /// Its channels, as many as its type has, counted from zero.
    channels: Vec<usize>,
    corners: [Vec3<f64>; 4],
    R_LP: Mat3<f64>,
    center: Vec3<f64>,
    origin: Vec3<f64>,
}

/// Force and moment about the middle of the surface, plate axes.
#[derive(Clone, Copy, Default)]
struct Wrench {
    force: Vec3<f64>,
    moment: Vec3<f64>,
}

impl<'p> Sensor<'p> {
    /// The sensor, or why it cannot be used.
    fn new(platform: &'p Platform, channels: usize) -> Result<Sensor<'p>, String> {
        let needed = match platform.kind {
            4 => 6,
            kind => roles_of(kind).ok_or_else(|| format!("type {kind}, which is not among types 1 to 4"))?.len(),
        };
        let bad = |number: &&u16| **number == 0 || usize::from(**number) > channels;
        if platform.channels.len() < needed {
            return Err(format!("{} channels, a plate of type {} has {needed}", platform.channels.len(), platform.kind));
        }
        if let Some(number) = platform.channels.iter().take(needed).find(bad) {
            return Err(format!("channel number {number}, the file has channels 1 to {channels}"));
        }
        if platform.kind == 4 && platform.matrix.is_none() {
            return Err("type 4 without a calibration matrix (CAL_MATRIX)".into());
        }
        let corners = platform.corners.ok_or("no corners (CORNERS)")?;
        let (R_LP, center) = axes(&corners).ok_or("corners that span no surface")?;
        let origin = if platform.origin.z > 0.0 { -platform.origin } else { platform.origin };
        let channels = platform.channels.iter().take(needed).map(|number| usize::from(*number) - 1).collect();
        Ok(Sensor { platform, channels, corners, R_LP, center, origin })
    }

    /// Equations (2) to (5).
    fn wrench(&self, c: &[f64]) -> Wrench {
        let o = self.origin;
        match self.platform.kind {
            1 => {
                let force = vec3(c[0], c[1], c[2]);
                Wrench { force, moment: vec3(c[3], c[4], 0.0).cross(force) + vec3(0.0, 0.0, c[5]) }
            }
            3 => {
                let force = vec3(c[0] + c[1], c[2] + c[3], c[4] + c[5] + c[6] + c[7]);
                let mx = o.y * (c[4] + c[5] - c[6] - c[7]);
                let my = o.x * (-c[4] + c[5] + c[6] - c[7]);
                let mz = o.y * (-c[0] + c[1]) + o.x * (c[2] - c[3]);
                Wrench { force, moment: vec3(mx, my, mz) + force.cross(vec3(0.0, 0.0, o.z)) }
            }
            _ => {
                let row = |i: usize| match &self.platform.matrix {
                    Some(matrix) if self.platform.kind == 4 => matrix[i].iter().zip(c).map(|(entry, value)| entry * value).sum(),
                    _ => c[i],
                };
                let force = vec3(row(0), row(1), row(2));
                Wrench { force, moment: vec3(row(3), row(4), row(5)) + force.cross(o) }
            }
        }
    }

    /// Equation (6) and (8): centre of pressure and free moment, plate axes.
    fn center_of_pressure(&self, w: &Wrench) -> (Vec3<f64>, f64) {
        let (F, M) = (w.force, w.moment);
        let (mut x, mut y) = (-M.y / F.z, M.x / F.z);
        if let Some([px, py]) = self.platform.polynomial.as_ref().filter(|_| self.platform.kind == 3) {
            let less = |p: &[f64; 6], u: f64, v: f64| {
                let v2 = v * v;
                ((p[0] * v2 + p[1]) * v2 + p[2]) * u * u * u + ((p[3] * v2 + p[4]) * v2 + p[5]) * u
            };
            (x, y) = (x - less(px, x, y), y - less(py, y, x));
        }
        (vec3(x, y, 0.0), M.z - (x * F.y - y * F.x))
    }

    /// How far a point of the surface, plate axes, lies outside the corners, m; zero inside.
    fn outside(&self, p: Vec3<f64>) -> f64 {
        let corners = self.corners.map(|corner| self.R_LP.transpose_mul(corner - self.center));
        let beyond = |at: f64, of: fn(Vec3<f64>) -> f64| {
            let (low, high) = corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), c| (low.min(of(*c)), high.max(of(*c))));
            (at - high).max(low - at).max(0.0)
        };
        beyond(p.x, |c| c.x).max(beyond(p.y, |c| c.y))
    }
}

/// The normal of a plate out of the floor, for the usual order of corners; nothing where they span no surface.
pub(super) fn normal(corners: &[Vec3<f64>; 4]) -> Option<Vec3<f64>> {
    axes(corners).map(|(R, _)| -R.z)
}

/// Equation (1); nothing where the corners span no surface.
fn axes(corners: &[Vec3<f64>; 4]) -> Option<(Mat3<f64>, Vec3<f64>)> {
    let [c1, c2, c3, c4] = *corners;
    let (X, Y) = (c1 - c2, c1 - c4);
    let Z = X.cross(Y);
    let flat = !(Z.norm() > 1e-9 * X.norm() * Y.norm()) || !(X.norm() > 0.0);
    let unit = |v: Vec3<f64>| v.scale(1.0 / v.norm());
    let R = Mat3 { x: unit(X), y: unit(Z.cross(X)), z: unit(Z) };
    let finite = [R.x, R.y, R.z].iter().all(|v| v.dot(*v).is_finite());
    (!flat && finite).then(|| (R, (c1 + c2 + c3 + c4).scale(0.25)))
}

/// Computes the plates of a recording from its channels and platforms, in place of those it has. What cannot be used is told in the recording's
/// repairs and left out; its channels stay.
pub fn add_plates(recording: &mut Recording, options: &C3dOptions) {
    let mut plates = Vec::new();
    let mut repairs = Vec::new();
    let none = ChannelGroup::default();
    let analog = |group: &&ChannelGroup| group.channels.first().is_some_and(|channel| channel.kind == ChannelKind::Analog);
    let group = recording.channels.iter().find(analog).unwrap_or(&none);
    for (p, platform) in recording.platforms.iter().enumerate() {
        let name = (p + 1).to_string();
        match Sensor::new(platform, group.channels.len()) {
            Ok(sensor) => plates.push(plate(&sensor, name, group, recording.clock.count, options, &mut repairs)),
            Err(found) => repairs.push(Repair::new(format!("{PLATE}{name}"), found, "no loads of this plate; its channels can be read")),
        }
    }
    recording.plates = plates;
    recording.repairs.retain(|repair| !repair.at.starts_with(PLATE));
    recording.repairs.extend(repairs);
}

/// The plate of a sensor.
fn plate(sensor: &Sensor<'_>, name: String, group: &ChannelGroup, frames: usize, options: &C3dOptions, repairs: &mut Vec<Repair>) -> Plate {
    let at = format!("{PLATE}{name}");
    let platform = sensor.platform;
    if platform.origin.z > 0.0 && platform.kind != 1 {
        let found = format!("origin at z = {:.2} mm, above the surface", 1e3 * platform.origin.z);
        repairs.push(Repair::new(&at, found, "its opposite is taken"));
    }
    let columns: Vec<&[f64]> = sensor.channels.iter().map(|k| group.channels[*k].samples.as_slice()).collect();
    let count = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    let mut values = vec![0.0; columns.len()];
    let mut at_sample = |k: usize, offset: &[f64]| {
        values.iter_mut().zip(&columns).zip(offset).for_each(|((value, column), offset)| *value = column[k] - offset);
        sensor.wrench(&values)
    };
    let mut offset = vec![0.0; columns.len()];
    let load: Vec<f64> = (0..count).map(|k| -at_sample(k, &offset).force.z).collect();
    let mut baseline = None;
    if let Some(Rest { samples, why }) = rest(options.baseline, platform.zero, frames, &group.clock, &load, &at, repairs) {
        for (offset, column) in offset.iter_mut().zip(&columns) {
            *offset = column[samples.clone()].iter().sum::<f64>() / samples.len() as f64;
        }
        if platform.kind == 1 {
            // a place at rest has no meaning
            (offset[3], offset[4]) = (0.0, 0.0);
        }
        let Wrench { force, moment } = sensor.wrench(&offset);
        let from = (group.clock.time(samples.start), group.clock.time(samples.end - 1));
        if force != Vec3::ZERO || moment != Vec3::ZERO {
            let found = format!(
                "rests at a normal load of {:.2} N, force ({:.2}, {:.2}, {:.2}) N, moment ({:.3}, {:.3}, {:.3}) N m in plate axes, from {:.3} to {:.3} s ({why})",
                -force.z, force.x, force.y, force.z, moment.x, moment.y, moment.z, from.0, from.1
            );
            repairs.push(Repair::new(&at, found, "subtracted"));
            baseline = Some(Baseline { force, moment, from });
        }
    }
    let mut wrenches: Vec<Wrench> = (0..count).map(|k| at_sample(k, &offset)).collect();
    if let Some((against, telling)) = reversed(&wrenches, options.threshold) {
        let found = format!("the normal load is negative in {against} of {telling} loaded samples");
        repairs.push(Repair::new(&at, found, "signs of force and moment are turned"));
        let turn = |w: &mut Wrench| *w = Wrench { force: -w.force, moment: -w.moment };
        wrenches.iter_mut().for_each(turn);
        if let Some(baseline) = &mut baseline {
            (baseline.force, baseline.moment) = (-baseline.force, -baseline.moment);
        }
    }
    to_laboratory(sensor, name, group, &wrenches, options, baseline, repairs)
}

/// How many of the clearly loaded samples have a negative normal load, where those are most.
fn reversed(wrenches: &[Wrench], threshold: f64) -> Option<(usize, usize)> {
    let largest = wrenches.iter().fold(0.0f64, |largest, w| largest.max(w.force.z.abs()));
    let limit = threshold.max(TELLING * largest);
    let telling = wrenches.iter().filter(|w| w.force.z.abs() > limit);
    let (against, telling) = telling.fold((0, 0), |(against, all), w| (against + usize::from(w.force.z > 0.0), all + 1));
    (2 * against > telling).then_some((against, telling))
}

/// Equation (7) for every sample, with the checks of what comes out.
fn to_laboratory(
    sensor: &Sensor<'_>,
    name: String,
    group: &ChannelGroup,
    wrenches: &[Wrench],
    options: &C3dOptions,
    baseline: Option<Baseline>,
    repairs: &mut Vec<Repair>,
) -> Plate {
    let at = format!("{PLATE}{name}");
    let (R, S) = (sensor.R_LP, sensor.center);
    let mut plate = Plate {
        name,
        kind: PlateKind::Platform(sensor.platform.kind),
        corners: Some(sensor.corners),
        R_LP: R,
        center: S,
        clock: crate::recording::Clock { count: wrenches.len(), ..group.clock.clone() },
        force: Vec::with_capacity(wrenches.len()),
        moment: Vec::with_capacity(wrenches.len()),
        cop: Vec::with_capacity(wrenches.len()),
        free_moment: Vec::with_capacity(wrenches.len()),
        loaded: Vec::with_capacity(wrenches.len()),
        threshold: options.threshold,
        baseline,
    };
    let (mut outside, mut farthest, mut worst, mut no_place) = (0, 0.0f64, 0.0f64, 0);
    for w in wrenches {
        let (f, mut m) = (R * w.force, R * w.moment);
        let (mut p, mut t, mut loaded) = (Vec3::ZERO, Vec3::ZERO, -w.force.z > options.threshold);
        if loaded {
            let (P, T) = sensor.center_of_pressure(w);
            (p, t) = (S + R * P, R.z.scale(T));
            let rebuilt = (p - S).cross(f) + t;
            if !rebuilt.dot(rebuilt).is_finite() {
                no_place += 1;
                (p, t, loaded) = (Vec3::ZERO, Vec3::ZERO, false);
            } else {
                let beyond = sensor.outside(P);
                outside += usize::from(beyond > MARGIN);
                farthest = farthest.max(beyond);
                if sensor.platform.polynomial.is_some() && sensor.platform.kind == 3 {
                    m = rebuilt;
                } else {
                    worst = worst.max((rebuilt - m).norm() / (m.norm() + (p - S).norm() * f.norm() + t.norm()).max(f64::MIN_POSITIVE));
                }
            }
        }
        plate.force.push(f);
        plate.moment.push(m);
        plate.cop.push(p);
        plate.free_moment.push(t);
        plate.loaded.push(loaded);
    }
    if outside > 0 {
        let found = format!("centre of pressure up to {farthest:.3} m outside the corners, farther than {MARGIN} m in {outside} samples");
        repairs.push(Repair::new(&at, found, "left as it is; look at corners, origin and channels"));
    }
    if no_place > 0 {
        repairs.push(Repair::new(&at, format!("{no_place} loaded samples without a finite centre of pressure"), "treated as unloaded"));
    }
    if worst > AGREEMENT {
        let found = format!("moment and centre of pressure disagree by {worst:.1e} of their size");
        repairs.push(Repair::new(&at, found, "left as it is"));
    }
    plate
}
