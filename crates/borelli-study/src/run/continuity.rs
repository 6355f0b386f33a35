//! Whether lengths and moment arms of paths go on without a jump: lengths against the integrals of their rates, arms against their neighbours.
//! Not here: where paths lie. In: values of channels as they are recorded. Out: lines of the health block.
//!
//! Over two equal intervals h a smooth length has l₂ − l₀ = h/3 (l̇₀ + 4 l̇₁ + l̇₂) but for terms of h⁵ (Simpson), over a single one the trapezoid but for h³. What is
//! missing is a jump, whoever caused it: a path that changes its way round an obstacle, a conditional point whose switch no event has located.
//!
//! The slope of a moment arm may jump, where a path touches an obstacle, but between its values on both sides. So the mean slope over an interval lies
//! between those of the intervals before and after, but for terms of h³ where it is smooth and h² beside a kink; by how much it is outside of both, times the
//! interval, is a jump of the arm.

use super::{CheckWords, HealthLine, Verdict};
use crate::channels::Channels;
use borelli_dynamics::System;
use borelli_dynamics::force::{Stop, movers};
use borelli_dynamics::system::Measure;

/// A gap below this, m, is no jump: samples are as far apart as the study wants them.
const GAP: f64 = 1e-4;
/// The same for a moment arm, m: samples of arms have no rates to be compared with.
const ARM_GAP: f64 = 1e-3;

/// Lengths and moment arms of the paths that may jump.
pub(super) struct Continuity {
    paths: Vec<Watched>,
    arms: Vec<WatchedArm>,
}

/// A channel that says where the model is, with its name and whether it is an angle.
struct Coordinate {
    name: String,
    channel: usize,
    angle: bool,
}

struct Watched {
    name: String,
    length: usize,
    rate: usize,
    force: usize,
    /// Coordinates that move it.
    pose: Vec<Coordinate>,
    /// Time, length, rate and tension of the last two samples, the newest last.
    last: Vec<[f64; 4]>,
    /// Largest gap, m, when, and the energy that it changes, J.
    gap: f64,
    at: f64,
    energy: f64,
    /// Coordinates there.
    there: Vec<f64>,
}

struct WatchedArm {
    /// Path, and the coordinate that it turns.
    path: usize,
    name: String,
    channel: usize,
    /// Time and arm of the last three samples, the newest last.
    last: Vec<[f64; 2]>,
    gap: f64,
    at: f64,
    there: Vec<f64>,
}

impl Continuity {
    /// Asks for lengths, rates and moment arms of all paths that pass more than places, and for the pose.
    pub(super) fn new(system: &System, channels: &mut Channels) -> Continuity {
        let (mut paths, mut arms) = (Vec::new(), Vec::new());
        for (path, (name, stops)) in system.names.paths.iter().zip(&system.numbers.paths.list).enumerate() {
            let ways = ["length", "rate", "force"].map(|what| channels.index(&format!("path.{name}.{what}")));
            let ([Some(length), Some(rate), Some(force)], true) = (ways, stops.iter().any(|stop| !matches!(stop, Stop::Place(_)))) else {
                continue;
            };
            let mut pose = Vec::new();
            for dof in movers(system, path) {
                let speed = &system.names.speeds[dof];
                let angle = speed.measure == Measure::Angle;
                if let Some(channel) = channels.index(&format!("coord.{}.value", speed.name)) {
                    pose.push(Coordinate { name: speed.name.clone(), channel, angle });
                }
                // The arm of a displacement is a cosine, without unit.
                if let (Some(channel), true) = (channels.index(&format!("path.{name}.arm.{}", speed.name)), angle) {
                    let (path, name, last) = (paths.len(), speed.name.clone(), Vec::with_capacity(3));
                    arms.push(WatchedArm { path, name, channel, last, gap: 0.0, at: 0.0, there: Vec::new() });
                }
            }
            let asked = [length, rate, force].into_iter().chain(pose.iter().map(|own| own.channel));
            asked.for_each(|channel| channels.ask(channel));
            let there = vec![0.0; pose.len()];
            let (name, last) = (name.clone(), Vec::with_capacity(2));
            paths.push(Watched { name, length, rate, force, pose, last, gap: 0.0, at: 0.0, energy: 0.0, there });
        }
        for arm in &mut arms {
            channels.ask(arm.channel);
            arm.there.resize(paths[arm.path].pose.len(), 0.0);
        }
        Continuity { paths, arms }
    }

