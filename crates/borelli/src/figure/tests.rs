//! Figures against the models they come from: places, and poses by the kinematics.

mod courses;
mod surfaces;
mod turns;

use super::*;
use crate::recorded::{motion, system};
use borelli_study::plan::{Plan, Time};
use borelli_study::run::{Unwatched, run};

fn near(a: [f64; 3], b: [f64; 3]) -> bool {
    distance(a, b) < 1e-12
}

fn body<'f>(figure: &'f Figure, name: &str) -> &'f FigureBody {
    figure.bodies.iter().find(|body| body.name == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn a_figure_has_the_places_directions_and_markers_of_its_model() {
    let figure = Figure::of(&system("ballistic-gait"));
    let stance = body(&figure, "stance");
    assert_eq!(figure.paths[0].points.len(), 2);
    assert!(near(figure.paths[0].points[0].at, [-0.0692, -0.2809, 0.0]));
    assert_eq!(stance.points.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["foot", "hip", "gluteus", "iliopsoas"]);
    assert!(figure.planar && figure.gravity && near(figure.up, [0.0, 1.0, 0.0]) && near(figure.forward, [1.0, 0.0, 0.0]));
    assert_eq!((stance.mass, stance.inertia[2], stance.label.as_str()), (11.72, 0.7479, "stance"));
    let limbs = Figure::of(&system("lower-limb"));
    let marker = limbs.markers.iter().find(|marker| marker.name == "RHEE").expect("a marker");
    assert_eq!((limbs.markers.len(), limbs.bodies[marker.spot.body].name.as_str()), (26, "foot_r"));
    assert!(near(marker.spot.at, [-0.06, -0.055, 0.0]) && near(limbs.right, [0.0, 0.0, 1.0]) && limbs.bodies[0].solids.is_empty());
}

#[test]
fn the_two_sides_of_every_joint_meet_where_the_joint_only_turns() {
    // Independent of the figure's own frames: poses come from the samples of a motion, the places from the figure.
    for (name, end) in [("ballistic-gait", 0.6), ("andrews", 0.02), ("human3d", 0.1), ("path-muscles", 0.5), ("spatial-arm", 0.2)] {
        let system = system(name);
        let (figure, table) = (Figure::of(&system), motion(&system, end, 5));
        let mut met = 0;
        for joint in figure.joints.iter().filter(|joint| ["hinge", "ball", "universal", "gimbal"].contains(&joint.kind.as_str())) {
            for sample in 0..table.len() {
                let place = |spot: &Spot| figure.pose(spot.body, &table, sample).map(|pose| pose.place(spot.at));
                let (parent, child) = (place(&joint.parent).expect("a pose"), place(&joint.child).expect("a pose"));
                assert!(distance(parent, child) < 1e-12, "{name} {} {parent:?} {child:?}", joint.name);
                met += 1;
            }
        }
        assert!(met > 0, "{name}");
    }
}

#[test]
fn the_length_of_a_drawn_path_is_the_column_of_its_length() {
    let system = system("path-muscles");
    let (figure, table) = (Figure::of(&system), motion(&system, 1.0, 7));
    for path in &figure.paths {
        let column = table.column(&format!("path.{}.length", path.name)).expect("a column");
        for (sample, length) in column.iter().enumerate() {
            let place = |spot: &Spot| figure.pose(spot.body, &table, sample).expect("a pose").place(spot.at);
            let drawn: f64 = path.points.windows(2).map(|ends| distance(place(&ends[0]), place(&ends[1]))).sum();
            assert!((drawn - length).abs() < 1e-12, "{} {drawn} {length}", path.name);
        }
    }
}

#[test]
fn a_rod_is_as_long_as_the_model_says() {
    let system = system("spatial-rod");
    let (figure, table) = (Figure::of(&system), motion(&system, 0.3, 4));
    let given: Vec<f64> =
        system.parameters.iter().filter(|p| p.path.starts_with("loop.") && p.path.ends_with(".length")).map(|p| p.value).collect();
    assert_eq!((figure.rods.len(), given.len()), (1, 1));
    for sample in 0..table.len() {
        let [a, b] = [0, 1].map(|k| figure.rods[0].points[k]).map(|s| figure.pose(s.body, &table, sample).expect("a pose").place(s.at));
        // Drift of the motion's loops, which are kept at the level of accelerations only.
        assert!((distance(a, b) - given[0]).abs() < 1e-6, "{} {}", distance(a, b), given[0]);
    }
}

/// A run with all columns, samples at a distance of 1 ms.
fn all_columns(system: &System, end: f64) -> Trajectory {
    let plan = Plan { time: Time { start: 0.0, end, sample: Some(1e-3) }, ..Plan::default() };
    run(system, &plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>())).trajectory
}

/// The force of a hold on its place b at a sample.
fn force_of(hold: &FigureHold, table: &Trajectory, sample: usize) -> Vec3<f64> {
    let part = |axis: &str| table.column(&format!("{}.reaction.{axis}", hold.element)).map_or(0.0, |values| values[sample]);
    vec3(part("x"), part("y"), part("z"))
}

