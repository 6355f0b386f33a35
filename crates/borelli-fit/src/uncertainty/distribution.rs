//! Distributions of one uncertain number, and several of them drawn with correlation.
//! Not here: random numbers; a share between 0 and 1 is turned into a value.

use statrs::distribution::{ContinuousCDF, Normal};

/// How an uncertain number is distributed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Normal.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        sd: f64,
    },
    /// The logarithm is normal; `sd` is relative to the mean.
    LogNormal {
        /// Mean of the number itself, positive.
        mean: f64,
        /// Standard deviation of the number itself, over its mean.
        sd: f64,
    },
    /// Anywhere between two ends.
    Uniform {
        /// Least value.
        low: f64,
        /// Largest value.
        high: f64,
    },
    /// Between two ends, most likely at `mode`.
    Triangular {
        /// Least value.
        low: f64,
        /// Most likely value.
        mode: f64,
        /// Largest value.
        high: f64,
    },
}

/// Why a distribution cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadDistribution {
    /// A standard deviation that is not above zero.
    Spread,
    /// A mean of a log-normal distribution that is not above zero.
    NotPositive,
    /// Ends in the wrong order, or the mode not between them.
    Order,
}

impl Distribution {
    /// Whether this distribution can be used.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(self) -> Result<(), BadDistribution> {
        match self {
            Distribution::Normal { mean, sd } if !(sd > 0.0 && sd.is_finite() && mean.is_finite()) => Err(BadDistribution::Spread),
            Distribution::LogNormal { sd, .. } if !(sd > 0.0 && sd.is_finite()) => Err(BadDistribution::Spread),
            Distribution::LogNormal { mean, .. } if !(mean > 0.0 && mean.is_finite()) => Err(BadDistribution::NotPositive),
            Distribution::Uniform { low, high } if !(low < high && low.is_finite() && high.is_finite()) => Err(BadDistribution::Order),
            Distribution::Triangular { low, mode, high }
                if !(low <= mode && mode <= high && low < high && low.is_finite() && high.is_finite()) =>
            {
                Err(BadDistribution::Order)
            }
            _ => Ok(()),
        }
    }

    /// The value below which a share `u` of all lies, 0 < u < 1.
    pub fn quantile(self, u: f64) -> f64 {
        match self {
            Distribution::Normal { mean, sd } => mean + sd * normal_quantile(u),
            Distribution::LogNormal { mean, sd } => {
                // Of the logarithm: variance ln(1 + sd²), mean ln(mean) - half of it.
                let variance = (sd * sd).ln_1p();
                (mean.ln() - 0.5 * variance + variance.sqrt() * normal_quantile(u)).exp()
            }
            Distribution::Uniform { low, high } => low + (high - low) * u,
            Distribution::Triangular { low, mode, high } => {
                let peak = (mode - low) / (high - low);
                if u < peak {
                    low + (u * (high - low) * (mode - low)).sqrt()
                } else {
                    high - ((1.0 - u) * (high - low) * (high - mode)).sqrt()
                }
            }
        }
    }

    /// The value at a level between 0 and 1, evenly over what is likely: of a distribution with ends all of it, of others the middle 95 %.
    pub fn level(self, u: f64) -> f64 {
        let (low, high) = match self {
            Distribution::Normal { .. } | Distribution::LogNormal { .. } => (self.quantile(0.025), self.quantile(0.975)),
            Distribution::Uniform { low, high } | Distribution::Triangular { low, high, .. } => (low, high),
        };
        low + (high - low) * u.clamp(0.0, 1.0)
    }

    /// Mean.
    pub fn mean(self) -> f64 {
        match self {
            Distribution::Normal { mean, .. } | Distribution::LogNormal { mean, .. } => mean,
            Distribution::Uniform { low, high } => 0.5 * (low + high),
            Distribution::Triangular { low, mode, high } => (low + mode + high) / 3.0,
        }
    }

    /// Standard deviation.
    pub fn sd(self) -> f64 {
        match self {
            Distribution::Normal { sd, .. } => sd,
            Distribution::LogNormal { mean, sd } => mean * sd,
            Distribution::Uniform { low, high } => (high - low) / 12f64.sqrt(),
            Distribution::Triangular { low, mode, high } => {
                ((low * low + mode * mode + high * high - low * mode - low * high - mode * high) / 18.0).sqrt()
            }
        }
    }
}

