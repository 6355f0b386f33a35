//! Loads at moving points: power, closed forms, loads added to a compiled system.
//! Not here: derivatives, which are those of all laws (`super`).

use super::{BOTH, PLANAR, SPATIAL, dot, evaluate, examples, generalised, generalised_at, lifted, states, system, with_force};
use crate::scene::Scene;
use crate::system::System;
use crate::{LoadFault, MeasuredLoad};
use borelli_math::function::{Function, Interpolation, Outside, Table};
use borelli_math::{Dual, Real, Vec3, vec3};
use borelli_testkit::differences::assert_close;
use std::sync::Arc;

#[test]
fn a_load_works_by_the_velocity_of_the_body_under_it() {
    for system in examples("load") {
        let planar = system.skeleton.planar;
        for (q, v, t) in states(&system) {
            let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            let turn = std::f64::consts::TAU * t;
            let (z, pz) = if planar { (0.0, 0.0) } else { (7.0, 0.3 * (0.5 * turn).sin()) };
            let force = vec3(20.0 * (0.7 * turn).sin(), 3.0 - 40.0 * t, z);
            let point = vec3(0.2 + 0.6 * t, -0.4, pz);
            let swing = 5.0 * (0.4 * turn).sin();
            let moment = if planar { vec3(0.0, 0.0, swing) } else { vec3(1.0, swing, -2.0) };
            let velocity = frames.v[2] + frames.w[2].cross(point - frames.p[2]);
            let power = force.dot(velocity) + moment.dot(frames.w[2]);
            assert_close(&[dot(&generalised(&system, &frames, &loads), &v)], &[power], 1e-13, "power");
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
            let shown = system.numbers.forces.load[0].item.reading(&scene);
            assert_close(&[shown.power], &[power], 1e-13, "power shown");
            let vectors = |list: [Vec3<f64>; 3]| list.map(Vec3::to_array).concat();
            assert_close(&vectors([shown.force, shown.point, shown.moment]), &vectors([force, point, moment]), 1e-14, "shown");
        }
    }
}

#[test]
fn a_load_at_a_point_of_the_body_is_a_force() {
    for (model, force, axes) in [(PLANAR, "[3, -5]", 2), (SPATIAL, "[3, -5, 7]", 3)] {
        let pushed = system(&with_force(model, "force", &format!("at = \"c.end\"\nforce = {force}")));
        let place = pushed.numbers.place_body.iter().position(|b| *b == 3).expect("a place on c") as u32;
        for (q, v, t) in states(&pushed) {
            let (frames, _) = evaluate(&pushed.skeleton, &pushed.numbers, &q, &v, t);
            let scene = Scene {
                skeleton: &pushed.skeleton,
                numbers: &pushed.numbers,
                frames: &frames,
                q: &q,
                v: &v,
                vdot: &[],
                t,
                inside: crate::scene::Inside::NONE,
            };
            let point = scene.point(place).p_W.to_array();
            let loaded = system(&with_force(model, "load", &format!("body = \"c\"\nforce = {force}\npoint = {:?}", &point[..axes])));
            assert_close(&generalised_at(&loaded, &q, &v, t), &generalised_at(&pushed, &q, &v, t), 1e-14, "generalised force");
        }
    }
}

/// A wheel on a hinge at the origin, 2 N downward at a place that runs along x with 3 m/s from 0.1 m, and a couple of 0.4 N m.
#[test]
fn a_running_load_turns_a_wheel_by_its_arm() {
    let text = r#"
borelli = 1
dimension = "planar"
[body.wheel]
mass = 1
inertia = 1
[joint.axle]
type = "hinge"
parent = "world"
child = "wheel"
[force.run]
type = "load"
body = "wheel"
force = [0, "-2 N"]
point = [{ type = "polynomial", coefficients = ["0.1 m", "3 m/s"] }, "0.7 m"]
moment = "0.4 N m"
"#;
    let system = system(text);
    for (angle, t) in [(0.0, 0.0), (1.3, 0.2), (-2.0, 5.0)] {
        assert_close(&generalised_at(&system, &[angle], &[9.0], t), &[-2.0 * (0.1 + 3.0 * t) + 0.4], 1e-15, "moment");
    }
}

/// Forces and moments with their slopes in time.
fn slopes_in_time(system: &System, q: &[f64], v: &[f64], t: f64) -> Vec<Dual<1>> {
    let still = vec![0.0; q.len().max(v.len())];
    let mut frames = crate::frames::Frames::new(&system.skeleton);
    let (q, v) = (lifted(q, &still), lifted(v, &still));
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, &q, &v, &[]);
    frames.fill_points(&system.skeleton);
    let mut loads = crate::scene::Loads::new(&system.skeleton, &system.numbers);
    let t = Dual::<1>::variable(t, 0);
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
    system.numbers.forces.apply(&scene, &mut loads);
    loads.force.iter().chain(&loads.moment).flat_map(|x| x.to_array()).collect()
}

