//! `borelli gait`: markers, forces and a model in; joint angles, moments, numbers of walking and a report out.
//! Not here: making a session ready and computing it (`borelli::gait`, `borelli-study`).
//! Out: a folder with the model, one study per trial, tables, pictures, summary and report; exit code 1 when a trial could not be computed.

use super::conduct::{Reference, carry_out};
use super::deliver::{notice, trouble};
use super::watch::{Progress, StopFlag};
use super::{Entry, Exit, Output};
use borelli::gait::session::{Refused, Request, Session, filtered, prepare};
use borelli::gait::{Residual, SessionFacts, Trial, Walk, curves_csv, events_csv, numbers_csv, page, session_json, stances_csv, walk};
use borelli::job::{Job, Task};
use borelli::plot::{force_vectors, grid};
use borelli::report::gait::{GaitPage, PlainTable, Remark, Weight};
use borelli::report::{Case as Shown, Ran, Report, html, session_sentence};
use borelli::results::{Case, FolderFault, Input, RunFolder, Summary, page_json, stamp, write_case};
use borelli::studies::Studies;
use borelli_data::anthropometry::Sex;
use borelli_data::landmark::{HipRule, Landmarks};
use borelli_data::{FORMATS, Recording};
use borelli_study::run::Outcome;
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
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

#[derive(Args)]
struct Gait {
    /// Walking trials: .c3d with markers and force plates, or .trc with markers
    #[arg(required = true, value_name = "TRIAL")]
    trials: Vec<PathBuf>,
    /// Model with markers: a file, or a name of the gallery
    #[arg(long, value_name = "MODEL", conflicts_with = "build", required_unless_present = "build")]
    model: Option<String>,
    /// Build a model of the person from the markers
    #[arg(long, value_enum)]
    build: Option<Build>,
    /// Trial of standing, from which the model is built
    #[arg(long = "static", value_name = "FILE")]
    standing: Option<PathBuf>,
    /// File with ground forces (.mot, .sto, .csv) where trials hold none; once for each trial
    #[arg(long, value_name = "FILE")]
    forces: Vec<PathBuf>,
    /// Body mass in kg; estimated from the force plates if left out
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    mass: Option<f64>,
    /// Body height in m
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    height: Option<f64>,
    /// Which rows of tables of segments are taken
    #[arg(long, value_enum, default_value = "female")]
    sex: WhichSex,
    /// Segment parameters: de-leva, winter, or a file
    #[arg(long, value_name = "TABLE", default_value = "de-leva")]
    anthropometry: String,
    /// Rule for the hip joint centres: harrington, harrington-all, bell-1990, bell-1989, hara
    #[arg(long, value_name = "RULE")]
    hip_rule: Option<String>,
    /// Radius of the markers in m
    #[arg(long, value_name = "M", default_value_t = 0.0)]
    marker_radius: f64,
    /// File that says what the markers stand for: one `NAME = role` or `NAME = label of the model` a line
    #[arg(long, value_name = "MAP")]
    markers: Option<PathBuf>,
    /// Axes of the laboratory, such as "x-forward, z-up"
    #[arg(long, value_name = "AXES")]
    axes: Option<String>,
    /// Walking direction as an axis of the laboratory, such as +y; found from the pelvis if left out
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    forward: Option<String>,
    /// Names of markers lose what stands before a colon
    #[arg(long)]
    strip_prefix: bool,
    /// Cut-off of the low-pass filter of coordinates
    #[arg(long, value_name = "FREQUENCY", default_value = "6 Hz")]
    cutoff: String,
    /// Normal load above which a foot stands on a plate, in N
    #[arg(long, value_name = "N", default_value_t = 20.0, allow_negative_numbers = true)]
    threshold: f64,
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

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Gait::from_arg_matches(matches).map_err(io::Error::other)?;
    let out = args.out.clone().unwrap_or_else(|| {
        let name = args.trials[0].file_stem().map_or_else(|| "walk".into(), |stem| stem.to_string_lossy().into_owned());
        PathBuf::from(format!("{name}-gait"))
    });
    let session = match request(&args).and_then(|request| prepare(&request, &out)) {
        Ok(session) => session,
        Err(Refused(text)) => {
            output.complain(&text);
            return Ok(Exit::BadInput);
        }
    };
    let command = format!("borelli {}", std::env::args().skip(1).collect::<Vec<_>>().join(" "));
    let stop = StopFlag::listen()?;
    let (started, clock) = (SystemTime::now(), Instant::now());
    let mut folder = match RunFolder::begin(&out, args.force, &command) {
        Ok((folder, _)) => folder,
        Err(fault) => return Ok(trouble(&fault, output)),
    };
    let computed = match compute(&session, &mut folder, &stop) {
        Ok(Ok(computed)) => computed,
        Ok(Err(text)) => {
            output.complain(&text);
            return Ok(folder.abandon().err().map_or(Exit::BadInput, |fault| trouble(&fault, output)));
        }
        Err(fault) => return Ok(trouble(&fault, output)),
    };
    let seconds = clock.elapsed();
    let (walks, page) = analyse(&session, &computed, args.threshold);
    let inputs = inputs(&computed);
    let mut summary = summary(&command, &computed, &inputs, started, seconds);
    summary["gait"] = session_json(&walks, &page);
    let cases: Vec<Shown> = computed.iter().map(|own| Shown::of(&own.name, &own.task().system, &own.outcome)).collect();
    let ran = computed.iter().zip(&cases).map(|(own, case)| {
        let task = own.task();
        Ran { analysis: task.plan.analysis, status: &own.outcome.status, system: &task.system, case }
    });
    let outcome = session_sentence(&ran.collect::<Vec<_>>(), &page);
    let report = Report {
        title: format!("Gait: {}", session.studies.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")),
        description: "Joint angles, net joint moments and powers from measured markers and ground forces.".into(),
        outcome,
        cases,
        method: inputs.iter().map(|input| (input.path.clone(), format!("sha256 {}", input.sha256))).collect(),
        gait: Some(page.clone()),
        ..Report::default()
    };
    summary["page"] = page_json(&report);
    let written = fill(&mut folder, &computed, &walks, &page, &html(&report), &summary).and_then(|()| folder.close());
    let closed = match written {
        Ok(closed) => closed,
        Err(fault) => return Ok(trouble(&fault, output)),
    };
    if args.json {
        summary["folder"] = json!(closed.to_string_lossy());
        output.json(&summary)?;
    } else {
        output.text(&told(&computed, &walks, &page, &closed.join("report.html"), seconds.as_secs_f64()))?;
    }
    let good = computed.iter().all(|own| own.outcome.status.is_good());
    Ok(if good { Exit::Good } else { Exit::Failed })
}

/// What the command line asks for.
fn request(args: &Gait) -> Result<Request, Refused> {
    let refuse = |code: &str, message: String, hint: &str| Refused(format!("error[{code}]: {message}\n  hint: {hint}\n"));
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
        mass: args.mass,
        height: args.height,
        sex: match args.sex {
            WhichSex::Female => Sex::Female,
            WhichSex::Male => Sex::Male,
        },
        anthropometry: args.anthropometry.clone(),
        hip_rule,
        marker_radius: args.marker_radius,
        map,
        axes: args.axes.clone(),
        forward: args.forward.clone(),
        strip_prefix: args.strip_prefix,
        cutoff: args.cutoff.clone(),
        threshold: args.threshold,
    })
}

