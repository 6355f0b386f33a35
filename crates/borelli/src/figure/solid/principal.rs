//! Principal moments and axes of inertia.
//! Not here: what is made of them.
//! In: a tensor. Out: moments and a rotation, each axis near the body's own of the same name where one is.
//!
//! Cyclic plane rotations (Jacobi 1846), each by at most 45 degrees, so that axes of a tensor that is nearly diagonal keep their order.

use borelli_math::{Mat3, Sym3, Vec3};

/// Sweeps over the three planes; some five are enough.
const SWEEPS: usize = 40;

/// Principal moments and the axes they belong to as columns, right-handed.
pub(super) fn principal(inertia: &Sym3<f64>) -> ([f64; 3], Mat3<f64>) {
    let full = inertia.to_mat();
    let mut m = [full.x.to_array(), full.y.to_array(), full.z.to_array()];
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        let mut turned = false;
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let off = m[i][j];
            if !(off.abs() > f64::EPSILON * (m[i][i] * m[j][j]).abs().sqrt()) {
                continue;
            }
            turned = true;
            let zeta = (m[j][j] - m[i][i]) / (2.0 * off);
            let t = 1.0_f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = c * t;
            // Columns, then rows, of the tensor; columns are lists here.
            for list in [&mut m, &mut v] {
                let (a, b) = (list[i], list[j]);
                for k in 0..3 {
                    (list[i][k], list[j][k]) = (c * a[k] - s * b[k], s * a[k] + c * b[k]);
                }
            }
            for column in &mut m {
                (column[i], column[j]) = (c * column[i] - s * column[j], s * column[i] + c * column[j]);
            }
        }
        if !turned {
            break;
        }
    }
    let [x, y, z] = v.map(Vec3::from_array);
    ([m[0][0], m[1][1], m[2][2]], Mat3 { x, y, z })
}
