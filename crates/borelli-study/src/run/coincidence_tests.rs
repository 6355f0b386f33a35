//! Touchdowns and lift-offs of several pairs at one instant: none is forgotten, whatever the law, the formulation and the integrator.
//! Not here: one pair at a time (`contact_tests`).
//!
//! Without gravity a ball that bounces between a floor and a ceiling keeps a part e of its speed at each of them, with (1 + e) λ = ln((1 + λ)/(1 − λ e)) for forces
//! k δⁿ (1 + λ δ̇/v₀), and what it does is known in closed form but for the milliseconds of a touch. Balls that differ in size only do the same at the same instants,
//! each with rounding of its own.

use super::tests::{good, plan, system, value};
use super::*;
use crate::plan::{Action, EventRule};
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_dynamics::integrate::{Direction, INTEGRATORS, Kind, SCHEMES};
use borelli_testkit::Random;

/// Between floor and ceiling.
#[derive(Clone)]
struct Ball {
    radius: f64,
    /// Room over the floor, and under the ceiling, m.
    room: [f64; 2],
    speed: f64,
    law: String,
}

/// Balls of 1 kg on sliders of their own, 1 m apart, so that none touches another.
fn balls(list: &[Ball], gravity: f64) -> String {
    let points: Vec<String> = (0..list.len()).map(|k| format!("point.p{k} = [{k}, 0]\n")).collect();
    let mut text = format!(
        "borelli = 1\ndimension = \"planar\"\ngravity = [0, {:?}]\n[surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[world]\n{}",
        -gravity,
        points.concat()
    );
    let (mut places, mut speeds) = (Vec::new(), Vec::new());
    for (k, Ball { radius, room: [below, above], speed, law }) in list.iter().enumerate() {
        text += &format!(
            "[body.b{k}]\nmass = 1\ninertia = 1\n[joint.b{k}]\ntype = \"slider\"\nparent = \"world.p{k}\"\nchild = \"b{k}\"\n\
             axis = [0, 1]\n[surface.b{k}]\ntype = \"circle\"\nat = \"b{k}\"\nradius = {radius:?}\n{}[contact.down{k}]\na = \"b{k}\"\nb = \"floor\"\nnormal = {law}\n\
             [contact.up{k}]\na = \"b{k}\"\nb = \"ceiling{k}\"\nnormal = {law}\n",
            ceiling(k, 2.0 * radius + below + above)
        );
        places.push(format!("b{k} = {:?}", radius + below));
        speeds.push(format!("b{k} = {speed:?}"));
    }
    text + &format!("[initial]\ncoordinates = {{ {} }}\nspeeds = {{ {} }}\n", places.join(", "), speeds.join(", "))
}

/// A half-space that looks down from a height.
fn ceiling(k: usize, height: f64) -> String {
    format!(
        "[world.frame.ceiling{k}]\norigin = [0, {height:?}]\nangle = {:?}\n[surface.ceiling{k}]\ntype = \"half-space\"\nat = \"world.ceiling{k}\"\n",
        std::f64::consts::PI
    )
}

/// A body on two feet of different size whose soles are level, between a floor and a ceiling for each foot.
fn two_feet(room: [f64; 2], speed: f64, law: &str) -> String {
    let mut text = String::from(
        "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[surface.floor]\ntype = \"half-space\"\nat = \"world\"\n\
         [body.body]\nmass = 1\ninertia = 0.05\npoint.f0 = [-0.3, 0.1]\npoint.f1 = [0.3, 0.07]\n[joint.base]\ntype = \"planar\"\nparent = \"world\"\nchild = \"body\"\ncoordinates = [\"x\", \"y\", \"turn\"]\n",
    );
    for (k, radius) in [0.1, 0.07].into_iter().enumerate() {
        text += &format!(
            "[surface.f{k}]\ntype = \"circle\"\nat = \"body.f{k}\"\nradius = {radius:?}\n{}\
             [contact.down{k}]\na = \"f{k}\"\nb = \"floor\"\nnormal = {law}\n[contact.up{k}]\na = \"f{k}\"\nb = \"ceiling{k}\"\nnormal = {law}\n",
            ceiling(k, 2.0 * radius + room[0] + room[1])
        );
    }
    text + &format!("[initial]\ncoordinates = {{ y = {:?} }}\nspeeds = {{ y = {speed:?} }}\n", room[0])
}

const FLORES: &str = r#"{ type = "flores", stiffness = 1e6, restitution = 0.8 }"#;

