//! Maps of pressure mats in a page: cells as parts of the highest pressure, where the mat lies, what presses on it.
//! Not here: pictures of maps (`plot`), files of them (`results`).
//! In: the maps of a case, its figure and poses. Out: JSON text.

use super::case::digits;
use super::facts::MatPlace;
use super::figure::side_json;
use super::packed::u16s;
use crate::figure::{FigureSurface, Pose};
use crate::label::{Side, side_of};
use crate::report::escape::json_string;
use crate::report::{Case, Report};
use borelli_math::Vec3;
use borelli_study::pressure::PressureMap;

/// Cells that all maps of a page may hold: some three megabytes of text.
const MOST_CELLS: usize = 1_000_000;

/// Outlines of surfaces are true to this part of their size.
const TRUE_TO: f64 = 2e-3;

/// What the maps of a page share.
pub(super) struct Maps {
    /// Most maps of one mat.
    most: usize,
    /// Highest pressure of each mat by name, Pa: one scale for a mat in all cases, but for those that a check warns of, which have their own.
    high: Vec<(String, f64)>,
}

impl Maps {
    /// Looks at all maps of a report.
    pub fn of(report: &Report) -> Maps {
        let all = || report.cases.iter().flat_map(|case| case.pressure);
        let cells: usize = all().map(|map| map.peak.len()).sum();
        let mut high: Vec<(String, f64)> = Vec::new();
        for map in report.cases.iter().filter(|case| !case.warned()).flat_map(|case| case.pressure) {
            let own = highest(map);
            match high.iter_mut().find(|(name, _)| *name == map.name) {
                Some((_, known)) => *known = known.max(own),
                None => high.push((map.name.clone(), own)),
            }
        }
        Maps { most: (MOST_CELLS / cells.max(1)).max(3), high }
    }

