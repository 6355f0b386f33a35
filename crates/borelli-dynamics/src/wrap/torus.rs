//! A string through a ring: where the search for its geodesic begins.
//!
//! The string goes through the ring and bends over its inner side where the straight line would cut the tube or pass outside. Where the line passes the tube nearest,
//! the tube is taken as a cylinder about the tangent of the ring: a string over a circle in the plane through the axis Z. Limits: both points on different sides of the plane of the ring, else
//! the string is free. Test: `the_table_of_a_torus_is_met`.

use super::{Bend, cylinder, sense};
use borelli_math::{Real, Vec3, vec3};
use std::f64::consts::FRAC_PI_3;

pub(super) fn guess<S: Real>(ring: S, tube: S, P: Vec3<S>, Q: Vec3<S>) -> Option<Bend<S>> {
    let (ring, tube, P, Q) = (ring.value(), tube.value(), P.values(), Q.values());
    if P.z * Q.z >= 0.0 {
        return None;
    }
    let at = |s: f64| P + (Q - P).scale(s);
    let through = at(P.z / (P.z - Q.z));
    let outside = through.x.hypot(through.y) >= ring;
    let off = |s: f64| {
        let x = at(s);
        (x.x.hypot(x.y) - ring).hypot(x.z)
    };
    // The nearest point of the line to the middle of the tube: from the best of some, by golden sections.
    const PARTS: usize = 32;
    let best = (0..=PARTS).min_by(|a, b| off(*a as f64 / PARTS as f64).total_cmp(&off(*b as f64 / PARTS as f64))).unwrap_or(0);
    let (mut low, mut high) = ((best as f64 - 1.0) / PARTS as f64, (best as f64 + 1.0) / PARTS as f64);
    for _ in 0..40 {
        let (a, b) = (low + 0.381_966_011_250_105 * (high - low), low + 0.618_033_988_749_895 * (high - low));
        if off(a) < off(b) { high = b } else { low = a }
    }
    let near = 0.5 * (low + high);
    if !outside && off(near) >= tube {
        return None;
    }
    let x = at(near);
    let size = x.x.hypot(x.y);
    if size == 0.0 {
        return None;
    }
    let out = vec3(x.x / size, x.y / size, 0.0);
    let flat = |p: Vec3<f64>| vec3(p.dot(out) - ring, p.z, 0.0);
    let back = |p: Vec3<f64>| out.scale(ring + p.x) + vec3(0.0, 0.0, p.y);
    let found = sense(flat(P), vec3(-1.0, 0.0, 0.0)).and_then(|sense| cylinder::bend(tube, sense, -FRAC_PI_3, flat(P), flat(Q)));
    let lifted = |p: Vec3<f64>| Vec3::from_array(p.to_array().map(S::from_f64));
    Some(match found {
        Some(bend) => Bend { ends: bend.ends.map(|x| lifted(back(x))), arc: S::from_f64(bend.arc), turn: bend.turn },
        // It just touches: an arc of no length on the inner side.
        None => {
            let inner = lifted(back(vec3(-tube, 0.0, 0.0)));
            Bend { ends: [inner; 2], arc: S::ZERO, turn: 0.0 }
        }
    })
}
