//! What came out, in a sentence or two: what was done, how it ended, and two or three numbers that tell most.
//! Not here: judging (`borelli-study`), tables of all numbers (`sections`).
//! In: runs with their plans. Out: text with units.

use super::data::Wide;
use super::escape::with_minus;
use super::gait::GaitPage;
use super::{Case, Health, significant};
use crate::label;
use crate::soft::unit_for;
use borelli_dynamics::System;
use borelli_study::plan::Analysis;
use borelli_study::run::{Status, Verdict};

/// A run as the sentence sees it.
#[derive(Clone, Copy, Debug)]
pub struct Ran<'a> {
    /// What was asked.
    pub analysis: Analysis,
    /// How it ended.
    pub status: &'a Status,
    /// What it was asked of.
    pub system: &'a System,
    /// What came out.
    pub case: &'a Case<'a>,
    /// Which samples can be judged; empty: all of them.
    pub judged: &'a [bool],
}

impl Ran<'_> {
    /// Whether a sample can be judged.
    fn judges(&self, sample: usize) -> bool {
        self.judged.get(sample).copied().unwrap_or(true)
    }
}

/// Most numbers in the sentence.
const MOST_NUMBERS: usize = 3;

/// What came out of all runs; nothing without runs.
pub fn outcome_sentence(runs: &[Ran]) -> String {
    let Some(first) = runs.first() else { return String::new() };
    let told = numbers(runs);
    let numbers = if told.is_empty() { String::new() } else { format!(" {}.", label::capital(&told.join("; "))) };
    format!("{}{}.{numbers}{}", done(first, runs), ended(runs), window(runs))
}

/// Over which samples the largest values are taken, where not over all.
fn window(runs: &[Ran]) -> String {
    let partly: Vec<&Ran> = runs.iter().filter(|run| run.judged.contains(&false)).collect();
    match (runs, &partly[..]) {
        (_, []) => String::new(),
        ([run], _) => {
            let time = run.case.trajectory.time();
            let kept: Vec<f64> = time.iter().enumerate().filter(|(k, _)| run.judges(*k)).map(|(_, t)| *t).collect();
            match (kept.first(), kept.last()) {
                (Some(first), Some(last)) => {
                    let (from, to) = (significant(*first, 4), significant(*last, 4));
                    format!(" Taken over the {} of {} samples that can be judged, between {from} and {to} s.", kept.len(), time.len())
                }
                _ => " No sample can be judged: none has a known motion and a ground reaction.".into(),
            }
        }
        _ => " Taken over the samples that can be judged.".into(),
    }
}

/// What came out of a gait session: numbers of walking in place of forces, which mean nothing where a foot stands beside the plates.
pub fn session_sentence(runs: &[Ran], page: &GaitPage) -> String {
    let Some(first) = runs.first() else { return String::new() };
    let number = |quantity: &str| {
        let own = page.numbers.iter().find(|own| own.quantity == quantity)?;
        let sides: Vec<f64> = own.sides.iter().flatten().map(|(mean, ..)| *mean).filter(|mean| mean.is_finite()).collect();
        let mean = sides.iter().sum::<f64>() / sides.len() as f64;
        mean.is_finite().then(|| format!("{quantity} {} {}", significant(mean, 3), own.unit))
    };
    let mut told: Vec<String> = ["speed", "stride length"].into_iter().filter_map(number).collect();
    told.extend(largest_of(runs, markers));
    let numbers = if told.is_empty() { String::new() } else { format!(" {}.", label::capital(&told.join("; "))) };
    format!("{}{}.{numbers}", done(first, runs), ended(runs))
}

/// A time span as people say it.
fn seconds(case: &Case) -> Option<f64> {
    let time = case.trajectory.time();
    Some(time.last()? - time.first()?).filter(|span| *span > 0.0)
}

