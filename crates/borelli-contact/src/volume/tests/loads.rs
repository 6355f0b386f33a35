//! Forces and moments of the bed: energy, power, impacts, scale.

use super::*;
use crate::friction::Friction;
use crate::friction::spin::Spin;
use crate::normal::restitution;

fn bed(dissipation: f64, softness: f64) -> Volumetric<f64> {
    Volumetric::new(&[("stiffness", 1.6e7), ("dissipation", dissipation), ("softness", softness)]).unwrap()
}

/// Overlap in world axes of an ellipsoid at a pose with the half-space z < 0.
fn placed<S: Real>(shape: &SemiAxes<f64>, R: &Mat3<S>, centre: Vec3<S>) -> Option<Overlap<S>> {
    let up = vec3(S::ZERO, S::ZERO, S::ONE);
    let overlap = shape.overlap(R.transpose_mul(up), -centre.z, SecondMoment::Weighted)?;
    Some(overlap.rotated(R))
}

fn still<S: Real>() -> PatchMotion<S> {
    PatchMotion { normal: vec3(S::ZERO, S::ZERO, S::ONE), velocity: Vec3::ZERO, angular: Vec3::ZERO }
}

#[test]
fn the_wrench_is_minus_the_slope_of_the_stored_energy() {
    let mut random = Random::new(1);
    for trial in 0..100 {
        let (shape, n, q) = draw(&mut random, if trial % 10 == 0 { (2.1, 2.5) } else { (0.05, 1.9) });
        // A pose whose vertical, seen from the ellipsoid, is n.
        let Q = Quat::from_slice(&random.unit_quaternion()).to_rotation();
        let axis = (Q * n).cross(vec3(0.0, 0.0, 1.0));
        let angle = axis.norm().atan2((Q * n).z);
        let R = borelli_math::rotation_about(axis.scale(1.0 / axis.norm()), angle) * Q;
        let centre = vec3(0.1, -0.2, -q);
        let law = bed(0.0, 0.0);
        let overlap = placed(&shape, &R, centre).unwrap();
        let load = law.load(&overlap, &still(), None);
        let moment = overlap.centroid.cross(load.force) + load.moment;
        let energy = |shift: Vec3<f64>, turn: Vec3<f64>| {
            let R = borelli_math::rotation_vector(turn) * R;
            law.load(&placed(&shape, &R, centre + shift).unwrap(), &still(), None).stored
        };
        let h = overlap.support * 1e-3;
        let scale = load.normal_force * overlap.support;
        for (k, e) in [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)].into_iter().enumerate() {
            // Fourth-order differences.
            let slope = |f: &dyn Fn(f64) -> f64, h: f64| (f(-2.0 * h) - 8.0 * f(-h) + 8.0 * f(h) - f(2.0 * h)) / (12.0 * h);
            let force = -slope(&|x| energy(e.scale(x), Vec3::ZERO), h);
            let torque = -slope(&|x| energy(Vec3::ZERO, e.scale(x)), 1e-3);
            assert!((force - load.force.to_array()[k]).abs() < 1e-7 * load.normal_force, "{force} {:?}", load.force);
            // Slender ellipsoids bend the energy over a smaller angle.
            assert!((torque - moment.to_array()[k]).abs() < 1e-7 * scale * 10.0, "{torque} {moment:?}");
        }
        // And exactly, by duals.
        let lifted = vec3(Dual::<6>::variable(0.0, 3), Dual::variable(0.0, 4), Dual::variable(0.0, 5));
        let R_dual = borelli_math::rotation_vector(lifted) * Mat3::lift(&R);
        let shifted = vec3(Dual::variable(centre.x, 0), Dual::variable(centre.y, 1), Dual::variable(centre.z, 2));
        let stored = law.load(&placed(&shape, &R_dual, shifted).unwrap(), &still(), None).stored;
        for k in 0..3 {
            assert!((stored.eps[k] + load.force.to_array()[k]).abs() < 1e-12 * load.normal_force);
            assert!((stored.eps[3 + k] + moment.to_array()[k]).abs() < 1e-11 * scale, "{stored:?} {moment:?}");
        }
    }
}

