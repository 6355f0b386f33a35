//! Whether a model is stiff, and which force element or contact makes it so: what decides between an explicit and an implicit method.
//! Not here: the choice of an integrator, watching its steps. In: a system and a state. Out: the element and the rate, or none; or why it cannot be told.
//!
//! The rate of a model is the spectral radius of the Jacobian of its movement at a state: the fastest decay, growth or angular frequency, 1/s. An explicit
//! method takes steps of about three of its inverses, whatever the accuracy asked for. Human motion itself has rates of some tens per second.
//!
//!     ρ = lim |A^k|^(1/k),   k = 1, 2, 4, ... by squaring                                           (1)
//!
//! Friction is stiffest where surfaces stick: a law with transition speed v_s damps a mass m under the normal force F at some μ F/(m v_s). So the
//! start is judged twice, as it moves and, where surfaces rub, with all bodies held still in their places.
//!
//! Of larger models the powers are taken of a direction instead (`rate_meter`), which costs some hundred evaluations where (1) costs the cube of the size.
//!
//! Source: (1) is Gelfand's formula; it needs no eigenvalues and cannot fail to converge. Limits: elements that act only later (a resistance at the
//! end of a range, surfaces that are apart) are not seen at the start. Tests: rates of springs, dashpots and friction in closed form, every gallery
//! model.

use crate::assemble::{AssemblyFault, assemble_under};
use crate::constraint::RowControl;
use crate::contact::Contacts;
use crate::force::Forces;
use crate::formulation::{Declined, Failure};
use crate::integrate::Ode;
use crate::memory::{Memory, Touch};
use crate::movement::{Movement, Options};
use crate::rate_meter::RateMeter;
use crate::system::{Extent, Start, System};
use nalgebra::DMatrix;
use std::fmt;
use std::sync::Arc;

/// Rate above which a model is called stiff, 1/s: steps below three milliseconds.
pub const STIFF: f64 = 1e3;

/// Squarings of (1): |A^k| is known to the factor of its condition, and k = 1024 makes of 10⁶ one and a half hundredths.
const SQUARINGS: usize = 10;

/// Entries of a state up to which (1) is used.
const SMALL: usize = 48;

/// Contacts up to which each is looked at by itself; of more, all are named together.
const MOST_NAMED: usize = 40;

/// The force element or contact that makes a model stiff.
#[derive(Clone, Debug, PartialEq)]
pub struct Stiff {
    /// As `force.NAME`, `muscle.NAME` or `contact.NAME`; `contact` for many of them.
    pub element: String,
    /// Rate of the model, 1/s.
    pub rate: f64,
}

/// A state at which a model is judged.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// States of elements.
    pub z: &'a [f64],
    /// What events have written.
    pub memory: &'a Memory,
}

/// Why nothing is known about the stiffness of a model.
#[derive(Clone, Debug)]
pub enum Unjudged {
    /// Its start cannot be assembled.
    Unassembled(AssemblyFault),
    /// Its motion has no Jacobian.
    Declined(Declined),
    /// Its motion cannot be evaluated at the start.
    Refused(Failure),
    /// Its Jacobian at the start is not finite.
    NotFinite,
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unjudged::Unassembled(fault) => write!(f, "the start cannot be assembled: {fault}"),
            Unjudged::Declined(declined) => write!(f, "the motion has no Jacobian: {}", declined.reason),
            Unjudged::NotFinite => f.write_str("the Jacobian of the motion is not finite at the start"),
            Unjudged::Refused(failure) => write!(f, "the motion cannot be evaluated at the start: {failure}"),
        }
    }
}

impl System {
    /// The element that makes the model stiff at its start, at time `t`, if one does.
    ///
    /// The rate of the whole must exceed [`STIFF`], and that of the mechanism without elements must be less than half of it: a fast spin is no reason for an implicit
    /// method. The element whose rate alone is largest is named.
    pub fn stiffness(&self, t: f64) -> Result<Option<Stiff>, Unjudged> {
        self.stiffness_under(t, &RowControl::default())
    }

    /// As [`System::stiffness`], with some rows released.
    pub fn stiffness_under(&self, t: f64, control: &RowControl) -> Result<Option<Stiff>, Unjudged> {
        if !self.numbers.is_loaded() {
            return Ok(None);
        }
        let Start { q, v, held } = &self.start;
        let start = assemble_under(self, t, q, v, held, control).map_err(Unjudged::Unassembled)?;
        let rows = Memory { touch: Vec::new(), ..control.memory.clone() };
        let z = self.states_at(t, &start.q).z;
        let moving = Judged { t, q: &start.q, v: &start.v, z: &z, memory: &rows };
        let found = self.stiffness_at(&moving, STIFF)?;
        let rubs = self.numbers.contacts.manners.iter().any(|manner| manner.item.friction.is_some());
        if found.is_some() || !rubs {
            return Ok(found);
        }
        // What cannot be judged held still is judged by how it moves.
        let still = vec![0.0; v.len()];
        Ok(self.stiffness_at(&Judged { v: &still, ..moving }, STIFF).unwrap_or_default())
    }

