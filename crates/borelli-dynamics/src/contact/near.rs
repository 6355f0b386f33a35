//! The broad phase: which pairs of surfaces may touch, by where their surfaces are and how far they reach.
//! Not here: where they touch (`press`, `patch`).
//! In: a scene. Out: a list of pairs, in the order of the model; all others are certainly apart.
//!
//! A bounded surface lies in a ball about its centre. Balls are sorted by their lower ends along one axis and swept, so that a ball is asked of those
//! only which it meets on that axis; each half-space is asked of the balls it is paired with:
//!
//!     |c₁ − c₂| ≤ r₁ + r₂        n·c − h ≤ r                                                          (1)
//!
//! Balls are larger than their surfaces by a margin that is far above rounding. Values decide, never slopes, so that over any scalar the same pairs
//! are looked at. What is no number is near everything: who looks at it finds out.
//!
//! Test: `pairs_that_are_left_out_would_have_done_nothing`.

use super::{Contacts, Surface, press};
use crate::scene::Scene;
use borelli_contact::shape::{Shape, Surface as _};
use borelli_math::{Constant, Real, Vec3};

/// By what a ball is larger than its surface, m and part of its radius.
const MARGIN: f64 = 1e-9;
const PART: f64 = 1e-6;
/// Times as far as a surface comes at the speed it has that it may come within a step.
const CAUTION: f64 = 2.0;

/// Pairs by their surfaces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partners {
    /// Bounded surfaces that are paired with bounded ones.
    swept: Vec<u32>,
    /// Of each surface those bounded ones that come after it in the list of surfaces and are paired with it, in increasing order, with their pairs.
    later: Vec<(u32, u32)>,
    /// First of these of each surface, and one past the last.
    start: Vec<u32>,
    /// Pairs with a half-space, by half-space.
    flat: Vec<u32>,
}

impl Partners {
    /// Sorts the pairs of a model.
    pub(crate) fn new<N>(contacts: &Contacts<N>) -> Partners {
        let Contacts { surfaces, pairs, .. } = contacts;
        let is_flat = |pair: u32| matches!(surfaces[pairs[pair as usize].second as usize].item.shape, Shape::HalfSpace(_));
        let (mut flat, curved): (Vec<u32>, Vec<u32>) = (0..pairs.len() as u32).partition(|pair| is_flat(*pair));
        flat.sort_unstable_by_key(|pair| (pairs[*pair as usize].second, *pair));
        let ends = |pair: u32| {
            let super::Pair { first, second, .. } = pairs[pair as usize];
            (first.min(second), first.max(second))
        };
        let mut sorted: Vec<(u32, u32, u32)> = curved.iter().map(|pair| (ends(*pair).0, ends(*pair).1, *pair)).collect();
        sorted.sort_unstable();
        let mut start = vec![0; surfaces.len() + 1];
        sorted.iter().for_each(|(earlier, ..)| start[*earlier as usize + 1] += 1);
        (1..start.len()).for_each(|k| start[k] += start[k - 1]);
        let mut swept: Vec<u32> = sorted.iter().flat_map(|(earlier, later, _)| [*earlier, *later]).collect();
        swept.sort_unstable();
        swept.dedup();
        Partners { swept, later: sorted.into_iter().map(|(_, later, pair)| (later, pair)).collect(), start, flat }
    }

    /// The pair of two bounded surfaces, if they are one.
    #[inline]
    fn pair(&self, one: u32, other: u32) -> Option<u32> {
        let (earlier, later) = (one.min(other), one.max(other));
        let list = &self.later[self.start[earlier as usize] as usize..self.start[earlier as usize + 1] as usize];
        // Where a surface is paired with all that follow, as in a set against itself, the place is known.
        let guess = later.checked_sub(list.first()?.0)? as usize;
        match list.get(guess) {
            Some((surface, pair)) if *surface == later => Some(*pair),
            _ => list.binary_search_by_key(&later, |(surface, _)| *surface).ok().map(|place| list[place].1),
        }
    }
}

/// A ball round a surface.
#[derive(Clone, Copy, Debug)]
struct Ball {
    surface: u32,
    centre: Vec3<f64>,
    radius: f64,
    /// Ends along the axis that is swept.
    low: f64,
    high: f64,
}

/// Memory of the search, and what it found.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// By surface that is swept.
    balls: Vec<Ball>,
    /// Pairs that were found, a bit for each.
    marked: Vec<u64>,
    /// The same as a list.
    list: Vec<u32>,
}

impl Near {
    /// For the pairs of a model.
    pub(super) fn new<N>(contacts: &Contacts<N>) -> Near {
        let pairs = contacts.pairs.len();
        Near {
            balls: Vec::with_capacity(contacts.partners.swept.len()),
            marked: vec![0; pairs.div_ceil(64)],
            list: Vec::with_capacity(pairs),
        }
    }

