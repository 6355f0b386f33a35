//! Which inputs matter at all, from few runs: mean size and spread of what one step of an input does.
//! Not here: the runs; points are given out and values taken in.
//! Source: Morris (1991), Technometrics 33:161; mean of absolute effects: Campolongo, Cariboni, Saltelli (2007).

use crate::random::{Purpose, Stream};

/// Levels of each input.
const LEVELS: usize = 4;
/// Length of a step, p/(2(p - 1)).
const STEP: f64 = LEVELS as f64 / (2.0 * (LEVELS as f64 - 1.0));

/// Points at which a result is wanted: `r` paths of d + 1 points, each step of which changes one input.
pub fn design(r: usize, d: usize, seed: u32) -> Vec<Vec<f64>> {
    (0..r).flat_map(|path| trajectory(path, d, seed).0).collect()
}

/// One path, and which input each of its steps changes, with its sign.
fn trajectory(path: usize, d: usize, seed: u32) -> (Vec<Vec<f64>>, Vec<(usize, f64)>) {
    let mut stream = Stream::new(seed, Purpose::Trajectory, path as u32, 0, 0);
    // Half of the levels lie low enough for a step up, the other half high enough for one down.
    let mut at: Vec<f64> = (0..d).map(|_| stream.below(LEVELS) as f64 / (LEVELS as f64 - 1.0)).collect();
    let mut points = vec![at.clone()];
    let mut steps = Vec::with_capacity(d);
    for k in stream.permutation(d) {
        let sign = if at[k] < 0.5 { 1.0 } else { -1.0 };
        at[k] += sign * STEP;
        points.push(at.clone());
        steps.push((k, sign));
    }
    (points, steps)
}

/// What one input does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// Mean of absolute effects: whether it matters.
    pub size: f64,
    /// Their standard deviation: whether it acts with others, or not in proportion.
    pub spread: f64,
    /// Effects that were finite.
    pub count: usize,
}

/// Effects of `d` inputs from results at the points of `design`, in their order.
pub fn effects(values: &[f64], d: usize, seed: u32) -> Vec<Effect> {
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); d];
    for (path, row) in values.chunks_exact(d + 1).enumerate() {
        for (place, (k, sign)) in trajectory(path, d, seed).1.into_iter().enumerate() {
            let effect = (row[place + 1] - row[place]) / (sign * STEP);
            if effect.is_finite() {
                found[k].push(effect);
            }
        }
    }
    found
        .iter()
        .map(|effects| {
            let n = effects.len() as f64;
            let mean = effects.iter().sum::<f64>() / n;
            let variance = effects.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
            Effect { size: effects.iter().map(|e| e.abs()).sum::<f64>() / n, spread: variance.sqrt(), count: effects.len() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_input_has_its_slope_and_no_spread_a_product_has_spread() {
        let f = |u: &[f64]| 3.0 * u[0] - 2.0 * u[1] + u[2] * u[3];
        let points = design(40, 5, 3);
        assert_eq!(points.len(), 240);
        assert!(points.iter().flatten().all(|u| (-1e-12..=1.0 + 1e-12).contains(u)));
        let values: Vec<f64> = points.iter().map(|u| f(u)).collect();
        let effects = effects(&values, 5, 3);
        assert!((effects[0].size - 3.0).abs() < 1e-12 && effects[0].spread < 1e-12);
        assert!((effects[1].size - 2.0).abs() < 1e-12 && effects[1].spread < 1e-12);
        // The effect of one factor is the other one: its mean is 1/2 over the levels, its spread that of 0, 1/3, 2/3, 1.
        assert!((effects[2].size - 0.5).abs() < 0.2 && (effects[2].spread - 0.38).abs() < 0.12, "{:?}", effects[2]);
        assert_eq!((effects[4].size, effects[4].spread, effects[4].count), (0.0, 0.0, 40));
    }
}
