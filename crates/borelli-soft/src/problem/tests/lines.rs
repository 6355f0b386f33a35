//! Paths over nodes against differences and against a node that is tied to the end of the path.

use super::{Held, block, body, boundary, material};
use crate::definition::{Definition, Line, LinePoint, Support};
use crate::mesh::Shape;
use crate::problem::{At, Following, Pose, Problem, Pull, Statuses};

/// A block on a floor; a path from a carrier over one of its nodes to another carrier, and one between two nodes and the world.
fn pulled(damped: bool) -> Problem {
    let mut definition = Definition { carriers: ["world", "one", "other"].map(String::from).to_vec(), ..Definition::default() };
    definition.bodies.push(body(block([0.04, 0.02], [2, 1], Shape::Q4), material("robust", 1e5, 0.3), 0.01));
    let floor = boundary(&definition, "bottom");
    definition.supports.push(Support { name: "floor".into(), of: floor, held: [true, true] });
    let node = |node: u32| LinePoint::Node { body: 0, node };
    let on = |carrier: usize, point: [f64; 2]| LinePoint::Carrier { carrier, point };
    let points = vec![on(1, [0.01, 0.002]), node(3), on(2, [-0.003, 0.01])];
    definition.lines.push(Line { name: "over".into(), points, damped });
    let points = vec![node(4), node(5), on(0, [0.07, 0.05]), on(1, [0.0, 0.03])];
    definition.lines.push(Line { name: "along".into(), points, damped });
    Problem::new(definition, &POSES).unwrap()
}

const POSES: [Pose; 3] = [[0.0; 3], [-0.03, 0.05, 0.4], [0.06, 0.04, -0.7]];
const RATES: [Pose; 3] = [[0.0; 3], [0.3, -0.2, 1.5], [-0.1, 0.4, -2.0]];

/// Law of the test: N = 20 l² + c l̇, with its slopes.
fn pull([l, rate]: [f64; 2], c: f64) -> Pull {
    Pull { force: 2e3 * l * l + c * rate, by_length: 4e3 * l, by_rate: c }
}

