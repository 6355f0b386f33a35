//! Soft parts as SVG: bands of colour over the mesh, its lines, the shape without load, and a ring at the peak.
//! Not here: which instant and which quantity; the moving picture (`report/page/soft.js`, which draws the same).
//! In: triangles, places and values of nodes. Out: text of an `svg` element, for a page.

use super::axis::nice;
use super::heat::bar;
use super::{INK, SOFT, WIDTH, document, label};
use crate::report::{escape, significant};
use crate::soft::Mesh;
use std::fmt::Write;

/// From the lowest to the highest: equal steps are equally far apart to the eye (in Oklab, within 1 %), each darker than the one before.
pub const SOFT_RAMP: [&str; 9] = ["#F8F2C4", "#EDD182", "#E4AB4B", "#DE8226", "#CF5926", "#B3393C", "#90234B", "#661C57", "#3B1751"];
/// Bands of colour that are told apart.
const LEVELS: usize = 20;
/// More triangles than this are painted in one colour each.
const MOST_BANDED: usize = 6000;
/// More than this are not drawn without script.
const MOST_DRAWN: usize = 20_000;
/// More cells than this are painted without the lines between them.
const MOST_LINES: usize = 4000;
/// Room around the mesh for the length bar and the words at the peak, px: sides, top, bottom.
const RIM: [f64; 3] = [14.0, 22.0, 34.0];

fn colour(level: usize) -> String {
    let parts = |k: usize| [1, 3, 5].map(|i| f64::from(u8::from_str_radix(&SOFT_RAMP[k][i..i + 2], 16).unwrap_or(0)));
    let place = (level as f64 + 0.5) / LEVELS as f64 * (SOFT_RAMP.len() - 1) as f64;
    let below = (place as usize).min(SOFT_RAMP.len() - 2);
    let (a, b) = (parts(below), parts(below + 1));
    let mix = |k: usize| (a[k] + (place - below as f64) * (b[k] - a[k])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The bar of colours between two ends with a mark every `step`, and its unit.
pub fn soft_bar(ends: [f64; 2], step: f64, unit: &str) -> String {
    bar(ends, step, unit, LEVELS, &colour)
}

/// One soft part of a picture.
pub struct SoftPart<'a> {
    /// Triangles and lines.
    pub mesh: &'a Mesh,
    /// Where its nodes are drawn, m.
    pub places: Vec<[f64; 2]>,
    /// Where they would be without load, m.
    pub unloaded: Vec<[f64; 2]>,
    /// Values at nodes.
    pub values: Vec<f64>,
}

/// A picture of soft parts.
pub struct SoftPicture<'a> {
    /// Parts.
    pub parts: Vec<SoftPart<'a>>,
    /// Values of the first and of the last colour.
    pub ends: [f64; 2],
    /// A place to be ringed, by part and node, with words.
    pub mark: Option<(usize, usize, String)>,
    /// For those who do not see it.
    pub label: String,
}

/// A corner of a piece of a triangle: place and value.
type Corner = ([f64; 2], f64);

/// What is left of a convex piece on one side of a value.
fn cut(piece: &[Corner], at: f64, above: bool) -> Vec<Corner> {
    let keeps = |u: f64| if above { u >= at } else { u <= at };
    let mut out = Vec::with_capacity(piece.len() + 1);
    for (k, corner) in piece.iter().enumerate() {
        let next = &piece[(k + 1) % piece.len()];
        if keeps(corner.1) {
            out.push(*corner);
        }
        if keeps(corner.1) != keeps(next.1) {
            let part = (at - corner.1) / (next.1 - corner.1);
            out.push(([0, 1].map(|i| corner.0[i] + part * (next.0[i] - corner.0[i])), at));
        }
    }
    out
}

/// Adds a piece to the path of its colour.
fn add(path: &mut String, piece: &[Corner]) {
    for (k, ([x, y], _)) in piece.iter().enumerate() {
        // Writing to a string cannot fail, here and below.
        let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { "M" } else { "L" });
    }
    path.push('z');
}

