//! A gait session: what markers, forces and a model say about how a person walks.
//! Not here: inverse kinematics and dynamics (`borelli-study`), drawing (`plot`, `report`), the command line.
//! In: trials in borelli's axes with the trajectory that an inverse analysis left. Out: events, cycles, curves over the cycle, stances, numbers of walking.

pub mod curves;
pub mod errors;
mod page;
mod person;
pub mod session;
pub mod study_text;
mod tables;
#[cfg(test)]
mod tests;

pub use page::{SessionFacts, page};
pub use tables::{curves_csv, events_csv, numbers_csv, session_json, stances_csv};

use crate::report::gait::{Remark, Weight};
use borelli_data::gait::{
    Assignment, Chosen, Contact, Cycle, CycleNumbers, Found, LEAST_SWING, Method, assign_plates, choose, cycle_numbers, cycles,
    foot_tracks, force_events, pelvis_track, resample, swing, zeni_events,
};
use borelli_data::landmark::Landmarks;
use borelli_data::recording::{Clock, EventKind, Side};
use borelli_data::{Recording, Trajectory};
use borelli_dynamics::System;
use borelli_study::uncertainty::UncertaintyRecord;
use curves::{CURVES, CurveKind, Sign};

/// A trial that was measured and computed.
pub struct Trial<'a> {
    /// Name.
    pub name: String,
    /// Filtered markers and plates, in borelli's axes.
    pub recording: &'a Recording,
    /// Which marker is what.
    pub landmarks: &'a Landmarks,
    /// The model.
    pub system: &'a System,
    /// What inverse kinematics and dynamics left.
    pub trajectory: &'a Trajectory,
    /// How uncertain that is, where errors were drawn.
    pub errors: Option<&'a UncertaintyRecord>,
    /// Body mass, kg.
    pub mass: f64,
    /// Normal load above which a foot stands on a plate, N.
    pub threshold: f64,
}

/// What a curve of a cycle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Joint angle, deg.
    Angle,
    /// Internal moment, N m/kg.
    Moment,
    /// Power of the joint, W/kg.
    Power,
}

impl Quantity {
    /// Unit of its curves.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Angle => "deg",
            Quantity::Moment => "N m/kg",
            Quantity::Power => "W/kg",
        }
    }

    /// Name in tables.
    pub fn word(self) -> &'static str {
        match self {
            Quantity::Angle => "angle",
            Quantity::Moment => "moment",
            Quantity::Power => "power",
        }
    }
}

/// A curve over one cycle, at 0 to 100 per cent.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleCurve {
    /// Which curve.
    pub key: &'static str,
    /// What of it.
    pub quantity: Quantity,
    /// Side.
    pub side: Side,
    /// Which cycle of the trial's list.
    pub cycle: usize,
    /// 101 values with the signs of reports.
    pub values: Vec<f64>,
    /// Ends of what 95 % of runs with errors drawn hold, likewise.
    pub band: Option<[Vec<f64>; 2]>,
}

/// One foot on one plate from strike to off.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// Side.
    pub side: Side,
    /// Plate of the recording.
    pub plate: usize,
    /// Strike and off, s.
    pub span: (f64, f64),
    /// Force on the foot forward, up and to the right over stance, in per cent of body weight, 101 values each.
    pub force: [Vec<f64>; 3],
    /// Centre of pressure, m, and force, N, every 10 ms: forward, right, and the force forward and up.
    pub vectors: Vec<([f64; 2], [f64; 2])>,
}

/// What force and moment are left at the root of the model, over the samples in which the ground reaction is known completely.
///
/// Limits after Hicks et al. 2015, J. Biomech. Eng. 137:020905: 5 % of the largest ground reaction, and 1 % of it times the height of the mass centre.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual {
    /// How many samples.
    pub samples: usize,
    /// Force: root mean square and peak, N.
    pub force: (f64, f64),
    /// Moment: root mean square and peak, N m.
    pub moment: (f64, f64),
    /// Largest ground reaction, N.
    pub ground: f64,
    /// Mean height of the mass centre, m.
    pub height: f64,
}