#[test]
fn forces_of_paths_are_slopes_and_their_tangent_is_that_of_differences() {
    for c in [0.0, 3.0] {
        let mut problem = pulled(c > 0.0);
        let (n, damping) = (problem.dofs(), 70.0);
        let mut held = Held::new(&problem, &POSES);
        let v: Vec<f64> = (0..n).map(|k| 0.1 * (k as f64).sin()).collect();
        held.x.iter_mut().enumerate().skip(n / 2).for_each(|(k, x)| *x += 1e-4 * (3.0 * k as f64).cos());
        // R and w as functions of all positions and poses, velocities following by a factor.
        let s0: Vec<f64> = held.x.iter().chain(POSES[1..].iter().flatten()).copied().collect();
        let mut look = |s: &[f64], following: Option<Following>| -> Vec<f64> {
            let mut poses = POSES;
            let mut rates = RATES;
            for k in 0..6 {
                poses[1 + k / 3][k % 3] = s[n + k];
                rates[1 + k / 3][k % 3] += damping * (s[n + k] - s0[n + k]);
            }
            let v: Vec<f64> = (0..n).map(|k| v[k] + damping * (s[k] - s0[k])).collect();
            let pulls: Vec<Pull> = (0..2).map(|line| pull(problem.line_length(line, &s[..n], Some(&v), &poses, &rates), c)).collect();
            problem.set_pulls(&pulls, &rates);
            let at = At { x: &s[..n], v: Some(&v), poses: &poses, ..held.at() };
            problem.evaluate(&at, following, Statuses::Same).unwrap();
            problem.residual().iter().chain(problem.wrench()).copied().collect()
        };
        let h = 1e-6;
        let slopes: Vec<Vec<f64>> = (0..n + 6)
            .map(|k| {
                let moved = |by: f64| s0.iter().enumerate().map(|(j, x)| if j == k { x + by } else { *x }).collect::<Vec<_>>();
                let (up, down) = (look(&moved(h), None), look(&moved(-h), None));
                up.iter().zip(&down).map(|(a, b)| (a - b) / (2.0 * h)).collect()
            })
            .collect();
        look(&s0, Some(Following { damping, mass: 0.0 }));
        let most = slopes.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        // ∂R/∂p, ∂w/∂s and ∂w/∂p are the border and what lies behind it.
        for carrier in 0..6 {
            for dof in n / 2..n {
                let (right, left) = (problem.border[carrier * n + dof], problem.skew.get(carrier * n + dof).copied().unwrap_or(0.0));
                assert!((right - slopes[n + carrier][dof]).abs() < 1e-7 * most, "c = {c}: {right} and {}", slopes[n + carrier][dof]);
                assert!((right + left - slopes[dof][n + carrier]).abs() < 1e-7 * most, "c = {c}: {}", slopes[dof][n + carrier]);
            }
            for other in 0..6 {
                let direct = problem.direct[other * 6 + carrier];
                assert!(
                    (direct - slopes[n + carrier][n + other]).abs() < 1e-7 * most,
                    "c = {c}: {direct} and {}",
                    slopes[n + carrier][n + other]
                );
            }
        }
        // K itself, through a Newton step: what it moves closes the equations of differences, and the condensed wrench is the whole one after it.
        problem.factor().unwrap();
        problem.condense().unwrap();
        let changes = [1e-4, -2e-4, 0.01, 3e-4, 1e-4, -0.02];
        let mut dx = vec![0.0; n];
        problem.follow(&changes, &mut dx, &mut []);
        let step: Vec<f64> = dx.iter().chain(&changes).copied().collect();
        let after = |row: usize, now: f64| now + step.iter().zip(&slopes).map(|(d, slope)| d * slope[row]).sum::<f64>();
        let scale = most * step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for row in n / 2..n {
            let open = after(row, problem.residual()[row]);
            assert!(open.abs() < 1e-6 * scale, "c = {c}: {open} of {scale}");
        }
        for row in 0..6 {
            let condensed = &problem.condensed_stiffness()[row * 6..][..6];
            let found = problem.condensed_wrench()[row] + condensed.iter().zip(&changes).map(|(c, d)| c * d).sum::<f64>();
            let whole = after(n + row, problem.wrench()[row]);
            assert!((found - whole).abs() < 1e-6 * scale, "c = {c}: {found} and {whole}");
        }
    }
}

#[test]
fn action_is_reaction_along_a_path_and_its_power_is_that_of_its_forces() {
    let mut problem = pulled(true);
    let held = Held::new(&problem, &POSES);
    let v: Vec<f64> = (0..problem.dofs()).map(|k| if k < problem.dofs() / 2 { 0.0 } else { 0.2 * (k as f64).cos() }).collect();
    problem.set_pulls(&[Pull::default(); 2], &RATES);
    problem.evaluate(&At { v: Some(&v), ..held.at() }, None, Statuses::Same).unwrap();
    let before: Vec<f64> = problem.residual().to_vec();
    problem.set_pulls(&[Pull { force: 40.0, ..Pull::default() }, Pull::default()], &RATES);
    problem.evaluate(&At { v: Some(&v), ..held.at() }, None, Statuses::Same).unwrap();
    let forces: Vec<f64> = problem.residual().iter().zip(&before).map(|(a, b)| a - b).collect();
    let w = problem.wrench();
    for k in 0..2 {
        let sum = forces.iter().skip(k).step_by(2).sum::<f64>() + w[k] + w[3 + k];
        assert!(sum.abs() < 1e-12, "{sum}");
    }
    let rates: Vec<f64> = RATES[1..].iter().flatten().copied().collect();
    let power: f64 = forces.iter().zip(&v).chain(w.iter().zip(&rates)).map(|(f, v)| -f * v).sum();
    assert!((power - problem.line_power()).abs() < 1e-12, "{power} and {}", problem.line_power());
}
