//! Metabolic power of a muscle: heat of activation, maintenance and shortening, and the work of the fibres. An output; nothing that moves depends on it.
//! Not here: the basal rate of the body, 1.2 W/kg, which is to be added once.
//! In: excitation, activation, length, speed and forces of the fibres. Out: power in W.
//!
//! ```text
//! m = ρ l₀ F₀/σ,  ρ = 1059.7 kg/m³,  σ = 0.25 MPa        u_s = r sin(πu/2)        u_f = (1 − r)(1 − cos(πu/2))                         (1)
//! umberger: r' = u_s/(u_s + u_f) (1 at u = 0),   A = u for u > a, else (u + a)/2,   S = 1.5,   V = l̇/l₀
//!   h = S A^0.6 (128 (1 − r') + 25), for n > 1 times 0.4 + 0.6 f_L                                                                   (2)
//!   q = S A² [min(−250 V/v_m, 100) r' − 153 (V/v_m)(1 − r')]  (V ≤ 0),   1000 S A V/v_m  (V > 0), for n > 1 times f_L
//! bhargava: h m = m (40 u_s + 133 u_f) + m g(n)(74 u_s + 111 u_f),  g through (0.5, 0.5) (1, 1) (1.5, 0), constant outside          (3)
//!   q m = −0.25 (F_a + F_p) l̇  (l̇ ≤ 0),  0  (l̇ > 0)
//! w m = −F_a l̇        where h + q + w < 0 heat is added until it is 0, and h + q ≥ 1 W/kg        power m (h + q + w)                 (4)
//! ```
//!
//! | r share of slow fibres | u excitation | a activation | n, l̇ length/l₀ and speed of the fibres | F_a, F_p active force, passive force with damping, N | f_L active force at rest |
//!
//! Source: (2) Umberger 2010, J R Soc Interface 7:1329, aerobic; (3) Bhargava, Pandy & Anderson 2004, J Biomech 37:81; constants and floors (4) as in OpenSim 4.6.
//! Limits: outputs have kinks where a sign changes. Tests: `metabolic_power_is_that_of_the_table`, `metabolic_power_has_its_closed_forms`.

use crate::compile::Context;
use crate::parts::Slot;
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Need, Range, number};
use std::f64::consts::FRAC_PI_2;

/// Density over the stress of full activation: mass of a muscle per l₀ F₀, kg/(N m).
const MASS: f64 = 1059.7 / 0.25e6;

/// Mass of a muscle from its largest force and its optimal length, kg.
pub(super) fn mass(force: f64, fibre_length: f64) -> f64 {
    fibre_length * force * MASS
}
/// S of aerobic work.
const AEROBIC: f64 = 1.5;

/// Fields of the table `metabolic`.
pub(super) static FIELDS: &[Field] = &[
    number("slow_fibres", "1", Range::UNIT, Need::Required, "share of slow fibres in the mass"),
    Field { name: "model", kind: FieldKind::Choice(&["umberger", "bhargava"]), need: Need::Optional, doc: "umberger unless given" },
];

/// Which law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Model {
    Umberger,
    Bhargava,
}

/// What is asked for of one muscle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Metabolic<N> {
    pub(super) model: Model,
    pub(super) slow: N,
    /// Its output.
    pub(super) output: u32,
}

impl<N> Metabolic<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Metabolic<M> {
        Metabolic { model: self.model, slow: number(&self.slow), output: self.output }
    }
}

impl Metabolic<Slot> {
    /// Reads the table; nothing where the file has none, or one with faults.
    pub(super) fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let table = fields.table("metabolic")?;
        let output = context.output(fields, "metabolic_power", "W");
        let path = format!("{}.metabolic", fields.element().path());
        let own = Fields::read(&table, &[FIELDS], context.dimension, fields.findings());
        let model = if own.choice("model") == Some("bhargava") { Model::Bhargava } else { Model::Umberger };
        Some(Metabolic { model, slow: context.quantity_at(&own, &path, "slow_fibres", "1")?, output })
    }
}

/// What the fibres of a muscle do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Burning<S> {
    pub(super) excitation: S,
    pub(super) activation: S,
    pub(super) n: S,
    /// l̇, m/s.
    pub(super) speed: S,
    /// F_a and F_p, N.
    pub(super) active: S,
    pub(super) passive: S,
    /// f_L.
    pub(super) factor: S,
    /// l₀, m, F₀, N, and v_m, 1/s.
    pub(super) fibre_length: S,
    pub(super) force: S,
    pub(super) fastest: S,
}

impl<C: Real> Metabolic<C> {
    /// Power, W.
    pub(super) fn power<S: Real>(&self, own: &Burning<S>) -> S
    where
        C: Constant<S>,
    {
        let mass = own.fibre_length * own.force * MASS;
        let r: S = self.slow.lift();
        let (sin, cos) = (own.excitation * FRAC_PI_2).sin_cos();
        let (slow, fast) = (r * sin, (S::ONE - r) * (S::ONE - cos));
        let heat = match self.model {
            Model::Umberger => umberger(own, slow, fast),
            Model::Bhargava => {
                let least = if own.speed.value() <= 0.0 { (own.active + own.passive) * own.speed * -0.25 / mass } else { S::ZERO };
                slow * 40.0 + fast * 133.0 + rise_and_fall(own.n) * (slow * 74.0 + fast * 111.0) + least
            }
        };
        let work = -(own.active * own.speed) / mass;
        let whole = heat + work;
        let heat = if whole.value() < 0.0 { heat - whole } else { heat };
        let heat = if heat.value() < 1.0 { S::ONE } else { heat };
        mass * (heat + work)
    }
}

/// h + q of (2), W/kg.
fn umberger<S: Real>(own: &Burning<S>, slow: S, fast: S) -> S {
    let all = slow + fast;
    let share = if all.value() > 0.0 { slow / all } else { S::ONE };
    let (u, a) = (own.excitation, own.activation);
    let A = if u.value() > a.value() { u } else { (u + a) * 0.5 };
    let V = own.speed / (own.fibre_length * own.fastest);
    let h = power_of_six_tenths(A) * AEROBIC * ((S::ONE - share) * 128.0 + 25.0);
    let q = if V.value() <= 0.0 {
        let of_slow = if V.value() < -0.4 { S::from_f64(100.0) } else { V * -250.0 };
        A * A * (of_slow * share - V * 153.0 * (S::ONE - share)) * AEROBIC
    } else {
        A * V * (1000.0 * AEROBIC)
    };
    if own.n.value() > 1.0 { h * (own.factor * 0.6 + 0.4) + q * own.factor } else { h + q }
}

/// x^0.6; without slope at zero.
fn power_of_six_tenths<S: Real>(x: S) -> S {
    let value = x.value();
    if value > 0.0 { x.chain(value.powf(0.6), 0.6 * value.powf(-0.4)) } else { S::ZERO }
}

/// g of (3).
fn rise_and_fall<S: Real>(n: S) -> S {
    match n.value() {
        x if x < 0.5 => S::from_f64(0.5),
        x if x < 1.0 => n,
        x if x < 1.5 => n * -2.0 + 3.0,
        _ => S::ZERO,
    }
}
