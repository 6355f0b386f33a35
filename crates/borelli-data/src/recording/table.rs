//! Tables as recordings: columns become markers where three of them are one, plates where they are the reaction of the ground, and else channels.
//! Not here: how tables are read; what names of ground reactions look like (`format`).
//! In: a table with its notes. Out: a [`Recording`], with every decision among its repairs.

use super::tidy::{drop_frozen, drop_zeros};
use super::times::{clock_of, even_times};
use super::{Channel, ChannelGroup, ChannelKind, Clock, Plate, PlateKind, PointSeries, Recording, Repair};
use crate::explain::Explain;
use crate::format::{FormatFault, GroundQuantity, ReadNote, Reading, RecordingOptions, TextFault, ground_column};
use crate::trajectory::{Column, Trajectory};
use borelli_math::{Mat3, Vec3};
use std::ops::Range;
use std::path::Path;

/// Coordinates of markers without a unit are mm if one of them is larger; in metres it would be out of the room.
pub(crate) const LARGEST_METRES: f64 = 20.0;

/// A free moment beyond this is not in N m: a foot exerts some ten.
const LARGEST_TORQUE: f64 = 500.0;

/// Loads below this do not tell where they act, N.
const LEAST_LOAD: f64 = 20.0;

/// How three columns of one marker are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spellings {
    /// `NAME.x` only: elsewhere names such as `pelvis_tx` are something else.
    Dotted,
    /// `NAME.x`, `NAME_X`, `NAMEx`.
    All,
}

/// The recording that a table holds.
pub(crate) fn recording_of(
    reading: Reading,
    file: &str,
    spellings: Spellings,
    options: &RecordingOptions<'_>,
) -> Result<Recording, FormatFault> {
    let table = &reading.trajectory;
    let fault = |kind| FormatFault { file: file.to_string(), line: 0, column: 0, kind };
    let times = match options.rate {
        Some(rate) => even_times(table.time(), rate).ok_or_else(|| fault(TextFault::NotTheRate { rate }))?,
        None => table.time().to_vec(),
    };
    let (clock, mut repairs) = match clock_of(times, options.rate, "times") {
        Some(found) => found,
        None if table.is_empty() => (Clock::even(1.0, 0.0, 0), Vec::new()),
        None => return Err(fault(TextFault::NoRate)),
    };
    repairs.splice(0..0, reading.notes.iter().filter_map(repair_of));
    let mut used = vec![false; table.columns().len()];
    let mut points = Vec::new();
    let mut flat = 0;
    for (name, at) in markers(table.columns(), spellings) {
        at.clone().for_each(|k| used[k] = true);
        flat += usize::from(at.len() == 2);
        points.push((point_of(table, name, at.clone()), table.columns()[at.start].unit.is_none()));
    }
    if flat > 0 {
        repairs.push(Repair::new("labels", format!("{flat} markers have x and y only"), "their z is 0"));
    }
    let unit = scale_unitless(&mut points, &mut repairs);
    let mut points: Vec<PointSeries> = points.into_iter().map(|(point, _)| point).collect();
    repairs.extend(drop_zeros(&mut points));
    repairs.extend(drop_frozen(&mut points, clock.rate));
    let mut channels: Vec<(usize, Channel)> = (0..used.len()).filter(|k| !used[*k]).map(|k| (k, channel_of(table, k))).collect();
    let ground = ground_columns(table);
    let factors: Vec<(usize, f64)> = ground.iter().flat_map(|plate| millimetres(table, plate, options.threshold, &mut repairs)).collect();
    let factor = |k: usize| factors.iter().find(|(column, _)| *column == k).map_or(1.0, |(_, factor)| *factor);
    let plates = ground.iter().map(|plate| plate_of(table, plate, &clock, options.threshold, &factor)).collect();
    for (k, channel) in channels.iter_mut().filter(|(k, _)| factor(*k) != 1.0) {
        channel.samples.iter_mut().for_each(|x| *x *= factor(*k));
    }
    let channels: Vec<Channel> = channels.into_iter().map(|(_, channel)| channel).collect();
    let remarks = reading.remarks.iter().map(|line| ("remark".to_string(), line.clone()));
    let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Recording {
        name: if table.name() == "trajectory" { stem } else { table.name().to_string() },
        first_frame: 1,
        points,
        channels: if channels.is_empty() { Vec::new() } else { vec![ChannelGroup { clock: clock.clone(), channels }] },
        plates,
        length_unit: unit.to_string(),
        facts: table.metadata().iter().cloned().chain(remarks).collect(),
        repairs,
        clock,
        ..Recording::default()
    })
}

