//! The six equations of a common normal, their derivatives, and damped Newton iteration on them.
//! Not here: where to start, and whether a root is the right one (`solve`).
//! In: two surfaces in their poses and a point on each. Out: points whose residual is below the tolerance, or the best reached.
//!
//! Unknowns are the two points s₁, s₂ in their own axes. With unit outward normals n, tangents t, b of the second, d = P₂ − P₁:
//!
//!     C = (n₁·t, n₁·b, d·t/D, d·b/D, F₁/(|∇F₁| L), F₂/(|∇F₂| L)) = 0
//!
//! Source: Lopes, Silva, Ambrósio and Flores 2010, for the equations; derivatives written out here. Departures: rows are divided by L, the
//! size of the smaller body (D for bodies far apart, see `Pair`), and by the length of the gradient; after each step points are moved back onto their surfaces, so that the
//! last two rows only keep steps tangential and high exponents cannot overflow.

use super::linear::{Factored, Matrix6, damped_step};
use super::pair::Pair;
use super::tangent::{Frame, Tangents, auxiliary, householder};
use crate::shape::Surface;
use borelli_math::{Constant, Mat3, Real, Vec3};

/// Residuals below this end the iteration.
pub(super) const TOLERANCE: f64 = 1e-12;
/// Steps of one iteration at most.
const MOST_STEPS: u32 = 100;
/// Steps within which the residual must halve. At a flat spot it falls by (g−2)/(g−1) in a step for an exponent g, for 10 to 0.39 in
/// eight; what is slower creeps along a valley without a root.
const PATIENCE: u32 = 8;
/// Halvings of a step at most.
const MOST_HALVINGS: u32 = 12;

/// What an iteration reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub points: [Vec3<f64>; 2],
    pub residual: f64,
    pub steps: u32,
}

impl Attempt {
    pub(super) fn converged(&self) -> bool {
        self.residual < TOLERANCE
    }
}

/// C in any scalar, with Householder tangents: what carries derivatives through a solution.
pub(super) fn residual<A: Surface, B: Surface, S: Real>(pair: &Pair<A, B, S>, points: [Vec3<S>; 2]) -> [S; 6]
where
    A::Number: Constant<S>,
    B::Number: Constant<S>,
{
    let (f, g) = (pair.first.gradient(points[0]), pair.second.gradient(points[1]));
    let (kf, kg) = (f.norm().recip(), g.norm().recip());
    let (n1, n2) = (pair.X_first.R * f.scale(kf), pair.X_second.R * g.scale(kg));
    let (t, b) = householder(n2);
    let d = -pair.between(points);
    let (per_size, per_span) = (1.0 / pair.size, 1.0 / pair.span);
    let (F1, F2) = (pair.first.value(points[0]), pair.second.value(points[1]));
    [n1.dot(t), n1.dot(b), d.dot(t) * per_span, d.dot(b) * per_span, F1 * kf * per_size, F2 * kg * per_size]
}

/// Unit normal in world axes and its derivative by the point: N = (1 − n nᵀ) R H/|∇F|.
fn turning<A: Surface>(surface: &A, R: &Mat3<f64>, point: Vec3<f64>) -> (Vec3<f64>, Vec3<f64>, f64, Mat3<f64>)
where
    A::Number: Constant<f64>,
{
    let f = surface.gradient(point);
    let k = 1.0 / f.norm();
    let inward = f.scale(k);
    let n = *R * inward;
    let bent = *R * surface.hessian(point).to_mat();
    let across = |v: Vec3<f64>| (v - n.scale(n.dot(v))).scale(k);
    (n, inward, surface.value(point) * k, Mat3 { x: across(bent.x), y: across(bent.y), z: across(bent.z) })
}

/// C and its derivatives by the points divided by L.
pub(super) fn equations<A: Surface, B: Surface>(
    pair: &Pair<A, B, f64>,
    points: [Vec3<f64>; 2],
    tangents: Tangents,
    u: Vec3<f64>,
) -> ([f64; 6], Matrix6)
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    let (R1, R2) = (&pair.X_first.R, &pair.X_second.R);
    let (n1, f1, F1, N1) = turning(&pair.first, R1, points[0]);
    let (n2, f2, F2, N2) = turning(&pair.second, R2, points[1]);
    let Frame { t, b, dt_dn, db_dn } = Frame::new(n2, tangents, u);
    let d = -pair.between(points);
    let (L, per_size, per_span) = (pair.size, 1.0 / pair.size, 1.0 / pair.span);
    let C = [n1.dot(t), n1.dot(b), d.dot(t) * per_span, d.dot(b) * per_span, F1 * per_size, F2 * per_size];
    let (dt, db) = (dt_dn * N2, db_dn * N2);
    let near = L * per_span;
    let row = |a: Vec3<f64>, b: Vec3<f64>| [a.x, a.y, a.z, b.x, b.y, b.z];
    let J = [
        row(N1.transpose_mul(t).scale(L), dt.transpose_mul(n1).scale(L)),
        row(N1.transpose_mul(b).scale(L), db.transpose_mul(n1).scale(L)),
        row(R1.transpose_mul(t).scale(-near), (R2.transpose_mul(t) + dt.transpose_mul(d)).scale(near)),
        row(R1.transpose_mul(b).scale(-near), (R2.transpose_mul(b) + db.transpose_mul(d)).scale(near)),
        row(f1, Vec3::ZERO),
        row(Vec3::ZERO, f2),
    ];
    (C, J)
}

fn length(C: &[f64; 6]) -> f64 {
    C.iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// Damped Newton iteration from points on the surfaces.
pub(super) fn newton<A: Surface, B: Surface>(pair: &Pair<A, B, f64>, start: [Vec3<f64>; 2], tangents: Tangents) -> Attempt
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    let u = auxiliary(pair.normals(start)[1]);
    let mut points = start;
    let (mut C, mut J) = equations(pair, points, tangents, u);
    let mut size = length(&C);
    let mut steps = 0;
    let mut before = f64::INFINITY;
    while !(size < TOLERANCE) && steps < MOST_STEPS {
        if steps % PATIENCE == 0 {
            if size > 0.5 * before {
                break;
            }
            before = size;
        }
        steps += 1;
        let right = C.map(|c| -c);
        let try_step = |step: &[f64; 6], fraction: f64| {
            let moved = |k: usize| Vec3::from_array([step[k], step[k + 1], step[k + 2]]).scale(fraction * pair.size);
            let points = pair.onto_surfaces([points[0] + moved(0), points[1] + moved(3)]);
            let (C, J) = equations(pair, points, tangents, u);
            let size_there = length(&C);
            (size_there < (1.0 - 1e-4 * fraction) * size).then_some((points, C, J, size_there))
        };
        let mut found = None;
        if let Some(step) = Factored::new(J).map(|factored| factored.solve(&right)) {
            // A step longer than the body says nothing about the surface where it ends.
            let mut fraction = (1.0 / length(&step)).min(1.0);
            for _ in 0..=MOST_HALVINGS {
                found = try_step(&step, fraction);
                if found.is_some() {
                    break;
                }
                fraction *= 0.5;
            }
        }
        let mut mu = 1e-8;
        while found.is_none() && mu < 1e3 {
            found = damped_step(&J, &right, mu).and_then(|step| try_step(&step, 1.0));
            mu *= 100.0;
        }
        let Some(better) = found else { break };
        (points, C, J, size) = better;
    }
    Attempt { points, residual: size, steps }
}
