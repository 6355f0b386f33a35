//! A motion in one picture: stick figures of several instants, moved apart where they would overlap.
//! Not here: poses (`Figure::pose`), moving pictures (`report`).
//! In: figure and trajectory. Out: SVG text.

use super::{COLOURS, INK, LINE, SOFT, axis::nice, document, label, stroke};
use crate::figure::{Figure, FigurePath, Shape, Spot};
use borelli_model::Trajectory;
use std::fmt::Write;

/// A strip of stick figures.
#[derive(Clone, Copy, Debug)]
pub struct Strip<'a> {
    /// Title; may be empty.
    pub title: &'a str,
    /// What is drawn.
    pub figure: &'a Figure,
    /// How it moves.
    pub trajectory: &'a Trajectory,
    /// Times to show, s: the samples nearest to them.
    pub times: &'a [f64],
    /// Number of instants evenly spread over the time, where no times are given.
    pub count: usize,
}

const WIDTH: f64 = 900.0;
const MARGIN: f64 = 30.0;

/// Points of one instant in the picture's plane, m: lines of bodies, what stands off them, paths and rods, and joints.
struct Instant {
    time: f64,
    bodies: Vec<(usize, bool, Vec<[f64; 2]>)>,
    stays: Vec<(usize, Vec<[f64; 2]>)>,
    paths: Vec<Vec<[f64; 2]>>,
    rods: Vec<Vec<[f64; 2]>>,
    joints: Vec<[f64; 2]>,
}

impl Instant {
    fn points(&self) -> impl Iterator<Item = &[f64; 2]> {
        self.bodies.iter().flat_map(|(_, _, line)| line).chain(self.paths.iter().chain(&self.rods).flatten()).chain(&self.joints)
    }
}

/// Ends of a box around points, per axis.
fn bounds<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> [[f64; 2]; 2] {
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for p in points.filter(|p| p[0].is_finite() && p[1].is_finite()) {
        for (end, x) in ends.iter_mut().zip(p) {
            *end = [end[0].min(*x), end[1].max(*x)];
        }
    }
    ends
}

