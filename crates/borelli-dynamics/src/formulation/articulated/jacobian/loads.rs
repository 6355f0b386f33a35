//! Slopes of the generalised forces of force elements and contacts: local slopes of each element, chained along the tree.
//! Not here: the local slopes (`force`, `contact`, `local`).
//! In: kinematics and loads of an evaluation. Out: ∂Q/∂q (tangent), ∂Q/∂v, ∂Q/∂t, ∂Q/∂z, ∂Q/∂u, and the same of the rates of states.
//!
//! A wrench W acts on a body A, its opposite on a body B. With spatial axes S, ε = 1 for a degree of freedom that moves A alone, −1 for B alone and 0 else,
//!
//!     Q_i = ε_i S_i·W                                                                             (1)
//!
//! When j moves both bodies W moves along, and Q_i does not change. When it moves A alone, W changes by
//!
//!     g_j = K S_j + C (S_j × (V_A − V_before))                                                    (2)
//!
//! with the local slopes K by the pose of A and C by its twist, V_before the twist of the body that j turns from. When it moves B alone, both move by S_j and A back, and
//! W changes by S_j ×* W − g_j. Axes that come after j turn with it, and so do all axes of one ball joint. Together, with the pairs (i, j) by where they are,
//!
//!     ∂Q_i/∂q_j = ε_i ε_j S_i·g_j + h S_i·(S_j ×* W)        ∂Q_i/∂v_j = ε_i ε_j S_i·C S_j             (3)
//!     h = −1 for i, j of A and S_i turned by j;  −1 for i, j of B and S_i not turned by j;  1 for i of A, j of B;  0 else.
//!
//! An axis that changes with its own coordinate by X (function joint) adds ε_j X_j·W to ∂Q_j/∂q_j, and X_j v_j to the twist in (2).
//!
//! A path of length l with tension N and J = ∂l/∂q gives Q = −N J: its segments are wrenches between bodies with exact K, and its laws add
//!
//!     ∂Q/∂q: −J (N_l J + N_l̇ ∂l̇/∂q)ᵀ        ∂Q/∂v: −N_l̇ J Jᵀ        ∂l̇/∂q_j = −ε_j [K S_j·(V_A − V_B) + W·(S_j × (V_A − V_before))]     (4)
//!
//! Points that slip on their bodies by s, T1 and T2 on obstacles and moving points, change a segment's wrench W by δW_j beside (2): ∂Q_i/∂q_j gets N ε_i S_i·δW_j and ∂l̇/∂q_j gets
//! −(V_A − V_B)·δW_j. A moving point x(q_k) with u = R x' and g = e before it minus e behind it adds g·u to J_k, and what follows from it:
//!
//!     ∂Q_k/∂q_j: −N γ_j        ∂l̇/∂q_j: γ_j q̇_k        γ_j = δ_j g·u + g·δ_j u        δ_j u = w_j × u, for k itself R x'' more          (5)
//!
//! Source: (1) to (5) are ours; the reduction to local slopes is that of force sub-models in Featherstone 2008, section 2.15. Tests: duals through forward dynamics and
//! central differences on every gallery model, `loads_that_reach_over_every_kind_of_joint_have_the_slopes_of_duals`.

use super::Derivatives;
use super::dof_tree::DofTree;
use super::lost::LostSlopes;
use crate::force::{By, LineSlope, LineSlopes, Run, Segment, Variable};
use crate::formulation::Input;
use crate::frames::Frames;
use crate::local::{Acting, Between, BodySlopes, LocalWork, Sees, Slope, Stand, components, segment_change};
use crate::scene::{Loads, Now, Scene};
use crate::system::System;
use crate::twist::{Twist, Wrench};
use borelli_math::Vec3;

