//! How the points of paths move on their bodies when coordinates change: T1 and T2 on obstacles, moving points.
//! Not here: lengths, rates and forces, which do not see it (`path`); the chain along the tree (`formulation`).
//! In: paths that were filled, how bodies are displaced. Out: for each straight piece how far both of its ends slip.
//!
//! With the points of a path held on their bodies the directions of its straight pieces change as those of any path. What is missing for second derivatives of the length
//! is the slip s of both ends on their bodies: a piece from a to b that pulls with one newton changes its direction and its moment about o by
//!
//! ```text
//! δe = (1 − e eᵀ)(s_b − s_a)/l        δn = s_a × e + (a − o) × δe                                                   (1)
//! ```
//!
//! Tests: `jacobians_of_bent_paths_are_those_of_duals`, and the loop tests over the gallery.

use super::path::{Drift, Lines, Segment, Stop, met_at};
use crate::scene::Scene;
use crate::wrap::MOST;
use crate::wrap::chain::{Arc, Carried, Tie};
use borelli_math::Vec3;

/// A stretch of a path between two neighbouring points, over all obstacles that it touches there.
pub(crate) struct Run<'a> {
    /// Straight pieces, one more than obstacles.
    pub(crate) pieces: [&'a Segment<f64>; MOST + 1],
    /// Number of obstacles that are touched.
    pub(crate) touched: usize,
    /// Where the stretch begins or ends with a moving point: that.
    pub(crate) drifts: [Option<&'a Drift<f64>>; 2],
    arcs: [Option<Arc<f64>>; MOST],
    tie: Option<Tie>,
}

impl Run<'_> {
    /// Bodies along the stretch, the first and the last included.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = usize> {
        let first = self.pieces[0].ends[0].body;
        std::iter::once(first).chain(self.pieces[..=self.touched].iter().map(|piece| piece.ends[1].body))
    }

    /// Slips of both ends of every piece when body k of the stretch is displaced as `displaced` says of its points, and turned by `turned`, and a degree of freedom
    /// changes by one; of that only moving points know.
    pub(crate) fn slips(
        &self,
        dof: usize,
        displaced: impl Fn(usize, Vec3<f64>) -> Vec3<f64>,
        turned: impl Fn(usize) -> Vec3<f64>,
    ) -> [[Vec3<f64>; 2]; MOST + 1] {
        let mut slips = [[Vec3::ZERO; 2]; MOST + 1];
        let own = self.drifts.map(|drift| drift.filter(|drift| drift.dof == dof).map_or(Vec3::ZERO, |drift| drift.along));
        (slips[0][0], slips[self.touched][1]) = (own[0], own[1]);
        let (Some(tie), Some(first)) = (&self.tie, self.arcs[0]) else { return slips };
        let (p, q) = (self.pieces[0].ends[0].p_W, self.pieces[self.touched].ends[1].p_W);
        let arcs: [Arc<f64>; MOST] = self.arcs.map(|arc| arc.unwrap_or(first));
        let carried: [Carried; MOST] = std::array::from_fn(|k| {
            if k < self.touched {
                let ends = [self.pieces[k].ends[1].p_W, self.pieces[k + 1].ends[0].p_W];
                Carried { ends: ends.map(|x| displaced(k + 1, x)), turn: turned(k + 1) }
            } else {
                Carried { ends: [Vec3::ZERO; 2], turn: Vec3::ZERO }
            }
        });
        let (d_p, d_q) = (displaced(0, p) + own[0], displaced(self.touched + 1, q) + own[1]);
        let found = tie.slips((p, d_p), &arcs[..self.touched], &carried[..self.touched], (q, d_q));
        for (k, [T1, T2]) in found.into_iter().take(self.touched).enumerate() {
            slips[k][1] = T1;
            slips[k + 1][0] = T2;
        }
        slips
    }
}

impl Lines<f64> {
    /// Shows every stretch of a path whose points slip on their bodies.
    pub(crate) fn runs(&self, scene: &Scene<f64, f64>, path: usize, mut visit: impl FnMut(&Run)) {
        let (stops, segments) = (&scene.numbers.paths.list[path], self.segments(path));
        let Some(nothing) = segments.first() else { return };
        let drift_at = |stop: usize| self.drifts(path).find(|drift| drift.stop == stop);
        let blank =
            |begin: usize| Run { pieces: [nothing; MOST + 1], touched: 0, drifts: [drift_at(begin), None], arcs: [None; MOST], tie: None };
        let mut run = blank(0);
        let mut mets = [None; MOST];
        for (k, stop) in stops.iter().enumerate().skip(1) {
            let piece = &segments[k - 1];
            match stop {
                Stop::Wrap { .. } => {
                    if let Some(touch) = self.touch(path, k) {
                        mets[run.touched] = met_at(scene, stop).map(|(met, _)| (met, touch));
                        run.pieces[run.touched] = piece;
                        run.touched += 1;
                    }
                }
                Stop::When { .. } if !self.passes(path, k) => {}
                Stop::Place(_) | Stop::When { .. } | Stop::Moving { .. } => {
                    run.pieces[run.touched] = piece;
                    run.drifts[1] = drift_at(k);
                    if run.touched > 0 {
                        for (i, met) in mets.iter().take(run.touched).enumerate() {
                            run.arcs[i] = met.map(|(met, touch)| Arc::of(&met, touch, [run.pieces[i].e, run.pieces[i + 1].e]));
                        }
                        if let Some(first) = run.arcs[0] {
                            let arcs = run.arcs.map(|arc| arc.unwrap_or(first));
                            run.tie = Tie::new(run.pieces[0].ends[0].p_W, &arcs[..run.touched], piece.ends[1].p_W);
                        }
                    }
                    if run.touched > 0 || run.drifts.iter().any(Option::is_some) {
                        visit(&run);
                    }
                    run = blank(k);
                }
            }
        }
    }

    /// Whether a path has points that may slip on their bodies now.
    pub(crate) fn slip_on(&self, scene: &Scene<f64, f64>, path: usize) -> bool {
        let stops = &scene.numbers.paths.list[path];
        stops.iter().enumerate().any(|(k, stop)| match stop {
            Stop::Place(_) | Stop::When { .. } => false,
            Stop::Moving { .. } => true,
            Stop::Wrap { .. } => self.touch(path, k).is_some(),
        })
    }
}
