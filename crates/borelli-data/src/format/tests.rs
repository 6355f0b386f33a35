//! Tests of the formats: every one gives back the same bits, reads what other programs write, and refuses broken text with its place.
//! Not here: rules of the table itself.

use super::*;
use crate::explain::Explain;
use crate::trajectory::Column;
use borelli_math::random::Random;
use borelli_testkit::reference::reference;

fn text_of(format: &dyn Format, table: &Trajectory) -> String {
    let mut bytes = Vec::new();
    format.write(table, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text")
}

/// Formats that keep every table.
fn tables() -> impl Iterator<Item = &'static &'static dyn Format> {
    FORMATS.iter().filter(|format| format.keeps_tables())
}

/// A recording as a format writes it, frame by frame.
pub(super) fn written(format: &dyn Format, recording: &Recording) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut frames = recording.frames();
    let mut sink = format.sink(frames.outline(), Box::new(&mut bytes)).expect("memory takes everything");
    let mut frame = crate::recording::Frame::default();
    while frames.next_frame(&mut frame).expect("a frame") {
        sink.put(&frame).expect("memory takes everything");
    }
    sink.finish().expect("memory takes everything");
    drop(sink);
    bytes.into_inner()
}

fn file_of(format: &dyn Format) -> String {
    format!("run.{}", format.endings()[0])
}

fn read(file: &str, text: &str) -> Result<Reading, FormatFault> {
    format_of(Path::new(file)).expect("a format").read(text, file, &ReadOptions::default())
}

/// Any finite number, each bit pattern as likely as another; sometimes one of the awkward ones.
fn any_number(random: &mut Random) -> f64 {
    const AWKWARD: [f64; 8] = [-0.0, 0.0, 5e-324, -2.225_073_858_507_201e-308, f64::MAX, f64::MIN_POSITIVE, 0.1, 1e23];
    match random.bits() % 4 {
        0 => AWKWARD[(random.bits() % 8) as usize],
        _ => Some(f64::from_bits(random.bits())).filter(|x| x.is_finite()).unwrap_or(-1.5),
    }
}

