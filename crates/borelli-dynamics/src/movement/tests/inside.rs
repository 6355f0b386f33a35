//! States and controls of force elements: closed forms in every formulation, integrator and implicit scheme, slopes, parameters.

use super::*;
use crate::formulation::articulated::Jacobian;
use crate::implicit_movement::{ImplicitMovement, ImplicitOptions};
use crate::integrate::{INTEGRATORS, Implicit, Kind, Newton, generalised_alpha, integrate_implicit, newmark};
use crate::sensitivity::Sensitivity;
use borelli_testkit::{assert_close, central_difference};

/// A mass on a rail, tied to the wall by one element along the rail.
fn tied(element: &str, more: &str) -> System {
    parse(&format!(
        "borelli = 1\ndimension = \"planar\"\n[body.mass]\nmass = 2\ninertia = 0.1\n[joint.rail]\ntype = \"slider\"\nparent = \"world\"\nchild = \"mass\"\naxis = [1, 0]\n\
         [path.line]\npoints = [\"world\", \"mass\"]\n[force.tie]\npath = \"line\"\n{element}\n{more}"
    ))
}

/// k = 400 N/m, c = 80 N s/m: what is held is forgotten with 0.2 s.
const MAXWELL: &str = "type = \"maxwell\"\nstiffness = 400\ndamping = 80\nlength = 0.5";
const LAG: &str = "type = \"lag-actuator\"\ntime_constant = 0.2\ntension = 3";

/// Runs every formulation that takes the system with every integrator; the state at the end goes to `judge` with what may be wrong in it.
fn everywhere(system: &System, start: (&[f64], &[f64]), controls: &[f64], end: f64, judge: impl Fn(&str, &[f64], f64)) {
    let mut runs = 0;
    for entry in FORMULATIONS.iter().filter(|entry| (entry.build)(system).is_ok()) {
        for integrator in INTEGRATORS {
            let options = Options { formulation: entry.name, audit: true, controls: controls.to_vec(), ..Options::default() };
            let mut movement = Movement::new(system, options).unwrap();
            let mut y = movement.state(system, start.0, start.1);
            let fixed = integrator.kind == Kind::Fixed;
            let settings = if fixed { Settings::fixed(1e-3) } else { Settings::tolerance(1e-11) };
            run(&mut movement.of(system), integrator.name, &settings, (0.0, end), &mut y);
            // Heun's error is that of its order.
            let allowed = if integrator.name == "heun" { 1e-5 } else { 1e-8 };
            judge(&format!("{} {}", entry.name, integrator.name), &y, allowed);
            runs += 1;
        }
    }
    assert!(runs >= 3 * INTEGRATORS.len(), "{runs}");
    for (name, scheme) in [("newmark", newmark(0.25, 0.5)), ("generalised-alpha", generalised_alpha(0.8))] {
        let options = ImplicitOptions { controls: controls.to_vec(), ..ImplicitOptions::default() };
        let mut movement = ImplicitMovement::new(system, options).unwrap();
        let mut method = Implicit::new(scheme, Newton::default(), &movement.of(system));
        let mut y = [start.0, start.1, &system.numbers.states].concat();
        integrate_implicit(
            &mut method,
            &mut movement.of(system),
            (0.0, end),
            &mut y,
            &Settings::fixed(1e-3),
            &mut Statistics::default(),
            &mut Unobserved,
        )
        .unwrap();
        // Both are of second order.
        judge(name, &y, 2e-5);
    }
}

