//! How an iteration converges: open forces one after the other, and the exponent with which they fall.
//! Not here: the iteration.
//! In: what was noted of each iteration. Out: exponents.

/// What is noted of an iteration of Newton's method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Largest force that is open, N or N m.
    pub open: f64,
    /// How much of it may be rounding.
    pub rounding: f64,
    /// Contacts that closed or opened since the iteration before.
    pub changed: usize,
    /// Whether the tangent was made anew.
    pub renewed: bool,
}

/// How a step was found: in time, or of loads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Converged {
    /// Time at its end, s; or part of the loads that acts.
    pub at: f64,
    /// Attempts, of which the last was good; each of the others was cut in two.
    pub attempts: usize,
    /// Iterations of the last attempt.
    pub iterations: Vec<Iteration>,
}

impl Converged {
    /// Tangents made and factored in the last attempt.
    pub fn factorisations(&self) -> usize {
        self.iterations.iter().filter(|one| one.renewed).count()
    }
}

/// The exponents p of |r_k+1| ~ |r_k|^p: one for each three iterations in a row that come after the last change of a contact, of which the last is
/// above rounding. Newton's method has 2 near the solution; a tangent that is kept, or one that lacks a term, has 1.
pub fn exponents(history: &[Iteration]) -> Vec<f64> {
    let settled = history.iter().rposition(|iteration| iteration.changed > 0).unwrap_or(0);
    let open = |three: &[Iteration]| three.iter().map(|one| one.open.ln()).collect::<Vec<_>>();
    let falls = |three: &&[Iteration]| three[1].open < three[0].open && three[2].open < three[1].open && three[2].open > three[2].rounding;
    history[settled..].windows(3).filter(falls).map(open).map(|r| (r[2] - r[1]) / (r[1] - r[0])).collect()
}
