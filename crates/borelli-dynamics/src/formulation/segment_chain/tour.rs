//! A planar tree of bodies as one chain of segments: a walk from joint to joint that comes by every body.
//! Not here: equations and forces.
//! In: a skeleton of hinges and welds with one joint to the world. Out: visits in order, the joints between them, segments.
//!
//! A body with at most two neighbours is one segment, from the joint where the walk comes to the joint where it goes on. A body where limbs branch off
//! is come by again after each of them: it becomes as many overlapping parts of equal mass and inertia, which must turn together. With two
//! parts these are the half trunks of Casius, Bobbert & van Soest 2004. The walk goes from one end of the longest path to the other, so that the
//! limbs on that path are walked once; all others out and back.

use super::super::{Declined, decline_soft};
use super::choice::{ChoiceFault, MOST_SEGMENTS};
use super::equations::{Plane, Segment};
use super::variables::Labels;
use crate::system::{Constants, Motion, PlanarBody, System};

/// Joints nearer than this to each other make a segment without a direction of its own, m.
const SAME_PLACE: f64 = 1e-12;

/// One visit of the walk: a segment.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    pub body: usize,
    /// Its part of the body's mass.
    share: f64,
    /// Its proximal and its distal end.
    marks: [Mark; 2],
    /// Cosine and sine of the segment's angle less that of the body's kernel frame.
    pub turn: Plane,
    /// Proximal joint in the kernel frame, m.
    pub proximal: Plane,
    /// Mass centre in the kernel frame, m.
    pub center: Plane,
}

/// A point of a body where a segment ends.
#[derive(Clone, Copy, Debug)]
enum Mark {
    /// Of the kernel frame: the body's own joint.
    Origin,
    /// The joint of a child.
    Joint(usize),
    /// The mass centre.
    Center,
}

/// The joint between a visit and the one before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Body whose joint it is.
    pub child: usize,
    /// 1 where the child is the later visit, −1 where it is the earlier.
    pub sign: f64,
    /// False on the way back.
    pub outward: bool,
}

/// How a joint holds its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    Hinge,
    Weld,
    /// Two slides and a turn: not at all.
    Floating,
}

/// The walk.
#[derive(Clone, Debug)]
pub(super) struct Tour {
    pub visits: Vec<Visit>,
    /// Joint before each visit; nothing before the first.
    pub links: Vec<Option<Link>>,
    pub segments: Vec<Segment>,
    pub labels: Labels,
    /// First visit of each body; that of the world means nothing.
    pub first: Vec<usize>,
    /// Later visits, with the first one of the same body.
    pub repeats: Vec<(usize, usize)>,
    /// How each body's joint holds it.
    pub holds: Vec<Hold>,
    /// The body on the world.
    pub root: usize,
    /// The bodies' numbers that visits and segments were made of.
    measured: Vec<[u64; 6]>,
}

/// Where a walk begins and ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// First body, if it must be a certain one.
    pub from: Option<usize>,
    /// Last body, if it must be a certain one; the chain ends at its mass centre.
    pub to: Option<usize>,
}

/// Joints that a reason names at most.
const MOST_NAMED: usize = 8;

impl Tour {
    /// The walk through a system, or why there is none.
    pub(super) fn new(system: &System, ends: Ends) -> Result<Tour, Declined> {
        decline_soft(system)?;
        let skeleton = &system.skeleton;
        let declined = |reason: String| Err(Declined { reason });
        if !skeleton.planar {
            return declined("the model is spatial; chains of segments are planar".into());
        }
        let n = skeleton.parent.len();
        let names = &system.names;
        let roots: Vec<usize> = (1..n).filter(|b| skeleton.parent[*b] == 0).collect();
        if roots.is_empty() {
            return declined("the model has no body".into());
        }
        let [root] = roots[..] else {
            let mut list: Vec<String> = roots.iter().take(MOST_NAMED).map(|b| format!("`{}`", names.joints[*b])).collect();
            if roots.len() > MOST_NAMED {
                list.push(format!("and {} more", roots.len() - MOST_NAMED));
            }
            return declined(format!("joints {} all join a body to the world; a chain has one base", list.join(", ")));
        };
        let mut holds = vec![Hold::Weld; n];
        for b in 1..n {
            let motions = skeleton.motions_of(b);
            let count = |wanted: fn(&Motion) -> bool| motions.iter().filter(|motion| wanted(motion)).count();
            let turns = count(|motion| matches!(motion, Motion::Turn { .. }));
            let slides = count(|motion| matches!(motion, Motion::Slide { .. }));
            let others = count(|motion| matches!(motion, Motion::Function { .. } | Motion::Ball { .. }));
            holds[b] = match (slides, turns, others) {
                (0, 0, 0) => Hold::Weld,
                (0, 1, 0) => Hold::Hinge,
                (2, 1, 0) if b == root => Hold::Floating,
                _ => {
                    let joint = &names.joints[b];
                    let kind = names.joint_kinds[b];
                    return declined(format!("joint `{joint}` is of type {kind}; segments of a chain are joined by hinges and welds"));
                }
            };
        }
        let bodies = walk(skeleton, root, ends);
        if bodies.len() > MOST_SEGMENTS {
            return declined(ChoiceFault::TooLong { segments: bodies.len() }.to_string());
        }
        Ok(Tour::along(system, root, holds, &bodies))
    }

