//! Controls of force elements that a study, a case of a sweep or the command line replaces, against closed forms of a lag.
//! Not here: the element itself and its slopes (`borelli-dynamics`).

use crate::runs::Place;
use crate::{stderr, stdout};

/// A mass held by nothing that a motor with a lag of 0.2 s pulls along a rail; its command is a sine.
const MODEL: &str = "borelli = 1\ndimension = \"planar\"\n[body.mass]\nmass = 2\ninertia = 0.1\n[joint.rail]\ntype = \"slider\"\nparent = \"world\"\n\
    child = \"mass\"\naxis = [1, 0]\n[path.line]\npoints = [\"world\", \"mass\"]\n[force.motor]\ntype = \"lag-actuator\"\npath = \"line\"\n\
    command = { type = \"sine\", amplitude = \"1 N\", frequency = \"1 Hz\" }\ntime_constant = \"0.2 s\"\n[force.brake]\ntype = \"spring\"\n\
    path = \"line\"\nstiffness = 0\nlength = 1\n[initial]\ncoordinates = { rail = 5 }\n";

/// A study of half a second with further lines.
fn study(more: &str) -> String {
    format!(
        "borelli = 1\ntitle = \"controls\"\nmodel = \"model.toml\"\n[time]\nend = 0.5\n[integrator]\nrtol = 1e-10\natol = 1e-12\n{more}"
    )
}

/// An expectation of the tension at the end.
fn expect(case: &str, value: f64) -> String {
    let case = if case.is_empty() { String::new() } else { format!("case = \"{case}\"\n") };
    format!(
        "[[expect]]\nquantity = \"tension\"\ncolumn = \"force.motor.tension\"\n{case}measure = \"last\"\nvalue = \"{value:.12} N\"\n\
         tolerance = \"1e-8 N\"\nbasis = \"closed-form\"\n"
    )
}

/// The tension half a second after the start, from zero, with T = 0.2 s: under a constant, a sine of 2 Hz and a ramp.
fn closed_forms() -> [f64; 3] {
    let (lag, t) = (0.2_f64, 0.5_f64);
    let fade = (-t / lag).exp();
    let w = 2.0 * std::f64::consts::TAU;
    let sine = ((w * t).sin() - w * lag * (w * t).cos() + w * lag * fade) / (1.0 + w * w * lag * lag);
    [20.0 * (1.0 - fade), 30.0 * sine, 40.0 * (t - lag + lag * fade)]
}

#[test]
fn a_study_replaces_a_control_by_a_number_a_function_or_a_column_of_a_file() {
    let place = Place::new("controls");
    place.write("model.toml", MODEL);
    place.write("ramp.csv", "time,pull\ns,N\n0,0\n1,40\n");
    let [constant, sine, ramp] = closed_forms();
    let column = "{ type = \"table\", file = \"ramp.csv\", column = \"pull\", interpolation = \"linear\" }";
    let function = "{ type = \"sine\", amplitude = \"30 N\", frequency = \"2 Hz\" }";
    let alone = [("constant", "\"20 N\"", constant), ("sine", function, sine), ("ramp", column, ramp)];
    for (name, value, expected) in alone {
        let control = format!("[control]\n\"force.motor.command\" = {value}\n");
        place.write(
            &format!("{name}/study.toml"),
            &study(&control).replace("model.toml", "../model.toml").replace("ramp.csv", "../ramp.csv"),
        );
        let text = std::fs::read_to_string(place.path(&format!("{name}/study.toml"))).expect("a study") + &expect("", expected);
        place.write(&format!("{name}/study.toml"), &text.replace("file = \"ramp.csv\"", "file = \"../ramp.csv\""));
        place.well(&["run", name, "--out", &format!("out-{name}")]);
        let summary = place.summary(&format!("out-{name}"));
        let told = summary["settings"]["control force.motor.command"].as_str().unwrap_or_else(|| panic!("{summary}"));
        assert_eq!(told.replace("../", ""), value, "{summary}");
        let inputs: Vec<&str> = summary["inputs"].as_array().expect("inputs").iter().filter_map(|input| input["path"].as_str()).collect();
        assert_eq!(inputs.iter().any(|path| path.ends_with("ramp.csv")), name == "ramp", "{inputs:?}");
        assert_eq!(inputs.iter().filter(|path| path.ends_with("study.toml")).count(), 1, "{inputs:?}");
    }
    // The same in one sweep, over a table that is written with nested keys.
    let swept = format!(
        "[control.force.motor]\ncommand = 7\n[sweep]\ncase = [\"constant\", \"sine\", \"ramp\"]\n\"control.force.motor.command\" = [20, {function}, {column}]\n"
    );
    let expected: String = alone.iter().map(|(name, _, value)| expect(name, *value)).collect();
    place.write("swept/study.toml", &(study(&swept) + &expected).replace("model.toml", "../model.toml").replace("ramp.csv", "../ramp.csv"));
    place.well(&["run", "swept", "--out", "out-swept"]);
}

