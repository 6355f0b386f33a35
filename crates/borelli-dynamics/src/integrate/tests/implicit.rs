//! Implicit schemes on equations written out: oscillators with known spectral radii, a pendulum in Cartesian coordinates, failures, memory.
//! Not here: models of bodies (`implicit_movement`).

use super::*;
use crate::integrate::{
    DenseNewton, Direction, Flow, Form, Implicit, Linearised, Motion, Newton, Residual, Rule, SCHEMES, Scheme, StartAcceleration, Step,
    Trial, Trouble, find_scheme, generalised_alpha, integrate_implicit, newmark, with_events,
};

type Give<T> = Result<T, formulation::Failure>;

/// Unit masses on springs of stiffness ω² with damping and a force in time; or a pendulum of unit length, m = 1, g = 1, with Φ = (x² + y² − 1)/2.
#[derive(Clone, Copy)]
pub(super) enum System {
    Oscillator {
        omega: f64,
    },
    /// a = +1 before the breakpoint and −1 after it.
    Pushed {
        jump: f64,
    },
    Pendulum {
        rows: usize,
        scale: f64,
    },
}

impl System {
    fn force(&self, t: f64, q: &[f64]) -> [f64; 2] {
        match *self {
            System::Oscillator { omega } => [-omega * omega * q[0], -4.0 * q[1]],
            System::Pushed { jump } => [if t < jump { 1.0 } else { -1.0 }, 0.0],
            System::Pendulum { .. } => [0.0, -1.0],
        }
    }

    fn rows(&self) -> usize {
        if let System::Pendulum { rows, .. } = self { *rows } else { 0 }
    }

    /// With memory to solve for corrections.
    pub(super) fn solved(self) -> Solved {
        Solved { system: self, newton: DenseNewton::new(2, 0, self.rows()) }
    }
}

/// One of them with its solve.
pub(super) struct Solved {
    system: System,
    newton: DenseNewton,
}

impl Residual for Solved {
    fn coords(&self) -> usize {
        2
    }

    fn dofs(&self) -> usize {
        2
    }

    fn rows(&self) -> usize {
        self.system.rows()
    }

    fn rate(&self, _: &[f64], v: &[f64], qdot: &mut [f64]) {
        qdot.copy_from_slice(v);
    }

    fn retract(&self, q: &mut [f64], step: &[f64]) {
        q.iter_mut().zip(step).for_each(|(q, s)| *q += s);
    }

    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Give<()> {
        a.copy_from_slice(&self.system.force(t, q));
        if let System::Pendulum { scale, .. } = self.system {
            // q·a + v·v = 0 with a = f + q λ.
            let square = q[0] * q[0] + q[1] * q[1];
            let pull = -(q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1]) / square;
            (0..2).for_each(|i| a[i] += pull * q[i]);
            lambda.fill(0.0);
            lambda[0] = pull / scale;
        }
        Ok(())
    }

    fn residual(&mut self, t: f64, at: Motion, lambda: &[f64], force: &mut [f64], position: &mut [f64]) -> Give<()> {
        let f = self.system.force(t, at.q);
        (0..2).for_each(|i| force[i] = at.a[i] - f[i]);
        if let System::Pendulum { scale, .. } = self.system {
            (0..2).for_each(|i| force[i] -= scale * at.q[i] * lambda[0]);
            position.fill(f64::NAN);
            position[0] = scale * 0.5 * (at.q[0] * at.q[0] + at.q[1] * at.q[1] - 1.0);
        }
        Ok(())
    }

    fn linearise(&mut self, trial: &Trial) -> Result<Linearised, Trouble> {
        let Trial { t, at, lambda, .. } = *trial;
        let (mut force, mut position) = ([0.0; 2], [0.0; 4]);
        let rows = self.rows();
        self.residual(t, at, lambda, &mut force, &mut position[..rows])?;
        let out = &mut self.newton.tangents;
        out.force.copy_from_slice(&force);
        out.position.copy_from_slice(&position[..rows]);
        out.by_a.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        out.by_v.fill(0.0);
        out.by_q.fill(0.0);
        match self.system {
            System::Oscillator { omega } => (out.by_q[0], out.by_q[3]) = (omega * omega, 4.0),
            System::Pushed { .. } => {}
            System::Pendulum { scale, .. } => {
                (out.by_q[0], out.by_q[3]) = (-scale * lambda[0], -scale * lambda[0]);
                (0..2).for_each(|i| (out.G[i], out.effect[i]) = (scale * at.q[i], scale * at.q[i]));
            }
        }
        self.newton.factor(trial, |row| row == 0, |_, _| {})
    }

    fn solve(&mut self, correction: &mut [f64], multipliers: &mut [f64]) -> Result<bool, Trouble> {
        self.newton.solve(correction, multipliers);
        Ok(true)
    }

    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        if let System::Pushed { jump } = self.system { Some(jump).filter(|b| *b > t) } else { None }
    }
}

