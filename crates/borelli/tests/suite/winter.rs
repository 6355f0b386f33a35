//! Winter's walking trial: joint forces and moments by inverse dynamics in the plane, from published kinematics and from raw markers.
//! Not here: the filter by itself and its vectors (`borelli_data::signal`), studies of the trial.
//! Without the reference folder the tests say `SKIPPED`.
//!
//! D. A. Winter, Biomechanics and Motor Control of Human Movement, 4th ed., Wiley 2009, tables A.1 to A.5: the subject of 56.7 kg, 106 frames.
//! Angles are those of the line from the distal to the proximal end of a segment, counter-clockwise from +x.

use borelli::data::signal::{Butterworth, Correction};
use borelli::dynamics::assemble::assemble;
use borelli::dynamics::formulation::articulated::Articulated;
use borelli::dynamics::formulation::{Evaluation, FORMULATIONS, Input};
use borelli::math::function::{Interpolation, Outside, Table};
use borelli::{Model, System, compile};
use borelli_testkit::{ReferenceTable, assert_close, reference};
use std::path::Path;

/// Frames per second; the printed times are rounded to 1 ms.
const RATE: f64 = 69.9;
const MASS: f64 = 56.7;
const GRAVITY: f64 = 9.81;
const FRAMES: usize = 106;
const SEGMENTS: [&str; 4] = ["hat", "thigh", "leg", "foot"];

/// A segment by fractions of the subject's mass and of its own length: mass, mass centre from its proximal end, radius of gyration. The mass centre
/// of half of head, arms and trunk is counted from its distal end, the hip, and lies beyond the rib.
const FRACTIONS: [[f64; 3]; 4] = [[0.339, 1.142, 0.903], [0.1, 0.433, 0.323], [0.0465, 0.433, 0.302], [0.0145, 0.5, 0.475]];

/// Lengths of the printed model, m.
const LENGTHS: [f64; 4] = [0.2575, 0.3141, 0.4081, 0.1221];

#[derive(Clone, Copy)]
struct Segment {
    length: f64,
    mass: f64,
    /// From the proximal end; of the trunk from the hip.
    center: f64,
    inertia: f64,
}

fn segments(lengths: [f64; 4]) -> [Segment; 4] {
    std::array::from_fn(|k| {
        let ([mass, center, radius], length) = (FRACTIONS[k], lengths[k]);
        Segment { length, mass: mass * MASS, center: center * length, inertia: mass * MASS * (radius * length).powi(2) }
    })
}

#[test]
fn the_printed_masses_and_inertias_follow_from_their_fractions() {
    let found = segments(LENGTHS);
    let [masses, inertias, centers] = [found.map(|s| s.mass), found.map(|s| s.inertia), found.map(|s| s.center)];
    assert_close(&masses, &[19.2213, 5.67, 2.63655, 0.82215], 1e-6, "masses");
    assert_close(&inertias[..3], &[1.03923, 0.05836, 0.04005], 1e-5, "inertias");
    assert_close(&centers, &[0.294065, 0.136005, 0.176707, 0.06105], 1e-6, "mass centres");
    // The printed foot has 0.00273.
    assert!((inertias[3] - 0.00277).abs() < 1e-5);
}

fn root_mean_square(list: &[f64]) -> f64 {
    (list.iter().map(|x| x * x).sum::<f64>() / list.len() as f64).sqrt()
}

fn time(frame: usize) -> f64 {
    (frame - 1) as f64 / RATE
}

fn times() -> Vec<f64> {
    (1..=FRAMES).map(time).collect()
}

/// An inline table of a model file.
fn inline(values: &[f64], interpolation: &str) -> String {
    format!("{{ type = \"table\", x = {:?}, y = {values:?}, interpolation = \"{interpolation}\" }}", times())
}

/// The ground reaction on the foot as a force element.
fn ground(reaction: &ReferenceTable) -> String {
    let of = |column: &str| inline(&reaction.numbers(column), "linear");
    let [fx, fy, cop] = ["grf_x_n", "grf_y_n", "cop_x_m"].map(of);
    format!("[force.ground]\ntype = \"load\"\nbody = \"foot\"\nforce = [{fx}, {fy}]\npoint = [{cop}, 0]\n")
}

