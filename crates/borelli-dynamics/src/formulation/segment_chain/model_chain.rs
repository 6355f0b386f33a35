//! A model seen as a chain of segments: its state as a posture, its forces as external loads, its loops and guides as ties.
//! Not here: the walk that makes a chain of a tree (`tour`), solving (`problem`).
//! In: a system and a state in joint coordinates. Out: values of known variables; from all values an `Evaluation`.

use super::super::{Evaluation, Failure, Input, check_input, check_shape};
use super::choice::{Row, Setup};
use super::equations::{Plane, Posture, cross};
use super::problem::{Problem, Tie};
use super::tour::{Hold, Tour};
use super::variables::Direction::{X, Y};
use super::variables::{Layout, Variable};
use crate::constraint::RowControl;
use crate::scene::Unfound;
use crate::sight::Sight;
use crate::system::{Measure, Skeleton, System};
use borelli_math::Vec3;
use std::sync::Arc;

/// Where a row of a loop or guide acts: places in the seats of its tie.
#[derive(Clone, Debug)]
struct Seating {
    /// Its two bodies.
    on: [u32; 2],
    /// Of its two bodies; nothing for the world.
    bodies: [Option<usize>; 2],
    /// Of its degrees of freedom, in the order of `Rows::on_dofs`: child and parent.
    dofs: Vec<(u32, [Option<usize>; 2])>,
}

/// A model as a chain, with memory.
pub(super) struct ModelChain {
    skeleton: Arc<Skeleton>,
    tour: Tour,
    seatings: Vec<Seating>,
    /// Ties before those of loops and guides: pins of the root, parts that turn together.
    own_ties: Vec<Tie>,
    sight: Sight<f64>,
    posture: Posture,
    /// Mass centre of each visit from its body's kernel origin, world axes.
    center: Vec<Plane>,
    no_rights: Vec<f64>,
}

fn flat(v: Vec3<f64>) -> Plane {
    [v.x, v.y]
}

fn space(v: Plane) -> Vec3<f64> {
    Vec3 { x: v[0], y: v[1], z: 0.0 }
}

impl ModelChain {
    pub(super) fn new(system: &System, tour: Tour) -> Self {
        let n = tour.visits.len();
        let mut chain = ModelChain {
            skeleton: system.skeleton.clone(),
            seatings: Vec::new(),
            own_ties: Vec::new(),
            sight: Sight::new(system),
            posture: Posture::straight(n),
            center: vec![[0.0; 2]; n],
            no_rights: Vec::new(),
            tour,
        };
        chain.no_rights = vec![0.0; chain.forward(system).rows.len()];
        chain.own_ties = chain.make_own_ties(system);
        // Which bodies rows act on is the same at every state; the start is as good as any.
        let nothing = vec![0.0; system.skeleton.dofs()];
        chain.see(system, &Input { t: 0.0, q: &system.start.q, v: &nothing, tau: &nothing, ..Input::default() }, &[]);
        chain.seatings = chain.make_seatings(system).into_iter().map(|(seating, _)| seating).collect();
        chain
    }

    pub(super) fn root(&self) -> usize {
        self.tour.root
    }

    pub(super) fn posture(&self) -> &Posture {
        &self.posture
    }

    /// Zero for each row of [`ModelChain::forward`].
    pub(super) fn no_rights(&self) -> &[f64] {
        &self.no_rights
    }

    /// What could not be found at the last state, if anything.
    pub(super) fn unfound(&self) -> Option<Unfound> {
        self.sight.loads.unfound()
    }

    pub(super) fn set_row_control(&mut self, control: &RowControl) {
        self.sight.set_control(control);
    }

    /// Motion from forces; a weld is a hinge whose moment keeps both sides turning together.
    pub(super) fn forward(&self, system: &System) -> Setup {
        let mut setup = self.bare();
        setup.forward(self.tour.is_based_on_world());
        self.add_welds(system, &mut setup);
        setup
    }

    /// Nothing unknown yet.
    pub(super) fn bare(&self) -> Setup {
        let setup = Setup::new(self.tour.segments.clone());
        // The walk has named every segment and joint.
        setup.clone().named(self.tour.labels.clone()).unwrap_or(setup)
    }

