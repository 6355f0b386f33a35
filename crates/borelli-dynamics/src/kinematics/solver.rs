//! The search for the pose nearest to measured markers.
//! Not here: derivatives of distances (`marker_sums`), rows of loops (`loops`).
//! In: measured points of one frame and coordinates to begin with. Out: coordinates at a minimum, and how well they fit.
//!
//! Each step solves (H + λ diag N) δ = −g for the degrees of freedom that may move, with N = JᵀJ and H = N + C the whole Hessian where that is positive
//! definite, else N. λ is zero as long as steps go down. C makes the last steps quadratic also where residuals are large and coordinates weakly seen, where
//! N alone would creep. With loops every pose is brought back onto them, the step keeps to them to first order, and H is N.
//! A coordinate at an end of its range is held as long as the slope draws it beyond.
//!
//! Source: Levenberg 1944; Marquardt 1963, SIAM J. Appl. Math. 11:431-441; Nocedal & Wright 2006, Numerical Optimization, ch. 10, 16 and 18.

use super::bounds::{Freedom, Standing, freedoms};
use super::dense;
use super::loops::Loops;
use super::marker_sums::{Aim, MarkerSums};
use super::{Fit, Options, Refusal, Target, Task};
use crate::frames::Frames;
use crate::retract::{normalise, retract};
use crate::system::{Skeleton, System};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Pivots of JᵀJ below this share of the largest belong to what is not observed: singular values below 1e-6 of the largest.
const UNOBSERVED: f64 = 1e-12;
/// Pivots above this share are not suspect.
const CLEAR: f64 = 1e-7;
/// Largest turn of one step, rad.
const LONGEST_TURN: f64 = 1.0;
/// A step that gains less than this share of f cannot be judged by f.
const FLAT: f64 = 1e-12;
/// A step of Newton's below this, rad or m, that follows a ten times longer one is followed by none that matters.
const SHORT: f64 = 1e-6;
/// Residual of a loop that counts as closed, m or rad.
const CLOSED: f64 = 1e-12;

/// A task in terms of degrees of freedom.
#[derive(Clone, Copy, Debug)]
struct Draw {
    dof: usize,
    coord: usize,
    weight: f64,
    value: f64,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub converged: bool,
    pub iterations: usize,
    pub objective: f64,
}

/// Finds poses of one compiled model and its copies, frame after frame, without asking for memory.
#[derive(Clone, Debug)]
pub struct Solver {
    skeleton: Arc<Skeleton>,
    options: Options,
    pub(super) freedoms: Vec<Freedom>,
    /// Degree of freedom of each coordinate; none for quaternions.
    dof_of: Vec<Option<usize>>,
    /// Degrees of freedom that may move at all.
    pub(super) only: Vec<bool>,
    frames: Frames<f64>,
    pub(super) sums: MarkerSums,
    pub(super) loops: Loops,
    still: Vec<f64>,
    pub(super) aims: Vec<Aim>,
    draws: Vec<Draw>,
    standing: Vec<Standing>,
    pinned: Vec<bool>,
    step: Vec<f64>,
    free: Vec<usize>,
    matrix: Vec<f64>,
    x: Vec<f64>,
    taken: Vec<bool>,
    /// Largest diagonal entry of JᵀJ of the markers.
    scale: f64,
    pub(super) q: Vec<f64>,
    trial: Vec<f64>,
    pub(super) saved: Vec<f64>,
    pub(super) fit: Fit,
    /// f of usual frames.
    pub(super) typical: Option<f64>,
    /// Pose of the last frame that fitted as usual, where there was one.
    pub(super) usual: Vec<f64>,
}

