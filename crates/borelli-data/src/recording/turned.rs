//! A recording in other axes: points, plates, derived vectors and the vertical turned alike.
//! Not here: which rotation to take (`axes`).
//! In: a rotation. Out: the recording with everything that is a vector of the laboratory turned.

use super::{Channel, ChannelKind, Plate, Recording};
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

/// Turns derived quantities that stand as three neighbours `NAME.x`, `NAME.y`, `NAME.z`.
fn turn_derived(R: &Mat3<f64>, channels: &mut [Channel]) {
    let stem = |channel: &Channel, end: &str| channel.name.strip_suffix(end).map(str::to_string);
    for k in 0..channels.len().saturating_sub(2) {
        let [x, y, z] = &mut channels[k..k + 3] else { continue };
        let Some(name) = stem(x, ".x") else { continue };
        let whole = stem(y, ".y").as_ref() == Some(&name) && stem(z, ".z").as_ref() == Some(&name);
        let ground = name.to_ascii_lowercase().replace([' ', '_'], "").contains("groundreaction");
        let lengths = x.unit.as_deref() == Some("m");
        if x.kind != ChannelKind::Derived || !whole || !(ground || lengths) {
            continue;
        }
        for ((x, y), z) in x.samples.iter_mut().zip(&mut y.samples).zip(&mut z.samples) {
            [*x, *y, *z] = (*R * vec3(*x, *y, *z)).to_array();
        }
    }
}
