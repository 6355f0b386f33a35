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

    /// A sample.
    pub(crate) fn at(&self, sample: usize) -> [&[f64]; 3] {
        let [q, v, vdot] = &self.samples[sample];
        [q, v, vdot]
    }
}
