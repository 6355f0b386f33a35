//! Exact derivatives of the rates of a movement by its state and by time.
//! Not here: those of the accelerations (`formulation::articulated`).
//! In: a state. Out: the Jacobian of (N(q) v, v̇, ż, powers), row by row, and the slopes by time.
//!
//! The power of elements is that of their generalised forces, and has their slopes. That of rows is differentiated by duals at fixed forces of rows λ, and has dλ from
//! the accelerations' derivatives too,
//!
//!     d(Qᵀ v) = vᵀ dQ + Qᵀ dv        d(λᵀ G v) = (G v)ᵀ dλ + λᵀ d(G v)                             (1)

use super::{AUDITED, Layout};
use crate::constraint::RowControl;
use crate::formulation::articulated::{Articulated, Jacobian};
use crate::formulation::{Failure, Input};
use crate::power::RowMeter;
use crate::retract::seed_tangent;
use crate::system::{Motion, Skeleton, System};
use borelli_math::{Dual, Quat};
use std::ops::Range;

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
    /// Where there are rows.
    rows: Option<OfRows>,
    /// Slopes of the powers of elements and of rows, by q (tangent), v, t and z.
    slopes: [Vec<f64>; 2],
}

/// Where slopes are written: rows of a matrix by entry of the state, or of a part of it.
pub(super) struct Target<'a> {
    /// Row by row.
    pub(super) jac: &'a mut [f64],
    /// Length of a row: all entries of the state, or those before the audit integrals, on which nothing depends.
    pub(super) width: usize,
    /// Entries of the state that have no row: work lost in pairs, of which few act.
    pub(super) left_out: Range<usize>,
}

impl Target<'_> {
    /// The row of an entry.
    fn row(&mut self, entry: usize) -> &mut [f64] {
        let before = if entry >= self.left_out.end { self.left_out.len() } else { 0 };
        &mut self.jac[(entry - before) * self.width..][..self.width]
    }
}

/// Memory of dual passes over the power of rows.
struct OfRows {
    meter: RowMeter<Dual<N>>,
    q: Vec<Dual<N>>,
    v: Vec<Dual<N>>,
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
        mut out: Target,
        dt: &mut [f64],
    ) -> Result<(), Failure> {
        articulated.linearise(system, input, &mut self.jacobian)?;
        let Input { q, v, tau, .. } = input;
        let (c, n, s) = (q.len(), v.len(), layout.states);
        let z = layout.z_range();
        let table = &self.jacobian;
        out.jac.fill(0.0);
        dt.fill(0.0);
        dt[c..c + n].copy_from_slice(&table.by_t);
        fill_coordinate_rates(system, q, v, out.jac, out.width);
        for i in 0..n {
            let row = out.row(c + i);
            fill_row(system, q, &table.by_q[i * n..][..n], &table.by_v[i * n..][..n], row);
            row[z.clone()].copy_from_slice(&table.by_z[i * s..][..s]);
        }
        for state in 0..s {
            let (slopes, at) = (table.of_state(state), z.start + state);
            let row = out.row(at);
            fill_row(system, q, &slopes[..n], &slopes[n..2 * n], row);
            row[z.clone()].copy_from_slice(&slopes[2 * n + 1..][..s]);
            dt[at] = slopes[2 * n];
        }
        if layout.work > 0 {
            let meter = self.meter.get_or_insert_with(|| Meter::new(system));
            meter.fill_elements(articulated, v);
            meter.fill_rows(system, control, input, articulated.row_force(), table);
            let first = layout.work_range().start;
            // All but the power of the given efforts, which is linear in v.
            let [elements, rows] = &meter.slopes;
            for (k, slopes) in [(0, &elements[..]), (2, &rows[..])] {
                let row = out.row(first + k);
                fill_row(system, q, &slopes[..n], &slopes[n..2 * n], row);
                row[z.clone()].copy_from_slice(&slopes[2 * n + 1..]);
                dt[first + k] = slopes[2 * n];
            }
            fill_row(system, q, &[], tau, out.row(first + 1));
            let behind = first + AUDITED + system.names.pairs.len();
            for (k, slopes) in articulated.load_slopes().map(|loads| &loads.muscles).into_iter().flatten().enumerate() {
                if behind + k < dt.len() {
                    let row = out.row(behind + k);
                    fill_row(system, q, &slopes[..n], &slopes[n..2 * n], row);
                    row[z.clone()].copy_from_slice(&slopes[2 * n + 1..][..s]);
                    dt[behind + k] = slopes[2 * n];
                }
            }
            if out.left_out.is_empty() {
                self.fill_lost(system, articulated, q, first + AUDITED, &mut out);
            }
        }
        Ok(())
    }

    /// Work lost in pairs, which depends on coordinates and velocities only.
    fn fill_lost(&mut self, system: &System, articulated: &Articulated, q: &[f64], first: usize, out: &mut Target) {
        let Some(loads) = articulated.load_slopes() else { return };
        // Rows of one pair, by all degrees of freedom: the meter is there, and its rows have been written.
        let Some(Meter { slopes: [by_q, by_v], .. }) = &mut self.meter else { return };
        let n = system.skeleton.dofs();
        by_q.fill(0.0);
        by_v.fill(0.0);
        for (pair, dofs, slopes) in loads.lost.rows() {
            dofs.iter().zip(slopes).for_each(|(dof, slope)| (by_q[*dof], by_v[*dof]) = (slope[0], slope[1]));
            fill_row(system, q, &by_q[..n], &by_v[..n], out.row(first + pair));
            dofs.iter().for_each(|dof| (by_q[*dof], by_v[*dof]) = (0.0, 0.0));
        }
    }
}

