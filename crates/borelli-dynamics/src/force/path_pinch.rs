//! Neighbouring points of a path that lie in one place although they can move apart: a line between them has no direction there.
//! Not here: what paths do there (`path`); who ends a run for it. In: paths looked at in one pose. Out: the points, and how far they are apart.
//!
//! Points that coincide whatever the pose, such as the centre of a hinge on both of its bodies, pull at nothing and are harmless. Others pull along
//! a direction that jumps to the other side when one passes the other: a motion that is drawn there goes to and fro without end, unless the tension
//! vanishes with the distance.
//! Tests: `points_in_one_place_that_pull_are_refused`, `a_run_that_is_drawn_to_a_point_of_its_path_ends_with_its_name`.

use super::path::{Stop, moving_point};
use super::path_view::{PathView, shift};
use crate::scene::Point;
use crate::system::System;
use borelli_math::Vec3;

/// Two neighbouring points of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pinch {
    /// The path.
    pub path: usize,
    /// Which of its points, from zero.
    pub points: [usize; 2],
    /// Bodies of both.
    pub bodies: [usize; 2],
    /// How far they are apart, m.
    pub distance: f64,
    /// Where the first one is in the world, m.
    pub at: [f64; 3],
}

impl Pinch {
    /// The points in words: `1 (on world) and 2 (on thigh) of path `line``.
    pub fn words(&self, system: &System) -> String {
        let [a, b] = [0, 1].map(|k| format!("{} (on {})", self.points[k] + 1, system.names.bodies[self.bodies[k]]));
        format!("points {a} and {b} of path `{}`", system.names.paths[self.path])
    }

    /// Where they are in the world, in words.
    pub fn place(&self, system: &System) -> String {
        let axes = if system.skeleton.planar { 2 } else { 3 };
        // What rounds to nothing is not negative.
        let shown = self.at[..axes].iter().map(|x| format!("{}", (x * 1e6).round() / 1e6 + 0.0));
        format!("[{}] m", shown.collect::<Vec<_>>().join(", "))
    }
}

impl PathView {
    /// Shows neighbouring points that are nearer than `below`, m, at the last look, and can move apart.
    pub fn pinches(&self, system: &System, below: f64, mut show: impl FnMut(Pinch)) {
        let scene = self.scene(system);
        for (path, stops) in system.numbers.paths.list.iter().enumerate() {
            let mut last: Option<(usize, Point<f64>)> = None;
            for (stop, own) in stops.iter().enumerate() {
                let point = match own {
                    Stop::When { .. } if !self.lines().passes(path, stop) => continue,
                    Stop::Place(place) | Stop::When { place, .. } => Some(scene.point(*place)),
                    Stop::Moving { .. } => moving_point(&scene, own),
                    // What bends over an obstacle has directions of its own.
                    Stop::Wrap { .. } => None,
                };
                if let (Some((before, a)), Some(b)) = (last, point) {
                    let distance = (b.p_W - a.p_W).norm();
                    if distance < below && self.move_apart(system, path, [(before, a), (stop, b)]) {
                        show(Pinch { path, points: [before, stop], bodies: [a.body, b.body], distance, at: a.p_W.to_array() });
                    }
                }
                last = point.map(|point| (stop, point));
            }
        }
    }

    /// Whether some degree of freedom moves one of two points other than the other.
    fn move_apart(&self, system: &System, path: usize, ends: [(usize, Point<f64>); 2]) -> bool {
        (0..system.skeleton.dofs()).any(|dof| {
            let [a, b] = ends.map(|(stop, point)| {
                let own = self.lines().drifts(path).find(|drift| drift.stop == stop && drift.dof == dof);
                shift(&system.skeleton, &self.frames, dof, &point) + own.map_or(Vec3::ZERO, |drift| drift.along)
            });
            (b - a).norm() > 1e-9
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::assemble::check;
    use crate::compile;
    use borelli_model::Model;

    /// A body that floats in the plane at the origin, with a path and what pulls along it.
    fn codes(points: &str, pull: &str, start: &str) -> Vec<(&'static str, String)> {
        let text = format!(
            "borelli = 1\ndimension = \"planar\"\ngravity = [0, -9.81]\n[world.point]\nP = [0, 0.3]\n[body.a]\nmass = 2\ninertia = 0.1\npoint = {{ Q = [0.1, 0] }}\n\
             [joint.j]\ntype = \"planar\"\nparent = \"world\"\nchild = \"a\"\n[body.b]\nmass = 1\ninertia = 0.1\ncenter = [0.1, 0]\n\
             [joint.h]\ntype = \"hinge\"\nparent = \"a.Q\"\nchild = \"b\"\n[path.p]\npoints = [{points}]\n[force.f]\npath = \"p\"\n{pull}\n{start}"
        );
        let system = compile(&Model::parse("pinch.toml", &text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        check(&system).iter().map(|found| (found.code, found.message.clone())).collect()
    }

    #[test]
    fn points_in_one_place_that_pull_are_refused() {
        let pull = "type = \"actuator\"\ntension = 50";
        for points in ["\"world\", \"a\"", "\"world.P\", \"a\", \"world\""] {
            let found = codes(points, pull, "");
            let [("coincident-path-points", message)] = &found[..] else { panic!("{found:?}") };
            assert!(message.contains("of path `p` lie in one place at the start, [0, 0] m, and 50.000 N act"), "{message}");
        }
        let found = codes("\"world.P\", \"a\", \"world\"", pull, "");
        assert!(found[0].1.starts_with("points 2 (on a) and 3 (on world)"), "{found:?}");
        // Apart, with a tension that vanishes with the distance, or in one place whatever the pose: the centre of a hinge on both bodies.
        assert_eq!(codes("\"world\", \"a\"", pull, "[initial]\ncoordinates = { j_x = \"1 mm\" }"), []);
        assert_eq!(codes("\"world\", \"a\"", "type = \"spring\"\nstiffness = 400\nlength = 0", ""), []);
        assert_eq!(codes("\"world.P\", \"a.Q\", \"b\"", pull, ""), []);
    }
}
