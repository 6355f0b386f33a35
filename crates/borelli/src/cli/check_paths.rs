//! What `borelli check` tells of paths that bend: at the start, for each wrap of a path, whether it touches, how far round, and on which side.
//! Not here: how that is found (`borelli_dynamics::force`).
//! Out: lines, or JSON.

use borelli_dynamics::System;
use borelli_dynamics::force::{PathView, Stop};
use borelli_dynamics::wrap::Obstacle;
use serde_json::{Value, json};

/// One wrap of one path.
struct Laid<'s> {
    path: &'s str,
    wrap: &'s str,
    kind: &'static str,
    /// Length on it, m, and turn, rad.
    touching: Option<(f64, f64)>,
    side: Option<[f64; 3]>,
    ring: bool,
    /// About the axis of a cylinder or circle.
    sense: Option<f64>,
}

fn laid<'s>(system: &'s System, q: &[f64]) -> Vec<Laid<'s>> {
    let mut view = PathView::new(system);
    view.look(system, q);
    let paths = &system.numbers.paths;
    let mut list = Vec::new();
    for (path, stops) in paths.list.iter().enumerate() {
        for (k, stop) in stops.iter().enumerate() {
            if let Stop::Wrap { wrap, manner } = stop {
                let own = &paths.wraps[*wrap as usize];
                let round = matches!(own.item.obstacle, Obstacle::Cylinder { .. });
                list.push(Laid {
                    path: &system.names.paths[path],
                    wrap: &own.name,
                    kind: if system.skeleton.planar { "circle" } else { own.item.obstacle.word() },
                    touching: view.lines().touching(path, k),
                    ring: matches!(own.item.obstacle, Obstacle::Torus { .. }),
                    side: manner.side.map(|side| side.to_array()),
                    sense: round.then_some(manner.sense),
                });
            }
        }
    }
    list
}

/// Lines for people; none without wraps.
pub(super) fn lines(system: &System, q: &[f64]) -> Vec<String> {
    let line = |own: Laid| {
        let how = match own.touching {
            Some((arc, turn)) => format!("touching, {:.3} mm round {:.2} deg", arc * 1e3, turn.to_degrees()),
            None => "free".into(),
        };
        // A ring has no side: the path goes through it.
        let way = if own.ring { "through the ring" } else { "the shorter way" };
        let side = own.side.filter(|_| !own.ring).map_or(way.into(), |[x, y, z]| match system.skeleton.planar {
            true => format!("side [{x:.3}, {y:.3}]"),
            false => format!("side [{x:.3}, {y:.3}, {z:.3}]"),
        });
        let sense = own.sense.map_or("", |sense| if sense > 0.0 { ", from X to Y" } else { ", from Y to X" });
        format!("{} over {} ({}): {how}; {side}{sense}", own.path, own.wrap, own.kind)
    };
    laid(system, q).into_iter().map(line).collect()
}

/// The same as data.
pub(super) fn as_json(system: &System, q: &[f64]) -> Value {
    let entry = |own: Laid| {
        let (arc, turn) = own.touching.unzip();
        json!({
            "path": own.path, "wrap": own.wrap, "type": own.kind, "touching": arc.is_some(), "arc": arc, "turn": turn, "side": own.side,
            "sense": own.sense,
        })
    };
    laid(system, q).into_iter().map(entry).collect()
}
