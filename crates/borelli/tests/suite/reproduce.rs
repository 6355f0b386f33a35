//! `borelli reproduce` and `borelli demo`: the studies of the repository, and what is said about studies of any folder.
//! Not here: what a single study shows (its README), how verdicts are found (`borelli-study`).

use crate::runs::{Place, STIFF};
use crate::{borelli, root, stderr, stdout};
use serde_json::Value;
use std::fs;

fn study(model: &str, value: &str, more: &str) -> String {
    format!(
        "borelli = 1\ntitle = \"flight\"\nmodel = \"{model}\"\n[time]\nend = 1\n[[expect]]\nquantity = \"x\"\ncolumn = \"coord.x.value\"\n\
         measure = \"last\"\nvalue = \"{value} m\"\ntolerance = \"1e-6 m\"\nbasis = \"closed-form\"\nsource = \"3 + 30 sqrt(2) t + t^2/4\"\n{more}"
    )
}

/// An expectation that needs data which nobody has.
const ABSENT: &str = "[[expect]]\nquantity = \"like the recording\"\ncolumn = \"coord.y.value\"\nmeasure = \"distance\"\nvalue = \"0 m\"\n\
    tolerance = \"1 mm\"\nbasis = \"reference\"\nsource = \"a recording\"\nagainst = { file = \"no/such/file.csv\" }\n";

