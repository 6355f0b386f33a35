//! The parameters of a C3D file that is written: everything an outline says.
//! Not here: their bytes (`section`), header and frames (`writer`).
//! In: an outline. Out: the parameter section, how values go into the file, places that are filled in at the end.

use super::labels::names;
use super::reader::{DERIVED, OWN_GROUPS};
use super::section::Section;
use super::unit;
use crate::recording::{Event, EventKind, Outline, Platform, Side};
use borelli_math::Vec3;

/// Step of residuals where the outline does not know one, m.
const RESIDUAL_STEP: f64 = 1e-5;

/// Most plates of a file.
const MOST_PLATES: usize = 255;

/// How an outline is written.
pub(super) struct Plan {
    /// The outline, made fit for a C3D file.
    pub outline: Outline,
    /// Metres in the length unit of the file.
    pub metres: f64,
    /// Step of residuals in the length unit of the file.
    pub step: f64,
    /// Points that are no markers.
    pub derived: Vec<Derived>,
    /// Unit of each channel in the file, and SI in it.
    pub channels: Vec<(String, f64)>,
}

/// A point of the file that is no marker.
pub(super) struct Derived {
    label: String,
    /// Which list of POINT names it.
    list: usize,
    unit: String,
    /// For each coordinate its place among the derived quantities of the outline.
    pub at: [Option<usize>; 3],
    /// SI in the unit of the file.
    pub factor: f64,
}

/// Places in the section of numbers that are known only at the end.
pub(super) struct Places {
    /// POINT:FRAMES.
    pub frames: usize,
    /// POINT:LONG_FRAMES.
    pub long_frames: usize,
    /// TRIAL:ACTUAL_END_FIELD.
    pub end: usize,
}

impl Plan {
    pub fn new(outline: &Outline) -> Plan {
        let mut outline = outline.clone();
        if outline.channels.is_empty() || outline.samples_per_frame == 0 {
            outline.channels.clear();
            outline.samples_per_frame = 0;
        }
        outline.first_frame = outline.first_frame.max(1);
        let metres = unit::length(&outline.length_unit).unwrap_or_else(|| {
            outline.length_unit = "mm".into();
            1e-3
        });
        let usable = outline.residual_step.is_finite() && outline.residual_step > 0.0;
        let step = if usable { outline.residual_step } else { RESIDUAL_STEP } / metres;
        let channels = outline.channels.iter().map(|(name, unit)| file_unit(&outline, name, unit.as_deref())).collect();
        Plan { derived: derived(&outline), channels, metres, step, outline }
    }

    /// Points of a frame, markers and others.
    pub fn points(&self) -> usize {
        self.outline.points.len() + self.derived.len()
    }

    /// Analog values of a frame.
    pub fn analog(&self) -> usize {
        self.channels.len().saturating_mul(self.outline.samples_per_frame)
    }

    /// The section in whole blocks; the data follow it, and it follows a header of one block.
    pub fn section(&self) -> (Vec<u8>, Places) {
        let mut section = Section::new();
        let (frames, long_frames, data_start) = self.point_group(&mut section);
        self.analog_group(&mut section);
        self.platform_group(&mut section);
        self.event_group(&mut section);
        section.group("TRIAL");
        section.wide("ACTUAL_START_FIELD", self.outline.first_frame);
        let end = section.wide("ACTUAL_END_FIELD", self.outline.first_frame.saturating_sub(1));
        section.float("CAMERA_RATE", self.outline.rate);
        self.facts(&mut section);
        let blocks = section.blocks();
        section.patch(data_start, &(blocks.saturating_add(2).min(65_535) as u16).to_le_bytes());
        (section.finish(), Places { frames, long_frames, end })
    }

