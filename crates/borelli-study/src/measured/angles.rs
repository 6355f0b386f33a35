//! Planar chains from one reference point and angles of segments, whose lengths are constant: `method = "angles"`.
//! Not here: least squares of all markers (`fit`), filters.
//! In: a planar system of hinges below a root that is free in the plane, points of its markers. Out: coordinates of a frame.
//!
//! Of each body the two paired markers that lie farthest apart give its angle; a marker at a hinge counts for both of its bodies. A hinge has the
//! difference of the angles of its bodies. The first paired marker of the root is the reference point, which the root follows exactly. Everything else
//! follows from the lengths of the model, so that joints hold whatever the skin does.
//!
//! Source: the procedure of kinematic consistency of planar gait analysis; P. E. Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, for
//! what consistency means. Limits: planar trees of `planar` and `hinge` joints, two markers on every body.
//! Test: `angles_of_segments_rebuild_a_chain_whose_skin_moves`.

use super::markers::Pair;
use borelli_dynamics::System;
use borelli_dynamics::frames::Frames;
use borelli_dynamics::system::Motion;
use borelli_math::Vec3;

/// Places nearer than this are one, m.
const SAME_PLACE: f64 = 1e-9;

/// What a body is measured by.
struct Line {
    /// Two pairs.
    ends: [usize; 2],
    /// Angle from the first to the second in kernel axes, rad.
    angle: f64,
}

/// A planar system ready for the method.
pub(crate) struct Chain<'s> {
    system: &'s System,
    /// By body; the world has none.
    lines: Vec<Option<Line>>,
    /// Pair of the reference point.
    reference: usize,
    frames: Frames<f64>,
}

fn angle_of(v: Vec3<f64>) -> f64 {
    v.y.atan2(v.x)
}