/// State reached, with the last multipliers.
fn reach(
    system: System,
    (scheme, newton): (Scheme, Newton),
    (h, end): (f64, f64),
    start: [f64; 4],
) -> (Result<End, Failure>, [f64; 4], f64, Statistics) {
    let mut system = system.solved();
    let (mut method, mut statistics, mut y, mut lambda) = (Implicit::new(scheme, newton, &system), Statistics::default(), start, 0.0);
    let mut last = |step: &Step| {
        lambda = step.found.expect("multipliers").lambda[1].first().copied().unwrap_or(0.0);
        Flow::Continue
    };
    let reached = integrate_implicit(&mut method, &mut system, (0.0, end), &mut y, &Settings::fixed(h), &mut statistics, &mut last);
    (reached, y, lambda, statistics)
}

pub(super) fn schemes() -> [Scheme; 4] {
    [newmark(0.25, 0.5), newmark(0.3025, 0.6), generalised_alpha(0.8), generalised_alpha(0.0)]
}

#[test]
fn what_a_step_leaves_of_a_fast_oscillation_is_the_spectral_radius() {
    // Published: 0.818 for the damped set, ρ∞ for generalised-α. A double eigenvalue adds a factor n, here at most 2 over 50 steps: 1.4 %.
    for (scheme, radius) in [(newmark(0.25, 0.5), 1.0), (newmark(0.3025, 0.6), 0.9 / 1.1), (generalised_alpha(0.6), 0.6)] {
        let size = |steps: usize| {
            let (end, y, ..) =
                reach(System::Oscillator { omega: 1e5 }, (scheme, Newton::default()), (1.0, steps as f64), [1.0, 0.0, 1.0, 0.0]);
            assert!(end.is_ok());
            y[0].hypot(y[2])
        };
        let found = (size(100) / size(50)).powf(1.0 / 50.0);
        assert!((found / radius - 1.0).abs() < 0.016, "{scheme:?}: {found} for {radius}");
    }
}

#[test]
fn the_trapezoid_keeps_the_energy_of_an_oscillator_and_damping_loses_it() {
    let energy = |y: [f64; 4]| 0.5 * (9.0 * y[0] * y[0] + y[2] * y[2]);
    let after =
        |scheme| energy(reach(System::Oscillator { omega: 3.0 }, (scheme, Newton::default()), (0.05, 20.0), [1.0, 0.0, 0.5, 0.0]).1);
    let start = energy([1.0, 0.0, 0.5, 0.0]);
    assert!((after(newmark(0.25, 0.5)) / start - 1.0).abs() < 1e-12, "{}", after(newmark(0.25, 0.5)));
    // Per radian of the oscillation the damped set has the damping ratio (γ − ½) ω h/2 to first order: 0.0075, that is exp(−2 · 0.0075 · 60) = 0.41.
    let left = after(newmark(0.3025, 0.6)) / start;
    assert!((left - (-0.9_f64).exp()).abs() < 0.01, "{left}");
}

