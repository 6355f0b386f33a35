//! What was measured, at the samples of a motion: values of terms, which samples count, what differences are divided by.
//! Not here: what is computed. In: tables of a trial, times. Out: one `Compared` for each term; all faults.

use super::definition::{Fit, Normalise, Reduce, Term, Trial};
use super::fault::FitFault;
use super::maps::Pressed;
use crate::channels::{Channels, TIME, explain};
use crate::column_formula::Names;
use crate::plan_fault::PlanFault;
use crate::settings::si_value;
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_math::function::{Crossing, Outside, Sense, Table};
use borelli_model::{Dim, Explain, Findings, Range, parse_unit, suggest};

/// A term at the samples of a trial.
pub(crate) struct Compared {
    /// Channel that is compared; that of time where a mat is.
    pub channel: usize,
    /// Measured maps of a mat, in place of a channel.
    pub map: Option<Pressed>,
    /// Channel that opens the gate, and where it begins to open and is open.
    pub fade: Option<(usize, f64, f64)>,
    /// What differences are multiplied by: weight over normaliser, the scale of the fit, and of a mean the share of a sample.
    pub factor: f64,
    /// What differences are divided by.
    pub normaliser: f64,
    /// Measured values, by sample.
    pub measured: Vec<f64>,
    /// Which samples count, and how many residuals there are.
    pub counts: Vec<bool>,
    pub number: usize,
    /// How samples become one number.
    pub reduce: Reduce,
    /// Whether each sample is a residual; maxima are where a search by squares comes before one for a front.
    pub has_rows: bool,
    /// Of terms whose maxima count together the first, by number; else itself.
    pub leader: usize,
    /// Objective, from zero.
    pub objective: usize,
    /// Largest difference that counts as good, SI.
    pub accept: Option<f64>,
}

/// How far beyond the ends of a file a sample may lie that is meant to be there, s.
const ROUNDED: f64 = 1e-9;

/// A column of measured data.
struct Measured<'t> {
    table: &'t Trajectory,
    index: usize,
}

impl Measured<'_> {
    fn dim(&self) -> Option<Dim> {
        let unit = self.table.columns()[self.index].unit.as_deref()?;
        parse_unit(unit).ok().map(|(_, dim)| dim)
    }
}

/// The column of a trial, or what is wrong with it.
fn column<'t>(trial: &'t Trial, name: &str) -> Result<Measured<'t>, FitFault> {
    let find = |table: &'t Trajectory| table.index(name).map(|index| Measured { table, index });
    trial.tables.iter().find_map(find).ok_or_else(|| {
        let known = trial.tables.iter().flat_map(|table| table.columns()).map(|column| column.name.as_str());
        let nearest = suggest(name, known).map(str::to_string);
        FitFault::NoMeasured { trial: trial.name.clone(), column: name.into(), nearest }
    })
}

/// A measured column at some times; beyond its knots the nearest value is held.
fn at_times(trial: &Trial, name: &str, term: &Term, times: &[f64], counts: &[bool]) -> Result<Vec<f64>, FitFault> {
    let Measured { table, index } = column(trial, name)?;
    let fault = |reason: String| FitFault::BadMeasured { trial: trial.name.clone(), column: name.into(), reason };
    let (from, to) = (term.knots.0.unwrap_or(f64::NEG_INFINITY), term.knots.1.unwrap_or(f64::INFINITY));
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (t, value) in table.time().iter().zip(table.values(index)) {
        if (from..=to).contains(t) {
            if !value.is_finite() {
                return Err(fault(format!("it has no number at {t} s")));
            }
            x.push(*t);
            y.push(*value);
        }
    }
    let (Some(first), Some(last)) = (x.first().copied(), x.last().copied()) else {
        return Err(fault("it has no values between `knots_from` and `knots_to`".into()));
    };
    // Beyond given knots the nearest value is meant; beyond the file nothing is known.
    let known = |t: f64| (term.knots.0.is_some() || t >= first - ROUNDED) && (term.knots.1.is_some() || t <= last + ROUNDED);
    let counted = || times.iter().zip(counts).filter(|(_, counts)| **counts).map(|(t, _)| *t);
    if counted().any(|t| !known(t)) || counted().all(|t| t < first || t > last) {
        let (start, end) = (counted().fold(f64::INFINITY, f64::min), counted().fold(f64::NEG_INFINITY, f64::max));
        return Err(fault(format!("it was measured from {first} to {last} s, but samples from {start} to {end} s count")));
    }
    if let [alone] = y[..] {
        return Ok(vec![alone; times.len()]);
    }
    let curve = Table::new(x, y, term.interpolation, Outside::Hold).map_err(|told| fault(first_line(&told.to_string())))?;
    Ok(times.iter().map(|t| curve.derivatives(*t)[0]).collect())
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_string()
}

