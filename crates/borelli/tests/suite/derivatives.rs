//! Derivatives of forward dynamics against central differences, on every model of the gallery.
//! Not here: the same against duals, which stands beside the kernel.
//! Differences move states along `retract`, as the derivatives by coordinates are defined.

use crate::systems;
use borelli::System;
use borelli::dynamics::Memory;
use borelli::dynamics::assemble::assemble;
use borelli::dynamics::constraint::RowControl;
use borelli::dynamics::formulation::Formulation;
use borelli::dynamics::formulation::articulated::{Articulated, Jacobian};
use borelli::dynamics::retract::retract;
use borelli::study::compare::Standing;
use borelli::study::states::{State, draw};
use borelli_testkit::random::Random;
use borelli_testkit::{assert_close, central_difference};

/// States of a model that satisfy its loops and guides.
fn states(name: &str, system: &System, count: usize) -> Vec<State> {
    let mut random = Random::new(17);
    let list: Vec<State> =
        (0..100 * count).filter_map(|_| draw(system, &mut random).ok()).filter(|s| usable(system, s)).take(count).collect();
    assert_eq!(list.len(), count, "{name}: states that can be assembled");
    list
}

/// False where a table of a joint ends.
fn usable(system: &System, State { t, q, v, tau, .. }: &State) -> bool {
    Articulated::new(system).forward(system, *t, q, v, tau, &mut vec![0.0; v.len()]).is_ok()
}

fn accelerations(system: &System, State { t, q, v, tau, .. }: &State) -> Vec<f64> {
    let mut vdot = vec![0.0; v.len()];
    Articulated::new(system).forward(system, *t, q, v, tau, &mut vdot).unwrap_or_else(|failure| panic!("{failure}"));
    vdot
}

/// A step of `h` along degree of freedom `k`.
fn moved(system: &System, q: &[f64], k: usize, h: f64) -> Vec<f64> {
    let (mut q, mut step) = (q.to_vec(), vec![0.0; system.skeleton.dofs()]);
    step[k] = h;
    retract(&system.skeleton, &mut q, &step);
    q
}

/// Steps of the differences, relative to the size of what is varied. Truncation and rounding balance at another one for each quantity.
/// Contacts have kinks and bends at speeds of mm/s, which only short steps do not cross.
const STEPS: [f64; 7] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-2, 1e-1, 1.0];

/// Largest entries at the same state with nothing held. Where guides hold bodies against stiff contacts, or loops a kneecap against muscles, accelerations and
/// slopes are what is left of terms of this size, and have their rounding.
#[derive(Clone, Copy, Default)]
struct Cancelled {
    acceleration: f64,
    slope: f64,
}

fn cancelled(system: &System, state: &State) -> Cancelled {
    let pulled = !(system.names.pairs.is_empty() && system.numbers.forces.muscles().is_empty());
    if !pulled || system.names.rows.is_empty() {
        return Cancelled::default();
    }
    let mut articulated = Articulated::new(system);
    articulated.set_row_control(&RowControl::of(Memory::letting_go(&vec![true; system.names.rows.len()])));
    let (mut jacobian, mut vdot) = (Jacobian::new(system), vec![0.0; state.v.len()]);
    let State { t, q, v, tau, .. } = state;
    articulated.forward(system, *t, q, v, tau, &mut vdot).unwrap_or_else(|failure| panic!("{failure}"));
    articulated.jacobian(system, *t, q, v, tau, &mut jacobian).unwrap_or_else(|failure| panic!("{failure}"));
    let largest = |list: &[f64]| list.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
    Cancelled { acceleration: largest(&vdot), slope: largest(&jacobian.by_q).max(largest(&jacobian.by_v)) }
}

/// Rounding that elimination leaves of terms that cancel.
const ROUNDING: f64 = 1e-12;

/// Asserts that central differences of `at` come within 1e-6 of `found`, relative to its largest entry (or one), for one of the steps, but for the rounding of what
/// cancels, in the slopes and in the accelerations whose difference is divided by the step.
fn assert_slope(found: &[f64], size: f64, cancelled: Cancelled, at: &mut dyn FnMut(f64) -> Vec<f64>, what: &dyn Fn() -> String) {
    assert!(found.iter().all(|x| x.is_finite()), "{}: {found:?}", what());
    let scale = found.iter().fold(1.0, |max: f64, x| max.max(x.abs()));
    let mut misses = Vec::new();
    for step in STEPS {
        let slope = central_difference(at, step * size);
        assert_eq!(slope.len(), found.len());
        // What is not a number never passes.
        let noise = ROUNDING * (cancelled.slope + cancelled.acceleration / (step * size));
        let miss = slope.iter().zip(found).map(|(a, b)| ((a - b).abs() - noise) / scale).fold(0.0, |max, x| if x <= max { max } else { x });
        if miss <= 1e-6 {
            return;
        }
        misses.push(miss);
    }
    panic!("{}: {found:?} misses differences by {misses:?} for steps of {STEPS:?} times {size}", what());
}

