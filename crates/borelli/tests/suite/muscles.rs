//! Muscles in analyses other than motion: along a prescribed motion with given activations, at rest, and mirrored.
//! Not here: the laws and their curves (`borelli-dynamics`), motions against reference tables (`studies`).

use crate::runs::Place;
use borelli::data::{ReadOptions, read_table};
use borelli_data::Trajectory;

fn table(place: &Place, file: &str) -> Trajectory {
    read_table(&place.path(file), &ReadOptions::default()).unwrap_or_else(|fault| panic!("{fault}")).trajectory
}

fn column<'t>(table: &'t Trajectory, name: &str) -> &'t [f64] {
    table.column(name).unwrap_or_else(|| panic!("no {name}"))
}

/// A mass on a rail that a guide moves, pulled by a muscle with a rigid tendon whose activation is its excitation.
const ANALYSED: &str = r#"
borelli = 1
dimension = "planar"
[body.mass]
mass = 2
inertia = 0.1
[joint.rail]
type = "slider"
parent = "world"
child = "mass"
axis = [1, 0]
[guide.moved]
type = "coordinate"
coordinate = "rail"
function = { type = "sine", amplitude = "15 mm", frequency = "2 Hz", offset = "300 mm" }
[path.line]
points = ["world", "mass"]
[muscle.pull]
type = "LAW"
path = "line"
force = "1000 N"
fibre_length = "100 mm"
tendon_length = "200 mm"
pennation = "15 deg"
tendon = "rigid"
activation = "none"
damping = 0.1
least_activation = 0
[initial]
coordinates = { rail = "300 mm" }
"#;

#[test]
fn along_a_prescribed_motion_the_force_is_affine_in_given_activations() {
    for law in ["millard", "dgf"] {
        let place = Place::new(&format!("muscles-{law}"));
        place.write("model.toml", &ANALYSED.replace("LAW", law));
        place.write(
            "study.toml",
            "borelli = 1\ntitle = \"analysis\"\nmodel = \"model.toml\"\nanalysis = \"evaluate\"\n[time]\nend = \"0.5 s\"\nsample = \"5 ms\"\n[sweep]\n\
             case = [\"none\", \"half\", \"full\", \"ramp\"]\n\
             \"control.muscle.pull.excitation\" = [0, 0.5, 1, { type = \"polynomial\", coefficients = [0.1, 1] }]\n",
        );
        place.well(&["run", "study.toml", "--out", "out"]);
        let of = |case: &str| table(&place, &format!("out/cases/{case}/trajectory.sto"));
        let (none, half, full, ramp) = (of("none"), of("half"), of("full"), of("ramp"));
        let force = |table: &Trajectory, k: usize| column(table, "muscle.pull.force")[k];
        let (mut least, mut most, mut pulling) = (f64::INFINITY, 0.0_f64, 0);
        for k in 0..none.len() {
            let (f0, f1) = (force(&none, k), force(&full, k));
            let a = 0.1 + none.time()[k];
            let active = |table: &Trajectory| column(table, "muscle.pull.active_force")[k];
            assert!((active(&half) - 0.5 * active(&full)).abs() < 1e-9 && (active(&ramp) - a * active(&full)).abs() < 1e-9, "{law} {k}");
            // A muscle does not push: where damping would make it, its force is cut at zero.
            if f0 > 0.0 {
                assert!(
                    (force(&half, k) - 0.5 * (f0 + f1)).abs() < 1e-9 && (force(&ramp, k) - (f0 + a * (f1 - f0))).abs() < 1e-9,
                    "{law} {k}"
                );
                pulling += 1;
            }
            assert_eq!(column(&ramp, "muscle.pull.activation")[k], column(&ramp, "muscle.pull.excitation")[k]);
            // Rigid tendon: s = L − l_s, l = √(s² + h²), l̇ = L̇ s/l.
            let (length, rate) = (column(&full, "path.line.length")[k], column(&full, "path.line.rate")[k]);
            let (s, h) = (length - 0.2, 0.1 * 15f64.to_radians().sin());
            let l = s.hypot(h);
            assert!(
                (column(&full, "muscle.pull.fibre_length")[k] - l).abs() < 1e-12
                    && (column(&full, "muscle.pull.fibre_speed")[k] - rate * s / l).abs() < 1e-12
            );
            // What the guide has to do: the muscle pulls the mass back.
            let accel = column(&full, "coord.rail.accel")[k];
            assert!((column(&full, "guide.moved.reaction.coordinate")[k] - (2.0 * accel + f1)).abs() < 1e-7, "{law} {k}");
            (least, most) = (least.min(f1), most.max(f1));
        }
        // Lengthening and shortening were both seen: at full activation the force differs by more than its length alone makes it.
        assert!(most > 1000.0 && least < 800.0 && pulling > 20, "{law} {least} {most} {pulling}");
    }
}

