//! Tests of tables as recordings: markers, ground reactions, units, angles, and round trips through every format.
//! Not here: tables as trajectories (`tests`), marker files (`trc_tests`).

use super::tests::written;
use super::*;
use crate::explain::Explain;
use crate::recording::{Channel, ChannelGroup, Clock, PlateKind, PointSeries};
use borelli_math::random::Random;
use borelli_math::{Vec3, vec3::vec3};
use borelli_testkit::reference::reference;

fn record(file: &str, text: &str) -> Recording {
    let format = format_of(Path::new(file)).expect("a format");
    format.record(&mut Cursor::new(text.as_bytes()), file, &RecordingOptions::default()).unwrap_or_else(|fault| panic!("{fault}"))
}

fn repairs(recording: &Recording) -> String {
    recording.repairs.iter().map(|r| format!("{}: {}; {}\n", r.at, r.found, r.done)).collect()
}

#[test]
fn markers_of_a_table_are_found_in_three_spellings() {
    for (x, y, z) in [("KNE.x", "KNE.y", "KNE.z"), ("KNE_X", "KNE_Y", "KNE_Z"), ("KNEx", "KNEy", "KNEz")] {
        let text = format!("time,{x},{y},{z},Fx,Fy,Fz,pelvis_tx,pelvis_ty,pelvis_tz\n0,1,2,3,4,5,6,7,8,9\n0.1,1,,3,4,5,6,7,8,9\n");
        let recording = record("a.csv", &text);
        assert_eq!(recording.points.len(), 1, "{x}");
        assert_eq!((recording.points[0].name.as_str(), &recording.points[0].seen[..]), ("KNE", &[true, false][..]));
        assert_eq!(recording.points[0].position[0].to_array(), [1.0, 2.0, 3.0]);
        assert_eq!(recording.channels[0].channels.len(), 6, "forces and translations are no markers");
        assert!(repairs(&recording).contains("taken as m by their size"));
    }
    let mm = record("a.csv", "time,A.x [mm],A.y [mm],A.z [mm]\n0,1,2,3\n0.1,1,2,3\n");
    assert_eq!(mm.points[0].position[1].to_array(), [1e-3, 2e-3, 3e-3]);
    let bare = record("a.txt", "Time\tTOEx\tTOEy\tTOEz\n0\t100\t200\t300\n0.1\t1\t2\t3\n");
    assert_eq!((bare.points[0].position[0].x, bare.length_unit.as_str()), (0.1, "mm"));
    let speed = record("a.csv", "time,A.x [m/s],A.y [m/s],A.z [m/s]\n0,1,2,3\n1,1,2,3\n");
    assert!(speed.points.is_empty() && speed.channels[0].channels.len() == 3);
}

#[test]
fn units_may_stand_in_a_second_line() {
    let recording = record("a.csv", "time,knee,force,label\nms,deg,kN,\n0,180,1,2\n100,90,2,3\n");
    let (clock, knee) = recording.channel("knee").expect("a channel");
    assert_eq!((clock.rate, knee.unit.as_deref(), knee.samples[0]), (10.0, Some("rad"), std::f64::consts::PI));
    assert_eq!(recording.channel("force").map(|(_, c)| (c.unit.clone(), c.samples[1])), Some((Some("N".into()), 2000.0)));
    assert_eq!(recording.channel("label").and_then(|(_, c)| c.unit.clone()), None);
    let bracketed = record("a.csv", "time,x\n[s],[mm]\n0,5\n1,6\n");
    assert_eq!(bracketed.channel("x").map(|(_, c)| c.samples[0]), Some(0.005));
    let fault = FORMATS[1].read("time,x\ns,furlong\n0,1\n", "a.csv", &ReadOptions::default()).expect_err("no unit");
    assert_eq!(fault.kind.code(), "bad-column-unit");
}

