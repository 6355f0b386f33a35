//! Cells of a pressure mat as residuals of a fit, with exact slopes.
//! Not here: terms over columns (`answer`), files of measured maps (`measured_map`), pressures of a patch (`borelli_dynamics::contact`).
//! In: a trial that was set in a course, measured maps. Out: residuals of all cells of all frames, written over older ones; nothing is allocated after
//! the first evaluation.
//!
//! With the mean pressure p of a cell of area A, each cell of each frame is a residual by itself:
//!
//!     e = w A (p - m)/M                                                                            (1)
//!
//! The source sums |p - m| over the cells of a frame, and squares that sum. Such a residual has a kink wherever a single cell agrees, its slopes say
//! nothing of which cell to mend, and 15 of them say less than the thousand loaded cells behind them. (1) is what least squares take cells of like noise
//! for. The sum of the source, A sum |p - m| over M, is told beside it (`mismatch`).
//!
//! Slopes go the way p(l(x)), l the 15 numbers that pressures of a patch depend on (`borelli_dynamics::contact::LOCAL`). p is continuous. Where a
//! point of a cell enters the patch it has a kink; where it enters under an overhang it grows like a root. Slopes are those of the side on which the
//! point is.

use super::course::Course;
use super::measured_map::MeasuredMap;
use super::mover::Stage;
use super::sights::Sights;
use super::unknowns::Unknowns;
use crate::parameter_columns::N;
use borelli_dynamics::System;
use borelli_dynamics::contact::{LOCAL, Pressing};
use borelli_dynamics::frames::Frames;
use borelli_dynamics::scene::{Inside, Scene};
use borelli_dynamics::system::Numbers;
use borelli_math::{Constant, Dual};
use std::ops::Range;

/// Part of the distance between samples by which a frame may lie beside one: times in files are rounded.
const BESIDE: f64 = 0.01;

/// Measured maps of a mat, at samples of a trial.
pub(crate) struct Frame {
    /// Sample.
    pub sample: usize,
    /// Measured mean pressure of each cell, Pa, in the order of `Mat::grid`; not a number where a cell was not measured.
    pub measured: Vec<f64>,
}

/// A mat against its measured maps.
pub(crate) struct Pressed {
    /// Mat, by number.
    pub mat: usize,
    /// Frames that count, in the order of time.
    pub frames: Vec<Frame>,
}

impl Pressed {
    /// Measured maps at the samples of a trial inside a window, or why they cannot be compared.
    pub(crate) fn new(
        system: &System,
        mat: usize,
        map: &MeasuredMap,
        times: &[f64],
        window: (Option<f64>, Option<f64>),
    ) -> Result<Pressed, String> {
        let [columns, rows] = system.numbers.contacts.mats[mat].item.cells;
        if times.is_empty() {
            return Err("the motion has no samples".into());
        }
        let inside = window.0.unwrap_or(f64::NEG_INFINITY)..=window.1.unwrap_or(f64::INFINITY);
        let mut frames = Vec::new();
        for (frame, t) in map.time.iter().enumerate().filter(|(_, t)| inside.contains(t)) {
            let after = times.partition_point(|own| own < t).clamp(1, times.len().max(2) - 1);
            let step = times.get(after).zip(times.get(after - 1)).map_or(0.0, |(b, a)| b - a);
            let sample = if times.get(after).is_some_and(|own| (own - t).abs() < 0.5 * step) { after } else { after - 1 };
            if !times.get(sample).is_some_and(|own| (own - t).abs() <= BESIDE * step) {
                return Err(format!(
                    "its frame at {t} s is at no sample of the motion; the nearest is at {} s",
                    times[sample.min(times.len() - 1)]
                ));
            }
            if frames.last().is_some_and(|before: &Frame| before.sample == sample) {
                return Err(format!("two of its frames are at the sample at {} s", times[sample]));
            }
            let mut measured = vec![0.0; columns * rows];
            for cell in map.cells.iter().filter(|cell| cell.frame == frame) {
                if cell.x >= columns || cell.z >= rows {
                    return Err(format!(
                        "it has a cell {}, {}, and the mat {columns} by {rows} of them, counted from zero",
                        cell.x, cell.z
                    ));
                }
                measured[cell.x * rows + cell.z] = cell.pressure;
            }
            frames.push(Frame { sample, measured });
        }
        Ok(Pressed { mat, frames })
    }

