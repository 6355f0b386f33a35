//! `borelli gait`: markers, forces and a model in; joint angles, moments, numbers of walking and a report out.
//! Not here: making a session ready and computing it (`borelli::gait`, `borelli-study`).
//! Out: a folder with the model, one study per trial, tables, pictures, summary and report; exit code 1 when a trial could not be computed.

mod checks;
mod errors;
mod refused;

use super::conduct::{Reference, carry_out};
use super::deliver::{kept_files, notice, remains, trouble};
use super::watch::{Progress, StopFlag};
use super::{Entry, Exit, Output, changes, input, spoken_command};
use borelli::gait::session::{Refused, Request, Session, filtered, prepare};
use borelli::gait::{SessionFacts, Trial, Walk, curves_csv, events_csv, numbers_csv, page, session_json, stances_csv, walk};
use borelli::job::{Job, Task};
use borelli::plot::{force_vectors, grid};
use borelli::report::gait::{GaitPage, PlainTable, Remark, Weight};
use borelli::report::{Case as Shown, Change, Ran, Report, html, session_sentence, significant, spans_without};
use borelli::results::{Case, Closed, FolderFault, Input, PAGE, RunFolder, Summary, page_json, stamp, write_case};
use borelli::studies::Studies;
use borelli_data::anthropometry::Sex;
use borelli_data::landmark::{HipRule, Landmarks};
use borelli_data::{FORMATS, Recording};
use borelli_dynamics::kinematics::scaling::InertiaRule;
use borelli_model::Model;
use borelli_study::run::Outcome;
use checks::{judge_again, marker_table, mended, residual_remark, weight_of};
use clap::{ArgGroup, ArgMatches, Args, FromArgMatches, ValueEnum};
use errors::{Errors, USUAL};
use refused::as_given;
use serde_json::json;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

pub static ENTRY: Entry =
    Entry { name: "gait", about: "From walking trials to joint angles, moments and a report", args: Gait::augment_args, run };

#[derive(Clone, Copy, ValueEnum)]
enum Build {
    LowerLimb,
}

#[derive(Clone, Copy, ValueEnum)]
enum WhichSex {
    Female,
    Male,
}

/// How inertias follow unequal factors.
#[derive(Clone, Copy, ValueEnum)]
enum Inertia {
    /// Every point of a body moves with the stretch
    Affine,
    /// Bodies are read as cylinders, as OpenSim does
    Opensim,
}

