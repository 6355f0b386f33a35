//! A polytope of support points inside the body of differences, grown until it shows how deep two bodies overlap at least.
//! Not here: who overlaps least (`solve`).
//! In: support points of the body of differences. Out: faces with their distance from the origin.
//!
//! The body of differences K = {x₂ − x₁} of two convex bodies has the support function h(m) = −g(m), g the directional gap, reached at
//! the difference of the two support points. The bodies overlap if K holds the origin, and then the least overlap is the distance of its
//! boundary, min h over unit vectors. The hull of any points of K lies in K, so that
//!
//!     h(m) ≥ min over faces of n_f·v_f                                                            (1)
//!
//! for every m at once: what no number of sampled directions can show. Support points are added along the normal of the nearest face.
//!
//! Source: van den Bergen 2001, Proximity queries and penetration depth computation on 3D game objects, for the expansion; there it runs
//! to the end, here only until it decides between roots of the common-normal equations. The bound needs no convexity of the hull: the
//! faces are a closed surface inside K, and when all look away from the origin they surround it.

use borelli_math::Vec3;

/// Points at most.
pub(super) const MOST_VERTICES: usize = 96;
/// A closed surface of triangles has four fewer than twice its corners.
const MOST_FACES: usize = 2 * MOST_VERTICES;

/// A triangle with its outward unit normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    corners: [u8; 3],
    pub normal: Vec3<f64>,
    /// Of its plane from the origin, m; below zero when the origin is outside.
    pub distance: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Polytope {
    vertices: [Vec3<f64>; MOST_VERTICES],
    vertex_count: usize,
    faces: [Face; MOST_FACES],
    face_count: usize,
}

/// Directions of the first four points: alternate corners of a cube, of any length.
pub(super) const FIRST: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];

