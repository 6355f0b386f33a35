//! The health block: what a run tells about how far its numbers can be trusted.
//! Not here: printing. In: values of channels as they are recorded, statistics. Out: lines with a verdict.

use super::continuity::Continuity;
use super::{CheckWords, EndState, HealthLine, Verdict};
use crate::channels::Channels;
use borelli_contact::shape::{Shape, Surface as _};
use borelli_contact::volume::Immersion;
use borelli_dynamics::System;
use borelli_dynamics::assemble::assemble_under;
use borelli_dynamics::contact::Touching;
use borelli_dynamics::integrate::{Kind, Statistics};
use borelli_math::{Vec3, vec3};

/// A size with the digits that tell how small it is; nothing at all is `0`.
fn size(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.1e}") }
}

/// A balance of energy beyond this part of the energy that moves in a run is worth a warning.
const BALANCE: f64 = 1e-3;
/// Beyond this part the numbers of a run are wrong: ten times what is worth a warning.
const FAR_OFF: f64 = 1e-2;
/// Energies below this, J, count as this much: of a body at rest only rounding is left to be compared.
const LEAST_ENERGY: f64 = 1e-9;
/// Rounding of a potential energy V is some 1e-14 V; so that it is not worth a warning V counts by this part.
const RESTING: f64 = 1e-10;
/// Drift beyond this, in m or rad, is worth a warning.
const DRIFT: f64 = 1e-4;

/// Channels that are watched, by name.
const WATCHED: [&str; 10] = [
    "system.energy.balance",
    "system.energy.kinetic",
    "system.energy.gravity",
    "system.work.forces",
    "system.work.efforts",
    "system.work.rows",
    "constraint.drift.position",
    "constraint.drift.velocity",
    "chain.condition",
    "chain.residual",
];
/// Values that miss Newton's and Euler's equations by more than this part of the largest term are worth a warning; rounding leaves 1e-16 times a small number.
const RESIDUAL: f64 = 1e-9;

/// Largest values of some channels over a run.
pub(super) struct Peaks {
    channel: [Option<usize>; WATCHED.len()],
    peak: [f64; WATCHED.len()],
    /// Largest changes from the first sample.
    change: [f64; WATCHED.len()],
    /// Values at the first sample.
    first: Option<[f64; WATCHED.len()]>,
    /// Rows that depend on others where the run begins, by their paths; nothing where that is not known.
    redundant: Option<Vec<String>>,
    /// Lengths of paths that may jump.
    lengths: Option<Continuity>,
}

impl Peaks {
    /// Asks for the channels that are watched.
    pub(super) fn new(channels: &mut Channels) -> Peaks {
        let channel = WATCHED.map(|name| channels.index(name));
        channel.into_iter().flatten().for_each(|channel| channels.ask(channel));
        Peaks { channel, peak: [0.0; WATCHED.len()], change: [0.0; WATCHED.len()], first: None, redundant: None, lengths: None }
    }

    /// Watches the lengths of paths.
    pub(super) fn with_paths(mut self, system: &System, channels: &mut Channels) -> Peaks {
        self.lengths = Some(Continuity::new(system, channels));
        self
    }

    /// Lets lengths of paths begin anew behind a located switch.
    pub(super) fn forget_lengths(&mut self) {
        self.lengths.iter_mut().for_each(Continuity::forget);
    }

    /// Notes which rows depend on others at the start of a run; rows that are let go there do not.
    pub(super) fn with_rows(mut self, system: &System, begin: &EndState) -> Peaks {
        if !begin.memory.rows.is_empty() {
            let found = assemble_under(system, begin.t, &begin.q, &begin.v, &vec![false; begin.v.len()], &begin.row_control());
            self.redundant = found.ok().map(|assembled| assembled.redundant);
        }
        self
    }

    /// Notes the channels at a sample.
    pub(super) fn note(&mut self, values: &[f64]) {
        let now = self.channel.map(|channel| channel.map_or(0.0, |channel| values[channel]));
        self.lengths.iter_mut().for_each(|lengths| lengths.note(values));
        let first = *self.first.get_or_insert(now);
        for (k, value) in now.into_iter().enumerate() {
            self.peak[k] = self.peak[k].max(value.abs());
            self.change[k] = self.change[k].max((value - first[k]).abs());
        }
    }