#[derive(Args)]
#[command(group(ArgGroup::new("person").args(["model", "build"]).required(true)))]
struct Gait {
    /// Walking trials: .c3d with markers and force plates, or .trc with markers
    #[arg(required = true, value_name = "TRIAL")]
    trials: Vec<PathBuf>,
    /// Model with markers: a file, or a name of the gallery
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Build a model of the person from the markers
    #[arg(long, value_enum)]
    build: Option<Build>,
    /// Trial of standing, from which the model is built, or to which the given model is scaled by its measurements
    #[arg(long = "static", value_name = "FILE")]
    standing: Option<PathBuf>,
    /// File with ground forces (.mot, .sto, .csv) where trials hold none; once for each trial
    #[arg(long, value_name = "FILE")]
    forces: Vec<PathBuf>,
    /// Body mass in kg; estimated from the force plates if left out
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    mass: Option<f64>,
    /// With --build: body height in m
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    height: Option<f64>,
    /// With --build: which rows of tables of segments are taken [default: female]
    #[arg(long, value_enum)]
    sex: Option<WhichSex>,
    /// With --build: segment parameters: de-leva (default), winter, or a file
    #[arg(long, value_name = "TABLE")]
    anthropometry: Option<String>,
    /// With --build: rule for the hip joint centres: harrington, harrington-all, bell-1990, bell-1989, hara
    #[arg(long, value_name = "RULE")]
    hip_rule: Option<String>,
    /// With --build: radius of the markers in m
    #[arg(long, value_name = "M")]
    marker_radius: Option<f64>,
    /// With --model and --static: how inertias follow factors that differ between axes [default: affine]
    #[arg(long, value_enum)]
    inertia: Option<Inertia>,
    /// With --model and --static: bodies keep their shares of the mass, instead of growing with their volume
    #[arg(long)]
    preserve_distribution: bool,
    /// File that says what the markers stand for: one `NAME = role` or `NAME = label of the model` a line
    #[arg(long, value_name = "MAP")]
    markers: Option<PathBuf>,
    /// Axes of the laboratory, such as "x-forward, z-up"
    #[arg(long, value_name = "AXES", allow_hyphen_values = true)]
    axes: Option<String>,
    /// Walking direction as an axis of the laboratory, such as +y; found from the pelvis if left out
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    forward: Option<String>,
    /// Names of markers lose what stands before a colon
    #[arg(long)]
    strip_prefix: bool,
    /// Put exchanged markers back, instead of only telling them
    #[arg(long)]
    fix_swaps: bool,
    /// Cut-off of the low-pass filter of coordinates
    #[arg(long, value_name = "FREQUENCY", default_value = "6 Hz")]
    cutoff: String,
    /// Normal load above which a foot stands on a plate, in N
    #[arg(long, value_name = "N", default_value_t = 20.0, allow_negative_numbers = true)]
    threshold: f64,
    /// Draw usual errors of markers, skin, hip centres, forces and masses, and show bands that hold 95 % of so many runs [default: 100]
    #[arg(long, value_name = "RUNS", num_args = 0..=1, require_equals = true, default_missing_value = USUAL)]
    uncertainty: Option<String>,
    /// With --uncertainty: file with [[uncertainty.noise]] and [[uncertainty.input]] in place of the usual errors
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Folder for the results; NAME-gait if left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace an earlier folder of results
    #[arg(long)]
    force: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// A trial that was computed.
struct Computed {
    name: String,
    job: Job,
    outcome: Outcome,
    /// Markers as measured, with the plates, in borelli's axes.
    recording: Recording,
}

impl Computed {
    fn task(&self) -> &Task {
        &self.job.tasks[0]
    }
}

/// Options that change nothing in the computation.
const OF_FOLDER: [&str; 3] = ["out", "force", "json"];

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Gait::from_arg_matches(matches).map_err(io::Error::other)?;
    let out = args.out.clone().unwrap_or_else(|| {
        let name = args.trials[0].file_stem().map_or_else(|| "walk".into(), |stem| stem.to_string_lossy().into_owned());
        PathBuf::from(format!("{name}-gait"))
    });
    let prepared =
        request(&args).and_then(|request| Ok((prepare(&request, &RunFolder::place(&out))?, given_files(&args, request.generic.as_ref()))));
    let (session, given) = match prepared {
        Ok(prepared) => prepared,
        Err(Refused(text)) => {
            output.complain(&text);
            return Ok(Exit::BadInput);
        }
    };
    let errors = match Errors::asked(&args) {
        Ok(errors) => errors,
        Err(text) => {
            output.complain(&text);
            return Ok(Exit::BadInput);
        }
    };
    let command = spoken_command();
    let stop = StopFlag::listen()?;
    let (started, clock) = (SystemTime::now(), Instant::now());
    let mut folder = match RunFolder::begin(&out, args.force, &command) {
        Ok((folder, leftover)) => {
            leftover.iter().for_each(|leftover| output.complain(&remains(leftover)));
            folder
        }
        Err(fault) => return Ok(trouble(&fault, output)),
    };
    let mut computed = match compute(&session, &mut folder, &stop, errors.as_ref()) {
        Ok(Ok(computed)) => computed,
        Ok(Err(text)) => {
            output.complain(&text);
            return Ok(folder.abandon().err().map_or(Exit::BadInput, |fault| trouble(&fault, output)));
        }
        Err(fault) => return Ok(trouble(&fault, output)),
    };
    let seconds = clock.elapsed();
    let (walks, page) = analyse(&session, &mut computed, args.threshold);
    let inputs = inputs(&computed, &given);
    let changes = changes(&ENTRY, matches, &OF_FOLDER);
    let mut summary = summary(&command, &changes, &computed, &inputs, started, seconds);
    summary["gait"] = session_json(&walks, &page);
    if !session.scaling_json.is_null() {
        summary["gait"]["scaling"] = session.scaling_json.clone();
    }
    // Of a walk it is known which foot stood where, and with it when a load is missing.
    let mut cases: Vec<Shown> = computed.iter().map(|own| Shown::of(&own.name, &own.task().system, &own.outcome)).collect();
    for (case, walk) in cases.iter_mut().zip(&walks) {
        case.unmeasured = spans_without(case.trajectory.time(), &walk.loads_known);
    }
    let ran = computed.iter().zip(&cases).map(|(own, case)| {
        let task = own.task();
        Ran { analysis: task.plan.analysis, status: &own.outcome.status, system: &task.system, case, judged: &own.outcome.judged }
    });
    let outcome = session_sentence(&ran.collect::<Vec<_>>(), &page);
    let report = Report {
        title: format!("Gait: {}", session.studies.iter().map(|study| study.name.as_str()).collect::<Vec<_>>().join(", ")),
        description: "Joint angles, net joint moments and powers from measured markers and ground forces.".into(),
        outcome,
        cases,
        method: inputs.iter().map(|input| (input.path.clone(), format!("sha256 {}", input.sha256))).collect(),
        changes,
        gait: Some(page.clone()),
        ..Report::default()
    };
    summary["page"] = page_json(&report);
    let written = fill(&mut folder, &computed, &walks, &page, &html(&report), &mut summary).and_then(|()| folder.close());
    let closed = match written {
        Ok(Closed { folder, kept }) => {
            output.complain(&kept_files(&kept));
            folder
        }
        Err(fault) => return Ok(trouble(&fault, output)),
    };
    if args.json {
        summary["folder"] = json!(closed.to_string_lossy());
        output.json(&summary)?;
    } else {
        output.text(&told(&computed, &walks, &page, &closed.join(PAGE), seconds.as_secs_f64()))?;
    }
    let good = computed.iter().all(|own| own.outcome.status.is_good());
    Ok(if good { Exit::Good } else { Exit::Failed })
}