impl Solver {
    /// Memory for a system.
    pub fn new(system: &System, options: Options) -> Self {
        let skeleton = &system.skeleton;
        let (dofs, coords, markers) = (skeleton.dofs(), skeleton.coords(), system.markers.len());
        let freedoms = freedoms(system);
        let mut dof_of = vec![None; coords];
        freedoms.iter().enumerate().filter(|(_, f)| f.plain).for_each(|(dof, f)| dof_of[f.coord] = Some(dof));
        let fit = Fit {
            error: Vec::with_capacity(markers),
            unobserved: Vec::with_capacity(dofs),
            at_bound: Vec::with_capacity(dofs),
            ..Fit::default()
        };
        Solver {
            skeleton: skeleton.clone(),
            options,
            freedoms,
            dof_of,
            only: vec![true; dofs],
            frames: Frames::new(skeleton),
            sums: MarkerSums::new(skeleton, markers),
            loops: Loops::new(system, options.guides),
            still: vec![0.0; dofs],
            aims: Vec::with_capacity(markers),
            draws: Vec::with_capacity(coords),
            standing: vec![Standing::Free; dofs],
            pinned: vec![false; dofs],
            step: vec![0.0; dofs],
            free: Vec::with_capacity(dofs),
            matrix: vec![0.0; dofs * dofs],
            x: vec![0.0; dofs],
            taken: Vec::with_capacity(dofs),
            scale: 0.0,
            q: vec![0.0; coords],
            trial: vec![0.0; coords],
            saved: vec![0.0; coords],
            fit,
            typical: None,
            usual: Vec::with_capacity(coords),
        }
    }

    /// Finds the pose for the markers of one frame at time `t` (which only guides look at), beginning at `q`, the pose of the frame before or a guess.
    ///
    /// What the markers do not determine stays as it is in `q`, as do locked coordinates. Angles stay within half a turn of where they were.
    pub fn solve(&mut self, system: &System, t: f64, targets: &[Target], tasks: &[Task], q: &mut [f64]) -> Result<&Fit, Refusal> {
        self.take(system, targets, tasks, q)?;
        let found = self.search(system, t);
        self.unwrap(q);
        q.copy_from_slice(&self.q);
        self.report(system, found, targets);
        if self.options.swaps {
            let swap = self.find_swap(system, t, found.objective);
            self.fit.swap = swap.map(|(i, j)| (targets[i].marker, targets[j].marker));
        }
        if found.converged && self.fit.swap.is_none() {
            if !self.unusual(found.objective) {
                self.usual.clear();
                self.usual.extend_from_slice(q);
            }
            self.typical = Some(self.typical.map_or(found.objective, |typical| 0.9 * typical + 0.1 * found.objective));
        }
        Ok(&self.fit)
    }

    /// Checks and takes over what a frame gives.
    pub(super) fn take(&mut self, system: &System, targets: &[Target], tasks: &[Task], q: &[f64]) -> Result<(), Refusal> {
        let System { names, numbers, markers, .. } = system;
        if !system.has_shape(&self.skeleton) {
            return Err(Refusal::OtherShape);
        }
        if q.len() != self.q.len() {
            return Err(Refusal::WrongLength { found: q.len(), expected: self.q.len() });
        }
        if let Some(k) = q.iter().position(|x| !x.is_finite()) {
            return Err(Refusal::StartNotFinite { coordinate: names.coordinates[k].name.clone() });
        }
        let good = |weight: f64| (0.0..f64::INFINITY).contains(&weight);
        let mut whole = 0.0;
        self.aims.clear();
        for target in targets {
            let Some(marker) = markers.get(target.marker as usize) else {
                return Err(Refusal::NoMarker { index: target.marker, markers: markers.len() });
            };
            let name = || names.markers[target.marker as usize].clone();
            if !good(target.weight) {
                return Err(Refusal::BadWeight { of: name(), weight: target.weight });
            }
            let seen = &target.position;
            if !(seen.x.is_finite() && seen.y.is_finite() && (seen.z.is_finite() || system.skeleton.planar)) {
                return Err(Refusal::TargetNotFinite { marker: name() });
            }
            let place = marker.place as usize;
            let body = numbers.place_body[place] as usize;
            self.aims.push(Aim { body, place: numbers.tree.place_p[place], measured: *seen, share: target.weight });
            whole += target.weight;
        }
        if whole > 0.0 {
            self.aims.iter_mut().for_each(|aim| aim.share /= whole);
        }
        self.draws.clear();
        for task in tasks {
            let coord = task.coordinate as usize;
            let Some(name) = names.coordinates.get(coord).map(|c| &c.name) else {
                return Err(Refusal::NoCoordinate { index: task.coordinate, coordinates: names.coordinates.len() });
            };
            let Some(dof) = self.dof_of[coord] else {
                return Err(Refusal::TaskOnQuaternion { coordinate: name.clone() });
            };
            if !good(task.weight) {
                return Err(Refusal::BadWeight { of: name.clone(), weight: task.weight });
            }
            if !task.value.is_finite() {
                return Err(Refusal::TaskNotFinite { coordinate: name.clone() });
            }
            self.draws.push(Draw { dof, coord, weight: task.weight, value: task.value });
        }
        self.q.copy_from_slice(q);
        normalise(&system.skeleton, &mut self.q);
        Ok(())
    }

