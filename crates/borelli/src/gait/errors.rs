//! Errors of measurement in a gait session, as the table `[uncertainty]` of a study: what is uncertain, and by how much.
//! Not here: drawing them and running (`borelli-study`), bands of curves (`super`).
//! In: the study of a trial made ready, how many runs, sizes of the user's own. Out: the text of the table.
//!
//! Sizes are those that are usual for markers on skin and force plates: Della Croce et al. 2005, Gait Posture 21:226; Leardini et al. 2005, Gait Posture 21:212;
//! masses of segments: Rao et al. 2006, J. Biomech. 39:1531. An error of a hip centre leaves markers, knee and mass centre of the thigh where they were measured:
//! the centre moves in the pelvis, and they move the other way in the axes of the thigh.

use borelli_dynamics::System;
use borelli_study::plan::{Analysis, Plan};
use std::fmt::Write;

/// Runs that are made where nothing else is said.
pub const RUNS: usize = 100;

/// The table for a trial; `given` lists inputs and noises in place of the usual ones.
pub fn table(system: &System, plan: &Plan, runs: usize, given: Option<&str>) -> String {
    let of = if plan.analysis == Analysis::Inverse { "inverse" } else { "kinematics" };
    let mut out = format!("\n[uncertainty]\nof = \"{of}\"\nmethod = \"latin-hypercube\"\nsamples = {runs}\n");
    match given {
        Some(text) => {
            out.push('\n');
            out.push_str(text);
        }
        None => usual(system, plan, &mut out),
    }
    out
}

/// Errors that are usual, as far as the trial has what they are put on.
fn usual(system: &System, plan: &Plan, out: &mut String) {
    // Writing to a string cannot fail, here and below.
    let mut noise = |name: &str, on: &str, sd: &str, more: &str| {
        let _ = write!(out, "\n[[uncertainty.noise]]\nname = \"{name}\"\non = \"{on}\"\nsd = \"{sd}\"\n{more}");
    };
    // Together 2 mm in each direction.
    noise("markers", "markers", "1.4 mm", "");
    noise("markers-slow", "markers", "1.4 mm", "time_constant = \"0.1 s\"\n");
    let skin = points_of_thighs(system, plan);
    if !skin.is_empty() {
        let columns: Vec<String> = skin.iter().map(|name| quoted(name)).collect();
        noise("skin-of-thighs", "markers", "8 mm", &format!("columns = [{}]\ntime_constant = \"0.3 s\"\n", columns.join(", ")));
    }
    let inverse = plan.analysis == Analysis::Inverse && plan.loads.is_some();
    if inverse {
        noise("force", "forces", "1 %", "constant = true\n");
        noise("centre-of-pressure", "points", "5 mm", "constant = true\n");
    }
    for side in ["r", "l"] {
        hip_centre(system, side, out);
    }
    let masses: Vec<&str> = paths(system).filter(|path| of_mass(path)).collect();
    if inverse && !masses.is_empty() {
        let list: Vec<String> = masses.iter().map(|path| quoted(path)).collect();
        let _ =
            write!(out, "\n[[uncertainty.input]]\nname = \"masses\"\npaths = [{}]\napply = \"factor\"\nsd = \"3 %\"\n", list.join(", "));
    }
}

fn paths(system: &System) -> impl Iterator<Item = &str> {
    system.parameters.iter().map(|parameter| parameter.path.as_str())
}

/// Masses and moments of inertia, which go with them.
fn of_mass(path: &str) -> bool {
    let mut parts = path.split('.');
    parts.next() == Some("body") && parts.nth(1).is_some_and(|own| own == "mass" || own == "inertia")
}

/// Names of bodies that are thighs.
fn is_thigh(body: &str) -> bool {
    ["thigh", "femur"].iter().any(|word| body.contains(word))
}

/// Points of the recording whose markers are on thighs.
fn points_of_thighs(system: &System, plan: &Plan) -> Vec<String> {
    let Some(markers) = &plan.markers else { return Vec::new() };
    let on_thigh = |label: &str| {
        let own = system.markers.iter().find(|marker| marker.label == label);
        own.is_some_and(|marker| is_thigh(&system.names.bodies[system.numbers.place_body[marker.place as usize] as usize]))
    };
    let label = |name: &str| markers.names.iter().find(|(lab, _)| lab == name).map_or(name.to_string(), |(_, own)| own.clone());
    let points = markers.recording.points.iter().map(|point| point.name.clone());
    points.filter(|name| on_thigh(&label(name))).collect()
}

/// Errors of a hip centre of a built model in the three directions of the pelvis.
fn hip_centre(system: &System, side: &str, out: &mut String) {
    let (hip, thigh) = (format!("body.pelvis.point.hip_{side}."), format!("thigh_{side}"));
    let of_thigh = format!("body.{thigh}.");
    let markers: Vec<String> = system
        .names
        .markers
        .iter()
        .zip(&system.markers)
        .filter(|(_, marker)| system.names.bodies[system.numbers.place_body[marker.place as usize] as usize] == thigh)
        .map(|(name, _)| format!("marker.{name}.location."))
        .collect();
    let places = [".point.", ".center.", ".origin."];
    for axis in ["x", "y", "z"] {
        let own = format!("{hip}{axis}");
        if !paths(system).any(|path| path == own) {
            continue;
        }
        let moved = |path: &&str| {
            let on_thigh = path.starts_with(&of_thigh) && places.iter().any(|place| path.contains(place));
            path.ends_with(&format!(".{axis}")) && (on_thigh || markers.iter().any(|marker| path.starts_with(marker)))
        };
        let others: Vec<&str> = paths(system).filter(moved).collect();
        let list: Vec<String> = std::iter::once(own.as_str()).chain(others.iter().copied()).map(quoted).collect();
        let times: Vec<&str> = std::iter::once("1").chain(others.iter().map(|_| "-1")).collect();
        let _ = write!(
            out,
            "\n[[uncertainty.input]]\nname = \"hip-centre-{side}-{axis}\"\npaths = [{}]\ntimes = [{}]\napply = \"offset\"\nsd = \"10 mm\"\n",
            list.join(", "),
            times.join(", ")
        );
    }
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