/// What the command line asks for.
fn request(args: &Gait) -> Result<Request, Refused> {
    let refuse = |code: &str, message: String, hint: &str| Refused(format!("error[{code}]: {message}\n  hint: {hint}\n"));
    if let Some((option, why, hint)) = idle_option(args) {
        return Err(refuse("idle-option", format!("{option} has no effect {why}"), hint));
    }
    if !(args.threshold.is_finite() && args.threshold >= 0.0) {
        let message = format!("--threshold: {} N is not a normal load", args.threshold);
        return Err(refuse("bad-threshold", message, "give a number of newtons from zero up, such as 20"));
    }
    // Read also where it is taken as it is, so that faults name the file as it was given.
    let model = args.model.as_ref().map(|word| input::read(word)).transpose().map_err(|rejected| Refused(rejected.to_string()))?;
    let generic = model.filter(|_| args.standing.is_some());
    let map = match &args.markers {
        None => None,
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                refuse(
                    "cannot-read-file",
                    format!("cannot read `{}`: {error}", path.display()),
                    "give a text file with one `NAME = role` a line",
                )
            })?;
            Some((path.to_string_lossy().into_owned(), text))
        }
    };
    let hip_rule = match &args.hip_rule {
        None => HipRule::default(),
        Some(word) => HipRule::parse(word).map_err(|fault| {
            use borelli_data::Explain;
            refuse(fault.code(), fault.message(), &fault.hint().unwrap_or_default())
        })?,
    };
    Ok(Request {
        trials: args.trials.clone(),
        forces: args.forces.clone(),
        static_trial: args.standing.clone(),
        model: args.model.clone(),
        generic,
        preserve_distribution: args.preserve_distribution,
        inertia: match args.inertia {
            None | Some(Inertia::Affine) => InertiaRule::Affine,
            Some(Inertia::Opensim) => InertiaRule::Cylinder,
        },
        mass: args.mass,
        height: args.height,
        sex: match args.sex {
            None | Some(WhichSex::Female) => Sex::Female,
            Some(WhichSex::Male) => Sex::Male,
        },
        anthropometry: args.anthropometry.clone().unwrap_or_else(|| "de-leva".into()),
        hip_rule,
        marker_radius: args.marker_radius.unwrap_or(0.0),
        map,
        axes: args.axes.clone(),
        forward: args.forward.clone(),
        strip_prefix: args.strip_prefix,
        fix_swaps: args.fix_swaps,
        cutoff: args.cutoff.clone(),
        threshold: args.threshold,
    })
}

