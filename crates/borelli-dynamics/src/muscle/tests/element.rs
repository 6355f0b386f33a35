//! The muscle element: power, slopes, limits, the rigid tendon as a limit of stiff ones, activation, momentum.

use super::{SET, evaluate, fields_of, output, parse, rig};
use crate::formulation::articulated::Articulated;
use crate::formulation::{FORMULATIONS, Input};
use crate::frames::Frames;
use crate::integrate::{INTEGRATORS, Kind, Ode, Settings, Statistics, Unobserved, find, integrate};
use crate::movement::{Movement, Options};
use crate::muscle::MuscleFault;
use crate::scene::{Inside, Loads, Scene};
use crate::system::{Numbers, Skeleton, System};
use borelli_math::random::Random;
use borelli_math::{Constant, Dual, Real};
use borelli_testkit::{assert_close, central_difference, count_allocations};

/// The same muscle with the damping that its law takes unless one is given.
pub(super) fn undamped(fields: &str) -> String {
    fields.lines().filter(|line| !line.starts_with("damping")).collect::<Vec<_>>().join("\n")
}

/// All laws with both tendons; what they start from.
fn everyone() -> Vec<(String, System)> {
    let mut list = Vec::new();
    for (law, fields) in SET {
        for more in ["", "tendon = \"rigid\"", "damping = 0.05\nactivation = \"smooth\""] {
            let fields = if more.starts_with("damping") { undamped(fields) } else { fields.to_string() };
            let system = rig(&format!("{fields}\n{more}\nexcitation = 0.6"), 10.0, "");
            list.push((format!("{law} {more}"), system));
        }
    }
    list
}

/// Length of the path at the optimal fibre and slack tendon.
pub(super) fn rest_length(system: &System) -> f64 {
    let (_, size) = system.numbers.forces.muscles()[0];
    size.tendon_length + size.fibre_length * size.pennation.cos()
}

/// Random states in which the muscle pulls: length, rate, states.
fn states(system: &System, count: usize) -> Vec<(f64, f64, Vec<f64>)> {
    let mut random = Random::new(23);
    let (_, size) = system.numbers.forces.muscles()[0];
    let rest = rest_length(system);
    let mut list = Vec::new();
    for _ in 0..count {
        let length = rest + size.fibre_length * random.uniform(-0.3, 0.3);
        let rate = size.fibre_length * random.uniform(-1.5, 1.5);
        let mut z = system.states_at(0.0, &[length]).z;
        z[0] = random.uniform(0.1, 0.9);
        if size.elastic {
            let fibre = (length - size.tendon_length * (1.0 + random.uniform(0.005, 0.035))) / size.fibre_length;
            z[1] = fibre.max(0.62);
        }
        list.push((length, rate, z));
    }
    list
}

/// Loads over any scalar.
fn loads<S: Real, C: Constant<S>>(skeleton: &Skeleton, numbers: &Numbers<C>, q: &[S], v: &[S], z: &[S]) -> Loads<S> {
    let mut frames = Frames::new(skeleton);
    frames.fill::<C, false>(skeleton, &numbers.tree, q, v, &[]);
    frames.fill_points(skeleton);
    let mut loads = Loads::new(skeleton, numbers);
    let scene = Scene { skeleton, numbers, frames: &frames, q, v, vdot: &[], t: S::ZERO, inside: Inside { z, u: &[] } };
    numbers.forces.apply(&scene, &mut loads);
    loads
}

/// Everything a muscle gives.
fn everything<S: Real>(loads: &Loads<S>) -> Vec<S> {
    [&loads.lines.tension[..], &loads.inner.zdot, &loads.inner.output, &[loads.stored]].concat()
}

