//! How many instructions an evaluation takes: the guard of speed that repeats exactly, whatever else the machine does.
//! Not here: times, which `borelli bench` prints.
//! In: an optimised program named by `BORELLI_RELEASE_BIN` (`make test` builds it) and valgrind. Without one of them the tests say `SKIPPED`.

use crate::root;
use crate::runs::Place;
use std::env;
use std::io::Write;
use std::process::Command;

/// One guarded operation.
struct Guard {
    model: &'static str,
    /// What is counted: option and value of `borelli bench`.
    what: [&'static str; 2],
    /// Instructions per call above which the test fails: what was measured, and three hundredths for another compiler.
    ceiling: u64,
    /// Instructions per call that are wanted.
    goal: u64,
}

const GUARDS: [Guard; 8] = [
    Guard { model: "squat4", what: ["--op", "fd"], ceiling: 1_440, goal: 1_300 },
    Guard { model: "walker7", what: ["--op", "fd"], ceiling: 2_530, goal: 2_300 },
    Guard { model: "human3d", what: ["--op", "fd"], ceiling: 27_900, goal: 27_000 },
    Guard { model: "human3d", what: ["--op", "id"], ceiling: 15_700, goal: 14_000 },
    Guard { model: "human3d", what: ["--formulation", "cartesian"], ceiling: 100_900, goal: 95_000 },
    Guard { model: "walker7", what: ["--formulation", "natural"], ceiling: 28_300, goal: 27_000 },
    Guard { model: "human3d", what: ["--formulation", "natural"], ceiling: 653_500, goal: 600_000 },
    Guard { model: "cyclist-leg", what: ["--formulation", "segment-chain"], ceiling: 25_600, goal: 20_000 },
];

/// Two numbers of calls; the difference is evaluations alone, without start and end of the program.
const CALLS: [u64; 2] = [64, 320];

/// Past the capture of the test runner, which would hide it; a closed standard error is no reason to fail a test.
fn say(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// The optimised program, if instructions can be counted here.
fn optimised() -> Option<String> {
    let Some(program) = env::var("BORELLI_RELEASE_BIN").ok().filter(|path| std::path::Path::new(path).is_file()) else {
        say("SKIPPED: no instructions counted; set BORELLI_RELEASE_BIN to an optimised program (`make test` does)");
        return None;
    };
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        say("SKIPPED: no instructions counted; valgrind is not installed");
        return None;
    }
    Some(program)
}

/// Instructions of the whole program with this many calls.
fn count(program: &str, model: &str, what: [&str; 2], calls: u64) -> u64 {
    count_of(program, &["--model", model, what[0], what[1], "--calls", &calls.to_string()])
}

/// Instructions of the whole program with these arguments of `borelli bench`.
fn count_of(program: &str, args: &[&str]) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program])
        .arg("bench")
        .args(args)
        .current_dir(root())
        .output()
        .expect("valgrind starts");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    let line = log.lines().find(|line| line.contains("I") && line.contains("refs:")).unwrap_or_else(|| panic!("no count in: {log}"));
    let digits: String = line.rsplit(':').next().unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no count in: {line}"))
}

/// Instructions of one evaluation.
fn per_call(program: &str, model: &str, what: [&str; 2], calls: [u64; 2]) -> u64 {
    let [few, many] = calls.map(|calls| count(program, model, what, calls));
    (many - few) / (calls[1] - calls[0])
}

