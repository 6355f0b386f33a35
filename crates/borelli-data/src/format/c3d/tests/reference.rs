//! Files of laboratories against tables that another program made of them.
//! Not here: files made by tests.

use crate::format::c3d::{C3dOptions, read};
use crate::recording::{ChannelKind, Recording};
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
