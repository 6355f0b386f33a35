//! What came out, in a sentence or two: what was done, how it ended, and two or three numbers that tell most.
//! Not here: judging (`borelli-study`), tables of all numbers (`sections`).
//! In: runs with their plans. Out: text with units.

mod ground;

use super::data::Wide;
use super::escape::with_minus;
use super::gait::GaitPage;
use super::{Case, Health, significant};
use crate::label;
use crate::plot::shown_unit;
use crate::soft::unit_for;
use borelli_dynamics::System;
use borelli_study::plan::Analysis;
use borelli_study::run::{Status, Verdict};
use ground::ground;

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
    /// Whether no check warns of it.
    fn sound(&self) -> bool {
        !self.case.warned()
    }

    /// Whether a sample can be judged. A fit says nothing of what comes before and after its data.
    fn judges(&self, sample: usize) -> bool {
        let within = |[from, to]: [f64; 2]| (from..=to).contains(&self.case.trajectory.time()[sample]);
        self.judged.get(sample).copied().unwrap_or(true) && self.case.fitted_span().is_none_or(within)
    }

    /// The end of the data of a fit that is over before the run.
    fn fitted_until(&self) -> Option<f64> {
        let last = self.case.trajectory.time().last()?;
        self.case.fitted_span().map(|[_, to]| to).filter(|to| to < last)
    }
}

/// Most numbers in the sentence.
const MOST_NUMBERS: usize = 3;

/// What came out of all runs; nothing without runs. Of several, numbers are those of the `main` one, and how far the others are from it.
pub fn outcome_sentence(runs: &[Ran], main: usize) -> String {
    let (Some(first), Some(own)) = (runs.first(), runs.get(main).or(runs.first())) else { return String::new() };
    let told = numbers(runs, own);
    let whose = if runs.len() > 1 { format!("In {}: ", quoted(own)) } else { String::new() };
    let told = match (told.is_empty(), whose.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!(" {}.", label::capital(&told.join("; "))),
        (false, false) => format!(" {whose}{}.", told.join("; ")),
    };
    format!("{}{}.{}{told}{}{}", done(first, runs), ended(runs), energy_lost(runs), left_out(runs, own), window(runs))
}

/// A case by its name.
fn quoted(run: &Ran) -> String {
    format!("“{}”", label::case(&run.case.name))
}

/// Names of cases for a sentence: some of many.
fn listed(runs: &[&Ran]) -> String {
    const MOST: usize = 4;
    let mut names: Vec<String> = runs.iter().take(MOST).map(|run| quoted(run)).collect();
    if runs.len() > MOST {
        names.push(format!("{} more", runs.len() - MOST));
    }
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => String::new(),
    }
}

/// Which cases the numbers leave out, because a check warns of them; or that one warns of what they are of.
fn left_out(runs: &[Ran], own: &Ran) -> String {
    let others: Vec<&Ran> = runs.iter().filter(|run| !run.sound() && !std::ptr::eq(*run, own)).collect();
    if runs.len() < 2 {
        return String::new();
    }
    if !own.sound() {
        return match others.len() + 1 == runs.len() {
            true => " Checks warn of every case, of this one too.".into(),
            false => format!(" A check warns of {}, whose numbers these are.", quoted(own)),
        };
    }
    if others.is_empty() {
        return String::new();
    }
    format!(" Not in these numbers, because a check warns of {}: {}.", if others.len() > 1 { "them" } else { "it" }, listed(&others))
}

