//! A muscle of Hill's type: a pennate fibre and a tendon in series along a path, for any law.
//! Not here: curves (`thelen`, `millard`, `dgf`), activation (`activation`), where it starts (`start`).
//! In: length and rate of the path, states, excitation. Out: tension, rates of the states, what is reported.
//!
//! Fibres keep their thickness h = l₀ sin α₀. With the projected fibre length s = l cos α:
//!
//! ```text
//! l = √(s² + h²)     cos α = s/l     l_T = L − s     l̇ = ṡ cos α     n = l/l₀     λ = l_T/l_s     ν = l̇/(v_m l₀)
//! f_T(λ) = cos α [a f_L(n) f_V(ν) + f_P(n) + β ν]            tension F = F₀ f_T                                                  (1)
//! ```
//!
//! | F₀ `force` N | l₀ `fibre_length` m | l_s `tendon_length` m | α₀ `pennation` rad | v_m `speed` 1/s | β `damping` | L path length m |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | a `activation` | σ = s/l₀ `fibre` | | | | | |
//!
//! *Elastic tendon.* σ is a state: l_T is linear in it, and (1) is one scalar equation for ν, with one root; σ̇ = ν v_m/cos α. *Rigid tendon.* s = L − l_s, ν = L̇ cos α/(v_m l₀),
//! F = F₀ cos α max(0, a f_L f_V + f_P + β ν).
//!
//! *Limits.* s_min = max(0.1 h/√0.99, √(n_min² l₀² − h²)) keeps cos α above 0.1 and fibres longer than n_min l₀ (0.01 Thelen, where the active force begins Millard, 0.2 DGF).
//! Over the last hundredth of l₀ above it shortening fades out with a C¹ ramp; the force is that of the tendon. A rigid tendon is slack below s_min.
//!
//! *Power.* Stored U = F₀ (l_s ∫f_T + l₀ ∫f_P); active P_a = −F₀ a f_L f_V l̇, damping P_β = −F₀ β ν l̇, on the skeleton P = −F L̇, and P + U̇ = P_a + P_β exactly.
//!
//! Source: Zajac 1989, Crit Rev Biomed Eng 17:359; Millard et al. 2013; σ as the state: van den Bogert, Blana & Heinrich 2011, Procedia IUTAM 2:297. Limits: activation heat is not
//! modelled. Tests: `every_law_passes_the_loop`, `power_and_energy_of_a_muscle_balance`, tables 7.2 to 7.5 in `studies`.

use super::activation::{self, Dynamics};
use super::curves::{Contraction, Curves, at_least, at_most};
use super::metabolic::Burning;
use super::read::Common;
use crate::force::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};

/// What a muscle reports beside its states and its excitation.
pub(super) const OUTPUTS: [(&str, &str); 10] = [
    ("force", "N"),
    ("fibre_length", "m"),
    ("fibre_speed", "m/s"),
    ("pennation", "rad"),
    ("tendon_length", "m"),
    ("active_force", "N"),
    ("passive_force", "N"),
    ("active_power", "W"),
    ("damping_power", "W"),
    ("stored_energy", "J"),
];

/// Muscles that go side by side.
pub(crate) const SIDE_BY_SIDE: usize = 4;
/// Part of the optimal length over which shortening fades out above the shortest fibre.
const RAMP: f64 = 0.01;

/// Numbers of a muscle that do not change, for reports and checks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuscleSize {
    /// Path.
    pub path: u32,
    /// Largest isometric force, N.
    pub force: f64,
    /// Optimal length of the fibres, m.
    pub fibre_length: f64,
    /// Slack length of the tendon, m.
    pub tendon_length: f64,
    /// Pennation at the optimal length, rad.
    pub pennation: f64,
    /// Largest shortening speed, optimal lengths per second.
    pub speed: f64,
    /// Least activation.
    pub least_activation: f64,
    /// Whether the tendon is elastic.
    pub elastic: bool,
    /// Control of the excitation.
    pub excitation: u32,
    /// Length of the fibre at which shortening has ended, m.
    pub least_length: f64,
}

/// What follows from the numbers of a muscle.
#[derive(Clone, Debug)]
pub(super) struct Built<C, K> {
    pub(super) curves: K,
    /// Square of the thickness, m².
    pub(super) square: C,
    /// s_min, m.
    pub(super) least: C,
    /// 1/l₀, 1/l_s, and 1/l₀ over `RAMP`, 1/m.
    per_fibre: C,
    per_tendon: C,
    per_ramp: C,
    /// F₀ v_m l₀, W.
    full_power: C,
}

