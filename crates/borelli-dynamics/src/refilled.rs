//! Parameters refilled in place: numbers of a fresh compile, and memory that is as good as new.
//! Not here: what each number does.

use crate::assemble::assemble;
use crate::formulation::articulated::{Articulated, Jacobian, Parts};
use crate::formulation::{Evaluation, FORMULATIONS, Failure, Input};
use crate::implicit_movement::{ImplicitMovement, ImplicitOptions};
use crate::integrate::{Ode, Residual, Tangents};
use crate::kinematics::{self, Refusal, Solver};
use crate::movement::{Movement, Options};
use crate::sensitivity::Sensitivity;
use crate::twin::parse;
use crate::{System, compile};
use borelli_contact::shape::Shape;
use borelli_model::Model;
use borelli_testkit::{Random, assert_close, count_allocations};

/// Every model of the gallery.
fn gallery() -> Vec<System> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(files.len() > 30, "{files:?}");
    files.iter().map(|path| compile(&Model::read(path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))).collect()
}

/// All parameters changed by up to two parts in a hundred; those that are zero by less than makes a body impossible.
fn perturbed(system: &System, random: &mut Random) -> Vec<f64> {
    system.values().iter().map(|x| x + random.uniform(-0.02, 0.02) * if *x == 0.0 { 1e-3 } else { x.abs() }).collect()
}

/// Everything that depends on parameters, each number to the bit: `Debug` tells all doubles apart but those that are not a number.
fn said(system: &System) -> String {
    format!("{:?} {:?} {:?}", system.numbers, system.markers, system.values())
}

/// Whether two curved surfaces may touch, or a path bends over wraps: what is found there depends on where the search began, below its tolerance.
fn is_searched(system: &System) -> bool {
    let contacts = &system.numbers.contacts;
    let curved = |surface: u32| matches!(contacts.surfaces[surface as usize].item.shape, Shape::Smooth(_));
    contacts.pairs.iter().any(|pair| curved(pair.first) && curved(pair.second)) || !system.numbers.paths.wraps.is_empty()
}

#[test]
fn refilled_numbers_are_those_of_a_fresh_compile() {
    let mut random = Random::new(3);
    for mut system in gallery() {
        let (values, compiled) = (system.values(), said(&system));
        let [first, second] = [perturbed(&system, &mut random), perturbed(&system, &mut random)];
        system.refill(&first);
        assert_ne!(said(&system), compiled, "{}", system.name);
        system.refill(&second);
        let mut fresh = system.clone();
        fresh.numbers = system.parts.numbers(&system.skeleton, &second);
        fresh.markers = system.parts.markers(&second);
        assert_eq!(said(&system), said(&fresh), "{}", system.name);
        let (_, requests) = count_allocations(|| system.refill(&values));
        assert_eq!(said(&system), compiled, "{}", system.name);
        assert_eq!(requests, 0, "{}", system.name);
    }
}

/// A model with a number of every sort that a recipe treats apart: frames, fractions, functions with lists, a plane fixed to the world, a relation, a weight, a state.
fn odds_and_ends(f: &dyn Fn(f64) -> f64) -> System {
    let [a, b, c, d, e, g, h, k, l, m] = [0.3, 1.1, 0.4, 0.2, 0.05, 0.7, 0.6, 1.5, 2.0, 0.1].map(f);
    parse(&format!(
        r#"
borelli = 1
dimension = "spatial"
gravity = [0, -9.81, {e}]
[world.frame.ramp]
origin = [{a}, {e}, 0]
rotation = [0, 0, {d}]
[body.a]
mass = {b}
center = [{e}, 0, 0]
inertia = [{d}, {c}, {c}]
[body.a.frame.side]
origin = [{c}, 0, {d}]
angles = [{a}, {d}, {e}]
[body.b]
mass = {l}
inertia = [{d}, {c}, {c}]
[joint.j]
type = "hinge"
parent = "world"
child = "a"
axis = [0, 0, 1]
[joint.k]
type = "hinge"
parent = "a.side"
child = "b"
axis = [0, 1, 0]
[function.p]
type = "polynomial"
coefficients = [{a}, {b}, {c}]
[function.w]
type = "fourier"
period = {k}
mean = {e}
cosines = [{a}, {d}]
sines = [{c}]
[force.push]
type = "effort"
coordinate = "j"
effort = "w"
[force.pull]
type = "effort"
coordinate = "k"
effort = "p"
[loop.gear]
type = "relation"
coefficients = {{ j = {k}, k = {l} }}
offset = {e}
[surface.ball]
type = "sphere"
at = "b"
radius = {h}
[surface.floor]
type = "half-space"
at = "world.ramp"
height = {m}
[contact.c]
a = "ball"
b = "floor"
normal = {{ type = "kelvin-voigt", stiffness = 1000, damping = {g} }}
[marker.m]
at = "b"
weight = {g}
"#
    ))
}

