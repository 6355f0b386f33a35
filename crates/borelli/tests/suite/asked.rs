//! Only what is asked for is computed, and has the same bits as where everything is asked for.
//! Not here: what columns hold (`borelli-study`), how much it costs.

use crate::systems;
use borelli::dynamics::formulation::FORMULATIONS;
use borelli::dynamics::movement::audited;
use borelli::job::Job;
use borelli::studies::Studies;
use borelli::study::columns::{Columns, Look, Source};
use borelli::study::plan::Plan;
use borelli::study::run::{Outcome, Unwatched, run};
use borelli::study::states::{State, draw};
use borelli::{Model, System, compile};
use borelli_testkit::random::Random;

/// A state, and one close to it, so that a search of the second begins where the first ended.
fn states(name: &str, system: &System) -> Vec<State> {
    let mut random = Random::new(11);
    let state = (0..100).find_map(|_| draw(system, &mut random).ok()).unwrap_or_else(|| panic!("{name}: no state can be assembled"));
    let mut near = state.clone();
    near.q.iter_mut().enumerate().for_each(|(k, q)| *q += 1e-4 * (1.0 + k as f64 / 7.0));
    vec![state, near]
}

/// Bits of some columns at all states, with accelerations of the equations of motion and with given ones; nothing where a state cannot be looked at. A column that
/// nobody asks for keeps the NaN that stands there.
fn bits(system: &System, formulation: &str, states: &[State], asked: &[usize]) -> Option<Vec<Vec<u64>>> {
    let mut columns = Columns::new(system, formulation, true).ok()?.with_root_residual();
    asked.iter().for_each(|column| columns.ask(*column));
    let work: Vec<f64> = (0..audited(system)).map(|k| 0.1 * (k + 1) as f64).collect();
    let row_force = vec![0.7; system.names.rows.len()];
    let mut found = Vec::new();
    let mut values = vec![f64::NAN; columns.list().len()];
    for State { t, q, v, tau, .. } in states {
        for source in [Source::Forward, Source::Given { vdot: tau, row_force: &row_force }] {
            columns.fill(Look { t: *t, q, v, z: &[], source, work: Some(&work) }, &mut values).ok()?;
            found.push(values.iter().map(|value| value.to_bits()).collect());
        }
    }
    Some(found)
}

/// Compares columns that are asked for alone with the same ones among all others; how many there were.
fn compare_with_all(name: &str, system: &System, states: &[State]) -> usize {
    let mut compared = 0;
    for entry in FORMULATIONS {
        let Ok(columns) = Columns::new(system, entry.name, true) else { continue };
        let list = columns.with_root_residual().list().to_vec();
        let everything: Vec<usize> = (0..list.len()).collect();
        let Some(all) = bits(system, entry.name, states, &everything) else { continue };
        // Formulations that find everything at once are asked for some of the columns only.
        let stride = if entry.name == "articulated" { 1 } else { 1 + list.len() / 5 };
        for column in everything.iter().step_by(stride) {
            let single = bits(system, entry.name, states, &[*column]).unwrap_or_else(|| panic!("{name}: `{}`", list[*column].name));
            for (all, single) in all.iter().zip(&single) {
                assert_eq!(all[*column], single[*column], "{name}, {}: `{}`", entry.name, list[*column].name);
            }
            compared += 1;
        }
        let none = bits(system, entry.name, states, &[]).unwrap_or_else(|| panic!("{name}: nothing"));
        assert!(none.iter().flatten().all(|value| f64::from_bits(*value).is_nan()), "{name}: something that nobody asked for");
    }
    compared
}

#[test]
fn a_column_has_the_same_bits_whatever_else_is_asked_for() {
    let compared: usize = systems().map(|(name, system)| compare_with_all(name, &system, &states(name, &system))).sum();
    assert!(compared > 5000, "{compared}");
}

