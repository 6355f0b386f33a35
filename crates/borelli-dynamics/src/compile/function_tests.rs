//! Tests of units in functions: what a file says with units is the same function as what it says without.

use crate::compile;
use borelli_math::Dual;
use borelli_math::function::Function;
use borelli_model::Model;
use std::io::{Error, ErrorKind};

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
fn a_bare_number_that_its_unit_takes_beyond_all_numbers_is_refused() {
    let turns = "value_unit = \"rev\"\nargument_unit = \"rev\"\n";
    let of = |kind: &str, large: &str| parameters(&format!("type = \"{kind}\"\n{turns}{}", large.replace("LARGE", "1e308")));
    let refused = [
        ("constant", "constant = LARGE"),
        ("polynomial", "coefficients = [LARGE, 1]"),
        ("polynomial", "coefficients = [1, 2]\norigin = -LARGE"),
        ("sine", "amplitude = LARGE\nfrequency = 1"),
        ("sine", "amplitude = 1\nfrequency = 1\noffset = LARGE"),
        ("fourier", "period = LARGE"),
        ("fourier", "period = 1\nmean = LARGE"),
        ("fourier", "period = 1\nsines = [1, LARGE]"),
        ("table", "x = [0, 1, 2]\ny = [0, LARGE, 2]"),
        ("table", "x = [0, 1, LARGE]\ny = [0, 1, 2]"),
    ];
    for (kind, large) in refused {
        assert_eq!(of(kind, large), Err(vec!["not-finite"]), "{kind}: {large}");
        if kind != "table" {
            assert!(of(kind, &large.replace("LARGE", "1e300")).is_ok(), "{kind}: {large}");
        }
    }
    // Per unit of the argument: a small unit makes the number large.
    let per = |rest: &str| parameters(&format!("argument_unit = \"deg\"\n{rest}"));
    assert_eq!(per("type = \"sine\"\namplitude = 1\nfrequency = 1e308"), Err(vec!["not-finite"]));
    assert_eq!(per("type = \"polynomial\"\ncoefficients = [0, 1e308]"), Err(vec!["not-finite"]));
    assert!(per("type = \"polynomial\"\ncoefficients = [0, 1e300]").is_ok());
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

const CSV: &str = "time [s],knee [deg],bare,length [mm],lost,turns\n0,0,0,10,1,0.5\n0.1,30,0.3,20,,1\n0.25,45,0.4,25,2,2\n0.4,20,0.2,15,3,4\n0.7,-10,0,5,4,8\n";
const MOT: &str =
    "walk\nversion=1\nnRows=5\nnColumns=2\ninDegrees=yes\nendheader\ntime\tknee\n0\t0\n0.1\t30\n0.25\t45\n0.4\t20\n0.7\t-10\n";

/// Files beside the model of a test.
fn files(path: &str) -> Result<Vec<u8>, Error> {
    match path {
        "lab/walk.csv" => Ok(CSV.into()),
        "lab/walk.mot" => Ok(MOT.into()),
        "lab/walk.sto" => Ok(MOT.replace("yes", "no").into()),
        "lab/broken.csv" => Ok("time,a\n0,x\n".into()),
        "lab/rounded.csv" => Ok("frame,time_s,knee_deg\n1,0,0\n2,0.014,10\n3,0.029,20\n4,0.043,30\n".into()),
        _ => Err(Error::new(ErrorKind::NotFound, "no such file")),
    }
}

/// A model in the folder `lab` with a function as a guide of an angle; `use_as` puts it elsewhere.
fn guided(function: &str, use_as: &str) -> Result<crate::System, Vec<&'static str>> {
    let rod = ROD.replace("type = \"function\"", "type = \"hinge\"").replace("angle = \"f\"\n[function.f]\n", "");
    let text = format!("{rod}{use_as}\n[function.f]\n{function}");
    let codes = |rejected: borelli_model::Rejected| rejected.findings.iter().map(|f| f.code).collect::<Vec<_>>();
    compile(&Model::parse_with("lab/a.toml", &text, &files).map_err(codes)?).map_err(codes)
}

const GUIDE: &str = "[guide.g]\ntype = \"coordinate\"\ncoordinate = \"pivot\"\nfunction = \"f\"";

#[test]
fn a_column_of_a_file_is_the_table_that_could_have_been_typed() {
    let degree = std::f64::consts::PI / 180.0;
    let y: Vec<String> = [0.0, 30.0, 45.0, 20.0, -10.0].iter().map(|y| (y * degree).to_string()).collect();
    for interpolation in ["linear", "spline", "natural", "pchip", "akima", "makima", "simm", "quintic"] {
        let rest = format!("interpolation = \"{interpolation}\"\noutside = \"tangent\"");
        let guide = if interpolation == "linear" { "" } else { GUIDE };
        let typed =
            guided(&format!("type = \"table\"\nx = [0, 0.1, 0.25, 0.4, 0.7]\ny = [{}]\n{rest}", y.join(", ")), guide).expect("typed");
        let column = guided(&format!("type = \"table\"\nfile = \"walk.csv\"\ncolumn = \"knee\"\n{rest}"), guide).expect("column");
        for t in [-0.3, 0.0, 0.05, 0.33, 0.7, 1.1] {
            let (a, b) = (typed.numbers.functions[0].eval(t), column.numbers.functions[0].eval(t));
            assert!((0..3).all(|k| (a[k] - b[k]).abs() < 1e-12 * (1.0 + a[k].abs())), "{interpolation} {t}: {a:?} {b:?}");
        }
        let read: Vec<&str> = column.sources.data().map(|(path, _)| path).collect();
        assert_eq!(read, ["lab/walk.csv"]);
    }
}