    /// Begins anew behind a located switch of a conditional point, whose jump is told of elsewhere.
    pub(super) fn forget(&mut self) {
        self.paths.iter_mut().for_each(|own| own.last.clear());
        self.arms.iter_mut().for_each(|own| own.last.clear());
    }

    /// Notes a sample; time is the first value.
    pub(super) fn note(&mut self, values: &[f64]) {
        for own in &mut self.paths {
            if own.note([values[0], values[own.length], values[own.rate], values[own.force]]) {
                own.there.iter_mut().zip(&own.pose).for_each(|(there, own)| *there = values[own.channel]);
            }
        }
        for own in &mut self.arms {
            if own.note([values[0], values[own.channel]]) {
                own.there.iter_mut().zip(&self.paths[own.path].pose).for_each(|(there, own)| *there = values[own.channel]);
            }
        }
    }

    /// The path whose largest jump changes stored energy most, when, and by how much, J; nothing where none jumps.
    pub(super) fn worst_energy(&self) -> Option<(&str, f64, f64)> {
        let jumps = self.paths.iter().filter(|own| own.gap > GAP);
        jumps.max_by(|a, b| a.energy.abs().total_cmp(&b.energy.abs())).map(|own| (own.name.as_str(), own.at, own.energy))
    }

    /// Lines of the health block; none without such paths.
    pub(super) fn lines(&self) -> Vec<HealthLine> {
        let advice = "a path jumps there, or samples are far apart: sample more often, and look at its wraps in that pose";
        let length = self.paths.iter().max_by(|a, b| a.gap.total_cmp(&b.gap)).map(|worst| {
            let found = format!(
                "Lengths of paths follow the integrals of their rates; that of `{}` is off most, at {:.4} s{}",
                worst.name,
                worst.at,
                worst.pose_words(&worst.there)
            );
            let words = CheckWords { found, allowed: "1e-4 m", advice };
            HealthLine::judged("path_jump", "jump of a path", (worst.gap, "m"), Verdict::good_if(worst.gap <= GAP), words)
        });
        let arm = self.arms.iter().max_by(|a, b| a.gap.total_cmp(&b.gap)).map(|worst| {
            let path = &self.paths[worst.path];
            let found = format!(
                "Moment arms of paths go on from sample to sample; that of `{}` about `{}` jumps most, at {:.4} s{}",
                path.name,
                worst.name,
                worst.at,
                path.pose_words(&worst.there)
            );
            let words = CheckWords { found, allowed: "1e-3 m", advice };
            HealthLine::judged("arm_jump", "jump of a moment arm", (worst.gap, "m"), Verdict::good_if(worst.gap <= ARM_GAP), words)
        });
        length.into_iter().chain(arm).collect()
    }
}

impl Watched {
    /// ", where knee is -30.0 deg": coordinates of a pose; nothing where none moves it.
    fn pose_words(&self, there: &[f64]) -> String {
        let word = |(own, value): (&Coordinate, &f64)| match own.angle {
            true => format!("{} is {:.2} deg", own.name, value.to_degrees()),
            false => format!("{} is {value:.4} m", own.name),
        };
        let words: Vec<String> = self.pose.iter().zip(there).map(word).collect();
        if words.is_empty() { String::new() } else { format!(", where {}", words.join(", ")) }
    }

