//! A soft part at an instant as a VTU file, and the list of all instants as a PVD file, which ParaView and other programs read.
//! Not here: what the numbers mean (`soft`).
//! In: a record, a body, an instant. Out: bytes, the same for the same input.
//! Stresses at nodes and at points of integration are files of their own: the second is a cloud of points, with the cell of each and its volume.
//!
//! Source: VTK file formats, XML part: `UnstructuredGrid` with appended raw data. An array begins at its offset behind the `_` with its length in bytes, eight bytes long.

use super::{Part, vtu_name};
use crate::report::escape;
use crate::soft::{ArcValues, cell_type, nodal, principal};
use borelli_study::soft_record::{GaussPoint, SoftRecord, hydrostatic, von_mises};
use std::io::{self, Write};

/// One array of a file: where it belongs, its XML type, name, components, bytes.
struct Array {
    kind: &'static str,
    name: &'static str,
    components: usize,
    bytes: Vec<u8>,
}

fn floats(name: &'static str, components: usize, values: impl Iterator<Item = f64>) -> Array {
    Array { kind: "Float64", name, components, bytes: values.flat_map(f64::to_le_bytes).collect() }
}

fn integers(name: &'static str, values: impl Iterator<Item = i64>) -> Array {
    Array { kind: "Int64", name, components: 1, bytes: values.flat_map(i64::to_le_bytes).collect() }
}

/// Arrays of a file in groups of the format: points, cells, numbers at points, numbers of cells.
struct Piece {
    time: Array,
    points: Array,
    cells: Vec<Array>,
    at_points: Vec<Array>,
    of_cells: Vec<Array>,
}

impl Piece {
    fn of(record: &SoftRecord, body: usize, frame: usize) -> Piece {
        let (mesh, now) = (&record.bodies[body], &record.frames[frame].bodies[body]);
        let moved = mesh.points.iter().zip(&now.points).flat_map(|(from, to)| flat([to[0] - from[0], to[1] - from[1]]));
        let on = |name, contact, of: ArcValues| floats(name, 1, nodal(record, frame, body, contact, of).into_iter());
        let mut at_points = vec![floats("displacement", 3, moved)];
        at_points.extend(measures(&now.stress, &now.strain));
        at_points.extend([on("contact_pressure", true, |arc| &arc.pressure), on("contact_gap", true, |arc| &arc.gap)]);
        if record.arcs.iter().any(|arc| !arc.contact && arc.body == body) {
            at_points.extend([on("tie_pressure", false, |arc| &arc.pressure), on("tie_shear", false, |arc| &arc.shear)]);
        }
        let regions = region_names(&mesh.regions);
        let region = |name: &String| regions.iter().position(|known| *known == name).unwrap_or(0) as i64;
        let mut end = 0;
        let ends = mesh.cells.iter().map(move |cell| {
            end += cell.len() as i64;
            end
        });
        let types = mesh.cells.iter().map(|cell| cell_type(cell.len()).unwrap_or(0)).collect();
        Piece {
            time: floats("TimeValue", 1, [record.frames[frame].t].into_iter()),
            points: floats("Points", 3, now.points.iter().flat_map(|p| flat(*p))),
            cells: vec![
                integers("connectivity", mesh.cells.iter().flatten().map(|node| i64::from(*node))),
                integers("offsets", ends),
                Array { kind: "UInt8", name: "types", components: 1, bytes: types },
            ],
            at_points,
            of_cells: vec![integers("region", mesh.regions.iter().map(region))],
        }
    }

    /// Points of integration of a body, each a cell of one point.
    fn of_gauss(record: &SoftRecord, body: usize, frame: usize) -> Piece {
        let points = &record.frames[frame].bodies[body].gauss;
        let stress: Vec<[f64; 4]> = points.iter().map(|point| point.stress).collect();
        let strain: Vec<[f64; 3]> = points.iter().map(|point| point.strain).collect();
        let mut at_points = vec![
            integers("cell", points.iter().map(|point| i64::from(point.cell))),
            floats("volume", 1, points.iter().map(|point| point.volume)),
        ];
        at_points.extend(measures(&stress, &strain));
        let count = points.len() as i64;
        Piece {
            time: floats("TimeValue", 1, [record.frames[frame].t].into_iter()),
            points: floats("Points", 3, points.iter().flat_map(|GaussPoint { at, .. }| flat(*at))),
            cells: vec![
                integers("connectivity", 0..count),
                integers("offsets", 1..=count),
                // A vertex.
                Array { kind: "UInt8", name: "types", components: 1, bytes: vec![1; points.len()] },
            ],
            at_points,
            of_cells: Vec::new(),
        }
    }