/// A note as a repair; that a column lacks values is no repair, its mask says so.
fn repair_of(note: &ReadNote) -> Option<Repair> {
    let (at, done) = match note {
        ReadNote::Missing { .. } => return None,
        ReadNote::Converted { .. } => ("units", "in SI now"),
        ReadNote::Angles { degrees, columns, .. } if !degrees || columns.is_empty() => return None,
        ReadNote::Angles { .. } | ReadNote::ByName => ("angles", "in radians now"),
        ReadNote::SuspectAngle { .. } => ("angles", "left as they are"),
        ReadNote::WrongCount { .. } => ("header", "the data were trusted"),
        ReadNote::Spread { .. } => ("cells", "spread over columns"),
        ReadNote::RepeatedKey { .. } => ("header", "the last one was taken"),
        ReadNote::FrameNumbers { .. } => ("labels", "left out"),
        ReadNote::UnitsOfNames { .. } => ("units", "taken from the names"),
    };
    Some(Repair::new(at, note.message(), done))
}

/// The parts of a name that ends like a coordinate: stem, axis, and what stands between them.
fn coordinate(name: &str) -> Option<(&str, usize, &str)> {
    let axis = name.chars().last().and_then(|last| "xyz".find(last.to_ascii_lowercase()))?;
    let rest = &name[..name.len() - 1];
    let (stem, joint) = match rest.as_bytes().last()? {
        b'.' => (&rest[..rest.len() - 1], "."),
        b'_' => (&rest[..rest.len() - 1], "_"),
        _ => (rest, ""),
    };
    (!stem.is_empty()).then_some((stem, axis, joint))
}

/// True for stems that mean forces, moments, velocities and the like, not places of markers.
fn is_other_vector(stem: &str) -> bool {
    let small = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').to_ascii_lowercase();
    let is = ["f", "m", "t", "v", "a", "g", "w", "cop", "cp", "grf", "grm", "fp", ""].contains(&small.as_str());
    let has = ["force", "moment", "torque", "velocity", "accel", "gyro"].iter().any(|word| small.contains(word));
    let ends = ["_t", "_v", "_p", "_f", "_m", "_o", "cop", ".error"].iter().any(|end| small.ends_with(end));
    is || has || ends
}

/// Markers: three columns in a row with one stem, or two in the plane, of a length or without a unit.
fn markers(columns: &[Column], spellings: Spellings) -> Vec<(String, Range<usize>)> {
    let mut list = Vec::new();
    let mut k = 0;
    while k < columns.len() {
        let found =
            [3, 2].into_iter().find_map(|parts| marker_name(columns.get(k..k + parts)?, spellings).map(|name| (name, k..k + parts)));
        k = found.as_ref().map_or(k + 1, |(_, at)| at.end);
        list.extend(found);
    }
    list
}

/// The marker whose coordinates some columns are.
fn marker_name(columns: &[Column], spellings: Spellings) -> Option<String> {
    let (stem, _, joint) = coordinate(&columns[0].name)?;
    let same = |(k, column): (usize, &Column)| coordinate(&column.name) == Some((stem, k, joint));
    let unit = columns[0].unit.as_deref();
    let place = (unit.is_none() && !is_other_vector(stem)) || (unit == Some("m") && !stem.ends_with(".error"));
    let whole = columns.iter().enumerate().all(same) && columns.iter().all(|column| column.unit.as_deref() == unit);
    let spelled = joint == "." || spellings == Spellings::All;
    let ground = ground_column(&columns[0].name).is_some();
    (whole && spelled && place && !ground).then(|| stem.strip_prefix("marker.").unwrap_or(stem).to_string())
}

