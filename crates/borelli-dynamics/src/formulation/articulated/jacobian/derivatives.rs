//! Right-hand sides of the derivatives, the mass matrix and its factor, with their memory.
//! Not here: what becomes of the solutions (`super`), slopes of loads (`loads`).
//! In: kinematics and loads at given accelerations and multipliers. Out: −∂R/∂x and −∂Φ̈/∂x by every variable x; equations (2) and (3) of `super`.

use super::super::Work;
use super::composite::Composite;
use super::dof_tree::{DofTree, axpy, axpy4};
use super::duals::Duals;
use super::seeds::Seeds;
use super::{LoadSlopes, N};
use crate::formulation::Input;
use crate::integrate::Tangents;
use crate::retract::seed_tangent;
use crate::row_system::RowStructure;
use crate::scene::Inside;
use crate::system::{DofClass, Skeleton, System};
use crate::twist::{Twist, Wrench};
use borelli_math::{Dual, Mat3, Sym3, Vec3};

/// Memory of derivatives.
pub(in super::super) struct Derivatives {
    /// Spatial velocity and acceleration of bodies about the common point.
    pub(super) velocity: Vec<Twist>,
    pub(super) acceleration: Vec<Twist>,
    pub(super) composite: Vec<Composite>,
    pub(super) S: Vec<Twist>,
    /// Ψ̇, Ψ̈ and Ψ̇ + Ṡ.
    pub(super) psi1: Vec<Twist>,
    pub(super) psi2: Vec<Twist>,
    pub(super) rate: Vec<Twist>,
    pub(super) tree: DofTree,
    /// Mass matrix, then its LᵀDL factor, by rows along the path to the root.
    pub(super) mass: Vec<f64>,
    pub(super) inverse_D: Vec<f64>,
    /// Right-hand sides, row by degree of freedom; columns by q, v and τ of one degree of freedom side by side, so that those of a
    /// limb are one piece.
    pub(super) columns: Vec<f64>,
    /// Of force elements and contacts, where there are any.
    pub(super) loads: Option<LoadSlopes>,
    /// Of rows and function joints, where there are any.
    pub(super) duals: Option<Duals>,
    /// What may be differentiated by in one direction of a pass of these.
    seeds: Seeds,
    /// True while right-hand sides are zero where a row and a column are on different branches: nothing couples branches.
    pub(super) branched: bool,
    /// How the axis of each function joint changes with its own coordinate, by degree of freedom.
    pub(super) bend: Vec<(usize, Twist)>,
    pub(super) vdot: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    /// −∂Φ̈/∂x by rows, then dλ.
    pub(super) row_columns: Vec<f64>,
    pub(super) row_scratch: Vec<f64>,
    /// −∂Φ̈/∂x, and what the columns leave open of it.
    pub(super) asked: Vec<f64>,
    pub(super) open_rows: Vec<f64>,
    /// What multipliers add to the columns.
    pub(super) pushed: Vec<f64>,
    /// ∂Φ/∂q by rows.
    pub(super) row_position: Vec<f64>,
    /// −∂R/∂t.
    pub(super) time_column: Vec<f64>,
    /// Slopes of the rates of states, and of rows by time, where nobody else has room for them.
    pub(super) states: usize,
    pub(super) zdot: Vec<f64>,
    pub(super) row_by_t: Vec<f64>,
    /// −∂R/∂x and −∂Φ̈/∂x by a state or control of an element, one column after the other, and a solution.
    pub(super) inner_columns: Vec<f64>,
    pub(super) solution: Vec<f64>,
}

