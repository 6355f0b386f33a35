//! Files of soft parts read again: VTU by a reader that knows only the rules of the format, the rest by what they were made from.

use super::*;
use crate::recorded::soft::{self, INSTANTS, block_peak};
use crate::soft::fitting;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// A VTU file by the rules of the format: XML around raw data, arrays by name.
struct Vtu {
    points: usize,
    cells: usize,
    /// Type in XML, components, bytes.
    arrays: BTreeMap<String, (String, usize, Vec<u8>)>,
    /// Names in `PointData`.
    at_points: Vec<String>,
    /// Names in `CellData`.
    of_cells: Vec<String>,
}

impl Vtu {
    fn read(file: &[u8]) -> Vtu {
        let begins = b"<AppendedData encoding=\"raw\">";
        let at = file.windows(begins.len()).position(|window| window == begins).expect("appended data") + begins.len();
        let under = at + file[at..].iter().position(|byte| *byte == b'_').expect("an underscore");
        let data = &file[under + 1..];
        // The XML is whole without what is raw.
        let head = std::str::from_utf8(&file[..under]).expect("text").to_string();
        let xml = head + "</AppendedData></VTKFile>";
        let document = Document::parse(&xml).expect("XML");
        let root = document.root_element();
        assert_eq!((root.attribute("type"), root.attribute("byte_order")), (Some("UnstructuredGrid"), Some("LittleEndian")));
        assert_eq!(root.attribute("header_type"), Some("UInt64"));
        let find = |name: &str| root.descendants().find(|node| node.has_tag_name(name)).unwrap_or_else(|| panic!("no {name}"));
        let count = |node: Node, key: &str| node.attribute(key).expect(key).parse::<usize>().expect("a number");
        let piece = find("Piece");
        let names = |group: &str| find(group).children().filter_map(|node| Some(node.attribute("Name")?.to_string())).collect();
        let mut arrays = BTreeMap::new();
        let mut end = 0;
        for node in root.descendants().filter(|node| node.has_tag_name("DataArray")) {
            assert_eq!(node.attribute("format"), Some("appended"));
            let offset = count(node, "offset");
            assert_eq!(offset, end, "arrays follow each other");
            let length = u64::from_le_bytes(data[offset..offset + 8].try_into().expect("eight bytes")) as usize;
            end = offset + 8 + length;
            let bytes = data[offset + 8..end].to_vec();
            let kind = node.attribute("type").expect("a type").to_string();
            arrays.insert(node.attribute("Name").expect("a name").to_string(), (kind, count(node, "NumberOfComponents"), bytes));
        }
        assert_eq!(&data[end..], b"\n</AppendedData>\n</VTKFile>\n", "nothing is left");
        let (points, cells) = (count(piece, "NumberOfPoints"), count(piece, "NumberOfCells"));
        Vtu { points, cells, arrays, at_points: names("PointData"), of_cells: names("CellData") }
    }

    fn floats(&self, name: &str) -> Vec<f64> {
        let (kind, _, bytes) = &self.arrays[name];
        assert_eq!(kind, "Float64");
        bytes.chunks(8).map(|chunk| f64::from_le_bytes(chunk.try_into().expect("eight bytes"))).collect()
    }

    fn integers(&self, name: &str) -> Vec<i64> {
        let (kind, _, bytes) = &self.arrays[name];
        assert_eq!(kind, "Int64");
        bytes.chunks(8).map(|chunk| i64::from_le_bytes(chunk.try_into().expect("eight bytes"))).collect()
    }
}

fn vtu(record: &SoftRecord, body: usize, frame: usize) -> Vtu {
    let mut file = Vec::new();
    write_vtu(record, Part::Mesh, body, frame, &mut file).expect("a file");
    Vtu::read(&file)
}

#[test]
fn a_vtu_file_is_read_by_the_rules_of_its_format() {
    let record = soft::both();
    for (body, own) in record.bodies.iter().enumerate() {
        for frame in [0, INSTANTS / 2] {
            let file = vtu(&record, body, frame);
            assert_eq!((file.points, file.cells), (own.points.len(), own.cells.len()));
            for name in &file.at_points {
                let (_, components, bytes) = &file.arrays[name];
                assert_eq!(bytes.len(), 8 * components * file.points, "{name}");
            }
            assert_eq!(file.of_cells, ["region"]);
            let places: Vec<f64> = record.frames[frame].bodies[body].points.iter().flat_map(|p| [p[0], p[1], 0.0]).collect();
            assert_eq!(file.floats("Points"), places);
            // Where a node was and by how much it has moved is where it is.
            let start = own.points.iter().flat_map(|p| [p[0], p[1], 0.0]);
            let back = file.floats("displacement").iter().zip(start).map(|(moved, from)| from + moved).collect::<Vec<_>>();
            assert!(back.iter().zip(&places).all(|(a, b)| (a - b).abs() < 1e-15));
            let (ends, nodes) = (file.integers("offsets"), file.integers("connectivity"));
            let (kind, _, types) = &file.arrays["types"];
            assert_eq!((kind.as_str(), types.len(), ends.last()), ("UInt8", own.cells.len(), Some(&(nodes.len() as i64))));
            let mut from = 0;
            for ((cell, end), kind) in own.cells.iter().zip(&ends).zip(types) {
                assert_eq!(nodes[from..*end as usize], cell.iter().map(|node| i64::from(*node)).collect::<Vec<_>>());
                assert_eq!(*kind, if cell.len() == 4 { 9 } else { 23 });
                from = *end as usize;
            }
            assert_eq!(file.floats("TimeValue"), [record.frames[frame].t]);
        }
    }
    // Regions are numbered as they occur: the left half first.
    let regions = vtu(&record, 0, 0).integers("region");
    assert!(regions.iter().enumerate().all(|(k, region)| *region == i64::from(k % 16 >= 8)), "{regions:?}");
}

