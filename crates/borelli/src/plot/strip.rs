//! A motion in one picture: figures of several instants, moved apart where they would overlap, with their surfaces, forces and the ground.
//! Not here: what figures look like (`paint`), moving pictures (`report`).
//! In: figure and trajectory. Out: SVG text.

use super::arrange::Arranged;
use super::paint::force::Forces;
use super::paint::palette::{Ink, Role};
use super::paint::sheet::{Map, Sheet, legend, pull_legend};
use super::paint::view::View;
use super::paint::{Ground, Look, Pulls, Scene, grounds};
use super::{axis::nice, document, label};
use crate::figure::{Courses, Figure};
use crate::label::Side;
use borelli_data::Trajectory;
use borelli_math::Vec3;
use std::fmt::Write;

/// Figures at several times.
#[derive(Clone, Copy, Debug)]
pub struct Strip<'a> {
    /// Title; may be empty.
    pub title: &'a str,
    /// What is drawn.
    pub figure: &'a Figure,
    /// How it moves.
    pub trajectory: &'a Trajectory,
    /// Where its lines of pull lie that fixed places do not tell.
    pub courses: &'a Courses,
    /// Times to show, s: the samples nearest to them.
    pub times: &'a [f64],
    /// Number of instants evenly spread over the time, where no times are given.
    pub count: usize,
    /// Figures stay where they are, even if they cover each other.
    pub superposed: bool,
}

const WIDTH: f64 = 900.0;
const MARGIN: f64 = 30.0;

/// Most height of a figure, px.
const TALLEST: f64 = 340.0;

/// The picture. Spatial models are seen from their right side. Where nothing can be drawn, it says so.
///
/// Figures that would overlap are moved apart by the same distance from one instant to the next; a motion that travels far keeps its places.
pub fn figure_strip(strip: &Strip) -> String {
    let (figure, trajectory) = (strip.figure, strip.trajectory);
    let view = View::side(figure);
    let height = (0..trajectory.len()).find_map(|k| figure.height(trajectory, k)).unwrap_or(1.0);
    let forces = Forces::of(figure, trajectory, height);
    let samples = samples(strip);
    // One figure has room for what it hangs on; many have not.
    let far = if samples.len() > 1 { 1.0 } else { 4.0 };
    let lines = Pulls::of(figure, trajectory, strip.courses);
    let look = Look { view: &view, forces: &forces, lines: &lines, ground: None, far };
    let scenes: Vec<Scene> = samples.into_iter().filter_map(|k| Scene::of(figure, trajectory, k, &look)).collect();
    let Some(arranged) = Arranged::of(&scenes, strip.superposed) else {
        let mut body = String::new();
        label(&mut body, MARGIN, 40.0, "start", super::INK, "The samples hold no poses of bodies: nothing to draw.");
        return document(WIDTH, 70.0, &body);
    };
    let size = arranged.size();
    let scale = ((WIDTH - 2.0 * MARGIN) / (arranged.wide[1] - arranged.wide[0]).max(1e-3 * size)).min(TALLEST / size);
    let top = if strip.title.is_empty() { 20.0 } else { 46.0 };
    let low = top + (arranged.tall[1] - arranged.tall[0]) * scale;
    let map = |k: usize| arranged.map(k, scale, WIDTH / 2.0, low);
    let mut sheet = Sheet::new("s", Ink::File);
    if !strip.title.is_empty() {
        title(&mut sheet, strip.title);
    }
    sides(&mut sheet, figure, [WIDTH - MARGIN, if strip.title.is_empty() { 14.0 } else { 28.0 }]);
    draw_grounds(&mut sheet, figure, &view, &arranged, &map);
    for (k, scene) in scenes.iter().enumerate() {
        // The later, the stronger.
        let ghost = strip.superposed && k + 1 < scenes.len();
        sheet.scene(scene, &map(k), ghost);
    }
    for (k, scene) in scenes.iter().enumerate().filter(|(k, _)| !strip.superposed || k + 1 == scenes.len()) {
        sheet.arrows(&scene.arrows, forces.shaft(), &map(k));
    }
    let under = if strip.superposed {
        sheet.label([WIDTH / 2.0, low + 26.0], "middle", Role::Soft, &superposed_times(&scenes));
        low + 26.0
    } else {
        let places: Vec<f64> =
            (0..scenes.len()).map(|k| map(k).at([0.5 * (arranged.boxes[k][0][0] + arranged.boxes[k][0][1]), 0.0])[0]).collect();
        let texts: Vec<String> = scenes.iter().map(|scene| format!("{} s", time_text(scene))).collect();
        times(&mut sheet, &places, &texts, low + 26.0)
    };
    let bar = nice(0.08 * WIDTH / scale);
    let y = under + 20.0;
    sheet.stroke([MARGIN, y], [MARGIN + bar * scale, y], Role::Text, 2.0);
    sheet.label([MARGIN + bar * scale + 8.0, y + 4.5], "start", Role::Text, &format!("{} m", crate::report::significant(bar, 3)));
    pull_legend(&mut sheet, &lines.tones, [(MARGIN + bar * scale + 90.0).max(0.2 * WIDTH), y]);
    if scenes.iter().any(|scene| !scene.arrows.is_empty()) {
        legend(&mut sheet, &forces, scale, [WIDTH - MARGIN, y]);
    }
    document(WIDTH, y + 16.0, &(sheet.defs() + &sheet.body))
}

