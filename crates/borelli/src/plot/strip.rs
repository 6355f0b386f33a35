//! A motion in one picture: figures of several instants, moved apart where they would overlap, with their surfaces and the ground.
//! Not here: poses (`Figure::pose`), moving pictures (`report`).
//! In: figure and trajectory. Out: SVG text.

use super::{COLOURS, INK, LINE, SOFT, axis::nice, document, label, stroke};
use crate::figure::{Figure, FigurePath, Pose, Shape, Spot};
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
    /// Times to show, s: the samples nearest to them.
    pub times: &'a [f64],
    /// Number of instants evenly spread over the time, where no times are given.
    pub count: usize,
    /// Figures stay where they are, even if they cover each other.
    pub superposed: bool,
}

const WIDTH: f64 = 900.0;
const MARGIN: f64 = 30.0;

/// Error of a drawn outline over the size of its shape: far below the width of a pen.
const OUTLINE_ERROR: f64 = 3e-4;

/// Points of one instant in the picture's plane, m: surfaces, lines of bodies, what stands off them, paths and rods, and joints.
struct Instant {
    time: f64,
    surfaces: Vec<(usize, Vec<[f64; 2]>)>,
    touch_points: Vec<(usize, [f64; 2])>,
    bodies: Vec<Line>,
    stays: Vec<(usize, Vec<[f64; 2]>)>,
    paths: Vec<Vec<[f64; 2]>>,
    rods: Vec<Vec<[f64; 2]>>,
    joints: Vec<[f64; 2]>,
}

/// A line of a body.
struct Line {
    body: usize,
    filled: bool,
    /// Of the pen, px.
    width: f64,
    points: Vec<[f64; 2]>,
}

