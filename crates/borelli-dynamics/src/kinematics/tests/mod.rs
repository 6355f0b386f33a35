//! Poses recovered from markers that were put where a known pose has them.

mod derivatives;
mod held;
mod recovery;
mod smooth;

use super::{Options, Solver, Target};
use crate::compile::compile;
use crate::frames::Frames;
use crate::system::System;
use borelli_math::Vec3;
use borelli_model::Model;
use std::path::Path;

pub(super) fn parsed(text: &str) -> System {
    let model = Model::parse("test.toml", text).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

pub(super) fn gallery(name: &str) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(format!("{name}.toml"));
    let model = Model::read(&path).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// World positions of all markers.
pub(super) fn positions(system: &System, q: &[f64]) -> Vec<Vec3<f64>> {
    let mut frames = Frames::new(&system.skeleton);
    let still = vec![0.0; system.skeleton.dofs()];
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, &still, &[]);
    frames.fill_points(&system.skeleton);
    let place = |marker: &crate::system::Marker| {
        let body = system.numbers.place_body[marker.place as usize] as usize;
        frames.p[body] + frames.R[body] * system.numbers.tree.place_p[marker.place as usize]
    };
    system.markers.iter().map(place).collect()
}

/// Every marker where a pose has it, with its own weight.
pub(super) fn seen(system: &System, q: &[f64]) -> Vec<Target> {
    let at = positions(system, q).into_iter().zip(&system.markers).zip(0..);
    at.map(|((position, marker), k)| Target { marker: k, position, weight: marker.weight }).collect()
}

pub(super) fn solver(system: &System) -> Solver {
    Solver::new(system, Options::default())
}

pub(super) fn coordinate(system: &System, name: &str) -> usize {
    system.names.coordinates.iter().position(|c| c.name == name).unwrap_or_else(|| panic!("no coordinate {name}"))
}

pub(super) fn marker(system: &System, name: &str) -> u32 {
    system.names.markers.iter().position(|m| m == name).unwrap_or_else(|| panic!("no marker {name}")) as u32
}

/// Largest difference of two poses of angles and displacements.
pub(super) fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A planar leg of ten coordinates: trunk that floats, two legs, toes; three markers on every segment.
pub(super) fn planar_legs() -> System {
    let mut text = String::from("borelli = 1\ndimension = \"planar\"\n");
    let mut body = |name: &str, parent: &str, joint: &str, at: [f64; 2], length: f64| {
        text += &format!(
            "[body.{name}]\nmass = 1\ninertia = 0.1\npoint.end = [0, {length}]\n[joint.{name}]\ntype = \"{joint}\"\nchild = \"{name}\"\n"
        );
        text += &format!("parent = \"{parent}\"\n");
        for (k, [x, y]) in [[0.05, 0.2], [-0.04, 0.5], [0.03, 0.9]].into_iter().enumerate() {
            text += &format!(
                "[marker.{name}_{k}]\nbody = \"{name}\"\nlocation = [{}, {}]\nweight = {}\n",
                at[0] + x,
                at[1] + y * length,
                1 + k
            );
        }
    };
    body("trunk", "world", "planar", [0.0, 0.0], 0.5);
    for side in ["r", "l"] {
        body(&format!("thigh_{side}"), "trunk", "hinge", [0.0, 0.0], -0.4);
        body(&format!("shank_{side}"), &format!("thigh_{side}.end"), "hinge", [0.0, 0.0], -0.4);
        body(&format!("foot_{side}"), &format!("shank_{side}.end"), "hinge", [0.1, 0.0], -0.1);
    }
    body("head", "trunk.end", "hinge", [0.0, 0.0], 0.2);
    parsed(&text)
}

/// Coordinates that swing about the start, each with its own size and pace, inside their ranges.
pub(super) fn swing(system: &System, t: f64) -> Vec<f64> {
    let swing = |(k, q): (usize, &f64)| {
        let x = q + 0.35 * (1.0 + 0.1 * k as f64).sin() * (6.0 * t + 0.7 * k as f64).sin();
        let range = system.coordinates[k].range.filter(|_| system.coordinates[k].clamp);
        range.map_or(x, |(low, high)| x.clamp(low + 0.01, high - 0.01))
    };
    system.start.q.iter().enumerate().map(swing).collect()
}
