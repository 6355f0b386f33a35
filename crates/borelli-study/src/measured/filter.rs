//! Filters of a plan put to measured coordinates and markers.
//! Not here: the filters themselves (`borelli_data::signal`), differentiation (`run`).
//! In: a table of coordinates, or a recording. Out: the same filtered, and what was done to what.

use super::plan::{Correction, Cutoff, FilterRule};
use crate::plan_fault::PlanFault;
use borelli_data::recording::{Clock, PointSeries};
use borelli_data::signal::{self, Butterworth, SignalFault, SmoothingSpline, filter_seen, foreign_filter, propose_cutoff, unwrap_angles};
use borelli_data::{Explain, Trajectory};
use borelli_dynamics::System;
use borelli_dynamics::system::Measure;

/// Passes of a filter without lag.
const PASSES: usize = 2;
/// Loss at the edge of a pass band, dB: half the power.
const HALF_POWER: f64 = 3.010_299_956_639_812;

/// A filter for signals of one rate.
struct Ready {
    filter: Butterworth,
    /// Where it cuts off, Hz.
    cutoff: f64,
    /// For people: `6 Hz`.
    said: String,
}

fn butterworth(cutoff: Cutoff, order: usize, correction: Correction, x: &[f64], rate: f64) -> Result<Ready, SignalFault> {
    let correction = match correction {
        Correction::Exact => signal::Correction::Exact,
        Correction::Frequency => signal::Correction::Frequency,
        Correction::None => signal::Correction::None,
    };
    Ok(match cutoff {
        Cutoff::At(cutoff) => {
            Ready { filter: Butterworth::low_pass(order, cutoff, rate, PASSES, correction)?, cutoff, said: format!("{cutoff} Hz") }
        }
        Cutoff::Residual => {
            let proposed = propose_cutoff(x, rate)?.cutoff;
            let filter = Butterworth::low_pass(order, proposed, rate, PASSES, correction)?;
            Ready { filter, cutoff: proposed, said: format!("{proposed:.2} Hz") }
        }
        Cutoff::Bands { pass, stop, loss } => {
            let filter = Butterworth::from_bands(pass, HALF_POWER, stop, loss, rate, PASSES)?;
            let said = format!("{pass} Hz, {loss} dB at {stop} Hz, order {} a pass", filter.order());
            Ready { filter, cutoff: pass, said }
        }
    })
}

/// The rule in words, without the cut-off.
fn kind(rule: &FilterRule) -> String {
    match rule {
        FilterRule::None => "none".into(),
        FilterRule::Butterworth { order, correction, pad, .. } => {
            let correction = match correction {
                Correction::Exact => "",
                Correction::Frequency => ", corrected by frequency",
                Correction::None => ", not corrected",
            };
            let ends = pad.map_or(String::new(), |pad| format!(", ends lengthened by {pad} samples"));
            format!("Butterworth, order {order} forward and backward{correction}{ends}")
        }
        FilterRule::Foreign { cutoff } => format!("as OpenSim filters, {cutoff} Hz"),
        FilterRule::Spline => "quintic smoothing spline by cross-validation".into(),
    }
}

/// Spans at both ends of a filtered signal in which a filter that cuts off at this frequency has not settled, s: one period, after which the slowest answer of a
/// Butterworth filter of second order, exp(-2π/√2), has decayed to 1 %.
pub(crate) fn ends(time: &[f64], cutoff: f64) -> Vec<(f64, f64)> {
    match (time.first(), time.last()) {
        (Some(first), Some(last)) if cutoff > 0.0 => vec![(*first, first + 1.0 / cutoff), (last - 1.0 / cutoff, *last)],
        _ => Vec::new(),
    }
}

/// A table whose coordinates were filtered.
pub(crate) struct Filtered {
    pub table: Trajectory,
    /// What was done, for people.
    pub told: String,
    /// Lowest cut-off of all coordinates, Hz; nothing without a filter.
    pub cutoff: Option<f64>,
}

