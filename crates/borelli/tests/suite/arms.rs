//! Every path of the gallery at many poses: moment arms are slopes of lengths, and what elements along paths do is what forces at points do.
//! Not here: strings alone and single laws, which stand beside the code.
//! Poses are drawn about the start of a model, or within the ranges of its coordinates; loops and guides have no say, because lengths are known without them.

use crate::systems;
use borelli::System;
use borelli::dynamics::force::{PathView, Stop, movers};
use borelli::dynamics::frames::Frames;
use borelli::dynamics::retract::retract;
use borelli::dynamics::scene::{Inside, Loads, Scene};
use borelli::dynamics::system::DofClass;
use borelli::dynamics::wrap::Obstacle;
use borelli::math::{Mat3, Vec3, vec3};
use borelli_testkit::random::Random;
use std::f64::consts::PI;

/// Spread of poses about the start, rad and m.
const SPREAD: [f64; 2] = [1.0, 0.05];
/// Poses at which each path is looked at.
const POSES: usize = 200;
/// Steps of differences of fourth order where the string lies alike at all of them, and of second order where it does not, rad or m.
const STEPS: [f64; 2] = [1e-4, 1e-6];

fn drawn(system: &System, random: &mut Random) -> Vec<f64> {
    let skeleton = &system.skeleton;
    let spread = |class: DofClass| if class == DofClass::Slide { SPREAD[1] } else { SPREAD[0] };
    let step: Vec<f64> = skeleton.class.iter().map(|class| spread(*class) * random.uniform(-1.0, 1.0)).collect();
    let mut q = system.start.q.clone();
    retract(skeleton, &mut q, &step);
    for (x, rule) in q.iter_mut().zip(&system.coordinates) {
        if let Some((from, to)) = rule.range {
            *x = random.uniform(from, to);
        }
    }
    q
}

fn moved(system: &System, q: &[f64], dof: usize, h: f64) -> Vec<f64> {
    let (mut q, mut step) = (q.to_vec(), vec![0.0; system.skeleton.dofs()]);
    step[dof] = h;
    retract(&system.skeleton, &mut q, &step);
    q
}

fn frames(system: &System, q: &[f64]) -> Frames<f64> {
    let mut frames = Frames::new(&system.skeleton);
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, &vec![0.0; system.skeleton.dofs()], &[]);
    frames.fill_points(&system.skeleton);
    frames
}

/// Which stops of a path hold it in a pose that was looked at: obstacles that it touches, conditional points that are there.
fn holding(system: &System, view: &PathView, path: usize, q: &[f64]) -> Vec<bool> {
    let holds = |(k, stop): (usize, &Stop<f64>)| match stop {
        Stop::Wrap { .. } => view.lines().touching(path, k).is_some(),
        Stop::When { coord, range: [from, to], .. } => (*from..=*to).contains(&q[*coord as usize]),
        Stop::Place(_) | Stop::Moving { .. } => true,
    };
    system.numbers.paths.list[path].iter().enumerate().map(holds).collect()
}

/// Part by which a point lies outside a surface; negative inside.
fn outside(obstacle: &Obstacle<f64>, x: Vec3<f64>) -> f64 {
    match *obstacle {
        Obstacle::Sphere { radius } => x.norm() / radius - 1.0,
        Obstacle::Cylinder { radius } => x.x.hypot(x.y) / radius - 1.0,
        Obstacle::Ellipsoid { axes: [a, b, c] } => vec3(x.x / a, x.y / b, x.z / c).norm() - 1.0,
        Obstacle::Torus { ring, tube } => (x.x.hypot(x.y) - ring).hypot(x.z) / tube - 1.0,
    }
}

