//! Noise over time: new at every sample, dying away with a time constant, or the same at all samples.
//! Not here: what it is put on. In: times, a stream of random numbers. Out: noise of standard deviation one.

use crate::random::Stream;

/// How long noise remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory {
    /// Not at all: every sample is drawn anew.
    None,
    /// With a time constant τ, s: samples Δt apart have the correlation exp(-Δt/τ).
    Fading(f64),
    /// For ever: one number for all samples.
    Lasting,
}

/// Noise at increasing times, s.
///
/// With a time constant it is the stationary autoregressive process of first order, of which the samples may be uneven:
///
///     x₀ = n₀,    xₖ = φₖ xₖ₋₁ + √(1 - φₖ²) nₖ,    φₖ = exp(-(tₖ - tₖ₋₁)/τ)
pub fn noise(memory: Memory, times: &[f64], stream: &mut Stream) -> Vec<f64> {
    let mut before: Option<(f64, f64)> = None;
    let next = |t: &f64| {
        let share = match (memory, before) {
            (_, None) | (Memory::None, _) => 0.0,
            (Memory::Lasting, _) => 1.0,
            (Memory::Fading(constant), Some((last, _))) => (-(t - last) / constant).exp(),
        };
        let old = before.map_or(0.0, |(_, x)| x);
        let x = if share == 1.0 { old } else { share * old + (1.0 - share * share).sqrt() * stream.normal() };
        before = Some((*t, x));
        x
    };
    times.iter().map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    fn drawn(memory: Memory, times: &[f64]) -> Vec<f64> {
        noise(memory, times, &mut Stream::new(3, Purpose::Noise, 0, 0, 0))
    }

    /// Correlation of samples `lag` apart.
    fn correlation(x: &[f64], lag: usize) -> f64 {
        let n = (x.len() - lag) as f64;
        x.iter().zip(&x[lag..]).map(|(a, b)| a * b).sum::<f64>() / n
    }

    #[test]
    fn noise_has_the_spread_and_the_correlation_of_its_memory() {
        let times: Vec<f64> = (0..200_000).map(|k| 0.01 * f64::from(k)).collect();
        let white = drawn(Memory::None, &times);
        // Four standard errors: of a variance √(2/n), of a correlation √(1/n).
        assert!((correlation(&white, 0) - 1.0).abs() < 0.013 && correlation(&white, 1).abs() < 0.009);
        let fading = drawn(Memory::Fading(0.05), &times);
        // Neighbours are alike, so that (1 + φ²)/(1 - φ²) times fewer samples count.
        for lag in [0, 1, 5, 10] {
            let expected = (-0.2 * lag as f64).exp();
            assert!((correlation(&fading, lag) - expected).abs() < 0.03, "{lag}: {} {expected}", correlation(&fading, lag));
        }
        let lasting = drawn(Memory::Lasting, &times);
        assert!(lasting.iter().all(|x| *x == lasting[0]) && lasting[0] != 0.0);
    }

    #[test]
    fn uneven_samples_are_correlated_by_the_time_between_them() {
        // Pairs 5 ms apart, with a second between the pairs.
        let times: Vec<f64> = (0..40_000).map(|k| f64::from(k / 2) + 0.005 * f64::from(k % 2)).collect();
        let x = drawn(Memory::Fading(0.01), &times);
        let pairs = x.chunks_exact(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / 20_000.0;
        let apart = x[1..].chunks_exact(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / 19_999.0;
        assert!((pairs - (-0.5_f64).exp()).abs() < 0.035 && apart.abs() < 0.03, "{pairs} {apart}");
    }
}
