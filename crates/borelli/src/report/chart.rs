//! Plots of the page as they stand without script: curves over time with axes, events and a legend. `page/plot-draw.js` draws the same. And plots over what a
//! sweep changes, which no script draws again.
//! Not here: which columns stand together (`groups`), plots in files of their own (`plot`).
//! In: a report and its groups. Out: HTML of figures whose colours are those of the page's style.

use super::data::{SUM, Wide};
use super::groups::{Group, GroupKind, groups_of, opening};
use super::soft::by_load;
use super::{Report, escape, significant};
use crate::label::{self, Side};
use crate::plot::axis::Scale;
use crate::plot::shown_unit;
use crate::soft::unit_for;
use crate::sweep;
use borelli_study::read::Over;
use std::fmt::Write;

/// Size of a plot, and its margins: left, right, top, bottom; px.
const SIZE: [f64; 2] = [520.0, 260.0];
const MARGIN: [f64; 4] = [56.0, 16.0, 24.0, 40.0];
/// Height of a flat plot, px.
const STRIP: f64 = 150.0;

/// More events than this are marked at the axis only.
const MOST_EVENTS: usize = 12;

/// Points of a curve: the smallest and largest value of so many parts of the time, and its ends.
const PARTS: usize = 150;

/// One curve.
struct Curve {
    label: String,
    /// Name of the column.
    name: String,
    side: Option<Side>,
    /// Index among the cases of the plot.
    run: usize,
    time: Vec<f64>,
    /// In the shown unit.
    values: Vec<f64>,
    /// Time and ends of its band, in the shown unit; empty where it has none.
    band: Vec<[f64; 3]>,
}

/// How a curve is drawn: a colour of the style, and dashes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pen {
    colour: String,
    dash: &'static str,
}

/// Dashes of the first runs (or, after all colours are used, of further curves).
const DASHES: [&str; 10] = ["", "7 4", "2 3", "9 3 2 3", "12 4", "1 4", "14 3 2 3 2 3", "5 2", "3 6", "16 6"];

/// Shades of the colour of a side that can be told apart.
const SHADES: usize = 4;

/// All plots of a report.
pub(super) fn charts(report: &Report) -> String {
    let wide: Vec<Wide> = report.cases.iter().filter(|case| !case.trajectory.is_empty()).map(Wide::new).collect();
    let opened = report.cases.get(opening(report)).map_or("", |case| case.name.as_str());
    groups_of(report).iter().map(|group| group_charts(&wide, opened, group)).collect()
}

/// All plots of a report over what its sweep changes.
pub(super) fn sweep_charts(report: &Report) -> String {
    let wide: Vec<Wide> = report.cases.iter().filter(|case| !case.trajectory.is_empty()).map(Wide::new).collect();
    groups_of(report).iter().filter_map(|group| Some(sweep_chart(&wide, group, group.over.as_ref()?))).collect()
}

/// A plot per unit: a curve for each column, a point for each case.
fn sweep_chart(all: &[Wide], group: &Group, over: &Over) -> String {
    let mut units: Vec<(String, Vec<Curve>)> = Vec::new();
    for name in &group.columns {
        let find = |case: &str| all.iter().find(|wide| wide.case.name == case);
        let Some((first, k)) = over.points.iter().find_map(|(case, _)| find(case).and_then(|wide| Some((wide, wide.index(name)?)))) else {
            continue;
        };
        let samples = |case: &str| find(case).and_then(|wide| Some((wide.case.trajectory.time(), &wide.values[wide.index(name)?][..])));
        let (unit, factor) = shown_unit(first.columns[k].unit.as_deref().unwrap_or("unit not given"));
        let (time, values) = sweep::points(over, samples).into_iter().map(|(x, y)| (x, factor * y)).unzip();
        let label = &first.labels[k];
        let curve = Curve { label: label.text.clone(), name: name.clone(), side: label.side, run: 0, time, values, band: Vec::new() };
        match units.iter_mut().find(|(known, _)| *known == unit) {
            Some((_, curves)) => curves.push(curve),
            None => units.push((unit, vec![curve])),
        }
    }
    let of = format!("{} of each case", measured(&over.measure));
    let x = Across {
        name: sweep::axis(over),
        of,
        note: "",
        unmeasured: Vec::new(),
        events: &[],
        marks: true,
        joined: true,
        reach: &[],
        height: SIZE[1],
    };
    units.into_iter().map(sized).map(|(unit, curves)| chart(&group.title, &unit, &curves, &x)).collect()
}

