//! Tests of units in functions: what a file says with units is the same function as what it says without.

use crate::compile;
use borelli_model::Model;

const ROD: &str = r#"
borelli = 1
dimension = "planar"
[body.rod]
mass = 2
center = [0, -0.25]
inertia = 0.04
[joint.pivot]
type = "function"
parent = "world"
child = "rod"
angle = "f"
[function.f]
"#;

/// Parameters of the function, or the codes of the faults.
fn parameters(function: &str) -> Result<Vec<(String, f64)>, Vec<&'static str>> {
    let model = Model::parse("a.toml", &format!("{ROD}{function}")).map_err(|r| r.findings.iter().map(|f| f.code).collect::<Vec<_>>())?;
    let system = compile(&model).map_err(|r| r.findings.iter().map(|f| f.code).collect::<Vec<_>>())?;
    let of_function = system.parameters.iter().filter(|p| p.path.starts_with("function.f."));
    Ok(of_function.map(|p| (p.path.trim_start_matches("function.f.").to_string(), p.value)).collect())
}

#[test]
fn a_coefficient_with_its_own_unit_is_not_scaled_by_the_units_of_bare_numbers() {
    let bare =
        parameters("type = \"polynomial\"\nargument_unit = \"deg\"\nvalue_unit = \"deg\"\ncoefficients = [9, 2, 0.5]").expect("read");
    let degree = std::f64::consts::PI / 180.0;
    let expected = [9.0 * degree, 2.0, 0.5 / degree];
    let with_units = parameters(
        "type = \"polynomial\"\nargument_unit = \"deg\"\nvalue_unit = \"deg\"\ncoefficients = [\"9 deg\", \"2 deg/deg\", \"0.5 deg/deg^2\"]",
    );
    for list in [bare, with_units.expect("read")] {
        let found: Vec<f64> = list.iter().filter(|(name, _)| name.starts_with("coefficients")).map(|(_, x)| *x).collect();
        assert_eq!(found.len(), 3, "{list:?}");
        found.iter().zip(expected).for_each(|(x, y)| assert!((x - y).abs() <= 1e-15 * y.abs(), "{x} {y}"));
    }
}

#[test]
fn units_of_coefficients_and_frequencies_must_fit_value_and_argument() {
    let wrong = [
        ("type = \"polynomial\"\nvalue_unit = \"deg\"\nargument_unit = \"deg\"\ncoefficients = [0, \"2 deg/s\"]", "wrong-unit"),
        ("type = \"polynomial\"\ncoefficients = [\"1 deg\", \"2 deg/s\"]", "function-unit"),
        ("type = \"polynomial\"\ncoefficients = [\"1 deg\", \"1 deg/rad\", \"2 m\"]", "wrong-unit"),
        ("type = \"sine\"\namplitude = \"5 deg\"\nfrequency = \"2 Hz\"", "function-unit"),
        ("type = \"sine\"\nargument_unit = \"rad\"\namplitude = \"5 deg\"\nfrequency = \"2 Hz\"", "wrong-unit"),
    ];
    for (function, code) in wrong {
        assert_eq!(parameters(function).expect_err(function), [code], "{function}");
    }
    let right = parameters("type = \"sine\"\nargument_unit = \"deg\"\namplitude = \"5 deg\"\nfrequency = \"0.25 1/rad\"").expect("read");
    assert!(right.contains(&("frequency".to_string(), 0.25)), "{right:?}");
}
