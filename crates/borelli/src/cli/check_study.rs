//! `borelli check` of a study: every case planned, its model compiled, its plan checked against the system, and what is expected of it looked for.
//! Not here: running; the checks themselves (`borelli-study`); models by themselves (`check`).
//! Out: what was understood on the standard output, or every fault on the standard error.

use super::check::{listed, parameters, parameters_json, refuse};
use super::{Exit, Output};
use borelli::job::{Job, Survey, Task, add_fault};
use borelli::studies::Studies;
use borelli_data::{Column, Trajectory};
use borelli_model::{Explain, Findings, Rejected, suggest};
use borelli_study::expect::{self, CaseResult};
use borelli_study::pattern::fits;
use borelli_study::plan::{Analysis, ModelSource, Plan};
use borelli_study::read::{Override, Plot, StudyFile};
use borelli_study::run::{self, Outline};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io;

/// A study, what its cases would leave, and all faults.
pub struct Examined {
    job: Job,
    /// Of each case of the job, in its order.
    outlines: Vec<Outline>,
    faults: Vec<Rejected>,
}

impl Examined {
    /// Reads and checks a study; a file that cannot be read as one is refused by itself.
    pub fn new(path: &str, studies: &Studies, overrides: &[Override]) -> Result<Examined, Rejected> {
        let Survey { mut job, mut faults } = Survey::of_study(path, studies, overrides)?;
        let (mut tasks, mut outlines) = (Vec::new(), Vec::new());
        for task in job.tasks {
            match run::check(&task.system, &task.plan) {
                Ok(outline) => {
                    tasks.push(task);
                    outlines.push(outline);
                }
                Err(findings) => add_fault(&mut faults, Rejected { findings, sources: task.plan.sources }),
            }
        }
        job.tasks = tasks;
        if let Some(study) = &job.study {
            let mut findings = expectations(study, &job.tasks, &outlines);
            plots(study, &job.tasks, &outlines, &mut findings);
            if !findings.is_empty() {
                add_fault(&mut faults, Rejected { findings, sources: study.sources.clone() });
            }
        }
        Ok(Examined { job, outlines, faults })
    }

    /// Prints what was understood, or all faults; the value is the same for machines.
    pub fn tell(&self, file: &str, as_json: bool, with_parameters: bool, output: &mut Output) -> io::Result<(Exit, Value)> {
        let (exit, mut value) = match self.faults.is_empty() {
            true => (Exit::Good, json!({ "file": file, "ok": true, "findings": [] })),
            false => refuse(file, &self.faults, as_json, output),
        };
        let system = self.job.tasks.first().map(|task| &task.system);
        if as_json {
            self.describe(&mut value);
            if let (true, Some(system)) = (with_parameters, system) {
                value["parameters"] = parameters_json(system);
            }
        } else if exit == Exit::Good {
            output.text(&self.summary(file))?;
            if let (true, Some(system)) = (with_parameters, system) {
                output.text(&parameters(system))?;
            }
        }
        Ok((exit, value))
    }

    /// Columns that any case records, each once, in the order of the cases.
    fn columns(&self) -> Vec<&Column> {
        let mut list: Vec<&Column> = Vec::new();
        let mut known = std::collections::HashSet::new();
        for column in self.outlines.iter().flat_map(|outline| &outline.columns) {
            if known.insert(column.name.as_str()) {
                list.push(column);
            }
        }
        list
    }

    fn summary(&self, file: &str) -> String {
        let mut text = String::new();
        let mut line = |label: &str, value: String| {
            let _ = writeln!(text, "  {label:<12} {value}");
        };
        let Some(study) = &self.job.study else { return text };
        let plans = || self.job.tasks.iter().map(|task| &task.plan);
        line("title", study.title.clone());
        line("model", distinct(plans().map(|plan| model_name(&plan.model))));
        line("analysis", distinct(plans().map(|plan| plan.analysis.name().to_string())));
        line("time", distinct(plans().map(span)));
        line("integrator", distinct(plans().filter(moves).map(method)));
        if study.cases.len() > 1 {
            line("cases", format!("{}: {}", study.cases.len(), listed(study.cases.iter().map(|case| case.name.clone()))));
        }
        let columns = self.columns();
        line("columns", format!("{} recorded", columns.len()));
        let derived: Vec<String> = columns
            .iter()
            .filter(|c| c.name.starts_with("derived."))
            .map(|c| format!("{} [{}]", c.name, c.unit.as_deref().unwrap_or("1")))
            .collect();
        if !derived.is_empty() {
            line("derived", listed(derived.into_iter()));
        }
        let events = distinct(plans().flat_map(|plan| plan.events.iter().map(|event| event.name.clone())));
        line("events", events);
        line("expectations", format!("{}, all can be judged", study.expects.len()));
        line("plots", study.plots.len().to_string());
        format!("{file}: good\n{text}")
    }