#[test]
fn a_model_refilled_is_the_model_written_with_other_numbers() {
    let (mut system, other) = (odds_and_ends(&|x| x), odds_and_ends(&|x| 1.25 * x + 0.01));
    let paths = |system: &System| system.parameters.iter().map(|p| p.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&system), paths(&other));
    assert_ne!(said(&system), said(&other));
    let planes: Vec<bool> = other.numbers.contacts.surfaces.iter().map(|surface| surface.item.plane.is_some()).collect();
    assert!(planes.contains(&true));
    let values = other.values();
    let (_, requests) = count_allocations(|| system.refill(&values));
    assert_eq!(said(&system), said(&other));
    assert_eq!(requests, 0);
}

/// What a formulation answers, to the bit.
fn answer(result: Result<(), Failure>, out: &Evaluation) -> String {
    result.map_or_else(|failure| format!("{failure:?}"), |()| format!("{out:?}"))
}

#[test]
fn memory_used_before_a_refill_is_as_good_as_new() {
    let (mut random, mut answers, mut refusals) = (Random::new(11), 0, Vec::new());
    for mut system in gallery() {
        let (name, searched) = (system.name.clone(), is_searched(&system));
        let start = assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).unwrap();
        let v: Vec<f64> = start.v.iter().map(|v| v + random.uniform(-0.3, 0.3)).collect();
        let tau = random.uniforms(v.len(), -1.0, 1.0);
        let input = Input { t: 0.01, q: &start.q, v: &v, tau: &tau, ..Input::default() };
        let used: Vec<_> = FORMULATIONS.iter().map(|entry| (entry.build)(&system).ok()).collect();
        let mut articulated = Articulated::new(&system);
        let (mut table, mut new_table) = (Jacobian::new(&system), Jacobian::new(&system));
        let slots: Vec<usize> = (0..system.parameters.len()).collect();
        let [mut slopes, mut new_slopes] = [(); 2].map(|()| vec![0.0; v.len() * slots.len()]);
        let mut used: Vec<_> = used.into_iter().map(|formulation| (formulation, Evaluation::new(&system))).collect();
        for round in 0..3 {
            for (entry, (formulation, out)) in FORMULATIONS.iter().zip(&mut used) {
                let Some(formulation) = formulation else { continue };
                let (found, requests) = count_allocations(|| formulation.evaluate(&system, input, out));
                // The first evaluation may make room for rows on coordinates.
                assert!(requests == 0 || round == 0 || found.is_err(), "{name} {} asked for memory {requests} times", entry.name);
                let (mut new, mut new_out) = ((entry.build)(&system).expect("it took the model"), Evaluation::new(&system));
                let expected = new.evaluate(&system, input, &mut new_out);
                answers += 1;
                refusals.extend(expected.as_ref().err().map(|failure| format!("{name} {} round {round}: {failure}", entry.name)));
                if searched && round > 0 {
                    assert_eq!(found.is_ok(), expected.is_ok(), "{name} {}", entry.name);
                    assert_close(&out.vdot, &new_out.vdot, 1e-9, &format!("{name} {}", entry.name));
                } else {
                    assert_eq!(answer(found, out), answer(expected, &new_out), "{name} {} round {round}", entry.name);
                }
            }
            let all = |articulated: &mut Articulated, table: &mut Jacobian, slopes: &mut [f64]| {
                articulated.jacobian(&system, input.t, input.q, input.v, input.tau, table)?;
                articulated.parameter_jacobian(&system, input.t, input.q, input.v, input.tau, &slots, slopes)
            };
            let (found, requests) = count_allocations(|| all(&mut articulated, &mut table, &mut slopes));
            assert!(requests == 0 || round == 0 || found.is_err(), "{name}: derivatives asked for memory {requests} times");
            let expected = all(&mut Articulated::new(&system), &mut new_table, &mut new_slopes);
            assert_eq!(found.is_ok(), expected.is_ok(), "{name}");
            if found.is_ok() && !(searched && round > 0) {
                assert_eq!(format!("{table:?} {slopes:?}"), format!("{new_table:?} {new_slopes:?}"), "{name} round {round}");
            }
            let values = perturbed(&system, &mut random);
            system.refill(&values);
        }
    }
    assert!(20 * refusals.len() < answers, "{refusals:#?} of {answers}");
}

