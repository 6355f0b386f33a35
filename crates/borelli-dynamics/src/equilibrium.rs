//! Statics: coordinates at which all forces balance and all rows are met, with the multipliers there, and whether the balance is stable.
//! Not here: forces and rows (a `Residual` gives them), motion.
//! In: open equations of motion, a time, an approximate start. Out: an `Equilibrium`, or what stays unbalanced.
//!
//! R(q, 0, 0, λ) = 0 and Φ(q, t) = 0 by Newton's method. With M = L Lᵀ, coordinates x = Lᵀ Δ, the rows G' = G L⁻ᵀ and a basis Z of what they leave free,
//!
//!     x = x_n + Z p        G' x_n = −Φ        H p = −Zᵀ L⁻¹ (R + K Δ_n)        H = Zᵀ L⁻¹ K L⁻ᵀ Z                       (1)
//!
//! the eigenvalues of H are squares of the small oscillations' frequencies. Where one is negative its absolute value takes its place, so that the way leads downhill, to
//! a stable equilibrium, and not to the nearest one of any sort (only a start that is an unstable equilibrium already is left as it is). A step moves no
//! coordinate by more than 0.5 and is halved while it overshoots along its own direction; the last steps are whole ones, so that the end is quadratic.
//! Source: Nocedal, Wright 2006, Numerical Optimization, sections 15.6 and 3.4; Dauphin et al. 2014, arXiv:1406.2572, for absolute eigenvalues. Limits: dense matrices; lengths and angles weigh
//! alike (1 m as 1 rad); masses enter as the measure of length only, and the result does not depend on them.

use crate::formulation::Failure;
use crate::integrate::{Motion, Residual, Tangents};
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use std::fmt;

#[cfg(test)]
mod tests;

/// No coordinate moves further in one step, m or rad.
const LONGEST: f64 = 0.5;
/// A free direction with less than this part of the largest eigenvalue has no stiffness.
const NEUTRAL: f64 = 1e-9;
/// A force that the stiffest direction would answer with less than this displacement, m or rad, is none.
const NO_FORCE: f64 = 1e-9;
/// A row whose part at right angles to the rows before is smaller than this part of it depends on them.
const DEPENDENT: f64 = 1e-9;
/// Rows open by more than this part of the coordinates (at least 1) are not met.
const OPEN: f64 = 1e-9;
/// Most halvings of one step.
const HALVINGS: usize = 10;

/// What a user may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seek {
    /// The search ends when a whole step moves no coordinate by more than this part of the largest (at least 1).
    pub tolerance: f64,
    /// Most steps.
    pub max_iterations: usize,
}

impl Default for Seek {
    fn default() -> Self {
        Seek { tolerance: 1e-11, max_iterations: 500 }
    }
}

/// A state of balance.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Multipliers of all rows; zero for those that are released, the shortest list where rows are redundant.
    pub lambda: Vec<f64>,
    /// Largest force that is not balanced, N or N m.
    pub unbalanced: f64,
    /// Largest residual of a row, m or rad.
    pub open: f64,
    /// Steps made.
    pub iterations: usize,
    /// Directions that the rows leave free.
    pub free: usize,
    /// Square of the lowest frequency of small oscillations without damping, rad²/s²; negative where the balance is unstable, none without a free direction.
    pub lowest: Option<f64>,
}

impl Equilibrium {
    /// Whether every small displacement is pushed back. A neutral direction counts as not stable.
    pub fn stable(&self) -> bool {
        self.lowest.is_none_or(|lowest| lowest > 0.0)
    }
}

/// Why no balance was found.
#[derive(Clone, Debug, PartialEq)]
pub enum EquilibriumFault {
    /// The equations cannot be evaluated at the start.
    Refused(Failure),
    /// A force is not finite at the start.
    NotFinite {
        /// Degree of freedom.
        dof: usize,
    },
    /// A row cannot be met.
    RowOpen {
        /// Row.
        row: usize,
        /// What is left of it, m or rad.
        left: f64,
    },
    /// A force stays unbalanced: there may be no equilibrium downhill of the start.
    Unbalanced {
        /// Degree of freedom with the largest force that rows do not take.
        dof: usize,
        /// That force, N or N m.
        force: f64,
        /// Steps made.
        iterations: usize,
    },
}

