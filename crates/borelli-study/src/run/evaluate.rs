//! `evaluate`, `inverse`, and `mixed` along a motion: everything along a prescribed motion, without integrating.
//! Not here: the motion itself (`motion`), simulating one that is to be followed (`replay`).
//! In: a system, a plan with a motion or guides that leave nothing free. Out: an `Outcome`.
//!
//! Along a table the accelerations are given and `coord.NAME.effort` is what actuators must supply beside the model's own forces; along guides the
//! equations of motion give accelerations, row forces and efforts. Loops and guides of a model exert nothing along a table; the health block says
//! so, and how well the table meets them. States of force elements and integrals are integrated along the motion (`states_along`). `kinematics` is the same without forces: it records the motion and what was measured.

use super::health::{self, Peaks, Pressing};
use super::looker::Samples;
use super::middle_watch::MiddleWatch;
use super::motion::Motion;
use super::muscle_health::MuscleWatch;
use super::recorder::{Recorder, RowFault};
use super::root_check::RootCheck;
use super::simulate::row_failure;
use super::states_along::{METHOD, StatesAlong};
use super::{EndState, Outcome, Outline, Ready, Scalar, Status, Watch, mixed, recorder, replay, touches};
use crate::columns::{Look, Source};
use crate::plan::{self, Analysis, Derivatives, MotionSource, Plan};
use crate::soft_record::SoftRecord;
use borelli_dynamics::System;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::integrate::{Kind, Statistics};
use borelli_dynamics::movement::Layout;
use borelli_model::Findings;

/// What `kinematics` records of a model where the plan does not say; forces along the motion have no meaning there.
const OF_KINEMATICS: [&str; 4] = ["coord.*.value", "coord.*.rate", "coord.*.accel", "body.*"];

/// What finds efforts where accelerations are given, as settings name it.
const RECURSIVE: &str = "recursive Newton-Euler, accelerations are given";

/// Makes the analyses ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, _from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    if let Some(plan::Motion { source: MotionSource::Simulated { interval }, .. }) = plan.motion {
        return replay::prepare(system, plan, interval);
    }
    let mut following = Following::new(system, plan)?;
    Ok(Ready { outline: following.outline(), go: Box::new(|watch| Ok(following.go(plan, watch))) })
}

/// A recorder of what a plan asks for; why not is reported.
pub(super) fn recorder_of<'a>(system: &'a System, plan: &Plan, findings: &mut Findings) -> Option<Recorder<'a>> {
    if plan.analysis != Analysis::Kinematics || !plan.columns.is_empty() {
        return recorder(system, plan, false, findings);
    }
    let measured = plan.beside.iter().flat_map(|table| table.columns()).map(|column| column.name.clone());
    let columns = OF_KINEMATICS.map(str::to_string).into_iter().chain(measured).collect();
    recorder(system, &Plan { columns, ..plan.clone() }, false, findings)
}

/// A motion that can be followed.
pub(super) struct Following<'a> {
    system: &'a System,
    recorder: Recorder<'a>,
    motion: Motion<'a>,
    times: Vec<f64>,
    inverse: bool,
}

