//! What is worth telling of bent paths over the samples of a run: how near they came to sliding off, to the far side of a sphere, to the cut of a cylinder.
//! Not here: how margins are found (`force::path_margin` of the engine). In: coordinates at samples. Out: lines of the health block.

use super::{CheckWords, HealthLine, Verdict};
use borelli_dynamics::System;
use borelli_dynamics::force::{Margin, MarginKind, PathView};
use borelli_dynamics::movement::WarmCheck;

const KINDS: [MarginKind; 3] = [MarginKind::Slide, MarginKind::Sphere, MarginKind::Cut];

/// Lengths from two starts that differ by more, m, are two answers.
const APART: f64 = 1e-10;

/// Margins of paths over the samples of a run.
pub(super) struct PathWatch<'s> {
    system: &'s System,
    /// Nothing without wraps.
    view: Option<PathView>,
    /// The worst of each kind, and when.
    worst: [Option<(Margin, f64)>; KINDS.len()],
}

impl<'s> PathWatch<'s> {
    pub(super) fn new(system: &'s System) -> PathWatch<'s> {
        let view = (!system.numbers.paths.wraps.is_empty()).then(|| PathView::new(system));
        PathWatch { system, view, worst: [None; KINDS.len()] }
    }

    /// Notes a sample.
    pub(super) fn note(&mut self, t: f64, q: &[f64]) {
        let Some(view) = &mut self.view else { return };
        view.look(self.system, q);
        view.margins(self.system, |margin| {
            for (kind, worst) in KINDS.into_iter().zip(&mut self.worst) {
                if kind == margin.kind && worst.is_none_or(|(known, _)| kind.is_worse(margin.value, known.value)) {
                    *worst = Some((margin, t));
                }
            }
        });
    }

    /// Lines of the health block: one for each kind that the model has.
    pub(super) fn lines(&self) -> Vec<HealthLine> {
        self.worst.iter().flatten().map(|(margin, t)| self.line(margin, *t)).collect()
    }

    fn line(&self, margin: &Margin, t: f64) -> HealthLine {
        let (path, wrap) = (&self.system.names.paths[margin.path], &self.system.numbers.paths.wraps[margin.wrap as usize].name);
        let degrees = margin.value.to_degrees();
        let (key, label, value, words) = match margin.kind {
            MarginKind::Slide => (
                "path_near_sliding",
                "string near sliding off",
                (margin.value, "1"),
                CheckWords {
                    found: format!(
                        "Beside path `{path}` on wrap `{wrap}` others are nearly as short at {t:.4} s: 1 on a plane, 0 where it slides off"
                    ),
                    allowed: "at least 0.2",
                    advice: "let a cylinder take the place of the wrap, or add a point that holds the path",
                },
            ),
            MarginKind::Sphere => (
                "sphere_far_round",
                "string far round a sphere",
                (degrees, "deg"),
                CheckWords {
                    found: format!(
                        "Angle between the points of path `{path}` beside sphere `{wrap}`, the largest, at {t:.4} s; at 180 its plane swings"
                    ),
                    allowed: "at most 150 deg",
                    advice: "let a cylinder take the place of the sphere: its sense is fixed",
                },
            ),
            MarginKind::Cut => (
                "cylinder_near_cut",
                "string near the cut of a cylinder",
                (degrees, "deg"),
                CheckWords {
                    found: format!(
                        "Angle of path `{path}` to where it would come round cylinder `{wrap}` from the other side, the least, at {t:.4} s"
                    ),
                    allowed: "at least 15 deg",
                    advice: "give the path entry another `least_turn`, so that the cut lies where the motion never goes",
                },
            ),
        };
        HealthLine::judged(key, label, value, Verdict::good_if(!margin.is_doubtful()), words)
    }
}

/// What comparing warm starts of searches with cold ones has shown; none where no path is searched for.
pub(super) fn warm_line(system: &System, check: Option<&WarmCheck>) -> Option<HealthLine> {
    let check = check.filter(|check| check.checks > 0)?;
    let words = CheckWords {
        found: format!(
            "Lengths of paths found from where the last search ended and from nowhere, compared at {} kept step{}; that of `{}` differs most, at {:.4} s",
            check.checks,
            if check.checks == 1 { "" } else { "s" },
            system.names.paths[check.path],
            check.t
        ),
        allowed: "1e-10 m",
        advice: "the path has two places to lie in that pose: give its wrap a `side`, or a cylinder in its place",
    };
    let verdict = Verdict::good_if(check.worst <= APART);
    Some(HealthLine::judged("path_start", "paths from two starts", (check.worst, "m"), verdict, words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::tests::{good, plan, system};

    /// A body that turns freely carries the end of a path round a circle, towards the cut at 300°, by 80° in a second.
    #[test]
    fn a_string_that_comes_near_the_cut_of_a_circle_is_told_of() {
        let (sin, cos) = 210f64.to_radians().sin_cos();
        let text = format!(
            "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[world.point]\nP = [0.1, 0]\n[body.a]\nmass = 1\ninertia = 1\n\
             point = {{ Q = [{}, {}] }}\n[joint.x]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\n[wrap.w]\ntype = \"circle\"\nat = \"world\"\nradius = 0.03\n\
             [path.p]\npoints = [\"world.P\", {{ wrap = \"w\", side = [0, 1] }}, \"a.Q\"]\n[initial]\nspeeds = {{ x = \"80 deg/s\" }}\n",
            0.1 * cos,
            0.1 * sin
        );
        let system = system(&text);
        for (end, left, verdict) in [(0.5, 50.0, Verdict::Good), (1.0, 10.0, Verdict::Look)] {
            let outcome = good(&system, &plan(end));
            let line = outcome.health.iter().find(|line| line.key == "cylinder_near_cut").expect("a line");
            assert!((line.value.expect("a number") - left).abs() < 1e-6, "{line:?}");
            assert_eq!(line.verdict, verdict);
            assert!(line.text.contains("path `p`") && line.text.contains(&format!("{end:.4} s")), "{}", line.text);
            assert!(outcome.health.iter().all(|line| line.key != "path_start"), "closed forms are not searched for");
        }
    }

    /// The same body with a spring over an ellipsoid, whose place is searched for: kept steps are compared, and both starts agree.
    #[test]
    fn searches_from_two_starts_are_told_of() {
        let text = "borelli = 1\ndimension = \"spatial\"\n[world.point]\nP = [0.05, 0.2, 0.02]\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\n\
             point = { Q = [0.042, -0.08, -0.014] }\n[joint.x]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\naxis = [0, 0, 1]\n\
             [wrap.w]\ntype = \"ellipsoid\"\nat = \"world\"\na = 0.045\nb = 0.03\nc = 0.06\n\
             [path.p]\npoints = [\"world.P\", { wrap = \"w\", side = [1, 0, 0] }, \"a.Q\"]\n[force.s]\ntype = \"spring\"\npath = \"p\"\nstiffness = 400\nlength = 0.2\n\
             [initial]\ncoordinates = { x = -0.1 }\nspeeds = { x = -0.5 }\n";
        let mut plan = plan(0.1);
        plan.integrator.method = Some("rk4".into());
        plan.integrator.settings.step = Some(1e-3);
        let outcome = good(&system(text), &plan);
        let line = outcome.health.iter().find(|line| line.key == "path_start").expect("a line");
        assert!(
            line.value.expect("a number") < 1e-12 && line.verdict == Verdict::Good && line.text.contains("at 1 kept step;"),
            "{line:?}"
        );
        assert!(outcome.health.iter().any(|line| line.key == "path_near_sliding" && line.verdict == Verdict::Good));
    }

    /// A mass on a rail carries the end of a path into a circle: the run ends where it enters, and says so.
    #[test]
    fn a_point_that_moves_into_a_wrap_ends_the_run() {
        let text = "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[world.point]\nP = [0.1, 0.2]\n[body.a]\nmass = 1\ninertia = 1\n\
             [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n[wrap.w]\ntype = \"circle\"\nat = \"world\"\nradius = 0.05\n\
             [path.p]\npoints = [\"world.P\", { wrap = \"w\", side = [0, 1] }, \"a\"]\n[force.s]\ntype = \"spring\"\npath = \"p\"\nstiffness = 1e-6\nlength = 0.2\n\
             [initial]\ncoordinates = { x = 0.1 }\nspeeds = { x = -0.1 }\n";
        let outcome = crate::run::run(&system(text), &plan(1.0), None, &mut crate::run::Unwatched).expect("a run");
        let crate::run::Status::Failed { t, element, reason } = &outcome.status else { panic!("{:?}", outcome.status) };
        assert!(
            (t - 0.5).abs() < 1e-4 && element == "path.p" && reason.contains("its point behind wrap `w` inside"),
            "{t} {element} {reason}"
        );
    }

    /// A long ellipsoid that a string without a `side` passes across its middle: a search that begins where the last one ended stays on its side,
    /// one from nowhere takes the shorter way.
    #[test]
    fn a_string_that_stays_on_the_longer_side_is_told_of() {
        let text = "borelli = 1\ndimension = \"spatial\"\ngravity = [0, 0, 0]\n[world.point]\nP = [0, 0.2, 0]\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\n\
             point = { Q = [0, -0.2, 0] }\n[joint.x]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\naxis = [0, 0, 1]\n\
             [wrap.w]\ntype = \"ellipsoid\"\nat = \"world\"\na = 0.03\nb = 0.03\nc = 0.6\n[path.p]\npoints = [\"world.P\", { wrap = \"w\" }, \"a.Q\"]\n\
             [initial]\ncoordinates = { x = -0.1 }\nspeeds = { x = 1 }\n";
        let mut plan = plan(0.15);
        plan.integrator.method = Some("rk4".into());
        plan.integrator.settings.step = Some(1e-3);
        let outcome = good(&system(text), &plan);
        let line = outcome.health.iter().find(|line| line.key == "path_start").expect("a line");
        // After 128 steps the hinge is 0.028 rad past the middle: by the angle 2 × 0.028 more about the radius of 30 mm.
        assert!(line.verdict == Verdict::Look && line.text.contains("that of `p` differs most, at 0.1280 s"), "{line:?}");
        assert!((line.value.expect("a number") - 2.0 * 0.028 * 0.03).abs() < 1e-6, "{line:?}");
    }
}