/// Writes model and studies, and runs each study. What is wrong with one is told as text.
fn compute(session: &Session, folder: &mut RunFolder, stop: &StopFlag) -> Result<Result<Vec<Computed>, String>, FolderFault> {
    if let Some(model) = &session.model {
        folder.write("model.toml", |out| out.write_all(model.as_bytes()))?;
    }
    let studies = Studies::on_disk().with_reference(Reference::new(None).folder());
    let mut list = Vec::new();
    for (name, text) in &session.studies {
        let file = format!("{name}.study.toml");
        folder.write(&file, |out| out.write_all(text.as_bytes()))?;
        let path = folder.working(&file).to_string_lossy().into_owned();
        let ran = Job::of_study(&path, &studies, &[]).and_then(|job| {
            let mut progress = Progress::new(stop.clone(), &format!("{name}: "), job.tasks[0].plan.time);
            carry_out(&job.tasks[0], None, &mut progress).map(|outcome| (job, outcome))
        });
        let (job, outcome) = match ran {
            Ok(ran) => ran,
            Err(rejected) => return Ok(Err(rejected.to_string())),
        };
        let plan = &job.tasks[0].plan;
        let Some(markers) = &plan.markers else { continue };
        let mut recording = Recording::clone(&markers.recording);
        if let Some(loads) = &plan.loads {
            recording.plates = loads.recording.plates.clone();
        }
        list.push(Computed { name: name.clone(), job, outcome, recording });
    }
    Ok(Ok(list))
}

/// Walks of all trials, and the page of the session.
fn analyse(session: &Session, computed: &[Computed], threshold: f64) -> (Vec<Walk>, GaitPage) {
    let smooth: Vec<Recording> = computed.iter().map(|own| filtered(&own.recording)).collect();
    let landmarks: Vec<Landmarks> = smooth.iter().map(|recording| Landmarks::of(recording, session.map.as_ref())).collect();
    let mut walks = Vec::new();
    let mut remarks = session.remarks.clone();
    let mut quality = Vec::new();
    for ((own, recording), landmarks) in computed.iter().zip(&smooth).zip(&landmarks) {
        let system = &own.task().system;
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
            system,
            trajectory: &own.outcome.trajectory,
            mass,
            threshold,
        }));
        if let Some(text) = notice(&own.outcome.status) {
            remarks.push(Remark { weight: Weight::Severe, trial: own.name.clone(), text });
        }
        let judged = walks.last().and_then(|walk: &Walk| walk.residual.as_ref());
        remarks.extend(residual_remark(own, judged));
        for line in own.outcome.health.iter().filter(|line| line.good == Some(false) && !OF_ALL_SAMPLES.contains(&line.key)) {
            let value = line.value.map_or(String::new(), |value| format!(" {value:.3} {}", line.unit));
            remarks.push(Remark { weight: Weight::Severe, trial: own.name.clone(), text: format!("{}{value}: {}", line.label, line.text) });
        }
        quality.push(health_table(own));
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
    let facts = SessionFacts { facts: session.facts.clone(), leg_length: session.leg_length, remarks, quality, methods };
    let recordings: Vec<&Recording> = computed.iter().map(|own| &own.recording).collect();
    let page = page(&walks, &recordings, facts);
    (walks, page)
}

