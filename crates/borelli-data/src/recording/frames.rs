//! Recordings frame by frame: how files of any size are looked through and converted.
//! Not here: the formats that read and write frames.
//! In: a source that knows its outline before the first frame. Out: one frame after the other, or a whole [`Recording`].

use super::{Channel, ChannelGroup, ChannelKind, Clock, Event, Platform, PointSeries, Recording, Repair};
use crate::format::FormatFault;
use borelli_math::Vec3;
use std::borrow::Cow;
use std::io;

/// What is known of a recording before its first frame.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Name of the trial.
    pub name: String,
    /// Names of the points.
    pub points: Vec<String>,
    /// Names and units of derived quantities, one value a frame.
    pub derived: Vec<(String, Option<String>)>,
    /// Names and units of channels.
    pub channels: Vec<(String, Option<String>)>,
    /// Frames per second.
    pub rate: f64,
    /// Samples of every channel in a frame; zero without channels.
    pub samples_per_frame: usize,
    /// Time of the first frame, s.
    pub start: f64,
    /// Number of the first frame.
    pub first_frame: u64,
    /// Number of frames, where it is known beforehand.
    pub frames: Option<usize>,
    /// Events.
    pub events: Vec<Event>,
    /// What the file says of its force plates.
    pub platforms: Vec<Platform>,
    /// Step in which the file stores residuals of points, m; zero where it does not say.
    pub residual_step: f64,
    /// The direction that the file calls up.
    pub up: Option<Vec3<f64>>,
    /// Length unit of the file.
    pub length_unit: String,
    /// Further facts of the header.
    pub facts: Vec<(String, String)>,
}

/// One frame.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Position of each point, m; nothing where it was not seen.
    pub points: Vec<Option<Vec3<f64>>>,
    /// Residual of each point, m, or empty.
    pub residuals: Vec<f32>,
    /// Derived quantities; NaN where there is none.
    pub derived: Vec<f64>,
    /// Samples: all channels of the first sample, then of the second; NaN where there is none.
    pub samples: Vec<f64>,
}

/// A recording that is read frame by frame.
pub trait FrameSource {
    /// What is known beforehand.
    fn outline(&self) -> &Outline;
    /// Reads the next frame into memory handed in; false after the last.
    fn next_frame(&mut self, frame: &mut Frame) -> Result<bool, FormatFault>;
    /// What was mended so far.
    fn repairs(&self) -> &[Repair];
}

/// Where frames are written.
pub trait FrameSink {
    /// Writes a frame.
    fn put(&mut self, frame: &Frame) -> io::Result<()>;
    /// Writes what can be known only at the end, counts mostly.
    fn finish(&mut self) -> io::Result<()>;
}

impl Recording {
    /// A recording of all frames of a source; plates are the reader's own work.
    pub fn collect(source: &mut dyn FrameSource) -> Result<Recording, FormatFault> {
        let outline = source.outline().clone();
        let mut points: Vec<PointSeries> =
            outline.points.iter().map(|name| PointSeries { name: name.clone(), ..PointSeries::default() }).collect();
        let channel = |kind| {
            move |(name, unit): &(String, Option<String>)| Channel { name: name.clone(), unit: unit.clone(), kind, ..Channel::default() }
        };
        let mut derived: Vec<Channel> = outline.derived.iter().map(channel(ChannelKind::Derived)).collect();
        let mut channels: Vec<Channel> = outline.channels.iter().map(channel(ChannelKind::Analog)).collect();
        let (mut frame, mut count) = (Frame::default(), 0);
        while source.next_frame(&mut frame)? {
            count += 1;
            for (point, position) in points.iter_mut().zip(&frame.points) {
                point.position.push(position.unwrap_or(Vec3::ZERO));
                point.seen.push(position.is_some());
            }
            for (point, residual) in points.iter_mut().zip(&frame.residuals) {
                point.residual.push(*residual);
            }
            for (channel, value) in derived.iter_mut().zip(&frame.derived) {
                channel.samples.push(if value.is_nan() { 0.0 } else { *value });
                channel.seen.push(!value.is_nan());
            }
            for sample in frame.samples.chunks_exact(channels.len().max(1)) {
                for (channel, value) in channels.iter_mut().zip(sample) {
                    channel.samples.push(if value.is_nan() { 0.0 } else { *value });
                    channel.seen.push(!value.is_nan());
                }
            }
        }
        for channel in derived.iter_mut().chain(&mut channels) {
            if channel.seen.iter().all(|seen| *seen) {
                channel.seen.clear();
            }
        }
        let clock = Clock::even(outline.rate, outline.start, count);
        let per_frame = outline.samples_per_frame;
        let fast = Clock::even(outline.rate * per_frame as f64, outline.start, count * per_frame);
        let groups = [(clock.clone(), derived), (fast, channels)];
        Ok(Recording {
            name: outline.name,
            clock,
            first_frame: outline.first_frame,
            points,
            channels: groups
                .into_iter()
                .filter(|(_, list)| !list.is_empty())
                .map(|(clock, channels)| ChannelGroup { clock, channels })
                .collect(),
            plates: Vec::new(),
            platforms: outline.platforms,
            residual_step: outline.residual_step,
            events: outline.events,
            up: outline.up,
            length_unit: outline.length_unit,
            facts: outline.facts,
            repairs: source.repairs().to_vec(),
        })
    }

