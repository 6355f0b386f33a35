//! Surfaces of figures against implicit functions, against the depth that the engine finds, and forces against those that it exerts.

use super::*;
use crate::recorded::{PLANAR_FOOT, SPATIAL_FOOT, parsed, touching};
use borelli_contact::shape::{Shape as Contour, Smooth, Surface as _};
use borelli_testkit::Random;

fn direction(random: &mut Random) -> Vec3<f64> {
    Vec3::from_array(random.direction())
}

/// All shapes of a model with a surface.
fn bounded(figure: &Figure) -> impl Iterator<Item = (&FigureSurface, &Smooth<f64>)> {
    figure.surfaces.iter().filter_map(|surface| if let Contour::Smooth(smooth) = &surface.shape { Some((surface, smooth)) } else { None })
}

#[test]
fn no_point_of_a_shape_is_seen_outside_its_outline_which_lies_on_the_shape() {
    let figure = Figure::of(&parsed(SPATIAL_FOOT));
    let mut random = Random::new(5);
    for (surface, smooth) in bounded(&figure) {
        let (origin, size, allowed) = (Vec3::from_array(surface.spot.at), smooth.bounding_radius(), 1e-3);
        // Points of the surface all around, by the gauge, which knows nothing of support points.
        let around: Vec<Vec3<f64>> = (0..4000).map(|_| direction(&mut random)).map(|x| x.scale(1.0 / smooth.gauge(x))).collect();
        for _ in 0..10 {
            let w = direction(&mut random);
            let outline = surface.outline(w, allowed).expect("a bounded shape");
            assert_eq!(outline[0], outline[outline.len() - 1]);
            let own: Vec<Vec3<f64>> = outline.iter().map(|p| surface.R_BS.transpose_mul(Vec3::from_array(*p) - origin)).collect();
            for x in &own {
                let slope = smooth.gradient(*x);
                // Rounding of the powers, whose exponents go up to six.
                assert!(smooth.value(*x).abs() < 1e-12, "{} {}", surface.name, smooth.value(*x));
                assert!((slope.dot(surface.R_BS.transpose_mul(w)) / slope.norm()).abs() < 1e-9, "{}", surface.name);
            }
            for _ in 0..20 {
                let across = w.cross(direction(&mut random));
                let d = surface.R_BS.transpose_mul(across.scale(1.0 / across.norm()));
                let reach = |list: &[Vec3<f64>]| list.iter().map(|x| x.dot(d)).fold(f64::NEG_INFINITY, f64::max);
                assert!(reach(&around) < reach(&own) + allowed * size, "{} {} {}", surface.name, reach(&around), reach(&own));
            }
        }
    }
    assert_eq!(bounded(&figure).count(), 5);
}

#[test]
fn the_lowest_drawn_point_of_a_surface_is_as_deep_as_the_engine_says() {
    for (text, end) in [(PLANAR_FOOT, 0.5), (SPATIAL_FOOT, 0.4)] {
        let system = parsed(text);
        let (figure, table) = (Figure::of(&system), motion(&system, end, 41));
        let mut touched = 0;
        for pair in &figure.pairs {
            let (first, second) = (&figure.surfaces[pair.first], &figure.surfaces[pair.second]);
            let depth = table.column(&format!("contact.{}.depth", pair.name)).expect("a column");
            for (sample, depth) in depth.iter().enumerate() {
                let pose = |surface: &FigureSurface| figure.pose(surface.spot.body, &table, sample).expect("a pose");
                let Some((normal, height)) = second.plane(&pose(second)) else { continue };
                let pose = pose(first);
                // Seen along any direction of the plane, the outline holds the lowest point.
                let level = normal.cross(if figure.planar { vec3(normal.y, -normal.x, 0.0) } else { vec3(0.3, -0.2, 0.9) });
                let outline = first.outline(pose.R.transpose_mul(level.scale(1.0 / level.norm())), 1e-5);
                let points = outline.unwrap_or_else(|| vec![first.spot.at]);
                let lowest = points.iter().map(|p| normal.dot(Vec3::from_array(pose.place(*p)))).fold(f64::INFINITY, f64::min);
                // The outline is true to 1e-5 of some 4 cm.
                assert!((height - lowest - depth).abs() < 6e-7, "{} {} {depth}", pair.name, height - lowest);
                touched += usize::from(*depth > 0.0);
            }
        }
        assert!(touched > 20, "{touched}");
    }
}

