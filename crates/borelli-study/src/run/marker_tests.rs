//! Runs from markers: what lies beyond the window, exchanged markers, stopping, what is known before, and loads that cover part of the time.

use super::tests::{good, system, value};
use super::*;
use crate::measured::{
    Correction, Cutoff, Filter, FilterOf, FilterRule, Frames, LoadCutoff, LoadFile, LoadInterpolation, LoadOutside, LoadRule, Markers,
    Method,
};
use crate::plan::{Derivatives, Motion, MotionSource, Time};
use borelli_data::Recording;
use borelli_data::recording::{Clock, Plate, PlateKind, PointSeries};
use borelli_math::{Mat3, Vec3, vec3};
use std::cell::Cell;
use std::f64::consts::TAU;
use std::sync::Arc;

/// A rod on a hinge with three markers.
const ROD: &str = "borelli = 1\ndimension = \"planar\"\n[body.rod]\nmass = 2\ncenter = [0, -0.4]\ninertia = 0.1\n[joint.pivot]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"rod\"\n\
    [marker.a]\nbody = \"rod\"\nlocation = [0.1, -0.2]\nweight = 3\n[marker.b]\nbody = \"rod\"\nlocation = [-0.1, -0.5]\n[marker.c]\nbody = \"rod\"\nlocation = [0, -0.8]\n";
const RATE: f64 = 100.0;

fn angle(t: f64) -> f64 {
    0.5 * (TAU * 0.9 * t + 0.4).sin() + 0.1 * (TAU * 2.1 * t).cos()
}

/// Markers of the rod in so many frames.
fn recording(count: usize) -> Recording {
    let places = [("a", [0.1, -0.2]), ("b", [-0.1, -0.5]), ("c", [0.0, -0.8])];
    let at = |[x, y]: [f64; 2], t: f64| {
        let (s, c) = angle(t).sin_cos();
        vec3(c * x - s * y, s * x + c * y, 0.0)
    };
    let point = |(name, place): (&str, [f64; 2])| PointSeries {
        name: name.into(),
        position: (0..count).map(|k| at(place, k as f64 / RATE)).collect(),
        seen: vec![true; count],
        residual: Vec::new(),
    };
    Recording { clock: Clock::even(RATE, 0.0, count), points: places.map(point).to_vec(), ..Recording::default() }
}

fn markers(recording: Recording) -> Markers {
    Markers {
        path: "rod.trc".into(),
        recording: Arc::new(recording),
        R_ML: Mat3::IDENTITY,
        weights: Vec::new(),
        names: Vec::new(),
        max_gap: 0.1,
        tasks: Vec::new(),
        frames: Frames::Single,
        method: Method::Markers,
        mend_swaps: false,
        notes: Vec::new(),
    }
}

fn butterworth(of: FilterOf, cutoff: f64) -> Option<Filter> {
    Some(Filter { of, rule: FilterRule::Butterworth { cutoff: Cutoff::At(cutoff), order: 2, correction: Correction::Exact, pad: None } })
}

fn plan(markers: Markers, start: f64, end: f64) -> Plan {
    Plan {
        analysis: Analysis::Inverse,
        motion: Some(Motion { source: MotionSource::Markers, derivatives: Derivatives::Quintic }),
        markers: Some(markers),
        filter: butterworth(FilterOf::Coordinates, 6.0),
        time: Time { start, end, sample: None },
        ..Plan::default()
    }
}

/// The frames around a window support filter and splines at its ends; a recording that ends there does not have them.
#[test]
fn the_ends_of_a_window_are_as_good_as_its_middle() {
    let rod = system(ROD);
    let whole = good(&rod, &plan(markers(recording(301)), 0.0, 3.0)).trajectory;
    let window = good(&rod, &plan(markers(recording(301)), 1.0, 2.0)).trajectory;
    assert_eq!((window.len(), window.time()[0]), (101, 1.0));
    let mut cut = recording(201);
    cut.clock = Clock::even(RATE, 1.0, 101);
    cut.points.iter_mut().for_each(|point| {
        point.position.drain(..100);
        point.seen.drain(..100);
    });
    let cut = good(&rod, &plan(markers(cut), 1.0, 2.0)).trajectory;
    let off = |own: &borelli_data::Trajectory, column: &str| {
        (0..101).map(|k| (value(own, column, k) - value(&whole, column, k + 100)).abs()).fold(0.0, f64::max)
    };
    // Accelerations reach 33 rad/s²; half a second away a filter at 6 Hz has forgotten its end.
    let (with, without) = (off(&window, "coord.pivot.accel"), off(&cut, "coord.pivot.accel"));
    assert!(with < 1e-3 && without > 1.0, "{with} {without}");
    assert!(off(&window, "coord.pivot.value") < 1e-6);
}