    /// Segments of a sequence of bodies.
    fn along(system: &System, root: usize, holds: Vec<Hold>, bodies: &[usize]) -> Tour {
        let (skeleton, names) = (&system.skeleton, &system.names);
        let n = skeleton.parent.len();
        let mut visited = vec![0; n];
        bodies.iter().for_each(|b| visited[*b] += 1);
        let (mut first, mut repeats, mut seen) = (vec![0; n], Vec::new(), vec![0; n]);
        let (mut visits, mut links) = (Vec::new(), Vec::new());
        let mut labels = Labels { segments: Vec::new(), joints: Vec::new() };
        // The body whose joint lies between neighbours, where it is not at the origin of `body`.
        let joint_in = |body: usize, neighbour: usize| {
            if skeleton.parent[body] as usize == neighbour { Mark::Origin } else { Mark::Joint(neighbour) }
        };
        for (k, &b) in bodies.iter().enumerate() {
            let link = k.checked_sub(1).map(|before| {
                let before = bodies[before];
                let later_is_child = skeleton.parent[b] as usize == before;
                let child = if later_is_child { b } else { before };
                Link { child, sign: if later_is_child { 1.0 } else { -1.0 }, outward: true }
            });
            let proximal = match k.checked_sub(1) {
                Some(before) => joint_in(b, bodies[before]),
                None if b == root => Mark::Origin,
                None => Mark::Center,
            };
            let distal = bodies.get(k + 1).map_or(Mark::Center, |next| joint_in(b, *next));
            let marks = [proximal, distal];
            visits.push(Visit { body: b, share: 1.0 / f64::from(visited[b]), marks, turn: [0.0; 2], proximal: [0.0; 2], center: [0.0; 2] });

            seen[b] += 1;
            if seen[b] == 1 {
                first[b] = k;
            } else {
                repeats.push((first[b], k));
            }
            let joint = match &link {
                Some(link) => names.joints[link.child].clone(),
                None if b == root && holds[b] != Hold::Floating => names.joints[b].clone(),
                None => virtual_joint(system, "base"),
            };
            let again = labels.joints.iter().filter(|label| **label == joint || label.starts_with(&format!("{joint}#"))).count();
            labels.joints.push(if again == 0 { joint } else { format!("{joint}#{}", again + 1) });
            let name = &names.bodies[b];
            labels.segments.push(if seen[b] == 1 { name.clone() } else { format!("{name}#{}", seen[b]) });
            links.push(link);
        }
        labels.joints.push(virtual_joint(system, "end"));
        mark_ways_back(&mut links);
        let segments = vec![Segment { mass: 0.0, length: 0.0, center: [0.0; 2], inertia: 0.0 }; visits.len()];
        let mut tour = Tour { visits, links, segments, labels, first, repeats, holds, root, measured: vec![[0; 6]; n] };
        tour.fill(&system.numbers.tree);
        tour
    }

    /// Takes over the numbers of a tree; true where they are others than before.
    #[inline]
    pub(super) fn measure(&mut self, tree: &Constants<f64>) -> bool {
        let changed = tree.planar.iter().zip(&self.measured).any(|(body, measured)| bits(body) != *measured);
        if changed {
            self.fill(tree);
        }
        changed
    }

