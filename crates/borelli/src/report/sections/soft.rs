//! Soft parts as they stand without script: the coloured mesh at the worst instant, peaks over time, pressure along boundaries, a table of peaks.
//! Not here: drawing the mesh (`plot::soft`); the picture that follows the player (`page/soft.js`).

use super::super::chart::{Plain, plain_chart};
use super::super::soft::{Coloured, by_load, carries, coloured, instant, shown};
use super::super::{Case, Report, Section, escape, significant};
use super::convergence::convergence;
use super::{Cell, case_name, number, table, text};
use crate::label::element;
use crate::plot::{SoftPart, SoftPicture, soft_above, soft_bar};
use crate::soft::{Extreme, Mesh, Peak, Quantity, Shape, exaggeration, highest, peak_of, principal, size, unit_for, worst_frame};
use borelli_study::soft_record::{SoftArc, SoftRecord};

pub(in crate::report) const SECTION: Section = Section { id: "soft-parts", title: "Soft parts", short: "Soft parts", body };

/// Cases whose soft parts are shown; those of others are in their files.
const MOST_CASES: usize = 6;
/// Instants whose pressure along a boundary is drawn.
const MOST_CURVES: usize = 5;
/// Room of the picture, px.
const ROOM: [f64; 2] = [640.0, 420.0];
/// Room of the picture of a study, px.
const SMALL_ROOM: [f64; 2] = [370.0, 250.0];
const MILLI: f64 = 1e3;

fn body(report: &Report) -> Option<String> {
    let own: Vec<(usize, &Case)> = report.cases.iter().enumerate().filter(|(_, case)| shown(case.soft)).collect();
    let first = own.first()?.1;
    let mut out = introduction(first.soft, &coloured(first.soft));
    out.push_str("<div id=\"soft\">\n");
    for (k, case) in own.iter().take(MOST_CASES) {
        out.push_str(&format!("<div class=\"soft-case\" data-case=\"{k}\">\n"));
        if report.cases.len() > 1 {
            out.push_str(&format!("<h3>{}</h3>\n", escape(&case_name(*k, case))));
        }
        let coloured = coloured(case.soft);
        out.push_str(&picture(case, &coloured));
        out.push_str(&format!("<div class=\"plots\">\n{}{}</div>\n", over_time(case, &coloured), along(case)));
        out.push_str(&peaks(*k, case, &coloured));
        out.push_str(&convergence(case));
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
    if own.len() > MOST_CASES {
        out.push_str(&format!("<p class=\"fine\">Soft parts of {} further cases are in their files.</p>\n", own.len() - MOST_CASES));
    }
    Some(out)
}

/// What is seen, for somebody who has never seen it.
fn introduction(record: &SoftRecord, coloured: &[Coloured]) -> String {
    let names: Vec<String> = record.bodies.iter().map(|body| element(&body.name)).collect();
    let cells: usize = record.bodies.iter().map(|body| body.cells.len()).sum();
    let nodes: usize = record.bodies.iter().map(|body| body.points.len()).sum();
    let (are, they, give) = if names.len() == 1 { ("is", "it", "gives") } else { ("are", "they", "give") };
    let mut out = format!(
        "<p>{} {are} soft: unlike a rigid body {they} {give} way under load. For the computation {they} {are} divided into {cells} small cells, the mesh, \
         which meet in {nodes} nodes. The colours show how hard the material is loaded at each place.</p>\n<dl class=\"terms\">\n",
        escape(&listed(&names))
    );
    for own in coloured {
        out.push_str(&format!("<dt>{}</dt><dd>{}.</dd>\n", own.quantity.label(), own.quantity.meaning()));
    }
    out + "</dl>\n"
}

/// Names with commas and a last "and".
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The mesh at the instant of the highest von Mises stress.
struct Drawn<'c> {
    /// The picture; nothing where the mesh is too fine for one.
    svg: Option<String>,
    /// Its colours.
    own: &'c Coloured,
    /// The instant, in words.
    when: String,
    /// By how much deformations are enlarged.
    factor: f64,
    /// The highest value with its unit, and the part that has it.
    highest: Option<(String, String)>,
}

