//! How far a path in one pose is from where its way becomes doubtful.
//! Not here: what is told of it (`compile`, health blocks of runs). In: a `PathView`. Out: margins, one for each obstacle or string that has one.
//!
//! | string over | margin | doubtful |
//! | --- | --- | --- |
//! | what has no closed form, or several obstacles | j/l: the lateral field that starts with slope 1 at its first point, at the last, over the length in between | below 0.2 |
//! | a sphere | angle between its two points, seen from the centre: at half a turn its plane swings through any direction | above 150° |
//! | a cylinder or circle | angle to the cut of `least_turn`, where the string would come from the other side | below 15° |
//!
//! On a plane j = l; where j is zero neighbours are as short as the string, and it slides off (`wrap::chain`). Tests: `margins_are_those_of_closed_forms`,
//! `doubtful_paths_are_told_of_at_the_start`.

use super::path::{Stop, met_at};
use super::path_view::PathView;
use crate::system::System;
use crate::wrap::Obstacle;
use borelli_math::Vec3;
use std::f64::consts::TAU;

/// What a margin is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginKind {
    /// Sliding off: j/l.
    Slide,
    /// Angle between the two points beside a sphere, rad.
    Sphere,
    /// Angle to the cut of a cylinder, rad.
    Cut,
}

/// How far a path is from where its way becomes doubtful.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// The path.
    pub path: usize,
    /// The obstacle, or the first that is touched of several.
    pub wrap: u32,
    /// What it is about.
    pub kind: MarginKind,
    /// How far; a larger angle between points beside a sphere is the worse, of the others the smaller.
    pub value: f64,
}

impl MarginKind {
    /// Where doubt begins.
    pub fn limit(self) -> f64 {
        match self {
            MarginKind::Slide => 0.2,
            MarginKind::Sphere => 150f64.to_radians(),
            MarginKind::Cut => 15f64.to_radians(),
        }
    }

    /// Whether one value is worse than another.
    pub fn is_worse(self, value: f64, than: f64) -> bool {
        if self == MarginKind::Sphere { value > than } else { value < than }
    }
}

impl Margin {
    /// Whether it is worth a word.
    pub fn is_doubtful(&self) -> bool {
        self.kind.is_worse(self.value, self.kind.limit())
    }
}

impl PathView {
    /// Shows the margins of all paths at the last look.
    pub fn margins(&self, system: &System, mut show: impl FnMut(Margin)) {
        for (path, stops) in system.numbers.paths.list.iter().enumerate() {
            for (stop, own) in stops.iter().enumerate() {
                if let Stop::Wrap { wrap, .. } = own
                    && let Some((kind, value)) = self.angle_margin(system, path, stop)
                {
                    show(Margin { path, wrap: *wrap, kind, value });
                }
            }
            self.slide_margins(stops, path, &mut show);
        }
    }

    /// The margin of an obstacle with a closed form.
    fn angle_margin(&self, system: &System, path: usize, stop: usize) -> Option<(MarginKind, f64)> {
        let segments = self.lines().segments(path);
        let (met, _) = met_at(&self.scene(system), &system.numbers.paths.list[path][stop])?;
        let before = segments[stop - 1].ends[0].p_W;
        let behind = segments[stop..].iter().find(|segment| segment.length > 0.0)?.ends[1].p_W;
        let [P, Q] = [before, behind].map(|p_W| met.pose.inside(p_W));
        match met.obstacle {
            Obstacle::Sphere { .. } => {
                self.lines().touching(path, stop)?;
                Some((MarginKind::Sphere, P.cross(Q).norm().atan2(P.dot(Q))))
            }
            Obstacle::Cylinder { .. } => {
                let flat = |p: Vec3<f64>| [p.x, p.y];
                let ([a, b], [c, d]) = (flat(P), flat(Q));
                let turn = ((a * d - b * c) * met.manner.sense).atan2(a * c + b * d);
                let beyond = (turn - met.manner.least_turn).rem_euclid(TAU);
                Some((MarginKind::Cut, beyond.min(TAU - beyond)))
            }
            Obstacle::Ellipsoid { .. } | Obstacle::Torus { .. } => None,
        }
    }

