//! A job: a study or a model made ready to run. Every case has its plan and its compiled system; every file read is noted.
//! Not here: running, judging, files of results, the command line.
//! In: a path, settings. Out: tasks, or every fault with its place.

use crate::gallery;
use crate::report::Change;
use crate::results::{self, Input};
use crate::studies::Studies;
use borelli_dynamics::{System, compile};
use borelli_model::data_file::Load;
use borelli_model::document::read_bytes;
use borelli_model::{Document, Explain, Finding, Findings, Model, ReadFault, Rejected, Sources, Span, suggest};
use borelli_study::control::with_controls;
use borelli_study::plan::{ModelSource, Plan};
use borelli_study::read::{Files, Override, StudyFile, is_option, plan_of_model};
use borelli_study::settings::apply_settings;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// One case, ready to run.
#[derive(Clone, Debug)]
pub struct Task {
    /// Name of the case; empty where nothing is swept.
    pub name: String,
    /// What is asked.
    pub plan: Plan,
    /// What it is asked of, with the plan's settings.
    pub system: System,
}

/// A study or a model, ready to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// Name of the study, or of the model.
    pub name: String,
    /// The study, if one is run.
    pub study: Option<StudyFile>,
    /// Cases in the order of the study.
    pub tasks: Vec<Task>,
    /// Every file read.
    pub inputs: Vec<Input>,
    /// What the command line changed, for people.
    pub changes: Vec<Change>,
}

/// A study read as far as it can be: what is ready, and all that is not.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Cases without faults.
    pub job: Job,
    /// Faults of models and of settings, those of one text together.
    pub faults: Vec<Rejected>,
}

impl Survey {
    /// Reads a study and its models, plans all cases, and applies settings. A study file with faults is refused by itself.
    pub fn of_study(path: &str, studies: &Studies, overrides: &[Override]) -> Result<Survey, Rejected> {
        let (read, library) = (Arc::new(Mutex::new(Vec::new())), studies.clone());
        let noted = read.clone();
        let load = move |path: &str| -> io::Result<Vec<u8>> {
            let bytes = library.load(path)?;
            let mut inputs: std::sync::MutexGuard<'_, Vec<Input>> = noted.lock().unwrap_or_else(PoisonError::into_inner);
            if inputs.iter().all(|input| input.path != path) {
                inputs.push(Input::of(path, &bytes));
            }
            Ok(bytes)
        };
        let bytes = load(path).map_err(|error| cannot_read(None, path, &error.to_string(), Arc::default()))?;
        let document = Document::of(path, bytes)?;
        let study = StudyFile::of(path, document, Files::new(load.clone()))?;
        // A model that cannot be had is nothing, and has been told.
        let mut models: Vec<(ModelSource, Option<(Model, System)>)> = Vec::new();
        let (mut tasks, mut faults) = (Vec::new(), Vec::new());
        for case in &study.cases {
            let plan = study.plan(&case.name, overrides)?;
            if models.iter().all(|(source, _)| *source != plan.model) {
                let read = read_model(&plan, &load).map_err(|rejected| add_fault(&mut faults, rejected)).ok();
                models.push((plan.model.clone(), read));
            }
            let read = models.iter().find(|(source, _)| *source == plan.model).and_then(|(_, read)| read.as_ref());
            match read.map(|(model, system)| task(&case.name, plan, model, system, &load)) {
                Some(Ok(task)) => tasks.push(task),
                Some(Err(rejected)) => add_fault(&mut faults, rejected),
                None => {}
            }
        }
        let name = study.id.clone();
        let mut inputs = read.lock().map(|mut list| std::mem::take(&mut *list)).unwrap_or_default();
        for task in &tasks {
            note(&mut inputs, &task.system.sources);
        }
        Ok(Survey { job: Job { name, study: Some(study), tasks, inputs, changes: Vec::new() }, faults })
    }
}

/// Adds faults to those of the same text, each once: cases share most of what they say.
pub fn add_fault(faults: &mut Vec<Rejected>, rejected: Rejected) {
    let first = |sources: &Sources| sources.iter().next().map(|(path, _)| path.to_string());
    match faults.iter_mut().find(|known| first(&known.sources) == first(&rejected.sources)) {
        Some(known) => {
            let fresh: Vec<Finding> =
                rejected.findings.iter().filter(|finding| known.findings.iter().all(|old| old != *finding)).cloned().collect();
            fresh.into_iter().for_each(|finding| known.findings.add(finding));
        }
        None => faults.push(rejected),
    }
}

