//! Random choices of unknowns: each gives back the values it was made from, or is refused by name.

use super::super::{ChoiceFault, Problem, Variable, WORST_CONDITION};
use super::{consistent, random_posture, random_segments, setup, value};
use borelli_math::random::Random;
use std::io::Write;

/// Choices drawn; the refused share is that of all of them.
const CHOICES: usize = 10_000;

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