#[test]
fn the_force_of_a_loop_where_it_is_drawn_moves_the_body_as_it_moves() {
    // Newton and Euler for the second rod, which only the link holds: m a = F + m g, I α = (p − c) × F, with rates by central differences.
    let system = system("double-pendulum-pins");
    let (figure, table) = (Figure::of(&system), all_columns(&system, 0.2));
    let kinds: Vec<_> = figure.holds.iter().map(|hold| (hold.element.as_str(), hold.kind, hold.a.map(|a| a.body), hold.b.body)).collect();
    assert_eq!(kinds, [("loop.ground", "coincident", Some(0), 1), ("loop.link", "coincident", Some(1), 2)]);
    let link = &figure.holds[1];
    let slope = |name: &str, k: usize| {
        let values = table.column(name).expect("a column");
        (values[k + 1] - values[k - 1]) / (table.time()[k + 1] - table.time()[k - 1])
    };
    for k in (1..table.len() - 1).step_by(20) {
        let (pose, force) = (figure.pose(2, &table, k).expect("a pose"), force_of(link, &table, k));
        let lever = Vec3::from_array(pose.place(link.b.at)) - Vec3::from_array(pose.place(figure.bodies[2].center));
        // Differences over 1 ms err by a third derivative, some 100 1/s³, times 2e-7 s²; the masses are 2 kg and 0.04 kg m².
        let across = 2.0 * slope("body.second.vx", k) - force.x;
        let upward = 2.0 * (slope("body.second.vy", k) - system.numbers.tree.gravity.y) - force.y;
        let turning = 0.0416667 * slope("body.second.rate", k) - lever.cross(force).z;
        assert!(force.norm() > 5.0 && across.abs() < 1e-3 && upward.abs() < 1e-3 && turning.abs() < 1e-4, "{across} {upward} {turning}");
    }
}

#[test]
fn the_force_of_a_rod_along_its_line_turns_the_body_at_its_second_end() {
    // Euler for the rocker about its hinge, X through (y, z) = (−0.1, 0.17): (I + m l²) α = moments of weight and rod about X.
    let system = system("spatial-rod");
    let (figure, table) = (Figure::of(&system), all_columns(&system, 0.2));
    let rocker = figure.bodies.iter().position(|body| body.name == "rocker").expect("it");
    let rate = table.column("coord.rocker.rate").expect("a column");
    let push = table.column("loop.coupler.reaction.length").expect("a column");
    assert_eq!(figure.rods[0].points[1].body, rocker);
    for k in (1..table.len() - 1).step_by(20) {
        let place = |spot: &Spot| Vec3::from_array(figure.pose(spot.body, &table, k).expect("a pose").place(spot.at));
        let [a, b] = [0, 1].map(|end| place(&figure.rods[0].points[end]));
        let (hinge, center) = (vec3(0.24, -0.1, 0.17), place(&Spot { body: rocker, at: figure.bodies[rocker].center }));
        let force = (b - a).scale(push[k] / (b - a).norm());
        let moment = (b - hinge).cross(force).x + (center - hinge).cross(system.numbers.tree.gravity.scale(0.7)).x;
        let turning = (0.004 + 0.7 * 0.12 * 0.12) * (rate[k + 1] - rate[k - 1]) / 2e-3;
        // Differences over 1 ms err by a third derivative, some 1e4 1/s³, times 2e-7 s² and 0.014 kg m².
        assert!(moment.abs() > 0.01 && (turning - moment).abs() < 1e-4, "{turning} {moment}");
    }
}

#[test]
fn loops_are_drawn_where_their_places_meet_and_guided_points_have_their_forces() {
    for name in ["four-bar-welded", "spatial-four-bar", "spatial-loop-welded", "guided-arm"] {
        let system = system(name);
        let (figure, table) = (Figure::of(&system), all_columns(&system, 0.1));
        assert!(!figure.holds.is_empty(), "{name}");
        for hold in &figure.holds {
            let place = |spot: &Spot, sample: usize| figure.pose(spot.body, &table, sample).expect("a pose").place(spot.at);
            assert!(table.column(&format!("{}.reaction.x", hold.element)).is_some(), "{name} {}", hold.element);
            for sample in 0..table.len() {
                // Drift at the tolerance of the run.
                let apart = hold.a.map_or(0.0, |a| distance(place(&a, sample), place(&hold.b, sample)));
                assert!(apart < 1e-6, "{name} {} {apart}", hold.element);
            }
        }
    }
    let arm = Figure::of(&system("guided-arm"));
    let grip = arm.holds.iter().find(|hold| hold.element == "guide.grip").expect("it");
    assert!(grip.kind == "point" && grip.a.is_none() && near(grip.b.at, [0.0, -0.08, 0.0]));
}

#[test]
fn a_model_that_lies_on_its_back_keeps_its_right() {
    // X to the front is up, Y up the leg is backward: the knees of one who sits.
    let figure = Figure::of(&system("knee"));
    assert!(
        near(figure.up, [1.0, 0.0, 0.0]) && near(figure.forward, [0.0, -1.0, 0.0]) && near(figure.right, [0.0, 0.0, 1.0]),
        "{figure:?}"
    );
}

#[test]
fn the_world_holds_what_hangs_and_neither_what_slides_nor_a_free_top() {
    let count = |name: &str| Figure::of(&system(name)).held().count();
    assert_eq!((count("double-pendulum"), count("heavy-top"), count("top"), count("restitution-balls")), (1, 1, 0, 0));
}
