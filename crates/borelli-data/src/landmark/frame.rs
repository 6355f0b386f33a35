//! Axes of segments from landmarks: Y towards the proximal end, X forward, Z to the right of the person on both sides.
//! Not here: joint centres (`joint_center`), poses from clusters (`rigid_fit`).
//! In: places, m. Out: rotations `R_WB` that take axes of the segment to those of the places; nothing where the places lie on a line.
//!
//! Source: G. Wu et al. 2002, J. Biomech. 35:543-548 (ISB); the thigh from the epicondyles, the shank from the malleoli, the foot along heel and second
//! metatarsal.

use borelli_math::{Mat3, Vec3};

/// Sine of the smallest angle between two directions that still span a plane.
const PLANE: f64 = 1e-3;

/// Unit vector; nothing for lengths that are zero or no numbers.
pub(super) fn unit(v: Vec3<f64>) -> Option<Vec3<f64>> {
    let length = v.norm();
    (length > 0.0 && length.is_finite()).then(|| v.scale(1.0 / length))
}

/// Unit vector perpendicular to two unit vectors that are not parallel.
fn normal(a: Vec3<f64>, b: Vec3<f64>) -> Option<Vec3<f64>> {
    let product = a.cross(b);
    unit(product).filter(|_| product.norm() > PLANE)
}

/// Pelvis: origin midway between the anterior spines, Z from the left to the right one, Y upwards normal to the plane of both and the middle of the posterior
/// ones (or the sacrum), X = Y x Z forward. Returns origin and rotation. Test: `a_pelvis_has_the_axes_it_was_built_with`.
pub fn pelvis_axes(asis_r: Vec3<f64>, asis_l: Vec3<f64>, back: Vec3<f64>) -> Option<(Vec3<f64>, Mat3<f64>)> {
    let origin = (asis_r + asis_l).scale(0.5);
    let z = unit(asis_r - asis_l)?;
    let y = normal(z, unit(origin - back)?)?;
    Some((origin, Mat3 { x: y.cross(z), y, z }))
}

/// A segment of a limb, or the trunk: Y from the distal to the proximal end, Z as near to `rightward` as that allows.
/// Test: `a_segment_points_from_its_distal_to_its_proximal_end`.
pub fn segment_axes(proximal: Vec3<f64>, distal: Vec3<f64>, rightward: Vec3<f64>) -> Option<Mat3<f64>> {
    let y = unit(proximal - distal)?;
    let x = normal(y, unit(rightward)?)?;
    Some(Mat3 { x, y, z: x.cross(y) })
}

/// A foot: X from the heel to the second metatarsal head, Y as near to `upward` as that allows.
pub fn foot_axes(heel: Vec3<f64>, toe: Vec3<f64>, upward: Vec3<f64>) -> Option<Mat3<f64>> {
    let x = unit(toe - heel)?;
    let z = normal(x, unit(upward)?)?;
    Some(Mat3 { x, y: z.cross(x), z })
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::{rotation_vector, vec3};

    fn distance(A: Mat3<f64>, B: Mat3<f64>) -> f64 {
        let D = A - B;
        D.x.norm() + D.y.norm() + D.z.norm()
    }

    #[test]
    fn a_pelvis_has_the_axes_it_was_built_with() {
        let R = rotation_vector(vec3(0.3, -1.2, 0.2));
        let at = |x, y, z| R * vec3(x, y, z) + vec3(2.0, 0.9, -0.4);
        let (origin, axes) = pelvis_axes(at(0.0, 0.0, 0.12), at(0.0, 0.0, -0.12), at(-0.15, 0.0, 0.01)).expect("a pelvis");
        assert!(distance(axes, R) < 1e-14 && (origin - vec3(2.0, 0.9, -0.4)).norm() < 1e-15);
        assert_eq!(pelvis_axes(at(0.0, 0.0, 0.1), at(0.0, 0.0, -0.1), at(0.0, 0.0, 0.3)), None);
        assert_eq!(pelvis_axes(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO), None);
    }

    #[test]
    fn a_segment_points_from_its_distal_to_its_proximal_end() {
        let R = rotation_vector(vec3(-0.4, 0.8, 0.5));
        let thigh = segment_axes(R * vec3(0.0, 0.4, 0.0), Vec3::ZERO, R * vec3(0.0, 0.3, 0.1)).expect("a thigh");
        assert!(distance(thigh, R) < 1e-14);
        let foot = foot_axes(Vec3::ZERO, R * vec3(0.2, 0.0, 0.0), R * vec3(-0.2, 1.0, 0.0)).expect("a foot");
        assert!(distance(foot, R) < 1e-14);
        assert_eq!(segment_axes(vec3(0.0, 1.0, 0.0), Vec3::ZERO, vec3(0.0, -2.0, 0.0)), None);
    }
}
