//! Reference tables 7.2 to 7.5 of the specification of muscles: an independent program, and OpenSim 4.6 beside it.

use super::{evaluate, fields_of, output, rig};
use crate::integrate::{Settings, Statistics, at_times, find, integrate};
use crate::movement::{Movement, Options};
use crate::system::System;
use borelli_testkit::reference::ReferenceTable;

fn table(name: &str) -> Option<ReferenceTable> {
    ReferenceTable::read(&format!("benchmarks/data/muscle_{name}.csv"))
}

/// Rows of a table whose first cells are these.
fn rows(table: &ReferenceTable, keys: &[&str]) -> Vec<usize> {
    (0..table.rows.len()).filter(|row| table.rows[*row].iter().zip(keys).all(|(cell, key)| cell == key)).collect()
}

/// Keys of a table in their order, each once.
fn groups(table: &ReferenceTable, width: usize) -> Vec<Vec<String>> {
    let mut list: Vec<Vec<String>> = Vec::new();
    for row in &table.rows {
        if list.last().is_none_or(|last| *last != row[..width]) {
            list.push(row[..width].to_vec());
        }
    }
    list
}

/// States at times from the start in equilibrium; the excitation by stretches of time.
fn motion(system: &System, method: &str, tolerance: f64, times: &[f64], excitations: &[(f64, f64)]) -> Vec<Vec<f64>> {
    let mut movement = Movement::new(system, Options::default()).expect("a movement");
    let mut y = movement.state(system, &system.start.q, &system.start.v);
    y[movement.layout().z_range()].copy_from_slice(&system.states_at(0.0, &system.start.q).z);
    let mut found = vec![y.clone()];
    let mut t = 0.0;
    for (end, u) in excitations {
        if u.is_finite() {
            movement.replace_controls(&[*u]).expect("one control");
        }
        let own: Vec<f64> = times.iter().copied().filter(|time| *time > t && *time <= *end).collect();
        let mut built = (find(method).expect("a method").build)(y.len());
        let mut record = at_times(&own, y.len(), |_, y: &[f64]| found.push(y.to_vec()));
        let settings = Settings::tolerance(tolerance);
        integrate(&mut *built, &mut movement.of(system), (t, *end), &mut y, &settings, &mut Statistics::default(), &mut record)
            .unwrap_or_else(|failure| panic!("{failure}"));
        t = *end;
    }
    found
}

#[test]
fn the_start_is_in_equilibrium() {
    let Some(table) = table("isometric") else { return };
    for row in 0..table.rows.len() {
        let law = &table.rows[row][0];
        let [length, a] = ["mtu_length_m", "activation"].map(|name| table.number(row, name));
        let start = format!("[initial]\ncoordinates = {{ x = {length} }}\nactivations = {{ m = {a} }}");
        let system = rig(fields_of(law), 1.0, &start);
        let states = system.states_at(0.0, &[length]);
        let out = evaluate(&system, &[length], &[0.0], &states.z);
        let near = |name: &str, wanted: f64, within: f64| {
            let found = output(&system, &out, name);
            assert!((found - wanted).abs() < within, "{law} at {length}, {a}: {name} {found} {wanted}");
        };
        near("fibre_length", table.number(row, "fibre_length_m"), 1e-9);
        near("pennation", table.number(row, "pennation_rad"), 1e-8);
        near("force", table.number(row, "tendon_force_N"), 1e-4);
        near("fibre_speed", 0.0, 1e-9);
    }
}

#[test]
fn muscles_pulled_at_constant_speed_have_the_forces_of_the_table() {
    let Some(table) = table("isokinetic") else { return };
    for key in groups(&table, 3) {
        let keys: Vec<&str> = key.iter().map(String::as_str).collect();
        let rows = rows(&table, &keys);
        let (begin, speed): (f64, f64) = (table.number(rows[0], "mtu_length_m"), keys[2].parse().expect("a speed"));
        let times: Vec<f64> = rows.iter().map(|row| table.number(*row, "t_s")).collect();
        let end = times[times.len() - 1];
        for tendon in ["elastic", "rigid"] {
            let muscle = format!("{}\ntendon = \"{tendon}\"\nactivation = \"none\"\nexcitation = {}", fields_of(keys[0]), keys[1]);
            let guide = format!(
                "[guide.x]\ntype = \"coordinate\"\ncoordinate = \"x\"\nfunction = {{ type = \"polynomial\", coefficients = [\"{begin} m\", \"{speed} m/s\"] }}\n\
                 [initial]\ncoordinates = {{ x = {begin} }}\nspeeds = {{ x = {speed} }}"
            );
            let system = rig(&muscle, 1.0, &guide);
            let states =
                if tendon == "rigid" { vec![vec![]; times.len()] } else { motion(&system, "dopri5", 1e-10, &times, &[(end, f64::NAN)]) };
            for ((row, t), y) in rows.iter().zip(&times).zip(&states) {
                let z = if y.is_empty() { &[][..] } else { &y[2..] };
                let out = evaluate(&system, &[begin + speed * t], &[speed], z);
                let (name, within) = if z.is_empty() { ("rigid_tendon_force_N", 1e-8) } else { ("tendon_force_N", 1e-3) };
                let (found, wanted) = (output(&system, &out, "force"), table.number(*row, name));
                assert!((found - wanted).abs() < within, "{key:?} {tendon} at {t}: {found} {wanted}");
                if !z.is_empty() {
                    let (found, wanted) = (output(&system, &out, "fibre_length"), table.number(*row, "fibre_length_m"));
                    assert!((found - wanted).abs() < 1e-8, "{key:?} at {t}: {found} {wanted}");
                }
            }
        }
    }
}