/// e of the relation above, for the law of Flores with 0.8, by halving.
fn kept() -> f64 {
    let lambda: f64 = 1.6 * 0.2 / 0.8;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let e = 0.5 * (low + high);
        if (1.0 + e) * lambda > ((1.0 + lambda) / (1.0 - lambda * e)).ln() { low = e } else { high = e }
    }
    low
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("no {name}")).value
}

fn last(outcome: &Outcome, column: &str) -> f64 {
    value(&outcome.trajectory, column, outcome.trajectory.len() - 1)
}

fn counts(outcome: &Outcome, pair: &str) -> [f64; 2] {
    ["touchdown", "liftoff"].map(|what| scalar(outcome, &format!("event.contact.{pair}.{what}.count")))
}

/// Plans by formulation and integrator, with what is to be allowed of speeds for the order of each. Implicit schemes have one formulation.
fn plans(system: &System, end: f64) -> Vec<(String, Plan, f64)> {
    let mut list = Vec::new();
    let explicit = FORMULATIONS.iter().flat_map(|f| INTEGRATORS.iter().map(|i| (f.name, i.name, i.kind == Kind::Fixed)));
    for (formulation, method, fixed) in explicit.chain(SCHEMES.iter().map(|scheme| ("articulated", scheme.name, true))) {
        let mut plan = Plan { formulation: formulation.into(), ..plan(end) };
        plan.integrator.method = Some(method.into());
        plan.integrator.settings.step = fixed.then_some(1e-4);
        (plan.integrator.beta, plan.integrator.gamma) = (0.25, 0.5);
        if FORMULATIONS.iter().any(|entry| entry.name == formulation && (entry.build)(system).is_err()) {
            continue;
        }
        // A touch of 11 ms takes a hundred fixed steps.
        let allowed = match method {
            "heun" | "newmark" | "generalised-alpha" => 2e-3,
            "rk4" => 1e-5,
            _ => 1e-7,
        };
        list.push((format!("{formulation} {method}"), plan, allowed));
    }
    list
}

#[test]
fn balls_that_touch_and_leave_at_one_instant_are_all_remembered() {
    // Floor, ceiling, floor, ceiling, and on the way down again at 1.4 s.
    let ball = |radius| Ball { radius, room: [0.25, 0.15], speed: -2.0, law: FLORES.into() };
    for radii in [&[0.1, 0.07][..], &[0.1, 0.07, 0.031, 0.23]] {
        let system = system(&balls(&radii.iter().map(|radius| ball(*radius)).collect::<Vec<_>>(), 0.0));
        let plans = plans(&system, 1.4);
        assert!(plans.len() >= 3 * INTEGRATORS.len() + SCHEMES.len(), "{}", plans.len());
        for (name, plan, allowed) in plans {
            let outcome = good(&system, &plan);
            for k in 0..radii.len() {
                for pair in ["down", "up"] {
                    assert_eq!(counts(&outcome, &format!("{pair}{k}")), [2.0; 2], "{name}: {pair} {k} of {radii:?}");
                }
                let speed = last(&outcome, &format!("coord.b{k}.rate"));
                assert!((speed + 2.0 * kept().powi(4)).abs() < allowed, "{name}: {speed} of ball {k}");
            }
            assert_eq!(scalar(&outcome, "run.remembered_touchdowns"), 4.0 * radii.len() as f64, "{name}");
        }
    }
}

#[test]
fn a_level_body_on_two_different_feet_stays_level() {
    let system = system(&two_feet([0.25, 0.15], -2.0, FLORES));
    for (name, plan, allowed) in plans(&system, 1.4) {
        let outcome = good(&system, &plan);
        for pair in ["down0", "down1", "up0", "up1"] {
            assert_eq!(counts(&outcome, pair), [2.0; 2], "{name}: {pair}");
        }
        // Twice the stiffness keeps the same part of the speed; what the feet differ by is off the middle, and equal.
        let (speed, turn) = (last(&outcome, "coord.y.rate"), last(&outcome, "coord.turn.value"));
        assert!((speed + 2.0 * kept().powi(4)).abs() < allowed, "{name}: {speed}");
        assert!(turn.abs() < 1e-9, "{name}: {turn}");
    }
}

