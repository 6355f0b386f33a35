//! Choices of unknowns for models, by names, against the recursive formulation. Exists in tests only.

use crate::formulation::articulated::Articulated;
use crate::formulation::segment_chain::{Given, Mixed, Preset, SegmentChain, Task, TaskFault, TaskRow};
use crate::formulation::{Evaluation, Formulation, Input};
use crate::{System, compile};
use borelli_math::random::Random;
use borelli_model::Model;
use borelli_testkit::count_allocations;
use std::path::Path;

fn gallery(name: &str) -> System {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(format!("{name}.toml"));
    let model = Model::read(&file).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

struct State {
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
}

impl State {
    fn random(system: &System, seed: u64) -> State {
        let mut random = Random::new(seed);
        let n = system.skeleton.dofs();
        State { q: random.uniforms(n, -1.5, 1.5), v: random.uniforms(n, -3.0, 3.0), tau: vec![0.0; n] }
    }

    fn input(&self) -> Input<'_> {
        Input { t: 0.0, q: &self.q, v: &self.v, tau: &self.tau, ..Input::default() }
    }
}

fn task(known: &[(&str, Given)], unknown: &[&str]) -> Task {
    Task {
        known: known.iter().map(|(name, given)| (name.to_string(), *given)).collect(),
        unknown: unknown.iter().map(|name| name.to_string()).collect(),
        ..Task::default()
    }
}

fn named(mixed: &Mixed, name: &str) -> f64 {
    let variable = mixed.labels().find(name).unwrap_or_else(|| panic!("no {name}"));
    mixed.values()[mixed.labels().layout().index(variable)]
}

/// Inverse dynamics of the chain gives the efforts of the recursive formulation, also with the ground reaction known.
#[test]
fn inverse_problems_find_the_efforts_of_the_recursion() {
    let system = gallery("squat4");
    let state = State::random(&system, 3);
    let vdot = Random::new(4).uniforms(4, -20.0, 20.0);
    let mut efforts = vec![0.0; 4];
    Articulated::new(&system).inverse(&system, 0.0, &state.q, &state.v, &vdot, &mut efforts).unwrap();
    let mut out = Evaluation::new(&system);
    let mut inverse = Mixed::new(&system, &Task { preset: Preset::Inverse, ..Task::default() }).unwrap();
    inverse.evaluate(&system, state.input(), &vdot, &[], &[], &mut out).unwrap();
    for (joint, effort) in ["toe", "ankle", "knee", "hip"].iter().zip(&efforts) {
        let found = named(&inverse, &format!("joint.{joint}.moment"));
        assert!((found - effort).abs() < 1e-9 * effort.abs().max(100.0), "{joint}: {found}, recursion {effort}");
    }
    assert!(inverse.examine().unwrap().condition < 1e6 && inverse.residual() < 1e-14);

    // With force and moment at the base known, nothing is left over at the far end.
    let ground = ["joint.toe.force.x", "joint.toe.force.y", "joint.toe.moment"];
    let known: Vec<(&str, Given)> = ground.iter().map(|name| (*name, Given::Whole)).collect();
    let mut from_base = Mixed::new(&system, &Task { preset: Preset::InverseFromBase, ..task(&known, &[]) }).unwrap();
    let measured = ground.map(|name| named(&inverse, name));
    from_base.evaluate(&system, state.input(), &vdot, &measured, &[], &mut out).unwrap();
    let end = ["joint.end.force.x", "joint.end.force.y", "joint.end.moment"].map(|name| named(&from_base, name).abs());
    assert!(end.iter().all(|rest| *rest < 1e-8), "{end:?}");
    assert!((named(&from_base, "joint.hip.moment") - efforts[3]).abs() < 1e-8);
}