    /// Numbers of all visits and segments.
    fn fill(&mut self, tree: &Constants<f64>) {
        self.measured.iter_mut().zip(&tree.planar).for_each(|(measured, body)| *measured = bits(body));
        for (visit, segment) in self.visits.iter_mut().zip(&mut self.segments) {
            let body = &tree.planar[visit.body];
            let center = if body.mass > 0.0 { body.mc.map(|x| x / body.mass) } else { [0.0; 2] };
            let [proximal, distal] = visit.marks.map(|mark| match mark {
                Mark::Origin => [0.0; 2],
                Mark::Joint(child) => tree.planar[child].p_PF,
                Mark::Center => center,
            });
            let line = [distal[0] - proximal[0], distal[1] - proximal[1]];
            let length = line[0].hypot(line[1]);
            let turn = if length > SAME_PLACE { line.map(|x| x / length) } else { [1.0, 0.0] };
            let arm = [center[0] - proximal[0], center[1] - proximal[1]];
            let (d, e) = (arm[0] * turn[0] + arm[1] * turn[1], arm[1] * turn[0] - arm[0] * turn[1]);
            let inertia = body.inertia - body.mass * (center[0] * center[0] + center[1] * center[1]);
            *segment = Segment { mass: visit.share * body.mass, length, center: [d, e], inertia: visit.share * inertia };
            (visit.turn, visit.proximal, visit.center) = (turn, proximal, center);
        }
    }

    /// True where the base of the chain is the joint that holds the root to the world.
    pub(super) fn is_based_on_world(&self) -> bool {
        self.visits[0].body == self.root && self.holds[self.root] != Hold::Floating
    }
}

/// The numbers of a body that segments are made of.
#[inline]
fn bits(body: &PlanarBody<f64>) -> [u64; 6] {
    [body.p_PF[0], body.p_PF[1], body.mass, body.mc[0], body.mc[1], body.inertia].map(f64::to_bits)
}

/// Name of an end of the chain where the model has no joint; one that a joint of the model has is left to it.
fn virtual_joint(system: &System, name: &str) -> String {
    if system.names.joints.iter().any(|joint| joint == name) { format!("chain-{name}") } else { name.into() }
}

/// Of two links over one joint the second is the way back.
fn mark_ways_back(links: &mut [Option<Link>]) {
    let mut taken = Vec::new();
    for link in links.iter_mut().flatten() {
        link.outward = !taken.contains(&link.child);
        taken.push(link.child);
    }
}

/// Bodies in the order of the walk.
fn walk(skeleton: &crate::system::Skeleton, root: usize, ends: Ends) -> Vec<usize> {
    let n = skeleton.parent.len();
    let mut neighbours = vec![Vec::new(); n];
    for b in (1..n).filter(|b| *b != root) {
        let P = skeleton.parent[b] as usize;
        neighbours[P].push(b);
        neighbours[b].push(P);
    }
    // Distance and predecessor of every body from one of them.
    let spread = |from: usize| -> (Vec<usize>, Vec<usize>) {
        let (mut distance, mut before) = (vec![usize::MAX; n], vec![0; n]);
        let mut queue = vec![from];
        distance[from] = 0;
        let mut next = 0;
        while let Some(&b) = queue.get(next) {
            next += 1;
            for &c in &neighbours[b] {
                if distance[c] == usize::MAX {
                    (distance[c], before[c]) = (distance[b] + 1, b);
                    queue.push(c);
                }
            }
        }
        (distance, before)
    };
    let farthest = |distance: &[usize]| (1..n).max_by_key(|b| (distance[*b], std::cmp::Reverse(*b))).unwrap_or(root);
    let (start, end) = match (ends.from, ends.to) {
        (Some(from), Some(to)) => (from, to),
        (Some(from), None) => (from, farthest(&spread(from).0)),
        (None, Some(to)) => {
            let distance = spread(to).0;
            let far = farthest(&distance);
            (if distance[root] == distance[far] { root } else { far }, to)
        }
        (None, None) => {
            let end = farthest(&spread(root).0);
            let distance = spread(end).0;
            let far = farthest(&distance);
            // The root where it is as far away as any: the base is then its own joint.
            (if distance[root] == distance[far] { root } else { far }, end)
        }
    };
    let (_, before) = spread(start);
    let mut path = vec![end];
    while path[path.len() - 1] != start {
        path.push(before[path[path.len() - 1]]);
    }
    path.reverse();
    let mut bodies = Vec::new();
    for (k, &b) in path.iter().enumerate() {
        let came = k.checked_sub(1).map(|k| path[k]);
        bodies.push(b);
        for &side in &neighbours[b] {
            if Some(side) != came && Some(&side) != path.get(k + 1) {
                out_and_back(&neighbours, side, b, &mut bodies);
                bodies.push(b);
            }
        }
    }
    bodies
}

/// A limb and everything on it, to where it began.
fn out_and_back(neighbours: &[Vec<usize>], body: usize, came: usize, bodies: &mut Vec<usize>) {
    bodies.push(body);
    for &side in neighbours[body].iter().filter(|side| **side != came) {
        out_and_back(neighbours, side, body, bodies);
        bodies.push(body);
    }
}
