//! `borelli mixed`: tables, JSON, and every refusal with its code, the options to blame and a hint.
//! Not here: the examples of the book (`book`), the equations.

use crate::{borelli, stderr, stdout};
use serde_json::Value;

/// The facts of a run that must succeed.
fn facts(args: &[&str]) -> Value {
    let output = borelli(&[&["mixed"], args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}\n{}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A variable of a run.
fn variable<'f>(facts: &'f Value, name: &str) -> &'f Value {
    let list = facts["variables"].as_array().expect("a list");
    list.iter().find(|own| own["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

fn value(facts: &Value, name: &str) -> f64 {
    variable(facts, name)["value"].as_f64().expect("a number")
}

fn table(args: &[&str]) -> String {
    let output = borelli(&[&["mixed"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}\n{}", stderr(&output));
    stdout(&output)
}

/// The message of a run that must be refused with a code and one hint.
fn refused(args: &[&str], code: &str, parts: &[&str]) {
    let output = borelli(&[&["mixed"], args].concat());
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}\n{}{text}", stdout(&output));
    assert!(stdout(&output).is_empty(), "{args:?}");
    assert!(text.starts_with(&format!("error[{code}]: ")), "{args:?}\n{text}");
    let hints: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  hint: ")).collect();
    assert!(hints.len() == 1 && !hints[0].is_empty(), "{args:?}\n{text}");
    for part in parts {
        assert!(text.contains(part), "{args:?}: no `{part}` in\n{text}");
    }
}

#[test]
fn the_table_shows_every_variable_with_its_state_and_how_well_equations_are_met() {
    let text = table(&["squat4"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "squat4: 4 segments, 12 equations, 12 unknowns");
    assert!(lines[1].starts_with("condition ") && lines[1].ends_with(" of their largest term"), "{text}");
    // 7n + 5 variables; no support holds anything.
    assert_eq!(lines.len(), 2 + 33);
    let columns = |line: &str| (line.find("known").is_some(), line.split_whitespace().count() >= 5);
    assert!(lines[2..].iter().all(|line| columns(line) == (true, true)), "{text}");
    assert_eq!(lines[2..].iter().filter(|line| line.contains(" unknown ")).count(), 12);
}

#[test]
fn what_forward_finds_inverse_takes_back() {
    let forward = facts(&["squat4", "--known", "joint.knee.moment=40 N m", "--known", "M_2=-15"]);
    assert_eq!(forward["segments"], 4);
    assert!(forward["residual"].as_f64().expect("a number") < 1e-13);
    assert!(forward["condition"].as_f64().expect("a number") > 1.0);
    assert!(forward["left_over"].is_null() && forward["free"].is_null());
    let knee = variable(&forward, "joint.knee.moment");
    assert_eq!((&knee["symbol"], &knee["unit"], &knee["unknown"]), (&"M_3".into(), &"N m".into(), &false.into()));
    assert_eq!(knee["value"], 40.0);
    let bodies = ["feet", "shanks", "thighs", "hat"].map(|body| format!("body.{body}.angular_acceleration"));
    let given: Vec<String> = bodies.iter().map(|name| format!("{name}={}", value(&forward, name))).collect();
    let args: Vec<&str> = given.iter().flat_map(|given| ["--known", given]).collect();
    let inverse = facts(&[&["squat4", "--preset", "inverse"], &args[..]].concat());
    for (name, expected) in
        [("joint.toe.moment", 0.0), ("joint.ankle.moment", -15.0), ("joint.knee.moment", 40.0), ("joint.hip.moment", 0.0)]
    {
        let own = variable(&inverse, name);
        assert_eq!(own["unknown"], true);
        assert!((value(&inverse, name) - expected).abs() < 1e-9, "{name}: {own}");
    }
    let force = |facts: &Value| value(facts, "joint.toe.force.y");
    assert!((force(&inverse) - force(&forward)).abs() < 1e-9 * force(&forward).abs());
}

#[test]
fn values_may_have_units_and_a_row_frees_its_support() {
    let plain = facts(&["squat4", "--extra", "body.hat.force.x=50"]);
    let unit = facts(&["squat4", "--extra", "Fextx_4=0.05 kN"]);
    assert_eq!(value(&plain, "body.hat.angular_acceleration"), value(&unit, "body.hat.angular_acceleration"));
    assert_eq!(value(&plain, "body.hat.force.x"), 50.0);
    let held = facts(&["squat4", "--row", "- joint.hip.acceleration.y = -1 m/s^2 frees body.hat.support.y"]);
    assert_eq!(variable(&held, "body.hat.support.y")["unknown"], true);
    // A sign at the front, glued or not, and a weight mean the same.
    for sum in ["-joint.hip.acceleration.y", "-1*joint.hip.acceleration.y"] {
        let row = format!("{sum} = -1 frees body.hat.support.y");
        assert_eq!(facts(&["squat4", "--row", &row])["variables"], held["variables"], "{row}");
    }
}

#[test]
fn an_acceleration_of_a_coordinate_is_taken_by_the_inverse_preset() {
    let found = facts(&["squat4", "--preset", "inverse", "--accel", "toe=2 rad/s^2"]);
    // All segments turn with the first.
    for body in ["feet", "shanks", "thighs", "hat"] {
        assert_eq!(value(&found, &format!("body.{body}.angular_acceleration")), 2.0);
    }
}

#[test]
fn inverse_presets_leave_loops_out_and_say_so() {
    let said = "loops and guides of the model are left out\n";
    assert!(!table(&["cyclist-leg"]).contains(said));
    assert_eq!(facts(&["cyclist-leg"])["loops_left_out"], false);
    assert!(table(&["cyclist-leg", "--without-loops"]).contains(said));
    assert!(table(&["cyclist-leg", "--preset", "inverse"]).contains(said));
    assert_eq!(facts(&["cyclist-leg", "--preset", "inverse-from-base"])["loops_left_out"], true);
    assert!(!table(&["squat4", "--preset", "inverse"]).contains(said));
}

#[test]
fn least_squares_say_what_is_left_and_when_answers_are_many() {
    let many = ["squat4", "--least-squares", "--unknown", "joint.knee.moment", "--unknown", "joint.hip.moment"];
    let text = table(&many);
    assert!(text.contains("\nequations met to ") && !text.contains("condition"), "{text}");
    assert!(text.contains("\nleast squares leave "), "{text}");
    assert!(
        text.contains("\ninfinitely many answers do so: 2 unknowns are not determined; of all answers the smallest is shown"),
        "{text}"
    );
    let found = facts(&many);
    assert_eq!(found["free"], 2);
    assert!(found["condition"].is_null());
    assert!(found["residual"].as_f64().expect("a number") < 1e-10 && found["left_over"].as_f64().expect("a number") < 1e-9);
    // As many unknowns as equations, two of which have the same effect.
    let same = ["--known", "phidd_1=0", "--known", "phidd_2=0", "--unknown", "M_1", "--unknown", "Mext_1"];
    let text = table(&[&["squat4", "--least-squares"], &same[..]].concat());
    assert!(text.contains("\ninfinitely many answers do so: 1 unknown is not determined;"), "{text}");
    let few = ["squat4", "--least-squares", "--known", "body.hat.angular_acceleration=0"];
    assert!(!table(&few).contains("infinitely many"));
    let found = facts(&few);
    assert_eq!(found["free"], 0);
    assert!(found["left_over"].as_f64().expect("a number") > 1e-3);
}

#[test]
fn values_that_are_no_values_are_refused() {
    refused(&["squat4", "--known", "M_1"], "not-assignment", &["`--known M_1` is not of the form VARIABLE=VALUE"]);
    refused(&["squat4", "--extra", "=3"], "not-assignment", &["--extra =3"]);
    refused(&["squat4", "--known", "M_1="], "not-assignment", &["--known M_1="]);
    refused(&["squat4", "--accel", "toe"], "not-assignment", &["COORDINATE=VALUE"]);
    for text in ["M_1=inf", "M_1=NaN", "M_1=-inf", "M_1=1e999", "M_1=1e999 N m"] {
        refused(&["squat4", "--known", text], "not-finite", &[&format!("`--known {text}`")]);
    }
    refused(&["squat4", "--accel", "toe=inf"], "not-finite", &["--accel toe=inf"]);
    refused(&["squat4", "--known", "M_1=strong"], "bad-quantity", &["--known M_1=strong"]);
    refused(&["squat4", "--known", "M_1=3 Nn"], "unknown-unit", &["`Nn` is not a unit"]);
    refused(&["squat4", "--known", "M_1=3 kg"], "wrong-unit", &["--known M_1=3 kg"]);
    refused(&["squat4", "--accel", "toe=3 m/s^2"], "wrong-unit", &["--accel toe=3 m/s^2"]);
}

#[test]
fn names_of_nothing_are_answered_by_the_nearest_and_by_all() {
    refused(
        &["walker7", "--unknown", "body.trunk.angular_acceleration"],
        "unknown-variable",
        &["`--unknown body.trunk.angular_acceleration`: there is no variable", "there are ", "body.hat.angular_acceleration"],
    );
    refused(
        &["squat4", "--known", "joint.kne.moment=1"],
        "unknown-variable",
        &["`--known joint.kne.moment=1`", "did you mean `joint.knee.moment`?", "joint.hip.moment"],
    );
    refused(&["squat4", "--extra", "tea=1"], "unknown-variable", &["`--extra tea=1`", "there are "]);
    let row = "joint.hip.accelerations.y = 0 frees body.hat.support.y";
    refused(&["squat4", "--row", row], "unknown-variable", &[&format!("`--row '{row}'`"), "joint.hip.accelerations.y"]);
    refused(&["squat4", "--row", "M_1 = 0 frees nothing"], "unknown-variable", &["no variable `nothing`"]);
    refused(&["squat4", "--accel", "too=1"], "unknown-coordinate", &["did you mean `toe`? there are toe, "]);
    refused(&["squat4", "--base", "foot"], "unknown-body", &["`--base foot`", "there are feet, shanks"]);
    refused(&["squat4", "--end", "hats"], "unknown-body", &["`--end hats`", "did you mean `hat`?"]);
    refused(&["squat4", "--known", "body.hat.support.y=3"], "reserved-variable", &["`--known body.hat.support.y=3`"]);
    refused(&["squat4", "--unknown", "Fsy_4"], "reserved-variable", &["`--unknown Fsy_4`"]);
}

#[test]
fn no_value_is_dropped_unnoticed() {
    let twice = |one: [&str; 2], other: [&str; 2]| {
        let typed = [one, other].map(|option| format!("`{} {}`", option[0], option[1]));
        refused(&["squat4", one[0], one[1], other[0], other[1]], "known-twice", &[&typed[0], &typed[1]]);
    };
    twice(["--known", "M_1=3"], ["--known", "M_1=5"]);
    twice(["--known", "M_1=3"], ["--known", "joint.toe.moment=5"]);
    twice(["--known", "M_1=3"], ["--extra", "M_1=5"]);
    twice(["--extra", "M_1=3"], ["--extra", "M_1=3"]);
    twice(["--accel", "toe=3"], ["--accel", "toe=5"]);
    let both = |known: &str, other: [&str; 2], typed: &str| {
        refused(&["squat4", "--known", known, other[0], other[1]], "known-and-unknown", &[&format!("`--known {known}`"), typed]);
    };
    both("M_3=1", ["--unknown", "joint.knee.moment"], "`--unknown joint.knee.moment`");
    both("M_3=1", ["--row", "phidd_3 = 0 frees joint.knee.moment"], "`--row 'phidd_3 = 0 frees joint.knee.moment'`");
}

#[test]
fn equations_that_make_no_sense_are_refused() {
    for (row, cause) in [
        ("M_1 M_2 = 0", "no sign stands between `M_1` and `M_2`"),
        ("M_1 -M_2 = 0", "no sign stands between `M_1` and `-M_2`"),
        ("M_1 - = 0", "no term follows the last `-`"),
        ("- = 0", "no term stands before `=`"),
        ("M_1 - + M_2 = 0", "two signs follow each other: `- +`"),
        ("+ - M_2 = 0", "two signs follow each other: `+ -`"),
        ("0.5 * M_1 = 0", "`0.5` is no term"),
        ("x*M_1 = 0", "`x*M_1` is no term"),
        ("0.5* = 0", "`0.5*` is no term"),
        ("*M_1 = 0", "`*M_1` is no term"),
        ("= 0", "no term stands before `=`"),
        ("M_1 =", "nothing stands after `=`"),
        ("M_1 = frees M_2", "nothing stands after `=`"),
        ("M_1", "there is no `=`"),
        ("M_1 = 0 = 0", "`=` stands there twice"),
        ("M_1 = 0 frees", "no variable stands after `frees`"),
        ("M_1 = 0 frees  ", "no variable stands after `frees`"),
        ("--json", "there is no `=`"),
    ] {
        refused(&["squat4", "--row", row], "bad-row", &[&format!("`--row '{row}'`: {cause}")]);
    }
    for word in ["inf*M_1", "NaN*M_1", "-inf*M_1", "1e999*M_1"] {
        let row = format!("{word} = 0 frees M_2");
        refused(&["squat4", "--row", &row], "weight-not-finite", &[&format!("`--row '{row}'`"), &format!("`{word}`")]);
    }
    refused(&["squat4", "--row", "M_1 + Frx_1 = 0 frees M_1"], "row-units", &["`M_1` is in N m, `Frx_1` in N"]);
    let row = "base.acceleration.x - phidd_1 = 0 frees M_1";
    refused(&["squat4", "--row", row], "row-units", &["`base.acceleration.x` is in m/s^2, `phidd_1` in rad/s^2"]);
    refused(&["squat4", "--row", "phidd_1 = 3 m/s^2 frees M_1"], "wrong-unit", &["--row 'phidd_1 = 3 m/s^2 frees M_1'"]);
    refused(&["squat4", "--row", "phidd_1 = inf frees M_1"], "not-finite", &["`inf` is not a finite number"]);
}

#[test]
fn choices_that_cannot_be_solved_are_refused_with_the_codes_of_study_files() {
    refused(&["squat4", "--unknown", "M_3"], "unknown-count", &["13 unknowns for 12 equations"]);
    refused(&["squat4", "--known", "phidd_3=0"], "unknown-count", &["11 unknowns for 12 equations"]);
    refused(&["squat4", "--row", "phidd_1 = 0 frees phidd_2"], "already-unknown", &["frees `body.shanks.angular_acceleration`"]);
    let rows = ["phidd_1 = 0 frees M_1", "phidd_2 = 0 frees M_1"];
    refused(&["squat4", "--row", rows[0], "--row", rows[1]], "claimed-twice", &["`phidd_1`", "`phidd_2`"]);
    let same = ["--known", "phidd_1=0", "--known", "phidd_2=0", "--unknown", "M_1", "--unknown", "Mext_1"];
    refused(&[&["squat4"], &same[..]].concat(), "singular-choice", &["`joint.toe.moment`, `body.feet.moment`"]);
    let base = "`base.acceleration.y` is zero, because joint `toe` holds the base to the world";
    refused(&["squat4", "--known", "base.acceleration.y=3"], "base-held", &["`--known base.acceleration.y=3`: ", base]);
    refused(&["squat4", "--unknown", "ydd"], "base-held", &["`--unknown ydd`"]);
    refused(&["squat4", "--row", "phidd_1 = 0 frees xdd"], "base-held", &["`--row 'phidd_1 = 0 frees xdd'`"]);
    let held = ["cyclist-leg", "--known", "phidd_1=1", "--unknown", "M_1"];
    refused(&held, "idle-row", &["`guide.crank_r.coordinate`"]);
    // Crank and saddle leave no room for shank and thigh to turn as they like.
    let stiff = ["--known", "phidd_3=5", "--known", "phidd_4=5", "--unknown", "M_3", "--unknown", "M_4"];
    refused(&[&["cyclist-leg"], &stiff[..]].concat(), "contradiction", &["the known accelerations contradict `guide.saddle_r"]);
    refused(&["human3d"], "not-a-chain", &["the model is spatial", "planar models of hinges and welds"]);
}

#[test]
fn models_and_settings_that_cannot_be_read_are_refused() {
    refused(&["squat5"], "cannot-read-file", &["`squat5`"]);
    refused(&["squat4", "--set", "body.hat.mas=3"], "unknown-parameter", &["body.hat.mas"]);
    let output = borelli(&["mixed", "squat4", "--preset", "backward"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("inverse-from-base"), "{}", stderr(&output));
}
