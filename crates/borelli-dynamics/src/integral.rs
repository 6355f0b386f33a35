//! Integrals of the user's own, `[integral.NAME]`: ẏ = f, a formula over what one evaluation of the forces gives.
//! Not here: reading them (`compile`), formulas (`formula`), integrating (they are entries of z behind the states of force elements, so that whoever
//! carries z carries them).
//! In: a `Scene` and the `Loads` of all force elements. Out: rates of their entries of z.

use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};

/// One integral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integral {
    /// Its entry of z.
    pub state: u32,
    /// Its rate, by number of the formula.
    pub rate: u32,
}

/// Writes the rates of integrals. All force elements must have been applied.
pub(crate) fn apply<S: Real, C: Constant<S>>(list: &[Integral], scene: &Scene<S, C>, loads: &mut Loads<S>) {
    for Integral { state, rate } in list {
        loads.inner.zdot[*state as usize] = scene.numbers.formulas.value(*rate, scene, &loads.lines);
    }
}
