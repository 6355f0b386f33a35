//! Points spread over the unit cube: Latin hypercubes, and evenly spread sequences.
//! Not here: what the points are for, distributions.

use crate::random::{Purpose, Stream};

/// `n` points in `d` dimensions: in each dimension one in each of `n` equal cells (McKay, Beckman, Conover 1979).
pub fn latin_hypercube(n: usize, d: usize, seed: u32) -> Vec<Vec<f64>> {
    let cells: Vec<Vec<usize>> = (0..d).map(|k| Stream::new(seed, Purpose::Hypercube, 0, k as u32, 0).permutation(n)).collect();
    (0..n)
        .map(|i| {
            let mut stream = Stream::new(seed, Purpose::Hypercube, 1, i as u32, 0);
            (0..d).map(|k| (cells[k][i] as f64 + stream.uniform()) / n as f64).collect()
        })
        .collect()
}

/// `n` points in `d` dimensions, all drawn anew.
pub fn uniform(n: usize, d: usize, seed: u32) -> Vec<Vec<f64>> {
    (0..n)
        .map(|i| {
            let mut stream = Stream::new(seed, Purpose::Shift, 1, i as u32, 0);
            (0..d).map(|_| stream.uniform()).collect()
        })
        .collect()
}

/// `n` evenly spread points in `d` dimensions: multiples of powers of the root of x^(d+1) = x + 1, shifted at random, modulo one.
///
/// Errors of means fall nearly with 1/n instead of 1/√n. Source: Niederreiter (1978), Bull AMS 84:957 (Kronecker sequences); the root as the
/// choice that generalises the golden ratio: Roberts (2018), The unreasonable effectiveness of quasirandom sequences.
pub fn evenly_spread(n: usize, d: usize, seed: u32) -> Vec<Vec<f64>> {
    let mut root = 2.0f64;
    for _ in 0..100 {
        root = (1.0 + root).powf(1.0 / (d as f64 + 1.0));
    }
    let mut stream = Stream::new(seed, Purpose::Shift, 0, 0, 0);
    let strides: Vec<f64> = (1..=d).map(|k| root.powi(-(k as i32))).collect();
    let shifts: Vec<f64> = (0..d).map(|_| stream.uniform()).collect();
    (0..n).map(|i| (0..d).map(|k| (shifts[k] + strides[k] * (i as f64 + 1.0)).fract()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hypercube_has_one_point_in_every_cell_of_every_dimension() {
        let points = latin_hypercube(17, 3, 5);
        for k in 0..3 {
            let mut cells: Vec<usize> = points.iter().map(|point| (point[k] * 17.0) as usize).collect();
            cells.sort_unstable();
            assert_eq!(cells, (0..17).collect::<Vec<_>>());
        }
        assert_eq!(points, latin_hypercube(17, 3, 5));
        assert_ne!(points, latin_hypercube(17, 3, 6));
    }

    #[test]
    fn evenly_spread_points_integrate_better_than_drawn_ones() {
        // The mean of the product of 3x² over four dimensions is one.
        let mean =
            |points: &[Vec<f64>]| points.iter().map(|p| p.iter().map(|x| 3.0 * x * x).product::<f64>()).sum::<f64>() / points.len() as f64;
        let even = (mean(&evenly_spread(4096, 4, 1)) - 1.0).abs();
        // One standard error of drawn points is sqrt((9/5)^4 - 1)/64 = 0.048.
        assert!(even < 0.01, "{even}");
        assert!((mean(&uniform(4096, 4, 1)) - 1.0).abs() < 0.15);
    }
}