    /// Notes work at the end of a step. Quick ones move far more than samples see; what methods err by goes with it.
    pub(super) fn note_work(&mut self, work: &[f64]) {
        let Some(first) = self.first else { return };
        for (of_system, value) in ["system.work.forces", "system.work.efforts", "system.work.rows"].iter().zip(work) {
            if let Some(k) = WATCHED.iter().position(|watched| watched == of_system) {
                self.change[k] = self.change[k].max((value - first[k]).abs());
            }
        }
    }

    /// Largest value of a watched channel; nothing where the run does not have it.
    pub(super) fn of(&self, name: &str) -> Option<f64> {
        let k = WATCHED.iter().position(|watched| *watched == name)?;
        self.channel[k].map(|_| self.peak[k])
    }

    /// The energy that moves in a run, J: the largest kinetic energy, change of gravity's energy or work, whichever is most; never nothing.
    fn moved_energy(&self) -> f64 {
        let of = |list: &[f64; WATCHED.len()], name: &str| WATCHED.iter().position(|watched| *watched == name).map_or(0.0, |k| list[k]);
        let work = ["forces", "efforts", "rows"].map(|what| of(&self.change, &format!("system.work.{what}")));
        let resting = RESTING * of(&self.peak, "system.energy.gravity");
        let moving = [of(&self.peak, "system.energy.kinetic"), of(&self.change, "system.energy.gravity"), resting, LEAST_ENERGY];
        work.into_iter().chain(moving).fold(0.0, f64::max)
    }

    /// Value of a watched channel at the first sample; zero without one.
    fn at_start(&self, name: &str) -> f64 {
        let k = WATCHED.iter().position(|watched| *watched == name);
        k.and_then(|k| self.first.map(|first| first[k])).unwrap_or(0.0)
    }
}

/// What is worth telling of pairs of surfaces over the samples of a run.
pub(super) struct Pressing {
    /// Samples.
    samples: usize,
    /// At how many of them each pair was in touch without a force, because its law would pull.
    clipped: Vec<usize>,
    /// Deepest overlap of each pair, m, and whether it was deeper than its shape bears.
    deepest: Vec<(f64, bool)>,
}

impl Pressing {
    /// Asks for what pairs do, where there are some.
    pub(super) fn new(system: &System, channels: &mut Channels) -> Pressing {
        if !system.names.pairs.is_empty() {
            channels.ask_touching();
        }
        Pressing { samples: 0, clipped: Vec::new(), deepest: Vec::new() }
    }

    /// Notes what pairs do at a sample.
    pub(super) fn note(&mut self, touching: &[Touching<f64>]) {
        self.samples += 1;
        self.clipped.resize(touching.len(), 0);
        self.deepest.resize(touching.len(), (0.0, false));
        for (k, pair) in touching.iter().enumerate() {
            self.clipped[k] += usize::from(pair.clipped);
            let (depth, deep) = self.deepest[k];
            self.deepest[k] = (depth.max(pair.depth), deep || pair.immersion > Immersion::Partial);
        }
    }

