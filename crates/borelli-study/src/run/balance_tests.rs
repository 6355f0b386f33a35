//! Starts in balance against closed forms: held coordinates, gravity left out, and what is refused.

use super::tests::{MASS, good, plan, system, value};
use super::*;
use crate::plan::{Rest, StartRule};

/// Two rods on hinges, each with its mass at 0.5 m, and a spring at the second hinge that rests at 0.4 rad.
const RODS: &str = r#"
borelli = 1
dimension = "planar"
[body.upper]
mass = 3
center = [0, -0.5]
inertia = 0.1
point.end = [0, -1]
[body.lower]
mass = 2
center = [0, -0.5]
inertia = 0.1
[joint.a]
type = "hinge"
parent = "world"
child = "upper"
[joint.b]
type = "hinge"
parent = "upper.end"
child = "lower"
[force.spring]
type = "coordinate-spring"
coordinate = "b"
stiffness = "30 N m/rad"
rest = "0.4 rad"
[initial]
coordinates = { a = 0.3, b = -0.2 }
speeds = { a = 1, b = 2 }
"#;

fn balanced(hold: &[&str], gravity: bool) -> Plan {
    let rest = Rest { hold: hold.iter().map(|name| name.to_string()).collect(), gravity };
    Plan { start: StartRule::Equilibrium, rest, ..plan(0.1) }
}

#[test]
fn a_coordinate_that_is_held_stays_and_the_others_find_their_balance() {
    let system = system(RODS);
    for gravity in [false, true] {
        let outcome = good(&system, &balanced(&["a"], gravity));
        let at = |column: &str| value(&outcome.trajectory, column, 0);
        let b = at("coord.b.value");
        // 30 (b - 0.4) + m g l sin(a + b) = 0
        let moment = 30.0 * (b - 0.4) + if gravity { 2.0 * 9.81 * 0.5 * (0.3 + b).sin() } else { 0.0 };
        assert!(moment.abs() < 1e-10, "{moment}");
        assert_eq!((at("coord.a.value"), at("coord.a.rate"), at("coord.b.rate")), (0.3, 0.0, 0.0));
        // Weight acts from the first instant, whether or not it did in the balance, and what held the first rod is gone: it begins to fall.
        assert!(at("coord.a.accel") < -0.1, "{}", at("coord.a.accel"));
        assert!(
            outcome.settings.iter().any(|(key, text)| key == "start" && text.contains("a held") && text.contains("without") != gravity)
        );
    }
    // With nothing held the lower rod hangs where its spring and both weights leave it.
    let outcome = good(&system, &balanced(&[], true));
    assert!(value(&outcome.trajectory, "coord.a.accel", 0).abs() < 1e-9 && value(&outcome.trajectory, "coord.b.value", 10) > 0.1);
}

#[test]
fn starts_that_have_no_balance_are_refused_by_name() {
    let faults = |system: &System, plan: &Plan| {
        let findings = check(system, plan).expect_err("refused");
        findings.iter().map(|finding| (finding.code, finding.message.clone())).collect::<Vec<_>>()
    };
    let rods = system(RODS);
    let [(code, text)] = &faults(&rods, &balanced(&["c"], true))[..] else { panic!("one fault") };
    assert_eq!((*code, text.as_str()), ("unknown-held-coordinate", "the model has no coordinate `c` to hold"));
    let [(code, text)] = &faults(&system(MASS), &balanced(&["x"], true))[..] else { panic!("one fault") };
    assert!(*code == "start-not-balanced" && text.contains("coord.y"), "{text}");
    let top = system(
        "borelli = 1\ndimension = \"spatial\"\n[body.top]\nmass = 1\ninertia = [1, 1, 1]\n[joint.tip]\ntype = \"ball\"\nparent = \"world\"\nchild = \"top\"\n",
    );
    let [(code, text)] = &faults(&top, &balanced(&["tip_qx"], true))[..] else { panic!("one fault") };
    assert!(*code == "unknown-held-coordinate" && text.contains("part of a quaternion"), "{text}");
    let evaluate = Plan { analysis: Analysis::Evaluate, ..balanced(&[], true) };
    assert_eq!(faults(&rods, &evaluate)[0].0, "start-balance-not-used");
}
