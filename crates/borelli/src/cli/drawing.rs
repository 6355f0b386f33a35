//! From results to what is shown of them: the report, plots of chosen columns, the picture of a study.
//! Not here: drawing (`report`, `plot`), running.
//! In: a job and its outcomes. Out: HTML and SVG text.

use borelli::columns::UnknownColumn;
use borelli::figure::{Courses, Figure};
use borelli::job::{Job, Task};
use borelli::plot::{Axis, Plot, Strip, figure_strip, panels, shown_unit, times_every};
use borelli::report::{Case, Expectation, Group, Ran, Report, about_cases, main_case, outcome_sentence, soft_above};
use borelli::results::Input;
use borelli::soft::unit_for;
use borelli::sweep;
use borelli_data::Trajectory;
use borelli_study::expect::Judgement;
use borelli_study::plan::Analysis;
use borelli_study::read::{Instants, Over, Picture, StudyFile};
use borelli_study::run::Outcome;

/// Columns of several cases over time as one picture, a panel per unit; curves carry the name of their case where there are several, and only that
/// where each case has one curve.
pub fn plot(title: &str, patterns: &[String], cases: &[(&str, &Trajectory)]) -> Result<String, UnknownColumn> {
    Ok(panels(&plots(title, patterns, cases, None)?))
}

/// The same, over time or over a column.
fn plots(title: &str, patterns: &[String], cases: &[(&str, &Trajectory)], across: Option<&str>) -> Result<Vec<Plot>, UnknownColumn> {
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let mut merged: Vec<Plot> = Vec::new();
    for (case, trajectory) in cases {
        let mut own = Plot::of_columns(trajectory, &patterns)?;
        if let Some(across) = across {
            over_column(&mut own, trajectory, across)?;
        }
        let single = own.iter().map(|plot| plot.series.len()).sum::<usize>() == 1;
        for mut plot in own {
            if cases.len() > 1 {
                let name = |label: &str| if single { case.to_string() } else { format!("{case}: {label}") };
                plot.series.iter_mut().for_each(|series| series.label = name(&series.label));
            }
            match merged.iter_mut().find(|known| known.y.unit == plot.y.unit) {
                Some(known) => known.series.append(&mut plot.series),
                None => merged.push(plot),
            }
        }
    }
    if let Some(first) = merged.first_mut() {
        first.title = title.to_string();
    }
    merged.iter_mut().for_each(in_short_numbers);
    Ok(merged)
}

/// Puts a column in the place of time.
fn over_column(plots: &mut [Plot], trajectory: &Trajectory, across: &str) -> Result<(), UnknownColumn> {
    let Some(right) = Plot::of_columns(trajectory, &[across])?.pop() else { return Ok(()) };
    let Some(series) = right.series.first() else { return Ok(()) };
    for plot in plots {
        plot.x = Axis::new(series.label.clone(), right.y.unit.clone());
        plot.series.iter_mut().for_each(|own| own.x.clone_from(&series.y));
    }
    Ok(())
}

/// One number of each column and case over what is swept, a panel per unit.
fn sweep_plot(title: &str, patterns: &[String], over: &Over, cases: &[(&str, &Trajectory)]) -> Result<String, UnknownColumn> {
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let Some((_, first)) = cases.iter().find(|(case, _)| over.points.iter().any(|(own, _)| own == case)) else { return Ok(panels(&[])) };
    let mut plots = Plot::of_columns(first, &patterns)?;
    for plot in &mut plots {
        plot.x = Axis::new(sweep::axis(over), "");
        for series in &mut plot.series {
            let samples = |case: &str| {
                let (_, table) = cases.iter().find(|(own, _)| *own == case)?;
                Some((table.time(), table.column(&series.label)?))
            };
            let factor = first.index(&series.label).map_or(1.0, |k| shown_unit(first.columns()[k].unit.as_deref().unwrap_or("")).1);
            let points = sweep::points(over, samples);
            series.x = points.iter().map(|(x, _)| *x).collect();
            series.y = points.iter().map(|(_, y)| factor * y).collect();
            series.marks = true;
        }
    }
    for plot in &mut plots {
        let series = &plot.series;
        [plot.x.log, plot.y.log] = sweep::logarithmic(series.iter().flat_map(|own| &own.x), series.iter().flat_map(|own| &own.y));
    }
    if let Some(first) = plots.first_mut() {
        first.title = title.to_string();
    }
    plots.iter_mut().for_each(in_short_numbers);
    Ok(panels(&plots))
}

/// Stresses in the unit that makes short numbers of them.
fn in_short_numbers(plot: &mut Plot) {
    if plot.y.unit != "Pa" {
        return;
    }
    let all = plot.series.iter().flat_map(|series| &series.y).filter(|y| y.is_finite());
    let unit = unit_for(all.fold(0.0_f64, |most, y| most.max(y.abs())));
    plot.y.unit = unit.name.into();
    plot.series.iter_mut().flat_map(|series| &mut series.y).for_each(|y| *y *= unit.factor);
}

/// Instants in a strip whose study names no times.
const INSTANTS: usize = 9;

