//! Exact derivatives of the rates of a movement by its state and by time.
//! Not here: those of the accelerations (`formulation::articulated`).
//! In: a state. Out: the Jacobian of (N(q) v, v̇, ż, powers), row by row, and the slopes by time.
//!
//! Powers of elements and rows are differentiated by duals at fixed forces of rows λ; those of rows have dλ from the accelerations' derivatives too,
//!
//!     d(λᵀ G v) = (G v)ᵀ dλ + λᵀ d(G v)                                                           (1)

use super::{AUDITED, Layout};
use crate::constraint::RowControl;
use crate::formulation::articulated::{Articulated, Jacobian};
use crate::formulation::{Failure, Input};
use crate::power::PowerMeter;
use crate::retract::seed_tangent;
use crate::scene::Inside;
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
    z: Vec<Dual<N>>,
    u: Vec<Dual<N>>,
    /// Slopes of the powers of elements and of rows, by q (tangent), v, t and z.
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
        system: &System,
        articulated: &mut Articulated,
        control: &RowControl,
        input: Input,
        layout: Layout,
        jac: &mut [f64],
        dt: &mut [f64],
    ) -> Result<(), Failure> {
        articulated.linearise(system, input, &mut self.jacobian)?;
        let Input { q, v, tau, .. } = input;
        let (c, n, s, dim) = (q.len(), v.len(), layout.states, dt.len());
        let z = layout.z_range();
        let table = &self.jacobian;
        jac.fill(0.0);
        dt.fill(0.0);
        dt[c..c + n].copy_from_slice(&table.by_t);
        fill_coordinate_rates(system, q, v, jac, dim);
        for i in 0..n {
            let row = &mut jac[(c + i) * dim..][..dim];
            fill_row(system, q, &table.by_q[i * n..][..n], &table.by_v[i * n..][..n], row);
            row[z.clone()].copy_from_slice(&table.by_z[i * s..][..s]);
        }
        for state in 0..s {
            let (slopes, at) = (table.of_state(state), z.start + state);
            let row = &mut jac[at * dim..][..dim];
            fill_row(system, q, &slopes[..n], &slopes[n..2 * n], row);
            row[z.clone()].copy_from_slice(&slopes[2 * n + 1..][..s]);
            dt[at] = slopes[2 * n];
        }
        if layout.work > 0 {
            let meter = self.meter.get_or_insert_with(|| Meter::new(system));
            meter.meter.set_control(control);
            meter.fill(system, input, articulated.row_force(), table);
            let first = layout.work_range().start;
            // All but the power of the given efforts, which is linear in v.
            let [elements, rows] = &meter.slopes;
            let lost = meter.lost.chunks_exact(2 * n + 1 + s).enumerate().map(|(pair, lost)| (AUDITED + pair, lost));
            for (k, slopes) in [(0, &elements[..]), (2, &rows[..])].into_iter().chain(lost) {
                let row = &mut jac[(first + k) * dim..][..dim];
                fill_row(system, q, &slopes[..n], &slopes[n..2 * n], row);
                row[z.clone()].copy_from_slice(&slopes[2 * n + 1..]);
                dt[first + k] = slopes[2 * n];
            }
            fill_row(system, q, &[], tau, &mut jac[(first + 1) * dim..][..dim]);
        }
        Ok(())
    }
}

impl Meter {
    fn new(system: &System) -> Self {
        let zero = Dual { re: 0.0, eps: [0.0; N] };
        let (n, states) = (system.skeleton.dofs(), system.numbers.states.len());
        let variables = 2 * n + 1 + states;
        Meter {
            meter: PowerMeter::new(system),
            q: vec![zero; system.skeleton.coords()],
            v: vec![zero; n],
            z: vec![zero; states],
            u: Vec::with_capacity(system.numbers.controls.len()),
            slopes: [vec![0.0; variables], vec![0.0; variables]],
            lost: vec![0.0; variables * system.names.pairs.len()],
        }
    }

    fn fill(&mut self, system: &System, input: Input, row_force: &[f64], table: &Jacobian) {
        let Input { t, q, v, inside, .. } = input;
        let (n, states) = (v.len(), inside.z.len());
        let variables = 2 * n + 1 + states;
        self.u.clear();
        self.u.extend(inside.u.iter().map(|u| Dual { re: *u, eps: [0.0; N] }));
        for first in (0..variables).step_by(N) {
            let mut time = Dual { re: t, eps: [0.0; N] };
            for (list, values) in [(&mut self.q, q), (&mut self.v, v), (&mut self.z, inside.z)] {
                for (x, value) in list.iter_mut().zip(values) {
                    *x = Dual { re: *value, eps: [0.0; N] };
                }
            }
            let count = N.min(variables - first);
            for k in 0..count {
                match first + k {
                    variable if variable < n => seed_tangent(&system.skeleton, &mut self.q, variable, k),
                    variable if variable < 2 * n => self.v[variable - n].eps[k] = 1.0,
                    variable if variable == 2 * n => time.eps[k] = 1.0,
                    variable => self.z[variable - 2 * n - 1].eps[k] = 1.0,
                }
            }
            let inside = Inside { z: &self.z, u: &self.u };
            let powers = self.meter.powers(system, time, &self.q, &self.v, inside, row_force);
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
            for j in 0..states {
                slopes[2 * n + 1 + j] += rate * table.row_force_by_z[r * states + j];
            }
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
