//! From runs and their verdicts to what a page shows.
//! Not here: running and judging (`borelli-study`), writing the page.
//! In: outcomes, judgements, plots of a study. Out: cases, expectations, groups.

use super::fit::FitPage;
use super::uncertainty::UncertaintyPage;
use super::{Case, Courses, Event, Expectation, Facts, Figure, Group, GroupKind, Health, Scalar, significant};
use crate::label;
use borelli_dynamics::System;
use borelli_model::{Data, Value};
use borelli_study::expect::Judgement;
use borelli_study::read::{Case as StudyCase, Plot};
use borelli_study::run::{Occurrence, Outcome, Status};
use borelli_study::soft_record::SoftRecord;

impl<'a> Case<'a> {
    /// A run of a system; `name` may be empty where there is one run only.
    pub fn of(name: &str, system: &System, outcome: &'a Outcome) -> Case<'a> {
        let scalars = outcome.scalars.iter().map(|own| scalar(&own.name, own.value, &own.unit));
        let health = outcome.health.iter().map(|line| Health {
            key: line.key.into(),
            label: line.label.clone(),
            value: line.value.filter(|value| value.is_finite()),
            unit: line.unit.clone(),
            verdict: line.verdict,
            part: line.part.filter(|part| part.is_finite()),
            text: line.text.clone(),
        });
        Case {
            name: name.to_string(),
            about: String::new(),
            figure: Figure::of(system),
            facts: Facts::of(system, &outcome.settings),
            courses: Courses::of(system, &outcome.trajectory),
            trajectory: &outcome.trajectory,
            pressure: &outcome.pressure,
            soft: &outcome.soft,
            fit: outcome.fit.as_deref().map(FitPage::of),
            uncertainty: outcome.uncertainty.as_deref().map(UncertaintyPage::of),
            events: outcome.events.iter().map(event).collect(),
            scalars: scalars.collect(),
            health: health.collect(),
            method: outcome.settings.clone(),
            unmeasured: spans_without(outcome.trajectory.time(), &outcome.judged),
            notice: notice(&outcome.status, Clock::of(&outcome.settings, &outcome.soft)),
        }
    }
}

/// An event as people read it.
pub fn event(event: &Occurrence) -> Event {
    let text = if event.rising { "rising through zero".into() } else { "falling through zero".into() };
    Event { time: event.t, name: event.name.clone(), action: event.action.clone(), text }
}

/// A number of the whole run. What is not finite is no number in a file either.
pub fn scalar(name: &str, value: f64, unit: &str) -> Scalar {
    // Rows of loops and guides are lengths and angles; the largest of both has no one unit.
    let unit = match name {
        "run.drift_position" => "m or rad",
        "run.drift_velocity" => "m/s or rad/s",
        _ => unit,
    };
    Scalar { name: name.into(), value: if value.is_finite() { value } else { f64::NAN }, unit: unit.into() }
}

/// Spans of time whose samples are not marked, each from half way to the samples around it; none where nothing is marked, or all is.
pub fn spans_without(time: &[f64], marked: &[bool]) -> Vec<[f64; 2]> {
    let mut list: Vec<[f64; 2]> = Vec::new();
    if !marked.contains(&true) {
        return list;
    }
    let between = |k: usize| 0.5 * (time[k] + time[(k + 1).min(time.len() - 1)]);
    for k in (0..time.len().min(marked.len())).filter(|k| !marked[*k]) {
        let end = between(k);
        match list.last_mut().filter(|_| k > 0 && !marked[k - 1]) {
            Some(span) => span[1] = end,
            None => list.push([if k == 0 { time[0] } else { between(k - 1) }, end]),
        }
    }
    list
}

/// Most settings of a case that are told.
const MOST_SETTINGS: usize = 4;

/// What each case of a study is: its own sentence, else what is set otherwise than in the first case.
pub fn about_cases(cases: &[StudyCase]) -> Vec<(String, String)> {
    let written = |value: &Value| match &value.data {
        Data::Text(text) => text.clone(),
        Data::Number(x) if *x != 0.0 && !(1e-3..1e6).contains(&x.abs()) => format!("{x:e}"),
        Data::Number(x) => x.to_string(),
        Data::Bool(flag) => flag.to_string(),
        _ => "another list".into(),
    };
    // The last two words of a path tell what it is: `contact.hunt.normal.restitution`.
    let words = |path: &str| {
        let parts: Vec<&str> = path.split('.').collect();
        label::words(&parts[parts.len().saturating_sub(2)..].join(" "))
    };
    let same = |other: &StudyCase, path: &str, value: &Value| other.value(path).is_some_and(|own| own.data == value.data);
    // Settings of a case that are others in any of these.
    let settings = |case: &StudyCase, others: &[StudyCase]| -> String {
        let mut list: Vec<String> = (case.settings.iter())
            .filter(|(path, value)| others.iter().any(|other| !same(other, path, value)))
            .map(|(path, value)| format!("{} {}", words(path), written(value)))
            .collect();
        let more = list.len().saturating_sub(MOST_SETTINGS);
        list.truncate(MOST_SETTINGS);
        let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
        list.join(", ") + &rest
    };
    let one = |case: &StudyCase| match (&case.about, cases) {
        (about, [first, others @ ..]) if about.is_empty() && first.name == case.name => {
            let own = settings(first, others);
            if own.is_empty() { own } else { format!("With {own}.") }
        }
        (about, [first, ..]) if about.is_empty() => {
            let own = settings(case, std::slice::from_ref(first));
            let but = if own.is_empty() { own } else { format!(", but with {own}") };
            format!("As “{}”{but}.", label::case(&first.name))
        }
        (about, _) => about.clone(),
    };
    cases.iter().map(|case| (case.name.clone(), one(case))).collect()
}

/// What the times of a run count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Seconds.
    Time,
    /// Rest of soft parts under loads put on in steps: the part of the loads that acts.
    Loads,
}

