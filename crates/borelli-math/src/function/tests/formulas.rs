//! Formulas: names, values against the same arithmetic in Rust, places of steps, crossings, hostile text.

use super::super::*;
use super::{close, difference};

const NAMES: [&str; 5] = ["time", "coord.hip.value", "coord.left-knee.value", "body.shank_2.x", "/jointset/hip/value"];
const VALUES: [f64; 5] = [0.3, 0.7, -1.1, 2.5, 4.0];

fn number(name: &str) -> Option<usize> {
    NAMES.iter().position(|known| *known == name)
}

fn parse(text: &str) -> Formula {
    Formula::parse(text, &mut number).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn fault(text: &str) -> ExpressionFault {
    Formula::parse(text, &mut number).unwrap_err()
}

#[test]
fn a_formula_has_the_value_of_the_same_arithmetic() {
    let [t, hip, knee, x, far] = VALUES;
    for (text, expected, variables) in [
        ("coord.hip.value - [coord.left-knee.value]", hip - knee, &[1, 2][..]),
        ("coord.hip.value-time", hip - t, &[0, 1]),
        ("body.shank_2.x*body.shank_2.x/time^3", x * x / (t * t * t), &[0, 3]),
        ("[ /jointset/hip/value ] + [time]", far + t, &[0, 4]),
        ("max(atan2(body.shank_2.x, time), 2*pi*.5)", std::f64::consts::PI, &[0, 3]),
        ("sqrt(abs([coord.left-knee.value]))", knee.abs().sqrt(), &[2]),
        ("2 + 3", 5.0, &[]),
    ] {
        let formula = parse(text);
        assert_eq!(formula.eval(&VALUES), expected, "{text}");
        assert_eq!(formula.variables(), variables, "{text}");
    }
}

#[test]
fn a_formula_of_one_variable_is_the_expression() {
    let text = "exp(-x)*sin(3*x)^2 - ln(1 + x^2)/(2 + cos(x)) + x^2.5";
    let (formula, expression) =
        (Formula::parse(text, &mut |name| (name == "x").then_some(0)).expect("a formula"), Expression::parse(text).expect("an expression"));
    for x in [0.0, 0.4, 1.9] {
        assert_eq!(formula.eval(&[x]), expression.derivatives(x)[0]);
    }
}

#[test]
fn the_slope_along_a_direction_is_that_of_the_value() {
    let rates = [1.0, -0.4, 0.8, 0.3, -2.0];
    for text in
        ["coord.hip.value*[coord.left-knee.value]/time", "atan2(body.shank_2.x, [/jointset/hip/value])^2", "time^body.shank_2.x", "3"]
    {
        let formula = parse(text);
        let along = |s: f64| formula.eval(&std::array::from_fn::<f64, 5, _>(|k| VALUES[k] + s * rates[k]));
        let [value, slope] = formula.eval_along(&VALUES, &rates);
        assert_eq!(value, formula.eval(&VALUES), "{text}");
        close(slope, difference(along, 0.0, 1e-3), 1e-10, text);
    }
}

#[test]
fn slopes_by_all_variables_are_those_along_each() {
    let mut memory = Gradient::default();
    for text in [
        "coord.hip.value*[coord.left-knee.value]/time - (time - coord.hip.value)*time",
        "atan2(body.shank_2.x, [/jointset/hip/value])^2 + exp(-time)*sqrt(body.shank_2.x)",
        "time^body.shank_2.x - -abs([coord.left-knee.value])",
        "max(time, coord.hip.value) + min(time, body.shank_2.x)*tanh(coord.hip.value)",
        // Left of zero the root has no slope, but neither does what is under it.
        "sqrt(max([coord.left-knee.value], 0)) + time",
        "[coord.left-knee.value]^2*[coord.left-knee.value]^3",
        "3",
    ] {
        let formula = parse(text);
        let mut slopes = vec![f64::NAN; formula.variables().len()];
        let value = formula.gradient(|k| VALUES[k], |_| true, &mut memory, &mut slopes);
        assert_eq!(value, formula.eval(&VALUES), "{text}");
        for (variable, slope) in formula.variables().iter().zip(&slopes) {
            let mut rates = [0.0; 5];
            rates[*variable] = 1.0;
            close(*slope, formula.eval_along(&VALUES, &rates)[1], 1e-14, text);
        }
        // Those that do not vary have none, and the others keep theirs.
        let mut fewer = slopes.clone();
        formula.gradient(|k| VALUES[k], |k| k != 0, &mut memory, &mut fewer);
        for ((variable, all), some) in formula.variables().iter().zip(&slopes).zip(&fewer) {
            assert_eq!(*some, if *variable == 0 { 0.0 } else { *all }, "{text}");
        }
    }
}

/// Columns of 71 samples, with zeros and what is no number among them: bit for bit the values and slopes of one sample after the other.
#[test]
fn a_formula_over_columns_is_that_of_every_sample() {
    let (mut one, mut lanes) = (Gradient::default(), Lanes::default());
    let sample = |variable: usize, k: usize| match (variable + k) % 23 {
        0 => 0.0,
        1 => f64::NAN,
        _ => (1.7 * variable as f64 + 0.37 * k as f64).sin() * 3.0,
    };
    let columns: Vec<Vec<f64>> = (0..5).map(|variable| (0..71).map(|k| sample(variable, k)).collect()).collect();
    let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { (x + 0.0).to_bits() };
    for text in [
        "coord.hip.value*[coord.left-knee.value]/time - (time - coord.hip.value)*time",
        "atan2(body.shank_2.x, [/jointset/hip/value])^2 + exp(-time)*sqrt(body.shank_2.x)",
        "time^body.shank_2.x - -abs([coord.left-knee.value])",
        "max(time, coord.hip.value)*3 + min(time, body.shank_2.x)*tanh(coord.hip.value)/max(time, 1)",
        "sqrt(max([coord.left-knee.value], 0)) + time",
        "3",
    ] {
        let formula = parse(text);
        for fixed in [9, 0] {
            let varies = |variable: usize| variable != fixed;
            let (mut values, mut found) = (vec![f64::NAN; 71], vec![vec![0.0; 71]; formula.variables().len()]);
            formula.gradient_many(
                |variable| &columns[variable],
                varies,
                &mut lanes,
                &mut values,
                |place, first, slopes| found[place][first..first + slopes.len()].copy_from_slice(slopes),
            );
            let mut alone = vec![f64::NAN; 71];
            formula.eval_many(|variable| &columns[variable], &mut lanes, &mut alone);
            for k in 0..71 {
                let now: [f64; 5] = std::array::from_fn(|variable| columns[variable][k]);
                let mut slopes = vec![f64::NAN; formula.variables().len()];
                let value = formula.gradient(|variable| now[variable], varies, &mut one, &mut slopes);
                assert_eq!([values[k], alone[k]].map(bits), [bits(value); 2], "{text} {k}");
                for (place, slope) in slopes.iter().enumerate() {
                    assert_eq!(bits(found[place][k]), bits(*slope), "{text} {k} {place}");
                }
            }
        }
    }
}

/// Counts leaves and writes each step with its place, as a fold that can fail.
struct Steps<'a>(&'a Formula, Vec<(usize, String)>);

