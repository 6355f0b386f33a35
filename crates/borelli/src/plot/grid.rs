//! Small plots in rows and columns, as gait laboratories print them: curves of both sides over one cycle, bands, lines at events.
//! Not here: which curves stand where (`gait`), plots over time.
//! In: cells with curves. Out: the text of an SVG file, the same for the same input.

use super::axis::Scale;
use super::{INK, LINE, SOFT, document, label, stroke};
use crate::report::escape;
use std::fmt::Write;

/// Colours of the sides; other curves are grey.
pub const LEFT: &str = "#CC3311";
/// Colour of the right side.
pub const RIGHT: &str = "#0077BB";
/// Colour of what belongs to neither side.
pub const NEITHER: &str = "#59636e";

/// Dashes of means: those of the left side, drawn last, let a right one that is the same be seen, and tell the sides apart without colours.
pub fn dashes(colour: &str) -> String {
    if colour == LEFT { " stroke-dasharray=\"7 4\"".into() } else { String::new() }
}

/// A curve of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct GridCurve {
    /// Colour.
    pub colour: &'static str,
    /// Along the axis to the right.
    pub x: Vec<f64>,
    /// Upward; NaN leaves a gap.
    pub y: Vec<f64>,
    /// The mean of several, drawn thick; single ones are thin.
    pub mean: bool,
    /// Ends of the band around it, as many as y, or none.
    pub band: Vec<[f64; 2]>,
}

/// A line across a cell at one x.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// Colour.
    pub colour: &'static str,
    /// An event of the other side.
    pub dashed: bool,
}

/// One small plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridCell {
    /// What is shown.
    pub title: String,
    /// Unit.
    pub unit: String,
    /// What up and down mean: `Flex`, `Ext`; may be empty.
    pub up: String,
    /// What down means.
    pub down: String,
    /// Curves.
    pub curves: Vec<GridCurve>,
    /// Events.
    pub marks: Vec<Mark>,
}

/// Size of a cell and of its margins, px.
const CELL: [f64; 2] = [300.0, 190.0];
const MARGIN: [f64; 4] = [52.0, 14.0, 26.0, 30.0]; // left, right, top, bottom
/// Where titles begin, px: before the axis, so that long ones have room.
const TITLE: f64 = 8.0;

/// Cells in rows of so many columns; a cell without anything stays empty. x runs from 0 to `x_end` with ticks every fifth of it.
pub fn grid(cells: &[Option<GridCell>], columns: usize, x_end: f64, x_label: &str) -> String {
    let columns = columns.max(1);
    let rows = cells.len().div_ceil(columns);
    let mut body = String::new();
    for (k, cell) in cells.iter().enumerate() {
        if let Some(cell) = cell {
            draw(&mut body, cell, [(k % columns) as f64 * CELL[0], (k / columns) as f64 * CELL[1]], x_end);
        }
    }
    let (width, height) = (columns as f64 * CELL[0], rows as f64 * CELL[1] + 22.0);
    label(&mut body, width - MARGIN[1], height - 8.0, "end", INK, x_label);
    for (k, (colour, word)) in [(LEFT, "left"), (RIGHT, "right")].into_iter().enumerate() {
        let x = MARGIN[0] + 80.0 * k as f64;
        let _ = writeln!(body, "<path d=\"M{x:.1} {:.1}h22\" stroke=\"{colour}\" stroke-width=\"2.5\"{}/>", height - 12.5, dashes(colour));
        label(&mut body, x + 28.0, height - 8.0, "start", INK, word);
    }
    document(width, height, &body)
}

