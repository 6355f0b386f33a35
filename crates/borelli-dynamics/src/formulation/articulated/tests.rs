//! The recursive kernels against duals, themselves and the peers.

use super::{Articulated, Jacobian, Work};
use crate::compile;
use crate::retract::seed_tangent;
use crate::system::{Measure, System};
use borelli_math::{Dual, Real};
use borelli_model::Model;
use borelli_testkit::{differences::assert_close, peers, random::Random};

fn read(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let model = Model::read(&path).unwrap_or_else(|e| panic!("{e}"));
    compile(&model).unwrap_or_else(|e| panic!("{e}"))
}

/// All gallery models that compile.
fn gallery() -> Vec<(String, System)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|e| e.unwrap().file_name().into_string().ok())
        .filter(|n| n.ends_with(".toml"))
        .collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), read(&name))).collect()
}

/// A random state near the start; not assembled: derivatives must hold anywhere.
fn state(system: &System, random: &mut Random) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut q = system.start.q.clone();
    let mut k = 0;
    while k < q.len() {
        if system.names.coordinates[k].measure == Measure::Quaternion {
            q[k..k + 4].copy_from_slice(&random.unit_quaternion());
            k += 4;
        } else {
            q[k] += random.uniform(-0.4, 0.4);
            k += 1;
        }
    }
    let n = system.skeleton.dofs();
    (q, random.uniforms(n, -1.0, 1.0), random.uniforms(n, -5.0, 5.0))
}

/// Column k of the derivative of accelerations and forces of rows by the tangent of q (k < n), by v, by tau or by time, from duals through forward dynamics.
fn by_duals(system: &System, t: f64, q: &[f64], v: &[f64], tau: &[f64], k: usize) -> [Vec<f64>; 2] {
    let n = system.skeleton.dofs();
    let lift = |list: &[f64]| list.iter().map(|x| Dual::<1>::from_f64(*x)).collect::<Vec<_>>();
    let (mut t, mut q, mut v, mut tau) = (Dual::from_f64(t), lift(q), lift(v), lift(tau));
    match k / n {
        0 => seed_tangent(&system.skeleton, &mut q, k, 0),
        1 => v[k - n].eps[0] = 1.0,
        2 => tau[k - 2 * n].eps[0] = 1.0,
        _ => t.eps[0] = 1.0,
    }
    let mut vdot = lift(&vec![0.0; n]);
    let mut work = Work::new(system);
    work.forward(&system.skeleton, &system.numbers, t, &q, &v, crate::scene::Inside::NONE, &tau, &mut vdot);
    [vdot, work.lambda].map(|list| list.iter().map(|x| x.eps[0]).collect())
}

#[test]
fn analytic_derivatives_equal_duals_through_forward_dynamics_on_every_gallery_model() {
    /// Inside all tables.
    const T: f64 = 0.02;
    let (mut random, mut timed) = (Random::new(11), 0);
    for (name, system) in gallery() {
        let n = system.skeleton.dofs();
        let mut articulated = Articulated::new(&system);
        let mut jacobian = Jacobian::new(&system);
        for _ in 0..3 {
            let (q, v, tau) = state(&system, &mut random);
            articulated.jacobian(&system, T, &q, &v, &tau, &mut jacobian).unwrap();
            let forces = [&jacobian.row_force_by_q[..], &jacobian.row_force_by_v, &[]];
            for (kind, table) in [&jacobian.by_q, &jacobian.by_v, &jacobian.by_tau].into_iter().enumerate() {
                let columns: Vec<[Vec<f64>; 2]> = (0..n).map(|k| by_duals(&system, T, &q, &v, &tau, kind * n + k)).collect();
                let expected = |of: usize, rows: usize| -> Vec<f64> { (0..rows * n).map(|at| columns[at % n][of][at / n]).collect() };
                assert_close(table, &expected(0, n), 1e-9, &format!("{name}, table {kind}"));
                let rows = forces[kind].len() / n;
                assert_close(forces[kind], &expected(1, rows), 1e-9, &format!("{name}, table {kind} of rows"));
            }
            let [by_t, force_by_t] = by_duals(&system, T, &q, &v, &tau, 3 * n);
            assert_close(&jacobian.by_t, &by_t, 1e-9, &format!("{name}, by time"));
            assert_close(&jacobian.row_force_by_t, &force_by_t, 1e-9, &format!("{name}, rows by time"));
            timed += usize::from(jacobian.by_t.iter().any(|x| *x != 0.0));
        }
    }
    assert!(timed >= 12, "states with a slope by time: {timed}");
}

#[test]
fn accelerations_equal_those_of_the_peers() {
    for name in peers::MODELS {
        let Some(states) = peers::states(name) else { return };
        let system = read(&format!("{name}.toml"));
        for spatial in [false, true] {
            let system = if spatial { system.spatial() } else { system.clone() };
            let mut articulated = Articulated::new(&system);
            let mut vdot = vec![0.0; system.skeleton.dofs()];
            let mut tau = vdot.clone();
            for state in &states {
                articulated.forward(&system, 0.0, &state.q, &state.v, &state.tau, &mut vdot).unwrap();
                for (got, expected) in vdot.iter().zip(&state.qdd) {
                    assert!((got - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{name} {spatial}: {got} {expected}");
                }
                articulated.inverse(&system, 0.0, &state.q, &state.v, &state.qdd, &mut tau).unwrap();
                assert_close(&tau, &state.tau, 1e-9, name);
            }
        }
    }
}
