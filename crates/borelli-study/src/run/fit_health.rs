//! Health of a fit: whether the search found what it looked for, what blocks it, what data do not determine, and what further searches say of it.
//! Not here: the fit, the health of the run at its end.
//! In: the record of a fit. Out: lines with verdicts.

use super::outcome::{HealthLine, Verdict};
use crate::fit::{End, Fit, FitRecord, NAMED};
use borelli_fit::covariance::Noise;

/// Generations without growth after which a front is worth a look.
const STAGNANT: usize = 20;
/// Part of the evaluations without a value from which on that is worth a look: bounds that are mostly out of reach.
const MOST_REJECTED: f64 = 0.25;
/// Standard deviations of r'r beyond which its size is no chance.
const SURPRISING: f64 = 4.0;
/// Part of what ends an interval by which J may fall in a profile without a word.
const LOWER: f64 = 1e-3;
/// Difference between ends of intervals by slopes and by profiles, over the width, that is worth a look.
const APART: f64 = 0.1;

/// Whether the search found what it looked for, which bounds it met, and what data do not determine.
pub(super) fn health(fit: &Fit, record: &FitRecord) -> Vec<HealthLine> {
    let mut lines = vec![line(
        "fit_search",
        "search",
        record.objective,
        Verdict::good_if(record.found),
        format!(
            "It ended because {}. {} evaluations, {} of them with slopes.{}",
            record.stop,
            record.evaluations,
            record.jacobians,
            hint(record)
        ),
    )];
    if let (Some(volume), Some(last)) = (record.volumes.last(), record.history.last()) {
        // Stages count their generations anew.
        let rounds = record.history.iter().rev().take(last.iterations + 1);
        let quiet = rounds.take_while(|round| round.volume == last.volume).count().saturating_sub(1);
        let verdict = if quiet >= STAGNANT { Verdict::Look } else { Verdict::None };
        let points = record.front.len();
        let text = format!(
            "The front of {points} points dominates a volume of {volume:.4} before the reference point, the same for the last {quiet} generations."
        );
        lines.push(line("fit_front", "front", *volume, verdict, text));
    }
    if let Some(reason) = &record.rejected_because {
        let share = record.rejected as f64 / record.evaluations.max(1) as f64;
        let verdict = if share > MOST_REJECTED { Verdict::Look } else { Verdict::None };
        let text = format!(
            "{} of {} evaluations had no value, and the search turned back from them. The first: {reason}.",
            record.rejected, record.evaluations
        );
        lines.push(line("fit_rejected", "evaluations without a value", record.rejected as f64, verdict, text));
    }
    let compared = || record.residuals.iter().filter(|own| !own.is_fitted);
    let without = compared().filter(|own| !own.computed.is_finite()).count();
    if let Some(first) = compared().find(|own| !own.computed.is_finite()) {
        let text = format!(
            "{without} of {} samples of trials that are only compared have no value, the first in `{}` at {} s: their runs fail there or end before.",
            compared().count(),
            first.trial,
            first.time
        );
        lines.push(line("fit_validation", "samples without a value", without as f64, Verdict::Look, text));
    }
    for (name, over) in &record.exceeded {
        let text = format!("The constraint `{name}` does not hold at the end: it is exceeded by {over:e}, SI.");
        lines.push(line("fit_constraint", "constraint", *over, Verdict::Bad, text));
    }
    let held: Vec<&str> = record.unknowns.iter().filter(|own| own.at_bound.is_some()).map(|own| own.name.as_str()).collect();
    if !held.is_empty() {
        let blocks = record.blocking_words().map_or(String::new(), |words| format!(" {words}"));
        let text = format!("{} of {} unknowns ended at a bound: {}.{blocks}", held.len(), fit.unknowns.len(), held.join(", "));
        lines.push(line("fit_bounds", "unknowns at a bound", held.len() as f64, Verdict::None, text));
    }
    if !record.limits.is_empty() {
        let names: Vec<String> = record.limits.iter().map(|own| format!("{} ({})", own.name, own.unknown)).collect();
        let blocks =
            if held.is_empty() { record.blocking_words().map_or(String::new(), |words| format!(" {words}")) } else { String::new() };
        let text = format!("Unknowns give way to {} constraints: {}.{blocks}", record.limits.len(), names.join(", "));
        lines.push(line("fit_limits", "constraints that unknowns give way to", record.limits.len() as f64, Verdict::None, text));
    }
    lines.extend(scatter(fit, record));
    further(fit, record, &mut lines);
    let free = record.unknowns.len() - held.len();
    // Maxima leave no residuals that could be counted.
    if record.residual_count > 0 && record.residual_count < free {
        let text = format!("There are {} residuals for {free} unknowns: many values fit equally well.", record.residual_count);
        lines.push(line("fit_residuals", "residuals", record.residual_count as f64, Verdict::Look, text));
    }
    if let Some(weak) = record.weak.first() {
        let words: Vec<String> = weak.parts.iter().map(|(name, part)| format!("{part:.2} {name}")).collect();
        let what = if weak.undetermined { "do not determine" } else { "hardly determine" };
        let count = record.weak.len();
        let least = if count == NAMED { "at least " } else { "" };
        let intervals = if record.unknowns.iter().any(|own| own.spread.is_some()) {
            " Intervals are those of a linear model, and may be far too narrow along them."
        } else {
            ""
        };
        let text = format!("The data {what} {least}{count} of {free} directions; the weakest is {}.{intervals}", words.join(", "));
        lines.push(line("fit_identifiability", "directions that data do not determine", record.weak.len() as f64, Verdict::Look, text));
    }
    lines
}