/// A marker; it is seen where all its coordinates are there.
fn point_of(table: &Trajectory, name: String, at: Range<usize>) -> PointSeries {
    let place = |k: usize| {
        let part = |c: usize| if c < at.len() { table.values(at.start + c)[k] } else { 0.0 };
        Vec3::from_array([part(0), part(1), part(2)])
    };
    let seen: Vec<bool> = (0..table.len()).map(|k| at.clone().all(|column| table.values(column)[k].is_finite())).collect();
    let position = seen.iter().enumerate().map(|(k, seen)| if *seen { place(k) } else { Vec3::ZERO }).collect();
    PointSeries { name, position, seen, residual: Vec::new() }
}

/// Brings markers without a unit to metres; gives the unit they had.
fn scale_unitless(points: &mut [(PointSeries, bool)], repairs: &mut Vec<Repair>) -> &'static str {
    let bare = || points.iter().filter(|(_, bare)| *bare).map(|(point, _)| point);
    if bare().next().is_none() {
        return "m";
    }
    let (unit, scale) = guess_unit(bare().flat_map(|point| &point.position));
    repairs.push(Repair::new("units", "coordinates of markers without a unit", format!("taken as {unit} by their size")));
    for (point, _) in points.iter_mut().filter(|(_, bare)| *bare) {
        point.position.iter_mut().for_each(|position| *position = position.scale(scale));
    }
    unit
}

/// The unit of coordinates that have none, by the largest of them: `mm` and its factor to metres, or `m`.
pub(crate) fn guess_unit<'p>(positions: impl Iterator<Item = &'p Vec3<f64>>) -> (&'static str, f64) {
    let largest = positions.flat_map(|p| p.to_array()).fold(0.0, |largest, x: f64| f64::max(largest, x.abs()));
    if largest > LARGEST_METRES { ("mm", 1e-3) } else { ("m", 1.0) }
}

/// A column as a channel; those of ground reactions have units by their name.
fn channel_of(table: &Trajectory, k: usize) -> Channel {
    let column = &table.columns()[k];
    let named = || ground_column(&column.name).map(|ground| ground.quantity.unit().to_string());
    let values = table.values(k);
    let seen: Vec<bool> = values.iter().map(|value| value.is_finite()).collect();
    Channel {
        name: column.name.clone(),
        unit: column.unit.clone().or_else(named),
        kind: ChannelKind::Analog,
        samples: values.iter().map(|value| if value.is_finite() { *value } else { 0.0 }).collect(),
        seen: if seen.iter().all(|seen| *seen) { Vec::new() } else { seen },
    }
}

/// Columns of one ground reaction.
#[derive(Default)]
struct GroundColumns {
    key: String,
    name: String,
    force: [Option<usize>; 3],
    point: [Option<usize>; 3],
    torque: [Option<usize>; 3],
}

/// Plates that stand as columns in a table: those with at least two components of a force, as in the plane.
fn ground_columns(table: &Trajectory) -> Vec<GroundColumns> {
    let mut found: Vec<GroundColumns> = Vec::new();
    for (k, column) in table.columns().iter().enumerate() {
        let Some(ground) = ground_column(&column.name) else { continue };
        if column.unit.as_deref().is_some_and(|unit| unit != ground.quantity.unit()) {
            continue;
        }
        let place = found.iter().position(|plate| plate.key == ground.key).unwrap_or(found.len());
        if place == found.len() {
            found.push(GroundColumns { key: ground.key, ..GroundColumns::default() });
        }
        let plate = &mut found[place];
        match ground.quantity {
            GroundQuantity::Force => {
                plate.force[ground.axis] = Some(k);
                plate.name = ground.stem;
            }
            GroundQuantity::Point => plate.point[ground.axis] = Some(k),
            GroundQuantity::Torque => plate.torque[ground.axis] = Some(k),
        }
    }
    found.retain(|plate| plate.force.iter().flatten().count() >= 2);
    found
}

