//! Every normal law with every friction law in one oblique impact, by every formulation that takes the model.
//!
//! `cargo test -p borelli-dynamics every_law -- --nocapture` prints which formulations ran, by normal law and friction law.

use super::*;
use crate::formulation::{Evaluation, FORMULATIONS};
use crate::integrate::{Direction, Flow, Rule, Settings, Statistics, Step, find, integrate, with_events};
use crate::movement::{Movement, Options};
use borelli_contact::friction::Friction;
use borelli_contact::friction::spin::Spin;
use borelli_contact::normal::Normal;
use borelli_contact::pressure::Foundation;
use borelli_contact::volume::Volumetric;
use borelli_testkit::assert_close;

/// Touchdown at about 10 ms, a contact of 20 to 40 ms, and some flight.
const END: f64 = 0.09;

/// A law in place, with numbers for a ball of 1 kg and 10 cm that falls at 2 m/s and slides at 3 m/s: it slides throughout, at speeds where the laws differ.
fn law(kind: &Kind) -> String {
    let value = |name: &str, unit: &str| match (name, unit) {
        ("stiffness", "N/m") => 2e4,
        ("stiffness", "N/m^3") => 2e6,
        ("stiffness", _) => 1e5,
        ("damping", _) => 20.0,
        ("dissipation", _) => 0.1,
        ("restitution" | "return_fraction", _) => 0.7,
        ("friction" | "dynamic_friction", _) => 0.1,
        ("static_friction", _) => 0.15,
        ("steepness", _) => 2.0,
        ("viscosity", "s/m") => 0.01,
        ("viscosity", _) => 0.5,
        ("normal_transition", _) => 50.0,
        ("exponent", _) => 1.5,
        ("softness", _) => 0.0,
        ("pitch", _) => 0.02,
        ("lever" | "speed_per_rate", _) => 1.0,
        ("transition" | "threshold" | "stribeck" | "dynamic_transition", _) => 1.0,
        (other, unit) => panic!("no usual value for `{other}` in {unit}"),
    };
    let numbers: Vec<String> = kind.parameters.iter().map(|p| format!("{} = {:?}", p.name, value(p.name, p.unit))).collect();
    format!("{{ type = \"{}\", {} }}", kind.name, numbers.join(", "))
}

/// A ball over a floor, its mass centre a little off.
fn ball(planar: bool, contact: &str) -> System {
    let [dimension, gravity, body, shape] = if planar {
        ["planar", "[0, -9.81]", "center = [0.01, 0.005]\ninertia = 0.005", "circle"]
    } else {
        ["spatial", "[0, -9.81, 0]", "center = [0.01, 0.005, -0.01]\ninertia = [0.004, 0.005, 0.0045]", "sphere"]
    };
    parse(&format!(
        "borelli = 1\ndimension = \"{dimension}\"\ngravity = {gravity}\n[body.ball]\nmass = 1\n{body}\n\
         [joint.base]\ntype = \"free\"\nparent = \"world\"\nchild = \"ball\"\n[surface.ball]\ntype = \"{shape}\"\nat = \"ball\"\nradius = 0.1\n\
         [surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[contact.bounce]\na = \"ball\"\nb = \"floor\"\n{contact}\n"
    ))
}

/// Coordinates and velocities at the start: down and sideways.
fn start(planar: bool) -> (Vec<f64>, Vec<f64>) {
    if planar {
        (vec![0.0, 0.12, 0.3], vec![3.0, -2.0, 5.0])
    } else {
        (vec![0.0, 0.12, 0.0, 1.0, 0.0, 0.0, 0.0], vec![3.0, -2.0, 0.5, 1.0, 4.0, 5.0])
    }
}

/// How an impact went.
struct Impact {
    /// State at the end, audit integrals included.
    end: Vec<f64>,
    /// Largest change of T + V + stored + lost, J.
    imbalance: f64,
    /// Kinetic energy of the fall at touchdown, J.
    exchanged: f64,
}

