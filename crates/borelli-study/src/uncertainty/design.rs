//! Which runs are made: values of all inputs and draws of all noises, one job for each run, in an order that is the same whoever does them.
//! Not here: the runs (`samples`), what follows from them (`bands`, `ranking`).
//!
//! A noise is an input like others to a ranking by Sobol: base sample j has one draw in its matrix A and another in B. Steps, as Morris takes them, a noise has
//! none.

use super::definition::{Method, Uncertainty};
use super::inputs::Inputs;
use borelli_fit::sample::{latin_hypercube, uniform};
use borelli_fit::uncertainty::{morris, sobol};

/// A run to be made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Job {
    pub method: Method,
    /// Among those of its method, from 0.
    pub index: usize,
    /// Values of all inputs.
    pub values: Vec<f64>,
    /// For each noise, which draw it is.
    pub keys: Vec<u32>,
    /// Whether its inputs are drawn as they are distributed, so that bands can be taken of it.
    pub typical: bool,
}

/// Whether a method is the one that bands are taken of: one that draws, else Sobol's.
fn gives_bands(asked: &Uncertainty, method: Method) -> bool {
    method.draws() || method == Method::Sobol && !asked.methods.iter().any(|other| other.draws())
}

/// Number of all runs.
pub(crate) fn run_count(asked: &Uncertainty) -> f64 {
    let (n, d, noises) = (asked.samples as f64, asked.inputs.len() as f64, asked.noises.len() as f64);
    let of = |method: &Method| match method {
        Method::Linear => 0.0,
        Method::MonteCarlo | Method::LatinHypercube => n,
        Method::Sobol => n * (d + noises + 2.0),
        Method::Morris => asked.trajectories as f64 * (d + 1.0),
    };
    asked.methods.iter().map(of).sum()
}

/// All runs, method after method.
pub(crate) fn jobs(asked: &Uncertainty, inputs: &Inputs) -> Vec<Job> {
    let (n, d, noises, seed) = (asked.samples, inputs.list.len(), asked.noises.len(), asked.seed);
    let mut list = Vec::new();
    for method in &asked.methods {
        let bands = gives_bands(asked, *method);
        let drawn = |points: Vec<Vec<f64>>| -> Vec<Job> {
            let job = |(index, shares): (usize, Vec<f64>)| Job {
                method: *method,
                index,
                values: inputs.values(&shares),
                keys: vec![index as u32; noises],
                typical: bands,
            };
            points.into_iter().enumerate().map(job).collect()
        };
        match method {
            Method::Linear => {}
            Method::MonteCarlo => list.extend(drawn(uniform(n, d, seed))),
            Method::LatinHypercube => list.extend(drawn(latin_hypercube(n, d, seed))),
            Method::Sobol => {
                let groups = d + noises;
                let job = |(index, shares): (usize, Vec<f64>)| {
                    let (base, place) = (index / (groups + 2), index % (groups + 2));
                    // A, B, then A with each group of B.
                    let key = |noise: usize| 2 * base as u32 + u32::from(place == 1 || place == 2 + d + noise);
                    Job {
                        method: *method,
                        index,
                        values: inputs.values(&shares[..d]),
                        keys: (0..noises).map(key).collect(),
                        typical: bands && place < 2,
                    }
                };
                list.extend(sobol::design(n, groups, seed).into_iter().enumerate().map(job));
            }
            Method::Morris => {
                let job = |(index, levels): (usize, Vec<f64>)| Job {
                    method: *method,
                    index,
                    values: inputs.levels(&levels),
                    keys: Vec::new(),
                    typical: false,
                };
                list.extend(morris::design(asked.trajectories, d, seed).into_iter().enumerate().map(job));
            }
        }
    }
    list
}
