//! Tables of a fit: unknowns, residuals, history, starts, singular values, correlations, front.
//! Not here: finding them; the page.
//! In: the record of a fit. Out: comma-separated texts with a header; a block of the summary; and back to what a page shows.

use super::events::cell;
use super::fault::FolderFault;
use super::folder::RunFolder;
use super::summary::number;
use crate::report::fit::{FitPage, FitUnknown, FitWeak};
use crate::report::read::{Wrong, each, field, number as number_of, optional_number, plain_text, text};
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
    writeln!(out, "iteration,evaluations,objective,step,control,gradient,volume")?;
    for own in &fit.history {
        let volume = optional(own.volume);
        writeln!(
            out,
            "{},{},{:?},{:?},{:?},{:?},{volume}",
            own.iterations, own.evaluations, own.objective, own.step, own.control, own.gradient
        )?;
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

/// What a page shows of a fit, as far as the summary tells.
pub(super) fn read_block(block: &Value) -> Result<FitPage, Wrong> {
    // what is not finite is no number in a file
    let known = |own: &Value, key: &str| optional_number(own, key).map(|x| x.unwrap_or(f64::NAN));
    let flag = |own: &Value, key: &str| field(own, key)?.as_bool().ok_or_else(|| format!("`{key}` is neither true nor false"));
    let count = |key: &str| number_of(block, key).map(|x| x as usize);
    let weak = |own: &Value| {
        let parts = each(own, "parts", |part| Ok((text(part, "unknown")?, known(part, "part")?)))?;
        Ok(FitWeak { share: known(own, "share")?, undetermined: flag(own, "undetermined")?, parts })
    };
    Ok(FitPage {
        methods: each(block, "methods", plain_text)?,
        stop: text(block, "stop")?,
        found: flag(block, "found")?,
        objective: [known(block, "objective_at_start")?, known(block, "objective")?],
        extra: known(block, "extra")?,
        terms: each(block, "terms", |term| Ok((text(term, "name")?, [known(term, "at_start")?, known(term, "at_end")?])))?,
        evaluations: [count("evaluations")?, count("jacobians")?],
        weak: each(block, "weak", weak)?,
        ..FitPage::default()
    })
}

/// Takes rows of a table over; nothing where they are not those of the table.
type Take = fn(&mut FitPage, &[Vec<String>]) -> Option<()>;

/// Tables that a page needs, with how each is read.
pub(super) const FIT_TABLES: [(&str, Take); 6] = [
    ("unknowns", take_unknowns),
    ("residuals", take_residuals),
    ("history", take_history),
    ("starts", take_starts),
    ("singular", take_singular),
    ("front", take_front),
];

fn parsed(cell: &str) -> Option<f64> {
    cell.parse().ok()
}

/// Two numbers, or nothing where both cells are empty; else `None`.
fn ends(low: &str, high: &str) -> Option<Option<[f64; 2]>> {
    if low.is_empty() && high.is_empty() { Some(None) } else { Some(Some([parsed(low)?, parsed(high)?])) }
}

fn take_unknowns(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    for row in rows {
        let [name, paths, unit, low, high, start, best, at_bound, _, from, to] = &row[..] else { return None };
        page.unknowns.push(FitUnknown {
            name: name.clone(),
            paths: paths.clone(),
            unit: unit.clone(),
            bounds: ends(low, high)?,
            start: parsed(start)?,
            best: parsed(best)?,
            at_bound: at_bound.clone(),
            interval: ends(from, to)?,
        });
    }
    Some(())
}

fn take_residuals(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    for row in rows {
        let [trial, role, term, time, measured, computed, _] = &row[..] else { return None };
        page.add(trial, role == "fit", term, [parsed(time)?, parsed(measured)?, parsed(computed)?]);
    }
    Some(())
}

fn take_history(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    page.history = rows.iter().map(|row| Some((parsed(row.get(1)?)?, parsed(row.get(2)?)?))).collect::<Option<_>>()?;
    page.volumes = rows.iter().filter_map(|row| Some((parsed(row.get(1)?)?, parsed(row.get(6)?)?))).collect();
    Some(())
}

fn take_starts(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    page.starts = rows.iter().map(|row| Some((parsed(row.get(1)?)?, row.get(2)?.clone()))).collect::<Option<_>>()?;
    Some(())
}

fn take_singular(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    page.singular = rows.iter().map(|row| parsed(row.get(2)?)).collect::<Option<_>>()?;
    Some(())
}

fn take_front(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    let unknowns = page.unknowns.len();
    for row in rows {
        let numbers = row.iter().map(|cell| parsed(cell)).collect::<Option<Vec<f64>>>()?;
        let (objectives, rest) = numbers.split_at_checked(numbers.len().checked_sub(unknowns + 1)?)?;
        page.front.push((objectives.to_vec(), rest[0]));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::events::rows;
    use super::*;
    use borelli_study::fit::{FrontPoint, Residual, Round, Start, UnknownRecord, Weak};

    fn record() -> FitRecord {
        let unknown = |name: &str, at_bound: Option<&'static str>, spread| UnknownRecord {
            name: name.into(),
            paths: vec!["law.a.stiffness".into(), "law.b.stiffness".into()],
            unit: "N/m^1.5".into(),
            bounds: at_bound.map(|_| (0.1, 0.1 + 0.2)),
            start: 0.15,
            best: 0.1 + 0.2,
            at_bound,
            spread,
        };
        let residual = |term: &str, k: u32| Residual {
            trial: "a walk, slow".into(),
            is_fitted: term == "vertical",
            term: term.into(),
            time: f64::from(k) * 0.1,
            measured: 1.0 / 3.0,
            computed: 2.0 / 3.0,
            error: 0.1,
        };
        let round = |evaluations, objective| Round {
            iterations: 1,
            evaluations,
            objective,
            step: 0.0,
            control: 1.0,
            gradient: 0.5,
            volume: Some(0.75),
        };
        FitRecord {
            methods: vec!["least-squares"],
            stop: "the gradient is zero",
            found: true,
            objective_at_start: f64::INFINITY,
            objective: 2.5,
            extra: 0.0,
            terms: vec![("vertical".into(), 3.0, 1.0), ("pressure".into(), 7.0, 1.5)],
            mismatches: Vec::new(),
            residual_count: 6,
            evaluations: 12,
            jacobians: 3,
            condition: None,
            singular: vec![10.0, 0.1],
            weak: vec![Weak { share: 0.01, undetermined: true, parts: vec![("stiffness".into(), -0.7)] }],
            unknowns: vec![unknown("stiffness", Some("high"), None), unknown("a \"free\" one", None, Some((0.1, [0.2, 0.4])))],
            correlation: (Vec::new(), Vec::new()),
            residuals: [("vertical", 0), ("pressure", 0), ("vertical", 1), ("pressure", 1)].map(|(term, k)| residual(term, k)).into(),
            history: vec![round(1, 9.0), round(12, 2.5)],
            starts: vec![Start { objective: 2.5, end: "found" }, Start { objective: 3.5, end: "left behind, by others" }],
            front: vec![FrontPoint { objectives: vec![1.0, 2.0], violation: 0.25, unknowns: vec![3.0, 4.0] }],
            middle: None,
            volumes: vec![0.75],
            exceeded: Vec::new(),
        }
    }

    #[test]
    fn what_a_page_shows_of_a_fit_comes_back_from_its_files() {
        let record = record();
        let mut page = read_block(&serde_json::from_str(&block(&record).to_string()).expect("JSON")).expect("a block");
        type Writer = fn(&FitRecord, &mut dyn Write) -> io::Result<()>;
        let writers: [Writer; 6] = [unknowns, residuals, history, starts, singular, front];
        for ((name, read), write) in FIT_TABLES.into_iter().zip(writers) {
            let mut text = Vec::new();
            write(&record, &mut text).expect("a text");
            let rows = rows(&String::from_utf8(text).expect("text")).expect("rows");
            read(&mut page, &rows[1..]).unwrap_or_else(|| panic!("{name}"));
            let mut damaged = page.clone();
            assert_eq!(read(&mut damaged, &[vec!["x".into()]]), None, "{name}");
        }
        let expected = FitPage::of(&record);
        // what is not finite is not told, and NaN equals nothing
        assert!(page.objective[0].is_nan() && expected.objective[0].is_infinite());
        page.objective[0] = expected.objective[0];
        assert_eq!(page, expected);
        assert_eq!(page.curves.iter().map(|curve| curve.time.len()).collect::<Vec<_>>(), [2, 2]);
    }
}
