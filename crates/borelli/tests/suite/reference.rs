//! Numbers of the reference folder: interpolation, a driven pendulum, Andrews' mechanism.
//! Not here: states of peer programs (`cli`), closed forms that stand beside their code.
//! Without the folder the tests say `SKIPPED`.

use crate::system;
use borelli::dynamics::assemble::assemble;
use borelli::dynamics::formulation::articulated::Articulated;
use borelli::dynamics::formulation::{Evaluation, FORMULATIONS, Input};
use borelli::math::function::{Interpolation, Outside, Table};
use borelli_testkit::{ReferenceTable, assert_close, reference};
use std::collections::BTreeMap;

/// Columns of a table of numbers by their names.
fn columns(path: &str) -> Option<BTreeMap<String, Vec<f64>>> {
    let table = ReferenceTable::read(path)?;
    Some(table.names.iter().map(|name| (name.clone(), table.numbers(name))).collect())
}

#[test]
fn tables_run_between_their_points_as_the_reference_says() {
    let akima = ((0..=10).map(f64::from).collect(), vec![10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.5, 15.0, 50.0, 60.0, 85.0]);
    let rpn = (
        vec![7.99, 8.09, 8.19, 8.7, 9.2, 10.0, 12.0, 15.0, 20.0],
        vec![0.0, 2.76429e-5, 4.37498e-2, 0.169183, 0.469428, 0.943740, 0.998636, 0.999919, 0.999994],
    );
    for (file, (x, y)) in [("akima1970", akima), ("rpn14", rpn)] {
        let Some(columns) = columns(&format!("benchmarks/data/interp_{file}.csv")) else { continue };
        let kinds = [
            ("not_a_knot", Interpolation::Spline),
            ("pchip", Interpolation::Pchip),
            ("makima", Interpolation::Makima),
            ("natural", Interpolation::Natural),
            ("akima", Interpolation::Akima),
        ];
        for (name, interpolation) in kinds {
            let table = Table::new(Vec::clone(&x), Vec::clone(&y), interpolation, Outside::Error).unwrap_or_else(|fault| panic!("{fault}"));
            let found: Vec<[f64; 4]> = columns["x"].iter().map(|x| table.derivatives(*x)).collect();
            assert!(found.len() > 20);
            for (k, column) in [name.to_string(), format!("{name}_d1")].iter().enumerate() {
                let found: Vec<f64> = found.iter().map(|values| values[k]).collect();
                for (got, expected) in found.iter().zip(&columns[column]) {
                    assert!((got - expected).abs() <= 1e-10 * expected.abs().max(1.0), "{file}, {column}: {got} {expected}");
                }
            }
        }
    }
}

