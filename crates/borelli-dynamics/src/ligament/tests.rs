//! Tests of ligaments: reference numbers, the ways to write them, references at the start.

use crate::compile;
use crate::force::Along;
use crate::formulation::articulated::Articulated;
use crate::formulation::{Evaluation, Formulation, Input};
use crate::scene::{Inner, Inside, Now};
use crate::system::System;
use borelli_model::Model;
use borelli_testkit::reference::ReferenceTable;

/// A slider whose coordinate is the length of a path with a ligament.
fn ligament(fields: &str, length: f64) -> System {
    let text = format!(
        "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[body.a]\nmass = 1\ninertia = 1\n\
         [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\naxis = [1, 0]\n\
         [path.p]\npoints = [\"world\", \"a\"]\n[ligament.l]\npath = \"p\"\n{fields}\n[initial]\ncoordinates = {{ x = {length} }}\n"
    );
    compile(&Model::parse("ligament.toml", &text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

/// Force, strain and energy at a length and rate.
fn reported(system: &System, length: f64, rate: f64) -> [f64; 3] {
    let mut out = Evaluation::new(system);
    let input = Input { t: 0.0, q: &[length], v: &[rate], inside: Inside::NONE, tau: &[0.0] };
    Articulated::new(system).evaluate(system, input, &mut out).expect("an evaluation");
    assert!((out.vdot[0] + out.lines.tension[0]).abs() < 1e-12 * (1.0 + out.lines.tension[0]), "the mass of 1 kg is pulled");
    [out.output[0], out.output[1], out.output[2]]
}

/// Table 7.9 of the specification of muscles, printed with twelve digits.
#[test]
fn forces_and_energies_are_those_of_the_table() {
    let Some(table) = ReferenceTable::read("benchmarks/data/muscle_ligament.csv") else { return };
    let fields = "stiffness = \"2400 N\"\nslack_length = \"41 mm\"\ntransition = 0.06\n";
    let damped = ligament(&format!("{fields}damping = \"30 N s\"\nkind = \"lengthening\""), 0.04);
    let still = ligament(&format!("{fields}kind = \"none\""), 0.04);
    for row in 0..table.rows.len() {
        let [length, rate, strain, force, energy, damping] =
            ["length_m", "rate_mps", "strain", "elastic_force_N", "energy_J", "damping_force_lengthening_only_N"]
                .map(|n| table.number(row, n));
        let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-10 * (1.0 + y.abs()), "row {row}: {x} {y}");
        let [elastic, own, stored] = reported(&still, length, rate);
        near(elastic, force);
        near(own, strain);
        near(stored, energy);
        near(reported(&damped, length, rate)[0], force + damping);
    }
}

#[test]
fn all_ways_to_write_a_ligament_agree() {
    // k = 4165 N, L₀ = 33.32 mm; k_L = k/L₀ = 125 N/mm, K₁ = k/(2 ε_t L₀²).
    let (k, slack, toe) = (4165.0, 0.03332, 0.06);
    let k1 = k / (2.0 * toe * slack * slack);
    let start = slack * 1.04;
    let force = k * 0.04 * 0.04 / (2.0 * toe);
    let ways = [
        format!("stiffness = {k}\nslack_length = {slack}"),
        format!("stiffness_length = {}\nslack_length = {slack}", k / slack),
        format!("toe = {k1}\nlinear = {}", k / slack),
        format!("stiffness = {k}\nreference_strain = 0.04"),
        format!("stiffness = {k}\nreference_force = {force}"),
        format!("stiffness_length = {}\nreference_force = {force}", k / slack),
        format!("stiffness_length = {}\nreference_strain = 0.04", k / slack),
    ];
    for way in ways {
        let system = ligament(&format!("{way}\ndamping = \"0.5 N s/mm\""), start);
        for strain in [-0.1, 0.01, 0.04, 0.06, 0.11] {
            for rate in [-0.02, 0.0, 0.05] {
                let elastic = if strain <= 0.0 {
                    0.0
                } else if strain <= toe {
                    k * strain * strain / (2.0 * toe)
                } else {
                    k * (strain - 0.5 * toe)
                };
                let expected = (elastic + 500.0 * (strain / toe).clamp(0.0, 1.0) * rate).max(0.0);
                let [found, own, _] = reported(&system, slack * (1.0 + strain), rate);
                assert!((found - expected).abs() < 1e-9 * k && (own - strain).abs() < 1e-12, "{way}: {strain} {rate}: {found} {expected}");
            }
        }
    }
}

#[test]
fn a_reference_force_in_the_line_is_met_at_the_start() {
    for force in [0.0, 40.0, 900.0] {
        for stiffness in ["stiffness = 4165", "stiffness_length = 125000"] {
            let system = ligament(&format!("{stiffness}\nreference_force = {force}"), 0.05);
            let found = reported(&system, 0.05, 0.0)[0];
            assert!((found - force).abs() < 1e-9 * (1.0 + force), "{stiffness}: {found} {force}");
            let slack = system.parameters.iter().find(|p| p.path == "ligament.l.slack_length").expect("a parameter");
            assert!(slack.value <= 0.05 && slack.value > 0.03);
        }
    }
}

#[test]
fn the_force_is_the_slope_of_the_energy() {
    let system = ligament("stiffness = 2000\nslack_length = 0.05\nkind = \"none\"", 0.05);
    let law = &system.numbers.forces.ligament[0].item;
    for length in [0.049, 0.0507, 0.052, 0.0561] {
        let h = 1e-7;
        let slope = (law.elastic(length + h)[1] - law.elastic(length - h)[1]) / (2.0 * h);
        assert!((slope - law.elastic(length)[0]).abs() < 1e-5, "{length}: {slope}");
    }
    let now = Now { numbers: &system.numbers, t: 0.0, inside: Inside::NONE };
    let answer = law.answer(Along { x: f64::NAN, rate: 0.0 }, &now, &mut Inner::new(&system.numbers));
    assert!(answer.force.is_nan(), "what is not a number stays so");
}

#[test]
fn the_slack_length_follows_its_reference_when_that_is_set() {
    let slack_of = |system: &System| system.parameters.iter().find(|p| p.path == "ligament.l.slack_length").expect("a parameter").value;
    for stiffness in ["stiffness = 4165", "stiffness_length = 125000"] {
        for (field, number, step) in [("reference_strain", 0.04, 1e-4), ("reference_force", 40.0, 0.1), ("reference_force", 400.0, 0.1)] {
            let mut system = ligament(&format!("{stiffness}\n{field} = {number}"), 0.05);
            let slot = system.parameter(&format!("ligament.l.{field}")).expect("the reference is a parameter");
            let (slack, slope) = system.follows_reference(slot).expect("a slack length that follows");
            assert_eq!(system.parameters[slack].path, "ligament.l.slack_length");
            let mut at = |value: f64| {
                let mut values = system.values();
                values[slot] = value;
                system.refill(&values);
                let kept = slack_of(&system);
                system.resolve_references(|_, _| false);
                assert_eq!(slack_of(&system), kept, "nothing was wanted");
                system.resolve_references(|_, reference| reference == format!("ligament.l.{field}"));
                slack_of(&system)
            };
            let fresh = |value: f64| slack_of(&ligament(&format!("{stiffness}\n{field} = {value}"), 0.05));
            assert_eq!(at(1.5 * number), fresh(1.5 * number), "{stiffness} {field}");
            let difference = (at(number + step) - at(number - step)) / (2.0 * step);
            assert!((slope - difference).abs() < 1e-5 * slope.abs(), "{stiffness} {field}: {slope} {difference}");
        }
    }
    assert_eq!(ligament("stiffness = 4165\nslack_length = 0.04", 0.05).follows_reference(0), None);
}

/// Damping of the kind `ramp` never makes a ligament push: force while it shortens fast, and what is left of the damping while it lengthens.
#[test]
fn a_damped_ligament_never_pushes() {
    let system = ligament("stiffness = 2400\nslack_length = 0.041\ntransition = 0.06\ndamping = 500", 0.04);
    for (strain, share) in [(0.03, 0.5), (0.09, 1.0)] {
        let length = 0.041 * (1.0 + strain);
        let still = reported(&system, length, 0.0)[0];
        let forces = [-10.0, -0.01, 0.01].map(|rate| reported(&system, length, rate)[0]);
        let expected = [0.0, still - 5.0 * share, still + 5.0 * share];
        forces.iter().zip(expected).for_each(|(found, expected)| assert!((found - expected).abs() < 1e-9, "{found} {expected}"));
    }
}
