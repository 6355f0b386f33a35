//! Derivatives of accelerations by state and by parameters, with contacts, against central differences.

use super::*;
use crate::constraint::RowControl;
use crate::formulation::Formulation;
use crate::formulation::articulated::{Articulated, Jacobian};
use crate::retract::retract;
use borelli_contact::friction::Friction;
use borelli_contact::friction::spin::Spin;
use borelli_contact::normal::Normal;
use borelli_contact::volume::Volumetric;
use borelli_testkit::central_difference;

/// Truncation and rounding balance at another step for each column.
const STEPS: [f64; 4] = [2e-3, 3e-4, 5e-5, 2e-6];

/// Compares one column with differences, relative to the largest entry of its table.
fn assert_column(what: &str, found: &[f64], largest: f64, f: &mut dyn FnMut(f64) -> Vec<f64>) {
    let misses = STEPS.map(|h| {
        let expected = central_difference(f, h);
        found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
    });
    assert!(misses.iter().any(|miss| *miss < 1e-8), "{what}: {misses:?} of {largest}");
}

fn largest(table: &[f64]) -> f64 {
    table.iter().fold(1.0, |most, x| most.max(x.abs()))
}

fn forward(system: &System, control: &RowControl, q: &[f64], v: &[f64], tau: &[f64]) -> Vec<f64> {
    let (mut articulated, mut vdot) = (Articulated::new(system), vec![0.0; v.len()]);
    articulated.set_row_control(control);
    articulated.forward(system, 0.0, q, v, tau, &mut vdot).expect("a state");
    vdot
}

/// Checks the slopes by coordinates and by velocities.
fn assert_state_slopes(name: &str, system: &System, q: &[f64], v: &[f64], impact_speed: &[f64]) {
    let (n, tau) = (v.len(), vec![0.3; v.len()]);
    let control = RowControl::of(struck(impact_speed));
    let (mut articulated, mut table) = (Articulated::new(system), Jacobian::new(system));
    articulated.set_row_control(&control);
    articulated.jacobian(system, 0.0, q, v, &tau, &mut table).expect("a state");
    let column = |table: &[f64], j: usize| (0..n).map(|i| table[i * n + j]).collect::<Vec<_>>();
    for j in 0..n {
        let unit = |h: f64| (0..n).map(|i| if i == j { h } else { 0.0 }).collect::<Vec<_>>();
        assert_column(&format!("{name}, by coordinate {j}"), &column(&table.by_q, j), largest(&table.by_q), &mut |h| {
            let mut moved = q.to_vec();
            retract(&system.skeleton, &mut moved, &unit(h));
            forward(system, &control, &moved, v, &tau)
        });
        assert_column(&format!("{name}, by speed {j}"), &column(&table.by_v, j), largest(&table.by_v), &mut |h| {
            let faster: Vec<f64> = v.iter().zip(unit(h)).map(|(v, h)| v + h).collect();
            forward(system, &control, q, &faster, &tau)
        });
    }
}

/// Checks the slopes by all parameters whose path begins so; gives their paths with the largest entry of each.
fn assert_parameter_slopes(name: &str, system: &System, begins: &[&str], q: &[f64], v: &[f64], impact_speed: &[f64]) -> Vec<(String, f64)> {
    let (n, tau) = (v.len(), vec![0.3; v.len()]);
    let control = RowControl::of(struck(impact_speed));
    let slots: Vec<usize> =
        (0..system.parameters.len()).filter(|k| begins.iter().any(|begin| system.parameters[*k].path.starts_with(begin))).collect();
    let mut articulated = Articulated::new(system);
    articulated.set_row_control(&control);
    let mut table = vec![0.0; v.len() * slots.len()];
    articulated.parameter_jacobian(system, 0.0, q, v, &tau, &slots, &mut table).expect("a state");
    let values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
    // Slopes by changes relative to the size of each parameter; lengths and directions that are zero have a size of 10 cm and a tenth.
    let size = |k: usize| values[slots[k]].abs().max(0.1);
    let scaled = |k: usize| (0..n).map(|i| table[i * slots.len() + k] * size(k)).collect::<Vec<_>>();
    let most = (0..slots.len()).map(|k| largest(&scaled(k))).fold(1.0, f64::max);
    for k in 0..slots.len() {
        let path = &system.parameters[slots[k]].path;
        assert_column(&format!("{name}, by {path}"), &scaled(k), most, &mut |h| {
            let mut changed = values.clone();
            changed[slots[k]] += h * size(k);
            forward(&system.with_parameters(&changed), &control, q, v, &tau)
        });
    }
    let worth = |k: usize| scaled(k).iter().fold(0.0f64, |most, x| most.max(x.abs()));
    (0..slots.len()).map(|k| (system.parameters[slots[k]].path.clone(), worth(k))).collect()
}

