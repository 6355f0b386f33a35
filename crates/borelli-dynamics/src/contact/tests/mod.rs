//! Contacts in scenes: what a pair does to bodies, whoever computes it.
//! Not here: shapes, detection and laws by themselves (`borelli-contact`).
//! In: small models written out below. Out: nothing, or a panic that names the scene.

mod allocation;
mod balance;
mod formulations;
mod matrix;
mod memory;
mod middle;
mod near;
mod refusals;
mod resultants;
mod sides;
mod slopes;

use super::{Gaps, Touching};
use crate::constraint::RowControl;
use crate::memory::{Memory, Touch};
use crate::scene::Inside;
use crate::sight::Sight;
use crate::system::System;
use crate::twin::{parse, random_state};
use borelli_contact::law::Kind;
use borelli_testkit::Random;

/// Two surfaces that may meet.
#[derive(Clone, Copy)]
struct Pairing {
    dimension: &'static str,
    one: &'static str,
    other: &'static str,
}

impl Pairing {
    /// True when the second surface is a half-space.
    fn is_flat(&self) -> bool {
        self.other.contains("half-space")
    }

    /// For messages.
    fn name(&self) -> String {
        let kind = |surface: &str| surface.split('"').nth(1).unwrap_or_default().to_string();
        format!("{} {} on {}", self.dimension, kind(self.one), kind(self.other))
    }

    /// A model of two free bodies that carry the surfaces, away from their origins and turned, with the rest of a contact between `one` and `other`.
    fn text(&self, contact: &str) -> String {
        let Pairing { dimension, one, other } = self;
        let planar = *dimension == "planar";
        let body = |name: &str, surface: &str, [center, inertia, place]: [&str; 3]| {
            format!(
                "[body.{name}]\nmass = 2\ncenter = {center}\ninertia = {inertia}\n[body.{name}.frame.place]\n{place}\n\
                 [joint.{name}]\ntype = \"free\"\nparent = \"world\"\nchild = \"{name}\"\n[surface.{name}]\nat = \"{name}.place\"\n{surface}\n"
            )
        };
        let [first, second] = if planar {
            [["[0.1, 0.05]", "0.3", "origin = [0.05, -0.1]\nangle = 0.4"], ["[-0.05, 0.1]", "0.5", "origin = [-0.1, 0.05]\nangle = -0.7"]]
        } else {
            [
                ["[0.1, 0.05, -0.02]", "[0.1, 0.12, 0.09]", "origin = [0.05, -0.1, 0.08]\nangles = [0.3, -0.4, 0.7]"],
                ["[-0.05, 0.1, 0.03]", "[0.2, 0.15, 0.18]", "origin = [-0.1, 0.05, 0.06]\nangles = [-0.5, 0.2, 0.9]"],
            ]
        };
        let (one, other) = (body("one", one, first), body("other", other, second));
        format!("borelli = 1\ndimension = \"{dimension}\"\n{one}{other}[contact.touch]\na = \"one\"\nb = \"other\"\n{contact}\n")
    }

    /// That model with the second surface fixed to the world, at a place like that on its body.
    fn text_on_world(&self, contact: &str) -> String {
        let text = self.text(contact);
        let (_, place) = text.split_once("[body.other.frame.place]\n").expect("a place");
        let (place, _) = place.split_once("[joint").expect("a joint");
        let frame = format!("[world.frame.site]\n{place}[surface.other]\nat = \"world.site\"");
        text.replace("[surface.other]\nat = \"other.place\"", &frame)
    }

    /// The model compiled.
    fn system(&self, contact: &str) -> System {
        parse(&self.text(contact))
    }
}

const BALL: &str = "type = \"sphere\"\nradius = 0.5";
const EGG: &str = "type = \"ellipsoid\"\na = 0.4\nb = 0.6\nc = 0.5";
const PEBBLE: &str = "type = \"ellipsoid\"\na = 0.7\nb = 0.5\nc = 0.35";
const SOAP: &str = "type = \"superellipsoid\"\na = 0.4\nb = 0.6\nc = 0.5\np = 2.6\nr = 3.2";
const CUSHION: &str = "type = \"separable-superellipsoid\"\na = 0.5\nb = 0.45\nc = 0.6\ng1 = 2.4\ng2 = 3.0\ng3 = 2.2";
const BOARD: &str = "type = \"half-space\"\nnx = 0.3\nny = 1.0\nnz = -0.2\nheight = 0.1";
const DOT: &str = "type = \"point\"";
const DISC: &str = "type = \"circle\"\nradius = 0.5";
const OVAL: &str = "type = \"ellipse\"\na = 0.4\nb = 0.7";
const EDGE: &str = "type = \"half-space\"\nnx = 0.3\nheight = 0.1";