#[test]
fn a_known_rate_makes_rounded_times_even() {
    let table = "type = \"table\"\nfile = \"rounded.csv\"\ncolumn = \"knee\"\n";
    let system = guided(&format!("{table}rate = \"69.9 Hz\""), GUIDE).expect("even");
    // A straight line through even times; through rounded ones it would bend.
    let [_, rate, accel, ..] = system.numbers.functions[0].eval(0.02);
    assert!((rate - 699.0_f64.to_radians()).abs() < 1e-9 && accel.abs() < 1e-8, "{rate} {accel}");
    let rounded = guided(table, GUIDE).expect("as printed");
    assert!(rounded.numbers.functions[0].eval(0.02)[2].abs() > 1.0);
}

#[test]
fn a_file_in_degrees_is_in_degrees_where_an_angle_is_wanted() {
    let degree = std::f64::consts::PI / 180.0;
    let table = "type = \"table\"\nfile = \"walk.mot\"\ncolumn = \"knee\"\n";
    let system = guided(table, GUIDE).expect("an angle");
    let value = |t: f64, k: usize| system.numbers.functions[k].eval(t)[0];
    // The table as it stands, which nobody uses, and the one in radians.
    assert!((value(0.25, 0) - 45.0).abs() < 1e-12 && (value(0.25, 1) - 45.0 * degree).abs() < 1e-15);
    assert_eq!(system.numbers.functions.len(), 2);
    // Used twice as an angle it is made once.
    let twice = format!("{GUIDE}\n[guide.h]\ntype = \"orientation\"\nbody = \"rod\"\nangle = \"f\"");
    assert_eq!(guided(table, &twice).map(|system| system.numbers.functions.len()), Ok(2));
    // As a length it is what it says.
    let point = "[guide.p]\ntype = \"point\"\npoint = \"rod\"\nx = \"f\"";
    let system = guided(table, point).expect("a length");
    assert!(system.numbers.functions.len() == 1 && (system.numbers.functions[0].eval(0.25)[0] - 45.0).abs() < 1e-12);
    // A declared unit says it all; one that contradicts the file is refused.
    let declared = guided(&format!("{}value_unit = \"deg\"", table), GUIDE).expect("degrees");
    assert!(declared.numbers.functions.len() == 1 && (declared.numbers.functions[0].eval(0.25)[0] - 45.0 * degree).abs() < 1e-15);
    assert_eq!(guided(&format!("{}value_unit = \"rad\"", table), GUIDE).expect_err("contradiction"), ["column-unit"]);
    // Without degrees in the header, 45 is no angle.
    assert_eq!(guided(&table.replace("walk.mot", "walk.sto"), GUIDE).expect_err("bare"), ["function-unit"]);
}

#[test]
fn faults_of_tables_in_files_have_their_codes() {
    let cases = [
        ("file = \"gone.csv\"\ncolumn = \"knee\"", "missing-data-file"),
        ("file = \"walk.xyz\"\ncolumn = \"knee\"", "bad-data-file"),
        ("file = \"broken.csv\"\ncolumn = \"a\"", "bad-data-file"),
        ("file = \"walk.csv\"\ncolumn = \"kneee\"", "unknown-data-column"),
        ("file = \"walk.csv\"\ncolumn = \"bare\"\nargument = \"tim\"", "unknown-data-column"),
        ("file = \"walk.csv\"\ncolumn = \"lost\"", "column-has-gaps"),
        ("file = \"walk.csv\"\ncolumn = \"length\"", "function-unit"),
        ("file = \"walk.csv\"\ncolumn = \"length\"\nvalue_unit = \"deg\"", "column-unit"),
        ("file = \"walk.csv\"\ncolumn = \"bare\"\nargument = \"length\"", "bad-table"),
        ("file = \"walk.csv\"\ncolumn = \"bare\"\nx = [0, 1]", "table-twice"),
        ("file = \"walk.csv\"", "missing-field"),
        ("column = \"bare\"\nx = [0, 1]\ny = [0, 1]", "missing-field"),
        ("y = [0, 1]", "missing-field"),
        ("rate = \"60 Hz\"\nx = [0, 1]\ny = [0, 1]", "missing-field"),
        ("file = \"walk.csv\"\ncolumn = \"knee\"\nrate = \"60 Hz\"", "not-the-rate"),
    ];
    for (fields, code) in cases {
        assert_eq!(guided(&format!("type = \"table\"\n{fields}"), GUIDE).expect_err(fields), [code], "{fields}");
    }
    // Other faults of the model are found as well.
    let both = guided("type = \"table\"\nfile = \"gone.csv\"\ncolumn = \"a\"", &GUIDE.replace("pivot", "pivott")).expect_err("two faults");
    assert_eq!(both, ["unknown-coordinate", "missing-data-file"]);
    // A column without a unit takes the declared one, and another column than time may be the argument.
    let system = guided("type = \"table\"\nfile = \"walk.csv\"\ncolumn = \"turns\"\nvalue_unit = \"rev\"", GUIDE).expect("turns");
    assert!((system.numbers.functions[0].eval(0.1)[0] - std::f64::consts::TAU).abs() < 1e-12);
}

#[test]
fn a_table_written_in_place_may_stand_in_a_file() {
    let inline = "function = { type = \"table\", file = \"walk.csv\", column = \"knee\" }";
    let system = guided("type = \"constant\"\nconstant = 1", &GUIDE.replace("function = \"f\"", inline)).expect("in place");
    assert!((system.numbers.functions[1].eval(0.25)[0] - 45f64.to_radians()).abs() < 1e-15);
}
