//! `borelli gait`: a walk whose numbers are known, a walk of a laboratory, and sessions that are refused.
//! Not here: events, cycles and curves by themselves (`borelli::gait`, `borelli-data`), inverse kinematics and dynamics (`measured`, `markers`).

use crate::runs::Place;
use crate::{root, stderr, stdout};
use borelli_testkit::reference;
use serde_json::Value;
use std::fs;

/// A folder with the files of the walk of our own making.
pub fn walk(name: &str) -> Place {
    let place = Place::new(name);
    for file in ["walk.trc", "walk_grf.mot", "static.trc"] {
        let text = fs::read_to_string(root().join("studies/45-synthetic-walk").join(file)).expect("a file of the study");
        place.write(file, &text);
    }
    place
}

/// Arguments of a session that builds its model.
pub const BUILT: [&str; 9] = ["gait", "walk.trc", "--forces", "walk_grf.mot", "--build", "lower-limb", "--static", "static.trc", "--json"];

/// The mean of a number of walking, one side.
fn number(summary: &Value, quantity: &str, side: &str) -> f64 {
    let list = summary["gait"]["numbers"].as_array().expect("numbers");
    let own = list.iter().find(|own| own["quantity"] == quantity).unwrap_or_else(|| panic!("no {quantity}"));
    own[side]["mean"].as_f64().expect("a number")
}

/// An extreme of a mean curve.
fn extreme(summary: &Value, curve: &str, quantity: &str, side: &str, which: &str) -> f64 {
    let list = summary["gait"]["curves"].as_array().expect("curves");
    let own = list.iter().find(|own| own["curve"] == curve && own["quantity"] == quantity && own["side"] == side);
    own.unwrap_or_else(|| panic!("no {quantity} of {curve}, {side}"))[which]["value"].as_f64().expect("a number")
}

