//! What is particular to each force law: closed forms, published values, limits, faults.
//! Not here: what all laws share (`super`).

use super::{
    BOTH, MOMENT_ACTUATOR, PLANAR, RESISTANCE, SPATIAL, dot, evaluate, everything, examples, faults, generalised, generalised_at, norm,
    states, system, with_force,
};
use crate::scene::{Loads, Scene};
use crate::system::System;
use borelli_math::{Dual, Real, Vec3, vec3};
use borelli_testkit::differences::assert_close;

#[test]
fn a_dashpot_takes_the_power_of_its_rate() {
    for system in examples("dashpot") {
        for (q, v, t) in states(&system) {
            let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            let rate = loads.lines.tension[2] / 50.0;
            assert_close(&[dot(&generalised(&system, &frames, &loads), &v)], &[-50.0 * rate * rate], 1e-13, "power");
        }
    }
}

#[test]
fn an_actuator_over_a_via_point_pulls_it_to_both_neighbours() {
    // A right angle at the via point: the resultant is the tension times (left + up).
    let text = r#"
borelli = 1
dimension = "planar"
[world.point]
left = [-2, 0]
up = [0, 3]
[body.a]
mass = 1
inertia = 1
[joint.base]
type = "planar"
parent = "world"
child = "a"
[path.p]
points = ["world.left", "a", "world.up"]
[force.pull]
type = "actuator"
path = "p"
tension = "5 N"
[force.more]
type = "actuator"
path = "p"
tension = "2 N"
"#;
    let system = system(text);
    assert_close(&generalised_at(&system, &[0.0; 3], &[0.0; 3], 0.0), &[-7.0, 7.0, 0.0], 1e-15, "resultant");
    let (_, loads) = evaluate(&system.skeleton, &system.numbers, &[0.0; 3], &[0.0; 3], 0.0);
    assert_eq!((loads.lines.length[0], loads.lines.tension[0]), (5.0, 7.0));
}

/// A body on a slider along Y whose path starts at the slider's origin.
fn drop(kind: &str, fields: &str) -> System {
    let model = r#"
borelli = 1
dimension = "planar"
[body.a]
mass = 4
inertia = 1
[joint.base]
type = "slider"
parent = "world"
child = "a"
axis = [0, 1]
[path.p]
points = ["world", "a"]
"#;
    system(&with_force(model, kind, fields))
}

#[test]
fn a_dashpot_is_smooth_through_zero_length() {
    // Falling at 0.8 m/s with c = 50 N s/m, the weight of 4 kg at g = 10 m/s² is carried above and below the origin.
    let system = drop("dashpot", "path = \"p\"\ndamping = 50");
    for y in [2.0, 1e-9, -1e-9, -2.0] {
        assert_close(&generalised_at(&system, &[y], &[-0.8], 0.0), &[40.0], 1e-14, "drag");
    }
}

#[test]
fn a_segment_of_zero_length_pulls_at_nothing() {
    for (kind, fields) in [
        ("dashpot", "path = \"p\"\ndamping = 50"),
        ("spring", "path = \"p\"\nstiffness = 9\nlength = 1"),
        ("actuator", "path = \"p\"\ntension = 3"),
    ] {
        let system = drop(kind, fields);
        let (q, v) = ([Dual::<1>::variable(0.0, 0)], [Dual::<1>::from_f64(-0.8)]);
        let (_, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, 0.0);
        assert!(everything(&loads).iter().all(|x| x.re.is_finite() && x.eps[0].is_finite()), "{kind}");
        assert!(loads.force.iter().all(|f| norm(f.values()) == 0.0), "{kind}");
        assert_eq!(loads.lines.length[0].re, 0.0);
    }
}

