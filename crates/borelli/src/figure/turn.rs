//! How joints turn their bodies, so that efforts on coordinates can be drawn as one moment.
//! Not here: moments of reactions, which are columns as they stand.
//! In: axes of turns, angles, efforts τ. Out: the moment on the child.
//!
//! The effort on a turn about the unit vector e is the moment along it, τ = M·e. A joint that turns about several axes has the moment in their span with
//!
//! ```text
//! M·eᵢ = τᵢ,   M = Σ τᵢ eᵢ*,   e₁* = e₂ × e₃ / det, ...                                        (1)
//! ```
//!
//! With Rᵢ the turn about the axis aᵢ that stands still in the child where all angles are zero, the child's pose is R₁ R₂ R₃, and in its axes
//! e₁ = R₃ᵀ R₂ᵀ a₁, e₂ = R₃ᵀ a₂, e₃ = a₃.

use borelli_dynamics::System;
use borelli_dynamics::frames::Frames;
use borelli_dynamics::system::{DofClass, Measure, Motion};
use borelli_math::{Vec3, rotation_about};

/// One way in which a joint turns its child.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureTurn {
    /// Its effort stands in the column `coord.<speed>.effort`.
    pub speed: String,
    /// The angle that turns the axes of the turns before it in the child, in the column `coord.<coordinate>.value`; none where axes stand still in the child.
    pub coordinate: Option<String>,
    /// Unit vector in the axes of the child, all angles of the joint being zero.
    pub axis: [f64; 3],
}

/// The turns of a body's joint; none of one that also slides, floats, or turns along a curve.
pub(super) fn of_body(system: &System, body: usize) -> Vec<FigureTurn> {
    let (skeleton, tree) = (&system.skeleton, &system.numbers.tree);
    let dofs = skeleton.dofs_of(body);
    if !dofs.clone().all(|k| skeleton.class[k] == DofClass::Turn) {
        return Vec::new();
    }
    let mut q = system.start.q.clone();
    for (k, name) in system.names.coordinates.iter().enumerate().filter(|(_, name)| name.joint as usize == body) {
        if name.measure != Measure::Quaternion {
            q[k] = 0.0;
        }
    }
    let still = vec![0.0; skeleton.dofs()];
    let mut frames = Frames::<f64>::new(skeleton);
    frames.fill::<f64, false>(skeleton, tree, &q, &still, &still);
    let R = frames.R[body] * tree.R_KB[body];
    let angle = |dof: usize| {
        skeleton.motions_of(body).iter().find_map(|motion| match motion {
            Motion::Turn { coord, dof: own, .. } if *own as usize == dof => Some(system.names.coordinates[*coord as usize].name.clone()),
            _ => None,
        })
    };
    let turn = |k: usize| FigureTurn {
        speed: system.names.speeds[k].name.clone(),
        coordinate: angle(k),
        axis: R.transpose_mul(frames.s_ang[k]).to_array(),
    };
    dofs.map(turn).collect()
}

/// The moment on the child in its axes, equation (1), with angles and efforts of the turns; nothing near a gimbal lock, where one is not told.
pub fn moment(turns: &[FigureTurn], angles: &[f64], efforts: &[f64]) -> Option<Vec3<f64>> {
    let axes: Vec<Vec3<f64>> = (0..turns.len())
        .map(|i| {
            let later = (i + 1..turns.len()).filter(|j| turns[*j].coordinate.is_some());
            later.fold(Vec3::from_array(turns[i].axis), |e, j| rotation_about(Vec3::from_array(turns[j].axis), angles[j]).transpose_mul(e))
        })
        .collect();
    let (axes, efforts) = match axes[..] {
        [e] => return Some(e.scale(efforts[0])),
        // Across both there is no moment.
        [e, f] => ([e, f, e.cross(f)], [efforts[0], efforts[1], 0.0]),
        [e, f, g] => ([e, f, g], [efforts[0], efforts[1], efforts[2]]),
        _ => return None,
    };
    let det = axes[0].dot(axes[1].cross(axes[2]));
    let sum = (0..3).fold(Vec3::ZERO, |sum, i| sum + axes[(i + 1) % 3].cross(axes[(i + 2) % 3]).scale(efforts[i]));
    (det.abs() > 1e-3).then(|| sum.scale(1.0 / det))
}
