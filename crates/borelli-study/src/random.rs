//! A small deterministic generator of random numbers, so that a comparison can be repeated from its seed.
//! Not here: a clock or a global state.
//! Why by hand: ten lines; the stream must never change with a dependency.

use std::f64::consts::TAU;

/// SplitMix64: a counter with a constant step, scrambled.
///
/// Source: Steele, Lea, Flood 2014, Fast splittable pseudorandom number generators, OOPSLA. Period 2^64; not for cryptography.
/// Test: `the_sequence_is_the_published_one`.
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
        a + (b - a) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A unit quaternion w x y z, all rotations equally likely (Shoemake 1992, Graphics Gems III).
    pub fn quaternion(&mut self) -> [f64; 4] {
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
        let drawn = [random.bits(), random.bits(), random.bits()];
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn a_drawn_quaternion_has_unit_length() {
        let mut random = Random::new(3);
        for _ in 0..1000 {
            let q = random.quaternion();
            assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }
}
