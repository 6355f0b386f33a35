//! Whole studies of measured signals and loads: every filter against a motion that is known, and loads in every analysis against each other.
//! Not here: filters by themselves (`borelli-data`), loads against closed forms (`borelli-study`).

use crate::measured::Folder;
use borelli_data::Trajectory;
use borelli_math::random::Random;
use std::f64::consts::TAU;
use std::fmt::Write;

/// Frames per second of the cart: those of seed 000, whose filter is of second order.
const RATE: f64 = 128.0;
const FRAMES: usize = 384;
/// Noise of its marker, m.
const NOISE: f64 = 1e-3;

/// Where the cart is, and how it accelerates.
fn way(t: f64) -> [f64; 2] {
    let wave = |size: f64, frequency: f64, phase: f64| {
        let w = TAU * frequency;
        [size * (w * t + phase).sin(), -size * w * w * (w * t + phase).sin()]
    };
    let (a, b) = (wave(0.4, 0.8, 0.2), wave(0.05, 2.1, 1.0));
    [a[0] + b[0], a[1] + b[1]]
}

/// A cart on rails with one marker, measured with noise.
fn cart(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write(
        "cart.toml",
        "borelli = 1\ndimension = \"planar\"\n[body.cart]\nmass = 2\ninertia = 1\n[joint.rails]\ntype = \"slider\"\nparent = \"world\"\nchild = \"cart\"\ncoordinates = [\"x\"]\n\
         [marker.m]\nbody = \"cart\"\nlocation = [0, 0.1]\nlabel = \"CART\"\n",
    );
    let mut text = format!(
        "PathFileType\t4\t(X/Y/Z)\tcart\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n\
         {RATE}\t{RATE}\t{FRAMES}\t1\tm\t{RATE}\t1\t{FRAMES}\nFrame#\tTime\tCART\t\t\n\t\tX1\tY1\tZ1\n\n"
    );
    let mut random = Random::new(3);
    for k in 0..FRAMES {
        let t = k as f64 / RATE;
        let noise = (0..12).map(|_| random.uniform(0.0, 1.0)).sum::<f64>() - 6.0;
        let _ = writeln!(text, "{}\t{t:?}\t{:.9}\t0.1\t0", k + 1, way(t)[0] + NOISE * noise);
    }
    folder.write("cart.trc", &text);
    folder
}

/// The motion of the cart with a filter, and what is said of it.
fn filtered(folder: &Folder, filter: &str) -> (Trajectory, String) {
    let study = format!(
        "borelli = 1\ntitle = \"cart\"\nmodel = \"cart.toml\"\nanalysis = \"kinematics\"\n[markers]\nfile = \"cart.trc\"\n[filter]\n{filter}\n"
    );
    let (table, summary) = folder.run(&study);
    let said = ["filter", "filter of markers"].iter().find_map(|key| summary["settings"][key].as_str()).unwrap_or_default();
    (table, said.to_string())
}

fn column<'t>(table: &'t Trajectory, name: &str) -> &'t [f64] {
    table.column(name).unwrap_or_else(|| panic!("no {name}"))
}

/// Root mean square errors of position and acceleration, a quarter of a second at each end left out.
fn errors(table: &Trajectory) -> [f64; 2] {
    let inside = 32..FRAMES - 32;
    let rms = |name: &str, which: usize| {
        let own = column(table, name);
        let sum: f64 = inside.clone().map(|k| (own[k] - way(k as f64 / RATE)[which]).powi(2)).sum();
        (sum / inside.len() as f64).sqrt()
    };
    [rms("coord.x.value", 0), rms("coord.x.accel", 1)]
}

fn same(a: &Trajectory, b: &Trajectory, tolerance: f64) {
    let pairs = column(a, "coord.x.value").iter().zip(column(b, "coord.x.value"));
    let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off <= tolerance, "{off:e}");
}

#[test]
fn a_residual_cut_off_is_found_told_and_used() {
    let folder = cart("residual");
    let [plain, bent] = errors(&filtered(&folder, "kind = \"none\"").0);
    assert!((plain / NOISE - 1.0).abs() < 0.15, "{plain}");
    let (table, said) = filtered(&folder, "cutoff = \"residual\"");
    let told = said.rsplit(", ").next().and_then(|rest| rest.split(' ').next()).and_then(|x| x.parse::<f64>().ok());
    let cutoff = told.unwrap_or_else(|| panic!("{said}"));
    // The motion has 2.1 Hz at most; noise of 1 mm is white.
    assert!((2.5..12.0).contains(&cutoff), "{said}");
    // The same by hand, but for the second digit after the point that is told.
    same(&table, &filtered(&folder, &format!("cutoff = \"{cutoff} Hz\"")).0, 1e-5);
    let [position, acceleration] = errors(&table);
    assert!(position < 0.6 * plain && acceleration < 0.02 * bent, "{position} {acceleration} of {bent}");
}

