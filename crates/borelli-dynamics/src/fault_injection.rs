//! A deliberate fault, to see that the guards of the kernels fail when they should. Exists in tests only.

use std::cell::Cell;

thread_local! {
    static FLIPPED: Cell<bool> = const { Cell::new(false) };
}

/// True while a test has the sign of the centripetal force flipped on this thread.
pub fn coriolis_flipped() -> bool {
    FLIPPED.get()
}

/// Runs `f` with the sign flipped.
pub fn with_flipped_coriolis<T>(f: impl FnOnce() -> T) -> T {
    FLIPPED.set(true);
    let result = f();
    FLIPPED.set(false);
    result
}
