//! The largest force that ground or supports exert: of measured loads, else of contacts with the world, else of what holds the figure to the world.
//! Not here: the sentence it stands in. `page/scene.js` draws the same forces as arrows.
//! In: a run. Out: the number, and what it acts on where that is not plain.

use super::{Ran, Telling};
use crate::figure::Figure;
use crate::label;
use crate::report::Case;

/// A force below this part of the largest of all is zero but for rounding; `page/scene.js` draws no such arrow either.
const ROUNDING: f64 = 1e-9;

/// Forces that are told as one: what they act on, and the columns of each, without the axis.
struct Together {
    on: String,
    columns: Vec<String>,
}

/// The largest of all samples that can be judged.
pub(super) fn ground(run: &Ran) -> Option<Telling> {
    let case = run.case;
    let touched = if on_planes(case) { "the ground" } else { "contact" };
    let (what, list) = [("the ground", loads(case)), (touched, contacts(case)), ("the support", supports(case))]
        .into_iter()
        .find(|(_, list)| !list.is_empty())?;
    let several = list.len() > 1;
    let largest = |own: &Together| {
        let parts: Vec<[Option<&[f64]>; 3]> =
            own.columns.iter().map(|prefix| ["x", "y", "z"].map(|axis| case.trajectory.column(&format!("{prefix}.{axis}")))).collect();
        let force = |k: usize| {
            let along = |axis: usize| parts.iter().map(|own| own[axis].map_or(0.0, |values| values[k])).sum::<f64>();
            along(0).hypot(along(1)).hypot(along(2))
        };
        (0..case.trajectory.len()).filter(|k| run.judges(*k)).map(force).filter(|x| x.is_finite()).reduce(f64::max)
    };
    let all = list.iter().filter_map(|own| Some((largest(own)?, own)));
    let (value, own) = all.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(force, _)| *force > ROUNDING * largest_force(case))?;
    let more = match (several, own.columns.len() > 1) {
        (true, _) => format!("on “{}”", own.on),
        // Plots show each by itself, and none reaches their sum.
        (false, true) if own.columns[0].starts_with("load.") => "all measured forces together".into(),
        (false, true) => "all contacts together".into(),
        (false, false) => String::new(),
    };
    Some(Telling { what: format!("largest force of {what}"), value, unit: "N", more, ..Telling::default() })
}

/// Names of elements with a column of a family.
fn names(case: &Case, head: &str, tail: &str) -> Vec<String> {
    let own = |column: &borelli_data::Column| column.name.strip_prefix(head)?.strip_suffix(tail).map(str::to_string);
    case.trajectory.columns().iter().filter_map(own).collect()
}

/// Measured loads, which act on one person.
fn loads(case: &Case) -> Vec<Together> {
    let columns: Vec<String> = names(case, "load.", ".force.x").iter().map(|name| format!("load.{name}.force")).collect();
    if columns.is_empty() { Vec::new() } else { vec![Together { on: String::new(), columns }] }
}

/// Whether all that is touched of the world are planes: a condyle of a thigh that is the world is no ground.
fn on_planes(case: &Case) -> bool {
    let surfaces = case.figure.pairs.iter().flat_map(|pair| [pair.first, pair.second]).map(|k| &case.figure.surfaces[k]);
    surfaces.filter(|surface| surface.spot.body == 0).all(|surface| surface.half_space().is_some())
}

/// Contacts with the world. Those of bodies that hang together act on one thing; balls that strike the floor each by itself do not.
fn contacts(case: &Case) -> Vec<Together> {
    let figure = &case.figure;
    let parts = connected(figure);
    let mut list: Vec<(usize, Together)> = Vec::new();
    for name in names(case, "contact.", ".total.force.x") {
        let own = |pair: &str| pair == name || pair.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'));
        let touched = figure.pairs.iter().filter(|pair| own(&pair.name)).find_map(|pair| {
            match [pair.first, pair.second].map(|surface| figure.surfaces[surface].spot.body) {
                [0, body] | [body, 0] => Some(body),
                _ => None,
            }
        });
        let Some(body) = touched else { continue };
        let column = format!("contact.{name}.total.force");
        match list.iter_mut().find(|(part, _)| *part == parts[body]) {
            Some((_, together)) => together.columns.push(column),
            None => {
                let on = case.facts.given().element("body", &figure.bodies[body].name, label::side_of(&figure.bodies[body].name));
                list.push((parts[body], Together { on, columns: vec![column] }));
            }
        }
    }
    list.into_iter().map(|(_, together)| together).collect()
}

/// For each body the first of those that joints, loops and rods hold together with it, the world aside.
fn connected(figure: &Figure) -> Vec<usize> {
    let mut part: Vec<usize> = (0..figure.bodies.len()).collect();
    let joints = figure.joints.iter().map(|joint| (joint.parent.body, joint.child.body));
    let holds = figure.holds.iter().filter_map(|hold| Some((hold.a?.body, hold.b.body)));
    let rods = figure.rods.iter().filter_map(|rod| Some((rod.points.first()?.body, rod.points.last()?.body)));
    for (a, b) in joints.chain(holds).chain(rods).filter(|(a, b)| *a != 0 && *b != 0) {
        let (keep, gone) = (part[a].min(part[b]), part[a].max(part[b]));
        part.iter_mut().filter(|own| **own == gone).for_each(|own| *own = keep);
    }
    part
}

/// Joints, loops and guides that hold a body to the world, each by itself.
fn supports(case: &Case) -> Vec<Together> {
    let figure = &case.figure;
    let given = |section: &str, name: &str| case.facts.given().element(section, name, label::side_of(name));
    let joints = figure.joints.iter().filter(|joint| joint.parent.body == 0 && !joint.floats());
    let joints = joints.map(|joint| Together {
        on: given("body", &figure.bodies[joint.child.body].name),
        columns: vec![format!("joint.{}.reaction.force", joint.name)],
    });
    // A guide has no second place; a loop acts on its place b, and on a the other way.
    let holds = figure.holds.iter().filter(|hold| hold.a.is_none_or(|a| a.body == 0) || hold.b.body == 0).map(|hold| {
        let body = if hold.b.body == 0 { hold.a.map_or(0, |a| a.body) } else { hold.b.body };
        Together { on: given("body", &figure.bodies[body].name), columns: vec![format!("{}.reaction", hold.element)] }
    });
    let known = |own: &Together| {
        own.columns.iter().any(|prefix| ["x", "y", "z"].iter().any(|axis| case.trajectory.column(&format!("{prefix}.{axis}")).is_some()))
    };
    joints.chain(holds).filter(known).collect()
}

fn largest_force(case: &Case) -> f64 {
    let forces = (0..case.trajectory.columns().len()).filter(|k| case.trajectory.columns()[*k].unit.as_deref() == Some("N"));
    let values = forces.flat_map(|k| case.trajectory.values(k)).filter(|x| x.is_finite());
    values.fold(0.0, |most, x| most.max(x.abs()))
}
