//! Runs with soft parts as users see them: the first sample, the balance of energy, what a run that fails says.

use super::tests::{good, system, value};
use super::*;
use crate::plan::{Analysis, Plan, Time};
use borelli_dynamics::integrate::StartAcceleration;

/// A block on a table.
const BLOCK: &str = r#"
borelli = 1
dimension = "planar"
[material.gel]
type = "robust"
young = "1 MPa"
poisson = 0.3
[soft.block]
type = "block"
corner = [-0.05, 0]
size = [0.1, 0.05]
divisions = [8, 4]
depth = 0.02
material = "gel"
[support.table]
boundary = "block.bottom"
"#;

/// A ball above the block, falling.
const BALL: &str = r#"
[body.ball]
mass = "0.5 kg"
inertia = "0.001 kg m^2"
[joint.fall]
type = "slider"
axis = [0, 1]
parent = "world"
child = "ball"
coordinates = ["y"]
[surface.ball]
type = "circle"
at = "ball"
radius = 0.1
[soft_contact.touch]
boundary = "block.top"
target = "ball"
stiffness = "1 N/mm"
"#;

fn plan(end: f64, step: f64) -> Plan {
    let mut plan = Plan { formulation: "coupled".into(), time: Time { start: 0.0, end, sample: Some(step) }, ..Plan::default() };
    plan.integrator.method = Some("generalised-alpha".into());
    plan.integrator.settings.step = Some(step);
    plan
}

/// A column over all samples.
fn series(outcome: &Outcome, column: &str) -> Vec<f64> {
    (0..outcome.trajectory.len()).map(|k| value(&outcome.trajectory, column, k)).collect()
}

#[test]
fn first_sample_has_the_loads_of_its_time() {
    let text = format!("{BLOCK}[traction.load]\nboundary = \"block.top\"\nforce = [\"0 Pa\", \"-10 kPa\"]\n");
    let system = system(&text);
    let moving = good(&system, &plan(0.02, 0.01));
    for k in 0..3 {
        let force = value(&moving.trajectory, "support.table.force.y", k);
        assert!((force - 1e4 * 0.1 * 0.02).abs() < 1e-9, "sample {k}: {force} N");
    }
    let rest = good(&system, &Plan { analysis: Analysis::Statics, ..plan(0.02, 0.01) });
    let [first, at_rest] = [&moving, &rest].map(|outcome| value(&outcome.trajectory, "traction.load.last.dy", 0));
    assert!((first / at_rest - 1.0).abs() < 1e-9 && first < -4e-4, "{first} and {at_rest}");
    assert!(rest.settings.iter().any(|(key, said)| key == "functions of time" && said.contains("0 s")), "{:?}", rest.settings);
}

#[test]
fn energy_stored_in_soft_parts_is_part_of_the_balance() {
    let system = system(&format!("{BLOCK}{BALL}[initial]\ncoordinates = {{ y = 0.155 }}\n"));
    let outcome = good(&system, &plan(0.12, 0.0005));
    let [stored, own, balance, kinetic] = ["system.energy.stored", "soft.block.energy", "system.energy.balance", "system.energy.kinetic"]
        .map(|column| series(&outcome, column));
    assert_eq!(stored, own, "nothing else stores energy");
    let most = |list: &[f64]| list.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    // The ball falls 5 mm, and at the lowest point all of its energy is in the block.
    assert!(most(&stored) > 0.9 * most(&kinetic), "{} of {}", most(&stored), most(&kinetic));
    assert!(most(&balance) < 0.01 * most(&stored), "{}", most(&balance));
    let line = outcome.health.iter().find(|line| line.key == "energy_balance").expect("a line");
    assert_ne!(line.verdict, Verdict::None, "{}", line.text);
}

#[test]
fn work_of_supports_and_loads_is_part_of_the_balance() {
    // A punch glued to the block is pulled aside by a load on its top, while the table moves up and down.
    let moved = "displacement = [\"0 mm\", { type = \"sine\", amplitude = \"1 mm\", frequency = \"5 Hz\" }]\n";
    let text = format!(
        "{BLOCK}{moved}[traction.load]\nboundary = \"block.left\"\npressure = {{ type = \"polynomial\", coefficients = [\"0 Pa\", \"20 kPa/s\"] }}\n\
         [body.punch]\nmass = \"3 kg\"\ninertia = \"0.1 kg m^2\"\n[joint.free]\ntype = \"planar\"\nparent = \"world\"\nchild = \"punch\"\n\
         coordinates = [\"x\", \"y\", \"turn\"]\n[tie.glue]\nboundary = \"block.top\"\nto = \"punch\"\nstiffness = \"1 N/mm\"\n"
    );
    let mut plan = plan(0.4, 0.0005);
    plan.integrator.start_acceleration = StartAcceleration::Consistent;
    plan.integrator.settle_soft = true;
    let outcome = good(&system(&text), &plan);
    let [work, balance, kinetic] =
        ["system.work.forces", "system.energy.balance", "system.energy.kinetic"].map(|column| series(&outcome, column));
    let most = |list: &[f64]| list.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    assert!(most(&work) > 1e-3, "{}", most(&work));
    assert!(most(&balance) < 0.01 * most(&work).max(most(&kinetic)), "{} of {} and {}", most(&balance), most(&work), most(&kinetic));
}

