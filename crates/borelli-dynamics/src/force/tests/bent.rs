//! Paths that bend over obstacles, pass moving and conditional points: balance, virtual work, slopes, what is refused.
//! Not here: strings without bodies (`wrap`).

use super::{dot, evaluate, faults, generalised, norm, slopes_along, states, system};
use crate::force::{PathView, Stop};
use borelli_math::Vec3;
use borelli_testkit::differences::assert_close;

/// Three bodies in space, with a string of every kind; all obstacles are touched at small angles.
pub(crate) const SPATIAL: &str = r#"
borelli = 1
dimension = "spatial"
[world.point]
high = [0.05, 0.2, 0.02]
[world.frame]
tilted = { origin = [0.004, -0.006, 0.002], rotation = [0.2, -0.13, 0.05] }
[body.a]
mass = 2
inertia = [0.1, 0.1, 0.1]
point = { low = [0.02, -0.09, -0.015] }
[body.b]
mass = 1
inertia = [0.1, 0.1, 0.1]
point = { top = [0, 0.1, 0], end = [-0.01, -0.12, 0.02], knob = [0, 0.01, 0] }
[joint.hip]
type = "gimbal"
parent = "world"
child = "a"
[joint.knee]
type = "hinge"
parent = "a.low"
child = "b.top"
axis = [0.1, 0.2, 1]
[wrap.drum]
type = "cylinder"
at = "world.tilted"
radius = "31 mm"
[wrap.ball]
type = "sphere"
at = "b.knob"
radius = "20 mm"
[wrap.egg]
type = "ellipsoid"
at = "world.tilted"
a = "34 mm"
b = "30 mm"
c = "90 mm"
[path.drum]
points = ["world.high", { wrap = "drum", side = [1, 0, 0] }, "a.low"]
[path.both]
points = ["world.high", { wrap = "drum", side = [1, 0, 0] }, { wrap = "ball" }, "b.end"]
[path.egg]
points = ["world.high", { wrap = "egg", side = [1, 0, 0] }, "a.low", "b.end"]
[path.moving]
points = ["world.high", { wrap = "drum", side = [1, 0, 0] },
  { on = "a", x = { type = "polynomial", coefficients = [0.03, 0.01, 0.02] }, y = -0.06, z = { type = "sine", amplitude = 0.01, frequency = 0.3 }, of = "knee" }, "b.end"]
[force.drum]
type = "spring"
path = "drum"
stiffness = 300
length = 0.1
[force.both]
type = "spring"
path = "both"
stiffness = 200
length = 0.1
[force.egg]
type = "spring"
path = "egg"
stiffness = 100
length = 0.1
[force.moving]
type = "spring"
path = "moving"
stiffness = 150
length = 0.1
[force.slow]
type = "dashpot"
path = "moving"
damping = 5
"#;

/// States with small angles, so that no string slides off.
pub(crate) fn near(system: &crate::system::System) -> Vec<(Vec<f64>, Vec<f64>, f64)> {
    let mut list = states(system);
    for (q, _, _) in &mut list {
        q.iter_mut().for_each(|x| *x = 0.35 * x.sin());
    }
    list
}

#[test]
fn bent_paths_act_and_react() {
    let system = system(SPATIAL);
    let mut touched = [0; 5];
    for (q, v, t) in near(&system) {
        let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
        assert!(loads.lines.lost.is_none(), "{:?}", loads.lines.lost);
        for (path, stops) in system.numbers.paths.list.iter().enumerate() {
            for (k, stop) in stops.iter().enumerate() {
                touched[path] += usize::from(matches!(stop, Stop::Wrap { .. }) && loads.lines.touching(path, k).is_some());
            }
        }
        let bodies = 0..loads.force.len();
        let size: f64 = loads.force.iter().map(|f| norm(*f)).sum();
        let force = bodies.clone().fold(Vec3::ZERO, |sum, b| sum + loads.force[b]);
        let moment = bodies.fold(Vec3::ZERO, |sum, b| sum + loads.moment[b] + frames.p[b].cross(loads.force[b]));
        assert!(size > 1.0 && norm(force) < 1e-13 * size && norm(moment) < 1e-13 * size, "{force:?} {moment:?}");
        // Power, and rates, against lengths in duals along the motion.
        let along = slopes_along(&system, &q, &v, t);
        let rates: Vec<f64> = along.lines.length.iter().map(|l| l.eps[0]).collect();
        assert_close(&loads.lines.rate, &rates, 1e-10, "rates");
        let power = dot(&generalised(&system, &frames, &loads), &v);
        assert_close(&[power], &[-dot(&loads.lines.tension, &rates)], 1e-9, "power");
    }
    assert!(touched[..4].iter().all(|count| *count > 0), "{touched:?}");
}

