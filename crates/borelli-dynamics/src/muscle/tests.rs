//! Tests of muscles; files by what they look at.

mod curves;
mod element;
mod metabolic;
mod start;
mod tables;
mod wound;

use crate::compile;
use crate::formulation::articulated::Articulated;
use crate::formulation::{Evaluation, Formulation, Input};
use crate::scene::Inside;
use crate::system::System;
use borelli_model::Model;

/// The muscles of the tables of the specification.
const SET: [(&str, &str); 3] = [
    ("thelen", "type = \"thelen\"\nforce = 1600\nfibre_length = 0.065\ntendon_length = 0.24\npennation = \"20 deg\"\nspeed = 12"),
    ("millard", "type = \"millard\"\nforce = 850\nfibre_length = 0.085\ntendon_length = 0.15\npennation = \"12 deg\"\ndamping = 0.1"),
    ("dgf", "type = \"dgf\"\nforce = 2200\nfibre_length = 0.055\ntendon_length = 0.26\npennation = \"25 deg\"\ndamping = 0"),
];

fn fields_of(law: &str) -> &'static str {
    SET.iter().find(|(name, _)| *name == law).map(|(_, fields)| *fields).expect("a law")
}

fn parse(text: &str) -> System {
    compile(&Model::parse("muscle.toml", text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

/// A mass on a rail whose coordinate is the length of the path of a muscle; gravity lengthens it.
fn rig(muscle: &str, mass: f64, start: &str) -> System {
    parse(&format!(
        "borelli = 1\ndimension = \"planar\"\ngravity = [9.81, 0]\n[body.a]\nmass = {mass}\ninertia = 1\n\
         [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n\
         [path.p]\npoints = [\"world\", \"a\"]\n[muscle.m]\npath = \"p\"\n{muscle}\n{start}\n"
    ))
}

/// Everything at a state.
fn evaluate(system: &System, q: &[f64], v: &[f64], z: &[f64]) -> Evaluation {
    let mut out = Evaluation::new(system);
    let tau = vec![0.0; v.len()];
    let input = Input { t: 0.0, q, v, inside: Inside { z, u: &[] }, tau: &tau };
    Articulated::new(system).evaluate(system, input, &mut out).unwrap_or_else(|failure| panic!("{failure}"));
    out
}

/// An output of the muscle by name.
fn output(system: &System, out: &Evaluation, name: &str) -> f64 {
    let k = system.names.outputs.iter().position(|output| output.name == name).expect("an output");
    out.output[k]
}