impl Clock {
    /// By the settings and the soft parts of a run.
    pub fn of(settings: &[(String, String)], soft: &SoftRecord) -> Clock {
        let statics = settings.iter().any(|(key, value)| key == "analysis" && value == "statics");
        if statics && !soft.bodies.is_empty() { Clock::Loads } else { Clock::Time }
    }

    /// A point of it, for people.
    pub fn at(self, t: f64) -> String {
        match self {
            Clock::Time => format!("t = {} s", significant(t, 6)),
            Clock::Loads => format!("{} of the loads", significant(t, 6)),
        }
    }

    /// From one point to another.
    pub fn span(self, first: f64, last: f64) -> String {
        match self {
            Clock::Time => format!("t = {first} to {last} s"),
            Clock::Loads => format!("{first} to {last} of the loads"),
        }
    }
}

/// What a reader must know of a run that did not end as planned.
pub fn notice(status: &Status, clock: Clock) -> Option<String> {
    match status {
        Status::Completed | Status::Stopped { .. } => None,
        Status::Interrupted { t } => Some(format!("This run was interrupted at {}; what follows ends there.", clock.at(*t))),
        Status::Failed { t, element, reason } => {
            let place = if element.is_empty() { String::new() } else { format!(" at `{element}`") };
            Some(format!("This run failed at {}{place}; what follows ends there.\n{reason}", clock.at(*t)))
        }
    }
}

impl From<&Judgement> for Expectation {
    fn from(judgement: &Judgement) -> Expectation {
        // What is not finite is no number in a file either.
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        Expectation {
            quantity: judgement.quantity.clone(),
            unit: judgement.unit.clone(),
            basis: judgement.basis.to_string(),
            expected: finite(judgement.expected),
            computed: judgement.computed.and_then(finite),
            bound: judgement.bound.sign(),
            tolerance: finite(judgement.tolerance),
            ok: judgement.ok,
            source: judgement.source.clone(),
            note: judgement.note.clone(),
        }
    }
}

