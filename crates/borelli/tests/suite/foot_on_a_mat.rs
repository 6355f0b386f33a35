//! Data of the foot with friction on a mat: recomputed from their description, and held against the engine.
//! Not here: the closed forms (`stance`), how data are made of them (`making`), searches (the studies).
//! In: files of studies 94 and 105 to 108. Out: whether they are what they are said to be, and the engine finds the same loads, maps and objectives.
//!
//! Motions have the turns and heights of study 94; their horizontal speeds are those at which friction, as three ellipsoids have it, is a force that brakes and
//! drives as in walking. The stored ones have errors.

mod making;
mod stance;

use crate::root;
use crate::three_ellipsoids::outcome_in;
use borelli::{Model, System, compile};
use stance::{CELLS, Foot, Motion, STEP};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Stances: name, cadence, seed of the errors of the motion, seed of the noise.
const STANCES: [(&str, u32, u64, u64); 4] =
    [("92a", 92, 10501, 92), ("92b", 92, 10502, 9292), ("112", 112, 10503, 112), ("72", 72, 10504, 72)];
const HERE: &str = "105-foot-with-friction-and-pressure";

fn folder(study: &str) -> PathBuf {
    root().join("studies").join(study)
}

fn text(study: &str, file: &str) -> String {
    fs::read_to_string(folder(study).join(file)).unwrap_or_else(|error| panic!("{study}/{file}: {error}"))
}

fn rows(study: &str, file: &str) -> Vec<Vec<f64>> {
    let number = |cell: &str| cell.parse().expect("a number");
    text(study, file).lines().skip(1).map(|line| line.split(',').map(number).collect()).collect()
}

fn motion(study: &str, file: &str) -> Motion {
    rows(study, file).iter().map(|row| std::array::from_fn(|k| row[k + 1])).collect()
}

/// The true motion of a cadence.
fn truth(cadence: u32) -> Motion {
    making::creeping(&motion("94-three-ellipsoids-found-again", &format!("motion-{cadence}.csv")), &stance::three())
}

/// Measured data as they are stored.
fn stored(study: &str, name: &str) -> making::Measured {
    let loads: Vec<[f64; 6]> = rows(study, &format!("plate-{name}.csv")).iter().map(|row| std::array::from_fn(|k| row[k + 1])).collect();
    let (frames, mut maps) = (making::frames(loads.len()), vec![Vec::new(); 15]);
    for row in rows(study, &format!("mat-{name}.csv")) {
        let frame = frames.iter().position(|sample| *sample as f64 * STEP == row[0]).expect("a frame of the mat");
        maps[frame].push((row[1] as usize * CELLS[1] + row[2] as usize, row[3]));
    }
    (loads, maps)
}

fn same_motion(found: &Motion, known: &Motion, what: &str) {
    assert_eq!(found.len(), known.len(), "{what}");
    for (k, (found, known)) in found.iter().zip(known).enumerate() {
        for (found, known) in found.iter().zip(known) {
            assert!((found - known).abs() < 1e-9, "{what} {k}: {found} {known}");
        }
    }
}

fn same_data(found: &making::Measured, known: &making::Measured, what: &str) {
    for (k, (found, known)) in found.0.iter().zip(&known.0).enumerate() {
        // Half of the last digit that is stored.
        for ((found, known), digit) in found.iter().zip(known).zip([1e-3, 1e-6, 1e-6, 1e-3, 1e-3, 1e-4]) {
            assert!((found - known).abs() < 0.6 * digit, "{what} {k}: {found} {known}");
        }
    }
    for (frame, (found, known)) in found.1.iter().zip(&known.1).enumerate() {
        // A frame without pressure has one line that says so.
        let bare: &[(usize, f64)] = if known.is_empty() { &[(0, 0.0)] } else { known };
        assert_eq!(found.len(), bare.len(), "{what} frame {frame}");
        for ((cell, found), (own, known)) in found.iter().zip(bare) {
            assert!(cell == own && (found - known).abs() < 0.51, "{what} frame {frame} cell {cell}: {found} {known}");
        }
    }
}

