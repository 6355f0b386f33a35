//! Strings over obstacles against reference tables, differences, each other and what must hold of any string.
//! Numbers of tables: benchmarks `wrap_sphere`, `wrap_cylinder`, `wrap_ellipsoid`, `wrap_two_obstacles`, made by programs that share no code with this one.

use super::chain::{Known, Met, Touch, Wound, wind};
use super::geodesic::follow;
use super::surface::Lay;
use super::{MOST, Manner, Obstacle, Pose, Trouble, sense};
use borelli_math::random::Random;
use borelli_math::{Dual, Mat3, Real, Vec3, rotation_vector, vec3};
use std::f64::consts::PI;

const MM: f64 = 1e-3;

fn about(axis: [f64; 3], degrees: f64) -> Mat3<f64> {
    rotation_vector(Vec3::from_array(axis).scale(degrees.to_radians()))
}

/// Turned about X, then about the Y and the Z reached.
fn turned(x: f64, y: f64, z: f64) -> Mat3<f64> {
    about([1.0, 0.0, 0.0], x) * about([0.0, 1.0, 0.0], y) * about([0.0, 0.0, 1.0], z)
}

fn mm(v: [f64; 3]) -> Vec3<f64> {
    Vec3::from_array(v).scale(MM)
}

fn lift<S: Real>(v: Vec3<f64>) -> Vec3<S> {
    Vec3::from_array(v.to_array().map(S::from_f64))
}

/// An obstacle where it is; the side is given in the axes of space.
fn met(obstacle: Obstacle<f64>, R: Mat3<f64>, p: Vec3<f64>, side: Option<[f64; 3]>, from: Vec3<f64>) -> Met<f64> {
    let pose = Pose { R, p };
    let side = side.map(|side| R.transpose_mul(Vec3::from_array(side)));
    let sense = side.and_then(|side| sense(pose.inside(from), side)).unwrap_or(1.0);
    Met { obstacle, manner: Manner { side, sense, least_turn: -std::f64::consts::FRAC_PI_3 }, pose }
}

/// Length of the string and of its straight pieces.
fn length<S: Real>(from: Vec3<S>, wound: &Wound<S>, to: Vec3<S>) -> S {
    let (mut at, mut sum) = (from, S::ZERO);
    for touch in wound.iter().flatten() {
        sum += (touch.ends[0] - at).norm() + touch.arc;
        at = touch.ends[1];
    }
    sum + (to - at).norm()
}

fn cold<S: Real>(from: Vec3<S>, met: &[Met<S>], to: Vec3<S>) -> Result<Wound<S>, Trouble> {
    wind(from, met, to, &mut [None; MOST][..met.len()])
}

/// A hinge about Z at the origin that carries the last point, and an obstacle on the ground: length and moment arm, as the slope of the length by duals and by e × r.
fn hinged(met: &Met<f64>, P: Vec3<f64>, Q: Vec3<f64>, degrees: f64) -> (f64, f64, Option<Touch<f64>>) {
    let to = about([0.0, 0.0, 1.0], degrees) * Q;
    let wound = cold(P, &[*met], to).expect("a string");
    let dual = |v: Vec3<f64>| lift::<Dual<1>>(v);
    let pose = Pose { R: Mat3 { x: dual(met.pose.R.x), y: dual(met.pose.R.y), z: dual(met.pose.R.z) }, p: dual(met.pose.p) };
    let number = &mut |x: &f64| Dual::<1>::from_f64(*x);
    let own = Met { obstacle: met.obstacle.map(number), manner: met.manner.map(number), pose };
    let moving = vec3(Dual { re: to.x, eps: [-to.y] }, Dual { re: to.y, eps: [to.x] }, Dual::from_f64(to.z));
    let varied = length(dual(P), &cold(dual(P), &[own], moving).expect("a string"), moving);
    let l = length(P, &wound, to);
    assert!((varied.re - l).abs() < 1e-14, "{} {l}", varied.re);
    let last = wound[0].map_or(P, |touch| touch.ends[1]);
    let e = (to - last).scale(1.0 / (to - last).norm());
    let arm = -(e.y * to.x - e.x * to.y);
    assert!((arm + varied.eps[0]).abs() < 1e-9, "arm {arm} by duals {}", -varied.eps[0]);
    (l, arm, wound[0])
}

/// Rows of a table: angle, whether it is wrapped, length, arm, T1, T2.
type Row = (f64, f64, f64, Option<[[f64; 3]; 2]>);

