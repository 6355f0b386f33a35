//! Derivatives of a contact found in plain numbers, by the implicit function theorem.
//! Not here: finding it.
//! In: the points, and the pair in a scalar with derivatives. Out: the contact in that scalar.

use super::common_normal::{equations, residual};
use super::contact::Contact;
use super::linear::{Factored, damped_step};
use super::pair::Pair;
use super::tangent::{Tangents, auxiliary};
use crate::shape::Surface;
use borelli_math::{Constant, Real, Vec3};
use std::any::TypeId;

/// Damping of the step where points on flat faces have no derivative: the smallest change that keeps the equations.
const DAMPING: f64 = 1e-12;

/// The contact at points found in plain numbers.
///
/// With C(s, x) = 0 for the points s and whatever else x depends on derivatives, one Newton step in scalars from the solution,
/// s − (∂C/∂s)⁻¹ C(s, x), has the derivatives of the solution. Only those are taken; the values stay.
pub(super) fn lift<A: Surface, B: Surface, S: Real>(
    pair: &Pair<A, B, S>,
    plain: &Pair<A::Plain, B::Plain, f64>,
    points: [Vec3<f64>; 2],
) -> Contact<S>
where
    A::Number: Constant<S>,
    B::Number: Constant<S>,
{
    let mut lifted = points.map(Vec3::lift);
    if TypeId::of::<S>() != TypeId::of::<f64>() {
        let C = residual(pair, lifted);
        let (_, J) = equations(plain, points, Tangents::Householder, auxiliary(plain.normals(points)[1]));
        let factored = Factored::new(J);
        let mut step = [S::ZERO; 6];
        for k in 0..6 {
            let mut unit = [0.0; 6];
            unit[k] = -pair.size;
            let column = match &factored {
                Some(factored) => factored.solve(&unit),
                None => damped_step(&J, &unit, DAMPING).unwrap_or([0.0; 6]),
            };
            let change = C[k] - C[k].value();
            (0..6).for_each(|i| step[i] += change * column[i]);
        }
        lifted[0] += Vec3::from_array([step[0], step[1], step[2]]);
        lifted[1] += Vec3::from_array([step[3], step[4], step[5]]);
    }
    let g = pair.second.gradient(lifted[1]);
    let normal = pair.X_second.R * g.scale(g.norm().recip());
    let gap = normal.dot(pair.between(lifted));
    Contact { gap, p_first: pair.X_first.place(lifted[0]), p_second: pair.X_second.place(lifted[1]), normal }
}
