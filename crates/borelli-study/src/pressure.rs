//! Pressure mats along a run: their columns at every sample, and maps of all cells at some of them.
//! Not here: what a mat shows at one instant (`borelli_dynamics::contact`), files and pictures of maps.
//! In: readings of all mats at the samples of a run. Out: a `PressureMap` for each mat.
//!
//! | columns | what | unit |
//! | --- | --- | --- |
//! | `sensor.N.force` | sum of pressure times area of a cell | N |
//! | `sensor.N.cop.x`, `.cop.z`, `.cop.valid` | centre of pressure from the corner of the mat along its X and Z; nothing below the least force | m, 1 |
//! | `sensor.N.peak` | highest mean pressure of a cell | Pa |

use crate::column_visitor::{Needs, Visitor};
use crate::plan::{Plan, PressureFrames, Time};
use crate::plan_fault::PlanFault;
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::contact::{Mat, MatReading};
use borelli_dynamics::parts::Named;
use borelli_math::Real;
use borelli_model::Findings;

/// Most pressures that the maps of a run may hold: 400 MB.
const MOST_PRESSURES: f64 = 5e7;

/// The maps of one mat.
#[derive(Clone, Debug, PartialEq)]
pub struct PressureMap {
    /// Name of the mat.
    pub name: String,
    /// Number of cells along X and Z of the mat.
    pub cells: [usize; 2],
    /// Size of a cell along X and Z, m.
    pub pitch: [f64; 2],
    /// Times of the frames, s.
    pub time: Vec<f64>,
    /// Centre of pressure of each frame along X and Z from the corner, m; nothing where the force is below the least.
    pub centre: Vec<Option<[f64; 2]>>,
    /// Mean pressure of each cell, Pa: by frame, then along X, then along Z.
    pub pressure: Vec<f64>,
    /// The highest pressure of each cell at all samples of the run, Pa: along X, then along Z.
    pub peak: Vec<f64>,
}

impl PressureMap {
    /// Middles of the cells along X (side 0) or Z (side 1) from the corner, m.
    pub fn middles(&self, side: usize) -> Vec<f64> {
        (0..self.cells[side]).map(|k| (k as f64 + 0.5) * self.pitch[side]).collect()
    }

    /// Pressures of a frame, Pa.
    pub fn frame(&self, frame: usize) -> &[f64] {
        &self.pressure[frame * self.peak.len()..][..self.peak.len()]
    }
}

/// Shows the columns of all mats.
pub(crate) fn visit<S: Real>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    for (k, name) in system.names.sensors.iter().enumerate() {
        let called = |part: &str| format!("sensor.{name}.{part}");
        visitor.one(Needs::MATS, || Column::new(called("force"), "N"), |now| S::from_f64(now.mats[k].force));
        let centre = |side: usize| Column::optional(called(["cop.x", "cop.z"][side]), "m");
        visitor.put(Needs::MATS, centre, |now| now.mats[k].centre.unwrap_or([f64::NAN; 2]).map(S::from_f64));
        let valid = || Column::new(called("cop.valid"), "1");
        visitor.one(Needs::MATS, valid, |now| S::from_f64(f64::from(now.mats[k].centre.is_some())));
        visitor.one(Needs::MATS, || Column::new(called("peak"), "Pa"), |now| S::from_f64(now.mats[k].peak));
    }
}

/// Frames that a plan asks for at most.
fn count(frames: PressureFrames, time: Time) -> f64 {
    match frames {
        PressureFrames::Count(count) => count as f64,
        PressureFrames::Interval(interval) => ((time.end - time.start) / interval).floor() + 1.0,
    }
}

/// Reports maps that are asked for in vain, or are too many.
pub(crate) fn check(system: &System, plan: &Plan, findings: &mut Findings) {
    let mats = &system.numbers.contacts.mats;
    if mats.is_empty() && plan.place("pressure", "").is_some() {
        findings.push(None, "pressure", "", &PlanFault::NoMat);
    }
    let (frames, cells) = (count(plan.pressure, plan.time), mats.iter().map(|mat| mat.item.count()).sum::<usize>());
    if frames * cells as f64 > MOST_PRESSURES {
        let field = if matches!(plan.pressure, PressureFrames::Count(_)) { "frames" } else { "interval" };
        findings.push(None, "pressure", field, &PlanFault::TooManyFrames { frames, cells, limit: MOST_PRESSURES });
    }
}

/// Maps while a run goes. A frame is the sample nearest to the time at which it is due; no sample is taken twice.
pub(crate) struct Maps {
    maps: Vec<PressureMap>,
    /// Readings at the sample before.
    before: Vec<MatReading>,
    /// Time of that sample.
    last: Option<f64>,
    start: f64,
    interval: f64,
    frames: u64,
    next: u64,
}

impl Maps {
    /// No frame yet.
    pub(crate) fn new(system: &System, plan: &Plan) -> Maps {
        let empty = |named: &Named<Mat<f64>>| PressureMap {
            name: named.name.clone(),
            cells: named.item.cells,
            pitch: named.item.pitch,
            time: Vec::new(),
            centre: Vec::new(),
            pressure: Vec::new(),
            peak: vec![0.0; named.item.count()],
        };
        let mats = &system.numbers.contacts.mats;
        let maps: Vec<PressureMap> = mats.iter().map(empty).collect();
        let Time { start, end, .. } = plan.time;
        let frames = count(plan.pressure, plan.time);
        let interval = match plan.pressure {
            PressureFrames::Count(_) => (end - start) / (frames - 1.0).max(1.0),
            PressureFrames::Interval(interval) => interval,
        };
        Maps {
            before: mats.iter().map(|mat| MatReading::new(&mat.item)).collect(),
            maps,
            last: None,
            start,
            interval,
            frames: frames as u64,
            next: 0,
        }
    }

    /// Sees all mats at the next sample.
    pub(crate) fn note(&mut self, t: f64, readings: &[MatReading]) {
        if self.maps.is_empty() {
            return;
        }
        for (map, reading) in self.maps.iter_mut().zip(readings) {
            map.peak.iter_mut().zip(&reading.pressures).for_each(|(peak, p)| *peak = peak.max(*p));
        }
        while self.next < self.frames {
            let due = self.start + self.next as f64 * self.interval;
            // The last sample may miss the last frame by a rounding.
            if due > t + 1e-9 * self.interval {
                break;
            }
            self.next += 1;
            match self.last.filter(|last| due - last < t - due) {
                Some(last) => self.keep(last, None),
                None => self.keep(t, Some(readings)),
            }
        }
        self.last = Some(t);
        for (before, reading) in self.before.iter_mut().zip(readings) {
            before.pressures.copy_from_slice(&reading.pressures);
            before.centre = reading.centre;
        }
    }

    /// Takes a frame from readings, or from the sample before, unless it has been taken.
    fn keep(&mut self, t: f64, readings: Option<&[MatReading]>) {
        for (k, map) in self.maps.iter_mut().enumerate() {
            if map.time.last().is_none_or(|last| *last < t) {
                let reading = readings.map_or(&self.before[k], |readings| &readings[k]);
                map.time.push(t);
                map.centre.push(reading.centre);
                map.pressure.extend_from_slice(&reading.pressures);
            }
        }
    }

    /// Whether there are mats to be seen.
    pub(crate) fn are_wanted(&self) -> bool {
        !self.maps.is_empty()
    }

    /// What was kept.
    pub(crate) fn finish(self) -> Vec<PressureMap> {
        self.maps
    }
}