/// Whether a path has a place, with no point inside an obstacle: there its length is that of a point on the surface, which has no such slope.
fn usable(system: &System, view: &PathView, path: usize, q: &[f64]) -> bool {
    let (lines, numbers, frames) = (view.lines(), &system.numbers, frames(system, q));
    let still = vec![0.0; system.skeleton.dofs()];
    let scene = Scene { skeleton: &system.skeleton, numbers, frames: &frames, q, v: &still, vdot: &[], t: 0.0, inside: Inside::NONE };
    let clear = |stop: &Stop<f64>| match stop {
        Stop::Wrap { wrap, .. } => {
            let own = numbers.paths.wraps[*wrap as usize].item;
            let seen = |p_W: Vec3<f64>| scene.axes(own.at).transpose_mul(p_W - scene.point(own.at).p_W);
            let ends = lines.segments(path).iter().filter(|segment| segment.length > 0.0).flat_map(|segment| segment.ends);
            // Points where the string meets the surface are on it to rounding, or to the tolerance of a search.
            ends.into_iter().all(|end| outside(&own.obstacle, seen(end.p_W)) > -1e-6)
        }
        _ => true,
    };
    lines.length[path].is_finite() && numbers.paths.list[path].iter().all(clear)
}

/// What was seen of one model.
#[derive(Default)]
struct Seen {
    /// Arms that were compared: with differences of fourth order, across a touch-down or lift-off, beside a conditional point.
    smooth: usize,
    kinked: usize,
    sided: usize,
    /// Poses of paths that were left out.
    left_out: usize,
}

/// Holds all moment arms of a path at a pose against slopes of its length.
fn compare(system: &System, view: &mut PathView, paths: &[usize], q: &[f64], seen: &mut Seen, name: &str) {
    let [wide, short] = STEPS;
    view.look(system, q);
    let here: Vec<Vec<bool>> = paths.iter().map(|path| holding(system, view, *path, q)).collect();
    let moving: Vec<Vec<usize>> = paths.iter().map(|path| movers(system, *path).collect()).collect();
    let arms: Vec<Vec<f64>> =
        paths.iter().zip(&moving).map(|(path, dofs)| dofs.iter().map(|dof| view.arm(system, *path, *dof)).collect()).collect();
    let lengths = view.lines().length.clone();
    for dof in 0..system.skeleton.dofs() {
        if !moving.iter().any(|dofs| dofs.contains(&dof)) {
            continue;
        }
        let looks = [-2.0 * wide, -wide, wide, 2.0 * wide, -short, short].map(|h| {
            let q = moved(system, q, dof, h);
            view.look(system, &q);
            (view.lines().length.clone(), paths.iter().map(|path| holding(system, view, *path, &q)).collect::<Vec<_>>())
        });
        for (i, &path) in paths.iter().enumerate() {
            let Some(k) = moving[i].iter().position(|own| *own == dof) else { continue };
            let length = |look: usize| looks[look].0[path];
            let alike = |look: usize| looks[look].1[i] == here[i];
            let conditional = |look: usize| {
                let stops = &system.numbers.paths.list[path];
                stops.iter().zip(&looks[look].1[i]).zip(&here[i]).any(|((stop, a), b)| matches!(stop, Stop::When { .. }) && a != b)
            };
            let (slope, class) = if (0..4).all(alike) {
                ((length(0) - 8.0 * length(1) + 8.0 * length(2) - length(3)) / (12.0 * wide), 0)
            } else if conditional(4) || conditional(5) {
                seen.sided += 1;
                let (look, side) = if conditional(4) { (5, short) } else { (4, -short) };
                ((length(look) - lengths[path]) / side, 1)
            } else {
                seen.kinked += 1;
                ((length(5) - length(4)) / (2.0 * short), 1)
            };
            seen.smooth += usize::from(class == 0);
            let apart = (slope + arms[i][k]).abs();
            let (path, speed) = (&system.names.paths[path], &system.names.speeds[dof].name);
            assert!(apart < [1e-8, 1e-6][class], "{name}: path {path} by {speed}: arm {}, slope {slope}, {class}", arms[i][k]);
        }
    }
}

