//! Runs in which one body goes through another: contacts deeper than the middle of a pair, and contacts whose normal turns round at once.
//! Not here: what the middle of a pair is (`contact::middle` of the engine).
//! In: the start, kept steps, samples of a motion that is given. Out: the first pair that is too deep, with depth and time.
//!
//! A step may pass over the middle: in touch at both of its ends, from one side and from the other. Then the normals at its ends are more than a
//! right angle apart, seen from the second body, and the step is halved on its dense output. Normals of bodies that roll and spin turn through all
//! that lies between, so that both halves come to less than a right angle; where the turn stays however short the piece, it is a jump.

use super::recorder::RowFault;
use borelli_dynamics::System;
use borelli_dynamics::contact::Gaps;
use borelli_dynamics::integrate::Step;
use borelli_dynamics::movement::Layout;
use borelli_math::Vec3;

/// Overlap from which on surfaces are in touch, m: an end of a step at which they touch down or lift off stands at zero up to this.
const IN_TOUCH: f64 = -1e-9;
/// A step is halved this often at most: to its part that rounding leaves of times.
const HALVINGS: usize = 48;
/// Where a jump is looked for between two times: not in the middle, where a symmetric motion is as near to both sides and has no normal.
const PLACE: f64 = 0.47;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Through {
    /// When, s.
    pub t: f64,
    pair: usize,
    /// Overlap there, and that of the middle, m.
    depth: f64,
    middle: f64,
}

/// A pair in touch.
#[derive(Clone, Copy)]
struct Seen {
    t: f64,
    depth: f64,
    middle: f64,
    /// Normal in the axes of the second body.
    normal: Vec3<f64>,
}

impl Seen {
    fn turned(&self, other: &Seen) -> bool {
        self.normal.dot(other.normal) < 0.0
    }

    fn too_deep(&self) -> bool {
        self.depth > self.middle
    }
}

/// Writes the state at a time on the way.
type Between<'b> = &'b mut dyn FnMut(f64, &mut [f64]);

/// Watches the pairs that have a middle.
pub(super) struct MiddleWatch<'s> {
    system: &'s System,
    layout: Layout,
    gaps: Gaps,
    has_middle: Vec<bool>,
    /// Whether any has.
    any: bool,
    /// Each pair when it was last in touch at the end of a step, and those that are so now.
    last: Vec<Option<Seen>>,
    now: Vec<(usize, Seen)>,
    near: Vec<usize>,
    /// Memory for a state between steps.
    y: Vec<f64>,
}

