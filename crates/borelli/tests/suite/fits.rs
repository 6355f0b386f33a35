//! Fits from the command line: one that is killed or interrupted is taken up again and ends as if nothing had happened.
//! Not here: what fits find (`borelli-study`).

use super::runs::Place;
use super::{program, stderr};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A ball that is pressed into a floor and out again.
const BALL: &str = r#"borelli = 1
dimension = "planar"
[body.ball]
mass = "1 kg"
inertia = "0.01 kg m^2"
[joint.y]
type = "slider"
parent = "world"
child = "ball"
axis = [0, 1]
[guide.y]
type = "coordinate"
coordinate = "y"
function = { type = "sine", amplitude = "12 mm", frequency = "2 1/s", offset = "98 mm" }
[surface]
floor = { type = "half-space", at = "world" }
ball = { type = "circle", at = "ball", radius = "100 mm" }
[law.push]
type = "hunt-crossley"
stiffness = "50000 N/m^1.5"
exponent = 1.5
dissipation = "0.4 s/m"
[contact.sole]
a = "ball"
b = "floor"
normal = "push"
"#;

/// A search for a front between two halves of the time, which no pair of numbers meets both.
const STUDY: &str = r#"borelli = 1
title = "two halves"
model = "ball.toml"
analysis = "fit"
[time]
end = "1 s"
sample = "2 ms"
[fit]
of = "evaluate"
method = "nsga2"
population = 40
generations = 1000
[[fit.unknown]]
path = "law.push.stiffness"
low = "1e4 N/m^1.5"
high = "1e6 N/m^1.5"
scale = "log"
[[fit.unknown]]
path = "surface.ball.radius"
low = "95 mm"
high = "105 mm"
[[fit.trial]]
name = "press"
data = ["forces.csv"]
[[fit.term]]
name = "first"
column = "contact.sole.normal_force"
data = "fy"
normalise = "100 N"
to = "0.5 s"
[[fit.term]]
name = "second"
column = "contact.sole.normal_force"
data = "fy"
normalise = "100 N"
from = "0.5 s"
objective = 2
"#;

const FORCES: &str = "time [s],fy [N]\n0,0\n0.25,40\n0.35,120\n0.5,0\n0.75,10\n0.85,60\n1,0\n";

/// A mass on a spring that is let go, and stops at a buffer where it swings too far: such runs have no value.
const MASS: &str = r#"borelli = 1
dimension = "planar"
gravity = [0, 0]
[body.mass]
mass = "2 kg"
inertia = "1 kg m^2"
[joint.rail]
type = "slider"
parent = "world"
child = "mass"
axis = [1, 0]
[force.spring]
type = "coordinate-spring"
coordinate = "rail"
stiffness = "50 N/m"
damping = "6 N s/m"
[initial]
coordinates = { rail = "0.1 m" }
"#;

/// The same question of runs.
const RUNS: &str = r#"borelli = 1
title = "two halves of a swing"
model = "mass.toml"
analysis = "fit"
[time]
end = "1 s"
sample = "20 ms"
[[event]]
name = "buffer"
when = "coord.rail.value + [0.06 m]"
direction = "falling"
action = "stop"
[fit]
of = "simulate"
method = "nsga2"
population = 20
generations = 1000
[[fit.unknown]]
path = "force.spring.damping"
low = "0 N s/m"
high = "20 N s/m"
start = "10 N s/m"
[[fit.unknown]]
path = "initial.speeds.rail"
low = "-1 m/s"
high = "1 m/s"
[[fit.trial]]
name = "swing"
data = ["swing.csv"]
[[fit.term]]
name = "first"
column = "coord.rail.value"
data = "x"
normalise = "0.1 m"
to = "0.5 s"
[[fit.term]]
name = "second"
column = "coord.rail.value"
data = "x"
normalise = "0.1 m"
from = "0.5 s"
objective = 2
"#;

const SWING: &str = "time [s],x [m]\n0,0.1\n0.25,0.02\n0.5,-0.05\n0.75,-0.01\n1,0.03\n";

/// Files that hold what was found.
const FOUND: [&str; 3] = ["front.csv", "history.csv", "unknowns.csv"];

#[cfg(unix)]
#[test]
fn a_fit_that_was_killed_or_interrupted_ends_with_the_same_bits() {
    ends_the_same(&Place::new("fit-resume"), [("ball.toml", BALL), ("study.toml", STUDY), ("forces.csv", FORCES)]);
}

#[cfg(unix)]
#[test]
fn a_fit_of_runs_that_was_killed_or_interrupted_ends_with_the_same_bits() {
    let place = Place::new("fit-runs-resume");
    ends_the_same(&place, [("mass.toml", MASS), ("study.toml", RUNS), ("swing.csv", SWING)]);
    // Points that were rejected before it was killed count, too.
    let summary = fs::read_to_string(place.path("whole/summary.json")).expect("a summary");
    assert!(summary.contains("fit_rejected"), "{summary}");
}

#[cfg(unix)]
fn ends_the_same(place: &Place, files: [(&str, &str); 3]) {
    for (name, text) in files {
        place.write(name, text);
    }
    place.well(&["run", "study.toml", "--no-report", "--out", "whole"]);
    let found =
        |folder: &str| FOUND.map(|file| fs::read(place.path(&format!("{folder}/{file}"))).unwrap_or_else(|e| panic!("{file}: {e}")));
    let nothing = place.borelli(&["run", "study.toml", "--out", "none", "--resume"]);
    assert!(nothing.status.code() == Some(2) && stderr(&nothing).contains("error[no-checkpoint]"), "{}", stderr(&nothing));
    for signal in ["-KILL", "-INT"] {
        let args = ["run", "study.toml", "--no-report", "--out", "broken"];
        let start =
            || program(&args).current_dir(place.path(".")).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        let mut child = start();
        let patience = Instant::now() + Duration::from_secs(120);
        while !place.path("broken.partial/checkpoint.json").exists() {
            assert!(child.try_wait().expect("a state").is_none() && Instant::now() < patience, "no checkpoint");
            std::thread::sleep(Duration::from_millis(5));
        }
        let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success() && !child.wait().expect("ended").success());
        // Who forgets --resume loses nothing.
        if signal == "-KILL" {
            let anew = place.borelli(&args);
            assert!(anew.status.code() == Some(2) && stderr(&anew).contains("error[checkpoint-in-the-way]"), "{}", stderr(&anew));
        }
        // Another question is refused and takes nothing away.
        let other = place.borelli(&["run", "study.toml", "--set", "fit.seed=7", "--out", "broken", "--resume"]);
        assert!(other.status.code() == Some(2) && stderr(&other).contains("error[checkpoint-of-another-question]"), "{}", stderr(&other));
        place.well(&["run", "study.toml", "--no-report", "--out", "broken", "--resume"]);
        assert!(found("broken") == found("whole"), "{signal}");
        assert!(!place.path("broken/checkpoint.json").exists());
        fs::remove_dir_all(place.path("broken")).expect("removed");
    }
}