    /// The element that makes the model stiff at a state, if one does: the rate of the whole must exceed `least`, 1/s.
    pub fn stiffness_at(&self, at: &Judged, least: f64) -> Result<Option<Stiff>, Unjudged> {
        let rate = fastest(self, at, &at.memory.touch)?;
        if rate <= least || fastest(&self.bearing(Forces::default(), Contacts::default()), at, &[])? > 0.5 * rate {
            return Ok(None);
        }
        let (mut most, mut element) = (f64::NEG_INFINITY, String::new());
        for (name, one) in self.numbers.forces.each() {
            let alone = fastest(&self.bearing(one, Contacts::default()), at, &[])?;
            if alone >= most {
                (most, element) = (alone, name);
            }
        }
        let contacts = &self.numbers.contacts;
        if fastest(&self.bearing(Forces::default(), contacts.clone()), at, &at.memory.touch)? >= most {
            element = self.stiffest_contact(at)?;
        }
        Ok(Some(Stiff { element, rate }))
    }

    /// The contact whose rate alone is largest.
    fn stiffest_contact(&self, at: &Judged) -> Result<String, Unjudged> {
        let contacts = &self.numbers.contacts;
        let (mut most, mut element) = (f64::NEG_INFINITY, "contact".to_string());
        if contacts.manners.len() <= MOST_NAMED {
            for contact in 0..contacts.manners.len() {
                let touch = at.memory.touch.get(contacts.pairs_of(contact)).unwrap_or_default();
                let alone = fastest(&self.bearing(Forces::default(), contacts.only(contact)), at, touch)?;
                if alone > most {
                    (most, element) = (alone, format!("contact.{}", self.names.contacts[contact]));
                }
            }
        }
        Ok(element)
    }

    /// The same system with other elements and contacts.
    fn bearing(&self, forces: Forces<f64>, contacts: Contacts<f64>) -> System {
        let mut system = self.clone();
        system.names.pairs = contacts.pair_names();
        (system.numbers.forces, system.numbers.contacts) = (forces, contacts);
        let (pairs, loaded) = (system.numbers.contacts.pairs.len(), system.numbers.is_loaded());
        let skeleton = Arc::make_mut(&mut system.skeleton);
        skeleton.extent = Extent { pairs, loaded, ..skeleton.extent };
        system
    }
}

/// The spectral radius at a state, 1/s, with pairs of surfaces that touch so.
fn fastest(system: &System, at: &Judged, touch: &[Touch]) -> Result<f64, Unjudged> {
    let memory = Memory { touch: touch.to_vec(), ..at.memory.clone() };
    if at.q.len() + at.v.len() + at.z.len() > SMALL {
        let y = [at.q, at.v, at.z].concat();
        let rate = RateMeter::new(system, memory).map_err(Unjudged::Declined)?.rate(system, at.t, &y).map_err(Unjudged::Refused)?;
        return if rate.is_finite() { Ok(rate) } else { Err(Unjudged::NotFinite) };
    }
    let mut movement = Movement::new(system, Options { memory, ..Options::default() }).map_err(Unjudged::Declined)?;
    let mut y = movement.state(system, at.q, at.v);
    y[movement.layout().z_range()].copy_from_slice(at.z);
    let (mut jac, mut dt) = (vec![0.0; y.len() * y.len()], vec![0.0; y.len()]);
    movement.of(system).jacobian(at.t, &y, &mut jac, &mut dt).map_err(Unjudged::Refused)?;
    let radius = spectral_radius(DMatrix::from_row_slice(y.len(), y.len(), &jac));
    if radius.is_finite() { Ok(radius) } else { Err(Unjudged::NotFinite) }
}