impl Meter {
    fn new(system: &System) -> Self {
        let zero = Dual { re: 0.0, eps: [0.0; N] };
        let (n, rows) = (system.skeleton.dofs(), system.names.rows.len());
        let variables = 2 * n + 1 + system.numbers.states.len();
        let of_rows = || OfRows { meter: RowMeter::new(system), q: vec![zero; system.skeleton.coords()], v: vec![zero; n] };
        Meter { rows: (rows > 0).then(of_rows), slopes: [vec![0.0; variables], vec![0.0; variables]] }
    }

    /// The first half of (1).
    fn fill_elements(&mut self, articulated: &mut Articulated, v: &[f64]) {
        let (n, slopes) = (v.len(), &mut self.slopes[0]);
        let variables = slopes.len();
        let states = variables - 2 * n - 1;
        slopes.fill(0.0);
        articulated.fill_load_forces(&mut slopes[n..2 * n]);
        let Some(loads) = articulated.load_slopes() else { return };
        for (i, v) in v.iter().enumerate() {
            let tables = [(0, &loads.by_q, n), (n, &loads.by_v, n), (2 * n, &loads.by_t, 1), (2 * n + 1, &loads.by_z, states)];
            for (first, table, width) in tables {
                for (slope, own) in slopes[first..first + width].iter_mut().zip(&table[i * width..][..width]) {
                    *slope += v * own;
                }
            }
        }
    }

    /// The second half of (1).
    fn fill_rows(&mut self, system: &System, control: &RowControl, input: Input, row_force: &[f64], table: &Jacobian) {
        let Some(OfRows { meter, q, v }) = &mut self.rows else { return };
        meter.set_control(control);
        let (n, slopes) = (v.len(), &mut self.slopes[1]);
        let states = slopes.len() - 2 * n - 1;
        slopes.fill(0.0);
        for first in (0..2 * n + 1).step_by(N) {
            let mut time = Dual { re: input.t, eps: [0.0; N] };
            for (list, values) in [(&mut *q, input.q), (&mut *v, input.v)] {
                for (x, value) in list.iter_mut().zip(values) {
                    *x = Dual { re: *value, eps: [0.0; N] };
                }
            }
            let count = N.min(2 * n + 1 - first);
            for k in 0..count {
                match first + k {
                    variable if variable < n => seed_tangent(&system.skeleton, q, variable, k),
                    variable if variable < 2 * n => v[variable - n].eps[k] = 1.0,
                    _ => time.eps[k] = 1.0,
                }
            }
            let power = meter.power(system, time, q, v, row_force);
            slopes[first..first + count].copy_from_slice(&power.eps[..count]);
        }
        for r in 0..row_force.len() {
            let rate = meter.rate_of_row(r, v).re;
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

/// The change of all degrees of freedom along the tangent that goes with a change of the coordinates `q`.
pub(super) fn fill_tangent(skeleton: &Skeleton, q: &[f64], change: &[f64], out: &mut [f64]) {
    for &motion in &skeleton.motions {
        match motion {
            Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. } => {
                out[dof as usize] = change[coord as usize];
            }
            Motion::Ball { coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let p = Quat::from_slice(&q[coord..coord + 4]);
                let conjugate = Quat { w: p.w, x: -p.x, y: -p.y, z: -p.z };
                let square = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
                let turn = conjugate.product(Quat::from_slice(&change[coord..coord + 4])).to_array();
                (0..3).for_each(|k| out[dof + k] = 2.0 * turn[k + 1] / square);
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
