//! Runs of models whose force elements have states: columns, a run taken up again, balances, motions that are followed.

use super::tests::{good, on_rail, plan, system, value};
use super::*;
use crate::plan::{Derivatives, Motion, MotionSource, Shoot, Target};

/// A mass that a tendon of Maxwell's kind and a motor with a lag pull along a rail.
const TIED: &str = on_rail!(
    r#"[force.tendon]
type = "maxwell"
path = "line"
stiffness = 400
damping = 80
length = 0.5
creep = 0.02
[force.motor]
type = "lag-actuator"
path = "line"
command = 10
time_constant = 0.2
[initial]
coordinates = { rail = 0.6 }
"#
);

#[test]
fn states_and_outputs_of_elements_are_columns() {
    let outcome = good(&system(TIED), &plan(0.5));
    let table = &outcome.trajectory;
    for sample in 0..table.len() {
        let of = |name: &str| value(table, name, sample);
        let tension = 400.0 * (of("path.line.length") - 0.5 - of("force.tendon.creep"));
        assert!((of("force.tendon.tension") - tension).abs() < 1e-9, "{sample}");
        // A constant command: 10 (1 − e^{−t/T}).
        let motor = 10.0 * (1.0 - (-table.time()[sample] / 0.2).exp());
        assert!((of("force.motor.tension") - motor).abs() < 1e-9 && of("force.motor.command") == 10.0, "{sample}");
        assert!((of("path.line.force") - tension - motor).abs() < 1e-8, "{sample}");
        assert!(of("system.energy.balance").abs() < 1e-9, "{sample}");
    }
    assert_eq!(value(table, "force.tendon.creep", 0), 0.02);
}

#[test]
fn a_run_taken_up_again_goes_on_with_the_states_of_its_elements() {
    let system = system(TIED);
    let straight = good(&system, &plan(0.5)).end.expect("an end");
    let half = good(&system, &plan(0.2)).end.expect("an end");
    assert_eq!(half.z.len(), 2);
    let rest = run(&system, &plan(0.5), Some(&half), &mut Unwatched).expect("a run").end.expect("an end");
    for (a, b) in straight.q.iter().chain(&straight.v).chain(&straight.z).zip(rest.q.iter().chain(&rest.v).chain(&rest.z)) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
    let strange = EndState { z: vec![0.0], ..half };
    let findings = run(&system, &plan(0.5), Some(&strange), &mut Unwatched).expect_err("refused");
    assert!(findings.iter().any(|found| found.message.contains("states of force elements")), "{findings:?}");
}

#[test]
fn an_event_sees_the_state_of_an_element() {
    let mut plan = plan(0.5);
    plan.events = vec![crate::plan::EventRule {
        name: "strong".into(),
        when: "force.motor.tension - [5 N]".into(),
        direction: borelli_dynamics::integrate::Direction::Rising,
        action: crate::plan::Action::Stop,
        at: None,
    }];
    let outcome = good(&system(TIED), &plan);
    // Half of the command after T ln 2.
    assert!((outcome.end.expect("an end").t - 0.2 * 2.0_f64.ln()).abs() < 1e-9);
}

#[test]
fn rows_of_a_table_do_not_carry_states() {
    let system = system(TIED);
    let source = MotionSource::Simulated { interval: None };
    let motion = Some(Motion { source, derivatives: Derivatives::Exact });
    let findings = check(&system, &Plan { analysis: Analysis::Inverse, motion, ..plan(1.0) }).expect_err("refused");
    assert!(findings.iter().any(|found| found.code == "states-between-rows" && found.message.contains("force.tendon")), "{findings:?}");
}

#[test]
fn states_follow_a_motion_that_guides_prescribe() {
    // Shaken by 0.1 sin 8t about the length without tension: N = k A (ωτ)/(1 + (ωτ)²) (ωτ sin ωt + cos ωt − e^{−t/τ}), τ = c/k, without creep at the start.
    let text = TIED.replace("creep = 0.02", "creep = 0").replace("[initial]\ncoordinates = { rail = 0.6 }", "").to_string()
        + "[guide.shake]\ntype = \"coordinate\"\ncoordinate = \"rail\"\nfunction = { type = \"sine\", amplitude = \"0.1 m\", frequency = \"4/pi Hz\", offset = \"0.5 m\" }\n[initial]\ncoordinates = { rail = 0.5 }\n";
    let text = text.replace("4/pi Hz", &format!("{} Hz", 4.0 / std::f64::consts::PI));
    let system = system(&text);
    for analysis in [Analysis::Evaluate, Analysis::Inverse] {
        let outcome = good(&system, &Plan { analysis, ..plan(1.0) });
        let table = &outcome.trajectory;
        let x = 8.0 * 80.0 / 400.0;
        for sample in 0..table.len() {
            let t = table.time()[sample];
            let tension = 400.0 * 0.1 * x / (1.0 + x * x) * (x * (8.0 * t).sin() + (8.0 * t).cos() - (-5.0 * t).exp());
            let found = value(table, "force.tendon.tension", sample);
            assert!((found - tension).abs() < 1e-8, "{analysis:?}, {t}: {found} {tension}");
            let motor = 10.0 * (1.0 - (-t / 0.2).exp());
            assert!((value(table, "force.motor.tension", sample) - motor).abs() < 1e-9, "{analysis:?}, {t}");
        }
        assert!(outcome.settings.iter().any(|(key, said)| key == "states" && said.contains("dopri5")), "{:?}", outcome.settings);
    }
}