impl<C: Real, K: Curves<C>> Built<C, K> {
    pub(super) fn new(common: &Common<C>, curves: K) -> Self {
        let height = common.fibre_length * common.pennation.sin_cos().0;
        let square = height * height;
        let short = curves.least_length() * common.fibre_length;
        let beside = short * short - square;
        let flat = height * (0.1 / 0.99f64.sqrt());
        // The root has no slope at zero, where the other bound is greater anyway.
        let least = if beside.value() > flat.value() * flat.value() { beside.sqrt() } else { flat };
        let (per_fibre, per_tendon) = (common.fibre_length.recip(), common.tendon_length.recip());
        let full_power = common.force * common.speed * common.fibre_length;
        Built { curves, square, least, per_fibre, per_tendon, per_ramp: per_fibre * (1.0 / RAMP), full_power }
    }

    /// Numbers that do not change, for reports.
    pub(super) fn size(&self, common: &Common<C>) -> MuscleSize {
        MuscleSize {
            path: common.path,
            force: common.force.value(),
            fibre_length: common.fibre_length.value(),
            tendon_length: common.tendon_length.value(),
            pennation: common.pennation.value(),
            speed: common.speed.value(),
            least_activation: common.least_activation.value(),
            elastic: common.fibre.is_some(),
            excitation: common.excitation,
            least_length: (self.least.value().powi(2) + self.square.value()).sqrt(),
        }
    }
}

/// A fibre of one projected length s.
#[derive(Clone, Copy)]
pub(super) struct Fibre<S> {
    pub(super) s: S,
    pub(super) length: S,
    pub(super) n: S,
}

impl<S: Real> Fibre<S> {
    #[inline(always)]
    pub(super) fn new<C: Constant<S>, K>(built: &Built<C, K>, s: S) -> Self {
        let length = (s * s + built.square.lift()).sqrt();
        Fibre { s, length, n: built.per_fibre.times(length) }
    }

    /// cos α.
    #[inline(always)]
    pub(super) fn cos(&self) -> S {
        self.s / self.length
    }
}

/// What is found in both cases, for the outputs.
struct Found<S> {
    fibre: Fibre<S>,
    tendon_length: S,
    /// Forces / F₀: of the tendon, active, passive.
    pull: S,
    active: S,
    passive: S,
    nu: S,
}

/// A muscle but for the speed of an elastic one's fibre.
pub(crate) struct Begun<S> {
    /// Excitation, and activation within its bounds.
    u: S,
    a: S,
    step: Step<S>,
}

enum Step<S> {
    /// With an elastic tendon (1) is to be solved for ν under the load R.
    Elastic {
        state: u32,
        s: S,
        fibre: Fibre<S>,
        secant: S,
        tendon_length: S,
        pull: S,
        passive: S,
        part: Contraction<S>,
        load: S,
    },
    Rigid(Found<S>),
}

/// Activation and its rate, and all curves but that of the speed.
///
/// The first of two parts, so that muscles can go side by side: the numbers of one muscle wait for each other, those of several do not.
#[inline(always)]
pub(super) fn begin<S: Real, C: Constant<S>, K: Curves<C>>(
    common: &Common<C>,
    built: &Built<C, K>,
    path: Along<S>,
    now: &Now<S, C>,
    inner: &mut Inner<S>,
) -> Begun<S> {
    let least = common.least_activation.lift();
    let u = now.control(common.excitation);
    let kept = |x: S| at_most(at_least(x, least), S::ONE);
    let excited = kept(u);
    let a = match common.activation {
        Some(state) => {
            let a = now.state(state);
            let seen = if common.dynamics == Dynamics::FirstOrder { kept(a) } else { a };
            inner.zdot[state as usize] = activation::rate(common.dynamics, &common.times(), excited, seen);
            kept(a)
        }
        None => excited,
    };
    let step = match common.fibre {
        Some(state) => elastic(common, built, path.x, state, now.state(state), a),
        None => Step::Rigid(rigid(common, built, path, a)),
    };
    Begun { u, a, step }
}

/// The speed of the fibre, and what follows from it.
#[inline(always)]
pub(super) fn finish<S: Real, C: Constant<S>, K: Curves<C>>(
    common: &Common<C>,
    built: &Built<C, K>,
    Begun { u, a, step }: Begun<S>,
    inner: &mut Inner<S>,
) -> Answer<S> {
    let found = match step {
        Step::Rigid(found) => found,
        Step::Elastic { state, s, fibre, secant, tendon_length, pull, passive, part, load } => {
            let mut nu = built.curves.speed(&part, load);
            let distance = built.per_ramp.times(s - built.least.lift());
            if distance.value() < 1.0 && nu.value() < 0.0 {
                nu = fading(distance, nu);
            }
            inner.zdot[state as usize] = common.speed.times(nu) * secant;
            Found { fibre, tendon_length, pull, active: load - part.damping * nu, passive, nu }
        }
    };
    let force = common.force.times(found.pull);
    // Energies are for those who look; a motion does without.
    let stored = if inner.reporting { report(common, built, &found, [u, a], inner) } else { S::ZERO };
    let speed = built.full_power.times(found.nu);
    inner.power[0] -= speed * found.active;
    inner.power[1] -= speed * common.damping.times(found.nu);
    Answer { force, stored }
}

