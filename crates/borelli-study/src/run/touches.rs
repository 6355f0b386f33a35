//! Touchdown and lift-off of pairs of surfaces: zeros of their overlap, and the speed of the first touch that some laws remember.
//! Not here: locating zeros of a simulated motion (`integrate::events`); what laws make of the speed.
//! In: states along a motion. Out: overlaps and their rates; speeds to remember.
//!
//! A simulation ends a stretch where a pair touches down or lifts off, so that no step passes over a touch. Where the law remembers or jumps there, the pair is held open
//! until then, also at trial states beyond the touchdown (`Touch::HeldOpen`), and the next stretch begins with the speed known. Along a
//! prescribed motion touchdown lies between two samples (`touchdown`).
//!
//! Only touchdown and lift-off change what is remembered of a pair. Several pairs may do so at one instant, of which one is located; the others stand at zero up to rounding,
//! on either side of it. A stretch that began with a pair on the side that it is not remembered on would never see it pass: so wherever a stretch ends, every pair is held
//! against the state (`in_passing`), and those that are about to pass zero, or have just done so, pass with the one that was located.

use super::touchdown::speed_of_touchdown;
use crate::plan::Touchdown;
use borelli_contact::friction::Friction;
use borelli_contact::normal;
use borelli_dynamics::contact::{Gaps, NormalLaw};
use borelli_dynamics::memory::{AT_ZERO, Touch};
use borelli_dynamics::{Memory, System};

/// Speed up to which a pair does not move, m/s: rounding of speeds of some metres per second.
const AT_REST: f64 = 1e-12;

/// Speed from which on a pair at zero passes with one that was located, m/s. The speed of a slower one may be an error of the dense output; it is located by itself
/// when it has left zero.
const PASSING: f64 = 1e-3;

/// Depth up to which a correction of the state may have moved a pair across zero, m: far above what projections do, far below what can be seen.
const CORRECTED: f64 = 1e-6;

