//! Mixed problems against closed forms, the recursive formulation and plain simulations; what they refuse, and where they say so.

use super::tests::{MASS, PINNED, good, system, value};
use super::*;
use crate::plan::{Derivatives, Motion, MotionSource};
use crate::read::{Files, StudyFile};
use borelli_dynamics::formulation::articulated::Articulated;
use std::f64::consts::TAU;
use std::path::Path;

/// A squat jumper of four segments, with efforts in time at ankle, knee and hip.
fn jumper() -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/squat4.toml");
    let text = std::fs::read_to_string(path).expect("a model");
    let mut efforts = String::new();
    for (joint, expression) in EFFORTS {
        efforts.push_str(&format!(
            "[force.{joint}]\ntype = \"effort\"\ncoordinate = \"{joint}\"\neffort = \"{joint}\"\n[function.{joint}]\ntype = \"expression\"\nexpression = \"{expression}\"\n"
        ));
    }
    system(&format!("{text}\n{efforts}"))
}

const EFFORTS: [(&str, &str); 3] = [("ankle", "90 + 40*sin(9*t)"), ("knee", "-150 + 60*cos(11*t)"), ("hip", "140 - 200*t")];

fn effort(joint: &str, t: f64) -> f64 {
    match joint {
        "ankle" => 90.0 + 40.0 * (9.0 * t).sin(),
        "knee" => -150.0 + 60.0 * (11.0 * t).cos(),
        _ => 140.0 - 200.0 * t,
    }
}

/// A uniform pendulum that hangs at zero: mass 2 kg, its centre 0.5 m below the hinge, inertia 0.1 kg m² about it.
pub(super) const PENDULUM: &str = r#"
borelli = 1
dimension = "planar"
[body.bob]
mass = "2 kg"
center = [0, "-0.5 m"]
inertia = "0.1 kg m^2"
[joint.pivot]
type = "hinge"
parent = "world"
child = "bob"
[initial]
coordinates = { pivot = 0.3 }
speeds = { pivot = -0.5 }
"#;

/// The plan of a mixed problem, 0.2 s long; the text goes on after `[mixed]`.
pub(super) fn mixed(text: &str) -> Plan {
    let head = "borelli = 1\ntitle = \"\"\nmodel = \"given\"\nanalysis = \"mixed\"\n[integrator]\nrtol = 1e-11\natol = 1e-12\n";
    let time = "[time]\nend = 0.2\nsample = 0.01\n";
    let text = format!("{head}{time}[mixed]\n{text}");
    let study = StudyFile::parse("study.toml", &text, Files::on_disk()).unwrap_or_else(|rejected| panic!("{rejected}"));
    study.plan("", &[]).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("{name}")).value
}