/// What was done.
fn done(first: &Ran, runs: &[Ran]) -> String {
    let longest = runs.iter().filter_map(|run| seconds(run.case)).fold(0.0, f64::max);
    let span = if longest > 0.0 { format!("{} s", significant(longest, 3)) } else { "one instant".into() };
    let same = runs.iter().all(|run| run.analysis == first.analysis);
    let one = runs.len() == 1;
    let of = |what: &str| if one { format!("{what} {span} of motion") } else { format!("{what} {} cases of up to {span}", runs.len()) };
    if !same {
        return format!("Computed {} cases of up to {span}", runs.len());
    }
    match first.analysis {
        Analysis::Simulate => of("Simulated"),
        Analysis::Evaluate => of("Evaluated"),
        Analysis::Shoot => of("Shooting found the start of"),
        Analysis::Sensitivity => of("Simulated, with derivatives by parameters,"),
        Analysis::Kinematics => of("Followed"),
        Analysis::Inverse if one => format!("Inverse dynamics of {span} of motion"),
        Analysis::Inverse => format!("Inverse dynamics of {} cases of up to {span}", runs.len()),
        Analysis::Mixed if one => format!("Solved a mixed problem over {span}"),
        Analysis::Mixed => format!("Solved {} mixed problems over up to {span}", runs.len()),
        Analysis::Statics if one && first.status.is_good() => "Found the equilibrium".into(),
        Analysis::Statics if one => "Looked for the equilibrium".into(),
        Analysis::Statics if runs.iter().all(|run| run.status.is_good()) => format!("Found the equilibrium of {} cases", runs.len()),
        Analysis::Statics => format!("Looked for the equilibrium of {} cases", runs.len()),
    }
}

/// How they ended.
fn ended(runs: &[Ran]) -> String {
    let name = |run: &Ran| format!("“{}”", label::case(&run.case.name));
    let bad: Vec<&Ran> = runs.iter().filter(|run| !run.status.is_good()).collect();
    match (runs, &bad[..]) {
        ([one], _) => match one.status {
            Status::Completed if one.analysis == Analysis::Statics => String::new(),
            Status::Completed => ", completed".into(),
            Status::Stopped { event, t } => format!(", ended by “{}” at {} s", label::event(event), significant(*t, 4)),
            Status::Interrupted { t } => format!(", interrupted at {} s", significant(*t, 4)),
            Status::Failed { t, .. } => format!(", failed at {} s", significant(*t, 4)),
        },
        (_, []) if runs.iter().all(|run| run.analysis == Analysis::Statics) => String::new(),
        (_, []) => ", all ended as planned".into(),
        (_, [one]) => format!(", of which {} did not end as planned", name(one)),
        (_, many) => format!(", of which {} did not end as planned", many.len()),
    }
}

/// Where the number stands in what is said of it; at the end where it is left out.
const PLACE: &str = "{}";

/// A number that may be told: what it is, value, unit, and more in brackets. Below `least` it is only said to be smaller: further digits tell nothing.
#[derive(Default)]
struct Telling {
    what: String,
    value: f64,
    unit: &'static str,
    more: String,
    least: f64,
}

/// How a number that may be told is found.
type Find = fn(&Ran) -> Option<Telling>;

/// Numbers worth telling, those of the analysis first.
fn numbers(runs: &[Ran]) -> Vec<String> {
    let kinds: [Find; 10] = [balance, markers, largest_moment, residual, ground, pressure, soft_pressure, condition, travel, energy_kept];
    // Where energy is lost, no other number means much; nor does it help that another case keeps its own.
    let lost = largest_of(runs, energy_lost);
    let kinds = if lost.is_some() { &kinds[..9] } else { &kinds[..] };
    let mut list: Vec<String> = lost.into_iter().chain(found_by_shooting(&runs[0])).collect();
    // What a check warns of is no number of the study, as long as other cases have it too.
    let sound: Vec<Ran> = runs.iter().filter(|run| run.case.health.iter().all(|line| !line.verdict.warns())).copied().collect();
    let several = runs.len() > 1;
    let told = |kind: &Find| largest_among(&sound, *kind, several).or_else(|| largest_among(runs, *kind, several));
    list.extend(kinds.iter().filter_map(told));
    list.truncate(MOST_NUMBERS);
    list
}

/// The largest of all runs, and of several which it was.
fn largest_of(runs: &[Ran], kind: Find) -> Option<String> {
    largest_among(runs, kind, runs.len() > 1)
}

/// The largest of some runs, and which it was where that is asked.
fn largest_among(runs: &[Ran], kind: Find, named: bool) -> Option<String> {
    let all = runs.iter().filter_map(|run| Some((run, kind(run)?))).filter(|(_, told)| told.value.is_finite());
    let (run, told) = all.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let small = told.value.abs() < told.least;
    let number = if small { format!("better than {}", told.least) } else { with_minus(&significant(told.value, 3)) };
    // A bound that all of them keep is nobody's own.
    let whose = if named && !small { format!(" in “{}”", label::case(&run.case.name)) } else { String::new() };
    let unit = if told.unit.is_empty() { String::new() } else { format!(" {}", told.unit) };
    let more = if told.more.is_empty() { String::new() } else { format!(" ({})", told.more) };
    let said = match told.what.split_once(PLACE) {
        Some((before, after)) => format!("{before}{number}{unit}{after}"),
        None => format!("{} {number}{unit}", told.what),
    };
    Some(format!("{said}{more}{whose}"))
}

