//! Triangle with six nodes. With t = 1 − r − s the corners have N = t(2t − 1) and so on, the sides 4tr, 4rs, 4st.
//! Strains of a triangle with straight sides are linear, so three points of degree 2 integrate its stiffness exactly.

use super::Gauss;

pub(super) const NODES: [[f64; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]];
pub(super) const CORNERS: usize = 3;

const fn point(weight: f64, r: f64, s: f64) -> Gauss {
    Gauss { weight, at: [r, s] }
}

/// Degree 2; point i lies near corner i.
pub(super) const POINTS: [Gauss; 3] =
    [point(1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0), point(1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0), point(1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0)];

/// Masses are of degree 4: two rings of three points (Dunavant 1985, Int. J. Numer. Meth. Eng. 21:1129, degree 4).
pub(super) const MASS_POINTS: [Gauss; 6] = {
    const A: f64 = 0.445_948_490_915_964_9;
    const B: f64 = 0.091_576_213_509_770_74;
    const WA: f64 = 0.223_381_589_678_011_47 / 2.0;
    const WB: f64 = 0.109_951_743_655_321_87 / 2.0;
    [
        point(WA, A, A),
        point(WA, 1.0 - 2.0 * A, A),
        point(WA, A, 1.0 - 2.0 * A),
        point(WB, B, B),
        point(WB, 1.0 - 2.0 * B, B),
        point(WB, B, 1.0 - 2.0 * B),
    ]
};

pub(super) fn values([r, s]: [f64; 2]) -> [f64; 8] {
    let t = 1.0 - r - s;
    [t * (2.0 * t - 1.0), r * (2.0 * r - 1.0), s * (2.0 * s - 1.0), 4.0 * t * r, 4.0 * r * s, 4.0 * s * t, 0.0, 0.0]
}

pub(super) fn slopes([r, s]: [f64; 2]) -> [[f64; 2]; 8] {
    let t = 1.0 - r - s;
    [
        [1.0 - 4.0 * t, 1.0 - 4.0 * t],
        [4.0 * r - 1.0, 0.0],
        [0.0, 4.0 * s - 1.0],
        [4.0 * (t - r), -4.0 * r],
        [4.0 * s, 4.0 * r],
        [-4.0 * s, 4.0 * (t - s)],
        [0.0; 2],
        [0.0; 2],
    ]
}

/// Linear through the three points: 2Lᵢ − 1/3, one at point i and zero at the others.
pub(super) fn extrapolation(point: usize, [r, s]: [f64; 2]) -> f64 {
    2.0 * [1.0 - r - s, r, s][point] - 1.0 / 3.0
}
