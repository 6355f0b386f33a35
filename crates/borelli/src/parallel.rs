//! Independent pieces of work on several threads, with results in the order of the pieces.
//! Not here: the work.
//! In: a number of pieces and a function of the piece's number. Out: what it gave, whatever the number of threads.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work(0)` to `work(count - 1)` on at most `threads` threads and gives the results in that order.
///
/// Each piece is computed by one thread and sees no other, so the results do not depend on the number of threads.
///
/// # Panics
/// If a piece of work does.
pub fn parallel<T: Send>(count: usize, threads: NonZero<usize>, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let turn = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= count {
                return;
            }
            let result = work(k);
            // A poisoned lock means that another thread has panicked, and the scope will pass that on.
            if let Ok(mut done) = done.lock() {
                done.push((k, result));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.get().min(count) {
            scope.spawn(turn);
        }
        turn();
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, result)| result).collect()
}

/// As many threads as the machine runs at once.
pub fn available() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_pieces_for_any_number_of_threads() {
        for threads in [1, 2, 7] {
            // the first pieces take longest, so that they end last
            let work = |k: usize| {
                std::thread::sleep(std::time::Duration::from_millis(20 - 2 * k as u64));
                k * k
            };
            let results = parallel(10, NonZero::new(threads).expect("not zero"), work);
            assert_eq!(results, (0..10).map(|k| k * k).collect::<Vec<_>>());
        }
        assert!(parallel(0, available(), |k| k).is_empty());
    }
}
