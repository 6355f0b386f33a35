//! What is worth telling of muscles over the samples of a run: fibres at their shortest, slack tendons, activations at a bound, excitations that were clipped.
//! Not here: how muscles behave there. In: values of channels as they are recorded. Out: lines of the health block.

use super::{CheckWords, HealthLine, Verdict};
use crate::channels::Channels;
use borelli_dynamics::System;
use borelli_dynamics::muscle::MuscleSize;

/// Part of the optimal length over which shortening fades out above the shortest fibre.
const RAMP: f64 = 0.01;
/// Fibres longer than this, over the optimal length, are rather a sign of wrong numbers.
const LONG: f64 = 1.8;
/// Speeds beyond this, over the largest shortening speed, are outside what curves were measured for.
const FAST: f64 = 1.5;

/// Columns that are looked at.
const COLUMNS: [&str; 5] = ["excitation", "activation", "fibre_length", "fibre_speed", "tendon_length"];

/// What is counted, in this order.
const COUNTED: usize = 6;

struct Watched {
    name: String,
    size: MuscleSize,
    channels: [Option<usize>; COLUMNS.len()],
    /// At how many samples.
    counts: [usize; COUNTED],
}

/// Muscles over the samples of a run.
pub(super) struct MuscleWatch {
    muscles: Vec<Watched>,
    samples: usize,
}

impl MuscleWatch {
    /// Asks for what is looked at.
    pub(super) fn new(system: &System, channels: &mut Channels) -> MuscleWatch {
        let watched = |(name, size): (&str, MuscleSize)| {
            let found = COLUMNS.map(|column| channels.index(&format!("muscle.{name}.{column}")));
            found.into_iter().flatten().for_each(|channel| channels.ask(channel));
            Watched { name: name.to_string(), size, channels: found, counts: [0; COUNTED] }
        };
        MuscleWatch { muscles: system.numbers.forces.muscles().into_iter().map(watched).collect(), samples: 0 }
    }

    /// Notes a sample.
    pub(super) fn note(&mut self, values: &[f64]) {
        self.samples += 1;
        for Watched { size, channels, counts, .. } in &mut self.muscles {
            let [u, a, length, speed, tendon] = channels.map(|channel| channel.map_or(f64::NAN, |channel| values[channel]));
            let happens = [
                length < size.least_length + RAMP * size.fibre_length,
                if size.elastic { tendon <= size.tendon_length } else { tendon < size.tendon_length },
                a <= size.least_activation || a >= 1.0,
                !(0.0..=1.0).contains(&u) && !u.is_nan(),
                speed.abs() > FAST * size.speed * size.fibre_length,
                length > LONG * size.fibre_length,
            ];
            counts.iter_mut().zip(happens).for_each(|(count, happens)| *count += usize::from(happens));
        }
    }

    /// Lines of the health block; none without muscles.
    pub(super) fn lines(&self) -> Vec<HealthLine> {
        if self.muscles.is_empty() {
            return Vec::new();
        }
        let all = self.samples * self.muscles.len();
        let names = |k: usize| {
            let named = self.muscles.iter().filter(|muscle| muscle.counts[k] > 0);
            named.map(|muscle| format!("`{}` {}", muscle.name, muscle.counts[k])).collect::<Vec<_>>().join(", ")
        };
        let total = |k: usize| self.muscles.iter().map(|muscle| muscle.counts[k]).sum::<usize>();
        let judged = |k: usize, key, label, what: &str, advice| {
            let count = total(k);
            let found = match count {
                0 => format!("Samples, of {all}, {what}"),
                _ => format!("Samples, of {all}, {what}: {}", names(k)),
            };
            let words = CheckWords { found, allowed: "none", advice };
            HealthLine::judged(key, label, (count as f64, "1"), Verdict::good_if(count == 0), words)
        };
        let counted = |k: usize, key, label, what: &str| {
            let who = if total(k) == 0 { String::new() } else { format!(": {}", names(k)) };
            HealthLine::counted(key, label, (total(k) as f64, "1"), format!("Samples, of {all}, {what}{who}. No limit."))
        };
        vec![
            judged(
                0,
                "short_fibres",
                "muscles at their shortest",
                "at which a fibre is as short as it can be",
                "check tendon lengths, the path and the range of the joints; the force there is that of the tendon alone",
            ),
            counted(1, "slack_tendons", "slack tendons", "at which a tendon is slack and the muscle does not pull"),
            counted(2, "activation_bounds", "activations at a bound", "at which an activation is at its least or at one"),
            judged(
                3,
                "clipped_excitations",
                "excitations out of range",
                "at which an excitation is outside 0 to 1 and was clipped",
                "keep the functions of excitation between 0 and 1",
            ),
            judged(
                4,
                "fast_fibres",
                "fibres beyond their speed",
                "at which a fibre moves faster than 1.5 times its largest shortening speed",
                "check `speed`, the damping and the motion; curves are not meant for this",
            ),
            judged(
                5,
                "long_fibres",
                "overstretched fibres",
                "at which a fibre is longer than 1.8 times its optimal length",
                "check fibre and tendon lengths against the path: wrong numbers are more likely than such a stretch",
            ),
        ]
    }
}
