//! Runs that get nowhere because surfaces have come to stick under a friction law that jumps at rest: friction goes to and fro, and every step is too long.
//! Not here: the law (`borelli_contact::friction`); fixed steps, which go to and fro as well but come to an end.
//! In: what pairs do at the ends of kept steps. Out: the pair that sticks.
//!
//! Dry friction at rest is any force that holds the body, and Coulomb's law as a function of the slip has none: there the tolerance makes steps of
//! nanoseconds. Without a load along the surface the slip passes zero with each step, whatever its length; under a load it creeps. A body that slides
//! to and fro turns at slips that are no small part of its largest; one that sticks turns at next to none, again and again.

use borelli_contact::friction::Friction;
use borelli_dynamics::System;
use borelli_dynamics::contact::Touching;
use borelli_math::Vec3;

/// Part of the largest slip that is next to none, and a slip that is, m/s.
const PART: f64 = 1e-3;
const NONE: f64 = 1e-6;
/// Turns of the slip at next to none, each within so many steps of the one before, that are no motion.
const TURNS: usize = 100;
const SOON: usize = 10;
/// So many steps on end with next to no slip within this time, s, are none either.
const CREEPING: usize = 2000;
const WITHIN: f64 = 2e-3;

/// A pair whose friction jumps at rest.
#[derive(Clone, Copy, Debug)]
struct Rubbing {
    pair: usize,
    slip: Vec3<f64>,
    /// Steps since the slip turned last, and how often it did so soon after the turn before.
    steps: usize,
    turns: usize,
    /// The largest slip, m/s.
    most: f64,
    /// Steps on end with next to no slip, and when they began.
    creeping: usize,
    since: f64,
}

/// Looks whether surfaces stick that cannot.
pub(super) struct StickWatch(Vec<Rubbing>);

impl StickWatch {
    /// For a system; nothing where no friction jumps at rest.
    pub(super) fn new(system: &System) -> Option<StickWatch> {
        let contacts = &system.numbers.contacts;
        let jumps = |pair: &usize| matches!(contacts.manner(*pair).friction, Some(Friction::Coulomb(_)));
        let fresh = |pair| Rubbing { pair, slip: Vec3::ZERO, steps: 0, turns: 0, most: 0.0, creeping: 0, since: 0.0 };
        let pairs: Vec<Rubbing> = (0..contacts.pairs.len()).filter(jumps).map(fresh).collect();
        (!pairs.is_empty()).then_some(StickWatch(pairs))
    }

    /// Notes what pairs do at the end of a kept step; the pair that sticks.
    pub(super) fn note(&mut self, t: f64, touching: &[Touching<f64>]) -> Option<usize> {
        let mut stuck = None;
        for own in &mut self.0 {
            let now = &touching[own.pair];
            own.steps += 1;
            if !(now.normal_force > 0.0) {
                (own.slip, own.turns, own.creeping) = (Vec3::ZERO, 0, 0);
                continue;
            }
            let slip = now.slip.norm();
            own.most = own.most.max(slip);
            let least = NONE.max(PART * own.most);
            let small = slip > 0.0 && slip < least;
            if now.slip.dot(own.slip) < 0.0 {
                own.turns = if own.steps <= SOON && small && own.slip.norm() < least { own.turns + 1 } else { 0 };
                own.steps = 0;
            }
            own.slip = now.slip;
            if !small {
                own.creeping = 0;
            } else if own.creeping == 0 || t - own.since > WITHIN && own.creeping >= CREEPING {
                (own.creeping, own.since) = (1, t);
            } else {
                own.creeping += 1;
            }
            if own.turns >= TURNS || own.creeping >= CREEPING && t - own.since <= WITHIN {
                stuck = stuck.or(Some(own.pair));
            }
        }
        stuck
    }
}

/// Why a run ended, for people.
pub(super) fn reason(system: &System, pair: usize) -> String {
    let contacts = &system.numbers.contacts;
    let [first, second] = {
        let own = contacts.pairs[pair];
        [own.first, own.second].map(|surface| contacts.surfaces[surface as usize].name.as_str())
    };
    format!(
        "`{first}` has come to stick on `{second}`, and friction of type `coulomb` has no force at rest: steps become shorter without \
         end\n  hint: take a law that is continuous at rest, such as `tanh` with a small `transition` or `three-parameter`; `coulomb` is for surfaces that surely slip"
    )
}

#[cfg(test)]
mod tests {
    use crate::run::tests::{good, plan, system};
    use crate::run::{Status, Unwatched, run};
    use borelli_dynamics::integrate::Settings;