/// The number of each case in a plot over what is swept, in words.
fn measured(measure: &str) -> String {
    match measure {
        "last" => "last value".into(),
        "first" => "first value".into(),
        "peak" => "largest size".into(),
        "max" => "largest value".into(),
        "min" => "smallest value".into(),
        other => other.into(),
    }
}

/// What a plot says beside its curves.
struct Across<'e> {
    /// Name of the axis to the right.
    name: String,
    /// Whose curves they are; empty where there is one case only, or the legend tells.
    of: String,
    /// What a reader must know; may be empty.
    note: &'e str,
    /// Spans of the axis to the right in which curves lack what was not measured.
    unmeasured: Vec<[f64; 2]>,
    events: &'e [(f64, &'e str)],
    /// A dot at every point, for few points.
    marks: bool,
    /// Whether points are joined by lines.
    joined: bool,
    /// Values that the axis upward must reach too.
    reach: &'e [f64],
    /// Height, px.
    height: f64,
}

/// A plot per unit of a group: of the cases it names, else of the case that the page opens with.
fn group_charts(all: &[Wide], opened: &str, group: &Group) -> String {
    // Sweeps stand apart.
    if group.kind == GroupKind::Sweep {
        return String::new();
    }
    let cases: Vec<&Wide> = match group.cases.is_empty() {
        true => all.iter().filter(|wide| wide.case.name == opened).take(1).collect(),
        false => all.iter().filter(|wide| group.cases.contains(&wide.case.name)).collect(),
    };
    // Of a load that is put on in steps, the part that acts.
    let load = cases.first().is_some_and(|wide| by_load(wide.case));
    let (across, percent) = if load { ("Part of the load / %", 100.0) } else { ("Time / s", 1.0) };
    // Of one column over others the first is what is to the right.
    let (right, columns) = match (group.kind, &group.columns[..]) {
        (GroupKind::Phase, [right, columns @ ..]) => (Some(right), columns),
        (_, columns) => (None, columns),
    };
    let right_of =
        |wide: &Wide| right.and_then(|name| wide.index(name)).map(|k| (k, shown_unit(wide.columns[k].unit.as_deref().unwrap_or(""))));
    if right.is_some() && cases.iter().any(|wide| right_of(wide).is_none()) {
        return String::new();
    }
    let across = match cases.first().and_then(|wide| Some((wide, right_of(wide)?))) {
        Some((wide, (k, (unit, _)))) => format!("{} / {}", wide.labels[k].text, label::unit(&unit)),
        None => across.to_string(),
    };
    let mut units: Vec<(String, Vec<Curve>)> = Vec::new();
    for (run, wide) in cases.iter().enumerate() {
        let time: Vec<f64> = match right_of(wide) {
            Some((k, (_, factor))) => wide.values[k].iter().map(|x| factor * x).collect(),
            None => wide.case.trajectory.time().iter().map(|t| percent * t).collect(),
        };
        for name in columns {
            let Some(k) = wide.index(name) else { continue };
            let (unit, factor) = shown_unit(wide.columns[k].unit.as_deref().unwrap_or("unit not given"));
            let own = &wide.labels[k];
            let label = match (cases.len(), columns.len()) {
                (1, _) => own.text.clone(),
                (_, 1) => label::case(&wide.case.name),
                _ => format!("{}: {}", label::case(&wide.case.name), own.text),
            };
            let values = wide.values[k].iter().map(|y| y * factor).collect();
            // Over another column a band would have no place.
            let ends = wide.bands[k].as_ref().filter(|_| right.is_none());
            let band = ends.map_or(Vec::new(), |own| {
                let ends = own.low.iter().zip(&own.high);
                own.time.iter().zip(ends).map(|(t, (low, high))| [percent * t, factor * low, factor * high]).collect()
            });
            let curve = Curve { label, name: name.clone(), side: own.side, run, time: time.clone(), values, band };
            match units.iter_mut().find(|(known, _)| *known == unit) {
                Some((_, curves)) => curves.push(curve),
                None => units.push((unit, vec![curve])),
            }
        }
    }
    // In a plot of several cases a mark would not tell whose event it is.
    let events: Vec<(f64, &str)> = match cases[..] {
        [wide] if right.is_none() => wide.case.events.iter().map(|event| (event.time, event.name.as_str())).collect(),
        _ => Vec::new(),
    };
    let of = match cases[..] {
        [wide] if all.len() > 1 => format!("case {}", label::case(&wide.case.name)),
        _ => String::new(),
    };
    let unmeasured = match cases[..] {
        [wide] if right.is_none() && group.columns.iter().any(|name| needs_loads(name)) => wide.case.unmeasured.clone(),
        _ => Vec::new(),
    };
    let x =
        Across { name: across, of, note: group.note, unmeasured, events: &events, marks: false, joined: true, reach: &[], height: SIZE[1] };
    // Two plots of one name are told apart by their units.
    let several = units.len() > 1;
    let named = |unit: &str| match several {
        true => format!("{}, {}", group.title, if unit == "1" { "pure number" } else { unit }),
        false => group.title.clone(),
    };
    units.into_iter().map(sized).map(|(unit, curves)| chart(&named(&unit), &unit, &curves, &x)).collect()
}

