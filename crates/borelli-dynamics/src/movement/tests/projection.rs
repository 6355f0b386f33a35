//! Projection on loops and guides: drift at the floor of rounding, order of the methods kept, energy kept.

use super::*;

const PROJECTED: Options = Options {
    formulation: "articulated",
    tau: Vec::new(),
    drift: DriftControl::Projection,
    memory: Memory { rows: Vec::new(), touch: Vec::new(), points: Vec::new() },
    controls: Vec::new(),
    audit: false,
    stop_at_breakpoints: true,
};

#[test]
fn projection_keeps_rows_closed_over_long_runs() {
    let mut tested = 0;
    for (name, system) in gallery().into_iter().filter(|(_, system)| !system.names.rows.is_empty()) {
        let Assembled { q, v, .. } = start(&system);
        // Beyond the last knot a table runs away.
        let tables = system.of_time.iter().filter_map(|f| system.numbers.functions[*f as usize].breakpoints().last().copied());
        let end = tables.fold(10.0, f64::min);
        // A disturbed mechanism of seven bodies turns a hundred times a second.
        let end = if name.starts_with("andrews") { 0.05 } else { end };
        let mut movement = Movement::new(&system, PROJECTED).unwrap();
        let mut y = movement.state(&system, &q, &v);
        let (mut method, mut statistics) = ((find("dopri5").unwrap().build)(y.len()), Statistics::default());
        let mut judge = Movement::new(&system, Options::default()).unwrap();
        let mut worst = Drift::default();
        let mut look = |step: &Step| {
            let drift = judge.drift(&system, step.t1, step.y);
            let speed = step.y.iter().fold(1.0f64, |most, x| most.max(x.abs()));
            worst = Drift { position: worst.position.max(drift.position), velocity: worst.velocity.max(drift.velocity / speed) };
            Flow::Continue
        };
        integrate(&mut *method, &mut movement.of(&system), (0.0, end), &mut y, &Settings::default(), &mut statistics, &mut look)
            .unwrap_or_else(|failure| panic!("{name}: {failure}"));
        assert!(worst.position < 1e-12 && worst.velocity < 1e-12, "{name}: {worst:?} in {} steps", statistics.accepted);
        tested += 1;
    }
    assert!(tested >= 10, "{tested}");
}

#[test]
fn without_control_a_loop_drifts_and_projection_is_what_stops_it() {
    let system = read("four-bar");
    let Assembled { q, v, .. } = start(&system);
    let [free, held] = [DriftControl::None, DriftControl::Projection].map(|drift| {
        let mut movement = Movement::new(&system, Options { drift, ..Options::default() }).unwrap();
        let mut y = movement.state(&system, &q, &v);
        run(&mut movement.of(&system), "dopri5", &Settings::default(), (0.0, 10.0), &mut y);
        movement.drift(&system, 10.0, &y).position
    });
    assert!(free > 1e-8 && held < 1e-13, "{free:e} {held:e}");
}

#[test]
fn fixed_step_methods_keep_their_order_under_projection() {
    for name in ["four-bar", "spatial-four-bar"] {
        let system = read(name);
        let Assembled { q, v, .. } = start(&system);
        let end = 0.4;
        let reach = |method: &str, settings: &Settings| {
            let mut movement = Movement::new(&system, PROJECTED).unwrap();
            let mut y = movement.state(&system, &q, &v);
            run(&mut movement.of(&system), method, settings, (0.0, end), &mut y);
            y
        };
        let exact = reach("dopri5", &Settings::tolerance(1e-13));
        for (method, order) in [("heun", 2.0), ("rk4", 4.0)] {
            let error = |steps: f64| {
                let y = reach(method, &Settings::fixed(end / steps));
                y.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
            };
            let measured = (error(400.0) / error(800.0)).log2();
            assert!((measured - order).abs() < 0.2, "{name} {method}: order {measured}");
        }
    }
}

#[test]
fn a_state_where_an_observer_stops_is_corrected_like_the_end_of_a_step() {
    let system = read("double-pendulum-pins");
    let Assembled { q, v, .. } = start(&system);
    let mut movement = Movement::new(&system, PROJECTED).unwrap();
    let mut y = movement.state(&system, &q, &v);
    let (mut method, mut statistics) = ((find("rk4").unwrap().build)(y.len()), Statistics::default());
    // In the middle of a long step, where the dense output is off by its own error.
    let mut stop = |step: &Step| if step.t1 > 0.2 { Flow::StopAt(0.5 * (step.t0 + step.t1)) } else { Flow::Continue };
    let end =
        integrate(&mut *method, &mut movement.of(&system), (0.0, 1.0), &mut y, &Settings::fixed(0.03), &mut statistics, &mut stop).unwrap();
    assert!(end.stopped && (0.18..0.2).contains(&end.t), "{end:?}");
    let drift = movement.drift(&system, end.t, &y);
    assert!(drift.position < 1e-12 && drift.velocity < 1e-12, "{drift:?}");
}
