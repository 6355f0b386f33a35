//! Uncertainty against known answers: sums and products of inputs, rankings in closed form, noise, and what is counted and refused.

use super::tests::{MASS, on_rail, system};
use super::*;
use crate::cores::cores;
use crate::read::{Files, StudyFile};
use crate::uncertainty::{Experiment, Inputs, Method, Noises, jobs};
use std::io;

/// A study of a model that is given, with a table of motion in `motion.csv`.
fn planned(text: &str, motion: &str) -> Result<Plan, Vec<(&'static str, String)>> {
    let motion = motion.to_string();
    let files = Files::new(move |path| match path.ends_with("motion.csv") {
        true => Ok(motion.clone().into_bytes()),
        false => Err(io::Error::from(io::ErrorKind::NotFound)),
    });
    let told = |rejected: borelli_model::Rejected| {
        rejected.findings.iter().map(|finding| (finding.code, finding.message.clone())).collect::<Vec<_>>()
    };
    let text = format!("borelli = 1\ntitle = \"bands\"\nmodel = \"given\"\nanalysis = \"uncertainty\"\n{text}");
    StudyFile::parse("bands.toml", &text, files).and_then(|study| study.plan("", &[])).map_err(told)
}

fn good(model: &str, text: &str) -> Outcome {
    let plan = planned(text, "").unwrap_or_else(|faults| panic!("{faults:?}"));
    super::tests::good(&system(model), &plan)
}

/// All faults, wherever they are found.
fn faults(model: &str, text: &str) -> Vec<&'static str> {
    match planned(text, "time [s],rail [m]\n0,0\n0.5,0.1\n1,0.3\n") {
        Err(faults) => faults.into_iter().map(|(code, _)| code).collect(),
        Ok(plan) => match run(&system(model), &plan, None, &mut Unwatched) {
            Ok(_) => Vec::new(),
            Err(findings) => findings.iter().map(|finding| finding.code).collect(),
        },
    }
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    let name = format!("uncertainty.{name}");
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("{name}")).value
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

/// Where and how fast a body of 2 kg starts in x; it flies without a force in x.
const THROWN: &str = r#"
[time]
end = "2 s"
sample = "0.5 s"
[integrator]
rtol = 1e-11
atol = 1e-12
[uncertainty]
of = "simulate"
method = ["linear", "latin-hypercube"]
samples = 4000
[[uncertainty.input]]
name = "place"
path = "initial.coordinates.x"
sd = "3 cm"
[[uncertainty.input]]
name = "speed"
path = "initial.speeds.x"
mean = "3 m/s"
sd = "10 cm/s"
[[uncertainty.result]]
name = "way"
column = "coord.x.value"
measure = "last"
"#;

