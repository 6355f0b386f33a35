//! Muscles and springs over obstacles of every kind: momentum, memory of earlier states, energy through touch-down and lift-off.
//! Not here: strings without bodies (`wrap`), moment arms (`force`).

use super::element::{run, undamped};
use super::{SET, evaluate, parse};
use crate::force::PathView;
use crate::formulation::Input;
use crate::formulation::articulated::Articulated;
use crate::integrate::{Settings, Statistics, Unobserved, find, integrate};
use crate::movement::{Movement, Options};
use crate::scene::Inside;
use crate::system::System;
use borelli_testkit::assert_close;
use borelli_testkit::random::Random;

/// An obstacle of each kind with a string over it: fields of the wrap, of its place and of the stop; where the string comes from and goes to, mm, the latter on a body
/// that turns about Z. All strings are free at 16 degrees and touch at small angles or below.
struct Case {
    kind: &'static str,
    wrap: &'static str,
    place: &'static str,
    stop: &'static str,
    from: [f64; 3],
    to: [f64; 3],
}

const CASES: [Case; 4] = [
    Case {
        kind: "sphere",
        wrap: "radius = 0.035",
        place: "origin = [0.006, -0.004, 0.003]",
        stop: "",
        from: [34.0, 210.0, 18.0],
        to: [31.0, -75.0, -12.0],
    },
    Case {
        kind: "cylinder",
        wrap: "radius = 0.031",
        place: "origin = [0.004, -0.006, 0.002], angles = [\"12 deg\", \"-8 deg\", 0]",
        stop: ", side = [1, 0, 0]",
        from: [36.0, 190.0, 30.0],
        to: [33.0, -70.0, -15.0],
    },
    Case {
        kind: "ellipsoid",
        wrap: "a = 0.045\nb = 0.030\nc = 0.060",
        place: "origin = [0.008, -0.005, 0.004], angles = [\"20 deg\", \"-15 deg\", \"30 deg\"]",
        stop: ", side = [1, 0, 0]",
        from: [50.0, 200.0, 20.0],
        to: [42.0, -80.0, -14.0],
    },
    Case {
        kind: "torus",
        wrap: "ring = 0.030\ntube = 0.011",
        place: "origin = [0, 0, 0], angles = [\"80 deg\", \"10 deg\", 0]",
        stop: "",
        from: [20.0, 200.0, 10.0],
        to: [-28.3, -116.7, -10.0],
    },
];

fn metres(mm: [f64; 3]) -> String {
    let [x, y, z] = mm.map(|x| x / 1e3);
    format!("[{x}, {y}, {z}]")
}

/// A body on a hinge with a path over each of these obstacles, of the name of its kind; `more` goes at the end.
fn turning(cases: &[&Case], more: &str) -> System {
    let each = |text: &dyn Fn(&Case) -> String| cases.iter().map(|case| text(case)).collect::<String>();
    parse(&format!(
        "borelli = 1\ndimension = \"spatial\"\ngravity = [0, 0, 0]\n[world.point]\n{}[world.frame]\n{}[body.a]\nmass = 2\ninertia = [0.03, 0.03, 0.03]\n{}\
         [joint.h]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\naxis = [0, 0, 1]\n{}{more}",
        each(&|own| format!("p_{} = {}\n", own.kind, metres(own.from))),
        each(&|own| format!("f_{} = {{ {} }}\n", own.kind, own.place)),
        each(&|own| format!("point.q_{} = {}\n", own.kind, metres(own.to))),
        each(&|Case { kind, wrap, stop, .. }| format!(
            "[wrap.{kind}]\ntype = \"{kind}\"\nat = \"world.f_{kind}\"\n{wrap}\n\
             [path.{kind}]\npoints = [\"world.p_{kind}\", {{ wrap = \"{kind}\"{stop} }}, \"a.q_{kind}\"]\n"
        )),
    ))
}

/// Whether the only path of a system touches its obstacle.
fn touches(system: &System, view: &mut PathView, angle: f64) -> bool {
    view.look(system, &[angle]);
    assert!(view.lines().lost.is_none(), "{:?} at {angle}", view.lines().lost);
    view.lines().touching(0, 1).is_some()
}

