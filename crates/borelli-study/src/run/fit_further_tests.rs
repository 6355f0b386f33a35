//! What is told after a fit, against closed forms: intervals, costs of bounds and constraints, trials left out, profiles, frames drawn anew.
//!
//! A slider is guided by y = a sin(2π f t) + b: a linear model of amplitude a and offset b, whose least squares are solved here by hand.

use super::fit_tests::{BALL, UNKNOWNS, forces_of, planned as planned_ball, scalar, study as study_of_ball};
use super::tests::{good, system};
use super::*;
use crate::fit::{End, FitRecord, RefitProgress};
use crate::read::{Files, StudyFile};
use borelli_fit::random::{Purpose, Stream};
use std::cell::Cell;
use std::f64::consts::TAU;
use std::io;

const SLIDER: &str = r#"
borelli = 1
dimension = "planar"
[body.ball]
mass = "1 kg"
inertia = "0.01 kg m^2"
[joint.y]
type = "slider"
parent = "world"
child = "ball"
axis = [0, 1]
[guide.y]
type = "coordinate"
coordinate = "y"
function = { type = "sine", amplitude = "12 mm", frequency = "2 1/s", offset = "98 mm" }
"#;
/// Standard deviation of the noise, and what differences are divided by, m.
const SIGMA: f64 = 1e-3;
/// True amplitude and offset, m.
const TRUE: [f64; 2] = [0.012, 0.098];
/// Samples of a trial.
const COUNT: usize = 41;

/// Measured values of a trial, with noise of its own.
fn measured(trial: u32) -> Vec<f64> {
    let mut stream = Stream::new(11, Purpose::Noise, trial, 0, 0);
    (0..COUNT).map(|k| TRUE[0] * basis(k) + TRUE[1] + SIGMA * stream.normal()).collect()
}

fn time(k: usize) -> f64 {
    0.025 * k as f64
}

fn basis(k: usize) -> f64 {
    (TAU * 2.0 * time(k)).sin()
}

/// A study that fits amplitude and offset to some trials.
fn study(trials: u32, fit: &str, [amplitude, offset]: [&str; 2]) -> String {
    let trials: String = (0..trials).map(|k| format!("[[fit.trial]]\nname = \"t{k}\"\ndata = [\"t{k}.csv\"]\n")).collect();
    format!(
        "borelli = 1\ntitle = \"fit\"\nmodel = \"given\"\nanalysis = \"fit\"\n[time]\nend = \"1 s\"\nsample = \"25 ms\"\n[fit]\nof = \"evaluate\"\n{fit}\n{trials}\
         [[fit.term]]\nname = \"height\"\ncolumn = \"coord.y.value\"\ndata = \"y\"\nnormalise = \"1 mm\"\n\
         [[fit.unknown]]\nname = \"amplitude\"\npath = \"guide.y.function.amplitude\"\n{amplitude}\n\
         [[fit.unknown]]\nname = \"offset\"\npath = \"guide.y.function.offset\"\n{offset}\n"
    )
}

const WIDE: [&str; 2] = ["low = \"0 mm\"\nhigh = \"30 mm\"", "low = \"50 mm\"\nhigh = \"150 mm\""];

fn plan_of(text: &str) -> Plan {
    let files = Files::new(|path| {
        let number = path.trim_start_matches('t').trim_end_matches(".csv").parse::<u32>();
        let values = number.map(measured).map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        let rows: String = values.iter().enumerate().map(|(k, y)| format!("{:?},{y:?}\n", time(k))).collect();
        Ok(format!("time [s],y [m]\n{rows}").into_bytes())
    });
    StudyFile::parse("fit.toml", text, files).and_then(|study| study.plan("", &[])).unwrap_or_else(|e| panic!("{e}"))
}

fn fitted(text: &str) -> Outcome {
    good(&system(SLIDER), &plan_of(text))
}

fn record(outcome: &Outcome) -> &FitRecord {
    outcome.fit.as_ref().expect("a record")
}