fn scalar(run: &Ran, name: &str) -> Option<f64> {
    run.case.scalars.iter().find(|scalar| scalar.name == name).map(|scalar| scalar.value)
}

fn largest(run: &Ran, column: &str) -> Option<f64> {
    let values = run.case.trajectory.column(column)?.iter().enumerate();
    values.filter(|(k, x)| x.is_finite() && run.judges(*k)).map(|(_, x)| x.abs()).reduce(f64::max)
}

/// The first two unknowns of shooting.
fn found_by_shooting(run: &Ran) -> Vec<String> {
    let unknown = |own: &super::Scalar| {
        let (kind, name) = own.name.strip_prefix("shoot.initial.")?.split_once('.')?;
        let what = if kind == "speeds" { "initial speed" } else { "start" };
        Some(format!("{what} of {} {} {}", label::words(name), with_minus(&significant(own.value, 4)), own.unit))
    };
    run.case.scalars.iter().filter_map(unknown).take(2).collect()
}

fn balance(run: &Ran) -> Option<Telling> {
    let square = scalar(run, "statics.lowest_frequency_squared")?;
    let (what, unit) =
        if square > 0.0 { ("stable, with a lowest frequency of", "Hz") } else { ("not stable: what leaves it grows by", "1/s") };
    let value = square.abs().sqrt() / if square > 0.0 { std::f64::consts::TAU } else { 1.0 };
    Some(Telling { what: what.into(), value, unit, ..Telling::default() })
}

fn markers(run: &Ran) -> Option<Telling> {
    scalar(run, "markers.rms").map(|rms| Telling {
        what: "markers are met to".into(),
        value: 1e3 * rms,
        unit: "mm",
        more: "root mean square".into(),
        least: 0.001,
    })
}

/// Of joints between bodies; what acts at a root is a residual.
fn largest_moment(run: &Ran) -> Option<Telling> {
    if run.analysis != Analysis::Inverse {
        return None;
    }
    let inner = run.system.names.speeds.iter().filter(|speed| run.system.skeleton.parent[speed.joint as usize] != 0);
    let wide = Wide::new(run.case);
    let moments = inner.filter_map(|speed| {
        let name = format!("coord.{}.effort", speed.name);
        let k = run.case.trajectory.index(&name)?;
        (run.case.trajectory.columns()[k].unit.as_deref() == Some("N m")).then_some(())?;
        // The label of the moment: the coordinate's own name is that of an angle.
        Some((label::lower(&wide.labels[wide.index(&name)?].text), largest(run, &name)?))
    });
    let (more, value) = moments.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Telling { what: "largest joint moment".into(), value, unit: "N m", more, ..Telling::default() })
}

fn residual(run: &Ran) -> Option<Telling> {
    scalar(run, "run.residual_force_peak").filter(|_| run.judged.is_empty() || run.judged.contains(&true)).map(|value| Telling {
        what: "residual force at most".into(),
        value,
        unit: "N",
        ..Telling::default()
    })
}

/// The sum of all forces of the ground: measured loads, else contacts with the world, else joints that hold to it.
fn ground(run: &Ran) -> Option<Telling> {
    let (case, figure) = (run.case, &run.case.figure);
    let columns = case.trajectory.columns().iter();
    let names = |head: &'static str, tail: &'static str| {
        columns
            .clone()
            .filter_map(move |column| column.name.strip_prefix(head)?.strip_suffix(tail).map(str::to_string))
            .collect::<Vec<String>>()
    };
    let world = |k: usize| figure.surfaces[k].spot.body == 0;
    let touches = |contact: &String| {
        let own = |name: &str| name == contact || name.strip_prefix(contact.as_str()).is_some_and(|rest| rest.starts_with('.'));
        figure.pairs.iter().any(|pair| own(&pair.name) && (world(pair.first) || world(pair.second)))
    };
    let loads: Vec<String> = names("load.", ".force.x").iter().map(|name| format!("load.{name}.force")).collect();
    let contacts: Vec<String> =
        names("contact.", ".total.force.x").iter().filter(|name| touches(name)).map(|name| format!("contact.{name}.total.force")).collect();
    let joints = figure.joints.iter().filter(|joint| joint.parent.body == 0 && !["free", "planar"].contains(&joint.kind.as_str()));
    let joints: Vec<String> = joints.map(|joint| format!("joint.{}.reaction.force", joint.name)).collect();
    let (what, prefixes) = [("ground", loads), ("ground", contacts), ("support", joints)].into_iter().find(|(_, list)| !list.is_empty())?;
    let parts: Vec<[Option<&[f64]>; 3]> =
        prefixes.iter().map(|prefix| ["x", "y", "z"].map(|axis| case.trajectory.column(&format!("{prefix}.{axis}")))).collect();
    let force = |k: usize| {
        let along = |axis: usize| parts.iter().map(|own| own[axis].map_or(0.0, |values| values[k])).sum::<f64>();
        along(0).hypot(along(1)).hypot(along(2))
    };
    let value = (0..case.trajectory.len())
        .filter(|k| run.judges(*k))
        .map(force)
        .filter(|x| x.is_finite())
        .reduce(f64::max)
        .filter(|force| *force > ROUNDING * largest_force(case))?;
    Some(Telling { what: format!("largest force of the {what}"), value, unit: "N", ..Telling::default() })
}