/// A heading.
fn title(sheet: &mut Sheet, text: &str) {
    let colour = sheet.ink.of(Role::Text);
    let _ = writeln!(
        sheet.body,
        "<text x=\"{MARGIN}\" y=\"28\" font-size=\"16\" font-weight=\"bold\" fill=\"{colour}\">{}</text>",
        crate::report::escape(text)
    );
}

/// The words of the sides that a figure has, in their colours, before a place.
pub(super) fn sides(sheet: &mut Sheet, figure: &Figure, [mut x, y]: [f64; 2]) {
    for (side, role) in [(Side::Right, Role::Right), (Side::Left, Role::Left)] {
        if figure.bodies.iter().any(|body| body.side == Some(side)) {
            sheet.label([x, y], "end", role, side.word());
            x -= 40.0;
        }
    }
}

/// Times under figures, in two rows where one is too narrow; returns the height of the last row.
pub(super) fn times(sheet: &mut Sheet, places: &[f64], texts: &[String], y: f64) -> f64 {
    // What a sans-serif face of 13 px takes at most on average, and a gap.
    let width = |k: usize| 7.4 * texts[k].chars().count() as f64 + 6.0;
    let narrow = (1..places.len()).any(|k| (places[k] - places[k - 1]).abs() < 0.5 * (width(k) + width(k - 1)));
    for (k, text) in texts.iter().enumerate() {
        let row = if narrow { 17.0 * (k % 2) as f64 } else { 0.0 };
        sheet.label([places[k], y + row], "middle", Role::Soft, text);
    }
    if narrow { y + 17.0 } else { y }
}

fn time_text(scene: &Scene) -> String {
    crate::report::significant(scene.time, 4)
}

/// Times of superposed figures in one line: all of a few, else the ends.
fn superposed_times(scenes: &[Scene]) -> String {
    match scenes {
        [first, .., last] if scenes.len() > 12 => {
            format!("{} figures from {} s to {} s", scenes.len(), time_text(first), time_text(last))
        }
        _ => format!("{} s", scenes.iter().map(time_text).collect::<Vec<_>>().join(", ")),
    }
}

