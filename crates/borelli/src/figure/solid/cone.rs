//! A round cone: limbs, necks, rods. Radii from a volume and a centroid by bisection.
//! Not here: which bodies are cones (`rules`).
//! In: ends, volume, centroid. Out: radii.
//!
//! Over the length L from a to b, s from 0 to 1, with half spheres at both ends,
//!
//! ```text
//! r(s) = r_a + (r_b − r_a) s + β s (1 − s)²,  β = 0.24 (r_a + r_b)                            (1)
//! V = π L ∫ r² ds + ⅔ π (r_a³ + r_b³)                                                         (2)
//! V c = π L² ∫ s r² ds + ⅔ π r_b³ (L + ⅜ r_b) − ¼ π r_a⁴                                      (3)
//! ```
//!
//! The belly β lies at a third of the length from a, as those of thigh, calf and forearm do. V grows with r_a at a fixed ratio k = r_b/r_a, and the
//! centroid c moves toward b as k grows: an inner bisection finds r_a for V, an outer one k for c, within [0.55, 1]. Where no such k has the centroid
//! the nearest does. The thick end a is the one that the mass centre is nearer to. Tests: volume and centroid by quadrature in space.

use borelli_math::{Vec3, vec3};
use std::f64::consts::PI;

/// A round cone in its body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Centre of the half sphere at the thick end, m.
    pub a: [f64; 3],
    /// Centre of the half sphere at the other end, m.
    pub b: [f64; 3],
    /// Radius at `a`, m.
    pub ra: f64,
    /// Radius at `b`, m.
    pub rb: f64,
    /// Belly, m.
    pub belly: f64,
}

/// Belly over the sum of the radii.
const BELLY: f64 = 0.24;

/// Smallest ratio of the radii.
const THINNEST: f64 = 0.55;

/// Halvings of an interval: down to the last bit.
const HALVINGS: usize = 60;

/// Nodes and weights of Gauss and Legendre on [0, 1]; four are exact up to the seventh power, which (3) has.
const GAUSS: [[f64; 2]; 4] = [
    [0.069_431_844_202_973_71, 0.173_927_422_568_726_93],
    [0.330_009_478_207_571_87, 0.326_072_577_431_273_07],
    [0.669_990_521_792_428_1, 0.326_072_577_431_273_07],
    [0.930_568_155_797_026_3, 0.173_927_422_568_726_93],
];

/// The place where a function that grows passes zero.
pub(super) fn bisect(mut low: f64, mut high: f64, value: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if value(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

impl Cone {
    /// A cone of a ratio of radii with a belly.
    fn tapered(a: Vec3<f64>, b: Vec3<f64>, ra: f64, ratio: f64) -> Cone {
        let rb = ratio * ra;
        Cone { a: a.to_array(), b: b.to_array(), ra, rb, belly: BELLY * (ra + rb) }
    }

    /// A straight rod.
    pub(super) fn rod(a: Vec3<f64>, b: Vec3<f64>, radius: f64) -> Cone {
        Cone { a: a.to_array(), b: b.to_array(), ra: radius, rb: radius, belly: 0.0 }
    }

    /// The cone of a ratio with a volume.
    fn of_volume(a: Vec3<f64>, b: Vec3<f64>, ratio: f64, volume: f64) -> Cone {
        // The half spheres alone are larger than this.
        let most = (volume / (2.0 / 3.0 * PI * (1.0 + ratio.powi(3)))).cbrt();
        let ra = bisect(0.0, most, |ra| Cone::tapered(a, b, ra, ratio).volume() - volume);
        Cone::tapered(a, b, ra, ratio)
    }

    /// The cone with equal ends that has a volume; its radius says whether matter of a density fits between its ends.
    pub(super) fn even(a: Vec3<f64>, b: Vec3<f64>, volume: f64) -> Cone {
        Cone::of_volume(a, b, 1.0, volume)
    }

    /// The cone between two places with a volume and, as near as its ratio of radii allows, a centroid along its axis.
    pub(super) fn fit(from: Vec3<f64>, to: Vec3<f64>, volume: f64, centroid: Vec3<f64>) -> Cone {
        let length = (to - from).norm();
        let part = (centroid - from).dot(to - from) / length;
        let (a, b, wanted) = if part > 0.5 * length { (to, from, length - part) } else { (from, to, part) };
        let miss = |ratio: f64| Cone::of_volume(a, b, ratio, volume).centroid() - wanted;
        let ratio = if miss(THINNEST) >= 0.0 {
            THINNEST
        } else if miss(1.0) <= 0.0 {
            1.0
        } else {
            bisect(THINNEST, 1.0, miss)
        };
        Cone::of_volume(a, b, ratio, volume)
    }

    /// Distance of the ends, m.
    pub fn length(&self) -> f64 {
        (Vec3::from_array(self.b) - Vec3::from_array(self.a)).norm()
    }

    /// Radius at a part of the length. Equation (1).
    pub fn radius(&self, s: f64) -> f64 {
        self.ra + (self.rb - self.ra) * s + self.belly * s * (1.0 - s) * (1.0 - s)
    }

    /// Change of the radius over the length.
    pub fn slope(&self, s: f64) -> f64 {
        self.rb - self.ra + self.belly * (1.0 - s) * (1.0 - 3.0 * s)
    }

    /// Volume, m³. Equation (2).
    pub fn volume(&self) -> f64 {
        let slices: f64 = GAUSS.iter().map(|[s, weight]| weight * self.radius(*s).powi(2)).sum();
        PI * self.length() * slices + 2.0 / 3.0 * PI * (self.ra.powi(3) + self.rb.powi(3))
    }

    /// Distance of the centroid from `a` along the axis, m. Equation (3).
    pub fn centroid(&self) -> f64 {
        let length = self.length();
        let slices: f64 = GAUSS.iter().map(|[s, weight]| weight * s * self.radius(*s).powi(2)).sum();
        let caps = 2.0 / 3.0 * PI * self.rb.powi(3) * (length + 0.375 * self.rb) - 0.25 * PI * self.ra.powi(4);
        (PI * length * length * slices + caps) / self.volume()
    }

    /// From `a` to `b`, of length one; along Y where both are one place.
    pub fn direction(&self) -> Vec3<f64> {
        let line = Vec3::from_array(self.b) - Vec3::from_array(self.a);
        let length = line.norm();
        if length > 0.0 { line.scale(1.0 / length) } else { vec3(0.0, 1.0, 0.0) }
    }

    /// How far it reaches along a unit vector, m.
    pub fn reach(&self, n: Vec3<f64>) -> f64 {
        let (a, b) = (Vec3::from_array(self.a), Vec3::from_array(self.b));
        let along = self.direction().dot(n);
        let across = (1.0 - along * along).max(0.0).sqrt();
        let slice = |s: f64| a.dot(n) + s * (b - a).dot(n) + self.radius(s) * across;
        let cap = if along > 0.0 { b.dot(n) + self.rb } else { a.dot(n) + self.ra };
        // The slice that reaches farthest has L n·u + r'(s) √(1 − (n·u)²) = 0, a quadratic equation for s.
        let tilt = if across > 0.0 { self.length() * along / across } else { 0.0 };
        let inside = if self.belly > 0.0 {
            let root = 1.0 - 3.0 * (self.belly + self.rb - self.ra + tilt) / (4.0 * self.belly);
            Some(2.0 / 3.0 * (1.0 - root.max(0.0).sqrt())).filter(|s| *s > 0.0 && *s < 1.0)
        } else {
            None
        };
        [Some(0.0), Some(1.0), inside].into_iter().flatten().map(slice).fold(cap, f64::max)
    }
}