fn drawn<'c>(case: &Case, coloured: &'c [Coloured], room: [f64; 2]) -> Option<Drawn<'c>> {
    let (record, frame, factor) = (case.soft, worst_frame(case.soft), exaggeration(case.soft));
    let own = coloured.iter().find(|own| own.quantity == Quantity::VonMises)?;
    let meshes: Vec<Mesh> = record.bodies.iter().map(Mesh::of).collect();
    let shapes: Vec<Shape> =
        (record.bodies.iter().zip(&record.frames[frame].bodies)).map(|(body, now)| Shape::of(&body.points, &now.points)).collect();
    let parts = (0..record.bodies.len()).map(|k| SoftPart {
        mesh: &meshes[k],
        places: shapes[k].places(&record.bodies[k].points, factor),
        unloaded: shapes[k].places(&record.bodies[k].points, 0.0),
        values: Quantity::VonMises.values(record, frame, k).iter().map(|x| x * own.unit.factor).collect(),
    });
    let all = (0..record.bodies.len()).filter_map(|body| peak_of(record, Quantity::VonMises, body, Extreme::Highest));
    let peak = all.reduce(|a, b| if b.value > a.value { b } else { a });
    let told = peak.map(|peak| format!("{} {}", significant(peak.value * own.unit.factor, 3), own.unit.name));
    let when = instant(case, record.frames[frame].t);
    let mark = peak.zip(told.clone()).map(|(peak, words)| (peak.body, peak.node, words));
    let label = format!("Soft parts {when}, coloured by von Mises stress");
    let svg = SoftPicture { parts: parts.collect(), ends: own.ends, mark, label }.svg(room);
    let highest = peak.zip(told).map(|(peak, told)| (told, element(&record.bodies[peak.body].name)));
    Some(Drawn { svg, own, when, factor, highest })
}

/// The picture of a study whose parts are soft: the mesh of a case with its colours, above another picture; nothing where there is no mesh to draw.
pub(in crate::report) fn above(case: &Case, other: &str) -> Option<String> {
    let coloured = coloured(case.soft);
    let Drawn { svg, own, when, factor, highest } = drawn(case, &coloured, SMALL_ROOM).filter(|_| carries(case.soft))?;
    let size = if factor == 1.0 { String::new() } else { format!("; deformation drawn {} times larger", significant(factor, 3)) };
    let words = highest.map_or(String::new(), |(told, part)| format!(": highest von Mises stress {told} in {}{size}", part.to_lowercase()));
    let words = format!("{}{words}", crate::label::capital(&when));
    Some(soft_above(&svg?, &soft_bar(own.ends, own.step, own.unit.name), &words, other))
}

/// The mesh at the instant of the highest von Mises stress, with its bar and what it shows in words.
fn picture(case: &Case, coloured: &[Coloured]) -> String {
    let Some(Drawn { svg, own, when, factor, highest }) = drawn(case, coloured, ROOM) else { return String::new() };
    let drawn = svg.unwrap_or_else(|| {
        "<p class=\"fine\">This mesh is too fine for a picture without JavaScript; its files can be opened in ParaView.</p>".into()
    });
    let highest = match highest {
        Some((told, part)) => format!("when the von Mises stress is highest: {told} in {part}"),
        None => "with no finite stress".into(),
    };
    format!(
        "<figure class=\"soft-picture\">{drawn}\n<div class=\"soft-bar\"><span>{}</span>{}</div>\n<figcaption>{}, {}. {} The dashed line is the shape without load.</figcaption></figure>\n",
        own.quantity.label(),
        soft_bar(own.ends, own.step, own.unit.name),
        escape(&crate::label::capital(&when)),
        escape(&highest),
        scale_words(case.soft, factor)
    )
}