impl Job {
    /// Reads a study and its models, plans all cases, and applies settings.
    pub fn of_study(path: &str, studies: &Studies, overrides: &[Override]) -> Result<Job, Rejected> {
        let Survey { job, faults } = Survey::of_study(path, studies, overrides)?;
        faults.into_iter().next().map_or(Ok(job), Err)
    }

    /// Makes a model ready to run by itself, under a name of its own.
    pub fn of_model(name: &str, model: &Model, overrides: &[Override]) -> Result<Job, Rejected> {
        let system = compile(model)?;
        let load = |path: &str| read_bytes(Path::new(path));
        let tasks = vec![task("", plan_of_model(overrides)?, model, &system, &load)?];
        let mut inputs = Vec::new();
        note(&mut inputs, &tasks[0].system.sources);
        Ok(Job { name: name.into(), study: None, tasks, inputs, changes: Vec::new() })
    }
}

/// Models that studies of the program bring with them, as `STUDY/model`: those that are not in the gallery under their own or another name, each once.
pub fn study_models() -> Vec<String> {
    let names = Studies::EMBEDDED.names().unwrap_or_default();
    let surveys = names.iter().filter_map(|name| Survey::of_study(&Studies::EMBEDDED.path(name), &Studies::EMBEDDED, &[]).ok());
    let mut seen: Vec<Vec<u8>> =
        gallery::names().filter_map(|name| gallery::file(&format!("{name}.toml"))).map(|text| text.as_bytes().to_vec()).collect();
    let mut list = Vec::new();
    for task in surveys.flat_map(|survey| survey.job.tasks) {
        let ModelSource::File { path, .. } = &task.plan.model else { continue };
        let Ok(text) = Studies::EMBEDDED.load(path) else { continue };
        if !seen.contains(&text) {
            seen.push(text);
            list.push(path.trim_end_matches(".toml").to_string());
        }
    }
    list
}

/// Adds what has not been noted.
fn note(inputs: &mut Vec<Input>, sources: &Sources) {
    for input in results::inputs(sources) {
        // A control of the command line brings its text with it, which is no file.
        if !is_option(&input.path) && inputs.iter().all(|known| known.path != input.path) {
            inputs.push(input);
        }
    }
}

/// A case: the model with the plan's controls, then with its settings.
fn task(name: &str, plan: Plan, model: &Model, system: &System, load: Load) -> Result<Task, Rejected> {
    let system = with_controls(model, system, &plan, load)?;
    match apply_settings(system, &plan.settings) {
        Ok(system) => Ok(Task { name: name.into(), plan, system }),
        Err(findings) => Err(Rejected { findings, sources: plan.sources }),
    }
}

/// A word for a model of the gallery that is none.
struct UnknownModel {
    name: String,
    nearest: Option<String>,
}

impl Explain for UnknownModel {
    fn code(&self) -> &'static str {
        "unknown-model"
    }

    fn message(&self) -> String {
        format!("the gallery has no model `{}`", self.name)
    }

    fn hint(&self) -> Option<String> {
        Some(match &self.nearest {
            Some(name) => format!("did you mean `{name}`?"),
            None => "a file beside the study is named with its ending: \"model.toml\"".into(),
        })
    }
}

fn cannot_read(at: Option<Span>, path: &str, reason: &str, sources: Arc<Sources>) -> Rejected {
    let mut findings = Findings::new();
    findings.push(at, "", "", &ReadFault::CannotReadFile { path: path.into(), reason: reason.into() });
    Rejected { findings, sources }
}

/// The model of a plan, and what it compiles to as it is written.
fn read_model(plan: &Plan, load: Load) -> Result<(Model, System), Rejected> {
    let model = match &plan.model {
        ModelSource::Gallery { name, at } => match gallery::read(name) {
            Some(model) => model?,
            None => {
                let nearest = suggest(name, gallery::names()).map(str::to_string);
                let mut findings = Findings::new();
                findings.push(*at, "", "model", &UnknownModel { name: name.clone(), nearest });
                return Err(Rejected { findings, sources: plan.sources.clone() });
            }
        },
        ModelSource::File { path, at } => {
            let refused = |reason: String| cannot_read(Some(*at), path, &reason, plan.sources.clone());
            let bytes = load(path).map_err(|error| refused(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|_| refused("it is not UTF-8 text".into()))?;
            Model::parse_with(path, &text, load)?
        }
        ModelSource::Given => return Err(cannot_read(None, "", "no model is named", plan.sources.clone())),
    };
    let system = compile(&model)?;
    Ok((model, system))
}