impl Instant {
    fn points(&self) -> impl Iterator<Item = &[f64; 2]> {
        let lines = self.paths.iter().chain(&self.rods).chain(self.surfaces.iter().map(|(_, line)| line)).flatten();
        self.bodies.iter().flat_map(|line| &line.points).chain(lines).chain(&self.joints).chain(self.touch_points.iter().map(|(_, at)| at))
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
    let apart = if overlap > 0.0 && !strip.superposed { overlap + 0.12 * size } else { 0.0 };
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
    let planes = planes(strip.figure);
    let ground = low + all[1][0] * scale;
    if planes.is_empty() && strip.figure.gravity && ground > top - 8.0 && ground < low + 8.0 {
        stroke(&mut body, (MARGIN - 10.0, ground), (WIDTH - MARGIN + 10.0, ground), LINE, 2.0);
    }
    let height = |y: f64| low - (y - all[1][0]) * scale;
    for plane in &planes {
        if apart == 0.0 || plane.is_level() {
            let room = [left - 10.0 / scale, right + 10.0 / scale];
            plane.draw(&mut body, [room, all[1]], scale, &|p| (shift + p[0] * scale, height(p[1])));
        } else {
            for (k, ends) in boxes.iter().enumerate() {
                plane.draw(&mut body, *ends, scale, &|p| (shift + moved(k, p[0]) * scale, height(p[1])));
            }
        }
    }
    for (k, (instant, ends)) in instants.iter().zip(&boxes).enumerate() {
        if strip.superposed {
            // The later, the stronger.
            let _ = writeln!(body, "<g opacity=\"{:.2}\">", 1.0 - 0.7 * (instants.len() - 1 - k) as f64 / instants.len() as f64);
        }
        draw(&mut body, instant, &|p: &[f64; 2]| (shift + moved(k, p[0]) * scale, height(p[1])));
        if strip.superposed {
            body.push_str("</g>\n");
        } else {
            let under = shift + moved(k, 0.5 * (ends[0][0] + ends[0][1])) * scale;
            label(&mut body, under, low + 26.0, "middle", SOFT, &format!("{} s", time_text(instant)));
        }
    }
    if strip.superposed {
        label(&mut body, WIDTH / 2.0, low + 26.0, "middle", SOFT, &superposed_times(&instants));
    }
    let bar = nice(0.08 * WIDTH / scale);
    let (y, from) = (low + 46.0, MARGIN);
    stroke(&mut body, (from, y), (from + bar * scale, y), INK, 2.0);
    label(&mut body, from + bar * scale + 8.0, y + 4.5, "start", INK, &format!("{} m", crate::report::significant(bar, 3)));
    document(WIDTH, low + 62.0, &body)
}

fn time_text(instant: &Instant) -> String {
    crate::report::significant(instant.time, 4)
}

/// Times of superposed figures in one line: all of a few, else the ends.
fn superposed_times(instants: &[Instant]) -> String {
    match instants {
        [first, .., last] if instants.len() > 12 => {
            format!("{} figures from {} s to {} s", instants.len(), time_text(first), time_text(last))
        }
        _ => format!("{} s", instants.iter().map(time_text).collect::<Vec<_>>().join(", ")),
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

/// The figure at a sample; none where no body has a pose.
fn instant(strip: &Strip, sample: usize) -> Option<Instant> {
    let figure = strip.figure;
    let poses: Vec<_> = (0..figure.bodies.len()).map(|b| figure.pose(b, strip.trajectory, sample)).collect();
    poses[1..].iter().flatten().next()?;
    let [right, up, toward] = view(figure);
    let flat = |p: [f64; 3]| [right, up].map(|axis| axis.dot(Vec3::from_array(p)));
    let mut now = Instant {
        time: strip.trajectory.time()[sample],
        surfaces: Vec::new(),
        touch_points: Vec::new(),
        bodies: Vec::new(),
        stays: Vec::new(),
        paths: Vec::new(),
        rods: Vec::new(),
        joints: Vec::new(),
    };
    for (b, body) in figure.bodies.iter().enumerate() {
        let Some(pose) = &poses[b] else { continue };
        // Thick limbs would hide the surfaces at their ends.
        let limb = if figure.surfaces.iter().any(|surface| surface.spot.body == b && surface.is_bounded()) { 3.0 } else { 6.0 };
        for line in &body.outline {
            let filled = line.len() > 2 || (body.shape == Shape::Inertia && body.outline.len() > 1);
            let points = line.iter().map(|p| flat(pose.place(*p))).collect();
            now.bodies.push(Line { body: b, filled, width: if filled { 2.0 } else { limb }, points });
        }
        now.stays.extend(body.stays.iter().map(|ends| (b, ends.iter().map(|p| flat(pose.place(*p))).collect())));
    }
    for surface in &figure.surfaces {
        let body = surface.spot.body;
        let Some(pose) = &poses[body] else { continue };
        match surface.outline(pose.R.transpose_mul(toward), OUTLINE_ERROR) {
            Some(line) => now.surfaces.push((body, line.into_iter().map(|p| flat(pose.place(p))).collect())),
            None if surface.half_space().is_none() => now.touch_points.push((body, flat(pose.place(surface.spot.at)))),
            None => {}
        }
    }
    let spot = |s: &Spot| Some(flat(poses[s.body].as_ref()?.place(s.at)));
    let lines = |list: &[FigurePath]| list.iter().filter_map(|path| path.points.iter().map(spot).collect()).collect();
    (now.paths, now.rods) = (lines(&figure.paths), lines(&figure.rods));
    let fixed = figure.joints.iter().filter(|joint| !matches!(joint.kind.as_str(), "free" | "planar"));
    now.joints = fixed.filter_map(|joint| spot(&joint.child)).chain(figure.holds.iter().filter_map(|hold| spot(&hold.b))).collect();
    Some(now)
}

/// Right, up and toward the viewer, who looks along the horizontal that is right of forward: X to the right unless X is upward.
fn view(figure: &Figure) -> [Vec3<f64>; 3] {
    let up = Vec3::from_array(figure.up);
    let right = if figure.planar { Vec3 { x: up.y, y: -up.x, z: 0.0 } } else { horizontal(up) };
    [right, up, right.cross(up)]
}

/// X made level, or Z where X is upward.
fn horizontal(up: Vec3<f64>) -> Vec3<f64> {
    let forward = Vec3::from_array(if up.x.abs() > 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] });
    let level = forward - up.scale(forward.dot(up));
    level.scale(1.0 / level.norm())
}

/// A half-space of the world that is seen from its edge: normal and height over the origin in the picture's plane.
struct Plane {
    normal: [f64; 2],
    height: f64,
}

/// The half-spaces of the world that the view sees from their edge.
fn planes(figure: &Figure) -> Vec<Plane> {
    let [right, up, toward] = view(figure);
    let world = Pose { p: Vec3::ZERO, R: borelli_math::Mat3::IDENTITY };
    let fixed = figure.surfaces.iter().filter(|surface| surface.spot.body == 0);
    let found = fixed.filter_map(|surface| surface.plane(&world)).filter(|(normal, _)| normal.dot(toward).abs() < 1e-6);
    found.map(|(normal, height)| Plane { normal: [normal.dot(right), normal.dot(up)], height }).collect()
}

impl Plane {
    fn is_level(&self) -> bool {
        self.normal[0].abs() < 1e-9
    }

