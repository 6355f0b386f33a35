//! Slope and curvature of the objective against differences, for every kind of joint.

use super::super::marker_sums::{Aim, MarkerSums};
use super::{gallery, parsed};
use crate::frames::Frames;
use crate::retract::{normalise, retract};
use crate::system::System;
use borelli_math::Vec3;
use borelli_testkit::Random;

/// Every kind of joint in one tree with two branches, frames at odd angles, two markers on each body.
fn zoo() -> System {
    let joints = [
        ("a", "world", "type = \"free\""),
        ("b", "a", "type = \"gimbal\"\naxes = [[0, 0, 1], [1, 0, 0], [0.6, 0.8, 0]]"),
        ("c", "b", "type = \"ball\""),
        (
            "d",
            "c",
            "type = \"function\"\nx = { type = \"expression\", expression = \"0.1*sin(x)\" }\ny = { type = \"polynomial\", coefficients = [0, 0.1, 0.2] }\nscale = [1.5, 0.7, 1]\nrotations = [{ axis = [0, 0, 1], function = { type = \"polynomial\", coefficients = [0, 1, 0.2] } }, { axis = [1, 0, 0], function = { type = \"expression\", expression = \"0.4*cos(x)\" } }]",
        ),
        ("e", "d", "type = \"universal\""),
        ("f", "b", "type = \"slider\"\naxis = [0.6, 0, 0.8]"),
        ("g", "f", "type = \"hinge\"\naxis = [0.48, 0.6, 0.64]"),
        ("h", "g", "type = \"weld\""),
        ("i", "h", "type = \"planar\""),
        ("j", "world", "type = \"free\"\nrotation = \"angles\"\nsequence = \"xyx\""),
        ("k", "j", "type = \"function\"\ncoordinate = \"length\"\nz = { type = \"polynomial\", coefficients = [0, 1, 0.5] }"),
    ];
    let mut text = String::from("borelli = 1\ndimension = \"spatial\"\n");
    for (name, parent, joint) in joints {
        text += &format!(
            "[body.{name}]\nmass = 1\ninertia = [1, 1, 1]\nframe.out = {{ origin = [0.1, -0.3, 0.05], angles = [0.3, -0.2, 0.5] }}\n"
        );
        let parent = if parent == "world" { "world".to_string() } else { format!("{parent}.out") };
        text += &format!("[joint.{name}]\n{joint}\nparent = \"{parent}\"\nchild = \"{name}\"\n");
        text += &format!(
            "[marker.{name}_1]\nbody = \"{name}\"\nlocation = [0.1, -0.2, 0.05]\n[marker.{name}_2]\nbody = \"{name}\"\nlocation = [-0.1, -0.1, 0.1]\nweight = 0.3\n"
        );
    }
    parsed(&text)
}

struct Look<'s> {
    system: &'s System,
    frames: Frames<f64>,
    sums: MarkerSums,
    aims: Vec<Aim>,
}

impl Look<'_> {
    /// ½ Σ w |p − x|² after a step from `q`.
    fn half(&mut self, q: &[f64], step: &[f64]) -> f64 {
        let skeleton = &self.system.skeleton;
        let mut q = q.to_vec();
        retract(skeleton, &mut q, step);
        self.frames.fill::<f64, false>(skeleton, &self.system.numbers.tree, &q, &vec![0.0; skeleton.dofs()], &[]);
        self.frames.fill_points(skeleton);
        0.5 * self.sums.measure(skeleton, &self.frames, &self.aims)
    }
}

fn look<'s>(system: &'s System, random: &mut Random) -> (Look<'s>, Vec<f64>) {
    let mut q: Vec<f64> = system.start.q.iter().map(|q| q + random.uniform(-0.8, 0.8)).collect();
    normalise(&system.skeleton, &mut q);
    let numbers = &system.numbers;
    let mut aim = |marker: &crate::system::Marker| Aim {
        body: numbers.place_body[marker.place as usize] as usize,
        place: numbers.tree.place_p[marker.place as usize],
        measured: Vec3::from_array([0; 3].map(|_| random.uniform(-1.0, 1.0))),
        share: marker.weight,
    };
    let aims = system.markers.iter().map(&mut aim).collect();
    let sums = MarkerSums::new(&system.skeleton, system.markers.len());
    (Look { system, frames: Frames::new(&system.skeleton), sums, aims }, q)
}

#[test]
fn the_slope_is_that_of_the_objective() {
    let mut random = Random::new(11);
    for system in [zoo(), gallery("lower-limb-markers"), super::planar_legs()] {
        let dofs = system.skeleton.dofs();
        for _ in 0..5 {
            let (mut look, q) = look(&system, &mut random);
            let at = |dof: usize, h: f64| (0..dofs).map(|k| if k == dof { h } else { 0.0 }).collect::<Vec<f64>>();
            let h = 1e-5;
            let slopes: Vec<f64> = (0..dofs).map(|d| (look.half(&q, &at(d, h)) - look.half(&q, &at(d, -h))) / (2.0 * h)).collect();
            look.half(&q, &at(0, 0.0));
            look.sums.differentiate(&system.skeleton, &system.numbers.tree, &look.frames, &q, &look.aims, true);
            for (dof, (found, slope)) in look.sums.gradient.iter().zip(&slopes).enumerate() {
                assert!((found - slope).abs() < 1e-8 * slope.abs().max(1.0), "{}: {found} {slope}", system.names.speeds[dof].name);
            }
        }
    }
}

#[test]
fn the_curvature_is_the_slope_of_the_slope() {
    let mut random = Random::new(12);
    for system in [zoo(), gallery("lower-limb-markers"), super::planar_legs()] {
        let dofs = system.skeleton.dofs();
        for _ in 0..3 {
            let (mut look, q) = look(&system, &mut random);
            look.half(&q, &vec![0.0; dofs]);
            look.sums.differentiate(&system.skeleton, &system.numbers.tree, &look.frames, &q, &look.aims, true);
            let (normal, curvature) = (look.sums.normal.clone(), look.sums.curvature.clone());
            for e in 0..dofs {
                for d in 0..=e {
                    let h = 1e-3;
                    let mut half = |a: f64, b: f64| {
                        let mut step = vec![0.0; dofs];
                        step[e] += a * h;
                        step[d] += b * h;
                        look.half(&q, &step)
                    };
                    // Two widths, extrapolated.
                    let mut wide = |w: f64| (half(w, w) - half(w, -w) - half(-w, w) + half(-w, -w)) / (4.0 * w * w * h * h);
                    let expected = (4.0 * wide(1.0) - wide(2.0)) / 3.0;
                    let found = normal[e * dofs + d] + curvature[e * dofs + d];
                    let name = |k: usize| &system.names.speeds[k].name;
                    assert!((found - expected).abs() < 2e-8 * expected.abs().max(1.0), "{} {}: {found} {expected}", name(e), name(d));
                }
            }
        }
    }
}
