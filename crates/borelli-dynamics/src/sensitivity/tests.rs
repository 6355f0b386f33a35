//! Derivatives of a motion against a closed form and against differences of whole integrations.

use super::*;
use crate::assemble::{StartValue, assemble, slope};
use crate::compile;
use crate::formulation::FORMULATIONS;
use crate::integrate::{Settings, Statistics, Unobserved, find, integrate};
use crate::movement::{DriftControl, Options};
use crate::system::System;
use borelli_model::Model;
use borelli_testkit::{assert_close, central_difference, count_allocations};

fn parse(text: &str) -> System {
    compile(&Model::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

fn read(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
    compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

fn reach(ode: &mut dyn Ode, end: f64, y: &[f64]) -> Vec<f64> {
    let (mut y, mut method, mut statistics) = (y.to_vec(), (find("dopri5").unwrap().build)(y.len()), Statistics::default());
    let settings = Settings::tolerance(1e-12);
    integrate(&mut *method, ode, (0.0, end), &mut y, &settings, &mut statistics, &mut Unobserved).unwrap_or_else(|f| panic!("{f}"));
    y
}

#[test]
fn an_oscillator_has_the_derivatives_of_its_closed_form() {
    let system = parse(
        "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 2\ninertia = 1\n\
         [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n\
         [force.k]\ntype = \"coordinate-spring\"\ncoordinate = \"x\"\nstiffness = 18\n",
    );
    // x = x0 cos ωt + v0/ω sin ωt, ω = √(k/m) = 3; dω/dk = 1/(2 m ω).
    let (x0, v0, w, t) = (0.4, -0.7, 3.0f64, 1.3);
    let (s, c) = (w * t).sin_cos();
    let stiffness = system.parameter("force.k.stiffness").expect("a parameter");
    let mut ode = Sensitivity::new(&system, Movement::new(&system, Options::default()).unwrap(), 2, vec![stiffness]).unwrap();
    let start = ode.state(&[x0, v0], &[vec![1.0, 0.0], vec![0.0, 1.0]]);
    let y = reach(&mut ode.of(&system), t, &start);
    assert_close(ode.base(&y), &[x0 * c + v0 / w * s, -x0 * w * s + v0 * c], 1e-10, "state");
    assert_close(ode.column(&y, 0), &[c, -w * s], 1e-10, "by x0");
    assert_close(ode.column(&y, 1), &[s / w, c], 1e-10, "by v0");
    let by_w = [-x0 * t * s - v0 / (w * w) * s + v0 / w * t * c, -x0 * s - x0 * w * t * c - v0 * t * s];
    assert_close(ode.column(&y, 2), &by_w.map(|x| x / (2.0 * 2.0 * w)), 1e-10, "by stiffness");
}

#[test]
fn derivatives_by_the_start_are_slopes_of_whole_integrations() {
    // A tree, quaternions, forces of paths, functions of time.
    for (name, end) in [("double-pendulum", 0.6), ("heavy-top", 0.3), ("spatial-arm", 0.2), ("path-muscles", 0.2)] {
        let system = read(name);
        let mut ode = Sensitivity::new(&system, Movement::new(&system, Options::default()).unwrap(), 2, Vec::new()).unwrap();
        let y0 = ode.movement().state(&system, &system.start.q, &system.start.v);
        let dim = y0.len();
        // One direction in velocities, one in everything that is no quaternion.
        let wave = |k: usize| ((k as f64) * 1.7).sin();
        let coords = system.skeleton.coords();
        let speeds: Vec<f64> = (0..dim).map(|k| if k < coords { 0.0 } else { wave(k) }).collect();
        let angle = |k: usize| k < coords && system.names.coordinates[k].measure == crate::system::Measure::Quaternion;
        let all: Vec<f64> = (0..dim).map(|k| if angle(k) { 0.0 } else { wave(k + 3) }).collect();
        let start = ode.state(&y0, &[speeds.clone(), all.clone()]);
        let y = reach(&mut ode.of(&system), end, &start);
        for (k, direction) in [speeds, all].into_iter().enumerate() {
            let mut ends = |h: f64| {
                let moved: Vec<f64> = y0.iter().zip(&direction).map(|(y, d)| y + h * d).collect();
                reach(&mut Movement::new(&system, Options::default()).unwrap().of(&system), end, &moved)
            };
            assert_close(ode.column(&y, k), &central_difference(&mut ends, 1e-3), 1e-7, &format!("{name}, direction {k}"));
        }
    }
}

#[test]
fn derivatives_by_a_held_start_value_go_through_assembling() {
    for (name, end, held) in [("four-bar", 0.3, vec![true, false, false]), ("ballistic-gait", 0.6, vec![true, false, true])] {
        let system = read(name);
        let options = || Options { drift: DriftControl::Projection, ..Options::default() };
        let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &held).unwrap();
        for value in [StartValue::Coordinate(0), StartValue::Speed(0)] {
            let by = slope(&system, 0.0, &found.q, &found.v, &held, value).unwrap();
            let mut ode = Sensitivity::new(&system, Movement::new(&system, options()).unwrap(), 1, Vec::new()).unwrap();
            let start = ode.movement().state(&system, &found.q, &found.v);
            let start = ode.state(&start, &[[by.q, by.v].concat()]);
            let y = reach(&mut ode.of(&system), end, &start);
            let mut ends = |h: f64| {
                let (mut q, mut v) = (found.q.clone(), found.v.clone());
                match value {
                    StartValue::Coordinate(dof) => q[dof] += h,
                    StartValue::Speed(dof) => v[dof] += h,
                }
                let moved = assemble(&system, 0.0, &q, &v, &held).unwrap();
                let mut movement = Movement::new(&system, options()).unwrap();
                let y = movement.state(&system, &moved.q, &moved.v);
                reach(&mut movement.of(&system), end, &y)
            };
            assert_close(ode.column(&y, 0), &central_difference(&mut ends, 1e-3), 1e-7, &format!("{name}, {value:?}"));
        }
    }
}

#[test]
fn derivatives_by_parameters_are_slopes_of_whole_integrations() {
    for (name, end, paths) in
        [("double-pendulum", 0.5, ["body.upper.mass", "gravity.y"]), ("walker7-passive", 0.1, ["body.trunk.mass", "gravity.y"])]
    {
        let system = read(name);
        let slots: Vec<usize> = paths.iter().filter_map(|path| system.parameter(path)).collect();
        assert!(!slots.is_empty(), "{name}: {:?}", system.parameters.iter().map(|p| &p.path).collect::<Vec<_>>());
        let mut ode = Sensitivity::new(&system, Movement::new(&system, Options::default()).unwrap(), 0, slots.clone()).unwrap();
        let y0 = ode.movement().state(&system, &system.start.q, &system.start.v);
        let start = ode.state(&y0, &[]);
        let y = reach(&mut ode.of(&system), end, &start);
        for (k, slot) in slots.iter().enumerate() {
            let mut ends = |h: f64| {
                let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
                values[*slot] += h;
                let other = system.with_parameters(&values);
                reach(&mut Movement::new(&other, Options::default()).unwrap().of(&other), end, &y0)
            };
            assert_close(
                ode.column(&y, k),
                &central_difference(&mut ends, 1e-3),
                1e-7,
                &format!("{name}, {}", system.parameters[*slot].path),
            );
        }
    }
}

#[test]
fn what_cannot_be_had_is_declined() {
    let system = read("pendulum");
    let many = Sensitivity::new(&system, Movement::new(&system, Options::default()).unwrap(), 0, vec![9999]);
    assert!(many.err().expect("declined").reason.contains("no parameter 9999"));
    let audited = Movement::new(&system, Options { audit: true, ..Options::default() }).unwrap();
    assert!(Sensitivity::new(&system, audited, 0, vec![0]).err().expect("declined").reason.contains("audit"));
}

#[test]
fn steps_with_derivatives_take_no_memory_in_any_formulation() {
    // Quaternions and paths, a loop, function joints with forces, states of elements, contact.
    for name in ["spatial-arm", "four-bar", "path-muscles", "walker7-passive", "walker7-contact", "function-knee", "creeping-tendon"] {
        let system = read(name);
        let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).unwrap();
        for entry in FORMULATIONS {
            let options = Options { formulation: entry.name, ..Options::default() };
            let Ok(movement) = Movement::new(&system, options) else { continue };
            let slots: Vec<usize> = (0..system.parameters.len().min(6)).collect();
            let mut ode = Sensitivity::new(&system, movement, 1, slots).unwrap();
            let y = ode.movement().state(&system, &found.q, &found.v);
            let mut y = ode.state(&y, &[vec![0.1; y.len()]]);
            let (mut method, mut statistics) = ((find("dopri5").unwrap().build)(y.len()), Statistics::default());
            let settings = Settings::tolerance(1e-6);
            let mut step =
                |interval| integrate(&mut *method, &mut ode.of(&system), interval, &mut y, &settings, &mut statistics, &mut Unobserved);
            step((0.0, 1e-3)).unwrap_or_else(|failure| panic!("{name} {}: {failure}", entry.name));
            let (end, requests) = count_allocations(|| step((1e-3, 3e-3)));
            assert!(end.is_ok(), "{name} {}", entry.name);
            assert_eq!(requests, 0, "{name} {}", entry.name);
        }
    }
}