/// Slopes of the generalised forces of all elements and contacts.
#[derive(Clone, Debug)]
pub(crate) struct LoadSlopes {
    /// ∂Q/∂q along the tangent, row by row.
    pub(crate) by_q: Vec<f64>,
    /// ∂Q/∂v.
    pub(crate) by_v: Vec<f64>,
    /// ∂Q/∂t.
    pub(crate) by_t: Vec<f64>,
    /// ∂Q/∂z, degrees of freedom × states.
    pub(crate) by_z: Vec<f64>,
    /// ∂Q/∂u, degrees of freedom × controls.
    pub(crate) by_u: Vec<f64>,
    /// Slopes of the power lost in each pair of surfaces.
    pub(crate) lost: LostSlopes,
    /// Slopes of the two powers of all muscles (`Inner::power`): by q, v, t, z and u.
    pub(crate) muscles: [Vec<f64>; 2],
    lines: LineSlopes,
    pub(super) local: LocalWork,
    pub(super) scratch: Scratch,
}

/// Scratch memory of the chain.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// g, and C S, by degree of freedom.
    pub(super) by_pose: Vec<Wrench>,
    by_twist: Vec<Wrench>,
    /// ∂l/∂q and ∂l̇/∂q of each path, and the slopes of its whole tension by length, rate and time.
    pub(super) length: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pub(super) tension: Vec<[f64; 3]>,
    /// Bodies of a stretch of a path that each degree of freedom moves, one bit each.
    mask: Vec<u32>,
    /// Slopes of the whole tension of each path by states, then controls: paths × (states + controls).
    pub(super) tension_inside: Vec<f64>,
    /// Slopes of one formula by q, v, t, z and u, and where it pushes, by degree of freedom.
    pub(super) formula: Vec<f64>,
    pub(super) pushed: Vec<f64>,
}

/// The tree as the chain sees it.
pub(super) struct Chain<'a> {
    pub(super) S: &'a [Twist],
    /// V_before × S + X v, so that S × V + this is the slope of a body's twist.
    pub(super) rate: &'a [Twist],
    /// X of function joints, by degree of freedom.
    pub(super) bend: &'a [(usize, Twist)],
    pub(super) velocity: &'a [Twist],
    pub(super) tree: &'a DofTree,
}

impl Chain<'_> {
    /// Degrees of freedom that move only the first, and only the second of two bodies.
    #[inline(always)]
    pub(super) fn apart(&self, first: usize, second: usize) -> (&[usize], &[usize]) {
        self.tree.apart(first, second)
    }

    /// How the twist of a body changes with a degree of freedom that moves it.
    #[inline(always)]
    pub(super) fn faster(&self, body: usize, j: usize) -> Twist {
        self.S[j].cross(self.velocity[body]).add(self.rate[j])
    }

    /// True where the axis of `i` turns with `j`, both on one path from the root.
    #[inline(always)]
    fn turns_with(&self, i: usize, j: usize) -> bool {
        j < i || self.tree.ball[i] == self.tree.ball[j]
    }
}

impl LoadSlopes {
    pub(super) fn new(system: &System, tree: &DofTree) -> Self {
        let (n, numbers) = (system.skeleton.dofs(), &system.numbers);
        let (states, controls, paths) = (numbers.states.len(), numbers.controls.len(), numbers.paths.len());
        LoadSlopes {
            by_q: vec![0.0; n * n],
            by_v: vec![0.0; n * n],
            by_t: vec![0.0; n],
            by_z: vec![0.0; n * states],
            by_u: vec![0.0; n * controls],
            lost: LostSlopes::new(system, tree),
            muscles: [0, 1].map(|_| vec![0.0; 2 * n + 1 + states + controls]),
            lines: LineSlopes::new(numbers),
            local: LocalWork::new(&system.skeleton, numbers),
            scratch: Scratch {
                by_pose: vec![Wrench::ZERO; n],
                by_twist: vec![Wrench::ZERO; n],
                length: vec![0.0; n * paths],
                rate: vec![0.0; n * paths],
                tension: vec![[0.0; 3]; paths],
                mask: vec![0; n],
                tension_inside: vec![0.0; paths * (states + controls)],
                formula: vec![0.0; 2 * n + 1 + states + controls],
                pushed: vec![0.0; n],
            },
        }
    }

    /// Slopes of the whole tension of a path by its length and its rate.
    pub(crate) fn tension(&self, path: usize) -> [f64; 2] {
        let [by_length, by_rate, _] = self.scratch.tension[path];
        [by_length, by_rate]
    }

