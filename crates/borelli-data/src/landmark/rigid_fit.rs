//! The rigid motion that carries one set of points closest to another: pose of a body from its markers.
//! Not here: which markers sit on which body, gaps, time.
//! In: two lists of points in the same order, with weights. Out: rotation, displacement and what is left over.

use borelli_math::{Mat3, Vec3};

/// A rigid motion `to = R from + p` and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidFit {
    /// Rotation; never a reflection.
    pub R: Mat3<f64>,
    /// Displacement, m.
    pub p: Vec3<f64>,
    /// Weighted root mean square distance left between `to` and the moved `from`, m.
    pub rms: f64,
}

impl RigidFit {
    /// A point of the first set, moved.
    pub fn apply(&self, point: Vec3<f64>) -> Vec3<f64> {
        self.R * point + self.p
    }
}

/// Ratio of the second to the first singular value below which points count as lying on one line. The values are squares of lengths: points of a
/// body 0.4 m long must leave their common line by some 0.04 mm.
const LINE: f64 = 1e-8;

/// Weight, point of the first set, point of the second.
type Pair = (f64, Vec3<f64>, Vec3<f64>);

/// Sweeps of plane rotations; two or three are enough for 3 x 3.
const SWEEPS: usize = 40;

/// The rigid motion with the least weighted squares of what is left over.
///
/// With centroids a and b of both sets and `H = sum of w_i (to_i - b) (from_i - a)ᵀ = U S Vᵀ`, the rotation is
/// `R = U diag(1, 1, det(U Vᵀ)) Vᵀ` and `p = b - R a`.
///
/// Source: I. Söderkvist and P.-Å. Wedin 1993, J. Biomech. 26:1473-1477. Departure: the third singular directions are taken as the vector products of
/// the other two on both sides, which is the same as correcting the determinant and needs no third singular value, so that points of a plane are
/// no special case. Singular values by plane rotations of the columns of H (Hestenes 1958).
///
/// Nothing for fewer than three points with weight, points on one line or in one place on either side, lists of different length, negative or
/// infinite numbers. Points with weight zero are not looked at.
///
/// Tests: `a_moved_body_gives_its_own_motion_back`, `points_in_a_plane_are_never_mirrored`, `no_rotation_nearby_fits_better`,
/// `a_weight_of_two_is_the_point_twice`, `points_on_a_line_have_no_pose`.
pub fn rigid_fit(from: &[Vec3<f64>], to: &[Vec3<f64>], weights: Option<&[f64]>) -> Option<RigidFit> {
    if from.len() != to.len() || weights.is_some_and(|w| w.len() != from.len()) {
        return None;
    }
    let weight = |i: usize| weights.map_or(1.0, |w| w[i]);
    let used: Vec<Pair> = (0..from.len()).filter(|i| weight(*i) != 0.0).map(|i| (weight(i), from[i], to[i])).collect();
    let finite = |v: Vec3<f64>| v.to_array().iter().all(|c| c.is_finite());
    if used.len() < 3 || !used.iter().all(|(w, a, b)| *w > 0.0 && w.is_finite() && finite(*a) && finite(*b)) {
        return None;
    }
    let total: f64 = used.iter().map(|(w, ..)| w).sum();
    let mean = |pick: fn(&Pair) -> Vec3<f64>| used.iter().fold(Vec3::ZERO, |sum, row| sum + pick(row).scale(row.0)).scale(1.0 / total);
    let (a, b) = (mean(|row| row.1), mean(|row| row.2));
    let mut H = Mat3::ZERO;
    let (mut spread_from, mut spread_to) = (0.0, 0.0);
    for (w, from, to) in &used {
        let (x, y) = (*from - a, (*to - b).scale(*w));
        H = H + Mat3 { x: y.scale(x.x), y: y.scale(x.y), z: y.scale(x.z) };
        spread_from += w * x.dot(x);
        spread_to += y.dot(y) / w;
    }
    let (B, V) = orthogonal_columns(H);
    let (u1, u2) = (B[0], B[1]);
    let (s1, s2) = (u1.norm(), u2.norm());
    // The spreads bound the first singular value: far below them, the shapes have nothing in common, as when one set is a single place.
    let spread = (spread_from * spread_to).sqrt();
    if !(s1 > LINE * spread && s2 > LINE * s1) {
        return None;
    }
    let (u1, u2) = (u1.scale(1.0 / s1), u2.scale(1.0 / s2));
    let U = Mat3 { x: u1, y: u2, z: u1.cross(u2) };
    let R = U * Mat3 { x: V[0], y: V[1], z: V[0].cross(V[1]) }.transpose();
    let p = b - R * a;
    let left: f64 = used.iter().map(|(w, from, to)| (R * *from + p - *to, w)).map(|(e, w)| w * e.dot(e)).sum();
    Some(RigidFit { R, p, rms: (left / total).sqrt() })
}