    /// Residuals.
    pub(crate) fn count(&self) -> usize {
        self.frames.iter().map(|frame| frame.measured.len()).sum()
    }

    /// The frame that a residual belongs to.
    pub(crate) fn frame_of(&self, residual: usize) -> Option<&Frame> {
        let mut left = residual;
        self.frames.iter().find(|frame| {
            let is_here = left < frame.measured.len();
            left = left.saturating_sub(frame.measured.len());
            is_here
        })
    }
}

/// A frame as it was measured and as it is found, over the cells that were measured.
pub(crate) struct Seen {
    /// Force on the mat, N.
    pub measured: f64,
    /// The same as it is found.
    pub computed: f64,
    /// Differences of the forces on cells, N.
    differences: Vec<f64>,
}

impl Seen {
    pub(crate) fn new(pressures: &[f64], measured: &[f64], area: f64) -> Seen {
        let both = || pressures.iter().zip(measured).filter(|(_, m)| !m.is_nan());
        Seen {
            measured: both().map(|(_, m)| area * m).sum(),
            computed: both().map(|(p, _)| area * p).sum(),
            differences: both().map(|(p, m)| area * (p - m)).collect(),
        }
    }

    /// (Σ |d|^p)^(1/p) of the differences.
    pub(crate) fn powers(&self, p: f64) -> f64 {
        self.differences.iter().map(|d| d.abs().powf(p)).sum::<f64>().powf(p.recip())
    }
}

/// Which unknowns each pair on a mat depends on.
struct Presses {
    pairs: Vec<usize>,
    /// By pair, increasing.
    unknowns: Vec<Vec<usize>>,
    /// Of all pairs together.
    all: Vec<usize>,
}

/// Which parameters pressures depend on, mat by mat.
pub(crate) struct Maps {
    mats: Vec<Presses>,
}

impl Maps {
    pub(crate) fn new(system: &System, unknowns: &Unknowns, moving: &[usize]) -> Maps {
        let (contacts, parts) = (&system.numbers.contacts, &system.parts);
        let of_mat = |mat: usize| {
            let common = [parts.contacts.slots_of_mat(&parts.contacts.mats[mat].item, &parts.places), parts.slots_of_joints()].concat();
            let pairs: Vec<usize> = contacts.pairs_on(&contacts.mats[mat].item).collect();
            let touched = |pair: &usize| -> Vec<usize> {
                let own = parts.contacts.slots_of(*pair, &parts.places);
                let sees = |k: &usize| {
                    moving.contains(k) || unknowns.list[*k].slots.iter().any(|(slot, _)| own.contains(slot) || common.contains(slot))
                };
                (0..unknowns.list.len()).filter(sees).collect()
            };
            let unknowns: Vec<Vec<usize>> = pairs.iter().map(touched).collect();
            let mut all: Vec<usize> = unknowns.iter().flatten().copied().collect();
            all.sort_unstable();
            all.dedup();
            Presses { pairs, unknowns, all }
        };
        Maps { mats: (0..contacts.mats.len()).map(of_mat).collect() }
    }
}

/// A pair that presses on a mat in a frame.
struct Press {
    frame: usize,
    /// The pair, by place in `Presses::pairs`.
    pair: usize,
    with: Pressing<f64, f64>,
    /// Its cells among those of all.
    cells: Range<usize>,
}

/// Memory of looks at mats; each thread has its own.
pub(crate) struct MapSights {
    frames: Frames<f64>,
    sloped: Box<Sloped>,
    /// Mean pressure of each cell.
    pressures: Vec<f64>,
    pressing: Vec<Press>,
    /// Cells of all that presses, one after the other.
    cells: Vec<usize>,
    /// ∂l/∂x, by what presses, number and unknown.
    changes: Vec<f64>,
}