/// De Groote-Fregly's active force-length and passive curves, with the constants of the source.
fn dgf_at_rest(a: f64, n: f64) -> f64 {
    let b = [
        [0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465],
        [0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188],
        [0.1, 1.0, 0.353553390593274, 0.0],
    ];
    let active: f64 = b.iter().map(|[b1, b2, b3, b4]| b1 * (-0.5 * ((n - b2) / (b3 + b4 * n)).powi(2)).exp()).sum();
    let o = (4.0 * (0.2 - 1.0) / 0.6_f64).exp();
    let passive = ((4.0 * (n - 1.0) / 0.6).exp() - o) / (4f64.exp() - o);
    a * active + passive
}

#[test]
fn at_rest_a_hanging_mass_is_where_the_curves_of_its_muscle_hold_it() {
    let place = Place::new("muscles-statics");
    let hanging = ANALYSED.replace("axis = [1, 0]", "axis = [0, -1]").replace("LAW", "dgf").replace("mass = 2\n", "mass = 30\n");
    let start = hanging.find("[guide.moved]").expect("a guide");
    let end = hanging.find("[path.line]").expect("a path");
    place.write("model.toml", &format!("{}{}", &hanging[..start], &hanging[end..]));
    place.write(
        "study.toml",
        "borelli = 1\ntitle = \"rest\"\nmodel = \"model.toml\"\nanalysis = \"statics\"\n[sweep]\ncase = [\"a\", \"b\", \"c\"]\n\
         \"control.muscle.pull.excitation\" = [0.1, 0.2, 0.25]\n",
    );
    place.well(&["run", "study.toml", "--out", "out"]);
    for (case, a) in [("a", 0.1), ("b", 0.2), ("c", 0.25)] {
        let found = column(&table(&place, &format!("out/cases/{case}/trajectory.sto")), "coord.rail.value")[0];
        // F₀ cos α (a f_L + f_P) = m g, by bisection between a short and a long fibre; longer is stiffer there.
        let h = 0.1 * 15f64.to_radians().sin();
        let pull = |length: f64| {
            let s = length - 0.2;
            1000.0 * s / s.hypot(h) * dgf_at_rest(a, s.hypot(h) / 0.1)
        };
        assert!((pull(found) - 30.0 * 9.81).abs() < 1e-6, "{case}: {} N at {found}", pull(found));
    }
}