/// Words below a plot with spans in which something was not measured; `page/plots.js` has the same.
const UNMEASURED: &str = "Grey: a foot was on the floor where no plate measured it, or the motion is not known. What that foot carries is missing there from the moments of its leg and from the residual; a leg whose own foot was measured lacks nothing.";

/// Whether a column depends on measured loads; `page/plots.js` asks the same.
fn needs_loads(name: &str) -> bool {
    let (heads, tails) = (["load.", "plate.", "root.residual.", "joint."], [".effort", ".moment", ".power"]);
    heads.iter().any(|head| name.starts_with(head)) || tails.iter().any(|tail| name.ends_with(tail))
}

/// Units that make short numbers of values from a size on, the largest first; `page/state.js` takes the same.
const LENGTHS: [(f64, &str, f64); 3] = [(0.01, "m", 1.0), (1e-5, "mm", 1e3), (1e-9, "µm", 1e6)];

/// Curves of one plot in a unit that makes short numbers of them.
fn sized((unit, mut curves): (String, Vec<Curve>)) -> (String, Vec<Curve>) {
    let values = curves.iter().flat_map(|curve| &curve.values).filter(|x| x.is_finite());
    let size = values.fold(0.0_f64, |most, x| most.max(x.abs()));
    let (name, factor) = match unit.as_str() {
        "Pa" => (unit_for(size).name, unit_for(size).factor),
        "m" => LENGTHS.iter().find(|(least, _, _)| size >= *least).map_or(("m", 1.0), |(_, name, factor)| (*name, *factor)),
        other => (other, 1.0),
    };
    for curve in &mut curves {
        curve.values.iter_mut().for_each(|x| *x *= factor);
        curve.band.iter_mut().for_each(|[_, low, high]| (*low, *high) = (*low * factor, *high * factor));
    }
    (label::unit(name), curves)
}