/// Motion of two segments and the moment of the third known: the others' moments come out, and put in as forces give the same motion.
#[test]
fn part_of_the_motion_and_part_of_the_moments_known() {
    let system = gallery("squat4");
    let mut state = State::random(&system, 5);
    let known = [
        ("body.feet.angular_acceleration", Given::Whole),
        ("body.shanks.angular_acceleration", Given::Whole),
        ("joint.hip.moment", Given::Whole),
    ];
    let mut mixed = Mixed::new(&system, &task(&known, &["joint.toe.moment", "joint.ankle.moment"])).unwrap();
    let mut out = Evaluation::new(&system);
    mixed.evaluate(&system, state.input(), &[], &[3.0, -7.0, 40.0], &[], &mut out).unwrap();
    assert!((out.vdot[0] - 3.0).abs() < 1e-12 && (out.vdot[0] + out.vdot[1] + 7.0).abs() < 1e-12);
    let moments = ["toe", "ankle", "knee", "hip"].map(|joint| named(&mixed, &format!("joint.{joint}.moment")));
    assert_eq!((moments[2], moments[3]), (0.0, 40.0));
    state.tau.copy_from_slice(&moments);
    let mut forward = vec![0.0; 4];
    Articulated::new(&system).forward(&system, 0.0, &state.q, &state.v, &state.tau, &mut forward).unwrap();
    for (k, (a, b)) in out.vdot.iter().zip(&forward).enumerate() {
        assert!((a - b).abs() < 1e-9 * b.abs().max(10.0), "{k}: {a}, {b}");
    }
}

/// A prescribed segment by an outside moment or by an actuator at its joint: both hold it, the neighbour moves otherwise.
#[test]
fn an_outside_moment_and_an_actuator_move_the_neighbour_differently() {
    let system = gallery("squat4");
    let state = State::random(&system, 6);
    let known = [("body.thighs.angular_acceleration", Given::Whole)];
    let mut found = Vec::new();
    for unknown in ["body.thighs.moment", "joint.knee.moment"] {
        let mut mixed = Mixed::new(&system, &task(&known, &[unknown])).unwrap();
        let mut out = Evaluation::new(&system);
        mixed.evaluate(&system, state.input(), &[], &[2.0], &[], &mut out).unwrap();
        assert!((named(&mixed, "body.thighs.angular_acceleration") - 2.0).abs() < 1e-15);
        found.push(named(&mixed, "body.shanks.angular_acceleration"));
    }
    assert!((found[0] - found[1]).abs() > 1.0, "{found:?}");
}

/// A row of one's own, with the support that upholds it: the hip kept from accelerating.
#[test]
fn a_row_of_the_task_is_met_and_its_support_reported() {
    let system = gallery("squat4");
    let state = State::random(&system, 8);
    let row = |letter: &str| TaskRow {
        name: format!("hip {letter}"),
        terms: vec![(format!("joint.hip.acceleration.{letter}"), 1.0)],
        frees: Some(format!("body.hat.support.{letter}")),
    };
    let mut mixed = Mixed::new(&system, &Task { rows: vec![row("x"), row("y")], ..Task::default() }).unwrap();
    let mut out = Evaluation::new(&system);
    mixed.evaluate(&system, state.input(), &[], &[], &[0.5, -0.25], &mut out).unwrap();
    assert!(named(&mixed, "body.hat.support.y").abs() > 1.0);
    // The hip is where the trunk's joint is: its acceleration from the recursive kinematics.
    let mut frames = crate::frames::Frames::<f64>::new(&system.skeleton);
    frames.fill::<f64, true>(&system.skeleton, &system.numbers.tree, &state.q, &state.v, &out.vdot);
    let hip = frames.a[4] - frames.a[0];
    assert!((hip.x - 0.5).abs() < 1e-12 && (hip.y + 0.25).abs() < 1e-12, "{hip:?}");
}