/// The quantity of a field that must have the dimension of a channel.
pub(super) fn quantity(text: &str, dim: Option<Dim>) -> Result<f64, FitFault> {
    let unit = dim.map_or(String::new(), |dim| if dim == Dim::NONE { "1".into() } else { dim.to_string() });
    si_value(text, &unit, Range::ANY).map_err(|fault| FitFault::BadQuantity { found: text.into(), reason: fault.message() })
}

/// The largest difference that counts as good.
fn allowed(text: &str, dim: Option<Dim>, normaliser: f64) -> Result<f64, FitFault> {
    let wrong = |reason: &str| FitFault::BadQuantity { found: text.into(), reason: reason.into() };
    let found = match text.trim_end().strip_suffix('%') {
        Some(part) => part.trim().parse::<f64>().map(|part| 0.01 * part * normaliser).map_err(|_| wrong("it is no number"))?,
        None => quantity(text, dim)?,
    };
    if found > 0.0 && found.is_finite() { Ok(found) } else { Err(wrong("it must be above zero")) }
}

/// Where a condition over measured columns holds, by time.
fn holds(trial: &Trial, term: &Term, text: &str, times: &[f64], counts: &[bool]) -> Result<Vec<bool>, FitFault> {
    let list: Vec<&str> = trial.tables.iter().flat_map(|table| table.columns()).map(|column| column.name.as_str()).collect();
    let index = |name: &str| name.strip_prefix("data.").and_then(|own| list.iter().position(|known| *known == own));
    let dim = |k: usize| column(trial, list[k]).ok().and_then(|measured| measured.dim());
    let names = Names { count: list.len(), index: &index, dim: &dim };
    let known: Vec<String> = list.iter().map(|name| format!("data.{name}")).collect();
    let Crossing { formula, sense } = names.crossing(text).map_err(|fault| explain(text, fault, known.iter().map(String::as_str)))?;
    if sense == Sense::Either {
        return Err(FitFault::NoComparison { text: text.into() });
    }
    let mut values = vec![vec![0.0; times.len()]; list.len()];
    for k in formula.variables() {
        // Interpolated as the data of the term are, over their own knots.
        let own = Term { knots: (None, None), ..term.clone() };
        values[*k] = at_times(trial, list[*k], &own, times, counts)?;
    }
    let row = |sample: usize| values.iter().map(|column| column[sample]).collect::<Vec<f64>>();
    let above = |sample: usize| formula.eval(&row(sample)) > 0.0;
    Ok((0..times.len()).map(|sample| above(sample) == (sense == Sense::Rising)).collect())
}

/// A measured column in a unit that fits, at some times.
fn fitting(trial: &Trial, name: &str, term: &Term, (times, counts): (&[f64], &[bool]), dim: Option<Dim>) -> Result<Vec<f64>, FitFault> {
    match (column(trial, name)?.dim(), dim) {
        (Some(found), Some(wanted)) if !found.fits(wanted) => Err(FitFault::BadMeasured {
            trial: trial.name.clone(),
            column: name.into(),
            reason: format!("it is in {found}, but `{}` is in {wanted}", term.column),
        }),
        _ => at_times(trial, name, term, times, counts),
    }
}

/// Size of measured values as a word names it.
fn size(normalise: &Normalise, values: &[f64]) -> f64 {
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    let each = || values.iter().copied();
    match normalise {
        Normalise::Max => most(&mut each()),
        Normalise::MaxAbs => most(&mut each().map(f64::abs)),
        Normalise::Rms => (each().map(|m| m * m).sum::<f64>() / values.len() as f64).sqrt(),
        Normalise::Range => most(&mut each()) + most(&mut each().map(|m| -m)),
        Normalise::Together(_) | Normalise::By(_) => f64::NAN,
    }
}

