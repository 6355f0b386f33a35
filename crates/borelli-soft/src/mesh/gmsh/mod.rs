//! Meshes from files of Gmsh, text of the format versions 4.1 and 2.2.
//! Not here: reading from disc, binary files, solids in space.
//! In: text and the unit of its coordinates. Out: a mesh whose regions and boundaries are the physical groups, or a fault with its line.
//!
//! Physical groups of surfaces become regions, those of curves boundaries; a group without a name goes by its number. Triangles and quadrilaterals with
//! straight or quadratic sides are read (types 2, 3, 9, 16) with lines of the same order (1, 8); points are left out.

mod fault;
mod parse;
mod section;
#[cfg(test)]
mod tests;

use super::{Boundary, Cell, Edge, Mesh};
pub use fault::Fault;
use parse::{Contents, Element};
use std::collections::{HashMap, HashSet};

/// The largest file. Callers compare the size of a file with it before they read it into memory.
pub const MAX_BYTES: usize = 512 << 20;

/// How far nodes may lie out of their plane, as a part of the size of the mesh.
const FLATNESS: f64 = 1e-6;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The mesh.
    pub mesh: Mesh,
    /// Cells that ran clockwise and were turned round.
    pub turned: usize,
    /// Nodes that no cell uses and that were left out, such as centres of circles.
    pub dropped: usize,
}

/// Reads a mesh. `unit` is the length of one unit of the file in m, for instance 0.001 for millimetres.
///
/// Boundary lines run with the material on their left, whatever their direction in the file; lines between two regions keep it.
pub fn read(text: &str, unit: f64) -> Result<Reading, Fault> {
    if !(unit > 0.0 && unit.is_finite()) {
        return Err(Fault::BadUnit { found: unit });
    }
    let contents = Contents::read(text)?;
    if contents.cells.is_empty() {
        return Err(Fault::NoCells { line: contents.last });
    }
    let mut mesh = Mesh::default();
    let number = number_points(&contents, unit, &mut mesh)?;
    let dropped = contents.nodes.len() - mesh.points.len();
    let turned = add_cells(&contents, &number, &mut mesh)?;
    add_boundaries(&contents, &number, &mut mesh)?;
    Ok(Reading { mesh, turned, dropped })
}

/// Reads a mesh from the bytes of a file; see [`read`]. Binary files are told from text with strange letters.
pub fn read_bytes(bytes: &[u8], unit: f64) -> Result<Reading, Fault> {
    let good = match std::str::from_utf8(bytes) {
        Ok(text) => return read(text, unit),
        Err(bad) => &bytes[..bad.valid_up_to()],
    };
    let start = std::str::from_utf8(good).unwrap_or_default();
    parse::version(start)?;
    Err(Fault::NotText { line: start.split('\n').count() })
}

/// Adds the nodes that cells use, in the order of the file, and gives each node of the file its number in the mesh.
fn number_points(contents: &Contents, unit: f64, mesh: &mut Mesh) -> Result<Vec<Option<u32>>, Fault> {
    let mut used = vec![false; contents.nodes.len()];
    for Element { what: (shape, nodes), .. } in &contents.cells {
        nodes[..shape.nodes()].iter().for_each(|&n| used[n as usize] = true);
    }
    let mut number = vec![None; contents.nodes.len()];
    for (k, node) in contents.nodes.iter().enumerate().filter(|(k, _)| used[*k]) {
        let point = [unit * node.at[0], unit * node.at[1]];
        if !point.iter().all(|x| x.is_finite()) {
            let found = format!("{} {}", node.at[0], node.at[1]);
            return Err(Fault::BadNumber { line: node.line, field: "coordinates", found, expected: "finite numbers in m" });
        }
        number[k] = Some(mesh.points.len() as u32);
        mesh.points.push(point);
    }
    // all in one plane, measured by the size of the mesh
    let [low, high] = mesh.bounds();
    let size = (high[0] - low[0]).max(high[1] - low[1]) / unit;
    let mut nodes = contents.nodes.iter().zip(&used).filter(|(_, used)| **used).map(|(node, _)| node);
    if let Some(first) = nodes.next() {
        let plane = first.at[2];
        if let Some(node) = nodes.find(|node| (node.at[2] - plane).abs() > FLATNESS * size) {
            return Err(Fault::OutOfPlane { line: node.line, z: node.at[2], plane });
        }
    }
    Ok(number)
}