#[test]
fn a_centre_of_pressure_in_millimetres_is_taken_as_such_and_told() {
    let table = |length: f64, unit: &str| {
        let mut text = format!(
            "time,ground_force_vx,ground_force_vy,ground_force_vz,ground_force_px{unit},ground_force_py{unit},ground_force_pz{unit},ground_torque_y\n"
        );
        // Without a load the point is anything, also far away.
        for (k, (load, x)) in [(0.0, 900.0), (600.0, 0.15), (700.0, 0.2), (650.0, 0.31)].iter().enumerate() {
            text += &format!("{},0,{load},0,{},0,{},{}\n", 0.01 * k as f64, length * x, length * -0.07, length * 4.0);
        }
        text
    };
    let read = |text: &str| record("walk.csv", text);
    let (metres, bare) = (read(&table(1.0, "")), read(&table(1000.0, "")));
    let told = bare.repairs.iter().find(|repair| repair.at == "columns ground_force_").expect("a repair");
    assert!(told.found.contains("200 from the origin") && told.done == "taken as mm, torques as N mm", "{told:?}");
    assert!(metres.repairs.iter().all(|repair| repair.at != told.at));
    let named = read(&table(1000.0, " [mm]"));
    for k in 1..4 {
        for other in [&bare, &named] {
            assert!((metres.plates[0].cop[k] - other.plates[0].cop[k]).norm() < 1e-12);
        }
        assert!((metres.plates[0].moment[k] - bare.plates[0].moment[k]).norm() < 1e-9);
        let sample = |recording: &Recording| recording.channel("ground_force_px").expect("a channel").1.samples[k];
        assert!((sample(&bare) - sample(&metres)).abs() < 1e-12);
    }
}

#[test]
fn ground_reactions_become_plates_and_points_of_nothing_are_masked() {
    let text = "grf\nversion=1\ninDegrees=yes\nendheader\n\
        time\tground_force_vx\tground_force_vy\tground_force_vz\tground_force_px\tground_force_py\tground_force_pz\tground_torque_x\tground_torque_y\tground_torque_z\t1_ground_force_vx\t1_ground_force_vy\t1_ground_force_vz\n\
        0\t10\t700\t-5\t0.5\t0\t0.1\t0\t3\t0\t0\t0\t0\n\
        0.01\t0\t1\t0\t880\t0\t-300\t0\t0\t0\t0\t50\t0\n";
    let recording = record("grf.mot", text);
    let names: Vec<&str> = recording.plates.iter().map(|plate| plate.name.as_str()).collect();
    assert_eq!(names, ["ground_force_", "1_ground_force_"]);
    let plate = &recording.plates[0];
    assert_eq!((plate.kind, plate.threshold, &plate.loaded[..]), (PlateKind::Columns, 20.0, &[true, false][..]));
    assert_eq!(plate.force[0].to_array(), [10.0, 700.0, -5.0]);
    assert_eq!(plate.cop[0].to_array(), [0.5, 0.0, 0.1]);
    // p x f + t by hand
    assert_eq!(plate.moment[0].to_array(), [0.0 * -5.0 - 0.1 * 700.0, 0.1 * 10.0 - 0.5 * -5.0 + 3.0, 0.5 * 700.0]);
    assert_eq!((plate.cop[1], plate.moment[1], plate.force[1].y), (Vec3::ZERO, Vec3::ZERO, 1.0));
    assert_eq!(recording.plates[1].loaded, [false, false], "without a point there is no centre of pressure");
    let (_, force) = recording.channel("ground_force_vy").expect("the column stays a channel");
    assert_eq!((force.unit.as_deref(), force.samples[0]), (Some("N"), 700.0), "degrees say nothing about forces");
}

#[test]
fn degrees_are_converted_by_name_only_where_no_model_knows() {
    let text = "walk\nversion=1\ninDegrees=yes\nendheader\ntime\tknee_angle_r\tpelvis_tx\tknee_r_beta\n0\t90\t1\t2\n0.1\t45\t1\t2\n";
    let recording = record("walk.mot", text);
    let first = |name: &str| recording.channel(name).map(|(_, c)| (c.samples[0], c.unit.clone()));
    assert_eq!(first("knee_angle_r"), Some((std::f64::consts::FRAC_PI_2, Some("rad".into()))));
    assert_eq!(first("pelvis_tx"), Some((1.0, None)));
    assert_eq!(first("knee_r_beta"), Some((2.0, None)));
    assert!(repairs(&recording).contains("no model says which columns are angles"), "{}", repairs(&recording));
    // a model that calls nothing an angle is believed
    let told = RecordingOptions { angular: &|_| None, ..RecordingOptions::default() };
    let kept = FORMATS[0].record(&mut Cursor::new(text.as_bytes()), "walk.mot", &told).expect("a recording");
    assert_eq!(kept.channel("knee_angle_r").map(|(_, c)| c.samples[0]), Some(90.0));
    // radians by word: nothing is changed, and a knee of sixty radians is told
    let radians = text.replace("=yes", "=no").replace("90", "70").replace("\t45", "\t10");
    let recording = record("walk.mot", &radians);
    assert_eq!(recording.channel("knee_angle_r").map(|(_, c)| c.samples[0]), Some(70.0));
    assert!(repairs(&recording).contains("column `knee_angle_r` covers 60.000 although the file says radians"), "{}", repairs(&recording));
    let model = RecordingOptions { angular: &|name| (name == "knee_angle_r").then_some(Angular::Angle), ..RecordingOptions::default() };
    let fault = FORMATS[0].record(&mut Cursor::new(radians.as_bytes()), "walk.mot", &model).expect_err("refused");
    assert_eq!(fault.kind.code(), "implausible-angle");
}