impl Derivatives {
    pub(in super::super) fn new(system: &System) -> Self {
        let skeleton = &system.skeleton;
        let (bodies, n, rows) = (skeleton.parent.len(), skeleton.dofs(), system.names.rows.len());
        let tree = DofTree::new(skeleton);
        let states = system.numbers.states.len();
        let bends = |dof: &usize| skeleton.class[*dof] == DofClass::Screw;
        let bend: Vec<(usize, Twist)> = (0..n).filter(bends).map(|dof| (dof, Twist::ZERO)).collect();
        let loads = system.numbers.is_loaded().then(|| LoadSlopes::new(system, &tree));
        Derivatives {
            velocity: vec![Twist::ZERO; bodies],
            acceleration: vec![Twist::ZERO; bodies],
            composite: vec![Composite::ZERO; bodies],
            S: vec![Twist::ZERO; n],
            psi1: vec![Twist::ZERO; n],
            psi2: vec![Twist::ZERO; n],
            rate: vec![Twist::ZERO; n],
            mass: vec![0.0; tree.path.len()],
            inverse_D: vec![0.0; n],
            tree,
            columns: vec![0.0; n * 3 * n],
            loads,
            branched: rows == 0 && bend.is_empty() && loads_stay_on_branches(system),
            seeds: Seeds::new(skeleton, &RowStructure::new(system)),
            duals: (rows > 0 || !bend.is_empty()).then(|| Duals::new(system)),
            bend,
            vdot: vec![0.0; n],
            lambda: vec![0.0; rows],
            row_columns: vec![0.0; rows * 3 * n],
            row_scratch: vec![0.0; rows],
            asked: vec![0.0; rows * 3 * n],
            open_rows: vec![0.0; rows * 3 * n],
            pushed: vec![0.0; if rows > 0 { n * 3 * n } else { 0 }],
            row_position: vec![0.0; rows * n],
            time_column: vec![0.0; n],
            states,
            zdot: vec![0.0; states * (2 * n + 1 + states + system.numbers.controls.len())],
            row_by_t: vec![0.0; rows],
            inner_columns: vec![0.0; (n + rows) * (system.numbers.states.len() + system.numbers.controls.len())],
            solution: vec![0.0; n],
        }
    }