/// A pose between two at which a path begins to touch or to lift off, by bisection along the line between them.
fn at_the_touch(system: &System, view: &mut PathView, path: usize, ends: [&[f64]; 2]) -> Option<Vec<f64>> {
    let on_line = |part: f64| -> Vec<f64> { ends[0].iter().zip(ends[1]).map(|(a, b)| a + part * (b - a)).collect() };
    let mut held = |part: f64| {
        let q = on_line(part);
        view.look(system, &q);
        usable(system, view, path, &q).then(|| holding(system, view, path, &q))
    };
    let (first, last) = (held(0.0)?, held(1.0)?);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..45 {
        let middle = 0.5 * (low + high);
        *(if held(middle)? == first { &mut low } else { &mut high }) = middle;
    }
    if first == last {
        return None;
    }
    // Angles about an axis are cut at 300 degrees unless the file says otherwise. There a string that lies on more than 120 of them comes off at once: another way to
    // touch no more, with a jump, which is no touch.
    let [before, behind] = [low, high].map(|part| {
        view.look(system, &on_line(part));
        let stops = 0..system.numbers.paths.list[path].len();
        let most = stops.filter_map(|stop| view.lines().touching(path, stop)).fold(0.0, |most: f64, (_, turn)| most.max(turn));
        (view.lines().length[path], most)
    });
    if (before.0 - behind.0).abs() > 1e-9 {
        assert!(before.1.max(behind.1) > 2.0 * PI / 3.0, "{}: {before:?} {behind:?}", system.names.paths[path]);
        return None;
    }
    Some(on_line(low))
}

#[test]
fn moment_arms_of_every_path_of_the_gallery_are_slopes_of_its_length() {
    let (mut total, mut paths, mut models) = (Seen::default(), 0, 0);
    for (name, system) in systems() {
        // Paths over nodes of soft parts have their lengths from there.
        let own: Vec<usize> = (0..system.names.paths.len()).filter(|path| !system.numbers.paths.list[*path].is_empty()).collect();
        if own.is_empty() {
            continue;
        }
        let quaternions = system.skeleton.coords() != system.skeleton.dofs();
        let (mut random, mut view, mut seen) = (Random::new(15), PathView::new(&system), Seen::default());
        let (mut count, mut last, mut touched) = (vec![0; own.len()], vec![None::<Vec<f64>>; own.len()], vec![0; own.len()]);
        for _ in 0..20 * POSES {
            let q = drawn(&system, &mut random);
            view.look(&system, &q);
            let wanting = own.iter().enumerate().filter(|(i, _)| count[*i] < POSES).map(|(i, path)| (i, *path));
            let (good, bad): (Vec<_>, Vec<_>) = wanting.partition(|(_, path)| usable(&system, &view, *path, &q));
            seen.left_out += bad.len();
            let good_paths: Vec<usize> = good.iter().map(|(_, path)| *path).collect();
            compare(&system, &mut view, &good_paths, &q, &mut seen, name);
            for (i, path) in good {
                count[i] += 1;
                let bends = system.numbers.paths.list[path].iter().any(|stop| matches!(stop, Stop::Wrap { .. }));
                if let (Some(before), true, true) = (&last[i], bends && !quaternions, touched[i] < 5)
                    && let Some(q) = at_the_touch(&system, &mut view, path, [before.as_slice(), &q])
                {
                    touched[i] += 1;
                    compare(&system, &mut view, &[path], &q, &mut seen, name);
                }
                last[i] = Some(q.clone());
            }
            if count.iter().all(|count| *count == POSES) {
                break;
            }
        }
        assert!(count.iter().all(|count| *count == POSES), "{name}: {count:?} poses, {} left out", seen.left_out);
        // Where conditional points come and go.
        for &path in &own {
            for stop in &system.numbers.paths.list[path] {
                let Stop::When { coord, range, .. } = stop else { continue };
                for end in *range {
                    let mut q = drawn(&system, &mut random);
                    q[*coord as usize] = end;
                    compare(&system, &mut view, &[path], &q, &mut seen, name);
                }
            }
        }
        (models, paths) = (models + 1, paths + own.len());
        total.smooth += seen.smooth;
        total.kinked += seen.kinked;
        total.sided += seen.sided;
        total.left_out += seen.left_out;
    }
    assert!(
        models >= 16 && paths >= 60 && total.smooth > 30_000 && total.kinked > 20 && total.sided >= 2 && total.left_out < 100,
        "{models} {paths} {} {} {} {}",
        total.smooth,
        total.kinked,
        total.sided,
        total.left_out
    );
}

