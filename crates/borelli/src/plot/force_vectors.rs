//! Force-vector diagrams (Pedotti) and the path of the centre of pressure seen from above.
//! Not here: where forces come from.
//! In: places in m and forces in N. Out: the text of an SVG file, the same for the same input.

use super::{INK, SOFT, document, label, stroke};
use std::fmt::Write;

/// Forces of one stance drawn from where they act.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceVectors {
    /// Name of the stance.
    pub title: String,
    /// Colour of the side.
    pub colour: &'static str,
    /// Place along the walking direction, m.
    pub at: Vec<f64>,
    /// Force along the walking direction and up, N.
    pub force: Vec<[f64; 2]>,
}

/// Width of a diagram, its margins, and the height that the largest force takes, px.
const WIDTH: f64 = 440.0;
const EDGE: f64 = 40.0;
const TALL: f64 = 200.0;
/// Most height of the floor from above, px.
const HIGH: f64 = 340.0;

/// Diagrams side by side, with one scale of force and one of length for all, both the same along and up.
pub fn force_vectors(stances: &[ForceVectors]) -> String {
    let peak = stances.iter().flat_map(|s| &s.force).map(|f| f[0].hypot(f[1])).fold(0.0, f64::max).max(1.0);
    let newton = TALL / peak;
    let length =
        |s: &ForceVectors| s.at.iter().copied().fold(f64::NEG_INFINITY, f64::max) - s.at.iter().copied().fold(f64::INFINITY, f64::min);
    let longest = stances.iter().map(length).filter(|x| x.is_finite()).fold(0.05, f64::max);
    let lean = stances.iter().flat_map(|s| &s.force).map(|f| f[0].abs()).fold(0.0, f64::max) * newton;
    let metre = ((WIDTH - 2.0 * EDGE - 2.0 * lean) / longest).max(100.0);
    let mut body = String::new();
    for (k, stance) in stances.iter().enumerate() {
        let (x0, floor) = ((k % 2) as f64 * WIDTH, (k / 2) as f64 * (TALL + 80.0) + TALL + 34.0);
        let first = stance.at.iter().copied().fold(f64::INFINITY, f64::min);
        label(&mut body, x0 + EDGE, floor - TALL - 14.0, "start", INK, &stance.title);
        stroke(&mut body, (x0 + EDGE, floor), (x0 + WIDTH - 10.0, floor), SOFT, 1.2);
        let mut path = String::new();
        for (at, force) in stance.at.iter().zip(&stance.force) {
            let x = x0 + EDGE + lean + (at - first) * metre;
            let _ = write!(path, "M{x:.1} {floor:.1}l{:.1} {:.1}", force[0] * newton, -force[1] * newton);
        }
        let _ =
            writeln!(body, "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\" stroke-opacity=\"0.8\"/>", stance.colour);
        let bar = super::axis::nice(0.25 * longest);
        stroke(&mut body, (x0 + EDGE, floor + 10.0), (x0 + EDGE + bar * metre, floor + 10.0), INK, 2.0);
        label(&mut body, x0 + EDGE + bar * metre + 6.0, floor + 15.0, "start", SOFT, &format!("{:.0} mm forward", 1e3 * bar));
        let force = super::axis::nice(0.4 * peak);
        stroke(&mut body, (x0 + 20.0, floor), (x0 + 20.0, floor - force * newton), INK, 2.0);
        label(&mut body, x0 + 16.0, floor - force * newton - 6.0, "start", SOFT, &format!("{force:.0} N"));
    }
    let rows = stances.len().div_ceil(2).max(1) as f64;
    document(stances.len().clamp(1, 2) as f64 * WIDTH, rows * (TALL + 80.0) + 10.0, &body)
}

/// A line seen from above.
#[derive(Clone, Debug, PartialEq)]
pub struct FloorLine {
    /// What is written inside it; may be empty.
    pub name: String,
    /// Colour.
    pub colour: &'static str,
    /// Points forward and to the right, m; a gap where not finite.
    pub points: Vec<[f64; 2]>,
    /// The last point is joined to the first.
    pub closed: bool,
}