impl Polytope {
    /// The tetrahedron of four points; nothing if three of them lie in a line.
    pub(super) fn new(points: [Vec3<f64>; 4]) -> Option<Polytope> {
        let nothing = Face { corners: [0; 3], normal: Vec3::ZERO, distance: 0.0 };
        let mut vertices = [Vec3::ZERO; MOST_VERTICES];
        vertices[..4].copy_from_slice(&points);
        let [a, b, c, d] = points;
        // Outward when d lies behind the plane of a, b, c.
        if (b - a).cross(c - a).dot(d - a) > 0.0 {
            vertices.swap(1, 2);
        }
        let mut polytope = Polytope { vertices, vertex_count: 4, faces: [nothing; MOST_FACES], face_count: 0 };
        let closed = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]].into_iter().all(|corners| polytope.push(corners));
        closed.then_some(polytope)
    }

    fn push(&mut self, corners: [u8; 3]) -> bool {
        let [a, b, c] = corners.map(|k| self.vertices[k as usize]);
        let normal = (b - a).cross(c - a);
        let area = normal.norm();
        // Round-off turns the normal of a sliver by some 1e-16 of its length over its height; NaN is caught here too.
        if self.face_count == MOST_FACES || !(area > 1e-8 * ((b - a).dot(b - a) + (c - a).dot(c - a))) {
            return false;
        }
        let normal = normal.scale(1.0 / area);
        self.faces[self.face_count] = Face { corners, normal, distance: normal.dot(a) };
        self.face_count += 1;
        true
    }

    /// The nearest of the faces that are asked for.
    pub(super) fn nearest(&self, asked: impl Fn(&Face) -> bool) -> Option<Face> {
        let asked = self.faces[..self.face_count].iter().filter(|face| asked(face));
        asked.min_by(|a, b| a.distance.total_cmp(&b.distance)).copied()
    }

    /// Takes a point in: faces that it sees give way to triangles between it and their outline. A point that sees none changes nothing. False
    /// if there is no more room or a new triangle has no area; the polytope is of no use then.
    pub(super) fn add(&mut self, point: Vec3<f64>) -> bool {
        if self.vertex_count == MOST_VERTICES {
            return false;
        }
        let new = self.vertex_count as u8;
        self.vertices[self.vertex_count] = point;
        self.vertex_count += 1;
        // Every edge belongs to two faces, once in either sense; on the outline only one of them is seen.
        let mut outline = [(0, 0); 3 * MOST_VERTICES];
        let mut edges = 0;
        let mut k = 0;
        while k < self.face_count {
            let Face { corners: [a, b, c], normal, distance } = self.faces[k];
            if normal.dot(point) <= distance {
                k += 1;
                continue;
            }
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if let Some(twin) = outline[..edges].iter().position(|&edge| edge == (to, from)) {
                    edges -= 1;
                    outline[twin] = outline[edges];
                } else if edges < outline.len() {
                    outline[edges] = (from, to);
                    edges += 1;
                } else {
                    return false;
                }
            }
            self.face_count -= 1;
            self.faces[k] = self.faces[self.face_count];
        }
        outline[..edges].iter().all(|&(from, to)| self.push([from, to, new]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::random::Random;
    use borelli_math::vec3;

    fn grown(points: &[Vec3<f64>]) -> Polytope {
        let mut polytope = Polytope::new(std::array::from_fn(|k| points[k])).expect("points in general position");
        assert!(points[4..].iter().all(|&point| polytope.add(point)));
        polytope
    }

    #[test]
    fn the_hull_of_random_points_holds_them_all_and_is_closed() {
        let mut random = Random::new(5);
        for _ in 0..50 {
            let centre = vec3(0.3, -0.2, 0.1);
            let points: Vec<Vec3<f64>> =
                (0..60).map(|_| centre + Vec3::from_array(random.direction()).scale(random.uniform(0.5, 1.0))).collect();
            let polytope = grown(&points);
            let faces = &polytope.faces[..polytope.face_count];
            let mut edges = Vec::new();
            for face in faces {
                let [a, b, c] = face.corners;
                edges.extend([(a, b), (b, c), (c, a)]);
                assert!((face.normal.norm() - 1.0).abs() < 1e-14);
                assert!(points.iter().all(|p| face.normal.dot(*p) < face.distance + 1e-14), "a point sees a face");
            }
            // Every edge once in either sense; Euler's formula for the corners in use.
            assert!(edges.iter().all(|&(a, b)| edges.iter().filter(|&&edge| edge == (b, a)).count() == 1));
            let mut corners: Vec<u8> = faces.iter().flat_map(|face| face.corners).collect();
            corners.sort_unstable();
            corners.dedup();
            assert_eq!(corners.len() + faces.len(), edges.len() / 2 + 2);
            // Bound (1): no direction reaches less far than the nearest face, and its normal reaches just so far.
            let nearest = polytope.nearest(|_| true).expect("there are faces");
            let reach = |m: Vec3<f64>| points.iter().fold(f64::NEG_INFINITY, |most, p| most.max(m.dot(*p)));
            assert!((reach(nearest.normal) - nearest.distance).abs() < 1e-14);
            assert!((0..500).all(|_| reach(Vec3::from_array(random.direction())) > nearest.distance - 1e-14));
        }
    }

    #[test]
    fn a_polytope_with_a_flat_face_or_without_room_is_refused() {
        let flat = [vec3(0.0, 0.0, 1.0), vec3(1.0, 0.0, 1.0), vec3(0.0, 1.0, 1.0), vec3(0.0, 0.0, 1.0)];
        assert!(Polytope::new(flat).is_none());
        assert!(Polytope::new([vec3(f64::NAN, 0.0, 0.0), flat[0], flat[1], flat[2]]).is_none());
        let mut polytope = grown(&FIRST.map(Vec3::from_array));
        let before = polytope.face_count;
        // A point inside sees no face; it takes room all the same.
        assert!((4..MOST_VERTICES).all(|_| polytope.add(vec3(0.1, 0.0, 0.0))));
        assert_eq!(polytope.face_count, before);
        assert!(!polytope.add(vec3(3.0, 0.0, 0.0)));
    }
}
