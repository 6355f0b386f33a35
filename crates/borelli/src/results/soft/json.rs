//! Soft parts as JSON, bit for bit, so that a page can be made again without computing.
//! Not here: files for other programs (`vtu`).
//! In: a record. Out: JSON, and back; damage is named.
//!
//! Long lists of numbers are packed as on the page, `{"f64":"…"}`: little-endian bytes in base 64. Positions are x, y in turn; stresses xx, yy, xy, zz; strains xx, yy, xy.
//! Points of integration are not in it: pages do not show them, and they have a file of their own.

use crate::report::read::{Wrong, each, field, index, number, plain_text, text, truth};
use crate::report::{f64s_of, f64s_value};
use crate::soft::fitting;
use borelli_dynamics::coupled::{Converged, Iteration};
use borelli_study::soft_record::{SoftArc, SoftArcFrame, SoftBody, SoftBodyFrame, SoftFrame, SoftRecord};
use serde_json::{Value, json};

fn packed<const N: usize>(list: &[[f64; N]]) -> Value {
    f64s_value(list.as_flattened())
}

/// The whole record.
pub fn soft_json(record: &SoftRecord) -> Value {
    let body = |body: &SoftBody| {
        let mut names: Vec<&str> = Vec::new();
        let mut place = |name| {
            names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let region: Vec<usize> = body.regions.iter().map(|name| place(name.as_str())).collect();
        json!({ "name": body.name, "depth": body.depth, "points": packed(&body.points), "cells": body.cells, "regions": names, "region": region })
    };
    let arc = |arc: &SoftArc| json!({ "name": arc.name, "contact": arc.contact, "body": arc.body, "nodes": arc.nodes, "arc": f64s_value(&arc.arc) });
    let frame = |frame: &SoftFrame| {
        let bodies = frame
            .bodies
            .iter()
            .map(|own| json!({ "points": packed(&own.points), "stress": packed(&own.stress), "strain": packed(&own.strain) }));
        let arcs = frame
            .arcs
            .iter()
            .map(|own| json!({ "pressure": f64s_value(&own.pressure), "shear": f64s_value(&own.shear), "gap": f64s_value(&own.gap) }));
        json!({ "t": frame.t, "bodies": bodies.collect::<Vec<_>>(), "arcs": arcs.collect::<Vec<_>>() })
    };
    let step = |step: &Converged| {
        let list = |of: &dyn Fn(&Iteration) -> f64| f64s_value(&step.iterations.iter().map(of).collect::<Vec<_>>());
        let changed: Vec<usize> = step.iterations.iter().map(|one| one.changed).collect();
        let renewed: Vec<bool> = step.iterations.iter().map(|one| one.renewed).collect();
        json!({
            "at": step.at, "attempts": step.attempts, "open": list(&|one| one.open), "rounding": list(&|one| one.rounding), "changed": changed,
            "renewed": renewed
        })
    };
    json!({
        "bodies": record.bodies.iter().map(body).collect::<Vec<_>>(),
        "arcs": record.arcs.iter().map(arc).collect::<Vec<_>>(),
        "frames": record.frames.iter().map(frame).collect::<Vec<_>>(),
        "steps": record.steps.iter().map(step).collect::<Vec<_>>(),
    })
}

fn list(value: &Value, key: &str) -> Result<Vec<f64>, Wrong> {
    f64s_of(field(value, key)?).ok_or_else(|| format!("`{key}` is not a packed list of numbers"))
}

fn groups<const N: usize>(value: &Value, key: &str) -> Result<Vec<[f64; N]>, Wrong> {
    let list = list(value, key)?;
    let (groups, rest) = list.as_chunks::<N>();
    if rest.is_empty() { Ok(groups.to_vec()) } else { Err(format!("`{key}` has not {N} numbers for each node")) }
}

fn node(value: &Value) -> Result<u32, Wrong> {
    value.as_u64().and_then(|x| u32::try_from(x).ok()).ok_or_else(|| "a node is not a whole number".to_string())
}

/// The record again; every list fits the others.
pub fn read_soft_json(value: &Value) -> Result<SoftRecord, Wrong> {
    let body = |own: &Value| -> Result<SoftBody, Wrong> {
        let names = each(own, "regions", plain_text)?;
        let region = |value: &Value| {
            let name = value.as_u64().and_then(|k| names.get(k as usize));
            name.cloned().ok_or_else(|| "`region` has a number without a name".to_string())
        };
        let cell = |value: &Value| -> Result<Vec<u32>, Wrong> {
            value.as_array().ok_or_else(|| "`cells` is not a list of lists".to_string())?.iter().map(node).collect()
        };
        Ok(SoftBody {
            name: text(own, "name")?,
            points: groups(own, "points")?,
            cells: each(own, "cells", cell)?,
            regions: each(own, "region", region)?,
            depth: number(own, "depth")?,
        })
    };
    let bodies = each(value, "bodies", body)?;
    let arc = |own: &Value| {
        Ok(SoftArc {
            name: text(own, "name")?,
            contact: truth(own, "contact")?,
            body: index(own, "body", bodies.len())?,
            nodes: each(own, "nodes", node)?,
            arc: list(own, "arc")?,
        })
    };
    let arcs = each(value, "arcs", arc)?;
    let body = |own: &Value| {
        Ok(SoftBodyFrame {
            points: groups(own, "points")?,
            stress: groups(own, "stress")?,
            strain: groups(own, "strain")?,
            gauss: Vec::new(),
        })
    };
    let arc = |own: &Value| Ok(SoftArcFrame { pressure: list(own, "pressure")?, shear: list(own, "shear")?, gap: list(own, "gap")? });
    let frame = |own: &Value| Ok(SoftFrame { t: number(own, "t")?, bodies: each(own, "bodies", body)?, arcs: each(own, "arcs", arc)? });
    let frames = each(value, "frames", frame)?;
    let step = |own: &Value| -> Result<Converged, Wrong> {
        let count = |value: &Value| value.as_u64().map(|x| x as usize).ok_or_else(|| "a count is not a whole number".to_string());
        let yes = |value: &Value| value.as_bool().ok_or_else(|| "`renewed` is not a list of true and false".to_string());
        let (open, rounding) = (list(own, "open")?, list(own, "rounding")?);
        let (changed, renewed) = (each(own, "changed", count)?, each(own, "renewed", yes)?);
        if [rounding.len(), changed.len(), renewed.len()] != [open.len(); 3] {
            return Err("lists of iterations have different lengths".to_string());
        }
        let one = |k: usize| Iteration { open: open[k], rounding: rounding[k], changed: changed[k], renewed: renewed[k] };
        Ok(Converged { at: number(own, "at")?, attempts: count(field(own, "attempts")?)?, iterations: (0..open.len()).map(one).collect() })
    };
    let steps = each(value, "steps", step)?;
    let record = SoftRecord { bodies, arcs, frames, steps };
    fitting(&record)?;
    Ok(record)
}
