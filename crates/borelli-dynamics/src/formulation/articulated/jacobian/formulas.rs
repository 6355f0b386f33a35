//! Slopes of what formulas do: of forces by formulas, and of the rates of integrals.
//! Not here: values and slopes of the formulas themselves (`crate::formula`).
//! In: kinematics, loads and the slopes of all other elements. Out: their part of ∂Q and ∂ż.
//!
//! A formula f sees numbers x_k, of each of which the slopes by all variables y = (q, v, t, z, u) are known. Where it pushes along a, Q = a f,
//!
//!     ∂Q/∂y = a Σ_k ∂f/∂x_k ∂x_k/∂y + ∂a/∂y f                                                      (1)
//!
//! | a e_j on a coordinate; −∂l/∂q along a path, whose change is that of its segments; S_i·W at a place, W the wrench of the unit force along the component |
//!
//! With S_j the axis of a degree of freedom that moves the body of a place p with the twist V, r = p − o,
//!
//!     ∂p/∂q_j = u_j + ω_j × r        ∂ṗ/∂v_j = ∂p/∂q_j        ∂ṗ/∂q_j = δu + δω × r + ω_V × ∂p/∂q_j        δ = S_j × (V − V_before) + ...      (2)
//!
//! Test: `loads_that_reach_over_every_kind_of_joint_have_the_slopes_of_duals`.

use super::loads::{Chain, LoadSlopes, Scratch, chain_pose, through_path};
use crate::force::{FormulaForce, On};
use crate::formula::{Seen, component};
use crate::scene::{Loads, Scene};
use crate::system::System;
use crate::twist::Wrench;
use borelli_math::Vec3;

/// What slopes of formulas are chained with.
struct Sight<'a> {
    system: &'a System,
    chain: &'a Chain<'a>,
    scene: &'a Scene<'a, f64, f64>,
    loads: &'a Loads<f64>,
    origin: Vec3<f64>,
}

impl Sight<'_> {
    /// Adds the slopes of a formula, times a factor, to a row over q, v, t, z and u.
    fn add(&self, formula: u32, factor: f64, scratch: &Scratch, row: &mut [f64]) {
        let formulas = &self.system.numbers.formulas;
        formulas.slopes(formula, self.scene, &self.loads.lines, |seen, slope| self.add_seen(seen, factor * slope, scratch, row));
    }

    fn add_seen(&self, seen: Seen, slope: f64, scratch: &Scratch, row: &mut [f64]) {
        let (n, numbers) = (self.scene.v.len(), &self.system.numbers);
        let (states, controls) = (numbers.states.len(), numbers.controls.len());
        let Scratch { length, rate, tension, tension_inside, .. } = scratch;
        let of = |path: u32| [length, rate].map(|list| &list[n * path as usize..][..n]);
        match seen {
            Seen::Time => row[2 * n] += slope,
            Seen::Coordinate { dof, .. } => row[dof as usize] += slope,
            Seen::Speed(dof) => row[n + dof as usize] += slope,
            Seen::Length(path) => through_path(row, of(path), slope, 0.0),
            Seen::Rate(path) => through_path(row, of(path), 0.0, slope),
            Seen::Tension(path) => {
                let [by_length, by_rate, by_time] = tension[path as usize];
                through_path(row, of(path), slope * by_length, slope * by_rate);
                row[2 * n] += slope * by_time;
                let by_inside = &tension_inside[(states + controls) * path as usize..][..states + controls];
                row[2 * n + 1..].iter_mut().zip(by_inside).for_each(|(own, by)| *own += slope * by);
                // Forces by formulas see no tension, so that this goes no deeper.
                for law in numbers.forces.formula.iter().filter(|law| matches!(law.item.on(), On::Path(own) if own == path)) {
                    law.item.formulas().for_each(|(_, formula)| self.add(formula, slope, scratch, row));
                }
            }
            Seen::State(z) => row[2 * n + 1 + z as usize] += slope,
            Seen::Control(u) => {
                row[2 * n + 1 + states + u as usize] += slope;
                // A control that follows its function changes with time.
                if self.scene.inside.u.is_empty() {
                    row[2 * n] += slope * self.scene.at_time(numbers.controls[u as usize])[1];
                }
            }
            // Numbers are no variables of the motion.
            Seen::Number(_) => {}
            Seen::Position { place, axis } => {
                let point = self.scene.point(place);
                for &j in self.chain.tree.moving(point.body) {
                    row[j] += slope * component(self.moved(j, point.p_W), axis);
                }
            }
            Seen::Velocity { place, axis } => {
                let point = self.scene.point(place);
                let turning = self.chain.velocity[point.body].w;
                for &j in self.chain.tree.moving(point.body) {
                    let moved = self.moved(j, point.p_W);
                    let faster = self.chain.faster(point.body, j);
                    let change = faster.u + faster.w.cross(point.p_W - self.origin) + turning.cross(moved);
                    row[j] += slope * component(change, axis);
                    row[n + j] += slope * component(moved, axis);
                }
            }
        }
    }

    /// How a point of a body that a degree of freedom moves is displaced by it.
    fn moved(&self, j: usize, p_W: Vec3<f64>) -> Vec3<f64> {
        self.chain.S[j].u + self.chain.S[j].w.cross(p_W - self.origin)
    }
}