fn compare(met: &Met<f64>, P: Vec3<f64>, Q: Vec3<f64>, rows: &[Row], tolerance: [f64; 3]) {
    for (degrees, l, arm, ends) in rows {
        let (own_l, own_arm, touch) = hinged(met, P, Q, *degrees);
        assert!((own_l - l).abs() < tolerance[0], "{degrees}: length {own_l} {l} {:e}", own_l - l);
        assert!((own_arm - arm).abs() < tolerance[1], "{degrees}: arm {own_arm} {arm} {:e}", own_arm - arm);
        assert_eq!(touch.is_some(), ends.is_some(), "{degrees}");
        for (own, given) in touch.iter().flat_map(|touch| touch.ends).zip(ends.iter().flatten()) {
            assert!((own - Vec3::from_array(*given)).norm() < tolerance[2], "{degrees}: {own:?} {given:?}");
        }
    }
}

#[test]
fn the_table_of_a_sphere_is_met() {
    let (P, Q) = (mm([34.0, 210.0, 18.0]), mm([31.0, -75.0, -12.0]));
    let sphere = met(Obstacle::Sphere { radius: 35.0 * MM }, Mat3::IDENTITY, mm([6.0, -4.0, 3.0]), None, P);
    let rows: [Row; 5] = [
        (13.421, 0.277714957974, 0.0440148636002, None),
        (
            7.632,
            0.281908822442,
            0.0398076168857,
            Some([[0.0400366227792, -0.00217200548103, -0.00494775099175], [0.0400494173657, -0.00284727890405, -0.00501925252932]]),
        ),
        (
            -21.316,
            0.300825023203,
            0.0244603859873,
            Some([[0.0243665347045, 0.00137528233858, -0.0263048928121], [0.0215516826797, -0.0150591056881, -0.0263400979414]]),
        ),
        (
            -56.053,
            0.290210982832,
            -0.0271966733861,
            Some([[-0.0264960690537, 0.00651222658098, -0.00464843698845], [-0.0269255240981, 0.00493578856944, -0.00481418873006]]),
        ),
        (-61.842, 0.287380777454, -0.0302082381246, None),
    ];
    // The table has twelve digits.
    compare(&sphere, P, Q, &rows, [1e-12, 1e-12, 1e-12]);
}

#[test]
fn the_table_of_a_cylinder_is_met() {
    let (P, Q) = (mm([36.0, 190.0, 30.0]), mm([33.0, -70.0, -15.0]));
    let cylinder = met(Obstacle::Cylinder { radius: 31.0 * MM }, turned(12.0, -8.0, 0.0), mm([4.0, -6.0, 2.0]), Some([1.0, 0.0, 0.0]), P);
    let rows: [Row; 4] = [
        (4.211, 0.261300040774, 0.0369523502195, None),
        (
            -3.684,
            0.266241669941,
            0.0359028560738,
            Some([[0.0359817754546, -0.00481762272117, -0.00267828395279], [0.0357818263249, -0.00829676534373, -0.00329000446874]]),
        ),
        (
            -90.526,
            0.321832689291,
            0.0350402042501,
            Some([[0.0357074654354, -0.0052234283365, -0.00076911863635], [0.00395327942967, -0.0353404484469, -0.00902794932458]]),
        ),
        (
            -130.0,
            0.344127703449,
            0.0293264941069,
            Some([[0.0366086273686, -0.00389027771433, -0.00704109919386], [-0.012579656406, -0.0272684135282, -0.0176565084083]]),
        ),
    ];
    compare(&cylinder, P, Q, &rows, [1e-12, 1e-12, 1e-12]);
}

/// The ellipsoid of the table, and the two points of its string.
fn ellipsoid() -> (Met<f64>, Vec3<f64>, Vec3<f64>) {
    let (P, Q) = (mm([50.0, 200.0, 20.0]), mm([42.0, -80.0, -14.0]));
    let shape = Obstacle::Ellipsoid { axes: [45.0 * MM, 30.0 * MM, 60.0 * MM] };
    (met(shape, turned(20.0, -15.0, 30.0), mm([8.0, -5.0, 4.0]), Some([1.0, 0.0, 0.0]), P), P, Q)
}