#[test]
fn a_walk_of_known_numbers_comes_back_with_them() {
    let place = walk("gait-walk");
    let output = place.borelli(&[&BUILT[..], &["--out", "out", "--cutoff", "12 Hz"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // 1.25 m/s, 1.05 s from strike to strike; the walker weighs 70 kg.
    for side in ["left", "right"] {
        assert!((number(&summary, "stride time", side) - 1.05).abs() < 1e-4);
        assert!((number(&summary, "speed", side) - 1.25).abs() < 2e-4);
    }
    let mass = summary["gait"]["facts"]["body mass"].as_str().expect("a mass").to_string();
    assert!(mass.starts_with("70.0 kg"), "{mass}");
    // The truth is 140 N m at the ankle, 124 N m at the knee and 102 N m at the hip; the built model has joints and masses of its own, and hips by regression.
    for (curve, truth, share) in [("ankle_dorsiflexion", 140.0, 0.04), ("knee_flexion", 124.0, 0.03), ("hip_flexion", 102.0, 0.03)] {
        let peak = 70.0 * extreme(&summary, curve, "moment", "right", "max");
        assert!((peak / truth - 1.0).abs() < share, "{curve}: {peak} N m for {truth}");
    }
    let knee = extreme(&summary, "knee_flexion", "angle", "right", "max");
    assert!((knee - 69.5).abs() < 0.5, "{knee}");
    for file in [
        "report.html",
        "summary.json",
        "model.toml",
        "walk.study.toml",
        "curves.csv",
        "events.csv",
        "numbers.csv",
        "stances.csv",
        "kinetics.svg",
    ] {
        assert!(place.path("out").join(file).is_file(), "{file}");
    }
    let page = fs::read_to_string(place.path("out/report.html")).expect("a page");
    for section in ["walking", "kinematics", "kinetics", "ground", "quality", "method"] {
        assert!(page.contains(&format!("id=\"{section}\"")), "{section}");
    }
    // What it wrote for itself can be run again.
    let again = place.borelli(&["run", "out/walk.study.toml", "--out", "again"]);
    assert_eq!(again.status.code(), Some(0), "{}{}", stdout(&again), stderr(&again));
    let kept = place.borelli(&[&BUILT[..], &["--out", "out"]].concat());
    assert_eq!(kept.status.code(), Some(2), "an earlier result stays");
}

#[test]
fn a_model_of_ones_own_serves_as_well() {
    let place = walk("gait-model");
    let words = ["gait", "walk.trc", "--forces", "walk_grf.mot", "--model", "lower-limb", "--out", "out", "--json", "--cutoff", "12 Hz"];
    let output = place.borelli(&words);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // The model bends its knees backwards and says so; the report shows flexion upward.
    assert!((extreme(&summary, "knee_flexion", "angle", "left", "max") - 69.5).abs() < 0.5);
    // 140, 124 and 102 N m, as a filter at 12 Hz leaves them.
    for (curve, truth) in [("ankle_dorsiflexion", 140.0), ("knee_flexion", 124.0), ("hip_flexion", 102.0)] {
        let peak = 70.0 * extreme(&summary, curve, "moment", "left", "max");
        assert!((peak / truth - 1.0).abs() < 0.01, "{curve}: {peak} N m for {truth}");
    }
}

#[test]
fn trials_of_one_name_are_kept_apart() {
    let place = walk("gait-names");
    let text = fs::read_to_string(place.path("walk.trc")).expect("a file");
    place.write("second/walk.trc", &text);
    let words = ["gait", "walk.trc", "second/walk.trc", "--build", "lower-limb", "--mass", "70", "--out", "out", "--json"];
    let output = place.borelli(&words);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    for name in ["walk", "walk-2"] {
        assert!(place.path("out").join(format!("{name}.study.toml")).is_file() && place.path("out/cases").join(name).is_dir(), "{name}");
    }
}

#[test]
fn sessions_that_cannot_be_are_refused_with_a_hint() {
    let place = walk("gait-refused");
    let standing = fs::read_to_string(place.path("static.trc")).expect("a file");
    // Another person: every coordinate a fifth larger.
    let rows = standing.lines().enumerate().map(|(k, line)| {
        let scaled = |(j, cell): (usize, &str)| match cell.parse::<f64>() {
            Ok(x) if j > 1 => format!("{}", 1.2 * x),
            _ => cell.to_string(),
        };
        if k < 5 { line.to_string() } else { line.split('\t').enumerate().map(scaled).collect::<Vec<_>>().join("\t") }
    });
    place.write("other.trc", &rows.collect::<Vec<_>>().join("\n"));
    place.write("map.txt", "RHEE = no_such_role\n");
    let cases: [(&[&str], &str); 14] = [
        (&["walk.trc", "--build", "lower-limb", "--static", "other.trc", "--mass", "70"], "another-person"),
        (&["walk.trc", "--build", "lower-limb"], "no-mass"),
        (&["walk.trc", "--build", "lower-limb", "--mass", "-3"], "kg and m"),
        (&["walk.trc", "static.trc", "--forces", "walk_grf.mot", "--build", "lower-limb"], "forces-count"),
        (&["walk_grf.mot", "--build", "lower-limb", "--mass", "70"], "no-markers"),
        (&["walk.trc", "--build", "lower-limb", "--mass", "70", "--markers", "map.txt"], "unknown-marker-role"),
        (&["walk.trc", "--build", "lower-limb", "--mass", "70", "--axes", "x-up, x-forward"], "axes"),
        (&["gone.trc", "--build", "lower-limb", "--mass", "70"], "gone.trc"),
        (&["walk.trc", "--model", "lower-limb", "--height", "1.8"], "idle-option"),
        (&["walk.trc", "--model", "lower-limb", "--sex", "male"], "idle-option"),
        (&["walk.trc", "--model", "lower-limb", "--hip-rule", "hara"], "idle-option"),
        (&["walk.trc", "--model", "lower-limb", "--inertia", "opensim"], "idle-option"),
        (&["walk.trc", "--build", "lower-limb", "--preserve-distribution"], "idle-option"),
        (&["walk.trc", "--model", "no-such-model", "--static", "static.trc"], "no-such-model"),
    ];
    for (words, said) in cases {
        let output = place.borelli(&[&["gait"], words].concat());
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.contains(said) && told.contains("hint:"), "{words:?}: {told}");
        assert!(!place.path("walk-gait").exists() && !place.path("walk-gait.partial").exists(), "{words:?} leaves a folder");
    }
}

/// The user gave files and options, and no study: messages name what was given, and nothing of how the session works.
#[test]
fn what_is_wrong_is_told_in_words_of_the_command_line() {
    let place = walk("gait-words");
    for (file, text) in [("walk.trc", "walk.trc"), ("walk_grf.mot", "walk_grf.mot")] {
        place.write(&format!("lab/{file}"), &fs::read_to_string(place.path(text)).expect("a file"));
    }
    place.write("old.toml", "borelli = 9\n");
    let own = ["lab/walk.trc", "--forces", "lab/walk_grf.mot", "--model", "lower-limb"];
    let markers = ["lab/walk.trc", "--model", "pendulum"];
    let cases: [(Vec<&str>, &str, &str); 10] = [
        ([&own[..], &["--cutoff", "6000 Hz"]].concat(), "--cutoff", "cannot-filter"),
        ([&own[..], &["--cutoff", "6 kg"]].concat(), "--cutoff", "bad-word"),
        ([&own[..], &["--threshold", "-5"]].concat(), "--threshold", "bad-threshold"),
        ([&own[..], &["--threshold", "nan"]].concat(), "--threshold", "bad-threshold"),
        ([&own[..], &["--forward", "+q"]].concat(), "--forward", "bad-axes"),
        ([&own[..], &["--axes", "x-up"]].concat(), "--axes", "bad-axes"),
        (markers.to_vec(), "lab/walk.trc: ", "markers-of-another-model"),
        (["lab/walk.trc", "--model", "gone.toml"].to_vec(), "`gone.toml`", "cannot-read-file"),
        (["lab/walk.trc", "--model", "old.toml"].to_vec(), "old.toml:1:", "version-unsupported"),
        (["lab/walk.trc", "--model", "no-such"].to_vec(), "`no-such`", "cannot-read-file"),
    ];
    for (words, given, code) in cases {
        let output = place.borelli(&[&["gait"], &words[..], &["--out", "deep/out"]].concat());
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.contains(&format!("error[{code}]")) && told.contains(given) && told.contains("hint:"), "{words:?}: {told}");
        for inner in [".partial", "study", "[markers]", "[loads]", "[filter]", "field `", "../", "deep/out"] {
            assert!(!told.contains(inner), "{words:?} tells of {inner}: {told}");
        }
    }
    // The page and the summary name what was given, too; what the session wrote is output.
    let output = place.borelli(&[&["gait"], &own[..], &["--out", "out", "--cutoff", "12 Hz"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let summary = place.summary("out");
    let paths =
        |key: &str| -> Vec<&str> { summary[key].as_array().expect("a list").iter().filter_map(|own| own["path"].as_str()).collect() };
    assert_eq!(paths("inputs"), ["lab/walk.trc", "lab/walk_grf.mot", "lower-limb.toml"]);
    assert!(paths("outputs").contains(&"walk.study.toml") && paths("outputs").contains(&"cases/walk/trajectory.sto"));
    let page = fs::read_to_string(place.path("out/report.html")).expect("a page");
    assert!(page.contains("<td class=\"\">--cutoff</td><td class=\"\">12 Hz</td>"));
    assert!(!page.contains("out.partial"));
}

/// Trials that the user keeps in the folder of results are read from there and stay when it is replaced; a link as the folder stays one, and its studies find their files.
#[cfg(unix)]
#[test]
fn trials_inside_the_folder_and_folders_behind_links_are_found() {
    let place = walk("gait-inside");
    fs::create_dir_all(place.path("disk/far")).expect("a folder");
    let args = |trial: &'static str, more: &[&'static str]| [&["gait", trial, "--model", "lower-limb", "--out", "latest"], more].concat();
    place.well(&["gait", "walk.trc", "--model", "lower-limb", "--out", "disk/far/session"]);
    std::os::unix::fs::symlink("disk/far/session", place.path("latest")).expect("a link");
    fs::copy(place.path("walk.trc"), place.path("latest/mine.trc")).expect("a copy");
    let output = place.well(&args("latest/mine.trc", &["--force"]));
    assert!(stderr(&output).contains("note: kept from the replaced folder: mine.trc\n"), "{}", stderr(&output));
    assert!(fs::symlink_metadata(place.path("latest")).expect("a link").is_symlink() && place.path("disk/far/session/mine.trc").is_file());
    // the study that was left can be run where it is
    place.well(&["run", "disk/far/session/mine.study.toml", "--out", "again"]);
    place.well(&args("walk.trc", &["--force"]));
    place.well(&["run", "disk/far/session/walk.study.toml", "--out", "once-more"]);
    assert_eq!(place.summary("latest")["inputs"][0]["path"], "walk.trc");
}

/// The rows of a marker file with other cells behind frame and time.
fn other_rows(text: &str, cell: impl Fn(usize, &str) -> String) -> String {
    let row = |(k, line): (usize, &str)| {
        let cells = line.split('\t').enumerate().map(|(j, own)| if k > 5 && j > 1 { cell(j, own) } else { own.to_string() });
        cells.collect::<Vec<_>>().join("\t")
    };
    text.lines().enumerate().map(row).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn bad_files_of_a_laboratory_are_refused_or_told_and_never_make_it_panic() {
    let place = walk("gait-bad");
    let text = fs::read_to_string(place.path("walk.trc")).expect("a file");
    let forces = fs::read_to_string(place.path("walk_grf.mot")).expect("a file");
    let labels: String = text
        .lines()
        .nth(3)
        .expect("labels")
        .split('\t')
        .skip(2)
        .map(|name| if name.is_empty() { "\t".into() } else { format!("\tQ{name}Q") })
        .collect();
    place.write(
        "others.trc",
        &text
            .lines()
            .enumerate()
            .map(|(k, line)| if k == 3 { format!("Frame#\tTime{labels}\n") } else { format!("{line}\n") })
            .collect::<String>(),
    );
    place.write("gaps.trc", &other_rows(&text, |_, _| String::new()));
    place.write("comma.trc", &other_rows(&text, |j, own| if j == 7 { own.replace('.', ",") } else { own.to_string() }));
    place.write("commas.mot", &forces.replace("629.17748", "629,17748"));
    place.write("twice.mot", &forces.replace("\n0.02\t", "\n0.01\t"));
    let without = |word: &str| {
        forces
            .replace(&format!("ground_force_r_{word}"), &format!("r_{word}"))
            .replace(&format!("ground_force_l_{word}"), &format!("l_{word}"))
    };
    place.write("no-forces.mot", &without("v"));
    place.write("no-points.mot", &without("p"));
    let own = |trial: &'static str| ["gait", trial, "--model", "lower-limb", "--out", "out"];
    let built = |trial: &'static str| ["gait", trial, "--build", "lower-limb", "--mass", "70", "--out"];
    let cases: [(Vec<&str>, &str); 9] = [
        (own("others.trc").to_vec(), "markers-of-another-model"),
        ([&built("others.trc")[..], &["out"]].concat(), "missing-markers"),
        (own("gaps.trc").to_vec(), "nothing-seen"),
        ([&built("gaps.trc")[..], &["out"]].concat(), "never seen"),
        (own("comma.trc").to_vec(), "the decimal mark is a point"),
        ([&own("walk.trc")[..], &["--forces", "commas.mot"]].concat(), "the decimal mark is a point"),
        ([&own("walk.trc")[..], &["--forces", "twice.mot"]].concat(), "does not come after"),
        ([&own("walk.trc")[..], &["--forces", "no-forces.mot"]].concat(), "no-plates"),
        ([&own("walk.trc")[..], &["--forces", "no-points.mot"]].concat(), "centre of pressure"),
    ];
    for (words, said) in cases {
        let output = place.borelli(&words);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}{told}", stdout(&output));
        assert!(told.contains(said) && told.contains("hint:") && !told.contains("panicked"), "{words:?}: {told}");
        assert!(!place.path("out").exists() && !place.path("out.partial").exists(), "{words:?} leaves a folder");
    }
    // A file of markers cut off anywhere is read as far as it goes, or refused.
    let convert = place.borelli(&["convert", "walk.trc", "walk.c3d"]);
    assert_eq!(convert.status.code(), Some(0), "{}", stderr(&convert));
    let whole = fs::read(place.path("walk.c3d")).expect("a file");
    for part in [0.001, 0.02, 0.3, 0.61803, 0.99999] {
        fs::write(place.path("cut.c3d"), &whole[..(part * whole.len() as f64) as usize]).expect("writable");
        let output = place.borelli(&["gait", "cut.c3d", "--model", "lower-limb", "--axes", "x-forward, y-up", "--out", "cut", "--force"]);
        assert!(matches!(output.status.code(), Some(0 | 2)) && !stderr(&output).contains("panicked"), "{part}: {}", stderr(&output));
        assert_eq!(output.status.code() == Some(0), part > 0.1, "{part}: {}{}", stdout(&output), stderr(&output));
    }
}

/// A session of the walk with a model of one's own, and what it says.
fn session(place: &Place, out: &str, more: &[&str]) -> Value {
    let words = ["gait", "walk.trc", "--forces", "walk_grf.mot", "--model", "lower-limb", "--json", "--cutoff", "12 Hz", "--out", out];
    let output = place.borelli(&[&words[..], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn remarks(summary: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    summary["gait"]["remarks"].as_array().expect("remarks").iter().map(|own| (text(&own["weight"]), text(&own["text"]))).collect()
}

/// All mean curves of both are the same to a share of their size.
fn same_curves(a: &Value, b: &Value, share: f64) {
    let list = |summary: &Value| summary["gait"]["curves"].as_array().expect("curves").clone();
    assert_eq!(list(a).len(), list(b).len());
    for (a, b) in list(a).iter().zip(&list(b)) {
        let numbers = |own: &Value| own["mean"].as_array().expect("a curve").iter().filter_map(Value::as_f64).collect::<Vec<_>>();
        let size = numbers(a).iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let off = numbers(a).iter().zip(numbers(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off <= share * size.max(1e-3), "{} {}: {off} of {size}", a["curve"], a["quantity"]);
    }
}

/// The table of forces with other rows and cells; the first seven lines are its head.
fn forces(place: &Place, row: impl Fn(f64, Vec<f64>) -> Option<Vec<f64>>) {
    let text = fs::read_to_string(place.path("walk_grf.mot")).expect("a file");
    let mut rows = Vec::new();
    for line in text.lines().skip(7) {
        let cells: Vec<f64> = line.split_whitespace().map(|cell| cell.parse().expect("a number")).collect();
        rows.extend(row(cells[0], cells[1..].to_vec()).map(|new| (cells[0], new)));
    }
    let body: String =
        rows.iter().map(|(t, cells)| format!("{t}{}\n", cells.iter().map(|x| format!("\t{x}")).collect::<String>())).collect();
    let head: Vec<&str> = text.lines().take(7).collect();
    let head = head.join("\n").replace("nRows=241", &format!("nRows={}", rows.len()));
    place.write("walk_grf.mot", &format!("{head}\n{body}"));
}

#[test]
fn forces_with_the_signs_of_the_plate_and_in_millimetres_are_mended_and_told() {
    let place = walk("gait-signs");
    let right = session(&place, "right", &[]);
    assert!(remarks(&right).iter().all(|(_, text)| !text.contains("signs of force")));
    // Columns of a plate: three forces, three places, three torques.
    forces(&place, |_, cells| {
        let factor = |k: usize| {
            if (3..6).contains(&(k % 9)) {
                1000.0
            } else if k % 9 >= 6 {
                -1000.0
            } else {
                -1.0
            }
        };
        Some(cells.iter().enumerate().map(|(k, x)| factor(k) * x).collect())
    });
    let mended = session(&place, "mended", &[]);
    same_curves(&right, &mended, 1e-9);
    let told = remarks(&mended).iter().map(|(_, text)| text.clone()).collect::<Vec<_>>().join("\n");
    for word in ["columns ground_force_r_: a centre of pressure", "taken as mm, torques as N mm", "signs of force and torque are turned"] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

#[test]
fn forces_of_part_of_a_trial_are_used_there_and_told() {
    let place = walk("gait-partly");
    let whole = session(&place, "whole", &[]);
    let count = |summary: &Value, quantity: &str| {
        let own = |own: &&Value| own["quantity"] == quantity;
        summary["gait"]["curves"].as_array().expect("curves").iter().filter(own).map(|own| own["cycles"].as_u64().unwrap_or(0)).sum::<u64>()
    };
    forces(&place, |t, cells| (t > 0.795 && t < 2.005).then_some(cells));
    let partly = session(&place, "partly", &[]);
    let told = remarks(&partly);
    let line =
        told.iter().find(|(_, text)| text.contains("loads were recorded from 0.800 to 2.000 s")).unwrap_or_else(|| panic!("{told:?}"));
    assert_eq!(line.0, "warning");
    assert!(fs::read_to_string(place.path("partly/walk.study.toml")).expect("a study").contains("outside = \"unloaded\""));
    // Angles are those of all cycles, moments only of cycles whose stance was on recorded plates.
    assert_eq!(count(&whole, "angle"), count(&partly, "angle"));
    assert!(count(&partly, "moment") < count(&whole, "moment"));
    forces(&place, |t, cells| (t < 0.5).then_some(cells));
    let output = place.borelli(&["gait", "walk.trc", "--forces", "walk_grf.mot", "--model", "lower-limb", "--out", "none"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("hint:"), "{}", stderr(&output));
}

#[test]
fn exchanged_markers_are_told_or_put_back() {
    let place = walk("gait-swaps");
    let right = session(&place, "right", &[]);
    let text = fs::read_to_string(place.path("walk.trc")).expect("a file");
    let label = |name: &str| {
        let labels: Vec<&str> = text.lines().nth(3).expect("labels").split('\t').collect();
        labels.iter().position(|own| *own == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let (heel, toe) = (label("RHEE"), label("RTOE"));
    let swapped = text.lines().enumerate().map(|(k, line)| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if (100..130).contains(&k) {
            (0..3).for_each(|axis| cells.swap(heel + axis, toe + axis));
        }
        cells.join("\t")
    });
    place.write("walk.trc", &swapped.collect::<Vec<_>>().join("\n"));
    let told = session(&place, "told", &[]);
    assert!(
        remarks(&told).iter().any(|(weight, text)| weight == "warning" && text.contains("frames with exchanged markers 30")),
        "{:?}",
        remarks(&told)
    );
    let mended = session(&place, "mended", &["--fix-swaps"]);
    assert!(remarks(&mended).iter().all(|(_, text)| !text.contains("exchanged")), "{:?}", remarks(&mended));
    same_curves(&right, &mended, 1e-6);
    assert_eq!(right["gait"]["numbers"], mended["gait"]["numbers"], "events see the same feet");
    assert!(
        mended["cases"][0]["settings"]["exchanged markers"]
            .as_str()
            .is_some_and(|text| text.starts_with("RHEE and RTOE put back in 30 frames"))
    );
}

#[test]
fn one_verdict_is_given_of_residuals_and_few_frames_are_told() {
    let place = walk("gait-verdict");
    // Forces of the left foot without their torque: a residual moment where both feet are on plates.
    forces(&place, |_, mut cells| {
        cells[16] = 0.0;
        Some(cells)
    });
    let summary = session(&place, "out", &[]);
    let said =
        remarks(&summary).iter().map(|(_, text)| text.clone()).find(|text| text.starts_with("residual force at most")).expect("a remark");
    let health = &summary["cases"][0]["health"];
    for key in ["residual_force", "residual_moment"] {
        let text = health[key]["text"].as_str().expect("a text");
        let samples = text.split("over the ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number of samples");
        assert!(said.contains(&format!("over {samples} of 241 samples")), "{said}: {text}");
        let percent = text.split(", ").nth(1).and_then(|rest| rest.split(' ').next()).and_then(|x| x.parse::<f64>().ok()).expect("a share");
        assert!(text.contains(" Allowed: "), "{text}");
        let limit = if key == "residual_force" { 5.0 } else { 1.0 };
        assert_eq!(health[key]["verdict"], if percent <= limit { "good" } else { "look" }, "{text}");
    }
    let page = fs::read_to_string(place.path("out/report.html")).expect("a page");
    assert!(!page.contains("Root mean square; at most"), "no second verdict over all samples");
    // The remark has the verdict of the worse of the two lines, and nothing on the page calls it worse than that.
    let verdicts = ["residual_force", "residual_moment"].map(|key| health[key]["verdict"].as_str().expect("a verdict").to_string());
    let weight = remarks(&summary).into_iter().find(|(_, text)| *text == said).expect("the remark").0;
    assert_eq!(weight, if verdicts.iter().any(|verdict| verdict == "look") { "warning" } else { "note" });
    // Five frames of the walk.
    let text = fs::read_to_string(place.path("walk.trc")).expect("a file");
    place.write("walk.trc", &(text.lines().take(11).collect::<Vec<_>>().join("\n") + "\n"));
    let output = place.borelli(&["gait", "walk.trc", "--model", "lower-limb", "--json", "--out", "few", "--cutoff", "12 Hz"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    assert!(
        remarks(&summary).iter().any(|(weight, text)| weight == "severe" && text.contains("fewer than 11 frames")),
        "{:?}",
        remarks(&summary)
    );
}

#[test]
fn a_walk_of_a_laboratory_has_signs_and_sizes_of_the_literature() {
    let Some(file) = reference("data/c3d-walking/walking5.c3d") else { return };
    let place = Place::new("gait-laboratory");
    let output = place.borelli(&["gait", &file.to_string_lossy(), "--build", "lower-limb", "--out", "out", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // Push-off, extension of knee and hip after foot strike (Winter 2009: about 1.6, 0.5 to 1.7, 0.5 to 1.5 N m/kg up to fast walking).
    for (curve, least, most) in [("ankle_dorsiflexion", 1.2, 2.0), ("knee_flexion", 0.3, 2.0), ("hip_flexion", 0.3, 2.0)] {
        let peak = extreme(&summary, curve, "moment", "right", "max");
        assert!((least..most).contains(&peak), "{curve}: {peak}");
    }
    assert!((1.4..1.8).contains(&number(&summary, "speed", "right")));
    // The mass comes from the plates, and what is left at the root is judged where every foot stands on a plate of its own: here it is too much, and told.
    let said = summary["gait"]["remarks"].to_string();
    for word in ["the body mass was estimated", "residual force at most", "beyond its edge", "no static trial"] {
        assert!(said.contains(word), "{word}: {said}");
    }
}

/// Columns of the bands of a session over time, by name without its unit.
fn bands_of(place: &Place, out: &str) -> Vec<(String, Vec<f64>)> {
    let text = fs::read_to_string(place.path(&format!("{out}/cases/walk/bands.csv"))).expect("bands");
    let mut lines = text.lines().map(|line| line.split(','));
    let names = lines.next().expect("a header").map(|name| name.split(' ').next().unwrap_or_default().to_string());
    let mut columns: Vec<(String, Vec<f64>)> = names.map(|name| (name, Vec::new())).collect();
    for line in lines {
        columns.iter_mut().zip(line).for_each(|(column, cell)| column.1.push(cell.parse().unwrap_or(f64::NAN)));
    }
    columns
}

/// With errors of the force alone a moment is what motion asks for plus what the force does, lever arm times force: its band is as wide as the moment differs
/// where the file has forces that are one per cent larger, times one factor for all joints of a leg and all times, which is that of the force itself.
#[test]
fn bands_of_errors_of_the_force_are_those_of_its_lever_arms() {
    let place = walk("gait-force-errors");
    for (file, sd) in [("one.toml", "1 %"), ("two.toml", "2 %"), ("none.toml", "1e-9 %")] {
        place.write(file, &format!("[[uncertainty.noise]]\nname = \"force\"\non = \"forces\"\nsd = \"{sd}\"\nconstant = true\n"));
    }
    let run = |out: &str, errors: &str, runs: &str| {
        session(&place, out, &["--mass", "70", runs, "--errors", errors]);
        bands_of(&place, out)
    };
    let (one, two) = (run("one", "one.toml", "--uncertainty=24"), run("two", "two.toml", "--uncertainty=24"));
    // Forces of both feet, whose points and torques stay as they are.
    forces(&place, |_, mut cells| {
        cells.iter_mut().enumerate().filter(|(k, _)| k % 9 < 3).for_each(|(_, cell)| *cell *= 1.01);
        Some(cells)
    });
    // Errors of next to nothing leave next to no bands.
    let larger = run("larger", "none.toml", "--uncertainty=2");
    let column = |table: &[(String, Vec<f64>)], name: &str, part: &str| -> Vec<f64> {
        let name = format!("{name}.{part}");
        table.iter().find(|(own, _)| *own == name).unwrap_or_else(|| panic!("no {name}")).1.clone()
    };
    let width = |table: &[(String, Vec<f64>)], name: &str| -> Vec<f64> {
        column(table, name, "high").iter().zip(column(table, name, "low")).map(|(high, low)| high - low).collect()
    };
    for side in ["r", "l"] {
        let force = format!("load.foot_{side}.force.y");
        let (k, peak) = (0..).zip(column(&one, &force, "nominal")).max_by(|a, b| a.1.total_cmp(&b.1)).expect("samples");
        let factor = width(&one, &force)[k] / (0.01 * peak);
        // 95 % of many normal numbers are within 1.96 standard deviations; of 24 the ends are known to a third.
        assert!((0.67 * 3.92..1.33 * 3.92).contains(&factor), "{factor}");
        for joint in ["hip_flexion", "hip_adduction", "hip_rotation", "knee_angle", "ankle_angle"] {
            let name = format!("coord.{joint}_{side}.effort");
            let does: Vec<f64> =
                column(&larger, &name, "nominal").iter().zip(column(&one, &name, "nominal")).map(|(b, a)| (b - a).abs()).collect();
            let most = does.iter().copied().fold(0.0, f64::max);
            assert!(most > 0.0);
            let rows = does.iter().zip(width(&one, &name)).zip(width(&two, &name)).zip(width(&larger, &name));
            for (((does, single), double), nothing) in rows {
                assert!((single - factor * does).abs() < 1e-6 * factor * most, "{name}: {single} {does}");
                assert!((double - 2.0 * single).abs() < 1e-6 * factor * most, "{name}: {single} {double}");
                assert!(nothing.abs() < 1e-6 * most, "{name}: {nothing}");
            }
        }
    }
}

/// Usual errors: every angle and moment has a band around it, the page shows them, and the same command gives the same bits.
#[test]
fn usual_errors_give_bands_with_the_same_bits() {
    let place = walk("gait-errors");
    for out in ["out", "again"] {
        place.well(&[&BUILT[..], &["--out", out, "--uncertainty=12"]].concat());
    }
    let summary = place.summary("out");
    let read = |out: &str, file: &str| fs::read_to_string(place.path(&format!("{out}/{file}"))).expect("a file");
    let curves = read("out", "curves.csv");
    assert_eq!(curves, read("again", "curves.csv"));
    let (mut inside, mut rows) = (0, 0);
    for line in curves.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [value, low, high] = [9, 10, 11].map(|k| cells[k].parse::<f64>().expect("a number"));
        assert!(low < high, "{line}");
        inside += usize::from((low..=high).contains(&value));
        rows += 1;
    }
    assert!(inside as f64 > 0.8 * f64::from(rows), "{inside} of {rows}");
    let study = read("out", "walk.uncertainty.study.toml");
    for words in ["analysis = \"uncertainty\"", "hip-centre-r-x", "skin-of-thighs", "\"masses\"", "centre-of-pressure", "samples = 12"] {
        assert!(study.contains(words), "{words}");
    }
    assert!(read("out", "report.html").contains("Bands hold 95 % of 12 runs with errors of measurement drawn"));
    let number = |name: &str| summary["cases"][0]["scalars"][name]["value"].as_f64();
    assert_eq!((number("uncertainty.runs"), number("uncertainty.failed")), (Some(12.0), Some(0.0)));
}

#[test]
fn errors_that_cannot_be_are_refused() {
    let place = walk("gait-no-errors");
    place.write("bad.toml", "[[uncertainty.noise]]\nname = \"force\"\non = \"forces\"\nsd = \"-1 N\"\n");
    for (more, words) in [
        (&["--errors", "bad.toml"][..], "has no effect without --uncertainty"),
        (&["--uncertainty=1"], "fewer than two runs have no band"),
        (&["--uncertainty=5", "--errors", "missing.toml"], "cannot read `missing.toml`"),
        (&["--uncertainty=5", "--errors", "bad.toml"], "errors are those of `bad.toml`"),
    ] {
        let output = place.borelli(&[&BUILT[..], &["--out", "out"], more].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{words} in {}", stderr(&output));
    }
}
