//! What is in a recording, gathered frame by frame: how much of each point was seen, gaps, ranges, loads of plates. Memory does not grow with the file,
//! except for plates, which are left out where they would take too much.
//! Not here: how it is shown.
//! In: a source of frames. Out: a [`Survey`].

use super::{Channel, ChannelGroup, Clock, Frame, FrameSource, Outline, Plate, PlateKind, Recording, Repair};
use crate::format::c3d::{C3dOptions, add_plates};
use crate::format::{FormatFault, RecordingOptions};
use borelli_math::Vec3;

/// Memory that samples of plates may take, bytes.
const PLATE_BYTES: usize = 96 << 20;
/// Bytes that one sample of a plate takes beside its channels: three vectors, two of them twice, and a mask.
const PLATE_SAMPLE: usize = 160;
/// Points of a curve kept for a plot.
const CURVE: usize = 2000;
/// How far outside its corners a centre of pressure still counts as inside, m.
pub const MARGIN: f64 = 0.05;

/// Smallest and largest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest.
    pub low: f64,
    /// Largest.
    pub high: f64,
}

impl Range {
    const NONE: Range = Range { low: f64::INFINITY, high: f64::NEG_INFINITY };

    fn take(&mut self, x: f64) {
        (self.low, self.high) = (self.low.min(x), self.high.max(x));
    }

    /// The range, unless there was no number.
    pub fn found(self) -> Option<Range> {
        (self.low <= self.high).then_some(self)
    }
}

/// What was seen of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct PointSurvey {
    /// Name.
    pub name: String,
    /// Frames in which it was seen.
    pub seen: usize,
    /// Stretches between two frames with it, in which it was not seen; ends of the recording do not count.
    pub gaps: usize,
    /// The longest of them, frames.
    pub longest_gap: usize,
    /// Range along each axis, m.
    pub range: [Range; 3],
    /// Places at every `step`-th frame, for a plot.
    pub curve: Vec<Option<Vec3<f64>>>,
    unseen: usize,
}

/// What a channel holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelSurvey {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: Option<String>,
    /// True for quantities that a file stores among its points.
    pub derived: bool,
    /// Range of the samples.
    pub range: Range,
    /// Samples that are not there.
    pub missing: usize,
}

impl ChannelSurvey {
    fn new((name, unit): &(String, Option<String>), derived: bool) -> ChannelSurvey {
        ChannelSurvey { name: name.clone(), unit: unit.clone(), derived, range: Range::NONE, missing: 0 }
    }

    fn take(&mut self, x: f64) {
        if x.is_nan() { self.missing += 1 } else { self.range.take(x) }
    }
}

/// What a plate bore.
#[derive(Clone, Debug, PartialEq)]
pub struct PlateSurvey {
    /// The plate itself.
    pub plate: Plate,
    /// Largest force, N.
    pub peak: f64,
    /// Time with a load above the threshold, s.
    pub loaded: f64,
    /// Share of the loaded samples whose centre of pressure lies inside the corners, 5 cm around them included; nothing without corners or load.
    pub inside: Option<f64>,
}

impl PlateSurvey {
    fn new(plate: Plate) -> PlateSurvey {
        let peak = plate.force.iter().map(|force| force.norm()).fold(0.0, f64::max);
        let count = plate.loaded.iter().filter(|loaded| **loaded).count();
        let inside = plate.corners.filter(|_| count > 0).map(|corners| {
            let within = (0..plate.loaded.len()).filter(|k| plate.loaded[*k] && inside(&plate, &corners, plate.cop[*k])).count();
            within as f64 / count as f64
        });
        PlateSurvey { peak, loaded: count as f64 / plate.clock.rate, inside, plate }
    }
}

/// True when a place on a plate lies inside the rectangle of its corners, widened by [`MARGIN`].
fn inside(plate: &Plate, corners: &[Vec3<f64>; 4], place: Vec3<f64>) -> bool {
    let local = |p: Vec3<f64>| plate.R_LP.transpose_mul(p - plate.center);
    let p = local(place);
    let half = corners.iter().map(|corner| local(*corner)).fold([0.0; 2], |h, c| [f64::max(h[0], c.x.abs()), f64::max(h[1], c.y.abs())]);
    p.x.abs() <= half[0] + MARGIN && p.y.abs() <= half[1] + MARGIN
}

/// What is in a recording.
#[derive(Clone, Debug)]
pub struct Survey {
    /// What was known beforehand.
    pub outline: Outline,
    /// When the points were seen.
    pub clock: Clock,
    /// Every how many frames curves keep a place.
    pub step: usize,
    /// Points.
    pub points: Vec<PointSurvey>,
    /// Derived quantities, then channels.
    pub channels: Vec<ChannelSurvey>,
    /// Plates.
    pub plates: Vec<PlateSurvey>,
    /// Why there are no plates although the file has some.
    pub no_plates: Option<String>,
    /// What was mended.
    pub repairs: Vec<Repair>,
}

