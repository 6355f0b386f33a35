//! Tables: what each interpolation promises, the rules beyond the ends, and faults of the data.

use super::super::*;
use super::close;

const ALL: [Interpolation; 8] = [
    Interpolation::Linear,
    Interpolation::Spline,
    Interpolation::Pchip,
    Interpolation::Makima,
    Interpolation::Natural,
    Interpolation::Akima,
    Interpolation::Simm,
    Interpolation::Quintic,
];
const CUBICS: [Interpolation; 6] =
    [Interpolation::Spline, Interpolation::Pchip, Interpolation::Makima, Interpolation::Natural, Interpolation::Akima, Interpolation::Simm];
/// How many of value, slope, bend and third derivative are continuous, in the order of [`ALL`].
const CONTINUOUS: [usize; 8] = [1, 3, 2, 2, 3, 2, 3, 4];

fn uneven() -> Vec<f64> {
    vec![-1.0, -0.7, 0.1, 0.15, 1.2, 2.0, 2.9]
}

/// Closes on itself: first and last value agree.
fn wavy() -> Vec<f64> {
    vec![0.3, -0.4, 0.9, 1.0, 1.0, -2.0, 0.3]
}

fn build(x: &[f64], y: &[f64], interpolation: Interpolation, outside: Outside) -> Table {
    Table::new(x.to_vec(), y.to_vec(), interpolation, outside).unwrap()
}

/// Derivatives at `x + u` of the cubic with derivatives `f` at x.
fn moved(f: [f64; 4], u: f64) -> [f64; 4] {
    let [a, b, c, d] = f;
    [a + u * (b + u * (c / 2.0 + u * d / 6.0)), b + u * (c + u * d / 2.0), c + u * d, d]
}

/// Largest jump of each derivative at the given knot, from the cubics on its two sides.
fn jump(table: &Table, left: f64, knot: f64, right: f64) -> [f64; 4] {
    let from_left = moved(table.derivatives(0.5 * (left + knot)), 0.5 * (knot - left));
    let from_right = moved(table.derivatives(0.5 * (right + knot)), 0.5 * (knot - right));
    std::array::from_fn(|k| (from_right[k] - from_left[k]).abs())
}

#[test]
fn a_spline_reproduces_a_cubic() {
    let cubic = |x: f64| [2.0 - x + 3.0 * x * x - 0.5 * x * x * x, -1.0 + 6.0 * x - 1.5 * x * x, 6.0 - 3.0 * x, -3.0];
    for n in 4..=7 {
        let x = &uneven()[..n];
        let y: Vec<f64> = x.iter().map(|x| cubic(*x)[0]).collect();
        let table = build(x, &y, Interpolation::Spline, Outside::Extrapolate);
        for at in [-1.4, -1.0, -0.8, 0.0, 0.12, 0.6, 1.9, 2.5, 2.9, 3.3] {
            for k in 0..4 {
                close(table.derivatives(at)[k], cubic(at)[k], 2e-12, "cubic");
            }
        }
    }
}

#[test]
fn three_knots_give_the_parabola_and_two_the_line() {
    let parabola = |x: f64| [1.0 - 2.0 * x + 0.5 * x * x, -2.0 + x, 1.0, 0.0];
    let x = [-1.0, 0.4, 3.0];
    let table = build(&x, &x.map(|x| parabola(x)[0]), Interpolation::Spline, Outside::Extrapolate);
    for at in [-2.0, 0.0, 0.4, 1.0, 4.0] {
        for k in 0..4 {
            close(table.derivatives(at)[k], parabola(at)[k], 1e-14, "parabola");
        }
    }
    for interpolation in ALL {
        let table = build(&[1.0, 3.0], &[5.0, 4.0], interpolation, Outside::Extrapolate);
        assert_eq!(table.derivatives(2.0), [4.5, -0.5, 0.0, 0.0], "{interpolation:?}");
        assert_eq!(table.derivatives(5.0), [3.0, -0.5, 0.0, 0.0], "{interpolation:?}");
        assert_eq!(table.continuity(), Continuity::Smooth);
    }
}

#[test]
fn three_knots_follow_the_end_rules_of_the_local_cubics() {
    // Widths 1 and 2, secants 2 and -1. Shape-preserving: ends (4 * 2 + 1)/3 = 3 and (5 * -1 - 2 * 2)/3 = -3, clipped to 3 d = -3.
    let pchip = build(&[0.0, 1.0, 3.0], &[0.0, 2.0, 0.0], Interpolation::Pchip, Outside::Extrapolate);
    close(pchip.derivatives(0.0)[1], 3.0, 1e-15, "left end");
    close(pchip.derivatives(1.0)[1], 0.0, 1e-15, "turning point");
    close(pchip.derivatives(3.0)[1], -3.0, 1e-15, "right end");
    // Modified Akima: secants 8, 5, 2, -1, -4, -7; weights |difference| + |sum|/2 are 9.5, 6.5, 3.5, 5.5, 8.5.
    let makima = build(&[0.0, 1.0, 3.0], &[0.0, 2.0, 0.0], Interpolation::Makima, Outside::Extrapolate);
    close(makima.derivatives(0.0)[1], (3.5 * 5.0 + 9.5 * 2.0) / 13.0, 1e-15, "left end");
    close(makima.derivatives(1.0)[1], (5.5 * 2.0 - 6.5) / 12.0, 1e-15, "middle");
    close(makima.derivatives(3.0)[1], (3.5 * -4.0 - 8.5) / 12.0, 1e-15, "right end");
}