/// Colours over triangles: a path for each band. `places` are on the page; values go from 0 to 1.
fn bands(triangles: &[[u32; 3]], places: &[[f64; 2]], values: &[f64], paths: &mut [String]) {
    let last = LEVELS - 1;
    let level = |u: f64| ((u * LEVELS as f64) as usize).min(last);
    let fine = triangles.len() <= MOST_BANDED;
    for triangle in triangles {
        let corners: Vec<Corner> = triangle.iter().map(|node| (places[*node as usize], values[*node as usize].clamp(0.0, 1.0))).collect();
        if corners.iter().any(|(place, value)| !value.is_finite() || place.iter().any(|x| !x.is_finite())) {
            continue;
        }
        let (low, high) = corners.iter().fold((1.0_f64, 0.0_f64), |(low, high), (_, u)| (low.min(*u), high.max(*u)));
        if !fine {
            add(&mut paths[level(corners.iter().map(|(_, u)| u / 3.0).sum())], &corners);
            continue;
        }
        for (k, path) in paths.iter_mut().enumerate().take(level(high) + 1).skip(level(low)) {
            let mut piece = corners.clone();
            if k > level(low) {
                piece = cut(&piece, k as f64 / LEVELS as f64, true);
            }
            if k < level(high) {
                piece = cut(&piece, (k + 1) as f64 / LEVELS as f64, false);
            }
            if piece.len() > 2 {
                add(path, &piece);
            }
        }
    }
}

impl SoftPicture<'_> {
    /// The picture, as large as fits into so many pixels; nothing where there is nothing to draw, or too much for a page.
    pub fn svg(&self, room: [f64; 2]) -> Option<String> {
        let triangles: usize = self.parts.iter().map(|part| part.mesh.triangles.len()).sum();
        let all =
            || self.parts.iter().flat_map(|part| part.places.iter().chain(&part.unloaded)).filter(|p| p.iter().all(|x| x.is_finite()));
        if triangles == 0 || triangles > MOST_DRAWN || all().next().is_none() {
            return None;
        }
        let end = |k: usize| all().map(|p| p[k]).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        let ((x0, x1), (y0, y1)) = (end(0), end(1));
        let [side, top, bottom] = RIM;
        let scale = ((room[0] - 2.0 * side) / (x1 - x0).max(1e-12)).min((room[1] - top - bottom) / (y1 - y0).max(1e-12));
        let (width, height) = (((x1 - x0) * scale + 2.0 * side).max(260.0), (y1 - y0) * scale + top + bottom);
        let left = 0.5 * (width - (x1 - x0) * scale);
        let place = |p: &[f64; 2]| [left + (p[0] - x0) * scale, top + (y1 - p[1]) * scale];
        let mut out = format!(
            "<svg class=\"soft\" role=\"img\" aria-label=\"{}\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.1} {height:.1}\">",
            escape(&self.label)
        );
        let span = (self.ends[1] - self.ends[0]).max(f64::MIN_POSITIVE);
        for part in &self.parts {
            let places: Vec<[f64; 2]> = part.places.iter().map(place).collect();
            let values: Vec<f64> = part.values.iter().map(|value| (value - self.ends[0]) / span).collect();
            let mut paths = vec![String::new(); LEVELS];
            bands(&part.mesh.triangles, &places, &values, &mut paths);
            for (level, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
                let fill = colour(level);
                // Without a thin line of its own colour the ground would shine through between neighbours.
                let _ =
                    write!(out, "<path fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\"0.6\" stroke-linejoin=\"round\" d=\"{path}\"/>");
            }
            let line = |class: &str, sides: &[[u32; 2]], places: &[[f64; 2]]| {
                let mut path = String::new();
                for [a, b] in sides {
                    let (a, b) = (places[*a as usize], places[*b as usize]);
                    let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", a[0], a[1], b[0], b[1]);
                }
                format!("<path class=\"{class}\" d=\"{path}\"/>")
            };
            if part.mesh.triangles.len() <= MOST_LINES {
                out.push_str(&line("soft-line", &part.mesh.lines, &places));
            }
            out.push_str(&line("soft-rim", &part.mesh.rim, &places));
            let unloaded: Vec<[f64; 2]> = part.unloaded.iter().map(place).collect();
            out.push_str(&line("soft-rest", &part.mesh.rim, &unloaded));
        }
        if let Some((part, node, words)) = &self.mark {
            let [x, y] = place(&self.parts[*part].places[*node]);
            let (anchor, shift) = if x > 0.5 * width { ("end", -10.0) } else { ("start", 10.0) };
            let _ = write!(
                out,
                "<circle class=\"soft-peak\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\"/><text class=\"soft-word\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                x + shift,
                y - 8.0,
                escape(words)
            );
        }
        out.push_str(&length_bar(scale, height));
        Some(out + "</svg>")
    }
}