/// A term at the samples of a trial; faults are reported.
pub(crate) fn compare(
    system: &System,
    fit: &Fit,
    term: &Term,
    trial: &Trial,
    channels: &Channels,
    times: &[f64],
    findings: &mut Findings,
) -> Option<Compared> {
    let report = |field: &str, fault: FitFault, findings: &mut Findings| {
        findings.push(term.at, format!("fit.term.{}", term.name), field, &fault);
    };
    if let Some(mat) = &term.mat {
        return compare_maps(system, fit, term, (mat, trial), times, &mut |field, fault| report(field, fault, findings));
    }
    let channel = |name: &str| {
        channels.index(name).ok_or_else(|| {
            let nearest = suggest(name, channels.list().iter().map(|column| column.name.as_str())).map(str::to_string);
            FitFault::from(PlanFault::NoColumn { pattern: name.into(), nearest })
        })
    };
    let own = channel(&term.column).map_err(|fault| report("column", fault, findings)).ok()?;
    let dim = channels.dim(own);
    let fade = match &term.fade {
        None => None,
        Some(fade) => {
            let by = channel(&fade.by).map_err(|fault| report("fade", fault, findings)).ok()?;
            let limits = [&fade.low, &fade.high].map(|text| quantity(text, channels.dim(by)));
            let [low, high] = limits.map(|limit| limit.map_err(|fault| report("fade", fault, findings)).ok());
            let (low, high) = (low?, high?);
            if low >= high {
                report("fade", FitFault::BadQuantity { found: fade.low.clone(), reason: "`low` must be below `high`".into() }, findings);
                return None;
            }
            Some((by, low, high))
        }
    };
    let (from, to) = (term.window.0.unwrap_or(f64::NEG_INFINITY), term.window.1.unwrap_or(f64::INFINITY));
    let mut counts: Vec<bool> = times.iter().map(|t| (from..=to).contains(t)).collect();
    if !counts.contains(&true) {
        report("from", FitFault::NoSample { trial: trial.name.clone(), term: term.name.clone() }, findings);
        return None;
    }
    let measured = match &term.data {
        None => vec![0.0; times.len()],
        Some(name) => {
            let found = fitting(trial, name, term, (times, &counts), dim);
            found.map_err(|fault| report("data", fault, findings)).ok()?
        }
    };
    if let Some((text, _)) = &term.condition {
        let holding = holds(trial, term, text, times, &counts).map_err(|fault| report("where", fault, findings)).ok()?;
        counts.iter_mut().zip(holding).for_each(|(counts, holds)| *counts &= holds);
    }
    let number = counts.iter().filter(|counts| **counts).count();
    if number == 0 {
        report("where", FitFault::NoSample { trial: trial.name.clone(), term: term.name.clone() }, findings);
        return None;
    }
    let counted = measured.iter().zip(&counts).filter(|(_, counts)| **counts).map(|(value, _)| *value).collect::<Vec<f64>>();
    let normaliser = match &term.normalise {
        Normalise::Together(list) => {
            let largest = |name: &String| {
                let values = fitting(trial, name, term, (times, &counts), dim)?;
                let counted = values.iter().zip(&counts).filter(|(_, counts)| **counts);
                Ok(counted.fold(0.0_f64, |most, (value, _)| most.max(value.abs())))
            };
            let sizes: Result<Vec<f64>, FitFault> = list.iter().map(largest).collect();
            let sizes = sizes.map_err(|fault| report("normalise", fault, findings)).ok()?;
            sizes.iter().map(|size| size * size).sum::<f64>().sqrt()
        }
        Normalise::By(text) => quantity(text, dim).map_err(|fault| report("normalise", fault, findings)).ok()?,
        own => size(own, &counted),
    };
    if !(normaliser > 0.0 && normaliser.is_finite()) {
        report("normalise", FitFault::ZeroNormaliser { trial: trial.name.clone(), term: term.name.clone() }, findings);
        return None;
    }
    let accept = match &term.accept {
        None => None,
        Some(text) => match allowed(text, dim, normaliser) {
            Ok(accept) => Some(accept),
            Err(fault) => {
                report("accept", fault, findings);
                return None;
            }
        },
    };
    // What stands before the sum goes into the power, so that J is the sum itself.
    let share = match term.reduce {
        Reduce::Sum => fit.scale.powf(1.0 / fit.power),
        Reduce::Mean => (fit.scale / number as f64).powf(1.0 / fit.power),
        Reduce::Max => fit.scale,
    };
    let factor = term.weight / normaliser * share;
    let has_rows = term.reduce != Reduce::Max || fit.eases();
    let is_leader = |other: &Term| std::ptr::eq(other, term) || (other.together.is_some() && other.together == term.together);
    let leader = fit.terms.iter().position(is_leader).unwrap_or(0);
    Some(Compared {
        channel: own,
        map: None,
        fade,
        factor,
        normaliser,
        measured,
        counts,
        number,
        reduce: term.reduce,
        has_rows,
        leader,
        objective: term.objective - 1,
        accept,
    })
}

