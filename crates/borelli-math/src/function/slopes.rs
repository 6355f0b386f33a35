//! Slopes at the knots of a table, one function per interpolation, over any scalar that values may be.
//! Not here: knots, intervals and evaluation (`table`, `points`). Linear tables need no slopes at the knots.
//! In: widths `h` and secants `d` of the intervals; out: one slope per knot, into memory that is used again.

use super::table::{Interpolation, TableFault};
use crate::real::Real;

/// Finds the slopes at the knots from widths and secants.
pub(super) type Rule<C> = fn(&[f64], &[C], &mut Slopes<C>);

/// Slopes at the knots, and the memory that finding them takes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slopes<C> {
    /// One for every knot; of linear tables one for every interval.
    pub(super) list: Vec<C>,
    rows: Tridiagonal<C>,
    coupling: Tridiagonal<f64>,
    extended: Vec<C>,
}

impl<C> Slopes<C> {
    pub(super) fn new() -> Slopes<C> {
        Slopes { list: Vec::new(), rows: Tridiagonal::new(), coupling: Tridiagonal::new(), extended: Vec::new() }
    }
}

/// The rule of an interpolation that has cubic pieces or straight ones.
pub(super) fn rule<C: Real>(interpolation: Interpolation, periodic: bool) -> Result<Rule<C>, TableFault> {
    Ok(match (interpolation, periodic) {
        (Interpolation::Linear, _) => |_, d, out| out.list.extend_from_slice(d),
        (Interpolation::Spline | Interpolation::Natural, true) => spline_periodic,
        (Interpolation::Spline, false) => spline,
        (Interpolation::Natural, false) => natural,
        (Interpolation::Pchip, true) => pchip_periodic,
        (Interpolation::Pchip, false) => pchip,
        (Interpolation::Makima, true) => makima_periodic,
        (Interpolation::Makima, false) => makima,
        (Interpolation::Akima, true) => akima_periodic,
        (Interpolation::Akima, false) => akima,
        (Interpolation::Simm, false) => simm,
        (Interpolation::Simm, true) => return Err(TableFault::NoPeriodicForm),
        (Interpolation::Quintic, _) => return Err(TableFault::NoCubicForm),
    })
}

/// A quotient by a plain number.
fn over<C: Real>(x: C, by: f64) -> C {
    x / C::from_f64(by)
}

/// The size of a number; its slope is 0 at zero.
fn size<C: Real>(x: C) -> C {
    x.chain(x.value().abs(), sign(x.value()))
}

/// Not-a-knot cubic spline (C2): the third derivative does not jump at the second and the last but one knot.
///
/// With widths `h_k = x_{k+1} - x_k` and secants `d_k = (y_{k+1} - y_k)/h_k`, the slopes `s` solve, at each inner knot k,
/// `h_k s_{k-1} + 2 (h_{k-1} + h_k) s_k + h_{k-1} s_{k+1} = 3 (h_k d_{k-1} + h_{k-1} d_k)`, and at the first knot
/// `h_1 s_0 + (h_0 + h_1) s_1 = ((3 h_0 + 2 h_1) h_1 d_0 + h_0^2 d_1)/(h_0 + h_1)`, at the last its mirror image.
/// Source: C. de Boor, A Practical Guide to Splines, chapter IV. Limits: three knots give the parabola, two the line. Elimination
/// needs no pivoting, every pivot being at least the sum of two widths. Tests: `a_spline_reproduces_a_cubic`,
/// `three_knots_give_the_parabola_and_two_the_line`.
fn spline<C: Real>(h: &[f64], d: &[C], out: &mut Slopes<C>) {
    let n = h.len() + 1;
    if n == 2 {
        return out.list.extend([d[0]; 2]);
    }
    if n == 3 {
        let bend = over(d[1] - d[0], h[0] + h[1]);
        return out.list.extend([d[0] - bend * h[0], d[0] + bend * h[0], d[1] + bend * h[1]]);
    }
    let Slopes { list, rows, .. } = out;
    rows.inner(h, d);
    let end = |h0: f64, h1: f64, d0: C, d1: C| over(d0 * ((3.0 * h0 + 2.0 * h1) * h1) + d1 * (h0 * h0), h0 + h1);
    (rows.diagonal[0], rows.upper[0], rows.right[0]) = (h[1], h[0] + h[1], end(h[0], h[1], d[0], d[1]));
    let (a, b) = (n - 2, n - 3);
    (rows.diagonal[n - 1], rows.lower[n - 1], rows.right[n - 1]) = (h[b], h[a] + h[b], end(h[a], h[b], d[a], d[b]));
    rows.solve(list);
}

