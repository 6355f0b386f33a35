//! Plates of a plan put on bodies of a system: each as it is told, or on the foot that stands on it.
//! Not here: samples of a plate (`loads`), whose contact is whose (`borelli_data::gait`).
//! In: a file of loads, a system, the motion where there is one. Out: loads as functions of time, columns of the plates, what was decided.

use super::feet::{Foot, Tracks, feet};
use super::loads::PlateLoad;
use super::plan::{LoadFile, LoadOutside, LoadRule};
use crate::plan::Time;
use crate::plan_fault::{Misfit, PlanFault};
use crate::run::{CheckWords, HealthLine, Verdict};
use borelli_data::gait::{Assignment, Standing, THRESHOLD, assign_plate};
use borelli_data::recording::{Plate, Side};
use borelli_data::{Column, Trajectory};
use borelli_dynamics::{MeasuredLoad, System};
use borelli_model::suggest;

/// Loads beyond the ends of a record may be asked for by this many of its intervals; the last sample stands there.
const BEYOND: f64 = 1.5;
/// Share of the samples with a load at which it must act under its body.
const UNDER: f64 = 0.7;

/// Key of the line that says whether loads act under their feet.
pub(crate) const UNDER_FOOT: &str = "load_under_foot";

/// Loads ready for a system.
pub(crate) struct Loading {
    pub loads: Vec<MeasuredLoad>,
    /// Columns `plate.N.*`, one table for each plate.
    pub beside: Vec<Trajectory>,
    pub told: Vec<(String, String)>,
    pub health: Vec<HealthLine>,
    /// Spans of time whose loads are not known, s: not recorded, or of contacts that were left out.
    pub unknown: Vec<(f64, f64)>,
}

/// A plate and where it goes.
struct Placed<'f> {
    plate: &'f Plate,
    rule: LoadRule,
    load: PlateLoad,
}

/// Puts the loads of a file on a system. `motion` is a table of `coord.NAME.value`.
pub(crate) fn load(file: &LoadFile, system: &System, time: Time, motion: Option<&Trajectory>) -> Result<Loading, Misfit> {
    let mut loading = Loading { loads: Vec::new(), beside: Vec::new(), told: file.notes.clone(), health: Vec::new(), unknown: Vec::new() };
    let rate = motion.and_then(|table| Some((table.len() - 1) as f64 / (table.time().last()? - table.time().first()?)));
    let (mut placed, mut partly) = (Vec::new(), Vec::new());
    for rule in rules(file) {
        let Some(plate) = file.recording.plates.iter().find(|plate| plate.name == rule.plate) else { continue };
        let whole = covers(plate, time, file.outside).map_err(|fault| Misfit::of("loads", "", fault).at(rule.at))?;
        if !whole {
            partly.push(plate);
        }
        let (load, told) = PlateLoad::new(file, plate, rate).map_err(|fault| Misfit::of("loads", "", fault).at(rule.at))?;
        loading.told.push((format!("load {}", load.name), format!("plate `{}`, {told}", plate.name)));
        placed.push(Placed { plate, rule, load });
    }
    loading.health.extend(uncovered(&partly, time));
    loading.unknown.extend(partly.iter().map(|plate| span(plate)).flat_map(|(from, to)| [(f64::NEG_INFINITY, from), (to, f64::INFINITY)]));
    loading.beside = placed.iter().filter_map(|placed| columns(placed, time)).collect();
    let feet = feet(system);
    let tracks = motion.filter(|_| !feet.is_empty()).and_then(|table| Tracks::new(system, table, &feet));
    let mut shares: Vec<(String, f64)> = Vec::new();
    for placed in placed.iter().filter(|placed| placed.rule.body.is_some()) {
        let wanted = placed.rule.body.as_deref().unwrap_or_default();
        let Some(body) = system.names.bodies.iter().skip(1).position(|name| name == wanted) else {
            let nearest = suggest(wanted, system.names.bodies.iter().skip(1).map(String::as_str)).map(str::to_string);
            return Err(Misfit::of("loads", "", PlanFault::LoadBody { body: wanted.into(), nearest }).at(placed.rule.at));
        };
        let body = body as u32 + 1;
        let ready =
            placed.load.measured(&placed.load.name, body, file).map_err(|fault| Misfit::of("loads", "", fault).at(placed.rule.at))?;
        loading.loads.push(ready);
        loading.told.push((format!("load {} acts on", placed.load.name), format!("`{wanted}`, as told")));
        if let Some(tracks) = &tracks {
            shares.extend(share_under_foot(body, &feet, &placed.standing(file, tracks)).map(|share| (placed.load.name.clone(), share)));
        }
    }
    loading.health.extend(under_foot(&shares));
    let open: Vec<&Placed> = placed.iter().filter(|placed| placed.rule.body.is_none()).collect();
    if let Some(first) = open.first() {
        let Some(tracks) = &tracks else {
            return Err(Misfit::of("loads", "", PlanFault::NoFeet { feet: feet.len(), motion: motion.is_some() }).at(first.rule.at));
        };
        loading.assign(file, system, &open, &feet, tracks).map_err(|fault| Misfit::of("loads", "", fault).at(first.rule.at))?;
    }
    Ok(loading)
}