/// Kinematics over duals.
struct Sloped {
    parameters: Vec<Dual<N>>,
    numbers: Numbers<Dual<N>>,
    frames: Frames<Dual<N>>,
    stage: Stage<Dual<N>>,
}

impl MapSights {
    pub(crate) fn new(system: &System) -> MapSights {
        MapSights {
            frames: Frames::new(&system.skeleton),
            sloped: Box::new(Sloped {
                parameters: vec![Dual { re: 0.0, eps: [0.0; N] }; system.parameters.len()],
                numbers: Numbers::empty(&system.skeleton),
                frames: Frames::new(&system.skeleton),
                stage: Stage::new(system),
            }),
            pressures: Vec::new(),
            pressing: Vec::new(),
            cells: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Forgets what pressed in former frames.
    pub(crate) fn begin(&mut self) {
        self.pressing.clear();
        self.cells.clear();
    }

    /// Mean pressure of each cell of the frame that was looked at last.
    pub(crate) fn pressures(&self) -> &[f64] {
        &self.pressures
    }
}

/// The scene of a system with some numbers and places of bodies.
fn scene<'a, S: Constant<S>>(system: &'a System, numbers: &'a Numbers<S>, frames: &'a Frames<S>, t: f64) -> Scene<'a, S, S> {
    Scene { skeleton: &system.skeleton, numbers, frames, q: &[], v: &[], vdot: &[], t: S::from_f64(t), inside: Inside::NONE }
}

impl<'s> Course<'s> {
    /// Pressures of a mat at a sample of the trial that was set; what presses is noted for slopes. False where the motion cannot be had.
    pub(crate) fn look_at_mat(
        &self,
        system: &System,
        sights: &Sights<'s>,
        own: &mut MapSights,
        maps: &Maps,
        (mat, frame, sample): (usize, usize, usize),
    ) -> bool {
        let stand = self.stand(sights);
        let [q, v, _] = stand.along.at(sample);
        own.frames.fill::<f64, false>(&system.skeleton, &stand.numbers.tree, q, v, &[]);
        own.frames.fill_points(&system.skeleton);
        let scene = scene(system, stand.numbers, &own.frames, stand.along.times[sample]);
        let contacts = &stand.numbers.contacts;
        let item = &contacts.mats[mat].item;
        own.pressures.clear();
        own.pressures.resize(item.count(), 0.0);
        let Ok(grid) = item.grid() else { return false };
        for (k, pair) in maps.mats[mat].pairs.iter().enumerate() {
            let Some(pressing) = contacts.pressing(item, *pair, &scene) else { continue };
            let Ok(presser) = pressing.presser() else { return false };
            let first = own.cells.len();
            for cell in grid.under(&presser) {
                let p = grid.mean(&presser, cell);
                // What is no number must not be passed over.
                if p != 0.0 {
                    own.pressures[cell] += p;
                    own.cells.push(cell);
                }
            }
            if own.cells.len() > first {
                own.pressing.push(Press { frame, pair: k, with: pressing, cells: first..own.cells.len() });
            }
        }
        stand.is_met
    }

    /// Area of a cell of a mat in the trial that was set, m².
    pub(crate) fn cell_area(&self, sights: &Sights<'s>, mat: usize) -> f64 {
        let [x, z] = self.stand(sights).numbers.contacts.mats[mat].item.pitch;
        x * z
    }

