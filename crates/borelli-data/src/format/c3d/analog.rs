//! Channels of a C3D file: names, units, and how stored numbers become values.
//! Not here: what plates make of them (`plate`).
//! In: the group ANALOG. Out: name, SI unit and three numbers for each channel.

use super::labels::names;
use super::layout::Layout;
use super::parameters::Parameters;
use super::platform::Role;
use super::unit::si;
use crate::recording::Repair;

/// How a channel is read:
///
///     value = (raw - offset) scale factor
#[derive(Clone, Debug)]
pub(super) struct Channel {
    /// Name.
    pub name: String,
    /// SI unit.
    pub unit: Option<String>,
    /// What is subtracted.
    pub offset: f64,
    /// SCALE times GEN_SCALE: to the unit of the file.
    pub scale: f64,
    /// From the unit of the file to SI.
    pub factor: f64,
}

/// All channels, and whether stored numbers of two bytes have no sign. Units that are not understood become facts.
pub(super) fn channels(
    parameters: &Parameters,
    layout: &Layout,
    roles: &[Option<Role>],
    metres: f64,
    facts: &mut Vec<(String, String)>,
    repairs: &mut Vec<Repair>,
) -> (Vec<Channel>, bool) {
    let count = layout.channels;
    if count == 0 {
        return (Vec::new(), false);
    }
    let unsigned = parameters.text("ANALOG", "FORMAT").is_some_and(|format| format.eq_ignore_ascii_case("unsigned"));
    let labels = parameters.list("ANALOG", "LABELS", count, |view| view.texts());
    let names = names(&labels, count, "ANALOG:LABELS", repairs);
    let offsets = parameters.list("ANALOG", "OFFSET", count, |view| view.numbers(!unsigned));
    if parameters.get("ANALOG", "OFFSET").is_some_and(|view| view.is_float()) {
        repairs.push(Repair::new("ANALOG:OFFSET", "floats, expected whole numbers", "taken as they are"));
    }
    let mut scales = parameters.list("ANALOG", "SCALE", count, |view| view.numbers(true));
    let general = general_scale(parameters, repairs);
    tidy_scales(&mut scales, &names, parameters, repairs);
    let units = parameters.list("ANALOG", "UNITS", count, |view| view.texts());
    let mut renamed = Vec::new();
    let channels = names.into_iter().enumerate().map(|(k, name)| {
        let text = units.get(k).map(String::as_str).unwrap_or("");
        let (factor, unit) = match roles.get(k).copied().flatten() {
            Some(role) => match si(text).filter(|(_, unit)| unit == role.unit()) {
                Some((factor, unit)) => (factor, Some(unit)),
                None => {
                    renamed.push(format!("{name} `{text}`"));
                    (role.factor(metres), Some(role.unit().to_string()))
                }
            },
            None => match si(text) {
                Some((factor, unit)) => (factor, Some(unit)),
                None => {
                    if !text.is_empty() {
                        facts.push((super::unit_fact(&name), text.to_string()));
                    }
                    (1.0, None)
                }
            },
        };
        let offset = offsets.get(k).copied().filter(|offset| offset.is_finite()).unwrap_or(0.0);
        Channel { name, unit, offset, scale: scales.get(k).map_or(1.0, |scale| scale * general), factor }
    });
    let channels: Vec<Channel> = channels.collect();
    if !renamed.is_empty() {
        let found = format!("channels of force plates in other units than force and moment: {}", renamed.join(", "));
        repairs.push(Repair::new("ANALOG:UNITS", found, "taken as N, moments as N times the unit of points"));
    }
    (channels, unsigned)
}

fn general_scale(parameters: &Parameters, repairs: &mut Vec<Repair>) -> f64 {
    match parameters.number("ANALOG", "GEN_SCALE") {
        None => 1.0,
        Some(scale) if scale.is_finite() && scale != 0.0 => scale,
        Some(scale) => {
            repairs.push(Repair::new("ANALOG:GEN_SCALE", format!("{scale}"), "taken as 1"));
            1.0
        }
    }
}

/// Scales that are zero or no numbers make a dead channel; missing ones are one.
fn tidy_scales(scales: &mut [f64], names: &[String], parameters: &Parameters, repairs: &mut Vec<Repair>) {
    let mut dead = Vec::new();
    for (scale, name) in scales.iter_mut().zip(names) {
        if !scale.is_finite() || *scale == 0.0 {
            *scale = 0.0;
            dead.push(name.as_str());
        }
    }
    if !dead.is_empty() {
        let found = if dead.len() == names.len() { "zero for every channel".into() } else { format!("zero for {}", dead.join(", ")) };
        repairs.push(Repair::new("ANALOG:SCALE", found, "the channel is dead: zeros"));
    }
    if scales.len() < names.len() && parameters.has_group("ANALOG") {
        let found = format!("{} numbers for {} channels", scales.len(), names.len());
        repairs.push(Repair::new("ANALOG:SCALE", found, "taken as 1 where none stands"));
    }
}