    /// The frames of this recording, one after the other. Channels whose rate is no multiple of the points' rate are left out.
    pub fn frames(&self) -> RecordingFrames<'_> {
        RecordingFrames { outline: outline_of(self), recording: Cow::Borrowed(self), next: 0 }
    }
}

/// A recording as a source of frames.
pub struct RecordingFrames<'r> {
    recording: Cow<'r, Recording>,
    outline: Outline,
    next: usize,
}

impl<'r> RecordingFrames<'r> {
    /// The frames of a recording handed over.
    pub fn whole(recording: Recording) -> RecordingFrames<'static> {
        let outline = outline_of(&recording);
        RecordingFrames { recording: Cow::Owned(recording), outline, next: 0 }
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    fn group(&self, kind: ChannelKind) -> Option<&ChannelGroup> {
        group_of(&self.recording, kind)
    }
}

/// Channels of a kind that can be told frame by frame.
fn group_of(recording: &Recording, kind: ChannelKind) -> Option<&ChannelGroup> {
    let fits = |group: &&ChannelGroup| {
        group.channels.first().is_some_and(|c| c.kind == kind)
            && (kind == ChannelKind::Derived || per_frame(&recording.clock, &group.clock).is_some())
    };
    recording.channels.iter().find(fits)
}

/// What is known of a recording before its first frame.
fn outline_of(recording: &Recording) -> Outline {
    let clock = &recording.clock;
    let label = |channel: &Channel| (channel.name.clone(), channel.unit.clone());
    let labels = |group: Option<&ChannelGroup>| group.map_or(Vec::new(), |group| group.channels.iter().map(label).collect());
    let analog = group_of(recording, ChannelKind::Analog);
    Outline {
        name: recording.name.clone(),
        points: recording.points.iter().map(|point| point.name.clone()).collect(),
        derived: labels(group_of(recording, ChannelKind::Derived)),
        channels: labels(analog),
        rate: clock.rate,
        samples_per_frame: analog.and_then(|group| per_frame(clock, &group.clock)).unwrap_or(0),
        start: clock.start,
        first_frame: recording.first_frame,
        frames: Some(clock.count),
        events: recording.events.clone(),
        platforms: recording.platforms.clone(),
        residual_step: recording.residual_step,
        up: recording.up,
        length_unit: recording.length_unit.clone(),
        facts: recording.facts.clone(),
    }
}

/// Samples of a channel in one frame, where that is a whole number.
fn per_frame(points: &Clock, channels: &Clock) -> Option<usize> {
    let ratio = channels.rate / points.rate;
    let whole = ratio.round();
    (whole >= 1.0 && (ratio - whole).abs() < 1e-6 * whole && channels.count >= points.count * whole as usize).then_some(whole as usize)
}

impl FrameSource for RecordingFrames<'_> {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn next_frame(&mut self, frame: &mut Frame) -> Result<bool, FormatFault> {
        let (recording, k) = (&*self.recording, self.next);
        if k >= recording.clock.count {
            return Ok(false);
        }
        frame.points.clear();
        frame.points.extend(recording.points.iter().map(|point| point.seen[k].then(|| point.position[k])));
        frame.residuals.clear();
        if recording.points.iter().any(|point| !point.residual.is_empty()) {
            frame.residuals.extend(recording.points.iter().map(|point| point.residual.get(k).copied().unwrap_or(0.0)));
        }
        frame.derived.clear();
        if let Some(group) = self.group(ChannelKind::Derived) {
            frame.derived.extend(group.channels.iter().map(|c| c.sample(k).unwrap_or(f64::NAN)));
        }
        frame.samples.clear();
        if let Some(group) = self.group(ChannelKind::Analog) {
            for sample in 0..self.outline.samples_per_frame {
                let at = k * self.outline.samples_per_frame + sample;
                frame.samples.extend(group.channels.iter().map(|c| c.sample(at).unwrap_or(f64::NAN)));
            }
        }
        self.next += 1;
        Ok(true)
    }

    fn repairs(&self) -> &[Repair] {
        &self.recording.repairs
    }
}