#[test]
fn every_table_passes_through_its_points() {
    for interpolation in ALL {
        for outside in [Outside::Error, Outside::Hold, Outside::Extrapolate, Outside::Tangent, Outside::Periodic] {
            if (interpolation, outside) == (Interpolation::Simm, Outside::Periodic) {
                continue;
            }
            let table = build(&uneven(), &wavy(), interpolation, outside);
            for (x, y) in uneven().iter().zip(wavy()) {
                close(table.derivatives(*x)[0], y, 2e-15, "knot");
            }
        }
    }
}

#[test]
fn a_table_is_as_continuous_as_it_says() {
    let (x, y) = (uneven(), wavy());
    for (interpolation, continuous) in CUBICS.into_iter().zip(&CONTINUOUS[1..]).map(|(i, c)| (i, *c)).chain([(Interpolation::Linear, 1)]) {
        let table = build(&x, &y, interpolation, Outside::Error);
        let mut worst = [0.0_f64; 4];
        for k in 1..x.len() - 1 {
            let jump = jump(&table, x[k - 1], x[k], x[k + 1]);
            worst = std::array::from_fn(|order| worst[order].max(jump[order]));
        }
        assert_eq!(table.continuity(), [Continuity::C0, Continuity::C1, Continuity::C2][continuous - 1]);
        assert!(worst[..continuous].iter().all(|jump| *jump < 1e-11), "{interpolation:?} {worst:?}");
        assert!(worst[continuous] > 0.1, "{interpolation:?} {worst:?}");
    }
}

#[test]
fn the_third_derivative_of_a_spline_does_not_jump_next_to_its_ends() {
    let (x, y) = (uneven(), wavy());
    let table = build(&x, &y, Interpolation::Spline, Outside::Error);
    for k in [1, x.len() - 2] {
        let scale = table.derivatives(x[k])[3].abs();
        assert!(jump(&table, x[k - 1], x[k], x[k + 1])[3] < 1e-12 * scale);
    }
}

#[test]
fn a_periodic_table_is_continuous_across_its_seam() {
    // Also with two and one different intervals, where a knot is its neighbours' neighbour.
    let few = (vec![0.0, 0.3, 1.0], vec![1.0, 2.0, 1.0]);
    let one = (vec![0.0, 0.3], vec![1.0, 1.0]);
    for (x, y) in [(uneven(), wavy()), few, one] {
        let n = x.len();
        let period = x[n - 1] - x[0];
        for (interpolation, continuous) in ALL.into_iter().zip(CONTINUOUS) {
            if matches!(interpolation, Interpolation::Simm | Interpolation::Quintic) {
                continue; // the first has no periodic form, the second a test of its own
            }
            let table = build(&x, &y, interpolation, Outside::Periodic);
            for seam in [x[0], x[n - 1]] {
                let jump = jump(&table, seam - (x[n - 1] - x[n - 2]), seam, seam + (x[1] - x[0]));
                assert!(jump[..continuous].iter().all(|jump| *jump < 1e-11), "{interpolation:?} {n} {jump:?}");
            }
            for k in 1..n - 1 {
                let jump = jump(&table, x[k - 1], x[k], x[k + 1]);
                assert!(jump[..continuous].iter().all(|jump| *jump < 1e-11), "{interpolation:?} {n} {jump:?}");
            }
            for at in [x[0] + 0.01, 0.5 * (x[0] + x[1]), x[n - 1] - 0.02] {
                for turns in [-3.0, -1.0, 1.0, 1000.0] {
                    for k in 0..3 {
                        close(table.derivatives(at + turns * period)[k], table.derivatives(at)[k], 1e-9, "turn");
                    }
                }
            }
        }
    }
}

#[test]
fn a_wrap_onto_the_seam_itself_stays_in_the_table() {
    let table = build(&uneven(), &wavy(), Interpolation::Spline, Outside::Periodic);
    let first = -1.0_f64;
    for at in [first.next_down(), first, first.next_up(), 2.9_f64.next_down(), 2.9, 2.9_f64.next_up(), -1.0 - 3.9, 2.9 + 3.9] {
        close(table.derivatives(at)[0], 0.3, 1e-13, "seam");
    }
    assert!(table.derivatives(f64::INFINITY)[0].is_nan() && table.derivatives(f64::NAN)[0].is_nan());
}