    /// Lines of the health block; none without contacts.
    pub(super) fn lines(&self, system: &System) -> Vec<HealthLine> {
        if self.deepest.is_empty() {
            return Vec::new();
        }
        let names = &system.names.pairs;
        // Of those that are too deep the deepest, if there are some: what is told is about one pair.
        let worst = (0..names.len()).max_by(|a, b| {
            let [(own, deep), (other, too)] = [self.deepest[*a], self.deepest[*b]];
            deep.cmp(&too).then(own.total_cmp(&other))
        });
        let worst = worst.unwrap_or(0);
        let deep: Vec<&str> = names.iter().zip(&self.deepest).filter(|(_, (_, deep))| *deep).map(|(name, _)| name.as_str()).collect();
        let found = match &deep[..] {
            [] => format!("The surfaces of `{}` overlap most", names[worst]),
            [only] => format!("Too deep: `{only}`"),
            _ => format!("Too deep: {}. Of these `{}` overlaps most", deep.join(", "), names[worst]),
        };
        let limit = bearable(system, worst).map_or(String::new(), |[low, high]| match high - low <= 1e-9 * high {
            true => format!(", {low:.4} m for `{}`", names[worst]),
            false => format!(", which for `{}` is {low:.4} m or, turned another way, up to {high:.4} m", names[worst]),
        });
        let allowed = format!("three quarters of the height of a surface{limit}; contact laws are not meant for more");
        let words = CheckWords {
            found,
            allowed: &allowed,
            advice: "check where the surfaces start and how stiff the contact is; forces during this overlap mean nothing",
        };
        let clipped: usize = self.clipped.iter().sum();
        let (all, verdict) = (self.samples * names.len(), Verdict::good_if(deep.is_empty()));
        let text = format!(
            "Samples, of {all}, at which the law of a contact would pull; no force acts there, because ground does not pull. No limit."
        );
        vec![
            HealthLine::judged("deepest_contact", "deepest contact", (self.deepest[worst].0, "m"), verdict, words),
            HealthLine::counted("clipped_contacts", "contacts that would pull", (clipped as f64, "1"), text),
        ]
    }
}

/// The overlap that the first surface of a pair bears, m, three quarters of its height: the least and the most of its axes. Nothing for a point.
fn bearable(system: &System, pair: usize) -> Option<[f64; 2]> {
    let own = system.numbers.contacts.pairs.get(pair)?;
    let Shape::Smooth(smooth) = &system.numbers.contacts.surfaces[own.first as usize].item.shape else { return None };
    let height = |axis: Vec3<f64>| -> f64 { 1.5 * smooth.support(axis).distance };
    let heights =
        [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)].map(height).into_iter().filter(|h| h.is_finite() && *h > 0.0);
    heights.map(|h| [h, h]).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

/// Touches of the start whose laws look at a speed of impact that nobody knows.
pub(super) fn touching_at_start(pairs: &[String]) -> Option<HealthLine> {
    (!pairs.is_empty()).then(|| {
        let text = format!(
            "These touch from the start, so that no speed of impact is known; the law uses its `start_speed`: {}. No limit.",
            pairs.join(", ")
        );
        HealthLine::counted("touching_at_start", "contacts without a speed of impact", (pairs.len() as f64, "1"), text)
    })
}

/// A number for a sentence: with an exponent where digits would not fit.
pub(super) fn figure(x: f64) -> String {
    if x == 0.0 || (1e-4..1e7).contains(&x.abs()) { format!("{x:.4}") } else { format!("{x:.4e}") }
}

/// Loops and guides along a table of motion, which gives every coordinate: they exert nothing, and may not even be met.
pub(super) fn left_out(peaks: &Peaks, rows: usize) -> HealthLine {
    let drift = peaks.of("constraint.drift.position").unwrap_or(0.0);
    let words = CheckWords {
        found: format!(
            "The motion is given, so loops and guides exert no force and efforts are those of the model cut open there. The given motion leaves them open by at \
             most {} m or rad",
            figure(drift)
        ),
        allowed: "1e-4 m or rad",
        advice: "give a motion that closes the loops, or take a model without them",
    };
    HealthLine::judged("rows_left_out", "rows of loops and guides left out", (rows as f64, "1"), Verdict::good_if(drift <= DRIFT), words)
}

/// A part in percent, with an exponent where digits would not fit.
fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    if (0.01..1e4).contains(&percent) { format!("{percent:.2} %") } else { format!("{percent:.1e} %") }
}

/// What the missing part of the moved energy says of a run; a part that is no number is as bad as can be.
fn of_energy(part: f64) -> Verdict {
    if part <= BALANCE {
        Verdict::Good
    } else if part <= FAR_OFF {
        Verdict::Look
    } else {
        Verdict::Bad
    }
}

