//! What paths bend around, as solids on their bodies.
//! Not here: how a string lies on them; pens.
//! In: a system. Out: a `FigureWrap` for each obstacle, in the order of the model.

use super::solid::{Cone, Ellipsoid, Solid};
use super::{Spot, distance};
use borelli_dynamics::System;
use borelli_dynamics::force::{Stop, Wrap};
use borelli_dynamics::wrap::Obstacle;
use borelli_math::{Mat3, Vec3, vec3};

/// An obstacle.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureWrap {
    /// Name.
    pub name: String,
    /// Its body, among those of the figure.
    pub body: usize,
    /// What it is drawn as, in the frame of its body.
    pub solids: Vec<Solid>,
}

/// Half length of a cylinder over its radius: the model's is as long as need be.
const LONG: f64 = 1.2;

/// Round pieces that a ring is drawn by.
const PIECES: usize = 24;

/// Obstacles of a system; `places` on their bodies.
pub(super) fn of(system: &System, places: &[Spot]) -> Vec<FigureWrap> {
    let tree = &system.numbers.tree;
    let wraps = system.numbers.paths.wraps.iter().enumerate();
    wraps
        .map(|(k, named)| {
            let Wrap { at, obstacle } = &named.item;
            let spot = places[*at as usize];
            let R_BW = tree.R_KB[spot.body].transpose() * tree.place_R[*at as usize];
            let solids = shapes(obstacle, spot.at, R_BW, reach(system, k, spot, R_BW, places));
            FigureWrap { name: named.name.clone(), body: spot.body, solids }
        })
        .collect()
}

/// How far along the axis of an obstacle points of its own body lie before or behind it on a path, m: a cylinder is drawn at least so long.
fn reach(system: &System, wrap: usize, spot: Spot, R_BW: Mat3<f64>, places: &[Spot]) -> f64 {
    let numbers = &system.numbers;
    let own = |stop: &Stop<f64>| match stop {
        Stop::Place(place) if places[*place as usize].body == spot.body => Some(places[*place as usize].at),
        _ => None,
    };
    let over = |stop: &Stop<f64>| matches!(stop, Stop::Wrap { wrap: own, .. } if *own as usize == wrap);
    let beside = |stops: &[Stop<f64>], k: usize| [k.checked_sub(1), Some(k + 1)].map(|k| k.and_then(|k| stops.get(k)).and_then(own));
    let list = numbers.paths.list.iter().flat_map(|stops| (0..stops.len()).filter(|k| over(&stops[*k])).flat_map(|k| beside(stops, k)));
    // Half the way from the point to the obstacle is where a line between two sides of a joint comes to lie.
    list.flatten().map(|at| 0.5 * (Vec3::from_array(at) - Vec3::from_array(spot.at)).dot(R_BW.z).abs()).fold(0.0, f64::max)
}

fn shapes(obstacle: &Obstacle<f64>, at: [f64; 3], R_BW: Mat3<f64>, reach: f64) -> Vec<Solid> {
    let round = |half: [f64; 3]| vec![Solid::Ellipsoid(Ellipsoid { at, axes: R_BW, half, power: 2.0 })];
    let middle = Vec3::from_array(at);
    let rod = |a: Vec3<f64>, b: Vec3<f64>, radius: f64| {
        let [a, b] = [a, b].map(|end| (middle + R_BW * end).to_array());
        debug_assert!(distance(a, b) > 0.0, "a rod has two ends");
        Solid::Cone(Cone { a, b, ra: radius, rb: radius, belly: 0.0 })
    };
    match obstacle {
        Obstacle::Sphere { radius } => round([*radius; 3]),
        Obstacle::Ellipsoid { axes } => round(*axes),
        Obstacle::Cylinder { radius } => {
            let half = (LONG * radius).max(reach);
            vec![rod(vec3(0.0, 0.0, -half), vec3(0.0, 0.0, half), *radius)]
        }
        Obstacle::Torus { ring, tube } => {
            let on_ring = |k: usize| {
                let (sine, cosine) = (std::f64::consts::TAU * k as f64 / PIECES as f64).sin_cos();
                vec3(ring * cosine, ring * sine, 0.0)
            };
            (0..PIECES).map(|k| rod(on_ring(k), on_ring(k + 1), *tube)).collect()
        }
    }
}