#[test]
fn the_table_of_an_ellipsoid_is_met() {
    let (shape, P, Q) = ellipsoid();
    let rows: [Row; 5] = [
        (8.789, 0.274780315083, 0.0523263895119, None),
        (
            4.737,
            0.278390556736,
            0.0505245854974,
            Some([[0.0512119546829, 0.0092948027898, -0.00350815800628], [0.051199748199, 0.00836283483109, -0.00362275200641]]),
        ),
        (
            -31.737,
            0.308274526628,
            0.0427193545076,
            Some([[0.0511969203256, 0.00944456537458, -0.00424058209433], [0.0454305361526, -0.00836643449005, -0.00625828137985]]),
        ),
        (
            -47.947,
            0.319742327064,
            0.0381915412717,
            Some([[0.0508918825747, 0.0104447724889, -0.00929607081631], [0.0372707304397, -0.0168446294501, -0.0119673329544]]),
        ),
        (
            -52.0,
            0.322395243943,
            0.0367701459486,
            Some([[0.05057118267, 0.0109664026556, -0.0120620746229], [0.0343706066806, -0.0186301817048, -0.0146457459542]]),
        ),
    ];
    compare(&shape, P, Q, &rows, [1e-10, 1e-10, 1e-9]);
}

#[test]
fn the_table_of_two_obstacles_is_met() {
    let (P, Q) = (mm([34.0, 200.0, 20.0]), mm([36.0, -170.0, -10.0]));
    let cylinder = met(Obstacle::Cylinder { radius: 30.0 * MM }, turned(6.0, -5.0, 0.0), mm([2.0, 35.0, 0.0]), Some([1.0, 0.0, 0.0]), P);
    for (degrees, touched, l, arm) in [
        (0.0, [false, false], 0.371219611551, 0.0349658250699),
        (-5.0, [true, false], 0.373979979203, 0.029662776019),
        (-10.0, [true, true], 0.376482588006, 0.0277407030249),
        (-50.0, [true, true], 0.390609894551, 0.0124119605312),
        (-85.0, [true, true], 0.393374239407, -0.00245354594443),
    ] {
        let R = about([0.0, 0.0, 1.0], degrees);
        let to = R * Q;
        let sphere = met(Obstacle::Sphere { radius: 28.0 * MM }, R, R * mm([4.0, -55.0, 4.0]), None, P);
        let wound = cold(P, &[cylinder, sphere], to).expect("a string");
        assert_eq!([wound[0].is_some(), wound[1].is_some()], touched, "{degrees}");
        let own = length(P, &wound, to);
        assert!((own - l).abs() < 1e-11, "{degrees}: {own} {l} {:e}", own - l);
        // What pulls at the hinge's body: the last piece where it comes from the ground.
        let last = wound[0].map_or(P, |touch| touch.ends[1]);
        let first = wound[1].map_or(to, |touch| touch.ends[0]);
        let e = (first - last).scale(1.0 / (first - last).norm());
        let own = -(e.y * first.x - e.x * first.y);
        // The arms of the table are differences of its lengths.
        assert!((own - arm).abs() < 1e-9, "{degrees}: arm {own} {arm}");
    }
}

#[test]
fn the_table_of_a_torus_is_met() {
    let (P, Q) = (mm([100.0, 160.0, 50.0]), mm([20.0, -120.0, -50.0]));
    let torus = met(Obstacle::Torus { ring: 30.0 * MM, tube: 11.0 * MM }, turned(80.0, 10.0, 0.0), Vec3::ZERO, None, P);
    let rows: [Row; 4] = [
        (
            20.0,
            0.3107573337,
            0.0163242839302,
            Some([[0.0200846197969, 0.0108292003819, -0.00105343190865], [0.0194417382296, -0.00149764837102, -0.00502426308475]]),
        ),
        (
            6.286,
            0.314800266719,
            0.0171779647022,
            Some([[0.0199987292173, 0.0104724601057, -0.00210144687234], [0.0183587332495, 0.00109291212167, -0.00519314880973]]),
        ),
        (
            -7.429,
            0.318855774503,
            0.0164646005669,
            Some([[0.0198223357277, 0.0100244917487, -0.00328762064435], [0.0179995528752, 0.003972250683, -0.00535081845068]]),
        ),
        (
            -28.0,
            0.324217386818,
            0.0129687882983,
            Some([[0.0193802119875, 0.00923234336202, -0.0050991996182], [0.0189551045581, 0.00838129826797, -0.00540775271317]]),
        ),
    ];
    compare(&torus, P, Q, &rows, [1e-10, 1e-9, 1e-9]);
}

