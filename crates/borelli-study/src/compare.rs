//! The same model through every formulation: how far apart they are, and who declined.
//! Not here: printing. In: a system. Out: the largest relative differences over random states.
//!
//! A difference is relative to the largest entry of its kind over the model at that state. Where loops and guides depend on each other, single
//! reactions and row forces are not determined; there the total constraint wrench on each body is compared instead. Close to a singular position
//! every formulation loses digits to rounding: what accelerations differ by there is shown, not judged.

use crate::constraint_wrench::Instant;
use crate::states::{State, draw};
use borelli_dynamics::System;
use borelli_dynamics::formulation::articulated::Articulated;
use borelli_dynamics::formulation::{Evaluation, FORMULATIONS, Failure, Formulation, Input};
use borelli_dynamics::scene::Inside;
use borelli_math::Vec3;
use borelli_math::random::Random;

/// Differences above this are a fault of a formulation.
pub const ALLOWED: f64 = 1e-9;

/// Part of accelerations that cancel which those that are left are held against: rounding of 1e-14 is then 1e-9 of it.
const CANCELLED: f64 = 1e-5;

/// Strength of a row below which a position counts as close to a singular one: rounding of some 1e-16 over it is what accelerations and reactions may
/// be wrong by in whichever formulation, and stays below what is allowed.
pub const SINGULAR: f64 = 1e-6;

/// Draws per state asked for, before a model counts as unreachable.
const PATIENCE: usize = 20;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Rates of v.
    Accelerations,
    /// Forces and moments of joints, or totals on bodies.
    Reactions,
    /// Forces and moments of the rows of loops and guides.
    RowForces,
    /// Kinetic, gravity and stored energy.
    Energies,
    /// Linear and angular momentum.
    Momenta,
}

impl Quantity {
    /// All, in the order of tables.
    pub const ALL: [Quantity; 5] =
        [Quantity::Accelerations, Quantity::Reactions, Quantity::RowForces, Quantity::Energies, Quantity::Momenta];

    /// Name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Accelerations => "accelerations",
            Quantity::Reactions => "reactions",
            Quantity::RowForces => "row forces",
            Quantity::Energies => "energies",
            Quantity::Momenta => "momenta",
        }
    }
}

/// How many states, and which.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Number of states.
    pub states: usize,
    /// Seed of the generator.
    pub seed: u64,
}

/// The largest difference of two formulations in one quantity.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    /// Relative difference; infinite where one is not a number.
    pub largest: f64,
    /// Which state, from 0.
    pub state: usize,
    /// What other rows of loops and guides leave of the weakest that does not follow from them, of 1.
    pub weakest: f64,
}

/// How rows of loops and guides stand to each other at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// True where a row follows from others.
    pub dependent: bool,
    /// What others leave of the weakest row that does not follow from them, of 1.
    pub weakest: f64,
}

impl Standing {
    /// Of the rows of a system at a state. The decision is the one that all formulations take.
    pub fn of(articulated: &mut Articulated, system: &System, state: &State) -> Self {
        let mut strength = vec![1.0; system.names.rows.len()];
        if !strength.is_empty() {
            articulated.fill_row_strength(system, state.t, &state.q, &state.v, &mut strength);
        }
        let (none, some): (Vec<f64>, Vec<f64>) = strength.into_iter().partition(|strength| Articulated::is_dependent(*strength));
        Standing { dependent: !none.is_empty(), weakest: some.into_iter().fold(1.0, f64::min) }
    }
}

/// Two formulations compared.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Their names.
    pub names: [&'static str; 2],
    /// By `Quantity::ALL`; nothing where a quantity was never determined or does not exist.
    pub differences: [Option<Difference>; Quantity::ALL.len()],
    /// The largest difference of accelerations close to singular positions.
    pub singular: Option<Difference>,
}

impl Pair {
    /// Two formulations of which nothing is known yet.
    pub fn new(one: &'static str, other: &'static str) -> Self {
        Pair { names: [one, other], differences: [None; Quantity::ALL.len()], singular: None }
    }