#[test]
fn the_point_of_a_load_without_force_does_not_count() {
    for (model, nothing, point) in [(PLANAR, "[0, 0]", "[\"far\", 1e300]"), (SPATIAL, "[0, 0, 0]", "[\"far\", 1e300, -1e300]")] {
        let far = "[function.far]\ntype = \"expression\"\nexpression = \"1/(x - x)\"\n";
        let text = with_force(&format!("{model}{far}"), "load", &format!("body = \"c\"\nforce = {nothing}\npoint = {point}"));
        let system = system(&text);
        for (q, v, t) in states(&system) {
            assert!(generalised_at(&system, &q, &v, t).iter().all(|x| *x == 0.0));
            assert!(slopes_in_time(&system, &q, &v, t).iter().all(|x| x.re == 0.0 && x.eps == [0.0]));
        }
    }
    // Where the force passes through zero its arm still belongs to the slope.
    let text = with_force(PLANAR, "load", "body = \"c\"\nforce = [{ type = \"polynomial\", coefficients = [0, 4] }, 0]\npoint = [1, 7]");
    let system = system(&text);
    let (q, v, _) = states(&system).remove(0);
    let (at_zero, later) = (slopes_in_time(&system, &q, &v, 0.0), slopes_in_time(&system, &q, &v, 1.0));
    assert!(at_zero.iter().any(|x| x.eps[0] != 0.0));
    at_zero.iter().zip(&later).for_each(|(a, b)| assert_close(&[a.eps[0]], &[b.eps[0]], 1e-15, "slope"));
    assert!(at_zero.iter().all(|x| x.value() == 0.0));
}

/// The load of the examples by tables that hold it to four digits of its own: enough knots of the same functions.
fn measured(planar: bool) -> MeasuredLoad {
    let turn = std::f64::consts::TAU;
    let table = |f: &dyn Fn(f64) -> f64| {
        let x: Vec<f64> = (0..=400).map(|k| f64::from(k) / 400.0).collect();
        let y = x.iter().map(|t| f(*t)).collect();
        Function::Table(Arc::new(Table::new(x, y, Interpolation::Spline, Outside::Error).expect("a table")))
    };
    let zero = || Function::Constant(0.0);
    let swing = table(&|t| 5.0 * (0.4 * turn * t).sin());
    MeasuredLoad {
        name: "plate".into(),
        body: 2,
        force: [
            table(&|t| 20.0 * (0.7 * turn * t).sin()),
            Function::Polynomial { origin: 0.0, coefficients: vec![3.0, -40.0] },
            Function::Constant(7.0),
        ],
        point: [
            Function::Polynomial { origin: 0.0, coefficients: vec![0.2, 0.6] },
            Function::Constant(-0.4),
            Function::Sine { amplitude: 0.3, frequency: 0.5, phase: 0.0, offset: 0.0 },
        ],
        moment: if planar { [zero(), zero(), swing] } else { [Function::Constant(1.0), swing, Function::Constant(-2.0)] },
    }
}

#[test]
fn loads_added_to_a_system_are_those_of_a_file() {
    for (model, written) in BOTH.iter().zip(examples("load")) {
        let bare = system(model);
        let planar = bare.skeleton.planar;
        let loaded = bare.with_loads(&[measured(planar)]).expect("one new name");
        for (q, v, t) in states(&written) {
            // The spline through 401 samples of a sine is right to eight digits.
            assert_close(&generalised_at(&loaded, &q, &v, t), &generalised_at(&written, &q, &v, t), 1e-8, "generalised force");
        }
        assert_eq!(loaded.numbers.forces.load[0].name, "plate");
        assert_eq!(loaded.names.functions.len(), loaded.numbers.functions.len());
        // The two tables end at 1 s, and the engine knows it.
        let ends: Vec<&str> = loaded.bounds.iter().filter(|b| b.coord.is_none()).map(|b| b.function.as_str()).collect();
        assert_eq!(ends, ["force.plate.force.1", if planar { "force.plate.moment.1" } else { "force.plate.moment.2" }]);
        // Other parameters keep the loads.
        let values: Vec<f64> = loaded.parameters.iter().map(|p| p.value).collect();
        let (q, v, t) = states(&loaded).remove(1);
        assert_eq!(generalised_at(&loaded.with_parameters(&values), &q, &v, t), generalised_at(&loaded, &q, &v, t));
    }
}

#[test]
fn loads_with_a_name_twice_or_on_no_body_are_refused() {
    let [_, written] = examples("load");
    let load = measured(false);
    let taken = |name: &str| LoadFault::NameTaken { name: name.into() };
    assert_eq!(written.with_loads(&[load.clone(), load.clone()]).expect_err("twice"), taken("plate"));
    assert_eq!(written.with_loads(&[MeasuredLoad { name: "f".into(), ..load.clone() }]).expect_err("in the file"), taken("f"));
    let nowhere = MeasuredLoad { body: 9, ..load };
    assert_eq!(written.with_loads(&[nowhere]).expect_err("no body"), LoadFault::NoSuchBody { name: "plate".into(), body: 9 });
}