impl LoadSlopes {
    /// Slopes of everything that formulas do. Those of all other elements must be known.
    pub(super) fn fill_formulas(
        &mut self,
        system: &System,
        chain: &Chain,
        scene: &Scene<f64, f64>,
        origin: Vec3<f64>,
        loads: &Loads<f64>,
        zdot: &mut [f64],
    ) {
        let numbers = &system.numbers;
        let sight = Sight { system, chain, scene, loads, origin };
        for law in &numbers.forces.formula {
            if let On::Place { place, body_axes } = law.item.on() {
                self.turn_with_place(&sight, &law.item, place, body_axes);
            }
            let axes = law.item.axes(scene);
            for (axis, formula) in law.item.formulas() {
                self.push_along(&sight, law.item.on(), [axes.x, axes.y, axes.z][usize::from(axis)]);
                self.add_formula(&sight, formula);
            }
        }
        let width = self.scratch.formula.len();
        for integral in numbers.integrals.iter() {
            let row = &mut zdot[integral.state as usize * width..][..width];
            sight.add(integral.rate, 1.0, &self.scratch, row);
        }
    }

    /// The vector a of equation (1).
    fn push_along(&mut self, sight: &Sight, on: On, unit: Vec3<f64>) {
        let Scratch { length, pushed, .. } = &mut self.scratch;
        let n = pushed.len();
        pushed.fill(0.0);
        match on {
            On::Dof(dof) => pushed[dof as usize] = 1.0,
            On::Path(path) => pushed.iter_mut().zip(&length[n * path as usize..]).for_each(|(own, length)| *own = -length),
            On::Place { place, .. } => {
                let point = sight.scene.point(place);
                for &j in sight.chain.tree.moving(point.body) {
                    pushed[j] = sight.moved(j, point.p_W).dot(unit);
                }
            }
        }
    }

    /// The first part of equation (1).
    fn add_formula(&mut self, sight: &Sight, formula: u32) {
        let LoadSlopes { by_q, by_v, by_t, by_z, by_u, scratch, .. } = self;
        let mut row = std::mem::take(&mut scratch.formula);
        row.fill(0.0);
        sight.add(formula, 1.0, scratch, &mut row);
        let n = by_t.len();
        let (states, controls) = (sight.system.numbers.states.len(), sight.system.numbers.controls.len());
        for (i, a) in scratch.pushed.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            let add = |list: &mut [f64], width: usize, from: usize| {
                list[i * width..][..width].iter_mut().zip(&row[from..]).for_each(|(own, slope)| *own += a * slope);
            };
            add(by_q, n, 0);
            add(by_v, n, n);
            add(by_t, 1, 2 * n);
            add(by_z, states, 2 * n + 1);
            add(by_u, controls, 2 * n + 1 + states);
        }
        scratch.formula = row;
    }

    /// The second part of equation (1) at a place: the force goes with the body, and turns with it where its axes do.
    fn turn_with_place(&mut self, sight: &Sight, law: &FormulaForce<f64>, place: u32, with_body: bool) {
        let Sight { system, chain, scene, loads, origin } = *sight;
        let point = scene.point(place);
        let mut f = [0.0; 3];
        law.formulas().for_each(|(axis, formula)| f[usize::from(axis)] = system.numbers.formulas.value(formula, scene, &loads.lines));
        let (F, r) = (law.axes(scene) * Vec3::from_array(f), point.p_W - origin);
        let (of_body, _) = chain.apart(point.body, 0);
        for &j in of_body {
            let turned = if with_body { chain.S[j].w.cross(F) } else { Vec3::ZERO };
            self.scratch.by_pose[j] = Wrench { n: sight.moved(j, point.p_W).cross(F) + r.cross(turned), f: turned };
        }
        let wrench = Wrench { n: r.cross(F), f: F };
        chain_pose(chain, of_body, &[], wrench, &self.scratch.by_pose, &mut self.by_q);
    }
}
