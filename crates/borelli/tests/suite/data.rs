//! `borelli data` and `borelli convert`: what they show, write and refuse.
//! Not here: formats themselves; their tests stand beside them.

use crate::runs::Place;
use crate::{stderr, stdout};
use borelli::data::{ReadOptions, RecordingOptions, read_recording, read_table};
use borelli_testkit::reference;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::process::Output;
use std::time::Instant;

/// Twenty frames of two markers at 50 Hz; the knee is not seen in frames 6 to 9.
fn markers() -> String {
    let mut text = String::from(
        "PathFileType\t4\t(X/Y/Z)\twalk.trc\n\
         DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n\
         50\t50\t20\t2\tmm\t50\t1\t20\nFrame#\tTime\tAnn:R.ASIS\t\t\tAnn:KNEE\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n",
    );
    for k in 0..20 {
        let knee = if (5..9).contains(&k) { "\t\t".to_string() } else { format!("{}\t500\t20.125", 10 * k) };
        let _ = writeln!(text, "{}\t{:.3}\t{}\t1000\t-100\t{knee}", k + 1, f64::from(k) / 50.0, 11 * k);
    }
    text
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|fault| panic!("{fault}\n{}{}", stdout(output), stderr(output)))
}

fn good(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(output), stderr(output));
}