fn random_table(random: &mut Random) -> Trajectory {
    let mut columns = vec![Column::optional("ground.cop.x", "m"), Column::new("ground.cop.valid", "1")];
    let units = ["rad", "N m", "kg m^2/s", "1", "m/s^2"];
    columns.extend((0..random.bits() % 6).map(|k| Column::new(format!("coord.q{k}.value"), units[(k % 5) as usize])));
    let mut table = Trajectory::new(columns).expect("columns");
    table.set_meta("program", "borelli 0.1.0").expect("an entry");
    table.set_meta("model", "leg, \"left\" = #1; \u{b5}").expect("an entry");
    table.set_meta("note", "").expect("an entry");
    table.set_name("walk # 1, \"slow\"").expect("a name");
    let mut times: Vec<f64> = (0..random.bits() % 40).map(|_| any_number(random)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    for time in times {
        let present = random.bits().is_multiple_of(2);
        let mut row = vec![time, if present { any_number(random) } else { f64::NAN }, f64::from(u8::from(present))];
        row.extend((2..table.columns().len()).map(|_| any_number(random)));
        table.push_row(&row).expect("a row");
    }
    table
}

#[test]
fn every_format_gives_back_the_same_bits() {
    let mut random = Random::new(3);
    for round in 0..200 {
        let table = random_table(&mut random);
        for format in tables() {
            let text = text_of(*format, &table);
            let back = format.read(&text, &file_of(*format), &ReadOptions::default()).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
            assert!(table.same_bits(&back.trajectory), "{} in round {round}:\n{text}", format.name());
            assert!(back.remarks.is_empty(), "{:?}", back.remarks);
            let worry = back.notes.iter().find(|note| !matches!(note, ReadNote::Missing { .. }));
            assert!(worry.is_none(), "{worry:?}");
        }
    }
}

#[test]
fn every_format_keeps_the_names_of_other_programs() {
    let names = ["/jointset/hip_r/hip_flexion_r/value", "1_ground_force_vx", "R.ASIS, left", "a \"b\"", "force [N]", "#1", "time s", "="];
    let mut columns: Vec<Column> = names.iter().map(|name| Column { name: name.to_string(), unit: None, optional: false }).collect();
    columns.push(Column { name: "both [x]".into(), unit: Some("N".into()), optional: true });
    for columns in [columns, Vec::new()] {
        let mut table = Trajectory::foreign(columns).expect("columns");
        for format in tables() {
            let back = read(&file_of(*format), &text_of(*format, &table)).unwrap_or_else(|fault| panic!("{fault}"));
            assert!(table.same_bits(&back.trajectory), "{}", format.name());
        }
        let mut row = vec![0.5; table.columns().len() + 1];
        table.push_row(&row).expect("a row");
        (row[0], *row.last_mut().expect("a cell")) = (1.0, if row.len() > 1 { f64::NAN } else { 1.0 });
        table.push_row(&row).expect("a row");
        for format in tables() {
            let back = read(&file_of(*format), &text_of(*format, &table)).unwrap_or_else(|fault| panic!("{fault}"));
            assert!(table.same_bits(&back.trajectory), "{}", format.name());
        }
    }
}

#[test]
fn every_file_with_a_format_is_in_the_list_and_endings_are_not_shared() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/format");
    let files = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let files = files.map(|path| if path.is_dir() { path.join("format.rs") } else { path });
    let written = files.filter(|path| std::fs::read_to_string(path).expect("text").contains("\nimpl Format for "));
    assert_eq!(written.count(), FORMATS.len());
    let mut endings: Vec<&str> = FORMATS.iter().flat_map(|format| format.endings()).copied().collect();
    endings.sort_unstable();
    let all = endings.len();
    endings.dedup();
    assert_eq!(endings.len(), all);
}

#[test]
fn the_reference_files_are_read_completely_and_written_again_without_loss() {
    let Some(folder) = reference("data/opensim-gait10dof") else { return };
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| format_of(path).is_some_and(|format| format.name() == "sto"));
    assert!(files.len() >= 3, "{files:?}");
    for path in files {
        let reading = read_table(&path, &ReadOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
        let table = &reading.trajectory;
        // the same numbers by a way of its own: all words after the labels, row by row
        let text = std::fs::read_to_string(&path).expect("text");
        let mut words = text.split_once("endheader").expect("a header").1.split_whitespace();
        let width = words.by_ref().take_while(|word| word.parse::<f64>().is_err()).count();
        let all = text.split_once("endheader").expect("a header").1.split_whitespace().skip(width);
        let mut row = vec![0.0; width];
        let mut seen = 0;
        for (k, word) in all.enumerate() {
            if k % width == 0 {
                table.fill_row(k / width, &mut row);
            }
            assert_eq!(word.parse::<f64>().expect("a number").to_bits(), row[k % width].to_bits(), "{} number {k}", path.display());
            seen = k + 1;
        }
        assert_eq!(seen, table.len() * width, "{}", path.display());
        assert!(!reading.notes.iter().any(|note| matches!(note, ReadNote::WrongCount { .. } | ReadNote::Missing { .. })));
        for format in tables() {
            let back = read(&file_of(*format), &text_of(*format, table)).unwrap_or_else(|fault| panic!("{fault}"));
            assert!(table.same_bits(&back.trajectory), "{} as {}", path.display(), format.name());
        }
    }
}

