//! From markers to coordinates: gaps filled, points filtered, one pose after the other, and how well each fits.
//! Not here: the pose of one frame (`borelli_dynamics::kinematics`), which marker is which (`markers`).
//! In: a system, markers of a plan, the time that is asked for. Out: a table of `coord.NAME.value`, columns of markers, lines of the health block.

use super::angles::Chain;
use super::filter;
use super::markers::{Pair, pair};
use super::plan::{CoordinateTask, Filter, FilterOf, Frames, Markers, Method, TaskValue};
use crate::plan::Time;
use crate::plan_fault::{Misfit, PlanFault};
use crate::run::{HealthLine, Scalar};
use borelli_data::signal::{GapMethod, fill_gaps};
use borelli_data::{Column, Recording, Trajectory, parse_quantity};
use borelli_dynamics::System;
use borelli_dynamics::frames;
use borelli_dynamics::kinematics::trajectory::{Smoothness, smooth};
use borelli_dynamics::kinematics::{Fit, Options, Solver, Target, Task, extrapolate};
use borelli_dynamics::system::Measure;
use borelli_math::Vec3;
use borelli_model::{Dim, Explain, parse_unit, suggest};

/// Errors beyond this are worth a look, m: twice what skin moves over bones.
const LARGE: f64 = 0.04;

/// Coordinates found from markers.
pub(crate) struct Fitted {
    /// Columns `coord.NAME.value`.
    pub table: Trajectory,
    /// Columns of markers.
    pub beside: Trajectory,
    pub told: Vec<(String, String)>,
    pub health: Vec<HealthLine>,
    pub scalars: Vec<Scalar>,
}

/// Fits all frames from start to end.
pub(crate) fn fit(system: &System, ask: &Markers, filter: Option<Filter>, time: Time) -> Result<Fitted, Misfit> {
    let (pairs, told) = pair(system, ask).map_err(|fault| Misfit::of("markers", "", fault))?;
    let tasks = tasks(system, &ask.tasks)?;
    let mut told = [ask.notes.clone(), vec![("markers".into(), told)]].concat();
    let recording = ready(system, ask, &pairs, filter, &mut told).map_err(|fault| Misfit::of("markers", "", fault))?;
    let clock = &recording.clock;
    let near = 0.5 / clock.rate;
    let frames: Vec<usize> = (0..clock.count).filter(|k| (time.start - near..=time.end + near).contains(&clock.time(*k))).collect();
    if frames.len() < 2 {
        return Err(Misfit::of("markers", "", PlanFault::NoFrames { start: time.start, end: time.end }));
    }
    let mut walk = Walk::new(system, &pairs, frames.len());
    match ask.method {
        Method::Markers => {
            for frame in &frames {
                let time = clock.time(*frame);
                let refused = |reason| Misfit::of("markers", "", PlanFault::FrameRefused { time, reason });
                walk.step(time, &recording, *frame, &tasks).map_err(refused)?;
            }
        }
        Method::Angles => {
            let missing = |reason| Misfit::of("markers", "", PlanFault::MethodMissing { method: "angles", reason });
            walk.by_angles(&recording, &frames).map_err(missing)?;
            told.push(("method".into(), "one reference point and angles of segments of constant length".into()));
        }
    }
    if walk.frames.iter().all(|frame| frame.bridged) {
        return Err(Misfit::of("markers", "", PlanFault::NothingSeen { frames: frames.len() }));
    }
    walk.bridge();
    if let Frames::Smooth { noise } = ask.frames {
        let told_smooth = walk.smooth(clock.rate, noise).map_err(|reason| Misfit::of("markers", "", PlanFault::NotSmoothed { reason }))?;
        told.push(("trajectory".into(), told_smooth));
    }
    walk.judge();
    walk.finish(&recording, &frames, told).map_err(|reason| Misfit::of("markers", "", PlanFault::MotionTable { reason }))
}

