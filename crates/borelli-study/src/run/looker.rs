//! The observer of a run: records at the sample times, keeps the watch informed, notes what is worth a line of the health block.
//! Not here: events (`events`), the loop over stretches (`simulate`).

use super::Watch;
use super::health::{Peaks, Pressing};
use super::middle_watch::MiddleWatch;
use super::muscle_health::MuscleWatch;
use super::path_health::PathWatch;
use super::pinch_watch::{self, PinchWatch};
use super::recorder::{Recorder, RowFault};
use super::singular_watch::{self, SingularWatch};
use super::stick_watch::{self, StickWatch};
use crate::columns::{Look, Source};
use crate::plan::{Analysis, Motion, MotionSource, Plan, Time};
use borelli_dynamics::System;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::integrate::{Flow, Found, Observer, Ode, Step, find_scheme};
use borelli_dynamics::movement::{Layout, Movement};

/// Samples of a run without `sample`.
const SAMPLES: f64 = 200.0;
/// A sample this close to the end, in parts of the interval, is the end.
const CLOSE: f64 = 1e-6;

/// Times at which a run is recorded: start + k sample, and the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Samples {
    start: f64,
    end: f64,
    interval: f64,
    next: u64,
}

impl Samples {
    /// How many there are at most.
    pub(super) fn count(plan: &Plan) -> f64 {
        if plan.analysis == Analysis::Statics {
            return 1.0;
        }
        if let (Some(Motion { source: MotionSource::Table(table), .. }), true) = (&plan.motion, plan.at_rows) {
            return table.len() as f64;
        }
        let length = plan.time.end - plan.time.start;
        1.0 + (length / interval(plan).unwrap_or(length / SAMPLES)).ceil()
    }

    /// Those of a plan; a run taken up again goes on with the same ones.
    pub(super) fn new(time: Time, interval: Option<f64>, from: f64) -> Samples {
        let interval = interval.unwrap_or((time.end - time.start) / SAMPLES);
        let mut samples = Samples { start: time.start, end: time.end, interval, next: 0 };
        while samples.peek().is_some_and(|t| t < from) {
            samples.pass();
        }
        samples
    }

    /// The next time that is due.
    pub(super) fn peek(&self) -> Option<f64> {
        let t = self.start + self.next as f64 * self.interval;
        let last = t > self.end - CLOSE * self.interval;
        let before = self.start + (self.next as f64 - 1.0) * self.interval;
        match last {
            false => Some(t),
            true if self.next == 0 || before <= self.end - CLOSE * self.interval => Some(self.end),
            true => None,
        }
    }

    /// Passes to the one after.
    pub(super) fn pass(&mut self) {
        self.next += 1;
    }

    /// Passes all that are due by a time.
    pub(super) fn pass_until(&mut self, t: f64) {
        while self.peek().is_some_and(|due| due <= t) {
            self.pass();
        }
    }
}

/// The interval that a plan asks for; implicit methods are recorded at their own steps where it does not say.
pub(super) fn interval(plan: &Plan) -> Option<f64> {
    let implicit = plan.analysis == Analysis::Simulate && plan.integrator.method.as_ref().is_some_and(|name| find_scheme(name).is_some());
    plan.time.sample.or(plan.integrator.settings.step.filter(|_| implicit))
}

/// Looks at every accepted step.
pub(super) struct Looker<'a, 's> {
    pub system: &'s System,
    pub recorder: Recorder<'s>,
    /// Corrects states of the dense output as the ends of steps are corrected; nothing where they are not.
    pub corrector: Option<Box<Movement>>,
    pub samples: Samples,
    pub peaks: Peaks,
    pub pressing: Pressing,
    pub muscles: MuscleWatch,
    pub paths: PathWatch<'s>,
    pub pinch: PinchWatch<'s>,
    /// Nothing where no friction jumps at rest, and with fixed steps.
    pub sticking: Option<StickWatch>,
    pub singular: SingularWatch<'s>,
    pub middle: MiddleWatch<'s>,
    pub watch: &'a mut dyn Watch,
    /// Where the parts of a state lie.
    pub layout: Layout,
    /// Memory for a state between steps, accelerations and multipliers.
    pub y: Vec<f64>,
    pub a: Vec<f64>,
    pub lambda: Vec<f64>,
    /// Why recording ended the run.
    pub fault: Option<RowFault>,
    /// Whether the watch ended the run.
    pub interrupted: bool,
}

impl Looker<'_, '_> {
    /// Which rows hold from now on, and what they are asked for.
    pub(super) fn set_row_control(&mut self, control: &RowControl) {
        self.recorder.channels().set_row_control(control);
        self.singular.set_row_control(control);
        if let Some(corrector) = &mut self.corrector {
            // It was made for this system.
            let _ = corrector.recall(&control.memory);
        }
    }