    /// Adds what was understood.
    fn describe(&self, value: &mut Value) {
        let Some(study) = &self.job.study else { return };
        let case = |task: &Task| {
            let Plan { model, analysis, formulation, time, .. } = &task.plan;
            json!({
                "name": task.name, "model": model_name(model), "analysis": analysis.name(), "formulation": formulation,
                "start": time.start, "end": time.end,
            })
        };
        value["study"] = json!(study.id);
        value["title"] = json!(study.title);
        value["cases"] = self.job.tasks.iter().map(case).collect();
        value["columns"] = self.columns().iter().map(|column| json!({ "name": column.name, "unit": column.unit })).collect();
        value["expectations"] = study.expects.iter().map(|expect| json!({ "quantity": expect.quantity, "cases": expect.cases })).collect();
        value["plots"] = study.plots.iter().map(|plot| json!(plot.title)).collect();
    }
}

/// Whether a plan integrates.
fn moves(plan: &&Plan) -> bool {
    plan.integrates()
}

fn method(plan: &Plan) -> String {
    plan.integrator.method.clone().unwrap_or_else(|| "chosen by the model".into())
}

fn span(plan: &Plan) -> String {
    let time = plan.time;
    if plan.analysis == Analysis::Statics { format!("at {} s", time.start) } else { format!("{} to {} s", time.start, time.end) }
}

fn model_name(source: &ModelSource) -> String {
    match source {
        ModelSource::Given => String::new(),
        ModelSource::Gallery { name, .. } => name.clone(),
        ModelSource::File { path, .. } => path.clone(),
    }
}

/// Each word once, in order.
fn distinct(words: impl Iterator<Item = String>) -> String {
    let mut list: Vec<String> = Vec::new();
    for word in words {
        if !list.contains(&word) {
            list.push(word);
        }
    }
    if list.is_empty() { "none".into() } else { listed(list.into_iter()) }
}

/// Expectations whose columns or numbers no run will leave.
fn expectations(study: &StudyFile, tasks: &[Task], outlines: &[Outline]) -> Findings {
    // Columns of runs are good columns.
    let tables: Vec<Trajectory> = outlines.iter().filter_map(|outline| Trajectory::new(outline.columns.clone()).ok()).collect();
    let cases = tasks.iter().zip(outlines).zip(&tables).map(|((task, outline), trajectory)| CaseResult {
        name: &task.name,
        trajectory,
        scalars: &outline.scalars,
        failure: None,
    });
    expect::check(&study.expects, &cases.collect::<Vec<_>>())
}

/// A pattern of a plot that no column fits.
struct NothingToPlot<'a> {
    plot: &'a str,
    pattern: &'a str,
    nearest: Option<String>,
}

impl Explain for NothingToPlot<'_> {
    fn code(&self) -> &'static str {
        "no-such-column"
    }

    fn message(&self) -> String {
        format!("plot `{}`: no column is called `{}`", self.plot, self.pattern)
    }

    fn hint(&self) -> Option<String> {
        self.nearest.as_ref().map(|name| format!("did you mean `{name}`?"))
    }
}

/// Plots that show nothing in any of their cases, where these are all known.
fn plots(study: &StudyFile, tasks: &[Task], outlines: &[Outline], findings: &mut Findings) {
    for plot @ Plot { title, columns, across, across_at, at, .. } in &study.plots {
        let shown = || tasks.iter().zip(outlines).filter(|(task, _)| plot.shows(&task.name));
        let names = || shown().flat_map(|(_, outline)| outline.columns.iter().map(|column| column.name.as_str()));
        let known = study.cases.iter().filter(|case| plot.shows(&case.name)).count() == shown().count();
        let right = across.iter().map(|column| ("across", across_at.unwrap_or(*at), column));
        let fields = columns.iter().map(|pattern| ("columns", *at, pattern)).chain(right);
        for (field, at, pattern) in fields.filter(|(.., pattern)| known && !names().any(|name| fits(pattern, name))) {
            let nearest = suggest(pattern, names()).map(str::to_string);
            findings.push(at, "plot", field, &NothingToPlot { plot: title, pattern, nearest });
        }
    }
}
