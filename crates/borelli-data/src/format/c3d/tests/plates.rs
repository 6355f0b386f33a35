//! Force plates of files made here: every type, signs, baselines, units, plates that cannot be used.
//! Not here: plates of laboratories (`reference`).

use super::builder::{File, Value, text, texts};
use super::{assert_told, read_bytes, try_read};
use crate::format::c3d::{BaselineRule, C3dOptions};
use crate::recording::{PlateKind, Recording};
use borelli_math::{Vec3, vec3};

/// Frames of a second and a half at 100 Hz, one sample each; the load acts in the second half.
const FRAMES: usize = 150;

/// A plate of 0.4 m by 0.6 m, its middle at (1, 2, 0) m, z into the floor: c1 to c2 along -x, c1 to c4 along +y of the laboratory.
/// Plate axes in those of the laboratory: x = X, y = -Y, z = -Z.
const CORNERS: [f32; 12] = [1200.0, 1700.0, 0.0, 800.0, 1700.0, 0.0, 800.0, 2300.0, 0.0, 1200.0, 2300.0, 0.0];

/// A file with one plate; `channels` gives the samples of a frame.
fn plate_file(kind: u16, origin: [f32; 3], units: &[&str], channels: impl Fn(usize) -> Vec<f32>) -> File {
    let mut file = File::small().without("ANALOG", "*");
    let count = channels(0).len();
    (file.channels, file.samples, file.last) = (count as u16, 1, FRAMES as u16);
    file.frames = (0..FRAMES).map(|k| (file.frames[0].0.clone(), channels(k))).collect();
    file =
        file.with("POINT", "FRAMES", &[], Value::Words(vec![FRAMES as u16])).with("ANALOG", "USED", &[], Value::Words(vec![count as u16]));
    file = file.with("ANALOG", "SCALE", &[count as u8], Value::Floats(vec![1.0; count])).with("ANALOG", "UNITS", &[], texts(units));
    file = file.with("ANALOG", "LABELS", &[], texts(&["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"][..count]));
    file = file.with("FORCE_PLATFORM", "USED", &[], Value::Words(vec![1])).with("FORCE_PLATFORM", "TYPE", &[1], Value::Words(vec![kind]));
    file = file.with("FORCE_PLATFORM", "CORNERS", &[3, 4, 1], Value::Floats(CORNERS.to_vec()));
    file = file.with("FORCE_PLATFORM", "ORIGIN", &[3, 1], Value::Floats(origin.to_vec()));
    file = file.with("FORCE_PLATFORM", "ZERO", &[2], Value::Words(vec![1, 0]));
    file.with("FORCE_PLATFORM", "CHANNEL", &[count as u8, 1], Value::Words((1..=count as u16).collect()))
}

fn loaded(k: usize) -> bool {
    k >= FRAMES / 2
}

const WRENCH: [&str; 6] = ["N", "N", "N", "Nmm", "Nmm", "Nmm"];

/// A plate of type 2 whose sensor is 40 mm below the surface, with a force (30, -20, -700) N in plate axes at (50, 80) mm and a free moment of 3 N m.
/// About the sensor, which lies at o from the surface: M_raw = (P - o) x F + T, in N mm.
fn six_components(k: usize) -> Vec<f32> {
    if !loaded(k) {
        return vec![0.0; 6];
    }
    let (F, P, o) = (vec3(30.0, -20.0, -700.0), vec3(50.0, 80.0, 0.0), vec3(0.0, 0.0, -40.0));
    // the moment about the sensor is that about the surface less F x o; with o = (0, 0, -40): F x o = (Fy oz, -Fx oz, 0)
    let about_surface = vec3(80.0 * F.z, -50.0 * F.z, 50.0 * F.y - 80.0 * F.x + 3000.0);
    assert!((P.cross(F) + vec3(0.0, 0.0, 3000.0) - about_surface).norm() < 1e-9);
    let raw = about_surface - vec3(F.y * o.z, -F.x * o.z, 0.0);
    [F.x, F.y, F.z, raw.x, raw.y, raw.z].map(|x| x as f32).to_vec()
}

/// What that load is in the laboratory.
fn assert_the_load(recording: &Recording, k: usize, tolerance: f64) {
    let plate = &recording.plates[0];
    assert!(plate.loaded[k]);
    let close = |a: Vec3<f64>, b: Vec3<f64>| assert!((a - b).norm() < tolerance, "{a:?} {b:?}");
    close(plate.center, vec3(1.0, 2.0, 0.0));
    close(plate.force[k], vec3(30.0, 20.0, 700.0));
    close(plate.cop[k], vec3(1.05, 1.92, 0.0));
    close(plate.free_moment[k], vec3(0.0, 0.0, -3.0));
    close(plate.moment[k], (plate.cop[k] - plate.center).cross(plate.force[k]) + plate.free_moment[k]);
}

