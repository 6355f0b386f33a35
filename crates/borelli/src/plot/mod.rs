//! Static pictures as SVG: curves with axes, ticks, units and a legend; grids of small plots; strips of figures at several times; heat maps; force vectors.
//! Not here: the page with moving figures (`report`), files.
//! In: numbers with labels. Out: text of an SVG file, the same for the same input.

mod arrange;
pub(crate) mod axis;
mod force_vectors;
mod grid;
mod heat;
mod paint;
mod soft;
mod still;
mod strip;
mod thin;

pub use force_vectors::{FloorLine, ForceVectors, floor_plan, force_vectors};
pub use grid::{GridCell, GridCurve, LEFT, Mark, NEITHER, RIGHT, dashes, grid, grid_cells};
pub use heat::{HeatMap, colour_bar, round_top};
pub use soft::{SOFT_RAMP, SoftPart, SoftPicture, soft_above, soft_bar};
pub use still::{Still, spread, still};
pub use strip::{Strip, figure_strip, times_every};

use crate::columns::{UnknownColumn, matching};
use crate::report::escape;
use axis::Scale;
use borelli_data::Trajectory;
use std::fmt::Write;

/// What one direction of a plot means.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured.
    pub label: String,
    /// Unit as written; `1` or nothing for a pure number.
    pub unit: String,
    /// Powers of ten at equal distances; values that are not positive are left out.
    pub log: bool,
}

impl Axis {
    /// A linear axis.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Axis {
        Axis { label: label.into(), unit: unit.into(), log: false }
    }

    fn text(&self) -> String {
        match (self.label.is_empty(), self.unit.is_empty() || self.unit == "1") {
            (_, true) => self.label.clone(),
            (true, false) => self.unit.clone(),
            (false, false) => format!("{} / {}", self.label, self.unit),
        }
    }
}

/// One curve. Where x or y is not finite there is a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// Values along the axis to the right.
    pub x: Vec<f64>,
    /// Values along the axis upward, as many.
    pub y: Vec<f64>,
    /// A ring at every point, for few points.
    pub marks: bool,
}

/// Curves in one frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Title; may be empty.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upward.
    pub y: Axis,
    /// Curves.
    pub series: Vec<Series>,
}

impl Plot {
    /// Columns of a trajectory over time, by name or pattern: one plot per unit in the order asked for. Angles become degrees.
    pub fn of_columns(trajectory: &Trajectory, words: &[&str]) -> Result<Vec<Plot>, UnknownColumn> {
        let mut plots: Vec<Plot> = Vec::new();
        for k in matching(trajectory, words)? {
            let column = &trajectory.columns()[k];
            let (unit, factor) = shown_unit(column.unit.as_deref().unwrap_or(""));
            let series = Series {
                label: column.name.clone(),
                x: trajectory.time().to_vec(),
                y: trajectory.values(k).iter().map(|y| y * factor).collect(),
                marks: false,
            };
            match plots.iter_mut().find(|plot| plot.y.unit == unit) {
                Some(plot) => plot.series.push(series),
                None => {
                    let (x, y) = (Axis::new("time", "s"), Axis::new("", unit));
                    plots.push(Plot { title: String::new(), x, y, series: vec![series] });
                }
            }
        }
        Ok(plots)
    }
}

/// The unit a column is shown in and the factor to it: degrees for angles and their rates.
pub fn shown_unit(unit: &str) -> (String, f64) {
    match unit {
        "rad" | "rad/s" | "rad/s^2" => (unit.replacen("rad", "deg", 1), 180.0 / std::f64::consts::PI),
        _ => (unit.to_string(), 1.0),
    }
}

/// Colours of curves and bodies on a light background, also for most colour-blind eyes.
const COLOURS: [&str; 8] = ["#0b66c3", "#d1570a", "#13795b", "#b0308c", "#7a6200", "#6941c6", "#0e7f95", "#6b7280"];

/// Type of pictures in files.
pub(crate) const FONT: &str = "Liberation Sans, Arial, Helvetica, sans-serif";
pub(crate) const INK: &str = "#1b1f24";
pub(crate) const SOFT: &str = "#59636e";
pub(crate) const LINE: &str = "#d5dae0";

/// Width of every picture, and height of a frame without legend, px.
const WIDTH: f64 = 760.0;
const FRAME: f64 = 350.0;

/// One plot as a picture.
pub fn svg(plot: &Plot) -> String {
    panels(std::slice::from_ref(plot))
}

/// Several plots, one below the other, as one picture. A plot of more curves than pens becomes several.
pub fn panels(plots: &[Plot]) -> String {
    let mut body = String::new();
    let mut top = 0.0;
    for plot in plots.iter().flat_map(legible) {
        top += panel(&mut body, &plot, top);
    }
    document(WIDTH, f64::max(top, 1.0), &body)
}

/// A plot in parts of about as many curves, in each of which no two look the same.
fn legible(plot: &Plot) -> Vec<Plot> {
    let pens = COLOURS.len() * DASHES.len();
    let parts = plot.series.len().div_ceil(pens).max(1);
    if parts == 1 {
        return vec![plot.clone()];
    }
    let chunks = plot.series.chunks(plot.series.len().div_ceil(parts)).enumerate();
    let title = |k: usize| format!("{} part {} of {parts}", plot.title, k + 1).trim_start().to_string();
    chunks.map(|(k, series)| Plot { title: title(k), series: series.to_vec(), ..plot.clone() }).collect()
}