/// Least squares of amplitude and offset by the normal equations: values, inverse of A'A with A in 1/m, and J.
fn by_hand(trials: impl Iterator<Item = u32> + Clone) -> ([f64; 2], [[f64; 2]; 2], f64) {
    let (mut m, mut right) = ([[0.0; 2]; 2], [0.0; 2]);
    let each = |visit: &mut dyn FnMut([f64; 2], f64)| {
        for trial in trials.clone() {
            for (k, y) in measured(trial).into_iter().enumerate() {
                visit([basis(k) / SIGMA, 1.0 / SIGMA], y / SIGMA);
            }
        }
    };
    each(&mut |row, y| {
        for i in 0..2 {
            (0..2).for_each(|j| m[i][j] += row[i] * row[j]);
            right[i] += row[i] * y;
        }
    });
    let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    let inverse = [[m[1][1] / det, -m[0][1] / det], [-m[1][0] / det, m[0][0] / det]];
    let x = [0, 1].map(|i| inverse[i][0] * right[0] + inverse[i][1] * right[1]);
    let mut sum = 0.0;
    each(&mut |row, y| sum += (row[0] * x[0] + row[1] * x[1] - y).powi(2));
    (x, inverse, sum)
}

fn near(found: f64, known: f64, part: f64) {
    assert!((found - known).abs() <= part * known.abs(), "{found} {known}");
}

#[test]
fn known_noise_takes_the_weights_at_their_word() {
    let outcome = fitted(&study(1, "noise = \"known\"", WIDE));
    let (x, inverse, sum) = by_hand(0..1);
    for (k, name) in ["amplitude", "offset"].into_iter().enumerate() {
        near(scalar(&outcome, &format!("fit.unknown.{name}")), x[k], 1e-9);
        near(scalar(&outcome, &format!("fit.sd.{name}")), inverse[k][k].sqrt(), 1e-9);
        near(scalar(&outcome, &format!("fit.interval_high.{name}")), x[k] + 1.959_963_984_540_054 * inverse[k][k].sqrt(), 1e-9);
    }
    near(scalar(&outcome, "fit.scatter"), (sum / (COUNT - 2) as f64).sqrt(), 1e-9);
    let line = |outcome: &Outcome| outcome.health.iter().find(|line| line.key == "fit_scatter").map(|line| line.verdict);
    assert_eq!(line(&outcome), Some(Verdict::Good));
    // Noise ten times as large as it is said to be does not pass.
    let louder = fitted(&study(1, "noise = \"known\"", WIDE).replace("normalise = \"1 mm\"", "normalise = \"0.1 mm\""));
    assert_eq!(line(&louder), Some(Verdict::Look));
    near(scalar(&louder, "fit.sd.offset"), 0.1 * inverse[1][1].sqrt(), 1e-9);
}

/// J is a parabola in each unknown, so that its slope at a bound is known, and how far it falls when the bound is moved.
#[test]
fn a_bound_costs_what_its_slope_says() {
    let (x, inverse, sum) = by_hand(0..1);
    // With the amplitude held h below its best value the offset follows, and J rises by h²/(A'A)⁻¹₀₀.
    let held = x[0] - 0.002;
    let fit = |high: f64, scale: &str| {
        let bounds = format!("low = \"1 mm\"\nhigh = \"{high:?} m\"\nstart = \"5 mm\"\n{scale}");
        fitted(&study(1, "", [&bounds, WIDE[1]]))
    };
    for (scale, width) in [("", held - 0.001), ("scale = \"log\"", held * (held / 0.001).ln())] {
        let outcome = fit(held, scale);
        let own = record(&outcome).unknowns[0].multiplier.expect("it is at its bound");
        assert_eq!((record(&outcome).unknowns[0].at_bound, record(&outcome).unknowns[1].multiplier), (Some("high"), None));
        near(record(&outcome).objective - sum, 0.002_f64.powi(2) / inverse[0][0], 1e-6);
        near(own.by_unit, 2.0 * 0.002 / inverse[0][0], 1e-6);
        near(own.by_width, own.by_unit * width, 1e-9);
        near(scalar(&outcome, "fit.multiplier.amplitude"), own.by_width, 1e-15);
        assert_eq!(scalar(&outcome, "fit.multiplier.offset"), 0.0);
        // Half the difference over a small step is the slope but for what the step squared makes.
        let step = 1e-6;
        let fell = record(&outcome).objective - record(&fit(held + step, scale)).objective;
        near(fell / step, own.by_unit - step / inverse[0][0], 1e-6);
        let words = &outcome.health.iter().find(|line| line.key == "fit_bounds").expect("a line").text;
        assert!(words.contains("the high bound of `amplitude`"), "{words}");
    }
}

