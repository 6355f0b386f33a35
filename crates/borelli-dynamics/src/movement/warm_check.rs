//! Whether searches for paths depend on where they begin: every 64th kept step they begin where the last one ended, and from nowhere.
//! Not here: the searches (`wrap::chain`).
//! In: kept states. Out: the largest difference so far.

use crate::force::{Lines, PathView, Stop};
use crate::system::System;

/// One kept step of so many is looked at.
const EVERY: usize = 64;

/// Warm starts held against cold ones.
pub struct WarmCheck {
    view: PathView,
    warm: Vec<f64>,
    kept: usize,
    /// How often both were compared.
    pub checks: usize,
    /// Largest difference of a length, m.
    pub worst: f64,
    /// Of which path.
    pub path: usize,
    /// When, s.
    pub t: f64,
}

impl WarmCheck {
    /// Where some path is searched for: over what has no closed form, or several obstacles between two points.
    pub(super) fn new(system: &System) -> Option<WarmCheck> {
        let paths = &system.numbers.paths;
        let searched = |stops: &[Stop<f64>]| {
            let closed = |stop: &Stop<f64>| match stop {
                Stop::Wrap { wrap, .. } => paths.wraps[*wrap as usize].item.obstacle.is_closed(),
                _ => true,
            };
            let two = |pair: &[Stop<f64>]| pair.iter().all(|stop| matches!(stop, Stop::Wrap { .. }));
            !stops.iter().all(closed) || stops.windows(2).any(two)
        };
        let any = paths.list.iter().any(|stops| searched(stops));
        any.then(|| WarmCheck {
            view: PathView::new(system),
            warm: vec![0.0; paths.len()],
            kept: 0,
            checks: 0,
            worst: 0.0,
            path: 0,
            t: 0.0,
        })
    }

    /// Counts a kept step; `like` are the paths of the last evaluation.
    pub(super) fn keep(&mut self, system: &System, t: f64, q: &[f64], like: &Lines<f64>) {
        self.kept += 1;
        if !self.kept.is_multiple_of(EVERY) {
            return;
        }
        self.checks += 1;
        self.view.begin_like(like);
        self.view.look(system, q);
        self.warm.copy_from_slice(&self.view.lines().length);
        self.view.forget();
        self.view.look(system, q);
        for (path, (warm, cold)) in self.warm.iter().zip(&self.view.lines().length).enumerate() {
            let apart = (warm - cold).abs();
            if apart > self.worst {
                (self.worst, self.path, self.t) = (apart, path, t);
            }
        }
    }
}
