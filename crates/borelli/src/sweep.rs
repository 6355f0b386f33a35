//! The answer of a sweep: one number of a column for each case, over what is swept.
//! Not here: drawing (`report::chart`, `plot`), measures (`borelli-study`).
//! In: what is swept, and the samples of a column in each case. Out: points in the order of what is swept.

use crate::label;
use borelli_study::measure::{self, Inputs, Options, Series, Subject};
use borelli_study::read::Over;

/// The name of the axis of what is swept: the last word of its path, and the unit.
pub fn axis(over: &Over) -> String {
    let name = label::element(over.path.rsplit('.').next().unwrap_or_default());
    if over.unit.is_empty() { name } else { format!("{name} / {}", over.unit) }
}

/// Whether values of a sweep need a logarithmic axis: all are positive and span more than a factor of 100.
pub fn spans<'v>(values: impl Iterator<Item = &'v f64> + Clone) -> bool {
    let (low, high) = values.clone().fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(*x), high.max(*x)));
    low > 0.0 && high > 100.0 * low
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
        assert_eq!([&[1e-3, 1.0][..], &[0.0, 1.0], &[1.0, 50.0], &[]].map(|list: &[f64]| spans(list.iter())), [true, false, false, false]);
        assert_eq!(axis(&over("last")), "Restitution");
        assert_eq!(axis(&Over { path: "body.a.rest_length".into(), unit: "mm".into(), ..over("last") }), "Rest length / mm");
    }
}
