//! Forces by formulas and states without bodies in runs: against closed forms and against the laws that the formulas say, in every analysis.

use super::tests::{good, on_rail, plan, system, value};
use super::*;
use crate::plan::StartRule;
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_dynamics::integrate::{INTEGRATORS, SCHEMES, Settings};

/// A mass of 2 kg on a rail with a damped spring of its own by a formula, and another by a formula along a path: 50 N/m in all, 4 N s/m.
const OWN: &str = on_rail!(
    r#"[force.own]
type = "formula"
coordinate = "rail"
effort = "-k*(coord.rail.value - [2 m]) - c*coord.rail.rate"
numbers = { k = "30 N/m", c = "4 N s/m" }
[force.line]
type = "formula"
path = "line"
tension = "[20 N/m]*(path.line.length - rest)"
numbers = { rest = "2 m" }
[initial]
coordinates = { rail = 2.5 }
"#
);

/// Place and speed of the mass: 0.5 e^{-t} (cos wt + sin wt / w) about 2, w² = 24.
fn exact(t: f64) -> [f64; 2] {
    let w = 24_f64.sqrt();
    let (s, c) = (w * t).sin_cos();
    [2.0 + 0.5 * (-t).exp() * (c + s / w), -0.5 * (-t).exp() * (w + 1.0 / w) * s]
}

#[test]
fn formulas_move_as_their_closed_form_in_every_formulation_and_integrator() {
    let system = system(OWN);
    let methods = INTEGRATORS.iter().map(|entry| entry.name).chain(SCHEMES.iter().map(|entry| entry.name));
    let mut looked_at = 0;
    for (method, formulation) in methods.flat_map(|method| FORMULATIONS.iter().map(move |entry| (method, entry.name))) {
        let implicit = SCHEMES.iter().any(|entry| entry.name == method);
        if implicit && formulation != "articulated" || formulation == "segment-chain" {
            continue;
        }
        let mut plan = plan(1.0);
        plan.formulation = formulation.into();
        (plan.integrator.method, plan.integrator.settings.step) = (Some(method.into()), Some(1e-3));
        (plan.integrator.beta, plan.integrator.gamma) = (0.25, 0.5);
        let outcome = good(&system, &plan);
        let allowed = if implicit || method == "heun" { 2e-5 } else { 1e-9 };
        let table = &outcome.trajectory;
        for sample in 0..table.len() {
            let [x, v] = exact(table.time()[sample]);
            let of = |name: &str| value(table, name, sample);
            assert!((of("coord.rail.value") - x).abs() < allowed, "{method} {formulation}: {}", of("coord.rail.value") - x);
            assert!((of("force.line.tension") - 20.0 * (x - 2.0)).abs() < 20.0 * allowed, "{method} {formulation}");
            assert!((of("force.own.effort") + 30.0 * (x - 2.0) + 4.0 * v).abs() < 300.0 * allowed, "{method} {formulation}");
            // A formula stores nothing: all that it does is work.
            let gained = of("system.energy.kinetic") - value(table, "system.energy.kinetic", 0);
            assert!((of("system.work.forces") - gained).abs() < 200.0 * allowed, "{method} {formulation}");
            assert_eq!(of("system.energy.stored"), 0.0);
        }
        let line = outcome.health.iter().find(|line| line.key == "energy_balance").expect("a line");
        assert_eq!(line.verdict, Verdict::Good, "{method} {formulation}: {line:?}");
        looked_at += 1;
    }
    assert!(looked_at >= 5 * 3 + 2, "{looked_at}");
}

#[test]
fn a_named_number_is_a_parameter_of_the_run() {
    let mut system = system(OWN);
    let slot = system.parameter("force.own.numbers.k").expect("a parameter");
    assert_eq!(system.parameters[slot].value, 30.0);
    let mut values = system.values();
    // Without the spring of the coordinate and without damping 20 N/m are left: w² = 10.
    values[slot] = 0.0;
    values[system.parameter("force.own.numbers.c").expect("a parameter")] = 0.0;
    system.refill(&values);
    let end = good(&system, &plan(1.0)).end.expect("an end");
    assert!((end.q[0] - 2.0 - 0.5 * 10_f64.sqrt().cos()).abs() < 1e-9, "{:?}", end.q);
}

