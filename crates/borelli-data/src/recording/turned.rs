//! A recording in other axes: points, plates, derived vectors and the vertical turned alike.
//! Not here: which rotation to take (`axes`).
//! In: a rotation. Out: the recording with everything that is a vector of the laboratory turned.

use super::{Channel, ChannelKind, Frame, FrameSource, Outline, Plate, Recording, Repair};
use crate::format::{FormatFault, ground_column};
use borelli_math::{Mat3, Vec3, vec3};

impl Recording {
    /// This recording with every vector of the laboratory turned by `R`.
    ///
    /// Raw channels stay as they are: they are read-outs of instruments in axes of their own. Of the derived quantities those are turned that are vectors
    /// of the laboratory: lengths, and forces and moments called ground reaction; joint angles, moments and powers are in axes of segments.
    ///
    /// Tests: `turning_and_turning_back_changes_nothing`, `the_wrench_of_a_plate_turns_with_it`.
    pub fn turned(&self, R: &Mat3<f64>) -> Recording {
        let mut recording = self.clone();
        for point in &mut recording.points {
            turn_all(R, &mut point.position);
        }
        for plate in &mut recording.plates {
            turn_plate(R, plate);
        }
        for corners in recording.platforms.iter_mut().filter_map(|platform| platform.corners.as_mut()) {
            turn_all(R, corners);
        }
        for group in &mut recording.channels {
            turn_derived(R, &mut group.channels);
        }
        recording.up = recording.up.map(|up| *R * up);
        recording
    }
}

fn turn_all(R: &Mat3<f64>, list: &mut [Vec3<f64>]) {
    list.iter_mut().for_each(|v| *v = *R * *v);
}

fn turn_plate(R: &Mat3<f64>, plate: &mut Plate) {
    if let Some(corners) = &mut plate.corners {
        turn_all(R, corners);
    }
    plate.R_LP = *R * plate.R_LP;
    plate.center = *R * plate.center;
    for series in [&mut plate.force, &mut plate.moment, &mut plate.cop, &mut plate.free_moment] {
        turn_all(R, series);
    }
}

/// Whether three derived quantities `NAME.x`, `NAME.y`, `NAME.z` are a vector of the laboratory.
fn is_vector(names: [&str; 3], unit: Option<&str>) -> bool {
    let Some(name) = names[0].strip_suffix(".x") else { return false };
    let whole = names[1].strip_suffix(".y") == Some(name) && names[2].strip_suffix(".z") == Some(name);
    let ground = name.to_ascii_lowercase().replace([' ', '_'], "").contains("groundreaction");
    whole && (ground || unit == Some("m"))
}

/// Whether three columns of a table are force, point or torque of one ground reaction.
fn is_ground(names: [&str; 3]) -> bool {
    let found = names.map(ground_column);
    let [Some(x), Some(y), Some(z)] = &found else { return false };
    let same = [x, y, z].iter().all(|own| own.key == x.key && own.quantity == x.quantity);
    same && [x.axis, y.axis, z.axis] == [0, 1, 2]
}

/// Turns derived quantities that stand as three neighbours `NAME.x`, `NAME.y`, `NAME.z`.
fn turn_derived(R: &Mat3<f64>, channels: &mut [Channel]) {
    for k in 0..channels.len().saturating_sub(2) {
        let [x, y, z] = &mut channels[k..k + 3] else { continue };
        if x.kind != ChannelKind::Derived || !is_vector([&x.name, &y.name, &z.name], x.unit.as_deref()) {
            continue;
        }
        for ((x, y), z) in x.samples.iter_mut().zip(&mut y.samples).zip(&mut z.samples) {
            [*x, *y, *z] = (*R * vec3(*x, *y, *z)).to_array();
        }
    }
}

/// A source whose frames are turned: points, corners of plates, derived vectors of the laboratory, and columns of ground reactions.
pub struct Turned<'s> {
    source: Box<dyn FrameSource + 's>,
    R: Mat3<f64>,
    outline: Outline,
    /// First of three neighbours that are a vector.
    derived: Vec<usize>,
    channels: Vec<usize>,
}

impl<'s> Turned<'s> {
    /// A source turned by `R`.
    pub fn new(source: Box<dyn FrameSource + 's>, R: Mat3<f64>) -> Turned<'s> {
        let mut outline = source.outline().clone();
        for corners in outline.platforms.iter_mut().filter_map(|platform| platform.corners.as_mut()) {
            turn_all(&R, corners);
        }
        outline.up = outline.up.map(|up| R * up);
        let triples = |list: &[(String, Option<String>)], is: &dyn Fn([&str; 3], Option<&str>) -> bool| -> Vec<usize> {
            let three = |k: &usize| is([0, 1, 2].map(|axis| list[k + axis].0.as_str()), list[*k].1.as_deref());
            (0..list.len().saturating_sub(2)).filter(three).collect()
        };
        let derived = triples(&outline.derived, &is_vector);
        let channels = triples(&outline.channels, &|names, _| is_ground(names));
        Turned { source, R, outline, derived, channels }
    }
}

impl FrameSource for Turned<'_> {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn next_frame(&mut self, frame: &mut Frame) -> Result<bool, FormatFault> {
        if !self.source.next_frame(frame)? {
            return Ok(false);
        }
        frame.points.iter_mut().flatten().for_each(|point| *point = self.R * *point);
        let turn = |list: &mut [f64], k: usize| {
            let v = self.R * vec3(list[k], list[k + 1], list[k + 2]);
            list[k..k + 3].copy_from_slice(&v.to_array());
        };
        let count = frame.derived.len();
        self.derived.iter().filter(|k| **k + 2 < count).for_each(|k| turn(&mut frame.derived, *k));
        for sample in frame.samples.chunks_exact_mut(self.outline.channels.len().max(1)) {
            self.channels.iter().for_each(|k| turn(sample, *k));
        }
        Ok(true)
    }

    fn repairs(&self) -> &[Repair] {
        self.source.repairs()
    }
}
