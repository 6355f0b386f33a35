//! Muscle after Thelen 2003.

use super::curves::{Contraction, Curves, exp};
use super::declare::{curve_numbers, muscle};
use super::read::{ABOVE_ONE, LawDefaults};
use borelli_math::{Constant, Real};
use borelli_model::Range;

curve_numbers! {
    /// Numbers of the curves.
    pub struct ThelenNumbers {
        /// width of the active force over length, gamma
        number active_shape: Range::POSITIVE, default 0.45;
        /// exponent of the passive force
        number passive_shape: Range::POSITIVE, default 5.0;
        /// fibre strain at which the passive force is that of full activation
        number passive_strain: Range::POSITIVE, default 0.6;
        /// Hill's shape factor of shortening
        number hill_shape: Range::POSITIVE, default 0.25;
        /// largest force of lengthening, over that at rest
        number lengthening_force: ABOVE_ONE, default 1.4;
    }
}

/// Curves with the numbers of one muscle.
#[derive(Clone, Debug)]
pub struct ThelenCurves<C> {
    minus_gamma: C,
    /// Exponent per n − 1, and 1/(exp k_P − 1).
    passive_rate: C,
    passive_scale: C,
    toe: C,
    /// Exponent per e, and slope beyond the toe.
    toe_rate: C,
    line: C,
    hill: C,
    lengthening: C,
    c: C,
    /// Where the lines of (3) end and begin: w and slope of φ by w.
    slope_below: C,
    w_above: C,
    slope_above: C,
}

/// Force at the end of the toe.
const TOE_FORCE: f64 = 0.33;
/// 0.33/(E − 1) of (2).
const TOE_SCALE: f64 = TOE_FORCE / 19.085_536_923_187_668;
/// Share of F_len up to which (3) is followed.
const FOLLOWED: f64 = 0.95;

muscle! {
    /// Muscle with curves after Thelen: a Gaussian active force, exponential passive force and tendon, and a hyperbola whose speed grows with activation.
    ///
    /// ```text
    /// f_L = exp(−(n − 1)²/γ)        f_P = (exp(k_P (n − 1)/ε_M) − 1)/(exp k_P − 1)  for n > 1, else 0                              (1)
    /// e = λ − 1,  E = exp 3,  e_toe = 99 ε_T E/(166 E − 67),  k = 0.67/(ε_T − e_toe):
    /// f_T = 0 (e ≤ 0);   0.33 (exp(3 e/e_toe) − 1)/(E − 1)  (e ≤ e_toe);   0.33 + k (e − e_toe)                                     (2)
    /// ν = (0.25 + 0.75 a) w,   φ = F_a/(a f_L):
    /// w = (φ − 1)/(1 + φ/A_f)  (φ ≤ 1)        w = (φ − 1)/(c (F_len − φ)),  c = (2 + 2/A_f)/(F_len − 1)  (φ > 1)                   (3)
    /// ```
    ///
    /// | γ `active_shape` | k_P `passive_shape` | ε_M `passive_strain` | ε_T `tendon_strain`, 0.04 unless given | A_f `hill_shape` | F_len `lengthening_force` |
    ///
    /// (3) goes on as a line, with value and slope, for φ < 0 and φ > 0.95 F_len. With damping the speed is the root of a quadratic in w, in closed form.
    ///
    /// Source: Thelen 2003, J Biomech Eng 125:70, with the tendon as in OpenSim 4.6 (f_T = 1 at ε_T) and, for an age of choice, other numbers.
    /// Limits: f_P and f_T have kinks at n = 1 and λ = 1, which are the paper's. Without damping an activation of 0 has no speed: `least_activation` keeps it away.
    /// Tests: `curves_have_the_values_slopes_and_integrals_of_the_table`, `the_slopes_of_the_speed_are_those_of_the_root`, `every_law_passes_the_loop`.
    "thelen": "Muscle after Thelen 2003: Gaussian active force, exponential passive force and tendon, hyperbola of Hill"
    pub struct Thelen with ThelenNumbers, ThelenCurves, LawDefaults { damping: 0.0, least_damping: 0.0, tendon_strain: 0.04, rise: 0.015, fall: 0.050 };
}

impl<C: Real> ThelenNumbers<C> {
    /// The curves.
    pub(super) fn curves(&self, tendon_strain: C) -> ThelenCurves<C> {
        let e3 = 3f64.exp();
        let toe = tendon_strain * (99.0 * e3 / (166.0 * e3 - 67.0));
        let (hill, most) = (self.hill_shape, self.lengthening_force);
        let c = (hill.recip() * 2.0 + 2.0) / (most - 1.0);
        let phi = most * FOLLOWED;
        let left = most - phi;
        ThelenCurves {
            minus_gamma: -self.active_shape.recip(),
            passive_rate: self.passive_shape / self.passive_strain,
            passive_scale: (exp(self.passive_shape) - 1.0).recip(),
            toe,
            toe_rate: toe.recip() * 3.0,
            line: C::from_f64(1.0 - TOE_FORCE) / (tendon_strain - toe),
            hill,
            lengthening: most,
            c,
            slope_below: (hill.recip() + 1.0).recip(),
            w_above: (phi - 1.0) / (c * left),
            slope_above: c * left * left / (most - 1.0),
        }
    }
}

