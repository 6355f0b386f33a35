//! Integrals of the user's own: against closed forms, in every formulation and integrator, and through a restart.

use super::tests::{good, on_rail, plan, system, value};
use super::*;
use borelli_dynamics::compile;
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_dynamics::integrate::{INTEGRATORS, SCHEMES};
use borelli_model::Model;

/// A mass of 2 kg on a rail that a spring of 50 N/m draws to 2 m; it starts at rest at 2.5 m, so that x = 2 + 0.5 cos 5t.
const SWINGING: &str = on_rail!(
    r#"[force.spring]
type = "spring"
path = "line"
stiffness = 50
length = 2
[integral.work]
rate = "path.line.force * path.line.rate"
unit = "J"
start = "6.25 J"
[integral.impulse]
rate = "-path.line.force"
unit = "N s"
[integral.second]
rate = "integral.first"
unit = "m s^2"
[integral.first]
rate = "coord.rail.value"
unit = "m s"
[integral.phase]
rate = "cos([3 1/s] * time) * coord.rail.rate^2"
unit = "m^2/s"
[initial]
coordinates = { rail = 2.5 }
"#
);

/// Largest errors over all samples: of the spring's energy, the momentum, the integral of x and that of this, and ∫ cos 3t v².
fn errors(outcome: &Outcome) -> [f64; 5] {
    let table = &outcome.trajectory;
    let mut most = [0.0_f64; 5];
    for sample in 0..table.len() {
        let (t, of) = (table.time()[sample], |name: &str| value(table, name, sample));
        let (sine, cosine) = (5.0 * t).sin_cos();
        // v² = 6.25 sin² 5t = 3.125 (1 − cos 10t), and cos 3t cos 10t = (cos 7t + cos 13t)/2.
        let phase = 3.125 * ((3.0 * t).sin() / 3.0 - 0.5 * ((7.0 * t).sin() / 7.0 + (13.0 * t).sin() / 13.0));
        let exact = [6.25 * cosine * cosine, -5.0 * sine, 2.0 * t + 0.1 * sine, t * t + 0.02 * (1.0 - cosine), phase];
        let names = ["integral.work", "integral.impulse", "integral.first", "integral.second", "integral.phase"];
        for ((most, name), exact) in most.iter_mut().zip(names).zip(exact) {
            *most = most.max((of(name) - exact).abs());
        }
    }
    most
}

#[test]
fn integrals_are_the_closed_forms_in_every_formulation_and_integrator() {
    let system = system(SWINGING);
    let methods = INTEGRATORS.iter().map(|entry| entry.name).chain(SCHEMES.iter().map(|entry| entry.name));
    let mut looked_at = 0;
    for (method, formulation) in methods.flat_map(|method| FORMULATIONS.iter().map(move |entry| (method, entry.name))) {
        let implicit = SCHEMES.iter().any(|entry| entry.name == method);
        // A chain has no sliders; it is judged below.
        if implicit && formulation != "articulated" || formulation == "segment-chain" {
            continue;
        }
        let mut plan = plan(1.0);
        plan.formulation = formulation.into();
        (plan.integrator.method, plan.integrator.settings.step) = (Some(method.into()), Some(1e-3));
        (plan.integrator.beta, plan.integrator.gamma) = (0.25, 0.5);
        // Of second order with steps of 1 ms: (5 rad/s · 1 ms)²/12 of the amplitude per radian, here times a handful.
        let allowed = if implicit || method == "heun" { 2e-4 } else { 1e-8 };
        for (k, error) in errors(&good(&system, &plan)).into_iter().enumerate() {
            assert!(error < allowed, "{method}, {formulation}: integral {k} is off by {error:e}");
        }
        looked_at += 1;
    }
    assert!(looked_at >= 5 * 3 + 2, "{looked_at}");
}

/// A rod of two metres that swings about its end, which every formulation takes.
const ROD: &str = r#"
borelli = 1
dimension = "planar"
[body.rod]
mass = 3
inertia = 1
point = { end = [0, 1] }
[joint.pivot]
type = "hinge"
parent = "world"
child = "rod.end"
[integral.turned]
rate = "coord.pivot.rate"
unit = "rad"
start = "1 rad"
[integral.fall]
rate = "[29.43 N m/rad] * sin(coord.pivot.value) * coord.pivot.rate"
unit = "J"
[initial]
coordinates = { pivot = 1 }
"#;

