//! `borelli report` and `borelli plot`: pages and pictures of finished folders, without computing, and folders that are refused.
//! Not here: what a page shows (`borelli::report`), what a folder holds (`runs`).

use crate::gait::{BUILT, walk};
use crate::runs::{Place, STIFF};
use crate::{stderr, stdout};
use borelli::results::Input;
use serde_json::Value;
use std::fs;

/// Holds the page of a folder against the one that `borelli report` makes of the rest of it.
fn same(place: &Place, folder: &str) {
    let page = place.path(folder).join("report.html");
    let first = fs::read(&page).unwrap_or_else(|fault| panic!("{folder}: {fault}"));
    fs::remove_file(&page).expect("a page");
    let output = place.well(&["report", folder]);
    assert_eq!(stdout(&output).trim(), format!("{folder}/report.html"));
    assert!(fs::read(&page).expect("a page") == first, "{folder}: another page");
    assert!(!place.path(folder).join("report.html.partial").exists());
}

#[test]
fn a_page_made_again_is_the_same_to_the_byte() {
    let place = Place::new("again");
    // a sweep with shooting and plots of chosen cases; balances; a mat; events and contacts; a failure; measured markers and loads; bands and rankings
    for study in ["ballistic-gait", "17-statics", "heel-on-a-mat", "oblique-impact", "foot-13dof-held", "synthetic-walk", "shot-put-ranked"]
    {
        place.well(&["run", study, "--out", study]);
        same(&place, study);
    }
    // a model by itself, in another format, with fewer columns
    place.well(&["run", "--model", "walker7", "--end", "0.1", "--out", "walker", "--format", "csv", "--columns", "coord.*"]);
    same(&place, "walker");
}

