//! What holds for every friction law, by a loop over the list, and what each law promises.

mod benchmarks;
mod patch;
mod promises;

use super::*;
use borelli_math::random::Random;
use borelli_math::{Dual, vec3};

/// Values of all parameters of a kind, each drawn from half to twice its typical size, in the order that the law demands.
fn draw(kind: &crate::law::Kind, random: &mut Random) -> Friction<f64> {
    let mut given = kind.typical_values();
    given.iter_mut().for_each(|(_, x)| *x *= random.uniform(0.5, 2.0));
    for (greater, lesser) in kind.orders {
        let at = |name: &str| given.iter().position(|(known, _)| *known == name).unwrap();
        let (high, low) = (at(greater), at(lesser));
        if given[high].1 < given[low].1 {
            (given[high].1, given[low].1) = (given[low].1, given[high].1);
        }
    }
    Friction::new(kind.name, &given).unwrap()
}

#[test]
fn slopes_of_every_law_are_those_of_duals() {
    let mut random = Random::new(1);
    for kind in Friction::<f64>::KINDS {
        for _ in 0..300 {
            let law = draw(kind, &mut random);
            let (v, F_n) = (random.uniform(-0.06, 0.06), random.uniform(0.01, 200.0));
            let plain = law.drag(v, F_n);
            let dual = law.drag(Dual::<2>::variable(v, 0), Dual::variable(F_n, 1));
            // A quotient of duals is a product with the reciprocal: a few units in the last place.
            assert!((plain.force - dual.force.re).abs() <= 1e-14 * plain.force.abs(), "{}", kind.name);
            let [by_v, by_n] = dual.force.eps;
            // The scale is the steepest slope possible, at rest or at the transition.
            let scale = 1e-13 * (F_n * 2.0 / 0.005 * 4.0 + 10.0);
            assert!((plain.by_speed - by_v).abs() < scale, "{} at {v}: {} {by_v}", kind.name, plain.by_speed);
            assert!((plain.by_normal - by_n).abs() < 1e-13, "{} at {v}: {} {by_n}", kind.name, plain.by_normal);
        }
    }
}

#[test]
fn duals_of_the_parameters_carry_the_slopes_of_differences() {
    let mut random = Random::new(2);
    for kind in Friction::<f64>::KINDS {
        let law = draw(kind, &mut random);
        let (v, F_n) = (0.0137, 30.0);
        let mut values = Vec::new();
        law.map(&mut |&x| values.push(x));
        let with = |k: usize, factor: f64| {
            let mut index = 0;
            let other = law.map(&mut |&x| {
                index += 1;
                if index - 1 == k { x * factor } else { x }
            });
            other.drag(v, F_n).force
        };
        for (k, x) in values.iter().enumerate() {
            let mut index = 0;
            let dual: Friction<Dual<1>> = law.map(&mut |&x| {
                index += 1;
                if index - 1 == k { Dual::variable(x, 0) } else { Dual::from_f64(x) }
            });
            let got = dual.drag(Dual::from_f64(v), Dual::from_f64(F_n)).force.eps[0];
            let h = 1e-5;
            let want = (with(k, 1.0 + h) - with(k, 1.0 - h)) / (2.0 * h * x);
            assert!((got - want).abs() * x < 1e-7, "{} {}: {got} {want}", kind.name, kind.parameters[k].name);
        }
    }
}

#[test]
fn friction_is_odd_takes_power_and_needs_a_normal_force() {
    let mut random = Random::new(3);
    for kind in Friction::<f64>::KINDS {
        for _ in 0..200 {
            let law = draw(kind, &mut random);
            let (v, F_n) = (random.uniform(0.0, 0.1), random.uniform(0.0, 200.0));
            let (there, back) = (law.drag(v, F_n), law.drag(-v, F_n));
            assert_eq!((there.force, there.by_speed), (-back.force, back.by_speed), "{}", kind.name);
            // One law drives a slow slip under a small load, see `a_bump_without_load_drives_a_slow_slip`.
            let drives = kind.name == "specker" && law.per_speed(0.0, F_n) < 0.0;
            assert!(there.force * v >= 0.0 || drives, "{} {v} {F_n}", kind.name);
            let none = Drag { force: 0.0, by_speed: 0.0, by_normal: 0.0 };
            assert_eq!((law.drag(v, 0.0), law.drag(v, -5.0)), (none, none), "{}", kind.name);
        }
    }
}

