//! Natural coordinates: a point and unit vectors of every body, no angle among them, with a constant mass matrix.
//! Not here: kinematics, forces, rows of loops and guides (`sight`), which all formulations share; solving with multipliers (`held_bodies`).
//! In: a `System` and a state in joint coordinates. Out: an `Evaluation`, with reactions straight from the multipliers.
//!
//! A body's coordinates q_b are its joint origin r and three orthonormal vectors x_k fixed in it (in the plane one; its second follows).
//! Any of its points is r + Σ c_k x_k with constant c, so that
//!
//!     M q̈ − Φ_qᵀ λ = Q        Φ_q q̈ = γ                                                               (1)
//!
//! has a constant M and no inertial force of velocity on the right: all of that is in γ. Φ holds the rigidity of each body, its joint,
//! and loops and guides. Cost: linear in bodies, plus a dense system for the rows of loops and guides.
//!
//! M alone would let bodies change their shape, and is singular where the mass of a body lies in a plane. So the elimination adds every
//! body's rows to its block (`block_tree`): near singular loops this was worth a factor of 30 in accelerations.
//!
//! | file | what |
//! | --- | --- |
//! | `basics` | point and vectors of a body: loads, moments, mass matrix |
//! | `rows` | rows of rigidity and of joints |
//!
//! Source: García de Jalón & Bayo 1994, Kinematic and Dynamic Simulation of Multibody Systems, ch. 2 and 4. Tests: the oracle, peers,
//! closed forms; the mass matrix at random states.

mod basics;
mod rows;

#[cfg(test)]
mod tests;

use super::{Declined, Evaluation, Failure, Formulation, Input, check_input, check_shape};
use crate::block_tree::BodyRows;
use crate::constraint::RowControl;
use crate::frames::Frames;
use crate::held_bodies::{HeldBodies, Joint, Unknowns};
use crate::system::{Motion, System};
use basics::{Basics, Moments};
use borelli_math::Vec3;
use rows::{Tie, push_tie, rigid, rigidity};

/// Makes the formulation for a system, with the planar or the spatial blocks. It takes every model of rigid bodies.
pub fn build(system: &System) -> Result<Box<dyn Formulation>, Declined> {
    super::decline_soft(system)?;
    Ok(if system.skeleton.planar { Box::new(Natural::<4>::new(system)) } else { Box::new(Natural::<12>::new(system)) })
}

/// The formulation with its memory; D coordinates per body: 4 in the plane, 12 in space.
pub struct Natural<const D: usize> {
    bodies: Bodies,
    held: HeldBodies<D>,
}

/// Bodies in natural coordinates.
struct Bodies {
    /// Rows of each body's joint.
    ties: Vec<Vec<Tie>>,
    /// Axes that they were derived from, and what else turns bodies where the system starts, bit by bit.
    axes: Vec<[u64; 3]>,
    turned: Vec<[u64; 3]>,
    still: Vec<f64>,
    /// Coordinates and rates at the last state.
    basics: Vec<Basics>,
}

impl<const D: usize> Natural<D> {
    /// Memory for a system; D must be 4 for planar kernels and 12 for spatial ones.
    pub fn new(system: &System) -> Self {
        let skeleton = &system.skeleton;
        let (n, dofs) = (skeleton.parent.len(), skeleton.dofs());
        let bodies = Bodies {
            ties: vec![Vec::new(); n],
            axes: Vec::new(),
            turned: Vec::new(),
            still: vec![0.0; dofs],
            basics: vec![Basics::WORLD; n],
        };
        let mut natural = Natural { bodies, held: HeldBodies::new::<Bodies>(system, vec![true; n]) };
        natural.fill_ties(system);
        natural
    }

    /// Makes the rows of joints anew where axes are others than before.
    #[inline]
    fn measure(&mut self, system: &System) {
        let (bodies, c) = (&self.bodies, &system.numbers.tree);
        let same = bodies.axes.iter().zip(&c.axis).all(|(known, axis)| *known == bits(axis));
        let plain = c.fixed.is_empty() && c.curves.is_empty();
        if !(same && (plain || turned(system).eq(bodies.turned.iter().copied()))) {
            self.fill_ties(system);
        }
    }

    #[cold]
    fn fill_ties(&mut self, system: &System) {
        let (bodies, c) = (&mut self.bodies, &system.numbers.tree);
        bodies.axes.clear();
        bodies.axes.extend(c.axis.iter().map(bits));
        bodies.turned.clear();
        bodies.turned.extend(turned(system));
        let frames = &mut self.held.sight.frames;
        frames.fill::<f64, false>(&system.skeleton, c, &system.start.q, &bodies.still, &[]);
        for (b, ties) in bodies.ties.iter_mut().enumerate() {
            rows::fill_ties::<D>(&system.skeleton, b, frames, ties);
        }
    }

    /// The coordinates at the last state, with their names: `BODY.point.x`, and `BODY.vector1.x` of a unit vector. There are no others.
    pub fn coordinates(&self, system: &System) -> Vec<(String, f64)> {
        let kinds: &[(&str, &str)] = if D == 4 {
            &[("point", "xy"), ("vector1", "xy")]
        } else {
            &[("point", "xyz"), ("vector1", "xyz"), ("vector2", "xyz"), ("vector3", "xyz")]
        };
        let mut list = Vec::new();
        for (name, basics) in system.names.bodies.iter().zip(&self.bodies.basics).skip(1) {
            for ((kind, axes), value) in kinds.iter().zip([basics.r, basics.x.x, basics.x.y, basics.x.z]) {
                list.extend(axes.chars().zip(value.to_array()).map(|(axis, x)| (format!("{name}.{kind}.{axis}"), x)));
            }
        }
        list
    }

