//! What holds for every normal law, by a loop over the list, and the figures of single laws.

mod impact;

use super::*;
use borelli_math::Dual;
use borelli_math::random::Random;

/// Values of all parameters of a kind, each drawn around its typical size, within its range.
fn draw(kind: &crate::law::Kind, random: &mut Random) -> Normal<f64> {
    let drawn = kind.parameters.iter().zip(kind.typical_values());
    let drawn = drawn.map(|(p, (name, x))| (name, (x * random.uniform(0.2, 1.4)).max(p.range.min)));
    Normal::new(kind.name, &drawn.collect::<Vec<_>>()).unwrap()
}

fn touch<S: Real>(depth: S, rate: S) -> Touch<S> {
    Touch { depth, rate, impact_speed: S::from_f64(0.3) }
}

/// Saraiva 2022, chapter 5, with k = 40000, n = 3/2, c = 0.7, v₀ = 0.3 m/s, v_n = 0.01 m/s at 5 mm.
#[test]
fn published_scalars_are_met() {
    let common = |c: &'static str| vec![("stiffness", 40_000.0), ("exponent", 1.5), (c, 0.7)];
    let table = [
        ("hunt-crossley-restitution", "restitution", 0.2, 18.384_776),
        ("lankarani-nikravesh", "restitution", 0.2, 17.748_380),
        ("flores", "restitution", 0.2, 20.607_112),
        ("ambrosio-pombo", "return_fraction", 0.2, 14.142_136),
        ("hunt-crossley-restitution", "restitution", -0.2, 9.899_495),
        ("lankarani-nikravesh", "restitution", -0.2, 10.535_891),
        ("flores", "restitution", -0.2, 7.677_159),
        ("ambrosio-pombo", "return_fraction", -0.2, 9.899_495),
        ("ambrosio-pombo", "return_fraction", 0.004, 13.225_725),
    ];
    for (kind, c, rate, force) in table {
        let law = Normal::new(kind, &common(c)).unwrap();
        assert!((law.push(touch(0.005, rate)).force - force).abs() < 5.1e-7, "{kind} {rate}");
    }
    let voigt = Normal::new("kelvin-voigt", &[("stiffness", 40_000.0), ("damping", 50.0)]).unwrap();
    assert_eq!((voigt.push(touch(0.005, 0.2)).force, voigt.push(touch(0.005, -0.2)).force), (210.0, 190.0));
}

#[test]
fn slopes_of_every_law_are_those_of_duals() {
    let mut random = Random::new(1);
    for kind in Normal::<f64>::KINDS {
        for _ in 0..300 {
            let law = draw(kind, &mut random);
            let (depth, rate) = (random.uniform(1e-5, 0.02), random.uniform(-0.5, 0.5));
            let plain = law.push(touch(depth, rate));
            let dual = law.push(touch(Dual::<2>::variable(depth, 0), Dual::variable(rate, 1)));
            // A quotient of duals is a product with the reciprocal: a few units in the last place.
            assert!((plain.force - dual.force.re).abs() <= 1e-14 * plain.force, "{}", kind.name);
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * (a.abs() + 1.0);
            assert!(close(plain.by_depth, dual.force.eps[0]), "{} {} {:?}", kind.name, plain.by_depth, dual.force);
            assert!(close(plain.by_rate, dual.force.eps[1]), "{} {} {:?}", kind.name, plain.by_rate, dual.force);
        }
    }
}

#[test]
fn duals_of_the_parameters_carry_the_slopes_of_differences() {
    let mut random = Random::new(5);
    for kind in Normal::<f64>::KINDS {
        let law = draw(kind, &mut random);
        for k in 0..kind.parameters.len() {
            let with = |factor: f64| {
                let mut index = 0;
                let other = law.map(&mut |&x| {
                    index += 1;
                    if index - 1 == k { x * factor } else { x }
                });
                other.push(touch(0.01, 0.004)).force
            };
            let (mut index, mut value) = (0, 0.0);
            let dual: Normal<Dual<1>> = law.map(&mut |&x| {
                index += 1;
                if index - 1 != k {
                    return Dual::from_f64(x);
                }
                value = x;
                Dual::variable(x, 0)
            });
            let (got, h) = (dual.push(touch(Dual::from_f64(0.01), Dual::from_f64(0.004))).force.eps[0] * value, 1e-5);
            let want = (with(1.0 + h) - with(1.0 - h)) / (2.0 * h);
            assert!((got - want).abs() < 1e-7 * with(1.0), "{} {}: {got} {want}", kind.name, kind.parameters[k].name);
        }
    }
}

#[test]
fn every_law_stores_the_work_of_its_still_force_and_only_takes_power_beyond_it() {
    let mut random = Random::new(2);
    for kind in Normal::<f64>::KINDS {
        for _ in 0..200 {
            let law = draw(kind, &mut random);
            let (depth, rate) = (random.uniform(1e-4, 0.02), random.uniform(-2.0, 2.0));
            let still = law.push(touch(depth, 0.0));
            let stored = law.push(touch(Dual::<1>::variable(depth, 0), Dual::from_f64(0.0))).stored;
            assert!((stored.eps[0] - still.force).abs() < 1e-12 * still.force, "{}", kind.name);
            let push = law.push(touch(depth, rate));
            assert_eq!(push.stored, still.stored, "{}", kind.name);
            assert!(push.force >= 0.0 && (push.force - still.force) * rate >= 0.0, "{}", kind.name);
            if push.clipped {
                assert_eq!((push.force, push.by_depth, push.by_rate), (0.0, 0.0, 0.0));
            }
            for apart in [0.0, -0.01] {
                let none = law.push(touch(apart, rate));
                assert_eq!((none.force, none.stored, none.clipped), (0.0, 0.0, false), "{}", kind.name);
            }
        }
    }
}

#[test]
fn only_laws_that_say_so_look_at_the_first_touch() {
    let mut random = Random::new(3);
    for kind in Normal::<f64>::KINDS {
        let law = draw(kind, &mut random);
        let with = |impact_speed| law.push(Touch { depth: 0.01, rate: 0.1, impact_speed }).force;
        assert_eq!(with(0.2) != with(0.9), kind.remembers, "{}", kind.name);
    }
}

#[test]
fn every_parameter_is_refused_outside_its_range() {
    let mut random = Random::new(4);
    for kind in Normal::<f64>::KINDS {
        let mut values = Vec::new();
        draw(kind, &mut random).map(&mut |&x| values.push(x));
        for (k, parameter) in kind.parameters.iter().enumerate() {
            let with = |value: f64| {
                let given = kind.parameters.iter().zip(&values).enumerate();
                let given: Vec<_> = given.map(|(i, (p, &x))| (p.name, if i == k { value } else { x })).collect();
                Normal::new(kind.name, &given).is_ok()
            };
            assert!([f64::NAN, f64::INFINITY, -1.0].iter().all(|&bad| !with(bad)), "{} {}", kind.name, parameter.name);
            let allowed_zero = match parameter.name {
                "stiffness" | "exponent" | "transition" => false,
                "restitution" => !["flores", "exact-restitution"].contains(&kind.name),
                _ => true,
            };
            assert_eq!(with(0.0), allowed_zero, "{} {}", kind.name, parameter.name);
            if ["restitution", "return_fraction"].contains(&parameter.name) {
                assert!(with(1.0) && !with(1.0 + 1e-15 * 4.0), "{}", kind.name);
            }
        }
    }
}