/// Natural cubic spline (C2): the inner rows of [`spline`], and no bend at the ends: `2 s_0 + s_1 = 3 d_0`, at the last knot its mirror image.
///
/// Source: C. de Boor, A Practical Guide to Splines, chapter IV. Limits: two knots give the line. Tests: `a_natural_spline_has_no_bend_at_its_ends`
/// and the published vectors in the program's suite.
fn natural<C: Real>(h: &[f64], d: &[C], out: &mut Slopes<C>) {
    let n = h.len() + 1;
    let Slopes { list, rows, .. } = out;
    rows.inner(h, d);
    (rows.diagonal[0], rows.upper[0], rows.right[0]) = (2.0, 1.0, d[0] * 3.0);
    (rows.diagonal[n - 1], rows.lower[n - 1], rows.right[n - 1]) = (2.0, 1.0, d[n - 2] * 3.0);
    rows.solve(list);
}

/// The cubic spline of SIMM and OpenSim (C2), which is neither natural nor not-a-knot.
///
/// With `m_k = y''_k/6`, at each inner knot `h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = d_k - d_{k-1}`, at the first
/// `-h_0 m_0 + h_0 m_1 = h_0^2 t` with t the third divided difference of the first four knots, at the last its mirror image: the third derivative of
/// an end piece is that of the cubic through the four knots next to it. Slopes are `s_k = d_k - h_k (m_{k+1} + 2 m_k)`.
/// Source: G. E. Forsythe, M. A. Malcolm, C. B. Moler 1977, Computer Methods for Mathematical Computations, chapter 4. Limits: three knots give the
/// parabola, two the line. Departure: OpenSim keeps knots of equal x apart by 1e-7; here x must increase. Tests:
/// `a_simm_spline_reproduces_a_cubic` and the vectors of the program's suite.
fn simm<C: Real>(h: &[f64], d: &[C], out: &mut Slopes<C>) {
    let n = h.len() + 1;
    if n == 2 {
        return out.list.extend([d[0]; 2]);
    }
    let third = |k: usize| {
        let second = |k: usize| over(d[k + 1] - d[k], h[k] + h[k + 1]);
        over(second(k + 1) - second(k), h[k] + h[k + 1] + h[k + 2])
    };
    let (t_first, t_last) = if n == 3 { (C::ZERO, C::ZERO) } else { (third(0), third(n - 4)) };
    let Slopes { list, rows, extended: m, .. } = out;
    rows.clear(n);
    // Row k has h_{k-1} on its left and h_k on its right.
    rows.lower[1..].copy_from_slice(h);
    rows.upper[..n - 1].copy_from_slice(h);
    for k in 1..n - 1 {
        rows.diagonal[k] = 2.0 * (h[k - 1] + h[k]);
        rows.right[k] = d[k] - d[k - 1];
    }
    let last = h[n - 2];
    (rows.diagonal[0], rows.right[0]) = (-h[0], t_first * (h[0] * h[0]));
    (rows.diagonal[n - 1], rows.right[n - 1]) = (-last, t_last * (-last * last));
    m.clear();
    rows.solve(m);
    list.extend((0..n - 1).map(|k| d[k] - (m[k + 1] + m[k] * 2.0) * h[k]));
    list.push(d[n - 2] + (m[n - 1] * 2.0 + m[n - 2]) * last);
}

/// Periodic cubic spline (C2 also across the seam): the inner rows of [`spline`] at every knot, with the neighbours of the first
/// and the last interval taken round the corner.
///
/// The cyclic system is solved by elimination of all unknowns but one, whose own row then closes the circle. Tests:
/// `a_periodic_table_is_continuous_across_its_seam`, `a_periodic_spline_follows_a_sine_to_fourth_order`.
fn spline_periodic<C: Real>(h: &[f64], d: &[C], out: &mut Slopes<C>) {
    // m different slopes; the last knot repeats the first.
    let m = h.len();
    if m == 1 {
        return out.list.extend([d[0]; 2]);
    }
    let before = |k: usize| (k + m - 1) % m;
    let lower = |k: usize| h[k];
    let diagonal = |k: usize| 2.0 * (h[before(k)] + h[k]);
    let upper = |k: usize| h[before(k)];
    let right = |k: usize| (d[before(k)] * h[k] + d[k] * h[before(k)]) * 3.0;
    // The slopes but the last as p + q z, where z is the last one.
    let z_row = m - 1;
    let Slopes { list: s, rows, coupling, .. } = out;
    rows.clear(z_row);
    coupling.clear(z_row);
    for k in 0..z_row {
        (rows.lower[k], rows.diagonal[k], rows.upper[k], rows.right[k]) = (lower(k), diagonal(k), upper(k), right(k));
        (coupling.lower[k], coupling.diagonal[k], coupling.upper[k]) = (lower(k), diagonal(k), upper(k));
    }
    coupling.right[0] -= lower(0);
    coupling.right[z_row - 1] -= upper(z_row - 1);
    rows.solve(s);
    coupling.solve_in_place();
    let q = &coupling.right;
    let open = right(z_row) - s[z_row - 1] * lower(z_row) - s[0] * upper(z_row);
    let z = over(open, diagonal(z_row) + lower(z_row) * q[z_row - 1] + upper(z_row) * q[0]);
    for (s, q) in s.iter_mut().zip(q) {
        *s += z * *q;
    }
    s.extend([z, s[0]]);
}

