//! `borelli data`: what is in a file of a motion laboratory.
//! Not here: gathering it (`borelli_data::recording::survey`), JSON (`facts`), the picture (`picture`).
//! Out: tables for people, or JSON; a picture per file.

mod facts;
mod picture;

use super::text::Table;
use super::{Entry, Exit, Output};
use borelli_data::format::{format_for, open_recording, read_recording};
use borelli_data::recording::survey::{PlateSurvey, PointSurvey, Range, Survey};
use borelli_data::recording::tidy::strip_prefixes;
use borelli_data::recording::{Event, EventKind, Side};
use borelli_data::{Format, FormatFault, RecordingOptions};
use clap::{ArgMatches, Args, FromArgMatches};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub static ENTRY: Entry = Entry {
    name: "data",
    about: "Show what is in files of a motion laboratory: points, channels, plates, events, repairs",
    args: Data::augment_args,
    run,
};

#[derive(Args)]
#[command(after_help = "Formats: .trc (markers), .mot and .sto (tables), .csv, .c3d. Lengths are shown in m, forces in N.")]
struct Data {
    /// Files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print JSON: a list with an entry for every file
    #[arg(long)]
    json: bool,
    /// Draw heights of markers, gaps and forces of plates: into this file, or into this folder one picture per file
    #[arg(long, value_name = "FILE.svg|DIR")]
    plot: Option<PathBuf>,
    /// Cut off what stands before a colon in the names of points
    #[arg(long)]
    strip_prefix: bool,
}

/// A file that was looked through.
struct Look {
    file: String,
    format: &'static dyn Format,
    bytes: u64,
    survey: Survey,
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Data::from_arg_matches(matches).map_err(io::Error::other)?;
    let one_picture = args.plot.as_ref().is_some_and(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")));
    if one_picture && args.files.len() > 1 {
        output.complain("error: one picture cannot show several files\n  hint: give a folder to --plot\n");
        return Ok(Exit::BadInput);
    }
    let (mut exit, mut list) = (Exit::Good, Vec::new());
    for path in &args.files {
        let look = match look(path, args.strip_prefix) {
            Ok(look) => look,
            Err(fault) => {
                output.complain(&format!("{fault}\n"));
                exit = Exit::BadInput;
                continue;
            }
        };
        if let Some(place) = &args.plot {
            let file = if one_picture { place.clone() } else { place.join(picture_name(path)) };
            if let Err(error) = draw(&look, &file) {
                output.complain(&format!("error: cannot write {}: {error}\n", file.display()));
                exit = exit.max(Exit::Failed);
            }
        }
        if args.json { list.push(facts::of(&look)) } else { output.text(&shown(&look))? }
    }
    if args.json {
        output.json(&list.into())?;
    }
    Ok(exit)
}

fn picture_name(path: &Path) -> String {
    format!("{}.svg", path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default())
}

fn draw(look: &Look, file: &Path) -> io::Result<()> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, picture::of(&look.survey, look.format.name()))
}

/// Looks through a file: frame by frame where its format can, else in memory.
fn look(path: &Path, strip: bool) -> Result<Look, FormatFault> {
    let format = format_for(path)?;
    let options = RecordingOptions::default();
    let mut survey = if format.streams() {
        Survey::of(&mut *open_recording(path, &options)?, &options)?
    } else {
        Survey::of_recording(&read_recording(path, &options)?)
    };
    if strip {
        let mut names: Vec<String> = survey.points.iter().map(|point| point.name.clone()).collect();
        survey.repairs.extend(strip_prefixes(&mut names));
        survey.points.iter_mut().zip(names).for_each(|(point, name)| point.name = name);
    }
    let bytes = fs::metadata(path).map(|data| data.len()).unwrap_or(0);
    Ok(Look { file: path.to_string_lossy().into_owned(), format, bytes, survey })
}

/// What an event is called.
fn event_words(event: &Event) -> (String, &'static str) {
    let kind = match &event.kind {
        EventKind::FootStrike => "foot strike".to_string(),
        EventKind::FootOff => "foot off".to_string(),
        EventKind::Other(name) => name.clone(),
    };
    let side = match event.side {
        Some(Side::Left) => "left",
        Some(Side::Right) => "right",
        None => "general",
    };
    (kind, side)
}

