//! Equations at rest with full matrices, for small equations: (1) of `equilibrium`.
//! Not here: the search.
//! In: tangents at rest. Out: an `AtRest`.

use super::settled::Settled;
use super::{AtRest, EquilibriumFault, LONGEST};
use crate::integrate::Tangents;
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// A free direction with less than this part of the largest eigenvalue has no stiffness.
const NEUTRAL: f64 = 1e-9;
/// A force that the stiffest direction would answer with less than this displacement, m or rad, is none.
const NO_FORCE: f64 = 1e-9;
/// A row whose part at right angles to the rows before is smaller than this part of it depends on them.
const DEPENDENT: f64 = 1e-9;

/// The equations at one place, in coordinates that make the mass matrix one, and the steps from there.
pub struct DenseAtRest {
    local: Local,
    settled: Settled,
    /// R, once the states have come to rest, without what holds fixed degrees of freedom.
    force: Vec<f64>,
    rows: Vec<(usize, f64)>,
    /// Both parts of the step in the coordinates of `local`, and in those of the equations.
    normal: DVector<f64>,
    tangential: DVector<f64>,
    closing: DVector<f64>,
    downhill: DVector<f64>,
}

impl DenseAtRest {
    /// What tangents at rest say; `held` are the rows that take part, `fixed` the degrees of freedom that stay as they are, whatever force that takes. Of the
    /// states `z`, as many as the first number says come to rest; the others stay.
    pub fn new(
        tangents: &Tangents,
        held: impl Fn(usize) -> bool,
        fixed: &[usize],
        (settling, z): (usize, &[f64]),
    ) -> Result<Self, EquilibriumFault> {
        let n = tangents.force.len() - z.len();
        if let Some(state) = (0..settling).find(|k| !tangents.force[n + k].is_finite()) {
            return Err(EquilibriumFault::StateNotFinite { state });
        }
        if let Some(dof) = tangents.force[..n].iter().position(|x| !x.is_finite()) {
            return Err(EquilibriumFault::NotFinite { dof });
        }
        let rows: Vec<(usize, f64)> = tangents.position.iter().copied().enumerate().filter(|(row, _)| held(*row)).collect();
        if let Some(&(row, left)) = rows.iter().find(|(_, left)| !left.is_finite()) {
            return Err(EquilibriumFault::RowOpen { row, left });
        }
        let settled = Settled::new(tangents, n, settling, &z[..settling]);
        let local = Local::new(tangents, n, (&rows, fixed), &settled);
        let normal = local.normal();
        let tangential = local.tangential(&normal);
        let [closing, downhill] = [&normal, &tangential].map(|x| &local.back * x);
        let mut force = settled.force(&tangents.force[..n]).as_slice().to_vec();
        fixed.iter().for_each(|dof| force[*dof] = 0.0);
        Ok(DenseAtRest { force, rows, local, settled, normal, tangential, closing, downhill })
    }
}

impl AtRest for DenseAtRest {
    fn force(&self) -> &[f64] {
        &self.force
    }

    fn open_rows(&self) -> &[(usize, f64)] {
        &self.rows
    }

    fn closing_step(&self) -> &[f64] {
        self.closing.as_slice()
    }

    fn downhill_step(&self) -> &[f64] {
        self.downhill.as_slice()
    }

    fn multipliers(&self, closing: f64, downhill: f64) -> Vec<f64> {
        let x = self.normal.scale(closing) + self.tangential.scale(downhill);
        let more = least_squares(self.local.effect.transpose(), &(&self.local.force + &self.local.stiffness * x));
        more.as_slice()[..self.rows.len()].to_vec()
    }

    fn states(&self, closing: f64, downhill: f64) -> Vec<f64> {
        self.settled.change(&(self.closing.scale(closing) + self.downhill.scale(downhill)))
    }

    fn moving(&self) -> Option<(usize, f64)> {
        self.settled.moving
    }

    fn unbalanced(&self) -> Vec<f64> {
        // Back in the units of the coordinates: Lᵀ has the inverse of L⁻ᵀ.
        let local = &self.local;
        let free = &local.Z * (local.Z.transpose() * &local.force);
        let L = local.back.transpose().try_inverse().unwrap_or_else(|| DMatrix::identity(free.len(), free.len()));
        (L * free).as_slice().to_vec()
    }

    fn free(&self) -> usize {
        self.local.Z.ncols()
    }

    fn lowest(&self) -> Option<f64> {
        if self.free() == 0 {
            return None;
        }
        let H = self.local.free_stiffness();
        let values = (&H + H.transpose()).scale(0.5).symmetric_eigenvalues();
        Some(values.min()).map(|low| if low.abs() <= NEUTRAL * values.amax() { 0.0 } else { low })
    }
}

/// The equations in coordinates that make the mass matrix one.
struct Local {
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
    /// A fixed degree of freedom is one more row, behind the others, that is met and acts on it alone.
    fn new(tangents: &Tangents, n: usize, (rows, fixed): (&[(usize, f64)], &[usize]), settled: &Settled) -> Self {
        let (all, m) = (tangents.force.len(), rows.len());
        let unit = |k: usize, i: usize| if fixed[k] == i { 1.0 } else { 0.0 };
        let flat = |x: &[f64]| DMatrix::from_fn(m + fixed.len(), n, |r, i| if r < m { x[rows[r].0 * n + i] } else { unit(r - m, i) });
        // Where masses are missing any measure of length will do.
        let mass = DMatrix::from_fn(n, n, |i, j| tangents.by_a[i * all + j]);
        let L = mass.cholesky().map_or_else(|| DMatrix::identity(n, n), |factor| factor.l());
        let inverse = L.solve_lower_triangular(&DMatrix::identity(n, n)).unwrap_or_else(|| DMatrix::identity(n, n));
        let back = inverse.transpose();
        let G = flat(&tangents.G) * &back;
        let (Y, Z) = bases(&G);
        Local {
            force: &inverse * settled.force(&tangents.force[..n]),
            stiffness: inverse * settled.stiffness(DMatrix::from_row_slice(n, n, &tangents.by_q[..n * n])) * &back,
            effect: flat(&tangents.effect) * &back,
            position: DVector::from_fn(m + fixed.len(), |r, _| rows.get(r).map_or(0.0, |row| row.1)),
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
