//! Every known deviation of C3D files, each by a file made here, and the line it leaves.
//! Not here: plates (`plates`), damage (`damage`).

use super::builder::{File, Value, text, texts};
use super::{assert_told, read_bytes, try_read};
use crate::format::TextFault;
use crate::format::c3d::C3dOptions;
use crate::recording::{ChannelKind, Event, EventKind, Recording, Side};
use borelli_math::vec3;

/// What `File::small` holds, however it was stored.
fn assert_small(recording: &Recording) {
    assert_eq!(recording.points.len(), 2);
    assert_eq!(recording.clock.count, 4);
    assert_eq!(recording.points[0].position[2], vec3(102.0 * 1e-3, 200.5 * 1e-3, -600.5 * 1e-3));
    assert_eq!(recording.points[1].position[3], vec3(-1e-3, 2003.0 * 1e-3, 4.0 * 1e-3));
    let (clock, first) = recording.channel("EMG1").expect("a channel");
    assert_eq!((clock.rate, clock.count), (300.0, 12));
    assert_eq!(first.unit.as_deref(), Some("V"));
    // frame 1, sample 2: raw 14.5, SCALE 0.5, GEN_SCALE 2
    assert_eq!(first.samples[5], 14.5);
    // the second channel: raw 15.5, OFFSET 1, SCALE 0.25, GEN_SCALE 2, mV
    assert_eq!(recording.channel("EMG2").expect("a channel").1.samples[5], 7.25 * 1e-3);
}

fn assert_mended(file: &File, at: &str, found: &str, done: &str) {
    let recording = read_bytes(&file.bytes());
    assert_told(&recording, at, found, done);
    assert_small(&recording);
}

#[test]
fn a_sound_file_needs_no_repair() {
    let recording = read_bytes(&File::small().bytes());
    assert_small(&recording);
    assert!(recording.repairs.is_empty(), "{:?}", recording.repairs);
    assert_eq!(recording.points[0].residual[0], (3.0 * f64::from(0.1f32) * 1e-3) as f32);
    assert_eq!((recording.name.as_str(), recording.first_frame), ("trial", 1));
}

#[test]
fn whole_numbers_are_scaled_and_their_residuals_read() {
    let mut file = File::small().whole(0.5);
    file.frames[1].0[0] = [-7.0, 8.0, 9.0, 0x1203 as f32];
    file.frames[2].0[0] = [1.0, 2.0, 3.0, -1.0];
    let recording = read_bytes(&file.bytes());
    let point = &recording.points[0];
    assert_eq!(point.position[1], vec3(-3.5 * 1e-3, 4.0 * 1e-3, 4.5 * 1e-3));
    assert_eq!(point.residual[1], (3.0 * 0.5 * 1e-3) as f32);
    assert_eq!(point.seen, [true, true, false, true]);
    assert_eq!(point.position[2], vec3(0.0, 0.0, 0.0));
}

#[test]
fn analog_numbers_without_sign_are_read_as_such() {
    let mut file = File::small().whole(0.5).with("ANALOG", "FORMAT", &[], text("UNSIGNED"));
    file = file.with("ANALOG", "OFFSET", &[2], Value::Words(vec![32768, 40000]));
    file.frames[0].1[0] = 60000.0;
    file.frames[0].1[1] = 30000.0;
    let recording = read_bytes(&file.bytes());
    assert_eq!(recording.channel("EMG1").expect("a channel").1.samples[0], 27232.0);
    assert_eq!(recording.channel("EMG2").expect("a channel").1.samples[0], -5000.0 * 1e-3);
}

#[test]
fn zeros_before_the_header_are_skipped() {
    for lead in [1, 512, 5000] {
        assert_mended(&File { lead, ..File::small() }, "header", &format!("{lead} zero bytes"), "skipped");
    }
}