#[test]
fn faults_name_what_was_written_and_what_there_is() {
    let system = gallery("squat4");
    let fault = |task: Task| Mixed::new(&system, &task).err().map(|fault| fault.to_string()).unwrap_or_default();
    let misspelt = fault(task(&[], &["joint.kne.moment"]));
    assert!(misspelt.starts_with("unknown: there is no `joint.kne.moment`") && misspelt.contains("joint.knee.moment"), "{misspelt}");
    assert!(fault(task(&[], &["body.hat.support.x"])).starts_with("unknown: `body.hat.support.x` belongs to the solver"));
    let both = task(&[("M_2", Given::Whole)], &["M_2"]);
    assert_eq!(Mixed::new(&system, &both).err(), Some(TaskFault::KnownAndUnknown { name: "M_2".into() }));
    assert!(fault(Task { base: Some("head".into()), ..Task::default() }).starts_with("base: there is no `head`"));
    assert!(fault(task(&[], &["M_2"])).contains("13 unknowns for 12 equations"));
    let spatial = gallery("human3d");
    let declined = Mixed::new(&spatial, &Task::default()).err().map(|fault| fault.to_string());
    assert_eq!(declined.as_deref(), Some("the model is no chain of segments: the model is spatial; chains of segments are planar"));
}

/// Nothing carries the acceleration of a base that a joint holds: asking for it, or giving it, would be forgotten by the motion.
#[test]
fn the_acceleration_of_a_held_base_is_refused() {
    let system = gallery("squat4");
    let fault = |task: Task| Mixed::new(&system, &task).err();
    let unknown = fault(task(&[("joint.toe.force.x", Given::Whole)], &["base.acceleration.x"]));
    let expected = TaskFault::BaseHeld { name: "base.acceleration.x".into(), place: "unknown".into(), joint: "toe".into() };
    assert_eq!(unknown, Some(expected));
    assert!(matches!(fault(task(&[("ydd", Given::Whole)], &[])), Some(TaskFault::BaseHeld { .. })));
}

/// Loops and welds that the known accelerations leave no choice, or contradict, are named.
#[test]
fn known_accelerations_that_contradict_a_loop_or_a_weld_are_refused() {
    let system = gallery("squat-jump");
    let start = State { q: system.start.q.clone(), v: system.start.v.clone(), tau: vec![0.0; system.start.v.len()] };
    let mut out = Evaluation::new(&system);
    let mut lifted = Mixed::new(&system, &task(&[("ydd", Given::Whole)], &["Fry_1"])).unwrap();
    let failure = lifted.evaluate(&system, start.input(), &[], &[1.0], &[], &mut out).unwrap_err().to_string();
    assert!(failure.contains("contradict `loop.ground.y`") && failure.contains("miss by 1.000e0"), "{failure}");
    // Four guides cannot hold a leg of which all but three accelerations are known; which of their forces is set aside does not matter.
    let leg = gallery("cyclist-leg");
    let pedal = State { q: leg.start.q.clone(), v: leg.start.v.clone(), tau: vec![0.0; leg.start.v.len()] };
    let known = [("phidd_2", Given::Whole), ("phidd_4", Given::Whole)];
    let mut stiff = Mixed::new(&leg, &task(&known, &["M_2", "M_4"])).unwrap();
    let failure = stiff.evaluate(&leg, pedal.input(), &[], &[5.0, 5.0], &[], &mut Evaluation::new(&leg)).unwrap_err().to_string();
    assert!(failure.contains("the known accelerations contradict `guide."), "{failure}");
    // What the loop asks for is no contradiction.
    lifted.evaluate(&system, start.input(), &[], &[0.0], &[], &mut out).unwrap();

    let inverse = Mixed::new(&system, &Task { preset: Preset::Inverse, ..Task::default() }).err().map(|fault| fault.to_string());
    assert!(
        inverse.as_deref().is_some_and(|text| text.starts_with("all accelerations that `loop.ground.x` holds are known")),
        "{inverse:?}"
    );
    let alone = Task { preset: Preset::Inverse, without_rows: true, ..Task::default() };
    let mut alone = Mixed::new(&system, &alone).unwrap();
    alone.evaluate(&system, start.input(), &vec![0.0; start.v.len()], &[], &[], &mut out).unwrap();
    assert!(named(&alone, "joint.base.force.y") > 500.0, "the ground carries the jumper");

    let text = r#"
borelli = 1
dimension = "planar"
body.a = { mass = 2, center = [0.2, 0], inertia = 0.1, point.end = [0.4, 0] }
body.b = { mass = 1, center = [0.1, 0], inertia = 0.1 }
joint.root = { type = "hinge", parent = "world", child = "a" }
joint.glue = { type = "weld", parent = "a.end", child = "b" }
"#;
    let model = Model::parse("glued.toml", text).unwrap_or_else(|rejected| panic!("{rejected}"));
    let glued = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
    let state = State { q: vec![0.3], v: vec![0.0], tau: vec![0.0] };
    let bent = Task { preset: Preset::Inverse, ..task(&[("phidd_2", Given::Whole)], &[]) };
    let mut bent = Mixed::new(&glued, &bent).unwrap();
    let failure = bent.evaluate(&glued, state.input(), &[0.0], &[2.0], &[], &mut Evaluation::new(&glued)).unwrap_err().to_string();
    assert!(failure.contains("bend weld `glue`"), "{failure}");
}

