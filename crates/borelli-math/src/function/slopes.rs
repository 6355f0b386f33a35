//! Slopes at the knots of a table, one function per interpolation.
//! Not here: knots, intervals and evaluation (`table`). Linear tables need no slopes at the knots.
//! In: widths `h` and secants `d` of the intervals; out: one slope per knot.

/// Not-a-knot cubic spline (C2): the third derivative does not jump at the second and the last but one knot.
///
/// With widths `h_k = x_{k+1} - x_k` and secants `d_k = (y_{k+1} - y_k)/h_k`, the slopes `s` solve, at each inner knot k,
/// `h_k s_{k-1} + 2 (h_{k-1} + h_k) s_k + h_{k-1} s_{k+1} = 3 (h_k d_{k-1} + h_{k-1} d_k)`, and at the first knot
/// `h_1 s_0 + (h_0 + h_1) s_1 = ((3 h_0 + 2 h_1) h_1 d_0 + h_0^2 d_1)/(h_0 + h_1)`, at the last its mirror image.
/// Source: C. de Boor, A Practical Guide to Splines, chapter IV. Limits: three knots give the parabola, two the line. Elimination
/// needs no pivoting, every pivot being at least the sum of two widths. Tests: `a_spline_reproduces_a_cubic`,
/// `three_knots_give_the_parabola_and_two_the_line`.
pub(super) fn spline(h: &[f64], d: &[f64]) -> Vec<f64> {
    let n = h.len() + 1;
    if n == 2 {
        return vec![d[0]; 2];
    }
    if n == 3 {
        let bend = (d[1] - d[0]) / (h[0] + h[1]);
        return vec![d[0] - h[0] * bend, d[0] + h[0] * bend, d[1] + h[1] * bend];
    }
    let mut rows = Tridiagonal::inner(h, d);
    let end = |h0: f64, h1: f64, d0: f64, d1: f64| ((3.0 * h0 + 2.0 * h1) * h1 * d0 + h0 * h0 * d1) / (h0 + h1);
    (rows.diagonal[0], rows.upper[0], rows.right[0]) = (h[1], h[0] + h[1], end(h[0], h[1], d[0], d[1]));
    let (a, b) = (n - 2, n - 3);
    (rows.diagonal[n - 1], rows.lower[n - 1], rows.right[n - 1]) = (h[b], h[a] + h[b], end(h[a], h[b], d[a], d[b]));
    rows.solve()
}

/// Natural cubic spline (C2): the inner rows of [`spline`], and no bend at the ends: `2 s_0 + s_1 = 3 d_0`, at the last knot its mirror image.
///
/// Source: C. de Boor, A Practical Guide to Splines, chapter IV. Limits: two knots give the line. Tests: `a_natural_spline_has_no_bend_at_its_ends`
/// and the published vectors in the program's suite.
pub(super) fn natural(h: &[f64], d: &[f64]) -> Vec<f64> {
    let n = h.len() + 1;
    let mut rows = Tridiagonal::inner(h, d);
    (rows.diagonal[0], rows.upper[0], rows.right[0]) = (2.0, 1.0, 3.0 * d[0]);
    (rows.diagonal[n - 1], rows.lower[n - 1], rows.right[n - 1]) = (2.0, 1.0, 3.0 * d[n - 2]);
    rows.solve()
}

/// The cubic spline of SIMM and OpenSim (C2), which is neither natural nor not-a-knot.
///
/// With `m_k = y''_k/6`, at each inner knot `h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = d_k - d_{k-1}`, at the first
/// `-h_0 m_0 + h_0 m_1 = h_0^2 t` with t the third divided difference of the first four knots, at the last its mirror image: the third derivative of
/// an end piece is that of the cubic through the four knots next to it. Slopes are `s_k = d_k - h_k (m_{k+1} + 2 m_k)`.
/// Source: G. E. Forsythe, M. A. Malcolm, C. B. Moler 1977, Computer Methods for Mathematical Computations, chapter 4. Limits: three knots give the
/// parabola, two the line. Departure: OpenSim keeps knots of equal x apart by 1e-7; here x must increase. Tests:
/// `a_simm_spline_reproduces_a_cubic` and the vectors of the program's suite.
pub(super) fn simm(h: &[f64], d: &[f64]) -> Vec<f64> {
    let n = h.len() + 1;
    if n == 2 {
        return vec![d[0]; 2];
    }
    let third = |k: usize| {
        let second = |k: usize| (d[k + 1] - d[k]) / (h[k] + h[k + 1]);
        (second(k + 1) - second(k)) / (h[k] + h[k + 1] + h[k + 2])
    };
    let (t_first, t_last) = if n == 3 { (0.0, 0.0) } else { (third(0), third(n - 4)) };
    let mut rows =
        Tridiagonal { lower: [&h[..n - 1], &[0.0]].concat(), diagonal: vec![0.0; n], upper: [h, &[0.0]].concat(), right: vec![0.0; n] };
    // Row k has h_{k-1} on its left and h_k on its right.
    rows.lower.rotate_right(1);
    for k in 1..n - 1 {
        rows.diagonal[k] = 2.0 * (h[k - 1] + h[k]);
        rows.right[k] = d[k] - d[k - 1];
    }
    let last = h[n - 2];
    (rows.diagonal[0], rows.right[0]) = (-h[0], h[0] * h[0] * t_first);
    (rows.diagonal[n - 1], rows.right[n - 1]) = (-last, -last * last * t_last);
    let m = rows.solve();
    let mut s: Vec<f64> = (0..n - 1).map(|k| d[k] - h[k] * (m[k + 1] + 2.0 * m[k])).collect();
    s.push(d[n - 2] + last * (2.0 * m[n - 1] + m[n - 2]));
    s
}

