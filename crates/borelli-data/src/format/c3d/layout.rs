//! Where everything stands in the data of a C3D file: what header, parameters and length agree on, or what is believed where they do not.
//! Not here: names and units.
//! In: header and parameters. Out: counts, rates and places, with a repair for every contradiction.

use super::header::{BLOCK, Header};
use super::parameters::Parameters;
use crate::format::TextFault;
use crate::recording::Repair;

/// Bytes that may follow the last frame without a word: the rest of its block, and one more that some programs write.
const PADDING: u64 = 2 * BLOCK;

/// The plan of the data.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Place of the first frame in the file.
    pub data_at: u64,
    /// True for floats, false for whole numbers of two bytes.
    pub float: bool,
    /// What a whole number is worth, in the length unit of the file; also the step of residuals.
    pub scale: f64,
    /// Points in a frame.
    pub points: usize,
    /// Analog values in a frame.
    pub analog: usize,
    /// Channels.
    pub channels: usize,
    /// Samples of each channel in a frame.
    pub samples: usize,
    /// Frames that are there.
    pub frames: u64,
    /// Number of the first frame.
    pub first_frame: u64,
    /// Frames per second.
    pub rate: f64,
}

impl Layout {
    /// Bytes of a frame.
    pub fn frame_bytes(&self) -> u64 {
        frame_bytes(self.points, self.analog, self.float)
    }

    /// Settles everything. `parameters_end` is the place behind the last parameter.
    pub fn settle(header: &Header, parameters: &Parameters, parameters_end: u64, repairs: &mut Vec<Repair>) -> Result<Layout, TextFault> {
        let data_at = data_start(header, parameters, parameters_end, repairs);
        let held = header.length.saturating_sub(data_at);
        let (float, scale) = scale(header, parameters, repairs);
        let claims = claims(header, parameters);
        let analog = usize::from(header.analog);
        let points = points(header, parameters, held, float, &claims, repairs);
        if points == 0 && analog == 0 {
            return Err(TextFault::NothingMeasured { byte: header.base });
        }
        let rate = rate(header, parameters, repairs)?;
        let (channels, samples) = channels(header, parameters, rate, repairs);
        let bytes = frame_bytes(points, analog, float);
        let frames = frames(&claims, held, bytes, data_at, repairs)?;
        let mut first_frame = u64::from(header.first);
        if let Some(first) = field(parameters, "ACTUAL_START_FIELD").filter(|first| *first > first_frame && header.first == u16::MAX) {
            first_frame = first;
        }
        if first_frame == 0 {
            repairs.push(Repair::new("header: first frame", "0, expected 1 or more", "frames are counted from 0"));
        }
        Ok(Layout { data_at, float, scale, points, analog, channels, samples, frames, first_frame, rate })
    }
}

/// Bytes of a frame: four numbers for a point, one for an analog value.
fn frame_bytes(points: usize, analog: usize, float: bool) -> u64 {
    let width = if float { 4 } else { 2 };
    (4 * points as u64 + analog as u64) * width
}

fn data_start(header: &Header, parameters: &Parameters, parameters_end: u64, repairs: &mut Vec<Repair>) -> u64 {
    let at = |block: f64| header.base + (block as u64).saturating_sub(1) * BLOCK;
    let fits = |place: u64| place > header.parameters_at() && place <= header.length;
    let said = parameters.number("POINT", "DATA_START").filter(|block| *block >= 1.0);
    if header.data_block > 0 && fits(header.data_at()) {
        if let Some(block) = said.filter(|block| *block != f64::from(header.data_block)) {
            let found = format!("block {block}, the header says {}", header.data_block);
            repairs.push(Repair::new("POINT:DATA_START", found, "the header is believed"));
        }
        return header.data_at();
    }
    let found = format!("data at block {}, which is inside the parameters or behind the end of the file", header.data_block);
    if let Some(block) = said.filter(|block| fits(at(*block))) {
        repairs.push(Repair::new("header: first data block", found, format!("POINT:DATA_START is believed: block {block}")));
        return at(block);
    }
    let next = header.base + (parameters_end - header.base).div_ceil(BLOCK) * BLOCK;
    repairs.push(Repair::new("header: first data block", found, "data are taken from the block behind the parameters"));
    next
}