#[test]
fn a_first_frame_of_zero_is_counted_from_zero() {
    let file = File { first: 0, last: 3, events: vec![(0.02, *b"LHS ")], ..File::small() };
    assert_mended(&file, "header: first frame", "0", "counted from 0");
    assert_eq!(read_bytes(&file.bytes()).events[0].time, f64::from(0.02f32));
}

#[test]
fn frames_are_counted_by_the_largest_number_that_fits() {
    let said = |last: u16| File { last, ..File::small() };
    assert_mended(&said(u16::MAX).with("POINT", "FRAMES", &[], Value::Words(vec![4])), "frames", "65535", "4 frames");
    assert_mended(&said(2), "frames", "header 2", "4 frames");
    assert_mended(
        &said(1).with("POINT", "LONG_FRAMES", &[], Value::Floats(vec![4.0])).without("POINT", "FRAMES"),
        "frames",
        "LONG_FRAMES 4",
        "4",
    );
    let trial = |end: Vec<u16>| {
        let file = said(1).with("TRIAL", "ACTUAL_START_FIELD", &[2], Value::Words(vec![1, 0]));
        file.without("POINT", "FRAMES").with("TRIAL", "ACTUAL_END_FIELD", &[2], Value::Words(end))
    };
    assert_mended(&trial(vec![4, 0]), "frames", "TRIAL 4", "4 frames");
    // none fits: what the length allows
    let wrong = said(900).with("POINT", "FRAMES", &[], Value::Words(vec![900]));
    assert_mended(&wrong, "frames", "room for 4", "4 frames");
    let floats = said(4).with("POINT", "FRAMES", &[], Value::Floats(vec![4.0]));
    assert!(read_bytes(&floats.bytes()).repairs.is_empty());
}

#[test]
fn a_last_frame_that_is_cut_off_is_dropped() {
    let bytes = File::small().bytes();
    let recording = read_bytes(&bytes[..bytes.len() - 7]);
    assert_told(&recording, "frame 4", "cut off: 49 of 56 bytes", "dropped");
    assert_eq!(recording.clock.count, 3);
}

#[test]
fn a_section_longer_than_announced_is_read_to_its_end() {
    let many = (0..80).map(|k| format!("label {k} of a long list")).collect();
    let file = File { blocks: Some(1), ..File::small() }.with("SUBJECTS", "NAMES", &[], Value::Texts(32, many));
    let mut file = file.with("LATE", "FACT", &[], text("still here"));
    assert_mended(&file, "parameters", "1 blocks announced", "read to the end");
    file.blocks = Some(0);
    assert_mended(&file, "parameters", "0 blocks announced", "read to the end");
    assert!(read_bytes(&file.bytes()).facts.contains(&("LATE:FACT".into(), "still here".into())));
}

#[test]
fn counts_of_points_and_channels_are_those_of_the_header_unless_only_the_others_fill_the_file() {
    let used = |n: u16| File::small().with("POINT", "USED", &[], Value::Words(vec![n]));
    assert_mended(&used(9), "POINT:USED", "9 points, the header says 2", "header");
    let mut many = File::small();
    many.frames = (0..400).map(|k| many.frames[k % 4].clone()).collect();
    many.last = 400;
    many.points = 1;
    let many = many.with("POINT", "FRAMES", &[], Value::Words(vec![400]));
    let recording = read_bytes(&many.bytes());
    assert_told(&recording, "POINT:USED", "2 points, the header says 1", "2 points");
    assert_eq!((recording.points.len(), recording.clock.count), (2, 400));
    let channels = File::small().with("ANALOG", "USED", &[], Value::Words(vec![5]));
    assert_mended(&channels, "ANALOG:USED", "5 channels, the header says 2", "header");
}