#[test]
fn moment_arms_are_slopes_of_lengths() {
    let system = system(SPATIAL);
    let mut view = PathView::new(&system);
    let (coord, dof, h) = (3, 3, 1e-6);
    for (mut q, _, _) in near(&system) {
        let knee = q[coord];
        let mut lengths = |x: f64| {
            q[coord] = x;
            view.look(&system, &q);
            view.lines().length.clone()
        };
        let (more, less) = (lengths(knee + h), lengths(knee - h));
        lengths(knee);
        for path in 0..4 {
            let slope = (more[path] - less[path]) / (2.0 * h);
            assert!((view.arm(&system, path, dof) + slope).abs() < 1e-8, "{path}: {} {slope}", view.arm(&system, path, dof));
        }
    }
}

/// A path that turns back over a point on its way, in a range.
const CONDITIONAL: &str = r#"
borelli = 1
dimension = "planar"
[world.point]
left = [-1, 0]
[body.a]
mass = 1
inertia = 1
[joint.base]
type = "slider"
parent = "world"
child = "a"
axis = [1, 0]
[path.p]
points = ["world.left", { at = "world", when = { coordinate = "base", from = "-0.5 m", to = "2 m", jump = "accept" } }, "a"]
"#;

#[test]
fn a_conditional_point_is_there_in_its_range_only() {
    let system = system(CONDITIONAL);
    for (x, l) in [(-0.75, 0.25), (-0.25, 1.25), (1.5, 2.5), (2.5, 3.5)] {
        let (_, loads) = evaluate(&system.skeleton, &system.numbers, &[x], &[1.0], 0.0);
        assert_close(&[loads.lines.length[0]], &[l], 1e-15, "length");
    }
}

#[test]
fn a_jump_must_be_accepted() {
    // On the line there is no jump at the upper end; at the lower one the path doubles back by twice 0.5 m.
    assert_eq!(faults(&CONDITIONAL.replace(", jump = \"accept\"", "")), ["length-jumps"]);
    let warned = system(CONDITIONAL);
    assert_eq!(warned.warnings.iter().map(|own| own.code).collect::<Vec<_>>(), ["length-jumps"]);
    assert!(warned.warnings.iter().all(|own| own.message.contains("1000.000 mm") && own.message.contains("`from`")));
}

#[test]
fn wrong_stops_are_refused() {
    let swap = |a: &str, b: &str| faults(&SPATIAL.replacen(a, b, 1));
    for (a, b, code) in [
        ("{ wrap = \"drum\", side", "{ wrap = \"drun\", side", "unknown-wrap"),
        (
            "points = [\"world.high\", { wrap = \"drum\", side = [1, 0, 0] }",
            "points = [{ wrap = \"drum\", side = [1, 0, 0] }",
            "bad-path-end",
        ),
        (", side = [1, 0, 0] }, \"a.low\"]", " }, \"a.low\"]", "side-missing"),
        ("{ wrap = \"drum\", side", "{ at = \"a\", wrap = \"drum\", side", "bad-path-point"),
        ("{ wrap = \"drum\", side", "{ wrap = \"drum\", of = \"knee\", side", "field-of-other-point"),
        (", of = \"knee\" }", " }", "incomplete-moving-point"),
    ] {
        let found = swap(a, b);
        assert!(found.contains(&code), "{code}: {found:?}");
    }
}