/// The picture. Spatial models are seen from their right side. Where nothing can be drawn, it says so.
///
/// Figures that would overlap are moved apart by the same distance from one instant to the next; a motion that travels far keeps its places.
pub fn figure_strip(strip: &Strip) -> String {
    let instants: Vec<Instant> = samples(strip).into_iter().filter_map(|k| instant(strip, k)).collect();
    let boxes: Vec<[[f64; 2]; 2]> = instants.iter().map(|instant| bounds(instant.points())).collect();
    let all = bounds(instants.iter().flat_map(Instant::points));
    if !(all[0][0] <= all[0][1]) {
        let mut body = String::new();
        label(&mut body, MARGIN, 40.0, "start", INK, "The samples hold no poses of bodies: nothing to draw.");
        return document(WIDTH, 70.0, &body);
    }
    let height_m = all[1][1] - all[1][0];
    let wide = boxes.iter().map(|ends| ends[0][1] - ends[0][0]).fold(0.0, f64::max);
    let size = wide.max(height_m).max(f64::MIN_POSITIVE);
    let overlap = boxes.windows(2).map(|pair| pair[0][0][1] - pair[1][0][0]).fold(f64::NEG_INFINITY, f64::max);
    let apart = if overlap > 0.0 { overlap + 0.12 * size } else { 0.0 };
    let moved = |k: usize, x: f64| x + k as f64 * apart;
    let left = boxes.iter().enumerate().map(|(k, ends)| moved(k, ends[0][0])).fold(f64::INFINITY, f64::min);
    let right = boxes.iter().enumerate().map(|(k, ends)| moved(k, ends[0][1])).fold(f64::NEG_INFINITY, f64::max);
    let scale = ((WIDTH - 2.0 * MARGIN) / (right - left).max(1e-3 * size)).min(320.0 / size);
    let top = if strip.title.is_empty() { 20.0 } else { 46.0 };
    let low = top + height_m * scale;
    let shift = WIDTH / 2.0 - 0.5 * (left + right) * scale;
    let mut body = String::new();
    if !strip.title.is_empty() {
        let _ = writeln!(
            body,
            "<text x=\"{MARGIN}\" y=\"28\" font-size=\"16\" font-weight=\"bold\" fill=\"{INK}\">{}</text>",
            crate::report::escape(strip.title)
        );
    }
    let ground = low + all[1][0] * scale;
    if strip.figure.gravity && ground > top - 8.0 && ground < low + 8.0 {
        stroke(&mut body, (MARGIN - 10.0, ground), (WIDTH - MARGIN + 10.0, ground), LINE, 2.0);
    }
    for (k, (instant, ends)) in instants.iter().zip(&boxes).enumerate() {
        let at = |p: &[f64; 2]| (shift + moved(k, p[0]) * scale, low - (p[1] - all[1][0]) * scale);
        draw(&mut body, instant, &at);
        let under = shift + moved(k, 0.5 * (ends[0][0] + ends[0][1])) * scale;
        label(&mut body, under, low + 26.0, "middle", SOFT, &format!("{} s", crate::report::significant(instant.time, 4)));
    }
    let bar = nice(0.08 * WIDTH / scale);
    let (y, from) = (low + 46.0, MARGIN);
    stroke(&mut body, (from, y), (from + bar * scale, y), INK, 2.0);
    label(&mut body, from + bar * scale + 8.0, y + 4.5, "start", INK, &format!("{} m", crate::report::significant(bar, 3)));
    document(WIDTH, low + 62.0, &body)
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

/// The figure at a sample; none where no body has a pose.
fn instant(strip: &Strip, sample: usize) -> Option<Instant> {
    let figure = strip.figure;
    let poses: Vec<_> = (0..figure.bodies.len()).map(|b| figure.pose(b, strip.trajectory, sample)).collect();
    poses[1..].iter().flatten().next()?;
    let up = figure.up;
    // Seen along the horizontal that is right of forward: X to the right unless X is upward.
    let right = if figure.planar { [up[1], -up[0], 0.0] } else { horizontal(up) };
    let flat = |p: [f64; 3]| [0, 1].map(|k| [right, up][k].iter().zip(p).map(|(a, b)| a * b).sum::<f64>());
    let mut now = Instant {
        time: strip.trajectory.time()[sample],
        bodies: Vec::new(),
        stays: Vec::new(),
        paths: Vec::new(),
        rods: Vec::new(),
        joints: Vec::new(),
    };
    for (b, body) in figure.bodies.iter().enumerate() {
        let Some(pose) = &poses[b] else { continue };
        for line in &body.outline {
            let thin = line.len() > 2 || (body.shape == Shape::Inertia && body.outline.len() > 1);
            now.bodies.push((b, thin, line.iter().map(|p| flat(pose.place(*p))).collect()));
        }
        now.stays.extend(body.stays.iter().map(|ends| (b, ends.iter().map(|p| flat(pose.place(*p))).collect())));
    }
    let spot = |s: &Spot| Some(flat(poses[s.body].as_ref()?.place(s.at)));
    let lines = |list: &[FigurePath]| list.iter().filter_map(|path| path.points.iter().map(spot).collect()).collect();
    (now.paths, now.rods) = (lines(&figure.paths), lines(&figure.rods));
    let fixed = figure.joints.iter().filter(|joint| !matches!(joint.kind.as_str(), "free" | "planar"));
    now.joints = fixed.filter_map(|joint| spot(&joint.child)).chain(figure.holds.iter().filter_map(|hold| spot(&hold.b))).collect();
    Some(now)
}

/// X made level, or Z where X is upward.
fn horizontal(up: [f64; 3]) -> [f64; 3] {
    let forward = if up[0].abs() > 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let along: f64 = forward.iter().zip(up).map(|(a, b)| a * b).sum();
    let level = [0, 1, 2].map(|k| forward[k] - along * up[k]);
    let norm = level.iter().map(|x| x * x).sum::<f64>().sqrt();
    level.map(|x| x / norm)
}

/// What stands off bodies, then bodies, then paths, then joints.
fn draw(out: &mut String, instant: &Instant, at: &dyn Fn(&[f64; 2]) -> (f64, f64)) {
    let path = |points: &[[f64; 2]]| {
        let mut text = String::new();
        for (k, p) in points.iter().enumerate() {
            let (x, y) = at(p);
            let _ = write!(text, "{}{x:.2} {y:.2}", if k == 0 { 'M' } else { 'L' });
        }
        text
    };
    let colour_of = |b: usize| COLOURS[(b + COLOURS.len() - 1) % COLOURS.len()];
    for (b, line) in &instant.stays {
        let _ = writeln!(out, "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>", path(line), colour_of(*b));
    }
    for (b, thin, line) in &instant.bodies {
        let colour = colour_of(*b);
        let (width, fill) = if *thin { (2.0, colour) } else { (6.0, "none") };
        let _ = writeln!(
            out,
            "<path d=\"{}\" fill=\"{fill}\" fill-opacity=\"0.15\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>",
            path(line)
        );
    }
    for (lines, colour, width) in [(&instant.rods, INK, 3.0), (&instant.paths, "#c81e1e", 1.5)] {
        for line in lines {
            let _ = writeln!(out, "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>", path(line));
        }
    }
    for joint in &instant.joints {
        let (x, y) = at(joint);
        let _ = writeln!(out, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"3\" fill=\"#ffffff\" stroke=\"{INK}\" stroke-width=\"1.5\"/>");
    }
}