/// Adds cells and regions; clockwise cells are turned round and counted.
fn add_cells(contents: &Contents, number: &[Option<u32>], mesh: &mut Mesh) -> Result<usize, Fault> {
    let mut regions = Names::default();
    for Element { what: (shape, raw), group, line } in &contents.cells {
        let mut nodes = [0; 8];
        for (slot, &n) in nodes.iter_mut().zip(&raw[..shape.nodes()]) {
            *slot = number[n as usize].unwrap_or_default(); // every node of a cell has a number
        }
        let region = regions.number(*group, || contents.name(2, *group)) as u32;
        let cell = Cell { shape: *shape, nodes, region };
        let area = cell.area(&mesh.points);
        let list = cell.nodes();
        let twice = (1..list.len()).any(|k| list[..k].contains(&list[k]));
        if twice || !(area.abs() > 0.0 && area.is_finite()) {
            return Err(Fault::Degenerate { line: *line });
        }
        mesh.cells.push(cell);
    }
    mesh.regions = regions.list;
    Ok(mesh.mend_orientation())
}

/// Adds boundaries, with the material on the left.
fn add_boundaries(contents: &Contents, number: &[Option<u32>], mesh: &mut Mesh) -> Result<(), Fault> {
    let mut owner: HashMap<[u32; 2], (usize, Option<u32>)> = HashMap::with_capacity(4 * mesh.cells.len());
    for (cell, element) in mesh.cells.iter().zip(&contents.cells) {
        for edge in cell.edges() {
            if let Some((other, _)) = owner.insert(edge.ends, (element.line, edge.middle)) {
                return Err(Fault::Overlap { line: element.line, other });
            }
        }
    }
    let mut names = Names::default();
    let mut edges: Vec<Vec<Edge>> = Vec::new();
    let mut seen = HashSet::new();
    for Element { what, group, line } in &contents.edges {
        let place = names.number(*group, || contents.name(1, *group));
        let boundary = || contents.name(1, *group);
        let tags = what.ends.map(|n| contents.nodes[n as usize].tag);
        let not_an_edge = || Fault::NotAnEdge { line: *line, boundary: boundary(), tags };
        let [Some(a), Some(b)] = what.ends.map(|n| number[n as usize]) else { return Err(not_an_edge()) };
        let ends = if owner.contains_key(&[a, b]) { [a, b] } else { [b, a] };
        let &(_, middle) = owner.get(&ends).ok_or_else(not_an_edge)?;
        if middle != what.middle.and_then(|n| number[n as usize]) || middle.is_some() != what.middle.is_some() {
            return Err(Fault::OtherMiddle { line: *line, boundary: boundary() });
        }
        if !seen.insert((place, [a.min(b), a.max(b)])) {
            return Err(Fault::RepeatedLine { line: *line, boundary: boundary() });
        }
        edges.resize_with(names.list.len(), Vec::new);
        edges[place].push(Edge { ends, middle });
    }
    mesh.boundaries = names.list.into_iter().zip(&edges).map(|(name, edges)| Boundary::new(name, edges)).collect();
    Ok(())
}

/// Names in the order in which their groups are met; groups of the same name are one.
#[derive(Default)]
struct Names {
    list: Vec<String>,
    places: HashMap<u64, usize>,
}

impl Names {
    fn number(&mut self, group: u64, name: impl Fn() -> String) -> usize {
        *self.places.entry(group).or_insert_with(|| {
            let name = name();
            self.list.iter().position(|known| *known == name).unwrap_or_else(|| {
                self.list.push(name);
                self.list.len() - 1
            })
        })
    }
}
