//! Fits of analyses that are run for every value: closed forms of an oscillator, a pendulum and springs at rest; slopes against differences for unknowns of
//! every kind; runs that fail or end early.

use super::fit::fitted;
use super::fit_runs::problem;
use super::fit_tests::{planned, scalar};
use super::tests::system;
use super::*;
use crate::fit::FitRecord;
use borelli_fit::{Answer, Query, Wanted};

/// A mass on a rail with spring and damper of its own, driven by a force that follows a table.
const OSCILLATOR: &str = r#"
borelli = 1
dimension = "planar"
gravity = [0, 0]
[body.mass]
mass = "2 kg"
inertia = "1 kg m^2"
[joint.rail]
type = "slider"
parent = "world"
child = "mass"
axis = [1, 0]
[force.spring]
type = "coordinate-spring"
coordinate = "rail"
stiffness = "50 N/m"
damping = "1.5 N s/m"
[function.drive]
type = "table"
x = [0, 0.5, 1, 1.5, 2]
y = ["0 N", "0 N", "0 N", "0 N", "0 N"]
interpolation = "spline"
[force.drive]
type = "effort"
coordinate = "rail"
effort = "drive"
[initial]
coordinates = { rail = "0.1 m" }
speeds = { rail = "0.4 m/s" }
"#;

const TIMES: usize = 41;

/// x(t) of m x'' + c x' + k x = 0.
fn swing(t: f64, [m, c, k, x, v]: [f64; 5]) -> f64 {
    let (decay, omega) = (0.5 * c / m, (k / m - 0.25 * (c / m).powi(2)).sqrt());
    (-decay * t).exp() * (x * (omega * t).cos() + (v + decay * x) / omega * (omega * t).sin())
}

/// A table of something over the samples of two seconds.
fn table(name: &str, value: impl Fn(f64) -> f64) -> String {
    let mut text = format!("time [s],{name}\n");
    (0..TIMES).for_each(|k| text += &format!("{:?},{:?}\n", 0.05 * k as f64, value(0.05 * k as f64)));
    text
}

fn study(of: &str, fit: &str, more: &str) -> String {
    format!(
        "borelli = 1\ntitle = \"runs\"\nmodel = \"given\"\nanalysis = \"fit\"\n[time]\nend = \"2 s\"\nsample = \"50 ms\"\n[integrator]\n\
         method = \"dopri5\"\nrtol = 1e-12\natol = 1e-13\n[fit]\nof = \"{of}\"\n{fit}\n{more}"
    )
}

const PLACE: &str = "[[fit.trial]]\nname = \"swing\"\ndata = [\"forces.csv\"]\n[[fit.term]]\nname = \"place\"\ncolumn = \"coord.rail.value\"\ndata = \"x\"\n\
    interpolation = \"spline\"\nnormalise = \"0.1 m\"\n";

/// Unknowns of every kind: a parameter on a logarithmic scale, one that two parameters share, start values, a point of a table.
const UNKNOWNS: &str = r#"
[[fit.unknown]]
name = "stiffness"
path = "force.spring.stiffness"
low = "10 N/m"
high = "200 N/m"
scale = "log"
start = "40 N/m"
[[fit.unknown]]
name = "damping"
path = "force.spring.damping"
low = "0 N s/m"
high = "10 N s/m"
start = "4 N s/m"
[[fit.unknown]]
name = "speed"
path = "initial.speeds.rail"
low = "-1 m/s"
high = "1 m/s"
start = "0 m/s"
[[fit.unknown]]
name = "place"
path = "initial.coordinates.rail"
start = "0.05 m"
"#;

const MORE_UNKNOWNS: &str = r#"
[[fit.unknown]]
name = "inertia"
paths = ["body.mass.mass"]
times = [2]
low = "0.5 kg"
high = "2 kg"
[[fit.unknown]]
path = "function.drive.y.3"
low = "-5 N"
high = "5 N"
"#;

fn outcome_of(model: &str, text: &str, data: String) -> Outcome {
    let plan = planned(text, data).unwrap_or_else(|faults| panic!("{faults:?}"));
    super::tests::good(&system(model), &plan)
}

