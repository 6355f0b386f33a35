//! Muscle after Millard, Uchida, Seth and Delp 2013.

use super::bezier::{Chain, Knot, Rising};
use super::curves::{Contraction, Curves};
use super::declare::{curve_numbers, muscle};
use super::pieces::Pieces;
use super::read::{ABOVE_ONE, LawDefaults};
use borelli_math::{Constant, Real};
use borelli_model::Range;
use std::sync::Arc;

curve_numbers! {
    /// Numbers of the curves.
    pub struct MillardNumbers {
        /// lengths at which the active force begins, bends and ends; 0.4441, 0.73, 1.8123 unless given
        list3 active_lengths: [0.4441, 0.73, 1.8123];
        /// slope of the active force on the shallow rise
        number active_slope: Range::POSITIVE, default 0.8616;
        /// least active force
        number active_floor: Range::NON_NEGATIVE, default 0.0;
        /// curviness of the active force
        number active_curviness: Range::UNIT, default 1.0;
        /// fibre strains at which the passive force begins, and is that of full activation; 0, 0.7 unless given
        list2 passive_strains: [0.0, 0.7];
        /// slope of the passive force at low force
        number passive_low_stiffness: Range::POSITIVE, default 0.2;
        /// slope of the passive force at full force; 2/(difference of the passive strains) unless given
        given passive_stiffness: Range::POSITIVE;
        /// curviness of the passive force
        number passive_curviness: Range::UNIT, default 0.75;
        /// slope of the tendon's force beyond the toe; 1.375/tendon_strain unless given
        given tendon_stiffness: Range::POSITIVE;
        /// force at the end of the tendon's toe
        number tendon_toe: Range { min: 0.0, max: 1.0, open_min: true }, default 0.666_666_666_666_666_6;
        /// curviness of the tendon's toe
        number tendon_curviness: Range::UNIT, default 0.5;
        /// slopes of force over speed at -1, -0.9, 0, 0.9 and 1; 0, 0.25, 5, 0.15, 0 unless given
        list5 speed_slopes: [0.0, 0.25, 5.0, 0.15, 0.0];
        /// largest force of lengthening, over that at rest
        number lengthening_force: ABOVE_ONE, default 1.4;
        /// curviness of force over speed, shortening and lengthening; 0.6, 0.9 unless given
        list2 speed_curviness: [0.6, 0.9];
    }
}

/// Curves with the numbers of one muscle.
#[derive(Clone, Debug)]
pub struct MillardCurves<C> {
    active: Chain<C, 5>,
    passive: Chain<C, 2>,
    tendon: Chain<C, 2>,
    velocity: Rising<C, 4>,
    least: C,
    /// The first three over plain numbers, shared by muscles with the same numbers.
    tables: Option<Arc<Tables>>,
    /// Whether the tables are those of other numbers.
    stale: bool,
}

/// Curves as polynomials of their arguments.
#[derive(Clone, Debug)]
struct Tables {
    active: Pieces<6, 7>,
    passive: Pieces<3, 4>,
    tendon: Pieces<3, 4>,
}

impl Tables {
    fn empty() -> Self {
        Tables { active: Pieces::empty(), passive: Pieces::empty(), tendon: Pieces::empty() }
    }
}

/// Knots of the four curves.
struct Knots<C> {
    active: [Knot<C>; 6],
    passive: [Knot<C>; 3],
    tendon: [Knot<C>; 3],
    velocity: [Knot<C>; 5],
}

fn knot<C: Real>(x: C, y: C, slope: C) -> Knot<C> {
    Knot { x, y, slope }
}

impl<C: Real> MillardNumbers<C> {
    fn knots(&self, strain: C) -> Knots<C> {
        let (zero, one) = (C::ZERO, C::ONE);
        let number = |x: f64| C::from_f64(x);
        let [x0, x1, x3] = self.active_lengths;
        let (d, floor, xs) = (self.active_slope, self.active_floor, number(0.95));
        let y1 = one - d * (xs - x1);
        let d01 = y1 * 1.25 / (x1 - x0);
        let active = [
            knot(x0, floor, zero),
            knot((x0 + x1) * 0.5, y1 * 0.5, d01),
            knot((x1 + xs) * 0.5, (y1 + 1.0) * 0.5, d),
            knot(one, one, zero),
            knot((x3 + 1.05) * 0.5, number(0.5), -(x3 - 1.1).recip()),
            knot(x3, floor, zero),
        ];
        let [e0, e1] = self.passive_strains;
        let stiff = self.passive_stiffness.unwrap_or_else(|| number(2.0) / (e1 - e0));
        let (a, b) = (stiff.recip() * 0.1, (e1 - e0) * 0.1);
        let delta = if a.value() < b.value() { a } else { b };
        let low = self.passive_low_stiffness;
        let passive = [knot(e0 + 1.0, zero, zero), knot(e0 + 1.0 + delta, low * delta * 0.5, low), knot(e1 + 1.0, one, stiff)];
        let (k, toe) = (self.tendon_stiffness.unwrap_or_else(|| number(1.375) / strain), self.tendon_toe);
        let x_toe = strain + 1.0 + (toe - 1.0) / k;
        let x_foot = (x_toe - 1.0) * 0.1 + 1.0;
        let y_mid = toe * 0.5;
        let x_mid = strain + 1.0 + (y_mid - 1.0) / k;
        let d_mid = y_mid / (x_mid - x_foot);
        let x_c = (x_foot + x_mid) * 0.5;
        let tendon = [knot(one, zero, zero), knot(x_c, d_mid * (x_c - x_foot), d_mid), knot(x_toe, toe, k)];
        let [s1, s2, s3, s4, s5] = self.speed_slopes;
        let most = self.lengthening_force;
        let velocity = [
            knot(-one, zero, s1),
            knot(number(-0.9), (s1 + s2) * 0.05, s2),
            knot(zero, one, s3),
            knot(number(0.9), most - (s4 + s5) * 0.05, s4),
            knot(one, most, s5),
        ];
        Knots { active, passive, tendon, velocity }
    }
}

