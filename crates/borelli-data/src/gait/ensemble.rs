//! Means over cycles: mean, standard deviation, and cycles that lie apart from the others.
//! Not here: curves over a cycle (`cycle`).
//! In: curves of equal length. Out: one mean curve with its band, and marks.

/// Samples of a cycle: 0 to 100 per cent.
pub const SAMPLES: usize = 101;

/// Distance from the median, in robust standard deviations, beyond which a cycle is marked.
const APART: f64 = 3.5;

/// Standard deviation of a normal distribution over its median absolute deviation.
const ROBUST: f64 = 1.482_602_218_505_602;

/// A mean curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    /// Mean at each sample.
    pub mean: Vec<f64>,
    /// Standard deviation with n - 1 at each sample; nothing for a single cycle.
    pub sd: Option<Vec<f64>>,
    /// Which cycles lie far from the others; they are marked, not left out.
    pub outlying: Vec<bool>,
}

/// Mean and spread of cycles; nothing without cycles or for curves of different length.
///
/// A cycle is outlying when its root mean square distance from the median curve exceeds 3.5 robust standard deviations: 1.4826 times the median of the
/// absolute distances of all cycles and samples. Fewer than four cycles mark none: two against one says nothing.
///
/// Tests: `mean_and_spread_are_those_of_the_textbook`, `one_wild_cycle_is_marked`.
pub fn ensemble(curves: &[Vec<f64>]) -> Option<Ensemble> {
    let n = curves.len();
    let samples = curves.first()?.len();
    if samples == 0 || curves.iter().any(|curve| curve.len() != samples) {
        return None;
    }
    let mean: Vec<f64> = (0..samples).map(|k| curves.iter().map(|curve| curve[k]).sum::<f64>() / n as f64).collect();
    let sd = (n > 1).then(|| {
        let spread = |k: usize| curves.iter().map(|curve| (curve[k] - mean[k]).powi(2)).sum::<f64>() / (n - 1) as f64;
        (0..samples).map(|k| spread(k).sqrt()).collect()
    });
    Some(Ensemble { outlying: outlying(curves), mean, sd })
}

fn outlying(curves: &[Vec<f64>]) -> Vec<bool> {
    let samples = curves.first().map_or(0, Vec::len);
    if curves.len() < 4 {
        return vec![false; curves.len()];
    }
    let middle: Vec<f64> = (0..samples).map(|k| median(curves.iter().map(|curve| curve[k]).collect())).collect();
    let away = |curve: &Vec<f64>| -> Vec<f64> { curve.iter().zip(&middle).map(|(y, m)| (y - m).abs()).collect() };
    let all: Vec<Vec<f64>> = curves.iter().map(away).collect();
    let robust = ROBUST * median(all.concat());
    // Curves that are equal to rounding have no outliers.
    let size = middle.iter().fold(0.0_f64, |most, m| most.max(m.abs()));
    let limit = (APART * robust).max(1e-9 * size);
    all.iter().map(|away| (away.iter().map(|d| d * d).sum::<f64>() / samples as f64).sqrt() > limit).collect()
}

/// Median; of an even number the mean of the middle two; zero of nothing.
pub(super) fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    match list.len() {
        0 => 0.0,
        n if n % 2 == 1 => list[n / 2],
        n => 0.5 * (list[n / 2 - 1] + list[n / 2]),
    }
}