    /// j/l of every string that was searched for.
    fn slide_margins(&self, stops: &[Stop<f64>], path: usize, show: &mut impl FnMut(Margin)) {
        let segments = self.lines().segments(path);
        let (mut j, mut slope, mut length, mut first) = (0.0, 1.0, 0.0, None);
        for (k, segment) in segments.iter().enumerate() {
            j += slope * segment.length;
            length += segment.length;
            match (&stops[k + 1], self.lines().touch(path, k + 1)) {
                (Stop::Wrap { wrap, .. }, Some(touch)) => {
                    let [a, a1, r, r1] = touch.jacobi;
                    length += touch.arc;
                    (j, slope) = (a * j + r * slope, a1 * j + r1 * slope);
                    // Closed forms come without a field.
                    if touch.jacobi != [0.0; 4] {
                        first = first.or(Some(*wrap));
                    }
                }
                (Stop::Wrap { .. }, None) => {}
                // A point holds the string: the next one begins.
                _ => {
                    if let Some(wrap) = first {
                        show(Margin { path, wrap, kind: MarginKind::Slide, value: j / length });
                    }
                    (j, slope, length, first) = (0.0, 1.0, 0.0, None);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::check;
    use crate::compile;
    use borelli_model::Model;

    /// A path from the ground to a body on a hinge about Z, with what is given before it and in it.
    fn strung(dimension: &str, ends: [&str; 2], wrap: &str, over: &str) -> System {
        let (inertia, axis) = if dimension == "planar" { ("1", "") } else { ("[1, 1, 1]", "axis = [0, 0, 1]\n") };
        let text = format!(
            "borelli = 1\ndimension = \"{dimension}\"\n[world.point]\nP = {}\n[body.a]\nmass = 1\ninertia = {inertia}\npoint = {{ Q = {} }}\n\
             [joint.x]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\n{axis}{wrap}\n[path.p]\npoints = [\"world.P\", {over}\"a.Q\"]\n",
            ends[0], ends[1]
        );
        compile(&Model::parse("strung.toml", &text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
    }

    fn margins(system: &System) -> Vec<Margin> {
        let (mut view, mut list) = (PathView::new(system), Vec::new());
        view.look(system, &system.start.q);
        view.margins(system, |margin| list.push(margin));
        list
    }

    fn codes(system: &System) -> Vec<&'static str> {
        check(system).iter().map(|found| found.code).collect()
    }

    const BALL: &str = "[wrap.w]\ntype = \"sphere\"\nat = \"world\"\nradius = 0.035";
    const ROUND: &str = "[wrap.w]\ntype = \"ellipsoid\"\nat = \"world\"\na = 0.035\nb = 0.035\nc = 0.035";
    const CIRCLE: &str = "[wrap.w]\ntype = \"circle\"\nat = \"world\"\nradius = 0.03";

    /// A round ellipsoid has the field of a sphere, a = cos φ and ρ = r sin φ over the arc r φ.
    #[test]
    fn margins_are_those_of_closed_forms() {
        for x in [0.005f64, 0.02, 0.03] {
            let ends = [format!("[{x}, 0.2, 0]"), format!("[{x}, -0.2, 0]")];
            let ends = [ends[0].as_str(), ends[1].as_str()];
            let angle = 2.0 * 0.2f64.atan2(x);
            let (p, r) = (x.hypot(0.2), 0.035);
            let (leg, phi) = ((p * p - r * r).sqrt(), angle - 2.0 * (r / p).acos());
            let (sin, cos) = phi.sin_cos();
            let (j, slope) = (leg * cos + r * sin, cos - leg * sin / r);
            let expected = (j + leg * slope) / (2.0 * leg + r * phi);
            let over = "{ wrap = \"w\", side = [1, 0, 0] }, ";
            let [found] = margins(&strung("spatial", ends, ROUND, over))[..] else { panic!("one margin") };
            assert!(found.kind == MarginKind::Slide && (found.value - expected).abs() < 1e-6, "{x}: {found:?} {expected}");
            let [found] = margins(&strung("spatial", ends, BALL, over))[..] else { panic!("one margin") };
            assert!(found.kind == MarginKind::Sphere && (found.value - angle).abs() < 1e-12, "{x}: {found:?} {angle}");
        }
        // A quarter and a half of a turn less than the cut at −60°, and a string that is free.
        for (turn, left) in [(210.0f64, 90.0f64), (290.0, 10.0), (-50.0, 10.0)] {
            let (sin, cos) = turn.to_radians().sin_cos();
            let end = format!("[{}, {}]", 0.1 * cos, 0.1 * sin);
            let [found] = margins(&strung("planar", ["[0.1, 0]", &end], CIRCLE, "{ wrap = \"w\", side = [0, 1] }, "))[..] else {
                panic!("one margin")
            };
            assert!(found.kind == MarginKind::Cut && (found.value.to_degrees() - left).abs() < 1e-9, "{turn}: {found:?}");
        }
    }

    #[test]
    fn doubtful_paths_are_told_of_at_the_start() {
        let side = "{ wrap = \"w\", side = [1, 0, 0] }, ";
        let steep = ["[0.005, 0.2, 0]", "[0.005, -0.2, 0]"];
        let flat = ["[0.03, 0.1, 0]", "[0.1, -0.03, 0]"];
        assert_eq!(codes(&strung("spatial", steep, ROUND, side)), ["path-near-sliding"]);
        assert_eq!(codes(&strung("spatial", steep, BALL, side)), ["sphere-far-round"]);
        assert!(codes(&strung("spatial", flat, &ROUND.replace("0.035", "0.075"), side)).is_empty());
        assert!(codes(&strung("spatial", flat, &BALL.replace("0.035", "0.075"), side)).is_empty());
        let turn = "{ wrap = \"w\", side = [0, 1] }, ";
        let [near, far] = [290.0f64, 210.0].map(|turn| {
            let (sin, cos) = turn.to_radians().sin_cos();
            format!("[{}, {}]", 0.1 * cos, 0.1 * sin)
        });
        assert_eq!(codes(&strung("planar", ["[0.1, 0]", &near], CIRCLE, turn)), ["cylinder-near-cut"]);
        assert!(codes(&strung("planar", ["[0.1, 0]", &far], CIRCLE, turn)).is_empty());
        let own = codes(&strung("planar", ["[0.1, 0]", "[0, 0.1]"], "[path.own]\npoints = [\"a\", \"a.Q\"]", ""));
        assert_eq!(own, ["path-on-one-body"]);
    }

    /// A conditional point that is not there at the start does not decide in which sense the string goes round.
    #[test]
    fn a_point_that_is_absent_gives_no_sense() {
        let ends = ["[-0.1, 0.06]\nR = [0.1, 0.06]", "[0.1, 0.06]"];
        let over = "{ wrap = \"w\", side = [0, -1] }, ";
        let absent = "{ at = \"world.R\", when = { coordinate = \"x\", from = \"1 rad\", to = \"2 rad\", jump = \"accept\" } }, ";
        let length = |over: &str| {
            let system = strung("planar", ends, CIRCLE, over);
            let mut view = PathView::new(&system);
            view.look(&system, &system.start.q);
            view.lines().length[0]
        };
        let (plain, conditional) = (length(over), length(&format!("{absent}{over}")));
        assert!(plain > 0.25 && plain == conditional, "{plain} {conditional}");
    }
}