#[test]
fn a_run_that_failed_or_lacks_numbers_is_shown_again_as_it_was() {
    let place = Place::new("again-failed");
    let model = "borelli = 1\ndimension = \"planar\"\n[body.bob]\nmass = 1\ncenter = [0, -1]\ninertia = 0\n[joint.pivot]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"bob\"\n";
    let study = "borelli = 1\ntitle = \"a <title>\"\nmodel = \"model.toml\"\nposter = \"0.1 s\"\n[initial]\n";
    place.write("model.toml", model);
    // an event that ends the run, and an expectation that is missed
    let events = "[time]\nend = 1\n[[event]]\nname = \"half\"\nwhen = \"time - 0.25\"\naction = \"stop\"\n[[expect]]\nquantity = \"end\"\ncolumn = \"run.end\"\nvalue = \"1 s\"\ntolerance = \"1 ms\"\nbasis = \"requirement\"\n";
    place.write("study.toml", &study.replace("[initial]\n", events));
    let output = place.borelli(&["run", "study.toml", "--out", "stopped"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    let page = fs::read_to_string(place.path("stopped/report.html")).expect("a page");
    assert!(page.contains("\"poster\":0.1}") && page.contains("a &lt;title&gt;"));
    let summary = place.summary("stopped");
    let outcome = summary["page"]["outcome"].as_str().expect("a sentence");
    assert!(outcome.starts_with("Simulated 0.25 s of motion, ended by “Half” at 0.25 s."), "{outcome}");
    same(&place, "stopped");
}

#[test]
fn the_page_of_a_gait_session_can_be_made_again() {
    let place = walk("again-gait");
    let output = place.borelli(&[&BUILT[..], &["--out", "out"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    same(&place, "out");
    let page = fs::read_to_string(place.path("out/report.html")).expect("a page");
    assert!(page.contains("id=\"kinematics\"") && page.contains("id=\"quality\""));
    // several trials, without forces, with a model of the gallery and options
    let two = ["gait", "walk.trc", "static.trc", "--model", "lower-limb", "--cutoff", "4 Hz", "--fix-swaps", "--out", "two"];
    place.well(&two);
    assert_eq!(place.summary("two")["cases"].as_array().map(Vec::len), Some(2));
    same(&place, "two");
    let page = fs::read_to_string(place.path("two/report.html")).expect("a page");
    assert!(page.contains(">--cutoff</td>") && page.contains(">--fix-swaps</td>"));
    // a trial of another session
    let (first, other) = ("two/cases/walk/figure.json", "two/cases/static/figure.json");
    fs::write(place.path(first), format!("{} ", fs::read_to_string(place.path(other)).expect("a file"))).expect("a file");
    let output = place.borelli(&["report", "two"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("error[changed-file]"), "{}", stderr(&output));
    assert!(stderr(&output).contains(first), "{}", stderr(&output));
    // the curves of `plot` come from the trajectory, which is the session's own
    place.well(&["plot", "two", "coord.hip_flexion_r.value", "--out", "hip.svg"]);
}

#[test]
fn what_the_command_line_changed_stands_on_the_page_and_in_the_summary() {
    let place = Place::new("changes");
    let set = ["--set", "body.bob.mass=1 kg", "--set", "body.bob.mass = 2 <kg>"];
    let refused = place.borelli(&[&["run", "pendulum", "--out", "run"], &set[..]].concat());
    assert_eq!(refused.status.code(), Some(2));
    let args = [
        "run",
        "pendulum",
        "--out",
        "run",
        "--end",
        "0.2",
        "--integrator",
        "rk4",
        "--set",
        "integrator.step=1 ms",
        "--formulation",
        "cartesian",
        "--set",
        "body.bob.mass=1 kg",
        "--set",
        "body.bob.mass=2 kg",
        "--format",
        "csv",
        "--threads",
        "1",
    ];
    place.well(&args);
    let option = |option: &str, value: &str| serde_json::json!({ "option": option, "value": value });
    let summary = place.summary("run");
    let expected = [
        option("--formulation", "cartesian"),
        option("--integrator", "rk4"),
        option("--end", "0.2"),
        option("--set", "integrator.step=1 ms"),
        option("--set", "body.bob.mass=2 kg"),
    ];
    assert_eq!(summary["options"], serde_json::json!(expected));
    let page = fs::read_to_string(place.path("run/report.html")).expect("a page");
    let header = &page[page.find("<header>").expect("a header")..page.find("</header>").expect("its end")];
    assert!(
        header.contains("Changed on the command line: <code>integrator.step = 1 ms</code>; <code>body.bob.mass = 2 kg</code>."),
        "{header}"
    );
    let method = &page[page.find("id=\"method\"").expect("a method")..];
    for row in [
        "--formulation</td><td class=\"\">cartesian<",
        "--integrator</td><td class=\"\">rk4<",
        "--set</td><td class=\"\">body.bob.mass=2 kg<",
    ] {
        assert!(method.contains(row), "{row}");
    }
    same(&place, "run");
    // a start from another run is a change, and its state a file that went in
    place.well(&["run", "pendulum", "--end", "0.3", "--restart", "run", "--set", "body.bob.mass=2 kg", "--out", "on"]);
    let page = fs::read_to_string(place.path("on/report.html")).expect("a page");
    assert!(page.contains("start from the end of the run in <code>run</code>"));
    let inputs = place.summary("on")["inputs"].clone();
    assert!(inputs.as_array().is_some_and(|list| list.iter().any(|own| own["path"] == "run/restart.json")), "{inputs}");
    // nothing changed, nothing said
    place.well(&["run", "pendulum", "--out", "plain", "--json"]);
    let page = fs::read_to_string(place.path("plain/report.html")).expect("a page");
    assert!(!page.contains("hanged on the command line"));
}

#[test]
fn a_page_can_go_elsewhere_and_a_run_without_one_can_have_one() {
    let place = Place::new("elsewhere");
    place.well(&["run", "pendulum", "--end", "0.1", "--out", "run", "--no-report"]);
    assert!(!place.path("run/report.html").exists() && place.path("run/figure.json").exists());
    place.well(&["report", "run", "--out", "page.html"]);
    assert!(fs::read_to_string(place.path("page.html")).expect("a page").contains("id=\"data\""));
    assert!(!place.path("run/report.html").exists());
    let output = place.borelli(&["report", "run", "--out", "nowhere/page.html"]);
    assert!(output.status.code() == Some(1) && stderr(&output).contains("error[cannot-write]"), "{}", stderr(&output));
}

#[test]
fn what_is_no_whole_folder_of_results_is_refused_and_named() {
    let place = Place::new("refused");
    place.write("empty/note.txt", "nothing");
    place.well(&["run", "pendulum", "--end", "0.1", "--out", "good"]);
    let refuses = |args: &[&str], code: &str, words: &[&str]| {
        let output = place.borelli(args);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?} {told}");
        assert!(told.contains(&format!("error[{code}]")) && told.contains("hint:"), "{args:?} {told}");
        assert!(words.iter().all(|word| told.contains(word)), "{args:?} {told}");
    };
    refuses(&["report", "missing"], "no-such-folder", &["`missing`"]);
    refuses(&["report", "empty/note.txt"], "no-such-folder", &["note.txt` is a file", "give its folder: empty"]);
    refuses(&["report", "empty"], "not-a-run-folder", &["summary.json"]);
    refuses(&["plot", "empty", "coord.*"], "not-a-run-folder", &["summary.json"]);
    // a copy with one file changed
    let copy = |name: &str, change: &dyn Fn(&mut Value)| {
        for file in ["summary.json", "figure.json", "events.csv", "trajectory.sto"] {
            place.write(&format!("{name}/{file}"), &fs::read_to_string(place.path("good").join(file)).expect("a file"));
        }
        let mut summary = place.summary("good");
        change(&mut summary);
        place.write(&format!("{name}/summary.json"), &summary.to_string());
    };
    copy("good.partial", &|_| ());
    refuses(&["report", "good.partial"], "unfinished-run", &["good.partial"]);
    copy("locked", &|_| ());
    place.write("locked/running.json", "{}");
    refuses(&["report", "locked"], "unfinished-run", &["locked"]);
    copy("old", &|summary| {
        summary.as_object_mut().expect("an object").remove("outputs");
    });
    refuses(&["report", "old"], "other-version", &[env!("CARGO_PKG_VERSION"), "no hashes", "make the run again"]);
    refuses(&["plot", "old", "coord.*"], "other-version", &[env!("CARGO_PKG_VERSION")]);
    copy("speechless", &|summary| summary["page"] = Value::Null);
    refuses(&["report", "speechless"], "damaged-run", &["summary.json", "`page`"]);
    copy("titled", &|summary| summary["page"]["title"] = Value::Null);
    refuses(&["report", "titled"], "damaged-run", &["summary.json", "`title` is not a text"]);
    copy("ended", &|summary| summary["status"] = "vanished".into());
    refuses(&["report", "ended"], "damaged-run", &["vanished"]);
    copy("climbing", &|summary| summary["cases"] = serde_json::json!([{ "name": "../good" }]));
    refuses(&["report", "climbing"], "damaged-run", &["not the name of a case"]);
    copy("spoiled", &|_| ());
    place.write("spoiled/summary.json", "not JSON");
    refuses(&["report", "spoiled"], "damaged-run", &["summary.json", "not JSON"]);
    // with their own hashes, as of a program that writes other files; the first is one that knew no turns of joints and no notes
    let figure: Value = serde_json::from_str(&fs::read_to_string(place.path("good/figure.json")).expect("a file")).expect("JSON");
    let mut turnless = figure.clone();
    turnless["joints"].as_array_mut().expect("joints").iter_mut().for_each(|joint| {
        joint.as_object_mut().expect("a joint").remove("turns").expect("turns");
    });
    let mut noteless = figure;
    noteless.as_object_mut().expect("a figure").remove("notes").expect("notes");
    for (file, text, words) in [
        ("figure.json", turnless.to_string().as_str(), "`turns` is missing"),
        ("figure.json", &noteless.to_string(), "`notes` is missing"),
        ("figure.json", "{", "not JSON"),
        ("figure.json", "{}", "`meshes` is missing"),
        ("events.csv", "time\n", "not a table of events"),
        ("trajectory.sto", "nonsense", "trajectory.sto"),
    ] {
        copy("other", &|summary| set_hash(summary, file, text));
        place.write(&format!("other/{file}"), text);
        refuses(&["report", "other"], "other-version", &[file, words, env!("CARGO_PKG_VERSION"), "make the run again"]);
    }
    for file in ["figure.json", "events.csv", "trajectory.sto"] {
        copy("lacking", &|_| ());
        fs::remove_file(place.path("lacking").join(file)).expect("a file");
        refuses(&["report", "lacking"], "missing-file", &[file, "missing"]);
    }
    // rows lost at the end of the samples
    copy("short", &|_| ());
    let samples = fs::read_to_string(place.path("good/trajectory.sto")).expect("samples");
    let lines: Vec<&str> = samples.lines().collect();
    let fewer = lines[..lines.len() - 3].join("\n").replace(&format!("nRows={}", place.summary("good")["samples"]), "nRows=8");
    let fewer = format!("{fewer}\n");
    copy("short", &|summary| set_hash(summary, "trajectory.sto", &fewer));
    place.write("short/trajectory.sto", &fewer);
    refuses(&["report", "short"], "damaged-run", &["trajectory.sto"]);
}

/// Puts the hash of another content into a summary.
fn set_hash(summary: &mut Value, file: &str, content: &str) {
    for output in summary["outputs"].as_array_mut().expect("outputs").iter_mut().filter(|output| output["path"] == file) {
        output["sha256"] = Input::of("", content.as_bytes()).sha256.into();
    }
}

#[test]
fn files_of_another_run_are_refused_by_name() {
    let place = Place::new("mixed-up");
    // the same model and as many samples: only the hash tells them apart
    place.well(&["run", "pendulum", "--end", "0.1", "--out", "a"]);
    place.well(&["run", "pendulum", "--end", "0.1", "--out", "b", "--set", "body.bob.mass=2 kg"]);
    place.well(&["report", "a"]);
    let refused = |args: &[&str], file: &str| {
        let output = place.borelli(args);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?} {told}");
        assert!(told.contains("error[changed-file]") && told.contains(file) && told.contains("put back the file"), "{told}");
    };
    let own = |file: &str| fs::read(place.path("a").join(file)).expect("a file");
    let swapped = |file: &str, args: &[&str]| {
        let kept = own(file);
        fs::copy(place.path("b").join(file), place.path("a").join(file)).expect("a copy");
        refused(args, file);
        fs::write(place.path("a").join(file), kept).expect("a file");
    };
    swapped("trajectory.sto", &["report", "a"]);
    swapped("trajectory.sto", &["plot", "a", "coord.*"]);
    let figure = String::from_utf8(own("figure.json")).expect("text").replace("\"height\":", "\"height\": ");
    place.write("b/figure.json", &figure);
    swapped("figure.json", &["report", "a"]);
    // a format that the run did not write is not the run's
    place.write("a/trajectory.csv", "time\n0\n");
    place.well(&["report", "a"]);
    place.well(&["plot", "a", "coord.*"]);
    // the folder of a run that failed is whole, too
    place.write("stiff.toml", STIFF);
    let args = ["run", "stiff.toml", "--integrator", "heun", "--set", "integrator.step=0.01", "--end", "10", "--out", "failed"];
    assert_eq!(place.borelli(&args).status.code(), Some(1));
    same(&place, "failed");
    fs::copy(place.path("b/trajectory.sto"), place.path("failed/trajectory.sto")).expect("a copy");
    refused(&["report", "failed"], "failed/trajectory.sto");
    // cases of a sweep that have changed places
    place.well(&["run", "ballistic-gait", "--out", "steps"]);
    let case = |k: usize| format!("steps/cases/{}/trajectory.sto", place.summary("steps")["cases"][k]["name"].as_str().expect("a name"));
    fs::copy(place.path(&case(1)), place.path(&case(0))).expect("a copy");
    refused(&["report", "steps"], &case(0));
    refused(&["plot", "steps", "coord.*"], &case(0));
}

#[test]
fn no_damage_of_a_single_byte_makes_the_program_panic() {
    let place = Place::new("bytes");
    place.well(&["run", "pendulum", "--end", "0.02", "--out", "good"]);
    let mut tried = 0;
    for file in ["summary.json", "figure.json", "events.csv", "trajectory.sto"] {
        let whole = fs::read(place.path("good").join(file)).expect("a file");
        for k in (0..whole.len()).step_by(whole.len() / 12 + 1) {
            let mut broken = whole.clone();
            broken[k] = b'#';
            fs::write(place.path("good").join(file), &broken).expect("a file");
            let output = place.borelli(&["report", "good", "--out", "page.html"]);
            assert!(
                [Some(0), Some(2)].contains(&output.status.code()) && !stderr(&output).contains("panicked"),
                "{file} {k} {}",
                stderr(&output)
            );
            tried += 1;
        }
        fs::write(place.path("good").join(file), &whole).expect("a file");
    }
    assert!(tried > 30, "{tried}");
}

#[test]
fn columns_of_a_folder_become_a_picture() {
    let place = Place::new("plot");
    place.well(&["run", "ballistic-gait", "--out", "steps"]);
    let output = place.well(&["plot", "steps", "coord.*.value,coord.*.rate", "--case", "step-0.60"]);
    let svg = stdout(&output);
    assert!(svg.starts_with("<?xml") || svg.starts_with("<svg"), "{svg:.100}");
    // three coordinates and their rates, in two panels
    assert_eq!(svg.matches("coord.").count(), 6, "{svg:.2000}");
    let cases = place.summary("steps")["cases"].as_array().expect("cases").len();
    place.well(&["plot", "steps", "coord.trunk.value", "--out", "trunk.svg"]);
    let svg = fs::read_to_string(place.path("trunk.svg")).expect("a picture");
    assert_eq!(svg.matches(">step-0.").count(), cases, "one curve a case, called by it");
    let told = |args: &[&str], code: &str, words: &str| {
        let output = place.borelli(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(&format!("error[{code}]")) && stderr(&output).contains(words), "{}", stderr(&output));
    };
    told(&["plot", "steps", "coord.trunc.value"], "no-such-column", "did you mean `coord.trunk.value`?");
    told(&["plot", "steps", "trunk"], "no-such-column", "columns have it in their names, among them `");
    told(&["plot", "steps", "coord.*", "--case", "step-0.6"], "no-such-case", "did you mean `step-0.60`?");
}