#[test]
fn a_force_at_a_point_works_by_its_velocity() {
    for (model, components) in [(PLANAR, "[3, -5]"), (SPATIAL, "[3, -5, 7]")] {
        let system = system(&with_force(model, "force", &format!("at = \"c.end\"\nforce = {components}")));
        let place = system.numbers.place_body.iter().position(|b| *b == 3).expect("a place on c") as u32;
        for (q, v, t) in states(&system) {
            let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            let scene = Scene {
                skeleton: &system.skeleton,
                numbers: &system.numbers,
                frames: &frames,
                q: &q,
                v: &v,
                vdot: &[],
                t,
                inside: crate::scene::Inside::NONE,
            };
            let velocity = scene.point(place).v_W;
            let power = 3.0 * velocity.x - 5.0 * velocity.y + 7.0 * velocity.z;
            assert_close(&[dot(&generalised(&system, &frames, &loads), &v)], &[power], 1e-14, "power");
        }
    }
}

#[test]
fn a_torque_works_by_the_angular_velocity() {
    for (model, torque, axis) in [(PLANAR, "4", vec3(0.0, 0.0, 4.0)), (SPATIAL, "[3, -5, 7]", vec3(3.0, -5.0, 7.0))] {
        let system = system(&with_force(model, "torque", &format!("body = \"b\"\ntorque = {torque}")));
        for (q, v, t) in states(&system) {
            let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            assert_close(&[dot(&generalised(&system, &frames, &loads), &v)], &[axis.dot(frames.w[2])], 1e-14, "power");
        }
    }
}

#[test]
fn body_axes_turn_with_the_body() {
    // The arm from the origin of b to its point `side`, which the body carries along, fixes the direction of body axes.
    for (model, components) in [(PLANAR, "[0.15, 0.05]"), (SPATIAL, "[0.15, 0.05, -0.1]")] {
        let force = with_force(model, "force", &format!("at = \"b\"\nforce = {components}\naxes = \"body\""));
        let torque = "[force.g]\ntype = \"torque\"\nbody = \"b\"\naxes = \"body\"\ntorque = ";
        let text = format!("{force}{torque}{}", if model == PLANAR { "0" } else { components });
        let system = system(&text);
        for (q, v, t) in states(&system) {
            let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            let scene = Scene {
                skeleton: &system.skeleton,
                numbers: &system.numbers,
                frames: &frames,
                q: &q,
                v: &v,
                vdot: &[],
                t,
                inside: crate::scene::Inside::NONE,
            };
            let (side, origin) =
                (scene.point(system.numbers.paths.places(0).expect("places")[1]), frames.R[2].mul_const(system.numbers.tree.p_KB[2]));
            let arm = side.r_W - origin;
            assert_close(&loads.force[2].to_array(), &arm.to_array(), 1e-15, "force");
            let couple = if model == PLANAR { Vec3::ZERO } else { arm };
            assert_close(&(loads.moment[2] - origin.cross(arm)).to_array(), &couple.to_array(), 1e-15, "moment");
        }
    }
}

#[test]
fn an_effort_is_the_generalised_force() {
    for system in examples("effort") {
        let name = if system.skeleton.planar { "rail" } else { "knee" };
        let dof = system.names.speeds.iter().position(|s| s.name == name).expect("a speed");
        for (q, v, t) in states(&system) {
            let mut expected = vec![0.0; v.len()];
            expected[dof] = 20.0 * (std::f64::consts::TAU * 0.7 * t).sin();
            assert_close(&generalised_at(&system, &q, &v, t), &expected, 1e-14, "effort");
        }
    }
}