impl<'a> Following<'a> {
    /// Checks a plan whose motion is a table or that of guides.
    pub(super) fn new(system: &'a System, plan: &Plan) -> Result<Following<'a>, Findings> {
        let mut findings = Findings::new();
        let recorder = recorder_of(system, plan, &mut findings);
        let motion = Motion::new(system, plan, &mut findings);
        let (Some(recorder), Some(mut motion), false) = (recorder, motion, findings.has_errors()) else { return Err(findings) };
        let times = times(plan);
        if let (Analysis::Mixed, Some(first)) = (plan.analysis, times.first()) {
            let mut now = motion.begin();
            if motion.advance(*first, &mut now).is_ok() {
                mixed::examine(system, plan, *first, &now.q, &now.v, &mut findings);
            }
        }
        if findings.has_errors() {
            Err(findings)
        } else {
            Ok(Following { system, recorder, motion, times, inverse: plan.analysis == Analysis::Inverse })
        }
    }

    /// What it will leave.
    pub(super) fn outline(&mut self) -> Outline {
        let peaks = Peaks::new(self.recorder.channels());
        let root = RootCheck::new(self.system, self.recorder.channels()).filter(|_| self.inverse);
        let of_root = root.iter().flat_map(RootCheck::scalars).collect();
        Outline { columns: self.recorder.columns(), scalars: [scalars(&Status::Completed, 0, &peaks), of_root].concat() }
    }

    /// Follows the motion from sample to sample.
    pub(super) fn go(self, plan: &Plan, watch: &mut dyn Watch) -> Outcome {
        let Following { system, mut recorder, mut motion, times, inverse } = self;
        let (mut peaks, mut pressing) = (Peaks::new(recorder.channels()), Pressing::new(system, recorder.channels()));
        let mut muscles = MuscleWatch::new(system, recorder.channels());
        let (mut now, mut status) = (motion.begin(), Status::Completed);
        let (no_force, statistics) = (vec![0.0; system.names.rows.len()], Statistics::default());
        let layout = Layout::new(system, false);
        let (mut evaluations, mut middle) = (0, MiddleWatch::new(system, layout));
        let (mut y, mut before) = (vec![0.0; layout.dim()], None);
        let mut touching = touches::Following::new(system, plan.touchdown);
        // Of `kinematics` nothing is taken that depends on them.
        let followed = plan.analysis != Analysis::Kinematics;
        let mut states = if followed { StatesAlong::new(system, plan, &motion) } else { None };
        let mut judging = Judging::default();
        let mut root = if inverse { RootCheck::new(system, recorder.channels()) } else { None };
        for t in times {
            if watch.stop() {
                status = Status::Interrupted { t: recorder.last().unwrap_or(plan.time.start) };
                break;
            }
            if let Err(reason) = motion.advance(t, &mut now) {
                status = Status::Failed { t, element: String::new(), reason };
                break;
            }
            let z = match states.as_mut().map(|states| states.advance(&mut motion, t)) {
                Some(Ok(z)) => z,
                Some(Err(reason)) => {
                    let element = system.names.states.first().map_or(String::new(), |state| state.element.clone());
                    status = Status::Failed { t: recorder.last().unwrap_or(t), element, reason };
                    break;
                }
                None => &[],
            };
            if let Some(touching) = &mut touching {
                touching.advance(t, &now.q, &now.v);
                recorder.channels().set_row_control(&RowControl::of(touching.memory.clone()));
            }
            if followed {
                y[..layout.coords].copy_from_slice(&now.q);
                y[layout.v_range()].copy_from_slice(&now.v);
                let mut beside = now.clone();
                let mut between = |t: f64, y: &mut [f64]| {
                    // Where it cannot be followed the sample tells.
                    if motion.advance(t, &mut beside).is_ok() {
                        y[..layout.coords].copy_from_slice(&beside.q);
                        y[layout.v_range()].copy_from_slice(&beside.v);
                    }
                };
                let through = match before {
                    Some(before) => middle.pass((before, t), &y, &mut between),
                    None => middle.at(t, &now.q, &now.v),
                };
                before = Some(t);
                if let Some(through) = through {
                    status = row_failure(system, through.t, &through.fault(system));
                    break;
                }
            }
            let source = if now.vdot.is_empty() { Source::Forward } else { Source::Given { vdot: &now.vdot, row_force: &no_force } };
            let pushed: Result<(), RowFault> = recorder.push(Look { t, q: &now.q, v: &now.v, z, source, work: None });
            if let Err(fault) = pushed {
                status = row_failure(system, t, &fault);
                break;
            }
            evaluations += 1;
            peaks.note(recorder.channels().values());
            pressing.note(recorder.channels().touching());
            muscles.note(recorder.channels().values());
            let loaded = root.as_ref().is_none_or(|root| root.is_loaded(recorder.channels().values()));
            let judged = judging.note(!inverse || plan.unjudged.iter().all(|(from, to)| !(*from..=*to).contains(&t)), loaded);
            if let (Some(root), false) = (&mut root, now.vdot.is_empty()) {
                root.note(&now.q, &now.v, &now.vdot, recorder.channels().values(), judged);
            }
            watch.progress(t, &statistics);
        }
        let mut health = [health::lines(&peaks, &statistics, Kind::Adaptive), pressing.lines(system), muscles.lines()].concat();
        let left_out = plan.analysis != Analysis::Mixed || plan.leaves_rows_out();
        if plan.motion.is_some() && !no_force.is_empty() && left_out {
            health.push(health::left_out(&peaks, no_force.len()));
        }
        health.extend(root.iter().flat_map(RootCheck::lines));
        let (trajectory, pressure) = recorder.finish();
        Outcome {
            health,
            scalars: [scalars(&status, evaluations, &peaks), root.iter().flat_map(RootCheck::scalars).collect()].concat(),
            settings: [settings(system, plan), mixed::settings(system, plan), judging.settings()].concat(),
            judged: judging.judged(),
            trajectory,
            pressure,
            soft: SoftRecord::default(),
            events: Vec::new(),
            status,
            statistics,
            end: None,
            fit: None,
            uncertainty: None,
        }
    }
}

/// Which samples of an inverse analysis can be judged.
#[derive(Default)]
struct Judging {
    list: Vec<bool>,
    /// Samples at ends of filters, and where loads are not known.
    uncertain: usize,
    /// Others at which nothing loads the body.
    unloaded: usize,
}

impl Judging {
    /// Notes a sample: whether its motion and loads are known, and whether a load acts. Whether it can be judged.
    fn note(&mut self, known: bool, loaded: bool) -> bool {
        self.uncertain += usize::from(!known);
        self.unloaded += usize::from(known && !loaded);
        self.list.push(known && loaded);
        known && loaded
    }

