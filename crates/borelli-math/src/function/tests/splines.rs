//! Splines by their ends: natural, that of SIMM, Akima's own, natural of fifth degree, and straight continuations.
//! Not here: what all tables promise (`tables`).

use super::super::*;
use super::close;

fn uneven() -> Vec<f64> {
    vec![-1.0, -0.7, 0.1, 0.15, 1.2, 2.0, 2.9]
}

fn wavy() -> Vec<f64> {
    vec![0.3, -0.4, 0.9, 1.0, 1.0, -2.0, 0.3]
}

fn build(x: &[f64], y: &[f64], interpolation: Interpolation, outside: Outside) -> Table {
    Table::new(x.to_vec(), y.to_vec(), interpolation, outside).unwrap()
}

/// All derivatives to the fifth in the middle of an interval.
fn sample(table: &Table, left: f64, right: f64) -> [f64; 6] {
    // Third derivatives at three places of a cell give the parabola that they are; value, slope and bend come from its middle.
    let (middle, half) = (0.5 * (left + right), 0.25 * (right - left));
    let [value, slope, bend, third] = table.derivatives(middle);
    let (below, above) = (table.derivatives(middle - half)[3], table.derivatives(middle + half)[3]);
    [value, slope, bend, third, (above - below) / (2.0 * half), (above - 2.0 * third + below) / (half * half)]
}

/// Derivatives moved by u along their polynomial.
fn moved(f: [f64; 6], u: f64) -> [f64; 6] {
    std::array::from_fn(|k| (k..6).rev().fold(0.0, |sum, j| sum * u / (j - k + 1) as f64 + f[j]))
}

#[test]
fn a_natural_spline_has_no_bend_at_its_ends() {
    for n in 3..=7 {
        let (x, y) = (&uneven()[..n], &wavy()[..n]);
        let table = build(x, y, Interpolation::Natural, Outside::Tangent);
        for end in [x[0], x[n - 1]] {
            assert!(table.derivatives(end)[2].abs() < 1e-12, "{n}: {:?}", table.derivatives(end));
        }
        assert_eq!(table.continuity(), Continuity::C2, "a straight continuation does not bend either");
    }
}

#[test]
fn a_simm_spline_reproduces_a_cubic() {
    let cubic = |x: f64| [2.0 - x + 3.0 * x * x - 0.5 * x * x * x, -1.0 + 6.0 * x - 1.5 * x * x, 6.0 - 3.0 * x, -3.0];
    for n in 4..=7 {
        let x = &uneven()[..n];
        let y: Vec<f64> = x.iter().map(|x| cubic(*x)[0]).collect();
        let table = build(x, &y, Interpolation::Simm, Outside::Extrapolate);
        for at in [-1.4, -0.8, 0.12, 1.9, 2.9, 3.3] {
            (0..4).for_each(|k| close(table.derivatives(at)[k], cubic(at)[k], 1e-11, "cubic"));
        }
    }
    // Its end rule looks at four knots, so that it is not the not-a-knot spline of other data.
    let [simm, spline] =
        [Interpolation::Simm, Interpolation::Spline].map(|i| build(&uneven(), &wavy(), i, Outside::Error).derivatives(-0.8)[0]);
    assert!((simm - spline).abs() > 1e-5, "{simm} {spline}");
}

#[test]
fn a_scaled_table_is_the_table_scaled() {
    for interpolation in [Interpolation::Linear, Interpolation::Natural, Interpolation::Quintic] {
        let table = build(&uneven(), &wavy(), interpolation, Outside::Tangent);
        for at in [-2.0, 0.12, 2.9, 4.0] {
            (0..4).for_each(|k| close(table.scaled(-3.0).derivatives(at)[k], -3.0 * table.derivatives(at)[k], 1e-14, "scaled"));
        }
    }
}

#[test]
fn akima_takes_the_mean_slope_between_straight_stretches() {
    let x: Vec<f64> = (0..7).map(f64::from).collect();
    let y = [0.0, 1.0, 2.0, 3.0, 6.0, 9.0, 12.0];
    let table = build(&x, &y, Interpolation::Akima, Outside::Error);
    close(table.derivatives(3.0)[1], 2.0, 1e-15, "corner");
    close(table.derivatives(1.0)[1], 1.0, 1e-15, "straight before");
    close(table.derivatives(5.0)[1], 3.0, 1e-15, "straight after");
}

#[test]
fn a_table_with_tangents_goes_on_straight() {
    let kinds = [Interpolation::Linear, Interpolation::Spline, Interpolation::Pchip, Interpolation::Simm, Interpolation::Quintic];
    for interpolation in kinds {
        let table = build(&uneven(), &wavy(), interpolation, Outside::Tangent);
        for (end, at) in [(-1.0, -3.5), (2.9, 5.0)] {
            let [value, slope, ..] = table.derivatives(end);
            let [far_value, far_slope, bend, third] = table.derivatives(at);
            close(far_value, value + slope * (at - end), 1e-12, "value");
            close(far_slope, slope, 1e-12, "slope");
            assert_eq!([bend, third], [0.0, 0.0]);
        }
        let expected = if interpolation == Interpolation::Linear { Continuity::C0 } else { Continuity::C1 };
        assert_eq!(table.continuity(), expected, "the bend jumps at the ends");
        assert_eq!(table.outside(), Outside::Tangent);
    }
}

