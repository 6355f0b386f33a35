//! Whether lengths of paths go on without a jump: each against the integral of its rate, sample by sample.
//! Not here: where paths lie. In: values of channels as they are recorded. Out: a line of the health block.
//!
//! Over two equal intervals h a smooth length has l₂ − l₀ = h/3 (l̇₀ + 4 l̇₁ + l̇₂) but for terms of h⁵ (Simpson), over a single one the trapezoid but for h³. What is
//! missing is a jump, whoever caused it: a conditional point, a path that changes its way round an obstacle.

use super::{CheckWords, HealthLine, Verdict};
use crate::channels::Channels;
use borelli_dynamics::System;
use borelli_dynamics::force::Stop;

/// A gap below this, m, is no jump: samples are as far apart as the study wants them.
const GAP: f64 = 1e-4;

/// Lengths of the paths that may jump.
pub(super) struct Continuity {
    paths: Vec<Watched>,
}

struct Watched {
    name: String,
    length: usize,
    rate: usize,
    /// Time, length and rate of the last two samples, the newest last.
    last: Vec<[f64; 3]>,
    /// Largest gap, m, and when.
    gap: f64,
    at: f64,
}

impl Continuity {
    /// Asks for lengths and rates of all paths that pass more than places.
    pub(super) fn new(system: &System, channels: &mut Channels) -> Continuity {
        let mut paths = Vec::new();
        for (name, stops) in system.names.paths.iter().zip(&system.numbers.paths.list) {
            let ways = ["length", "rate"].map(|what| channels.index(&format!("path.{name}.{what}")));
            if let ([Some(length), Some(rate)], true) = (ways, stops.iter().any(|stop| !matches!(stop, Stop::Place(_)))) {
                [length, rate].into_iter().for_each(|channel| channels.ask(channel));
                paths.push(Watched { name: name.clone(), length, rate, last: Vec::with_capacity(2), gap: 0.0, at: 0.0 });
            }
        }
        Continuity { paths }
    }

    /// Notes a sample; time is the first value.
    pub(super) fn note(&mut self, values: &[f64]) {
        for own in &mut self.paths {
            own.note([values[0], values[own.length], values[own.rate]]);
        }
    }

    /// The line of the health block; none without such paths.
    pub(super) fn line(&self) -> Option<HealthLine> {
        let worst = self.paths.iter().max_by(|a, b| a.gap.total_cmp(&b.gap))?;
        let words = CheckWords {
            found: format!(
                "Lengths of paths follow the integrals of their rates; that of `{}` is off most, at {:.4} s",
                worst.name, worst.at
            ),
            allowed: "1e-4 m",
            advice: "a path jumps there, or samples are far apart: sample more often, and look at its wraps and conditional points in that pose",
        };
        Some(HealthLine::judged("path_jump", "jump of a path", (worst.gap, "m"), Verdict::good_if(worst.gap <= GAP), words))
    }
}

impl Watched {
    fn note(&mut self, now: [f64; 3]) {
        // Two samples of one instant, before and after an event.
        if self.last.last().is_some_and(|last| !(now[0] > last[0])) {
            return;
        }
        let missing = match self.last[..] {
            [a, b] if ((now[0] - b[0]) - (b[0] - a[0])).abs() < 1e-6 * (now[0] - a[0]) => {
                now[1] - a[1] - (now[0] - a[0]) / 6.0 * (a[2] + 4.0 * b[2] + now[2])
            }
            [.., b] => now[1] - b[1] - 0.5 * (now[0] - b[0]) * (b[2] + now[2]),
            [] => 0.0,
        };
        if missing.abs() > self.gap {
            (self.gap, self.at) = (missing.abs(), now[0]);
        }
        if self.last.len() == 2 {
            self.last.remove(0);
        }
        self.last.push(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_is_found_and_a_smooth_length_is_none() {
        let gap = |length: &dyn Fn(f64) -> f64| {
            let mut own = Watched { name: String::new(), length: 0, rate: 0, last: Vec::new(), gap: 0.0, at: 0.0 };
            (0..=100).map(|k| 0.01 * f64::from(k)).for_each(|t| own.note([t, length(t), 3.0 * (3.0 * t).cos()]));
            (own.gap, own.at)
        };
        let smooth = |t: f64| (3.0 * t).sin();
        // The first interval has the trapezoid only.
        assert!(gap(&smooth).0 < 3e-6, "{:?}", gap(&smooth));
        let (size, at) = gap(&|t| smooth(t) + if t > 0.505 { 2e-3 } else { 0.0 });
        assert!((size - 2e-3).abs() < 1e-6 && (0.5..0.53).contains(&at), "{size} {at}");
    }
}