/// Start and end between frames: the frames between them, none before and none after. Times that a file has rounded still name their frame.
#[test]
fn a_window_between_frames_records_only_what_lies_in_it() {
    let rod = system(ROD);
    for (start, end, first, last) in [(1.004, 2.006, 1.01, 2.0), (1.006, 2.004, 1.01, 2.0), (1.0004, 1.9996, 1.0, 2.0)] {
        let outcome = good(&rod, &plan(markers(recording(301)), start, end));
        let time = outcome.trajectory.time();
        let (from, to) = (time[0], time[time.len() - 1]);
        assert!((from - first).abs() < 1e-9 && (to - last).abs() < 1e-9, "{start} to {end}: {from} to {to}");
        let frames = outcome.scalars.iter().find(|s| s.name == "marker.a.frames").map(|s| s.value);
        assert_eq!(frames, Some(time.len() as f64));
    }
}

/// Frames beyond the window count neither in errors nor in columns, and those that are not seen do no harm.
#[test]
fn frames_beyond_the_window_are_not_told() {
    let rod = system(ROD);
    let mut recording = recording(301);
    for frame in (0..90).chain(250..301) {
        recording.points.iter_mut().for_each(|point| point.seen[frame] = false);
    }
    let outcome = good(&rod, &plan(markers(recording), 1.0, 2.0));
    let number = |name: &str| outcome.scalars.iter().find(|s| s.name == name).map(|s| s.value);
    assert_eq!(number("marker.a.frames"), Some(101.0));
    assert!(outcome.health.iter().all(|line| !["bridged", "unobserved", "few_frames"].contains(&line.key)), "{:?}", outcome.health);
    assert!((value(&outcome.trajectory, "coord.pivot.value", 50) - angle(1.5)).abs() < 0.02);
}

#[test]
fn a_handful_of_frames_is_told_to_be_too_few() {
    let rod = system(ROD);
    let few = |count: usize| {
        let mut plan = plan(markers(recording(count)), 0.0, (count - 1) as f64 / RATE);
        plan.filter = None;
        good(&rod, &plan).health.iter().find(|line| line.key == "few_frames").map(|line| line.verdict)
    };
    assert_eq!((few(2), few(10), few(11)), (Some(Verdict::Bad), Some(Verdict::Bad), None));
}

/// Looks on, and ends the run after so many frames.
struct Impatient {
    seen: usize,
    most: usize,
    asked: Cell<usize>,
}

impl Watch for Impatient {
    fn progress(&mut self, _t: f64, _statistics: &Statistics) {
        self.seen += 1;
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.seen >= self.most
    }
}

#[test]
fn markers_are_fitted_in_the_run_which_shows_progress_and_can_be_ended() {
    let rod = system(ROD);
    for frames in [Frames::Single, Frames::Smooth { noise: None }] {
        let plan = plan(Markers { frames, ..markers(recording(101)) }, 0.0, 1.0);
        let mut watch = Impatient { seen: 0, most: 40, asked: Cell::new(0) };
        let outcome = run(&rod, &plan, None, &mut watch).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()));
        assert_eq!((watch.seen, outcome.trajectory.len()), (40, 0));
        assert!(matches!(outcome.status, Status::Interrupted { .. }), "{:?}", outcome.status);
        assert!(outcome.health.iter().all(|line| line.key != "marker_errors"));
        let mut patient = Impatient { seen: 0, most: usize::MAX, asked: Cell::new(0) };
        let whole = run(&rod, &plan, None, &mut patient).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()));
        assert!(whole.status.is_good() && patient.seen == 202, "{}", patient.seen);
        // What a run leaves is known without fitting anything.
        let outline = check(&rod, &plan).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()));
        assert_eq!(outline.columns, whole.trajectory.columns());
        let names = |list: &[Scalar]| list.iter().map(|s| (s.name.clone(), s.unit.clone())).collect::<Vec<_>>();
        assert_eq!(names(&outline.scalars), names(&whole.scalars));
    }
}

#[test]
fn what_does_not_fit_is_found_before_markers_are_fitted() {
    let rod = system(ROD);
    let code =
        |plan: Plan| check(&rod, &plan).map_or_else(|findings| findings.iter().map(|finding| finding.code).collect(), |_| Vec::new());
    let fast = |of| Plan { filter: butterworth(of, 60.0), ..plan(markers(recording(101)), 0.0, 1.0) };
    assert_eq!(code(fast(FilterOf::Coordinates)).len(), 1, "above half the rate");
    assert_eq!(code(fast(FilterOf::Coordinates)), code(fast(FilterOf::Markers)));
    assert_eq!(code(plan(markers(recording(101)), 5.0, 6.0)), ["no-frames"]);
    let residual = FilterRule::Butterworth { cutoff: Cutoff::Residual, order: 2, correction: Correction::Exact, pad: None };
    for rule in [residual, FilterRule::Spline] {
        let plan = Plan { filter: Some(Filter { of: FilterOf::Coordinates, rule }), ..plan(markers(recording(101)), 0.0, 1.0) };
        assert!(code(plan).is_empty());
    }
}

