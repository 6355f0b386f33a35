//! Soft parts as files: meshes with stresses for viewers, tables of boundaries, and everything bit for bit for the page.
//! Not here: how they were found; pictures (`report`).
//! In: a `SoftRecord`. Out: `soft/NAME_0000.vtu`, `soft/NAME.pvd`, the same of points of integration as `soft/NAME.gauss…`,
//! `soft/contact.NAME.csv`, `soft/tie.NAME.csv`, `soft.json`; the last one read again.

mod json;
#[cfg(test)]
mod tests;
mod vtu;

pub use json::{read_soft_json, soft_json};
pub use vtu::{write_pvd, write_vtu};

use super::fault::FolderFault;
use super::folder::RunFolder;
use crate::soft::principal;
use borelli_study::soft_record::{SoftArc, SoftFrame, SoftRecord, hydrostatic, von_mises};
use std::io::{self, Write};

/// File of the whole record in the place of its case.
pub const SOFT: &str = "soft.json";

/// What a VTU file shows of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nodes and cells.
    Mesh,
    /// Points of integration.
    Gauss,
}

impl Part {
    /// Between the name of the body and what follows it.
    fn suffix(self) -> &'static str {
        match self {
            Part::Mesh => "",
            Part::Gauss => ".gauss",
        }
    }

    /// Whether an instant has it.
    fn is_in(self, frame: &SoftFrame, body: usize) -> bool {
        self == Part::Mesh || !frame.bodies[body].gauss.is_empty()
    }
}

/// Name of the VTU file of a body at an instant, in the folder of soft parts.
fn vtu_name(body: &str, part: Part, frame: usize) -> String {
    format!("{body}{}_{frame:04}.vtu", part.suffix())
}

/// Writes all files of soft parts into a place; none where there are none.
pub(super) fn write_soft(folder: &mut RunFolder, place: &str, record: &SoftRecord) -> Result<(), FolderFault> {
    if record.bodies.is_empty() {
        return Ok(());
    }
    for (body, own) in record.bodies.iter().enumerate() {
        for part in [Part::Mesh, Part::Gauss] {
            let frames: Vec<usize> = (0..record.frames.len()).filter(|k| part.is_in(&record.frames[*k], body)).collect();
            for frame in &frames {
                let name = format!("{place}soft/{}", vtu_name(&own.name, part, *frame));
                folder.write(&name, |out| write_vtu(record, part, body, *frame, out))?;
            }
            if !frames.is_empty() || part == Part::Mesh {
                folder.write(&format!("{place}soft/{}{}.pvd", own.name, part.suffix()), |out| write_pvd(record, part, body, out))?;
            }
        }
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
    writeln!(
        out,
        "time [s],node,arc length [m],x [m],y [m],pressure [Pa],shear [Pa],gap [m],stress xx [Pa],stress yy [Pa],stress xy [Pa],stress zz [Pa],\
         von Mises [Pa],hydrostatic [Pa],principal strain 1,principal strain 2,direction 1 x,direction 1 y"
    )?;
    for frame in &record.frames {
        let (own, body) = (&frame.arcs[index], &frame.bodies[arc.body]);
        for (k, node) in arc.nodes.iter().enumerate() {
            let [x, y] = body.points[*node as usize];
            let (stress, strain) = (body.stress[*node as usize], principal(body.strain[*node as usize]));
            let (t, s, p, shear, gap) = (frame.t, arc.arc[k], own.pressure[k], own.shear[k], own.gap[k]);
            let ([xx, yy, xy, zz], [high, low], [dx, dy]) = (stress, strain.values, strain.directions[0]);
            let (mises, pressed) = (von_mises(stress), hydrostatic(stress));
            write!(out, "{t:?},{node},{s:?},{x:?},{y:?},{p:?},{shear:?},{gap:?},")?;
            writeln!(out, "{xx:?},{yy:?},{xy:?},{zz:?},{mises:?},{pressed:?},{high:?},{low:?},{dx:?},{dy:?}")?;
        }
    }
    Ok(())
}