const fn pairing(dimension: &'static str, one: &'static str, other: &'static str) -> Pairing {
    Pairing { dimension, one, other }
}

const EGG_ON_BOARD: Pairing = pairing("spatial", EGG, BOARD);

/// Every way in which surfaces can meet: by formula and by the common normal, in space and in the plane.
const PAIRINGS: [Pairing; 14] = [
    pairing("spatial", BALL, BALL),
    pairing("spatial", DOT, BALL),
    pairing("spatial", EGG, PEBBLE),
    pairing("spatial", BALL, EGG),
    pairing("spatial", SOAP, SOAP),
    pairing("spatial", CUSHION, PEBBLE),
    pairing("spatial", DOT, BOARD),
    pairing("spatial", BALL, BOARD),
    EGG_ON_BOARD,
    pairing("spatial", SOAP, BOARD),
    pairing("planar", DISC, DISC),
    pairing("planar", OVAL, OVAL),
    pairing("planar", DISC, EDGE),
    pairing("planar", OVAL, EDGE),
];

const HERTZ: &str = r#"{ type = "hunt-crossley", stiffness = 4e3, dissipation = 0.3 }"#;
const ELASTIC: &str = r#"{ type = "hertz", stiffness = 4e3 }"#;
const REMEMBER: &str = r#"{ type = "exact-restitution", stiffness = 4e3, restitution = 0.7 }"#;
const BED: &str = r#"{ type = "volumetric", stiffness = 1e4, dissipation = 0.2 }"#;
const SUM: &str = r#"{ type = "foundation", stiffness = 1e4, dissipation = 0.2, pitch = 0.02 }"#;
const RUB: &str = r#"{ type = "tanh", friction = 0.7, transition = 0.8 }"#;

/// A law in place, with numbers drawn round those that fit bodies of a metre and a few kilograms.
fn draw(kind: &Kind, random: &mut Random) -> String {
    let mut value = |name: &str, unit: &str| match (name, unit) {
        ("stiffness", "N/m^3") => random.uniform(5e3, 2e4),
        ("stiffness", _) => random.uniform(2e3, 8e3),
        ("exponent", _) => random.uniform(1.1, 2.0),
        ("damping", _) => random.uniform(10.0, 60.0),
        ("dissipation", _) => random.uniform(0.1, 0.4),
        ("restitution" | "return_fraction", _) => random.uniform(0.4, 0.9),
        ("friction" | "dynamic_friction", _) => random.uniform(0.2, 0.4),
        ("static_friction", _) => random.uniform(0.5, 0.8),
        ("transition" | "threshold" | "stribeck" | "dynamic_transition", _) => random.uniform(0.4, 1.2),
        ("steepness", _) => random.uniform(1.0, 3.0),
        ("viscosity", _) => random.uniform(0.1, 0.3),
        ("normal_transition", _) => random.uniform(20.0, 60.0),
        ("pitch", _) => random.uniform(0.02, 0.03),
        ("softness", _) => random.uniform(0.1, 0.4),
        ("lever" | "speed_per_rate", _) => random.uniform(0.6, 1.1),
        (other, unit) => panic!("no usual value for `{other}` in {unit}"),
    };
    let numbers: Vec<String> = kind.parameters.iter().map(|p| format!("{} = {:?}", p.name, value(p.name, p.unit))).collect();
    format!("{{ type = \"{}\", {} }}", kind.name, numbers.join(", "))
}

/// A random state in which the first pair overlaps by 2 to 12 cm.
fn meeting(system: &System, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    for _ in 0..20_000 {
        let (q, v, _) = random_state(system, random);
        let mut gaps = Gaps::new(system);
        gaps.look(system, &q, &v);
        if (0.02..0.12).contains(&gaps.depth()[0]) {
            return (q, v);
        }
    }
    panic!("no state of {} touches", system.name);
}

/// Pairs that began to touch with these speeds; zero: the speed is not known.
fn struck(speeds: &[f64]) -> Memory {
    let touch: Vec<Touch> = speeds.iter().map(|v| Touch::Touching { speed: Some(*v).filter(|v| *v != 0.0) }).collect();
    Memory::touching(&touch)
}

/// Kinematics and loads at a state, pairs remembering these speeds.
fn look(system: &System, q: &[f64], v: &[f64], impact_speed: &[f64]) -> Sight<f64> {
    let mut sight = Sight::new(system);
    sight.set_control(&RowControl::of(struck(impact_speed)));
    sight.look(system, 0.0, q, v, Inside::NONE, &[]);
    sight
}

/// What the first pair does.
fn touching(sight: &Sight<f64>) -> &Touching<f64> {
    &sight.loads.pairs.touching[0]
}
