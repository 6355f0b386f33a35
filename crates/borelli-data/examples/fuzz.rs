//! Spoiled files for every reader: `cargo run --release --example fuzz -- [SECONDS] [SEED] [FORMAT]`. A panic is reported with its input.
//! Not here: how inputs are spoiled (`borelli_testkit::fuzz`).
//! In: seeds made by code, and the stored ones in `fuzz-corpus`. Out: how many files were read, or the input that broke a reader.

use borelli_data::axes::Axes;
use borelli_data::format::{Format, ReadOptions, RecordingOptions};
use borelli_data::recording::turned::Turned;
use borelli_data::recording::{Channel, ChannelGroup, Clock, Event, EventKind, Frame, FrameSource, PointSeries, Recording, Side};
use borelli_data::{Explain, FORMATS, FormatFault};
use borelli_math::{Vec3, vec3::vec3};
use borelli_testkit::fuzz::{Crash, Fuzzer};
use std::io::{Cursor, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Words that mean something to a reader.
const WORDS: [&[u8]; 40] = [
    b"\t",
    b"\t\t",
    b",",
    b"\"",
    b"\n",
    b"\r\n",
    b"=",
    b"nan",
    b"-nan(ind)",
    b"1.#QNAN",
    b"1e999",
    b"1e308",
    b"-1",
    b"0",
    b"0.5",
    b"endheader",
    b"time",
    b"inDegrees=yes\n",
    b"version=3\n",
    b"DataType=Vec3\n",
    b"units=",
    b"optional=",
    b"nRows=999999999\n",
    b"PathFileType",
    b"DataRate",
    b"NumMarkers",
    b"Units",
    b"mm",
    b"Frame#",
    b"X1",
    b"ground_force_vx",
    b"[mm]",
    b"# name = ",
    b"POINT",
    b"FORCE_PLATFORM",
    b"ANALOG",
    b"\xff\xff",
    b"\x00\x00\x80\xbf",
    b"\x50",
    b"\xef\xbb\xbf",
];

/// A recording with points, gaps, channels, an event.
fn recording() -> Recording {
    let (count, rate) = (6, 50.0);
    let clock = Clock::even(rate, 0.0, count);
    let point = |name: &str, hidden: usize| PointSeries {
        name: name.into(),
        position: (0..count).map(|k| if k == hidden { Vec3::ZERO } else { vec3(0.1 * k as f64, 1.0, -0.2) }).collect(),
        seen: (0..count).map(|k| k != hidden).collect(),
        residual: Vec::new(),
    };
    let channel = |name: &str| Channel {
        name: name.into(),
        unit: Some("N".into()),
        samples: (0..count).map(|k| k as f64).collect(),
        ..Channel::default()
    };
    let names = ["ground_force_vx", "ground_force_vy", "ground_force_vz", "ground_force_px", "ground_force_py", "ground_force_pz"];
    Recording {
        name: "seed".into(),
        points: vec![point("R.ASIS", 2), point("S:KNEE", 9)],
        channels: vec![ChannelGroup { clock: clock.clone(), channels: names.iter().map(|name| channel(name)).collect() }],
        events: vec![Event { time: 0.02, kind: EventKind::FootStrike, side: Some(Side::Left) }],
        length_unit: "mm".into(),
        first_frame: 1,
        clock,
        ..Recording::default()
    }
}

fn written(format: &dyn Format, recording: &Recording, file: &mut Cursor<Vec<u8>>) -> std::io::Result<()> {
    let (mut frames, mut frame) = (recording.frames(), Frame::default());
    let mut sink = format.sink(frames.outline(), Box::new(file))?;
    while frames.next_frame(&mut frame).is_ok_and(|more| more) {
        sink.put(&frame)?;
    }
    sink.finish()
}

/// Sound files of a format: one of a recording made here, and what is stored.
fn seeds(format: &dyn Format) -> Vec<Vec<u8>> {
    let mut list = Vec::new();
    let (recording, mut file) = (recording(), Cursor::new(Vec::new()));
    if written(format, &recording, &mut file).is_ok() {
        list.push(file.into_inner());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz-corpus").join(format.name());
    let mut stored: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    stored.sort();
    list.extend(stored.iter().filter_map(|path| std::fs::read(path).ok()));
    list
}

/// Everything a format can do with an input; the answer is what was found, in few words, so that a new one is told from an old one.
fn exercise(format: &dyn Format, bytes: &[u8]) -> String {
    let file = format!("a.{}", format.endings().last().unwrap_or(&""));
    let options = RecordingOptions::default();
    let told = |fault: &FormatFault| format!("{} ", fault.kind.code());
    let mut answer = match format.record(&mut Cursor::new(bytes), &file, &options) {
        Ok(mut recording) => {
            recording = recording.turned(&Axes::Z_UP.rotation());
            recording.turn_reversed_columns();
            let kinds: Vec<String> =
                recording.repairs.iter().take(6).map(|repair| repair.done.chars().filter(|c| c.is_alphabetic()).collect()).collect();
            let size =
                [recording.clock.count, recording.points.len(), recording.channels.len(), recording.plates.len(), recording.events.len()];
            let mut frames = recording.frames();
            let mut frame = Frame::default();
            while frames.next_frame(&mut frame).is_ok_and(|more| more) {}
            format!("{kinds:?} {:?} ", size.map(|n| n.min(9)))
        }
        Err(fault) => told(&fault),
    };
    match format.open(Box::new(Cursor::new(bytes)), &file, &options) {
        Ok(source) => {
            let mut source = Turned::new(source, Axes::Z_UP.rotation());
            let mut frame = Frame::default();
            while let Ok(true) = source.next_frame(&mut frame) {}
        }
        Err(fault) => answer += &told(&fault),
    }
    match format.read_from(&mut Cursor::new(bytes), &file, &ReadOptions::by_name()) {
        Ok(reading) => answer += &format!("{:?} ", reading.notes.iter().take(4).map(Explain::code).collect::<Vec<_>>()),
        Err(fault) => answer += &told(&fault),
    }
    answer
}

/// Reads spoiled files of one format while `go_on` allows it.
fn hunt(format: &dyn Format, seed: u64, go_on: impl FnMut(u64) -> bool) -> Result<(u64, usize), Crash> {
    let mut fuzzer = Fuzzer::new(seed, seeds(format), &WORDS);
    let executions = fuzzer.run(go_on, |bytes| exercise(format, bytes))?;
    Ok((executions, fuzzer.kept()))
}

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let seconds: u64 = args.next().and_then(|word| word.parse().ok()).unwrap_or(60);
    let seed: u64 = args.next().and_then(|word| word.parse().ok()).unwrap_or(1);
    let only = args.next();
    let mut out = std::io::stdout();
    let mut broken = false;
    std::panic::set_hook(Box::new(|_| {}));
    for format in FORMATS.iter().filter(|format| only.as_ref().is_none_or(|name| name == format.name())) {
        let begin = Instant::now();
        match hunt(*format, seed, |_| begin.elapsed() < Duration::from_secs(seconds)) {
            Ok((executions, kept)) => {
                writeln!(out, "{}: {executions} files in {seconds} s, {kept} kept, seed {seed}: no panic", format.name())?;
            }
            Err(crash) => {
                broken = true;
                let place = std::env::temp_dir().join(format!("borelli-fuzz.{}", format.name()));
                std::fs::write(&place, &crash.input)?;
                writeln!(out, "{}: PANIC after {} files: {}\n  input: {}", format.name(), crash.executions, crash.said, place.display())?;
            }
        }
    }
    std::process::exit(i32::from(broken))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spoiled files of a format for ten seconds, and so many at least.
    const FILES: u64 = 5_000;
    const SECONDS: Duration = Duration::from_secs(10);

    fn spoil(name: &str) {
        let format = FORMATS.iter().find(|format| format.name() == name).unwrap_or_else(|| panic!("no format {name}"));
        let begin = Instant::now();
        let found = hunt(*format, 7, |executions| executions < FILES || begin.elapsed() < SECONDS);
        let (executions, kept) = found.unwrap_or_else(|crash| {
            panic!("{name}: {} after {} files; input: {:?}", crash.said, crash.executions, String::from_utf8_lossy(&crash.input))
        });
        assert!(executions >= FILES && kept > 20, "{name}: of {executions} inputs only {kept} were answered in a new way");
    }

    #[test]
    fn spoiled_sto_files_never_make_the_reader_panic() {
        spoil("sto");
    }

    #[test]
    fn spoiled_csv_files_never_make_the_reader_panic() {
        spoil("csv");
    }

    #[test]
    fn spoiled_trc_files_never_make_the_reader_panic() {
        spoil("trc");
    }

    #[test]
    fn spoiled_c3d_files_never_make_the_reader_panic() {
        spoil("c3d");
    }

    #[test]
    fn every_format_is_spoiled() {
        assert_eq!(FORMATS.iter().map(|format| format.name()).collect::<Vec<_>>(), ["sto", "csv", "trc", "c3d"]);
    }

    #[test]
    fn every_format_has_seeds_that_it_reads() {
        for format in FORMATS {
            let seeds = seeds(*format);
            assert!(seeds.len() >= 2, "{}", format.name());
            let sound = |bytes: &Vec<u8>| format.record(&mut Cursor::new(bytes), "a.mot", &RecordingOptions::default()).is_ok();
            assert!(seeds.iter().filter(|bytes| sound(bytes)).count() >= 2, "{}", format.name());
        }
    }
}
