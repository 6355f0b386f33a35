//! Every target against dense samples of its curve, taken by formulas of the tests' own.

use super::*;
use crate::contact::Contact;
use borelli_math::random::Random;
use borelli_testkit::count_allocations;
use std::f64::consts::{PI, TAU};

/// A target with its curve: a point for a fraction of the way from 0 to 1, and the fraction for a parameter of the target.
struct Example {
    target: Target,
    curve: Box<dyn Fn(f64) -> [f64; 2]>,
    fraction: fn(f64) -> f64,
    /// Whether a point is inside the rigid body.
    inside: Box<dyn Fn([f64; 2]) -> bool>,
}

/// A bean: not convex, and points of one segment have several feet on it.
fn bean() -> Vec<[f64; 2]> {
    (0..BEAN)
        .map(|k| {
            let angle = TAU * k as f64 / BEAN as f64;
            let radius = 1.0 + 0.45 * (2.0 * angle).cos() + 0.1 * (3.0 * angle).sin();
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect()
}
const BEAN: usize = 14;

/// Cubic Hermite basis with tangents along the way between neighbours, closed.
fn through(points: &[[f64; 2]], alpha: f64, at: f64) -> [f64; 2] {
    let n = points.len();
    let k = (at.floor() as usize).min(n - 1);
    let (x, p) = (at - k as f64, |i: usize| points[(k + n + i - 1) % n]);
    let basis = [1.0 - 3.0 * x * x + 2.0 * x * x * x, x - 2.0 * x * x + x * x * x, 3.0 * x * x - 2.0 * x * x * x, x * x * x - x * x];
    [0, 1]
        .map(|i| basis[0] * p(1)[i] + basis[1] * alpha * (p(2)[i] - p(0)[i]) + basis[2] * p(2)[i] + basis[3] * alpha * (p(3)[i] - p(1)[i]))
}

/// Crossings of a ray with a polygon.
fn in_polygon(polygon: &[[f64; 2]], p: [f64; 2]) -> bool {
    let mut inside = false;
    for k in 0..polygon.len() {
        let (a, b) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) {
            inside = !inside;
        }
    }
    inside
}

fn examples() -> Vec<Example> {
    let mut list = Vec::new();
    list.push(Example {
        target: Line::between([-9.0, -2.0], [9.0, 4.0]).expect("a line").into(),
        curve: Box::new(|f| [-9.0 + 18.0 * f, -2.0 + 6.0 * f]),
        fraction: |at| at / 360f64.sqrt(),
        inside: Box::new(|p| 18.0 * (p[1] + 2.0) - 6.0 * (p[0] + 9.0) > 0.0),
    });
    for side in [Side::Solid, Side::Cavity] {
        let within = move |inside: bool| inside == (side == Side::Solid);
        list.push(Example {
            target: Circle::new([0.3, -0.2], 1.3, side).expect("a circle").into(),
            curve: Box::new(|f| [0.3 + 1.3 * (TAU * f).cos(), -0.2 + 1.3 * (TAU * f).sin()]),
            fraction: |at| at / TAU,
            inside: Box::new(move |p| within((p[0] - 0.3).powi(2) + (p[1] + 0.2).powi(2) < 1.69)),
        });
        for (a, b) in [(1.5, 0.4), (0.7, 1.2)] {
            let local = |f: f64, a: f64, b: f64| {
                let (x, y) = (a * (TAU * f).cos(), b * (TAU * f).sin());
                [0.1 + x * 0.6 - y * 0.8, 0.2 + x * 0.8 + y * 0.6]
            };
            list.push(Example {
                target: Ellipse::new([0.1, 0.2], [a, b], 0.8f64.atan2(0.6), side).expect("an ellipse").into(),
                curve: Box::new(move |f| local(f, a, b)),
                fraction: |at| at / TAU,
                inside: Box::new(move |p| {
                    let d = [p[0] - 0.1, p[1] - 0.2];
                    within(((0.6 * d[0] + 0.8 * d[1]) / a).powi(2) + ((0.6 * d[1] - 0.8 * d[0]) / b).powi(2) < 1.0)
                }),
            });
        }
        for alpha in [0.5, 0.8] {
            let points = bean();
            let polygon: Vec<[f64; 2]> = (0..4000).map(|k| through(&points, alpha, BEAN as f64 * k as f64 / 4000.0)).collect();
            // The target turns a cavity round; the curve of the test follows it.
            let mut ordered = points.clone();
            if side == Side::Cavity {
                ordered.reverse();
            }
            list.push(Example {
                target: Hermite::closed(&points, alpha, side).expect("a curve").into(),
                curve: Box::new(move |f| through(&ordered, alpha, BEAN as f64 * f.rem_euclid(1.0))),
                fraction: |at| at / BEAN as f64,
                inside: Box::new(move |p| within(in_polygon(&polygon, p))),
            });
        }
    }
    list
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[test]
fn the_foot_is_nearer_than_every_sample_of_the_curve() {
    let mut random = Random::new(41);
    for example in examples() {
        let samples: Vec<[f64; 2]> = (0..3000).map(|k| (example.curve)(f64::from(k) / 3000.0)).collect();
        for _ in 0..10_000 {
            let point = [random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5)];
            let foot = example.target.project(point, None).expect("covered");
            let brute = samples.iter().map(|&s| dot(minus(s, point), minus(s, point))).fold(f64::INFINITY, f64::min).sqrt();
            assert!(distance(foot.y, point) <= brute + 1e-12, "{:?} {point:?} {foot:?} {brute}", example.target);
            assert!(distance(foot.y, (example.curve)((example.fraction)(foot.at))) < 1e-13, "on the curve {foot:?}");
            // At right angles: the gap is all of the distance. It is positive outside the body.
            assert!((foot.gap.abs() - distance(foot.y, point)).abs() < 1e-12, "{:?} {point:?} {foot:?}", example.target);
            let [n1, n2] = foot.normal;
            assert!((n1.hypot(n2) - 1.0).abs() < 1e-15);
            assert!((n1 * (foot.y[1] - point[1]) - n2 * (foot.y[0] - point[0])).abs() < 1e-11, "{point:?} {foot:?}");
            if foot.gap.abs() > 1e-5 {
                assert_eq!(foot.gap < 0.0, (example.inside)(point), "{:?} {point:?} {foot:?}", example.target);
            }
        }
    }
}

#[test]
fn a_hint_never_changes_the_foot() {
    let mut random = Random::new(42);
    for example in examples() {
        for _ in 0..10_000 {
            let point = [random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5)];
            let cold = example.target.project(point, None).expect("covered");
            for hint in [cold.at, cold.at + 0.3, random.uniform(-20.0, 20.0), f64::NAN, f64::INFINITY] {
                let warm = example.target.project(point, Some(hint)).expect("covered");
                assert!(distance(warm.y, cold.y) < 1e-12 && (warm.gap - cold.gap).abs() < 1e-12, "{point:?} {hint} {cold:?} {warm:?}");
            }
        }
    }
}

