//! A system in motion: coordinates and velocities as the state of an `Ode`.
//! Not here: integrators (`integrate`), which see no body; constraints are kept at the level of accelerations only, without drift control.
//! In: a `System`. Out: rates y' = (N(q) v, v̇), their exact Jacobian, unit quaternions after each step, breakpoints of functions of time.
//!
//! State y = (q, v), q first. A quaternion p enters the rates only through its direction, so with δθ = 2 vec(p̄ δp)/|p|² the slopes by p are those
//! by the three turns of the tangent, and the direction of p itself has none.

use crate::formulation::Failure;
use crate::formulation::articulated::{Articulated, Jacobian};
use crate::integrate::Ode;
use crate::retract::rate;
use crate::system::{Motion, System};
use borelli_math::Quat;

/// What is done about drift away from loops and guides, which are kept at the level of accelerations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DriftControl {
    /// Nothing.
    None,
    /// Rows ask for Φ̈ = −2αΦ̇ − β²Φ.
    Baumgarte {
        /// α, 1/s.
        alpha: f64,
        /// β, 1/s.
        beta: f64,
    },
    /// Positions and velocities are put back on the rows after each step.
    Projection,
}

/// The recursive formulation of a system as an equation of first order, with additional generalised forces that do not change.
pub struct Movement<'s> {
    system: &'s System,
    articulated: Articulated<'s>,
    tau: Vec<f64>,
    jacobian: Jacobian,
    /// Times at which functions of time change their polynomial, sorted; those of periodic functions stand once.
    breakpoints: Vec<f64>,
}

impl<'s> Movement<'s> {
    /// The movement of a system under its own forces and `tau`.
    pub fn new(system: &'s System, tau: Vec<f64>) -> Self {
        let functions = system.of_time.iter().map(|f| &system.numbers.functions[*f as usize]);
        let mut breakpoints: Vec<f64> = functions.filter(|f| f.period().is_none()).flat_map(|f| f.breakpoints().iter().copied()).collect();
        breakpoints.sort_by(f64::total_cmp);
        breakpoints.dedup();
        Movement { system, articulated: Articulated::new(system), tau, jacobian: Jacobian::new(system), breakpoints }
    }

    /// The state of coordinates and velocities.
    pub fn state(q: &[f64], v: &[f64]) -> Vec<f64> {
        [q, v].concat()
    }

    /// Coordinates and velocities of a state.
    pub fn split<'y>(&self, y: &'y [f64]) -> (&'y [f64], &'y [f64]) {
        y.split_at(self.system.skeleton.coords())
    }
}