/// A random obstacle, of the first `kinds` of sphere, cylinder, ellipsoid, torus, and two points.
fn scatter(random: &mut Random, kinds: u8) -> (Met<f64>, Vec3<f64>, Vec3<f64>) {
    let mut vector = |size: f64| vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
    let (spin, p, side) = (vector(3.0), vector(0.05), vector(1.0));
    let (P, Q) = (vector(0.2), vector(0.2));
    let shape = match random.uniform(0.0, f64::from(kinds)) as usize {
        0 => Obstacle::Sphere { radius: random.uniform(0.02, 0.06) },
        1 => Obstacle::Cylinder { radius: random.uniform(0.02, 0.06) },
        2 => Obstacle::Ellipsoid { axes: [random.uniform(0.03, 0.05), random.uniform(0.03, 0.05), random.uniform(0.03, 0.05)] },
        _ => Obstacle::Torus { ring: random.uniform(0.05, 0.09), tube: random.uniform(0.01, 0.03) },
    };
    let side = matches!(shape, Obstacle::Cylinder { .. }).then_some(side.to_array());
    (met(shape, rotation_vector(spin), p, side, P), P, Q)
}

#[test]
fn strings_are_tight_everywhere() {
    let mut random = Random::new(15);
    let (mut tried, mut touched, mut lost) = (0, 0, 0);
    while tried < 20_000 {
        // Through a ring a string goes only where its ends are on both sides, and one side of the tube is in the way of no string.
        let (own, P, Q) = scatter(&mut random, 3);
        if own.obstacle.value(own.pose.inside(P)) <= 1e-6 || own.obstacle.value(own.pose.inside(Q)) <= 1e-6 {
            continue;
        }
        tried += 1;
        let wound = match cold(P, &[own], Q) {
            Ok(wound) => wound,
            // Nearly through the centre an ellipsoid has more than one way round.
            Err(trouble) => {
                assert!(!own.obstacle.is_closed() && trouble != Trouble::ThroughCentre, "{own:?} {P:?} {Q:?} {trouble:?}");
                lost += 1;
                continue;
            }
        };
        let l = length(P, &wound, Q);
        assert!(l.is_finite() && l >= (Q - P).norm() - 1e-15);
        let pieces: Vec<[Vec3<f64>; 2]> = match wound[0] {
            Some(touch) => {
                touched += 1;
                let [T1, T2] = touch.ends;
                // Tangent at both ends, and on the surface.
                for (end, other) in [(T1, P), (T2, Q)] {
                    let x = own.pose.inside(end);
                    let (g, e) = (own.obstacle.gradient(x), own.pose.inside(other) - x);
                    assert!((own.obstacle.value(x) / g.norm()).abs() < 1e-12, "{own:?}");
                    assert!(g.dot(e).abs() < 1e-10 * g.norm() * e.norm().max(1e-3), "{own:?} {}", g.dot(e) / g.norm() / e.norm());
                }
                vec![[P, T1], [T2, Q]]
            }
            None => vec![[P, Q]],
        };
        for [a, b] in pieces {
            // A cylinder on whose other side the string has to go is passed through: it is free of it by its sense.
            if matches!(own.obstacle, Obstacle::Cylinder { .. }) && wound[0].is_none() {
                continue;
            }
            for k in 0..=50 {
                let x = own.pose.inside(a + (b - a).scale(k as f64 / 50.0));
                let out = own.obstacle.value(x) / own.obstacle.gradient(x).norm();
                assert!(out > -1e-9, "{own:?}: {out:e} inside");
            }
        }
        // Backwards it is the same string, and ten times as large ten times as long.
        let mut back = own;
        back.manner.sense = -own.manner.sense;
        let Ok(back) = cold(Q, &[back], P) else {
            assert!(!own.obstacle.is_closed());
            lost += 1;
            continue;
        };
        let back = length(Q, &back, P);
        assert!((back - l).abs() < 1e-10, "{own:?} {P:?} {Q:?}: {l} {back}");
        let large = Met { obstacle: own.obstacle.map(&mut |x| 10.0 * x), pose: Pose { R: own.pose.R, p: own.pose.p.scale(10.0) }, ..own };
        let (P, Q) = (P.scale(10.0), Q.scale(10.0));
        let large = length(P, &cold(P, &[large], Q).expect("the same"), Q);
        assert!((large - 10.0 * l).abs() < 1e-9, "{own:?}: {l} {large}");
    }
    assert!(touched > tried / 20 && lost < touched / 20, "{touched} touched, {lost} lost of {tried}");
}

