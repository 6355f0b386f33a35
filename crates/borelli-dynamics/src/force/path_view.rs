//! Paths looked at in one pose: lengths, moment arms, what they touch, and lines to draw.
//! Not here: forces, time. In: a system and coordinates. Out: numbers and points in space.
//!
//! The moment arm of a path about a coordinate is what the length loses with it, by virtual work:
//!
//! ```text
//! r_k = −∂l/∂q_k = −Σ e·(∂p_b − ∂p_a)/∂q_k                                                                     (1)
//! ```
//!
//! over the straight pieces from a to b, points held on their bodies; a moving point adds its own motion. Test: `moment_arms_are_slopes_of_lengths`.

use super::path::{Lines, Segment, Stop, met_at};
use crate::frames::Frames;
use crate::scene::{Inside, Point, Scene};
use crate::system::{Skeleton, System};
use borelli_math::{Real, Vec3};

impl<S: Real> Lines<S> {
    /// Equation (1) for a path and a degree of freedom.
    pub fn arm(&self, skeleton: &Skeleton, frames: &Frames<S>, path: usize, dof: usize) -> S {
        let shift = |at: &Point<S>| shift(skeleton, frames, dof, at);
        let straight = |Segment { ends: [a, b], e, .. }: &Segment<S>| e.dot(shift(b) - shift(a));
        let own = self.drifts(path).filter(|drift| drift.dof == dof).map(|drift| {
            let [before, behind] = self.directions(path, drift.stop);
            (before - behind).dot(drift.along)
        });
        -self.segments(path).iter().map(straight).chain(own).fold(S::ZERO, |sum, part| sum + part)
    }

    /// How long a path lies on its stop of this number, m, and by how much it turns there, rad; nothing where it does not touch.
    pub fn touching(&self, path: usize, stop: usize) -> Option<(S, f64)> {
        self.touch(path, stop).map(|touch| (touch.arc, touch.turn))
    }
}

/// How a point held on its body moves with a degree of freedom.
pub(super) fn shift<S: Real>(skeleton: &Skeleton, frames: &Frames<S>, dof: usize, at: &Point<S>) -> Vec3<S> {
    let (body, mut b) = (skeleton.dof_body[dof] as usize, at.body);
    // A subtree is one piece: bodies behind one that is carried by the same.
    while b > body {
        b = skeleton.parent[b] as usize;
    }
    if b == body { frames.s_lin[dof] + frames.s_ang[dof].cross(at.p_W - frames.p[body]) } else { Vec3::ZERO }
}

/// Degrees of freedom that may change the length of a path, by its bodies: those that move some of them but not all.
pub fn movers(system: &System, path: usize) -> impl Iterator<Item = usize> {
    let (skeleton, numbers) = (&system.skeleton, &system.numbers);
    let stops = &numbers.paths.list[path];
    let moves = |dof: usize, mut b: usize| {
        let body = skeleton.dof_body[dof] as usize;
        while b > body {
            b = skeleton.parent[b] as usize;
        }
        b == body
    };
    (0..skeleton.dofs()).filter(move |dof| {
        let count = stops.iter().filter(|stop| moves(*dof, numbers.paths.body(stop, &numbers.place_body) as usize)).count();
        let own = stops.iter().any(|stop| matches!(stop, Stop::Moving { dof: of, .. } if *of as usize == *dof));
        own || count > 0 && count < stops.len()
    })
}

/// Paths of a system in one pose.
pub struct PathView {
    pub(super) frames: Frames<f64>,
    lines: Lines<f64>,
    still: Vec<f64>,
    q: Vec<f64>,
}

impl PathView {
    /// Memory for a system.
    pub fn new(system: &System) -> Self {
        let skeleton = &system.skeleton;
        let still = vec![0.0; skeleton.dofs()];
        PathView { frames: Frames::new(skeleton), lines: Lines::new(&system.numbers.paths), still, q: vec![0.0; skeleton.coords()] }
    }

    pub(super) fn scene<'a>(&'a self, system: &'a System) -> Scene<'a, f64, f64> {
        let System { skeleton, numbers, .. } = system;
        Scene { skeleton, numbers, frames: &self.frames, q: &self.q, v: &self.still, vdot: &[], t: 0.0, inside: Inside::NONE }
    }