/// The impact by one formulation, if it takes the model. The speed of the first touch is remembered from touchdown to lift-off.
fn impact(system: &System, planar: bool, formulation: &'static str, (method, settings): (&str, Settings)) -> Option<Impact> {
    let mut movement = Movement::new(system, Options { formulation, audit: true, ..Options::default() }).ok()?;
    let (q, v) = start(planar);
    let mut y = movement.state(system, &q, &v);
    let mut judge = Movement::new(system, Options { audit: true, ..Options::default() }).expect("articulated takes every model");
    let mut out = Evaluation::new(system);
    let mut energy = |t: f64, y: &[f64]| {
        judge.evaluate(system, t, y, &mut out).expect("a state");
        let lost = judge.lost(y).expect("audited")[0];
        out.kinetic_energy + out.gravity_energy + out.stored_energy + lost
    };
    let before = energy(0.0, &y);
    let (mut imbalance, mut exchanged, mut t) = (0.0_f64, 0.0, 0.0);
    let mut method = (find(method).expect("a method").build)(y.len());
    let mut gaps = Gaps::new(system);
    for leg in [Some(Direction::Rising), Some(Direction::Falling), None] {
        let rules: Vec<Rule> = leg.iter().map(|direction| Rule { direction: *direction, terminal: true }).collect();
        let mut watch = |step: &Step| {
            imbalance = imbalance.max((energy(step.t1, step.y) - before).abs());
            Flow::Continue
        };
        let (coords, dofs) = (q.len(), v.len());
        let depth = |_: usize, _: f64, y: &[f64]| {
            gaps.look(system, &y[..coords], &y[coords..coords + dofs]);
            gaps.depth()[0]
        };
        let mut observer = with_events(&rules, y.len(), depth, &mut watch);
        let end = integrate(&mut *method, &mut movement.of(system), (t, END), &mut y, &settings, &mut Statistics::default(), &mut observer);
        let end = end.unwrap_or_else(|failure| panic!("{formulation}: {failure}"));
        assert_eq!(end.stopped, leg.is_some(), "{formulation}: leg {leg:?} ended at {} s", end.t);
        t = end.t;
        let (q, v) = movement.split(&y);
        gaps.look(system, q, v);
        let speed = gaps.rate()[0];
        if leg == Some(Direction::Rising) {
            exchanged = 0.5 * speed * speed;
            movement.recall(&struck(&[speed])).expect("one pair");
        } else {
            assert!(speed < 0.0, "{formulation}: still falling at {t} s");
            movement.recall(&Memory::default()).expect("nothing");
        }
    }
    Some(Impact { end: y, imbalance, exchanged })
}

/// Runs one cell of the matrix; the first letters of the formulations that ran.
fn cell(name: &str, planar: bool, contact: &str, least: f64) -> String {
    let system = ball(planar, contact);
    // A sum has a kink wherever a point comes or goes. There are hundreds, and steps chosen from errors part ways at them: with a tolerance of 1e-9
    // ends are 1e-6 apart. With steps of one length they are not.
    let summed = contact.contains("foundation");
    let method =
        if summed { ("rk4", Settings::fixed(1e-4)) } else { ("dopri5", Settings { max_step: 2e-3, ..Settings::tolerance(1e-12) }) };
    let mut ran = String::new();
    let mut first: Option<Impact> = None;
    for entry in FORMULATIONS {
        let Some(found) = impact(&system, planar, entry.name, method) else { continue };
        ran.push_str(&entry.name[..1]);
        assert!(found.imbalance < least * found.exchanged, "{name} {}: {:e} of {} J", entry.name, found.imbalance, found.exchanged);
        match &first {
            None => first = Some(found),
            Some(first) => assert_close(&found.end, &first.end, 1e-8, &format!("{name} {}", entry.name)),
        }
    }
    ran
}

#[test]
#[allow(clippy::print_stdout)] // the matrix is for people, too
fn every_law_runs_an_impact_in_every_formulation() {
    let frictions: Vec<Option<&Kind>> = std::iter::once(None).chain(Friction::<f64>::KINDS.iter().map(Some)).collect();
    let normals: Vec<&Kind> = Normal::<f64>::KINDS.iter().chain([&Volumetric::<f64>::KIND, &Foundation::<f64>::KIND]).collect();
    let word = |friction: &Option<&'static Kind>| friction.map_or("none", |kind| kind.name);
    let mut table = format!("{:26}", "");
    frictions.iter().for_each(|friction| table += &format!("{:16}", word(friction)));
    for normal in normals {
        table += &format!("\n{:26}", normal.name);
        let planar = Normal::<f64>::KINDS.contains(normal);
        for friction in &frictions {
            let name = format!("{} {}", normal.name, word(friction));
            let mut contact = format!("normal = {}\n", law(normal));
            if let Some(friction) = friction {
                contact += &format!("friction = {}\n", law(friction));
            }
            // Their forces jump, at rest and at the first touch, or have kinks.
            let rough = word(friction) == "coulomb" || normal.name == "kelvin-voigt";
            // A sum stores and loses up to the error of the sum, which is that of its pitch.
            let least = match normal.name {
                "foundation" => 2e-2,
                _ if rough => 1e-4,
                _ => 1e-6,
            };
            let ran = cell(&name, planar, &contact, least);
            // Chains of segments and what may be coupled with soft parts are planar.
            assert_eq!(ran, if planar { "acnsc" } else { "acn" }, "{name}");
            table += &format!("{ran:16}");
        }
    }
    println!("{table}");
}

#[test]
fn every_sharing_of_spin_runs_an_impact_in_every_formulation() {
    for spin in Spin::<f64>::KINDS {
        for friction in ["tanh", "hollars"] {
            let friction = Friction::<f64>::KINDS.iter().find(|kind| kind.name == friction).expect("a law");
            let contact = format!("normal = {}\nfriction = {}\nspin = {}", law(&Volumetric::<f64>::KIND), law(friction), law(spin));
            assert_eq!(cell(spin.name, false, &contact, 1e-6), "acn", "{}", spin.name);
        }
    }
}
