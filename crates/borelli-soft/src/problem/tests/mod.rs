//! Problems against closed forms, balances and differences; each subject in its file.

mod condensed;
mod liner;
mod lines;
mod loads;
mod ties;

use super::{At, Following, Pose, Problem, SoftFault, Statuses};
use crate::definition::{Body, BoundaryIndex, Definition};
use crate::element::Kind;
use crate::material::{Material, Plane};
use crate::mesh::{Mesh, Shape};

/// Newton iterations of all soft unknowns with everything rigid held; returns them with the number of iterations.
pub(super) struct Held {
    pub x: Vec<f64>,
    pub lambda: Vec<f64>,
    pub poses: Vec<Pose>,
    pub displacement: Vec<[f64; 2]>,
    pub load: Vec<[f64; 2]>,
    pub gravity: [f64; 2],
}

impl Held {
    pub fn new(problem: &Problem, poses: &[Pose]) -> Held {
        let mut x = vec![0.0; problem.dofs()];
        problem.place(poses, &mut x);
        Held {
            x,
            lambda: vec![0.0; problem.multipliers()],
            poses: poses.to_vec(),
            displacement: vec![[0.0; 2]; problem.definition().supports.len()],
            load: vec![[0.0; 2]; problem.definition().loads.len()],
            gravity: [0.0; 2],
        }
    }

    pub fn at(&self) -> At<'_> {
        At {
            x: &self.x,
            v: None,
            a: None,
            lambda: &self.lambda,
            poses: &self.poses,
            displacement: &self.displacement,
            load: &self.load,
            gravity: self.gravity,
            part: 1.0,
        }
    }

    /// Solves with carriers held; `moved` may move them between iterations: it gets the problem and says how poses change.
    pub fn solve(&mut self, problem: &mut Problem, moved: &mut dyn FnMut(&Problem) -> Vec<f64>) -> Result<Vec<f64>, SoftFault> {
        let mut history = Vec::new();
        problem.begin_attempt();
        for iteration in 0..40 {
            let from = if iteration == 0 { Statuses::Kept } else { Statuses::Decided };
            problem.evaluate(&self.at(), Some(Following::default()), from)?;
            let (open, rounding) = problem.largest_open();
            problem.factor()?;
            problem.condense()?;
            let changes = moved(problem);
            history.push(open);
            let (mut dx, mut dl) = (vec![0.0; problem.dofs()], vec![0.0; problem.multipliers()]);
            problem.follow(&changes, &mut dx, &mut dl);
            let step = dx.iter().chain(&changes).fold(0.0_f64, |most, x| most.max(x.abs()));
            if iteration > 0 && problem.changed() == 0 && open <= rounding + 1e-11 * problem.largest_force() && step <= 1e-12 {
                problem.keep();
                return Ok(history);
            }
            let part = problem.longest_part(&dx);
            self.x.iter_mut().zip(&dx).for_each(|(x, d)| *x += part * d);
            self.lambda.iter_mut().zip(&dl).for_each(|(l, d)| *l += part * d);
            for (k, change) in changes.iter().enumerate() {
                self.poses[1 + k / 3][k % 3] += part * change;
            }
        }
        panic!("no rest: {history:?}");
    }
}

/// A body in the world.
pub(super) fn body(mesh: Mesh, material: Material, depth: f64) -> Body {
    let density = vec![0.0; mesh.regions.len()];
    Body {
        name: "part".into(),
        materials: vec![material; mesh.regions.len()],
        mesh,
        carrier: 0,
        placement: [0.0; 3],
        density,
        depth,
        plane: Plane::Strain,
        element: Kind::Plain,
    }
}

/// A material by name.
pub(super) fn material(name: &str, young: f64, poisson: f64) -> Material {
    Material::new(name, &[("young", young), ("poisson", poisson)]).unwrap()
}

/// A boundary of the only body.
pub(super) fn boundary(definition: &Definition, name: &str) -> BoundaryIndex {
    let boundary = definition.bodies[0].mesh.boundaries.iter().position(|boundary| boundary.name == name).unwrap();
    BoundaryIndex { body: 0, boundary }
}

/// A rectangle of cells.
pub(super) fn block(size: [f64; 2], divisions: [usize; 2], shape: Shape) -> Mesh {
    crate::mesh::Block::rectangle([0.0; 2], size, divisions).mesh(shape).unwrap()
}
