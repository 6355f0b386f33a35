//! What all constraints together do to each body: joints of the tree, loops and guides.
//! Not here: how a formulation found its reactions.
//! In: an evaluation at a state. Out: a force and a moment on each body, which stay determined where single reactions are not.
//!
//! For body b with its joint's reaction (n, f) about its kernel origin, children c at r_c, and rows i with multiplier λ:
//!
//!     F_b = f_b − Σ_c f_c + Σ_i λ_i φ_ib        N_b = n_b − Σ_c (n_c + r_c × f_c) + Σ_i λ_i μ_ib         (1)
//!
//! Rows on coordinates act as efforts of their joints; an effort is the wrench in the span of the joint's free directions that has its power.
//! Test: `all_constraints_together_give_each_body_its_rate_of_momentum_without_gravity`.

use borelli_dynamics::System;
use borelli_dynamics::constraint::Rows;
use borelli_dynamics::formulation::Evaluation;
use borelli_dynamics::frames::Frames;
use borelli_dynamics::scene::Scene;
use borelli_dynamics::system::DofClass;
use borelli_math::Vec3;
use borelli_math::linalg::SemiDefinite;

/// A direction counts as dependent when elimination leaves less than this part of its diagonal.
const DEPENDENT: f64 = 1e-11;

/// Kinematics and rows of a system at a state.
pub struct Instant<'s> {
    system: &'s System,
    frames: Frames<f64>,
    rows: Rows<f64>,
}

impl<'s> Instant<'s> {
    /// Kinematics and rows at a state.
    pub fn new(system: &'s System, t: f64, q: &[f64], v: &[f64]) -> Self {
        let (skeleton, numbers) = (&system.skeleton, &system.numbers);
        let mut frames = Frames::new(skeleton);
        frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
        frames.fill_points(skeleton);
        let mut rows = Rows::new(system.names.rows.len(), numbers.constraints.entries());
        let scene = Scene { skeleton, numbers, frames: &frames, q, v, vdot: &[], t, inside: borelli_dynamics::scene::Inside::NONE };
        numbers.constraints.fill(&scene, &mut rows);
        Instant { system, frames, rows }
    }

    /// Moment about the kernel origin and force of all constraints on each body, equation (1). The entry of the world has no meaning.
    pub fn totals(&self, evaluation: &Evaluation) -> Vec<[Vec3<f64>; 2]> {
        let skeleton = &self.system.skeleton;
        let mut effort = vec![0.0; skeleton.dofs()];
        for &(row, dof, c) in &self.rows.on_dofs {
            effort[dof as usize] += c * evaluation.row_force[row as usize];
        }
        let mut total = vec![[Vec3::ZERO; 2]; skeleton.parent.len()];
        for b in 1..skeleton.parent.len() {
            let [n, f] = self.effort_wrench(b, &effort);
            let (n, f) = (n + evaluation.reaction_moment[b], f + evaluation.reaction_force[b]);
            let P = skeleton.parent[b] as usize;
            total[b][0] += n;
            total[b][1] += f;
            total[P][0] -= n + self.frames.r[b].cross(f);
            total[P][1] -= f;
        }
        for i in 0..self.rows.len() {
            for side in 0..2 {
                let body = self.rows.body[i][side] as usize;
                total[body][0] += self.rows.moment[i][side].scale(evaluation.row_force[i]);
                total[body][1] += self.rows.force[i][side].scale(evaluation.row_force[i]);
            }
        }
        total
    }

