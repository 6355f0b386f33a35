//! Quadrilateral with eight nodes (serendipity): quadratic along each side.
//! Integrated with 3 × 3 points: 2 × 2 would be softer when nearly incompressible, but leaves a mode without stiffness to a single cell.

use super::{Gauss, quadrilateral};

pub(super) const NODES: [[f64; 2]; 8] =
    [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];
pub(super) const CORNERS: usize = 4;
pub(super) const POINTS: [Gauss; 9] = quadrilateral::product(&quadrilateral::THREE);
/// Exact for straight sides with the nodes in their middle: degree 5 along each coordinate.
pub(super) const MASS_POINTS: [Gauss; 9] = POINTS;

/// Corners ¼(1 + r rₐ)(1 + s sₐ)(r rₐ + s sₐ − 1), sides ½(1 − r²)(1 + s sₐ) and ½(1 − s²)(1 + r rₐ).
pub(super) fn values([r, s]: [f64; 2]) -> [f64; 8] {
    std::array::from_fn(|a| {
        let [ra, sa] = NODES[a];
        let (u, v) = (1.0 + r * ra, 1.0 + s * sa);
        match a {
            0..4 => 0.25 * u * v * (r * ra + s * sa - 1.0),
            4 | 6 => 0.5 * (1.0 - r * r) * v,
            _ => 0.5 * (1.0 - s * s) * u,
        }
    })
}

pub(super) fn slopes([r, s]: [f64; 2]) -> [[f64; 2]; 8] {
    std::array::from_fn(|a| {
        let [ra, sa] = NODES[a];
        let (u, v) = (1.0 + r * ra, 1.0 + s * sa);
        match a {
            0..4 => [0.25 * ra * v * (2.0 * r * ra + s * sa), 0.25 * sa * u * (r * ra + 2.0 * s * sa)],
            4 | 6 => [-r * v, 0.5 * (1.0 - r * r) * sa],
            _ => [0.5 * (1.0 - s * s) * ra, -s * u],
        }
    })
}

pub(super) fn extrapolation(point: usize, at: [f64; 2]) -> f64 {
    quadrilateral::extrapolation(&POINTS[point], at)
}
