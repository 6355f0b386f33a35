//! What can only be seen at the start: whether the model assembles, whether joints are singular, whether every joint has inertia against it.
//! Not here: the faults of single elements (`compile`). In: a system. Out: findings.

use super::{AssemblyFault, assemble};
use crate::compile::Fault;
use crate::frames::Frames;
use crate::system::{DofClass, System};
use borelli_math::{Sym3, Vec3};
use borelli_model::Findings;
use nalgebra::{Matrix3, Matrix6, Vector6};

/// Axes of a joint that span less than this part of the full measure are singular.
const PARALLEL: f64 = 1e-6;
/// Inertia against a degree of freedom below this part of what the body carries is none.
const NONE: f64 = 1e-12;

/// Assembles at time 0 from the file's start and looks at the joints there.
///
/// Errors: rows that cannot be met or contradict each other, a table that does not reach time 0, a joint without inertia against it. Warnings: redundant
/// rows, a joint with parallel axes.
pub fn check(system: &System) -> Findings {
    let mut findings = Findings::new();
    let start = &system.start;
    let q = match assemble(system, 0.0, &start.q, &start.v, &start.held) {
        Ok(assembled) => {
            if !assembled.redundant.is_empty() {
                let element = element_of(&assembled.redundant[0]);
                findings.push(None, element, "", &Fault::Redundant { rows: assembled.redundant });
            }
            assembled.q
        }
        Err(fault) => {
            let element = match &fault {
                AssemblyFault::Unreachable { rows } | AssemblyFault::Conflict { rows } => {
                    rows.first().map_or(String::new(), |(row, _)| element_of(row))
                }
                AssemblyFault::OutsideTable { function, .. } => format!("function.{function}"),
                AssemblyFault::State(_) => String::new(),
            };
            if let Some(fault) = fault.fault() {
                findings.push(None, element, "", &fault);
            }
            start.q.clone()
        }
    };
    let mut frames = Frames::new(&system.skeleton);
    let still = vec![0.0; system.skeleton.dofs()];
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, &q, &still, &[]);
    for body in 1..system.skeleton.parent.len() {
        if parallel_axes(system, &frames, body) {
            let joint = system.names.joints[body].clone();
            findings.push(None, format!("joint.{joint}"), "", &Fault::Singular { joint });
        }
    }
    for body in without_inertia(system, &frames) {
        let joint = system.names.joints[body].clone();
        findings.push(None, format!("body.{}", system.names.bodies[body]), "", &Fault::NoInertiaAtJoint { joint });
    }
    findings
}

/// `loop.NAME` of `loop.NAME.part`.
fn element_of(row: &str) -> String {
    row.rsplit_once('.').map_or(row, |(element, _)| element).to_string()
}

/// True when two or three turns of a joint do not span as many directions.
fn parallel_axes(system: &System, frames: &Frames<f64>, body: usize) -> bool {
    let skeleton = &system.skeleton;
    let axes: Vec<Vec3<f64>> =
        skeleton.dofs_of(body).filter(|dof| skeleton.class[*dof] == DofClass::Turn).map(|dof| frames.s_ang[dof]).collect();
    match axes[..] {
        [a, b] => a.cross(b).norm() < PARALLEL,
        [a, b, c] => a.dot(b.cross(c)).abs() < PARALLEL,
        _ => false,
    }
}

/// Bodies whose articulated inertia has no part against some freedom of their joint.
///
///     D = Sᵀ I_A S,   I_A − I_A S D⁻¹ Sᵀ I_A  to the parent                                       (1)
///
/// taken one degree of freedom at a time, which gives the same. Source: Featherstone 2008, Rigid Body Dynamics Algorithms, ch. 7. The measure is the
/// trace of I_A where the freedom turns and the mass where it displaces. A joint with parallel axes is left to its own warning. Test: `a_point_mass_on_its_own_hinge_has_no_inertia_there`.
fn without_inertia(system: &System, frames: &Frames<f64>) -> Vec<usize> {
    let (skeleton, c) = (&system.skeleton, &system.numbers.tree);
    let n = skeleton.parent.len();
    let mut inertia: Vec<Matrix6<f64>> = (0..n)
        .map(|b| {
            let mut I = Matrix6::zeros();
            I.fixed_view_mut::<3, 3>(0, 0).copy_from(&matrix(&Sym3::rotated(&frames.R[b], &c.I_Bo_B[b])));
            let moment = skew(frames.R[b] * c.mc_B[b]);
            I.fixed_view_mut::<3, 3>(0, 3).copy_from(&moment);
            I.fixed_view_mut::<3, 3>(3, 0).copy_from(&moment.transpose());
            I.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Matrix3::identity() * c.mass[b]));
            I
        })
        .collect();
    let mut light = Vec::new();
    for b in (1..n).rev() {
        let mut I = inertia[b];
        let (turning, displacing) = (I.fixed_view::<3, 3>(0, 0).trace(), I.fixed_view::<3, 3>(3, 3).trace());
        for dof in skeleton.dofs_of(b).rev() {
            let (s, l) = (frames.s_ang[dof], frames.s_lin[dof]);
            let S = Vector6::new(s.x, s.y, s.z, l.x, l.y, l.z);
            let against = I * S;
            let D = S.dot(&against);
            if D > NONE * (turning * s.dot(s) + displacing * l.dot(l)) {
                I -= against * against.transpose() / D;
            } else if light.last() != Some(&b) && !parallel_axes(system, frames, b) {
                light.push(b);
            }
        }
        let mut shift = Matrix6::identity();
        shift.fixed_view_mut::<3, 3>(3, 0).copy_from(&-skew(frames.r[b]));
        inertia[skeleton.parent[b] as usize] += shift.transpose() * I * shift;
    }
    light.reverse();
    light
}

fn skew(v: Vec3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}

fn matrix(I: &Sym3<f64>) -> Matrix3<f64> {
    Matrix3::new(I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz)
}
