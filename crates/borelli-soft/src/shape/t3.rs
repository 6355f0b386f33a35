//! Triangle with three nodes: N = 1 − r − s, r, s. Strains are constant, so one point integrates forces exactly.

use super::Gauss;

pub(super) const NODES: [[f64; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
pub(super) const CORNERS: usize = 3;
pub(super) const POINTS: [Gauss; 1] = [Gauss { weight: 0.5, at: [1.0 / 3.0, 1.0 / 3.0] }];
/// Masses are quadratic in r and s: the rule of three points, exact to degree 2.
pub(super) const MASS_POINTS: [Gauss; 3] = super::t6::POINTS;

pub(super) fn values([r, s]: [f64; 2]) -> [f64; 8] {
    [1.0 - r - s, r, s, 0.0, 0.0, 0.0, 0.0, 0.0]
}

pub(super) fn slopes(_: [f64; 2]) -> [[f64; 2]; 8] {
    let mut slopes = [[0.0; 2]; 8];
    slopes[..3].copy_from_slice(&[[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]);
    slopes
}

pub(super) fn extrapolation(_point: usize, _at: [f64; 2]) -> f64 {
    1.0
}
