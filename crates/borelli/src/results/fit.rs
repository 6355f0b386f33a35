//! Tables of a fit: unknowns, residuals, history, starts, singular values, correlations, front.
//! Not here: finding them; the page.
//! In: the record of a fit. Out: comma-separated texts with a header; a block of the summary; and back to what a page shows.

use super::events::cell;
use super::fault::FolderFault;
use super::folder::RunFolder;
use super::summary::number;
use crate::report::fit::{FitCurve, FitLeftOut, FitLimit, FitPage, FitProfile, FitUnknown, FitWeak};
use crate::report::read::{Wrong, each, field, number as number_of, optional_number, plain_text, text};
use borelli_study::fit::{FitRecord, LimitRecord, Multiplier, Residual};
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
        table("front_curves", front_curves)?;
    }
    if !fit.wider.left_out.is_empty() {
        table("leave_one_out", left_out)?;
    }
    if !fit.wider.profiles.is_empty() {
        table("profile", profiles)?;
    }
    if fit.wider.bootstrap.as_ref().is_some_and(|own| !own.draws.is_empty()) {
        table("bootstrap", bootstrap)?;
    }
    Ok(())
}

/// A number that may be missing.
fn optional(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:?}"))
}

fn unknowns(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "name,paths,unit,scale,low,high,start,best,at_bound,sd,ci_low,ci_high,multiplier,multiplier_width,profile_low,profile_high,bootstrap_sd,bootstrap_low,bootstrap_high"
    )?;
    for (k, own) in fit.unknowns.iter().enumerate() {
        let ends = own.spread.map(|(_, ends)| ends);
        let profile = fit.wider.profiles.iter().find(|own| own.unknown == k).map(|own| own.ends.map(|end| end.value()));
        let drawn = fit.wider.bootstrap.as_ref().and_then(|own| own.spreads[k]);
        let numbers = [
            own.spread.map(|(sd, _)| sd),
            ends.map(|ends| ends[0]),
            ends.map(|ends| ends[1]),
            own.multiplier.map(|own| own.by_unit),
            own.multiplier.map(|own| own.by_width),
            profile.and_then(|ends| ends[0]),
            profile.and_then(|ends| ends[1]),
            drawn.map(|own| own.sd),
            drawn.map(|own| own.ends[0]),
            drawn.map(|own| own.ends[1]),
        ];
        writeln!(
            out,
            "{},{},{},{},{},{},{:?},{:?},{},{}",
            cell(&own.name),
            cell(&own.paths.join(" ")),
            own.unit,
            if own.log { "log" } else { "linear" },
            optional(own.bounds.map(|bounds| bounds.0)),
            optional(own.bounds.map(|bounds| bounds.1)),
            own.start,
            own.best,
            own.at_bound.unwrap_or_default(),
            numbers.map(optional).join(","),
        )?;
    }
    Ok(())
}

/// A text for each of some numbers, behind a comma.
fn listed(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!(",{x:?}")).collect()
}

/// Names of all unknowns, behind a comma.
fn names(fit: &FitRecord) -> String {
    fit.unknowns.iter().map(|own| format!(",{}", cell(&own.name))).collect()
}

fn left_out(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    let shifts: String = fit.unknowns.iter().map(|own| format!(",{}", cell(&format!("shift of {} in its sd", own.name)))).collect();
    writeln!(out, "trial,fitted,left_out,found{shifts}{}", names(fit))?;
    for own in &fit.wider.left_out {
        let (trial, found) = (cell(&own.trial), own.found);
        writeln!(out, "{trial},{:?},{:?},{found}{}{}", own.fitted, own.left_out, listed(&own.shifts), listed(&own.unknowns))?;
    }
    Ok(())
}

fn profiles(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "unknown,value,objective,root,found{}", names(fit))?;
    for own in &fit.wider.profiles {
        for point in &own.points {
            let name = cell(&fit.unknowns[own.unknown].name);
            writeln!(out, "{name},{:?},{:?},{:?},{}{}", point.value, point.objective, point.root, point.found, listed(&point.unknowns))?;
        }
    }
    Ok(())
}

fn bootstrap(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "draw,objective,found{}", names(fit))?;
    for own in fit.wider.bootstrap.iter().flat_map(|own| &own.draws) {
        writeln!(out, "{},{:?},{}{}", own.number, own.objective, own.found, listed(&own.unknowns))?;
    }
    Ok(())
}

fn residuals(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "trial,role,term,time [s],measured,computed,e")?;
    fit.residuals.iter().try_for_each(|own| writeln!(out, "{}", residual(own)))
}

