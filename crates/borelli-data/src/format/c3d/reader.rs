//! C3D files read frame by frame.
//! Not here: plates, which need whole channels (`plate`).
//! In: anything that reads and seeks. Out: an outline, then frames in SI, and every repair.
//!
//! Memory is that of the parameters and of one frame, however long the file. No count of the file is believed before the length confirms it.

use super::analog::{self, Channel};
use super::bytes::Processor;
use super::events::events;
use super::header::{BLOCK, Header, take, unreadable};
use super::labels::names;
use super::layout::Layout;
use super::parameters::Parameters;
use super::platform::{calibrate, platforms, roles};
use super::unit;
use crate::format::{FormatFault, TextFault};
use crate::recording::{Frame, FrameSource, Outline, Platform, Repair};
use borelli_math::{Vec3, vec3};
use std::collections::HashMap;
use std::io::{BufReader, Read, Seek, SeekFrom};

/// Frames that are looked at to guess the unit of points, where the file does not say.
const LOOK: u64 = 2000;

/// Largest coordinate, in the unit of the file, that a laboratory in metres can have.
const LARGEST_METRES: f64 = 20.0;

/// Most facts that are kept of a header.
const MOST_FACTS: usize = 256;

/// Groups that have a meaning of their own, and so are no facts.
pub(super) const OWN_GROUPS: [&str; 7] = ["POINT", "ANALOG", "FORCE_PLATFORM", "EVENT", "EVENT_CONTEXT", "TRIAL", "ROTATION"];

/// Lists of points that are no markers, and where their unit stands.
pub(super) const DERIVED: [(&str, &str); 5] = [
    ("ANGLES", "ANGLE_UNITS"),
    ("FORCES", "FORCE_UNITS"),
    ("MOMENTS", "MOMENT_UNITS"),
    ("POWERS", "POWER_UNITS"),
    ("SCALARS", "SCALAR_UNITS"),
];

/// A C3D file that is read frame by frame.
pub struct Reader<R: Read + Seek> {
    file: BufReader<R>,
    name: String,
    outline: Outline,
    repairs: Vec<Repair>,
    layout: Layout,
    processor: Processor,
    /// For each stored point nothing for a marker, the factor to SI for anything else.
    derived: Vec<Option<f64>>,
    channels: Vec<Channel>,
    unsigned: bool,
    metres: f64,
    next: u64,
    bytes: Vec<u8>,
    zeros: Told,
    bad_points: Told,
    bad_samples: Told,
}

/// Something told once: where it was seen first, and at the end how often.
#[derive(Default)]
struct Told {
    at: Option<usize>,
    count: u64,
}

impl Told {
    /// Counts once more; the first time a line is added.
    fn see(&mut self, repairs: &mut Vec<Repair>, line: impl Fn() -> Repair) {
        self.count += 1;
        if self.at.is_none() {
            self.at = Some(repairs.len());
            repairs.push(line());
        }
    }

    /// Adds the number of times to the line; nothing happens the second time.
    fn close(&mut self, repairs: &mut [Repair]) {
        if let Some(at) = self.at
            && self.count > 0
        {
            repairs[at].found.push_str(&format!(", {} times in all", self.count));
            self.count = 0;
        }
    }
}

impl<R: Read + Seek> Reader<R> {
    /// Reads everything but the frames. `name` is the file as it is named in messages.
    pub fn new(file: R, name: &str) -> Result<Reader<R>, FormatFault> {
        Reader::begin(BufReader::with_capacity(1 << 16, file), name).map_err(|kind| fault(name, kind))
    }

    fn begin(mut file: BufReader<R>, name: &str) -> Result<Reader<R>, TextFault> {
        let mut repairs = Vec::new();
        let header = Header::read(&mut file, &mut repairs)?;
        let start = header.parameters_at();
        let end = if header.data_at() > start { header.data_at() } else { start + u64::from(u16::MAX) * BLOCK }.min(header.length);
        let section = take(&mut file, start, end - start, header.length, "the parameters")?;
        let parameters = Parameters::read(section, header.processor, &mut repairs);
        let layout = Layout::settle(&header, &parameters, start + parameters.used as u64, &mut repairs)?;
        let mut reader = Reader {
            name: name.to_string(),
            outline: Outline::default(),
            processor: header.processor,
            derived: vec![None; layout.points],
            channels: Vec::new(),
            unsigned: false,
            metres: 1.0,
            next: 0,
            bytes: vec![0; layout.frame_bytes() as usize],
            repairs,
            layout,
            file,
            zeros: Told::default(),
            bad_points: Told::default(),
            bad_samples: Told::default(),
        };
        reader.describe(&header, &parameters)?;
        reader.rewind()?;
        Ok(reader)
    }