/// Periodic cubic spline (C2 also across the seam): the inner rows of [`spline`] at every knot, with the neighbours of the first
/// and the last interval taken round the corner.
///
/// The cyclic system is solved by elimination of all unknowns but one, whose own row then closes the circle. Tests:
/// `a_periodic_table_is_continuous_across_its_seam`, `a_periodic_spline_follows_a_sine_to_fourth_order`.
pub(super) fn spline_periodic(h: &[f64], d: &[f64]) -> Vec<f64> {
    // m different slopes; the last knot repeats the first.
    let m = h.len();
    if m == 1 {
        return vec![d[0]; 2];
    }
    let before = |k: usize| (k + m - 1) % m;
    let lower = |k: usize| h[k];
    let diagonal = |k: usize| 2.0 * (h[before(k)] + h[k]);
    let upper = |k: usize| h[before(k)];
    let right = |k: usize| 3.0 * (h[k] * d[before(k)] + h[before(k)] * d[k]);
    // The slopes but the last as p + q z, where z is the last one.
    let z_row = m - 1;
    let mut rows = Tridiagonal {
        lower: (0..z_row).map(lower).collect(),
        diagonal: (0..z_row).map(diagonal).collect(),
        upper: (0..z_row).map(upper).collect(),
        right: (0..z_row).map(right).collect(),
    };
    let mut coupling = Tridiagonal { right: vec![0.0; z_row], ..rows.clone() };
    coupling.right[0] -= lower(0);
    coupling.right[z_row - 1] -= upper(z_row - 1);
    let (mut s, q) = (rows.solve(), coupling.solve());
    let open = right(z_row) - lower(z_row) * s[z_row - 1] - upper(z_row) * s[0];
    let z = open / (diagonal(z_row) + lower(z_row) * q[z_row - 1] + upper(z_row) * q[0]);
    for (s, q) in s.iter_mut().zip(&q) {
        *s += q * z;
    }
    s.extend([z, s[0]]);
    s
}

/// Shape-preserving slopes (C1; monotone where the data are).
///
/// Inner knots: zero where the secants change sign, else their weighted harmonic mean
/// `s_k = (w1 + w2)/(w1/d_{k-1} + w2/d_k)`, `w1 = 2 h_k + h_{k-1}`, `w2 = h_k + 2 h_{k-1}`. Ends: the three-point formula
/// `((2 h_0 + h_1) d_0 - h_0 d_1)/(h_0 + h_1)`, set to zero if it runs against `d_0`, and held to `3 d_0` where the secants change
/// sign. Source: F. N. Fritsch & J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300-304. Limits: two knots give the line. Test:
/// `shape_preserving_tables_are_monotone_on_monotone_data`.
pub(super) fn pchip(h: &[f64], d: &[f64]) -> Vec<f64> {
    let last = d.len();
    if last == 1 {
        return vec![d[0]; 2];
    }
    let mut s = vec![0.0; last + 1];
    s[0] = pchip_end(h[0], h[1], d[0], d[1]);
    for k in 1..last {
        s[k] = pchip_inner(h[k - 1], h[k], d[k - 1], d[k]);
    }
    s[last] = pchip_end(h[last - 1], h[last - 2], d[last - 1], d[last - 2]);
    s
}

/// [`pchip`] with the rule of the inner knots also at the seam.
pub(super) fn pchip_periodic(h: &[f64], d: &[f64]) -> Vec<f64> {
    let m = d.len();
    (0..=m).map(|k| ((k + m - 1) % m, k % m)).map(|(left, right)| pchip_inner(h[left], h[right], d[left], d[right])).collect()
}

fn pchip_inner(h_left: f64, h_right: f64, d_left: f64, d_right: f64) -> f64 {
    if sign(d_left) * sign(d_right) <= 0.0 {
        return 0.0;
    }
    let w1 = 2.0 * h_right + h_left;
    let w2 = h_right + 2.0 * h_left;
    (w1 + w2) / (w1 / d_left + w2 / d_right)
}

