//! Tables: piecewise polynomials through given points, with their rule beyond the ends.
//! Not here: how the slopes at the knots are chosen (`slopes`), splines of fifth degree (`quintic`).
//! In: increasing knots and finite values; out: value and three derivatives at a point, or the fact that is wrong with the data.

use super::slopes::{self, Slopes};
use super::{Continuity, quintic};
use crate::real::Real;
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
    /// Natural cubic spline (C2): second derivative zero at the ends; periodic spline when the table is periodic.
    Natural,
    /// Akima's own cubic of 1970 (C1).
    Akima,
    /// Natural spline of fifth degree (C4): third and fourth derivative zero at the ends; periodic when the table is.
    Quintic,
    /// The cubic spline of SIMM and OpenSim (C2): the end pieces have the third derivative of the cubic through the four knots next to them.
    Simm,
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
    /// A straight line with the slope at the end.
    Tangent,
    /// The table over again, with period last knot minus first knot.
    Periodic,
}

/// Fewest points a table may have.
const FEWEST: usize = 2;

/// Difference up to which the two ends of a periodic table count as equal, relative to its largest value; the last value is then set to the first.
///
/// Files hold six or seven digits: ends that differ in the last of them are the same instant of two periods.
const SEAM: f64 = 1e-6;

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
    /// The interpolation is made of its ends and cannot be periodic.
    NoPeriodicForm,
    /// Its pieces are no cubics.
    NoCubicForm,
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
            TableFault::NoCubicForm => write!(f, "its pieces are no cubics\n  hint: take `spline`"),
            TableFault::NoPeriodicForm => {
                write!(
                    f,
                    "`simm` is a rule for the ends, which a periodic table does not have\n  hint: take `spline`, which is as smooth across the seam"
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
/// interval to the right counts, at the last knot the last one. Quintic tables have two powers more.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    x: Vec<f64>,
    /// `[y_k, s_k, c, b]` per interval.
    cells: Vec<[f64; 4]>,
    /// Coefficients of the fourth and fifth power per interval; empty for cubics.
    upper: Vec<[f64; 2]>,
    /// Value and slope at the last knot.
    last: [f64; 2],
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
        if interpolation == Interpolation::Quintic {
            return quintic::table(x, y, outside);
        }
        let mut pieces = Pieces::new(&x);
        pieces.fill(interpolation, periodic, &y)?;
        Table::of_pieces(x, pieces, interpolation, outside)
    }

    /// A table of cubic pieces.
    fn of_pieces(x: Vec<f64>, pieces: Pieces<f64>, interpolation: Interpolation, outside: Outside) -> Result<Table, TableFault> {
        let Pieces { h, cells, last, .. } = pieces;
        let [_, _, c, b] = cells[h.len() - 1];
        let end = [last[0], last[1], 2.0 * c + 6.0 * b * h[h.len() - 1]];
        Table::assemble(x, cells, Vec::new(), end, interpolation, outside)
    }

    /// The same knots and rules with other pieces.
    pub(super) fn with_pieces(&self, pieces: Pieces<f64>) -> Result<Table, TableFault> {
        Table::of_pieces(self.x.clone(), pieces, self.interpolation, self.outside)
    }

    /// A table of polynomials of fifth degree: coefficients of the powers 0 to 3 and of 4 and 5 on every interval; value, slope and bend at the end.
    pub(super) fn from_quintics(
        x: Vec<f64>,
        cells: Vec<[f64; 4]>,
        upper: Vec<[f64; 2]>,
        end: [f64; 3],
        outside: Outside,
    ) -> Result<Table, TableFault> {
        Table::assemble(x, cells, upper, end, Interpolation::Quintic, outside)
    }

    fn assemble(
        x: Vec<f64>,
        cells: Vec<[f64; 4]>,
        upper: Vec<[f64; 2]>,
        end: [f64; 3],
        interpolation: Interpolation,
        outside: Outside,
    ) -> Result<Table, TableFault> {
        let finite = |k: usize| {
            let upper = upper.get(k).is_none_or(|u| u.iter().all(|v| v.is_finite()));
            (x[k + 1] - x[k]).is_finite() && cells[k].iter().all(|v| v.is_finite()) && upper
        };
        if let Some(index) = (0..cells.len()).find(|k| !finite(*k)) {
            return Err(TableFault::Overflow { index });
        }
        let [last_y, last_slope, last_bend] = end;
        let y = |k: usize| cells.get(k).map_or(last_y, |cell| cell[0]);
        let secant = |k: usize| (y(k + 1) - y(k)) / (x[k + 1] - x[k]);
        let steepest = (0..cells.len()).fold(0.0_f64, |most, k| most.max(secant(k).abs()));
        let most_bent = cells.iter().fold(0.0_f64, |most, cell| most.max(2.0 * cell[2].abs()));
        let level = [cells[0][1], last_slope].iter().all(|s| s.abs() <= 1e-12 * steepest);
        let straight = [2.0 * cells[0][2], last_bend].iter().all(|c| c.abs() <= 1e-10 * most_bent);
        let continuity = continuity(cells.len(), interpolation, outside, level, straight);
        let lookup = Lookup::of(&x);
        Ok(Table { x, cells, upper, last: [last_y, last_slope], lookup, interpolation, outside, continuity })
    }

    /// The same table with all values times a factor.
    pub fn scaled(&self, factor: f64) -> Table {
        let mut table = self.clone();
        table.cells.iter_mut().flatten().for_each(|c| *c *= factor);
        table.upper.iter_mut().flatten().for_each(|c| *c *= factor);
        table.last.iter_mut().for_each(|c| *c *= factor);
        table
    }

    /// Coefficients on every interval.
    pub(super) fn cells(&self) -> &[[f64; 4]] {
        &self.cells
    }

    /// Value and slope at the last knot.
    pub(super) fn last(&self) -> &[f64; 2] {
        &self.last
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
    /// A held table is C0 unless it arrives level at both ends; one with straight continuations is C1 unless it arrives without bend, as natural
    /// splines do. Quintic tables are C4 inside and called C2, which is all that anybody asks.
    pub fn continuity(&self) -> Continuity {
        self.continuity
    }

    /// First and last knot.
    pub fn ends(&self) -> (f64, f64) {
        (self.x[0], self.x[self.x.len() - 1])
    }

    /// Value and three derivatives at `x`.
    pub fn derivatives(&self, x: f64) -> [f64; 4] {
        let (k, u) = match self.place(x) {
            Place::Inside { interval, beyond } => (interval, beyond),
            place => return place.outside(&self.cells[0], &self.last),
        };
        let [y, s, c, b] = self.cells[k];
        if let Some([e, g]) = self.upper.get(k) {
            let (value, slope) = (c + u * (b + u * (e + u * g)), c + u * (1.5 * b + u * (2.0 * e + u * (2.5 * g))));
            let (bend, third) = (c + u * (3.0 * b + u * (6.0 * e + u * (10.0 * g))), b + u * (4.0 * e + u * (10.0 * g)));
            return [y + u * (s + u * value), s + 2.0 * u * slope, 2.0 * bend, 6.0 * third];
        }
        [y + u * (s + u * (c + u * b)), s + u * (2.0 * c + u * (3.0 * b)), 2.0 * c + u * (6.0 * b), 6.0 * b]
    }

    /// Where an argument falls.
    pub(super) fn place(&self, x: f64) -> Place {
        let (first, last) = self.ends();
        let x = match self.outside {
            Outside::Error | Outside::Extrapolate => x,
            Outside::Hold if x < first => return Place::Before(None),
            Outside::Hold if x > last => return Place::After(None),
            Outside::Tangent if x < first => return Place::Before(Some(x - first)),
            Outside::Tangent if x > last => return Place::After(Some(x - last)),
            Outside::Hold | Outside::Tangent => x,
            Outside::Periodic if x >= first && x < last => x,
            Outside::Periodic => first + (x - first).rem_euclid(last - first),
        };
        let interval = self.interval(x);
        Place::Inside { interval, beyond: x - self.x[interval] }
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

/// Where an argument falls on a table.
pub(super) enum Place {
    /// On an interval, at a distance from its left knot.
    Inside { interval: usize, beyond: f64 },
    /// Before the first knot: held, or at this distance along the tangent there.
    Before(Option<f64>),
    /// After the last knot.
    After(Option<f64>),
}

impl Place {
    /// Value and three derivatives beyond the ends, of the first interval and of value and slope at the last knot.
    pub(super) fn outside<C: Real>(&self, first: &[C; 4], last: &[C; 2]) -> [C; 4] {
        let zero = C::ZERO;
        match self {
            Place::Before(None) => [first[0], zero, zero, zero],
            Place::After(None) => [last[0], zero, zero, zero],
            Place::Before(Some(u)) => [first[0] + first[1] * *u, first[1], zero, zero],
            Place::After(Some(u)) => [last[0] + last[1] * *u, last[1], zero, zero],
            Place::Inside { .. } => [zero; 4],
        }
    }
}

/// The cubic pieces of a table, over any scalar that values may be, with the memory to find them again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pieces<C> {
    /// Widths of the intervals.
    h: Vec<f64>,
    d: Vec<C>,
    slopes: Slopes<C>,
    /// `[y_k, s_k, c, b]` per interval.
    pub(super) cells: Vec<[C; 4]>,
    /// Value and slope at the last knot.
    pub(super) last: [C; 2],
}

impl<C: Real> Pieces<C> {
    /// Memory for a table with these knots.
    pub(super) fn new(x: &[f64]) -> Pieces<C> {
        let h = x.windows(2).map(|x| x[1] - x[0]).collect();
        Pieces { h, d: Vec::new(), slopes: Slopes::new(), cells: Vec::new(), last: [C::ZERO; 2] }
    }

    /// Finds the pieces through some values; nothing is allocated after the first time.
    ///
    /// # Errors
    /// [`TableFault::NoPeriodicForm`], [`TableFault::NoCubicForm`].
    pub(super) fn fill(&mut self, interpolation: Interpolation, periodic: bool, y: &[C]) -> Result<(), TableFault> {
        let Pieces { h, d, slopes, cells, last } = self;
        d.clear();
        d.extend(y.windows(2).zip(&*h).map(|(y, h)| (y[1] - y[0]) / C::from_f64(*h)));
        slopes.list.clear();
        slopes::rule::<C>(interpolation, periodic)?(h, d, slopes);
        let (s, linear) = (&slopes.list, interpolation == Interpolation::Linear);
        let cell = |k: usize| if linear { [y[k], d[k], C::ZERO, C::ZERO] } else { hermite(h[k], d[k], y[k], s[k], s[k + 1]) };
        cells.clear();
        cells.extend((0..h.len()).map(cell));
        *last = [y[h.len()], s[s.len() - 1]];
        Ok(())
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

/// The cubic with given values and slopes at the ends of an interval.
fn hermite<C: Real>(h: f64, d: C, y: C, s: C, next: C) -> [C; 4] {
    [y, s, (d * 3.0 - s * 2.0 - next) / C::from_f64(h), (s - d * 2.0 + next) / C::from_f64(h * h)]
}

/// Least continuity of the inside and of the seams; `level` and `straight` say that slopes and bends vanish at the ends.
fn continuity(cells: usize, interpolation: Interpolation, outside: Outside, level: bool, straight: bool) -> Continuity {
    let inside = match interpolation {
        _ if cells == 1 => Continuity::Smooth,
        Interpolation::Linear => Continuity::C0,
        Interpolation::Pchip | Interpolation::Makima | Interpolation::Akima => Continuity::C1,
        Interpolation::Spline | Interpolation::Natural | Interpolation::Simm | Interpolation::Quintic => Continuity::C2,
    };
    match outside {
        Outside::Hold => inside.min(if level { Continuity::C1 } else { Continuity::C0 }),
        Outside::Tangent if cells == 1 => inside,
        Outside::Tangent => inside.min(if straight { Continuity::C2 } else { Continuity::C1 }),
        Outside::Error | Outside::Extrapolate | Outside::Periodic => inside,
    }
}
