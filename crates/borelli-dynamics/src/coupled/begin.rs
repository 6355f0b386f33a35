//! The first instant of a motion: soft parts under the supports and loads of that time, and accelerations where they have mass.
//! Not here: starts that carry the forces of the motion (`settle`), the scheme's own start (`integrate`).
//! In: a time and a state. Out: the state with its nodes in place; accelerations of bodies and nodes with the multipliers that go with them.
//!
//! Soft parts without mass are in balance at every instant, so at the first one too: with the bodies where they are, their nodes go where supports and
//! loads of that time have them. Nodes with mass stay where they are, but for those whose place a support gives.
//!
//! With mass M the accelerations of nodes and bodies belong together: M ẍ + f(x, ẋ) = loads + ties, with ties and closed contacts kept at the level of
//! accelerations. A first guess moves every node with the body that carries it, which keeps the ties. What it leaves open is taken away by steps of the
//! condensed equations with a weight μ of accelerations so large that the stiffness hardly counts beside μ M,
//!
//!     (K + μ M) Δx = −R        ẍ += μ Δx                                                          (1)
//!
//! Each step leaves K/(μ M) of what was open (`HEAVY`), so that three of them leave rounding.

use super::{CoupledMovement, FINE, Split};
use crate::formulation::Failure;
use crate::integrate::{Motion, Trial, Trouble, Weights};
use crate::movement::Of;
use borelli_soft::problem::{Following, Statuses};

/// μ M against the stiffest entry of K.
const HEAVY: f64 = 1e8;
/// Most steps of (1); contacts that open or close take one each.
const MOST: usize = 30;
/// Accelerations are found when a step changes them by less than this part.
const STEADY: f64 = 1e-13;

impl CoupledMovement {
    /// Mass of a node of each body, kg, on average; zero where a body has none.
    fn node_masses(&self) -> Vec<f64> {
        let bodies = 0..self.problem.definition().bodies.len();
        bodies.map(|body| self.problem.solid(body).mass() / self.problem.nodes_of(body).len() as f64).collect()
    }

    /// μ at the last look with a tangent; nothing where no soft part has mass.
    fn weight_of_accelerations(&self) -> Option<f64> {
        let least = self.node_masses().into_iter().filter(|mass| *mass > 0.0).fold(f64::INFINITY, f64::min);
        least.is_finite().then(|| HEAVY * self.problem.stiffest() / least)
    }

    /// Largest force that is open at nodes without mass and in ties and contacts, N.
    fn open_without_mass(&self, masses: &[f64]) -> f64 {
        let residual = self.problem.residual();
        let of_nodes = (0..masses.len()).filter(|body| masses[*body] == 0.0).flat_map(|body| self.problem.of_body(body, residual));
        of_nodes.fold(0.0, |most, open| most.max(open.abs()))
    }

    /// Derivatives of the displacements of supports by time.
    fn support_rates(&self, system: &crate::system::System, t: f64, order: usize) -> Vec<[f64; 2]> {
        let value = |function: &Option<u32>| function.map_or(0.0, |function| system.numbers.functions[function as usize].eval(t)[order]);
        self.soft.displacement.iter().map(|functions| [value(&functions[0]), value(&functions[1])]).collect()
    }

    /// Rates of the displacements of supports, m/s.
    pub(super) fn fill_support_rates(&mut self, system: &crate::system::System, t: f64) {
        self.support_rate = self.support_rates(system, t, 1);
    }
}

