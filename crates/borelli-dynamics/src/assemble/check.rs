//! What can only be seen at the start: whether the model assembles, whether joints are singular, whether every joint has inertia against it,
//! whether accelerations can be computed.
//! Not here: the faults of single elements (`compile`). In: a system. Out: findings, and the assembled start.

use super::slack::never_taut;
use super::{Assembled, AssemblyFault, assemble};
use crate::compile::{Fault, in_words};
use crate::force::{Lost, PathView, Pinch, Stop, moving_point};
use crate::formulation::articulated::{Articulated, Parts};
use crate::formulation::{Evaluation, Failure, Input};
use crate::frames::Frames;
use crate::retract::retract;
use crate::scene::{Inside, Scene};
use crate::system::{DofClass, Measure, System};
use borelli_contact::volume::Immersion;
use borelli_math::{Sym3, Vec3};
use borelli_model::Findings;
use nalgebra::{Matrix3, Matrix6, Vector6};

/// Axes of a joint that span less than this part of the full measure are singular.
const PARALLEL: f64 = 1e-6;
/// Largest change of a coordinate from the start to a position beside it, rad or m.
const BESIDE: f64 = 0.1;
/// Inertia against a degree of freedom below this part of its measure is none.
const NONE: f64 = 1e-12;

/// Findings of [`examine`].
pub fn check(system: &System) -> Findings {
    examine(system).0
}

/// Rows that follow from others: everywhere, and only at the start, which is a singular position then. A position beside the start tells them apart.
fn following(system: &System, start: &Assembled) -> (Vec<String>, Vec<String>) {
    if start.redundant.is_empty() {
        return Default::default();
    }
    // No two coordinates go the same way.
    let step: Vec<f64> = (0..start.v.len()).map(|dof| BESIDE * (0.618_033_988_749_894_9 * (dof + 1) as f64).fract()).collect();
    let mut q = start.q.clone();
    retract(&system.skeleton, &mut q, &step);
    let held = vec![false; step.len()];
    match assemble(system, 0.0, &q, &vec![0.0; step.len()], &held) {
        Ok(beside) => start.redundant.iter().cloned().partition(|row| beside.redundant.contains(row)),
        Err(_) => (start.redundant.clone(), Vec::new()),
    }
}

