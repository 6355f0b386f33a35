//! `borelli run`: what the folder holds, when it appears, and that the same input gives the same bits.
//! Not here: whether a motion is right (`borelli-study`, the studies), the parts of a folder (`borelli::results`).

use crate::{program, stderr, stdout};
use borelli::data::{ReadOptions, Trajectory, read_table};
use borelli::report::significant;
use borelli::results::Input;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder to run the program in, removed at the end.
pub struct Place(PathBuf);

impl Place {
    pub fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("borelli-runs-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Place(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Runs the program here.
    pub fn borelli(&self, args: &[&str]) -> Output {
        program(args).current_dir(&self.0).output().expect("the program starts")
    }

    /// Runs the program here, and sees that it ends well.
    pub fn well(&self, args: &[&str]) -> Output {
        let output = self.borelli(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}\n{}{}", stdout(&output), stderr(&output));
        output
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap_or_else(|fault| panic!("{folder}: {fault}"));
        let mut names: Vec<String> = entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn summary(&self, folder: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(folder).join("summary.json")).expect("a summary")).expect("JSON")
    }

    fn trajectory(&self, file: &str) -> Trajectory {
        read_table(&self.path(file), &ReadOptions::default()).unwrap_or_else(|fault| panic!("{fault}")).trajectory
    }

