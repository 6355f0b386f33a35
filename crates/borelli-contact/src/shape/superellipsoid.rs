//! Superellipsoid.

use super::Form;
use super::kind::{ShapeFault, ShapeKind, exponent};
use super::power::{absolute, norm, power, sign};
use super::surface::Support;
use borelli_math::{Constant, Real, Sym3, Vec3, vec3};

/// Superellipsoid: round for exponents of two, a box with rounded edges for large ones.
///
/// ```text
/// F = (|x/a|^p + |y/b|^p)^(r/p) + |z/c|^r − 1 = G^r − 1                                         (1)
/// G = N_r(t, |z/c|),  t = N_p(|x/a|, |y/b|),  N_p(u, v) = (u^p + v^p)^(1/p)                     (2)
/// h(n) = N_r'(N_p'(|a n_x|, |b n_y|), |c n_z|),  p' = p/(p−1),  r' = r/(r−1)                    (3)
/// ```
///
/// Derivatives are taken of the nested norms (2), with α = |x/a|/t, β = |y/b|/t, τ = t/G, ζ = |z/c|/G, all at most one, so that
/// nothing overflows and the pole t = 0 is no exception:
///
/// ```text
/// G_x = τ^(r−1) α^(p−1) sgn x / a        G_z = ζ^(r−1) sgn z / c                                (4)
/// G_xx = τ^(r−2) ((r−1) ζ^r α^(2p−2) + (p−1) α^(p−2) β^p) / (G a²)                              (5)
/// G_xy = τ^(r−2) ((r−1) ζ^r − (p−1)) (αβ)^(p−1) sgn xy / (G a b)                                (6)
/// G_xz = −(r−1) τ^(r−1) ζ^(r−1) α^(p−1) sgn xz / (G a c)        G_zz = (r−1) ζ^(r−2) τ^r / (G c²)
/// ```
///
/// | a, b, c `a`, `b`, `c` semi-axes m | p, r `p`, `r` exponents, p = 2/ε₂ and r = 2/ε₁ of Barr |
///
/// Source: Barr 1981, Superquadrics and angle-preserving transformations; support by Hölder's inequality. Limits: p, r ≥ 2, so that
/// second derivatives exist; r = 2 only with p = 2, because elsewhere they do not at the poles. Exponents above two have no curvature
/// on the axes and coordinate planes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superellipsoid<N> {
    /// Semi-axes, m.
    pub semi_axes: [N; 3],
    /// Exponent in the plane X-Y.
    pub p: N,
    /// Exponent between that plane and Z.
    pub r: N,
}

impl<N> Form<N> for Superellipsoid<N> {
    const KIND: ShapeKind = ShapeKind {
        name: "superellipsoid",
        doc: "Superellipsoid (|x/a|^p + |y/b|^p)^(r/p) + |z/c|^r = 1",
        parameters: &[
            super::ellipsoid::SEMI_AXES[0],
            super::ellipsoid::SEMI_AXES[1],
            super::ellipsoid::SEMI_AXES[2],
            exponent("p", "exponent in the plane X-Y; 2 is round"),
            exponent("r", "exponent between that plane and Z; 2 is round, and needs p = 2"),
        ],
        planar: false,
        spatial: true,
    };
    fn build(mut number: impl FnMut() -> N) -> Self {
        Superellipsoid { semi_axes: [number(), number(), number()], p: number(), r: number() }
    }
    fn each(&self, visit: &mut impl FnMut(&N)) {
        self.semi_axes.iter().for_each(&mut *visit);
        visit(&self.p);
        visit(&self.r);
    }
}

/// Ratios of equations (4) to (6), and the lengths they belong to.
struct Ratios<S> {
    G: S,
    alpha: S,
    beta: S,
    tau: S,
    zeta: S,
    p: S,
    r: S,
    a: Vec3<S>,
}