#[test]
fn a_maxwell_element_relaxes_creeps_and_answers_a_sine_as_the_closed_forms_say() {
    let (k, c, length) = (400.0_f64, 80.0_f64, 0.5_f64);
    let tau = c / k;
    // Relaxation: held 10 cm longer than at rest, N = k δ e^{−t/τ}.
    let held =
        tied(MAXWELL, "[guide.hold]\ntype = \"coordinate\"\ncoordinate = \"rail\"\nfunction = { type = \"constant\", constant = 0.6 }");
    everywhere(&held, (&[0.6], &[0.0]), &[], 0.5, |name, y, allowed| {
        let tension = k * (y[0] - length - y[2]);
        assert!((tension - k * 0.1 * (-0.5 / tau).exp()).abs() < k * allowed, "{name}: {tension}");
    });
    // Creep: under the force that it already bears it lengthens at F/c.
    let pulled = tied(&format!("{MAXWELL}\ncreep = 0.02"), "[force.pull]\ntype = \"force\"\nat = \"mass\"\nforce = [24, 0]");
    let stretched = length + 0.02 + 24.0 / k;
    everywhere(&pulled, (&[stretched], &[24.0 / c]), &[], 0.7, |name, y, allowed| {
        assert_close(&y[..3], &[stretched + 24.0 / c * 0.7, 24.0 / c, 0.02 + 24.0 / c * 0.7], allowed, name);
    });
    // Complex modulus: for a stretch A sin ωt the tension is A k ωτ/(1 + ω²τ²) (ωτ sin ωt + cos ωt).
    for (frequency, cycles) in [(0.2_f64, 1.3), (0.8, 1.7), (5.0, 3.2)] {
        let (w, a) = (std::f64::consts::TAU * frequency, 0.1);
        let modulus = |t: f64| a * k * w * tau / (1.0 + (w * tau).powi(2)) * (w * tau * (w * t).sin() + (w * t).cos());
        let sine = format!(
            "[guide.shake]\ntype = \"coordinate\"\ncoordinate = \"rail\"\nfunction = {{ type = \"sine\", amplitude = {a}, frequency = {frequency}, offset = 0.5 }}"
        );
        let shaken = tied(&format!("{MAXWELL}\ncreep = {:?}", -modulus(0.0) / k), &sine);
        let end = cycles / frequency;
        everywhere(&shaken, (&[0.5], &[a * w]), &[], end, |name, y, allowed| {
            // By the driven length itself: the drift of the guide is not the element's.
            let tension = k * (a * (w * end).sin() - y[2]);
            assert!(
                (tension - modulus(end)).abs() < 20.0 * k * a * allowed * (1.0 + w),
                "{name} at {frequency} Hz: {tension} {}",
                modulus(end)
            );
        });
    }
}

#[test]
fn an_actuator_with_a_lag_follows_its_command_as_the_closed_form_says() {
    let (T, a0, m) = (0.2_f64, 3.0_f64, 2.0_f64);
    // A constant command U: a = U + (a0 − U) e^{−t/T}, and twice integrated the place of the mass, which the tension pulls to the wall.
    let constant = |u: f64| {
        move |name: &str, y: &[f64], allowed: f64| {
            let (t, gone) = (0.6, (-0.6 / T).exp());
            let impulse = u * t + (a0 - u) * T * (1.0 - gone);
            let way = 0.5 * u * t * t + (a0 - u) * T * (t - T * (1.0 - gone));
            assert_close(&y[..3], &[5.0 - way / m, -impulse / m, u + (a0 - u) * gone], allowed, name);
        }
    };
    let system = tied(&format!("{LAG}\ncommand = 10"), "");
    assert_eq!((system.names.controls[0].column(), system.parameter("force.tie.command").is_some()), ("force.tie.command".into(), true));
    everywhere(&system, (&[5.0], &[0.0]), &[], 0.6, constant(10.0));
    // The same control replaced by the caller.
    everywhere(&system, (&[5.0], &[0.0]), &[-4.0], 0.6, constant(-4.0));
    // A sine: the particular solution and what is left of the start.
    let w = std::f64::consts::TAU * 1.5;
    let sine = tied(&format!("{LAG}\ncommand = {{ type = \"sine\", amplitude = 10, frequency = 1.5 }}"), "");
    everywhere(&sine, (&[5.0], &[0.0]), &[], 0.6, |name, y, allowed| {
        let steady = |t: f64| 10.0 / (1.0 + (w * T).powi(2)) * ((w * t).sin() - w * T * (w * t).cos());
        let exact = steady(0.6) + (a0 - steady(0.0)) * (-0.6 / T).exp();
        assert!((y[2] - exact).abs() < 10.0 * allowed, "{name}: {} {exact}", y[2]);
    });
}

/// Three bodies in a chain with both elements over a via point, a loop to drift, and all that a state can hold.
const CHAIN: &str = r#"
borelli = 1
dimension = "planar"
[world.point]
anchor = [0.3, 0.7]
[body.a]
mass = 2
inertia = 0.1
point = { near = [0.12, -0.1], end = [0, -0.4] }
[body.b]
mass = 1
inertia = 0.1
point = { top = [0.01, 0.2], side = [0.15, 0.05] }
[joint.hip]
type = "hinge"
parent = "world"
child = "a"
[joint.knee]
type = "hinge"
parent = "a.end"
child = "b.top"
[path.bent]
points = ["world.anchor", "a.near", "b.side"]
[path.short]
points = ["a.near", "b.side"]
[force.tendon]
type = "maxwell"
path = "bent"
stiffness = 300
damping = 40
length = 0.4
creep = 0.05
[force.motor]
type = "lag-actuator"
path = "short"
command = { type = "sine", amplitude = 20, frequency = 0.7, phase = 0.3 }
time_constant = 0.1
tension = 12
[loop.relation]
type = "relation"
coefficients = { hip = 1, knee = -0.5 }
"#;