#[test]
fn tables_of_simm_run_as_the_program_that_made_them() {
    let (Some(knots), Some(values)) = (reference("data/osim-zoo/functions_knots.csv"), reference("data/osim-zoo/functions.csv")) else {
        return;
    };
    let rows = |path| -> Vec<(String, Vec<f64>)> {
        let text = std::fs::read_to_string(path).expect("readable");
        let split = |line: &str| line.split_once(',').map(|(name, rest)| (name.to_string(), rest.to_string()));
        let numbers = |(name, rest): (String, String)| (name, rest.split(',').filter_map(|cell| cell.parse().ok()).collect());
        text.lines().skip(1).filter_map(split).map(numbers).collect()
    };
    let (knots, values) = (rows(knots), rows(values));
    let mut seen = 0;
    for name in ["simm2", "simm3", "simm4", "simm7", "piecewise"] {
        let of =
            |list: &[(String, Vec<f64>)]| -> Vec<Vec<f64>> { list.iter().filter(|(n, _)| n == name).map(|(_, row)| row.clone()).collect() };
        let (x, y) = of(&knots).iter().map(|row| (row[0], row[1])).unzip();
        let interpolation = if name == "piecewise" { Interpolation::Linear } else { Interpolation::Simm };
        let table = Table::new(x, y, interpolation, Outside::Tangent).unwrap_or_else(|fault| panic!("{fault}"));
        for row in of(&values) {
            for (got, expected) in table.derivatives(row[0]).iter().zip(&row[1..]) {
                assert!((got - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{name} at {}: {got} {expected}", row[0]);
            }
            seen += 1;
        }
    }
    assert!(seen > 100);
}

#[test]
fn a_driven_pendulum_needs_the_moment_and_the_force_of_the_reference() {
    let Some(columns) = columns("benchmarks/data/id_driven_pendulum.csv") else { return };
    let system = system("driven-pendulum");
    let expected = |name: &str, k: usize| [columns[name][k]];
    for entry in FORMULATIONS {
        let mut formulation = (entry.build)(&system).unwrap_or_else(|declined| panic!("{}", declined.reason));
        let mut out = Evaluation::new(&system);
        for (k, &t) in columns["t_s"].iter().enumerate() {
            let state = assemble(&system, t, &[0.0], &[0.0], &[]).expect("a pendulum");
            formulation
                .evaluate(&system, Input { t, q: &state.q, v: &state.v, tau: &[0.0], ..Input::default() }, &mut out)
                .expect("a state");
            let mut tau = [0.0];
            Articulated::new(&system).inverse(&system, t, &state.q, &state.v, &out.vdot, &mut tau).expect("a state");
            // The file has thirteen digits.
            assert_close(&state.q, &expected("theta_rad", k), 1e-11, "angle");
            assert_close(&state.v, &expected("thetad", k), 1e-11, "rate");
            assert_close(&out.vdot, &expected("thetadd", k), 1e-11, "acceleration");
            assert_close(&out.row_force, &expected("torque_Nm", k), 1e-10, "moment of the guide");
            assert_close(&tau, &expected("torque_Nm", k), 1e-10, "moment by inverse dynamics");
            let force = out.reaction_force[1];
            assert_close(&[force.x, force.y], &[columns["Rx_N"][k], columns["Ry_N"][k]], 1e-10, "force of the pivot");
        }
    }
}

#[test]
fn andrews_mechanism_accelerates_as_the_recomputed_benchmark_at_its_end() {
    let Some(path) = reference("benchmarks/data/A03_andrews_t003.csv") else { return };
    let text = std::fs::read_to_string(path).expect("readable");
    let recomputed: BTreeMap<&str, f64> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<&str>>())
        .map(|cells| (cells[0], cells[2].parse().expect("a number")))
        .collect();
    let system = system("andrews");
    let list = |letter: &str| -> Vec<f64> {
        system.names.coordinates.iter().map(|coordinate| recomputed[format!("{letter}_{}", coordinate.name).as_str()]).collect()
    };
    let (q, v) = (list("q"), list("v"));
    for entry in FORMULATIONS {
        let mut out = Evaluation::new(&system);
        let mut formulation = match (entry.build)(&system) {
            Ok(formulation) => formulation,
            Err(declined) => {
                assert_eq!(entry.name, "segment-chain", "{}", declined.reason);
                continue;
            }
        };
        formulation.evaluate(&system, Input { t: 0.03, q: &q, v: &v, tau: &[0.0; 7], ..Input::default() }, &mut out).expect("a state");
        assert_close(&out.vdot, &list("a"), 1e-10, entry.name);
        // The file closes its loops from FE to the three other plates that meet in E, the model from BDE; so the forces on GE and HE are
        // multipliers of both, and that on BDE is the sum of the model's. Signs are a matter of how loops are written.
        assert_eq!(system.names.rows.iter().map(|row| row.name.as_str()).step_by(2).collect::<Vec<_>>(), ["FE-BDE", "GE-BDE", "HE-BDE"]);
        let f = &out.row_force;
        let forces = [f[0] + f[2] + f[4], f[1] + f[3] + f[5], f[2], f[3], f[4], f[5]];
        let expected: Vec<f64> = (1..=6).map(|k| recomputed[format!("lambda_{k}").as_str()].abs()).collect();
        assert_close(&forces.map(f64::abs), &expected, 1e-10, entry.name);
    }
}
