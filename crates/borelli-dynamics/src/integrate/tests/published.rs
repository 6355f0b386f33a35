//! The integrator problems of the benchmark folder: an ellipse, a free top, seven bodies.
//! Not here: tolerances of our own; these are the ones the folder asks for, or tighter.

use super::*;
use crate::integrate::at_times;
use borelli_testkit::reference;
use std::fs;

/// Rows of a benchmark file without its header; text columns become NaN.
fn table(name: &str) -> Option<Vec<Vec<f64>>> {
    let text = fs::read_to_string(reference(&format!("benchmarks/data/{name}"))?).expect("a readable file");
    Some(text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.trim().parse().unwrap_or(f64::NAN)).collect()).collect())
}

/// Largest distance from the rows (time, state) of a table.
fn distance(entry: &Entry, equation: Equation, rows: &[Vec<f64>], tolerance: f64) -> f64 {
    let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    let (mut worst, mut k) = (0.0_f64, 0);
    let mut samples = at_times(&times, equation.dim, |_, y| {
        worst = worst.max(largest_difference(y, &rows[k][1..]));
        k += 1;
    });
    let interval = (times[0], times[times.len() - 1]);
    let (end, ..) = observed(entry, equation, interval, &rows[0][1..], &Settings::tolerance(tolerance), &mut samples);
    assert!(end.is_ok());
    assert_eq!(k, rows.len());
    worst
}

#[test]
fn the_ellipse_agrees_with_the_reference_at_every_instant() {
    let Some(rows) = table("kepler_e06.csv") else { return };
    for entry in adaptive() {
        let worst = distance(entry, KEPLER, &rows, 1e-10);
        assert!(worst < 1e-7, "{}: {worst:e}", entry.name);
    }
}

#[test]
fn the_free_top_follows_the_elliptic_functions() {
    let Some(rows) = table("top_detest_b5.csv") else { return };
    let top = Equation {
        dim: 3,
        rates: |_, y, dy| dy.copy_from_slice(&[y[1] * y[2], -y[0] * y[2], -0.51 * y[0] * y[1]]),
        jacobian: Some(|_, y, jac, dt| {
            jac.copy_from_slice(&[0.0, y[2], y[1], -y[2], 0.0, -y[0], -0.51 * y[1], -0.51 * y[0], 0.0]);
            dt.fill(0.0);
        }),
        breakpoints: &[],
    };
    for entry in adaptive() {
        let worst = distance(entry, top, &rows, 1e-10);
        assert!(worst < 1e-8, "{}: {worst:e}", entry.name);
    }
}

#[test]
fn seven_bodies_arrive_where_published() {
    let Some(rows) = table("pleiades_t3.csv") else { return };
    let pleiades = Equation {
        dim: 28,
        rates: |_, y, dy| {
            dy[..14].copy_from_slice(&y[14..]);
            for i in 0..7 {
                let mut pull = [0.0; 2];
                for j in (0..7).filter(|j| *j != i) {
                    let (dx, dz) = (y[j] - y[i], y[7 + j] - y[7 + i]);
                    let r3 = dx.hypot(dz).powi(3);
                    pull[0] += (j + 1) as f64 * dx / r3;
                    pull[1] += (j + 1) as f64 * dz / r3;
                }
                dy[14 + i] = pull[0];
                dy[21 + i] = pull[1];
            }
        },
        jacobian: None,
        breakpoints: &[],
    };
    let (start, published): (Vec<f64>, Vec<f64>) = rows.iter().map(|row| (row[1], row[2])).unzip();
    assert_eq!(start.len(), 28, "the file lists x1..x7, y1..y7 and their rates");
    for name in ["dopri5", "adams"] {
        let (y, _) = run(method(name), pleiades, (0.0, 3.0), &start, &Settings::tolerance(1e-11));
        let worst = largest_difference(&y, &published);
        assert!(worst < 1e-7, "{name}: {worst:e}");
    }
}
