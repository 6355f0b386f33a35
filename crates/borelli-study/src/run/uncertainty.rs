//! `uncertainty`: how uncertain the results of another analysis are, where parameters, start values and measured tables are.
//! Not here: inputs, noise, runs and rankings (`uncertainty` of this crate), slopes (`linear`), the analysis itself.
//! In: a plan with uncertain inputs. Out: the `Outcome` of the analysis with all inputs at their means and without noise, and a record of how uncertain it is.

use super::linear::{self, Slopes};
use super::looker::Samples;
use super::outcome::{CheckWords, HealthLine, Verdict};
use super::{EndState, Outcome, Ready, Scalar, Status, Watch};
use crate::cores::cores;
use crate::plan::Plan;
use crate::uncertainty::{
    Applied, BandColumn, Bands, Ended, Experiment, Input, InputRecord, Inputs, Job, KnownInput, Method, Noise, Noises, Rank, ResultRecord,
    SampleRecord, Sought, Uncertainty, UncertaintyFault, UncertaintyRecord, bands, check_numbers, jobs, numbers, rank, run_count,
};
use borelli_dynamics::System;
use borelli_fit::uncertainty::bands::linear_sd;
use borelli_model::Findings;

/// Most numbers of runs that are kept for bands: 0.4 GB.
const MOST_KEPT: f64 = 5e7;
/// Most runs.
const MOST_RUNS: f64 = 1e6;
/// Failed runs that are named.
const NAMED: usize = 5;
/// Part of all runs that may fail before the result counts as wrong.
const MOST_FAILED: f64 = 0.1;
/// Difference between linear and sampled standard deviations that is worth a look.
const APART: f64 = 0.1;
/// Where a standard deviation is below this part of the largest of its column, or of the column's own size, nothing is said of it.
const FAINT: [f64; 2] = [0.05, 1e-9];
/// Standard error of a share of the variance that is worth a look.
const LOOSE: f64 = 0.1;

/// The plan of the analysis itself.
fn inner(plan: &Plan, asked: &Uncertainty) -> Plan {
    Plan { analysis: asked.of, uncertainty: None, ..plan.clone() }
}

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, _from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let Some(asked) = &plan.uncertainty else {
        findings.push(None, "uncertainty", "", &UncertaintyFault::Nothing);
        return Err(findings);
    };
    let own = inner(plan, asked);
    let inputs = Inputs::new(system, asked, &mut findings);
    let noises = Noises::new(system, &own, &asked.noises, asked.seed, &mut findings);
    let (Some(inputs), Some(noises)) = (inputs, noises) else { return Err(findings) };
    let experiment = Experiment { system, plan: &own, inputs: &inputs, noises: &noises, results: &asked.results };
    let nominal = experiment.system(&inputs.means())?;
    let mut outline = super::prepare(&nominal, &own, None)?.outline;
    check_numbers(&asked.results, &outline, &mut findings);
    let runs = run_count(asked);
    if runs > MOST_RUNS {
        findings.push(None, "uncertainty", "samples", &UncertaintyFault::TooManyRuns { runs, most: MOST_RUNS });
        return Err(findings);
    }
    let jobs = jobs(asked, &inputs);
    let (kept, samples, columns) = (jobs.iter().filter(|job| job.typical).count(), Samples::count(&own), outline.columns.len());
    if kept as f64 * samples * columns as f64 > MOST_KEPT {
        let most = (MOST_KEPT / (samples * columns as f64)) as usize;
        findings.push(None, "uncertainty", "samples", &UncertaintyFault::TooMuch { runs: kept, samples, columns, most });
    }
    if asked.methods.contains(&Method::Linear) {
        linear::check(&nominal, &own, asked, &inputs, &mut findings);
    }
    if findings.has_errors() {
        return Err(findings);
    }
    outline.scalars.extend(scalars(asked, None));
    let go = move |watch: &mut dyn Watch| {
        let experiment = Experiment { system, plan: &own, inputs: &inputs, noises: &noises, results: &asked.results };
        go(&experiment, asked, &nominal, &jobs, watch)
    };
    Ok(Ready { outline, go: Box::new(go) })
}