fn line(key: &'static str, label: &str, value: f64, verdict: Verdict, text: String) -> HealthLine {
    HealthLine { key, label: label.into(), value: Some(value), unit: "1".into(), verdict, part: None, text }
}

/// Where to look when a search did not find what it looked for.
fn hint(record: &FitRecord) -> String {
    let words = if record.found { None } else { Some([record.dominant_words(), record.blocking_words()]) };
    words.into_iter().flatten().flatten().map(|words| format!(" {words}")).collect()
}

/// Whether noise that is said to be known is as large as residuals are.
fn scatter(fit: &Fit, record: &FitRecord) -> Option<HealthLine> {
    let (scatter, freedom) = record.scatter.filter(|_| fit.noise == Noise::Known)?;
    // Of known noise r'r has mean m - n and variance 2 (m - n).
    let off = (scatter.powi(2) - 1.0) * (freedom as f64 / 2.0).sqrt();
    let verdict = if off.abs() > SURPRISING { Verdict::Look } else { Verdict::Good };
    let what = match verdict {
        Verdict::Good => "as noise of the given size makes them",
        _ if off > 0.0 => {
            "more than noise of the given size makes them: the model does not say all, or the noise is larger, and intervals are too narrow"
        }
        _ => "less than noise of the given size makes them: it is smaller than it is said to be",
    };
    let text = format!("Residuals are {scatter:.3} standard deviations of the noise, with {freedom} to spare: {what}.");
    Some(line("fit_scatter", "residuals over the noise", scatter, verdict, text))
}

/// What further searches say of the one before.
fn further(fit: &Fit, record: &FitRecord, lines: &mut Vec<HealthLine>) {
    let wider = &record.wider;
    if wider.made < wider.asked {
        let text = format!("{} of {} further searches were made before the run was stopped.", wider.made, wider.asked);
        lines.push(line("fit_further", "further searches", wider.made as f64, Verdict::Look, text));
    }
    for own in wider.left_out.iter().filter(|own| !own.left_out.is_finite()) {
        let text = format!("Trial `{}` has no value where it is left out: its run fails there or ends before its last sample.", own.trial);
        lines.push(line("fit_left_out", "trial left out", f64::NAN, Verdict::Look, text));
    }
    let names = fit.afterwards.fields();
    if names.contains(&"profile") && record.rise.is_none() {
        let text =
            "No profile was taken: the search did not find what it looked for, or there are not more residuals than unknowns.".to_string();
        lines.push(line("fit_profile", "profiles", 0.0, Verdict::Look, text));
    }
    for own in &wider.profiles {
        let (name, lowest) =
            (&record.unknowns[own.unknown].name, own.points.iter().map(|point| point.objective).fold(f64::INFINITY, f64::min));
        // What rounding and the end of a search leave is far below what an interval asks for.
        let lower = (record.objective - lowest) / record.rise.unwrap_or(f64::INFINITY);
        if lower > LOWER {
            let text = format!("With `{name}` held elsewhere J falls to {lowest:.6e}: the search had not ended at the least J.");
            lines.push(line("fit_profile", "profile", lowest, Verdict::Look, text));
        }
        let lost = own.points.iter().filter(|point| !point.found).count();
        if lost > 0 {
            let text = format!("{lost} of {} searches with `{name}` held did not find what they looked for.", own.points.len());
            lines.push(line("fit_profile", "profile", lost as f64, Verdict::Look, text));
        }
        if own.held {
            let text = format!("`{name}` gives way to a constraint: its profile ends where that holds it.");
            lines.push(line("fit_profile", "profile", 0.0, Verdict::Look, text));
        }
        let (Some((_, linear)), [End::Risen(low), End::Risen(high)]) = (record.unknowns[own.unknown].spread, own.ends) else { continue };
        let width = high - low;
        let apart = (linear[0] - low).abs().max((linear[1] - high).abs()) / width;
        if apart > APART {
            let text = format!(
                "The 95 % interval of `{name}` is {low:.5e} to {high:.5e} by its profile, {:.5e} to {:.5e} by slopes: the model is curved there, and the profile counts.",
                linear[0], linear[1]
            );
            lines.push(line("fit_profile", "profile", apart, Verdict::Look, text));
        }
    }
    let lost: Vec<&str> = wider.left_out.iter().filter(|own| !own.found).map(|own| own.trial.as_str()).collect();
    if !lost.is_empty() {
        let text = format!("Without {} the search did not find what it looked for.", lost.join(", "));
        lines.push(line("fit_left_out", "trials left out", lost.len() as f64, Verdict::Look, text));
    }
    if let Some(bootstrap) = &wider.bootstrap {
        let (all, lost) = (bootstrap.draws.len(), bootstrap.draws.iter().filter(|own| !own.found).count());
        if lost > 0 {
            let text = format!(
                "{lost} of {all} searches with frames drawn anew did not find what they looked for, and are left out of its intervals."
            );
            lines.push(line("fit_bootstrap", "frames drawn anew", lost as f64, Verdict::Look, text));
        }
    }
}
