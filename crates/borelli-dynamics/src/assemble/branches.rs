//! Other ways to assemble the same model: a loop of bars closes in more than one way.
//! Not here: choosing between them; the one near the start is taken. In: a start and how many starts to try. Out: distinct solutions.

use super::assemble;
use super::workbench::Workbench;
use crate::system::{Motion, System};
use borelli_math::{Mat3, Quat, Vec3};
use std::f64::consts::{PI, TAU};

/// One way to satisfy all rows.
#[derive(Clone, Debug)]
pub struct Branch {
    /// Coordinates; angles within half a turn of the start where no row counts their turns.
    pub q: Vec<f64>,
    /// Distance from the start: length of the shortest step in all degrees of freedom that leads here, rad and m weighing alike.
    pub distance: f64,
    /// Sign of the determinant of the rows in the coordinates they determine: changes where two branches meet; 0 at such a point.
    pub sign: i8,
}

/// Orientation and position of a body.
type Pose = (Mat3<f64>, Vec3<f64>);

/// Distinct solutions of all rows at time `t` with the same independent coordinates: first the one that [`assemble`] takes, then the others by their
/// distance from the start. Empty where assembling fails.
///
/// Held degrees of freedom stay at their start. Where more remain free than the rows determine, those least determined stay where assembling
/// put them; so a four-bar linkage without any held angle is still asked for its two ways of closing. `tries` starts are spread over
/// all angles and over one size of the model, always the same ones; more tries find more.
pub fn branches(system: &System, t: f64, start: &[f64], held: &[bool], tries: usize) -> Vec<Branch> {
    let dofs = system.skeleton.dofs();
    let still = vec![0.0; dofs];
    let Ok(first) = assemble(system, t, start, &still, held) else { return Vec::new() };
    let mut bench = Workbench::new(system, t);
    bench.look(&first.q, &still);
    let moving: Vec<usize> = (0..dofs).filter(|dof| !held.get(*dof).is_some_and(|held| *held)).collect();
    let determined = bench.determined(&moving);
    let tolerance = bench.tolerance();

    let mut found: Vec<(Vec<Pose>, Branch)> = Vec::new();
    for k in 0..=tries {
        let mut q = first.q.clone();
        if k > 0 {
            bench.kick(&mut q, &determined, k, PI);
            bench.solve_positions(&mut q, &determined);
            if !(bench.largest_position() <= tolerance) {
                continue;
            }
        } else {
            bench.look(&q, &still);
        }
        let poses: Vec<Pose> = bench.frames().R.iter().copied().zip(bench.frames().p.iter().copied()).collect();
        if found.iter().any(|(known, _)| same(known, &poses)) {
            continue;
        }
        let counted: Vec<u32> = bench.rows.on_dofs.iter().map(|(_, dof, _)| *dof).collect();
        let sign = bench.orientation(&determined);
        let distance = settle(system, start, &mut q, &counted);
        found.push((poses, Branch { q, distance, sign }));
    }
    let mut list: Vec<Branch> = found.into_iter().map(|(_, branch)| branch).collect();
    if let [_, others @ ..] = &mut list[..] {
        others.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    }
    list
}

/// True when all bodies have the same pose.
fn same(a: &[Pose], b: &[Pose]) -> bool {
    const NEAR: f64 = 1e-6;
    a.iter().zip(b).all(|((R, p), (S, r))| {
        (R.x - S.x).norm() < NEAR && (R.y - S.y).norm() < NEAR && (R.z - S.z).norm() < NEAR && (*p - *r).norm() < NEAR
    })
}

/// Takes whole turns off angles that no row counts, and gives the distance from the start.
fn settle(system: &System, start: &[f64], q: &mut [f64], counted: &[u32]) -> f64 {
    let mut square = 0.0;
    for &motion in &system.skeleton.motions {
        match motion {
            Motion::Turn { coord, dof, .. } => {
                let k = coord as usize;
                if !counted.contains(&dof) {
                    q[k] -= TAU * ((q[k] - start[k]) / TAU).round();
                }
                square += (q[k] - start[k]).powi(2);
            }
            Motion::Slide { coord, .. } | Motion::Function { coord, .. } => square += (q[coord as usize] - start[coord as usize]).powi(2),
            Motion::Ball { coord, .. } => {
                let k = coord as usize;
                let before = Quat::from_slice(&start[k..k + 4]);
                let inverse = Quat { w: before.w, x: -before.x, y: -before.y, z: -before.z };
                let turn = inverse.product(Quat::from_slice(&q[k..k + 4])).to_rotation_vector();
                square += turn.dot(turn);
            }
            Motion::Fixed { .. } => {}
        }
    }
    square.sqrt()
}
