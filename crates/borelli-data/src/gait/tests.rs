//! A walk made by formulas, with known events and numbers; cycles and means; contacts and plates at their edges.

use super::ensemble::SAMPLES;
use super::peaks::peaks;
use super::*;
use crate::landmark::Landmarks;
use crate::recording::{Clock, Event, EventKind, Plate, PlateKind, PointSeries, Recording, Side};
use borelli_math::{Mat3, Vec3, vec3};

const T: f64 = 1.1;
const SPEED: f64 = 1.3;
const WIDTH: f64 = 0.11;
const STANCE: f64 = 0.62;

fn series(name: &str, position: Vec<Vec3<f64>>) -> PointSeries {
    PointSeries { name: name.into(), seen: vec![true; position.len()], position, residual: Vec::new() }
}

/// Where a heel that strikes at `phase` of the cycle is at a time: at rest during stance, a smooth step of one stride during swing.
fn heel(time: f64, phase: f64, z: f64) -> Vec3<f64> {
    let cycle = time / T - phase;
    let (whole, part) = (cycle.floor(), cycle - cycle.floor());
    let swing = ((part - STANCE) / (1.0 - STANCE)).max(0.0);
    let moved = swing - (std::f64::consts::TAU * swing).sin() / std::f64::consts::TAU;
    vec3((whole + phase + moved) * SPEED * T, 0.05 + 0.1 * (std::f64::consts::PI * swing).sin(), z)
}

/// A walk of `seconds` at `rate`: heels, toes 0.2 m ahead and a pelvis at constant speed. The right foot strikes at 0, T, 2 T; the left half a cycle later.
fn walk(seconds: f64, rate: f64) -> Recording {
    let clock = Clock::even(rate, 0.0, (seconds * rate) as usize + 1);
    let along = |f: &dyn Fn(f64) -> Vec3<f64>| clock.times().into_iter().map(f).collect::<Vec<_>>();
    let toe = vec3(0.2, 0.0, 0.0);
    let (r, l) = (0.5 * WIDTH, -0.5 * WIDTH);
    let points = vec![
        series("RHEE", along(&|t| heel(t, 0.0, r))),
        series("LHEE", along(&|t| heel(t, 0.5, l))),
        series("RTOE", along(&|t| heel(t, 0.0, r) + toe)),
        series("LTOE", along(&|t| heel(t, 0.5, l) + toe)),
        series("SACR", along(&|t| vec3(SPEED * t, 1.0, 0.0))),
    ];
    Recording { clock, points, ..Recording::default() }
}

/// Events of that walk in a stretch of time.
fn true_events(seconds: f64) -> Vec<Event> {
    let mut events = Vec::new();
    for (side, phase) in [(Side::Right, 0.0), (Side::Left, 0.5)] {
        for cycle in -1..20 {
            for (share, kind) in [(0.0, EventKind::FootStrike), (STANCE, EventKind::FootOff)] {
                let time = (f64::from(cycle) + phase + share) * T;
                if (0.0..=seconds).contains(&time) {
                    events.push(Event { time, kind, side: Some(side) });
                }
            }
        }
    }
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}

fn strike(time: f64, side: Side) -> Event {
    Event { time, kind: EventKind::FootStrike, side: Some(side) }
}

fn off(time: f64, side: Side) -> Event {
    Event { time, kind: EventKind::FootOff, side: Some(side) }
}

#[test]
fn a_synthetic_walk_has_the_events_it_was_made_with() {
    let recording = walk(4.0, 200.0);
    let landmarks = Landmarks::of(&recording, None);
    let pelvis = pelvis_track(&recording, &landmarks).expect("a pelvis");
    for side in Side::BOTH {
        let foot = foot_tracks(&recording, &landmarks, side).expect("a foot");
        // The heel is farthest ahead of the pelvis a little before it rests, at u with 1 - cos(2 pi u) = (1 - STANCE); the toe farthest behind where the
        // swing has that speed first: both follow from the formula of the swing.
        let u = (STANCE).acos() / std::f64::consts::TAU;
        let early = u * (1.0 - STANCE) * T;
        let events = zeni_events(&recording.clock, &foot, &pelvis);
        assert!(events.len() >= 6, "{events:?}");
        for event in &events {
            let shift = if event.kind == EventKind::FootStrike { early } else { -early };
            let nearest = true_events(4.5).into_iter().filter(|e| e.kind == event.kind && e.side == event.side);
            let error = nearest.map(|e| event.time + shift - e.time).min_by(|a, b| a.abs().total_cmp(&b.abs())).expect("an event");
            assert!(error.abs() < 2e-4, "{event:?} {error}");
        }
        // The speed of the heel passes 0.5 m/s where the formula says.
        let events = ghoussayni_events(&recording.clock, &foot, SLOW_FOOT, 0.0);
        assert!(events.len() >= 6);
        for event in events {
            let nearest = true_events(4.5).into_iter().filter(|e| e.kind == event.kind && e.side == event.side);
            let error = nearest.map(|e| event.time - e.time).min_by(|a, b| a.abs().total_cmp(&b.abs())).expect("an event");
            let sign = if event.kind == EventKind::FootStrike { -1.0 } else { 1.0 };
            assert!(error * sign > 0.0 && error.abs() < 0.06, "{event:?} {error}");
        }
    }
}