#[test]
fn slopes_of_every_pairing_are_those_of_differences() {
    let mut random = Random::new(11);
    for pairing in PAIRINGS {
        for place in ["", "force_at = \"a\"", "slip_at = \"centre\""] {
            let system = pairing.system(&format!("normal = {HERTZ}\nfriction = {RUB}\n{place}"));
            let (q, v) = meeting(&system, &mut random);
            assert_state_slopes(&format!("{} {place}", pairing.name()), &system, &q, &v, &[]);
        }
        let system = pairing.system(&format!("normal = {REMEMBER}\nfriction = {RUB}"));
        let (q, v) = meeting(&system, &mut random);
        let found = assert_parameter_slopes(&pairing.name(), &system, &["contact", "surface", "body.one.frame"], &q, &v, &[6.0]);
        // Every number of a shape and of the laws counts, but those for touches without a memory.
        for (path, worth) in found.iter().filter(|(path, _)| !path.ends_with("_speed")) {
            let idle = pairing.one == BALL || pairing.one == DISC || pairing.one == DOT;
            let idle = idle && path.contains("angle") || pairing.dimension == "planar" && path.ends_with(".nz");
            assert!(*worth > 1e-9 || idle, "{}: {path} {worth:e}", pairing.name());
        }
    }
}

#[test]
fn slopes_of_every_law_are_those_of_differences() {
    let mut random = Random::new(12);
    let of = |kinds: &'static [Kind], random: &mut Random| kinds.iter().map(|kind| (kind.name, draw(kind, random))).collect::<Vec<_>>();
    let normals = of(Normal::<f64>::KINDS, &mut random);
    let frictions = of(Friction::<f64>::KINDS, &mut random);
    let contacts = normals.iter().map(|(name, law)| (*name, format!("normal = {law}\nfriction = {RUB}")));
    let contacts = contacts.chain(frictions.iter().map(|(name, law)| (*name, format!("normal = {HERTZ}\nfriction = {law}"))));
    for (name, contact) in contacts {
        let system = EGG_ON_BOARD.system(&contact);
        for _ in 0..3 {
            let (q, v) = meeting(&system, &mut random);
            assert_state_slopes(name, &system, &q, &v, &[2.3]);
            assert_parameter_slopes(name, &system, &["contact", "surface"], &q, &v, &[2.3]);
        }
    }
}

#[test]
fn slopes_of_patches_are_those_of_differences() {
    let mut random = Random::new(13);
    for one in [BALL, EGG] {
        for spin in Spin::<f64>::KINDS {
            let (normal, turn) = (draw(&Volumetric::<f64>::KIND, &mut random), draw(spin, &mut random));
            let system = pairing("spatial", one, BOARD).system(&format!("normal = {normal}\nfriction = {RUB}\nspin = {turn}"));
            for _ in 0..3 {
                let (q, v) = meeting(&system, &mut random);
                assert_state_slopes(spin.name, &system, &q, &v, &[]);
                let found = assert_parameter_slopes(spin.name, &system, &["contact", "surface", "body"], &q, &v, &[]);
                let worth = |end: &str| found.iter().find(|(path, _)| path.ends_with(end)).expect("a parameter").1;
                assert!(
                    ["normal.stiffness", "normal.softness", "friction.transition", "spin.lever", "one.mass"]
                        .iter()
                        .all(|end| worth(end) > 0.0)
                );
            }
        }
    }
}

