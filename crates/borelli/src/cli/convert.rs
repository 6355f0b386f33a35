//! `borelli convert`: a file of a motion laboratory in another format, frame by frame.
//! Not here: formats themselves (`borelli_data::format`), what is in a file (`data`).
//! Out: the file, whole or not at all; on the standard error what was mended and what could not be carried over.

use super::{Entry, Exit, Output};
use borelli_data::axes::Axes;
use borelli_data::format::{format_for, open_recording, read_recording};
use borelli_data::recording::select::Selected;
use borelli_data::recording::turned::Turned;
use borelli_data::recording::{Frame, FrameSource, Recording, RecordingFrames, Repair};
use borelli_data::{Explain, Format, FormatFault, ReadOptions, RecordingOptions, read_table};
use borelli_study::pattern::fits;
use clap::{ArgMatches, Args, FromArgMatches};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub static ENTRY: Entry = Entry {
    name: "convert",
    about: "Write a file of a motion laboratory in another format: .trc, .mot, .sto, .csv, .c3d",
    args: Convert::augment_args,
    run,
};

#[derive(Args)]
#[command(
    after_help = "A table has one column of times: with points and faster channels in the file, it takes the points, unless --channels asks for channels."
)]
struct Convert {
    /// The file to read
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write; its ending says the format
    #[arg(value_name = "OUT")]
    to: PathBuf,
    /// Frames per second of the new file: signals are low-passed where the new rate is lower, never picked
    #[arg(long, value_name = "HZ")]
    rate: Option<f64>,
    /// Points to keep, by name or pattern (`R*`); may be repeated
    #[arg(long, value_name = "PATTERN")]
    points: Vec<String>,
    /// Channels to keep, by name or pattern; may be repeated
    #[arg(long, value_name = "PATTERN")]
    channels: Vec<String>,
    /// Write the loads of the plates as columns ground_force_1_vx and so on, and nothing else
    #[arg(long, conflicts_with_all = ["points", "channels"])]
    plates: bool,
    /// Cut off what stands before a colon in the names of points
    #[arg(long)]
    strip_prefix: bool,
    /// Axes of the laboratory, such as "x-forward, z-up": the new file has x forward, y up and z to the right
    #[arg(long, value_name = "AXES", allow_hyphen_values = true)]
    axes: Option<String>,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
}

/// Most numbers that resampling may make.
const MOST_VALUES: f64 = 1e8;

/// Files that must be held in memory for what is asked are refused beyond this size, bytes.
const LARGEST_WHOLE: u64 = 200 << 20;

/// Why nothing was written.
enum Refusal {
    /// The input is bad.
    Format(FormatFault),
    /// Something that was asked for makes no sense here: what, and what to do.
    Wish(String, String),
    /// The output cannot be written.
    Write(io::Error),
}

impl From<FormatFault> for Refusal {
    fn from(fault: FormatFault) -> Refusal {
        Refusal::Format(fault)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Write(error)
    }
}

fn wish<T>(what: impl Into<String>, hint: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Wish(what.into(), hint.into()))
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Convert::from_arg_matches(matches).map_err(io::Error::other)?;
    match convert(&args) {
        Ok(said) => {
            output.complain(&said.concat());
            Ok(Exit::Good)
        }
        Err(Refusal::Format(fault)) => {
            output.complain(&format!("{fault}\n"));
            Ok(Exit::BadInput)
        }
        Err(Refusal::Wish(what, hint)) => {
            output.complain(&format!("error: {what}\n  hint: {hint}\n"));
            Ok(Exit::BadInput)
        }
        Err(Refusal::Write(error)) => {
            output.complain(&format!("error: cannot write {}: {error}\n", args.to.display()));
            Ok(Exit::Failed)
        }
    }
}