#[test]
fn bad_tables_are_refused_with_their_lines() {
    let cases = [
        ("a.csv", "time,x\n0,1\n1,2\n1,3\n", "time-not-increasing", 4, "time 1.0 s does not come after 1.0 s of line 3"),
        ("a.mot", "a\nendheader\ntime x\n0 1\n2 2\n1 3\n", "time-not-increasing", 6, "time 1.0 s does not come after 2.0 s of line 5"),
        ("a.csv", "time,x\n0,0,5,1\n", "ragged-row", 2, "the row has 4 cells, expected 2"),
        ("a.txt", "time\tx\n0\t0,5\n", "not-a-number", 2, "column `x`: found `0,5`, expected a number"),
        ("a.csv", "time,x\n0,1\n", "no-rate", 0, "the header says no rate, and the times show none"),
    ];
    for (file, text, code, line, message) in cases {
        let format = format_of(Path::new(file)).expect("a format");
        let fault = format.record(&mut Cursor::new(text.as_bytes()), file, &RecordingOptions::default()).expect_err(code);
        assert_eq!((fault.kind.code(), fault.line, fault.kind.message().as_str()), (code, line, message));
    }
    let ragged = TextFault::RaggedRow { found: 4, expected: 2 };
    assert!(ragged.hint().is_some_and(|hint| hint.contains("never a comma")));
}

/// Points with gaps and channels with gaps, at one rate.
fn random_recording(random: &mut Random) -> Recording {
    let (rate, count) = (100.0, 8 + (random.bits() % 9) as usize);
    let clock = Clock::even(rate, 0.25, count);
    let mut mask = || -> Vec<bool> { (0..count).map(|_| !random.bits().is_multiple_of(4)).collect() };
    let masks: Vec<Vec<bool>> = (0..4).map(|_| mask()).collect();
    let point = |name: &str, seen: &[bool], random: &mut Random| {
        let place = |random: &mut Random| vec3(random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0));
        let position = seen.iter().map(|seen| if *seen { place(random) } else { Vec3::ZERO }).collect();
        PointSeries { name: name.into(), position, seen: seen.to_vec(), residual: Vec::new() }
    };
    let points = vec![point("R.ASIS", &masks[0], random), point("*12", &masks[1], random), point("S:L, \"x\"", &masks[2], random)];
    let samples = masks[3].iter().map(|seen| if *seen { random.uniform(-1e3, 1e3) } else { 0.0 }).collect();
    let seen = if masks[3].iter().all(|seen| *seen) { Vec::new() } else { masks[3].clone() };
    let channel = Channel { name: "Fz 1".into(), unit: Some("N".into()), samples, seen, ..Channel::default() };
    let channels = vec![ChannelGroup { clock: clock.clone(), channels: vec![channel] }];
    Recording { name: "walk".into(), clock, first_frame: 1, points, channels, length_unit: "m".into(), ..Recording::default() }
}

#[test]
fn tables_give_back_points_and_channels_with_their_masks() {
    let mut random = Random::new(11);
    for _ in 0..50 {
        let recording = random_recording(&mut random);
        for format in FORMATS.iter().filter(|format| format.keeps_tables()) {
            let bytes = written(*format, &recording);
            let back = record(&format!("walk.{}", format.endings()[0]), str::from_utf8(&bytes).expect("text"));
            assert_eq!(back.points, recording.points, "{}", format.name());
            assert_eq!(back.channels[0].channels, recording.channels[0].channels, "{}", format.name());
            assert_eq!((back.clock.rate, back.clock.count, back.name.as_str()), (100.0, recording.clock.count, "walk"));
            assert!(back.repairs.is_empty(), "{}", repairs(&back));
        }
    }
}

#[test]
fn fast_channels_alone_are_a_table_of_their_own_rate() {
    let clock = Clock::even(100.0, 0.0, 2);
    let channel = Channel { name: "EMG".into(), unit: Some("V".into()), samples: (0..20).map(f64::from).collect(), ..Channel::default() };
    let fast = ChannelGroup { clock: Clock::even(1000.0, 0.0, 20), channels: vec![channel] };
    let mut recording = Recording { clock, channels: vec![fast], ..Recording::default() };
    let back = record("a.csv", str::from_utf8(&written(FORMATS[1], &recording)).expect("text"));
    assert_eq!((back.clock.rate, back.clock.count), (1000.0, 20));
    assert_eq!(back.channel("EMG").map(|(_, c)| (c.samples[19], c.unit.clone())), Some((19.0, None)));
    recording.points.push(PointSeries {
        name: "A".into(),
        position: vec![vec3(1.0, 2.0, 3.0); 2],
        seen: vec![true; 2],
        residual: Vec::new(),
    });
    assert_eq!(FORMATS[1].left_out(recording.frames().outline()).len(), 1);
    let back = record("a.csv", str::from_utf8(&written(FORMATS[1], &recording)).expect("text"));
    assert_eq!((back.clock.rate, back.points.len(), back.channels.len()), (100.0, 1, 0));
}

