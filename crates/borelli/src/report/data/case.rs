//! One case as JSON: samples of all columns, where poses, forces, loads, markers and tensions stand among them, events, pressure.
//! Not here: which samples are kept (`thin`), the figure (`figure`).
//! In: a case and its kept samples. Out: JSON text.

use super::account::account;
use super::course::kept_json;
use super::figure::side_json;
use super::moment::moments_json;
use super::packed::{f64s, u32s};
use super::pressure::{Maps, pressure_json};
use super::rotation::rotation_vector;
use super::soft::{SoftParts, soft_json};
use super::thin::{Peak, limits, peaks};
use crate::figure::{Figure, PairColumns, Tone, tones};
use crate::label::{self, Axes, ColumnLabel, capital, words_of};
use crate::report::Case;
use crate::report::MOST_FRAMES;
use crate::report::data::Clinical;
use crate::report::escape::{json_number, json_string};
use crate::report::uncertainty::PageBand;
use borelli_data::Column;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What the axes of the world are called: forward, up and right where gravity is along −Y.
pub(in crate::report) fn axes_of(figure: &Figure) -> Axes {
    Axes { upright: figure.gravity && figure.up[1] > 1.0 - 1e-9, planar: figure.planar }
}

/// A case with all its columns, those that are made for the page last.
pub(in crate::report) struct Wide<'c> {
    pub case: &'c Case<'c>,
    pub columns: Vec<Column>,
    pub values: Vec<Cow<'c, [f64]>>,
    pub labels: Vec<ColumnLabel>,
    /// Bands of uncertain columns.
    pub bands: Vec<Option<Cow<'c, PageBand>>>,
    places: BTreeMap<String, usize>,
}

/// Columns of a quaternion, where a case holds all four.
fn quaternion<'c>(case: &'c Case, names: &[String; 4]) -> Option<[&'c [f64]; 4]> {
    let [w, x, y, z] = names.each_ref().map(|name| case.trajectory.column(&format!("coord.{name}.value")));
    Some([w?, x?, y?, z?])
}

/// Columns with the signs of gait laboratories: what they are called, the column they come from, its factor, and what names them.
fn clinical<'c>(case: &'c Case) -> impl Iterator<Item = (String, usize, f64, &'c Clinical)> {
    let column = |own: &'c Clinical, ending: &str, name: &str, factor: f64| {
        let from = case.trajectory.index(&format!("coord.{}.{ending}", own.coordinate))?;
        Some((format!("clinical.{}.{name}", own.coordinate), from, factor, own))
    };
    let angles = case.facts.clinical.iter().filter_map(move |own| column(own, "value", "angle", own.factor));
    // the moment that turns the joint the way of the angle is flexion; laboratories show the internal moment with extension upward
    let shown = case.facts.clinical.iter().filter(|own| !own.moment.is_empty());
    angles.chain(shown.filter_map(move |own| column(own, "effort", "moment", -own.factor)))
}

/// Columns that a page has more than the trajectory.
pub(super) fn made(case: &Case) -> usize {
    3 * case.facts.rotations.iter().filter(|(_, names)| quaternion(case, names).is_some()).count()
        + account(case).len()
        + clinical(case).count()
}

