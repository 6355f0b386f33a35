//! Passive moment at the ends of the range of an angle.

use super::Law;
use crate::compile::{Context, Fault};
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use crate::system::Measure;
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need, Range};

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
#[derive(Clone, Debug)]
pub struct JointResistance<N> {
    coord: u32,
    dof: u32,
    lower: N,
    upper: N,
    transition: N,
    moment: N,
    damping: N,
    neutral: N,
}

const fn number(name: &'static str, unit: &'static str, range: Range, need: Need, doc: &'static str) -> Field {
    Field { name, kind: FieldKind::Quantity { unit, range }, need, doc }
}

impl Law for JointResistance<Slot> {
    const KIND: Kind = Kind {
        name: "joint-resistance",
        doc: "Passive moment that pushes an angle back into its range, and damping",
        fields: &[
            Field { name: "coordinate", kind: FieldKind::Coordinate, need: Need::Required, doc: "angle it acts on" },
            number("lower", "rad", Range::ANY, Need::Required, "lower end of the free range, from neutral"),
            number("upper", "rad", Range::ANY, Need::Required, "upper end of the free range, from neutral"),
            number("transition", "rad", Range::POSITIVE, Need::Required, "angle over which the moment grows to its full value"),
            number("moment", "N m", Range::NON_NEGATIVE, Need::Required, "full moment"),
            number("damping", "N m s/rad", Range::NON_NEGATIVE, Need::Default(0.0), "moment per angular rate"),
            number("neutral", "rad", Range::ANY, Need::Default(0.0), "coordinate from which the range counts"),
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let coordinate = context.coordinate(fields, "coordinate");
        let mut number = |name, unit| context.quantity(fields, name, unit);
        let (lower, upper) = (number("lower", "rad"), number("upper", "rad"));
        let (transition, moment) = (number("transition", "rad"), number("moment", "N m"));
        let (damping, neutral) = (number("damping", "N m s/rad"), number("neutral", "rad"));
        let mut sound = true;
        if let (Some(lower), Some(upper)) = (fields.quantity("lower"), fields.quantity("upper"))
            && lower.value >= upper.value
        {
            fields.fault("upper", &Fault::EmptyRange { lower: lower.value, upper: upper.value });
            sound = false;
        }
        let coordinate = coordinate?;
        if coordinate.measure != Measure::Angle {
            let (name, _) = fields.name("coordinate")?;
            fields.fault("coordinate", &Fault::NotAngle { coordinate: name });
            sound = false;
        }
        let law = JointResistance {
            coord: coordinate.coord,
            dof: coordinate.dof,
            lower: lower?,
            upper: upper?,
            transition: transition?,
            moment: moment?,
            damping: damping?,
            neutral: neutral?,
        };
        sound.then_some(law)
    }
}

impl<N> JointResistance<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> JointResistance<M> {
        JointResistance {
            coord: self.coord,
            dof: self.dof,
            lower: number(&self.lower),
            upper: number(&self.upper),
            transition: number(&self.transition),
            moment: number(&self.moment),
            damping: number(&self.damping),
            neutral: number(&self.neutral),
        }
    }
}

impl<C> JointResistance<C> {
    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let angle = scene.q[self.coord as usize] - self.neutral.lift();
        let mut torque = -self.damping.times(scene.v[self.dof as usize]);
        // The two ends, each with the sign of the moment that pushes back.
        for (beyond, sign) in [(self.lower.lift() - angle, 1.0), (angle - self.upper.lift(), -1.0)] {
            if beyond.value() > 0.0 {
                let (s, integral) = smoothstep(self.transition.recip().times(beyond));
                torque += self.moment.times(s) * sign;
                loads.stored += self.moment.times(self.transition.times(integral));
            }
        }
        loads.tau[self.dof as usize] += torque;
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