#[test]
fn a_quintic_spline_is_natural_and_smooth_to_the_fourth_derivative() {
    let (x, y) = (uneven(), wavy());
    let n = x.len();
    let table = build(&x, &y, Interpolation::Quintic, Outside::Error);
    assert_eq!(table.continuity(), Continuity::C2);
    let cell = |k: usize| sample(&table, x[k], x[k + 1]);
    let mut scale = [0.0_f64; 6];
    for k in 0..n - 1 {
        let f = cell(k);
        scale = std::array::from_fn(|order| scale[order].max(f[order].abs()));
    }
    for k in 1..n - 1 {
        let (left, right) = (moved(cell(k - 1), 0.5 * (x[k] - x[k - 1])), moved(cell(k), -0.5 * (x[k + 1] - x[k])));
        for order in 0..5 {
            assert!((left[order] - right[order]).abs() < 1e-9 * (1.0 + scale[order]), "{k} {order} {} {}", left[order], right[order]);
        }
        assert!((left[5] - right[5]).abs() > 1e-3 * scale[5], "the fifth may jump");
    }
    let (start, end) = (moved(cell(0), -0.5 * (x[1] - x[0])), moved(cell(n - 2), 0.5 * (x[n - 1] - x[n - 2])));
    for f in [start, end] {
        assert!(f[3].abs() < 1e-9 * scale[3] && f[4].abs() < 1e-9 * scale[4], "{f:?}");
    }
    // A parabola is its own natural spline; two knots give the line, three the parabola.
    let parabola = |x: f64| [1.0 - 2.0 * x + 0.5 * x * x, -2.0 + x, 1.0, 0.0];
    for n in 3..=7 {
        let x = &uneven()[..n];
        let y: Vec<f64> = x.iter().map(|x| parabola(*x)[0]).collect();
        let table = build(x, &y, Interpolation::Quintic, Outside::Extrapolate);
        for at in [-1.5, -0.8, 0.12, 1.9, 3.0] {
            (0..4).for_each(|k| close(table.derivatives(at)[k], parabola(at)[k], 1e-9, "parabola"));
        }
    }
}

#[test]
fn a_quintic_spline_has_the_least_integral_of_the_squared_third_derivative() {
    // Among all that pass through the points: adding a bump that vanishes at all knots makes it larger, whichever the sign.
    let (x, y) = (uneven(), wavy());
    let table = build(&x, &y, Interpolation::Quintic, Outside::Error);
    let bump = |at: f64| {
        let f = |t: f64| x.iter().map(|knot| t - knot).product::<f64>() * (t - 0.35).cos();
        let d = 1e-2;
        (f(at + 2.0 * d) - 2.0 * f(at + d) + 2.0 * f(at - d) - f(at - 2.0 * d)) / (2.0 * d * d * d)
    };
    let places: Vec<f64> = (0..3900).map(|k| -1.0 + 1e-3 * (f64::from(k) + 0.5)).collect();
    let mixed: f64 = places.iter().map(|at| table.derivatives(*at)[3] * bump(*at) * 1e-3).sum();
    let own: f64 = places.iter().map(|at| table.derivatives(*at)[3].powi(2) * 1e-3).sum();
    let bumps: f64 = places.iter().map(|at| bump(*at).powi(2) * 1e-3).sum();
    // Orthogonality is what makes it the least; the difference formula and the midpoint rule leave 1e-4.
    assert!(mixed.abs() < 3e-4 * (own * bumps).sqrt(), "{mixed} {own} {bumps}");
}

#[test]
fn a_quintic_spline_follows_a_sine_to_sixth_order_away_from_its_ends() {
    let error = |n: usize, periodic: bool| {
        let x: Vec<f64> = (0..=n).map(|k| k as f64 / n as f64).collect();
        let y: Vec<f64> = x.iter().map(|x| (TAU * x).sin()).collect();
        let outside = if periodic { Outside::Periodic } else { Outside::Error };
        let table = build(&x, &y, Interpolation::Quintic, outside);
        let (from, to) = if periodic { (0, 1000) } else { (350, 650) };
        (from..to).map(|k| f64::from(k) * 1e-3).map(|x| (table.derivatives(x)[0] - (TAU * x).sin()).abs()).fold(0.0, f64::max)
    };
    for periodic in [true, false] {
        let ratio = error(16, periodic) / error(32, periodic);
        assert!(error(32, periodic) < 2e-8 && ratio > 55.0, "{periodic}: {ratio} {:e}", error(32, periodic));
    }
}

#[test]
fn a_periodic_quintic_table_is_smooth_across_its_seam() {
    let even: Vec<f64> = (0..=6).map(|k| f64::from(k) * 0.5).collect();
    for x in [even, uneven(), vec![0.0, 0.3, 1.0], vec![0.0, 1.0]] {
        let n = x.len();
        let y: Vec<f64> = if n > 6 { wavy() } else { (0..n).map(|k| if k == 1 && n > 2 { 2.0 } else { 1.0 }).collect() };
        let table = build(&x, &y, Interpolation::Quintic, Outside::Periodic);
        let (last, first) = (sample(&table, x[n - 2], x[n - 1]), sample(&table, x[0], x[1]));
        let (left, right) = (moved(last, 0.5 * (x[n - 1] - x[n - 2])), moved(first, -0.5 * (x[1] - x[0])));
        for order in 0..5 {
            close(left[order], right[order], 1e-8, "seam");
        }
    }
}
