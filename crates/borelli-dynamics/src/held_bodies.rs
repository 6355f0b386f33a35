//! Bodies held together by a multiplier for every row of every joint, loop and guide: from a state to accelerations and reactions.
//! Not here: what the unknowns of a body are, its mass and its rows (`Unknowns`, given by the formulation); elimination (`block_tree`).
//! In: a system, a state, mass blocks and wrenches of bodies, `Unknowns`. Out: accelerations of coordinates, reactions, forces of rows.
//!
//! The acceleration of a material point and the angular acceleration of its body are linear in the body's D unknowns A but for a part β'
//! of the velocities: a = read(A) + β'. The joint of body b (`joint_motion`) then asks of the unknowns of both sides, at its origin, that
//!
//!     read(A_b) − read(A_P) = Σ S_j v̇_j + σ        σ = β − β'_b + β'_P                                (1)
//!
//! and dual directions give v̇ from it. By the same duals efforts act on the unknowns, and so do rows of guides on coordinates.
//!
//! Tests: the oracle and `articulated` for each who gives `Unknowns`; `a_row_on_coordinates_is_held_by_efforts_on_them`.

use crate::block_tree::{BodyRows, Border, Tree};
use crate::evaluation::{Evaluation, Input};
use crate::frames::Frames;
use crate::joint_motion::{self, Shape, across_screw, is_screw};
use crate::row_system::{CORRECTIONS, RowStructure};
use crate::sight::Sight;
use crate::system::{Constants, Skeleton, System};
use borelli_math::Vec3;
use std::sync::Arc;

/// What the D unknowns of each body mean. `offset` is a material point of the body: from its kernel origin, world axes, m.
pub(crate) trait Unknowns<const D: usize> {
    /// Rows that hold the body itself together; they come before those of its joint.
    const OWN_ROWS: usize;

    /// Those rows.
    fn own_rows(&self, body: usize) -> BodyRows<D>;

    /// Adds the rows of a joint that is no screw.
    fn push_joint_rows(&self, joint: &Joint, frames: &Frames<f64>, rows: &mut BodyRows<D>);

    /// What a force at a point and a moment are on the unknowns.
    fn on_load(&self, body: usize, offset: Vec3<f64>, force: Vec3<f64>, moment: Vec3<f64>) -> [f64; D];

    /// Acceleration of a point but for β', and angular acceleration.
    fn read(&self, body: usize, offset: Vec3<f64>, acceleration: &[f64; D]) -> (Vec3<f64>, Vec3<f64>);

    /// β' of a point, for the body's angular velocity.
    fn velocity_part(&self, body: usize, offset: Vec3<f64>, w: Vec3<f64>) -> Vec3<f64>;

    /// Force, and moment about the kernel origin, of what rows of a joint exert on the unknowns.
    fn wrench(&self, body: usize, on_unknowns: &[f64; D]) -> (Vec3<f64>, Vec3<f64>);
}

/// A joint at the state.
pub(crate) struct Joint<'a> {
    pub body: usize,
    pub parent: usize,
    pub shape: &'a Shape,
    /// The joint's origin on the parent, in its kernel axes, m; the child may slide away from it.
    pub origin_P: Vec3<f64>,
    /// The child's kernel origin from the parent's, world axes, m.
    offset: Vec3<f64>,
    /// σ, linear and angular.
    site: [Vec3<f64>; 2],
}

impl Joint<'_> {
    /// Adds the row that holds the relative acceleration along a direction. Equation (1) times it.
    #[inline(always)]
    pub(crate) fn push<const D: usize>(&self, unknowns: &impl Unknowns<D>, rows: &mut BodyRows<D>, linear: Vec3<f64>, angular: Vec3<f64>) {
        let child = unknowns.on_load(self.body, Vec3::ZERO, linear, angular);
        let on_parent = unknowns.on_load(self.parent, self.offset, linear, angular);
        rows.push(child, on_parent, linear.dot(self.site[0]) + angular.dot(self.site[1]));
    }
}

/// Mass and moments of a body, to see whether they are those that others were derived from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct MomentBits([u64; 10]);

impl MomentBits {
    /// Of no body: all numbers are NaN.
    pub(crate) const NONE: Self = MomentBits([u64::MAX; 10]);

    #[inline(always)]
    pub(crate) fn of(c: &Constants<f64>, body: usize) -> Self {
        let (m, I) = (c.mc_B[body], &c.I_Bo_B[body]);
        MomentBits([c.mass[body], m.x, m.y, m.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz].map(f64::to_bits))
    }
}

