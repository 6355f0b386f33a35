//! Quadrilateral with four nodes: N = ¼(1 + r rₐ)(1 + s sₐ). Integrated with 2 × 2 points, the least that leaves no false mode.

use super::{Gauss, quadrilateral};

pub(super) const NODES: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
pub(super) const CORNERS: usize = 4;
pub(super) const POINTS: [Gauss; 4] = quadrilateral::product(&quadrilateral::TWO);
/// Products of shape functions times the area ratio have degree 3 along each coordinate, which two points take exactly.
pub(super) const MASS_POINTS: [Gauss; 4] = POINTS;

pub(super) fn values([r, s]: [f64; 2]) -> [f64; 8] {
    let mut values = [0.0; 8];
    for (N, [ra, sa]) in values.iter_mut().zip(NODES) {
        *N = 0.25 * (1.0 + r * ra) * (1.0 + s * sa);
    }
    values
}

pub(super) fn slopes([r, s]: [f64; 2]) -> [[f64; 2]; 8] {
    let mut slopes = [[0.0; 2]; 8];
    for (dN, [ra, sa]) in slopes.iter_mut().zip(NODES) {
        *dN = [0.25 * ra * (1.0 + s * sa), 0.25 * sa * (1.0 + r * ra)];
    }
    slopes
}

pub(super) fn extrapolation(point: usize, at: [f64; 2]) -> f64 {
    quadrilateral::extrapolation(&POINTS[point], at)
}