/// Assembles at time 0 from the file's start, looks at the joints there and computes its accelerations once. Gives the assembled start too where there is one.
///
/// Errors: rows that cannot be met or contradict each other, a table that does not reach time 0, a joint without inertia against it, accelerations
/// that are not finite, an ellipsoid wholly inside a half-space, points of a pulling path in one place. Warnings: redundant rows, a singular start, a
/// joint with parallel axes, an ellipsoid mostly inside, a path on one body or whose way is doubtful.
pub fn examine(system: &System) -> (Findings, Option<Assembled>) {
    let mut findings = Findings::new();
    let start = &system.start;
    let assembled = match assemble(system, 0.0, &start.q, &start.v, &start.held) {
        Ok(assembled) => {
            let (redundant, singular) = following(system, &assembled);
            for (rows, here) in [(redundant, false), (singular, true)] {
                if let Some(first) = rows.first() {
                    let element = element_of(first);
                    findings.push(None, element, "", &if here { Fault::SingularStart { rows } } else { Fault::Redundant { rows } });
                }
            }
            Some(assembled)
        }
        Err(fault) => {
            let element = match &fault {
                AssemblyFault::Unreachable { rows } | AssemblyFault::Conflict { rows } => {
                    rows.first().map_or(String::new(), |(row, _)| element_of(row))
                }
                AssemblyFault::RowNotFinite { row, .. } => element_of(row),
                AssemblyFault::OutsideTable { element, .. } => element.clone(),
                AssemblyFault::State(_) => String::new(),
            };
            if let Some(fault) = fault.fault() {
                findings.push(None, element, "", &fault);
            }
            None
        }
    };
    let q = assembled.as_ref().map_or(&start.q, |assembled| &assembled.q);
    let mut frames = Frames::new(&system.skeleton);
    let still = vec![0.0; system.skeleton.dofs()];
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, &still, &[]);
    for body in 1..system.skeleton.parent.len() {
        if parallel_axes(system, &frames, body) {
            let joint = system.names.joints[body].clone();
            findings.push(None, format!("joint.{joint}"), "", &Fault::Singular { joint });
        }
    }
    for (body, why) in without_inertia(system, &frames) {
        let (joint, body) = (system.names.joints[body].clone(), system.names.bodies[body].clone());
        let (element, fault) = match why {
            Lack::Inertia => (format!("body.{body}"), Fault::NoInertiaAtJoint { joint }),
            Lack::Motion => (format!("joint.{joint}"), Fault::JointStandsStill { joint }),
            Lack::Measure => (format!("body.{body}"), Fault::InertiaTooLarge { body }),
        };
        findings.push(None, element, "", &fault);
    }
    if assembled.is_some() {
        frames.fill_points(&system.skeleton);
        let mut view = PathView::new(system);
        view.look(system, q);
        let inside = points_inside_wraps(system, &frames, q);
        // Of a path with a point inside it is no wonder that it has no place.
        let lost = view.lines().lost.filter(|lost| inside.iter().all(|own| own.path != lost.path as usize));
        if let Some(Lost { path, wrap, trouble }) = lost {
            let (path, wrap) = (&system.names.paths[path as usize], &system.numbers.paths.wraps[wrap as usize].name);
            let fault = Fault::PathLost { path: path.clone(), wrap: wrap.clone(), trouble };
            findings.push(None, format!("path.{path}"), "points", &fault);
        }
        for (path, body) in paths_on_one_body(system) {
            findings.push(None, format!("path.{path}"), "points", &Fault::PathOnOneBody { path, body });
        }
        for inside in inside {
            findings.push(None, format!("path.{}", system.names.paths[inside.path]), "points", &inside.fault);
        }
        // Beside an error a doubt is no news, and of points inside a wrap it means nothing.
        if !findings.has_errors() {
            view.margins(system, |margin| {
                if margin.is_doubtful() {
                    let (path, wrap) =
                        (system.names.paths[margin.path].clone(), system.numbers.paths.wraps[margin.wrap as usize].name.clone());
                    let element = format!("path.{path}");
                    findings.push(None, element, "points", &Fault::DoubtfulPath { path, wrap, kind: margin.kind, value: margin.value });
                }
            });
        }
    }
    if let Some(assembled) = assembled.as_ref().filter(|_| !findings.has_errors()) {
        let mut vdot = still.clone();
        let mut articulated = Articulated::new(system);
        let trouble = match articulated.forward(system, 0.0, &assembled.q, &assembled.v, &still, &mut vdot) {
            Err(Failure::NotFinite { joint }) => Some((format!("joint.{joint}"), Fault::StartNotComputable { joint })),
            Err(Failure::OutsideTable { function, element, unit, at, range: (from, to) }) => {
                Some((element, Fault::OutsideTable { function, unit, at, from, to }))
            }
            Err(Failure::PathLost { path, wrap, trouble }) => Some((format!("path.{path}"), Fault::PathLost { path, wrap, trouble })),
            Err(Failure::ContactNotFound { pair }) => Some((contact_of(system, &pair), Fault::ContactNotFound { pair })),
            // Muscles tell it themselves, below.
            Err(Failure::ControlNotFinite { control, .. }) if control.starts_with("muscle.") => None,
            Err(Failure::ControlNotFinite { control, value, .. }) => {
                let (element, field) = control.rsplit_once('.').unwrap_or((&control, ""));
                findings.push(None, element, field, &Fault::ControlNotFinite { value });
                None
            }
            // Lengths and numbers of the state were seen to by assembling; the memory is this system's.
            Ok(())
            | Err(
                Failure::WrongLength { .. }
                | Failure::OtherShape
                | Failure::StateNotFinite { .. }
                | Failure::Undetermined { .. }
                | Failure::Soft { .. },
            ) => None,
        };
        if let Some((element, fault)) = trouble {
            findings.push(None, element, "", &fault);
        }
        let mut states = system.states_at(0.0, &assembled.q);
        for (path, fault) in pinched_and_pulled(system, &mut articulated, assembled, &states.z) {
            findings.push(None, format!("path.{path}"), "points", &fault);
        }
        never_taut(system, &mut states.notes);
        states.tell(&mut findings);
        for (touching, pair) in articulated.pairs().touching.iter().zip(&system.names.pairs) {
            let full = touching.immersion == Immersion::Full;
            if touching.immersion > Immersion::Partial {
                findings.push(None, contact_of(system, pair), "", &Fault::Immersed { pair: pair.clone(), full, depth: touching.depth });
            }
        }
    }
    (findings, assembled)
}