    /// What events have written.
    pub(super) fn recall(&mut self, loads: &Loads<f64>) {
        self.local.loads.recall_from(loads);
    }

    /// Fills everything, and in `zdot` the slopes of the rates of states (`Jacobian::zdot`).
    #[inline(never)]
    pub(super) fn fill(
        &mut self,
        system: &System,
        chain: &Chain,
        frames: &Frames<f64>,
        loads: &Loads<f64>,
        input: &Input,
        zdot: &mut [f64],
    ) {
        let System { skeleton, numbers, .. } = system;
        let Input { t, q, v, inside, .. } = *input;
        for list in [&mut self.by_q, &mut self.by_v, &mut self.by_t, &mut self.by_z, &mut self.by_u] {
            list.fill(0.0);
        }
        self.lost.clear();
        self.muscles.iter_mut().for_each(|list| list.fill(0.0));
        zdot.fill(0.0);
        let stand = Stand { skeleton, numbers, frames, t, origin: frames.p[frames.p.len().min(2) - 1] };
        self.fill_paths(chain, &stand, loads);
        let scene = Scene { skeleton, numbers, frames, q, v, vdot: &[], t, inside };
        for path in 0..loads.lines.length.len() {
            if loads.lines.slip_on(&scene, path) {
                self.fill_slips(chain, &scene, stand.origin, loads, path);
            }
        }
        let now = Now { numbers, t, inside };
        self.fill_laws(system, &now, loads, q, v, zdot);
        self.fill_formulas(system, chain, &scene, stand.origin, loads, zdot);
        let LoadSlopes { local, .. } = self;
        let mut on_bodies =
            OnBodies { stand: &stand, chain, local, by_q: &mut self.by_q, by_t: &mut self.by_t, scratch: &mut self.scratch };
        numbers.forces.body_slopes(&numbers.place_body, &mut on_bodies);
        for pair in loads.pairs.near().iter().map(|pair| *pair as usize) {
            if loads.pairs.touching[pair].acts() {
                let between = numbers.contacts.slopes(pair, &stand, &mut self.local);
                let lost = self.lost.row_mut(pair);
                chain_motion(chain, components(skeleton), &between, &mut self.by_q, &mut self.by_v, lost, &mut self.scratch);
            }
        }
    }

    /// J and ∂l̇/∂q of every path, and what the change of its directions does to the generalised forces. The tension is that of the path's laws alone.
    fn fill_paths(&mut self, chain: &Chain, stand: &Stand, loads: &Loads<f64>) {
        let Scratch { length, rate, tension, tension_inside, .. } = &mut self.scratch;
        tension_inside.fill(0.0);
        length.fill(0.0);
        rate.fill(0.0);
        tension.fill([0.0; 3]);
        let n = self.by_t.len();
        for path in 0..loads.lines.length.len() {
            let pull = loads.lines.pulled[path];
            for Segment { ends: [a, b], length, e } in loads.lines.segments(path) {
                // A segment of zero length pulls at nothing; one on a single body cannot change.
                if *length > 0.0 && a.body != b.body {
                    let wrench = Wrench { n: (a.p_W - stand.origin).cross(*e), f: *e };
                    let relative = chain.velocity[a.body].minus(chain.velocity[b.body]);
                    let (of_a, of_b) = chain.apart(a.body, b.body);
                    let Scratch { by_pose, length: by_q, rate, .. } = &mut self.scratch;
                    let (by_q, rate) = (&mut by_q[n * path..][..n], &mut rate[n * path..][..n]);
                    for (list, sign) in [(of_a, 1.0), (of_b, -1.0)] {
                        for &j in list {
                            let change = segment_change(a, stand.origin, *e, *length, chain.S[j]);
                            by_q[j] -= sign * chain.S[j].dot(wrench);
                            rate[j] -= sign * (relative.dot(change) + chain.faster(a.body, j).dot(wrench));
                            by_pose[j] = change.scale(pull);
                        }
                    }
                    if pull != 0.0 {
                        chain_pose(chain, of_a, of_b, wrench.scale(pull), &self.scratch.by_pose, &mut self.by_q);
                    }
                }
            }
        }
    }