#[test]
fn feet_that_stay_under_the_pelvis_have_no_events() {
    // A figure carried along: heel and toe keep their distance from the pelvis but for tenths of a millimetre of noise.
    let mut recording = walk(4.0, 100.0);
    let noise = |k: usize| 1e-4 * (((k * 7919) % 101) as f64 / 101.0 - 0.5);
    for (point, ahead) in recording.points.iter_mut().zip([0.0, 0.0, 0.2, 0.2]) {
        for (k, place) in point.position.iter_mut().enumerate() {
            *place = vec3(SPEED * k as f64 / 100.0 + ahead + noise(k), 0.05 + noise(k + 50), place.z);
        }
    }
    let landmarks = Landmarks::of(&recording, None);
    let pelvis = pelvis_track(&recording, &landmarks).expect("a pelvis");
    for side in Side::BOTH {
        let foot = foot_tracks(&recording, &landmarks, side).expect("a foot");
        assert!(swing(&foot, &pelvis) < 2e-4);
        assert_eq!(zeni_events(&recording.clock, &foot, &pelvis), []);
        assert_eq!(foot_velocity_events(&recording.clock, &foot), []);
    }
}

#[test]
fn a_synthetic_walk_has_the_numbers_it_was_made_with() {
    // Strikes at frames, so that heels are known exactly: 1.1 s is 220 frames.
    let recording = walk(4.0, 200.0);
    let events = true_events(4.0);
    let mut numbers = Vec::new();
    for side in Side::BOTH {
        let list = cycles(&events, side);
        assert_eq!(list.len(), 3, "{list:?}");
        let [own, other] = if side == Side::Right { [0, 1] } else { [1, 0] };
        for cycle in &list {
            assert!(cycle.off.is_some() && cycle.other_off.is_some() && cycle.other_strike.is_some());
            numbers.push(cycle_numbers(cycle, &recording.clock, Some(&recording.points[own]), Some(&recording.points[other]), 0.0));
        }
    }
    let expected = [
        ("stride_time", T),
        ("cadence", 120.0 / T),
        ("stride_length", SPEED * T),
        ("speed", SPEED),
        ("step_time", 0.5 * T),
        ("step_length", 0.5 * SPEED * T),
        ("step_width", WIDTH),
        ("stance", 100.0 * STANCE),
        ("swing", 100.0 * (1.0 - STANCE)),
        ("single_support", 38.0),
        ("first_double_support", 12.0),
        ("second_double_support", 12.0),
    ];
    for cycle in &numbers {
        for (name, value) in expected {
            let found = cycle.get(name).expect(name);
            assert!((found - value).abs() < 1e-9, "{name} {found} {value}");
        }
    }
    let table = summary(&numbers, Some(0.9));
    let row = |name: &str| table.iter().find(|row| row.number.name == name).expect("a row");
    assert_eq!(row("speed").right.map(|s| s.count), Some(3));
    assert!(row("speed").both.is_some_and(|s| s.sd.is_some_and(|sd| sd < 1e-9)));
    assert!(row("speed").symmetry_index.is_some_and(|si| si.abs() < 1e-6) && row("speed").symmetry_angle.is_some_and(|a| a.abs() < 1e-6));
    // Hof: Froude numbers by hand.
    let g: f64 = 9.80665;
    for (name, value) in [
        ("speed", SPEED / (g * 0.9).sqrt()),
        ("stride_length", SPEED * T / 0.9),
        ("stride_time", T / (0.9 / g).sqrt()),
        ("cadence", 2.0 / T * (0.9 / g).sqrt()),
    ] {
        assert!((row(name).dimensionless.expect(name) - value).abs() < 1e-9, "{name}");
    }
    assert_eq!(row("stance").dimensionless, None);
    // A treadmill: the same cycle seen by somebody who walks along.
    let cycle = cycles(&events, Side::Right)[0];
    let standing = series(
        "RHEE",
        recording.points[0].position.iter().zip(recording.clock.times()).map(|(p, t)| *p - vec3(SPEED * t, 0.0, 0.0)).collect(),
    );
    let belt = belt_speed(&recording.clock, &[(cycle, &standing)]).expect("a speed");
    assert!((belt - SPEED).abs() < 1e-12);
    let numbers = cycle_numbers(&cycle, &recording.clock, Some(&standing), None, belt);
    assert!(numbers.get("stride_length").is_some_and(|length| (length - SPEED * T).abs() < 1e-9));
    assert_eq!(numbers.get("step_length"), None);
    // A heel that lifts before the other foot strikes leaves its print where it struck; with both feet on the belt a step is as long as on the ground.
    let lifted = |strike: f64, drift: f64| {
        let place = |(p, t): (&Vec3<f64>, f64)| *p + vec3(0.3 * (t - strike - 0.1).max(0.0) - drift * t, 0.0, 0.0);
        series("LHEE", recording.points[1].position.iter().zip(recording.clock.times()).map(place).collect())
    };
    let strike = cycle.other_strike.expect("a strike");
    for (own, drift, belt) in [(&recording.points[0], 0.0, 0.0), (&standing, SPEED, belt)] {
        let numbers = cycle_numbers(&cycle, &recording.clock, Some(own), Some(&lifted(strike, drift)), belt);
        let length = numbers.get("step_length").expect("a step");
        assert!((length - 0.5 * SPEED * T).abs() < 1e-9, "{length}");
    }
}

