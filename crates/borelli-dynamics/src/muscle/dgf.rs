//! Muscle after De Groote, Kinney, Rao and Fregly 2016.

use super::curves::{Contraction, Curves, at_least, exp, exps, ln};
use super::declare::{curve_numbers, muscle};
use super::read::LawDefaults;
use super::sinh_balance::{Root, SinhBalance};
use borelli_math::{Constant, Real};
use borelli_model::Range;

curve_numbers! {
    /// Numbers of the curves.
    pub struct DgfNumbers {
        /// width of the active force over length
        number active_width: Range::POSITIVE, default 1.0;
        /// fibre strain at which the passive force is that of full activation
        number passive_strain: Range::POSITIVE, default 0.6;
    }
}

/// Curves with the numbers of one muscle.
#[derive(Clone, Debug)]
pub struct DgfCurves<C> {
    per_width: C,
    passive_rate: C,
    o: C,
    passive_scale: C,
    k_T: C,
}

/// b₁ … b₄ of (1), one row per term.
const B: [[f64; 4]; 3] = [
    [0.815_067_113_424_354_2, 1.055_033_428_970_575, 0.162_384_573_599_574, 0.063_303_448_465_465],
    [0.433_004_984_392_647, 0.716_775_413_397_760, -0.029_947_116_970_696, 0.200_356_847_296_188],
    [0.1, 1.0, 0.353_553_390_593_274, 0.0],
];
/// d₁ … d₄ of (2).
const D: [f64; 4] = [-0.321_134_612_798_980_8, -8.149, -0.374, 0.882_532_773_324_991_2];
/// c₁ = c₃ of (4).
const TENDON: f64 = 0.2;
/// Where (3) is without force.
const SHORTEST: f64 = 0.2;

muscle! {
    /// Muscle with the closed forms of De Groote and Fregly, smooth everywhere.
    ///
    /// ```text
    /// f_L = Σᵢ b₁ exp(−½ (x − b₂)²/(b₃ + b₄ x)²),   x = (n − 1)/w + 1                                                               (1)
    /// f_V = d₁ asinh(d₂ ν + d₃) + d₄                                                                                                (2)
    /// f_P = (exp(4 (n − 1)/ε_M) − o)/(exp 4 − o),   o = exp(4 (0.2 − 1)/ε_M)                                                        (3)
    /// f_T = c₁ exp(k_T (λ − 1)) − c₃,   k_T = ln((1 + c₃)/c₁)/ε_T,   c₁ = c₃ = 0.2                                                   (4)
    /// ```
    ///
    /// | w `active_width` | ε_M `passive_strain` | ε_T `tendon_strain`, 0.049 unless given |
    ///
    /// The speed under a load is found with y = asinh(d₂ ν + d₃) as the unknown: a f_L (d₁ y + d₄) + β (sinh y − d₃)/d₂ = R (`sinh_balance`).
    ///
    /// Source: De Groote, Kinney, Rao & Fregly 2016, Ann Biomed Eng 44:2922, with the constants of OpenSim 4.6: (2) passes through (−1, 0) and (0, 1), (4) through the
    /// slack length; the denominator of (1) is squared, which the paper's supplement misses. Departures: f_T is not negative below slack but zero, and damping is 0.01 unless
    /// given, because without it (2) is a sinh of the load that overflows in trial steps.
    /// Limits: for 0.2 ≤ n ≤ 1.8 and |ν| ≤ 1 the curves mean something; outside they stay smooth. f_P(1) > 0: a resting muscle pulls. f_P < 0 for n < 0.2.
    /// Tests: `curves_have_the_values_slopes_and_integrals_of_the_table`, `the_slopes_of_the_speed_are_those_of_the_root`, `every_law_passes_the_loop`.
    "dgf": "Muscle after De Groote and Fregly 2016: smooth closed forms"
    pub struct Dgf with DgfNumbers, DgfCurves, LawDefaults { damping: 0.01, least_damping: 0.0, tendon_strain: 0.049, rise: 0.015, fall: 0.060 };
}

impl<C: Real> DgfNumbers<C> {
    /// The curves.
    pub(super) fn curves(&self, tendon_strain: C) -> DgfCurves<C> {
        let passive_rate = self.passive_strain.recip() * 4.0;
        let o = exp(passive_rate * (SHORTEST - 1.0));
        DgfCurves {
            per_width: self.active_width.recip(),
            passive_rate,
            o,
            passive_scale: (-o + 4f64.exp()).recip(),
            k_T: ln(C::from_f64((1.0 + TENDON) / TENDON)) / tendon_strain,
        }
    }
}