/// The largest difference of a column between two runs.
fn apart(a: &Outcome, b: &Outcome, column: &str) -> f64 {
    let [a, b] = [a, b].map(|outcome| outcome.trajectory.column(column).unwrap_or_else(|| panic!("{column}")).to_vec());
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
fn the_forward_preset_is_a_simulation() {
    let system = jumper();
    let forward = good(&system, &mixed("preset = \"forward\""));
    let simulated = good(&system, &Plan { analysis: Analysis::Simulate, formulation: "articulated".into(), ..mixed("") });
    for column in ["coord.toe.value", "coord.hip.value", "coord.hip.rate", "coord.knee.accel", "joint.ankle.reaction.force.y"] {
        let off = apart(&forward, &simulated, column);
        assert!(off < 1e-9, "{column}: {off:e}");
    }
    // The efforts of the elements are the moments of the chain, and the force of the ground that of the toes.
    for k in 0..forward.trajectory.len() {
        let t = forward.trajectory.time()[k];
        for (joint, _) in EFFORTS {
            assert!((value(&forward.trajectory, &format!("chain.joint.{joint}.moment"), k) - effort(joint, t)).abs() < 1e-11);
        }
        let [ground, reaction] = ["chain.joint.toe.force.y", "joint.toe.reaction.force.y"].map(|name| value(&forward.trajectory, name, k));
        assert_eq!(ground, reaction);
    }
    assert!(scalar(&forward, "run.energy_balance") < 1e-8, "{:e}", scalar(&forward, "run.energy_balance"));
    assert!(scalar(&forward, "run.worst_condition") > 1.0 && scalar(&forward, "run.worst_residual") < 1e-13);
}

#[test]
fn a_known_acceleration_is_integrated_and_its_moment_is_that_of_the_closed_form() {
    let system = system(PENDULUM);
    let outcome = good(
        &system,
        &mixed(
            "unknown = [\"M_1\"]\n[[mixed.known]]\nvariable = \"body.bob.angular_acceleration\"\nvalue = \"[3 rad/s^2]*cos([2 1/s]*time)\"\n",
        ),
    );
    for (k, t) in outcome.trajectory.time().to_vec().into_iter().enumerate() {
        let angle = 0.3 - 0.5 * t + 0.75 * (1.0 - (2.0 * t).cos());
        let (turn, rate) = (3.0 * (2.0 * t).cos(), -0.5 + 1.5 * (2.0 * t).sin());
        // Steiner's inertia about the hinge is 0.1 + 2 · 0.25.
        let moment = 0.6 * turn + 2.0 * 9.81 * 0.5 * angle.sin();
        let force = 2.0 * (0.5 * (turn * angle.cos() - rate * rate * angle.sin()));
        let exact = [("coord.pivot.value", angle), ("chain.joint.pivot.moment", moment), ("chain.joint.pivot.force.x", force)];
        for (column, exact) in exact {
            let found = value(&outcome.trajectory, column, k);
            assert!((found - exact).abs() < 1e-9, "{column} at {t}: {found}, exact {exact}");
        }
    }
    // The moment works: the balance closes with it and not without.
    let work = value(&outcome.trajectory, "system.work.efforts", outcome.trajectory.len() - 1);
    assert!(scalar(&outcome, "run.energy_balance") < 1e-10 && work.abs() > 0.01, "{work}");
}

/// An outside moment turns all joints below it, an actuator only its own; the recursive formulation knows both as efforts.
#[test]
fn a_prescribed_segment_moves_its_neighbours_as_its_actuator_says() {
    let system = jumper();
    let known = "[[mixed.known]]\nvariable = \"body.thighs.angular_acceleration\"\nvalue = \"-2 rad/s^2\"\n";
    let mut neighbours = Vec::new();
    for (unknown, joints) in [("body.thighs.moment", &[0, 1, 2][..]), ("joint.knee.moment", &[2][..])] {
        let outcome = good(&system, &mixed(&format!("unknown = [\"{unknown}\"]\n{known}")));
        let [moment, turn, neighbour] = [unknown, "body.thighs.angular_acceleration", "body.shanks.angular_acceleration"]
            .map(|name| value(&outcome.trajectory, &format!("chain.{name}"), 0));
        assert!((turn + 2.0).abs() < 1e-12);
        neighbours.push(neighbour);
        // The actuator replaces what the model exerts at the knee.
        let mut tau = [0.0; 4];
        joints.iter().for_each(|joint| tau[*joint] = moment);
        if joints.len() == 1 {
            tau[2] -= effort("knee", 0.0);
        }
        let mut vdot = [0.0; 4];
        Articulated::new(&system).forward(&system, 0.0, &system.start.q, &system.start.v, &tau, &mut vdot).expect("accelerations");
        for (k, joint) in ["toe", "ankle", "knee", "hip"].iter().enumerate() {
            let found = value(&outcome.trajectory, &format!("coord.{joint}.accel"), 0);
            assert!((found - vdot[k]).abs() < 1e-9, "{unknown}, {joint}: {found}, {}", vdot[k]);
        }
        assert!(scalar(&outcome, "run.energy_balance") < 1e-8);
    }
    assert!((neighbours[0] - neighbours[1]).abs() > 1.0, "{neighbours:?}");
}

#[test]
fn extra_forces_come_beside_the_weight_and_whole_ones_in_its_place() {
    let system = system(PENDULUM);
    let accel = |text: &str| {
        let outcome = good(&system, &mixed(&format!("[[mixed.known]]\nvariable = \"body.bob.force.y\"\n{text}\n")));
        value(&outcome.trajectory, "coord.pivot.accel", 0)
    };
    // 0.6 θ̈ = −0.5 sin θ · (force down).
    for (text, down) in
        [("value = \"0 N\"", 0.0), ("extra = \"0 N\"", 2.0 * 9.81), ("extra = -5", 2.0 * 9.81 + 5.0), ("value = \"-7 N\"", 7.0)]
    {
        let exact = -0.5 * 0.3_f64.sin() * down / 0.6;
        assert!((accel(text) - exact).abs() < 1e-12, "{text}: {}, {exact}", accel(text));
    }
}

const RELEASE: &str = "preset = \"forward\"\n[[event]]\nname = \"off\"\nwhen = \"coord.angle.value - 0.8\"\ndirection = \"falling\"\naction = \"release\"\nrelease = \"loop.pin\"\n";

#[test]
fn a_loop_is_let_go_in_a_run_as_in_a_simulation() {
    let system = system(&format!("{MASS}{PINNED}"));
    let mut plan = mixed(RELEASE);
    (plan.time.end, plan.time.sample) = (1.5, Some(0.05));
    let chain = good(&system, &plan);
    let simulated = good(&system, &Plan { analysis: Analysis::Simulate, formulation: "articulated".into(), ..plan.clone() });
    assert_eq!(chain.events.len(), simulated.events.len());
    assert!((chain.events[0].t - simulated.events[0].t).abs() < 1e-10);
    for column in ["coord.x.value", "coord.y.value", "coord.angle.rate"] {
        let [a, b] = [&chain, &simulated].map(|outcome| value(&outcome.trajectory, column, outcome.trajectory.len() - 1));
        assert!((a - b).abs() < 1e-9, "{column}: {a}, {b}");
    }
    let last = chain.trajectory.len() - 1;
    assert_eq!(value(&chain.trajectory, "loop.pin.reaction.y", last), 0.0);
    assert!((value(&chain.trajectory, "coord.y.accel", last) + 9.81).abs() < 1e-12);
    assert!(scalar(&chain, "run.energy_balance") < 1e-8 && scalar(&chain, "run.worst_condition") < 1e6);
}

#[test]
fn loops_that_are_left_out_hold_nothing() {
    let system = system(&format!("{MASS}{PINNED}"));
    let outcome = good(&system, &mixed("loops = \"leave-out\""));
    let last = outcome.trajectory.len() - 1;
    // As it is given, and falling.
    assert!((value(&outcome.trajectory, "coord.x.value", last) - 1.0).abs() < 1e-12);
    assert!((value(&outcome.trajectory, "coord.y.value", last) + 0.5 * 9.81 * 0.04).abs() < 1e-12);
}

#[test]
fn a_run_taken_up_again_goes_on_as_it_was() {
    let system = jumper();
    let plan = mixed("unknown = [\"body.hat.moment\"]\n[[mixed.known]]\nvariable = \"body.hat.angular_acceleration\"\nvalue = 0\n");
    let whole = good(&system, &plan);
    let mut half = plan.clone();
    half.time.end = 0.1;
    let end = good(&system, &half).end.expect("an end");
    let rest = run(&system, &plan, Some(&end), &mut Unwatched).expect("a run");
    let [a, b] = [&whole, &rest].map(|outcome| value(&outcome.trajectory, "coord.knee.value", outcome.trajectory.len() - 1));
    assert!((a - b).abs() < 1e-9, "{a}, {b}");
    let mut following = plan.clone();
    following.motion = mixed("[motion]\nfrom = \"simulate\"\n").motion;
    assert_eq!(codes(&system, &following, Some(&end)), ["no-restart"]);
}

/// Inverse dynamics of a simulated motion gives back what drove it: with exact derivatives to rounding, through splines nearly.
#[test]
fn the_inverse_of_a_forward_motion_finds_what_was_put_in() {
    let system = jumper();
    let worst = |derivatives: &str, interval: &str| {
        let motion = format!("[motion]\nfrom = \"simulate\"\nderivatives = \"{derivatives}\"\ninterval = \"{interval}\"\n");
        let outcome = good(&system, &mixed(&format!("preset = \"inverse\"\n{motion}")));
        assert_eq!(outcome.trajectory.len(), if derivatives == "exact" { 201 } else { 21 });
        let mut most = 0.0_f64;
        for (k, t) in outcome.trajectory.time().to_vec().into_iter().enumerate() {
            for (joint, _) in EFFORTS {
                most = most.max((value(&outcome.trajectory, &format!("chain.joint.{joint}.moment"), k) - effort(joint, t)).abs());
            }
            most = most.max(value(&outcome.trajectory, "chain.joint.toe.moment", k).abs());
        }
        most
    };
    // Efforts range over 100 N m.
    let exact = worst("exact", "1 ms");
    assert!(exact < 1e-9, "{exact:e}");
    let splines = ["0.4 ms", "0.2 ms", "0.1 ms"].map(|interval| worst("spline", interval));
    // Second derivatives of a spline are of second order in the interval.
    assert!((3.5..4.5).contains(&(splines[0] / splines[1])) && (3.5..4.5).contains(&(splines[1] / splines[2])), "{splines:?}");
}

/// The elements of the model drive it, so that nothing is left for others to supply; the same from a table with rates and accelerations.
#[test]
fn a_simulated_motion_is_followed_by_the_other_analyses_too() {
    let system = jumper();
    let mut plan = mixed("[motion]\nfrom = \"simulate\"\nderivatives = \"exact\"\n");
    let simulated = good(&system, &Plan { analysis: Analysis::Simulate, formulation: "articulated".into(), ..plan.clone() });
    plan.formulation = "articulated".into();
    let table = Motion { source: MotionSource::Table(simulated.trajectory.clone()), derivatives: Derivatives::Exact };
    let by_table = Plan { motion: Some(table), ..plan.clone() };
    for (analysis, plan) in [(Analysis::Inverse, &plan), (Analysis::Evaluate, &plan), (Analysis::Inverse, &by_table)] {
        let outcome = good(&system, &Plan { analysis, ..plan.clone() });
        assert_eq!(outcome.trajectory.time(), simulated.trajectory.time());
        assert_eq!(apart(&outcome, &simulated, "coord.hip.value"), 0.0);
        for joint in ["toe", "ankle", "knee", "hip"] {
            let column = format!("coord.{joint}.effort");
            let most = outcome.trajectory.column(&column).expect("efforts").iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            assert!(most < 1e-9, "{analysis:?} {column}: {most:e}");
        }
    }
}

/// Held back by the knee alone the thighs run into a posture where the knee cannot hold them.
#[test]
fn a_run_that_fails_where_unknowns_lose_their_grip_says_so() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/squat4.toml")).expect("a model");
    let mut plan = mixed("unknown = [\"M_3\"]\n[[mixed.known]]\nvariable = \"phidd_3\"\nvalue = \"-[2 rad/s^2]*sin([3 1/s]*time)\"\n");
    plan.time.end = 0.3;
    let outcome = run(&system(&text), &plan, None, &mut Unwatched).expect("a run");
    let Status::Failed { t, reason, .. } = &outcome.status else { panic!("{:?}", outcome.status) };
    assert!((t - 0.18413).abs() < 1e-4 && reason.contains("the condition of the equations has grown"), "{t} {reason}");
}

