//! Friction laws, scanned over slip and normal force.

use super::scan::{jumps, slope_jumps};
use super::{Verdict, judge, without};
use crate::friction::Friction;
use crate::law::{Fault, Kind};

/// Normal force of the scans over slip, N.
const NORMAL_FORCE: f64 = 100.0;

/// Slip of scans where a law has no speed of its own, m/s.
const USUAL_SPEED: f64 = 0.01;

/// What a friction law promises.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionRow {
    /// Name of the law.
    pub law: &'static str,
    /// Force continuous in slip.
    pub force: Verdict,
    /// Its slope continuous in slip.
    pub slope: Verdict,
    /// Force continuous in the normal force where contact begins, while slipping.
    pub touch: Verdict,
    /// The force is never along the slip, down to the smallest loads.
    pub opposes: Verdict,
    /// Greatest force without viscous parts; none where it does not fall again.
    pub peak: Option<Peak>,
    /// How many numbers the law has.
    pub parameters: usize,
}

/// The greatest friction force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Slip at which it stands, m/s.
    pub speed: f64,
    /// Its size over μ_s F_n, or over μ F_n where a law has one coefficient.
    pub size: f64,
}

/// A row for every friction law.
pub fn friction_rows() -> Result<Vec<FrictionRow>, Fault> {
    Friction::<f64>::KINDS.iter().map(row).collect()
}

fn row(kind: &Kind) -> Result<FrictionRow, Fault> {
    let make = |values: &[(&str, f64)]| Friction::new(kind.name, values);
    let scale = speed_scale(kind);
    let (low, high) = (-5.0 * scale, 5.0 * scale);
    let over_slip = |law: &Friction<f64>| {
        let law = *law;
        move |v: f64| law.drag(v, NORMAL_FORCE).force
    };
    // 1e-13 of the way is far above the spacing of numbers at the transition, and no law is so steep.
    let force = judge(kind, make, |law| jumps(over_slip(law), low, high, 1e-13 * (high - low)).is_empty())?;
    let slope = match force {
        Verdict::Yes => judge(kind, make, |law| slope_jumps(over_slip(law), low, high).is_empty())?,
        jumping => jumping,
    };
    let touch = judge(kind, make, |law| {
        jumps(|F_n| law.drag(3.0 * scale, F_n).force, -0.1 * NORMAL_FORCE, NORMAL_FORCE, 1e-13 * NORMAL_FORCE).is_empty()
    })?;
    let opposes = judge(kind, make, |law| {
        // Loads from 1e-4 of the usual one, slip up to five transition speeds.
        let loads = (0..=40).map(|k| NORMAL_FORCE * 10.0_f64.powf(-0.1 * k as f64));
        loads.into_iter().all(|F_n| (1..=500).all(|k| law.drag(k as f64 * 0.01 * scale, F_n).force >= 0.0))
    })?;
    let dry = make(&without(&kind.typical_values(), "viscosity"))?;
    Ok(FrictionRow { law: kind.name, force, slope, touch, opposes, peak: peak(&dry), parameters: kind.parameters.len() })
}

/// The largest of the speeds that a law has among its typical numbers, m/s.
fn speed_scale(kind: &Kind) -> f64 {
    let speeds = kind.parameters.iter().zip(kind.typical).filter(|(p, _)| p.unit == "m/s").filter_map(|(_, x)| *x);
    let largest = speeds.fold(0.0, f64::max);
    if largest > 0.0 { largest } else { USUAL_SPEED }
}

/// The greatest force up to a slip of 20 transition speeds, if it falls again after it; found on a grid and refined by golden section to 1e-8 of
/// the speed, as well as values near a maximum can tell.
pub fn peak(law: &Friction<f64>) -> Option<Peak> {
    let mut numbers = law.kind().parameters.iter();
    let (mut scale, mut mu) = (0.0_f64, 0.0_f64);
    law.map(&mut |&x| match numbers.next() {
        Some(p) if p.unit == "m/s" => scale = scale.max(x),
        Some(p) if p.name == "static_friction" || p.name == "friction" => mu = x,
        _ => (),
    });
    let full = mu * NORMAL_FORCE;
    let part = |v: f64| law.drag(v, NORMAL_FORCE).force / full;
    let step = scale / 250.0;
    let grid: Vec<f64> = (0..=5000).map(|k| part(k as f64 * step)).collect();
    let (top, size) = grid.iter().enumerate().fold((0, 0.0), |best, (k, y)| if *y > best.1 { (k, *y) } else { best });
    // Not the rounding of a curve that only approaches its limit.
    if !(size > grid[grid.len() - 1] * (1.0 + 1e-9)) {
        return None;
    }
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = ((top as f64 - 1.0) * step, (top as f64 + 1.0) * step);
    while high - low > 1e-8 * scale {
        let reach = golden * (high - low);
        let (left, right) = (high - reach, low + reach);
        if part(left) < part(right) { low = left } else { high = right }
    }
    let speed = 0.5 * (low + high);
    Some(Peak { speed, size: part(speed) })
}
