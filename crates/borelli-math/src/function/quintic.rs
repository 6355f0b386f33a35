//! Natural splines of fifth degree through, or near, given points: their third derivative as a sum of local parabolas.
//! Not here: how much to smooth, evaluation (`table`).
//! In: increasing knots and values. Out: the matrices of the spline, and its polynomials.

use super::table::{Outside, Table, TableFault};
use crate::banded::Banded;

/// Natural quintic splines on given knots: third and fourth derivative vanish at the ends.
///
/// The third derivative is `s''' = sum of c_i N_i`, with N_i the quadratic B-spline on the knots i to i + 3, n - 3 of them. Taking third differences of
/// the values g,
///
///     Qᵀ g = R c,    (Qᵀ g)_i = 2 ([x_{i+1}, x_{i+2}, x_{i+3}] g - [x_i, x_{i+1}, x_{i+2}] g),    R_ij = integral of N_i N_j
///
/// Source: C. de Boor, A Practical Guide to Splines, chapter XIV, for the third derivative in place of the second; C. H. Reinsch 1967, Numer.
/// Math. 10:177-183. Three knots give the parabola, two the line. Tests: `a_quintic_spline_is_natural_and_smooth_to_the_fourth_derivative`,
/// `a_quintic_spline_has_the_least_integral_of_the_squared_third_derivative`.
#[derive(Clone, Debug)]
pub struct QuinticKnots {
    x: Vec<f64>,
    /// Rows of Qᵀ: four neighbours each.
    differences: Vec<[f64; 4]>,
}

impl QuinticKnots {
    /// The knots, increasing and at least two.
    pub fn new(x: Vec<f64>) -> QuinticKnots {
        let second = |k: usize| {
            let (left, right) = (x[k + 1] - x[k], x[k + 2] - x[k + 1]);
            let both = left + right;
            [1.0 / (left * both), -1.0 / (left * right), 1.0 / (right * both)]
        };
        let row = |i: usize| {
            let ([a, b, c], [d, e, f]) = (second(i), second(i + 1));
            [-2.0 * a, 2.0 * (d - b), 2.0 * (e - c), 2.0 * f]
        };
        let differences = (0..x.len().saturating_sub(3)).map(row).collect();
        QuinticKnots { x, differences }
    }

    /// The knots.
    pub fn knots(&self) -> &[f64] {
        &self.x
    }

    /// `Qᵀ y`.
    pub fn differences(&self, y: &[f64]) -> Vec<f64> {
        self.differences.iter().enumerate().map(|(i, row)| (0..4).map(|k| row[k] * y[i + k]).sum()).collect()
    }

