//! What a touch remembers: written by events only, so that rejected steps and other evaluations leave no trace.

use super::*;
use crate::formulation::{FORMULATIONS, Failure};
use crate::integrate::{Direction, Ode, Rule, Settings, Statistics, Unobserved, find, integrate, with_events};
use crate::movement::{Movement, Of, Options};
use borelli_testkit::assert_close;

/// Time after the touch, s.
const REST: f64 = 0.06;

/// A movement whose next attempt after every so many accepted steps fails half-way.
///
/// Methods do not lengthen a step right after a rejection, so with a stumble at each step it would shrink to nothing; nor would a run whose last step stumbles ever
/// end.
struct Stumbling<'m> {
    movement: Of<'m, Movement>,
    /// So many.
    every: usize,
    /// No stumble after this time, s.
    until: f64,
    accepted: usize,
    /// Evaluations of an attempt that is to fail.
    since: Option<usize>,
    stumbles: usize,
}

impl Ode for Stumbling<'_> {
    fn dim(&self) -> usize {
        self.movement.dim()
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        self.movement.rates(t, y, dy)?;
        self.since = self.since.map(|since| since + 1);
        if self.since == Some(2) {
            self.since = None;
            self.stumbles += 1;
            return Err(Failure::Undetermined { reason: "stumbled".into() });
        }
        Ok(())
    }

    fn accepted(&mut self, t: f64, y: &mut [f64]) -> bool {
        self.accepted += 1;
        if self.accepted.is_multiple_of(self.every) && t < self.until {
            self.since = Some(0);
        }
        self.movement.accepted(t, y)
    }
}

/// A movement that looks at other states before every evaluation.
struct Wandering<'m> {
    movement: Of<'m, Movement>,
    random: Random,
    /// How far it looks.
    reach: f64,
}

impl Ode for Wandering<'_> {
    fn dim(&self) -> usize {
        self.movement.dim()
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        for _ in 0..2 {
            let elsewhere: Vec<f64> = y.iter().map(|y| y + self.random.uniform(-self.reach, self.reach)).collect();
            self.movement.rates(t, &elsewhere, dy)?;
        }
        self.movement.rates(t, y, dy)
    }

    fn accepted(&mut self, t: f64, y: &mut [f64]) -> bool {
        self.movement.accepted(t, y)
    }
}

/// Two bodies that fly at each other, the first from above on a half-space or from the side on a body; nothing else acts on them.
fn falling(pairing: Pairing, contact: &str) -> System {
    parse(&pairing.text(contact).replace("dimension = ", "gravity = [0, 0, 0]\ndimension = "))
}