    /// Fills the outline.
    fn describe(&mut self, header: &Header, parameters: &Parameters) -> Result<(), TextFault> {
        let mut facts = vec![("C3D:PROCESSOR".to_string(), self.processor.name().to_string())];
        let mut repairs = std::mem::take(&mut self.repairs);
        let layout = self.layout.clone();
        let labels = parameters.list("POINT", "LABELS", layout.points, |view| view.texts());
        let names = names(&labels, layout.points, "POINT:LABELS", &mut repairs);
        let derived = self.sort_points(parameters, &labels, &names, &mut facts, &mut repairs);
        let length_unit = self.length_unit(parameters, &mut repairs)?;
        let mut platforms = platforms(parameters, self.metres, &mut repairs);
        let roles = roles(&platforms, layout.channels);
        (self.channels, self.unsigned) = analog::channels(parameters, &layout, &roles, self.metres, &mut facts, &mut repairs);
        calibrate(&mut platforms, &self.channels, self.metres);
        let up = parameters.text("POINT", "Y_SCREEN").and_then(|text| direction(&text)).map(|up| above(up, &platforms, &mut repairs));
        if parameters.has_group("ROTATION") {
            repairs.push(Repair::new("ROTATION", "rigid transforms of a markerless program", "not read; points and channels are"));
        }
        facts.extend(further_facts(parameters));
        self.outline = Outline {
            name: trial_name(&self.name),
            points: names.iter().zip(&self.derived).filter(|(_, role)| role.is_none()).map(|(name, _)| name.clone()).collect(),
            derived,
            channels: self.channels.iter().map(|channel| (channel.name.clone(), channel.unit.clone())).collect(),
            rate: layout.rate,
            samples_per_frame: layout.samples,
            start: 0.0,
            first_frame: layout.first_frame,
            frames: Some(layout.frames as usize),
            events: events(header, parameters, &layout, &mut repairs),
            platforms,
            residual_step: layout.scale * self.metres,
            up,
            length_unit,
            facts,
        };
        self.repairs = repairs;
        Ok(())
    }

    /// Finds which stored points are markers; names and units of the others, component by component.
    fn sort_points(
        &mut self,
        parameters: &Parameters,
        labels: &[String],
        names: &[String],
        facts: &mut Vec<(String, String)>,
        repairs: &mut Vec<Repair>,
    ) -> Vec<(String, Option<String>)> {
        let mut units: Vec<Option<String>> = vec![None; labels.len()];
        for (list, unit) in DERIVED {
            let members = parameters.list("POINT", list, self.layout.points, |view| view.texts());
            let texts = parameters.get("POINT", unit).map(|view| view.texts()).unwrap_or_default();
            let text = |k: usize| texts.get(if texts.len() > 1 { k } else { 0 }).map(String::as_str).unwrap_or("");
            let members: HashMap<&str, &str> =
                members.iter().enumerate().filter(|(_, member)| !member.is_empty()).map(|(k, member)| (member.as_str(), text(k))).collect();
            for (slot, label) in units.iter_mut().zip(labels).filter(|(slot, _)| slot.is_none()) {
                *slot = members.get(label.as_str()).map(|text| text.to_string());
            }
        }
        let mut derived = Vec::new();
        let mut unknown = Vec::new();
        for ((text, name), role) in units.iter().zip(names).zip(&mut self.derived) {
            let Some(text) = text else { continue };
            let (factor, unit) = match unit::si(text) {
                Some((factor, unit)) => (factor, Some(unit)),
                None => {
                    unknown.push(name.as_str());
                    (1.0, None)
                }
            };
            *role = Some(factor);
            for axis in ["x", "y", "z"] {
                let component = format!("{name}.{axis}");
                if unit.is_none() && !text.is_empty() {
                    facts.push((super::unit_fact(&component), text.clone()));
                }
                derived.push((component, unit.clone()));
            }
        }
        if !unknown.is_empty() {
            let found = format!("no unit that is understood for {}", unknown.join(", "));
            repairs.push(Repair::new("POINT", found, "values are left as they are stored, without a unit"));
        }
        derived
    }