/// Rules of a file; one for each plate where it has none.
fn rules(file: &LoadFile) -> Vec<LoadRule> {
    let all = || file.recording.plates.iter().map(|plate| LoadRule { plate: plate.name.clone(), body: None, at: None }).collect();
    if file.rules.is_empty() { all() } else { file.rules.clone() }
}

/// Whether a plate was recorded all the time; part of it is enough where there is to be no load at other times.
fn covers(plate: &Plate, time: Time, outside: LoadOutside) -> Result<bool, PlanFault> {
    let (from, to) = span(plate);
    let near = BEYOND * (to - from) / (plate.clock.count.max(2) - 1) as f64;
    let whole = plate.clock.count >= 2 && time.start >= from - near && time.end <= to + near;
    let part = plate.clock.count >= 2 && from < time.end && to > time.start;
    if whole || (part && outside == LoadOutside::Unloaded) {
        return Ok(whole);
    }
    Err(PlanFault::LoadTime { plate: plate.name.clone(), from, to, start: time.start, end: time.end })
}

/// First and last time of a plate.
fn span(plate: &Plate) -> (f64, f64) {
    (plate.clock.time(0), plate.clock.time(plate.clock.count.saturating_sub(1)))
}

/// A line for times at which plates were not recorded.
fn uncovered(partly: &[&Plate], time: Time) -> Option<HealthLine> {
    let missing = |plate: &Plate| {
        let (from, to) = span(plate);
        (from - time.start).max(0.0) + (time.end - to).max(0.0)
    };
    let longest = partly.iter().max_by(|a, b| missing(a).total_cmp(&missing(b)))?;
    let (from, to) = span(longest);
    Some(HealthLine {
        key: "loads_missing",
        label: "time without recorded loads".into(),
        value: Some(missing(longest)),
        unit: "s".into(),
        verdict: Verdict::Look,
        part: None,
        text: format!(
            "loads were recorded from {from:.3} to {to:.3} s, the motion runs from {:.3} to {:.3} s: elsewhere there is no load, and moments are those of a body in the air",
            time.start, time.end
        ),
    })
}

impl Placed<'_> {
    /// Who stands on the plate, contact by contact.
    fn standing(&self, file: &LoadFile, tracks: &Tracks) -> Vec<Assignment> {
        assign_plate(self.plate, 0, &tracks.clock, &tracks.markers(), file.threshold.unwrap_or(THRESHOLD))
    }
}

impl Loading {
    /// Puts every contact on the foot that stands there; contacts of both or none are left out and told.
    fn assign(&mut self, file: &LoadFile, system: &System, open: &[&Placed], feet: &[Foot], tracks: &Tracks) -> Result<(), PlanFault> {
        let mut of_foot: Vec<Option<PlateLoad>> = vec![None; feet.len()];
        let (mut used, mut unclear) = (0, Vec::new());
        for placed in open {
            let standing = placed.standing(file, tracks);
            for (foot, sum) in feet.iter().zip(&mut of_foot) {
                let own =
                    standing.iter().filter(|own| own.standing == Standing::Foot(foot.side)).map(|own| own.contact.first..=own.contact.last);
                let own: Vec<usize> = own.flatten().collect();
                if own.is_empty() {
                    continue;
                }
                let load = placed.load.clone().only(&own);
                *sum = Some(match sum.take() {
                    None => load,
                    Some(sum) => sum.with(&load).ok_or(PlanFault::LoadClocks)?,
                });
            }
            for own in &standing {
                let (from, to) = own.contact.span(&placed.plate.clock);
                match (own.standing, own.notice(placed.plate)) {
                    (Standing::Foot(side), _) => {
                        used += 1;
                        let body = feet.iter().find(|foot| foot.side == side).map_or("", |foot| &system.names.bodies[foot.body as usize]);
                        let told = format!("{from:.3} to {to:.3} s on `{body}` ({})", shares(own));
                        self.told.push((format!("contact of plate {} at {from:.3} s", placed.plate.name), told));
                    }
                    (_, notice) => {
                        self.unknown.push((from, to));
                        unclear.extend(notice);
                    }
                }
            }
        }
        for (foot, sum) in feet.iter().zip(of_foot) {
            let name = &system.names.bodies[foot.body as usize];
            // A foot that never stands on a plate has a load all the same, which is zero: columns do not depend on the trial.
            let load = sum.unwrap_or_else(|| open[0].load.clone().only(&[]));
            self.loads.push(load.measured(name, foot.body, file)?);
        }
        let words = CheckWords {
            found: match unclear.is_empty() {
                true => format!("Each of the {used} contacts of force plates belongs to one foot"),
                false => format!("Left out, because no foot is certain: {}. {used} others belong to one foot each", unclear.join("; ")),
            },
            allowed: "none",
            advice: "say which foot stood on which plate, or leave this part of the trial out; moments of that stance are not computed",
        };
        let verdict = Verdict::good_if(unclear.is_empty());
        self.health.push(HealthLine::judged("plate_assignment", "contacts without a foot", (unclear.len() as f64, "1"), verdict, words));
        Ok(())
    }
}

