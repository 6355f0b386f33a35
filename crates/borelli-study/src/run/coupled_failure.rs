//! How a run with soft parts ended early, in terms of the model: coordinates, nodes, cells, ties and contacts.
//! Not here: failures of rigid runs (`simulate`), what soft parts refuse by themselves, which has its own words.
//! In: the failure of an integration, the last good state. Out: a `Status` that names time, element, cell and node.

use super::Status;
use super::simulate::blamed;
use borelli_dynamics::System;
use borelli_dynamics::coupled::{AtRestFault, CoupledMovement};
use borelli_dynamics::integrate::{Failure, Trouble};
use borelli_dynamics::movement::Layout;
use borelli_soft::problem::{Problem, Squeezed};

/// Less of a cell's area than this is worth telling.
const SQUEEZED: f64 = 0.9;

/// The end of a run whose scheme gave up; `y` is its last good state, at time `t`.
pub(super) fn failed(system: &System, movement: &CoupledMovement, layout: Layout, failure: &Failure, y: &[f64], t: f64) -> Status {
    let problem = movement.problem();
    let x = layout.nodes(y);
    let entry = |entry: usize| named_entry(system, problem, layout, x, entry);
    let row = |row: usize| named_row(system, problem, x, row);
    let told = failure.tell(&|k| entry(k).1, &|k| row(k).1);
    let facts = Facts::of(problem, x, matches!(failure.cause(), Failure::NotConverged { .. }));
    let element = match (failure.cause(), failure.row(), failure.entry()) {
        (Failure::Refused { cause, .. }, ..) => blamed(cause),
        (_, _, Some(k)) => facts.contact.clone().unwrap_or_else(|| entry(k).0),
        (_, Some(k), None) => row(k).0,
        _ => facts.element(),
    };
    let advice = "a shorter `step`, slower bodies, more cells where they are squeezed, or a material that stays stiff (`robust`)";
    Status::Failed { t, element, reason: facts.add_to(&told, advice) }
}

/// The end of a search for rest; `x` are the positions of nodes at the last one found.
pub(super) fn not_at_rest(system: &System, movement: &CoupledMovement, x: &[f64], fault: &AtRestFault) -> Status {
    let facts = Facts::of(movement.problem(), x, matches!(fault.cause, Trouble::NotConverged { .. }));
    let held = match &fault.cause {
        Trouble::Singular { entry } => system.names.speeds.get(*entry).map(|name| format!("coord.{}", name.name)),
        Trouble::Refused(cause) => Some(blamed(cause)),
        _ => Some(facts.element()),
    };
    let advice = "more `load_steps`, more cells where they are squeezed, a smaller load, or a material that stays stiff (`robust`)";
    let reason = match fault.cause {
        Trouble::NotConverged { .. } | Trouble::NotFinite { .. } => facts.add_to(&fault.to_string(), advice),
        _ => fault.to_string(),
    };
    Status::Failed { t: fault.part, element: held.unwrap_or_default(), reason }
}

/// What soft parts were like when nothing went on: that says more than an integrator can.
struct Facts {
    /// The soft part with the most squeezed cell.
    part: Option<String>,
    /// A contact that goes round in circles.
    contact: Option<String>,
    words: Vec<String>,
}

impl Facts {
    fn of(problem: &Problem, x: &[f64], unsettled: bool) -> Facts {
        let mut words = Vec::new();
        let changing = problem.changing().filter(|_| unsettled);
        if let Some((path, node)) = &changing {
            words.push(format!("`{path}` does not settle whether {} touches", named_node(problem, x, *node).1));
        }
        let worst = problem.most_squeezed(x);
        // Where a contact is to blame a cell that is hardly strained says nothing.
        let told = worst.filter(|worst| changing.is_none() || worst.left < SQUEEZED);
        words.extend(told.map(|worst| squeezed_cell(problem, &worst)));
        let part = worst.map(|worst| format!("soft.{}", problem.definition().bodies[worst.body].name));
        Facts { part, contact: changing.map(|(path, _)| path), words }
    }

    fn element(&self) -> String {
        self.contact.clone().or_else(|| self.part.clone()).unwrap_or_else(|| "soft".into())
    }

    /// A reason with these facts before its hint; without a hint the advice is one.
    fn add_to(&self, reason: &str, advice: &str) -> String {
        let (what, hint) = reason.split_once("\n  hint: ").unwrap_or((reason, advice));
        let contact = if self.contact.is_some() { "; a smaller `stiffness` of the contact" } else { "" };
        let facts = if self.words.is_empty() { String::new() } else { format!("; last seen: {}", self.words.join("; ")) };
        format!("{what}{facts}\n  hint: {hint}{contact}")
    }
}

/// The most squeezed cell, for people.
fn squeezed_cell(problem: &Problem, worst: &Squeezed) -> String {
    let Squeezed { body, cell, left, node, at: [x, y] } = worst;
    let name = &problem.definition().bodies[*body].name;
    format!("cell {cell} of soft part `{name}` at its node {node}, ({x:.6}, {y:.6}) m, has {left:.3} of its area left")
}

/// A node in the numbering of all bodies: the path of its body, and words.
fn named_node(problem: &Problem, x: &[f64], node: usize) -> (String, String) {
    let body = problem.body_of(node);
    let name = &problem.definition().bodies[body].name;
    let own = node - problem.nodes_of(body).start;
    let (px, py) = (x[2 * node], x[2 * node + 1]);
    (format!("soft.{name}"), format!("node {own} of soft part `{name}` at ({px:.6}, {py:.6}) m"))
}

/// An entry of the state: what it belongs to, and words.
fn named_entry(system: &System, problem: &Problem, layout: Layout, x: &[f64], entry: usize) -> (String, String) {
    let names = &system.names;
    let (first_rate, speeds, states) = (layout.v_range().end, layout.v_range(), layout.z_range());
    let column = |name: String| (name.clone(), format!("`{name}`"));
    if entry < layout.coords {
        column(format!("coord.{}.value", names.coordinates[entry].name))
    } else if entry < layout.coords + layout.soft {
        named_node(problem, x, (entry - layout.coords) / 2)
    } else if speeds.contains(&entry) {
        column(format!("coord.{}.rate", names.speeds[entry - speeds.start].name))
    } else if (first_rate..first_rate + layout.soft).contains(&entry) {
        named_node(problem, x, (entry - first_rate) / 2)
    } else {
        let state = entry.checked_sub(states.start).and_then(|k| names.states.get(k));
        state.map_or_else(|| ("integrator".into(), "the work done".into()), |state| column(state.column()))
    }
}

/// A row of a loop, guide, tie or contact: its path, and words.
fn named_row(system: &System, problem: &Problem, x: &[f64], row: usize) -> (String, String) {
    let rows = &system.names.rows;
    if let Some(row) = rows.get(row) {
        return (row.path(), format!("`{}`", row.path()));
    }
    problem.multiplier_of(row - rows.len()).map_or_else(
        || ("soft".into(), format!("row {row}")),
        |(path, node)| {
            let words = format!("`{path}` at {}", named_node(problem, x, node).1);
            (path, words)
        },
    )
}