#[test]
fn a_ball_without_room_leaves_the_floor_where_it_meets_the_ceiling() {
    // Of one ball the rounding may fall either way: of several it does both.
    let ball = |radius| Ball { radius, room: [0.0, 0.0], speed: -2.0, law: FLORES.into() };
    let radii = [0.1, 0.07, 0.031, 0.23, 0.3];
    let system = system(&balls(&radii.map(ball), 0.0));
    for (name, plan, allowed) in plans(&system, 0.05) {
        let outcome = good(&system, &plan);
        for k in 0..radii.len() {
            let ([down, left], [up, gone]) = (counts(&outcome, &format!("down{k}")), counts(&outcome, &format!("up{k}")));
            // In turn: a touch of one is over where that of the other begins, and the last is not over.
            let touches = down + up;
            assert!(down - up == touches % 2.0 && left + gone == touches - 1.0, "{name} {k}: {down} {left} {up} {gone}");
            assert!((4.0..6.0).contains(&touches), "{name} {k}: {touches}");
            let pairs = [format!("contact.down{k}"), format!("contact.up{k}")];
            let times = |what: &str| -> Vec<f64> {
                let of = |event: &&Occurrence| pairs.iter().any(|pair| event.name == format!("{pair}.{what}"));
                outcome.events.iter().filter(of).map(|event| event.t).collect()
            };
            for (n, (off, on)) in times("liftoff").iter().zip(&times("touchdown")[1..]).enumerate() {
                assert!((off - on).abs() < 1e-11, "{name} {k}: {off} {on}");
                // Speeds at the passages, from the energy that is left: 2 eⁿ.
                let sample = outcome.trajectory.time().iter().position(|t| t == on).expect("a sample of its own");
                let speed = value(&outcome.trajectory, &format!("coord.b{k}.rate"), sample).abs();
                assert!((speed - 2.0 * kept().powi(n as i32 + 1)).abs() < allowed, "{name} {k}: {speed} at passage {n}");
            }
        }
    }
}

/// A run that ends at a touchdown, by time or by an event of its own, and one that goes on from there count it once between them, and as often as one run through.
#[test]
fn a_touchdown_at_which_a_run_ends_is_counted_once() {
    let ball = |radius| Ball { radius, room: [0.25, 0.15], speed: -2.0, law: FLORES.into() };
    let radii = [0.1, 0.07, 0.031, 0.23];
    let system = system(&balls(&radii.map(ball), 0.0));
    let pairs: Vec<String> = (0..radii.len()).flat_map(|k| [format!("down{k}"), format!("up{k}")]).collect();
    for (name, whole, allowed) in plans(&system, 1.4) {
        let straight = good(&system, &whole);
        // The third is the first touch of the ceiling, the others touchdown on and lift-off from the floor.
        let instants = ["contact.down0.touchdown", "contact.down0.liftoff", "contact.up0.touchdown"];
        let time = |event: &str| straight.events.iter().find(|own| own.name == event).unwrap_or_else(|| panic!("{name}: no {event}")).t;
        for event in instants {
            let mut first = whole.clone();
            first.time.end = time(event);
            // The column passes zero where the pair does; its own direction is that of the overlap.
            let pair = event.split('.').nth(1).expect("a pair");
            let stop = EventRule {
                name: "stop".into(),
                when: format!("contact.{pair}.depth"),
                direction: if event.ends_with("touchdown") { Direction::Rising } else { Direction::Falling },
                action: Action::Stop,
                at: None,
            };
            let stopped = Plan { events: vec![stop], ..whole.clone() };
            for plan in [first, stopped] {
                let begun = good(&system, &plan);
                let end = begun.end.as_ref().expect("an end");
                assert!((end.t - time(event)).abs() < 1e-9, "{name} {event}: {} {}", end.t, time(event));
                let rest = run(&system, &whole, Some(end), &mut Unwatched).expect("a run");
                for pair in &pairs {
                    let both: Vec<f64> = counts(&begun, pair).iter().zip(counts(&rest, pair)).map(|(a, b)| a + b).collect();
                    assert_eq!(both, counts(&straight, pair), "{name} {event}: {pair}");
                }
                let written = [&begun, &rest].map(|own| scalar(own, "run.remembered_touchdowns")).iter().sum::<f64>();
                assert_eq!(written, scalar(&straight, "run.remembered_touchdowns"), "{name} {event}");
                for k in 0..radii.len() {
                    let speed = last(&rest, &format!("coord.b{k}.rate"));
                    assert!((speed + 2.0 * kept().powi(4)).abs() < allowed, "{name} {event}: {speed} of ball {k}");
                }
            }
        }
    }
}

