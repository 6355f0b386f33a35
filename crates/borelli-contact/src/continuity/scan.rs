//! Jumps of a function of one variable, found by halving intervals until the change over them goes away or stays.
//! Not here: which functions are scanned.

/// Smallest jump that is found, in parts of the range of the function.
pub const RESOLUTION: f64 = 1e-4;

/// Intervals of the first look.
const FIRST_LOOK: usize = 1000;

/// A place where a function jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Where.
    pub at: f64,
    /// Value after it less value before it.
    pub size: f64,
}

/// Jumps of `f` between two places, to be told from steepness over intervals of `width`.
///
/// An interval over which f changes by more than `RESOLUTION` of its range is halved until it is narrower than `width`. A continuous curve
/// changes less and less on the way; a jump stays.
/// Limits: two jumps that cancel within a thousandth of the way are not seen, nor smaller ones than the resolution; a continuous curve that climbs
/// that much within `width` counts as a jump.
pub fn jumps(f: impl Fn(f64) -> f64, from: f64, to: f64, width: f64) -> Vec<Jump> {
    let place = |k: usize| from + (to - from) * k as f64 / FIRST_LOOK as f64;
    let values: Vec<f64> = (0..=FIRST_LOOK).map(|k| f(place(k))).collect();
    let range = values.iter().fold(f64::MIN, |a, b| a.max(*b)) - values.iter().fold(f64::MAX, |a, b| a.min(*b));
    let small = RESOLUTION * range;
    // The last interval is looked at first: put in backwards, jumps come out in order.
    let mut open: Vec<[(f64, f64); 2]> = Vec::new();
    open.extend((0..FIRST_LOOK).rev().map(|k| [(place(k), values[k]), (place(k + 1), values[k + 1])]));
    let mut found: Vec<[(f64, f64); 2]> = Vec::new();
    while let Some([a, b]) = open.pop() {
        if !((b.1 - a.1).abs() > small) {
            continue;
        }
        let middle = 0.5 * (a.0 + b.0);
        if b.0 - a.0 > width && middle > a.0 && middle < b.0 {
            let m = (middle, f(middle));
            open.extend([[m, b], [a, m]]);
            continue;
        }
        // A value of its own at the jump, as of sgn at zero, shows up as two neighbours.
        match found.last_mut() {
            Some(last) if a.0 - last[1].0 <= 2.0 * width => last[1] = b,
            _ => found.push([a, b]),
        }
    }
    found.into_iter().map(|[a, b]| Jump { at: 0.5 * (a.0 + b.0), size: b.1 - a.1 }).collect()
}

/// Jumps of the slope of `f`, by differences of `f` alone.
///
/// Central differences over ±h smear a jump of the slope over 2h, so intervals are halved down to 8h; h is 1e-8 of the way, which leaves the
/// differences eight digits.
pub fn slope_jumps(f: impl Fn(f64) -> f64, from: f64, to: f64) -> Vec<Jump> {
    let h = 1e-8 * (to - from);
    jumps(|x| (f(x + h) - f(x - h)) / (2.0 * h), from, to, 8.0 * h)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_and_kinks_are_found_where_they_are_and_steep_curves_have_none() {
        let step = jumps(|x: f64| if x < 0.3 { x } else { x + 0.01 }, -1.0, 1.0, 1e-12);
        assert_eq!(step.len(), 1);
        assert!((step[0].at - 0.3).abs() < 1e-11 && (step[0].size - 0.01).abs() < 1e-11, "{step:?}");
        // With and without a grid point on the jump, and a value of its own there.
        for shift in [0.0, 1e-3] {
            let sign = jumps(|x: f64| if x == shift { 0.0 } else { (x - shift).signum() }, -1.0, 1.0 + 2.0 * shift, 1e-12);
            assert_eq!(sign.len(), 1, "{sign:?}");
            assert!((sign[0].at - shift).abs() < 4e-12 && sign[0].size == 2.0, "{sign:?}");
        }
        for steep in [|x: f64| (1e6 * x).tanh(), |x: f64| x.abs().sqrt(), |x: f64| x.abs()] {
            assert!(jumps(steep, -1.0, 1.0, 1e-12).is_empty());
        }
        let two = jumps(|x: f64| (3.0 * x).floor(), 0.0, 0.9, 1e-12);
        assert_eq!(two.iter().map(|jump| (jump.at * 3.0).round()).collect::<Vec<_>>(), [1.0, 2.0]);

        let kink = slope_jumps(|x: f64| (x - 0.2).abs(), -1.0, 1.0);
        assert_eq!(kink.len(), 1);
        assert!((kink[0].at - 0.2).abs() < 1e-6 && (kink[0].size - 2.0).abs() < 1e-6, "{kink:?}");
        assert!(slope_jumps(|x: f64| x * x.abs(), -1.0, 1.0).is_empty());
        assert!(slope_jumps(|x: f64| (50.0 * x).tanh(), -1.0, 1.0).is_empty());
    }
}