impl EquilibriumFault {
    /// What may help.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            EquilibriumFault::Refused(_) => None,
            EquilibriumFault::NotFinite { .. } => Some("check the element that acts on this degree of freedom at the start"),
            EquilibriumFault::RowOpen { .. } => Some("assemble the model first; rows may contradict each other"),
            EquilibriumFault::Unbalanced { .. } => Some("give the direction a spring or a guide, or start nearer to the balance"),
        }
    }
}

impl fmt::Display for EquilibriumFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquilibriumFault::Refused(failure) => failure.fmt(f)?,
            EquilibriumFault::NotFinite { dof } => write!(f, "the force on degree of freedom {dof} is not finite")?,
            EquilibriumFault::RowOpen { row, left } => write!(f, "row {row} of the constraints stays open by {left:e}")?,
            EquilibriumFault::Unbalanced { dof, force, iterations } => {
                write!(f, "after {iterations} steps {force:e} N or N m on degree of freedom {dof} is not balanced")?;
            }
        }
        self.hint().map_or(Ok(()), |hint| write!(f, "\n  hint: {hint}"))
    }
}

impl std::error::Error for EquilibriumFault {}

/// The equations at one place, in coordinates that make the mass matrix one.
struct Local {
    /// Rows that take part.
    rows: Vec<usize>,
    /// L⁻ᵀ.
    back: DMatrix<f64>,
    /// L⁻¹ R.
    force: DVector<f64>,
    /// L⁻¹ K L⁻ᵀ.
    stiffness: DMatrix<f64>,
    /// G' and what unit multipliers do, in the same coordinates.
    G: DMatrix<f64>,
    effect: DMatrix<f64>,
    position: DVector<f64>,
    /// Bases of what the rows determine and of what they leave free.
    Y: DMatrix<f64>,
    Z: DMatrix<f64>,
}

impl Local {
    fn new(tangents: &Tangents, held: &[usize]) -> Self {
        let n = tangents.force.len();
        let square = |x: &[f64]| DMatrix::from_row_slice(n, n, x);
        let flat = |x: &[f64]| DMatrix::from_fn(held.len(), n, |r, i| x[held[r] * n + i]);
        // Where masses are missing any measure of length will do.
        let L = square(&tangents.by_a).cholesky().map_or_else(|| DMatrix::identity(n, n), |factor| factor.l());
        let inverse = L.solve_lower_triangular(&DMatrix::identity(n, n)).unwrap_or_else(|| DMatrix::identity(n, n));
        let back = inverse.transpose();
        let G = flat(&tangents.G) * &back;
        let (Y, Z) = bases(&G);
        Local {
            rows: held.to_vec(),
            force: &inverse * DVector::from_column_slice(&tangents.force),
            stiffness: inverse * square(&tangents.by_q) * &back,
            effect: flat(&tangents.effect) * &back,
            position: DVector::from_fn(held.len(), |r, _| tangents.position[held[r]]),
            back,
            G,
            Y,
            Z,
        }
    }

    /// H of (1).
    fn free_stiffness(&self) -> DMatrix<f64> {
        self.Z.transpose() * &self.stiffness * &self.Z
    }

    /// The part of the step that closes the rows.
    fn normal(&self) -> DVector<f64> {
        &self.Y * least_squares(&self.G * &self.Y, &-&self.position)
    }