    /// What points of a path that slip on their bodies add.
    fn fill_slips(&mut self, chain: &Chain, scene: &Scene<f64, f64>, origin: Vec3<f64>, loads: &Loads<f64>, path: usize) {
        let LoadSlopes { by_q, scratch, .. } = self;
        let n = self.by_t.len();
        let Scratch { length, rate, mask, .. } = scratch;
        let (J, rate, pull) = (&mut length[n * path..][..n], &mut rate[n * path..][..n], loads.lines.pulled[path]);
        // Equation (5) but for the change of g, which comes with the segments.
        for drift in loads.lines.drifts(path) {
            let [before, behind] = loads.lines.directions(path, drift.stop);
            let (g, u, k) = (before - behind, drift.along, drift.dof);
            J[k] += g.dot(u);
            let mut add = |j: usize, change: f64| {
                by_q[k * n + j] -= pull * change;
                rate[j] += scene.v[k] * change;
            };
            chain.tree.moving(drift.body).iter().for_each(|&j| add(j, g.dot(chain.S[j].w.cross(u))));
            add(k, g.dot(drift.bent));
        }
        loads.lines.runs(scene, path, |run: &Run| {
            mask.fill(0);
            for (b, body) in run.bodies().enumerate() {
                chain.tree.moving(body).iter().for_each(|&j| mask[j] |= 1 << b);
            }
            let all = (1_u32 << (run.touched + 2)) - 1;
            let moved = run.drifts.iter().flatten().count() > 0;
            for j in 0..n {
                let own = run.drifts.iter().flatten().any(|drift| drift.dof == j);
                // What carries all of the stretch along changes none of it but the directions that a moving point sees.
                if !own && (mask[j] == 0 || mask[j] == all && !moved) {
                    continue;
                }
                let (S, mask) = (chain.S[j], mask[j]);
                let displaced = |b: usize, p: Vec3<f64>| if mask >> b & 1 == 1 { S.u + S.w.cross(p - origin) } else { Vec3::ZERO };
                let turned = |b: usize| if mask >> b & 1 == 1 { S.w } else { Vec3::ZERO };
                let slips = run.slips(j, displaced, turned);
                for (k, ([s_a, s_b], Segment { ends: [a, b], length, e })) in
                    slips.into_iter().zip(run.pieces).enumerate().take(run.touched + 1)
                {
                    if !(*length > 0.0) {
                        continue;
                    }
                    let across = |d: Vec3<f64>| (d - e.scale(e.dot(d))).scale(1.0 / length);
                    let de = across(s_b - s_a);
                    let change = Wrench { n: s_a.cross(*e) + (a.p_W - origin).cross(de), f: de };
                    rate[j] -= chain.velocity[a.body].minus(chain.velocity[b.body]).dot(change);
                    let (of_a, of_b) = chain.apart(a.body, b.body);
                    for (list, sign) in [(of_a, pull), (of_b, -pull)] {
                        list.iter().for_each(|&i| by_q[i * n + j] += sign * chain.S[i].dot(change));
                    }
                    // The first piece leaves a moving point, the last one comes to it.
                    let whole = de + across(displaced(k + 1, b.p_W) - displaced(k, a.p_W));
                    let ends = [(k == 0, run.drifts[0], -1.0), (k == run.touched, run.drifts[1], 1.0)];
                    for (_, drift, sign) in ends.into_iter().filter(|(here, ..)| *here) {
                        if let Some(drift) = drift {
                            let change = sign * whole.dot(drift.along);
                            by_q[drift.dof * n + j] -= pull * change;
                            rate[j] += scene.v[drift.dof] * change;
                        }
                    }
                }
            }
        });
    }

