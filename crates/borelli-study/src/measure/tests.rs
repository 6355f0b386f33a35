//! Measures against closed forms, and a loop over the list that judges every one.

use super::*;
use borelli_model::{Explain, FieldKind};
use std::collections::BTreeSet;
use std::f64::consts::PI;

/// A function sampled at times.
struct Sampled {
    time: Vec<f64>,
    values: Vec<f64>,
}

impl Sampled {
    fn new(time: Vec<f64>, f: impl Fn(f64) -> f64) -> Sampled {
        let values = time.iter().map(|t| f(*t)).collect();
        Sampled { time, values }
    }

    /// `count` equal intervals from `a` to `b`.
    fn even(a: f64, b: f64, count: usize, f: impl Fn(f64) -> f64) -> Sampled {
        Sampled::new((0..=count).map(|k| a + (b - a) * k as f64 / count as f64).collect(), f)
    }

    fn series(&self) -> Series<'_> {
        Series { time: &self.time, values: &self.values, dim: Some(Dim::LENGTH) }
    }
}

fn take(name: &str, subject: Subject, options: &Options) -> Measured {
    find(name).unwrap_or_else(|| panic!("no measure {name}")).compute(&Inputs { subject, options })
}

/// A measure of a series that has one.
fn of(sampled: &Sampled, name: &str, options: Options) -> f64 {
    take(name, Subject::Series(sampled.series()), &options).unwrap_or_else(|fault| panic!("{name}: {fault}")).value
}

fn fault_of(sampled: &Sampled, name: &str, options: Options) -> MeasureFault {
    take(name, Subject::Series(sampled.series()), &options).expect_err(name)
}

fn close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance, "{what}: {a:e} against {b:e}, {:e} apart", (a - b).abs());
}

/// Values for the fields a measure must be given.
fn required(measure: &Measure) -> Options {
    let missing = |field: &&Field| field.need == Need::Required;
    measure.fields.iter().filter(missing).fold(Options::new(), |options, field| options.number(field.name, 0.37))
}

#[test]
fn every_measure_is_complete_and_every_field_can_be_read() {
    let names: BTreeSet<&str> = MEASURES.iter().map(|measure| measure.name).collect();
    assert_eq!(names.len(), MEASURES.len(), "a name twice");
    for measure in MEASURES {
        assert!(!measure.doc.is_empty() && find(measure.name).is_some_and(|found| found.name == measure.name));
        let fields: BTreeSet<&str> = measure.fields.iter().map(|field| field.name).collect();
        assert_eq!(fields.len(), measure.fields.len(), "{}: a field twice", measure.name);
        for field in measure.fields {
            assert!(!field.doc.is_empty());
            match field.kind {
                FieldKind::Quantity { .. } => {}
                FieldKind::Choice(words) => assert!(words.len() > 1),
                _ => panic!("{}.{}: neither a number nor a word", measure.name, field.name),
            }
        }
    }
    assert!(find("nothing").is_none());
}

#[test]
fn every_measure_has_a_value_with_a_unit_and_refuses_what_it_is_not_taken_of() {
    let wave = Sampled::even(0.0, 1.0, 40, |t| 0.2 - t);
    let other = Sampled::even(0.0, 1.0, 50, |t| 0.3 - t);
    let pairs = [(wave.series(), other.series())];
    let number = Number::new(3.0, Dim::LENGTH);
    let subjects = [
        Subject::Series(wave.series()),
        Subject::Pairs(&pairs),
        Subject::Points(&[(0.1, 1e-2), (0.2, 4e-2)]),
        Subject::Numbers(number, number),
    ];
    for measure in MEASURES {
        for subject in subjects {
            let measured = measure.compute(&Inputs { subject, options: &required(measure) });
            if subject.takes() == measure.takes() {
                let number = measured.unwrap_or_else(|fault| panic!("{}: {fault}", measure.name));
                assert!(number.value.is_finite() && number.dim.is_some(), "{}", measure.name);
            } else {
                let expected = MeasureFault::WrongSubject { measure: measure.name, wanted: measure.takes(), given: subject.takes() };
                assert_eq!(measured, Err(expected));
            }
        }
    }
}