/// Converts; gives what is to be said.
fn convert(args: &Convert) -> Result<Vec<String>, Refusal> {
    let (from, to) = (format_for(&args.from)?, format_for(&args.to)?);
    if args.to.exists() && !args.force {
        return wish(format!("{} is there already", args.to.display()), "give --force to replace it, or another name");
    }
    let plain = args.rate.is_none()
        && args.points.is_empty()
        && args.channels.is_empty()
        && !args.plates
        && !args.strip_prefix
        && args.axes.is_none();
    if plain && from.keeps_tables() && to.keeps_tables() {
        return convert_table(args, to);
    }
    let turn = match &args.axes {
        None => None,
        Some(text) => match Axes::parse(text) {
            Ok(axes) => Some(axes.rotation()),
            Err(fault) => return wish(fault.message(), fault.hint().unwrap_or_else(|| "write --axes \"x-forward, z-up\"".into())),
        },
    };
    let options = RecordingOptions::default();
    let whole = args.rate.is_some() || args.plates;
    let mut said = Vec::new();
    let source: Box<dyn FrameSource> = if from.streams() && !whole {
        open_recording(&args.from, &options)?
    } else {
        if from.streams() && fs::metadata(&args.from).is_ok_and(|data| data.len() > LARGEST_WHOLE) {
            let limit = LARGEST_WHOLE >> 20;
            return wish(
                format!("--rate and --plates hold the file in memory, and it is larger than {limit} MiB"),
                "convert it without them",
            );
        }
        let mut recording = read_recording(&args.from, &options)?;
        if let (Some(R), true) = (&turn, args.plates) {
            recording = recording.turned(R);
        }
        Box::new(RecordingFrames::whole(prepared(recording, args, &mut said)?))
    };
    // Loads of plates were turned before they became columns.
    let source: Box<dyn FrameSource> = match turn.filter(|_| !args.plates) {
        Some(R) => Box::new(Turned::new(source, R)),
        None => source,
    };
    if turn.is_some() {
        said.push("note: turned: x points forward, y up, z to the right\n".into());
    }
    let mut source = selected(source, args, to, &mut said)?;
    said.extend(to.left_out(source.outline()).iter().map(|what| format!("note: left out: {what}\n")));
    if to.name() == "trc" && source.outline().points.is_empty() {
        return wish("there are no points for a .trc file", "write a .csv or .sto file");
    }
    let mut missing = 0;
    let frames = write_whole(&args.to, |out| {
        let mut sink = to.sink(source.outline(), Box::new(out)).map_err(Refusal::Write)?;
        let (mut frame, mut count) = (Frame::default(), 0_u64);
        while source.next_frame(&mut frame)? {
            if !to.keeps_tables() {
                // only tables have a way to write a sample that is not there
                let lost = frame.samples.iter_mut().filter(|x| x.is_nan());
                missing += lost.map(|x| *x = 0.0).count();
            }
            sink.put(&frame)?;
            count += 1;
        }
        sink.finish()?;
        Ok(count)
    })?;
    if missing > 0 && !source.outline().channels.is_empty() {
        said.push(format!("note: {missing} samples of channels that are missing were written as zero\n"));
    }
    said.extend(source.repairs().iter().map(mended));
    said.push(format!("{frames} frames written to {}\n", args.to.display()));
    Ok(said)
}

fn mended(repair: &Repair) -> String {
    format!("note: {}: {}; {}\n", repair.at, repair.found, repair.done)
}

/// A table as a table: names, units and every bit of its numbers are kept.
fn convert_table(args: &Convert, to: &'static dyn Format) -> Result<Vec<String>, Refusal> {
    let reading = read_table(&args.from, &ReadOptions::by_name())?;
    let rows = reading.trajectory.len();
    write_whole(&args.to, |mut out| {
        to.write(&reading.trajectory, &mut out)?;
        Ok(out.flush()?)
    })?;
    let mut said: Vec<String> = reading.notes.iter().map(|note| format!("note: {}\n", note.message())).collect();
    if !reading.remarks.is_empty() {
        said.push(format!("note: left out: {} free lines of the header\n", reading.remarks.len()));
    }
    said.push(format!("{rows} rows written to {}\n", args.to.display()));
    Ok(said)
}

