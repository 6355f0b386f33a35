//! Tests of marker files: every repair with its line, every refusal, and what is written reads back.

use super::*;
use crate::explain::Explain;
use borelli_math::random::Random;
use borelli_testkit::reference::reference;
use std::io::Cursor;

const KEYS: &str = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n";
const FIRST: &str = "PathFileType\t4\t(X/Y/Z)\twalk.trc\n";

/// A file of two markers and three frames: (1, 2, 3) + k and (11, 12, 13) + k hundred mm.
fn sound() -> String {
    let mut text =
        format!("{FIRST}{KEYS}100\t100\t3\t2\tmm\t100\t1\t3\nFrame#\tTime\tR.ASIS\t\t\tL ASIS\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n");
    for k in 0..3 {
        text += &format!("{}\t{}\t{k}00\t200\t300\t1100\t1200\t130{k}\n", k + 1, k as f64 / 100.0);
    }
    text
}

fn read(text: &str) -> Result<Recording, FormatFault> {
    Trc.record(&mut Cursor::new(text.as_bytes()), "walk.trc", &RecordingOptions::default())
}

fn good(text: &str) -> Recording {
    read(text).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn shown(recording: &Recording) -> Vec<String> {
    recording.repairs.iter().map(|r| format!("{}: {}; {}", r.at, r.found, r.done)).collect()
}

#[test]
fn a_sound_file_needs_no_repair() {
    let recording = good(&sound());
    assert!(recording.repairs.is_empty(), "{:?}", recording.repairs);
    assert_eq!((recording.name.as_str(), recording.length_unit.as_str(), recording.first_frame), ("walk", "mm", 1));
    assert_eq!((recording.clock.rate, recording.clock.start, recording.clock.count, recording.clock.uneven), (100.0, 0.0, 3, false));
    assert_eq!(recording.points[1].name, "L ASIS");
    assert_eq!(recording.points[1].position[2].to_array(), [1.1, 1.2, 1.302]);
    assert!(recording.points.iter().all(|point| point.seen == [true; 3]));
    let windows = good(&sound().replace('\n', "\r\n").replace("walk.trc", "\u{fc}.trc"));
    assert_eq!((windows.points, windows.repairs), (recording.points, recording.repairs));
}

#[test]
fn every_deviation_is_repaired_and_told_with_its_line() {
    let text = sound();
    let cases: Vec<(String, &str)> = vec![
        (text.replace("100\t100\t3\t2\tmm", "100\t\t100  3\t2\tmm"), "line 3: values not separated by single tabs; split at any blank"),
        (text.replace("\tOrigNumFrames", "").replace("\t1\t3\nFrame", "\t1\nFrame"), "line 2: 7 keys instead of eight; took what is there"),
        (text.replace("100\t100\t3\t2", "100\t100\t300\t2"), "line 3: NumFrames = 300, but 3 rows; the rows were trusted"),
        (text.replace("100\t100\t3\t2", "100\t100\t3\t41"), "line 3: NumMarkers = 41, but 2 names; the names were trusted"),
        (text.replace("Z2\n\n", "Z2\n"), "line 6: no blank line before the rows; blank lines do not count"),
        (text.replace("Z2\n\n", "Z2\n\n\t\n\n"), "line 6: several blank lines before the rows; blank lines do not count"),
        (text.replace("\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n", ""), "line 5: no line X1 Y1 Z1; rows begin here"),
        (text.replace("\t1100\t1200\t1301", "\t1100"), "line 8: rows shorter than the header: 1; the rest was not seen"),
        (text.replace("\t1200\t1301", "\tNaN\t1301"), "line 8: markers with one or two coordinates only: 1; not seen there"),
        (
            text.replace("0.01\t100\t200", "0.01 100 200").replace("300\t1100\t1200\t1301", "300 1100 1200 1301"),
            "line 8: rows not separated by tabs: 1; split at any blank",
        ),
        (text.replace("L ASIS", "R.ASIS"), "point 2: a second `R.ASIS`; called `R.ASIS_2`"),
        (text.replace("100\t100\t3", "60\t60\t3"), "line 3: the header says 60 Hz, the times say 100.000000 Hz; the times were trusted"),
        (text.replace("\t1100\t1200\t1301", "\t0\t0\t0"), "marker L ASIS: three zeros in 1 frame; not seen there"),
        (text.replace("\tUnits", "").replace("\tmm", ""), "line 3: no unit of length; taken as mm by the size of the coordinates"),
    ];
    for (text, told) in cases {
        let recording = good(&text);
        assert!(shown(&recording).iter().any(|line| line == told), "expected {told}\nfound {:#?}\n{text}", shown(&recording));
        assert!(recording.repairs.len() <= 2, "{:#?}", shown(&recording));
        assert_eq!(recording.points[0].position[1].to_array(), [0.1, 0.2, 0.3], "{told}");
        let lost = ["shorter", "one or two", "three zeros"].iter().any(|word| told.contains(word));
        assert_eq!(recording.points[1].seen, [true, !lost, true], "{told}");
    }
}

#[test]
fn a_value_that_is_not_there_is_missing_however_it_is_written() {
    for word in [
        "\t\t",
        "NaN\tNaN\tNaN",
        "nan\tnan\tnan",
        "-nan(ind)\t-nan(ind)\t-nan(ind)",
        "1.#QNAN\t1.#QNAN\t1.#QNAN",
        "0\t0\t0",
        "0.0\t-0.0\t0",
    ] {
        let recording = good(&sound().replace("1100\t1200\t1301", word));
        assert_eq!(recording.points[1].seen, [true, false, true], "{word}");
        assert_eq!(recording.points[1].position[1], Vec3::ZERO, "no NaN inside: {word}");
    }
    let all = good(&sound().lines().map(|line| line.split("\t1100").next().unwrap_or("").to_string() + "\n").collect::<String>());
    assert_eq!(all.points[1].seen, [false; 3], "a marker that was never seen");
}

#[test]
fn lengths_come_in_several_units_and_times_are_rebuilt() {
    for (unit, x) in [("m", 1100.0), ("cm", 11.0), ("inches", 27.94), ("mm", 1.1)] {
        let found = good(&sound().replace("\tmm", &format!("\t{unit}"))).points[1].position[0].x;
        assert!((found - x).abs() < 1e-12, "{unit}: {found}");
    }
    let small =
        sound().replace("\tUnits", "").replace("\tmm", "").replace("1100\t1200\t130", "1.1\t1.2\t1.").replace("00\t200\t300", "\t0.2\t0.3");
    assert_eq!(good(&small).points[1].position[2].to_array(), [1.1, 1.2, 1.2]);
    assert!(shown(&good(&small)).iter().any(|line| line.contains("taken as m ")));
    let sixty = sound().replace("100\t100\t3", "60\t60\t3").replace("\t0.01\t", "\t0.017\t").replace("\t0.02\t", "\t0.033\t");
    let recording = good(&sixty);
    assert_eq!((recording.clock.rate, recording.clock.time(1), &recording.clock.printed[..]), (60.0, 1.0 / 60.0, &[0.0, 0.017, 0.033][..]));
    assert!(shown(&recording)[0].starts_with("times: times up to 0.333 ms from even ones; rebuilt from the rate of 60 Hz"));
}

#[test]
fn a_frozen_marker_is_told() {
    let mut text = sound();
    text.truncate(text.find("Z2\n").expect("the axes") + 3);
    for k in 0..9 {
        let x = if k < 3 { k } else { 2 };
        text += &format!("{k}\t{}\t{k}00\t200\t300\t{x}00\t1200\t1300\n", k as f64 / 100.0);
    }
    let recording = good(&text);
    assert_eq!(recording.points[1].seen, [true, true, true, false, false, false, false, false, false]);
    assert!(shown(&recording).contains(&"marker L ASIS: frozen in 6 frames while others move; not seen there".to_string()));
}

#[test]
fn broken_files_are_refused_with_their_line() {
    let text = sound();
    let cases = [
        (String::new(), "empty-table", 0),
        ("\n\n".into(), "empty-table", 2),
        ("time\tx\n0\t1\n".into(), "not-markers", 1),
        (FIRST.into(), "no-markers", 1),
        (text.replace("R.ASIS\t\t\tL ASIS\t\t", ""), "no-markers", 4),
        (text.replace("\tmm", "\tfurlong"), "unknown-length", 3),
        (text.replace("1100\t1200\t1301", "1100,5\t1200\t1301"), "not-a-number", 8),
        (text.replace("\t0.01\t", "\t0,01\t"), "not-a-number", 8),
        (text.replace("\t0.01\t", "\t\t"), "empty-cell", 8),
        (text.replace("\t0.01\t", "\t0.0\t"), "time-not-increasing", 8),
        (text.replace("\t0.02\t", "\t0.005\t"), "time-not-increasing", 9),
        (text.replace("1301", "1301\t7"), "ragged-row", 8),
        (text.replace("1301", "inf"), "infinite-cell", 8),
        (text.replace("1301", "1e300"), "infinite-cell", 8),
        (text.replace("1301", "\u{0}"), "not-text", 8),
        (text.lines().take(7).collect::<Vec<_>>().join("\n").replace("100\t100\t3", "0\t0\t3"), "no-rate", 3),
    ];
    for (text, code, line) in cases {
        let fault = read(&text).expect_err(code);
        assert_eq!((fault.kind.code(), fault.line), (code, line), "{fault}\n{text}");
    }
    let fault = read(&text.replace("1100\t1200\t1301", "1100,5\t1200\t1301")).expect_err("a decimal comma");
    assert_eq!(
        fault.to_string(),
        "walk.trc:8: error[not-a-number]: column `L ASIS.x`: found `1100,5`, expected a number\n  hint: the decimal mark is a point: `0.5`"
    );
    let fault = read(&text.replace("\t0.02\t", "\t0.005\t")).expect_err("a time that falls");
    assert_eq!(fault.kind.message(), "time 0.005 s does not come after 0.01 s of line 8");
    assert!(read(&text.lines().take(6).collect::<Vec<_>>().join("\n")).is_ok_and(|r| r.clock.count == 0), "no frame is a recording too");
}

/// A recording of random places and gaps.
fn random_recording(random: &mut Random) -> Recording {
    let (count, rate) = (12 + (random.bits() % 20) as usize, [50.0, 60.0, 100.0, 120.0, 59.94][(random.bits() % 5) as usize]);
    let start = (random.bits() % 300) as f64 / rate;
    let points = (0..1 + random.bits() % 4).map(|k| {
        let seen: Vec<bool> = (0..count).map(|_| !random.bits().is_multiple_of(4)).collect();
        let place = |random: &mut Random| Vec3::from_array([0; 3].map(|_| (random.uniform(-2.0, 2.0) * 1e8).round() / 1e8));
        let position = seen.iter().map(|seen| if *seen { place(random) } else { Vec3::ZERO }).collect();
        PointSeries { name: format!("M{k}"), position, seen, residual: Vec::new() }
    });
    let points = points.collect();
    Recording {
        name: "walk".into(),
        clock: crate::recording::Clock::even(rate, start, count),
        first_frame: 7,
        points,
        ..Recording::default()
    }
}

#[test]
fn what_is_written_reads_back_to_the_last_printed_digit() {
    let mut random = Random::new(5);
    for _ in 0..100 {
        let recording = random_recording(&mut random);
        let bytes = crate::format::tests::written(&Trc, &recording);
        let back = good(str::from_utf8(&bytes).expect("text"));
        for (found, wanted) in back.points.iter().zip(&recording.points) {
            assert_eq!((&found.name, &found.seen), (&wanted.name, &wanted.seen));
            let off = found.position.iter().zip(&wanted.position).map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max);
            assert!(off < 1e-15 * 4.0, "{off}");
        }
        assert_eq!((back.clock.rate, back.clock.count, back.first_frame), (recording.clock.rate, recording.clock.count, 7));
        assert!((back.clock.start - recording.clock.start).abs() < 1e-6);
        assert!(back.repairs.iter().all(|repair| repair.at == "times"), "{:#?}", shown(&back));
        assert_eq!(bytes, crate::format::tests::written(&Trc, &Recording { clock: recording.clock.clone(), ..back }), "written again");
    }
}

