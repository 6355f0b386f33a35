//! What rows are asked for beside Φ̈ = 0: decay of drift, a place of their own, and nothing at all where they are released.
//! Not here: projection on the rows (`movement`), who releases or holds a row and when.
//! In: a `RowControl` and filled `Rows`. Out: rows whose `acceleration` must vanish, Φ counted from where they are held.

use super::Rows;
use crate::memory::{Hold, Memory};
use borelli_math::{Quat, Real, Vec3, vec3};
use std::f64::consts::TAU;

/// What the rows of loops and guides are asked for.
///
///     Φ̈ + 2α Φ̇ + β² (Φ − o) = 0                                                                (1)
///
/// | α `alpha`, 1/s | β `beta`, 1/s | o `offset`, m or rad |
///
/// With α = β an error of the start dies as e^{−αt} without swinging; with α < β it swings with √(β² − α²); with both zero Φ̈ alone is held and an error grows
/// with time. A released row asks for nothing: its wrench, coefficients and (1) are set to zero, so that its multiplier is zero.
///
/// A row that is held anew has in o the Φ of that instant and stays there: everyone who reads Φ finds Φ − o. Of an angle in (−π, π] the difference is taken
/// there, too. The three rows Φ = 2 vec(q) of an orientation in space have no difference of their own; for them
///
///     Φ − o  stands for  2 vec(q q₀*),   q₀ the quaternion with 2 vec(q₀) = o, both signs such that the scalar part is not negative      (2)
///
/// whose slope where it is zero is the relative angular velocity, at any o, as that of Φ is where Φ is zero.
///
/// Source: Baumgarte 1972, Comput. Meth. Appl. Mech. Eng. 1:1-16; with two constants as in Saraiva 2022, (3.39). Limits: rows of orientation in space take
/// relative angular velocity for Φ̇, so (1) holds there to first order in Φ − o. Large α and β make the motion stiff.
/// Tests: `an_error_of_the_start_decays_as_the_closed_form_says`, `a_released_row_is_as_if_it_were_not_there`, `a_row_with_an_offset_stays_where_it_was`,
/// `an_orientation_is_held_where_it_is_also_beyond_half_a_turn`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowControl {
    /// Half the damping of drift, 1/s.
    pub alpha: f64,
    /// Frequency of drift, 1/s.
    pub beta: f64,
    /// Which rows are held, and where. How pairs of surfaces touch goes with it: no row looks at it.
    pub memory: Memory,
}

impl RowControl {
    /// Rows and pairs as remembered, without control of drift.
    pub fn of(memory: Memory) -> RowControl {
        RowControl { memory, ..RowControl::default() }
    }

    /// True for a row that is not held.
    pub fn is_released(&self, row: usize) -> bool {
        self.memory.is_released(row)
    }

    /// Takes over the values of another without asking for memory that is there.
    pub fn copy_from(&mut self, other: &RowControl) {
        (self.alpha, self.beta) = (other.alpha, other.beta);
        self.memory.copy_from(&other.memory);
    }

    /// True where some row is held elsewhere than at zero.
    pub(super) fn is_shifted(&self) -> bool {
        (0..self.memory.rows.len()).any(|row| self.memory.offset(row) != 0.0)
    }

    /// True where rows are asked for Φ̈ = 0 and no more.
    pub(super) fn is_plain(&self) -> bool {
        self.alpha == 0.0 && self.beta == 0.0 && self.memory.rows.iter().all(|hold| *hold == Hold::At(0.0))
    }
}

/// Rows of an orientation, whose Φ is no number on a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turned<S> {
    /// This row is an angle in (−π, π].
    InPlane(usize),
    /// Three rows from this one on are twice the vector part of the quaternion.
    InSpace(usize, Quat<S>),
}

impl<S: Real> Rows<S> {
    /// Applies the control to rows just filled. Φ̇ stays as it is, and Φ of rows without offset, also of released ones.
    #[inline(always)]
    pub(super) fn obey(&mut self) {
        if !self.plain {
            self.obey_control();
        }
    }

    #[inline(never)]
    fn obey_control(&mut self) {
        if self.shifted {
            self.count_from_offsets();
        }
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

    /// Φ − o of all rows.
    fn count_from_offsets(&mut self) {
        let (position, memory) = (&mut self.position, &self.control.memory);
        position.iter_mut().enumerate().for_each(|(row, position)| *position = *position - memory.offset(row));
        for turned in &self.turned {
            match *turned {
                Turned::InPlane(row) => {
                    let turns = (position[row].value() / TAU).round();
                    position[row] = position[row] - turns * TAU;
                }
                Turned::InSpace(row, q) => {
                    let o = [memory.offset(row), memory.offset(row + 1), memory.offset(row + 2)];
                    position[row..row + 3].copy_from_slice(&turn_from(q, o));
                }
            }
        }
    }
}

/// Equation (2); 2 vec(q) itself where the offset is zero.
fn turn_from<S: Real>(q: Quat<S>, offset: [f64; 3]) -> [S; 3] {
    let half = Vec3::from_array(offset).scale(0.5);
    let w = (1.0 - half.dot(half)).max(0.0).sqrt();
    let (x, o) = (vec3(q.x, q.y, q.z), vec3(S::from_f64(half.x), S::from_f64(half.y), S::from_f64(half.z)));
    let sign = if (q.w * w + x.dot(o)).value() < 0.0 { -2.0 } else { 2.0 };
    (x.scale(S::from_f64(w)) - o.scale(q.w) - x.cross(o)).scale(S::from_f64(sign)).to_array()
}

#[cfg(test)]
mod tests {
    use super::turn_from;
    use borelli_math::{Quat, vec3};

    fn turn(axis: [f64; 3], angle: f64) -> Quat<f64> {
        let (sin, cos) = (0.5 * angle).sin_cos();
        Quat { w: cos, x: sin * axis[0], y: sin * axis[1], z: sin * axis[2] }
    }

    #[test]
    fn a_turn_counts_from_where_it_is_held_with_its_sign() {
        let axis = [0.36, -0.48, 0.8];
        // About one axis: twice the sine of half of what is left.
        for (found, held) in [(0.7_f64, 0.4), (0.4, 0.7), (-0.3, 1.1), (2.0, -0.5)] {
            let o = turn(axis, held);
            let left = turn_from(turn(axis, found), [2.0 * o.x, 2.0 * o.y, 2.0 * o.z]);
            (0..3)
                .for_each(|k| assert!((left[k] - 2.0 * (0.5 * (found - held)).sin() * axis[k]).abs() < 1e-14, "{found} {held}: {left:?}"));
        }
        // About two: the turn that takes the one to the other, in the axes that both are seen from.
        let (q, o) = (turn([0.0, 0.6, 0.8], 0.9), turn([0.6, 0.8, 0.0], 0.5));
        let left = turn_from(q, [2.0 * o.x, 2.0 * o.y, 2.0 * o.z]);
        let relative = q.to_rotation() * o.to_rotation().transpose();
        let [x, y, z] = left.map(|x| 0.5 * x);
        let found = Quat { w: (1.0 - x * x - y * y - z * z).sqrt(), x, y, z }.to_rotation();
        for e in [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)] {
            assert!((relative * e - found * e).norm() < 1e-14);
        }
    }
}