#[test]
fn the_peak_von_mises_stress_of_a_file_is_that_of_its_stresses_and_of_the_formula() {
    let record = soft::both();
    let peak = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
    let mut most = 0.0_f64;
    for frame in 0..INSTANTS {
        let file = vtu(&record, 0, frame);
        let [xx, yy, zz, xy] = ["stress_xx", "stress_yy", "stress_zz", "stress_xy"].map(|name| file.floats(name));
        // From the principal stresses, not from the formula that wrote the file.
        let recomputed: Vec<f64> = (0..file.points)
            .map(|k| {
                let (mean, radius) = (0.5 * (xx[k] + yy[k]), (0.5 * (xx[k] - yy[k])).hypot(xy[k]));
                let [a, b, c] = [mean + radius, mean - radius, zz[k]];
                (0.5 * ((a - b).powi(2) + (b - c).powi(2) + (c - a).powi(2))).sqrt()
            })
            .collect();
        let written = file.floats("von_mises");
        assert!(written.iter().zip(&recomputed).all(|(a, b)| (a - b).abs() <= 1e-9 * block_peak(3.0)), "{frame}");
        let pressure = file.floats("hydrostatic_pressure");
        assert!((0..file.points).all(|k| (pressure[k] + (xx[k] + yy[k] + zz[k]) / 3.0).abs() < 1e-6));
        most = most.max(peak(&recomputed));
    }
    assert!((most / block_peak(3.0) - 1.0).abs() < 1e-12, "{most}");
}

#[test]
fn contacts_and_ties_stand_at_their_nodes_and_are_zero_elsewhere() {
    let record = soft::ring();
    let file = vtu(&record, 0, INSTANTS / 2);
    for (k, [pressure, other]) in [["contact_pressure", "contact_gap"], ["tie_pressure", "tie_shear"]].into_iter().enumerate() {
        let (arc, own) = (&record.arcs[k], &record.frames[INSTANTS / 2].arcs[k]);
        let [pressure, other] = [pressure, other].map(|name| file.floats(name));
        let second = if arc.contact { &own.gap } else { &own.shear };
        for (place, node) in arc.nodes.iter().map(|node| *node as usize).enumerate() {
            assert_eq!((pressure[node], other[node]), (own.pressure[place], second[place]));
        }
        let elsewhere = (0..file.points).filter(|node| !arc.nodes.contains(&(*node as u32)));
        assert!(elsewhere.into_iter().all(|node| pressure[node] == 0.0 && other[node] == 0.0));
    }
    // A principal strain acts along its direction.
    let (first, along) = (file.floats("principal_strain_2"), file.floats("principal_direction_2"));
    let strain = &record.frames[INSTANTS / 2].bodies[0].strain;
    for (k, [xx, yy, xy]) in strain.iter().enumerate() {
        let [x, y, z] = [along[3 * k], along[3 * k + 1], along[3 * k + 2]];
        assert!((xx * x + xy * y - first[k] * x).abs() < 1e-15 && (xy * x + yy * y - first[k] * y).abs() < 1e-15 && z == 0.0);
    }
    assert!(!vtu(&soft::block(1.0), 0, 0).arrays.contains_key("tie_pressure"));
}

#[test]
fn a_pvd_file_gives_every_file_its_time() {
    let record = soft::block(1.0);
    let mut file = Vec::new();
    write_pvd(&record, Part::Mesh, 0, &mut file).expect("a file");
    let text = String::from_utf8(file).expect("text");
    let document = Document::parse(&text).expect("XML");
    let sets: Vec<(f64, &str)> = (document.descendants())
        .filter(|node| node.has_tag_name("DataSet"))
        .map(|node| (node.attribute("timestep").expect("a time").parse().expect("a number"), node.attribute("file").expect("a file")))
        .collect();
    assert_eq!(sets.len(), INSTANTS);
    assert!(sets.iter().zip(&record.frames).all(|((t, _), frame)| *t == frame.t));
    assert_eq!((sets[0].1, sets[10].1), ("block_0000.vtu", "block_0010.vtu"));
}

