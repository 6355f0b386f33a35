//! Hand values, ends of the domain and slopes of the overlap.

use super::*;
use std::f64::consts::PI;

const UP: Vec3<f64> = Vec3 { x: 0.0, y: 0.0, z: 1.0 };

#[test]
fn spheres_and_upright_ellipsoids_have_their_hand_values() {
    let (sphere, weighted) = (SemiAxes { a: 1.0, b: 1.0, c: 1.0 }, SecondMoment::Weighted);
    let half = sphere.overlap(UP, 0.0, weighted).unwrap();
    assert!((half.volume - 2.0 * PI / 3.0).abs() < 1e-15 && (half.centroid.z + 3.0 / 8.0).abs() < 1e-16);
    assert!((half.second_moment.xx - 2.0 * PI / 15.0).abs() < 1e-15 && half.second_moment.zz.abs() < 1e-16);
    assert!((half.area - PI).abs() < 1e-15);
    let whole = sphere.overlap(UP, 1.0, weighted).unwrap();
    assert!((whole.volume - 4.0 * PI / 3.0).abs() < 1e-15 && whole.centroid.norm() < 1e-16);
    assert!((whole.second_moment.trace() - 8.0 * PI / 15.0).abs() < 1e-15);
    // d = ½ by the physical form: V = πδ²(3r − δ)/3, centroid ¾(2r − δ)²/(3r − δ).
    let (r, delta) = (0.04, 0.02);
    let shallow = SemiAxes { a: r, b: r, c: r }.overlap(UP, delta - r, weighted).unwrap();
    assert!((shallow.volume - PI * delta * delta * (3.0 * r - delta) / 3.0).abs() < 1e-19);
    assert!((shallow.centroid.z + 0.75 * (2.0 * r - delta).powi(2) / (3.0 * r - delta)).abs() < 1e-17);
    let upright = SemiAxes { a: 0.05, b: 0.03, c: 0.04 }.overlap(UP, delta - r, weighted).unwrap();
    assert!((upright.volume / shallow.volume - 0.05 * 0.03 / (r * r)).abs() < 1e-14);
    assert!((upright.second_moment.xx / shallow.second_moment.xx - 0.05_f64.powi(3) * 0.03 / r.powi(4)).abs() < 1e-14);
}

#[test]
fn outside_its_domain_an_overlap_is_nothing_or_the_whole() {
    let mut random = Random::new(2);
    for _ in 0..100 {
        let (shape, n, _) = draw(&mut random, (0.0, 1.0));
        let h = vec3(shape.a * n.x, shape.b * n.y, shape.c * n.z).norm();
        let at = |d: f64| shape.overlap(n, h * (d - 1.0), SecondMoment::Weighted);
        for d in [-5.0, -1.0, -1e-9] {
            assert!(at(d).is_none() && shape.slopes(n, h * (d - 1.0)).is_none(), "{d}");
        }
        let V = 4.0 * PI / 3.0 * shape.a * shape.b * shape.c;
        for d in [2.0 + 1e-12, 2.5, 3.0, 10.0] {
            let whole = at(d).unwrap();
            assert!((whole.volume / V - 1.0).abs() < 1e-14 && whole.centroid.norm() == 0.0 && whole.area == 0.0);
            assert_eq!(whole.immersion, Immersion::Full);
            assert!((whole.centroid_depth - h * (d - 1.0)).abs() < 1e-15);
        }
        assert_eq!((at(1.49).unwrap().immersion, at(1.51).unwrap().immersion), (Immersion::Partial, Immersion::Deep));
        // Value and first slope meet at both ends: V ~ d² at zero, and the area vanishes at two.
        assert!(at(1e-7).unwrap().volume < 4e-14 * V && at(2.0 - 1e-7).unwrap().area * h < 4e-7 * V);
        assert!((at(2.0 - 1e-7).unwrap().volume / V - 1.0).abs() < 1e-13);
        // Touching lightly, the patch has a finite size over its depth and no radius.
        assert!(at(1e-12).unwrap().gyration() < 1e-6);
    }
    assert!(SemiAxes { a: 0.5, b: 0.5, c: 0.5 }.overlap(UP, -0.5, SecondMoment::Weighted).is_none(), "only touching");
    assert!(SemiAxes::new(&[("a", 0.1), ("b", 0.0), ("c", 0.1)]).is_err());
    assert!(SemiAxes::new(&[("a", 0.1), ("b", f64::NAN), ("c", 0.1)]).is_err());
    assert!(unit_normal(vec3(0.0, 0.6, 0.8)).is_ok() && unit_normal(vec3(0.0, 0.7, 0.8)).is_err() && unit_normal(Vec3::ZERO).is_err());
}