/// Over which samples the largest values are taken, where not over all.
fn window(runs: &[Ran]) -> String {
    let partly: Vec<&Ran> = runs.iter().filter(|run| run.judged.contains(&false)).collect();
    let until = runs.iter().filter_map(Ran::fitted_until).reduce(f64::max);
    match (runs, &partly[..]) {
        (_, []) => until.map_or(String::new(), |to| format!(" Taken over the time of the data, up to {} s.", significant(to, 4))),
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
        Analysis::Fit => of("Fitted"),
        Analysis::Uncertainty => of("Found the uncertainty of"),
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
        (_, [one]) => format!(", of which {} did not end as planned", quoted(one)),
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

/// Numbers of a run that are worth telling, those of the analysis first, with how far other cases are from them.
fn numbers(runs: &[Ran], own: &Ran) -> Vec<String> {
    let kinds: [Find; 10] = [balance, markers, largest_moment, residual, ground, pressure, soft_pressure, condition, travel, energy_kept];
    let mut list = found_by_shooting(own);
    list.extend(how_uncertain(own));
    list.extend(fitted_to(own));
    // What a check warns of is no number of the study.
    let others: Vec<&Ran> = runs.iter().filter(|run| run.sound() && !std::ptr::eq(*run, own)).collect();
    list.extend(kinds.iter().filter_map(|kind| Some(with_others(&kind(own).filter(|told| told.value.is_finite())?, &others, *kind))));
    list.truncate(MOST_NUMBERS);
    list
}

/// Values of other cases nearer than this part of the number are the same but for the method.
const ALIKE: f64 = 1e-3;

/// A number with the span of it in other cases, where that is another.
fn with_others(told: &Telling, others: &[&Ran], kind: Find) -> String {
    let values = || {
        others.iter().filter_map(|run| kind(run)).filter(|other| other.what == told.what).map(|other| other.value).filter(|x| x.is_finite())
    };
    let (Some(low), Some(high)) = (values().reduce(f64::min), values().reduce(f64::max)) else { return told.said() };
    let far = (high - told.value).abs().max((told.value - low).abs());
    if far <= ALIKE * told.value.abs() || high < told.least {
        return told.said();
    }
    let number = |x: f64| with_minus(&significant(x, 3));
    let (low, high) = (number(low), number(high));
    let span = if low == high { low } else { format!("{low} to {high}") };
    let unit = if told.unit.is_empty() { String::new() } else { format!(" {}", told.unit) };
    let which = if others.len() == 1 { format!("in {}", quoted(others[0])) } else { "in other cases".into() };
    let more =
        [told.more.as_str(), &format!("{which} {span}{unit}")].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    told.said_with(&more)
}

impl Telling {
    /// In words.
    fn said(&self) -> String {
        self.said_with(&self.more)
    }

    /// In words, with more in brackets.
    fn said_with(&self, more: &str) -> String {
        let small = self.value.abs() < self.least;
        let number = if small { format!("better than {}", self.least) } else { with_minus(&significant(self.value, 3)) };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        let more = if more.is_empty() { String::new() } else { format!(" ({more})") };
        match self.what.split_once(PLACE) {
            Some((before, after)) => format!("{before}{number}{unit}{after}{more}"),
            None => format!("{} {number}{unit}{more}", self.what),
        }
    }
}

/// The largest of all runs, and of several which it was.
fn largest_of(runs: &[Ran], kind: Find) -> Option<String> {
    let all = runs.iter().filter_map(|run| Some((run, kind(run)?))).filter(|(_, told)| told.value.is_finite());
    let (run, told) = all.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    // A bound that all of them keep is nobody's own.
    let named = runs.len() > 1 && told.value.abs() >= told.least;
    Some(if named { format!("{} in {}", told.said(), quoted(run)) } else { told.said() })
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
        // Degrees, as in the plots.
        let (unit, factor) = shown_unit(&own.unit);
        Some(format!("{what} of {} {} {unit}", label::words(name), with_minus(&significant(own.value * factor, 4))))
    };
    run.case.scalars.iter().filter_map(unknown).take(2).collect()
}

/// How far a search came.
fn fitted_to(run: &Ran) -> Option<String> {
    let own = run.case.fit.as_ref()?;
    let [start, end] = own.objective.map(|j| with_minus(&significant(j, 4)));
    Some(format!("objective J from {start} at the start values to {end}"))
}

/// The first two results of an uncertainty: what runs give on average and where most of them end, else as far as slopes tell.
fn how_uncertain(run: &Ran) -> Vec<String> {
    let told = |own: &super::uncertainty::UncertainResult| {
        let (unit, factor) = shown_unit(&own.unit);
        let number = |x: f64, digits: usize| with_minus(&significant(factor * x, digits));
        let name = label::lower(&label::case(&own.name));
        match (own.sampled, own.nominal.zip(own.linear_sd)) {
            (Some([mean, _, low, _, high]), _) => Some(format!(
                "{name} {} {unit} on average, in 95 % of the runs {} to {} {unit}",
                number(mean, 3),
                number(low, 3),
                number(high, 3)
            )),
            (None, Some((value, sd))) => {
                Some(format!("{name} {} {unit}, with a standard deviation of {} {unit}", number(value, 3), number(sd, 2)))
            }
            _ => None,
        }
    };
    run.case.uncertainty.iter().flat_map(|own| &own.results).filter_map(told).take(2).collect()
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
    let rms = scalar(run, "run.residual_force_rms").map_or(String::new(), |rms| format!("{} N root mean square; ", significant(rms, 3)));
    scalar(run, "run.residual_force_peak").filter(|_| run.judged.is_empty() || run.judged.contains(&true)).map(|value| Telling {
        what: "residual force at most".into(),
        value,
        unit: "N",
        more: format!("{rms}what motion and measured ground force leave unexplained"),
        ..Telling::default()
    })
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

/// A way shorter than this part of the figure's height tells nothing.
const AWAY: f64 = 0.1;

/// How far from its start the mass centre ends.
fn travel(run: &Ran) -> Option<Telling> {
    // It goes somewhere only where nothing holds the figure, and where the way was not given.
    let given = !matches!(run.analysis, Analysis::Simulate | Analysis::Shoot | Analysis::Sensitivity);
    if given || !run.case.figure.joints.iter().any(|joint| joint.parent.body == 0 && joint.floats()) {
        return None;
    }
    let ends = |axis: &str| {
        let values = run.case.trajectory.column(&format!("system.center.{axis}"))?;
        Some(values.last()? - values.first()?)
    };
    let way = ends("x")?.hypot(ends("y")?).hypot(ends("z").unwrap_or(0.0));
    // what sways about its place goes nowhere
    let height = run.case.figure.height(run.case.trajectory, 0).unwrap_or(1.0);
    (way > AWAY * height).then(|| Telling {
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

/// Where energy is not accounted for, no other number means much: a sentence of its own, before them.
fn energy_lost(runs: &[Ran]) -> String {
    let off = |run: &Ran| energy_check(run).filter(|line| line.verdict.warns()).and_then(|line| Some((line.value?, line.part)));
    let lost: Vec<(&Ran, f64, Option<f64>)> = runs.iter().filter_map(|run| off(run).map(|(value, part)| (run, value, part))).collect();
    let Some((worst, value, part)) = lost.iter().max_by(|a, b| a.2.unwrap_or(a.1).total_cmp(&b.2.unwrap_or(b.1))) else {
        return String::new();
    };
    let more = part.map_or(String::new(), |part| format!(" ({} % of what moves)", significant(100.0 * part, 2)));
    let by = format!("off by {} J{more}", significant(*value, 3));
    match (runs.len(), lost.len()) {
        (1, _) => format!(" Energy is NOT accounted for: {by}."),
        (_, 1) => format!(" Energy is NOT accounted for in {}: {by}.", quoted(worst)),
        (all, count) => format!(" Energy is NOT accounted for in {count} of {all} cases, most in {}: {by}.", quoted(worst)),
    }
}

#[cfg(test)]
mod tests;