/// What the style of a page says of soft parts, for a file of its own.
const STYLE: &str = "<style>.soft text,.bar text{fill:#1b1f24;font-size:12px}.soft .soft-word{font-weight:bold;paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}.soft-line{fill:none;stroke:#1b1f24;stroke-width:.6;opacity:.35}\
.soft-rim,.soft-peak{fill:none;stroke:#1b1f24;stroke-width:1.4}.soft-rest{fill:none;stroke:#59636e;stroke-width:1.1;stroke-dasharray:4 3}.bar .tick{stroke:#1b1f24;fill:none}</style>\n";

/// A mesh with its bar of colours and words above another picture, as a file.
pub fn soft_above(mesh: &str, bar: &str, words: &str, other: &str) -> String {
    const LEFT: f64 = 50.0;
    const TOP: f64 = 34.0;
    let [wide, high] = ["width", "height"].map(|name| size(mesh, name));
    let [other_wide, other_high] = ["width", "height"].map(|name| size(other, name));
    let mut body = String::from(STYLE);
    label(&mut body, LEFT, 22.0, "start", INK, words);
    let _ = writeln!(body, "<g transform=\"translate({LEFT} {TOP})\">{mesh}</g>");
    label(&mut body, LEFT + wide + 24.0, TOP + 22.0, "start", SOFT, "Von Mises stress");
    let _ = writeln!(body, "<g transform=\"translate({:.0} {})\">{bar}</g>", LEFT + wide + 16.0, TOP + 32.0);
    label(&mut body, LEFT + wide + 24.0, TOP + 90.0, "start", SOFT, "dashed: the shape without load");
    let under = TOP + high + 12.0;
    let _ = writeln!(body, "<g transform=\"translate(0 {under:.0})\">{other}</g>");
    document(WIDTH.max(other_wide), under + other_high, &body)
}