#[test]
fn every_analysis_counts_a_formula_as_the_law_that_it_says() {
    let law = |more: &str| {
        let text = OWN.split("[force.own]").next().expect("a beginning");
        let spring = "[force.own]\ntype = \"coordinate-spring\"\ncoordinate = \"rail\"\nstiffness = 30\nrest = 2\ndamping = 4\n\
                      [force.line]\ntype = \"spring\"\npath = \"line\"\nstiffness = 20\nlength = 2\n";
        system(&format!("{text}{spring}{more}"))
    };
    let guide = "[force.push]\ntype = \"effort\"\ncoordinate = \"rail\"\neffort = 15\n";
    let own = system(&format!("{}{guide}[initial]\ncoordinates = {{ rail = 2.5 }}\n", OWN.split("[initial]").next().expect("a model")));
    let law = law(&format!("{guide}[initial]\ncoordinates = {{ rail = 2.5 }}\n"));
    // A balance: 50 (x − 2) = 15.
    for system in [&own, &law] {
        let outcome = good(system, &Plan { analysis: Analysis::Statics, ..plan(1.0) });
        assert!((value(&outcome.trajectory, "coord.rail.value", 0) - 2.3).abs() < 1e-10);
        assert_eq!(outcome.scalars.iter().find(|own| own.name == "statics.stable").map(|own| own.value), Some(1.0));
    }
    // What a guide takes to hold the motion.
    let guided = |text: &str| {
        let guide = "[guide.move]\ntype = \"coordinate\"\ncoordinate = \"rail\"\nfunction = { type = \"expression\", expression = \"2.5 + 0.3*sin(4*t)\", argument_unit = \"s\", value_unit = \"m\" }\n";
        system(&format!("{}{guide}", text))
    };
    let text = OWN.split("[initial]").next().expect("a model");
    let spring = "[force.own]\ntype = \"coordinate-spring\"\ncoordinate = \"rail\"\nstiffness = 30\nrest = 2\ndamping = 4\n\
                  [force.line]\ntype = \"spring\"\npath = \"line\"\nstiffness = 20\nlength = 2\n";
    let [own, law] = [guided(text), guided(&format!("{}{spring}", text.split("[force.own]").next().expect("a beginning")))];
    for analysis in [Analysis::Evaluate, Analysis::Inverse] {
        let [own, law] = [&own, &law].map(|system| good(system, &Plan { analysis, ..plan(1.0) }));
        for sample in 0..law.trajectory.len() {
            for column in ["coord.rail.effort", "guide.move.reaction.coordinate"] {
                let [Some(own), Some(law)] = [&own, &law].map(|outcome| outcome.trajectory.column(column)) else { continue };
                assert!((own[sample] - law[sample]).abs() < 1e-9 && law[sample].is_finite(), "{analysis:?} {column}");
            }
        }
    }
}

#[test]
fn a_balance_that_holds_an_integral_which_a_force_sees_is_no_balance() {
    let text = on_rail!(
        r#"[integral.missed]
rate = "[1 m] - coord.rail.value"
unit = "m s"
[force.own]
type = "formula"
coordinate = "rail"
effort = "-[30 N/m]*coord.rail.value + [5 N/(m s)]*integral.missed"
"#
    );
    let outcome = good(&system(text), &Plan { analysis: Analysis::Statics, ..plan(1.0) });
    let line = outcome.health.iter().find(|line| line.key == "integrals_held").expect("a line");
    assert!(line.verdict == Verdict::Bad && line.text.contains("integral.missed"), "{line:?}");
    // Where its rate is zero, it is one.
    let outcome =
        good(&system(&text.replace("[1 m] - coord", "[3 1/m]*coord.rail.value*coord")), &Plan { analysis: Analysis::Statics, ..plan(1.0) });
    let line = outcome.health.iter().find(|line| line.key == "integrals_held").expect("a line");
    assert!(line.verdict != Verdict::Bad, "{line:?}");
}