#[test]
fn one_strike_makes_no_cycle() {
    assert!(cycles(&[], Side::Right).is_empty());
    assert!(cycles(&[strike(1.0, Side::Right)], Side::Right).is_empty());
    assert!(cycles(&[strike(1.0, Side::Right), strike(2.0, Side::Left)], Side::Right).is_empty());
    // Two strikes and nothing else are a cycle without supports.
    let bare = cycles(&[strike(1.0, Side::Right), strike(2.0, Side::Right)], Side::Right);
    assert_eq!(bare.len(), 1);
    let numbers = cycle_numbers(&bare[0], &Clock::even(100.0, 0.0, 0), None, None, 0.0);
    assert_eq!((numbers.get("stride_time"), numbers.get("stance"), numbers.get("speed")), (Some(1.0), None, None));
    assert!(summary(&[], None).iter().all(|row| row.both.is_none() && row.symmetry_index.is_none()));
}

#[test]
fn a_missed_strike_makes_no_long_cycle() {
    let events: Vec<Event> = true_events(6.0)
        .into_iter()
        .filter(|e| !(e.side == Some(Side::Right) && e.kind == EventKind::FootStrike && (e.time - 2.2).abs() < 0.01))
        .collect();
    let list = cycles(&events, Side::Right);
    assert!(list.iter().all(|cycle| (cycle.duration() - T).abs() < 1e-12), "{list:?}");
    assert_eq!(list.len(), 3);
}

#[test]
fn short_knocks_are_no_contacts() {
    let clock = Clock::even(100.0, 1.0, 100);
    let mut load = vec![0.0; 100];
    load[10..15].fill(500.0);
    load[40..60].fill(40.0);
    let list = contacts(&clock, &load, 20.0, 0.1);
    assert_eq!(list.len(), 1);
    // Half way between samples 39 and 40, and between 59 and 60.
    assert!((list[0].strike.expect("a strike") - 1.395).abs() < 1e-12 && (list[0].off.expect("an off") - 1.595).abs() < 1e-12);
    assert_eq!((list[0].first, list[0].last), (40, 59));
    assert_eq!(contacts(&clock, &load, 20.0, 0.0).len(), 2);
    assert!(contacts(&clock, &[0.0; 100], 20.0, 0.1).is_empty());
    assert!(contacts(&clock, &[], 20.0, 0.1).is_empty());
}

