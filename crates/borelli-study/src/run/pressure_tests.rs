//! Pressure mats along runs: columns against contacts, frames when they are due, plans that ask in vain.

use super::tests::{good, system, value};
use super::*;
use crate::plan::{PressureFrames, Setting, Time};
use crate::settings::apply_settings;

/// A ball that falls on a bed of springs, with a mat beneath it.
const BALL: &str = r#"
borelli = 1
dimension = "spatial"
[body.ball]
mass = "3 kg"
inertia = [0.01, 0.01, 0.01]
[joint.fall]
type = "slider"
parent = "world"
child = "ball"
axis = [0, 1, 0]
[surface.floor]
type = "half-space"
at = "world"
[surface.ball]
type = "sphere"
at = "ball"
radius = "10 cm"
[contact.ball]
a = "ball"
b = "floor"
normal = { type = "volumetric", stiffness = "1e7 N/m^3", dissipation = "0.3 s/m" }
[initial]
coordinates = { fall = "12 cm" }
[world.frame.mat]
origin = ["-10 cm", 0, "-12 cm"]
[sensor.mat]
type = "pressure-mat"
on = "floor"
at = "world.mat"
cells = [40, 48]
pitch = "5 mm"
"#;

fn plan(end: f64, samples: f64, pressure: PressureFrames) -> Plan {
    Plan { time: Time { start: 0.0, end, sample: Some(end / samples) }, pressure, ..Plan::default() }
}

#[test]
fn the_columns_of_a_mat_are_those_of_the_contact_above_it() {
    let outcome = good(&system(BALL), &plan(0.3, 150.0, PressureFrames::Count(15)));
    let table = &outcome.trajectory;
    let (mut pressed, mut empty) = (0, 0);
    let points = [5.0 / 6.0, 15.0 / 6.0, 25.0 / 6.0].map(|x| 1e-3 * x);
    let sag = points.iter().flat_map(|x| points.map(|z| 0.1 - f64::sqrt(0.01 - x * x - z * z))).sum::<f64>() / 9.0;
    for k in 0..table.len() {
        let (mat, contact) = (value(table, "sensor.mat.force", k), value(table, "contact.ball.normal_force", k));
        // Cells of 5 mm with nine points each.
        assert!((mat - contact).abs() <= 2e-3 * contact + 1e-2, "{k}: {mat} {contact}");
        let (x, valid) = (value(table, "sensor.mat.cop.x", k), value(table, "sensor.mat.cop.valid", k));
        assert_eq!(valid == 1.0, mat > 20.0);
        assert_eq!(x.is_nan(), valid == 0.0);
        if valid == 1.0 {
            // The ball is over the middle, where no cell is out of symmetry.
            assert!((x - 0.1).abs() < 1e-12 && (value(table, "sensor.mat.cop.z", k) - 0.12).abs() < 1e-12);
            // The cells around the lowest point, at whose nine points the sphere is a little higher.
            let depth = value(table, "contact.ball.depth", k) - sag;
            let (peak, exact) = (value(table, "sensor.mat.peak", k), 1e7 * depth * (1.0 + 0.3 * value(table, "contact.ball.rate", k)));
            assert!((peak / exact - 1.0).abs() < 1e-9, "{peak} {exact}");
            pressed += 1;
        } else if contact == 0.0 {
            assert_eq!((mat, value(table, "sensor.mat.peak", k)), (0.0, 0.0));
            empty += 1;
        }
    }
    assert!(pressed > 20 && empty > 20, "{pressed} {empty}");
}

#[test]
fn frames_are_the_samples_nearest_to_their_times() {
    let system = system(BALL);
    let outcome = good(&system, &plan(0.3, 150.0, PressureFrames::Count(15)));
    let [map] = &outcome.pressure[..] else { panic!("one mat") };
    assert_eq!((map.name.as_str(), map.cells, map.pitch, map.time.len()), ("mat", [40, 48], [0.005; 2], 15));
    assert_eq!((map.time[0], *map.time.last().unwrap()), (0.0, 0.3));
    for (k, t) in map.time.iter().enumerate() {
        assert!((t - 0.3 * k as f64 / 14.0).abs() <= 1e-3 + 1e-12, "{k} {t}");
        // It is a sample, with the pressures of that sample.
        let sample = outcome.trajectory.time().iter().position(|time| time == t).expect("a sample");
        let force = map.frame(k).iter().sum::<f64>() * 0.005 * 0.005;
        assert!((force - value(&outcome.trajectory, "sensor.mat.force", sample)).abs() < 1e-9 * (1.0 + force));
        assert_eq!(map.centre[k].is_some(), value(&outcome.trajectory, "sensor.mat.cop.valid", sample) == 1.0);
    }
    let highest = outcome.trajectory.column("sensor.mat.peak").unwrap().iter().copied().fold(0.0, f64::max);
    assert_eq!(map.peak.iter().copied().fold(0.0, f64::max), highest);
    assert!((map.middles(1)[47] - 0.2375).abs() < 1e-15);
    // At an interval: each on a sample of its own.
    let outcome = good(&system, &plan(0.3, 150.0, PressureFrames::Interval(0.04)));
    let expected: Vec<f64> = (0..8).map(|k| 0.04 * f64::from(k)).collect();
    assert!(outcome.pressure[0].time.iter().zip(&expected).all(|(t, due)| (t - due).abs() < 1e-12));
    assert_eq!(outcome.pressure[0].time.len(), 8);
    // More frames than samples: every sample once.
    let outcome = good(&system, &plan(0.3, 5.0, PressureFrames::Count(40)));
    assert_eq!(outcome.pressure[0].time, outcome.trajectory.time());
}

#[test]
fn maps_that_cannot_be_kept_are_refused() {
    let codes = |system: &System, plan: &Plan| check(system, plan).map_or_else(|f| f.iter().map(|f| f.code).collect(), |_| Vec::new());
    let at = borelli_model::Span { file: 0, start: 0, end: 0 };
    let asked = Plan { places: vec![("pressure".into(), at)], ..plan(0.3, 10.0, PressureFrames::Count(3)) };
    let bare = system(BALL.split_once("[world.frame.mat]").unwrap().0);
    assert_eq!(codes(&bare, &asked), ["no-pressure-mat"]);
    assert_eq!(codes(&bare, &plan(0.3, 10.0, PressureFrames::Count(3))), [""; 0]);
    let with = system(BALL);
    assert_eq!(codes(&with, &asked), [""; 0]);
    assert_eq!(codes(&with, &plan(0.3, 10.0, PressureFrames::Count(100_000))), ["too-many-frames"]);
    assert_eq!(codes(&with, &plan(0.3, 10.0, PressureFrames::Interval(1e-8))), ["too-many-frames"]);
}

#[test]
fn a_mat_cannot_be_set_to_lean() {
    let set = |path: &str, text: &str| {
        let setting = Setting { path: path.into(), text: text.into(), at: None };
        apply_settings(system(BALL), &[setting]).map(|_| ()).map_err(|f| f.iter().map(|f| (f.code, f.element.clone())).collect::<Vec<_>>())
    };
    assert_eq!(set("surface.floor.nx", "0.1"), Err(vec![("mat-leans", "sensor.mat".to_string())]));
    assert_eq!(set("sensor.mat.pitch", "2 mm"), Ok(()));
    assert!(set("sensor.mat.pitch", "0 mm").is_err());
}
