//! Folders of results on made-up outcomes.
//! Not here: the program around them (the suite).

use super::*;
use crate::report::Change;
use crate::{compile, gallery};
use borelli_data::{Column, Trajectory};
use borelli_dynamics::integrate::{Carried, Statistics};
use borelli_dynamics::memory::{Hold, Touch};
use borelli_dynamics::{Memory, System};
use borelli_model::Explain;
use borelli_study::plan::{Plan, Setting};
use borelli_study::run::{EndState, HealthLine, Occurrence, Outcome, Passed, Scalar, Status, Verdict};
use borelli_study::soft_record::SoftRecord;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// A folder of this test alone, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("borelli-results-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let list = fs::read_dir(self.0.join(folder)).expect("a folder");
        let mut names: Vec<String> = list.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn begin(out: &Path, force: bool) -> (RunFolder, Option<Leftover>) {
    RunFolder::begin(out, force, "borelli run x").unwrap_or_else(|fault| panic!("{}", fault.message()))
}

fn refused(out: &Path, force: bool) -> FolderFault {
    RunFolder::begin(out, force, "borelli run x").err().expect("refused")
}

fn put(folder: &mut RunFolder, name: &str, text: &str) {
    folder.write(name, |out| out.write_all(text.as_bytes())).expect("written");
}

/// A summary as a run writes it, with a word to tell it by.
fn summary_of(word: &str) -> String {
    json!({ "borelli": "0.1.0", "command": word }).to_string()
}

#[test]
fn a_folder_appears_only_when_it_is_closed() {
    let scratch = Scratch::new("appears");
    let out = scratch.0.join("deep/run/");
    let (mut folder, leftover) = begin(&out, false);
    assert_eq!(leftover, None);
    assert_eq!(scratch.names("deep"), ["run.partial"]);
    let running: Value = serde_json::from_slice(&fs::read(scratch.0.join("deep/run.partial/running.json")).expect("a file")).expect("JSON");
    assert_eq!((running["pid"].as_u64(), running["command"].as_str()), (Some(u64::from(std::process::id())), Some("borelli run x")));
    put(&mut folder, "summary.json", "{}");
    put(&mut folder, "cases/a/trajectory.sto", "x");
    assert_eq!(folder.close().expect("closed"), Closed { folder: scratch.0.join("deep/run"), kept: Vec::new() });
    assert_eq!(scratch.names("deep"), ["run"]);
    assert_eq!(scratch.names("deep/run"), ["cases", "summary.json"]);
    assert_eq!(scratch.names("deep/run/cases/a"), ["trajectory.sto"]);
}

#[test]
fn an_existing_folder_is_replaced_only_by_force_and_only_when_the_new_one_is_whole() {
    let scratch = Scratch::new("force");
    let out = scratch.0.join("run");
    let (mut folder, _) = begin(&out, false);
    put(&mut folder, "summary.json", &summary_of("old"));
    folder.close().expect("closed");
    let fault = refused(&out, false);
    assert!(fault.code() == "folder-exists" && fault.is_bad_input() && fault.hint().is_some_and(|hint| hint.contains("--force")));

    let (mut folder, _) = begin(&out, true);
    put(&mut folder, "summary.json", &summary_of("new"));
    assert_eq!(fs::read_to_string(out.join("summary.json")).expect("a file"), summary_of("old"));
    folder.close().expect("closed");
    assert_eq!(fs::read_to_string(out.join("summary.json")).expect("a file"), summary_of("new"));
    assert_eq!(scratch.names("."), ["run"]);
}

/// Writes a folder as a run does, with these files beside the summary.
fn run_into(out: &Path, force: bool, files: &[&str]) -> Closed {
    let (mut folder, _) = begin(out, force);
    for name in files {
        put(&mut folder, name, "of the run");
    }
    let mut summary: Value = serde_json::from_str(&summary_of("run")).expect("JSON");
    put(&mut folder, PAGE, "page");
    summary["outputs"] = folder.outputs();
    put(&mut folder, "summary.json", &summary.to_string());
    folder.close().unwrap_or_else(|fault| panic!("{}", fault.message()))
}

