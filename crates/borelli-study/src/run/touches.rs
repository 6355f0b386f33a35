//! Touchdown and lift-off of pairs of surfaces: zeros of their overlap, and the speed of the first touch that some laws remember.
//! Not here: locating zeros of a simulated motion (`integrate::events`); what laws make of the speed.
//! In: states along a motion. Out: overlaps and their rates; speeds to remember.
//!
//! A simulation ends a stretch where a pair touches down or lifts off, so that no step passes over a touch. Where the law remembers or jumps there, the pair is held open
//! until then, also at trial states beyond the touchdown (`contact::OPEN`), and the next stretch begins with the speed known. Along a
//! prescribed motion touchdown lies between two samples; there the overlap is the cubic with the values and rates of both, and the speed is the cubic's
//! slope at its zero.
//!
//! Each pair is open or closed, and only touchdown and lift-off change that. Several pairs may touch down at one instant, of which one is located and the others stand
//! at zero up to rounding: they are closed with it, else a stretch that begins inside would never see them arrive.

use borelli_contact::friction::Friction;
use borelli_contact::normal::Touch;
use borelli_dynamics::System;
use borelli_dynamics::contact::{Gaps, NormalLaw, OPEN};

/// Overlap up to which a pair stands at zero, m: what locating leaves of a touchdown at some metres per second.
const AT_ZERO: f64 = 1e-12;

/// Speed up to which a pair does not move, m/s: rounding of speeds of some metres per second.
const AT_REST: f64 = 1e-12;

/// Pairs of surfaces along a motion.
pub(super) struct Touches<'s> {
    system: &'s System,
    gaps: Gaps,
    seen: Vec<f64>,
    seen_at: f64,
    /// Which pairs are closed.
    closed: Vec<bool>,
    /// Pairs that touched down or lifted off since speeds were written last.
    changed: Vec<usize>,
    /// Speeds of first touch that were written.
    pub written: usize,
}

/// A sample of a prescribed motion.
struct Sample {
    t: f64,
    depth: Vec<f64>,
    rate: Vec<f64>,
}

impl<'s> Touches<'s> {
    pub(super) fn new(system: &'s System) -> Touches<'s> {
        Touches {
            system,
            gaps: Gaps::new(system),
            seen: Vec::new(),
            seen_at: f64::NAN,
            closed: vec![false; system.names.pairs.len()],
            changed: Vec::new(),
            written: 0,
        }
    }

    /// How many pairs there are.
    pub(super) fn count(&self) -> usize {
        self.system.names.pairs.len()
    }

    /// Whether the equation of motion changes at touchdown and lift-off of a pair, so that no step may pass over it: the law remembers, or jumps.
    pub(super) fn is_break(&self, pair: usize) -> bool {
        let contacts = &self.system.numbers.contacts;
        let manner = contacts.manner(pair);
        // What acts without any depth or normal force to speak of begins at once.
        let at_once = |force: f64| force.abs() > 1e-9;
        let touch = Touch { depth: f64::MIN_POSITIVE, rate: 1.0, impact_speed: 1.0 };
        let damper = matches!(&manner.normal, NormalLaw::Point(law) if at_once(law.push(touch).force));
        let speeds = [1e-3, 1e-1, 1e1, 1e3];
        let drag = |law: &Friction<f64>| speeds.iter().any(|v| at_once(law.drag(*v, f64::MIN_POSITIVE).force));
        contacts.remembers(pair) || damper || manner.friction.as_ref().is_some_and(drag)
    }

    /// Overlap of a pair and its rate at a state, m and m/s.
    pub(super) fn of(&mut self, pair: usize, t: f64, y: &[f64]) -> (f64, f64) {
        let (coords, dofs) = (self.system.skeleton.coords(), self.system.skeleton.dofs());
        let state = &y[..coords + dofs];
        if self.seen_at != t || self.seen != state {
            self.seen.clear();
            self.seen.extend_from_slice(state);
            self.seen_at = t;
            self.gaps.look(self.system, &state[..coords], &state[coords..]);
        }
        (self.gaps.depth()[pair], self.gaps.rate()[pair])
    }

    /// Overlap whose zeros are touchdown and lift-off. A pair that stands at zero is on the side it is said to be on, so that it arrives when it leaves zero.
    pub(super) fn side(&mut self, pair: usize, t: f64, y: &[f64]) -> f64 {
        let (depth, _) = self.of(pair, t, y);
        match (depth.abs() <= AT_ZERO, self.closed[pair]) {
            (true, true) => f64::MIN_POSITIVE,
            (true, false) => -f64::MIN_POSITIVE,
            (false, _) => depth,
        }
    }

    /// Begins a run at a state: pairs inside each other there are closed, and those that stand at zero without moving. Those among them whose law remembers, and which
    /// nothing is known of.
    pub(super) fn begin(&mut self, t: f64, y: &[f64], impact_speed: &mut [f64]) -> Vec<usize> {
        for pair in 0..self.count() {
            let (depth, rate) = self.of(pair, t, y);
            self.closed[pair] = depth > AT_ZERO || depth >= -AT_ZERO && rate.abs() <= AT_REST;
        }
        for pair in (0..self.count()).filter(|pair| self.is_break(*pair)) {
            match (self.closed[pair], impact_speed[pair] < 0.0) {
                (false, _) => impact_speed[pair] = OPEN,
                (true, true) => impact_speed[pair] = 0.0,
                (true, false) => {}
            }
        }
        let contacts = &self.system.numbers.contacts;
        (0..self.count()).filter(|pair| self.closed[*pair] && contacts.remembers(*pair) && impact_speed[*pair] == 0.0).collect()
    }

    /// Notes a touchdown or lift-off; false for a pair that is closed or open already.
    pub(super) fn change(&mut self, pair: usize, rising: bool) -> bool {
        let news = self.closed[pair] != rising;
        self.closed[pair] = rising;
        if news {
            self.changed.push(pair);
        }
        news
    }

    /// Pairs that are open, stand at zero and approach: they touch down with the one that was located.
    pub(super) fn arriving(&mut self, t: f64, y: &[f64]) -> Vec<usize> {
        let mut list = Vec::new();
        for pair in 0..self.count() {
            let (depth, rate) = self.of(pair, t, y);
            if !self.closed[pair] && (depth > AT_ZERO || depth >= -AT_ZERO && rate > AT_REST) {
                list.push(pair);
            }
        }
        list
    }

    /// Writes what pairs that touched down or lifted off at this state remember from now on.
    pub(super) fn write(&mut self, t: f64, y: &[f64], impact_speed: &mut [f64]) {
        for pair in std::mem::take(&mut self.changed) {
            let (_, rate) = self.of(pair, t, y);
            if self.is_break(pair) {
                impact_speed[pair] = if self.closed[pair] { known(rate) } else { OPEN };
                self.written += usize::from(self.closed[pair] && self.system.numbers.contacts.remembers(pair));
            }
        }
    }
}

/// What laws remember along a prescribed motion, from sample to sample.
pub(super) struct Following<'s> {
    touches: Touches<'s>,
    last: Option<Sample>,
    /// Speed of the first touch of each pair; zero where it is apart, or was touching from the start.
    pub impact_speed: Vec<f64>,
}

