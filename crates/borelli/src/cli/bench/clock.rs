//! How long an evaluation takes: CPU time of this thread, in batches.
//! Not here: what is evaluated.
//! In: a function of a running number. Out: seconds per call, one entry per batch.

/// Batches timed after warming up; fewer where one call is long.
const BATCHES: usize = 15;
/// A call longer than this, in s, is timed in `FEW` batches.
const LONG: f64 = 0.2;
const FEW: usize = 3;
/// Length of a batch, s.
const BATCH: f64 = 0.020;

/// Seconds per evaluation of each batch, shortest first.
pub struct Timing {
    /// Sorted.
    pub sorted: Vec<f64>,
    /// In order of measuring.
    pub all: Vec<f64>,
}

impl Timing {
    /// The shortest.
    pub fn best(&self) -> f64 {
        self.sorted.first().copied().unwrap_or(f64::NAN)
    }

    /// Of one of so many equal parts of what was timed.
    pub fn of_each(mut self, parts: usize) -> Self {
        self.sorted.iter_mut().chain(&mut self.all).for_each(|taken| *taken /= parts as f64);
        self
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        self.sorted.get(self.sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// CPU time of this thread, s.
#[cfg(unix)]
fn now() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Wall time, s, where there is no clock of the thread.
#[cfg(not(unix))]
fn now() -> f64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

/// Times calls of `call`, whose argument counts up through all batches, after a first batch that is not counted.
pub fn measure(mut call: impl FnMut(usize)) -> Timing {
    let mut next = 0;
    let mut run = |count: usize| {
        let start = now();
        for k in next..next + count {
            call(k);
        }
        next += count;
        now() - start
    };
    // How many calls fill a batch?
    let mut count = 1;
    let mut taken = run(count);
    while taken < 0.25 * BATCH {
        count *= 2;
        taken = run(count);
    }
    let count = ((count as f64 * BATCH / taken).round() as usize).max(1);
    let batches = if taken > LONG { FEW } else { BATCHES };
    if batches == BATCHES {
        run(count);
    }
    let all: Vec<f64> = (0..batches).map(|_| run(count) / count as f64).collect();
    let mut sorted = all.clone();
    sorted.sort_by(f64::total_cmp);
    Timing { sorted, all }
}

/// Times a number of calls one by one; for what takes long.
pub fn fastest(times: usize, mut call: impl FnMut()) -> Timing {
    let mut one = || {
        let start = now();
        call();
        now() - start
    };
    let all: Vec<f64> = (0..times).map(|_| one()).collect();
    let mut sorted = all.clone();
    sorted.sort_by(f64::total_cmp);
    Timing { sorted, all }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_of_a_measurement_are_numbered_without_gaps() {
        let mut seen = Vec::new();
        let timing = measure(|k| {
            seen.push(k);
            std::hint::black_box((0..20_000).fold(0.0, |sum: f64, i| sum + f64::from(i).sqrt()));
        });
        assert!(seen.iter().enumerate().all(|(i, k)| i == *k));
        assert_eq!(timing.all.len(), BATCHES);
        assert!(timing.best() > 0.0 && timing.best() <= timing.median());
    }
}