#[test]
fn all_three_unknowns_give_the_same_steps() {
    for system in [System::Oscillator { omega: 3.0 }, System::Pendulum { rows: 1, scale: 1.0 }] {
        for scheme in schemes().into_iter().skip(1) {
            let with = |form| reach(system, (scheme, Newton { form, ..Newton::default() }), (0.02, 2.0), [0.6, -0.8, 0.0, 0.0]);
            let (_, u, lambda, statistics) = with(Form::Displacement);
            for form in [Form::Velocity, Form::Acceleration] {
                let (_, other, multiplier, counted) = with(form);
                assert!(largest_difference(&u, &other) < 1e-12, "{scheme:?} {form:?}: {u:?} {other:?}");
                assert!((lambda - multiplier).abs() < 1e-9, "{scheme:?} {form:?}: {lambda} {multiplier}");
                assert_eq!(statistics.accepted, counted.accepted);
            }
        }
    }
}

/// Angle and rate from the scalar equation θ'' = −sin θ from (θ₀, 0), by Adams; as a Cartesian state with the multiplier −(cos θ + θ'²).
pub(super) fn pendulum_exactly(t: f64, theta: f64) -> ([f64; 4], f64) {
    let scalar = Equation { dim: 2, rates: |_, y, dy| dy.copy_from_slice(&[y[1], -y[0].sin()]), jacobian: None, breakpoints: &[] };
    let (y, _) = run(method("adams"), scalar, (0.0, t), &[theta, 0.0], &Settings::tolerance(1e-13));
    let (s, c) = y[0].sin_cos();
    ([s, -c, c * y[1], s * y[1]], -(c + y[1] * y[1]))
}

#[test]
fn a_pendulum_on_a_rod_converges_with_the_order_of_the_scheme_also_in_its_multiplier() {
    let start = [0.6, -0.8, 0.0, 0.0];
    let (exact, pull) = pendulum_exactly(2.0, 0.6_f64.asin());
    for (scheme, order) in [(newmark(0.3025, 0.6), 1), (generalised_alpha(0.8), 2), (generalised_alpha(0.2), 2)] {
        assert_eq!(scheme.order(), order);
        let errors = |h: f64| {
            let (end, y, lambda, statistics) =
                reach(System::Pendulum { rows: 1, scale: 1.0 }, (scheme, Newton::default()), (h, 2.0), start);
            assert!(end.is_ok() && statistics.highest_order == order);
            assert!((y[0].hypot(y[1]) - 1.0).abs() < 1e-13, "the rod keeps its length");
            [largest_difference(&y[..2], &exact[..2]), largest_difference(&y[2..], &exact[2..]), (lambda - pull).abs()]
        };
        let (coarse, fine) = (errors(0.01), errors(0.005));
        for k in 0..3 {
            let ratio = coarse[k] / fine[k];
            assert!((ratio / 2.0_f64.powi(order as i32) - 1.0).abs() < 0.1, "{scheme:?} {k}: {coarse:?} {fine:?}");
        }
    }
}

#[test]
fn a_row_in_other_units_and_one_set_aside_change_nothing_but_multipliers() {
    let run = |rows, scale| {
        reach(System::Pendulum { rows, scale }, (generalised_alpha(0.8), Newton::default()), (0.01, 1.0), [0.6, -0.8, 0.0, 0.0])
    };
    let (_, y, lambda, _) = run(1, 1.0);
    for (rows, scale) in [(1, 1e3), (3, 1.0)] {
        let (end, other, multiplier, _) = run(rows, scale);
        assert!(end.is_ok());
        assert!(largest_difference(&y, &other) < 1e-12 && (multiplier * scale - lambda).abs() < 1e-9, "{rows} {scale}");
    }
}