/// Whether deformations are enlarged, and why.
fn scale_words(record: &SoftRecord, factor: f64) -> String {
    if factor == 1.0 {
        return "The deformation is drawn as it is.".into();
    }
    let of = |(k, body): (usize, &borelli_study::soft_record::SoftBody)| {
        Shape::all(body, k, &record.frames).iter().map(Shape::largest).fold(0.0, f64::max)
    };
    let largest = record.bodies.iter().enumerate().map(of).fold(0.0, f64::max);
    let whole = record.bodies.iter().map(|body| size(&body.points)).fold(0.0, f64::max);
    format!(
        "The deformation is drawn {} times larger than it is: in truth it is at most {} mm in a part of {} mm, too little to be seen.",
        significant(factor, 3),
        significant(MILLI * largest, 2),
        significant(MILLI * whole, 2)
    )
}

/// Times, or parts of the load in percent, with what the axis is called.
fn axis(case: &Case) -> (Vec<f64>, &'static str) {
    let load = by_load(case);
    let times = case.soft.frames.iter().map(|frame| if load { 100.0 * frame.t } else { frame.t });
    (times.collect(), if load { "Part of the load / %" } else { "Time / s" })
}

/// Highest values of each part over time.
fn over_time(case: &Case, coloured: &[Coloured]) -> String {
    let record = case.soft;
    if record.frames.len() < 2 {
        return String::new();
    }
    let (x, name) = axis(case);
    let largest = coloured.iter().map(|own| own.ends[1] / own.unit.factor).fold(0.0, f64::max);
    let unit = unit_for(largest);
    let mut curves = Vec::new();
    for own in coloured {
        for (body, part) in record.bodies.iter().enumerate() {
            let touched = record.arcs.iter().any(|arc| arc.contact && arc.body == body);
            if own.quantity == Quantity::Contact && !touched {
                continue;
            }
            let label = format!("{}: {}", element(&part.name), own.quantity.label().to_lowercase().replace("mises", "Mises"));
            let y = highest(record, own.quantity, body).iter().map(|value| value * unit.factor).collect();
            curves.push(Plain { label, x: x.clone(), y });
        }
    }
    plain_chart("Highest values", unit.name, name, curves, &[0.0]).replacen("class=\"plot\"", "class=\"plot soft-time\"", 1)
}

/// Instants that tell a pressure: evenly spread, with the one at which it is highest.
fn chosen(record: &SoftRecord, arc: usize) -> Vec<usize> {
    let n = record.frames.len();
    let top = |k: &usize| record.frames[*k].arcs[arc].pressure.iter().copied().filter(|p| p.is_finite()).fold(f64::NEG_INFINITY, f64::max);
    let most = (0..n).max_by(|a, b| top(a).total_cmp(&top(b)).then(b.cmp(a)));
    let mut list: Vec<usize> =
        if n <= MOST_CURVES { (0..n).collect() } else { (0..MOST_CURVES).map(|k| k * (n - 1) / (MOST_CURVES - 1)).collect() };
    if let Some(most) = most.filter(|most| !list.contains(most)) {
        // In the place of the nearest, but for the ends.
        if let Some(near) = (1..list.len().saturating_sub(1)).min_by_key(|k| list[*k].abs_diff(most)) {
            list[near] = most;
        }
    }
    list.sort_unstable();
    list.dedup();
    list
}

