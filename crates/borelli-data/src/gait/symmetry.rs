//! How different left and right are, as one number.
//! Not here: where the numbers come from.
//! In: a number of each side and the range it lives in. Out: per cent, or nothing where the quotient would be of noise.

/// Share of the range below which the sum of both sides says nothing.
const GUARD: f64 = 0.1;

fn guarded(right: f64, left: f64, range: f64) -> bool {
    !((right + left).abs() >= GUARD * range.abs() && right + left != 0.0)
}

/// `200 (R - L)/(R + L)` per cent; nothing when `|R + L|` is below a tenth of the range.
///
/// Source: R. O. Robinson, W. Herzog and B. M. Nigg 1987, J. Manipulative Physiol. Ther. 10:172-176. Test: `symmetry_is_guarded_where_the_sum_vanishes`.
pub fn symmetry_index(right: f64, left: f64, range: f64) -> Option<f64> {
    (!guarded(right, left, range)).then(|| 200.0 * (right - left) / (right + left))
}

/// `(45 - atan(L/R))/90 100` per cent, angles in degrees; nothing when `|R + L|` is below a tenth of the range.
///
/// Source: R. A. Zifchock, I. Davis, J. Higginson and T. Royer 2008, Gait & Posture 27:622-627. Test: `symmetry_is_guarded_where_the_sum_vanishes`.
pub fn symmetry_angle(right: f64, left: f64, range: f64) -> Option<f64> {
    (!guarded(right, left, range)).then(|| {
        let angle = if right == 0.0 { 90.0_f64.copysign(left) } else { (left / right).atan().to_degrees() };
        (45.0 - angle) / 90.0 * 100.0
    })
}
