//! Whether a model is stiff, and which force element makes it so: what decides between an explicit and an implicit method.
//! Not here: the choice of an integrator. In: a system at its start. Out: the element and the rate, or none.
//!
//! The rate of a model is the spectral radius of the Jacobian of its movement at the assembled start: the fastest decay, growth or angular frequency, 1/s. An explicit
//! method takes steps of about three of its inverses, whatever the accuracy asked for. Human motion itself has rates of some tens per second.
//!
//!     ρ = lim |A^k|^(1/k),   k = 1, 2, 4, ... by squaring                                           (1)
//!
//! Source: (1) is Gelfand's formula; it needs no eigenvalues and cannot fail to converge. Limits: elements that act only later (a resistance at the end of a range) are not seen at
//! the start. Tests: rates of springs and dashpots in closed form, every gallery model.

use crate::assemble::assemble;
use crate::force::Forces;
use crate::integrate::Ode;
use crate::movement::{Movement, Options};
use crate::system::System;
use nalgebra::DMatrix;

/// Rate above which a model is called stiff, 1/s: steps below three milliseconds.
pub const STIFF: f64 = 1e3;

/// Squarings of (1): |A^k| is known to the factor of its condition, and k = 1024 makes of 10⁶ one and a half hundredths.
const SQUARINGS: usize = 10;

/// The force element that makes a model stiff.
#[derive(Clone, Debug, PartialEq)]
pub struct Stiff {
    /// As `force.NAME`.
    pub element: String,
    /// Rate of the model at its start, 1/s.
    pub rate: f64,
}

impl System {
    /// The element that makes the model stiff at its start, if one does.
    ///
    /// The rate of the whole must exceed [`STIFF`], and that of the mechanism without elements must be less than half of it: a fast spin is no reason for an implicit
    /// method. The element whose rate alone is largest is named.
    pub fn stiffness(&self) -> Option<Stiff> {
        if self.numbers.forces.is_empty() {
            return None;
        }
        let (q, v) = match assemble(self, 0.0, &self.start.q, &self.start.v, &self.start.held) {
            Ok(found) => (found.q, found.v),
            Err(_) => return None,
        };
        let rate = fastest(self, &q, &v)?;
        if rate <= STIFF || fastest(&with_forces(self, Forces::default()), &q, &v)? > 0.5 * rate {
            return None;
        }
        let alone =
            self.numbers.forces.each().into_iter().filter_map(|(name, one)| Some((name, fastest(&with_forces(self, one), &q, &v)?)));
        let (name, _) = alone.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Stiff { element: format!("force.{name}"), rate })
    }
}

/// The same system with other elements.
fn with_forces(system: &System, forces: Forces<f64>) -> System {
    let mut system = system.clone();
    system.numbers.forces = forces;
    system
}

/// The spectral radius at a state, 1/s; none where there is no Jacobian.
fn fastest(system: &System, q: &[f64], v: &[f64]) -> Option<f64> {
    let mut movement = Movement::new(system, Options::default()).ok()?;
    let y = movement.state(q, v);
    let (mut jac, mut dt) = (vec![0.0; y.len() * y.len()], vec![0.0; y.len()]);
    movement.jacobian(0.0, &y, &mut jac, &mut dt).ok()?;
    let radius = spectral_radius(DMatrix::from_row_slice(y.len(), y.len(), &jac));
    radius.is_finite().then_some(radius)
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
    fn rails(soft: &str, hard: &str) -> System {
        parse(&format!(
            "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 2\ninertia = 1\n[body.b]\nmass = 0.5\ninertia = 1\n\
             [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n\
             [joint.y]\ntype = \"slider\"\nparent = \"world\"\nchild = \"b\"\naxis = [1, 0]\n\
             [force.soft]\ntype = \"coordinate-spring\"\ncoordinate = \"x\"\n{soft}\n\
             [force.hard]\ntype = \"coordinate-spring\"\ncoordinate = \"y\"\n{hard}\n"
        ))
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
            let found = rails("stiffness = 100\ndamping = 1", hard).stiffness().expect("stiff");
            assert_eq!(found.element, "force.hard");
            assert!((found.rate / rate - 1.0).abs() < 0.02, "{found:?}");
        }
        assert_eq!(rails("stiffness = 100\ndamping = 1", "stiffness = 2e5").stiffness(), None, "√(k/m) = 632/s");
    }

    #[test]
    fn no_model_of_the_gallery_is_stiff() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let mut found = Vec::new();
        for file in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "toml")) {
            let system = compile(&Model::read(&file).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
            found.extend(system.stiffness().map(|stiff| (system.name, stiff)));
        }
        assert!(found.is_empty(), "{found:?}");
    }
}
