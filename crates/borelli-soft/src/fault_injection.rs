//! A deliberate fault: tangents of contact that forget how the target turns with its carrier. With the feature `fault-injection` only.
//! Not here: the tangents (`contact`).
//! In: a closure. Out: what it gives while the fault lasts.

use std::cell::Cell;

thread_local! {
    static FORGOTTEN: Cell<bool> = const { Cell::new(false) };
}

/// Takes the fault away when it goes, also in a panic.
struct Forgotten;

impl Drop for Forgotten {
    fn drop(&mut self) {
        FORGOTTEN.set(false);
    }
}

/// Runs `f` without the terms of the turn, on this thread.
pub fn without_turn_of_targets<T>(f: impl FnOnce() -> T) -> T {
    let _forgotten = Forgotten;
    FORGOTTEN.set(true);
    f()
}

/// Leaves the terms out while a test asks for it.
pub(crate) fn forget_turn(k: &mut [[f64; 5]; 5]) {
    if FORGOTTEN.get() {
        k[4] = [0.0; 5];
        k.iter_mut().for_each(|row| row[4] = 0.0);
    }
}
