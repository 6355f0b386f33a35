//! Runs with implicit schemes: their start, their events, the formulation they have.
//! Not here: the schemes themselves (`integrate` of the engine).

use super::tests::{BEAD, MASS, good, plan, system, value};
use super::*;
use crate::plan::{Action, EventRule};
use borelli_dynamics::Memory;
use borelli_dynamics::integrate::{Direction, StartAcceleration};

/// Newmark's scheme of mean acceleration, recorded at the end of each step.
fn newmark(end: f64, step: f64) -> Plan {
    let mut plan = plan(end);
    plan.time.sample = None;
    plan.integrator.method = Some("newmark".into());
    (plan.integrator.beta, plan.integrator.gamma, plan.integrator.settings.step) = (0.25, 0.5, Some(step));
    plan
}

fn event(when: &str, action: Action) -> EventRule {
    EventRule { name: "now".into(), when: when.into(), direction: Direction::Any, action, at: None }
}

#[test]
fn accelerations_are_zero_at_the_start_of_the_run_only() {
    let system = system(&format!("{MASS}[guide.y]\ntype = \"coordinate\"\ncoordinate = \"y\"\nfunction = \"0 m\"\n"));
    let mut plan = newmark(1.0, 0.1);
    plan.integrator.start_acceleration = StartAcceleration::Zero;
    plan.events = vec![event("time - 0.5", Action::Release("guide.y".into()))];
    let outcome = good(&system, &plan);
    // Half a second of free fall; the scheme is exact for constant accelerations.
    let last = outcome.trajectory.len() - 1;
    let fallen = value(&outcome.trajectory, "coord.y.value", last);
    assert!((fallen + 0.5 * 9.81 * 0.25).abs() < 1e-12, "{fallen}");
    let restarts = outcome.health.iter().find(|line| line.key == "restarts").expect("a line");
    assert_eq!((restarts.value, restarts.verdict), (Some(1.0), Verdict::None));
    // A run that is taken up again begins in mid-air.
    plan.events.clear();
    let state = EndState {
        t: 0.5,
        q: vec![0.0; 3],
        v: vec![0.0; 3],
        z: vec![],
        work: vec![0.0; 3],
        memory: Memory::letting_go(&[true]),
        events: vec![],
        carried: None,
        integrator: None,
    };
    let rest = run(&system, &plan, Some(&state), &mut Unwatched).expect("a run").end.expect("an end");
    assert!((rest.q[1] + 0.5 * 9.81 * 0.25).abs() < 1e-12, "{:?}", rest.q);
}

#[test]
fn a_run_taken_up_again_at_the_end_of_a_step_goes_on_with_the_same_bits() {
    // A bead on a dome under a guide-free load: accelerations of a scheme are not those of the equations of motion.
    let tied = system(&format!("{BEAD}[force.drag]\ntype = \"coordinate-spring\"\ncoordinate = \"x\"\nstiffness = 3\ndamping = 0.4\n"));
    for method in ["newmark", "generalised-alpha"] {
        for start in [StartAcceleration::Zero, StartAcceleration::Consistent] {
            let with = |end: f64| {
                // A step that times are whole multiples of.
                let mut plan = newmark(end, 1.0 / 128.0);
                plan.integrator.method = Some(method.into());
                plan.integrator.start_acceleration = start;
                plan
            };
            let straight = good(&tied, &with(0.5)).end.expect("an end");
            let half = good(&tied, &with(0.25)).end.expect("an end");
            assert!(half.carried.is_some());
            let rest = run(&tied, &with(0.5), Some(&half), &mut Unwatched).expect("a run").end.expect("an end");
            assert_eq!(rest, straight, "{method} {start:?}");
            // Without what it carried it starts afresh, and is only as near as its order.
            let afresh = EndState { carried: None, ..half };
            let other = run(&tied, &with(0.5), Some(&afresh), &mut Unwatched).expect("a run").end.expect("an end");
            assert!(other != straight, "{method} {start:?}");
        }
    }
}

#[test]
fn an_event_on_a_force_happens_where_the_recorded_force_vanishes() {
    let mut plan = newmark(0.6, 0.05);
    plan.events = vec![event("loop.dome.reaction.length", Action::Note)];
    let outcome = good(&system(BEAD), &plan);
    let (time, force) = (outcome.trajectory.time(), outcome.trajectory.column("loop.dome.reaction.length").expect("the force"));
    let k = (1..force.len()).find(|k| force[k - 1] * force[*k] < 0.0).expect("it vanishes");
    // Multipliers are linear over a step.
    let crossing = time[k - 1] + (time[k] - time[k - 1]) * force[k - 1] / (force[k - 1] - force[k]);
    let at = outcome.events.first().expect("the event").t;
    assert!((at - crossing).abs() < 1e-12, "{at} {crossing}");
}