#[test]
fn a_periodic_spline_follows_a_sine_to_fourth_order() {
    let error = |n: usize| {
        let x: Vec<f64> = (0..=n).map(|k| k as f64 / n as f64).collect();
        let y: Vec<f64> = x.iter().map(|x| (TAU * x).sin()).collect();
        let table = build(&x, &y, Interpolation::Spline, Outside::Periodic);
        (0..1000).map(|k| f64::from(k) * 1e-3).map(|x| (table.derivatives(x)[0] - (TAU * x).sin()).abs()).fold(0.0, f64::max)
    };
    let ratio = error(20) / error(40);
    assert!(error(40) < 2e-6 && (15.0..17.0).contains(&ratio), "{ratio}");
}

#[test]
fn shape_preserving_tables_are_monotone_on_monotone_data() {
    let y = [0.0, 0.0, 1e-4, 0.9, 0.91, 0.91, 7.0];
    let table = build(&uneven(), &y, Interpolation::Pchip, Outside::Error);
    let mut before = f64::NEG_INFINITY;
    for k in 0..=3900 {
        let [value, slope, ..] = table.derivatives(-1.0 + f64::from(k) * 1e-3);
        assert!(value >= before - 1e-15 && slope >= -1e-14, "{k}: {value} {slope}");
        before = value;
    }
    // No value beyond its two neighbours, also where the data turn.
    let table = build(&uneven(), &wavy(), Interpolation::Pchip, Outside::Error);
    for (k, ends) in wavy().windows(2).enumerate() {
        for u in 0..=100 {
            let x = uneven();
            let value = table.derivatives(x[k] + (x[k + 1] - x[k]) * f64::from(u) * 0.01)[0];
            assert!(value >= ends[0].min(ends[1]) - 1e-14 && value <= ends[0].max(ends[1]) + 1e-14);
        }
    }
}

#[test]
fn modified_akima_stays_flat_on_flat_stretches() {
    let x: Vec<f64> = (0..10).map(f64::from).collect();
    let y = [0.1, 0.1, 0.1, 0.1, 5.0, 7.0, 2.0, 2.0, 2.0, 9.0];
    let table = build(&x, &y, Interpolation::Makima, Outside::Error);
    for at in [0.0, 0.3, 1.5, 2.9] {
        assert_eq!(table.derivatives(at), [0.1, 0.0, 0.0, 0.0]);
    }
    for at in [6.2, 7.0, 7.8] {
        close(table.derivatives(at)[0], 2.0, 1e-15, "inner flat stretch");
    }
}

/// First three samples of a gait guided 0.029 s apart and the printed initial rates that modified Akima gives from them alone.
#[test]
fn guided_gait_starts_with_the_published_rates() {
    let guides = [
        ([0.4726600, 0.5123842, 0.5506321], 1.39435745077261),
        ([1.0799700, 1.0821876, 1.0884829], 0.00462284482757772),
        ([1.4852700, 1.5044679, 1.5152255], 0.768965404860839),
        ([1.4433900, 1.5463198, 1.6637434], 3.26653678206197),
        ([0.694640, 0.645770, 0.652280], -2.23922425553936),
        ([1.49400, 1.40499, 1.43580], -4.21409035268033),
    ];
    for (samples, rate) in guides {
        let three = build(&[0.0, 0.029, 0.058], &samples, Interpolation::Makima, Outside::Error);
        close(three.derivatives(0.0)[1], rate, 2e-15, "rate");
        let four = build(&[0.0, 0.029, 0.058, 0.087], &[&samples[..], &[0.8]].concat(), Interpolation::Makima, Outside::Error);
        close(four.derivatives(0.0)[1], rate, 2e-15, "rate with a fourth sample");
    }
}

#[test]
fn straight_points_give_a_straight_line_in_every_interpolation() {
    let x = uneven();
    let y: Vec<f64> = x.iter().map(|x| 2.0 - 3.0 * x).collect();
    for interpolation in ALL {
        let table = build(&x, &y, interpolation, Outside::Extrapolate);
        for at in [-2.0, -0.9, 0.12, 1.0, 2.9, 4.0] {
            for (k, line) in [2.0 - 3.0 * at, -3.0, 0.0].into_iter().enumerate() {
                close(table.derivatives(at)[k], line, 1e-11, "line");
            }
        }
    }
}

