//! Soft parts of a run made ready to be written and shown: numbers at nodes, triangles, the motion of a part as a whole, peaks.
//! Not here: computing stresses (the engine), files (`results`), pages (`report`).
//! In: a `SoftRecord`. Out: plain lists.

mod mesh;
mod motion;
mod peak;
mod quantity;
#[cfg(test)]
mod tests;

pub use mesh::{Mesh, cell_type};
pub use motion::{Motion, Shape, centre, exaggeration, size};
pub use peak::{Extreme, Peak, highest, peak_of, worst_frame};
pub use quantity::{Principal, Quantity, Unit, nodal, principal, unit_for};

use borelli_study::soft_record::{SoftArcFrame, SoftRecord};

/// Values of a boundary at an instant, by name: pressure, shear or gap.
pub type ArcValues = fn(&SoftArcFrame) -> &Vec<f64>;

/// Whether all lists of a record fit together; else what is wrong, in words that follow the name of a file.
pub fn fitting(record: &SoftRecord) -> Result<(), String> {
    let ok = |holds: bool, words: &str| if holds { Ok(()) } else { Err(words.to_string()) };
    for body in &record.bodies {
        let nodes = body.points.len();
        let cell = |cell: &Vec<u32>| cell_type(cell.len()).is_some() && cell.iter().all(|node| (*node as usize) < nodes);
        ok(body.cells.iter().all(cell), "a cell has another number of nodes than 3, 4, 6 or 8, or a node that is not there")?;
        ok(body.regions.len() == body.cells.len(), "there are not as many regions as cells")?;
    }
    for arc in &record.arcs {
        let nodes = record.bodies.get(arc.body).map_or(0, |body| body.points.len());
        ok(arc.nodes.iter().all(|node| (*node as usize) < nodes), "a boundary has a node that is not there")?;
        ok(arc.nodes.len() == arc.arc.len(), "a boundary has not as many lengths as nodes")?;
    }
    for frame in &record.frames {
        let same = frame.bodies.len() == record.bodies.len() && frame.arcs.len() == record.arcs.len();
        ok(same, "an instant has not as many bodies and boundaries as there are")?;
        for (own, body) in frame.bodies.iter().zip(&record.bodies) {
            let nodes = body.points.len();
            let all = [own.points.len(), own.stress.len(), own.strain.len()].iter().all(|count| *count == nodes);
            ok(all, "an instant has not as many positions, stresses and strains as nodes")?;
        }
        for (own, arc) in frame.arcs.iter().zip(&record.arcs) {
            let all = [own.pressure.len(), own.shear.len(), own.gap.len()].iter().all(|count| *count == arc.nodes.len());
            ok(all, "an instant has not as many pressures, shears and gaps as nodes of a boundary")?;
        }
    }
    Ok(())
}