/// Each cell as a picture of its own, for pages that lay them out themselves; those without anything stay empty.
pub fn grid_cells(cells: &[Option<GridCell>], x_end: f64, x_label: &str) -> Vec<Option<String>> {
    let one = |cell: &GridCell| {
        let mut body = String::new();
        draw(&mut body, cell, [0.0, 0.0], x_end);
        label(&mut body, CELL[0] - MARGIN[1], CELL[1] + 10.0, "end", SOFT, x_label);
        document(CELL[0], CELL[1] + 16.0, &body)
    };
    cells.iter().map(|cell| cell.as_ref().map(one)).collect()
}

fn draw(out: &mut String, cell: &GridCell, [x0, y0]: [f64; 2], x_end: f64) {
    let (left, right) = (x0 + MARGIN[0], x0 + CELL[0] - MARGIN[1]);
    let (high, low) = (y0 + MARGIN[2], y0 + CELL[1] - MARGIN[3]);
    let around = cell.curves.iter().flat_map(|curve| curve.y.iter().copied().chain(curve.band.iter().flatten().copied()));
    let values: Vec<f64> = around.chain([0.0]).collect();
    let y = Scale::around(values.iter(), false, 0.12);
    let at_x = |value: f64| left + value / x_end * (right - left);
    let at_y = |value: f64| y.part(value).map(|part| low - part * (low - high));
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-weight=\"bold\" fill=\"{INK}\">{} <tspan font-weight=\"normal\" fill=\"{SOFT}\">{}</tspan></text>",
        x0 + TITLE,
        high - 9.0,
        escape(&cell.title),
        escape(&if cell.unit.is_empty() { String::new() } else { format!("/ {}", cell.unit) })
    );
    // A lone zero tells no scale.
    let few = y.ticks(4);
    let ticks = if few.len() < 3 { y.ticks(8) } else { few };
    for (value, text) in ticks {
        let Some(at) = at_y(value) else { continue };
        stroke(out, (left, at), (right, at), if value == 0.0 { SOFT } else { LINE }, 1.0);
        label(out, left - 6.0, at + 4.5, "end", SOFT, &text);
    }
    for k in 0..=5 {
        let value = x_end * f64::from(k) / 5.0;
        stroke(out, (at_x(value), low), (at_x(value), low + 4.0), SOFT, 1.0);
        label(out, at_x(value), low + 17.0, "middle", SOFT, &format!("{value:.0}"));
    }
    stroke(out, (left, low), (right, low), SOFT, 1.0);
    for mark in &cell.marks {
        let dash = if mark.dashed { " stroke-dasharray=\"4 4\"" } else { "" };
        let _ =
            writeln!(out, "<path d=\"M{0:.1} {low:.1}V{high:.1}\" stroke=\"{1}\" stroke-width=\"1\"{dash}/>", at_x(mark.x), mark.colour);
    }
    // Below the curves, so that no peak is hidden.
    for (arrow, word, y) in [('\u{2191}', &cell.up, high + 10.0), ('\u{2193}', &cell.down, low - 4.0)] {
        if !word.is_empty() {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{y:.1}\" font-size=\"12.5\" text-anchor=\"start\" fill=\"{SOFT}\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">{arrow}\u{a0}{}</text>",
                left + 3.0,
                escape(word)
            );
        }
    }
    for curve in &cell.curves {
        band(out, curve, &at_x, &at_y);
    }
    for curve in cell.curves.iter().filter(|curve| curve.colour != LEFT).chain(cell.curves.iter().filter(|curve| curve.colour == LEFT)) {
        line(out, curve, &at_x, &at_y);
    }
}

/// A band as an area; a gap ends it.
fn band(out: &mut String, curve: &GridCurve, at_x: &dyn Fn(f64) -> f64, at_y: &dyn Fn(f64) -> Option<f64>) {
    if curve.band.len() != curve.y.len() {
        return;
    }
    let mut from = 0;
    while from < curve.y.len() {
        let run = curve.y[from..].iter().take_while(|y| y.is_finite()).count();
        let part = from..from + run;
        from += run.max(1);
        let edge = |end: usize, k: usize| at_y(curve.band[k][end]).map(|y| format!("{:.1} {y:.1}", at_x(curve.x[k])));
        let points: Vec<String> = part.clone().filter_map(|k| edge(1, k)).chain(part.rev().filter_map(|k| edge(0, k))).collect();
        if points.len() > 3 {
            let _ = writeln!(out, "<path d=\"M{}Z\" fill=\"{}\" fill-opacity=\"0.18\"/>", points.join("L"), curve.colour);
        }
    }
}