#[test]
fn the_start_of_the_data_is_that_of_the_header_where_it_is_possible() {
    let said = File::small().with("POINT", "DATA_START", &[], Value::Words(vec![77]));
    assert_mended(&said, "POINT:DATA_START", "block 77", "header");
    let right = File::small().with("POINT", "DATA_START", &[], Value::Words(vec![3]));
    assert_eq!(right.bytes().len() - 4 * 56, 2 * 512);
    assert_mended(&File { data_block: Some(0), ..right.clone() }, "header: first data block", "block 0", "POINT:DATA_START");
    assert_mended(&File { data_block: Some(9999), ..File::small() }, "header: first data block", "9999", "behind the parameters");
}

#[test]
fn channels_are_read_without_their_group_and_with_strange_scales() {
    let bare = read_bytes(&File::small().without("ANALOG", "*").bytes());
    assert_told(&bare, "ANALOG", "no such group", "as they are stored");
    assert_eq!(bare.channel("*2").expect("a channel").1.samples[5], 15.5);
    let dead = read_bytes(&File::small().with("ANALOG", "SCALE", &[2], Value::Floats(vec![0.0, 0.0])).bytes());
    assert_told(&dead, "ANALOG:SCALE", "every channel", "dead");
    assert!(dead.channels[0].channels.iter().all(|channel| channel.samples.iter().all(|x| *x == 0.0)));
    let one = read_bytes(&File::small().with("ANALOG", "SCALE", &[2], Value::Floats(vec![0.0, 0.25])).bytes());
    assert_told(&one, "ANALOG:SCALE", "EMG1", "dead");
    let short = read_bytes(&File::small().with("ANALOG", "SCALE", &[1], Value::Floats(vec![0.5])).bytes());
    assert_told(&short, "ANALOG:SCALE", "1 numbers for 2 channels", "1 where none stands");
    let general = read_bytes(&File::small().with("ANALOG", "GEN_SCALE", &[], Value::Floats(vec![0.0])).bytes());
    assert_told(&general, "ANALOG:GEN_SCALE", "0", "taken as 1");
    assert_eq!(general.channel("EMG1").expect("a channel").1.samples[5], 7.25);
    let offsets = File::small().with("ANALOG", "OFFSET", &[2], Value::Floats(vec![0.0, 1.0]));
    assert_mended(&offsets, "ANALOG:OFFSET", "floats", "taken as they are");
    let samples = File { samples: 0, channels: 2, ..File::small() };
    let mut bytes = samples.bytes();
    bytes[4] = 6; // six values in a frame, and no word of samples
    let recording = read_bytes(&bytes);
    assert_told(&recording, "header: analog samples per frame", "0", "3");
    assert_small(&recording);
}

#[test]
fn labels_are_made_up_or_told_apart() {
    let fewer = File::small().with("POINT", "LABELS", &[], texts(&["A"]));
    assert_mended(&fewer, "POINT:LABELS", "1 of 2 without a label", "*n");
    assert!(read_bytes(&fewer.bytes()).point("*2").is_some());
    let twice = File::small().with("POINT", "LABELS", &[], texts(&["A", "A"]));
    assert_mended(&twice, "POINT:LABELS", "1 labels", "A_2");
    let channels = File::small().with("ANALOG", "LABELS", &[], texts(&["F", "F"]));
    assert!(read_bytes(&channels.bytes()).channel("F_2").is_some());
}

#[test]
fn labels_are_decoded_as_utf8_or_latin1() {
    let mut bytes = File::small().with("POINT", "LABELS", &[3, 2], Value::Texts(6, vec!["Fü ".into(), String::new()])).bytes();
    let at = bytes.windows(3).position(|w| w == "Fü".as_bytes()).expect("the label");
    bytes[at..at + 6].copy_from_slice(b"F\xfc B\0\0");
    let recording = read_bytes(&bytes);
    assert!(recording.point("Fü").is_some() && recording.point("B").is_some(), "{:?}", recording.points);
    let utf8 = read_bytes(&File::small().with("POINT", "LABELS", &[3, 2], Value::Texts(5, vec!["Fü".into()])).bytes());
    assert!(utf8.point("Fü").is_some());
}