muscle! {
    /// Muscle with curves of Bézier elbows, twice continuously differentiable, and a damped fibre.
    ///
    /// ```text
    /// f_L: (x₀, f, 0) → ((x₀+x₁)/2, y₁/2, d₀₁) → ((x₁+x_s)/2, (1+y₁)/2, d) → (1, 1, 0) → (x₂₃, ½, d₂₃) → (x₃, f, 0), constant outside          (1)
    ///      x_s = 0.95,  y₁ = 1 − d (x_s − x₁),  d₀₁ = 1.25 y₁/(x₁ − x₀),  x₂₃ = (1.05 + x₃)/2,  d₂₃ = −1/(x₃ − 1.1)
    /// f_P: (1+ε₀, 0, 0) → (1+ε₀+δ, k₀ δ/2, k₀) → (1+ε₁, 1, k₁),  δ = min(0.1/k₁, 0.1 (ε₁ − ε₀)), a line beyond                                  (2)
    /// f_T: (1, 0, 0) → (x_c, y_c, d_m) → (x_t, f_t, k), a line beyond;  x_t = 1 + ε + (f_t − 1)/k,  x_f = 1 + (x_t − 1)/10,                      (3)
    ///      y_m = f_t/2,  x_m = 1 + ε + (y_m − 1)/k,  d_m = y_m/(x_m − x_f),  x_c = (x_f + x_m)/2,  y_c = d_m (x_c − x_f)
    /// f_V: (−1, 0, s₁) → (−0.9, 0.05 (s₁+s₂), s₂) → (0, 1, s₃) → (0.9, F_len − 0.05 (s₄+s₅), s₄) → (1, F_len, s₅), lines outside                (4)
    /// ```
    ///
    /// | x₀, x₁, x₃ `active_lengths` | d `active_slope` | f `active_floor` | ε₀, ε₁ `passive_strains` | k₀ `passive_low_stiffness` | k₁ `passive_stiffness` |
    /// | --- | --- | --- | --- | --- | --- |
    /// | ε `tendon_strain`, 0.049 | k `tendon_stiffness`, 1.375/ε | f_t `tendon_toe` | s₁ … s₅ `speed_slopes` | F_len `lengthening_force` | |
    ///
    /// Each curve is a chain of elbows through points with slopes, (x, y, dy/dx); an elbow is a Bézier curve of degree five, whose curviness says how near it comes to the
    /// corner of its two end lines (see `bezier`).
    ///
    /// Over plain numbers (1) to (3) are polynomials (`pieces`). The speed under a load is found in the elbow of (4) that holds it, with the elbow's own
    /// variable as the unknown.
    ///
    /// Source: Millard, Uchida, Seth & Delp 2013, J Biomech Eng 135:021005 (OpenSim's Millard2012EquilibriumMuscle). Departures: the form without damping, which needs a raised
    /// floor and other end slopes, is not offered: damping is at least 0.001.
    /// Tests: `curves_have_the_values_slopes_and_integrals_of_the_table`, `the_slopes_of_the_speed_are_those_of_the_root`, `every_law_passes_the_loop`.
    "millard": "Muscle after Millard 2013: curves of Bezier elbows, damped fibre"
    pub struct Millard with MillardNumbers, MillardCurves, LawDefaults { damping: 0.1, least_damping: 0.001, tendon_strain: 0.049, rise: 0.010, fall: 0.040 };
}

impl<C: Real> MillardNumbers<C> {
    /// The curves.
    pub(super) fn curves(&self, tendon_strain: C) -> MillardCurves<C> {
        let Knots { active, passive, tendon, velocity } = self.knots(tendon_strain);
        let [shortening, lengthening] = self.speed_curviness;
        MillardCurves {
            active: Chain::new(&active, [self.active_curviness; 5]),
            passive: Chain::new(&passive, [self.passive_curviness; 2]),
            tendon: Chain::new(&tendon, [self.tendon_curviness; 2]),
            velocity: Rising::new(Chain::new(&velocity, [shortening, shortening, lengthening, lengthening])),
            least: self.active_lengths[0],
            tables: None,
            stale: true,
        }
    }
}

