//! Unknowns of a fit inside their bounds, how sure they are, and which of them go together.
//! Not here: the search. In: what a page shows of a fit. Out: HTML.

use super::super::super::escape::with_minus;
use super::super::super::fit::{FitLimit, FitPage, FitUnknown, FitWeak};
use super::super::super::{escape, significant};
use super::{Cell, folded, number, table, text, unit};
use std::fmt::Write;

/// Why an unknown may have no interval.
const NO_INTERVAL: &str = "<p class=\"fine\">An unknown has no interval where it ended at a bound, where the data do not determine it, and where J is no sum of \
squares.</p>\n";
/// What the bars mean.
const BARS: &str = "<p class=\"fine\">Bars go from the low to the high bound, on the scale of the search: the thick line is the 95 % interval, the tick where \
the search began, the dot where it ended.</p>\n";
/// What the cost of a bound is.
const COST: &str =
    "<p class=\"fine\">The cost of a bound is how much J would fall, to first order, if it gave way by the width of the unknown.</p>\n";
/// Size of a bar, px.
const BAR: [f64; 2] = [130.0, 14.0];
/// Unknowns of which correlations are drawn: fewer tell nothing, more cannot be read.
const DRAWN: std::ops::RangeInclusive<usize> = 2..=60;
/// Correlations below are not named.
const STRONG: f64 = 0.5;
/// Pairs that are named.
const NAMED: usize = 5;

/// Unknowns, limits, correlations and weak directions.
pub(super) fn block(fit: &FitPage) -> String {
    let [profiled, drawn] = [fit.unknowns.iter().any(|own| own.profile != [None; 2]), fit.unknowns.iter().any(|own| own.drawn.is_some())];
    let costs = fit.unknowns.iter().any(|own| own.cost.is_some());
    let rows: Vec<Vec<Cell>> = fit.unknowns.iter().map(|own| unknown(own, [profiled, drawn, costs])).collect();
    let mut heads = vec![
        ("quantity", "Unknown"),
        ("number", "Low"),
        ("", "Between"),
        ("number", "High"),
        ("number", "Start"),
        ("number", "Best"),
        ("number", "95 % interval"),
    ];
    heads.extend(profiled.then_some(("number", "By its profile")));
    heads.extend(drawn.then_some(("number", "By frames drawn anew")));
    heads.extend([("", "Unit"), ("", "At a bound")]);
    heads.extend(costs.then_some(("number", "Its cost")));
    let mut out = folded(rows.len(), rows.len(), "unknowns", table("What was searched for, between its bounds", &heads, &rows));
    if fit.unknowns.iter().any(|own| own.bounds.is_some()) {
        out.push_str(BARS);
    }
    if costs {
        out.push_str(COST);
    }
    if fit.unknowns.iter().any(|own| own.interval.is_none()) {
        out.push_str(NO_INTERVAL);
    }
    out + &limits(fit) + &correlation(fit) + &weak(fit)
}

/// Ends of an interval in words; `open` where one was not found.
fn ends(ends: [Option<f64>; 2]) -> Cell {
    let word = |end: Option<f64>| end.map_or("open".to_string(), |x| significant(x, 4));
    let words = if ends == [None; 2] { "–".to_string() } else { with_minus(&format!("{} to {}", word(ends[0]), word(ends[1]))) };
    ("number", words)
}

fn unknown(own: &FitUnknown, [profiled, drawn, costs]: [bool; 3]) -> Vec<Cell> {
    let end = |k: usize| number(own.bounds.map(|bounds| bounds[k]));
    let bound: Cell =
        if own.at_bound.is_empty() { ("", String::new()) } else { ("look", format!("at its {} bound", escape(&own.at_bound))) };
    let name = ("quantity", format!("<span title=\"{}\">{}</span>", escape(&own.paths), escape(&own.name)));
    let mut cells = vec![name, end(0), ("", bar(own)), end(1), number(Some(own.start)), number(Some(own.best))];
    cells.push(ends(own.interval.map_or([None; 2], |ends| ends.map(Some))));
    cells.extend(profiled.then(|| ends(own.profile)));
    cells.extend(drawn.then(|| ends(own.drawn.map_or([None; 2], |ends| ends.map(Some)))));
    cells.extend([unit(&own.unit), bound]);
    cells.extend(costs.then(|| number(own.cost.map(|cost| cost[1]))));
    cells
}

/// An unknown between its bounds.
fn bar(own: &FitUnknown) -> String {
    let Some([low, high]) = own.bounds else { return String::new() };
    let [width, height] = BAR;
    let middle = height / 2.0;
    let part = |x: f64| if own.log { (x.max(f64::MIN_POSITIVE) / low).ln() / (high / low).ln() } else { (x - low) / (high - low) };
    let at = |x: f64| 6.0 + (width - 12.0) * part(x).clamp(0.0, 1.0);
    let mut out = format!(
        "<svg width=\"{width}\" height=\"{height}\" aria-hidden=\"true\"><path d=\"M6 {middle}H{}\" style=\"stroke:var(--soft);fill:none\"/>\
         <path d=\"M6 3v8M{} 3v8\" style=\"stroke:var(--soft);fill:none\"/>",
        width - 6.0,
        width - 6.0
    );
    // Writing to a string cannot fail, here and below.
    if let Some([from, to]) = own.interval {
        let _ = write!(out, "<path d=\"M{:.1} {middle}H{:.1}\" style=\"stroke:var(--c0);stroke-width:5;opacity:.5\"/>", at(from), at(to));
    }
    let _ = write!(out, "<path d=\"M{:.1} 3v8\" style=\"stroke:var(--text);fill:none\"/>", at(own.start));
    let colour = if own.at_bound.is_empty() { "--c0" } else { "--c1" };
    let _ = write!(
        out,
        "<rect x=\"{:.1}\" y=\"3.5\" width=\"7\" height=\"7\" rx=\"3.5\" style=\"fill:var({colour})\"/></svg>",
        at(own.best) - 3.5
    );
    out
}