#[test]
fn a_held_table_keeps_its_end_values() {
    for interpolation in ALL {
        let table = build(&uneven(), &wavy(), interpolation, Outside::Hold);
        assert_eq!(table.derivatives(-7.0), [0.3, 0.0, 0.0, 0.0]);
        assert_eq!(table.derivatives(3.0), [0.3, 0.0, 0.0, 0.0]);
        assert!(table.derivatives(2.9)[1] != 0.0, "the last knot still belongs to the last interval");
        assert_eq!(table.continuity(), Continuity::C0, "the slope jumps where holding begins");
    }
    let level = [1.0, 1.0, 1.0, 4.0, 2.0, 2.0, 2.0];
    for interpolation in [Interpolation::Pchip, Interpolation::Makima] {
        assert_eq!(build(&uneven(), &level, interpolation, Outside::Hold).continuity(), Continuity::C1);
    }
}

#[test]
fn the_end_polynomial_goes_on_where_the_table_is_not_defined() {
    for interpolation in CUBICS {
        for outside in [Outside::Error, Outside::Extrapolate] {
            let table = build(&uneven(), &wavy(), interpolation, outside);
            let (start, end) = (moved(table.derivatives(-1.0), -0.5), moved(table.derivatives(2.9), 0.5));
            for k in 0..4 {
                close(table.derivatives(-1.5)[k], start[k], 1e-13, "before");
                close(table.derivatives(3.4)[k], end[k], 1e-13, "after");
            }
        }
    }
}

#[test]
fn the_interval_to_the_right_of_a_knot_is_found_for_even_and_uneven_knots() {
    let even: Vec<f64> = (0..50).map(|k| 0.1 + f64::from(k) * 0.029).collect();
    let nearly: Vec<f64> = (0..50).map(|k| f64::from(k) + 0.24 * f64::from(k).sin()).collect();
    let growing: Vec<f64> = (0..50).map(|k| 1.2_f64.powi(k)).collect();
    for x in [even, nearly, growing, uneven()] {
        // Interval k has the slope k + 1.
        let mut y = vec![0.0];
        for k in 1..x.len() {
            y.push(y[k - 1] + k as f64 * (x[k] - x[k - 1]));
        }
        let table = build(&x, &y, Interpolation::Linear, Outside::Extrapolate);
        let slope = |at: f64| table.derivatives(at)[1].round() as usize;
        let cells = x.len() - 1;
        for k in 0..cells {
            assert_eq!(slope(x[k]), k + 1);
            assert_eq!(slope(0.5 * (x[k] + x[k + 1])), k + 1);
            assert_eq!(slope(x[k + 1].next_down()), k + 1);
        }
        assert_eq!([slope(x[cells]), slope(1e300), slope(-1e300)], [cells, cells, 1]);
    }
}

#[test]
fn bad_data_are_named() {
    let fault = |x: &[f64], y: &[f64], outside| Table::new(x.to_vec(), y.to_vec(), Interpolation::Spline, outside).unwrap_err();
    assert_eq!(fault(&[1.0], &[1.0], Outside::Error), TableFault::TooFew { count: 1 });
    assert_eq!(fault(&[], &[], Outside::Error), TableFault::TooFew { count: 0 });
    assert_eq!(fault(&[1.0, 2.0], &[1.0], Outside::Error), TableFault::LengthMismatch { x: 2, y: 1 });
    let repeated = fault(&[1.0, 2.0, 2.0], &[1.0; 3], Outside::Error);
    assert_eq!(repeated, TableFault::NotIncreasing { index: 2, before: 2.0, here: 2.0 });
    assert_eq!(repeated.to_string(), "x[2] = 2 does not exceed x[1] = 2\n  hint: sort the points by x and drop repeated x");
    assert_eq!(fault(&[1.0, 2.0], &[1.0, f64::NAN], Outside::Error), TableFault::NotFinite { index: 1 });
    assert_eq!(fault(&[1.0, f64::INFINITY], &[1.0, 2.0], Outside::Error), TableFault::NotFinite { index: 1 });
    assert_eq!(fault(&[0.0, 5e-324], &[0.0, 1.0], Outside::Error), TableFault::Overflow { index: 0 });
    assert_eq!(fault(&[-1e308, 1e308], &[0.0, 1.0], Outside::Error), TableFault::Overflow { index: 0 });
    assert_eq!(fault(&[0.0, 1.0], &[0.0, 0.1], Outside::Periodic), TableFault::PeriodicEndsDiffer { first: 0.0, last: 0.1 });
    assert!(matches!(fault(&[0.0, 1.0, 2.0], &[1.0, 0.5, 1.000_002], Outside::Periodic), TableFault::PeriodicEndsDiffer { .. }));
    let rounded = build(&[0.0, 1.0, 2.0], &[1.0, 0.5, 1.000_000_06], Interpolation::Spline, Outside::Periodic);
    assert_eq!(rounded.derivatives(2.0)[0], 1.0);
    let simm = Table::new(vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 0.0], Interpolation::Simm, Outside::Periodic);
    assert_eq!(simm.unwrap_err(), TableFault::NoPeriodicForm);
}