#[test]
fn derivatives_of_accelerations_are_their_slopes() {
    for (name, planar) in systems() {
        let spatial = planar.spatial();
        for (s, state) in states(name, &planar, 3).iter().enumerate() {
            let independent = !Standing::of(&mut Articulated::new(&planar), &planar, state).dependent;
            for system in [&planar, &spatial] {
                let State { t, q, v, tau, .. } = state;
                let n = v.len();
                let mut jacobian = Jacobian::new(system);
                Articulated::new(system)
                    .jacobian(system, *t, q, v, tau, &mut jacobian)
                    .unwrap_or_else(|failure| panic!("{name}: {failure}"));
                let cancelled = cancelled(system, state);
                let column = |table: &[f64], k: usize| -> Vec<f64> { (0..n).map(|i| table[i * n + k]).collect() };
                for k in 0..n {
                    let kernel = if system.skeleton.planar { "planar" } else { "spatial" };
                    let what = || format!("{name}, state {s}, {kernel} kernel, {}", system.names.speeds[k].name);
                    let speed = |h: f64| {
                        let mut state = state.clone();
                        state.v[k] += h;
                        accelerations(system, &state)
                    };
                    let effort = |h: f64| {
                        let mut state = state.clone();
                        state.tau[k] += h;
                        accelerations(system, &state)
                    };
                    let place = |h: f64| accelerations(system, &State { q: moved(system, q, k, h), ..state.clone() });
                    assert_slope(&column(&jacobian.by_v, k), 1.0, cancelled, &mut { speed }, &|| what() + ", by speed");
                    assert_slope(&column(&jacobian.by_tau, k), 1.0, cancelled, &mut { effort }, &|| what() + ", by effort");
                    if independent {
                        assert_slope(&column(&jacobian.by_q, k), 1.0, cancelled, &mut { place }, &|| what() + ", by coordinate");
                    } else {
                        assert_slope_along_loops(system, state, &jacobian, k, &what);
                    }
                }
            }
        }
    }
}

/// Rows that follow from each other contradict each other beside the motions they allow, so there is a slope along these motions only:
/// each step is assembled again, and the speeds change with it.
fn assert_slope_along_loops(system: &System, state: &State, jacobian: &Jacobian, k: usize, what: &dyn Fn() -> String) {
    let n = state.v.len();
    let at = |h: f64| {
        let q = moved(system, &state.q, k, h);
        let found = assemble(system, state.t, &q, &state.v, &[]).unwrap_or_else(|fault| panic!("{}: {fault}", what()));
        State { q: found.q, v: found.v, ..state.clone() }
    };
    let step = STEPS[0];
    let q_slope = central_difference(&mut |h| at(h).q, step);
    let v_slope = central_difference(&mut |h| at(h).v, step);
    assert_eq!(q_slope.len(), n, "{}: a quaternion would need its tangent here", what());
    let row = |i: usize| (0..n).map(|j| jacobian.by_q[i * n + j] * q_slope[j] + jacobian.by_v[i * n + j] * v_slope[j]).sum::<f64>();
    let found: Vec<f64> = (0..n).map(row).collect();
    assert_close(&found, &central_difference(&mut |h| accelerations(system, &at(h)), step), 1e-6, &what());
}

#[test]
fn derivatives_by_parameters_are_slopes_for_every_parameter_of_every_model() {
    let mut tested = 0;
    for (name, system) in systems() {
        let values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
        let slots: Vec<usize> = (0..values.len()).collect();
        for (s, state) in states(name, &system, 2).iter().enumerate() {
            let State { t, q, v, tau, .. } = state;
            let cancelled = cancelled(&system, state);
            let mut found = vec![0.0; v.len() * slots.len()];
            Articulated::new(&system)
                .parameter_jacobian(&system, *t, q, v, tau, &slots, &mut found)
                .unwrap_or_else(|failure| panic!("{name}: {failure}"));
            for k in 0..values.len() {
                let mut at = |h: f64| {
                    let mut values = values.clone();
                    values[k] += h;
                    accelerations(&system.with_parameters(&values), state)
                };
                let column: Vec<f64> = (0..v.len()).map(|i| found[i * values.len() + k]).collect();
                let size = if values[k] == 0.0 { 0.01 } else { 0.5 * values[k].abs() };
                assert_slope(&column, size, cancelled, &mut at, &|| format!("{name}, state {s}, by {}", system.parameters[k].path));
            }
        }
        tested += values.len();
    }
    assert!(tested > 1200, "{tested}");
}