    /// Laws of one variable: equation (4), and the diagonal of coordinates.
    fn fill_laws(&mut self, system: &System, now: &Now<f64, f64>, loads: &Loads<f64>, q: &[f64], v: &[f64], zdot: &mut [f64]) {
        let n = v.len();
        let (states, controls) = (system.numbers.states.len(), system.numbers.controls.len());
        let width = 2 * n + 1 + states + controls;
        let LoadSlopes { by_q, by_v, by_t, by_z, by_u, muscles, lines, scratch, .. } = self;
        let Scratch { length, rate, tension, tension_inside, .. } = scratch;
        let inside = states + controls;
        system.numbers.forces.line_slopes(lines, now, &loads.lines, q, v, |slope: LineSlope| {
            match (slope.on, slope.by) {
                (Variable::Path(path), By::Value) => tension[path][0] += slope.force,
                (Variable::Path(path), By::Rate) => tension[path][1] += slope.force,
                (Variable::Path(path), By::Time) => tension[path][2] += slope.force,
                (Variable::Path(path), By::State(z)) => {
                    tension_inside[inside * path + z] += slope.force;
                    (0..n).for_each(|i| by_z[i * states + z] -= slope.force * length[n * path + i]);
                }
                (Variable::Path(path), By::Control(u)) => {
                    tension_inside[inside * path + states + u] += slope.force;
                    (0..n).for_each(|i| by_u[i * controls + u] -= slope.force * length[n * path + i]);
                }
                (Variable::Coordinate { dof }, By::Value) => by_q[dof * n + dof] += slope.force,
                (Variable::Coordinate { dof }, By::Rate) => by_v[dof * n + dof] += slope.force,
                (Variable::Coordinate { dof }, By::Time) => by_t[dof] += slope.force,
                (Variable::Coordinate { dof }, By::State(z)) => by_z[dof * states + z] += slope.force,
                (Variable::Coordinate { dof }, By::Control(u)) => by_u[dof * controls + u] += slope.force,
            }
            let add = |row: &mut [f64], own: f64| match (slope.by, slope.on) {
                (By::Time, _) => row[2 * n] += own,
                (By::State(z), _) => row[2 * n + 1 + z] += own,
                (By::Control(u), _) => row[2 * n + 1 + states + u] += own,
                (By::Value, Variable::Coordinate { dof }) => row[dof] += own,
                (By::Rate, Variable::Coordinate { dof }) => row[n + dof] += own,
                (By::Value, Variable::Path(path)) => through_path(row, [&length[n * path..][..n], &rate[n * path..][..n]], own, 0.0),
                (By::Rate, Variable::Path(path)) => through_path(row, [&length[n * path..][..n], &rate[n * path..][..n]], 0.0, own),
            };
            for (state, own) in slope.of_rates() {
                add(&mut zdot[state * width..][..width], own);
            }
            for (row, own) in muscles.iter_mut().zip(slope.power) {
                if own != 0.0 {
                    add(row, own);
                }
            }
        });
        for (path, [by_length, by_rate, by_time]) in tension.iter().enumerate() {
            if *by_length == 0.0 && *by_rate == 0.0 && *by_time == 0.0 {
                continue;
            }
            let (J, J_rate) = (&length[n * path..][..n], &rate[n * path..][..n]);
            for i in (0..n).filter(|i| J[*i] != 0.0) {
                by_t[i] -= by_time * J[i];
                for j in 0..n {
                    by_q[i * n + j] -= J[i] * (by_length * J[j] + by_rate * J_rate[j]);
                    by_v[i * n + j] -= J[i] * by_rate * J[j];
                }
            }
        }
    }
}

/// Adds to slopes by q and v what a path carries on: slopes by its length and by its rate, with J and ∂l̇/∂q of the path.
#[inline(always)]
pub(super) fn through_path(row: &mut [f64], [J, J_rate]: [&[f64]; 2], by_length: f64, by_rate: f64) {
    let n = J.len();
    for j in 0..n {
        row[j] += by_length * J[j] + by_rate * J_rate[j];
        row[n + j] += by_rate * J[j];
    }
}

/// Takes the laws that act on bodies.
struct OnBodies<'a, 'b> {
    stand: &'a Stand<'b>,
    chain: &'a Chain<'b>,
    local: &'a mut LocalWork,
    by_q: &'a mut [f64],
    by_t: &'a mut [f64],
    scratch: &'a mut Scratch,
}

