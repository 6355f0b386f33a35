//! A mesh as triangles and lines, for pictures.
//! Not here: positions.
//! In: cells of nodes. Out: triangles, sides inside, sides on the rim.

use borelli_study::soft_record::SoftBody;
use std::collections::BTreeMap;

/// Number by which VTK files know a cell of so many nodes: triangles of 3 and 6 nodes, quadrilaterals of 4 and 8.
pub fn cell_type(nodes: usize) -> Option<u8> {
    match nodes {
        3 => Some(5),
        4 => Some(9),
        6 => Some(22),
        8 => Some(23),
        _ => None,
    }
}

/// Triangles of a cell, by places among its nodes. A node on a side is a corner of them: a curved side is drawn by its two halves.
fn triangles_of(nodes: usize) -> &'static [[usize; 3]] {
    match nodes {
        3 => &[[0, 1, 2]],
        4 => &[[0, 1, 2], [0, 2, 3]],
        6 => &[[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]],
        8 => &[[0, 4, 7], [4, 1, 5], [5, 2, 6], [6, 3, 7], [4, 5, 6], [4, 6, 7]],
        _ => &[],
    }
}

/// What is drawn of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Triangles, all turning the same way where the cells do.
    pub triangles: Vec<[u32; 3]>,
    /// Sides between two cells.
    pub lines: Vec<[u32; 2]>,
    /// Sides of one cell only: the rim of the part, and of its holes.
    pub rim: Vec<[u32; 2]>,
}

impl Mesh {
    /// The mesh of a body.
    pub fn of(body: &SoftBody) -> Mesh {
        let mut mesh = Mesh::default();
        let mut sides: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        for cell in &body.cells {
            mesh.triangles.extend(triangles_of(cell.len()).iter().map(|places| places.map(|k| cell[k])));
            let corners = if cell.len() > 4 { cell.len() / 2 } else { cell.len() };
            let mut add = |a: u32, b: u32| *sides.entry([a.min(b), a.max(b)]).or_default() += 1;
            for k in 0..corners {
                let (from, to) = (cell[k], cell[(k + 1) % corners]);
                match cell.get(corners + k) {
                    Some(middle) => [(from, *middle), (*middle, to)].into_iter().for_each(|(a, b)| add(a, b)),
                    None => add(from, to),
                }
            }
        }
        for (side, count) in sides {
            if count == 1 { &mut mesh.rim } else { &mut mesh.lines }.push(side);
        }
        mesh
    }
}
