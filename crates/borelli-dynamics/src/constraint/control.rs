//! What rows are asked for beside Φ̈ = 0: decay of drift, and nothing at all where they are released.
//! Not here: projection on the rows (`movement`), who releases a row and when.
//! In: a `RowControl` and filled `Rows`. Out: rows whose `acceleration` must vanish.

use super::Rows;
use borelli_math::{Real, Vec3};

/// What the rows of loops and guides are asked for.
///
///     Φ̈ + 2α Φ̇ + β² Φ = 0                                                                      (1)
///
/// | α `alpha`, 1/s | β `beta`, 1/s |
///
/// With α = β an error of the start dies as e^{−αt} without swinging; with α < β it swings with √(β² − α²); with both zero Φ̈ alone is held and an error grows
/// with time. A released row asks for nothing: its wrench, coefficients and (1) are set to zero, so that its multiplier is zero.
///
/// Source: Baumgarte 1972, Comput. Meth. Appl. Mech. Eng. 1:1-16; with two constants as in Saraiva 2022, (3.39). Limits: rows of orientation in space take
/// relative angular velocity for Φ̇, so (1) holds there to first order in Φ. Large α and β make the motion stiff.
/// Tests: `an_error_of_the_start_decays_as_the_closed_form_says`, `a_released_row_is_as_if_it_were_not_there`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowControl {
    /// Half the damping of drift, 1/s.
    pub alpha: f64,
    /// Frequency of drift, 1/s.
    pub beta: f64,
    /// Rows that are not held, by row; empty: none.
    pub released: Vec<bool>,
}

impl RowControl {
    /// True for a row that is not held.
    pub fn is_released(&self, row: usize) -> bool {
        self.released.get(row).is_some_and(|released| *released)
    }

    /// Takes over the values of another without asking for memory that is there.
    pub fn copy_from(&mut self, other: &RowControl) {
        (self.alpha, self.beta) = (other.alpha, other.beta);
        self.released.clear();
        self.released.extend_from_slice(&other.released);
    }

    fn is_plain(&self) -> bool {
        self.alpha == 0.0 && self.beta == 0.0 && self.released.is_empty()
    }
}

impl<S: Real> Rows<S> {
    /// Applies the control to rows just filled. Φ and Φ̇ stay as they are, also of released rows.
    #[inline(always)]
    pub(super) fn obey(&mut self) {
        if !self.control.is_plain() {
            self.obey_control();
        }
    }

    #[inline(never)]
    fn obey_control(&mut self) {
        let (damping, stiffness) = (2.0 * self.control.alpha, self.control.beta * self.control.beta);
        for i in 0..self.len() {
            if self.control.is_released(i) {
                self.moment[i] = [Vec3::ZERO; 2];
                self.force[i] = [Vec3::ZERO; 2];
                self.acceleration[i] = S::ZERO;
            } else {
                let decay = self.velocity[i] * damping + self.position[i] * stiffness;
                self.acceleration[i] += decay;
            }
        }
        for (row, _, coefficient) in &mut self.on_dofs {
            if self.control.is_released(*row as usize) {
                *coefficient = S::ZERO;
            }
        }
    }
}