#[test]
fn an_ellipsoid_of_equal_axes_is_a_sphere_and_a_long_one_a_cylinder() {
    let (P, Q) = (mm([36.0, 190.0, 30.0]), mm([20.0, -70.0, -15.0]));
    let R = turned(12.0, -8.0, 0.0);
    let at = mm([4.0, -6.0, 2.0]);
    let l = |shape: Obstacle<f64>| length(P, &cold(P, &[met(shape, R, at, Some([1.0, 0.0, 0.0]), P)], Q).expect("a string"), Q);
    let r = 31.0 * MM;
    let (ball, sphere) = (l(Obstacle::Ellipsoid { axes: [r; 3] }), l(Obstacle::Sphere { radius: r }));
    assert!((ball - sphere).abs() < 1e-12, "{ball} {sphere}");
    let cylinder = l(Obstacle::Cylinder { radius: r });
    let off = |long: f64| (l(Obstacle::Ellipsoid { axes: [r, r, long] }) - cylinder).abs();
    assert!(off(1.0) > 1e-8 && off(10.0) < 0.02 * off(1.0) && off(100.0) < 1e-8, "{:e} {:e} {:e}", off(1.0), off(10.0), off(100.0));
}

#[test]
fn surfaces_have_the_slopes_of_differences() {
    let mut random = Random::new(3);
    for _ in 0..100 {
        let (own, x, u) = scatter(&mut random, 4);
        let h = 1e-6;
        let (shape, central) = (own.obstacle, |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h));
        let slope = central(&|h| shape.value(x + u.scale(h)));
        let scale = shape.gradient(x).norm() * u.norm();
        assert!((slope - shape.gradient(x).dot(u)).abs() < 1e-8 * scale.max(1e-3), "{shape:?}");
        let bent = central(&|h| shape.gradient(x + u.scale(h)).dot(u));
        assert!((bent - u.dot(shape.bent(x, u))).abs() < 1e-8 * bent.abs().max(1e-3), "{shape:?}");
    }
}

#[test]
fn geodesics_keep_to_their_surface_and_vary_as_their_fields_say() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let (own, x, t) = scatter(&mut random, 4);
        let shape = own.obstacle;
        // Far points have no foot that two steps would find: take one on the ray.
        let on = x.scale(
            1.0 / (2.0 * shape.value(x) * if matches!(shape, Obstacle::Ellipsoid { .. }) { 1.0 } else { shape.size().powi(-2) } + 1.0)
                .sqrt(),
        );
        let on = if matches!(shape, Obstacle::Torus { .. }) { shape.drawn_in(shape.drawn_in(x)) } else { on };
        if shape.value(on).abs() > 1e-10 || on.norm() < 1e-3 || matches!(shape, Obstacle::Cylinder { .. }) && on.x.hypot(on.y) < 1e-3 {
            continue;
        }
        let start = Lay::at(&shape, on, t);
        let length = random.uniform(0.001, 0.08);
        let (end, [a, a1, r, r1]) = follow(&shape, &start, length).expect("an end");
        assert!(shape.value(end.x).abs() < 1e-13 && (end.t.norm() - 1.0).abs() < 1e-14);
        // There and back again.
        let (back, _) = follow(&shape, &Lay::at(&shape, end.x, -end.t), length).expect("an end");
        assert!((back.x - start.x).norm() < 1e-10, "{shape:?} {:e}", (back.x - start.x).norm());
        // Sideways, turned, longer: against central differences.
        let h = 1e-5;
        let moved = |beta: f64, theta: f64, more: f64| {
            // Shifted along the geodesic that leaves sideways, with its direction carried along.
            let side = Lay::at(&shape, start.x, start.b);
            let (foot, _) = follow(&shape, &side, beta).expect("an end");
            let along = foot.t.cross(foot.n);
            let along = along.scale(theta.cos()) + foot.t.scale(theta.sin());
            follow(&shape, &Lay::at(&shape, foot.x, along), length + more).expect("an end").0
        };
        let slope = |f: &dyn Fn(f64) -> Vec3<f64>| (f(h) - f(-h)).scale(0.5 / h);
        let by_beta = slope(&|h| moved(h, 0.0, 0.0).x);
        let by_theta = slope(&|h| moved(0.0, h, 0.0).x);
        assert!((by_beta - end.b.scale(a)).norm() < 1e-6 * (1.0 + a.abs()), "{shape:?} a {a} {:?}", by_beta.dot(end.b));
        assert!((by_theta - end.b.scale(r)).norm() < 1e-6 * (0.1 + r.abs()), "{shape:?} ρ {r} {:?}", by_theta.dot(end.b));
        let turn = slope(&|h| moved(h, 0.0, 0.0).t).dot(end.b);
        assert!((turn - a1).abs() < 1e-4 * (1.0 + a1.abs()), "a' {a1} {turn}");
        let turn = slope(&|h| moved(0.0, h, 0.0).t).dot(end.b);
        assert!((turn - r1).abs() < 1e-5 * (1.0 + r1.abs()), "ρ' {r1} {turn}");
        // Normal and binormal by a shift along the string.
        let [_, dn, db] = end.varied(1.0, 0.0, 0.0);
        let by_length = slope(&|h| moved(0.0, 0.0, h).n);
        assert!((by_length - dn).norm() < 1e-5 * (1.0 + dn.norm()), "{shape:?}");
        assert!((slope(&|h| moved(0.0, 0.0, h).b) - db).norm() < 1e-5 * (1.0 + db.norm()), "{shape:?}");
    }
}