fn go(experiment: &Experiment, asked: &Uncertainty, nominal: &System, jobs: &[Job], watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let Experiment { plan, inputs, .. } = experiment;
    let mut outcome = super::prepare(nominal, plan, None).and_then(|ready| (ready.go)(watch))?;
    if !outcome.status.is_good() {
        return Ok(outcome);
    }
    let mut findings = Findings::new();
    let mut at_means = Vec::new();
    for (own, found) in asked.results.iter().zip(numbers(&asked.results, &outcome.trajectory, &outcome.scalars)) {
        match found {
            Ok(number) => at_means.push(number),
            Err(reason) => {
                let advice = Some("with all inputs at their means the run must have it; look at another part of the run".into());
                let fault = UncertaintyFault::NoNumber { result: own.name.clone(), reason, advice };
                findings.push(own.at, "uncertainty.result", "measure", &fault);
            }
        }
    }
    if findings.has_errors() {
        return Err(findings);
    }
    let slopes = match asked.methods.contains(&Method::Linear) {
        true => Some(linear::find(nominal, plan, inputs, &outcome)?),
        false => None,
    };
    let runs = experiment.runs(jobs, cores(), watch);
    let record = record(experiment, asked, jobs, &runs, &outcome, slopes.as_ref(), &at_means);
    tell(asked, record, &mut outcome);
    Ok(outcome)
}

/// Adds to the run at the means what is known of its uncertainty.
fn tell(asked: &Uncertainty, record: UncertaintyRecord, outcome: &mut Outcome) {
    let [all, made, failed] = record.runs;
    let end = outcome.trajectory.time().last().copied().unwrap_or_default();
    if made < all {
        outcome.status = Status::Interrupted { t: end };
    } else if all > 0 && failed == all {
        let reason = record.failures.first().map_or(String::new(), |(_, _, reason)| reason.clone());
        let reason = format!("all {all} runs with drawn inputs failed, the first because {reason}");
        outcome.status = Status::Failed { t: end, element: "uncertainty".into(), reason };
    }
    outcome.scalars.extend(scalars(asked, Some(&record)));
    outcome.health.extend(health(&record));
    let drawn = if all > 0 { format!(", {all} runs, seed {}", record.seed) } else { String::new() };
    outcome.settings.insert(0, ("uncertainty".into(), format!("{}{drawn}", record.methods.join(", "))));
    outcome.settings.push(("run that is shown".into(), "all uncertain inputs at their means, no noise".into()));
    if let Some(linear) = &record.linear {
        let told = format!(
            "{} evaluations with slopes and {} looks at columns, {:.1} times those of one run; no further runs",
            linear.evaluations, linear.looks, linear.ratio
        );
        outcome.settings.push(("linear propagation took".into(), told));
    }
    outcome.uncertainty = Some(Box::new(record));
}

