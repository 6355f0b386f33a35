//! Passive moment at the ends of the range of an angle.

use super::declare::force;
use super::{Along, Answer};
use crate::compile::{Context, Coordinate, Fault};
use crate::scene::{Inner, Now};
use crate::system::Measure;
use borelli_math::{Constant, Real};
use borelli_model::{Fields, Range};

force! {
    /// Passive resistance of a joint: free inside its range, pushed back beyond either end, lightly damped everywhere.
    ///
    /// ```text
    /// β = q − q₀                                                                                  (1)
    /// S(u) = 0 (u ≤ 0),  3u² − 2u³ (0 < u < 1),  1 (u ≥ 1)                                         (2)
    /// τ = −j q̇ + m S((β₁ − β)/Δ) − m S((β − β₂)/Δ)                                                (3)
    /// stored energy  m Δ [Σ((β₁ − β)/Δ) + Σ((β − β₂)/Δ)]                                          (4)
    /// Σ(u) = ∫₀ᵘ S = 0 (u ≤ 0),  u³ − u⁴/2 (0 < u < 1),  u − ½ (u ≥ 1)                              (5)
    /// ```
    ///
    /// | q₀ `neutral` rad | β₁, β₂ `lower`, `upper` rad | Δ `transition` rad | m `moment` N m | j `damping` N m s/rad | τ on the coordinate, N m |
    ///
    /// Source: Saraiva 2022, (5.29)-(5.31). Departures: the printed lower branch has the argument (β − β₁)/Δ, negative where it is used, so that the
    /// moment jumps by 4 m at the end of the transition; here it is (β₁ − β)/Δ. The printed signs of penalty and damping cannot both hold
    /// for one body; here the penalty restores and the damping dissipates. (4) is ours.
    ///
    /// Limits: beyond the transition the moment stays at m and a larger load goes through. The slope of τ is continuous, its
    /// curvature jumps at the ends of both transitions.
    /// Tests: `joint_resistance_has_its_published_values`, `joint_resistance_has_a_continuous_slope`,
    /// `the_damping_of_a_joint_only_takes_power`, `elastic_forces_are_minus_the_slope_of_the_stored_energy`.
    "joint-resistance": "Passive moment that pushes an angle back into its range, and damping"
    pub struct JointResistance on coordinate {
        /// lower end of the free range, from neutral
        number lower: "rad" in Range::ANY;
        /// upper end of the free range, from neutral
        number upper: "rad" in Range::ANY;
        /// angle over which the moment grows to its full value
        number transition: "rad" in Range::POSITIVE;
        /// full moment
        number moment: "N m" in Range::NON_NEGATIVE;
        /// moment per angular rate
        number damping: "N m s/rad" in Range::NON_NEGATIVE, default 0.0;
        /// coordinate from which the range counts
        number neutral: "rad" in Range::ANY, default 0.0;
    }
    checked by sound;
}

/// Whether the coordinate is an angle and its range is not empty.
fn sound(fields: &mut Fields, _context: &Context, coordinate: &Coordinate) -> bool {
    let mut sound = true;
    if let (Some(lower), Some(upper)) = (fields.quantity("lower"), fields.quantity("upper"))
        && lower.value >= upper.value
    {
        fields.fault("upper", &Fault::EmptyRange { lower: lower.value, upper: upper.value, unit: "rad" });
        sound = false;
    }
    if coordinate.measure != Measure::Angle
        && let Some((name, _)) = fields.name("coordinate")
    {
        fields.fault("coordinate", &Fault::NotAngle { coordinate: name });
        sound = false;
    }
    sound
}

impl<C> JointResistance<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, coordinate: Along<S>, _now: &Now<S, C>, _inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        let angle = coordinate.x - self.neutral.lift();
        let mut answer = Answer { force: -self.damping.times(coordinate.rate), stored: S::ZERO };
        // The two ends, each with the sign of the moment that pushes back.
        for (beyond, sign) in [(self.lower.lift() - angle, 1.0), (angle - self.upper.lift(), -1.0)] {
            if beyond.value() > 0.0 {
                let (s, integral) = smoothstep(self.transition.recip().times(beyond));
                answer.force += self.moment.times(s) * sign;
                answer.stored += self.moment.times(self.transition.times(integral));
            }
        }
        answer
    }
}

/// Equations (2) and (5) for u > 0.
#[inline]
fn smoothstep<S: Real>(u: S) -> (S, S) {
    if u.value() >= 1.0 {
        return (S::ONE, u - 0.5);
    }
    let square = u * u;
    (square * (-u * 2.0 + 3.0), square * (u - square * 0.5))
}