/// Pressure along each boundary at some instants.
fn along(case: &Case) -> String {
    let record = case.soft;
    let one = |(k, arc): (usize, &SoftArc)| {
        let all: Vec<f64> = record.frames.iter().flat_map(|frame| &frame.arcs[k].pressure).copied().filter(|p| p.is_finite()).collect();
        let unit = unit_for(all.iter().fold(0.0_f64, |most, p| most.max(p.abs())));
        let x: Vec<f64> = arc.arc.iter().map(|s| MILLI * s).collect();
        let curve = |frame: &usize| {
            let own = &record.frames[*frame];
            let y = own.arcs[k].pressure.iter().map(|p| p * unit.factor).collect();
            let t = if by_load(case) {
                format!("{} % of the load", significant(100.0 * own.t, 4))
            } else {
                format!("{} s", significant(own.t, 4))
            };
            Plain { label: t, x: x.clone(), y }
        };
        let kind = if arc.contact { "Contact pressure" } else { "Pressure on the tied boundary" };
        let title = format!("{kind}, {}", element(&arc.name).to_lowercase());
        let reach: Vec<f64> = all.iter().map(|p| p * unit.factor).chain([0.0]).collect();
        let shown = chosen(record, k);
        let times: Vec<String> = shown.iter().map(|frame| format!("{:?}", record.frames[*frame].t)).collect();
        let curves = shown.iter().map(curve).collect();
        let plot = plain_chart(&title, unit.name, "Along the boundary / mm", curves, &reach);
        let marks =
            format!("class=\"plot soft-arc\" data-arc=\"{k}\" data-factor=\"{:?}\" data-times=\"{}\"", unit.factor, times.join(" "));
        plot.replacen("class=\"plot\"", &marks, 1)
    };
    record.arcs.iter().enumerate().map(one).collect()
}

/// A place in millimetres, to a hundredth.
fn millimetres(x: f64) -> String {
    significant((1e5 * x).round() / 100.0, 6).replace('-', "\u{2212}")
}

/// The table of peaks: how much, when, where.
fn peaks(index: usize, case: &Case, coloured: &[Coloured]) -> String {
    let record = case.soft;
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let when = |frame: usize| {
        let t = record.frames[frame].t;
        if by_load(case) || case.trajectory.len() < 2 {
            return text(&instant(case, t));
        }
        ("", format!("<button type=\"button\" class=\"link\" data-case=\"{index}\" data-time=\"{t:?}\">{} s</button>", significant(t, 4)))
    };
    let place = |peak: &Peak| {
        let [x, y] = record.frames[peak.frame].bodies[peak.body].points[peak.node].map(millimetres);
        text(&format!("x {x} mm, y {y} mm; node {}", peak.node))
    };
    let row = |part: &str, what: &str, value: f64, unit: &str, frame: usize, at: Cell| {
        vec![text(part), text(what), number(Some(value)), text(unit), when(frame), at]
    };
    for (body, part) in record.bodies.iter().enumerate() {
        let name = element(&part.name);
        for own in coloured {
            let (low, what) = match own.quantity {
                Quantity::VonMises => (None, "Von Mises stress"),
                Quantity::Hydrostatic => (Some("Hydrostatic pressure, lowest"), "Hydrostatic pressure, highest"),
                // Boundaries have rows of their own.
                Quantity::Contact => continue,
            };
            for (which, what) in [(Extreme::Highest, Some(what)), (Extreme::Lowest, low)] {
                let peak = what.and_then(|what| Some((what, peak_of(record, own.quantity, body, which)?)));
                // Where nothing is pulled, the lowest pressure tells nothing.
                let peak = peak.filter(|(_, peak)| which == Extreme::Highest || peak.value * own.unit.factor < -1e-6 * own.ends[1]);
                rows.extend(
                    peak.map(|(what, peak)| row(&name, what, peak.value * own.unit.factor, own.unit.name, peak.frame, place(&peak))),
                );
            }
        }
        let strain = |frame: usize| {
            let list = record.frames[frame].bodies[body].strain.iter().enumerate();
            list.flat_map(move |(node, e)| principal(*e).values.map(|value| Peak { value, frame, body, node }))
        };
        let all = (0..record.frames.len()).flat_map(strain).filter(|peak| peak.value.is_finite());
        let most = all.reduce(|a, b| if b.value.abs() > a.value.abs() { b } else { a });
        rows.extend(most.map(|peak| row(&name, "Principal strain of largest size", 100.0 * peak.value, "%", peak.frame, place(&peak))));
        let bent = |(frame, shape): (usize, Shape)| {
            let list = shape.bend.into_iter().map(|d| d[0].hypot(d[1])).enumerate().filter(|(_, d)| d.is_finite());
            list.reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(node, value)| Peak { value, frame, body, node })
        };
        let all = Shape::all(part, body, &record.frames).into_iter().enumerate().filter_map(bent);
        let most = all.reduce(|a, b| if b.value > a.value { b } else { a });
        rows.extend(most.map(|peak| {
            row(&name, "Deformation (motion beyond that of a rigid part)", MILLI * peak.value, "mm", peak.frame, place(&peak))
        }));
    }
    for (k, arc) in record.arcs.iter().enumerate() {
        let all = record
            .frames
            .iter()
            .enumerate()
            .flat_map(|(frame, own)| own.arcs[k].pressure.iter().enumerate().map(move |(at, p)| (*p, frame, at)));
        let most = all.filter(|(p, _, _)| p.is_finite()).reduce(|a, b| if b.0 > a.0 { b } else { a });
        let what = if arc.contact { "Contact pressure" } else { "Pressure on the tied boundary" };
        rows.extend(most.map(|(p, frame, at)| {
            let unit = unit_for(p);
            let words = text(&format!("{} mm along the boundary; node {}", millimetres(arc.arc[at]), arc.nodes[at]));
            row(&element(&arc.name), what, p * unit.factor, unit.name, frame, words)
        }));
    }
    let heads = [("", "Part"), ("", "Quantity"), ("number", "Peak"), ("", "Unit"), ("", "When"), ("", "Where")];
    table("Peaks over all recorded instants; stresses are means of the cells around a node", &heads, &rows)
}

