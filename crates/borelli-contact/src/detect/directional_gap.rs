//! The largest gap over all directions, by ascent on the unit sphere; it needs nothing but support points.
//! Not here: the six equations (`common_normal`), which polish what is found here.
//! In: two surfaces in their poses. Out: a direction where the gap is largest nearby; the best of a coarse set of directions.

use super::pair::{Gap, Pair};
use super::tangent::householder;
use crate::shape::Surface;
use borelli_math::{Constant, Vec3, vec3};

/// Directions of the coarse set: the line of centres, both bodies' axes and their products (faces and pairs of edges of boxes about the
/// bodies, between which boxes overlap least), and faces, edges and corners of a cube.
pub(super) const SCANNED: usize = 2 + 12 + 18 + 26;
/// Gradient across the direction, in sizes of the smaller body, at which the ascent is done.
const LEVEL: f64 = 1e-11;
/// Steps of an ascent that is to reach the top.
pub(super) const MOST_STEPS: u32 = 200;
/// Steps of an ascent that is to tell a rival.
const SHORT_STEPS: u32 = 8;
/// Ascents of a scan.
const ASCENTS: usize = 24;
/// Cosine of the angle below which two directions of the coarse set lead to the same place.
const NEIGHBOURS: f64 = 0.95;

/// The directions of the coarse set, one by one.
fn coarse_directions<A: Surface, B: Surface>(pair: &Pair<A, B, f64>) -> impl Iterator<Item = Vec3<f64>> {
    let (R1, R2, c) = (pair.X_first.R, pair.X_second.R, pair.centres());
    let line = (c.norm() > 0.0).then_some(c);
    let cube = (0..27).filter(|&k| k != 13).map(|k| vec3((k % 3) as f64 - 1.0, (k / 3 % 3) as f64 - 1.0, (k / 9) as f64 - 1.0));
    let (axes1, axes2) = ([R1.x, R1.y, R1.z], [R2.x, R2.y, R2.z]);
    let products = axes1.into_iter().flat_map(move |u| axes2.into_iter().map(move |v| u.cross(v))).filter(|m| m.norm() > 1e-6);
    let lines = line.into_iter().chain(axes1).chain(axes2).chain(products);
    lines.flat_map(|m| [m, -m]).chain(cube).map(|m| m.scale(1.0 / m.norm()))
}

/// Gaps along a coarse set of directions, and what short ascents from the best of them reach.
pub(super) struct Scan {
    /// Directions with their gaps, the first `count` of them.
    entries: [(f64, Vec3<f64>); SCANNED],
    count: usize,
    /// Largest gap found.
    pub best: f64,
    /// Where.
    pub peak: Vec3<f64>,
    /// Gaps compared in all.
    pub evaluated: u32,
}

impl Scan {
    pub(super) fn new<A: Surface, B: Surface>(pair: &Pair<A, B, f64>) -> Scan
    where
        A::Number: Constant<f64>,
        B::Number: Constant<f64>,
    {
        let nothing = (f64::NEG_INFINITY, Vec3::ZERO);
        let mut scan = Scan { entries: [nothing; SCANNED], count: 0, best: nothing.0, peak: nothing.1, evaluated: 0 };
        for m in coarse_directions(pair) {
            scan.entries[scan.count] = (pair.gap(m).value, m);
            scan.count += 1;
        }
        scan.evaluated = scan.count as u32;
        scan.entries[..scan.count].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        scan.climb(pair, SHORT_STEPS);
        scan
    }

    /// Ascents of at most so many steps from the best directions that are not neighbours of better ones.
    pub(super) fn climb<A: Surface, B: Surface>(&mut self, pair: &Pair<A, B, f64>, most_steps: u32)
    where
        A::Number: Constant<f64>,
        B::Number: Constant<f64>,
    {
        let mut starts = [Vec3::ZERO; ASCENTS];
        let mut made = 0;
        for &(_, m) in &self.entries[..self.count] {
            if made == ASCENTS || self.best > 0.0 {
                break;
            }
            if starts[..made].iter().all(|s| s.dot(m) < NEIGHBOURS) {
                starts[made] = m;
                made += 1;
                let (peak, gap, steps) = ascend(pair, m, most_steps);
                self.evaluated += steps;
                if gap.value > self.best {
                    (self.best, self.peak) = (gap.value, peak);
                }
            }
        }
    }
}