impl<N: Real> Superellipsoid<N> {
    fn ratios<S: Real>(&self, point: Vec3<S>) -> Ratios<S>
    where
        N: Constant<S>,
    {
        let a = Vec3::from_array(self.semi_axes.map(|a| a.lift()));
        let (p, r) = (self.p.lift(), self.r.lift());
        let (X, Y, Z) = (absolute(point.x) / a.x, absolute(point.y) / a.y, absolute(point.z) / a.z);
        let t = norm(X, Y, p);
        let G = norm(t, Z, r);
        let over = |x: S, whole: S, otherwise: S| if whole.value() == 0.0 { otherwise } else { x / whole };
        // On the polar axis any α^p + β^p = 1 will do: all it multiplies is zero, or round when r = p = 2.
        let (alpha, beta) = (over(X, t, S::ONE), over(Y, t, S::ZERO));
        Ratios { G, alpha, beta, tau: over(t, G, S::ZERO), zeta: over(Z, G, S::ZERO), p, r, a }
    }
    pub(super) fn check_more(&self) -> Result<(), ShapeFault> {
        let (p, r) = (self.p.value(), self.r.value());
        if r == 2.0 && p != 2.0 { Err(ShapeFault::RoughPole { p, r }) } else { Ok(()) }
    }
    pub(super) fn value<S: Real>(&self, point: Vec3<S>) -> S
    where
        N: Constant<S>,
    {
        power(self.gauge(point), self.r.lift()) - 1.0
    }
    pub(super) fn gradient<S: Real>(&self, point: Vec3<S>) -> Vec3<S>
    where
        N: Constant<S>,
    {
        let k = self.ratios(point);
        gauge_gradient(&k, point).scale(k.r * power(k.G, k.r - 1.0))
    }
    /// F = G^r − 1: ∇²F = r G^(r−1) ∇²G + r (r−1) G^(r−2) ∇G ∇Gᵀ.
    pub(super) fn hessian<S: Real>(&self, point: Vec3<S>) -> Sym3<S>
    where
        N: Constant<S>,
    {
        let k = self.ratios(point);
        let one = S::ONE;
        let (p1, r1) = (k.p - one, k.r - one);
        let (alpha1, beta1) = (power(k.alpha, p1), power(k.beta, p1));
        let (alpha2, beta2) = (power(k.alpha, p1 - one), power(k.beta, p1 - one));
        let (tau1, tau2, zeta1, zeta2) = (power(k.tau, r1), power(k.tau, r1 - one), power(k.zeta, r1), power(k.zeta, r1 - one));
        let polar = r1 * zeta1 * k.zeta;
        let signs = vec3(sign(point.x.value()), sign(point.y.value()), sign(point.z.value()));
        // G times the second derivatives of G by x/a, y/b, z/c.
        let curved = Sym3 {
            xx: tau2 * (polar * alpha1 * alpha1 + p1 * alpha2 * beta1 * k.beta),
            yy: tau2 * (polar * beta1 * beta1 + p1 * beta2 * alpha1 * k.alpha),
            zz: r1 * zeta2 * tau1 * k.tau,
            xy: tau2 * (polar - p1) * alpha1 * beta1 * (signs.x * signs.y),
            xz: -(r1 * tau1 * zeta1 * alpha1) * (signs.x * signs.z),
            yz: -(r1 * tau1 * zeta1 * beta1) * (signs.y * signs.z),
        };
        let slope = gauge_gradient(&k, point);
        let scale = k.r * power(k.G, k.r - 2.0);
        let by = vec3(k.a.x.recip(), k.a.y.recip(), k.a.z.recip());
        let sum = |curved: S, u: S, v: S, g: S, h: S| scale * (curved * u * v + r1 * g * h);
        Sym3 {
            xx: sum(curved.xx, by.x, by.x, slope.x, slope.x),
            yy: sum(curved.yy, by.y, by.y, slope.y, slope.y),
            zz: sum(curved.zz, by.z, by.z, slope.z, slope.z),
            xy: sum(curved.xy, by.x, by.y, slope.x, slope.y),
            xz: sum(curved.xz, by.x, by.z, slope.x, slope.z),
            yz: sum(curved.yz, by.y, by.z, slope.y, slope.z),
        }
    }
    pub(super) fn gauge<S: Real>(&self, point: Vec3<S>) -> S
    where
        N: Constant<S>,
    {
        let [a, b, c] = self.semi_axes.map(Real::recip);
        let t = norm(a.times(absolute(point.x)), b.times(absolute(point.y)), self.p.lift());
        norm(t, c.times(absolute(point.z)), self.r.lift())
    }
    pub(super) fn support<S: Real>(&self, n: Vec3<S>) -> Support<S>
    where
        N: Constant<S>,
    {
        let [a, b, c] = self.semi_axes;
        // Exponents of (3) less one: p' − 1 = 1/(p−1).
        let (p1, r1) = ((self.p - 1.0).recip().lift(), (self.r - 1.0).recip().lift());
        let (A, B, C) = (a.times(absolute(n.x)), b.times(absolute(n.y)), c.times(absolute(n.z)));
        let t = norm(A, B, p1 + S::ONE);
        let distance = norm(t, C, r1 + S::ONE);
        let over = |x: S, whole: S| if whole.value() == 0.0 { S::ZERO } else { x / whole };
        let equator = power(over(t, distance), r1);
        let x = a.times(power(over(A, t), p1) * equator) * sign(n.x.value());
        let y = b.times(power(over(B, t), p1) * equator) * sign(n.y.value());
        let z = c.times(power(over(C, distance), r1)) * sign(n.z.value());
        Support { distance, point: vec3(x, y, z) }
    }
    pub(super) fn half_extents(&self) -> Vec3<f64> {
        Vec3::from_array(self.semi_axes.map(Real::value))
    }
    /// Largest |x| on the surface, by Hölder's inequality with exponents p/2 and r/2: `farthest`.
    pub(super) fn bounding_radius(&self) -> f64 {
        let [a, b, c] = self.semi_axes.map(Real::value);
        farthest(farthest(a, b, self.p.value()), c, self.r.value())
    }
    pub(super) fn radius(&self) -> Option<N> {
        None
    }
}

/// Equation (4).
fn gauge_gradient<S: Real>(k: &Ratios<S>, point: Vec3<S>) -> Vec3<S> {
    let (p1, r1) = (k.p - S::ONE, k.r - S::ONE);
    let equator = power(k.tau, r1);
    vec3(
        equator * power(k.alpha, p1) / k.a.x * sign(point.x.value()),
        equator * power(k.beta, p1) / k.a.y * sign(point.y.value()),
        power(k.zeta, r1) / k.a.z * sign(point.z.value()),
    )
}

/// Largest √(x² + y²) on |x/a|^p + |y/b|^p = 1: (a^s + b^s)^(1/s) with s = 2p/(p−2), which tends to the longer semi-axis as p tends to 2;
/// a bound above it where s is too large to compute with.
pub(super) fn farthest(a: f64, b: f64, p: f64) -> f64 {
    let s = 2.0 * p / (p - 2.0);
    if s.is_finite() && s < 1e3 { norm(a, b, s) } else { a.max(b) * (1.0 + 1e-3) }
}
