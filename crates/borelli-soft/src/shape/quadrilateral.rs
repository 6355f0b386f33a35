//! What quadrilaterals share: products of the rules of Gauss along both natural coordinates.

use super::Gauss;

/// Points and weights of the rule of two points, exact to degree 3.
pub(super) const TWO: [(f64, f64); 2] = [(-0.577_350_269_189_625_8, 1.0), (0.577_350_269_189_625_8, 1.0)];
/// Points and weights of the rule of three points, exact to degree 5.
pub(super) const THREE: [(f64, f64); 3] = [(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];

/// The product rule; point `n j + i` is the i-th along r and the j-th along s.
pub(super) const fn product<const N: usize, const M: usize>(line: &[(f64, f64); N]) -> [Gauss; M] {
    assert!(M == N * N);
    let mut points = [Gauss { weight: 0.0, at: [0.0; 2] }; M];
    let mut k = 0;
    while k < M {
        let ((r, wr), (s, ws)) = (line[k % N], line[k / N]);
        points[k] = Gauss { weight: wr * ws, at: [r, s] };
        k += 1;
    }
    points
}

/// Share of the value at a point in the bilinear field of least squares over the square, at a place.
///
/// Along one coordinate the best line through f is ½∫f + (3/2) x ∫xf, by the first two Legendre polynomials; with two points this is
/// the line through both.
pub(super) fn extrapolation(from: &Gauss, at: [f64; 2]) -> f64 {
    from.weight * (0.5 + 1.5 * from.at[0] * at[0]) * (0.5 + 1.5 * from.at[1] * at[1])
}