#[test]
fn a_type_2_plate_gives_the_load_on_the_person() {
    let recording = read_bytes(&plate_file(2, [0.0, 0.0, -40.0], &WRENCH, six_components).bytes());
    assert_the_load(&recording, FRAMES - 1, 1e-6);
    assert_eq!(recording.plates[0].kind, PlateKind::Platform(2));
    assert!(!recording.plates[0].loaded[0] && recording.plates[0].cop[0] == Vec3::ZERO);
    // the same sensor with its origin told upwards
    let upwards = read_bytes(&plate_file(2, [0.0, 0.0, 40.0], &WRENCH, six_components).bytes());
    assert_told(&upwards, "plate 1", "origin at z = 40.00 mm", "opposite");
    assert_the_load(&upwards, FRAMES - 1, 1e-6);
}

#[test]
fn a_type_1_plate_obeys_its_own_equation() {
    let channels = |k: usize| if loaded(k) { vec![30.0, -20.0, -700.0, 50.0, 80.0, 3000.0] } else { vec![0.0; 6] };
    let units = ["N", "N", "N", "mm", "mm", "Nmm"];
    let recording = read_bytes(&plate_file(1, [0.0; 3], &units, channels).bytes());
    assert_the_load(&recording, FRAMES - 1, 1e-9);
    assert!(recording.repairs.is_empty(), "{:?}", recording.repairs);
}

#[test]
fn a_type_3_plate_sums_its_eight_channels() {
    // sensors at (a, b) = (150, 250) mm; vertical forces of the four corners that put 700 N at (50, 80) mm:
    // Mx = b (Fz1 + Fz2 - Fz3 - Fz4) = y Fz, My = a (-Fz1 + Fz2 + Fz3 - Fz4) = -x Fz
    let (a, b, x, y, fz) = (150.0, 250.0, 50.0, 80.0, -700.0);
    let share = |sx: f64, sy: f64| (fz / 4.0 * (1.0 + sx * x / a + sy * y / b)) as f32;
    let channels = move |k: usize| {
        // horizontal forces on the surface; the sensor is at the surface too
        if loaded(k) {
            vec![10.0, 20.0, -5.0, -15.0, share(1.0, 1.0), share(-1.0, 1.0), share(-1.0, -1.0), share(1.0, -1.0)]
        } else {
            vec![0.0; 8]
        }
    };
    let recording = read_bytes(&plate_file(3, [150.0, 250.0, 0.0], &["N"; 8], channels).bytes());
    let plate = &recording.plates[0];
    let k = FRAMES - 1;
    assert!((plate.force[k] - vec3(30.0, 20.0, 700.0)).norm() < 1e-4);
    assert!((plate.cop[k] - vec3(1.05, 1.92, 0.0)).norm() < 1e-6, "{:?}", plate.cop[k]);
    // turning forces at the edges: Mz = b (-Fx12 + Fx34) + a (Fy14 - Fy23)
    let mz = 0.25 * (-10.0 + 20.0) + 0.15 * (-5.0 + 15.0);
    assert!((plate.moment[k].z + mz).abs() < 1e-6);
}

#[test]
fn a_type_4_plate_is_calibrated_by_its_matrix() {
    // raw numbers are a tenth of force and a thousandth of moment, and the first two are exchanged
    let raw = |k: usize| {
        let c = six_components(k);
        vec![c[1] / 10.0, c[0] / 10.0, c[2] / 10.0, c[3] / 1000.0, c[4] / 1000.0, c[5] / 1000.0]
    };
    let mut matrix = vec![0.0f32; 36];
    for (i, j, entry) in [(0, 1, 10.0), (1, 0, 10.0), (2, 2, 10.0), (3, 3, 1000.0), (4, 4, 1000.0), (5, 5, 1000.0)] {
        matrix[i + 6 * j] = entry;
    }
    for units in [["V"; 6], ["mV"; 6], WRENCH] {
        let file = plate_file(4, [0.0, 0.0, -40.0], &units, raw);
        let bytes = file.clone().with("FORCE_PLATFORM", "CAL_MATRIX", &[6, 6, 1], Value::Floats(matrix.clone())).bytes();
        assert_the_load(&read_bytes(&bytes), FRAMES - 1, 1e-5);
        let without = read_bytes(&file.bytes());
        assert_told(&without, "plate 1", "without a calibration matrix", "channels can be read");
        assert!(without.plates.is_empty() && without.channel("c3").is_some());
        let empty = read_bytes(&file.with("FORCE_PLATFORM", "CAL_MATRIX", &[6, 6, 1], Value::Floats(vec![0.0; 36])).bytes());
        assert_told(&empty, "plate 1", "without a calibration matrix", "channels can be read");
    }
}

