//! What `check` tells of muscles and ligaments: where they start, and what was found when the model was compiled.
//! Not here: warnings about them. In: a system and its assembled start. Out: lines, and the same as JSON.

use borelli_dynamics::System;
use borelli_dynamics::assemble::Assembled;
use borelli_dynamics::formulation::articulated::{Articulated, Parts};
use borelli_dynamics::formulation::{Evaluation, Input};
use borelli_dynamics::scene::Inside;
use serde_json::{Value, json};

/// A muscle at the start.
struct AtStart {
    name: String,
    elastic: bool,
    path: f64,
    fibre: f64,
    force: f64,
}

/// Outputs of elements at the start, by column.
fn outputs(system: &System, start: &Assembled) -> Vec<(String, f64)> {
    let (q, v) = (&start.q, &start.v);
    let z = system.states_at(0.0, q).z;
    let (mut out, tau) = (Evaluation::new(system), vec![0.0; v.len()]);
    let input = Input { t: 0.0, q, v, inside: Inside { z: &z, u: &[] }, tau: &tau };
    let parts = Parts { loads: true, ..Parts::default() };
    // The start was computed once when the model was checked.
    let _ = Articulated::new(system).report(system, input, parts, &mut out);
    let paths = system.names.paths.iter().map(|path| format!("path.{path}.length")).zip(out.lines.length.iter().copied());
    system.names.outputs.iter().map(|output| output.column()).zip(out.output.iter().copied()).chain(paths).collect()
}

fn at_start(system: &System, start: &Assembled) -> Vec<AtStart> {
    let muscles = system.numbers.forces.muscles();
    if muscles.is_empty() {
        return Vec::new();
    }
    let found = outputs(system, start);
    let of = |column: String| found.iter().find(|(name, _)| *name == column).map_or(f64::NAN, |(_, value)| *value);
    let muscle = |(name, size): &(&str, borelli_dynamics::muscle::MuscleSize)| AtStart {
        name: name.to_string(),
        elastic: size.elastic,
        path: of(format!("path.{}.length", system.names.paths[size.path as usize])),
        fibre: of(format!("muscle.{name}.fibre_length")) / size.fibre_length,
        force: of(format!("muscle.{name}.force")),
    };
    muscles.iter().map(muscle).collect()
}

/// Ligaments by name: slack length, m, and stiffness, N.
fn of_ligaments(system: &System) -> Vec<(&str, [f64; 2])> {
    system.numbers.forces.ligament.iter().map(|own| (own.name.as_str(), own.item.slack_and_stiffness())).collect()
}

/// Lines of the summary.
pub(super) fn lines(system: &System, start: &Assembled) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let muscles = at_start(system, start);
    if !muscles.is_empty() {
        lines.push(("muscles", muscles.len().to_string()));
        for AtStart { name, elastic, path, fibre, force } in muscles {
            let tendon = if elastic { "" } else { ", rigid tendon" };
            let text = format!("`{name}` starts with {force:.1} N, fibre {fibre:.3} of optimal, path {:.1} mm{tendon}", 1e3 * path);
            lines.push(("", text));
        }
    }
    let ligaments = of_ligaments(system);
    if !ligaments.is_empty() {
        lines.push(("ligaments", ligaments.len().to_string()));
        for (name, [slack, stiffness]) in ligaments {
            lines.push(("", format!("`{name}` slack at {:.3} mm, {stiffness:.1} N per strain", 1e3 * slack)));
        }
    }
    lines
}

/// Muscles at the start, as JSON.
pub(super) fn muscles(system: &System, start: &Assembled) -> Value {
    let list = at_start(system, start).into_iter();
    list.map(|own| json!({ "name": own.name, "elastic": own.elastic, "path_length": own.path, "fibre": own.fibre, "force": own.force }))
        .collect()
}

/// Ligaments, as JSON.
pub(super) fn ligaments(system: &System) -> Value {
    of_ligaments(system).into_iter().map(|(name, [slack, k])| json!({ "name": name, "slack_length": slack, "stiffness": k })).collect()
}
