//! Formulas of the user's own over what one evaluation of the forces knows: their values over any scalar, and what they may see.
//! Not here: reading them (`compile::formula`), what becomes of them: forces (`force::formula`), rates of integrals (`integral`).
//! In: a `Scene` and the `Lines` of all paths. Out: values with their slopes.

use crate::force::Lines;
use crate::scene::Scene;
use crate::system::{Numbers, System};
use borelli_math::function::Formula;
use borelli_math::{Constant, Real, Vec3};

/// What a formula may see: what is known when forces are applied, and whose slopes are known exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Time.
    Time,
    /// A coordinate, by entry of q and degree of freedom.
    Coordinate {
        /// Entry of q.
        coord: u32,
        /// Entry of v.
        dof: u32,
    },
    /// A velocity, by entry of v.
    Speed(u32),
    /// Length of a path.
    Length(u32),
    /// Rate of the length of a path.
    Rate(u32),
    /// Tension of all laws along a path. Only integrals see it: forces would depend on each other.
    Tension(u32),
    /// A state of a force element or an integral, by entry of z.
    State(u32),
    /// A control, by entry of u.
    Control(u32),
    /// A number that the element gives a name, by entry of `Numbers::named`.
    Number(u32),
    /// A component of the position of a place, world axes.
    Position {
        /// The place.
        place: u32,
        /// 0, 1, 2 for x, y, z.
        axis: u8,
    },
    /// A component of the velocity of a place, world axes.
    Velocity {
        /// The place.
        place: u32,
        /// 0, 1, 2 for x, y, z.
        axis: u8,
    },
}

/// A component of a vector.
#[inline]
pub(crate) fn component<S: Copy>(v: Vec3<S>, axis: u8) -> S {
    [v.x, v.y, v.z][usize::from(axis)]
}

impl Seen {
    /// Its value.
    #[inline]
    fn of<S: Real, C: Constant<S>>(self, scene: &Scene<S, C>, lines: &Lines<S>) -> S {
        match self {
            Seen::Time => scene.t,
            Seen::Coordinate { coord, .. } => scene.q[coord as usize],
            Seen::Speed(dof) => scene.v[dof as usize],
            Seen::Length(path) => lines.length[path as usize],
            Seen::Rate(path) => lines.rate[path as usize],
            Seen::Tension(path) => lines.pulled[path as usize],
            Seen::State(z) => scene.now().state(z),
            Seen::Control(u) => scene.now().control(u),
            Seen::Number(k) => scene.numbers.named[k as usize].lift(),
            Seen::Position { place, axis } => component(scene.point(place).p_W, axis),
            Seen::Velocity { place, axis } => component(scene.point(place).v_W, axis),
        }
    }
}

impl System {
    /// Integrals of the user's own that forces see, by entry of z: directly, or through the rates of others.
    pub fn integrals_in_forces(&self) -> Vec<u32> {
        let Numbers { formulas, integrals, forces, .. } = &self.numbers;
        let states_in = |formula: u32| {
            let seen = formulas.list[formula as usize].variables().iter().map(|k| formulas.seen[*k]);
            seen.filter_map(|seen| if let Seen::State(z) = seen { Some(z) } else { None })
        };
        let mut found: Vec<u32> = forces.formula.iter().flat_map(|law| law.item.formulas()).flat_map(|(_, f)| states_in(f)).collect();
        let mut next = 0;
        while let Some(state) = found.get(next).copied() {
            next += 1;
            let rates = integrals.iter().filter(|integral| integral.state == state);
            let more: Vec<u32> = rates.flat_map(|integral| states_in(integral.rate)).filter(|z| !found.contains(z)).collect();
            found.extend(more);
        }
        found.retain(|state| integrals.iter().any(|integral| integral.state == *state));
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// All formulas of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Formulas {
    /// What they may name, by number.
    pub seen: Vec<Seen>,
    /// The formulas.
    pub list: Vec<Formula>,
}

impl Formulas {
    /// The value of a formula.
    pub(crate) fn value<S: Real, C: Constant<S>>(&self, formula: u32, scene: &Scene<S, C>, lines: &Lines<S>) -> S {
        let formula = &self.list[formula as usize];
        let of = |k: usize| self.seen[k].of(scene, lines);
        let value = formula.eval_with(|k| [of(k).value(), 0.0])[0];
        let mut sum = S::from_f64(value);
        // Only numbers that carry slopes need those of the formula; plain ones are no larger than their value.
        if size_of::<S>() > size_of::<f64>() {
            for &k in formula.variables() {
                let [_, slope] = formula.eval_with(|other| [of(other).value(), f64::from(u8::from(other == k))]);
                sum += of(k).chain(0.0, slope);
            }
        }
        sum
    }

    /// Hands over ∂f/∂x for everything that a formula sees.
    pub(crate) fn slopes(&self, formula: u32, scene: &Scene<f64, f64>, lines: &Lines<f64>, mut visit: impl FnMut(Seen, f64)) {
        let formula = &self.list[formula as usize];
        let of = |k: usize| self.seen[k].of(scene, lines);
        for &k in formula.variables() {
            let [_, slope] = formula.eval_with(|other| [of(other), f64::from(u8::from(other == k))]);
            visit(self.seen[k], slope);
        }
    }
}
