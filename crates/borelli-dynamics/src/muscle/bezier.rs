//! Curves made of elbows: quintic Bézier pieces whose curvature vanishes at both ends, straight lines outside.
//! Not here: what a curve means.
//! In: points with slopes. Out: y(x) and its integral; the root of A y(x) + B x = R.
//!
//! An elbow from (x₀, y₀) with slope d₀ to (x₁, y₁) with slope d₁ has the corner C where the two tangents meet, and six control points P₀, A, A, B, B, P₁:
//!
//! ```text
//! x_C = (y₁ − y₀ − x₁ d₁ + x₀ d₀)/(d₀ − d₁)     y_C = y₁ + (x_C − x₁) d₁     A = P₀ + c (C − P₀)     B = P₁ + c (C − P₁)     c = 0.1 + 0.8 curviness    (1)
//! ```
//!
//! The doubled points make y″ vanish at both ends, so that neighbours and the lines outside go on with the second derivative. y(x) is found by solving x(u) = x: cubic
//! pieces of u over 48 even steps of x are off by 1e-4 at most, and the inverse of the series of x(u) up to the cube leaves 1e-15; y follows by its own series about the same
//! u, so that nothing waits for the root. With slopes Newton's method comes before, and the last step carries them. The integral ∫ y dx = ∫ y(u) x′(u) du is a polynomial of
//! degree 10, whose coefficients are kept.
//!
//! Source: Millard, Uchida, Seth & Delp 2013, J Biomech Eng 135:021005, appendix; construction as in OpenSim 4.6. Limits: the corner must lie between the two ends, else the
//! piece is S-shaped; `Elbow::is_bent_once` tells.
//! Tests: `an_elbow_meets_its_ends_with_their_slopes_and_no_curvature`, `every_law_passes_the_loop`, table 7.1 of the curves.

use super::curves::root_between;
use super::pieces::Pieces;
use borelli_math::{Constant, Real};

/// Even steps of x in the table of u.
const STEPS: usize = 48;
/// Even steps of u at which a curve that rises is known.
const NODES: usize = 8;
/// The last step may be so large: its square is below rounding.
const NEAR: f64 = 1e-6;

/// A point of a curve and the slope there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knot<C> {
    pub(super) x: C,
    pub(super) y: C,
    pub(super) slope: C,
}

/// One elbow.
#[derive(Clone, Debug)]
struct Elbow<C> {
    /// Coefficients of x(u) and y(u).
    x: [C; 6],
    y: [C; 6],
    /// Coefficients of the integral of y x′ from u = 0.
    area: [C; 11],
    /// u at even steps of x and its change per step there, and steps per x.
    table: [[f32; 2]; STEPS + 1],
    per_x: f64,
}

/// Elbows one after the other.
#[derive(Clone, Debug)]
pub(super) struct Chain<C, const K: usize> {
    first: Knot<C>,
    last: Knot<C>,
    /// Where each elbow begins.
    begin: [f64; K],
    elbows: [Elbow<C>; K],
    /// Integral from the first knot to where each elbow begins, and to the last knot.
    before: [C; K],
    whole: C,
}

/// A polynomial by Horner's rule.
#[inline(always)]
fn polynomial<C: Real, const N: usize>(coefficients: &[C; N], u: f64) -> C {
    let mut sum = coefficients[N - 1];
    for c in coefficients[..N - 1].iter().rev() {
        sum = sum * u + *c;
    }
    sum
}

/// Value and slope of a polynomial without regard to slopes of its coefficients.
#[inline(always)]
fn with_slope<C: Real, const N: usize>(coefficients: &[C; N], u: f64) -> [f64; 2] {
    let (mut value, mut slope) = (coefficients[N - 1].value(), 0.0);
    for c in coefficients[..N - 1].iter().rev() {
        slope = slope * u + value;
        value = value * u + c.value();
    }
    [value, slope]
}

