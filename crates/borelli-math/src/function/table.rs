//! Tables: piecewise cubics through given points, with their rule beyond the ends.
//! Not here: how the slopes at the knots are chosen (`slopes`).
//! In: increasing knots and finite values; out: value and three derivatives at a point, or the fact that is wrong with the data.

use super::{Continuity, slopes};
use std::fmt;

/// How a table runs between its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines (C0).
    Linear,
    /// Not-a-knot cubic spline (C2); periodic spline when the table is periodic.
    Spline,
    /// Shape-preserving cubic (C1), monotone where the data are.
    Pchip,
    /// Modified Akima cubic (C1), without ringing next to flat stretches.
    Makima,
}

/// What a table is beyond its first and last knot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Not defined. Evaluation goes on with the end polynomial; callers test the domain.
    Error,
    /// The end value, with zero derivatives.
    Hold,
    /// The end polynomial.
    Extrapolate,
    /// The table over again, with period last knot minus first knot.
    Periodic,
}

/// Fewest points a table may have.
const FEWEST: usize = 2;

/// Relative difference up to which the two ends of a periodic table count as equal; the last value is then set to the first.
const SEAM: f64 = 1e-12;

/// What is wrong with the data of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableFault {
    /// Fewer than two points.
    TooFew {
        /// Points given.
        count: usize,
    },
    /// As many x as y are needed.
    LengthMismatch {
        /// Number of x.
        x: usize,
        /// Number of y.
        y: usize,
    },
    /// x does not increase from the point before.
    NotIncreasing {
        /// Point, counted from zero.
        index: usize,
        /// x of the point before.
        before: f64,
        /// x of the point.
        here: f64,
    },
    /// x or y is infinite or not a number.
    NotFinite {
        /// Point, counted from zero.
        index: usize,
    },
    /// Two neighbouring points are so far apart, or so close in x, that the polynomial between them overflows.
    Overflow {
        /// Left point, counted from zero.
        index: usize,
    },
    /// A periodic table must end at the value it starts with.
    PeriodicEndsDiffer {
        /// First y.
        first: f64,
        /// Last y.
        last: f64,
    },
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::TooFew { count } => {
                write!(f, "table has {count} points\n  hint: give at least {FEWEST}; a constant needs no table")
            }
            TableFault::LengthMismatch { x, y } => write!(f, "table has {x} x but {y} y\n  hint: give one y for each x"),
            TableFault::NotIncreasing { index, before, here } => {
                write!(
                    f,
                    "x[{index}] = {here} does not exceed x[{}] = {before}\n  hint: sort the points by x and drop repeated x",
                    index - 1
                )
            }
            TableFault::NotFinite { index } => write!(f, "point {index} is not finite\n  hint: drop the point or fill the gap"),
            TableFault::Overflow { index } => {
                write!(
                    f,
                    "points {index} and {} cannot be joined: the polynomial overflows\n  hint: look for x that nearly coincide and for stray values",
                    index + 1
                )
            }
            TableFault::PeriodicEndsDiffer { first, last } => {
                write!(
                    f,
                    "periodic table starts at y = {first} but ends at y = {last}\n  hint: repeat the first value at the end of the period"
                )
            }
        }
    }
}

impl std::error::Error for TableFault {}

/// A function given by points.
///
/// On interval k with `u = x - x_k`, width `h_k`, secant `d_k` and slopes `s` at the knots:
/// `f = y_k + u (s_k + u (c + u b))`, `c = (3 d_k - 2 s_k - s_{k+1})/h_k`, `b = (s_k - 2 d_k + s_{k+1})/h_k^2`. At a knot the
/// interval to the right counts, at the last knot the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    x: Vec<f64>,
    /// `[y_k, s_k, c, b]` per interval.
    cells: Vec<[f64; 4]>,
    /// Value at the last knot.
    last_y: f64,
    lookup: Lookup,
    interpolation: Interpolation,
    outside: Outside,
    continuity: Continuity,
}

/// How the interval of an x is found.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lookup {
    /// Intervals per unit of x; every knot lies within a quarter interval of its even place, so that the guess is at most one off.
    Even { per_unit: f64 },
    /// Binary search.
    Search,
}

impl Table {
    /// A table through the points `(x, y)`; x must increase.
    pub fn new(x: Vec<f64>, mut y: Vec<f64>, interpolation: Interpolation, outside: Outside) -> Result<Table, TableFault> {
        check(&x, &y)?;
        let n = x.len();
        let periodic = outside == Outside::Periodic;
        if periodic {
            let (first, last) = (y[0], y[n - 1]);
            let scale = y.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
            if !((last - first).abs() <= SEAM * scale) {
                return Err(TableFault::PeriodicEndsDiffer { first, last });
            }
            y[n - 1] = first;
        }
        let h: Vec<f64> = x.windows(2).map(|x| x[1] - x[0]).collect();
        let d: Vec<f64> = y.windows(2).zip(&h).map(|(y, h)| (y[1] - y[0]) / h).collect();
        let (cells, end_slopes) = match interpolation {
            Interpolation::Linear => ((0..n - 1).map(|k| [y[k], d[k], 0.0, 0.0]).collect(), [d[0], d[n - 2]]),
            Interpolation::Spline if periodic => cubic(&h, &d, &y, slopes::spline_periodic),
            Interpolation::Spline => cubic(&h, &d, &y, slopes::spline),
            Interpolation::Pchip if periodic => cubic(&h, &d, &y, slopes::pchip_periodic),
            Interpolation::Pchip => cubic(&h, &d, &y, slopes::pchip),
            Interpolation::Makima if periodic => cubic(&h, &d, &y, slopes::makima_periodic),
            Interpolation::Makima => cubic(&h, &d, &y, slopes::makima),
        };
        let finite = |cell: &[f64; 4], h: &f64| h.is_finite() && cell.iter().all(|v| v.is_finite());
        if let Some(index) = cells.iter().zip(&h).position(|(cell, h)| !finite(cell, h)) {
            return Err(TableFault::Overflow { index });
        }
        let steepest = d.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
        let ends_level = end_slopes.iter().all(|s| s.abs() <= 1e-12 * steepest);
        let continuity = continuity(n - 1, interpolation, outside, ends_level);
        let (lookup, last_y) = (Lookup::of(&x), y[n - 1]);
        Ok(Table { x, cells, last_y, lookup, interpolation, outside, continuity })
    }

