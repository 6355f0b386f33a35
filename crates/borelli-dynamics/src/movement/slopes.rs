//! Exact derivatives of the rates of a movement by its state and by time.
//! Not here: those of the accelerations (`formulation::articulated`).
//! In: a state. Out: the Jacobian of (N(q) v, v̇, powers), row by row, and the slopes by time.
//!
//! Powers of elements and rows are differentiated by duals at fixed forces of rows λ; those of rows have dλ from the accelerations' derivatives too,
//!
//!     d(λᵀ G v) = (G v)ᵀ dλ + λᵀ d(G v)                                                           (1)

use super::AUDITED;
use crate::constraint::RowControl;
use crate::formulation::Failure;
use crate::formulation::articulated::{Articulated, Jacobian};
use crate::power::PowerMeter;
use crate::retract::seed_tangent;
use crate::system::{Motion, System};
use borelli_math::{Dual, Quat};

/// Directions per dual pass.
const N: usize = 4;

/// Memory of derivatives.
pub(super) struct Slopes {
    jacobian: Jacobian,
    /// Made on first use: only movements with audit integrals need it.
    meter: Option<Meter>,
}

/// Memory for slopes of powers.
struct Meter {
    meter: PowerMeter<Dual<N>>,
    q: Vec<Dual<N>>,
    v: Vec<Dual<N>>,
    /// Slopes of the powers of elements and of rows, by q (tangent), v and t.
    slopes: [Vec<f64>; 2],
    /// The same of the power lost in each pair of surfaces.
    lost: Vec<f64>,
}

impl Slopes {
    pub(super) fn new(system: &System) -> Self {
        Slopes { jacobian: Jacobian::new(system), meter: None }
    }

    /// Fills the Jacobian (rows by entry of the state) and the slopes by time.
    pub(super) fn fill(
        &mut self,
        articulated: &mut Articulated,
        control: &RowControl,
        t: f64,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        audit: bool,
        jac: &mut [f64],
        dt: &mut [f64],
    ) -> Result<(), Failure> {
        let system = articulated.system();
        articulated.jacobian(t, q, v, tau, &mut self.jacobian)?;
        let (c, n, dim) = (q.len(), v.len(), dt.len());
        let table = &self.jacobian;
        jac.fill(0.0);
        dt.fill(0.0);
        dt[c..c + n].copy_from_slice(&table.by_t);
        fill_coordinate_rates(system, q, v, jac, dim);
        for i in 0..n {
            let row = &mut jac[(c + i) * dim..][..dim];
            fill_row(system, q, &table.by_q[i * n..][..n], &table.by_v[i * n..][..n], row);
        }
        if audit {
            let meter = self.meter.get_or_insert_with(|| Meter::new(system));
            meter.meter.set_control(control);
            meter.fill(system, t, q, v, articulated.row_force(), table);
            for (pair, lost) in meter.lost.chunks_exact(2 * n + 1).enumerate() {
                let at = c + n + AUDITED + pair;
                fill_row(system, q, &lost[..n], &lost[n..2 * n], &mut jac[at * dim..][..dim]);
                dt[at] = lost[2 * n];
            }
            let [elements, rows] = &meter.slopes;
            let zeros = &meter.slopes[0][..0];
            for (k, (by_q, by_v, by_t)) in
                [(&elements[..n], &elements[n..2 * n], elements[2 * n]), (zeros, tau, 0.0), (&rows[..n], &rows[n..2 * n], rows[2 * n])]
                    .into_iter()
                    .enumerate()
            {
                let at = c + n + k;
                fill_row(system, q, by_q, by_v, &mut jac[at * dim..][..dim]);
                dt[at] = by_t;
            }
        }
        Ok(())
    }
}

impl Meter {
    fn new(system: &System) -> Self {
        let zero = Dual { re: 0.0, eps: [0.0; N] };
        let n = system.skeleton.dofs();
        Meter {
            meter: PowerMeter::new(system),
            q: vec![zero; system.skeleton.coords()],
            v: vec![zero; n],
            slopes: [vec![0.0; 2 * n + 1], vec![0.0; 2 * n + 1]],
            lost: vec![0.0; (2 * n + 1) * system.names.pairs.len()],
        }
    }

