//! Tables of a fit: unknowns, residuals, history, starts, singular values, correlations, front.
//! Not here: finding them; the page.
//! In: the record of a fit. Out: comma-separated texts with a header; a block of the summary.

use super::events::cell;
use super::fault::FolderFault;
use super::folder::RunFolder;
use super::summary::number;
use borelli_study::fit::FitRecord;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes all tables of a fit into the place of its run.
pub(super) fn write_fit(folder: &mut RunFolder, place: &str, fit: &FitRecord) -> Result<(), FolderFault> {
    let mut table = |name: &str, write: fn(&FitRecord, &mut dyn Write) -> io::Result<()>| {
        folder.write(&format!("{place}{name}.csv"), |out| write(fit, out))
    };
    table("unknowns", unknowns)?;
    table("residuals", residuals)?;
    table("history", history)?;
    if fit.starts.len() > 1 {
        table("starts", starts)?;
    }
    if !fit.singular.is_empty() {
        table("singular", singular)?;
    }
    if !fit.correlation.0.is_empty() {
        table("correlation", correlation)?;
    }
    if !fit.front.is_empty() {
        table("front", front)?;
    }
    Ok(())
}

/// A number that may be missing.
fn optional(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:?}"))
}

fn unknowns(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "name,paths,unit,low,high,start,best,at_bound,sd,ci_low,ci_high")?;
    for own in &fit.unknowns {
        let (low, high) = (own.bounds.map(|bounds| bounds.0), own.bounds.map(|bounds| bounds.1));
        let ends = own.spread.map(|(_, ends)| ends);
        writeln!(
            out,
            "{},{},{},{},{},{:?},{:?},{},{},{},{}",
            cell(&own.name),
            cell(&own.paths.join(" ")),
            own.unit,
            optional(low),
            optional(high),
            own.start,
            own.best,
            own.at_bound.unwrap_or_default(),
            optional(own.spread.map(|(sd, _)| sd)),
            optional(ends.map(|ends| ends[0])),
            optional(ends.map(|ends| ends[1])),
        )?;
    }
    Ok(())
}

fn residuals(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "trial,role,term,time [s],measured,computed,e")?;
    for own in &fit.residuals {
        let role = if own.is_fitted { "fit" } else { "validate" };
        let (trial, term) = (cell(&own.trial), cell(&own.term));
        writeln!(out, "{trial},{role},{term},{:?},{:?},{:?},{:?}", own.time, own.measured, own.computed, own.error)?;
    }
    Ok(())
}

fn history(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "iteration,evaluations,objective,step,control,gradient")?;
    for own in &fit.history {
        writeln!(out, "{},{},{:?},{:?},{:?},{:?}", own.iterations, own.evaluations, own.objective, own.step, own.control, own.gradient)?;
    }
    Ok(())
}

fn starts(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "start,objective,end")?;
    for (k, own) in fit.starts.iter().enumerate() {
        writeln!(out, "{},{:?},{}", k + 1, own.objective, cell(own.end))?;
    }
    Ok(())
}

fn singular(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "number,singular,share")?;
    for (k, own) in fit.singular.iter().enumerate() {
        writeln!(out, "{},{own:?},{:?}", k + 1, own / fit.singular[0])?;
    }
    Ok(())
}

fn correlation(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    let (free, cells) = &fit.correlation;
    let name = |k: &usize| cell(&fit.unknowns[*k].name);
    writeln!(out, "unknown,{}", free.iter().map(name).collect::<Vec<_>>().join(","))?;
    for (row, k) in free.iter().enumerate() {
        let own = &cells[row * free.len()..][..free.len()];
        writeln!(out, "{},{}", name(k), own.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

fn front(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    let objectives = fit.front.first().map_or(0, |point| point.objectives.len());
    let heads = (1..=objectives).map(|k| format!("objective {k}")).chain(["violation".to_string()]);
    let names = fit.unknowns.iter().map(|own| cell(&own.name));
    writeln!(out, "{}", heads.chain(names).collect::<Vec<_>>().join(","))?;
    for point in &fit.front {
        let numbers = point.objectives.iter().chain([&point.violation]).chain(&point.unknowns);
        writeln!(out, "{}", numbers.map(|x| format!("{x:?}")).collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

/// What the summary says of a fit.
pub(super) fn block(fit: &FitRecord) -> Value {
    let held: Vec<&str> = fit.unknowns.iter().filter(|own| own.at_bound.is_some()).map(|own| own.name.as_str()).collect();
    let term = |(name, start, end): &(String, f64, f64)| json!({ "name": name, "at_start": number(*start), "at_end": number(*end) });
    let weak = |own: &borelli_study::fit::Weak| {
        let parts: Vec<Value> = own.parts.iter().map(|(name, part)| json!({ "unknown": name, "part": number(*part) })).collect();
        json!({ "share": number(own.share), "undetermined": own.undetermined, "parts": parts })
    };
    json!({
        "methods": fit.methods,
        "stop": fit.stop,
        "found": fit.found,
        "objective_at_start": number(fit.objective_at_start),
        "objective": number(fit.objective),
        "extra": number(fit.extra),
        "terms": fit.terms.iter().map(term).collect::<Vec<_>>(),
        "residuals": fit.residual_count,
        "evaluations": fit.evaluations,
        "jacobians": fit.jacobians,
        "bounds_hit": held,
        "condition": fit.condition.map_or(Value::Null, number),
        "weak": fit.weak.iter().map(weak).collect::<Vec<_>>(),
    })
}
