//! Sentences against runs whose numbers are known: what is told, of which case, and what is left out.
//! Not here: how runs are judged (`borelli-study`).
//! In: runs of the gallery, some with lines and columns put in their place. Out: verdicts.

use super::*;
use crate::figure::Figure;
use crate::recorded::{PLANAR_FOOT, parsed, system};
use borelli_study::plan::{Plan, Time};
use borelli_study::run::{Outcome, Unwatched, run};

fn outcome(system: &System, analysis: Analysis, end: f64) -> Outcome {
    let plan = Plan { analysis, time: Time { start: 0.0, end, sample: Some(end / 50.0) }, ..Plan::default() };
    run(system, &plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()))
}

#[test]
fn a_run_is_told_with_its_span_its_end_and_its_numbers() {
    let system = parsed(PLANAR_FOOT);
    let outcome = outcome(&system, Analysis::Simulate, 0.5);
    let case = Case::of("", &system, &outcome);
    let ran = Ran { analysis: Analysis::Simulate, status: &outcome.status, system: &system, case: &case, judged: &[] };
    let text = outcome_sentence(&[ran], 0);
    assert!(text.starts_with("Simulated 0.5 s of motion, completed. Largest force of the ground "), "{text}");
    // A wheel rolls beside the foot: whose force it is must be said.
    assert!(
        text.contains(" N (on “Foot”); the mass centre ends ") && text.ends_with(" energy is accounted for to better than 0.001 %."),
        "{text}"
    );
    let stopped = Status::Stopped { event: "contact.sole.heel.touchdown".into(), t: 0.125 };
    let text = outcome_sentence(&[Ran { status: &stopped, ..ran }], 0);
    assert!(text.starts_with("Simulated 0.5 s of motion, ended by “Sole heel: touchdown” at 0.125 s."), "{text}");
    let failed = Status::Failed { t: 0.25, element: String::new(), reason: "no".into() };
    let text = outcome_sentence(&[Ran { status: &failed, ..ran }], 0);
    assert!(text.contains(", failed at 0.25 s.") && !text.contains("conserved"), "{text}");
    assert_eq!(outcome_sentence(&[], 0), "");
}

#[test]
fn energy_is_said_to_be_conserved_only_where_its_check_is_good() {
    let system = system("pendulum");
    let outcome = outcome(&system, Analysis::Simulate, 0.4);
    let mut case = Case::of("", &system, &outcome);
    let line = case.health.iter().position(|line| line.key == "energy_balance").expect("a check of energy");
    assert!(case.health[line].part.is_some_and(|part| part < 1e-3), "{}", case.health[line].text);
    let told = |case: &Case| {
        outcome_sentence(&[Ran { analysis: Analysis::Simulate, status: &outcome.status, system: &system, case, judged: &[] }], 0)
    };
    assert!(told(&case).contains("nergy is accounted for to better than 0.001 %"), "{}", told(&case));
    // What the line says in words is for people only: neither the label nor the text is read.
    case.health[line] = Health {
        label: "Energie".into(),
        value: Some(6e11),
        verdict: Verdict::Bad,
        part: Some(0.98),
        text: "1e-9 of what moves".into(),
        ..case.health[line].clone()
    };
    let text = told(&case);
    assert!(text.contains("Energy is NOT accounted for: off by ") && text.contains(" J (98 % of what moves)"), "{text}");
    assert!(!text.contains("accounted for to "), "{text}");
}

#[test]
fn several_cases_tell_the_numbers_of_the_main_one_and_how_far_others_are() {
    let system = system("pendulum");
    let outcomes = [0.2, 0.4].map(|end| outcome(&system, Analysis::Simulate, end));
    let cases = [("short-run", 0), ("long-run", 1)].map(|(name, k)| Case::of(name, &system, &outcomes[k]));
    let ran = |k: usize| Ran { analysis: Analysis::Simulate, status: &outcomes[k].status, system: &system, case: &cases[k], judged: &[] };
    let text = outcome_sentence(&[ran(0), ran(1)], 1);
    assert!(
        text.starts_with("Simulated 2 cases of up to 0.4 s, all ended as planned. In “Long run”: largest force of the support "),
        "{text}"
    );
    assert!(text.contains(" N (in “Short run” ") && !text.contains("mass centre"), "what hangs on a hinge goes nowhere: {text}");
    let other = outcome_sentence(&[ran(0), ran(1)], 0);
    assert!(other.contains("In “Short run”: ") && other.contains("(in “Long run” "), "{other}");
    let still = |k: usize| Ran { analysis: Analysis::Statics, ..ran(k) };
    assert!(outcome_sentence(&[still(0), still(1)], 0).starts_with("Found the equilibrium of 2 cases. "));
    let broken = Status::Interrupted { t: 0.1 };
    let text = outcome_sentence(&[Ran { status: &broken, ..ran(0) }, ran(1)], 1);
    assert!(text.contains(", of which “Short run” did not end as planned."), "{text}");
}