#[test]
fn power_and_energy_of_a_muscle_balance() {
    for (name, system) in everyone() {
        for (length, rate, z) in states(&system, 40) {
            let out = evaluate(&system, &[length], &[rate], &z);
            // The rate of the stored energy along the motion, exact.
            let lifted: Vec<Dual<1>> = z.iter().zip(&out.zdot).map(|(z, rate)| Dual { re: *z, eps: [*rate] }).collect();
            let (q, v) = ([Dual { re: length, eps: [rate] }], [Dual { re: rate, eps: [0.0] }]);
            let change = loads(&system.skeleton, &system.numbers, &q, &v, &lifted).stored.eps[0];
            let [force, active, damping] = ["force", "active_power", "damping_power"].map(|what| output(&system, &out, what));
            assert!(force >= 0.0 && damping <= 0.0, "{name}");
            let scale = 1.0 + (force * rate).abs() + active.abs();
            assert!(
                (-force * rate + change - active - damping).abs() < 1e-11 * scale,
                "{name}: {force} {rate} {change} {active} {damping}"
            );
        }
    }
}

#[test]
fn slopes_by_states_and_parameters_are_those_of_differences() {
    for (name, system) in everyone() {
        let values = system.values();
        let mut random = Random::new(9);
        for (length, rate, z) in states(&system, 6) {
            let (dl, dv) = (random.uniform(-0.05, 0.05), random.uniform(-0.5, 0.5));
            let dz = random.uniforms(z.len(), -0.3, 0.3);
            let dp: Vec<f64> = values.iter().map(|value| 0.2 * value * random.uniform(-1.0, 1.0)).collect();
            let dual = |x: f64, d: f64| Dual::<1> { re: x, eps: [d] };
            let numbers = system.parts.numbers(&system.skeleton, &values.iter().zip(&dp).map(|(x, d)| dual(*x, *d)).collect::<Vec<_>>());
            let lifted: Vec<Dual<1>> = z.iter().zip(&dz).map(|(x, d)| dual(*x, *d)).collect();
            let found = loads(&system.skeleton, &numbers, &[dual(length, dl)], &[dual(rate, dv)], &lifted);
            let exact: Vec<f64> = everything(&found).iter().map(|x| x.eps[0]).collect();
            let mut at = |s: f64| {
                let values: Vec<f64> = values.iter().zip(&dp).map(|(x, d)| x + s * d).collect();
                let z: Vec<f64> = z.iter().zip(&dz).map(|(x, d)| x + s * d).collect();
                let numbers = system.parts.numbers(&system.skeleton, &values);
                everything(&loads(&system.skeleton, &numbers, &[length + s * dl], &[rate + s * dv], &z))
            };
            assert_close(&exact, &central_difference(&mut at, 1e-4), 1e-6, &name);
        }
    }
}

#[test]
fn evaluations_elsewhere_change_nothing() {
    for (name, system) in everyone() {
        let list = states(&system, 12);
        let mut articulated = Articulated::new(&system);
        let mut accelerate = |(length, rate, z): &(f64, f64, Vec<f64>)| {
            let mut vdot = [0.0];
            let input = Input { t: 0.0, q: &[*length], v: &[*rate], inside: Inside { z, u: &[] }, tau: &[0.0] };
            articulated.accelerate(&system, input, &mut vdot).expect("an acceleration");
            (vdot[0].to_bits(), articulated.rates_of_states().iter().map(|rate| rate.to_bits()).collect::<Vec<_>>())
        };
        let first: Vec<_> = list.iter().map(&mut accelerate).collect();
        let backwards: Vec<_> = list.iter().rev().map(&mut accelerate).collect();
        assert!(first.iter().eq(backwards.iter().rev()), "{name}");
    }
}

/// The state at the end of a motion from the start in equilibrium.
pub(super) fn run(system: &System, options: Options, method: &str, settings: &Settings, end: f64) -> Vec<f64> {
    let mut movement = Movement::new(system, options).expect("a movement");
    let mut y = movement.state(system, &system.start.q, &system.start.v);
    y[movement.layout().z_range()].copy_from_slice(&system.states_at(0.0, &system.start.q).z);
    let mut built = (find(method).expect("a method").build)(y.len());
    integrate(&mut *built, &mut movement.of(system), (0.0, end), &mut y, settings, &mut Statistics::default(), &mut Unobserved)
        .unwrap_or_else(|failure| panic!("{method}: {failure}"));
    y
}