#[test]
fn a_jump_of_the_force_is_met_and_a_stop_inside_a_step_is_interpolated() {
    for scheme in schemes() {
        // x'' = ±1: a parabola, then another. The damped sets are exact too, since a is constant in each piece.
        let (end, y, _, statistics) = reach(System::Pushed { jump: 0.73 }, (scheme, Newton::default()), (0.1, 2.0), [0.0; 4]);
        assert_eq!((end, statistics.starts), (Ok(End { t: 2.0, stopped: false }), 2));
        let (turn, speed, rest) = (0.5 * 0.73 * 0.73, 0.73, 2.0 - 0.73);
        assert!((y[0] - (turn + speed * rest - 0.5 * rest * rest)).abs() < 1e-13 && (y[2] - (speed - rest)).abs() < 1e-13, "{scheme:?}");
        // An event at x = 0.2, reached at √0.4.
        let (mut system, mut y, mut counted, mut inner) =
            (System::Pushed { jump: 5.0 }.solved(), [0.0; 4], Statistics::default(), Unobserved);
        let mut method = Implicit::new(scheme, Newton::default(), &system);
        let rules = [Rule { direction: Direction::Any, terminal: true }];
        let mut watch = with_events(&rules, 4, |_, _, y| y[0] - 0.2, &mut inner);
        let end =
            integrate_implicit(&mut method, &mut system, (0.0, 2.0), &mut y, &Settings::fixed(0.1), &mut counted, &mut watch).unwrap();
        assert!(end.stopped && (end.t - 0.4_f64.sqrt()).abs() < 1e-12 && (y[0] - 0.2).abs() < 1e-12, "{end:?}");
    }
}

#[test]
fn observers_see_accelerations_and_multipliers_at_both_ends_of_steps() {
    let pendulum = System::Pendulum { rows: 1, scale: 1.0 };
    let (mut system, mut y, mut statistics) = (pendulum.solved(), [0.6, -0.8, 0.0, 0.0], Statistics::default());
    let mut method = Implicit::new(generalised_alpha(0.8), Newton::default(), &system);
    let (mut before, mut steps) = ([f64::NAN; 3], 0);
    let mut look = |step: &Step| {
        let found = step.found.expect("both");
        assert_eq!(found.t, (step.t0, step.t1));
        let (mut a, mut lambda) = ([0.0; 2], [0.0]);
        found.eval(step.t0, &mut a, &mut lambda);
        assert!(steps == 0 || [a[0], a[1], lambda[0]] == before);
        found.eval(step.t1, &mut a, &mut lambda);
        // a = f + q λ.
        assert!((a[0] - step.y[0] * lambda[0]).abs() < 1e-9 && (a[1] + 1.0 - step.y[1] * lambda[0]).abs() < 1e-9);
        (before, steps) = ([a[0], a[1], lambda[0]], steps + 1);
        found.eval(0.5 * (step.t0 + step.t1), &mut a, &mut lambda);
        assert!((lambda[0] - 0.5 * (found.lambda[0][0] + found.lambda[1][0])).abs() < 1e-15);
        Flow::Continue
    };
    integrate_implicit(&mut method, &mut system, (0.0, 0.55), &mut y, &Settings::fixed(0.1), &mut statistics, &mut look).unwrap();
    assert_eq!((steps, statistics.accepted), (6, 6));
    assert!(
        (statistics.smallest_step - 0.05).abs() < 1e-12
            && statistics.iterations == statistics.factorisations
            && statistics.iterations >= 12
    );
}