fn record(outcome: &Outcome) -> &FitRecord {
    outcome.fit.as_ref().expect("a record")
}

fn codes(model: &str, text: &str, data: String) -> Vec<(&'static str, String)> {
    match planned(text, data) {
        Err(faults) => faults,
        Ok(plan) => match run(&system(model), &plan, None, &mut Unwatched) {
            Ok(_) => Vec::new(),
            Err(findings) => findings.iter().map(|finding| (finding.code, finding.message.clone())).collect(),
        },
    }
}

/// Answers at a point with slopes, and the residuals at points nearby.
fn slopes_and_differences(model: &str, text: &str, data: String, at: impl Fn(usize) -> f64) {
    let plan = planned(text, data).unwrap_or_else(|faults| panic!("{faults:?}"));
    let (model, fit) = (system(model), plan.fit.as_ref().expect("a fit").clone());
    let fit = fit.expanded(&model);
    let mut findings = borelli_model::Findings::new();
    let own = fitted(&plan, &fit);
    let Some((channels, problem)) = problem(&model, &own, &fit, &mut findings) else { panic!("{findings:?}") };
    let mut evaluator = problem.evaluator(&channels);
    let mut residuals = |wanted: Wanted, point: Vec<f64>| {
        let mut answer = Answer::default();
        problem.answer(&mut evaluator, &Query { wanted, point }, &mut answer);
        answer
    };
    let n = problem.len();
    let point: Vec<f64> = (0..n).map(at).collect();
    let exact = residuals(Wanted::Jacobian, point.clone());
    for k in 0..n {
        let h = 1e-4;
        let mut moved = |by: f64| {
            let mut point = point.clone();
            point[k] += by;
            residuals(Wanted::Residuals, point).residuals
        };
        let [up, down, further, below] = [h, -h, 2.0 * h, -2.0 * h].map(&mut moved);
        let slope = |row: usize| (8.0 * (up[row] - down[row]) - further[row] + below[row]) / (12.0 * h);
        let own = |row: usize| exact.slopes.residuals[row * n + k];
        let size = (0..exact.residuals.len()).fold(0.0_f64, |most, row| most.max(own(row).abs()));
        assert!(size > 1e-3, "{} changes nothing: {size}", fit.unknowns[k].name);
        for row in 0..exact.residuals.len() {
            assert!(
                (slope(row) - own(row)).abs() <= 1e-6 * size,
                "{} row {row}: {} {} of {size}",
                fit.unknowns[k].name,
                slope(row),
                own(row)
            );
        }
    }
}

#[test]
fn an_oscillator_is_found_again_from_its_closed_form() {
    let data = table("x [m]", |t| swing(t, [2.0, 1.5, 50.0, 0.1, 0.4]));
    for fit in ["", "method = \"quasi-newton\"", "derivatives = \"differences\""] {
        let outcome = outcome_of(OSCILLATOR, &study("simulate", fit, &(PLACE.to_string() + UNKNOWNS)), data.clone());
        // Ends of a search by gradients, and slopes by differences, are less sharp.
        let tolerance = if fit.contains("newton") { 1e-4 } else { 1e-8 };
        for (name, truth) in [("stiffness", 50.0), ("damping", 1.5), ("speed", 0.4), ("place", 0.1)] {
            let found = scalar(&outcome, &format!("fit.unknown.{name}"));
            assert!((found / truth - 1.0).abs() < tolerance, "{fit}: {name} {found} {truth}");
        }
        assert!(record(&outcome).rejected == 0 && record(&outcome).found, "{fit}");
        // The run that is left is that of the values found.
        let last = outcome.trajectory.column("coord.rail.value").expect("recorded")[TIMES - 1];
        assert!((last - swing(2.0, [2.0, 1.5, 50.0, 0.1, 0.4])).abs() < 1e-6, "{last}");
    }
}