    /// A block of 2 kg on a floor that slides at 1 m/s; μ g = 4.905 m/s² brings it to rest after 0.20387 s. In space it slides aslant.
    fn block(law: &str, spatial: bool) -> String {
        let (dimension, joint) = if spatial { ("spatial", "free") } else { ("planar", "planar") };
        let speeds = if spatial { "speeds = { place_vx = 0.6, place_vz = 0.8 }" } else { "speeds = { place_x = 1 }" };
        let (inertia, height) = if spatial { ("[1, 1, 1]", "place_py") } else { ("1", "place_y") };
        format!(
            "borelli = 1\ndimension = \"{dimension}\"\n[body.block]\nmass = 2\ninertia = {inertia}\n[joint.place]\ntype = \"{joint}\"\nparent = \"world\"\nchild = \"block\"\n\
             [surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[surface.sole]\ntype = \"point\"\nat = \"block\"\n[contact.foot]\na = \"sole\"\nb = \"floor\"\n\
             normal = {{ type = \"hooke\", stiffness = 1e5 }}\nfriction = {{ type = \"{law}\", friction = 0.5{} }}\nforce_at = \"a\"\n\
             [initial]\ncoordinates = {{ {height} = -1.962e-4 }}\n{speeds}\n",
            if law == "coulomb" { "" } else { ", transition = \"1 mm/s\"" }
        )
    }

    #[test]
    fn a_body_that_comes_to_stick_under_coulombs_law_ends_the_run_with_its_name() {
        for spatial in [false, true] {
            let system = system(&block("coulomb", spatial));
            for method in ["dopri5", "rosenbrock", "adams"] {
                let mut plan = plan(0.5);
                plan.integrator.method = Some(method.into());
                plan.integrator.settings = Settings::default();
                let outcome = run(&system, &plan, None, &mut Unwatched).expect("a run");
                let Status::Failed { t, element, reason } = &outcome.status else { panic!("{method}: {:?}", outcome.status) };
                assert_eq!(element, "contact.foot", "{method}: {reason}");
                assert!(reason.contains("`sole` has come to stick on `floor`") && reason.contains("`tanh`"), "{method}: {reason}");
                assert!((t - 1.0 / 4.905).abs() < 1e-5, "{method}: {t}");
                assert!(outcome.statistics.accepted < 5000, "{method}: {}", outcome.statistics.accepted);
            }
            // Before that it slides, and with a smooth law it comes to rest.
            assert!(good(&system, &plan(0.2)).end.is_some());
        }
        assert!(good(&system(&block("tanh", false)), &plan(0.5)).end.is_some());
    }

    #[test]
    fn a_body_that_friction_holds_against_a_load_ends_the_run_too() {
        // Down a slope of 0.3 under friction of 0.5; and from rest, pushed with 3 N of 9.8 N.
        let slope = block("coulomb", false).replace("[body.block]", "gravity = [2.818, -9.396]\n[body.block]");
        let pushed = block("coulomb", false).replace("place_x = 1", "place_x = 0");
        let push = "[force.push]\ntype = \"effort\"\ncoordinate = \"place_x\"\neffort = 3\n";
        for text in [slope, format!("{pushed}{push}")] {
            let outcome = run(&system(&text), &plan(1.0), None, &mut Unwatched).expect("a run");
            let Status::Failed { element, reason, .. } = &outcome.status else { panic!("{:?}", outcome.status) };
            assert!(element == "contact.foot" && reason.contains("`sole` has come to stick on `floor`"), "{element}: {reason}");
            assert!(outcome.statistics.accepted < 20_000, "{}", outcome.statistics.accepted);
        }
    }

    #[test]
    fn a_body_that_slides_to_and_fro_is_not_taken_to_stick() {
        // A spring of 200 N/m turns it thirty times before friction of 0.1 N has eaten the 4 J.
        let text = block("coulomb", false).replace("friction = 0.5", "friction = 0.005").replace("place_x = 1", "place_x = 2");
        let spring = "[force.k]\ntype = \"coordinate-spring\"\ncoordinate = \"place_x\"\nstiffness = 200\n";
        assert!(good(&system(&format!("{text}{spring}")), &plan(5.0)).end.is_some());
        // In steps as long as a tolerance of 1e-3 allows it turns every few of them.
        let mut coarse = plan(60.0);
        coarse.integrator.settings = Settings { rtol: 1e-3, ..Settings::default() };
        let text = text.replace("friction = 0.005", "friction = 1e-4");
        assert!(good(&system(&format!("{text}{spring}")), &coarse).end.is_some());
    }
}
