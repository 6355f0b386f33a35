//! Integrators judged by another author's: the same equations through the crate `differential-equations` (Dormand-Prince 8(5,3), Radau IIA) and through ours.
//! Not here: closed forms and published digits (`integrate`), the accelerations themselves (`against_oracle`).
//! In: equations and gallery models. Out: states at the end of a run, which must agree to what both tolerances allow.

use crate::compile;
use crate::formulation::Failure;
use crate::implicit_movement::{ImplicitMovement, ImplicitOptions};
use crate::integrate::{
    DenseSlopes, Flow, Implicit, Motion, Newton, Ode, Residual, Settings, Statistics, Step, Tangents, Unobserved, find, generalised_alpha,
    integrate, integrate_implicit,
};
use crate::movement::{Movement, Of, Options};
use crate::system::System;
use borelli_model::Model;
use differential_equations::prelude::{DAE, ExplicitRungeKutta, IVP, ImplicitRungeKutta, Matrix, ODE};
use std::cell::RefCell;

/// One of our equations as the library sees it.
struct Judged<'a>(RefCell<&'a mut dyn Ode>);

impl ODE<f64, Vec<f64>> for Judged<'_> {
    fn diff(&self, t: f64, y: &Vec<f64>, dy: &mut Vec<f64>) {
        self.0.borrow_mut().rates(t, y, dy).unwrap();
    }
}

// The library's implicit methods take states of a length that the compiler knows.
impl<const N: usize> ODE<f64, [f64; N]> for Judged<'_> {
    fn diff(&self, t: f64, y: &[f64; N], dy: &mut [f64; N]) {
        self.0.borrow_mut().rates(t, y, dy).unwrap();
    }

    fn jacobian(&self, t: f64, y: &[f64; N], j: &mut Matrix<f64>) {
        let (mut table, mut by_time) = (vec![0.0; N * N], vec![0.0; N]);
        assert!(self.0.borrow_mut().jacobian(t, y, &mut table, &mut by_time).unwrap());
        for i in 0..N {
            (0..N).for_each(|k| j[(i, k)] = table[i * N + k]);
        }
    }
}

/// The end of a run by the library's method of order 8.
fn explicit(ode: &mut dyn Ode, t: f64, y: &[f64]) -> Vec<f64> {
    let judged = Judged(RefCell::new(ode));
    let method = ExplicitRungeKutta::dop853().rtol(1e-13).atol(1e-13).max_steps(1_000_000);
    let solution = IVP::ode(&judged, 0.0, t, y.to_vec()).method(method).solve().unwrap();
    assert_eq!(*solution.t.last().unwrap(), t);
    solution.y.last().unwrap().clone()
}

/// The end of a run by its stiff method of order 5. Its choice of steps does not follow the tolerance closely, so they are bounded too.
fn stiff<const N: usize>(ode: &mut dyn Ode, t: f64, y: [f64; N], longest: f64) -> [f64; N] {
    let judged = Judged(RefCell::new(ode));
    let method = ImplicitRungeKutta::radau5().rtol(1e-11).atol(1e-11).newton_tol(1e-4).h0(1e-6).h_max(longest).max_steps(1_000_000);
    let solution = IVP::ode(&judged, 0.0, t, y).method(method).solve().unwrap();
    assert_eq!(*solution.t.last().unwrap(), t);
    *solution.y.last().unwrap()
}

/// The end of a run by one of ours.
fn ours(name: &str, ode: &mut dyn Ode, t: f64, y: &[f64], tolerance: f64) -> Vec<f64> {
    let (mut y, mut statistics) = (y.to_vec(), Statistics::default());
    let mut method = (find(name).unwrap().build)(y.len());
    integrate(&mut *method, ode, (0.0, t), &mut y, &Settings::tolerance(tolerance), &mut statistics, &mut Unobserved).unwrap();
    y
}

/// Largest difference, of the largest entry (at least 1).
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
}

