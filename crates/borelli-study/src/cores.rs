//! Jobs done on all cores. Each is done by one thread, and what comes of it depends on the job alone, so that the number of threads changes no bit.
//! Not here: what the jobs are.
//! In: workers, each with memory of its own, and jobs. Out: nothing; a job knows where its answer goes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

/// How often the calling thread looks after itself while others work.
const PAUSE: Duration = Duration::from_millis(20);

/// Number of threads that can work at once.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Tells the calling thread when the last worker is done, also one that panics.
struct Done<'d> {
    left: &'d AtomicUsize,
    waiting: &'d Thread,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.waiting.unpark();
        }
    }
}

/// Does all jobs, a worker taking the next one as soon as it is free; `meanwhile` is called on this thread now and then, and at the end.
pub(crate) fn on_all_cores<W: Send, J: Send>(
    workers: &mut [W],
    mut jobs: impl ExactSizeIterator<Item = J> + Send,
    work: impl Fn(&mut W, J) + Sync,
    mut meanwhile: impl FnMut(),
) {
    let count = workers.len().min(jobs.len());
    if let (true, Some(worker)) = (count <= 1, workers.first_mut()) {
        for job in jobs.by_ref() {
            work(worker, job);
            meanwhile();
        }
        return;
    }
    let (left, waiting, queue) = (AtomicUsize::new(count), thread::current(), Mutex::new(jobs));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for worker in &mut workers[..count] {
            let (left, waiting, next, work) = (&left, &waiting, &next, &work);
            scope.spawn(move || {
                let _done = Done { left, waiting };
                while let Some(job) = next() {
                    work(worker, job);
                }
            });
        }
        loop {
            let is_over = left.load(Ordering::Acquire) == 0;
            if !is_over {
                thread::park_timeout(PAUSE);
            }
            meanwhile();
            if is_over {
                break;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once_by_any_number_of_workers() {
        for workers in [1, 2, 7] {
            let (mut answers, mut calls) = (vec![0_u64; 100], 0);
            let mut memory = vec![0_u64; workers];
            let jobs = answers.iter_mut().enumerate();
            let square = |memory: &mut u64, (k, answer): (usize, &mut u64)| {
                *memory += 1;
                *answer += (k * k) as u64;
            };
            on_all_cores(&mut memory, jobs, square, || calls += 1);
            assert!(answers.iter().enumerate().all(|(k, answer)| *answer == (k * k) as u64));
            assert_eq!(memory.iter().sum::<u64>(), 100);
            assert!(calls > 0);
        }
        on_all_cores(&mut [(), ()], std::iter::empty::<u8>(), |(), _| {}, || {});
    }
}
