//! From markers to coordinates: gaps filled, points filtered, one pose after the other, and how well each fits.
//! Not here: the pose of one frame (`borelli_dynamics::kinematics`), which marker is which (`markers`).
//! In: a system, markers of a plan, the time that is asked for. Out: a table of `coord.NAME.value`, columns of markers, lines of the health block.

mod report;

use super::angles::Chain;
use super::filter;
use super::markers::{Pair, pair};
use super::plan::{CoordinateTask, Filter, FilterOf, Frames, Markers, Method, TaskValue};
use crate::plan::Time;
use crate::plan_fault::{Misfit, PlanFault};
use crate::run::{HealthLine, Scalar, Watch};
use borelli_data::signal::{GapMethod, fill_gaps};
use borelli_data::{Recording, Trajectory, parse_quantity};
use borelli_dynamics::System;
use borelli_dynamics::frames;
use borelli_dynamics::integrate::Statistics;
use borelli_dynamics::kinematics::trajectory::{Smoothness, smooth};
use borelli_dynamics::kinematics::{Fit, Options, Solver, Target, Task, extrapolate};
use borelli_dynamics::system::Measure;
use borelli_math::Vec3;
use borelli_model::{Dim, Explain, parse_unit, suggest};
use std::sync::Arc;

/// How far beyond the time that is asked for frames are fitted, s: ends of filters and splines are weak, and shall not be those of the window.
const MARGIN: f64 = 0.5;
/// Share of the markers with a weight that must be seen there.
const SEEN: f64 = 0.75;

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

/// What a fit is asked for: markers, what is done to them, which time.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    pub system: &'a System,
    pub markers: &'a Markers,
    pub filter: Option<Filter>,
    pub time: Time,
}

impl Ask<'_> {
    /// Frames of the time that is asked for.
    fn window(&self) -> Result<std::ops::RangeInclusive<usize>, Misfit> {
        let (clock, time) = (&self.markers.recording.clock, self.time);
        let inside = |k: &usize| time.holds(clock.time(*k), 1.0 / clock.rate);
        let (first, last) = ((0..clock.count).find(inside), (0..clock.count).rfind(inside));
        match first.zip(last) {
            Some((first, last)) if last > first => Ok(first..=last),
            _ => Err(Misfit::of("markers", "", PlanFault::NoFrames { start: time.start, end: time.end })),
        }
    }

    /// What a fit would leave, at the default pose and without any number of it: enough to know columns, and whether names, tasks and times fit.
    pub(crate) fn outline(&self) -> Result<Fitted, Misfit> {
        let (pairs, _) = pair(self.system, self.markers).map_err(|fault| Misfit::of("markers", "", fault))?;
        tasks(self.system, &self.markers.tasks)?;
        if self.filter.is_some_and(|filter| !filter.rule.looks_at_signal()) {
            ready(self.system, self.markers, &pairs, self.filter, &mut Vec::new()).map_err(|fault| Misfit::of("markers", "", fault))?;
        }
        if self.markers.method == Method::Angles {
            let missing = |reason| Misfit::of("markers", "", PlanFault::MethodMissing { method: "angles", reason });
            Chain::new(self.system, &pairs).map_err(missing)?;
        }
        let mut walk = Walk::new(self.system, &pairs, 0);
        let q: Vec<f64> = self.system.coordinates.iter().map(|rule| rule.default).collect();
        for frame in self.window()? {
            let time = self.markers.recording.clock.time(frame);
            let (fit, targets, seen) = (Fit::default(), Vec::new(), Vec::new());
            walk.frames.push(Frame { time, frame, asked: true, q: q.clone(), fit, targets, seen, bridged: false });
        }
        let fault = |reason| Misfit::of("markers", "", PlanFault::MotionTable { reason });
        let fitted = walk.finish(&self.markers.recording, Vec::new()).map_err(fault)?;
        Ok(Fitted { health: Vec::new(), ..fitted })
    }

    /// Fits the frames that are asked for, and some beyond; nothing where `watch` wants to stop.
    pub(crate) fn fit(&self, watch: &mut dyn Watch) -> Result<Option<Fitted>, Misfit> {
        fit(self, watch)
    }
}