/// Largest gap near a direction: quasi-Newton ascent (BFGS) in two coordinates of the tangent plane m₀ + t y₁ + b y₂.
///
/// The gap has no second derivatives where a face is flat, hence the line search by bisection for the weak Wolfe conditions, which also
/// serves functions with kinks. Source: Lewis and Overton 2013, Nonsmooth optimization via quasi-Newton methods.
pub(super) fn ascend<A: Surface, B: Surface>(pair: &Pair<A, B, f64>, start: Vec3<f64>, most_steps: u32) -> (Vec3<f64>, Gap, u32)
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    let mut centre = start;
    let (mut m, mut gap) = (start, pair.gap(start));
    let mut steps = 0;
    // Each round has its own chart; a round that moves far ends early, so that the chart stays about flat.
    for _ in 0..20 {
        let (t, b) = householder(centre);
        let at = |y: [f64; 2]| {
            let u = centre + t.scale(y[0]) + b.scale(y[1]);
            let length = u.norm();
            let m = u.scale(1.0 / length);
            let gap = pair.gap(m);
            let across = (gap.between - m.scale(m.dot(gap.between))).scale(1.0 / length);
            (m, gap, [across.dot(t), across.dot(b)])
        };
        let mut y = [0.0, 0.0];
        let mut slope = at(y).2;
        let mut inverse = [1.0 / pair.size, 0.0, 1.0 / pair.size]; // of minus the second derivatives: xx, xy, yy
        let mut fresh = true;
        let before = gap.value;
        while steps < most_steps && length(slope) > LEVEL * pair.size && length(y) < 0.5 {
            steps += 1;
            let mut p = [inverse[0] * slope[0] + inverse[1] * slope[1], inverse[1] * slope[0] + inverse[2] * slope[1]];
            if fresh && length(p) > 0.3 {
                p = p.map(|x| x * 0.3 / length(p));
            }
            let rise = dot(p, slope);
            if !(rise > 0.0) {
                break;
            }
            let (mut low, mut high, mut s) = (0.0, f64::INFINITY, 1.0);
            let mut found = None;
            for _ in 0..60 {
                let trial = [y[0] + s * p[0], y[1] + s * p[1]];
                let there = at(trial);
                if !(there.1.value >= gap.value + 1e-4 * s * rise) {
                    high = s;
                } else if dot(p, there.2) > 0.9 * rise {
                    low = s;
                    found = Some((trial, there));
                } else {
                    found = Some((trial, there));
                    break;
                }
                s = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * s };
                if !(s * length(p) > 1e-17) || length(trial) > 4.0 {
                    break;
                }
            }
            let Some((trial, there)) = found else { break };
            let (moved, fell) = ([trial[0] - y[0], trial[1] - y[1]], [slope[0] - there.2[0], slope[1] - there.2[1]]);
            let curvature = dot(moved, fell);
            if curvature > 0.0 {
                if fresh {
                    let scale = curvature / dot(fell, fell);
                    inverse = [scale, 0.0, scale];
                    fresh = false;
                }
                let q = [inverse[0] * fell[0] + inverse[1] * fell[1], inverse[1] * fell[0] + inverse[2] * fell[1]];
                let k = (1.0 + dot(fell, q) / curvature) / curvature;
                inverse[0] += k * moved[0] * moved[0] - 2.0 * q[0] * moved[0] / curvature;
                inverse[1] += k * moved[0] * moved[1] - (q[0] * moved[1] + q[1] * moved[0]) / curvature;
                inverse[2] += k * moved[1] * moved[1] - 2.0 * q[1] * moved[1] / curvature;
            }
            y = trial;
            (m, gap, slope) = there;
        }
        centre = m;
        if !(gap.value > before) || steps >= most_steps || length(slope) <= LEVEL * pair.size {
            break;
        }
    }
    (m, gap, steps)
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}
fn length(a: [f64; 2]) -> f64 {
    dot(a, a).sqrt()
}