impl MillardNumbers<f64> {
    /// A field with which a curve is none.
    pub(super) fn bad_field(&self, tendon_strain: f64) -> Option<&'static str> {
        let Knots { active, passive, tendon, velocity } = self.knots(tendon_strain);
        [
            ("active_lengths", Chain::<f64, 5>::is_bent_once(&active) && self.active_lengths[0] > 0.0),
            // The rise of the active force must begin above zero.
            ("active_slope", active[1].y > 0.0),
            ("passive_strains", Chain::<f64, 2>::is_bent_once(&passive)),
            ("tendon_stiffness", Chain::<f64, 2>::is_bent_once(&tendon)),
            ("speed_slopes", Chain::<f64, 4>::is_bent_once(&velocity) && self.speed_slopes.iter().all(|slope| *slope >= 0.0)),
            ("speed_curviness", self.speed_curviness.iter().all(|curviness| (0.0..=1.0).contains(curviness))),
        ]
        .into_iter()
        .find(|(_, good)| !good)
        .map(|(field, _)| field)
    }
}

impl<C: Real> Curves<C> for MillardCurves<C> {
    #[inline]
    fn active<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        self.tables.as_ref().and_then(|tables| tables.active.at(n)).unwrap_or_else(|| self.active.at(n))
    }

    #[inline]
    fn passive<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        self.tables.as_ref().and_then(|tables| tables.passive.at(n)).unwrap_or_else(|| self.passive.at(n))
    }

    #[inline]
    fn passive_energy<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>,
    {
        self.passive.area(n)
    }

    #[inline]
    fn tendon<S: Real>(&self, lambda: S) -> S
    where
        C: Constant<S>,
    {
        self.tables.as_ref().and_then(|tables| tables.tendon.at(lambda)).unwrap_or_else(|| self.tendon.at(lambda))
    }

    #[inline]
    fn tendon_energy<S: Real>(&self, lambda: S) -> S
    where
        C: Constant<S>,
    {
        self.tendon.area(lambda)
    }

    #[inline]
    fn contractile<S: Real>(&self, part: &Contraction<S>, nu: S) -> S
    where
        C: Constant<S>,
    {
        part.activation * part.active * self.velocity.chain.at(nu)
    }

    #[inline]
    fn speed<S: Real>(&self, part: &Contraction<S>, load: S) -> S
    where
        C: Constant<S>,
    {
        self.velocity.balance(part.activation * part.active, part.damping, load)
    }

    fn least_length(&self) -> C {
        self.least
    }

    fn inherit(&mut self, old: &mut Self, same: bool) {
        self.tables = old.tables.take();
        self.stale = !same || self.tables.is_none();
    }

    fn is_settled(&self) -> bool {
        !self.stale || !C::PLAIN
    }

    fn settle(&mut self, like: Option<&Self>) {
        self.stale = false;
        if let Some(like) = like {
            self.tables.clone_from(&like.tables);
            return;
        }
        // Memory that nobody else looks at is used again.
        let mut tables = self.tables.take().filter(|tables| Arc::strong_count(tables) == 1).unwrap_or_else(|| Arc::new(Tables::empty()));
        if let Some(own) = Arc::get_mut(&mut tables) {
            self.active.cut(&mut own.active);
            self.passive.cut(&mut own.passive);
            self.tendon.cut(&mut own.tendon);
        }
        self.tables = Some(tables);
    }
}

#[cfg(test)]
impl MillardCurves<f64> {
    /// Whether all three curves are found by polynomials.
    pub(super) fn has_good_tables(&self) -> bool {
        let good = |tables: &Arc<Tables>| tables.active.at(1.0).and(tables.passive.at(1.0)).and(tables.tendon.at(1.0)).is_some();
        self.tables.as_ref().is_some_and(good)
    }
}

#[cfg(test)]
impl MillardNumbers<f64> {
    /// The published numbers, with slopes where the lines beyond the curve of speed begin.
    pub(super) fn with_sloping_lines() -> Self {
        MillardNumbers { speed_slopes: [0.1, 0.25, 5.0, 0.15, 0.05], ..MillardNumbers::published() }
    }

    /// The numbers of table 7.1 of the specification of muscles.
    pub(super) fn of_table() -> Self {
        MillardNumbers {
            active_lengths: [0.40, 0.75, 1.75],
            active_slope: 0.9,
            passive_strains: [0.05, 0.65],
            passive_low_stiffness: 0.25,
            passive_stiffness: Some(3.2),
            passive_curviness: 0.7,
            tendon_stiffness: Some(22.5),
            tendon_toe: 0.6,
            tendon_curviness: 0.55,
            speed_slopes: [0.0, 0.2, 4.5, 0.12, 0.0],
            lengthening_force: 1.45,
            speed_curviness: [0.65, 0.85],
            ..MillardNumbers::published()
        }
    }
}
