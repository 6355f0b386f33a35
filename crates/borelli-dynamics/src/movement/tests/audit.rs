//! The balance of energy with the audit integrals in the state.

use super::*;
use crate::implicit_movement::{ImplicitMovement, ImplicitOptions};
use crate::integrate::{Implicit, Newton, Observer, Scheme, generalised_alpha, integrate_implicit, newmark};

/// Largest |T + V − start − work| along a run, and the largest kinetic energy.
fn imbalance(system: &System, movement: &mut Movement, method: &str, tolerance: f64, end: f64, y: &mut [f64]) -> (f64, f64) {
    let mut judge = Movement::new(system, Options { audit: true, ..Options::default() }).unwrap();
    let mut out = Evaluation::new(system);
    let mut energy = |t: f64, y: &[f64]| {
        judge.evaluate(system, t, y, &mut out).unwrap();
        (out.kinetic_energy, out.kinetic_energy + out.gravity_energy - judge.work(y).unwrap().total())
    };
    let start = energy(0.0, y).1;
    let (mut peak, mut worst) = (0.0_f64, 0.0_f64);
    let mut look = |step: &Step| {
        let (kinetic, rest) = energy(step.t1, step.y);
        peak = peak.max(kinetic);
        worst = worst.max((rest - start).abs());
        Flow::Continue
    };
    let (mut method, mut statistics) = ((find(method).unwrap().build)(y.len()), Statistics::default());
    let settings = Settings::tolerance(tolerance);
    integrate(&mut *method, &mut movement.of(system), (0.0, end), y, &settings, &mut statistics, &mut look).unwrap();
    (worst, peak)
}

#[test]
fn what_is_gained_is_the_work_done() {
    // Springs, dashpots, actuators, a resistance, guides by coordinate and by point, tables.
    for (name, end) in [
        ("walker7-passive", 1.0),
        ("path-muscles", 1.0),
        ("actuator-pendulum", 1.0),
        ("dashpot-mass", 1.0),
        ("resistance-ankle", 0.3),
        ("driven-pendulum", 2.0),
        ("guided-arm", 1.0),
        ("half-hat-leg", 0.05),
        ("four-bar", 1.0),
    ] {
        let system = read(name);
        let Assembled { q, v, .. } = start(&system);
        for (formulation, method) in
            [("articulated", "dopri5"), ("cartesian", "dopri5"), ("natural", "dopri5"), ("articulated", "rosenbrock")]
        {
            let tau = (0..v.len()).map(|k| 0.3 * (k as f64).cos()).collect();
            let options = Options { formulation, tau, drift: DriftControl::Projection, audit: true, ..Options::default() };
            let mut movement = Movement::new(&system, options).unwrap();
            let mut y = movement.state(&system, &q, &v);
            let (worst, peak) = imbalance(&system, &mut movement, method, 1e-9, end, &mut y);
            assert!(worst < 1e-6 * peak.max(1e-3), "{name} {formulation} {method}: {worst:e} of {peak}");
            assert!(movement.work(&y).unwrap().total().abs() > 1e-4 * peak, "{name}: nothing was done");
        }
    }
}

/// The state that an implicit scheme reaches with audit integrals.
fn by_scheme(
    system: &System,
    scheme: Scheme,
    step: f64,
    end: f64,
    (q, v, tau): (&[f64], &[f64], &[f64]),
    look: &mut dyn Observer,
) -> Vec<f64> {
    let mut movement =
        ImplicitMovement::new(system, ImplicitOptions { audit: true, tau: tau.to_vec(), ..ImplicitOptions::default() }).unwrap();
    let mut y = [q, v, &system.numbers.states].concat();
    y.resize(Layout::new(system, true).dim(), 0.0);
    let mut method = Implicit::new(scheme, Newton { tolerance: 1e-12, ..Newton::default() }, &movement.of(system));
    let (settings, mut statistics) = (Settings::fixed(step), Statistics::default());
    integrate_implicit(&mut method, &mut movement.of(system), (0.0, end), &mut y, &settings, &mut statistics, look).unwrap();
    y
}

/// A ball that is thrown against the floor it touches, and leaves it again after the end.
const PRESSED: &str = r#"
borelli = 1
dimension = "planar"
[body.ball]
mass = 2
inertia = 0.1
[joint.free]
type = "free"
parent = "world"
child = "ball"
[surface.ball]
type = "circle"
at = "ball"
radius = 0.5
[surface.floor]
type = "half-space"
at = "world"
[contact.touch]
a = "ball"
b = "floor"
normal = { type = "hunt-crossley", stiffness = 4e4, dissipation = 0.3 }
friction = { type = "tanh", friction = 0.7, transition = 0.8 }
"#;