/// What a constraint costs is what J falls by when it is raised a little and all is fitted again.
#[test]
fn a_constraint_that_an_unknown_gives_way_to_costs_what_another_fit_says() {
    let outcome = |at_most: f64| {
        let limit = format!(
            "{UNKNOWNS}[[fit.constraint]]\nname = \"shallow\"\ncolumn = \"contact.sole.depth\"\nat_most = \"{at_most:?} m\"\nmet_by = \"radius\"\n"
        );
        let plan = planned_ball(&study_of_ball("tolerance = 1e-14", &limit), forces_of(BALL)).unwrap_or_else(|faults| panic!("{faults:?}"));
        good(&system(BALL), &plan)
    };
    let (middle, step) = (outcome(0.01), 1e-6);
    let own = &record(&middle).limits[0];
    assert_eq!((own.name.as_str(), own.unknown.as_str(), own.unit.as_str()), ("shallow", "radius", "m"));
    assert!(record(&middle).unknowns[1].at_bound.is_none());
    let fell = (record(&outcome(0.01 - step)).objective - record(&outcome(0.01 + step)).objective) / (2.0 * step);
    near(own.multiplier.by_unit, fell, 1e-5);
    // The depth grows as the radius does, which is 15 mm wide.
    near(own.multiplier.by_width, own.multiplier.by_unit * 0.015, 1e-9);
    near(scalar(&middle, "fit.constraint_multiplier.shallow"), own.multiplier.by_width, 1e-15);
}

#[test]
fn the_profile_of_a_linear_model_ends_where_its_interval_does() {
    for noise in ["", "noise = \"known\""] {
        let outcome = fitted(&study(1, &format!("profile = [\"*\"]\n{noise}"), WIDE));
        let own = record(&outcome);
        assert_eq!((own.wider.profiles.len(), own.wider.made), (2, 4));
        for profile in &own.wider.profiles {
            let (_, linear) = own.unknowns[profile.unknown].spread.expect("an interval");
            let [End::Risen(low), End::Risen(high)] = profile.ends else { panic!("{:?}", profile.ends) };
            let width = linear[1] - linear[0];
            assert!((low - linear[0]).abs() < 1e-6 * width && (high - linear[1]).abs() < 1e-6 * width, "{low} {high} {linear:?}");
            // The root of the rise is a straight line through the best value.
            assert_eq!(profile.points.len(), 15);
            for point in &profile.points {
                let expected = 2.0 * (point.value - own.unknowns[profile.unknown].best) / width;
                assert!((point.root - expected).abs() < 1e-5, "{} {expected}", point.root);
            }
        }
        near(scalar(&outcome, "fit.profile_low.offset"), own.unknowns[1].spread.expect("it").1[0], 1e-6);
    }
}

#[test]
fn a_profile_that_meets_a_bound_first_ends_there() {
    let (x, inverse, _) = by_hand(0..1);
    let bounds = format!("low = \"0 mm\"\nhigh = \"{:?} m\"", x[0] + 0.5 * inverse[0][0].sqrt());
    let outcome = fitted(&study(1, "profile = [\"amplitude\"]\nnoise = \"known\"", [&bounds, WIDE[1]]));
    let [End::Risen(_), End::Bound(high)] = record(&outcome).wider.profiles[0].ends else { panic!("{:?}", record(&outcome).wider) };
    near(high, x[0] + 0.5 * inverse[0][0].sqrt(), 1e-12);
}

