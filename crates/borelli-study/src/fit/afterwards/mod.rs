//! What is asked of a fit when its search is over: trials left out, profiles of unknowns, frames drawn anew. All are further searches from the best point.
//! Not here: the search before (`search`), what slopes alone tell (`judge`), files.
//! In: a problem and its best point. Out: a record of what further searches found.
//!
//! Each search is done by one thread and depends on what it is asked alone, so that the number of threads changes no bit. Who ends them early is left with those
//! that were over.

mod bootstrap;
mod leave_one_out;
mod profile;
mod record;
mod refit;

pub use record::{Bootstrap, Drawn, End, LeftOut, Profile, ProfilePoint, Spread, Wider};

use super::answer::Evaluator;
use super::definition::Fit;
use super::problem::Problem;
use super::record::FitRecord;
use super::search::SearchWatch;
use crate::channels::Channels;
use crate::cores::{cores, on_all_cores};
use crate::pattern::fits;
use refit::Refit;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How far further searches are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefitProgress {
    /// Searches that are over, and all.
    pub done: (usize, usize),
}

/// Who can make the problem of another choice of trials.
pub(crate) trait Again: Sync {
    /// The problem of a fit, with its channels.
    fn problem<'f>(&'f self, fit: &'f Fit) -> Option<(Channels<'f>, Problem<'f>)>;
}

/// What one thread does.
#[derive(Clone, Copy)]
enum Job {
    /// Leaves a trial out, by its number.
    LeaveOut(usize),
    /// Follows an unknown to one side.
    Follow(usize, f64),
    /// Draws frames anew, by the number of the draw.
    Draw(usize),
}

/// What came of it.
enum Came {
    LeftOut(LeftOut),
    Side(profile::Side),
    Drawn(Drawn),
}

/// Blocks of so many seconds in the trial that has most of them.
pub(super) fn blocks(problem: &Problem, block: f64) -> usize {
    bootstrap::Frames::new(problem, block).blocks()
}

/// Unknowns whose profiles are asked for, by number.
fn followed(fit: &Fit) -> Vec<usize> {
    let asked = |name: &str| fit.afterwards.profile.iter().any(|(pattern, _)| fits(pattern, name));
    (0..fit.unknowns.len()).filter(|k| asked(&fit.unknowns[*k].name)).collect()
}

/// Does what the fit asks for after its search ended at the scaled point `z`.
pub(crate) fn afterwards<'s>(
    (problem, channels, again): (&Problem<'s>, &Channels, &dyn Again),
    fit: &Fit,
    z: &[f64],
    record: &FitRecord,
    watch: &mut dyn SearchWatch,
) -> Wider {
    let asked = &fit.afterwards;
    let fitted = (0..fit.trials.len()).filter(|k| asked.leave_one_out && fit.trials[*k].is_fitted);
    let mut jobs: Vec<Job> = fitted.map(Job::LeaveOut).collect();
    // Without a rise of J that means 95 % there is nothing to look for.
    let profiled: Vec<usize> = if record.rise.is_some() { followed(fit) } else { Vec::new() };
    jobs.extend(profiled.iter().flat_map(|k| [Job::Follow(*k, -1.0), Job::Follow(*k, 1.0)]));
    jobs.extend((0..asked.bootstrap.map_or(0, |(count, _)| count)).map(Job::Draw));
    let mut wider = Wider { asked: jobs.len(), ..Wider::default() };
    if jobs.is_empty() {
        return wider;
    }
    let mut evaluators: Vec<Evaluator<'s>> = (0..cores().min(jobs.len())).map(|_| problem.evaluator(channels)).collect();
    let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    let refit = Refit { problem, fit, stop: &stop };
    let held = problem.giving(&mut evaluators[0], z);
    let frames = asked.bootstrap.map(|(_, block)| bootstrap::Frames::new(problem, block));
    let work = |evaluator: &mut Evaluator<'s>, (job, came): (&Job, &mut Option<Came>)| {
        *came = match job {
            Job::LeaveOut(trial) => leave_one_out::leave_out(&refit, evaluator, again, *trial, z, record).map(Came::LeftOut),
            Job::Follow(unknown, side) => profile::follow(&refit, evaluator, (*unknown, *side), z, record).map(Came::Side),
            Job::Draw(number) => frames.as_ref().and_then(|frames| bootstrap::draw(&refit, evaluator, frames, *number, z)).map(Came::Drawn),
        };
        done.fetch_add(usize::from(came.is_some()), Ordering::Relaxed);
    };
    let mut came: Vec<Option<Came>> = jobs.iter().map(|_| None).collect();
    let count = jobs.len();
    on_all_cores(&mut evaluators, jobs.iter().zip(&mut came), work, || {
        if !watch.refits(RefitProgress { done: (done.load(Ordering::Relaxed), count) }) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    wider.made = came.iter().filter(|came| came.is_some()).count();
    let (mut sides, mut drawn) = (Vec::new(), Vec::new());
    for came in came.into_iter().flatten() {
        match came {
            Came::LeftOut(own) => wider.left_out.push(own),
            Came::Side(own) => sides.push(own),
            Came::Drawn(own) => drawn.push(own),
        }
    }
    wider.profiles = profile::joined(problem, &profiled, &held, sides, z, record);
    wider.bootstrap = asked.bootstrap.map(|(_, block)| bootstrap::spread(record, block, drawn));
    wider
}
