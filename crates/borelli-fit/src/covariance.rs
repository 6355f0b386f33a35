//! How sure the numbers of a fit are: covariance, intervals, correlation, and what the data do not determine.
//! Not here: the fit. Everything is in scaled unknowns; ends of intervals are turned into values by `unknown::Scale`.
//! Source: Bates, Watts (1988), Nonlinear regression analysis, ch. 2; singular values: Golub, Van Loan, Matrix computations, 5.5.

use faer::Mat;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A direction whose singular value is smaller than this share of the largest is not determined at all.
const UNDETERMINED: f64 = 1e-8;

/// Whether residuals are already divided by their standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Residuals have standard deviation one.
    Known,
    /// It is found from what remains: s² = r'r/(m - n).
    Estimated,
}

/// How well one direction of the unknowns is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Its standard deviation is smaller than the range of the unknowns.
    Determined,
    /// Its standard deviation is wider than the range.
    Weak,
    /// The data say nothing about it.
    Undetermined,
}

/// A direction of unknowns, by its singular value.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// Singular value of the slopes in scaled unknowns.
    pub singular: f64,
    /// How well it is determined.
    pub strength: Strength,
    /// Its components, one for each free unknown; the largest is positive.
    pub components: Vec<f64>,
}

/// What can be said about the unknowns of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Which unknowns were free; those at a bound are left out.
    pub free: Vec<usize>,
    /// Residuals less free unknowns.
    pub freedom: usize,
    /// Standard deviation of a residual.
    pub sd_residual: f64,
    /// Covariance of the free unknowns, row after row; infinite where one is not determined.
    pub covariance: Vec<f64>,
    /// Half the width of the 95 % interval in units of the standard deviation.
    pub coverage: f64,
    /// Directions, best determined first.
    pub directions: Vec<Direction>,
}

impl Statistics {
    /// Standard deviation of free unknown `j`.
    pub fn sd(&self, j: usize) -> f64 {
        self.covariance[j * self.free.len() + j].sqrt()
    }

    /// Correlation of free unknowns `i` and `j`.
    pub fn correlation(&self, i: usize, j: usize) -> f64 {
        self.covariance[i * self.free.len() + j] / (self.sd(i) * self.sd(j))
    }

    /// Largest over smallest singular value.
    pub fn condition(&self) -> f64 {
        match (self.directions.first(), self.directions.last()) {
            (Some(first), Some(last)) => first.singular / last.singular,
            _ => 1.0,
        }
    }

    /// Covariance made larger because residuals along time are alike: by (1 + ρ)/(1 - ρ) with their correlation from sample to sample. That factor.
    pub fn inflate(&mut self, lag_correlation: f64) -> f64 {
        let rho = lag_correlation.clamp(0.0, 0.999);
        let factor = (1.0 + rho) / (1.0 - rho);
        self.covariance.iter_mut().for_each(|c| *c *= factor);
        factor
    }
}

/// Statistics of `residuals` with slopes `jacobian` (row after row, by all `n` scaled unknowns) over the `free` ones.
///
/// The covariance is s² (A'A)⁻¹ through the singular values of A with columns of length one.
pub fn statistics(residuals: &[f64], jacobian: &[f64], n: usize, free: &[usize], noise: Noise) -> Statistics {
    let (m, count) = (residuals.len(), free.len());
    let freedom = m.saturating_sub(count);
    let sum: f64 = residuals.iter().map(|r| r * r).sum();
    let sd_residual = match noise {
        Noise::Known => 1.0,
        Noise::Estimated => (sum / freedom as f64).sqrt(),
    };
    let slopes = Mat::from_fn(m, count, |i, j| jacobian[i * n + free[j]]);
    let lengths: Vec<f64> = (0..count).map(|j| (0..m).map(|i| slopes[(i, j)].powi(2)).sum::<f64>().sqrt()).collect();
    let scaled = Mat::from_fn(m, count, |i, j| if lengths[j] > 0.0 { slopes[(i, j)] / lengths[j] } else { 0.0 });
    let (values, vectors) = singular(&scaled, count);
    let largest = values.first().copied().unwrap_or(0.0);
    let mut covariance = vec![0.0; count * count];
    for i in 0..count {
        for j in 0..count {
            let entry = |k: usize| {
                let product = vectors[k][i] * vectors[k][j];
                if values[k] > f64::EPSILON * largest * m.max(count) as f64 {
                    product / values[k].powi(2)
                } else if product.abs() > 1e-20 {
                    f64::INFINITY.copysign(product)
                } else {
                    0.0
                }
            };
            let total: f64 = (0..count).map(entry).sum();
            covariance[i * count + j] = sd_residual.powi(2) * total / (lengths[i] * lengths[j]);
        }
    }
    for j in (0..count).filter(|&j| lengths[j] == 0.0) {
        covariance[j * count + j] = f64::INFINITY;
    }
    let (values, vectors) = singular(&slopes, count);
    let largest = values.first().copied().unwrap_or(0.0);
    let directions = values
        .iter()
        .zip(vectors)
        .map(|(&singular, mut components)| {
            let sign = components.iter().fold(0.0, |a: f64, &b| if b.abs() > a.abs() + 1e-12 { b } else { a }).signum();
            components.iter_mut().for_each(|c| *c *= sign);
            let strength = if !(singular > UNDETERMINED * largest) {
                Strength::Undetermined
            } else if sd_residual > singular {
                Strength::Weak
            } else {
                Strength::Determined
            };
            Direction { singular, strength, components }
        })
        .collect();
    let coverage = match StudentsT::new(0.0, 1.0, freedom.max(1) as f64) {
        Ok(t) if noise == Noise::Estimated => t.inverse_cdf(0.975),
        _ => crate::uncertainty::distribution::normal_quantile(0.975),
    };
    Statistics { free: free.to_vec(), freedom, sd_residual, covariance, coverage, directions }
}