#[test]
fn the_force_of_a_pair_is_the_one_that_the_engine_exerts() {
    for (text, end) in [(PLANAR_FOOT, 0.5), (SPATIAL_FOOT, 0.4)] {
        let system = parsed(text);
        let (figure, table) = (Figure::of(&system), motion(&system, end, 161));
        let mut pushed = vec![0; figure.pairs.len()];
        for (k, pair) in figure.pairs.iter().enumerate() {
            let columns = PairColumns::find(&figure, k, &table).expect("columns");
            for sample in 0..table.len() {
                let (found, exerted) = (columns.at(sample).expect("a force"), touching(&system, &table, sample)[k]);
                let miss = (found.force - exerted.force()).norm();
                // The common normal of curved surfaces is searched anew, to some 1e-10.
                assert!(miss <= 1e-8 * exerted.normal_force, "{} {miss} {}", pair.name, exerted.normal_force);
                assert!((found.point - exerted.point).norm() < 1e-12);
                pushed[k] += usize::from(exerted.normal_force > 0.0);
            }
        }
        assert!(pushed.iter().all(|count| *count > 0), "{:?} {pushed:?}", system.names.pairs);
    }
}

#[test]
fn a_body_with_nothing_but_a_surface_is_drawn_by_it() {
    let figure = Figure::of(&parsed(PLANAR_FOOT));
    let [Solid::Ellipsoid(wheel)] = body(&figure, "wheel").solids[..] else { panic!("{:?}", body(&figure, "wheel").solids) };
    assert!(wheel.half == [0.04; 3] && wheel.power == 2.0 && matches!(body(&figure, "foot").solids[..], [Solid::Hull(_)]));
}

#[test]
fn a_trajectory_without_columns_of_contact_has_no_forces() {
    let system = parsed(PLANAR_FOOT);
    let (figure, bare) = (Figure::of(&system), Trajectory::new(Vec::new()).expect("a table"));
    assert!((0..figure.pairs.len() + 1).all(|pair| PairColumns::find(&figure, pair, &bare).is_none()));
}

#[test]
fn the_arrows_of_a_contact_add_up_to_the_total_that_a_run_records() {
    for (text, end) in [(PLANAR_FOOT, 0.3), (SPATIAL_FOOT, 0.2)] {
        let system = parsed(text);
        let (figure, table) = (Figure::of(&system), all_columns(&system, end));
        let mut largest = 0.0_f64;
        for (contact, name) in system.names.contacts.iter().enumerate() {
            let part = |axis: &str, sample: usize| {
                table.column(&format!("contact.{name}.total.force.{axis}")).map_or(0.0, |values| values[sample])
            };
            for sample in 0..table.len() {
                let pairs = system.numbers.contacts.pairs_of(contact);
                let forces = pairs.map(|k| PairColumns::find(&figure, k, &table).and_then(|pair| pair.at(sample)).expect("a force").force);
                let sum = forces.fold(Vec3::ZERO, |sum, force| sum + force);
                let total = vec3(part("x", sample), part("y", sample), part("z", sample));
                // Normals of curved pairs are searched anew, to some 1e-10.
                assert!((sum - total).norm() <= 1e-8 * total.norm(), "{name} {sum:?} {total:?}");
                largest = largest.max(total.norm());
            }
        }
        assert!(largest > 50.0, "{largest}");
    }
}