#[test]
fn a_motion_that_cannot_be_simulated_is_told_as_such() {
    let system = jumper();
    let mut plan = mixed("preset = \"inverse\"\n[motion]\nfrom = \"simulate\"\n");
    plan.integrator.settings.max_steps = 3;
    let outcome = run(&system, &plan, None, &mut Unwatched).expect("a run");
    let Status::Failed { reason, .. } = &outcome.status else { panic!("{:?}", outcome.status) };
    assert!(reason.starts_with("the motion to be followed could not be simulated: "), "{reason}");
}

/// Columns of the simulated motion are values of known variables.
#[test]
fn the_ground_reaction_of_a_simulation_leaves_nothing_at_the_far_end() {
    let system = jumper();
    let known: String = ["x", "y"]
        .map(|axis| format!("[[mixed.known]]\nvariable = \"joint.toe.force.{axis}\"\ncolumn = \"joint.toe.reaction.force.{axis}\"\n"))
        .concat();
    let plan = mixed(&format!("preset = \"inverse-from-base\"\n{known}[motion]\nfrom = \"simulate\"\nderivatives = \"exact\"\n"));
    let outcome = good(&system, &plan);
    for k in 0..outcome.trajectory.len() {
        for column in ["chain.joint.end.force.x", "chain.joint.end.force.y", "chain.joint.end.moment"] {
            assert!(value(&outcome.trajectory, column, k).abs() < 1e-8, "{column}");
        }
    }
    assert!(outcome.settings.iter().any(|(key, text)| key == "simulated first by" && text == "dopri5"));
    // An event that stops the simulation ends the motion that is followed.
    let mut stopped = plan.clone();
    stopped.events = mixed("[[event]]\nname = \"down\"\nwhen = \"time - [0.105 s]\"\naction = \"stop\"\n").events;
    let outcome = good(&system, &stopped);
    assert!(outcome.trajectory.time().last().is_some_and(|last| (last - 0.105).abs() < 1e-9));
    assert_eq!(scalar(&outcome, "event.down.count"), 1.0);
}