/// How a body moves with a degree of freedom: its origin, and its turn, by differences of fourth order.
fn motion(system: &System, q: &[f64], dof: usize) -> Vec<[Vec3<f64>; 2]> {
    let h = STEPS[0];
    let looks = [-2.0 * h, -h, h, 2.0 * h].map(|h| frames(system, &moved(system, q, dof, h)));
    let weights = [1.0, -8.0, 8.0, -1.0].map(|weight| weight / (12.0 * h));
    let here = frames(system, q);
    (0..system.skeleton.parent.len())
        .map(|b| {
            let slope = looks.iter().zip(weights).fold(Vec3::ZERO, |sum, (look, weight)| sum + look.p[b].scale(weight));
            let of = |pick: fn(&Mat3<f64>) -> Vec3<f64>| {
                looks.iter().zip(weights).fold(Vec3::ZERO, |sum, (look, weight)| sum + pick(&look.R[b]).scale(weight))
            };
            // Of an axis e the slope is ω × e, and ω = ½ Σ e × ė.
            let R = &here.R[b];
            let turn = [(R.x, of(|R| R.x)), (R.y, of(|R| R.y)), (R.z, of(|R| R.z))];
            [slope, turn.iter().fold(Vec3::ZERO, |sum, (e, rate)| sum + e.cross(*rate)).scale(0.5)]
        })
        .collect()
}

/// Points of a path on their bodies, in the frames of the file, and which moves on its body by how much with the degree of freedom.
struct Beads {
    bodies: Vec<usize>,
    p_W: Vec<Vec3<f64>>,
}

fn beads(system: &System, view: &PathView, path: usize, q: &[f64]) -> Beads {
    let along: Vec<usize> = system.numbers.paths.list[path].iter().map(|stop| if let Stop::Wrap { .. } = stop { 7 } else { 0 }).collect();
    let mut course = Vec::new();
    view.fill_course(system, path, &along, &mut course);
    let (frames, tree) = (frames(system, q), &system.numbers.tree);
    let place = |(body, p): &(u32, [f64; 3])| {
        let b = *body as usize;
        frames.p[b] + frames.R[b] * (tree.p_KB[b] + tree.R_KB[b] * Vec3::from_array(*p))
    };
    Beads { bodies: course.iter().map(|(body, _)| *body as usize).collect(), p_W: course.iter().map(place).collect() }
}

/// What a string of unit tension through points on bodies does to a degree of freedom: at each point the difference of the directions behind and before it.
///
/// Along an arc the points stand for the pressure of the string on its obstacle. Their forces have no moment beside those of the first and last: pᵢ × eᵢ = pᵢ₊₁ × eᵢ.
fn by_points(system: &System, view: &PathView, path: usize, q: &[f64], dof: usize, motion: &[[Vec3<f64>; 2]]) -> f64 {
    let Beads { bodies, p_W } = beads(system, view, path, q);
    let frames = frames(system, q);
    // Stops that do not hold the string lie where the one before does, and are none.
    let mut strung = vec![0];
    for bead in 1..p_W.len() {
        if (p_W[bead] - p_W[strung[strung.len() - 1]]).norm() > 1e-12 {
            strung.push(bead);
        }
    }
    let direction = |a: usize, b: usize| (p_W[b] - p_W[a]).scale(1.0 / (p_W[b] - p_W[a]).norm());
    let mut effort = 0.0;
    for ends in strung.windows(2) {
        let e = direction(ends[0], ends[1]);
        for (bead, sign) in [(ends[0], 1.0), (ends[1], -1.0)] {
            let [slope, turn] = motion[bodies[bead]];
            effort += sign * e.dot(slope + turn.cross(p_W[bead] - frames.p[bodies[bead]]));
        }
    }
    // Moving points work on their coordinates as well: by differences of where they are on their bodies.
    let h = STEPS[0];
    let mut course_stop = 0;
    for stop in &system.numbers.paths.list[path] {
        if let Stop::Moving { body, .. } = stop {
            let on = |h: f64| {
                let mut other = PathView::new(system);
                other.look(system, &moved(system, q, dof, h));
                other.on_body(system, stop).expect("a moving point")
            };
            let slope = (on(-2.0 * h) - on(2.0 * h) + (on(h) - on(-h)).scale(8.0)).scale(1.0 / (12.0 * h));
            let b = *body as usize;
            let along = frames.R[b] * (system.numbers.tree.R_KB[b] * slope);
            let own = strung.iter().position(|bead| *bead == course_stop).expect("a moving point holds the string");
            let before = if own > 0 { direction(strung[own - 1], course_stop) } else { Vec3::ZERO };
            let behind = strung.get(own + 1).map_or(Vec3::ZERO, |next| direction(course_stop, *next));
            effort += (behind - before).dot(along);
        }
        course_stop += if let Stop::Wrap { .. } = stop { 9 } else { 1 };
    }
    effort
}

