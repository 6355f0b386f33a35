//! What was verified about a contact before it was handed out.
//! Not here: how the contact was found.
//! In: points found on two surfaces. Out: a certificate, or why there is none.

use super::directional_gap::Scan;
use super::pair::{Pair, seat};
use super::tangent::householder;
use crate::shape::{Pose, Surface};
use borelli_math::{Constant, Vec3};

/// How a contact was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// A formula.
    ClosedForm,
    /// Newton's method on the six equations of the common normal.
    Newton(Start),
    /// Ascent of the directional gap, polished by Newton's method where that converges.
    Fallback,
}

/// Where Newton's method started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// At a former contact.
    Former,
    /// At the support points along the line of centres.
    Centres,
    /// At the support points along the normal of a face of the polytope that encloses the least overlap.
    Face,
    /// At the support points along the best direction of a scan: a coarse set, and a few steps of ascent from the best of it.
    Scan,
}

/// Against which other directions the gap was verified to be the largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scope {
    /// Against all: a formula, or a gap above zero, where the plane across the normal separates the bodies and the points attain the bound.
    All,
    /// Overlapping bodies: against all directions, by a polytope of support points that no direction of less overlap can miss. It leaves
    /// out only the directions within [`CAP`] of the normal, or of another optimum that overlaps no less; their overlap is proven to be no
    /// less than by a factor cos `CAP` (one part in two thousand), and some of them were compared.
    Enclosed,
    /// Overlapping bodies: against directions nearby, a coarse set over the whole sphere, and short ascents from the best of that.
    Scanned,
    /// Overlapping bodies followed over a little way from a contact that was compared with all: against directions nearby. That they do overlap is proven.
    Nearby,
}

/// What was verified. Numbers are without dimension: angles, or lengths in sizes of the smaller body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// How the contact was found.
    pub method: Method,
    /// Against which directions it was compared.
    pub scope: Scope,
    /// Directions whose gaps were computed for the comparison; zero where the points alone prove it.
    pub directions: u32,
    /// 1 + n₁·n₂: zero for exactly opposed normals.
    pub opposition: f64,
    /// Residual of the six equations.
    pub residual: f64,
    /// Part of the line between the points that is not along the normal.
    pub misalignment: f64,
    /// Largest excess of a support function over the point found: how far either body reaches beyond its tangent plane.
    pub support_excess: f64,
    /// A point was found in both bodies, or a polytope about the origin in their differences, which proves that they overlap; never so for
    /// a gap above zero.
    pub overlap_proven: bool,
    /// Steps of all iterations together.
    pub iterations: u32,
}

impl Certificate {
    /// True when neither the scan of a coarse set of directions nor the ascent of the gap was needed: by formula, or by Newton's method
    /// from a former contact, the line of centres or a face of the enclosing polytope.
    pub fn without_fallback(&self) -> bool {
        !matches!(self.method, Method::Fallback | Method::Newton(Start::Scan))
    }

    /// Of a formula.
    pub(super) const CLOSED_FORM: Certificate = Certificate {
        method: Method::ClosedForm,
        scope: Scope::All,
        directions: 0,
        opposition: 0.0,
        residual: 0.0,
        misalignment: 0.0,
        support_excess: 0.0,
        overlap_proven: false,
        iterations: 0,
    };
}

/// Verified points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verified {
    pub points: [Vec3<f64>; 2],
    /// Out of the second body.
    pub normal: Vec3<f64>,
    pub gap: f64,
    pub certificate: Certificate,
    /// Pose of the first body in the axes of the second where this contact, or the one that it was followed from, was compared with all others.
    pub seat: Pose<f64>,
}

/// What else is known of a pair whose points are verified.
#[derive(Clone, Copy)]
pub(super) enum Known<'a> {
    /// Nothing: that bodies overlap must show in the points.
    Nothing,
    /// The caller will prove the least overlap with a polytope.
    Enclosing,
    /// Gaps along many directions.
    Scan(&'a Scan),
}

/// Why points are not a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Refusal {
    /// Normals do not oppose, a body reaches beyond its tangent plane, or nothing shows that the bodies overlap.
    NoContact,
    /// Another direction has a larger gap.
    Rival(Vec3<f64>),
}

/// Largest 1 + n₁·n₂ accepted.
const MOST_OPPOSITION: f64 = 1e-6;
/// Largest excess of a support function accepted, in sizes.
pub(super) const MOST_EXCESS: f64 = 1e-9;
/// Round-off of a gap per distance of centres, which outgrows the excess where bodies are far apart: some sums of products.
const ROUND_OFF: f64 = 16.0 * f64::EPSILON;
/// Angle about a normal in which a polytope of few points cannot tell overlaps apart, rad.
pub const CAP: f64 = 0.03;
/// Angles at which neighbouring directions are compared, rad.
const NEARBY: [f64; 2] = [1e-3, 3e-2];

/// Verifies points on the two surfaces. Where bodies overlap, also against a scan of all directions if there is one.
pub(super) fn verify<A: Surface, B: Surface>(
    pair: &Pair<A, B, f64>,
    points: [Vec3<f64>; 2],
    residual: f64,
    method: Method,
    iterations: u32,
    known: Known,
) -> Result<Verified, Refusal>
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    let [n1, n2] = pair.normals(points);
    let opposition = 1.0 + n1.dot(n2);
    if !(opposition < MOST_OPPOSITION) {
        return Err(Refusal::NoContact);
    }
    let between = pair.between(points);
    let gap = n2.dot(between);
    let misalignment = (between - n2.scale(gap)).norm() / pair.size;
    // g(n) <= n·(P₁ − P₂) for any points of the bodies, with equality for support points.
    let support_excess = (gap - pair.gap(n2).value) / pair.size;
    if !(support_excess.abs() < MOST_EXCESS + ROUND_OFF * pair.centres().norm() / pair.size) {
        return Err(Refusal::NoContact);
    }
    let (mut scope, mut directions, mut overlap_proven) = (Scope::All, 0, false);
    if !(pair.without_skin(gap) > 0.0) {
        overlap_proven = pair.share_a_point(points);
        // The gap has optima below zero that are not the largest, even while the bodies are apart.
        if matches!(known, Known::Nothing) && !overlap_proven {
            return Err(Refusal::NoContact);
        }
        let enough = gap + MOST_EXCESS * pair.size;
        let (t, b) = householder(n2);
        for angle in NEARBY {
            for across in [t, -t, b, -b] {
                let m = n2 + across.scale(angle);
                let m = m.scale(1.0 / m.norm());
                if pair.gap(m).value > enough {
                    return Err(Refusal::Rival(m));
                }
            }
        }
        (scope, directions) = (Scope::Nearby, 4 * NEARBY.len() as u32);
        if let Known::Scan(scan) = known {
            if scan.best > enough {
                return Err(Refusal::Rival(scan.peak));
            }
            (scope, directions) = (Scope::Scanned, directions + scan.evaluated);
        }
    }
    let certificate =
        Certificate { method, scope, directions, opposition, residual, misalignment, support_excess, overlap_proven, iterations };
    Ok(Verified { points, normal: n2, gap, certificate, seat: seat(&pair.X_first, &pair.X_second) })
}