fn fit(ask: &Ask, watch: &mut dyn Watch) -> Result<Option<Fitted>, Misfit> {
    let Ask { system, markers, filter, .. } = *ask;
    let (pairs, told) = pair(system, markers).map_err(|fault| Misfit::of("markers", "", fault))?;
    let tasks = tasks(system, &markers.tasks)?;
    let mut told = [markers.notes.clone(), vec![("markers".into(), told)]].concat();
    let window = ask.window()?;
    let mut mended = None;
    if markers.mend_swaps && markers.method == Method::Markers {
        let Some((recording, said)) = mend(ask, &pairs, &tasks, watch)? else { return Ok(None) };
        told.push(("exchanged markers".into(), said));
        mended = Some(Markers { recording: Arc::new(recording), ..markers.clone() });
    }
    let markers = mended.as_ref().unwrap_or(markers);
    let recording = ready(system, markers, &pairs, filter, &mut told).map_err(|fault| Misfit::of("markers", "", fault))?;
    let clock = &recording.clock;
    let frames = widened(&window, &recording, &pairs);
    let mut walk = Walk::new(system, &pairs, frames.clone().count());
    let statistics = Statistics::default();
    match markers.method {
        Method::Markers => {
            for frame in frames.clone() {
                if watch.stop() {
                    return Ok(None);
                }
                let time = clock.time(frame);
                let refused = |reason| Misfit::of("markers", "", PlanFault::FrameRefused { time, reason });
                walk.step(time, &recording, frame, &tasks).map_err(refused)?;
                watch.progress(time, &statistics);
            }
        }
        Method::Angles => {
            let missing = |reason| Misfit::of("markers", "", PlanFault::MethodMissing { method: "angles", reason });
            walk.by_angles(&recording, frames.clone()).map_err(missing)?;
            told.push(("method".into(), "one reference point and angles of segments of constant length".into()));
        }
    }
    walk.frames.iter_mut().for_each(|frame| frame.asked = window.contains(&frame.frame));
    walk.cut_bad_ends();
    if walk.frames.iter().all(|frame| frame.bridged) {
        return Err(Misfit::of("markers", "", PlanFault::NothingSeen { frames: window.count() }));
    }
    walk.bridge();
    if let Frames::Smooth { noise } = markers.frames {
        let smoothed = walk
            .smooth(clock.rate, noise, &|| watch.stop())
            .map_err(|reason| Misfit::of("markers", "", PlanFault::NotSmoothed { reason }))?;
        let Some(smoothed) = smoothed else { return Ok(None) };
        told.push(("trajectory".into(), smoothed));
    }
    walk.judge();
    walk.finish(&recording, told).map(Some).map_err(|reason| Misfit::of("markers", "", PlanFault::MotionTable { reason }))
}

