//! Curves of all laws: against the reference table, their own slopes and integrals, and the balance that gives the speed.

use crate::muscle::bezier::{Chain, Knot};
use crate::muscle::curves::{Contraction, Curves, with_slope};
use crate::muscle::dgf::{DgfCurves, DgfNumbers};
use crate::muscle::millard::{MillardCurves, MillardNumbers};
use crate::muscle::thelen::{ThelenCurves, ThelenNumbers};
use borelli_math::random::Random;
use borelli_math::{Dual, Real};
use borelli_testkit::reference::reference;

pub(super) fn thelen() -> ThelenCurves<f64> {
    ThelenNumbers::published().curves(0.04)
}

pub(super) fn millard() -> MillardCurves<f64> {
    let mut curves = MillardNumbers::published().curves(0.049);
    curves.settle(None);
    curves
}

pub(super) fn dgf() -> DgfCurves<f64> {
    DgfNumbers::published().curves(0.049)
}

#[test]
fn an_elbow_meets_its_ends_with_their_slopes_and_no_curvature() {
    let knot = |x, y, slope| Knot { x, y, slope };
    let knots = [knot(0.2, 0.1, 0.3), knot(1.1, 0.9, 2.0), knot(1.6, 2.3, 3.5)];
    let chain = Chain::<f64, 2>::new(&knots, [0.7, 0.3]);
    assert!(Chain::<f64, 2>::is_bent_once(&knots));
    for knot in &knots {
        for side in [-1e-9, 1e-9] {
            let [y, slope] = with_slope(|x| chain.at(x), knot.x + side);
            assert!((y - knot.y).abs() < 1e-8 && (slope - knot.slope).abs() < 1e-7, "{knot:?} {y} {slope}");
        }
        // y″ from slopes a little to both sides: with curvature c it would be c, here it falls with the distance.
        let bend = |h: f64| (with_slope(|x| chain.at(x), knot.x + h)[1] - with_slope(|x| chain.at(x), knot.x - h)[1]) / (2.0 * h);
        assert!(bend(1e-4).abs() < 0.15 * bend(1e-3).abs().max(1e-9), "{} {}", bend(1e-4), bend(1e-3));
    }
    let crossed = [knot(0.0, 0.0, 2.0), knot(1.0, 1.0, 2.5)];
    assert!(!Chain::<f64, 1>::is_bent_once(&crossed), "both tangents are steeper than the chord");
}

/// Polynomials against the elbows they were made of, over all elbows and the lines outside.
#[test]
fn pieces_are_the_curve_they_were_made_of() {
    for numbers in [MillardNumbers::published(), MillardNumbers::of_table()] {
        let plain = numbers.curves(0.049);
        let mut settled = plain.clone();
        settled.settle(None);
        assert!(settled.has_good_tables() && !plain.has_good_tables());
        let mut random = Random::new(11);
        let mut worst = 0.0f64;
        for _ in 0..100_000 {
            let (n, lambda) = (random.uniform(0.2, 2.2), random.uniform(0.97, 1.1));
            for (a, b) in plain.all(n, lambda).into_iter().zip(settled.all(n, lambda)) {
                worst = worst.max((a - b).abs());
            }
        }
        assert!(worst < 1e-13, "{worst:e}");
    }
}

/// The integral of a curve by Gauss with many pieces.
fn integral(curve: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let (points, pieces) = ([-0.774_596_669_241_483_4, 0.0, 0.774_596_669_241_483_4], 4000);
    let weights = [5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0];
    let h = (to - from) / pieces as f64;
    let piece = |k: usize| {
        let middle = from + (k as f64 + 0.5) * h;
        points.iter().zip(weights).map(|(x, w)| w * curve(middle + 0.5 * h * x)).sum::<f64>() * 0.5 * h
    };
    (0..pieces).map(piece).sum()
}

