//! How searches end: by themselves where they have converged, and not before; and what rounds of searches add.
//! Not here: whether they find known answers (`problems`).

use std::f64::consts::PI;

use super::problems::{ellipsoid, rosenbrock, sphere};
use super::{Answer, CmaEs, LeastSquares, Query, Rounds, Slopes, Solver, Stop, cma_es, drive, least_squares};
use crate::unknown::Bounds;

/// Without a target a search ends because it has converged, and within the same budgets.
#[test]
fn cma_es_ends_by_itself_where_it_has_converged() {
    type Case = (&'static str, fn(&[f64]) -> f64, f64, f64, [usize; 2]);
    // A bowl whose bottom is level, and one that an unknown does not change: of both there is no single best point.
    let level = |x: &[f64]| (sphere(x) - 0.01).max(0.0);
    let idle = |x: &[f64]| sphere(&x[1..]);
    let cases: [Case; 5] = [
        ("sphere", sphere, 3.0, 2.0, [3360, 8960]),
        ("ellipsoid", ellipsoid, 3.0, 2.0, [8780, 56_196]),
        ("rosenbrock", rosenbrock, 0.0, 0.5, [25_300, 74_732]),
        ("level", level, 3.0, 2.0, [3360, 8960]),
        ("idle", idle, 3.0, 2.0, [6720, 17_920]),
    ];
    for (name, f, start, width, budgets) in cases {
        for (n, budget) in [10, 30].into_iter().zip(budgets) {
            for seed in [1, 2] {
                let settings =
                    cma_es::Settings { seed, width, evaluations: budget, restarts: cma_es::Restarts::None, ..Default::default() };
                let mut solver = CmaEs::new(Bounds::none(n), vec![start; n], settings);
                drive(&mut solver, |query| Answer { objectives: vec![f(&query.point)], ..Answer::default() }, |_| true);
                assert!(
                    matches!(solver.stop(), Some(Stop::Decrease | Stop::Step)),
                    "{name} {n}: {:?} {:?}",
                    solver.stop(),
                    solver.progress()
                );
                let found = solver.best().objective;
                let valley = name == "rosenbrock" && (found - 3.986_623_854).abs() < 1e-6;
                assert!(found < 1e-9 || valley, "{name} {n}: {found}");
            }
        }
    }
}

/// Far from what is allowed all that a search can lower is the violation: it must not end there, however level its values are.
#[test]
fn cma_es_goes_on_while_nothing_is_allowed() {
    let value =
        |query: &Query| Answer { objectives: vec![sphere(&query.point)], constraints: vec![1.0 - query.point[0]], ..Answer::default() };
    let settings = cma_es::Settings { width: 1e-7, restarts: cma_es::Restarts::None, ..Default::default() };
    let mut solver = CmaEs::new(Bounds::none(3), vec![0.0; 3], settings);
    let mut outside = 0;
    drive(&mut solver, value, |solver| {
        outside += usize::from(solver.best().violation > 0.0);
        true
    });
    assert!(outside > 10 + 30 * 3 / 7, "{outside}");
    assert!(solver.best().violation == 0.0 && (solver.best().objective - 1.0).abs() < 1e-6, "{:?} {:?}", solver.best(), solver.stop());
}

/// Rastrigin's function as squares, x² + 20 sin²(πx): from a start far away one search ends in a valley nearby, rounds about the best go on to the deepest.
#[test]
fn rounds_about_the_best_find_a_deeper_valley() {
    let root = 20f64.sqrt();
    let evaluate = |query: &Query| {
        let (x, n) = (&query.point, query.point.len());
        let waves = x.iter().map(|x| root * (PI * x).sin());
        let mut slopes = vec![0.0; 2 * n * n];
        for k in 0..n {
            slopes[k * n + k] = 1.0;
            slopes[(n + k) * n + k] = root * PI * (PI * x[k]).cos();
        }
        Answer {
            residuals: x.iter().copied().chain(waves).collect(),
            slopes: Slopes { residuals: slopes, ..Slopes::default() },
            ..Answer::default()
        }
    };
    let bounds = Bounds { low: vec![-5.0; 4], high: vec![5.0; 4] };
    let start = LeastSquares::new(bounds.clone(), vec![4.2, -3.9, 3.1, 2.2], least_squares::Settings::default());
    for seed in [1, 2, 3] {
        let run = |rounds: usize| {
            let mut solver = Rounds::new(bounds.clone(), vec![start.clone()], rounds, seed);
            drive(&mut solver, evaluate, |_| true);
            (solver.best().objective, solver.stop(), solver.endings().len(), solver.progress())
        };
        let (one, _, _, first) = run(1);
        assert!(one > 10.0, "{one}");
        let (many, stop, starts, all) = run(60);
        assert!(many < 1e-12 && stop.is_some_and(Stop::is_success), "{many} {stop:?}");
        assert_eq!(starts, 1);
        assert!(all.evaluations > first.evaluations && all.iterations > first.iterations && all.objective == many);
    }
}
