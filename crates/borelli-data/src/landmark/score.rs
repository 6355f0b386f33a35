//! Functional joint centres: the point that stays at rest in both of two segments that move against each other.
//! Not here: poses of the segments (`rigid_fit`).
//! In: poses of both segments frame by frame. Out: the centre in the axes of each, how far the two estimates are apart, how well motion determines it.

use super::rigid_fit::RigidFit;
use crate::explain::Explain;
use borelli_math::Vec3;
use nalgebra::{DMatrix, DVector};

/// Smallest ratio of singular values that counts as a ball joint in motion.
const LEAST_RATIO: f64 = 0.1;

/// A centre found from motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctionalCenter {
    /// In the axes of the first segment, m.
    pub in_first: Vec3<f64>,
    /// In the axes of the second segment, m.
    pub in_second: Vec3<f64>,
    /// Root mean square distance between both estimates over all frames, m.
    pub apart: f64,
    /// Smallest over largest singular value: 0 for a hinge, towards 1 for motion in all directions.
    pub determined: f64,
}

/// Why motion does not give a centre.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum ScoreFault {
    /// Fewer than three pairs of poses, or lists of different length.
    TooFewPoses { first: usize, second: usize },
    /// Motion that leaves a direction open.
    NotDetermined { ratio: f64 },
}

impl Explain for ScoreFault {
    fn code(&self) -> &'static str {
        match self {
            ScoreFault::TooFewPoses { .. } => "too-few-poses",
            ScoreFault::NotDetermined { .. } => "joint-hardly-moved",
        }
    }
    fn message(&self) -> String {
        match self {
            ScoreFault::TooFewPoses { first, second } => {
                format!("a functional centre needs three poses of both segments; {first} and {second} given")
            }
            ScoreFault::NotDetermined { ratio } => {
                format!("the motion does not determine a centre: ratio of singular values {ratio:.3}, at least {LEAST_RATIO} needed")
            }
        }
    }
    fn hint(&self) -> Option<String> {
        Some("record flexion, abduction and circling of the joint, or take a regression rule".into())
    }
}

/// The symmetrical centre of rotation: least squares of `R1_i c1 + p1_i = R2_i c2 + p2_i` over all frames.
///
/// Source: R. M. Ehrig, W. R. Taylor, G. N. Duda and M. O. Heller 2006, J. Biomech. 39:2798-2809.
/// Tests: `a_ball_joint_is_found_where_it_is`, `a_hinge_is_refused`.
pub fn functional_center(first: &[RigidFit], second: &[RigidFit]) -> Result<FunctionalCenter, ScoreFault> {
    let n = first.len();
    if n < 3 || second.len() != n {
        return Err(ScoreFault::TooFewPoses { first: n, second: second.len() });
    }
    let mut A = DMatrix::zeros(3 * n, 6);
    let mut b = DVector::zeros(3 * n);
    for (i, (one, two)) in first.iter().zip(second).enumerate() {
        for (j, (a, c)) in [one.R.x, one.R.y, one.R.z].into_iter().zip([two.R.x, two.R.y, two.R.z]).enumerate() {
            for (k, (a, c)) in a.to_array().into_iter().zip(c.to_array()).enumerate() {
                A[(3 * i + k, j)] = a;
                A[(3 * i + k, 3 + j)] = -c;
            }
        }
        for (k, d) in (two.p - one.p).to_array().into_iter().enumerate() {
            b[3 * i + k] = d;
        }
    }
    // QR first, then the singular values of the small triangle.
    let (q, r) = A.qr().unpack();
    let svd = r.svd(true, true);
    let (least, most) = (svd.singular_values.min(), svd.singular_values.max());
    let ratio = if most > 0.0 { least / most } else { 0.0 };
    if !(ratio >= LEAST_RATIO) {
        return Err(ScoreFault::NotDetermined { ratio });
    }
    let c = svd.solve(&(q.transpose() * b), 0.0).map_err(|_| ScoreFault::NotDetermined { ratio })?;
    let (in_first, in_second) = (Vec3::from_array([c[0], c[1], c[2]]), Vec3::from_array([c[3], c[4], c[5]]));
    let squares: f64 = first.iter().zip(second).map(|(one, two)| one.apply(in_first) - two.apply(in_second)).map(|d| d.dot(d)).sum();
    Ok(FunctionalCenter { in_first, in_second, apart: (squares / n as f64).sqrt(), determined: ratio })
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::{Mat3, random::Random, rotation_vector, vec3};

    fn poses(angles: impl Fn(f64) -> Vec3<f64>) -> (Vec<RigidFit>, Vec<RigidFit>, Vec3<f64>, Vec3<f64>) {
        let (c1, c2) = (vec3(0.05, -0.08, 0.09), vec3(-0.01, 0.2, 0.03));
        let pose = |R: Mat3<f64>, p| RigidFit { R, p, rms: 0.0 };
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for i in 0..60 {
            let t = f64::from(i) / 60.0;
            let one = pose(rotation_vector(vec3(0.1 * t, 0.3 * t, -0.2)), vec3(t, 0.9, 0.1 * t));
            let R2 = one.R * rotation_vector(angles(t));
            let center = one.apply(c1);
            first.push(one);
            second.push(pose(R2, center - R2 * c2));
        }
        (first, second, c1, c2)
    }

    fn circling(t: f64) -> Vec3<f64> {
        let a = 6.3 * t;
        vec3(0.6 * a.cos(), 0.4 * (2.0 * a).sin(), 0.7 * a.sin())
    }

    #[test]
    fn a_ball_joint_is_found_where_it_is() {
        let (first, mut second, c1, c2) = poses(circling);
        let found = functional_center(&first, &second).expect("a centre");
        assert!((found.in_first - c1).norm() + (found.in_second - c2).norm() < 1e-13 && found.apart < 1e-14, "{found:?}");
        // 2 mm of noise on one pose leaves about as much between the estimates, and less in the centre.
        let mut random = Random::new(3);
        second.iter_mut().for_each(|pose| pose.p += Vec3::from_array(random.direction()).scale(0.002));
        let noisy = functional_center(&first, &second).expect("a centre");
        assert!((noisy.in_first - c1).norm() < 0.003 && noisy.apart > 0.001 && noisy.apart < 0.0021, "{noisy:?}");
    }

    #[test]
    fn a_hinge_is_refused() {
        let (first, second, ..) = poses(|t| vec3(0.0, 0.0, 1.2 * t));
        assert!(matches!(functional_center(&first, &second), Err(ScoreFault::NotDetermined { ratio }) if ratio < 1e-6));
        assert!(functional_center(&first[..2], &second[..2]).is_err());
        assert!(functional_center(&first, &second[..5]).is_err());
    }
}
