//! Curves of a law as a picture and as a sketch of letters.
//! Not here: the curves (`borelli_contact::catalogue`), drawing (`plot`).

use borelli::plot::{Axis, Plot, Series, panels};
use borelli::report::significant;
use borelli_contact::catalogue::{Curve, Panel, Quantity};

/// Both panels of a law, one below the other, as SVG.
pub fn svg(name: &str, portrait: &[Panel]) -> String {
    let axis = |quantity: Quantity| Axis::new(quantity.label, quantity.unit);
    let plot = |panel: &Panel| {
        let series =
            panel.curves.iter().map(|Curve { label, x, y }| Series { label: label.clone(), x: x.clone(), y: y.clone(), marks: false });
        let title = format!("{name}: {}", panel.caption.replace('`', ""));
        Plot { title, x: axis(panel.x), y: axis(panel.y), series: series.collect() }.thinned()
    };
    panels(&portrait.iter().map(plot).collect::<Vec<_>>())
}

/// Columns and rows of a sketch.
const SIZE: (usize, usize) = (72, 15);

/// Letters of the curves.
const PENS: [char; 3] = ['*', '+', 'o'];

/// A panel in letters, the first curve on top.
pub fn sketch(panel: &Panel) -> String {
    let (columns, rows) = SIZE;
    let ends = |pick: fn(&Curve) -> &Vec<f64>| {
        let all = panel.curves.iter().flat_map(pick).filter(|x| x.is_finite());
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
    };
    let ((left, right), (low, high)) = (ends(|curve| &curve.x), ends(|curve| &curve.y));
    if !(left < right && low < high) {
        return String::new();
    }
    let mut grid = vec![vec![' '; columns]; rows];
    let row = |y: f64| ((high - y) / (high - low) * (rows - 1) as f64).round() as usize;
    let column = |x: f64| ((x - left) / (right - left) * (columns - 1) as f64).round() as usize;
    if low <= 0.0 && high >= 0.0 {
        grid[row(0.0)].fill('-');
    }
    for (k, curve) in panel.curves.iter().enumerate().rev() {
        let points: Vec<(f64, f64)> = curve.x.iter().copied().zip(curve.y.iter().copied()).collect();
        for ends in points.windows(2) {
            let [(x1, y1), (x2, y2)] = [ends[0], ends[1]];
            if !(y1.is_finite() && y2.is_finite()) {
                continue;
            }
            // Steep parts need more than their ends.
            for step in 0..=rows {
                let part = step as f64 / rows as f64;
                grid[row(y1 + part * (y2 - y1))][column(x1 + part * (x2 - x1))] = PENS[k % PENS.len()];
            }
        }
    }
    let number = |x: f64| significant(x, 3);
    let label = |k: usize| match k {
        0 => number(high),
        k if k == rows - 1 => number(low),
        k if low < 0.0 && high > 0.0 && k == row(0.0) => "0".into(),
        _ => String::new(),
    };
    let mut text = format!("{} / {} {}\n", panel.y.label, panel.y.unit, panel.caption);
    for (k, line) in grid.iter().enumerate() {
        let line: String = line.iter().collect();
        text.push_str(&format!("{:>8} |{}\n", label(k), line.trim_end()));
    }
    let gap = columns.saturating_sub(number(left).len() + number(right).len());
    text.push_str(&format!("{:>10}{}{}{}  {} / {}\n", "", number(left), " ".repeat(gap), number(right), panel.x.label, panel.x.unit));
    for (pen, curve) in PENS.iter().zip(&panel.curves) {
        text.push_str(&format!("{:>10}{pen} {}\n", "", curve.label));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_has_its_ends_and_its_zero() {
        let quantity = Quantity { label: "y", unit: "N" };
        let curve = Curve { label: "line".into(), x: vec![0.0, 0.5, 0.75, 1.0], y: vec![-1.0, 0.0, f64::NAN, 1.0] };
        let text = sketch(&Panel { caption: String::new(), x: quantity, y: quantity, curves: vec![curve] });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + SIZE.1 + 2);
        // From the lower left corner to the middle; the rest is a gap.
        assert!(lines[15].starts_with("      -1 |*") && lines[1].trim_end() == "       1 |", "{text}");
        assert!(lines[8].starts_with("       0 |--------") && lines[8].contains('*'), "{text}");
        assert!(lines[1..8].iter().all(|line| !line.contains('*')), "{text}");
    }
}