#[test]
fn a_search_asks_for_no_memory() {
    let mut random = Random::new(44);
    for example in examples() {
        for _ in 0..100 {
            let point = [random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5)];
            let contact = || Contact::new(&example.target, point, [0.1, 0.2, 0.3], -1.0, 10.0, None).map(|c| (c.residual(), c.tangent()));
            let (contact, requests) = count_allocations(contact);
            assert!(contact.is_ok());
            assert_eq!(requests, 0);
        }
    }
}

#[test]
fn the_curvature_says_how_fast_the_foot_follows() {
    let mut random = Random::new(43);
    for example in examples() {
        let mut judged = 0;
        for _ in 0..2000 {
            let point = [random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5)];
            let foot = example.target.project(point, None).expect("covered");
            // Away from centres of curvature and from points where the curvature jumps.
            if foot.stretch() < 0.3 || (matches!(example.target, Target::Hermite(_)) && (foot.at.fract() - 0.5).abs() > 0.45) {
                continue;
            }
            let t = [foot.normal[1], -foot.normal[0]];
            let beside = |h: f64| {
                let moved = example.target.project([point[0] + h * t[0], point[1] + h * t[1]], Some(foot.at)).expect("covered");
                dot(moved.y, t)
            };
            let h = 1e-5;
            let rate = (beside(h) - beside(-h)) / (2.0 * h);
            assert!((rate * foot.stretch() - 1.0).abs() < 1e-5, "{:?} {point:?} {foot:?} {rate}", example.target);
            judged += 1;
        }
        assert!(judged > 500, "{judged} of {:?}", example.target);
    }
}