/// An option that would change nothing: its name, when that is, and what to do.
fn idle_option(args: &Gait) -> Option<(&'static str, &'static str, &'static str)> {
    let of_build = [
        ("--height", args.height.is_some()),
        ("--sex", args.sex.is_some()),
        ("--anthropometry", args.anthropometry.is_some()),
        ("--hip-rule", args.hip_rule.is_some()),
        ("--marker-radius", args.marker_radius.is_some()),
    ];
    let of_scaling = [("--inertia", args.inertia.is_some()), ("--preserve-distribution", args.preserve_distribution)];
    let given = |list: &[(&'static str, bool)]| list.iter().find(|(_, given)| *given).map(|(name, _)| *name);
    match (&args.model, &args.standing) {
        (Some(_), _) if given(&of_build).is_some() => {
            given(&of_build).map(|name| (name, "with --model", "it serves to build a model; leave it out, or say --build lower-limb"))
        }
        (None, _) => given(&of_scaling).map(|name| (name, "with --build", "it serves to scale a model that is given with --model")),
        (Some(_), None) => {
            given(&of_scaling).map(|name| (name, "without --static", "give the trial of standing to which the model is to be scaled"))
        }
        (Some(_), Some(_)) => None,
    }
}

/// Writes model and studies, and runs each study; or says what is wrong with one of them.
fn compute(
    session: &Session,
    folder: &mut RunFolder,
    stop: &StopFlag,
    errors: Option<&Errors>,
) -> Result<Result<Vec<Computed>, String>, FolderFault> {
    if let Some(model) = &session.model {
        folder.write("model.toml", |out| out.write_all(model.as_bytes()))?;
    }
    // Files of the folder are called by the names that they will have.
    let studies = Studies::on_disk().with_reference(Reference::new(None).folder());
    let studies = studies.with_unfinished(folder.out().into(), folder.working().into());
    let mut list = Vec::new();
    for study in &session.studies {
        let (name, text) = (&study.name, &study.text);
        let file = format!("{name}.study.toml");
        folder.write(&file, |out| out.write_all(text.as_bytes()))?;
        let path = folder.out().join(&file).to_string_lossy().into_owned();
        let ran = Job::of_study(&path, &studies, &[]).and_then(|job| {
            let mut progress = Progress::new(stop.clone(), &format!("{name}: "), job.tasks[0].plan.time);
            carry_out(&job.tasks[0], None, &mut progress).map(|outcome| (job, outcome))
        });
        let (mut job, mut outcome) = match ran {
            Ok(ran) => ran,
            Err(rejected) => return Ok(Err(refused::told(&rejected, study, &path))),
        };
        if let Some(errors) = errors.filter(|_| outcome.status.is_good()) {
            let file = format!("{name}.uncertainty.study.toml");
            let text = study.with_errors(&errors.table(&job.tasks[0], &outcome.trajectory));
            folder.write(&file, |out| out.write_all(text.as_bytes()))?;
            let path = folder.out().join(&file).to_string_lossy().into_owned();
            let ran = Job::of_study(&path, &studies, &[]).and_then(|job| {
                let mut progress = Progress::new(stop.clone(), &format!("{name}: "), job.tasks[0].plan.time);
                carry_out(&job.tasks[0], None, &mut progress)
            });
            // The run without errors is part of it, with the same numbers.
            outcome = match ran {
                Ok(outcome) => outcome,
                Err(rejected) => return Ok(Err(errors.told(&refused::told(&rejected, study, &path)))),
            };
        }
        // What the session wrote itself is no input.
        job.inputs.retain(|input| !folder.wrote(&input.path));
        job.inputs.iter_mut().for_each(|input| input.path = as_given(&input.path, study, &path));
        let plan = &job.tasks[0].plan;
        let Some(markers) = &plan.markers else { continue };
        let mut recording = Recording::clone(&markers.recording);
        if let Some(loads) = &plan.loads {
            recording.plates = loads.recording.plates.clone();
        }
        if markers.mend_swaps {
            mended(&mut recording, markers, &job.tasks[0].system, &outcome.trajectory);
        }
        list.push(Computed { name: name.clone(), job, outcome, recording });
    }
    Ok(Ok(list))
}

/// Walks of all trials, and the page of the session.
fn analyse(session: &Session, computed: &mut [Computed], threshold: f64) -> (Vec<Walk>, GaitPage) {
    let smooth: Vec<Recording> = computed.iter().map(|own| filtered(&own.recording)).collect();
    let landmarks: Vec<Landmarks> = smooth.iter().map(|recording| Landmarks::of(recording, session.map.as_ref())).collect();
    let mut walks = Vec::new();
    let mut remarks = session.remarks.clone();
    let mut quality: Vec<PlainTable> = session.scaling.iter().cloned().collect();
    for ((own, recording), landmarks) in computed.iter_mut().zip(&smooth).zip(&landmarks) {
        let system = own.task().system.clone();
        let weight: f64 = system.numbers.tree.mass.iter().sum();
        let mass = session.mass.unwrap_or(weight);
        if (mass / weight - 1.0).abs() > 0.02 {
            let text = format!("the model weighs {weight:.1} kg and the person {mass:.1} kg: moments are those of the model");
            remarks.push(Remark { weight: Weight::Warning, trial: own.name.clone(), text });
        }
        walks.push(walk(&Trial {
            name: own.name.clone(),
            recording,
            landmarks,
            system: &system,
            trajectory: &own.outcome.trajectory,
            errors: own.outcome.uncertainty.as_deref(),
            mass,
            threshold,
        }));
        remarks.extend(errors::remark(&own.name, &own.outcome));
        quality.extend(errors::drawn(&own.name, &own.outcome));
        if let Some(text) = notice(&own.outcome) {
            remarks.push(Remark { weight: Weight::Severe, trial: own.name.clone(), text });
        }
        let judged = walks.last().and_then(|walk: &Walk| walk.residual.clone());
        remarks.extend(residual_remark(own, judged.as_ref()));
        let of_walk = judge_again(&mut own.outcome.health, judged.as_ref());
        for line in own.outcome.health.iter().filter(|line| !of_walk.contains(&line.key)) {
            let Some(weight) = weight_of(line.verdict) else { continue };
            let unit = if line.unit == "1" { String::new() } else { format!(" {}", line.unit) };
            let value = line.value.map_or(String::new(), |value| format!(" {}{unit}", significant(value, 3)));
            remarks.push(Remark { weight, trial: own.name.clone(), text: format!("{}{value}: {}", line.label, line.text) });
        }
        quality.push(marker_table(own));
    }
    let filter = session.facts.iter().find(|(key, _)| key == "filter of coordinates").map_or("", |(_, value)| value.as_str());
    let methods = format!(
        "{}Coordinates were found frame by frame by weighted least squares of marker positions (Levenberg-Marquardt, exact Jacobian), low-pass filtered ({filter}) and differentiated by \
         splines; net joint moments follow from inverse dynamics with the measured ground forces by virtual power. Joint moments are internal and net: forces of single muscles are not in them. \
         Computed by borelli {}.",
        session.methods,
        env!("CARGO_PKG_VERSION")
    );
    let bands = errors::words(computed.iter().map(|own| &own.outcome));
    let facts = SessionFacts { facts: session.facts.clone(), leg_length: session.leg_length, remarks, quality, bands, methods };
    let recordings: Vec<&Recording> = computed.iter().map(|own| &own.recording).collect();
    let page = page(&walks, &recordings, facts);
    (walks, page)
}

/// Files that went into the session itself: the static trial, what was scaled, names of markers, a table of segments.
fn given_files(args: &Gait, generic: Option<&Model>) -> Vec<Input> {
    let table = args.anthropometry.as_ref().map(PathBuf::from);
    let files = args.standing.iter().chain(&args.markers).chain(&args.errors).chain(&table);
    // A name of a built-in table is no file; what could not be read has been refused.
    let read = files.filter_map(|path| Some(Input::of(&path.to_string_lossy(), &std::fs::read(path).ok()?)));
    generic.map_or(Vec::new(), |model| borelli::results::inputs(&model.sources)).into_iter().chain(read).collect()
}

fn inputs(computed: &[Computed], given: &[Input]) -> Vec<Input> {
    let mut list: Vec<Input> = Vec::new();
    for input in computed.iter().flat_map(|own| &own.job.inputs).chain(given) {
        if list.iter().all(|known| known.path != input.path) {
            list.push(input.clone());
        }
    }
    list
}

fn summary(
    command: &str,
    options: &[Change],
    computed: &[Computed],
    inputs: &[Input],
    started: SystemTime,
    took: std::time::Duration,
) -> serde_json::Value {
    let cases: Vec<Case> = computed.iter().map(|own| Case { name: &own.name, plan: &own.task().plan, outcome: &own.outcome }).collect();
    let summary = Summary {
        command: command.into(),
        study: None,
        model: computed.first().map_or(String::new(), |own| own.task().system.name.clone()),
        options: options.to_vec(),
        inputs: inputs.to_vec(),
        expectations: Vec::new(),
        started,
        took,
    };
    summary.to_json(&cases)
}

/// Writes all files.
fn fill(
    folder: &mut RunFolder,
    computed: &[Computed],
    walks: &[Walk],
    page: &GaitPage,
    report: &str,
    summary: &mut serde_json::Value,
) -> Result<(), FolderFault> {
    for own in computed {
        let mut outcome = own.outcome.clone();
        stamp(&mut outcome.trajectory, &[("model", own.task().system.name.as_str()), ("trial", &own.name)], &own.job.inputs);
        write_case(folder, &own.name, &own.task().system, &outcome, &[FORMATS[0]])?;
    }
    let mut file = |name: &str, text: &str| folder.write(name, |out| out.write_all(text.as_bytes()));
    file("curves.csv", &curves_csv(walks))?;
    file("events.csv", &events_csv(walks))?;
    file("numbers.csv", &numbers_csv(walks))?;
    file("stances.csv", &stances_csv(walks))?;
    for (name, cells, label) in [
        ("kinematics.svg", &page.kinematics, "% of the gait cycle"),
        ("kinetics.svg", &page.kinetics, "% of the gait cycle"),
        ("ground.svg", &page.ground, "% of stance"),
    ] {
        if cells.iter().any(Option::is_some) {
            file(name, &grid(cells, 3, 100.0, label))?;
        }
    }
    if !page.vectors.is_empty() {
        file("vectors.svg", &force_vectors(&page.vectors))?;
    }
    file(PAGE, report)?;
    summary["outputs"] = folder.outputs();
    folder.write("summary.json", |out| writeln!(out, "{summary:#}"))
}

/// What people want to know at the end.
fn told(computed: &[Computed], walks: &[Walk], page: &GaitPage, report: &std::path::Path, seconds: f64) -> String {
    let mut text = String::new();
    for (key, value) in &page.facts {
        let _ = writeln!(text, "{key}: {value}");
    }
    for (own, walk) in computed.iter().zip(walks) {
        let on = walk.cycles.iter().filter(|(_, on)| *on).count();
        let (cycles, samples) = (walk.cycles.len(), own.outcome.trajectory.len());
        let _ = writeln!(
            text,
            "{}: {samples} samples, {cycles} cycles, {on} with their stance on plates, {} stances",
            own.name,
            walk.stances.len()
        );
    }
    for row in &page.numbers {
        let side = |value: &Option<(f64, Option<f64>, usize)>| value.map_or("-".to_string(), |(mean, ..)| format!("{mean:.3}"));
        let _ = writeln!(text, "  {:<28} left {:>8}  right {:>8}  {}", row.quantity, side(&row.sides[0]), side(&row.sides[1]), row.unit);
    }
    for remark in page.remarks.iter().filter(|remark| remark.weight != Weight::Note) {
        let trial = if remark.trial.is_empty() { String::new() } else { format!("{}: ", remark.trial) };
        let _ = writeln!(text, "  {}: {trial}{}", remark.weight.word(), remark.text);
    }
    let _ = writeln!(text, "computed in {seconds:.2} s: {}", report.display());
    text
}