#[test]
fn implicit_schemes_find_the_work_of_explicit_methods_with_order_two() {
    for (name, step, end) in [
        ("walker7-passive", 2e-3, 0.5),
        ("path-muscles", 2e-3, 0.5),
        ("actuator-pendulum", 2e-3, 0.5),
        ("dashpot-mass", 2e-3, 0.5),
        ("driven-pendulum", 5e-3, 1.0),
        ("guided-arm", 2e-3, 0.5),
        ("four-bar", 2e-3, 0.5),
        ("pressed", 1e-4, 0.02),
    ] {
        let system = if name == "pressed" { parse(PRESSED) } else { read(name) };
        let Assembled { mut q, mut v, .. } = start(&system);
        if name == "pressed" {
            (q[1], v[0], v[1], v[2]) = (0.495, 1.5, -1.0, 2.0);
        }
        let tau: Vec<f64> = (0..v.len()).map(|k| 0.3 * (k as f64).cos()).collect();
        let options = Options { tau: tau.clone(), drift: DriftControl::Projection, audit: true, ..Options::default() };
        let mut movement = Movement::new(&system, options).unwrap();
        let mut exact = movement.state(&system, &q, &v);
        run(&mut movement.of(&system), "dopri5", &Settings::tolerance(1e-12), (0.0, end), &mut exact);
        let exact = &exact[movement.layout().work_range()];
        let size = exact.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
        assert!(size > 1e-3, "{name}: nothing was done");
        for scheme in [newmark(0.25, 0.5), generalised_alpha(0.8)] {
            // Of guides and loops the mean acceleration rings.
            if scheme == newmark(0.25, 0.5) && !system.names.rows.is_empty() {
                continue;
            }
            let errors = [step, 0.5 * step].map(|step| {
                let y = by_scheme(&system, scheme, step, end, (&q, &v, &tau), &mut Unobserved);
                let found = &y[movement.layout().work_range()];
                found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
            });
            let ratio = errors[0] / errors[1];
            assert!(errors[0] < 1e-2 * size && (3.4..4.7).contains(&ratio), "{name} {scheme:?}: {errors:?} of {size}");
        }
    }
}

#[test]
fn what_the_balance_of_an_implicit_run_leaves_open_is_the_loss_of_its_scheme() {
    // Two masses on springs: the mean acceleration conserves the energy of a linear system, the damped ones lose.
    let system = parse(
        "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[body.a]\nmass = 2\ninertia = 0.1\n[body.b]\nmass = 1\ninertia = 0.1\n\
         [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n[joint.y]\ntype = \"slider\"\nparent = \"a\"\nchild = \"b\"\naxis = [1, 0]\n\
         [force.x]\ntype = \"coordinate-spring\"\ncoordinate = \"x\"\nstiffness = 80\n[force.y]\ntype = \"coordinate-spring\"\ncoordinate = \"y\"\nstiffness = 30\n",
    );
    let kinetic = |v: &[f64]| v[0] * v[0] + 0.5 * (v[0] + v[1]).powi(2);
    let stored = |q: &[f64]| 40.0 * q[0] * q[0] + 15.0 * q[1] * q[1];
    let (q, v) = ([0.1, -0.2], [0.5, 1.0]);
    let whole = kinetic(&v) + stored(&q);
    for (scheme, loses) in [(newmark(0.25, 0.5), false), (newmark(0.3025, 0.6), true), (generalised_alpha(0.6), true)] {
        let (mut open, mut off) = (0.0_f64, 0.0_f64);
        let mut look = |step: &Step| {
            let (q, rest) = step.y.split_at(2);
            let (v, work) = rest.split_at(2);
            open = open.max((kinetic(v) - kinetic(&[0.5, 1.0]) - work[0]).abs());
            // Springs do the work that they give up, whatever the scheme does with it.
            off = off.max((work[0] - stored(&[0.1, -0.2]) + stored(q)).abs());
            Flow::Continue
        };
        let y = by_scheme(&system, scheme, 0.02, 5.0, (&q, &v, &[]), &mut look);
        let lost = whole - kinetic(&y[2..4]) - stored(&y[..2]);
        // Simpson's rule along the way is of order 4.
        assert!(off < 1e-5 * whole, "{scheme:?}: {off:e}");
        if loses {
            assert!(lost > 1e-3 * whole && (open - lost).abs() < 0.2 * lost, "{scheme:?}: {lost} lost, {open} left open of {whole}");
        } else {
            assert!(open < 1e-5 * whole && lost.abs() < 1e-11 * whole, "{open:e} {lost:e}");
        }
    }
}
