//! Which inputs make a result uncertain: shares of its variance, alone and together with others.
//! Not here: the runs; points are given out and values taken in.
//! Source: Saltelli, Annoni, Azzini, Campolongo, Ratto, Tarantola (2010), Comput Phys Commun 181:259; total index: Jansen (1999).

use crate::random::{Purpose, Stream};
use crate::sample::evenly_spread;

/// Points at which a result is wanted: for each of `n` base samples A, B, then A with each column of B. n(d + 2) in all.
pub fn design(n: usize, d: usize, seed: u32) -> Vec<Vec<f64>> {
    let base = evenly_spread(n, 2 * d, seed);
    let mut points = Vec::with_capacity(n * (d + 2));
    for both in &base {
        let (a, b) = both.split_at(d);
        points.push(a.to_vec());
        points.push(b.to_vec());
        for k in 0..d {
            let mut mixed = a.to_vec();
            mixed[k] = b[k];
            points.push(mixed);
        }
    }
    points
}

/// Shares of the variance that one input has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Index {
    /// By itself.
    pub first: f64,
    /// Together with all others.
    pub total: f64,
    /// Standard errors of both, from samples drawn again.
    pub errors: [f64; 2],
}

/// Indices of `d` inputs from results at the points of `design`, in their order; none where the result does not vary.
///
/// Base samples with a result that is not finite are left out: the second number says how many.
pub fn indices(values: &[f64], d: usize, seed: u32) -> (Option<Vec<Index>>, usize) {
    let all: Vec<&[f64]> = values.chunks_exact(d + 2).collect();
    let rows: Vec<&[f64]> = all.iter().copied().filter(|row| row.iter().all(|f| f.is_finite())).collect();
    let lost = all.len() - rows.len();
    let Some(central) = estimate(&rows, d) else { return (None, lost) };
    let again = 100;
    let mut squares = vec![[0.0; 2]; d];
    for round in 0..again {
        let mut stream = Stream::new(seed, Purpose::Bootstrap, round, 0, 0);
        let drawn: Vec<&[f64]> = rows.iter().map(|_| rows[stream.below(rows.len())]).collect();
        for (square, (found, mid)) in squares.iter_mut().zip(estimate(&drawn, d).unwrap_or_default().iter().zip(&central)) {
            square[0] += (found.0 - mid.0).powi(2);
            square[1] += (found.1 - mid.1).powi(2);
        }
    }
    let index = |(&(first, total), square): (&(f64, f64), &[f64; 2])| Index {
        first,
        total,
        errors: square.map(|sum| (sum / f64::from(again)).sqrt()),
    };
    (Some(central.iter().zip(&squares).map(index).collect()), lost)
}

fn estimate(rows: &[&[f64]], d: usize) -> Option<Vec<(f64, f64)>> {
    let n = rows.len() as f64;
    let mean = rows.iter().map(|row| row[0] + row[1]).sum::<f64>() / (2.0 * n);
    let variance = rows.iter().map(|row| (row[0] - mean).powi(2) + (row[1] - mean).powi(2)).sum::<f64>() / (2.0 * n);
    if !(variance > 0.0) {
        return None;
    }
    let index = |k: usize| {
        let first = rows.iter().map(|row| (row[1] - mean) * (row[2 + k] - row[0])).sum::<f64>() / n;
        let total = rows.iter().map(|row| (row[0] - row[2 + k]).powi(2)).sum::<f64>() / (2.0 * n);
        (first / variance, total / variance)
    };
    Some((0..d).map(index).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// sin x + 7 sin² y + 0.1 z⁴ sin x over -π to π: closed forms of Ishigami and Homma (1990).
    #[test]
    fn indices_of_ishigami_are_the_closed_ones() {
        let ishigami = |u: &[f64]| {
            let x: Vec<f64> = u.iter().map(|u| PI * (2.0 * u - 1.0)).collect();
            x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
        };
        let values: Vec<f64> = design(8192, 3, 1).iter().map(|u| ishigami(u)).collect();
        let (found, lost) = indices(&values, 3, 1);
        assert_eq!(lost, 0);
        let want = [(0.313_905_191, 0.557_588_855), (0.442_411_145, 0.442_411_145), (0.0, 0.243_683_664)];
        for (index, (first, total)) in found.unwrap().iter().zip(want) {
            assert!((index.first - first).abs() < 0.02, "{index:?} {first}");
            assert!((index.total - total).abs() < 0.02, "{index:?} {total}");
            assert!(index.errors.iter().all(|e| *e < 0.03), "{index:?}");
        }
    }

    #[test]
    fn a_result_that_is_constant_or_lost_has_no_indices() {
        assert_eq!(indices(&[2.0; 40], 2, 1), (None, 0));
        assert_eq!(indices(&[f64::NAN; 40], 2, 1), (None, 10));
        let mut values: Vec<f64> = design(64, 1, 1).iter().map(|u| u[0]).collect();
        values[4] = f64::INFINITY;
        let (found, lost) = indices(&values, 1, 1);
        assert_eq!(lost, 1);
        assert!((found.unwrap()[0].total - 1.0).abs() < 0.1);
    }
}