/// The floor seen from above: forward to the right of the page, the person's right downward, one scale for both.
pub fn floor_plan(lines: &[FloorLine]) -> String {
    let all = || lines.iter().flat_map(|line| &line.points).filter(|p| p[0].is_finite() && p[1].is_finite());
    let end = |axis: usize, sign: f64| all().map(|p| sign * p[axis]).fold(f64::NEG_INFINITY, f64::max) * sign;
    let (x_low, x_high, z_low, z_high) = (end(0, -1.0), end(0, 1.0), end(1, -1.0), end(1, 1.0));
    if !(x_high >= x_low && z_high >= z_low) {
        return document(2.0 * WIDTH, 40.0, "");
    }
    let scale = ((2.0 * WIDTH - 2.0 * EDGE) / (x_high - x_low).max(0.2)).min(HIGH / (z_high - z_low).max(0.2)).min(420.0);
    let height = (z_high - z_low).max(0.05) * scale + 2.0 * EDGE + 10.0;
    let place = |p: &[f64; 2]| (EDGE + (p[0] - x_low) * scale, EDGE + (p[1] - z_low) * scale);
    let mut body = String::new();
    for line in lines {
        let (mut path, mut pen) = (String::new(), false);
        for point in &line.points {
            if point[0].is_finite() && point[1].is_finite() {
                let (x, y) = place(point);
                let _ = write!(path, "{}{x:.1} {y:.1}", if pen { 'L' } else { 'M' });
                pen = true;
            } else {
                pen = false;
            }
        }
        let close = if line.closed { "Z" } else { "" };
        let _ = writeln!(
            body,
            "<path d=\"{path}{close}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
            line.colour
        );
        let corners: Vec<(f64, f64)> = line.points.iter().map(place).filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        let least = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
        if !line.name.is_empty() && !corners.is_empty() {
            label(&mut body, least(|p| p.0) + 8.0, least(|p| p.1) + 18.0, "start", SOFT, &line.name);
        }
    }
    let bar = super::axis::nice(0.2 * (x_high - x_low).max(0.2));
    stroke(&mut body, (EDGE, height - 14.0), (EDGE + bar * scale, height - 14.0), INK, 2.0);
    label(&mut body, EDGE + bar * scale + 6.0, height - 10.0, "start", SOFT, &format!("{:.0} mm", 1e3 * bar));
    // What the two directions are, in the upper left corner.
    label(&mut body, EDGE, 16.0, "start", SOFT, "forward \u{2192}");
    let _ = writeln!(body, "<text transform=\"translate(14 {EDGE:.0}) rotate(90)\" fill=\"{SOFT}\">to the right \u{2192}</text>");
    document(((x_high - x_low) * scale + 2.0 * EDGE).max(220.0), height, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_force_is_as_tall_as_the_diagram_and_scales_are_common() {
        let stance =
            |force: f64| ForceVectors { title: "s".into(), colour: "#000", at: vec![0.0, 0.1], force: vec![[0.0, force], [0.0, 1.0]] };
        let picture = force_vectors(&[stance(800.0), stance(400.0)]);
        assert!(picture.contains("l0.0 -200.0") && picture.contains("l0.0 -100.0"), "{picture}");
        assert!(!force_vectors(&[]).contains("NaN") && !force_vectors(&[ForceVectors::default()]).contains("inf"));
    }

    #[test]
    fn the_floor_keeps_proportions_and_survives_nothing() {
        let square = FloorLine {
            name: "plate 1".into(),
            colour: "#000",
            points: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            closed: true,
        };
        let picture = floor_plan(&[square]);
        assert!(picture.contains("M40.0 40.0L380.0 40.0L380.0 380.0L40.0 380.0Z") && picture.contains("viewBox=\"0 0 420 "), "{picture}");
        assert!(picture.contains("x=\"48.0\" y=\"58.0\"") && picture.contains(">plate 1<"), "{picture}");
        assert!(
            floor_plan(&[FloorLine { name: String::new(), colour: "#000", points: vec![[f64::NAN, 0.0]], closed: false }])
                .ends_with("</svg>\n")
        );
    }
}
