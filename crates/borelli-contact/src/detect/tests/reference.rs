//! Largest directional gap of two convex bodies by refinement of a geodesic grid, from support functions alone.

use borelli_math::random::Random;
use borelli_math::{Vec3, vec3};

/// How hard to look.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Directions of the grid.
    pub grid: usize,
    /// How many of the best are refined.
    pub kept: usize,
    /// Angle of the finest pattern, rad.
    pub finest: f64,
}

/// As fine as round-off allows for a value: about the root of machine precision in angle.
pub const THOROUGH: Effort = Effort { grid: 1500, kept: 12, finest: 1e-10 };
/// For large samples.
pub const QUICK: Effort = Effort { grid: 300, kept: 8, finest: 1e-4 };

/// Largest value of `gap` over unit vectors and where, from a grid refined around its best few directions.
///
/// No derivatives and no assumption but continuity: a pattern of eight directions about each candidate moves to the best of them or
/// shrinks, until it is fine enough.
pub fn largest_gap(gap: &dyn Fn(Vec3<f64>) -> f64, effort: Effort) -> (Vec3<f64>, f64) {
    let Effort { grid, kept: most, finest } = effort;
    let mut candidates: Vec<(f64, Vec3<f64>)> = (0..grid)
        .map(|k| {
            // Points of a spiral, all with the same area about them.
            let z = 1.0 - (2.0 * k as f64 + 1.0) / grid as f64;
            let (s, c) = (k as f64 * 2.399963229728653).sin_cos();
            let r = (1.0 - z * z).sqrt();
            let m = vec3(r * c, r * s, z);
            (gap(m), m)
        })
        .collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    // The best directions that are not neighbours of a better one.
    let mut kept: Vec<(f64, Vec3<f64>)> = Vec::new();
    for &(value, m) in &candidates {
        if kept.len() < most && kept.iter().all(|k| k.1.dot(m) < 0.98) {
            kept.push((value, m));
        }
    }
    // No support point lies further out than the body reaches, so the gap changes by no more than this over a radian.
    let steepest = candidates.iter().fold(0.0, |most: f64, c| most.max(c.0.abs()));
    let mut random = Random::new(99);
    let mut best = (Vec3::ZERO, f64::NEG_INFINITY);
    for (mut value, mut m) in kept {
        let mut angle = 0.05;
        for _ in 0..400 {
            // Patterns that have shrunk so far below the best found will not reach it.
            if angle < finest || value + 8.0 * angle * steepest < best.1 {
                break;
            }
            let u = m.cross(Vec3::from_array(random.direction()));
            let u = u.scale(1.0 / u.norm());
            let v = m.cross(u);
            let mut moved = false;
            for k in 0..8 {
                let (s, c) = (k as f64 * std::f64::consts::FRAC_PI_4).sin_cos();
                let next = m + (u.scale(c) + v.scale(s)).scale(angle);
                let next = next.scale(1.0 / next.norm());
                let there = gap(next);
                if there > value {
                    (value, m, moved) = (there, next, true);
                }
            }
            angle *= if moved { 1.3 } else { 0.6 };
            angle = angle.min(0.1);
        }
        if value > best.1 {
            best = (m, value);
        }
    }
    best
}