#[test]
fn a_plate_with_reversed_signs_is_turned_and_told() {
    let channels = |k: usize| six_components(k).iter().map(|x| -x).collect();
    let recording = read_bytes(&plate_file(2, [0.0, 0.0, -40.0], &WRENCH, channels).bytes());
    assert_told(&recording, "plate 1", "negative in 75 of 75 loaded samples", "turned");
    assert_the_load(&recording, FRAMES - 1, 1e-6);
}

#[test]
fn channels_that_say_volts_are_forces_and_moments_in_the_unit_of_points() {
    for units in [["V"; 6], ["mV"; 6], [""; 6], ["N"; 6]] {
        let recording = read_bytes(&plate_file(2, [0.0, 0.0, -40.0], &units, six_components).bytes());
        assert_told(&recording, "ANALOG:UNITS", "c4", "N times the unit of points");
        assert_the_load(&recording, FRAMES - 1, 1e-6);
        assert_eq!(recording.channel("c5").expect("a channel").1.unit.as_deref(), Some("N m"));
    }
    let metres = |k: usize| six_components(k).iter().enumerate().map(|(c, x)| if c < 3 { *x } else { x / 1000.0 }).collect();
    let recording = read_bytes(&plate_file(2, [0.0, 0.0, -40.0], &["N", "N", "N", "Nm", "Nm", "N.m"], metres).bytes());
    assert_the_load(&recording, FRAMES - 1, 1e-6);
    assert!(recording.repairs.is_empty());
}

#[test]
fn a_baseline_is_subtracted_as_asked() {
    let rest = [2.0, -3.0, 18.0, 400.0, -500.0, 600.0];
    let channels = |k: usize| six_components(k).iter().zip(rest).map(|(x, r)| x + r).collect::<Vec<f32>>();
    let file = plate_file(2, [0.0, 0.0, -40.0], &WRENCH, channels);
    let options = |baseline| C3dOptions { baseline, threshold: 20.0 };
    let read = |file: &File, rule| try_read(&file.bytes(), &options(rule)).unwrap_or_else(|fault| panic!("{fault}"));
    let automatic = read(&file, BaselineRule::Auto);
    assert_told(&automatic, "plate 1", "normal load of -18.00 N", "subtracted");
    assert_the_load(&automatic, FRAMES - 1, 1e-5);
    let baseline = automatic.plates[0].baseline.clone().expect("a baseline");
    assert!((baseline.force - vec3(2.0, -3.0, 18.0)).norm() < 1e-9);
    // The contact begins at 0.75 s; the tenth of a second before it does not count as rest.
    assert_eq!(baseline.from, (0.0, 0.64));
    assert_the_load(&read(&file, BaselineRule::Window(0.1, 0.3)), FRAMES - 1, 1e-5);
    let none = read(&file, BaselineRule::None);
    assert!(none.plates[0].baseline.is_none());
    assert!((none.plates[0].force[0] - vec3(2.0, 3.0, -18.0)).norm() < 1e-9);
    assert_told(&read(&file, BaselineRule::File), "plate 1", "ZERO names frames 1 to 0", "no baseline");
    assert_told(&read(&file, BaselineRule::Window(7.0, 8.0)), "plate 1", "no samples", "no baseline");
    let named = file.clone().with("FORCE_PLATFORM", "ZERO", &[2], Value::Words(vec![3, 10]));
    for rule in [BaselineRule::Auto, BaselineRule::File] {
        let recording = read(&named, rule);
        assert_told(&recording, "plate 1", "frames of ZERO", "subtracted");
        assert_eq!(recording.plates[0].baseline.as_ref().expect("a baseline").from, (0.02, 0.09));
        assert_the_load(&recording, FRAMES - 1, 1e-5);
    }
    let standing = file.with("FORCE_PLATFORM", "ZERO", &[2], Value::Words(vec![140, 150]));
    let recording = read(&standing, BaselineRule::Auto);
    assert_told(&recording, "plate 1", "which ZERO calls unloaded", "not believed");
    assert_the_load(&recording, FRAMES - 1, 1e-5);
    let always = plate_file(2, [0.0, 0.0, -40.0], &WRENCH, |_| six_components(FRAMES));
    assert_told(&read(&always, BaselineRule::Auto), "plate 1", "nowhere at rest", "no baseline");
}

