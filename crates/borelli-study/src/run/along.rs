//! A prescribed motion at all its samples.
//! Not here: where it comes from (`motion`), what is found along it.

use super::motion::Motion;

/// Coordinates, velocities and, where they are given, accelerations at some times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Along {
    /// Times, s.
    pub times: Vec<f64>,
    /// By sample: coordinates, velocities, accelerations; of the last none where the equations of motion give them.
    samples: Vec<[Vec<f64>; 3]>,
}

impl Along {
    /// Follows a motion.
    ///
    /// # Errors
    /// The time that it cannot be followed to, and why.
    pub(super) fn new(mut motion: Motion, times: Vec<f64>) -> Result<Along, (f64, String)> {
        let mut now = motion.begin();
        let mut samples = Vec::with_capacity(times.len());
        for t in &times {
            motion.advance(*t, &mut now).map_err(|reason| (*t, reason))?;
            samples.push([now.q.clone(), now.v.clone(), now.vdot.clone()]);
        }
        Ok(Along { times, samples })
    }

    /// Makes room for a motion at the times of another; room for more samples stays, so that going to and fro asks for no memory.
    pub(crate) fn make_room(&mut self, other: &Along) {
        self.times.clone_from(&other.times);
        for sample in self.samples.len()..other.samples.len() {
            self.samples.push(other.samples[sample].clone());
        }
    }

    /// Puts other numbers at a sample; as many as there were.
    pub(crate) fn put(&mut self, sample: usize, numbers: [&[f64]; 3]) {
        self.samples[sample].iter_mut().zip(numbers).for_each(|(own, numbers)| own.copy_from_slice(numbers));
    }

    /// A sample.
    pub(crate) fn at(&self, sample: usize) -> [&[f64]; 3] {
        let [q, v, vdot] = &self.samples[sample];
        [q, v, vdot]
    }
}