    /// True when accelerations were compared and all differences are allowed.
    pub fn agrees(&self) -> bool {
        self.differences[Quantity::Accelerations as usize].is_some() && self.differences.iter().flatten().all(|d| d.largest <= ALLOWED)
    }

    fn note(&mut self, quantity: Quantity, state: usize, standing: Standing, difference: f64) {
        let difference = if difference.is_nan() { f64::INFINITY } else { difference };
        let lost = quantity == Quantity::Accelerations && standing.weakest < SINGULAR;
        let slot = if lost { &mut self.singular } else { &mut self.differences[quantity as usize] };
        if slot.is_none_or(|known| difference > known.largest) {
            *slot = Some(Difference { largest: difference, state, weakest: standing.weakest });
        }
    }
}

/// A formulation that does not take the model.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Its name.
    pub formulation: &'static str,
    /// Why, for people.
    pub reason: String,
}

/// A formulation that took the model but could not compute a state.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// Its name.
    pub formulation: &'static str,
    /// Which state, from 0.
    pub state: usize,
    /// What happened.
    pub failure: Failure,
}

/// A model through all formulations.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Name of the model.
    pub model: String,
    /// States compared.
    pub states: usize,
    /// Draws thrown away because loops, guides or tables could not be satisfied from there.
    pub redrawn: usize,
    /// Why the first of these was thrown away, for people.
    pub obstacle: Option<String>,
    /// States at which rows depended on each other, so that totals were compared.
    pub dependent: usize,
    /// States so close to a singular position that accelerations and reactions were not judged.
    pub singular: usize,
    /// States at which surfaces push each other; nothing where the model has no contacts.
    pub touching: Option<usize>,
    /// Names of the formulations that took the model.
    pub formulations: Vec<&'static str>,
    /// All pairs of them.
    pub pairs: Vec<Pair>,
    /// Who declined.
    pub declined: Vec<Refusal>,
    /// Who failed; at most one entry per formulation. Not where all failed alike.
    pub failed: Vec<Breakdown>,
    /// States at which all formulations failed alike, so that there was nothing to compare.
    pub alike: usize,
    /// What all said at the first of these.
    pub common: Option<Failure>,
}

impl Comparison {
    /// True when there were states, nobody failed, and all pairs agree.
    pub fn agrees(&self) -> bool {
        self.states > 0 && self.failed.is_empty() && self.alike == 0 && self.pairs.iter().all(Pair::agrees)
    }
}

struct Runner<'s> {
    name: &'static str,
    system: &'s System,
    formulation: Box<dyn Formulation>,
    out: Evaluation,
}

/// What the recursive formulation is called where it goes through the spatial kernel.
const SPATIAL: &str = "articulated-spatial";

/// Names that formulations have in a comparison.
pub fn names() -> impl Iterator<Item = &'static str> {
    FORMULATIONS.iter().map(|entry| entry.name).chain([SPATIAL])
}

/// Compares all formulations on a system. A planar system also goes through the spatial kernel.
pub fn compare(system: &System, settings: Settings) -> Comparison {
    let spatial = system.skeleton.planar.then(|| system.spatial());
    let mut candidates = Vec::new();
    for entry in FORMULATIONS {
        candidates.push((entry.name, entry, system));
        if entry.name == "articulated"
            && let Some(spatial) = &spatial
        {
            candidates.push((SPATIAL, entry, spatial));
        }
    }
    let (mut runners, mut declined) = (Vec::new(), Vec::new());
    for (name, entry, system) in candidates {
        match (entry.build)(system) {
            Ok(formulation) => runners.push(Runner { name, system, formulation, out: Evaluation::new(system) }),
            Err(refusal) => declined.push(Refusal { formulation: name, reason: refusal.reason }),
        }
    }

    let mut comparison = among(system, runners, settings);
    comparison.declined = declined;
    comparison
}