#[test]
fn slopes_of_a_simulation_are_those_of_differences_for_unknowns_of_every_kind() {
    let data = table("x [m]", |t| 0.1 * (3.0 * t).sin());
    let speed = "[[fit.term]]\nname = \"pull\"\ncolumn = \"derived.pull\"\nnormalise = \"10 N\"\n[column.pull]\n\
        formula = \"coord.rail.accel*[2 kg] + coord.rail.rate*coord.rail.value*[1 N s/m^2]\"\n";
    let text = study("simulate", "", &[PLACE, speed, UNKNOWNS, MORE_UNKNOWNS].concat());
    slopes_and_differences(OSCILLATOR, &text, data, |k| 0.4 + 0.05 * k as f64);
}

/// A pendulum by gravity and length; its small swings have the closed form of the elliptic integral, taken here by the mean of Gauss.
#[test]
fn gravity_follows_from_the_period_of_a_large_swing() {
    let pendulum = r#"
borelli = 1
dimension = "planar"
gravity = [0, "-9 m/s^2"]
[body.bob]
mass = "1 kg"
center = [0, "-0.7 m"]
inertia = "0 kg m^2"
[joint.pin]
type = "hinge"
parent = "world"
child = "bob"
[initial]
coordinates = { pin = "1.2 rad" }
"#;
    let (g, length, start) = (9.81_f64, 0.7_f64, 1.2_f64);
    let (mut a, mut b) = (1.0_f64, (0.5 * start).cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let period = 2.0 * std::f64::consts::PI * (length / g).sqrt() / a;
    // After a quarter it hangs down, after a half it is where it began on the other side, after a whole one it is back.
    let data = format!("time [s],angle [rad]\n0,{start:?}\n{:?},0\n{:?},{:?}\n", 0.25 * period, 0.5 * period, -start);
    let text = format!(
        "borelli = 1\ntitle = \"pendulum\"\nmodel = \"given\"\nanalysis = \"fit\"\n[time]\nend = \"{:?} s\"\nsample = \"{:?} s\"\n[integrator]\nmethod = \"dopri5\"\n\
         rtol = 1e-12\natol = 1e-12\n[fit]\nof = \"simulate\"\n[[fit.trial]]\nname = \"swing\"\ndata = [\"forces.csv\"]\n[[fit.term]]\nname = \"angle\"\n\
         column = \"coord.pin.value\"\ndata = \"angle\"\n[[fit.unknown]]\npath = \"gravity.y\"\nlow = \"-12 m/s^2\"\nhigh = \"-8 m/s^2\"\n",
        0.5 * period,
        0.25 * period
    );
    let outcome = outcome_of(pendulum, &text, data);
    let found = scalar(&outcome, "fit.unknown.gravity.y");
    assert!((found / -9.81 - 1.0).abs() < 1e-8, "{found}");
}

/// Two masses hang on springs below each other: k₁ x₁ = (m₁ + m₂) g, k₂ (x₂ - x₁) = m₂ g, lengths from rest.
const SCALE: &str = r#"
borelli = 1
dimension = "planar"
gravity = ["10 m/s^2", 0]
[body.upper]
mass = "1 kg"
inertia = "1 kg m^2"
[body.lower]
mass = "2 kg"
inertia = "1 kg m^2"
[joint.first]
type = "slider"
parent = "world"
child = "upper"
axis = [1, 0]
[joint.second]
type = "slider"
parent = "upper"
child = "lower"
axis = [1, 0]
[force.first]
type = "coordinate-spring"
coordinate = "first"
stiffness = "300 N/m"
[force.second]
type = "coordinate-spring"
coordinate = "second"
stiffness = "300 N/m"
"#;

fn scale_study(fit: &str) -> String {
    let trial = |k: usize, upper: f64, lower: f64| {
        format!(
            "[[fit.trial]]\nname = \"load-{k}\"\ndata = [\"forces.csv\"]\nrest_at = \"{k} s\"\nset = {{ \"body.upper.mass\" = \"{upper} kg\", \"body.lower.mass\" = \"{lower} kg\" }}\n"
        )
    };
    let term = |name: &str| {
        format!("[[fit.term]]\nname = \"{name}\"\ncolumn = \"coord.{name}.value\"\ndata = \"{name}\"\nnormalise = \"0.1 m\"\n")
    };
    let unknown = |name: &str| {
        format!(
            "[[fit.unknown]]\nname = \"{name}\"\npath = \"force.{name}.stiffness\"\nlow = \"50 N/m\"\nhigh = \"1000 N/m\"\nscale = \"log\"\n"
        )
    };
    let lists =
        [trial(1, 1.0, 2.0), trial(2, 3.0, 1.0), trial(3, 2.0, 2.5), term("first"), term("second"), unknown("first"), unknown("second")];
    format!("borelli = 1\ntitle = \"scale\"\nmodel = \"given\"\nanalysis = \"fit\"\n[fit]\nof = \"statics\"\n{fit}\n{}", lists.concat())
}

fn heights() -> String {
    let row = |k: usize, upper: f64, lower: f64| format!("{k},{:?},{:?}\n", 10.0 * (upper + lower) / 400.0, 10.0 * lower / 250.0);
    ["time [s],first [m],second [m]\n".to_string(), row(1, 1.0, 2.0), row(2, 3.0, 1.0), row(3, 2.0, 2.5)].concat()
}

#[test]
fn springs_are_found_from_heights_at_rest() {
    for fit in ["", "derivatives = \"differences\"", "method = \"cma-es\"\nthen = \"least-squares\"\nevaluations = 400"] {
        let outcome = outcome_of(SCALE, &scale_study(fit), heights());
        for (name, truth) in [("first", 400.0), ("second", 250.0)] {
            let found = scalar(&outcome, &format!("fit.unknown.{name}"));
            assert!((found / truth - 1.0).abs() < 1e-8, "{fit}: {name} {found}");
        }
        // The run that is left is the first trial.
        assert!((outcome.trajectory.column("coord.first.value").expect("recorded")[0] - 30.0 / 400.0).abs() < 1e-9);
    }
}

#[test]
fn slopes_at_rest_are_those_of_differences() {
    slopes_and_differences(SCALE, &scale_study(""), heights(), |k| 0.4 + 0.1 * k as f64);
}

/// A spring in series with a damper beside the mass: a state of a force element.
#[test]
fn slopes_see_states_of_force_elements() {
    let maxwell = "[world.point]\npost = [\"-1 m\", 0]\n[path.line]\npoints = [\"world.post\", \"mass\"]\n[force.maxwell]\ntype = \"maxwell\"\npath = \"line\"\nstiffness = \"80 N/m\"\ndamping = \"9 N s/m\"\nlength = \"1.05 m\"\n";
    let model = OSCILLATOR.replace("[initial]", &format!("{maxwell}[initial]")).replace("rail = \"0.1 m\"", "rail = \"0.3 m\"");
    let unknowns = "[[fit.unknown]]\nname = \"series\"\npath = \"force.maxwell.stiffness\"\nlow = \"20 N/m\"\nhigh = \"200 N/m\"\n[[fit.unknown]]\nname = \"pot\"\n\
        path = \"force.maxwell.damping\"\nlow = \"1 N s/m\"\nhigh = \"20 N s/m\"\n[[fit.unknown]]\npath = \"initial.coordinates.rail\"\nlow = \"0.2 m\"\nhigh = \"0.5 m\"\n";
    let text = study("simulate", "", &[PLACE, unknowns].concat());
    slopes_and_differences(&model, &text, table("x [m]", |t| 0.3 * (5.0 * t).cos()), |k| 0.35 + 0.1 * k as f64);
}

#[test]
fn runs_that_fail_or_end_early_are_rejected_counted_and_told() {
    // Where the damping is small the mass comes to a stop that ends the run.
    let data = table("x [m]", |t| swing(t, [2.0, 6.0, 50.0, 0.1, 0.4]));
    let stop = "[[event]]\nname = \"buffer\"\nwhen = \"coord.rail.value + [0.06 m]\"\ndirection = \"falling\"\naction = \"stop\"\n";
    let unknown = |start: &str| {
        format!(
            "[[fit.unknown]]\nname = \"damping\"\npath = \"force.spring.damping\"\nlow = \"0 N s/m\"\nhigh = \"20 N s/m\"\nstart = \"{start}\"\n"
        )
    };
    let text = |fit: &str, start: &str| study("simulate", fit, &[PLACE, stop, &unknown(start)].concat());
    let good = outcome_of(OSCILLATOR, &text("method = \"cma-es\"\nthen = \"least-squares\"\nevaluations = 300", "15 N s/m"), data.clone());
    assert!((scalar(&good, "fit.unknown.damping") / 6.0 - 1.0).abs() < 1e-8, "{}", scalar(&good, "fit.unknown.damping"));
    let known = record(&good);
    assert!(known.rejected > 0 && known.rejected < known.evaluations, "{} of {}", known.rejected, known.evaluations);
    let told = known.rejected_because.as_ref().expect("a reason");
    assert!(told.contains("`buffer`") && told.contains("swing"), "{told}");
    assert!(good.health.iter().any(|line| line.key == "fit_rejected"));
    // At the start that is an error, with what to do.
    let [(code, message)] = &codes(OSCILLATOR, &text("", "0 N s/m"), data.clone())[..] else { panic!("one fault") };
    assert_eq!(*code, "no-run-at-start");
    assert!(message.contains("`buffer` ends it at"), "{message}");
    // Samples that do not count may lie behind the end.
    let early = text("", "0.1 N s/m").replace("normalise = \"0.1 m\"", "normalise = \"0.1 m\"\nto = \"0.3 s\"");
    let found = scalar(&outcome_of(OSCILLATOR, &early, data.clone()), "fit.unknown.damping");
    assert!((found / 6.0 - 1.0).abs() < 1e-7, "{found}");
    // A constraint counts at all samples: where the run ends before them the point is not allowed, however well the term fits. What is found is the
    // least damping with which the mass stays clear of the buffer.
    let light = table("x [m]", |t| swing(t, [2.0, 0.5, 50.0, 0.1, 0.4]));
    let room = "[[fit.constraint]]\nname = \"room\"\ncolumn = \"coord.rail.value\"\nat_most = \"1 m\"\n";
    let early = text("method = \"cma-es\"\nevaluations = 400", "15 N s/m")
        .replace("normalise = \"0.1 m\"", "normalise = \"0.1 m\"\nto = \"0.3 s\"");
    let clear = outcome_of(OSCILLATOR, &(early + room), light);
    let found = scalar(&clear, "fit.unknown.damping");
    let least = (0..2000).map(|k| swing(1e-3 * f64::from(k), [2.0, found, 50.0, 0.1, 0.4])).fold(f64::INFINITY, f64::min);
    assert!(least > -0.06 - 1e-7 && least < -0.0599, "{found} {least}");
    let known = record(&clear);
    assert!(known.rejected > 0 && known.exceeded.is_empty(), "{} {:?}", known.rejected, known.exceeded);
    // Runs that cannot begin: steps run out.
    let short = text("", "6 N s/m").replace("rtol = 1e-12", "rtol = 1e-12\nmax_steps = 3");
    assert_eq!(codes(OSCILLATOR, &short, data)[0].0, "no-run-at-start");
}

#[test]
fn what_cannot_be_fitted_is_refused_with_a_reason() {
    let data = || table("x [m]", |t| 0.1 * (3.0 * t).sin());
    let first = |model: &str, text: &str| codes(model, text, data()).first().cloned().unwrap_or(("", String::new()));
    let speed = "[[fit.unknown]]\npath = \"initial.speeds.rail\"\nlow = -1\nhigh = 1\n";
    let (guide, spring) = (
        "[guide.rail]\ntype = \"coordinate\"\ncoordinate = \"rail\"\nfunction = { type = \"sine\", amplitude = \"0.1 m\", frequency = \"1 1/s\" }\n[initial]",
        "[[fit.unknown]]\npath = \"force.spring.stiffness\"\nlow = 10\nhigh = 100\n",
    );
    let guided = OSCILLATOR.replace("[initial]", guide);
    // Nothing starts from start values along a motion, and at rest.
    for of in ["evaluate", "statics"] {
        let (code, message) = first(if of == "evaluate" { &guided } else { OSCILLATOR }, &study(of, "", &[PLACE, speed].concat()));
        assert_eq!(code, "start-value-unused", "{of}: {message}");
        assert!(message.contains(of), "{message}");
    }
    // Loops and guides have no exact slopes; without slopes, and with differences, they may be there.
    let (code, message) = first(&guided, &study("simulate", "", &[PLACE, spring].concat()));
    assert_eq!(code, "no-exact-slopes");
    assert!(message.contains("loops or guides"), "{message}");
    for fit in ["derivatives = \"differences\"", "method = \"cma-es\"\nevaluations = 30"] {
        let effort = PLACE.replace("coord.rail.value", "coord.rail.effort").replace("0.1 m", "1 N").replace("data = \"x\"\n", "");
        assert_eq!(first(&guided, &study("simulate", fit, &[&effort, spring].concat())), ("", String::new()), "{fit}");
    }
    // The work done has none.
    let work = PLACE.replace("coord.rail.value", "system.work.forces").replace("data = \"x\"\n", "").replace("0.1 m", "1 J");
    let (code, message) = first(OSCILLATOR, &study("simulate", "", &[&work, spring].concat()));
    assert!(code == "no-exact-slopes" && message.contains("system.work.forces"), "{code} {message}");
    // Data that end before the run.
    let long = study("simulate", "", &[PLACE, spring].concat()).replace("end = \"2 s\"", "end = \"3 s\"");
    assert_eq!(first(OSCILLATOR, &long).0, "bad-measured-column");
    // A trial that sets what is searched for, or a motion where there is none.
    let set = PLACE.replace("[[fit.term]]", "set = { \"force.spring.stiffness\" = 3 }\n[[fit.term]]");
    assert_eq!(first(OSCILLATOR, &study("simulate", "", &[&set, spring].concat())).0, "trial-sets-unknown");
    let rests = PLACE.replace("[[fit.term]]", "rest_at = \"1 s\"\n[[fit.term]]");
    assert_eq!(first(OSCILLATOR, &study("simulate", "", &[&rests, spring].concat())).0, "fit-of-this-model");
}

#[test]
fn the_end_of_a_search_by_chance_is_the_same_every_time() {
    let data = table("x [m]", |t| swing(t, [2.0, 1.5, 50.0, 0.1, 0.4]));
    let text = study(
        "simulate",
        "method = \"cma-es\"\nevaluations = 60",
        &(PLACE.to_string() + UNKNOWNS).replace("start = \"0.05 m\"", "low = 0\nhigh = 1"),
    );
    let [first, second] = [(); 2].map(|()| outcome_of(OSCILLATOR, &text, data.clone()));
    assert_eq!(record(&first), record(&second));
}

/// A muscle lifts a load on a spring: its fibre starts in equilibrium with the tendon, which depends on its numbers and on where the load starts.
const MUSCLE: &str = r#"
borelli = 1
dimension = "planar"
gravity = [0, "-9.81 m/s^2"]
[body.load]
mass = "20 kg"
inertia = "1 kg m^2"
[joint.rail]
type = "slider"
parent = "world"
child = "load"
axis = [0, -1]
[path.line]
points = ["world", "load"]
[force.spring]
type = "coordinate-spring"
coordinate = "rail"
stiffness = "9000 N/m"
rest = "0.32 m"
damping = "200 N s/m"
[muscle.m]
type = "thelen"
path = "line"
force = "1600 N"
fibre_length = "65 mm"
tendon_length = "240 mm"
pennation = "20 deg"
speed = 12
activation = "none"
excitation = 0.4
[initial]
coordinates = { rail = "0.305 m" }
"#;

#[test]
fn slopes_see_where_fibres_of_muscles_start() {
    let unknown = |path: &str, low: &str, high: &str| format!("[[fit.unknown]]\npath = \"{path}\"\nlow = \"{low}\"\nhigh = \"{high}\"\n");
    let unknowns = [
        unknown("muscle.m.force", "1200 N", "2000 N"),
        unknown("muscle.m.fibre_length", "60 mm", "70 mm"),
        unknown("muscle.m.tendon_length", "235 mm", "245 mm"),
        unknown("initial.coordinates.rail", "0.3 m", "0.31 m"),
    ];
    let terms = "[[fit.term]]\nname = \"force\"\ncolumn = \"muscle.m.force\"\nnormalise = \"100 N\"\n[[fit.term]]\nname = \"place\"\ncolumn = \"coord.rail.value\"\n\
        normalise = \"1 mm\"\n";
    let text =
        study("simulate", "", &[terms, &unknowns.concat()].concat()).replace("end = \"2 s\"", "end = \"0.1 s\"").replace("50 ms", "10 ms");
    slopes_and_differences(MUSCLE, &text, String::new(), |k| 0.45 + 0.05 * k as f64);
}

/// A muscle that is held, with fibre and tendon at rest: no exact slopes, but differences find its numbers from forces at six lengths.
#[test]
fn a_held_muscle_is_found_from_its_forces_at_rest() {
    let held = MUSCLE.replace(
        "[initial]",
        "[function.length]\ntype = \"table\"\nx = [1, 2, 3, 4, 5, 6]\ny = [\"0.283 m\", \"0.292 m\", \"0.3 m\", \"0.31 m\", \"0.32 m\", \"0.33 m\"]\n[guide.rail]\n\
         type = \"coordinate\"\ncoordinate = \"rail\"\nfunction = \"length\"\n[initial]",
    );
    let plan = |trial: usize| {
        let text = format!("borelli = 1\ntitle = \"\"\nmodel = \"given\"\nanalysis = \"statics\"\n[time]\nstart = {trial}\nend = 10\n");
        planned(&text, String::new()).unwrap_or_else(|faults| panic!("{faults:?}"))
    };
    let force = |trial: usize| super::tests::good(&system(&held), &plan(trial)).trajectory.column("muscle.m.force").expect("recorded")[0];
    let rows: Vec<String> = (1..=6).map(|trial| format!("{trial},{:?}\n", force(trial))).collect();
    let trials: Vec<String> =
        (1..=6).map(|k| format!("[[fit.trial]]\nname = \"at-{k}\"\ndata = [\"forces.csv\"]\nrest_at = \"{k} s\"\n")).collect();
    let more = "[[fit.term]]\nname = \"force\"\ncolumn = \"muscle.m.force\"\ndata = \"f\"\nnormalise = \"16 N\"\n[[fit.unknown]]\nname = \"force\"\npath = \"muscle.m.force\"\n\
        low = \"800 N\"\nhigh = \"3000 N\"\nscale = \"log\"\nstart = \"1200 N\"\n[[fit.unknown]]\nname = \"fibre\"\npath = \"muscle.m.fibre_length\"\nlow = \"40 mm\"\n\
        high = \"100 mm\"\nstart = \"60 mm\"\n[[fit.unknown]]\nname = \"tendon\"\npath = \"muscle.m.tendon_length\"\nlow = \"220 mm\"\nhigh = \"260 mm\"\nstart = \"244 mm\"\n";
    let text = |fit: &str| {
        format!(
            "borelli = 1\ntitle = \"held\"\nmodel = \"given\"\nanalysis = \"fit\"\n[fit]\nof = \"statics\"\n{fit}\n{}{more}",
            trials.concat()
        )
    };
    let data = ["time [s],f [N]\n".to_string(), rows.concat()].concat();
    let (code, message) = codes(&held, &text(""), data.clone()).first().cloned().expect("a fault");
    assert!(code == "no-exact-slopes" && message.contains("states") && message.contains("guides"), "{code} {message}");
    let outcome = outcome_of(&held, &text("derivatives = \"differences\""), data);
    for (name, truth) in [("force", 1600.0), ("fibre", 0.065), ("tendon", 0.24)] {
        let found = scalar(&outcome, &format!("fit.unknown.{name}"));
        assert!((found / truth - 1.0).abs() < 1e-6, "{name}: {found}");
    }
}