#[test]
fn a_contact_at_the_start_has_no_strike() {
    let clock = Clock::even(100.0, 0.0, 50);
    let load: Vec<f64> = (0..50).map(|k| if !(20..40).contains(&k) { 100.0 } else { 0.0 }).collect();
    let list = contacts(&clock, &load, 20.0, 0.1);
    assert_eq!(list.len(), 2);
    assert_eq!((list[0].strike, list[1].off), (None, None));
    assert_eq!(list[0].span(&clock).0, 0.0);
    let events = force_events(&[(Side::Left, list[0]), (Side::Left, list[1])]);
    assert_eq!(events.iter().map(|e| e.kind.clone()).collect::<Vec<_>>(), [EventKind::FootOff, EventKind::FootStrike]);
    // Loaded throughout: a contact, but no event. Loaded from the first sample on exactly at the threshold: not yet.
    let all = contacts(&clock, &[100.0; 50], 20.0, 0.1);
    assert!(all.len() == 1 && force_events(&[(Side::Right, all[0])]).is_empty());
    let at_first: Vec<f64> = (0..50).map(|k| 20.0 + f64::from(k)).collect();
    assert_eq!(contacts(&clock, &at_first, 20.0, 0.1)[0].strike, Some(0.0));
}

#[test]
fn a_foot_on_two_plates_strikes_once() {
    let contact = |strike, off| Contact { first: 0, last: 1, strike: Some(strike), off: Some(off) };
    let events = force_events(&[(Side::Right, contact(1.0, 1.5)), (Side::Right, contact(1.2, 1.7)), (Side::Left, contact(1.6, 2.2))]);
    assert_eq!(events, [strike(1.0, Side::Right), strike(1.6, Side::Left), off(1.7, Side::Right), off(2.2, Side::Left)]);
}

#[test]
fn kinetics_need_the_whole_stance_on_plates() {
    let clock = Clock::even(1000.0, 0.0, 3000);
    let contact = |strike: f64, off: f64| Contact {
        first: (1e3 * strike) as usize,
        last: (1e3 * off) as usize,
        strike: Some(strike),
        off: Some(off),
    };
    let cycle = Cycle { side: Side::Right, start: 1.0, end: 2.1, off: Some(1.65), other_off: None, other_strike: None };
    let on = |list: &[(Side, Contact)]| cycle.on_plates(&list.iter().map(|(side, c)| (*side, &clock, *c)).collect::<Vec<_>>());
    assert!(on(&[(Side::Right, contact(1.01, 1.64))]));
    assert!(on(&[(Side::Right, contact(1.0, 1.4)), (Side::Right, contact(1.3, 1.65))]), "from plate to plate");
    assert!(!on(&[(Side::Right, contact(1.0, 1.4))]), "left the plate early");
    assert!(!on(&[(Side::Right, contact(1.2, 1.65))]), "came to the plate late");
    assert!(!on(&[(Side::Left, contact(1.0, 1.65))]) && !on(&[]));
    assert!(!Cycle { off: None, ..cycle }.on_plates(&[(Side::Right, &clock, contact(1.0, 1.65))]));
}

#[test]
fn the_file_wins_over_forces_and_forces_over_markers() {
    let found = [
        Found { method: Method::Zeni, events: vec![strike(0.98, Side::Right), strike(2.1, Side::Right), off(1.6, Side::Right)] },
        Found { method: Method::Force, events: vec![strike(1.0, Side::Right), strike(1.5, Side::Left)] },
        Found {
            method: Method::File,
            events: vec![strike(1.01, Side::Right), Event { time: 0.3, kind: EventKind::Other("Event".into()), side: None }],
        },
    ];
    let chosen = choose(&found);
    let told: Vec<(f64, Method)> = chosen.events.iter().map(|e| (e.event.time, e.method)).collect();
    assert_eq!(told, [(1.01, Method::File), (1.5, Method::Force), (1.6, Method::Zeni), (2.1, Method::Zeni)]);
    let late: Vec<(Method, f64)> = chosen.differences.iter().map(|d| (d.other, (1e3 * d.late).round())).collect();
    assert_eq!(late, [(Method::Force, -10.0), (Method::Zeni, -30.0)]);
    assert_eq!(choose(&[]), Chosen::default());
}

