//! A chain of elbows over plain numbers, as polynomials of its abscissa: the fast way to y(x).
//! Not here: the chain itself, slopes and integrals (`bezier`).
//! In: a curve with its knots. Out: y(x) without a branch, or nothing where polynomials are not as good as the chain.
//!
//! Each elbow is cut into even pieces of x, and on each y is the polynomial of degree seven through the Chebyshev points of the piece. The lines outside are
//! pieces too, so that nothing is asked but which elbow holds x. Curves are nowhere negative. Sharp elbows need many pieces: with 128 the published curves
//! are met to 7e-14. Whether they are is looked at halfway between Chebyshev points, where interpolation is off most; a curve that is sharper goes without.
//! Tests: `pieces_are_the_curve_they_were_made_of`, `a_curve_too_sharp_for_pieces_is_left_to_itself`.

use borelli_math::Real;
use std::f64::consts::PI;
use std::fmt;

/// Pieces of an elbow.
const PIECES: usize = 128;
/// Coefficients of a piece: eight fill a line of the cache.
const TERMS: usize = 8;
/// Pieces that are off by more are not used.
const GOOD: f64 = 1e-13;

/// Where pieces of one elbow or line are.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    begin: f64,
    per_x: f64,
    first: u32,
    last: i32,
}

/// A curve with `K` elbows, `KNOTS` = K + 1 knots and `STRETCHES` = K + 2 stretches, the two lines counted.
#[derive(Clone)]
pub(super) struct Pieces<const KNOTS: usize, const STRETCHES: usize> {
    knots: [f64; KNOTS],
    stretches: [Stretch; STRETCHES],
    /// Coefficients by powers of the distance from the middle of the piece, in pieces.
    pieces: Vec<[f64; TERMS]>,
    /// Whether they are as good as the curve.
    good: bool,
}

impl<const KNOTS: usize, const STRETCHES: usize> fmt::Debug for Pieces<KNOTS, STRETCHES> {
    /// All numbers follow from the curve; their sum is enough to tell two curves apart.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum: f64 = self.pieces.iter().flatten().sum();
        f.debug_struct("Pieces").field("knots", &self.knots).field("good", &self.good).field("sum", &sum).finish()
    }
}

impl<const KNOTS: usize, const STRETCHES: usize> Pieces<KNOTS, STRETCHES> {
    /// Memory for pieces.
    pub(super) fn empty() -> Self {
        let none = Stretch { begin: 0.0, per_x: 1.0, first: 0, last: 0 };
        let pieces = Vec::with_capacity(2 + (KNOTS - 1) * PIECES);
        Pieces { knots: [0.0; KNOTS], stretches: [none; STRETCHES], pieces, good: false }
    }

    /// Makes pieces of a curve with its knots, and lines with a value and a slope outside. Allocates nothing.
    pub(super) fn fill(&mut self, knots: [f64; KNOTS], lines: [[f64; 2]; 2], curve: impl Fn(f64) -> f64) {
        self.knots = knots;
        self.pieces.clear();
        self.good = true;
        for (k, stretch) in self.stretches.iter_mut().enumerate() {
            let first = self.pieces.len() as u32;
            let line = if k == 0 { Some((knots[0], lines[0])) } else { (k == KNOTS).then(|| (knots[KNOTS - 1], lines[1])) };
            if let Some((begin, [value, slope])) = line {
                // About half a piece behind the knot, as all pieces are about their middles.
                let mut piece = [0.0; TERMS];
                (piece[0], piece[1]) = (value + 0.5 * slope, slope);
                self.pieces.push(piece);
                *stretch = Stretch { begin, per_x: 1.0, first, last: 0 };
                continue;
            }
            let (begin, end) = (knots[k - 1], knots[k]);
            let step = (end - begin) / PIECES as f64;
            for piece in 0..PIECES {
                // Not beyond the end, where the next elbow begins.
                let at = |t: f64| curve((begin + step * (piece as f64 + 0.5 + t)).min(end.next_down()));
                let found = interpolated(at);
                self.good &= (1..TERMS).all(|k| {
                    let t = 0.5 * (PI * k as f64 / TERMS as f64).cos();
                    (value(&found, t) - at(t)).abs() <= GOOD
                });
                self.pieces.push(found);
            }
            *stretch = Stretch { begin, per_x: step.recip(), first, last: PIECES as i32 - 1 };
        }
    }

    /// y at x; nothing where the chain itself has to be asked.
    #[inline(always)]
    pub(super) fn at<S: Real>(&self, x: S) -> Option<S> {
        if !S::PLAIN || !self.good {
            return None;
        }
        let x = x.value();
        let k: usize = self.knots.iter().map(|knot| usize::from(x >= *knot)).sum();
        let Stretch { begin, per_x, first, last } = self.stretches[k];
        let along = (x - begin) * per_x;
        let piece = (along as i32).clamp(0, last);
        let y = value(&self.pieces[first as usize + piece as usize], along - f64::from(piece) - 0.5);
        // No curve of a muscle is negative, and rounding is not to make it so.
        Some(S::from_f64(if y < 0.0 { 0.0 } else { y }))
    }
}

/// A polynomial of eight terms, in pairs, so that little has to wait.
#[inline(always)]
fn value(c: &[f64; TERMS], t: f64) -> f64 {
    let z = t * t;
    ((c[0] + t * c[1]) + z * (c[2] + t * c[3])) + (z * z) * ((c[4] + t * c[5]) + z * (c[6] + t * c[7]))
}

/// Coefficients of the polynomial through a function's values at the Chebyshev points of [−½, ½], by divided differences.
fn interpolated(function: impl Fn(f64) -> f64) -> [f64; TERMS] {
    let points: [f64; TERMS] = std::array::from_fn(|k| 0.5 * (PI * (2 * k + 1) as f64 / (2 * TERMS) as f64).cos());
    let mut differences = points.map(function);
    for order in 1..TERMS {
        for k in (order..TERMS).rev() {
            differences[k] = (differences[k] - differences[k - 1]) / (points[k] - points[k - order]);
        }
    }
    let mut c = [0.0; TERMS];
    for (difference, point) in differences.iter().zip(points).rev() {
        for k in (1..TERMS).rev() {
            c[k] = c[k - 1] - point * c[k];
        }
        c[0] = difference - point * c[0];
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_too_sharp_for_pieces_is_left_to_itself() {
        let made = |width: f64| {
            let (mut pieces, curve) = (Pieces::<2, 3>::empty(), move |x: f64| (x * x + width * width).sqrt());
            pieces.fill([-1.0, 1.0], [[curve(-1.0), -1.0], [curve(1.0), 1.0]], curve);
            pieces
        };
        assert!((made(0.5).at(0.3).expect("a value") - 0.34f64.sqrt()).abs() < 1e-13);
        assert_eq!(made(0.5).at(3.0), Some(2.0 + 1.25f64.sqrt()));
        assert_eq!(made(1e-3).at(0.3), None);
        // With slopes the chain is asked.
        assert!(made(0.5).at(borelli_math::Dual { re: 0.3, eps: [1.0] }).is_none());
    }
}