/// A trunk on a rail with a right arm: two muscles, one over a sphere and one over a cylinder that stands oblique, and a ligament; the left arm is its mirror image.
const MIRRORED: &str = r#"
borelli = 1
dimension = "spatial"
[body.trunk]
mass = 20
center = [0, 0.1, 0]
inertia = [1, 1, 1]
point.origin_r = [0.02, 0.2, 0.12]
point.origin_l = [0.02, 0.2, -0.12]
point.back_r = [-0.05, 0.18, 0.15]
point.back_l = [-0.05, 0.18, -0.15]
frame.shoulder_r = { origin = [0, 0, 0.18], angles = ["12 deg", "-8 deg", "5 deg"] }
frame.shoulder_l = { origin = [0, 0, -0.18], angles = ["-12 deg", "8 deg", "5 deg"] }
[body.arm_r]
mass = 3
center = [0.01, -0.2, 0.02]
inertia = [0.05, 0.01, 0.05]
point.deltoid = [0.02, -0.12, 0.03]
point.triceps = [-0.02, -0.1, 0.01]
point.knob = [0, -0.05, 0.005]
point.band = [0.01, -0.04, -0.02]
[joint.rail]
type = "slider"
parent = "world"
child = "trunk"
axis = [0, 1, 0]
[joint.shoulder_r]
type = "universal"
parent = "trunk.shoulder_r"
child = "arm_r"
axes = [[1, 0, 0], [0, 0, 1]]
[wrap.head_r]
type = "sphere"
at = "arm_r.knob"
radius = "30 mm"
[wrap.blade_r]
type = "cylinder"
at = "trunk.shoulder_r"
radius = "35 mm"
[path.deltoid_r]
points = ["trunk.origin_r", { wrap = "head_r" }, "arm_r.deltoid"]
[path.triceps_r]
points = ["trunk.back_r", { wrap = "blade_r", side = [-1, 0, 0.3] }, "arm_r.triceps"]
[path.band_r]
points = ["trunk.shoulder_r", "arm_r.band"]
[muscle.deltoid_r]
type = "millard"
path = "deltoid_r"
force = "600 N"
fibre_length = "120 mm"
tendon_length = "220 mm"
excitation = { type = "sine", amplitude = 0.2, frequency = "1 Hz", offset = 0.3 }
[muscle.triceps_r]
type = "dgf"
path = "triceps_r"
force = "500 N"
fibre_length = "110 mm"
tendon_length = "190 mm"
pennation = "8 deg"
excitation = 0.15
[ligament.band_r]
path = "band_r"
stiffness = "800 N"
slack_length = "44 mm"
damping = "20 N s/m"
[force.hold]
type = "coordinate-spring"
coordinate = "rail"
stiffness = "2000 N/m"
[mirror.left]
from = "_r"
to = "_l"
[initial]
coordinates = { COORDINATES }
"#;

#[test]
fn mirrored_muscles_ligaments_and_wraps_do_the_same_on_the_other_side() {
    let place = Place::new("muscles-mirror");
    let names = ["shoulder_r", "shoulder_l"].map(|joint| format!("{joint}_1 = \"10 deg\", {joint}_2 = \"-25 deg\"")).join(", ");
    place.write("model.toml", &MIRRORED.replace("COORDINATES", &names));
    place.write(
        "study.toml",
        "borelli = 1\ntitle = \"mirror\"\nmodel = \"model.toml\"\n[time]\nend = \"0.5 s\"\nsample = \"10 ms\"\n[integrator]\nrtol = 1e-10\natol = 1e-12\n",
    );
    place.well(&["run", "study.toml", "--out", "out"]);
    let table = table(&place, "out/trajectory.sto");
    let mut compared = 0;
    for own in table
        .columns()
        .iter()
        .filter(|own| ["path.", "muscle.", "ligament.", "coord.shoulder_r"].iter().any(|start| own.name.starts_with(start)))
    {
        if !own.name.contains("_r") {
            continue;
        }
        let other = own.name.replace("_r_", "_l_").replace("_r.", "_l.");
        let other = if let Some(stem) = other.strip_suffix("_r") { format!("{stem}_l") } else { other };
        let (right, left) = (column(&table, &own.name), column(&table, &other));
        let size = right.iter().fold(1e-3_f64, |most, x| most.max(x.abs()));
        // The same equations in another order of sums: a symmetric motion to what the integrator keeps.
        let apart = right.iter().zip(left).map(|(r, l)| (r - l).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-9 * size, "{}: {apart:e} of {size}", own.name);
        // At the start there is nothing but rounding.
        assert!((right[0] - left[0]).abs() < 1e-12 * size, "{}: {} and {}", own.name, right[0], left[0]);
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
    // Both wraps were touched, and the arm moved.
    for touched in ["path.deltoid_r.head_r.touching", "path.triceps_r.blade_r.touching"] {
        assert!(column(&table, touched).contains(&1.0), "{touched}");
    }
}
