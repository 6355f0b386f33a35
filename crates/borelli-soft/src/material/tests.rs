//! Laws against differences, closed forms, the common limit of small strain, and a table of states.

use super::*;
use borelli_math::random::Random;
use borelli_testkit::{ReferenceTable, assert_close, central_difference};

const E: f64 = 10.0;
const NU: f64 = 0.3;

fn lame() -> (f64, f64) {
    (E * NU / ((1.0 + NU) * (1.0 - 2.0 * NU)), E / (2.0 * (1.0 + NU)))
}

fn all(viscosity: f64) -> Vec<Material> {
    let make = |kind: &Kind| Material::new(kind.name, &[("young", E), ("poisson", NU), ("viscosity", viscosity)]).expect("in range");
    Material::KINDS.iter().map(make).collect()
}

fn state(random: &mut Random, size: f64) -> [f64; 4] {
    [1.0, 0.0, 0.0, 1.0].map(|one| one + random.uniform(-size, size))
}

fn moved(F: [f64; 4], k: usize, h: f64) -> [f64; 4] {
    let mut moved = F;
    moved[k] += h;
    moved
}

/// P by two matrix products, apart from the code of the laws.
fn times([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> [f64; 4] {
    [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h]
}

fn turned([a, b, c, d]: [f64; 4]) -> [f64; 4] {
    [a, c, b, d]
}

#[test]
fn a_tangent_is_the_slope_of_the_stress_and_the_stress_that_of_the_energy() {
    let mut random = Random::new(11);
    for material in all(0.0) {
        let planes: &[Plane] = if material.allows(Plane::Stress) { &[Plane::Strain, Plane::Stress] } else { &[Plane::Strain] };
        for plane in (0..20).map(|k| planes[k % planes.len()]) {
            let F = state(&mut random, 0.25);
            let Response { P, A, .. } = material.respond(F, plane);
            let name = material.kind().name;
            for k in 0..4 {
                let energy = central_difference(&mut |h| vec![material.energy(moved(F, k, h), plane)], 2e-3);
                assert_close(&[P[k]], &energy, 1e-10, &format!("{name}: stress {k}"));
                let slope = central_difference(&mut |h| material.stress(moved(F, k, h), plane).to_vec(), 2e-3);
                assert_close(&A.map(|row| row[k]), &slope, 1e-10, &format!("{name}: tangent by {k}"));
            }
        }
    }
}

#[test]
fn stress_out_of_the_plane_is_the_slope_of_the_energy_in_space() {
    // A stretch t out of the plane enters the energies of space; σ33 = (t/J) ∂W/∂t at t = 1. Energies of space written here once more.
    let (lambda, mu) = lame();
    let energy = |name: &str, [a, b, c, d]: [f64; 4], t: f64| {
        let J = (a * d - b * c) * t;
        let C = [a * a + c * c, a * b + c * d, b * b + d * d, t * t];
        let trace = C[0] + C[2] + C[3];
        let green = 0.25 * ((C[0] - 1.0).powi(2) + 2.0 * C[1] * C[1] + (C[2] - 1.0).powi(2) + (C[3] - 1.0).powi(2));
        match name {
            "linear" => {
                let trace = a + d + t - 3.0;
                0.5 * lambda * trace * trace + mu * ((a - 1.0).powi(2) + (d - 1.0).powi(2) + (t - 1.0).powi(2) + 0.5 * (b + c) * (b + c))
            }
            "kirchhoff" => 0.125 * lambda * (trace - 3.0).powi(2) + mu * green,
            "robust" => lambda * (J - 1.0 - J.ln()) + mu * green,
            "neo-hookean" => 0.5 * mu * (trace - 3.0) - mu * J.ln() + 0.25 * lambda * (J * J - 1.0 - 2.0 * J.ln()),
            other => panic!("write the energy of `{other}` here"),
        }
    };
    let mut random = Random::new(12);
    for material in all(0.0) {
        for _ in 0..10 {
            let (F, name) = (state(&mut random, 0.25), material.kind().name);
            let J = if material.is_small_strain() { 1.0 } else { F[0] * F[3] - F[1] * F[2] };
            let slope = central_difference(&mut |h| vec![energy(name, F, 1.0 + h)], 2e-3)[0];
            let got = material.respond(F, Plane::Strain);
            assert_close(&[got.energy, got.s33], &[energy(name, F, 1.0), slope / J], 1e-11, name);
        }
    }
}

#[test]
fn a_rigid_turn_has_no_stress_except_in_the_linear_law() {
    for material in all(0.0) {
        for angle in [0.3f64, 1.5, 3.0] {
            let F = [angle.cos(), -angle.sin(), angle.sin(), angle.cos()];
            let got = material.respond(F, Plane::Strain);
            if material.is_small_strain() {
                let (lambda, mu) = lame();
                let expected = 2.0 * (lambda + mu) * (angle.cos() - 1.0);
                assert_close(&got.P, &[expected, 0.0, 0.0, expected], 1e-14, "false stress of a turn");
            } else {
                assert_close(&got.P, &[0.0; 4], 1e-14, material.kind().name);
                assert_close(&[got.energy, got.s33], &[0.0; 2], 1e-14, material.kind().name);
            }
        }
    }
}

#[test]
fn a_turn_after_a_stretch_turns_the_stress() {
    let mut random = Random::new(13);
    for material in all(0.0).into_iter().filter(|m| !m.is_small_strain()) {
        let (F, angle) = (state(&mut random, 0.3), 1.1f64);
        let R = [angle.cos(), -angle.sin(), angle.sin(), angle.cos()];
        let (before, after) = (material.respond(F, Plane::Strain), material.respond(times(R, F), Plane::Strain));
        assert_close(&after.P, &times(R, before.P), 1e-13, material.kind().name);
        assert_close(&[after.energy, after.s33], &[before.energy, before.s33], 1e-13, material.kind().name);
        // Moments balance: P Fᵀ is symmetric.
        let kirchhoff = times(before.P, turned(F));
        assert_close(&[kirchhoff[1]], &[kirchhoff[2]], 1e-13, material.kind().name);
    }
}

#[test]
fn all_laws_are_linear_elasticity_in_small_strain() {
    let (lambda, mu) = lame();
    let along = lambda + 2.0 * mu;
    let hooke = [[along, 0.0, 0.0, lambda], [0.0, mu, mu, 0.0], [0.0, mu, mu, 0.0], [lambda, 0.0, 0.0, along]];
    for material in all(0.0) {
        let got = material.respond([1.0, 0.0, 0.0, 1.0], Plane::Strain);
        assert_close(got.A.as_flattened(), hooke.as_flattened(), 1e-14, material.kind().name);
        assert_close(&[got.P, [got.s33, got.energy, 0.0, 0.0]].concat(), &[0.0; 8], 1e-14, material.kind().name);
        let s33 = central_difference(&mut |h| vec![material.s33([1.0 + h, 0.0, 0.0, 1.0], Plane::Strain)], 1e-3);
        assert_close(&s33, &[lambda], 1e-10, material.kind().name);
    }
    // Plane stress by E and ν alone: σ11 = E/(1 − ν²) (ε11 + ν ε22).
    let A = all(0.0)[0].tangent([1.0, 0.0, 0.0, 1.0], Plane::Stress);
    assert_close(&A[0], &[E / (1.0 - NU * NU), 0.0, 0.0, E * NU / (1.0 - NU * NU)], 1e-14, "plane stress");
}

#[test]
fn confined_and_free_stretch_have_their_closed_forms() {
    let (lambda, mu) = lame();
    for s in [0.6f64, 0.8, 1.3, 2.0] {
        let F = [s, 0.0, 0.0, 1.0];
        for material in all(0.0) {
            // P11, P22 of a stretch s with everything else held, by hand from the principal stretches.
            let expected = match material.kind().name {
                "linear" => [(lambda + 2.0 * mu) * (s - 1.0), lambda * (s - 1.0)],
                "kirchhoff" => [(lambda + 2.0 * mu) * s * (s * s - 1.0) / 2.0, lambda * (s * s - 1.0) / 2.0],
                "robust" => [lambda * (1.0 - 1.0 / s) + mu * s * (s * s - 1.0), lambda * (s - 1.0)],
                "neo-hookean" => [mu * (s - 1.0 / s) + 0.5 * lambda * (s * s - 1.0) / s, 0.5 * lambda * (s * s - 1.0)],
                other => panic!("write the closed form of `{other}` here"),
            };
            let P = material.stress(F, Plane::Strain);
            assert_close(&[P[0], P[3]], &expected, 1e-14, material.kind().name);
        }
        // Free sideways: the stretch b across has no stress there.
        let free = |kind: &str, b: f64| {
            let material = Material::new(kind, &[("young", E), ("poisson", NU)]).expect("in range");
            material.stress([s, 0.0, 0.0, b], Plane::Strain)
        };
        // Kirchhoff: λ tr E + 2μ E22 = 0. Neo-Hookean: μ (b² − 1) + λ/2 (s²b² − 1) = 0.
        let b2 = 1.0 - lambda * (s * s - 1.0) / (lambda + 2.0 * mu);
        if b2 > 0.0 {
            let P = free("kirchhoff", b2.sqrt());
            let along = s * (s * s - 1.0) / 2.0 * 4.0 * mu * (lambda + mu) / (lambda + 2.0 * mu);
            assert_close(&[P[0], P[3]], &[along, 0.0], 1e-13, "kirchhoff, free sideways");
        }
        let b2 = (2.0 * mu + lambda) / (2.0 * mu + lambda * s * s);
        let P = free("neo-hookean", b2.sqrt());
        assert_close(&[P[0], P[3]], &[mu * (s - b2 / s), 0.0], 1e-13, "neo-hookean, free sideways");
    }
}

#[test]
fn the_robust_law_meets_its_table_of_states() {
    let Some(table) = ReferenceTable::read("benchmarks/data/hyperelastic_states.csv") else { return };
    let material = Material::new("robust", &[("young", 10.0), ("poisson", 0.3)]).expect("in range");
    let mut seen = 0;
    for row in (0..table.rows.len()).filter(|&row| table.number(row, "F33") == 1.0) {
        let n = |name: &str| table.number(row, name);
        let F = [n("F11"), n("F12"), 0.0, n("F22")];
        let got = material.respond(F, Plane::Strain);
        let expected = [n("P11"), n("P12"), n("P21"), n("P22"), n("sig33"), n("W")];
        // F has twelve digits in the table and stiffness is of order ten.
        assert_close(&[&got.P[..], &[got.s33, got.energy]].concat(), &expected, 1e-10, &format!("row {row}"));
        seen += 1;
    }
    assert!(seen >= 18, "{seen} states of plane strain");
}

#[test]
fn viscous_slopes_are_those_of_the_stress() {
    let mut random = Random::new(14);
    for material in all(0.7) {
        for _ in 0..10 {
            let (F, Fdot) = (state(&mut random, 0.3), state(&mut random, 2.0));
            let got = material.viscous(F, Fdot).expect("viscous");
            if !material.is_small_strain() {
                let half = times(turned(Fdot), F);
                let S: [f64; 4] = std::array::from_fn(|k| 0.7 * (half[k] + turned(half)[k]));
                assert_close(&got.P, &times(F, S), 1e-14, "by matrices");
            }
            for k in 0..4 {
                let stress = |F, Fdot| material.viscous(F, Fdot).expect("viscous").P.to_vec();
                let by_F = central_difference(&mut |h| stress(moved(F, k, h), Fdot), 1e-2);
                let by_Fdot = central_difference(&mut |h| stress(F, moved(Fdot, k, h)), 1e-2);
                assert_close(&got.by_F.map(|row| row[k]), &by_F, 1e-11, material.kind().name);
                assert_close(&got.by_Fdot.map(|row| row[k]), &by_Fdot, 1e-11, material.kind().name);
            }
        }
    }
    assert!(all(0.0).iter().all(|m| m.viscous([1.0, 0.0, 0.0, 1.0], [1.0; 4]).is_none()));
}

#[test]
fn viscous_stress_loses_energy_and_does_not_see_a_spin() {
    let mut random = Random::new(15);
    for material in all(0.7) {
        let (F, Fdot) = (state(&mut random, 0.3), state(&mut random, 2.0));
        let P = material.viscous(F, Fdot).expect("viscous").P;
        assert!(P.iter().zip(Fdot).map(|(p, f)| p * f).sum::<f64>() > 0.0, "{}", material.kind().name);
        let F = if material.is_small_strain() { [1.0, 0.0, 0.0, 1.0] } else { F };
        let spin = times([0.0, -2.0, 2.0, 0.0], F);
        assert_close(&material.viscous(F, spin).expect("viscous").P, &[0.0; 4], 1e-14, material.kind().name);
    }
}

#[test]
fn bad_numbers_are_named() {
    let said = |kind: &str, given: &[(&str, f64)]| Material::new(kind, given).expect_err("must be refused").to_string();
    assert_eq!(said("jelly", &[]), "no material `jelly`; hint: one of linear, kirchhoff, robust, neo-hookean");
    assert_eq!(said("robust", &[("young", 1.0)]), "material `robust` needs `poisson`");
    assert_eq!(said("robust", &[("young", -1.0), ("poisson", 0.3)]), "`young` is -1 Pa; hint: it must be above 0 Pa");
    assert!(said("linear", &[("young", 1.0), ("poisson", 0.5)]).contains("at most 0.499999"));
    assert!(said("linear", &[("young", 1.0), ("poisson", f64::NAN)]).contains("`poisson` is NaN"));
    let text = said("linear", &[("bulk", 1.0)]);
    assert_eq!(text, "material `linear` has no number `bulk`; hint: one of young, poisson, viscosity, density");
    let given = [("young", 1.0), ("poisson", 0.2), ("density", 3.0)];
    let linear = Material::new("linear", &given).expect("in range");
    assert_eq!((linear.density(), linear.viscosity()), (3.0, 0.0));
    assert!(linear.allows(Plane::Stress) && all(0.0)[1..].iter().all(|m| !m.allows(Plane::Stress)));
    assert!(!all(0.1)[0].allows(Plane::Stress));
}
