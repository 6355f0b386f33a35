//! From runs and their verdicts to what a page shows.
//! Not here: running and judging (`borelli-study`), writing the page.
//! In: outcomes, judgements, plots of a study. Out: cases, expectations, groups.

use super::{Case, Event, Expectation, Figure, Group, Health, Scalar};
use borelli_dynamics::System;
use borelli_study::expect::Judgement;
use borelli_study::read::Plot;
use borelli_study::run::{Outcome, Status};

impl<'a> Case<'a> {
    /// A run of a system; `name` may be empty where there is one run only.
    pub fn of(name: &str, system: &System, outcome: &'a Outcome) -> Case<'a> {
        let events = outcome.events.iter().map(|event| Event {
            time: event.t,
            name: event.name.clone(),
            action: event.action.clone(),
            text: if event.rising { "rising through zero".into() } else { "falling through zero".into() },
        });
        let scalars = outcome.scalars.iter().map(|s| Scalar { name: s.name.clone(), value: s.value, unit: s.unit.clone() });
        let health = outcome.health.iter().map(|line| Health {
            label: line.label.clone(),
            value: line.value,
            unit: line.unit.clone(),
            good: line.good,
            text: line.text.clone(),
        });
        Case {
            name: name.to_string(),
            figure: Figure::of(system),
            trajectory: &outcome.trajectory,
            events: events.collect(),
            scalars: scalars.collect(),
            health: health.collect(),
            method: outcome.settings.clone(),
            notice: notice(&outcome.status),
        }
    }
}

/// What a reader must know of a run that did not end as planned.
fn notice(status: &Status) -> Option<String> {
    match status {
        Status::Completed | Status::Stopped { .. } => None,
        Status::Interrupted { t } => Some(format!("This run was interrupted at {t} s; what follows ends there.")),
        Status::Failed { t, element, reason } => {
            let place = if element.is_empty() { String::new() } else { format!(" at `{element}`") };
            Some(format!("This run failed at {t} s{place}; what follows ends there.\n{reason}"))
        }
    }
}

impl From<&Judgement> for Expectation {
    fn from(judgement: &Judgement) -> Expectation {
        Expectation {
            quantity: judgement.quantity.clone(),
            unit: judgement.unit.clone(),
            basis: judgement.basis.to_string(),
            expected: Some(judgement.expected),
            computed: judgement.computed,
            tolerance: Some(judgement.tolerance),
            ok: judgement.ok,
            source: judgement.source.clone(),
            note: judgement.note.clone(),
        }
    }
}

impl From<&Plot> for Group {
    fn from(plot: &Plot) -> Group {
        Group { title: plot.title.clone(), columns: plot.columns.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_that_ended_badly_has_a_notice() {
        assert_eq!(notice(&Status::Completed), None);
        assert_eq!(notice(&Status::Stopped { event: "fall".into(), t: 1.0 }), None);
        let failed = Status::Failed { t: 0.125, element: "joint.knee".into(), reason: "the step became too small".into() };
        let text = notice(&failed).unwrap_or_default();
        assert!(["0.125 s", "`joint.knee`", "the step became too small"].iter().all(|part| text.contains(part)), "{text}");
    }
}