#[test]
fn the_reference_joint_angles_become_radians_and_translations_stay_metres() {
    let Some(path) = reference("data/opensim-gait10dof/subject01_walk_IK.mot") else { return };
    let angular = |name: &str| (!name.starts_with("pelvis_t") || name == "pelvis_tilt").then_some(Angular::Angle);
    let reading = read_table(&path, &ReadOptions { angular: &angular }).unwrap_or_else(|fault| panic!("{fault}"));
    let table = &reading.trajectory;
    assert_eq!((table.name(), table.len(), table.columns().len()), ("Coordinates", 151, 10));
    assert_eq!(table.column("time").map(|time| (time[0], time[150])), Some((0.0, 2.5)));
    assert_eq!(table.column("pelvis_tilt").map(|tilt| tilt[0]), Some(10.32995988 * (std::f64::consts::PI / 180.0)));
    assert_eq!(table.column("pelvis_tx").map(|x| x[0]), Some(0.61213494));
    assert_eq!(table.columns()[0].unit.as_deref(), Some("rad"));
    assert_eq!(table.columns()[1].unit, None);
    let decided = reading.notes.iter().find_map(|note| match note {
        ReadNote::Angles { degrees, basis, columns } => Some((*degrees, *basis, columns.len())),
        _ => None,
    });
    assert_eq!(decided, Some((true, AngleBasis::Header, 8)));
    assert!(reading.remarks.iter().any(|line| line == "Angles are in degrees."), "{:?}", reading.remarks);
}

#[test]
fn old_and_new_headers_say_the_same() {
    let rows = "time\tknee\thip\n0\t10\t1\n0.5\t20\t2\n";
    let headers = [
        "walk\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\n",
        "walk\nnr=2\nnc=3\ninDegrees=yes\nendheader\n",
        "name walk\ndatacolumns 3\ndatarows 2\notherdata 1\nrange 0 0.5\nendheader\n",
        "\u{feff}walk\t\t\nversion=1\t\t\n\nUnits are S.I. units\n  inDegrees=YES \t\n\nendheader\t\t\n\n",
        "inDegrees=yes\nDataType=double\nversion=3\nOpenSimVersion=4.5\nname=walk\nendheader\n",
        "walk\nversion=2\ninDegrees = yes\nendheader\n",
    ];
    let angular = |name: &str| (name == "knee").then_some(Angular::Angle);
    for header in headers {
        for text in
            [format!("{header}{rows}"), format!("{header}{rows}").replace('\n', "\r\n"), format!("{header}{}", rows.replace('\t', "  "))]
        {
            let reading =
                FORMATS[0].read(&text, "walk.mot", &ReadOptions { angular: &angular }).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
            let table = reading.trajectory;
            assert_eq!(table.name(), "walk", "{text}");
            assert_eq!(table.column("knee").map(|x| x[1]), Some(20.0 * (std::f64::consts::PI / 180.0)), "{text}");
            assert_eq!(table.column("hip"), Some(&[1.0, 2.0][..]), "only what is declared a rotation is converted");
            assert!(!reading.notes.iter().any(|note| matches!(note, ReadNote::WrongCount { .. })), "{text}");
        }
    }
}

#[test]
fn without_a_word_about_degrees_only_old_motion_files_have_them() {
    let knee = |file: &str, header: &str| {
        let options = ReadOptions { angular: &|_| Some(Angular::Rate) };
        let reading = FORMATS[0].read(&format!("{header}endheader\ntime knee\n0 180\n"), file, &options).expect("a table");
        (reading.trajectory.values(0)[0], reading.trajectory.columns()[0].unit.clone(), reading.notes)
    };
    let (value, unit, notes) = knee("a.MOT", "a\n");
    assert_eq!((value, unit.as_deref()), (std::f64::consts::PI, Some("rad/s")));
    assert_eq!(notes, [ReadNote::Angles { degrees: true, basis: AngleBasis::OldMotion, columns: vec!["knee".into()] }]);
    assert_eq!(knee("a.sto", "a\n").0, 180.0);
    let (value, _, notes) = knee("a.mot", "a\nversion=1\n");
    assert_eq!(value, 180.0);
    assert!(notes[0].message().starts_with("angles are in radians (the header does not say otherwise)"), "{}", notes[0].message());
}

