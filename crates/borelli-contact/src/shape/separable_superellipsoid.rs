//! Separable superellipsoid: an exponent of its own for each axis.

use super::Form;
use super::kind::{ShapeFault, ShapeKind, exponent};
use super::power::{absolute, power, sign};
use super::superellipsoid::farthest;
use super::surface::Support;
use borelli_math::{Constant, Real, Sym3, Vec3, vec3};

/// Separable superellipsoid.
///
/// ```text
/// F = |x/a|^g₁ + |y/b|^g₂ + |z/c|^g₃ − 1                                                        (1)
/// x_k = a_k sgn(n_k) (κ a_k |n_k| / g_k)^(1/(g_k−1)),  κ > 0 such that F = 0,  h = n·x          (2)
/// ```
///
/// κ and the gauge G, the root of Σ |x_k/(a_k G)|^g_k = 1, are roots of a sum of exponentials in the logarithm of the unknown, whose
/// logarithm is convex: Newton's method from the side where the sum exceeds one never overshoots.
///
/// | a, b, c `a`, `b`, `c` semi-axes m | g₁, g₂, g₃ `g1`, `g2`, `g3` exponents |
///
/// Source: Marques 2015 for (1); (2) by Lagrange's condition. Limits: exponents of at least two, so that second derivatives exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparableSuperellipsoid<N> {
    /// Semi-axes, m.
    pub semi_axes: [N; 3],
    /// Exponents along X, Y, Z.
    pub exponents: [N; 3],
}

impl<N> Form<N> for SeparableSuperellipsoid<N> {
    const KIND: ShapeKind = ShapeKind {
        name: "separable-superellipsoid",
        doc: "Superellipsoid |x/a|^g1 + |y/b|^g2 + |z/c|^g3 = 1",
        parameters: &[
            super::ellipsoid::SEMI_AXES[0],
            super::ellipsoid::SEMI_AXES[1],
            super::ellipsoid::SEMI_AXES[2],
            exponent("g1", "exponent along X; 2 is round"),
            exponent("g2", "exponent along Y; 2 is round"),
            exponent("g3", "exponent along Z; 2 is round"),
        ],
        planar: false,
        spatial: true,
    };
    fn build(mut number: impl FnMut() -> N) -> Self {
        SeparableSuperellipsoid { semi_axes: [number(), number(), number()], exponents: [number(), number(), number()] }
    }
    fn each(&self, visit: &mut impl FnMut(&N)) {
        self.semi_axes.iter().for_each(&mut *visit);
        self.exponents.iter().for_each(visit);
    }
}

/// The factor k for which Σ (k x_i)^e_i = 1, all x_i ≥ 0 and one of them above zero.
fn normalising_factor(x: [f64; 3], e: [f64; 3]) -> f64 {
    let logs = x.map(f64::ln);
    // The largest term is one here, so the sum is at least one: the side from which Newton does not overshoot.
    let mut log_k = -logs.iter().fold(f64::NEG_INFINITY, |most, &l| l.max(most));
    for _ in 0..60 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for i in 0..3 {
            let term = (e[i] * (logs[i] + log_k)).exp();
            sum += term;
            slope += e[i] * term;
        }
        // Newton on the logarithm of the sum, whose slope is slope/sum.
        let step = sum.ln() * sum / slope;
        log_k -= step;
        if !(step.abs() > 1e-15) {
            break;
        }
    }
    log_k.exp()
}

/// The same with derivatives, by one step of Newton's method in scalars from the root in plain numbers.
fn normalising_scalar<S: Real>(x: [S; 3], e: [S; 3]) -> S {
    let k = normalising_factor(x.map(Real::value), e.map(Real::value));
    let (mut sum, mut slope) = (S::ZERO, 0.0);
    for i in 0..3 {
        let term = power(x[i] * k, e[i]);
        sum += term;
        slope += e[i].value() * term.value();
    }
    S::from_f64(k) - (sum - 1.0) * (k / slope)
}