/// All that is known at the end.
fn record(
    experiment: &Experiment,
    asked: &Uncertainty,
    jobs: &[Job],
    runs: &[Ended],
    outcome: &Outcome,
    slopes: Option<&Slopes>,
    at_means: &[(f64, String)],
) -> UncertaintyRecord {
    let (table, inputs) = (&outcome.trajectory, experiment.inputs);
    let sampled = bands(runs, table.columns().len());
    let has_bands = !sampled.times.is_empty();
    let (times, reached) = match has_bands {
        true => (sampled.times.clone(), sampled.reached.clone()),
        false => (table.time().to_vec(), vec![0; table.len()]),
    };
    let of_results = slopes.map(|slopes| linear::of_results(&asked.results, outcome, slopes));
    let result = |(k, own): (usize, &Sought)| {
        let mut drawn = rank(asked, jobs, runs, k);
        let along = of_results.as_ref().and_then(|list| list[k].as_ref());
        if let Some(along) = along.filter(|_| asked.correlations.is_empty()) {
            let whole: f64 = along.iter().map(|slope| slope * slope).sum();
            drawn.ranks.iter_mut().zip(along).for_each(|(rank, slope)| {
                rank.linear_share = Some(slope * slope / whole).filter(|share| share.is_finite());
            });
        }
        ResultRecord {
            name: own.name.clone(),
            words: own.words(),
            unit: at_means[k].1.clone(),
            nominal: at_means[k].0,
            band: drawn.band,
            linear_sd: along.map(|along| linear_sd(along, &inputs.correlation)),
            without: drawn.without,
            ranks: drawn.ranks,
        }
    };
    let made = runs.iter().filter(|ended| **ended != Ended::Unmade).count();
    let trouble = |ended: &Ended| match ended {
        Ended::Badly(reason) => Some(reason.clone()),
        _ => None,
    };
    let failures: Vec<(&Job, String)> = jobs.iter().zip(runs).filter_map(|(job, ended)| Some((job, trouble(ended)?))).collect();
    let sample = |(job, ended): (&Job, &Ended)| {
        let results = match ended {
            Ended::Well(finished) => finished.numbers.clone(),
            Ended::Unmade => return None,
            Ended::Badly(_) => vec![f64::NAN; asked.results.len()],
        };
        let (method, number) = (job.method.name(), job.index + 1);
        Some(SampleRecord { method, number, inputs: job.values.clone(), results, trouble: trouble(ended).unwrap_or_default() })
    };
    UncertaintyRecord {
        methods: asked.methods.iter().map(|method| method.name()).collect(),
        seed: asked.seed,
        inputs: input_records(asked, inputs),
        input_count: asked.inputs.len(),
        runs: [jobs.len(), made, failures.len()],
        failures: failures.iter().take(NAMED).map(|(job, reason)| (job.method.name(), job.index + 1, reason.clone())).collect(),
        columns: columns(outcome, inputs, &times, &sampled, slopes),
        times,
        reached,
        results: asked.results.iter().enumerate().map(result).collect(),
        samples: jobs.iter().zip(runs).filter_map(sample).collect(),
        linear: slopes.map(|slopes| slopes.record),
    }
}

fn input_records(asked: &Uncertainty, inputs: &Inputs) -> Vec<InputRecord> {
    let of_input = |(own, known): (&Input, &KnownInput)| {
        let how = match own.applied {
            Applied::Value => "",
            Applied::Factor => "factor: ",
            Applied::Offset => "offset: ",
        };
        InputRecord { name: own.name.clone(), paths: own.paths.clone(), words: format!("{how}{}", known.words()), unit: known.unit.clone() }
    };
    let of_noise = |own: &Noise| InputRecord {
        name: own.name.clone(),
        paths: if own.columns.is_empty() { vec![own.upon.name().into()] } else { own.columns.clone() },
        words: own.words(),
        unit: String::new(),
    };
    asked.inputs.iter().zip(&inputs.list).map(of_input).chain(asked.noises.iter().map(of_noise)).collect()
}

/// Bands of all columns.
fn columns(outcome: &Outcome, inputs: &Inputs, times: &[f64], sampled: &Bands, slopes: Option<&Slopes>) -> Vec<BandColumn> {
    let table = &outcome.trajectory;
    // Where the times of bands stand in the run at the means.
    let places: Vec<Option<usize>> = times.iter().map(|t| table.time().binary_search_by(|own| own.total_cmp(t)).ok()).collect();
    let at = |values: &dyn Fn(usize) -> f64| -> Vec<f64> { places.iter().map(|place| place.map_or(f64::NAN, values)).collect() };
    let column = |k: usize| {
        let linear = |sample: usize| {
            let along: Option<Vec<f64>> = slopes.map(|slopes| slopes.by.iter().map(|by| by[k][sample]).collect());
            along
                .filter(|along| along.iter().all(|slope| slope.is_finite()))
                .map_or(f64::NAN, |along| linear_sd(&along, &inputs.correlation))
        };
        BandColumn {
            column: table.columns()[k].clone(),
            bands: sampled.columns.get(k).filter(|own| own.len() == times.len()).cloned().unwrap_or_else(|| vec![None; times.len()]),
            nominal: at(&|sample| table.values(k)[sample]),
            linear_sd: at(&linear),
        }
    };
    (0..table.columns().len()).map(column).collect()
}