impl Residual {
    /// Peaks in per cent of what they are held against: force, moment.
    pub fn percent(&self) -> (f64, f64) {
        (100.0 * self.force.1 / self.ground, 100.0 * self.moment.1 / (self.ground * self.height))
    }

    /// Whether force and moment stay within their limits.
    pub fn good(&self) -> (bool, bool) {
        let (force, moment) = self.percent();
        (force <= 5.0, moment <= 1.0)
    }
}

/// What a trial says about walking.
pub struct Walk {
    /// Name of the trial.
    pub name: String,
    /// Events with how each was found.
    pub events: Chosen,
    /// Cycles of both sides; true where the whole stance was on plates of its own.
    pub cycles: Vec<(Cycle, bool)>,
    /// Spatio-temporal numbers of each cycle.
    pub numbers: Vec<CycleNumbers>,
    /// Curves over cycles.
    pub curves: Vec<CycleCurve>,
    /// Stances on plates.
    pub stances: Vec<Stance>,
    /// Contacts of plates with who stood there.
    pub assignments: Vec<Assignment>,
    /// What is left at the root where every foot on the ground stands on a plate of its own.
    pub residual: Option<Residual>,
    /// For each sample whether the load of every foot is known: in the air, or on a plate of its own.
    pub loads_known: Vec<bool>,
    /// Signs used, by coordinate.
    pub signs: Vec<(String, &'static str, Sign)>,
    /// What the reader should know.
    pub remarks: Vec<Remark>,
}

/// Gravity of a model, m/s².
fn gravity(system: &System) -> f64 {
    system.numbers.tree.gravity.norm()
}

/// Events, cycles, curves and stances of a trial.
pub fn walk(trial: &Trial) -> Walk {
    let recording = trial.recording;
    let mut remarks = Vec::new();
    let mut remark = |weight, text: String| remarks.push(Remark { weight, trial: trial.name.clone(), text });
    let assignments = assign_plates(recording, trial.landmarks, trial.threshold);
    for assignment in &assignments {
        if let Some(text) = assignment.notice(&recording.plates[assignment.plate]) {
            remark(Weight::Warning, text);
        }
    }
    if let Some(text) = without_weight(trial) {
        remark(Weight::Severe, text);
    }
    let events = events(trial, &assignments);
    let plain = events.plain();
    let standing: Vec<(Side, &Clock, Contact)> =
        owned(&assignments).map(|(side, a)| (side, &recording.plates[a.plate].clock, a.contact)).collect();
    let (first, last) = (trial.trajectory.time().first().copied(), trial.trajectory.time().last().copied());
    // A hair: times of events and of samples are rounded differently.
    let computed = |cycle: &Cycle| first.is_some_and(|t| cycle.start >= t - 1e-6) && last.is_some_and(|t| cycle.end <= t + 1e-6);
    let cycles: Vec<(Cycle, bool)> = Side::BOTH
        .iter()
        .flat_map(|side| cycles(&plain, *side))
        .filter(computed)
        .map(|cycle| {
            let on = cycle.on_plates(&standing);
            (cycle, on)
        })
        .collect();
    if cycles.is_empty() {
        remark(Weight::Warning, "no full gait cycle was found: curves over the cycle are left out".into());
    } else if !recording.plates.is_empty() && cycles.iter().all(|(_, on)| !on) {
        remark(
            Weight::Warning,
            "no cycle has its whole stance on plates of its own: moments and powers over the cycle are left out".into(),
        );
    }
    if let Some(text) = still_feet(trial) {
        remark(Weight::Warning, text);
    }
    if let Some(text) = two_methods(&cycles, &events) {
        remark(Weight::Warning, text);
    }
    let heel = |side| foot_tracks(recording, trial.landmarks, side).map(|foot| foot.heel);
    let heels = Side::BOTH.map(|side| (side, heel(side)));
    let heel_of = |side| heels.iter().find(|(own, _)| *own == side).and_then(|(_, heel)| *heel);
    let mut numbers: Vec<CycleNumbers> = cycles
        .iter()
        .map(|(cycle, _)| cycle_numbers(cycle, &recording.clock, heel_of(cycle.side), heel_of(cycle.side.other()), 0.0))
        .collect();
    if let Some(text) = on_the_spot(trial) {
        remark(Weight::Warning, text);
        numbers.iter_mut().for_each(CycleNumbers::without_travel);
    }
    let (curves, signs) = curves(trial, &cycles);
    let stances = stances(trial, &assignments);
    let loads_known = loads_known(trial, &plain, &standing);
    let residual = residual(trial, &loads_known);
    Walk { residual, loads_known, name: trial.name.clone(), events, cycles, numbers, curves, stances, assignments, signs, remarks }
}

/// What is said of cycles whose events were found by different methods, which place them differently.
fn two_methods(cycles: &[(Cycle, bool)], events: &Chosen) -> Option<String> {
    let method = |t: f64, kind: &EventKind, side: Side| {
        let same = |e: &&borelli_data::gait::ChosenEvent| e.event.time == t && e.event.kind == *kind && e.event.side == Some(side);
        events.events.iter().find(same).map(|e| e.method)
    };
    let mut mixed: Vec<Vec<Method>> = Vec::new();
    for (cycle, _) in cycles {
        let (own, other) = (cycle.side, cycle.side.other());
        let (strike, off) = (EventKind::FootStrike, EventKind::FootOff);
        let marks = [
            method(cycle.start, &strike, own),
            method(cycle.end, &strike, own),
            cycle.off.and_then(|t| method(t, &off, own)),
            cycle.other_off.and_then(|t| method(t, &off, other)),
            cycle.other_strike.and_then(|t| method(t, &strike, other)),
        ];
        let mut list: Vec<Method> = marks.into_iter().flatten().collect();
        list.sort();
        list.dedup();
        if list.len() > 1 {
            mixed.push(list);
        }
    }
    let names = mixed.first()?.iter().map(|method| method.to_string()).collect::<Vec<_>>().join(" and ");
    let apart = events.differences.iter().map(|d| d.late.abs()).fold(0.0, f64::max);
    let apart = if apart > 0.0 { format!(", which differ by up to {:.0} ms where both tell an event", 1e3 * apart) } else { String::new() };
    Some(format!(
        "{} of {} cycles have events of different methods ({names}{apart}): their durations and phases carry that difference",
        mixed.len(),
        cycles.len()
    ))
}

/// What is said of plates that nobody seems to stand on: a wrong unit, or another axis up in the file of forces.
fn without_weight(trial: &Trial) -> Option<String> {
    let plates = &trial.recording.plates;
    if plates.is_empty() {
        return None;
    }
    let most = plates.iter().flat_map(|plate| plate.normal_load()).fold(0.0, f64::max);
    let along = |axis: usize| plates.iter().flat_map(|plate| &plate.force).map(|f| f.to_array()[axis].abs()).fold(0.0, f64::max);
    let (across, axis) = if along(0) > along(2) { (along(0), "x") } else { (along(2), "z") };
    let threshold = trial.threshold;
    // Whoever walks pushes forward and sideward by a fifth of the weight.
    if across > most.max(threshold) {
        return Some(format!(
            "largest normal load {most:.1} N, but {across:.0} N along {axis} of the model: is another axis up in the file of forces?"
        ));
    }
    (most <= threshold).then(|| format!("largest normal load {most:.1} N, never above {threshold} N: is the unit right?"))
}

/// What is said of feet that hardly move relative to the pelvis, whose markers then tell no events.
fn still_feet(trial: &Trial) -> Option<String> {
    let pelvis = pelvis_track(trial.recording, trial.landmarks)?;
    let feet = Side::BOTH.iter().filter_map(|side| foot_tracks(trial.recording, trial.landmarks, *side));
    let way = feet.map(|foot| swing(&foot, &pelvis)).reduce(f64::max)?;
    let (way, least) = (100.0 * way, 100.0 * LEAST_SWING);
    (way < least)
        .then(|| format!("the feet move by at most {way:.1} cm relative to the pelvis, less than {least:.0} cm: markers tell no events"))
}

/// Way of the pelvis below which a person who steps does not get anywhere, m.
const ON_THE_SPOT: f64 = 0.5;

/// What is said of a walk that stays where it is: lengths and speed along the floor are not those of the walk.
fn on_the_spot(trial: &Trial) -> Option<String> {
    let pelvis = pelvis_track(trial.recording, trial.landmarks)?;
    let seen: Vec<f64> = pelvis.position.iter().zip(&pelvis.seen).filter(|(_, seen)| **seen).map(|(p, _)| p.x).collect();
    let way = seen.last()? - seen.first()?;
    if way < -ON_THE_SPOT {
        return Some(format!("the pelvis moves backward by {:.2} m: is the walking direction right?", -way));
    }
    (way.abs() < ON_THE_SPOT)
        .then(|| format!("the pelvis moves by {way:.2} m only, as on a treadmill: stride length and speed are left out, since the speed of the belt is not known"))
}

/// Contacts of one foot with the whole of it on the plate: only they tell when the foot strikes and all that loads it.
fn owned(assignments: &[Assignment]) -> impl Iterator<Item = (Side, &Assignment)> {
    assignments.iter().filter_map(|a| Some((a.whole_foot()?, a)))
}

/// Events of the file, of forces and of markers; the first that tells counts.
fn events(trial: &Trial, assignments: &[Assignment]) -> Chosen {
    let recording = trial.recording;
    let of_gait = |event: &&borelli_data::recording::Event| event.side.is_some() && !matches!(event.kind, EventKind::Other(_));
    let file = recording.events.iter().filter(of_gait).cloned().collect();
    let contacts = united(assignments, recording);
    let pelvis = pelvis_track(recording, trial.landmarks);
    let markers = Side::BOTH
        .iter()
        .filter_map(|side| Some(zeni_events(&recording.clock, &foot_tracks(recording, trial.landmarks, *side)?, pelvis.as_ref()?)))
        .flatten()
        .collect();
    let found = |method, events| Found { method, events };
    choose(&[found(Method::File, file), found(Method::Force, force_events(&contacts)), found(Method::Zeni, markers)])
}

/// For each sample whether each foot is in the air or on a plate of its own; not where its phase is not known.
fn loads_known(trial: &Trial, events: &[borelli_data::recording::Event], standing: &[(Side, &Clock, Contact)]) -> Vec<bool> {
    let known = |t: f64, side: Side| match phase(events, side, t) {
        Some(Phase::Swing) => true,
        Some(Phase::Stance) => standing.iter().any(|(own, clock, contact)| {
            let (from, to) = contact.span(clock);
            *own == side && t >= from && t <= to
        }),
        None => false,
    };
    trial.trajectory.time().iter().map(|t| Side::BOTH.iter().all(|side| known(*t, *side))).collect()
}

/// Residuals over the samples in which all loads are known; nothing without any.
fn residual(trial: &Trial, loads_known: &[bool]) -> Option<Residual> {
    let table = trial.trajectory;
    let part = |kind: &str, axis: &str| table.column(&format!("root.residual.{kind}.{axis}"));
    let (force, moment) = (["x", "y", "z"].map(|axis| part("force", axis)), ["x", "y", "z"].map(|axis| part("moment", axis)));
    let norm = |list: &[Option<&[f64]>; 3], k: usize| list.iter().flatten().map(|values| values[k] * values[k]).sum::<f64>().sqrt();
    force[1]?;
    let height = table.column("system.center.y")?;
    let ground = trial.recording.plates.iter().flat_map(|plate| &plate.force).map(|f| f.norm()).fold(0.0, f64::max);
    let (mut sums, mut peaks, mut heights, mut samples) = ([0.0; 2], [0.0_f64; 2], 0.0, 0_usize);
    for (k, _) in loads_known.iter().enumerate().filter(|(_, known)| **known) {
        let found = [norm(&force, k), norm(&moment, k)];
        for (j, x) in found.into_iter().enumerate() {
            sums[j] += x * x;
            peaks[j] = peaks[j].max(x);
        }
        heights += height[k];
        samples += 1;
    }
    let count = samples as f64;
    (samples > 0 && ground > 0.0).then(|| Residual {
        samples,
        force: ((sums[0] / count).sqrt(), peaks[0]),
        moment: ((sums[1] / count).sqrt(), peaks[1]),
        ground,
        height: heights / count,
    })
}

/// Whether a foot is on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Stance,
    Swing,
}

