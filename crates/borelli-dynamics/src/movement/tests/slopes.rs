//! The Jacobian of a movement against central differences of its rates.

use super::*;
use crate::system::Motion;
use borelli_testkit::{assert_close, central_difference};

/// Compares all columns, and the one by time. Steps fit models of human size.
pub(super) fn assert_slopes(name: &str, system: &System, movement: &mut Movement, t: f64, y: &[f64]) {
    let dim = y.len();
    let (mut jac, mut dt) = (vec![0.0; dim * dim], vec![0.0; dim]);
    assert!(movement.of(system).jacobian(t, y, &mut jac, &mut dt).unwrap());
    let largest = jac.iter().chain(&dt).fold(1.0_f64, |m, x| m.max(x.abs()));
    for j in 0..=dim {
        let mut rates = |h: f64| {
            let mut moved = y.to_vec();
            if j < dim {
                moved[j] += h;
            }
            let mut rates = vec![0.0; dim];
            movement.rates(system, if j < dim { t } else { t + h }, &moved, &mut rates).unwrap();
            rates
        };
        let found: Vec<f64> = if j < dim { (0..dim).map(|i| jac[i * dim + j]).collect() } else { dt.clone() };
        // Truncation and rounding balance at another step for each column.
        let misses = [1e-3, 1e-4, 1e-5].map(|h| {
            let expected = central_difference(&mut rates, h);
            found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
        });
        assert!(misses.iter().any(|miss| *miss < 1e-7), "{name}, column {j}: {misses:?} of {largest}");
    }
}

#[test]
fn the_jacobian_of_a_movement_is_the_slope_of_its_rates_on_every_model() {
    let mut timed = 0;
    for (name, system) in gallery() {
        // Its own for each model, so that a new one in the gallery moves no other to a kink of its contacts.
        let mut random = Random::new(5);
        // Rows that follow from each other have no slope beside the motions they allow.
        if !start(&system).redundant.is_empty() {
            continue;
        }
        let (q, v) = beside(&system, &mut random);
        let tau = random.uniforms(v.len(), -1.0, 1.0);
        for drift in [DriftControl::None, DriftControl::Baumgarte { alpha: 3.0, beta: 5.0 }] {
            let mut movement = Movement::new(&system, Options { tau: tau.clone(), drift, audit: true, ..Options::default() }).unwrap();
            let y = movement.state(&system, &q, &v);
            // Between knots of all tables.
            assert_slopes(&name, &system, &mut movement, 0.0123, &y);
        }
        timed += usize::from(!system.of_time.is_empty());
    }
    assert!(timed >= 4, "models with functions of time: {timed}");
}

#[test]
fn a_released_row_has_no_slope() {
    let system = read("half-hat-leg");
    let (q, v) = beside(&system, &mut Random::new(6));
    let memory = Memory::letting_go(&[false, true, false, false, true, false]);
    let drift = DriftControl::Baumgarte { alpha: 20.0, beta: 10.0 };
    let mut movement = Movement::new(&system, Options { drift, memory, audit: true, ..Options::default() }).unwrap();
    let y = movement.state(&system, &q, &v);
    assert_slopes("half-hat-leg", &system, &mut movement, 0.0123, &y);
}

#[test]
fn powers_of_both_formulations_agree() {
    let mut random = Random::new(7);
    for (name, system) in gallery() {
        let (q, v) = if start(&system).redundant.is_empty() { beside(&system, &mut random) } else { (start(&system).q, start(&system).v) };
        let tau = random.uniforms(v.len(), -1.0, 1.0);
        let [a, b] = ["articulated", "cartesian"].map(|formulation| {
            let options = Options { formulation, tau: tau.clone(), audit: true, ..Options::default() };
            let mut movement = Movement::new(&system, options).unwrap();
            let y = movement.state(&system, &q, &v);
            let mut rates = vec![0.0; y.len()];
            movement.rates(&system, 0.01, &y, &mut rates).unwrap();
            rates[movement.layout().work_range()].to_vec()
        });
        assert_close(&b, &a, 1e-9, &name);
    }
}

#[test]
fn slopes_hold_at_quaternions_of_any_length() {
    let mut random = Random::new(8);
    for name in ["top", "human3d"] {
        let system = read(name);
        let (mut q, v) = beside(&system, &mut random);
        let balls: Vec<usize> = system
            .skeleton
            .motions
            .iter()
            .filter_map(|m| if let Motion::Ball { coord, .. } = m { Some(*coord as usize) } else { None })
            .collect();
        assert!(!balls.is_empty(), "{name}");
        for (k, coord) in balls.iter().enumerate() {
            q[*coord..coord + 4].iter_mut().for_each(|x| *x *= 1.3 + 0.1 * k as f64);
        }
        let mut movement = Movement::new(&system, Options { audit: true, ..Options::default() }).unwrap();
        let y = movement.state(&system, &q, &v);
        assert_slopes(name, &system, &mut movement, 0.0123, &y);
    }
}

#[test]
fn the_elimination_solves_what_a_full_matrix_solves() {
    let mut random = Random::new(41);
    let (mut balls, mut audited) = (0, 0);
    for (name, system) in gallery() {
        for audit in [false, true] {
            let mut movement = Movement::new(&system, Options { audit, ..Options::default() }).unwrap();
            let mut y = movement.state(&system, &system.start.q, &system.start.v);
            let layout = movement.layout();
            y[layout.v_range()].iter_mut().for_each(|v| *v += random.uniform(-2.0, 2.0));
            let dim = y.len();
            let (mut dy, mut jac, mut dt) = (vec![0.0; dim], vec![0.0; dim * dim], vec![0.0; dim]);
            let mut equation = movement.of(&system);
            if equation.prepare(0.02, &y, &mut dy, &mut dt).is_err() {
                continue;
            }
            equation.jacobian(0.02, &y, &mut jac, &mut dt).unwrap();
            for shift in [3.0, 400.0] {
                equation.factor(shift).unwrap();
                let right = random.uniforms(dim, -1.0, 1.0);
                let mut x = right.clone();
                equation.solve(&mut x);
                // Rounding of the terms that elimination adds up: J x, and J r/s on the way to it.
                let term = |k: usize| jac[k].abs() * x[k % dim].abs().max(right[k % dim].abs() / shift);
                let size = (0..dim * dim).map(term).fold(1.0, f64::max);
                for (i, row) in jac.chunks_exact(dim).enumerate() {
                    let left = shift * x[i] - row.iter().zip(&x).map(|(slope, x)| slope * x).sum::<f64>();
                    assert!((left - right[i]).abs() < 1e-11 * size, "{name}, audit {audit}, shift {shift}, entry {i}: {left} {}", right[i]);
                }
            }
            balls += usize::from(layout.coords > layout.dofs);
            audited += usize::from(audit);
        }
    }
    assert!(balls > 4 && audited > 40, "{balls} {audited}");
}