#[test]
fn a_peak_between_samples_is_found_where_it_is() {
    let clock = Clock::even(50.0, 2.0, 40);
    let x: Vec<f64> = clock.times().iter().map(|t| 1.0 - (t - 2.333).powi(2)).collect();
    let seen = vec![true; 40];
    let found = peaks(&clock, &x, &seen, 0.0, 0.5);
    assert!(found.len() == 1 && (found[0] - 2.333).abs() < 1e-12, "{found:?}");
    // Not in a gap, not at an end, not below the floor, the higher of two neighbours.
    let mut hidden = seen.clone();
    hidden[17] = false;
    assert!(peaks(&clock, &x, &hidden, 0.0, 0.5).is_empty());
    assert!(peaks(&clock, &x, &seen, 2.0, 0.5).is_empty());
    let falling: Vec<f64> = (0..40).map(|k| -f64::from(k)).collect();
    assert!(peaks(&clock, &falling, &seen, -99.0, 0.5).is_empty());
    let two: Vec<f64> = clock.times().iter().map(|t| (40.0 * t).sin() + t).collect();
    assert_eq!(peaks(&clock, &two, &seen, 0.0, 10.0).len(), 1);
    assert!(peaks(&Clock::even(1.0, 0.0, 1), &[1.0], &[true], 0.0, 0.5).is_empty());
}

#[test]
fn a_cubic_comes_back_exactly_at_101_samples() {
    let clock = Clock::even(60.0, 0.0, 121);
    let cubic = |t: f64| 1.0 + t * (2.0 + t * (-3.0 + 0.7 * t));
    let times = clock.times();
    let values: Vec<f64> = times.iter().map(|t| cubic(*t)).collect();
    let curve = resample(&times, &values, &[], 0.513, 1.601).expect("a curve");
    assert_eq!(curve.len(), SAMPLES);
    for (k, y) in curve.iter().enumerate() {
        assert!((y - cubic(0.513 + 1.088 * k as f64 / 100.0)).abs() < 1e-12);
    }
    // Exactly the record is covered; beyond it and across a gap there is nothing.
    assert!(resample(&times, &values, &[], 0.0, 2.0).is_some());
    assert!(resample(&times, &values, &[], -0.1, 1.0).is_none() && resample(&times, &values, &[], 1.0, 2.1).is_none());
    let mut seen = vec![true; 121];
    seen[60] = false;
    assert!(resample(&times, &values, &seen, 0.513, 1.601).is_none());
    assert!(resample(&times, &values, &seen, 1.1, 1.6).is_some());
    assert!(resample(&[], &[], &[], 0.0, 1.0).is_none());
}

#[test]
fn mean_and_spread_are_those_of_the_textbook() {
    let three = ensemble(&[vec![1.0, 5.0], vec![2.0, 5.0], vec![6.0, 5.0]]).expect("a mean");
    assert_eq!(three.mean, [3.0, 5.0]);
    // (4 + 1 + 9)/2 = 7
    assert!(three.sd.is_some_and(|sd| (sd[0] - 7.0_f64.sqrt()).abs() < 1e-15 && sd[1] == 0.0));
    let one = ensemble(&[vec![1.0, 2.0]]).expect("a mean");
    assert_eq!((one.sd, one.outlying), (None, vec![false]));
    assert_eq!(ensemble(&[]), None);
    assert_eq!(ensemble(&[vec![1.0], vec![1.0, 2.0]]), None);
}

#[test]
fn one_wild_cycle_is_marked() {
    let curve = |shift: f64| -> Vec<f64> { (0..SAMPLES).map(|k| (0.06 * k as f64).sin() + shift).collect() };
    let mut curves: Vec<Vec<f64>> = [-0.02, -0.01, 0.0, 0.012, 0.021].map(curve).into();
    assert!(ensemble(&curves).is_some_and(|e| e.outlying.iter().all(|mark| !mark)));
    curves.push(curve(0.3));
    assert_eq!(ensemble(&curves).map(|e| e.outlying), Some(vec![false, false, false, false, false, true]));
    // Equal curves have no outliers.
    assert!(ensemble(&vec![curve(0.0); 6]).is_some_and(|e| e.outlying.iter().all(|mark| !mark)));
}

#[test]
fn symmetry_is_guarded_where_the_sum_vanishes() {
    assert!(symmetry_index(1.2, 0.8, 1.2).is_some_and(|index| (index - 40.0).abs() < 1e-12));
    assert!(symmetry_angle(1.0, 1.0, 1.0).is_some_and(|angle| angle.abs() < 1e-12));
    assert!(symmetry_angle(0.0, 1.0, 1.0).is_some_and(|angle| (angle + 50.0).abs() < 1e-12));
    for guarded in [symmetry_index, symmetry_angle] {
        assert_eq!(guarded(0.5, -0.45, 1.0), None);
        assert_eq!(guarded(0.0, 0.0, 0.0), None);
        assert_eq!(guarded(f64::NAN, 0.0, 1.0), None);
    }
}