#[test]
fn memory_is_refused_to_a_system_of_another_shape() {
    let [small, large] = ["double-pendulum", "spatial-arm"].map(|name| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
        compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
    });
    // As large in every number, but hung up otherwise; with a load more; through another kernel.
    let chain = |second: &str| {
        let bodies = ["a", "b", "c"].map(|name| format!("[body.{name}]\nmass = 1\ninertia = 1\npoint.end = [0.3, 0]\n")).concat();
        let joint = |name: &str, parent: &str, child: &str| {
            format!("[joint.{name}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"{child}\"\n")
        };
        let joints = joint("j", "world", "a") + &joint("k", "a.end", "b") + &joint("l", second, "c");
        format!("borelli = 1\ndimension = \"planar\"\n{bodies}{joints}")
    };
    let straight = parse(&chain("b.end"));
    let forked = parse(&chain("a.end"));
    let loaded = parse(&(chain("b.end") + "[force.s]\ntype = \"coordinate-spring\"\ncoordinate = \"j\"\nstiffness = 3\n"));
    for (made, given) in [
        (&small, &large),
        (&large, &small),
        (&straight, &forked),
        (&forked, &straight),
        (&straight, &loaded),
        (&loaded, &straight),
        (&straight, &straight.spatial()),
    ] {
        let (q, v) = (&given.start.q, &given.start.v);
        let (n, mut out) = (v.len(), Evaluation::new(given));
        let input = Input { t: 0.0, q, v, tau: v, ..Input::default() };
        for entry in FORMULATIONS {
            let Ok(mut formulation) = (entry.build)(made) else { continue };
            assert_eq!(formulation.evaluate(given, input, &mut out), Err(Failure::OtherShape), "{}", entry.name);
        }
        let mut articulated = Articulated::new(made);
        let (mut x, mut table) = (vec![0.0; n], Jacobian::new(given));
        assert_eq!(articulated.accelerate(given, input, &mut x), Err(Failure::OtherShape));
        assert_eq!(articulated.inverse(given, 0.0, q, v, v, &mut x), Err(Failure::OtherShape));
        assert_eq!(articulated.report(given, input, Parts::ALL, &mut out), Err(Failure::OtherShape));
        assert_eq!(articulated.linearise(given, input, &mut table), Err(Failure::OtherShape));
        assert_eq!(articulated.parameter_jacobian(given, 0.0, q, v, v, &[0], &mut x), Err(Failure::OtherShape));
        assert!(articulated.drift(given, 0.0, q, v).iter().all(|x| x.is_nan()));
        // And is as good as before with its own.
        let own = Input { t: 0.0, q: &made.start.q, v: &made.start.v, tau: &made.start.v, ..Input::default() };
        articulated.linearise(made, own, &mut Jacobian::new(made)).unwrap();

        let mut movement = Movement::new(made, Options::default()).unwrap();
        let y = movement.state(made, &made.start.q, &made.start.v);
        let (mut dy, mut jac) = (vec![0.0; y.len()], vec![0.0; y.len() * y.len()]);
        assert_eq!(movement.of(given).rates(0.0, &y, &mut dy).err().map(|_| ()), Some(()));
        let mut dt = dy.clone();
        assert!(movement.of(given).linearise(0.0, &y, &mut dy, &mut jac, &mut dt).is_err());
        assert!(!movement.of(given).accepted(0.0, &mut dy));
        let mut sensitivity = Sensitivity::new(made, movement, 1, vec![0]).unwrap();
        let all = sensitivity.state(&y, &[]);
        assert!(sensitivity.of(given).rates(0.0, &all, &mut all.clone()).is_err());

        let mut implicit = ImplicitMovement::new(made, ImplicitOptions::default()).unwrap();
        let (dofs, rows) = (made.start.v.len(), made.names.rows.len());
        let (mut a, mut lambda, mut tangents) = (vec![0.0; dofs], vec![0.0; rows], Tangents::new(dofs, rows));
        let (mut equation, start) = (implicit.of(given), &made.start);
        assert!(equation.accelerations(0.0, &start.q, &start.v, &mut a, &mut lambda).is_err());
        let at = crate::integrate::Motion { q: &start.q, v: &start.v, a: &start.v };
        assert!(equation.fill_tangents(0.0, at, &lambda, &mut tangents).is_err());

        let mut solver = Solver::new(made, kinematics::Options::default());
        assert_eq!(solver.solve(given, 0.0, &[], &[], &mut q.clone()).err(), Some(Refusal::OtherShape));
    }
    // Memory belongs to one compiled model and its copies: another compile may differ where skeletons look alike.
    let (again, copy, mut articulated) = (parse(&chain("b.end")), straight.clone(), Articulated::new(&straight));
    let v = &straight.start.v;
    articulated.forward(&copy, 0.0, &straight.start.q, v, v, &mut v.clone()).unwrap();
    assert!(articulated.forward(&again, 0.0, &straight.start.q, v, v, &mut v.clone()).is_err());
}
