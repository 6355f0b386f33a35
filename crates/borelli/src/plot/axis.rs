//! Scales of axes: ends around the values, round ticks, where a value stands between the ends.
//! Not here: pixels.

/// The ends of an axis, in the values' own unit or as powers of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    log: bool,
}

impl Scale {
    /// Around all values that can be shown, wider by a part on both sides. What hardly changes becomes a flat line in the middle.
    pub fn around<'a>(values: impl Iterator<Item = &'a f64>, log: bool, pad: f64) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter_map(|x| measure(*x, log)) {
            (low, high) = (low.min(value), high.max(value));
        }
        if !(low <= high) {
            (low, high) = (0.0, 1.0);
        }
        let size = low.abs().max(high.abs());
        // Below this part of the size of the values a change is not worth an axis of its own.
        let least = if size > 0.0 { 1e-4 * size } else { 1.0 };
        let wider = if high - low < least { least } else { pad * (high - low) };
        Scale { low: low - wider, high: high + wider, log }
    }

    /// Where a value stands: 0 at the low end, 1 at the high one. None for what cannot be shown.
    pub fn part(&self, value: f64) -> Option<f64> {
        Some((measure(value, self.log)? - self.low) / (self.high - self.low))
    }

    /// Both ends in digits, for scripts.
    pub fn ends(&self) -> String {
        format!("{:?} {:?}", self.low, self.high)
    }

    /// Round values between the ends with their texts, about `count` of them.
    pub fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let mut step = nice((self.high - self.low) / count as f64);
        if self.log {
            step = step.max(1.0).ceil();
        }
        let decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
        let size = self.low.abs().max(self.high.abs());
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|k| {
                let value = k as f64 * step;
                if self.log {
                    (10f64.powf(value), format!("1e{}", value.round() as i64))
                } else {
                    (value, tick_text(value, decimals, size))
                }
            })
            .collect()
    }
}

/// The value on the scale: itself, or its power of ten.
fn measure(value: f64, log: bool) -> Option<f64> {
    let value = if log && value > 0.0 {
        value.log10()
    } else if log {
        f64::NAN
    } else {
        value
    };
    value.is_finite().then_some(value)
}

/// 1, 2 or 5 times a power of ten, not below x.
pub(super) fn nice(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|m| m * power).find(|step| *step >= x * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// Plain digits unless the largest value of the axis is so big or small that they would be long; with a true minus sign.
fn tick_text(value: f64, decimals: usize, size: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let plain = (1e-3..1e6).contains(&size);
    let text = if plain { format!("{value:.decimals$}") } else { crate::report::significant(value, 6) };
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64, count: usize) -> Vec<String> {
        Scale { low, high, log: false }.ticks(count).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(texts(-0.21, 0.62, 5), ["\u{2212}0.2", "0", "0.2", "0.4", "0.6"]);
        assert_eq!(texts(0.0, 0.03, 6), ["0", "0.005", "0.010", "0.015", "0.020", "0.025", "0.030"]);
        assert_eq!(texts(-2.0e5, 1.0e5, 3), ["\u{2212}200000", "\u{2212}100000", "0", "100000"]);
        assert_eq!(texts(0.24998, 0.25002, 2), ["0.24998", "0.25000", "0.25002"]);
        assert_eq!(texts(0.0, 3e-7, 3), ["0", "1e\u{2212}7", "2e\u{2212}7", "3e\u{2212}7"]);
    }

    #[test]
    fn powers_of_ten_stand_at_equal_distances() {
        let scale = Scale::around([1e-8, 1e-2, 0.0, -1.0, f64::NAN].iter(), true, 0.0);
        assert_eq!(scale.part(1e-8), Some(0.0));
        assert!((scale.part(1e-5).unwrap_or_default() - 0.5).abs() < 1e-12);
        assert_eq!(scale.part(0.0), None);
        assert_eq!(scale.ticks(3).iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["1e-8", "1e-6", "1e-4", "1e-2"]);
    }

    #[test]
    fn what_does_not_change_is_a_line_in_the_middle() {
        for values in [[0.0, 0.0], [5.0, 5.0], [-1e9, -1e9 + 1.0], [0.0, f64::NAN]] {
            let scale = Scale::around(values.iter(), false, 0.05);
            let part = scale.part(values[0]).unwrap_or_default();
            assert!((part - 0.5).abs() < 1e-3, "{values:?} {part}");
        }
        assert_eq!(Scale::around([].iter(), false, 0.0).part(0.5), Some(0.5));
    }
}
