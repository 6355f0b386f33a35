//! A deliberate fault, to see that the guards of the kernels fail when they should. Exists in tests only.

use std::cell::Cell;

thread_local! {
    static FLIPPED: Cell<bool> = const { Cell::new(false) };
}

/// True while a test has the sign of the centripetal force flipped on this thread.
pub fn coriolis_flipped() -> bool {
    FLIPPED.get()
}

/// Takes the fault away when it goes, also in a panic.
struct Flipped;

impl Drop for Flipped {
    fn drop(&mut self) {
        FLIPPED.set(false);
    }
}

/// Runs `f` with the sign flipped.
pub fn with_flipped_coriolis<T>(f: impl FnOnce() -> T) -> T {
    let _flipped = Flipped;
    FLIPPED.set(true);
    f()
}

#[test]
fn the_fault_is_gone_after_its_closure_even_when_that_panics() {
    assert!(with_flipped_coriolis(coriolis_flipped));
    assert!(!coriolis_flipped());
    assert!(std::panic::catch_unwind(|| with_flipped_coriolis(|| panic!("on purpose"))).is_err());
    assert!(!coriolis_flipped());
}