#[cfg(test)]
mod tests {
    use super::super::super::html;
    use super::super::super::tests::report;
    use super::*;
    use crate::figure::Figure;
    use crate::recorded::soft::{self, PRESSURE, block_peak};
    use crate::recorded::{motion, system};

    fn section(record: &SoftRecord, method: &[(&str, &str)]) -> String {
        let system = system("double-pendulum");
        let table = motion(&system, 1.0, 11);
        let mut page = report("soft", Figure::of(&system), &table);
        page.cases[0].soft = record;
        page.cases[0].method = method.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let page = html(&page);
        page.split_once("<section id=\"soft-parts\"").expect("the section").1.split_once("</section>").expect("its end").0.to_string()
    }

    #[test]
    fn the_worst_instant_is_drawn_and_said_in_words() {
        let part = section(&soft::both(), &[]);
        let peak = significant(block_peak(3.0) * 1e-6, 3);
        assert!(part.contains(&format!("At 0.5 s, when the von Mises stress is highest: {peak} MPa in Block")), "{part}");
        assert!(part.contains("The deformation is drawn as it is.") && part.contains("The dashed line is the shape without load."));
        // Picture, bar, two plots of boundaries, one over time, and the table.
        assert_eq!((part.matches("<svg class=\"soft\"").count(), part.matches("<svg class=\"bar\"").count()), (1, 1));
        assert_eq!((part.matches("soft-time").count(), part.matches("soft-arc").count()), (1, 2));
        for words in ["Von Mises stress", "Hydrostatic pressure, lowest", "Contact pressure", "Liner", "MPa", "along the boundary; node"] {
            assert!(part.contains(words), "{words}");
        }
        assert!(part.contains(&format!("title=\"{:?}\"", PRESSURE * 1e-6)), "the peak of the contact with all its digits");
        assert!(
            part.contains("data-time=\"0.5\"") && part.contains("Block and Liner are soft") && part.contains("136 small cells"),
            "{part}"
        );
    }