/// Values that are given twice, or given to what a row frees, are not dropped in silence; weights are numbers.
#[test]
fn no_value_is_dropped_in_silence() {
    let system = gallery("squat4");
    let fault = |task: Task| Mixed::new(&system, &task).err();
    let twice = fault(task(&[("M_1", Given::Whole), ("joint.toe.moment", Given::Extra)], &[]));
    assert_eq!(twice, Some(TaskFault::KnownTwice { name: "joint.toe.moment".into() }));
    let row = |weight: f64| TaskRow {
        name: "hip".into(),
        terms: vec![("joint.hip.acceleration.y".into(), weight)],
        frees: Some("body.hat.force.y".into()),
    };
    let freed = fault(Task { rows: vec![row(1.0)], ..task(&[("body.hat.force.y", Given::Whole)], &[]) });
    assert_eq!(freed, Some(TaskFault::KnownAndUnknown { name: "body.hat.force.y".into() }));
    for weight in [f64::INFINITY, f64::NAN] {
        let text = fault(Task { rows: vec![row(weight)], ..Task::default() }).map(|fault| fault.to_string()).unwrap_or_default();
        assert!(text.starts_with("row `hip` has the weight"), "{text}");
    }
    let mut mixed = Mixed::new(&system, &task(&[("M_1", Given::Whole)], &[])).unwrap();
    let state = State::random(&system, 1);
    assert!(mixed.evaluate(&system, state.input(), &[], &[], &[], &mut Evaluation::new(&system)).is_err(), "a value is missing");
}

/// What is refused does not depend on how large the segments are or how a row is weighted.
#[test]
fn small_bodies_and_heavy_weights_are_no_bad_condition() {
    let text = r#"
borelli = 1
dimension = "planar"
body.a = { mass = 1e-8, center = [0.00025, 0], inertia = 2e-16, point.end = [0.0005, 0] }
body.b = { mass = 1e-8, center = [0.00025, 0], inertia = 2e-16 }
joint.root = { type = "hinge", parent = "world", child = "a" }
joint.end = { type = "hinge", parent = "a.end", child = "b" }
"#;
    let model = Model::parse("ant.toml", text).unwrap_or_else(|rejected| panic!("{rejected}"));
    let ant = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
    let state = State { q: vec![0.3, 0.4], v: vec![1.0, -2.0], tau: vec![0.0; 2] };
    let mut vdot = [0.0; 2];
    Articulated::new(&ant).forward(&ant, 0.0, &state.q, &state.v, &state.tau, &mut vdot).unwrap();
    let weighted = TaskRow { name: "still".into(), terms: vec![("phidd_2".into(), 1e200)], frees: Some("Mext_2".into()) };
    for (task, right) in [(Task::default(), None), (Task { rows: vec![weighted], ..Task::default() }, Some(0.0))] {
        let mut mixed = Mixed::new(&ant, &task).unwrap();
        let mut out = Evaluation::new(&ant);
        mixed.evaluate(&ant, state.input(), &[], &[], right.as_slice(), &mut out).unwrap();
        assert!(mixed.examine().unwrap().condition < 1e6);
        let expected = if right.is_none() { vdot[0] + vdot[1] } else { 0.0 };
        assert!((out.vdot[0] + out.vdot[1] - expected).abs() < 1e-9 * vdot[0].abs(), "{:?} {vdot:?}", out.vdot);
    }
    // A joint of the model may be called as the chain's own end.
    let labels = Mixed::new(&ant, &Task::default()).unwrap().labels().joints.clone();
    assert_eq!(labels, ["root", "end", "chain-end"]);
}