#[test]
fn json_has_one_object_per_expectation_and_null_where_data_is_absent() {
    let place = Place::new("reproduce-json");
    place.write("s/01-good/study.toml", &study("projectile", "45.67640687119285", ABSENT));
    place.write("s/02-bad/study.toml", &study("projectile", "45.7", ""));
    place.write("s/notes/README.md", "no study");
    for threads in ["1", "2"] {
        let output = place.borelli(&["reproduce", "--all", "--studies", "s", "--json", "--threads", threads]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let list = list.as_array().expect("an array");
        let keys = ["study", "quantity", "unit", "basis", "expected", "computed", "tolerance", "ok", "source", "note"];
        for entry in list {
            assert_eq!(entry.as_object().expect("an object").keys().collect::<Vec<_>>(), keys);
        }
        let verdicts: Vec<(Option<&str>, &Value)> = list.iter().map(|entry| (entry["study"].as_str(), &entry["ok"])).collect();
        let expected = [(Some("01-good"), &Value::Bool(true)), (Some("01-good"), &Value::Null), (Some("02-bad"), &Value::Bool(false))];
        assert_eq!(verdicts, expected);
        assert!((list[0]["computed"].as_f64().expect("a number") - 45.676_406_871_192_85).abs() < 1e-6);
    }
    let text = stdout(&place.borelli(&["reproduce", "good", "--studies", "s"]));
    assert_eq!(text.lines().last(), Some("1 passed, 0 failed, 1 could not be judged: reference data absent"), "{text}");
}

#[test]
fn a_study_may_be_judged_against_another_one_that_was_not_asked_for() {
    let place = Place::new("reproduce-other");
    let ratio = "[[expect]]\nquantity = \"as far as the other\"\ncolumn = \"coord.x.value\"\nmeasure = \"ratio\"\nof = \"last\"\nvalue = 1\n\
        tolerance = 1e-9\nbasis = \"closed-form\"\nsource = \"the same motion\"\nagainst = { study = \"02-other\" }\n";
    place.write("s/01-one/study.toml", &study("projectile", "45.67640687119285", ratio));
    place.write("s/02-other/study.toml", &study("projectile", "45.67640687119285", ""));
    let output = place.borelli(&["reproduce", "one", "--studies", "s", "--json"]);
    let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let verdicts: Vec<Option<bool>> = list.as_array().expect("an array").iter().map(|entry| entry["ok"].as_bool()).collect();
    assert_eq!(verdicts, [Some(true), Some(true)], "{list}");
}

#[test]
fn a_model_stands_beside_its_study() {
    let place = Place::new("reproduce-beside");
    let model = fs::read_to_string(root().join("models/projectile.toml")).expect("a model");
    place.write("s/01-own/model.toml", &model.replace("\"3 m\"", "\"4 m\""));
    place.write("s/01-own/study.toml", &study("model.toml", "46.67640687119285", ""));
    let output = place.borelli(&["reproduce", "--all", "--studies", "s"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    place.write("s/01-own/study.toml", &study("modell.toml", "46.67640687119285", ""));
    let output = place.borelli(&["reproduce", "--all", "--studies", "s"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("study.toml:3"), "{}", stderr(&output));
    place.write("s/01-own/study.toml", &study("projectil", "46.67640687119285", ""));
    let output = place.borelli(&["reproduce", "--all", "--studies", "s"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("did you mean `projectile`"), "{}", stderr(&output));
}

#[test]
fn wrong_names_and_empty_folders_are_bad_input() {
    let place = Place::new("reproduce-wrong");
    place.write("s/01-projectile/study.toml", &study("projectile", "45.67640687119285", ""));
    fs::create_dir_all(place.path("empty")).expect("a folder");
    for (args, said) in [
        (&["reproduce", "--all", "--studies", "empty"][..], "error[no-studies]"),
        (&["reproduce", "--all", "--studies", "nowhere"], "error[cannot-read-file]"),
        (&["reproduce", "01-projectle", "--studies", "s"], "did you mean `01-projectile`?"),
        (&["reproduce"], "Usage: borelli reproduce"),
        (&["reproduce", "--all", "--pictures"], "--studies"),
    ] {
        let output = place.borelli(args);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(said), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_run_that_fails_unexpectedly_fails_the_command_whatever_else_is_met() {
    let place = Place::new("reproduce-failure");
    place.write("s/01-stiff/model.toml", STIFF);
    let text = "borelli = 1\ntitle = \"stiff\"\nmodel = \"model.toml\"\n[time]\nend = 10\n[integrator]\nmethod = \"heun\"\nstep = \"10 ms\"\n\
        [[expect]]\nquantity = \"it begins\"\ncolumn = \"run.steps\"\nvalue = 1\nbound = \"at-least\"\nbasis = \"closed-form\"\n\
        [[expect]]\nquantity = \"it blows up\"\ncolumn = \"run.completed\"\nvalue = 0\ntolerance = 0\nbasis = \"closed-form\"\n";
    place.write("s/01-stiff/study.toml", text);
    let output = place.borelli(&["reproduce", "--all", "--studies", "s"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    // without the second expectation all that is expected is met, and still something went wrong
    place.write("s/01-stiff/study.toml", text.rsplit_once("[[expect]]").expect("two").0);
    let output = place.borelli(&["reproduce", "--all", "--studies", "s"]);
    assert!(stdout(&output).ends_with("1 passed, 0 failed, 0 could not be judged\n"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("error[run-failed]: 01-stiff: FAILED at t = ") && stderr(&output).contains("rail"),
        "{}",
        stderr(&output)
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_study_has_not_failed() {
    let place = Place::new("reproduce-interrupted");
    place.write("s/01-endless/study.toml", &study("double-pendulum", "0", "").replace("end = 1\n", "end = 1e9\nsample = 1e8\n"));
    let args = ["reproduce", "--all", "--studies", "s"];
    let mut command = crate::program(&args);
    let child = command
        .current_dir(place.path(""))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    // nothing shows that it has begun to compute
    std::thread::sleep(std::time::Duration::from_secs(2));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let output = child.wait_with_output().expect("ended");
    assert!(sent.success() && output.status.code() == Some(1), "{output:?}");
    let text = stdout(&output);
    assert!(text.contains("01-endless: interrupted") && text.ends_with("0 passed, 0 failed, 0 could not be judged\n"), "{text}");
    assert!(stderr(&output).contains("1 of 1 studies interrupted"), "{}", stderr(&output));
}

/// Folders of studies in the repository.
fn names() -> Vec<String> {
    let folders = fs::read_dir(root().join("studies")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut names: Vec<String> =
        folders.filter(|path| path.is_dir()).map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn every_study_of_the_repository_is_listed_and_has_a_readme() {
    let listed = stdout(&borelli(&["reproduce", "--list"]));
    let listed: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(listed, names());
    for name in names() {
        assert!(root().join("studies").join(&name).join("README.md").is_file(), "{name} has no README.md");
    }
}

/// Copies a folder.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (path, target) = entry.map(|e| (e.path(), to.join(e.file_name()))).expect("an entry");
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copied");
        }
    }
}

/// Hundreds of searches along a measured walk and half a million evaluations of a gait, two minutes of the optimised program: with
/// `BORELLI_SLOW` only (`make test-slow`).
const LONG: [&str; 4] = [
    "82-twelve-fits-of-circles",
    "83-circles-clear-of-the-ground-in-swing",
    "84-two-peaks-inside-a-band",
    "93-five-ellipsoids-under-a-foot",
];

#[test]
fn all_studies_come_out_as_expected_and_their_pictures_are_what_they_show() {
    let place = Place::new("reproduce-all");
    // beside the gallery, as in the repository
    for room in ["studies", "models"] {
        copy(&root().join(room), &place.path(room));
    }
    let slow = std::env::var_os("BORELLI_SLOW").is_some();
    let names = || names().into_iter().filter(|name| slow || !LONG.contains(&name.as_str()));
    for name in LONG.iter().filter(|_| !slow) {
        fs::remove_dir_all(place.path("studies").join(name)).expect("a study");
    }
    for name in names() {
        let _ = fs::remove_file(place.path("studies").join(&name).join("picture.svg"));
    }
    // Studies of reference data are judged where the data are.
    let data = borelli_testkit::reference("data").and_then(|data| Some(data.canonicalize().ok()?.parent()?.to_path_buf()));
    let folder = data.clone().unwrap_or_default().to_string_lossy().into_owned();
    let with = |threads| {
        let words = ["reproduce", "--all", "--studies", "studies", "--json", "--pictures", "--threads", threads];
        let told: &[&str] = if data.is_some() { &["--reference", &folder] } else { &[] };
        place.borelli(&[&words[..], told].concat())
    };
    let output = with("2");
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(stdout(&output), stdout(&with("1")), "every digit is the same for any number of threads");
    let studies = borelli::studies::Studies::folder(root().join("studies")).with_reference(data.clone());
    for name in names().filter(|name| studies.lacks(name).is_empty()) {
        let picture = |folder: std::path::PathBuf| fs::read_to_string(folder.join("studies").join(&name).join("picture.svg")).ok();
        let hint = "run `borelli reproduce --all --studies studies --pictures` and look at what changed";
        assert!(picture(root()) == picture(place.path("")), "the picture of {name} is not what it shows: {hint}");
    }
}

#[test]
fn the_demonstration_finds_the_moments_of_a_walk_and_ends_with_a_report() {
    let place = Place::new("demo");
    let output = place.borelli(&["demo", "--out", "shown"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    // known in closed form: -11.626897 N m
    assert!(text.contains("moment of the right knee at 0.4 s") && text.contains("-11.627"), "{text}");
    assert!(text.contains("0 failed, 0 could not be judged"), "{text}");
    assert_eq!(text.lines().last(), Some("shown/report.html"), "{text}");
    assert!(place.path("shown/report.html").is_file());
    // a second time replaces the first
    assert_eq!(place.borelli(&["demo", "--out", "shown"]).status.code(), Some(0));
}

/// Dampers of 0.5 N s/m in place of 0.5 N s/mm: forces and times of the knee look as before, and the work of the dampers tells.
#[test]
fn a_knee_whose_dampers_are_in_the_wrong_unit_fails_by_their_work() {
    let place = Place::new("reproduce-knee-unit");
    let text = fs::read_to_string(root().join("studies/73-knee/study.toml")).expect("a study");
    let wrong = text.replace("_r.damping\" = [500", "_r.damping\" = [0.5");
    assert_eq!(text.matches("_r.damping\" = [500").count(), 12);
    place.write("s/73-knee/study.toml", &wrong);
    let output = place.borelli(&["reproduce", "knee", "--studies", "s", "--json"]);
    let list: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let verdict = |quantity: &str| {
        let found = list.as_array().and_then(|list| list.iter().find(|entry| entry["quantity"] == quantity));
        found.unwrap_or_else(|| panic!("{quantity}"))["ok"].as_bool()
    };
    assert_eq!(verdict("work taken by the dampers of the ligaments after the push"), Some(false));
    for unseen in ["largest medial force beyond 70 degrees", "flexion at which the lateral condyle lets go", "energy balance (pushed)"] {
        assert_eq!(verdict(unseen), Some(true), "{unseen}");
    }
}
