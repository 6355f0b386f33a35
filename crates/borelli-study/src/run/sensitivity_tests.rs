//! Derivatives of largest values against closed forms and differences: an oscillator, a thrown ball, and what is refused.

use super::tests::{on_rail, plan, system};
use super::*;
use crate::plan::{Action, Change, EventRule, Peak, Rest, Sensitivities, Setting, StartRule};
use borelli_dynamics::integrate::Direction;

/// A mass on a spring of 50 N/m, let go 0.3 m from rest.
const OSCILLATOR: &str = on_rail!(
    "[force.spring]\ntype = \"coordinate-spring\"\ncoordinate = \"rail\"\nstiffness = 50\nrest = 0.2\n[initial]\ncoordinates = { rail = -0.1 }\n"
);

fn change(name: &str, path: &str, text: &str) -> Change {
    Change { name: name.into(), settings: vec![Setting { path: path.into(), text: text.into(), at: None }] }
}

fn peak(name: &str, column: &str, to: Option<f64>) -> Peak {
    Peak { name: name.into(), column: column.into(), from: None, to, at: None }
}

fn asked(end: f64, of: Vec<Peak>, by: Vec<Change>) -> Plan {
    let sensitivity = Some(Sensitivities { of, by, differences: true });
    let mut plan = Plan { analysis: Analysis::Sensitivity, sensitivity, ..plan(end) };
    plan.time.sample = Some(1e-3);
    plan
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("{name}")).value
}

/// x = r - A cos ωt with A = r + 0.1, ω² = k/m: the first largest speed is A ω, the largest place 2r + 0.1.
#[test]
fn an_oscillator_swings_further_and_faster_as_its_closed_form_says() {
    let system = system(OSCILLATOR);
    let by = vec![
        change("rest", "force.spring.rest", "1 cm"),
        change("stiffness", "force.spring.stiffness", "1 N/m"),
        change("mass", "body.mass.mass", "-0.1 kg"),
    ];
    let of = vec![peak("speed", "coord.rail.rate", None), peak("place", "coord.rail.value", None)];
    let outcome = super::tests::good(&system, &asked(0.8, of, by));
    let (amplitude, omega) = (0.3, 5.0);
    let expected = [
        ("speed.peak", amplitude * omega),
        ("speed.time", std::f64::consts::FRAC_PI_2 / omega),
        ("speed.by.rest", 0.01 * omega),
        ("speed.by.stiffness", 0.5 * amplitude * omega / 50.0),
        ("speed.by.mass", 0.5 * amplitude * omega / 2.0 * 0.1),
        ("place.peak", 0.5),
        ("place.by.rest", 0.02),
        ("place.by.stiffness", 0.0),
    ];
    for (name, expected) in expected {
        let found = scalar(&outcome, &format!("sensitivity.{name}"));
        // The time of a largest value is that of a parabola through three samples.
        assert!((found - expected).abs() < 1e-7, "{name}: {found} {expected}");
    }
    assert!(scalar(&outcome, "sensitivity.gap") < 1e-5);
    // The largest first.
    let names: Vec<&str> = outcome.scalars.iter().filter_map(|own| own.name.strip_prefix("sensitivity.speed.by.")).collect();
    assert_eq!(names, ["rest", "mass", "stiffness"]);
}

/// A start in balance brings its own derivatives: with the coordinate held at -0.1 nothing of it depends on the spring, without it everything does.
#[test]
fn a_start_in_balance_changes_with_parameters() {
    let system = system(OSCILLATOR);
    let by = || vec![change("rest", "force.spring.rest", "1 cm")];
    let of = || vec![peak("place", "coord.rail.value", Some(0.0))];
    for (hold, expected) in [(vec!["rail".to_string()], 0.0), (Vec::new(), 0.01)] {
        let plan = Plan { start: StartRule::Equilibrium, rest: Rest { hold, gravity: true }, ..asked(0.5, of(), by()) };
        let found = scalar(&super::tests::good(&system, &plan), "sensitivity.place.by.rest");
        assert!((found - expected).abs() < 1e-12, "{found}");
    }
}

#[test]
fn what_has_no_derivatives_is_refused_by_name() {
    let codes = |plan: &Plan, text: &str| match check(&system(text), plan) {
        Err(findings) => findings.iter().map(|finding| finding.code).collect::<Vec<_>>(),
        Ok(_) => Vec::new(),
    };
    let of = || vec![peak("place", "coord.rail.value", None)];
    let good = asked(0.5, of(), vec![change("rest", "force.spring.rest", "1 cm")]);
    assert_eq!(codes(&good, OSCILLATOR), [] as [&str; 0]);
    let unknown = asked(0.5, vec![peak("place", "coord.rial.value", None)], vec![change("rest", "force.spring.ret", "1 cm")]);
    assert_eq!(codes(&unknown, OSCILLATOR), ["unknown-parameter", "no-such-column"]);
    let wrong = asked(0.5, of(), vec![change("rest", "force.spring.rest", "1 kg")]);
    assert_eq!(codes(&wrong, OSCILLATOR), ["wrong-unit"]);
    let guided = format!(
        "{OSCILLATOR}[guide.rail]\ntype = \"coordinate\"\ncoordinate = \"rail\"\nfunction = {{ type = \"polynomial\", coefficients = [-0.1, 1] }}\n"
    );
    assert_eq!(codes(&good, &guided), ["no-derivatives"]);
    // Largest where an event ends the run.
    let stop =
        EventRule { name: "far".into(), when: "coord.rail.value - 0.1".into(), direction: Direction::Any, action: Action::Stop, at: None };
    let outcome = run(&system(OSCILLATOR), &Plan { events: vec![stop], ..good }, None, &mut Unwatched).unwrap_or_else(|_| panic!("runs"));
    let Status::Failed { element, reason, .. } = &outcome.status else { panic!("{:?}", outcome.status) };
    assert!(element == "sensitivity.place" && reason.contains("an event ends the run"), "{reason}");
}
