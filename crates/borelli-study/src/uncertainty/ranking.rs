//! What runs say of numbers: their bands, and which inputs make them uncertain.
//! Not here: estimates themselves (`borelli-fit`), the runs (`samples`).
//! In: how runs of a method ended. Out: a band of each number, and the rank of each input for it.

use super::definition::{Method, Uncertainty};
use super::design::Job;
use super::record::Rank;
use super::samples::{Ended, Finished};
use borelli_fit::uncertainty::bands::{Band, sampled};
use borelli_fit::uncertainty::{morris, sobol};

/// What runs say of one number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawn {
    pub band: Option<Band>,
    /// Runs that ended well without it.
    pub without: usize,
    /// By input, then by noise.
    pub ranks: Vec<Rank>,
}

/// What all runs say of result `k`.
pub(crate) fn rank(asked: &Uncertainty, jobs: &[Job], runs: &[Ended], k: usize) -> Drawn {
    let number = |ended: &Ended| match ended {
        Ended::Well(Finished { numbers, .. }) => numbers[k],
        _ => f64::NAN,
    };
    let without = runs.iter().filter(|ended| matches!(ended, Ended::Well(_)) && number(ended).is_nan()).count();
    let typical = jobs.iter().zip(runs).filter(|(job, _)| job.typical).map(|(_, ended)| number(ended));
    let band = sampled(&mut typical.filter(|x| x.is_finite()).collect::<Vec<_>>());
    let (inputs, noises) = (asked.inputs.len(), asked.noises.len());
    let mut ranks = vec![Rank::default(); inputs + noises];
    let of = |method: Method| -> Vec<f64> {
        jobs.iter().zip(runs).filter(|(job, _)| job.method == method).map(|(_, ended)| number(ended)).collect()
    };
    if asked.methods.contains(&Method::Sobol)
        && let (Some(indices), _) = sobol::indices(&of(Method::Sobol), inputs + noises, asked.seed)
    {
        for (rank, index) in ranks.iter_mut().zip(indices) {
            (rank.first, rank.total) = (Some([index.first, index.errors[0]]), Some([index.total, index.errors[1]]));
        }
    }
    if asked.methods.contains(&Method::Morris) {
        for (rank, effect) in ranks.iter_mut().zip(morris::effects(&of(Method::Morris), inputs, asked.seed)) {
            rank.effect = Some([effect.size, effect.spread]).filter(|_| effect.count > 0);
        }
    }
    Drawn { band, without, ranks }
}
