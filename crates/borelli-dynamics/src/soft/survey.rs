//! What soft parts are like, in numbers for people: nodes, cells, angles, areas, masses, and how many nodes are held or may touch.
//! Not here: printing.
//! In: a definition. Out: `Survey`.

use borelli_soft::definition::{BoundaryIndex, Definition};

/// Numbers of all soft parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// Soft bodies.
    pub bodies: Vec<SurveyedBody>,
    /// Ties and how many nodes each holds.
    pub ties: Vec<(String, usize)>,
    /// Supports and how many nodes each holds.
    pub supports: Vec<(String, usize)>,
    /// Loads and over how many nodes each is spread.
    pub loads: Vec<(String, usize)>,
    /// Contacts and how many nodes may touch.
    pub contacts: Vec<(String, usize)>,
}

/// Numbers of a soft body.
#[derive(Clone, Debug, PartialEq)]
pub struct SurveyedBody {
    /// Its name.
    pub name: String,
    /// Nodes.
    pub nodes: usize,
    /// Cells.
    pub cells: usize,
    /// Smallest angle at a corner of a cell, rad.
    pub smallest_angle: f64,
    /// Area, m².
    pub area: f64,
    /// Volume, m³.
    pub volume: f64,
    /// Mass, kg.
    pub mass: f64,
}

/// Looks over a definition.
pub fn survey(definition: &Definition) -> Survey {
    let nodes = |of: BoundaryIndex| definition.bodies[of.body].mesh.boundaries[of.boundary].nodes().len();
    let body = |body: &borelli_soft::definition::Body| {
        let quality = body.mesh.quality();
        let mass: f64 = body.mesh.cells.iter().map(|cell| cell.area(&body.mesh.points) * body.density[cell.region as usize]).sum();
        SurveyedBody {
            name: body.name.clone(),
            nodes: body.mesh.points.len(),
            cells: body.mesh.cells.len(),
            smallest_angle: quality.smallest_angle,
            area: quality.area,
            volume: quality.area * body.depth,
            mass: mass * body.depth,
        }
    };
    Survey {
        bodies: definition.bodies.iter().map(body).collect(),
        ties: definition.ties.iter().map(|tie| (tie.name.clone(), nodes(tie.of))).collect(),
        supports: definition.supports.iter().map(|support| (support.name.clone(), nodes(support.of))).collect(),
        loads: definition.loads.iter().map(|load| (load.name.clone(), nodes(load.of))).collect(),
        contacts: definition.contacts.iter().map(|contact| (contact.name.clone(), nodes(contact.of))).collect(),
    }
}