/// The block of a run. What to do about errors depends on whether the method chooses its steps, and with it on `kind`.
pub(super) fn lines(peaks: &Peaks, statistics: &Statistics, kind: Kind) -> Vec<HealthLine> {
    let mut lines = Vec::new();
    let moved = peaks.moved_energy();
    match peaks.of("system.energy.balance") {
        Some(balance) => {
            let part = balance / moved;
            let words = CheckWords {
                found: format!(
                    "Energy and work differ by at most {} of {} J, the largest kinetic energy, change of gravity's energy or work of this run",
                    percent(part),
                    figure(moved)
                ),
                allowed: "0.1 %; up to 1 % needs a look, more is wrong",
                advice: match kind {
                    Kind::Adaptive => "compute again with a smaller tolerance (`rtol`, `atol`), and compare",
                    Kind::Fixed => "compute again with a shorter `step`, and compare; a method that damps loses energy of its own accord",
                },
            };
            let line = HealthLine::judged("energy_balance", "energy balance", (balance, "J"), of_energy(part), words);
            lines.push(HealthLine { part: Some(part), ..line });
        }
        None => lines.push(HealthLine {
            key: "energy_balance",
            label: "energy balance".into(),
            value: None,
            unit: "J".into(),
            verdict: Verdict::None,
            part: None,
            text: "Not checked: the motion is given, so that no energy has to come from the forces.".into(),
        }),
    }
    if let (Some(_), Some((path, at, energy))) =
        (peaks.of("system.energy.balance"), peaks.lengths.as_ref().and_then(Continuity::worst_energy))
    {
        let part = energy.abs() / moved;
        let words = CheckWords {
            found: format!(
                "The jump of path `{path}` at {at:.4} s changes what is stored along it by {} of {} J, which nobody has brought and the energy balance does not see",
                percent(part),
                figure(moved)
            ),
            allowed: "0.1 %; up to 1 % needs a look, more is wrong",
            advice: "let the path go on without a jump: a cylinder in place of the wrap, a `side`, or more samples where they are far apart",
        };
        lines.push(HealthLine::judged("path_jump_energy", "energy of a jump of a path", (energy, "J"), of_energy(part), words));
    }
    if let Some(gap) = peaks.of("constraint.drift.position") {
        let words = CheckWords {
            found: format!(
                "Loops and guides that should be closed are open by at most this (metres of places, radians of angles); {} at the start",
                size(peaks.at_start("constraint.drift.position"))
            ),
            allowed: "1e-4 m or rad",
            advice: match kind {
                Kind::Adaptive => "turn on drift control (`[drift]`), or use a smaller tolerance (`rtol`, `atol`)",
                Kind::Fixed => "turn on drift control (`[drift]`), or use a shorter step (`step`)",
            },
        };
        lines.push(HealthLine::judged(
            "drift_position",
            "gap of loops and guides",
            (gap, "m or rad"),
            Verdict::good_if(gap <= DRIFT),
            words,
        ));
    }
    if let Some(rate) = peaks.of("constraint.drift.velocity") {
        let text =
            format!("How fast that gap opens at most; {} at the start. No limit.", size(peaks.at_start("constraint.drift.velocity")));
        lines.push(HealthLine::counted("drift_velocity", "speed of that gap", (rate, "m/s or rad/s"), text));
    }
    if let Some(value) = peaks.of("chain.condition") {
        let text = "How much the equations of the chain magnify rounding, at worst: its number of digits are lost. No limit.".into();
        lines.push(HealthLine::counted("condition", "condition of the equations", (value, "1"), text));
    }
    if let Some(value) = peaks.of("chain.residual") {
        let words = CheckWords {
            found: "Largest error in Newton's and Euler's equations, as a part of their largest term".into(),
            allowed: "1e-9",
            advice: "the unknowns can hardly be told apart in this pose: choose others, or leave these samples out",
        };
        lines.push(HealthLine::judged(
            "residual",
            "error in the equations of motion",
            (value, "1"),
            Verdict::good_if(value <= RESIDUAL),
            words,
        ));
    }
    if let Some(redundant) = &peaks.redundant {
        let text = match redundant.is_empty() {
            true => "Every condition of loops and guides counts at the start.".into(),
            false => format!("These follow from the others and get no force of their own: {}. No limit.", redundant.join(", ")),
        };
        lines.push(HealthLine::counted("redundant_rows", "redundant conditions set aside", (redundant.len() as f64, "1"), text));
    }
    lines.extend(peaks.lengths.iter().flat_map(Continuity::lines));
    if statistics.accepted > 0 {
        let restarts = statistics.starts.saturating_sub(1) as f64;
        let text =
            "How often the integrator began anew, at kinks of given functions and at events that change the motion. No limit.".into();
        lines.push(HealthLine::counted("restarts", "restarts", (restarts, "1"), text));
        let (rejected, accepted) = (statistics.rejected, statistics.accepted);
        let words = CheckWords {
            found: format!("Steps that were too inaccurate and were tried again with a shorter one, beside {accepted} that were kept"),
            allowed: "as many as were kept",
            advice: "look for a jump in a force or a given function",
        };
        let verdict = Verdict::good_if(rejected <= accepted);
        lines.push(HealthLine::judged("rejected_steps", "rejected steps", (rejected as f64, "1"), verdict, words));
    }
    if statistics.cuts > 0 {
        let shortest = figure(statistics.smallest_step);
        let text = format!("How often a step of fixed length had to be halved to be solved; the shortest was {shortest} s. No limit.");
        lines.push(HealthLine::counted("cut_steps", "steps that were cut", (statistics.cuts as f64, "1"), text));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding beside a kinetic energy that is rounding too is no fault; a balance beside little energy that is left open is.
    #[test]
    fn the_balance_of_a_body_at_rest_is_compared_with_more_than_rounding() {
        let verdict = |balance: f64, kinetic: f64| {
            let count = WATCHED.len();
            let [peak, change] = [[0.0; WATCHED.len()]; 2];
            let mut peaks = Peaks { channel: std::array::from_fn(Some), peak, change, first: None, redundant: None, lengths: None };
            for (balance, kinetic) in [(0.0, 0.0), (balance, kinetic)] {
                let mut values = vec![0.0; count];
                values[..3].copy_from_slice(&[balance, kinetic, 19.62]);
                peaks.note(&values);
            }
            lines(&peaks, &Statistics::default(), Kind::Adaptive)[0].verdict
        };
        assert_eq!(verdict(4.6e-15, 5e-31), Verdict::Good);
        assert_eq!([verdict(2e-10, 1e-7), verdict(9e-5, 0.01)], [Verdict::Look; 2]);
    }

    /// Limits of the missing part: 1e-3 is worth a look, 1e-2 is bad, and so is what is no number.
    #[test]
    fn a_run_that_loses_much_of_its_energy_is_bad() {
        assert_eq!([9e-4, 1.1e-3, 9e-3, 1.1e-2, f64::INFINITY, f64::NAN].map(of_energy), {
            use Verdict::{Bad, Good, Look};
            [Good, Look, Look, Bad, Bad, Bad]
        });
    }

    #[test]
    fn steps_that_were_cut_are_told_where_there_are_any() {
        let [peak, change] = [[0.0; WATCHED.len()]; 2];
        let peaks = Peaks { channel: [None; WATCHED.len()], peak, change, first: None, redundant: None, lengths: None };
        let told = |cuts: usize| {
            let statistics = Statistics { accepted: 20, cuts, smallest_step: 0.0025, ..Statistics::default() };
            lines(&peaks, &statistics, Kind::Adaptive).into_iter().find(|line| line.key == "cut_steps")
        };
        assert!(told(0).is_none());
        let line = told(3).expect("a line");
        assert!(
            line.value == Some(3.0) && line.verdict == Verdict::None && line.text.contains("0.0025 s"),
            "{} {:?}",
            line.text,
            line.value
        );
    }

    #[test]
    fn large_and_small_numbers_have_an_exponent() {
        for (x, text) in [(0.0, "0.0000"), (12.5, "12.5000"), (9.81e300, "9.8100e300"), (3e-9, "3.0000e-9"), (1e7, "1.0000e7")] {
            assert_eq!(figure(x), text);
        }
    }
}