    /// The part of the step along the free directions; whole where all of them are stiff.
    fn tangential(&self, normal: &DVector<f64>) -> DVector<f64> {
        let mut x = DVector::zeros(self.force.len());
        if self.Z.ncols() == 0 {
            return x;
        }
        let H = self.free_stiffness();
        let r = self.Z.transpose() * (&self.force + &self.stiffness * normal);
        let eigen = SymmetricEigen::new((&H + H.transpose()).scale(0.5));
        let largest = eigen.eigenvalues.amax();
        if eigen.eigenvalues.iter().all(|w| *w > NEUTRAL * largest)
            && let Some(p) = H.lu().solve(&-&r)
        {
            return &self.Z * p;
        }
        for (w, u) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            let direction = &self.Z * u;
            let along = u.dot(&r);
            if w.abs() > NEUTRAL * largest {
                x.axpy(-along / w.abs(), &direction, 1.0);
            } else {
                let reach = (&self.back * &direction).amax();
                // As far as a step goes, unless the force is rounding.
                if reach * along.abs() > NO_FORCE * largest {
                    x.axpy(-along.signum() * LONGEST / reach, &direction, 1.0);
                }
            }
        }
        x
    }

    /// Changes of the multipliers that balance the forces after a step.
    fn multipliers(&self, x: &DVector<f64>) -> DVector<f64> {
        least_squares(self.effect.transpose(), &(&self.force + &self.stiffness * x))
    }

    /// Lowest eigenvalue of H; one that is rounding beside the largest is zero.
    fn lowest(&self) -> Option<f64> {
        if self.Z.ncols() == 0 {
            return None;
        }
        let H = self.free_stiffness();
        let values = (&H + H.transpose()).scale(0.5).symmetric_eigenvalues();
        Some(values.min()).map(|low| if low.abs() <= NEUTRAL * values.amax() { 0.0 } else { low })
    }
}

/// The shortest x with the least |A x − b|.
fn least_squares(A: DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let columns = A.ncols();
    if A.is_empty() {
        return DVector::zeros(columns);
    }
    let svd = A.svd(true, true);
    let zero = DEPENDENT * svd.singular_values.max();
    svd.solve(b, zero).unwrap_or_else(|_| DVector::zeros(columns))
}

/// Orthonormal bases of the span of the rows and of the rest, by Gram and Schmidt, twice.
fn bases(G: &DMatrix<f64>) -> (DMatrix<f64>, DMatrix<f64>) {
    let n = G.ncols();
    let mut basis: Vec<DVector<f64>> = Vec::with_capacity(n);
    let clear = |basis: &[DVector<f64>], mut row: DVector<f64>| {
        for _ in 0..2 {
            for b in basis {
                let along = b.dot(&row);
                row.axpy(-along, b, 1.0);
            }
        }
        row
    };
    for row in G.row_iter() {
        let whole = row.norm();
        let rest = clear(&basis, row.transpose());
        if rest.norm() > DEPENDENT * whole {
            basis.push(rest.normalize());
        }
    }
    let rank = basis.len();
    while basis.len() < n {
        let candidates = (0..n).map(|k| clear(&basis, DVector::from_fn(n, |i, _| if i == k { 1.0 } else { 0.0 })));
        let best = candidates.max_by(|a, b| a.norm().total_cmp(&b.norm()));
        basis.extend(best.map(|rest| rest.normalize()));
    }
    let part = |from: usize, to: usize| DMatrix::from_fn(n, to - from, |i, k| basis[from + k][i]);
    (part(0, rank), part(rank, n))
}