#[test]
fn every_output_but_the_page_is_listed_with_its_hash() {
    let scratch = Scratch::new("outputs");
    let (mut folder, _) = begin(&scratch.0.join("run"), false);
    put(&mut folder, "cases/a/trajectory.sto", "first");
    put(&mut folder, "cases/a/trajectory.sto", "abc");
    put(&mut folder, PAGE, "page");
    let sha256 = Input::of("", b"abc").sha256;
    assert_eq!(folder.outputs(), json!([{ "path": "cases/a/trajectory.sto", "sha256": sha256 }]));
}

#[test]
fn soft_parts_leave_files_that_are_listed_with_their_hashes() {
    let scratch = Scratch::new("soft");
    let (mut folder, _) = begin(&scratch.0.join("run"), false);
    let mut whole = outcome();
    whole.soft = crate::recorded::soft::both();
    write_case(&mut folder, "walk", &pendulum(), &whole, &[]).unwrap_or_else(|fault| panic!("{}", fault.message()));
    let outputs = folder.outputs();
    let listed = |name: &str| outputs.as_array().expect("a list").iter().find(|own| own["path"] == format!("cases/walk/{name}")).cloned();
    for name in ["soft.json", "soft/block_0000.vtu", "soft/liner_0010.vtu", "soft/liner.pvd", "soft/contact.head.csv", "soft/tie.cup.csv"] {
        let own = listed(name).unwrap_or_else(|| panic!("{name}"));
        let content = fs::read(scratch.0.join("run.partial/cases/walk").join(name)).expect("a file");
        assert_eq!(own["sha256"], Input::of("", &content).sha256, "{name}");
    }
    assert!(listed("soft/block_0011.vtu").is_none());
    let file = fs::read(scratch.0.join("run.partial/cases/walk/soft.json")).expect("a file");
    assert_eq!(read_soft_json(&serde_json::from_slice(&file).expect("JSON")), Ok(whole.soft));
    // without soft parts there is neither file nor folder
    let (mut bare, _) = begin(&scratch.0.join("bare"), false);
    write_case(&mut bare, "", &pendulum(), &outcome(), &[]).unwrap_or_else(|fault| panic!("{}", fault.message()));
    assert!(!scratch.names("bare.partial").iter().any(|name| name.starts_with("soft")));
}

#[test]
fn files_of_the_user_go_over_to_the_folder_that_replaces_theirs() {
    let scratch = Scratch::new("kept");
    let out = scratch.0.join("run");
    run_into(&out, false, &["trajectory.sto", "plot-2.svg", "cases/a/events.csv"]);
    fs::create_dir_all(out.join("own/empty")).expect("a folder");
    for name in ["notes.txt", "own/figure.svg", "cases/a/notes.txt", "cases/thought.txt", "trajectory.csv"] {
        fs::write(out.join(name), format!("my {name}")).expect("a file");
    }
    // this one writes a file of a name that the user has taken
    let Closed { folder, kept } = run_into(&out, true, &["trajectory.sto", "trajectory.csv"]);
    assert_eq!(folder, out);
    let names: Vec<(&str, &str)> = kept.iter().map(|kept| (kept.name.to_str().expect("text"), kept.now.to_str().expect("text"))).collect();
    let same = |name| (name, name);
    let moved = ("trajectory.csv", "trajectory.csv.kept");
    assert_eq!(
        names,
        [same("cases/a/notes.txt"), same("cases/thought.txt"), same("notes.txt"), same("own/empty"), same("own/figure.svg"), moved]
    );
    for (name, now) in names.iter().filter(|(name, _)| !name.ends_with("empty")) {
        assert_eq!(fs::read_to_string(out.join(now)).expect("a file"), format!("my {name}"));
    }
    assert_eq!(scratch.names("."), ["run"]);
    // what the first run wrote and the second does not is gone
    assert_eq!(scratch.names("run/cases/a"), ["notes.txt"]);
    let expected = ["cases", "notes.txt", "own", "report.html", "summary.json", "trajectory.csv", "trajectory.csv.kept", "trajectory.sto"];
    assert_eq!(scratch.names("run"), expected);
    assert_eq!(fs::read_to_string(out.join("trajectory.csv")).expect("a file"), "of the run");
}