impl<'s> MiddleWatch<'s> {
    pub(super) fn new(system: &'s System, layout: Layout) -> MiddleWatch<'s> {
        let contacts = &system.numbers.contacts;
        let has_middle: Vec<bool> = (0..contacts.pairs.len()).map(|pair| contacts.has_middle(pair)).collect();
        let any = has_middle.contains(&true);
        let (gaps, last, y) = (Gaps::new(system), vec![None; has_middle.len()], vec![0.0; layout.dim()]);
        MiddleWatch { system, layout, gaps, has_middle, any, last, now: Vec::new(), near: Vec::new(), y }
    }

    /// Looks at a state without a step before it: the first of a run, or a sample of a motion that is given.
    pub(super) fn at(&mut self, t: f64, q: &[f64], v: &[f64]) -> Option<Through> {
        if !self.any {
            return None;
        }
        self.survey(t, q, v);
        self.now.iter().for_each(|(pair, seen)| self.last[*pair] = Some(*seen));
        self.now.iter().find(|(_, seen)| seen.too_deep()).map(|(pair, seen)| through(*pair, seen))
    }

    /// Looks at a kept step.
    pub(super) fn note(&mut self, step: &Step) -> Option<Through> {
        self.pass((step.t0, step.t1), step.y, &mut |t, y| step.interpolant.eval(t, y))
    }

    /// Looks at the way from one time, that of the last look, to another, at which the state is `end`; `between` writes those at times on the way.
    pub(super) fn pass(&mut self, (t0, t1): (f64, f64), end: &[f64], between: Between) -> Option<Through> {
        if !self.any {
            return None;
        }
        self.survey(t1, self.layout.q(end), self.layout.v(end));
        let mut first: Option<Through> = None;
        for k in 0..self.now.len() {
            let (pair, now) = self.now[k];
            let before = self.last[pair].filter(|seen| seen.t == t0);
            let found = match before {
                _ if now.too_deep() => Some(self.passing(between, pair, t0, now)),
                Some(before) if before.turned(&now) => self.jump(between, pair, before, now),
                _ => None,
            };
            first = [first, found].into_iter().flatten().min_by(|a, b| a.t.total_cmp(&b.t));
        }
        self.now.iter().for_each(|(pair, seen)| self.last[*pair] = Some(*seen));
        first
    }

    /// Finds the pairs in touch at a state.
    fn survey(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.now.clear();
        self.near.clear();
        let near = self.gaps.near(self.system, [(q, v)], 0.0, 0.0);
        self.near.extend(near.iter().map(|pair| *pair as usize).filter(|pair| self.has_middle[*pair]));
        for k in 0..self.near.len() {
            let pair = self.near[k];
            let seen = self.seen(t, pair);
            self.now.extend(seen.map(|seen| (pair, seen)));
        }
    }

    /// A pair at the state that `gaps` is at; nothing where it is not in touch.
    fn seen(&mut self, t: f64, pair: usize) -> Option<Seen> {
        let contact = self.gaps.meet(self.system, pair)?;
        let in_touch = contact.depth() > IN_TOUCH;
        in_touch.then(|| Seen {
            t,
            depth: contact.depth(),
            middle: self.gaps.middle(self.system, pair, contact.normal),
            normal: self.gaps.in_second(self.system, pair, contact.normal),
        })
    }

    /// A pair between the ends of a step.
    fn between(&mut self, between: Between, pair: usize, t: f64) -> Option<Seen> {
        between(t, &mut self.y);
        self.gaps.place(self.system, self.layout.q(&self.y), self.layout.v(&self.y));
        self.seen(t, pair)
    }

    /// Where a pair passes its middle, between a time at which it has not and one at which it has.
    fn passing(&mut self, between: Between, pair: usize, from: f64, after: Seen) -> Through {
        let (mut a, mut b) = (from, after);
        for _ in 0..HALVINGS {
            let t = 0.5 * (a + b.t);
            match self.between(between, pair, t) {
                Some(seen) if seen.too_deep() => b = seen,
                _ => a = t,
            }
        }
        through(pair, &b)
    }

    /// Where a normal turns round at once, or a pair passes its middle on the way; nothing where the turn is steady, or the surfaces part in between.
    fn jump(&mut self, between: Between, pair: usize, before: Seen, after: Seen) -> Option<Through> {
        let (mut a, mut b) = (before, after);
        for _ in 0..HALVINGS {
            let middle = self.between(between, pair, a.t + PLACE * (b.t - a.t))?;
            if middle.too_deep() {
                return Some(self.passing(between, pair, a.t, middle));
            }
            match (a.turned(&middle), middle.turned(&b)) {
                (true, _) => b = middle,
                (false, true) => a = middle,
                (false, false) => return None,
            }
        }
        Some(through(pair, if a.depth > b.depth { &a } else { &b }))
    }
}

fn through(pair: usize, seen: &Seen) -> Through {
    Through { t: seen.t, pair, depth: seen.depth, middle: seen.middle }
}

impl Through {
    /// Why the run ends, with the contact that is to blame.
    pub(super) fn fault(&self, system: &System) -> RowFault {
        RowFault::Watched { element: format!("contact.{}", system.names.pairs[self.pair]), reason: self.reason(system) }
    }

    fn reason(&self, system: &System) -> String {
        let contacts = &system.numbers.contacts;
        let pair = &contacts.pairs[self.pair];
        let [first, second] = [pair.first, pair.second].map(|surface| &contacts.surfaces[surface as usize].name);
        let [depth, middle] = [self.depth, self.middle].map(super::health::figure);
        let found = if self.depth > self.middle {
            format!(
                "surfaces `{first}` and `{second}` are {depth} m in each other, deeper than the middle of the thinner one, which is at {middle} m: a force at \
                 a point is not meant to hold bodies apart that deep, and further on it pushes them out on the other side"
            )
        } else {
            format!(
                "surfaces `{first}` and `{second}`, {depth} m in each other (the middle of the thinner one is at {middle} m), push to the other side all at \
                 once: one body goes through the other, and energy stored in the contact is lost"
            )
        };
        format!("{found}\n  hint: take a stiffer law, a thicker shape or a lower speed")
    }
}