#[test]
fn slopes_by_states_and_controls_are_those_of_differences() {
    for text in [CHAIN.to_string(), CHAIN.split("[loop.relation]").next().unwrap_or_default().to_string()] {
        let system = parse(&text);
        let (q, v) = ([0.3, -0.4], [0.7, -0.5]);
        for controls in [vec![], vec![7.0]] {
            let options = Options { audit: true, controls: controls.clone(), tau: vec![0.4, -0.3], ..Options::default() };
            let mut movement = Movement::new(&system, options).unwrap();
            let mut y = movement.state(&system, &q, &v);
            y[4] = 0.11;
            slopes::assert_slopes("chain", &system, &mut movement, 0.0123, &y);
        }
        // By the control, of the accelerations and of the rates of both states.
        let (mut articulated, mut table) = (Articulated::new(&system), Jacobian::new(&system));
        let (z, tau) = ([0.11, 9.0], [0.4, -0.3]);
        let at = |u: &'static [f64]| Input { t: 0.0, q: &q, v: &v, inside: Inside { z: &z, u }, tau: &tau };
        articulated.linearise(&system, at(&[5.0]), &mut table).unwrap();
        let found = [table.by_u.clone(), (0..2).map(|state| *table.of_state(state).last().unwrap()).collect()].concat();
        let mut rates = |u: &'static [f64]| {
            let mut vdot = vec![0.0; 2];
            articulated.accelerate(&system, at(u), &mut vdot).unwrap();
            [vdot, articulated.rates_of_states().to_vec()].concat()
        };
        let (more, less) = (rates(&[6.0]), rates(&[4.0]));
        let expected: Vec<f64> = more.iter().zip(&less).map(|(a, b)| 0.5 * (a - b)).collect();
        // Everything is linear in the control; accelerations see the tension, not the command.
        assert_close(&found, &expected, 1e-12, "by the control");
        assert_eq!((found[0], found[3]), (0.0, 1.0 / 0.1));
    }
}

#[test]
fn formulations_agree_on_elements_with_states() {
    let system = parse(CHAIN);
    let assembled = start(&system);
    let (z, tau) = ([0.17, 33.0], [0.4, -0.3]);
    let found: Vec<Evaluation> = FORMULATIONS
        .iter()
        .filter_map(|entry| {
            let mut out = Evaluation::new(&system);
            let input = Input { t: 0.4, q: &assembled.q, v: &assembled.v, inside: Inside { z: &z, u: &[] }, tau: &tau };
            let mut formulation = (entry.build)(&system).ok()?;
            formulation.evaluate(&system, input, &mut out).unwrap();
            Some(out)
        })
        .collect();
    assert_eq!(found.len(), FORMULATIONS.len());
    for out in &found {
        assert_close(&out.vdot, &found[0].vdot, 1e-9, "accelerations");
        assert_eq!((&out.zdot, &out.output), (&found[0].zdot, &found[0].output));
        assert_eq!(out.zdot[0], out.output[0] / 40.0);
    }
    let mut articulated = Articulated::new(&system);
    let wrong = articulated.accelerate(
        &system,
        Input { q: &assembled.q, v: &assembled.v, inside: Inside { z: &[1.0], u: &[] }, tau: &tau, t: 0.0 },
        &mut [0.0; 2],
    );
    assert!(matches!(wrong, Err(Failure::WrongLength { what: "z", expected: 2, found: 1 })), "{wrong:?}");
}

#[test]
fn sensitivities_by_parameters_of_elements_with_states_are_those_of_whole_runs() {
    let system = parse(CHAIN.split("[loop.relation]").next().unwrap_or_default());
    let paths = ["force.tendon.stiffness", "force.tendon.damping", "force.motor.time_constant", "body.b.mass"];
    let slots: Vec<usize> = paths.iter().map(|path| system.parameter(path).expect("a parameter")).collect();
    let end = 0.2;
    let run_with = |system: &System| {
        let mut movement = Movement::new(system, Options::default()).unwrap();
        let mut y = movement.state(system, &[0.3, -0.4], &[0.7, -0.5]);
        run(&mut movement.of(system), "dopri5", &Settings::tolerance(1e-12), (0.0, end), &mut y);
        y
    };
    let movement = Movement::new(&system, Options::default()).unwrap();
    let y = movement.state(&system, &[0.3, -0.4], &[0.7, -0.5]);
    let mut sensitivity = Sensitivity::new(&system, movement, 0, slots.clone()).unwrap();
    let mut all = sensitivity.state(&y, &[]);
    let (mut method, mut statistics) = ((find("dopri5").unwrap().build)(all.len()), Statistics::default());
    let settings = Settings::tolerance(1e-11);
    integrate(&mut *method, &mut sensitivity.of(&system), (0.0, end), &mut all, &settings, &mut statistics, &mut Unobserved).unwrap();
    for (k, slot) in slots.iter().enumerate() {
        let values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
        let size = values[*slot];
        let expected = central_difference(
            &mut |h| {
                let mut values = values.clone();
                values[*slot] += h * size;
                run_with(&system.with_parameters(&values))
            },
            1e-4,
        );
        let found: Vec<f64> = sensitivity.column(&all, k).iter().map(|s| s * size).collect();
        assert_close(&found, &expected, 1e-6, paths[k]);
    }
}

