//! Ligaments: a toe, then a line, along a path. One law, written in several ways.
//! Not here: paths; how the ways to write it are read (`read`), the pose a reference is meant at (`reference.rs`).
//! In: length and rate of a path. Out: tension, stored energy, what is reported.

mod read;

#[cfg(test)]
mod tests;

pub use read::Reference;

use crate::force::{Along, Answer, Own, told};
use crate::muscle::CurvePanel;
use crate::parts::Slot;
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};

told! {
    ABOUT
    /// A ligament: slack, then a parabola, then a line.
    ///
    /// ```text
    /// ε = (L − L₀)/L₀      F = 0 (ε ≤ 0);   k ε²/(2 ε_t) (ε ≤ ε_t);   k (ε − ε_t/2)                                                   (1)
    /// U = k L₀ ε³/(6 ε_t),  then k L₀ (ε_t²/6 + ½ ε (ε − ε_t))                                                                        (2)
    /// damping, kind ramp:         + c clamp(ε/ε_t, 0, 1) L̇, the sum not below zero                                                    (3)
    /// damping, kind lengthening:  + c ε̇ S(ε/0.01) for ε̇ > 0,   S(x) = x³ (10 − 15 x + 6 x²) between 0 and 1                           (4)
    /// ```
    ///
    /// | L path length m | L₀ `slack_length` m | k `stiffness` N per strain | ε_t `transition` | c `damping`, N s/m in (3), N s in (4) |
    ///
    /// Ways to write k: `stiffness`; `stiffness_length` k_L = k/L₀, N/m; `toe` K₁ and `linear` K₂ of F = K₁ (L − L₀)², then K₂ (L − L₀ − ε_t L₀/2): k = K₂ L₀ and
    /// L₀ = K₂/(2 K₁ ε_t). Ways to write L₀: `slack_length`; `reference_strain` ε_r or `reference_force` at the start of the model, L₀ = L/(1 + ε_r), found once when the model
    /// is compiled.
    ///
    /// Source: Blankevoort & Huiskes 1991, J Biomech Eng 113:263; (3) Machado et al. 2010, Multibody Syst Dyn 23:33, in the form with which tension cannot become negative;
    /// (4) as OpenSim 4.6 has it. Limits: (1) is C¹; no creep.
    /// Tests: `forces_and_energies_are_those_of_the_table`, `all_ways_to_write_a_ligament_agree`.
    pub struct Ligament<N> {
        path: u32,
        stiffness: Stiffness<N>,
        slack_length: N,
        transition: N,
        damping: N,
        kind: Damping,
        reference: Option<Reference<N>>,
        /// The first of `OUTPUTS`.
        outputs: u32,
        own: Own,
        /// k and L₀; in the recipe the numbers above stand in their place.
        k: N,
        slack: N,
    }
}

/// What a ligament reports.
const OUTPUTS: [(&str, &str); 3] = [("force", "N"), ("strain", "1"), ("stored_energy", "J")];

/// Strain over which damping of lengthening sets in.
const ONSET: f64 = 0.01;

/// How the stiffness is written.
#[derive(Clone, Copy, Debug)]
enum Stiffness<N> {
    /// N per strain.
    Strain(N),
    /// N/m.
    Length(N),
    /// K₁, N/m², and K₂, N/m.
    ToeLinear(N, N),
}

/// Which damping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damping {
    /// (3).
    Ramp,
    /// (4).
    Lengthening,
    None,
}

