//! The answer of a sweep: one number of a column for each case, over what is swept.
//! Not here: drawing (`report::chart`, `plot`), measures (`borelli-study`).
//! In: what is swept, and the samples of a column in each case. Out: points in the order of what is swept.

use crate::label;
use borelli_study::measure::{self, Inputs, Options, Series, Subject};
use borelli_study::read::Over;

/// The name of the axis of what is swept: the last word of its path, and the unit.
pub fn axis(over: &Over) -> String {
    let name = label::element(over.path.rsplit('.').next().unwrap_or_default());
    match over.unit.as_str() {
        // One number for entries of several units.
        "" if over.path == "integrator.atol" => format!("{name} / SI unit of each coordinate"),
        "" => format!("{name} / pure number"),
        unit => format!("{name} / {unit}"),
    }
}

/// By what factor positive values of a sweep differ; nothing where one is not positive.
fn factor<'v>(values: impl Iterator<Item = &'v f64>) -> Option<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(*x), high.max(*x)));
    (low > 0.0 && high > 0.0).then_some(high / low)
}

/// Which axes of a sweep are logarithmic: one whose values span more than a factor of 100, and both where each spans 10, since what is asked
/// there is how one grows with the other: a power is a straight line.
pub fn logarithmic<'v>(x: impl Iterator<Item = &'v f64>, y: impl Iterator<Item = &'v f64>) -> [bool; 2] {
    let spans = [factor(x), factor(y)];
    // Written tenths need not be tenths to the last bit.
    let both = spans.iter().all(|span| span.is_some_and(|span| span > 10.0 * (1.0 - 1e-9)));
    spans.map(|span| both || span.is_some_and(|span| span > 100.0))
}

/// Points of one column. A case without samples, or whose measure cannot be taken, has none.
pub fn points<'t>(over: &Over, samples: impl Fn(&str) -> Option<(&'t [f64], &'t [f64])>) -> Vec<(f64, f64)> {
    let value = |case: &str| {
        let (time, values) = samples(case)?;
        let subject = Subject::Series(Series { time, values, dim: None });
        measure::find(&over.measure)?.compute(&Inputs { subject, options: &Options::new() }).ok().map(|number| number.value)
    };
    let mut points: Vec<(f64, f64)> = over.points.iter().filter_map(|(case, x)| Some((*x, value(case)?))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_gives_one_point_in_the_order_of_what_is_swept() {
        let over = |measure: &str| Over {
            path: "contact.ball.normal.restitution".into(),
            unit: String::new(),
            points: [("b", 0.9), ("a", 0.1), ("lost", 0.5)].map(|(case, x)| (case.to_string(), x)).to_vec(),
            measure: measure.into(),
        };
        let time = [0.0, 1.0, 2.0];
        let (a, b) = ([1.0, -5.0, 2.0], [3.0, 4.0, f64::NAN]);
        let samples = |case: &str| match case {
            "a" => Some((&time[..], &a[..])),
            "b" => Some((&time[..], &b[..])),
            _ => None,
        };
        assert_eq!(points(&over("last"), samples), [(0.1, 2.0), (0.9, 4.0)]);
        assert_eq!(points(&over("peak"), samples), [(0.1, 5.0), (0.9, 4.0)]);
        assert_eq!(points(&over("unheard-of"), samples), []);
        let log = |x: &[f64], y: &[f64]| logarithmic(x.iter(), y.iter());
        assert_eq!(log(&[1e-3, 1.0], &[1.0, 2.0]), [true, false]);
        assert_eq!(log(&[0.0, 1.0], &[-1.0, 1.0]), [false, false]);
        assert_eq!(log(&[1.0, 50.0], &[2.0, 3.0]), [false, false]);
        // A tenth of the step, a hundredth of the error: the slope tells the order.
        assert_eq!(log(&[1e-4, 1e-3], &[2e-7, 2e-5]), [true, true]);
        assert_eq!(log(&[], &[]), [false, false]);
        assert_eq!(axis(&over("last")), "Restitution / pure number");
        assert_eq!(axis(&Over { path: "integrator.atol".into(), ..over("last") }), "Absolute tolerance / SI unit of each coordinate");
        assert_eq!(axis(&Over { path: "body.a.rest_length".into(), unit: "mm".into(), ..over("last") }), "Rest length / mm");
    }
}