#[test]
fn a_plate_that_cannot_be_used_is_told_and_its_channels_stay() {
    let file = || plate_file(2, [0.0, 0.0, -40.0], &WRENCH, six_components);
    let refused = |file: File, found: &str| {
        let recording = read_bytes(&file.bytes());
        assert_told(&recording, "plate 1", found, "channels can be read");
        assert!(recording.plates.is_empty());
        assert_eq!(recording.channels[0].channels.len(), 6);
    };
    for kind in [5, 6, 7, 11, 12, 21, 0, 65535] {
        refused(file().with("FORCE_PLATFORM", "TYPE", &[1], Value::Words(vec![kind])), &format!("type {kind}"));
    }
    refused(file().with("FORCE_PLATFORM", "CHANNEL", &[6, 1], Value::Words(vec![1, 2, 3, 4, 5, 9])), "channel number 9");
    refused(file().with("FORCE_PLATFORM", "CHANNEL", &[6, 1], Value::Words(vec![1, 2, 3, 4, 5, 0])), "channel number 0");
    refused(file().with("FORCE_PLATFORM", "CHANNEL", &[3, 1], Value::Words(vec![1, 2, 3])), "3 channels");
    refused(file().without("FORCE_PLATFORM", "CHANNEL"), "0 channels");
    refused(file().without("FORCE_PLATFORM", "CORNERS"), "no corners");
    refused(file().with("FORCE_PLATFORM", "CORNERS", &[3, 4, 1], Value::Floats(vec![5.0; 12])), "span no surface");
    refused(file().with("FORCE_PLATFORM", "CORNERS", &[3, 4, 1], Value::Floats(vec![f32::NAN; 12])), "no corners");
    let more = read_bytes(&file().with("FORCE_PLATFORM", "USED", &[], Value::Words(vec![4])).bytes());
    assert_told(&more, "FORCE_PLATFORM:TYPE", "1 types for 4 plates", "1 plates");
    assert_eq!(more.plates.len(), 1);
}

#[test]
fn plates_of_six_and_of_eight_channels_stand_in_one_file() {
    let file = plate_file(2, [0.0, 0.0, -40.0], &WRENCH, six_components);
    let twice = |list: &[f32]| Value::Floats([list, list].concat());
    let file =
        file.with("FORCE_PLATFORM", "USED", &[], Value::Words(vec![2])).with("FORCE_PLATFORM", "TYPE", &[2], Value::Words(vec![2, 3]));
    let file = file.with("FORCE_PLATFORM", "CORNERS", &[3, 4, 2], twice(&CORNERS)).with(
        "FORCE_PLATFORM",
        "ORIGIN",
        &[3, 2],
        twice(&[0.0, 0.0, -40.0]),
    );
    let numbers = vec![1, 2, 3, 4, 5, 6, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let recording = read_bytes(&file.with("FORCE_PLATFORM", "CHANNEL", &[8, 2], Value::Words(numbers)).bytes());
    assert_the_load(&recording, FRAMES - 1, 1e-6);
    assert_told(&recording, "plate 2", "channel number 7", "channels can be read");
}

#[test]
fn a_plate_without_its_origin_is_read_as_if_the_sensor_lay_in_the_surface_and_told() {
    let file = || plate_file(2, [0.0, 0.0, 0.0], &WRENCH, six_components);
    let (with, without) = (read_bytes(&file().bytes()), read_bytes(&file().without("FORCE_PLATFORM", "ORIGIN").bytes()));
    assert_told(&without, "FORCE_PLATFORM:ORIGIN of plate 1", "not there", "lie in the surface");
    assert_eq!((without.repairs.len(), &without.plates), (with.repairs.len() + 1, &with.plates));
}

#[test]
fn plates_overrule_a_vertical_that_points_into_the_floor() {
    let file = || plate_file(2, [0.0, 0.0, -40.0], &WRENCH, six_components);
    let read = |up: &str| read_bytes(&file().with("POINT", "Y_SCREEN", &[], text(up)).bytes());
    let mended = read("-Z");
    assert_eq!(mended.up, Some(vec3(0.0, 0.0, 1.0)));
    assert_told(&mended, "POINT:Y_SCREEN", "into the floor", "its opposite");
    let right = read("+Z");
    assert_eq!((right.up, right.repairs.len()), (Some(vec3(0.0, 0.0, 1.0)), mended.repairs.len() - 1));
    // A plate in a wall says nothing about it.
    assert_eq!(read("-Y").up, Some(vec3(0.0, -1.0, 0.0)));
}

#[test]
fn a_centre_of_pressure_off_the_plate_is_told() {
    let mut small = CORNERS;
    small.iter_mut().enumerate().for_each(|(k, x)| *x = if k % 3 == 2 { 0.0 } else { 0.01 * *x });
    let file = plate_file(2, [0.0, 0.0, -40.0], &WRENCH, six_components);
    let recording = read_bytes(&file.with("FORCE_PLATFORM", "CORNERS", &[3, 4, 1], Value::Floats(small.to_vec())).bytes());
    assert_told(&recording, "plate 1", "outside the corners", "left as it is");
}
