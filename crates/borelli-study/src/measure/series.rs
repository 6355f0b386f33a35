//! What measures ask of a series: the samples that are there, and values between them.
//! Not here: any measure.
//!
//! Between samples k and k+1 the value is that of the cubic through samples k−1 to k+2; at the ends and beside missing values the four (or as
//! many as there are) nearest on the other side. Error 3/128 h⁴ |f⁗| inside, 1/24 h⁴ |f⁗| in the end intervals (h the distance of
//! samples); across a kink only of the order of h.

use super::fault::MeasureFault;
use super::inputs::Series;

/// Times that differ by less than this part of the length of the series are the same: times are sums of steps.
const SAME: f64 = 1e-9;

impl<'a> Series<'a> {
    /// Itself, if it has as many values as times and at least one sample.
    pub(super) fn checked(self) -> Result<Series<'a>, MeasureFault> {
        let (times, values) = (self.time.len(), self.values.len());
        if times != values {
            return Err(MeasureFault::UnequalLengths { times, values });
        }
        Ok(self)
    }

    /// The samples from one time to another, ends included to rounding; at least one of them has a value.
    pub(super) fn between(self, from: f64, to: f64) -> Result<Series<'a>, MeasureFault> {
        let slack = self.slack();
        let first = self.time.partition_point(|t| *t < from - slack);
        let end = self.time.partition_point(|t| *t <= to + slack).max(first);
        let part = Series { time: &self.time[first..end], values: &self.values[first..end], dim: self.dim };
        if part.values.iter().all(|value| value.is_nan()) { Err(MeasureFault::NoSamples { from, to }) } else { Ok(part) }
    }

    fn slack(&self) -> f64 {
        match self.time {
            [first, .., last] => SAME * (last - first),
            _ => 0.0,
        }
    }

    /// Samples with a value: time and value.
    pub(super) fn samples(self) -> impl DoubleEndedIterator<Item = (f64, f64)> + Clone {
        self.time.iter().copied().zip(self.values.iter().copied()).filter(|(_, value)| !value.is_nan())
    }

    /// Mean of a function of the value over time, by the trapezoidal rule over the intervals with values at both ends:
    ///
    ///     Σ ½ (g(f_k) + g(f_k+1)) (t_k+1 − t_k) / Σ (t_k+1 − t_k)
    ///
    /// Where there is no such interval, the mean over the samples.
    pub(super) fn mean_of(self, g: fn(f64) -> f64) -> f64 {
        let (mut area, mut length) = (0.0, 0.0);
        for (t, f) in self.time.windows(2).zip(self.values.windows(2)) {
            if !f[0].is_nan() && !f[1].is_nan() {
                area += 0.5 * (g(f[0]) + g(f[1])) * (t[1] - t[0]);
                length += t[1] - t[0];
            }
        }
        if length > 0.0 {
            return area / length;
        }
        self.samples().map(|(_, value)| g(value)).sum::<f64>() / self.samples().count() as f64
    }

    /// The value at a time: exact at samples, else of the local cubic.
    pub(super) fn at(self, time: f64) -> Result<f64, MeasureFault> {
        let (Some(&first), Some(&last)) = (self.time.first(), self.time.last()) else {
            return Err(MeasureFault::NoSamples { from: time, to: time });
        };
        let slack = self.slack();
        if !(first - slack <= time && time <= last + slack) {
            return Err(MeasureFault::OutsideSeries { time, first, last });
        }
        let t = time.clamp(first, last);
        let k = self.time.partition_point(|sample| *sample <= t) - 1;
        let missing = |k: usize| self.values[k].is_nan();
        let exact = self.time[k] == t;
        if missing(k) || !exact && missing(k + 1) {
            return Err(MeasureFault::MissingValue { time });
        }
        Ok(if exact { self.values[k] } else { self.cubic(k, t) })
    }

    /// The local cubic of interval k at a time in it; both its ends have values.
    pub(super) fn cubic(self, k: usize, t: f64) -> f64 {
        let there = |k: Option<usize>| k.and_then(|k| self.values.get(k)).is_some_and(|value| !value.is_nan());
        let (mut low, mut high) = (k, k + 1);
        if there(low.checked_sub(1)) {
            low -= 1;
        }
        if there(Some(high + 1)) {
            high += 1;
        }
        if high - low < 3 {
            if low < k && there(low.checked_sub(1)) {
                low -= 1;
            } else if high > k + 1 && there(Some(high + 1)) {
                high += 1;
            }
        }
        // Neville's scheme, from the times relative to t
        let n = high - low + 1;
        let (mut s, mut p) = ([0.0; 4], [0.0; 4]);
        for i in 0..n {
            (s[i], p[i]) = (self.time[low + i] - t, self.values[low + i]);
        }
        for degree in 1..n {
            for i in 0..n - degree {
                p[i] = (s[i + degree] * p[i] - s[i] * p[i + 1]) / (s[i + degree] - s[i]);
            }
        }
        p[0]
    }
}