/// Terms of the series of a polynomial about u up to the cube, without regard to slopes of its coefficients.
#[inline(always)]
fn series<C: Real, const N: usize>(coefficients: &[C; N], u: f64) -> [f64; 4] {
    let mut terms = [coefficients[N - 1].value(), 0.0, 0.0, 0.0];
    for c in coefficients[..N - 1].iter().rev() {
        terms = [terms[0] * u + c.value(), terms[1] * u + terms[0], terms[2] * u + terms[1], terms[3] * u + terms[2]];
    }
    terms
}

/// How far the zero of a series is, by the inverse series up to the cube.
#[inline(always)]
fn inverse([value, slope, square, cube]: [f64; 4]) -> f64 {
    let inverse = 1.0 / slope;
    let (e, b2, b3) = (-value * inverse, square * inverse, cube * inverse);
    e * (1.0 - e * (b2 - e * (2.0 * b2 * b2 - b3)))
}

/// Coefficients of the Bézier polynomial with control points P₀, A, A, B, B, P₁.
fn coefficients<C: Real>(p0: C, a: C, b: C, p1: C) -> [C; 6] {
    let (a, b, p1) = (a - p0, b - p0, p1 - p0);
    [p0, a * 5.0, a * -10.0, b * 10.0, (a * 2.0 - b * 3.0) * 5.0, p1 + (b - a) * 5.0]
}

impl<C: Real> Elbow<C> {
    /// Equation (1).
    fn corner(from: Knot<C>, to: Knot<C>) -> [C; 2] {
        let x = (to.y - from.y - to.x * to.slope + from.x * from.slope) / (from.slope - to.slope);
        [x, to.y + (x - to.x) * to.slope]
    }

    fn new(from: Knot<C>, to: Knot<C>, curviness: C) -> Self {
        let [xc, yc] = Elbow::corner(from, to);
        let c = curviness * 0.8 + 0.1;
        let x = coefficients(from.x, from.x + c * (xc - from.x), to.x + c * (xc - to.x), to.x);
        let y = coefficients(from.y, from.y + c * (yc - from.y), to.y + c * (yc - to.y), to.y);
        let mut area = [C::ZERO; 11];
        for (i, y) in y.iter().enumerate() {
            for (j, x) in x.iter().enumerate().skip(1) {
                area[i + j] += *y * *x * (j as f64 / (i + j) as f64);
            }
        }
        let (begin, end) = (from.x.value(), to.x.value());
        let mut table = [[0.0; 2]; STEPS + 1];
        let step = (end - begin) / STEPS as f64;
        for (k, entry) in table.iter_mut().enumerate() {
            let share = k as f64 / STEPS as f64;
            let wanted = begin + share * (end - begin);
            let u = root_between([0.0, 1.0], share, |u| {
                let [value, slope] = with_slope(&x, u);
                [value - wanted, slope]
            });
            *entry = [u as f32, (step / with_slope(&x, u)[1]) as f32];
        }
        Elbow { x, y, area, table, per_x: step.recip() }
    }

    /// u at x but for the last step.
    #[inline(always)]
    fn near(&self, x: f64, steps: usize) -> f64 {
        let at = (x - self.x[0].value()) * self.per_x;
        let k = (at as usize).min(STEPS - 1);
        let (h, [[u0, d0], [u1, d1]]) = (at - k as f64, [self.table[k], self.table[k + 1]].map(|entry| entry.map(f64::from)));
        let rise = u1 - u0;
        let mut u = u0 + h * (d0 + h * (3.0 * rise - 2.0 * d0 - d1 + h * (d0 + d1 - 2.0 * rise)));
        for _ in 0..steps {
            let [value, slope] = with_slope(&self.x, u);
            u -= (value - x) / slope;
        }
        u
    }

    /// The last step from u to where x(u) is x.
    #[inline(always)]
    fn last<S: Real>(&self, x: S, u: f64) -> S
    where
        C: Constant<S>,
    {
        let left = polynomial(&self.x, u).lift() - x;
        let terms = series(&self.x, u);
        // What carries slopes stands at the root already.
        if S::PLAIN { S::from_f64(inverse([left.value(), terms[1], terms[2], terms[3]])) } else { left * (-1.0 / terms[1]) }
    }