/// Singular values, largest first, with right vectors; there are as many as columns.
fn singular(matrix: &Mat<f64>, count: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
    // Rows of zeros make a wide matrix square without changing its singular values.
    let rows = matrix.nrows().max(count);
    let tall = Mat::from_fn(rows, count, |i, j| if i < matrix.nrows() { matrix[(i, j)] } else { 0.0 });
    let Ok(svd) = tall.thin_svd() else { return (vec![0.0; count], vec![vec![0.0; count]; count]) };
    let values = (0..count).map(|k| svd.S()[k]).collect();
    let vectors = (0..count).map(|k| (0..count).map(|i| svd.V()[(i, k)]).collect()).collect();
    (values, vectors)
}

/// Correlation of a series with itself one sample later.
pub fn lag_correlation(series: &[f64]) -> f64 {
    let n = series.len() as f64;
    let mean = series.iter().sum::<f64>() / n;
    let square: f64 = series.iter().map(|x| (x - mean).powi(2)).sum();
    let next: f64 = series.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    if square > 0.0 { next / square } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Stream};
    use crate::solver::least_squares::{LeastSquares, Settings};
    use crate::solver::{Answer, Slopes, Solver, drive};
    use crate::unknown::Bounds;

    #[test]
    fn the_covariance_of_a_straight_line_is_the_closed_one() {
        let jacobian: Vec<f64> = (0..10).flat_map(|t| [1.0, f64::from(t)]).collect();
        let found = statistics(&[0.0; 10], &jacobian, 2, &[0, 1], Noise::Known);
        for (entry, want) in found.covariance.iter().zip([19.0 / 55.0, -3.0 / 55.0, -3.0 / 55.0, 2.0 / 165.0]) {
            assert!((entry - want).abs() < 1e-14, "{entry} {want}");
        }
        assert!((found.coverage - 1.959_963_984_540_054).abs() < 1e-12);
        assert_eq!(found.freedom, 8);
    }

    /// NIST StRD, Misra1a: certified estimates, standard deviations and sum of squares.
    #[test]
    fn estimates_and_spreads_of_misra1a_are_the_certified_ones() {
        let y = [10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78];
        let x = [77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0];
        let evaluate = |b: &[f64]| {
            let residuals = x.iter().zip(y).map(|(x, y)| b[0] * (1.0 - (-b[1] * x).exp()) - y).collect();
            let rows = x.iter().flat_map(|x| [1.0 - (-b[1] * x).exp(), b[0] * x * (-b[1] * x).exp()]).collect();
            Answer { residuals, slopes: Slopes { residuals: rows, ..Slopes::default() }, ..Answer::default() }
        };
        let mut solver = LeastSquares::new(Bounds::none(2), vec![500.0, 1e-4], Settings::default());
        drive(&mut solver, |query| evaluate(&query.point), |_| true);
        let best = solver.best().clone();
        assert!((best.objective / 0.124_551_388_94 - 1.0).abs() < 1e-9, "{best:?}");
        assert!((best.point[0] / 238.942_129_18 - 1.0).abs() < 1e-8 && (best.point[1] / 5.501_564_318_1e-4 - 1.0).abs() < 1e-8, "{best:?}");
        let at = evaluate(&best.point);
        let found = statistics(&at.residuals, &at.slopes.residuals, 2, &[0, 1], Noise::Estimated);
        assert!((found.sd(0) / 2.707_007_524_1 - 1.0).abs() < 1e-7, "{}", found.sd(0));
        assert!((found.sd(1) / 7.266_868_843_6e-6 - 1.0).abs() < 1e-7, "{}", found.sd(1));
        assert!((found.correlation(0, 1) + 0.998_776_192).abs() < 1e-8);
        // 97.5 % of Student's t with 12 degrees of freedom.
        assert!((found.coverage - 2.178_812_829_66).abs() < 1e-8);
    }

    #[test]
    fn what_the_data_do_not_determine_is_named() {
        // Only the sum of the first two unknowns acts; the fourth does not act at all; the third is held.
        let jacobian: Vec<f64> = (0..12).flat_map(|t| [f64::from(t), f64::from(t), 1.0, 0.0]).collect();
        let found = statistics(&[0.1; 12], &jacobian, 4, &[0, 1, 3], Noise::Estimated);
        let strengths: Vec<Strength> = found.directions.iter().map(|d| d.strength).collect();
        assert_eq!(strengths, [Strength::Determined, Strength::Undetermined, Strength::Undetermined]);
        let along = &found.directions[0].components;
        assert!((along[0] - 0.5f64.sqrt()).abs() < 1e-12 && (along[1] - 0.5f64.sqrt()).abs() < 1e-12 && along[2].abs() < 1e-12);
        assert!(found.sd(0).is_infinite() && found.sd(1).is_infinite() && found.sd(2).is_infinite());
        assert_eq!(statistics(&[5.0], &[0.1], 1, &[0], Noise::Known).directions[0].strength, Strength::Weak);
    }

    #[test]
    fn more_unknowns_than_residuals_are_no_fault() {
        let found = statistics(&[0.5], &[1.0, 2.0, 3.0], 3, &[0, 1, 2], Noise::Known);
        assert_eq!(found.freedom, 0);
        assert_eq!(found.directions.iter().filter(|d| d.strength == Strength::Undetermined).count(), 2);
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let jacobian: Vec<f64> = (0..20).flat_map(|t| [1.0, f64::from(t) / 19.0]).collect();
        let mut inside = 0;
        for round in 0..2000 {
            let mut stream = Stream::new(3, Purpose::Noise, round, 0, 0);
            let noise: Vec<f64> = (0..20).map(|_| 0.3 * stream.normal()).collect();
            // Least squares of a line: the error of the estimate is (A'A)^-1 A' noise.
            let (mut right, mut normal) = ([0.0; 2], [0.0; 3]);
            for (row, e) in jacobian.chunks_exact(2).zip(&noise) {
                right = [right[0] + row[0] * e, right[1] + row[1] * e];
                normal = [normal[0] + row[0] * row[0], normal[1] + row[0] * row[1], normal[2] + row[1] * row[1]];
            }
            let determinant = normal[0] * normal[2] - normal[1] * normal[1];
            let error =
                [(normal[2] * right[0] - normal[1] * right[1]) / determinant, (normal[0] * right[1] - normal[1] * right[0]) / determinant];
            let residuals: Vec<f64> =
                jacobian.chunks_exact(2).zip(&noise).map(|(row, e)| e - row[0] * error[0] - row[1] * error[1]).collect();
            let found = statistics(&residuals, &jacobian, 2, &[0, 1], Noise::Estimated);
            inside += usize::from(error[1].abs() < found.coverage * found.sd(1));
        }
        // 95 % of 2000 is 1900; four standard deviations are 39.
        assert!((1861..=1939).contains(&inside), "{inside}");
    }

    #[test]
    fn residuals_that_are_alike_widen_the_intervals() {
        let mut series = vec![0.0f64];
        let mut stream = Stream::new(1, Purpose::Noise, 0, 0, 0);
        for k in 0..20_000 {
            series.push(0.6 * series[k] + stream.normal());
        }
        assert!((lag_correlation(&series) - 0.6).abs() < 0.03);
        let mut found = statistics(&[0.0; 10], &(0..10).flat_map(|t| [1.0, f64::from(t)]).collect::<Vec<_>>(), 2, &[0, 1], Noise::Known);
        let before = found.sd(1);
        found.inflate(0.6);
        assert!((found.sd(1) / before - 2.0).abs() < 1e-12);
    }
}
