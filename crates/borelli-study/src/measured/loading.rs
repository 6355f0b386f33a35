//! Plates of a plan put on bodies of a system: each as it is told, or on the foot that stands on it.
//! Not here: samples of a plate (`loads`), whose contact is whose (`assign`).
//! In: a file of loads, a system, the motion where there is one. Out: loads as functions of time, columns of the plates, what was decided.

use super::assign::{Contact, Foot, Outlines, Owner, assign, feet};
use super::loads::PlateLoad;
use super::plan::{LoadFile, LoadRule};
use crate::plan::Time;
use crate::plan_fault::PlanFault;
use crate::run::HealthLine;
use borelli_data::recording::Plate;
use borelli_data::{Column, Trajectory};
use borelli_dynamics::{MeasuredLoad, System};
use borelli_model::{Span, suggest};
use std::ops::Range;

/// Loads beyond the ends of a record may be asked for by this many of its intervals; the last sample stands there.
const BEYOND: f64 = 1.5;
/// Share of the samples with a load at which it must act under its body.
const UNDER: f64 = 0.7;

/// Loads ready for a system.
pub(crate) struct Loading {
    pub loads: Vec<MeasuredLoad>,
    /// Columns `plate.N.*`, one table for each plate.
    pub beside: Vec<Trajectory>,
    pub told: Vec<(String, String)>,
    pub health: Vec<HealthLine>,
}

/// What is wrong, and where it is written.
type Wrong = (Option<Span>, PlanFault);

/// A plate and where it goes.
struct Placed<'f> {
    plate: &'f Plate,
    rule: LoadRule,
    load: PlateLoad,
}

/// Puts the loads of a file on a system. `motion` is a table of `coord.NAME.value`.
pub(crate) fn load(file: &LoadFile, system: &System, time: Time, motion: Option<&Trajectory>) -> Result<Loading, Wrong> {
    let mut loading = Loading { loads: Vec::new(), beside: Vec::new(), told: file.notes.clone(), health: Vec::new() };
    let rate = motion.and_then(|table| Some((table.len() - 1) as f64 / (table.time().last()? - table.time().first()?)));
    let mut placed = Vec::new();
    for rule in rules(file) {
        let Some(plate) = file.recording.plates.iter().find(|plate| plate.name == rule.plate) else { continue };
        covers(plate, time).map_err(|fault| (rule.at, fault))?;
        let (load, told) = PlateLoad::new(file, plate, rate).map_err(|fault| (rule.at, fault))?;
        loading.told.push((format!("load {}", load.name), format!("plate `{}`, {told}", plate.name)));
        placed.push(Placed { plate, rule, load });
    }
    loading.beside = placed.iter().filter_map(|placed| columns(placed)).collect();
    let feet = feet(system);
    let outlines = motion.filter(|_| !feet.is_empty()).and_then(|table| Outlines::new(system, table, &feet));
    for placed in placed.iter().filter(|placed| placed.rule.body.is_some()) {
        let wanted = placed.rule.body.as_deref().unwrap_or_default();
        let Some(body) = system.names.bodies.iter().skip(1).position(|name| name == wanted) else {
            let nearest = suggest(wanted, system.names.bodies.iter().skip(1).map(String::as_str)).map(str::to_string);
            return Err((placed.rule.at, PlanFault::LoadBody { body: wanted.into(), nearest }));
        };
        let body = body as u32 + 1;
        let ready = placed.load.measured(&placed.load.name, body, file.interpolation).map_err(|fault| (placed.rule.at, fault))?;
        loading.loads.push(ready);
        loading.told.push((format!("load {} acts on", placed.load.name), format!("`{wanted}`, as told")));
        if let Some(outlines) = &outlines {
            loading.health.extend(told_wrong(placed, body, &feet, outlines));
        }
    }
    let open: Vec<&Placed> = placed.iter().filter(|placed| placed.rule.body.is_none()).collect();
    if let Some(first) = open.first() {
        let Some(outlines) = &outlines else {
            return Err((first.rule.at, PlanFault::NoFeet { feet: feet.len(), motion: motion.is_some() }));
        };
        loading.assign(file, system, &open, &feet, outlines).map_err(|fault| (first.rule.at, fault))?;
    }
    Ok(loading)
}

/// Rules of a file; one for each plate where it has none.
fn rules(file: &LoadFile) -> Vec<LoadRule> {
    let all = || file.recording.plates.iter().map(|plate| LoadRule { plate: plate.name.clone(), body: None, at: None }).collect();
    if file.rules.is_empty() { all() } else { file.rules.clone() }
}

/// Whether a plate was recorded all the time.
fn covers(plate: &Plate, time: Time) -> Result<(), PlanFault> {
    let clock = &plate.clock;
    let (from, to) = (clock.time(0), clock.time(clock.count.saturating_sub(1)));
    let near = BEYOND * (to - from) / (clock.count.max(2) - 1) as f64;
    if clock.count < 2 || time.start < from - near || time.end > to + near {
        return Err(PlanFault::LoadTime { plate: plate.name.clone(), from, to, start: time.start, end: time.end });
    }
    Ok(())
}

