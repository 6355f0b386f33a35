//! A fit without one of its trials, and how well it foretells that trial.
//! Not here: searches (`refit`). In: a trial, the best point of all. Out: what the others say of it.

use super::super::answer::Evaluator;
use super::super::record::FitRecord;
use super::record::LeftOut;
use super::refit::Refit;
use super::{Again, Fit};

/// Fits all trials but one, from the best point; nothing where that was stopped.
pub(super) fn leave_out<'s>(
    refit: &Refit<'_, 's>,
    evaluator: &mut Evaluator<'s>,
    again: &dyn Again,
    trial: usize,
    z: &[f64],
    record: &FitRecord,
) -> Option<LeftOut> {
    let Refit { problem, fit, stop } = refit;
    let name = fit.trials[trial].name.clone();
    let fitted = problem.trial_value(evaluator, z, trial);
    let mut others: Fit = (*fit).clone();
    others.trials[trial].is_fitted = false;
    // What could be made with the trial can be made without it.
    let (channels, without) = again.problem(&others)?;
    let mut own = without.evaluator(&channels);
    let found = Refit { problem: &without, fit: &others, stop }.search(&mut own, z, &[], &[])?;
    let values = without.values(&mut own, &found.point).unwrap_or_else(|| vec![f64::NAN; z.len()]);
    let shift = |k: usize| {
        let scale = without.unknowns.list[k].scale;
        let sd = record.unknowns[k].spread.map_or(f64::NAN, |(sd, _)| sd / scale.slope(z[k]).abs());
        (scale.scaled(values[k]) - scale.scaled(record.unknowns[k].best)) / sd
    };
    Some(LeftOut {
        trial: name,
        fitted,
        left_out: without.trial_value(&mut own, &found.point, trial),
        found: found.found,
        shifts: (0..z.len()).map(shift).collect(),
        unknowns: values,
    })
}