#[test]
fn balance_that_lacks_something_is_not_checked_and_says_what() {
    for (change, word) in [("poisson = 0.3\ndensity = 900", "mass"), ("poisson = 0.3\nviscosity = 100", "viscosity")] {
        let text = format!("{}{BALL}[initial]\ncoordinates = {{ y = 0.155 }}\n", BLOCK.replace("poisson = 0.3", change));
        let outcome = good(&system(&text), &plan(0.01, 0.001));
        let line = outcome.health.iter().find(|line| line.key == "energy_balance").expect("a line");
        assert!(line.verdict == Verdict::None && line.text.contains(word), "{word}: {}", line.text);
    }
}

/// Why a run failed: time, element, reason; and how many samples it kept.
fn failure(text: &str, plan: &Plan) -> (f64, String, String, usize) {
    let outcome = run(&system(text), plan, None, &mut Unwatched).unwrap_or_else(|f| panic!("{:?}", f.iter().collect::<Vec<_>>()));
    let kept = (outcome.trajectory.len(), outcome.soft.frames.len());
    assert_eq!(kept.0 > 0, kept.1 > 0, "frames are kept with samples");
    match outcome.status {
        Status::Failed { t, element, reason } => (t, element, reason, kept.0),
        other => panic!("{other:?}"),
    }
}

#[test]
fn crushing_impact_names_time_cell_and_node() {
    // Two tonnes at 30 m/s on a gel block.
    let text = format!("{BLOCK}{BALL}[initial]\ncoordinates = {{ y = 0.151 }}\nspeeds = {{ y = -30 }}\n")
        .replace("0.5 kg", "2000 kg")
        .replace("robust", "kirchhoff");
    let (t, element, reason, kept) = failure(&text, &plan(0.1, 0.0005));
    assert!(t > 0.0 && t < 0.01 && kept > 0, "{t} {kept}");
    assert!(element == "soft.block" || element.starts_with("soft_contact"), "{element}: {reason}");
    for word in ["cell", "node", "soft part `block`", "hint:"] {
        assert!(reason.contains(word), "{word} in: {reason}");
    }
}

#[test]
fn load_that_nothing_can_bear_names_what_was_reached_cell_and_node() {
    let text = format!("{BLOCK}[traction.load]\nboundary = \"block.top\"\nforce = [\"0 Pa\", \"-3 MPa\"]\n").replace("robust", "kirchhoff");
    let mut plan = Plan { analysis: Analysis::Statics, ..plan(1.0, 0.1) };
    plan.integrator.load_steps = 20;
    let (t, element, reason, kept) = failure(&text, &plan);
    assert!(t > 0.0 && t < 1.0 && kept > 0, "{t} {kept}");
    assert_eq!(element, "soft.block", "{reason}");
    for word in ["of the loads", "cell", "node", "hint:"] {
        assert!(reason.contains(word), "{word} in: {reason}");
    }
}

#[test]
fn block_that_nothing_holds_sideways_names_its_node() {
    // Weightless on a slippery floor, pushed sideways.
    let text = format!(
        "{}[surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[soft_contact.floor]\nboundary = \"block.bottom\"\ntarget = \"floor\"\n\
         stiffness = \"1 N/mm\"\n[traction.load]\nboundary = \"block.top\"\nforce = [\"1 kPa\", \"-10 kPa\"]\n",
        BLOCK.replace("[support.table]\nboundary = \"block.bottom\"\n", "")
    );
    for analysis in [Analysis::Statics, Analysis::Simulate] {
        let (_, element, reason, _) = failure(&text, &Plan { analysis, ..plan(0.1, 0.01) });
        assert_eq!(element, "soft.block", "{reason}");
        assert!(reason.contains("without resistance at node") && reason.contains("hint:"), "{reason}");
    }
}

#[test]
fn target_that_does_not_cover_the_strikers_names_contact_and_node() {
    // A curve shorter than the block, pressed down on it.
    let short = "points = [[0.02, 0.0], [0.0, -0.001], [-0.02, 0.0]]\nat = \"ball\"\n";
    let ball = BALL.replace("[surface.ball]\ntype = \"circle\"\nat = \"ball\"\nradius = 0.1\n", "").replace("target = \"ball\"\n", short);
    let text = format!("{BLOCK}{ball}[initial]\ncoordinates = {{ y = 0.06 }}\nspeeds = {{ y = -1 }}\n");
    let (t, element, reason, _) = failure(&text, &plan(0.1, 0.001));
    assert_eq!(element, "soft_contact.touch", "{reason}");
    for word in ["node", "no place on the target", "hint:"] {
        assert!(reason.contains(word), "t = {t}: {word} in: {reason}");
    }
}

/// Asks a run to end after so many steps.
struct Impatient(usize);

impl Watch for Impatient {
    fn progress(&mut self, _t: f64, _statistics: &borelli_dynamics::integrate::Statistics) {
        self.0 = self.0.saturating_sub(1);
    }

    fn stop(&self) -> bool {
        self.0 == 0
    }
}

#[test]
fn interrupted_run_keeps_what_it_has() {
    let system = system(&format!("{BLOCK}{BALL}[initial]\ncoordinates = {{ y = 0.155 }}\n"));
    let plan = plan(0.1, 0.001);
    let outcome = run(&system, &plan, None, &mut Impatient(7)).unwrap_or_else(|f| panic!("{:?}", f.iter().collect::<Vec<_>>()));
    assert!(matches!(outcome.status, Status::Interrupted { t } if (t - 0.007).abs() < 1e-12), "{:?}", outcome.status);
    assert_eq!((outcome.trajectory.len(), outcome.soft.frames.len()), (8, 8));
}