/// Balls that strike the floor each by itself have no force in common; the two feet of one body do.
#[test]
fn forces_are_summed_over_what_hangs_together_and_supports_are_told_one_by_one() {
    let system = system("restitution-balls");
    let outcome = outcome(&system, Analysis::Simulate, 0.03);
    let case = Case::of("", &system, &outcome);
    let ran = Ran { analysis: Analysis::Simulate, status: &outcome.status, system: &system, case: &case, judged: &[] };
    let told = ground::ground(&ran).expect("a force");
    let forces = || outcome.trajectory.columns().iter().enumerate().filter(|(_, column)| column.name.ends_with(".normal_force"));
    let largest = forces().flat_map(|(k, _)| outcome.trajectory.values(k)).copied().fold(0.0, f64::max);
    assert!(forces().count() == 7 && (told.value - largest).abs() < 1e-9 * largest, "{} {largest}", told.value);
    assert!(told.more.starts_with("on "), "{}", told.more);
    let system = crate::recorded::system("cyclist-leg");
    let outcome = super::tests::outcome(&system, Analysis::Simulate, 0.5);
    let case = Case::of("", &system, &outcome);
    let told = ground::ground(&Ran { system: &system, case: &case, ..ran }).expect("a force");
    let size = |prefix: &str| {
        let part = |axis: &str| outcome.trajectory.column(&format!("{prefix}.{axis}")).expect("a column");
        part("x").iter().zip(part("y")).map(|(x, y)| x.hypot(*y)).fold(0.0, f64::max)
    };
    let [axle, saddle] = [size("joint.axle_r.reaction.force"), size("guide.saddle_r.reaction")];
    assert!((told.value - axle.max(saddle)).abs() < 1e-9 * axle, "{} of {axle} and {saddle}", told.value);
}

/// The arm is still but for a blow at the first sample, which the end of a filter makes: it is no joint moment of the motion.
#[test]
fn extreme_values_are_those_of_samples_that_can_be_judged() {
    let system = system("double-pendulum");
    let outcome = outcome(&system, Analysis::Simulate, 0.5);
    let speed = system.names.speeds.iter().find(|speed| system.skeleton.parent[speed.joint as usize] != 0).expect("an inner joint");
    let column = format!("coord.{}.effort", speed.name);
    let mut table = borelli_data::Trajectory::new(vec![borelli_data::Column::new(column, "N m")]).expect("columns");
    for (t, moment) in [(0.0, 900.0), (0.1, -20.0), (0.2, 10.0), (0.3, -700.0), (0.4, 800.0)] {
        table.push_row(&[t, moment]).expect("a row");
    }
    let case = Case { trajectory: &table, ..Case::of("", &system, &outcome) };
    let told = |judged: &[bool]| {
        outcome_sentence(&[Ran { analysis: Analysis::Inverse, status: &Status::Completed, system: &system, case: &case, judged }], 0)
    };
    assert!(told(&[]).contains("Largest joint moment 900 N m") && !told(&[]).contains("judged"), "{}", told(&[]));
    let some = told(&[false, true, true, false, false]);
    assert!(some.contains("Largest joint moment 20 N m"), "{some}");
    assert!(some.ends_with(" Taken over the 2 of 5 samples that can be judged, between 0.1 and 0.2 s."), "{some}");
    let none = told(&[false; 5]);
    assert!(
        !none.contains("joint moment") && none.ends_with("No sample can be judged: none has a known motion and a ground reaction."),
        "{none}"
    );
}

#[test]
fn a_session_tells_numbers_of_walking() {
    let system = system("pendulum");
    let outcome = outcome(&system, Analysis::Simulate, 0.2);
    let case = Case::of("walk", &system, &outcome);
    let number =
        |quantity: &str, sides| super::super::gait::SidedNumber { quantity: quantity.into(), unit: "m/s".into(), sides, symmetry: None };
    let numbers = vec![number("cadence", [None, None]), number("speed", [Some((1.2, None, 1)), Some((1.4, Some(0.1), 2))])];
    let page = GaitPage { numbers, ..GaitPage::default() };
    let ran = Ran { analysis: Analysis::Inverse, status: &outcome.status, system: &system, case: &case, judged: &[] };
    assert_eq!(session_sentence(&[ran], &page), "Inverse dynamics of 0.2 s of motion, completed. Speed 1.3 m/s.");
    assert_eq!(session_sentence(&[ran], &GaitPage::default()), "Inverse dynamics of 0.2 s of motion, completed.");
}

#[test]
fn a_balance_says_whether_it_is_stable_and_how_it_swings() {
    let system = system("pendulum");
    let outcome = outcome(&system, Analysis::Statics, 1.0);
    let case = Case::of("", &system, &outcome);
    let text =
        outcome_sentence(&[Ran { analysis: Analysis::Statics, status: &outcome.status, system: &system, case: &case, judged: &[] }], 0);
    assert!(text.starts_with("Found the equilibrium. Stable, with a lowest frequency of ") && text.contains(" Hz"), "{text}");
}