    /// Residuals of all cells of all frames of a mat in the trial that was set, times `factor`, and with `slopes` those by all unknowns, row after row.
    pub(crate) fn press(
        &self,
        (system, unknowns, maps): (&System, &Unknowns, &Maps),
        (sights, own): (&Sights<'s>, &mut MapSights),
        pressed: &Pressed,
        factor: f64,
        residuals: &mut [f64],
        slopes: Option<&mut [f64]>,
    ) {
        own.begin();
        residuals.fill(0.0);
        let mut rest = slopes;
        rest.iter_mut().for_each(|slopes| slopes.fill(0.0));
        if factor == 0.0 {
            return;
        }
        let to_residual = factor * self.cell_area(sights, pressed.mat);
        let mut row = 0;
        for (k, frame) in pressed.frames.iter().enumerate() {
            let is_met = self.look_at_mat(system, sights, own, maps, (pressed.mat, k, frame.sample));
            for (p, m) in own.pressures.iter().zip(&frame.measured) {
                residuals[row] = match is_met {
                    true if m.is_nan() => 0.0,
                    true => to_residual * (p - m),
                    false => f64::NAN,
                };
                row += 1;
            }
        }
        let Some(slopes) = rest.take() else { return };
        self.find_changes(system, unknowns, sights, own, &maps.mats[pressed.mat], pressed);
        let (n, presses) = (unknowns.list.len(), &maps.mats[pressed.mat]);
        let Ok(grid) = self.stand(sights).numbers.contacts.mats[pressed.mat].item.grid() else { return };
        for (which, Press { frame, pair, with, cells }) in own.pressing.iter().enumerate() {
            let Ok(presser) = with.local().presser() else { continue };
            let measured = &pressed.frames[*frame].measured;
            let before: usize = pressed.frames[..*frame].iter().map(|frame| frame.measured.len()).sum();
            let changes = &own.changes[which * LOCAL * n..][..LOCAL * n];
            for cell in own.cells[cells.clone()].iter().filter(|cell| !measured[**cell].is_nan()) {
                let local = grid.mean(&presser, *cell).eps;
                let row = &mut slopes[(before + cell) * n..][..n];
                for (slope, changes) in local.iter().zip(changes.chunks_exact(n)) {
                    let slope = slope * to_residual;
                    presses.unknowns[*pair].iter().for_each(|k| row[*k] += slope * changes[*k]);
                }
            }
        }
    }

    /// How the numbers of everything that presses change with the unknowns.
    fn find_changes(
        &self,
        system: &System,
        unknowns: &Unknowns,
        sights: &Sights<'s>,
        own: &mut MapSights,
        presses: &Presses,
        pressed: &Pressed,
    ) {
        let (stand, n) = (self.stand(sights), unknowns.list.len());
        own.changes.clear();
        own.changes.resize(own.pressing.len() * LOCAL * n, 0.0);
        let Sloped { parameters, numbers, frames, stage } = &mut *own.sloped;
        for chunk in presses.all.chunks(N) {
            for (dual, value) in parameters.iter_mut().zip(stand.parameters) {
                *dual = Dual { re: *value, eps: [0.0; N] };
            }
            for (direction, unknown) in chunk.iter().enumerate() {
                let known = &unknowns.list[*unknown];
                // Of another trial it has no slopes here.
                if known.is_of(stand.track) {
                    known.slots.iter().for_each(|(slot, factor)| parameters[*slot].eps[direction] = *factor);
                }
            }
            system.parts.fill(&system.skeleton, parameters, numbers);
            let moves = chunk.iter().any(|unknown| stand.moving.contains(unknown));
            let mut placed = None;
            for (which, Press { frame, pair, .. }) in own.pressing.iter().enumerate() {
                let sample = pressed.frames[*frame].sample;
                if placed.replace(sample) != Some(sample) {
                    if !moves || !stand.mover.place(system, numbers, frames, stage, stand.near, sample) {
                        let lift = |own: &mut Vec<Dual<N>>, values: &[f64]| {
                            own.clear();
                            own.extend(values.iter().map(|re| Dual { re: *re, eps: [0.0; N] }));
                        };
                        let [q, v, _] = stand.along.at(sample);
                        lift(&mut stage.q, q);
                        lift(&mut stage.v, v);
                    }
                    frames.fill::<Dual<N>, false>(&system.skeleton, &numbers.tree, &stage.q, &stage.v, &[]);
                    frames.fill_points(&system.skeleton);
                }
                let scene = scene(system, numbers, frames, stand.along.times[sample]);
                let mat = &numbers.contacts.mats[pressed.mat].item;
                let Some(pressing) = numbers.contacts.pressing(mat, presses.pairs[*pair], &scene) else { continue };
                for (l, along) in pressing.changes().iter().enumerate() {
                    let row = &mut own.changes[(which * LOCAL + l) * n..][..n];
                    chunk.iter().zip(along).for_each(|(unknown, change)| row[*unknown] = *change);
                }
            }
        }
    }
}
