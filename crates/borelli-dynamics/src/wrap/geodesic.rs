//! Geodesics from a point along a direction, with the fields that say how their ends move.
//! Not here: which geodesic a string follows (`chain`). In: a surface, a start, a length. Out: the end, and a, a', ρ, ρ' there.
//!
//! ```text
//! x' = t        t' = −(tᵀHt/|g|²) g        a'' = −K a, a(0) = 1, a'(0) = 0        ρ'' = −K ρ, ρ(0) = 0, ρ'(0) = 1        (1)
//! ```
//!
//! A shift δβ of the start sideways moves the end sideways by a δβ, a turn δθ by ρ δθ (Jacobi fields). Sphere and cylinder have closed forms.
//!
//! On an ellipsoid tᵀHt |g|² is the same all along a geodesic (Joachimsthal), and K = 1/(A₁²A₂²A₃² |g|⁴), so that all five have accelerations that see places only:
//!
//! ```text
//! x'' = −J H x/|Hx|⁴,  J = tᵀHt |Hx|² at the start        a'' = −a/(A₁²A₂²A₃² |Hx|⁴), ρ'' likewise                                     (2)
//! ```
//!
//! These are integrated by Störmer's rule with 1 to 5 divisions, extrapolated to order 10 (Bulirsch & Stoer 1966): no table of coefficients, and its last two columns tell the
//! error. On a torus, where (2) does not hold, Gragg's midpoint rule with 2, 4, 6, 8 divisions is extrapolated to order 8. Steps are shortened where the error is larger than 2e-9.
//! Test: `geodesics_keep_to_their_surface_and_vary_as_their_fields_say`.

use super::Obstacle;
use super::surface::Lay;
use borelli_math::{Real, Vec3};

/// The Jacobi fields at the end of a geodesic: a, a', ρ, ρ'.
pub(crate) type Jacobi<S> = [S; 4];

/// What two orders may differ by, in parts of the radius of curvature.
const ERROR: f64 = 2e-9;
/// A step on an ellipsoid and on a torus turns the string by about so much, rad.
const TURNS: [f64; 2] = [0.3, 0.6];
/// Most steps of one geodesic, halved ones included; a length that needs more is no length of a string.
const MOST_STEPS: usize = 400;

/// x, t, a, a', ρ, ρ' on a torus.
type State<S> = [S; 10];

/// x, a, ρ along a geodesic of an ellipsoid, and their rates.
#[derive(Clone, Copy)]
struct Moving<S> {
    y: [S; 5],
    rate: [S; 5],
}

/// Equation (2): 1/Aᵢ², J, 1/(A₁²A₂²A₃²).
struct OnEllipsoid<S> {
    h: [S; 3],
    J: S,
    gauss: S,
}

impl<S: Real> OnEllipsoid<S> {
    #[inline(always)]
    fn acceleration(&self, y: &[S; 5]) -> [S; 5] {
        let g: [S; 3] = std::array::from_fn(|i| self.h[i] * y[i]);
        let square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        let inverse = (square * square).recip();
        let (down, K) = (-(self.J * inverse), -(self.gauss * inverse));
        [g[0] * down, g[1] * down, g[2] * down, y[3] * K, y[4] * K]
    }

