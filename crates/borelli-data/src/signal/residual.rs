//! Residual analysis: what a low-pass filter takes away, over its cut-off, and the cut-off that this proposes.
//! Not here: drawing the curve.
//! In: even samples. Out: the curve, the straight line through its part of pure noise, the proposed cut-off.

use super::butterworth::{Butterworth, Correction};
use super::fault::{SignalFault, check_finite};

/// How a residual analysis is made.
#[derive(Clone, Debug, PartialEq)]
pub struct ResidualOptions {
    /// Order of one pass of the filter, which runs forward and backward.
    pub order: usize,
    /// How its two passes are corrected.
    pub correction: Correction,
    /// Cut-offs, Hz, increasing. Empty: a hundred even steps up to 0.3 of the rate, beyond which sampled noise bends the curve.
    pub cutoffs: Vec<f64>,
    /// The cut-offs that the straight line is fitted to, first and last, Hz. Nothing: the longest straight part is looked for.
    pub fit: Option<(f64, f64)>,
    /// How far the curve may leave the line for a part to count as straight, as a part of the curve's value at the beginning of that part.
    pub straightness: f64,
}

impl Default for ResidualOptions {
    fn default() -> Self {
        ResidualOptions { order: 2, correction: Correction::Exact, cutoffs: Vec::new(), fit: None, straightness: 0.02 }
    }
}

/// What a residual analysis found.
#[derive(Clone, Debug, PartialEq)]
pub struct ResidualAnalysis {
    /// The proposed cut-off, Hz: where the curve falls to the intercept.
    pub cutoff: f64,
    /// Where the line meets cut-off zero: the estimated root mean square of the noise, in the unit of the signal.
    pub intercept: f64,
    /// Slope of the line per Hz.
    pub slope: f64,
    /// Share of the variation of the fitted part that the line explains.
    pub r_squared: f64,
    /// First and last cut-off of the fitted part, Hz.
    pub fitted: (f64, f64),
    /// Largest distance of the curve from the line over the fitted part, relative to the curve at its beginning.
    pub straightness: f64,
    /// Whether the fitted part is as straight as was asked for. Where it is not, the proposal is only a guess.
    pub straight: bool,
    /// Cut-off, Hz, and root mean square of what the filter takes away.
    pub curve: Vec<(f64, f64)>,
}

/// Fewest points of a fitted part.
const FEWEST: usize = 5;

/// A cut-off for a signal by the usual rules; see [`analyse_residuals`].
pub fn propose_cutoff(x: &[f64], rate: f64) -> Result<ResidualAnalysis, SignalFault> {
    analyse_residuals(x, rate, &ResidualOptions::default())
}

