//! Events of measured walks against times that another program found, and feet on measured plates.

use super::*;
use crate::axes::{Axes, Direction, heading};
use crate::format::c3d;
use crate::landmark::{Landmarks, Part, Role};
use crate::recording::{Clock, Event, EventKind, Plate, PlateKind, PointSeries, Recording, Side};
use crate::signal::{Butterworth, Correction, filter_seen};
use borelli_math::{Mat3, Vec3, vec3};
use borelli_testkit::reference;

/// Rows of numbers after the line that begins with `head`.
fn rows(text: &str, head: &str) -> Vec<Vec<f64>> {
    let body = text.lines().skip_while(|line| !line.starts_with(head)).skip(1);
    let rows = body.map(|line| line.split_whitespace().filter_map(|cell| cell.parse().ok()).collect::<Vec<f64>>());
    rows.filter(|row| row.len() > 3).collect()
}

/// Markers of the walking trial in m, in borelli's axes, low-pass filtered at 6 Hz.
fn markers(text: &str) -> Recording {
    let names = text.lines().nth(3).expect("names").split('\t').skip(2).map(str::trim).filter(|name| !name.is_empty());
    let rows = rows(text, "\t\tX1");
    let clock = Clock::even(60.0, 0.0, rows.len());
    let points = names.enumerate().map(|(k, name)| PointSeries {
        name: name.into(),
        position: rows.iter().map(|row| vec3(row[2 + 3 * k], row[3 + 3 * k], row[4 + 3 * k]).scale(1e-3)).collect(),
        seen: vec![true; rows.len()],
        residual: Vec::new(),
    });
    let mut recording = Recording { points: points.collect(), clock, ..Recording::default() };
    low_pass(&mut recording, 6.0);
    recording
}

fn low_pass(recording: &mut Recording, cutoff: f64) {
    let filter = Butterworth::low_pass(2, cutoff, recording.clock.rate, 2, Correction::Exact).expect("a filter");
    for point in &mut recording.points {
        for axis in 0..3 {
            let mut x: Vec<f64> = point.position.iter().map(|p| p.to_array()[axis]).collect();
            let _ = filter_seen(&mut x, &point.seen, &filter, None);
            for (place, value) in point.position.iter_mut().zip(x) {
                let mut entries = place.to_array();
                entries[axis] = value;
                *place = Vec3::from_array(entries);
            }
        }
    }
}

/// The two sets of columns of the ground reaction, right foot first.
fn plates(text: &str) -> [Plate; 2] {
    let rows = rows(text, "time");
    let clock = Clock::even(600.0, 0.0, rows.len());
    [0, 6].map(|from| {
        let triple = |at: usize| rows.iter().map(|row| vec3(row[1 + at], row[2 + at], row[3 + at])).collect::<Vec<_>>();
        let force = triple(from);
        Plate {
            name: from.to_string(),
            kind: PlateKind::Columns,
            corners: None,
            R_LP: Mat3::IDENTITY,
            center: Vec3::ZERO,
            clock: clock.clone(),
            loaded: force.iter().map(|f| f.y > THRESHOLD).collect(),
            moment: vec![Vec3::ZERO; force.len()],
            free_moment: vec![Vec3::ZERO; force.len()],
            cop: triple(from + 3),
            force,
            threshold: THRESHOLD,
            baseline: None,
        }
    })
}

fn read(path: &str) -> Option<String> {
    reference(path).map(|path| std::fs::read_to_string(path).expect("a reference file"))
}

const FOLDER: &str = "data/opensim-gait10dof";

fn trial() -> Option<Recording> {
    let (trc, mot) = read(&format!("{FOLDER}/subject01_walk.trc")).zip(read(&format!("{FOLDER}/subject01_walk_grf.mot")))?;
    Some(Recording { plates: plates(&mot).into(), ..markers(&trc) })
}

/// Side, strikes, offs.
type Times = [(Side, [f64; 2], [f64; 2]); 2];

const BY_FORCE: Times = [(Side::Right, [0.6182, 1.8522], [0.1648, 1.4086]), (Side::Left, [1.2452, 2.4588], [0.7882, 2.0171])];
const BY_ZENI: Times = [(Side::Right, [0.5997, 1.8293], [0.1740, 1.4156]), (Side::Left, [1.2179, 2.4347], [0.7964, 2.0272])];