/// Shape-preserving slopes (C1; monotone where the data are).
///
/// Inner knots: zero where the secants change sign, else their weighted harmonic mean
/// `s_k = (w1 + w2)/(w1/d_{k-1} + w2/d_k)`, `w1 = 2 h_k + h_{k-1}`, `w2 = h_k + 2 h_{k-1}`. Ends: the three-point formula
/// `((2 h_0 + h_1) d_0 - h_0 d_1)/(h_0 + h_1)`, set to zero if it runs against `d_0`, and held to `3 d_0` where the secants change
/// sign. Source: F. N. Fritsch & J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300-304. Limits: two knots give the line. Test:
/// `shape_preserving_tables_are_monotone_on_monotone_data`.
fn pchip<C: Real>(h: &[f64], d: &[C], out: &mut Slopes<C>) {
    let (last, s) = (d.len(), &mut out.list);
    if last == 1 {
        return s.extend([d[0]; 2]);
    }
    s.push(pchip_end(h[0], h[1], d[0], d[1]));
    s.extend((1..last).map(|k| pchip_inner(h[k - 1], h[k], d[k - 1], d[k])));
    s.push(pchip_end(h[last - 1], h[last - 2], d[last - 1], d[last - 2]));
}

/// [`pchip`] with the rule of the inner knots also at the seam.
fn pchip_periodic<C: Real>(h: &[f64], d: &[C], out: &mut Slopes<C>) {
    let m = d.len();
    let sides = (0..=m).map(|k| ((k + m - 1) % m, k % m));
    out.list.extend(sides.map(|(left, right)| pchip_inner(h[left], h[right], d[left], d[right])));
}

fn pchip_inner<C: Real>(h_left: f64, h_right: f64, d_left: C, d_right: C) -> C {
    if sign(d_left.value()) * sign(d_right.value()) <= 0.0 {
        return C::ZERO;
    }
    let w1 = 2.0 * h_right + h_left;
    let w2 = h_right + 2.0 * h_left;
    C::from_f64(w1 + w2) / (C::from_f64(w1) / d_left + C::from_f64(w2) / d_right)
}

fn pchip_end<C: Real>(h0: f64, h1: f64, d0: C, d1: C) -> C {
    let s = over(d0 * (2.0 * h0 + h1) - d1 * h0, h0 + h1);
    let sign = |x: C| sign(x.value());
    if sign(s) != sign(d0) {
        C::ZERO
    } else if sign(d0) != sign(d1) && s.value().abs() > 3.0 * d0.value().abs() {
        d0 * 3.0
    } else {
        s
    }
}

/// -1, 0 or 1.
fn sign(v: f64) -> f64 {
    if v == 0.0 { 0.0 } else { v.signum() }
}

/// Modified Akima slopes (C1): local, without ringing next to flat stretches.
///
/// `s_k = (w1 d_{k-1} + w2 d_k)/(w1 + w2)` with `w1 = |d_{k+1} - d_k| + |d_{k+1} + d_k|/2` from the right side and
/// `w2 = |d_{k-1} - d_{k-2}| + |d_{k-1} + d_{k-2}|/2` from the left; zero where both weights vanish. Two secants beyond each end
/// continue the last two linearly. Source: H. Akima, J. ACM 17 (1970) 589-602; the second term of the weights is the
/// modification, which keeps flat stretches flat. Limits: two knots give the line. Test:
/// `modified_akima_stays_flat_on_flat_stretches`.
fn makima<C: Real>(_h: &[f64], d: &[C], out: &mut Slopes<C>) {
    secants_beyond(d, &mut out.extended);
    out.list.extend(out.extended.windows(4).map(makima_inner));
}

/// [`makima`] with the secants beyond the ends taken round the corner.
fn makima_periodic<C: Real>(_h: &[f64], d: &[C], out: &mut Slopes<C>) {
    secants_round(d, &mut out.extended);
    out.list.extend(out.extended.windows(4).map(makima_inner));
}

/// Slope between the second and the third of four secants in a row.
fn makima_inner<C: Real>(d: &[C]) -> C {
    let w1 = size(d[3] - d[2]) + size(d[3] + d[2]) * 0.5;
    let w2 = size(d[1] - d[0]) + size(d[1] + d[0]) * 0.5;
    let both = w1 + w2;
    if both.value() == 0.0 { C::ZERO } else { (w1 * d[1] + w2 * d[2]) / both }
}