#[test]
fn sixty_radians_of_knee_are_reported_and_not_guessed() {
    let text = "walk\nversion=1\ninDegrees=no\nendheader\ntime\tknee\n0\t0\n1\t60\n";
    let options = ReadOptions { angular: &|_| Some(Angular::Angle) };
    let fault = FORMATS[0].read(text, "walk.mot", &options).expect_err("a fault");
    assert_eq!((fault.line, fault.column, fault.kind.code()), (5, 6, "implausible-angle"));
    assert!(FORMATS[0].read(&text.replace("60", "6"), "walk.mot", &options).is_ok());
}

#[test]
fn vectors_in_cells_become_columns() {
    let text = "DataType=Vec3\nversion=3\nendheader\ntime\tLASI\tRASI\n0\t1,2,3\t4, 5,6\n1\t1,2,nan\t-4,5,6\n";
    let reading = read("markers.sto", text).unwrap_or_else(|fault| panic!("{fault}"));
    let names: Vec<&str> = reading.trajectory.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["LASI.x", "LASI.y", "LASI.z", "RASI.x", "RASI.y", "RASI.z"]);
    assert_eq!(reading.trajectory.column("RASI.x"), Some(&[4.0, -4.0][..]));
    assert!(reading.notes.contains(&ReadNote::Spread { data_type: "Vec3".into(), columns: 6 }));
    assert!(reading.notes.contains(&ReadNote::Missing { column: "LASI.z".into(), count: 1 }));
    let quaternion = text.replace("Vec3", "Quaternion").replace("1,2,3", "1,0,0,0").replace("4, 5,6", "1,0,0");
    assert_eq!(read("markers.sto", &quaternion).unwrap_err().kind.code(), "wrong-components");
}

#[test]
fn counts_of_a_header_are_doubted_and_missing_values_counted() {
    let reading =
        read("a.sto", "a\nversion=1\nnRows=9\nnColumns=many\nendheader\ntime x y\n0 -nan 1\n1 1.#QNAN 2\n2 3 4\n").expect("a table");
    let found: Vec<String> = reading.notes.iter().map(Explain::message).collect();
    assert_eq!(found[0], "the header says nColumns = many, the data have 3");
    assert_eq!(found[1], "the header says nRows = 9, the data have 3");
    assert!(reading.notes.contains(&ReadNote::Missing { column: "x".into(), count: 2 }));
    assert!(reading.trajectory.columns()[0].optional && !reading.trajectory.columns()[1].optional);
}

#[test]
fn cells_of_csv_follow_the_rules_of_quotation_and_units_become_si() {
    let header = "\u{feff}# subject = 7\r\n# just words\r\n# subject = 8\r\n\r\n";
    let labels = "\"time [ms]\", \"knee, \"\"left\"\"\r\nangle [deg]\" ,mass,,\r\n";
    let rows = "0,180,\"1\",,\r\n\r\n500,,2\r\n\"1000\",-90 ,\" 3\"";
    let reading = read("a.csv", &format!("{header}{labels}{rows}")).unwrap_or_else(|fault| panic!("{fault}"));
    let table = &reading.trajectory;
    assert_eq!(table.time(), [0.0, 0.5, 1.0]);
    let knee = table.column("knee, \"left\" angle").expect("a column");
    assert_eq!((knee[0], knee[2]), (std::f64::consts::PI, -std::f64::consts::FRAC_PI_2));
    assert!(knee[1].is_nan(), "an empty cell is a missing value");
    assert_eq!(table.column("mass"), Some(&[1.0, 2.0, 3.0][..]));
    assert_eq!(table.columns()[0].unit.as_deref(), Some("rad"));
    assert_eq!((table.columns()[1].unit.as_deref(), table.meta("subject")), (None, Some("8")));
    assert_eq!(reading.remarks, ["just words"]);
    let codes: Vec<&str> = reading.notes.iter().map(Explain::code).collect();
    assert_eq!(codes, ["converted", "converted", "missing-values", "repeated-key"]);
}