#[test]
fn muscles_held_at_a_length_follow_a_step_of_excitation_as_the_table_says() {
    let Some(table) = table("activation_step") else { return };
    for key in groups(&table, 2) {
        let keys: Vec<&str> = key.iter().map(String::as_str).collect();
        let rows = rows(&table, &keys);
        let times: Vec<f64> = rows.iter().map(|row| table.number(*row, "t_s")).collect();
        let smooth = if keys[0] == "dgf" { "activation = \"smooth\"" } else { "" };
        let start = format!(
            "[guide.x]\ntype = \"coordinate\"\ncoordinate = \"x\"\nfunction = \"{0} m\"\n[initial]\ncoordinates = {{ x = {0} }}\nactivations = {{ m = 0.05 }}",
            keys[1]
        );
        let system = rig(&format!("{}\n{smooth}", fields_of(keys[0])), 1.0, &start);
        for method in ["dopri5", "rosenbrock"] {
            let states = motion(&system, method, 1e-10, &times, &[(0.2, 0.9), (0.4, 0.05)]);
            for ((row, t), y) in rows.iter().zip(&times).zip(&states) {
                let out = evaluate(&system, &y[..1], &y[1..2], &y[2..]);
                let near = |found: f64, name: &str, within: f64| {
                    let wanted = table.number(*row, name);
                    assert!((found - wanted).abs() < within, "{key:?} {method} at {t}: {name} {found} {wanted}");
                };
                near(y[2], "activation", 1e-7);
                near(output(&system, &out, "force"), "tendon_force_N", 1e-2);
                near(output(&system, &out, "fibre_length"), "fibre_length_m", 1e-7);
            }
        }
    }
}

#[test]
fn muscles_lift_masses_as_the_table_says() {
    let Some(table) = table("lift") else { return };
    for key in groups(&table, 2) {
        let keys: Vec<&str> = key.iter().map(String::as_str).collect();
        let rows = rows(&table, &keys);
        let (mass, begin): (f64, f64) = (keys[1].parse().expect("a mass"), table.number(rows[0], "x_m"));
        let times: Vec<f64> = rows.iter().map(|row| table.number(*row, "t_s")).collect();
        let end = times[times.len() - 1];
        let smooth = if keys[0] == "dgf" { "activation = \"smooth\"" } else { "" };
        for tendon in ["elastic", "rigid"] {
            let muscle = format!("{}\n{smooth}\ntendon = \"{tendon}\"\nexcitation = 0.8", fields_of(keys[0]));
            let start = format!("[initial]\ncoordinates = {{ x = {begin} }}\nactivations = {{ m = 0.1 }}");
            let system = rig(&muscle, mass, &start);
            let states = motion(&system, "dopri5", 1e-11, &times, &[(end, f64::NAN)]);
            let energy = |y: &[f64]| {
                let out = evaluate(&system, &y[..1], &y[1..2], &y[2..]);
                (out.kinetic_energy + out.gravity_energy + out.stored_energy, out)
            };
            let first = energy(&states[0]).0;
            for ((row, t), y) in rows.iter().zip(&times).zip(&states) {
                let near = |found: f64, name: &str, within: f64| {
                    let wanted = table.number(*row, name);
                    assert!((found - wanted).abs() < within, "{key:?} {tendon} at {t}: {name} {found} {wanted}");
                };
                if tendon == "rigid" {
                    near(y[0], "rigid_x_m", 1e-7);
                    near(y[1], "rigid_v_mps", 1e-6);
                    continue;
                }
                let (whole, out) = energy(y);
                near(y[0], "x_m", 1e-7);
                near(y[1], "v_mps", 1e-6);
                near(y[2], "activation", 1e-7);
                near(output(&system, &out, "fibre_length"), "fibre_length_m", 1e-7);
                near(out.stored_energy, "stored_energy_J", 1e-5);
                // Nothing but the fibre gives or takes: the energy of all that moves, falls and stretches is its work.
                near(whole - first, "work_active_and_damping_J", 1e-6);
            }
        }
    }
}