#[test]
fn what_a_check_warns_of_is_not_compared_and_the_sentence_says_so() {
    let system = parsed(PLANAR_FOOT);
    let outcomes = [0.3, 0.5].map(|end| outcome(&system, Analysis::Simulate, end));
    let mut cases = [("sound", 0), ("sunk", 1)].map(|(name, k)| Case::of(name, &system, &outcomes[k]));
    let told = |cases: &[Case; 2]| {
        let ran =
            |k: usize| Ran { analysis: Analysis::Simulate, status: &outcomes[k].status, system: &system, case: &cases[k], judged: &[] };
        outcome_sentence(&[ran(0), ran(1)], 0)
    };
    let line = Health { key: "deepest_contact".into(), verdict: Verdict::Good, ..cases[0].health[0].clone() };
    cases.iter_mut().for_each(|case| case.health = vec![line.clone()]);
    assert!(told(&cases).contains("In “Sound”: ") && told(&cases).contains(" (in “Sunk” "), "{}", told(&cases));
    cases[1].health[0].verdict = Verdict::Look;
    let text = told(&cases);
    assert!(!text.contains(" (in “Sunk” ") && text.ends_with(" Not in these numbers, because a check warns of it: “Sunk”."), "{text}");
    // What a check warns of in the main case is told all the same: the page shows it.
    cases[0].health[0].verdict = Verdict::Look;
    let text = told(&cases);
    assert!(text.contains("In “Sound”: largest force") && text.ends_with(" Checks warn of every case, of this one too."), "{text}");
    cases[1].health[0].verdict = Verdict::Good;
    assert!(told(&cases).ends_with(" A check warns of “Sound”, whose numbers these are."), "{}", told(&cases));
}

/// The force of the support is what rounding leaves of a balance between two forces of 3000 N.
#[test]
fn rounding_is_no_force_of_the_support_and_a_balance_goes_nowhere() {
    let system = system("pendulum");
    let outcome = outcome(&system, Analysis::Simulate, 0.4);
    let joint = &Figure::of(&system).joints[0].name;
    let told = |support: f64, analysis: Analysis| {
        let names =
            [format!("joint.{joint}.reaction.force.x"), "path.load.force".into(), "system.center.x".into(), "system.center.y".into()];
        let columns = names.iter().zip(["N", "N", "m", "m"]).map(|(name, unit)| borelli_data::Column::new(name, unit)).collect();
        let mut table = borelli_data::Trajectory::new(columns).expect("columns");
        table.push_row(&[0.0, support, 3000.0, 0.0, 0.0]).expect("a row");
        table.push_row(&[1.0, support, 3000.0, 1.0, 0.0]).expect("a row");
        let case = Case { trajectory: &table, ..Case::of("", &system, &outcome) };
        outcome_sentence(&[Ran { analysis, status: &outcome.status, system: &system, case: &case, judged: &[] }], 0)
    };
    assert!(told(12.0, Analysis::Statics).contains("Largest force of the support 12 N"), "{}", told(12.0, Analysis::Statics));
    assert!(!told(5e-11, Analysis::Statics).contains("support"), "{}", told(5e-11, Analysis::Statics));
    assert!(!told(12.0, Analysis::Statics).contains("mass centre"), "{}", told(12.0, Analysis::Statics));
    assert!(!told(12.0, Analysis::Simulate).contains("mass centre"), "a hinge holds it: {}", told(12.0, Analysis::Simulate));
}

/// What was asked comes before forces and energy.
#[test]
fn results_of_fits_and_of_uncertainties_are_told() {
    use crate::report::fit::FitPage;
    use crate::report::uncertainty::{UncertainResult, UncertaintyPage};
    let system = system("pendulum");
    let outcome = outcome(&system, Analysis::Simulate, 0.4);
    let mut case = Case::of("", &system, &outcome);
    let told = |case: &Case, analysis: Analysis| {
        outcome_sentence(&[Ran { analysis, status: &outcome.status, system: &system, case, judged: &[] }], 0)
    };
    case.fit = Some(FitPage { objective: [117.66, 79.276], ..FitPage::default() });
    let text = told(&case, Analysis::Fit);
    assert!(text.starts_with("Fitted 0.4 s of motion, completed. Objective J from 117.7 at the start values to 79.28; "), "{text}");
    case.fit = None;
    let result = |name: &str, sampled, linear_sd| UncertainResult {
        name: name.into(),
        unit: "m".into(),
        nominal: Some(19.5),
        sampled,
        linear_sd,
        ..UncertainResult::default()
    };
    let results = vec![result("long-range", Some([19.544, 1.08, 17.52, 19.5, 21.71]), Some(1.0)), result("height", None, Some(0.4))];
    case.uncertainty = Some(UncertaintyPage { results, ..UncertaintyPage::default() });
    let text = told(&case, Analysis::Uncertainty);
    let numbers = "Long range 19.5 m on average, in 95 % of the runs 17.5 to 21.7 m; height 19.5 m, with a standard deviation of 0.4 m; ";
    assert!(text.contains(numbers), "{text}");
}