/// The phase of a foot by the event before and the event after; nothing where they contradict each other or one is missing.
fn phase(events: &[borelli_data::recording::Event], side: Side, t: f64) -> Option<Phase> {
    let own = || events.iter().filter(move |event| event.side == Some(side));
    let before = own().filter(|event| event.time <= t).max_by(|a, b| a.time.total_cmp(&b.time))?;
    let after = own().filter(|event| event.time > t).min_by(|a, b| a.time.total_cmp(&b.time))?;
    match (&before.kind, &after.kind) {
        (EventKind::FootStrike, EventKind::FootOff) => Some(Phase::Stance),
        (EventKind::FootOff, EventKind::FootStrike) => Some(Phase::Swing),
        _ => None,
    }
}

/// Contacts by foot; those of a foot on two plates at once as one, from the first strike to the last off.
fn united(assignments: &[Assignment], recording: &Recording) -> Vec<(Side, Contact)> {
    let mut list: Vec<(Side, Contact, (f64, f64))> = Vec::new();
    for (side, assignment) in owned(assignments) {
        let (contact, span) = (assignment.contact, assignment.contact.span(&recording.plates[assignment.plate].clock));
        match list.iter_mut().find(|(own, _, known)| *own == side && known.0 < span.1 && span.0 < known.1) {
            Some((_, known, ends)) => {
                let earlier = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a.min(b));
                let later = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a.max(b));
                (known.strike, known.off) = (earlier(known.strike, contact.strike), later(known.off, contact.off));
                *ends = (ends.0.min(span.0), ends.1.max(span.1));
            }
            None => list.push((side, contact, span)),
        }
    }
    list.into_iter().map(|(side, contact, _)| (side, contact)).collect()
}

