//! Soft parts as files: meshes with stresses for viewers, tables of boundaries, and everything bit for bit for the page.
//! Not here: how they were found; pictures (`report`).
//! In: a `SoftRecord`. Out: `soft/NAME_0000.vtu`, `soft/NAME.pvd`, `soft/contact.NAME.csv`, `soft/tie.NAME.csv`, `soft.json`; the last one read again.

mod json;
#[cfg(test)]
mod tests;
mod vtu;

pub use json::{read_soft_json, soft_json};
pub use vtu::{write_pvd, write_vtu};

use super::fault::FolderFault;
use super::folder::RunFolder;
use borelli_study::soft_record::{SoftArc, SoftRecord};
use std::io::{self, Write};

/// File of the whole record in the place of its case.
pub const SOFT: &str = "soft.json";

/// Name of the VTU file of a body at an instant, in the folder of soft parts.
fn vtu_name(body: &str, frame: usize) -> String {
    format!("{body}_{frame:04}.vtu")
}

/// Writes all files of soft parts into a place; none where there are none.
pub(super) fn write_soft(folder: &mut RunFolder, place: &str, record: &SoftRecord) -> Result<(), FolderFault> {
    if record.bodies.is_empty() {
        return Ok(());
    }
    for (body, own) in record.bodies.iter().enumerate() {
        for frame in 0..record.frames.len() {
            folder.write(&format!("{place}soft/{}", vtu_name(&own.name, frame)), |out| write_vtu(record, body, frame, out))?;
        }
        folder.write(&format!("{place}soft/{}.pvd", own.name), |out| write_pvd(record, body, out))?;
    }
    for (k, arc) in record.arcs.iter().enumerate() {
        let kind = if arc.contact { "contact" } else { "tie" };
        folder.write(&format!("{place}soft/{kind}.{}.csv", arc.name), |out| write_arc_csv(record, arc, k, out))?;
    }
    let whole = soft_json(record);
    folder.write(&format!("{place}{SOFT}"), |out| writeln!(out, "{whole}"))
}

/// One line for each node of a boundary at each instant. Numbers read back to the same bits.
fn write_arc_csv(record: &SoftRecord, arc: &SoftArc, index: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "time [s],node,arc length [m],x [m],y [m],pressure [Pa],shear [Pa],gap [m]")?;
    for frame in &record.frames {
        let (own, places) = (&frame.arcs[index], &frame.bodies[arc.body].points);
        for (k, node) in arc.nodes.iter().enumerate() {
            let [x, y] = places[*node as usize];
            let (t, s, p, shear, gap) = (frame.t, arc.arc[k], own.pressure[k], own.shear[k], own.gap[k]);
            writeln!(out, "{t:?},{node},{s:?},{x:?},{y:?},{p:?},{shear:?},{gap:?}")?;
        }
    }
    Ok(())
}