/// Pairs of surfaces along a motion.
pub(super) struct Touches<'s> {
    system: &'s System,
    gaps: Gaps,
    /// The state that is looked at, coordinates and velocities, and its time.
    state: Vec<f64>,
    state_at: f64,
    /// Whether `gaps` is at that state, how many were looked at before it, and what was found of each pair at which of them.
    placed: bool,
    looks: u64,
    seen: Vec<(u64, f64, f64)>,
    /// Whether the equation of motion changes where a pair touches down and lifts off.
    breaks: Vec<bool>,
    /// What is remembered of each pair.
    touch: Vec<Touch>,
    /// Pairs that touched down since their speeds were asked for last.
    arrived: Vec<usize>,
    /// Pairs that have changed and have not been seen on their side of zero since.
    settling: Vec<bool>,
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
        let pairs = system.names.pairs.len();
        Touches {
            system,
            gaps: Gaps::new(system),
            state: Vec::new(),
            state_at: f64::NAN,
            placed: false,
            looks: 1,
            seen: vec![(0, 0.0, 0.0); pairs],
            breaks: (0..pairs).map(|pair| is_break(system, pair)).collect(),
            touch: vec![Touch::Open; pairs],
            arrived: Vec::new(),
            settling: vec![false; pairs],
            written: 0,
        }
    }

    /// How many pairs there are.
    pub(super) fn count(&self) -> usize {
        self.system.names.pairs.len()
    }

    /// What is remembered of each pair; the speeds of touchdowns since the last call are those of this state.
    pub(super) fn remembered(&mut self, t: f64, y: &[f64]) -> &[Touch] {
        self.look(t, y);
        for pair in std::mem::take(&mut self.arrived) {
            let (_, rate) = self.of(pair);
            if self.touch[pair].is_touching() {
                self.touch[pair] = Touch::at(rate.max(0.0));
            }
        }
        &self.touch
    }

    /// Goes to a state.
    pub(super) fn look(&mut self, t: f64, y: &[f64]) {
        let state = &y[..self.system.skeleton.coords() + self.system.skeleton.dofs()];
        if self.state_at != t || self.state != state {
            self.state.clear();
            self.state.extend_from_slice(state);
            self.state_at = t;
            self.placed = false;
            self.looks += 1;
        }
    }

    /// Overlap of a pair and its rate at the state it is at, m and m/s.
    pub(super) fn of(&mut self, pair: usize) -> (f64, f64) {
        if !self.placed {
            let (q, v) = self.state.split_at(self.system.skeleton.coords());
            self.gaps.place(self.system, q, v);
            self.placed = true;
        }
        if self.seen[pair].0 != self.looks {
            let (depth, rate) = self.gaps.of(self.system, pair);
            self.seen[pair] = (self.looks, depth, rate);
        }
        (self.seen[pair].1, self.seen[pair].2)
    }

    /// Pairs that may pass zero between two states, in increasing order.
    pub(super) fn choose(&mut self, ends: [(f64, &[f64]); 2]) -> &[u32] {
        let (coords, dofs) = (self.system.skeleton.coords(), self.system.skeleton.dofs());
        let states = ends.map(|(_, y)| (&y[..coords], &y[coords..coords + dofs]));
        self.placed = false;
        self.gaps.near(self.system, states, 0.0, (ends[1].0 - ends[0].0).abs())
    }

    /// Overlap and rate of every pair at a state, of pairs further apart than what a correction may do only that they are apart.
    fn survey(&mut self, t: f64, y: &[f64]) -> Vec<(f64, f64)> {
        self.look(t, y);
        let mut all = vec![(f64::NEG_INFINITY, 0.0); self.count()];
        let (q, v) = self.state.split_at(self.system.skeleton.coords());
        let near = self.gaps.near(self.system, [(q, v)], CORRECTED, 0.0).to_vec();
        self.placed = true;
        near.into_iter().for_each(|pair| all[pair as usize] = self.of(pair as usize));
        all
    }

    /// Overlap whose zeros are touchdown and lift-off. A pair that stands at zero is on the side it is said to be on, so that it arrives when it leaves zero.
    pub(super) fn side(&mut self, pair: usize) -> f64 {
        let (depth, _) = self.of(pair);
        match (depth.abs() <= AT_ZERO, self.touch[pair].is_touching()) {
            (true, true) => f64::MIN_POSITIVE,
            (true, false) => -f64::MIN_POSITIVE,
            (false, _) => depth,
        }
    }

    /// Begins a run at a state: pairs inside each other there touch, and those that stand at zero without moving. Those among them whose law remembers, and which
    /// nothing is known of.
    ///
    /// Near zero the state alone does not tell whether a touchdown is still to come or has been counted by the run that this one goes on from (`resumed`): there what that
    /// run remembered counts. A pair that is not on its side of zero may be so by a correction of the state, or be about to pass; `in_passing` tells which.
    pub(super) fn begin(&mut self, t: f64, y: &[f64], known: &[Touch], resumed: bool) -> Vec<usize> {
        for (pair, (depth, rate)) in self.survey(t, y).into_iter().enumerate() {
            let touching = depth > AT_ZERO || depth >= -AT_ZERO && rate.abs() <= AT_REST;
            let near = resumed && depth.abs() <= CORRECTED;
            self.settling[pair] = near;
            self.touch[pair] = match known[pair] {
                touch @ Touch::Touching { .. } if near => touch,
                _ if near => self.apart(pair),
                touch @ Touch::Touching { .. } if touching => touch,
                _ if touching => Touch::Touching { speed: None },
                _ => self.apart(pair),
            };
        }
        let unknown = |pair: &usize| self.touch[*pair] == Touch::Touching { speed: None } && self.system.numbers.contacts.remembers(*pair);
        (0..self.count()).filter(unknown).collect()
    }

    /// What is remembered of a pair that is apart.
    fn apart(&self, pair: usize) -> Touch {
        if self.breaks[pair] { Touch::HeldOpen } else { Touch::Open }
    }

    /// Remembers a touchdown or lift-off; false for a pair of which that is known already.
    pub(super) fn change(&mut self, pair: usize, rising: bool) -> bool {
        let news = self.touch[pair].is_touching() != rising;
        if rising {
            // Anew also where the pair was known to touch: it had come apart by what a correction of the state makes.
            self.touch[pair] = Touch::Touching { speed: None };
            self.arrived.push(pair);
        } else {
            self.touch[pair] = self.apart(pair);
        }
        self.settling[pair] |= news;
        self.written += usize::from(news && rising && self.system.numbers.contacts.remembers(pair));
        news
    }

    /// Pairs that touch down (true) or lift off (false) at a state where a stretch ends, beside those that were located: they are not on the side of zero that they are
    /// remembered on, or stand at zero and leave that side at speed. A pair that has just changed may lie beyond zero by what a correction of the state makes, if it comes back.
    pub(super) fn in_passing(&mut self, t: f64, y: &[f64]) -> Vec<(usize, bool)> {
        let mut list = Vec::new();
        for (pair, (depth, rate)) in self.survey(t, y).into_iter().enumerate() {
            let touching = self.touch[pair].is_touching();
            // Both as seen from the side that the pair is on.
            let (inside, inwards) = if touching { (depth, rate) } else { (-depth, -rate) };
            let beyond = inside < -AT_ZERO;
            if beyond && self.settling[pair] && inwards > 0.0 {
                continue;
            }
            self.settling[pair] = false;
            if beyond || inside <= AT_ZERO && inwards < -PASSING {
                list.push((pair, !touching));
            }
        }
        list
    }
}