    /// Starts a run that takes much longer than a test, and waits until it works.
    fn start_endless(&self, out: &str) -> Child {
        let args = ["run", "--model", "double-pendulum", "--end", "1e9", "--out", out];
        let child = program(&args).current_dir(&self.0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let running = self.path(&format!("{out}.partial/running.json"));
        let patience = Instant::now() + Duration::from_secs(60);
        while fs::read(&running).map_or(true, |text| !text.ends_with(b"}\n")) {
            assert!(Instant::now() < patience, "no {}", running.display());
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn last(trajectory: &Trajectory, column: &str) -> f64 {
    *trajectory.column(column).unwrap_or_else(|| panic!("no {column}")).last().expect("a sample")
}

#[test]
fn a_run_leaves_one_whole_folder_that_says_what_it_was_computed_from() {
    let place = Place::new("whole");
    let output = place.well(&["run", "pendulum", "--end", "0.5", "--set", "body.bob.mass=2 kg"]);
    assert_eq!(place.names("."), ["pendulum-run"]);
    assert_eq!(place.names("pendulum-run"), ["events.csv", "figure.json", "report.html", "restart.json", "summary.json", "trajectory.sto"]);
    let summary = place.summary("pendulum-run");
    assert_eq!((summary["status"].as_str(), summary["model"].as_str()), (Some("completed"), Some("pendulum")));
    assert_eq!((summary["formulation"].as_str(), summary["integrator"].as_str()), (Some("articulated"), Some("dopri5")));
    assert_eq!(summary["last_time"].as_f64(), Some(0.5));
    assert_eq!(summary["set"][0].as_str(), Some("body.bob.mass=2 kg"));
    let text = borelli::gallery::file("pendulum.toml").expect("the model");
    assert_eq!(summary["inputs"][0]["sha256"].as_str(), Some(Input::of("", text.as_bytes()).sha256.as_str()));
    assert!(summary["statistics"]["evaluations"].as_u64() > Some(10), "{summary}");
    assert!(summary["statistics"]["jacobians"].is_u64() && summary["statistics"]["factorisations"].is_u64());
    assert!(summary["health"].as_object().is_some_and(|health| !health.is_empty()), "{summary}");
    assert!(stdout(&output).contains("completed") && stdout(&output).contains("pendulum-run/report.html"), "{}", stdout(&output));
    // no progress where nobody watches
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_name_of_both_is_the_study_and_the_model_can_be_had() {
    let place = Place::new("both");
    let (study, model) =
        (place.well(&["run", "driven-pendulum", "--out", "a"]), place.well(&["run", "driven-pendulum", "--model", "--out", "b"]));
    assert_eq!(place.summary("a")["study"].as_str(), Some("12-driven-pendulum"));
    assert!(stderr(&study).contains("`driven-pendulum` is the study `12-driven-pendulum`") && stderr(&study).contains("--model"));
    assert_eq!((place.summary("b")["study"].as_str(), stderr(&model).as_str()), (None, ""));
    // a model named in full comes before a study named by a part: `11-asymmetric-top`
    place.well(&["run", "top", "--end", "0.01", "--out", "c"]);
    assert_eq!((place.summary("c")["study"].as_str(), place.summary("c")["model"].as_str()), (None, Some("asymmetric top")));
}

#[test]
fn an_existing_folder_stays_untouched_unless_forced() {
    let place = Place::new("exists");
    place.well(&["run", "pendulum", "--end", "0.1", "--out", "a"]);
    let before = fs::read(place.path("a/summary.json")).expect("a summary");
    let refused = place.borelli(&["run", "pendulum", "--end", "0.2", "--out", "a"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("error[folder-exists]") && stderr(&refused).contains("--force"), "{}", stderr(&refused));
    assert_eq!(fs::read(place.path("a/summary.json")).expect("a summary"), before);
    place.well(&["run", "pendulum", "--end", "0.2", "--out", "a", "--force"]);
    assert_eq!(place.summary("a")["last_time"].as_f64(), Some(0.2));
    assert_eq!(place.names("."), ["a"]);
}

/// A mass on a spring so stiff that Heun's method with a step of 10 ms multiplies the motion by (ω h)²/2 = 5000 in each step.
pub const STIFF: &str = "borelli = 1\nname = \"stiff\"\ndimension = \"planar\"\n[world.point]\nwall = [-1, 0]\n[body.cart]\nmass = 1\ninertia = 1\n\
    point.hook = [0, 0]\n[joint.rail]\ntype = \"slider\"\nparent = \"world\"\nchild = \"cart\"\n[path.coil]\npoints = [\"world.wall\", \"cart.hook\"]\n\
    [force.coil]\ntype = \"spring\"\npath = \"coil\"\nstiffness = 1e8\nlength = 1\n[initial]\ncoordinates = { rail = 0.001 }\n";

#[test]
fn a_run_that_blows_up_names_time_and_element_and_keeps_what_came_before() {
    let place = Place::new("blow-up");
    place.write("stiff.toml", STIFF);
    let output =
        place.borelli(&["run", "stiff.toml", "--integrator", "heun", "--set", "integrator.step=0.01", "--end", "10", "--out", "a"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let summary = place.summary("a");
    let (time, element) = (summary["time"].as_f64().expect("a time"), summary["element"].as_str().expect("an element"));
    assert_eq!(summary["status"].as_str(), Some("failed"), "{summary}");
    assert!(time > 0.05 && time < 2.0, "{time}");
    assert!(element.contains("rail") || element.contains("cart"), "{element}");
    let text = stdout(&output);
    assert!(text.contains("FAILED") && text.contains(&format!("t = {} s", significant(time, 6))) && text.contains(element), "{text}");
    let kept = place.trajectory("a/trajectory.sto");
    assert!(kept.len() > 1 && kept.time().last().is_some_and(|t| *t <= time), "{} samples", kept.len());
    assert_eq!(place.names("."), ["a", "stiff.toml"]);
    assert!(fs::read_to_string(place.path("a/report.html")).expect("a report").contains(element));
    let restart: Value = serde_json::from_slice(&fs::read(place.path("a/restart.json")).expect("a state")).expect("JSON");
    assert_eq!(restart["t"].as_f64(), Some(time));
}

#[test]
fn a_balance_is_told_with_its_place_and_its_stability() {
    let place = Place::new("balance");
    let text = stdout(&place.well(&["run", "pendulum", "--set", "analysis=statics", "--out", "a"]));
    // A pendulum of 1 m: sqrt(g)/(2 pi).
    let frequency = 9.81_f64.sqrt() / std::f64::consts::TAU;
    let hanging =
        text.lines().any(|line| line.starts_with("  pivot = ") && line.contains("0.000000000 rad") && line.contains("0.000000 deg"));
    assert!(hanging && text.contains(&format!("  stable: lowest frequency {frequency:.6} Hz")), "{text}");
}

#[test]
fn a_killed_run_leaves_its_working_folder_and_the_next_one_says_so() {
    let place = Place::new("killed");
    let mut child = place.start_endless("a");
    let busy = place.borelli(&["run", "pendulum", "--end", "0.1", "--out", "a"]);
    assert_eq!(busy.status.code(), Some(2));
    assert!(stderr(&busy).contains("error[folder-busy]") && stderr(&busy).contains("double-pendulum"), "{}", stderr(&busy));
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(place.names("."), ["a.partial"]);
    let next = place.well(&["run", "pendulum", "--end", "0.1", "--out", "a"]);
    let said = stderr(&next);
    assert!(
        said.contains("borelli run --model double-pendulum --end 1e9 --out a") && said.contains("was killed or could not write"),
        "{said}"
    );
    assert_eq!(place.names("."), ["a"]);
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_taken_as_they_are() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new("bytes");
    let name = OsStr::from_bytes(b"caf\xe9");
    let args = [OsStr::new("run"), OsStr::new("pendulum"), OsStr::new("--end"), OsStr::new("0.1"), OsStr::new("--out"), name];
    let mut command = std::process::Command::new(program(&[]).get_program());
    let output = command.args(args).current_dir(&place.0).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let summary = fs::read_to_string(place.0.join(name).join("summary.json")).expect("a folder of that name");
    assert!(summary.contains("--out 'caf\u{fffd}'"), "{summary}");
}

#[test]
fn folders_of_the_user_survive_runs_beside_them() {
    let place = Place::new("beside");
    place.write("v.partial/notes.txt", "mine");
    let refused = place.borelli(&["run", "pendulum", "--end", "0.1", "--out", "v"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("error[folder-in-the-way]") && stderr(&refused).contains("v.partial"), "{}", stderr(&refused));
    assert_eq!(place.names("v.partial"), ["notes.txt"]);
    place.well(&["run", "pendulum", "--end", "0.1", "--out", "w"]);
    place.well(&["run", "pendulum", "--end", "0.1", "--out", "w.replaced"]);
    let refused = place.borelli(&["run", "pendulum", "--end", "0.1", "--out", "w"]);
    assert!(stderr(&refused).contains("error[folder-exists]"), "{}", stderr(&refused));
    assert_eq!(place.names("."), ["v.partial", "w", "w.replaced"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_well() {
    let place = Place::new("interrupted");
    let mut child = place.start_endless("a");
    // The flag is looked at after every step; before the first one there is nothing to keep.
    std::thread::sleep(Duration::from_millis(200));
    // Twice, as `timeout` does for the process and its group.
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id, &id]).status().expect("kill runs");
    assert!(sent.success());
    assert_eq!(child.wait().expect("ended").code(), Some(1));
    assert_eq!(place.names("."), ["a"]);
    let summary = place.summary("a");
    assert_eq!(summary["status"].as_str(), Some("interrupted"));
    let (time, last_time) = (summary["time"].as_f64().expect("a time"), summary["last_time"].as_f64().expect("a time"));
    assert!(time > 0.0 && last_time <= time, "{time} {last_time}");
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let place = Place::new("bits");
    for out in ["a", "b"] {
        place.well(&["run", "--model", "double-pendulum", "--end", "2", "--out", out, "--format", "both"]);
    }
    for file in ["trajectory.sto", "trajectory.csv", "restart.json", "events.csv", "figure.json", "report.html"] {
        let read = |out: &str| fs::read(place.path(out).join(file)).unwrap_or_else(|fault| panic!("{file}: {fault}"));
        assert!(read("a") == read("b"), "{file} differs");
    }
    // both formats hold the same numbers
    assert!(place.trajectory("a/trajectory.sto").same_bits(&place.trajectory("a/trajectory.csv")));
}

#[test]
fn a_restarted_run_ends_where_a_straight_one_does() {
    let place = Place::new("restart");
    let tight = ["--set", "integrator.rtol=1e-11", "--set", "integrator.atol=1e-12"];
    let run = |more: &[&str]| place.well(&[&["run", "--model", "double-pendulum"], &tight[..], more].concat());
    run(&["--end", "0.7", "--out", "half"]);
    run(&["--end", "1.5", "--out", "rest", "--restart", "half"]);
    run(&["--end", "1.5", "--out", "straight"]);
    let (rest, straight) = (place.trajectory("rest/trajectory.sto"), place.trajectory("straight/trajectory.sto"));
    assert_eq!((rest.time().first(), rest.time().last()), (Some(&0.7), Some(&1.5)));
    let states =
        straight.columns().iter().filter(|c| c.name.starts_with("coord.") && (c.name.ends_with(".value") || c.name.ends_with(".rate")));
    let mut count = 0;
    for column in states {
        // Not the same bits: steps of an adaptive method begin anew. The error of each run is some hundred times its tolerance.
        let off = last(&rest, &column.name) - last(&straight, &column.name);
        assert!(off.abs() < 1e-8, "{} is off by {off:e}", column.name);
        count += 1;
    }
    assert_eq!(count, 4);
    let over = place.borelli(&["run", "--model", "double-pendulum", "--end", "0.7", "--restart", "half"]);
    assert!(over.status.code() == Some(2) && stderr(&over).contains("error[restart-at-the-end]"), "{}", stderr(&over));
    let twice = place.borelli(&[
        "run",
        "--model",
        "double-pendulum",
        "--end",
        "1.5",
        "--restart",
        "half",
        "--set",
        "initial.coordinates.shoulder=0.1",
    ]);
    assert!(twice.status.code() == Some(2) && stderr(&twice).contains("error[start-given-twice]"), "{}", stderr(&twice));
    let elsewhere = place.borelli(&["run", "--model", "double-pendulum", "--end", "1.5", "--restart", "half", "--set", "analysis=inverse"]);
    assert!(elsewhere.status.code() == Some(2) && stderr(&elsewhere).contains("error[no-restart]"), "{}", stderr(&elsewhere));
    let other = place.borelli(&["run", "pendulum", "--restart", "half"]);
    assert!(other.status.code() == Some(2) && stderr(&other).contains("error[restart-of-another-model]"), "{}", stderr(&other));
}

/// The data that a page carries.
fn data_of(page: &Path) -> Value {
    let text = fs::read_to_string(page).expect("a report");
    let (_, rest) = text.split_once("<script type=\"application/json\" id=\"data\">").expect("data");
    serde_json::from_str(rest.split_once("</script>").expect("an end").0).expect("JSON")
}

/// Numbers of a packed list, read digit by digit: six bits each, eight bytes a number, the lowest first.
fn unpacked(list: &Value) -> Vec<f64> {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = list["f64"].as_str().expect("packed numbers").trim_end_matches('=');
    let bits: Vec<bool> =
        digits.chars().flat_map(|c| (0..6).rev().map(move |k| alphabet.find(c).expect("a digit") >> k & 1 == 1)).collect();
    let byte = |bits: &[bool]| bits.iter().fold(0_u64, |byte, bit| byte << 1 | u64::from(*bit));
    let number = |bits: &[bool]| f64::from_bits(bits.chunks(8).rev().fold(0, |number, own| number << 8 | byte(own)));
    bits.chunks_exact(64).map(number).collect()
}

#[test]
fn the_page_shows_the_numbers_of_the_trajectory() {
    let place = Place::new("page");
    place.well(&["run", "walker7-passive", "--end", "0.2", "--out", "a"]);
    let (table, data) = (place.trajectory("a/trajectory.sto"), data_of(&place.path("a/report.html")));
    let case = &data["cases"][0];
    let time = unpacked(&case["time"]);
    let coordinates: Vec<_> =
        table.columns().iter().enumerate().filter(|(_, c)| c.name.starts_with("coord.") && c.name.ends_with(".value")).collect();
    assert!(coordinates.len() >= 9 && time.len() >= 10, "{} columns, {} times", coordinates.len(), time.len());
    for k in 0..10 {
        let shown = k * (time.len() - 1) / 9;
        let sample = table.time().iter().position(|t| t.to_bits() == time[shown].to_bits()).expect("a time of the trajectory");
        for (index, column) in &coordinates {
            let there =
                case["columns"].as_array().expect("columns").iter().find(|c| c["name"] == column.name.as_str()).expect("the column");
            assert_eq!(unpacked(&there["values"])[shown].to_bits(), table.values(*index)[sample].to_bits(), "{}", column.name);
        }
    }
}

#[test]
fn json_is_the_summary_with_the_place_of_the_folder() {
    let place = Place::new("json");
    let output = place.well(&["run", "pendulum", "--end", "0.1", "--out", "a", "--json"]);
    let mut printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(printed["folder"].take().as_str(), Some("a"));
    let mut written = place.summary("a");
    written["folder"] = Value::Null;
    assert_eq!(printed, written);
}

#[test]
fn columns_formats_and_plots_are_as_asked() {
    let place = Place::new("options");
    let more = ["--columns", "coord.*", "--format", "csv", "--plot", "coord.*.value,coord.*.rate", "--no-report", "--out", "a"];
    place.well(&[&["run", "--model", "double-pendulum", "--end", "0.2"], &more[..]].concat());
    assert_eq!(place.names("a"), ["events.csv", "figure.json", "plot-1.svg", "restart.json", "summary.json", "trajectory.csv"]);
    let table = place.trajectory("a/trajectory.csv");
    assert!(!table.columns().is_empty() && table.columns().iter().all(|column| column.name.starts_with("coord.")));
    let svg = fs::read_to_string(place.path("a/plot-1.svg")).expect("a picture");
    assert!(svg.starts_with("<svg") && svg.contains("coord.") && svg.contains("deg/s"), "{svg}");
    let wrong = place.borelli(&["run", "pendulum", "--plot", "coord.*.value,system.energy.totl", "--out", "b"]);
    assert!(wrong.status.code() == Some(2) && stderr(&wrong).contains("did you mean `system.energy.total`?"), "{}", stderr(&wrong));
    let wrong = place.borelli(&["run", "pendulum", "--columns", "cord.*", "--out", "b"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
}

#[test]
fn what_cannot_be_run_leaves_nothing_behind() {
    let place = Place::new("nothing");
    for (args, code) in [
        (&["run", "pendulm"][..], "cannot-read-file"),
        (&["run", "pendulum", "--set", "body.bob.mass"], "set-not-assignment"),
        (&["run", "pendulum", "--set", "body.bob.mas=1"], "unknown-parameter"),
        (&["run", "pendulum", "--set", "body.bob.mass=1 m"], "wrong-unit"),
        (&["run", "pendulum", "--integrator", "hein"], "bad-choice"),
        (&["run", "pendulum", "--formulation", "carthesian"], "bad-choice"),
        (&["run", "pendulum", "--end", "-1"], "empty-time"),
        (&["run", "pendulum", "--end", "5 kg"], "wrong-unit"),
        (&["run", "pendulum", "--restart", "nowhere"], "cannot-read-file"),
        (&["run", "pendulum", "--integrator", "rk4"], "step-missing"),
        (&["run", "pendulum", "--set", "time.sample=1e-12"], "too-many-samples"),
        (&["run", "pendulum", "--plot", "nonsense"], "no-such-column"),
    ] {
        let output = place.borelli(args);
        let said = stderr(&output);
        assert!(output.status.code() == Some(2) && said.contains(&format!("error[{code}")), "{args:?}: {said}");
        assert!(said.contains("hint: "), "{args:?}: {said}");
    }
    assert!(place.names(".").is_empty());
}

/// Three steps of one method on a motion with a closed form.
const SWEEP: &str = "borelli = 1\ntitle = \"steps\"\nmodel = \"projectile\"\n[time]\nend = 1\nsample = 0.5\n[integrator]\nmethod = \"heun\"\n\
    [sweep]\n\"integrator.step\" = [0.1, 0.05, 0.025]\n[column.slope]\nformula = \"coord.y.value / coord.x.value\"\n\
    [column.half]\nformula = \"derived.slope / 2\"\n\
    [[expect]]\nquantity = \"x\"\ncolumn = \"coord.x.value\"\nmeasure = \"last\"\ncases = \"all\"\nvalue = \"45.67640687119285 m\"\n\
    tolerance = \"1e-9 m\"\nbasis = \"closed-form\"\nsource = \"3 + 30 sqrt(2) t + t^2/4\"\n";

#[test]
fn a_sweep_has_a_folder_for_every_case_and_one_summary_whatever_the_number_of_threads() {
    let place = Place::new("sweep");
    place.write("steps/study.toml", SWEEP);
    for (threads, out) in [("1", "one"), ("2", "two")] {
        place.well(&["run", "steps", "--threads", threads, "--out", out]);
        assert_eq!(place.names(out), ["cases", "report.html", "summary.json"]);
        assert_eq!(place.names(&format!("{out}/cases")), ["0.025", "0.05", "0.1"]);
    }
    for case in ["0.025", "0.05", "0.1"] {
        for file in ["trajectory.sto", "restart.json", "events.csv", "figure.json"] {
            let read = |out: &str| fs::read(place.path(out).join("cases").join(case).join(file)).expect("a file");
            assert!(read("one") == read("two"), "{case}/{file}");
        }
    }
    let summary = place.summary("one");
    let names: Vec<&str> = summary["cases"].as_array().expect("cases").iter().filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(names, ["0.1", "0.05", "0.025"]);
    assert_eq!(summary["cases"][2]["statistics"]["accepted"].as_u64(), Some(40));
    let verdicts: Vec<bool> = summary["expectations"].as_array().expect("a list").iter().filter_map(|e| e["ok"].as_bool()).collect();
    assert_eq!(verdicts, [true, true, true]);
    let slope = place.trajectory("one/cases/0.1/trajectory.sto").columns().iter().find(|c| c.name == "derived.slope").cloned();
    assert_eq!(slope.and_then(|column| column.unit).as_deref(), Some("1"));
    // a derived column sees those before it in the file, whatever its name
    let table = place.trajectory("one/cases/0.1/trajectory.sto");
    assert_eq!(last(&table, "derived.half"), last(&table, "derived.slope") / 2.0);
}

#[test]
fn an_expectation_that_is_not_met_fails_the_run_and_keeps_its_folder() {
    let place = Place::new("unmet");
    place.write("wrong.toml", &SWEEP.replace("45.67", "45.68"));
    let output = place.borelli(&["run", "wrong.toml"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("0 passed, 3 FAILED"), "{}", stdout(&output));
    assert_eq!(place.summary("wrong-run")["status"].as_str(), Some("completed"));
}
