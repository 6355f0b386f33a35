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
    NoEquilibrium { length: f64, needed: f64 },
    NeverTaut { longest: f64, needed: f64 },
    SeveralEquilibria { roots: usize, fibre: f64 },
    OddLengths { length: f64, rest: f64 },
    OddMass { mass: f64 },
    ExcitationClipped { found: f64, least: f64 },
}

impl MuscleFault {
    /// The field that it is about, where there is one.
    pub fn field(&self) -> &'static str {
        match self {
            MuscleFault::NoEquilibrium { .. } | MuscleFault::NeverTaut { .. } => "tendon_length",
            MuscleFault::ExcitationClipped { .. } => "excitation",
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
            NoEquilibrium { length, needed } => {
                format!("the path is {length:.4} m long, tendon and shortest fibre are {needed:.4} m: the muscle starts slack")
            }
            NeverTaut { longest, needed } => {
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
            OddMass { mass } if *mass < 1.0 => format!("a muscle of this force and fibre length has a mass of {:.2} g", mass * 1e3),
            OddMass { mass } => format!("a muscle of this force and fibre length has a mass of {mass:.1} kg"),
            ExcitationClipped { found, least } => format!("the excitation is {found} at the start; it is kept between {least} and 1"),
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
                "check `tendon_length`, the points of the path and their units; the muscle pulls once the path is longer".into()
            }
            NeverTaut { .. } => "check `tendon_length`, the points of the path and their units; `borelli paths` shows the length over a coordinate".into(),
            SeveralEquilibria { .. } => {
                "the muscle starts on the falling part of its active force; other start coordinates avoid that, `fibres` in [initial] chooses".into()
            }
            OddLengths { .. } => "check the units of `fibre_length` and `tendon_length` and the points of the path".into(),
            OddMass { .. } => "check the units of `force` (N unless you say kN) and `fibre_length` (m unless you say mm)".into(),
            ExcitationClipped { .. } => "write a number or a function between 0 and 1; a percentage is text with its sign, such as \"40 %\"".into(),
        })
    }

    fn severity(&self) -> Severity {
        match self {
            MuscleFault::NoEquilibrium { .. }
            | MuscleFault::SeveralEquilibria { .. }
            | MuscleFault::OddLengths { .. }
            | MuscleFault::OddMass { .. }
            | MuscleFault::ExcitationClipped { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}
