//! Outlines of bodies as lines: between their places, or a rod, disc or box of their inertia.
//! Not here: solids (`solid`).
//! In: places, mass and moments of a body. Out: lines in its frame.

use super::{FigureJoint, FigurePath, Shape, Spot, distance};
use borelli_math::{Sym3, Vec3, vec3};

/// Two places are one when they are nearer than this, m: above rounding, far below what a pen can show of a body.
const SAME_PLACE: f64 = 1e-9;

/// Corners of a disc's outline: enough for a round look at the size of a page.
const DISC_CORNERS: usize = 48;

/// Places that carry a body's shape, the joint to its parent first: joints, loops, points that no path ends at.
pub(super) fn structure(
    body: usize,
    joints: &[FigureJoint],
    paths: &[FigurePath],
    places: &[Spot],
    points: &[(String, [f64; 3])],
) -> Vec<[f64; 3]> {
    let on_paths: Vec<[f64; 3]> = paths.iter().flat_map(|path| &path.points).filter(|s| s.body == body).map(|s| s.at).collect();
    let mut list: Vec<[f64; 3]> = vec![joints[body - 1].child.at];
    list.extend(joints.iter().filter(|j| j.parent.body == body).map(|j| j.parent.at));
    let others = points.iter().map(|(_, at)| *at).chain(places.iter().filter(|s| s.body == body).map(|s| s.at));
    list.extend(others.filter(|at| on_paths.iter().all(|p| distance(*p, *at) > SAME_PLACE)));
    let mut kept: Vec<[f64; 3]> = Vec::new();
    for at in list {
        if kept.iter().all(|k| distance(*k, at) > SAME_PLACE) {
            kept.push(at);
        }
    }
    kept
}

/// What a shape is made of where places do not tell.
pub(super) struct Inertial {
    pub mass: f64,
    pub center: Vec3<f64>,
    pub inertia: Sym3<f64>,
    pub planar: bool,
}

/// Lines of a body between its places, else of the same inertia.
pub(super) fn outline(structure: &[[f64; 3]], floats: bool, inertial: &Inertial) -> (Vec<Vec<[f64; 3]>>, Shape) {
    // The joint of a floating body is an origin, not an end: with one more place there is still only one.
    let ends = if floats { &structure[1..] } else { structure };
    match (ends.len(), inertial.planar) {
        (0 | 1, _) => (inertial.lines(ends.first().copied()), Shape::Inertia),
        (2, _) => (vec![ends.to_vec()], Shape::Places),
        (_, true) => (vec![hull(ends)], Shape::Places),
        (_, false) => {
            let from = if floats { inertial.center.to_array() } else { structure[0] };
            let rays = ends.iter().filter(|at| distance(from, **at) > 0.0);
            (rays.map(|at| vec![from, *at]).collect(), Shape::Places)
        }
    }
}

impl Inertial {
    /// A rod from `end` through the mass centre, or a disc or box about it. Equation (1).
    fn lines(&self, end: Option<[f64; 3]>) -> Vec<Vec<[f64; 3]>> {
        if !(self.mass > 0.0) {
            return end.map(|end| vec![vec![end, self.center.to_array()]]).unwrap_or_default();
        }
        let radius = (self.inertia.trace() / self.mass).max(0.0).sqrt();
        let lever = end.map_or(Vec3::ZERO, |end| self.center - Vec3::from_array(end));
        let length = lever.norm();
        // A lever that is short beside the body's extent gives no direction worth drawing.
        if let Some(end) = end
            && length > 0.2 * radius
        {
            let u = lever.scale(1.0 / length);
            let along = u.dot(self.inertia * u);
            let across = if self.planar { self.inertia.zz } else { 0.5 * (self.inertia.trace() - along) };
            let half = (3.0 * across / self.mass).max(0.0).sqrt();
            return vec![vec![end, (self.center + u.scale(half)).to_array()]];
        }
        if self.planar { self.disc() } else { self.cuboid() }
    }

