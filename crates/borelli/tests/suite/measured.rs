//! Measured motion through the program: files of a laboratory in, coordinates and moments out.
//! Not here: single readers, filters and solvers (`borelli-data`, `borelli-dynamics`); these are whole chains.
//! The first trial is of our own making; those of OpenSim say `SKIPPED` without the reference folder.

use crate::{program, stderr, stdout};
use borelli::dynamics::frames::Frames;
use borelli::study::StudyFile;
use borelli::study::run::{Outline, check};
use borelli::{Model, System, compile};
use borelli_data::{ReadOptions, Trajectory, read_table};
use borelli_math::Vec3;
use borelli_testkit::{ReferenceTable, osim, reference};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// A folder for the files of one test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("borelli-measured-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("writable");
    }

    /// Runs a study and gives its samples and its summary.
    pub fn run(&self, study: &str) -> (Trajectory, Value) {
        self.write("study.toml", study);
        let output = program(&["run", "study.toml", "--out", "result", "--force", "--no-report", "--json"]).current_dir(&self.0).output();
        let output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        let table = read_table(&self.0.join("result/trajectory.sto"), &ReadOptions::default()).expect("samples").trajectory;
        (table, serde_json::from_slice(&output.stdout).expect("a summary"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A trunk, two legs, two feet, markers on all of them.
const MODEL: &str = r#"
borelli = 1
dimension = "spatial"
[body.trunk]
mass = 40
center = [0, 0.3, 0]
inertia = [1.5, 0.8, 1.4]
point = { hip_r = [0, 0, 0.09], hip_l = [0, 0, -0.09] }
[body.leg_r]
mass = 9
center = [0, -0.4, 0]
inertia = [0.6, 0.03, 0.6]
point = { ankle = [0, -0.85, 0] }
[body.calcn_r]
mass = 1.2
center = [0.05, -0.04, 0]
inertia = [0.001, 0.004, 0.004]
[joint.root]
type = "free"
rotation = "angles"
sequence = "zxy"
parent = "world"
child = "trunk"
coordinates = ["tx", "ty", "tz", "tilt", "list", "turn"]
[joint.hip_r]
type = "gimbal"
parent = "trunk.hip_r"
child = "leg_r"
coordinates = ["flex_r", "add_r", "rot_r"]
[joint.ankle_r]
type = "hinge"
parent = "leg_r.ankle"
child = "calcn_r"
axis = [0, 0, 1]
coordinates = ["ankle_r"]
[body.leg_l]
mass = 9
center = [0, -0.4, 0]
inertia = [0.6, 0.03, 0.6]
point = { ankle = [0, -0.85, 0] }
[body.calcn_l]
mass = 1.2
center = [0.05, -0.04, 0]
inertia = [0.001, 0.004, 0.004]
[joint.hip_l]
type = "gimbal"
parent = "trunk.hip_l"
child = "leg_l"
coordinates = ["flex_l", "add_l", "rot_l"]
[joint.ankle_l]
type = "hinge"
parent = "leg_l.ankle"
child = "calcn_l"
axis = [0, 0, 1]
coordinates = ["ankle_l"]
"#;

/// Markers: body, label, place.
const MARKERS: [(&str, &str, [f64; 3]); 16] = [
    ("trunk", "R.ASIS", [0.1, 0.05, 0.12]),
    ("trunk", "L.ASIS", [0.1, 0.05, -0.12]),
    ("trunk", "Sacrum", [-0.1, 0.04, 0.0]),
    ("trunk", "C7", [-0.05, 0.5, 0.02]),
    ("leg_r", "R.Thigh", [0.05, -0.2, 0.08]),
    ("leg_r", "R.Knee", [0.0, -0.42, 0.06]),
    ("leg_r", "R.Shank", [0.05, -0.7, 0.01]),
    ("leg_l", "L.Thigh", [0.05, -0.2, -0.08]),
    ("leg_l", "L.Knee", [0.0, -0.42, -0.06]),
    ("leg_l", "L.Shank", [0.05, -0.7, -0.01]),
    ("calcn_r", "R.Heel", [-0.05, -0.05, 0.01]),
    ("calcn_r", "R.Toe.Tip", [0.2, -0.05, 0.02]),
    ("calcn_r", "R.Midfoot.Lat", [0.1, -0.04, 0.05]),
    ("calcn_l", "L.Heel", [-0.05, -0.05, -0.01]),
    ("calcn_l", "L.Toe.Tip", [0.2, -0.05, -0.02]),
    ("calcn_l", "L.Midfoot.Lat", [0.1, -0.04, -0.05]),
];

/// Coordinates over time: mean, amplitude, phase of one sine a second.
const WAYS: [(&str, [f64; 3]); 14] = [
    ("tx", [0.1, 0.02, 0.3]),
    ("ty", [0.9, 0.02, 0.1]),
    ("tz", [0.0, 0.02, 1.0]),
    ("tilt", [-0.05, 0.05, 0.0]),
    ("list", [0.02, 0.04, 2.0]),
    ("turn", [0.0, 0.06, 0.5]),
    ("flex_r", [0.1, 0.3, 0.0]),
    ("add_r", [0.03, 0.05, 1.0]),
    ("rot_r", [0.0, 0.05, 0.4]),
    ("ankle_r", [0.0, 0.2, 0.7]),
    ("flex_l", [0.1, 0.3, 3.1]),
    ("add_l", [-0.03, 0.05, 4.0]),
    ("rot_l", [0.0, 0.05, 3.4]),
    ("ankle_l", [0.0, 0.2, 3.9]),
];
const RATE: f64 = 100.0;
const FRAMES: usize = 101;

fn way([mean, amplitude, phase]: [f64; 3], t: f64) -> f64 {
    mean + amplitude * (std::f64::consts::TAU * t + phase).sin()
}

fn with_markers() -> String {
    let mut text = MODEL.to_string();
    for (k, (body, label, place)) in MARKERS.iter().enumerate() {
        let _ = writeln!(text, "[marker.m{k}]\nbody = \"{body}\"\nlocation = {place:?}\nlabel = \"{label}\"");
    }
    text
}

fn compiled(text: &str) -> System {
    let model = Model::parse("model.toml", text).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// Where all markers are at a time.
fn places(system: &System, t: f64) -> Vec<Vec3<f64>> {
    let of = |name: &str| WAYS.iter().find(|(own, _)| *own == name).map_or(0.0, |(_, numbers)| way(*numbers, t));
    let q: Vec<f64> = system.names.coordinates.iter().map(|c| of(&c.name)).collect();
    let mut frames = Frames::new(&system.skeleton);
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, &q, &vec![0.0; q.len()], &[]);
    frames.fill_points(&system.skeleton);
    let place = |marker: &borelli::dynamics::system::Marker| {
        let (k, tree) = (marker.place as usize, &system.numbers.tree);
        let body = system.numbers.place_body[k] as usize;
        frames.p[body] + frames.R[body] * tree.place_p[k]
    };
    system.markers.iter().map(place).collect()
}

/// A marker file in mm; `shift` moves a marker in a frame, nothing loses it.
fn trc(system: &System, shift: impl Fn(usize, usize) -> Option<[f64; 3]>) -> String {
    let mut text = String::from(
        "PathFileType\t4\t(X/Y/Z)\twalk.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n",
    );
    let _ = writeln!(text, "{RATE}\t{RATE}\t{FRAMES}\t{}\tmm\t{RATE}\t1\t{FRAMES}", MARKERS.len());
    let labels: Vec<String> = MARKERS.iter().map(|(_, label, _)| format!("{label}\t\t")).collect();
    let _ = writeln!(text, "Frame#\tTime\t{}", labels.join("\t"));
    let axes: Vec<String> = (1..=MARKERS.len()).map(|k| format!("X{k}\tY{k}\tZ{k}")).collect();
    let _ = writeln!(text, "\t\t{}\n", axes.join("\t"));
    for frame in 0..FRAMES {
        let t = frame as f64 / RATE;
        let _ = write!(text, "{}\t{t:.6}", frame + 1);
        for (k, p) in places(system, t).into_iter().enumerate() {
            match shift(frame, k) {
                Some(shift) => {
                    let mm = p.to_array().iter().zip(shift).map(|(x, d)| format!("\t{:.9}", 1000.0 * (x + d))).collect::<String>();
                    text.push_str(&mm);
                }
                None => text.push_str("\t\t\t"),
            }
        }
        text.push('\n');
    }
    text
}

const KINEMATICS: &str =
    "borelli = 1\ntitle = \"Markers\"\nmodel = \"model.toml\"\nanalysis = \"kinematics\"\n[markers]\nfile = \"walk.trc\"\n";

/// The largest distance of coordinates from where they were.
fn farthest(table: &Trajectory) -> f64 {
    let mut most = 0.0_f64;
    for (name, numbers) in WAYS {
        let column = table.column(&format!("coord.{name}.value")).unwrap_or_else(|| panic!("{name}"));
        for (t, x) in table.time().iter().zip(column) {
            most = most.max((x - way(numbers, *t)).abs());
        }
    }
    most
}

fn scalar(summary: &Value, name: &str) -> f64 {
    summary["scalars"][name]["value"].as_f64().unwrap_or_else(|| panic!("no {name}: {}", summary["scalars"]))
}

#[test]
fn coordinates_of_a_synthetic_trial_are_recovered_from_its_markers() {
    let (folder, system) = (Folder::new("exact"), compiled(&with_markers()));
    folder.write("model.toml", &with_markers());
    folder.write("walk.trc", &trc(&system, |_, _| Some([0.0; 3])));
    let (table, summary) = folder.run(KINEMATICS);
    assert_eq!(table.len(), FRAMES);
    assert!(farthest(&table) < 1e-6, "{:e}", farthest(&table));
    assert!(scalar(&summary, "markers.largest") < 1e-9 * 100.0);
    // Rates come from the quintic spline through the values.
    let rate = table.column("coord.flex_r.rate").expect("a rate")[50];
    let exact = 0.3 * std::f64::consts::TAU * (std::f64::consts::TAU * 0.5).cos();
    assert!((rate - exact).abs() < 1e-5, "{rate} {exact}");
    // A marker that is never seen, and one with a gap: the others suffice.
    folder.write("walk.trc", &trc(&system, |frame, k| (k != 5 && !(k == 12 && (30..60).contains(&frame))).then_some([0.0; 3])));
    let (table, summary) = folder.run(KINEMATICS);
    assert!(farthest(&table) < 1e-6, "{:e}", farthest(&table));
    assert_eq!(summary["health"]["missing_markers"]["value"].as_f64(), Some((FRAMES + 30) as f64));
}

#[test]
fn injected_errors_of_markers_are_reported() {
    let (folder, system) = (Folder::new("errors"), compiled(&with_markers()));
    folder.write("model.toml", &with_markers());
    // Noise of 2 mm on every axis leaves what the coordinates cannot follow: sqrt(3 - dofs/markers) of it.
    let mut random = borelli_math::random::Random::new(11);
    let noise: Vec<[f64; 3]> = (0..FRAMES * MARKERS.len()).map(|_| [0; 3].map(|_| 0.002 * normal(&mut random))).collect();
    folder.write("walk.trc", &trc(&system, |frame, k| Some(noise[frame * MARKERS.len() + k])));
    let (table, summary) = folder.run(KINEMATICS);
    let expected = 0.002 * (3.0 - WAYS.len() as f64 / MARKERS.len() as f64).sqrt();
    let rms = scalar(&summary, "markers.rms");
    assert!((rms / expected - 1.0).abs() < 0.05, "{rms} {expected}");
    assert!(farthest(&table) < 0.1, "{}", farthest(&table));
    // A leg 5 % too long cannot reach the markers of foot and pelvis at once.
    folder.write("walk.trc", &trc(&system, |_, _| Some([0.0; 3])));
    folder.write("model.toml", &with_markers().replacen("ankle = [0, -0.85, 0]", "ankle = [0, -0.8925, 0]", 1));
    let (_, summary) = folder.run(KINEMATICS);
    let most = scalar(&summary, "markers.largest");
    // The injected 42.5 mm are shared between foot and pelvis, and the least squares turn the foot a little.
    assert!((0.01..0.045).contains(&most), "{most}");
    assert!(scalar(&summary, "marker.m10.mean_error") > 5.0 * scalar(&summary, "marker.m13.mean_error"), "the other foot is not to blame");
}

/// Frames that are tied together bridge a gap and leave less of the noise than single ones.
#[test]
fn smoothing_all_frames_leaves_less_noise_than_single_frames() {
    let (folder, system) = (Folder::new("smooth"), compiled(&with_markers()));
    folder.write("model.toml", &with_markers());
    let mut random = borelli_math::random::Random::new(5);
    let noise: Vec<[f64; 3]> = (0..FRAMES * MARKERS.len()).map(|_| [0; 3].map(|_| 0.002 * normal(&mut random))).collect();
    folder.write("walk.trc", &trc(&system, |frame, k| Some(noise[frame * MARKERS.len() + k])));
    let (single, _) = folder.run(KINEMATICS);
    let (smooth, summary) = folder.run(&format!("{KINEMATICS}trajectory = \"smooth\"\n"));
    assert!(farthest(&smooth) < 0.5 * farthest(&single), "{} {}", farthest(&smooth), farthest(&single));
    assert!(summary["settings"]["trajectory"].as_str().is_some_and(|told| told.starts_with("all frames at once")));
}

/// A normal deviate by the polar method.
fn normal(random: &mut borelli_math::random::Random) -> f64 {
    loop {
        let (u, v) = (random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
        let s: f64 = u * u + v * v;
        if s > 0.0 && s < 1.0 {
            return u * (-2.0 * s.ln() / s).sqrt();
        }
    }
}

const MOMENTS_HEAD: &str = "borelli = 1\ntitle = \"Moments\"\nmodel = \"model.toml\"\nanalysis = \"inverse\"\n";
const FORCES: &str = "[loads]\nfile = \"forces.mot\"\n";

/// What an inverse analysis from markers and plates leaves, for the page of columns.
pub(crate) fn outline() -> Outline {
    let (folder, system) = (Folder::new("outline"), compiled(&with_markers()));
    folder.write("walk.trc", &trc(&system, |_, _| Some([0.0; 3])));
    folder.write("forces.mot", &plates(&system));
    folder.write("study.toml", &format!("{MOMENTS_HEAD}[markers]\nfile = \"walk.trc\"\n{FORCES}"));
    let study = StudyFile::read(&folder.0.join("study.toml")).unwrap_or_else(|rejected| panic!("{rejected}"));
    let plan = study.plan("", &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
    check(&system, &plan).unwrap_or_else(|_| panic!("a measured trial cannot be run"))
}

/// Two plates as columns of a table, one under each foot.
fn plates(system: &System) -> String {
    let mut forces = String::from("forces\nversion=1\nnRows=1001\nnColumns=19\ninDegrees=no\nendheader\ntime");
    for side in ["r", "l"] {
        for what in
            ["force_S_vx", "force_S_vy", "force_S_vz", "force_S_px", "force_S_py", "force_S_pz", "torque_S_x", "torque_S_y", "torque_S_z"]
        {
            let _ = write!(forces, "\tground_{}", what.replace('S', side));
        }
    }
    forces.push('\n');
    for k in 0..=1000 {
        let t = f64::from(k) / 1000.0;
        let now = places(system, t);
        let _ = write!(forces, "{t}");
        for (heel, toe, on) in [(10, 11, t < 0.6), (13, 14, t > 0.45)] {
            let p = (now[heel] + now[toe]).scale(0.5);
            let size = if on { 250.0 } else { 0.0 };
            let row = [0.1 * size, size, 0.05 * size, p.x, 0.0, p.z, 0.0, 0.01 * size, 0.0];
            row.iter().for_each(|x| {
                let _ = write!(forces, "\t{x:?}");
            });
        }
        forces.push('\n');
    }
    forces
}

/// From markers and plates to moments in one run, against the same moments from the coordinates themselves.
#[test]
fn moments_from_markers_and_plates_are_those_of_the_motion() {
    let (folder, system) = (Folder::new("moments"), compiled(&with_markers()));
    folder.write("model.toml", &with_markers());
    folder.write("walk.trc", &trc(&system, |_, _| Some([0.0; 3])));
    folder.write("forces.mot", &plates(&system));
    let mut motion = String::from("motion\nversion=1\ninDegrees=yes\nendheader\ntime");
    WAYS.iter().for_each(|(name, _)| {
        let _ = write!(motion, "\t{name}");
    });
    motion.push('\n');
    for k in 0..FRAMES {
        let t = k as f64 / RATE;
        let _ = write!(motion, "{t:?}");
        for (j, (_, numbers)) in WAYS.iter().enumerate() {
            let x = way(*numbers, t);
            let _ = write!(motion, "\t{:?}", if j < 3 { x } else { x.to_degrees() });
        }
        motion.push('\n');
    }
    folder.write("motion.mot", &motion);
    let (from_markers, summary) = folder.run(&format!("{MOMENTS_HEAD}[markers]\nfile = \"walk.trc\"\n{FORCES}"));
    let (from_motion, _) = folder.run(&format!("{MOMENTS_HEAD}[motion]\nfile = \"motion.mot\"\nderivatives = \"quintic\"\n{FORCES}"));
    let mut most = 0.0_f64;
    for (name, _) in WAYS {
        let column = format!("coord.{name}.effort");
        let (a, b) = (from_markers.column(&column).expect("an effort"), from_motion.column(&column).expect("an effort"));
        // Second derivatives magnify the digits of the file most at the ends.
        most = a.iter().zip(b).skip(3).take(FRAMES - 6).fold(most, |most, (a, b)| most.max((a - b).abs()));
    }
    assert!(most < 1e-3, "{most}");
    assert_eq!(summary["health"]["plate_assignment"]["verdict"], "good", "{}", summary["health"]);
    assert_eq!(summary["health"]["newton"]["verdict"], "good");
    assert_eq!(summary["health"]["power_balance"]["verdict"], "good");
}

/// An elbow at 40 degrees is no elbow at 40 radians.
#[test]
fn degrees_of_a_motion_file_are_understood_and_told() {
    let folder = Folder::new("degrees");
    folder.write("model.toml", "borelli = 1\ndimension = \"planar\"\n[body.forearm]\nmass = 1.5\ninertia = 0.02\ncenter = [0.12, 0]\n[joint.elbow]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"forearm\"\n");
    let rows = "time\telbow\n0\t40\n0.1\t41\n0.2\t42\n0.3\t42.5\n";
    folder.write("arm.mot", &format!("arm\nversion=1\ninDegrees=yes\nendheader\n{rows}"));
    let study = "borelli = 1\ntitle = \"Arm\"\nmodel = \"model.toml\"\nanalysis = \"inverse\"\n[motion]\nfile = \"arm.mot\"\n";
    let (table, summary) = folder.run(study);
    let angle = table.column("coord.elbow.value").expect("the elbow");
    assert!((angle[0] - 40f64.to_radians()).abs() < 1e-12, "{}", angle[0]);
    assert!(summary["settings"]["motion file"].as_str().is_some_and(|told| told.contains("converted: elbow")), "{}", summary["settings"]);
    folder.write("arm.mot", &format!("arm\nversion=1\ninDegrees=no\nendheader\n{rows}"));
    let output = program(&["run", "study.toml", "--out", "other"]).current_dir(&folder.0).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("motion-angle"), "{}", stderr(&output));
}

/// The files of a walking trial of OpenSim beside its translated model; nothing without the reference folder.
fn walking(name: &str) -> Option<Folder> {
    let path = |file: &str| reference(&format!("data/opensim-gait10dof/{file}"));
    let folder = Folder::new(name);
    let text =
        osim::translate(&fs::read_to_string(path("subject01_pipeline.osim")?).expect("readable")).unwrap_or_else(|what| panic!("{what}"));
    folder.write("model.toml", &text);
    for file in ["subject01_walk_IK.mot", "subject01_walk_grf.mot", "subject01_walk.trc", "subject01_walk_ID.sto"] {
        fs::copy(path(file)?, folder.0.join(file)).expect("a copy");
    }
    Some(folder)
}

const WALK: &str = "borelli = 1\ntitle = \"Walk\"\nmodel = \"model.toml\"\nanalysis = \"inverse\"\n[motion]\nfile = \"subject01_walk_IK.mot\"\nderivatives = \"quintic\"\n";
const ON_FEET: &str =
    "[[load]]\ncolumns = \"ground_force_\"\nbody = \"calcn_r\"\n[[load]]\ncolumns = \"1_ground_force_\"\nbody = \"calcn_l\"\n";
const MOMENTS: [&str; 10] = [
    "pelvis_tilt_moment",
    "pelvis_tx_force",
    "pelvis_ty_force",
    "hip_flexion_r_moment",
    "knee_angle_r_moment",
    "ankle_angle_r_moment",
    "hip_flexion_l_moment",
    "knee_angle_l_moment",
    "ankle_angle_l_moment",
    "lumbar_extension_moment",
];

/// The column of efforts that a column of the other program is.
fn effort(moment: &str) -> String {
    format!("coord.{}.effort", moment.trim_end_matches("_moment").trim_end_matches("_force"))
}

#[test]
fn inverse_dynamics_with_the_foreign_filter_is_that_of_the_other_program() {
    let Some(folder) = walking("foreign") else { return };
    let rules = "[filter]\nkind = \"opensim\"\ncutoff = \"6 Hz\"\n[loads]\nfile = \"subject01_walk_grf.mot\"\nthreshold = \"none\"\ncutoff = \"none\"\ninterpolation = \"natural\"\n";
    let (table, _) = folder.run(&format!("{WALK}{rules}{ON_FEET}"));
    let theirs = read_table(&folder.0.join("subject01_walk_ID.sto"), &ReadOptions::default()).expect("their moments").trajectory;
    assert_eq!(table.len(), theirs.len());
    let mut most = 0.0_f64;
    for moment in MOMENTS {
        let (a, b) = (table.column(&effort(moment)).expect("ours"), theirs.column(moment).expect("theirs"));
        most = a.iter().zip(b).fold(most, |most, (a, b)| most.max((a - b).abs()));
    }
    assert!(most < 1e-3, "{most}");
}

/// Root mean square distances from the other program's moments, without eight samples at each end: ankle, knee, hip.
fn distances(table: &Trajectory, theirs: &Trajectory) -> [f64; 3] {
    ["ankle_angle", "knee_angle", "hip_flexion"].map(|joint| {
        let (mut sum, mut count) = (0.0, 0.0);
        for side in ["r", "l"] {
            let moment = format!("{joint}_{side}_moment");
            let k = theirs.index(&moment).expect("theirs");
            let ours = table.index(&effort(&moment)).expect("ours");
            for sample in 8..table.len() - 8 {
                let t = table.time()[sample];
                let gap = table.values(ours)[sample] - theirs.value_at(k, t).expect("inside");
                sum += gap * gap;
                count += 1.0;
            }
        }
        f64::sqrt(sum / count)
    })
}

#[test]
fn our_own_filter_stays_near_the_other_program_and_plates_find_their_feet() {
    let Some(folder) = walking("own") else { return };
    let theirs = read_table(&folder.0.join("subject01_walk_ID.sto"), &ReadOptions::default()).expect("their moments").trajectory;
    let rules = "[filter]\ncutoff = \"6 Hz\"\n[loads]\nfile = \"subject01_walk_grf.mot\"\n";
    let near = |table: &Trajectory| {
        let found = distances(table, &theirs);
        assert!(found.iter().zip([0.3, 1.0, 2.5]).all(|(found, most)| *found < most), "{found:?}");
    };
    let (told, summary) = folder.run(&format!("{WALK}{rules}{ON_FEET}"));
    near(&told);
    for line in ["load_under_foot", "newton", "power_balance"] {
        assert_eq!(summary["health"][line]["verdict"], "good", "{line}: {}", summary["health"]);
    }
    let (found, summary) = folder.run(&format!("{WALK}{rules}"));
    near(&found);
    assert_eq!(summary["health"]["plate_assignment"]["verdict"], "good", "{}", summary["health"]);
    // The columns of both plates exchanged.
    let text = fs::read_to_string(folder.0.join("subject01_walk_grf.mot")).expect("readable");
    let exchanged = text.replace("1_ground", "OTHER").replace("ground", "1_ground").replace("OTHER", "ground");
    folder.write("subject01_walk_grf.mot", &exchanged);
    let (found, summary) = folder.run(&format!("{WALK}{rules}"));
    near(&found);
    assert_eq!(summary["health"]["plate_assignment"]["verdict"], "good", "{}", summary["health"]);
    // Forced onto the wrong feet: never green.
    let (wrong, summary) = folder.run(&format!("{WALK}{rules}{ON_FEET}"));
    assert_eq!(summary["health"]["load_under_foot"]["verdict"], "look", "{}", summary["health"]);
    for line in ["residual_force", "residual_moment"] {
        assert_eq!(summary["health"][line]["verdict"], "look", "{}", summary["health"]);
    }
    assert!(distances(&wrong, &theirs)[2] > 25.0);
}

#[test]
fn coordinates_and_moments_from_the_markers_of_the_other_program() {
    let Some(folder) = walking("markers") else { return };
    let weights = ReferenceTable::read("data/opensim-gait10dof/reference/ik_weights.csv").expect("weights");
    let names = fs::read_to_string(reference("data/opensim-gait10dof/reference/ik_weights.csv").expect("weights")).expect("readable");
    let mut list = String::from("{ \"*\" = 0");
    for (row, line) in names.lines().skip(1).enumerate() {
        let _ = write!(list, ", \"{}\" = {}", line.split(',').next().unwrap_or_default(), weights.number(row, "weight"));
    }
    list.push_str(" }");
    let markers = format!("[markers]\nfile = \"subject01_walk.trc\"\nmax_gap = 0\nweights = {list}\n");
    let (table, summary) = folder.run(&format!("borelli = 1\ntitle = \"K\"\nmodel = \"model.toml\"\nanalysis = \"kinematics\"\n{markers}"));
    let theirs = ReferenceTable::read("data/opensim-gait10dof/reference/ik.csv").expect("coordinates");
    assert_eq!(table.len(), theirs.numbers("time").len());
    let mut most = 0.0_f64;
    for name in ["pelvis_tilt", "pelvis_tx", "pelvis_ty", "hip_flexion_r", "knee_angle_r", "ankle_angle_l", "lumbar_extension"] {
        let ours = table.column(&format!("coord.{name}.value")).expect("a coordinate");
        most = ours.iter().zip(theirs.numbers(name)).fold(most, |most, (a, b)| most.max((a - b).abs()));
    }
    assert!(most < 1e-6, "{most:e}");
    assert!(scalar(&summary, "markers.rms") < 0.03);
    let chain = "borelli = 1\ntitle = \"C\"\nmodel = \"model.toml\"\nanalysis = \"inverse\"\n[filter]\ncutoff = \"6 Hz\"\n[loads]\nfile = \"subject01_walk_grf.mot\"\n";
    let (table, _) = folder.run(&format!("{chain}{markers}"));
    let theirs = read_table(&folder.0.join("subject01_walk_ID.sto"), &ReadOptions::default()).expect("their moments").trajectory;
    let found = distances(&table, &theirs);
    assert!(found.iter().zip([0.3, 1.0, 2.5]).all(|(found, most)| *found < most), "{found:?}");
}