/// A row of a term at a sample.
fn residual(own: &Residual) -> String {
    let role = if own.is_fitted { "fit" } else { "validate" };
    let (trial, term) = (cell(&own.trial), cell(&own.term));
    format!("{trial},{role},{term},{:?},{:?},{:?},{:?}", own.time, own.measured, own.computed, own.error)
}

fn front_curves(fit: &FitRecord, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "point,trial,role,term,time [s],measured,computed,e")?;
    for (point, list) in &fit.front_curves {
        list.iter().try_for_each(|own| writeln!(out, "{},{}", point + 1, residual(own)))?;
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
    let cost = |own: Multiplier| json!({ "by_unit": number(own.by_unit), "by_width": number(own.by_width) });
    let limit =
        |own: &LimitRecord| json!({ "name": own.name, "unknown": own.unknown, "unit": own.unit, "multiplier": cost(own.multiplier) });
    let accept = |(trial, term, size): &(String, String, f64)| json!({ "trial": trial, "term": term, "size": number(*size) });
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
        "limits": fit.limits.iter().map(limit).collect::<Vec<_>>(),
        "scatter": fit.scatter.map_or(Value::Null, |(scatter, _)| number(scatter)),
        "rise": fit.rise.map_or(Value::Null, number),
        "accepts": fit.accepts.iter().map(accept).collect::<Vec<_>>(),
        "middle": fit.middle.map(|middle| middle + 1),
        "block": fit.wider.bootstrap.as_ref().map(|own| own.block),
        "further": [fit.wider.asked, fit.wider.made],
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
    let limit = |own: &Value| {
        let cost = field(own, "multiplier")?;
        Ok(FitLimit {
            name: text(own, "name")?,
            unknown: text(own, "unknown")?,
            unit: text(own, "unit")?,
            cost: [known(cost, "by_unit")?, known(cost, "by_width")?],
        })
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
        limits: each(block, "limits", limit)?,
        rise: optional_number(block, "rise")?,
        accepts: each(block, "accepts", |own| Ok((text(own, "trial")?, text(own, "term")?, known(own, "size")?)))?,
        middle: optional_number(block, "middle")?.map(|x| x as usize - 1),
        ..FitPage::default()
    })
}

/// Takes rows of a table over; nothing where they are not those of the table.
type Take = fn(&mut FitPage, &[Vec<String>]) -> Option<()>;

/// Tables that a page needs, with how each is read.
pub(super) const FIT_TABLES: [(&str, Take); 10] = [
    ("unknowns", take_unknowns),
    ("residuals", take_residuals),
    ("history", take_history),
    ("starts", take_starts),
    ("singular", take_singular),
    ("front", take_front),
    ("front_curves", take_front_curves),
    ("correlation", take_correlation),
    ("leave_one_out", take_left_out),
    ("profile", take_profile),
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
        let [name, paths, unit, scale, low, high, start, best, at_bound, _, from, to, rest @ ..] = &row[..] else { return None };
        let [by_unit, by_width, profile_low, profile_high, _, drawn_low, drawn_high] = rest else { return None };
        let one = |cell: &String| if cell.is_empty() { Some(None) } else { Some(Some(parsed(cell)?)) };
        page.unknowns.push(FitUnknown {
            name: name.clone(),
            paths: paths.clone(),
            unit: unit.clone(),
            bounds: ends(low, high)?,
            log: scale == "log",
            start: parsed(start)?,
            best: parsed(best)?,
            at_bound: at_bound.clone(),
            interval: ends(from, to)?,
            cost: ends(by_unit, by_width)?,
            profile: [one(profile_low)?, one(profile_high)?],
            drawn: ends(drawn_low, drawn_high)?,
        });
    }
    Some(())
}

fn take_residuals(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    rows.iter().try_for_each(|row| take_residual(&mut page.curves, row))
}

fn take_residual(curves: &mut Vec<FitCurve>, row: &[String]) -> Option<()> {
    let [trial, role, term, time, measured, computed, _] = row else { return None };
    FitCurve::add(curves, trial, role == "fit", term, [parsed(time)?, parsed(measured)?, parsed(computed)?]);
    Some(())
}

fn take_front_curves(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    for row in rows {
        let (point, rest) = row.split_first()?;
        let point = point.parse::<usize>().ok()?.checked_sub(1)?;
        if page.front_curves.last().is_none_or(|(known, _)| *known != point) {
            page.front_curves.push((point, Vec::new()));
        }
        take_residual(&mut page.front_curves.last_mut()?.1, rest)?;
    }
    Some(())
}

fn take_correlation(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    for row in rows {
        let (name, cells) = row.split_first()?;
        page.correlation.0.push(name.clone());
        page.correlation.1.extend(cells.iter().map(|cell| parsed(cell)).collect::<Option<Vec<f64>>>()?);
    }
    (page.correlation.1.len() == page.correlation.0.len().pow(2)).then_some(())
}