/// A recording in memory, with what was asked for done to it.
fn prepared(mut recording: Recording, args: &Convert, said: &mut Vec<String>) -> Result<Recording, Refusal> {
    if recording.clock.uneven {
        return wish(
            "the samples are not evenly spaced",
            "tables convert to tables as they are: give no other option and a .csv or .sto file",
        );
    }
    if args.plates {
        if recording.plates.is_empty() {
            return wish("there are no plates in the file", "`borelli data` shows what there is");
        }
        let threshold = recording.plates.iter().map(|plate| plate.threshold).fold(0.0, f64::max);
        said.push(format!("note: where a plate bears less than {threshold} N its load is written as zero\n"));
        recording = recording.loads_as_columns();
    }
    if let Some(rate) = args.rate {
        if !recording.plates.is_empty() {
            said.push("note: left out: loads of plates, which are not resampled with the points; their channels are\n".into());
        }
        let values = rate * recording.clock.count as f64 / recording.clock.rate
            * (3 * recording.points.len() + recording.channels.len()).max(1) as f64;
        if !(values <= MOST_VALUES) {
            return wish(
                format!("--rate {rate} would make some {values:.0e} numbers, more than {MOST_VALUES:.0e}"),
                "give --rate in Hz, such as 100",
            );
        }
        recording = match recording.resampled(rate) {
            Ok(recording) => recording,
            Err(fault) => return wish(format!("the recording cannot be resampled: {fault}"), "give --rate in Hz, such as 100"),
        };
    }
    Ok(recording)
}

/// Names that fit one of some patterns; all without patterns.
fn places<'n>(names: impl Iterator<Item = &'n String>, patterns: &[String], what: &str) -> Result<Vec<usize>, Refusal> {
    let names: Vec<&String> = names.collect();
    for pattern in patterns {
        if !names.iter().any(|name| fits(pattern, name)) {
            let near = borelli_data::suggest(pattern, names.iter().map(|name| name.as_str()));
            let hint = near.map_or("`borelli data` lists the names".to_string(), |near| format!("did you mean `{near}`?"));
            return wish(format!("no {what} fits `{pattern}`"), hint);
        }
    }
    let keeps = |name: &str| patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern, name));
    Ok((0..names.len()).filter(|k| keeps(names[*k])).collect())
}

/// The points and channels that were asked for.
fn selected(
    source: Box<dyn FrameSource>,
    args: &Convert,
    to: &'static dyn Format,
    said: &mut Vec<String>,
) -> Result<Selected<'static>, Refusal> {
    let outline = source.outline();
    let table = to.keeps_tables() && outline.samples_per_frame > 1;
    let channels_only = table && !args.channels.is_empty() && args.points.is_empty();
    let mut names = outline.points.clone();
    let mut repairs = Vec::new();
    if args.strip_prefix {
        repairs = borelli_data::recording::tidy::strip_prefixes(&mut names);
    }
    let mut points = places(names.iter(), &args.points, "point")?;
    let channels = places(outline.channels.iter().map(|(name, _)| name), &args.channels, "channel")?;
    if channels_only && !points.is_empty() {
        said.push(format!(
            "note: left out: {} points at {} Hz, since --channels asks for the faster channels\n",
            points.len(),
            outline.rate
        ));
        points.clear();
    }
    said.extend(repairs.iter().map(mended));
    if !outline.platforms.is_empty() && channels.len() < outline.channels.len() {
        said.push(format!("note: left out: {}, since not all channels are kept\n", force_plates(outline.platforms.len())));
    } else if !outline.platforms.is_empty() && to.name() != "c3d" {
        said.push(format!("note: left out: {}; --plates writes their loads into a table\n", force_plates(outline.platforms.len())));
    }
    Ok(Selected::new(source, names, points, channels, !channels_only))
}

fn force_plates(count: usize) -> String {
    if count == 1 { "1 force plate".into() } else { format!("{count} force plates") }
}

/// Writes a file under another name, that of this process, and renames it when it is whole.
fn write_whole<T>(to: &Path, write: impl FnOnce(BufWriter<File>) -> Result<T, Refusal>) -> Result<T, Refusal> {
    let mut name: OsString = to.as_os_str().to_os_string();
    name.push(format!(".{}.partial", std::process::id()));
    let partial = PathBuf::from(name);
    let done = File::create(&partial).map_err(Refusal::Write).and_then(|file| write(BufWriter::with_capacity(1 << 16, file)));
    match done {
        Ok(done) => {
            fs::rename(&partial, to)?;
            Ok(done)
        }
        Err(refusal) => {
            let _ = fs::remove_file(&partial);
            Err(refusal)
        }
    }
}