#[test]
fn what_trials_say_of_one_that_is_left_out_is_a_fit_without_it() {
    let outcome = fitted(&study(3, "tolerance = 1e-14\nleave_one_out = true", WIDE));
    let own = record(&outcome);
    let (all, _, _) = by_hand(0..3);
    assert_eq!(own.wider.left_out.len(), 3);
    for (k, left) in own.wider.left_out.iter().enumerate() {
        let trial = k as u32;
        let (without, _, _) = by_hand((0..3).filter(|other| *other != trial));
        let value =
            |x: [f64; 2]| -> f64 { measured(trial).iter().enumerate().map(|(k, y)| ((x[0] * basis(k) + x[1] - y) / SIGMA).powi(2)).sum() };
        assert_eq!((left.trial.as_str(), left.found), (&format!("t{k}")[..], true));
        near(left.fitted, value(all), 1e-9);
        // A search ends where J, of second order in what is missing to the best values, is exact to 1e-12; this is of first order.
        near(left.left_out, value(without), 1e-8);
        assert!(left.left_out > left.fitted);
        for j in 0..2 {
            near(left.unknowns[j], without[j], 1e-9);
            near(left.shifts[j], (without[j] - all[j]) / own.unknowns[j].spread.expect("it").0, 1e-6);
        }
        near(scalar(&outcome, &format!("fit.left_out.t{k}")), left.left_out, 1e-15);
    }
}

/// The mean of n numbers has the standard deviation s/√n; drawn anew one by one it has that of the drawn numbers, whose squares are divided by n. The standard
/// error of a standard deviation of N draws is 1/√(2 N).
#[test]
fn frames_drawn_anew_give_the_standard_error_of_a_mean() {
    let draws = 800;
    let text = study(1, &format!("search = [\"offset\"]\nbootstrap = {draws}\nblock = \"25 ms\""), WIDE);
    let outcome = fitted(&text);
    let values: Vec<f64> = measured(0).iter().enumerate().map(|(k, y)| y - TRUE[0] * basis(k)).collect();
    let mean = values.iter().sum::<f64>() / COUNT as f64;
    let variance = values.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / COUNT as f64;
    near(scalar(&outcome, "fit.unknown.offset"), mean, 1e-9);
    near(scalar(&outcome, "fit.bootstrap_sd.offset"), (variance / COUNT as f64).sqrt(), 4.0 / (2.0 * f64::from(draws)).sqrt());
    let own = record(&outcome).wider.bootstrap.as_ref().expect("draws");
    assert!(own.draws.len() == draws as usize && own.draws.iter().all(|draw| draw.found));
    // Each draw is the mean of as many values as were measured, some of them several times.
    let first = own.draws[0].unknowns[0];
    assert!((first - mean).abs() > 0.0 && (first - mean).abs() < 6.0 * (variance / COUNT as f64).sqrt());
}

/// Numbers that keep their sign for ten samples have a mean far less sure than as many that do not: blocks of that length see it, single frames do not.
#[test]
fn blocks_see_what_is_alike_from_sample_to_sample() {
    let spread = |block: &str| {
        let text = study(1, &format!("search = [\"offset\"]\nbootstrap = 400\nblock = \"{block}\""), WIDE);
        // Without the sine in the model its waves are what is left.
        let model = SLIDER.replace("amplitude = \"12 mm\"", "amplitude = \"0 mm\"");
        scalar(&good(&system(&model), &plan_of(&text)), "fit.bootstrap_sd.offset")
    };
    let [single, blocks] = ["25 ms", "125 ms"].map(spread);
    assert!(blocks > 1.5 * single, "{blocks} {single}");
}

/// Draws do not assume squares: of p = 1 the offset is a median, and has a spread where slopes tell none.
#[test]
fn other_powers_have_a_spread_from_draws() {
    let text = study(1, "power = 1\nsearch = [\"offset\"]\nbootstrap = 60\nblock = \"25 ms\"", WIDE);
    let outcome = fitted(&text);
    let mut values: Vec<f64> = measured(0).iter().enumerate().map(|(k, y)| y - TRUE[0] * basis(k)).collect();
    values.sort_by(f64::total_cmp);
    near(scalar(&outcome, "fit.unknown.offset"), values[COUNT / 2], 1e-4);
    assert!(scalar(&outcome, "fit.sd.offset").is_nan());
    // √(π/2) of that of the mean, for many normal numbers.
    let sd = scalar(&outcome, "fit.bootstrap_sd.offset");
    let ideal = (std::f64::consts::PI / 2.0 / COUNT as f64).sqrt() * SIGMA;
    assert!((0.5 * ideal..2.0 * ideal).contains(&sd), "{sd} {ideal}");
}