#[test]
fn least_squares_say_what_they_leave_over() {
    let system = jumper();
    // Twelve equations, of which the toe's moment has no unknown left.
    let plan = mixed(
        "preset = \"inverse\"\nleast_squares = true\n[[mixed.known]]\nvariable = \"joint.toe.moment\"\nvalue = \"3 N m\"\n[motion]\nfrom = \"simulate\"\nderivatives = \"exact\"\n",
    );
    let outcome = good(&system, &plan);
    let left = value(&outcome.trajectory, "chain.left_over", 0);
    assert!(left > 0.01 && left < 3.0, "{left}");
    assert!(outcome.trajectory.column("chain.condition").is_none());
}

pub(super) fn codes(system: &System, plan: &Plan, from: Option<&EndState>) -> Vec<&'static str> {
    let refused = run(system, plan, from, &mut Unwatched).expect_err("a plan that is refused");
    assert!(refused.iter().all(|finding| finding.hint.is_some()), "{:?}", refused.iter().collect::<Vec<_>>());
    refused.iter().map(|finding| finding.code).collect()
}

#[test]
fn methods_that_need_slopes_and_other_formulations_are_refused() {
    let jumper = jumper();
    for method in ["rosenbrock", "newmark", "generalised-alpha"] {
        let mut plan = mixed("");
        (plan.integrator.method, plan.integrator.settings.step) = (Some(method.into()), Some(1e-3));
        assert_eq!(codes(&jumper, &plan, None), ["no-jacobian"], "{method}");
    }
    for method in ["dopri5", "adams", "rk4", "heun"] {
        let mut plan = mixed("");
        (plan.integrator.method, plan.integrator.settings.step) = (Some(method.into()), Some(1e-3));
        good(&jumper, &plan);
    }
    let pinned = system(&format!("{MASS}{PINNED}"));
    assert_eq!(codes(&pinned, &mixed(&RELEASE.replace("preset = \"forward\"", "loops = \"leave-out\"")), None), ["rows-left-out"]);
    let plan = Plan { formulation: "cartesian".into(), ..mixed("") };
    assert_eq!(codes(&jumper, &plan, None), ["formulation-not-used"]);
}