/// x = x₀ + v t: variances add up, with twice the covariance times t where place and speed go together.
#[test]
fn variances_of_a_sum_add_up_with_and_without_correlation() {
    for correlation in [0.0, 0.6, -0.8] {
        let together = format!("[[uncertainty.correlation]]\nbetween = [\"place\", \"speed\"]\nvalue = {correlation}\n");
        let text = if correlation == 0.0 { THROWN.to_string() } else { format!("{THROWN}{together}") };
        let outcome = good(MASS, &text);
        let record = outcome.uncertainty.as_ref().expect("a record");
        let (a, b) = (0.03, 0.1);
        let sd = |t: f64| (a * a + b * b * t * t + 2.0 * correlation * a * b * t).sqrt();
        let column = record.columns.iter().find(|own| own.column.name == "coord.x.value").expect("it");
        assert_eq!(record.times, [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert!(record.reached.iter().all(|count| *count == 4000));
        for (k, t) in record.times.iter().enumerate() {
            near(column.linear_sd[k], sd(*t), 1e-9);
            let band = column.bands[k].expect("a band");
            near(band.mean, 3.0 * t, 4.0 * sd(*t) / 4000f64.sqrt());
            // Four standard errors of a standard deviation; a hypercube is better.
            near(band.sd, sd(*t), sd(*t) * 0.045);
            for (quantile, of) in band.quantiles.into_iter().zip([-1.959_964, 0.0, 1.959_964]) {
                near(quantile, 3.0 * t + of * sd(*t), 0.15 * sd(*t));
            }
        }
        near(scalar(&outcome, "way.nominal"), 6.0, 1e-9);
        near(scalar(&outcome, "way.linear_sd"), sd(2.0), 1e-9);
        near(scalar(&outcome, "way.sd"), sd(2.0), sd(2.0) * 0.045);
        if correlation == 0.0 {
            near(scalar(&outcome, "way.linear_share.speed"), 0.04 / (0.04 + 0.0009), 1e-7);
        }
        let line = outcome.health.iter().find(|line| line.key == "uncertainty_linear").expect("a line");
        assert_eq!(line.verdict, Verdict::Good, "{}", line.text);
    }
}

/// A body thrown up from the ground and stopped when it is back: it flies 2 v_y/g and comes v_x 2 v_y/g far.
const FLIGHT: &str = r#"
[time]
end = "5 s"
sample = "0.1 s"
[integrator]
rtol = 1e-9
atol = 1e-12
[[event]]
name = "landing"
when = "coord.y.value"
direction = "falling"
action = "stop"
[[uncertainty.input]]
name = "forward"
path = "initial.speeds.x"
mean = "4 m/s"
sd = "1 m/s"
[[uncertainty.input]]
name = "upward"
path = "initial.speeds.y"
mean = "6 m/s"
sd = "0.6 m/s"
[[uncertainty.result]]
name = "range"
column = "coord.x.value"
measure = "last"
[[uncertainty.result]]
name = "flight"
column = "event.landing.time"
"#;

/// For independent normal numbers the variance of a product is m₁²s₂² + m₂²s₁² + s₁²s₂²; the last part is of both together.
/// With 4096 base samples the standard error of the largest share is 0.02.
#[test]
fn a_range_is_ranked_as_the_product_that_it_is() {
    let text = format!("{FLIGHT}[uncertainty]\nof = \"simulate\"\nmethod = [\"sobol\", \"morris\"]\nsamples = 4096\n");
    let outcome = good(MASS, &text);
    let g = 9.81;
    let (own, other, both) = ((6.0_f64 * 1.0).powi(2), (4.0_f64 * 0.6).powi(2), (1.0_f64 * 0.6).powi(2));
    let whole = own + other + both;
    for (name, alone) in [("forward", own), ("upward", other)] {
        near(scalar(&outcome, &format!("range.first.{name}")), alone / whole, 0.03);
        near(scalar(&outcome, &format!("range.total.{name}")), (alone + both) / whole, 0.03);
    }
    near(scalar(&outcome, "flight.first.upward"), 1.0, 0.01);
    near(scalar(&outcome, "flight.total.forward"), 0.0, 1e-12);
    near(scalar(&outcome, "range.mean"), 48.0 / g, 0.03);
    near(scalar(&outcome, "range.sd"), 2.0 * whole.sqrt() / g, 0.05);
    // From end to end of the middle 95 %: 2·1.96·0.6·2/g for the flight, whatever the other does.
    near(scalar(&outcome, "flight.effect.upward"), 2.0 * 1.959_964 * 0.6 * 2.0 / g, 1e-5);
    near(scalar(&outcome, "flight.effect.forward"), 0.0, 1e-9);
    assert_eq!(scalar(&outcome, "runs"), (4096 * 4 + 20 * 3) as f64);
    // Where a run ends moves with its inputs, and slopes are taken at fixed times.
    let linear = good(MASS, &text.replace("\"sobol\", \"morris\"", "\"linear\""));
    assert!(scalar(&linear, "range.linear_sd").is_nan() && scalar(&linear, "flight.linear_sd").is_nan());
    // Bands are those of base samples; runs that landed are counted as far as they flew.
    let record = outcome.uncertainty.as_ref().expect("a record");
    let reached = |t: f64| record.reached[record.times.iter().position(|own| (own - t).abs() < 1e-9).expect("a time")];
    assert_eq!(reached(0.5), 8192);
    let flown = |t: f64| {
        // A share of landings later than t: v_y > g t/2.
        1.0 - borelli_fit::uncertainty::distribution::normal_share((g * t / 2.0 - 6.0) / 0.6)
    };
    near(reached(1.3) as f64 / 8192.0, flown(1.3), 0.01);
}

/// sin x + 7 sin² y + 0.1 z⁴ sin x of three places between -π and π, the closed forms of Ishigami and Homma (1990).
#[test]
fn a_formula_over_start_values_is_ranked_in_closed_form() {
    let slider = |name: &str| {
        format!(
            "[body.{name}]\nmass = 1\ninertia = 1\n[joint.{name}]\ntype = \"slider\"\nparent = \"world\"\nchild = \"{name}\"\naxis = [1, 0]\n"
        )
    };
    let model = format!("borelli = 1\ndimension = \"planar\"\n{}{}{}", slider("x"), slider("y"), slider("z"));
    let input = |name: &str| {
        format!(
            "[[uncertainty.input]]\nname = \"{name}\"\npath = \"initial.coordinates.{name}\"\ndistribution = \"uniform\"\nlow = -3.141592653589793\nhigh = 3.141592653589793\n"
        )
    };
    let text = format!(
        "columns = [\"coord.x.value\"]\n[time]\nend = 1e-3\nsample = 1e-3\n[column.f]\nformula = \"sin(coord.x.value/[1 m]) + 7*sin(coord.y.value/[1 m])^2 + 0.1*(coord.z.value/[1 m])^4*sin(coord.x.value/[1 m])\"\n\
         [uncertainty]\nof = \"simulate\"\nmethod = \"sobol\"\nsamples = 2048\n{}{}{}[[uncertainty.result]]\nname = \"f\"\ncolumn = \"derived.f\"\nmeasure = \"first\"\n",
        input("x"),
        input("y"),
        input("z")
    );
    let outcome = good(&model, &text);
    for (name, first, total) in [("x", 0.313_905_191, 0.557_588_855), ("y", 0.442_411_145, 0.442_411_145), ("z", 0.0, 0.243_683_664)] {
        near(scalar(&outcome, &format!("f.first.{name}")), first, 0.04);
        near(scalar(&outcome, &format!("f.total.{name}")), total, 0.04);
    }
    near(scalar(&outcome, "f.sd"), 13.844_587_941_f64.sqrt(), 0.06);
}

/// A mass of 2 kg that is moved to and fro.
const GUIDED: &str = on_rail!(
    "[guide.rail]\ntype = \"coordinate\"\ncoordinate = \"rail\"\nfunction = { type = \"sine\", amplitude = 0.2, frequency = 1 }\n\
     [force.spring]\ntype = \"coordinate-spring\"\ncoordinate = \"rail\"\nstiffness = 50\nrest = 0\n"
);

/// The guide exerts m a + k x, which is linear in both: slopes are exact, and so is their share.
#[test]
fn along_a_guide_forces_are_as_uncertain_as_mass_and_stiffness() {
    let text = "[time]\nend = 1\nsample = 0.05\n[uncertainty]\nof = \"evaluate\"\nmethod = [\"linear\", \"monte-carlo\"]\nsamples = 3000\n\
        [[uncertainty.input]]\nname = \"mass\"\npath = \"body.mass.mass\"\nsd = \"5 %\"\n\
        [[uncertainty.input]]\nname = \"spring\"\npath = \"force.spring.stiffness\"\ndistribution = \"log-normal\"\nsd = \"2 N/m\"\n\
        [[uncertainty.result]]\nname = \"push\"\ncolumn = \"guide.rail.reaction.coordinate\"\nmeasure = \"peak\"\n";
    let outcome = good(GUIDED, text);
    let record = outcome.uncertainty.as_ref().expect("a record");
    let own = record.columns.iter().find(|own| own.column.name == "guide.rail.reaction.coordinate").expect("it");
    let omega = std::f64::consts::TAU;
    for (k, t) in record.times.iter().enumerate() {
        let x = 0.2 * (omega * t).sin();
        // 5 % of 2 kg is 0.1 kg.
        let sd = ((0.1 * omega * omega * x).powi(2) + (2.0 * x).powi(2)).sqrt();
        near(own.linear_sd[k], sd, 1e-9);
        near(own.bands[k].expect("a band").sd, sd, 0.06 * sd + 1e-12);
    }
    assert!(record.linear.expect("linear").ratio < 1.5, "{:?}", record.linear);
    near(scalar(&outcome, "push.linear_sd"), ((0.02 * omega * omega).powi(2) + 0.4f64.powi(2)).sqrt(), 1e-7);
}

/// Where a result bends, slopes and samples differ, and it is said: x² of a place that is 0 on the mean.
#[test]
fn slopes_that_mislead_are_told() {
    let text = THROWN
        .replace("samples = 4000", "samples = 400")
        .replace("[uncertainty]\n", "[column.square]\nformula = \"(coord.x.value - [3 m/s]*time)^2\"\n[uncertainty]\n");
    let outcome = good(MASS, &text);
    let line = outcome.health.iter().find(|line| line.key == "uncertainty_linear").expect("a line");
    assert!(line.verdict == Verdict::Look && line.text.contains("derived.square"), "{}", line.text);
}

#[test]
fn noise_of_a_motion_comes_through_with_its_size_and_memory() {
    let rows: String = (0..=40).map(|k| format!("{},{}\n", f64::from(k) * 0.025, 0.2 * (f64::from(k) * 0.1).sin())).collect();
    let table = format!("time [s],rail [m]\n{rows}");
    let model = on_rail!("");
    let text = |more: &str| {
        format!(
            "[motion]\nfile = \"motion.csv\"\n[uncertainty]\nof = \"inverse\"\nsamples = 600\n[[uncertainty.noise]]\nname = \"sway\"\non = \"motion\"\nsd = \"2 mm\"\n{more}\
             [[uncertainty.result]]\nname = \"step\"\nformula = \"coord.rail.value\"\nmeasure = \"change\"\nfrom = \"0.5 s\"\nto = \"0.55 s\"\n"
        )
    };
    let sd_of = |more: &str| {
        let plan = planned(&text(more), &table).unwrap_or_else(|faults| panic!("{faults:?}"));
        let outcome = super::tests::good(&system(model), &plan);
        let record = outcome.uncertainty.clone().expect("a record");
        let own = record.columns.iter().find(|own| own.column.name == "coord.rail.value").expect("it");
        own.bands.iter().for_each(|band| near(band.expect("a band").sd, 0.002, 0.002 * 0.13));
        assert_eq!((record.times.len(), record.input_count), (41, 0));
        (scalar(&outcome, "step.sd"), record)
    };
    // The difference of two rows 50 ms apart: √2 sd where they are drawn anew, less where they are alike, nothing where noise lasts.
    near(sd_of("").0, 0.002 * 2f64.sqrt(), 0.0003);
    near(sd_of("time_constant = \"0.1 s\"\n").0, 0.002 * (2.0 - 2.0 * (-0.5_f64).exp()).sqrt(), 0.0003);
    let (lasting, record) = sd_of("constant = true\n");
    near(lasting, 0.0, 1e-12);
    // What lasts moves the body, and pushes nothing.
    let effort = record.columns.iter().find(|own| own.column.name == "coord.rail.effort").expect("it");
    assert!(effort.bands.iter().all(|band| band.expect("a band").sd < 1e-9));
}

/// Runs whose numbers cannot be are counted and named, and the others make the band.
#[test]
fn runs_that_fail_are_counted() {
    let text =
        format!("{}[[uncertainty.input]]\npath = \"body.ball.mass\"\nmean = \"1 kg\"\nsd = \"1 kg\"\n", THROWN.replace("\"linear\", ", ""));
    let outcome = good(MASS, &text.replace("samples = 4000", "samples = 300"));
    let record = outcome.uncertainty.as_ref().expect("a record");
    let [all, made, failed] = record.runs;
    // A share of 0.1587 of all masses is below zero, one in each of 300 cells.
    assert!((all, made) == (300, 300) && (47..=48).contains(&failed), "{:?}", record.runs);
    assert!(record.reached.iter().all(|count| *count == 300 - failed));
    assert_eq!(record.samples.iter().filter(|own| !own.trouble.is_empty() && own.results[0].is_nan()).count(), failed);
    assert_eq!((record.failures.len(), scalar(&outcome, "failed")), (5, failed as f64));
    let line = outcome.health.iter().find(|line| line.key == "uncertainty_failed").expect("a line");
    assert_eq!(line.verdict, Verdict::Bad, "{}", line.text);
    // Where none is left there is no result.
    let none = text.replace("mean = \"1 kg\"\nsd = \"1 kg\"", "distribution = \"uniform\"\nlow = \"1 kg\"\nhigh = \"3 kg\"");
    let plan = planned(&none.replace("samples = 4000", "samples = 5"), "").unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut lost = plan.clone();
    lost.integrator.settings.max_steps = 1;
    let outcome = run(&system(MASS), &lost, None, &mut Unwatched).unwrap_or_else(|_| panic!("it runs"));
    assert!(matches!(outcome.status, Status::Failed { .. }), "{:?}", outcome.status);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let text = format!(
        "{FLIGHT}[uncertainty]\nof = \"simulate\"\nmethod = [\"monte-carlo\", \"sobol\", \"morris\"]\nsamples = 12\ntrajectories = 4\n"
    );
    let plan = planned(&text, "").unwrap_or_else(|faults| panic!("{faults:?}"));
    let (system, asked) = (system(MASS), plan.uncertainty.clone().expect("it"));
    let own = Plan { analysis: asked.of, uncertainty: None, ..plan };
    let mut findings = Findings::new();
    let inputs = Inputs::new(&system, &asked, &mut findings).expect("inputs");
    let noises = Noises::new(&system, &own, &asked.noises, asked.seed, &mut findings).expect("noises");
    let experiment = Experiment { system: &system, plan: &own, inputs: &inputs, noises: &noises, results: &asked.results };
    let jobs = jobs(&asked, &inputs);
    assert_eq!(jobs.len(), 12 + 12 * 4 + 4 * 3);
    assert!(jobs.iter().all(|job| job.typical == (job.method == Method::MonteCarlo)));
    let alone = experiment.runs(&jobs, 1, &mut Unwatched);
    for threads in [2, 7, cores()] {
        assert!(experiment.runs(&jobs, threads, &mut Unwatched) == alone, "{threads}");
    }
}

/// Asks to end once so many runs are made.
struct Impatient(usize, usize);

impl Watch for Impatient {
    fn runs(&mut self, progress: &RunsProgress) {
        self.1 = progress.runs.0;
    }

    fn stop(&self) -> bool {
        self.1 >= self.0
    }
}

#[test]
fn what_is_there_is_left_where_the_user_asks_to_end() {
    let plan = planned(&THROWN.replace("\"linear\", ", ""), "").unwrap_or_else(|faults| panic!("{faults:?}"));
    let outcome = run(&system(MASS), &plan, None, &mut Impatient(40, 0)).unwrap_or_else(|_| panic!("it runs"));
    let record = outcome.uncertainty.expect("a record");
    let [all, made, failed] = record.runs;
    assert!(matches!(outcome.status, Status::Interrupted { .. }), "{:?}", outcome.status);
    assert!(all == 4000 && (40..4000).contains(&made) && failed == 0 && record.samples.len() == made, "{:?}", record.runs);
    assert!(record.reached.iter().all(|count| *count == made));
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let input = |more: &str| format!("[time]\nend = 1\n[uncertainty]\nof = \"simulate\"\n[[uncertainty.input]]\n{more}\n");
    let good = "path = \"body.mass.mass\"\nsd = \"10 %\"\n[[uncertainty.input]]\nname = \"start\"\npath = \"initial.speeds.rail\"\nsd = \"1 m/s\"\n";
    let model = on_rail!("");
    let of = |more: &str| faults(model, &input(more));
    assert_eq!(of(good), [] as [&str; 0]);
    assert_eq!(of("path = \"body.mass.mas\"\nsd = 1"), ["unknown-parameter"]);
    assert_eq!(of("path = \"initial.speeds.rial\"\nsd = 1"), ["unknown-start"]);
    assert_eq!(of("path = \"body.mass.mass\"\nsd = \"0 kg\""), ["bad-distribution"]);
    assert_eq!(of("path = \"body.mass.mass\"\nsd = \"-5 %\""), ["bad-distribution"]);
    assert_eq!(of("path = \"body.mass.mass\"\nsd = \"1 m\""), ["wrong-unit"]);
    assert_eq!(of("path = \"body.mass.mass\""), ["distribution-needs"]);
    assert_eq!(of("path = \"body.mass.mass\"\ndistribution = \"uniform\"\nlow = 1\nhigh = 3\nsd = 1"), ["idle-distribution-field"]);
    assert_eq!(of("path = \"body.mass.mass\"\ndistribution = \"uniform\"\nlow = 3\nhigh = 1"), ["bad-distribution"]);
    assert_eq!(
        of("path = \"initial.coordinates.rail\"\nmean = \"-1 m\"\ndistribution = \"log-normal\"\nsd = \"10 %\""),
        ["bad-distribution"]
    );
    assert_eq!(of("paths = [\"body.mass.mass\", \"body.mass.inertia\"]\nsd = 1"), ["unlike-parameters"]);
    assert_eq!(of(&format!("{good}[[uncertainty.input]]\npath = \"body.mass.mass\"\nsd = 1")), ["path-twice", "name-twice"]);
    let together =
        |a: &str, b: &str, value: f64| of(&format!("{good}[[uncertainty.correlation]]\nbetween = [\"{a}\", \"{b}\"]\nvalue = {value}"));
    assert_eq!(together("start", "body.mass.mass", 0.5), [] as [&str; 0]);
    assert_eq!(together("start", "mass", 0.5), ["unknown-input"]);
    assert_eq!(together("start", "start", 0.5), ["two-inputs"]);
    assert_eq!(together("start", "body.mass.mass", 1.0), ["no-correlation"]);
    let third = format!("{good}[[uncertainty.input]]\nname = \"place\"\npath = \"initial.coordinates.rail\"\nsd = 1\n");
    let pair = |a: &str, b: &str, value: f64| format!("[[uncertainty.correlation]]\nbetween = [\"{a}\", \"{b}\"]\nvalue = {value}\n");
    let crossed = [pair("start", "body.mass.mass", 0.9), pair("start", "place", 0.9), pair("place", "body.mass.mass", -0.9)].concat();
    assert_eq!(of(&format!("{third}{crossed}")), ["correlation-not-positive"]);
    let result = |more: &str| of(&format!("{good}[[uncertainty.result]]\nname = \"r\"\n{more}"));
    assert_eq!(result("column = \"coord.rail.value\"\nmeasure = \"max\""), [] as [&str; 0]);
    assert_eq!(result("column = \"coord.rial.value\"\nmeasure = \"max\""), ["result-without-number"]);
    assert_eq!(result("column = \"coord.rail.value\""), ["result-without-number"]);
    assert_eq!(result("column = \"coord.rail.value\"\nmeasure = \"crossing\"\nlevel = \"5 m\""), ["result-without-number"]);
    assert_eq!(result("column = \"coord.rail.value\"\nmeasure = \"distance\""), ["wrong-field"]);
    let method = |word: &str| faults(model, &input(good).replace("of = \"simulate\"", &format!("of = \"simulate\"\nmethod = {word}")));
    assert_eq!(method("\"sobol\""), ["nothing-to-rank"]);
    assert_eq!(method("[\"linear\", \"hypercube\"]"), ["bad-choice"]);
    assert_eq!(method("[\"monte-carlo\", \"latin-hypercube\"]"), ["same-draws"]);
    assert_eq!(method("\"linear\""), [] as [&str; 0]);
    let many = input(good).replace("of = \"simulate\"", "of = \"simulate\"\nsamples = 500000").replace("end = 1", "end = 1\nsample = 1e-3");
    assert_eq!(faults(model, &many), ["too-many-samples"]);
    assert_eq!(faults(model, &many.replace("500000", "90000000000")), ["too-many-runs"]);
    // Loops and guides, states and noise have no slopes.
    let guided = input("path = \"body.mass.mass\"\nsd = \"10 %\"").replace("of = \"simulate\"", "of = \"simulate\"\nmethod = \"linear\"");
    assert_eq!(faults(GUIDED, &guided), ["not-linear"]);
    let noise = |more: &str| {
        format!(
            "[motion]\nfile = \"motion.csv\"\n[uncertainty]\nof = \"inverse\"\nsamples = 3\n[[uncertainty.noise]]\nname = \"n\"\n{more}\n"
        )
    };
    assert_eq!(faults(model, &noise("on = \"motion\"\nsd = \"1 mm\"")), [] as [&str; 0]);
    assert_eq!(faults(model, &noise("on = \"motion\"\nsd = \"1 deg\"")), ["nothing-noisy"]);
    assert_eq!(faults(model, &noise("on = \"motion\"\nsd = \"0 mm\"")), ["noise-size"]);
    assert_eq!(faults(model, &noise("on = \"markers\"\nsd = \"1 mm\"")), ["no-table-for-noise"]);
    assert_eq!(faults(model, &noise("on = \"motion\"\nsd = \"1 mm\"\ncolumns = [\"knee\"]")), ["nothing-noisy"]);
    assert_eq!(faults(model, &noise("on = \"motion\"\nsd = \"1 mm\"").replace("samples = 3", "method = \"linear\"")), ["not-linear"]);
    assert_eq!(faults(model, "[time]\nend = 1\n[uncertainty]\nof = \"simulate\"\n"), ["nothing-listed"]);
    assert_eq!(faults(model, "[time]\nend = 1\n"), ["table-missing"]);
}
