//! The command line: help, exit codes, JSON, limits, closed pipes.
//! Not here: the wording of faults (`broken`).

use crate::{borelli, program, root, stderr, stdout};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;

/// A file in a folder of its own, removed at the end.
struct TempFile {
    folder: PathBuf,
    path: String,
}

impl TempFile {
    fn new(name: &str, text: &str) -> TempFile {
        let folder = std::env::temp_dir().join(format!("borelli-suite-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(name);
        fs::write(&path, text).expect("writable");
        TempFile { folder, path: path.to_str().expect("a plain path").to_string() }
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn json(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|fault| panic!("{fault}\n{}{}", stdout(output), stderr(output)))
}

/// A chain of `n` bodies, each hinged to the one before.
fn chain(n: usize) -> String {
    let mut text = String::from("borelli = 1\ndimension = \"planar\"\n");
    for k in 0..n {
        let parent = if k == 0 { "world".to_string() } else { format!("b{}.tip", k - 1) };
        let _ = write!(text, "[body.b{k}]\nmass = 1\ninertia = 0.1\ncenter = [0, -0.5]\npoint = {{ tip = [0, -1] }}\n");
        let _ = write!(text, "[joint.j{k}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"b{k}\"\n");
    }
    text
}

#[test]
fn help_names_every_command_and_version_the_version() {
    let help = borelli(&["--help"]);
    assert_eq!(help.status.code(), Some(0));
    for command in ["demo", "run", "check", "compare", "reproduce", "data", "convert", "laws", "bench", "schema", "completions"] {
        assert!(stdout(&help).contains(&format!("\n  {command} ")), "{}", stdout(&help));
        let own = borelli(&[command, "--help"]);
        assert_eq!(own.status.code(), Some(0));
        assert!(stdout(&own).contains("Usage: borelli"));
    }
    let version = borelli(&["--version"]);
    assert_eq!(stdout(&version), format!("borelli {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_use_ends_with_two() {
    for args in [&["no-such-command"][..], &["check"], &["check", "no-such-file.toml"], &[], &["check", "pendulum", "--set", "x=1"]] {
        let output = borelli(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    }
}

#[test]
fn laws_are_listed_shown_drawn_and_scanned() {
    let list = json(&borelli(&["laws", "--json"]));
    let laws = list.as_array().expect("an array");
    assert!(laws.len() >= 25);
    let text = stdout(&borelli(&["laws"]));
    for law in laws {
        let name = law["name"].as_str().expect("a name");
        assert!(text.contains(&format!("\n  {name} ")), "{name} is not in the list:\n{text}");
        let parameters = law["parameters"].as_array().expect("an array");
        assert!(law["equations"].as_array().is_some_and(|lines| !lines.is_empty()) && law["source"] != "", "{name}");
        if ["muscle", "activation", "ligament"].iter().any(|family| law["family"] == *family) {
            assert!(parameters.len() >= 2 && parameters.iter().all(|parameter| parameter["doc"] != ""), "{name}");
            continue;
        }
        for parameter in parameters {
            assert!(text.contains(parameter["name"].as_str().expect("a name")), "{name}: {parameter}");
            assert!(parameter["symbol"].is_string() && parameter["unit"].is_string(), "{name}: {parameter}");
        }
    }
    assert!(text.contains("first touch"));

    let file = TempFile::new("specker.svg", "");
    let shown = borelli(&["laws", "specker", "--svg", &file.path]);
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    let page = stdout(&shown);
    for part in ["F_f = B x exp", "dynamic_transition", "Source: Specker", "slip v / m/s", "may not be below"] {
        assert!(page.contains(part), "no {part} in\n{page}");
    }
    let drawing = fs::read_to_string(&file.path).expect("the drawing");
    assert!(drawing.starts_with("<svg") && drawing.contains("friction F_f / N") && drawing.contains("F_n = 100 N"), "{drawing}");
    // The smoothed law at its transition speed: μ F_n tanh(1), on a curve of 401 points.
    let curve = &json(&borelli(&["laws", "tanh", "--json"]))["panels"][0]["curves"][0];
    let of = |axis: &str| curve[axis].as_array().expect("numbers").iter().map(|x| x.as_f64().expect("a number")).collect::<Vec<_>>();
    let (x, y) = (of("x"), of("y"));
    let (k, _) = x.iter().enumerate().min_by(|a, b| (a.1 - 0.0099).abs().total_cmp(&(b.1 - 0.0099).abs())).expect("points");
    assert!((y[k] - 80.0 * (x[k] / 0.01).tanh()).abs() < 1e-12 && y[k] > 50.0, "{} {}", x[k], y[k]);

    // The active force of a muscle is largest at the optimal length, and its page has the numbers of its curves.
    let muscle = &json(&borelli(&["laws", "thelen", "--json"]))["panels"][0]["curves"][0];
    let most = muscle["y"].as_array().expect("numbers").iter().filter_map(Value::as_f64).fold(0.0, f64::max);
    assert!((most - 1.0).abs() < 1e-4, "{most}");
    let page = stdout(&borelli(&["laws", "millard"]));
    for part in ["active_lengths", "tendon_length", "fibre length / optimal length", "Source: Millard", "f_T: (1, 0, 0)"] {
        assert!(page.contains(part), "no {part} in\n{page}");
    }
    // Activation on a rise: t/τ = −1.5 (a − a₀) − (0.5 + 1.5 u) ln((u − a)/(u − a₀)) with u = 1, a₀ = 0.01, τ = 10 ms. A ligament at twice its toe: k (ε − ε_t/2).
    let at = |law: &str, curve: usize, x: f64| {
        let found = json(&borelli(&["laws", law, "--json"]))["panels"][0]["curves"][curve].clone();
        let of = |axis: &str| found[axis].as_array().expect("numbers").iter().filter_map(Value::as_f64).collect::<Vec<_>>();
        let k = of("x").iter().position(|own| (own - x).abs() < 1e-9).unwrap_or_else(|| panic!("{law}: no point at {x}"));
        of("y")[k]
    };
    let a = at("first-order", 1, 0.04);
    assert!((-1.5 * (a - 0.01) - 2.0 * ((1.0 - a) / 0.99_f64).ln() - 4.0).abs() < 1e-4, "{a}");
    assert!((at("ligament", 0, 0.12) - 0.09).abs() < 1e-12);

    let table = stdout(&borelli(&["laws", "--continuity"]));
    let row = |law: &str| table.lines().find(|line| line.starts_with(&format!("  {law} "))).unwrap_or_else(|| panic!("{table}"));
    let cells = |law: &str| row(law).split_whitespace().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(cells("coulomb"), ["coulomb", "no", "no", "yes", "yes", "-", "-", "1"]);
    assert_eq!(cells("hollars"), ["hollars", "yes", "no", "yes", "yes", "1.0000", "0.01000", "4"]);
    assert!(row("kelvin-voigt").contains("no if damping > 0"), "{table}");
    let scanned = json(&borelli(&["laws", "--continuity", "--json"]));
    assert_eq!((&scanned["friction"][0]["law"], &scanned["friction"][0]["force_in_slip"]["holds"]), (&"coulomb".into(), &false.into()));

    let wrong = borelli(&["laws", "coulom"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("did you mean `coulomb`?"), "{}", stderr(&wrong));
    assert_eq!(borelli(&["laws", "tanh", "--svg", "/no/such/folder/x.svg"]).status.code(), Some(1));
    assert_eq!(borelli(&["laws", "tanh", "--continuity"]).status.code(), Some(2));
}

#[test]
fn the_schema_is_json_and_knows_every_type() {
    let schema = json(&borelli(&["schema"]));
    let text = schema.to_string();
    for section in borelli::dynamics::compile::sections() {
        assert!(schema["properties"][section.name].is_object(), "{}", section.name);
        for kind in &section.kinds {
            assert!(text.contains(&format!("\"{}\"", kind.name)), "{} {}", section.name, kind.name);
        }
    }
}

#[test]
fn the_schema_of_studies_is_json_and_knows_every_table_and_measure() {
    let schema = json(&borelli(&["schema", "--study"]));
    for field in borelli_study::read::TOP {
        assert!(schema["properties"][field.name].is_object(), "{}", field.name);
    }
    let measures = &schema["properties"]["expect"]["items"]["properties"]["measure"]["enum"];
    let names: Vec<&str> = borelli_study::measure::MEASURES.iter().map(|measure| measure.name).collect();
    assert_eq!(*measures, serde_json::json!(names));
}

#[test]
fn completions_name_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let output = borelli(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("check"));
    }
}

#[test]
fn check_gives_the_same_facts_as_text_and_as_json() {
    let facts = json(&borelli(&["check", "walker7", "--json"]));
    assert_eq!(facts[0]["ok"], Value::Bool(true));
    assert_eq!(facts[0]["bodies"].as_array().map(Vec::len), Some(7));
    assert_eq!(facts[0]["degrees_of_freedom"], 9);
    let text = stdout(&borelli(&["check", "walker7"]));
    assert!(text.contains("bodies       7, 75 kg in all"), "{text}");
}

#[test]
fn faults_as_json_carry_file_line_and_code() {
    let file = TempFile::new("wrong.toml", "borelli = 1\ndimension = \"planar\"\n[body.b]\nmass = \"2 m\"\ninertia = 1\n");
    let output = borelli(&["check", &file.path, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let facts = json(&output);
    assert_eq!(facts[0]["ok"], Value::Bool(false));
    let findings = facts[0]["findings"].as_array().expect("a list");
    let finding = findings.iter().find(|f| f["code"] == "wrong-unit").expect("the wrong unit");
    assert_eq!((finding["line"].as_u64(), finding["element"].as_str()), (Some(4), Some("body.b")), "{finding}");
}

#[test]
fn a_parameter_set_on_the_command_line_moves_the_mass_of_the_model() {
    let path = "body.bob.mass";
    let listed = stdout(&borelli(&["check", "pendulum", "--parameters"]));
    assert!(listed.contains(path), "{listed}");
    let facts = json(&borelli(&["check", "pendulum", "--json", "--set", "body.bob.mass=3500 g"]));
    assert_eq!(facts[0]["mass"], 3.5);
    let wrong = borelli(&["check", "pendulum", "--set", "body.bob.mass=2 m"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("error[wrong-unit]"), "{}", stderr(&wrong));
}

#[test]
fn a_parameter_set_on_the_command_line_obeys_the_rules_of_the_file() {
    let model = "borelli = 1\ndimension = \"planar\"\n[body.rod]\nmass = 1\ninertia = 1\nframe.f = { angle = 0.1 }\n\
                 [joint.j]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"rod.f\"\n\
                 [force.r]\ntype = \"joint-resistance\"\ncoordinate = \"j\"\nlower = -1\nupper = 1\ntransition = 0.1\nmoment = 2\n";
    let path = std::env::temp_dir().join(format!("borelli-set-{}.toml", std::process::id()));
    std::fs::write(&path, model).expect("a file");
    let file = path.to_str().expect("a plain path");
    let cases = [
        ("body.rod.mass=0", "error[out-of-range]: body `rod`: field `mass`: "),
        ("body.rod.inertia=-1", "error[out-of-range]: body `rod`: field `inertia`: "),
        ("body.rod.frame.f.angle=90", "error[bare-degrees]: body `rod`: field `frame.f.angle`: "),
        ("force.r.transition=0", "error[out-of-range]: force `r`: field `transition`: "),
        ("force.r.moment=inf", "error[not-finite]: force `r`: field `moment`: "),
        ("force.r.lower=2", "error[empty-range]: force `r`: field `upper`: "),
        ("gravity.y=3 m", "error[wrong-unit]: `gravity`: field `y`: "),
        ("initial.coordinates.j=90", "error[bare-degrees]: `initial`: field `coordinates.j`: "),
        ("initial.speeds.k=1", "error[unknown-start]: the model has no start value `initial.speeds.k`"),
        ("mass", "error[set-not-assignment]: `--set mass` is not of the form path=value"),
    ];
    for (setting, expected) in cases {
        let output = borelli(&["check", file, "--set", setting]);
        let text = stderr(&output);
        assert!(output.status.code() == Some(2) && text.contains(expected) && text.contains("hint: "), "{setting}: {text}");
    }
    let good = borelli(&["check", file, "--set", "body.rod.frame.f.angle=90 deg", "--set", "force.r.lower=-2"]);
    assert_eq!(good.status.code(), Some(0), "{}", stderr(&good));
    std::fs::remove_file(path).expect("removed");
}

#[test]
fn a_misspelt_model_of_the_gallery_is_guessed() {
    let text = stderr(&borelli(&["check", "pendulm"]));
    assert!(text.contains("cannot read `pendulm`") && text.contains("did you mean `pendulum`"), "{text}");
}

#[test]
fn the_whole_gallery_and_what_studies_bring_are_the_same_in_every_formulation() {
    let slow = std::env::var_os("BORELLI_SLOW").is_some();
    let output = borelli(&["compare", "--all", "--json", "--states", if slow { "10000" } else { "100" }]);
    let facts = json(&output);
    for model in facts.as_array().expect("a list") {
        assert_eq!(model["ok"], true, "{model}");
    }
    assert_eq!(output.status.code(), Some(0));
    let compared: Vec<&str> = facts.as_array().expect("a list").iter().filter_map(|model| model["model"].as_str()).collect();
    let brought = borelli::job::study_models();
    let expected: Vec<String> = borelli::gallery::names().map(str::to_string).chain(brought.iter().cloned()).collect();
    assert_eq!(compared, expected);
    assert!(brought.contains(&"06-baumgarte/gait".to_string()) && brought.iter().all(|name| !name.contains("..")), "{brought:?}");
}

/// One line for each model that a formulation does not take: model, formulation, reason.
fn declined() -> String {
    let facts = json(&borelli(&["compare", "--all", "--json", "--states", "1"]));
    let mut lines = String::new();
    for model in facts.as_array().expect("a list") {
        for refusal in model["declined"].as_array().expect("a list") {
            let word = |value: &Value| value.as_str().expect("text").to_string();
            lines += &format!("{}  {}  {}\n", word(&model["model"]), word(&refusal["formulation"]), word(&refusal["reason"]));
        }
    }
    lines
}

#[test]
fn every_model_is_taken_by_every_formulation_but_for_those_recorded_with_their_reason() {
    let (record, found) = (root().join("crates/borelli/tests/suite/declined.txt"), declined());
    if std::env::var_os("BORELLI_BLESS").is_some() {
        return fs::write(&record, &found).expect("writable");
    }
    let recorded = fs::read_to_string(&record).expect("a record");
    assert_eq!(found, recorded, "`BORELLI_BLESS=1` records it anew; read the difference before committing it");
}

#[test]
fn the_embedded_gallery_and_the_folder_give_the_same_table() {
    let names: Vec<&str> = borelli::gallery::names().collect();
    let embedded = borelli(&[&["compare", "--states", "3", "--seed", "5"], &names[..]].concat());
    let folder = borelli(&["compare", "--all", "--models", "models", "--states", "3", "--seed", "5"]);
    assert_eq!(stdout(&embedded), stdout(&folder));
    assert!(stdout(&embedded).contains("walker7 "), "{}", stdout(&embedded));
}

#[test]
fn a_disturbed_start_is_assembled_and_the_other_branch_is_named() {
    let facts = json(&borelli(&["check", "four-bar", "--json"]));
    assert_eq!((facts[0]["degrees_of_freedom"].as_u64(), facts[0]["free"].as_u64()), (Some(3), Some(1)));
    assert_eq!(facts[0]["branches"].as_array().map(Vec::len), Some(2));
    assert!(facts[0]["assembled"]["position_after"].as_f64().is_some_and(|x| x < 1e-12));
}

#[test]
fn bench_of_a_model_over_a_table_prints_one_line_of_json_with_its_error() {
    // A pendulum of unit mass and length at rest, level: it starts to turn with g/l.
    let table =
        TempFile::new("states.csv", "state,q.pivot,qd.pivot,tau.pivot,qdd.pivot\n1,1.5707963267948966,0,0,-9.81\n2,0,1,9.81,9.81\n");
    let output = borelli(&["bench", "--model", "pendulum", "--states", &table.path, "--op", "fd", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 1);
    let facts = json(&output);
    assert_eq!((facts["op"].as_str(), facts["states"].as_u64(), facts["us_all"].as_array().map(Vec::len)), (Some("fd"), Some(2), Some(15)));
    assert!(facts["us_best"].as_f64() <= facts["us_median"].as_f64());
    assert!(facts["max_rel_err_qdd"].as_f64().is_some_and(|e| e < 1e-15), "{facts}");
    assert!(facts["max_rel_err_tau"].is_null());
    // Inverse dynamics is judged by the efforts, and a wrong one is seen.
    let of_tau = |table: &str| {
        json(&borelli(&["bench", "--model", "pendulum", "--states", table, "--op", "id", "--json"]))["max_rel_err_tau"].as_f64()
    };
    assert!(of_tau(&table.path).is_some_and(|e| e < 1e-15));
    let off = TempFile::new("off.csv", "q.pivot,qd.pivot,tau.pivot,qdd.pivot\n0,1,9.81,9.91\n");
    assert!(of_tau(&off.path).is_some_and(|e| (e - 0.1 / 9.81).abs() < 1e-12), "{:?}", of_tau(&off.path));
    let unnamed = TempFile::new("unnamed.csv", "q.a,qd.a\n0,0\n");
    let output = borelli(&["bench", "--model", "pendulum", "--states", &unnamed.path, "--op", "id", "--json"]);
    assert!(stderr(&output).contains("taken in order"), "{}", stderr(&output));
    assert!(json(&output)["max_rel_err_qdd"].is_null());
    let wrong = TempFile::new("wrong.csv", "q.a,q.b,qd.a\n0,0,0\n");
    let output = borelli(&["bench", "--model", "pendulum", "--states", &wrong.path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("error[table-wrong-columns]"), "{}", stderr(&output));
}

#[test]
fn bench_repeats_calls_for_counters_outside_and_prints_their_sum_alone() {
    let sum = |calls: &str| stdout(&borelli(&["bench", "--model", "pendulum", "--calls", calls])).trim().parse::<f64>().expect("a number");
    let (few, many) = (sum("64"), sum("320"));
    assert_eq!(sum("0"), 0.0);
    // The states come round five times.
    assert!((many - 5.0 * few).abs() < 1e-9 * many.abs(), "{few} {many}");
    let both = borelli(&["bench", "--model", "pendulum", "--calls", "1", "--states", "x.csv"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn bench_shows_how_newton_converges_on_soft_parts() {
    let facts = json(&borelli(&["bench", "--only", "convergence", "--json"]));
    let lines = facts.as_array().expect("a list");
    assert_eq!(lines.len(), 5, "{facts}");
    for line in lines {
        let open: Vec<f64> = line["open"].as_array().expect("forces").iter().filter_map(|x| x.as_f64()).collect();
        assert!(open.len() > 3 && open.last() < open.first(), "{line}");
        let exponent = line["exponents"].as_array().and_then(|list| list.last()?.as_f64());
        // With polyethylene rounding is reached at once.
        let seen = line["convergence"].as_str().is_some_and(|name| name.contains("softer") || name.contains("hertz"));
        assert_eq!(exponent.is_some_and(|p| p >= 1.8), seen, "{line}");
    }
    assert_eq!(borelli(&["bench", "--only", "weather"]).status.code(), Some(2));
}

#[test]
fn the_program_finds_the_accelerations_of_other_programs() {
    for model in ["squat4", "walker7", "human3d"] {
        let Some(table) = borelli_testkit::reference(&format!("peers/{model}_states.csv")) else { continue };
        let table = table.to_str().expect("a plain path").to_string();
        let facts = json(&borelli(&["bench", "--model", model, "--states", &table, "--json"]));
        assert!(facts["max_rel_err_qdd"].as_f64().is_some_and(|e| e < 1e-11), "{model}: {facts}");
        let facts = json(&borelli(&["bench", "--model", model, "--states", &table, "--op", "id", "--json"]));
        assert!(facts["max_rel_err_tau"].as_f64().is_some_and(|e| e < 1e-9), "{model}: {facts}");
    }
}

#[test]
fn a_million_bodies_are_refused_and_fifty_thousand_are_not() {
    let million = TempFile::new("million.toml", &chain(1_000_000));
    let output = borelli(&["check", &million.path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("error[file-too-large]"), "{}", stderr(&output));
    let many = TempFile::new("many.toml", &chain(50_000));
    let output = borelli(&["check", &many.path]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("bodies       50000,"), "{}", stdout(&output));
}

#[test]
fn a_closed_pipe_is_no_reason_to_panic() {
    let mut child = program(&["schema"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let mut complaint = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut complaint).expect("text");
    assert!(complaint.is_empty(), "{complaint}");
    assert!(child.wait().expect("ends").code().is_some_and(|code| code < 2));
}

#[test]
fn a_folder_without_models_is_nothing_to_compare() {
    let folder = std::env::temp_dir().join(format!("borelli-empty-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let output = borelli(&["compare", "--all", "--models", folder.to_str().expect("a plain path")]);
    std::fs::remove_dir(&folder).expect("empty");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("error[nothing-to-compare]") && stdout(&output).is_empty(), "{}", stderr(&output));
}

#[test]
fn files_of_the_same_name_are_told_apart_by_their_folders() {
    let folder = std::env::temp_dir().join(format!("borelli-alike-{}", std::process::id()));
    let files: Vec<String> = ["swing", "drop"]
        .map(|name| folder.join(name).join("model.toml"))
        .map(|file| {
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            std::fs::copy(root().join("models/pendulum.toml"), &file).expect("a copy");
            file.to_str().expect("a plain path").to_string()
        })
        .to_vec();
    let text = stdout(&borelli(&["compare", &files[0], &files[1], "pendulum", "--states", "2"]));
    std::fs::remove_dir_all(&folder).expect("ours");
    let (swing, drop) = (format!("swing{}model ", std::path::MAIN_SEPARATOR), format!("drop{}model ", std::path::MAIN_SEPARATOR));
    assert!(text.contains(&swing) && text.contains(&drop) && text.contains("\npendulum "), "{text}");
}

#[test]
fn a_model_that_never_assembles_does_not_agree() {
    let text = "borelli = 1\ndimension = \"planar\"\n[world.point]\nfar = [9, 0]\n[body.a]\nmass = 1\ninertia = 0.1\npoint.tip = [1, 0]\n\
        [joint.j]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\n[loop.l]\ntype = \"rod\"\na = \"a.tip\"\nb = \"world.far\"\nlength = 1\n";
    let file = TempFile::new("never.toml", text);
    let output = borelli(&["compare", &file.path, "--states", "3"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("FAILED: none of 60 random states") && text.contains("loop.l.length"), "{text}");
    assert!(!text.contains("  agree") && text.contains("0 of 1 models agree") && text.contains("at 0 random states"), "{text}");
}

#[test]
fn a_setting_that_spoils_the_start_is_seen_by_check() {
    let text = "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 1\ninertia = 0.1\npoint.p = [\"5 cm\", 0]\n[world.point]\nq = [0, 0.1]\n\
        [joint.j]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\n[path.p]\npoints = [\"world.q\", \"a.p\"]\n\
        [force.m]\ntype = \"moment-actuator\"\npath = \"p\"\njoint = \"j\"\nmoment = \"1 N m\"\n";
    let file = TempFile::new("arm.toml", text);
    assert_eq!(borelli(&["check", &file.path]).status.code(), Some(0));
    let output = borelli(&["check", &file.path, "--set", "body.a.point.p.x=0"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("error[start-not-computable]"), "{}", stderr(&output));
}

/// A block between a moving punch and the world: soft parts alone but for one body.
const PUNCH: &str = r#"borelli = 1
dimension = "planar"

[body.punch]
mass = "1 kg"
inertia = "1 kg m^2"

[joint.punch]
type = "slider"
parent = "world"
child = "punch"
axis = [0, 1]

[surface.face]
type = "circle"
at = "punch"
radius = "5 cm"

[material.rubber]
type = "neo-hookean"
young = "2 MPa"
poisson = 0.4
density = "1000 kg/m^3"

[soft.block]
type = "block"
corner = ["-1 cm", "-6 cm"]
size = ["2 cm", "1 cm"]
divisions = [8, 4]
depth = "1 cm"
material = "rubber"

[support.base]
boundary = "block.bottom"

[soft_contact.touch]
boundary = "block.top"
target = "face"
stiffness = "1 N/mm"
"#;

#[test]
fn check_tells_the_size_of_soft_parts_and_set_changes_it() {
    let file = TempFile::new("punch.toml", PUNCH);
    let output = borelli(&["check", &file.path]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("block: 45 nodes, 32 cells, smallest angle 90.0 deg, 2 cm^2, 2 cm^3, 0.002 kg"), "{text}");
    assert!(text.contains("supports     base (9 nodes)") && text.contains("touching     touch (9 nodes)"), "{text}");
    let facts = json(&borelli(&["check", &file.path, "--json", "--set", "soft.block.depth=2 cm"]));
    let part = &facts[0]["soft"]["parts"][0];
    assert_eq!((part["nodes"].as_u64(), part["cells"].as_u64()), (Some(45), Some(32)));
    assert!(part["volume"].as_f64().is_some_and(|volume| (volume / 4e-6 - 1.0).abs() < 1e-12), "{part}");
    let output = borelli(&["check", &file.path, "--set", "soft.block.size.x=-1 cm"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("`size`"), "{}", stderr(&output));
}

#[test]
fn formulations_of_rigid_bodies_decline_soft_parts() {
    let file = TempFile::new("punch-declined.toml", PUNCH);
    for formulation in ["articulated", "cartesian", "natural", "segment-chain"] {
        let output = borelli(&["run", &file.path, "--formulation", formulation]);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains("soft parts, which need formulation `coupled`"), "{formulation}: {}", stderr(&output));
    }
}