    /// Frames of a mat that are kept: evenly spread, with the first, the last and that of the greatest force.
    fn kept(&self, map: &PressureMap) -> Vec<usize> {
        let n = map.time.len();
        if n <= self.most {
            return (0..n).collect();
        }
        let mut list: Vec<usize> = (0..self.most - 1).map(|k| k * (n - 1) / (self.most - 2)).collect();
        list.extend(greatest(map));
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// The highest pressure of a map, Pa.
fn highest(map: &PressureMap) -> f64 {
    map.peak.iter().chain(&map.pressure).copied().filter(|p| p.is_finite()).fold(0.0, f64::max)
}

/// The frame of the greatest force.
fn greatest(map: &PressureMap) -> Option<usize> {
    let force = |k: usize| map.frame(k).iter().sum::<f64>();
    (0..map.time.len()).max_by(|a, b| force(*a).total_cmp(&force(*b)))
}

/// Parts of 65535; what is under pressure is not nothing.
fn parts<'p>(list: impl Iterator<Item = &'p f64> + 'p, high: f64) -> impl Iterator<Item = u16> + 'p {
    list.map(move |p| if *p > 0.0 && high > 0.0 { (p / high * 65535.0).round().clamp(1.0, 65535.0) as u16 } else { 0 })
}

/// All maps of a case.
pub(super) fn pressure_json(case: &Case, maps: &Maps) -> String {
    let list: Vec<String> = case.pressure.iter().map(|map| mat_json(case, map, maps)).collect();
    format!("[{}]", list.join(",\n"))
}

fn mat_json(case: &Case, map: &PressureMap, maps: &Maps) -> String {
    let kept = maps.kept(map);
    let shared = maps.high.iter().find(|(name, _)| *name == map.name && !case.warned());
    let high = shared.map_or_else(|| highest(map), |(_, high)| *high);
    let on = Lying::of(case, map);
    let point = |p: Vec3<f64>| format!("[{}]", p.to_array().map(digits).join(","));
    let centre =
        |k: &usize| map.centre[*k].map_or("null".to_string(), |[x, z]| point(on.corner + on.axes[0].scale(x) + on.axes[1].scale(z)));
    let polygon = |line: &Vec<Vec3<f64>>| format!("[{}]", line.iter().map(|p| point(*p)).collect::<Vec<_>>().join(","));
    format!(
        "{{\"name\":{},\"label\":{},\"cells\":[{},{}],\"pitch\":[{},{}],\"origin\":{},\"axes\":[{},{}],\"times\":[{}],\"maps\":{},\"high\":{},\"highest\":{},\"cop\":[{}],\
         \"outline\":[{}],\"side\":{},\"forward\":{}}}",
        json_string(&map.name),
        json_string(&case.facts.given().element("sensor", &map.name, side_of(&map.name))),
        map.cells[0],
        map.cells[1],
        digits(map.pitch[0]),
        digits(map.pitch[1]),
        point(on.corner),
        point(on.axes[0]),
        point(on.axes[1]),
        kept.iter().map(|k| digits(map.time[*k])).collect::<Vec<_>>().join(","),
        u16s(parts(kept.iter().flat_map(|k| map.frame(*k)), high)),
        digits(high),
        u16s(parts(map.peak.iter(), high)),
        kept.iter().map(centre).collect::<Vec<_>>().join(","),
        on.outline.iter().map(polygon).collect::<Vec<_>>().join(","),
        side_json(on.side),
        on.forward.map_or("null".to_string(), point),
    )
}

/// Where a mat lies, and what presses on it where the force is greatest.
struct Lying {
    corner: Vec3<f64>,
    axes: [Vec3<f64>; 2],
    outline: Vec<Vec<Vec3<f64>>>,
    side: Option<Side>,
    /// From heel to toes.
    forward: Option<Vec3<f64>>,
}

impl Lying {
    fn of(case: &Case, map: &PressureMap) -> Lying {
        let axes = [Vec3 { x: 1.0, y: 0.0, z: 0.0 }, Vec3 { x: 0.0, y: 0.0, z: 1.0 }];
        let unknown = Lying { corner: Vec3::ZERO, axes, outline: Vec::new(), side: None, forward: None };
        let Some(mat) = case.facts.mats.iter().find(|mat| mat.name == map.name) else { return unknown };
        let time = case.trajectory.time();
        let Some(t) = greatest(map).map(|k| map.time[k]).filter(|_| !time.is_empty()) else { return unknown };
        let sample = time.partition_point(|x| *x < t).min(time.len() - 1);
        let pose = |body: usize| case.figure.pose(body, case.trajectory, sample);
        let Some((corner, axes)) = mat.in_world(&case.figure, pose) else { return unknown };
        let mut lying = Lying { corner, axes, ..unknown };
        lying.press(case, mat, pose);
        lying
    }

    /// Surfaces over the mat.
    fn press(&mut self, case: &Case, mat: &MatPlace, pose: impl Fn(usize) -> Option<Pose>) {
        let figure = &case.figure;
        let n = self.axes[1].cross(self.axes[0]);
        let down = |p: [f64; 3]| {
            let p = Vec3::from_array(p);
            p - n.scale(n.dot(p - self.corner))
        };
        let above = figure.pairs.iter().filter(|pair| pair.second == mat.surface).map(|pair| &figure.surfaces[pair.first]);
        let above: Vec<(&FigureSurface, Pose)> = above.filter_map(|surface| Some((surface, pose(surface.spot.body)?))).collect();
        let outline = |(surface, body): &(&FigureSurface, Pose)| {
            let line = surface.outline(body.R.transpose_mul(n), TRUE_TO)?;
            Some(line.into_iter().map(|at| down(body.place(at))).collect())
        };
        self.outline = above.iter().filter_map(outline).collect();
        let own = figure.surface_sides();
        let side = |(surface, _): &(&FigureSurface, Pose)| own.of(&surface.name).or(figure.bodies[surface.spot.body].side);
        let sides: Vec<Option<Side>> = above.iter().map(side).collect();
        self.side = sides.first().copied().flatten().filter(|first| sides.iter().all(|side| *side == Some(*first)));
        let middle = |words: &[&str]| {
            let is = |(surface, _): &&(&FigureSurface, Pose)| words.iter().any(|word| surface.name.to_lowercase().contains(word));
            let places: Vec<Vec3<f64>> = above.iter().filter(is).map(|(surface, body)| down(body.place(surface.spot.at))).collect();
            (!places.is_empty()).then(|| places.iter().fold(Vec3::ZERO, |sum, p| sum + *p).scale(1.0 / places.len() as f64))
        };
        if let (Some(heel), Some(toes)) = (middle(&["heel"]), middle(&["toe"]).or_else(|| middle(&["ball", "metatars"]))) {
            let way = toes - heel;
            self.forward = (way.norm() > 0.0).then(|| way.scale(1.0 / way.norm()));
        }
    }
}