/// Two states without a body, a rotation that shrinks: (y₁ + i y₂)' = (−1 + 3i)(y₁ + i y₂).
const NO_BODY: &str = r#"
borelli = 1
dimension = "DIMENSION"
[integral.first]
rate = "-[1 1/s]*integral.first - [3 1/s]*integral.second"
unit = "1"
start = 1
[integral.second]
rate = "[3 1/s]*integral.first - [1 1/s]*integral.second"
unit = "1"
"#;

#[test]
fn states_need_no_body() {
    for dimension in ["planar", "spatial"] {
        let system = system(&NO_BODY.replace("DIMENSION", dimension));
        let methods = INTEGRATORS.iter().map(|entry| entry.name).chain(SCHEMES.iter().map(|entry| entry.name));
        for (method, formulation) in methods.flat_map(|method| FORMULATIONS.iter().map(move |entry| (method, entry.name))) {
            let implicit = SCHEMES.iter().any(|entry| entry.name == method);
            let declined = formulation == "segment-chain" || formulation == "coupled" && dimension == "spatial";
            if implicit && formulation != "articulated" || declined {
                continue;
            }
            let mut plan = plan(1.0);
            plan.formulation = formulation.into();
            (plan.integrator.method, plan.integrator.settings.step) = (Some(method.into()), Some(1e-3));
            (plan.integrator.beta, plan.integrator.gamma) = (0.25, 0.5);
            let outcome = good(&system, &plan);
            let allowed = if implicit || method == "heun" { 1e-5 } else { 1e-9 };
            let last = outcome.trajectory.len() - 1;
            for (name, exact) in [("first", 3_f64.cos()), ("second", 3_f64.sin())] {
                let found = value(&outcome.trajectory, &format!("integral.{name}"), last);
                assert!((found - (-1_f64).exp() * exact).abs() < allowed, "{dimension} {method} {formulation} {name}: {found}");
            }
            assert!(outcome.health.iter().all(|line| line.verdict != Verdict::Bad), "{:?}", outcome.health);
        }
    }
}

/// Two point masses on sliders, one carried by the other, tied by a spring.
const POINTS: &str = r#"
borelli = 1
dimension = "DIMENSION"
[body.a]
mass = 2
[body.b]
mass = 1
[joint.a]
type = "slider"
parent = "world"
child = "a"
axis = [1, 0ZERO]
[joint.b]
type = "slider"
parent = "a"
child = "b"
axis = [0.6, 0.8ZERO]
[force.tie]
type = "coordinate-spring"
coordinate = "b"
stiffness = 40
[initial]
coordinates = { b = 0.2 }
"#;

#[test]
fn a_point_mass_that_cannot_turn_needs_no_inertia_in_any_formulation() {
    for (dimension, zero) in [("planar", ""), ("spatial", ", 0")] {
        let text = POINTS.replace("DIMENSION", dimension).replace("ZERO", zero);
        let bare = system(&text);
        let inertia = if zero.is_empty() { "inertia = 3" } else { "inertia = [3, 2, 2]" };
        let whole = system(&text.replace("mass = 1", &format!("mass = 1\n{inertia}")).replace("mass = 2", &format!("mass = 2\n{inertia}")));
        for formulation in ["articulated", "cartesian", "natural"] {
            let plan = Plan { formulation: formulation.into(), ..plan(0.5) };
            let [bare, whole] = [&bare, &whole].map(|system| good(system, &plan).end.expect("an end"));
            for (a, b) in bare.q.iter().chain(&bare.v).zip(whole.q.iter().chain(&whole.v)) {
                assert!((a - b).abs() < 1e-9, "{dimension} {formulation}: {a} {b}");
            }
        }
    }
}

/// A rod between two pins that slide: the loop relates both, at (0.6, 0.8) of a unit rod.
const LADDER: &str = r#"
borelli = 1
dimension = "planar"
[body.foot]
mass = 1
[body.head]
mass = 1
[joint.foot]
type = "slider"
parent = "world"
child = "foot"
axis = [1, 0]
[joint.head]
type = "slider"
parent = "world"
child = "head"
axis = [0, 1]
[loop.ladder]
type = "rod"
a = "foot"
b = "head"
length = 1
[initial]
coordinates = { foot = 0.6, head = 0.79 }
speeds = { foot = 1 }
"#;