#[test]
fn the_speeds_that_stand_for_a_memory_have_slopes_where_they_are_used() {
    let system = EGG_ON_BOARD.system(&format!("normal = {REMEMBER}\nleast_speed = 0.4"));
    let (q, v) = meeting(&system, &mut Random::new(14));
    // So slow that nothing pulls, whatever is remembered.
    let v: Vec<f64> = v.iter().map(|v| 0.02 * v).collect();
    for (impact_speed, least, start) in [(0.2, true, false), (0.9, false, false), (0.0, false, true)] {
        let found = assert_parameter_slopes("speeds", &system, &["contact"], &q, &v, &[impact_speed]);
        let used = |end: &str| found.iter().find(|(path, _)| path.ends_with(end)).expect("a parameter").1 > 1e-6;
        assert_eq!((used("least_speed"), used("start_speed")), (least, start), "{impact_speed}: {found:?}");
    }
}

#[test]
fn slopes_of_a_plane_fixed_to_the_world_are_those_of_differences() {
    let mut random = Random::new(15);
    let patch = format!("normal = {BED}\nfriction = {RUB}");
    let point = format!("normal = {HERTZ}\nfriction = {RUB}");
    let sum = format!("normal = {SUM}\nfriction = {RUB}");
    for (pairing, contact) in
        [(EGG_ON_BOARD, &point), (EGG_ON_BOARD, &patch), (EGG_ON_BOARD, &sum), (pairing("planar", OVAL, EDGE), &point)]
    {
        let system = parse(&pairing.text_on_world(contact));
        let (q, v) = meeting(&system, &mut random);
        let v: Vec<f64> = v.iter().map(|v| 0.5 * v).collect();
        let name = format!("{}, fixed", pairing.name());
        assert_state_slopes(&name, &system, &q, &v, &[]);
        // The points of a sum stay where they are while parameters change, and its pitch has no slope.
        let begins: &[&str] = if contact == &sum { &["contact.touch.friction", "surface.one"] } else { &["contact", "surface", "world"] };
        let found = assert_parameter_slopes(&name, &system, begins, &q, &v, &[]);
        if contact == &sum {
            continue;
        }
        let worth = |path: &str| found.iter().find(|(own, _)| own == path).unwrap_or_else(|| panic!("{path} of {found:?}")).1;
        assert!(
            ["surface.other.height", "surface.other.nx", "world.frame.site.origin.y"].iter().all(|path| worth(path) > 1e-6),
            "{found:?}"
        );
    }
}

#[test]
fn slopes_of_a_curved_surface_fixed_to_the_world_are_those_of_differences() {
    // The world's surface once as the first of the pair and once as the second: the force on the body that moves is the same.
    let mut random = Random::new(16);
    for pairing in [pairing("spatial", BALL, EGG), pairing("spatial", EGG, PEBBLE), pairing("planar", OVAL, OVAL)] {
        let text = pairing.text_on_world(&format!("normal = {HERTZ}\nfriction = {RUB}"));
        let sides = [("one", "other"), ("other", "one")];
        for (a, b) in sides {
            let system = parse(&text.replace("a = \"one\"\nb = \"other\"", &format!("a = \"{a}\"\nb = \"{b}\"")));
            let [first, second] = system.numbers.contacts.bodies(0, &system.numbers.place_body);
            assert_eq!((first == 0, second == 0), (a == "other", a == "one"), "{}", pairing.name());
            let (q, v) = meeting(&system, &mut random);
            assert_state_slopes(&format!("{}, {a} first", pairing.name()), &system, &q, &v, &[]);
        }
    }
}