#[test]
fn every_way_to_fail_says_where() {
    let pendulum = System::Pendulum { rows: 1, scale: 1.0 };
    let how = (generalised_alpha(0.8), Newton::default());
    // From the middle of the circle no direction changes the rod's length.
    let (end, ..) = reach(pendulum, (how.0, Newton { start: StartAcceleration::Zero, ..how.1 }), (0.1, 1.0), [0.0; 4]);
    assert!(
        matches!(end, Err(Failure::SingularRow { t: 0.0, row: 0 }) | Err(Failure::NotConverged { t: 0.0, row: Some(0), .. })),
        "{end:?}"
    );
    let (end, ..) = reach(pendulum, (how.0, Newton { max_iterations: 1, ..how.1 }), (0.1, 1.0), [0.6, -0.8, 0.0, 0.0]);
    let failure = end.expect_err("one iteration is not enough");
    assert!(matches!(failure, Failure::NotConverged { t: 0.0, iterations: 1, .. }) && failure.row() == Some(0), "{failure}");
    assert!(failure.entry().is_some_and(|entry| entry >= 2) && failure.to_string().contains("t = 0 s"), "{failure}");
    let (end, ..) = reach(System::Oscillator { omega: f64::NAN }, how, (0.1, 1.0), [1.0; 4]);
    assert_eq!(end, Err(Failure::NotFinite { t: 0.0, entry: 2 }));
    let (end, ..) = reach(
        System::Pendulum { rows: 1, scale: f64::INFINITY },
        (how.0, Newton { start: StartAcceleration::Zero, ..how.1 }),
        (0.1, 1.0),
        [1.0; 4],
    );
    assert!(matches!(end, Err(Failure::NotFinite { .. } | Failure::RowNotFinite { .. })), "{end:?}");

    let refused = |newton: Newton, settings: Settings, y: &mut [f64]| {
        let mut system = pendulum.solved();
        let mut method = Implicit::new(how.0, newton, &system);
        integrate_implicit(&mut method, &mut system, (0.0, 1.0), y, &settings, &mut Statistics::default(), &mut Unobserved)
            .expect_err("refused")
    };
    let fixed = Settings::fixed(0.1);
    assert!(matches!(refused(how.1, Settings::default(), &mut [0.0; 4]), Failure::BadSetting { name: "step", .. }));
    assert!(matches!(
        refused(Newton { tolerance: 0.0, ..how.1 }, fixed, &mut [0.0; 4]),
        Failure::BadSetting { name: "newton_tolerance", .. }
    ));
    assert!(matches!(
        refused(Newton { max_iterations: 0, ..how.1 }, fixed, &mut [0.0; 4]),
        Failure::BadSetting { name: "max_iterations", .. }
    ));
    assert_eq!(refused(how.1, fixed, &mut [0.0; 3]), Failure::WrongLength { expected: 4, found: 3 });
    assert_eq!(refused(how.1, fixed, &mut [0.0, f64::NAN, 0.0, 0.0]), Failure::StartNotFinite { t: 0.0, entry: 1 });
    let few = Settings { max_steps: 3, ..fixed };
    assert!(matches!(refused(how.1, few, &mut [0.6, -0.8, 0.0, 0.0]), Failure::TooManySteps { limit: 3, .. }));
}

#[test]
fn the_list_of_schemes_checks_parameters_and_knows_named_sets() {
    for entry in SCHEMES {
        assert!(find_scheme(entry.name).is_some_and(|found| found.name == entry.name));
        for (name, values) in entry.sets {
            assert_eq!(entry.set(name), entry.with(values).ok(), "{name}");
        }
        let few = &entry.sets[0].1[1..];
        assert!(matches!(entry.with(few), Err(Failure::BadSetting { value, .. }) if value.is_nan()));
        let wrong = vec![-0.5; entry.parameters.len()];
        assert_eq!(entry.with(&wrong), Err(Failure::BadSetting { name: entry.parameters[0].name, value: -0.5 }));
    }
    let newmark_entry = find_scheme("newmark").expect("newmark");
    assert_eq!(newmark_entry.set("trapezoid"), Some(newmark(0.25, 0.5)));
    assert_eq!(newmark_entry.default_scheme(), newmark(0.3025, 0.6));
    // Without α the formulas are Newmark's; ρ∞ = 1 is not: it averages.
    assert_eq!(newmark(0.25, 0.5).lead(), 0.0);
    assert_eq!(generalised_alpha(1.0), Scheme { alpha_m: 0.5, alpha_f: 0.5, beta: 0.25, gamma: 0.5 });
}

#[test]
fn steps_of_implicit_schemes_ask_for_no_memory() {
    for scheme in schemes() {
        let pendulum = System::Pendulum { rows: 1, scale: 1.0 };
        let (mut system, mut y, mut statistics) = (pendulum.solved(), [0.6, -0.8, 0.0, 0.0], Statistics::default());
        let mut method = Implicit::new(scheme, Newton::default(), &system);
        let settings = Settings::fixed(0.01);
        let (end, requests) = borelli_testkit::count_allocations(|| {
            integrate_implicit(&mut method, &mut system, (0.0, 0.2), &mut y, &settings, &mut statistics, &mut Unobserved)
        });
        assert!(end.is_ok() && statistics.accepted == 20, "{end:?}");
        assert_eq!(requests, 0);
    }
}