#[test]
fn an_outline_is_widened_evenly() {
    let square = Outline::of(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]);
    assert_eq!(square.distance([0.3, 0.9]), 0.0);
    assert!((square.distance([1.3, 1.4]) - 0.5).abs() < 1e-15 && (square.distance([0.5, -0.2]) - 0.2).abs() < 1e-15);
    let line = Outline::of(&[[0.0, 0.0], [2.0, 0.0]]);
    assert!((line.distance([1.0, 0.1]) - 0.1).abs() < 1e-15 && (line.distance([-3.0, 4.0]) - 5.0).abs() < 1e-15);
    assert_eq!(Outline::of(&[]).distance([0.0, 0.0]), f64::INFINITY);
    assert!((Outline::of(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]).distance([1.0, 0.2]) - 0.2).abs() < 1e-15);
}

/// A plate in borelli's axes whose load is on from one time to another, with a centre of pressure of its own.
fn plate(name: &str, on: (f64, f64), load: f64, cop: impl Fn(f64) -> Vec3<f64>) -> Plate {
    let clock = Clock::even(1000.0, 0.0, 4000);
    let times = clock.times();
    let loaded: Vec<bool> = times.iter().map(|t| *t > on.0 && *t < on.1).collect();
    let force: Vec<Vec3<f64>> = loaded.iter().map(|on| if *on { vec3(0.0, load, 0.0) } else { Vec3::ZERO }).collect();
    Plate {
        name: name.into(),
        kind: PlateKind::Platform(2),
        corners: None,
        R_LP: Mat3 { x: vec3(1.0, 0.0, 0.0), y: vec3(0.0, 0.0, 1.0), z: vec3(0.0, -1.0, 0.0) },
        center: Vec3::ZERO,
        cop: times.iter().zip(&loaded).map(|(t, on)| if *on { cop(*t) } else { Vec3::ZERO }).collect(),
        moment: vec![Vec3::ZERO; 4000],
        free_moment: vec![Vec3::ZERO; 4000],
        clock,
        force,
        loaded,
        threshold: 20.0,
        baseline: None,
    }
}

#[test]
fn exchanged_plates_are_still_given_to_the_right_feet() {
    // Right stance from T to T + 0.62 T, left from 1.5 T; the centre of pressure goes from heel to toe.
    let under = |phase: f64, from: f64, z: f64| move |t: f64| heel(from, phase, z) + vec3(0.2 * (t - from) / (STANCE * T), -0.05, 0.0);
    let right = plate("1", (T, (1.0 + STANCE) * T), 700.0, under(0.0, T, 0.5 * WIDTH));
    let left = plate("2", (1.5 * T, (1.5 + STANCE) * T), 700.0, under(0.5, 1.5 * T, -0.5 * WIDTH));
    for order in [[Side::Right, Side::Left], [Side::Left, Side::Right]] {
        let plates = order.map(|side| if side == Side::Right { right.clone() } else { left.clone() });
        let recording = Recording { plates: plates.into(), ..walk(3.9, 200.0) };
        let found = assign_plates(&recording, &Landmarks::of(&recording, None), THRESHOLD);
        let told: Vec<Standing> = found.iter().map(|a| a.standing).collect();
        assert_eq!(told, order.map(Standing::Foot), "{found:?}");
        assert!(found.iter().all(|a| a.notice(&recording.plates[a.plate]).is_none()));
    }
}