#[test]
fn a_warm_start_changes_no_answer() {
    let (shape, P, Q) = ellipsoid();
    let sphere = met(Obstacle::Sphere { radius: 12.0 * MM }, Mat3::IDENTITY, mm([44.0, -40.0, 0.0]), None, P);
    let mut memory: [Option<Known>; MOST] = [None; MOST];
    let mut random = Random::new(2);
    let mut others = 0;
    for k in 0..400 {
        // Steps of a motion, and leaps.
        let degrees = if k % 7 == 6 { random.uniform(-55.0, 20.0) } else { 4.0 - 0.14 * k as f64 };
        let to = about([0.0, 0.0, 1.0], degrees) * Q;
        for met in [&[shape][..], &[shape, sphere]] {
            let warm = wind(P, met, to, &mut memory[..met.len()]).expect("a string");
            let cold = cold(P, met, to).expect("a string");
            let [a, b] = [&warm, &cold].map(|wound| wound.iter().flatten().map(|touch| (touch.ends, touch.arc)).collect::<Vec<_>>());
            others += usize::from(a != b);
            assert!((length(P, &warm, to) - length(P, &cold, to)).abs() < 1e-15);
        }
    }
    // The same bits, but where a start lies halfway between two multiples of the grid but for rounding.
    assert!(others <= 1, "{others}");
}

#[test]
fn a_string_slides_off_beyond_its_conjugate_point() {
    let (shape, P, Q) = ellipsoid();
    let found = |degrees: f64| cold(P, &[shape], about([0.0, 0.0, 1.0], degrees) * Q);
    assert!(found(-55.0).is_ok());
    let off = (56..120).find_map(|k| found(-(k as f64)).err().map(|trouble| (k, trouble)));
    assert!(matches!(off, Some((57..=66, Trouble::SlidesOff | Trouble::NotFound))), "{off:?}");
}

#[test]
fn a_string_through_the_centre_of_a_sphere_is_refused() {
    let P = vec3(0.0, 0.1, 0.0);
    let sphere = met(Obstacle::Sphere { radius: 0.03 }, Mat3::IDENTITY, Vec3::ZERO, None, P);
    assert_eq!(cold(P, &[sphere], -P).err(), Some(Trouble::ThroughCentre));
    assert!(cold(P, &[sphere], P.scale(0.5)).expect("free")[0].is_none());
}

#[test]
fn a_string_with_a_side_stays_on_it_beyond_half_a_turn() {
    // In the plane of the hinge a sphere with a side and a cylinder about Z are one.
    let (P, Q) = (mm([10.0, 200.0, 0.0]), mm([10.0, -80.0, 0.0]));
    let side = Some([1.0, 0.0, 0.0]);
    let sphere = met(Obstacle::Sphere { radius: 0.03 }, Mat3::IDENTITY, Vec3::ZERO, side, P);
    let cylinder = met(Obstacle::Cylinder { radius: 0.03 }, Mat3::IDENTITY, Vec3::ZERO, side, P);
    for k in 0..=20 {
        let to = about([0.0, 0.0, 1.0], 30.0 - 7.0 * k as f64) * Q;
        let [a, b] = [sphere, cylinder].map(|own| length(P, &cold(P, &[own], to).expect("a string"), to));
        assert!((a - b).abs() < 1e-14, "{k}: {a} {b}");
    }
}