/// Two curved surfaces: where they touch is searched for, from where they did in the look before.
const EGGS: &str = r#"
borelli = 1
dimension = "spatial"
[body.egg]
mass = 1
inertia = [0.1, 0.2, 0.25]
[joint.egg]
type = "free"
parent = "world"
child = "egg"
[surface.egg]
type = "ellipsoid"
at = "egg"
a = 0.4
b = 0.6
c = 0.5
[surface.pebble]
type = "superellipsoid"
at = "world"
a = 0.7
b = 0.5
c = 0.35
p = 2.6
r = 3.2
[law.firm]
type = "hertz"
stiffness = 1e4
[contact.eggs]
a = "egg"
b = "pebble"
normal = "firm"
"#;

#[test]
fn a_search_begins_in_the_same_place_whatever_is_asked_for() {
    let model = Model::parse("eggs.toml", EGGS).unwrap_or_else(|rejected| panic!("{rejected}"));
    let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
    let state = |k: usize| {
        let x = 0.01 * k as f64;
        let q = vec![0.1 + x, 1.02 - 0.3 * x, 0.05 - x, 1.0, 0.3 + x, 0.2 - 2.0 * x, 0.1 + 0.5 * x];
        State { t: x, q, v: vec![0.1, -0.2, 0.3, 0.5, -0.4, 0.2], z: Vec::new(), tau: vec![0.5; 6] }
    };
    let states: Vec<State> = (0..8).map(state).collect();
    let depth = Columns::new(&system, "articulated", true).ok().and_then(|columns| {
        let depth = columns.list().iter().position(|column| column.name == "contact.eggs.depth")?;
        bits(&system, "articulated", &states, &[depth])
            .map(|found| found.into_iter().map(|row| f64::from_bits(row[depth])).collect::<Vec<_>>())
    });
    assert!(depth.as_ref().is_some_and(|depth| depth.iter().all(|depth| (1e-3..0.2).contains(depth))), "{depth:?}");
    assert!(compare_with_all("eggs", &system, &states) > 50);
}

/// A case of a study, with other columns recorded.
fn run_with(job: &Job, case: usize, columns: Vec<String>) -> Outcome {
    let task = &job.tasks[case];
    let plan = Plan { columns, ..task.plan.clone() };
    run(&task.system, &plan, None, &mut Unwatched).unwrap_or_else(|_| panic!("cannot be run"))
}

#[test]
fn a_run_is_the_same_whatever_it_records() {
    // Steps of an implicit scheme, which has accelerations of its own; rows that are let go by an event that looks at their forces; loops and guides; a mixed problem;
    // contacts, with laws that remember, patches, and mats; measured loads with the residual of a root; states of elements.
    for (study, case) in [
        ("03-dashpot", 1),
        ("18-release", 0),
        ("25-freewheel", 0),
        ("27-mixed-problems", 0),
        ("32-restitution", 0),
        ("35-rocking-ellipsoid", 0),
        ("44-heel-on-a-mat", 0),
        ("45-synthetic-walk", 0),
        ("54-maxwell-and-lag", 0),
        ("54-maxwell-and-lag", 5),
        ("54-maxwell-and-lag", 16),
    ] {
        let job = Job::of_study(&Studies::EMBEDDED.path(study), &Studies::EMBEDDED, &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
        let all = run_with(&job, case, vec!["*".into()]);
        let names: Vec<String> = all.trajectory.columns().iter().map(|column| column.name.clone()).collect();
        assert!(all.status.is_good() && names.len() > 10, "{study}: {:?}", all.status);
        let mut wanted: Vec<&String> = names.iter().step_by(1 + names.len() / 6).collect();
        wanted.extend(names.last());
        for name in wanted {
            let single = run_with(&job, case, vec![name.clone()]);
            let what = format!("{study}: `{name}`");
            assert_eq!(all.trajectory.time(), single.trajectory.time(), "{what}");
            for column in single.trajectory.columns() {
                let bits = |outcome: &Outcome| {
                    let values = outcome.trajectory.column(&column.name).unwrap_or_else(|| panic!("{what}"));
                    values.iter().map(|value| value.to_bits()).collect::<Vec<_>>()
                };
                assert_eq!(bits(&all), bits(&single), "{what}: `{}`", column.name);
            }
            assert_eq!((&all.status, &all.events, &all.scalars), (&single.status, &single.events, &single.scalars), "{what}");
            assert_eq!((&all.health, &all.end, &all.pressure), (&single.health, &single.end, &single.pressure), "{what}");
        }
    }
}