#[test]
fn two_feet_on_a_plate_are_double() {
    // Both feet stand for a while; the pressure is first under one, then between, then under the other.
    let standing = |name: &str, x: f64, z: f64| series(name, vec![vec3(x, 0.03, z); 401]);
    let points = vec![standing("RHEE", 0.0, 0.1), standing("RTOE", 0.2, 0.1), standing("LHEE", 0.3, -0.1), standing("LTOE", 0.5, -0.1)];
    let with = |cop: fn(f64) -> Vec3<f64>, points: Vec<PointSeries>| {
        let recording = Recording {
            clock: Clock::even(100.0, 0.0, 401),
            points,
            plates: vec![plate("1", (1.0, 2.0), 700.0, cop)],
            ..Recording::default()
        };
        let found = assign_plates(&recording, &Landmarks::of(&recording, None), THRESHOLD);
        let notice = found[0].notice(&recording.plates[0]);
        (found[0].standing, found[0].score, notice)
    };
    let (double, score, notice) = with(|t| vec3(0.1 + 0.3 * (t - 1.0), 0.0, 0.1 - 0.2 * (t - 1.0)), points.clone());
    assert_eq!(double, Standing::Double, "{score:?}");
    assert!(notice.is_some_and(|text| text.contains("both feet")));
    assert_eq!(with(|_| vec3(2.0, 0.0, 2.0), points.clone()).0, Standing::Nobody);
    assert_eq!(with(|_| vec3(0.1, 0.0, 0.12), points.clone()).0, Standing::Foot(Side::Right));
    // A foot that nobody sees cannot be excluded by its markers; the other one is clear enough.
    assert_eq!(with(|_| vec3(0.1, 0.0, 0.12), points[..2].to_vec()).0, Standing::Foot(Side::Right));
    assert_eq!(with(|_| vec3(0.1, 0.0, 0.12), Vec::new()).0, Standing::Nobody);
}

#[test]
fn a_foot_beyond_the_edge_is_told() {
    let points: Vec<PointSeries> = [("RHEE", 0.0), ("RTOE", 0.2)].map(|(name, x)| series(name, vec![vec3(x, 0.03, 0.1); 401])).into();
    let with = |edge: f64| {
        let corners = [(edge, -0.5), (1.0, -0.5), (1.0, 0.5), (edge, 0.5)].map(|(x, z)| vec3(x, 0.0, z));
        let plate = Plate { corners: Some(corners), ..plate("1", (1.0, 2.0), 700.0, |_| vec3(0.15, 0.0, 0.1)) };
        let recording =
            Recording { clock: Clock::even(100.0, 0.0, 401), points: points.clone(), plates: vec![plate], ..Recording::default() };
        let found = assign_plates(&recording, &Landmarks::of(&recording, None), THRESHOLD).remove(0);
        (found.whole_foot(), found.standing, found.notice(&recording.plates[0]))
    };
    assert_eq!(with(0.02), (Some(Side::Right), Standing::Foot(Side::Right), None));
    let (whole, standing, notice) = with(0.08);
    assert_eq!((whole, standing), (None, Standing::Foot(Side::Right)));
    assert!(notice.is_some_and(|text| text.contains("right foot reaches 8 cm beyond")));
}

#[test]
fn the_mass_of_a_walker_follows_from_two_stances() {
    // Stances of 0.62 T that carry the weight together: the mean of each is half the weight over the cycle.
    let weight = 70.0 * 9.80665;
    let load = 0.5 * weight / STANCE;
    let right = plate("1", (0.3, 0.3 + STANCE * T), load, |_| Vec3::ZERO);
    let left = plate("2", (0.9, 0.9 + STANCE * T), load, |_| Vec3::ZERO);
    let stance = |plate: &Plate| contacts(&plate.clock, &plate.normal_load(), THRESHOLD, SHORTEST_CONTACT)[0];
    let list = [(Side::Right, &right, stance(&right)), (Side::Left, &left, stance(&left))];
    let found = mass_from_stances(&list, T).expect("a mass");
    // Two samples of 682 at most are lost at the ends.
    assert!((found.mass - 70.0).abs() < 0.15, "{found:?}");
    let one = mass_from_stances(&list[..1], T).expect("a mass");
    assert!((one.mass - 70.0).abs() < 0.15 && one.how.contains("taken to be equal"), "{one:?}");
    assert_eq!(mass_from_stances(&list, 0.0), None);
    let cut = Contact { off: None, ..list[1].2 };
    assert_eq!(mass_from_stances(&[(Side::Left, &left, cut)], T), None);
}

#[test]
fn the_mass_of_a_person_who_stands_is_the_mean_force() {
    let half = plate("1", (-1.0, 9.0), 350.0, |_| Vec3::ZERO);
    let found = mass_from_standing(&[half.clone(), half.clone()]).expect("a mass");
    assert!((found.mass - 700.0 / 9.80665).abs() < 1e-12);
    assert_eq!(mass_from_standing(&[plate("1", (1.0, 2.0), 700.0, |_| Vec3::ZERO)]), None);
    assert_eq!(mass_from_standing(&[]), None);
}