#[test]
fn the_unit_of_points_is_guessed_only_where_it_is_missing() {
    let missing = File::small().without("POINT", "UNITS");
    assert_mended(&missing, "POINT:UNITS", "no unit", "mm, because the largest coordinate is 2003");
    let strange = File::small().with("POINT", "UNITS", &[], text("parsec"));
    assert_mended(&strange, "POINT:UNITS", "parsec", "mm");
    let mut metres = missing.clone();
    metres.frames.iter_mut().flat_map(|(points, _)| points).for_each(|p| (0..3).for_each(|k| p[k] *= 0.001));
    let recording = read_bytes(&metres.bytes());
    assert_told(&recording, "POINT:UNITS", "no unit", "m, because");
    assert_eq!(recording.length_unit, "m");
    assert_eq!(recording.points[1].position[0].y, f64::from(2000.0f32 * 0.001));
    let each = File::small().with("POINT", "UNITS", &[], texts(&["mm", "mm"]));
    assert_mended(&each, "POINT:UNITS", "2 units, all alike", "mm");
    let other = read_bytes(&File::small().with("POINT", "UNITS", &[], text("m")).bytes());
    assert_eq!(other.points[1].position[0].y, 2000.0);
}

#[test]
fn angles_and_moments_among_points_are_kept_apart_in_si() {
    let mut file = File::small().with("POINT", "LABELS", &[], texts(&["Knee", "Hip", "Head", "Odd"]));
    file.points = 4;
    file.frames.iter_mut().for_each(|(points, _)| points.extend([[5.0, 6.0, 7.0, 0.0], [1.0, 2.0, 3.0, 0.0]]));
    file.frames[1].0[0][3] = -1.0;
    file = file.with("POINT", "USED", &[], Value::Words(vec![4])).with("POINT", "ANGLES", &[], texts(&["Knee"]));
    file = file.with("POINT", "ANGLE_UNITS", &[], text("deg")).with("POINT", "MOMENTS", &[], texts(&["Hip", "Nobody"]));
    file = file.with("POINT", "MOMENT_UNITS", &[], text("Nmm")).with("POINT", "SCALARS", &[], texts(&["Odd"]));
    let recording = read_bytes(&file.with("POINT", "SCALAR_UNITS", &[], text("furlong")).bytes());
    assert_eq!(recording.points.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["Head"]);
    let (clock, knee) = recording.channel("Knee.x").expect("an angle");
    assert_eq!((clock.rate, clock.count, knee.kind, knee.unit.as_deref()), (100.0, 4, ChannelKind::Derived, Some("rad")));
    assert!((knee.samples[2] - 102f64.to_radians()).abs() < 1e-15);
    assert_eq!(knee.seen, [true, false, true, true]);
    let hip = recording.channel("Hip.y").expect("a moment").1;
    assert_eq!((hip.unit.as_deref(), hip.samples[3]), (Some("N m"), 2003.0 * 1e-3));
    let odd = recording.channel("Odd.z").expect("a scalar").1;
    assert_eq!((odd.unit.as_deref(), odd.samples[0]), (None, 3.0));
    assert!(recording.facts.contains(&("unit of Odd.z".into(), "furlong".into())));
    assert_told(&recording, "POINT", "Odd", "as they are stored");
}

#[test]
fn rotations_of_markerless_programs_are_left_out_with_a_word() {
    let file = File::small().with("ROTATION", "USED", &[], Value::Words(vec![3]));
    assert_mended(&file, "ROTATION", "rigid transforms", "not read");
}

#[test]
fn points_at_the_origin_and_numbers_that_are_none_are_missing() {
    let mut file = File::small();
    file.frames[1].0[0] = [0.0, 0.0, 0.0, 0.0];
    file.frames[2].0[0] = [0.0, -0.0, 0.0, 1.0];
    file.frames[3].0[1] = [f32::NAN, 1.0, f32::INFINITY, 0.0];
    file.frames[3].1[2] = f32::NAN;
    let recording = read_bytes(&file.bytes());
    assert_told(&recording, "frame 2", "exactly (0, 0, 0), 2 times in all", "missing");
    assert_told(&recording, "frame 4", "point that is no finite number, 1 times", "missing");
    assert_told(&recording, "frame 4", "sample that is no finite number, 1 times", "zero");
    assert_eq!(recording.points[0].seen, [true, false, false, true]);
    assert_eq!(recording.points[1].seen, [true, true, true, false]);
}