/// Whether data are floats, and the size of the scale.
fn scale(header: &Header, parameters: &Parameters, repairs: &mut Vec<Repair>) -> (bool, f64) {
    let usable = |scale: &f64| scale.is_finite() && *scale != 0.0;
    if usable(&header.scale) {
        return (header.scale < 0.0, header.scale.abs());
    }
    let found = format!("{}, expected a number other than zero", header.scale);
    match parameters.number("POINT", "SCALE").filter(usable) {
        Some(scale) => {
            repairs.push(Repair::new("header: scale", found, format!("POINT:SCALE is believed: {scale}")));
            (scale < 0.0, scale.abs())
        }
        None => {
            repairs.push(Repair::new("header: scale", found, "whole numbers in the unit of the file"));
            (false, 1.0)
        }
    }
}

/// Frame numbers of the group TRIAL: low word and high word.
fn field(parameters: &Parameters, name: &str) -> Option<u64> {
    let words = parameters.get("TRIAL", name)?.numbers(false);
    let word = |k: usize| words.get(k).filter(|w| (0.0..65_536.0).contains(*w)).map(|w| *w as u64);
    word(0).map(|low| low + 65_536 * word(1).unwrap_or(0))
}

/// How many frames each place of the file announces.
fn claims(header: &Header, parameters: &Parameters) -> Vec<(&'static str, u64)> {
    let mut claims = Vec::new();
    if header.last >= header.first {
        claims.push(("header", u64::from(header.last - header.first) + 1));
    }
    for name in ["FRAMES", "LONG_FRAMES"] {
        if let Some(count) = parameters.number("POINT", name).filter(|count| *count >= 1.0 && *count < 1e15) {
            claims.push((if name == "FRAMES" { "POINT:FRAMES" } else { "POINT:LONG_FRAMES" }, count.round() as u64));
        }
    }
    if let Some((first, last)) = field(parameters, "ACTUAL_START_FIELD").zip(field(parameters, "ACTUAL_END_FIELD"))
        && last >= first
    {
        claims.push(("TRIAL", last - first + 1));
    }
    claims
}

/// The number of points: the header's, unless only that of POINT:USED makes the announced frames fill the file.
fn points(header: &Header, parameters: &Parameters, held: u64, float: bool, claims: &[(&str, u64)], repairs: &mut Vec<Repair>) -> usize {
    let said = usize::from(header.points);
    let Some(used) = parameters.number("POINT", "USED").map(|used| used.clamp(0.0, 65_535.0) as usize).filter(|used| *used != said) else {
        return said;
    };
    let fills = |points: usize| {
        let bytes = frame_bytes(points, usize::from(header.analog), float);
        claims.iter().any(|(_, count)| count.checked_mul(bytes).and_then(|all| held.checked_sub(all)).is_some_and(|rest| rest < PADDING))
    };
    let found = format!("{used} points, the header says {said}");
    if !fills(said) && fills(used) {
        repairs.push(Repair::new("POINT:USED", found, format!("{used} points, which fill the file")));
        return used;
    }
    repairs.push(Repair::new("POINT:USED", found, "the header is believed"));
    said
}