#[test]
fn the_vector_law_is_the_scalar_law_along_the_slip_and_smooth_at_rest() {
    let mut random = Random::new(4);
    for kind in Friction::<f64>::KINDS {
        for _ in 0..50 {
            let law = draw(kind, &mut random);
            let (direction, v, F_n) = (Vec3::from_array(random.direction()), random.uniform(1e-6, 0.05), random.uniform(1.0, 100.0));
            let wanted = direction.scale(-law.drag(v, F_n).force);
            assert!((law.traction(direction.scale(v), F_n) - wanted).norm() < 1e-13 * (1.0 + wanted.norm()), "{}", kind.name);

            // Away from rest: −(f/v)(1 − eeᵀ) − f' eeᵀ.
            let at = |p: Vec3<f64>| vec3(Dual::<3>::variable(p.x, 0), Dual::variable(p.y, 1), Dual::variable(p.z, 2));
            let (got, e) = (law.traction(at(direction.scale(v)), Dual::from_f64(F_n)), direction.to_array());
            let drag = law.drag(v, F_n);
            for (row, entry) in got.to_array().iter().enumerate() {
                for column in 0..3 {
                    let unit = if row == column { 1.0 } else { 0.0 };
                    let want = -(drag.force / v) * (unit - e[row] * e[column]) - drag.by_speed * e[row] * e[column];
                    let scale = 1e-12 * (drag.force / v).abs().max(drag.by_speed.abs()).max(1.0);
                    assert!((entry.eps[column] - want).abs() < scale, "{} {} {want}", kind.name, entry.eps[column]);
                }
            }
            // At rest: minus the slope of the scalar law in every direction.
            let rest = law.traction(at(vec3(0.0, 0.0, 0.0)), Dual::from_f64(F_n));
            let slope = law.drag(0.0, F_n).by_speed;
            for (row, entry) in rest.to_array().iter().enumerate() {
                for column in 0..3 {
                    let want = if row == column { -slope } else { 0.0 };
                    assert!((entry.eps[column] - want).abs() <= 1e-13 * slope, "{} {} {want}", kind.name, entry.eps[column]);
                }
            }
        }
    }
}

#[test]
fn every_parameter_is_refused_outside_its_range() {
    use crate::law::{Fault, Need};
    let mut random = Random::new(5);
    for kind in Friction::<f64>::KINDS {
        let mut values = Vec::new();
        draw(kind, &mut random).map(&mut |&x| values.push(x));
        for (k, parameter) in kind.parameters.iter().enumerate() {
            let with = |value: f64| {
                let name = |i: usize| kind.parameters[i].name;
                let given: Vec<_> = values.iter().enumerate().map(|(i, &x)| (name(i), if i == k { value } else { x })).collect();
                Friction::new(kind.name, &given)
            };
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -1e-300] {
                assert!(matches!(with(bad), Err(Fault::OutOfRange { .. })), "{} {} {bad}", kind.name, parameter.name);
            }
            // Zero is refused where the law divides by it, and where another number would be above it.
            let divides = ["m/s", "N"].contains(&parameter.unit) || ["steepness", "exponent"].contains(&parameter.name);
            let above = kind.orders.iter().any(|(greater, _)| *greater == parameter.name);
            assert_eq!(with(0.0).is_err(), divides || above, "{} {}", kind.name, parameter.name);
            let missing: Vec<_> =
                kind.parameters.iter().zip(&values).filter(|(p, _)| p.name != parameter.name).map(|(p, &x)| (p.name, x)).collect();
            assert_eq!(Friction::new(kind.name, &missing).is_err(), parameter.need == Need::Required);
        }
        assert!(matches!(Friction::new(kind.name, &[("colour", 1.0)]), Err(Fault::UnknownParameter { .. })));
    }
    let fault = Friction::new("coulom", &[]).unwrap_err();
    assert!(fault.to_string().contains("coulomb, tanh"), "{fault}");
}
