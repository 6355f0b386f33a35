//! Bands of uncertain results: from sensitivities, and from samples.
//! Not here: how sensitivities or samples were found.

/// Standard deviation of one result from its slopes by the inputs and their covariance (row after row): √(s C s').
pub fn linear_sd(slopes: &[f64], covariance: &[f64]) -> f64 {
    let n = slopes.len();
    let variance: f64 = (0..n).map(|i| slopes[i] * (0..n).map(|j| covariance[i * n + j] * slopes[j]).sum::<f64>()).sum();
    variance.max(0.0).sqrt()
}

/// What samples of one number say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Values below which 2.5, 50 and 97.5 % of the samples lie.
    pub quantiles: [f64; 3],
}

/// The band of samples; none without any. `values` is sorted in passing.
pub fn sampled(values: &mut [f64]) -> Option<Band> {
    let n = values.len();
    if n == 0 {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let mean = values.iter().sum::<f64>() / n as f64;
    let sd = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n.max(2) - 1) as f64).sqrt();
    let quantile = |share: f64| {
        let place = share * (n - 1) as f64;
        let (below, part) = (place as usize, place.fract());
        values[below] + part * (values[(below + 1).min(n - 1)] - values[below])
    };
    Some(Band { mean, sd, quantiles: [quantile(0.025), quantile(0.5), quantile(0.975)] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_of_a_sum_and_a_difference_of_correlated_inputs() {
        // sd 3 and 4, correlation 0.5: variances 9 + 16 + 12 and 9 + 16 - 12.
        let covariance = [9.0, 6.0, 6.0, 16.0];
        assert!((linear_sd(&[1.0, 1.0], &covariance) - 37f64.sqrt()).abs() < 1e-14);
        assert!((linear_sd(&[1.0, -1.0], &covariance) - 13f64.sqrt()).abs() < 1e-14);
    }

    #[test]
    fn the_band_of_evenly_spaced_numbers() {
        let mut values: Vec<f64> = (0..=1000).rev().map(f64::from).collect();
        let band = sampled(&mut values).unwrap();
        assert_eq!(band.quantiles, [25.0, 500.0, 975.0]);
        assert_eq!(band.mean, 500.0);
        assert!((band.sd - (1001f64 * 1002.0 / 12.0).sqrt()).abs() < 1e-9);
        assert_eq!(sampled(&mut []), None);
        assert_eq!(sampled(&mut [2.0]).unwrap().sd, 0.0);
    }
}