/// A term over the cells of a mat, at the frames of a trial; faults are reported with their fields.
fn compare_maps(
    system: &System,
    fit: &Fit,
    term: &Term,
    (name, trial): (&str, &Trial),
    times: &[f64],
    report: &mut dyn FnMut(&str, FitFault),
) -> Option<Compared> {
    let mats = &system.numbers.contacts.mats;
    let Some(mat) = mats.iter().position(|own| own.name == name) else {
        let nearest = suggest(name, mats.iter().map(|own| own.name.as_str())).map(str::to_string);
        report("mat", FitFault::NoSuchMat { mat: name.into(), nearest });
        return None;
    };
    let pitch = system.parts.contacts.mats[mat].item.pitch;
    let changes = |path: &String| system.parameter(path).is_some_and(|slot| pitch.iter().any(|own| own.index() == Some(slot)));
    if let Some((path, _)) = fit.unknowns.iter().flat_map(|unknown| &unknown.paths).find(|(path, _)| changes(path)) {
        report("mat", FitFault::NoSlope { column: format!("{name}, by {path}") });
        return None;
    }
    let data = term.data.as_deref().unwrap_or(name);
    let Some(map) = trial.maps.iter().find(|map| map.name == data) else {
        let nearest = suggest(data, trial.maps.iter().map(|map| map.name.as_str())).map(str::to_string);
        report("data", FitFault::NoMap { trial: trial.name.clone(), map: data.into(), nearest });
        return None;
    };
    let bad = |reason: String| FitFault::BadMap { trial: trial.name.clone(), map: data.into(), reason };
    let pressed = Pressed::new(system, mat, map, times, term.window).map_err(|reason| report("data", bad(reason))).ok()?;
    if pressed.frames.is_empty() {
        report("from", FitFault::NoSample { trial: trial.name.clone(), term: term.name.clone() });
        return None;
    }
    let [x, z] = mats[mat].item.pitch;
    let normaliser = match &term.normalise {
        Normalise::By(text) => quantity(text, parse_unit("N").ok().map(|(_, dim)| dim)).map_err(|fault| report("normalise", fault)).ok()?,
        Normalise::Together(_) => {
            let reason = "a mat is divided by a force, or by `max`, `max-abs`, `rms` or `range` of its cells".to_string();
            report("normalise", FitFault::BadQuantity { found: "a list of columns".into(), reason });
            return None;
        }
        own => {
            let cells = pressed.frames.iter().flat_map(|frame| &frame.measured).filter(|m| !m.is_nan());
            size(own, &cells.map(|m| m * x * z).collect::<Vec<f64>>())
        }
    };
    if !(normaliser > 0.0 && normaliser.is_finite()) {
        report("normalise", FitFault::ZeroNormaliser { trial: trial.name.clone(), term: term.name.clone() });
        return None;
    }
    let share = match term.reduce {
        Reduce::Mean => (fit.scale / pressed.frames.len() as f64).powf(1.0 / fit.power),
        _ => fit.scale.powf(1.0 / fit.power),
    };
    let mut counts = vec![false; times.len()];
    pressed.frames.iter().for_each(|frame| counts[frame.sample] = true);
    Some(Compared {
        channel: TIME,
        fade: None,
        factor: term.weight / normaliser * share,
        normaliser,
        measured: Vec::new(),
        counts,
        number: pressed.count(),
        reduce: term.reduce,
        has_rows: true,
        leader: fit.terms.iter().position(|other| std::ptr::eq(other, term)).unwrap_or(0),
        objective: term.objective - 1,
        accept: None,
        map: Some(pressed),
    })
}