/// Memory for bodies with D unknowns each.
pub(crate) struct HeldBodies<const D: usize> {
    pub skeleton: Arc<Skeleton>,
    shapes: Vec<Shape>,
    pub sight: Sight<f64>,
    /// σ of each joint, linear and angular.
    site: Vec<[Vec3<f64>; 2]>,
    /// Dual directions of degrees of freedom.
    dual_lin: Vec<Vec3<f64>>,
    dual_ang: Vec<Vec3<f64>>,
    /// Efforts on degrees of freedom, those of guides included.
    effort: Vec<f64>,
    pub tree: Tree<D>,
    pub border: Border<D>,
}

impl<const D: usize> HeldBodies<D> {
    /// Memory for a system; `thin` says of which bodies the rows are added to their block (`block_tree`).
    pub(crate) fn new<U: Unknowns<D>>(system: &System, thin: Vec<bool>) -> Self {
        let skeleton = &system.skeleton;
        let (n, dofs) = (skeleton.parent.len(), skeleton.dofs());
        let shapes: Vec<Shape> = (0..n).map(|b| Shape::of(skeleton, b)).collect();
        let dimension = if skeleton.planar { 3 } else { 6 };
        let rows = shapes.iter().map(|shape| U::OWN_ROWS + shape.rows(dimension)).collect();
        HeldBodies {
            skeleton: skeleton.clone(),
            shapes,
            sight: Sight::new(system),
            site: vec![[Vec3::ZERO; 2]; n],
            dual_lin: vec![Vec3::ZERO; dofs],
            dual_ang: vec![Vec3::ZERO; dofs],
            effort: vec![0.0; dofs],
            tree: Tree::new(&skeleton.parent, rows, thin),
            border: Border::new(RowStructure::new(system), n),
        }
    }

    /// Looks at a state; accelerations are not known yet.
    pub(crate) fn look(&mut self, system: &System, input: &Input) {
        self.sight.look(system, input.t, input.q, input.v, input.inside, &[]);
    }

    /// Solves at the state last looked at, with the tree's mass blocks and wrenches set. The body at whose joint numbers are not finite, if any.
    pub(crate) fn solve<U: Unknowns<D>>(
        &mut self,
        system: &System,
        unknowns: &U,
        input: &Input,
        out: &mut Evaluation,
    ) -> Result<(), usize> {
        self.set_up_joints(system, unknowns, input);
        self.tree.eliminate()?;
        if self.border.len() > 0 {
            self.set_up_border(system, unknowns);
            self.border.solve(&mut self.tree).map_err(|row| self.sight.rows.seat(&system.skeleton, row))?;
        }
        self.tree.substitute();
        if self.border.system.is_weak() {
            for _ in 0..CORRECTIONS {
                self.border.correct(&mut self.tree);
                self.tree.substitute();
            }
        }
        out.row_force.copy_from_slice(&self.border.multiplier);
        self.read_off(system, unknowns, out)
    }

    /// Rows of all bodies and joints; efforts of joints as forces on the unknowns.
    fn set_up_joints<U: Unknowns<D>>(&mut self, system: &System, unknowns: &U, input: &Input) {
        let (skeleton, c) = (&system.skeleton, &system.numbers.tree);
        let Sight { frames, loads, .. } = &self.sight;
        for dof in 0..self.effort.len() {
            self.effort[dof] = input.tau[dof] + loads.tau[dof];
        }
        for b in 1..skeleton.parent.len() {
            let (P, shape, offset) = (skeleton.parent[b] as usize, &self.shapes[b], frames.r[b]);
            let (linear, angular) = joint_motion::bias(shape, b, P, frames, c, input.q, input.v);
            let linear = linear - unknowns.velocity_part(b, Vec3::ZERO, frames.w[b]) + unknowns.velocity_part(P, offset, frames.w[P]);
            self.site[b] = [linear, angular];
            joint_motion::duals(shape, frames, &mut self.dual_lin, &mut self.dual_ang);

            let joint = Joint { body: b, parent: P, shape, origin_P: c.p_PF_P[b], offset, site: self.site[b] };
            let mut rows = unknowns.own_rows(b);
            if !is_screw(shape) {
                unknowns.push_joint_rows(&joint, frames, &mut rows);
            } else if skeleton.planar {
                across_screw::<3>(shape.first, frames, |linear, angular| joint.push(unknowns, &mut rows, linear, angular));
            } else {
                across_screw::<6>(shape.first, frames, |linear, angular| joint.push(unknowns, &mut rows, linear, angular));
            }
            self.tree.set_rows(b, &rows);

            let (mut force, mut moment) = (Vec3::ZERO, Vec3::ZERO);
            for dof in skeleton.dofs_of(b) {
                force += self.dual_lin[dof].scale(self.effort[dof]);
                moment += self.dual_ang[dof].scale(self.effort[dof]);
            }
            let (on_child, on_parent) = (unknowns.on_load(b, Vec3::ZERO, force, moment), unknowns.on_load(P, offset, force, moment));
            for k in 0..D {
                self.tree.wrench[b][k] += on_child[k];
                self.tree.wrench[P][k] -= on_parent[k];
            }
        }
    }