impl Survey {
    /// Looks through all frames of a source.
    pub fn of(source: &mut dyn FrameSource, options: &RecordingOptions<'_>) -> Result<Survey, FormatFault> {
        let mut gathering = Gathering::new(source.outline());
        let mut frame = Frame::default();
        while source.next_frame(&mut frame)? {
            gathering.take(&frame);
        }
        Ok(gathering.finish(source.repairs()).with_loads(options))
    }

    /// Looks through a recording that is in memory, whose plates and times are known.
    pub fn of_recording(recording: &Recording) -> Survey {
        let mut source = recording.frames();
        let mut gathering = Gathering::new(source.outline());
        let mut frame = Frame::default();
        while source.next_frame(&mut frame).is_ok_and(|more| more) {
            gathering.take(&frame);
        }
        let mut survey = gathering.finish(&recording.repairs).survey;
        survey.clock = recording.clock.clone();
        survey.plates = recording.plates.iter().cloned().map(PlateSurvey::new).collect();
        survey
    }

    /// Time from the first frame to the last, s.
    pub fn duration(&self) -> f64 {
        match self.clock.count {
            0 => 0.0,
            count => self.clock.time(count - 1) - self.clock.time(0),
        }
    }

    /// Samples of channels per second.
    pub fn channel_rate(&self) -> f64 {
        self.outline.rate * self.outline.samples_per_frame as f64
    }
}

/// A survey while frames are read.
struct Gathering {
    survey: Survey,
    frames: usize,
    /// Channels of plates, all others empty; nothing where they would take too much memory.
    loads: Option<Vec<Channel>>,
    wanted: Vec<usize>,
}