/// Factors of the columns of a plate whose centre of pressure is in millimetres, which is told: points without a unit that most of the time under load are more
/// than 20 away are not in metres. Torques of hundreds beside them are in N mm.
/// Test: `a_centre_of_pressure_in_millimetres_is_taken_as_such_and_told`.
fn millimetres(table: &Trajectory, columns: &GroundColumns, threshold: f64, repairs: &mut Vec<Repair>) -> Vec<(usize, f64)> {
    let bare = |list: &[Option<usize>; 3]| -> Vec<usize> {
        list.iter().flatten().copied().filter(|k| table.columns()[*k].unit.is_none()).collect()
    };
    let (point, torque) = (bare(&columns.point), bare(&columns.torque));
    let force = |k: usize| columns.force.iter().flatten().map(|column| table.values(*column)[k].powi(2)).sum::<f64>().sqrt();
    let loaded: Vec<usize> = (0..table.len()).filter(|k| force(*k) > threshold.max(LEAST_LOAD)).collect();
    let largest = |list: &[usize], k: usize| list.iter().map(|column| table.values(*column)[k].abs()).fold(0.0, f64::max);
    let median = |list: &[usize]| {
        let mut sizes: Vec<f64> = loaded.iter().map(|k| largest(list, *k)).filter(|x| x.is_finite()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
    };
    if median(&point) <= LARGEST_METRES {
        return Vec::new();
    }
    let mut done = "taken as mm".to_string();
    let mut factors: Vec<(usize, f64)> = point.iter().map(|k| (*k, 1e-3)).collect();
    if median(&torque) > LARGEST_TORQUE {
        done += ", torques as N mm";
        factors.extend(torque.iter().map(|k| (*k, 1e-3)));
    }
    let found = format!("a centre of pressure without a unit that is {:.0} from the origin under load", median(&point));
    repairs.push(Repair::new(format!("columns {}", columns.name), found, done));
    factors
}

/// With force f, point p and torque t of the columns, which are loads on the person, the moment about the origin is p x f + t. Where the force is
/// at most the threshold the point may be anything: centre of pressure, free moment and moment are zero there, and `loaded` is false. Parts that have no column are zero.
fn plate_of(table: &Trajectory, columns: &GroundColumns, clock: &Clock, threshold: f64, factor: &dyn Fn(usize) -> f64) -> Plate {
    let vector = |at: &[Option<usize>; 3], k: usize| {
        let part = |column: Option<usize>| column.map_or(0.0, |column| factor(column) * table.values(column)[k]);
        let [x, y, z] = at.map(part);
        (x.is_finite() && y.is_finite() && z.is_finite()).then_some(Vec3 { x, y, z })
    };
    let located = columns.point.iter().any(Option::is_some);
    let count = table.len();
    let zeros = || vec![Vec3::ZERO; count];
    let (mut force, mut moment, mut cop, mut free_moment) = (zeros(), zeros(), zeros(), zeros());
    let mut loaded = vec![false; count];
    for k in 0..count {
        let Some(f) = vector(&columns.force, k) else { continue };
        force[k] = f;
        let (Some(p), Some(t)) = (vector(&columns.point, k), vector(&columns.torque, k)) else { continue };
        if f.norm() > threshold {
            loaded[k] = located;
            (cop[k], free_moment[k], moment[k]) = (p, t, p.cross(f) + t);
        }
    }
    Plate {
        name: columns.name.clone(),
        kind: PlateKind::Columns,
        corners: None,
        R_LP: Mat3::IDENTITY,
        center: Vec3::ZERO,
        clock: clock.clone(),
        force,
        moment,
        cop,
        free_moment,
        loaded,
        threshold,
        baseline: None,
    }
}