    fn point_group(&self, section: &mut Section) -> (usize, usize, usize) {
        let outline = &self.outline;
        section.group("POINT");
        section.word("USED", self.points() as u16);
        let frames = section.word("FRAMES", 0);
        let data_start = section.word("DATA_START", 0);
        section.float("SCALE", -self.step);
        section.float("RATE", outline.rate);
        section.text("UNITS", &outline.length_unit);
        let long_frames = section.float("LONG_FRAMES", 0.0);
        if let Some(text) = outline.up.and_then(axis) {
            section.text("Y_SCREEN", text);
        }
        let labels: Vec<String> = outline.points.iter().cloned().chain(self.derived.iter().map(|point| point.label.clone())).collect();
        let labels = names(&labels, labels.len(), "", &mut Vec::new());
        section.texts("LABELS", &labels);
        section.texts("DESCRIPTIONS", &vec![""; labels.len()]);
        let others = &labels[outline.points.len()..];
        for (k, (list, units)) in DERIVED.iter().enumerate() {
            let members = || self.derived.iter().zip(others).filter(|(point, _)| point.list == k);
            let mut texts: Vec<&str> = members().map(|(point, _)| point.unit.as_str()).collect();
            if texts.is_empty() {
                continue;
            }
            section.texts(list, &members().map(|(_, label)| label.as_str()).collect::<Vec<_>>());
            if texts.iter().all(|text| *text == texts[0]) {
                texts.truncate(1);
            }
            section.texts(units, &texts);
        }
        (frames, long_frames, data_start)
    }