    /// A circle with a spoke, so that turning can be seen.
    fn disc(&self) -> Vec<Vec<[f64; 3]>> {
        let radius = (2.0 * self.inertia.zz / self.mass).max(0.0).sqrt();
        let at = |k: usize| {
            let (sine, cosine) = (k as f64 * std::f64::consts::TAU / DISC_CORNERS as f64).sin_cos();
            (self.center + vec3(radius * cosine, radius * sine, 0.0)).to_array()
        };
        let mut circle: Vec<[f64; 3]> = (0..DISC_CORNERS).map(at).collect();
        circle.push(circle[0]);
        vec![circle, vec![self.center.to_array(), at(0)]]
    }

    /// A box with the moments about the body's axes: half-edges a² = 3 (I_y + I_z − I_x)/(2 m).
    fn cuboid(&self) -> Vec<Vec<[f64; 3]>> {
        let I = &self.inertia;
        let half = |square: f64| (1.5 * square / self.mass).max(0.0).sqrt();
        let (a, b, c) = (half(I.yy + I.zz - I.xx), half(I.xx + I.zz - I.yy), half(I.xx + I.yy - I.zz));
        let corner = |x: f64, y: f64, z: f64| (self.center + vec3(a * x, b * y, c * z)).to_array();
        let face = |z: f64| vec![corner(-1., -1., z), corner(1., -1., z), corner(1., 1., z), corner(-1., 1., z), corner(-1., -1., z)];
        let edge = |x: f64, y: f64| vec![corner(x, y, -1.0), corner(x, y, 1.0)];
        // Two spokes along the body's X and Y, so that one sees which side is which.
        let spoke = |x: f64, y: f64| vec![self.center.to_array(), corner(x, y, 0.0)];
        vec![face(-1.0), face(1.0), edge(-1., -1.), edge(1., -1.), edge(1., 1.), edge(-1., 1.), spoke(1., 0.), spoke(0., 1.)]
    }
}

/// Lines from places to the nearest spot of an outline; nothing for places on it or inside a filled part of it.
pub(super) fn stays(places: impl Iterator<Item = [f64; 3]>, outline: &[Vec<[f64; 3]>]) -> Vec<[[f64; 3]; 2]> {
    if outline.iter().any(|line| line.len() > 2) {
        return Vec::new();
    }
    let mut list: Vec<[[f64; 3]; 2]> = Vec::new();
    for at in places {
        let feet = outline.iter().flat_map(|line| line.windows(2)).map(|ends| foot(at, ends[0], ends[1]));
        let nearest = feet.min_by(|a, b| distance(*a, at).total_cmp(&distance(*b, at)));
        if let Some(foot) = nearest.filter(|foot| distance(*foot, at) > SAME_PLACE)
            && list.iter().all(|[known, _]| distance(*known, at) > SAME_PLACE)
        {
            list.push([at, foot]);
        }
    }
    list
}

/// The spot of a straight line from `a` to `b` nearest to `p`.
fn foot(p: [f64; 3], a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let (start, d) = (Vec3::from_array(a), Vec3::from_array(b) - Vec3::from_array(a));
    let square = d.dot(d);
    let part = if square > 0.0 { ((Vec3::from_array(p) - start).dot(d) / square).clamp(0.0, 1.0) } else { 0.0 };
    (start + d.scale(part)).to_array()
}

/// The convex hull in X-Y, closed, counter-clockwise (Andrew's monotone chain); points on one line give that line.
pub(super) fn hull(points: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turn = |o: [f64; 3], a: [f64; 3], b: [f64; 3]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let half = |list: &mut dyn Iterator<Item = &[f64; 3]>| {
        let mut chain: Vec<[f64; 3]> = Vec::new();
        for p in list {
            while chain.len() > 1 && turn(chain[chain.len() - 2], chain[chain.len() - 1], *p) <= 0.0 {
                chain.pop();
            }
            chain.push(*p);
        }
        chain
    };
    let (mut lower, upper) = (half(&mut sorted.iter()), half(&mut sorted.iter().rev()));
    lower.pop();
    lower.extend(upper);
    if lower.len() == 3 {
        lower.pop();
    }
    lower
}