/// The file for people.
fn shown(look: &Look) -> String {
    let survey = &look.survey;
    let (clock, outline) = (&survey.clock, &survey.outline);
    let mut out = format!("{}: {}, {:.1} MB\n", look.file, look.format.name(), look.bytes as f64 / 1e6);
    let even = if clock.uneven { ", not evenly spaced" } else { "" };
    let first = if clock.count > 0 { clock.time(0) } else { 0.0 };
    let _ = writeln!(
        out,
        "  {} frames at {} Hz{even}, {:.4} s from {first:.4} s, first frame {}",
        clock.count,
        clock.rate,
        survey.duration(),
        outline.first_frame
    );
    if !survey.points.is_empty() {
        let unit = if outline.length_unit.is_empty() { "m" } else { &outline.length_unit };
        let _ = writeln!(out, "\n  {} points, in the file in {unit}, here in m{}", survey.points.len(), up(survey));
        out += &indented(&points(survey).text());
    }
    if !survey.channels.is_empty() {
        let derived = survey.channels.iter().filter(|channel| channel.derived).count();
        let analog = survey.channels.len() - derived;
        let _ = writeln!(out, "\n  {} at {} Hz, {derived} derived quantities", count(analog, "channel", "channels"), survey.channel_rate());
        out += &indented(&channels(survey).text());
    }
    if !survey.plates.is_empty() {
        let _ = writeln!(out, "\n  {}, force on the person", count(survey.plates.len(), "plate", "plates"));
        out += &indented(&plates(survey).text());
    }
    if let Some(why) = &survey.no_plates {
        let _ = writeln!(out, "\n  {why}");
    }
    if !outline.events.is_empty() {
        let row = |event: &Event| {
            let (kind, side) = event_words(event);
            vec![format!("{:.4}", event.time), kind, side.to_string()]
        };
        let table = Table { heads: vec!["time s", "event", "side"], rows: outline.events.iter().map(row).collect() };
        let _ = write!(out, "\n  {}\n{}", count(outline.events.len(), "event", "events"), indented(&table.text()));
    }
    if !survey.repairs.is_empty() {
        let rows = survey.repairs.iter().map(|r| vec![r.at.clone(), r.found.clone(), r.done.clone()]).collect();
        let table = Table { heads: vec!["where", "found", "done"], rows };
        let _ = write!(out, "\n  {}\n{}", count(survey.repairs.len(), "repair", "repairs"), indented(&table.text()));
    }
    if !outline.facts.is_empty() {
        let _ = writeln!(out, "\n  further facts");
        for (key, value) in outline.facts.iter().take(FACTS) {
            let _ = writeln!(out, "    {key} = {}", brief(value));
        }
        if outline.facts.len() > FACTS {
            let _ = writeln!(out, "    and {} more; --json shows all", outline.facts.len() - FACTS);
        }
    }
    out + "\n"
}

/// A number of things in words.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Facts of a header that are shown.
const FACTS: usize = 16;

/// The beginning of a text.
fn brief(text: &str) -> String {
    const SHOWN: usize = 80;
    if text.chars().count() <= SHOWN { text.to_string() } else { text.chars().take(SHOWN).chain(" ...".chars()).collect() }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// What the file says about the vertical.
fn up(survey: &Survey) -> String {
    let Some(up) = survey.outline.up else { return String::new() };
    let axis = ["x", "y", "z"].into_iter().zip(up.to_array()).find(|(_, part)| *part != 0.0);
    axis.map_or(String::new(), |(axis, part)| format!(", {}{axis} is up", if part < 0.0 { "-" } else { "+" }))
}

fn span(range: Range, digits: usize) -> String {
    range.found().map_or("-".into(), |range| format!("{:.digits$} .. {:.digits$}", range.low, range.high))
}

/// Share of the frames in which a point was seen, %.
fn share(survey: &Survey, point: &PointSurvey) -> f64 {
    100.0 * point.seen as f64 / survey.clock.count.max(1) as f64
}

fn points(survey: &Survey) -> Table {
    let row = |point: &PointSurvey| {
        let longest = match point.longest_gap {
            0 => "-".to_string(),
            frames => format!("{frames} ({:.3} s)", frames as f64 / survey.clock.rate),
        };
        let mut row = vec![point.name.clone(), format!("{:.1}", share(survey, point)), point.gaps.to_string(), longest];
        row.extend(point.range.map(|range| span(range, 3)));
        row
    };
    Table { heads: vec!["point", "seen %", "gaps", "longest", "x m", "y m", "z m"], rows: survey.points.iter().map(row).collect() }
}

fn channels(survey: &Survey) -> Table {
    let row = |channel: &borelli_data::recording::survey::ChannelSurvey| {
        let number = |x: f64| format!("{x:.5e}");
        let (low, high) = channel.range.found().map_or(("-".into(), "-".into()), |range| (number(range.low), number(range.high)));
        let missing = if channel.missing > 0 { format!("{} missing", channel.missing) } else { String::new() };
        vec![channel.name.clone(), channel.unit.clone().unwrap_or("?".into()), low, high, missing]
    };
    Table { heads: vec!["channel", "unit", "smallest", "largest", ""], rows: survey.channels.iter().map(row).collect() }
}

fn plates(survey: &Survey) -> Table {
    let row = |found: &PlateSurvey| {
        let plate = &found.plate;
        let corners = plate.corners.map_or("-".into(), |corners| {
            corners.iter().map(|c| format!("({:.3}, {:.3}, {:.3})", c.x, c.y, c.z)).collect::<Vec<_>>().join(" ")
        });
        vec![
            plate.name.clone(),
            plate.kind.words(),
            format!("{:.1}", found.peak),
            format!("{:.3}", found.loaded),
            plate.baseline.as_ref().map_or("-".into(), |rest| format!("{:.2}", rest.force.norm())),
            found.inside.map_or("-".into(), |share| format!("{:.1}", 100.0 * share)),
            corners,
        ]
    };
    let heads = vec!["plate", "kind", "peak N", "loaded s", "rest N", "inside %", "corners m"];
    Table { heads, rows: survey.plates.iter().map(row).collect() }
}