#[test]
fn broken_text_is_refused_with_its_place() {
    let head = "a\nversion=1\nendheader\n";
    let sto = |rows: &str| format!("{head}{rows}");
    let cases: Vec<(&str, String, &str, usize, usize)> = vec![
        ("a.sto", String::new(), "empty-table", 0, 0),
        ("a.sto", "\u{feff} \n\t\n".into(), "empty-table", 0, 0),
        ("a.sto", "a\nversion=1\ntime\tx\n0\t1\n".into(), "no-endheader", 4, 0),
        ("a.sto", "a\rversion=1\rendheader\rtime\tx\r0\t1\r".into(), "no-endheader", 1, 0),
        ("a.sto", head.into(), "no-labels", 3, 0),
        ("a.sto", "a\nversion=4\nendheader\ntime\n".into(), "unknown-version", 2, 0),
        ("a.sto", "a\nversion=-1\nendheader\ntime\n".into(), "unknown-version", 2, 0),
        ("a.sto", "a\nDataType=Mat33\nendheader\ntime\n".into(), "unknown-data-type", 2, 0),
        ("a.sto", "a\ninDegrees=maybe\nendheader\ntime\n".into(), "neither-yes-nor-no", 2, 0),
        ("a.sto", "a\noptional=y\nendheader\ntime\tx\n".into(), "no-such-column", 2, 0),
        ("a.sto", "a\nunits=s\tfurlong\nendheader\ntime\tx\n".into(), "bad-column-unit", 4, 6),
        ("a.sto", "a\nunits=m\tm\nendheader\ntime\tx\n".into(), "first-column-not-time", 4, 1),
        ("a.sto", sto("x\ttime\n0\t1\n"), "first-column-not-time", 4, 1),
        ("a.sto", sto("time,x\n0,1\n"), "first-column-not-time", 4, 1),
        ("a.sto", sto("time\tx\tx\n0\t1\t2\n"), "duplicate-column", 4, 8),
        ("a.sto", sto("time\tTime\n0\t1\n"), "bad-label", 4, 6),
        ("a.sto", sto("time\t\tx\n0\t1\t2\n"), "bad-label", 4, 6),
        ("a.sto", sto("time\tx\n0\t1\n1\n"), "ragged-row", 6, 0),
        ("a.sto", sto("time\tx\n0\t1\t2\n"), "ragged-row", 5, 0),
        ("a.sto", sto("time\tx\ty\n0\t\t2\n"), "empty-cell", 5, 3),
        ("a.sto", sto("time\tx\n0\t 0,5\n"), "not-a-number", 5, 4),
        ("a.sto", sto("time\t\u{b5}\n0\tone\n"), "not-a-number", 5, 3),
        ("a.sto", sto("time\tx\n0\t1e999\n"), "infinite-cell", 5, 3),
        ("a.sto", sto("time\tx\n0\t-Inf\n"), "infinite-cell", 5, 3),
        ("a.sto", sto("time\tx\n0\t1\n0\t2\n"), "time-not-increasing", 6, 0),
        ("a.sto", sto("time\tx\nnan\t1\n"), "value-not-finite", 5, 0),
        ("a.csv", String::new(), "empty-table", 0, 0),
        ("a.csv", "# a = b\n".into(), "no-labels", 2, 0),
        ("a.csv", "time;x\n0;1\n".into(), "first-column-not-time", 1, 1),
        ("a.csv", "time [m],x\n0,1\n".into(), "first-column-not-time", 1, 1),
        ("a.csv", "time,x [Nm]\n0,1\n".into(), "bad-column-unit", 1, 6),
        ("a.csv", "time,x [MN]\n0,1e308\n".into(), "infinite-cell", 2, 0),
        ("a.csv", "time,x,x\n0,1,2\n".into(), "duplicate-column", 1, 8),
        ("a.csv", "time,x,,y\n0,1,2,3\n".into(), "bad-label", 1, 8),
        ("a.csv", "time,\"x\u{1}y\"\n0,1\n".into(), "bad-label", 1, 6),
        ("a.csv", "time,x\n0,1\n1\n".into(), "ragged-row", 3, 0),
        ("a.csv", "time,x\n0,1,2\n".into(), "ragged-row", 2, 0),
        ("a.csv", "time,x\n,1\n".into(), "empty-cell", 2, 1),
        ("a.csv", "time,x\n0,\"1\n".into(), "open-quote", 2, 3),
        ("a.csv", "time,x\n0,\"1\"2\n".into(), "after-quote", 2, 6),
        ("a.csv", "time,x\n0,NA\n".into(), "not-a-number", 2, 3),
        ("a.csv", "time,x\n1,1\n0,1\n".into(), "time-not-increasing", 3, 0),
        ("a.csv", "# optional = ground.cop.x\ntime,ground.cop.x,ground.cop.valid\n0,nan,1\n".into(), "missing-but-valid", 3, 0),
    ];
    for (file, text, code, line, column) in cases {
        let fault = read(file, &text).expect_err(code);
        assert_eq!((fault.kind.code(), fault.line, fault.column), (code, line, column), "{text:?}\n{fault}");
        assert!(fault.to_string().starts_with("a."), "{fault}");
    }
}