    /// Pairs that may touch, in increasing order.
    pub(super) fn list(&self) -> &[u32] {
        &self.list
    }

    /// Lists all pairs.
    pub(super) fn take_all(&mut self, pairs: usize) {
        self.list.clear();
        self.list.extend(0..pairs as u32);
    }

    /// Finds the pairs that may touch in a scene.
    pub(super) fn find<S: Real, C: Constant<S>>(&mut self, contacts: &Contacts<C>, scene: &Scene<S, C>) {
        self.mark(contacts, scene, 0.0, 0.0);
        self.collect();
    }

    /// Marks the pairs that may come within `margin` of each other in a scene, or within the time `ahead` of it, s. Speeds are taken to double at most.
    pub(super) fn mark<S: Real, C: Constant<S>>(&mut self, contacts: &Contacts<C>, scene: &Scene<S, C>, margin: f64, ahead: f64) {
        let Contacts { surfaces, partners, .. } = contacts;
        self.mark_flat(contacts, scene, margin, ahead);
        self.balls.clear();
        let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut known = true;
        for &surface in &partners.swept {
            let ball = ball(scene, surface, &surfaces[surface as usize].item, margin, ahead);
            known &= ball.centre.dot(ball.centre).is_finite() && ball.radius.is_finite();
            for (k, x) in ball.centre.to_array().into_iter().enumerate() {
                (least[k], most[k]) = (least[k].min(x), most[k].max(x));
            }
            self.balls.push(ball);
        }
        if !known {
            partners.later.iter().for_each(|(_, pair)| set(&mut self.marked, *pair));
            return;
        }
        // Along the axis on which they are spread most, the fewest meet.
        let spread = |k: &usize| most[*k] - least[*k];
        let axis = (0..3).max_by(|a, b| spread(a).total_cmp(&spread(b))).unwrap_or(0);
        for ball in &mut self.balls {
            let x = ball.centre.to_array()[axis];
            (ball.low, ball.high) = (x - ball.radius, x + ball.radius);
        }
        self.balls.sort_unstable_by(|a, b| a.low.total_cmp(&b.low).then(a.surface.cmp(&b.surface)));
        for (k, one) in self.balls.iter().enumerate() {
            for other in self.balls[k + 1..].iter().take_while(|other| other.low <= one.high) {
                let (line, reach) = (one.centre - other.centre, one.radius + other.radius);
                if line.dot(line) <= reach * reach
                    && let Some(pair) = partners.pair(one.surface, other.surface)
                {
                    set(&mut self.marked, pair);
                }
            }
        }
    }

    /// The same for pairs with a half-space.
    fn mark_flat<S: Real, C: Constant<S>>(&mut self, contacts: &Contacts<C>, scene: &Scene<S, C>, margin: f64, ahead: f64) {
        let Contacts { surfaces, pairs, partners, .. } = contacts;
        let mut last = None;
        for &pair in &partners.flat {
            let super::Pair { first, second, .. } = pairs[pair as usize];
            let plane = &surfaces[second as usize].item;
            let (n, height) = match last {
                Some((own, n, height)) if own == second => (n, height),
                _ => {
                    let Shape::HalfSpace(half_space) = &plane.shape else { continue };
                    let (n, height) = press::plane(scene, plane, half_space);
                    (n.values(), height.value())
                }
            };
            last = Some((second, n, height));
            let ball = ball(scene, first, &surfaces[first as usize].item, margin, ahead);
            // A half-space on a body turns with it.
            let carried =
                if ahead > 0.0 { CAUTION * ahead * press::velocity(scene, plane, Vec3::lift(ball.centre)).values().norm() } else { 0.0 };
            let apart = n.dot(ball.centre) - height > ball.radius + carried;
            if !apart {
                set(&mut self.marked, pair);
            }
        }
    }

    /// Lists what was marked, and marks nothing.
    pub(super) fn collect(&mut self) {
        self.list.clear();
        for (k, word) in self.marked.iter_mut().enumerate() {
            let mut rest = std::mem::take(word);
            while rest != 0 {
                self.list.push(64 * k as u32 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }
}

#[inline]
fn set(marked: &mut [u64], pair: u32) {
    marked[pair as usize / 64] |= 1 << (pair % 64);
}

/// The ball round a surface that is no half-space.
#[inline]
fn ball<S: Real, C: Constant<S>>(scene: &Scene<S, C>, index: u32, surface: &Surface<C>, margin: f64, ahead: f64) -> Ball {
    let own = if let Shape::Smooth(smooth) = &surface.shape { smooth.bounding_radius() } else { 0.0 };
    let point = scene.point(surface.place);
    let moved = if ahead > 0.0 { CAUTION * ahead * point.v_W.values().norm() } else { 0.0 };
    let radius = own * (1.0 + PART) + MARGIN + margin + moved;
    Ball { surface: index, centre: point.p_W.values(), radius, low: 0.0, high: 0.0 }
}