    /// Settles the unit of points; looks into the data where the file does not say.
    fn length_unit(&mut self, parameters: &Parameters, repairs: &mut Vec<Repair>) -> Result<String, TextFault> {
        let texts: Vec<String> = parameters.get("POINT", "UNITS").map(|view| view.texts()).unwrap_or_default();
        let mut texts = texts.into_iter().filter(|text| !text.is_empty());
        let said = texts.next();
        let others: Vec<String> = texts.collect();
        if let Some(first) = said.as_ref().filter(|_| !others.is_empty()) {
            let alike = if others.iter().all(|text| text == first) { "all alike" } else { "not all alike" };
            repairs.push(Repair::new("POINT:UNITS", format!("{} units, {alike}", others.len() + 1), format!("the first holds: {first}")));
        }
        if let Some((text, metres)) = said.as_ref().and_then(|text| Some((text, unit::length(text)?))) {
            self.metres = metres;
            return Ok(text.clone());
        }
        let found = said.map_or("no unit".to_string(), |text| format!("`{text}`, which is no unit of length"));
        let largest = if self.layout.points == 0 { None } else { self.largest_coordinate()? };
        let (unit, why) = match largest {
            Some(x) if x > LARGEST_METRES => ("mm", format!("mm, because the largest coordinate is {x}")),
            Some(x) => ("m", format!("m, because the largest coordinate is {x}")),
            None => ("mm", "mm, because most files are".to_string()),
        };
        repairs.push(Repair::new("POINT:UNITS", found, why));
        self.metres = if unit == "mm" { 1e-3 } else { 1.0 };
        Ok(unit.into())
    }

    /// The largest coordinate of markers among the first frames, in the unit of the file.
    fn largest_coordinate(&mut self) -> Result<Option<f64>, TextFault> {
        self.rewind()?;
        let mut largest: Option<f64> = None;
        for _ in 0..self.layout.frames.min(LOOK) {
            if !self.fetch()? {
                break;
            }
            for k in (0..self.layout.points).filter(|k| self.derived[*k].is_none()) {
                let (place, word) = self.stored_point(k);
                let size = place.x.abs().max(place.y.abs()).max(place.z.abs());
                if word >= 0 && size.is_finite() && size > 0.0 {
                    largest = Some(largest.map_or(size, |other| other.max(size)));
                }
            }
        }
        Ok(largest)
    }

    /// Goes to the first frame.
    fn rewind(&mut self) -> Result<(), TextFault> {
        let at = self.layout.data_at;
        self.next = 0;
        self.file.seek(SeekFrom::Start(at)).map(|_| ()).map_err(|error| unreadable(at, &error))
    }

    /// Reads the bytes of the next frame; false where the file has become shorter meanwhile.
    fn fetch(&mut self) -> Result<bool, TextFault> {
        let at = self.layout.data_at + self.next * self.layout.frame_bytes();
        match self.file.read_exact(&mut self.bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(unreadable(at, &error)),
        }
    }

    /// Place of a stored point in the unit of the file, and its fourth word.
    fn stored_point(&self, k: usize) -> (Vec3<f64>, i32) {
        let p = self.processor;
        if self.layout.float {
            let value = |c: usize| p.float(&self.bytes, 16 * k + 4 * c);
            let word = if value(3).is_nan() { -1 } else { value(3).round() as i32 };
            (vec3(value(0), value(1), value(2)), word)
        } else {
            let value = |c: usize| f64::from(p.signed(&self.bytes, 8 * k + 2 * c)) * self.layout.scale;
            (vec3(value(0), value(1), value(2)), i32::from(p.signed(&self.bytes, 8 * k + 6)))
        }
    }

    fn fill_points(&mut self, frame: &mut Frame) {
        for k in 0..self.layout.points {
            let (place, word) = self.stored_point(k);
            let finite = place.x.is_finite() && place.y.is_finite() && place.z.is_finite();
            if word >= 0 && !finite {
                let line = || Repair::new(format!("frame {}", self.next), "a point that is no finite number", "missing");
                self.bad_points.see(&mut self.repairs, line);
            }
            let seen = word >= 0 && finite;
            match self.derived[k] {
                Some(factor) => {
                    let keep = |x: f64| if seen { x * factor } else { f64::NAN };
                    frame.derived.extend([keep(place.x), keep(place.y), keep(place.z)]);
                }
                None => {
                    let at_origin = seen && place == Vec3::ZERO;
                    if at_origin {
                        let line = || Repair::new(format!("frame {}", self.next), "a point seen at exactly (0, 0, 0)", "missing");
                        self.zeros.see(&mut self.repairs, line);
                    }
                    let seen = seen && !at_origin;
                    frame.points.push(seen.then(|| place.scale(self.metres)));
                    let residual = if seen { f64::from(word & 0xff) * self.layout.scale * self.metres } else { 0.0 };
                    frame.residuals.push(residual as f32);
                }
            }
        }
    }

    fn fill_samples(&mut self, frame: &mut Frame) {
        let p = self.processor;
        match (self.layout.float, self.unsigned) {
            (true, _) if p == Processor::Intel => self.samples_of(frame, |b: [u8; 4]| f64::from(f32::from_le_bytes(b))),
            (true, _) => self.samples_of(frame, |b: [u8; 4]| p.float(&b, 0)),
            (false, true) => self.samples_of(frame, |b: [u8; 2]| f64::from(p.unsigned(&b, 0))),
            (false, false) => self.samples_of(frame, |b: [u8; 2]| f64::from(p.signed(&b, 0))),
        }
    }

