//! What a law looks like: its curves, with its typical numbers.
//! Not here: drawing.

use super::impact::{MASS, RADIUS, Striker, strike};
use crate::continuity::scan::jumps;
use crate::friction::Friction;
use crate::friction::spin::{PatchSlip, Spin};
use crate::law::{Fault, Kind};
use crate::normal::Normal;
use crate::volume::Volumetric;
use borelli_math::vec3;

/// What an axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// In words, with its symbol.
    pub label: &'static str,
    /// SI unit.
    pub unit: &'static str,
}

/// One curve; not a number where it jumps.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What is different from its neighbours.
    pub label: String,
    /// Values to the right.
    pub x: Vec<f64>,
    /// Values upward.
    pub y: Vec<f64>,
}

/// Curves over one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What is held fixed, in one line.
    pub caption: String,
    /// To the right.
    pub x: Quantity,
    /// Upward.
    pub y: Quantity,
    /// Curves.
    pub curves: Vec<Curve>,
}

/// Steps of a curve.
const STEPS: usize = 400;

/// A function over an interval, broken where it jumps: a point on either side of the jump and none between.
fn curve(label: String, from: f64, to: f64, f: impl Fn(f64) -> f64) -> Curve {
    let width = 1e-12 * (to - from);
    let breaks = jumps(&f, from, to, width);
    let mut places: Vec<f64> = (0..=STEPS).map(|k| from + (to - from) * k as f64 / STEPS as f64).collect();
    places.retain(|x| breaks.iter().all(|jump| (x - jump.at).abs() > 8.0 * width));
    places.extend(breaks.iter().flat_map(|jump| [jump.at - 8.0 * width, jump.at, jump.at + 8.0 * width]));
    places.sort_by(f64::total_cmp);
    let y = places.iter().map(|&x| if breaks.iter().any(|jump| jump.at == x) { f64::NAN } else { f(x) }).collect();
    Curve { label, x: places, y }
}

/// Curves that lie on each other, to 1e-12 of their size, become one with all their labels.
fn merged(curves: impl IntoIterator<Item = Curve>) -> Vec<Curve> {
    let mut kept: Vec<Curve> = Vec::new();
    for curve in curves {
        let size = curve.y.iter().fold(0.0_f64, |a, y| a.max(y.abs()));
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * size || a.is_nan() && b.is_nan();
        let same = |other: &&mut Curve| other.x == curve.x && other.y.iter().zip(&curve.y).all(near);
        match kept.iter_mut().find(same) {
            Some(other) => other.label = format!("{}, {}", other.label, curve.label),
            None => kept.push(curve),
        }
    }
    kept
}

/// Friction over slip at three normal forces, and over the normal force, from before the first touch, at three slips.
pub(super) fn friction(kind: &Kind) -> Result<Vec<Panel>, Fault> {
    let law = Friction::new(kind.name, &kind.typical_values())?;
    let force = Quantity { label: "friction F_f", unit: "N" };
    let at_normal = |F_n: f64| curve(format!("F_n = {F_n} N"), -0.06, 0.06, |v| law.drag(v, F_n).force);
    let at_slip = |v: f64| curve(format!("v = {v} m/s"), -2.0, 20.0, |F_n| law.drag(v, F_n).force);
    Ok(vec![
        Panel {
            caption: "over slip".into(),
            x: Quantity { label: "slip v", unit: "m/s" },
            y: force,
            curves: merged([100.0, 50.0, 25.0].map(at_normal)),
        },
        Panel {
            caption: "over the normal force, where contact begins".into(),
            x: Quantity { label: "normal force F_n", unit: "N" },
            y: force,
            curves: merged([0.06, 0.03, 0.005].map(at_slip)),
        },
    ])
}

/// Normal force of the patch, N, and its radius of gyration, m.
const PATCH: (f64, f64) = (100.0, 0.01);

/// Moment and force over spin, of a patch with the three-parameter law.
pub(super) fn spin(kind: &Kind) -> Result<Vec<Panel>, Fault> {
    let spinning = Spin::new(kind.name, &kind.typical_values())?;
    let under = "three-parameter";
    let known = Friction::<f64>::KINDS.iter().find(|kind| kind.name == under);
    let law = Friction::new(under, &known.map_or(Vec::new(), Kind::typical_values))?;
    let (normal, gyration) = PATCH;
    let load = |v: f64, spin: f64| spinning.friction(&law, PatchSlip { slip: vec3(v, 0.0, 0.0), spin, normal, gyration });
    let moment = |v: f64| curve(format!("v_t = {v} m/s"), -5.0, 5.0, |w| -load(v, w).1);
    let force = |v: f64| curve(format!("v_t = {v} m/s"), -5.0, 5.0, |w| -load(v, w).0.x);
    let spin = Quantity { label: "spin ω_n", unit: "rad/s" };
    let fixed = format!("with the friction law `{under}`, F_n = {normal} N, r_g = {gyration} m");
    Ok(vec![
        Panel {
            caption: format!("moment {fixed}"),
            x: spin,
            y: Quantity { label: "moment −τ_s", unit: "N m" },
            curves: merged([0.0, 0.01, 0.05].map(moment)),
        },
        Panel {
            caption: format!("force {fixed}"),
            x: spin,
            y: Quantity { label: "friction −F_t", unit: "N" },
            curves: merged([0.002, 0.01, 0.05].map(force)),
        },
    ])
}

/// Speeds of the impacts shown, m/s.
const SPEEDS: [f64; 3] = [0.5, 0.3, 0.1];

/// Free impacts, force over depth and over time.
fn impacts(law: &Striker, what: &str) -> Vec<Panel> {
    let impacts: Vec<_> = SPEEDS.map(|speed| (speed, strike(law, speed))).into();
    let curves = |column: usize| -> Vec<Curve> {
        let of = |k: usize, samples: &[[f64; 3]]| samples.iter().map(|sample| sample[k]).collect();
        let curve = |(speed, impact): &(f64, super::impact::Impact)| Curve {
            label: format!("{speed} m/s, e = {:.3}", impact.restitution),
            x: of(column, &impact.samples),
            y: of(2, &impact.samples),
        };
        impacts.iter().map(curve).collect()
    };
    let force = Quantity { label: "normal force F", unit: "N" };
    let panel = |over: &str, x: Quantity, column: usize| Panel {
        caption: format!("over {over}, {what} striking freely, restitution e"),
        x,
        y: force,
        curves: curves(column),
    };
    vec![panel("depth", Quantity { label: "depth δ", unit: "m" }, 1), panel("time", Quantity { label: "time", unit: "s" }, 0)]
}

pub(super) fn normal(kind: &Kind) -> Result<Vec<Panel>, Fault> {
    Ok(impacts(&Striker::Point(Normal::new(kind.name, &kind.typical_values())?), &format!("a point of {MASS} kg")))
}

pub(super) fn volume(kind: &Kind) -> Result<Vec<Panel>, Fault> {
    let bed = Volumetric::new(&kind.typical_values())?;
    Ok(impacts(&Striker::Sphere(bed), &format!("a sphere (radius {RADIUS} m, {MASS} kg)")))
}