#[test]
fn the_reference_markers_are_read_completely() {
    for (file, frames, markers) in [("subject01_walk.trc", 151, 41), ("subject01_static.trc", 300, 49)] {
        let Some(path) = reference(&format!("data/opensim-gait10dof/{file}")) else { return };
        let recording = crate::format::read_recording(&path, &RecordingOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!((recording.clock.count, recording.points.len(), recording.clock.rate), (frames, markers, 60.0));
        assert_eq!(recording.clock.time(1), 1.0 / 60.0, "times were rounded to 1 ms");
        // the same numbers by a way of its own
        let text = std::fs::read_to_string(&path).expect("text");
        let mut compared = 0;
        for (k, line) in text.lines().skip(5).filter(|line| !line.trim().is_empty()).enumerate() {
            let cells: Vec<&str> = line.split('\t').collect();
            for (m, point) in recording.points.iter().enumerate() {
                let cell = |c: usize| cells.get(2 + 3 * m + c).and_then(|cell| cell.trim().parse::<f64>().ok());
                let Some(x) = cell(0) else {
                    assert!(!point.seen[k]);
                    continue;
                };
                if point.seen[k] {
                    assert_eq!(point.position[k].to_array(), [x, cell(1).expect("y"), cell(2).expect("z")].map(|x| x / 1000.0));
                    compared += 1;
                }
            }
        }
        assert!(compared * 100 > 95 * frames * markers, "{compared} of {}", frames * markers);
        assert!(recording.repairs.iter().any(|repair| repair.done == "rebuilt from the rate of 60 Hz"), "{:#?}", shown(&recording));
    }
}
