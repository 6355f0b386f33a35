//! What a planar joint of any motions does to its body; hinges and floating joints do not come this way.

use super::algebra::Vec2;
use super::body::DofState;
use crate::system::{Axis, Constants, Motion};
use borelli_math::{Constant, Real};

/// What a joint of any motions adds to the kinematics of its body.
pub(super) struct JointMotion<S> {
    pub(super) angle: S,
    pub(super) slide: Vec2<S>,
    pub(super) slide_rate: Vec2<S>,
    pub(super) slide_acc: Vec2<S>,
    pub(super) w: S,
    pub(super) al: S,
}

/// Motions of a joint in world axes; free directions of slides and functions go to `dofs`.
#[inline(never)]
pub(super) fn move_joint<S: Real, C: Constant<S>, const ACCEL: bool>(
    motions: &[Motion],
    c: &Constants<C>,
    cs_P: Vec2<S>,
    q: &[S],
    v: &[S],
    vdot: &[S],
    dofs: &mut [DofState<S>],
) -> JointMotion<S> {
    let Vec2 { x: cos_P, y: sin_P } = cs_P;
    let mut m = JointMotion { angle: S::ZERO, slide: Vec2::ZERO, slide_rate: Vec2::ZERO, slide_acc: Vec2::ZERO, w: S::ZERO, al: S::ZERO };
    for &motion in motions {
        match motion {
            Motion::Turn { coord, dof, .. } => {
                m.angle += q[coord as usize];
                m.w += v[dof as usize];
                if ACCEL {
                    m.al += vdot[dof as usize];
                }
            }
            Motion::Slide { axis, coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let e = match axis {
                    Axis::X => Vec2 { x: cos_P, y: sin_P },
                    Axis::Y => Vec2 { x: -sin_P, y: cos_P },
                    _ => Vec2::rotate(cos_P, sin_P, [c.axis[dof].x, c.axis[dof].y]),
                };
                m.slide = m.slide.add(e.scale(q[coord]));
                m.slide_rate = m.slide_rate.add(e.scale(v[dof]));
                if ACCEL {
                    m.slide_acc = m.slide_acc.add(e.scale(vdot[dof]));
                }
                dofs[dof].s_lin = e;
            }
            Motion::Function { slot, coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let (x, rate, acc) = (q[coord], v[dof], if ACCEL { vdot[dof] } else { S::ZERO });
                let curve = &c.curves[slot as usize];
                let mut s_lin = Vec2::ZERO;
                for (axis, function) in &curve.slides {
                    let e = Vec2::rotate(cos_P, sin_P, [axis.x, axis.y]);
                    let [f0, f1, f2] = function.eval(x);
                    m.slide = m.slide.add(e.scale(f0));
                    s_lin = s_lin.add(e.scale(f1));
                    m.slide_acc = m.slide_acc.add(e.scale(f2 * rate * rate));
                }
                m.slide_rate = m.slide_rate.add(s_lin.scale(rate));
                m.slide_acc = m.slide_acc.add(s_lin.scale(acc));
                let mut s_ang = S::ZERO;
                for (_, function) in &curve.turns {
                    let [f0, f1, f2] = function.eval(x);
                    m.angle += f0;
                    m.w += f1 * rate;
                    m.al += f2 * rate * rate + f1 * acc;
                    s_ang += f1;
                }
                dofs[dof].s_ang = s_ang;
                dofs[dof].s_lin = s_lin;
            }
            // A planar joint has neither; compile refuses them.
            Motion::Ball { .. } | Motion::Fixed { .. } => {}
        }
    }
    m
}