    /// Natural coordinates and their rates, applied loads, and rows of loops and guides.
    fn look(&mut self, system: &System, input: &Input) {
        self.held.look(system, input);
        let frames = &self.held.sight.frames;
        for (b, basics) in self.bodies.basics.iter_mut().enumerate().skip(1) {
            *basics = Basics::new(frames.p[b], frames.R[b], frames.v[b], frames.w[b]);
        }
    }

    /// Mass matrices and forces of all bodies; energies and momenta on the way.
    fn set_up_bodies(&mut self, system: &System, out: &mut Evaluation) {
        let c = &system.numbers.tree;
        let gravity = c.gravity;
        let loads = &self.held.sight.loads;
        out.begin(loads);
        for b in 1..self.bodies.basics.len() {
            let (moments, basics) = (Moments::new(D == 4, c.mass[b], c.mc_B[b], &c.I_Bo_B[b]), &self.bodies.basics[b]);
            self.held.tree.mass[b] = moments.matrix();
            let mut force = basics.on_load(Vec3::ZERO, loads.force[b], loads.moment[b]);
            // Weight is the first column of the mass matrix, times gravity: on the point, and on each vector by the first moment.
            let weight: [f64; D] = Basics::on_vector(moments.first, gravity);
            let on_point: [f64; D] = Basics::on_point(Vec3::ZERO, gravity.scale(moments.mass));
            for k in 0..D {
                force[k] += weight[k] + on_point[k];
            }
            self.held.tree.wrench[b] = force;

            let (energy, momentum, angular_momentum) = moments.motion(basics);
            out.kinetic_energy += energy;
            out.gravity_energy -= gravity.dot(basics.r.scale(moments.mass) + basics.x * moments.first);
            out.momentum += momentum;
            out.angular_momentum += angular_momentum;
        }
    }
}

#[inline(always)]
fn bits(v: &Vec3<f64>) -> [u64; 3] {
    [v.x, v.y, v.z].map(f64::to_bits)
}

/// What turns bodies beside axes of degrees of freedom where a system starts: constant rotations, axes and angles of curves.
fn turned(system: &System) -> impl Iterator<Item = [u64; 3]> {
    let c = &system.numbers.tree;
    let fixed = c.fixed.iter().flat_map(|R| [bits(&R.x), bits(&R.y), bits(&R.z)]);
    let curve = |motion: &Motion| match *motion {
        Motion::Function { slot, coord, .. } => Some((&c.curves[slot as usize], system.start.q[coord as usize])),
        _ => None,
    };
    let turns = system
        .skeleton
        .motions
        .iter()
        .filter_map(curve)
        .flat_map(|(curve, at)| curve.turns.iter().flat_map(move |(axis, angle)| [bits(axis), [angle.eval(at)[0].to_bits(), 0, 0]]));
    fixed.chain(turns)
}

impl<const D: usize> Unknowns<D> for Bodies {
    const OWN_ROWS: usize = rigid::<D>();

    #[inline(always)]
    fn own_rows(&self, body: usize) -> BodyRows<D> {
        rigidity(&self.basics[body])
    }

    #[inline(always)]
    fn push_joint_rows(&self, joint: &Joint, _: &Frames<f64>, rows: &mut BodyRows<D>) {
        let (basics, parent) = (&self.basics[joint.body], &self.basics[joint.parent]);
        for tie in &self.ties[joint.body] {
            push_tie(rows, tie, basics, parent, joint.origin_P);
        }
    }

    #[inline(always)]
    fn on_load(&self, body: usize, offset: Vec3<f64>, force: Vec3<f64>, moment: Vec3<f64>) -> [f64; D] {
        self.basics[body].on_load(offset, force, moment)
    }

    #[inline(always)]
    fn read(&self, body: usize, offset: Vec3<f64>, acceleration: &[f64; D]) -> (Vec3<f64>, Vec3<f64>) {
        self.basics[body].read(offset, acceleration)
    }

    /// None: second derivatives of points and vectors are those of material points.
    #[inline(always)]
    fn velocity_part(&self, _: usize, _: Vec3<f64>, _: Vec3<f64>) -> Vec3<f64> {
        Vec3::ZERO
    }

    #[inline(always)]
    fn wrench(&self, body: usize, on_unknowns: &[f64; D]) -> (Vec3<f64>, Vec3<f64>) {
        self.basics[body].wrench(on_unknowns)
    }
}

impl<const D: usize> Formulation for Natural<D> {
    fn evaluate(&mut self, system: &System, input: Input, out: &mut Evaluation) -> Result<(), Failure> {
        check_shape(&self.held.skeleton, system)?;
        check_input(system, &input)?;
        self.measure(system);
        self.look(system, &input);
        self.set_up_bodies(system, out);
        let solved = self.held.solve(system, &self.bodies, &input, out);
        solved.map_err(|body| Failure::of_joint(system, body, self.held.sight.loads.unfound()))
    }

    fn set_row_control(&mut self, control: &RowControl) {
        self.held.sight.set_control(control);
    }
}