/// What has not happened where a run ends is seen by the one that goes on: an event a hair later, one that is remembered wrongly because the run could not look.
#[test]
fn an_event_that_is_still_to_come_is_seen_by_the_run_that_goes_on() {
    let system = system(&balls(&[Ball { radius: 0.1, room: [0.25, 0.15], speed: -2.0, law: FLORES.into() }], 0.0));
    let note = |name: &str, when: &str| EventRule {
        name: name.into(),
        when: when.into(),
        direction: Direction::Any,
        action: Action::Note,
        at: None,
    };
    // Touchdown is at 0.125 s; both notes lie around the end of the first part.
    for (end, at_end) in [(0.125 - 1e-9, false), (0.1, true)] {
        let (now, soon) = (format!("time - {end:?}"), format!("time - {:?}", end + 1e-9));
        let events = vec![note("now", &now), note("soon", &soon)];
        let begun = good(&system, &Plan { events: events.clone(), ..plan(end) });
        let state = begun.end.expect("an end");
        let rest = run(&system, &Plan { events, ..plan(0.13) }, Some(&state), &mut Unwatched).expect("a run");
        let count = |name: &str| [&begun.events, &rest.events].map(|list| list.iter().filter(|own| own.name == name).count());
        assert_eq!((count("now"), count("soon"), count("contact.down0.touchdown")), ([1, 0], [0, 1], [0, 1]), "{at_end}");
        // A saved state a hair inside whose pair is remembered open, and comes nearer: nobody has counted that.
        let inside = EndState { t: 0.125, q: vec![0.1 - 1e-9], ..state };
        let rest = run(&system, &plan(0.13), Some(&inside), &mut Unwatched).expect("a run");
        assert_eq!(counts(&rest, "down0"), [1.0, 0.0]);
    }
}

/// A correction of the state, such as a projection, may put an event that has happened back before zero.
#[test]
fn an_event_put_back_before_zero_by_a_correction_is_not_counted_again() {
    let system = system(&balls(&[Ball { radius: 0.1, room: [0.25, 0.15], speed: -2.0, law: FLORES.into() }], 0.0));
    let stop =
        EventRule { name: "stop".into(), when: "contact.down0.depth".into(), direction: Direction::Rising, action: Action::Stop, at: None };
    let plan = Plan { events: vec![stop], ..plan(0.14) };
    let begun = good(&system, &plan);
    assert!(matches!(begun.status, Status::Stopped { .. }), "{:?}", begun.status);
    let end = begun.end.expect("an end");
    for shift in [1e-9, 0.0, -1e-9] {
        let moved = EndState { q: vec![end.q[0] + shift], ..end.clone() };
        let rest = run(&system, &plan, Some(&moved), &mut Unwatched).expect("a run");
        assert_eq!(rest.status, Status::Completed, "{shift}");
        assert_eq!(counts(&rest, "down0"), [0.0, 1.0], "{shift}");
    }
}

#[test]
fn balls_that_graze_the_ceiling_come_down_as_if_it_were_not_there() {
    let up = (2.0 * 9.81 * 0.2_f64).sqrt();
    let ball = |radius, law: &str| Ball { radius, room: [0.3, 0.2], speed: up, law: law.into() };
    let hertz = r#"{ type = "hertz", stiffness = 1e6 }"#;
    let list = [ball(0.1, FLORES), ball(0.07, FLORES), ball(0.031, hertz), ball(0.23, hertz)];
    let system = system(&balls(&list, 9.81));
    for (name, plan, _) in plans(&system, 0.45) {
        let outcome = good(&system, &plan);
        for (k, ball) in list.iter().enumerate() {
            let height = last(&outcome, &format!("coord.b{k}.value"));
            let exact = ball.radius + 0.3 + up * 0.45 - 0.5 * 9.81 * 0.45 * 0.45;
            assert!((height - exact).abs() < 1e-6, "{name} {k}: {height} {exact}");
            let [touched, left] = counts(&outcome, &format!("up{k}"));
            assert!(touched == left, "{name} {k}: {touched} {left}");
        }
    }
}