impl ThelenNumbers<f64> {
    /// A field with which a curve is none.
    pub(super) fn bad_field(&self, _tendon_strain: f64) -> Option<&'static str> {
        None
    }
}

impl<C: Real> ThelenCurves<C> {
    /// φ at w: the inverse of (3) with its lines.
    #[inline]
    fn force<S: Real>(&self, w: S) -> S
    where
        C: Constant<S>,
    {
        let x = w.value();
        if x < -1.0 {
            self.slope_below.times(w + 1.0)
        } else if x <= 0.0 {
            (w + 1.0) / (-(w / self.hill.lift()) + 1.0)
        } else if x <= self.w_above.value() {
            let cw = self.c.times(w);
            (self.lengthening.times(cw) + 1.0) / (cw + 1.0)
        } else {
            self.slope_above.times(w - self.w_above.lift()) + self.lengthening.times(S::from_f64(FOLLOWED))
        }
    }
}

impl<C: Real> Curves<C> for ThelenCurves<C> {
    #[inline]
    fn active<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        let off = n - 1.0;
        exp(self.minus_gamma.times(off * off))
    }

    #[inline]
    fn passive<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        if n.value() <= 1.0 {
            return S::ZERO;
        }
        self.passive_scale.times(exp(self.passive_rate.times(n - 1.0)) - 1.0)
    }

    #[inline]
    fn passive_energy<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        if n.value() <= 1.0 {
            return S::ZERO;
        }
        let rate: S = self.passive_rate.lift();
        self.passive_scale.times((exp(rate * (n - 1.0)) - 1.0) / rate - (n - 1.0))
    }

    #[inline]
    fn tendon<S: Real>(&self, lambda: S) -> S
    where
        C: Constant<S>,
    {
        let e = lambda - 1.0;
        if e.value() <= 0.0 {
            S::ZERO
        } else if e.value() <= self.toe.value() {
            (exp(self.toe_rate.times(e)) - 1.0) * TOE_SCALE
        } else {
            self.line.times(e - self.toe.lift()) + TOE_FORCE
        }
    }

    #[inline]
    fn tendon_energy<S: Real>(&self, lambda: S) -> S
    where
        C: Constant<S>,
    {
        let e = lambda - 1.0;
        if e.value() <= 0.0 {
            return S::ZERO;
        }
        let (toe, rate): (S, S) = (self.toe.lift(), self.toe_rate.lift());
        let in_toe = |e: S| ((exp(rate * e) - 1.0) / rate - e) * TOE_SCALE;
        if e.value() <= toe.value() {
            return in_toe(e);
        }
        let beyond = e - toe;
        in_toe(toe) + beyond * (self.line.times(beyond) * 0.5 + TOE_FORCE)
    }

    #[inline]
    fn contractile<S: Real>(&self, part: &Contraction<S>, nu: S) -> S
    where
        C: Constant<S>,
    {
        part.activation * part.active * self.force(nu / (part.activation * 0.75 + 0.25))
    }

    /// With A = a f_L and b = β (0.25 + 0.75 a): A φ(w) + b w = R. At the ends of the pieces of φ the left side tells in which of them the root is; there it is a
    /// quadratic in w.
    #[inline]
    fn speed<S: Real>(&self, part: &Contraction<S>, load: S) -> S
    where
        C: Constant<S>,
    {
        let pace = part.activation * 0.75 + 0.25;
        let (strength, b) = (part.activation * part.active, part.damping * pace);
        let beyond = |w: S, phi: S, slope: S| w + (load - strength * phi - b * w) / (strength * slope + b);
        let short = strength - load;
        let (w_above, most): (S, S) = (self.w_above.lift(), self.lengthening.lift());
        let w = if (load + b).value() < 0.0 {
            beyond(-S::ONE, S::ZERO, self.slope_below.lift())
        } else if short.value() >= 0.0 {
            let q = self.hill.recip();
            root(-q.times(b), strength + b + q.times(load), short)
        } else if (strength * most * FOLLOWED + b * w_above - load).value() >= 0.0 {
            let c: S = self.c.lift();
            root(b * c, c * (strength * most - load) + b, short)
        } else {
            beyond(w_above, most * FOLLOWED, self.slope_above.lift())
        };
        pace * w
    }

    fn least_length(&self) -> C {
        C::from_f64(0.01)
    }
}

/// The root of a w² + b w + c at which the left side rises, without loss of digits.
#[inline(always)]
fn root<S: Real>(a: S, b: S, c: S) -> S {
    let spread = (b * b - a * c * 4.0).sqrt();
    if b.value() >= 0.0 { -(c * 2.0) / (b + spread) } else { (spread - b) / (a * 2.0) }
}
