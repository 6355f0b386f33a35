//! Random choices of unknowns: each gives back the values it was made from, or is refused by name.

use super::super::{ChoiceFault, Direction, Problem, Row, Variable, WORST_CONDITION};
use super::{consistent, random_posture, random_segments, setup, value};
use borelli_math::random::Random;
use nalgebra::DMatrix;
use std::io::Write;

/// Choices drawn; the refused share is that of all of them.
const CHOICES: usize = 10_000;
/// Of so many refused choices one has its names judged: that costs several decompositions.
const JUDGED: i32 = 20;

/// Whether the named columns are the guilty ones: without them the others are independent, and each of them is a sum of others.
fn judge(a: &DMatrix<f64>, named: &[usize]) -> Result<(), String> {
    let rank = |columns: &[usize]| {
        if columns.is_empty() {
            return 0;
        }
        let mut part = a.select_columns(columns);
        part.column_iter_mut().for_each(|mut column| _ = column.normalize_mut());
        part.svd(false, false).rank(1e-11)
    };
    let all: Vec<usize> = (0..a.ncols()).collect();
    let without = |guilty: &[usize]| -> Vec<usize> { all.iter().copied().filter(|column| !guilty.contains(column)).collect() };
    let innocent = without(named);
    if rank(&innocent) < innocent.len() {
        return Err(format!("the columns beside {named:?} depend on each other"));
    }
    let whole = rank(&all);
    match named.iter().find(|column| rank(&without(&[**column])) < whole) {
        Some(column) => Err(format!("column {column} depends on no other")),
        None => Ok(()),
    }
}

#[test]
fn every_choice_of_unknowns_gives_the_same_values_or_is_refused_by_name() {
    let mut random = Random::new(2004);
    let (mut refused, mut worst_condition, mut worst_error) = ([0; 7], 0.0_f64, 0.0_f64);
    for draw in 0..CHOICES {
        let n = 2 + draw % 5;
        let segments = random_segments(&mut random, n);
        let posture = random_posture(&mut random, n);
        let known = consistent(&mut random, &segments, &posture);
        let mut own = setup(&segments);
        let mut pool: Vec<Variable> = own.layout().variables()[..own.layout().open()].to_vec();
        for k in 0..3 * n {
            let other = k + random.bits() as usize % (pool.len() - k);
            pool.swap(k, other);
        }
        own.free(pool[..3 * n].iter().copied());
        let mut problem = Problem::new(&own).unwrap_or_else(|fault| panic!("{fault}"));
        match problem.examine(&posture) {
            Err(ChoiceFault::Singular { condition, unknowns, equations }) => {
                assert!(condition > WORST_CONDITION);
                assert!(!unknowns.is_empty() && !equations.is_empty(), "nobody is named");
                for name in &unknowns {
                    let guilty = own.labels().find(name).is_some_and(|variable| own.is_unknown(variable));
                    assert!(guilty, "`{name}` is no unknown of this choice");
                }
                if refused.iter().sum::<i32>() % JUDGED == 0 {
                    let unknown = own.unknowns();
                    let column = |name: &String| unknown.iter().position(|variable| own.labels().name(*variable) == *name).unwrap();
                    let named: Vec<usize> = unknowns.iter().map(column).collect();
                    judge(&problem.matrix(&posture).unwrap(), &named).unwrap_or_else(|wrong| panic!("{unknowns:?}: {wrong}"));
                }
                refused[n] += 1;
            }
            Err(fault) => panic!("{fault}"),
            Ok(quality) => {
                let mut values = known.clone();
                for variable in own.unknowns() {
                    values[problem.layout().index(variable)] = f64::NAN;
                }
                problem.solve(&posture, &[], &mut values).unwrap_or_else(|name| panic!("{name}, condition {}", quality.condition));
                let largest = known.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                for variable in own.unknowns() {
                    let error = (value(&problem, &values, variable) - value(&problem, &known, variable)).abs() / largest;
                    assert!(error < 1e-8, "n {n}, {variable}: off by {error:e} at condition {:e}", quality.condition);
                    worst_error = worst_error.max(error);
                }
                worst_condition = worst_condition.max(quality.condition);
            }
        }
    }
    let share = |n: usize| 100.0 * f64::from(refused[n]) / (CHOICES / 5) as f64;
    let shares: Vec<String> = (2..=6).map(|n| format!("n {n}: {:.1} %", share(n))).collect();
    let all: i32 = refused.iter().sum();
    assert!(all > 0 && (all as usize) < CHOICES);
    let text = format!(
        "refused {all} of {CHOICES} ({}); others: worst condition {worst_condition:.1e}, worst error {worst_error:.1e}",
        shares.join(", ")
    );
    // Past the capture of the test runner, as the share is a result of its own.
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// The same with rows added, and with supports among the unknowns: half of a choice's unknowns are those of forward dynamics, so that many can be solved.
#[test]
fn choices_with_rows_and_supports_give_the_same_values_or_are_refused() {
    let mut random = Random::new(421);
    let (mut solved, mut refused) = (0, 0);
    for draw in 0..1000 {
        let n = 2 + draw % 4;
        let segments = random_segments(&mut random, n);
        let posture = random_posture(&mut random, n);
        let known = consistent(&mut random, &segments, &posture);
        let mut own = setup(&segments);
        own.forward(draw % 2 == 0);
        let layout = own.layout();
        let at = |variable: Variable| known[layout.index(variable)];
        let pick = |random: &mut Random, below: usize| random.bits() as usize % below;
        // A segment's turning, and the place of a joint by the kinematics of a chain written out here.
        let (segment, joint) = (pick(&mut random, n), 1 + pick(&mut random, n));
        let mut acceleration = at(Variable::BaseAcceleration(Direction::X));
        for k in 0..joint {
            let (turn, rate) = (at(Variable::AngularAcceleration(k)), posture.rate[k]);
            acceleration -= segments[k].length * (turn * posture.sin[k] + rate * rate * posture.cos[k]);
        }
        let rows = [
            (Row::segment("segment", segment), at(Variable::AngularAcceleration(segment))),
            (Row::joint("joint", joint, Direction::X), acceleration),
        ];
        let mut rights = Vec::new();
        for (row, right) in rows {
            let all = layout.variables();
            let closed: Vec<Variable> = all.into_iter().filter(|variable| !own.is_unknown(*variable)).collect();
            let frees = closed[pick(&mut random, closed.len())];
            own.constrain(row, frees).unwrap();
            rights.push(right);
        }
        let mut problem = Problem::new(&own).unwrap();
        let mut values = known.clone();
        own.unknowns().iter().for_each(|variable| values[layout.index(*variable)] = f64::NAN);
        match problem.solve(&posture, &rights, &mut values) {
            Err(fault) => {
                assert!(matches!(fault, ChoiceFault::Singular { .. }), "{fault}");
                refused += 1;
            }
            Ok(()) => {
                let largest = known.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                for variable in own.unknowns() {
                    let error = (value(&problem, &values, variable) - at(variable)).abs() / largest;
                    assert!(error < 1e-8, "{variable}: off by {error:e}");
                }
                solved += 1;
            }
        }
    }
    assert!(solved > 200 && refused > 100, "{solved} solved, {refused} refused");
}