#[test]
fn stored_data_are_those_of_their_description() {
    for (name, cadence, errors, noise) in STANCES {
        let truth = truth(cadence);
        same_motion(&motion(HERE, &format!("motion-{name}.csv")), &making::erroneous(&truth, errors), name);
        same_data(&stored(HERE, name), &making::measured(&truth, &stance::three(), noise), name);
        // Friction is what it was made for, but where spline and speed part.
        let (mut sum, mut count) = (0.0, 0.0);
        let duration = (truth.len() - 1) as f64 * STEP;
        for (k, (q, v)) in truth.iter().zip(&stance::speeds(&truth)).enumerate() {
            let force = stance::load(&stance::three(), *q, *v).force;
            if force[2] > 100.0 {
                let want = making::wanted(k as f64 * STEP / duration);
                sum += (force[0] - want[0]).powi(2) + (force[1] - want[1]).powi(2);
                count += 1.0;
            }
        }
        assert!((sum / count).sqrt() < 10.0, "{name}: {}", (sum / count).sqrt());
    }
    let truth = truth(92);
    let other = "107-friction-from-a-measured-motion";
    same_motion(&motion(other, "motion-true.csv"), &truth, "true");
    same_motion(&motion(other, "motion-trembling.csv"), &making::trembling(&truth, 10701), "trembling");
    same_data(&stored("108-a-fourth-ellipsoid", "four"), &making::measured(&truth, &stance::four(), 10801), "four");
}