/// Slopes against differences, integrals against Gauss, promises at 1, the balance over random states.
fn judge<K: Curves<f64>>(name: &str, curves: &K, strain: f64, damping: f64, least: f64, unit_tendon: bool) {
    let mut random = Random::new(7);
    let difference = |f: &dyn Fn(f64) -> f64, x: f64| {
        let h = 1e-5;
        (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
    };
    let near = |x: f64, y: f64, what: &str| assert!((x - y).abs() <= 1e-7 * (1.0 + y.abs()), "{name}, {what}: {x} {y}");
    for _ in 0..300 {
        // Away from the kink of Thelen's passive force.
        let n = 0.3 + 1.6 * random.uniform(0.0, 1.0);
        let lambda = 1.0 + strain * random.uniform(0.01, 2.0);
        if (n - 1.0).abs() < 1e-3 {
            continue;
        }
        near(with_slope(|x| curves.active(x), n)[1], difference(&|x| curves.active(x), n), "active slope");
        near(with_slope(|x| curves.passive(x), n)[1], difference(&|x| curves.passive(x), n), "passive slope");
        near(with_slope(|x| curves.passive_energy(x), n)[1], curves.passive(n), "passive energy");
        near(with_slope(|x| curves.tendon_energy(x), lambda)[1], curves.tendon(lambda), "tendon energy");
    }
    near(curves.passive_energy(1.5) - curves.passive_energy(1.05), integral(|x| curves.passive(x), 1.05, 1.5), "passive integral");
    let from = 1.0 + 0.1 * strain;
    let area = integral(|x| curves.tendon(x), from, 1.0 + 2.0 * strain);
    near(curves.tendon_energy(1.0 + 2.0 * strain) - curves.tendon_energy(from), area, "tendon integral");
    assert_eq!(curves.tendon(0.97), 0.0, "{name}: a slack tendon");
    assert!((curves.active(1.0) - 1.0).abs() < 1e-2, "{name}: f_L(1)");
    if unit_tendon {
        near(curves.tendon(1.0 + strain), 1.0, "f_T(1 + strain)");
    }
    let part = |a: f64, active: f64| Contraction { activation: a, active, damping };
    assert!((curves.contractile(&part(0.7, 0.9), 0.0) / 0.63 - 1.0).abs() < 1e-12, "{name}: at rest");
    let mut worst = 0.0_f64;
    for _ in 0..100_000 {
        let (a, n) = (random.uniform(least, 1.0), random.uniform(0.4, 1.8));
        let lambda = random.uniform(0.97, 1.0 + 1.5 * strain);
        let a = if random.uniform(0.0, 1.0) < 0.05 { least } else { a };
        let part = part(a, curves.active(n));
        let load = curves.tendon(lambda) / random.uniform(0.3, 1.0) - curves.passive(n);
        // Without damping the speed of a muscle that hardly acts is beyond any number's range.
        if damping == 0.0 && load.abs() > 3.0 * a * part.active {
            continue;
        }
        let nu = curves.speed(&part, load);
        let left = curves.contractile(&part, nu) + damping * nu;
        worst = worst.max((left - load).abs() / (1.0 + load.abs() + damping * nu.abs()));
    }
    assert!(worst < 1e-12, "{name}: {worst:e}");
}

#[test]
fn every_law_passes_the_loop() {
    judge("thelen", &thelen(), 0.04, 0.0, 0.01, true);
    judge("thelen, damped", &thelen(), 0.04, 0.1, 0.0, true);
    judge("millard", &millard(), 0.049, 0.1, 0.0, true);
    judge("dgf", &dgf(), 0.049, 0.01, 0.0, true);
    judge("dgf, undamped", &dgf(), 0.049, 0.0, 0.01, true);
}

/// Slopes of the speed by all that it depends on, against differences.
fn judge_speed<K: Curves<f64>>(name: &str, curves: &K, damping: f64) {
    let mut random = Random::new(11);
    for _ in 0..500 {
        let at = [random.uniform(0.05, 1.0), random.uniform(0.2, 1.0), random.uniform(0.001 + damping, 0.2 + damping), 0.0];
        let at = [at[0], at[1], at[2], at[0] * at[1] * random.uniform(0.1, 1.3)];
        let speed = |x: [f64; 4]| curves.speed(&Contraction { activation: x[0], active: x[1], damping: x[2] }, x[3]);
        let x: [Dual<4>; 4] = std::array::from_fn(|k| Dual::variable(at[k], k));
        let exact = curves.speed(&Contraction { activation: x[0], active: x[1], damping: x[2] }, x[3]);
        assert!((exact.re - speed(at)).abs() < 1e-13 * (1.0 + exact.re.abs()), "{name}");
        for k in 0..4 {
            let h = 1e-6;
            let (mut up, mut down) = (at, at);
            up[k] += h;
            down[k] -= h;
            let difference = (speed(up) - speed(down)) / (2.0 * h);
            assert!((exact.eps[k] - difference).abs() < 2e-5 * (1.0 + difference.abs()), "{name} {k}: {} {difference}", exact.eps[k]);
        }
    }
}

#[test]
fn the_slopes_of_the_speed_are_those_of_the_root() {
    judge_speed("thelen", &thelen(), 0.0);
    judge_speed("millard", &millard(), 0.05);
    judge_speed("dgf", &dgf(), 0.01);
}

/// One line of table 7.1: curve, argument, value, slope, integral.
fn table() -> Option<Vec<(String, String, [f64; 4])>> {
    let text = std::fs::read_to_string(reference("benchmarks/data/muscle_curves.csv")?).expect("the table");
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells.get(k).and_then(|cell| cell.parse().ok()).unwrap_or(f64::NAN);
        (cells[0].to_string(), cells[1].to_string(), [number(2), number(3), number(4), number(5)])
    };
    Some(text.lines().skip(1).map(line).collect())
}

