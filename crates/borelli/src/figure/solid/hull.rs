//! The convex hull of equal balls: feet in the plane, plates of machines.
//! Not here: which bodies are hulls (`rules`).
//! In: places, a volume. Out: a radius.
//!
//! Balls of radius r at the corners of a flat polygon of area A and perimeter P have a hull of the volume (Steiner)
//!
//! ```text
//! V = 2 A r + ½ π P r² + 4/3 π r³                                                             (1)
//! ```

use super::cone::bisect;
use borelli_math::Vec3;
use std::f64::consts::PI;

/// The hull of balls in its body's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Middles of the balls, m.
    pub points: Vec<[f64; 3]>,
    /// Radius of each, m.
    pub radius: f64,
}

impl Hull {
    /// How far it reaches along a unit vector, m.
    pub fn reach(&self, n: Vec3<f64>) -> f64 {
        self.points.iter().map(|p| Vec3::from_array(*p).dot(n)).fold(f64::NEG_INFINITY, f64::max) + self.radius
    }
}

/// The radius of balls at places of the plane X-Y whose hull has a volume. Equation (1).
pub(super) fn radius_of_volume(points: &[[f64; 3]], volume: f64) -> f64 {
    let corners = polygon(&points.iter().map(|p| [p[0], p[1]]).collect::<Vec<_>>());
    let next = |k: usize| corners[(k + 1) % corners.len()];
    let sides = || corners.iter().enumerate().map(|(k, p)| (*p, next(k)));
    let area: f64 = sides().map(|(p, q)| 0.5 * (p[0] * q[1] - p[1] * q[0])).sum();
    let perimeter: f64 = sides().map(|(p, q)| (q[0] - p[0]).hypot(q[1] - p[1])).sum();
    let most = (0.75 * volume / PI).cbrt();
    bisect(0.0, most, |r| 2.0 * area * r + 0.5 * PI * perimeter * r * r + 4.0 / 3.0 * PI * r.powi(3) - volume)
}

/// Corners of the convex hull of points in a plane, counter-clockwise (Andrew's monotone chain); two for points on a line.
pub fn polygon(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    if sorted.len() < 2 {
        return sorted;
    }
    let turn = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let half = |list: &mut dyn Iterator<Item = &[f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for p in list {
            while chain.len() > 1 && turn(chain[chain.len() - 2], chain[chain.len() - 1], *p) <= 0.0 {
                chain.pop();
            }
            chain.push(*p);
        }
        chain.pop();
        chain
    };
    let (mut lower, upper) = (half(&mut sorted.iter()), half(&mut sorted.iter().rev()));
    lower.extend(upper);
    lower
}
