//! The files of the walk: markers walking and standing, forces of the ground.
//! Not here: the program's own writers, which the files are to judge the readers without.
//! `BORELLI_BLESS=1` writes them anew; read the difference before committing it.

use super::ground::{Instant, Load, stand, walk};
use super::{MODEL, markers, person};
use crate::{root, system};
use borelli::System;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Frames of the walk, and frames per second.
pub const FRAMES: usize = 241;
pub const RATE: f64 = 100.0;
/// Frames of standing.
const STANDING: usize = 11;

/// The folder of the study.
pub fn folder() -> PathBuf {
    root().join("studies/45-synthetic-walk")
}

/// A marker file in mm, five decimals.
fn trc(name: &str, system: &System, rate: f64, frames: &[Instant]) -> String {
    let (labels, count) = (system.markers.iter().map(|m| m.label.as_str()), system.markers.len());
    let mut text = format!("PathFileType\t4\t(X/Y/Z)\t{name}\n");
    text += "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n";
    let n = frames.len();
    let _ = writeln!(text, "{rate:.2}\t{rate:.2}\t{n}\t{count}\tmm\t{rate:.2}\t1\t{n}");
    let _ = writeln!(text, "Frame#\tTime\t{}", labels.collect::<Vec<_>>().join("\t\t\t"));
    let axes: Vec<String> = (1..=count).map(|k| format!("X{k}\tY{k}\tZ{k}")).collect();
    let _ = writeln!(text, "\t\t{}\n", axes.join("\t"));
    for (k, frame) in frames.iter().enumerate() {
        let _ = write!(text, "{}\t{:.2}", k + 1, k as f64 / rate);
        for x in markers(system, frame).into_iter().flatten() {
            let _ = write!(text, "\t{}", decimals(x * 1000.0, 5));
        }
        text.push('\n');
    }
    text
}

/// A table of ground forces: force, point and moment on each foot, N, m, N m, in the axes of the model.
fn forces(frames: &[Instant]) -> String {
    let mut text = format!("walk_grf.mot\nversion=1\nnRows={}\nnColumns=19\ninDegrees=no\nendheader\ntime", frames.len());
    for side in ["r", "l"] {
        for column in
            ["force_S_vx", "force_S_vy", "force_S_vz", "force_S_px", "force_S_py", "force_S_pz", "torque_S_x", "torque_S_y", "torque_S_z"]
        {
            let _ = write!(text, "\tground_{}", column.replace('S', side));
        }
    }
    text.push('\n');
    for (k, frame) in frames.iter().enumerate() {
        let _ = write!(text, "{:.2}", k as f64 / RATE);
        for Load { force, point, couple } in &frame.loads {
            let force = force.map(|x| decimals(x, 5)).join("\t");
            let point = point.map(|x| decimals(x, 7)).join("\t");
            let _ = write!(text, "\t{force}\t{point}\t0\t{}\t0", decimals(*couple, 6));
        }
        text.push('\n');
    }
    text
}

/// A number with some decimals, no minus before a zero.
fn decimals(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$}");
    let zero = text.trim_start_matches('-').bytes().all(|b| b == b'0' || b == b'.');
    if zero { "0".into() } else { text }
}

#[test]
fn the_files_of_the_study_are_those_of_the_walk() {
    let system = system(MODEL);
    let person = person(&system);
    let walking: Vec<Instant> = (0..FRAMES).map(|k| walk(k as f64 / RATE, &person)).collect();
    let standing: Vec<Instant> = (0..STANDING).map(|k| stand(k as f64 / 10.0, &person)).collect();
    let files = [
        ("walk.trc", trc("walk.trc", &system, RATE, &walking)),
        ("walk_grf.mot", forces(&walking)),
        ("static.trc", trc("static.trc", &system, 10.0, &standing)),
    ];
    for (name, text) in &files {
        let path = folder().join(name);
        if std::env::var_os("BORELLI_BLESS").is_some() {
            fs::create_dir_all(folder()).expect("a folder");
            fs::write(&path, text).expect("a file");
        }
        let stored = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}; `BORELLI_BLESS=1` writes it"));
        same_to_printed_digits(name, &stored, text);
    }
    assert!(files.iter().map(|(_, text)| text.len()).sum::<usize>() < 400_000);
}

/// Equal but for the last printed digit, which sines of another machine may round to the other side.
fn same_to_printed_digits(name: &str, stored: &str, made: &str) {
    assert_eq!(stored.lines().count(), made.lines().count(), "{name}: `BORELLI_BLESS=1` writes it anew");
    for (k, (old, new)) in stored.lines().zip(made.lines()).enumerate() {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\t').collect(), new.split('\t').collect());
        assert_eq!(old.len(), new.len(), "{name}:{}", k + 1);
        for (a, b) in old.iter().zip(&new).filter(|(a, b)| a != b) {
            let digits = b.split_once('.').map_or(5, |(_, digits)| digits.len());
            let (x, y): (Result<f64, _>, Result<f64, _>) = (a.parse(), b.parse());
            let near = matches!((x, y), (Ok(x), Ok(y)) if (x - y).abs() < 1.5 * 10f64.powi(-(digits as i32)));
            assert!(near, "{name}:{}: {a} is stored, the walk has {b}; `BORELLI_BLESS=1` writes it anew", k + 1);
        }
    }
}
