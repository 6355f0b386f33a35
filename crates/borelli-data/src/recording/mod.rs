//! Recordings: what a motion laboratory measured in one trial. Points with a mask, channels at several rates, force plates, events, and every repair
//! that reading made.
//! Not here: file formats (`format`), signals (`signal`), tables over time with named columns (`trajectory`).
//! In: numbers in SI, in the axes of the laboratory. Out: plain data that algorithms read.
//!
//! Missing is a mask. Where a point was not seen its place is zero and `seen` is false; no NaN stands anywhere.

mod frames;
mod platform;
mod resampled;
mod reversed;
pub mod select;
pub mod survey;
mod table;
pub mod tidy;
mod times;
pub mod turned;

pub use frames::{Frame, FrameSink, FrameSource, Outline, RecordingFrames};
pub use platform::Platform;
pub(crate) use table::{Spellings, guess_unit, recording_of};
pub(crate) use times::clock_of;
pub use times::even_times;

use borelli_math::{Mat3, Vec3};

/// When the samples of a series were taken: sample i at `start + i/rate`, unless the file's own times say otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clock {
    /// Samples per second.
    pub rate: f64,
    /// Time of the first sample, s.
    pub start: f64,
    /// Number of samples.
    pub count: usize,
    /// Times as they stand in a file, s, where the file has a column of times; one for each sample, or none.
    pub printed: Vec<f64>,
    /// True when the printed times differ from even ones by more than half an interval: only interpolation takes such series.
    pub uneven: bool,
}

impl Clock {
    /// Even samples.
    pub fn even(rate: f64, start: f64, count: usize) -> Clock {
        Clock { rate, start, count, printed: Vec::new(), uneven: false }
    }

    /// Time of a sample, s.
    pub fn time(&self, sample: usize) -> f64 {
        if self.uneven { self.printed[sample] } else { self.start + sample as f64 / self.rate }
    }

    /// Times of all samples, s.
    pub fn times(&self) -> Vec<f64> {
        (0..self.count).map(|sample| self.time(sample)).collect()
    }
}

/// A point over time: a marker, mostly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointSeries {
    /// Name as the file has it: `R.ASIS`, `*12`, `Subject:RASI`.
    pub name: String,
    /// Positions, m, in the axes of the recording; zero where the point was not seen.
    pub position: Vec<Vec3<f64>>,
    /// Where it was seen.
    pub seen: Vec<bool>,
    /// How well the cameras agreed, m, where the file tells; else empty.
    pub residual: Vec<f32>,
}

/// What a channel measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChannelKind {
    /// An analog channel, or a column of a table.
    #[default]
    Analog,
    /// An angle, moment, power or other result that a file stores among its points; component x, y or z of one of them.
    Derived,
}

/// A number over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channel {
    /// Name as the file has it.
    pub name: String,
    /// SI unit of the samples (`N`, `N m`, `rad`, `V`); nothing where the file does not say.
    pub unit: Option<String>,
    /// What it is.
    pub kind: ChannelKind,
    /// Samples.
    pub samples: Vec<f64>,
    /// Where samples are there; empty where all are.
    pub seen: Vec<bool>,
}

impl Channel {
    /// A sample, where there is one.
    pub fn sample(&self, k: usize) -> Option<f64> {
        self.samples.get(k).copied().filter(|_| self.seen.get(k).copied().unwrap_or(true))
    }
}

/// Channels of one rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChannelGroup {
    /// When.
    pub clock: Clock,
    /// The channels, all with as many samples as the clock.
    pub channels: Vec<Channel>,
}

/// Where the wrench of a plate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlateKind {
    /// A force plate of a C3D file: its type, 1 to 4.
    Platform(u16),
    /// Columns of a table: force, point and moment in the axes of the laboratory.
    Columns,
}

/// A force plate, or columns that stand for one. Everything in the axes of the laboratory; the load is that on the person.
#[derive(Clone, Debug, PartialEq)]
pub struct Plate {
    /// Number in its file from one, or the prefix of its columns: `1`, `ground_force_r_`.
    pub name: String,
    /// What it is.
    pub kind: PlateKind,
    /// Corners of the surface, m, where they are known.
    pub corners: Option<[Vec3<f64>; 4]>,
    /// Plate axes in those of the laboratory; z into the floor for the usual order of corners.
    pub R_LP: Mat3<f64>,
    /// Middle of the surface, m; the origin for columns.
    pub center: Vec3<f64>,
    /// When.
    pub clock: Clock,
    /// Force on the person, N.
    pub force: Vec<Vec3<f64>>,
    /// Moment on the person about `center`, N m.
    pub moment: Vec<Vec3<f64>>,
    /// Centre of pressure, m; zero where not `loaded`.
    pub cop: Vec<Vec3<f64>>,
    /// Free moment about the normal at the centre of pressure, N m; zero where not `loaded`.
    pub free_moment: Vec<Vec3<f64>>,
    /// Where the normal load exceeds the threshold, so that the centre of pressure has a meaning.
    pub loaded: Vec<bool>,
    /// Normal load below which the centre of pressure has no meaning, N.
    pub threshold: f64,
    /// What was subtracted from force, N, and moment, N m, plate axes, and where it was found; nothing where nothing was.
    pub baseline: Option<Baseline>,
}

