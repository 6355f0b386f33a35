//! The method by itself: closed forms, an independent derivation, refusals. What models make of it is judged with the other formulations
//! (`chains_against_recursion`, `compare`).

mod choices;
mod equations;
mod refusals;

use super::{Posture, Problem, Segment, Setup, Variable};
use borelli_math::random::Random;

/// A chain of random segments, mass centres off the line of joints.
fn random_segments(random: &mut Random, n: usize) -> Vec<Segment> {
    (0..n)
        .map(|_| Segment {
            mass: random.uniform(0.5, 20.0),
            length: random.uniform(0.15, 0.6),
            center: [random.uniform(0.05, 0.4), random.uniform(-0.1, 0.1)],
            inertia: random.uniform(0.02, 0.5),
        })
        .collect()
}

fn random_posture(random: &mut Random, n: usize) -> Posture {
    Posture::new(&random.uniforms(n, -3.0, 3.0), &random.uniforms(n, -5.0, 5.0))
}

fn setup(segments: &[Segment]) -> Setup {
    Setup::new(segments.to_vec())
}

/// Values of all variables that meet the equations: random loads, and what follows from them.
fn consistent(random: &mut Random, segments: &[Segment], posture: &Posture) -> Vec<f64> {
    let mut forward = setup(segments);
    forward.forward(false);
    let layout = forward.layout();
    let mut values = vec![0.0; layout.all()];
    for variable in &layout.variables()[..layout.open()] {
        let size = match variable.quantity() {
            super::Quantity::Force => 100.0,
            super::Quantity::Moment => 30.0,
            _ => 20.0,
        };
        values[layout.index(*variable)] = random.uniform(-size, size);
    }
    let mut problem = Problem::new(&forward).unwrap_or_else(|fault| panic!("{fault}"));
    problem.solve(posture, &[], &mut values).unwrap_or_else(|name| panic!("{name}"));
    values
}

fn value(problem: &Problem, values: &[f64], variable: Variable) -> f64 {
    values[problem.layout().index(variable)]
}