impl Gathering {
    fn new(outline: &Outline) -> Gathering {
        let step = outline.frames.unwrap_or(0).div_ceil(CURVE).max(1);
        let point = |name: &String| PointSurvey {
            name: name.clone(),
            seen: 0,
            gaps: 0,
            longest_gap: 0,
            range: [Range::NONE; 3],
            curve: Vec::new(),
            unseen: 0,
        };
        let derived = outline.derived.iter().map(|label| ChannelSurvey::new(label, true));
        let channels = derived.chain(outline.channels.iter().map(|label| ChannelSurvey::new(label, false))).collect();
        let mut wanted: Vec<usize> = outline.platforms.iter().flat_map(|p| &p.channels).map(|k| usize::from(*k)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.retain(|k| *k >= 1 && *k <= outline.channels.len());
        wanted.iter_mut().for_each(|k| *k -= 1);
        let samples = outline.frames.unwrap_or(0).saturating_mul(outline.samples_per_frame);
        let bytes = samples.saturating_mul(8 * wanted.len() + PLATE_SAMPLE * outline.platforms.len());
        let blank = || outline.channels.iter().map(|(name, unit)| Channel { name: name.clone(), unit: unit.clone(), ..Channel::default() });
        let survey = Survey {
            clock: Clock::even(outline.rate, outline.start, 0),
            step,
            points: outline.points.iter().map(point).collect(),
            channels,
            plates: Vec::new(),
            no_plates: None,
            repairs: Vec::new(),
            outline: outline.clone(),
        };
        Gathering { survey, frames: 0, loads: (bytes <= PLATE_BYTES).then(|| blank().collect()), wanted }
    }

    fn take(&mut self, frame: &Frame) {
        let keep = self.frames.is_multiple_of(self.survey.step);
        for (point, place) in self.survey.points.iter_mut().zip(&frame.points) {
            if keep {
                point.curve.push(*place);
            }
            let Some(place) = place else {
                point.unseen += 1;
                continue;
            };
            if point.seen > 0 && point.unseen > 0 {
                point.gaps += 1;
                point.longest_gap = point.longest_gap.max(point.unseen);
            }
            (point.seen, point.unseen) = (point.seen + 1, 0);
            point.range.iter_mut().zip(place.to_array()).for_each(|(range, x)| range.take(x));
        }
        let derived = self.survey.outline.derived.len();
        let (derived, analog) = self.survey.channels.split_at_mut(derived);
        derived.iter_mut().zip(&frame.derived).for_each(|(channel, x)| channel.take(*x));
        for sample in frame.samples.chunks_exact(analog.len().max(1)) {
            analog.iter_mut().zip(sample).for_each(|(channel, x)| channel.take(*x));
            if let Some(loads) = &mut self.loads {
                self.wanted.iter().for_each(|k| loads[*k].samples.push(if sample[*k].is_nan() { 0.0 } else { sample[*k] }));
            }
        }
        self.frames += 1;
    }

    fn finish(mut self, repairs: &[Repair]) -> Gathering {
        self.survey.clock.count = self.frames;
        self.survey.repairs = repairs.to_vec();
        self
    }

    /// Computes the loads of plates from their channels.
    fn with_loads(self, options: &RecordingOptions<'_>) -> Survey {
        let mut survey = self.survey;
        if survey.outline.platforms.is_empty() {
            return survey;
        }
        let Some(channels) = self.loads else {
            survey.no_plates = Some(format!(
                "loads of the plates ({}) are not computed: their samples would take more than {} MiB of memory",
                survey.outline.platforms.len(),
                PLATE_BYTES >> 20
            ));
            return survey;
        };
        let per_frame = survey.outline.samples_per_frame;
        let clock = Clock::even(survey.channel_rate(), survey.clock.start, self.frames * per_frame);
        let mut loads = Recording {
            clock: survey.clock.clone(),
            channels: vec![ChannelGroup { clock, channels }],
            platforms: survey.outline.platforms.clone(),
            ..Recording::default()
        };
        add_plates(&mut loads, &C3dOptions { baseline: options.baseline, threshold: options.threshold });
        survey.plates = loads.plates.into_iter().map(PlateSurvey::new).collect();
        survey.repairs.extend(loads.repairs);
        survey
    }
}

impl PlateKind {
    /// What a plate is, in words.
    pub fn words(self) -> String {
        match self {
            PlateKind::Platform(kind) => format!("type {kind}"),
            PlateKind::Columns => "columns".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::PointSeries;
    use borelli_math::vec3::vec3;

    fn point(seen: &str) -> PointSeries {
        let seen: Vec<bool> = seen.chars().map(|c| c == '+').collect();
        let position = seen.iter().enumerate().map(|(k, seen)| if *seen { vec3(k as f64, 1.0, -(k as f64)) } else { Vec3::ZERO });
        PointSeries { name: "A".into(), position: position.collect(), seen, residual: Vec::new() }
    }

    #[test]
    fn gaps_are_between_frames_in_which_a_point_was_seen() {
        for (mask, seen, gaps, longest) in [("++++++", 6, 0, 0), ("--++--", 2, 0, 0), ("+-+--+", 3, 2, 2), ("------", 0, 0, 0)] {
            let recording = Recording { clock: Clock::even(10.0, 0.0, 6), points: vec![point(mask)], ..Recording::default() };
            let survey = Survey::of_recording(&recording);
            let found = &survey.points[0];
            assert_eq!((found.seen, found.gaps, found.longest_gap), (seen, gaps, longest), "{mask}");
            assert_eq!(found.range[1].found().map(|range| (range.low, range.high)), (seen > 0).then_some((1.0, 1.0)));
            assert!((survey.duration() - 0.5).abs() < 1e-12);
        }
    }

    #[test]
    fn channels_have_ranges_and_missing_samples() {
        let channel = Channel { name: "F".into(), samples: vec![1.0, 0.0, -3.0], seen: vec![true, false, true], ..Channel::default() };
        let clock = Clock::even(10.0, 0.0, 3);
        let channels = vec![ChannelGroup { clock: clock.clone(), channels: vec![channel] }];
        let survey = Survey::of_recording(&Recording { clock, channels, ..Recording::default() });
        assert_eq!((survey.channels[0].range, survey.channels[0].missing), (Range { low: -3.0, high: 1.0 }, 1));
        assert_eq!(survey.channel_rate(), 10.0);
    }

    #[test]
    fn a_centre_of_pressure_may_lie_five_centimetres_outside() {
        let corners = [vec3(0.3, 0.0, 0.2), vec3(-0.3, 0.0, 0.2), vec3(-0.3, 0.0, -0.2), vec3(0.3, 0.0, -0.2)];
        let clock = Clock::even(10.0, 0.0, 3);
        let zeros = vec![Vec3::ZERO; 3];
        let plate = Plate {
            name: "1".into(),
            kind: PlateKind::Platform(2),
            corners: Some(corners),
            R_LP: borelli_math::Mat3 { x: vec3(1.0, 0.0, 0.0), y: vec3(0.0, 0.0, 1.0), z: vec3(0.0, -1.0, 0.0) },
            center: Vec3::ZERO,
            clock,
            force: vec![vec3(0.0, 500.0, 0.0); 3],
            moment: zeros.clone(),
            cop: vec![vec3(0.34, 0.0, 0.24), vec3(0.36, 0.0, 0.0), Vec3::ZERO],
            free_moment: zeros,
            loaded: vec![true, true, false],
            threshold: 20.0,
            baseline: None,
        };
        let survey = PlateSurvey::new(plate);
        assert_eq!((survey.peak, survey.loaded, survey.inside), (500.0, 0.2, Some(0.5)));
    }
}
