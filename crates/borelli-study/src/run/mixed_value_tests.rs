//! Values and units of mixed problems, columns and events of motions that are simulated first, and what a run at rest says of its energy.

use super::mixed_tests::{PENDULUM, codes, mixed};
use super::tests::{MASS, good, plan, system, value};
use super::*;

const FOLLOWED: &str = "preset = \"inverse\"\n[motion]\nfrom = \"simulate\"\nderivatives = \"exact\"\n";

/// Which columns only the second run has is a matter of names, through other columns too.
#[test]
fn derived_columns_of_a_followed_motion_may_use_each_other_and_the_chain() {
    let columns = "[column.moment]\nformula = \"chain.joint.pivot.moment\"\n[column.double]\nformula = \"2*derived.moment\"\n[column.swing]\nformula = \"abs(coord.pivot.value)\"\n";
    let outcome = good(&system(PENDULUM), &mixed(&format!("{FOLLOWED}{columns}")));
    let [moment, double, swing] = ["derived.moment", "derived.double", "derived.swing"].map(|name| value(&outcome.trajectory, name, 7));
    assert_eq!(double, 2.0 * moment);
    assert!((swing - value(&outcome.trajectory, "coord.pivot.value", 7).abs()).abs() < 1e-15);
}

/// A body called `chain` has columns with `chain.` in their names, which the first run knows well.
#[test]
fn a_body_called_chain_is_no_variable_of_the_chain() {
    let named = system(&PENDULUM.replace("bob", "chain"));
    let tip = "[column.height]\nformula = \"body.chain.y + [1 m]\"\n";
    let event = "[[event]]\nname = \"low\"\nwhen = \"derived.height - [0.99 m]\"\n";
    let outcome = good(&named, &mixed(&format!("{FOLLOWED}{tip}{event}")));
    assert_eq!(value(&outcome.trajectory, "derived.height", 3), 1.0);
}

#[test]
fn an_event_over_what_is_found_along_a_simulated_motion_is_refused_by_name() {
    let pendulum = system(PENDULUM);
    let column = "[column.moment]\nformula = \"chain.joint.pivot.moment\"\n";
    for (when, name) in [("chain.joint.pivot.moment - [1 N m]", "chain.joint.pivot.moment"), ("derived.moment - [1 N m]", "derived.moment")]
    {
        let event = format!("[[event]]\nname = \"strong\"\nwhen = \"{when}\"\n");
        let plan = mixed(&format!("{FOLLOWED}{column}{event}"));
        assert_eq!(codes(&pendulum, &plan, None), ["event-of-chain"], "{when}");
        let refused = check(&pendulum, &plan).expect_err("refused");
        let finding = refused.iter().next().expect("a finding");
        assert!(finding.message.contains(&format!("`{name}`")) && finding.at.is_some(), "{finding:?}");
    }
}

#[test]
fn a_value_that_is_no_number_is_told_with_its_variable_formula_and_time() {
    let pendulum = system(PENDULUM);
    let known = |value: &str| format!("unknown = [\"M_1\"]\n[[mixed.known]]\nvariable = \"phidd_1\"\nvalue = \"{value}\"\n");
    let row = "unknown = [\"M_1\"]\n[[mixed.row]]\nname = \"turn\"\nterms = { \"phidd_1\" = 1 }\nright = \"sqrt(0.1 - [1 1/s]*time)\"\n";
    for (text, parts) in [
        (known("[1 rad/s^2]*sqrt(0.1 - [1 1/s]*time)"), ["`phidd_1`, `[1 rad/s^2]*sqrt(0.1 - [1 1/s]*time)`", "NaN at 0.1"]),
        (known("1/(0*coord.pivot.value/[1 rad])"), ["`phidd_1`, `1/(0*coord.pivot.value/[1 rad])`", "inf at 0 s"]),
        (row.to_string(), ["`turn`, `sqrt(0.1 - [1 1/s]*time)`", "NaN at 0.1"]),
    ] {
        let outcome = run(&pendulum, &mixed(&text), None, &mut Unwatched).expect("a run");
        let Status::Failed { reason, .. } = &outcome.status else { panic!("{:?}", outcome.status) };
        assert!(parts.iter().all(|part| reason.contains(part)) && !reason.contains("gimbal"), "{reason}");
    }
}

