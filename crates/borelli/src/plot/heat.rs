//! Heat maps as SVG: cells coloured by value, and the bar that says what the colours mean.
//! Not here: where the values come from, other plots.
//! In: values of cells in rows. Out: text of an `svg` element, for a page.

use super::axis::nice;
use std::fmt::Write;

/// Colours that are told apart.
const LEVELS: usize = 24;
/// From the lowest to the highest: each darker than the one before, also without colour.
const RAMP: [[f64; 3]; 5] = [[255.0, 243.0, 196.0], [253.0, 197.0, 97.0], [241.0, 121.0, 58.0], [184.0, 38.0, 79.0], [74.0, 13.0, 82.0]];
/// Most cells along a side that are drawn; finer ones are drawn together.
const FINEST: usize = 150;

fn colour(level: usize) -> String {
    let place = (level - 1) as f64 / (LEVELS - 1) as f64 * (RAMP.len() - 1) as f64;
    let below = (place as usize).min(RAMP.len() - 2);
    let mix = |k: usize| RAMP[below][k] + (place - below as f64) * (RAMP[below + 1][k] - RAMP[below][k]);
    format!("#{:02x}{:02x}{:02x}", mix(0).round() as u8, mix(1).round() as u8, mix(2).round() as u8)
}

/// Cells over a rectangle seen from above: the first side up the page, the second to the right.
#[derive(Clone, Copy, Debug)]
pub struct HeatMap<'a> {
    /// Number of cells along both sides.
    pub cells: [usize; 2],
    /// Sizes of a cell, in any unit.
    pub pitch: [f64; 2],
    /// Values, along the second side first.
    pub values: &'a [f64],
    /// Value of the last colour; what is not above zero has none.
    pub top: f64,
    /// A point to be marked, from the corner.
    pub mark: Option<[f64; 2]>,
    /// For those who do not see it.
    pub label: &'a str,
}

impl HeatMap<'_> {
    /// The picture, as large as fits into so many pixels in width and height.
    pub fn svg(&self, room: [f64; 2]) -> String {
        let ([up, right], [pitch_up, pitch_right]) = (self.cells, self.pitch);
        let (height, width) = (up as f64 * pitch_up, right as f64 * pitch_right);
        let scale = (room[0] / width).min(room[1] / height);
        let (shown, levels) = self.levels();
        let mut paths = vec![String::new(); LEVELS + 1];
        for i in 0..shown[0] {
            let row = &levels[i * shown[1]..(i + 1) * shown[1]];
            let mut k = 0;
            while k < row.len() {
                // Neighbours of one colour are one rectangle.
                let run = row[k..].iter().take_while(|level| **level == row[k]).count();
                if row[k] > 0 {
                    let _ = write!(paths[row[k]], "M{k} {}h{run}v1h-{run}z", shown[0] - 1 - i);
                }
                k += run;
            }
        }
        let (w, h) = (width * scale, height * scale);
        let mut out = format!(
            "<svg role=\"img\" aria-label=\"{}\" width=\"{w:.1}\" height=\"{h:.1}\" viewBox=\"0 0 {w:.1} {h:.1}\">\
             <rect class=\"ground\" width=\"{w:.1}\" height=\"{h:.1}\"/>\
             <g shape-rendering=\"crispEdges\" transform=\"scale({:.6} {:.6})\">",
            crate::report::escape(self.label),
            w / shown[1] as f64,
            h / shown[0] as f64
        );
        for (level, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            let _ = write!(out, "<path fill=\"{}\" d=\"{path}\"/>", colour(level));
        }
        let _ = write!(out, "</g><rect class=\"edge\" width=\"{w:.1}\" height=\"{h:.1}\"/>");
        if let Some([x, z]) = self.mark {
            let _ = write!(out, "<circle class=\"mark\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>", z * scale, h - x * scale);
        }
        out + "</svg>"
    }

    /// Colours of the cells that are drawn, nothing as zero; of those drawn together the highest value counts.
    fn levels(&self) -> ([usize; 2], Vec<usize>) {
        let shown = self.cells.map(|count| count.div_ceil(count.div_ceil(FINEST)));
        let per = self.cells.map(|count| count.div_ceil(FINEST));
        let mut levels = vec![0; shown[0] * shown[1]];
        for (cell, value) in self.values.iter().enumerate() {
            let own = &mut levels[cell / self.cells[1] / per[0] * shown[1] + cell % self.cells[1] / per[1]];
            if *value > 0.0 && self.top > 0.0 {
                *own = (*own).max(((value / self.top * LEVELS as f64).ceil() as usize).clamp(1, LEVELS));
            }
        }
        (shown, levels)
    }
}