    /// The block with all stresses times a factor.
    fn times(factor: f64) -> SoftRecord {
        let mut record = soft::block(3.0);
        let bodies = record.frames.iter_mut().flat_map(|frame| &mut frame.bodies);
        bodies.flat_map(|body| &mut body.stress).flatten().for_each(|x| *x *= factor);
        record
    }

    #[test]
    fn every_case_has_its_own_colours_and_rounding_has_none() {
        let top = |record: &SoftRecord| {
            let own = coloured(record)[0];
            own.ends[1] / own.unit.factor
        };
        let (small, large) = (times(1.0), times(50.0));
        assert!((top(&large) / top(&small) - 50.0).abs() < 15.0, "{} {}", top(&small), top(&large));
        let nothing = times(1e-20);
        assert_eq!((coloured(&nothing)[0].ends, coloured(&nothing)[0].unit.name), ([0.0, 1.0], "Pa"));
        let system = system("double-pendulum");
        let table = motion(&system, 1.0, 11);
        let mut page = report("soft", Figure::of(&system), &table);
        page.cases[0].soft = &nothing;
        assert_eq!(above(&page.cases[0], "<svg width=\"700\" height=\"90\"></svg>"), None, "no picture of rounding");
        page.cases[0].soft = &large;
        let file = above(&page.cases[0], "<svg width=\"700\" height=\"90\"></svg>").expect("a picture");
        assert!(
            file.contains("highest von Mises stress") && file.contains("<svg class=\"bar\"") && file.contains("height=\"90\""),
            "{file}"
        );
    }

    #[test]
    fn what_cannot_be_seen_is_enlarged_and_the_page_says_so() {
        let part = section(&soft::ring(), &[]);
        assert!(part.contains("times larger than it is: in truth it is at most 0.0"), "{part}");
        assert!(part.contains("mm in a part of 72 mm, too little to be seen."), "{part}");
    }

    #[test]
    fn instants_of_statics_are_parts_of_the_load() {
        let part = section(&soft::ring(), &[("analysis", "statics")]);
        assert!(part.contains("Under 50 % of the load, when") && part.contains("Part of the load / %") && !part.contains("data-time="));
        let mut single = soft::ring();
        single.frames = vec![single.frames[5].clone()];
        single.frames[0].t = 1.0;
        let part = section(&single, &[("analysis", "statics")]);
        assert!(part.contains("Under the full load, when") && !part.contains("soft-time"), "one instant has nothing over time");
    }

    #[test]
    fn hard_steps_are_listed_with_how_they_converged() {
        let part = section(&soft::ring(), &[]);
        assert!(part.contains("10 steps took 32 iterations and 14 factorisations; 1 was cut in two on the way."), "{part}");
        // From 100 to 1 to 1e-4 after the contacts have settled: the square each time; what is below rounding does not count.
        assert!(part.contains("1000, 100, 1, 0.0001, 1e-12") && part.contains(">2</span>"), "{part}");
        assert!(part.contains("0.6 s") && part.matches("10, 0.5, 1e-7").count() == 5, "six steps of ten: {part}");
        let mut none = soft::ring();
        none.steps.clear();
        assert!(!section(&none, &[]).contains("factorisations"));
    }

    #[test]
    fn no_soft_parts_no_section() {
        let system = system("double-pendulum");
        let table = motion(&system, 0.1, 3);
        assert!(!html(&report("none", Figure::of(&system), &table)).contains("id=\"soft-parts\""));
    }

    #[test]
    fn curves_along_a_boundary_include_the_highest() {
        let mut record = soft::ring();
        record.frames[7].arcs[0].pressure[3] = 9e6;
        let list = chosen(&record, 0);
        assert!(list.len() <= MOST_CURVES && list.contains(&7) && list.contains(&0) && list.contains(&10), "{list:?}");
    }
}