impl Plate {
    /// Load along the inward normal of the surface, N, positive while somebody stands on the plate: minus the component of the force along the plate's z
    /// axis, or, for columns, which have no plate axes, the component along Y, which is up once the recording is in borelli's axes.
    pub fn normal_load(&self) -> Vec<f64> {
        let up = match self.kind {
            PlateKind::Platform(_) => -self.R_LP.z,
            PlateKind::Columns => borelli_math::vec3(0.0, 1.0, 0.0),
        };
        self.force.iter().map(|force| force.dot(up)).collect()
    }
}

/// What an unloaded plate showed, and was subtracted.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// Force at rest, plate axes, N.
    pub force: Vec3<f64>,
    /// Moment at rest, plate axes, N m.
    pub moment: Vec3<f64>,
    /// Stretch it was taken from, s.
    pub from: (f64, f64),
}

/// The side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

/// What happens in gait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Initial contact of the foot.
    FootStrike,
    /// The foot leaves the ground.
    FootOff,
    /// Anything else, by its name.
    Other(String),
}

/// An event of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time on the clock of the recording, s.
    pub time: f64,
    /// What.
    pub kind: EventKind,
    /// Whose foot; nothing for general events.
    pub side: Option<Side>,
}

/// Something a reader or a tidying step found and mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Where: a line, a parameter, a marker.
    pub at: String,
    /// What was found.
    pub found: String,
    /// What was done.
    pub done: String,
}

impl Repair {
    /// A repair.
    pub fn new(at: impl Into<String>, found: impl Into<String>, done: impl Into<String>) -> Repair {
        Repair { at: at.into(), found: found.into(), done: done.into() }
    }
}

/// One trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Name of the trial: that of its file without ending.
    pub name: String,
    /// When the points were seen.
    pub clock: Clock,
    /// Number of the first frame in the file.
    pub first_frame: u64,
    /// Points, all with as many frames as the clock.
    pub points: Vec<PointSeries>,
    /// Channels by rate; derived quantities of the points' rate stand in a group of their own.
    pub channels: Vec<ChannelGroup>,
    /// Force plates.
    pub plates: Vec<Plate>,
    /// What the file says of its force plates, for computing their loads anew and for writing them again.
    pub platforms: Vec<Platform>,
    /// Step in which the file stores residuals of points, m; zero where it does not say.
    pub residual_step: f64,
    /// Events in order of time.
    pub events: Vec<Event>,
    /// The direction that the file calls up (`+Z`), where it says.
    pub up: Option<Vec3<f64>>,
    /// The length unit that the file was written in (`mm`), for writing it again.
    pub length_unit: String,
    /// Further facts of the header, as they stood.
    pub facts: Vec<(String, String)>,
    /// What was mended on the way.
    pub repairs: Vec<Repair>,
}

impl Recording {
    /// A point by its name.
    pub fn point(&self, name: &str) -> Option<&PointSeries> {
        self.points.iter().find(|point| point.name == name)
    }

    /// Cuts off what stands before a colon in the names of points.
    pub fn strip_prefixes(&mut self) {
        let mut names: Vec<String> = self.points.iter().map(|point| point.name.clone()).collect();
        self.repairs.extend(tidy::strip_prefixes(&mut names));
        self.points.iter_mut().zip(names).for_each(|(point, name)| point.name = name);
    }

    /// The loads of all plates as channels `ground_force_1_vx` (N), `_px` (m), `ground_torque_1_x` (N m) and so on, and nothing else; zero where a
    /// plate is not loaded. Plates that came from columns keep their names.
    pub fn loads_as_columns(&self) -> Recording {
        let clock = self.plates.first().map_or_else(Clock::default, |plate| Clock { printed: Vec::new(), ..plate.clock.clone() });
        let mut channels = Vec::new();
        for plate in &self.plates {
            let stem = match plate.kind {
                PlateKind::Columns => plate.name.clone(),
                PlateKind::Platform(_) => format!("ground_force_{}_", plate.name),
            };
            let torque = stem.replace("force", "torque");
            let parts = [(&stem, "v", "N", &plate.force), (&stem, "p", "m", &plate.cop), (&torque, "", "N m", &plate.free_moment)];
            for (stem, letter, unit, vectors) in parts {
                for (axis, name) in ["x", "y", "z"].iter().enumerate() {
                    let sample = |(vector, loaded): (&Vec3<f64>, &bool)| if *loaded { vector.to_array()[axis] } else { 0.0 };
                    let samples = vectors.iter().zip(&plate.loaded).map(sample).collect();
                    channels.push(Channel {
                        name: format!("{stem}{letter}{name}"),
                        unit: Some(unit.into()),
                        samples,
                        ..Channel::default()
                    });
                }
            }
        }
        let (name, repairs, facts) = (self.name.clone(), self.repairs.clone(), self.facts.clone());
        let group = ChannelGroup { clock: clock.clone(), channels };
        Recording { name, clock, first_frame: 1, channels: vec![group], repairs, facts, ..Recording::default() }
    }

    /// A channel by its name, with its clock.
    pub fn channel(&self, name: &str) -> Option<(&Clock, &Channel)> {
        self.channels.iter().find_map(|group| group.channels.iter().find(|c| c.name == name).map(|c| (&group.clock, c)))
    }
}
