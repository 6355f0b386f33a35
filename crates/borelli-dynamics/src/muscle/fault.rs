//! Faults of muscles: what can be wrong with one whose fields are well written, and what its start reveals.
//! Not here: faults of fields and of paths (`compile`).

use borelli_model::{Explain, Severity};

/// What was found; facts only.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each variant's message says what its fields are
pub enum MuscleFault {
    Unknown { found: String, nearest: Option<String> },
    BadCurve { field: &'static str },
    DampingNeeded { found: f64, least: f64 },
    ActivationNeeded { found: f64, least: f64 },
    NoEquilibrium { length: f64, needed: f64, by_fibre: bool },
    NeverTaut { longest: f64, needed: f64, by_fibre: bool },
    FibreTooShort { given: f64, least: f64 },
    FibreTooLong { given: f64, along: f64, length: f64, optimal: f64 },
    SeveralEquilibria { roots: usize, fibre: f64 },
    OddLengths { length: f64, rest: f64 },
    OddMass { mass: f64 },
    ExcitationClipped { found: f64, least: f64 },
    ExcitationNotFinite { t: f64, found: f64 },
    SlowActivation { field: &'static str, found: f64 },
}

impl MuscleFault {
    /// The field that it is about, where there is one.
    pub fn field(&self) -> &'static str {
        match self {
            MuscleFault::NoEquilibrium { by_fibre: true, .. } | MuscleFault::NeverTaut { by_fibre: true, .. } => "fibre_length",
            MuscleFault::NoEquilibrium { .. } | MuscleFault::NeverTaut { .. } => "tendon_length",
            MuscleFault::ExcitationClipped { .. } | MuscleFault::ExcitationNotFinite { .. } => "excitation",
            _ => "",
        }
    }
}

impl Explain for MuscleFault {
    fn code(&self) -> &'static str {
        use MuscleFault::*;
        match self {
            Unknown { .. } => "unknown-muscle",
            BadCurve { .. } => "bad-curve",
            DampingNeeded { .. } => "damping-needed",
            ActivationNeeded { .. } => "activation-needed",
            NoEquilibrium { .. } => "muscle-too-short",
            NeverTaut { .. } => "muscle-never-taut",
            SeveralEquilibria { .. } => "several-equilibria",
            OddLengths { .. } => "odd-muscle-lengths",
            OddMass { .. } => "odd-muscle-mass",
            ExcitationClipped { .. } => "excitation-clipped",
            ExcitationNotFinite { .. } => "control-not-finite",
            FibreTooShort { .. } | FibreTooLong { .. } => "impossible-fibre",
            SlowActivation { .. } => "slow-activation",
        }
    }

    fn message(&self) -> String {
        use MuscleFault::*;
        match self {
            Unknown { found, .. } => format!("muscle `{found}` does not exist, or has no such state"),
            BadCurve { field } => format!("with these numbers of `{field}` a curve of the muscle does not bend one way between its points"),
            DampingNeeded { found, .. } => format!("a damping of {found} is too small for this law with an elastic tendon"),
            ActivationNeeded { found, .. } => {
                format!("an activation of {found} without damping leaves the speed of the fibre undetermined")
            }
            NoEquilibrium { length, needed, .. } => {
                format!("the path is {length:.4} m long, tendon and shortest fibre are {needed:.4} m: the muscle starts slack")
            }
            NeverTaut { longest, needed, .. } => {
                format!(
                    "tendon and shortest fibre are {needed:.4} m, the path is {longest:.4} m at most over the ranges of its coordinates: the muscle never pulls"
                )
            }
            SeveralEquilibria { roots, fibre } => {
                format!("fibre and tendon balance at {roots} lengths at the start; the longest is taken, {fibre:.4} m")
            }
            OddLengths { length, rest } => {
                format!("the path is {length:.4} m long at the start, optimal fibre and slack tendon are together {rest:.4} m")
            }
            OddMass { mass } if !(1e-6..1e6).contains(mass) => {
                format!("a muscle of this force and fibre length has a mass of {mass:.1e} kg")
            }
            OddMass { mass } if *mass < 1.0 => format!("a muscle of this force and fibre length has a mass of {:.2} g", mass * 1e3),
            OddMass { mass } => format!("a muscle of this force and fibre length has a mass of {mass:.1} kg"),
            ExcitationClipped { found, least } => format!("the excitation is {found} at the start; it is kept between {least} and 1"),
            ExcitationNotFinite { t, found } => format!("the excitation is {found} at {t} s, not a finite number"),
            FibreTooShort { given, least } => {
                format!("`fibres` of [initial] gives {:.3} mm, shorter than its shortest fibre, {:.3} mm", given * 1e3, least * 1e3)
            }
            FibreTooLong { given, along, length, .. } => format!(
                "`fibres` of [initial] gives {:.3} mm, {:.3} mm along the path, which is {:.3} mm long at the start: nothing is left for the tendon",
                given * 1e3,
                along * 1e3,
                length * 1e3
            ),
            SlowActivation { field, found } => format!("`{field}` is {found} s: muscles take some hundredths of a second"),
        }
    }

    fn hint(&self) -> Option<String> {
        use MuscleFault::*;
        Some(match self {
            Unknown { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            Unknown { .. } => {
                "muscles are tables [muscle.NAME]; with a rigid tendon there is no fibre, with activation = \"none\" no activation to start".into()
            }
            BadCurve { .. } => {
                "leave the field out for the published numbers; lengths and strains must rise, and slopes must fit between them".into()
            }
            DampingNeeded { least, .. } => format!("give at least {least}, or leave it out; `thelen` and `dgf` can do without"),
            ActivationNeeded { least, .. } => format!("give damping, or least_activation = {least} or more"),
            NoEquilibrium { .. } => {
                format!("check `{}`, the points of the path and their units; the muscle pulls once the path is longer", self.field())
            }
            NeverTaut { .. } => format!("check `{}`, the points of the path and their units: a bare number is in m", self.field()),
            SeveralEquilibria { .. } => {
                "the muscle starts on the falling part of its active force; other start coordinates avoid that, `fibres` in [initial] chooses".into()
            }
            OddLengths { .. } => "check the units of `fibre_length` and `tendon_length` and the points of the path".into(),
            OddMass { .. } => "check the units of `force` (N unless you say kN) and `fibre_length` (m unless you say mm)".into(),
            ExcitationClipped { found, least } if *found > 0.0 && *found < *least => {
                "write 0 for a muscle at rest, or give a smaller `least_activation`; a percentage is text with its sign, such as \"40 %\"".into()
            }
            ExcitationNotFinite { .. } => "roots and logarithms need arguments above zero from the start on; shift the time, as in ln(1 + t)".into(),
            FibreTooShort { .. } => "give a longer one with its unit, such as \"60 mm\", or leave it out: the muscle then starts in equilibrium".into(),
            FibreTooLong { optimal, .. } => format!(
                "give a shorter one with its unit (its optimal length is {:.3} mm), or leave it out: the muscle then starts in equilibrium",
                optimal * 1e3
            ),
            SlowActivation { found, .. } => format!("a bare number is in s; did you mean \"{found} ms\"?"),
            ExcitationClipped { .. } => "write a number or a function between 0 and 1; a percentage is text with its sign, such as \"40 %\"".into(),
        })
    }

    fn severity(&self) -> Severity {
        match self {
            MuscleFault::NoEquilibrium { .. }
            | MuscleFault::SeveralEquilibria { .. }
            | MuscleFault::OddLengths { .. }
            | MuscleFault::OddMass { .. }
            | MuscleFault::SlowActivation { .. }
            | MuscleFault::ExcitationClipped { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}