    /// Surfaces that stick under a law without a force for that, at the end of a step.
    fn stuck(&mut self, step: &Step) -> Option<RowFault> {
        let (watch, layout) = (self.sticking.as_mut()?, self.layout);
        let channels = self.recorder.channels();
        let y = step.y;
        channels
            .look(Look { t: step.t1, q: layout.q(y), v: layout.v(y), z: layout.z(y), source: Source::Forward, work: layout.work(y) })
            .ok()?;
        let pair = watch.note(step.t1, channels.touching())?;
        let contact = self.system.numbers.contacts.pairs[pair].contact as usize;
        Some(RowFault::Watched {
            element: format!("contact.{}", self.system.names.contacts[contact]),
            reason: stick_watch::reason(self.system, pair),
        })
    }

    /// A singular position from which the motion is not determined, passed with a step.
    fn lost(&mut self, step: &Step) -> Option<RowFault> {
        if !self.singular.note(step) {
            return None;
        }
        let layout = self.layout;
        let channels = self.recorder.channels();
        let mut balance = |t: f64, y: &[f64]| {
            let look = Look { t, q: layout.q(y), v: layout.v(y), z: layout.z(y), source: Source::Forward, work: layout.work(y) };
            let balance = channels.index("system.energy.balance")?;
            channels.look(look).ok().map(|values| values[balance])
        };
        let (t, y) = &self.singular.before;
        let jump = balance(*t, y).zip(balance(step.t1, step.y)).map(|(before, after)| after - before);
        let singular_watch::Lost { element, reason } = self.singular.judge(step.t1, step.y, jump)?;
        Some(RowFault::Watched { element, reason })
    }

    /// Looks at the state that the run begins with; why it cannot.
    pub(super) fn begin(&mut self, t: f64, y: &[f64]) -> Option<RowFault> {
        self.middle.at(t, self.layout.q(y), self.layout.v(y)).map(|through| through.fault(self.system))
    }

    /// Records a state.
    pub(super) fn record(&mut self, t: f64, y: &[f64], found: Option<&Found>) -> Result<(), RowFault> {
        if self.recorder.last().is_some_and(|last| last >= t) {
            return Ok(());
        }
        let source = match found {
            None => Source::Forward,
            Some(found) => {
                found.eval(t, &mut self.a, &mut self.lambda);
                Source::Given { vdot: &self.a, row_force: &self.lambda }
            }
        };
        let layout = self.layout;
        self.recorder.push(Look { t, q: layout.q(y), v: layout.v(y), z: layout.z(y), source, work: layout.work(y) })?;
        self.peaks.note(self.recorder.channels().values());
        self.pressing.note(self.recorder.channels().touching());
        self.muscles.note(self.recorder.channels().values());
        self.paths.note(t, layout.q(y));
        Ok(())
    }
}

impl Observer for Looker<'_, '_> {
    fn step(&mut self, step: &Step) -> Flow {
        // Samples end before bodies go through each other.
        let through = self.middle.note(step);
        let is_due = |t: &f64| *t <= step.t1 && through.is_none_or(|through| *t < through.t);
        while let Some(t) = self.samples.peek().filter(is_due) {
            let mut y = std::mem::take(&mut self.y);
            if t == step.t1 {
                y.copy_from_slice(step.y);
            } else {
                step.interpolant.eval(t, &mut y);
            }
            // The dense output leaves loops and guides by its own error, and so does the end of a step that an event cut short.
            if let Some(corrector) = &mut self.corrector {
                corrector.of(self.system).accepted(t, &mut y);
            }
            let recorded = self.record(t, &y, step.found.as_ref());
            self.y = y;
            if let Err(fault) = recorded {
                self.fault = Some(fault);
                // The last good state: the sample before this one, or where the step began.
                return Flow::StopAt(self.recorder.last().map_or(step.t0, |last| last.max(step.t0)));
            }
            self.samples.pass();
            // A step may hold millions of samples.
            if self.watch.stop() {
                self.interrupted = true;
                return Flow::StopAt(t);
            }
        }
        if let Some(through) = through {
            self.fault = Some(through.fault(self.system));
            return Flow::StopAt(through.t);
        }
        if let Some(pinch) = self.pinch.note(step.t1, self.layout.q(step.y)) {
            let element = format!("path.{}", self.system.names.paths[pinch.path]);
            self.fault = Some(RowFault::Watched { element, reason: pinch_watch::reason(self.system, &pinch) });
            return Flow::StopAt(step.t1);
        }
        if let Some(fault) = self.stuck(step).or_else(|| self.lost(step)) {
            self.fault = Some(fault);
            return Flow::StopAt(step.t1);
        }
        if let Some(work) = self.layout.work(step.y) {
            self.peaks.note_work(work);
        }
        self.watch.progress(step.t1, step.statistics);
        if self.watch.stop() {
            self.interrupted = true;
            return Flow::StopAt(step.t1);
        }
        Flow::Continue
    }
}