#[test]
fn rates_are_those_of_the_header_unless_it_has_none() {
    let other = File::small().with("POINT", "RATE", &[], Value::Floats(vec![50.0]));
    assert_mended(&other, "POINT:RATE", "50 Hz", "header");
    assert_mended(&File { rate: 0.0, ..File::small() }, "header: frame rate", "0", "100 Hz");
    let fast = File::small().with("ANALOG", "RATE", &[], Value::Floats(vec![1000.0]));
    assert_mended(&fast, "ANALOG:RATE", "1000 Hz", "300 Hz");
    let none = File { rate: 0.0, ..File::small() }.without("POINT", "RATE");
    let fault = try_read(&none.bytes(), &C3dOptions::default()).expect_err("no rate");
    assert_eq!(fault.kind, TextFault::NoFrameRate { byte: 0 });
}

#[test]
fn an_unknown_processor_is_tried_as_intel() {
    assert_mended(&File { processor: 1, ..File::small() }, "parameters: processor", "1, expected 84", "Intel");
}

#[test]
fn a_scale_of_zero_is_looked_for_among_the_parameters() {
    assert_mended(&File { scale: 0.0, ..File::small() }, "header: scale", "0", "POINT:SCALE");
}

#[test]
fn events_are_read_from_the_group_and_else_from_the_header() {
    let mut file = File { first: 51, last: 54, ..File::small() };
    file.events = vec![(0.53, *b"RTO "), (0.51, *b"LHS ")];
    let expected = |time: f64, kind, side| Event { time, kind, side };
    let header = read_bytes(&file.bytes()).events;
    assert_eq!(header[0], expected(f64::from(0.51f32) - 0.5, EventKind::FootStrike, Some(Side::Left)));
    assert_eq!(header[1], expected(f64::from(0.53f32) - 0.5, EventKind::FootOff, Some(Side::Right)));
    let file =
        file.with("EVENT", "USED", &[], Value::Words(vec![3])).with("EVENT", "LABELS", &[], texts(&["Foot Strike", "Event", "Foot Off"]));
    let file = file.with("EVENT", "CONTEXTS", &[], texts(&["Right", "General", "Left"]));
    let recording = read_bytes(&file.with("EVENT", "TIMES", &[2, 3], Value::Floats(vec![0.0, 0.625, 0.0, 0.5, 1.0, 2.5])).bytes());
    assert_eq!(recording.events[0], expected(0.0, EventKind::Other("Event".into()), None));
    assert_eq!(recording.events[1], expected(0.125, EventKind::FootStrike, Some(Side::Right)));
    assert_eq!(recording.events[2], expected(62.0, EventKind::FootOff, Some(Side::Left)));
}

#[test]
fn facts_units_and_the_direction_up_are_kept() {
    let file = File::small().with("ANALOG", "UNITS", &[], texts(&["g", "V"])).with("POINT", "Y_SCREEN", &[], text("+Z"));
    let recording = read_bytes(&file.with("PROCESSING", "BODYMASS", &[], Value::Floats(vec![72.5])).bytes());
    assert_eq!(recording.channel("EMG1").expect("a channel").1.unit, None);
    assert_eq!(recording.up, Some(vec3(0.0, 0.0, 1.0)));
    for fact in [("unit of EMG1", "g"), ("PROCESSING:BODYMASS", "72.5"), ("C3D:PROCESSOR", "Intel")] {
        assert!(recording.facts.contains(&(fact.0.into(), fact.1.into())), "{:?}", recording.facts);
    }
}
