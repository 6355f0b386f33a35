//! The broad phase: what is left out would have done nothing; a set against itself.

use super::*;
use crate::formulation::{Evaluation, FORMULATIONS, Input};
use crate::movement::{Movement, Options};
use crate::system::System;
use borelli_math::Dual;
use borelli_testkit::count_allocations;

/// Free bodies with a surface each, off their origins and turned; boards on the world and on a body of its own.
fn crowd(dimension: &str, shapes: &[&str], flat: &str) -> String {
    let spatial = dimension == "spatial";
    let inertia = if spatial { "[0.1, 0.12, 0.09]" } else { "0.1" };
    let place = if spatial { "origin = [0.02, -0.05, 0.03]\nangles = [0.3, -0.4, 0.7]" } else { "origin = [0.02, -0.05]\nangle = 0.4" };
    let body = |name: &str, surface: &str| {
        format!(
            "[body.{name}]\nmass = 2\ninertia = {inertia}\n[body.{name}.frame.place]\n{place}\n\
             [joint.{name}]\ntype = \"free\"\nparent = \"world\"\nchild = \"{name}\"\n[surface.{name}]\nat = \"{name}.place\"\n{surface}\n"
        )
    };
    let names: Vec<String> = (0..shapes.len()).map(|k| format!("s{k}")).collect();
    let bodies: String = names.iter().zip(shapes).map(|(name, shape)| body(name, shape)).collect();
    let boards = format!("{}[surface.floor]\nat = \"world.site\"\n{flat}\n", body("lid", flat));
    let list = format!("[\"{}\"]", names.join("\", \""));
    // The list in another order is the same set.
    let back: Vec<String> = names.iter().rev().cloned().collect();
    let back = format!("[\"{}\"]", back.join("\", \""));
    format!(
        "borelli = 1\ndimension = \"{dimension}\"\n[world.frame.site]\n{place}\n{bodies}{boards}[contact.crowd]\na = {list}\nb = {back}\nnormal = {HERTZ}\nfriction = {RUB}\n\
         [contact.boards]\na = {list}\nb = [\"floor\", \"lid\"]\nnormal = {REMEMBER}\nfriction = {RUB}\n"
    )
}

const GRAIN: &str = "type = \"sphere\"\nradius = 0.001";
const BOULDER: &str = "type = \"sphere\"\nradius = 3.0";
const CHIP: &str = "type = \"circle\"\nradius = 0.01";

fn crowds() -> [System; 2] {
    let spatial = [BALL, EGG, SOAP, GRAIN, PEBBLE, BALL, CUSHION, BOULDER, GRAIN, EGG];
    let planar = [DISC, OVAL, CHIP, DISC, OVAL, CHIP];
    [parse(&crowd("spatial", &spatial, BOARD)), parse(&crowd("planar", &planar, EDGE))]
}

/// A random state with its bodies spread over some length; the first two coincide now and then.
fn spread(system: &System, random: &mut Random, k: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut q, v, _) = random_state(system, random);
    let width = system.skeleton.coords() / (system.names.bodies.len() - 1);
    let wide = [0.3, 1.0, 4.0][k % 3];
    q.chunks_exact_mut(width).for_each(|q| q[..2].iter_mut().for_each(|x| *x *= wide));
    if k.is_multiple_of(5) {
        // One place and one turn: a ball and an egg about one centre.
        q.copy_within(..width, width);
    }
    (q, v)
}

/// Kinematics and loads at a state, of all pairs or of those that may touch.
fn sight<S: borelli_math::Real>(system: &System, q: &[S], v: &[S], all: bool) -> Sight<S>
where
    f64: borelli_math::Constant<S>,
{
    let mut sight = Sight::new(system);
    sight.loads.inner.reporting = all;
    let speeds: Vec<f64> = (0..system.names.pairs.len()).map(|k| [0.0, 0.7][k % 2]).collect();
    sight.set_control(&RowControl::of(struck(&speeds)));
    sight.look(system, S::ZERO, q, v, Inside::NONE, &[]);
    sight
}

#[test]
fn pairs_that_are_left_out_would_have_done_nothing() {
    let mut random = Random::new(51);
    let (mut acting, mut left_out, mut unsolved) = (0, 0, 0);
    for system in crowds() {
        for k in 0..60 {
            let (q, v) = spread(&system, &mut random, k);
            let [all, near] = [true, false].map(|all| sight(&system, &q, &v, all).loads);
            let bits = |loads: &crate::scene::Loads<f64>| -> Vec<u64> {
                let vectors = loads.force.iter().chain(&loads.moment).flat_map(|x| x.to_array());
                vectors.chain(loads.tau.iter().copied()).chain([loads.stored]).map(f64::to_bits).collect()
            };
            assert_eq!(bits(&all), bits(&near), "{k}");
            assert_eq!(all.pairs.unsolved, near.pairs.unsolved);
            unsolved += usize::from(all.pairs.unsolved.is_some());
            for (pair, (all, own)) in all.pairs.touching.iter().zip(&near.pairs.touching).enumerate() {
                if near.pairs.near().contains(&(pair as u32)) {
                    assert!(all == own || all.normal_force.is_nan(), "{all:?} {own:?}");
                    acting += usize::from(own.acts());
                } else {
                    assert!(!all.acts() && !own.acts() && all.depth < 0.0, "{all:?}");
                    left_out += 1;
                }
            }
            // Over duals the same pairs, by the same values.
            let lift = |x: &[f64]| -> Vec<Dual<2>> {
                x.iter().enumerate().map(|(k, x)| Dual { re: *x, eps: [random_slope(k), -0.3 * random_slope(k + 1)] }).collect()
            };
            let [whole, part] = [true, false].map(|all| sight(&system, &lift(&q), &lift(&v), all).loads);
            assert_eq!(part.pairs.near(), near.pairs.near());
            let bits = |loads: &crate::scene::Loads<Dual<2>>| -> Vec<u64> {
                let vectors = loads.force.iter().chain(&loads.moment).flat_map(|x| x.to_array());
                vectors.flat_map(|x| [x.re, x.eps[0], x.eps[1]]).map(f64::to_bits).collect()
            };
            assert_eq!(bits(&whole), bits(&part), "{k}");
        }
    }
    assert!(acting > 200 && left_out > 1000 && unsolved < 30, "{acting} {left_out} {unsolved}");
}