#[test]
fn an_evaluation_takes_no_more_instructions_than_it_did() {
    let Some(program) = optimised() else { return };
    let mut over = Vec::new();
    for Guard { model, what, ceiling, goal } in &GUARDS {
        let taken = per_call(&program, model, *what, CALLS);
        let line = format!("{model} {}: {taken} instructions, ceiling {ceiling}, goal {goal}", what[1]);
        say(&line);
        if taken > *ceiling {
            over.push(line);
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}

/// Instructions of an answer of a fit with slopes: three circles, 958 samples, 18 unknowns. What was measured, and three hundredths for another compiler.
const ANSWER: u64 = 12_400_000;

#[test]
fn an_answer_of_a_fit_takes_no_more_instructions_than_it_did() {
    let Some(program) = optimised() else { return };
    let [few, many] = [4, 20].map(|calls: u64| count_of(&program, &["--answers", &calls.to_string()]));
    let taken = (many - few) / 16;
    say(&format!("an answer of a fit with slopes: {taken} instructions, ceiling {ANSWER}"));
    assert!(taken <= ANSWER, "{taken} instructions, ceiling {ANSWER}");
}

/// A model file of equal rods, one hanging on the other by hinges whose axes are not parallel.
fn chain(bodies: u64) -> String {
    let mut text = String::from("borelli = 1\ndimension = \"spatial\"\n");
    for k in 0..bodies {
        let (parent, axis) =
            (if k == 0 { "world".into() } else { format!("b{}.tip", k - 1) }, ["[0, 0, 1]", "[1, 0, 0]"][(k % 2) as usize]);
        text += &format!(
            "[body.b{k}]\nmass = 1\ncenter = [0, -0.05, 0]\ninertia = [1e-3, 2e-4, 1e-3]\npoint = {{ tip = [0, -0.1, 0] }}\n\
             [joint.j{k}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"b{k}\"\naxis = {axis}\n"
        );
    }
    text
}

#[test]
fn the_cost_of_a_body_does_not_depend_on_how_many_there_are() {
    let Some(program) = optimised() else { return };
    let place = Place::new("chains");
    for formulation in ["articulated", "cartesian", "natural"] {
        let mut each = Vec::new();
        for bodies in [16, 32, 64, 128u64] {
            let name = format!("chain{bodies}.toml");
            place.write(&name, &chain(bodies));
            let taken = per_call(&program, &place.path(&name).to_string_lossy(), ["--formulation", formulation], [4, 4 + 1024 / bodies]);
            each.push(taken as f64 / bodies as f64);
        }
        let line = format!("chains of 16, 32, 64, 128 hinges, {formulation}: {each:.0?} instructions per body");
        say(&line);
        // Quadratic growth would give eight, bookkeeping per call less than one.
        assert!(each.iter().all(|x| (x / each[0] - 1.0).abs() < 0.05), "{line}");
    }
}

/// A model file of balls in a cubic grid, each paired with all others and with a floor. Random states spread them so that each touches one or two others.
fn crowd(balls: u64) -> String {
    let mut text = String::from("borelli = 1\ndimension = \"spatial\"\n[surface.floor]\ntype = \"half-space\"\nat = \"world\"\n");
    let (mut names, mut starts) = (Vec::new(), Vec::new());
    let side = (1..).find(|side: &u64| side.pow(3) >= balls).unwrap_or(1);
    for k in 0..balls {
        text += &format!(
            "[body.b{k}]\nmass = 1\ninertia = [0.02, 0.02, 0.02]\n[joint.b{k}]\ntype = \"free\"\nparent = \"world\"\nchild = \"b{k}\"\n\
             [surface.b{k}]\ntype = \"sphere\"\nat = \"b{k}\"\nradius = 0.2\n"
        );
        let place = [k % side, k / side % side, k / (side * side)].map(|k| 0.5 * k as f64);
        starts.extend(["x", "y", "z"].iter().zip(place).map(|(axis, x)| format!("b{k}_p{axis} = {x}")));
        names.push(format!("\"b{k}\""));
    }
    let (list, starts) = (names.join(", "), starts.join(", "));
    let law = "normal = { type = \"hunt-crossley\", stiffness = 1e5, dissipation = 0.3 }";
    text + &format!(
        "[contact.crowd]\na = [{list}]\nb = [{list}]\n{law}\n[contact.ground]\na = [{list}]\nb = \"floor\"\n{law}\n[initial]\ncoordinates = {{ {starts} }}\n"
    )
}

#[test]
fn the_cost_of_a_ball_in_a_crowd_hardly_depends_on_how_many_there_are() {
    let Some(program) = optimised() else { return };
    let place = Place::new("crowds");
    let mut each = Vec::new();
    for balls in [50, 100, 200u64] {
        let name = format!("crowd{balls}.toml");
        place.write(&name, &crowd(balls));
        let taken = per_call(&program, &place.path(&name).to_string_lossy(), ["--op", "fd"], [4, 20]);
        each.push(taken as f64 / balls as f64);
    }
    let line = format!("crowds of 50, 100, 200 balls: {each:.0?} instructions per ball");
    say(&line);
    // What was measured with the profile of development, and a twentieth.
    assert!(each[1] < 5_900.0, "{line}");
    // A look at every pair would give four; balls inside a crowd have more neighbours than those at its border.
    assert!(each.iter().all(|x| x / each[0] < 1.3), "{line}");
}