#[test]
fn every_fault_of_a_choice_has_a_code_a_hint_and_a_place() {
    let system = jumper();
    let follow = "[motion]\nfrom = \"simulate\"\n";
    let cases = [
        ("unknown = [\"joint.kne.moment\"]", "unknown-variable"),
        ("base = \"head\"", "unknown-body"),
        ("unknown = [\"joint.knee.moment\"]", "unknown-count"),
        ("unknown = [\"body.hat.support.x\"]", "reserved-variable"),
        ("unknown = [\"M_3\"]\n[[mixed.known]]\nvariable = \"joint.knee.moment\"\nvalue = 3", "known-and-unknown"),
        ("[[mixed.known]]\nvariable = \"joint.knee.moment\"\nvalue = 3\n[[mixed.known]]\nvariable = \"M_3\"\nvalue = 3", "known-twice"),
        ("[[mixed.known]]\nvariable = \"joint.knee.moment\"\nvalue = \"3 N\"", "wrong-unit"),
        ("[[mixed.known]]\nvariable = \"joint.knee.moment\"\nvalue = \"[3 N]*sin([2 1/s]*time)\"", "wrong-unit"),
        ("[[mixed.known]]\nvariable = \"joint.knee.moment\"\nvalue = \"coord.kne.value*[3 N m]\"", "bad-formula"),
        ("[[mixed.known]]\nvariable = \"joint.knee.moment\"\ncolumn = \"derived.moment\"", "column-without-motion"),
        ("preset = \"inverse\"", "acceleration-not-given"),
        ("unknown = [\"M_3\"]\n[[mixed.known]]\nvariable = \"phidd_3\"", "no-value"),
        (
            "[[mixed.row]]\nname = \"hip stays\"\nterms = { \"joint.hip.acceleration.x\" = 1 }\nfrees = \"joint.hip.force.x\"",
            "already-unknown",
        ),
        (
            "[[mixed.row]]\nname = \"a\"\nterms = { \"joint.hip.acceleration.x\" = 1 }\nfrees = \"body.hat.force.x\"\n[[mixed.row]]\nname = \"b\"\nterms = { \"joint.hip.acceleration.y\" = 1 }\nfrees = \"body.hat.force.x\"",
            "claimed-twice",
        ),
        ("[[mixed.row]]\nname = \"a\"\nterms = { \"joint.hop.acceleration.x\" = 1 }\nfrees = \"body.hat.force.x\"", "unknown-variable"),
        (
            "[[mixed.row]]\nname = \"a\"\nterms = { \"joint.hip.acceleration.x\" = 1 }\nright = \"1 m\"\nfrees = \"body.hat.force.x\"",
            "wrong-unit",
        ),
        (
            "unknown = [\"joint.toe.moment\", \"body.feet.moment\"]\n[[mixed.known]]\nvariable = \"phidd_1\"\nvalue = 0\n[[mixed.known]]\nvariable = \"phidd_2\"\nvalue = 0",
            "singular-choice",
        ),
    ];
    for (text, code) in cases {
        let plan = mixed(text);
        assert_eq!(codes(&system, &plan, None), [code], "{text}");
        let findings = check(&system, &plan).expect_err("refused");
        let finding = findings.iter().next().expect("a finding");
        assert!(finding.at.is_some(), "{text}: {finding:?}");
    }
    let plan = mixed(&format!(
        "preset = \"inverse\"\n[[mixed.known]]\nvariable = \"joint.end.force.x\"\ncolumn = \"joint.toe.reaction.force.z\"\n{follow}"
    ));
    assert_eq!(codes(&system, &plan, None), ["no-motion-column"]);
    let plan =
        mixed(&format!("preset = \"inverse\"\n[[mixed.known]]\nvariable = \"joint.end.force.x\"\ncolumn = \"coord.hip.value\"\n{follow}"));
    assert_eq!(codes(&system, &plan, None), ["motion-unit"]);
    let spatial = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/human3d.toml");
    let spatial = system_of(&spatial);
    assert_eq!(codes(&spatial, &mixed(""), None), ["not-a-chain"]);
}