/// The recording with exchanged markers put back, and what was done; nothing where it was stopped. Signals are looked at as they were measured: a filter would smear
/// what was exchanged over the frames around.
fn mend(ask: &Ask, pairs: &[Pair], tasks: &[Task], watch: &mut dyn Watch) -> Result<Option<(Recording, String)>, Misfit> {
    let mut whole = Recording::clone(&ask.markers.recording);
    let own = |pair: &Pair| whole.points[pair.point].clone();
    let mut seen = Recording { clock: whole.clock.clone(), points: pairs.iter().map(own).collect(), ..Recording::default() };
    let frames = widened(&ask.window()?, &seen, pairs);
    let mut walk = Walk::new(ask.system, pairs, frames.clone().count());
    let mut list: Vec<(String, Vec<f64>)> = Vec::new();
    for frame in frames {
        if watch.stop() {
            return Ok(None);
        }
        let time = seen.clock.time(frame);
        let refused = |reason| Misfit::of("markers", "", PlanFault::FrameRefused { time, reason });
        walk.step(time, &seen, frame, tasks).map_err(refused)?;
        // Two pairs at most are looked for in one frame, such as both feet.
        for _ in 0..2 {
            let Some((a, b)) = walk.frames.last().and_then(|last| last.fit.swap) else { break };
            let place = |marker: u32| pairs.iter().position(|pair| pair.marker == marker);
            let (Some(a), Some(b)) = (place(a), place(b)) else { break };
            for (points, (a, b)) in [(&mut seen.points, (a, b)), (&mut whole.points, (pairs[a].point, pairs[b].point))] {
                let (first, second) = (points[a].position[frame], points[b].position[frame]);
                (points[a].position[frame], points[b].position[frame]) = (second, first);
            }
            walk.frames.pop();
            walk.step(time, &seen, frame, tasks).map_err(refused)?;
            let names = format!("{} and {}", seen.points[a.min(b)].name, seen.points[a.max(b)].name);
            match list.iter_mut().find(|(known, _)| *known == names) {
                Some((_, times)) => times.push(time),
                None => list.push((names, vec![time])),
            }
        }
    }
    let each = |(names, times): &(String, Vec<f64>)| {
        let (first, last) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        format!("{names} put back in {} frames from {first:.3} to {last:.3} s", times.len())
    };
    let said = if list.is_empty() { "none found".to_string() } else { list.iter().map(each).collect::<Vec<_>>().join("; ") };
    Ok(Some((whole, said)))
}