#[test]
fn a_spring_over_an_obstacle_of_any_kind_keeps_energy_through_touch_down_and_lift_off() {
    for case in &CASES {
        // The angle at which the string begins to touch, from the side on which it is free.
        let bare = turning(&[case], "");
        let mut view = PathView::new(&bare);
        let angle = |k: i32| (16.0 - 0.25 * f64::from(k)).to_radians();
        assert!(!touches(&bare, &mut view, angle(0)), "{}", case.kind);
        let first = (0..180).map(angle).find(|x| touches(&bare, &mut view, *x)).expect("a touch");
        // A spring on the hinge swings it about that angle.
        let system = turning(
            &[case],
            &format!(
                "[force.pull]\ntype = \"spring\"\npath = \"{}\"\nstiffness = 600\nlength = 0.22\n\
                 [force.back]\ntype = \"coordinate-spring\"\ncoordinate = \"h\"\nstiffness = 60\nrest = {first}\n[initial]\ncoordinates = {{ h = {} }}",
                case.kind,
                first + 0.2
            ),
        );
        let mut movement = Movement::new(&system, Options::default()).expect("a movement");
        let mut y = movement.state(&system, &system.start.q, &system.start.v);
        let mut method = (find("dopri5").expect("it").build)(y.len());
        let energy = |y: &[f64]| {
            let out = evaluate(&system, &y[..1], &y[1..2], &[]);
            out.kinetic_energy + out.stored_energy
        };
        let (before, mut was, mut changes, mut worst, mut most) = (energy(&y), false, 0, 0.0_f64, 0.0_f64);
        for k in 0..100 {
            let span = (0.005 * f64::from(k), 0.005 * f64::from(k + 1));
            let (settings, mut count) = (Settings::tolerance(1e-11), Statistics::default());
            integrate(&mut *method, &mut movement.of(&system), span, &mut y, &settings, &mut count, &mut Unobserved)
                .unwrap_or_else(|failure| panic!("{}: {failure}", case.kind));
            let now = touches(&system, &mut view, y[0]);
            changes += usize::from(now != was);
            was = now;
            worst = worst.max((energy(&y) - before).abs());
            most = most.max(evaluate(&system, &y[..1], &y[1..2], &[]).kinetic_energy);
        }
        assert!(worst < 1e-8 && most > 0.5 && changes >= 4, "{}: {worst:e} J of {most} J, {changes} changes", case.kind);
    }
}

#[test]
fn evaluations_at_other_states_in_between_change_no_result_over_any_obstacle() {
    let cases: Vec<&Case> = CASES.iter().collect();
    // Each law on a path of its own, all with tendons that fit there, and a ligament on the last.
    let mut more = String::new();
    for ((law, fields), (case, tendon)) in SET.iter().zip(CASES.iter().zip([0.24, 0.20, 0.25])) {
        let fields = undamped(fields);
        let fields: String = fields.lines().filter(|line| !line.starts_with("tendon_length")).map(|line| format!("{line}\n")).collect();
        more += &format!("[muscle.{law}]\npath = \"{}\"\n{fields}damping = 0.05\ntendon_length = {tendon}\nexcitation = 0.6\n", case.kind);
    }
    more += "[ligament.l]\npath = \"torus\"\nstiffness = 3000\nslack_length = 0.28\ndamping = 40\n";
    let system = turning(&cases, &more);
    let mut random = Random::new(6);
    let mut view = PathView::new(&system);
    let mut states = Vec::new();
    let (mut touched, mut moved) = ([0; 4], 0.0_f64);
    for _ in 0..40 {
        let (q, v) = (random.uniform(-0.35, 0.35), random.uniform(-3.0, 3.0));
        view.look(&system, &[q]);
        let mut z = system.numbers.states.clone();
        for (k, (_, size)) in system.numbers.forces.muscles().iter().enumerate() {
            let length = view.lines().length[size.path as usize];
            (z[2 * k], z[2 * k + 1]) = (random.uniform(0.05, 1.0), (length - 1.03 * size.tendon_length) / size.fibre_length);
        }
        (0..4).for_each(|path| touched[path] += usize::from(view.lines().touching(path, 1).is_some()));
        // The one view has seen all poses before; a new one none.
        let mut fresh = PathView::new(&system);
        fresh.look(&system, &[q]);
        let arms = |view: &PathView| (0..4).map(|path| view.arm(&system, path, 0)).collect::<Vec<_>>();
        let [seen, new] = [&view, &fresh].map(|view| [view.lines().length.clone(), arms(view)].concat());
        moved = seen.iter().zip(&new).map(|(a, b)| (a - b).abs()).fold(moved, f64::max);
        states.push((q, v, z));
    }
    assert!(touched.iter().all(|count| (4..37).contains(count)), "{touched:?}");
    let ask = |articulated: &mut Articulated, (q, v, z): &(f64, f64, Vec<f64>)| {
        let mut vdot = [0.0];
        let input = Input { t: 0.0, q: &[*q], v: &[*v], inside: Inside { z, u: &[] }, tau: &[0.0] };
        articulated.accelerate(&system, input, &mut vdot).expect("an acceleration");
        [&vdot, articulated.rates_of_states()].concat()
    };
    let alone: Vec<Vec<f64>> = states.iter().map(|state| ask(&mut Articulated::new(&system), state)).collect();
    let mut one = Articulated::new(&system);
    let mut worst = 0.0_f64;
    for stride in [1, 7, 13, 39] {
        for k in (0..states.len()).map(|k| k * stride % states.len()) {
            let found = ask(&mut one, &states[k]);
            let scale = |x: &f64| 1.0 + x.abs();
            worst = found.iter().zip(&alone[k]).map(|(a, b)| (a - b).abs() / scale(b)).fold(worst, f64::max);
        }
    }
    // Lengths and arms, m; accelerations and rates of states.
    assert!(moved < 1e-13 && worst < 1e-13, "{moved:e} {worst:e}");
}