    /// A polynomial of u a small step further.
    #[inline(always)]
    fn moved<S: Real, const N: usize>(coefficients: &[C; N], u: f64, step: S) -> S
    where
        C: Constant<S>,
    {
        let [_, slope, square, cube] = series(coefficients, u);
        polynomial(coefficients, u).lift() + step * (step * (step * cube + square) + slope)
    }
}

impl<C: Real, const K: usize> Chain<C, K> {
    /// Elbows from knot to knot, each with its curviness.
    ///
    /// # Panics
    /// Where there is not one knot more than elbows.
    pub(super) fn new(knots: &[Knot<C>], curviness: [C; K]) -> Self {
        assert_eq!(knots.len(), K + 1, "a knot at each end of each elbow");
        let elbows: [Elbow<C>; K] = std::array::from_fn(|k| Elbow::new(knots[k], knots[k + 1], curviness[k]));
        let mut whole = C::ZERO;
        let before = std::array::from_fn(|k| {
            let here = whole;
            whole += polynomial_of_one(&elbows[k].area);
            here
        });
        Chain { first: knots[0], last: knots[K], begin: std::array::from_fn(|k| knots[k].x.value()), elbows, before, whole }
    }

    /// Whether each elbow turns one way only: its corner lies between its ends.
    pub(super) fn is_bent_once(knots: &[Knot<C>]) -> bool {
        knots.windows(2).all(|pair| {
            let [xc, _] = Elbow::corner(pair[0], pair[1]);
            xc.value() > pair[0].x.value() && xc.value() < pair[1].x.value()
        })
    }

    /// Makes polynomials of x of the curve; `KNOTS` is K + 1.
    pub(super) fn cut<const KNOTS: usize, const STRETCHES: usize>(&self, pieces: &mut Pieces<KNOTS, STRETCHES>) {
        let line = |knot: &Knot<C>| [knot.y.value(), knot.slope.value()];
        let knots = std::array::from_fn(|k| self.begin.get(k).copied().unwrap_or(self.last.x.value()));
        pieces.fill(knots, [line(&self.first), line(&self.last)], |x| self.value(x));
    }

    /// y at x, without regard to slopes.
    fn value(&self, x: f64) -> f64 {
        let elbow = &self.elbows[self.elbow(x)];
        let u = elbow.near(x, 2);
        with_slope(&elbow.y, u)[0]
    }

    /// The elbow that holds x, which lies between the first knot and the last.
    #[inline(always)]
    fn elbow(&self, x: f64) -> usize {
        self.begin[1..].iter().map(|begin| usize::from(x >= *begin)).sum()
    }

    /// y at x.
    #[inline]
    pub(super) fn at<S: Real>(&self, x: S) -> S
    where
        C: Constant<S>,
    {
        if let Some(knot) = self.beyond(x.value()) {
            return knot.y.lift() + knot.slope.times(x - knot.x.lift());
        }
        let elbow = &self.elbows[self.elbow(x.value())];
        let u = elbow.near(x.value(), if S::PLAIN { 0 } else { 2 });
        Elbow::moved(&elbow.y, u, elbow.last(x, u))
    }

    /// The integral of y from the first knot to x.
    #[inline]
    pub(super) fn area<S: Real>(&self, x: S) -> S
    where
        C: Constant<S>,
    {
        if let Some(knot) = self.beyond(x.value()) {
            let reached = if x.value() < self.first.x.value() { C::ZERO } else { self.whole };
            let step = x - knot.x.lift();
            return reached.lift() + (knot.y.lift() + knot.slope.times(step) * 0.5) * step;
        }
        let k = self.elbow(x.value());
        let elbow = &self.elbows[k];
        let u = elbow.near(x.value(), if S::PLAIN { 0 } else { 2 });
        self.before[k].lift() + Elbow::moved(&elbow.area, u, elbow.last(x, u))
    }