/// A state just before they meet, and velocities of approach with some turning.
fn approach(system: &System) -> (Vec<f64>, Vec<f64>) {
    let mut q = vec![0.1, 0.3, -0.05, 0.9, 0.3, -0.2, 0.25, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let v = vec![0.4, -3.0, 0.2, 0.3, -0.2, 0.5, 0.1, 0.2, -0.1, 0.2, 0.1, -0.3];
    loop {
        // Anew at each place: what is followed from inside would stay inside.
        let mut gaps = Gaps::new(system);
        gaps.look(system, &q, &v);
        if gaps.depth()[0] < -0.02 {
            return (q, v);
        }
        q[1] += 0.01;
    }
}

/// Drives a movement to its first touch, remembers its speed, and lets `run` have the rest.
fn after_touchdown(
    system: &System,
    movement: &mut Movement,
    q: &[f64],
    v: &[f64],
    run: impl FnOnce(&mut Movement, f64, &mut [f64]),
) -> (f64, Vec<f64>) {
    let mut y = movement.state(system, q, v);
    let mut gaps = Gaps::new(system);
    let depth = |_: usize, _: f64, y: &[f64]| {
        gaps.look(system, &y[..q.len()], &y[q.len()..q.len() + v.len()]);
        gaps.depth()[0]
    };
    let (rules, mut nobody) = ([Rule { direction: Direction::Rising, terminal: true }], Unobserved);
    let mut observer = with_events(&rules, y.len(), depth, &mut nobody);
    let settings = Settings { max_step: 2e-3, ..Settings::tolerance(1e-12) };
    let mut method = (find("dopri5").expect("a method").build)(y.len());
    let end = integrate(&mut *method, &mut movement.of(system), (0.0, 1.0), &mut y, &settings, &mut Statistics::default(), &mut observer)
        .expect("a fall");
    assert!(end.stopped, "no touch");
    let (q, v) = movement.split(&y);
    gaps.look(system, q, v);
    let speed = gaps.rate()[0];
    movement.recall(&struck(&[speed])).expect("one pair");
    run(movement, end.t, &mut y);
    (speed, y)
}

fn audited(system: &System) -> Movement {
    Movement::new(system, Options { audit: true, ..Options::default() }).expect("articulated takes every model")
}

fn drive(ode: &mut dyn Ode, method: &str, settings: &Settings, t: f64, y: &mut [f64]) -> Statistics {
    let (mut method, mut statistics) = ((find(method).expect("a method").build)(y.len()), Statistics::default());
    integrate(&mut *method, ode, (t, t + REST), y, settings, &mut statistics, &mut Unobserved)
        .unwrap_or_else(|failure| panic!("{failure}"));
    statistics
}

#[test]
fn a_rejected_step_leaves_no_trace() {
    for other in [BOARD, PEBBLE] {
        let pairing = pairing("spatial", EGG, other);
        let system = falling(pairing, &format!("normal = {REMEMBER}\nfriction = {RUB}"));
        let (q, v) = approach(&system);
        for (method, every) in [("dopri5", 2), ("adams", 10)] {
            let settings = Settings { max_step: 1e-3, ..Settings::tolerance(1e-12) };
            let (speed, plain) = after_touchdown(&system, &mut audited(&system), &q, &v, |movement, t, y| {
                drive(&mut movement.of(&system), method, &settings, t, y);
            });
            let (again, stumbled) = after_touchdown(&system, &mut audited(&system), &q, &v, |movement, t, y| {
                let mut stumbling =
                    Stumbling { movement: movement.of(&system), every, until: t + 0.9 * REST, accepted: 0, since: None, stumbles: 0 };
                let statistics = drive(&mut stumbling, method, &settings, t, y);
                let due = statistics.accepted / every;
                assert!(2 * stumbling.stumbles >= due && due > 10, "{method}: {} of {}", stumbling.stumbles, statistics.accepted);
                assert!(statistics.rejected >= stumbling.stumbles);
            });
            assert_eq!(speed, again);
            assert_close(&stumbled, &plain, 1e-10, &format!("{} {method}", pairing.name()));
            assert!(plain[q.len() + v.len() + 3] > 0.1, "nothing was lost");
        }
    }
}

#[test]
fn evaluations_elsewhere_leave_no_trace() {
    let patch = format!("normal = {BED}\nfriction = {RUB}");
    let point = format!("normal = {REMEMBER}\nfriction = {RUB}");
    let sum = format!("normal = {SUM}\nfriction = {RUB}");
    for (other, contact) in [(BOARD, &point), (BOARD, &patch), (BOARD, &sum), (PEBBLE, &point)] {
        let pairing = pairing("spatial", EGG, other);
        let system = falling(pairing, contact);
        let (q, v) = approach(&system);
        for (method, settings) in [("dopri5", Settings::tolerance(1e-9)), ("rk4", Settings::fixed(5e-4))] {
            let (_, plain) = after_touchdown(&system, &mut audited(&system), &q, &v, |movement, t, y| {
                drive(&mut movement.of(&system), method, &settings, t, y);
            });
            let (_, wandered) = after_touchdown(&system, &mut audited(&system), &q, &v, |movement, t, y| {
                drive(&mut Wandering { movement: movement.of(&system), random: Random::new(31), reach: 0.05 }, method, &settings, t, y);
            });
            if pairing.is_flat() {
                assert_eq!(plain, wandered, "{} {method}", pairing.name());
            } else {
                // The search for the common normal begins elsewhere, and ends within its tolerance.
                assert_close(&wandered, &plain, 1e-10, &format!("{} {method}", pairing.name()));
            }
        }
    }
}

#[test]
fn distances_and_loads_do_not_depend_on_the_state_looked_at_before() {
    let system = pairing("spatial", EGG, PEBBLE).system(&format!("normal = {HERTZ}"));
    let (mut random, mut wandering, mut sight) = (Random::new(32), Gaps::new(&system), Sight::new(&system));
    let (mut inside, states) = (0, 400);
    for k in 0..states {
        let (mut q, v, _) = random_state(&system, &mut random);
        // Now far apart, now one in the other.
        let (reach, m) = (if k % 3 == 0 { 5.0 } else { random.uniform(0.05, 0.5) }, random.direction());
        (0..3).for_each(|axis| q[axis] = q[7 + axis] + reach * m[axis]);
        let mut fresh = Gaps::new(&system);
        wandering.look(&system, &q, &v);
        fresh.look(&system, &q, &v);
        let (warm, cold) = (wandering.depth()[0], fresh.depth()[0]);
        assert!((warm - cold).abs() < 1e-12, "{warm} {cold}");
        sight.look(&system, 0.0, &q, &v, Inside::NONE, &[]);
        let anew = look(&system, &q, &v, &[]);
        let (warm, cold) = (touching(&sight).normal_force, touching(&anew).normal_force);
        assert!((warm - cold).abs() <= 1e-9 * cold.max(1.0), "{warm} {cold}");
        inside += usize::from(cold > 0.0);
    }
    assert!(2 * inside > states, "{inside} of {states}");
}

#[test]
fn a_free_impact_returns_the_restitution_of_its_law_in_every_formulation() {
    for (c, stiffness) in [(0.3, 1e6), (0.6, 1e5), (1.0, 1e5)] {
        let text = format!(
            "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[body.ball]\nmass = 1\ninertia = 0.004\n\
             [joint.base]\ntype = \"free\"\nparent = \"world\"\nchild = \"ball\"\n[surface.ball]\ntype = \"circle\"\nat = \"ball\"\nradius = 0.1\n\
             [surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[contact.bounce]\na = \"ball\"\nb = \"floor\"\n\
             normal = {{ type = \"exact-restitution\", stiffness = {stiffness}, restitution = {c} }}\n"
        );
        let system = parse(&text);
        for entry in FORMULATIONS {
            let mut movement =
                Movement::new(&system, Options { formulation: entry.name, audit: true, ..Options::default() }).expect("a ball");
            let (speed, y) = after_touchdown(&system, &mut movement, &[0.0, 0.12, 0.2], &[0.5, -1.3, 2.0], |movement, t, y| {
                drive(&mut movement.of(&system), "dopri5", &Settings { max_step: 1e-3, ..Settings::tolerance(1e-12) }, t, y);
            });
            // The step across the touch feels the force already; its interpolant is as good as the tolerance.
            assert!((speed - 1.3).abs() < 1e-10, "{} {c}: {:e}", entry.name, speed - 1.3);
            assert!(y[1] > 0.1, "{} {c}: still down", entry.name);
            assert!((y[4] - 1.3 * c).abs() < 1e-9, "{} {c}: {}", entry.name, y[4]);
            // What is lost is what is missing.
            assert!((y[9] - 0.5 * 1.3 * 1.3 * (1.0 - c * c)).abs() < 1e-9, "{} {c}: {}", entry.name, y[9]);
            assert_close(&[y[3], y[5]], &[0.5, 2.0], 1e-12, "without friction nothing else changes");
        }
    }
}

#[test]
fn a_contact_that_cannot_be_found_stops_every_formulation() {
    // Balls with one centre have no common normal. The depth is not known either: what is reported there must not pass for surfaces apart.
    let system = pairing("spatial", BALL, BALL).system(&format!("normal = {HERTZ}"));
    let [one, other] = [[0.05, -0.1, 0.08], [-0.1, 0.05, 0.06]];
    let mut q = vec![0.0; system.skeleton.coords()];
    (0..3).for_each(|k| (q[k], q[7 + k]) = (-one[k], -other[k]));
    (q[3], q[10]) = (1.0, 1.0);
    for entry in FORMULATIONS.iter().filter(|entry| (entry.build)(&system).is_ok()) {
        let mut movement = Movement::new(&system, Options { formulation: entry.name, ..Options::default() }).expect("a movement");
        let y = movement.state(&system, &q, &vec![0.1; system.skeleton.dofs()]);
        let found = movement.rates(&system, 0.0, &y, &mut vec![0.0; y.len()]);
        assert!(matches!(&found, Err(Failure::ContactNotFound { pair }) if pair == "touch"), "{}: {found:?}", entry.name);
    }
}
