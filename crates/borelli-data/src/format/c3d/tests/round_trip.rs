//! Written files read back: the same mask, the same values but for the rounding of floats.
//! Not here: files of others.

use super::builder::{File, Value, text, texts};
use super::{assert_told, read_bytes};
use crate::format::c3d::{C3dOptions, Writer, read, write};
use crate::recording::{Channel, ChannelGroup, ChannelKind, Clock, Event, EventKind, Frame, FrameSink, FrameSource, Outline, PointSeries};
use crate::recording::{Recording, Side};
use borelli_math::{Vec3, vec3};
use borelli_testkit::reference;
use std::io::Cursor;

/// The bytes of a recording.
fn written(recording: &Recording) -> Vec<u8> {
    let mut source = recording.frames();
    let mut writer = Writer::new(Cursor::new(Vec::new()), source.outline()).expect("a writer");
    let mut frame = Frame::default();
    while source.next_frame(&mut frame).expect("a frame") {
        writer.put(&frame).expect("a frame written");
    }
    writer.finish().expect("an end");
    writer.into_inner().into_inner()
}

fn close(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= 6e-8 * size.max(b.abs())
}

fn close3(a: Vec3<f64>, b: Vec3<f64>, size: f64) -> bool {
    a.to_array().iter().zip(b.to_array()).all(|(a, b)| close(*a, b, size))
}

/// Points, masks, channels, events and platforms are the same; `size` is the rounding of values next to larger ones.
fn assert_same(a: &Recording, b: &Recording, size: f64) {
    assert_eq!(
        (a.clock.count, a.clock.rate, a.first_frame, &a.length_unit, a.up),
        (b.clock.count, b.clock.rate, b.first_frame, &b.length_unit, b.up)
    );
    assert_eq!(a.points.len(), b.points.len());
    for (p, q) in a.points.iter().zip(&b.points) {
        assert_eq!((&p.name, &p.seen), (&q.name, &q.seen));
        assert!(p.position.iter().zip(&q.position).all(|(p, q)| close3(*p, *q, size)), "{}", p.name);
        assert!(p.residual.iter().zip(&q.residual).all(|(p, q)| (p - q).abs() <= 1e-6 * q.abs()), "{}", p.name);
    }
    assert_eq!(a.channels.len(), b.channels.len());
    for (g, h) in a.channels.iter().zip(&b.channels) {
        assert_eq!((g.clock.rate, g.clock.count), (h.clock.rate, h.clock.count));
        for (c, d) in g.channels.iter().zip(&h.channels) {
            assert_eq!((&c.name, &c.unit, c.kind, &c.seen), (&d.name, &d.unit, d.kind, &d.seen));
            assert!(c.samples.iter().zip(&d.samples).all(|(c, d)| close(*c, *d, size)), "{}", c.name);
        }
    }
    assert_eq!(a.events.len(), b.events.len());
    for (e, f) in a.events.iter().zip(&b.events) {
        assert_eq!((&e.kind, e.side), (&f.kind, f.side));
        assert!((e.time - f.time).abs() < 1e-5, "{e:?} {f:?}");
    }
    assert_eq!(a.platforms.len(), b.platforms.len());
}

#[test]
fn files_made_here_come_back() {
    let mut file = File { first: 300, last: 303, ..File::small() };
    file.frames[2].0[0][3] = -1.0;
    file = file.with("EVENT", "USED", &[], Value::Words(vec![2])).with("EVENT", "LABELS", &[], texts(&["Foot Strike", "Jump"]));
    file = file.with("EVENT", "CONTEXTS", &[], texts(&["Left", "General"]));
    file = file.with("EVENT", "TIMES", &[2, 2], Value::Floats(vec![0.0, 3.0, 1.0, 0.5])).with("POINT", "Y_SCREEN", &[], text("+Z"));
    file = file.with("ANALOG", "UNITS", &[], texts(&["furlong", "Nmm"])).with("PROCESSING", "BODYMASS", &[], Value::Floats(vec![72.6]));
    let first = read_bytes(&file.with("MANUFACTURER", "COMPANY", &[], text("nobody & sons")).bytes());
    let second = read_bytes(&written(&first));
    assert_same(&second, &first, 0.0);
    assert!(second.repairs.is_empty(), "{:?}", second.repairs);
    for fact in &first.facts {
        assert!(second.facts.contains(fact), "{fact:?}");
    }
}

