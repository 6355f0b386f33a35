//! Detection: where two shapes touch or are nearest, verified before it is handed out.
//! Not here: shapes (`crate::shape`), forces.
//! In: two shapes in their poses, perhaps what was found the last time. Out: contact, certificate, memory for the next time; or a fault.
#![allow(clippy::result_large_err)] // a fault carries both shapes; a box would allocate, and a detection is no smaller

mod broad;
mod certificate;
mod closed_form;
mod common_normal;
mod contact;
mod directional_gap;
mod enclosure;
mod fault;
mod lift;
mod linear;
mod pair;
mod point;
mod polytope;
mod solve;
mod tangent;

#[cfg(test)]
mod tests;

pub use broad::{between_boxes, between_spheres, further_than};
pub use certificate::{CAP, Certificate, Method, Scope, Start};
pub use closed_form::against_half_space;
pub use contact::{Contact, Sliding};
pub use fault::{Cause, Fault, ShapeState};
pub use tangent::Tangents;

use crate::shape::{Pose, Shape, ShapeFault, Surface};
use borelli_math::{Constant, Real, Vec3};
use pair::Pair;

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// Construction of tangents.
    pub tangents: Tangents,
}

/// What to remember of a contact for the next search of the same pair: it moves with the shapes. It saves time and changes no answer: an overlap that is followed from it is
/// held against a search without it wherever the shapes have moved on, see `solve`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// Points of contact, each in the axes of its shape.
    pub points: [Vec3<f64>; 2],
    /// The normal in the axes of the second shape.
    pub normal: Vec3<f64>,
    /// Pose of the first shape in the axes of the second where the contact was last compared with all others.
    pub seat: Pose<f64>,
}

impl Memory {
    /// The same with the shapes exchanged, given the poses in which it is asked for.
    fn swapped(&self, X_first: &Pose<f64>, X_second: &Pose<f64>) -> Memory {
        let [s1, s2] = self.points;
        let Pose { p, R } = self.seat;
        let seat = Pose { p: R.transpose_mul(-p), R: R.transpose() };
        Memory { points: [s2, s1], normal: X_first.R.transpose_mul(-(X_second.R * self.normal)), seat }
    }
}

/// A contact, what was verified about it, and what to remember.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection<S> {
    /// The contact.
    pub contact: Contact<S>,
    /// What was verified.
    pub certificate: Certificate,
    /// For the next search of this pair.
    pub memory: Memory,
}

/// Finds where two shapes touch or are nearest.
///
/// Formulas for anything against a half-space and for round pairs, points being round; otherwise the common normal of the two surfaces, by
/// Newton's method from the former contact or the line of centres. Overlapping shapes have several; the one of least overlap is proven so
/// by a polytope of support points, whose faces are further starts ([`Scope::Enclosed`]). Only where that does not decide are a coarse set
/// of directions scanned and the gap ascended: the fallback ([`Certificate::without_fallback`]). The normal leads out of the second shape
/// into the first. Allocates nothing.
pub fn detect<N: Constant<S>, S: Real>(
    first: &Shape<N>,
    X_first: &Pose<S>,
    second: &Shape<N>,
    X_second: &Pose<S>,
    settings: &Settings,
    memory: Option<&Memory>,
) -> Result<Detection<S>, Fault> {
    if let (Shape::Smooth(one), Shape::Smooth(other)) = (first, second)
        && (one.radius().is_none() || other.radius().is_none())
        && one.kind().planar == other.kind().planar
    {
        return detect_surfaces(one, X_first, other, X_second, settings, memory);
    }
    let state = |shape: &Shape<N>, pose: &Pose<S>| ShapeState { kind: shape.kind(), parameters: shape.parameters(), pose: pose.values() };
    let fault = |cause| Fault { cause, shapes: [state(first, X_first), state(second, X_second)] };
    check([first.check(), second.check()], [X_first.is_proper(), X_second.is_proper()]).map_err(fault)?;
    let (one, other) = (first.kind(), second.kind());
    if !(one.planar && other.planar || one.spatial && other.spatial) {
        return Err(fault(Cause::UnsupportedPair));
    }
    let formula = |contact| remember(contact, X_first, X_second, Certificate::CLOSED_FORM);
    match (first, second) {
        (_, Shape::HalfSpace(half_space)) => {
            let contact = against_half_space(first, X_first, half_space, X_second);
            contact.map(formula).ok_or_else(|| fault(Cause::UnsupportedPair))
        }
        (Shape::HalfSpace(half_space), _) => {
            let contact = against_half_space(second, X_second, half_space, X_first);
            contact.map(|contact| formula(contact.swapped())).ok_or_else(|| fault(Cause::UnsupportedPair))
        }
        (Shape::Point(_), Shape::Smooth(smooth)) if smooth.radius().is_none() => {
            point::against_surface(X_first, smooth, X_second, settings, memory).map_err(|unsolved| fault(unsolved.into()))
        }
        (Shape::Smooth(smooth), Shape::Point(_)) if smooth.radius().is_none() => {
            let exchanged = memory.map(|memory| memory.swapped(&X_first.values(), &X_second.values()));
            let found = point::against_surface(X_second, smooth, X_first, settings, exchanged.as_ref());
            let Detection { contact, certificate, memory } = found.map_err(|unsolved| fault(unsolved.into()))?;
            let memory = memory.swapped(&X_second.values(), &X_first.values());
            Ok(Detection { contact: contact.swapped(), certificate, memory })
        }
        _ => {
            let (Some(r1), Some(r2)) = (radius(first), radius(second)) else { return Err(fault(Cause::UnsupportedPair)) };
            let former = memory.map(|memory| X_second.R * Vec3::lift(memory.normal));
            let contact = closed_form::between_round(X_first.p, r1, X_second.p, r2, former);
            contact.map(formula).ok_or_else(|| fault(Cause::CoincidentCentres))
        }
    }
}