/// Values, slopes and integrals of table 7.1 of the specification of muscles: an independent program, and OpenSim 4.6 beside it. The constants are printed with twelve digits.
#[test]
fn curves_have_the_values_slopes_and_integrals_of_the_table() {
    let Some(table) = table() else { return };
    let other = MillardNumbers::of_table().curves(0.06);
    let (thelen, dgf) = (thelen(), dgf());
    let mut seen = 0;
    for (model, curve, [x, value, slope, area]) in table {
        fn found<K: Curves<f64>>(curves: &K, curve: &str, x: f64, part: &Contraction<f64>) -> [f64; 3] {
            let with = |f: &dyn Fn(Dual<1>) -> Dual<1>, area: f64| {
                let y = f(Dual::variable(x, 0));
                [y.re, y.eps[0], area]
            };
            let dual = Contraction {
                activation: Dual::from_f64(part.activation),
                active: Dual::from_f64(part.active),
                damping: Dual::from_f64(0.0),
            };
            match curve {
                "active" => with(&|x| curves.active(x), f64::NAN),
                "passive" => with(&|x| curves.passive(x), curves.passive_energy(x)),
                "tendon" => with(&|x| curves.tendon(x), curves.tendon_energy(x)),
                _ => {
                    let whole = part.activation * part.active;
                    with(&|x| curves.contractile(&dual, x) * (1.0 / whole), f64::NAN)
                }
            }
        }
        let activation = if model.contains("a0.4") { 0.4 } else { 1.0 };
        let part = Contraction { activation, active: 0.9, damping: 0.0 };
        let [y, dy, integral] = match &model[..3] {
            "the" => found(&thelen, &curve, x, &part),
            "mil" => found(&other, &curve, x, &part),
            _ => found(&dgf, &curve, x, &part),
        };
        // Our tendon does not push: below slack the table has a negative force.
        if model == "dgf" && curve == "tendon" && x < 1.0 {
            continue;
        }
        seen += 1;
        let near = |found: f64, wanted: f64, what: &str| {
            assert!((found - wanted).abs() < 1e-9 * (1.0 + wanted.abs()), "{model} {curve} at {x}, {what}: {found} {wanted}");
        };
        near(y, value, "value");
        if slope.is_finite() {
            near(dy, slope, "slope");
        }
        if area.is_finite() && integral.is_finite() {
            near(integral, area, "integral");
        }
    }
    assert!(seen > 100, "{seen} lines");
}

/// Where the lines beyond the curve of speed have slopes, loads far below and above what it bears are balanced on them.
#[test]
fn speeds_beyond_the_curve_balance_on_its_lines() {
    let curves = MillardNumbers::with_sloping_lines().curves(0.049);
    let part = Contraction { activation: 0.8, active: 0.9, damping: 0.1 };
    for load in [-3.0, -0.2, 0.3, 1.2, 4.0] {
        let nu: f64 = curves.speed(&part, load);
        let force: f64 = curves.contractile(&part, nu);
        assert!((force + part.damping * nu - load).abs() < 1e-13 * (1.0 + load.abs()), "{load} {nu}");
    }
}