    /// The wrench of a joint's efforts on its child.
    fn effort_wrench(&self, body: usize, effort: &[f64]) -> [Vec3<f64>; 2] {
        let skeleton = &self.system.skeleton;
        let of_class = |class: DofClass| skeleton.dofs_of(body).filter(move |d| skeleton.class[*d] == class);
        let along = |dofs: Vec<usize>, directions: &[Vec3<f64>]| {
            let mut x: Vec<f64> = dofs.iter().map(|d| effort[*d]).collect();
            let n = dofs.len();
            let mut gram = vec![0.0; n * n];
            for (i, a) in dofs.iter().enumerate() {
                for (j, b) in dofs.iter().enumerate() {
                    gram[i * n + j] = directions[*a].dot(directions[*b]);
                }
            }
            let mut small = SemiDefinite::new(n);
            small.factor(&gram, DEPENDENT);
            small.solve(&mut x);
            dofs.iter().zip(&x).fold(Vec3::ZERO, |sum, (d, x)| sum + directions[*d].scale(*x))
        };
        let mut n = along(of_class(DofClass::Turn).collect(), &self.frames.s_ang);
        let mut f = along(of_class(DofClass::Slide).collect(), &self.frames.s_lin);
        for d in of_class(DofClass::Screw) {
            let (s, e) = (self.frames.s_ang[d], self.frames.s_lin[d]);
            if s.dot(s) > 1e-24 {
                n += s.scale(effort[d] / s.dot(s));
            } else {
                f += e.scale(effort[d] / e.dot(e));
            }
        }
        [n, f]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::states::{State, draw};
    use borelli_dynamics::compile;
    use borelli_dynamics::formulation::{FORMULATIONS, Input};
    use borelli_math::Sym3;
    use borelli_math::random::Random;
    use borelli_model::Model;

    /// A gimbal with a guided middle axis, a hinge, and the same rod twice.
    const ARM: &str = r#"
borelli = 1
dimension = "spatial"
[world.point]
hook = [0.5, 0.1, 0.2]
[body.a]
mass = 1
center = [0.1, 0.02, 0]
inertia = [0.01, 0.02, 0.025]
point = { tip = [0.3, 0, 0] }
[body.b]
mass = 2
center = [0.2, 0, 0.03]
inertia = [0.02, 0.03, 0.04]
point = { tip = [0.4, 0, 0] }
[joint.shoulder]
type = "gimbal"
parent = "world"
child = "a"
[joint.elbow]
type = "hinge"
parent = "a.tip"
child = "b"
[guide.middle]
type = "coordinate"
coordinate = "shoulder_2"
function = { type = "expression", expression = "0.3*sin(t)" }
[loop.rod]
type = "rod"
a = "world.hook"
b = "b.tip"
length = 0.4
[loop.again]
type = "rod"
a = "world.hook"
b = "b.tip"
length = 0.4
[initial]
coordinates = { elbow = 1 }
"#;

    #[test]
    fn all_constraints_together_give_each_body_its_rate_of_momentum_without_gravity() {
        let model = Model::parse("arm.toml", ARM).unwrap_or_else(|rejected| panic!("{rejected}"));
        let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
        let (skeleton, tree) = (&system.skeleton, &system.numbers.tree);
        let mut random = Random::new(4);
        let states: Vec<State> = (0..40).filter_map(|_| draw(&system, &mut random).ok()).collect();
        assert!(states.len() >= 10, "only {} states", states.len());
        for entry in FORMULATIONS {
            let Ok(mut formulation) = (entry.build)(&system) else { continue };
            let mut out = Evaluation::new(&system);
            for State { t, q, v, .. } in &states {
                let input = Input { t: *t, q, v, tau: &[0.0; 4], ..Input::default() };
                formulation.evaluate(&system, input, &mut out).unwrap_or_else(|failure| panic!("{failure}"));
                let instant = Instant::new(&system, *t, q, v);
                let totals = instant.totals(&out);
                // Newton and Euler about the kernel origins; the base accelerates against gravity.
                let mut frames = Frames::new(skeleton);
                frames.fill::<f64, true>(skeleton, tree, q, v, &out.vdot);
                for b in 1..skeleton.parent.len() {
                    let (R, w, al, a) = (&frames.R[b], frames.w[b], frames.al[b], frames.a[b]);
                    let (mc, I) = (*R * tree.mc_B[b], Sym3::rotated(R, &tree.I_Bo_B[b]));
                    let force = a.scale(tree.mass[b]) + al.cross(mc) + w.cross(w.cross(mc));
                    let moment = I * al + w.cross(I * w) + mc.cross(a);
                    let scale = 10.0 + force.norm() + moment.norm();
                    assert!((totals[b][1] - force).norm() < 1e-10 * scale, "{}: force on body {b}", entry.name);
                    assert!((totals[b][0] - moment).norm() < 1e-10 * scale, "{}: moment on body {b}", entry.name);
                }
            }
        }
    }
}