/// Points nearer than this, m, are in one place.
const ONE_PLACE: f64 = 1e-9;

/// Paths of which two neighbouring points lie in one place although they can move apart, while something pulls along them.
fn pinched_and_pulled(system: &System, articulated: &mut Articulated, start: &Assembled, z: &[f64]) -> Vec<(String, Fault)> {
    let (mut view, mut pinches) = (PathView::new(system), Vec::new());
    view.look(system, &start.q);
    view.pinches(system, ONE_PLACE, |pinch| pinches.push(pinch));
    if pinches.is_empty() {
        return Vec::new();
    }
    let (mut out, tau) = (Evaluation::new(system), vec![0.0; start.v.len()]);
    let input = Input { t: 0.0, q: &start.q, v: &start.v, inside: Inside { z, u: &[] }, tau: &tau };
    let looked = articulated.report(system, input, Parts { loads: true, ..Parts::default() }, &mut out);
    let tension = |pinch: &Pinch| out.lines.tension[pinch.path];
    // Where the tension vanishes with the length, as in a spring without length, no direction is needed.
    let pulled = pinches.iter().filter(|pinch| looked.is_ok() && tension(pinch) != 0.0);
    pulled
        .map(|pinch| {
            let (points, place) = (pinch.words(system), pinch.place(system));
            (system.names.paths[pinch.path].clone(), Fault::PinchedPath { points, place, tension: tension(pinch) })
        })
        .collect()
}

/// Paths whose length nothing changes because all that they pass is on one body, with the body.
fn paths_on_one_body(system: &System) -> Vec<(String, String)> {
    let numbers = &system.numbers;
    let mut found = Vec::new();
    for (path, stops) in numbers.paths.list.iter().enumerate() {
        let Some(first) = stops.first().map(|stop| numbers.paths.body(stop, &numbers.place_body)) else { continue };
        let on_it = |stop: &Stop<f64>| !matches!(stop, Stop::Moving { .. }) && numbers.paths.body(stop, &numbers.place_body) == first;
        if stops.iter().all(on_it) {
            found.push((system.names.paths[path].clone(), system.names.bodies[first as usize].clone()));
        }
    }
    found
}

/// A point of a path inside an obstacle next to it.
struct PointInside {
    path: usize,
    fault: Fault,
}

