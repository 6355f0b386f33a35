//! The least overlap of two overlapping bodies, proven by a polytope inside their body of differences.
//! Not here: the polytope (`polytope`), Newton's method, where else to look when this does not decide (`solve`).
//! In: a pair, perhaps a contact that may be the least overlap. Out: the contact that is, or nothing.

use super::certificate::{CAP, Known, MOST_EXCESS, Scope, Start, Verified};
use super::polytope::{FIRST, Polytope};
use super::solve::Search;
use crate::shape::Surface;
use borelli_math::{Constant, Vec3};

/// Part of its height by which a face may lie below the surface where Newton's method starts from it: at first, and when it is only to
/// find out whether there is another optimum as good as the best.
const ROUGH: f64 = 0.2;
const FINE: f64 = 1e-3;
/// Optima that may overlap equally little, as at both ends of an axis.
const MOST_OPTIMA: usize = 4;

impl<A: Surface, B: Surface> Search<'_, A, B>
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    /// The least overlap of overlapping bodies; or the distance of separated ones, if a face shows them to be. Starts from the best contact
    /// known, if any. Nothing if Newton's method fails or the polytope is full before it decides.
    ///
    /// With δ the depth of the best optimum, every face must be at least δ from the origin. About an optimum itself a polytope never gets
    /// there: faces at its point p = δ m have n·p = δ cos θ. Those within θ of [`CAP`] are let pass.
    pub(super) fn enclose(&mut self, known: Option<Verified>) -> Option<Verified> {
        let pair = self.pair;
        let R = &pair.X_second.R;
        let mut polytope = Polytope::new(FIRST.map(|m| -pair.gap(*R * Vec3::from_array(m)).between))?;
        let mut evaluated = FIRST.len() as u32;
        let (mut best, mut normals, mut optima) = (None, [Vec3::ZERO; MOST_OPTIMA], 0);
        let (mut found, mut limits) = (known, [ROUGH, FINE]);
        loop {
            if let Some(optimum) = found.take() {
                let better = best.is_none_or(|best: Verified| optimum.gap > best.gap);
                best = if better { Some(optimum) } else { best };
                if optima == MOST_OPTIMA {
                    return None;
                }
                normals[optima] = optimum.normal;
                optima += 1;
                if !polytope.add(-pair.between(optimum.points)) {
                    return None;
                }
            }
            let (enough, cap) = (best.map_or(f64::INFINITY, |best| -best.gap) - MOST_EXCESS * pair.size, CAP.cos());
            let passes = |n: Vec3<f64>| normals[..optima].iter().any(|m| m.dot(n) > cap);
            let open = polytope.nearest(|face| face.distance < enough && !(face.distance > enough * cap && passes(face.normal)));
            let Some(face) = open else {
                let mut proven = best?;
                let certificate = &mut proven.certificate;
                certificate.scope = Scope::Enclosed;
                // Of a point the polytope shows only that the ball about it overlaps; the point itself was looked at.
                certificate.overlap_proven |= pair.skin == 0.0 && enough > 0.0;
                (certificate.directions, certificate.iterations) = (certificate.directions + evaluated, self.iterations());
                return Some(proven);
            };
            let gap = pair.gap(face.normal);
            evaluated += 1;
            let height = -gap.value;
            let above = height - face.distance;
            let limit = &mut limits[(height >= enough) as usize];
            if above < height.abs() * *limit {
                match self.newton(gap.points, Start::Face, Known::Enclosing) {
                    Ok(verified) if verified.certificate.scope == Scope::All => return Some(verified),
                    Ok(verified) if -verified.gap < enough || !passes(verified.normal) => found = Some(verified),
                    _ => *limit *= 0.3, // it led nowhere new: wait until the face is closer
                }
            }
            // A face that touches the surface cannot be moved further out.
            if !(above > MOST_EXCESS * pair.size && polytope.add(-gap.between)) {
                return None;
            }
        }
    }
}
