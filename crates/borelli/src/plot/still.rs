//! A motion as one picture in a page: for readers without script, and on paper.
//! Not here: what figures look like (`paint`), the moving figure (`report`).
//! In: figure, trajectory, samples. Out: an `svg` element that follows the colours of the page.
//!
//! Where the figure travels it stands where it was, seen from an eye at 28 degrees of view, with a grid on the ground; where instants would cover each
//! other they are moved apart, and seen along parallel lines.

use super::arrange::Arranged;
use super::axis::nice;
use super::paint::force::Forces;
use super::paint::palette::{Ink, Role};
use super::paint::sheet::{Map, Sheet, legend, pull_legend};
use super::paint::view::View;
use super::paint::{Ground, Look, Pulls, Scene, grounds};
use super::strip::{sides, times};
use crate::figure::{Courses, Figure};
use borelli_data::Trajectory;
use borelli_math::Vec3;
use std::fmt::Write;

/// How a still is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Still<'a> {
    /// Begins the names of its gradients; another for each still of a page.
    pub id: &'a str,
    /// Where lines of pull lie that fixed places do not tell.
    pub courses: &'a Courses,
    /// The sample that is drawn in full colours where figures stand where they were; all others are pale. None: all in full.
    pub main: Option<usize>,
    /// Width, px.
    pub width: f64,
    /// Most height, px.
    pub height: f64,
}

const MARGIN: f64 = 16.0;

/// Distance of the eye over the largest edge of what it sees, for 28 degrees of view.
const EYE: f64 = 2.2;

/// Figures stay where they were if each moves by this part of its width to the next.
const TRAVELS: f64 = 0.35;

/// Samples evenly spread over a trajectory.
pub fn spread(trajectory: &Trajectory, count: usize) -> Vec<usize> {
    let last = trajectory.len().saturating_sub(1);
    let mut list: Vec<usize> = (0..count.min(trajectory.len())).map(|k| k * last / (count.min(trajectory.len()) - 1).max(1)).collect();
    list.dedup();
    list
}

/// A figure at several samples; empty where no body has a pose.
pub fn still(figure: &Figure, trajectory: &Trajectory, samples: &[usize], options: &Still) -> String {
    let Some(height) = samples.iter().find_map(|k| figure.height(trajectory, *k)) else { return String::new() };
    let forces = Forces::of(figure, trajectory, height);
    let lines = Pulls::of(figure, trajectory, options.courses);
    let view = View::oblique(figure);
    let ground = ground(figure, trajectory, samples, height);
    let falls_on = ground.filter(|_| !figure.planar);
    let scenes = |view: &View| -> Vec<(usize, Scene)> {
        samples
            .iter()
            .filter_map(|k| {
                Some((*k, Scene::of(figure, trajectory, *k, &Look { view, forces: &forces, lines: &lines, ground: falls_on, far: 1.0 })?))
            })
            .collect()
    };
    let (kept, flat): (Vec<usize>, Vec<Scene>) = scenes(&view).into_iter().unzip();
    let Some(apart) = Arranged::of(&flat, false) else { return String::new() };
    if apart.apart > 0.0 && !travels(&apart) {
        return side_by_side(figure, &flat, &apart, &forces, &lines, options);
    }
    let view = match around(figure, trajectory, &kept) {
        Some((middle, size)) if !figure.planar => view.with_eye(middle, EYE * size),
        _ => view,
    };
    let shown: Vec<Scene> = scenes(&view).into_iter().map(|(_, scene)| scene).collect();
    let Some(placed) = Arranged::of(&shown, true) else { return String::new() };
    let main = options.main.and_then(|sample| kept.iter().position(|k| *k == sample));
    let page = Page::of(&placed, options, 34.0);
    let map = placed.map(0, page.scale, page.middle, page.low);
    let mut sheet = Sheet::new(options.id, Ink::Page);
    if let Some(ground) = ground {
        floor(
            &mut sheet,
            figure,
            ground,
            &view,
            &map,
            &Floor { height, middle: kept.iter().filter_map(|k| middle(figure, trajectory, *k)).collect() },
        );
    }
    let order = (0..shown.len()).filter(|k| Some(*k) != main).chain(main);
    for k in order.clone() {
        sheet.shadows(&shown[k], &map);
    }
    for k in order {
        sheet.scene(&shown[k], &map, main.is_some_and(|main| main != k));
    }
    for (_, scene) in shown.iter().enumerate().filter(|(k, _)| main.is_none_or(|main| main == *k)) {
        sheet.arrows(&scene.arrows, forces.shaft(), &map);
    }
    let text = match main {
        Some(k) => format!("t = {} s", crate::report::significant(shown[k].time, 4)),
        None => span(&shown),
    };
    sheet.label([MARGIN, 20.0], "start", Role::Text, &text);
    finish(sheet, figure, &shown, &forces, &lines, &page)
}

