//! Geodesics from a point along a direction, with the fields that say how their ends move.
//! Not here: which geodesic a string follows (`chain`). In: a surface, a start, a length. Out: the end, and a, a', ρ, ρ' there.
//!
//! ```text
//! x' = t        t' = −(tᵀHt/|g|²) g        a'' = −K a, a(0) = 1, a'(0) = 0        ρ'' = −K ρ, ρ(0) = 0, ρ'(0) = 1        (1)
//! ```
//!
//! A shift δβ of the start sideways moves the end sideways by a δβ, a turn δθ by ρ δθ (Jacobi fields). Sphere and cylinder have closed forms. Others are integrated
//! by the modified midpoint rule of Gragg with 2, 4, 6, 8 divisions, extrapolated to order 8 (Bulirsch & Stoer 1966): no table of coefficients, and its last two columns tell
//! the error. Steps turn the string by about 0.5 rad and are halved where the error is larger than 1e-11 of the size.
//! Test: `geodesics_keep_to_their_surface_and_vary_as_their_fields_say`.

use super::Obstacle;
use super::surface::Lay;
use borelli_math::{Real, Vec3};

/// The Jacobi fields at the end of a geodesic: a, a', ρ, ρ'.
pub(crate) type Jacobi<S> = [S; 4];

/// What the result of six orders may miss that of eight by, in parts of the radius of curvature.
const ERROR: f64 = 2e-9;
/// A step turns the string by about so much, rad.
const TURN: f64 = 0.6;
/// Most steps of one geodesic, halved ones included; a length that needs more is no length of a string.
const MOST_STEPS: usize = 400;

/// x, t, a, a', ρ, ρ'.
type State<S> = [S; 10];

/// Equation (1) on an ellipsoid, whose g is H x with a constant diagonal H, and whose K is `gauss`/|g|⁴.
#[inline(always)]
fn on_ellipsoid<S: Real>([h1, h2, h3]: &[S; 3], gauss: S, y: &State<S>) -> State<S> {
    let g = [*h1 * y[0], *h2 * y[1], *h3 * y[2]];
    let inverse = (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]).recip();
    let down = -((*h1 * y[3] * y[3] + *h2 * y[4] * y[4] + *h3 * y[5] * y[5]) * inverse);
    let K = gauss * inverse * inverse;
    [y[3], y[4], y[5], g[0] * down, g[1] * down, g[2] * down, y[7], -(K * y[6]), y[9], -(K * y[8])]
}

/// Equation (1) on a torus.
#[inline(always)]
fn on_torus<S: Real>(surface: &Obstacle<S>, ring: S, tube: S, y: &State<S>) -> State<S> {
    let (x, t) = (Vec3::from_array([y[0], y[1], y[2]]), Vec3::from_array([y[3], y[4], y[5]]));
    let g = surface.gradient(x);
    let down = g.scale(-(t.dot(surface.bent(x, t)) / g.dot(g)));
    let far = (x.x * x.x + x.y * x.y).sqrt();
    let K = (far - ring) / (tube * tube * far);
    [t.x, t.y, t.z, down.x, down.y, down.z, y[7], -(K * y[6]), y[9], -(K * y[8])]
}

/// One step: the midpoint rule with 2, 4, 6, 8 divisions and their sum whose error begins with h⁸, and how far that of the last three, h⁶, is from it.
///
/// With m = (n/2)² = 1, 4, 9, 16 the weights are Π m_k/(m_k − m_j) over the others.
#[inline(always)]
fn step<S: Real>(rates: &impl Fn(&State<S>) -> State<S>, y: &State<S>, h: S) -> (State<S>, f64) {
    const WEIGHTS: [(usize, f64, f64); 4] =
        [(2, -1.0 / 360.0, 0.0), (4, 64.0 / 180.0, 16.0 / 60.0), (6, -729.0 / 280.0, -81.0 / 35.0), (8, 4096.0 / 1260.0, 256.0 / 84.0)];
    let first = rates(y);
    let (mut sum, mut off) = ([S::ZERO; 10], [0.0; 6]);
    for (n, eighth, sixth) in WEIGHTS {
        let part = h * (1.0 / n as f64);
        let twice = part * 2.0;
        let (mut before, mut now) = (*y, *y);
        (0..10).for_each(|i| now[i] += part * first[i]);
        for _ in 1..n {
            let rate = rates(&now);
            (0..10).for_each(|i| before[i] += twice * rate[i]);
            std::mem::swap(&mut before, &mut now);
        }
        (0..10).for_each(|i| sum[i] += now[i] * eighth);
        (0..6).for_each(|i| off[i] += (eighth - sixth) * now[i].value());
    }
    // The direction counts as the place: it is off by as many radii of curvature as the place is off by radii.
    let error = off[3..].iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    (sum, error)
}