#[test]
fn every_formulation_and_integrator_moves_a_muscle_alike() {
    for (law, fields) in SET {
        let fields = undamped(fields);
        let length = rest_length(&rig(&fields, 1.0, ""));
        let system = rig(&format!("{fields}\nexcitation = 0.7"), 30.0, &format!("[initial]\ncoordinates = {{ x = {length} }}"));
        let exact = run(&system, Options::default(), "dopri5", &Settings::tolerance(1e-12), 0.1);
        for entry in FORMULATIONS.iter().filter(|entry| (entry.build)(&system).is_ok()) {
            for method in INTEGRATORS {
                let fixed = method.kind == Kind::Fixed;
                let settings = if fixed { Settings::fixed(2e-4) } else { Settings::tolerance(1e-9) };
                let options = Options { formulation: entry.name, ..Options::default() };
                let found = run(&system, options, method.name, &settings, 0.1);
                let allowed = if method.name == "heun" { 1e-4 } else { 2e-6 };
                for (found, exact) in found.iter().zip(&exact) {
                    assert!((found - exact).abs() < allowed, "{law} {} {}: {found} {exact}", entry.name, method.name);
                }
            }
        }
    }
}

#[test]
fn a_run_in_two_parts_ends_with_the_same_bits() {
    let (_, fields) = SET[1];
    let system = rig(&format!("{fields}\nexcitation = 0.7"), 30.0, "[initial]\ncoordinates = { x = 0.24 }");
    // Fixed steps: the integrator itself remembers nothing. Times that are sums of powers of two have no rounding, so that steps are the same to the bit, too.
    let step = Settings::fixed(1.0 / 1024.0);
    let whole = run(&system, Options::default(), "rk4", &step, 64.0 / 1024.0);
    let movement = Movement::new(&system, Options::default()).expect("a movement");
    let mut y = movement.state(&system, &[0.24], &[0.0]);
    y[movement.layout().z_range()].copy_from_slice(&system.states_at(0.0, &[0.24]).z);
    for (from, to) in [(0.0, 32.0 / 1024.0), (32.0 / 1024.0, 64.0 / 1024.0)] {
        let mut fresh = Movement::new(&system, Options::default()).expect("a movement");
        let mut method = (find("rk4").expect("it").build)(y.len());
        integrate(&mut *method, &mut fresh.of(&system), (from, to), &mut y, &step, &mut Statistics::default(), &mut Unobserved)
            .expect("a motion");
    }
    assert_eq!(y, whole, "restart");
}

#[test]
fn a_stiff_tendon_tends_to_the_rigid_one_with_its_compliance() {
    for (law, fields) in SET {
        let fields = undamped(fields);
        let base = rig(&fields, 1.0, "");
        let begin = rest_length(&base);
        let guide = format!(
            "[guide.x]\ntype = \"coordinate\"\ncoordinate = \"x\"\nfunction = {{ type = \"polynomial\", coefficients = [\"{begin} m\", \"-0.1 m/s\"] }}\n\
             [initial]\ncoordinates = {{ x = {begin} }}\nspeeds = {{ x = -0.1 }}"
        );
        let excited = "activation = \"none\"\nexcitation = 0.7";
        // Shortened at constant speed: the force at the end. A mass that hangs on it, free: where it is at the end.
        let pulled = |more: &str| {
            let system = rig(&format!("{fields}\n{excited}\n{more}"), 1.0, &guide);
            let y = run(&system, Options::default(), "rosenbrock", &Settings::tolerance(1e-10), 0.08);
            let out = evaluate(&system, &[begin - 0.008], &[-0.1], &y[2..]);
            output(&system, &out, "force")
        };
        let (_, size) = base.numbers.forces.muscles()[0];
        let hung = |more: &str| {
            let start = format!("[initial]\ncoordinates = {{ x = {begin} }}");
            let system = rig(&format!("{fields}\n{excited}\n{more}"), 0.04 * size.force, &start);
            run(&system, Options::default(), "rosenbrock", &Settings::tolerance(1e-10), 0.1)[0]
        };
        for (what, end) in [("force", &pulled as &dyn Fn(&str) -> f64), ("place", &hung)] {
            let rigid = end("tendon = \"rigid\"");
            let apart = [0.001, 0.0005, 0.00025].map(|strain| end(&format!("tendon_strain = {strain}")) - rigid);
            // The exponent of the compliance between neighbours; it comes nearer to one as what is of second order fades.
            let [first, second] = [apart[0] / apart[1], apart[1] / apart[2]].map(f64::log2);
            assert!((first - 1.0).abs() < 0.04 && (second - 1.0).abs() < 0.02, "{law}, {what}: {first} {second}, {apart:?} of {rigid}");
        }
    }
}

