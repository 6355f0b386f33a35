//! Curves of muscle laws with their published numbers, and of muscles with their own, for pages and pictures.
//! Not here: drawing. In: the curves of a law. Out: points.

use super::curves::{Contraction, Curves};

/// Curves over one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePanel {
    /// What is shown, in one line.
    pub caption: &'static str,
    /// What is to the right, and its unit.
    pub x: [&'static str; 2],
    /// What is upward, and its unit.
    pub y: [&'static str; 2],
    /// Names and points.
    pub curves: Vec<(String, Vec<[f64; 2]>)>,
}

/// Steps of a curve.
const STEPS: usize = 300;

impl CurvePanel {
    /// A function at even steps.
    pub(crate) fn curve(name: &str, from: f64, to: f64, mut f: impl FnMut(f64) -> f64) -> (String, Vec<[f64; 2]>) {
        let x = |k: usize| from + (to - from) * k as f64 / STEPS as f64;
        (name.into(), (0..=STEPS).map(|k| [x(k), f(x(k))]).collect())
    }
}

/// Force over fibre length, over speed and over tendon strain.
pub(super) fn panels<K: Curves<f64>>(curves: &K, strain: f64) -> Vec<CurvePanel> {
    let at_speed = |a: f64, nu: f64| curves.contractile(&Contraction { activation: a, active: 1.0, damping: 0.0 }, nu) / a;
    vec![
        CurvePanel {
            caption: "fibre at rest",
            x: ["fibre length / optimal length", "1"],
            y: ["force / largest isometric force", "1"],
            curves: vec![
                CurvePanel::curve("active, a = 1", 0.3, 1.8, |n| curves.active(n)),
                CurvePanel::curve("active, a = 0.5", 0.3, 1.8, |n| 0.5 * curves.active(n)),
                CurvePanel::curve("passive", 0.3, 1.6, |n| curves.passive(n)),
            ],
        },
        CurvePanel {
            caption: "fibre of optimal length, without damping",
            x: ["lengthening speed / largest shortening speed", "1"],
            y: ["active force / that at rest", "1"],
            curves: vec![
                CurvePanel::curve("a = 1", -1.1, 1.1, |nu| at_speed(1.0, nu)),
                CurvePanel::curve("a = 0.3", -1.1, 1.1, |nu| at_speed(0.3, nu)),
            ],
        },
        CurvePanel {
            caption: "tendon",
            x: ["strain", "1"],
            y: ["force / largest isometric force", "1"],
            curves: vec![CurvePanel::curve("tendon", -0.2 * strain, 1.3 * strain, |e| curves.tendon(1.0 + e))],
        },
    ]
}

/// Curves of one muscle with its own numbers at even steps, both ends among them; all pure numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveSamples {
    /// Active force at rest and full activation over the fibre length in optimal lengths, from and to [`CurveSamples::LENGTHS`].
    pub active: Vec<f64>,
    /// Passive force over the same lengths.
    pub passive: Vec<f64>,
    /// Active force of a fibre of optimal length at full activation, without damping, over the speed in largest shortening speeds, from and to [`CurveSamples::SPEEDS`].
    pub speed: Vec<f64>,
}

impl CurveSamples {
    /// First and last fibre length, in optimal lengths.
    pub const LENGTHS: [f64; 2] = [0.3, 1.8];
    /// First and last speed, in largest shortening speeds.
    pub const SPEEDS: [f64; 2] = [-1.1, 1.1];
    /// Steps from the first to the last.
    pub const STEPS: usize = 75;

    /// Where the samples of a curve stand.
    pub fn places([from, to]: [f64; 2]) -> impl Iterator<Item = f64> {
        (0..=Self::STEPS).map(move |k| from + (to - from) * k as f64 / Self::STEPS as f64)
    }

    /// Of these curves.
    pub(super) fn of<K: Curves<f64>>(curves: &K) -> CurveSamples {
        let whole = Contraction { activation: 1.0, active: 1.0, damping: 0.0 };
        CurveSamples {
            active: Self::places(Self::LENGTHS).map(|n| curves.active(n)).collect(),
            passive: Self::places(Self::LENGTHS).map(|n| curves.passive(n)).collect(),
            speed: Self::places(Self::SPEEDS).map(|nu| curves.contractile(&whole, nu)).collect(),
        }
    }
}
