//! A body's point and unit vectors: what forces, moments, points and vectors are on them, and the constant mass matrix.
//! Not here: rows of bodies and joints (`rows`), elimination (`block_tree`).
//! In: pose and velocity of a body. Out: arrays of D = 4 (point, one unit vector: the plane) or D = 12 (point, three unit vectors: space).
//!
//! In the plane the second vector is the first turned by a right angle, y = K x, so it is no coordinate of its own; a gradient g by y is
//! Kᵀ g by x. With the vectors x_k orthonormal they are their own reciprocals, and
//!
//!     α = ½ Σ x_k × ẍ_k        power of a moment T: Σ (½ T × x_k)·ẋ_k                                     (1)
//!
//! The first holds without a velocity term, because Σ x_k × (ω × (ω × x_k)) = 0.

use crate::block_tree::Block;
use borelli_math::{Mat3, Sym3, Vec3, vec3};

/// A body's natural coordinates and their rates, world axes.
#[derive(Clone, Copy)]
pub(super) struct Basics {
    /// The point: origin of the body's joint, m.
    pub r: Vec3<f64>,
    /// The unit vectors as columns.
    pub x: Mat3<f64>,
    /// Rate of the point, m/s.
    pub r_rate: Vec3<f64>,
    /// Rates of the unit vectors, 1/s.
    pub x_rate: Mat3<f64>,
}

impl Basics {
    /// The world: its point and vectors stand still.
    pub(super) const WORLD: Basics =
        Basics { r: Vec3::ZERO, x: Mat3::IDENTITY, r_rate: Vec3::ZERO, x_rate: Mat3 { x: Vec3::ZERO, y: Vec3::ZERO, z: Vec3::ZERO } };

    /// Of a body with the given pose, velocity and angular velocity.
    pub(super) fn new(r: Vec3<f64>, x: Mat3<f64>, r_rate: Vec3<f64>, w: Vec3<f64>) -> Self {
        Basics { r, x, r_rate, x_rate: Mat3 { x: w.cross(x.x), y: w.cross(x.y), z: w.cross(x.z) } }
    }

    /// Coefficients of g·(vector with components c).
    #[inline(always)]
    pub(super) fn on_vector<const D: usize>(c: Vec3<f64>, g: Vec3<f64>) -> [f64; D] {
        gather(Vec3::ZERO, [g.scale(c.x), g.scale(c.y), g.scale(c.z)])
    }

    /// Coefficients of g·(point with components c from the basic point).
    #[inline(always)]
    pub(super) fn on_point<const D: usize>(c: Vec3<f64>, g: Vec3<f64>) -> [f64; D] {
        gather(g, [g.scale(c.x), g.scale(c.y), g.scale(c.z)])
    }

    /// What a force at the material point `offset` (world axes, from the basic point) and a moment are on the coordinates. Equation (1).
    #[inline(always)]
    pub(super) fn on_load<const D: usize>(&self, offset: Vec3<f64>, force: Vec3<f64>, moment: Vec3<f64>) -> [f64; D] {
        let (c, half) = (self.x.transpose_mul(offset), moment.scale(0.5));
        let x = &self.x;
        gather(force, [force.scale(c.x) + half.cross(x.x), force.scale(c.y) + half.cross(x.y), force.scale(c.z) + half.cross(x.z)])
    }

    /// Acceleration of the material point `offset`, and angular acceleration, from those of the coordinates. Equation (1).
    #[inline(always)]
    pub(super) fn read<const D: usize>(&self, offset: Vec3<f64>, coordinates: &[f64; D]) -> (Vec3<f64>, Vec3<f64>) {
        let (r, x) = spread(coordinates);
        let twice = self.x.x.cross(x.x) + self.x.y.cross(x.y) + self.x.z.cross(x.z);
        (r + x * self.x.transpose_mul(offset), twice.scale(0.5))
    }

    /// The wrench (force, and moment about the basic point) that rows with these coefficients exert on the body.
    #[inline(always)]
    pub(super) fn wrench<const D: usize>(&self, coefficients: &[f64; D]) -> (Vec3<f64>, Vec3<f64>) {
        if D == 4 {
            let on_u = vec3(coefficients[2], coefficients[3], 0.0);
            return (vec3(coefficients[0], coefficients[1], 0.0), self.x.x.cross(on_u));
        }
        let (force, on) = spread(coefficients);
        (force, self.x.x.cross(on.x) + self.x.y.cross(on.y) + self.x.z.cross(on.z))
    }
}