/// `H V` with orthogonal columns, longest first, and V; V is a rotation up to the order of its columns.
fn orthogonal_columns(H: Mat3<f64>) -> ([Vec3<f64>; 3], [Vec3<f64>; 3]) {
    let unit = Mat3::IDENTITY;
    let (mut B, mut V) = ([H.x, H.y, H.z], [unit.x, unit.y, unit.z]);
    for _ in 0..SWEEPS {
        let mut turned = false;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let (alpha, beta, gamma) = (B[i].dot(B[i]), B[j].dot(B[j]), B[i].dot(B[j]));
            if !(gamma.abs() > f64::EPSILON * (alpha * beta).sqrt()) {
                continue;
            }
            turned = true;
            let zeta = (beta - alpha) / (2.0 * gamma);
            let t = 1.0_f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = c * t;
            for M in [&mut B, &mut V] {
                (M[i], M[j]) = (M[i].scale(c) - M[j].scale(s), M[i].scale(s) + M[j].scale(c));
            }
        }
        if !turned {
            break;
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|i, j| B[*j].dot(B[*j]).total_cmp(&B[*i].dot(B[*i])));
    (order.map(|k| B[k]), order.map(|k| V[k]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::random::Random;
    use borelli_math::{rotation_vector, vec3};

    fn cloud(random: &mut Random, n: usize, size: Vec3<f64>) -> Vec<Vec3<f64>> {
        let mut component = |half: f64| random.uniform(-half, half);
        (0..n).map(|_| vec3(component(size.x), component(size.y), component(size.z))).collect()
    }

    fn motion(random: &mut Random) -> (Mat3<f64>, Vec3<f64>) {
        let axis = Vec3::from_array(random.direction());
        (rotation_vector(axis.scale(random.uniform(-3.1, 3.1))), vec3(random.uniform(-3.0, 3.0), 0.7, random.uniform(-3.0, 3.0)))
    }

    fn distance(A: Mat3<f64>, B: Mat3<f64>) -> f64 {
        let D = A - B;
        D.x.norm() + D.y.norm() + D.z.norm()
    }

    #[test]
    fn a_moved_body_gives_its_own_motion_back() {
        let mut random = Random::new(4);
        for n in [3, 4, 8] {
            for _ in 0..50 {
                let from = cloud(&mut random, n, vec3(0.05, 0.2, 0.1));
                let (R, p) = motion(&mut random);
                let to: Vec<_> = from.iter().map(|x| R * *x + p).collect();
                let fit = rigid_fit(&from, &to, None).expect("a pose");
                // Round-off of places 3 m away, over the smallest extent of three random points.
                assert!(distance(fit.R, R) < 1e-11, "{}", distance(fit.R, R));
                assert!((fit.p - p).norm() < 1e-12 && fit.rms < 2e-15, "{:e} {:e}", (fit.p - p).norm(), fit.rms);
                assert!((fit.apply(from[1]) - to[1]).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn points_in_a_plane_are_never_mirrored() {
        let mut random = Random::new(5);
        for _ in 0..50 {
            let from = cloud(&mut random, 5, vec3(0.1, 0.2, 0.0));
            let (R, p) = motion(&mut random);
            let noisy: Vec<_> = from.iter().map(|x| R * *x + p + Vec3::from_array(random.direction()).scale(0.005)).collect();
            let fit = rigid_fit(&from, &noisy, None).expect("a pose");
            assert!((fit.R.determinant() - 1.0).abs() < 1e-14 && distance(fit.R.transpose() * fit.R, Mat3::IDENTITY) < 1e-14);
            assert!(distance(fit.R, R) < 0.5);
            // The mirror image of a solid body cannot be reached, but the answer is still a rotation.
            let solid = cloud(&mut random, 6, vec3(0.1, 0.1, 0.1));
            let mirrored: Vec<_> = solid.iter().map(|x| vec3(-x.x, x.y, x.z)).collect();
            let fit = rigid_fit(&solid, &mirrored, None).expect("a pose");
            assert!((fit.R.determinant() - 1.0).abs() < 1e-14 && fit.rms > 1e-3);
        }
    }

    #[test]
    fn no_rotation_nearby_fits_better() {
        let mut random = Random::new(6);
        let from = cloud(&mut random, 6, vec3(0.1, 0.2, 0.05));
        let (R, p) = motion(&mut random);
        let to: Vec<_> = from.iter().map(|x| R * *x + p + Vec3::from_array(random.direction()).scale(0.01)).collect();
        let weights: Vec<f64> = random.uniforms(6, 0.5, 2.0);
        let fit = rigid_fit(&from, &to, Some(&weights)).expect("a pose");
        let cost = |R: Mat3<f64>, p: Vec3<f64>| -> f64 {
            let each = from.iter().zip(&to).zip(&weights);
            each.map(|((a, b), w)| (R * *a + p - *b, w)).map(|(e, w)| w * e.dot(e)).sum()
        };
        let best = cost(fit.R, fit.p);
        assert!((best / weights.iter().sum::<f64>() - fit.rms * fit.rms).abs() < 1e-15);
        for _ in 0..200 {
            let turn = rotation_vector(Vec3::from_array(random.direction()).scale(1e-4));
            let shift = Vec3::from_array(random.direction()).scale(1e-5);
            assert!(cost(turn * fit.R, fit.p) > best && cost(fit.R, fit.p + shift) > best);
        }
    }

    #[test]
    fn a_weight_of_two_is_the_point_twice() {
        let mut random = Random::new(7);
        let (from, to) = (cloud(&mut random, 4, vec3(0.1, 0.2, 0.1)), cloud(&mut random, 4, vec3(0.1, 0.2, 0.1)));
        let twice = |list: &[Vec3<f64>]| [list, &list[1..2]].concat();
        let weighted = rigid_fit(&from, &to, Some(&[1.0, 2.0, 1.0, 1.0])).expect("a pose");
        let doubled = rigid_fit(&twice(&from), &twice(&to), None).expect("a pose");
        assert!(distance(weighted.R, doubled.R) < 1e-13 && (weighted.rms - doubled.rms).abs() < 1e-15);
        // Without weight a point does not count, wherever it is.
        let far = [&to[..3], &[vec3(9.0, 9.0, 9.0)]].concat();
        let without = rigid_fit(&from, &far, Some(&[1.0, 1.0, 1.0, 0.0])).expect("a pose");
        assert_eq!(Some(without), rigid_fit(&from[..3], &to[..3], None));
    }

    #[test]
    fn points_on_a_line_have_no_pose() {
        let line: Vec<_> = (0..5).map(|k| vec3(0.3, -0.2, 0.1).scale(f64::from(k)) + vec3(1.0, 2.0, 3.0)).collect();
        let body = [vec3(0.0, 0.0, 0.0), vec3(0.1, 0.0, 0.0), vec3(0.0, 0.2, 0.0), vec3(0.0, 0.0, 0.1), vec3(0.1, 0.1, 0.1)];
        assert_eq!(rigid_fit(&line, &line, None), None);
        assert_eq!(rigid_fit(&body, &line, None), None);
        assert_eq!(rigid_fit(&line, &body, None), None);
        assert_eq!(rigid_fit(&body, &[vec3(1.0, 1.0, 1.0); 5], None), None);
        assert_eq!(rigid_fit(&body[..2], &body[..2], None), None);
        assert_eq!(rigid_fit(&body, &body[..4], None), None);
        assert_eq!(rigid_fit(&body[..3], &body[..3], Some(&[1.0, -1.0, 1.0])), None);
        assert_eq!(rigid_fit(&body[..3], &[vec3(f64::NAN, 0.0, 0.0); 3], None), None);
        assert!(rigid_fit(&body, &body, None).is_some());
    }
}