/// Whether the equation of motion changes at touchdown and lift-off of a pair, so that no step may pass over it: the law remembers, or jumps.
pub(super) fn is_break(system: &System, pair: usize) -> bool {
    let contacts = &system.numbers.contacts;
    let manner = contacts.manner(pair);
    // What acts without any depth or normal force to speak of begins at once.
    let at_once = |force: f64| force.abs() > 1e-9;
    let touch = normal::Touch { depth: f64::MIN_POSITIVE, rate: 1.0, impact_speed: 1.0 };
    let damper = matches!(&manner.normal, NormalLaw::Point(law) if at_once(law.push(touch).force));
    let speeds = [1e-3, 1e-1, 1e1, 1e3];
    let drag = |law: &Friction<f64>| speeds.iter().any(|v| at_once(law.drag(*v, f64::MIN_POSITIVE).force));
    contacts.remembers(pair) || damper || manner.friction.as_ref().is_some_and(drag)
}

/// What laws remember along a prescribed motion, from sample to sample.
pub(super) struct Following<'s> {
    touches: Touches<'s>,
    last: Option<Sample>,
    rule: Touchdown,
    /// What is remembered of each pair.
    pub memory: Memory,
}

impl<'s> Following<'s> {
    /// For a system; nothing where no law remembers.
    pub(super) fn new(system: &'s System, rule: Touchdown) -> Option<Following<'s>> {
        let remembers = system.parts.contacts.any_remembers();
        remembers.then(|| Following {
            touches: Touches { gaps: Gaps::exact(system), ..Touches::new(system) },
            last: None,
            rule,
            memory: Memory::new(system.names.rows.len(), system.names.pairs.len()),
        })
    }

    /// Goes on to the next sample.
    pub(super) fn advance(&mut self, t: f64, q: &[f64], v: &[f64]) {
        let Following { touches, last, rule, memory } = self;
        touches.gaps.look(touches.system, q, v);
        let now = Sample { t, depth: touches.gaps.depth().to_vec(), rate: touches.gaps.rate().to_vec() };
        if let Some(last) = last {
            for pair in 0..now.depth.len() {
                match (last.depth[pair] > 0.0, now.depth[pair] > 0.0) {
                    (false, true) => {
                        let ends = [(last.depth[pair], last.rate[pair]), (now.depth[pair], now.rate[pair])];
                        memory.touch[pair] = Touch::at(speed_of_touchdown(*rule, ends, now.t - last.t).max(0.0));
                    }
                    (true, false) => memory.touch[pair] = Touch::Open,
                    _ => {}
                }
            }
        }
        *last = Some(now);
    }
}