/// Compares what is given.
fn among(system: &System, mut runners: Vec<Runner>, settings: Settings) -> Comparison {
    let mut comparison = Comparison {
        model: system.name.clone(),
        states: 0,
        redrawn: 0,
        obstacle: None,
        dependent: 0,
        singular: 0,
        touching: (!system.names.pairs.is_empty()).then_some(0),
        formulations: runners.iter().map(|r| r.name).collect(),
        pairs: Vec::new(),
        declined: Vec::new(),
        failed: Vec::new(),
        alike: 0,
        common: None,
    };
    for j in 1..runners.len() {
        for i in 0..j {
            comparison.pairs.push(Pair::new(runners[i].name, runners[j].name));
        }
    }
    let (mut random, mut articulated) = (Random::new(settings.seed), Articulated::new(system));
    while comparison.states < settings.states && comparison.redrawn < PATIENCE * settings.states {
        let obstacle = match draw(system, &mut random) {
            Ok(state) => match evaluate(&mut runners, &state, &mut comparison) {
                Ok(Some(common)) => {
                    comparison.states += 1;
                    comparison.alike += 1;
                    comparison.common.get_or_insert(common);
                    continue;
                }
                Ok(None) => {
                    let standing = Standing::of(&mut articulated, system, &state);
                    judge(system, &runners, &state, standing, &mut comparison);
                    continue;
                }
                Err(failure) => failure.to_string(),
            },
            Err(fault) => fault.to_string(),
        };
        comparison.redrawn += 1;
        comparison.obstacle.get_or_insert(obstacle);
    }
    comparison
}

/// Evaluates a state by all; fails when the state lies outside a table of the model. Where all fail alike: with what.
fn evaluate(runners: &mut [Runner], state: &State, comparison: &mut Comparison) -> Result<Option<Failure>, Failure> {
    let mut failures: Vec<Breakdown> = Vec::new();
    for runner in runners.iter_mut() {
        let inside = Inside { z: &state.z, u: &[] };
        let input = Input { t: state.t, q: &state.q, v: &state.v, inside, tau: &state.tau };
        match runner.formulation.evaluate(runner.system, input, &mut runner.out) {
            Ok(()) => {}
            Err(failure @ Failure::OutsideTable { .. }) => return Err(failure),
            Err(failure) => {
                runner.out.vdot.fill(f64::NAN);
                failures.push(Breakdown { formulation: runner.name, state: comparison.states, failure });
            }
        }
    }
    let same = |pair: &[Breakdown]| pair[0].failure.to_string() == pair[1].failure.to_string();
    if failures.len() == runners.len() && failures.windows(2).all(same) {
        return Ok(failures.pop().map(|last| last.failure));
    }
    for breakdown in failures {
        if comparison.failed.iter().all(|known| known.formulation != breakdown.formulation) {
            comparison.failed.push(breakdown);
        }
    }
    Ok(None)
}