impl<'s> Following<'s> {
    /// For a system; nothing where no law remembers.
    pub(super) fn new(system: &'s System) -> Option<Following<'s>> {
        let remembers = system.parts.contacts.any_remembers();
        remembers.then(|| Following {
            touches: Touches { gaps: Gaps::exact(system), ..Touches::new(system) },
            last: None,
            impact_speed: vec![0.0; system.names.pairs.len()],
        })
    }

    /// Goes on to the next sample.
    pub(super) fn advance(&mut self, t: f64, q: &[f64], v: &[f64]) {
        let Following { touches, last, impact_speed } = self;
        touches.gaps.look(touches.system, q, v);
        let now = Sample { t, depth: touches.gaps.depth().to_vec(), rate: touches.gaps.rate().to_vec() };
        if let Some(last) = last {
            for pair in 0..now.depth.len() {
                match (last.depth[pair] > 0.0, now.depth[pair] > 0.0) {
                    (false, true) => {
                        let ends = [(last.depth[pair], last.rate[pair]), (now.depth[pair], now.rate[pair])];
                        impact_speed[pair] = known(slope_at_zero(ends, now.t - last.t));
                    }
                    (true, false) => impact_speed[pair] = 0.0,
                    _ => {}
                }
            }
        }
        *last = Some(now);
    }
}

/// A speed of first touch as it is remembered: zero would say that it is not known. Laws see at least the least speed.
fn known(rate: f64) -> f64 {
    rate.max(f64::MIN_POSITIVE)
}

/// Slope at the zero of the cubic with two values and slopes at the ends of an interval; the first value is not positive, the second is.
fn slope_at_zero([(y0, s0), (y1, s1)]: [(f64, f64); 2], h: f64) -> f64 {
    let (a, b) = (s0 * h, s1 * h);
    let [c3, c2, c1] = [2.0 * (y0 - y1) + a + b, 3.0 * (y1 - y0) - 2.0 * a - b, a];
    let value = |x: f64| y0 + x * (c1 + x * (c2 + x * c3));
    let (mut low, mut high) = (0.0, 1.0);
    // As many halvings as a double has digits.
    for _ in 0..53 {
        let middle = 0.5 * (low + high);
        if value(middle) > 0.0 { high = middle } else { low = middle }
    }
    (c1 + high * (2.0 * c2 + high * 3.0 * c3)) / h
}

#[cfg(test)]
mod tests {
    use super::slope_at_zero;

    #[test]
    fn the_speed_of_a_falling_body_at_touchdown_is_found_between_samples() {
        // Depth of a ball falling from rest 0.1 m over the floor; the cubic has the parabola in it.
        let at = |t: f64| (0.5 * 9.81 * t * t - 0.1, 9.81 * t);
        let speed = slope_at_zero([at(0.1), at(0.2)], 0.1);
        assert!((speed - (2.0_f64 * 9.81 * 0.1).sqrt()).abs() < 1e-12, "{speed}");
    }
}