/// Pens of curves: colour by side and dashes by run where there are sides; else colours in turn, by run where there are several.
fn pens(curves: &[Curve]) -> Vec<Pen> {
    let runs = curves.iter().map(|curve| curve.run + 1).max().unwrap_or(1);
    let several = runs > 1;
    let sided = curves.iter().any(|curve| curve.side.is_some());
    // Blue and red belong to the sides where they occur.
    let turn: &[usize] = if sided { &[2, 3, 6, 7, 4, 1] } else { &[0, 1, 2, 3, 4, 5, 6, 7] };
    let mut names: Vec<&str> = Vec::new();
    for curve in curves {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    // Of one side alone, its side sets no curve apart.
    let by_side = names.len() <= SHADES || curves.iter().any(|curve| curve.side != curves[0].side);
    let rank = |curve: &Curve| {
        // Its place among the columns of the same side.
        let same = |name: &&&str| curves.iter().any(|other| other.name == **name && other.side == curve.side);
        names.iter().filter(same).position(|name| *name == curve.name).unwrap_or(0)
    };
    let pen = |curve: &Curve| {
        // A sum is dashed: a part that is all of it is seen below it.
        if curve.name == SUM {
            return Pen { colour: "--text".into(), dash: DASHES[1] };
        }
        let (rank, run) = (rank(curve), curve.run);
        let dashed = |k: usize| DASHES[k % DASHES.len()];
        let of_side = |letter: &str| Pen { colour: format!("--{letter}{}", rank % SHADES), dash: dashed(run + runs * (rank / SHADES)) };
        match curve.side.filter(|_| by_side) {
            Some(Side::Left) => of_side("l"),
            Some(Side::Right) => of_side("r"),
            None if several => {
                Pen { colour: format!("--c{}", turn[run % turn.len()]), dash: dashed(rank + names.len() * (run / turn.len())) }
            }
            None => Pen { colour: format!("--c{}", turn[rank % turn.len()]), dash: dashed(rank / turn.len()) },
        }
    };
    curves.iter().map(pen).collect()
}

/// A curve of a plot of its own: what it is called, and where it goes.
pub(super) struct Plain {
    pub label: String,
    pub x: Vec<f64>,
    /// In the unit of the plot.
    pub y: Vec<f64>,
}

/// A plot over anything, which reaches as far up and down as `reach` wants. Scripts find the ends of its axes in the page: low and high values and where they stand.
pub(super) fn plain_chart(title: &str, unit: &str, x_name: &str, curves: Vec<Plain>, reach: &[f64]) -> String {
    let across = Across {
        name: x_name.into(),
        of: String::new(),
        note: "",
        unmeasured: Vec::new(),
        events: &[],
        marks: false,
        joined: true,
        reach,
        height: SIZE[1],
    };
    plain_across(title, unit, curves, &across)
}

/// A flat plot of one curve about zero, before a band of so much on either side.
pub(super) fn plain_strip(title: &str, unit: &str, x_name: &str, curve: Plain, within: Option<f64>) -> String {
    let (of, reach) = (String::new(), [0.0]);
    let across = Across {
        name: x_name.into(),
        of,
        note: "",
        unmeasured: Vec::new(),
        events: &[],
        marks: false,
        joined: true,
        reach: &reach,
        height: STRIP,
    };
    let band = within.map_or(Vec::new(), |within| curve.x.iter().map(|x| [*x, -within, within]).collect());
    let own = Curve { name: curve.label.clone(), label: curve.label, side: None, run: 0, time: curve.x, values: curve.y, band };
    chart(title, unit, &[own], &across)
}

/// A dot for each of a few points; their axes are logarithmic where that tells more.
pub(super) fn plain_dots(title: &str, unit: &str, x_name: &str, curves: Vec<Plain>, joined: bool) -> String {
    let across = Across {
        name: x_name.into(),
        of: String::new(),
        note: "",
        unmeasured: Vec::new(),
        events: &[],
        marks: true,
        joined,
        reach: &[],
        height: SIZE[1],
    };
    plain_across(title, unit, curves, &across)
}

fn plain_across(title: &str, unit: &str, curves: Vec<Plain>, across: &Across) -> String {
    let curve =
        |own: Plain| Curve { name: own.label.clone(), label: own.label, side: None, run: 0, time: own.x, values: own.y, band: Vec::new() };
    chart(title, unit, &curves.into_iter().map(curve).collect::<Vec<_>>(), across)
}

/// One plot with its legend, and a table of it for those who do not see it.
fn chart(title: &str, unit: &str, curves: &[Curve], across: &Across) -> String {
    let Across { name, of, note, unmeasured, events, marks, joined, reach, height } = across;
    let (width, height) = (SIZE[0], *height);
    let (left, right, top, bottom) = (MARGIN[0], width - MARGIN[1], MARGIN[2], height - MARGIN[3]);
    let (times, values) = (|| curves.iter().flat_map(|curve| &curve.time), || curves.iter().flat_map(|curve| &curve.values));
    let [log_x, log_y] = if *marks { sweep::logarithmic(times(), values()) } else { [false; 2] };
    let x = Scale::around(times(), log_x, if *marks { 0.03 } else { 0.0 });
    let bands = || curves.iter().flat_map(|curve| &curve.band).flat_map(|own| &own[1..]).filter(|end| end.is_finite());
    let y = Scale::around(values().chain(*reach).chain(bands()), log_y, 0.06);
    let at_x = |t: f64| x.part(t).map(|part| left + part * (right - left));
    let at_y = |v: f64| y.part(v).map(|part| bottom - part * (bottom - top));
    let of = if of.is_empty() { String::new() } else { format!("<span class=\"of\">{}</span>", escape(of)) };
    let note = if unmeasured.is_empty() { *note } else { UNMEASURED };
    let note = if note.is_empty() { String::new() } else { format!("<p class=\"fine\">{}</p>\n", escape(note)) };
    let mut out = format!("<figure class=\"plot\"><div class=\"plot-head\"><h3>{}</h3>{of}</div>\n{note}", escape(title));
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        out,
        "<svg class=\"frame\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" data-x=\"{} {left} {right}\" data-y=\"{} {bottom} {top}\">",
        escape(&format!("Plot: {title}")),
        x.ends(),
        y.ends()
    );
    for [from, to] in unmeasured {
        let (Some(from), Some(to)) = (at_x(*from), at_x(*to)) else { continue };
        let _ =
            write!(out, "<rect class=\"unmeasured\" x=\"{from:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{}\"/>", to - from, bottom - top);
    }
    for (value, text) in y.ticks(5) {
        let Some(at) = at_y(value) else { continue };
        let class = if value == 0.0 { "zero" } else { "tick" };
        let _ = write!(out, "<path class=\"{class}\" d=\"M{left} {at:.1}H{right}\"/>");
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", left - 6.0, at + 4.0);
    }
    for (value, text) in x.ticks(6) {
        let Some(at) = at_x(value) else { continue };
        let _ = write!(out, "<path class=\"edge-line\" d=\"M{at:.1} {bottom}v4\"/>");
        let _ = writeln!(out, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>", bottom + 16.0);
    }
    let _ = writeln!(out, "<path class=\"edge-line\" d=\"M{left} {bottom}H{right}\"/>");
    let _ = writeln!(out, "<text class=\"name\" x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>", height - 4.0, escape(name));
    let _ = writeln!(out, "<text class=\"name\" x=\"4\" y=\"13\">{}</text>", escape(&axis_name(title, unit)));
    // Of many only the feet are drawn: they would hide the curves.
    let top_of_event = if events.len() > MOST_EVENTS { bottom - 9.0 } else { top };
    for (time, name) in *events {
        if let Some(at) = at_x(*time).filter(|at| (left..=right).contains(at)) {
            let _ = writeln!(
                out,
                "<path class=\"event\" d=\"M{at:.1} {top_of_event}V{bottom}\"><title>{}</title></path>",
                escape(&label::element(name))
            );
        }
    }
    let pens = pens(curves);
    for (curve, pen) in curves.iter().zip(&pens).filter(|(curve, _)| !curve.band.is_empty()) {
        let area = band(&curve.band, &|t, v| Some((at_x(t)?, at_y(v)?)));
        let _ = writeln!(out, "<path class=\"band\" style=\"fill:var({})\" d=\"{area}\"/>", pen.colour);
    }
    for (curve, pen) in curves.iter().zip(&pens) {
        let path = if *joined { path(curve, &|t, v| Some((at_x(t)?, at_y(v)?))) } else { String::new() };
        let _ =
            writeln!(out, "<path class=\"curve\" style=\"stroke:var({});stroke-dasharray:{}\" d=\"{path}\"/>", pen.colour, pen.dash_text());
        for (x, y) in curve.time.iter().zip(&curve.values).filter(|_| *marks) {
            if let (Some(x), Some(y)) = (at_x(*x), at_y(*y)) {
                let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" style=\"fill:var({})\"/>", pen.colour);
            }
        }
    }
    out.push_str("</svg>\n<ul>");
    for (curve, pen) in curves.iter().zip(&pens) {
        let line = format!(
            "<svg width=\"22\" height=\"8\" aria-hidden=\"true\"><path class=\"curve\" style=\"stroke:var({});stroke-dasharray:{}\" d=\"M0 4h22\"/></svg>",
            pen.colour,
            pen.dash_text()
        );
        let _ = write!(out, "<li><span class=\"entry\" title=\"{}\">{line}{}</span></li>", escape(&curve.name), escape(&curve.label));
    }
    out.push_str("</ul>\n");
    out.push_str(&if *marks { every_point(curves, unit, name) } else { told(curves, unit) });
    out.push_str("</figure>\n");
    out
}