#[test]
fn a_simulated_motion_with_states_needs_no_effort() {
    let system = system(TIED);
    let source = MotionSource::Simulated { interval: Some(1e-3) };
    let motion = Some(Motion { source, derivatives: Derivatives::Quintic });
    let outcome = good(&system, &Plan { analysis: Analysis::Inverse, motion, ..plan(0.5) });
    let simulated = good(&system, &plan(0.5));
    // Natural quintic splines bend at the ends: what they leave of 40 N is judged inside.
    for sample in 2..outcome.trajectory.len() - 2 {
        let effort = value(&outcome.trajectory, "coord.rail.effort", sample);
        assert!(effort.abs() < 1e-5, "{sample}: {effort:e}");
        for column in ["force.tendon.creep", "force.motor.tension"] {
            let (found, expected) = (value(&outcome.trajectory, column, sample), value(&simulated.trajectory, column, sample));
            assert!((found - expected).abs() < 1e-8, "{sample}, {column}: {found} {expected}");
        }
    }
}

#[test]
fn shooting_aims_with_states_and_at_states() {
    let system = system(TIED);
    let aimed = |formula: &str, value: &str| Plan {
        analysis: Analysis::Shoot,
        shoot: Some(Shoot {
            unknowns: vec!["initial.speeds.rail".into()],
            targets: vec![Target { formula: formula.into(), value: value.into(), at: None }],
            tolerance: 1e-9,
            iterations: 8,
        }),
        ..plan(0.3)
    };
    for (formula, wanted) in [("coord.rail.value", 0.62), ("force.tendon.creep", 0.03)] {
        let outcome = good(&system, &aimed(formula, &wanted.to_string()));
        assert!((last_of(&outcome, formula) - wanted).abs() < 1e-8, "{formula}: {}", last_of(&outcome, formula));
        // The model is linear in its state as long as the path is straight: exact slopes need one step of Newton's.
        let iterations = outcome.scalars.iter().find(|scalar| scalar.name == "shoot.iterations").expect("a number").value;
        assert!(iterations <= 2.0, "{formula}: {iterations}");
    }
}

#[test]
fn implicit_schemes_carry_states_too() {
    let system = system(TIED);
    let exact = good(&system, &plan(0.5)).end.expect("an end");
    for (method, allowed) in [("newmark", 2e-5), ("generalised-alpha", 1e-4)] {
        let mut plan = plan(0.5);
        (plan.integrator.method, plan.integrator.settings.step) = (Some(method.into()), Some(1e-3));
        (plan.integrator.beta, plan.integrator.gamma) = (0.25, 0.5);
        let outcome = good(&system, &plan);
        let motor = last_of(&outcome, "force.motor.tension");
        assert!((motor - 10.0 * (1.0 - (-2.5_f64).exp())).abs() < 10.0 * allowed, "{method}: {motor}");
        let end = outcome.end.expect("an end");
        for (a, b) in exact.q.iter().chain(&exact.v).chain(&exact.z).zip(end.q.iter().chain(&end.v).chain(&end.z)) {
            assert!((a - b).abs() < allowed * (1.0 + a.abs()), "{method}: {a} {b}");
        }
    }
}

#[test]
fn at_rest_a_dashpot_has_relaxed_and_a_lag_has_passed() {
    // A spring of 500 N/m, 0.6 m long, against the 10 N of the motor; the tendon follows without a force.
    let spring = "[force.spring]\ntype = \"spring\"\npath = \"line\"\nstiffness = 500\nlength = 0.6\n";
    let integral = "[integral.y]\nrate = \"coord.rail.value\"\nunit = \"m s\"\nstart = 4\n";
    let system = system(&format!("{TIED}{spring}{integral}"));
    let outcome = good(&system, &Plan { analysis: Analysis::Statics, ..plan(1.0) });
    for (column, exact) in [
        ("coord.rail.value", 0.58),
        ("force.tendon.creep", 0.08),
        ("force.tendon.tension", 0.0),
        ("force.motor.tension", 10.0),
        ("integral.y", 4.0),
    ] {
        let found = value(&outcome.trajectory, column, 0);
        assert!((found - exact).abs() < 1e-10, "{column}: {found} {exact}");
    }
    let held = outcome.health.iter().find(|line| line.key == "integrals_held").expect("a line");
    assert!(held.text.contains("integral.y"), "{held:?}");
    // The balance is one to begin from: nothing moves.
    let end = outcome.end.expect("an end");
    let rest = run(&system, &plan(0.5), Some(&end), &mut Unwatched).expect("a run").end.expect("an end");
    assert!((rest.q[0] - 0.58).abs() < 1e-10 && (rest.z[2] - 4.0 - 0.29).abs() < 1e-9, "{rest:?}");
}

fn last_of(outcome: &Outcome, column: &str) -> f64 {
    value(&outcome.trajectory, column, outcome.trajectory.len() - 1)
}