/// Order by the equation of the specification, worked out here.
#[test]
fn bands_give_the_order_of_their_equation() {
    let folder = cart("bands");
    let order = |pass: f64, stop: f64, loss: f64| {
        let part = |db: f64| 10_f64.powf(db / 20.0) - 1.0;
        let edge = |f: f64| (std::f64::consts::PI * f / RATE).tan();
        ((part(loss) / part(3.010_299_956_639_812)).log10() / (2.0 * (edge(stop) / edge(pass)).log10())).ceil() as usize
    };
    // Seed 000: 5 Hz, 20 Hz, factor 10 at 128 Hz: second order.
    assert_eq!(order(5.0, 20.0, 20.0), 2);
    for (pass, stop, loss) in [(5.0, 20.0, 20.0), (5.0, 10.0, 40.0)] {
        let order = order(pass, stop, loss);
        let (banded, said) = filtered(&folder, &format!("pass = \"{pass} Hz\"\nstop = \"{stop} Hz\"\nloss = {loss}"));
        assert!(said.contains(&format!("{pass} Hz, {loss} dB at {stop} Hz, order {order} a pass")), "{said}");
        same(&banded, &filtered(&folder, &format!("cutoff = \"{pass} Hz\"\norder = {order}")).0, 1e-13);
    }
}

#[test]
fn a_smoothing_spline_takes_the_noise_away() {
    let folder = cart("spline");
    let [plain, bent] = errors(&filtered(&folder, "kind = \"none\"").0);
    let (table, said) = filtered(&folder, "kind = \"spline\"");
    assert!(said.starts_with("quintic smoothing spline by cross-validation, ") && said.ends_with("Hz: x"), "{said}");
    let [position, acceleration] = errors(&table);
    assert!(position < 0.5 * plain && acceleration < 0.01 * bent, "{position} {acceleration} of {bent}");
}

/// Of a cart coordinates are linear in the marker: it does not matter which of them a linear filter works on.
#[test]
fn markers_are_filtered_before_coordinates_are_found() {
    let folder = cart("of-markers");
    let (coordinates, _) = filtered(&folder, "cutoff = \"6 Hz\"");
    let (markers, said) = filtered(&folder, "cutoff = \"6 Hz\"\nof = \"markers\"");
    assert!(said.contains("6 Hz: CART"), "{said}");
    same(&coordinates, &markers, 1e-10);
    // The columns of markers show what was fitted.
    let (x, marker) = (column(&markers, "coord.x.value"), column(&markers, "marker.m.x"));
    assert!(x.iter().zip(marker).all(|(x, m)| (x - m).abs() < 1e-9));
}

/// Two segments that hang from the world, with a motion and a load on the lower one.
fn leg(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("leg.toml", LEG);
    let mut motion = String::from("leg\nversion=1\nnRows=701\nnColumns=3\ninDegrees=yes\nendheader\ntime\thip\tknee\n");
    let mut loads = String::from(
        "forces\nversion=1\nnRows=1401\nnColumns=7\ninDegrees=no\nendheader\ntime\tground_force_vx\tground_force_vy\tground_force_px\tground_force_py\tground_torque_z\tidle\n",
    );
    for k in 0..=700 {
        let t = -0.2 + 0.002 * f64::from(k);
        let [hip, knee] = angles(t);
        let _ = writeln!(motion, "{t:.4}\t{:.12}\t{:.12}", hip.to_degrees(), knee.to_degrees());
    }
    for k in 0..=1400 {
        let t = -0.2 + 0.001 * f64::from(k);
        let (force, place) = ([15.0 * (4.0 * t).sin(), 120.0 + 40.0 * (7.0 * t).cos()], [0.1 + 0.05 * t, -0.75]);
        let _ =
            writeln!(loads, "{t:.4}\t{:.9}\t{:.9}\t{:.9}\t{:.9}\t{:.9}\t0", force[0], force[1], place[0], place[1], 2.0 * (3.0 * t).cos());
    }
    folder.write("leg.mot", &motion);
    folder.write("forces.mot", &loads);
    folder.write(
        "forces.xml",
        "<OpenSimDocument><ExternalLoads><objects><ExternalForce name=\"ground\"><applied_to_body>shank</applied_to_body>\
         <force_identifier>ground_force_v</force_identifier></ExternalForce></objects><datafile>forces.mot</datafile></ExternalLoads></OpenSimDocument>",
    );
    folder
}

const LEG: &str = r#"
borelli = 1
dimension = "planar"
[body.thigh]
mass = 7
center = [0.01, -0.19]
inertia = 0.11
point.knee = [0, -0.42]
[body.shank]
mass = 3
center = [0, -0.18]
inertia = 0.05
[joint.hip]
type = "hinge"
parent = "world"
child = "thigh"
[joint.knee]
type = "hinge"
parent = "thigh.knee"
child = "shank"
"#;

fn angles(t: f64) -> [f64; 2] {
    [0.2 + 0.3 * (5.0 * t).sin(), -0.5 + 0.4 * (6.0 * t + 0.5).cos()]
}