    /// The edge inside a box, with strokes on the solid side; `scale` is px per m.
    fn draw(&self, out: &mut String, room: [[f64; 2]; 2], scale: f64, at: &dyn Fn([f64; 2]) -> (f64, f64)) {
        let [nx, ny] = self.normal;
        // Along the edge from its foot under the origin; the steeper the plane, the more its ends are those of the other axis.
        let along =
            if ny.abs() > nx.abs() { room[0].map(|x| (x - self.height * nx) / ny) } else { room[1].map(|y| -(y - self.height * ny) / nx) };
        let point = |s: f64, depth: f64| at([(self.height - depth) * nx + s * ny, (self.height - depth) * ny - s * nx]);
        let (from, to) = (along[0].min(along[1]), along[0].max(along[1]));
        stroke(out, point(from, 0.0), point(to, 0.0), SOFT, 2.0);
        let step = 10.0 / scale;
        let mut text = String::new();
        let mut s = from + step;
        while s <= to {
            let ((x1, y1), (x2, y2)) = (point(s, 0.0), point(s - 6.0 / scale, 7.0 / scale));
            let _ = write!(text, "M{x1:.2} {y1:.2}L{x2:.2} {y2:.2}");
            s += step;
        }
        let _ = writeln!(out, "<path d=\"{text}\" fill=\"none\" stroke=\"{SOFT}\" stroke-width=\"1\"/>");
    }
}

/// Surfaces, what stands off bodies, then bodies, then paths, then joints.
fn draw(out: &mut String, instant: &Instant, at: &dyn Fn(&[f64; 2]) -> (f64, f64)) {
    let path = |points: &[[f64; 2]]| {
        let mut text = String::new();
        for (k, p) in points.iter().enumerate() {
            let (x, y) = at(p);
            let _ = write!(text, "{}{x:.2} {y:.2}", if k == 0 { 'M' } else { 'L' });
        }
        text
    };
    let colour_of = |b: usize| if b == 0 { SOFT } else { COLOURS[(b - 1) % COLOURS.len()] };
    for (b, line) in &instant.surfaces {
        let colour = colour_of(*b);
        let text = path(line);
        let _ = writeln!(out, "<path d=\"{text}Z\" fill=\"{colour}\" fill-opacity=\"0.2\" stroke=\"{colour}\" stroke-width=\"1.5\"/>");
    }
    for (b, point) in &instant.touch_points {
        let ((x, y), colour) = (at(point), colour_of(*b));
        let _ = writeln!(out, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"3\" fill=\"{colour}\"/>");
    }
    for (b, line) in &instant.stays {
        let _ = writeln!(out, "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>", path(line), colour_of(*b));
    }
    for Line { body, filled, width, points } in &instant.bodies {
        let colour = colour_of(*body);
        let fill = if *filled { colour } else { "none" };
        let _ = writeln!(
            out,
            "<path d=\"{}\" fill=\"{fill}\" fill-opacity=\"0.15\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>",
            path(points)
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