/// A random model: groups of balls that do the same, each ball with rounding of its own.
fn random_balls(random: &mut Random) -> (Vec<Ball>, f64) {
    let gravity = if random.uniform(0.0, 1.0) < 0.5 { 0.0 } else { 9.81 };
    let mut list = Vec::new();
    for _ in 0..1 + random.uniform(0.0, 2.999) as usize {
        let (stiffness, c) = (10.0_f64.powf(random.uniform(5.0, 7.0)), random.uniform(0.75, 0.95));
        let law = match random.uniform(0.0, 5.999) as usize {
            0 => format!("{{ type = \"flores\", stiffness = {stiffness:?}, restitution = {c:?} }}"),
            1 => format!("{{ type = \"exact-restitution\", stiffness = {stiffness:?}, restitution = {c:?} }}"),
            2 => format!("{{ type = \"lankarani-nikravesh\", stiffness = {stiffness:?}, restitution = {c:?} }}"),
            3 => format!("{{ type = \"hunt-crossley\", stiffness = {stiffness:?}, dissipation = 0.05 }}"),
            4 => format!("{{ type = \"hertz\", stiffness = {stiffness:?} }}"),
            _ => format!("{{ type = \"kelvin-voigt\", stiffness = {stiffness:?}, damping = 20 }}"),
        };
        // Now and then without room, so that each passage is a lift-off and a touchdown.
        let tight = random.uniform(0.0, 1.0) < 0.25;
        let room = if tight { [0.0; 2] } else { [random.uniform(0.05, 0.3), random.uniform(0.05, 0.3)] };
        let speed = -random.uniform(0.5, 3.0);
        for _ in 0..2 + random.uniform(0.0, 2.999) as usize {
            list.push(Ball { radius: random.uniform(0.02, 0.3), room, speed, law: law.clone() });
        }
    }
    (list, gravity)
}

/// Times at which the pairs of a ball pass zero.
fn passages(outcome: &Outcome, k: usize) -> Vec<(f64, String)> {
    let [down, up] = [format!("contact.down{k}."), format!("contact.up{k}.")];
    let name = |event: &Occurrence| {
        let of = |begin: &String, word: &str| event.name.strip_prefix(begin).map(|rest| format!("{word} {rest}"));
        of(&down, "down").or_else(|| of(&up, "up"))
    };
    outcome.events.iter().filter_map(|event| Some((event.t, name(event)?))).collect()
}

#[test]
fn each_of_many_balls_touches_as_often_as_it_does_alone() {
    let models = if std::env::var_os("BORELLI_SLOW").is_some() { 200 } else { 8 };
    let (mut random, mut touches) = (Random::new(1313), 0);
    for model in 0..models {
        let (list, gravity) = random_balls(&mut random);
        let method = ["dopri5", "rosenbrock", "adams"][random.uniform(0.0, 2.999) as usize];
        let formulation = ["articulated", "cartesian", "natural"][random.uniform(0.0, 2.999) as usize];
        let plan = |end: f64| {
            let mut plan = Plan { formulation: formulation.into(), ..plan(end) };
            plan.integrator.method = Some(method.into());
            (plan.integrator.settings.rtol, plan.integrator.settings.atol) = (1e-10, 1e-12);
            plan
        };
        let one = |ball: &Ball| system(&balls(std::slice::from_ref(ball), gravity));
        let whole: Vec<Vec<(f64, String)>> = list.iter().map(|ball| passages(&good(&one(ball), &plan(1.0)), 0)).collect();
        // The end of the run is as far from any passage as may be: there the count does not hang on the tolerance.
        let far = |end: f64| whole.iter().flatten().map(|(t, _)| (t - end).abs()).fold(f64::INFINITY, f64::min);
        let end = (0..300).map(|k| 0.7 + 0.001 * f64::from(k)).max_by(|a, b| far(*a).total_cmp(&far(*b))).expect("an end");
        let outcome = good(&system(&balls(&list, gravity)), &plan(end));
        for (k, ball) in list.iter().enumerate() {
            let what = format!("model {model}, {formulation} {method}, gravity {gravity}, ball {k}: {} {:?}", ball.law, ball.room);
            let mut expected: Vec<&str> = whole[k].iter().filter(|(t, _)| *t < end).map(|(_, name)| name.as_str()).collect();
            let together = passages(&outcome, k);
            let mut found: Vec<&str> = together.iter().map(|(_, name)| name.as_str()).collect();
            // At one instant the order is that of rounding.
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{what}");
            touches += found.len();
            let alone = last(&good(&one(ball), &plan(end)), "coord.b0.rate");
            let speed = last(&outcome, &format!("coord.b{k}.rate"));
            assert!((speed - alone).abs() < 1e-4, "{what}: {speed}, alone {alone}");
        }
    }
    assert!(touches > 40 * models, "{touches}");
}