/// A whole file around elements.
fn document(width: f64, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"{FONT}\" font-size=\"13\">\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

/// A text element.
fn label(out: &mut String, x: f64, y: f64, anchor: &str, fill: &str, text: &str) {
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>", escape(text));
}

/// A straight stroke.
fn stroke(out: &mut String, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ =
        writeln!(out, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>");
}

/// Draws one plot from a height on; returns the height it takes.
fn panel(out: &mut String, plot: &Plot, top: f64) -> f64 {
    let legend = legend_rows(plot);
    let title = if plot.title.is_empty() { 0.0 } else { 26.0 };
    let (left, right) = (78.0, WIDTH - 20.0);
    let (high, low) = (top + 30.0 + title, top + title + FRAME - 50.0);
    let x = Scale::around(plot.series.iter().flat_map(|s| &s.x), plot.x.log, 0.0);
    let y = Scale::around(plot.series.iter().flat_map(|s| &s.y), plot.y.log, 0.05);
    let at_x = |value: f64| x.part(value).map(|part| left + part * (right - left));
    let at_y = |value: f64| y.part(value).map(|part| low - part * (low - high));
    if !plot.title.is_empty() {
        let _ = writeln!(
            out,
            "<text x=\"{left:.1}\" y=\"{:.1}\" font-size=\"16\" font-weight=\"bold\" fill=\"{INK}\">{}</text>",
            top + 26.0,
            escape(&plot.title)
        );
    }
    for (value, text) in y.ticks(6) {
        let Some(at) = at_y(value) else { continue };
        stroke(out, (left, at), (right, at), if value == 0.0 { SOFT } else { LINE }, 1.0);
        label(out, left - 7.0, at + 4.5, "end", SOFT, &text);
    }
    for (value, text) in x.ticks(8) {
        let Some(at) = at_x(value) else { continue };
        stroke(out, (at, low), (at, low + 5.0), SOFT, 1.0);
        label(out, at, low + 19.0, "middle", SOFT, &text);
    }
    stroke(out, (left, low), (right, low), SOFT, 1.2);
    stroke(out, (left, low), (left, high), SOFT, 1.2);
    label(out, right, low + 36.0, "end", INK, &plot.x.text());
    label(out, 10.0, high - 12.0, "start", INK, &plot.y.text());
    for (k, series) in plot.series.iter().enumerate() {
        curve(out, series, COLOURS[k % COLOURS.len()], &dash(k), &|x, y| Some((at_x(x)?, at_y(y)?)));
    }
    for (k, (row, at)) in legend.places.iter().enumerate() {
        let y = low + 56.0 + 20.0 * *row as f64;
        let from = left + at;
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {:.1}h24\" stroke=\"{}\" stroke-width=\"2.5\"{}/>",
            from,
            y - 4.5,
            COLOURS[k % COLOURS.len()],
            dash(k)
        );
        label(out, from + 30.0, y, "start", INK, &plot.series[k].label);
    }
    title + FRAME + 20.0 * legend.rows as f64
}

/// After all colours are used, curves are dashed.
const DASHES: [&str; 2] = ["none", "7 4"];

fn dash(k: usize) -> String {
    format!(" stroke-dasharray=\"{}\"", DASHES[(k / COLOURS.len()) % DASHES.len()])
}

/// Where the names of curves stand.
struct Legend {
    rows: usize,
    /// Row and offset of each name.
    places: Vec<(usize, f64)>,
}

/// Names side by side as long as they fit.
fn legend_rows(plot: &Plot) -> Legend {
    let mut legend = Legend { rows: 0, places: Vec::new() };
    if plot.series.iter().all(|series| series.label.is_empty()) {
        return legend;
    }
    let (mut row, mut at) = (0, 0.0);
    for series in &plot.series {
        // The widths of letters are not known here; this is what a sans-serif face of 13 px takes at most on average.
        let width = 30.0 + 7.4 * series.label.chars().count() as f64 + 18.0;
        if at > 0.0 && at + width > WIDTH - 98.0 {
            (row, at) = (row + 1, 0.0);
        }
        legend.places.push((row, at));
        at += width;
    }
    legend.rows = row + 1;
    legend
}

/// A curve with gaps where a value is missing; a lone point becomes a dot.
fn curve(out: &mut String, series: &Series, colour: &str, dash: &str, place: &dyn Fn(f64, f64) -> Option<(f64, f64)>) {
    let mut path = String::new();
    let mut marks = String::new();
    let mut pen = false;
    for (x, y) in series.x.iter().zip(&series.y) {
        let Some((px, py)) = place(*x, *y) else {
            pen = false;
            continue;
        };
        let _ = if pen { write!(path, "L{px:.2} {py:.2}") } else { write!(path, "M{px:.2} {py:.2}h0.01") };
        pen = true;
        if series.marks {
            let _ = writeln!(
                marks,
                "<circle cx=\"{px:.2}\" cy=\"{py:.2}\" r=\"3.5\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"2\"/>"
            );
        }
    }
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke-linecap=\"round\"{dash}/>"
    );
    out.push_str(&marks);
}

#[cfg(test)]
mod tests;