impl<'c> Wide<'c> {
    /// All columns of a case.
    pub fn new(case: &'c Case<'c>) -> Wide<'c> {
        let mut columns = case.trajectory.columns().to_vec();
        let mut values: Vec<Cow<[f64]>> = (0..columns.len()).map(|k| Cow::Borrowed(case.trajectory.values(k))).collect();
        for (joint, names) in &case.facts.rotations {
            let Some(parts) = quaternion(case, names) else { continue };
            for (axis, list) in ["x", "y", "z"].into_iter().zip(rotation_vector(parts)) {
                columns.push(Column::new(format!("derived.{joint}.rotation.{axis}"), "rad"));
                values.push(Cow::Owned(list));
            }
        }
        for (name, list) in account(case) {
            columns.push(Column::new(name, "J"));
            values.push(Cow::Owned(list));
        }
        for (name, from, factor, _) in clinical(case) {
            columns.push(Column { name, ..case.trajectory.columns()[from].clone() });
            values.push(Cow::Owned(case.trajectory.values(from).iter().map(|x| factor * x).collect()));
        }
        let uncertain = case.uncertainty.as_ref();
        let mut bands: Vec<Option<Cow<PageBand>>> =
            columns.iter().map(|column| uncertain.and_then(|own| own.band(&column.name)).map(Cow::Borrowed)).collect();
        for (name, from, factor, _) in clinical(case) {
            bands[index_of(&columns, &name)] =
                uncertain.and_then(|own| own.band(&columns[from].name)).map(|band| Cow::Owned(band.times(&name, factor)));
        }
        let mut labels = label::columns(&columns, axes_of(&case.figure), case.facts.given());
        let first = columns.len() - clinical(case).count();
        for ((_, from, _, own), k) in clinical(case).zip(first..) {
            // the same quantity as the model counts it must not be taken for the clinical one
            labels[from].text.push_str(" (model sign)");
            let (tree, title) =
                if columns[k].name.ends_with(".angle") { ("Clinical angles", &own.title) } else { ("Clinical moments", &own.moment) };
            let side = labels[from].side;
            let text = side.map_or(title.clone(), |side| format!("{title}, {}", side.word()));
            labels[k] = ColumnLabel { path: vec![tree.into(), text.clone()], text, side };
        }
        let places = columns.iter().enumerate().map(|(k, column)| (column.name.clone(), k)).collect();
        Wide { case, columns, values, labels, bands, places }
    }

    /// Where a column stands.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Left-out samples that stand out, column by column.
    pub(super) fn peaks(&self, frames: &[usize]) -> Vec<Vec<Peak>> {
        self.values.iter().map(|values| peaks(values, frames)).collect()
    }

    fn place(&self, name: &str) -> String {
        self.index(name).map_or("null".to_string(), |k| k.to_string())
    }

    /// Places of the columns of a vector; nothing where the first two are not there, since planar models have no z.
    fn vector(&self, prefix: &str) -> Option<String> {
        let [x, y, z] = ["x", "y", "z"].map(|axis| self.place(&format!("{prefix}.{axis}")));
        (x != "null" && y != "null").then(|| format!("[{x},{y},{z}]"))
    }

    fn columns_json(&self, frames: &[usize], peaks: &[Vec<Peak>], s: f64) -> String {
        let time = self.case.trajectory.time();
        let one = |k: usize| {
            let (column, label, values) = (&self.columns[k], &self.labels[k], &self.values[k]);
            let kept: Vec<usize> = peaks[k].iter().filter(|peak| peak.size > s).map(|peak| peak.sample).collect();
            let extra = if kept.is_empty() {
                "null".to_string()
            } else {
                format!("{{\"t\":{},\"v\":{}}}", f64s(kept.iter().map(|k| time[*k])), f64s(kept.iter().map(|k| values[*k])))
            };
            let band = self.bands[k].as_ref().map_or("null".to_string(), |band| band_json(band));
            let path: Vec<String> = label.path.iter().map(|branch| json_string(branch)).collect();
            let [low, high] = limits(values).map_or(["null".to_string(), "null".to_string()], |ends| ends.map(digits));
            format!(
                "{{\"name\":{},\"label\":{},\"path\":[{}],\"unit\":{},\"side\":{},\"values\":{},\"extra\":{extra},\"band\":{band},\"low\":{low},\"high\":{high}}}",
                json_string(&column.name),
                json_string(&label.text),
                path.join(","),
                column.unit.as_deref().map_or("null".to_string(), json_string),
                side_json(label.side),
                f64s(frames.iter().map(|k| values[*k])),
            )
        };
        (0..self.columns.len()).map(one).collect::<Vec<_>>().join(",\n")
    }

    /// For every body the columns of its place and orientation.
    fn pose_json(&self) -> String {
        let one = |(b, body): (usize, &crate::figure::FigureBody)| {
            let part = |part: &str| self.place(&format!("body.{}.{part}", body.name));
            let at = self.vector(&format!("body.{}", body.name)).filter(|_| b > 0)?;
            let (angle, turn) = (part("angle"), ["qw", "qx", "qy", "qz"].map(part));
            if turn.iter().all(|place| place != "null") {
                return Some(format!("{{\"at\":{at},\"turn\":[{}]}}", turn.join(",")));
            }
            (angle != "null").then(|| format!("{{\"at\":{at},\"angle\":{angle}}}"))
        };
        joined(self.case.figure.bodies.iter().enumerate().map(one))
    }

    /// For every pair its force on the first body and where it acts, in world axes.
    fn contacts_json(&self, frames: &[usize]) -> String {
        let one = |pair: usize| {
            let columns = PairColumns::find(&self.case.figure, pair, self.case.trajectory)?;
            // an open pair has a point where it would act, and no force
            let found: Vec<_> = frames.iter().map(|k| columns.at(*k).filter(|found| found.force.norm() > 0.0)).collect();
            let lists = |of: fn(&crate::figure::ContactForce) -> [f64; 3]| {
                [0, 1, 2].map(|axis| f64s(found.iter().map(|force| force.as_ref().map_or(f64::NAN, |force| of(force)[axis])))).join(",")
            };
            Some(format!("{{\"force\":[{}],\"point\":[{}]}}", lists(|f| f.force.to_array()), lists(|f| f.point.to_array())))
        };
        joined((0..self.case.figure.pairs.len()).map(one))
    }

    /// Loads that were measured; plates where none of them was put on a body.
    fn loads_json(&self) -> String {
        let names = |family: &str| -> Vec<&str> {
            let own = |column: &'_ Column| column.name.strip_prefix(family).and_then(|rest| rest.strip_suffix(".force.x")).map(str::len);
            let start = family.len();
            self.columns.iter().filter_map(|column| own(column).map(|length| &column.name[start..start + length])).collect()
        };
        let one = |family: &str, name: &str, point: &str, body: usize| {
            let (force, point) = (self.vector(&format!("{family}{name}.force"))?, self.vector(&format!("{family}{name}.{point}"))?);
            let side = self.index(&format!("{family}{name}.force.x")).and_then(|k| self.labels[k].side);
            let (raw, label, side) = (json_string(name), json_string(&capital(&words_of(name, side))), side_json(side));
            Some(format!("{{\"name\":{raw},\"label\":{label},\"side\":{side},\"body\":{body},\"force\":{force},\"point\":{point}}}"))
        };
        let loads = names("load.");
        let list: Vec<String> = if loads.is_empty() {
            names("plate.").into_iter().filter_map(|name| one("plate.", name, "cop", 0)).collect()
        } else {
            loads.into_iter().filter_map(|name| one("load.", name, "point", self.case.facts.body_of(name).unwrap_or(0))).collect()
        };
        format!("[{}]", list.join(","))
    }

    /// For every marker of the figure the columns of where it was measured, and of how far the model is from there.
    fn markers_json(&self) -> String {
        let one = |marker: &crate::figure::FigureMarker| {
            let vector = |part: &str| self.vector(&format!("marker.{}{part}", marker.name));
            let (measured, error) = (vector(""), vector(".error"));
            let known = measured.is_some() || error.is_some();
            let [measured, error] = [measured, error].map(|list| list.unwrap_or("null".into()));
            known.then(|| format!("{{\"measured\":{measured},\"error\":{error}}}"))
        };
        joined(self.case.figure.markers.iter().map(one))
    }

    /// Surfaces that soft parts may touch, each with the column that counts the nodes that press on it.
    fn soft_contacts_json(&self) -> String {
        let one = |(name, surface): &(String, usize)| {
            let column = self.index(&format!("soft_contact.{name}.touching"))?;
            Some(format!("{{\"surface\":{surface},\"column\":{column}}}"))
        };
        format!("[{}]", self.case.facts.soft_contacts.iter().filter_map(one).collect::<Vec<_>>().join(","))
    }

    fn tensions_json(&self) -> String {
        let list: Vec<String> = self.case.figure.paths.iter().map(|path| self.place(&format!("path.{}.force", path.name))).collect();
        format!("[{}]", list.join(","))
    }

    /// For every path what colours it.
    fn tones_json(&self) -> String {
        let one = |tone: Tone| {
            let (kind, column, most) = (tone.kind.word(), self.place(&tone.column), digits(tone.most));
            format!("{{\"kind\":\"{kind}\",\"column\":{column},\"most\":{most}}}")
        };
        joined(tones(&self.case.figure, self.case.trajectory).into_iter().map(|tone| tone.map(one)))
    }

    fn events_json(&self) -> String {
        let one = |event: &crate::report::Event| {
            let [name, label, action, text] = [&event.name, &label::event(&event.name), &event.action, &event.text].map(|t| json_string(t));
            let time = digits(event.time);
            format!("{{\"time\":{time},\"name\":{name},\"label\":{label},\"action\":{action},\"text\":{text}}}")
        };
        format!("[{}]", self.case.events.iter().map(one).collect::<Vec<_>>().join(","))
    }

    /// The whole case. `s`: the threshold that its peaks must pass.
    pub(super) fn json(&self, figure: usize, frames: &[usize], peaks: &[Vec<Peak>], s: f64, maps: &Maps, soft: &SoftParts) -> String {
        let (case, time) = (self.case, self.case.trajectory.time());
        format!(
            "{{\"run\":0,\"name\":{},\"label\":{},\"about\":{},\"fitted\":{},\"unmeasured\":[{}],\"figure\":{figure},\"samples\":{},\n\"time\":{},\n\"frame\":{},\n\"columns\":[\n{}],\n\"pose\":{},\n\"events\":{},\n\"contacts\":{},\n\
             \"moments\":{},\n\"loads\":{},\n\"markers\":{},\n\"tensions\":{},\n\"tones\":{},\n\"courses\":{},\n\"pressure\":{},\n\"softContacts\":{},\n\"soft\":{}}}",
            json_string(&case.name),
            json_string(&label::case(&case.name)),
            json_string(&case.about),
            case.fitted_span().map_or("null".into(), |[from, to]| format!("[{},{}]", digits(from), digits(to))),
            case.unmeasured.iter().map(|[from, to]| format!("[{},{}]", digits(*from), digits(*to))).collect::<Vec<_>>().join(","),
            time.len(),
            f64s(frames.iter().map(|k| time[*k])),
            u32s(frames.iter().map(|k| *k as u32)),
            self.columns_json(frames, peaks, s),
            self.pose_json(),
            self.events_json(),
            self.contacts_json(frames),
            moments_json(case, frames),
            self.loads_json(),
            self.markers_json(),
            self.tensions_json(),
            self.tones_json(),
            kept_json(&case.courses, &case.figure, frames),
            pressure_json(case, maps),
            self.soft_contacts_json(),
            soft_json(case, soft),
        )
    }
}

/// Where a column stands that is known to be there.
fn index_of(columns: &[Column], name: &str) -> usize {
    columns.iter().position(|column| column.name == name).unwrap_or_default()
}

/// A band; of many times as many as a case has frames.
fn band_json(band: &PageBand) -> String {
    let every = band.time.len().div_ceil(MOST_FRAMES).max(1);
    let thin = |list: &[f64]| f64s(list.iter().copied().step_by(every));
    format!("{{\"t\":{},\"low\":{},\"high\":{}}}", thin(&band.time), thin(&band.low), thin(&band.high))
}

/// A number with all its digits, or null.
pub(super) fn digits(x: f64) -> String {
    let mut text = String::new();
    json_number(&mut text, x);
    text
}

pub(super) fn joined(list: impl Iterator<Item = Option<String>>) -> String {
    format!("[{}]", list.map(|item| item.unwrap_or("null".into())).collect::<Vec<_>>().join(","))
}