fn pchip_end(h0: f64, h1: f64, d0: f64, d1: f64) -> f64 {
    let s = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if sign(s) != sign(d0) {
        0.0
    } else if sign(d0) != sign(d1) && s.abs() > 3.0 * d0.abs() {
        3.0 * d0
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
pub(super) fn makima(_h: &[f64], d: &[f64]) -> Vec<f64> {
    secants_beyond(d).windows(4).map(makima_inner).collect()
}

/// [`makima`] with the secants beyond the ends taken round the corner.
pub(super) fn makima_periodic(_h: &[f64], d: &[f64]) -> Vec<f64> {
    secants_round(d).windows(4).map(makima_inner).collect()
}

/// Slope between the second and the third of four secants in a row.
fn makima_inner(d: &[f64]) -> f64 {
    let w1 = (d[3] - d[2]).abs() + 0.5 * (d[3] + d[2]).abs();
    let w2 = (d[1] - d[0]).abs() + 0.5 * (d[1] + d[0]).abs();
    if w1 + w2 == 0.0 { 0.0 } else { (w1 * d[1] + w2 * d[2]) / (w1 + w2) }
}

/// Akima's own slopes (C1): as [`makima`] with the weights `|d_{k+1} - d_k|` and `|d_{k-1} - d_{k-2}|` alone; where both vanish, the mean of the two
/// secants at the knot.
///
/// Source: H. Akima, J. ACM 17 (1970) 589-602. Departure: weights below 1e-9 of the largest count as vanished, since their ratio is rounding. Limits:
/// two knots give the line. Tests: `akima_takes_the_mean_slope_between_straight_stretches` and the published vectors in the program's suite.
pub(super) fn akima(_h: &[f64], d: &[f64]) -> Vec<f64> {
    akima_slopes(&secants_beyond(d))
}

/// [`akima`] with the secants beyond the ends taken round the corner.
pub(super) fn akima_periodic(_h: &[f64], d: &[f64]) -> Vec<f64> {
    akima_slopes(&secants_round(d))
}

fn akima_slopes(d: &[f64]) -> Vec<f64> {
    let weights = |d: &[f64]| ((d[3] - d[2]).abs(), (d[1] - d[0]).abs());
    let most = d.windows(4).map(weights).fold(0.0_f64, |most, (w1, w2)| most.max(w1 + w2));
    let slope = |d: &[f64]| match weights(d) {
        (w1, w2) if w1 + w2 > 1e-9 * most => (w1 * d[1] + w2 * d[2]) / (w1 + w2),
        _ => 0.5 * (d[1] + d[2]),
    };
    d.windows(4).map(slope).collect()
}

/// The secants with two more beyond each end that continue the last two linearly.
fn secants_beyond(d: &[f64]) -> Vec<f64> {
    let m = d.len();
    if m == 1 {
        return vec![d[0]; 5];
    }
    let before = 2.0 * d[0] - d[1];
    let after = 2.0 * d[m - 1] - d[m - 2];
    let mut extended = vec![2.0 * before - d[0], before];
    extended.extend_from_slice(d);
    extended.extend([after, 2.0 * after - d[m - 1]]);
    extended
}

/// The secants with two more beyond each end, taken round the corner.
fn secants_round(d: &[f64]) -> Vec<f64> {
    let m = d.len();
    // Offset by a multiple of m so that the index stays positive.
    (0..m + 4).map(|k| d[(k + 2 * m - 2) % m]).collect()
}

/// `lower[k] s[k-1] + diagonal[k] s[k] + upper[k] s[k+1] = right[k]`; the corners `lower[0]` and `upper[n-1]` are not read.
#[derive(Clone)]
struct Tridiagonal {
    lower: Vec<f64>,
    diagonal: Vec<f64>,
    upper: Vec<f64>,
    right: Vec<f64>,
}

impl Tridiagonal {
    /// The rows of the inner knots; the first and the last row are left zero.
    fn inner(h: &[f64], d: &[f64]) -> Self {
        let n = h.len() + 1;
        let mut rows = Tridiagonal { lower: vec![0.0; n], diagonal: vec![0.0; n], upper: vec![0.0; n], right: vec![0.0; n] };
        for k in 1..n - 1 {
            rows.lower[k] = h[k];
            rows.diagonal[k] = 2.0 * (h[k - 1] + h[k]);
            rows.upper[k] = h[k - 1];
            rows.right[k] = 3.0 * (h[k] * d[k - 1] + h[k - 1] * d[k]);
        }
        rows
    }

    /// Elimination downwards, substitution upwards; uses up the rows.
    fn solve(&mut self) -> Vec<f64> {
        let n = self.right.len();
        for k in 1..n {
            let factor = self.lower[k] / self.diagonal[k - 1];
            self.diagonal[k] -= factor * self.upper[k - 1];
            self.right[k] -= factor * self.right[k - 1];
        }
        let mut s = std::mem::take(&mut self.right);
        s[n - 1] /= self.diagonal[n - 1];
        for k in (0..n - 1).rev() {
            s[k] = (s[k] - self.upper[k] * s[k + 1]) / self.diagonal[k];
        }
        s
    }
}