impl<'s> Chain<'s> {
    /// A chain, or why the method does not take the system.
    pub(crate) fn new(system: &'s System, pairs: &[Pair]) -> Result<Chain<'s>, String> {
        let skeleton = &system.skeleton;
        if !skeleton.planar {
            return Err("it is for planar models".into());
        }
        let body = |pair: &Pair| system.numbers.place_body[system.markers[pair.marker as usize].place as usize] as usize;
        let mut frames = Frames::new(skeleton);
        let mut pose = |angle: f64| {
            let mut q = vec![0.0; skeleton.coords()];
            for motion in (1..skeleton.parent.len()).flat_map(|b| skeleton.motions_of(b)) {
                if let Motion::Turn { coord, .. } = *motion {
                    q[coord as usize] = angle;
                }
            }
            frames.fill::<f64, false>(skeleton, &system.numbers.tree, &q, &vec![0.0; skeleton.dofs()], &[]);
            frames.fill_points(skeleton);
            frames.clone()
        };
        // What stays where it is on a body while all hinges turn belongs to it: its own markers, and those at its hinges.
        let poses = [pose(0.0), pose(1.0)];
        let on = |pair: &Pair, b: usize, frames: &Frames<f64>| {
            let place = system.numbers.tree.place_p[system.markers[pair.marker as usize].place as usize];
            let world = frames.p[body(pair)] + frames.R[body(pair)] * place;
            frames.R[b].transpose() * (world - frames.p[b])
        };
        let own = |pair: &Pair, b: usize| {
            let [first, second] = poses.each_ref().map(|frames| on(pair, b, frames));
            ((second - first).norm() < SAME_PLACE).then_some(first)
        };
        let mut lines = vec![None];
        for b in 1..skeleton.parent.len() {
            let slides = skeleton.motions_of(b).iter().filter(|motion| matches!(motion, Motion::Slide { .. })).count();
            let turns = skeleton.motions_of(b).iter().filter(|motion| matches!(motion, Motion::Turn { .. })).count();
            let free = if skeleton.parent[b] == 0 { [2, 1] } else { [0, 1] };
            let others = skeleton.motions_of(b).iter().any(|motion| matches!(motion, Motion::Ball { .. } | Motion::Function { .. }));
            if [slides, turns] != free || others {
                return Err(format!("joint `{}` is no hinge below a root that is free in the plane", system.names.joints[b]));
            }
            let own: Vec<(usize, Vec3<f64>)> = (0..pairs.len()).filter_map(|k| own(&pairs[k], b).map(|local| (k, local))).collect();
            let all = own.iter().enumerate().flat_map(|(k, from)| own[k + 1..].iter().map(move |to| ([from.0, to.0], to.1 - from.1)));
            let Some((ends, span)) = all.max_by(|a, b| a.1.norm().total_cmp(&b.1.norm())).filter(|(_, span)| span.norm() > SAME_PLACE)
            else {
                return Err(format!("body `{}` has no two markers", system.names.bodies[b]));
            };
            lines.push(Some(Line { angle: angle_of(span), ends }));
        }
        let root = (1..skeleton.parent.len()).find(|b| skeleton.parent[*b] == 0);
        let reference = root.and_then(|root| (0..pairs.len()).find(|k| body(&pairs[*k]) == root)).ok_or("the root has no marker")?;
        Ok(Chain { system, lines, reference, frames })
    }

    /// Coordinates of a frame, angles nearest to those in `q`; false where a marker that is needed was not seen, and `q` stays.
    pub(crate) fn pose(&mut self, pairs: &[Pair], place: impl Fn(usize) -> Option<Vec3<f64>>, q: &mut [f64]) -> bool {
        let skeleton = &self.system.skeleton;
        let mut angles = vec![0.0; self.lines.len()];
        for (b, line) in self.lines.iter().enumerate() {
            let Some(line) = line else { continue };
            let (Some(from), Some(to)) = (place(line.ends[0]), place(line.ends[1])) else { return false };
            angles[b] = angle_of(to - from) - line.angle;
        }
        let Some(reference) = place(self.reference) else { return false };
        for b in 1..self.lines.len() {
            let parent = skeleton.parent[b] as usize;
            // Kernel axes of hinged bodies are parallel where all coordinates are zero.
            let turned = angles[b] - angles[parent];
            for motion in skeleton.motions_of(b) {
                match *motion {
                    Motion::Turn { coord, .. } => {
                        let before = q[coord as usize];
                        q[coord as usize] =
                            before + (turned - before + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
                    }
                    Motion::Slide { coord, .. } => q[coord as usize] = 0.0,
                    Motion::Ball { .. } | Motion::Function { .. } | Motion::Fixed { .. } => {}
                }
            }
        }
        // Where the reference point is without slides tells how far the root has slid.
        let marker = self.system.markers[pairs[self.reference].marker as usize].place as usize;
        let body = self.system.numbers.place_body[marker] as usize;
        self.frames.fill::<f64, false>(skeleton, &self.system.numbers.tree, q, &vec![0.0; skeleton.dofs()], &[]);
        self.frames.fill_points(skeleton);
        let gap = reference - (self.frames.p[body] + self.frames.R[body] * self.system.numbers.tree.place_p[marker]);
        for motion in skeleton.motions_of(body) {
            if let Motion::Slide { coord, dof, .. } = *motion {
                q[coord as usize] = gap.dot(self.frames.s_lin[dof as usize]);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_dynamics::compile;
    use borelli_math::vec3;
    use borelli_model::Model;

    const LEG: &str = r#"
borelli = 1
dimension = "planar"
[body.trunk]
mass = 10
inertia = 1
[body.thigh]
mass = 3
inertia = 0.1
point = { knee = [0, -0.4] }
[body.shank]
mass = 2
inertia = 0.1
[joint.root]
type = "planar"
parent = "world"
child = "trunk"
coordinates = ["x", "y", "tilt"]
[joint.hip]
type = "hinge"
parent = "trunk"
child = "thigh"
[joint.knee]
type = "hinge"
parent = "thigh.knee"
child = "shank"
[marker.hip]
body = "trunk"
location = [0, 0]
[marker.shoulder]
body = "trunk"
location = [0, 0.5]
[marker.knee]
body = "thigh"
location = [0, -0.4]
[marker.ankle]
body = "shank"
location = [0, -0.43]
"#;

    #[test]
    fn angles_of_segments_rebuild_a_chain_whose_skin_moves() {
        let model = Model::parse("leg.toml", LEG).unwrap_or_else(|e| panic!("{e}"));
        let system = compile(&model).unwrap_or_else(|e| panic!("{e}"));
        let pairs: Vec<Pair> = (0..4).map(|k| Pair { point: k as usize, marker: k, weight: 1.0 }).collect();
        let mut chain = Chain::new(&system, &pairs).unwrap_or_else(|why| panic!("{why}"));
        let [x, y, tilt, hip, knee]: [f64; 5] = [0.3, 0.9, -0.1, 0.4, -3.0];
        let along = |angle: f64, length: f64| vec3(length * angle.sin(), -length * angle.cos(), 0.0);
        let (h, thigh, shank) = (vec3(x, y, 0.0), tilt + hip, tilt + hip + knee);
        // Segments seem longer by 3 per cent than they are: the angles do not mind.
        let knee_at = h + along(thigh, 0.412);
        let at = [h, h - along(tilt, 0.515), knee_at, knee_at + along(shank, 0.443)];
        let mut q = vec![0.0, 0.0, 0.0, 0.0, -3.1];
        assert!(chain.pose(&pairs, |k| Some(at[k]), &mut q));
        for (found, exact) in q.iter().zip([x, y, tilt, hip, knee]) {
            assert!((found - exact).abs() < 1e-14, "{q:?}");
        }
        // The knee is at the hinge and serves both thigh and shank; without it neither has an angle.
        let without: Vec<Pair> = pairs.iter().filter(|pair| pair.marker != 2).copied().collect();
        assert!(Chain::new(&system, &without).err().is_some_and(|why| why.contains("thigh")));
        let before = q.clone();
        assert!(!chain.pose(&pairs, |k| (k != 2).then_some(at[k]), &mut q) && q == before);
    }

    /// The zero of a coordinate is where the frames of its joint coincide, which may be turned on their bodies.
    #[test]
    fn angles_count_from_turned_frames_of_joints() {
        let text = LEG
            .replace("[body.thigh]", "frame.hip = { origin = [0, 0], angle = \"30 deg\" }\n[body.thigh]")
            .replace("parent = \"trunk\"", "parent = \"trunk.hip\"");
        let model = Model::parse("leg.toml", &text).unwrap_or_else(|e| panic!("{e}"));
        let system = compile(&model).unwrap_or_else(|e| panic!("{e}"));
        let pairs: Vec<Pair> = (0..4).map(|k| Pair { point: k as usize, marker: k, weight: 1.0 }).collect();
        let mut chain = Chain::new(&system, &pairs).unwrap_or_else(|why| panic!("{why}"));
        let [tilt, hip, knee]: [f64; 3] = [-0.1, 0.2, -0.7];
        let along = |angle: f64, length: f64| vec3(length * angle.sin(), -length * angle.cos(), 0.0);
        let (h, thigh) = (vec3(0.3, 0.9, 0.0), tilt + 30_f64.to_radians() + hip);
        let knee_at = h + along(thigh, 0.4);
        let at = [h, h - along(tilt, 0.5), knee_at, knee_at + along(thigh + knee, 0.43)];
        let mut q = vec![0.0; 5];
        assert!(chain.pose(&pairs, |k| Some(at[k]), &mut q));
        for (found, exact) in q.iter().zip([0.3, 0.9, tilt, hip, knee]) {
            assert!((found - exact).abs() < 1e-14, "{q:?}");
        }
    }
}