fn assert_times(events: &[Event], expected: &Times, tolerance: f64) {
    for (side, strikes, offs) in expected {
        for (kind, times) in [(EventKind::FootStrike, strikes), (EventKind::FootOff, offs)] {
            let found: Vec<f64> = events.iter().filter(|e| e.side == Some(*side) && e.kind == kind).map(|e| e.time).collect();
            assert_eq!(found.len(), times.len(), "{side:?} {kind:?} {found:?}");
            for (a, b) in found.iter().zip(times) {
                assert!((a - b).abs() < tolerance, "{side:?} {kind:?} {found:?} {times:?}");
            }
        }
    }
}

fn standing(recording: &Recording) -> Vec<(Side, Contact)> {
    let list = assign_plates(recording, &Landmarks::of(recording, None), THRESHOLD);
    list.iter().filter_map(|a| a.whole_foot().map(|side| (side, a.contact))).collect()
}

#[test]
fn forces_give_the_times_of_the_reference() {
    let Some(recording) = trial() else { return };
    // The times of the reference are printed to 0.1 ms.
    assert_times(&force_events(&standing(&recording)), &BY_FORCE, 1e-4);
    // Exchanged columns change nothing: the feet are found by the centre of pressure.
    let mut exchanged = recording.clone();
    exchanged.plates.reverse();
    assert_times(&force_events(&standing(&exchanged)), &BY_FORCE, 1e-4);
    let sides = |recording: &Recording| standing(recording).iter().map(|(side, _)| *side).collect::<Vec<_>>();
    let (right, left) = (Side::Right, Side::Left);
    assert_eq!(
        sides(&recording),
        [right, right, right, left, left, left].map(|s| s)[..sides(&recording).len()],
        "plate 1 is the right foot's"
    );
    assert_eq!(sides(&exchanged)[0], left);
}