    /// Goes from `self.q` to a minimum.
    pub(super) fn search(&mut self, system: &System, t: f64) -> Found {
        self.settle();
        for (dof, standing) in self.standing.iter_mut().enumerate() {
            *standing = if self.freedoms[dof].locked || !self.only[dof] { Standing::Locked } else { Standing::Free };
        }
        self.pinned.fill(false);
        if !self.loops.is_empty() {
            self.trial.copy_from_slice(&self.q);
            if self.close_loops(system, t) {
                self.q.copy_from_slice(&self.trial);
            }
            self.loops.multiplier.fill(0.0);
        }
        let mut objective = self.objective(system, false);
        self.differentiate(system, t);
        self.observe();
        let curved = self.loops.is_empty();
        let (mut damping, mut converged, mut iterations) = (0.0, false, 0);
        // Size of the last step if it was one of Newton's, and whether the pose was looked at last.
        let (mut before, mut looked) = (0.0, true);
        while iterations < self.options.iterations && !converged {
            self.hold_bounds();
            let mut taken = None;
            let mut gain = 0.0;
            for _ in 0..20 {
                let whole = curved && self.find_step(damping, true);
                if !whole && !self.find_step(damping, false) {
                    damping = raised(damping);
                    continue;
                }
                let size = self.shorten();
                gain = -dense::dot(&self.sums.gradient, &self.step);
                if size == 0.0 {
                    taken = Some((0.0, objective, whole));
                    self.trial.copy_from_slice(&self.q);
                    break;
                }
                self.trial.copy_from_slice(&self.q);
                retract(&system.skeleton, &mut self.trial, &self.step);
                self.clip();
                let closed = curved || self.close_loops(system, t);
                looked = false;
                let reached = self.objective(system, true);
                let flat = gain <= FLAT * objective;
                if closed && (reached < objective || flat && reached <= objective * (1.0 + 1e-9)) {
                    taken = Some((size, reached, whole));
                    break;
                }
                damping = raised(damping);
                if !curved {
                    // The rows were looked at elsewhere.
                    self.objective(system, false);
                    self.loops.look(system, &self.frames, t, &self.q, &self.still);
                }
            }
            let Some((size, reached, whole)) = taken else {
                // No step goes down: a minimum as far as numbers can tell, if the slope promises nothing.
                converged = gain.abs() <= 1e-9 * objective;
                break;
            };
            std::mem::swap(&mut self.q, &mut self.trial);
            iterations += 1;
            let flat = gain <= FLAT * objective && whole && damping == 0.0;
            (objective, looked) = (reached, true);
            // Newton's steps shrink with their squares: what would follow a short one is far below the limit.
            let newton = whole && damping == 0.0;
            converged = size < self.options.step || flat || (newton && size < SHORT && size < 0.1 * before);
            before = if newton { size } else { 0.0 };
            if !converged {
                self.differentiate(system, t);
            }
            damping = if damping > 1e-7 { 0.1 * damping } else { 0.0 };
        }
        if !looked {
            self.objective(system, false);
        }
        if !curved {
            self.loops.look(system, &self.frames, t, &self.q, &self.still);
        }
        Found { converged, iterations, objective }
    }