#[test]
fn the_rule_speeds_leaves_coordinates_and_fits_speeds() {
    let system = system(LADDER);
    let at = |start: StartRule| {
        let mut plan = Plan { start, ..plan(1e-3) };
        plan.drift = borelli_dynamics::movement::DriftControl::None;
        let outcome = good(&system, &plan);
        ["foot", "head"].map(|name| ["value", "rate"].map(|what| value(&outcome.trajectory, &format!("coord.{name}.{what}"), 0)))
    };
    let [foot, head] = at(StartRule::Speeds);
    assert_eq!([foot[0], head[0]], [0.6, 0.79]);
    assert!((foot[0] * foot[1] + head[0] * head[1]).abs() < 1e-12, "{foot:?} {head:?}");
    assert!(foot[1].abs() > 0.5);
    assert_eq!(at(StartRule::AsGiven).map(|own| own[1]), [1.0, 0.0]);
    let [foot, head] = at(StartRule::Positions);
    assert!((foot[0].hypot(head[0]) - 1.0).abs() < 1e-12 && [foot[1], head[1]] == [1.0, 0.0]);
}

/// A rod that swings about its end under an effort and a drag by formulas, which every formulation takes.
const ROD: &str = r#"
borelli = 1
dimension = "planar"
[body.rod]
mass = 3
inertia = 1
point = { end = [0, 1], tip = [0.1, -1] }
[joint.pivot]
type = "hinge"
parent = "world"
child = "rod.end"
[force.bend]
type = "formula"
coordinate = "pivot"
effort = "-[8 N m]*sin(2*coord.pivot.value) - [0.2 N m s/rad]*coord.pivot.rate"
[force.drag]
type = "formula"
at = "rod.tip"
force = ["-[0.4 N s^2/m^2]*sqrt(vx^2 + vy^2)*vx + [2 N]*cos(time/[0.3 s])", "-[0.4 N s^2/m^2]*sqrt(vx^2 + vy^2)*vy - [1 N/m]*y"]
axes = "body"
[initial]
coordinates = { pivot = 1 }
speeds = { pivot = 0.5 }
"#;

#[test]
fn formulas_at_places_move_alike_in_every_formulation() {
    let system = system(ROD);
    let ends = FORMULATIONS.iter().map(|entry| good(&system, &Plan { formulation: entry.name.into(), ..plan(1.0) }).end.expect("an end"));
    let ends: Vec<EndState> = ends.collect();
    for (end, entry) in ends.iter().zip(FORMULATIONS) {
        assert!((end.q[0] - ends[0].q[0]).abs() < 1e-9 && (end.v[0] - ends[0].v[0]).abs() < 1e-9, "{}: {end:?}", entry.name);
    }
    assert!(ends[0].work[0].abs() > 0.1);
}

/// Van der Pol's oscillator with a damping of 10^6: it jumps within microseconds, and samples see nothing of the energy that this takes.
const JUMPING: &str = on_rail!(
    r#"[force.pump]
type = "formula"
coordinate = "rail"
effort = "k*((1 - (coord.rail.value/[1 m])^2)*coord.rail.rate*[1 s] - coord.rail.value)"
numbers = { k = "2e6 N/m" }
[initial]
coordinates = { rail = 2 }
speeds = { rail = -0.66 }
"#
);

#[test]
fn energy_that_moves_between_samples_counts_in_the_balance() {
    let system = system(JUMPING);
    let mut plan = plan(2.0);
    plan.integrator.method = Some("rosenbrock".into());
    (plan.time.sample, plan.integrator.settings) = (Some(0.05), Settings::tolerance(1e-6));
    let outcome = run(&system, &plan, None, &mut Unwatched).expect("a run");
    let line = outcome.health.iter().find(|line| line.key == "energy_balance").expect("judged");
    assert_eq!(line.verdict, Verdict::Good, "{}", line.text);
    let last = outcome.trajectory.len() - 1;
    // Hairer and Wanner, Solving ODE II, problem VDPOL, at 2 s.
    assert!((value(&outcome.trajectory, "coord.rail.value", last) - 1.706167732170483).abs() < 1e-5);
    assert!(outcome.statistics.accepted < 5000, "{}", outcome.statistics.accepted);
}