#[test]
fn controls_of_another_system_are_declined() {
    let system = parse(CHAIN);
    let explicit = Movement::new(&system, Options { controls: vec![1.0; 2], ..Options::default() }).err();
    let implicit = ImplicitMovement::new(&system, ImplicitOptions { controls: vec![1.0; 2], ..ImplicitOptions::default() }).err();
    let replaced = ImplicitMovement::new(&system, ImplicitOptions::default()).unwrap().replace_controls(&[1.0; 2]).err();
    for declined in [explicit, implicit, replaced] {
        let reason = declined.expect("declined").reason;
        assert!(reason.contains("2 controls"), "{reason}");
    }
}

#[test]
fn a_model_without_degrees_of_freedom_runs_by_every_method() {
    // A welded body held by a Maxwell element 10 cm longer than at rest: N = k δ e^{−t/τ}.
    let text = "borelli = 1\ndimension = \"planar\"\n[body.mass]\nmass = 2\ninertia = 0.1\n[joint.weld]\ntype = \"weld\"\nparent = \"world.out\"\nchild = \"mass\"\n\
                [world.point]\nout = [0.6, 0]\n[path.line]\npoints = [\"world\", \"mass\"]\n";
    let tied = parse(&format!("{text}[force.tie]\npath = \"line\"\n{MAXWELL}\n"));
    everywhere(&tied, (&[], &[]), &[], 0.5, |name, y, allowed| {
        let tension = 400.0 * (0.1 - y[0]);
        assert!((tension - 40.0 * (-2.5_f64).exp()).abs() < 400.0 * allowed, "{name}: {tension}");
    });
    for more in ["[force.tie]\ntype = \"spring\"\npath = \"line\"\nstiffness = 9\nlength = 0.1\n", ""] {
        everywhere(&parse(&format!("{text}{more}")), (&[], &[]), &[], 0.1, |_, _, _| {});
    }
}

/// A string over an ellipsoid that a swinging body carries along: searches are followed from step to step, and every 64th kept one is held against a search
/// from nowhere.
#[test]
fn searches_for_paths_are_held_against_cold_ones_at_every_64th_kept_step() {
    let text = |wrap: &str| {
        format!(
            "borelli = 1\ndimension = \"spatial\"\n[world.point]\nP = [0.05, 0.2, 0.02]\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\npoint = {{ Q = [0.042, -0.08, -0.014] }}\n\
             [joint.x]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\naxis = [0, 0, 1]\n[wrap.w]\nat = \"world\"\n{wrap}\n\
             [path.p]\npoints = [\"world.P\", {{ wrap = \"w\", side = [1, 0, 0] }}, \"a.Q\"]\n[force.s]\ntype = \"spring\"\npath = \"p\"\nstiffness = 400\nlength = 0.2\n"
        )
    };
    let moved = |wrap: &str| {
        let system = parse(&text(wrap));
        let mut movement = Movement::new(&system, Options::default()).expect("a movement");
        let mut y = movement.state(&system, &[-0.1], &[-0.5]);
        let mut method = (find("rk4").expect("it").build)(y.len());
        let settings = Settings::fixed(1.0 / 1024.0);
        integrate(&mut *method, &mut movement.of(&system), (0.0, 0.25), &mut y, &settings, &mut Statistics::default(), &mut Unobserved)
            .expect("a motion");
        movement.warm_check().map(|check| (check.checks, check.worst))
    };
    let (checks, worst) = moved("type = \"ellipsoid\"\na = 0.045\nb = 0.03\nc = 0.06").expect("a path that is searched for");
    assert_eq!(checks, 4);
    assert!(worst < 1e-12, "{worst:e}");
    assert!(moved("type = \"sphere\"\nradius = 0.03").is_none(), "closed forms need no check");
}
