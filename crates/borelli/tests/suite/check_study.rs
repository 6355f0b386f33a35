//! `borelli check` of studies: what is understood, and every fault with its line before anything runs.
//! Not here: how plans and expectations are checked (`borelli-study`).

use crate::runs::Place;
use crate::{borelli, stderr, stdout};
use borelli::studies::Studies;
use serde_json::Value;

/// A study of a thrown body; `more` goes before its expectation.
fn study(model: &str, more: &str, column: &str) -> String {
    format!(
        "borelli = 1\ntitle = \"flight\"\nmodel = \"{model}\"\n[time]\nend = 1\n{more}[[expect]]\nquantity = \"x\"\ncolumn = \"{column}\"\n\
         measure = \"last\"\nvalue = \"1 m\"\ntolerance = \"1 m\"\nbasis = \"closed-form\"\n"
    )
}

#[test]
fn every_study_of_the_program_can_be_run_and_judged() {
    let mut names = Studies::EMBEDDED.names().expect("names");
    names.retain(|name| Studies::EMBEDDED.lacks(name).is_empty());
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let output = borelli(&[&["check", "--json"], &words[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let facts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    for (name, study) in names.iter().zip(facts.as_array().expect("an array")) {
        let filled = |key: &str| study[key].as_array().is_some_and(|list| !list.is_empty());
        assert!(study["ok"] == true && study["study"] == name.as_str() && filled("cases") && filled("columns"), "{study}");
    }
}

#[test]
fn a_study_is_understood_as_a_file_a_folder_and_a_part_of_a_name() {
    let place = Place::new("check-study");
    let derived = "[column.half]\nformula = \"coord.x.value / 2\"\n[[event]]\nname = \"landing\"\nwhen = \"coord.y.value\"\n";
    place.write("01-flight/study.toml", &study("projectile", derived, "derived.half"));
    for word in ["01-flight", "01-flight/study.toml"] {
        let text = stdout(&place.borelli(&["check", word]));
        for said in
            [": good", "title        flight", "model        projectile", "derived.half [m]", "events       landing", "expectations 1,"]
        {
            assert!(text.contains(said), "{said}: {text}");
        }
    }
    assert!(stdout(&borelli(&["check", "18"])).starts_with("18: good"));
    // a setting of the command line counts, and its faults point at it
    let output = place.borelli(&["check", "01-flight", "--set", "integrator.method=rk4"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("error[step-missing]"), "{}", stderr(&output));
    assert!(stderr(&output).contains("--set:1:19"), "{}", stderr(&output));
}

#[test]
fn all_faults_of_a_study_are_told_at_once_with_their_lines() {
    let place = Place::new("check-study-bad");
    let more = "columns_are_below = 1\n";
    place.write("unknown/study.toml", &study("projectile", more, "coord.x.value"));
    let output = place.borelli(&["check", "unknown"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("study.toml:6:1"), "{}", stderr(&output));
    let more = "[column.half]\nformula = \"coord.x.valu / 2\"\n[[event]]\nname = \"landing\"\nwhen = \"coord.why.value\"\n\
        [[plot]]\ntitle = \"height\"\ncolumns = [\"coord.h.*\"]\n";
    let swept = "[sweep]\ncase = [\"a\", \"b\", \"c\"]\nmodel = [\"projectile\", \"pendulum\", \"no.toml\"]\n";
    let text = study("projectile", &format!("{more}{swept}"), "coord.x.value").replace("measure =", "cases = \"all\"\nmeasure =");
    place.write("bad/study.toml", &text);
    let output = place.borelli(&["check", "bad", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let facts: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found: Vec<(&str, u64)> =
        facts[0]["findings"].as_array().expect("a list").iter().filter_map(|f| Some((f["code"].as_str()?, f["line"].as_u64()?))).collect();
    // the same formula is at fault in two models: once by each, with what each has in its place
    assert!(found.contains(&("bad-formula", 7)) && found.contains(&("bad-formula", 10)), "{facts}");
    assert!(found.contains(&("cannot-read-file", 16)), "{facts}");
    assert_eq!(facts[0]["ok"], false);
    // faults of plans hide what is expected of them; without them it is told, and in which case
    let text = study("projectile", &swept.replace(", \"no.toml\"", "").replace(", \"c\"", ""), "coord.x.value");
    place.write("bad/study.toml", &text.replace("measure =", "cases = \"all\"\nmeasure ="));
    let said = stderr(&place.borelli(&["check", "bad"]));
    assert!(
        said.contains("study.toml:9:1: error[no-such-column]") && said.contains("`x`, in b: there is no column `coord.x.value`"),
        "{said}"
    );
    assert!(said.ends_with("bad: 1 error\n"), "{said}");
}

#[test]
fn a_plot_across_a_column_that_is_not_there_is_told_with_the_nearest_name() {
    let place = Place::new("check-study-across");
    let plot = |across: &str| format!("[[plot]]\ntitle = \"path\"\ncolumns = [\"coord.y.value\"]\nacross = \"{across}\"\n");
    place.write("good/study.toml", &study("projectile", &plot("coord.x.value"), "coord.x.value"));
    assert_eq!(place.borelli(&["check", "good"]).status.code(), Some(0));
    place.write("bad/study.toml", &study("projectile", &plot("coord.x.valu"), "coord.x.value"));
    let output = place.borelli(&["check", "bad"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for part in
        ["study.toml:9:", "error[no-such-column]", "field `across`", "no column is called `coord.x.valu`", "did you mean `coord.x.value`?"]
    {
        assert!(said.contains(part), "no {part} in\n{said}");
    }
}