/// An edge of a picture as it says itself, px.
fn size(svg: &str, name: &str) -> f64 {
    let after = svg.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
    after.split('"').next().and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

/// How long a round length is in the picture.
fn length_bar(scale: f64, height: f64) -> String {
    let length = nice(60.0 / scale);
    let (y, long) = (height - 8.0, length * scale);
    let words = if length >= 1.0 { format!("{} m", significant(length, 3)) } else { format!("{} mm", significant(1e3 * length, 3)) };
    format!(
        "<path class=\"soft-rim\" d=\"M14 {:.1}v5h{long:.1}v-5\"/><text x=\"{:.1}\" y=\"{:.1}\">{words}</text>",
        y - 5.0,
        20.0 + long,
        y
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(values: [f64; 4]) -> String {
        let mesh = Mesh { triangles: vec![[0, 1, 2], [0, 2, 3]], lines: vec![[0, 2]], rim: vec![[0, 1], [1, 2], [2, 3], [3, 0]] };
        let places = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let part = SoftPart { mesh: &mesh, places: places.clone(), unloaded: places, values: values.to_vec() };
        let mark = Some((0, 2, "2 MPa <peak>".to_string()));
        SoftPicture { parts: vec![part], ends: [0.0, 2.0], mark, label: "a<b".into() }.svg([400.0, 300.0]).expect("a picture")
    }

    /// Area of a path of straight pieces.
    fn area(path: &str) -> f64 {
        path.split('M').filter(|piece| !piece.is_empty()).fold(0.0, |sum, piece| {
            let points: Vec<[f64; 2]> = (piece.trim_end_matches('z').split('L'))
                .map(|p| p.split_once(' ').map(|(x, y)| [x, y].map(|x| x.parse().expect("a number"))).expect("a place"))
                .collect();
            let n = points.len();
            let twice: f64 = (0..n).map(|k| points[k][0] * points[(k + 1) % n][1] - points[k][1] * points[(k + 1) % n][0]).sum();
            sum + 0.5 * twice.abs()
        })
    }

    #[test]
    fn bands_of_an_even_slope_are_equally_wide_and_cover_everything() {
        let svg = square([0.0, 2.0, 2.0, 0.0]);
        let bands: Vec<f64> = svg
            .split("<path fill=")
            .skip(1)
            .map(|path| area(path.split(" d=\"").nth(1).unwrap_or("").split('"').next().unwrap_or("")))
            .collect();
        assert_eq!(bands.len(), LEVELS);
        let edge = 300.0 - RIM[1] - RIM[2];
        assert!((bands.iter().sum::<f64>() - edge * edge).abs() < 0.01 * edge * edge);
        assert!(bands.iter().all(|band| (band / (edge * edge / LEVELS as f64) - 1.0).abs() < 0.05), "{bands:?}");
        assert!(svg.contains("a&lt;b") && svg.contains("2 MPa &lt;peak&gt;") && svg.contains("class=\"soft-rest\""));
        // One value: one band.
        assert_eq!(square([2.0; 4]).matches("<path fill=").count(), 1);
        // What is not a number is left out, and nothing else.
        assert_eq!(square([f64::NAN, 2.0, 2.0, 2.0]).matches("<path fill=").count(), 0);
        assert_eq!(square([2.0, f64::NAN, 2.0, 2.0]).matches("<path fill=").count(), 1);
    }

    /// Björn Ottosson's Oklab (2020) of a colour of the page.
    fn oklab(hex: &str) -> [f64; 3] {
        let [r, g, b] = [1, 3, 5].map(|i| {
            let x = f64::from(u8::from_str_radix(&hex[i..i + 2], 16).expect("hexadecimal")) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        });
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }

    #[test]
    fn equal_steps_of_colour_look_equal_also_without_colour() {
        let list: Vec<[f64; 3]> = SOFT_RAMP.iter().map(|hex| oklab(hex)).collect();
        let steps: Vec<f64> = list.windows(2).map(|w| (0..3).map(|k| (w[1][k] - w[0][k]).powi(2)).sum::<f64>().sqrt()).collect();
        let (least, most) = steps.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        assert!(most / least < 1.1, "{steps:?}");
        let darker: Vec<f64> = list.windows(2).map(|w| w[0][0] - w[1][0]).collect();
        assert!(darker.iter().all(|step| (0.065..0.095).contains(step)), "{darker:?}");
    }

    #[test]
    fn a_mesh_stands_above_another_picture_with_its_colours_and_words() {
        let mesh = square([0.0, 2.0, 2.0, 0.0]);
        let [wide, high] = ["width", "height"].map(|name| size(&mesh, name));
        assert!(wide > 200.0 && (high - 300.0).abs() < 1.0, "{wide} {high}");
        let file = soft_above(&mesh, &soft_bar([0.0, 2.0], 1.0, "MPa"), "under <load>", &document(900.0, 100.0, "<g id=\"other\"/>"));
        assert!([size(&file, "width"), size(&file, "height")] == [900.0, 446.0], "{file}");
        assert!(
            file.contains("under &lt;load&gt;")
                && file.contains("class=\"bar\"")
                && file.contains("id=\"other\"")
                && file.ends_with("</svg>\n")
        );
        assert!(file.contains("translate(0 346)"), "below the mesh");
    }

    #[test]
    fn the_scripts_have_the_same_colours() {
        let script = include_str!("../report/page/scene-soft.js");
        assert!(script.contains(&SOFT_RAMP.map(|hex| format!("\"{hex}\"")).join(", ")));
        assert!(soft_bar([-1.0, 2.0], 1.0, "MPa").contains(">\u{2212}1</text>"));
    }
}