#[test]
fn activation_follows_its_closed_form() {
    // Rise: −1.5 (a − a₀) − (0.5 + 1.5 u) ln((u − a)/(u − a₀)) = t/τ_a. Fall: a = (u + 0.5 r)/(1 − 1.5 r), r = (a₀ − u)/(0.5 + 1.5 a₀) exp(−(0.5 + 1.5 u) t/τ_d).
    let system = |u: f64, a0: f64| {
        let (_, fields) = SET[1];
        let start = format!("[initial]\ncoordinates = {{ x = 0.24 }}\nactivations = {{ m = {a0} }}");
        rig(&format!("{fields}\ntendon = \"rigid\"\nexcitation = {u}"), 1e9, &start)
    };
    let end = |system: &System, t: f64| run(system, Options::default(), "dopri5", &Settings::tolerance(1e-12), t)[2];
    let (u, a0) = (0.9, 0.05);
    for t in [0.004, 0.02, 0.06] {
        let a = end(&system(u, a0), t);
        let found = -1.5 * (a - a0) - (0.5 + 1.5 * u) * ((u - a) / (u - a0)).ln();
        assert!((found - t / 0.010).abs() < 1e-9 * (1.0 + t / 0.010), "{t}: {a}");
    }
    let (u, a0): (f64, f64) = (0.05, 0.8);
    for t in [0.01, 0.05, 0.2] {
        let r = (a0 - u) / (0.5 + 1.5 * a0) * (-(0.5 + 1.5 * u) * t / 0.040).exp();
        let exact = (u + 0.5 * r) / (1.0 - 1.5 * r);
        assert!((end(&system(u, a0), t) - exact).abs() < 1e-10, "{t}");
    }
    // An excitation outside its range is clipped, and activation stays above its least.
    let idle = end(&system(-2.0, 0.3), 1.0);
    assert!((idle - 0.01).abs() < 1e-6, "{idle}");
}

#[test]
fn two_muscles_keep_their_own_numbers() {
    let text = |rise: f64| format!("{}\nexcitation = 0.9\nrise = {rise}", fields_of("dgf"));
    let rates = [0.01, 0.05].map(|rise| evaluate(&rig(&text(rise), 1.0, ""), &[0.32], &[0.0], &[0.3, 0.9]).zdot[0]);
    assert!((rates[0] / rates[1] - 5.0).abs() < 1e-12, "{rates:?}");
}

#[test]
fn a_fibre_at_its_shortest_does_not_shorten_and_a_slack_muscle_does_not_pull() {
    for (law, fields) in SET {
        let fields = undamped(fields) + "\ndamping = 0.02";
        let system = rig(&format!("{fields}\nexcitation = 1"), 1.0, "");
        let (_, size) = system.numbers.forces.muscles()[0];
        let least = (size.least_length.powi(2) - (size.fibre_length * size.pennation.sin()).powi(2)).sqrt() / size.fibre_length;
        let length = size.tendon_length;
        for (sigma, moves) in [(least + 0.02, true), (least, false), (least - 0.001, false), (-0.3, false)] {
            let out = evaluate(&system, &[length + sigma.min(0.0) * size.fibre_length], &[0.0], &[1.0, sigma]);
            assert!(out.zdot[1].is_finite() && (out.zdot[1] < 0.0 || !moves), "{law}: {sigma} {}", out.zdot[1]);
            assert!(moves || out.zdot[1] >= 0.0, "{law}: {sigma} {}", out.zdot[1]);
            assert!(output(&system, &out, "force") >= 0.0, "{law}");
        }
        // Shortening fades out over a hundredth of the optimal length, without a kink at either end. Speeds of the fibre are rates times cos α, and
        // that goes with σ.
        let rate = |part: f64| {
            let sigma = least + 0.01 * part;
            sigma * evaluate(&system, &[0.99 * length + sigma * size.fibre_length], &[0.0], &[1.0, sigma]).zdot[1]
        };
        let share = |part: f64| rate(part) / rate(1.0);
        // Of millard the active force ends there, and the speed with it.
        if law != "millard" {
            for (part, expected) in [(0.01, 3e-4), (0.25, 0.156_25), (0.5, 0.5), (0.75, 0.843_75), (0.99, 0.9997)] {
                assert!((share(part) - expected).abs() < 0.05 * expected, "{law}: {part} {}", share(part));
            }
        }
        // Far too short a path.
        let rigid = rig(&format!("{fields}\nexcitation = 1\ntendon = \"rigid\""), 1.0, "");
        assert_eq!(output(&rigid, &evaluate(&rigid, &[0.5 * length], &[0.0], &[1.0]), "force"), 0.0);
    }
}