#[test]
fn every_measure_of_a_column_passes_over_missing_values_and_knows_an_empty_one() {
    let whole = Sampled::even(0.0, 1.0, 20, |t| 0.35 - t * t);
    let gaps = Sampled::even(-0.5, 1.5, 40, |t| if (-0.01..1.01).contains(&t) { 0.35 - t * t } else { f64::NAN });
    let empty = Sampled::even(0.0, 1.0, 20, |_| f64::NAN);
    for measure in MEASURES.iter().filter(|measure| measure.takes() == Takes::Series) {
        let value = of(&whole, measure.name, required(measure));
        close(of(&gaps, measure.name, required(measure)), value, 1e-14, measure.name);
        assert!(matches!(fault_of(&empty, measure.name, required(measure)), MeasureFault::NoSamples { .. }), "{}", measure.name);
        let uneven = Series { values: &whole.values[1..], ..whole.series() };
        let fault = take(measure.name, Subject::Series(uneven), &required(measure));
        assert_eq!(fault, Err(MeasureFault::UnequalLengths { times: 21, values: 20 }));
    }
}

#[test]
fn samples_at_the_ends_and_extremes_are_taken_as_they_are() {
    let wave = Sampled::new(vec![0.0, 0.1, 0.4, 0.5, 0.9], |t| (7.0 * t).sin() - 0.5);
    let expected: Vec<f64> = wave.values.clone();
    let part = || Options::new().number("from", 0.1).number("to", 0.5);
    assert_eq!(of(&wave, "first", Options::new()), expected[0]);
    assert_eq!(of(&wave, "last", Options::new()), expected[4]);
    assert_eq!((of(&wave, "first", part()), of(&wave, "last", part())), (expected[1], expected[3]));
    assert_eq!((of(&wave, "change", Options::new()), of(&wave, "change", part())), (expected[4] - expected[0], expected[3] - expected[1]));
    let sorted = |from: usize, to: usize| {
        let mut values = expected[from..=to].to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    assert_eq!(of(&wave, "min", Options::new()), sorted(0, 4)[0]);
    assert_eq!(of(&wave, "max", Options::new()), sorted(0, 4)[4]);
    assert_eq!((of(&wave, "min", part()), of(&wave, "max", part())), (sorted(1, 3)[0], sorted(1, 3)[2]));
    assert_eq!(of(&wave, "peak", Options::new()), -sorted(0, 4)[0], "the deepest value is the largest without its sign");
}

#[test]
fn a_window_takes_in_samples_at_its_ends_in_spite_of_rounding() {
    // 3 * 0.1 is a little above 0.3
    let steps = Sampled::new((0..=10).map(|k| f64::from(k) * 0.1).collect(), |t| t);
    assert!(steps.time[3] > 0.3);
    assert_eq!(of(&steps, "last", Options::new().number("to", 0.3)), steps.time[3]);
    assert_eq!(
        fault_of(&steps, "max", Options::new().number("from", 0.31).number("to", 0.39)),
        MeasureFault::NoSamples { from: 0.31, to: 0.39 }
    );
}

#[test]
fn a_mean_weighs_by_time() {
    let line = Sampled::new(vec![0.0, 0.1, 0.15, 0.7, 1.0], |t| 3.0 - 4.0 * t);
    close(of(&line, "mean", Options::new()), 1.0, 1e-15, "mean of a line over uneven times");
    // the trapezoidal rule is exact for waves over whole periods while they are sampled
    let wave = Sampled::even(0.2, 0.2 + 2.0 * PI, 16, |t| 0.5 + 2.0 * (3.0 * t).sin());
    close(of(&wave, "mean", Options::new()), 0.5, 1e-15, "mean of a wave");
    close(of(&wave, "rms", Options::new()), (0.25_f64 + 2.0).sqrt(), 1e-15, "rms of a wave");
    let single = Sampled::new(vec![2.0], |_| -3.0);
    assert_eq!((of(&single, "mean", Options::new()), of(&single, "rms", Options::new())), (-3.0, 3.0));
}

#[test]
fn a_value_is_exact_at_samples_and_for_cubics() {
    let cubic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t - 3.0 * t * t * t;
    let uneven = Sampled::new(vec![0.0, 0.2, 0.25, 0.6, 0.7, 1.0], cubic);
    for t in [0.0, 0.03, 0.2, 0.21, 0.4, 0.65, 0.9, 0.999, 1.0] {
        close(of(&uneven, "value", Options::new().number("at", t)), cubic(t), 2e-15, &format!("cubic at {t}"));
    }
    let few = Sampled::new(vec![0.0, 1.0], |t| 3.0 + t);
    close(of(&few, "value", Options::new().number("at", 0.25)), 3.25, 1e-15, "a line through two samples");
    let outside = fault_of(&few, "value", Options::new().number("at", 1.1));
    assert_eq!(outside, MeasureFault::OutsideSeries { time: 1.1, first: 0.0, last: 1.0 });
    assert_eq!(fault_of(&few, "value", Options::new()), MeasureFault::MissingField { field: "at" });
    // a time that rounding put beyond the end is the end
    assert_eq!(of(&few, "value", Options::new().number("at", 1.0 + 1e-12)), 4.0);
}

#[test]
fn a_value_between_samples_errs_as_a_local_cubic_does() {
    let mut points = Vec::new();
    for count in [50, 100, 200, 400] {
        let h = 2.0 / count as f64;
        let wave = Sampled::even(0.0, 2.0, count, f64::sin);
        let error = |t: f64| (of(&wave, "value", Options::new().number("at", t)) - t.sin()).abs();
        let inside = (0..200).map(|k| error(h + (2.0 - 2.0 * h) * f64::from(k) / 200.0)).fold(0.0, f64::max);
        let ends = (0..100).map(|k| error(h * f64::from(k) / 100.0).max(error(2.0 - h * f64::from(k) / 100.0))).fold(0.0, f64::max);
        assert!(inside <= 3.0 / 128.0 * h.powi(4) + 1e-15 && ends <= h.powi(4) / 24.0 + 1e-15, "{inside:e} {ends:e}");
        points.push((h, error(1.0 + 0.5 * h)));
    }
    let order = take("order", Subject::Points(&points), &Options::new()).expect("an order");
    close(order.value, 4.0, 0.02, "order of the local cubic");
}

#[test]
fn beside_a_missing_value_the_samples_of_the_other_side_serve() {
    let cubic = |t: f64| t * t * t - t;
    let gap = Sampled::even(0.0, 1.2, 12, |t| if (t - 0.6).abs() < 1e-9 { f64::NAN } else { cubic(t) });
    for t in [0.45, 0.72, 0.95] {
        close(of(&gap, "value", Options::new().number("at", t)), cubic(t), 1e-15, "beside the gap");
    }
    for t in [0.55, 0.65] {
        assert_eq!(fault_of(&gap, "value", Options::new().number("at", t)), MeasureFault::MissingValue { time: t });
    }
}

#[test]
fn crossings_of_a_sine_are_found_in_order() {
    let h = 0.01;
    let wave = Sampled::even(0.1, 10.1, 1000, |t| 2.0 * t.sin());
    let at = |direction: &str, nth: f64, level: f64| {
        of(&wave, "crossing", Options::new().word("direction", direction).number("nth", nth).number("level", level))
    };
    // error of the cubic over the slope: (3/128 h^4 2)/2 cos(t) at the level
    let tolerance = 3.0 / 128.0 * h * h * h * h * 1.5;
    for (direction, nth, expected) in
        [("any", 1.0, PI), ("any", 2.0, 2.0 * PI), ("rising", 1.0, 2.0 * PI), ("falling", 1.0, PI), ("falling", 2.0, 3.0 * PI)]
    {
        close(at(direction, nth, 0.0), expected, tolerance, direction);
    }
    close(at("rising", 1.0, 1.0), PI / 6.0, tolerance, "rising through half");
    close(at("falling", 1.0, 1.0), 5.0 * PI / 6.0, tolerance, "falling through half");
    let number = take("crossing", Subject::Series(wave.series()), &Options::new()).expect("a time");
    assert_eq!(number.dim, Some(Dim::TIME));
    close(of(&wave, "crossing", Options::new().number("from", 4.0)), 2.0 * PI, tolerance, "after four seconds");
    assert_eq!(
        fault_of(&wave, "crossing", Options::new().word("direction", "rising").number("nth", 2.0)),
        MeasureFault::NoCrossing { level: 0.0, direction: "rising", wanted: 2, found: 1 }
    );
    for nth in [0.0, 1.5, f64::NAN] {
        assert!(matches!(fault_of(&wave, "crossing", Options::new().number("nth", nth)), MeasureFault::NoCount { .. }));
    }
    let word = fault_of(&wave, "crossing", Options::new().word("direction", "up"));
    assert_eq!(word.hint().as_deref(), Some("write one of any, rising, falling"));
}

#[test]
fn a_level_met_by_samples_is_crossed_once_where_it_is_reached() {
    let times = |values: &[f64], direction: &str| {
        let sampled = Sampled { time: (0..values.len()).map(|k| k as f64).collect(), values: values.to_vec() };
        let nth = |n: f64| {
            let options = Options::new().word("direction", direction).number("nth", n);
            take("crossing", Subject::Series(sampled.series()), &options).ok().map(|number| number.value)
        };
        (1..9).map_while(|n| nth(f64::from(n))).collect::<Vec<f64>>()
    };
    assert_eq!(times(&[-1.0, 0.0, 1.0], "any"), [1.0]);
    assert_eq!(times(&[-1.0, 0.0, 0.0, 1.0], "rising"), [1.0]);
    assert_eq!(times(&[1.0, 0.0, 1.0], "any"), [], "touched, not crossed");
    assert_eq!(times(&[0.0, 1.0, 2.0], "any"), [], "started on");
    assert_eq!(times(&[2.0, 1.0, 0.0, 0.0], "falling"), [2.0], "reached at the end");
    assert_eq!(times(&[2.0, 1.0, 0.0, 0.0], "rising"), []);
    assert_eq!(times(&[-1.0, f64::NAN, 1.0], "any"), [], "nobody saw it");
    assert_eq!(times(&[-1.0, 1.0, -1.0, 0.0, 2.0], "any").len(), 3);
}

#[test]
fn distances_are_those_of_their_definitions() {
    let run = Sampled::even(0.0, 1.0, 200, |t| t * t + 0.01);
    let reference = Sampled::new(vec![0.0, 0.25, 0.5, 1.0], |t| t * t);
    let pairs = [(run.series(), reference.series())];
    let measured = |norm: &str, options: Options| take("distance", Subject::Pairs(&pairs), &options.word("norm", norm)).expect(norm);
    let (largest, rms) = (measured("max", Options::new()), measured("rms", Options::new()));
    assert!(largest.dim == Some(Dim::LENGTH) && rms.dim == Some(Dim::LENGTH));
    close(largest.value, 0.01, 1e-15, "max");
    close(rms.value, 0.01, 1e-15, "rms");
    let benchmark = measured("benchmark", Options::new());
    let by_hand = [0.01 / 1e-3, 0.01 / 0.0625, 0.01 / 0.25, 0.01].iter().map(|d| d * d).sum::<f64>() / 4.0;
    close(benchmark.value, by_hand.sqrt(), 1e-13, "benchmark");
    assert_eq!(benchmark.dim, Some(Dim::NONE));
    let coarser = measured("benchmark", Options::new().number("threshold", 0.25).number("to", 0.5));
    close(coarser.value, 0.01 / 0.25, 1e-14, "with another threshold every d is the same");
}

#[test]
fn columns_are_averaged_before_the_root_and_units_must_agree() {
    let time = || vec![0.0, 1.0];
    let (zero, one, three) = (Sampled::new(time(), |_| 0.0), Sampled::new(time(), |_| 1.0), Sampled::new(time(), |_| 3.0));
    let (origin, mut unknown) = (zero.series(), three.series());
    unknown.dim = None;
    let pairs = [(one.series(), origin), (unknown, origin)];
    let rms = take("distance", Subject::Pairs(&pairs), &Options::new().word("norm", "rms")).expect("a distance");
    close(rms.value, 5.0_f64.sqrt(), 1e-15, "root of the mean of 1 and 9");
    assert_eq!(rms.dim, Some(Dim::LENGTH));
    let angle = Series { dim: Some(Dim::ANGLE), ..three.series() };
    let unequal = MeasureFault::UnequalUnits { left: Dim::ANGLE, right: Dim::LENGTH };
    assert_eq!(take("distance", Subject::Pairs(&[(angle, origin)]), &Options::new()), Err(unequal));
    let mixed = [(one.series(), origin), (angle, angle)];
    assert!(matches!(take("distance", Subject::Pairs(&mixed), &Options::new()), Err(MeasureFault::UnequalUnits { .. })));
    assert!(take("distance", Subject::Pairs(&mixed), &Options::new().word("norm", "benchmark")).is_ok());
    assert!(matches!(take("distance", Subject::Pairs(&[]), &Options::new()), Err(MeasureFault::NoSamples { .. })));
}

#[test]
fn a_run_that_ended_early_has_no_distance_unless_only_its_part_is_asked_for() {
    let (short, long) = (Sampled::even(0.0, 0.6, 60, f64::cos), Sampled::even(0.0, 1.0, 10, f64::cos));
    let pairs = [(short.series(), long.series())];
    let whole = take("distance", Subject::Pairs(&pairs), &Options::new());
    assert!(matches!(whole, Err(MeasureFault::OutsideSeries { first: 0.0, .. })));
    let part = take("distance", Subject::Pairs(&pairs), &Options::new().number("to", 0.6)).expect("a distance");
    close(part.value, 0.0, 1e-15, "both sampled there");
    // infinities are no agreement, in either
    let infinite = Sampled { time: long.time.clone(), values: vec![f64::INFINITY; 11] };
    let fault = take("distance", Subject::Pairs(&[(infinite.series(), infinite.series())]), &Options::new());
    assert_eq!(fault, Err(MeasureFault::NotFinite { measure: "distance", value: f64::INFINITY }));
}

#[test]
fn an_order_is_the_slope_between_logarithms() {
    let order = |points: &[(f64, f64)]| take("order", Subject::Points(points), &Options::new());
    let exact: Vec<(f64, f64)> = [0.1, 0.05, 0.02, 0.001].iter().map(|h: &f64| (*h, -7.0 * h.powf(2.5))).collect();
    let number = order(&exact).expect("an order");
    close(number.value, 2.5, 1e-14, "order");
    assert_eq!(number.dim, Some(Dim::NONE));
    assert_eq!(order(&[(0.1, 1.0)]), Err(MeasureFault::TooFewSteps { found: 1 }));
    assert_eq!(order(&[(0.1, 1.0), (0.1, 2.0)]), Err(MeasureFault::TooFewSteps { found: 1 }));
    assert_eq!(order(&[(0.1, 1.0), (0.05, 0.0)]), Err(MeasureFault::NoLogarithm { what: "error", value: 0.0 }));
    assert_eq!(order(&[(-0.1, 1.0), (0.05, 1.0)]), Err(MeasureFault::NoLogarithm { what: "step", value: -0.1 }));
}

#[test]
fn a_ratio_has_the_quotient_of_the_units() {
    let ratio = |a: Number, b: Number| take("ratio", Subject::Numbers(a, b), &Options::new());
    let (way, time) = (Number::new(3.0, Dim::LENGTH), Number::new(1.5, Dim::TIME));
    assert_eq!(ratio(way, time), Ok(Number::new(2.0, Dim::of("m/s"))));
    assert_eq!(ratio(way, Number::new(1.5, None)), Ok(Number::new(2.0, None)));
    assert_eq!(ratio(way, Number::new(0.0, Dim::TIME)), Err(MeasureFault::RatioToZero { numerator: 3.0 }));
}