    /// The knots.
    pub fn knots(&self) -> &[f64] {
        &self.x
    }

    /// How the table runs between its points.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// What the table is beyond its ends.
    pub fn outside(&self) -> Outside {
        self.outside
    }

    /// How smooth the table is on the whole line, or on its domain where that is bounded.
    ///
    /// A held table is C0 unless it arrives level at both ends.
    pub fn continuity(&self) -> Continuity {
        self.continuity
    }

    /// First and last knot.
    pub fn ends(&self) -> (f64, f64) {
        (self.x[0], self.x[self.x.len() - 1])
    }

    /// Value and three derivatives at `x`.
    pub fn derivatives(&self, x: f64) -> [f64; 4] {
        let (first, last) = self.ends();
        let x = match self.outside {
            Outside::Error | Outside::Extrapolate => x,
            Outside::Hold if x < first => return [self.cells[0][0], 0.0, 0.0, 0.0],
            Outside::Hold if x > last => return [self.last_y, 0.0, 0.0, 0.0],
            Outside::Hold => x,
            Outside::Periodic if x >= first && x < last => x,
            Outside::Periodic => first + (x - first).rem_euclid(last - first),
        };
        let k = self.interval(x);
        let [y, s, c, b] = self.cells[k];
        let u = x - self.x[k];
        [y + u * (s + u * (c + u * b)), s + u * (2.0 * c + u * (3.0 * b)), 2.0 * c + u * (6.0 * b), 6.0 * b]
    }

    /// The interval that holds `x`, or the nearest one.
    fn interval(&self, x: f64) -> usize {
        let most = self.cells.len() - 1;
        match self.lookup {
            Lookup::Even { per_unit } => {
                // A negative or undefined guess becomes zero, a huge one saturates.
                let guess = (((x - self.x[0]) * per_unit) as usize).min(most);
                if x < self.x[guess] { guess.saturating_sub(1) } else { (guess + usize::from(x >= self.x[guess + 1])).min(most) }
            }
            Lookup::Search => self.x[1..=most].partition_point(|&knot| knot <= x),
        }
    }
}

impl Lookup {
    fn of(x: &[f64]) -> Lookup {
        let cells = (x.len() - 1) as f64;
        let step = (x[x.len() - 1] - x[0]) / cells;
        let even = x.iter().enumerate().all(|(k, x_k)| (x_k - x[0] - k as f64 * step).abs() <= 0.25 * step);
        if even && step.is_finite() && (1.0 / step).is_finite() { Lookup::Even { per_unit: 1.0 / step } } else { Lookup::Search }
    }
}

fn check(x: &[f64], y: &[f64]) -> Result<(), TableFault> {
    if x.len() != y.len() {
        return Err(TableFault::LengthMismatch { x: x.len(), y: y.len() });
    }
    if x.len() < FEWEST {
        return Err(TableFault::TooFew { count: x.len() });
    }
    if let Some(index) = x.iter().zip(y).position(|(x, y)| !(x.is_finite() && y.is_finite())) {
        return Err(TableFault::NotFinite { index });
    }
    match x.windows(2).position(|x| x[1] <= x[0]) {
        Some(k) => Err(TableFault::NotIncreasing { index: k + 1, before: x[k], here: x[k + 1] }),
        None => Ok(()),
    }
}

/// Hermite cubics on all intervals, and the slopes at the two ends.
fn cubic(h: &[f64], d: &[f64], y: &[f64], slopes: fn(&[f64], &[f64]) -> Vec<f64>) -> (Vec<[f64; 4]>, [f64; 2]) {
    let s = slopes(h, d);
    let cell = |k: usize| {
        let c = (3.0 * d[k] - 2.0 * s[k] - s[k + 1]) / h[k];
        let b = (s[k] - 2.0 * d[k] + s[k + 1]) / (h[k] * h[k]);
        [y[k], s[k], c, b]
    };
    ((0..h.len()).map(cell).collect(), [s[0], s[h.len()]])
}

fn continuity(cells: usize, interpolation: Interpolation, outside: Outside, ends_level: bool) -> Continuity {
    let inside = match interpolation {
        _ if cells == 1 => Continuity::Smooth,
        Interpolation::Linear => Continuity::C0,
        Interpolation::Pchip | Interpolation::Makima => Continuity::C1,
        Interpolation::Spline => Continuity::C2,
    };
    match outside {
        Outside::Hold => inside.min(if ends_level { Continuity::C1 } else { Continuity::C0 }),
        Outside::Error | Outside::Extrapolate | Outside::Periodic => inside,
    }
}
