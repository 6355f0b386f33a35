//! The balance of energy with the audit integrals in the state.

use super::*;

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
