//! Checks of functions of one variable against closed forms, differences and duals.
//! Not here: comparison with reference files, which the program's own test suite makes.

mod expressions;
mod forms;
mod formulas;
mod points;
mod splines;
mod tables;

/// Sixth-order central difference.
fn difference(f: impl Fn(f64) -> f64, x: f64, step: f64) -> f64 {
    let pair = |k: f64| f(x + k * step) - f(x - k * step);
    (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * step)
}

fn close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{what}: {a:e} against {b:e}");
}