/// Residual analysis.
///
///     R(fc) = sqrt(mean((x - x_filtered(fc))²))
///
/// Noise that is the same at all frequencies makes R fall in a straight line towards high cut-offs; the signal lifts it above the line at low ones. The
/// line's value at fc = 0 is an estimate of the noise that a filter leaves in the signal, and the cut-off with R(fc) equal to it takes as much signal
/// as it leaves noise.
///
/// Without a given part, the line is fitted to the longest run of cut-offs ending at the highest that stays within `straightness` of it, at least a
/// quarter of all; if none does, to the upper half, and `straight` is false.
///
/// Source: D. A. Winter, Biomechanics and Motor Control of Human Movement, section 3.4.4.3. Departure: the choice of the straight part, which Winter makes
/// by eye. Limits: noise with a colour of its own has no straight part. Tests: `the_proposed_cutoff_is_that_of_the_reference`,
/// `the_intercept_is_the_noise_of_a_noisy_sine`.
pub fn analyse_residuals(x: &[f64], rate: f64, options: &ResidualOptions) -> Result<ResidualAnalysis, SignalFault> {
    if x.len() < 10 {
        return Err(SignalFault::TooFewSamples { found: x.len(), needed: 10 });
    }
    check_finite(x)?;
    let cutoffs = match options.cutoffs.is_empty() {
        true => (1..=100).map(|k| 0.003 * f64::from(k) * rate).collect(),
        false => options.cutoffs.clone(),
    };
    let mut curve = Vec::with_capacity(cutoffs.len());
    for cutoff in cutoffs {
        let filtered = Butterworth::low_pass(options.order, cutoff, rate, 2, options.correction)?.filter(x, None);
        let squares: f64 = filtered.iter().zip(x).map(|(a, b)| (a - b) * (a - b)).sum();
        curve.push((cutoff, (squares / x.len() as f64).sqrt()));
    }
    let n = curve.len();
    let part = match options.fit {
        // Grids are written as 1, 1.5, ...: half a millionth of a Hz is their rounding.
        Some((low, high)) => {
            let inside: Vec<usize> = (0..n).filter(|k| curve[*k].0 >= low - 5e-7 && curve[*k].0 <= high + 5e-7).collect();
            inside.first().map_or(0..0, |first| *first..inside[inside.len() - 1] + 1)
        }
        None => {
            let straight = |from: &usize| Line::through(&curve[*from..]).is_some_and(|line| line.straightness <= options.straightness);
            (0..=n.saturating_sub((n / 4).max(FEWEST))).find(straight).unwrap_or(n / 2)..n
        }
    };
    let too_few = SignalFault::TooFewCutoffs { found: part.len(), needed: FEWEST };
    if part.len() < FEWEST {
        return Err(too_few);
    }
    let line = Line::through(&curve[part.clone()]).ok_or(too_few)?;
    // The last place where the curve comes down to the intercept; the first cut-off if it lies below from the beginning.
    let above = curve.iter().rposition(|(_, R)| *R > line.intercept);
    let cutoff = match above {
        Some(k) if k + 1 < n => {
            let ((f0, R0), (f1, R1)) = (curve[k], curve[k + 1]);
            f0 + (f1 - f0) * (R0 - line.intercept) / (R0 - R1)
        }
        Some(k) => curve[k].0,
        None => curve[0].0,
    };
    Ok(ResidualAnalysis {
        cutoff,
        intercept: line.intercept,
        slope: line.slope,
        r_squared: line.r_squared,
        fitted: (curve[part.start].0, curve[part.end - 1].0),
        straightness: line.straightness,
        straight: line.straightness <= options.straightness,
        curve,
    })
}

/// A straight line by least squares.
struct Line {
    intercept: f64,
    slope: f64,
    r_squared: f64,
    straightness: f64,
}

impl Line {
    fn through(points: &[(f64, f64)]) -> Option<Line> {
        let n = points.len() as f64;
        let mean = |pick: fn(&(f64, f64)) -> f64| points.iter().map(pick).sum::<f64>() / n;
        let (f, R) = (mean(|p| p.0), mean(|p| p.1));
        let spread: f64 = points.iter().map(|p| (p.0 - f).powi(2)).sum();
        let slope = points.iter().map(|p| (p.0 - f) * (p.1 - R)).sum::<f64>() / spread;
        if !slope.is_finite() {
            return None;
        }
        let intercept = R - slope * f;
        let off = |p: &(f64, f64)| p.1 - intercept - slope * p.0;
        let (left, all) = (points.iter().map(|p| off(p).powi(2)).sum::<f64>(), points.iter().map(|p| (p.1 - R).powi(2)).sum::<f64>());
        let worst = points.iter().map(|p| off(p).abs()).fold(0.0, f64::max);
        let first = points[0].1;
        Some(Line {
            intercept,
            slope,
            r_squared: if all > 0.0 { 1.0 - left / all } else { 1.0 },
            straightness: if first > 0.0 { worst / first } else { 0.0 },
        })
    }
}

#[cfg(test)]
#[path = "residual_tests.rs"]
mod tests;