/// Tasks by index and in SI.
fn tasks(system: &System, asked: &[CoordinateTask]) -> Result<Vec<Task>, Misfit> {
    let names = &system.names.coordinates;
    let mut list = Vec::new();
    for task in asked {
        let Some(k) = names.iter().position(|coordinate| coordinate.name == task.coordinate) else {
            let nearest = suggest(&task.coordinate, names.iter().map(|c| c.name.as_str())).map(str::to_string);
            return Err(
                Misfit::of("markers", "", PlanFault::UnknownTask { coordinate: task.coordinate.clone(), nearest }).at(Some(task.at))
            );
        };
        let unit = if names[k].measure == Measure::Length { "m" } else { "rad" };
        let expected = parse_unit(unit).map_or(Dim::NONE, |(_, dim)| dim);
        let value = match &task.value {
            TaskValue::Default => system.coordinates[k].default,
            TaskValue::Quantity(text) => match parse_quantity(text) {
                Ok((value, dim)) if dim == Dim::NONE || dim == expected => value,
                Ok((_, found)) => {
                    return Err(Misfit::of("markers", "", PlanFault::VariableUnit { name: task.coordinate.clone(), found, expected })
                        .at(Some(task.at)));
                }
                Err(_) => return Err(Misfit::of("markers", "", PlanFault::NotQuantity { text: text.clone() }).at(Some(task.at))),
            },
        };
        list.push(Task { coordinate: k as u32, weight: task.weight, value });
    }
    Ok(list)
}

/// The recording with its gaps filled and its points filtered.
fn ready(
    system: &System,
    ask: &Markers,
    pairs: &[Pair],
    filter: Option<Filter>,
    told: &mut Vec<(String, String)>,
) -> Result<Recording, PlanFault> {
    let own = |pair: &Pair| ask.recording.points[pair.point].clone();
    let mut recording = Recording { clock: ask.recording.clock.clone(), points: pairs.iter().map(own).collect(), ..Recording::default() };
    // Points of one body carry each other over gaps.
    let body = |pair: &Pair| system.numbers.place_body[system.markers[pair.marker as usize].place as usize];
    let mut bodies: Vec<(u32, Vec<usize>)> = Vec::new();
    for (k, pair) in pairs.iter().enumerate() {
        match bodies.iter_mut().find(|(known, _)| *known == body(pair)) {
            Some((_, list)) => list.push(k),
            None => bodies.push((body(pair), vec![k])),
        }
    }
    let bodies: Vec<Vec<usize>> = bodies.into_iter().map(|(_, list)| list).collect();
    let gaps = fill_gaps(&mut recording, &bodies, ask.max_gap);
    if !gaps.is_empty() {
        let describe = |method: &GapMethod| match method {
            GapMethod::Rigid(others) => format!("carried by {others} others of its body"),
            GapMethod::Spline => "by a spline".into(),
            GapMethod::TooLong => "left, too long".into(),
            GapMethod::AtTheEnd => "left, at an end".into(),
            GapMethod::TooFewAround => "left, too little around".into(),
        };
        let each: Vec<String> =
            gaps.iter().map(|gap| format!("{} {:.3} s {}", recording.points[gap.point].name, gap.length, describe(&gap.method))).collect();
        told.push(("gaps".into(), each.join(", ")));
    }
    if let Some(filter) = filter.filter(|filter| filter.of == FilterOf::Markers) {
        told.push(("filter of markers".into(), filter::points(&mut recording.points, &recording.clock, &filter.rule)?));
    }
    Ok(recording)
}

/// Model minus measured position of every target at a pose; z does not count in the plane.
fn errors(system: &System, frames: &mut frames::Frames<f64>, q: &[f64], targets: &[Target]) -> Vec<Vec3<f64>> {
    let (skeleton, tree) = (&system.skeleton, &system.numbers.tree);
    frames.fill::<f64, false>(skeleton, tree, q, &vec![0.0; skeleton.dofs()], &[]);
    frames.fill_points(skeleton);
    let error = |target: &Target| {
        let place = system.markers[target.marker as usize].place as usize;
        let body = system.numbers.place_body[place] as usize;
        let gap = frames.p[body] + frames.R[body] * tree.place_p[place] - target.position;
        if skeleton.planar { Vec3 { z: 0.0, ..gap } } else { gap }
    };
    targets.iter().map(error).collect()
}

/// One frame that was fitted.
#[derive(Clone, Debug)]
struct Frame {
    time: f64,
    q: Vec<f64>,
    fit: Fit,
    /// What was seen, in the order of the errors of the fit.
    targets: Vec<Target>,
    /// Which pairs those are.
    seen: Vec<usize>,
    /// Nothing was found, or not enough of the root was seen: between its neighbours.
    bridged: bool,
}

/// Frames one after the other.
struct Walk<'s> {
    system: &'s System,
    pairs: &'s [Pair],
    solver: Solver<'s>,
    frames: Vec<Frame>,
}