#[test]
fn integrals_without_any_force_element_are_exact_in_every_formulation() {
    let system = system(ROD);
    for entry in FORMULATIONS {
        let outcome = good(&system, &Plan { formulation: entry.name.into(), ..plan(1.5) });
        let table = &outcome.trajectory;
        for sample in 0..table.len() {
            let of = |name: &str| value(table, name, sample);
            assert!((of("integral.turned") - of("coord.pivot.value")).abs() < 1e-9, "{}, {sample}", entry.name);
            // m g l sin φ φ̇ is the rate of the energy of gravity.
            let gained = of("system.energy.gravity") - value(table, "system.energy.gravity", 0);
            assert!((of("integral.fall") - gained).abs() < 1e-8, "{}, {sample}: {} {gained}", entry.name, of("integral.fall"));
        }
        assert!(value(table, "coord.pivot.value", table.len() - 1) < 0.0, "it swings");
    }
}

#[test]
fn work_and_impulse_are_what_energy_and_momentum_gain() {
    let outcome = good(&system(SWINGING), &plan(1.0));
    let table = &outcome.trajectory;
    for sample in 0..table.len() {
        let of = |name: &str| value(table, name, sample);
        assert!((of("integral.work") - of("system.energy.stored")).abs() < 1e-9, "{sample}");
        assert!((of("integral.impulse") - of("system.momentum.x")).abs() < 1e-9, "{sample}");
    }
    assert_eq!(value(table, "integral.work", 0), 6.25, "the start of the file");
}

#[test]
fn a_run_taken_up_again_goes_on_with_the_bits_of_its_integrals() {
    let system = system(SWINGING);
    for method in ["rk4", "heun", "newmark", "generalised-alpha"] {
        let planned = |end: f64| {
            let mut plan = plan(end);
            (plan.integrator.method, plan.integrator.settings.step) = (Some(method.into()), Some(1.0 / 1024.0));
            plan
        };
        let straight = good(&system, &planned(0.5)).end.expect("an end");
        let half = good(&system, &planned(0.25)).end.expect("an end");
        assert_eq!(half.z.len(), 5);
        let rest = run(&system, &planned(0.5), Some(&half), &mut Unwatched).expect("a run").end.expect("an end");
        let bits = |end: &EndState| end.q.iter().chain(&end.v).chain(&end.z).map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&straight), bits(&rest), "{method}");
    }
}

#[test]
fn an_integral_may_stop_a_run_and_stand_in_a_derived_column() {
    let mut plan = plan(1.0);
    let at = |formula: &str| (formula.to_string(), None);
    let (formula, place) = at("integral.first / time");
    plan.derived = vec![crate::plan::Derived { name: "mean".into(), formula, unit: Some("m".into()), at: place }];
    plan.time.start = 0.5;
    plan.events = vec![crate::plan::EventRule {
        name: "enough".into(),
        when: "integral.impulse < [-2 N s]".into(),
        direction: borelli_dynamics::integrate::Direction::Any,
        action: crate::plan::Action::Stop,
        at: None,
    }];
    let outcome = good(&system(SWINGING), &plan);
    // −5 sin 5s = −2, s after the start.
    let exact = 0.5 + 0.4_f64.asin() / 5.0;
    assert!((outcome.end.as_ref().expect("an end").t - exact).abs() < 1e-9, "{:?}", outcome.end);
    let (table, last) = (&outcome.trajectory, outcome.trajectory.len() - 1);
    assert!((value(table, "derived.mean", last) - value(table, "integral.first", last) / exact).abs() < 1e-9);
}

#[test]
fn a_rate_that_cannot_be_had_is_refused_by_name() {
    let faults = |from: &str, to: &str| -> Vec<(String, String, String)> {
        let text = SWINGING.replace(from, to);
        assert_ne!(text, SWINGING);
        let rejected = match Model::parse("test.toml", &text) {
            Ok(model) => compile(&model).expect_err("refused"),
            Err(rejected) => rejected,
        };
        rejected.findings.iter().map(|f| (f.code.to_string(), f.message.clone(), f.hint.clone().unwrap_or_default())).collect()
    };
    let one = |from: &str, to: &str, code: &str, said: &str| {
        let found = faults(from, to);
        assert!(found.len() == 1 && found[0].0 == code && format!("{found:?}").contains(said), "{to}: {found:?}");
    };
    one("rate = \"-path.line.force\"", "rate = \"contact.heel.force.y\"", "bad-rate", "contact.heel.force.y");
    one("rate = \"-path.line.force\"", "rate = \"coord.rail.accel\"", "bad-rate", "coord.rail.");
    one("rate = \"integral.first\"", "rate = \"integral.firs\"", "bad-rate", "did you mean `integral.first`?");
    one("rate = \"-path.line.force\"", "rate = \"path.line.length\"", "wrong-unit", "N");
    one("rate = \"-path.line.force\"", "rate = \"path.line.force + path.line.length\"", "bad-rate", "rate");
    one("unit = \"N s\"", "unit = \"kN s\"", "unit-not-si", "kN s");
    one("start = \"6.25 J\"", "start = \"6.25 N\"", "wrong-unit", "");
    one("rate = \"-path.line.force\"", "rate = \"path.line.force *\"", "bad-rate", "");
}