/// Filters the coordinates of a table.
pub(crate) fn coordinates(table: &Trajectory, system: &System, rule: &FilterRule) -> Result<Filtered, PlanFault> {
    let mut cutoffs: Vec<f64> = Vec::new();
    let mut time = table.time().to_vec();
    let own = |name: &str| -> Option<Measure> {
        let name = name.strip_prefix("coord.")?.strip_suffix(".value")?;
        system.names.coordinates.iter().find(|c| c.name == name).map(|c| c.measure)
    };
    let (mut columns, mut data, mut said): (Vec<_>, Vec<Vec<f64>>, Vec<String>) = (Vec::new(), Vec::new(), Vec::new());
    for (k, column) in table.columns().iter().enumerate() {
        let mut x = table.values(k).to_vec();
        let Some(measure) = own(&column.name) else {
            // Other columns follow to the times of the coordinates below.
            columns.push((column.clone(), false));
            data.push(x);
            continue;
        };
        let fault = |reason: SignalFault| PlanFault::FilterFault { signal: column.name.clone(), reason: reason.message() };
        if let Some(gap) = x.iter().position(|x| !x.is_finite()) {
            return Err(PlanFault::MotionGap { column: column.name.clone(), time: table.time()[gap] });
        }
        if measure == Measure::Angle {
            unwrap_angles(&mut x, &[]);
        }
        match rule {
            FilterRule::None => {}
            FilterRule::Butterworth { cutoff, order, correction, pad } => {
                let rate = signal::even_rate(table.time()).map_err(fault)?;
                let ready = butterworth(*cutoff, *order, *correction, &x, rate).map_err(fault)?;
                x = ready.filter.try_filter(&x, *pad).map_err(fault)?;
                cutoffs.push(ready.cutoff);
                said.push(ready.said);
            }
            FilterRule::Foreign { cutoff } => {
                cutoffs.push(*cutoff);
                let (times, filtered) = foreign_filter(table.time(), &x, *cutoff).map_err(fault)?;
                (time, x) = (times, filtered);
            }
            FilterRule::Spline => {
                let spline = SmoothingSpline::gcv(table.time(), &x).map_err(fault)?;
                cutoffs.push(spline.cutoff());
                said.push(format!("{:.2} Hz", spline.cutoff()));
                x = table.time().iter().map(|t| spline.derivatives(*t)[0]).collect();
            }
        }
        columns.push((column.clone(), true));
        data.push(x);
    }
    let names: Vec<&str> = columns.iter().filter(|(_, filtered)| *filtered).map(|(column, _)| column.name.as_str()).collect();
    let told = told(rule, &names, &said);
    let mut out = Trajectory::foreign(columns.iter().map(|(column, _)| column.clone()).collect())
        .map_err(|fault| PlanFault::MotionTable { reason: fault.to_string() })?;
    let mut row = vec![0.0; columns.len() + 1];
    for (sample, t) in time.iter().enumerate() {
        row[0] = *t;
        for (k, (_, filtered)) in columns.iter().enumerate() {
            let first = table.time().first().copied().unwrap_or(*t);
            let last = table.time().last().copied().unwrap_or(*t);
            row[k + 1] = if *filtered { data[k][sample] } else { table.value_at(k, t.clamp(first, last)).unwrap_or(f64::NAN) };
        }
        out.push_row(&row).map_err(|fault| PlanFault::MotionTable { reason: fault.to_string() })?;
    }
    Ok(Filtered { table: out, told, cutoff: cutoffs.into_iter().reduce(f64::min) })
}

/// Filters points in place, between gaps, and says what was done. Stretches too short for the filter stay as they are.
pub(crate) fn points(points: &mut [PointSeries], clock: &Clock, rule: &FilterRule) -> Result<String, PlanFault> {
    let (mut said, mut short): (Vec<String>, usize) = (Vec::new(), 0);
    for point in points.iter_mut() {
        let fault = |reason: SignalFault| PlanFault::FilterFault { signal: point.name.clone(), reason: reason.message() };
        let mut axes: [Vec<f64>; 3] = std::array::from_fn(|k| point.position.iter().map(|p| p.to_array()[k]).collect());
        for x in &mut axes {
            match rule {
                FilterRule::None => {}
                FilterRule::Butterworth { cutoff, order, correction, pad } => {
                    let stretch = signal::segments(&point.seen, x.len()).into_iter().max_by_key(|samples| samples.len()).unwrap_or(0..0);
                    let ready = butterworth(*cutoff, *order, *correction, &x[stretch], clock.rate).map_err(fault)?;
                    short += filter_seen(x, &point.seen, &ready.filter, *pad).len();
                    said.push(ready.said);
                }
                FilterRule::Foreign { .. } => return Err(PlanFault::ForeignMarkers),
                FilterRule::Spline => {
                    for samples in signal::segments(&point.seen, x.len()) {
                        let times: Vec<f64> = samples.clone().map(|k| clock.time(k)).collect();
                        match SmoothingSpline::gcv(&times, &x[samples.clone()]) {
                            Ok(spline) => x[samples].iter_mut().zip(&times).for_each(|(x, t)| *x = spline.derivatives(*t)[0]),
                            Err(_) => short += 1,
                        }
                    }
                }
            }
        }
        for (k, p) in point.position.iter_mut().enumerate() {
            *p = borelli_math::vec3(axes[0][k], axes[1][k], axes[2][k]);
        }
    }
    let names: Vec<&str> = points.iter().map(|point| point.name.as_str()).collect();
    said.dedup();
    let alone = if said.len() == 1 { said } else { Vec::new() };
    let left = if short > 0 { format!("; {short} stretches between gaps were too short and stay as they are") } else { String::new() };
    Ok(format!("{}{left}", told(rule, &names, &alone)))
}

/// What was done to what, in one sentence: one cut-off for all, or one for each.
fn told(rule: &FilterRule, names: &[&str], said: &[String]) -> String {
    let own = |name: &str| name.strip_prefix("coord.").and_then(|name| name.strip_suffix(".value")).unwrap_or(name).to_string();
    let same = said.windows(2).all(|pair| pair[0] == pair[1]);
    match said.first() {
        Some(all) if same => format!("{}, {all}: {}", kind(rule), names.iter().map(|name| own(name)).collect::<Vec<_>>().join(", ")),
        Some(_) => {
            let each: Vec<String> = names.iter().zip(said).map(|(name, said)| format!("{} {said}", own(name))).collect();
            format!("{}: {}", kind(rule), each.join(", "))
        }
        None => format!("{}: {}", kind(rule), names.iter().map(|name| own(name)).collect::<Vec<_>>().join(", ")),
    }
}