impl From<&Plot> for Group {
    fn from(plot: &Plot) -> Group {
        let kind = match (&plot.over, &plot.across) {
            (Some(_), _) => GroupKind::Sweep,
            (None, Some(_)) => GroupKind::Phase,
            (None, None) => GroupKind::Time,
        };
        let columns = plot.across.iter().chain(&plot.columns).cloned().collect();
        Group { title: plot.title.clone(), note: "", columns, cases: plot.cases.clone(), kind, over: plot.over.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::system;
    use crate::report::{Report, default_groups, html};
    use borelli_dynamics::integrate::Direction;
    use borelli_study::plan::{Action, EventRule, Plan, Time};
    use borelli_study::run::{Unwatched, run};

    #[test]
    fn a_run_becomes_a_page_with_a_pose_for_every_body_and_the_force_of_every_joint() {
        for (name, end) in [("ballistic-gait", 0.6), ("andrews", 0.01), ("human3d", 0.05), ("path-muscles", 0.3)] {
            let system = system(name);
            let time = Time { start: 0.0, end, sample: None };
            let when = format!("time - {}", 0.5 * end);
            let half = EventRule { name: "half".into(), when, direction: Direction::Any, action: Action::Note, at: None };
            let plan = Plan { time, events: vec![half], ..Plan::default() };
            let outcome =
                run(&system, &plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()));
            let case = Case::of("", &system, &outcome);
            assert_eq!((case.events.len(), case.notice.clone()), (1, None), "{name}");
            for body in 1..case.figure.bodies.len() {
                assert!(case.figure.pose(body, case.trajectory, 0).is_some(), "{name} {}", case.figure.bodies[body].name);
            }
            for joint in &case.figure.joints {
                assert!(case.trajectory.column(&format!("joint.{}.reaction.force.x", joint.name)).is_some(), "{name} {}", joint.name);
            }
            for path in &case.figure.paths {
                assert!(case.trajectory.column(&format!("path.{}.force", path.name)).is_some(), "{name} {}", path.name);
            }
            assert!(default_groups(&case).iter().any(|group| group.title == "Energy"), "{name}");
            let page = html(&Report { title: system.name.clone(), cases: vec![case], ..Report::default() });
            if let Some(folder) = std::env::var_os("BORELLI_PAGES") {
                std::fs::write(std::path::Path::new(&folder).join(format!("run-{name}.html")), &page).expect("a file");
            }
            assert!(page.contains("<section id=\"health\"") && page.contains("<section id=\"method\""));
        }
    }

    #[test]
    fn spans_lie_around_the_samples_that_are_not_marked() {
        let time = [0.0, 1.0, 2.0, 3.0, 4.0];
        assert_eq!(spans_without(&time, &[false, true, false, false, true]), [[0.0, 0.5], [1.5, 3.5]]);
        assert_eq!(spans_without(&time, &[true, true, true, true, false]), [[3.5, 4.0]]);
        assert!(
            spans_without(&time, &[]).is_empty()
                && spans_without(&time, &[true; 5]).is_empty()
                && spans_without(&time, &[false; 5]).is_empty()
        );
    }

    #[test]
    fn cases_without_a_sentence_are_told_by_what_differs() {
        let at = borelli_model::Span { file: 0, start: 0, end: 0 };
        let case = |name: &str, about: &str, friction: f64| StudyCase {
            name: name.into(),
            about: about.into(),
            settings: [("law.grip.friction", friction), ("law.grip.speed", 0.01)]
                .map(|(path, x)| (path.to_string(), Value { at, data: Data::Number(x) }))
                .into(),
        };
        let told = about_cases(&[case("slides", "", 0.05), case("same", "", 0.05), case("rolls", "", 0.5), case("own", "It rolls.", 0.5)]);
        let said: Vec<&str> = told.iter().map(|(_, words)| words.as_str()).collect();
        assert_eq!(said, ["With grip friction 0.05.", "As “Slides”.", "As “Slides”, but with grip friction 0.5.", "It rolls."]);
        assert_eq!(about_cases(&[case("alone", "", 0.05)])[0].1, "");
    }

    #[test]
    fn only_a_run_that_ended_badly_has_a_notice() {
        assert_eq!(notice(&Status::Completed, Clock::Time), None);
        assert_eq!(notice(&Status::Stopped { event: "fall".into(), t: 1.0 }, Clock::Time), None);
        let failed = Status::Failed { t: 0.125, element: "joint.knee".into(), reason: "the step became too small".into() };
        let text = notice(&failed, Clock::Time).unwrap_or_default();
        assert!(["0.125 s", "`joint.knee`", "the step became too small"].iter().all(|part| text.contains(part)), "{text}");
        // At rest there is no time: what was reached is a part of the loads.
        let text = notice(&failed, Clock::Loads).unwrap_or_default();
        assert!(text.contains("failed at 0.125 of the loads") && !text.contains("0.125 s"), "{text}");
    }
}