fn take_left_out(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    for row in rows {
        let [trial, fitted, left_out, found, rest @ ..] = &row[..] else { return None };
        let shifts = rest.get(..rest.len() / 2)?.iter().map(|cell| parsed(cell)).collect::<Option<_>>()?;
        let (fitted, left_out, found) = (parsed(fitted)?, parsed(left_out)?, found == "true");
        page.left_out.push(FitLeftOut { trial: trial.clone(), fitted, left_out, found, shifts });
    }
    Some(())
}

fn take_profile(page: &mut FitPage, rows: &[Vec<String>]) -> Option<()> {
    for row in rows {
        let [name, value, _, root, ..] = &row[..] else { return None };
        if page.profiles.last().is_none_or(|own| own.unknown != *name) {
            page.profiles.push(FitProfile { unknown: name.clone(), ..FitProfile::default() });
        }
        let own = page.profiles.last_mut()?;
        own.value.push(parsed(value)?);
        own.root.push(parsed(root)?);
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
    use borelli_study::fit::{
        Bootstrap, Drawn, End, FrontPoint, LeftOut, Profile, ProfilePoint, Residual, Round, Spread, Start, UnknownRecord, Weak, Wider,
    };

    fn wider() -> Wider {
        let point = |value, root| ProfilePoint { value, objective: 3.0, root, found: true, unknowns: vec![value, 0.5] };
        let drawn = Drawn { number: 1, objective: 2.0, found: false, unknowns: vec![0.2, 0.3] };
        let band = Spread { sd: 0.05, ends: [0.15, 0.35] };
        Wider {
            asked: 5,
            made: 4,
            left_out: vec![LeftOut {
                trial: "a walk, slow".into(),
                fitted: 1.0 / 3.0,
                left_out: 2.0,
                found: true,
                unknowns: vec![0.25, 0.35],
                shifts: vec![0.5, -1.5],
            }],
            profiles: vec![Profile {
                unknown: 1,
                points: vec![point(0.2, -1.25), point(0.3, 0.0), point(0.35, 0.5)],
                ends: [End::Risen(0.22), End::Open],
                held: false,
            }],
            bootstrap: Some(Bootstrap { block: 0.1, draws: vec![drawn], spreads: vec![None, Some(band)] }),
        }
    }

    fn record() -> FitRecord {
        let unknown = |name: &str, at_bound: Option<&'static str>, spread| UnknownRecord {
            name: name.into(),
            paths: vec!["law.a.stiffness".into(), "law.b.stiffness".into()],
            unit: "N/m^1.5".into(),
            bounds: at_bound.map(|_| (0.1, 0.1 + 0.2)),
            log: at_bound.is_some(),
            start: 0.15,
            best: 0.1 + 0.2,
            at_bound,
            spread,
            multiplier: at_bound.map(|_| Multiplier { by_unit: 10.0, by_width: 2.0 }),
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
            correlation: (vec![0, 1], vec![1.0, 0.1 + 0.2, 0.1 + 0.2, 1.0]),
            residuals: [("vertical", 0), ("pressure", 0), ("vertical", 1), ("pressure", 1)].map(|(term, k)| residual(term, k)).into(),
            history: vec![round(1, 9.0), round(12, 2.5)],
            starts: vec![Start { objective: 2.5, end: "found" }, Start { objective: 3.5, end: "left behind, by others" }],
            front: vec![FrontPoint { objectives: vec![1.0, 2.0], violation: 0.25, unknowns: vec![3.0, 4.0] }],
            middle: Some(0),
            volumes: vec![0.75],
            exceeded: Vec::new(),
            limits: vec![LimitRecord {
                name: "no contact, in swing".into(),
                unknown: "radius".into(),
                unit: "m".into(),
                multiplier: Multiplier { by_unit: 1.0 / 3.0, by_width: 0.25 },
            }],
            scatter: Some((1.5, 4)),
            rise: Some(0.75),
            accepts: vec![("a walk, slow".into(), "vertical".into(), 20.0)],
            front_curves: vec![(0, vec![residual("vertical", 0), residual("vertical", 1)])],
            wider: wider(),
            rejected: 0,
            rejected_because: None,
        }
    }

    #[test]
    fn what_a_page_shows_of_a_fit_comes_back_from_its_files() {
        let record = record();
        let mut page = read_block(&serde_json::from_str(&block(&record).to_string()).expect("JSON")).expect("a block");
        type Writer = fn(&FitRecord, &mut dyn Write) -> io::Result<()>;
        let writers: [Writer; 10] =
            [unknowns, residuals, history, starts, singular, front, front_curves, correlation, super::left_out, profiles];
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
