//! Metabolic power: against the reference table, and closed forms at states where terms vanish.

use super::{evaluate, output, rig};
use crate::muscle::curves::Curves;
use crate::muscle::metabolic::{Burning, Metabolic, Model};
use borelli_testkit::reference::ReferenceTable;

const SLOW: f64 = 0.55;

fn power(model: Model, own: &Burning<f64>) -> f64 {
    Metabolic { model, slow: SLOW, output: 0 }.power(own)
}

/// A muscle of 1500 N and 80 mm.
fn burning(excitation: f64, activation: f64, n: f64, speed: f64, [active, passive]: [f64; 2], factor: f64) -> Burning<f64> {
    Burning { excitation, activation, n, speed, active, passive, factor, fibre_length: 0.08, force: 1500.0, fastest: 10.0 }
}

/// Table 7.10 of the specification of muscles: ten states with the forces given, printed with twelve digits.
#[test]
fn metabolic_power_is_that_of_the_table() {
    let Some(table) = ReferenceTable::read("benchmarks/data/muscle_metabolic.csv") else { return };
    for row in 0..table.rows.len() {
        let of = |name: &str| table.number(row, name);
        let forces = [of("active_force_N"), of("passive_force_N")];
        let own =
            burning(of("excitation"), of("activation"), of("norm_fibre_length"), of("fibre_speed_mps"), forces, of("active_length_factor"));
        for (model, name) in [(Model::Umberger, "umberger_W"), (Model::Bhargava, "bhargava_W")] {
            let (found, wanted) = (power(model, &own), of(name));
            assert!((found - wanted).abs() < 1e-9, "row {row}, {name}: {found} {wanted}");
        }
    }
    assert_eq!(table.rows.len(), 10);
}

#[test]
fn metabolic_power_has_its_closed_forms() {
    let mass = 1059.7 * 0.08 * 1500.0 / 0.25e6;
    // At rest and fully excited, at the optimal length: sin = 1, cos = 0.
    let held = burning(1.0, 1.0, 1.0, 0.0, [1500.0, 0.0], 1.0);
    let expected = mass * (40.0 * SLOW + 133.0 * (1.0 - SLOW) + 74.0 * SLOW + 111.0 * (1.0 - SLOW));
    assert!((power(Model::Bhargava, &held) - expected).abs() < 1e-12 * expected);
    let expected = mass * 1.5 * (128.0 * (1.0 - SLOW) + 25.0);
    assert!((power(Model::Umberger, &held) - expected).abs() < 1e-12 * expected);
    // Asleep: the floor of 1 W/kg.
    let idle = burning(0.0, 0.0, 0.9, 0.0, [0.0, 0.0], 0.95);
    for model in [Model::Umberger, Model::Bhargava] {
        assert!((power(model, &idle) - mass).abs() < 1e-12 * mass, "{model:?}");
    }
    // Fast fibres alone that shorten at half their largest speed.
    let short = Burning { speed: -0.4, active: 300.0, ..held };
    let fast = Metabolic { model: Model::Umberger, slow: 0.0, output: 0 };
    let expected = mass * 1.5 * (128.0 + 25.0 + 153.0 * 0.5) + 300.0 * 0.4;
    assert!((fast.power(&short) - expected).abs() < 1e-12 * expected);
    // Passive force gives heat of shortening, but no work of its own.
    let stretched = Burning { passive: 200.0, ..short };
    let expected = mass * (40.0 * SLOW + 133.0 * (1.0 - SLOW) + 74.0 * SLOW + 111.0 * (1.0 - SLOW)) + 0.25 * 500.0 * 0.4 + 300.0 * 0.4;
    assert!((power(Model::Bhargava, &stretched) - expected).abs() < 1e-12 * expected);
    // Excitation that has fallen below activation counts with half of both.
    let falling = burning(0.4, 0.8, 1.0, 0.0, [900.0, 0.0], 1.0);
    let (sin, cos) = (0.2 * std::f64::consts::PI).sin_cos();
    let (slow, quick) = (SLOW * sin, (1.0 - SLOW) * (1.0 - cos));
    let expected = mass * 1.5 * 0.6f64.powf(0.6) * (128.0 * quick / (slow + quick) + 25.0);
    assert!((power(Model::Umberger, &falling) - expected).abs() < 1e-12 * expected);
}

#[test]
fn metabolic_power_is_an_output_of_a_muscle() {
    for (model, word) in [(Model::Umberger, "umberger"), (Model::Bhargava, "bhargava")] {
        let fields = format!(
            "type = \"millard\"\nforce = 1500\nfibre_length = 0.08\ntendon_length = 0.2\npennation = \"10 deg\"\ndamping = 0.1\ntendon = \"rigid\"\n\
             excitation = 0.5\nmetabolic = {{ slow_fibres = {SLOW}, model = \"{word}\" }}"
        );
        let system = rig(&fields, 1.0, "");
        let out = evaluate(&system, &[0.29], &[-0.1], &[0.6]);
        let of = |name: &str| output(&system, &out, name);
        let damping = -of("damping_power") / of("fibre_speed");
        let n = of("fibre_length") / 0.08;
        let factor = super::curves::millard().active(n);
        let own = burning(0.5, 0.6, n, of("fibre_speed"), [of("active_force"), of("passive_force") + damping], factor);
        assert!((of("metabolic_power") - power(model, &own)).abs() < 1e-9, "{word}");
        assert!(of("metabolic_power") > 10.0);
        assert!(system.parameters.iter().any(|p| p.path == "muscle.m.metabolic.slow_fibres"));
    }
}