impl<'s> Walk<'s> {
    fn new(system: &'s System, pairs: &'s [Pair], count: usize) -> Walk<'s> {
        Walk { system, pairs, solver: Solver::new(system, Options::default()), frames: Vec::with_capacity(count) }
    }

    /// What was seen in a frame: which pairs, and where.
    fn targets(&self, recording: &Recording, frame: usize) -> (Vec<usize>, Vec<Target>) {
        let seen: Vec<usize> = (0..self.pairs.len()).filter(|k| recording.points[*k].seen[frame]).collect();
        let target = |k: &usize| Target {
            marker: self.pairs[*k].marker,
            position: recording.points[*k].position[frame],
            weight: self.pairs[*k].weight,
        };
        let targets = seen.iter().map(target).collect();
        (seen, targets)
    }

    /// All frames by the angles of segments; why not is told.
    fn by_angles(&mut self, recording: &Recording, frames: &[usize]) -> Result<(), String> {
        let mut chain = Chain::new(self.system, self.pairs)?;
        let mut q: Vec<f64> = self.system.coordinates.iter().map(|rule| rule.default).collect();
        for frame in frames {
            let place = |k: usize| recording.points[k].seen[*frame].then(|| recording.points[k].position[*frame]);
            let found = chain.pose(self.pairs, place, &mut q);
            let (seen, targets) = self.targets(recording, *frame);
            let fit = Fit { converged: true, ..Fit::default() };
            self.frames.push(Frame { time: recording.clock.time(*frame), q: q.clone(), fit, targets, seen, bridged: !found });
        }
        Ok(())
    }

    fn step(&mut self, time: f64, recording: &Recording, frame: usize, tasks: &[Task]) -> Result<(), String> {
        let (seen, targets) = self.targets(recording, frame);
        let mut q = match self.frames.as_slice() {
            [] => self.system.coordinates.iter().map(|rule| rule.default).collect(),
            [.., before, last] if !before.bridged && !last.bridged => {
                let mut next = last.q.clone();
                extrapolate(&self.system.skeleton, &before.q, &last.q, &mut next);
                next
            }
            [.., last] => last.q.clone(),
        };
        if self.frames.iter().all(|frame| frame.bridged) {
            self.solver.begin(&targets, &mut q).map_err(|refusal| refusal.message())?;
        }
        let fit = self.solver.solve(time, &targets, tasks, &mut q).map_err(|refusal| refusal.message())?.clone();
        // Few markers of the root are enough where those of other bodies tell all coordinates.
        let bridged = targets.is_empty() || (fit.few_root_markers && !fit.unobserved.is_empty());
        self.frames.push(Frame { time, q, fit, targets, seen, bridged });
        Ok(())
    }

    /// Frames without enough of the root lie between their neighbours; those at the ends stay as they were found.
    fn bridge(&mut self) {
        let good: Vec<usize> = (0..self.frames.len()).filter(|k| !self.frames[*k].bridged).collect();
        for k in 0..self.frames.len() {
            if !self.frames[k].bridged {
                continue;
            }
            let after = good.partition_point(|own| *own < k);
            let (Some(a), Some(b)) = (after.checked_sub(1).map(|i| good[i]), good.get(after).copied()) else { continue };
            let s = (k - a) as f64 / (b - a) as f64;
            let q: Vec<f64> = self.frames[a].q.iter().zip(&self.frames[b].q).map(|(a, b)| a + s * (b - a)).collect();
            self.frames[k].q = q;
            crate::columns::normalise(self.system, &mut self.frames[k].q);
        }
    }

    /// All frames at once, from where single ones are; what was done is told.
    fn smooth(&mut self, rate: f64, noise: Option<f64>) -> Result<String, String> {
        let (targets, start): (Vec<Vec<Target>>, Vec<Vec<f64>>) =
            self.frames.iter().map(|frame| (frame.targets.clone(), frame.q.clone())).unzip();
        let smoothness = noise.map_or(Smoothness::CrossValidation, Smoothness::Noise);
        let smooth = smooth(self.system, 1.0 / rate, &targets, &start, smoothness).map_err(|refusal| refusal.message())?;
        for (own, q) in self.frames.iter_mut().zip(smooth.q) {
            own.q = q;
            own.fit.converged = smooth.converged;
            own.bridged = false;
        }
        Ok(format!("all frames at once, price of changes of velocity {:.3e} m^2 s^3/rad^2, {} steps", smooth.mu, smooth.iterations))
    }

    /// Errors at the poses that were found, where those are not what the solver left.
    fn judge(&mut self) {
        let mut frames = frames::Frames::new(&self.system.skeleton);
        for own in &mut self.frames {
            own.fit.error = errors(self.system, &mut frames, &own.q, &own.targets);
            let weighted: Vec<f64> =
                own.fit.error.iter().zip(&own.targets).filter(|(_, target)| target.weight > 0.0).map(|(error, _)| error.norm()).collect();
            own.fit.rms = (weighted.iter().map(|x| x * x).sum::<f64>() / weighted.len().max(1) as f64).sqrt();
            own.fit.largest = weighted.iter().copied().fold(0.0, f64::max);
        }
    }

    fn finish(self, recording: &Recording, frames: &[usize], told: Vec<(String, String)>) -> Result<Fitted, String> {
        let unit = |measure: Measure| match measure {
            Measure::Angle => "rad",
            Measure::Length => "m",
            Measure::Quaternion => "1",
        };
        let columns =
            self.system.names.coordinates.iter().map(|c| Column::new(format!("coord.{}.value", c.name), unit(c.measure))).collect();
        let mut table = Trajectory::new(columns).map_err(|fault| fault.to_string())?;
        let mut beside = Trajectory::new(self.columns()).map_err(|fault| fault.to_string())?;
        for (own, frame) in self.frames.iter().zip(frames) {
            table.push_row(&[&[own.time], &own.q[..]].concat()).map_err(|fault| fault.to_string())?;
            beside.push_row(&self.row(own, recording, *frame)).map_err(|fault| fault.to_string())?;
        }
        let (scalars, health) = (self.scalars(), self.health());
        Ok(Fitted { table, beside, told, health, scalars })
    }

    /// The name of a marker as part of a column's name.
    fn name(&self, pair: &Pair) -> &str {
        &self.system.names.markers[pair.marker as usize]
    }

    fn columns(&self) -> Vec<Column> {
        let mut list = Vec::new();
        for pair in self.pairs {
            let name = self.name(pair);
            list.extend(["x", "y", "z"].map(|axis| Column::optional(format!("marker.{name}.{axis}"), "m")));
            list.push(Column::new(format!("marker.{name}.valid"), "1"));
            list.extend(["x", "y", "z", "norm"].map(|axis| Column::optional(format!("marker.{name}.error.{axis}"), "m")));
            list.push(Column::new(format!("marker.{name}.error.valid"), "1"));
        }
        list.push(Column::new("markers.seen", "1"));
        list.push(Column::new("markers.rms", "m"));
        list.push(Column::new("markers.largest", "m"));
        list
    }

    fn row(&self, own: &Frame, recording: &Recording, frame: usize) -> Vec<f64> {
        let mut row = vec![own.time];
        for k in 0..self.pairs.len() {
            match own.seen.iter().position(|seen| *seen == k) {
                Some(place) => {
                    let error = own.fit.error[place];
                    row.extend(recording.points[k].position[frame].to_array());
                    row.push(1.0);
                    row.extend(error.to_array());
                    row.extend([error.norm(), 1.0]);
                }
                None => row.extend([f64::NAN, f64::NAN, f64::NAN, 0.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN, 0.0]),
            }
        }
        row.extend([own.seen.len() as f64, own.fit.rms, own.fit.largest]);
        row
    }

    /// Mean and largest error of each pair over the frames in which it was seen, and in how many that was.
    fn errors(&self) -> Vec<(f64, f64, usize)> {
        let mut list = vec![(0.0, 0.0_f64, 0_usize); self.pairs.len()];
        for frame in &self.frames {
            for (error, k) in frame.fit.error.iter().zip(&frame.seen) {
                let size = Vec3::norm(*error);
                let (sum, most, count) = &mut list[*k];
                (*sum, *most, *count) = (*sum + size, most.max(size), *count + 1);
            }
        }
        list.into_iter().map(|(sum, most, count)| (sum / count.max(1) as f64, most, count)).collect()
    }

    /// Root mean square of the errors of markers with a weight, over all frames.
    fn rms(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0_f64);
        for frame in &self.frames {
            for (error, _) in frame.fit.error.iter().zip(&frame.seen).filter(|(_, k)| self.pairs[**k].weight > 0.0) {
                sum += error.dot(*error);
                count += 1.0;
            }
        }
        (sum / count.max(1.0)).sqrt()
    }

    fn scalars(&self) -> Vec<Scalar> {
        let scalar = |name: String, value: f64, unit: &str| Scalar { name, value, unit: unit.into() };
        let errors = self.errors();
        let most = errors.iter().map(|(_, most, _)| *most).fold(0.0, f64::max);
        let iterations: usize = self.frames.iter().map(|frame| frame.fit.iterations).sum();
        let mut list = vec![
            scalar("markers.rms".into(), self.rms(), "m"),
            scalar("markers.largest".into(), most, "m"),
            scalar("markers.iterations".into(), iterations as f64 / self.frames.len().max(1) as f64, "1"),
        ];
        for (pair, (mean, most, count)) in self.pairs.iter().zip(errors) {
            let name = self.name(pair);
            list.push(scalar(format!("marker.{name}.mean_error"), mean, "m"));
            list.push(scalar(format!("marker.{name}.largest_error"), most, "m"));
            list.push(scalar(format!("marker.{name}.frames"), count as f64, "1"));
        }
        list
    }

    fn health(&self) -> Vec<HealthLine> {
        let line = |key: &'static str, label: &str, value: f64, unit: &str, good: Option<bool>, text: String| HealthLine {
            key,
            label: label.into(),
            value: Some(value),
            unit: unit.into(),
            good,
            text,
        };
        let errors = self.errors();
        let worst = (0..self.pairs.len()).max_by(|a, b| errors[*a].1.total_cmp(&errors[*b].1));
        let label = |k: usize| self.system.markers[self.pairs[k].marker as usize].label.clone();
        let most = worst.map_or(0.0, |k| errors[k].1);
        let told =
            worst.map_or(String::new(), |k| format!("root mean square over all frames; at most {:.4} m, of `{}`", errors[k].1, label(k)));
        let mut lines = vec![line("marker_errors", "errors of markers", self.rms(), "m", Some(most <= LARGE), told)];
        let coordinates = |list: fn(&Fit) -> &Vec<u32>| {
            let mut names: Vec<&str> = Vec::new();
            for k in self.frames.iter().flat_map(|frame| list(&frame.fit)) {
                let name = self.system.names.coordinates[*k as usize].name.as_str();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join(", ")
        };
        let mut count = |key: &'static str, label: &str, holds: fn(&Frame) -> bool, text: String| {
            let count = self.frames.iter().filter(|frame| holds(frame)).count();
            if count > 0 {
                let text = format!("of {}: {text}", self.frames.len());
                lines.push(line(key, label, count as f64, "1", Some(false), text));
            }
        };
        count("not_converged", "frames not converged", |frame| !frame.fit.converged, "where the search ended is taken".into());
        count(
            "unobserved",
            "frames with coordinates that no marker tells",
            |frame| !frame.fit.unobserved.is_empty(),
            format!("held at their last value: {}", coordinates(|fit| &fit.unobserved)),
        );
        count(
            "at_bound",
            "frames at a bound",
            |frame| !frame.fit.at_bound.is_empty(),
            format!("markers would draw beyond it: {}", coordinates(|fit| &fit.at_bound)),
        );
        count("bridged", "frames with too few markers of the root", |frame| frame.bridged, "taken between their neighbours".into());
        let swapped: Vec<String> = self
            .frames
            .iter()
            .filter_map(|frame| {
                let (a, b) = frame.fit.swap?;
                let name = |k: u32| self.system.markers[k as usize].label.clone();
                Some(format!("{} and {} at {:.3} s", name(a), name(b), frame.time))
            })
            .collect();
        if !swapped.is_empty() {
            let shown = swapped.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            lines.push(line("swaps", "frames with exchanged markers", swapped.len() as f64, "1", Some(false), shown));
        }
        let missing: usize = self.frames.iter().map(|frame| self.pairs.len() - frame.seen.len()).sum();
        let never: Vec<String> = (0..self.pairs.len()).filter(|k| errors[*k].2 == 0).map(label).collect();
        let never = if never.is_empty() { String::new() } else { format!("; never seen: {}", never.join(", ")) };
        let text = format!("of {} in all frames{never}", self.pairs.len() * self.frames.len());
        lines.push(line("missing_markers", "markers not seen", missing as f64, "1", None, text));
        lines
    }
}
