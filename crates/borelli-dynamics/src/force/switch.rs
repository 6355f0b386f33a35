//! Conditional points of paths that come and go along a motion: when, and what that does.
//! Not here: locating the instant, whoever integrates.
//! In: states of a system. Out: functions that pass zero where a point comes or goes; the jump of length and of stored energy there.
//!
//! A point is there while a ≤ q_k ≤ b. Each end has a function, q_k − a and b − q_k, that is positive on the side of the range; at the end itself the point
//! is there, and the function counts as positive. Where one changes its sign the length jumps by Δl, and what elements along the path store changes by ΔU =
//! ∫F dl over the jump, F Δl for a small one: energy that nobody has brought. Elements do no work on the bodies there, so that T + V + U − Σ ΔU is what is
//! kept.
//!
//! Between located switches points stay as they are (`Memory::points`), so that no step has stages on both sides.
//!
//! Test: `the_energy_that_a_switch_brings_is_that_of_the_closed_form`.

use super::path::{Lost, Stop};
use crate::frames::Frames;
use crate::scene::{Inside, Loads, Scene};
use crate::system::{Motion, System};

/// One end of the range of a conditional point.
#[derive(Clone, Copy, Debug)]
struct End {
    path: usize,
    stop: usize,
    coord: usize,
    dof: Option<usize>,
    /// Value of the coordinate, and whether it is the upper one.
    at: f64,
    upper: bool,
}

/// What switches do at one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Largest change of a length, m, and of which path.
    pub length: f64,
    /// That path.
    pub path: usize,
    /// Change of the energy that elements store, J.
    pub energy: f64,
}

/// All ends of ranges of conditional points.
pub struct Switches {
    ends: Vec<End>,
    frames: Frames<f64>,
    loads: Loads<f64>,
}

impl Switches {
    /// Those of a system.
    pub fn new(system: &System) -> Switches {
        let mut ends = Vec::new();
        for (path, stops) in system.numbers.paths.list.iter().enumerate() {
            for (stop, own) in stops.iter().enumerate() {
                let Stop::When { coord, range: [from, to], .. } = *own else { continue };
                let dof = system.skeleton.motions.iter().find_map(|motion| match motion {
                    Motion::Turn { coord: c, dof, .. } | Motion::Slide { coord: c, dof, .. } | Motion::Function { coord: c, dof, .. }
                        if *c == coord =>
                    {
                        Some(*dof as usize)
                    }
                    _ => None,
                });
                let end = |at: f64, upper: bool| End { path, stop, coord: coord as usize, dof, at, upper };
                ends.extend([end(from, false), end(to, true)]);
            }
        }
        let loads = Loads::new(&system.skeleton, &system.numbers);
        Switches { ends, frames: Frames::new(&system.skeleton), loads }
    }

    /// How many functions there are: two for each point.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The function of one of them at coordinates; never zero.
    pub fn side(&self, k: usize, q: &[f64]) -> f64 {
        let End { coord, at, upper, .. } = self.ends[k];
        let inside = if upper { at - q[coord] } else { q[coord] - at };
        if inside == 0.0 { f64::MIN_POSITIVE } else { inside }
    }

    /// Its rate; nothing where the coordinate has none of its own.
    pub fn rate(&self, k: usize, v: &[f64]) -> Option<f64> {
        let End { dof, upper, .. } = self.ends[k];
        dof.map(|dof| if upper { -v[dof] } else { v[dof] })
    }

    /// `path.NAME.NUMBER.comes` or `.goes`, points counted from one.
    pub fn name(&self, system: &System, k: usize, comes: bool) -> String {
        let End { path, stop, .. } = self.ends[k];
        format!("path.{}.{}.{}", system.names.paths[path], stop + 1, if comes { "comes" } else { "goes" })
    }

    /// What happens at a state where points come or go, from those that are there before to those that are there after. Those that change together
    /// are one jump: what each of them alone would do does not add up.
    ///
    /// # Errors
    /// A path that has no place with its new points, as where one of them lies inside a wrap.
    pub fn jump(&mut self, system: &System, points: [&[bool]; 2], t: f64, q: &[f64], v: &[f64], z: &[f64]) -> Result<Jump, Lost> {
        let System { skeleton, numbers, .. } = system;
        self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
        self.frames.fill_points(skeleton);
        let [before, after] = points.map(|points| {
            self.loads.clear();
            self.loads.lines.hold(points);
            self.loads.inner.reporting = true;
            let inside = Inside { z, u: &[] };
            let scene = Scene { skeleton, numbers, frames: &self.frames, q, v, vdot: &[], t, inside };
            numbers.forces.apply(&scene, &mut self.loads);
            (self.loads.lines.length.clone(), self.loads.stored)
        });
        if let Some(lost) = self.loads.lines.lost {
            return Err(lost);
        }
        let changes = after.0.iter().zip(&before.0).map(|(after, before)| after - before).enumerate();
        let (path, length) = changes.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap_or((0, 0.0));
        Ok(Jump { length, path, energy: after.1 - before.1 })
    }
}
