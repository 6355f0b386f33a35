//! The hip with a liner in gait: numbers of an independent program, no pin, convergence, compliance.

use super::{Begin, Noted, generalised_alpha, hip, movement, newmark, run};

/// The damped set of the source.
fn damped() -> crate::integrate::Scheme {
    newmark(0.3025, 0.6)
}

/// The stance angle, deg.
fn stance(noted: &Noted) -> f64 {
    noted.q[2].to_degrees()
}

#[test]
fn step_of_gait_has_the_numbers_of_an_independent_program() {
    let system = hip(&[]);
    let mut movement = movement(&system);
    let noted = run(&system, &mut movement, damped(), Begin::Zero, 0.6, 0.01).unwrap();
    // deformable-joints 9.6 and solver-notes 2: vertical ground force of the first six steps, both at the end, stance angle at the end.
    for (k, force) in [399.0, 602.0, 486.0, 572.0, 559.0, 561.0].into_iter().enumerate() {
        assert!((noted[k].rows[1] - force).abs() <= 0.5, "step {k}: {} N", noted[k].rows[1]);
    }
    let last = &noted[59];
    assert!((last.t - 0.6).abs() < 1e-12);
    assert!((last.rows[0] - 176.3).abs() <= 0.05 && (last.rows[1] - 476.4).abs() <= 0.05, "{:?}", last.rows);
    assert!((stance(last) + 21.24).abs() <= 0.005, "{}", stance(last));
}

#[test]
fn nothing_but_the_liner_holds_the_hip() {
    let system = hip(&[]);
    let rows: Vec<String> = system.names.rows.iter().map(|row| row.path()).collect();
    assert_eq!(rows.len(), 5, "{rows:?}");
    assert!(rows.iter().all(|row| row.starts_with("loop.foot") || row.starts_with("loop.swing") || row.starts_with("guide.upright")));
    let mut movement = movement(&system);
    let noted = run(&system, &mut movement, damped(), Begin::Settled, 0.3, 0.01).unwrap();
    // Head against cup: hip of the leg minus hip of the trunk.
    let travel = |noted: &Noted| {
        let (s, c) = noted.q[2].sin_cos();
        let head = [noted.q[0] - 0.3364 * s, noted.q[1] + 0.3364 * c];
        (head[0] - noted.q[3]).hypot(head[1] - (noted.q[4] - 0.295))
    };
    let most = noted.iter().map(travel).fold(0.0, f64::max);
    assert!(most > 6e-6 && most < 8e-6, "the head moves by {most} m in its cup");
}

/// The same with a pin in place of the liner, as text.
fn pinned() -> String {
    let text = include_str!("../../../../../models/hip-liner-gait.toml");
    let soft = text.find("[material.").unwrap();
    let initial = text.find("# The source gives angles").unwrap();
    let pin = "[loop.hip]\ntype = \"coincident\"\na = \"hat.hip\"\nb = \"stance.hip\"\n\n";
    format!("{}{pin}{}", &text[..soft], &text[initial..])
}

/// The pinned model under the same scheme: vertical ground force of all steps, and the stance angle at the end, deg.
fn run_pinned(step: f64) -> (Vec<f64>, f64) {
    let system = super::system(&pinned());
    let mut rigid = crate::implicit_movement::ImplicitMovement::new(&system, Default::default()).unwrap();
    let mut method = crate::integrate::Implicit::new(damped(), Default::default(), &rigid.of(&system));
    let mut y = [&system.start.q[..], &system.start.v].concat();
    let settings = crate::integrate::Settings { step: Some(step), ..Default::default() };
    let mut forces = Vec::new();
    let mut observer = |step: &crate::integrate::Step| {
        forces.push(step.found.expect("an implicit scheme").lambda[1][1]);
        crate::integrate::Flow::Continue
    };
    let statistics = &mut Default::default();
    crate::integrate::integrate_implicit(&mut method, &mut rigid.of(&system), (0.0, 0.6), &mut y, &settings, statistics, &mut observer)
        .unwrap();
    (forces, y[2].to_degrees())
}

#[test]
fn settled_start_carries_the_force_of_a_pin() {
    let (pin, _) = run_pinned(0.01);
    // How far the vertical ground force of the first ten steps is from that with a pin.
    let distance = |begin: Begin| {
        let system = hip(&[]);
        let noted = run(&system, &mut movement(&system), damped(), begin, 0.1, 0.01).unwrap();
        noted.iter().zip(&pin).map(|(noted, pin)| (noted.rows[1] - pin).abs()).fold(0.0, f64::max)
    };
    let (unstrained, settled) = (distance(Begin::Consistent), distance(Begin::Settled));
    assert!(unstrained > 30.0, "{unstrained} N");
    assert!(settled < 8.0, "{settled} N, unstrained {unstrained} N");
    // deformable-joints 7.1: 435.6 N.
    let system = hip(&[]);
    let mut movement = movement(&system);
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(&system, &system.start.q, &system.start.v, &mut x, &mut v);
    let mut y = [&system.start.q[..], &x, &system.start.v, &v].concat();
    movement.of(&system).settle(0.0, &mut y).unwrap();
    let [fx, fy] = movement.problem().contact(0).force;
    assert!((fx.hypot(fy) - 435.6).abs() < 0.05, "{fx} {fy}");
}

#[test]
fn compliant_liner_changes_the_gait_and_a_stiff_one_is_a_pin() {
    let end = |young: &str, step: f64| {
        let system = hip(&[("974 MPa", young)]);
        let noted = run(&system, &mut movement(&system), damped(), Begin::Settled, 0.6, step).unwrap();
        stance(noted.last().unwrap())
    };
    let (pin, pin_half) = (run_pinned(0.01).1, run_pinned(0.005).1);
    let departure = end("9.74 MPa", 0.01) - pin;
    let departure_half = end("9.74 MPa", 0.005) - pin_half;
    assert!(departure.abs() >= 10.0 * (departure - departure_half).abs(), "{departure} and {departure_half} deg");
    let [usual, stiff] = ["974 MPa", "97.4 GPa"].map(|young| (end(young, 0.01) - pin).abs());
    assert!(usual < departure.abs() / 20.0 && stiff < usual / 20.0, "{departure}, {usual} and {stiff} deg");
}

#[test]
fn generalised_alpha_is_of_order_two_in_the_angles() {
    let system = hip(&[("divisions = [48, 8]", "divisions = [12, 2]")]);
    let end = |scheme: crate::integrate::Scheme, step: f64| {
        let noted = run(&system, &mut movement(&system), scheme, Begin::Settled, 0.3, step).unwrap();
        stance(noted.last().unwrap())
    };
    let order = |scheme: crate::integrate::Scheme| {
        let [coarse, middle, fine] = [0.02, 0.01, 0.005].map(|step| end(scheme, step));
        ((coarse - middle) / (middle - fine)).abs().log2()
    };
    let (alpha, damped) = (order(generalised_alpha(0.8)), order(damped()));
    assert!(alpha >= 1.8, "{alpha}");
    assert!((damped - 1.0).abs() < 0.2, "{damped}");
}