impl Ode for Movement<'_> {
    fn dim(&self) -> usize {
        self.system.skeleton.coords() + self.system.skeleton.dofs()
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        let (q, v) = self.split(y);
        let (qdot, vdot) = dy.split_at_mut(q.len());
        rate(&self.system.skeleton, q, v, qdot);
        self.articulated.forward(t, q, v, &self.tau, vdot)
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Result<bool, Failure> {
        if !self.system.of_time.is_empty() {
            return Ok(false);
        }
        let (q, v) = self.split(y);
        self.articulated.jacobian(t, q, v, &self.tau, &mut self.jacobian)?;
        jac.fill(0.0);
        dt.fill(0.0);
        let (c, n, dim) = (q.len(), v.len(), y.len());
        let table = &self.jacobian;
        for i in 0..n {
            jac[(c + i) * dim + c..][..n].copy_from_slice(&table.by_v[i * n..][..n]);
        }
        for &motion in &self.system.skeleton.motions {
            match motion {
                Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. } => {
                    let (coord, dof) = (coord as usize, dof as usize);
                    jac[coord * dim + c + dof] = 1.0;
                    (0..n).for_each(|i| jac[(c + i) * dim + coord] = table.by_q[i * n + dof]);
                }
                Motion::Ball { coord, dof } => {
                    let (coord, dof) = (coord as usize, dof as usize);
                    let p = Quat::from_slice(&q[coord..coord + 4]);
                    let square = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
                    let w = Quat { w: 0.0, x: v[dof], y: v[dof + 1], z: v[dof + 2] };
                    for k in 0..4 {
                        let mut e = [0.0; 4];
                        e[k] = 1.0;
                        let e = Quat::from_slice(&e);
                        // ṗ = ½ p ⊗ ω by p, and by ω.
                        let by_p = e.product(w).to_array();
                        (0..4).for_each(|i| jac[(coord + i) * dim + coord + k] = 0.5 * by_p[i]);
                        if k > 0 {
                            let by_w = p.product(e).to_array();
                            (0..4).for_each(|i| jac[(coord + i) * dim + c + dof + k - 1] = 0.5 * by_w[i]);
                        }
                        // v̇ by p: δθ = 2 vec(p̄ e)/|p|².
                        let conjugate = Quat { w: p.w, x: -p.x, y: -p.y, z: -p.z };
                        let turn = conjugate.product(e).to_array();
                        for i in 0..n {
                            let slope: f64 = (0..3).map(|j| table.by_q[i * n + dof + j] * 2.0 * turn[j + 1] / square).sum();
                            jac[(c + i) * dim + coord + k] = slope;
                        }
                    }
                }
                Motion::Fixed { .. } => {}
            }
        }
        Ok(true)
    }

    fn accepted(&mut self, _t: f64, y: &mut [f64]) -> bool {
        for motion in &self.system.skeleton.motions {
            if let Motion::Ball { coord, .. } = motion {
                let p = &mut y[*coord as usize..][..4];
                p.copy_from_slice(&Quat::from_slice(p).normalized().to_array());
            }
        }
        false
    }

    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.breakpoints.iter().copied().find(|b| *b > t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use crate::formulation::{Evaluation, Formulation, Input};
    use crate::integrate::{Flow, Settings, Statistics, Step, at_times, find, integrate};
    use borelli_model::Model;
    use borelli_testkit::{central_difference, reference};

    fn read(name: &str) -> System {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
        compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Rows of a reference table without its header.
    fn table(name: &str) -> Option<Vec<Vec<f64>>> {
        let text = std::fs::read_to_string(reference(name)?).unwrap();
        Some(text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect())
    }

    /// States at the times of a table, from the model's start.
    fn states(system: &System, method: &str, tolerance: f64, times: &[f64]) -> Vec<Vec<f64>> {
        let mut movement = Movement::new(system, vec![0.0; system.skeleton.dofs()]);
        let mut y = Movement::state(&system.start.q, &system.start.v);
        let mut found = vec![y.clone()];
        let (mut method, mut statistics) = ((find(method).unwrap().build)(y.len()), Statistics::default());
        let mut record = at_times(&times[1..], y.len(), |_, y: &[f64]| found.push(y.to_vec()));
        let end = *times.last().unwrap();
        let settings = Settings::tolerance(tolerance);
        integrate(&mut *method, &mut movement, (0.0, end), &mut y, &settings, &mut statistics, &mut record).unwrap();
        found
    }

    #[test]
    fn conservative_models_keep_their_energy_for_ten_seconds() {
        for name in ["pendulum", "double-pendulum", "double-pendulum-rods", "squat4", "walker7", "top", "heavy-top"] {
            let system = read(name);
            let mut movement = Movement::new(&system, vec![0.0; system.skeleton.dofs()]);
            let mut y = Movement::state(&system.start.q, &system.start.v);
            let (mut articulated, mut out) = (Articulated::new(&system), Evaluation::new(&system));
            let tau = vec![0.0; system.skeleton.dofs()];
            let mut energy = |y: &[f64]| {
                let (q, v) = y.split_at(system.skeleton.coords());
                articulated.evaluate(Input { t: 0.0, q, v, tau: &tau }, &mut out).unwrap();
                (out.kinetic_energy, out.kinetic_energy + out.gravity_energy)
            };
            let start = energy(&y).1;
            let (mut peak, mut drift) = (0.0_f64, 0.0_f64);
            let mut look = |step: &Step| {
                let (kinetic, total) = energy(step.y);
                peak = peak.max(kinetic);
                drift = drift.max((total - start).abs());
                Flow::Continue
            };
            let (mut method, mut statistics) = ((find("adams").unwrap().build)(y.len()), Statistics::default());
            let settings = Settings::tolerance(1e-12);
            integrate(&mut *method, &mut movement, (0.0, 10.0), &mut y, &settings, &mut statistics, &mut look).unwrap();
            assert!(drift <= 1e-9 * peak, "{name}: {drift:e} of {peak} J in {} steps", statistics.accepted);
        }
    }

    #[test]
    fn the_double_pendulum_and_the_top_move_as_the_references_say() {
        let (Some(pendulum), Some(top)) = (table("benchmarks/data/double_pendulum.csv"), table("benchmarks/data/top_asymmetric.csv"))
        else {
            return;
        };
        for method in ["dopri5", "adams"] {
            let times: Vec<f64> = pendulum.iter().map(|row| row[0]).collect();
            for (row, y) in pendulum.iter().zip(states(&read("double-pendulum"), method, 1e-12, &times)) {
                // The reference gives absolute angles, to eleven digits.
                let absolute = [y[0], y[0] + y[1], y[2], y[2] + y[3]];
                (0..4).for_each(|k| assert!((absolute[k] - row[k + 1]).abs() < 2e-9, "{method} {row:?} {absolute:?}"));
            }
            let times: Vec<f64> = top.iter().map(|row| row[0]).collect();
            for (row, y) in top.iter().zip(states(&read("top"), method, 1e-12, &times)) {
                let sign = if (0..4).map(|k| y[k] * row[4 + k]).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
                (0..4).for_each(|k| assert!((sign * y[k] - row[4 + k]).abs() < 1e-8, "{method} {row:?} {y:?}"));
                (0..3).for_each(|k| assert!((y[4 + k] - row[1 + k]).abs() < 1e-8, "{method} {row:?} {y:?}"));
            }
        }
    }

    #[test]
    fn the_jacobian_of_a_movement_is_the_slope_of_its_rates() {
        for name in ["walker7-passive", "heavy-top", "function-knee"] {
            let system = read(name);
            let mut movement = Movement::new(&system, vec![0.1; system.skeleton.dofs()]);
            let mut y = Movement::state(&system.start.q, &system.start.v);
            y.iter_mut().enumerate().for_each(|(k, x)| *x += 0.1 * ((k as f64) * 1.7).sin());
            let dim = y.len();
            let (mut jac, mut dt) = (vec![0.0; dim * dim], vec![0.0; dim]);
            assert!(movement.jacobian(0.0, &y, &mut jac, &mut dt).unwrap());
            let largest = jac.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for j in 0..dim {
                let mut slope = |h: f64| {
                    let mut moved = y.clone();
                    moved[j] += h;
                    let mut rates = vec![0.0; dim];
                    movement.rates(0.0, &moved, &mut rates).unwrap();
                    rates
                };
                for (i, expected) in central_difference(&mut slope, 1e-3).into_iter().enumerate() {
                    assert!((jac[i * dim + j] - expected).abs() < 1e-6 * largest, "{name} {i} {j}: {} {expected}", jac[i * dim + j]);
                }
            }
        }
    }
}