    /// Rows of loops and guides on the unknowns, and what their Φ̈ has beyond the product with accelerations.
    ///
    /// `Rows::acceleration` is Φ̈ for the accelerations that `frames` holds, those with v̇ = 0; the product with them is taken off.
    fn set_up_border<U: Unknowns<D>>(&mut self, system: &System, unknowns: &U) {
        let skeleton = &system.skeleton;
        let Sight { frames, rows, .. } = &self.sight;
        self.border.clear();
        self.border.system.fill_scale(skeleton, &system.numbers.tree, rows);
        for i in 0..self.border.len() {
            let mut rest = rows.acceleration[i];
            for side in 0..2 {
                let b = rows.body[i][side] as usize;
                if b == 0 {
                    continue;
                }
                let (force, moment) = (rows.force[i][side], rows.moment[i][side]);
                self.border.add(i, b, &unknowns.on_load(b, Vec3::ZERO, force, moment));
                let known = unknowns.velocity_part(b, Vec3::ZERO, frames.w[b]) - (frames.a[b] - frames.a[0]);
                rest += force.dot(known) - moment.dot(frames.al[b]);
            }
            self.border.multiplier[i] += rest;
        }
        for &(row, dof, coefficient) in &rows.on_dofs {
            let (row, dof) = (row as usize, dof as usize);
            let b = skeleton.dof_body[dof] as usize;
            let P = skeleton.parent[b] as usize;
            let (force, moment) = (self.dual_lin[dof].scale(coefficient), self.dual_ang[dof].scale(coefficient));
            self.border.add(row, b, &unknowns.on_load(b, Vec3::ZERO, force, moment));
            if P > 0 {
                self.border.add(row, P, &unknowns.on_load(P, frames.r[b], -force, -moment));
            }
            self.border.multiplier[row] -= force.dot(self.site[b][0]) + moment.dot(self.site[b][1]);
        }
    }

    /// Accelerations of coordinates and reactions from the unknowns and multipliers. The first joint with a number not finite, if any.
    fn read_off<U: Unknowns<D>>(&mut self, system: &System, unknowns: &U, out: &mut Evaluation) -> Result<(), usize> {
        let skeleton = &system.skeleton;
        let Sight { frames, rows, .. } = &self.sight;
        for &(row, dof, coefficient) in &rows.on_dofs {
            self.effort[dof as usize] += coefficient * self.border.multiplier[row as usize];
        }
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let (a, alpha) = unknowns.read(b, Vec3::ZERO, &self.tree.acceleration[b]);
            let (a_P, alpha_P) = unknowns.read(P, frames.r[b], &self.tree.acceleration[P]);
            let (linear, angular) = (a - a_P - self.site[b][0], alpha - alpha_P - self.site[b][1]);
            let mut sum = linear.dot(linear) + angular.dot(angular);
            for dof in skeleton.dofs_of(b) {
                out.vdot[dof] = self.dual_lin[dof].dot(linear) + self.dual_ang[dof].dot(angular);
                sum += out.vdot[dof];
            }
            let (mut force, mut moment) = unknowns.wrench(b, &self.tree.force_of_rows(b, U::OWN_ROWS));
            if is_screw(&self.shapes[b]) {
                // The effort was applied along the dual direction; reports count it as a pure moment or force.
                let dof = skeleton.dof_start[b] as usize;
                let (pure_force, pure_moment) = joint_motion::effort_of_screw(&self.shapes[b], frames);
                force += (self.dual_lin[dof] - pure_force).scale(self.effort[dof]);
                moment += (self.dual_ang[dof] - pure_moment).scale(self.effort[dof]);
            }
            (out.reaction_force[b], out.reaction_moment[b]) = (force, moment);
            if !sum.is_finite() {
                return Err(b);
            }
        }
        Ok(())
    }
}