/// Finds a stable equilibrium at time `t`, downhill of `start`.
pub fn equilibrium(equation: &mut dyn Residual, t: f64, start: &[f64], seek: &Seek) -> Result<Equilibrium, EquilibriumFault> {
    let (n, m) = (equation.dofs(), equation.rows());
    if start.len() != equation.coords() {
        let wrong = Failure::WrongLength { what: "q", expected: equation.coords(), found: start.len() };
        return Err(EquilibriumFault::Refused(wrong));
    }
    let still = vec![0.0; n];
    let (mut q, mut lambda, mut tangents) = (start.to_vec(), vec![0.0; m], Tangents::new(n, m));
    let held: Vec<usize> = (0..m).filter(|r| !equation.released(*r)).collect();
    let size = |q: &[f64]| q.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    let mut iterations = 0;
    loop {
        let at = Motion { q: &q, v: &still, a: &still };
        equation.linearise(t, at, &lambda, &mut tangents).map_err(EquilibriumFault::Refused)?;
        if let Some(dof) = tangents.force.iter().position(|x| !x.is_finite()) {
            return Err(EquilibriumFault::NotFinite { dof });
        }
        if let Some(row) = held.iter().copied().find(|r| !tangents.position[*r].is_finite()) {
            return Err(EquilibriumFault::RowOpen { row, left: tangents.position[row] });
        }
        let local = Local::new(&tangents, &held);
        let normal = local.normal();
        let tangential = local.tangential(&normal);
        let [close, slide] = [&normal, &tangential].map(|x| &local.back * x);
        let limit = |d: &DVector<f64>| (LONGEST / d.amax()).min(1.0);
        let (closing, mut sliding) = (limit(&close), limit(&slide));
        let change = (&close + &slide).amax();
        let done = change <= seek.tolerance * size(&q);
        if !done && iterations >= seek.max_iterations {
            return Err(blame(&local, iterations));
        }
        // Multipliers first: they bend the forces that the trial sees.
        let more = local.multipliers(&(normal.scale(closing) + tangential.scale(sliding)));
        local.rows.iter().zip(more.iter()).for_each(|(row, x)| lambda[*row] += x);
        let before = slide.dot(&DVector::from_column_slice(&tangents.force)).abs();
        let (mut force, mut position, mut trial) = (vec![0.0; n], vec![0.0; m], q.clone());
        for _ in 0..HALVINGS {
            let step = close.scale(closing) + slide.scale(sliding);
            trial.copy_from_slice(&q);
            equation.retract(&mut trial, step.as_slice());
            let at = Motion { q: &trial, v: &still, a: &still };
            let fine = equation.residual(t, at, &lambda, &mut force, &mut position).is_ok() && force.iter().all(|x| x.is_finite());
            // The force along the step turns against it: too far, unless it is smaller than before.
            if done || fine && slide.dot(&DVector::from_column_slice(&force)) <= 0.5 * before.max(f64::MIN_POSITIVE) {
                break;
            }
            sliding *= 0.5;
        }
        q.copy_from_slice(&trial);
        if done {
            return finish(equation, t, (q, lambda), &held, iterations, &mut tangents);
        }
        iterations += 1;
    }
}

/// The report at the place reached.
fn finish(
    equation: &mut dyn Residual,
    t: f64,
    (q, lambda): (Vec<f64>, Vec<f64>),
    held: &[usize],
    iterations: usize,
    tangents: &mut Tangents,
) -> Result<Equilibrium, EquilibriumFault> {
    let still = vec![0.0; tangents.force.len()];
    equation.linearise(t, Motion { q: &q, v: &still, a: &still }, &lambda, tangents).map_err(EquilibriumFault::Refused)?;
    let local = Local::new(tangents, held);
    let size = q.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    let open = local.position.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if open > OPEN * size {
        return Err(blame(&local, iterations));
    }
    let unbalanced = tangents.force.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    Ok(Equilibrium { unbalanced, open, iterations, free: local.Z.ncols(), lowest: local.lowest(), q, lambda })
}

/// What is worst at the place where the search ended.
fn blame(local: &Local, iterations: usize) -> EquilibriumFault {
    if !local.position.is_empty() && local.position.amax() > OPEN {
        let worst = local.position.iamax();
        return EquilibriumFault::RowOpen { row: local.rows[worst], left: local.position[worst] };
    }
    // Forces that rows do not take, back in the units of the coordinates: Lᵀ has the inverse of L⁻ᵀ.
    let free = &local.Z * (local.Z.transpose() * &local.force);
    let L = local.back.transpose().try_inverse().unwrap_or_else(|| DMatrix::identity(free.len(), free.len()));
    let force = L * free;
    let dof = force.iamax();
    EquilibriumFault::Unbalanced { dof, force: force[dof], iterations }
}