fn rate(header: &Header, parameters: &Parameters, repairs: &mut Vec<Repair>) -> Result<f64, TextFault> {
    let usable = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let said = parameters.number("POINT", "RATE").filter(usable);
    if usable(&header.rate) {
        if let Some(rate) = said.filter(|rate| (rate / header.rate - 1.0).abs() > 1e-4) {
            let found = format!("{rate} Hz, the header says {} Hz", header.rate);
            repairs.push(Repair::new("POINT:RATE", found, "the header is believed"));
        }
        return Ok(header.rate);
    }
    let rate =
        said.or_else(|| parameters.number("TRIAL", "CAMERA_RATE").filter(usable)).ok_or(TextFault::NoFrameRate { byte: header.base })?;
    repairs.push(Repair::new("header: frame rate", format!("{}", header.rate), format!("{rate} Hz, as the parameters say")));
    Ok(rate)
}

/// Channels and samples in a frame.
fn channels(header: &Header, parameters: &Parameters, rate: f64, repairs: &mut Vec<Repair>) -> (usize, usize) {
    let analog = usize::from(header.analog);
    if analog == 0 {
        return (0, 0);
    }
    if !parameters.has_group("ANALOG") {
        repairs.push(Repair::new("ANALOG", "no such group, but channels in the data", "values are taken as they are stored"));
    }
    let used = parameters.number("ANALOG", "USED").map(|used| used as usize).filter(|used| *used > 0);
    let fast = parameters.number("ANALOG", "RATE").filter(|fast| fast.is_finite() && *fast > 0.0);
    let mut samples = usize::from(header.samples);
    if samples == 0 || !analog.is_multiple_of(samples) {
        let by_count = used.filter(|used| analog.is_multiple_of(*used)).map(|used| analog / used);
        let by_rate = fast.map(|fast| (fast / rate).round() as usize).filter(|n| *n > 0 && analog.is_multiple_of(*n));
        let found = format!("{samples}, with {analog} analog values in a frame");
        samples = by_count.or(by_rate).unwrap_or(1);
        repairs.push(Repair::new("header: analog samples per frame", found, format!("{samples}")));
    }
    let channels = analog / samples;
    if let Some(used) = used.filter(|used| *used != channels) {
        let found = format!("{used} channels, the header says {channels}");
        repairs.push(Repair::new("ANALOG:USED", found, "the header is believed"));
    }
    if let Some(fast) = fast.filter(|fast| (fast / (rate * samples as f64) - 1.0).abs() > 1e-4) {
        let found = format!("{fast} Hz, the header says {samples} samples in a frame of {rate} Hz");
        repairs.push(Repair::new("ANALOG:RATE", found, format!("{} Hz", rate * samples as f64)));
    }
    (channels, samples)
}

/// How many frames there are: the largest announced number that the length of the file allows; else what it allows.
fn frames(claims: &[(&'static str, u64)], held: u64, bytes: u64, data_at: u64, repairs: &mut Vec<Repair>) -> Result<u64, TextFault> {
    let room = held / bytes;
    let announced = claims.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let list = || claims.iter().map(|(at, count)| format!("{at} {count}")).collect::<Vec<_>>().join(", ");
    let Some(frames) = claims.iter().map(|(_, count)| *count).filter(|count| *count <= room).max() else {
        if announced > 0 && room == 0 {
            return Err(TextFault::NoWholeFrame { byte: data_at, announced, frame: bytes, held });
        }
        let said = if claims.is_empty() { "nothing".to_string() } else { list() };
        repairs.push(Repair::new("frames", format!("announced: {said}; the file has room for {room}"), format!("{room} frames are read")));
        if !held.is_multiple_of(bytes) && announced > 0 {
            let found = format!("cut off: {} of {bytes} bytes", held % bytes);
            repairs.push(Repair::new(format!("frame {}", room + 1), found, "dropped"));
        }
        return Ok(room);
    };
    if claims.iter().any(|(_, count)| *count != frames) {
        repairs.push(Repair::new("frames", format!("announced: {}", list()), format!("{frames} frames are read")));
    } else if held - frames * bytes >= PADDING.max(bytes) {
        let found = format!("{} bytes behind the last of {frames} frames", held - frames * bytes);
        repairs.push(Repair::new("frames", found, "left alone"));
    }
    Ok(frames)
}