impl<N: Real> SeparableSuperellipsoid<N> {
    /// |x_k/a_k|.
    fn scaled<S: Real>(&self, point: Vec3<S>) -> [S; 3]
    where
        N: Constant<S>,
    {
        let [a, b, c] = self.semi_axes.map(Real::recip);
        [a.times(absolute(point.x)), b.times(absolute(point.y)), c.times(absolute(point.z))]
    }
    pub(super) fn check_more(&self) -> Result<(), ShapeFault> {
        Ok(())
    }
    pub(super) fn value<S: Real>(&self, point: Vec3<S>) -> S
    where
        N: Constant<S>,
    {
        let x = self.scaled(point);
        let g = self.exponents.map(|g| g.lift());
        power(x[0], g[0]) + power(x[1], g[1]) + power(x[2], g[2]) - 1.0
    }
    pub(super) fn gradient<S: Real>(&self, point: Vec3<S>) -> Vec3<S>
    where
        N: Constant<S>,
    {
        let (x, signs) = (self.scaled(point), point.values().to_array().map(sign));
        let entry = |k: usize| {
            let g: S = self.exponents[k].lift();
            g * power(x[k], g - 1.0) / self.semi_axes[k].lift() * signs[k]
        };
        vec3(entry(0), entry(1), entry(2))
    }
    pub(super) fn hessian<S: Real>(&self, point: Vec3<S>) -> Sym3<S>
    where
        N: Constant<S>,
    {
        let x = self.scaled(point);
        let entry = |k: usize| {
            let (g, a): (S, S) = (self.exponents[k].lift(), self.semi_axes[k].lift());
            g * (g - 1.0) * power(x[k], g - 2.0) / (a * a)
        };
        Sym3 { xx: entry(0), yy: entry(1), zz: entry(2), ..Sym3::ZERO }
    }
    pub(super) fn gauge<S: Real>(&self, point: Vec3<S>) -> S
    where
        N: Constant<S>,
    {
        if point.values() == Vec3::ZERO {
            return S::ZERO;
        }
        normalising_scalar(self.scaled(point), self.exponents.map(|g| g.lift())).recip()
    }
    pub(super) fn support<S: Real>(&self, n: Vec3<S>) -> Support<S>
    where
        N: Constant<S>,
    {
        let [a, b, c] = self.semi_axes;
        let lengths = [a.times(absolute(n.x)), b.times(absolute(n.y)), c.times(absolute(n.z))];
        let g: [S; 3] = self.exponents.map(|g| g.lift());
        let pulls = [lengths[0] / g[0], lengths[1] / g[1], lengths[2] / g[2]];
        let dual = g.map(|g| g / (g - 1.0));
        let kappa = normalising_scalar(pulls, dual);
        let part = |k: usize| power(kappa * pulls[k], dual[k] - 1.0);
        let parts = [part(0), part(1), part(2)];
        let signs = n.values().to_array().map(sign);
        let point = vec3(a.times(parts[0]) * signs[0], b.times(parts[1]) * signs[1], c.times(parts[2]) * signs[2]);
        // h is stationary in the point, so its derivatives by n and a are those at a fixed point; by exponents they are not zero.
        Support { distance: lengths[0] * parts[0] + lengths[1] * parts[1] + lengths[2] * parts[2], point }
    }
    pub(super) fn half_extents(&self) -> Vec3<f64> {
        Vec3::from_array(self.semi_axes.map(Real::value))
    }
    /// The body with all exponents equal to the largest holds this one.
    pub(super) fn bounding_radius(&self) -> f64 {
        let [a, b, c] = self.semi_axes.map(Real::value);
        let g = self.exponents.iter().fold(2.0, |most, g| g.value().max(most));
        farthest(farthest(a, b, g), c, g)
    }
    pub(super) fn radius(&self) -> Option<N> {
        None
    }
}
