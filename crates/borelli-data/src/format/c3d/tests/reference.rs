//! Files of laboratories against tables that another program made of them.
//! Not here: files made by tests.

use crate::format::c3d::{BaselineRule, C3dOptions, add_plates, read};
use crate::recording::{ChannelKind, Recording};
use borelli_math::Vec3;
use borelli_testkit::reference;
use std::path::Path;

/// Rows of a table of the reference, without its head; nothing where a cell is empty.
fn table(folder: &Path, name: &str) -> Vec<Vec<Option<f64>>> {
    let text = std::fs::read_to_string(folder.join(name)).expect("a table of the reference");
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().ok()).collect()).collect()
}

fn recording(path: &str) -> Option<Recording> {
    reference(path).map(|path| read(&path, &C3dOptions::default()).unwrap_or_else(|fault| panic!("{fault}")))
}

/// Files and the folders with what is in them.
const CASES: [(&str, &str); 3] = [
    ("data/c3d-small/Gait.c3d", "data/c3d-small/reference-gait"),
    ("data/c3d-small/FP_Type3.c3d", "data/c3d-small/reference-fp-type3"),
    ("data/c3d-walking/walking5.c3d", "data/c3d-walking/reference"),
];

#[test]
fn points_and_channels_are_exactly_those_of_the_reference() {
    for (file, folder) in CASES {
        let Some((recording, folder)) = recording(file).zip(reference(folder)) else { return };
        for row in table(&folder, "points.csv") {
            let frame = row[0].expect("a number") as usize - recording.first_frame as usize;
            for (p, point) in recording.points.iter().enumerate() {
                let cells = &row[1 + 3 * p..4 + 3 * p];
                assert_eq!(point.seen[frame], cells[0].is_some(), "{file}: {} in frame {frame}", point.name);
                for (cell, value) in cells.iter().zip(point.position[frame].to_array()) {
                    assert_eq!(cell.unwrap_or(0.0) * 1e-3, value, "{file}: {} in frame {frame}", point.name);
                }
            }
        }
        let group = recording.channels.iter().find(|group| group.channels[0].kind == ChannelKind::Analog).expect("channels");
        for row in table(&folder, "analog.csv") {
            let sample = row[0].expect("a number") as usize;
            assert_eq!(row.len(), 1 + group.channels.len());
            for (cell, channel) in row[1..].iter().zip(&group.channels) {
                let factor = if channel.unit.as_deref() == Some("N m") { 1e-3 } else { 1.0 };
                assert_eq!(cell.expect("a number") * factor, channel.samples[sample], "{file}: {} at {sample}", channel.name);
            }
        }
    }
}

#[test]
fn counts_and_rates_are_those_of_the_summary() {
    for (file, folder) in CASES {
        let Some((recording, folder)) = recording(file).zip(reference(folder)) else { return };
        let text = std::fs::read_to_string(folder.join("summary.json")).expect("a summary");
        let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let number = |key: &str| summary[key].as_f64().expect("a number");
        assert_eq!(recording.points.len() as f64, number("points"));
        assert_eq!(recording.clock.count as f64, number("frames_read"));
        assert_eq!(recording.first_frame as f64, number("first"));
        assert_eq!(recording.clock.rate, number("rate"));
        let missing: usize = recording.points.iter().map(|point| point.seen.iter().filter(|seen| !**seen).count()).sum();
        assert_eq!(missing as f64, number("missing"), "{file}");
        let group = &recording.channels[0];
        assert_eq!(group.channels.len() as f64, number("channels"));
        assert_eq!(group.clock.rate, number("rate") * number("samples_per_frame"));
        assert_eq!(recording.length_unit, summary["units"].as_str().expect("a text"));
    }
}

#[test]
fn a_file_that_announces_more_than_it_holds_gives_what_is_there() {
    let Some(recording) = recording("data/c3d-small/Optotrak.c3d") else { return };
    assert_eq!((recording.clock.count, recording.points.len()), (29, 54));
    let told =
        |at: &str| recording.repairs.iter().find(|repair| repair.at == at).unwrap_or_else(|| panic!("{at}: {:?}", recording.repairs));
    assert!(told("frames").found.contains("1149"));
    assert!(told("frames").done.contains("29 frames"));
    assert!(told("POINT:UNITS").found.contains("54 units"));
}

const RAW: C3dOptions = C3dOptions { baseline: BaselineRule::None, threshold: 20.0 };

/// Largest difference of a vector to three cells.
fn apart(value: Vec3<f64>, cells: &[Option<f64>]) -> f64 {
    value.to_array().iter().zip(cells).fold(0.0, |worst, (value, cell)| worst.max((value - cell.expect("a number")).abs()))
}

#[test]
fn plates_are_those_of_the_reference() {
    for (file, folder) in CASES {
        let Some((path, folder)) = reference(file).zip(reference(folder)) else { return };
        let mut recording = read(&path, &RAW).unwrap_or_else(|fault| panic!("{fault}"));
        let corrected = recording.plates.clone();
        // moments of the reference are those before the polynomial
        recording.platforms.iter_mut().for_each(|platform| platform.polynomial = None);
        add_plates(&mut recording, &RAW);
        let mut compared = 0;
        for row in table(&folder, "plates.csv") {
            let (p, k) = (row[0].expect("a number") as usize - 1, row[1].expect("a number") as usize);
            let (plate, corrected) = (&recording.plates[p], &corrected[p]);
            assert!(apart(plate.force[k], &row[2..5]) < 1e-9, "{file}: force of plate {} at {k}", p + 1);
            assert!(apart(plate.moment[k], &row[5..8]) < 1e-9, "{file}: moment of plate {} at {k}", p + 1);
            let normal = -plate.R_LP.z.dot(plate.force[k]);
            assert_eq!(plate.loaded[k], normal > 20.0);
            if normal > 20.0 {
                compared += 1;
                assert!(
                    apart(corrected.cop[k], &row[8..11]) < 1e-9,
                    "{file}: centre of pressure of plate {} at {k}: {:?}",
                    p + 1,
                    corrected.cop[k]
                );
                let free = corrected.R_LP.z.dot(corrected.free_moment[k]);
                assert!((free - row[11].expect("a number")).abs() < 1e-9, "{file}: free moment of plate {} at {k}: {free}", p + 1);
                // m = (p - S) x f + t, also behind the polynomial
                let rebuilt = (corrected.cop[k] - corrected.center).cross(corrected.force[k]) + corrected.free_moment[k];
                assert!((rebuilt - corrected.moment[k]).norm() < 1e-9 * (1.0 + rebuilt.norm()));
            } else if normal > -20.0 {
                assert!(row[8].is_none());
            }
        }
        assert!(compared >= 2, "{file}: {compared}");
    }
}

#[test]
fn both_plates_of_a_walk_that_were_not_zeroed_are() {
    let Some(recording) = recording("data/c3d-walking/walking5.c3d") else { return };
    for (plate, rest) in recording.plates.iter().zip([-15.0, -19.0]) {
        let baseline = plate.baseline.as_ref().expect("a baseline");
        assert!((-baseline.force.z - rest).abs() < 1.5, "plate {}: {:?}", plate.name, baseline);
        let told = recording.repairs.iter().find(|repair| repair.at == format!("plate {}", plate.name) && repair.done == "subtracted");
        assert!(told.is_some_and(|repair| repair.found.contains(&format!("normal load of {:.2} N", -baseline.force.z))));
        assert!(baseline.from.1 - baseline.from.0 >= 0.2);
    }
}