#[test]
fn an_effort_on_an_angular_velocity_is_a_moment_about_that_axis_of_the_child() {
    let model = |joint: &str| {
        format!(
            "borelli = 1\ndimension = \"spatial\"\n[body.a]\nmass = 2\ninertia = [0.1, 0.2, 0.3]\npoint = {{ origin = [0.03, 0.02, -0.04] }}\n\
             [joint.base]\ntype = \"{joint}\"\nparent = \"world\"\nchild = \"a.origin\"\n"
        )
    };
    for joint in ["ball", "free"] {
        // The child of the joint has the axes of its body, and the parent stands still.
        let couple = with_force(&model(joint), "torque", "body = \"a\"\ntorque = [4, -5, 6]\naxes = \"body\"");
        let mut efforts = model(joint);
        for (axis, moment) in [("wx", 4), ("wy", -5), ("wz", 6)] {
            efforts += &format!("[force.{axis}]\ntype = \"effort\"\ncoordinate = \"base_{axis}\"\neffort = \"{moment} N m\"\n");
        }
        let formula = efforts
            .replace("\"effort\"", "\"formula\"")
            .replace("effort = \"4", "effort = \"[4")
            .replace("effort = \"-5", "effort = \"-[5");
        let formula = formula.replace("effort = \"6", "effort = \"[6").replace(" N m\"", " N m]\"");
        let [couple, efforts, formula] = [couple, efforts, formula].map(|text| system(&text));
        let mut random = borelli_testkit::random::Random::new(3);
        for _ in 0..3 {
            let mut q = couple.start.q.clone();
            let first = q.len() - 4;
            q[first..].copy_from_slice(&random.unit_quaternion());
            let v = random.uniforms(couple.skeleton.dofs(), -1.0, 1.0);
            let expected = generalised_at(&couple, &q, &v, 0.0);
            for system in [&efforts, &formula] {
                assert_close(&generalised_at(system, &q, &v, 0.0), &expected, 1e-14, joint);
            }
        }
    }
    assert_eq!(faults(&with_force(&model("ball"), "coordinate-spring", "coordinate = \"base_wx\"\nstiffness = 1")), ["unknown-coordinate"]);
    assert_eq!(faults(&with_force(&model("ball"), "effort", "coordinate = \"base_qx\"\neffort = 1")), ["quaternion-coordinate"]);
}