    /// `Q c`.
    pub fn spread(&self, c: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.x.len()];
        for (i, (row, c)) in self.differences.iter().zip(c).enumerate() {
            (0..4).for_each(|k| sum[i + k] += row[k] * c);
        }
        sum
    }

    /// `Qᵀ diag(v) Q`.
    pub fn penalty(&self, v: &[f64]) -> Banded {
        let entry =
            |i: usize, off: usize| (off..4).map(|k| self.differences[i - off][k] * self.differences[i][k - off] * v[i - off + k]).sum();
        let row = |i: usize| std::array::from_fn(|off| if off > i { 0.0 } else { entry(i, off) });
        Banded { rows: (0..self.differences.len()).map(row).collect() }
    }

    /// `R`.
    pub fn gram(&self) -> Banded {
        let pieces: Vec<[[f64; 3]; 3]> = (0..self.differences.len()).map(|i| self.pieces(i)).collect();
        let entry = |i: usize, off: usize| {
            (off..3).map(|k| product_integral(pieces[i - off][k], pieces[i][k - off], self.x[i - off + k + 1] - self.x[i - off + k])).sum()
        };
        let row = |i: usize| std::array::from_fn(|off| if off > i.min(2) { 0.0 } else { entry(i, off) });
        Banded { rows: (0..pieces.len()).map(row).collect() }
    }

    /// N_i on its three intervals, as powers of the distance from the left end of each.
    fn pieces(&self, i: usize) -> [[f64; 3]; 3] {
        let [a, b, c] = [0, 1, 2].map(|k| self.x[i + k + 1] - self.x[i + k]);
        let (ab, bc) = (a + b, b + c);
        [[0.0, 0.0, 1.0 / (ab * a)], [a / ab, 2.0 / ab, -(1.0 / ab + 1.0 / bc) / b], [c / bc, -2.0 / bc, 1.0 / (bc * c)]]
    }

    /// The spline through the values g whose third derivative has the coefficients c, as a table.
    ///
    /// Slope and bend at a knot follow from the values there and on both sides, the third derivative being known; nothing accumulates along the table.
    pub fn table(&self, g: &[f64], c: &[f64], outside: Outside) -> Result<Table, TableFault> {
        let (cells, upper, end) = self.cells(g, c);
        Table::from_quintics(self.x.clone(), cells, upper, end, outside)
    }

    /// Coefficients of the powers 0 to 3 and 4 to 5 on every interval, and value, slope and bend at the last knot.
    fn cells(&self, g: &[f64], c: &[f64]) -> (Vec<[f64; 4]>, Vec<[f64; 2]>, [f64; 3]) {
        let n = self.x.len();
        let h: Vec<f64> = self.x.windows(2).map(|x| x[1] - x[0]).collect();
        let mut third = vec![[0.0; 3]; n - 1];
        for (i, c) in c.iter().enumerate() {
            for (k, piece) in self.pieces(i).iter().enumerate() {
                (0..3).for_each(|p| third[i + k][p] += c * piece[p]);
            }
        }
        // What the third derivative adds over an interval to value, slope and bend, seen from its left end.
        let gain = |k: usize| {
            let ([a, b, c], h) = (third[k], h[k]);
            [
                h * h * h * (a / 6.0 + h * (b / 24.0 + h * c / 60.0)),
                h * h * (a / 2.0 + h * (b / 6.0 + h * c / 12.0)),
                h * (a + h * (b / 2.0 + h * c / 3.0)),
            ]
        };
        let (mut slope, mut bend) = (vec![0.0; n], vec![0.0; n]);
        for k in 1..n - 1 {
            let (left, right) = (h[k - 1], h[k]);
            let [value, dslope, dbend] = gain(k - 1);
            // Going left from the knot with its own slope and bend, the third derivative adds this much to the value at the other end.
            let behind = left * dslope - value - 0.5 * left * left * dbend;
            let up = (g[k + 1] - g[k] - gain(k)[0]) / right;
            let down = (g[k] - g[k - 1] + behind) / left;
            bend[k] = 2.0 * (up - down) / (left + right);
            slope[k] = (up * left + down * right) / (left + right);
        }
        if n > 2 {
            bend[0] = bend[1] - gain(0)[2];
            bend[n - 1] = bend[n - 2] + gain(n - 2)[2];
        }
        slope[0] = (g[1] - g[0] - gain(0)[0]) / h[0] - 0.5 * h[0] * bend[0];
        let [_, dslope, _] = gain(n - 2);
        slope[n - 1] = slope[n - 2] + h[n - 2] * bend[n - 2] + dslope;
        let cells = (0..n - 1).map(|k| [g[k], slope[k], 0.5 * bend[k], third[k][0] / 6.0]).collect();
        let upper = third.iter().map(|[_, b, c]| [b / 24.0, c / 60.0]).collect();
        (cells, upper, [g[n - 1], slope[n - 1], bend[n - 1]])
    }

    /// Coefficients c of the interpolant through y; nothing where knots are so uneven that they cannot be found.
    pub fn interpolant(&self, y: &[f64]) -> Option<Vec<f64>> {
        let mut c = self.differences(y);
        self.gram().factor()?.solve(&mut c);
        Some(c)
    }
}

/// Integral of the product of two parabolas from 0 to h.
fn product_integral(p: [f64; 3], q: [f64; 3], h: f64) -> f64 {
    let powers = [p[0] * q[0], p[0] * q[1] + p[1] * q[0], p[0] * q[2] + p[1] * q[1] + p[2] * q[0], p[1] * q[2] + p[2] * q[1], p[2] * q[2]];
    powers.iter().rev().zip([5.0, 4.0, 3.0, 2.0, 1.0]).fold(0.0, |sum, (c, k)| sum * h + c / k) * h
}

/// Copies of a period put on either side of a periodic table: the influence of a value falls to 0.43 of itself from knot to knot, to less than
/// rounding over this many knots.
const WRAP: usize = 48;

/// The natural quintic interpolant as a table; with a periodic rule, the periodic one, taken from the middle of many periods.
pub(super) fn table(x: Vec<f64>, y: Vec<f64>, outside: Outside) -> Result<Table, TableFault> {
    let lost = TableFault::Overflow { index: 0 };
    if outside != Outside::Periodic || x.len() == 2 {
        let knots = QuinticKnots::new(x);
        let c = knots.interpolant(&y).ok_or(lost)?;
        return knots.table(&y, &c, outside);
    }
    let (m, period) = (x.len() - 1, x[x.len() - 1] - x[0]);
    let turns = WRAP.div_ceil(m);
    let places = 0..=m * (2 * turns + 1);
    let far = places.clone().map(|k| x[k % m] + ((k / m) as f64 - turns as f64) * period).collect();
    let values: Vec<f64> = places.map(|k| y[k % m]).collect();
    let knots = QuinticKnots::new(far);
    let c = knots.interpolant(&values).ok_or(lost)?;
    let (cells, upper, _) = knots.cells(&values, &c);
    let middle = m * turns..m * (turns + 1);
    let (cells, upper) = (cells[middle.clone()].to_vec(), upper[middle].to_vec());
    let end = [y[m], cells[0][1], 2.0 * cells[0][2]];
    Table::from_quintics(x, cells, upper, end, outside)
}