    fn arrays(&self) -> impl Iterator<Item = &Array> {
        [&self.time, &self.points].into_iter().chain(&self.cells).chain(&self.at_points).chain(&self.of_cells)
    }
}

fn flat([x, y]: [f64; 2]) -> [f64; 3] {
    [x, y, 0.0]
}

/// Stresses and what is read from them, principal strains with their directions: the same names at nodes and at points of integration.
fn measures(stress: &[[f64; 4]], strain: &[[f64; 3]]) -> Vec<Array> {
    let strains: Vec<_> = strain.iter().map(|e| principal(*e)).collect();
    let part = |name, k: usize| floats(name, 1, stress.iter().map(move |s| s[k]));
    let value = |name, k: usize| floats(name, 1, strains.iter().map(move |e| e.values[k]));
    let direction = |name, k: usize| floats(name, 3, strains.iter().flat_map(move |e| flat(e.directions[k])));
    vec![
        part("stress_xx", 0),
        part("stress_yy", 1),
        part("stress_xy", 2),
        part("stress_zz", 3),
        floats("von_mises", 1, stress.iter().map(|s| von_mises(*s))),
        floats("hydrostatic_pressure", 1, stress.iter().map(|s| hydrostatic(*s))),
        value("principal_strain_1", 0),
        value("principal_strain_2", 1),
        direction("principal_direction_1", 0),
        direction("principal_direction_2", 1),
    ]
}

/// Names of regions in the order in which they first occur: the number of a region is its place.
fn region_names(regions: &[String]) -> Vec<&String> {
    let mut list: Vec<&String> = Vec::new();
    for region in regions {
        if !list.contains(&region) {
            list.push(region);
        }
    }
    list
}

/// Writes the nodes and cells of a body at an instant, or its points of integration.
pub fn write_vtu(record: &SoftRecord, part: Part, body: usize, frame: usize, out: &mut dyn Write) -> io::Result<()> {
    let (mesh, now) = (&record.bodies[body], &record.frames[frame].bodies[body]);
    let (piece, points, cells) = match part {
        Part::Mesh => (Piece::of(record, body, frame), mesh.points.len(), mesh.cells.len()),
        Part::Gauss => (Piece::of_gauss(record, body, frame), now.gauss.len(), now.gauss.len()),
    };
    let mut offset = 0;
    // Called in the order in which the data follow.
    let mut element = |array: &Array, tuples: &str| {
        let (Array { kind, name, components, bytes }, at) = (array, offset);
        offset += 8 + bytes.len();
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\"{tuples} format=\"appended\" offset=\"{at}\"/>\n"
        )
    };
    let mut head = String::from("<?xml version=\"1.0\"?>\n");
    // Two hyphens would end the comment.
    for (k, name) in region_names(&mesh.regions).iter().enumerate() {
        head.push_str(&format!("<!-- region {k}: {} -->\n", escape(name).replace("--", "- -")));
    }
    head.push_str("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n");
    head.push_str(&element(&piece.time, " NumberOfTuples=\"1\""));
    head.push_str(&format!("</FieldData>\n<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">\n<Points>\n"));
    head.push_str(&element(&piece.points, ""));
    head.push_str("</Points>\n");
    for (group, arrays) in [("Cells", &piece.cells), ("PointData", &piece.at_points), ("CellData", &piece.of_cells)] {
        head.push_str(&format!("<{group}>\n"));
        arrays.iter().for_each(|array| head.push_str(&element(array, "")));
        head.push_str(&format!("</{group}>\n"));
    }
    head.push_str("</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    out.write_all(head.as_bytes())?;
    for array in piece.arrays() {
        out.write_all(&(array.bytes.len() as u64).to_le_bytes())?;
        out.write_all(&array.bytes)?;
    }
    out.write_all(b"\n</AppendedData>\n</VTKFile>\n")
}

/// Writes the list of a body's files with their times.
pub fn write_pvd(record: &SoftRecord, part: Part, body: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>")?;
    for (k, frame) in record.frames.iter().enumerate().filter(|(_, frame)| part.is_in(frame, body)) {
        let file = escape(&vtu_name(&record.bodies[body].name, part, k));
        writeln!(out, "<DataSet timestep=\"{:?}\" part=\"0\" file=\"{file}\"/>", frame.t)?;
    }
    writeln!(out, "</Collection>\n</VTKFile>")
}