    /// What is said of them; nothing where all can be judged.
    fn settings(&self) -> Vec<(String, String)> {
        let all = self.list.len();
        let mut left_out = Vec::new();
        for (count, why) in [(self.uncertain, "at ends of the filter or without known loads"), (self.unloaded, "without a ground reaction")]
        {
            if count > 0 {
                left_out.push(format!("{count} {why}"));
            }
        }
        let said = format!("{} of {all}; left out are {}", all - self.uncertain - self.unloaded, left_out.join(" and "));
        if left_out.is_empty() { Vec::new() } else { vec![("judged samples".into(), said)] }
    }

    /// By sample; empty where all can be judged.
    fn judged(self) -> Vec<bool> {
        if self.uncertain + self.unloaded == 0 { Vec::new() } else { self.list }
    }
}

/// Times at which the motion is looked at: those of the samples, or of a table that is taken as it is.
pub(super) fn times(plan: &Plan) -> Vec<f64> {
    if let Some(plan::Motion { source: MotionSource::Table(table), derivatives }) = &plan.motion
        && (plan.at_rows || *derivatives == Derivatives::Exact)
    {
        return table.time().iter().copied().filter(|t| (plan.time.start..=plan.time.end).contains(t)).collect();
    }
    let mut samples = Samples::new(plan.time, plan.time.sample, plan.time.start);
    let mut list = Vec::new();
    while let Some(t) = samples.peek() {
        list.push(t);
        samples.pass();
    }
    list
}

/// Numbers of the whole run.
pub(super) fn scalars(status: &Status, evaluations: u32, peaks: &Peaks) -> Vec<Scalar> {
    let scalar = |name: &str, value: f64| Scalar { name: format!("run.{name}"), value, unit: "1".into() };
    let mut list = vec![scalar("completed", if status.is_good() { 1.0 } else { 0.0 }), scalar("evaluations", f64::from(evaluations))];
    let of_chain = [("worst_condition", "chain.condition"), ("worst_residual", "chain.residual")];
    list.extend(of_chain.into_iter().filter_map(|(name, channel)| peaks.of(channel).map(|value| scalar(name, value))));
    list
}

/// How it was computed.
pub(super) fn settings(system: &System, plan: &Plan) -> Vec<(String, String)> {
    let motion = match plan.motion.as_ref().map(|motion| motion.derivatives) {
        Some(Derivatives::Spline) => "a table, by cubic splines",
        Some(Derivatives::Quintic) => "a table, by natural quintic splines",
        Some(Derivatives::Exact) => "a table with rates and accelerations",
        None => "guides of the model",
    };
    // Along a table accelerations are given, and efforts follow by recursion along the tree: no formulation has anything to solve.
    let recursive = plan.motion.is_some() && plan.analysis != Analysis::Mixed;
    let formulation = if recursive { RECURSIVE } else { plan.formulation.as_str() };
    let mut list: Vec<(String, String)> = vec![
        ("analysis".into(), plan.analysis.name().into()),
        ("formulation".into(), formulation.into()),
        ("motion".into(), motion.into()),
    ];
    if !system.names.states.is_empty() && plan.analysis != Analysis::Kinematics {
        let own = &plan.integrator.settings;
        list.push(("states".into(), format!("integrated along the motion by {METHOD}, rtol {:e}, atol {:e}", own.rtol, own.atol)));
    }
    list
}