fn system_of(path: &Path) -> System {
    let model = borelli_model::Model::read(path).unwrap_or_else(|rejected| panic!("{rejected}"));
    borelli_dynamics::compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// A whole turn of formulas: coordinates and rates in a value make a spring and a damper, and the pendulum swings as with elements.
#[test]
fn formulas_see_coordinates_and_rates() {
    let springs = "[force.spring]\ntype = \"effort\"\ncoordinate = \"pivot\"\neffort = \"twist\"\n[function.twist]\ntype = \"expression\"\nexpression = \"0.25*sin(4*pi*t)\"\n";
    let with = system(&format!("{PENDULUM}{springs}"));
    let without = system(PENDULUM);
    let by_model = good(
        &with,
        &mixed(
            "[[mixed.known]]\nvariable = \"joint.pivot.moment\"\nextra = \"-[4 N m/rad]*coord.pivot.value - [0.3 N m s/rad]*coord.pivot.rate\"\n",
        ),
    );
    let by_hand = good(
        &without,
        &mixed(
            "[[mixed.known]]\nvariable = \"joint.pivot.moment\"\nvalue = \"[0.25 N m]*sin([12.566370614359172 1/s]*time) - [4 N m/rad]*coord.pivot.value - [0.3 N m s/rad]*coord.pivot.rate\"\n",
        ),
    );
    assert!((TAU * 2.0 - 12.566370614359172).abs() < 1e-15);
    assert!(apart(&by_model, &by_hand, "coord.pivot.value") < 1e-12);
    let moment = value(&by_hand.trajectory, "chain.joint.pivot.moment", 0);
    assert!((moment - (-4.0 * 0.3 + 0.3 * 0.5)).abs() < 1e-14, "{moment}");
}