    /// Spatial quantities of all bodies and degrees of freedom, and composites, from frames filled with accelerations.
    #[inline(always)]
    pub(super) fn fill_tree(&mut self, system: &System, frames: &crate::frames::Frames<f64>, v: &[f64]) {
        let System { skeleton, numbers, .. } = system;
        let c = &numbers.tree;
        // A model of soft parts alone has no body: then the world is all there is.
        let origin = frames.p[frames.p.len().min(2) - 1];
        // The base's upward acceleration stands for gravity.
        self.acceleration[0] = Twist { w: Vec3::ZERO, u: frames.a[0] };
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let x = frames.p[b] - origin;
            let (w, al) = (frames.w[b], frames.al[b]);
            let velocity = Twist { w, u: frames.v[b] - w.cross(x) };
            let acceleration = Twist { w: al, u: frames.a[b] - al.cross(x) - w.cross(frames.v[b]) };
            self.velocity[b] = velocity;
            self.acceleration[b] = acceleration;

            // The body alone, about the common point.
            let mc_K = frames.R[b] * c.mc_B[b];
            let m = c.mass[b];
            let mc = mc_K + x.scale(m);
            let cross = x.dot(mc_K);
            let J = Sym3::rotated(&frames.R[b], &c.I_Bo_B[b])
                + Sym3 {
                    xx: m * (x.y * x.y + x.z * x.z) + 2.0 * (cross - x.x * mc_K.x),
                    yy: m * (x.x * x.x + x.z * x.z) + 2.0 * (cross - x.y * mc_K.y),
                    zz: m * (x.x * x.x + x.y * x.y) + 2.0 * (cross - x.z * mc_K.z),
                    xy: -m * x.x * x.y - x.x * mc_K.y - x.y * mc_K.x,
                    xz: -m * x.x * x.z - x.x * mc_K.z - x.z * mc_K.x,
                    yz: -m * x.y * x.z - x.y * mc_K.z - x.z * mc_K.y,
                };
            let p = velocity.u.scale(m) + w.cross(mc);
            // P = u mcᵀ + ω̃ E with E = ½ tr J − J = Σ m x xᵀ, by columns.
            let half = 0.5 * J.trace();
            let j = J.to_mat();
            let E = Mat3 {
                x: Vec3 { x: half - j.x.x, y: -j.x.y, z: -j.x.z },
                y: Vec3 { x: -j.y.x, y: half - j.y.y, z: -j.y.z },
                z: Vec3 { x: -j.z.x, y: -j.z.y, z: half - j.z.z },
            };
            let u = velocity.u;
            let P2 = Mat3 {
                x: u.scale(-2.0 * mc.x) - w.cross(E.x).scale(2.0),
                y: u.scale(-2.0 * mc.y) - w.cross(E.y).scale(2.0),
                z: u.scale(-2.0 * mc.z) - w.cross(E.z).scale(2.0),
            };
            let trace = -(P2.x.x + P2.y.y + P2.z.z);
            let mut K = P2;
            K.x.x += trace;
            K.y.y += trace;
            K.z.z += trace;
            let f = Wrench {
                n: mc.cross(acceleration.u) + J * al + (K * w).scale(0.5),
                f: acceleration.u.scale(m) + al.cross(mc) + w.cross(p),
            };
            self.composite[b] = Composite { mass: m, mc, J, K, p, f };

            // Free directions, one motion after the other.
            let (mut before_v, mut before_a) = (self.velocity[P], self.acceleration[P]);
            let dofs = skeleton.dofs_of(b);
            let mut d = dofs.start;
            while d < dofs.end {
                let group = if self.tree.ball[d] == d && d + 2 < dofs.end && self.tree.ball[d + 2] == d { 3 } else { 1 };
                let (v0, a0) = (before_v, before_a);
                for k in d..d + group {
                    let s = frames.s_ang[k];
                    self.S[k] = Twist { w: s, u: frames.s_lin[k] - s.cross(x) };
                    before_v = before_v.add(self.S[k].scale(v[k]));
                }
                for k in d..d + group {
                    let S = self.S[k];
                    // A ball's axes turn with the child, all other axes with the frame before.
                    let S_rate = if group == 3 { before_v.cross(S) } else { v0.cross(S) };
                    let psi1 = v0.cross(S);
                    self.psi1[k] = psi1;
                    self.psi2[k] = a0.cross(S).add(v0.cross(psi1));
                    self.rate[k] = psi1.add(S_rate);
                    before_a = before_a.add(S.scale(self.vdot[k])).add(S_rate.scale(v[k]));
                }
                d += group;
            }
        }
        for b in (1..skeleton.parent.len()).rev() {
            let P = skeleton.parent[b] as usize;
            if P != 0 {
                let child = self.composite[b];
                self.composite[P].add(&child);
            }
        }
    }

    /// Equations (2) and (3) into the columns (with the sign of (1)), and the mass matrix.
    #[inline(always)]
    fn fill_analytic(&mut self, skeleton: &Skeleton) {
        let n = skeleton.dofs();
        let width = 3 * n;
        for i in 0..n {
            let c = &self.composite[skeleton.dof_body[i] as usize];
            let S = self.S[i];
            let U = c.inertia(S);
            let W = c.coriolis_transposed(S);
            let by_v = c.coriolis(S.w).add(c.inertia(self.rate[i]));
            let inertial = c.coriolis(self.psi1[i].w).add(c.inertia(self.psi2[i]));
            let turned = Wrench { n: S.w.cross(c.f.n) + S.u.cross(c.f.f), f: S.w.cross(c.f.f) };
            let by_q = inertial.add(turned);
            let row = self.tree.start[i];
            let depth = self.tree.depth[i];
            for e in 0..=depth {
                let j = self.tree.path[row + e];
                let S_j = self.S[j];
                self.mass[row + e] = S_j.dot(U);
                let same_ball = self.tree.ball[i] == self.tree.ball[j];
                // ∂τ_j/∂(q_i, v_i), negative on the right-hand side.
                let column = &mut self.columns[j * width + 3 * i..][..2];
                column[0] = -S_j.dot(if same_ball { inertial } else { by_q });
                column[1] = -S_j.dot(by_v);
                if j != i {
                    // ∂τ_i/∂(q_j, v_j).
                    let column = &mut self.columns[i * width + 3 * j..][..2];
                    column[0] = -(W.dot(self.psi1[j].w) + self.psi2[j].dot(U));
                    column[1] = -(W.dot(S_j.w) + self.rate[j].dot(U));
                }
            }
        }
    }

    /// Axes of function joints that change with their own coordinate, which the twists of bodies and the forces along the axes feel; see `loads`.
    fn fill_bends(&mut self, system: &System, frames: &crate::frames::Frames<f64>, q: &[f64], v: &[f64]) {
        for (dof, bend) in &mut self.bend {
            let body = system.skeleton.dof_body[*dof] as usize;
            let (ang, lin) = frames.curve_slope(&system.skeleton, &system.numbers.tree, body, q);
            let (s_ang, s_lin) = (frames.s_ang[*dof], frames.s_lin[*dof]);
            // The axis itself is carried by its slides.
            *bend = Twist { w: ang, u: lin - ang.cross(frames.p[body] - frames.p[1]) - s_ang.cross(s_lin) };
            self.psi1[*dof] = self.psi1[*dof].add(bend.scale(v[*dof]));
        }
    }

    /// The mass matrix only (function joints: the rest comes from duals).
    fn fill_mass(&mut self, skeleton: &Skeleton) {
        for i in 0..skeleton.dofs() {
            let U = self.composite[skeleton.dof_body[i] as usize].inertia(self.S[i]);
            let row = self.tree.start[i];
            for e in 0..=self.tree.depth[i] {
                self.mass[row + e] = self.S[self.tree.path[row + e]].dot(U);
            }
        }
    }

    /// Slopes of the tension of a path by its length and its rate at the last look; none without force elements.
    pub(in super::super) fn tension(&self, path: usize) -> [f64; 2] {
        self.loads.as_ref().map_or([0.0; 2], |loads| loads.tension(path))
    }

    /// Right-hand sides of (1), at the accelerations and multipliers in `vdot` and `lambda`, from the kinematics and loads of `work`. Slopes of the rates of states go
    /// to `zdot`, those of rows by time to `row_force_by_t`.
    pub(super) fn differentiate(&mut self, system: &System, work: &Work<f64>, input: &Input, zdot: &mut [f64], row_force_by_t: &mut [f64]) {
        self.fill_tree(system, &work.frames, input.v);
        self.columns.fill(0.0);
        self.row_columns.fill(0.0);
        let skeleton = &system.skeleton;
        let Input { t, q, v, .. } = *input;
        let (n, m) = (self.vdot.len(), self.lambda.len());
        let (states, controls) = (system.numbers.states.len(), system.numbers.controls.len());
        let width = 3 * n;
        let curved = !self.bend.is_empty();
        if curved {
            self.fill_mass(skeleton);
            self.fill_bends(system, &work.frames, q, v);
        } else {
            self.fill_analytic(skeleton);
        }
        for i in 0..n {
            self.columns[i * width + 3 * i + 2] = 1.0;
        }
        self.time_column.fill(0.0);
        self.inner_columns.fill(0.0);
        row_force_by_t.fill(0.0);
        if let Some(mut loads) = self.loads.take() {
            loads.recall(&work.loads);
            loads.fill(system, &self.chain(), &work.frames, &work.loads, input, zdot);
            for i in 0..n {
                let (by_q, by_v) = (&loads.by_q[i * n..][..n], &loads.by_v[i * n..][..n]);
                for ((column, q), v) in self.columns[i * width..][..width].chunks_exact_mut(3).zip(by_q).zip(by_v) {
                    column[0] += q;
                    column[1] += v;
                }
            }
            self.time_column.copy_from_slice(&loads.by_t);
            for k in 0..states + controls {
                let column = &mut self.inner_columns[k * (n + m)..][..n];
                for (i, x) in column.iter_mut().enumerate() {
                    *x = if k < states { loads.by_z[i * states + k] } else { loads.by_u[i * controls + k - states] };
                }
            }
            self.loads = Some(loads);
        }
        // One column by time where the model has functions of it.
        let timed = !system.of_time.is_empty();
        if let Some(duals) = &mut self.duals {
            duals.work.set_control(work.rows.control());
            // Rows and inertia do not depend on states and controls.
            let seeds = &self.seeds;
            let directions = seeds.len();
            let all = 2 * directions + usize::from(timed);
            for first in (0..all).step_by(N) {
                duals.set(q, v, &self.vdot);
                let mut t = Dual { re: t, eps: [0.0; N] };
                let count = N.min(all - first);
                for k in 0..count {
                    let direction = first + k;
                    if direction < directions {
                        seeds.dofs(direction).for_each(|dof| seed_tangent(skeleton, &mut duals.q, dof, k));
                    } else if direction < 2 * directions {
                        seeds.dofs(direction - directions).for_each(|dof| duals.v[dof].eps[k] = 1.0);
                    } else {
                        t.eps[k] = 1.0;
                    }
                }
                let Duals { work, wrench, q, v, vdot, residual, .. } = &mut *duals;
                if curved {
                    work.residual::<f64, true>(skeleton, &system.numbers, t, q, v, Inside::NONE, vdot, &self.lambda, wrench, residual);
                } else {
                    work.residual::<f64, false>(skeleton, &system.numbers, t, q, v, Inside::NONE, vdot, &self.lambda, wrench, residual);
                }
                for k in 0..count {
                    let direction = first + k;
                    if direction == 2 * directions {
                        (0..n).for_each(|i| self.time_column[i] -= residual[i].eps[k]);
                        (0..m).for_each(|r| row_force_by_t[r] = -work.rows.acceleration[r].eps[k]);
                        continue;
                    }
                    let by_v = usize::from(direction >= directions);
                    for (dof, reached, rows) in seeds.reached(direction - by_v * directions) {
                        let column = 3 * dof + by_v;
                        for i in reached.iter().map(|i| *i as usize) {
                            self.columns[i * width + column] -= residual[i].eps[k];
                        }
                        for r in rows.iter().map(|r| *r as usize) {
                            self.row_columns[r * width + column] = -work.rows.acceleration[r].eps[k];
                            if by_v == 0 {
                                self.row_position[r * n + dof] = work.rows.position[r].eps[k];
                            }
                        }
                    }
                }
            }
        }
    }

    /// M = Lᵀ D L in place; L is as sparse as the tree (Featherstone 2008, section 6.5).
    #[inline(always)]
    pub(super) fn factor(&mut self, n: usize) {
        for k in (0..n).rev() {
            let (start, depth) = (self.tree.start[k], self.tree.depth[k]);
            let (above, row) = self.mass.split_at_mut(start);
            let inverse = 1.0 / row[depth];
            self.inverse_D[k] = inverse;
            for e in (0..depth).rev() {
                let a = row[e] * inverse;
                let ancestor = self.tree.path[start + e];
                let other = &mut above[self.tree.start[ancestor]..][..=e];
                for (x, y) in other.iter_mut().zip(&row[..=e]) {
                    *x -= a * y;
                }
            }
            for e in 0..depth {
                row[e] *= inverse;
            }
        }
    }

    /// Solves M X = B for all columns; B is zero where a row and a column are on different branches.
    #[inline(always)]
    pub(super) fn solve_columns(&mut self, n: usize, sparse: bool) {
        let width = 3 * n;
        for k in (0..n).rev() {
            let start = self.tree.start[k];
            let (head, tail) = self.columns.split_at_mut(k * width);
            let row = &mut tail[..width];
            let all = [(0, n)];
            let runs = if sparse { &self.tree.runs[self.tree.run_start[k]..self.tree.run_start[k + 1]] } else { &all[..] };
            for (e, &ancestor) in self.tree.ancestors(k).iter().enumerate() {
                let l = self.mass[start + e];
                let other = &mut head[ancestor * width..][..width];
                for &(from, to) in runs {
                    axpy(&mut other[3 * from..3 * to], -l, &row[3 * from..3 * to]);
                }
            }
            let inverse = self.inverse_D[k];
            row.iter_mut().for_each(|x| *x *= inverse);
        }
        for k in 0..n {
            let start = self.tree.start[k];
            let (head, tail) = self.columns.split_at_mut(k * width);
            let row = &mut tail[..width];
            let ancestors = self.tree.ancestors(k);
            let above = |e: usize| &head[ancestors[e] * width..][..width];
            let l = &self.mass[start..start + ancestors.len()];
            // Four ancestors at a time: the row is then loaded and stored a quarter as often.
            let mut e = 0;
            while e + 4 <= ancestors.len() {
                axpy4(row, &l[e..e + 4], above(e), above(e + 1), above(e + 2), above(e + 3));
                e += 4;
            }
            while e < ancestors.len() {
                axpy(row, -l[e], above(e));
                e += 1;
            }
        }
    }

    /// Slopes of the open equations (`Open`) at given accelerations and multipliers. R and Φ themselves are the caller's.
    pub(in super::super) fn open(
        &mut self,
        system: &System,
        work: &Work<f64>,
        input: &Input,
        vdot: &[f64],
        lambda: &[f64],
        out: &mut Tangents,
    ) {
        let (n, states) = (self.vdot.len(), input.inside.z.len());
        let (width, all) = (3 * n, n + states);
        self.vdot.copy_from_slice(vdot);
        self.lambda.copy_from_slice(lambda);
        let (mut zdot, mut by_t) = (std::mem::take(&mut self.zdot), std::mem::take(&mut self.row_by_t));
        self.differentiate(system, work, input, &mut zdot, &mut by_t);
        for i in 0..n {
            let columns = self.columns[i * width..][..width].chunks_exact(3);
            let (by_q, by_v) = (&mut out.by_q[i * n..][..n], &mut out.by_v[i * all..][..all]);
            for ((x, by_q), by_v) in columns.zip(by_q).zip(&mut by_v[..n]) {
                (*by_q, *by_v) = (-x[0], -x[1]);
            }
            for state in 0..states {
                by_v[n + state] = -self.inner_columns[state * (n + self.lambda.len()) + i];
            }
        }
        // Rates of states: what is left of ż = f.
        let inner = zdot.len() / self.states.max(1);
        for (state, slopes) in zdot.chunks_exact(inner.max(1)).take(states).enumerate() {
            let (by_q, by_v) = (&mut out.by_q[(n + state) * n..][..n], &mut out.by_v[(n + state) * all..][..all]);
            by_q.iter_mut().zip(&slopes[..n]).for_each(|(own, slope)| *own = -slope);
            by_v[..n].iter_mut().zip(&slopes[n..2 * n]).for_each(|(own, slope)| *own = -slope);
            by_v[n..].iter_mut().zip(&slopes[2 * n + 1..]).for_each(|(own, slope)| *own = -slope);
        }
        (self.zdot, self.row_by_t) = (zdot, by_t);
        out.by_a.fill(0.0);
        for i in 0..n {
            for (e, &j) in self.tree.path[self.tree.start[i]..self.tree.start[i + 1]].iter().enumerate() {
                let mass = self.mass[self.tree.start[i] + e];
                out.by_a[i * all + j] = mass;
                out.by_a[j * all + i] = mass;
            }
        }
        (n..all).for_each(|k| out.by_a[k * all + k] = 1.0);
        out.G.copy_from_slice(&self.row_position);
    }
}

/// Whether no path and no contact acts between branches: of all its bodies each carries the next, as a foot and the ground.
fn loads_stay_on_branches(system: &System) -> bool {
    let System { skeleton, numbers, .. } = system;
    let above = |a: usize, mut b: usize| {
        while b > a {
            b = skeleton.parent[b] as usize;
        }
        a == b
    };
    // Bodies come after those that carry them.
    let one_branch = |bodies: &mut dyn Iterator<Item = usize>| {
        let list: Vec<usize> = bodies.collect();
        let tip = list.iter().copied().max().unwrap_or(0);
        list.iter().all(|body| above(*body, tip))
    };
    let paths = &numbers.paths;
    paths
        .list
        .iter()
        .all(|stops| one_branch(&mut stops.iter().flat_map(|stop| paths.bodies(stop, &numbers.place_body, &skeleton.dof_body))))
        && (0..numbers.contacts.pairs.len()).all(|pair| one_branch(&mut numbers.contacts.bodies(pair, &numbers.place_body).into_iter()))
}