    /// One step from where the acceleration is known, and how far the last two orders differ.
    ///
    /// With m = 1 … 5 divisions the weights are Π m²/(m² − k²) over the other k; those of the lower order leave out m = 1.
    #[inline(always)]
    fn step(&self, from: &Moving<S>, first: &[S; 5], h: S) -> (Moving<S>, f64) {
        const WEIGHTS: [[f64; 2]; 5] = [
            [1.0 / 8640.0, 0.0],
            [-64.0 / 945.0, -16.0 / 315.0],
            [6561.0 / 4480.0, 729.0 / 560.0],
            [-16384.0 / 2835.0, -1024.0 / 189.0],
            [390_625.0 / 72_576.0, 15_625.0 / 3024.0],
        ];
        let (mut sum, mut off) = (Moving { y: [S::ZERO; 5], rate: [S::ZERO; 5] }, [0.0; 3]);
        for (k, [tenth, eighth]) in WEIGHTS.into_iter().enumerate() {
            let part = h * (1.0 / (k + 1) as f64);
            let half = part * 0.5;
            let mut rate: [S; 5] = std::array::from_fn(|i| from.rate[i] + half * first[i]);
            let mut y: [S; 5] = std::array::from_fn(|i| from.y[i] + part * rate[i]);
            for _ in 0..k {
                let down = self.acceleration(&y);
                (0..5).for_each(|i| rate[i] += part * down[i]);
                (0..5).for_each(|i| y[i] += part * rate[i]);
            }
            let down = self.acceleration(&y);
            (0..5).for_each(|i| rate[i] += half * down[i]);
            (0..5).for_each(|i| {
                sum.y[i] += y[i] * tenth;
                sum.rate[i] += rate[i] * tenth;
            });
            (0..3).for_each(|i| off[i] += (tenth - eighth) * rate[i].value());
        }
        // The direction counts as the place: it is off by as many radii of curvature as the place is off by radii.
        (sum, off.iter().fold(0.0, |most: f64, x| most.max(x.abs())))
    }
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
fn step<S: Real>(rates: &impl Fn(&State<S>) -> State<S>, y: &State<S>, first: &State<S>, h: S) -> (State<S>, f64) {
    const WEIGHTS: [(usize, f64, f64); 4] =
        [(2, -1.0 / 360.0, 0.0), (4, 64.0 / 180.0, 16.0 / 60.0), (6, -729.0 / 280.0, -81.0 / 35.0), (8, 4096.0 / 1260.0, 256.0 / 84.0)];
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
            let h = axes.map(|axis| (axis * axis).recip());
            let (g, bent) = (surface.gradient(x), surface.bent(x, t));
            let law = OnEllipsoid { h, J: t.dot(bent) * g.dot(g), gauss: h[0] * h[1] * h[2] };
            let start = Moving { y: [x.x, x.y, x.z, S::ONE, S::ZERO], rate: [t.x, t.y, t.z, S::ZERO, S::ONE] };
            let end = walk(
                length,
                TURNS[0],
                start,
                |y| law.acceleration(&y.y),
                |down| [down[0], down[1], down[2]],
                |y, first, h| law.step(y, first, h),
            )?;
            let Moving { y: [x, y, z, a, r], rate: [u, v, w, a1, r1] } = end;
            Some((Lay::at(surface, Vec3::from_array([x, y, z]), Vec3::from_array([u, v, w])), [a, a1, r, r1]))
        }
        Obstacle::Torus { ring, tube } => {
            let rates = |y: &State<S>| on_torus(surface, ring, tube, y);
            let start = [x.x, x.y, x.z, t.x, t.y, t.z, S::ONE, S::ZERO, S::ZERO, S::ONE];
            let [x, y, z, u, v, w, a, a1, r, r1] =
                walk(length, TURNS[1], start, rates, |rate| [rate[3], rate[4], rate[5]], |y, first, h| step(&rates, y, first, h))?;
            Some((Lay::at(surface, Vec3::from_array([x, y, z]), Vec3::from_array([u, v, w])), [a, a1, r, r1]))
        }
    }
}

/// Steps along a geodesic: `rates` are those at a state, `down` tells the acceleration of the place of them, `step` makes one with its error.
#[inline(always)]
fn walk<S: Real, Y, R>(
    length: S,
    turn: f64,
    start: Y,
    rates: impl Fn(&Y) -> R,
    down: impl Fn(&R) -> [S; 3],
    step: impl Fn(&Y, &R, S) -> (Y, f64),
) -> Option<Y> {
    let whole = length.value();
    if !whole.is_finite() {
        return None;
    }
    let mut y = start;
    let (mut done, mut most) = (0.0, f64::INFINITY);
    for _ in 0..MOST_STEPS {
        let left = 1.0 - done;
        if left <= 0.0 || whole == 0.0 {
            return Some(y);
        }
        let first = rates(&y);
        let curved = down(&first).iter().map(|x| x.value().powi(2)).sum::<f64>().sqrt();
        let parts = (left * whole.abs() * curved / turn).ceil().max(1.0);
        let part = (left / parts).min(most);
        let part = if part > 0.999 * left { left } else { part };
        let (next, error) = step(&y, &first, length * part);
        if !error.is_finite() {
            return None;
        }
        if error > ERROR {
            most = 0.6 * part;
        } else {
            (y, done) = (next, if part == left { 1.0 } else { done + part });
        }
    }
    None
}