fn judge(system: &System, runners: &[Runner], state: &State, standing: Standing, comparison: &mut Comparison) {
    let number = comparison.states;
    comparison.states += 1;
    let instant = Instant::new(system, state.t, &state.q, &state.v);
    let Standing { dependent, weakest } = standing;
    let singular = weakest < SINGULAR;
    comparison.dependent += usize::from(dependent);
    comparison.singular += usize::from(singular);
    let pushes = runners.first().is_some_and(|runner| runner.out.touching.iter().any(|pair| pair.normal_force > 0.0));
    comparison.touching = comparison.touching.map(|count| count + usize::from(pushes));
    // Reactions can all be zero in truth; rounding is then judged by what loads the bodies.
    let tree = &system.numbers.tree;
    let weight = tree.mass.iter().fold(0.0, |max, m| f64::max(max, m * tree.gravity.norm()));
    let load = state.tau.iter().fold(weight, |max, x| max.max(x.abs()));
    // So can accelerations where guides prescribe the motion of loaded bodies, and then they are what is left of loads that cancel.
    // What the largest reaction alone would do to the lightest body tells how large these are; rounding is some 1e-14 of it.
    let held = !system.names.rows.is_empty() && system.numbers.is_loaded();
    let fall =
        if held { runners.first().map_or(0.0, |runner| tree.gravity.norm().max(CANCELLED * thrown(system, &runner.out))) } else { 0.0 };

    let reactions: Vec<Vec<f64>> = runners
        .iter()
        .map(|r| {
            if !dependent {
                flat(r.out.reaction_force.iter().chain(&r.out.reaction_moment))
            } else {
                flat(instant.totals(&r.out).iter().skip(1).flatten())
            }
        })
        .collect();
    for j in 1..runners.len() {
        for i in 0..j {
            let pair = &mut comparison.pairs[j * (j - 1) / 2 + i];
            let (a, b) = (&runners[i].out, &runners[j].out);
            let mut note = |quantity, difference| pair.note(quantity, number, standing, difference);
            note(Quantity::Accelerations, difference(&a.vdot, &b.vdot, fall));
            if !singular {
                note(Quantity::Reactions, difference(&reactions[i], &reactions[j], load));
            }
            if !singular && !dependent && !a.row_force.is_empty() {
                note(Quantity::RowForces, difference(&a.row_force, &b.row_force, load));
            }
            let energies = |e: &Evaluation| [e.kinetic_energy, e.gravity_energy, e.stored_energy];
            note(Quantity::Energies, difference(&energies(a), &energies(b), 0.0));
            let momenta = |e: &Evaluation| flat([e.momentum, e.angular_momentum].iter());
            note(Quantity::Momenta, difference(&momenta(a), &momenta(b), 0.0));
        }
    }
}

/// The acceleration that the largest reaction or force of a row alone would give to the lightest body, m/s² or rad/s².
fn thrown(system: &System, out: &Evaluation) -> f64 {
    let tree = &system.numbers.tree;
    let largest = |list: &[Vec3<f64>]| list.iter().fold(0.0, |most: f64, x| most.max(x.norm()));
    let least = |list: &mut dyn Iterator<Item = f64>| list.filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
    let mass = least(&mut tree.mass.iter().copied());
    let inertia = least(&mut tree.I_Bo_B.iter().flat_map(|I| [I.xx, I.yy, I.zz]));
    // A row exerts a force or a moment; a relation between angles a moment.
    let row = out.row_force.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    (largest(&out.reaction_force) / mass).max(largest(&out.reaction_moment).max(row) / inertia)
}

fn flat<'v>(list: impl Iterator<Item = &'v Vec3<f64>>) -> Vec<f64> {
    list.flat_map(|x| x.to_array()).collect()
}