/// Akima's own slopes (C1): as [`makima`] with the weights `|d_{k+1} - d_k|` and `|d_{k-1} - d_{k-2}|` alone; where both vanish, the mean of the two
/// secants at the knot.
///
/// Source: H. Akima, J. ACM 17 (1970) 589-602. Departure: weights below 1e-9 of the largest count as vanished, since their ratio is rounding. Limits:
/// two knots give the line. Tests: `akima_takes_the_mean_slope_between_straight_stretches` and the published vectors in the program's suite.
fn akima<C: Real>(_h: &[f64], d: &[C], out: &mut Slopes<C>) {
    secants_beyond(d, &mut out.extended);
    akima_slopes(&out.extended, &mut out.list);
}

/// [`akima`] with the secants beyond the ends taken round the corner.
fn akima_periodic<C: Real>(_h: &[f64], d: &[C], out: &mut Slopes<C>) {
    secants_round(d, &mut out.extended);
    akima_slopes(&out.extended, &mut out.list);
}

fn akima_slopes<C: Real>(d: &[C], list: &mut Vec<C>) {
    let weights = |d: &[C]| (size(d[3] - d[2]), size(d[1] - d[0]));
    let most = d.windows(4).map(weights).fold(0.0_f64, |most, (w1, w2)| most.max((w1 + w2).value()));
    let slope = |d: &[C]| match weights(d) {
        (w1, w2) if (w1 + w2).value() > 1e-9 * most => (w1 * d[1] + w2 * d[2]) / (w1 + w2),
        _ => (d[1] + d[2]) * 0.5,
    };
    list.extend(d.windows(4).map(slope));
}

/// The secants with two more beyond each end that continue the last two linearly.
fn secants_beyond<C: Real>(d: &[C], extended: &mut Vec<C>) {
    let m = d.len();
    extended.clear();
    if m == 1 {
        return extended.extend([d[0]; 5]);
    }
    let before = d[0] * 2.0 - d[1];
    let after = d[m - 1] * 2.0 - d[m - 2];
    extended.extend([before * 2.0 - d[0], before]);
    extended.extend_from_slice(d);
    extended.extend([after, after * 2.0 - d[m - 1]]);
}

/// The secants with two more beyond each end, taken round the corner.
fn secants_round<C: Real>(d: &[C], extended: &mut Vec<C>) {
    let m = d.len();
    extended.clear();
    // Offset by a multiple of m so that the index stays positive.
    extended.extend((0..m + 4).map(|k| d[(k + 2 * m - 2) % m]));
}

/// `lower[k] s[k-1] + diagonal[k] s[k] + upper[k] s[k+1] = right[k]`; the corners `lower[0]` and `upper[n-1]` are not read.
#[derive(Clone, Debug, PartialEq)]
struct Tridiagonal<C> {
    lower: Vec<f64>,
    diagonal: Vec<f64>,
    upper: Vec<f64>,
    right: Vec<C>,
}

impl<C> Tridiagonal<C> {
    fn new() -> Self {
        Tridiagonal { lower: Vec::new(), diagonal: Vec::new(), upper: Vec::new(), right: Vec::new() }
    }
}

impl<C: Real> Tridiagonal<C> {
    /// `n` rows of zeros.
    fn clear(&mut self, n: usize) {
        for list in [&mut self.lower, &mut self.diagonal, &mut self.upper] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.right.clear();
        self.right.resize(n, C::ZERO);
    }

    /// The rows of the inner knots; the first and the last row are left zero.
    fn inner(&mut self, h: &[f64], d: &[C]) {
        let n = h.len() + 1;
        self.clear(n);
        for k in 1..n - 1 {
            self.lower[k] = h[k];
            self.diagonal[k] = 2.0 * (h[k - 1] + h[k]);
            self.upper[k] = h[k - 1];
            self.right[k] = (d[k - 1] * h[k] + d[k] * h[k - 1]) * 3.0;
        }
    }

    /// Elimination downwards, substitution upwards; uses up the rows and adds the solution to a list.
    fn solve(&mut self, list: &mut Vec<C>) {
        self.solve_in_place();
        list.extend_from_slice(&self.right);
    }

    /// [`Tridiagonal::solve`], with the solution in place of the right side.
    fn solve_in_place(&mut self) {
        let Tridiagonal { lower, diagonal, upper, right: s } = self;
        let n = s.len();
        for k in 1..n {
            let factor = lower[k] / diagonal[k - 1];
            diagonal[k] -= factor * upper[k - 1];
            s[k] = s[k] - s[k - 1] * factor;
        }
        s[n - 1] = over(s[n - 1], diagonal[n - 1]);
        for k in (0..n - 1).rev() {
            s[k] = over(s[k] - s[k + 1] * upper[k], diagonal[k]);
        }
    }
}
