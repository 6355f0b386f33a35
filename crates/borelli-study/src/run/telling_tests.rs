//! What a run tells about itself: why its integrator, what was left out or set aside, and what is wrong with its input.
//! Not here: what it computes (`tests`).

use super::engine::choose;
use super::tests::{MASS, PINNED, good, plan, system};
use super::*;
use crate::plan::{Derivatives, Motion, MotionSource, StartRule, Time};
use crate::read::{Files, StudyFile};
use borelli_data::Trajectory;

const SPRING: &str = "[force.spring]\ntype = \"coordinate-spring\"\ncoordinate = \"angle\"\nstiffness = \"4e6 N m/rad\"\n";

fn guide(name: &str, function: &str) -> String {
    format!("[guide.{name}]\ntype = \"coordinate\"\ncoordinate = \"x\"\nfunction = \"{function}\"\n")
}

fn line<'a>(outcome: &'a Outcome, key: &str) -> &'a HealthLine {
    outcome.health.iter().find(|line| line.key == key).unwrap_or_else(|| panic!("no line `{key}`"))
}

#[test]
fn a_model_is_judged_stiff_at_the_start_of_its_run_or_said_not_to_be_known() {
    let table = "[function.place]\ntype = \"table\"\nx = [1, 2]\ny = [0, 1]\noutside = \"error\"\n";
    let later = system(&format!("{MASS}{SPRING}{}{table}", guide("x", "place")));
    let at = |start: f64| Plan { time: Time { start, end: 2.0, sample: None }, start: StartRule::AsGiven, ..plan(2.0) };
    let choice = |system: &System, plan: &Plan| choose(system, plan, None, &mut Findings::new()).expect("a choice");
    // √(k/I) = 2000/s.
    let stiff = choice(&later, &at(1.5));
    assert_eq!(stiff.name, "rosenbrock");
    assert!(stiff.why.as_deref().is_some_and(|why| why.contains("force.spring")), "{:?}", stiff.why);
    let early = choice(&later, &at(0.0));
    assert_eq!(early.name, "dopri5");
    assert!(early.why.as_deref().is_some_and(|why| why.contains("not known") && why.contains("place")), "{:?}", early.why);
}

fn table(units: [&str; 3], row: impl Fn(f64) -> [f64; 3]) -> Trajectory {
    let names = ["x", "y", "angle"].map(|name| format!("coord.{name}.value"));
    let columns = names.iter().zip(units).map(|(name, unit)| borelli_data::Column::optional(name, unit)).collect();
    let mut table = Trajectory::foreign(columns).expect("columns");
    for k in 0..=50 {
        let t = 0.02 * f64::from(k);
        table.push_row(&[&[t], &row(t)[..]].concat()).expect("a row");
    }
    table
}

const SI: [&str; 3] = ["m", "m", "rad"];

fn inverse(motion: Trajectory) -> Plan {
    Plan {
        analysis: Analysis::Inverse,
        motion: Some(Motion { source: MotionSource::Table(motion), derivatives: Derivatives::Spline }),
        ..plan(1.0)
    }
}

#[test]
fn loops_that_a_table_leaves_out_are_named_and_their_gap_is_judged() {
    let pinned = system(&format!("{MASS}{PINNED}"));
    let round = |t: f64| [(0.3 * t).sin(), -(0.3 * t).cos(), 0.3 * t];
    let met = good(&pinned, &inverse(table(SI, round)));
    let kept = line(&met, "rows_left_out");
    assert_eq!((kept.value, kept.verdict), (Some(2.0), Verdict::Good), "{}", kept.text);
    let open = good(&pinned, &inverse(table(SI, |t| [0.0, -1.0, 0.3 * t])));
    let cut = line(&open, "rows_left_out");
    // The pin is as far from its place as the rod has turned: 2 sin 0.15 at the end, of which sin 0.3 is the larger part.
    assert_eq!(cut.verdict, Verdict::Look);
    assert!(cut.text.contains("0.2955 m or rad"), "{}", cut.text);
    let free = good(&system(MASS), &inverse(table(SI, round)));
    assert!(free.health.iter().all(|line| line.key != "rows_left_out"), "a model without rows leaves none out");
}

#[test]
fn a_table_of_motion_in_a_wrong_unit_or_with_a_gap_is_refused_for_that() {
    let system = system(MASS);
    let told = |motion: Trajectory| {
        let findings = check(&system, &inverse(motion)).expect_err("a fault");
        findings.iter().map(|finding| (finding.code, finding.message.clone())).collect::<Vec<_>>()
    };
    let unit = told(table(["kg", "m", "m"], |t| [t; 3]));
    assert_eq!(unit.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["motion-unit"; 2], "{unit:?}");
    assert!(unit[0].1.contains("`kg`") && unit[0].1.contains("`m`"), "{unit:?}");
    let gap = told(table(SI, |t| [t, if t > 0.71 { f64::NAN } else { t }, t]));
    assert_eq!((gap.len(), gap[0].0), (1, "motion-gap"), "{gap:?}");
    assert!(gap[0].1.contains("coord.y.value") && gap[0].1.contains("0.72 s"), "{gap:?}");
}

#[test]
fn redundant_rows_are_named() {
    let twice = system(&format!("{MASS}{}{}", guide("x", "0 m"), guide("again", "0 m")));
    let outcome = good(&twice, &plan(0.1));
    let aside = line(&outcome, "redundant_rows");
    assert_eq!(aside.value, Some(1.0));
    assert!(aside.text.contains("guide.again.coordinate"), "{}", aside.text);
    let once = good(&system(&format!("{MASS}{}", guide("x", "0 m"))), &plan(0.1));
    assert_eq!(line(&once, "redundant_rows").value, Some(0.0));
}

#[test]
fn a_balance_that_is_not_stable_says_so_in_words() {
    let hung = |springs: &[&str]| {
        let each = |name: &&str| format!("[force.{name}]\ntype = \"coordinate-spring\"\ncoordinate = \"{name}\"\nstiffness = 50\n");
        let text = springs.iter().map(each).collect::<String>();
        good(&system(&format!("{MASS}{text}")), &Plan { analysis: Analysis::Statics, ..plan(1.0) })
    };
    // 50/2 of the mass and 50/1 of its inertia.
    let (stable, neutral) = (hung(&["x", "y", "angle"]), hung(&["y", "angle"]));
    let (firm, loose) = (line(&stable, "stable"), line(&neutral, "stable"));
    assert!(
        firm.verdict == Verdict::Good && (firm.value.expect("a value") - 25.0).abs() < 1e-9 && firm.text.contains("is stable"),
        "{firm:?}"
    );
    assert!(loose.verdict == Verdict::Look && loose.value == Some(0.0) && loose.text.contains("neutral"), "{loose:?}");
}

#[test]
fn a_row_that_cannot_be_released_is_shown_where_it_is_written() {
    let study = "borelli = 1\ntitle = \"Let go\"\nmodel = \"ball\"\n[time]\nend = 1\n[[event]]\nname = \"now\"\nwhen = \"time - 0.5\"\n\
        action = \"release\"\nrelease = \"loop.nothing\"\n";
    let nowhere = Files::new(|_| Err(std::io::ErrorKind::NotFound.into()));
    let plan = StudyFile::parse("study.toml", study, nowhere).expect("a study").plan("", &[]).expect("a plan");
    let findings = check(&system(MASS), &plan).expect_err("a fault");
    let found = findings.iter().next().expect("a finding");
    assert_eq!(found.code, "unknown-row");
    let at = found.at.expect("a place");
    assert_eq!(&study[at.start as usize..at.end as usize], "\"loop.nothing\"");
}