/// Ends further searches after some of them.
struct Ending(Cell<usize>);

impl Watch for Ending {
    fn refits(&mut self, progress: &RefitProgress) {
        self.0.set(progress.done.0);
    }

    fn stop(&self) -> bool {
        self.0.get() >= 2
    }
}

#[test]
fn who_ends_further_searches_keeps_those_that_were_over() {
    let plan = plan_of(&study(1, "bootstrap = 20000", WIDE));
    let outcome = run(&system(SLIDER), &plan, None, &mut Ending(Cell::new(0))).expect("an outcome");
    assert!(matches!(outcome.status, Status::Interrupted { .. }), "{:?}", outcome.status);
    let own = &record(&outcome).wider;
    assert!(own.made >= 2 && own.made < own.asked && own.asked == 20_000, "{} {}", own.made, own.asked);
    assert!(scalar(&outcome, "fit.bootstrap_sd.offset") > 0.0);
    assert!(outcome.health.iter().any(|line| line.key == "fit_further"));
}

#[test]
fn further_searches_give_the_same_bits() {
    let text = study(2, "leave_one_out = true\nprofile = [\"offset\"]\nbootstrap = 12", WIDE);
    let wider = || record(&fitted(&text)).wider.clone();
    assert_eq!(wider(), wider());
}

#[test]
fn what_cannot_be_had_after_a_search_is_refused() {
    let codes = |text: &str| -> Vec<&'static str> {
        match run(&system(SLIDER), &plan_of(text), None, &mut Unwatched) {
            Ok(_) => Vec::new(),
            Err(findings) => findings.iter().map(|finding| finding.code).collect(),
        }
    };
    for (fit, trials) in [
        ("leave_one_out = true", 1),
        ("profile = [\"offset\"]\npower = 1", 1),
        ("noise = \"known\"\npower = 1", 1),
        ("noise = \"known\"\nscale = 2", 1),
        ("method = \"cma-es\"\nevaluations = 10\nbootstrap = 5", 1),
    ] {
        let expected: &[&str] = if fit.starts_with("method") { &[] } else { &["not-after-the-search"] };
        assert_eq!(codes(&study(trials, fit, WIDE)), expected, "{fit}");
    }
    assert_eq!(codes(&study(1, "profile = [\"ofset\"]", WIDE)), ["no-such-unknown"]);
    let most = study(1, "method = \"cma-es\"\nevaluations = 10\nbootstrap = 5", WIDE).replace("normalise", "reduce = \"max\"\nnormalise");
    assert_eq!(codes(&most), ["not-after-the-search"]);
    // A block as long as the trial leaves nothing to draw.
    assert_eq!(codes(&study(1, "bootstrap = 5\nblock = \"100 s\"", WIDE)), ["not-after-the-search"]);
    let own = study(2, "leave_one_out = true", WIDE).replace("name = \"offset\"", "name = \"offset\"\nper_trial = true");
    assert_eq!(codes(&own), ["not-after-the-search"]);
}

/// A search that is cut short says what J is made of, and what blocks.
#[test]
fn a_search_that_fails_says_what_dominates_and_what_blocks() {
    let outcome = fitted(&study(1, "evaluations = 1", ["low = \"0 mm\"\nhigh = \"5 mm\"\nstart = \"5 mm\"", WIDE[1]]));
    let line = outcome.health.iter().find(|line| line.key == "fit_search").expect("a line");
    assert_ne!(line.verdict, Verdict::Good);
    for words in [
        "The term `height` has the largest part of J, 100 %.",
        "largest residual is that of `height` in trial `t0`",
        "the high bound of `amplitude`",
    ] {
        assert!(line.text.contains(words), "{words} in {}", line.text);
    }
}