/// Finds where two smooth convex surfaces touch or are nearest, of the list or not, by their common normal.
pub fn detect_surfaces<A: Surface, B: Surface, S: Real>(
    first: &A,
    X_first: &Pose<S>,
    second: &B,
    X_second: &Pose<S>,
    settings: &Settings,
    memory: Option<&Memory>,
) -> Result<Detection<S>, Fault>
where
    A::Number: Constant<S>,
    B::Number: Constant<S>,
{
    let shapes = || {
        let one = ShapeState { kind: first.kind(), parameters: first.parameters(), pose: X_first.values() };
        let other = ShapeState { kind: second.kind(), parameters: second.parameters(), pose: X_second.values() };
        [one, other]
    };
    let fault = |cause| Fault { cause, shapes: shapes() };
    check([first.check(), second.check()], [X_first.is_proper(), X_second.is_proper()]).map_err(fault)?;
    let plain = Pair::new(first.plain(), &X_first.values(), second.plain(), &X_second.values());
    let verified = solve::solve(&plain, settings, memory).map_err(|unsolved| fault(unsolved.into()))?;
    let contact = lift::lift(&Pair::new(*first, X_first, *second, X_second), &plain, verified.points);
    let normal = plain.X_second.R.transpose_mul(contact.normal.values());
    Ok(Detection { contact, certificate: verified.certificate, memory: Memory { points: verified.points, normal, seat: verified.seat } })
}

/// The first thing wrong with shapes and poses.
fn check(shapes: [Result<(), ShapeFault>; 2], proper: [bool; 2]) -> Result<(), Cause> {
    for which in 0..2 {
        shapes[which].map_err(|fault| Cause::Shape(which, fault))?;
        if !proper[which] {
            return Err(Cause::Pose(which));
        }
    }
    Ok(())
}

/// Radius of a round shape, zero for a point.
fn radius<N: Constant<S>, S: Real>(shape: &Shape<N>) -> Option<S> {
    match shape {
        Shape::Point(_) => Some(S::ZERO),
        Shape::Smooth(smooth) => smooth.radius().map(|r| r.lift()),
        Shape::HalfSpace(_) => None,
    }
}

/// A contact found by formula, with its points and normal in the axes of the shapes.
fn remember<S: Real>(contact: Contact<S>, X_first: &Pose<S>, X_second: &Pose<S>, certificate: Certificate) -> Detection<S> {
    let local = |pose: Pose<f64>, point: Vec3<S>| pose.R.transpose_mul(point.values() - pose.p);
    let (X1, X2) = (X_first.values(), X_second.values());
    let points = [local(X1, contact.p_first), local(X2, contact.p_second)];
    let normal = X2.R.transpose_mul(contact.normal.values());
    Detection { contact, certificate, memory: Memory { points, normal, seat: pair::seat(&X1, &X2) } }
}