#[test]
fn the_published_foot_can_carry_what_is_said() {
    // Brown 2017, table 5.6; N at full immersion.
    for (a, b, c, capacity) in [(35.4, 54.0, 22.6, 2895.0), (63.2, 33.8, 24.0, 3436.0), (18.2, 18.6, 13.2, 299.5)] {
        let shape = SemiAxes { a: a * 1e-3, b: b * 1e-3, c: c * 1e-3 };
        let force = 1.60e7 * shape.overlap(UP, 1.0, SecondMoment::Weighted).unwrap().volume;
        assert!((force - capacity).abs() < 0.5, "{force}");
    }
}

#[test]
fn slopes_are_those_of_duals_and_differences() {
    let mut random = Random::new(3);
    for trial in 0..200 {
        let (shape, n, q) = draw(&mut random, if trial % 10 == 0 { (2.1, 3.0) } else { (0.05, 1.95) });
        let lifted: SemiAxes<f64> = shape;
        let variables = vec3(Dual::<4>::variable(n.x, 0), Dual::variable(n.y, 1), Dual::variable(n.z, 2));
        let dual = lifted.overlap(variables, Dual::variable(q, 3), SecondMoment::Weighted).unwrap();
        let slopes = shape.slopes(n, q).unwrap();
        let h = dual.support.re;
        let near = |got: f64, want: f64, scale: f64| assert!((got - want).abs() < 1e-12 * scale, "{got} {want}");
        let V = shape.a * shape.b * shape.c;
        near(slopes.depth_by_height, dual.depth.eps[3], 1.0 / h);
        near(slopes.volume_by_height, dual.volume.eps[3], V / h);
        near(slopes.volume_by_height, dual.area.re, V / h);
        for k in 0..3 {
            let long = shape.a.max(shape.b).max(shape.c).powi(2) / h / h;
            near(slopes.depth_by_normal.to_array()[k], dual.depth.eps[k], long);
            near(slopes.volume_by_normal.to_array()[k], dual.volume.eps[k], V * long);
            near(slopes.centroid_by_height.to_array()[k], dual.centroid.to_array()[k].eps[3], long);
            let column = [slopes.centroid_by_normal.x, slopes.centroid_by_normal.y, slopes.centroid_by_normal.z][k].to_array();
            for row in 0..3 {
                near(column[row], dual.centroid.to_array()[row].eps[k], h * long * long);
            }
        }
        // J_t of the cap from the moment of a sphere.
        let sphere = SemiAxes { a: 1.0, b: 1.0, c: 1.0 };
        let d = Dual::<1>::variable(dual.depth.re.min(1.99), 0);
        let up = vec3(Dual::from_f64(0.0), Dual::from_f64(0.0), Dual::from_f64(1.0));
        let J = sphere.overlap(up, d - 1.0, SecondMoment::Weighted).unwrap().second_moment.xx;
        near(sphere.slopes(UP, d.re - 1.0).unwrap().across_by_depth, J.eps[0], 1.0);
        // A rotation of the body by δφ turns the normal by −δφ × n.
        let (axis, step) = (Vec3::from_array(random.direction()), 1e-5);
        let turned = |angle: f64| {
            let R = borelli_math::rotation_about(axis, angle);
            shape.overlap(R.transpose_mul(n), q, SecondMoment::Weighted).map_or(0.0, |o| o.volume)
        };
        let difference = (turned(step) - turned(-step)) / (2.0 * step);
        let want = by_rotation(slopes.volume_by_normal, n).dot(axis);
        assert!((difference - want).abs() < 1e-6 * V * 30.0, "{difference} {want}");
    }
}