#[test]
fn forces_and_couples_report_their_components_along_the_world() {
    for (kind, fields) in [
        ("force", "at = \"b.side\"\nforce = [1, 2, 3]\naxes = \"body\""),
        ("torque", "body = \"b\"\ntorque = [1, 2, 3]\naxes = \"body\""),
        ("formula", "at = \"b.side\"\nforce = [\"[1 N]\", \"[2 N]\", \"[3 N]\"]\naxes = \"body\""),
    ] {
        let system = system(&with_force(SPATIAL, kind, fields));
        let columns: Vec<String> = system.names.outputs.iter().map(|name| name.column()).collect();
        let prefix = if kind == "torque" { "moment." } else { "" };
        assert_eq!(columns, ["x", "y", "z"].map(|axis| format!("force.f.{prefix}{axis}")));
        for (q, v, t) in states(&system) {
            let (_, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            let list = if kind == "torque" { &loads.moment } else { &loads.force };
            let expected = list.iter().find(|own| norm(**own) > 0.1).expect("a load").to_array();
            assert_close(&loads.inner.output, &expected, 1e-15, kind);
        }
    }
    let planar = system(&with_force(PLANAR, "torque", "body = \"a\"\ntorque = 7"));
    let column = planar.names.outputs.iter().map(|name| name.column()).collect::<Vec<_>>();
    assert_eq!(column, ["force.f.moment.z"]);
}

/// The passive ankle of the source, with its moment on a hinge of its own.
const ANKLE: &str = r#"
borelli = 1
dimension = "planar"
[body.leg]
mass = 1
inertia = 1
[body.foot]
mass = 1
inertia = 1
[joint.hip]
type = "hinge"
parent = "world"
child = "leg"
[joint.ankle]
type = "hinge"
parent = "leg"
child = "foot"
[force.passive]
type = "joint-resistance"
coordinate = "ankle"
lower = "-35 deg"
upper = "20 deg"
transition = "11.5 deg"
moment = "226 N m"
damping = "0.1 N m s"
neutral = "90 deg"
"#;

fn ankle_moment(system: &System, degrees: f64, rate: f64) -> f64 {
    generalised_at(system, &[0.3, (90.0 + degrees).to_radians()], &[0.7, rate], 0.0)[1]
}

#[test]
fn joint_resistance_has_its_published_values() {
    let system = system(ANKLE);
    let table = [(-60.0, 226.0), (-46.5, 226.0), (-40.75, 113.0), (-35.0, 0.0), (0.0, 0.0), (20.0, 0.0), (25.75, -113.0), (31.5, -226.0)];
    for (degrees, moment) in table {
        assert_close(&[ankle_moment(&system, degrees, 0.0)], &[moment], 1e-13, &format!("{degrees} deg"));
    }
    assert_close(&[ankle_moment(&system, 0.0, 3.0)], &[-0.3], 1e-15, "damping inside the range");
    assert_close(&[ankle_moment(&system, -40.75, 3.0)], &[112.7], 1e-13, "damping beyond it");
}

#[test]
fn joint_resistance_has_a_continuous_slope() {
    let system = system(ANKLE);
    let slope = |degrees: f64| {
        let q = [Dual::<1>::from_f64(0.3), Dual::variable((90.0 + degrees).to_radians(), 0)];
        let (_, loads) = evaluate(&system.skeleton, &system.numbers, &q, &[Dual::ZERO; 2], 0.0);
        loads.tau[1].eps[0]
    };
    // The largest curvature is 6 m/Δ² in radians; over 2e-6 degrees the slope cannot change by more than this.
    let (corner, step) = (11.5_f64.to_radians(), 2e-6_f64.to_radians());
    let allowed = 6.0 * 226.0 / (corner * corner) * step;
    for degrees in [-46.5, -35.0, 20.0, 31.5] {
        let jump = (slope(degrees + 1e-6) - slope(degrees - 1e-6)).abs();
        assert!(jump <= allowed && slope(degrees).abs() <= allowed, "{degrees}: {jump:e}, allowed {allowed:e}");
    }
    // Steepest, and restoring, half way: 3 m / (2 Δ).
    assert_close(&[slope(-40.75), slope(25.75)], &[-1.5 * 226.0 / corner; 2], 1e-13, "slope half way");
}

#[test]
fn the_damping_of_a_joint_only_takes_power() {
    for system in examples("joint-resistance") {
        let still = vec![0.0; system.skeleton.dofs()];
        for (q, v, t) in states(&system) {
            let (moving, resting) = (generalised_at(&system, &q, &v, t), generalised_at(&system, &q, &still, t));
            let damping: Vec<f64> = moving.iter().zip(&resting).map(|(a, b)| a - b).collect();
            let rate = v[system.names.speeds.iter().position(|s| s.name == "knee").expect("a knee")];
            assert_close(&[dot(&damping, &v)], &[-0.4 * rate * rate], 1e-13, "power");
            assert!(dot(&damping, &v) <= 0.0);
        }
    }
}

#[test]
fn joint_resistance_refuses_empty_ranges_and_displacements() {
    for model in BOTH {
        for upper in ["upper = -0.2", "upper = -0.3"] {
            assert_eq!(faults(&with_force(model, "joint-resistance", &RESISTANCE.replace("upper = 0.2", upper))), ["empty-range"]);
        }
        let on_rail = RESISTANCE.replace("\"knee\"", "\"rail\"");
        assert_eq!(faults(&with_force(model, "joint-resistance", &on_rail)), ["not-an-angle"]);
        let both = on_rail.replace("upper = 0.2", "upper = -0.2");
        assert_eq!(faults(&with_force(model, "joint-resistance", &both)), ["empty-range", "not-an-angle"]);
    }
}

#[test]
fn an_effort_has_the_unit_of_its_coordinate() {
    for (coordinate, effort) in [("knee", "\"3 N\""), ("rail", "\"3 N m\""), ("knee", "{ type = \"constant\", constant = \"3 N\" }")] {
        let found = faults(&with_force(PLANAR, "effort", &format!("coordinate = \"{coordinate}\"\neffort = {effort}")));
        assert!(matches!(found[..], ["wrong-unit"] | ["function-unit"]), "{found:?}");
    }
}

#[test]
fn a_moment_actuator_equals_two_couples() {
    for model in BOTH {
        // The last point on the hinge's child, and on its parent.
        for (path, last, first) in [("line", 2, 1), ("back", 1, 2)] {
            let system = system(&with_force(model, "moment-actuator", &MOMENT_ACTUATOR.replace("line", path)));
            let knee = system.names.speeds.iter().position(|s| s.name == "knee").expect("a knee");
            for (q, v, t) in states(&system) {
                let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
                let moment = 3.0 + 2.0 * t + 5.0 * t * t;
                let mut couples = Loads::new(&system.skeleton, &system.numbers);
                couples.moment[last] = frames.s_ang[knee].scale(moment);
                couples.moment[first] = frames.s_ang[knee].scale(-moment);
                let expected = generalised(&system, &frames, &couples);
                assert_close(&generalised(&system, &frames, &loads), &expected, 1e-13, path);
                assert_close(&[expected[knee]], &[if last == 2 { moment } else { -moment }], 1e-14, path);
            }
        }
    }
}

#[test]
fn a_moment_actuator_pulls_as_hard_as_the_actuator_pendulum() {
    // Two hanging links; at t = 2 s the published angles of the links need a force of 11.6 N for 4 N m.
    let text = r#"
borelli = 1
dimension = "planar"
[world.point]
pin = [0.25, 0]
[body.upper]
mass = 2
inertia = 0.04167
center = [0, -0.25]
point = { side = [0.25, -0.25], pin = [0, -0.5] }
[body.lower]
mass = 2
inertia = 0.04167
center = [0, -0.25]
point = { side = [0.25, -0.25] }
[joint.top]
type = "hinge"
parent = "world.pin"
child = "upper"
[joint.middle]
type = "hinge"
parent = "upper.pin"
child = "lower"
[path.right]
points = ["upper.side", "lower.side"]
[force.right]
type = "moment-actuator"
path = "right"
moment = { type = "polynomial", coefficients = [0, 0, 1] }
joint = "middle"
"#;
    let system = system(text);
    let q = [-0.26562, 0.87914 + 0.26562];
    let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &[0.0; 2], 2.0);
    assert!((loads.lines.tension[0] - 11.6).abs() < 0.05, "{}", loads.lines.tension[0]);
    assert_close(&generalised(&system, &frames, &loads), &[0.0, 4.0], 1e-14, "couples on the joints");
}