impl DgfNumbers<f64> {
    /// A field with which a curve is none.
    pub(super) fn bad_field(&self, _tendon_strain: f64) -> Option<&'static str> {
        None
    }
}

impl<C: Real> DgfCurves<C> {
    /// Exponents of (1), one per term.
    #[inline(always)]
    fn exponents<S: Real>(&self, n: S) -> [S; 3]
    where
        C: Constant<S>,
    {
        let x = self.per_width.times(n - 1.0) + 1.0;
        B.map(|[_, b2, b3, b4]| {
            let off = if b4 == 0.0 { (x - b2) * (1.0 / b3) } else { (x - b2) / (x * b4 + b3) };
            off * off * -0.5
        })
    }

    /// (1) from its exponentials.
    #[inline(always)]
    fn bell<S: Real>([first, second, third]: [S; 3]) -> S {
        first * B[0][0] + second * B[1][0] + third * B[2][0]
    }
}

impl<C: Real> Curves<C> for DgfCurves<C> {
    #[inline]
    fn active<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        Self::bell(exps(self.exponents(n)))
    }

    /// One array of exponentials for all three.
    #[inline(always)]
    fn all<S: Real>(&self, n: S, lambda: S) -> [S; 3]
    where
        C: Constant<S>,
    {
        let [first, second, third] = self.exponents(n);
        let stretch = at_least(lambda - 1.0, S::ZERO);
        // One more, so that they go in pairs.
        let found = exps([first, second, third, self.passive_rate.times(n - 1.0), self.k_T.times(stretch), S::ZERO]);
        let [first, second, third, passive, tendon, _] = found;
        [Self::bell([first, second, third]), self.passive_scale.times(passive - self.o.lift()), (tendon - 1.0) * TENDON]
    }

    #[inline]
    fn passive<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        self.passive_scale.times(exp(self.passive_rate.times(n - 1.0)) - self.o.lift())
    }

    #[inline]
    fn passive_energy<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        let (rate, o): (S, S) = (self.passive_rate.lift(), self.o.lift());
        self.passive_scale.times((exp(rate * (n - 1.0)) - o) / rate - o * (n - SHORTEST))
    }

    #[inline]
    fn tendon<S: Real>(&self, lambda: S) -> S
    where
        C: Constant<S>,
    {
        let stretch = lambda - 1.0;
        if stretch.value() <= 0.0 {
            return S::ZERO;
        }
        (exp(self.k_T.times(stretch)) - 1.0) * TENDON
    }

    #[inline]
    fn tendon_energy<S: Real>(&self, lambda: S) -> S
    where
        C: Constant<S>,
    {
        let stretch = lambda - 1.0;
        if stretch.value() <= 0.0 {
            return S::ZERO;
        }
        let k: S = self.k_T.lift();
        ((exp(k * stretch) - 1.0) / k - stretch) * TENDON
    }

    #[inline]
    fn contractile<S: Real>(&self, part: &Contraction<S>, nu: S) -> S
    where
        C: Constant<S>,
    {
        let x = nu * D[1] + D[2];
        let at = x.value();
        let f_V = x.chain(at.asinh(), 1.0 / (1.0 + at * at).sqrt()) * D[0] + D[3];
        part.activation * part.active * f_V
    }

    #[inline]
    fn speed<S: Real>(&self, part: &Contraction<S>, load: S) -> S
    where
        C: Constant<S>,
    {
        let strength = part.activation * part.active;
        if part.damping.value() == 0.0 {
            let y = (load / strength - D[3]) * (1.0 / D[0]);
            let [up, down] = exps([y, -y]);
            return ((up - down) * 0.5 - D[2]) * (1.0 / D[1]);
        }
        let (A, beta, R) = (strength.value(), part.damping.value(), load.value());
        let Root { y, sinh, cosh } = SinhBalance { p: A * -D[0], r: beta * (-1.0 / D[1]), c: A * D[3] - R - beta * (D[2] / D[1]) }.root();
        if S::PLAIN {
            return S::from_f64((sinh - D[2]) * (1.0 / D[1]));
        }
        // One more step, which carries slopes: by the implicit function theorem they are those of the root.
        let left = strength * (D[0] * y + D[3]) + part.damping * ((sinh - D[2]) / D[1]) - load;
        let step = left * (-1.0 / (A * D[0] + beta * cosh / D[1]));
        (step * cosh + (sinh - D[2])) * (1.0 / D[1])
    }

    fn least_length(&self) -> C {
        C::from_f64(SHORTEST)
    }
}