#[test]
fn convex_bodies_have_positive_curvature_and_cavities_negative() {
    for (side, sign) in [(Side::Solid, 1.0), (Side::Cavity, -1.0)] {
        let ring: Vec<[f64; 2]> =
            (0..96).map(|k| [2.0 * (TAU * f64::from(k) / 96.0).cos(), 2.0 * (TAU * f64::from(k) / 96.0).sin()]).collect();
        let backwards: Vec<[f64; 2]> = ring.iter().rev().copied().collect();
        let targets: [Target; 4] = [
            Circle::new([0.0, 0.0], 2.0, side).expect("a circle").into(),
            Ellipse::new([0.0, 0.0], [2.0, 2.0], 0.3, side).expect("a circle").into(),
            Hermite::closed(&ring, Hermite::ALPHA, side).expect("a ring").into(),
            Hermite::closed(&backwards, Hermite::ALPHA, side).expect("a ring").into(),
        ];
        for target in targets {
            let foot = target.project([0.5, 2.1], None).expect("covered");
            assert!((foot.curvature - 0.5 * sign).abs() < 3e-3, "{foot:?}");
            assert!((foot.gap - sign * (0.5f64.hypot(2.1) - 2.0)).abs() < 2e-6, "{foot:?}");
        }
    }
}