    fn analog_group(&self, section: &mut Section) {
        let outline = &self.outline;
        let count = self.channels.len();
        section.group("ANALOG");
        section.word("USED", count as u16);
        section.float("RATE", outline.rate * outline.samples_per_frame as f64);
        section.float("GEN_SCALE", 1.0);
        section.text("FORMAT", "SIGNED");
        if count > 0 {
            section.texts("LABELS", &outline.channels.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
            section.texts("DESCRIPTIONS", &vec![""; count]);
            section.texts("UNITS", &self.channels.iter().map(|(unit, _)| unit.as_str()).collect::<Vec<_>>());
            section.floats("SCALE", &[], &vec![1.0; count]);
            section.words("OFFSET", &[], &vec![0; count]);
        }
    }

    fn platform_group(&self, section: &mut Section) {
        let plates = &self.outline.platforms[..self.outline.platforms.len().min(MOST_PLATES)];
        section.group("FORCE_PLATFORM");
        section.word("USED", plates.len() as u16);
        let Some(first) = plates.first() else { return };
        section.words("TYPE", &[], &plates.iter().map(|plate| plate.kind).collect::<Vec<_>>());
        section.words("ZERO", &[], &[first.zero.0 as u16, first.zero.1 as u16]);
        let in_file = |v: Vec3<f64>| v.scale(1.0 / self.metres).to_array();
        let corners = |plate: &Platform| plate.corners.unwrap_or([Vec3::ZERO; 4]);
        section.floats("CORNERS", &[3, 4], &plates.iter().flat_map(corners).flat_map(in_file).collect::<Vec<_>>());
        section.floats("ORIGIN", &[3], &plates.iter().map(|plate| plate.origin).flat_map(in_file).collect::<Vec<_>>());
        let rows = plates.iter().map(|plate| plate.channels.len()).max().unwrap_or(0).clamp(1, 64);
        let numbers = plates.iter().flat_map(|plate| (0..rows).map(|k| plate.channels.get(k).copied().unwrap_or(0)));
        section.words("CHANNEL", &[rows as u8], &numbers.collect::<Vec<_>>());
        if plates.iter().any(|plate| plate.matrix.is_some()) {
            section.floats("CAL_MATRIX", &[6, 6], &plates.iter().flat_map(|plate| self.matrix(plate)).collect::<Vec<_>>());
        }
        if plates.iter().any(|plate| plate.polynomial.is_some()) {
            let order = super::platform::POLYNOMIAL_ORDER;
            let axis = |p: [f64; 6]| std::array::from_fn::<f64, 6, _>(|k| p[k] * self.metres.powi(order[k]));
            let all = plates.iter().flat_map(|plate| plate.polynomial.unwrap_or([[0.0; 6]; 2])).flat_map(axis);
            section.floats("FPCOPPOLY", &[6, 2], &all.collect::<Vec<_>>());
        }
    }

    /// The calibration for numbers as they stand in the file, first index fastest.
    fn matrix(&self, plate: &Platform) -> Vec<f64> {
        let matrix = plate.matrix.unwrap_or([[0.0; 6]; 6]);
        let factor = |j: usize| {
            let number = plate.channels.get(j).and_then(|number| usize::from(*number).checked_sub(1));
            number.and_then(|k| self.channels.get(k)).map_or(1.0, |(_, factor)| *factor)
        };
        let made = |i: usize| if i < 3 { 1.0 } else { self.metres };
        (0..36).map(|k| matrix[k % 6][k / 6] * factor(k / 6) / made(k % 6)).collect()
    }

    fn event_group(&self, section: &mut Section) {
        let events = &self.outline.events;
        section.group("EVENT");
        section.word("USED", events.len().min(65_535) as u16);
        if events.is_empty() {
            return;
        }
        let label = |event: &Event| match &event.kind {
            EventKind::FootStrike => "Foot Strike".to_string(),
            EventKind::FootOff => "Foot Off".to_string(),
            EventKind::Other(name) => name.clone(),
        };
        let context = |event: &Event| match event.side {
            Some(Side::Left) => "Left",
            Some(Side::Right) => "Right",
            None => "General",
        };
        let lead = (self.outline.first_frame - 1) as f64 / self.outline.rate - self.outline.start;
        let time = |event: &Event| {
            let minutes = ((event.time + lead) / 60.0).floor();
            [minutes, event.time + lead - 60.0 * minutes]
        };
        section.texts("LABELS", &events.iter().map(label).collect::<Vec<_>>());
        section.texts("CONTEXTS", &events.iter().map(context).collect::<Vec<_>>());
        section.floats("TIMES", &[2], &events.iter().flat_map(time).collect::<Vec<_>>());
    }

    /// Facts that came from parameters, or look as if they did: `MANUFACTURER:COMPANY`.
    fn facts(&self, section: &mut Section) {
        let word = |text: &str| !text.is_empty() && text.len() <= 60 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let fit = self.outline.facts.iter().filter_map(|(key, value)| Some((key.split_once(':')?, value)));
        let mut fit: Vec<_> =
            fit.filter(|((group, name), _)| word(group) && word(name) && !OWN_GROUPS.contains(group) && *group != "C3D").collect();
        fit.sort_by_key(|((group, _), _)| *group);
        let mut last = "";
        for ((group, name), value) in fit {
            if group != last && !section.group(group) {
                return;
            }
            last = group;
            match value.parse::<f32>() {
                Ok(number) if format!("{number}") == *value => _ = section.float(name, f64::from(number)),
                _ => section.text(name, value),
            }
        }
    }
}

/// A unit for a file, and SI in it: degrees, and moments in N mm unless lengths are in metres, because other programs expect them.
/// Where there is none, the text that was not understood when the file was read.
fn file_unit(outline: &Outline, name: &str, si: Option<&str>) -> (String, f64) {
    match si {
        Some("rad") => ("deg".into(), 1f64.to_radians()),
        Some("N m") if outline.length_unit == "m" => ("Nm".into(), 1.0),
        Some("N m") => ("Nmm".into(), 1e-3),
        Some(other) => (other.into(), 1.0),
        None => {
            let key = super::unit_fact(name);
            (outline.facts.iter().find(|(k, _)| *k == key).map(|(_, text)| text.clone()).unwrap_or_default(), 1.0)
        }
    }
}

/// Derived quantities as points: three of one stem (`KNEE.x`, `KNEE.y`, `KNEE.z`) are one point, any other is a point of its own.
fn derived(outline: &Outline) -> Vec<Derived> {
    let list = &outline.derived;
    let mut points = Vec::new();
    let mut k = 0;
    while k < list.len() {
        let (name, unit) = &list[k];
        let stem = name.strip_suffix(".x").filter(|stem| {
            let is = |k: usize, axis: &str| list.get(k).is_some_and(|(other, u)| u == unit && *other == format!("{stem}.{axis}"));
            is(k + 1, "y") && is(k + 2, "z")
        });
        let (text, factor) = file_unit(outline, name, unit.as_deref());
        let group = match unit.as_deref() {
            Some("rad") => 0,
            Some("N") => 1,
            Some("N m") => 2,
            Some("W") => 3,
            _ => 4,
        };
        let at = if stem.is_some() { [Some(k), Some(k + 1), Some(k + 2)] } else { [Some(k), None, None] };
        k += if stem.is_some() { 3 } else { 1 };
        points.push(Derived { label: stem.unwrap_or(name).to_string(), list: group, unit: text, at, factor });
    }
    points
}

/// The name of a direction along an axis.
fn axis(up: Vec3<f64>) -> Option<&'static str> {
    [("+X", 0, 1.0), ("-X", 0, -1.0), ("+Y", 1, 1.0), ("-Y", 1, -1.0), ("+Z", 2, 1.0), ("-Z", 2, -1.0)]
        .iter()
        .find(|(_, k, sign)| up.to_array()[*k] * sign > 0.999)
        .map(|(text, ..)| *text)
}