#[test]
fn a_start_without_equilibrium_is_told() {
    for (law, fields) in SET {
        let system = rig(fields, 1.0, "");
        let (_, size) = system.numbers.forces.muscles()[0];
        let states = system.states_at(0.0, &[0.6 * size.tendon_length]);
        assert!(matches!(states.notes[..], [(_, MuscleFault::NoEquilibrium { .. })]), "{law}: {:?}", states.notes);
        assert_eq!(states.notes[0].0, "muscle.m");
        let out = evaluate(&system, &[0.6 * size.tendon_length], &[0.0], &states.z);
        assert_eq!(output(&system, &out, "force"), 0.0, "{law}");
        // Without any state it is told, too.
        let rigid = rig(&format!("{fields}\ntendon = \"rigid\"\nactivation = \"none\""), 1.0, "");
        let states = rigid.states_at(0.0, &[0.6 * size.tendon_length]);
        assert!(matches!(states.notes[..], [(_, MuscleFault::NoEquilibrium { .. })]), "{law}: {:?}", states.notes);
    }
}

#[test]
fn of_several_equilibria_the_longest_fibre_is_taken() {
    // A soft tendon and a steep fall of the active force: both lines cross more than once at some lengths.
    let fields = fields_of("thelen");
    let system = rig(&format!("{fields}\nactive_shape = 0.2\npassive_strain = 2\ntendon_strain = 0.3\nexcitation = 1"), 1.0, "");
    let (_, size) = system.numbers.forces.muscles()[0];
    let (mut seen, mut others) = (0, 0);
    for k in 0..60 {
        let length = size.tendon_length + size.fibre_length * (1.0 + 0.03 * f64::from(k));
        let states = system.states_at(0.0, &[length]);
        let Some((_, MuscleFault::SeveralEquilibria { roots, .. })) = states.notes.first() else { continue };
        seen += 1;
        let rate = |sigma: f64| evaluate(&system, &[length], &[0.0], &[1.0, sigma]).zdot[1];
        let (sigma, most) = (states.z[1], (length - 0.98 * size.tendon_length) / size.fibre_length);
        assert!(rate(sigma).abs() < 1e-9, "{length}: {}", rate(sigma));
        // A longer fibre shortens, whatever its length; some of the shorter ones do, too, to another length at rest.
        let between = |from: f64, to: f64, part: u32| from + (to - from) * f64::from(part) / 200.0;
        assert!((1..=200).all(|part| rate(between(sigma, most, part)) < 0.0), "{length}: {sigma}");
        assert!(*roots > 1);
        others += usize::from((1..200).any(|part| rate(between(0.3, sigma, part)) < -1e-3));
    }
    assert!(seen > 0 && others > 0, "{seen} {others}");
}

#[test]
fn a_muscle_with_a_rigid_tendon_does_not_push() {
    for (law, fields) in SET {
        let fields = undamped(fields) + "\ndamping = 0.5\ntendon = \"rigid\"\nexcitation = 0.4";
        let system = rig(&fields, 1.0, "");
        let (_, size) = system.numbers.forces.muscles()[0];
        let force = |part: f64| {
            let rate = part * size.speed * size.fibre_length;
            output(&system, &evaluate(&system, &[rest_length(&system)], &[rate], &[0.4]), "force")
        };
        // Damping alone would push by half of the largest force at the largest speed.
        assert!(force(0.0) > 0.2 * size.force && force(-1.0) == 0.0 && force(-1.3) == 0.0, "{law}: {} {}", force(0.0), force(-1.0));
    }
}