    /// f at the pose, or at the trial.
    pub(super) fn objective(&mut self, system: &System, trial: bool) -> f64 {
        let System { skeleton, numbers, .. } = system;
        let q = if trial { &self.trial } else { &self.q };
        self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, &self.still, &[]);
        self.frames.fill_points(skeleton);
        let squares = |draw: &Draw| draw.weight * (q[draw.coord] - draw.value) * (q[draw.coord] - draw.value);
        self.sums.measure(skeleton, &self.frames, &self.aims) + self.draws.iter().map(squares).sum::<f64>()
    }

    /// Derivatives of ½ f and of loops at the pose, which was looked at last.
    fn differentiate(&mut self, system: &System, t: f64) {
        let System { skeleton, numbers, .. } = system;
        let (dofs, curved) = (skeleton.dofs(), self.loops.is_empty());
        self.sums.differentiate(skeleton, &numbers.tree, &self.frames, &self.q, &self.aims, curved);
        self.scale = (0..dofs).map(|k| self.sums.normal[k * dofs + k]).fold(0.0, f64::max);
        for draw in &self.draws {
            self.sums.gradient[draw.dof] += draw.weight * (self.q[draw.coord] - draw.value);
            self.sums.normal[draw.dof * dofs + draw.dof] += draw.weight;
        }
        if self.scale == 0.0 {
            self.scale = (0..dofs).map(|k| self.sums.normal[k * dofs + k]).fold(0.0, f64::max);
        }
        if !curved {
            self.loops.look(system, &self.frames, t, &self.q, &self.still);
        }
    }

    /// Writes H + λ diag N of the free degrees of freedom; with loops some of AᵀA is added, which changes no step that keeps to them.
    fn fill_matrix(&mut self, damping: f64, curved: bool) {
        let (dofs, m) = (self.step.len(), self.free.len());
        for (i, &e) in self.free.iter().enumerate() {
            let normal = &self.sums.normal[e * dofs..=e * dofs + e];
            let row = &mut self.matrix[i * m..=i * m + i];
            if curved {
                let curvature = &self.sums.curvature[e * dofs..=e * dofs + e];
                row.iter_mut().zip(&self.free).for_each(|(x, d)| *x = normal[*d] + curvature[*d]);
            } else {
                row.iter_mut().zip(&self.free).for_each(|(x, d)| *x = normal[*d]);
            }
            row[i] += damping * normal[e];
        }
        if self.loops.is_empty() {
            return;
        }
        let steepest = self.loops.each(dofs).flatten().fold(0.0, |most: f64, x| most.max(x * x));
        let share = if self.scale > 0.0 && steepest > 0.0 { self.scale / steepest } else { 1.0 };
        for slopes in self.loops.each(dofs) {
            for (i, &e) in self.free.iter().enumerate().filter(|(_, e)| slopes[**e] != 0.0) {
                let factor = share * slopes[e];
                let row = &mut self.matrix[i * m..=i * m + i];
                row.iter_mut().zip(&self.free).for_each(|(x, d)| *x += factor * slopes[*d]);
            }
        }
    }

    /// Sets aside what markers, tasks and loops do not determine.
    fn observe(&mut self) {
        self.free.clear();
        self.free.extend((0..self.step.len()).filter(|dof| self.standing[*dof] == Standing::Free));
        let m = self.free.len();
        self.fill_matrix(0.0, false);
        let scale = if self.scale > 0.0 { self.scale } else { 1.0 };
        if dense::factor(&mut self.matrix[..m * m], m, CLEAR * scale).is_some() {
            return;
        }
        self.fill_matrix(0.0, false);
        let (free, standing) = (&self.free, &mut self.standing);
        dense::undetermined(&mut self.matrix[..m * m], m, UNOBSERVED * scale, &mut self.taken, |k| {
            standing[free[k]] = Standing::Unobserved;
        });
    }

    /// Holds coordinates at ends of ranges where the slope draws them beyond, and lets go of the others.
    fn hold_bounds(&mut self) {
        let dofs = self.step.len();
        for (dof, freedom) in self.freedoms.iter().enumerate().filter(|(_, freedom)| freedom.bounded()) {
            if !matches!(self.standing[dof], Standing::Free | Standing::AtBound) {
                continue;
            }
            let mut slope = self.sums.gradient[dof];
            if !self.loops.is_empty() {
                slope +=
                    self.loops.each(dofs).zip(&self.loops.multiplier).map(|(slopes, multiplier)| slopes[dof] * multiplier).sum::<f64>();
            }
            let x = self.q[freedom.coord];
            let beyond = x <= freedom.lower && slope > 0.0 || x >= freedom.upper && slope < 0.0;
            self.standing[dof] = if beyond { Standing::AtBound } else { Standing::Free };
        }
    }

    /// Fills `self.step`; false where the matrix is not positive definite. A coordinate that would leave its range goes to its end, and the others answer.
    fn find_step(&mut self, damping: f64, curved: bool) -> bool {
        let dofs = self.step.len();
        self.step.fill(0.0);
        self.pinned.fill(false);
        for _ in 0..=dofs {
            self.free.clear();
            self.free.extend((0..dofs).filter(|dof| self.standing[*dof] == Standing::Free && !self.pinned[*dof]));
            let m = self.free.len();
            if m == 0 {
                return true;
            }
            self.fill_matrix(damping, curved);
            self.x.clear();
            for &e in &self.free {
                let mut sum = self.sums.gradient[e];
                for d in (0..dofs).filter(|d| self.pinned[*d]) {
                    let at = e.max(d) * dofs + e.min(d);
                    sum += self.step[d] * (self.sums.normal[at] + if curved { self.sums.curvature[at] } else { 0.0 });
                }
                self.x.push(-sum);
            }
            let matrix = &mut self.matrix[..m * m];
            if dense::factor(matrix, m, 1e-15 * self.scale).is_none() {
                return false;
            }
            dense::solve(matrix, m, &mut self.x);
            if !self.loops.is_empty() {
                self.loops.constrain(&self.free, dofs, &self.step, &mut self.x, |y| dense::solve(matrix, m, y));
            }
            let mut within = true;
            for (&dof, x) in self.free.iter().zip(&self.x) {
                let freedom = &self.freedoms[dof];
                let (low, high) = (freedom.lower - self.q[freedom.coord], freedom.upper - self.q[freedom.coord]);
                if freedom.bounded() && !(*x >= low && *x <= high) {
                    within = false;
                    self.pinned[dof] = true;
                    self.step[dof] = x.clamp(low.min(0.0), high.max(0.0));
                }
            }
            if within {
                self.free.iter().zip(&self.x).for_each(|(dof, x)| self.step[*dof] = *x);
                return self.step.iter().all(|x| x.is_finite());
            }
        }
        false
    }

    /// Shortens the step to turns of [`LONGEST_TURN`]; returns its largest entry.
    fn shorten(&mut self) -> f64 {
        let turns = |(x, freedom): (&f64, &Freedom)| if freedom.turns { x.abs() } else { 0.0 };
        let longest = self.step.iter().zip(&self.freedoms).map(turns).fold(0.0, f64::max);
        if longest > LONGEST_TURN {
            self.step.iter_mut().for_each(|x| *x *= LONGEST_TURN / longest);
        }
        self.step.iter().fold(0.0, |most, x| most.max(x.abs()))
    }

    /// Brings the pose into the ranges.
    fn settle(&mut self) {
        for (dof, freedom) in self.freedoms.iter().enumerate().filter(|(_, f)| f.bounded() && !f.locked) {
            if self.only[dof] {
                self.q[freedom.coord] = self.q[freedom.coord].clamp(freedom.lower, freedom.upper);
            }
        }
    }

    /// Brings the trial into the ranges, from which rounding may have moved it, and pinned coordinates to their ends.
    fn clip(&mut self) {
        for freedom in self.freedoms.iter().filter(|f| f.bounded() && !f.locked) {
            self.trial[freedom.coord] = self.trial[freedom.coord].clamp(freedom.lower, freedom.upper);
        }
    }

    /// Moves the trial onto the loops by the shortest way; false where it cannot.
    fn close_loops(&mut self, system: &System, t: f64) -> bool {
        let System { skeleton, numbers, .. } = system;
        let mut best = f64::INFINITY;
        self.taken.clear();
        let movable = |(standing, pinned): (&Standing, &bool)| *standing == Standing::Free && !pinned;
        self.taken.extend(self.standing.iter().zip(&self.pinned).map(movable));
        // The multipliers of the step are still needed.
        let mut correction = std::mem::take(&mut self.x);
        correction.resize(self.step.len(), 0.0);
        let mut closed = false;
        for _ in 0..30 {
            self.frames.fill::<f64, false>(skeleton, &numbers.tree, &self.trial, &self.still, &[]);
            self.frames.fill_points(skeleton);
            self.loops.look(system, &self.frames, t, &self.trial, &self.still);
            let open = self.loops.largest();
            closed = open <= CLOSED;
            if closed || !open.is_finite() || open >= 4.0 * best {
                break;
            }
            best = best.min(open);
            self.loops.correction(&self.taken, &mut correction);
            retract(skeleton, &mut self.trial, &correction);
            for (dof, freedom) in self.freedoms.iter().enumerate().filter(|(_, f)| f.bounded() && !f.locked) {
                let x = self.trial[freedom.coord];
                self.trial[freedom.coord] = x.clamp(freedom.lower, freedom.upper);
                self.taken[dof] &= self.trial[freedom.coord] == x;
            }
        }
        self.x = correction;
        closed || self.loops.largest() < 100.0 * CLOSED
    }

    /// Takes whole turns off angles, so that they stay within half a turn of `before`.
    pub(super) fn unwrap(&mut self, before: &[f64]) {
        for (dof, freedom) in self.freedoms.iter().enumerate() {
            let counts = !freedom.periodic || freedom.bounded() || freedom.locked || self.loops.counts_turns(dof);
            if counts || self.draws.iter().any(|draw| draw.dof == dof) {
                continue;
            }
            let turned = self.q[freedom.coord] - before[freedom.coord];
            if turned.abs() > PI {
                self.q[freedom.coord] -= TAU * (turned / TAU).round();
            }
        }
    }

    /// Writes the fit of the pose, which was looked at last.
    fn report(&mut self, system: &System, found: Found, targets: &[Target]) {
        let fit = &mut self.fit;
        (fit.converged, fit.iterations, fit.objective) = (found.converged, found.iterations, found.objective);
        fit.error.clear();
        fit.error.extend_from_slice(&self.sums.error);
        let (mut sum, mut count) = (0.0, 0);
        (fit.largest, fit.worst, fit.swap) = (0.0, None, None);
        for (target, error) in targets.iter().zip(&fit.error).filter(|(target, _)| target.weight > 0.0) {
            let square = error.dot(*error);
            sum += square;
            count += 1;
            if fit.worst.is_none() || square.sqrt() > fit.largest {
                (fit.largest, fit.worst) = (square.sqrt(), Some(target.marker));
            }
        }
        fit.rms = if count > 0 { (sum / f64::from(count)).sqrt() } else { 0.0 };
        fit.unobserved.clear();
        fit.at_bound.clear();
        for (dof, freedom) in self.freedoms.iter().enumerate() {
            let x = self.q[freedom.coord];
            let ended = freedom.bounded() && (x <= freedom.lower || x >= freedom.upper);
            match self.standing[dof] {
                Standing::Unobserved => fit.unobserved.push(freedom.coord as u32),
                Standing::AtBound => fit.at_bound.push(freedom.coord as u32),
                Standing::Free if self.pinned[dof] && ended => fit.at_bound.push(freedom.coord as u32),
                _ => {}
            }
        }
        let enough = if system.skeleton.planar { 2 } else { 3 };
        let on = |body: usize| self.aims.iter().filter(move |aim| aim.body == body && aim.share > 0.0).count();
        let has = |body: usize| {
            let places = &system.numbers.place_body;
            system.markers.iter().filter(|marker| places[marker.place as usize] as usize == body).count()
        };
        let roots = (1..system.skeleton.parent.len()).filter(|b| system.skeleton.parent[*b] == 0);
        let mut few = false;
        for body in roots {
            few |= on(body) < enough.min(has(body));
        }
        fit.few_root_markers = few;
        fit.loop_error = if self.loops.is_empty() { 0.0 } else { self.loops.largest() };
    }
}

/// The next larger damping.
fn raised(damping: f64) -> f64 {
    if damping == 0.0 { 1e-4 } else { 10.0 * damping }
}
