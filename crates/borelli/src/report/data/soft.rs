//! Soft parts in a page: meshes once, the motion of a part as a whole, bending and one number per node and quantity at some instants.
//! Not here: pictures of them (`plot`), files (`results`).
//! In: the soft parts of a case. Out: JSON text.
//!
//! | key | meaning |
//! | --- | --- |
//! | `load` | whether instants are parts of the load, not times |
//! | `recorded` | how many instants the run left; `times` are those that the page holds, `worst` the index of that with the highest von Mises stress |
//! | `exaggeration` | by how much bending is enlarged at first |
//! | `quantities` | key, label, unit, factor from Pa, and in the unit: `low` and `high` ends of the colours, `step` of marks |
//! | `bodies` | name, label, `points` about their mean at the start (x, y), `triangles`, `lines` and `rim` (pairs of nodes), `motion` (x, y, angle at each instant), `bend` (x, y of each node at each instant, in axes that turn with the part), `values` by key: parts of 65535 between the ends |
//! | `arcs` | name, label, whether a contact or a tie, body, nodes, `arc` length, `pressure`, and `shear` of ties or `gap` of contacts, node by node at each instant |
//!
//! A node is at c + R(angle) (point + factor · bend).

use super::case::digits;
use super::packed::{f32s, f64s, u16s, u32s};
use crate::label::{element, side_of, words_of};
use crate::report::escape::json_string;
use crate::report::soft::{Coloured, by_load, coloured, shown};
use crate::report::{Case, Report};
use crate::soft::{Mesh, Shape, centre, exaggeration, worst_frame};
use borelli_study::soft_record::{SoftArc, SoftArcFrame, SoftBody, SoftRecord};

/// Nodes at instants that all soft parts of a page may hold: some three megabytes of text.
const MOST_NODES: usize = 150_000;
/// Instants that are held however large the mesh: the first, the last and the worst among them.
const FEWEST: usize = 3;

/// What the soft parts of a page share.
pub(super) struct SoftParts {
    /// Most instants of a case.
    most: usize,
}

impl SoftParts {
    /// Looks at all soft parts of a report.
    pub fn of(report: &Report) -> SoftParts {
        let nodes: usize = report.cases.iter().flat_map(|case| &case.soft.bodies).map(|body| body.points.len()).sum();
        SoftParts { most: (MOST_NODES / nodes.max(1)).max(FEWEST) }
    }