#[test]
fn smooth_activation_that_switches_sharply_is_that_of_first_order() {
    let (_, fields) = SET[2];
    for (u, a) in [(0.9, 0.2), (0.5, 0.3), (0.1, 0.7), (0.2, 0.5)] {
        let rate = |more: &str| {
            let system = rig(&format!("{fields}\nexcitation = {u}\ntendon = \"rigid\"\n{more}"), 1.0, "");
            evaluate(&system, &[0.32], &[0.0], &[a]).zdot[0]
        };
        let (first, smooth) = (rate(""), rate("activation = \"smooth\"\nsmoothing = 500"));
        assert!((first - smooth).abs() < 1e-12 * first.abs(), "{u} {a}: {first} {smooth}");
        // With the number of the paper both directions hardly differ.
        let soft = rate("activation = \"smooth\"\nsmoothing = 0.1");
        assert!((soft - first).abs() > 0.1 * first.abs(), "{u} {a}: {first} {soft}");
    }
}

#[test]
fn an_excitation_out_of_its_range_is_told_at_the_start() {
    let (_, fields) = SET[1];
    for (u, told) in [(1.4, true), (-0.1, true), (0.0, false), (1.0, false)] {
        let system = rig(&format!("{fields}\nexcitation = {u}"), 1.0, "");
        let notes = system.states_at(0.0, &[rest_length(&system)]).notes;
        let clipped = |note: &MuscleFault| matches!(note, MuscleFault::ExcitationClipped { found, .. } if *found == u);
        assert_eq!(notes.iter().any(|(_, note)| clipped(note)), told, "{u}: {notes:?}");
    }
}

#[test]
fn a_passive_undamped_muscle_keeps_energy() {
    // Without activation and damping nothing but springs is left: a rigid tendon, whose fibre has no damping, on its passive force.
    let fields = fields_of("dgf");
    let system = rig(
        &format!("{fields}\ntendon = \"rigid\"\nactivation = \"none\"\nleast_activation = 0"),
        20.0,
        "[initial]\ncoordinates = { x = 0.34 }",
    );
    let y = run(&system, Options::default(), "dopri5", &Settings::tolerance(1e-12), 0.5);
    let energy = |q: f64, v: f64| {
        let out = evaluate(&system, &[q], &[v], &[]);
        out.kinetic_energy + out.gravity_energy + out.stored_energy
    };
    assert!((energy(y[0], y[1]) - energy(0.34, 0.0)).abs() < 1e-9);
    assert!((y[0] - 0.34).abs() > 1e-3, "it moves");
}

#[test]
fn a_symmetric_pair_moves_symmetrically() {
    let (_, fields) = SET[1];
    let system = parse(&format!(
        "borelli = 1\ndimension = \"planar\"\ngravity = [0, -9.81]\n[world.point]\nl = [-0.24, 0]\nr = [0.24, 0]\n[body.a]\nmass = 4\ninertia = 1\n\
         [joint.a]\ntype = \"planar\"\nparent = \"world\"\nchild = \"a\"\n[path.l]\npoints = [\"world.l\", \"a\"]\n[path.r]\npoints = [\"world.r\", \"a\"]\n\
         [muscle.l]\npath = \"l\"\n{fields}\nexcitation = 0.4\n[muscle.r]\npath = \"r\"\n{fields}\nexcitation = 0.4"
    ));
    let y = run(&system, Options::default(), "dopri5", &Settings::tolerance(1e-10), 0.2);
    assert!(y[0].abs() < 1e-12 && y[1] < -1e-3, "{y:?}");
    let z = &y[6..];
    assert!((z[0] - z[2]).abs() < 1e-12 && (z[1] - z[3]).abs() < 1e-12, "{z:?}");
}