#[test]
fn a_run_killed_while_it_replaces_a_folder_loses_no_file_of_the_user() {
    let scratch = Scratch::new("kept-killed");
    let (out, old) = (scratch.0.join("run"), scratch.0.join("run.replaced"));
    run_into(&out, false, &["trajectory.sto"]);
    // killed after the second rename, before the notes had gone over
    run_into(&old, false, &["trajectory.sto", "plot-1.svg"]);
    fs::write(old.join("notes.txt"), "mine").expect("a file");
    fs::write(old.join("replaced.json"), r#"{ "writer": "borelli" }"#).expect("a mark");
    run_into(&out, true, &["trajectory.sto"]);
    assert_eq!(scratch.names("."), ["run"]);
    assert_eq!(scratch.names("run"), ["notes.txt", "report.html", "summary.json", "trajectory.sto"]);
}

#[test]
fn files_of_a_folder_that_lists_none_are_all_kept() {
    let scratch = Scratch::new("kept-earlier");
    let out = scratch.0.join("run");
    fs::create_dir(&out).expect("a folder");
    for (name, text) in [("summary.json", summary_of("old").as_str()), ("trajectory.sto", "old"), ("notes.txt", "mine")] {
        fs::write(out.join(name), text).expect("a file");
    }
    let kept = run_into(&out, true, &["trajectory.sto"]).kept;
    assert_eq!(kept.iter().map(|kept| kept.now.clone()).collect::<Vec<_>>(), [PathBuf::from("notes.txt")]);
    assert_eq!(fs::read_to_string(out.join("trajectory.sto")).expect("a file"), "of the run");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_one_that_leads_nowhere_is_refused() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("link");
    fs::create_dir(scratch.0.join("disk")).expect("a folder");
    let (real, link) = (scratch.0.join("disk/run"), scratch.0.join("latest"));
    symlink("disk/run", &link).expect("a link");
    let fault = refused(&link, false);
    assert!(fault.code() == "broken-link" && fault.message().contains("`disk/run`") && fault.hint().is_some(), "{}", fault.message());
    run_into(&real, false, &["trajectory.sto"]);
    symlink("../notes.txt", real.join("notes.txt")).expect("a link");
    let fault = refused(&link, false);
    assert!(fault.code() == "folder-exists" && fault.message().contains("latest"), "{}", fault.message());
    let closed = run_into(&link, true, &["events.csv"]);
    assert_eq!((closed.folder, closed.kept.len()), (link.clone(), 1));
    assert_eq!(fs::read_link(&link).expect("still a link"), PathBuf::from("disk/run"));
    assert_eq!(scratch.names("disk/run"), ["events.csv", "notes.txt", "report.html", "summary.json"]);
    assert_eq!(fs::read_link(real.join("notes.txt")).expect("still a link"), PathBuf::from("../notes.txt"));
    assert_eq!((scratch.names("."), scratch.names("disk")), (vec!["disk".to_string(), "latest".into()], vec!["run".to_string()]));
}

#[test]
fn force_never_replaces_what_no_run_has_written() {
    let scratch = Scratch::new("foreign");
    let out = scratch.0.join("thesis");
    fs::create_dir(&out).expect("a folder");
    fs::write(out.join("chapter1.tex"), "years of work").expect("a file");
    assert_eq!(refused(&out, true).code(), "not-a-run-folder");
    assert_eq!(scratch.names("thesis"), ["chapter1.tex"]);
    // Others write summaries, too.
    for text in ["{}", "years of work in a paragraph"] {
        fs::write(out.join("summary.json"), text).expect("a file");
        assert_eq!(refused(&out, true).code(), "not-a-run-folder");
    }
    assert_eq!(scratch.names("thesis"), ["chapter1.tex", "summary.json"]);
    assert_eq!(refused(Path::new("/"), true).code(), "folder-without-name");
    assert_eq!(refused(Path::new(".."), true).code(), "folder-without-name");
}

#[test]
fn an_empty_folder_is_taken_with_force_and_without() {
    for force in [false, true] {
        let scratch = Scratch::new(if force { "empty-force" } else { "empty" });
        let out = scratch.0.join("run");
        fs::create_dir(&out).expect("a folder");
        run_into(&out, force, &["events.csv"]);
        assert_eq!(scratch.names("run"), ["events.csv", "report.html", "summary.json"]);
        // What came while the run was under way is not touched.
        let (second, late) = (scratch.0.join("late"), scratch.0.join("late/notes.txt"));
        fs::create_dir(&second).expect("a folder");
        let (folder, _) = begin(&second, force);
        fs::write(&late, "mine").expect("a file");
        assert_eq!(folder.close().expect_err("a folder with a file").code(), "folder-exists");
        assert_eq!(fs::read_to_string(&late).expect("a file"), "mine");
    }
}

#[test]
fn a_working_folder_is_left_alone_while_its_run_lives_and_cleared_when_it_is_gone() {
    let scratch = Scratch::new("partial");
    let out = scratch.0.join("run");
    let (first, _) = begin(&out, false);
    let fault = refused(&out, false);
    assert!(fault.code() == "folder-busy" && fault.message().contains("borelli run x"), "{}", fault.message());
    // a killed process takes its locks with it, and leaves the rest
    drop(first);
    let (second, leftover) = begin(&out, false);
    let leftover = leftover.expect("what the first left");
    assert_eq!((leftover.command.as_str(), leftover.pid), ("borelli run x", Some(u64::from(std::process::id()))));
    assert!(leftover.started.ends_with('Z'), "{}", leftover.started);
    second.abandon().expect("removed");
    assert!(scratch.names(".").is_empty());
}

#[test]
fn a_run_killed_between_the_two_renames_of_a_replacement_loses_nothing() {
    let scratch = Scratch::new("between");
    let (out, old) = (scratch.0.join("run"), scratch.0.join("run.replaced"));
    fs::create_dir(&old).expect("a folder");
    fs::write(old.join("summary.json"), summary_of("old")).expect("a file");
    fs::write(old.join("replaced.json"), r#"{ "writer": "borelli" }"#).expect("a mark");
    assert_eq!(refused(&out, false).code(), "folder-exists");
    assert_eq!(scratch.names("."), ["run"]);
    assert_eq!(scratch.names("run"), ["summary.json"]);
    assert_eq!(fs::read_to_string(out.join("summary.json")).expect("a file"), summary_of("old"));
    // Killed after the second rename: the old one goes, but not while the next run is refused.
    fs::create_dir(&old).expect("a folder");
    fs::write(old.join("replaced.json"), r#"{ "writer": "borelli" }"#).expect("a mark");
    assert_eq!(refused(&out, false).code(), "folder-exists");
    assert_eq!(scratch.names("."), ["run", "run.replaced"]);
    let (folder, _) = begin(&out, true);
    assert_eq!(scratch.names("."), ["run", "run.partial"]);
    folder.abandon().expect("removed");
}

#[test]
fn what_no_run_has_marked_is_never_removed_whatever_its_name() {
    let scratch = Scratch::new("unmarked");
    let run = |name: &str| {
        let (mut folder, _) = begin(&scratch.0.join(name), false);
        put(&mut folder, "summary.json", &summary_of(name));
        folder.close().expect("closed");
    };
    // A finished run, a user's own folder, and one with a file that only looks like a mark.
    run("a.partial");
    fs::create_dir(scratch.0.join("b.partial")).expect("a folder");
    fs::write(scratch.0.join("b.partial/notes.txt"), "mine").expect("a file");
    fs::create_dir(scratch.0.join("c.partial")).expect("a folder");
    fs::write(scratch.0.join("c.partial/running.json"), r#"{ "command": "marathon" }"#).expect("a file");
    for name in ["a", "b", "c"] {
        for force in [false, true] {
            let fault = refused(&scratch.0.join(name), force);
            assert!(fault.code() == "folder-in-the-way" && fault.is_bad_input(), "{}", fault.message());
        }
    }
    // The same where the old folder would go, with and without a run to replace.
    run("d");
    run("d.replaced");
    assert_eq!(refused(&scratch.0.join("d"), false).code(), "folder-exists");
    assert_eq!(refused(&scratch.0.join("d"), true).code(), "folder-in-the-way");
    run("e.replaced");
    run("e");
    for name in ["a.partial", "d", "d.replaced", "e", "e.replaced"] {
        assert_eq!(fs::read_to_string(scratch.0.join(name).join("summary.json")).expect("a file"), summary_of(name));
    }
    assert_eq!(scratch.names("b.partial"), ["notes.txt"]);
    // What a run left that could not even begin is no loss.
    fs::create_dir(scratch.0.join("f.partial")).expect("a folder");
    run("f");
}

#[test]
fn hashes_are_those_of_the_standard() {
    // FIPS 180-4, example of the 24-bit message "abc"
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(Input::of("a.toml", b"abc").sha256, expected);
    let walker = gallery::read("walker7-passive").expect("a model").expect("readable");
    let list = inputs(&walker.sources);
    assert_eq!(list[0].path, "walker7-passive.toml");
    assert_eq!(list.len(), walker.sources.len());
}

fn pendulum() -> System {
    compile(&gallery::read("pendulum").expect("a model").expect("readable")).expect("compiles")
}

fn end() -> EndState {
    EndState {
        t: 0.1 + 0.2,
        q: vec![-0.0],
        v: vec![5e-324],
        z: vec![],
        work: (0..3).map(|k| f64::MAX / (f64::from(k) + 3.0)).collect(),
        memory: Memory::default(),
        events: vec![Passed { name: "half, \"way\"".into(), rising: true }],
        carried: Some(("newmark".into(), Carried { rates: vec![1.0 / 3.0], average: vec![-0.0], multipliers: vec![] })),
        integrator: Some("rosenbrock".into()),
    }
}

fn outcome() -> Outcome {
    let mut trajectory = Trajectory::new(vec![Column::new("coord.swing.value", "rad")]).expect("columns");
    trajectory.push_row(&[0.0, 1.0]).expect("a row");
    trajectory.push_row(&[0.25, 0.5]).expect("a row");
    Outcome {
        judged: Vec::new(),
        pressure: Vec::new(),
        soft: SoftRecord::default(),
        trajectory,
        events: vec![Occurrence { t: 0.1, name: "left, right".into(), rising: true, action: "note".into() }],
        status: Status::Completed,
        scalars: vec![
            Scalar { name: "run.period".into(), value: 2.0, unit: "s".into() },
            Scalar { name: "run.nothing".into(), value: f64::NAN, unit: "1".into() },
        ],
        health: vec![HealthLine {
            key: "energy_balance",
            label: "energy balance".into(),
            value: Some(1e-12),
            unit: "J".into(),
            verdict: Verdict::Good,
            part: Some(1e-13),
            text: "small".into(),
        }],
        settings: vec![("integrator".into(), "dopri5".into()), ("rtol".into(), "1e-6".into())],
        statistics: Statistics { jacobians: 3, factorisations: 4, ..Statistics::default() },
        end: Some(end()),
        fit: None,
        uncertainty: None,
    }
}

#[test]
fn a_restart_gives_back_every_bit() {
    let scratch = Scratch::new("restart");
    let system = pendulum();
    let state = end();
    let text = Restart::new(&system, state.clone()).to_json().to_string();
    fs::write(scratch.0.join(Restart::FILE), text).expect("a file");
    let (back, file) = Restart::read(&scratch.0, &system).expect("read");
    assert!(file.path.ends_with(Restart::FILE) && file.sha256.len() == 64);
    // `{:?}` is the shortest text of the same bits, and tells -0 from 0
    assert_eq!(format!("{back:?}"), format!("{state:?}"));
}

#[test]
fn a_restart_says_what_is_let_go_and_where_the_rest_is_held() {
    let scratch = Scratch::new("holding");
    let system = compile(&gallery::read("four-bar").expect("a model").expect("readable")).expect("compiles");
    let (q, v) = (system.start.q.clone(), system.start.v.clone());
    let memory = Memory { rows: vec![Hold::LetGo, Hold::At(-1.0 / 3.0)], touch: Vec::new(), points: vec![true, false] };
    let state = EndState { q, v, memory, carried: None, ..end() };
    assert_eq!(system.names.rows.len(), 2);
    fs::write(scratch.0.join(Restart::FILE), Restart::new(&system, state.clone()).to_json().to_string()).expect("a file");
    assert_eq!(Restart::read(&scratch.0, &system).expect("read").0, state);
}

#[test]
fn a_restart_says_how_each_pair_touches() {
    let scratch = Scratch::new("touching");
    let system = compile(&gallery::read("bouncing-balls").expect("a model").expect("readable")).expect("compiles");
    let (q, v) = (system.start.q.clone(), system.start.v.clone());
    let mut touch = vec![Touch::HeldOpen, Touch::Touching { speed: None }, Touch::at(1.0 / 3.0), Touch::at(0.0)];
    touch.resize(system.names.pairs.len(), Touch::Open);
    let work = vec![0.25; 3 + touch.len()];
    let state = EndState { q, v, work, memory: Memory { rows: Vec::new(), touch, points: Vec::new() }, carried: None, ..end() };
    fs::write(scratch.0.join(Restart::FILE), Restart::new(&system, state.clone()).to_json().to_string()).expect("a file");
    assert_eq!(Restart::read(&scratch.0, &system).expect("read").0, state);
}

#[test]
fn a_restart_of_another_version_is_refused_with_its_version() {
    let scratch = Scratch::new("older");
    let system = pendulum();
    let mut value = Restart::new(&system, end()).to_json();
    // As it was before touches were words.
    value.as_object_mut().expect("an object").remove("format");
    value["borelli"] = "0.0.9".into();
    fs::write(scratch.0.join(Restart::FILE), value.to_string()).expect("a file");
    let fault = Restart::read(&scratch.0, &system).expect_err("older");
    assert!(fault.code() == "restart-of-another-version" && fault.message().contains("version 0.0.9"), "{}", fault.message());
}

#[test]
fn a_restart_is_refused_where_it_does_not_belong() {
    let scratch = Scratch::new("stranger");
    let system = pendulum();
    assert_eq!(Restart::read(&scratch.0, &system).expect_err("no file").code(), "cannot-read-file");
    let file = scratch.0.join(Restart::FILE);
    let mut value = Restart::new(&system, end()).to_json();
    fs::write(&file, value.to_string()).expect("a file");
    let other = compile(&gallery::read("double-pendulum").expect("a model").expect("readable")).expect("compiles");
    let fault = Restart::read(&scratch.0, &other).expect_err("another model");
    assert!(fault.code() == "restart-of-another-model" && fault.message().contains(&system.name), "{}", fault.message());
    for key in ["t", "q", "v", "z", "work", "held", "touch", "events", "model", "coordinates"] {
        let kept = value[key].take();
        fs::write(&file, value.to_string()).expect("a file");
        assert_eq!(Restart::read(&scratch.0, &system).expect_err("spoiled"), RestartFault::Malformed { path: file.clone(), key });
        value[key] = kept;
    }
    // Nothing carried is fine, too little is not.
    value["carried"]["rates"] = Value::Array(Vec::new());
    fs::write(&file, value.to_string()).expect("a file");
    assert_eq!(Restart::read(&scratch.0, &system).expect_err("spoiled"), RestartFault::Malformed { path: file.clone(), key: "carried" });
    fs::write(&file, "not JSON").expect("a file");
    assert_eq!(Restart::read(&scratch.0, &system).expect_err("spoiled").code(), "restart-malformed");
}

fn summary() -> Summary {
    Summary {
        command: "borelli run pendulum".into(),
        study: None,
        model: "pendulum".into(),
        options: vec![Change { option: "--set".into(), value: "body.bob.mass=2 kg".into() }],
        inputs: vec![Input::of("pendulum.toml", b"abc")],
        expectations: Vec::new(),
        started: UNIX_EPOCH,
        took: Duration::from_millis(1500),
    }
}

#[test]
fn a_summary_of_one_run_says_how_it_ended_and_what_it_cost() {
    let set = Setting { path: "body.bob.mass".into(), text: "2 kg".into(), at: None };
    let plan = Plan { settings: vec![set], ..Plan::default() };
    let mut outcome = outcome();
    let value = summary().to_json(&[Case { name: "", plan: &plan, outcome: &outcome }]);
    assert_eq!((value["status"].as_str(), value["reason"].is_null()), (Some("completed"), true));
    assert_eq!((value["integrator"].as_str(), value["formulation"].as_str()), (Some("dopri5"), Some("articulated")));
    assert_eq!((value["statistics"]["jacobians"].as_u64(), value["statistics"]["factorisations"].as_u64()), (Some(3), Some(4)));
    let energy = &value["health"]["energy_balance"];
    assert_eq!((energy["value"].as_f64(), energy["verdict"].as_str(), energy["part"].as_f64()), (Some(1e-12), Some("good"), Some(1e-13)));
    assert_eq!(value["scalars"]["run.period"]["value"].as_f64(), Some(2.0));
    assert!(value["scalars"]["run.nothing"]["value"].is_null());
    assert_eq!((value["samples"].as_u64(), value["last_time"].as_f64(), value["events"].as_u64()), (Some(2), Some(0.25), Some(1)));
    assert_eq!(value["set"][0], "body.bob.mass=2 kg");
    assert_eq!(value["options"], json!([{ "option": "--set", "value": "body.bob.mass=2 kg" }]));
    assert_eq!((value["timing"]["started"].as_str(), value["timing"]["seconds"].as_f64()), (Some("1970-01-01T00:00:00Z"), Some(1.5)));

    outcome.status = Status::Failed { t: 0.2, element: "coord.swing.rate".into(), reason: "not finite".into() };
    let value = summary().to_json(&[Case { name: "", plan: &plan, outcome: &outcome }]);
    assert_eq!((value["status"].as_str(), value["time"].as_f64()), (Some("failed"), Some(0.2)));
    assert_eq!((value["element"].as_str(), value["reason"].as_str()), (Some("coord.swing.rate"), Some("not finite")));
}

#[test]
fn a_summary_of_a_sweep_has_the_status_of_its_worst_case() {
    let plan = Plan::default();
    let (good, mut bad) = (outcome(), outcome());
    bad.status = Status::Failed { t: 0.2, element: String::new(), reason: "too stiff".into() };
    let cases = [("a", &good), ("b", &bad), ("c", &good)].map(|(name, outcome)| Case { name, plan: &plan, outcome });
    let value = summary().to_json(&cases);
    assert_eq!((value["status"].as_str(), value["case"].as_str(), value["element"].is_null()), (Some("failed"), Some("b"), true));
    let statuses: Vec<&str> = value["cases"].as_array().expect("cases").iter().filter_map(|c| c["status"].as_str()).collect();
    assert_eq!(statuses, ["completed", "failed", "completed"]);
}

#[test]
fn events_are_a_table_that_names_with_commas_do_not_break() {
    let mut text = Vec::new();
    write_events(&outcome().events, &mut text).expect("written");
    assert_eq!(String::from_utf8(text).expect("text"), "time [s],event,direction,action\n0.1,\"left, right\",rising,note\n");
}