/// Numbers of uncertainty; without a record their names only.
fn scalars(asked: &Uncertainty, record: Option<&UncertaintyRecord>) -> Vec<Scalar> {
    let mut list = Vec::new();
    let mut add = |name: String, value: Option<f64>, unit: &str| {
        list.push(Scalar { name: format!("uncertainty.{name}"), value: value.unwrap_or(f64::NAN), unit: unit.into() });
    };
    let whole = |of: fn(&UncertaintyRecord) -> f64| record.map(of);
    add("runs".into(), whole(|record| record.runs[1] as f64), "1");
    add("failed".into(), whole(|record| record.runs[2] as f64), "1");
    if asked.methods.contains(&Method::Linear) {
        add("linear_ratio".into(), whole(|record| record.linear.map_or(f64::NAN, |linear| linear.ratio)), "1");
    }
    let (has_bands, has_linear) =
        (asked.methods.iter().any(|method| method.draws() || *method == Method::Sobol), asked.methods.contains(&Method::Linear));
    let names: Vec<&String> = asked.inputs.iter().map(|own| &own.name).chain(asked.noises.iter().map(|own| &own.name)).collect();
    for (k, sought) in asked.results.iter().enumerate() {
        let own = record.map(|record| &record.results[k]);
        // Before the run only the measure knows the unit.
        let unit = own.map_or("of the result", |own| own.unit.as_str());
        let name = |part: &str| format!("{}.{part}", sought.name);
        add(name("nominal"), own.map(|own| own.nominal), unit);
        if has_bands {
            let band = own.and_then(|own| own.band);
            add(name("mean"), band.map(|band| band.mean), unit);
            add(name("sd"), band.map(|band| band.sd), unit);
            for (part, place) in [("low", 0), ("median", 1), ("high", 2)] {
                add(name(part), band.map(|band| band.quantiles[place]), unit);
            }
        }
        if has_linear {
            add(name("linear_sd"), own.and_then(|own| own.linear_sd), unit);
        }
        for (j, input) in names.iter().enumerate() {
            let rank = own.map_or(Rank::default(), |own| own.ranks[j]);
            let of_input = j < asked.inputs.len();
            if asked.methods.contains(&Method::Sobol) {
                add(name(&format!("first.{input}")), rank.first.map(|own| own[0]), "1");
                add(name(&format!("total.{input}")), rank.total.map(|own| own[0]), "1");
            }
            if of_input && asked.methods.contains(&Method::Morris) {
                add(name(&format!("effect.{input}")), rank.effect.map(|own| own[0]), unit);
            }
            if of_input && has_linear {
                add(name(&format!("linear_share.{input}")), rank.linear_share, "1");
            }
        }
    }
    list
}

/// Whether all runs went well, whether linear and sampled spreads agree, whether rankings are sharp.
fn health(record: &UncertaintyRecord) -> Vec<HealthLine> {
    let mut lines = Vec::new();
    let [all, made, failed] = record.runs;
    if all > 0 {
        let part = failed as f64 / made.max(1) as f64;
        let verdict = if part > MOST_FAILED { Verdict::Bad } else { Verdict::good_if(failed == 0) };
        let first =
            record.failures.first().map_or(String::new(), |(method, number, reason)| format!(", the first {method} {number}: {reason}"));
        let words = CheckWords {
            found: format!("{failed} of {made} runs with drawn inputs failed{first}"),
            allowed: "none; bands are those of the others",
            advice: "narrow distributions to what can be, or look at such a run by itself: samples.csv has its inputs",
        };
        lines.push(HealthLine::judged("uncertainty_failed", "failed runs", (failed as f64, "1"), verdict, words));
    }
    let without: usize = record.results.iter().map(|own| own.without).sum();
    if without > 0 {
        let named: Vec<&str> = record.results.iter().filter(|own| own.without > 0).map(|own| own.name.as_str()).collect();
        let words = CheckWords {
            found: format!("{without} numbers are missing in runs that ended well: {}", named.join(", ")),
            allowed: "none; bands and rankings are those of the others",
            advice: "look at a part of the run that all of them have",
        };
        lines.push(HealthLine::judged("uncertainty_missing", "missing numbers", (without as f64, "1"), Verdict::Look, words));
    }
    lines.extend(agreement(record));
    let errors = record.results.iter().flat_map(|own| &own.ranks).flat_map(|rank| [rank.first, rank.total]).flatten().map(|own| own[1]);
    if let Some(largest) = errors.fold(None, |most: Option<f64>, error| Some(most.map_or(error, |most| most.max(error)))) {
        let words = CheckWords {
            found: format!("The largest standard error of a share of the variance is {largest:.3}"),
            allowed: "0.1",
            advice: "take more samples",
        };
        lines.push(HealthLine::judged(
            "uncertainty_ranking",
            "sharpness of the ranking",
            (largest, "1"),
            Verdict::good_if(largest <= LOOSE),
            words,
        ));
    }
    lines
}