    /// Notes a sample; true where the gap is the largest so far.
    fn note(&mut self, now: [f64; 4]) -> bool {
        // Two samples of one instant, before and after an event.
        if self.last.last().is_some_and(|last| !(now[0] > last[0])) {
            return false;
        }
        let missing = match self.last[..] {
            [a, b] if ((now[0] - b[0]) - (b[0] - a[0])).abs() < 1e-6 * (now[0] - a[0]) => {
                now[1] - a[1] - (now[0] - a[0]) / 6.0 * (a[2] + 4.0 * b[2] + now[2])
            }
            [.., b] => now[1] - b[1] - 0.5 * (now[0] - b[0]) * (b[2] + now[2]),
            [] => 0.0,
        };
        let before = self.last.last().map_or(now[3], |last| last[3]);
        if self.last.len() == 2 {
            self.last.remove(0);
        }
        self.last.push(now);
        let worst = missing.abs() > self.gap;
        if worst {
            // A spring pulls by its mean on the way.
            (self.gap, self.at, self.energy) = (missing.abs(), now[0], 0.5 * (before + now[3]) * missing);
        }
        worst
    }
}

impl WatchedArm {
    /// Notes a sample; true where the jump before the sample before it is the largest so far.
    fn note(&mut self, now: [f64; 2]) -> bool {
        if self.last.last().is_some_and(|last| !(now[0] > last[0])) {
            return false;
        }
        let mut worst = false;
        if let [a, b, c] = self.last[..] {
            let slope = |from: [f64; 2], to: [f64; 2]| (to[1] - from[1]) / (to[0] - from[0]);
            let (before, here, behind) = (slope(a, b), slope(b, c), slope(c, now));
            let outside = (here - before.max(behind)).max(before.min(behind) - here).max(0.0) * (c[0] - b[0]);
            if outside > self.gap {
                (self.gap, self.at, worst) = (outside, c[0], true);
            }
            self.last.remove(0);
        }
        self.last.push(now);
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_is_found_and_a_smooth_length_is_none() {
        let gap = |length: &dyn Fn(f64) -> f64| {
            let mut own = Watched {
                name: String::new(),
                length: 0,
                rate: 0,
                force: 0,
                pose: Vec::new(),
                last: Vec::new(),
                gap: 0.0,
                at: 0.0,
                energy: 0.0,
                there: Vec::new(),
            };
            (0..=100).map(|k| 0.01 * f64::from(k)).for_each(|t| {
                // A spring of 50 N/m.
                own.note([t, length(t), 3.0 * (3.0 * t).cos(), 50.0 * length(t)]);
            });
            (own.gap, own.at, own.energy)
        };
        let smooth = |t: f64| (3.0 * t).sin();
        // The first interval has the trapezoid only.
        assert!(gap(&smooth).0 < 3e-6, "{:?}", gap(&smooth));
        let (size, at, energy) = gap(&|t| smooth(t) + if t > 0.505 { 2e-3 } else { 0.0 });
        assert!((size - 2e-3).abs() < 1e-6 && (0.5..0.53).contains(&at), "{size} {at}");
        assert!((energy / (50.0 * 2e-3 * smooth(0.505)) - 1.0).abs() < 1e-2, "{energy}");
    }

    #[test]
    fn a_jump_of_an_arm_is_found_and_a_kink_is_none() {
        let gap = |arm: &dyn Fn(f64) -> f64| {
            let mut own = WatchedArm { path: 0, name: String::new(), channel: 0, last: Vec::new(), gap: 0.0, at: 0.0, there: Vec::new() };
            (0..=100).map(|k| 0.01 * f64::from(k)).for_each(|t| {
                own.note([t, arm(t)]);
            });
            (own.gap, own.at)
        };
        let smooth = |t: f64| 0.05 * (3.0 * t).sin();
        assert!(gap(&smooth).0 < 1e-6, "{:?}", gap(&smooth));
        // Touch-down: the slope of the arm changes at once.
        let kinked = |t: f64| smooth(t) + if t > 0.503 { 0.2 * (t - 0.503) } else { 0.0 };
        assert!(gap(&kinked).0 < 1e-4, "{:?}", gap(&kinked));
        let (size, at) = gap(&|t| smooth(t) + if t > 0.505 { 2e-3 } else { 0.0 });
        assert!((size - 2e-3).abs() < 1e-4 && (at - 0.51).abs() < 1e-9, "{size} {at}");
    }
}