/// Constraints that unknowns give way to.
fn limits(fit: &FitPage) -> String {
    if fit.limits.is_empty() {
        return String::new();
    }
    let row = |own: &FitLimit| {
        let [by_unit, by_width] = own.cost;
        vec![text(&own.name), text(&own.unknown), number(Some(by_unit)), unit(&own.unit), number(Some(by_width))]
    };
    let rows: Vec<Vec<Cell>> = fit.limits.iter().map(row).collect();
    let heads = [
        ("quantity", "Constraint"),
        ("quantity", "Unknown that gives way"),
        ("number", "J would fall for each unit that it is raised"),
        ("", "Unit"),
        ("number", "For the width of the unknown"),
    ];
    folded(rows.len(), rows.len(), "constraints", table("Constraints that hold unknowns, and what they cost", &heads, &rows))
}

/// Correlations as a map of coloured cells, and the strongest pairs in words.
fn correlation(fit: &FitPage) -> String {
    let (names, cells) = &fit.correlation;
    let n = names.len();
    if !DRAWN.contains(&n) || cells.len() != n * n {
        return String::new();
    }
    let side = (420.0 / n as f64).clamp(9.0, 34.0);
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = 8.0 + 6.6 * longest as f64;
    let (width, height) = (left + side * n as f64 + 4.0, 18.0 + side * n as f64);
    let mut out = format!(
        "<figure class=\"plot\"><div class=\"plot-head\"><h3>Correlations of unknowns</h3></div>\n\
         <svg class=\"frame\" viewBox=\"0 0 {width:.0} {height:.0}\" style=\"max-width:{width:.0}px\" role=\"img\" aria-label=\"Correlations of unknowns: blue together, orange against each other\">\n"
    );
    for (row, name) in names.iter().enumerate() {
        let y = 14.0 + side * row as f64;
        let middle = y + 0.5 * side + 4.0;
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{middle:.1}\" text-anchor=\"end\">{}</text>", left - 5.0, escape(name));
        for (column, other) in names.iter().enumerate() {
            let r = cells[row * n + column];
            let colour = if r < 0.0 { "--c1" } else { "--c0" };
            let _ = write!(
                out,
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" style=\"fill:var({colour});fill-opacity:{:.3}\"><title>{} and {}: {}</title></rect>",
                left + side * column as f64,
                side - 1.0,
                side - 1.0,
                if r.is_finite() { r.abs() } else { 0.0 },
                escape(name),
                escape(other),
                with_minus(&significant(r, 3))
            );
        }
        out.push('\n');
    }
    out.push_str("</svg></figure>\n");
    let mut pairs: Vec<(usize, usize)> = (0..n).flat_map(|row| (0..row).map(move |column| (column, row))).collect();
    let size = |&(a, b): &(usize, usize)| cells[a * n + b].abs();
    pairs.retain(|pair| size(pair) >= STRONG);
    pairs.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let words: Vec<String> = pairs
        .iter()
        .take(NAMED)
        .map(|(a, b)| format!("{} and {}: {}", escape(&names[*a]), escape(&names[*b]), with_minus(&significant(cells[a * n + b], 3))))
        .collect();
    let told = match words.is_empty() {
        true => format!("No two unknowns have a correlation of {STRONG} or more."),
        false => format!("The strongest: {}.", words.join("; ")),
    };
    format!(
        "<div class=\"plots fitted\">\n{out}</div>\n<p class=\"fine\">Blue: both too large together; orange: one too large, the other too small. {told}</p>\n"
    )
}

/// Combinations of unknowns that the data hardly determine, the weakest first.
fn weak(fit: &FitPage) -> String {
    if fit.singular.is_empty() {
        return String::new();
    }
    let one = |own: &FitWeak| {
        let parts: Vec<String> =
            own.parts.iter().map(|(name, part)| format!("{} {}", with_minus(&significant(*part, 2)), escape(name))).collect();
        let how =
            if own.undetermined { "not determined at all".to_string() } else { format!("{} of the strongest", significant(own.share, 2)) };
        format!("<li>{}: {how}</li>\n", parts.join(", "))
    };
    let weakest = fit.singular.last().copied().unwrap_or(1.0);
    if fit.weak.is_empty() {
        return format!(
            "<p class=\"fine\">The data determine all combinations of unknowns; the weakest {} as well as the strongest.</p>\n",
            significant(weakest, 2)
        );
    }
    let list: String = fit.weak.iter().map(one).collect();
    format!(
        "<p>Changes of unknowns together that hardly change J, so that the data do not tell them apart (parts of unit size, the weakest first):</p>\n<ul>\n{list}</ul>\n"
    )
}