/// Where standard deviations by slopes and by samples differ by more than a tenth, and by more than chance explains.
fn agreement(record: &UncertaintyRecord) -> Option<HealthLine> {
    record.linear?;
    let drawn = record.reached.iter().copied().max().unwrap_or(0);
    let mut worst: Option<(f64, String)> = None;
    let (mut compared, mut apart) = (0, Vec::new());
    for own in &record.columns {
        let spreads = || own.bands.iter().zip(&own.linear_sd).filter_map(|(band, linear)| Some(((*band)?, *linear)));
        let size = own.nominal.iter().filter(|x| x.is_finite()).fold(0.0_f64, |most, x| most.max(x.abs()));
        let largest = spreads().fold(0.0_f64, |most, (band, linear)| most.max(band.sd).max(if linear.is_finite() { linear } else { 0.0 }));
        let mut differs = false;
        for (k, (band, linear)) in own.bands.iter().zip(&own.linear_sd).enumerate() {
            // Runs that ended before leave a band of those that are left, which slopes know nothing of.
            let (Some(band), true) = (band, linear.is_finite() && record.reached[k] == drawn) else { continue };
            if band.sd.max(*linear) <= FAINT[0] * largest || largest <= FAINT[1] * size {
                continue;
            }
            compared += 1;
            // Three standard errors of a sampled standard deviation.
            let chance = 3.0 / (2.0 * (record.reached[k].max(2) - 1) as f64).sqrt();
            let gap = (linear - band.sd).abs() / band.sd.max(*linear);
            if gap > APART.max(chance) {
                differs = true;
                if worst.as_ref().is_none_or(|(most, _)| gap > *most) {
                    worst = Some((
                        gap,
                        format!("`{}` at {} s: {:e} by slopes, {:e} by samples", own.column.name, record.times[k], linear, band.sd),
                    ));
                }
            }
        }
        if differs {
            apart.push(own.column.name.as_str());
        }
    }
    for own in &record.results {
        let (Some(band), Some(linear)) = (own.band, own.linear_sd) else { continue };
        compared += 1;
        let chance = 3.0 / (2.0 * (drawn.max(2) - 1) as f64).sqrt();
        let gap = (linear - band.sd).abs() / band.sd.max(linear);
        if gap > APART.max(chance) {
            apart.push(own.name.as_str());
            if worst.as_ref().is_none_or(|(most, _)| gap > *most) {
                worst = Some((gap, format!("result `{}`: {linear:e} by slopes, {:e} by samples", own.name, band.sd)));
            }
        }
    }
    if compared == 0 {
        return None;
    }
    let (gap, told) = worst.unwrap_or_default();
    let found = match apart.len() {
        0 => "Standard deviations by slopes and by samples agree".to_string(),
        count => format!("Standard deviations by slopes and by samples differ in {count} columns and results, most in {told}"),
    };
    let words = CheckWords {
        found,
        allowed: "10 %, and three standard errors of the sampled one",
        advice: "believe the samples: over such a spread the result is no straight line",
    };
    Some(HealthLine::judged("uncertainty_linear", "linear beside sampled", (gap, "1"), Verdict::good_if(apart.is_empty()), words))
}