fn read(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
    compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

/// The plane two-body problem, eccentricity 0.6.
struct Kepler;

impl Ode for Kepler {
    fn dim(&self) -> usize {
        4
    }

    fn rates(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        let r3 = y[0].hypot(y[1]).powi(3);
        dy.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
        Ok(())
    }
}

/// Van der Pol's oscillator, y'' = ((1 - y²) y' - y) μ.
struct VanDerPol {
    mu: f64,
    slopes: DenseSlopes,
}

impl Ode for VanDerPol {
    fn dim(&self) -> usize {
        2
    }

    fn rates(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        dy.copy_from_slice(&[y[1], self.mu * ((1.0 - y[0] * y[0]) * y[1] - y[0])]);
        Ok(())
    }

    fn jacobian(&mut self, _: f64, y: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Result<bool, Failure> {
        jac.copy_from_slice(&[0.0, 1.0, self.mu * (-2.0 * y[0] * y[1] - 1.0), self.mu * (1.0 - y[0] * y[0])]);
        dt.fill(0.0);
        Ok(true)
    }

    fn dense(&mut self) -> Option<&mut DenseSlopes> {
        Some(&mut self.slopes)
    }
}

/// Both methods at 1e-13 per step. Over some hundred steps of motion that diverges a little this allows 1e-10.
const CLOSE: f64 = 1e-10;

#[test]
fn explicit_methods_agree_with_the_library() {
    let start = [0.4, 0.0, 0.0, 2.0];
    let judge = explicit(&mut Kepler, 20.0, &start);
    for name in ["dopri5", "adams"] {
        let off = apart(&ours(name, &mut Kepler, 20.0, &start, 1e-13), &judge);
        assert!(off < CLOSE, "Kepler, {name}: {off:e}");
    }
    for (model, t) in
        [("double-pendulum", 2.0), ("walker7", 1.0), ("heavy-top", 0.5), ("human3d", 0.5), ("four-bar", 1.0), ("guided-arm", 0.5)]
    {
        let system = read(model);
        // Every joint moves; rows then have their say.
        let v: Vec<f64> = system.start.v.iter().enumerate().map(|(k, v)| v + 0.5 * (1.7 * k as f64 + 1.0).sin()).collect();
        let start = crate::assemble::assemble(&system, 0.0, &system.start.q, &v, &system.start.held).unwrap();
        let mut movement = Movement::new(&system, Options::default()).unwrap();
        let y = movement.state(&system, &start.q, &start.v);
        let judge = explicit(&mut movement.of(&system), t, &y);
        for name in ["dopri5", "adams"] {
            let off = apart(&ours(name, &mut movement.of(&system), t, &y, 1e-13), &judge);
            assert!(off < CLOSE, "{model}, {name}: {off:e}");
        }
    }
}

#[test]
fn the_rosenbrock_method_agrees_with_the_library_on_stiff_equations() {
    let mut oscillator = VanDerPol { mu: 1e3, slopes: DenseSlopes::default() };
    let judge = stiff(&mut oscillator, 2.0, [2.0, 0.0], 1e-3);
    let off = apart(&ours("rosenbrock", &mut oscillator, 2.0, &[2.0, 0.0], 1e-10), &judge);
    assert!(off < 1e-7, "Van der Pol: {off:e}");
    let system = read("walker7-passive");
    let mut movement = Movement::new(&system, Options::default()).unwrap();
    let y = movement.state(&system, &system.start.q, &system.start.v);
    let judge = stiff::<18>(&mut movement.of(&system), 0.5, y.clone().try_into().unwrap(), 2e-3);
    let off = apart(&ours("rosenbrock", &mut movement.of(&system), 0.5, &y, 1e-10), &judge);
    assert!(off < 1e-8, "walker: {off:e}");
}

/// Open equations of a system with a constant mass matrix as (1, M, 0) (q, v, λ)' = (v, −R(q, v, 0, λ), Φ).
struct Constrained<'s> {
    equation: RefCell<Of<'s, ImplicitMovement>>,
    mass: Tangents,
}

/// Entries of (q, v, λ) of the pinned double pendulum.
const PINNED: usize = 16;

impl DAE<f64, [f64; PINNED]> for Constrained<'_> {
    fn diff(&self, t: f64, y: &[f64; PINNED], f: &mut [f64; PINNED]) {
        let n = self.mass.force.len();
        let (q, rest) = y.split_at(n);
        let (v, lambda) = rest.split_at(n);
        let (rates, rest) = f.split_at_mut(n);
        let (force, position) = rest.split_at_mut(n);
        rates.copy_from_slice(v);
        let still = vec![0.0; n];
        self.equation.borrow_mut().residual(t, Motion { q, v, a: &still }, lambda, force, position).unwrap();
        force.iter_mut().for_each(|r| *r = -*r);
    }

    fn mass(&self, m: &mut Matrix<f64>) {
        let n = self.mass.force.len();
        for i in 0..n {
            m[(i, i)] = 1.0;
            (0..n).for_each(|k| m[(n + i, n + k)] = self.mass.by_a[i * n + k]);
        }
    }

    fn jacobian(&self, t: f64, y: &[f64; PINNED], j: &mut Matrix<f64>) {
        let n = self.mass.force.len();
        let (q, rest) = y.split_at(n);
        let (v, lambda) = rest.split_at(n);
        let (still, mut out) = (vec![0.0; n], Tangents::new(n, lambda.len()));
        self.equation.borrow_mut().fill_tangents(t, Motion { q, v, a: &still }, lambda, &mut out).unwrap();
        for i in 0..n {
            j[(i, n + i)] = 1.0;
            for k in 0..n {
                j[(n + i, k)] = -out.by_q[i * n + k];
                j[(n + i, n + k)] = -out.by_v[i * n + k];
            }
            for r in 0..lambda.len() {
                j[(n + i, 2 * n + r)] = out.effect[r * n + i];
                j[(2 * n + r, i)] = out.G[r * n + i];
            }
        }
    }
}

