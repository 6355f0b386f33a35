//! A small deterministic generator of random numbers, so that a comparison or a failing test can be repeated from its seed.
//! Not here: a clock or a global state; the seed is an argument.
//! Why by hand: the generator is ten lines, and its stream must never change with a dependency.

use std::f64::consts::TAU;

/// SplitMix64: a counter with a constant step, scrambled.
///
/// Source: Steele, Lea, Flood (2014), Fast splittable pseudorandom number generators, OOPSLA. Period 2^64; not for cryptography.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator whose whole sequence follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number between `a` and `b`, all equally likely.
    pub fn uniform(&mut self, a: f64, b: f64) -> f64 {
        let fraction = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        a + (b - a) * fraction
    }

    /// `n` numbers between `a` and `b`.
    pub fn uniforms(&mut self, n: usize, a: f64, b: f64) -> Vec<f64> {
        (0..n).map(|_| self.uniform(a, b)).collect()
    }

    /// A unit vector, all directions equally likely (height and azimuth are uniform on a sphere).
    pub fn direction(&mut self) -> [f64; 3] {
        let height = self.uniform(-1.0, 1.0);
        let (s, c) = self.uniform(0.0, TAU).sin_cos();
        let radius = (1.0 - height * height).sqrt();
        [radius * c, radius * s, height]
    }

    /// A unit quaternion w x y z, all rotations equally likely.
    ///
    /// The three-sphere is cut into two circles of radii `sqrt(u)` and `sqrt(1 - u)` with `u` uniform (Shoemake 1992, Graphics Gems III).
    pub fn unit_quaternion(&mut self) -> [f64; 4] {
        let u = self.uniform(0.0, 1.0);
        let (s1, c1) = self.uniform(0.0, TAU).sin_cos();
        let (s2, c2) = self.uniform(0.0, TAU).sin_cos();
        let (a, b) = (u.sqrt(), (1.0 - u).sqrt());
        [a * c1, b * s2, b * c2, a * s1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
        assert_eq!(random.bits(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn uniform_numbers_stay_in_their_range_with_the_right_mean_and_spread() {
        let n = 20_000;
        let draws = Random::new(1).uniforms(n, -1.0, 3.0);
        assert!(draws.iter().all(|&x| (-1.0..3.0).contains(&x)));
        let mean = draws.iter().sum::<f64>() / n as f64;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64;
        // Four standard errors: sqrt(4/3 / n) = 0.0082 of the mean, about 0.0084 of the variance 4/3.
        assert!((mean - 1.0).abs() < 0.033, "mean {mean}");
        assert!((variance - 4.0 / 3.0).abs() < 0.034, "variance {variance}");
    }

    #[test]
    fn directions_and_quaternions_have_unit_length_and_no_preferred_side() {
        let (mut random, n) = (Random::new(2), 20_000);
        let (mut vector_squares, mut quaternion_squares) = ([0.0; 3], [0.0; 4]);
        for _ in 0..n {
            let (d, q) = (random.direction(), random.unit_quaternion());
            assert!((d.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15 * 4.0);
            assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15 * 4.0);
            (0..3).for_each(|k| vector_squares[k] += d[k] * d[k] / n as f64);
            (0..4).for_each(|k| quaternion_squares[k] += q[k] * q[k] / n as f64);
        }
        // Mean squares are 1/3 and 1/4; 0.009 is four standard errors.
        assert!(vector_squares.iter().all(|s| (s - 1.0 / 3.0).abs() < 0.009), "{vector_squares:?}");
        assert!(quaternion_squares.iter().all(|s| (s - 0.25).abs() < 0.009), "{quaternion_squares:?}");
    }
}
