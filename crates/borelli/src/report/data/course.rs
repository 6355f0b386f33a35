//! Where lines of pull lie along a run: in a page for the samples that it keeps, and in a folder of results for all of them.
//! Not here: finding out where they lie (`figure`).
//! In: courses. Out: JSON with places on bodies, and the courses again, bit for bit.

use super::packed::{f32s, f32s_of, f32s_value};
use super::read::{Wrong, each, field, index, numbers_of};
use crate::figure::{Course, Courses, Figure};
use serde_json::{Value, json};

/// All courses of a run.
pub fn courses_json(courses: &Courses) -> Value {
    let one = |course: &Course| json!({ "path": course.path, "bodies": course.bodies, "at": f32s_value(course.at.as_flattened()) });
    json!({ "paths": courses.0.iter().map(one).collect::<Vec<_>>() })
}

/// The courses again; they must fit a figure and a number of samples.
pub fn courses_of(value: &Value, figure: &Figure, samples: usize) -> Result<Courses, Wrong> {
    let one = |value: &Value| -> Result<Course, Wrong> {
        let path = index(value, "path", figure.paths.len())?;
        let body = |value: &Value| {
            let [body] = numbers_of::<1>(&json!([value]), "bodies")?;
            (0..figure.bodies.len()).find(|k| *k as f64 == body).ok_or_else(|| format!("there is no body {body}"))
        };
        let bodies: Vec<usize> = each(value, "bodies", body)?;
        let list = f32s_of(field(value, "at")?).ok_or("`at` is no packed list of numbers")?;
        let (at, rest) = list.as_chunks::<3>();
        if !rest.is_empty() || bodies.is_empty() || at.len() != samples * bodies.len() {
            return Err(format!(
                "`at` has {} numbers, and {samples} samples of {} points need {}",
                list.len(),
                bodies.len(),
                3 * samples * bodies.len()
            ));
        }
        Ok(Course { path, bodies, at: at.to_vec() })
    };
    Ok(Courses(each(value, "paths", one)?))
}

/// For every path of a figure its course at some samples, or null where fixed places tell it.
pub(super) fn kept_json(courses: &Courses, figure: &Figure, samples: &[usize]) -> String {
    let one = |path: usize| {
        let course = courses.0.iter().find(|course| course.path == path)?;
        let points = course.bodies.len();
        let at = samples.iter().flat_map(|k| course.at[k * points..(k + 1) * points].as_flattened());
        let bodies: Vec<String> = course.bodies.iter().map(usize::to_string).collect();
        Some(format!("{{\"bodies\":[{}],\"at\":{}}}", bodies.join(","), f32s(at.copied())))
    };
    super::case::joined((0..figure.paths.len()).map(one))
}