impl Pen {
    fn dash_text(&self) -> &'static str {
        if self.dash.is_empty() { "none" } else { self.dash }
    }
}

/// The last word of a title says what is measured, where it says so; the unit always.
fn axis_name(title: &str, unit: &str) -> String {
    let unit = if unit.is_empty() || unit == "1" { "pure number" } else { unit };
    let first = title.split([',', ':', '(']).next().unwrap_or(title).trim();
    if first.chars().count() <= 28 { format!("{} / {unit}", label::capital(first)) } else { unit.to_string() }
}

/// Start, end and extremes of each curve, in words for readers of the screen.
fn told(curves: &[Curve], unit: &str) -> String {
    let mut out = String::from(
        "<div class=\"unseen\"><table><thead><tr><th>Curve</th><th>Start</th><th>End</th><th>Smallest</th><th>Largest</th></tr></thead><tbody>",
    );
    for curve in curves {
        let known = || curve.values.iter().copied().filter(|v| v.is_finite());
        let words = |v: Option<f64>| v.map_or("–".to_string(), |v| format!("{} {unit}", significant(v, 5)));
        let cells = [known().next(), known().next_back(), known().reduce(f64::min), known().reduce(f64::max)].map(words);
        let _ = write!(out, "<tr><th>{}</th>", escape(&curve.label));
        cells.iter().for_each(|cell| out.push_str(&format!("<td>{}</td>", escape(cell))));
        out.push_str("</tr>");
    }
    out + "</tbody></table></div>\n"
}