/// Lines of a run's health that also count samples with a foot on the bare floor; a walk judges residuals by itself.
const OF_ALL_SAMPLES: [&str; 3] = ["residual_force", "residual_moment", "newton"];

/// What is said of the residuals of a trial.
fn residual_remark(own: &Computed, residual: Option<&Residual>) -> Option<Remark> {
    if own.recording.plates.is_empty() {
        return None;
    }
    let remark = |weight, text: String| Some(Remark { weight, trial: own.name.clone(), text });
    let Some(residual) = residual else {
        let text = "residuals cannot be judged: at no time does every foot on the ground stand on a plate of its own".to_string();
        return remark(Weight::Warning, text);
    };
    let ((force, moment), good) = (residual.percent(), residual.good());
    let text = format!(
        "residual force at most {:.0} N, {force:.1} % of the largest ground reaction (limit 5 %), residual moment at most {:.1} N m, {moment:.1} % of it times the height of the mass centre (limit 1 %), \
         over {} of {} samples, those in which every foot on the ground stands on a plate of its own",
        residual.force.1,
        residual.moment.1,
        residual.samples,
        own.outcome.trajectory.len()
    );
    remark(if good == (true, true) { Weight::Note } else { Weight::Severe }, text)
}

/// The health block of a trial as a table.
fn health_table(own: &Computed) -> PlainTable {
    let verdict = |good: Option<bool>| match good {
        Some(true) => "good",
        Some(false) => "look",
        None => "",
    };
    let value = |line: &borelli_study::run::HealthLine| {
        line.value.map_or(String::new(), |x| format!("{x:.4} {}", if line.unit == "1" { "" } else { &line.unit }))
    };
    let rows = own.outcome.health.iter().map(|line| vec![line.label.clone(), value(line), verdict(line.good).into(), line.text.clone()]);
    let heads = ["check", "value", "verdict", "meaning"].map(String::from).to_vec();
    PlainTable { caption: format!("Checks of {}", own.name), heads, rows: rows.collect() }
}

/// Errors of markers of a trial: mean and largest, mm.
fn marker_table(own: &Computed) -> PlainTable {
    let table = &own.outcome.trajectory;
    let mut rows: Vec<(f64, Vec<String>)> = Vec::new();
    for (k, column) in table.columns().iter().enumerate() {
        let Some(name) = column.name.strip_prefix("marker.").and_then(|rest| rest.strip_suffix(".error.norm")) else { continue };
        let seen: Vec<f64> = table.values(k).iter().copied().filter(|x| x.is_finite()).collect();
        let (mean, most) = (seen.iter().sum::<f64>() / seen.len().max(1) as f64, seen.iter().copied().fold(0.0, f64::max));
        rows.push((
            mean,
            vec![
                name.to_string(),
                format!("{:.1}", 1e3 * mean),
                format!("{:.1}", 1e3 * most),
                format!("{} of {}", seen.len(), table.len()),
            ],
        ));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let heads = ["marker", "mean error / mm", "largest / mm", "frames"].map(String::from).to_vec();
    PlainTable {
        caption: format!("Distance of measured and model markers in {}", own.name),
        heads,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    }
}

fn inputs(computed: &[Computed]) -> Vec<Input> {
    let mut list: Vec<Input> = Vec::new();
    for input in computed.iter().flat_map(|own| &own.job.inputs) {
        if list.iter().all(|known| known.path != input.path) {
            list.push(input.clone());
        }
    }
    list
}

fn summary(command: &str, computed: &[Computed], inputs: &[Input], started: SystemTime, took: std::time::Duration) -> serde_json::Value {
    let cases: Vec<Case> = computed.iter().map(|own| Case { name: &own.name, plan: &own.task().plan, outcome: &own.outcome }).collect();
    let summary = Summary {
        command: command.into(),
        study: None,
        model: computed.first().map_or(String::new(), |own| own.task().system.name.clone()),
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
    summary: &serde_json::Value,
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
    file("report.html", report)?;
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
        let word = if remark.weight == Weight::Severe { "look" } else { "warning" };
        let _ = writeln!(text, "  {word}: {trial}{}", remark.text);
    }
    let _ = writeln!(text, "computed in {seconds:.2} s: {}", report.display());
    text
}