/// The half-spaces of the world that are seen from their edge, hatched; else the level of the origin, where figures stand on it.
fn draw_grounds(sheet: &mut Sheet, figure: &Figure, view: &View, arranged: &Arranged, map: &dyn Fn(usize) -> Map) {
    let edges: Vec<Edge> =
        grounds(figure).iter().filter(|ground| view.sees_edge(ground.normal)).map(|ground| Edge::of(ground, view)).collect();
    let first = map(0);
    // What reaches far below does not stand on it.
    let stands = arranged.tall[0] > -0.06 * arranged.size() && arranged.tall[0] < 0.5 * arranged.size();
    if edges.is_empty() && figure.gravity && stands {
        let y = first.at([0.0, 0.0])[1];
        sheet.stroke([MARGIN - 10.0, y], [WIDTH - MARGIN + 10.0, y], Role::Line, 2.0);
    }
    for edge in &edges {
        if arranged.apart == 0.0 || edge.is_level() {
            edge.draw(
                sheet,
                [arranged.wide.map(|x| x + (x - 0.5 * (arranged.wide[0] + arranged.wide[1])).signum() * 10.0 / first.scale), arranged.tall],
                &first,
            );
        } else {
            for (k, ends) in arranged.boxes.iter().enumerate() {
                edge.draw(sheet, *ends, &map(k));
            }
        }
    }
}

/// The edge of a half-space: normal and height over the origin in the picture's plane.
struct Edge {
    normal: [f64; 2],
    height: f64,
}

impl Edge {
    fn of(ground: &Ground, view: &View) -> Edge {
        let origin = view.flat(Vec3::ZERO);
        let tip = view.flat(ground.normal);
        Edge { normal: [tip[0] - origin[0], tip[1] - origin[1]], height: ground.height }
    }

    fn is_level(&self) -> bool {
        self.normal[0].abs() < 1e-9
    }

    /// The line inside a box, with strokes on the solid side.
    fn draw(&self, sheet: &mut Sheet, room: [[f64; 2]; 2], map: &Map) {
        let [nx, ny] = self.normal;
        // Along the edge from its foot under the origin; the steeper the plane, the more its ends are those of the other axis.
        let along =
            if ny.abs() > nx.abs() { room[0].map(|x| (x - self.height * nx) / ny) } else { room[1].map(|y| -(y - self.height * ny) / nx) };
        let point = |s: f64, depth: f64| map.at([(self.height - depth) * nx + s * ny, (self.height - depth) * ny - s * nx]);
        let (from, to) = (along[0].min(along[1]), along[0].max(along[1]));
        sheet.stroke(point(from, 0.0), point(to, 0.0), Role::Soft, 1.6);
        let step = 10.0 / map.scale;
        let mut text = String::new();
        let mut s = from + step;
        while s <= to {
            let ([x1, y1], [x2, y2]) = (point(s, 0.0), point(s - 6.0 / map.scale, 7.0 / map.scale));
            let _ = write!(text, "M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
            s += step;
        }
        let colour = sheet.ink.of(Role::Soft);
        let _ = writeln!(sheet.body, "<path d=\"{text}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\"/>");
    }
}

/// Most figures that an interval makes: more cannot be told apart.
const MOST_INSTANTS: usize = 60;

/// Times from the first sample to the last in steps of an interval above zero, s.
pub fn times_every(interval: f64, samples: &[f64]) -> Vec<f64> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Vec::new() };
    // The last sample may miss a whole number of intervals by rounding.
    let count = ((last - first) / interval + 1e-6).floor().min(MOST_INSTANTS as f64 - 1.0) as usize;
    (0..=count).map(|k| first + k as f64 * interval).collect()
}

/// Samples nearest to the times, given or evenly spread.
fn samples(strip: &Strip) -> Vec<usize> {
    let times = strip.trajectory.time();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let even = |k: usize| first + (last - first) * k as f64 / (strip.count.max(2) - 1) as f64;
    let wanted: Vec<f64> = if strip.times.is_empty() { (0..strip.count.max(1)).map(even).collect() } else { strip.times.to_vec() };
    let nearest = |t: f64| {
        let after = times.partition_point(|x| *x < t).min(times.len() - 1);
        if after > 0 && t - times[after - 1] < times[after] - t { after - 1 } else { after }
    };
    let mut list: Vec<usize> = wanted.into_iter().map(nearest).collect();
    list.dedup();
    list
}
