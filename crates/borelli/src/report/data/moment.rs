//! Moments in joints as vectors, from the efforts on their coordinates.
//! Not here: equations (`figure::moment`).
//! In: a case and its kept samples. Out: JSON: for every joint with efforts its number and the moment on its child in world axes, N m.

use super::packed::f64s;
use crate::figure::{FigureJoint, moment};
use crate::report::Case;
use borelli_math::Vec3;

/// What is smaller than this part of the largest moment of the run is rounding.
const ROUNDING: f64 = 1e-9;

/// Moments of one joint at samples; NaN where they are not known. None without columns of its efforts, angles and pose.
fn moments(case: &Case, joint: &FigureJoint, samples: &[usize]) -> Option<Vec<[f64; 3]>> {
    let column = |name: String| case.trajectory.column(&name);
    let efforts: Vec<&[f64]> = joint.turns.iter().map(|turn| column(format!("coord.{}.effort", turn.speed))).collect::<Option<_>>()?;
    let angle = |name: &Option<String>| name.as_ref().map_or(Some(None), |name| column(format!("coord.{name}.value")).map(Some));
    let angles: Vec<Option<&[f64]>> = joint.turns.iter().map(|turn| angle(&turn.coordinate)).collect::<Option<_>>()?;
    if efforts.is_empty() || efforts.iter().all(|list| list.iter().all(|effort| !(effort.abs() > 0.0))) {
        return None;
    }
    let at = |k: usize| {
        let angles: Vec<f64> = angles.iter().map(|list| list.map_or(0.0, |list| list[k])).collect();
        let efforts: Vec<f64> = efforts.iter().map(|list| list[k]).collect();
        let pose = case.figure.pose(joint.child.body, case.trajectory, k)?;
        Some(pose.R * moment(&joint.turns, &angles, &efforts)?)
    };
    Some(samples.iter().map(|k| at(*k).map_or([f64::NAN; 3], Vec3::to_array)).collect())
}

/// Moments of all joints that have some.
pub(super) fn moments_json(case: &Case, samples: &[usize]) -> String {
    let list = case.figure.joints.iter().enumerate().filter_map(|(k, joint)| Some((k, moments(case, joint, samples)?)));
    let list: Vec<(usize, Vec<[f64; 3]>)> = list.collect();
    let size = |vectors: &[[f64; 3]]| vectors.iter().map(|own| Vec3::from_array(*own).norm()).fold(0.0, f64::max);
    let most = list.iter().map(|(_, vectors)| size(vectors)).fold(0.0, f64::max);
    let one = |(joint, vectors): &(usize, Vec<[f64; 3]>)| {
        let lists: Vec<String> = (0..3).map(|axis| f64s(vectors.iter().map(|own| own[axis]))).collect();
        format!("{{\"joint\":{joint},\"moment\":[{}]}}", lists.join(","))
    };
    let acting = list.iter().filter(|(_, vectors)| size(vectors) > ROUNDING * most);
    format!("[{}]", acting.map(one).collect::<Vec<_>>().join(","))
}
