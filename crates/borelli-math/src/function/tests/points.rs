//! Tables with values of their own: the bits of a plain table, and exact slopes by every value.

use super::super::*;
use crate::dual::Dual;
use std::sync::Arc;

const CUBICS: [Interpolation; 7] = [
    Interpolation::Linear,
    Interpolation::Spline,
    Interpolation::Pchip,
    Interpolation::Makima,
    Interpolation::Natural,
    Interpolation::Akima,
    Interpolation::Simm,
];
const OUTSIDE: [Outside; 5] = [Outside::Error, Outside::Hold, Outside::Extrapolate, Outside::Tangent, Outside::Periodic];

fn knots() -> Vec<f64> {
    vec![-1.0, -0.7, 0.1, 0.15, 1.2, 2.0, 2.9]
}

/// No two differences are alike, so that no formula stands at an edge.
fn values() -> Vec<f64> {
    vec![0.3, -0.4, 0.95, 1.0, 1.3, -2.0, 0.3]
}

const AT: [f64; 9] = [-1.6, -1.0, -0.81, 0.02, 0.12, 0.6, 1.9, 2.9, 3.4];

/// All interpolations with all rules beyond the ends.
fn each(mut judge: impl FnMut(Interpolation, Outside, Arc<Table>)) {
    for interpolation in CUBICS {
        for outside in OUTSIDE {
            if let Ok(table) = Table::new(knots(), vec![7.0, 1.0, 2.0, 0.0, -3.0, 5.0, 7.0], interpolation, outside) {
                judge(interpolation, outside, Arc::new(table));
            }
        }
    }
}

fn filled<C: Real>(base: &Arc<Table>, values: impl Iterator<Item = C>) -> Function<C> {
    let mut points = Points::new(base.clone()).expect("cubics");
    points.fill(values, 1.0);
    Function::Points(Box::new(points))
}

#[test]
fn a_table_filled_with_other_values_has_the_bits_of_one_made_of_them() {
    each(|interpolation, outside, base| {
        let fresh = Function::<f64>::Table(Arc::new(Table::new(knots(), values(), interpolation, outside).expect("a table")));
        let filled = filled(&base, values().into_iter());
        for x in AT {
            assert_eq!(filled.eval(x), fresh.eval(x), "{interpolation:?} {outside:?} {x}");
            assert_eq!(filled.eval(Dual::<1>::variable(x, 0)), fresh.eval(Dual::<1>::variable(x, 0)), "{interpolation:?} {outside:?} {x}");
        }
        assert_eq!((filled.breakpoints(), filled.period(), filled.domain()), (fresh.breakpoints(), fresh.period(), fresh.domain()));
        let Function::Points(points) = &filled else { unreachable!() };
        let (Ok(table), Function::Table(fresh)) = (points.table(), &fresh) else { unreachable!() };
        assert_eq!(&table, &**fresh);
    });
}

/// A factor multiplies the table as it does one that was made and then scaled.
#[test]
fn a_factor_multiplies_values_and_slopes() {
    each(|interpolation, outside, base| {
        let fresh = Table::new(knots(), values(), interpolation, outside).expect("a table").scaled(0.3);
        let mut points = Points::new(base).expect("cubics");
        points.fill(values().into_iter(), 0.3);
        let filled = Function::Points(Box::new(points));
        for x in AT {
            assert_eq!(filled.eval(x), Function::<f64>::Table(Arc::new(fresh.clone())).eval(x), "{interpolation:?} {outside:?} {x}");
            assert_eq!(filled.map(|y| y).eval(x), filled.eval(x));
        }
    });
}

#[test]
fn slopes_by_every_value_equal_differences() {
    each(|interpolation, outside, base| {
        let count = knots().len() - usize::from(outside == Outside::Periodic);
        for k in 0..count {
            let seeded = values().into_iter().enumerate().map(|(j, y)| if j == k { Dual::<1>::variable(y, 0) } else { Dual::from_f64(y) });
            let sloped = filled(&base, seeded);
            let moved = |by: f64| filled(&base, values().into_iter().enumerate().map(move |(j, y)| if j == k { y + by } else { y }));
            let (more, less) = (moved(1e-5), moved(-1e-5));
            for x in AT {
                let (slopes, more, less) = (sloped.eval(Dual::from_f64(x)), more.eval(x), less.eval(x));
                for order in 0..3 {
                    let difference = (more[order] - less[order]) / 2e-5;
                    let (slope, size) = (slopes[order].eps[0], 1.0 + difference.abs());
                    assert!((slope - difference).abs() < 1e-6 * size, "{interpolation:?} {outside:?} y{k} at {x}: {slope} {difference}");
                }
            }
        }
    });
}

/// Splines and straight lines are linear in their values: the slope by a value is the table that is 1 there and 0 elsewhere, wherever the values are.
#[test]
fn slopes_of_linear_rules_are_tables_of_units() {
    for interpolation in [Interpolation::Linear, Interpolation::Spline, Interpolation::Natural, Interpolation::Simm] {
        let base = Arc::new(Table::new(knots(), values(), interpolation, Outside::Error).expect("a table"));
        for k in 0..knots().len() {
            let unit: Vec<f64> = (0..knots().len()).map(|j| f64::from(j == k)).collect();
            let unit = Table::new(knots(), unit, interpolation, Outside::Error).expect("a table");
            let seeded = values().into_iter().enumerate().map(|(j, y)| if j == k { Dual::<1>::variable(y, 0) } else { Dual::from_f64(y) });
            let sloped = filled(&base, seeded);
            for x in [-0.9, 0.11, 0.7, 2.4] {
                let (slopes, unit) = (sloped.eval(Dual::from_f64(x)), unit.derivatives(x));
                (0..3).for_each(|order| assert!((slopes[order].eps[0] - unit[order]).abs() < 1e-11 * (1.0 + unit[order].abs())));
            }
        }
    }
}

#[test]
fn a_table_of_fifth_degree_has_no_values_of_its_own() {
    let table = Table::new(knots(), values(), Interpolation::Quintic, Outside::Error).expect("a table");
    assert!(Points::<f64>::new(Arc::new(table)).is_none());
}

/// A table that gets its own values back tells the same as one that never had others, whatever memory it has; with other values, or slopes by them,
/// it does not.
#[test]
fn a_table_that_has_its_own_values_again_tells_so() {
    each(|interpolation, outside, base| {
        let own = || vec![7.0, 1.0, 2.0, 0.0, -3.0, 5.0, 7.0].into_iter();
        let told = |function: &Function<f64>| format!("{function:?}");
        let plain = told(&Function::Table(base.clone()));
        assert_eq!(told(&filled(&base, own())), plain, "{interpolation:?} {outside:?}");
        assert_ne!(told(&filled(&base, values().into_iter())), plain);
        let seeded = filled(&base, own().map(|y| Dual::<1>::variable(y, 0)));
        assert!(!format!("{seeded:?}").starts_with("Table"));
    });
}