    fn fill(&mut self, system: &System, t: f64, q: &[f64], v: &[f64], row_force: &[f64], table: &Jacobian) {
        let n = v.len();
        let variables = 2 * n + 1;
        for first in (0..variables).step_by(N) {
            let mut time = Dual { re: t, eps: [0.0; N] };
            for (list, values) in [(&mut self.q, q), (&mut self.v, v)] {
                for (x, value) in list.iter_mut().zip(values) {
                    *x = Dual { re: *value, eps: [0.0; N] };
                }
            }
            let count = N.min(variables - first);
            for k in 0..count {
                match first + k {
                    variable if variable < n => seed_tangent(&system.skeleton, &mut self.q, variable, k),
                    variable if variable < 2 * n => self.v[variable - n].eps[k] = 1.0,
                    _ => time.eps[k] = 1.0,
                }
            }
            let powers = self.meter.powers(system, time, &self.q, &self.v, row_force);
            for (slopes, power) in self.slopes.iter_mut().zip(powers) {
                slopes[first..first + count].copy_from_slice(&power.eps[..count]);
            }
            for (slopes, touching) in self.lost.chunks_exact_mut(variables).zip(self.meter.touching()) {
                slopes[first..first + count].copy_from_slice(&touching.dissipation.eps[..count]);
            }
        }
        // The second half of (1).
        for r in 0..row_force.len() {
            let rate = self.meter.rate_of_row(r, &self.v).re;
            let slopes = &mut self.slopes[1];
            for j in 0..n {
                slopes[j] += rate * table.row_force_by_q[r * n + j];
                slopes[n + j] += rate * table.row_force_by_v[r * n + j];
            }
            slopes[2 * n] += rate * table.row_force_by_t[r];
        }
    }
}

/// Slopes of q' = N(q) v.
fn fill_coordinate_rates(system: &System, q: &[f64], v: &[f64], jac: &mut [f64], dim: usize) {
    let c = q.len();
    for &motion in &system.skeleton.motions {
        match motion {
            Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. } => {
                jac[coord as usize * dim + c + dof as usize] = 1.0;
            }
            Motion::Ball { coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let p = Quat::from_slice(&q[coord..coord + 4]);
                let w = Quat { w: 0.0, x: v[dof], y: v[dof + 1], z: v[dof + 2] };
                for k in 0..4 {
                    let e = unit(k);
                    // ṗ = ½ p ⊗ ω by p, and by ω.
                    let by_p = e.product(w).to_array();
                    (0..4).for_each(|i| jac[(coord + i) * dim + coord + k] = 0.5 * by_p[i]);
                    if k > 0 {
                        let by_w = p.product(e).to_array();
                        (0..4).for_each(|i| jac[(coord + i) * dim + c + dof + k - 1] = 0.5 * by_w[i]);
                    }
                }
            }
            Motion::Fixed { .. } => {}
        }
    }
}

/// One row of the Jacobian from slopes along the tangent of q (or none) and by v.
fn fill_row(system: &System, q: &[f64], by_q: &[f64], by_v: &[f64], row: &mut [f64]) {
    row[q.len()..q.len() + by_v.len()].copy_from_slice(by_v);
    if by_q.is_empty() {
        return;
    }
    for &motion in &system.skeleton.motions {
        match motion {
            Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. } => {
                row[coord as usize] = by_q[dof as usize];
            }
            Motion::Ball { coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let p = Quat::from_slice(&q[coord..coord + 4]);
                let conjugate = Quat { w: p.w, x: -p.x, y: -p.y, z: -p.z };
                let square = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
                for k in 0..4 {
                    // δθ = 2 vec(p̄ e)/|p|².
                    let turn = conjugate.product(unit(k)).to_array();
                    row[coord + k] = (0..3).map(|j| by_q[dof + j] * 2.0 * turn[j + 1] / square).sum();
                }
            }
            Motion::Fixed { .. } => {}
        }
    }
}

/// Unit quaternion `k`.
fn unit(k: usize) -> Quat<f64> {
    let mut e = [0.0; 4];
    e[k] = 1.0;
    Quat::from_slice(&e)
}