/// The column of a coordinate.
fn column_name(coordinate: &str, part: &str) -> String {
    format!("coord.{coordinate}.{part}")
}

/// Curves of all cycles, and the signs they were given.
fn curves(trial: &Trial, cycles: &[(Cycle, bool)]) -> (Vec<CycleCurve>, Vec<(String, &'static str, Sign)>) {
    let names: Vec<&str> = trial.system.names.coordinates.iter().map(|c| c.name.as_str()).collect();
    let (mut list, mut signs): (_, Vec<(String, &'static str, Sign)>) = (Vec::new(), Vec::new());
    for kind in CURVES {
        for side in Side::BOTH {
            let Some(coordinate) = kind.coordinate(side, &names) else { continue };
            let Some(values) = trial.trajectory.column(&column_name(coordinate, "value")) else { continue };
            let sign = kind.sign(coordinate, &trial.system.report_signs, values);
            let factor = sign.factor * kind.side_factor(side);
            if signs.iter().all(|(known, ..)| known != coordinate) {
                signs.push((coordinate.to_string(), kind.title, sign));
            }
            for (k, (cycle, on_plates)) in cycles.iter().enumerate().filter(|(_, (cycle, _))| cycle.side == side) {
                let mut add = |quantity, name: Option<String>, factor: f64| {
                    let Some((name, values)) = name.and_then(|name| trial.trajectory.column(&name).map(|values| (name, values))) else {
                        return;
                    };
                    let Some(mut values) = resample(trial.trajectory.time(), values, &[], cycle.start, cycle.end) else { return };
                    values.iter_mut().for_each(|x| *x *= factor);
                    let band = trial.errors.and_then(|record| band(record, &name, cycle, &values, factor));
                    list.push(CycleCurve { key: kind.key, quantity, side, cycle: k, values, band });
                };
                add(Quantity::Angle, Some(column_name(coordinate, "value")), factor.to_degrees());
                if *on_plates && kind.moment_words.is_some() {
                    // The effort that turns the joint the clinical way is flexion; reports show extension upward.
                    add(Quantity::Moment, Some(column_name(coordinate, "effort")), -factor / trial.mass);
                    if kind.plane == 0 {
                        add(Quantity::Power, power(trial, coordinate), 1.0 / trial.mass);
                    }
                }
            }
        }
    }
    (list, signs)
}

/// The column of the power of the joint that a coordinate belongs to.
fn power(trial: &Trial, coordinate: &str) -> Option<String> {
    let names = &trial.system.names;
    let joint = names.coordinates.iter().find(|c| c.name == coordinate)?.joint as usize;
    Some(format!("joint.{}.power", names.joints[joint]))
}

/// Ends of what 95 % of runs hold of a column over a cycle, around its values there.
///
/// How far they lie from the run without errors is taken straight from sample to sample: it has corners where the effect of an error changes its sign, and
/// where loads begin and end, and a smooth curve would swing there.
fn band(record: &UncertaintyRecord, column: &str, cycle: &Cycle, values: &[f64], factor: f64) -> Option<[Vec<f64>; 2]> {
    let own = record.columns.iter().find(|own| own.column.name == column)?;
    let step = (cycle.end - cycle.start) / (values.len() - 1) as f64;
    let off = |sample: usize, end: usize| Some(factor * ((*own.bands.get(sample)?)?.quantiles[end] - own.nominal[sample]));
    let at = |k: usize, end: usize| {
        let t = cycle.start + step * k as f64;
        let above = record.times.partition_point(|own| *own < t).clamp(1, record.times.len().checked_sub(1)?);
        let (before, after) = (record.times[above - 1], record.times[above]);
        let part = ((t - before) / (after - before)).clamp(0.0, 1.0);
        Some(values[k] + (1.0 - part) * off(above - 1, end)? + part * off(above, end)?)
    };
    let curve = |end: usize| (0..values.len()).map(|k| at(k, end)).collect::<Option<Vec<f64>>>();
    let (low, high) = (curve(0)?, curve(2)?);
    Some(if factor < 0.0 { [high, low] } else { [low, high] })
}

/// Stances from strike to off with their forces.
fn stances(trial: &Trial, assignments: &[Assignment]) -> Vec<Stance> {
    let weight = trial.mass * gravity(trial.system);
    let one = |(side, assignment): (Side, &Assignment)| {
        let plate = &trial.recording.plates[assignment.plate];
        let span = (assignment.contact.strike?, assignment.contact.off?);
        let times = plate.clock.times();
        let part = |axis: usize| {
            let values: Vec<f64> = plate.force.iter().map(|f| 100.0 / weight * f.to_array()[axis]).collect();
            resample(&times, &values, &[], span.0, span.1)
        };
        let force = [part(0)?, part(1)?, part(2)?];
        let step = (plate.clock.rate / 100.0).round().max(1.0) as usize;
        let shown = (assignment.contact.first..=assignment.contact.last).step_by(step).filter(|k| plate.loaded[*k]);
        let vectors = shown.map(|k| ([plate.cop[k].x, plate.cop[k].z], [plate.force[k].x, plate.force[k].y])).collect();
        Some(Stance { side, plate: assignment.plate, span, force, vectors })
    };
    // A foot on two plates at once has no curve of its own on either.
    let span = |a: &Assignment| a.contact.span(&trial.recording.plates[a.plate].clock);
    let shared = |(side, a): &(Side, &Assignment)| {
        let (from, to) = span(a);
        let meets = |other: &Assignment| {
            let (start, end) = span(other);
            other.plate != a.plate && start < to && from < end
        };
        owned(assignments).any(|(own, other)| own == *side && meets(other))
    };
    owned(assignments).filter(|own| !shared(own)).filter_map(one).collect()
}

/// Curves of one kind and side over all trials.
pub(crate) fn gathered<'w>(walks: &'w [Walk], kind: &CurveKind, quantity: Quantity, side: Side) -> Vec<&'w CycleCurve> {
    let fits = |curve: &&CycleCurve| curve.key == kind.key && curve.quantity == quantity && curve.side == side;
    walks.iter().flat_map(|walk| walk.curves.iter().filter(fits)).collect()
}