    /// Looks at all paths at these coordinates.
    pub fn look(&mut self, system: &System, q: &[f64]) {
        let System { skeleton, numbers, .. } = system;
        self.q.copy_from_slice(q);
        self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, &self.still, &[]);
        self.frames.fill_points(skeleton);
        let PathView { frames, lines, still, q } = self;
        lines.fill(&Scene { skeleton, numbers, frames, q, v: still, vdot: &[], t: 0.0, inside: Inside::NONE });
    }

    /// Lets searches begin where those of other paths of the same system ended.
    pub(crate) fn begin_like(&mut self, lines: &Lines<f64>) {
        self.lines.begin_like(lines);
    }

    /// Lets searches begin from nowhere.
    pub(crate) fn forget(&mut self) {
        self.lines.forget();
    }

    /// Lengths, and what is touched.
    pub fn lines(&self) -> &Lines<f64> {
        &self.lines
    }

    /// Moment arm of a path about a degree of freedom, m, or 1 for a displacement.
    pub fn arm(&self, system: &System, path: usize, dof: usize) -> f64 {
        self.lines.arm(&system.skeleton, &self.frames, path, dof)
    }

    /// Where a moving point is in its body's frame; nothing for other stops.
    pub fn on_body(&self, system: &System, stop: &Stop<f64>) -> Option<Vec3<f64>> {
        let Stop::Moving { functions, coord, .. } = stop else { return None };
        let at = functions.map(|f| system.numbers.functions[f as usize].eval(self.q[*coord as usize])[0]);
        Some(Vec3::from_array(at))
    }

    /// Every stop of a path on its body, with so many more points along the arc of each obstacle: as many as [`Self::course_len`] says, whatever the pose. Of an obstacle
    /// that is not touched and a point that is not there all lie where the point before does, so that the line through them is as long as the path. Body frames of the user.
    pub fn fill_course(&self, system: &System, path: usize, along: &[usize], points: &mut Vec<(u32, [f64; 3])>) {
        let (numbers, segments) = (&system.numbers, self.lines.segments(path));
        let (stops, scene) = (&numbers.paths.list[path], self.scene(system));
        points.clear();
        let mut last = segments.iter().find(|segment| segment.length > 0.0).map_or(Vec3::ZERO, |segment| segment.ends[0].p_W);
        for (k, stop) in stops.iter().enumerate() {
            let body = numbers.paths.body(stop, &numbers.place_body);
            let mut put = |p_W: Vec3<f64>| points.push((body, self.seen_from(system, body as usize, p_W)));
            if let Some(segment) = k.checked_sub(1).map(|k| &segments[k]).filter(|segment| segment.length > 0.0) {
                last = segment.ends[1].p_W;
            }
            put(last);
            let Stop::Wrap { .. } = stop else { continue };
            let arc = match (self.lines.touch(path, k), met_at(&scene, stop)) {
                (Some(touch), Some((met, _))) => {
                    let arc = met.drawn(touch, segments[k - 1].e, along[k]);
                    last = touch.ends[1];
                    arc
                }
                _ => Vec::new(),
            };
            // A geodesic that cannot be followed to its end goes straight from there.
            (0..along[k]).for_each(|i| put(arc.get(i).copied().unwrap_or(last)));
            put(last);
        }
    }

    /// How many points [`Self::fill_course`] gives of a path.
    pub fn course_len(system: &System, path: usize, along: &[usize]) -> usize {
        let points = |(stop, more): (&Stop<f64>, &usize)| if let Stop::Wrap { .. } = stop { 2 + more } else { 1 };
        system.numbers.paths.list[path].iter().zip(along).map(points).sum()
    }

    /// A point of space in the user's frame of a body.
    fn seen_from(&self, system: &System, body: usize, p_W: Vec3<f64>) -> [f64; 3] {
        let tree = &system.numbers.tree;
        let p_K = self.frames.R[body].transpose_mul(p_W - self.frames.p[body]);
        tree.R_KB[body].transpose_mul(p_K - tree.p_KB[body]).to_array()
    }

    /// Points of a path in space, in order, with so many more along each arc.
    pub fn points(&self, system: &System, path: usize, along: usize) -> Vec<[f64; 3]> {
        let (stops, segments) = (&system.numbers.paths.list[path], self.lines.segments(path));
        let scene = self.scene(system);
        let mut list: Vec<[f64; 3]> = Vec::new();
        for (k, segment) in segments.iter().enumerate().filter(|(_, segment)| segment.length > 0.0) {
            if list.is_empty() {
                list.push(segment.ends[0].p_W.to_array());
            }
            list.push(segment.ends[1].p_W.to_array());
            if let (Some(touch), Some((met, _))) = (self.lines.touch(path, k + 1), met_at(&scene, &stops[k + 1])) {
                list.extend(met.drawn(touch, segment.e, along).into_iter().map(Vec3::to_array));
                list.push(touch.ends[1].to_array());
            }
        }
        list
    }
}