impl<N> Ligament<N> {
    pub(crate) fn map<M: Constant<M>>(&self, number: &mut impl FnMut(&N) -> M, _old: Option<&mut Ligament<M>>) -> Ligament<M> {
        let stiffness = match &self.stiffness {
            Stiffness::Strain(k) => Stiffness::Strain(number(k)),
            Stiffness::Length(k) => Stiffness::Length(number(k)),
            Stiffness::ToeLinear(toe, linear) => Stiffness::ToeLinear(number(toe), number(linear)),
        };
        let [slack_length, transition, damping] = [&self.slack_length, &self.transition, &self.damping].map(&mut *number);
        let (k, slack) = match stiffness {
            Stiffness::Strain(k) => (k, slack_length),
            Stiffness::Length(k) => (k * slack_length, slack_length),
            Stiffness::ToeLinear(toe, linear) => {
                let slack = linear / (toe * transition * 2.0);
                (linear * slack, slack)
            }
        };
        let reference = self.reference.as_ref().map(|reference| match reference {
            Reference::Strain(strain) => Reference::Strain(number(strain)),
            Reference::Force(force) => Reference::Force(number(force)),
        });
        let (path, kind, outputs, own) = (self.path, self.kind, self.outputs, self.own.clone());
        Ligament { path, stiffness, slack_length, transition, damping, kind, reference, outputs, own, k, slack }
    }

    /// Its states and controls: none.
    #[inline(always)]
    pub(crate) fn own(&self) -> &Own {
        &self.own
    }

    /// The path it pulls along.
    #[inline(always)]
    pub(crate) fn on(&self) -> u32 {
        self.path
    }
}

impl Ligament<Slot> {
    /// The parameters of its slack length and of the reference that it is to be found from, if it is.
    pub(crate) fn slots_to_find(&self) -> Option<[Slot; 2]> {
        self.reference.map(|reference| [self.slack_length, reference.number()])
    }
}

impl<C: Real> Ligament<C> {
    #[inline]
    pub(crate) fn answer<S: Real>(&self, path: Along<S>, _now: &Now<S, C>, inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        let (k, slack, transition): (S, S, S) = (self.k.lift(), self.slack.lift(), self.transition.lift());
        let strain = (path.x - slack) / slack;
        let answer = self.pull(k, slack, transition, strain, path.rate);
        let first = self.outputs as usize;
        inner.output[first..first + OUTPUTS.len()].copy_from_slice(&[answer.force, strain, answer.stored]);
        answer
    }

    #[inline(always)]
    fn pull<S: Real>(&self, k: S, slack: S, transition: S, strain: S, rate: S) -> Answer<S>
    where
        C: Constant<S>,
    {
        let e = strain.value();
        // Written so that what is not a number goes on as such.
        if e <= 0.0 {
            return Answer { force: S::ZERO, stored: S::ZERO };
        }
        let in_toe = e <= transition.value();
        let (elastic, stored) = if in_toe {
            let force = k * strain * strain / (transition * 2.0);
            (force, force * slack * strain * (1.0 / 3.0))
        } else {
            let area = transition * transition * (1.0 / 6.0) + strain * (strain - transition) * 0.5;
            (k * (strain - transition * 0.5), k * slack * area)
        };
        let force = match self.kind {
            Damping::None => elastic,
            Damping::Ramp => {
                let share = if in_toe { strain / transition } else { S::ONE };
                let force = elastic + self.damping.times(share * rate);
                if force.value() < 0.0 { S::ZERO } else { force }
            }
            Damping::Lengthening if rate.value() <= 0.0 => elastic,
            Damping::Lengthening => {
                let x = strain * (1.0 / ONSET);
                let share = if x.value() < 1.0 { x * x * x * (x * (x * 6.0 - 15.0) + 10.0) } else { S::ONE };
                elastic + self.damping.times(share * rate / slack)
            }
        };
        Answer { force, stored }
    }
}