#[test]
fn rows_add_terms_of_one_unit_and_weights_may_have_theirs() {
    let pendulum = system(PENDULUM);
    let row = |terms: &str, right: &str| {
        mixed(&format!("[[mixed.row]]\nname = \"tied\"\nterms = {{ {terms} }}\nright = \"{right}\"\nfrees = \"body.bob.moment\"\n"))
    };
    for (terms, right, code) in [
        ("M_1 = 1, phidd_1 = 2", "3 kg", "row-units"),
        ("M_1 = 1, phidd_1 = 2", "0", "row-units"),
        ("\"body.bob.acceleration.x\" = 1, phidd_1 = \"0.5 kg\"", "0", "row-units"),
        ("phidd_1 = 1", "3 kg", "wrong-unit"),
        ("\"body.bob.acceleration.x\" = 1, phidd_1 = \"0.5 m\"", "3 rad/s^2", "wrong-unit"),
    ] {
        let plan = row(terms, right);
        assert_eq!(codes(&pendulum, &plan, None), [code], "{terms} = {right}");
        let refused = check(&pendulum, &plan).expect_err("refused");
        let finding = refused.iter().next().expect("a finding");
        assert!(finding.message.contains("`tied`") && finding.at.is_some(), "{finding:?}");
    }
    // The centre 0.5 m below the hinge: its acceleration along x at the start is 0.5 (φ̈ cos φ − φ̇² sin φ).
    for weight in ["\"-0.2 m\"", "\"-20 cm/rad\""] {
        let outcome = good(&pendulum, &row(&format!("\"body.bob.acceleration.x\" = 1, phidd_1 = {weight}"), "1 m/s^2"));
        let (angle, rate) = (0.3_f64, -0.5_f64);
        let exact = (1.0 + 0.5 * rate * rate * angle.sin()) / (0.5 * angle.cos() - 0.2);
        let found = value(&outcome.trajectory, "coord.pivot.accel", 0);
        assert!((found - exact).abs() < 1e-10, "{weight}: {found}, {exact}");
    }
}

/// What holds a body still leaves rounding only, and rounding is not worth a warning; a balance that does not close is.
#[test]
fn the_energy_of_a_body_at_rest_is_balanced() {
    let pin = "[loop.pin]\ntype = \"weld\"\na = \"world\"\nb = \"ball\"\n";
    let high = "[initial]\ncoordinates = { y = 0.1 }\n";
    let held = system(&format!("{MASS}{pin}"));
    let mut plan = plan(1.0);
    plan.integrator.settings.max_step = 0.01;
    let outcome = good(&held, &plan);
    let line = outcome.health.iter().find(|line| line.key == "energy_balance").expect("a line");
    assert_eq!(line.verdict, Verdict::Good, "{line:?}");
    let falling = good(&system(&format!("{MASS}{high}")), &plan);
    let line = falling.health.iter().find(|line| line.key == "energy_balance").expect("a line");
    // 2 kg fall for 1 s: 96.2 J.
    assert!(line.text.contains("96.2361 J"), "{line:?}");
    // What nobody accounts for is found, whatever moves little.
    let mut lossy = plan.clone();
    lossy.integrator.method = Some("heun".into());
    lossy.integrator.settings.step = Some(0.2);
    let swinging = good(&system(PENDULUM), &lossy);
    let line = swinging.health.iter().find(|line| line.key == "energy_balance").expect("a line");
    assert_eq!(line.verdict, Verdict::Bad, "{line:?}");
}

/// States go along a motion that is followed: what drove the simulation drives the chain, and its hinge has nothing left to do.
#[test]
fn a_followed_motion_carries_the_states_of_elements() {
    let motor = "[world.point]\nanchor = [0.4, 0.2]\n[body.bob.point]\nend = [0.05, -0.6]\n[path.line]\npoints = [\"world.anchor\", \"bob.end\"]\n\
                 [force.motor]\ntype = \"lag-actuator\"\npath = \"line\"\ncommand = 10\ntime_constant = 0.05\n";
    let driven = system(&format!("{PENDULUM}{motor}"));
    let followed = "preset = \"inverse\"\n[motion]\nfrom = \"simulate\"\nderivatives = \"quintic\"\ninterval = 0.001\n";
    let outcome = good(&driven, &mixed(followed));
    let table = &outcome.trajectory;
    // Natural splines bend at the ends.
    for sample in 2..table.len() - 2 {
        let of = |name: &str| value(table, name, sample);
        let tension = 10.0 * (1.0 - (-table.time()[sample] / 0.05).exp());
        assert!((of("force.motor.tension") - tension).abs() < 1e-8, "{sample}: {}", of("force.motor.tension"));
        assert!(of("chain.joint.pivot.moment").abs() < 1e-4, "{sample}: {}", of("chain.joint.pivot.moment"));
    }
}