/// The frames of a window and those around it, as long as most markers are seen there without interruption.
fn widened(window: &std::ops::RangeInclusive<usize>, recording: &Recording, pairs: &[Pair]) -> std::ops::RangeInclusive<usize> {
    let weighty = || (0..pairs.len()).filter(|k| pairs[*k].weight > 0.0);
    let good = |frame: &usize| weighty().filter(|k| recording.points[*k].seen[*frame]).count() as f64 >= SEEN * weighty().count() as f64;
    let most = (MARGIN * recording.clock.rate).round() as usize;
    let before = (0..*window.start()).rev().take(most).take_while(good).count();
    let after = (window.end() + 1..recording.clock.count).take(most).take_while(good).count();
    window.start() - before..=window.end() + after
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

/// More gaps of one kind than this are counted, not listed.
const MOST_GAPS: usize = 8;

/// Gaps by what became of them: name of the marker, length in s, and how it was treated.
fn gaps_in_words(list: &[(&str, f64, String)]) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for (_, _, kind) in list {
        if !kinds.contains(&kind.as_str()) {
            kinds.push(kind);
        }
    }
    let words = |kind: &&str| {
        let own: Vec<&(&str, f64, String)> = list.iter().filter(|gap| gap.2 == **kind).collect();
        if own.len() <= MOST_GAPS {
            let each: Vec<String> = own.iter().map(|(name, length, _)| format!("{name} {length:.3} s")).collect();
            return format!("{kind}: {}", each.join(", "));
        }
        let mut names: Vec<&str> = own.iter().map(|gap| gap.0).collect();
        names.sort_unstable();
        names.dedup();
        let (least, most) = own.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), gap| (least.min(gap.1), most.max(gap.1)));
        format!("{kind}: {} gaps of {} markers, {least:.3} to {most:.3} s", own.len(), names.len())
    };
    kinds.iter().map(words).collect::<Vec<_>>().join("; ")
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
        let list =
            gaps.iter().map(|gap| (recording.points[gap.point].name.as_str(), gap.length, describe(&gap.method))).collect::<Vec<_>>();
        told.push(("gaps".into(), gaps_in_words(&list)));
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
    /// Number in the recording.
    frame: usize,
    /// It lies in the time that was asked for; others only support the ends.
    asked: bool,
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
    solver: Solver,
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
    fn by_angles(&mut self, recording: &Recording, frames: std::ops::RangeInclusive<usize>) -> Result<(), String> {
        let mut chain = Chain::new(self.system, self.pairs)?;
        let mut q: Vec<f64> = self.system.coordinates.iter().map(|rule| rule.default).collect();
        for frame in frames {
            let place = |k: usize| recording.points[k].seen[frame].then(|| recording.points[k].position[frame]);
            let found = chain.pose(self.pairs, place, &mut q);
            let (seen, targets) = self.targets(recording, frame);
            let fit = Fit { converged: true, ..Fit::default() };
            let time = recording.clock.time(frame);
            self.frames.push(Frame { time, frame, asked: true, q: q.clone(), fit, targets, seen, bridged: !found });
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
            self.solver.begin(self.system, &targets, &mut q).map_err(|refusal| refusal.message())?;
        }
        let fit = self.solver.solve(self.system, time, &targets, tasks, &mut q).map_err(|refusal| refusal.message())?.clone();
        // Few markers of the root are enough where those of other bodies tell all coordinates.
        let bridged = targets.is_empty() || (fit.few_root_markers && !fit.unobserved.is_empty());
        self.frames.push(Frame { time, frame, asked: true, q, fit, targets, seen, bridged });
        Ok(())
    }

    /// Takes frames beyond the window away from the first on that could not be fitted well.
    fn cut_bad_ends(&mut self) {
        let bad = |frame: &Frame| !frame.asked && (frame.bridged || !frame.fit.converged || !frame.fit.unobserved.is_empty());
        if let Some(last) = self.frames.iter().take_while(|frame| !frame.asked).collect::<Vec<_>>().iter().rposition(|frame| bad(frame)) {
            self.frames.drain(..=last);
        }
        let inside = self.frames.iter().rposition(|frame| frame.asked).map_or(0, |k| k + 1);
        if let Some(first) = self.frames[inside..].iter().position(bad) {
            self.frames.truncate(inside + first);
        }
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

    /// All frames at once, from where single ones are; what was done is told, nothing where it was stopped.
    fn smooth(&mut self, rate: f64, noise: Option<f64>, stop: &dyn Fn() -> bool) -> Result<Option<String>, String> {
        let (targets, start): (Vec<Vec<Target>>, Vec<Vec<f64>>) =
            self.frames.iter().map(|frame| (frame.targets.clone(), frame.q.clone())).unzip();
        let smoothness = noise.map_or(Smoothness::CrossValidation, Smoothness::Noise);
        let smooth = smooth(self.system, 1.0 / rate, &targets, &start, smoothness, stop).map_err(|refusal| refusal.message())?;
        let Some(smooth) = smooth else { return Ok(None) };
        for (own, q) in self.frames.iter_mut().zip(smooth.q) {
            own.q = q;
            own.fit.converged = smooth.converged;
            own.bridged = false;
        }
        Ok(Some(format!("all frames at once, price of changes of velocity {:.3e} m^2 s^3/rad^2, {} steps", smooth.mu, smooth.iterations)))
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
}

#[cfg(test)]
mod tests {
    use super::gaps_in_words;

    #[test]
    fn few_gaps_are_listed_and_many_are_counted() {
        let mut list = vec![("LASI", 0.25, "by a spline".to_string()), ("RASI", 0.5, "by a spline".to_string())];
        assert_eq!(gaps_in_words(&list), "by a spline: LASI 0.250 s, RASI 0.500 s");
        list.extend((0..9).map(|k| (["C7", "T10", "CLAV"][k % 3], 0.1 * (k + 1) as f64, "left, at an end".to_string())));
        let words = "by a spline: LASI 0.250 s, RASI 0.500 s; left, at an end: 9 gaps of 3 markers, 0.100 to 0.900 s";
        assert_eq!(gaps_in_words(&list), words);
        assert_eq!(gaps_in_words(&[]), "");
    }
}