/// Curves of the law: force at rest, and how damping sets in.
pub fn portrait() -> Vec<CurvePanel> {
    let law = |kind: Damping, transition: f64| Ligament {
        path: 0,
        stiffness: Stiffness::Strain(1.0),
        slack_length: 1.0,
        transition,
        damping: 1.0,
        kind,
        reference: None,
        outputs: 0,
        own: Own::default(),
        k: 1.0,
        slack: 1.0,
    };
    let pull = |kind: Damping, transition: f64, strain: f64, rate: f64| {
        law(kind, transition).pull::<f64>(1.0, 1.0, transition, strain, rate).force
    };
    let curve = |name: &str, to: f64, y: &dyn Fn(f64) -> f64| CurvePanel::curve(name, -0.02, to, y);
    let share = |kind: Damping| move |strain: f64| pull(kind, 0.06, strain, 1.0) - pull(kind, 0.06, strain, 0.0);
    vec![
        CurvePanel {
            caption: "at rest",
            x: ["strain", "1"],
            y: ["force / stiffness per strain", "1"],
            curves: vec![
                curve("transition 0.06", 0.12, &|strain| pull(Damping::None, 0.06, strain, 0.0)),
                curve("transition 0.03", 0.12, &|strain| pull(Damping::None, 0.03, strain, 0.0)),
            ],
        },
        CurvePanel {
            caption: "how damping sets in while the path lengthens, transition 0.06",
            x: ["strain", "1"],
            y: ["part of the damping", "1"],
            curves: vec![curve("ramp", 0.08, &share(Damping::Ramp)), curve("lengthening", 0.08, &share(Damping::Lengthening))],
        },
    ]
}

impl Ligament<f64> {
    /// L₀ and k.
    pub fn slack_and_stiffness(&self) -> [f64; 2] {
        [self.slack, self.k]
    }

    /// The slack length that has the strain or force of the reference at a length; nothing where the file gives the slack length.
    pub(crate) fn slack_from(&self, length: f64) -> Option<f64> {
        let strain_of = |force: f64, k: f64| {
            let t = self.transition;
            if force < 0.5 * k * t { (2.0 * t * force / k).sqrt() } else { force / k + 0.5 * t }
        };
        match (self.reference?, self.stiffness) {
            (Reference::Strain(strain), _) => Some(length / (1.0 + strain)),
            (Reference::Force(force), Stiffness::Length(per_length)) => {
                // k = k_L L₀ falls with the strain that it gives: the length is where both agree, between none and the whole.
                let (mut low, mut high) = (0.0, length);
                for _ in 0..200 {
                    let slack = 0.5 * (low + high);
                    *(if slack * (1.0 + strain_of(force, per_length * slack)) > length { &mut high } else { &mut low }) = slack;
                }
                Some(0.5 * (low + high))
            }
            (Reference::Force(force), _) => Some(length / (1.0 + strain_of(force, self.k))),
        }
    }

    /// How the slack length changes with the number of the reference, at one length of the path; nothing where the file gives the slack length.
    ///
    /// From L₀ (1 + ε_r) = L, with ε_r(F_r/k) of a reference force and k = k_L L₀ where the stiffness is given per length.
    pub(crate) fn slack_slope(&self) -> Option<f64> {
        let (by_strain, slack) = (|strain: f64, slope: f64| -self.slack * slope / (1.0 + strain), self.slack);
        Some(match self.reference? {
            Reference::Strain(strain) => by_strain(strain, 1.0),
            Reference::Force(force) => {
                let (k, t) = (self.k, self.transition);
                let toe = force < 0.5 * k * t;
                let strain = if toe { (2.0 * t * force / k).sqrt() } else { force / k + 0.5 * t };
                let slope = if toe { t / (k * strain) } else { 1.0 / k };
                match self.stiffness {
                    // k changes with L₀: ∂ε/∂k = −(F/k) ∂ε/∂F.
                    Stiffness::Length(per_length) => -slack * slope / (1.0 + strain - slack * slope * force / k * per_length),
                    _ => by_strain(strain, slope),
                }
            }
        })
    }

    /// Force without damping, N, and stored energy, J, at a length.
    pub fn elastic(&self, length: f64) -> [f64; 2] {
        let still = Ligament { kind: Damping::None, ..self.clone() };
        let Answer { force, stored } = still.pull(self.k, self.slack, self.transition, length / self.slack - 1.0, 0.0);
        [force, stored]
    }
}
