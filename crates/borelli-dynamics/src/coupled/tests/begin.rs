//! The first instant of a motion: nodes under the loads of that time, and accelerations with the mass of soft parts in them.

use super::{movement, system};
use crate::integrate::Residual;
use crate::system::System;

/// A body on a slider, pushed, with a soft block on it; `tie` holds which boundaries, `more` is what else there is.
fn carried(density: &str, ties: &[&str], more: &str) -> System {
    let ties: String =
        ties.iter().map(|b| format!("[tie.{b}]\nboundary = \"block.{b}\"\nto = \"cart\"\nstiffness = \"1 N/mm\"\n")).collect();
    system(&format!(
        r#"
borelli = 1
dimension = "planar"
[body.cart]
mass = "2 kg"
inertia = "1 kg m^2"
[joint.rail]
type = "slider"
axis = [1, 0]
parent = "world"
child = "cart"
coordinates = ["s"]
[force.pull]
type = "effort"
coordinate = "s"
effort = "6 N"
[material.gel]
type = "robust"
young = "1 MPa"
poisson = 0.3
density = "{density}"
[soft.block]
type = "block"
at = "cart"
size = [0.1, 0.05]
divisions = [4, 1]
depth = 0.02
material = "gel"
{ties}{more}"#
    ))
}

/// Accelerations at a start that took up its loads, with the state (x, then the accelerations of coordinates and nodes).
fn accelerations(system: &System) -> (Vec<f64>, Vec<f64>, f64) {
    let mut movement = movement(system);
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(system, &system.start.q, &system.start.v, &mut x, &mut v);
    let mut y = [&system.start.q[..], &x, &system.start.v, &v].concat();
    movement.of(system).take_up_loads(0.0, &mut y).expect("nodes in place");
    let (coords, moving) = (system.skeleton.coords(), system.skeleton.dofs() + nodes);
    let (mut a, mut lambda) = (vec![0.0; moving], vec![0.0; movement.of(system).rows()]);
    let (q, rest) = y.split_at(coords + nodes);
    movement.of(system).accelerations(0.0, q, &rest[..moving], &mut a, &mut lambda).expect("accelerations");
    let mut forces = vec![0.0; moving];
    let mut open = vec![0.0; lambda.len()];
    let at = crate::integrate::Motion { q, v: &rest[..moving], a: &a };
    movement.of(system).residual(0.0, at, &lambda, &mut forces, &mut open).expect("a look");
    let most = forces.iter().fold(0.0_f64, |most, f| most.max(f.abs()));
    (q[coords..].to_vec(), a, most)
}

#[test]
fn soft_mass_fixed_to_a_body_is_pulled_with_it() {
    // Every node is tied: the block is part of the cart, and 0.1 kg heavier it is.
    let system = carried("1000 kg/m^3", &["top", "bottom"], "");
    let (_, a, open) = accelerations(&system);
    let expected = 6.0 / (2.0 + 1000.0 * 0.1 * 0.05 * 0.02);
    assert!((a[0] / expected - 1.0).abs() < 1e-12, "{} and {expected}", a[0]);
    assert!(a[1..].chunks_exact(2).all(|a| (a[0] / expected - 1.0).abs() < 1e-12 && a[1].abs() < 1e-9), "{a:?}");
    assert!(open < 1e-9, "forces balance to {open} N");
}

#[test]
fn soft_mass_held_on_one_side_starts_with_accelerations_that_balance_all_forces() {
    for more in ["", "[traction.wind]\nboundary = \"block.right\"\nforce = [\"500 Pa\", \"0 Pa\"]\n"] {
        let system = carried("1000 kg/m^3", &["bottom"], more);
        let (_, a, open) = accelerations(&system);
        assert!(open < 1e-8, "forces are open by {open} N");
        // Whatever the block does, the whole obeys Newton's law.
        let problem = movement(&system);
        let mut masses = vec![0.0; problem.problem().dofs()];
        problem.problem().solid(0).weight([1.0, 0.0], &mut masses);
        let momentum = 2.0 * a[0] + masses.iter().zip(&a[1..]).map(|(m, a)| m * a).sum::<f64>();
        let wind = if more.is_empty() { 0.0 } else { 500.0 * 0.05 * 0.02 };
        assert!((momentum - 6.0 - wind).abs() < 1e-9, "{momentum} N of {} N", 6.0 + wind);
    }
}

#[test]
fn traction_on_a_part_without_mass_pulls_its_body_from_the_start() {
    let system = carried("0 kg/m^3", &["bottom"], "[traction.wind]\nboundary = \"block.top\"\nforce = [\"500 Pa\", \"0 Pa\"]\n");
    let (x, a, _) = accelerations(&system);
    assert!((a[0] - (6.0 + 500.0 * 0.1 * 0.02) / 2.0).abs() < 1e-9, "{}", a[0]);
    // The top has given way already: it is sheared by about 500 Pa over a shear modulus of 385 kPa.
    let most = x.chunks_exact(2).map(|p| p[0] - 0.1).fold(0.0, f64::max);
    assert!(most > 2e-5 && most < 3e-4, "{most} m");
}

#[test]
fn parts_with_and_without_mass_take_up_loads_together() {
    // A second block without mass on the first, which has mass: it is in balance at once, the first has not moved yet.
    let more = r#"[material.light]
type = "robust"
young = "1 MPa"
poisson = 0.3
[soft.roof]
type = "block"
at = "cart"
corner = [0, 0.05]
size = [0.1, 0.05]
divisions = [4, 1]
depth = 0.02
material = "light"
[tie.seam]
boundary = "roof.bottom"
to = "block.top"
stiffness = "1 N/mm"
[traction.wind]
boundary = "roof.top"
force = ["500 Pa", "0 Pa"]
"#;
    let (x, a, open) = accelerations(&carried("1000 kg/m^3", &["bottom"], more));
    let (heavy, light) = x.split_at(x.len() / 2);
    let highest = |list: &[f64]| list.chunks_exact(2).map(|p| p[0] - 0.1).fold(0.0, f64::max);
    assert!(highest(heavy) < 1e-11, "{}", highest(heavy));
    assert!(highest(light) > 2e-5, "{}", highest(light));
    assert!(open < 1e-7 && a[0].is_finite(), "{open} N");
}

#[test]
fn moved_support_is_where_it_is_at_the_start() {
    let text = "[support.roof]\nboundary = \"block.top\"\ndisplacement = [{ type = \"polynomial\", coefficients = [\"1 mm\", \"2 mm/s\", \"3 mm/s^2\"] }, \"0 mm\"]\n";
    for density in ["0 kg/m^3", "1000 kg/m^3"] {
        let system = carried(density, &["bottom"], text);
        let (x, a, _) = accelerations(&system);
        let top: Vec<usize> = (0..x.len() / 2).filter(|k| (x[2 * k + 1] - 0.05).abs() < 1e-9).collect();
        let expected = |k: usize| (k % 5) as f64 * 0.025 + 0.001;
        assert_eq!(top.len(), 5);
        for (place, k) in top.into_iter().enumerate() {
            assert!((x[2 * k] - expected(place)).abs() < 1e-12, "{density}: {}", x[2 * k]);
            if density.starts_with('1') {
                assert!((a[1 + 2 * k] - 0.006).abs() < 1e-12, "{}", a[1 + 2 * k]);
            }
        }
    }
}
