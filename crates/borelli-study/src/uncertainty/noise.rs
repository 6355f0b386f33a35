//! Noise put on the tables of a plan: a motion as its file has it, markers before gaps and filters, loads before thresholds and filters.
//! Not here: the noise itself (`borelli-fit`), what becomes of the tables (`measured`).
//! In: noises as they are written, a system and a plan. Out: the same plan with other numbers in its tables; all faults.
//!
//! What a run adds depends on the seed, the key of the run, and where it is added, and on nothing else.

use super::definition::{Noise, Upon};
use super::fault::UncertaintyFault;
use crate::measured::{LoadFile, LoadNoise, LoadPart, Markers, motion_file};
use crate::pattern::fits;
use crate::plan::{Derivatives, Motion, MotionFile, MotionSource, Plan};
use borelli_data::{Recording, Trajectory};
use borelli_dynamics::System;
use borelli_fit::random::{Purpose, Stream};
use borelli_fit::uncertainty::noise::{Memory, noise};
use borelli_math::{Vec3, vec3};
use borelli_model::{Dim, Findings, parse_quantity, parse_unit};
use std::sync::Arc;

/// How large noise is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Size {
    /// SI.
    Absolute(f64),
    /// A part of what it is put on.
    Part(f64),
}

/// A noise that goes with a plan.
pub(crate) struct Known {
    upon: Upon,
    size: Size,
    memory: Memory,
    /// Columns of the motion, points of the recording, plates.
    targets: Vec<usize>,
    /// Of columns of a motion: what a number of the file is in SI.
    factors: Vec<f64>,
}

/// All noises of a plan.
pub(crate) struct Noises {
    pub list: Vec<Known>,
    seed: u32,
}

impl Noises {
    /// Noises of a plan; nothing where one of them does not go with it, which is reported.
    pub(crate) fn new(system: &System, plan: &Plan, asked: &[Noise], seed: u32, findings: &mut Findings) -> Option<Noises> {
        let mut list = Vec::new();
        for own in asked {
            match known(system, plan, own) {
                Ok(known) => list.push(known),
                Err(fault) => {
                    let field = match &fault {
                        UncertaintyFault::NoiseSize { .. } => "sd",
                        UncertaintyFault::NothingNoisy { .. } => "columns",
                        _ => "on",
                    };
                    findings.push(own.at, "uncertainty.noise", field, &fault);
                }
            }
        }
        (list.len() == asked.len()).then_some(Noises { list, seed })
    }

    /// The plan with noise on its tables; `keys` say for each noise which draw it is.
    pub(crate) fn disturbed(&self, plan: &Plan, keys: &[u32]) -> Plan {
        let mut plan = plan.clone();
        for (k, (own, key)) in self.list.iter().zip(keys).enumerate() {
            let draw = |channel: usize, times: &[f64]| {
                noise(own.memory, times, &mut Stream::new(self.seed, Purpose::Noise, *key, k as u32, channel as u32))
            };
            match own.upon {
                Upon::Motion => own.on_motion(&mut plan, &draw),
                Upon::Markers => own.on_markers(&mut plan, &draw),
                Upon::Forces => own.on_loads(&mut plan, LoadPart::Force, &draw),
                Upon::Points => own.on_loads(&mut plan, LoadPart::Point, &draw),
                Upon::Couples => own.on_loads(&mut plan, LoadPart::Couple, &draw),
            }
        }
        plan
    }
}

/// Noise of standard deviation one of a channel at some times.
type Draw<'d> = &'d dyn Fn(usize, &[f64]) -> Vec<f64>;

impl Known {
    /// Standard deviation in SI; that of a part where it is one.
    fn sd(&self) -> f64 {
        match self.size {
            Size::Absolute(sd) | Size::Part(sd) => sd,
        }
    }

    fn on_motion(&self, plan: &mut Plan, draw: Draw) {
        let Some(Motion { source: MotionSource::File(MotionFile { table, .. }), .. }) = &mut plan.motion else { return };
        let Ok(mut other) = Trajectory::foreign(table.columns().to_vec()) else { return };
        let mut added = vec![Vec::new(); table.columns().len()];
        for (k, factor) in self.targets.iter().zip(&self.factors) {
            added[*k] = draw(*k, table.time()).into_iter().map(|x| self.sd() * x / factor).collect();
        }
        let mut row = vec![0.0; table.columns().len() + 1];
        for sample in 0..table.len() {
            table.fill_row(sample, &mut row);
            row[1..].iter_mut().zip(&added).for_each(|(cell, added)| *cell += added.get(sample).copied().unwrap_or(0.0));
            // A row that was good stays good.
            let _ = other.push_row(&row);
        }
        *table = other;
    }

    fn on_markers(&self, plan: &mut Plan, draw: Draw) {
        let Some(markers) = &mut plan.markers else { return };
        let mut recording = Recording::clone(&markers.recording);
        let times = recording.clock.times();
        for point in &self.targets {
            let added = self.vectors(*point, &times, draw);
            let own = &mut recording.points[*point];
            for (k, added) in added.into_iter().enumerate().filter(|(k, _)| own.seen[*k]) {
                own.position[k] += added;
            }
        }
        markers.recording = Arc::new(recording);
    }

