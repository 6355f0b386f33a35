//! What is seen of a system at a state: kinematics, applied loads, rows of loops and guides.
//! Not here: how each of them is computed (`frames`, `force`, `constraint`), what becomes of them.
//! In: a `System`, a state in joint coordinates. Out: `Frames` with points, `Loads` and `Rows`.

use crate::constraint::{RowControl, Rows};
use crate::frames::Frames;
use crate::scene::{Inside, Loads, Scene};
use crate::system::System;
use borelli_math::{Constant, Real};

/// Kinematics, loads and rows at the last state looked at.
#[derive(Clone, Debug)]
pub(crate) struct Sight<S> {
    pub frames: Frames<S>,
    pub loads: Loads<S>,
    pub rows: Rows<S>,
    /// False: force elements and contacts are not looked at.
    loaded: bool,
}

impl<S: Real> Sight<S> {
    /// Memory for a system.
    pub(crate) fn new(system: &System) -> Self {
        let System { skeleton, numbers, names, .. } = system;
        Sight {
            frames: Frames::new(skeleton),
            loads: Loads::new(skeleton, numbers),
            rows: Rows::new(names.rows.len(), numbers.constraints.entries()),
            loaded: true,
        }
    }

    /// The same for kinematics and rows only.
    pub(crate) fn of_rows(system: &System) -> Self {
        Sight { loaded: false, ..Sight::new(system) }
    }

    /// What rows are asked for, and what events have written.
    pub(crate) fn set_control(&mut self, control: &RowControl) {
        self.rows.set_control(control);
        self.loads.recall(&control.memory);
    }

    /// Looks at a state with accelerations `vdot`; empty: they are taken as zero.
    pub(crate) fn look(&mut self, system: &System, t: S, q: &[S], v: &[S], inside: Inside<S>, vdot: &[S])
    where
        f64: Constant<S>,
    {
        let System { skeleton, numbers, .. } = system;
        if vdot.is_empty() {
            self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
        } else {
            self.frames.fill::<f64, true>(skeleton, &numbers.tree, q, v, vdot);
        }
        self.frames.fill_points(skeleton);
        let scene = Scene { skeleton, numbers, frames: &self.frames, q, v, vdot, t, inside };
        if self.loaded {
            self.loads.clear();
            numbers.apply_loads(&scene, &mut self.loads);
        }
        if !self.rows.is_empty() {
            numbers.constraints.fill(&scene, &mut self.rows);
        }
    }
}