/// Points of paths that lie inside an obstacle that they are a neighbour of. A conditional point that is absent is looked at where it comes: at the
/// nearest value of its coordinate at which it is there.
fn points_inside_wraps(system: &System, frames: &Frames<f64>, q: &[f64]) -> Vec<PointInside> {
    let (skeleton, numbers) = (&system.skeleton, &system.numbers);
    let still = vec![0.0; skeleton.dofs()];
    let start = Scene { skeleton, numbers, frames, q, v: &still, vdot: &[], t: 0.0, inside: Inside::NONE };
    let mut found = Vec::new();
    for (path, stops) in numbers.paths.list.iter().enumerate() {
        for (k, stop) in stops.iter().enumerate() {
            match stop {
                Stop::When { coord, range: [from, to], .. } if !(*from..=*to).contains(&q[*coord as usize]) => {
                    let coord = *coord as usize;
                    let mut there = q.to_vec();
                    there[coord] = there[coord].clamp(*from, *to);
                    let mut frames = Frames::new(skeleton);
                    frames.fill::<f64, false>(skeleton, &numbers.tree, &there, &still, &[]);
                    frames.fill_points(skeleton);
                    let name = &system.names.coordinates[coord];
                    let unit = if name.measure == Measure::Angle { "rad" } else { "m" };
                    let when = format!("where it comes, at `{}` = {}", name.name, in_words(there[coord], unit));
                    inside_neighbours(system, &Scene { frames: &frames, q: &there, ..start }, (path, k), &when, &mut found);
                }
                _ => inside_neighbours(system, &start, (path, k), "at the start", &mut found),
            }
        }
    }
    found
}

/// Adds the obstacles beside a point of a path that it lies inside of.
fn inside_neighbours(system: &System, scene: &Scene<f64, f64>, (path, k): (usize, usize), when: &str, found: &mut Vec<PointInside>) {
    let numbers = &system.numbers;
    let stops = &numbers.paths.list[path];
    let stop = &stops[k];
    let point = match stop {
        Stop::Place(place) | Stop::When { place, .. } => Some(scene.point(*place)),
        Stop::Moving { .. } => moving_point(scene, stop),
        Stop::Wrap { .. } => None,
    };
    let Some(point) = point else { return };
    // All obstacles up to the next point, on both sides.
    let wraps = |stop: &&Stop<f64>| matches!(stop, Stop::Wrap { .. });
    let near = stops[..k].iter().rev().take_while(wraps).chain(stops[k + 1..].iter().take_while(wraps));
    for neighbour in near {
        let Stop::Wrap { wrap, .. } = neighbour else { continue };
        let own = &numbers.paths.wraps[*wrap as usize];
        let x = scene.axes(own.item.at).transpose_mul(point.p_W - scene.point(own.item.at).p_W);
        let depth = own.item.obstacle.depth(x);
        if own.item.obstacle.holds(x) {
            let point = match stop {
                Stop::Place(place) | Stop::When { place, .. } => place_name(system, *place, k),
                _ => format!("{} (moving on {})", k + 1, system.names.bodies[point.body]),
            };
            let (name, wrap) = (system.names.paths[path].clone(), own.name.clone());
            found.push(PointInside { path, fault: Fault::EndInsideWrap { path: name, point, wrap, depth, when: when.into() } });
        }
    }
}

/// A place in words: its body, and which point of the path it is.
fn place_name(system: &System, place: u32, k: usize) -> String {
    let body = system.numbers.place_body[place as usize] as usize;
    format!("{} (on {})", k + 1, system.names.bodies[body])
}

/// The element of a pair of surfaces.
fn contact_of(system: &System, pair: &str) -> String {
    let found = system.names.pairs.iter().position(|name| name == pair);
    let contact = found.map_or(0, |k| system.numbers.contacts.pairs[k].contact as usize);
    format!("contact.{}", system.names.contacts[contact])
}

/// `loop.NAME` of `loop.NAME.part`.
fn element_of(row: &str) -> String {
    row.rsplit_once('.').map_or(row, |(element, _)| element).to_string()
}

/// True when two or three turns of a joint do not span as many directions.
fn parallel_axes(system: &System, frames: &Frames<f64>, body: usize) -> bool {
    let skeleton = &system.skeleton;
    let axes: Vec<Vec3<f64>> =
        skeleton.dofs_of(body).filter(|dof| skeleton.class[*dof] == DofClass::Turn).map(|dof| frames.s_ang[dof]).collect();
    match axes[..] {
        [a, b] => a.cross(b).norm() < PARALLEL,
        [a, b, c] => a.dot(b.cross(c)).abs() < PARALLEL,
        _ => false,
    }
}