#[test]
fn files_of_laboratories_come_back_with_their_plates() {
    for path in ["data/c3d-small/Gait.c3d", "data/c3d-small/FP_Type3.c3d", "data/c3d-small/Optotrak.c3d", "data/c3d-walking/walking5.c3d"] {
        let Some(path) = reference(path) else { return };
        let first = read(&path, &C3dOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
        let second = read_bytes(&written(&first));
        assert_same(&second, &first, 0.0);
        assert_eq!(first.plates.len(), second.plates.len());
        for (a, b) in second.plates.iter().zip(&first.plates) {
            assert_eq!(a.kind, b.kind);
            let largest = b.force.iter().fold(1.0f64, |largest, f| largest.max(f.norm()));
            assert!(a.force.iter().zip(&b.force).all(|(a, b)| (*a - *b).norm() < 1e-6 * largest));
            assert!(a.moment.iter().zip(&b.moment).all(|(a, b)| (*a - *b).norm() < 1e-6 * largest));
            assert!(close3(a.center, b.center, 1.0));
        }
    }
}

/// A recording that came from no C3D file: more labels than one parameter holds, two rates, angles, a point at the origin.
fn wide() -> Recording {
    let clock = Clock::even(100.0, 0.0, 3);
    let point = |k: usize| PointSeries {
        name: format!("M{k}"),
        position: vec![vec3(k as f64, 0.5, -0.25), Vec3::ZERO, Vec3::ZERO],
        seen: vec![true, true, false],
        residual: Vec::new(),
    };
    let channel = |k: usize, kind, unit: &str, count: usize| Channel {
        name: format!("C{k}"),
        unit: Some(unit.into()),
        kind,
        samples: (0..count).map(|s| (k + s) as f64 * 0.125).collect(),
        seen: Vec::new(),
    };
    let mut derived: Vec<Channel> =
        ["x", "y", "z"].iter().map(|axis| Channel { name: format!("Knee.{axis}"), ..channel(1, ChannelKind::Derived, "rad", 3) }).collect();
    for axis in ["x", "y", "z"] {
        derived.push(Channel { name: format!("Speed.{axis}"), ..channel(1, ChannelKind::Derived, "m/s", 3) });
    }
    for axis in ["x", "y", "z"] {
        derived.push(Channel {
            name: format!("Twist.{axis}"),
            seen: vec![true, false, true],
            ..channel(1, ChannelKind::Derived, "N m", 3)
        });
        let last = derived.last_mut().expect("a channel");
        last.samples[1] = 0.0;
    }
    derived.extend(["x", "y", "z"].map(|axis| Channel { name: format!("Turn.{axis}"), ..channel(2, ChannelKind::Derived, "rad/s", 3) }));
    Recording {
        name: "trial".into(),
        clock: clock.clone(),
        first_frame: 1,
        points: (0..600).map(point).collect(),
        channels: vec![
            ChannelGroup { clock: clock.clone(), channels: derived },
            ChannelGroup {
                clock: Clock::even(200.0, 0.0, 6),
                channels: (0..300).map(|k| channel(k, ChannelKind::Analog, "V", 6)).collect(),
            },
        ],
        events: (0..300).map(|k| Event { time: f64::from(k), kind: EventKind::FootOff, side: Some(Side::Right) }).collect(),
        length_unit: "mm".into(),
        ..Recording::default()
    }
}

#[test]
fn more_labels_and_events_than_one_parameter_holds_come_back() {
    let first = wide();
    let second = read_bytes(&written(&first));
    let mut expected = first.clone();
    // residuals of a C3D file are always there
    expected.points.iter_mut().for_each(|point| point.residual = vec![0.0; 3]);
    assert_same(&second, &expected, 1e-7);
    assert_eq!(second.points[599].name, "M599");
    assert_eq!(second.channels[1].channels[299].name, "C299");
}

#[test]
fn more_frames_than_the_header_can_count_come_back() {
    let outline = Outline { points: vec!["A".into()], rate: 100.0, length_unit: "mm".into(), first_frame: 1, ..Outline::default() };
    let mut writer = Writer::new(Cursor::new(Vec::new()), &outline).expect("a writer");
    let frames = 70_001;
    for k in 0..frames {
        let place = (k % 7 > 0).then(|| vec3(f64::from(k) * 1e-3, 1.0, 2.0));
        writer.put(&Frame { points: vec![place], ..Frame::default() }).expect("a frame");
    }
    writer.finish().expect("an end");
    let recording = read_bytes(&writer.into_inner().into_inner());
    assert_eq!(recording.clock.count, frames as usize);
    assert_told(&recording, "frames", "POINT:LONG_FRAMES 70001", "70001 frames");
    let point = &recording.points[0];
    for k in 0..frames as usize {
        assert_eq!(point.seen[k], k % 7 > 0);
        assert!(k % 7 == 0 || point.position[k] == vec3(k as f64 * 1e-3, 1.0, 2.0));
    }
}

#[test]
fn a_recording_is_written_to_a_path_and_read_from_it() {
    let path = std::env::temp_dir().join(format!("borelli-c3d-{}.c3d", std::process::id()));
    let first = read_bytes(&File::small().bytes());
    write(&path, &first).expect("written");
    let second = read(&path, &C3dOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
    let mut source = crate::format::c3d::open(&path).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(source.next_frame(&mut Frame::default()).expect("a frame"));
    assert_eq!(source.outline().frames, Some(4));
    std::fs::remove_file(&path).expect("removed");
    assert_same(&second, &first, 0.0);
    let missing = read(&path, &C3dOptions::default()).expect_err("no file");
    assert_eq!(crate::explain::Explain::code(&missing.kind), "cannot-read-table");
}

#[test]
fn what_a_c3d_file_cannot_hold_is_refused() {
    let outline = |points: usize, rate: f64| Outline { points: vec!["A".into(); points], rate, ..Outline::default() };
    let refused = |outline: &Outline| Writer::new(Cursor::new(Vec::new()), outline).err().expect("refused").to_string();
    assert!(refused(&outline(70_000, 100.0)).contains("at most 65535"));
    assert!(refused(&outline(0, 100.0)).contains("neither points nor channels"));
    assert!(refused(&outline(1, 0.0)).contains("rate"));
    let mut writer = Writer::new(Cursor::new(Vec::new()), &outline(2, 100.0)).expect("a writer");
    assert!(writer.put(&Frame::default()).is_err());
}
