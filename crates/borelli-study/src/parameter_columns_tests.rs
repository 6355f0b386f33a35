//! Columns as functions of parameters: the values of a run, and slopes that are those of differences.

use crate::channels::Channels;
use crate::columns::{Columns, Look, Source};
use crate::parameter_columns::{ParameterColumns, StateOver};
use borelli_dynamics::{System, compile};
use borelli_math::Dual;
use borelli_model::{Findings, Model};
use borelli_testkit::Random;
use std::path::Path;

const N: usize = 6;

fn gallery(name: &str) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/{name}.toml"));
    let model = Model::read(&path).unwrap_or_else(|e| panic!("{e}"));
    compile(&model).unwrap_or_else(|e| panic!("{e}"))
}

/// A state near the start of the model, so that contacts and paths are where they are meant to be.
fn near_start(system: &System, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let mut q = system.start.q.clone();
    let noise = random.uniforms(q.len(), -1e-3, 1e-3);
    q.iter_mut().zip(noise).for_each(|(q, noise)| *q += noise);
    crate::columns::normalise(system, &mut q);
    let v = system.start.v.iter().zip(random.uniforms(system.start.v.len(), -0.1, 0.1)).map(|(v, noise)| v + noise).collect();
    (q, v)
}

#[test]
fn slopes_of_all_columns_by_parameters_are_those_of_differences() {
    for name in ["walker7-contact", "pendulum", "human3d", "slider-crank", "knee"] {
        let system = gallery(name);
        let mut random = Random::new(7);
        let (q, v) = near_start(&system, &mut random);
        let mut findings = Findings::new();
        let columns = Columns::new(&system, "articulated", false).unwrap_or_else(|e| panic!("{}", e.reason));
        let mut channels = Channels::new(columns, &[], &[], &mut findings);
        let count = channels.list().len();
        let mut sloped = ParameterColumns::<Dual<N>>::new(&system, &channels);
        let mut plain = ParameterColumns::<f64>::new(&system, &channels);
        let mut with_slopes = Vec::new();
        for channel in 1..=count {
            let unit = channels.list()[channel - 1].unit.clone();
            // Mats have none, and flags jump.
            if !channels.list()[channel - 1].name.starts_with("sensor.") && unit.as_deref() != Some("1") {
                assert!(sloped.ask(channel) && plain.ask(channel), "{name}: {}", channels.list()[channel - 1].name);
                channels.ask(channel);
                with_slopes.push(channel);
            }
        }
        let look = Look { t: 0.1, q: &q, v: &v, z: &[], source: Source::Forward, work: None };
        let reference = channels.look(look).unwrap_or_else(|e| panic!("{name}: {e}")).to_vec();
        let values = system.values();
        let mut at = |values: &[f64]| {
            plain.set_parameters(values);
            plain.forget();
            plain.look(StateOver { t: 0.1, q: &q, v: &v, z: &[], vdot: None }).unwrap_or_else(|e| panic!("{name}: {e}")).to_vec()
        };
        let size = |channel: usize| reference[channel].abs().max(1.0);
        let same = at(&values);
        for channel in &with_slopes {
            let (a, b) = (reference[*channel], same[*channel]);
            assert!(
                a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * size(*channel),
                "{name}: {} {a} {b}",
                channels.list()[channel - 1].name
            );
        }
        let (dq, dv): (Vec<Dual<N>>, Vec<Dual<N>>) = (q.iter().map(|x| constant(*x)).collect(), v.iter().map(|x| constant(*x)).collect());
        let slots: Vec<usize> = (0..system.parameters.len()).step_by(system.parameters.len() / 12 + 1).collect();
        for chunk in slots.chunks(N) {
            let mut seeded: Vec<Dual<N>> = values.iter().map(|x| constant(*x)).collect();
            chunk.iter().enumerate().for_each(|(k, slot)| seeded[*slot].eps[k] = 1.0);
            sloped.set_parameters(&seeded);
            sloped.forget();
            let found =
                sloped.look(StateOver { t: 0.1, q: &dq, v: &dv, z: &[], vdot: None }).unwrap_or_else(|e| panic!("{name}: {e}")).to_vec();
            for (k, slot) in chunk.iter().enumerate() {
                let h = 1e-6 * values[*slot].abs().max(1e-3);
                let moved = |h: f64| {
                    let mut values = values.clone();
                    values[*slot] += h;
                    values
                };
                let (up, down) = (at(&moved(h)), at(&moved(-h)));
                // What has no value here has no slope.
                for channel in with_slopes.iter().filter(|channel| !reference[**channel].is_nan()) {
                    let slope = found[*channel].eps[k];
                    let difference = (up[*channel] - down[*channel]) / (2.0 * h);
                    // Rounding of values of this size over the step, and what the step itself leaves out.
                    let allowed = 1e-5 * slope.abs().max(difference.abs()) + 1e-9 * size(*channel) / h;
                    let (column, path) = (&channels.list()[channel - 1].name, &system.parameters[*slot].path);
                    assert!((slope - difference).abs() <= allowed, "{name}: {column} by {path}: {slope} {difference}");
                }
            }
        }
    }
}

fn constant(x: f64) -> Dual<N> {
    Dual { re: x, eps: [0.0; N] }
}