impl Fold for Steps<'_> {
    type Value = usize;
    type Fault = usize;

    fn number(&mut self, step: usize, value: f64) -> Result<usize, usize> {
        self.1.push((self.0.position(step), value.to_string()));
        Ok(1)
    }
    fn variable(&mut self, step: usize, index: usize) -> Result<usize, usize> {
        self.1.push((self.0.position(step), NAMES[index].into()));
        Ok(1)
    }
    fn unary(&mut self, step: usize, unary: Unary, a: usize) -> Result<usize, usize> {
        self.1.push((self.0.position(step), unary.name().into()));
        Ok(a)
    }
    fn binary(&mut self, step: usize, binary: Binary, a: usize, b: usize) -> Result<usize, usize> {
        self.1.push((self.0.position(step), format!("{binary:?}")));
        if binary == Binary::Divide { Err(self.0.position(step)) } else { Ok(a + b) }
    }
}

#[test]
fn a_fold_visits_every_step_and_knows_its_place() {
    let formula = parse("-sin(time) + 2*3*coord.hip.value");
    let mut steps = Steps(&formula, Vec::new());
    assert_eq!(formula.fold(&mut steps), Ok(3));
    let expected =
        [(5, "time"), (1, "sin"), (0, "-"), (13, "6"), (17, "coord.hip.value"), (16, "Multiply"), (11, "Add")].map(|(p, s)| (p, s.into()));
    assert_eq!(steps.1, expected);
    let divided = parse("time + min(time / 2, 3)");
    assert_eq!(divided.fold(&mut Steps(&divided, Vec::new())), Err(16));
}

