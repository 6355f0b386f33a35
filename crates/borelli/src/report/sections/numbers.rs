//! Numbers of whole cases: one row per number, one column per case.
//! Not here: numbers of the health block.

use super::super::{Case, Report, Section};
use super::{CaseRow, Cell, MOST_COLUMNS, case_table, folded, labelled, number, unit};
use crate::label;

pub(in crate::report) const SECTION: Section = Section { id: "numbers", title: "Numbers of whole runs", short: "Numbers", body };

/// Numbers that answer a question: 1 is yes.
const ANSWERS: [&str; 2] = ["run.completed", "statics.stable"];

/// Counters of methods with their words; one that stays at zero in all cases belongs to a method that is not used here, and tells nothing.
const COUNTERS: [(&str, &str); 8] = [
    ("run.evaluations", "Evaluations of the equations"),
    ("run.steps", "Steps of the integrator"),
    ("run.rejected", "Steps rejected"),
    ("run.cuts", "Steps halved"),
    ("run.jacobians", "Jacobians computed"),
    ("run.factorisations", "Matrices factorised"),
    ("run.iterations", "Iterations of implicit steps"),
    ("run.highest_order", "Highest order of the integrator"),
];

/// Other numbers whose names do not tell enough.
const WORDS: [(&str, &str); 7] = [
    ("run.drift_position", "Largest gap of loops and guides"),
    ("run.drift_velocity", "Largest speed of such a gap"),
    ("run.residual_force_rms", "Residual force, root mean square over all samples with a ground reaction"),
    ("run.residual_force_peak", "Residual force, largest of those samples"),
    ("run.residual_moment_rms", "Residual moment, root mean square over all samples with a ground reaction"),
    ("run.residual_moment_peak", "Residual moment, largest of those samples"),
    ("shoot.residual", "Largest miss of the conditions at the end, in their SI units"),
];

/// How often an event happened, or when it did first; nothing for other numbers.
fn of_event(name: &str) -> Option<String> {
    let (event, what) = name.strip_prefix("event.")?.rsplit_once('.')?;
    let words = match what {
        "count" => "how often",
        "time" => "first time",
        _ => return None,
    };
    Some(format!("{}, {words}", label::event(event)))
}

fn counter(name: &str) -> Option<&'static str> {
    COUNTERS.iter().find(|(known, _)| *known == name).map(|(_, words)| *words)
}

/// A number, or the answer it stands for.
fn told(name: &str, value: Option<f64>) -> Cell {
    match value {
        Some(value) if ANSWERS.contains(&name) => ("number", if value == 0.0 { "no" } else { "yes" }.into()),
        _ => number(value),
    }
}

fn body(report: &Report) -> Option<String> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for scalar in report.cases.iter().flat_map(|case| &case.scalars) {
        let known = names.contains(&(&scalar.name, &scalar.unit));
        let counts = scalar.value != 0.0 || counter(&scalar.name).is_none();
        if !known && counts {
            names.push((&scalar.name, &scalar.unit));
        }
    }
    if names.is_empty() {
        return None;
    }
    let row = |(name, of): &(&str, &str)| {
        let find = |case: &Case| case.scalars.iter().find(|s| s.name == *name && s.unit == *of).map(|s| s.value);
        let words = counter(name).or_else(|| WORDS.iter().find(|(known, _)| known == name).map(|(_, words)| *words));
        let label = words.map(str::to_string).or_else(|| of_event(name));
        let label = label.unwrap_or_else(|| label::element(name.strip_prefix("run.").unwrap_or(name)));
        CaseRow {
            name: labelled(&label, name),
            cases: report.cases.iter().map(|case| told(name, find(case))).collect(),
            unit: Some(unit(of)),
        }
    };
    // Counts and times of events are many, and stand among the events too.
    let (of_events, others): (Vec<_>, Vec<_>) = names.iter().partition(|(name, _)| name.starts_with("event."));
    let [of_events, others] = [of_events, others].map(|list: Vec<&(&str, &str)>| list.into_iter().map(row).collect::<Vec<_>>());
    let tables = |rows: &[CaseRow]| case_table(report, "", "Name", "number", rows);
    let parts = report.cases.len().div_ceil(MOST_COLUMNS);
    let words = if parts > 1 { format!("numbers of all {} cases", report.cases.len()) } else { "numbers".into() };
    let mut out = if others.is_empty() { String::new() } else { folded(others.len() * parts, others.len(), &words, tables(&others)) };
    if !of_events.is_empty() {
        let words = format!("{} counts and times of events", of_events.len());
        out.push_str(&format!("<details class=\"more\"><summary>{words}</summary>\n{}</details>\n", tables(&of_events)));
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_answers_a_question_is_yes_or_no() {
        assert_eq!(told("run.completed", Some(1.0)).1, "yes");
        assert_eq!(told("statics.stable", Some(0.0)).1, "no");
        assert!(told("run.steps", Some(1.0)).1.contains(">1<"));
    }

    #[test]
    fn numbers_of_events_are_named_like_the_events() {
        assert_eq!(of_event("event.contact.sole_heel.touchdown.time").as_deref(), Some("Sole heel: touchdown, first time"));
        assert_eq!(of_event("event.landing.count").as_deref(), Some("Landing, how often"));
        assert_eq!(of_event("run.steps"), None);
    }
}