fn system(study: &str, model: &str) -> System {
    let model = Model::read(&folder(study).join(model)).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// Loads and maps of the engine along the true motion, at every sample, beside the closed forms.
#[test]
fn the_engine_finds_the_loads_and_maps_of_the_closed_forms() {
    let truth = truth(92);
    let mut table = String::from("time [s],right [m],forward [m],up [m],rx [rad],ry [rad],rz [rad],toe [rad]\n");
    for (k, q) in truth.iter().enumerate() {
        let _ = writeln!(table, "{:?},{}", k as f64 * STEP, q.map(|x| format!("{x:?}")).join(","));
    }
    let cases: [(&str, &str, &str, &str, Foot); 2] = [
        ("107-friction-from-a-measured-motion", "true", HERE, "corrected-92.toml", stance::three()),
        ("108-a-fourth-ellipsoid", "four", "108-a-fourth-ellipsoid", "corrected.toml", stance::four()),
    ];
    for (study, case, home, model, foot) in cases {
        // A search that ends where it begins, at the true numbers.
        let mut one = text(study, "study.toml").replace("evaluations = 2000", "evaluations = 1");
        one = one.lines().filter(|line| !line.starts_with("start = ")).map(|line| format!("{line}\n")).collect();
        one.push_str(&format!("\n[pressure]\ninterval = {STEP:?}\n"));
        let place = if study.starts_with("107") { "motion-true.csv" } else { "../105-foot-with-friction-and-pressure/motion-92a.csv" };
        let found = outcome_in(folder(study), &system(home, model), case, &one, vec![(place.to_string(), table.clone())]);
        let column = |name: &str| found.trajectory.column(name).unwrap_or_else(|| panic!("no {name}"));
        let [up, ahead, right] = ["y", "x", "z"].map(|axis| column(&format!("contact.foot.total.force.{axis}")));
        let [at_right, at_forward, spin] = ["right", "forward", "spin"].map(|name| column(&format!("derived.{name}")));
        let map = &found.pressure[0];
        assert_eq!(map.time.len(), truth.len());
        for (k, (q, v)) in truth.iter().zip(&stance::speeds(&truth)).enumerate() {
            let known = stance::load(&foot, *q, *v);
            let pairs = [(right[k], known.force[0]), (ahead[k], known.force[1]), (up[k], known.force[2])];
            // Friction changes by 180 N for a millimetre a second: speeds to 1e-12 m/s.
            assert!(pairs.iter().all(|(found, known)| (found - known).abs() < 1e-6), "{case} {k}: {pairs:?}");
            if known.force[2] > 1.0 {
                let pairs = [(at_right[k], known.centre[0]), (at_forward[k], known.centre[1]), (spin[k], known.spin)];
                assert!(pairs.iter().all(|(found, known)| (found - known).abs() < 1e-8), "{case} {k}: {pairs:?}");
            }
            for (cell, (found, known)) in map.frame(k).iter().zip(stance::pressures(&foot, *q, *v)).enumerate() {
                assert!((found - known).abs() < 1e-2, "{case} {k} cell {cell}: {found} {known}");
            }
        }
        assert!(map.peak.iter().any(|p| *p > 1e5));
    }
}

/// J where the searches begin, with all terms and the mat, beside the closed forms on the stored files.
#[test]
fn objectives_are_those_of_the_closed_forms() {
    let one = text(HERE, "study.toml").replace("evaluations = 2000", "evaluations = 1");
    for (case, foot) in [("calibration", stance::three()), ("guess", stance::guess())] {
        let found = outcome_in(folder(HERE), &system(HERE, "corrected-92.toml"), case, &one, Vec::new()).fit.expect("a record");
        let known = making::objective(&motion(HERE, "motion-92a.csv"), &foot, &stored(HERE, "92a"));
        assert_eq!(found.terms.len(), known.len());
        for ((name, start, _), known) in found.terms.iter().zip(known) {
            assert!((start / known - 1.0).abs() < 1e-9, "{case} {name}: {start} {known}");
        }
    }
}

/// J of the foot and the motion that made the data, beside which the studies judge what they find.
#[test]
fn objectives_of_the_truth_are_those_that_the_studies_name() {
    for (study, name, cadence, errors, foot) in [
        (HERE, "92a", 92, 10501, stance::three()),
        (HERE, "92b", 92, 10502, stance::three()),
        (HERE, "112", 112, 10503, stance::three()),
        (HERE, "72", 72, 10504, stance::three()),
        ("108-a-fourth-ellipsoid", "four", 92, 10501, stance::four()),
    ] {
        let terms = making::objective(&truth(cadence), &foot, &stored(study, name));
        let pull = making::pull(errors);
        let named = text(study, "study.toml") + &text("106-what-pressure-tells-of-a-foot", "study.toml");
        let is_named = |value: f64| {
            let close = |line: &str| {
                line.strip_prefix("value = ").and_then(|x| x.parse::<f64>().ok()).is_some_and(|x| (x / value - 1.0).abs() < 1e-5)
            };
            named.lines().any(close)
        };
        let without = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0].iter().zip(terms).map(|(weight, term)| weight * term).sum::<f64>() + pull;
        let all = terms.iter().sum::<f64>() + pull;
        assert!(is_named(if study == HERE { all } else { without }), "{name}: {all:?} {without:?}");
        // Each term is what its noise is worth, within five standard deviations of the mean of as many squares.
        let [force, place, _, pressure] = making::NOISE;
        let loads = terms[0] / (force / 688.0_f64).powi(2);
        assert!((loads - 1.0).abs() < 5.0 * (2.0 / 85.0_f64).sqrt(), "{name}: {loads}");
        for term in &terms[1..3] {
            let share = term / (place / 0.2_f64).powi(2);
            assert!((share - 1.0).abs() < 5.0 * (2.0 / 60.0_f64).sqrt(), "{name}: {share}");
        }
        let cells: usize = stored(study, name).1.iter().flatten().filter(|(_, p)| *p != 0.0).count();
        let share = 15.0 * terms[6] / (cells as f64 * (2.0 * 0.0075_f64.powi(2) * pressure / 688.0).powi(2));
        assert!((share - 1.0).abs() < 5.0 * (2.0 / cells as f64).sqrt(), "{name}: {share} of {cells} cells");
    }
}