/// A round value not below the highest, and the distance of round marks up to it.
pub fn round_top(highest: f64) -> (f64, f64) {
    if !(highest > 0.0) {
        return (0.0, 0.0);
    }
    let step = nice(highest / 5.0);
    ((highest / step * (1.0 - 1e-9)).ceil() * step, step)
}

/// The bar of all colours from zero to `top` with a mark every `step`, and its unit.
pub fn colour_bar(top: f64, step: f64, unit: &str) -> String {
    bar([0.0, top], step, unit, LEVELS, &|level| colour(level + 1))
}

/// A bar of so many colours between two ends with a mark every `step`, and its unit.
pub(super) fn bar([low, high]: [f64; 2], step: f64, unit: &str, levels: usize, colour: &dyn Fn(usize) -> String) -> String {
    const WIDTH: f64 = 240.0;
    let words = |x: f64| crate::report::significant(x, 6).replace('-', "\u{2212}");
    let mut out = format!(
        "<svg class=\"bar\" role=\"img\" aria-label=\"colours from {} to {} {unit}\" width=\"320\" height=\"34\" viewBox=\"-8 0 320 34\">",
        words(low),
        words(high)
    );
    for level in 0..levels {
        let wide = WIDTH / levels as f64;
        let _ = write!(out, "<rect x=\"{:.1}\" width=\"{wide:.1}\" height=\"14\" fill=\"{}\"/>", level as f64 * wide, colour(level));
    }
    let marks = if step > 0.0 { (low / step).round() as i64..=(high / step).round() as i64 } else { 0..=0 };
    for k in marks {
        let value = k as f64 * step;
        let at = if high > low { (value - low) / (high - low) * WIDTH } else { 0.0 };
        let text = words(value);
        let _ = write!(
            out,
            "<path class=\"tick\" d=\"M{at:.1} 0v17\"/><text x=\"{at:.1}\" y=\"30\" font-size=\"12\" text-anchor=\"middle\">{text}</text>"
        );
    }
    let _ = write!(out, "<text x=\"{}\" y=\"12\" font-size=\"12\">{}</text></svg>", WIDTH + 8.0, crate::report::escape(unit));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_stands_up_the_page_and_to_the_right_in_its_own_colour() {
        // 3 cells up, 2 to the right: the highest value in the middle row on the right, a low one in the lowest on the left.
        let map =
            HeatMap { cells: [3, 2], pitch: [2.0, 1.0], values: &[1.0, 0.0, 0.0, 24.0, 0.0, 0.0], top: 24.0, mark: None, label: "a<b" };
        let svg = map.svg([100.0, 60.0]);
        // 6 by 2 units in 100 by 60 pixels: the height decides.
        assert!(svg.contains("width=\"20.0\" height=\"60.0\"") && svg.contains("scale(10.000000 20.000000)"), "{svg}");
        assert!(svg.contains(&format!("<path fill=\"{}\" d=\"M0 2h1v1h-1z\"/>", colour(1))), "{svg}");
        assert!(svg.contains(&format!("<path fill=\"{}\" d=\"M1 1h1v1h-1z\"/>", colour(24))), "{svg}");
        assert!(svg.matches("<path").count() == 2 && svg.contains("a&lt;b"));
        let marked = HeatMap { mark: Some([5.0, 0.5]), ..map }.svg([100.0, 60.0]);
        assert!(marked.contains("cx=\"5.0\" cy=\"10.0\""), "{marked}");
    }

    #[test]
    fn many_cells_are_drawn_together_and_keep_their_highest_value() {
        let mut values = vec![0.0; 400 * 301];
        values[399 * 301 + 300] = 3.0;
        let map = HeatMap { cells: [400, 301], pitch: [1.0, 1.0], values: &values, top: 3.0, mark: None, label: "" };
        let (shown, levels) = map.levels();
        assert_eq!((shown, levels.len(), levels.iter().sum::<usize>()), ([134, 101], 134 * 101, 24));
        assert_eq!(levels.last(), Some(&24));
    }

    #[test]
    fn darker_is_more_and_the_bar_ends_at_a_round_value() {
        let light = |level| {
            let text = colour(level);
            (0..3).map(|k| u32::from_str_radix(&text[1 + 2 * k..3 + 2 * k], 16).unwrap() * [299, 587, 114][k]).sum::<u32>()
        };
        assert!((1..LEVELS).all(|level| light(level + 1) < light(level)));
        assert_eq!(round_top(412.0), (500.0, 100.0));
        assert_eq!(round_top(100.0), (100.0, 20.0));
        assert_eq!(round_top(0.0), (0.0, 0.0));
        assert!(colour_bar(500.0, 100.0, "kPa").contains(">400</text>"));
    }
}