/// Why a joint's acceleration is not determined.
#[derive(Clone, Copy, PartialEq)]
enum Lack {
    /// Nothing resists the freedom.
    Inertia,
    /// The coordinate moves nothing.
    Motion,
    /// Inertia is not a finite number.
    Measure,
}

/// Bodies whose articulated inertia has no part against some freedom of their joint, and why.
///
///     D = Sᵀ I_A S,   I_A − I_A S D⁻¹ Sᵀ I_A  to the parent                                       (1)
///
/// taken one degree of freedom at a time, which gives the same. Source: Featherstone 2008, Rigid Body Dynamics Algorithms, ch. 7. D is measured by what it would be
/// before anything is eliminated at this joint and those of its children, plus the trace of the body's own inertia (with what is welded to it): only that much can be
/// lost by rounding. A joint with parallel axes is left to its own warning. Tests: `a_point_mass_on_its_own_hinge_has_no_inertia_there`,
/// `a_long_chain_has_inertia_at_every_hinge`.
fn without_inertia(system: &System, frames: &Frames<f64>) -> Vec<(usize, Lack)> {
    let (skeleton, c) = (&system.skeleton, &system.numbers.tree);
    let n = skeleton.parent.len();
    let mut articulated: Vec<Matrix6<f64>> = (0..n)
        .map(|b| {
            let mut I = Matrix6::zeros();
            I.fixed_view_mut::<3, 3>(0, 0).copy_from(&matrix(&Sym3::rotated(&frames.R[b], &c.I_Bo_B[b])));
            let moment = skew(frames.R[b] * c.mc_B[b]);
            I.fixed_view_mut::<3, 3>(0, 3).copy_from(&moment);
            I.fixed_view_mut::<3, 3>(3, 0).copy_from(&moment.transpose());
            I.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Matrix3::identity() * c.mass[b]));
            I
        })
        .collect();
    let (mut before, mut rigid) = (articulated.clone(), articulated.clone());
    let mut found: Vec<(usize, Lack)> = Vec::new();
    for b in (1..n).rev() {
        let mut I = articulated[b];
        if I.iter().chain(before[b].iter()).any(|x| !x.is_finite()) {
            found.push((b, Lack::Measure));
            continue;
        }
        let (turning, displacing) = (rigid[b].fixed_view::<3, 3>(0, 0).trace(), rigid[b].fixed_view::<3, 3>(3, 3).trace());
        for dof in skeleton.dofs_of(b).rev() {
            let (s, l) = (frames.s_ang[dof], frames.s_lin[dof]);
            let S = Vector6::new(s.x, s.y, s.z, l.x, l.y, l.z);
            let against = I * S;
            let D = S.dot(&against);
            let measure = S.dot(&(before[b] * S)) + turning * s.dot(s) + displacing * l.dot(l);
            if D > NONE * measure {
                I -= against * against.transpose() / D;
            } else if found.last().is_none_or(|(last, _)| *last != b) && !parallel_axes(system, frames, b) {
                found.push((b, if S == Vector6::zeros() { Lack::Motion } else { Lack::Inertia }));
            }
        }
        let mut shift = Matrix6::identity();
        shift.fixed_view_mut::<3, 3>(3, 0).copy_from(&-skew(frames.r[b]));
        let (parent, moved) = (skeleton.parent[b] as usize, |I: &Matrix6<f64>| shift.transpose() * I * shift);
        before[parent] += moved(&articulated[b]);
        articulated[parent] += moved(&I);
        if skeleton.dofs_of(b).is_empty() {
            let welded = moved(&rigid[b]);
            rigid[parent] += welded;
        }
    }
    found.reverse();
    found
}

fn skew(v: Vec3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}

fn matrix(I: &Sym3<f64>) -> Matrix3<f64> {
    Matrix3::new(I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz)
}