#[test]
fn exchanged_markers_are_put_back_when_asked_for() {
    let rod = system(ROD);
    let clean = good(&rod, &plan(markers(recording(101)), 0.0, 1.0)).trajectory;
    let mut swapped = recording(101);
    for frame in 30..55 {
        let [a, _, c] = &mut swapped.points[..] else { panic!("three markers") };
        std::mem::swap(&mut a.position[frame], &mut c.position[frame]);
    }
    let told = good(&rod, &plan(markers(swapped.clone()), 0.0, 1.0));
    let line = told.health.iter().find(|line| line.key == "swaps").expect("told");
    assert_eq!((line.verdict, line.value), (Verdict::Look, Some(25.0)), "{line:?}");
    for of in [FilterOf::Coordinates, FilterOf::Markers] {
        let ask = Plan { filter: butterworth(of, 6.0), ..plan(Markers { mend_swaps: true, ..markers(swapped.clone()) }, 0.0, 1.0) };
        let mended = good(&rod, &ask);
        assert!(mended.health.iter().all(|line| line.key != "swaps"), "{:?}", mended.health);
        let said = mended.settings.iter().find(|(key, _)| key == "exchanged markers").expect("told");
        assert_eq!(said.1, "a and c put back in 25 frames from 0.300 to 0.540 s");
        let reference = good(&rod, &Plan { markers: Some(markers(recording(101))), ..ask.clone() }).trajectory;
        for column in ["coord.pivot.value", "coord.pivot.effort", "marker.a.x", "marker.c.y"] {
            for k in 0..101 {
                assert!((value(&mended.trajectory, column, k) - value(&reference, column, k)).abs() < 1e-9, "{column} {k}");
            }
        }
    }
    assert!((0..101).any(|k| (value(&told.trajectory, "coord.pivot.value", k) - value(&clean, "coord.pivot.value", k)).abs() > 0.01));
}

/// A load at the end of the rod, recorded from `first` to `last`.
fn push(first: f64, last: f64, outside: LoadOutside) -> LoadFile {
    let count = ((last - first) * 1000.0).round() as usize + 1;
    let clock = Clock::even(1000.0, first, count);
    let force: Vec<Vec3<f64>> = clock.times().iter().map(|t| vec3(5.0, 200.0 + 30.0 * (5.0 * t).sin(), 0.0)).collect();
    let cop = vec![vec3(0.2, -0.7, 0.0); count];
    let plate = Plate {
        name: "ground_force_".into(),
        kind: PlateKind::Columns,
        corners: None,
        R_LP: Mat3::IDENTITY,
        center: Vec3::ZERO,
        moment: cop.iter().zip(&force).map(|(p, f)| p.cross(*f)).collect(),
        loaded: vec![true; count],
        free_moment: vec![Vec3::ZERO; count],
        clock,
        force,
        cop,
        threshold: 20.0,
        baseline: None,
    };
    LoadFile {
        path: "push.mot".into(),
        recording: Arc::new(Recording { plates: vec![plate], ..Recording::default() }),
        R_ML: Mat3::IDENTITY,
        threshold: Some(20.0),
        interpolation: LoadInterpolation::Linear,
        cutoff: LoadCutoff::None,
        outside,
        rules: vec![LoadRule { plate: "ground_force_".into(), body: Some("rod".into()), at: None }],
        notes: Vec::new(),
        noise: Vec::new(),
    }
}

/// Inside the recorded time as with a longer recording, outside as without any load.
#[test]
fn loads_of_part_of_a_trial_act_there_and_it_is_told() {
    let rod = system(ROD);
    let with = |loads: Option<LoadFile>| Plan { loads, ..plan(markers(recording(101)), 0.0, 1.0) };
    let whole = good(&rod, &with(Some(push(0.0, 1.0, LoadOutside::Refused)))).trajectory;
    let none = good(&rod, &with(None)).trajectory;
    for interpolation in [LoadInterpolation::Linear, LoadInterpolation::Natural] {
        let outcome = good(&rod, &with(Some(LoadFile { interpolation, ..push(0.305, 0.705, LoadOutside::Unloaded) })));
        let line = outcome.health.iter().find(|line| line.key == "loads_missing").expect("told");
        assert!(line.verdict == Verdict::Look && (line.value.unwrap_or(0.0) - 0.6).abs() < 1e-9, "{line:?}");
        assert!(line.text.contains("from 0.305 to 0.705 s"), "{line:?}");
        for k in 0..101 {
            let expected = if (31..=70).contains(&k) { &whole } else { &none };
            let (found, expected) = (value(&outcome.trajectory, "coord.pivot.effort", k), value(expected, "coord.pivot.effort", k));
            assert!((found - expected).abs() < 1e-3, "{k}: {found} {expected}");
            let force = value(&outcome.trajectory, "plate.ground_force.force.y", k);
            assert_eq!(force > 0.0, (31..=70).contains(&k), "{k}: {force}");
        }
    }
    let code = |loads: LoadFile| {
        check(&rod, &with(Some(loads))).map_or_else(|findings| findings.iter().map(|finding| finding.code).collect(), |_| Vec::new())
    };
    assert_eq!(code(push(0.305, 0.705, LoadOutside::Refused)), ["loads-too-short"]);
    assert_eq!(code(push(1.2, 2.0, LoadOutside::Unloaded)), ["loads-too-short"], "no time in common");
}