#[test]
fn a_string_on_the_long_side_of_a_sphere_is_free_once_its_points_are_near_each_other() {
    // Both points 100 mm away, on the side opposite to that of the string: over 60 degrees apart it goes all the way round, below it is free.
    let side = Some([-1.0, 0.0, 0.0]);
    for (half, free) in [(25.0, true), (35.0, false)] {
        let [P, Q] = [half, -half].map(|degrees| about([0.0, 0.0, 1.0], degrees) * mm([100.0, 0.0, 0.0]));
        let sphere = met(Obstacle::Sphere { radius: 0.03 }, Mat3::IDENTITY, Vec3::ZERO, side, P);
        let found = cold(P, &[sphere], Q).expect("a string")[0];
        assert_eq!(found.is_none(), free, "{half}");
        if let Some(touch) = found {
            let legs = 2.0 * (30.0f64 / 100.0).acos();
            assert!((touch.arc - 0.03 * (2.0 * PI - 2.0 * half.to_radians() - legs)).abs() < 1e-14, "{}", touch.arc);
        }
    }
}

/// More than half a turn round a sphere is no shortest way: alone the closed form keeps to its side, in a chain, where nothing holds the string to
/// its plane, it slides off.
#[test]
fn a_string_far_round_a_sphere_slides_off_in_a_chain() {
    let [P, Q] = [35.0, -35.0].map(|degrees| about([0.0, 0.0, 1.0], degrees) * mm([40.0, 0.0, 0.0]));
    let far = met(Obstacle::Sphere { radius: 0.03 }, Mat3::IDENTITY, Vec3::ZERO, Some([-1.0, 0.0, 0.0]), P);
    let alone = cold(P, &[far], Q).expect("a string")[0].expect("a touch");
    assert!(alone.turn > PI, "{}", alone.turn);
    let between = (alone.ends[1] + Q).scale(0.5);
    let near = met(Obstacle::Sphere { radius: 0.002 }, Mat3::IDENTITY, between.scale(1.0 + 0.001 / between.norm()), None, P);
    assert_eq!(cold(P, &[far, near], Q).err(), Some(Trouble::SlidesOff));
}

/// Two balls side by side that reach into each other: the string would lie in the groove between them, which is no geodesic of either.
#[test]
fn a_string_between_two_spheres_that_reach_into_each_other_is_refused() {
    let [P, Q] = [200.0, -200.0].map(|y| mm([10.0, y, 0.0]));
    let ball = |z: f64| met(Obstacle::Sphere { radius: 0.025 }, Mat3::IDENTITY, mm([0.0, 0.0, z]), None, P);
    assert_eq!(cold(P, &[ball(15.0), ball(-15.0)], Q).err(), Some(Trouble::ThroughAnother));
    assert!(cold(P, &[ball(40.0), ball(-40.0)], Q).expect("free").iter().all(Option::is_none));
}

#[test]
fn points_inside_are_inside_and_points_on_the_surface_are_not() {
    let shapes = [
        (Obstacle::Sphere { radius: 0.03 }, [0.018, 0.024, 0.0]),
        (Obstacle::Cylinder { radius: 0.03 }, [0.018, 0.024, 5.0]),
        (Obstacle::Ellipsoid { axes: [0.045, 0.03, 0.06] }, [0.027, 0.024, 0.0]),
        (Obstacle::Torus { ring: 0.03, tube: 0.01 }, [0.0, 0.036, 0.008]),
    ];
    for (shape, on) in shapes {
        let at = |part: f64| match shape {
            // Towards the middle of the tube.
            Obstacle::Torus { .. } => Vec3::from_array([0.0, 0.03 + 0.006 * part, 0.008 * part]),
            _ => Vec3::from_array(on).scale(part),
        };
        assert!((at(1.0) - Vec3::from_array(on)).norm() < 1e-17);
        assert!(shape.holds(at(1.0 - 1e-6)) && !shape.holds(at(1.0)) && !shape.holds(at(1.0 + 1e-6)), "{shape:?}");
    }
}