#[test]
fn a_task_requests_no_memory_while_it_is_solved() {
    let system = gallery("squat4");
    let state = State::random(&system, 9);
    let row =
        TaskRow { name: "hip".into(), terms: vec![("joint.hip.acceleration.y".into(), 1.0)], frees: Some("body.hat.support.y".into()) };
    let known = [("body.feet.angular_acceleration", Given::Whole), ("joint.ankle.moment", Given::Extra)];
    let mut mixed = Mixed::new(&system, &Task { rows: vec![row], ..task(&known, &["body.feet.moment"]) }).unwrap();
    let mut out = Evaluation::new(&system);
    let mut solve = || mixed.evaluate(&system, state.input(), &[], &[1.0, 20.0], &[0.5], &mut out);
    solve().unwrap();
    let (solved, requests) = count_allocations(solve);
    assert!(solved.is_ok());
    assert_eq!(requests, 0);
}

/// A body where limbs branch is come by twice; its parts turn together, and everything is as in the recursion.
#[test]
fn a_tree_with_branches_is_a_chain_of_overlapping_parts() {
    let text = r#"
borelli = 1
name = "branches"
dimension = "planar"
[body.trunk]
mass = 40
center = [0.02, 0.3]
inertia = 2
point = { hip = [0, 0], shoulder = [0.03, 0.5], neck = [0.0, 0.55] }
[body.thigh]
mass = 9
center = [0, -0.2]
inertia = 0.15
point.knee = [0.01, -0.42]
[body.shank]
mass = 4
center = [0.01, -0.2]
inertia = 0.06
[body.arm]
mass = 2
center = [0, -0.15]
inertia = 0.02
point.elbow = [0, -0.3]
[body.forearm]
mass = 1.2
center = [0.01, -0.12]
inertia = 0.01
[body.head]
mass = 5
center = [0.02, 0.1]
inertia = 0.03
[joint.root]
type = "planar"
parent = "world"
child = "trunk"
[joint.hip]
type = "hinge"
parent = "trunk.hip"
child = "thigh"
[joint.knee]
type = "hinge"
parent = "thigh.knee"
child = "shank"
[joint.shoulder]
type = "hinge"
parent = "trunk.shoulder"
child = "arm"
[joint.elbow]
type = "hinge"
parent = "arm.elbow"
child = "forearm"
[joint.neck]
type = "weld"
parent = "trunk.neck"
child = "head"
"#;
    let model = Model::parse("branches.toml", text).unwrap_or_else(|rejected| panic!("{rejected}"));
    let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
    let mut chain = SegmentChain::new(&system).unwrap_or_else(|declined| panic!("{}", declined.reason));
    let labels = Mixed::new(&system, &Task::default()).unwrap().labels().segments.clone();
    assert_eq!(labels, ["forearm", "arm", "trunk", "head", "trunk#2", "thigh", "shank"]);
    let mut recursive = Articulated::new(&system);
    for seed in 0..20 {
        let mut state = State::random(&system, seed);
        state.tau = Random::new(seed + 100).uniforms(state.v.len(), -20.0, 20.0);
        let (mut a, mut b) = (Evaluation::new(&system), Evaluation::new(&system));
        chain.evaluate(&system, state.input(), &mut a).unwrap();
        recursive.evaluate(&system, state.input(), &mut b).unwrap();
        for (k, (x, y)) in a.vdot.iter().zip(&b.vdot).enumerate() {
            assert!((x - y).abs() < 1e-10 * y.abs().max(100.0), "acceleration {k}: {x}, {y}");
        }
        for k in 1..a.reaction_force.len() {
            let force = (a.reaction_force[k] - b.reaction_force[k]).norm();
            let moment = (a.reaction_moment[k] - b.reaction_moment[k]).norm();
            assert!(force < 1e-8 && moment < 1e-8, "{}: {force}, {moment}", system.names.joints[k]);
        }
    }
}