#[test]
fn generalised_alpha_agrees_with_the_library_on_equations_of_index_three() {
    let system = read("double-pendulum-pins");
    let (n, m, t) = (system.skeleton.dofs(), system.names.rows.len(), 0.5);
    let mut equation = ImplicitMovement::new(&system, ImplicitOptions::default()).unwrap();
    let start = [&system.start.q[..], &system.start.v].concat();
    let run = |h: f64, equation: &mut ImplicitMovement| {
        let (mut y, mut lambda, mut statistics) = (start.clone(), vec![0.0; m], Statistics::default());
        let mut method = Implicit::new(generalised_alpha(0.8), Newton::default(), &equation.of(&system));
        let mut last = |step: &Step| {
            lambda.copy_from_slice(step.found.expect("multipliers").lambda[1]);
            Flow::Continue
        };
        integrate_implicit(&mut method, &mut equation.of(&system), (0.0, t), &mut y, &Settings::fixed(h), &mut statistics, &mut last)
            .unwrap();
        [y, lambda].concat()
    };
    // The leading error is of order 2: two runs remove it.
    let (coarse, fine) = (run(1e-3, &mut equation), run(5e-4, &mut equation));
    let found: Vec<f64> = coarse.iter().zip(&fine).map(|(coarse, fine)| (4.0 * fine - coarse) / 3.0).collect();

    let (mut a, mut lambda, mut mass) = (vec![0.0; n], vec![0.0; m], Tangents::new(n, m));
    let (q, v) = start.split_at(n);
    equation.of(&system).accelerations(0.0, q, v, &mut a, &mut lambda).unwrap();
    equation.of(&system).fill_tangents(0.0, Motion { q, v, a: &a }, &lambda, &mut mass).unwrap();
    let constrained = Constrained { equation: RefCell::new(equation.of(&system)), mass };
    let method = ImplicitRungeKutta::radau5()
        .rtol(1e-11)
        .atol(1e-11)
        .newton_tol(1e-8)
        .h0(1e-5)
        .h_max(2e-4)
        .max_steps(1_000_000)
        .index2_equations((n..2 * n).collect::<Vec<_>>())
        .index3_equations((2 * n..2 * n + m).collect::<Vec<_>>());
    let start: [f64; PINNED] = [&start[..], &lambda].concat().try_into().unwrap();
    let solution = IVP::dae(&constrained, 0.0, t, start).method(method).solve().unwrap();
    assert_eq!(*solution.t.last().unwrap(), t);
    let judge = solution.y.last().unwrap();
    // Two runs leave 1.3e-9 of the state open (against Adams at 1e-13).
    let off = [0..n, n..2 * n, 2 * n..2 * n + m].map(|part| apart(&found[part.clone()], &judge[part]));
    assert!(off[0] < 1e-8 && off[1] < 1e-8 && off[2] < 1e-7, "coordinates, velocities, multipliers: {off:?}");
}