#[test]
fn the_command_line_replaces_a_control_and_parameters_of_a_function_are_those_of_the_one_that_is_there() {
    let place = Place::new("controls-set");
    place.write("model.toml", MODEL);
    let [constant, sine, _] = closed_forms();
    place.write("good/study.toml", &(study("") + &expect("", constant)).replace("model.toml", "../model.toml"));
    place.well(&["run", "good", "--out", "out", "--set", "control.force.motor.command=20 N"]);
    let summary = place.summary("out");
    assert!(!summary["inputs"].to_string().contains("--set"), "{summary}");
    // A number is a parameter by the path of the control; a function has parameters of its own.
    place.well(&["run", "good", "--out", "out2", "--set", "control.force.motor.command=3", "--set", "force.motor.command=20 N"]);
    place.write("sine/study.toml", &(study("") + &expect("", sine)).replace("model.toml", "../model.toml"));
    let text = "control.force.motor.command={ type = \"sine\", amplitude = \"3 N\", frequency = \"2 Hz\" }";
    place.well(&["run", "sine", "--out", "out3", "--set", text, "--set", "force.motor.command.amplitude=30 N"]);
    // A model alone takes it, too.
    place.well(&["run", "model.toml", "--out", "out4", "--set", "control.force.motor.command=20"]);
    assert_eq!(place.summary("out4")["settings"]["control force.motor.command"], "20");
}

#[test]
fn faults_of_controls_point_at_the_study() {
    let place = Place::new("controls-bad");
    place.write("model.toml", MODEL);
    let refused = |more: &str, set: &[&str], said: &[&str]| {
        place.write("bad/study.toml", &study(more).replace("model.toml", "../model.toml"));
        let output = place.borelli(&[&["run", "bad", "--out", "out"], set].concat());
        assert_eq!(output.status.code(), Some(2), "{more}: {}{}", stdout(&output), stderr(&output));
        said.iter().for_each(|word| assert!(stderr(&output).contains(word), "{more} {word}: {}", stderr(&output)));
    };
    // Line 10 of the study is the control.
    let control = |line: &str| format!("[control]\n{line}\n");
    refused(&control("\"force.motor.command\" = \"3 m\""), &[], &["error[wrong-unit]", "study.toml:10:", "force.motor"]);
    let metres = "\"force.motor.command\" = { type = \"sine\", amplitude = \"3 m\", frequency = \"1 Hz\" }";
    refused(&control(metres), &[], &["study.toml:10:", "function"]);
    refused(
        &control("\"force.motor.comand\" = 3"),
        &[],
        &["error[unknown-control]", "study.toml:10:", "did you mean `force.motor.command`?"],
    );
    refused(&control("\"force.brake.stiffness\" = 3"), &[], &["error[unknown-control]", "below `[set]`"]);
    let missing = "\"force.motor.command\" = { type = \"table\", file = \"no.csv\", column = \"pull\" }";
    refused(&control(missing), &[], &["error[missing-data-file]", "study.toml:10:"]);
    refused(&control("force.motor.command = 3\n\"force.motor.command\" = 4"), &[], &["error[path-twice]", "study.toml:11:"]);
    refused("[set]\n\"control.force.motor.command\" = 3\n", &[], &["error[setting-in-set]", "below `[control]`"]);
    refused("control = 3\n", &[], &["control"]);
    // One number cannot be set where a function stands: the way that replaces it is named.
    refused("", &["--set", "force.motor.command=20"], &["error[control-is-function]", "`[control]`", "--set control.force.motor.command"]);
}
