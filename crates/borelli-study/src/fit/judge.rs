//! What a fit says of its unknowns at the end: bounds, intervals, correlations, and what the data do not determine.
//! Not here: the search (`search`), statistics themselves (`borelli_fit::covariance`), what further searches tell (`afterwards`).
//! In: the best point. Out: what residuals and slopes there tell, in the record.

use super::answer::Evaluator;
use super::definition::Fit;
use super::problem::Problem;
use super::record::{FitRecord, LimitRecord, Multiplier, UnknownRecord, Weak};
use borelli_fit::covariance::{Direction, Noise, Statistics, Strength, lag_correlation, statistics};
use borelli_fit::{Answer, Query, Scale, Wanted};

/// Directions that are named in words.
pub(crate) const NAMED: usize = 8;
/// Share of the strongest direction below which another is named, whatever its interval: residuals bend along what data tell so little of, and the
/// interval of a linear model may be far too narrow.
const DOUBTFUL: f64 = 1e-4;
/// Parts of a direction that are named.
const PARTS: usize = 4;

/// Unknowns at the end, without how sure they are.
pub(super) fn unknowns(problem: &Problem, fit: &Fit, z: &[f64], values: &[f64]) -> Vec<UnknownRecord> {
    let list = fit.unknowns.iter().zip(&problem.unknowns.list).zip(z.iter().zip(values));
    list.map(|((unknown, known), (z, value))| {
        let bounds = match known.scale {
            Scale::Linear { low, high } | Scale::Log { low, high } => Some((low, high)),
            Scale::Free { .. } => None,
        };
        let at_bound = match bounds {
            Some(_) if *z <= 0.0 => Some("low"),
            Some(_) if *z >= 1.0 => Some("high"),
            _ => None,
        };
        UnknownRecord {
            name: unknown.name.clone(),
            paths: unknown.paths.iter().map(|(path, _)| path.clone()).collect(),
            unit: known.unit.clone(),
            bounds,
            log: unknown.log,
            start: known.start,
            best: *value,
            at_bound,
            spread: None,
            multiplier: None,
        }
    })
    .collect()
}

/// What slopes at the end tell: what bounds and limits cost, and how sure the unknowns are.
pub(super) fn judge<'s>(problem: &Problem<'s>, fit: &Fit, evaluator: &mut Evaluator<'s>, z: &[f64], record: &mut FitRecord) {
    let held = problem.giving(evaluator, z);
    // Who gives way to a constraint is where that holds it, wherever the search left it.
    held.iter().for_each(|k| record.unknowns[*k].at_bound = None);
    let mut answer = Answer::default();
    problem.answer(evaluator, &Query { wanted: Wanted::Gradient, point: z.to_vec() }, &mut answer);
    for (k, own) in record.unknowns.iter_mut().enumerate() {
        let inward = match own.at_bound {
            Some("low") => 1.0,
            Some(_) => -1.0,
            None => continue,
        };
        let by_width = inward * answer.slopes.objective[k];
        let by_unit = by_width / problem.unknowns.list[k].scale.slope(z[k]);
        own.multiplier = (by_unit.is_finite() && by_width.is_finite()).then_some(Multiplier { by_unit, by_width });
    }
    for (limit, unknown, [by_unit, by_width]) in problem.limit_multipliers(evaluator, z) {
        let (name, unknown) = (fit.limits[limit].name.clone(), fit.unknowns[unknown].name.clone());
        let unit = problem.limit_unit(limit);
        record.limits.push(LimitRecord { name, unknown, unit, multiplier: Multiplier { by_unit, by_width } });
    }
    if problem.rows() > 0 {
        spreads(problem, fit, &answer, z, &held, record);
    }
}

/// How sure the unknowns are: those at a bound, and those that constraints hold, are left out.
fn spreads(problem: &Problem, fit: &Fit, answer: &Answer, z: &[f64], held: &[usize], record: &mut FitRecord) {
    let n = problem.len();
    let free: Vec<usize> = (0..n).filter(|k| record.unknowns[*k].at_bound.is_none() && !held.contains(k)).collect();
    if free.is_empty() || answer.residuals.iter().any(|e| !e.is_finite()) || answer.slopes.residuals.iter().any(|slope| !slope.is_finite())
    {
        return;
    }
    // Rows without weight or behind a shut gate say nothing.
    let speaks = |row: &usize| answer.residuals[*row] != 0.0 || answer.slopes.residuals[row * n..][..n].iter().any(|slope| *slope != 0.0);
    let rows: Vec<usize> = (0..answer.residuals.len()).filter(speaks).collect();
    let residuals: Vec<f64> = rows.iter().map(|row| answer.residuals[*row]).collect();
    let slopes: Vec<f64> = rows.iter().flat_map(|row| answer.slopes.residuals[row * n..][..n].iter().copied()).collect();
    let mut found: Statistics = statistics(&residuals, &slopes, n, &free, fit.noise);
    if fit.power == 2.0 && found.freedom > 0 {
        let sum: f64 = residuals.iter().map(|e| e * e).sum();
        record.scatter = Some(((sum / found.freedom as f64).sqrt(), found.freedom));
    }
    let mut widened = 1.0;
    if fit.noise == Noise::Estimated {
        // Residuals of one term are alike from sample to sample, those of two terms are strangers.
        let alike = problem.term_rows().into_iter().map(|rows| lag_correlation(&answer.residuals[rows]));
        widened = found.inflate(alike.filter(|rho| rho.is_finite()).fold(0.0, f64::max));
    }
    record.condition = Some(found.condition());
    let largest = found.directions.first().map_or(0.0, |direction| direction.singular);
    record.singular = found.directions.iter().map(|direction| direction.singular).collect();
    let weak = |direction: &&Direction| direction.strength != Strength::Determined || direction.singular < DOUBTFUL * largest;
    for direction in found.directions.iter().rev().filter(weak).take(NAMED) {
        let mut parts: Vec<(usize, f64)> = direction.components.iter().copied().enumerate().collect();
        parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
        parts.truncate(PARTS);
        record.weak.push(Weak {
            share: direction.singular / largest,
            undetermined: direction.strength == Strength::Undetermined,
            parts: parts.into_iter().map(|(k, part)| (fit.unknowns[free[k]].name.clone(), part)).collect(),
        });
    }
    // Intervals are those of squares; of other powers the spread of residuals tells nothing so simple.
    if fit.power == 2.0 && record.found && rows.len() > free.len() {
        record.rise = Some((found.coverage * found.sd_residual).powi(2) * widened);
        for (j, k) in free.iter().enumerate() {
            let (scale, sd) = (problem.unknowns.list[*k].scale, found.sd(j));
            if !sd.is_finite() {
                continue;
            }
            let half = found.coverage * sd;
            let ends = [scale.value(z[*k] - half), scale.value(z[*k] + half)];
            record.unknowns[*k].spread = Some((sd * scale.slope(z[*k]).abs(), ends));
        }
        let m = free.len();
        let cells = (0..m * m).map(|cell| found.correlation(cell / m, cell % m)).collect();
        record.correlation = (free, cells);
    }
}