/// First and last time.
fn span(scenes: &[Scene]) -> String {
    let text = |scene: Option<&Scene>| crate::report::significant(scene.map_or(0.0, |scene| scene.time), 4);
    format!("t = {} to {} s", text(scenes.first()), text(scenes.last()))
}

/// Whether each figure is well away from the one before.
fn travels(apart: &Arranged) -> bool {
    let middle = |ends: &[[f64; 2]; 2]| 0.5 * (ends[0][0] + ends[0][1]);
    let widest = apart.boxes.iter().map(|ends| ends[0][1] - ends[0][0]).fold(0.0, f64::max);
    apart.boxes.windows(2).all(|pair| (middle(&pair[1]) - middle(&pair[0])).abs() > TRAVELS * widest)
}

fn side_by_side(figure: &Figure, scenes: &[Scene], apart: &Arranged, forces: &Forces, lines: &Pulls, options: &Still) -> String {
    let page = Page::of(apart, options, 60.0);
    let map = |k: usize| apart.map(k, page.scale, page.middle, page.low);
    let mut sheet = Sheet::new(options.id, Ink::Page);
    for (k, scene) in scenes.iter().enumerate() {
        sheet.shadows(scene, &map(k));
    }
    for (k, scene) in scenes.iter().enumerate() {
        sheet.scene(scene, &map(k), false);
        sheet.arrows(&scene.arrows, forces.shaft(), &map(k));
    }
    let places: Vec<f64> = (0..scenes.len()).map(|k| map(k).at([0.5 * (apart.boxes[k][0][0] + apart.boxes[k][0][1]), 0.0])[0]).collect();
    let texts: Vec<String> = scenes.iter().map(|scene| format!("{} s", crate::report::significant(scene.time, 3))).collect();
    times(&mut sheet, &places, &texts, page.low + 20.0);
    finish(sheet, figure, scenes, forces, lines, &page)
}

/// Where things are on the page.
struct Page {
    width: f64,
    /// Of the whole.
    height: f64,
    scale: f64,
    middle: f64,
    /// Height of the lowest place, px from above.
    low: f64,
}

impl Page {
    /// With room below for texts.
    fn of(arranged: &Arranged, options: &Still, below: f64) -> Page {
        let (wide, tall) = (arranged.wide[1] - arranged.wide[0], arranged.tall[1] - arranged.tall[0]);
        let size = arranged.size();
        let room = [options.width - 2.0 * MARGIN, options.height - below - 34.0];
        let scale = (room[0] / wide.max(1e-3 * size)).min(room[1] / tall.max(1e-3 * size)).min(room[1] / size);
        let low = 34.0 + tall * scale;
        Page { width: options.width, height: low + below, scale, middle: 0.5 * options.width, low }
    }
}

/// Legends, and the element around all.
fn finish(mut sheet: Sheet, figure: &Figure, scenes: &[Scene], forces: &Forces, lines: &Pulls, page: &Page) -> String {
    sides(&mut sheet, figure, [page.width - MARGIN, 20.0]);
    let (bar, y) = (nice(0.1 * page.width / page.scale), page.height - 12.0);
    sheet.stroke([MARGIN, y], [MARGIN + bar * page.scale, y], Role::Text, 2.0);
    sheet.label([MARGIN + bar * page.scale + 8.0, y + 4.5], "start", Role::Text, &format!("{} m", crate::report::significant(bar, 3)));
    pull_legend(&mut sheet, &lines.tones, [(MARGIN + bar * page.scale + 90.0).max(0.2 * page.width), y]);
    if scenes.iter().any(|scene| !scene.arrows.is_empty()) {
        legend(&mut sheet, forces, page.scale, [page.width - MARGIN, y]);
    }
    let (width, height) = (page.width, page.height);
    format!(
        "<svg class=\"still\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"The figure at {} \
         instants\" font-size=\"13\">\n{}{}</svg>\n",
        scenes.len(),
        sheet.defs(),
        sheet.body
    )
}

