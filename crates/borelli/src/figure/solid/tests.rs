//! Solids against their bodies: volume, centroid and moments by quadrature in space, which rule each body falls under, mirror images, odd bodies.

mod quadrature;

use super::*;
use crate::figure::{Figure, FigureBody, Sketch, distance};
use crate::recorded::{CORNER, meshed, motion, parsed, system};
use crate::{compile, gallery};

fn gallery_figures() -> impl Iterator<Item = (&'static str, Figure)> {
    gallery::names().map(|name| (name, Figure::of(&system(name))))
}

fn body<'f>(figure: &'f Figure, name: &str) -> &'f FigureBody {
    figure.bodies.iter().find(|body| body.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The only cone of a body.
fn cone(figure: &Figure, name: &str) -> Cone {
    match &body(figure, name).solids[..] {
        [Solid::Cone(cone)] => *cone,
        other => panic!("{name} is {other:?}"),
    }
}

/// The first solid of a body, a superellipsoid.
fn ellipsoid(figure: &Figure, name: &str) -> Ellipsoid {
    match body(figure, name).solids.first() {
        Some(Solid::Ellipsoid(ellipsoid)) => *ellipsoid,
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn limbs_have_the_volume_and_the_mass_centre_of_their_bodies() {
    let mut centred = 0;
    for (name, figure) in gallery_figures().filter(|(_, figure)| !figure.machine) {
        for body in &figure.bodies[1..] {
            let [Solid::Cone(cone)] = body.solids[..] else { continue };
            let (volume, centroid) = quadrature::cone(&cone);
            // Slices of a thousandth of the length.
            assert!((volume * 1050.0 / body.mass - 1.0).abs() < 1e-6, "{name} {} {volume}", body.name);
            let miss = centroid - (Vec3::from_array(body.center) - Vec3::from_array(cone.a)).dot(cone.direction());
            let ratio = cone.rb / cone.ra;
            if ratio > 0.55 + 1e-9 && ratio < 1.0 - 1e-9 {
                assert!(miss.abs() < 1e-6 * cone.length(), "{name} {} {miss}", body.name);
                centred += 1;
            } else {
                // No ratio that is allowed has the centroid there: it lies beyond that of the limit.
                let beyond = if ratio < 0.7 { miss > -1e-9 } else { miss < 1e-9 };
                assert!(beyond, "{name} {} {ratio} {miss}", body.name);
            }
        }
    }
    assert!(centred > 30, "{centred}");
}

#[test]
fn superellipsoids_have_the_volume_and_the_ratios_of_the_moments_of_their_bodies() {
    let figure = Figure::of(&system("human3d"));
    for name in ["pelvis", "torso", "head", "hand_l", "foot_r", "toes_l"] {
        let (solid, body) = (ellipsoid(&figure, name), body(&figure, name));
        let (volume, second) = quadrature::superellipsoid(&solid);
        assert!((volume * 1050.0 / body.mass - 1.0).abs() < 1e-6, "{name} {volume}");
        // J = tr(S) 1 − S of the second moments S, as the body's inertia but for a factor.
        let trace = second.trace();
        let found = [trace - second.xx, trace - second.yy, trace - second.zz, -second.xy, -second.xz, -second.yz];
        let factor = found.iter().take(3).sum::<f64>() / body.inertia.iter().take(3).sum::<f64>();
        let size = body.inertia[0].max(body.inertia[2]);
        for (found, given) in found.iter().zip(body.inertia) {
            assert!((found / factor - given).abs() < 1e-6 * size, "{name} {} {given}", found / factor);
        }
        assert_eq!(solid.at, body.center);
    }
}

#[test]
fn a_person_has_the_sizes_of_a_person() {
    let millimetres = |lengths: &[f64]| lengths.iter().map(|x| (1e3 * x).round()).collect::<Vec<f64>>();
    let figure = Figure::of(&system("human3d"));
    let (thigh, shank) = (cone(&figure, "thigh_r"), cone(&figure, "shank_r"));
    assert_eq!(millimetres(&[thigh.ra, thigh.rb, shank.ra, shank.rb]), [82.0, 62.0, 51.0, 41.0]);
    let torso = ellipsoid(&figure, "torso");
    assert_eq!(millimetres(&[torso.half[1], torso.half[2], torso.half[0]]), [284.0, 152.0, 114.0]);
    // Feet stand behind the ankle, which a cone from ankle to toes would not.
    assert!(body(&figure, "foot_r").solids[0].reach(vec3(-1.0, 0.0, 0.0)) > 0.05);
    let height = figure.height(&motion(&system("human3d"), 0.01, 2), 0).expect("a height");
    assert!((1.6..1.9).contains(&height), "{height}");
}

fn stoutness(name: &str) -> f64 {
    let system = system(name);
    let sketch = Sketch::of(&system);
    machine::stoutness(&sketch.frame(&system).parts(true)).expect("limbs")
}

#[test]
fn machines_are_told_from_people_by_how_stout_they_would_be() {
    for (name, expected) in [("andrews", 0.41), ("human3d", 0.14), ("cyclist-leg", 0.13)] {
        assert_eq!((100.0 * stoutness(name)).round() / 100.0, expected, "{name}");
    }
    let machines: Vec<&str> = gallery_figures().filter(|(_, figure)| figure.machine).map(|(name, _)| name).collect();
    assert_eq!(machines, ["andrews-disturbed", "andrews", "slider-crank"]);
    let andrews = Figure::of(&system("andrews"));
    // The triangle is a plate with the spring's end, others are rods of eight hundredths of their length; balls at joints.
    assert!(
        matches!(&body(&andrews, "BDE").solids[..], [Solid::Hull(hull), Solid::Ellipsoid(_), Solid::Ellipsoid(_)] if hull.points.len() == 3)
    );
    match &body(&andrews, "FE").solids[..] {
        [Solid::Cone(rod), Solid::Ellipsoid(ball)] => {
            assert!((rod.ra - 0.08 * 0.028).abs() < 1e-15 && rod.rb == rod.ra && rod.belly == 0.0);
            // The lengths of the six rods are 7, 20, 20, 28, 40 and 40 mm.
            assert!((ball.half[0] - 0.1 * 0.024).abs() < 1e-15, "{ball:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_rule_has_a_body_of_the_gallery() {
    let figure = |name: &str| Figure::of(&system(name));
    // A surface that is the body.
    let heel = figure("heel-mat");
    assert_eq!(ellipsoid(&heel, "heel").power, 2.0);
    assert_eq!(body(&heel, "heel").solids.len(), 1);
    // Head, neck and trunk: in the plane at a point, or at the tip of the rod; in space.
    let head_of = |figure: &Figure, name: &str| match &body(figure, name).solids[..] {
        [_, Solid::Cone(_), Solid::Ellipsoid(head)] => head.at,
        other => panic!("{other:?}"),
    };
    assert!(distance(head_of(&figure("walker7"), "hat"), [0.0, 0.72, 0.0]) < 1e-15);
    let tip = (3.0 * 3.84 / 54.23_f64).sqrt();
    assert!((head_of(&figure("ballistic-gait"), "hat")[1] - tip).abs() < 1e-12);
    assert!((head_of(&figure("lower-limb"), "trunk")[1] - (0.24 + (3.0 * 2.0 / 34.3_f64).sqrt())).abs() < 0.01);
    // A limb in the plane, and a limb that a muscle does not bend.
    assert!((cone(&figure("ballistic-gait"), "stance").length() - 0.898).abs() < 1e-12);
    // A superellipsoid with struts to neck and shoulders.
    let torso = figure("human3d");
    let struts: Vec<[f64; 3]> = (body(&torso, "torso").solids[1..].iter())
        .map(|solid| if let Solid::Cone(cone) = solid { cone.b } else { panic!("{solid:?}") })
        .collect();
    assert_eq!(struts, [[0.01, 0.5, 0.0], [0.0, 0.37, 0.17], [0.0, 0.37, -0.17]]);
    // A sole with circles of contact and without.
    let radius = |name: &str| match &body(&figure(name), "foot_r").solids[..] {
        [Solid::Hull(hull)] => hull.radius,
        other => panic!("{other:?}"),
    };
    assert_eq!((radius("walker7-contact"), radius("walker7")), (0.03, 0.08 * 0.19));
    // One anchor, a free body in the plane, a mass without moments.
    let driven = cone(&figure("driven-pendulum"), "segment");
    assert!(driven.a == [0.0; 3] || driven.b == [0.0; 3], "{driven:?}");
    assert_eq!(ellipsoid(&figure("projectile"), "plate").half[2], 0.2 * ellipsoid(&figure("projectile"), "plate").half[0]);
    let bob = figure("pendulum");
    assert!(matches!(&body(&bob, "bob").solids[..], [Solid::Ellipsoid(_), Solid::Cone(thread)] if thread.b == [0.0; 3]), "{bob:?}");
}

#[test]
fn a_head_and_its_trunk_weigh_and_balance_as_the_body() {
    for (model, name) in [("walker7", "hat"), ("ballistic-gait", "hat"), ("squat-jump", "hat"), ("cyclist-leg", "trunk_r")] {
        let figure = Figure::of(&system(model));
        let body = body(&figure, name);
        let [Solid::Cone(trunk), Solid::Cone(neck), Solid::Ellipsoid(head)] = body.solids[..] else { panic!("{:?}", body.solids) };
        let (trunk_volume, centroid) = quadrature::cone(&trunk);
        let (head_volume, _) = quadrature::superellipsoid(&head);
        let volume = body.mass / 1050.0;
        assert!((trunk_volume / (0.86 * volume) - 1.0).abs() < 1e-6 && (head_volume / (0.12 * volume) - 1.0).abs() < 1e-6, "{model}");
        let middle = Vec3::from_array(trunk.a) + trunk.direction().scale(centroid);
        let balance = middle.scale(0.86) + Vec3::from_array(head.at).scale(0.12) - Vec3::from_array(body.center).scale(0.98);
        // Along the axis as far as the trunk may taper; a point `head` may lie off the line of the mass centre.
        assert!(balance.dot(trunk.direction()).abs() < 0.02, "{model} {balance:?}");
        // The head stands free of the trunk, on its neck.
        let top = Vec3::from_array(head.at) - Vec3::from_array(neck.a);
        let top = top.scale(1.0 / top.norm());
        let gap = -Solid::Ellipsoid(head).reach(-top) - trunk.reach(top);
        assert!((gap - 0.3 * head.half[1] / 1.18).abs() < 1e-9, "{model} {gap}");
        assert!(neck.ra < 0.6 * head.half[2]);
    }
}

/// The image of a solid in the plane Z = 0, as points on it.
fn reaches(solid: &Solid, mirror: f64) -> Vec<f64> {
    let directions = [[1.0, 0.2, 0.3], [-0.4, 1.0, 0.7], [0.3, -1.0, 0.9], [-1.0, -0.3, -0.5], [0.1, 0.2, -1.0]];
    directions.iter().map(|[x, y, z]| solid.reach(vec3(*x, *y, mirror * z).scale(1.0 / (x * x + y * y + z * z).sqrt()))).collect()
}

#[test]
fn mirrored_bodies_have_mirrored_solids() {
    for name in ["human3d", "mirrored-legs", "lower-limb", "lower-limb-markers"] {
        let figure = Figure::of(&system(name));
        let mut pairs = 0;
        for right in figure.bodies.iter().filter(|body| body.name.ends_with("_r")) {
            let left = body(&figure, &right.name.replace("_r", "_l"));
            assert_eq!(left.solids.len(), right.solids.len());
            for (left, right) in left.solids.iter().zip(&right.solids) {
                for (a, b) in reaches(left, -1.0).iter().zip(reaches(right, 1.0)) {
                    assert!((a - b).abs() < 1e-12, "{name} {left:?} {right:?}");
                }
            }
            pairs += 1;
        }
        assert!(pairs > 2, "{name}");
    }
}

#[test]
fn sides_of_planar_models_are_drawn_apart_and_stay_where_they_are() {
    let walker = Figure::of(&system("walker7"));
    let (right, left) = (body(&walker, "thigh_r"), body(&walker, "thigh_l"));
    assert!(right.depth > 0.07 && right.depth < 0.1 && left.depth == -right.depth && body(&walker, "hat").depth == 0.0);
    assert_eq!(right.solids, left.solids);
    assert!(walker.sided && walker.forward == [1.0, 0.0, 0.0] && walker.right == [0.0, 0.0, 1.0]);
    let person = Figure::of(&system("human3d"));
    assert!(person.bodies.iter().all(|body| body.depth == 0.0) && person.sided);
    assert!(!Figure::of(&system("ballistic-gait")).sided);
}

#[test]
fn every_body_of_the_gallery_has_finite_solids_in_its_box() {
    for (name, figure) in gallery_figures() {
        for body in &figure.bodies[1..] {
            assert!(!body.solids.is_empty(), "{name} {}", body.name);
            sound(&body.solids, &format!("{name} {}", body.name));
        }
    }
}

/// All numbers are finite and sizes above zero; boxes hold points of the surfaces and no more.
fn sound(solids: &[Solid], what: &str) {
    let still = Pose { p: Vec3::ZERO, R: Mat3::IDENTITY };
    for solid in solids {
        let (low, high) = (solid.bounds(&still)[0], solid.bounds(&still)[1]);
        assert!((0..3).all(|k| low[k].is_finite() && high[k].is_finite() && low[k] < high[k]), "{what} {solid:?}");
        let points = quadrature::points(solid);
        for k in 0..3 {
            let (least, most) = points.iter().fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p[k]), b.max(p[k])));
            let size = high[k] - low[k];
            // Points of a surface miss the farthest one by some thousandths.
            assert!(least > low[k] - 1e-9 * size && least < low[k] + 5e-3 * size, "{what} {solid:?} {least} {}", low[k]);
            assert!(most < high[k] + 1e-9 * size && most > high[k] - 5e-3 * size, "{what} {solid:?} {most} {}", high[k]);
        }
    }
}

#[test]
fn odd_bodies_get_something_that_can_be_drawn() {
    let planar = "borelli = 1\ndimension = \"planar\"\n";
    let spatial = "borelli = 1\ndimension = \"spatial\"\n";
    let hinge = "[joint.j]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"b\"\n";
    let fixed = "[joint.j]\ntype = \"weld\"\nparent = \"world\"\nchild = \"b\"\n";
    let free = "[joint.j]\ntype = \"free\"\nparent = \"world\"\nchild = \"b\"\n";
    let cases = [
        ("no mass, one anchor", format!("{planar}[body.b]\nmass = 1\ninertia = 0\n{fixed}")),
        ("no mass, two anchors", format!("{planar}[body.b]\nmass = 1\ninertia = 0\npoint.tip = [0.3, 0]\n{fixed}")),
        (
            "no mass in space",
            format!("{spatial}[body.b]\nmass = 1\ninertia = [0, 0, 0]\npoint.tip = [0.3, 0, 0]\npoint.top = [0, 1, 0]\n{fixed}"),
        ),
        ("point mass at its joint", format!("{planar}[body.b]\nmass = 2\ninertia = 0\n{fixed}")),
        ("point mass on a lever", format!("{planar}[body.b]\nmass = 2\ncenter = [0, 1]\ninertia = 0\n{hinge}")),
        ("point mass in space", format!("{spatial}[body.b]\nmass = 2\ncenter = [0, 1, 0]\ninertia = [0, 0, 0]\n{hinge}")),
        ("free point mass", format!("{spatial}[body.b]\nmass = 2\ninertia = [1e-9, 1e-9, 1e-9]\n{free}")),
        ("anchors in one place", format!("{planar}[body.b]\nmass = 2\ninertia = 0.1\npoint.p = [0, 0]\npoint.q = [0, 1e-12]\n{hinge}")),
        ("anchors close together", format!("{planar}[body.b]\nmass = 2\ninertia = 1e-12\npoint.p = [0, 1e-6]\n{hinge}")),
        ("a needle", format!("{spatial}[body.b]\nmass = 1\ninertia = [1, 0, 1]\n{free}")),
        ("a plate", format!("{spatial}[body.b]\nmass = 1\ninertia = [1, 1, 2]\n{hinge}")),
        ("a heavy dot", format!("{planar}[body.b]\nmass = 1e6\ninertia = 1e-6\npoint.p = [1e-3, 0]\n{hinge}")),
        ("anchors on a line", format!("{planar}[body.b]\nmass = 2\ninertia = 0.01\npoint.p = [0.2, 0]\npoint.q = [0.4, 0]\n{hinge}")),
        (
            "a hat without joints",
            format!(
                "{planar}[body.hat]\nmass = 50\ninertia = 3\npoint.head = [0, 0.5]\n[joint.j]\ntype = \"planar\"\nparent = \"world\"\nchild = \"hat\"\n"
            ),
        ),
        (
            "a hat on its middle",
            format!("{planar}[body.hat]\nmass = 50\ninertia = 3\n[joint.j]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"hat\"\n"),
        ),
        (
            "a short hat",
            format!(
                "{planar}[body.hat]\nmass = 500\ncenter = [0, 0.1]\ninertia = 0.1\npoint.head = [0, 0.2]\n[joint.j]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"hat\"\n"
            ),
        ),
    ];
    for (what, text) in cases {
        let Ok(model) = crate::Model::parse("odd.toml", &text) else { panic!("{what} cannot be read:\n{text}") };
        let Ok(system) = compile(&model) else { panic!("{what} cannot be compiled") };
        // Model files cannot say that there is no mass, but parameters can.
        let massless = |path: &str| what.starts_with("no mass") && path.ends_with(".mass");
        let values: Vec<f64> = system.parameters.iter().map(|p| if massless(&p.path) { 0.0 } else { p.value }).collect();
        let system = system.with_parameters(&values);
        let figure = Figure::of(&system);
        assert!(!figure.bodies[1].solids.is_empty(), "{what}");
        sound(&figure.bodies[1].solids, what);
    }
}

#[test]
fn a_figure_is_as_high_as_its_solids_at_a_sample() {
    // A ball of 5 cm on a line 1 m long that stands still: from the pivot's thread to the ball's far side.
    let pendulum = parsed(
        "borelli = 1\ndimension = \"planar\"\n[body.bob]\nmass = \"1 kg\"\ncenter = [0, -1]\ninertia = 0\n\
         [joint.j]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"bob\"\n",
    );
    let (figure, table) = (Figure::of(&pendulum), motion(&pendulum, 0.01, 2));
    let radius = (3.0 / (4.0 * std::f64::consts::PI * 1050.0)).cbrt();
    let thread = 0.012 * (1.0 + radius);
    assert!((figure.height(&table, 0).expect("a height") - (1.0 + radius + thread)).abs() < 1e-12);
    let [low, high] = figure.bounds(&table, 0).expect("a box");
    assert!((low[1] + 1.0 + radius).abs() < 1e-12 && (high[1] - thread).abs() < 1e-12 && (high[0] - radius).abs() < 1e-12);
}

#[test]
fn a_body_that_is_no_flesh_has_the_moments_of_its_size_and_no_two_ends_alike() {
    let figure = Figure::of(&system("top"));
    let [Solid::Ellipsoid(solid), Solid::Cone(long), Solid::Cone(next), Solid::Ellipsoid(knob)] = &body(&figure, "top").solids[..] else {
        panic!("{:?}", body(&figure, "top").solids)
    };
    // m (b² + c²)/5 are 1, 2 and 3 kg m² of 1 kg for a = √10, b = √5 and c = 0, which is drawn a fifth as thick as it is long.
    let mut half = solid.half;
    half.sort_by(f64::total_cmp);
    for (found, expected) in half.into_iter().zip([0.2 * 10.0_f64.sqrt(), 5.0_f64.sqrt(), 10.0_f64.sqrt()]) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{half:?}");
    }
    let end = |cone: &Cone| Vec3::from_array(cone.b);
    assert!(solid.gauge(end(long)) > 1.0 && solid.gauge(end(next)) > 1.0 && end(long).dot(end(next)).abs() < 1e-12);
    assert_eq!((knob.at, solid.gauge(-end(next)) > 1.0), (next.b, true));
    // The flesh of a person is none of these.
    assert!(body(&Figure::of(&system("human3d")), "head").solids.len() < 3);
}

#[test]
fn a_body_with_a_mesh_is_the_mesh_and_one_too_large_is_left_out_with_a_note() {
    let figure = Figure::of(&meshed(CORNER));
    let Some(Solid::Mesh(mesh)) = body(&figure, "upper").solids.first() else { panic!("{:?}", body(&figure, "upper").solids) };
    assert_eq!(
        mesh.vertices,
        [[0.0, -0.1, 0.0], [0.0, 0.0, 0.0], [0.2, -0.1, 0.0], [0.0, -0.1, 0.1]].map(|p: [f64; 3]| p.map(|x| x as f32))
    );
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 1], [2, 1, 3]]);
    assert!(!matches!(body(&figure, "lower").solids[0], Solid::Mesh(_)) && figure.notes.is_empty());
    // It reaches as far as its corners do: along the diagonal of the corner to the end on X.
    let reach = Solid::Mesh(mesh.clone()).reach(vec3(0.6, 0.8, 0.0));
    assert!((reach - (0.6 * 0.2 - 0.8 * 0.1)).abs() < 1e-7, "{reach}");

    // 100 by 100 squares of two triangles are 363 kB.
    let mut large = String::new();
    for k in 0..101 * 101 {
        large.push_str(&format!("v {} {} 0\n", k % 101, k / 101));
    }
    for k in (1..101 * 100).filter(|k| k % 101 != 0) {
        large.push_str(&format!("f {} {} {} {}\n", k, k + 1, k + 102, k + 101));
    }
    let figure = Figure::of(&meshed(&large));
    assert!(!matches!(body(&figure, "upper").solids[0], Solid::Mesh(_)));
    assert_eq!(
        figure.notes,
        [
            "The mesh of upper, corner.obj, is left out: a page holds 200 kB for one body, and it has 363 kB. A mesh with fewer triangles will be drawn."
        ]
    );
}
