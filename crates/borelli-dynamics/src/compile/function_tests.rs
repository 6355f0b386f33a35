//! Tests of units in functions: what a file says with units is the same function as what it says without.

use crate::compile;
use borelli_math::Dual;
use borelli_math::function::Function;
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
        ("type = \"sine\"\namplitude = \"5 deg\"\noffset = 2\nfrequency = 1", "mixed-units"),
        ("type = \"polynomial\"\ncoefficients = [\"1 deg\", 2]", "mixed-units"),
        ("type = \"fourier\"\nperiod = 360\ncosines = [\"1 deg\", \"2 deg\"]", "function-unit"),
        ("type = \"table\"\nx = [0, \"30 deg\", 1]\ny = [0, 1, 2]", "mixed-units"),
        ("type = \"sine\"\nargument_unit = \"rad\"\namplitude = \"5 deg\"\nfrequency = \"2 Hz\"", "wrong-unit"),
    ];
    for (function, code) in wrong {
        assert_eq!(parameters(function).expect_err(function), [code], "{function}");
    }
    let right = parameters("type = \"sine\"\nargument_unit = \"deg\"\namplitude = \"5 deg\"\nfrequency = \"0.25 1/rad\"").expect("read");
    assert!(right.contains(&("frequency".to_string(), 0.25)), "{right:?}");
}

/// A function of time with values in an angle, ready to be asked.
fn of_time(function: &str) -> Function<f64> {
    let rod = ROD.replace("type = \"function\"", "type = \"hinge\"").replace("angle = \"f\"\n", "");
    let guide = "[guide.g]\ntype = \"coordinate\"\ncoordinate = \"pivot\"\nfunction = \"f\"\n[function.f]\n";
    let text = format!("{}{guide}{function}", rod.replace("[function.f]\n", ""));
    let model = Model::parse("a.toml", &text).unwrap_or_else(|rejected| panic!("{rejected}"));
    let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
    system.numbers.functions[0].clone()
}

#[test]
fn every_type_of_function_says_the_same_in_degrees_of_milliseconds_and_in_si() {
    let degree = std::f64::consts::PI / 180.0;
    let units = "value_unit = \"deg\"\nargument_unit = \"ms\"\n";
    let pairs = [
        ("constant", "constant = 25".to_string(), format!("constant = {}", 25.0 * degree)),
        (
            "polynomial",
            "origin = 40\ncoefficients = [9, 0.2, -0.003, 0.00001]".into(),
            format!("origin = 0.04\ncoefficients = [{}, {}, {}, {}]", 9.0 * degree, 200.0 * degree, -3e3 * degree, 1e4 * degree),
        ),
        (
            "sine",
            "amplitude = 12\nfrequency = 0.0015\nphase = \"20 deg\"\noffset = -4".into(),
            format!("amplitude = {}\nfrequency = 1.5\nphase = {}\noffset = {}", 12.0 * degree, 20.0 * degree, -4.0 * degree),
        ),
        (
            "fourier",
            "period = 800\nmean = 3\ncosines = [5, -2]\nsines = [1, 0.5, 4]".into(),
            format!(
                "period = 0.8\nmean = {}\ncosines = [{}, {}]\nsines = [{}, {}, {}]",
                3.0 * degree,
                5.0 * degree,
                -2.0 * degree,
                degree,
                0.5 * degree,
                4.0 * degree
            ),
        ),
        (
            "table",
            "x = [0, 100, 250, 400, 700]\ny = [0, 30, 45, 20, -10]".into(),
            format!("x = [0, 0.1, 0.25, 0.4, 0.7]\ny = [0, {}, {}, {}, {}]", 30.0 * degree, 45.0 * degree, 20.0 * degree, -10.0 * degree),
        ),
        ("expression", "expression = \"10*sin(0.007*t) + 3e-7*t^3\"".into(), "expression = \"pi/180*(10*sin(7*t) + 300*t^3)\"".into()),
    ];
    for (kind, scaled, si) in pairs {
        let (a, b) = (of_time(&format!("type = \"{kind}\"\n{units}{scaled}")), of_time(&format!("type = \"{kind}\"\n{si}")));
        for t in [0.013, 0.2, 0.377, 0.64] {
            // A dual carries the third derivative along.
            let x = Dual::<1>::variable(t, 0);
            for (f, g) in a.eval(x).into_iter().zip(b.eval(x)) {
                let same = |f: f64, g: f64| (f - g).abs() <= 1e-11 * g.abs().max(1.0);
                assert!(same(f.re, g.re) && same(f.eps[0], g.eps[0]), "{kind} at {t}: {f:?} {g:?}");
            }
        }
    }
}