    /// The knot whose line goes on at x, where x lies outside. What is not a number is outside.
    #[inline(always)]
    fn beyond(&self, x: f64) -> Option<Knot<C>> {
        if x < self.first.x.value() {
            return Some(self.first);
        }
        if x < self.last.x.value() { None } else { Some(self.last) }
    }
}

/// A curve that nowhere falls, with values at even steps of u.
#[derive(Clone, Debug)]
pub(super) struct Rising<C, const K: usize> {
    pub(super) chain: Chain<C, K>,
    /// x and y of the knots.
    knots: [[[f64; 2]; K]; 2],
    nodes: [[[f64; 2]; NODES + 1]; K],
}

impl<C: Real, const K: usize> Rising<C, K> {
    pub(super) fn new(chain: Chain<C, K>) -> Self {
        let at = |elbow: &Elbow<C>, u: f64| [&elbow.x, &elbow.y].map(|own| polynomial(own, u).value());
        let nodes = std::array::from_fn(|k| std::array::from_fn(|node| at(&chain.elbows[k], node as f64 / NODES as f64)));
        let knots = [0.0, 1.0].map(|u| std::array::from_fn(|k| at(&chain.elbows[k], u)));
        Rising { chain, knots, nodes }
    }

    /// The x at which scale·y(x) + linear·x = load, with scale ≥ 0 and linear ≥ 0: one root.
    ///
    /// In an elbow both terms are polynomials of u, so that u is the unknown and the curve need not be inverted first. Between two nodes the search begins on the
    /// chord, with the inverse series up to the cube; where that is not enough, Newton's method goes on.
    #[inline]
    pub(super) fn balance<S: Real>(&self, scale: S, linear: S, load: S) -> S
    where
        C: Constant<S>,
    {
        let sum = |[x, y]: [f64; 2]| scale.value() * y + linear.value() * x - load.value();
        let outside = |knot: &Knot<C>| {
            let constant = knot.y.lift() - knot.slope.times(knot.x.lift());
            (load - scale * constant) / (knot.slope.times(scale) + linear)
        };
        let [begin, end] = &self.knots;
        if sum(begin[0]) > 0.0 {
            return outside(&self.chain.first);
        }
        // Written so that what is not a number goes on as such.
        if !(sum(end[K - 1]) > 0.0) {
            return outside(&self.chain.last);
        }
        let k: usize = begin[1..].iter().map(|knot| usize::from(sum(*knot) <= 0.0)).sum();
        let elbow = &self.chain.elbows[k];
        let nodes = &self.nodes[k];
        let node: usize = nodes[1..NODES].iter().map(|node| usize::from(sum(*node) <= 0.0)).sum();
        let [below, above] = [sum(nodes[node]), sum(nodes[node + 1])];
        let mut u = (node as f64 + below / (below - above)) * (1.0 / NODES as f64);
        let mut both = [0.0; 6];
        for (sum, (x, y)) in both.iter_mut().zip(elbow.x.iter().zip(&elbow.y)) {
            *sum = scale.value() * y.value() + linear.value() * x.value();
        }
        both[0] -= load.value();
        u += inverse(series(&both, u));
        let [mut value, mut slope] = with_slope(&both, u);
        if !(value.abs() <= NEAR * slope.abs()) || !S::PLAIN {
            u = root_between([0.0, 1.0], (node as f64 + 0.5) * (1.0 / NODES as f64), |u| with_slope(&both, u));
            [value, slope] = with_slope(&both, u);
        }
        if S::PLAIN {
            let [x, along] = with_slope(&elbow.x, u);
            return S::from_f64(x - along * (value / slope));
        }
        // One more step, which carries slopes: by the implicit function theorem they are those of the root.
        let left = scale * polynomial(&elbow.y, u).lift() + linear * polynomial(&elbow.x, u).lift() - load;
        Elbow::moved(&elbow.x, u, left * (-1.0 / slope))
    }
}

/// A polynomial at one: the sum of its coefficients.
fn polynomial_of_one<C: Real, const N: usize>(coefficients: &[C; N]) -> C {
    coefficients.iter().fold(C::ZERO, |sum, c| sum + *c)
}