/// The picture of a study; nothing where it asks for none. Where parts are soft, the mesh of the first case that it shows stands above its plot.
pub fn picture(study: &StudyFile, job: &Job, outcomes: &[Outcome]) -> Result<Option<String>, UnknownColumn> {
    let Some(flat) = flat_picture(study, job, outcomes)? else { return Ok(None) };
    let plot = match &study.picture {
        Some(Picture::Plot(k)) => study.plots.get(*k),
        _ => None,
    };
    let shown = |name: &str| plot.is_some_and(|plot| plot.over.is_some() || plot.shows(name));
    let first = job.tasks.iter().zip(outcomes).find(|(task, _)| shown(&task.name));
    let soft = first.and_then(|(task, outcome)| soft_above(&Case::of(&task.name, &task.system, outcome), &flat));
    Ok(Some(soft.unwrap_or(flat)))
}

fn flat_picture(study: &StudyFile, job: &Job, outcomes: &[Outcome]) -> Result<Option<String>, UnknownColumn> {
    let all = job.tasks.iter().zip(outcomes);
    match &study.picture {
        None => Ok(None),
        Some(Picture::Plot(k)) => {
            let Some(chosen) = study.plots.get(*k) else { return Ok(None) };
            if let Some(over) = &chosen.over {
                let tables: Vec<_> = all.map(|(task, outcome)| (task.name.as_str(), &outcome.trajectory)).collect();
                return sweep_plot(&chosen.title, &chosen.columns, over, &tables).map(Some);
            }
            let shown: Vec<_> = all.filter(|(task, _)| chosen.shows(&task.name)).collect();
            let tables: Vec<_> = shown.iter().map(|(task, outcome)| (task.name.as_str(), &outcome.trajectory)).collect();
            let mut plots = plots(&chosen.title, &chosen.columns, &tables, chosen.across.as_deref())?;
            // What statics calls time is how much of the load acts.
            if shown.iter().all(|(task, _)| task.plan.analysis == Analysis::Statics) {
                for plot in &mut plots {
                    plot.x = Axis::new("part of the load", "%");
                    plot.series.iter_mut().flat_map(|series| &mut series.x).for_each(|x| *x *= 100.0);
                }
            }
            Ok(Some(panels(&plots)))
        }
        Some(Picture::Strip { instants, superposed, case }) => {
            let mut chosen = all.filter(|(task, _)| case.as_deref().is_none_or(|case| case == task.name));
            Ok(chosen.next().map(|(task, outcome)| {
                let (figure, trajectory) = (Figure::of(&task.system), &outcome.trajectory);
                let courses = Courses::of(&task.system, trajectory);
                let times = times_of(instants, trajectory.time());
                let (title, superposed) = (study.title.as_str(), *superposed);
                figure_strip(&Strip { title, figure: &figure, trajectory, courses: &courses, times: &times, count: INSTANTS, superposed })
            }))
        }
    }
}

/// Times that are asked for; empty: spread evenly.
fn times_of(instants: &Instants, samples: &[f64]) -> Vec<f64> {
    match instants {
        Instants::At(times) => times.clone(),
        Instants::Every(interval) => times_every(*interval, samples),
        Instants::Spread => Vec::new(),
    }
}

/// What the page of a job shows. The poster is the study's wish.
pub fn report<'o>(job: &Job, outcomes: &'o [Outcome], judgements: &[Judgement]) -> Report<'o> {
    let study = job.study.as_ref();
    let text = |field: fn(&StudyFile) -> &String| study.map_or(String::new(), |study| field(study).clone());
    let title = text(|study| &study.title);
    let mut method = vec![("program".to_string(), concat!("borelli ", env!("CARGO_PKG_VERSION")).to_string())];
    method.extend(job.inputs.iter().map(|Input { path, sha256 }| (path.clone(), format!("sha256 {sha256}"))));
    let about = study.map_or(Vec::new(), |study| about_cases(&study.cases));
    let told = |name: &str| about.iter().find(|(of, _)| of == name).map_or(String::new(), |(_, text)| text.clone());
    let case = |(task, outcome): (&Task, &'o Outcome)| Case { about: told(&task.name), ..Case::of(&task.name, &task.system, outcome) };
    let cases: Vec<Case> = job.tasks.iter().zip(outcomes).map(case).collect();
    let groups: Vec<Group> = study.map_or(Vec::new(), |study| study.plots.iter().map(Group::from).collect());
    let names: Vec<&str> = job.tasks.iter().map(|task| task.name.as_str()).collect();
    let main = main_case(&groups, &names);
    let ran = job.tasks.iter().zip(outcomes).zip(&cases).map(|((task, outcome), case)| Ran {
        analysis: task.plan.analysis,
        status: &outcome.status,
        system: &task.system,
        case,
        judged: &outcome.judged,
    });
    let outcome = outcome_sentence(&ran.collect::<Vec<_>>(), main);
    Report {
        title: if title.is_empty() { job.name.clone() } else { title },
        description: text(|study| &study.description),
        outcome,
        source: text(|study| &study.source),
        cases,
        expectations: judgements.iter().map(Expectation::from).collect(),
        changes: job.changes.clone(),
        method,
        groups,
        poster: study.and_then(|study| study.poster),
        gait: None,
    }
}