/// Follows a geodesic; nothing where no number comes out.
pub(crate) fn follow<S: Real>(surface: &Obstacle<S>, from: &Lay<S>, length: S) -> Option<(Lay<S>, Jacobi<S>)> {
    let (x, t) = (from.x, from.t);
    match *surface {
        Obstacle::Sphere { radius } => {
            let (s, c) = (length / radius).sin_cos();
            let end = x.scale(c) + t.scale(radius * s);
            let along = t.scale(c) - x.scale(s / radius);
            Some((Lay::at(surface, end, along), [c, -(s / radius), radius * s, c]))
        }
        Obstacle::Cylinder { radius } => {
            let round = (t.x * t.x + t.y * t.y).sqrt();
            let (s, c) = (length * round / radius).sin_cos();
            let sense = if x.x.value() * t.y.value() - x.y.value() * t.x.value() < 0.0 { -1.0 } else { 1.0 };
            let s = s * sense;
            let turned = |v: Vec3<S>| Vec3 { x: v.x * c - v.y * s, y: v.x * s + v.y * c, z: v.z };
            let end = turned(x);
            Some((Lay::at(surface, Vec3 { z: x.z + t.z * length, ..end }, turned(t)), [S::ONE, S::ZERO, length, S::ONE]))
        }
        Obstacle::Ellipsoid { axes } => {
            let diagonal = axes.map(|axis| (axis * axis).recip());
            let gauss = diagonal[0] * diagonal[1] * diagonal[2];
            integrate(surface, |y| on_ellipsoid(&diagonal, gauss, y), from, length)
        }
        Obstacle::Torus { ring, tube } => integrate(surface, |y| on_torus(surface, ring, tube, y), from, length),
    }
}

fn integrate<S: Real>(
    surface: &Obstacle<S>,
    rates: impl Fn(&State<S>) -> State<S>,
    from: &Lay<S>,
    length: S,
) -> Option<(Lay<S>, Jacobi<S>)> {
    let (x, t) = (from.x, from.t);
    let mut y = [x.x, x.y, x.z, t.x, t.y, t.z, S::ONE, S::ZERO, S::ZERO, S::ONE];
    let whole = length.value();
    if !whole.is_finite() {
        return None;
    }
    let (mut done, mut most) = (0.0, f64::INFINITY);
    for _ in 0..MOST_STEPS {
        let left = 1.0 - done;
        if left <= 0.0 || whole == 0.0 {
            let end = Vec3::from_array([y[0], y[1], y[2]]);
            let along = Vec3::from_array([y[3], y[4], y[5]]);
            return Some((Lay::at(surface, end, along), [y[6], y[7], y[8], y[9]]));
        }
        let down = rates(&y);
        let curved = (3..6).map(|i| down[i].value().powi(2)).sum::<f64>().sqrt();
        let parts = (left * whole.abs() * curved / TURN).ceil().max(1.0);
        let part = (left / parts).min(most);
        let part = if part > 0.999 * left { left } else { part };
        let (next, error) = step(&rates, &y, length * part);
        if !error.is_finite() {
            return None;
        }
        if error > ERROR {
            most = 0.5 * part;
        } else {
            (y, done) = (next, if part == left { 1.0 } else { done + part });
        }
    }
    None
}