    /// All samples of the frame; `raw` reads one number.
    fn samples_of<const WIDTH: usize>(&mut self, frame: &mut Frame, raw: impl Fn([u8; WIDTH]) -> f64) {
        let (stored, _) = self.bytes[4 * WIDTH * self.layout.points..].as_chunks::<WIDTH>();
        for sample in stored.chunks_exact(self.channels.len().max(1)).take(self.layout.samples) {
            let value = |(bytes, channel): (&[u8; WIDTH], &Channel)| (raw(*bytes) - channel.offset) * channel.scale * channel.factor;
            frame.samples.extend(sample.iter().zip(&self.channels).map(value));
        }
        for value in frame.samples.iter_mut().filter(|value| !value.is_finite()) {
            let line = || Repair::new(format!("frame {}", self.next), "a sample that is no finite number", "zero");
            self.bad_samples.see(&mut self.repairs, line);
            *value = 0.0;
        }
    }
}

impl<R: Read + Seek> FrameSource for Reader<R> {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn next_frame(&mut self, frame: &mut Frame) -> Result<bool, FormatFault> {
        if self.next >= self.layout.frames {
            for told in [&mut self.zeros, &mut self.bad_points, &mut self.bad_samples] {
                told.close(&mut self.repairs);
            }
            return Ok(false);
        }
        if !self.fetch().map_err(|kind| fault(&self.name, kind))? {
            let found = format!("the file ended, {} frames were expected", self.layout.frames);
            self.repairs.push(Repair::new(format!("frame {}", self.next + 1), found, "what was there is kept"));
            self.next = self.layout.frames;
            return Ok(false);
        }
        self.next += 1;
        frame.points.clear();
        frame.residuals.clear();
        frame.derived.clear();
        frame.samples.clear();
        self.fill_points(frame);
        self.fill_samples(frame);
        Ok(true)
    }

    fn repairs(&self) -> &[Repair] {
        &self.repairs
    }
}

/// A fault with its file; bytes stand in the fault itself.
pub(super) fn fault(file: &str, kind: TextFault) -> FormatFault {
    FormatFault { file: file.to_string(), line: 0, column: 0, kind }
}

/// The name of a trial: its file without folder and ending.
fn trial_name(file: &str) -> String {
    std::path::Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The direction up, or its opposite where all plates that lie across it look the other way: screens count downwards in some programs.
/// Test: `plates_overrule_a_vertical_that_points_into_the_floor`.
fn above(up: Vec3<f64>, platforms: &[Platform], repairs: &mut Vec<Repair>) -> Vec3<f64> {
    let normals = platforms.iter().filter_map(|platform| platform.corners.as_ref().and_then(super::plate::normal));
    let across: Vec<f64> = normals.map(|normal| normal.dot(up)).filter(|cosine| cosine.abs() > 0.8).collect();
    if across.is_empty() || across.iter().any(|cosine| *cosine > 0.0) {
        return up;
    }
    repairs.push(Repair::new(
        "POINT:Y_SCREEN",
        "a vertical that points into the floor, by the corners of all plates",
        "its opposite is up",
    ));
    up.scale(-1.0) + Vec3::ZERO
}

/// A direction such as `+Z`.
fn direction(text: &str) -> Option<Vec3<f64>> {
    let (sign, axis) = match text.strip_prefix('-') {
        Some(axis) => (-1.0, axis),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    match axis {
        "X" | "x" => Some(vec3(sign, 0.0, 0.0)),
        "Y" | "y" => Some(vec3(0.0, sign, 0.0)),
        "Z" | "z" => Some(vec3(0.0, 0.0, sign)),
        _ => None,
    }
}

/// Short texts and single numbers of groups that have no meaning here: maker, subject, body mass.
fn further_facts(parameters: &Parameters) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for (group, name, view) in parameters.all().filter(|(group, ..)| !OWN_GROUPS.contains(group)) {
        if facts.len() >= MOST_FACTS {
            break;
        }
        let texts = if view.is_text() { view.texts() } else { view.numbers(true).iter().map(|x| format!("{}", *x as f32)).collect() };
        let text = texts.iter().filter(|text| !text.is_empty()).take(9).cloned().collect::<Vec<_>>().join(", ");
        if texts.len() <= 8 && !text.is_empty() && text.len() <= 255 {
            facts.push((format!("{group}:{name}"), text));
        }
    }
    facts
}