/// The number below which a share `u` of the standard normal distribution lies.
pub fn normal_quantile(u: f64) -> f64 {
    Normal::standard().inverse_cdf(u)
}

/// The share of the standard normal distribution below `x`.
pub fn normal_share(x: f64) -> f64 {
    Normal::standard().cdf(x)
}

/// Lower factor L of a correlation matrix, row after row, C = L L'; none where it is not positive definite.
pub fn correlation_factor(correlation: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut factor = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| factor[i * n + k] * factor[j * n + k]).sum();
            let rest = correlation[i * n + j] - sum;
            if i == j {
                if !(rest > 0.0) {
                    return None;
                }
                factor[i * n + i] = rest.sqrt();
            } else {
                factor[i * n + j] = rest / factor[j * n + j];
            }
        }
    }
    Some(factor)
}

/// Shares with the correlation whose factor is given, from independent ones: by way of normal numbers (Gaussian copula).
pub fn correlated(shares: &[f64], factor: &[f64]) -> Vec<f64> {
    let n = shares.len();
    let normals: Vec<f64> = shares.iter().map(|&u| normal_quantile(u)).collect();
    (0..n).map(|i| normal_share((0..=i).map(|j| factor[i * n + j] * normals[j]).sum())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::evenly_spread;

    const ALL: [Distribution; 4] = [
        Distribution::Normal { mean: 3.0, sd: 0.5 },
        Distribution::LogNormal { mean: 2e5, sd: 0.3 },
        Distribution::Uniform { low: -1.0, high: 4.0 },
        Distribution::Triangular { low: 1.0, mode: 1.5, high: 4.0 },
    ];

    #[test]
    fn quantiles_have_the_mean_and_spread_that_are_stated() {
        let n = 200_000;
        for distribution in ALL {
            let values: Vec<f64> = (0..n).map(|i| distribution.quantile((i as f64 + 0.5) / n as f64)).collect();
            let mean = values.iter().sum::<f64>() / n as f64;
            let sd = (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
            assert!((mean / distribution.mean() - 1.0).abs() < 1e-5, "{distribution:?} {mean}");
            assert!((sd / distribution.sd() - 1.0).abs() < 1e-3, "{distribution:?} {sd}");
        }
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
    }

    #[test]
    fn levels_run_from_end_to_end_of_what_is_likely() {
        let ends = |d: Distribution| [d.level(0.0), d.level(0.5), d.level(1.0)];
        assert_eq!(ends(Distribution::Uniform { low: -1.0, high: 4.0 }), [-1.0, 1.5, 4.0]);
        let [low, middle, high] = ends(Distribution::Normal { mean: 3.0, sd: 0.5 });
        assert!(
            (middle - 3.0).abs() < 1e-12 && (high - 3.0 - 0.5 * 1.959_963_984_540_054).abs() < 1e-12 && (low + high - 6.0).abs() < 1e-12
        );
    }

    #[test]
    fn bad_numbers_are_told_apart() {
        assert!(ALL.iter().all(|d| d.check().is_ok()));
        assert_eq!(Distribution::Normal { mean: 1.0, sd: 0.0 }.check(), Err(BadDistribution::Spread));
        assert_eq!(Distribution::LogNormal { mean: -1.0, sd: 0.1 }.check(), Err(BadDistribution::NotPositive));
        assert_eq!(Distribution::Uniform { low: 1.0, high: 1.0 }.check(), Err(BadDistribution::Order));
        assert_eq!(Distribution::Triangular { low: 0.0, mode: 2.0, high: 1.0 }.check(), Err(BadDistribution::Order));
    }

    #[test]
    fn drawn_shares_have_the_correlation_asked_for() {
        let factor = correlation_factor(&[1.0, 0.8, 0.8, 1.0], 2).unwrap();
        let normals: Vec<[f64; 2]> = evenly_spread(20_000, 2, 1)
            .iter()
            .map(|shares| correlated(shares, &factor))
            .map(|u| [normal_quantile(u[0]), normal_quantile(u[1])])
            .collect();
        let mean = |f: fn(&[f64; 2]) -> f64| normals.iter().map(f).sum::<f64>() / 20_000.0;
        assert!((mean(|x| x[0] * x[1]) - 0.8).abs() < 2e-3);
        assert!((mean(|x| x[1] * x[1]) - 1.0).abs() < 2e-3);
        assert_eq!(correlation_factor(&[1.0, 1.1, 1.1, 1.0], 2), None);
    }
}
