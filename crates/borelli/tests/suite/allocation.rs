//! An evaluation asks for no memory, whatever the model and the formulation.
//! Not here: making formulations, which may allocate.

use crate::{system, systems};
use borelli::System;
use borelli::data::{Column, Trajectory};
use borelli::dynamics::contact::MatReading;
use borelli::dynamics::formulation::articulated::{Articulated, Jacobian};
use borelli::dynamics::formulation::{Evaluation, FORMULATIONS, Input};
use borelli::dynamics::frames::Frames;
use borelli::dynamics::movement::audited;
use borelli::dynamics::scene::Scene;
use borelli::model::Findings;
use borelli::study::channels::Channels;
use borelli::study::columns::{Columns, Look, Source};
use borelli::study::plan::Derived;
use borelli::study::states::{State, draw};
use borelli_testkit::count_allocations;
use borelli_testkit::random::Random;

fn state(name: &str, system: &System) -> State {
    let mut random = Random::new(7);
    (0..100).find_map(|_| draw(system, &mut random).ok()).unwrap_or_else(|| panic!("{name}: no state can be assembled"))
}

#[test]
fn no_formulation_requests_memory_while_it_evaluates() {
    for (name, system) in systems() {
        let State { t, q, v, tau, .. } = state(name, &system);
        for entry in FORMULATIONS {
            let Ok(mut formulation) = (entry.build)(&system) else { continue };
            let mut out = Evaluation::new(&system);
            let input = Input { t, q: &q, v: &v, tau: &tau, ..Input::default() };
            formulation.evaluate(&system, input, &mut out).unwrap_or_else(|failure| panic!("{name}: {failure}"));
            let (result, requests) = count_allocations(|| formulation.evaluate(&system, input, &mut out));
            assert!(result.is_ok());
            assert_eq!(requests, 0, "{name}, {}", entry.name);
        }
    }
}

#[test]
fn forward_and_inverse_dynamics_and_derivatives_request_no_memory() {
    for (name, system) in systems() {
        let State { t, q, v, tau, .. } = state(name, &system);
        let mut articulated = Articulated::new(&system);
        let mut x = vec![0.0; v.len()];
        let mut out = Jacobian::new(&system);
        let slots: Vec<usize> = (0..system.parameters.len()).collect();
        let mut slopes = vec![0.0; v.len() * slots.len()];
        let mut all = || {
            articulated.forward(&system, t, &q, &v, &tau, &mut x)?;
            articulated.inverse(&system, t, &q, &v, &tau, &mut x)?;
            articulated.jacobian(&system, t, &q, &v, &tau, &mut out)?;
            articulated.parameter_jacobian(&system, t, &q, &v, &tau, &slots, &mut slopes)
        };
        all().unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let (result, requests) = count_allocations(all);
        assert!(result.is_ok());
        assert_eq!(requests, 0, "{name}");
    }
}

#[test]
fn reading_a_pressure_mat_requests_no_memory() {
    let system = system("heel-mat");
    let System { skeleton, numbers, start, .. } = &system;
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, false>(skeleton, &numbers.tree, &start.q, &start.v, &[]);
    frames.fill_points(skeleton);
    let scene = Scene {
        skeleton,
        numbers,
        frames: &frames,
        q: &start.q,
        v: &start.v,
        vdot: &[],
        t: 0.0,
        inside: borelli::dynamics::scene::Inside::NONE,
    };
    let mat = &numbers.contacts.mats[0].item;
    let mut reading = MatReading::new(mat);
    let ((), requests) = count_allocations(|| reading.look(mat, &scene));
    assert_eq!(requests, 0);
    assert!(reading.force > 300.0, "{}", reading.force);
}

#[test]
fn a_look_at_columns_requests_no_memory() {
    for (name, system) in systems() {
        let State { t, q, v, tau, .. } = state(name, &system);
        let work = vec![0.0; audited(&system)];
        let row_force = vec![0.0; system.names.rows.len()];
        for entry in FORMULATIONS {
            let Ok(columns) = Columns::new(&system, entry.name, true) else { continue };
            let mut columns = columns.with_root_residual();
            (0..columns.list().len()).for_each(|column| columns.ask(column));
            let mut values = vec![0.0; columns.list().len()];
            for source in [Source::Forward, Source::Given { vdot: &tau, row_force: &row_force }] {
                let look = Look { t, q: &q, v: &v, z: &[], source, work: Some(&work) };
                columns.fill(look, &mut values).unwrap_or_else(|failure| panic!("{name}: {failure}"));
                let (result, requests) = count_allocations(|| columns.fill(look, &mut values));
                assert!(result.is_ok());
                assert_eq!(requests, 0, "{name}, {}", entry.name);
            }
        }
    }
}

#[test]
fn a_look_at_channels_requests_no_memory() {
    let system = system("walker7-contact");
    let State { t, q, v, .. } = state("walker7-contact", &system);
    let columns = Columns::new(&system, "articulated", false).unwrap_or_else(|declined| panic!("{}", declined.reason));
    let derived = Derived { name: "height".into(), formula: "coord.ty.value + system.center.y".into(), unit: None, at: None };
    let mut measured = Trajectory::new(vec![Column::new("plate.force", "N")]).unwrap_or_else(|fault| panic!("{fault}"));
    [[t - 1.0, 3.0], [t + 1.0, 5.0]].iter().for_each(|row| measured.push_row(row).unwrap_or_else(|fault| panic!("{fault}")));
    let mut findings = Findings::new();
    let mut channels = Channels::new(columns, &[measured], &[derived], &mut findings);
    assert!(!findings.has_errors());
    let (height, force) = (channels.index("derived.height"), channels.index("plate.force"));
    [height, force].into_iter().flatten().for_each(|channel| channels.ask(channel));
    let look = Look { t, q: &q, v: &v, z: &[], source: Source::Forward, work: None };
    channels.look(look).unwrap_or_else(|failure| panic!("{failure}"));
    let (result, requests) = count_allocations(|| channels.look(look).map(|values| force.map(|channel| values[channel])));
    assert_eq!((result, requests), (Ok(Some(4.0)), 0));
    let of = |name: &str| channels.index(name).map(|channel| channels.values()[channel]);
    assert!(of("derived.height").is_some_and(f64::is_finite), "what is asked for is there, with all that it is derived from");
    assert!(of("coord.tx.accel").is_some_and(f64::is_nan), "what nobody asks for is not computed");
}

#[test]
fn the_rates_of_a_person_with_eighty_muscles_request_no_memory() {
    use borelli::dynamics::integrate::Ode;
    use borelli::dynamics::movement::{Movement, Options};
    for law in ["thelen", "millard", "dgf"] {
        let system = borelli::muscled::person(law).unwrap_or_else(|rejected| panic!("{rejected}"));
        let mut movement =
            Movement::new(&system, Options { audit: true, ..Options::default() }).unwrap_or_else(|own| panic!("{}", own.reason));
        let mut y = movement.state(&system, &system.start.q, &system.start.v);
        y[movement.layout().z_range()].copy_from_slice(&system.states_at(0.0, &system.start.q).z);
        let mut dy = vec![0.0; y.len()];
        movement.of(&system).rates(0.0, &y, &mut dy).unwrap_or_else(|failure| panic!("{failure}"));
        let (result, requests) = count_allocations(|| movement.of(&system).rates(0.0, &y, &mut dy));
        assert!(result.is_ok() && dy.iter().all(|rate| rate.is_finite()));
        assert_eq!(requests, 0, "{law}");
    }
}