#[test]
fn a_fault_is_shown_with_file_line_column_and_hint() {
    let fault = read("walk.sto", "a\nendheader\ntime\tknee\n0\t0,5\n").expect_err("a fault");
    let shown =
        "walk.sto:4:3: error[not-a-number]: column `knee`: found `0,5`, expected a number\n  hint: the decimal mark is a point: `0.5`";
    assert_eq!(fault.to_string(), shown);
    let fault = read_table(Path::new("no-such-folder/walk.sto"), &ReadOptions::default()).expect_err("a fault");
    assert_eq!(fault.kind.code(), "cannot-read-table");
    let fault = read_table(Path::new("walk.xyz"), &ReadOptions::default()).expect_err("a fault");
    assert_eq!(fault.kind.hint().as_deref(), Some("known endings: sto, mot, csv, tsv, txt, trc, c3d"));
}

#[test]
fn spoiled_text_never_panics() {
    let mut random = Random::new(8);
    let pieces = [
        "\t",
        ",",
        "\"",
        "\n",
        "\r\n",
        "=",
        "nan",
        "1e999",
        "endheader",
        "time",
        "\u{feff}",
        "[",
        "]",
        "?",
        "\u{b5}",
        "#",
        " ",
        "-",
        "units=",
        "DataType=Vec3\n",
    ];
    for _ in 0..3000 {
        let table = random_table(&mut random);
        for format in tables() {
            let mut letters: Vec<char> = text_of(*format, &table).chars().collect();
            for _ in 0..1 + random.bits() % 4 {
                let at = (random.bits() % (letters.len() as u64 + 1)) as usize;
                match random.bits() % 3 {
                    0 => letters.truncate(at),
                    1 => drop(letters.splice(at..at, pieces[(random.bits() % pieces.len() as u64) as usize].chars())),
                    _ => drop(letters.drain(at..(at + 3).min(letters.len()))),
                }
            }
            let text: String = letters.into_iter().collect();
            for other in FORMATS {
                if let Err(fault) = other.read(&text, "a.mot", &ReadOptions { angular: &|_| Some(Angular::Angle) }) {
                    assert!(fault.to_string().len() < 1000, "{fault}");
                }
                let _ = other.record(&mut Cursor::new(text.as_bytes()), "a.mot", &RecordingOptions::default());
            }
        }
    }
}
