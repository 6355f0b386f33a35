//! A superellipsoid: heads, hands, feet, trunks, wheels. Half-axes from principal moments and a volume.
//! Not here: which bodies are superellipsoids (`rules`), principal axes (`principal`).
//! In: moments, volume, exponent. Out: half-axes.
//!
//! ```text
//! |x/a|^p + |y/b|^p + |z/c|^p = 1                                                             (1)
//! V = 8 a b c Γ(1 + 1/p)³ / Γ(1 + 3/p)                                                        (2)
//! ∫x² dV ~ a² V, hence J_x ~ b² + c², and  a ~ √(J_y + J_z − J_x)                             (3)
//! x_k = a_k sgn(n_k) (a_k |n_k| / h)^(q−1),  h = (Σ (a_k |n_k|)^q)^(1/q),  q = p/(p − 1)      (4)
//! ```
//!
//! (4) is the point farthest along n, by Hölder's inequality. No half-axis is below a fifth of the largest, so that a body whose moments are those of
//! a rod or a plate can be seen from all sides. Tests: volume and moments by quadrature in space.

use borelli_math::{Mat3, Vec3};

/// A superellipsoid in its body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// Middle, m.
    pub at: [f64; 3],
    /// From its own axes to the body's.
    pub axes: Mat3<f64>,
    /// Half-axes, m.
    pub half: [f64; 3],
    /// Exponent; two is round, more is fuller.
    pub power: f64,
}

/// Smallest half-axis over the largest.
pub(super) const FLATTEST: f64 = 0.2;

impl Ellipsoid {
    /// A ball.
    pub(super) fn ball(at: Vec3<f64>, radius: f64) -> Ellipsoid {
        Ellipsoid { at: at.to_array(), axes: Mat3::IDENTITY, half: [radius; 3], power: 2.0 }
    }

    /// The superellipsoid on principal axes with a volume and, as far as it is not too flat, the ratios of the principal moments. Equation (3).
    pub(super) fn of_moments(at: Vec3<f64>, axes: Mat3<f64>, moments: [f64; 3], power: f64, volume: f64) -> Ellipsoid {
        let sum: f64 = moments.iter().sum();
        let half = moments.map(|moment| (sum - 2.0 * moment).max(0.0).sqrt());
        let largest = half.into_iter().fold(0.0, f64::max);
        let half = if largest > 0.0 { half.map(|a| a.max(FLATTEST * largest)) } else { [1.0; 3] };
        let whole = Ellipsoid { at: at.to_array(), axes, half, power };
        let factor = (volume / whole.volume()).cbrt();
        Ellipsoid { half: half.map(|a| factor * a), ..whole }
    }

    /// The uniform ellipsoid that has a mass and principal moments, as far as it is not too flat: J_x = m (b² + c²)/5, hence a² = 5 (J_y + J_z − J_x)/(2 m).
    pub(super) fn uniform(at: Vec3<f64>, axes: Mat3<f64>, moments: [f64; 3], mass: f64) -> Ellipsoid {
        let sum: f64 = moments.iter().sum();
        let half = moments.map(|moment| (2.5 * (sum - 2.0 * moment).max(0.0) / mass).sqrt());
        let largest = half.into_iter().fold(0.0, f64::max);
        Ellipsoid { at: at.to_array(), axes, half: half.map(|a| a.max(FLATTEST * largest)), power: 2.0 }
    }

    /// Volume, m³. Equation (2).
    pub fn volume(&self) -> f64 {
        8.0 * self.half.iter().product::<f64>() * gamma(1.0 + 1.0 / self.power).powi(3) / gamma(1.0 + 3.0 / self.power)
    }

    /// One on the surface, less inside, more outside.
    pub fn gauge(&self, at: Vec3<f64>) -> f64 {
        let own = self.axes.transpose_mul(at - Vec3::from_array(self.at)).to_array();
        let sum: f64 = own.iter().zip(self.half).map(|(x, a)| (x / a).abs().powf(self.power)).sum();
        sum.powf(1.0 / self.power)
    }

    /// The point farthest along a vector. Equation (4).
    pub fn support(&self, n: Vec3<f64>) -> Vec3<f64> {
        let own = self.axes.transpose_mul(n).to_array();
        let q = self.power / (self.power - 1.0);
        let sizes = [0, 1, 2].map(|k| self.half[k] * own[k].abs());
        let h = sizes.iter().map(|x| x.powf(q)).sum::<f64>().powf(1.0 / q);
        let point = [0, 1, 2].map(|k| if h > 0.0 { (self.half[k] * (sizes[k] / h).powf(q - 1.0)).copysign(own[k]) } else { 0.0 });
        Vec3::from_array(self.at) + self.axes * Vec3::from_array(point)
    }

    /// Index of the longest half-axis.
    pub(super) fn longest(&self) -> usize {
        (0..3).fold(0, |best, k| if self.half[k] > self.half[best] { k } else { best })
    }

    /// The smallest half-axis, m.
    pub(super) fn smallest(&self) -> f64 {
        self.half.into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// Γ(x) for x ≥ 1, by the approximation of Lanczos with nine terms: true to some 1e-15.
fn gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let sum = TERMS.iter().enumerate().fold(0.999_999_999_999_809_9, |sum, (k, term)| sum + term / (x + k as f64 + 1.0));
    let t = x + 7.5;
    std::f64::consts::TAU.sqrt() * t.powf(x + 0.5) * (-t).exp() * sum
}