#[test]
fn eighty_muscles_take_no_memory() {
    let mut text = String::from(
        "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 50\ninertia = 1\n[joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n\
         [path.p]\npoints = [\"world\", \"a\"]\n[initial]\ncoordinates = { x = 0.3 }\n",
    );
    for k in 0..80 {
        let (law, fields) = SET[k % 3];
        text += &format!("[muscle.{law}{k}]\npath = \"p\"\n{fields}\nexcitation = 0.3\n");
    }
    let system = parse(&text);
    let mut movement = Movement::new(&system, Options::default()).expect("a movement");
    let y = movement.state(&system, &[0.3], &[0.1]);
    let (mut dy, mut jac, mut dt) = (vec![0.0; y.len()], vec![0.0; y.len() * y.len()], vec![0.0; y.len()]);
    let mut both = || {
        movement.of(&system).rates(0.0, &y, &mut dy).expect("rates");
        movement.of(&system).jacobian(0.0, &y, &mut jac, &mut dt).expect("slopes");
    };
    both();
    assert_eq!(count_allocations(&mut both).1, 0);
}

/// What moves, falls and stretches gains what active forces did and damping took: with explicit and implicit methods, and with another formulation.
#[test]
fn the_audit_of_a_muscle_closes_with_work_of_its_active_force_and_its_damping() {
    for (law, fields) in SET {
        let fields = undamped(fields) + "\ndamping = 0.05\nexcitation = 0.8";
        // A mass that the muscle can lift, but not throw.
        let (_, size) = rig(&fields, 1.0, "").numbers.forces.muscles()[0];
        let system = rig(&fields, 0.035 * size.force, "");
        let length = size.tendon_length + size.fibre_length * size.pennation.cos();
        let start = system.states_at(0.0, &[length]).z;
        for (method, formulation) in [("dopri5", "articulated"), ("rosenbrock", "articulated"), ("dopri5", "cartesian")] {
            let options = Options { audit: true, formulation, ..Options::default() };
            let mut movement = Movement::new(&system, options).expect("a movement");
            let layout = movement.layout();
            let mut y = movement.state(&system, &[length], &[0.0]);
            y[layout.z_range()].copy_from_slice(&start);
            let energy = |y: &[f64]| {
                let out = evaluate(&system, layout.q(y), layout.v(y), layout.z(y));
                out.kinetic_energy + out.gravity_energy + out.stored_energy
            };
            let before = energy(&y);
            let mut built = (find(method).expect("a method").build)(y.len());
            let settings = Settings::tolerance(1e-10);
            integrate(&mut *built, &mut movement.of(&system), (0.0, 0.3), &mut y, &settings, &mut Statistics::default(), &mut Unobserved)
                .unwrap_or_else(|failure| panic!("{failure}"));
            let work = layout.work(&y).expect("audited");
            let [active, damping] = [work[3], work[4]];
            let left = energy(&y) - before - active - damping;
            assert!(left.abs() < 1e-6, "{law}, {method}, {formulation}: {left:e}");
            // Without what damping takes it would not close.
            assert!(damping < -1e-2 && active.abs() > 1.0, "{law}: {active} {damping}");
        }
    }
}

/// Lengths written in millimetres and a force in kilonewtons, both without their unit.
#[test]
fn a_slip_of_units_is_told_of_at_the_start() {
    let told = |fields: &str| {
        let system = rig(fields, 1.0, "[initial]\ncoordinates = { x = 0.3 }");
        crate::assemble::check(&system).iter().map(|found| found.code).collect::<Vec<_>>()
    };
    let muscle = |force: f64, fibre: f64, tendon: f64| {
        format!("type = \"millard\"\nforce = {force}\nfibre_length = {fibre}\ntendon_length = {tendon}\nexcitation = 0.5")
    };
    assert!(told(&muscle(1200.0, 0.08, 0.21)).is_empty(), "{:?}", told(&muscle(1200.0, 0.08, 0.21)));
    assert_eq!(told(&muscle(1.2, 0.08, 0.21)), ["odd-muscle-mass"]);
    assert_eq!(told(&muscle(1200.0, 0.08, 0.06)), ["odd-muscle-lengths"]);
    assert_eq!(told(&muscle(2e6, 0.08, 0.21)), ["odd-muscle-mass"]);
}