fn random_slope(k: usize) -> f64 {
    (1.7 * k as f64).sin()
}

#[test]
fn a_workspace_forgets_pairs_that_have_moved_away() {
    // One workspace through states near and far: what acted before leaves no trace.
    for system in crowds() {
        let mut random = Random::new(52);
        let mut wandering = Sight::<f64>::new(&system);
        wandering.loads.inner.reporting = false;
        let mut acted = 0;
        for k in 0..30 {
            let (q, v) = spread(&system, &mut random, 3 * k + 1);
            wandering.loads.forget();
            wandering.look(&system, 0.0, &q, &v, Inside::NONE, &[]);
            let mut fresh = Sight::<f64>::new(&system);
            fresh.look(&system, 0.0, &q, &v, Inside::NONE, &[]);
            for (own, other) in wandering.loads.pairs.touching.iter().zip(&fresh.loads.pairs.touching) {
                assert_eq!(own.acts(), other.acts());
                acted += usize::from(own.acts());
            }
        }
        assert!(acted > 30, "{acted}");
    }
}

#[test]
fn what_is_no_number_is_not_left_out() {
    let [system, _] = crowds();
    let (mut q, v) = spread(&system, &mut Random::new(53), 2);
    q[0] = f64::NAN;
    let loads = sight(&system, &q, &v, false).loads;
    let all = system.names.pairs.len();
    let own = (0..all).filter(|pair| system.numbers.contacts.bodies(*pair, &system.numbers.place_body).contains(&1)).count();
    assert!(own == 11 && loads.pairs.near().len() >= own, "{own} {}", loads.pairs.near().len());
    assert!(loads.pairs.near().len() < all, "half-spaces are asked one by one");
}

#[test]
fn a_set_against_itself_has_each_two_surfaces_once() {
    let [system, _] = crowds();
    let contacts = &system.numbers.contacts;
    assert_eq!((contacts.pairs_of(0).len(), contacts.pairs_of(1).len()), (10 * 9 / 2, 10 * 2));
    assert_eq!(system.names.pairs[..2], ["crowd.s0.s1", "crowd.s0.s2"]);
    assert!(contacts.pairs_of(0).all(|pair| contacts.pairs[pair].first < contacts.pairs[pair].second));
}

#[test]
fn reports_tell_of_all_pairs_and_motions_take_no_memory() {
    let [system, _] = crowds();
    let mut random = Random::new(54);
    let states: Vec<_> = (1..4).map(|k| spread(&system, &mut random, 3 * k + 1)).filter(|(q, _)| q.iter().all(|x| x.is_finite())).collect();
    let tau = vec![0.0; system.skeleton.dofs()];
    let mut movement = Movement::new(&system, Options { audit: true, ..Options::default() }).expect("a movement");
    for (q, v) in &states {
        for entry in FORMULATIONS {
            let Ok(mut formulation) = (entry.build)(&system) else { continue };
            let mut out = Evaluation::new(&system);
            formulation.evaluate(&system, Input { t: 0.0, q, v, tau: &tau, ..Input::default() }, &mut out).expect("a state");
            assert!(out.touching.iter().all(|pair| pair.depth.is_finite()), "{}", entry.name);
        }
        let y = movement.state(&system, q, v);
        let mut dy = vec![0.0; y.len()];
        let found = count_allocations(|| movement.rates(&system, 0.0, &y, &mut dy).is_ok());
        assert_eq!(found, (true, 0));
    }
}

#[test]
fn pairs_that_may_meet_within_a_step_are_near() {
    // Balls 1 m apart that close in at 10 m/s: near for steps of 0.05 s and more, whose speeds might double.
    let system = parse(&pairing("spatial", BALL, BALL).text(&format!("normal = {HERTZ}")).replace("0.5\n", "0.05\n"));
    let (mut q, mut v) = (vec![0.0; 14], vec![0.0; 12]);
    (q[3], q[10], q[7]) = (1.0, 1.0, 1.2);
    v[6] = -10.0;
    let mut gaps = Gaps::new(&system);
    gaps.look(&system, &q, &v);
    let distance = -gaps.depth()[0];
    let mut near = |margin: f64, ahead: f64| !gaps.near(&system, [(&q[..], &v[..])], margin, ahead).is_empty();
    assert!((0.5..1.2).contains(&distance), "{distance}");
    assert_eq!([0.49, 0.51].map(|part| near(0.0, part * distance / 10.0)), [false, true]);
    assert_eq!([0.49, 0.51].map(|part| near(part * distance, 0.0)), [false, true]);
}
