//! How a soft part moves as a whole, and what is left of its motion: the bending that a picture may enlarge.
//! Not here: pictures.
//! In: positions of nodes at the start and at instants. Out: a rigid motion for each instant, and displacements in the axes that move with it.

use borelli_study::soft_record::{SoftBody, SoftFrame, SoftRecord};

/// The rigid motion nearest to that of all nodes: by least squares, every node counting the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Mean of the positions, m.
    pub centre: [f64; 2],
    /// Angle by which it has turned since the start, rad.
    pub angle: f64,
}

/// A soft part at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// As a whole.
    pub motion: Motion,
    /// Displacement of each node against the rigid motion, in axes that turn with it, m.
    pub bend: Vec<[f64; 2]>,
}

/// Mean of positions.
pub fn centre(points: &[[f64; 2]]) -> [f64; 2] {
    let n = points.len().max(1) as f64;
    [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / n)
}

impl Shape {
    /// The shape of a body whose nodes were at `rest` and are at `now`: the angle φ maximises Σ r·Rᵀ(φ) d with r and d the places about their means.
    pub fn of(rest: &[[f64; 2]], now: &[[f64; 2]]) -> Shape {
        let (from, to) = (centre(rest), centre(now));
        let (mut along, mut across) = (0.0, 0.0);
        for (r, d) in rest.iter().zip(now) {
            let (r, d) = ([r[0] - from[0], r[1] - from[1]], [d[0] - to[0], d[1] - to[1]]);
            along += r[0] * d[0] + r[1] * d[1];
            across += r[0] * d[1] - r[1] * d[0];
        }
        let angle = across.atan2(along);
        let (sine, cosine) = angle.sin_cos();
        let bend = rest.iter().zip(now).map(|(r, d)| {
            let d = [d[0] - to[0], d[1] - to[1]];
            [cosine * d[0] + sine * d[1] - (r[0] - from[0]), cosine * d[1] - sine * d[0] - (r[1] - from[1])]
        });
        Shape { motion: Motion { centre: to, angle }, bend: bend.collect() }
    }

    /// Shapes of a body at all instants; its angle goes on where it has turned by more than half a turn.
    pub fn all(body: &SoftBody, index: usize, frames: &[SoftFrame]) -> Vec<Shape> {
        let mut list: Vec<Shape> = Vec::with_capacity(frames.len());
        for frame in frames {
            let mut shape = Shape::of(&body.points, &frame.bodies[index].points);
            if let Some(last) = list.last() {
                let turns = ((shape.motion.angle - last.motion.angle) / std::f64::consts::TAU).round();
                shape.motion.angle -= turns * std::f64::consts::TAU;
            }
            list.push(shape);
        }
        list
    }

    /// Where nodes are drawn if bending is enlarged by a factor.
    pub fn places(&self, rest: &[[f64; 2]], factor: f64) -> Vec<[f64; 2]> {
        let (from, to) = (centre(rest), self.motion.centre);
        let (sine, cosine) = self.motion.angle.sin_cos();
        let place = |(r, d): (&[f64; 2], &[f64; 2])| {
            let [x, y] = [r[0] - from[0] + factor * d[0], r[1] - from[1] + factor * d[1]];
            [to[0] + cosine * x - sine * y, to[1] + sine * x + cosine * y]
        };
        rest.iter().zip(&self.bend).map(place).collect()
    }

    /// Largest displacement against the rigid motion, m.
    pub fn largest(&self) -> f64 {
        self.bend.iter().map(|d| d[0].hypot(d[1])).filter(|d| d.is_finite()).fold(0.0, f64::max)
    }
}

/// Larger edge of the box around places, m.
pub fn size(points: &[[f64; 2]]) -> f64 {
    let edge = |k: usize| {
        let (low, high) = points.iter().map(|p| p[k]).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if high > low { high - low } else { 0.0 }
    };
    edge(0).max(edge(1))
}

/// Bending of this part of the size of a part is seen as it is.
const SEEN: f64 = 0.01;
/// Less than this is rounding, and would only show noise.
const ROUNDING: f64 = 1e-9;
/// Part of the size that enlarged bending takes.
const SHOWN: f64 = 0.05;

/// By how much bending is enlarged so that it can be seen: 1 where it can be seen anyway, else 1, 2 or 5 times a power of ten.
pub fn exaggeration(record: &SoftRecord) -> f64 {
    let of = |(k, body): (usize, &SoftBody)| {
        let largest = Shape::all(body, k, &record.frames).iter().map(Shape::largest).fold(0.0, f64::max);
        let size = size(&body.points);
        if size > 0.0 { largest / size } else { 0.0 }
    };
    let part = record.bodies.iter().enumerate().map(of).fold(0.0, f64::max);
    if part >= SEEN || !(part > ROUNDING) { 1.0 } else { round_near(SHOWN / part) }
}

/// The nearest of 1, 2 and 5 times a power of ten, by ratio.
fn round_near(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    let apart = |step: &f64| (step / x).ln().abs();
    [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(x)
}