    fn on_loads(&self, plan: &mut Plan, part: LoadPart, draw: Draw) {
        let Some(loads) = &mut plan.loads else { return };
        for target in &self.targets {
            let plate = &loads.recording.plates[*target];
            let times = plate.clock.times();
            let (mut added, mut scaled) = (Vec::new(), Vec::new());
            match self.size {
                Size::Absolute(_) => added = self.vectors(*target, &times, draw),
                Size::Part(sd) => scaled = draw(3 * target, &times).into_iter().map(|x| sd * x).collect(),
            }
            loads.noise.push(LoadNoise { plate: plate.name.clone(), part, added, scaled });
        }
    }

    /// Noise in each of three directions.
    fn vectors(&self, target: usize, times: &[f64], draw: Draw) -> Vec<Vec3<f64>> {
        let [x, y, z] = [0, 1, 2].map(|axis| draw(3 * target + axis, times));
        let sd = self.sd();
        x.into_iter().zip(y).zip(z).map(|((x, y), z)| vec3(x, y, z).scale(sd)).collect()
    }
}

/// A noise, or what is wrong with it.
fn known(system: &System, plan: &Plan, own: &Noise) -> Result<Known, UncertaintyFault> {
    let wrong = |expected| UncertaintyFault::NoiseSize { noise: own.name.clone(), found: own.sd.clone(), expected };
    let (sd, dim) = parse_quantity(&own.sd).map_err(|_| wrong("a number with its unit"))?;
    if !(sd > 0.0 && sd.is_finite()) {
        return Err(wrong("above zero"));
    }
    let is_part = own.sd.trim_end().ends_with('%');
    let known = |size, targets, factors| Known { upon: own.upon, size, memory: own.memory, targets, factors };
    let unit = match own.upon {
        Upon::Motion => return on_motion(system, plan, own, dim).map(|(targets, factors)| known(Size::Absolute(sd), targets, factors)),
        Upon::Forces if is_part => return on_plates(plan, own).map(|targets| known(Size::Part(sd), targets, Vec::new())),
        Upon::Markers | Upon::Points => "m",
        Upon::Forces => "N",
        Upon::Couples => "N m",
    };
    if !parse_unit(unit).is_ok_and(|(_, expected)| dim.fits(expected)) {
        return Err(wrong(match own.upon {
            Upon::Forces => "a force, nor a part such as 1 %",
            Upon::Couples => "a moment",
            _ => "a length",
        }));
    }
    let targets = if own.upon == Upon::Markers { on_points(plan, own) } else { on_plates(plan, own) }?;
    Ok(known(Size::Absolute(sd), targets, Vec::new()))
}

fn chosen(own: &Noise, names: &[Vec<String>]) -> Vec<usize> {
    let is_meant =
        |names: &Vec<String>| own.columns.is_empty() || own.columns.iter().any(|pattern| names.iter().any(|name| fits(pattern, name)));
    (0..names.len()).filter(|k| is_meant(&names[*k])).collect()
}

/// What was chosen of some that have several names each.
fn named(own: &Noise, names: &[Vec<String>], keep: impl Fn(&usize) -> bool) -> Result<Vec<usize>, UncertaintyFault> {
    let list: Vec<usize> = chosen(own, names).into_iter().filter(keep).collect();
    let known = names.iter().filter_map(|names| names.first().cloned()).collect();
    if list.is_empty() { Err(UncertaintyFault::NothingNoisy { noise: own.name.clone(), upon: own.upon.name(), known }) } else { Ok(list) }
}

fn no_table(own: &Noise) -> UncertaintyFault {
    UncertaintyFault::NoTable { noise: own.name.clone(), upon: own.upon.name() }
}

/// Columns of a motion that are coordinates of the dimension of the noise, and what a number of each is in SI.
fn on_motion(system: &System, plan: &Plan, own: &Noise, dim: Dim) -> Result<(Vec<usize>, Vec<f64>), UncertaintyFault> {
    let Some(Motion { source: MotionSource::File(file), derivatives }) = &plan.motion else { return Err(no_table(own)) };
    // Rates that stand beside the values would no longer belong to them.
    if *derivatives == Derivatives::Exact {
        return Err(no_table(own));
    }
    let settled = motion_file::settle(file, system).map_err(|_| no_table(own))?;
    let columns = settled.table.columns();
    let coordinate = |name: &str| name.strip_prefix("coord.").and_then(|rest| rest.strip_suffix(".value")).map(str::to_string);
    let names: Vec<Vec<String>> =
        columns.iter().map(|column| coordinate(&column.name).map_or(Vec::new(), |short| vec![short, column.name.clone()])).collect();
    let fitting = |k: &usize| {
        let unit = columns[*k].unit.as_deref().and_then(|unit| parse_unit(unit).ok());
        !names[*k].is_empty() && unit.is_some_and(|(_, own)| own == dim)
    };
    let targets = named(own, &names, fitting)?;
    let factors = targets.iter().map(|k| settled.factors[*k]).collect();
    Ok((targets, factors))
}

fn on_points(plan: &Plan, own: &Noise) -> Result<Vec<usize>, UncertaintyFault> {
    let Some(Markers { recording, .. }) = &plan.markers else { return Err(no_table(own)) };
    named(own, &recording.points.iter().map(|point| vec![point.name.clone()]).collect::<Vec<_>>(), |_| true)
}

fn on_plates(plan: &Plan, own: &Noise) -> Result<Vec<usize>, UncertaintyFault> {
    let Some(LoadFile { recording, .. }) = &plan.loads else { return Err(no_table(own)) };
    named(own, &recording.plates.iter().map(|plate| vec![plate.name.clone()]).collect::<Vec<_>>(), |_| true)
}