/// A muscle with an elastic tendon, up to equation (1) for ν.
#[inline(always)]
fn elastic<S: Real, C: Constant<S>, K: Curves<C>>(
    common: &Common<C>,
    built: &Built<C, K>,
    length: S,
    state: u32,
    sigma: S,
    a: S,
) -> Step<S> {
    let s = common.fibre_length.times(sigma);
    let least: S = built.least.lift();
    // Trial steps may leave the range by more than the ramp lets a motion do; nothing becomes infinite there.
    let fibre = Fibre::new(built, at_least(s, least * 0.5));
    let secant = fibre.length / fibre.s;
    let tendon_length = length - s;
    let [active, passive, pull] = built.curves.all(fibre.n, built.per_tendon.times(tendon_length));
    let part = Contraction { activation: a, active, damping: common.damping.lift() };
    let load = pull * secant - passive;
    Step::Elastic { state, s, fibre, secant, tendon_length, pull, passive, part, load }
}

/// Shortening less than one ramp above the shortest fibre: none below zero, with a C¹ rise above.
#[cold]
fn fading<S: Real>(distance: S, nu: S) -> S {
    if distance.value() <= 0.0 { S::ZERO } else { nu * distance * distance * (-(distance * 2.0) + 3.0) }
}

/// A muscle whose tendon does not stretch.
#[inline(always)]
fn rigid<S: Real, C: Constant<S>, K: Curves<C>>(common: &Common<C>, built: &Built<C, K>, path: Along<S>, a: S) -> Found<S> {
    let (slack, least): (S, S) = (common.tendon_length.lift(), built.least.lift());
    let s = path.x - slack;
    if s.value() < least.value() {
        let fibre = Fibre::new(built, least);
        let (zero, passive) = (S::ZERO, built.curves.passive(fibre.n));
        return Found { fibre, tendon_length: path.x - least, pull: zero, active: zero, passive, nu: zero };
    }
    let fibre = Fibre::new(built, s);
    let cos = fibre.cos();
    let nu = path.rate * cos * built.per_fibre.lift() / common.speed.lift();
    let damping: S = common.damping.lift();
    let part = Contraction { activation: a, active: built.curves.active(fibre.n), damping };
    let passive = built.curves.passive(fibre.n);
    let rest = passive + damping * nu;
    let total = at_least(built.curves.contractile(&part, nu) + rest, S::ZERO);
    Found { fibre, tendon_length: slack, pull: cos * total, active: total - rest, passive, nu }
}

/// Writes the outputs; the stored energy, J.
#[cold]
fn report<S: Real, C: Constant<S>, K: Curves<C>>(
    common: &Common<C>,
    built: &Built<C, K>,
    found: &Found<S>,
    [u, a]: [S; 2],
    inner: &mut Inner<S>,
) -> S {
    let whole: S = common.force.lift();
    let speed = common.speed.times(common.fibre_length.times(found.nu));
    let damping = common.damping.times(found.nu);
    let Fibre { s, length, n } = found.fibre;
    // Both sides of the angle as lengths: the arc tangent has slopes at zero pennation too, where an arc cosine has none.
    let square = length * length - s * s;
    let height = if square.value() > 0.0 { square.sqrt() } else { S::ZERO };
    // A rigid tendon stores nothing.
    let in_tendon = match common.fibre {
        Some(_) => common.tendon_length.times(built.curves.tendon_energy(built.per_tendon.times(found.tendon_length))),
        None => S::ZERO,
    };
    let stored = whole * (in_tendon + common.fibre_length.times(built.curves.passive_energy(n)));
    let values = [
        whole * found.pull,
        length,
        speed,
        height.atan2(s),
        found.tendon_length,
        whole * found.active,
        whole * found.passive,
        -(whole * found.active * speed),
        -(whole * damping * speed),
        stored,
    ];
    let first = common.outputs as usize;
    inner.output[first..first + values.len()].copy_from_slice(&values);
    if let Some(output) = common.activation_output {
        inner.output[output as usize] = a;
    }
    if let Some(own) = &common.metabolic {
        let burning = Burning {
            excitation: at_most(at_least(u, S::ZERO), S::ONE),
            activation: a,
            n,
            speed,
            active: whole * found.active,
            passive: whole * (found.passive + damping),
            factor: built.curves.active(n),
            fibre_length: common.fibre_length.lift(),
            force: whole,
            fastest: common.speed.lift(),
        };
        inner.output[own.output as usize] = own.power(&burning);
    }
    stored
}