/// Largest difference over the largest entry of both lists, or over `floor` if that is larger.
fn difference(a: &[f64], b: &[f64], floor: f64) -> f64 {
    if a.iter().chain(b).any(|x| !x.is_finite()) {
        return f64::INFINITY;
    }
    let largest = |x: f64, y: &f64| x.max(y.abs());
    let scale = a.iter().chain(b).fold(floor, largest);
    let apart = a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    if apart == 0.0 { 0.0 } else { apart / scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_dynamics::compile;
    use borelli_dynamics::formulation::articulated;
    use borelli_model::Model;

    const CRANK: &str = r#"
borelli = 1
dimension = "planar"
[world.point]
right = [0.5, 0]
[body.a]
mass = 1
center = [0.1, 0]
inertia = 0.01
point = { tip = [0.3, 0] }
[body.b]
mass = 2
center = [0.2, 0]
inertia = 0.02
point = { tip = [0.4, 0] }
[joint.one]
type = "hinge"
parent = "world"
child = "a"
[joint.two]
type = "hinge"
parent = "a.tip"
child = "b"
[loop.hold]
type = "rod"
a = "world.right"
b = "b.tip"
length = 0.3
[initial]
coordinates = { one = 1, two = -1 }
"#;

    fn crank() -> System {
        let model = Model::parse("crank.toml", CRANK).unwrap_or_else(|rejected| panic!("{rejected}"));
        compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
    }

    fn runner<'s>(name: &'static str, system: &'s System) -> Runner<'s> {
        let formulation = articulated::build(system).unwrap_or_else(|declined| panic!("{}", declined.reason));
        Runner { name, system, formulation, out: Evaluation::new(system) }
    }

    /// The largest entry of the fault in each quantity, when one formulation works with a parameter that is off by a millionth.
    fn with_error_in(path: &str) -> Comparison {
        let system = crank();
        let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
        values[system.parameter(path).expect("a parameter")] *= 1.0 + 1e-6;
        let wrong = system.with_parameters(&values);
        let runners = vec![runner("right", &system), runner("wrong", &wrong)];
        among(&system, runners, Settings { states: 10, seed: 1 })
    }

    #[test]
    fn the_same_formulation_agrees_with_itself_at_every_state() {
        let system = crank();
        let runners = vec![runner("one", &system), runner("other", &system)];
        let comparison = among(&system, runners, Settings { states: 10, seed: 1 });
        assert!(comparison.agrees() && comparison.states == 10 && comparison.dependent == 0);
        assert!(comparison.pairs[0].differences.iter().all(|d| d.is_some_and(|d| d.largest == 0.0)));
    }

    #[test]
    fn an_error_of_a_millionth_in_a_mass_is_seen_in_every_quantity() {
        let comparison = with_error_in("body.b.mass");
        assert!(!comparison.agrees());
        for (quantity, difference) in Quantity::ALL.iter().zip(&comparison.pairs[0].differences) {
            let largest = difference.expect("compared").largest;
            assert!((1e-8..1e-4).contains(&largest), "{}: {largest}", quantity.name());
        }
    }

    #[test]
    fn an_error_in_where_a_rod_holds_a_body_is_seen_in_the_forces() {
        assert!(!with_error_in("body.b.point.tip.x").agrees());
    }

    #[test]
    fn a_rod_that_never_reaches_leaves_nothing_to_agree_on() {
        let far = CRANK.replace("right = [0.5, 0]", "right = [50, 0]");
        let model = Model::parse("crank.toml", &far).unwrap_or_else(|rejected| panic!("{rejected}"));
        let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
        let comparison = compare(&system, Settings { states: 2, seed: 1 });
        assert!(comparison.states == 0 && !comparison.agrees() && !comparison.pairs.iter().any(Pair::agrees));
        assert!(comparison.obstacle.is_some_and(|why| why.contains("loop.hold.length")));
    }

    /// A path through the centre of a sphere at every pose: it could bend any way round.
    const CENTRED: &str = "borelli = 1\ndimension = \"spatial\"\n[world.point]\nP = [0, 0, 0.2]\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\n\
        point = { Q = [0, 0, -0.2] }\n[joint.x]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\naxis = [0, 0, 1]\n\
        [wrap.w]\ntype = \"sphere\"\nat = \"world\"\nradius = 0.03\n[path.p]\npoints = [\"world.P\", { wrap = \"w\" }, \"a.Q\"]\n\
        [force.s]\ntype = \"spring\"\npath = \"p\"\nstiffness = 100\nlength = 0.1\n";

    #[test]
    fn formulations_that_fail_alike_do_not_disagree() {
        let model = Model::parse("centred.toml", CENTRED).unwrap_or_else(|rejected| panic!("{rejected}"));
        let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
        let comparison = compare(&system, Settings { states: 3, seed: 1 });
        assert!(!comparison.agrees() && comparison.failed.is_empty(), "{:?}", comparison.failed);
        assert_eq!((comparison.states, comparison.alike), (3, 3));
        assert!(matches!(&comparison.common, Some(Failure::PathLost { path, .. }) if path == "p"), "{:?}", comparison.common);
        assert!(comparison.pairs.iter().all(|pair| pair.differences.iter().all(Option::is_none)));
    }

    #[test]
    fn a_seed_gives_the_same_states_again_and_every_state_satisfies_the_loop() {
        let system = crank();
        let draws = |seed| {
            let mut random = Random::new(seed);
            (0..20).filter_map(|_| draw(&system, &mut random).ok()).collect::<Vec<State>>()
        };
        let (first, again, other) = (draws(1), draws(1), draws(2));
        assert!(first.iter().zip(&again).all(|(a, b)| a.q == b.q && a.v == b.v && a.tau == b.tau && a.t == b.t));
        assert_ne!(first[0].q, other[0].q);
        for state in first {
            let (one, both) = (state.q[0], state.q[0] + state.q[1]);
            let (x, y) = (0.3 * one.cos() + 0.4 * both.cos() - 0.5, 0.3 * one.sin() + 0.4 * both.sin());
            assert!((x.hypot(y) - 0.3).abs() < 1e-13);
        }
    }

    #[test]
    fn a_difference_is_relative_to_the_largest_entry_and_never_hides_a_nan() {
        assert_eq!(difference(&[1.0, -4.0], &[1.5, -4.0], 0.0), 0.125);
        assert_eq!(difference(&[1.0, -4.0], &[1.5, -4.0], 50.0), 0.01);
        assert_eq!(difference(&[0.0], &[0.0], 0.0), 0.0);
        assert_eq!(difference(&[f64::NAN], &[f64::NAN], 0.0), f64::INFINITY);
    }

    /// Two upright bars of 1 m with a third one across, by a pin.
    const PARALLELOGRAM: &str = r#"
borelli = 1
dimension = "planar"
[world.point]
right = [2, 0]
[body.left]
mass = 1
inertia = 0.1
point = { tip = [1, 0] }
[body.across]
mass = 1
inertia = 0.1
point = { tip = [2, 0] }
[body.right]
mass = 1
inertia = 0.1
point = { tip = [1, 0] }
[joint.left]
type = "hinge"
parent = "world"
child = "left"
[joint.across]
type = "hinge"
parent = "left.tip"
child = "across"
[joint.right]
type = "hinge"
parent = "world.right"
child = "right"
[loop.pin]
type = "coincident"
a = "across.tip"
b = "right.tip"
"#;

    /// Flat, one of the two rows of the pin follows from the other, or moves nothing.
    #[test]
    fn a_parallelogram_loses_strength_with_the_square_of_its_height() {
        let model = Model::parse("bars.toml", PARALLELOGRAM).unwrap_or_else(|rejected| panic!("{rejected}"));
        let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
        let mut articulated = Articulated::new(&system);
        let mut standing = |angle: f64| {
            let state = State { t: 0.0, q: vec![angle, -angle, angle], v: vec![0.0; 3], z: Vec::new(), tau: vec![0.0; 3] };
            Standing::of(&mut articulated, &system, &state)
        };
        let weakest = |standing: Standing| {
            assert!(!standing.dependent);
            standing.weakest
        };
        let ratio = weakest(standing(1e-2)) / weakest(standing(1e-3));
        assert!((ratio / 100.0 - 1.0).abs() < 1e-2 && weakest(standing(1.0)) > 0.01, "{ratio}");
        let flat = standing(0.0);
        assert!(flat.dependent && flat.weakest > 0.01, "{flat:?}");
    }

    #[test]
    fn what_was_only_seen_close_to_singular_positions_has_not_agreed() {
        let mut pair = Pair::new("one", "other");
        let near = |weakest: f64| Standing { dependent: false, weakest };
        pair.note(Quantity::Energies, 0, near(1e-7), 0.0);
        pair.note(Quantity::Accelerations, 0, near(1e-7), 1e-3);
        assert!(!pair.agrees() && pair.singular.is_some_and(|d| d.largest == 1e-3));
        pair.note(Quantity::Accelerations, 1, near(1e-5), 1e-12);
        assert!(pair.agrees());
        pair.note(Quantity::Accelerations, 2, near(1e-5), 1e-8);
        assert!(!pair.agrees());
    }
}
