//! Runs with soft parts: motion by an implicit scheme, or rest under loads put on in steps.
//! Not here: the equations (`borelli_dynamics::coupled`), columns (`soft_columns`), runs of rigid models (`simulate`, `statics`).
//! In: a system with soft parts and a plan. Out: an `Outcome` with a `SoftRecord`.
//!
//! Events, and going on from a saved state, are refused. In statics the time column is the part of the loads that acts.

use super::coupled_failure::{failed, not_at_rest};
use super::engine::{choose, scheme};
use super::health::{self, Peaks};
use super::looker::{Samples, interval};
use super::recorder::Recorder;
use super::simulate::{row_failure, scalars, settings};
use super::start::start;
use super::{EndState, HealthLine, Outcome, Outline, Ready, Scalar, Status, Verdict, Watch};
use crate::channels::Channels;
use crate::columns::{Columns, Look, Source};
use crate::plan::{Analysis, Plan};
use crate::plan_fault::PlanFault;
use crate::pressure::Maps;
use crate::soft_columns::SoftColumns;
use crate::soft_record::SoftRecord;
use borelli_dynamics::System;
use borelli_dynamics::coupled::{CoupledMovement, RestOptions};
use borelli_dynamics::formulation::decline_soft;
use borelli_dynamics::implicit_movement::ImplicitOptions;
use borelli_dynamics::integrate::{
    Failure, Flow, Implicit, Newton, Observer, Residual, Scheme, StartAcceleration, Statistics, Step, integrate_implicit,
};
use borelli_dynamics::movement::Layout;
use borelli_dynamics::scene::Push;
use borelli_model::Findings;

/// Frames of soft parts that a run keeps at most.
const MOST_FRAMES: f64 = 120.0;
/// Points of integration that a run keeps at most, over all frames: 80 bytes each.
const MOST_GAUSS: usize = 2_000_000;
/// An overlap at the start above this part of the size of the soft parts is worth a look.
const OVERLAP: f64 = 1e-6;

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    if !matches!(plan.analysis, Analysis::Simulate | Analysis::Statics) {
        findings.push(None, "", "analysis", &PlanFault::SoftAnalysis { analysis: plan.analysis.name() });
        return Err(findings);
    }
    if let Err(declined) = decline_soft(system)
        && plan.formulation != "coupled"
    {
        let fault = PlanFault::Declined { formulation: plan.formulation.clone(), reason: declined.reason };
        findings.push(None, "", "formulation", &fault);
        return Err(findings);
    }
    if from.is_some() {
        findings.push(None, "", "restart", &PlanFault::SoftRestart);
    }
    if !plan.events.is_empty() {
        findings.push(None, "", "event", &PlanFault::SoftEvents);
    }
    let at_rest = plan.analysis == Analysis::Statics;
    let choice = if at_rest { None } else { choose(system, plan, None, &mut findings) };
    let scheme = match &choice {
        Some(choice) if choice.is_implicit() => scheme(plan, choice, &mut findings),
        Some(choice) => {
            findings.push(None, "integrator", "method", &PlanFault::SoftNeedsImplicit { method: choice.name.into() });
            None
        }
        None => None,
    };
    let begin = if findings.has_errors() { None } else { start(system, plan, None, &mut findings) };
    let Some(begin) = begin else { return Err(findings) };
    let options = ImplicitOptions {
        memory: begin.memory.clone(),
        audit: !at_rest,
        stop_at_breakpoints: plan.integrator.stop_at_breakpoints,
        ..ImplicitOptions::default()
    };
    let mut movement = match CoupledMovement::new(system, options) {
        Ok(movement) => movement,
        Err(declined) => {
            findings.push(None, "", "formulation", &PlanFault::Declined { formulation: "coupled".into(), reason: declined.reason });
            return Err(findings);
        }
    };
    movement.record_convergence();
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(system, &begin.q, &begin.v, &mut x, &mut v);
    let soft = SoftColumns::new(movement.problem(), &x);
    let columns = Columns::with_soft(system, !at_rest, soft.list());
    let channels = Channels::new(columns, &plan.beside, &plan.derived, &mut findings);
    let recorder = Recorder::new(channels, &plan.columns, Maps::new(system, plan), &mut findings);
    if findings.has_errors() {
        return Err(findings);
    }
    let layout = Layout::with_nodes(system, !at_rest, nodes);
    let mut recorder = recorder;
    let peaks = Peaks::new(recorder.channels());
    let run = Run {
        system,
        plan,
        recorder,
        peaks,
        soft,
        record: SoftColumns::record(movement.problem(), &x),
        every: 1,
        samples: 0,
        gauss: 0,
        layout,
        pushes: Vec::new(),
        paths: Vec::new(),
        fault: None,
        interrupted: false,
        solver: String::new(),
        folded: None,
    };
    let whole =
        if at_rest { rest_scalars(&Status::Completed, 0) } else { scalars(&Status::Completed, &Statistics::default(), &run.peaks, 0.0) };
    let outline = Outline { columns: run.recorder.columns(), scalars: whole };
    Ok(Ready {
        outline,
        go: Box::new(move |watch| {
            let y = [&begin.q[..], &x, &begin.v, &v, &begin.z, if at_rest { &[][..] } else { &begin.work }].concat();
            Ok(match (scheme, choice) {
                (Some(scheme), Some(choice)) => run.move_on(movement, scheme, &choice, begin, y, watch),
                _ => run.come_to_rest(movement, begin, y, watch),
            })
        }),
    })
}