/// All points of a sweep, in words for readers of the screen.
fn every_point(curves: &[Curve], unit: &str, name: &str) -> String {
    let mut out =
        format!("<div class=\"unseen\"><table><thead><tr><th>Curve</th><th>{}</th><th>Value</th></tr></thead><tbody>", escape(name));
    for curve in curves {
        for (x, y) in curve.time.iter().zip(&curve.values) {
            let (x, y) = (significant(*x, 5), significant(*y, 5));
            let _ = write!(out, "<tr><th>{}</th><td>{x}</td><td>{y} {}</td></tr>", escape(&curve.label), escape(unit));
        }
    }
    out + "</tbody></table></div>\n"
}

/// The line of a curve from the extremes of parts of its time; a gap where a value is missing.
fn path(curve: &Curve, place: &dyn Fn(f64, f64) -> Option<(f64, f64)>) -> String {
    let (mut text, mut pen) = (String::new(), false);
    for k in kept(&curve.values) {
        match place(curve.time[k], curve.values[k]) {
            Some((x, y)) => {
                let _ = if pen { write!(text, "L{x:.1} {y:.1}") } else { write!(text, "M{x:.1} {y:.1}h.01") };
                pen = true;
            }
            None => pen = false,
        }
    }
    text
}

/// The area of a band, up along its high ends and back along the low ones; of many times some, and a gap where it has no ends.
fn band(ends: &[[f64; 3]], place: &dyn Fn(f64, f64) -> Option<(f64, f64)>) -> String {
    let mut text = String::new();
    let some: Vec<[f64; 3]> = ends.iter().copied().step_by(ends.len().div_ceil(2 * PARTS).max(1)).collect();
    let known = |own: &[f64; 3]| own.iter().all(|x| x.is_finite());
    for part in some.chunk_by(|a, b| known(a) == known(b)).filter(|part| known(&part[0])) {
        let (high, low) = (part.iter().map(|own| (own[0], own[2])), part.iter().rev().map(|own| (own[0], own[1])));
        for (k, (x, y)) in high.chain(low).filter_map(|(t, v)| place(t, v)).enumerate() {
            let _ = write!(text, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" });
        }
        text.push('Z');
    }
    text
}

/// Samples that a curve is drawn by: first and last, smallest and largest of every part, and one of each gap.
fn kept(values: &[f64]) -> Vec<usize> {
    let n = values.len();
    if n <= 2 * PARTS {
        return (0..n).collect();
    }
    let mut list = vec![0, n - 1];
    for part in 0..PARTS {
        let span = part * n / PARTS..(part + 1) * n / PARTS;
        let known = || span.clone().filter(|k| values[*k].is_finite());
        list.extend(known().min_by(|a, b| values[*a].total_cmp(&values[*b])));
        list.extend(known().max_by(|a, b| values[*a].total_cmp(&values[*b])));
        list.extend(span.clone().find(|k| !values[*k].is_finite()));
    }
    list.sort_unstable();
    list.dedup();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, side: Option<Side>, run: usize) -> Curve {
        Curve { label: name.into(), name: name.into(), side, run, time: vec![0.0, 1.0], values: vec![0.0, 1.0], band: Vec::new() }
    }

    #[test]
    fn sides_have_their_colours_and_runs_their_dashes() {
        let colours = |list: &[Curve]| pens(list).into_iter().map(|pen| (pen.colour, pen.dash)).collect::<Vec<_>>();
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        let both = [curve("hip_l", left, 0), curve("hip_r", right, 0), curve("knee_r", right, 0), curve("trunk", None, 0)];
        let pair = |colour: &str, dash: &'static str| (colour.to_string(), dash);
        assert_eq!(colours(&both), [pair("--l0", ""), pair("--r0", ""), pair("--r1", ""), pair("--c2", "")]);
        let runs = [curve("hip_l", left, 0), curve("hip_l", left, 1)];
        assert_eq!(colours(&runs), [pair("--l0", ""), pair("--l0", "7 4")]);
        let plain = [curve("a", None, 0), curve("a", None, 1), curve("b", None, 0)];
        assert_eq!(colours(&plain), [pair("--c0", ""), pair("--c1", ""), pair("--c0", "7 4")]);
        let many: Vec<Curve> = (0..9).map(|k| curve(&format!("c{k}"), None, 0)).collect();
        assert_eq!(colours(&many)[8], pair("--c0", "7 4"));
        // Twelve ligaments of a right knee: six colours, none of a side, each once drawn through and once dashed.
        let ligaments: Vec<Curve> = (0..12).map(|k| curve(&format!("c{k}"), right, 0)).collect();
        let pens = colours(&ligaments);
        assert!(pens.iter().all(|(colour, _)| colour.starts_with("--c") && colour != "--c0" && colour != "--c5"), "{pens:?}");
        assert_eq!((0..12).filter(|k| pens[..*k].contains(&pens[*k])).count(), 0);
    }

    #[test]
    fn the_script_says_the_same_of_what_was_not_measured() {
        assert!(include_str!("page/plots.js").contains(&format!("\"{UNMEASURED}\"")));
    }

    #[test]
    fn units_make_short_numbers() {
        let of = |unit: &str, size: f64| {
            let mut own = curve("a", None, 0);
            own.values = vec![-size, f64::NAN, 0.5 * size];
            let (unit, curves) = sized((unit.into(), vec![own]));
            (unit, curves[0].values[0])
        };
        let is = |found: (String, f64), unit: &str, value: f64| assert!(found.0 == unit && (found.1 - value).abs() < 1e-12, "{found:?}");
        is(of("Pa", 2.8e6), "MPa", -2.8);
        is(of("Pa", 90.0), "Pa", -90.0);
        is(of("m", 1.5), "m", -1.5);
        is(of("m", 5e-5), "mm", -0.05);
        is(of("m", 2e-6), "µm", -2.0);
        is(of("m/s^2", 3.0), "m/s²", -3.0);
    }

    #[test]
    fn a_long_curve_keeps_its_extremes_and_gaps() {
        let mut values: Vec<f64> = (0..10_001).map(|k| (k as f64 * 1e-3).sin()).collect();
        (values[4321], values[7777]) = (9.0, f64::NAN);
        let kept = kept(&values);
        assert!(kept.len() <= 2 * PARTS + 3 && [0, 4321, 7777, 10_000].iter().all(|k| kept.contains(k)), "{}", kept.len());
    }
}
