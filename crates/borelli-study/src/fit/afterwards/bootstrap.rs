//! Block bootstrap: frames of each trial drawn anew in blocks, all fitted again, so that no distribution of the noise is assumed.
//! Not here: searches (`refit`), quantiles (`borelli-fit`). In: the best point, the number of a draw. Out: unknowns of that draw; their spread over all.
//! Source: Kuensch (1989), Ann Statist 17:1217; blocks around the end as in Politis, Romano (1992), in: Exploring the limits of bootstrap, 263.
//!
//! A frame is a sample of a trial with the residuals of all its terms. What draws unknowns and what is extra stay as they are.

use super::super::answer::Evaluator;
use super::super::problem::Problem;
use super::super::record::FitRecord;
use super::record::{Bootstrap, Drawn, Spread};
use super::refit::Refit;
use borelli_fit::random::{Purpose, Stream};
use borelli_fit::uncertainty::bands::sampled;

/// Frames of fitted trials.
pub(super) struct Frames {
    rows: usize,
    /// Trial by trial: frames in a block, and the residuals of each frame.
    trials: Vec<(usize, Vec<Vec<usize>>)>,
}

impl Frames {
    /// Frames of a problem, in blocks of so many seconds.
    pub(super) fn new(problem: &Problem, block: f64) -> Frames {
        let one = |(times, rows): (Vec<f64>, Vec<Vec<usize>>)| {
            let mut between: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
            between.sort_by(f64::total_cmp);
            let usual = between.get(between.len() / 2).copied().unwrap_or(block);
            (((block / usual).round() as usize).clamp(1, rows.len()), rows)
        };
        Frames { rows: problem.rows(), trials: problem.frames().into_iter().filter(|(times, _)| !times.is_empty()).map(one).collect() }
    }

    /// Blocks in the trial that has most of them.
    pub(super) fn blocks(&self) -> usize {
        self.trials.iter().map(|(block, frames)| frames.len() / block).max().unwrap_or(0)
    }

    /// How often each residual counts in a draw.
    fn counts(&self, seed: u32, number: usize) -> Vec<f64> {
        let mut counts = vec![1.0; self.rows];
        for (trial, (block, frames)) in self.trials.iter().enumerate() {
            frames.iter().flatten().for_each(|row| counts[*row] = 0.0);
            let mut stream = Stream::new(seed, Purpose::Bootstrap, number as u32, trial as u32, 0);
            let mut left = frames.len();
            while left > 0 {
                let (first, length) = (stream.below(frames.len()), left.min(*block));
                for k in first..first + length {
                    frames[k % frames.len()].iter().for_each(|row| counts[*row] += 1.0);
                }
                left -= length;
            }
        }
        counts
    }
}

/// Fits the frames of a draw; nothing where that was stopped.
pub(super) fn draw<'s>(refit: &Refit<'_, 's>, evaluator: &mut Evaluator<'s>, frames: &Frames, number: usize, z: &[f64]) -> Option<Drawn> {
    let counts = frames.counts(refit.fit.seed, number);
    let found = refit.search(evaluator, z, &[], &counts)?;
    let unknowns = refit.problem.values(evaluator, &found.point).unwrap_or_else(|| vec![f64::NAN; z.len()]);
    Some(Drawn { number: number + 1, objective: found.objective, found: found.found, unknowns })
}

/// The spread of unknowns over draws that found what they looked for.
pub(super) fn spread(record: &FitRecord, block: f64, draws: Vec<Drawn>) -> Bootstrap {
    let of = |k: usize| {
        let mut values: Vec<f64> = draws.iter().filter(|own| own.found).map(|own| own.unknowns[k]).collect();
        if values.len() < 2 {
            return None;
        }
        sampled(&mut values).map(|band| Spread { sd: band.sd, ends: [band.quantiles[0], band.quantiles[2]] })
    };
    let spreads = (0..record.unknowns.len()).map(of).collect();
    Bootstrap { block, draws, spreads }
}
