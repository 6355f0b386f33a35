//! Runs that get nowhere because two points of a path have met: the line between them has no direction there, and the pull goes to and fro.
//! Not here: which points can meet (`force::path_pinch` of the engine). In: kept steps. Out: the points, when a run crawls and they are in one place.

use borelli_dynamics::System;
use borelli_dynamics::force::{PathView, Pinch};

/// Kept steps between two looks, and the part of the run that so many steps make at least: at this pace a run takes a million.
const STEPS: usize = 10_000;
const PART: f64 = 1e-2;
/// Points nearer than this, m, have met.
const MET: f64 = 1e-6;

/// Looks whether a run crawls, and at its paths if it does.
pub(super) struct PinchWatch<'s> {
    system: &'s System,
    /// Time of the whole run, s.
    length: f64,
    steps: usize,
    since: f64,
}

impl<'s> PinchWatch<'s> {
    pub(super) fn new(system: &'s System, [from, to]: [f64; 2]) -> PinchWatch<'s> {
        PinchWatch { system, length: to - from, steps: 0, since: from }
    }

    /// Counts a kept step that ends here; the points that have met where the run crawls.
    pub(super) fn note(&mut self, t: f64, q: &[f64]) -> Option<Pinch> {
        self.steps += 1;
        if !self.steps.is_multiple_of(STEPS) {
            return None;
        }
        let crawls = t - std::mem::replace(&mut self.since, t) < PART * self.length;
        if !crawls || self.system.names.paths.is_empty() {
            return None;
        }
        let (mut view, mut nearest) = (PathView::new(self.system), None::<Pinch>);
        view.look(self.system, q);
        view.pinches(self.system, MET, |pinch| {
            if nearest.is_none_or(|known| pinch.distance < known.distance) {
                nearest = Some(pinch);
            }
        });
        nearest
    }
}

/// Why a run ended, for people.
pub(super) fn reason(system: &System, pinch: &Pinch) -> String {
    format!(
        "{} have met at {}: the line between them has no direction there, and the pull along it goes to and fro without end\n  \
         hint: keep the points apart, by a stop, a spring against it, or a point further away",
        pinch.words(system),
        pinch.place(system)
    )
}

#[cfg(test)]
mod tests {
    use crate::run::tests::{plan, system};
    use crate::run::{Status, Unwatched, run};

    /// A mass that constant tension draws to the ground, against its weight and two dashpots.
    const DRAWN: &str = "borelli = 1\ndimension = \"planar\"\n[world.point]\nS = [-1, 0]\nT = [0, -1]\n[body.a]\nmass = 2\ninertia = 0.1\n\
        [joint.j]\ntype = \"planar\"\nparent = \"world\"\nchild = \"a\"\n[path.line]\npoints = [\"world\", \"a\"]\n[path.aside]\npoints = [\"world.S\", \"a\"]\n\
        [path.below]\npoints = [\"world.T\", \"a\"]\n[force.pull]\ntype = \"actuator\"\npath = \"line\"\ntension = 50\n\
        [force.d]\ntype = \"dashpot\"\npath = \"aside\"\ndamping = 60\n[force.e]\ntype = \"dashpot\"\npath = \"below\"\ndamping = 60\n\
        [initial]\ncoordinates = { j_x = 0.01 }\n";

    #[test]
    fn a_run_that_is_drawn_to_a_point_of_its_path_ends_with_its_name() {
        let outcome = run(&system(DRAWN), &plan(2.0), None, &mut Unwatched).expect("a run");
        let Status::Failed { t, element, reason } = &outcome.status else { panic!("{:?}", outcome.status) };
        assert_eq!(element, "path.line");
        assert!(reason.contains("points 1 (on world) and 2 (on a) of path `line` have met at [0, 0] m"), "{reason}");
        assert!(*t > 0.01 && *t < 2.0 && outcome.statistics.accepted < 200_000, "{t} {}", outcome.statistics.accepted);
    }
}
