//! The speed of a touchdown that lies between two samples of a prescribed motion.
//! Not here: what laws make of it. In: overlap and its rate at both samples, over any scalar. Out: the rate where the overlap is zero.
//!
//! On the cubic with overlaps and rates of both it is the slope at its zero. On straight lines, with u = −δ₀/(δ₁ − δ₀), it is (1 − u) δ̇₀ + u δ̇₁:
//! what programs do that know frames only.

use crate::plan::Touchdown;
use borelli_math::Real;

/// The rate at the zero of the overlap between two samples `h` apart; the first overlap is not positive, the second is.
pub(crate) fn speed_of_touchdown<S: Real>(rule: Touchdown, [(y0, s0), (y1, s1)]: [(S, S); 2], h: f64) -> S {
    if rule == Touchdown::Line {
        let u = -(y0 / (y1 - y0));
        return s0 + u * (s1 - s0);
    }
    let (a, b) = (s0 * h, s1 * h);
    let [c3, c2, c1] = [(y0 - y1) * 2.0 + a + b, (y1 - y0) * 3.0 - a * 2.0 - b, a];
    let value = |x: S| y0 + x * (c1 + x * (c2 + x * c3));
    let slope = |x: S| c1 + x * (c2 * 2.0 + x * c3 * 3.0);
    let (mut low, mut high) = (0.0, 1.0);
    // As many halvings as a double has digits.
    for _ in 0..53 {
        let middle = 0.5 * (low + high);
        if value(S::from_f64(middle)).value() > 0.0 { high = middle } else { low = middle }
    }
    let mut zero = S::from_f64(high);
    if !S::PLAIN && slope(zero).value() != 0.0 {
        // The zero moves with what the cubic is made of.
        let moved = value(zero) / slope(zero);
        zero -= moved - S::from_f64(moved.value());
    }
    slope(zero) * (1.0 / h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::Dual;

    #[test]
    fn the_speed_of_a_falling_body_at_touchdown_is_found_between_samples() {
        // Depth of a ball falling from rest 0.1 m over the floor; the cubic has the parabola in it.
        let at = |t: f64| (0.5 * 9.81 * t * t - 0.1, 9.81 * t);
        let speed = speed_of_touchdown(Touchdown::Cubic, [at(0.1), at(0.2)], 0.1);
        assert!((speed - (2.0_f64 * 9.81 * 0.1).sqrt()).abs() < 1e-12, "{speed}");
        // -0.05095 m and 0.0962 m: zero at 0.34624 of the way.
        let on_lines = speed_of_touchdown(Touchdown::Line, [at(0.1), at(0.2)], 0.1);
        assert!((on_lines - 0.981 * (1.0 + 0.05095 / 0.14715)).abs() < 1e-12, "{on_lines}");
    }

    #[test]
    fn slopes_by_overlaps_and_rates_equal_differences() {
        let numbers = [-0.013, 0.4, 0.021, 0.7];
        let ends = |x: [f64; 4]| [(x[0], x[1]), (x[2], x[3])];
        for rule in [Touchdown::Cubic, Touchdown::Line] {
            let dual = |k: usize| Dual::<4>::variable(numbers[k], k);
            let found = speed_of_touchdown(rule, [(dual(0), dual(1)), (dual(2), dual(3))], 0.05);
            for k in 0..4 {
                let moved = |by: f64| {
                    let mut own = numbers;
                    own[k] += by;
                    speed_of_touchdown(rule, ends(own), 0.05)
                };
                let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!((found.eps[k] - difference).abs() < 1e-7 * (1.0 + difference.abs()), "{rule:?} {k}: {} {difference}", found.eps[k]);
            }
        }
    }
}