/// Where the centre of pressure was, in words.
fn shares(own: &Assignment) -> String {
    let score = |k: usize| own.score[k].map_or("not seen".to_string(), |s| format!("{:.0} %", 100.0 * s));
    format!("centre of pressure under the right foot {}, under the left {}", score(0), score(1))
}

/// The share of a plate's contacts that lies under the foot it was put on; nothing for other bodies and without contacts.
fn share_under_foot(body: u32, feet: &[Foot], standing: &[Assignment]) -> Option<f64> {
    let foot = feet.iter().find(|foot| foot.body == body)?;
    let (mut under, mut whole) = (0.0, 0.0);
    for own in standing {
        let count = (own.contact.last + 1 - own.contact.first) as f64;
        whole += count;
        under += count * own.score[usize::from(foot.side == Side::Left)].unwrap_or(0.0);
    }
    (whole > 0.0).then_some(under / whole)
}

/// A line that says whether loads act under the feet that they were put on.
fn under_foot(shares: &[(String, f64)]) -> Option<HealthLine> {
    let least = shares.iter().map(|(_, share)| *share).min_by(f64::total_cmp)?;
    let each: Vec<String> = shares.iter().map(|(name, share)| format!("{name} {:.0} %", 100.0 * share)).collect();
    let allowed = format!("{:.0} % or more", 100.0 * UNDER);
    let words = CheckWords {
        found: format!("Part of the samples in which the load lies under the markers of its foot: {}", each.join(", ")),
        allowed: &allowed,
        advice: "check which foot stood on which plate, and the axes and origin of the plates",
    };
    Some(HealthLine::judged(UNDER_FOOT, "loads under their feet", (least, "1"), Verdict::good_if(least >= UNDER), words))
}

/// Columns of a plate as it is used, over all of a time: force, point of application where there is a load, couple about the normal.
fn columns(placed: &Placed, time: Time) -> Option<Trajectory> {
    let (load, own) = (&placed.load, |part: &str| format!("plate.{}.{part}", placed.load.name));
    let axes = ["x", "y", "z"];
    let mut columns: Vec<Column> = axes.iter().map(|axis| Column::new(own(&format!("force.{axis}")), "N")).collect();
    columns.extend(axes.iter().map(|axis| Column::optional(own(&format!("cop.{axis}")), "m")));
    columns.push(Column::new(own("cop.valid"), "1"));
    columns.push(Column::new(own("free_moment"), "N m"));
    let mut table = Trajectory::new(columns).ok()?;
    let (first, last) = (*load.time.first()?, *load.time.last()?);
    let step = (last - first) / (load.time.len().max(2) - 1) as f64;
    let none = |t: f64| [&[t, 0.0, 0.0, 0.0][..], &[f64::NAN; 3][..], &[0.0, 0.0][..]].concat();
    let (before, after) = (time.start < first - BEYOND * step, time.end > last + BEYOND * step);
    for t in [time.start - step, first - step].into_iter().filter(|_| before) {
        table.push_row(&none(t)).ok()?;
    }
    for k in 0..load.time.len() {
        let point = if load.loaded[k] { load.point[k].to_array() } else { [f64::NAN; 3] };
        let flag = if load.loaded[k] { 1.0 } else { 0.0 };
        let row = [&[load.time[k]], &load.force[k].to_array()[..], &point[..], &[flag, load.moment[k].dot(load.normal)]].concat();
        table.push_row(&row).ok()?;
    }
    for t in [last + step, time.end + step].into_iter().filter(|_| after) {
        table.push_row(&none(t)).ok()?;
    }
    Some(table)
}