#[test]
fn a_fault_says_which_name_and_where() {
    let unknown = |position, name: &str, whole: Option<&str>| ExpressionFault::UnknownVariable {
        position,
        name: name.into(),
        hyphenated: whole.map(String::from),
    };
    for (text, expected) in [
        ("1 + coord.toe.value", unknown(4, "coord.toe.value", None)),
        ("coord.left-knee.value", unknown(0, "coord.left", Some("coord.left-knee.value"))),
        ("time - coord.a-b.value*2", unknown(7, "coord.a", Some("coord.a-b.value"))),
        ("coord.toe.value-1", unknown(0, "coord.toe.value", None)),
        ("coord.toe.value - time", unknown(0, "coord.toe.value", None)),
        ("[nothing]", unknown(0, "nothing", None)),
        ("x", unknown(0, "x", None)),
        ("2*log(time)", ExpressionFault::UnknownFunction { position: 2, name: "log".into() }),
        ("2*[time", ExpressionFault::Unexpected { position: 2, found: "`[`".into(), expected: "a name closed by `]`" }),
        ("time.", ExpressionFault::Unexpected { position: 4, found: "`.`".into(), expected: "an operator or the end" }),
        ("time > 1", ExpressionFault::Unexpected { position: 5, found: "`>`".into(), expected: "an operator or the end" }),
    ] {
        assert_eq!(fault(text), expected, "{text}");
        assert!(fault(text).to_string().contains("\n  hint: "));
    }
    assert!(fault("coord.left-knee.value").to_string().ends_with("in brackets, [coord.left-knee.value]"));
    assert!(fault("log(time)").to_string().ends_with("sqrt abs min max atan2"));
}

#[test]
fn a_crossing_is_a_difference_with_a_sense() {
    let crossing = |text: &str| Crossing::parse(text, &mut number).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    for (text, value, sense) in [
        ("coord.hip.value > 0.5", 0.7 - 0.5, Sense::Rising),
        ("time < coord.hip.value + 1", 0.3 - 1.7, Sense::Falling),
        ("time - 1", -0.7, Sense::Either),
    ] {
        let found = crossing(text);
        assert_eq!((found.formula.eval(&VALUES), found.sense), (value, sense), "{text}");
    }
    for text in ["time > 1 > 2", "time >= 1", "> 1", "time <", "(time < 1)"] {
        assert!(matches!(Crossing::parse(text, &mut number), Err(ExpressionFault::Unexpected { .. })), "{text}");
    }
}

#[test]
fn random_text_never_panics() {
    let pieces =
        ["time", "coord.hip.value", ".", "[", "]", "-", "(", ")", "<", "min(", ",", "1", "a.b", "\u{e9}", " ", "[time]", "-é", "_"];
    let mut random = crate::random::Random::new(7);
    let mut accepted = 0;
    for k in 0..20_000 {
        let text: String = (0..1 + k % 5).map(|_| pieces[random.uniform(0.0, pieces.len() as f64) as usize]).collect();
        if let Ok(crossing) = Crossing::parse(&text, &mut number) {
            accepted += 1;
            crossing.formula.eval(&VALUES);
        }
    }
    assert!(accepted > 50, "{accepted}");
}