#[test]
fn a_ring_of_points_is_too_small_by_the_fourth_power_of_its_spacing() {
    for n in [24, 48, 96] {
        let h = TAU / f64::from(n);
        let ring: Vec<[f64; 2]> = (0..n).map(|k| [(h * f64::from(k)).cos(), (h * f64::from(k)).sin()]).collect();
        let radius = |alpha: f64| {
            let target: Target = Hermite::closed(&ring, alpha, Side::Solid).expect("a ring").into();
            let foot = target.project([2.0 * (0.5 * h).cos(), 2.0 * (0.5 * h).sin()], None).expect("covered");
            foot.y[0].hypot(foot.y[1])
        };
        let missing = (1.0 - radius(Hermite::ALPHA)) / h.powi(4);
        assert!((missing - 0.0234).abs() < 1e-3, "{n}: {missing}");
        // With this tension the middle of each segment lies on the circle.
        assert!((radius(2.0 * (0.25 * h).tan() / h.sin()) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn points_beyond_the_end_of_an_open_curve_are_not_covered() {
    let arc: Vec<[f64; 2]> = (0..=20).map(|k| [(PI * f64::from(k) / 20.0).cos(), (PI * f64::from(k) / 20.0).sin()]).collect();
    let target: Target = Hermite::open(&arc, Hermite::ALPHA, None).expect("an arc").into();
    let above = target.project([0.1, 1.2], None).expect("covered");
    assert!((above.gap - (0.1f64.hypot(1.2) - 1.0)).abs() < 2e-5, "{above:?}");
    for hint in [None, Some(10.0)] {
        let Err(NotCovered::BeyondEnd { first: true, by }) = target.project([1.1, -0.2], hint) else { panic!("covered") };
        assert!((by - 0.2).abs() < 0.01, "{by}");
        assert!(matches!(target.project([-1.1, -0.2], hint), Err(NotCovered::BeyondEnd { first: false, .. })));
    }
    // At the ends themselves, and with the right neighbours the tangent there is that of the circle.
    let h = PI / 20.0;
    let exact = Hermite::open(&arc, Hermite::ALPHA, Some([[h.cos(), -h.sin()], [-h.cos(), -h.sin()]])).expect("an arc");
    let end = Target::from(exact).project([1.0, 0.0], None).expect("covered");
    assert!((end.normal[0] + 1.0).abs() < 1e-12 && end.gap.abs() < 1e-15, "{end:?}");

    let line: Target = Line::between([0.0, 0.0], [2.0, 0.0]).expect("a line").into();
    assert_eq!(line.project([-0.5, 1.0], None), Err(NotCovered::BeyondEnd { first: true, by: 0.5 }));
    assert_eq!(line.project([2.5, 1.0], None), Err(NotCovered::BeyondEnd { first: false, by: 0.5 }));
    let two: Target = Hermite::open(&[[0.0, 0.0], [2.0, 0.0]], Hermite::ALPHA, None).expect("a line").into();
    let (straight, curve) = (line.project([0.7, -0.3], None).expect("covered"), two.project([0.7, -0.3], None).expect("covered"));
    assert!(distance(straight.y, curve.y) < 1e-14 && (straight.gap - curve.gap).abs() < 1e-14 && (straight.gap - 0.3).abs() < 1e-15);
    assert!(Target::from(Line::through([0.0, 0.0], [2.0, 0.0]).expect("a line")).project([-50.0, 1.0], None).is_ok());
}

#[test]
fn centres_of_curvature_and_bad_numbers_are_refused() {
    let circle: Target = Circle::new([1.0, 2.0], 0.5, Side::Cavity).expect("a circle").into();
    assert_eq!(circle.project([1.0, 2.0], None), Err(NotCovered::Ambiguous));
    assert_eq!(circle.project([f64::NAN, 2.0], None), Err(NotCovered::NotFinite));
    let ellipse: Target = Ellipse::new([0.0, 0.0], [2.0, 1.0], 0.0, Side::Solid).expect("an ellipse").into();
    // On the long axis inside the centre of curvature of its end (1.5), both nearest points lie off the axis; beyond it, at the end.
    let off = ellipse.project([1.0, 0.0], None).expect("covered");
    assert!((off.y[0] - 4.0 / 3.0).abs() < 1e-15 && (off.y[1].abs() - (1.0f64 - 4.0 / 9.0).sqrt()).abs() < 1e-15, "{off:?}");
    assert_eq!(ellipse.project([1.6, 0.0], None).expect("covered").y, [2.0, 0.0]);
    assert_eq!(ellipse.project([1.5, 0.0], None), Err(NotCovered::Ambiguous));

    assert_eq!(Circle::new([0.0, 0.0], -1.0, Side::Solid), Err(BadTarget::BadNumber { name: "radius", found: -1.0 }));
    assert!(matches!(Ellipse::new([0.0, 0.0], [1.0, f64::NAN], 0.0, Side::Solid), Err(BadTarget::BadNumber { name: "half axis", .. })));
    assert_eq!(Line::between([1.0, 1.0], [1.0, 1.0]), Err(BadTarget::SamePoint { point: 0 }));
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert_eq!(Hermite::closed(&square[..2], 0.5, Side::Solid), Err(BadTarget::TooFew { found: 2, needed: 3 }));
    assert_eq!(Hermite::closed(&square, 0.0, Side::Solid), Err(BadTarget::BadNumber { name: "alpha", found: 0.0 }));
    let there_and_back = [square[0], square[1], square[0], square[3]];
    assert!(matches!(Hermite::closed(&there_and_back, 0.5, Side::Solid), Err(BadTarget::SamePoint { .. })));
    assert!(matches!(Hermite::open(&there_and_back[..3], 0.5, None), Err(BadTarget::SamePoint { .. })));
    let bad = Some([[f64::NAN, 0.0], [0.0, 0.0]]);
    assert!(matches!(Hermite::open(&square, 0.5, bad), Err(BadTarget::BadNumber { name: "neighbours", .. })));
}