impl Of<'_, CoupledMovement> {
    /// Puts the nodes of a start y = (q, x, v, ẋ, z) where supports and loads of its time have them; their multipliers are remembered for the run.
    pub fn take_up_loads(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
        let Split { coords, dofs, nodes } = self.split();
        let (system, memory) = (self.system, &mut *self.memory);
        memory.fill_given(system, t);
        let rates = memory.support_rates(system, t, 1);
        let (xdot, moves) = (coords + nodes + dofs, rates.iter().flatten().any(|rate| *rate != 0.0));
        if moves {
            memory.problem.fill_held(&rates, &mut y[xdot..xdot + nodes]);
        }
        // What pulls at a node without mass has to reach the bodies in the first instant, too.
        let nothing = memory.displacement.iter().chain(&memory.load).flatten().all(|value| *value == 0.0);
        if nothing && memory.problem.lines() == 0 {
            return Ok(());
        }
        let (q, mut x) = (y[..coords].to_vec(), y[coords..coords + nodes].to_vec());
        let v = y[coords + nodes..xdot].to_vec();
        let mut lambda = memory.kept.clone();
        let masses = memory.node_masses();
        if masses.iter().all(|mass| *mass == 0.0) {
            self.relax(t, &q, &v, &mut x, &mut lambda)?;
        } else {
            self.relax_light(t, &q, &v, &mut x, &mut lambda, &masses)?;
        }
        let memory = &mut *self.memory;
        memory.kept.copy_from_slice(&lambda);
        memory.multipliers.copy_from_slice(&lambda);
        memory.problem.keep();
        y[coords..coords + nodes].copy_from_slice(&x);
        Ok(())
    }

    /// Soft parts without mass at rest with all carriers held where they are, and nodes with mass too: these move by a part 1/`HEAVY` of what they would.
    fn relax_light(&mut self, t: f64, q: &[f64], v: &[f64], x: &mut [f64], lambda: &mut [f64], masses: &[f64]) -> Result<(), Trouble> {
        let Split { coords, dofs, nodes } = self.split();
        let rows = self.memory.active.len();
        let mut at = [q, &*x].concat();
        let mut speeds = vec![0.0; dofs + nodes + self.memory.skeleton.extent.states];
        speeds[..dofs].copy_from_slice(v);
        let still = vec![0.0; speeds.len()];
        let mut all = [&vec![0.0; rows][..], &*lambda].concat();
        let (mut dx, mut dl, none) = (vec![0.0; nodes], vec![0.0; lambda.len()], vec![0.0; self.memory.carriers.entries()]);
        self.memory.problem.begin_attempt();
        let mut moved = f64::INFINITY;
        for iteration in 0..MOST {
            let from = if iteration == 0 { Statuses::Kept } else { Statuses::Same };
            self.look(t, Motion { q: &at, v: &speeds, a: &still }, &all, Some(Following::default()), from, 1.0)?;
            let mass = self.memory.weight_of_accelerations().unwrap_or(0.0);
            self.look(t, Motion { q: &at, v: &speeds, a: &still }, &all, Some(Following { damping: 0.0, mass }), Statuses::Same, 1.0)?;
            let memory = &mut *self.memory;
            let (_, rounding) = memory.problem.largest_open();
            let open = memory.open_without_mass(masses);
            if moved <= STEADY.sqrt() * memory.problem.size() && open <= rounding + FINE * memory.problem.largest_force() {
                x.copy_from_slice(&at[coords..]);
                lambda.copy_from_slice(&all[rows..]);
                return Ok(());
            }
            memory.problem.factor().map_err(Failure::from)?;
            memory.problem.condense().map_err(Failure::from)?;
            memory.problem.follow(&none, &mut dx, &mut dl);
            let part = memory.problem.longest_part(&dx);
            moved = dx.iter().fold(0.0, |most: f64, d| most.max(d.abs()));
            at[coords..].iter_mut().zip(&dx).for_each(|(x, d)| *x += part * d);
            all[rows..].iter_mut().zip(&dl).for_each(|(l, d)| *l += part * d);
        }
        Err(Trouble::NotConverged { iterations: MOST, entry: coords, row: None })
    }

    /// Corrects accelerations and multipliers of a first guess where soft parts have mass: equation (1).
    pub(super) fn accelerate_masses(&mut self, t: f64, q: &[f64], v: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Result<(), Failure> {
        let Split { coords, dofs, nodes } = self.split();
        if self.memory.node_masses().iter().all(|mass| *mass == 0.0) {
            return Ok(());
        }
        let rates = self.memory.support_rates(self.system, t, 2);
        self.memory.problem.fill_held(&rates, &mut a[dofs..dofs + nodes]);
        let rows = self.memory.active.len();
        let (step, mut dl) = (vec![0.0; dofs], vec![0.0; lambda.len()]);
        self.memory.problem.begin_attempt();
        for iteration in 0..MOST {
            let from = if iteration == 0 { Statuses::Kept } else { Statuses::Decided };
            self.look(t, Motion { q, v, a }, lambda, Some(Following::default()), from, 1.0)?;
            let changed = iteration > 0 && self.memory.problem.changed() > 0;
            let Some(mass) = self.memory.weight_of_accelerations() else { return Ok(()) };
            self.look(t, Motion { q, v, a }, lambda, Some(Following { damping: 0.0, mass }), Statuses::Same, 1.0)?;
            self.memory.problem.keep_positions();
            self.condense(&q[..coords], true)?;
            let memory = &mut *self.memory;
            // Rows of loops and guides hold for the first guess, so for the correction they are homogeneous; speeds stay.
            memory.newton.tangents.position.fill(0.0);
            memory.newton.tangents.by_v.fill(0.0);
            memory.c = 1.0 / mass;
            let weights = Weights { a: 1.0, b: 0.0, c: memory.c };
            let trial = Trial { t, at: Motion { q, v, a }, lambda, step: &step, weights, iteration };
            let active = &memory.active;
            let refuse = |trouble: Trouble| match trouble {
                Trouble::Refused(failure) => failure,
                _ => Failure::Soft {
                    element: "soft".into(),
                    reason: "accelerations of the start cannot be found: a body has no mass".into(),
                },
            };
            memory.newton.factor(&trial, |row| active[row], |_, _| {}).map_err(refuse)?;
            let (rows_of_tree, rows_of_soft) = dl.split_at_mut(rows);
            memory.newton.solve(&mut memory.a, rows_of_tree);
            let c = memory.c;
            let mut most = (0.0_f64, 0.0_f64);
            let mut add = |entry: &mut f64, more: f64| {
                *entry += more;
                most = (most.0.max(more.abs()), most.1.max(entry.abs()));
            };
            for k in 0..dofs {
                add(&mut a[k], memory.a[k]);
            }
            for (k, rate) in memory.a[dofs..].iter().enumerate() {
                add(&mut a[dofs + nodes + k], *rate);
            }
            memory.a[..dofs].iter_mut().for_each(|w| *w *= c);
            memory.carriers.changes(&memory.a[..dofs], &mut memory.changes);
            let moved = &mut memory.carried[..];
            memory.problem.follow(&memory.changes, moved, rows_of_soft);
            for k in 0..nodes {
                add(&mut a[dofs + k], moved[k] / c);
            }
            lambda.iter_mut().zip(&dl).for_each(|(l, d)| *l += d);
            if !most.0.is_finite() || (!changed && iteration > 0 && most.0 <= STEADY * most.1) {
                break;
            }
        }
        Ok(())
    }
}