#[test]
fn a_table_of_the_plane_has_markers_and_a_plate_with_units_at_the_end_of_names() {
    let text = "frame,time_s,hip_x_cm,hip_y_cm,grf_x_n,grf_y_n,cop_x_m,heel_m\n\
                7,0,100,90,-20,600,0.5,0.1\n8,0.014,103,91,0,0,0,0.1\n9,0.029,106,92,30,700,0.6,0.1\n";
    let recording = record("a.csv", text);
    assert_eq!(recording.points.len(), 1);
    assert_eq!((recording.points[0].name.as_str(), recording.points[0].position[1].to_array()), ("hip", [1.03, 0.91, 0.0]));
    let plate = &recording.plates[0];
    assert_eq!((plate.name.as_str(), plate.force[2].to_array(), plate.cop[2].to_array()), ("grf_", [30.0, 700.0, 0.0], [0.6, 0.0, 0.0]));
    assert_eq!((plate.loaded.as_slice(), plate.moment[0].to_array()), (&[true, false, true][..], [0.0, 0.0, 300.0]));
    let told: Vec<&str> = recording.repairs.iter().map(|repair| repair.found.as_str()).collect();
    for said in ["`frame` only counts frames", "names of columns end with a unit", "1 markers have x and y only"] {
        assert!(told.iter().any(|found| found.contains(said)), "{said}: {told:?}");
    }
    // A known rate makes rounded times even; without `time_s` the end of a name is a part of it.
    let options = RecordingOptions { rate: Some(69.9), ..RecordingOptions::default() };
    let even = FORMATS[1].record(&mut std::io::Cursor::new(text), "a.csv", &options).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!((even.clock.rate, even.clock.time(2), even.clock.printed[2]), (69.9, 2.0 / 69.9, 2.0 / 69.9));
    let wrong = RecordingOptions { rate: Some(50.0), ..RecordingOptions::default() };
    let fault = FORMATS[1].record(&mut std::io::Cursor::new(text), "a.csv", &wrong).expect_err("another rate");
    assert_eq!(fault.kind.code(), "not-the-rate");
    let plain = record(
        "a.csv",
        &text.replace("frame,", "").replace("time_s", "time").replace("\n7,", "\n").replace("\n8,", "\n").replace("\n9,", "\n"),
    );
    assert!(plain.channel("heel_m").is_some() && plain.points.is_empty());
}

#[test]
fn the_reference_forces_and_markers_are_recognised() {
    let Some(path) = reference("data/opensim-gait10dof/subject01_walk_grf.mot") else { return };
    let recording = read_recording(&path, &RecordingOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!((recording.plates.len(), recording.clock.rate, recording.clock.count), (2, 600.0, 1501));
    let plate = &recording.plates[0];
    assert_eq!((plate.force[0].y, plate.cop[0].x, plate.free_moment[0].y), (745.4661142, 0.37898285, 13.53783445));
    let far = |plate: &crate::recording::Plate| plate.cop.iter().map(|p| p.norm()).fold(0.0, f64::max);
    assert!(far(plate) < 10.0 && far(&recording.plates[1]) < 10.0, "points without a load are masked");
    let Some(path) = reference("data/bmc-gait-markers-grf/gait_n.txt") else { return };
    let recording = read_recording(&path, &RecordingOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
    let names: Vec<&str> = recording.points.iter().map(|point| point.name.as_str()).collect();
    assert_eq!(names, ["FH", "LE", "ME", "HF", "TT", "LM", "MM", "CA", "FM", "VM"]);
    assert_eq!((recording.clock.count, recording.length_unit.as_str()), (182, "mm"));
    assert_eq!(recording.points[0].position[0].to_array(), [-80.42152, 817.65948, -433.59467].map(|x| x * 1e-3));
    let channels: Vec<&str> = recording.channels[0].channels.iter().map(|channel| channel.name.as_str()).collect();
    assert_eq!(channels, ["Fx", "Fy", "Fz", "COPx", "COPy", "COPz", "My"]);
}