impl BodySlopes for OnBodies<'_, '_> {
    fn element(&mut self, bodies: [usize; 2], mut apply: impl FnMut(&Scene<Slope, f64>, &mut Loads<Slope>)) {
        if bodies[0] == bodies[1] {
            return;
        }
        let between = self.local.slopes(self.stand, bodies, Sees::PoseAndTime, |scene, loads| {
            apply(scene, loads);
            Acting::take(loads, bodies)
        });
        let components = components(self.stand.skeleton);
        let (of_moved, of_other) = self.chain.apart(between.moved, between.other);
        for &j in of_moved.iter().chain(of_other) {
            self.scratch.by_pose[j] = between.change(components, self.chain.S[j], Twist::ZERO).wrench;
        }
        chain_pose(self.chain, of_moved, of_other, between.wrench, &self.scratch.by_pose, self.by_q);
        for (list, sign) in [(of_moved, 1.0), (of_other, -1.0)] {
            list.iter().for_each(|&i| self.by_t[i] += sign * self.chain.S[i].dot(between.by_time.wrench));
        }
    }
}

/// Equation (3) with the slopes by velocities, and those of the power lost.
fn chain_motion(
    chain: &Chain,
    components: &[usize],
    between: &Between,
    by_q: &mut [f64],
    by_v: &mut [f64],
    lost: &mut [[f64; 2]],
    scratch: &mut Scratch,
) {
    let n = scratch.by_pose.len();
    let mut lost = lost.iter_mut();
    let (of_moved, of_other) = chain.apart(between.moved, between.other);
    for (list, sign) in [(of_moved, 1.0), (of_other, -1.0)] {
        for &j in list {
            let by_pose = between.change(components, chain.S[j], chain.faster(between.moved, j));
            let by_twist = between.change_by_twist(components, chain.S[j]);
            scratch.by_pose[j] = by_pose.wrench;
            scratch.by_twist[j] = by_twist.wrench;
            if let Some(lost) = lost.next() {
                *lost = [sign * by_pose.lost, sign * by_twist.lost];
            }
        }
    }
    chain_pose(chain, of_moved, of_other, between.wrench, &scratch.by_pose, by_q);
    for (rows, sign_i) in [(of_moved, 1.0), (of_other, -1.0)] {
        for (columns, sign_j) in [(of_moved, 1.0), (of_other, -1.0)] {
            for &i in rows {
                let S = chain.S[i].scale(sign_i * sign_j);
                columns.iter().for_each(|&j| by_v[i * n + j] += S.dot(scratch.by_twist[j]));
            }
        }
    }
}

/// The first half of (3), with `change` = g by degree of freedom, and what function joints add.
pub(super) fn chain_pose(chain: &Chain, of_first: &[usize], of_second: &[usize], wrench: Wrench, change: &[Wrench], by_q: &mut [f64]) {
    let n = change.len();
    for &i in of_first {
        let S = chain.S[i];
        for &j in of_first {
            let mut g = change[j];
            if chain.turns_with(i, j) {
                g = g.minus(chain.S[j].cross_force(wrench));
            }
            by_q[i * n + j] += S.dot(g);
        }
        for &j in of_second {
            by_q[i * n + j] += S.dot(chain.S[j].cross_force(wrench).minus(change[j]));
        }
    }
    for &i in of_second {
        let S = chain.S[i];
        for &j in of_first {
            by_q[i * n + j] -= S.dot(change[j]);
        }
        for &j in of_second {
            let mut g = change[j];
            if !chain.turns_with(i, j) {
                g = g.minus(chain.S[j].cross_force(wrench));
            }
            by_q[i * n + j] += S.dot(g);
        }
    }
    for (dof, bend) in chain.bend {
        if of_first.contains(dof) {
            by_q[dof * n + dof] += bend.dot(wrench);
        } else if of_second.contains(dof) {
            by_q[dof * n + dof] -= bend.dot(wrench);
        }
    }
}

impl Derivatives {
    /// The tree for the chain.
    pub(super) fn chain(&self) -> Chain<'_> {
        Chain { S: &self.S, rate: &self.psi1, bend: &self.bend, velocity: &self.velocity, tree: &self.tree }
    }
}