#[test]
fn what_elements_along_paths_do_is_virtual_work_and_what_forces_at_points_do() {
    let (mut pulling, mut pressing) = (0, 0);
    for (name, system) in systems() {
        let elements: Vec<_> = {
            let on: Vec<(String, u32)> = system.numbers.forces.on_paths();
            let alone = system.numbers.forces.each();
            let found = on.into_iter().filter(|(_, path)| !system.numbers.paths.list[*path as usize].is_empty());
            found
                .filter_map(|(element, path)| Some((path as usize, alone.iter().find(|(own, _)| *own == element)?.1.clone(), element)))
                .collect()
        };
        let (mut random, mut view) = (Random::new(51), PathView::new(&system));
        for _ in 0..if elements.is_empty() { 0 } else { 8 } {
            let q = drawn(&system, &mut random);
            view.look(&system, &q);
            let (numbers, skeleton) = (&system.numbers, &system.skeleton);
            let frames = frames(&system, &q);
            let v = random.uniforms(skeleton.dofs(), -0.3, 0.3);
            let z = system.states_at(0.0, &q).z;
            let motions: Vec<_> = (0..skeleton.dofs()).map(|dof| motion(&system, &q, dof)).collect();
            for (path, law, element) in &elements {
                if !usable(&system, &view, *path, &q) {
                    continue;
                }
                let mut loads = Loads::new(skeleton, numbers);
                let scene = Scene { skeleton, numbers, frames: &frames, q: &q, v: &v, vdot: &[], t: 0.0, inside: Inside { z: &z, u: &[] } };
                law.apply(&scene, &mut loads);
                let tension = loads.lines.pulled[*path];
                pulling += usize::from(tension != 0.0);
                pressing += usize::from(
                    tension != 0.0
                        && holding(&system, &view, *path, &q)
                            .iter()
                            .zip(&numbers.paths.list[*path])
                            .any(|(held, stop)| *held && matches!(stop, Stop::Wrap { .. })),
                );
                for (dof, motion) in motions.iter().enumerate() {
                    // Forces and moments that the element put on bodies, through how these move.
                    let of_body = |b: usize| loads.force[b].dot(motion[b][0]) + loads.moment[b].dot(motion[b][1]);
                    let done = (0..skeleton.parent.len()).map(of_body).sum::<f64>() + loads.tau[dof];
                    let apart = [view.arm(&system, *path, dof), by_points(&system, &view, *path, &q, dof, motion)]
                        .map(|arm| (done - tension * arm).abs());
                    let size = 1e-3 + tension.abs();
                    assert!(
                        apart.iter().all(|apart| *apart < 1e-11 * size),
                        "{name}: {element} by {}: {done}, {apart:?} of {tension} N",
                        system.names.speeds[dof].name
                    );
                }
            }
        }
    }
    assert!(pulling > 300 && pressing > 60, "{pulling} {pressing}");
}