#[test]
fn a_moment_actuator_through_its_hinge_is_not_finite() {
    // A path that starts in the hinge has no arm; one whose points meet has no direction.
    for (model, points) in [(PLANAR, "[\"a.tilted\", \"b.side\"]"), (SPATIAL, "[\"a.tilted\", \"b.top\"]")] {
        let model = format!("{model}[path.none]\npoints = {points}\n");
        let system = system(&with_force(&model, "moment-actuator", &MOMENT_ACTUATOR.replace("line", "none")));
        let knee = system.names.speeds.iter().position(|s| s.name == "knee").expect("a knee");
        let (q, v, t) = states(&system).remove(0);
        let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
        assert!(!loads.lines.tension[3].is_finite());
        assert!(!generalised(&system, &frames, &loads)[knee].is_finite());
    }
}

#[test]
fn a_moment_actuator_needs_a_hinge_between_its_two_points() {
    for model in BOTH {
        let fault = |fields: &str| faults(&with_force(&format!("{model}[path.far]\npoints = [\"a\", \"c\"]\n"), "moment-actuator", fields));
        assert_eq!(fault(&MOMENT_ACTUATOR.replace("knee", "rail")), ["not-a-hinge"]);
        assert_eq!(fault(&MOMENT_ACTUATOR.replace("knee", "base")), ["not-a-hinge"]);
        assert_eq!(fault(&MOMENT_ACTUATOR.replace("line", "bent")), ["not-two-points"]);
        assert_eq!(fault(&MOMENT_ACTUATOR.replace("line", "far")), ["hinge-not-between"]);
        assert_eq!(fault(&MOMENT_ACTUATOR.replace("knee", "rail").replace("line", "bent")), ["not-a-hinge", "not-two-points"]);
        assert_eq!(fault(&MOMENT_ACTUATOR.replace("knee", "nee")), ["unknown-joint"]);
        assert_eq!(fault(&MOMENT_ACTUATOR.replace("line", "lin")), ["unknown-path"]);
    }
}
