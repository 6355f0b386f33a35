//! Columns found part by part are those found whole, with their slopes; and an evaluation asks for no memory.

use super::fit::{fitted, problem};
use super::tests::system;
use crate::fit::Way;
use crate::plan::Plan;
use crate::read::{Files, StudyFile};
use borelli_fit::{Answer, Query, Wanted};
use borelli_model::Findings;
use borelli_testkit::{CountingAllocator, count_allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A foot on a swinging and turning carriage: an ellipsoid and a sphere on the floor by one contact, an ellipsoid whose overlap presses, a sphere
/// against one of the world, and a string. Between them laws of points and of volumes, flat and curved partners, several pairs of a contact, force
/// elements.
const FOOT: &str = r#"
borelli = 1
dimension = "spatial"
[body.carriage]
mass = "1 kg"
inertia = [0.01, 0.01, 0.01]
[body.foot]
mass = "0.8 kg"
center = ["10 mm", 0, 0]
inertia = [0.01, 0.01, 0.01]
[body.foot.point]
heel = ["-60 mm", "5 mm", "4 mm"]
ball = ["50 mm", "2 mm", "-3 mm"]
toe = ["90 mm", "6 mm", 0]
side = [0, "10 mm", "30 mm"]
[world.point]
knob = ["10 mm", "60 mm", "90 mm"]
hook = ["0.1 m", "0.4 m", 0]
[joint.lift]
type = "slider"
parent = "world"
child = "carriage"
axis = [0, 1, 0]
[joint.ankle]
type = "hinge"
parent = "carriage"
child = "foot"
axis = [0.1, 0.2, 0.97]
[guide.lift]
type = "coordinate"
coordinate = "lift"
function = { type = "sine", amplitude = "15 mm", frequency = "2 1/s", offset = "40 mm" }
[guide.ankle]
type = "coordinate"
coordinate = "ankle"
function = { type = "sine", amplitude = "0.4 rad", frequency = "3 1/s" }
[surface]
floor = { type = "half-space", at = "world" }
heel = { type = "ellipsoid", at = "foot.heel", a = "45 mm", b = "40 mm", c = "35 mm" }
ball = { type = "sphere", at = "foot.ball", radius = "38 mm" }
toe = { type = "ellipsoid", at = "foot.toe", a = "40 mm", b = "35 mm", c = "30 mm" }
side = { type = "ellipsoid", at = "foot.side", a = "40 mm", b = "30 mm", c = "32 mm" }
knob = { type = "sphere", at = "world.knob", radius = "40 mm" }
[law]
push = { type = "hunt-crossley", stiffness = "50000 N/m^1.5", exponent = 1.5, dissipation = "0.4 s/m" }
rub = { type = "tanh", friction = 0.35, transition = "0.05 m/s" }
bed = { type = "volumetric", stiffness = "2e7 N/m^3", dissipation = "0.3 s/m" }
[contact]
sole = { a = ["heel", "ball"], b = "floor", normal = "push", friction = "rub" }
toe = { a = "toe", b = "floor", normal = "bed", friction = "rub" }
bump = { a = "side", b = "knob", normal = "push" }
[path.string]
points = ["world.hook", "foot.toe"]
[force.string]
type = "cord"
path = "string"
stiffness = "600 N/m"
length = "0.2 m"
"#;

const STUDY: &str = r#"borelli = 1
title = "ways"
model = "given"
analysis = "fit"
[time]
end = "0.5 s"
sample = "5 ms"
[column.push]
formula = "contact.sole.heel.normal_force + 2*contact.sole.ball.normal_force + contact.toe.normal_force*coord.ankle.value"
[column.place]
formula = "contact.sole.cop.x*derived.push/max(derived.push, [1 N]) + body.foot.x + contact.toe.point.x"
[fit]
of = "evaluate"
power = 2
EXTRA
[[fit.term]]
name = "push"
column = "derived.push"
normalise = "100 N"
fade = { by = "contact.sole.total.force.y", low = "1 N", high = "50 N" }
[[fit.term]]
name = "bump"
column = "contact.bump.normal_force"
normalise = "100 N"
[[fit.term]]
name = "rub"
column = "contact.toe.friction.x"
normalise = "10 N"
TERMS
[[fit.number]]
name = "deepest"
column = "contact.sole.heel.depth"
of = "max"
[[fit.unknown]]
path = "surface.heel.b"
low = "5 mm"
high = "45 mm"
[[fit.unknown]]
path = "body.foot.point.heel.y"
low = "-10 mm"
high = "10 mm"
[[fit.unknown]]
name = "stiffness"
path = "law.push.stiffness"
low = "1e4 N/m^1.5"
high = "1e6 N/m^1.5"
scale = "log"
[[fit.unknown]]
path = "law.push.dissipation"
low = "0 s/m"
high = "2 s/m"
[[fit.unknown]]
path = "surface.ball.radius"
low = "5 mm"
high = "45 mm"
[[fit.unknown]]
path = "law.bed.stiffness"
low = "1e6 N/m^3"
high = "1e8 N/m^3"
[[fit.unknown]]
path = "surface.toe.a"
low = "30 mm"
high = "50 mm"
[[fit.unknown]]
path = "law.rub.friction"
low = 0.1
high = 0.9
[[fit.unknown]]
path = "surface.knob.radius"
low = "35 mm"
high = "45 mm"
[[fit.unknown]]
path = "world.point.knob.z"
low = "80 mm"
high = "100 mm"
[[fit.unknown]]
path = "force.string.stiffness"
low = "400 N/m"
high = "800 N/m"
MORE
"#;

/// A term that no pair alone can tell.
const STRING: &str = "[[fit.term]]\nname = \"string\"\ncolumn = \"system.energy.stored\"\nnormalise = \"1 J\"";

fn plan(extra: &str, terms: &str, more: &str) -> Plan {
    let text = STUDY.replace("EXTRA", extra).replace("TERMS", terms).replace("MORE", more);
    StudyFile::parse("fit.toml", &text, Files::on_disk()).and_then(|study| study.plan("", &[])).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Answers of a way at some points, values and slopes.
fn answers(plan: &Plan, way: Way) -> Vec<Answer> {
    let model = system(FOOT);
    let fit = plan.fit.as_ref().expect("a fit");
    let mut findings = Findings::new();
    let Some((channels, problem)) = problem(&model, &fitted(plan, fit), fit, way, &mut findings) else { panic!("{findings:?}") };
    let mut evaluator = problem.evaluator(&channels);
    let mut list = Vec::new();
    for (wanted, at) in [Wanted::Jacobian, Wanted::Gradient, Wanted::Objectives].into_iter().zip([0.45, 0.52, 0.6]) {
        let point = (0..problem.len()).map(|k| at + 0.01 * k as f64).collect();
        let mut answer = Answer::default();
        problem.answer(&mut evaluator, &Query { wanted, point }, &mut answer);
        list.push(answer);
    }
    list
}

#[test]
fn columns_found_part_by_part_are_those_found_whole() {
    let extra = "extra = \"[0.001 m]/(max(number.deepest, [0 m]) + [1e-4 m])\"";
    let met = "[[fit.constraint]]\nname = \"shallow\"\ncolumn = \"contact.sole.ball.depth\"\nat_most = \"-2 mm\"\nmet_by = \"surface.ball.radius\"\n";
    let free = "[[fit.constraint]]\nname = \"weak\"\ncolumn = \"contact.toe.normal_force\"\nat_most = \"30 N\"\n";
    let most = STRING.replace("normalise", "reduce = \"max\"\nnormalise");
    for (terms, more, method) in [("", "", ""), (STRING, "", ""), ("", met, ""), (&*most, free, "method = \"quasi-newton\"")] {
        let plan = plan(&format!("{extra}\n{method}"), terms, more);
        let [parts, whole] = [Way::Parts, Way::Whole].map(|way| answers(&plan, way));
        for (part, whole) in parts.iter().zip(&whole) {
            let lists = |answer: &Answer| {
                let slopes = answer.slopes.clone();
                [
                    answer.residuals.clone(),
                    answer.objectives.clone(),
                    answer.constraints.clone(),
                    vec![answer.extra],
                    slopes.residuals,
                    slopes.objective,
                    slopes.extra,
                    slopes.constraints,
                ]
            };
            for (a, b) in lists(part).iter().zip(&lists(whole)) {
                assert_eq!(a.len(), b.len());
                let size = b.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                for (a, b) in a.iter().zip(b) {
                    assert!((a - b).abs() <= 1e-13 * size, "{terms} {more}: {a} {b} of {size}");
                }
            }
            assert!(part.residuals.iter().any(|e| *e != 0.0));
        }
        // Every unknown but that of the string is felt by some residual, so that the comparison says something.
        let n = plan.fit.as_ref().expect("a fit").unknowns.len();
        let felt = |k: usize| parts[0].slopes.residuals.iter().skip(k).step_by(n).any(|slope| *slope != 0.0);
        assert_eq!((0..n).filter(|k| !felt(*k)).count(), usize::from(terms != STRING) + usize::from(more == met), "{terms} {more}");
    }
}

#[test]
fn an_evaluation_of_a_fit_requests_no_memory() {
    let met = "[[fit.constraint]]\nname = \"shallow\"\ncolumn = \"contact.sole.ball.depth\"\nat_most = \"-2 mm\"\nmet_by = \"surface.ball.radius\"\n";
    for (terms, way) in [("", Way::Parts), (STRING, Way::Parts), (STRING, Way::Whole)] {
        let plan = plan("", terms, met);
        let (model, fit) = (system(FOOT), plan.fit.as_ref().expect("a fit"));
        let mut findings = Findings::new();
        let Some((channels, problem)) = problem(&model, &fitted(&plan, fit), fit, way, &mut findings) else { panic!("{findings:?}") };
        let mut evaluator = problem.evaluator(&channels);
        for wanted in [Wanted::Residuals, Wanted::Jacobian, Wanted::Objectives, Wanted::Gradient] {
            let query = |at: f64| Query { wanted, point: vec![at; problem.len()] };
            let mut answer = Answer::default();
            problem.answer(&mut evaluator, &query(0.4), &mut answer);
            let (query, first) = (query(0.5), answer.clone());
            let ((), requests) = count_allocations(|| problem.answer(&mut evaluator, &query, &mut answer));
            assert_eq!(requests, 0, "{wanted:?} {way:?}");
            assert!(answer.residuals != first.residuals);
        }
    }
}