#[test]
fn data_shows_what_is_in_a_file() {
    let place = Place::new("data-shows");
    place.write("walk.trc", &markers());
    let output = place.borelli(&["data", "walk.trc", "--plot", "walk.svg"]);
    good(&output);
    let text = stdout(&output);
    for line in
        ["20 frames at 50 Hz, 0.3800 s from 0.0000 s", "2 points, in the file in mm, here in m", "Ann:KNEE    80.0    1     4 (0.080 s)"]
    {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    assert!(fs::read_to_string(place.path("walk.svg")).is_ok_and(|svg| svg.contains("not seen") && svg.contains("Ann:KNEE")));
    let output = place.borelli(&["data", "walk.trc", "--json", "--strip-prefix"]);
    good(&output);
    let facts = json(&output);
    let knee = &facts[0]["points"][1];
    assert_eq!(
        (knee["name"].as_str(), knee["longest_gap_frames"].as_u64(), knee["seen_share"].as_f64()),
        (Some("KNEE"), Some(4), Some(0.8))
    );
    assert_eq!(knee["range_m"][0], serde_json::json!([0.0, 0.19]));
    assert_eq!(facts[0]["repairs"][0]["done"], "cut off up to the colon, as asked for");
    let output = place.borelli(&["data", "walk.trc", "walk.trc", "--plot", "pictures"]);
    good(&output);
    assert!(place.path("pictures/walk.trc.svg").exists());
}

#[test]
fn data_shows_forces_channels_and_repairs_of_tables() {
    let place = Place::new("data-tables");
    let mut text = String::from("grf\nversion=1\nnRows=7\ninDegrees=yes\nendheader\ntime");
    let names = ["vx", "vy", "vz", "px", "py", "pz"].map(|axis| format!("ground_force_r_{axis}"));
    names.iter().for_each(|name| text += &format!("\t{name}"));
    text += "\tknee_angle_r\n";
    for k in 0..5 {
        let _ = writeln!(text, "{}\t0\t{}\t0\t0.5\t0\t0.1\t{}", f64::from(k) / 100.0, 200 * k, 10 * k);
    }
    place.write("grf.mot", &text);
    let output = place.borelli(&["data", "grf.mot", "--json"]);
    good(&output);
    let facts = json(&output);
    let plate = &facts[0]["plates"][0];
    assert_eq!((plate["name"].as_str(), plate["kind"].as_str()), (Some("ground_force_r_"), Some("columns")));
    assert_eq!((plate["peak_n"].as_f64(), plate["loaded_s"].as_f64()), (Some(800.0), Some(0.04)));
    let knee = facts[0]["channels"].as_array().and_then(|list| list.iter().find(|c| c["name"] == "knee_angle_r")).expect("the knee");
    assert_eq!((knee["unit"].as_str(), knee["range"][1].as_f64()), (Some("rad"), Some(40.0 * std::f64::consts::PI / 180.0)));
    let shown = stdout(&place.borelli(&["data", "grf.mot"]));
    for line in
        ["no model says which columns are angles", "the header says nRows = 7, the data have 5", "ground_force_r_  columns  800.0   0.040"]
    {
        assert!(shown.contains(line), "no `{line}` in\n{shown}");
    }
}

#[test]
fn bad_files_are_refused_with_file_line_and_hint() {
    let place = Place::new("data-bad");
    place.write("comma.trc", &markers().replace("20.125", "20,125"));
    place.write("twice.csv", "time,x\n0,1\n1,2\n1,3\n");
    place.write("short.mot", "a\nendheader\ntime\tx\ty\n0\t1\t2\n1\t2\n");
    place.write("what.xyz", "");
    let cases = [
        (
            "comma.trc",
            "comma.trc:7: error[not-a-number]: column `Ann:KNEE.z`: found `20,125`, expected a number\n  hint: the decimal mark is a point",
        ),
        ("twice.csv", "twice.csv:4: error[time-not-increasing]: time 1.0 s does not come after 1.0 s of line 3"),
        ("short.mot", "short.mot:5: error[ragged-row]: the row has 2 cells, expected 3"),
        ("what.xyz", "what.xyz: error[unknown-ending]"),
        ("nowhere.trc", "nowhere.trc: error[cannot-read-table]"),
        (".", "error[unknown-ending]"),
    ];
    for (file, said) in cases {
        for args in [&["data", file][..], &["convert", file, "out.csv"]] {
            let output = place.borelli(args);
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert!(stderr(&output).contains(said), "expected {said}\nfound {}", stderr(&output));
        }
    }
    assert!(!place.path("out.csv").exists() && !place.path("out.csv.partial").exists());
    let output = place.borelli(&["data", "twice.csv", "short.mot", "--plot", "one.svg"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn huge_files_of_nothing_are_refused_at_once() {
    let place = Place::new("data-sparse");
    for ending in ["csv", "trc", "mot", "sto", "c3d"] {
        let path = place.path(&format!("zeros.{ending}"));
        File::create(&path).and_then(|file| file.set_len(2 << 30)).expect("a sparse file");
        let begin = Instant::now();
        let output = place.borelli(&["data", &format!("zeros.{ending}")]);
        assert_eq!(output.status.code(), Some(2), "{ending}: {}", stdout(&output));
        assert!(begin.elapsed().as_secs() < 20, "{ending}");
        fs::remove_file(path).expect("gone");
    }
    place.write("line.csv", &"1".repeat(5 << 20));
    assert!(stderr(&place.borelli(&["data", "line.csv"])).contains("line-too-long"));
}

#[test]
fn files_convert_there_and_back() {
    let place = Place::new("convert-round");
    place.write("walk.trc", &markers());
    let options = RecordingOptions::default();
    let read = |file: &str| read_recording(&place.path(file), &options).unwrap_or_else(|fault| panic!("{fault}"));
    let first = read("walk.trc");
    for (from, to) in [("walk.trc", "walk.csv"), ("walk.csv", "walk.sto"), ("walk.sto", "walk.c3d"), ("walk.c3d", "again.trc")] {
        let output = place.borelli(&["convert", from, to]);
        good(&output);
        assert!(stderr(&output).contains("20 "), "{}", stderr(&output));
        let now = read(to);
        assert_eq!((now.clock.rate, now.clock.count, now.points.len()), (50.0, 20, 2), "{to}");
        for (a, b) in first.points.iter().zip(&now.points) {
            assert_eq!((&a.name, &a.seen), (&b.name, &b.seen), "{to}");
            let off = a.position.iter().zip(&b.position).map(|(p, q)| (*p - *q).norm()).fold(0.0, f64::max);
            assert!(off < 1e-7, "{to}: {off} m");
        }
    }
    assert!(!place.path("walk.csv.partial").exists());
}

#[test]
fn nothing_is_overwritten_unless_asked_for() {
    let place = Place::new("convert-force");
    place.write("walk.trc", &markers());
    place.write("out.csv", "mine");
    let refused = place.borelli(&["convert", "walk.trc", "out.csv"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("out.csv is there already\n  hint: give --force"), "{}", stderr(&refused));
    assert_eq!(fs::read_to_string(place.path("out.csv")).expect("text"), "mine");
    good(&place.borelli(&["convert", "walk.trc", "out.csv", "--force"]));
    assert!(fs::read_to_string(place.path("out.csv")).expect("text").starts_with("# name = walk\n"));
}

#[test]
fn points_are_selected_renamed_and_resampled() {
    let place = Place::new("convert-select");
    place.write("walk.trc", &markers());
    good(&place.borelli(&["convert", "walk.trc", "one.trc", "--points", "R.*", "--strip-prefix", "--rate", "25"]));
    let one = read_recording(&place.path("one.trc"), &RecordingOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!((one.points.len(), one.points[0].name.as_str(), one.clock.rate, one.clock.count), (1, "R.ASIS", 25.0, 10));
    assert!((one.points[0].position[5].y - 1.0).abs() < 1e-9);
    let unknown = place.borelli(&["convert", "walk.trc", "two.trc", "--points", "Ann:KNE"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("no point fits `Ann:KNE`\n  hint: did you mean `Ann:KNEE`?"), "{}", stderr(&unknown));
    let bad = place.borelli(&["convert", "walk.trc", "two.trc", "--rate", "0"]);
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn tables_convert_without_losing_a_bit_and_degrees_become_radians() {
    let place = Place::new("convert-tables");
    let text = "walk\nversion=1\ninDegrees=yes\nendheader\ntime\tknee_angle_r\tpelvis_tx\n0\t40\t0.1\n0.013\t41.25\t0.30000000000000004\n";
    place.write("walk.mot", text);
    let output = place.borelli(&["convert", "walk.mot", "walk.csv"]);
    good(&output);
    assert!(stderr(&output).contains("1 columns were converted to radians: knee_angle_r"), "{}", stderr(&output));
    good(&place.borelli(&["convert", "walk.csv", "walk.sto"]));
    let table = |file: &str| read_table(&place.path(file), &ReadOptions::by_name()).unwrap_or_else(|fault| panic!("{fault}")).trajectory;
    assert!(table("walk.csv").same_bits(&table("walk.sto")));
    assert_eq!(table("walk.csv").column("knee_angle_r").map(|x| x[0]), Some(40.0 * (std::f64::consts::PI / 180.0)));
    assert_eq!(table("walk.csv").column("pelvis_tx").map(|x| x[1]), Some(0.30000000000000004));
    let output = place.borelli(&["convert", "walk.mot", "walk.trc"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there are no points for a .trc file"), "{}", stderr(&output));
}

#[test]
fn a_walk_of_a_laboratory_is_shown_and_split_into_markers_and_forces() {
    let Some(path) = reference("data/c3d-walking/walking5.c3d") else { return };
    let place = Place::new("data-walking");
    let walk = path.to_str().expect("a plain path");
    let output = place.borelli(&["data", walk, "--json", "--plot", "walk.svg"]);
    good(&output);
    let facts = json(&output);
    assert_eq!(facts[0]["plates"].as_array().map(Vec::len), Some(2));
    assert!(
        facts[0]["plates"].as_array().is_some_and(|plates| plates.iter().all(|plate| plate["peak_n"].as_f64().is_some_and(|n| n > 300.0)))
    );
    let output = place.borelli(&["convert", walk, "walk.trc"]);
    good(&output);
    assert!(stderr(&output).contains("left out: 2 force plates"), "{}", stderr(&output));
    good(&place.borelli(&["convert", walk, "walk.mot", "--plates"]));
    let options = RecordingOptions::default();
    let (whole, markers) = (read_recording(&path, &options), read_recording(&place.path("walk.trc"), &options));
    let (whole, markers) = (whole.unwrap_or_else(|fault| panic!("{fault}")), markers.unwrap_or_else(|fault| panic!("{fault}")));
    assert_eq!((markers.clock.count, markers.points.len()), (whole.clock.count, whole.points.len()));
    let forces = read_recording(&place.path("walk.mot"), &options).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(forces.plates.len(), 2);
    for (a, b) in whole.plates.iter().zip(&forces.plates) {
        let loaded = |k: &usize| a.loaded[*k] && b.loaded[*k];
        let both = (0..a.force.len()).filter(loaded).count();
        assert!(both > 100);
        assert!((0..a.force.len()).filter(loaded).all(|k| a.force[k] == b.force[k] && a.cop[k] == b.cop[k]));
    }
}

#[test]
fn axes_of_a_laboratory_become_those_of_models() {
    let place = Place::new("convert-axes");
    // z up, walking along y: x of models is y, y is z, z is x of the laboratory.
    let mut text = String::from(
        "time,HEE.x [m],HEE.y [m],HEE.z [m],ground_force_vx,ground_force_vy,ground_force_vz,ground_force_px,ground_force_py,ground_force_pz,emg\n",
    );
    for k in 0..4 {
        let _ = writeln!(text, "{},0.1,{},0.05,3,-40,700,0.2,0.6,0,{k}", f64::from(k) / 100.0, 0.5 + f64::from(k));
    }
    place.write("walk.csv", &text);
    for to in ["turned.csv", "turned.c3d"] {
        let output = place.borelli(&["convert", "walk.csv", to, "--axes", "y-forward, z-up"]);
        good(&output);
        assert!(stderr(&output).contains("turned: x points forward, y up, z to the right"), "{}", stderr(&output));
    }
    let read = |file: &str| {
        let options = borelli::data::RecordingOptions::default();
        borelli::data::read_recording(&place.path(file), &options).unwrap_or_else(|fault| panic!("{fault}"))
    };
    let table = read("turned.csv");
    let near = |v: borelli_math::Vec3<f64>, w: [f64; 3]| v.to_array().iter().zip(w).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near(table.points[0].position[2], [2.5, 0.05, 0.1]), "{:?}", table.points[0].position[2]);
    let sample = |name: &str| table.channel(name).unwrap_or_else(|| panic!("no {name}")).1.samples[2];
    assert_eq!(["ground_force_vx", "ground_force_vy", "ground_force_vz"].map(sample), [-40.0, 700.0, 3.0]);
    assert_eq!(["ground_force_px", "ground_force_py", "ground_force_pz"].map(sample), [0.6, 0.0, 0.2]);
    assert_eq!(sample("emg"), 2.0);
    assert!(near(read("turned.c3d").points[0].position[2], [2.5, 0.05, 0.1]));
    let bad = place.borelli(&["convert", "walk.csv", "bad.csv", "--axes", "x-up, x-forward"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(stderr(&bad).contains("hint:") && !place.path("bad.csv").exists(), "{}", stderr(&bad));
}

/// The laboratory's plates with their corners turned give the loads that were turned after they were computed.
#[test]
fn plates_of_a_file_turn_with_its_axes() {
    let Some(file) = borelli_testkit::reference("data/c3d-walking/walking5.c3d") else { return };
    let place = Place::new("convert-axes-plates");
    let file = file.to_string_lossy();
    good(&place.borelli(&["convert", &file, "turned.c3d", "--axes", "-y-forward, z-up"]));
    let read = |path: &std::path::Path| {
        let options = borelli::data::RecordingOptions { threshold: 20.0, ..borelli::data::RecordingOptions::default() };
        borelli::data::read_recording(path, &options).unwrap_or_else(|fault| panic!("{fault}"))
    };
    let (before, after) = (read(std::path::Path::new(&*file)), read(&place.path("turned.c3d")));
    assert_eq!(after.up.map(|up| up.to_array()), before.up.map(|_| [0.0, 1.0, 0.0]));
    let mut largest = 0.0_f64;
    for (a, b) in before.plates.iter().zip(&after.plates) {
        for k in (0..a.force.len()).step_by(50) {
            // x forward is -y, y up is z, z to the right is -x of the laboratory.
            let turned = |v: borelli_math::Vec3<f64>| [-v.y, v.z, -v.x];
            for (a, b, size) in [(a.force[k], b.force[k], 1.0), (a.cop[k], b.cop[k], 1000.0)] {
                let off = turned(a).iter().zip(b.to_array()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                largest = largest.max(off * size);
            }
        }
    }
    // Corners are stored in single precision.
    assert!(before.plates.len() == 2 && largest < 1e-2, "{largest}");
}