fn by_tracks(recording: &Recording, find: impl Fn(&FootTracks<'_>) -> Vec<Event>) -> Vec<Event> {
    let landmarks = Landmarks::of(recording, None);
    Side::BOTH.iter().flat_map(|side| find(&foot_tracks(recording, &landmarks, *side).expect("a foot"))).collect()
}

#[test]
fn zeni_gives_the_times_of_the_reference() {
    let Some(recording) = trial() else { return };
    let pelvis = pelvis_track(&recording, &Landmarks::of(&recording, None)).expect("a sacrum");
    let events = by_tracks(&recording, |foot| zeni_events(&recording.clock, foot, &pelvis));
    assert_times(&events, &BY_ZENI, 1e-3);
    // Precedence: forces win, and the differences are those the reference speaks of, 18 to 27 ms early and 7 to 10 ms late.
    let chosen =
        choose(&[Found { method: Method::Zeni, events }, Found { method: Method::Force, events: force_events(&standing(&recording)) }]);
    assert!(chosen.events.iter().all(|e| e.method == Method::Force));
    assert_eq!(chosen.differences.len(), 8);
    for difference in chosen.differences {
        let range = if difference.kind == EventKind::FootStrike { -0.028..-0.017 } else { 0.006..0.011 };
        assert!(range.contains(&difference.late), "{difference:?}");
    }
}

/// Every event by force that a detector should see, and what it says.
fn lateness(recording: &Recording, method: Method, events: Vec<Event>) -> Vec<Difference> {
    choose(&[Found { method, events }, Found { method: Method::Force, events: force_events(&standing(recording)) }]).differences
}

#[test]
fn foot_velocity_is_near_the_forces() {
    let Some(recording) = trial() else { return };
    let events = by_tracks(&recording, |foot| foot_velocity_events(&recording.clock, foot));
    let late = lateness(&recording, Method::FootVelocity, events);
    assert!(late.len() >= 7, "{late:?}");
    assert!(late.iter().all(|d| d.late.abs() < 0.06), "{late:?}");
}

/// Speed of the belt from the cycles that forces give.
fn belt_of(recording: &Recording) -> f64 {
    let events = force_events(&standing(recording));
    let landmarks = Landmarks::of(recording, None);
    let heel = |side| landmarks.index(Role::on(Part::Heel, side)).map(|k| &recording.points[k]).expect("a heel");
    let list: Vec<(Cycle, &PointSeries)> =
        Side::BOTH.into_iter().flat_map(|side| cycles(&events, side)).map(|cycle| (cycle, heel(cycle.side))).collect();
    belt_speed(&recording.clock, &list).expect("a speed")
}

#[test]
fn foot_speed_is_near_the_forces() {
    let Some(recording) = trial() else { return };
    // The trial is one on a treadmill; the belt is as fast as the foot that stands on it.
    let belt = belt_of(&recording);
    let events = by_tracks(&recording, |foot| ghoussayni_events(&recording.clock, foot, SLOW_FOOT, belt));
    let late = lateness(&recording, Method::FootSpeed, events);
    assert!(late.len() >= 7, "{late:?}");
    assert!(late.iter().all(|d| d.late.abs() < 0.06), "{late:?}");
}

#[test]
fn numbers_of_a_measured_walk_are_plausible() {
    let Some(recording) = trial() else { return };
    let events = force_events(&standing(&recording));
    let landmarks = Landmarks::of(&recording, None);
    let heel = |side| landmarks.index(Role::on(Part::Heel, side)).map(|k| &recording.points[k]);
    let belt = belt_of(&recording);
    let numbers: Vec<CycleNumbers> = Side::BOTH
        .into_iter()
        .flat_map(|side| cycles(&events, side).into_iter().map(move |cycle| (side, cycle)))
        .map(|(side, cycle)| cycle_numbers(&cycle, &recording.clock, heel(side), heel(side.other()), belt))
        .collect();
    assert_eq!(numbers.len(), 2);
    assert!((1.0..1.5).contains(&belt), "{belt}");
    for cycle in &numbers {
        assert!(cycle.get("stride_time").is_some_and(|t| (1.2..1.25).contains(&t)), "{cycle:?}");
        assert!(cycle.get("speed").is_some_and(|v| (1.0..1.5).contains(&v)), "{cycle:?}");
        assert!(cycle.get("stance").is_some_and(|s| (60.0..67.0).contains(&s)), "{cycle:?}");
        assert!(cycle.get("step_width").is_some_and(|w| (0.0..0.25).contains(&w)), "{cycle:?}");
    }
    // Body mass from the two whole stances of the trial: 72.6 kg in the model of this person.
    let list = assign_plates(&recording, &landmarks, THRESHOLD);
    let stances: Vec<(Side, &Plate, Contact)> = list
        .iter()
        .filter_map(|a| match a.standing {
            Standing::Foot(side) => Some((side, &recording.plates[a.plate], a.contact)),
            _ => None,
        })
        .collect();
    let time = numbers.iter().filter_map(|n| n.get("stride_time")).sum::<f64>() / 2.0;
    let mass = mass_from_stances(&stances, time).expect("a mass").mass;
    assert!((mass - 72.6).abs() < 0.03 * 72.6, "{mass}");
}

#[test]
fn walking_on_two_plates() {
    let Some(path) = reference("data/c3d-walking/walking5.c3d") else { return };
    let lab = c3d::read(&path, &c3d::C3dOptions::default()).expect("a recording");
    let recording = lab.turned(&Axes::of_recording(&lab, Direction::Z).rotation());
    let landmarks = Landmarks::of(&recording, None);
    assert_eq!(landmarks.unknown(), [] as [&str; 0]);
    assert!(crate::axes::look_upright(&recording, &landmarks).objections().is_empty());
    // The person walks along -x of the laboratory.
    let heading = heading(&recording, &landmarks, None).expect("a heading");
    assert_eq!(heading.forward, vec3(-1.0, 0.0, 0.0));
    let mut recording = recording.turned(&heading.turn);
    let found = assign_plates(&recording, &landmarks, THRESHOLD);
    let told: Vec<(usize, Standing)> = found.iter().map(|a| (a.plate, a.standing)).collect();
    assert_eq!(told.len(), 2, "{found:?}");
    assert!(told.iter().all(|(_, standing)| matches!(standing, Standing::Foot(_))) && told[0].1 != told[1].1, "{found:?}");
    low_pass(&mut recording, 6.0);
    let pelvis = pelvis_track(&recording, &landmarks).expect("a pelvis");
    let events = by_tracks(&recording, |foot| zeni_events(&recording.clock, foot, &pelvis));
    let late = lateness(&recording, Method::Zeni, events.clone());
    assert!(late.len() >= 2 && late.iter().all(|d| d.late.abs() < 0.03), "{late:?}");
    // The left heel lands beside its plate, 0.1 s before the plate notices; the right foot is on its plate entirely.
    assert_eq!(found.iter().map(|a| a.whole_foot()).collect::<Vec<_>>(), [None, Some(Side::Right)]);
    assert!((0.05..0.15).contains(&found[0].beyond), "{found:?}");
    // Mass from the right stance alone.
    let stances = [(Side::Right, &recording.plates[1], found[1].contact)];
    let time = cycles(&events, Side::Right)[0].duration();
    let mass = mass_from_stances(&stances, time).expect("a mass").mass;
    assert!((65.0..90.0).contains(&mass), "{mass} {time}");
}
