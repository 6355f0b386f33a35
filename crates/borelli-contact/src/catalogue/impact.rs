//! A free impact of one kilogram, step by step: what a normal law does in time.
//! Not here: the laws; impacts of bodies.
//! In: a law, a speed. Out: depth and force over time, restitution.

use crate::normal::{Normal, Touch};
use crate::volume::{PatchMotion, SecondMoment, SemiAxes, Volumetric};
use borelli_math::vec3;

/// Mass that strikes, kg.
pub const MASS: f64 = 1.0;

/// Radius of the sphere that strikes a bed of springs, m.
pub const RADIUS: f64 = 0.03;

/// Step of the integration, s: some ten thousand steps for an impact of the typical laws.
const STEP: f64 = 1e-6;

/// Steps after which an impact is given up.
const LONGEST: usize = 1_000_000;

/// Steps between two samples that are kept.
const KEPT: usize = 25;

/// What strikes.
#[derive(Clone, Copy, Debug)]
pub enum Striker {
    /// A point with a normal law.
    Point(Normal<f64>),
    /// A sphere of `RADIUS` on a bed of springs.
    Sphere(Volumetric<f64>),
}

/// What a law answers, whichever family it is of.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// N.
    pub force: f64,
    /// The law would pull.
    pub clipped: bool,
}

impl Striker {
    /// Force at a depth, m, that grows at a rate, m/s, after a first touch at `impact_speed`, m/s.
    pub fn answer(&self, depth: f64, rate: f64, impact_speed: f64) -> Answer {
        match self {
            Striker::Point(law) => {
                let push = law.push(Touch { depth, rate, impact_speed });
                Answer { force: push.force, clipped: push.clipped }
            }
            Striker::Sphere(law) => {
                let (sphere, up) = (SemiAxes { a: RADIUS, b: RADIUS, c: RADIUS }, vec3(0.0, 0.0, 1.0));
                let Some(overlap) = sphere.overlap(up, depth - RADIUS, SecondMoment::Weighted) else {
                    return Answer { force: 0.0, clipped: false };
                };
                let motion = PatchMotion { normal: up, velocity: vec3(0.0, 0.0, -rate), angular: vec3(0.0, 0.0, 0.0) };
                let load = law.load(&overlap, &motion, None);
                Answer { force: load.normal_force, clipped: load.clipped }
            }
        }
    }
}

/// An impact from the first touch to the last.
#[derive(Clone, Debug)]
pub struct Impact {
    /// Time, s, depth, m, and force, N, of some instants.
    pub samples: Vec<[f64; 3]>,
    /// Speed after over speed before; not a number if the mass did not come back.
    pub restitution: f64,
    /// The law was clipped on the way.
    pub clipped: bool,
}

/// `MASS` strikes at a speed, m/s, with no other force: classical Runge-Kutta in steps of 1 µs, the end by the last step's straight line.
pub fn strike(law: &Striker, speed: f64) -> Impact {
    let push = |x: f64, u: f64| law.answer(x, u, speed);
    let pull = |x: f64, u: f64| -push(x, u).force / MASS;
    let (mut x, mut u, h) = (0.0, speed, STEP);
    let mut impact = Impact { samples: vec![[0.0; 3]], restitution: f64::NAN, clipped: false };
    for k in 1..=LONGEST {
        let (k1, l1) = (u, pull(x, u));
        let (k2, l2) = (u + 0.5 * h * l1, pull(x + 0.5 * h * k1, u + 0.5 * h * l1));
        let (k3, l3) = (u + 0.5 * h * l2, pull(x + 0.5 * h * k2, u + 0.5 * h * l2));
        let (k4, l4) = (u + h * l3, pull(x + h * k3, u + h * l3));
        let before = x;
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        u += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
        if x <= 0.0 && u < 0.0 {
            impact.samples.push([h * (k as f64 - 1.0 + before / (before - x)), 0.0, 0.0]);
            impact.restitution = -u / speed;
            break;
        }
        let now = push(x, u);
        impact.clipped |= now.clipped;
        if k == 1 || k % KEPT == 0 {
            impact.samples.push([h * k as f64, x, now.force]);
        }
    }
    impact
}