#[test]
fn points_of_integration_are_a_file_of_their_own_with_the_same_measures() {
    let mut record = soft::block(1.0);
    let one = |cell: u32, xx: f64| borelli_study::soft_record::GaussPoint {
        cell,
        at: [0.1 * f64::from(cell), 0.2],
        volume: 1e-6,
        stress: [xx, -2.0, 0.5, 1.0],
        strain: [0.01, -0.02, 0.003],
    };
    record.frames[2].bodies[0].gauss = vec![one(0, 3.0), one(0, 4.0), one(1, 5.0)];
    let mut file = Vec::new();
    write_vtu(&record, Part::Gauss, 0, 2, &mut file).expect("a file");
    let read = Vtu::read(&file);
    assert_eq!((read.points, read.cells, read.integers("cell")), (3, 3, vec![0, 0, 1]));
    assert_eq!(read.floats("Points"), [0.0, 0.2, 0.0, 0.0, 0.2, 0.0, 0.1, 0.2, 0.0]);
    assert_eq!((read.floats("stress_xx"), read.floats("volume")), (vec![3.0, 4.0, 5.0], vec![1e-6; 3]));
    let named =
        |file: &Vtu| file.at_points.iter().filter(|name| name.contains("st") || name.contains("principal")).cloned().collect::<Vec<_>>();
    let mesh = vtu(&record, 0, 2);
    assert!(named(&read).iter().all(|name| mesh.at_points.contains(name)), "{:?}", named(&read));
    // Only instants that have them are listed.
    let mut list = Vec::new();
    write_pvd(&record, Part::Gauss, 0, &mut list).expect("a file");
    let list = String::from_utf8(list).expect("text");
    assert!(list.contains("block.gauss_0002.vtu") && list.matches("DataSet").count() == 1, "{list}");
}

#[test]
fn a_table_of_a_boundary_has_every_node_at_every_instant() {
    let record = soft::ring();
    let mut file = Vec::new();
    write_arc_csv(&record, &record.arcs[0], 0, &mut file).expect("a file");
    let text = String::from_utf8(file).expect("text");
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    assert!(head.starts_with("time [s],node,arc length [m],x [m],y [m],pressure [Pa],shear [Pa],gap [m],stress xx [Pa],"), "{head}");
    assert_eq!(head.split(',').count(), 18);
    let rows: Vec<Vec<f64>> = lines.map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    let nodes = record.arcs[0].nodes.len();
    assert_eq!(rows.len(), INSTANTS * nodes);
    for (k, row) in rows.iter().enumerate() {
        let (frame, at) = (&record.frames[k / nodes], k % nodes);
        let place = frame.bodies[0].points[record.arcs[0].nodes[at] as usize];
        let own = &frame.arcs[0];
        let told =
            [frame.t, f64::from(record.arcs[0].nodes[at]), record.arcs[0].arc[at], place[0], place[1], own.pressure[at], 0.0, own.gap[at]];
        assert_eq!(row[..8], told, "{k}");
        let node = record.arcs[0].nodes[at] as usize;
        assert_eq!(row[8..12], frame.bodies[0].stress[node], "{k}");
        // Stress and strain as they were read: mean of the three, and E n = e n.
        let ([xx, yy, _, zz], [exx, eyy, exy]) = (frame.bodies[0].stress[node], frame.bodies[0].strain[node]);
        assert!((row[13] + (xx + yy + zz) / 3.0).abs() <= 1e-9 * row[12].abs().max(1.0), "{k}");
        let (high, [x, y]) = (row[14], [row[16], row[17]]);
        assert!((exx * x + exy * y - high * x).abs() < 1e-15 && (exy * x + eyy * y - high * y).abs() < 1e-15, "{k}");
    }
}

#[test]
fn the_whole_record_comes_back_bit_for_bit_and_damage_is_named() {
    let mut record = soft::both();
    record.frames[3].bodies[0].stress[7][1] = f64::NAN;
    let value: serde_json::Value = serde_json::from_str(&soft_json(&record).to_string()).expect("JSON");
    let back = read_soft_json(&value).expect("a record");
    // `{:?}` is the shortest text of the same bits, and tells NaN.
    assert_eq!(format!("{back:?}"), format!("{record:?}"));
    assert_eq!(fitting(&back), Ok(()));
    type Damage = (fn(&mut serde_json::Value), &'static str);
    let damages: [Damage; 8] = [
        (|v| v["bodies"][0]["points"] = 1.into(), "`points` is not a packed list"),
        (|v| v["bodies"][0]["region"][0] = 9.into(), "a number without a name"),
        (|v| v["bodies"][0]["cells"][0] = 1.into(), "`cells` is not a list of lists"),
        (|v| v["bodies"][0]["cells"][0][0] = (-1).into(), "a node is not a whole number"),
        (|v| v["arcs"][0]["body"] = 2.into(), "below 2"),
        (|v| v["frames"][1]["t"] = serde_json::Value::Null, "`t` is not a number"),
        (|v| v["frames"][1]["bodies"].as_array_mut().expect("a list").truncate(1), "not as many bodies"),
        (|v| v["frames"][1]["bodies"][0]["stress"] = v["frames"][1]["bodies"][1]["stress"].clone(), "stresses and strains"),
    ];
    for (damage, words) in damages {
        let mut broken = value.clone();
        damage(&mut broken);
        assert!(read_soft_json(&broken).is_err_and(|said| said.contains(words)), "{words}");
    }
}