/// The ground under a figure: the first half-space of the world that lies below it, else the level of the origin where the figure stands on it.
fn ground(figure: &Figure, trajectory: &Trajectory, samples: &[usize], height: f64) -> Option<Ground> {
    let up = Vec3::from_array(figure.up);
    if let Some(ground) = grounds(figure).into_iter().find(|ground| ground.normal.dot(up) > 0.5) {
        return Some(ground);
    }
    let corners = samples.iter().filter_map(|k| figure.bounds(trajectory, *k));
    let lowest = corners.flat_map(|ends| ends.map(|p| Vec3::from_array(p).dot(up))).fold(f64::INFINITY, f64::min);
    (figure.gravity && lowest > -0.06 * height && lowest < height).then_some(Ground { normal: up, height: 0.0 })
}

/// The middle of the solids at a sample.
fn middle(figure: &Figure, trajectory: &Trajectory, sample: usize) -> Option<Vec3<f64>> {
    let [low, high] = figure.bounds(trajectory, sample)?;
    Some((Vec3::from_array(low) + Vec3::from_array(high)).scale(0.5))
}

/// Middle and largest edge of the box of all solids at several samples.
fn around(figure: &Figure, trajectory: &Trajectory, samples: &[usize]) -> Option<(Vec3<f64>, f64)> {
    let boxes = samples.iter().filter_map(|k| figure.bounds(trajectory, *k));
    let all = boxes.reduce(|a, b| [[0, 1, 2].map(|k| f64::min(a[0][k], b[0][k])), [0, 1, 2].map(|k| f64::max(a[1][k], b[1][k]))])?;
    let size = [0, 1, 2].map(|k| all[1][k] - all[0][k]).into_iter().fold(0.0, f64::max);
    Some(((Vec3::from_array(all[0]) + Vec3::from_array(all[1])).scale(0.5), size))
}

/// What a floor lies under.
struct Floor {
    height: f64,
    middle: Vec<Vec3<f64>>,
}

/// A grid on the ground with cells of a round length, or its edge.
fn floor(sheet: &mut Sheet, figure: &Figure, ground: Ground, view: &View, map: &Map, under: &Floor) {
    let along = Vec3::from_array(figure.forward);
    let along = along - ground.normal.scale(along.dot(ground.normal));
    let along = along.scale(1.0 / along.norm());
    let across = along.cross(ground.normal);
    let place = |x: f64, z: f64| map.at(view.flat(ground.normal.scale(ground.height) + along.scale(x) + across.scale(z)));
    let cell = nice(under.height / 8.0);
    let ends = |d: Vec3<f64>| {
        let (low, high) = under.middle.iter().map(|p| p.dot(d)).fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
        let room = 0.5 * under.height + cell;
        [((low - room) / cell).floor() * cell, ((high + room) / cell).ceil() * cell]
    };
    let (x, z) = (ends(along), ends(across));
    if view.sees_edge(ground.normal) {
        sheet.stroke(place(x[0], 0.0), place(x[1], 0.0), Role::Grid, 2.0);
        return;
    }
    let lines = |ends: [f64; 2]| (0..=((ends[1] - ends[0]) / cell).round() as usize).map(move |k| ends[0] + k as f64 * cell);
    let mut d = String::new();
    for ([x1, y1], [x2, y2]) in lines(x).map(|x| (place(x, z[0]), place(x, z[1]))).chain(lines(z).map(|z| (place(x[0], z), place(x[1], z))))
    {
        let _ = write!(d, "M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}");
    }
    let colour = sheet.ink.of(Role::Grid);
    let _ = writeln!(sheet.body, "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\"/>");
}