/// What a muscle may pass between two free bodies.
const BETWEEN: [(&str, &str, &str); 4] = [
    ("nothing", "", ""),
    ("sphere", "radius = 0.035", ""),
    ("cylinder", "radius = 0.031", ", side = [0, 1, 0]"),
    ("ellipsoid", "a = 0.060\nb = 0.033\nc = 0.045", ", side = [0, 1, 0]"),
];

#[test]
fn a_muscle_between_free_bodies_keeps_their_momenta() {
    for (kind, wrap, side) in BETWEEN {
        for (law, fields) in SET {
            let fields = undamped(fields);
            let over = if wrap.is_empty() { String::new() } else { format!("[wrap.w]\ntype = \"{kind}\"\nat = \"c.middle\"\n{wrap}\n") };
            let stop = if wrap.is_empty() { String::new() } else { format!("{{ wrap = \"w\"{side} }}, ") };
            // The line passes 25 mm above the middle of the third body.
            let length = super::element::rest_length(&super::rig(&fields, 1.0, "")) + 0.01;
            let system = parse(&format!(
                "borelli = 1\ndimension = \"spatial\"\ngravity = [0, 0, 0]\n\
                 [body.a]\nmass = 2\ninertia = [0.02, 0.03, 0.04]\npoint = {{ p = [0.02, 0.01, -0.03] }}\n\
                 [body.b]\nmass = 3\ninertia = [0.05, 0.03, 0.04]\npoint = {{ p = [-0.04, 0.02, 0.01] }}\n\
                 [body.c]\nmass = 1.5\ninertia = [0.02, 0.04, 0.03]\nframe.middle = {{ origin = [0.003, 0, 0.002], angles = [\"8 deg\", \"-6 deg\", \"5 deg\"] }}\n\
                 [joint.a]\ntype = \"free\"\nparent = \"world\"\nchild = \"a\"\n[joint.b]\ntype = \"free\"\nparent = \"world\"\nchild = \"b\"\n\
                 [joint.c]\ntype = \"free\"\nparent = \"world\"\nchild = \"c\"\n{over}\
                 [path.p]\npoints = [\"a.p\", {stop}\"b.p\"]\n[muscle.m]\npath = \"p\"\n{fields}\ndamping = 0.05\nexcitation = 0.5\n\
                 [initial]\ncoordinates = {{ b_px = {}, b_py = 0.02, c_px = 0.16 }}\nspeeds = {{ a_vx = 0.1, b_vy = -0.2, a_wz = 0.4, c_wx = 0.3 }}",
                length + 0.06
            ));
            let y = run(&system, Options::default(), "dopri5", &Settings::tolerance(1e-12), 0.05);
            let movement = Movement::new(&system, Options::default()).expect("a movement");
            let layout = movement.layout();
            let first = evaluate(&system, &system.start.q, &system.start.v, &system.states_at(0.0, &system.start.q).z);
            let last = evaluate(&system, layout.q(&y), layout.v(&y), layout.z(&y));
            let what = format!("{law} over {kind}");
            assert_close(&last.momentum.to_array(), &first.momentum.to_array(), 1e-11, &what);
            assert_close(&last.angular_momentum.to_array(), &first.angular_momentum.to_array(), 1e-11, &what);
            // Bodies were pulled together, and the third was pressed where there is an obstacle on it.
            let moved = layout.v(&y).iter().zip(&system.start.v).map(|(a, b)| (a - b).abs()).collect::<Vec<_>>();
            assert!(moved[..6].iter().fold(0.0, |most: f64, x| most.max(*x)) > 0.1, "{what}: {moved:?}");
            let third = moved[12..].iter().fold(0.0, |most: f64, x| most.max(*x));
            assert!(if wrap.is_empty() { third < 1e-9 } else { third > 0.02 }, "{what}: {moved:?}");
        }
    }
}