/// A force below this part of the largest of all is zero but for rounding; `page/scene.js` draws no such arrow either.
const ROUNDING: f64 = 1e-9;

fn largest_force(case: &Case) -> f64 {
    let forces = (0..case.trajectory.columns().len()).filter(|k| case.trajectory.columns()[*k].unit.as_deref() == Some("N"));
    let values = forces.flat_map(|k| case.trajectory.values(k)).filter(|x| x.is_finite());
    values.fold(0.0, |most, x| most.max(x.abs()))
}

fn soft_pressure(run: &Ran) -> Option<Telling> {
    let record = run.case.soft;
    let contacts = || record.arcs.iter().enumerate().filter(|(_, arc)| arc.contact).map(|(k, _)| k);
    let all = record.frames.iter().flat_map(|frame| contacts().flat_map(|k| &frame.arcs[k].pressure));
    let highest = all.copied().filter(|p| p.is_finite()).reduce(f64::max).filter(|p| *p > 0.0)?;
    let unit = unit_for(highest);
    Some(Telling { what: "highest contact pressure".into(), value: unit.factor * highest, unit: unit.name, ..Telling::default() })
}

fn pressure(run: &Ran) -> Option<Telling> {
    let highest = run.case.pressure.iter().flat_map(|map| &map.peak).copied().reduce(f64::max).filter(|p| *p > 0.0)?;
    Some(Telling { what: "highest pressure".into(), value: 1e-3 * highest, unit: "kPa", ..Telling::default() })
}

fn condition(run: &Ran) -> Option<Telling> {
    scalar(run, "run.worst_condition").map(|value| Telling {
        what: "worst condition of the equations".into(),
        value,
        unit: "",
        ..Telling::default()
    })
}

/// How far from its start the mass centre ends.
fn travel(run: &Ran) -> Option<Telling> {
    // Under a growing load it gives way, and goes nowhere.
    if run.analysis == Analysis::Statics {
        return None;
    }
    let ends = |axis: &str| {
        let values = run.case.trajectory.column(&format!("system.center.{axis}"))?;
        Some(values.last()? - values.first()?)
    };
    let way = ends("x")?.hypot(ends("y")?).hypot(ends("z").unwrap_or(0.0));
    // what sways about its place goes nowhere
    let height = run.case.figure.height(run.case.trajectory, 0).unwrap_or(1.0);
    (way > 1e-3 * height).then(|| Telling {
        what: format!("the mass centre ends {PLACE} from where it began"),
        value: way,
        unit: "m",
        ..Telling::default()
    })
}

/// The check of energy of a run that ended well.
fn energy_check<'a>(run: &Ran<'a>) -> Option<&'a Health> {
    run.case.health.iter().find(|line| line.key == "energy_balance").filter(|_| run.status.is_good())
}

fn energy_kept(run: &Ran) -> Option<Telling> {
    let line = energy_check(run).filter(|line| line.verdict == Verdict::Good)?;
    let what = "energy is accounted for to".into();
    // Of what moves: a number of joules is neither small nor large by itself.
    Some(match line.part {
        Some(part) => Telling { what, value: 100.0 * part, unit: "%", least: 0.001, ..Telling::default() },
        None => Telling { what, value: line.value?, unit: "J", ..Telling::default() },
    })
}

fn energy_lost(run: &Ran) -> Option<Telling> {
    let line = energy_check(run).filter(|line| line.verdict.warns())?;
    let more = line.part.map_or(String::new(), |part| format!("{} % of what moves", significant(100.0 * part, 2)));
    Some(Telling { what: "energy is NOT accounted for: off by".into(), value: line.value?, unit: "J", more, ..Telling::default() })
}

#[cfg(test)]
mod tests;