/// Equation (1), with the powers scaled to one before each squaring.
fn spectral_radius(mut power: DMatrix<f64>) -> f64 {
    let (mut logarithm, mut share) = (0.0, 1.0);
    for _ in 0..SQUARINGS {
        let norm = power.norm();
        if norm == 0.0 {
            return 0.0;
        }
        logarithm += share * norm.ln();
        share *= 0.5;
        power /= norm;
        power = &power * &power;
    }
    (logarithm + share * power.norm().ln()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use borelli_model::Model;

    fn parse(text: &str) -> System {
        compile(&Model::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Two masses on rails with a spring or damper each.
    fn rails_text(soft: &str, hard: &str) -> String {
        format!(
            "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 2\ninertia = 1\n[body.b]\nmass = 0.5\ninertia = 1\n\
             [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n\
             [joint.y]\ntype = \"slider\"\nparent = \"world\"\nchild = \"b\"\naxis = [1, 0]\n\
             [force.soft]\ntype = \"coordinate-spring\"\ncoordinate = \"x\"\n{soft}\n\
             [force.hard]\ntype = \"coordinate-spring\"\ncoordinate = \"y\"\n{hard}\n"
        )
    }

    fn rails(soft: &str, hard: &str) -> System {
        parse(&rails_text(soft, hard))
    }

    #[test]
    fn the_radius_of_known_matrices() {
        let turn = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -2.5e5, 0.0]);
        assert!((spectral_radius(turn) - 500.0).abs() < 5.0);
        let defective = DMatrix::from_row_slice(2, 2, &[3.0, 1e4, 0.0, 3.0]);
        assert!((spectral_radius(defective) - 3.0).abs() < 0.06);
        assert_eq!(spectral_radius(DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.0, 0.0])), 0.0);
    }

    #[test]
    fn the_hard_element_is_named_with_its_rate() {
        // ω = √(k/m) and c/m.
        for (hard, rate) in [("stiffness = 2e6", 2000.0), ("stiffness = 0\ndamping = 1500", 3000.0)] {
            let found = rails("stiffness = 100\ndamping = 1", hard).stiffness(0.0).expect("judged").expect("stiff");
            assert_eq!(found.element, "force.hard");
            assert!((found.rate / rate - 1.0).abs() < 0.02, "{found:?}");
        }
        let soft = rails("stiffness = 100\ndamping = 1", "stiffness = 2e5");
        assert_eq!(soft.stiffness(0.0).expect("judged"), None, "√(k/m) = 632/s");
    }

    /// A block of 2 kg, 0.1 mm deep in a floor of 1e5 N/m, so pressed by 10 N, that slides at a speed; friction has the transition speed 1 mm/s.
    fn block(law: &str, speed: f64) -> System {
        parse(&format!(
            "borelli = 1\ndimension = \"planar\"\n[body.block]\nmass = 2\ninertia = 1\n[joint.place]\ntype = \"planar\"\nparent = \"world\"\nchild = \"block\"\n\
             coordinates = [\"x\", \"y\", \"turn\"]\n[surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[surface.foot]\ntype = \"point\"\nat = \"block\"\n\
             [contact.foot]\na = \"foot\"\nb = \"floor\"\nnormal = {{ type = \"hooke\", stiffness = 1e5 }}\nfriction = {law}\nforce_at = \"a\"\n\
             [initial]\ncoordinates = {{ y = -1e-4 }}\nspeeds = {{ x = {speed} }}\n"
        ))
    }

    #[test]
    fn friction_is_judged_as_if_it_stuck() {
        // μ F/(m v_s) = 0.5 · 10/(2 · 1e-3) = 2500/s at rest; sliding at 1 m/s nothing damps, and √(k/m) = 224/s.
        let tanh = "{ type = \"tanh\", friction = 0.5, transition = \"1 mm/s\" }";
        for speed in [0.0, 1.0] {
            let system = block(tanh, speed);
            let found = system.stiffness(0.0).expect("judged").expect("stiff");
            assert_eq!(found.element, "contact.foot");
            assert!((found.rate / 2500.0 - 1.0).abs() < 0.02, "{found:?}");
            let (q, v, memory) = (&system.start.q, &system.start.v, Memory::default());
            let as_it_moves = system.stiffness_at(&Judged { t: 0.0, q, v, z: &[], memory: &memory }, STIFF).expect("judged");
            assert_eq!(as_it_moves.is_some(), speed == 0.0);
        }
        // Coulomb's law has no slope to be stiff with.
        assert_eq!(block("{ type = \"coulomb\", friction = 0.5 }", 1.0).stiffness(0.0).expect("judged"), None);
    }

    /// A mass on a rail and a spring, guided by a table from 1 to 2 s.
    const GUIDED: &str = "[guide.x]\ntype = \"coordinate\"\ncoordinate = \"x\"\nfunction = \"place\"\n\
        [function.place]\ntype = \"table\"\nx = [1, 2]\ny = [0, 1]\noutside = \"error\"\n";

    #[test]
    fn the_start_is_judged_at_its_time_or_not_at_all() {
        let hard = "stiffness = 2e6\n[initial]\ncoordinates = { x = 0.5 }\n";
        let system = parse(&format!("{}{GUIDED}", rails_text("stiffness = 100\ndamping = 1", hard)));
        assert_eq!(system.stiffness(1.5).expect("judged").expect("stiff").element, "force.hard");
        let why = system.stiffness(0.0).expect_err("the table has not begun");
        assert!(why.to_string().contains("place"), "{why}");
    }

    #[test]
    fn no_model_of_the_gallery_without_contact_is_stiff_but_for_a_tendon() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let mut found = Vec::new();
        for file in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "toml")) {
            let system = compile(&Model::read(&file).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
            if !system.names.pairs.is_empty() {
                continue;
            }
            found.extend(
                system.stiffness(0.0).unwrap_or_else(|why| panic!("{}: {why}", system.name)).map(|stiff| (system.name.clone(), stiff)),
            );
        }
        // Fibres settle against their tendons at some hundreds to two thousand per second (`muscle`).
        found.retain(|(_, stiff)| !(stiff.element.starts_with("muscle.") && stiff.rate < 2e3));
        assert!(found.is_empty(), "{found:?}");
    }
}