    /// Name of the joint that holds the base to the world, where no coordinate carries it.
    pub(super) fn base_joint(&self) -> Option<&str> {
        self.tour.is_based_on_world().then(|| self.tour.labels.joints[0].as_str())
    }

    /// A weld whose two sides turn differently in these values, and by how much.
    pub(super) fn bent_weld<'s>(&self, system: &'s System, values: &[f64]) -> Option<(&'s str, f64)> {
        let layout = Layout { segments: self.tour.visits.len() };
        let turn = |k: usize| values[layout.index(Variable::AngularAcceleration(k))];
        for (k, link) in self.tour.links.iter().enumerate() {
            if let Some(link) = link.filter(|link| self.tour.holds[link.child] == Hold::Weld) {
                let (later, earlier) = (turn(k), turn(k - 1));
                if !((later - earlier).abs() <= 1e-9 * (later.abs() + earlier.abs())) {
                    return Some((&system.names.joints[link.child], later - earlier));
                }
            }
        }
        None
    }

    /// Adds the rows of welds; their moments become unknown.
    pub(super) fn add_welds(&self, system: &System, setup: &mut Setup) {
        let tour = &self.tour;
        if tour.is_based_on_world() && tour.holds[tour.root] == Hold::Weld {
            setup.add_row(Row::segment(format!("weld `{}`", tour.labels.joints[0]), 0)).free([Variable::JointMoment(0)]);
        }
        for (k, link) in tour.links.iter().enumerate() {
            if let Some(link) = link.filter(|link| link.outward && tour.holds[link.child] == Hold::Weld) {
                let name = format!("weld `{}`", system.names.joints[link.child]);
                setup.add_row(Row::relative(name, k, k - 1)).free([Variable::JointMoment(k)]);
            }
        }
    }

    /// Ties of the chain itself, and of loops and guides where they are kept.
    pub(super) fn ties(&self, system: &System, rows: bool) -> Vec<Tie> {
        let mut ties = self.own_ties.clone();
        if rows {
            ties.extend(self.make_seatings(system).into_iter().map(|(_, tie)| tie));
        }
        ties
    }

    /// Pins of a root that is not the base, and parts of one body that turn together.
    fn make_own_ties(&self, system: &System) -> Vec<Tie> {
        let tour = &self.tour;
        let mut ties = Vec::new();
        let hold = tour.holds[tour.root];
        if !tour.is_based_on_world() && hold != Hold::Floating {
            let (joint, seat) = (&system.names.joints[tour.root], tour.first[tour.root]);
            for (letter, wrench) in [("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0])] {
                ties.push(Tie {
                    name: format!("joint `{joint}` along {letter}"),
                    seats: vec![seat],
                    translates: true,
                    wrench: vec![wrench],
                    rest: 0.0,
                });
            }
            if hold == Hold::Weld {
                let name = format!("joint `{joint}`, angle");
                ties.push(Tie { name, seats: vec![seat], translates: false, wrench: vec![[0.0, 0.0, 1.0]], rest: 0.0 });
            }
        }
        for &(first, later) in &tour.repeats {
            let name = format!("parts of `{}` turning together", tour.labels.segments[first]);
            let wrench = vec![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
            ties.push(Tie { name, seats: vec![first, later], translates: false, wrench, rest: 0.0 });
        }
        ties
    }

    /// Where rows of loops and guides act, after a look at any state.
    fn make_seatings(&self, system: &System) -> Vec<(Seating, Tie)> {
        let (skeleton, names) = (&system.skeleton, &system.names);
        let mut list = Vec::new();
        for (i, name) in names.rows.iter().enumerate() {
            let mut seats: Vec<usize> = Vec::new();
            let mut seat_of = |body: usize| -> Option<usize> {
                if body == 0 {
                    return None;
                }
                let seat = self.tour.first[body];
                Some(seats.iter().position(|known| *known == seat).unwrap_or_else(|| {
                    seats.push(seat);
                    seats.len() - 1
                }))
            };
            let bodies = self.sight.rows.body[i].map(|body| seat_of(body as usize));
            let mut translates = name.measure == Measure::Length;
            let mut dofs = Vec::new();
            for &(_, dof, _) in self.sight.rows.on_dofs.iter().filter(|(row, ..)| *row as usize == i) {
                let child = skeleton.dof_body[dof as usize] as usize;
                translates |= names.speeds[dof as usize].measure == Measure::Length;
                dofs.push((dof, [seat_of(child), seat_of(skeleton.parent[child] as usize)]));
            }
            let wrench = vec![[0.0; 3]; seats.len()];
            list.push((
                Seating { on: self.sight.rows.body[i], bodies, dofs },
                Tie { name: format!("`{}`", name.path()), seats, translates, wrench, rest: 0.0 },
            ));
        }
        list
    }

    /// Looks at a state of a system and prepares a problem for it; with accelerations `vdot`, or none.
    pub(super) fn look(&mut self, system: &System, input: &Input, vdot: &[f64], problem: &mut Problem) -> Result<(), Failure> {
        check_shape(&self.skeleton, system)?;
        check_input(system, input)?;
        if self.tour.measure(&system.numbers.tree) {
            problem.set_segments(&self.tour.segments);
        }
        self.see(system, input, vdot);
        if !self.is_seated() {
            return Err(Failure::OtherShape);
        }
        self.fill_ties(problem);
        Ok(())
    }

    /// Whether rows act where they did when the ties were made.
    fn is_seated(&self) -> bool {
        let rows = &self.sight.rows;
        let dofs = self.seatings.iter().flat_map(|seating| &seating.dofs);
        self.seatings.iter().zip(&rows.body).all(|(seating, body)| seating.on == *body)
            && dofs.map(|(dof, _)| *dof).eq(rows.on_dofs.iter().map(|(_, dof, _)| *dof))
    }

    /// Kinematics, loads and rows at a state.
    fn see(&mut self, system: &System, input: &Input, vdot: &[f64]) {
        self.sight.look(system, input.t, input.q, input.v, input.inside, vdot);
        for (k, visit) in self.tour.visits.iter().enumerate() {
            let x = flat(self.sight.frames.R[visit.body].x);
            self.posture.cos[k] = x[0] * visit.turn[0] - x[1] * visit.turn[1];
            self.posture.sin[k] = x[1] * visit.turn[0] + x[0] * visit.turn[1];
            self.posture.rate[k] = self.sight.frames.w[visit.body].z;
            self.center[k] = self.turned(visit.body, visit.center);
        }
    }

    /// A vector of a body's kernel frame in world axes.
    #[inline(always)]
    fn turned(&self, body: usize, v: Plane) -> Plane {
        let x = flat(self.sight.frames.R[body].x);
        [x[0] * v[0] - x[1] * v[1], x[1] * v[0] + x[0] * v[1]]
    }

    /// Acceleration of a point at `arm` from the kernel origin, for the accelerations of the last look.
    #[inline(always)]
    fn acceleration(&self, body: usize, arm: Plane) -> Plane {
        let (a, w, al) =
            (flat(self.sight.frames.a[body] - self.sight.frames.a[0]), self.sight.frames.w[body].z, self.sight.frames.al[body].z);
        [a[0] - al * arm[1] - w * w * arm[0], a[1] + al * arm[0] - w * w * arm[1]]
    }

    /// Known variables: weight and loads as external forces, efforts as moments at joints, accelerations of the last look. Supports are zero.
    pub(super) fn fill_values(&self, system: &System, input: &Input, values: &mut [f64]) {
        let (layout, tour) = (Layout { segments: self.tour.visits.len() }, &self.tour);
        let gravity = flat(system.numbers.tree.gravity);
        values.fill(0.0);
        for (k, visit) in tour.visits.iter().enumerate() {
            let mass = tour.segments[k].mass;
            let (mut force, mut moment) = ([mass * gravity[0], mass * gravity[1]], 0.0);
            if tour.first[visit.body] == k {
                let load = flat(self.sight.loads.force[visit.body]);
                force = [force[0] + load[0], force[1] + load[1]];
                moment = self.sight.loads.moment[visit.body].z - cross(self.center[k], load);
            }
            values[layout.index(Variable::Force(k, X))] = force[0];
            values[layout.index(Variable::Force(k, Y))] = force[1];
            values[layout.index(Variable::Moment(k))] = moment;
            values[layout.index(Variable::AngularAcceleration(k))] = self.sight.frames.al[visit.body].z;
        }
        let base = &tour.visits[0];
        let acceleration = self.acceleration(base.body, self.turned(base.body, base.proximal));
        values[layout.index(Variable::BaseAcceleration(X))] = acceleration[0];
        values[layout.index(Variable::BaseAcceleration(Y))] = acceleration[1];

        for (k, link) in tour.links.iter().enumerate() {
            if let Some(link) = link.filter(|link| link.outward && tour.holds[link.child] == Hold::Hinge) {
                values[layout.index(Variable::JointMoment(k))] = link.sign * self.effort(system, input, link.child);
            }
        }
        let (seat, root) = (tour.first[tour.root], tour.root);
        match tour.holds[root] {
            Hold::Weld => {}
            Hold::Hinge if tour.is_based_on_world() => values[layout.index(Variable::JointMoment(0))] = self.effort(system, input, root),
            Hold::Hinge => values[layout.index(Variable::Moment(seat))] += self.effort(system, input, root),
            Hold::Floating => {
                for dof in system.skeleton.dofs_of(root) {
                    let effort = input.tau[dof] + self.sight.loads.tau[dof];
                    let force = flat(self.sight.frames.s_lin[dof]).map(|x| x * effort);
                    values[layout.index(Variable::Force(seat, X))] += force[0];
                    values[layout.index(Variable::Force(seat, Y))] += force[1];
                    values[layout.index(Variable::Moment(seat))] +=
                        self.sight.frames.s_ang[dof].z * effort - cross(self.center[seat], force);
                }
            }
        }
    }

    /// Effort of a hinge on its child.
    fn effort(&self, system: &System, input: &Input, child: usize) -> f64 {
        let dof = system.skeleton.dof_start[child] as usize;
        self.sight.frames.s_ang[dof].z * (input.tau[dof] + self.sight.loads.tau[dof])
    }

    /// Wrenches and rests of all ties, for accelerations without v̇.
    ///
    /// `Rows::acceleration` is Φ̈ for the accelerations that `frames` holds; the product of the wrench with them is taken off.
    fn fill_ties(&self, problem: &mut Problem) {
        let tour = &self.tour;
        let (own, others) = problem.ties.split_at_mut(self.own_ties.len());
        // Pins hold the root's kernel origin: the force there, seen from the mass centre, and no acceleration.
        let (seat, root) = (tour.first[tour.root], tour.root);
        for tie in own.iter_mut().filter(|tie| tie.translates) {
            let (center, rate) = (self.center[seat], self.posture.rate[seat]);
            let force = [tie.wrench[0][0], tie.wrench[0][1]];
            tie.wrench[0][2] = -cross(center, force);
            // f·a of the origin = f·a_center + m φ̈ + ω² f·center.
            tie.rest = rate * rate * (force[0] * center[0] + force[1] * center[1]);
            debug_assert_eq!(tour.visits[seat].body, root);
        }
        let mut entry = 0;
        for (i, (tie, seating)) in others.iter_mut().zip(&self.seatings).enumerate() {
            tie.wrench.fill([0.0; 3]);
            for side in 0..2 {
                if let Some(place) = seating.bodies[side] {
                    self.add_wrench(tie, place, flat(self.sight.rows.force[i][side]), self.sight.rows.moment[i][side].z);
                }
            }
            for (dof, places) in &seating.dofs {
                let (dof, coefficient) = (*dof as usize, self.sight.rows.on_dofs[entry].2);
                entry += 1;
                let (force, moment) =
                    (flat(self.sight.frames.s_lin[dof]).map(|x| x * coefficient), self.sight.frames.s_ang[dof].z * coefficient);
                let [child, parent] = places;
                if let Some(place) = *child {
                    self.add_wrench(tie, place, force, moment);
                }
                if let Some(place) = *parent {
                    self.add_wrench(tie, place, [0.0; 2], -moment);
                }
            }
            tie.rest = self.sight.rows.acceleration[i];
            for (seat, [fx, fy, m]) in tie.seats.iter().zip(&tie.wrench) {
                let body = tour.visits[*seat].body;
                let acceleration = self.acceleration(body, self.center[*seat]);
                tie.rest -= fx * acceleration[0] + fy * acceleration[1] + m * self.sight.frames.al[body].z;
            }
        }
    }

    /// Adds a wrench about the kernel origin, seen from the mass centre.
    #[inline(always)]
    fn add_wrench(&self, tie: &mut Tie, place: usize, force: Plane, moment: f64) {
        let center = self.center[tie.seats[place]];
        let own = &mut tie.wrench[place];
        own[0] += force[0];
        own[1] += force[1];
        own[2] += moment - cross(center, force);
    }

    /// Accelerations, reactions, forces of rows, energies and momenta from the values of all variables.
    pub(super) fn read_off(&self, system: &System, problem: &Problem, values: &[f64], out: &mut Evaluation) -> Result<(), Failure> {
        let (tour, layout) = (&self.tour, problem.layout());
        let value = |variable: Variable| values[layout.index(variable)];
        let own = self.own_ties.len();
        out.row_force.iter_mut().zip(problem.multipliers.get(own..).unwrap_or(&[])).for_each(|(force, multiplier)| *force = *multiplier);

        let turn = |body: usize| if body == 0 { 0.0 } else { value(Variable::AngularAcceleration(tour.first[body])) };
        for b in 1..system.skeleton.parent.len() {
            (out.reaction_force[b], out.reaction_moment[b]) = (Vec3::ZERO, Vec3::ZERO);
            let (relative, mut sum) = (turn(b) - turn(system.skeleton.parent[b] as usize), 0.0);
            for dof in system.skeleton.dofs_of(b) {
                // Each direction is of unit length, so that it is its own dual.
                out.vdot[dof] = self.sight.frames.s_ang[dof].z * relative;
                if tour.holds[b] == Hold::Floating {
                    out.vdot[dof] += self.sight.frames.s_lin[dof].dot(space(self.root_acceleration(values, layout)));
                }
                sum += out.vdot[dof];
            }
            if !f64::is_finite(sum) {
                return Err(Failure::of_joint(system, b, self.sight.loads.unfound()));
            }
        }
        for (k, link) in tour.links.iter().enumerate() {
            if let Some(link) = link {
                let force = [value(Variable::JointForce(k, X)), value(Variable::JointForce(k, Y))];
                out.reaction_force[link.child] += space(force).scale(link.sign);
                if tour.holds[link.child] == Hold::Weld {
                    out.reaction_moment[link.child].z += link.sign * value(Variable::JointMoment(k));
                }
            }
        }
        let root = tour.root;
        if tour.is_based_on_world() {
            out.reaction_force[root] = space([value(Variable::JointForce(0, X)), value(Variable::JointForce(0, Y))]);
            if tour.holds[root] == Hold::Weld {
                out.reaction_moment[root].z = value(Variable::JointMoment(0));
            }
        } else {
            let of_root = self.own_ties.iter().zip(&problem.multipliers).filter(|(tie, _)| tie.seats.len() == 1);
            for (tie, multiplier) in of_root {
                let [fx, fy, m] = tie.wrench[0];
                out.reaction_force[root] += space([fx * multiplier, fy * multiplier]);
                if !tie.translates {
                    out.reaction_moment[root].z += m * multiplier;
                }
            }
        }
        self.fill_energies(system, out);
        Ok(())
    }

    /// Acceleration of the root's kernel origin along the chain from the base.
    fn root_acceleration(&self, values: &[f64], layout: Layout) -> Plane {
        let value = |variable: Variable| values[layout.index(variable)];
        let mut a = [value(Variable::BaseAcceleration(X)), value(Variable::BaseAcceleration(Y))];
        let mut step = |k: usize, arm: Plane| {
            let (turn, rate) = (value(Variable::AngularAcceleration(k)), self.posture.rate[k]);
            a = [a[0] - turn * arm[1] - rate * rate * arm[0], a[1] + turn * arm[0] - rate * rate * arm[1]];
        };
        let seat = self.tour.first[self.tour.root];
        for k in 0..seat {
            let length = self.tour.segments[k].length;
            step(k, [length * self.posture.cos[k], length * self.posture.sin[k]]);
        }
        step(seat, self.turned(self.tour.root, self.tour.visits[seat].proximal).map(|x| -x));
        a
    }

    /// Energies and momenta, segment by segment about mass centres.
    fn fill_energies(&self, system: &System, out: &mut Evaluation) {
        let gravity = flat(system.numbers.tree.gravity);
        out.begin(&self.sight.loads);
        let (mut momentum, mut spin) = ([0.0; 2], 0.0);
        for (k, visit) in self.tour.visits.iter().enumerate() {
            let (segment, arm, rate) = (&self.tour.segments[k], self.center[k], self.posture.rate[k]);
            let (p, v) = (flat(self.sight.frames.p[visit.body]), flat(self.sight.frames.v[visit.body]));
            let (p, v) = ([p[0] + arm[0], p[1] + arm[1]], [v[0] - rate * arm[1], v[1] + rate * arm[0]]);
            let own = v.map(|v| segment.mass * v);
            out.kinetic_energy += 0.5 * (own[0] * v[0] + own[1] * v[1] + segment.inertia * rate * rate);
            out.gravity_energy -= segment.mass * (gravity[0] * p[0] + gravity[1] * p[1]);
            momentum = [momentum[0] + own[0], momentum[1] + own[1]];
            spin += segment.inertia * rate + cross(p, own);
        }
        out.momentum = space(momentum);
        out.angular_momentum = Vec3 { x: 0.0, y: 0.0, z: spin };
    }

    /// Power of all forces and moments but weight:
    ///
    ///     P = Σ (Fext_i − m_i g + Fs_i)·v_i + (Mext_i + Ms_i) ω_i + (M_i + Mj_i)(ω_i − ω_{i−1}) + Fj_i·u_i
    ///         + Fr_1·u_1 − Fr_{n+1}·u_{n+1} − M_{n+1} ω_n                                             (1)
    ///
    /// with v of mass centres, u of joints and ω_0 = 0. Forces between segments have none.
    pub(super) fn power(&self, system: &System, values: &[f64]) -> f64 {
        let (tour, n) = (&self.tour, self.tour.visits.len());
        let (layout, gravity) = (Layout { segments: n }, flat(system.numbers.tree.gravity));
        let value = |variable: Variable| values[layout.index(variable)];
        let (mut power, mut before) = (0.0, 0.0);
        for (k, visit) in tour.visits.iter().enumerate() {
            let (mass, rate, v) = (tour.segments[k].mass, self.posture.rate[k], flat(self.sight.frames.v[visit.body]));
            let moving = |arm: Plane| [v[0] - rate * arm[1], v[1] + rate * arm[0]];
            let (center, joint) = (moving(self.center[k]), self.turned(visit.body, visit.proximal));
            for (d, axis) in [X, Y].into_iter().enumerate() {
                power += (value(Variable::Force(k, axis)) - mass * gravity[d] + value(Variable::Support(k, axis))) * center[d];
                let at_joint = value(Variable::JointSupport(k, axis)) + if k == 0 { value(Variable::JointForce(0, axis)) } else { 0.0 };
                power += at_joint * moving(joint)[d];
            }
            power += (value(Variable::Moment(k)) + value(Variable::SupportMoment(k))) * rate;
            power += (value(Variable::JointMoment(k)) + value(Variable::JointSupportMoment(k))) * (rate - before);
            before = rate;
            if k + 1 == n {
                let length = tour.segments[k].length;
                let end = moving([joint[0] + length * self.posture.cos[k], joint[1] + length * self.posture.sin[k]]);
                power -= value(Variable::JointForce(n, X)) * end[0] + value(Variable::JointForce(n, Y)) * end[1];
                power -= value(Variable::JointMoment(n)) * rate;
            }
        }
        power
    }
}
