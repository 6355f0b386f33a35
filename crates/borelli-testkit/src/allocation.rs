//! Counting memory requests, so that a test can assert that an evaluation makes none.
//! Not here: how much memory, or where from; only how often.
//! In: a closure. Out: its value and the number of requests its thread made meanwhile.
#![allow(unsafe_code)] // a global allocator cannot be written without; each use is argued below

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

thread_local! {
    // Initialised by a constant and without a destructor: reaching it neither allocates nor registers anything, so the
    // allocator may do it at any time in the life of a thread. One count per thread, so parallel tests do not mix.
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

fn count_one() {
    // Never fails for such a cell; an allocator must not panic, hence no `with`.
    let _ = REQUESTS.try_with(|requests| requests.set(requests.get().wrapping_add(1)));
}

/// The system's allocator with a count of requests (new memory or a change of size; giving back is not counted) per thread.
///
/// A test binary installs it with `#[global_allocator] static ALLOCATOR: CountingAllocator = CountingAllocator;`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

// SAFETY: every method hands its arguments unchanged to the system's allocator and returns what that returns, so the
// contract of `GlobalAlloc` holds because it holds for `System`. Counting touches one integer of this thread: it does not
// allocate, unwind, or look at the memory.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: the caller promises a layout of non-zero size, which is all `System` asks.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: as for `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count_one();
        // SAFETY: the caller promises a block of this allocator with this layout; it came from `System` through us.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as for `realloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Runs `f` and returns its value with the number of memory requests this thread made in it.
///
/// Panics if `CountingAllocator` is not installed: a count that is always zero would let every test pass.
pub fn count_allocations<T>(f: impl FnOnce() -> T) -> (T, usize) {
    let requests = || REQUESTS.with(Cell::get);
    let before = requests();
    drop(black_box(Box::new(0u8)));
    assert!(requests() != before, "no request is counted\n  hint: declare CountingAllocator as #[global_allocator] of this test binary");
    let start = requests();
    let value = f();
    (value, requests().wrapping_sub(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static ALLOCATOR: CountingAllocator = CountingAllocator;

    #[test]
    fn arithmetic_on_the_stack_requests_no_memory() {
        let (sum, requests) = count_allocations(|| (0..black_box(100)).sum::<i32>());
        assert_eq!((sum, requests), (4950, 0));
    }

    #[test]
    fn new_memory_and_a_change_of_size_are_counted_but_not_giving_back() {
        let (mut list, requests) = count_allocations(|| black_box(Vec::<u64>::with_capacity(4)));
        assert_eq!(requests, 1);
        assert_eq!(count_allocations(|| list.reserve_exact(1000)).1, 1);
        assert_eq!(count_allocations(|| drop(black_box(list))).1, 0);
        assert_eq!(count_allocations(|| black_box(vec![0u64; 7])).1, 1);
    }

    #[test]
    fn what_another_thread_requests_is_not_counted_here() {
        use std::sync::Barrier;
        let (start, end) = (Barrier::new(2), Barrier::new(2));
        std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                start.wait();
                let lists: Vec<Vec<u8>> = (0..100).map(|n| black_box(vec![1; n + 1])).collect();
                end.wait();
                lists.len()
            });
            let ((), requests) = count_allocations(|| {
                start.wait();
                end.wait();
            });
            assert_eq!(requests, 0);
            assert_eq!(other.join().expect("the other thread ends well"), 100);
        });
    }
}
