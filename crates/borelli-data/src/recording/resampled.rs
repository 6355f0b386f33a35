//! A recording at another rate.
//! Not here: how one signal is resampled (`signal`).
//! In: a recording with even times. Out: points and channels at the new rate; what lay in a gap stays missing.

use super::{Channel, ChannelGroup, Clock, PointSeries, Recording, Repair};
use crate::signal::{SignalFault, resample};
use borelli_math::Vec3;

/// The new clock: from the first sample to the last that the old one covers.
fn new_clock(old: &Clock, rate: f64) -> Clock {
    let last = (old.count.max(1) - 1) as f64 / old.rate;
    let count = if old.count == 0 { 0 } else { (last * rate * (1.0 + 1e-12)).floor() as usize + 1 };
    Clock::even(rate, old.start, count)
}

/// A series with its mask at the times of a new clock. Stretches between gaps are resampled by themselves; a time that lies in a gap, or beside a
/// sample that stands alone, has no value.
fn series(old: &Clock, new: &Clock, x: &[f64], seen: &[bool]) -> Result<(Vec<f64>, Vec<bool>), SignalFault> {
    let (mut values, mut mask) = (vec![0.0; new.count], vec![false; new.count]);
    let is_seen = |k: usize| seen.get(k).copied().unwrap_or(true);
    let mut from = 0;
    while from < x.len() {
        if !is_seen(from) {
            from += 1;
            continue;
        }
        let to = (from..x.len()).find(|k| !is_seen(*k)).unwrap_or(x.len());
        if to - from >= 2 {
            let part = Clock::even(old.rate, old.time(from), to - from);
            let slack = 1e-9 / old.rate;
            let (first, last) = (part.start - slack, part.time(to - from - 1) + slack);
            let inside: Vec<usize> = (0..new.count).filter(|k| (first..=last).contains(&new.time(*k))).collect();
            let times: Vec<f64> = inside.iter().map(|k| new.time(*k)).collect();
            for (k, value) in inside.into_iter().zip(resample(&part, &x[from..to], &times, new.rate)?) {
                (values[k], mask[k]) = (value, true);
            }
        }
        from = to;
    }
    Ok((values, mask))
}

impl Recording {
    /// The recording at another rate of its points. Channels that were as fast as the points follow them; faster ones keep their number of samples in a
    /// frame. Loads of plates are left out: compute them before.
    pub fn resampled(&self, rate: f64) -> Result<Recording, SignalFault> {
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(SignalFault::BadRate { rate });
        }
        let clock = new_clock(&self.clock, rate);
        let mut points = Vec::new();
        for point in &self.points {
            let (mut position, mut seen) = (vec![Vec3::ZERO; clock.count], vec![true; clock.count]);
            for axis in 0..3 {
                let x: Vec<f64> = point.position.iter().map(|p| p.to_array()[axis]).collect();
                let (values, mask) = series(&self.clock, &clock, &x, &point.seen)?;
                for (k, value) in values.into_iter().enumerate() {
                    let mut place = position[k].to_array();
                    place[axis] = value;
                    position[k] = Vec3::from_array(place);
                    seen[k] &= mask[k];
                }
            }
            points.push(PointSeries { name: point.name.clone(), position, seen, residual: Vec::new() });
        }
        let mut groups = Vec::new();
        for group in &self.channels {
            let fast = rate * (group.clock.rate / self.clock.rate);
            let count = (clock.count as f64 * (fast / rate)).round() as usize;
            let new = Clock { count, ..new_clock(&group.clock, fast) };
            let mut channels = Vec::new();
            for channel in &group.channels {
                let (samples, seen) = series(&group.clock, &new, &channel.samples, &channel.seen)?;
                let seen = if seen.iter().all(|seen| *seen) { Vec::new() } else { seen };
                channels.push(Channel { samples, seen, ..channel.clone() });
            }
            groups.push(ChannelGroup { clock: new, channels });
        }
        let mut repairs = self.repairs.clone();
        repairs.push(Repair::new("rate", format!("{} Hz", self.clock.rate), format!("resampled at {rate} Hz, as asked for")));
        Ok(Recording { clock, points, channels: groups, plates: Vec::new(), repairs, ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::vec3::vec3;

    #[test]
    fn a_slow_motion_is_kept_and_gaps_stay() {
        let clock = Clock::even(200.0, 0.5, 401);
        let place = |t: f64| vec3((2.0 * t).sin(), t, -0.3);
        let seen: Vec<bool> = (0..401).map(|k| !(100..140).contains(&k)).collect();
        let position = (0..401).map(|k| if seen[k] { place(clock.time(k)) } else { Vec3::ZERO }).collect();
        let points = vec![PointSeries { name: "A".into(), position, seen, residual: Vec::new() }];
        let recording = Recording { clock, points, ..Recording::default() };
        let slow = recording.resampled(50.0).expect("a recording");
        assert_eq!((slow.clock.count, slow.clock.rate, slow.clock.time(100)), (101, 50.0, 2.5));
        for k in 0..101 {
            let point = &slow.points[0];
            // frames 100 to 139 of the old rate are 25 to 34.75 of the new one
            assert_eq!(point.seen[k], !(25..=34).contains(&k), "{k}");
            let off = (point.position[k] - place(slow.clock.time(k))).norm();
            assert!(!point.seen[k] || off < 1e-4, "{k}: {off}");
        }
        let fast = recording.resampled(1000.0).expect("a recording");
        assert_eq!(fast.clock.count, 2001);
        assert!((fast.points[0].position[7] - place(fast.clock.time(7))).norm() < 1e-4);
        assert!(recording.resampled(0.0).is_err());
    }
}