/// Numbers of statics.
fn rest_scalars(status: &Status, iterations: usize) -> Vec<Scalar> {
    let scalar = |name: &str, value: f64| Scalar { name: name.into(), value, unit: "1".into() };
    vec![scalar("run.completed", if status.is_good() { 1.0 } else { 0.0 }), scalar("statics.iterations", iterations as f64)]
}

struct Run<'a> {
    system: &'a System,
    plan: &'a Plan,
    recorder: Recorder<'a>,
    peaks: Peaks,
    soft: SoftColumns,
    record: SoftRecord,
    /// A frame is kept at every so many samples.
    every: usize,
    samples: usize,
    /// Points of integration kept so far.
    gauss: usize,
    layout: Layout,
    pushes: Vec<Push>,
    /// Lengths and rates of paths over nodes.
    paths: Vec<(u32, [f64; 2])>,
    fault: Option<super::recorder::RowFault>,
    interrupted: bool,
    /// What is worth telling of the linear solver.
    solver: String,
    /// The first cell that was seen folded over: time or part of the loads, body, cell.
    folded: Option<(f64, usize, usize)>,
}

impl Run<'_> {
    /// Records a state with its multipliers; `part` of the loads acts.
    fn note(
        &mut self,
        movement: &mut CoupledMovement,
        t: f64,
        y: &[f64],
        a: &[f64],
        lambda: &[f64],
        part: f64,
    ) -> Result<(), super::recorder::RowFault> {
        let layout = self.layout;
        let shown = if self.plan.analysis == Analysis::Statics { part } else { t };
        if self.recorder.last().is_some_and(|last| last >= shown) {
            return Ok(());
        }
        movement.of(self.system).observe(t, y, a, lambda, part).map_err(super::recorder::RowFault::Evaluation)?;
        let rows = self.system.names.rows.len();
        let (x, v) = (layout.nodes(y), layout.node_rates(y));
        self.soft.fill(movement, x, v, &lambda[rows..]);
        movement.fill_pushes(self.system, &mut self.pushes);
        movement.path_lengths(x, v, &mut self.paths);
        self.recorder.channels().set_soft(self.soft.values(), self.soft.energy(), &self.pushes, &self.paths);
        let source = Source::Given { vdot: &a[..layout.dofs], row_force: &lambda[..rows] };
        let look = Look { t: shown, q: layout.q(y), v: layout.v(y), z: layout.z(y), source, work: layout.work(y) };
        self.recorder.push(look)?;
        self.peaks.note(self.recorder.channels().values());
        if self.samples.is_multiple_of(self.every) {
            let points: usize = movement.problem().gauss_points();
            let gauss = self.gauss + points <= MOST_GAUSS;
            self.gauss += if gauss { points } else { 0 };
            self.record.frames.push(self.soft.frame(shown, movement, [x, v], &lambda[rows..], gauss));
        }
        self.samples += 1;
        if self.folded.is_none() {
            self.folded = movement.problem().folded(x).map(|(body, cell)| (shown, body, cell));
        }
        Ok(())
    }

    fn move_on(
        mut self,
        mut movement: CoupledMovement,
        scheme: Scheme,
        choice: &super::engine::Choice,
        begin: EndState,
        mut y: Vec<f64>,
        watch: &mut dyn Watch,
    ) -> Outcome {
        let (system, plan) = (self.system, self.plan);
        let own = &plan.integrator;
        let count = Samples::count(plan);
        self.every = (count / MOST_FRAMES).ceil().max(1.0) as usize;
        let mut statistics = Statistics::default();
        let mut status = None;
        let mut equations = movement.of(system);
        let settled = if own.settle_soft { equations.settle(begin.t, &mut y) } else { equations.take_up_loads(begin.t, &mut y) };
        if let Err(trouble) = settled {
            status = Some(failed(system, &movement, self.layout, &Failure::of(trouble, begin.t), &y, begin.t));
        }
        let newton = Newton { form: own.form, start: own.start_acceleration, ..Newton::default() };
        let mut method = Implicit::new(scheme, newton, &movement.of(system));
        // The first state is recorded as it is.
        let (mut a, mut lambda) =
            (vec![0.0; movement.of(system).dofs() + system.numbers.states.len()], vec![0.0; movement.of(system).rows()]);
        let c = self.layout.coords + self.layout.soft;
        if status.is_none() {
            let moving = a.len();
            let found = movement.of(system).accelerations(begin.t, &y[..c], &y[c..c + moving], &mut a, &mut lambda);
            if own.start_acceleration == StartAcceleration::Zero {
                a.fill(0.0);
            }
            status = match found {
                Err(failure) => Some(failed(system, &movement, self.layout, &Failure::Refused { t: begin.t, cause: failure }, &y, begin.t)),
                Ok(()) => {
                    self.note(&mut movement, begin.t, &y, &a, &lambda, 1.0).err().map(|fault| row_failure(self.system, begin.t, &fault))
                }
            };
        }
        let mut t = begin.t;
        let mut samples = Samples::new(plan.time, interval(plan), t);
        samples.pass_until(t);
        if status.is_none() {
            // A second movement looks at what is recorded: the first is in the hands of the scheme.
            let options = ImplicitOptions { memory: begin.memory.clone(), audit: true, ..ImplicitOptions::default() };
            let ended = match CoupledMovement::new(system, options) {
                Err(_) => Err(Failure::BadSetting { name: "soft parts", value: f64::NAN }),
                Ok(shown) => {
                    let mut looker = Looker { run: &mut self, shown, samples, watch, y: y.clone(), a, lambda };
                    integrate_implicit(
                        &mut method,
                        &mut movement.of(system),
                        (t, plan.time.end),
                        &mut y,
                        &own.settings,
                        &mut statistics,
                        &mut looker,
                    )
                }
            };
            status = Some(match ended {
                Ok(end) => {
                    t = end.t;
                    match self.fault.take() {
                        Some(fault) => row_failure(self.system, t, &fault),
                        None if self.interrupted => Status::Interrupted { t },
                        None => Status::Completed,
                    }
                }
                Err(failure) => {
                    t = failure.time().unwrap_or(t);
                    failed(system, &movement, self.layout, &failure, &y, t)
                }
            });
        }
        let status = status.unwrap_or(Status::Completed);
        self.record.steps = movement.take_convergence();
        self.tell_solver(&movement);
        let mut health = health::lines(&self.peaks, &statistics, choice.kind());
        let unseen = movement.problem().leaks().or(system.numbers.tree.mass.iter().all(|mass| *mass == 0.0).then_some("motion"));
        if let Some(what) = unseen {
            for line in health.iter_mut().filter(|line| line.key == "energy_balance") {
                line.verdict = Verdict::None;
                line.text = format!("Not checked: the {what} of soft parts is not in the balance.");
            }
        }
        health.extend(self.warnings(&movement));
        health.push(self.solver_line(&movement));
        let mut told = settings(plan, choice, None);
        told.push(("soft parts start".into(), if own.settle_soft { "carrying the forces of the start" } else { "unstrained" }.into()));
        let layout = self.layout;
        let end = EndState {
            t,
            q: layout.q(&y).to_vec(),
            v: layout.v(&y).to_vec(),
            z: layout.z(&y).to_vec(),
            work: y[layout.work_range()].to_vec(),
            ..begin
        };
        let scalars = scalars(&status, &statistics, &self.peaks, t);
        self.finish(status, health, scalars, told, statistics, Some(end))
    }

    fn come_to_rest(mut self, mut movement: CoupledMovement, begin: EndState, y: Vec<f64>, watch: &mut dyn Watch) -> Outcome {
        let system = self.system;
        let (layout, t) = (self.layout, begin.t);
        let mut q = y[..layout.coords + layout.soft].to_vec();
        let rest_of_state = vec![0.0; y.len() - q.len()];
        let mut lambda = vec![0.0; movement.of(system).rows()];
        let still = vec![0.0; rest_of_state.len()];
        self.every = (self.plan.integrator.load_steps as f64 / MOST_FRAMES).ceil().max(1.0) as usize;
        let options = RestOptions { load_steps: self.plan.integrator.load_steps, ..RestOptions::default() };
        let (mut iterations, mut open, mut steps, mut stopped) = (0, 0.0, Vec::new(), None);
        let found = {
            let run = &mut self;
            movement.of(system).rest(t, &mut q, &mut lambda, &options, &mut |movement, step, q, lambda| {
                iterations += step.iterations;
                open = step.open;
                steps.push(step.iterations);
                let state = [q, &rest_of_state].concat();
                if step.asked
                    && let Err(fault) = run.note(movement.memory_mut(), t, &state, &still, lambda, step.part)
                {
                    stopped = Some(row_failure(system, t, &fault));
                    return false;
                }
                if watch.stop() {
                    stopped = Some(Status::Interrupted { t: step.part });
                    return false;
                }
                true
            })
        };
        let status = match (stopped, found) {
            (Some(stopped), _) => stopped,
            (None, Ok(())) => Status::Completed,
            (None, Err(fault)) => not_at_rest(system, &movement, &q[layout.coords..], &fault),
        };
        self.record.steps = movement.take_convergence();
        self.tell_solver(&movement);
        let line = |key, label: &str, value: f64, unit: &str, text: String| HealthLine {
            key,
            label: label.into(),
            value: Some(value),
            unit: unit.into(),
            verdict: Verdict::None,
            part: None,
            text,
        };
        let text = "largest over all coordinates and nodes at the end".to_string();
        let mut health = vec![line("unbalanced", "force that is not balanced", open, "N or N m", text)];
        health.extend(self.warnings(&movement));
        health.push(line(
            "load steps",
            "load steps",
            steps.len() as f64,
            "1",
            format!("iterations of Newton's method in each: {}", steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
        ));
        health.push(self.solver_line(&movement));
        let told = vec![
            ("analysis".into(), "statics".into()),
            ("formulation".into(), "coupled".into()),
            ("method".into(), "Newton's method, loads put on in steps".into()),
            ("functions of time".into(), format!("taken at {t} s, the start of the study; `time` is the part of the loads that acts")),
        ];
        let end = status.is_good().then(|| EndState { q: q[..layout.coords].to_vec(), ..begin });
        let scalars = rest_scalars(&status, iterations);
        self.finish(status, health, scalars, told, Statistics::default(), end)
    }

    /// What the solver had to do beside its usual way.
    fn tell_solver(&mut self, movement: &CoupledMovement) {
        let (notes, problem) = (movement.problem().solver_notes(), movement.problem());
        let mut told = vec![format!("{} factorisations", notes.factorisations)];
        if notes.fallbacks > 0 {
            told.push(format!("{} of them with row exchanges", notes.fallbacks));
        }
        if notes.refinements > 0 {
            told.push(format!("{} solutions refined", notes.refinements));
        }
        if problem.reductions() > 0 {
            let r: Vec<String> = problem.regularisation().iter().map(|r| format!("{r:.3e} N/m")).collect();
            told.push(format!(
                "contacts went round in circles, regularisation made smaller {} times: now {}",
                problem.reductions(),
                r.join(", ")
            ));
        }
        self.solver = told.join("; ");
    }

    /// Cells that are folded over, and soft parts that start inside their targets.
    fn warnings(&self, movement: &CoupledMovement) -> Vec<HealthLine> {
        let definition = movement.problem().definition();
        let line = |key, label: &str, value: f64, unit: &str, verdict, text: String| HealthLine {
            key,
            label: label.into(),
            value: Some(value),
            unit: unit.into(),
            verdict,
            part: None,
            text,
        };
        let mut lines = Vec::new();
        if let Some((at, body, cell)) = self.folded {
            let text = format!(
                "Cell {cell} of soft part `{}` is folded over, first seen here: the result is wrong from then on. Allowed: none. What to do: smaller \
                 loads, more cells, or a material that stays stiff (`robust`).",
                definition.bodies[body].name
            );
            lines.push(line("folded", "cells folded over", at, "s, or part of the loads", Verdict::Bad, text));
        }
        for (k, contact) in definition.contacts.iter().enumerate() {
            let deep = movement.problem().overlap_at_start(k);
            if deep > OVERLAP * movement.problem().size() {
                let text = format!(
                    "Contact `{}` begins with nodes this deep inside the target, and pushes them out at once. Allowed: none. What to do: start outside.",
                    contact.name
                );
                lines.push(line("overlap", "overlap at the start", deep, "m", Verdict::Look, text));
            }
        }
        lines
    }

    fn solver_line(&self, movement: &CoupledMovement) -> HealthLine {
        let problem = movement.problem();
        let warned = problem.solver_notes().fallbacks > 0 || problem.reductions() > 0;
        HealthLine {
            key: "soft",
            label: "soft parts".into(),
            value: None,
            unit: String::new(),
            verdict: if warned { Verdict::Look } else { Verdict::None },
            part: None,
            text: format!("{} nodes; {}", problem.nodes(), self.solver),
        }
    }

    fn finish(
        self,
        status: Status,
        health: Vec<HealthLine>,
        scalars: Vec<Scalar>,
        settings: Vec<(String, String)>,
        statistics: Statistics,
        end: Option<EndState>,
    ) -> Outcome {
        let (trajectory, pressure) = self.recorder.finish();
        Outcome {
            judged: Vec::new(),
            trajectory,
            pressure,
            soft: self.record,
            events: Vec::new(),
            scalars,
            status,
            health,
            settings,
            statistics,
            end,
            fit: None,
            uncertainty: None,
        }
    }
}

/// Looks at every step that is kept.
struct Looker<'r, 'a, 'w> {
    run: &'r mut Run<'a>,
    shown: CoupledMovement,
    samples: Samples,
    watch: &'w mut dyn Watch,
    y: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
}

impl Observer for Looker<'_, '_, '_> {
    fn step(&mut self, step: &Step) -> Flow {
        while let Some(t) = self.samples.peek().filter(|t| *t <= step.t1) {
            if t == step.t1 {
                self.y.copy_from_slice(step.y);
            } else {
                step.interpolant.eval(t, &mut self.y);
            }
            if let Some(found) = &step.found {
                found.eval(t, &mut self.a, &mut self.lambda);
            }
            let (y, a, lambda) = (&self.y, &self.a, &self.lambda);
            if let Err(fault) = self.run.note(&mut self.shown, t, y, a, lambda, 1.0) {
                self.run.fault = Some(fault);
                return Flow::StopAt(step.t0);
            }
            self.samples.pass();
        }
        self.watch.progress(step.t1, step.statistics);
        if self.watch.stop() {
            self.run.interrupted = true;
            return Flow::StopAt(step.t1);
        }
        Flow::Continue
    }
}