    /// Instants that are kept: evenly spread, with the first, the last and the worst.
    fn kept(&self, record: &SoftRecord) -> Vec<usize> {
        let n = record.frames.len();
        if n <= self.most {
            return (0..n).collect();
        }
        let mut list: Vec<usize> = (0..self.most - 1).map(|k| k * (n - 1) / (self.most - 2)).collect();
        list.push(worst_frame(record));
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// The soft parts of a case; `null` where there are none.
pub(super) fn soft_json(case: &Case, parts: &SoftParts) -> String {
    let record = case.soft;
    if !shown(record) {
        return "null".into();
    }
    let (kept, coloured) = (parts.kept(record), coloured(record));
    let worst = worst_frame(record);
    let bodies: Vec<String> = (record.bodies.iter().enumerate()).map(|(k, body)| body_json(record, &coloured, &kept, k, body)).collect();
    let arcs: Vec<String> = record.arcs.iter().enumerate().map(|(k, arc)| arc_json(record, &kept, k, arc)).collect();
    let quantity = |own: &Coloured| {
        format!(
            "{{\"key\":\"{}\",\"label\":\"{}\",\"unit\":\"{}\",\"factor\":{},\"low\":{},\"high\":{},\"step\":{}}}",
            own.quantity.key(),
            own.quantity.label(),
            own.unit.name,
            digits(own.unit.factor),
            digits(own.ends[0]),
            digits(own.ends[1]),
            digits(own.step)
        )
    };
    format!(
        "{{\"load\":{},\"recorded\":{},\"times\":{},\"worst\":{},\"exaggeration\":{},\n\"quantities\":[{}],\n\"bodies\":[{}],\n\"arcs\":[{}]}}",
        by_load(case),
        record.frames.len(),
        f64s(kept.iter().map(|k| record.frames[*k].t)),
        kept.iter().position(|k| *k == worst).unwrap_or(0),
        digits(exaggeration(record)),
        coloured.iter().map(quantity).collect::<Vec<_>>().join(","),
        bodies.join(",\n"),
        arcs.join(",\n")
    )
}

fn body_json(record: &SoftRecord, coloured: &[Coloured], kept: &[usize], index: usize, body: &SoftBody) -> String {
    let (mesh, mean, shapes) = (Mesh::of(body), centre(&body.points), Shape::all(body, index, &record.frames));
    let values = |own: &Coloured| {
        let span = own.ends[1] - own.ends[0];
        let part = |value: f64| {
            let u = (value * own.unit.factor - own.ends[0]) / span;
            (u.clamp(0.0, 1.0) * 65535.0).round() as u16
        };
        let all = kept.iter().flat_map(|k| own.quantity.values(record, *k, index));
        format!("\"{}\":{}", own.quantity.key(), u16s(all.map(part)))
    };
    format!(
        "{{\"name\":{},\"label\":{},\"points\":{},\"triangles\":{},\"lines\":{},\"rim\":{},\"motion\":{},\"bend\":{},\"values\":{{{}}}}}",
        json_string(&body.name),
        json_string(&element(&body.name)),
        f64s(body.points.iter().flat_map(|p| [p[0] - mean[0], p[1] - mean[1]])),
        u32s(mesh.triangles.iter().flatten().copied()),
        u32s(mesh.lines.iter().flatten().copied()),
        u32s(mesh.rim.iter().flatten().copied()),
        f64s(kept.iter().flat_map(|k| {
            let motion = shapes[*k].motion;
            [motion.centre[0], motion.centre[1], motion.angle]
        })),
        f32s(kept.iter().flat_map(|k| shapes[*k].bend.iter().flatten().map(|x| *x as f32))),
        coloured.iter().map(values).collect::<Vec<_>>().join(",")
    )
}

fn arc_json(record: &SoftRecord, kept: &[usize], index: usize, arc: &SoftArc) -> String {
    let list = |of: fn(&SoftArcFrame) -> &Vec<f64>| f32s(kept.iter().flat_map(|k| of(&record.frames[*k].arcs[index])).map(|x| *x as f32));
    let (shear, gap) = if arc.contact { ("null".into(), list(|own| &own.gap)) } else { (list(|own| &own.shear), "null".into()) };
    format!(
        "{{\"name\":{},\"label\":{},\"contact\":{},\"body\":{},\"nodes\":{},\"arc\":{},\"pressure\":{},\"shear\":{shear},\"gap\":{gap}}}",
        json_string(&arc.name),
        json_string(&words_of(&arc.name, side_of(&arc.name))),
        arc.contact,
        arc.body,
        u32s(arc.nodes.iter().copied()),
        f64s(arc.arc.iter().copied()),
        list(|own| &own.pressure),
    )
}

#[cfg(test)]
mod tests {
    use super::super::packed::{bytes_of, f64s_of};
    use super::*;
    use crate::recorded::soft::{self, INSTANTS};
    use crate::recorded::{motion, system};
    use crate::report::Figure;
    use crate::report::data::json;
    use crate::report::tests::report;
    use crate::soft::Quantity;
    use serde_json::Value;

    fn page(record: &SoftRecord) -> Value {
        let system = system("double-pendulum");
        let table = motion(&system, 1.0, 11);
        let mut page = report("soft", Figure::of(&system), &table);
        page.cases[0].soft = record;
        let data: Value = serde_json::from_str(&json(&page)).expect("JSON");
        data["cases"][0]["soft"].clone()
    }

    fn f32s_of(value: &Value) -> Vec<f64> {
        let bytes = bytes_of(value, "f32").expect("packed numbers");
        bytes.chunks(4).map(|chunk| f64::from(f32::from_le_bytes(chunk.try_into().expect("four bytes")))).collect()
    }

    #[test]
    fn places_and_values_come_back_from_the_page() {
        let record = soft::both();
        let data = page(&record);
        assert_eq!((data["recorded"].as_u64(), data["worst"].as_u64()), (Some(INSTANTS as u64), Some(INSTANTS as u64 / 2)));
        assert_eq!(f64s_of(&data["times"]), Some(record.frames.iter().map(|frame| frame.t).collect()));
        for (k, body) in record.bodies.iter().enumerate() {
            let own = &data["bodies"][k];
            let n = body.points.len();
            let (points, motion, bend) =
                (f64s_of(&own["points"]).expect("it"), f64s_of(&own["motion"]).expect("it"), f32s_of(&own["bend"]));
            let triangles = bytes_of(&own["triangles"], "u32").expect("it").len() / 12;
            assert_eq!((points.len(), bend.len(), triangles), (2 * n, 2 * n * INSTANTS, Mesh::of(body).triangles.len()));
            for (f, frame) in record.frames.iter().enumerate() {
                let [x, y, angle] = [0, 1, 2].map(|i| motion[3 * f + i]);
                let (s, c) = angle.sin_cos();
                for (node, place) in frame.bodies[k].points.iter().enumerate() {
                    let [px, py] = [0, 1].map(|i| points[2 * node + i] + bend[2 * (f * n + node) + i]);
                    let away = (x + c * px - s * py - place[0]).hypot(y + s * px + c * py - place[1]);
                    assert!(away < 1e-9, "{k} {f} {node} {away}");
                }
            }
            for quantity in data["quantities"].as_array().expect("a list") {
                let key = quantity["key"].as_str().expect("a text");
                let kind = Quantity::of(&record).into_iter().find(|own| own.key() == key).expect("a quantity");
                let number = |key: &str| quantity[key].as_f64().expect("a number");
                let (low, high, factor) = (number("low"), number("high"), number("factor"));
                let bytes = bytes_of(&own["values"][key], "u16").expect("packed numbers");
                let parts: Vec<f64> = bytes.chunks(2).map(|two| f64::from(u16::from_le_bytes(two.try_into().expect("two")))).collect();
                for f in 0..INSTANTS {
                    for (node, value) in kind.values(&record, f, k).iter().enumerate() {
                        let shown = low + parts[f * n + node] / 65535.0 * (high - low);
                        assert!((shown - value * factor).abs() <= 0.51 * (high - low) / 65535.0, "{key}");
                    }
                }
            }
        }
        let pressure = f32s_of(&data["arcs"][0]["pressure"]);
        let nodes = record.arcs[0].nodes.len();
        assert!((pressure[5 * nodes + nodes / 2] / soft::PRESSURE - 1.0).abs() < 1e-6);
        assert!(data["arcs"][0]["shear"].is_null() && data["arcs"][1]["gap"].is_null());
        assert!(page(&soft::NONE).is_null());
    }

    #[test]
    fn many_nodes_leave_fewer_instants_with_the_worst_among_them() {
        let mut record = soft::ring();
        let frames: Vec<_> = (0..100).flat_map(|_| record.frames.clone()).collect();
        record.frames =
            frames.into_iter().enumerate().map(|(k, frame)| borelli_study::soft_record::SoftFrame { t: k as f64, ..frame }).collect();
        record.frames[437].bodies[0].stress[3] = [9e9, 0.0, 0.0, 0.0];
        let data = page(&record);
        let times = f64s_of(&data["times"]).expect("numbers");
        let nodes = record.bodies[0].points.len();
        assert!(times.len() <= MOST_NODES / nodes && times.len() > 100, "{}", times.len());
        assert_eq!((times[0], times[times.len() - 1]), (0.0, 1099.0));
        assert_eq!(times[data["worst"].as_u64().expect("an index") as usize], 437.0);
        // A page holds a very large mesh at three instants at least.
        let few = SoftParts { most: FEWEST };
        assert_eq!(few.kept(&record), [0, 437, 1099]);
    }
}
