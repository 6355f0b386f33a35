//! How deep two bodies may be in each other.

use super::*;
use borelli_math::{Vec3, vec3};

#[test]
fn the_middle_is_half_of_the_thinner_body() {
    let disc = "type = \"ellipsoid\"\na = 0.005\nb = 0.2\nc = 0.3";
    let ball = "type = \"sphere\"\nradius = 0.02";
    let law = format!("normal = {HERTZ}");
    // Bodies as the file places them, turned against each other: directions are those of the second surface's axes.
    let middle = |one: &'static str, other: &'static str, along: [f64; 3]| {
        let system = pairing("spatial", one, other).system(&law);
        assert!(system.numbers.contacts.has_middle(0));
        let mut gaps = Gaps::new(&system);
        gaps.place(&system, &system.start.q, &system.start.v);
        // Axes of the second in the world: columns of the inverse of what `in_second` does.
        let rows = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)].map(|axis| gaps.in_second(&system, 0, axis));
        let along = Vec3::from_array(along);
        gaps.middle(&system, 0, Vec3::from_array(rows.map(|row| row.dot(along))))
    };
    for (one, along, half) in [
        (ball, [1.0, 0.0, 0.0], 0.005),
        (ball, [-1.0, 0.0, 0.0], 0.005),
        (ball, [0.0, 1.0, 0.0], 0.02),
        (BALL, [0.0, 0.0, 1.0], 0.3),
        // Between its axes the disc is as wide as √(a² n_x² + b² n_y²).
        (BALL, [0.6, 0.8, 0.0], (0.003_f64.powi(2) + 0.16_f64.powi(2)).sqrt()),
        (DOT, [0.0, 1.0, 0.0], 0.2),
    ] {
        let found = middle(one, disc, along);
        assert!((found - half).abs() < 1e-14, "{one} {along:?}: {found} {half}");
    }
    // A half-space goes on below; volumes have laws of their own.
    for (pairing, law) in [(pairing("spatial", BALL, BOARD), HERTZ), (pairing("spatial", DOT, BOARD), HERTZ), (EGG_ON_BOARD, BED)] {
        assert!(!pairing.system(&format!("normal = {law}")).numbers.contacts.has_middle(0), "{}", pairing.name());
    }
}