/// A study along the motion with the loads.
fn along(analysis: &str, loads: &str, more: &str) -> String {
    format!(
        "borelli = 1\ntitle = \"leg\"\nmodel = \"leg.toml\"\nanalysis = \"{analysis}\"\n[motion]\nfile = \"leg.mot\"\nderivatives = \"quintic\"\n[time]\nstart = 0\nend = 0.6\n{loads}{more}"
    )
}

const LOADS: &str = "[loads]\nfile = \"forces.mot\"\nthreshold = \"none\"\ninterpolation = \"natural\"\n[[load]]\ncolumns = \"ground_force_\"\nbody = \"shank\"\n";

/// Moments of an inverse analysis, put into a simulation with the same loads, make the motion again: sixty per cent of a second of a leg that would fall over without them.
#[test]
fn moments_and_loads_of_a_motion_make_it_again() {
    let folder = leg("simulate");
    let (inverse, _) = folder.run(&along("inverse", LOADS, ""));
    let mut table = String::from("time [s],hip [N m],knee [N m]\n");
    for k in 0..inverse.len() {
        let effort = |name: &str| column(&inverse, &format!("coord.{name}.effort"))[k];
        let _ = writeln!(table, "{:?},{:?},{:?}", inverse.time()[k], effort("hip"), effort("knee"));
    }
    folder.write("efforts.csv", &table);
    let mut model = LEG.to_string();
    for joint in ["hip", "knee"] {
        let _ = write!(
            model,
            "[force.{joint}]\ntype = \"effort\"\ncoordinate = \"{joint}\"\neffort = {{ type = \"table\", file = \"efforts.csv\", column = \"{joint}\", interpolation = \"spline\" }}\n"
        );
    }
    let speed = [0.3 * 5.0, -0.4 * 6.0 * 0.5_f64.sin()];
    let _ = write!(
        model,
        "[initial]\ncoordinates = {{ hip = {:?}, knee = {:?} }}\nspeeds = {{ hip = {:?}, knee = {:?} }}\n",
        angles(0.0)[0],
        angles(0.0)[1],
        speed[0],
        speed[1]
    );
    folder.write("driven.toml", &model);
    let simulate = |loads: &str| {
        format!(
            "borelli = 1\ntitle = \"leg\"\nmodel = \"driven.toml\"\nanalysis = \"simulate\"\n[time]\nend = 0.6\nsample = 0.02\n[integrator]\nrtol = 1e-9\natol = 1e-11\n{loads}"
        )
    };
    let off = |table: &Trajectory| {
        let at = |k: usize, t: f64| {
            let expected = angles(t);
            (0..2).map(|j| (column(table, &format!("coord.{}.value", ["hip", "knee"][j]))[k] - expected[j]).abs()).fold(0.0, f64::max)
        };
        table.time().iter().enumerate().map(|(k, t)| at(k, *t)).fold(0.0, f64::max)
    };
    let (driven, _) = folder.run(&simulate(LOADS));
    assert_eq!(driven.len(), 31);
    assert!(off(&driven) < 1e-5, "{:e}", off(&driven));
    assert!(off(&folder.run(&simulate("")).0) > 1.0, "without its loads the leg goes elsewhere");
}

#[test]
fn a_chain_of_segments_sees_the_measured_loads() {
    let folder = leg("mixed");
    let (inverse, _) = folder.run(&along("inverse", LOADS, ""));
    let (mixed, _) = folder.run(&along("mixed", LOADS, "[mixed]\npreset = \"inverse\"\n"));
    assert_eq!(mixed.len(), inverse.len());
    for joint in ["hip", "knee"] {
        let (a, b) = (column(&inverse, &format!("coord.{joint}.effort")), column(&mixed, &format!("chain.joint.{joint}.moment")));
        let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{joint}: {off:e}");
        let (force, reaction) = (column(&mixed, "chain.joint.hip.force.y"), column(&inverse, "joint.hip.reaction.force.y"));
        assert!(force.iter().zip(reaction).all(|(a, b)| (a - b).abs() < 1e-8));
    }
    let (unloaded, _) = folder.run(&along("inverse", "", ""));
    let gap = column(&unloaded, "coord.hip.effort")
        .iter()
        .zip(column(&inverse, "coord.hip.effort"))
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(gap > 10.0, "the loads matter: {gap}");
}

#[test]
fn a_file_of_external_loads_names_table_and_body() {
    let folder = leg("xml");
    let (told, _) = folder.run(&along("inverse", LOADS, ""));
    let (named, summary) =
        folder.run(&along("inverse", "[loads]\nfile = \"forces.xml\"\nthreshold = \"none\"\ninterpolation = \"natural\"\n", ""));
    assert_eq!(column(&told, "coord.knee.effort"), column(&named, "coord.knee.effort"));
    assert_eq!(summary["settings"]["load ground_force acts on"], "`shank`, as told");
}