fn system(text: &str) -> System {
    let model = Model::parse("winter.toml", text).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn less(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Published force on the distal segment at a joint, and the moment there, by frame.
fn published(table: &ReferenceTable, joint: &str, segment: &str) -> [Vec<f64>; 3] {
    [format!("{joint}_on_{segment}_rx_n"), format!("{joint}_on_{segment}_ry_n"), format!("{joint}_moment_nm")].map(|c| table.numbers(&c))
}

const JOINTS: [(&str, &str); 3] = [("ankle", "foot"), ("knee", "leg"), ("hip", "thigh")];

#[test]
fn filtered_markers_are_the_published_ones() {
    let (Some(raw), Some(published)) =
        (ReferenceTable::read("data/winter-wm22/a1_raw_markers.csv"), ReferenceTable::read("data/winter-wm22/a2_filtered_markers.csv"))
    else {
        return;
    };
    let filter = Butterworth::low_pass(2, 5.0, RATE, 2, Correction::Exact).expect("a filter");
    for marker in ["rib", "hip", "knee", "fibula", "ankle", "heel"] {
        for axis in ["x", "y"] {
            let metres: Vec<f64> = raw.numbers(&format!("{marker}_{axis}_cm")).iter().map(|x| x / 100.0).collect();
            let (found, expected) = (filter.filter(&metres, None), published.numbers(&format!("{marker}_{axis}_m")));
            // Frames 7 to 100: the book says nothing of what it did at the ends.
            let missed: Vec<f64> = (6..100).map(|k| found[k] - expected[k]).collect();
            let off = root_mean_square(&missed);
            assert!(off < 0.15e-3, "{marker} {axis}: {:.3} mm", 1e3 * off);
        }
    }
}

#[test]
fn joint_loads_follow_from_the_published_kinematics() {
    let folder = "data/winter-wm22";
    let read = |name: &str| ReferenceTable::read(&format!("{folder}/{name}.csv"));
    let (Some(markers), Some(kinematics), Some(reaction), Some(expected)) =
        (read("a2_filtered_markers"), read("a3_segment_kinematics"), read("a5_ground_reaction"), read("a5_joint_reactions"))
    else {
        return;
    };
    // Published segments are not joined exactly, so each floats by itself, and what is between them follows from their efforts. Section 6 of the
    // model's source prints its masses and inertias; the foot's is not that of its fractions.
    let bodies = [("foot", 0.82215, 0.00273), ("leg", 2.63655, 0.04005), ("thigh", 5.67, 0.05836)];
    let mut text = format!("borelli = 1\ndimension = \"planar\"\ngravity = [0, -{GRAVITY}]\n{}", ground(&reaction));
    for (name, mass, inertia) in bodies {
        text += &format!(
            "[body.{name}]\nmass = {mass}\ninertia = {inertia}\n[joint.{name}]\ntype = \"planar\"\nparent = \"world\"\nchild = \"{name}\"\n"
        );
    }
    let system = system(&text);
    let mut articulated = Articulated::new(&system);
    let mut missed: [[Vec<f64>; 3]; 3] = Default::default();
    for frame in 1..=FRAMES {
        let row = frame - 1;
        let of = |part: fn(&str) -> [String; 3]| -> Vec<f64> {
            bodies.iter().flat_map(|(name, ..)| part(name).map(|column| kinematics.number(row, &column))).collect()
        };
        let mut q = of(|s| [format!("{s}_cmx_m"), format!("{s}_cmy_m"), format!("{s}_theta_deg")]);
        q.iter_mut().skip(2).step_by(3).for_each(|angle| *angle = angle.to_radians());
        let v = of(|s| [format!("{s}_cmvx_m_s"), format!("{s}_cmvy_m_s"), format!("{s}_omega_rad_s")]);
        let a = of(|s| [format!("{s}_cmax_m_s2"), format!("{s}_cmay_m_s2"), format!("{s}_alpha_rad_s2")]);
        let mut effort = vec![0.0; 9];
        articulated.inverse(&system, time(frame), &q, &v, &a, &mut effort).expect("a frame");
        // From the foot upwards: a segment needs its effort from its two joints.
        let (mut distal, mut force, mut moment) = ([0.0; 2], [0.0; 2], 0.0);
        for (k, (joint, segment)) in JOINTS.into_iter().enumerate() {
            let ([x, y, turn], center) = ([effort[3 * k], effort[3 * k + 1], effort[3 * k + 2]], [q[3 * k], q[3 * k + 1]]);
            let proximal = [format!("{joint}_x_m"), format!("{joint}_y_m")].map(|column| markers.number(row, &column));
            let passed = cross(less(distal, center), force);
            force = [x + force[0], y + force[1]];
            moment += turn + passed - cross(less(proximal, center), force);
            distal = proximal;
            let wanted = published(&expected, joint, segment).map(|column| column[row]);
            let found = [force[0], force[1], moment];
            (0..3).for_each(|part| missed[k][part].push(found[part] - wanted[part]));
        }
    }
    for ((joint, _), missed) in JOINTS.iter().zip(&missed) {
        let [x, y, moment] = missed.each_ref().map(|list| root_mean_square(list));
        assert!(x < 0.5 && y < 0.5, "{joint}: {x:.3} {y:.3} N");
        assert!(moment < 0.5, "{joint}: {moment:.3} N m");
    }
}

/// The walk with segments of constant length: hip and angles as splines in time.
struct Walk {
    segments: [Segment; 4],
    hip: [Vec<f64>; 2],
    angles: [Vec<f64>; 4],
    reaction: ReferenceTable,
}

impl Walk {
    /// From raw markers (table A.1) and the ground reaction alone: 5 Hz, zero lag; lengths are means over all frames.
    fn read(folder: &Path) -> Walk {
        let [raw, reaction] = ["a1_raw_markers.csv", "a5_ground_reaction.csv"].map(|name| ReferenceTable::open(&folder.join(name)));
        let filter = Butterworth::low_pass(2, 5.0, RATE, 2, Correction::Exact).expect("a filter");
        let marker = |name: &str| {
            ["x", "y"].map(|axis| {
                let metres: Vec<f64> = raw.numbers(&format!("{name}_{axis}_cm")).iter().map(|x| x / 100.0).collect();
                filter.filter(&metres, None)
            })
        };
        let [rib, hip, knee, ankle, toe] = ["rib", "hip", "knee", "ankle", "mt5"].map(marker);
        let ends = [(&hip, &rib), (&knee, &hip), (&ankle, &knee), (&toe, &ankle)];
        let span =
            |(distal, proximal): (&[Vec<f64>; 2], &[Vec<f64>; 2]), k: usize| [proximal[0][k] - distal[0][k], proximal[1][k] - distal[1][k]];
        let lengths = ends.map(|pair| (0..FRAMES).map(|k| span(pair, k)).map(|[x, y]| x.hypot(y)).sum::<f64>() / FRAMES as f64);
        let angles = ends.map(|pair| (0..FRAMES).map(|k| span(pair, k)).map(|[x, y]| y.atan2(x)).collect());
        Walk { segments: segments(lengths), hip, angles, reaction }
    }

    /// The model file: every segment guided, the ground reaction on the foot.
    fn model(&self) -> String {
        let [hat, thigh, leg, foot] = self.segments;
        let body = |name: &str, s: Segment, proximal: &str, distal: &str| {
            let mut points = String::new();
            if name == "hat" {
                points += &format!("hip = [{:?}, 0]", -s.center);
            } else {
                points += &format!("{proximal} = [{:?}, 0]\n{distal} = [{:?}, 0]", s.center, s.center - s.length);
            }
            format!("[body.{name}]\nmass = {:?}\ninertia = {:?}\n[body.{name}.point]\n{points}\n", s.mass, s.inertia)
        };
        let joint = |name: &str, parent: &str, child: &str| {
            format!("[joint.{name}]\ntype = \"hinge\"\nparent = \"{parent}.{name}\"\nchild = \"{child}.{name}\"\n")
        };
        let mut text = format!("borelli = 1\ndimension = \"planar\"\ngravity = [0, -{GRAVITY}]\n{}", ground(&self.reaction));
        text += &[
            body("hat", hat, "", "hip"),
            body("thigh", thigh, "hip", "knee"),
            body("leg", leg, "knee", "ankle"),
            body("foot", foot, "ankle", "toe"),
        ]
        .concat();
        text += "[joint.trunk]\ntype = \"planar\"\nparent = \"world\"\nchild = \"hat.hip\"\n";
        text += &[joint("hip", "hat", "thigh"), joint("knee", "thigh", "leg"), joint("ankle", "leg", "foot")].concat();
        let [x, y] = [&self.hip[0], &self.hip[1]].map(|values| inline(values, "spline"));
        text += &format!("[guide.hip]\ntype = \"point\"\npoint = \"hat.hip\"\nx = {x}\ny = {y}\n");
        for (name, angle) in SEGMENTS.iter().zip(&self.angles) {
            text += &format!("[guide.{name}]\ntype = \"orientation\"\nbody = \"{name}\"\nangle = {}\n", inline(angle, "spline"));
        }
        text
    }

    /// Newton's and Euler's equations from the foot upwards, with positions and accelerations in closed form: force and moment on the distal segment
    /// at ankle, knee and hip.
    fn recursion(&self, frame: usize) -> [[f64; 3]; 3] {
        let at = |values: &Vec<f64>| {
            let table = Table::new(times(), values.clone(), Interpolation::Spline, Outside::Error).expect("a table");
            table.derivatives(time(frame))
        };
        // A vector of length r along a segment, and its second derivative.
        let along = |segment: usize, r: f64| {
            let [angle, rate, accel, _] = at(&self.angles[segment]);
            let (s, c) = angle.sin_cos();
            ([r * c, r * s], [r * (-rate * rate * c - accel * s), r * (-rate * rate * s + accel * c)])
        };
        let [hx, hy] = [at(&self.hip[0]), at(&self.hip[1])];
        let (mut joint, mut accel) = ([hx[0], hy[0]], [hx[2], hy[2]]);
        // Proximal end, mass centre, and acceleration of the mass centre of thigh, leg and foot.
        let mut places = Vec::new();
        for segment in 1..4 {
            let (to_center, of_center) = along(segment, -self.segments[segment].center);
            let center = [joint[0] + to_center[0], joint[1] + to_center[1]];
            places.push((joint, center, [accel[0] + of_center[0], accel[1] + of_center[1]]));
            let (to_end, of_end) = along(segment, -self.segments[segment].length);
            joint = [joint[0] + to_end[0], joint[1] + to_end[1]];
            accel = [accel[0] + of_end[0], accel[1] + of_end[1]];
        }
        let number = |column: &str| self.reaction.number(frame - 1, column);
        let (mut force, mut point, mut moment) = ([-number("grf_x_n"), -number("grf_y_n")], [number("cop_x_m"), 0.0], 0.0);
        let mut found = [[0.0; 3]; 3];
        for (k, segment) in [3, 2, 1].into_iter().enumerate() {
            let (proximal, center, a) = places[segment - 1];
            let Segment { mass, inertia, .. } = self.segments[segment];
            let below = cross(less(point, center), force) + moment;
            force = [mass * a[0] + force[0], mass * (a[1] + GRAVITY) + force[1]];
            moment = inertia * at(&self.angles[segment])[2] + below - cross(less(proximal, center), force);
            point = proximal;
            found[k] = [force[0], force[1], moment];
        }
        found
    }
}

/// Forces and moments at ankle, knee and hip by the multipliers of the guides.
fn by_multipliers(system: &System, formulation: &str, t: f64) -> [[f64; 3]; 3] {
    let state = assemble(system, t, &system.start.q, &system.start.v, &[]).unwrap_or_else(|fault| panic!("{fault:?}"));
    assert_eq!(state.free, 0);
    let entry = FORMULATIONS.iter().find(|entry| entry.name == formulation).expect("registered");
    let mut out = Evaluation::new(system);
    let mut formulation = (entry.build)(system).unwrap_or_else(|declined| panic!("{}", declined.reason));
    formulation
        .evaluate(system, Input { t, q: &state.q, v: &state.v, tau: &[0.0; 6], ..Input::default() }, &mut out)
        .unwrap_or_else(|failure| panic!("{failure}"));
    let [_, _, _, thigh, leg, foot] = out.row_force[..] else { panic!("six rows") };
    let moments = [foot, foot + leg, foot + leg + thigh];
    std::array::from_fn(|k| {
        let body = system.names.bodies.iter().position(|name| *name == JOINTS[k].1).expect("a segment");
        [out.reaction_force[body].x, out.reaction_force[body].y, moments[k]]
    })
}

#[test]
fn moments_from_raw_markers_are_near_the_published_and_multipliers_are_the_recursive_moments() {
    let Some(data) = reference("data/winter-wm22") else { return };
    // The chain sees raw markers and the ground reaction, and nothing else.
    let own = std::env::temp_dir().join(format!("borelli-winter-{}", std::process::id()));
    std::fs::create_dir_all(&own).expect("a folder");
    for name in ["a1_raw_markers.csv", "a5_ground_reaction.csv"] {
        std::fs::write(own.join(name), std::fs::read(data.join(name)).expect("readable")).expect("written");
    }
    let walk = Walk::read(&own);
    std::fs::remove_dir_all(&own).expect("removed");
    let system = system(&walk.model());
    let expected = ReferenceTable::open(&data.join("a5_joint_reactions.csv"));
    let mut missed: [Vec<f64>; 3] = Default::default();
    for frame in 4..=103 {
        let found = by_multipliers(&system, "articulated", time(frame));
        assert_close(&found.concat(), &walk.recursion(frame).concat(), 1e-11, &format!("frame {frame}"));
        for (k, (joint, segment)) in JOINTS.into_iter().enumerate() {
            missed[k].push(found[k][2] - published(&expected, joint, segment)[2][frame - 1]);
        }
    }
    for formulation in ["cartesian", "natural", "segment-chain"] {
        for frame in [4, 30, 55, 68, 100] {
            let found = by_multipliers(&system, formulation, time(frame));
            assert_close(&found.concat(), &walk.recursion(frame).concat(), 1e-10, &format!("{formulation}, frame {frame}"));
        }
    }
    for ((joint, _), (missed, allowed)) in JOINTS.iter().zip(missed.iter().zip([1.5, 1.5, 3.0])) {
        let off = root_mean_square(missed);
        assert!(off < allowed, "{joint}: {off:.3} N m");
    }
}