#[test]
fn dissipation_only_takes_power() {
    let mut random = Random::new(2);
    let friction = Friction::new("three-parameter", &[("static_friction", 0.8), ("dynamic_friction", 0.6), ("transition", 0.01)]).unwrap();
    for kind in Spin::<f64>::KINDS {
        let spin = Spin::new(kind.name, &[]).unwrap();
        for softness in [0.0, 0.1, 1.0] {
            let law = bed(0.565, softness);
            let mut clipped = 0;
            for _ in 0..300 {
                let (shape, n, q) = draw(&mut random, (0.01, 2.5));
                let overlap = shape.overlap(n, q, SecondMoment::Weighted).unwrap();
                let mut vector = |size: f64| Vec3::from_array(random.direction()).scale(size);
                let motion = PatchMotion { normal: n, velocity: vector(3.0), angular: vector(5.0) };
                let load = law.load(&overlap, &motion, Some((&friction, &spin)));
                assert!(load.normal_force >= 0.0 && load.dissipated >= 0.0, "{} {load:?}", kind.name);
                assert!(softness == 0.0 || !load.clipped);
                clipped += u32::from(load.clipped);
                let power = load.force.dot(motion.velocity) + load.moment.dot(motion.angular);
                // What the load takes is what the bed gives back and what is lost.
                let spring = -1.6e7 * overlap.volume * motion.velocity.dot(n);
                assert!((power + load.dissipated + spring).abs() < 1e-10 * (power.abs() + spring.abs() + 1.0));
            }
            assert!(softness > 0.0 || clipped > 10, "the cut at zero was met");
        }
    }
}

#[test]
fn an_impact_on_the_bed_has_the_restitution_of_the_general_relation() {
    // Any elastic force times 1 + a δ̇ has the relation of `restitution` with λ = a v₀.
    let shape = SemiAxes { a: 0.035, b: 0.054, c: 0.0226 };
    let R = borelli_math::rotation_vector(vec3(0.4, -0.3, 0.2));
    let height = shape.overlap(R.transpose_mul(vec3(0.0, 0.0, 1.0)), 0.0, SecondMoment::Weighted).unwrap().support;
    for (dissipation, v) in [(0.0, 1.0), (0.565, 1.0), (0.565, 0.3), (3.0, 1.0)] {
        let law = bed(dissipation, 0.0);
        let force = |z: f64, u: f64| {
            let motion = PatchMotion { velocity: vec3(0.0, 0.0, u), ..still() };
            placed(&shape, &R, vec3(0.0, 0.0, z)).map_or(0.0, |overlap| law.load(&overlap, &motion, None).normal_force)
        };
        let (mut z, mut u, step) = (height, -v, 1e-6);
        // A unit mass that slides without turning, fourth-order Runge-Kutta.
        while z <= height {
            let (k1, l1) = (u, force(z, u));
            let (k2, l2) = (u + 0.5 * step * l1, force(z + 0.5 * step * k1, u + 0.5 * step * l1));
            let (k3, l3) = (u + 0.5 * step * l2, force(z + 0.5 * step * k2, u + 0.5 * step * l2));
            let (k4, l4) = (u + step * l3, force(z + step * k3, u + step * l3));
            z += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            u += step / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
        }
        assert!((u / v - restitution(dissipation * v)).abs() < 1e-9, "{dissipation} {v}: {}", u / v);
    }
}

#[test]
fn loads_scale_with_the_size_of_the_scene() {
    // Lengths and speeds ten times as large at equal stiffness: volumes 10³, forces 10³, moments 10⁴, with the damping per speed a tenth.
    let friction =
        |v: f64| Friction::new("three-parameter", &[("static_friction", 0.8), ("dynamic_friction", 0.6), ("transition", v)]).unwrap();
    let spin = Spin::new("gyration", &[]).unwrap();
    let (shape, n) = (SemiAxes { a: 0.03, b: 0.02, c: 0.05 }, vec3(0.48, 0.6, 0.64));
    let run = |size: f64| {
        let shape = shape.map(&mut |x| x * size);
        let overlap = shape.overlap(n, -0.01 * size, SecondMoment::Weighted).unwrap();
        let motion = PatchMotion { normal: n, velocity: vec3(0.1, -0.2, 0.05).scale(size), angular: vec3(1.0, 2.0, -1.5) };
        bed(0.565 / size, 0.0).load(&overlap, &motion, Some((&friction(0.01 * size), &spin)))
    };
    let (small, large) = (run(1.0), run(10.0));
    assert!((large.force - small.force.scale(1e3)).norm() < 1e-10 * large.force.norm());
    assert!((large.rolling - small.rolling.scale(1e4)).norm() < 1e-10 * large.rolling.norm());
    assert!((large.spinning / small.spinning - 1e4).abs() < 1e-8);
}

#[test]
fn every_parameter_of_the_bed_is_refused_outside_its_range() {
    for (name, zero_allowed) in [("stiffness", false), ("dissipation", true), ("softness", true)] {
        let with = |value: f64| {
            let mut given = vec![("stiffness", 1e7)];
            given.retain(|(other, _)| *other != name);
            given.push((name, value));
            Volumetric::new(&given).is_ok()
        };
        assert!(!with(f64::NAN) && !with(-1.0) && !with(f64::INFINITY) && with(0.0) == zero_allowed, "{name}");
    }
}
