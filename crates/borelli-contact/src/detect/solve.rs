//! The common normal of two smooth surfaces: starts, Newton's method, verification, and the ascent of the gap when all else fails.
//! Not here: the equations (`common_normal`), the ascent (`directional_gap`), what is verified (`certificate`).
//! In: two surfaces in their poses, perhaps a former contact. Out: verified points, or the best that was reached.

use super::certificate::{Known, Method, Refusal, Scope, Start, Verified, verify};
use super::common_normal::{Attempt, newton, residual};
use super::directional_gap::{MOST_STEPS, Scan, ascend};
use super::pair::Pair;
use super::{Cause, Memory, Settings};
use crate::shape::Surface;
use borelli_math::{Constant, Vec3};

/// Residuals that the fallback may leave where flat faces meet and points are not determined more sharply.
const FALLBACK_TOLERANCE: f64 = 1e-6;

/// What was reached without success.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsolved {
    pub gap: f64,
    pub residual: f64,
}

impl From<Unsolved> for Cause {
    fn from(Unsolved { gap, residual }: Unsolved) -> Cause {
        Cause::Unsolved { gap, residual }
    }
}

/// Part of the smaller body's thickness from which on an overlap is never followed without a search anew: deeper inside, bodies have optima on all sides.
const DEEP: f64 = 0.25;
/// How far bodies may move over each other before an overlap that is followed is held against a search anew, in sizes and rad. In between it is followed
/// as long as it is least nearby and the bodies do overlap, so that its normal does not jump.
const JUMP: f64 = 0.02;

/// The verified contact of two surfaces. An overlap that is followed from a former contact may not be the least one: far from where that was last
/// compared with all others, and deep inside, it is searched for anew, so that the answer is that of a search without memory, bit for bit.
pub(super) fn solve<A: Surface, B: Surface>(
    pair: &Pair<A, B, f64>,
    settings: &Settings,
    memory: Option<&Memory>,
) -> Result<Verified, Unsolved>
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    let Some(memory) = memory else { return solve_anew(pair, settings) };
    let mut search = Search::new(pair, settings);
    // A former contact is followed from its own points, then from the support points along its normal.
    for start in [pair.onto_surfaces(memory.points), pair.gap(pair.X_second.R * memory.normal).points] {
        if let Ok(followed) = search.newton(start, Start::Former, Known::Nothing) {
            let beyond_doubt = followed.certificate.scope == Scope::All;
            let deep = -pair.without_skin(followed.gap) > DEEP * pair.thickness;
            if beyond_doubt {
                return Ok(followed);
            }
            let followed = Verified { seat: memory.seat, ..followed };
            if deep || pair.moved_since(&memory.seat) > JUMP {
                return solve_anew(pair, settings).or(Ok(followed));
            }
            return Ok(followed);
        }
    }
    solve_anew(pair, settings)
}

/// The verified contact, whatever was found before.
fn solve_anew<A: Surface, B: Surface>(pair: &Pair<A, B, f64>, settings: &Settings) -> Result<Verified, Unsolved>
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    let mut search = Search::new(pair, settings);
    // Along the line of centres: right for most separated bodies, which need no more.
    let line = pair.centres();
    let mut by_line = None;
    if line.norm() > 0.0 {
        by_line = search.newton(pair.gap(line.scale(1.0 / line.norm())).points, Start::Centres, Known::Enclosing).ok();
    }
    if let Some(verified) = by_line
        && verified.certificate.scope == Scope::All
    {
        return Ok(verified);
    }
    if let Some(verified) = search.enclose(by_line) {
        return Ok(verified);
    }
    let mut scan = Scan::new(pair);
    let start = pair.gap(scan.peak).points;
    search.newton(start, Start::Scan, Known::Scan(&scan)).or_else(|_| search.fall_back(&mut scan))
}

/// A search under way.
pub(super) struct Search<'a, A, B> {
    pub(super) pair: &'a Pair<A, B, f64>,
    settings: &'a Settings,
    iterations: u32,
    least_residual: f64,
}

impl<'a, A: Surface, B: Surface> Search<'a, A, B>
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    pub(super) fn new(pair: &'a Pair<A, B, f64>, settings: &'a Settings) -> Self {
        Search { pair, settings, iterations: 0, least_residual: f64::INFINITY }
    }

    /// Steps so far.
    pub(super) fn iterations(&self) -> u32 {
        self.iterations
    }

    pub(super) fn newton(&mut self, start: [Vec3<f64>; 2], from: Start, known: Known) -> Result<Verified, Refusal> {
        self.judge(newton(self.pair, start, self.settings.tangents), from, known)
    }

    /// Counts and verifies what Newton's method reached.
    fn judge(&mut self, attempt: Attempt, from: Start, known: Known) -> Result<Verified, Refusal> {
        self.iterations += attempt.steps;
        self.least_residual = self.least_residual.min(attempt.residual);
        if !attempt.converged() {
            return Err(Refusal::NoContact);
        }
        verify(self.pair, attempt.points, attempt.residual, Method::Newton(from), self.iterations, known)
    }

    /// The largest gap by ascent to the top, polished by Newton's method.
    pub(super) fn fall_back(&mut self, scan: &mut Scan) -> Result<Verified, Unsolved> {
        let pair = self.pair;
        scan.climb(pair, MOST_STEPS);
        let (_, gap, steps) = ascend(pair, scan.peak, MOST_STEPS);
        let polished = newton(pair, gap.points, self.settings.tangents);
        self.iterations += steps + polished.steps;
        let size = |points| residual(pair, points).iter().map(|c| c * c).sum::<f64>().sqrt();
        let raw = Attempt { points: gap.points, residual: size(gap.points), steps: 0 };
        for attempt in [polished, raw] {
            self.least_residual = self.least_residual.min(attempt.residual);
            if attempt.residual < FALLBACK_TOLERANCE
                && let Ok(verified) = verify(pair, attempt.points, attempt.residual, Method::Fallback, self.iterations, Known::Scan(scan))
            {
                return Ok(verified);
            }
        }
        Err(Unsolved { gap: pair.without_skin(gap.value), residual: self.least_residual })
    }
}
