//! Random numbers by counter: each follows from what it is for, not from how many were drawn before, so that threads and order cannot matter.
//! Not here: distributions (`uncertainty/distribution.rs`).
//! Why by hand: the generator is twenty lines, and its numbers must never change with a dependency.

use std::f64::consts::TAU;

/// One block of Philox 4x32-10: four words from a counter and a key.
///
/// Source: Salmon, Moraes, Dror, Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, SC11.
pub fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for round in 0..10 {
        if round > 0 {
            key[0] = key[0].wrapping_add(0x9E37_79B9);
            key[1] = key[1].wrapping_add(0xBB67_AE85);
        }
        let first = u64::from(counter[0]) * 0xD251_1F53;
        let second = u64::from(counter[2]) * 0xCD9E_8D57;
        counter = [(second >> 32) as u32 ^ counter[1] ^ key[0], second as u32, (first >> 32) as u32 ^ counter[3] ^ key[1], first as u32];
    }
    counter
}

/// What a stream of numbers is for; two purposes never share numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Cells and places inside them of a Latin hypercube.
    Hypercube = 1,
    /// Points drawn around the mean of CMA-ES.
    Evolution = 2,
    /// Where CMA-ES starts again.
    Restart = 3,
    /// Parents, crossover and mutation of NSGA-II.
    Breeding = 4,
    /// The first population of NSGA-II.
    Population = 5,
    /// Shifts of evenly spread points.
    Shift = 6,
    /// Samples drawn again from a sample.
    Bootstrap = 7,
    /// Trajectories of Morris.
    Trajectory = 8,
    /// Noise put on data.
    Noise = 9,
    /// Starts near the best point of the rounds before.
    Round = 10,
}

/// The numbers that belong to one job: a generation and an individual of it, or a sample.
#[derive(Clone, Debug)]
pub struct Stream {
    key: [u32; 2],
    counter: [u32; 4],
    words: [u32; 4],
    used: usize,
    spare: Option<f64>,
}

impl Stream {
    /// The stream of job (`generation`, `individual`) in restart `restart`.
    pub fn new(seed: u32, purpose: Purpose, generation: u32, individual: u32, restart: u32) -> Stream {
        Stream { key: [seed, purpose as u32], counter: [generation, individual, 0, restart], words: [0; 4], used: 4, spare: None }
    }

    fn word(&mut self) -> u32 {
        if self.used == 4 {
            self.words = philox(self.counter, self.key);
            self.counter[2] += 1;
            self.used = 0;
        }
        self.used += 1;
        self.words[self.used - 1]
    }

    fn bits(&mut self) -> u64 {
        let high = u64::from(self.word());
        (high << 32) | u64::from(self.word())
    }

    /// A number in [0, 1), all equally likely.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `n`.
    ///
    /// The share of each differs by less than n/2^53.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.uniform() * n as f64) as usize).min(n.saturating_sub(1))
    }

    /// A number of the standard normal distribution (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        // 1 - u lies in (0, 1]: its logarithm is finite.
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        let (s, c) = (TAU * self.uniform()).sin_cos();
        self.spare = Some(radius * s);
        radius * c
    }

    /// The numbers 0 to n - 1 in random order (Fisher and Yates).
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for last in (1..n).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_the_published_known_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let counter = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        assert_eq!(philox(counter, [0xa409_3822, 0x299f_31d0]), [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn numbers_have_the_moments_of_their_distribution() {
        let (mut stream, n) = (Stream::new(7, Purpose::Noise, 0, 0, 0), 40_000);
        let uniforms: Vec<f64> = (0..n).map(|_| stream.uniform()).collect();
        let normals: Vec<f64> = (0..n).map(|_| stream.normal()).collect();
        let moment = |x: &[f64], k: i32| x.iter().map(|v| v.powi(k)).sum::<f64>() / n as f64;
        assert!(uniforms.iter().all(|u| (0.0..1.0).contains(u)));
        // Four standard errors of each mean.
        assert!((moment(&uniforms, 1) - 0.5).abs() < 0.0058 && (moment(&uniforms, 2) - 1.0 / 3.0).abs() < 0.006);
        assert!(moment(&normals, 1).abs() < 0.02 && (moment(&normals, 2) - 1.0).abs() < 0.0283 && (moment(&normals, 4) - 3.0).abs() < 0.2);
    }

    #[test]
    fn a_stream_depends_on_its_job_alone() {
        let draw = |individual| (0..5).map(|_| Stream::new(1, Purpose::Evolution, 3, individual, 0).normal()).collect::<Vec<_>>();
        assert_eq!(draw(4), draw(4));
        assert_ne!(draw(4), draw(5));
        assert_ne!(Stream::new(1, Purpose::Evolution, 3, 4, 0).uniform(), Stream::new(1, Purpose::Restart, 3, 4, 0).uniform());
    }

    #[test]
    fn a_permutation_holds_every_number_once() {
        let mut order = Stream::new(1, Purpose::Hypercube, 0, 0, 0).permutation(100);
        assert_ne!(order, (0..100).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
    }
}