impl Loading {
    /// Puts every contact on the foot that stands there; contacts of both or none are left out and told.
    fn assign(&mut self, file: &LoadFile, system: &System, open: &[&Placed], feet: &[Foot], outlines: &Outlines) -> Result<(), PlanFault> {
        let mut of_foot: Vec<Option<PlateLoad>> = vec![None; feet.len()];
        let (mut used, mut unclear) = (0, Vec::new());
        for placed in open {
            let contacts = assign(&placed.load, outlines);
            for (k, sum) in of_foot.iter_mut().enumerate() {
                let others: Vec<Range<usize>> =
                    contacts.iter().filter(|contact| contact.owner != Owner::Foot(k)).map(|contact| contact.samples.clone()).collect();
                if others.len() == contacts.len() {
                    continue;
                }
                let own = placed.load.clone().without(&others);
                *sum = Some(match sum.take() {
                    None => own,
                    Some(sum) => sum.with(&own).ok_or(PlanFault::LoadClocks)?,
                });
            }
            for contact in &contacts {
                let told = told(contact, feet, system);
                used += usize::from(matches!(contact.owner, Owner::Foot(_)));
                if contact.owner == Owner::Unclear {
                    unclear.push(format!("plate `{}` {told}", placed.plate.name));
                }
                self.told.push((format!("contact of plate {}", placed.plate.name), told));
            }
        }
        for (foot, sum) in feet.iter().zip(of_foot) {
            let name = &system.names.bodies[foot.body as usize];
            // A foot that never stands on a plate has a load all the same, which is zero: columns do not depend on the trial.
            let load = sum.unwrap_or_else(|| open[0].load.clone().without(&open[0].load.contacts()));
            self.loads.push(load.measured(name, foot.body, file.interpolation)?);
        }
        self.health.push(HealthLine {
            key: "plate_assignment",
            label: "contacts without a foot".into(),
            value: Some(unclear.len() as f64),
            unit: "1".into(),
            good: Some(unclear.is_empty()),
            text: match unclear.is_empty() {
                true => format!("{used} contacts of plates have one foot each"),
                false => format!("left out, beside {used} that have one foot each: {}", unclear.join("; ")),
            },
        });
        Ok(())
    }
}

/// A contact in words.
fn told(contact: &Contact, feet: &[Foot], system: &System) -> String {
    let body = |foot: &Foot| system.names.bodies[foot.body as usize].clone();
    let shares: Vec<String> = feet.iter().zip(&contact.share).map(|(foot, share)| format!("{} {:.0} %", body(foot), 100.0 * share)).collect();
    let whose = match contact.owner {
        Owner::Foot(k) => format!("on `{}`", body(&feet[k])),
        Owner::Unclear => "of both feet or of none, not used".into(),
        Owner::Short => "too short, not used".into(),
    };
    format!("{:.3} to {:.3} s {whose} (under {})", contact.time.0, contact.time.1, shares.join(", "))
}

/// A line where a load acts elsewhere than under the foot that it was put on; nothing for other bodies.
fn told_wrong(placed: &Placed, body: u32, feet: &[Foot], outlines: &Outlines) -> Option<HealthLine> {
    let k = feet.iter().position(|foot| foot.body == body)?;
    let contacts = assign(&placed.load, outlines);
    let weight = |contact: &Contact| contact.time.1 - contact.time.0;
    let whole: f64 = contacts.iter().map(weight).sum();
    if whole <= 0.0 {
        return None;
    }
    let share: f64 = contacts.iter().map(|contact| weight(contact) * contact.share[k]).sum::<f64>() / whole;
    let name = &placed.load.name;
    Some(HealthLine {
        key: "load_under_foot",
        label: format!("load {name} under its foot"),
        value: Some(share),
        unit: "1".into(),
        good: Some(share >= UNDER),
        text: format!("share of its contacts, by where the markers of that foot are (limit {UNDER}); residuals of the root cannot tell feet apart"),
    })
}

/// Columns of a plate as it is used: force, point of application where there is a load, couple about the normal.
fn columns(placed: &Placed) -> Option<Trajectory> {
    let (load, own) = (&placed.load, |part: &str| format!("plate.{}.{part}", placed.load.name));
    let axes = ["x", "y", "z"];
    let mut columns: Vec<Column> = axes.iter().map(|axis| Column::new(own(&format!("force.{axis}")), "N")).collect();
    columns.extend(axes.iter().map(|axis| Column::optional(own(&format!("cop.{axis}")), "m")));
    columns.push(Column::new(own("cop.valid"), "1"));
    columns.push(Column::new(own("free_moment"), "N m"));
    let mut table = Trajectory::new(columns).ok()?;
    for k in 0..load.time.len() {
        let point = if load.loaded[k] { load.point[k].to_array() } else { [f64::NAN; 3] };
        let flag = if load.loaded[k] { 1.0 } else { 0.0 };
        let row = [&[load.time[k]], &load.force[k].to_array()[..], &point[..], &[flag, load.moment[k].dot(load.normal)]].concat();
        table.push_row(&row).ok()?;
    }
    Some(table)
}