fn line(out: &mut String, curve: &GridCurve, at_x: &dyn Fn(f64) -> f64, at_y: &dyn Fn(f64) -> Option<f64>) {
    let (mut path, mut pen) = (String::new(), false);
    for (x, y) in curve.x.iter().zip(&curve.y) {
        match at_y(*y) {
            Some(py) => {
                let _ = write!(path, "{}{:.1} {py:.1}", if pen { 'L' } else { 'M' }, at_x(*x));
                pen = true;
            }
            None => pen = false,
        }
    }
    let width = if curve.mean { 2.4 } else { 1.0 };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-opacity=\"{}\" stroke-linejoin=\"round\"{}/>",
        curve.colour,
        if curve.mean { 1.0 } else { 0.75 },
        if curve.mean { dashes(curve.colour) } else { String::new() }
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell() -> GridCell {
        let x: Vec<f64> = (0..=100).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|x| if *x > 90.0 { f64::NAN } else { 0.1 * x - 3.0 }).collect();
        let band = y.iter().map(|y| [y - 0.5, y + 0.5]).collect();
        GridCell {
            title: "Knee <sagittal>".into(),
            unit: "deg".into(),
            up: "Flex".into(),
            down: "Ext".into(),
            curves: vec![GridCurve { colour: LEFT, x, y, mean: true, band }],
            marks: vec![Mark { x: 60.0, colour: LEFT, dashed: false }, Mark { x: 10.0, colour: RIGHT, dashed: true }],
        }
    }

    #[test]
    fn an_empty_cell_stays_empty_and_a_full_one_has_band_curve_and_marks() {
        let picture = grid(&[None, Some(cell())], 2, 100.0, "% of the cycle");
        assert_eq!(picture.matches("Knee &lt;sagittal&gt;").count(), 1);
        assert!(picture.contains("fill-opacity") && picture.contains("stroke-dasharray=\"4 4\"") && !picture.contains("NaN"));
        assert!(
            picture.contains(">% of the cycle<")
                && picture.contains("\u{2191}\u{a0}Flex<")
                && picture.contains("\u{2193}\u{a0}Ext<")
                && picture.contains(">100<")
        );
        assert_eq!(picture, grid(&[None, Some(cell())], 2, 100.0, "% of the cycle"));
    }

    /// A bold sans-serif face of 13 px takes at most 7.7 px a letter on average, a normal one 6.9 px.
    #[test]
    fn the_longest_title_of_a_report_fits_its_cell() {
        let room = CELL[0] - TITLE;
        let widest = 7.7 * "Ankle plantarflexion moment".len() as f64 + 6.9 * " / N m/kg".len() as f64;
        assert!(widest < room, "{widest} of {room}");
        let picture = grid(&[Some(cell())], 1, 100.0, "");
        assert!(picture.contains(&format!("<text x=\"{TITLE:.1}\"")), "{picture}");
    }

    #[test]
    fn the_end_of_the_cycle_stands_at_the_right_edge() {
        let picture = grid(&[Some(cell())], 1, 100.0, "");
        let mark = picture.lines().find(|row| row.starts_with("<path d=\"M") && row.contains('V')).expect("a mark");
        let x: f64 = mark["<path d=\"M".len()..].split(' ').next().expect("a place").parse().expect("a number");
        assert!((x - (MARGIN[0] + 0.6 * (CELL[0] - MARGIN[0] - MARGIN[1]))).abs() < 0.1, "{x}");
    }
}