#[test]
fn a_formulation_that_implicit_schemes_do_not_have_is_refused() {
    let plan = Plan { formulation: "cartesian".into(), ..newmark(1.0, 0.1) };
    let findings = check(&system(MASS), &plan).expect_err("a fault");
    let found = findings.iter().next().expect("a finding");
    assert_eq!((found.code, found.field.as_str()), ("formulation-not-used", "formulation"));
    assert!(found.message.contains("newmark") && found.message.contains("cartesian"), "{}", found.message);
}

/// A model of the gallery.
fn gallery(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
    borelli_dynamics::compile(&borelli_model::Model::read(&path).expect("a model")).expect("a system")
}

fn energy(outcome: &Outcome) -> (Verdict, f64) {
    let line = outcome.health.iter().find(|line| line.key == "energy_balance").expect("a line");
    (line.verdict, line.part.expect("a part"))
}

#[test]
fn a_scheme_that_loses_or_makes_energy_is_told() {
    // The damped set loses some five hundredths of the kinetic energy of a fast top; the mean acceleration keeps it.
    let top = gallery("heavy-top");
    let damped = |beta: f64, gamma: f64| {
        let mut plan = newmark(1.0, 1e-3);
        (plan.integrator.beta, plan.integrator.gamma) = (beta, gamma);
        good(&top, &plan)
    };
    let lossy = damped(0.3025, 0.6);
    let kinetic = |outcome: &Outcome, k: usize| value(&outcome.trajectory, "system.energy.kinetic", k);
    let lost = kinetic(&lossy, 0) - kinetic(&lossy, lossy.trajectory.len() - 1);
    let (verdict, part) = energy(&lossy);
    assert!(verdict == Verdict::Bad && part > 0.02 && lost > 0.02 * kinetic(&lossy, 0), "{verdict:?} {part} {lost}");
    let (verdict, part) = energy(&damped(0.25, 0.5));
    assert!(verdict == Verdict::Good, "{verdict:?} {part}");
    // Steel balls that touch for two steps: the scheme makes energy from nothing. With steps that see the touch it does not.
    let cradle = gallery("newton-cradle");
    let knock = |step: f64| {
        let mut plan = newmark(2e-3, step);
        plan.integrator.method = Some("generalised-alpha".into());
        energy(&good(&cradle, &plan))
    };
    let (verdict, part) = knock(1e-4);
    assert!(verdict == Verdict::Bad && part > 0.05, "{verdict:?} {part}");
    let (verdict, part) = knock(1e-6);
    assert!(verdict == Verdict::Good, "{verdict:?} {part}");
}

#[test]
fn work_is_recorded_and_goes_on_in_a_run_taken_up_again() {
    // A guide at constant speed against a spring and a dashpot: the guide does ½ k x² + c u x.
    let system = system(&format!(
        "{MASS}[guide.x]\ntype = \"coordinate\"\ncoordinate = \"x\"\nfunction = {{ type = \"polynomial\", coefficients = [\"0 m\", \"0.5 m/s\"] }}\n\
         [force.k]\ntype = \"coordinate-spring\"\ncoordinate = \"x\"\nstiffness = 30\ndamping = 4\n[initial]\nspeeds = {{ x = 0.5 }}\n"
    ));
    let with = |end: f64| {
        let mut plan = newmark(end, 1.0 / 64.0);
        plan.columns = vec!["system.work.*".into(), "system.energy.balance".into(), "coord.x.value".into()];
        plan
    };
    let outcome = good(&system, &with(1.0));
    for k in 0..outcome.trajectory.len() {
        let x = value(&outcome.trajectory, "coord.x.value", k);
        let exact = 0.5 * 30.0 * x * x + 4.0 * 0.5 * x;
        let [rows, forces, open] =
            ["system.work.rows", "system.work.forces", "system.energy.balance"].map(|column| value(&outcome.trajectory, column, k));
        assert!((rows - exact).abs() < 1e-9 && (forces + exact).abs() < 1e-9 && open.abs() < 1e-9, "{k}: {rows} {forces} {open} {exact}");
    }
    let half = good(&system, &with(0.5)).end.expect("an end");
    let rest = run(&system, &with(1.0), Some(&half), &mut Unwatched).expect("a run").end.expect("an end");
    assert_eq!(rest.work, outcome.end.expect("an end").work);
}
