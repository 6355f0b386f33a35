//! The files of one run: samples, events, maps of pressure mats, soft parts, what can be drawn of the model and its paths, and where to go on from.
//! Not here: the folder itself, the summary, the page.
//! In: a system and an outcome. Out: `trajectory.*`, `events.csv`, `figure.json`, `paths.json`, `pressure.NAME.npz` and `.csv`, `soft.json` and
//! `soft/`, tables of a fit and of uncertain results, `restart.json`.

use super::events::write_events;
use super::fault::FolderFault;
use super::fit::write_fit;
use super::folder::RunFolder;
use super::inputs::Input;
use super::pressure::{write_pressure_csv, write_pressure_npz};
use super::record::{COURSES, EVENTS, FIGURE};
use super::restart::Restart;
use super::soft::write_soft;
use super::uncertainty::write_uncertainty;
use crate::figure::{Courses, Figure};
use crate::report::{Facts, courses_json, drawn_height, figure_json};
use borelli_data::{Format, Trajectory};
use borelli_dynamics::System;
use borelli_study::run::Outcome;

/// Folder of a case inside a folder of results: `cases/NAME/`, or the folder itself where there is but one.
pub fn place_of(case: &str) -> String {
    if case.is_empty() { String::new() } else { format!("cases/{case}/") }
}

/// Writes the files of one run into its place.
pub fn write_case(
    folder: &mut RunFolder,
    case: &str,
    system: &System,
    outcome: &Outcome,
    formats: &[&dyn Format],
) -> Result<(), FolderFault> {
    let place = place_of(case);
    for format in formats {
        let ending = format.endings().first().copied().unwrap_or(format.name());
        folder.write(&format!("{place}trajectory.{ending}"), |out| format.write(&outcome.trajectory, out))?;
    }
    folder.write(&format!("{place}{EVENTS}"), |out| write_events(&outcome.events, out))?;
    let (figure, facts) = (Figure::of(system), Facts::of(system, &outcome.settings));
    let height = drawn_height(&figure, &outcome.trajectory, &outcome.soft);
    let mut drawn = figure_json(&figure, height, facts.given());
    drawn["facts"] = facts.to_json();
    folder.write(&format!("{place}{FIGURE}"), |out| writeln!(out, "{drawn}"))?;
    let courses = Courses::of(system, &outcome.trajectory);
    if !courses.0.is_empty() {
        let drawn = courses_json(&courses);
        folder.write(&format!("{place}{COURSES}"), |out| writeln!(out, "{drawn}"))?;
    }
    for map in &outcome.pressure {
        folder.write(&format!("{place}pressure.{}.npz", map.name), |out| write_pressure_npz(map, out))?;
        folder.write(&format!("{place}pressure.{}.csv", map.name), |out| write_pressure_csv(map, out))?;
    }
    write_soft(folder, &place, &outcome.soft)?;
    if let Some(fit) = &outcome.fit {
        write_fit(folder, &place, fit)?;
    }
    if let Some(uncertainty) = &outcome.uncertainty {
        write_uncertainty(folder, &place, uncertainty)?;
    }
    if let Some(end) = &outcome.end {
        let restart = Restart::new(system, end.clone()).to_json();
        folder.write(&format!("{place}{}", Restart::FILE), |out| writeln!(out, "{restart:#}"))?;
    }
    Ok(())
}

/// Writes into a table where it comes from. No times of day: the same input gives the same bits.
pub fn stamp(trajectory: &mut Trajectory, facts: &[(&str, &str)], inputs: &[Input]) {
    let files: Vec<String> = inputs.iter().map(|input| format!("{} sha256 {}", input.path, input.sha256)).collect();
    let program = concat!("borelli ", env!("CARGO_PKG_VERSION"));
    for (key, value) in [("program", program)].iter().chain(facts).chain(&[("inputs", files.join("; ").as_str())]) {
        // Names come from files and may hold anything; a header has one line per fact.
        let line: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let line = line.trim();
        if !line.is_empty() {
            // What no header can hold is left out; the summary has it.
            let _ = trajectory.set_meta(key, line);
        }
    }
}