/// Coefficients on the point and the three vectors as coefficients on coordinates.
#[inline(always)]
fn gather<const D: usize>(r: Vec3<f64>, [x, y, z]: [Vec3<f64>; 3]) -> [f64; D] {
    let mut entries = [0.0; D];
    if D == 4 {
        entries.copy_from_slice(&[r.x, r.y, x.x + y.y, x.y - y.x]);
    } else {
        entries.copy_from_slice(&[r.x, r.y, r.z, x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z]);
    }
    entries
}

/// The point's and all three vectors' part of quantities of the coordinates' own kind.
#[inline(always)]
fn spread<const D: usize>(q: &[f64; D]) -> (Vec3<f64>, Mat3<f64>) {
    if D == 4 {
        let (x, y) = (vec3(q[2], q[3], 0.0), vec3(-q[3], q[2], 0.0));
        return (vec3(q[0], q[1], 0.0), Mat3 { x, y, z: Vec3::ZERO });
    }
    let column = |k: usize| vec3(q[k], q[k + 1], q[k + 2]);
    (column(0), Mat3 { x: column(3), y: column(6), z: column(9) })
}

/// Second moments of a body's mass about its basic point: ∫ (1, c)(1, c)ᵀ dm over the components c of its particles.
#[derive(Clone, Copy)]
pub(super) struct Moments {
    /// Mass, kg.
    pub mass: f64,
    /// First moment, kg m.
    pub first: Vec3<f64>,
    /// Second moment J = ½ tr(I) − I, kg m².
    pub second: Sym3<f64>,
}

impl Moments {
    /// From mass, first moment, and inertia I about the basic point. Planar models state only I about Z: J_xx + J_yy.
    #[inline(always)]
    pub(super) fn new(planar: bool, mass: f64, first: Vec3<f64>, inertia: &Sym3<f64>) -> Self {
        let second = if planar {
            let half = 0.5 * inertia.zz;
            Sym3 { xx: half, yy: half, ..Sym3::diagonal(0.0) }
        } else {
            Sym3::diagonal(0.5 * inertia.trace()) - *inertia
        };
        Moments { mass, first, second }
    }

    /// The mass matrix of the body; constant.
    ///
    ///     space:  [ m 1          ]       plane:  [ m 1               ]
    ///             [ s_k 1  J_kl 1]               [ s_x 1 − s_y K  I_z 1]         lower half, s the first moment
    pub(super) fn matrix<const D: usize>(&self) -> Block<D> {
        let mut block = [[0.0; D]; D];
        let (m, s) = (self.mass, self.first.to_array());
        if D == 4 {
            for k in 0..2 {
                block[k][k] = m;
                block[2 + k][k] = s[0];
                block[2 + k][2 + k] = self.second.xx + self.second.yy;
            }
            (block[2][1], block[3][0]) = (s[1], -s[1]);
        } else {
            let J = self.second.to_mat();
            let J = [J.x, J.y, J.z].map(Vec3::to_array);
            for i in 0..3 {
                block[i][i] = m;
                for k in 0..3 {
                    block[3 + 3 * k + i][i] = s[k];
                    for l in 0..=k {
                        block[3 + 3 * k + i][3 + 3 * l + i] = J[k][l];
                    }
                }
            }
        }
        block
    }

    /// Kinetic energy, momentum and angular momentum about the world origin: sums of ½ ẏ_a·ẏ_b, ẏ_b and y_a × ẏ_b over the moments.
    #[inline(always)]
    pub(super) fn motion(&self, b: &Basics) -> (f64, Vec3<f64>, Vec3<f64>) {
        let momentum = b.r_rate.scale(self.mass) + b.x_rate * self.first;
        let J = self.second.to_mat();
        // Σ_l J_kl ẋ_l, the momentum that goes with x_k beyond that of the point.
        let with = [J.x, J.y, J.z].map(|column| b.x_rate * column);
        let first = b.x * self.first;
        let first_rate = b.x_rate * self.first;
        let energy = b.r_rate.dot(momentum + first_rate) + b.x_rate.x.dot(with[0]) + b.x_rate.y.dot(with[1]) + b.x_rate.z.dot(with[2]);
        let spin = b.x.x.cross(with[0]) + b.x.y.cross(with[1]) + b.x.z.cross(with[2]);
        (0.5 * energy, momentum, b.r.cross(momentum) + first.cross(b.r_rate) + spin)
    }
}
