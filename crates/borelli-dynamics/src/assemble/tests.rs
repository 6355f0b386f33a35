//! Guards of assembling: closed forms of linkages, published starts, and every way it can fail.

use super::{AssemblyFault, assemble, assemble_under, branches, check};
use crate::compile;
use crate::constraint::RowControl;
use crate::formulation::Failure;
use crate::frames::Frames;
use crate::memory::Memory;
use crate::system::System;
use borelli_math::Vec3;
use borelli_model::Model;
use borelli_testkit::{Random, assert_close};
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// A model of the gallery without its forces, which assembling does not look at.
fn model(file: &str) -> System {
    let mut model = Model::read(&gallery().join(file)).unwrap_or_else(|r| panic!("{}", r.findings.render(&r.sources)));
    model.forces.clear();
    compile(&model).unwrap_or_else(|r| panic!("{}", r.findings.render(&r.sources)))
}

fn build(text: &str) -> System {
    let model = Model::parse("test.toml", text).unwrap_or_else(|r| panic!("{}", r.findings.render(&r.sources)));
    compile(&model).unwrap_or_else(|r| panic!("{}", r.findings.render(&r.sources)))
}

/// Adds text to a model of the gallery.
fn extended(file: &str, text: &str) -> System {
    build(&(std::fs::read_to_string(gallery().join(file)).expect("the gallery") + text))
}

fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// Coupler (relative) and rocker angle of the four-bar of the gallery, by the two intersections of circles.
fn four_bar(crank: f64, side: f64) -> [f64; 2] {
    let (ground, a, b, c) = (0.32, 0.1, 0.3, 0.25);
    let (bx, by): (f64, f64) = (a * crank.cos(), a * crank.sin());
    let (dx, dy) = (ground - bx, -by);
    let d = dx.hypot(dy);
    let along = (b * b - c * c + d * d) / (2.0 * d);
    let height = side * (b * b - along * along).sqrt();
    let (cx, cy) = (bx + (along * dx - height * dy) / d, by + (along * dy + height * dx) / d);
    [(cy - by).atan2(cx - bx) - crank, cy.atan2(cx - ground)]
}

#[test]
fn a_four_bar_linkage_closes_in_its_two_ways() {
    let system = model("four-bar.toml");
    let crank = 60f64.to_radians();
    let [coupler, rocker] = four_bar(crank, 1.0);
    // 0.3 rad off in both angles.
    let start = [crank, coupler + 0.3, rocker - 0.3];
    let held = [true, false, false];
    let found = assemble(&system, 0.0, &start, &[2.0, 0.0, 0.0], &held).expect("a linkage");
    assert_close(&found.q, &[crank, coupler, rocker], 1e-13, "open side");
    assert!(found.position_before > 0.05 && found.position_after < 1e-15, "{found:?}");
    assert_eq!((found.free, found.redundant.len(), found.v[0]), (1, 0, 2.0));

    // Velocities against the slope of the closed form.
    let h = 1e-4;
    let slope = |k: usize| 2.0 * (four_bar(crank + h, 1.0)[k] - four_bar(crank - h, 1.0)[k]) / (2.0 * h);
    assert_close(&found.v[1..], &[slope(0), slope(1)], 1e-7, "rates");
    assert!(found.velocity_after < 1e-14);

    let both = branches(&system, 0.0, &start, &held, 40);
    assert_eq!(both.len(), 2, "{both:?}");
    assert_close(&both[0].q, &found.q, 1e-15, "the first is the one taken");
    let crossed = four_bar(crank, -1.0);
    assert_close(&[wrapped(both[1].q[1] - crossed[0]), wrapped(both[1].q[2] - crossed[1])], &[0.0; 2], 1e-12, "crossed side");
    assert_eq!(both[0].sign * both[1].sign, -1);
    assert!(both[0].distance < both[1].distance);
}

#[test]
fn without_a_held_angle_the_branches_share_what_assembling_chose() {
    let system = model("four-bar.toml");
    let both = branches(&system, 0.0, &system.start.q, &[], 40);
    assert_eq!(both.len(), 2, "{both:?}");
    let shared = (0..3).filter(|k| wrapped(both[0].q[*k] - both[1].q[*k]).abs() < 1e-12).count();
    assert_eq!(shared, 1);
}

#[test]
fn a_slider_crank_is_closed_by_its_formula() {
    let system = model("slider-crank.toml");
    let (r, l, crank, rate) = (0.1, 0.35, 45f64.to_radians(), 20.0);
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).expect("a linkage");
    let root = (l * l - (r * crank.sin()).powi(2)).sqrt();
    let rod = -(r * crank.sin() / l).asin();
    assert_close(&found.q, &[crank, rod - crank, r * crank.cos() + root], 1e-13, "positions");
    let rod_rate = -rate * r * crank.cos() / root;
    let block_rate = -rate * r * crank.sin() * (1.0 + r * crank.cos() / root);
    assert_close(&found.v, &[rate, rod_rate - rate, block_rate], 1e-12, "velocities");
}

#[test]
fn a_disturbed_squeezer_returns_to_its_published_start() {
    let system = model("andrews-disturbed.toml");
    let exact = model("andrews.toml").start.q;
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).expect("a mechanism");
    assert!(found.position_before > 1e-3);
    assert!(found.position_after < 1e-16, "{:e}", found.position_after);
    // The loops are short, so that a residual of 1e-17 m still leaves some 1e-15 rad.
    assert_close(&found.q, &exact, 1e-13, "angles");
    assert_eq!(found.free, 1);
}

/// A parallelogram that begins with all bars in one line, and one beside it.
#[test]
fn a_start_in_a_singular_position_is_called_so() {
    let text = |angle: f64| {
        let rod = |name: &str, parent: &str| {
            format!(
                "[body.{name}]\nmass = 1\ncenter = [0.5, 0]\ninertia = 0.1\npoint.tip = [1, 0]\n\
                 [joint.{name}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"{name}\"\n"
            )
        };
        format!(
            "borelli = 1\ndimension = \"planar\"\n[world.point]\nA = [0, 0]\nB = [1, 0]\n{}{}{}[loop.closed]\ntype = \"coincident\"\n\
             a = \"bar.tip\"\nb = \"right.tip\"\n[initial]\ncoordinates = {{ left = {angle:?}, right = {angle:?}, bar = {:?} }}\n",
            rod("left", "world.A"),
            rod("right", "world.B"),
            rod("bar", "left.tip"),
            -angle
        )
    };
    let said = |angle: f64| check(&build(&text(angle))).iter().map(|finding| finding.code).collect::<Vec<&str>>();
    assert_eq!(said(0.0), ["singular-start"]);
    assert_eq!(said(0.3), [""; 0]);
}

#[test]
fn a_loop_given_twice_is_redundant_and_named() {
    let system = extended("four-bar.toml", "\n[loop.again]\ntype = \"coincident\"\na = \"rocker.C\"\nb = \"coupler.C\"\n");
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).expect("a linkage");
    assert_eq!(found.redundant, ["loop.again.x", "loop.again.y"]);
    assert_eq!(found.free, 1);
    assert!(found.position_after < 1e-15);
    let text = check(&system).render(&system.sources);
    assert!(text.contains("warning[redundant-constraints]") && text.contains("loop.again.x, loop.again.y"), "{text}");
}

#[test]
fn parallel_pins_in_space_leave_three_rows_without_meaning() {
    let system = model("redundant-loop.toml");
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).expect("a linkage");
    assert_eq!(found.redundant, ["loop.C.z", "loop.C.tilt_u", "loop.C.tilt_w"]);
    assert_eq!(found.free, 1);
}

#[test]
fn two_guides_of_one_coordinate_contradict_each_other() {
    let guides = "\n[guide.first]\ntype = \"coordinate\"\ncoordinate = \"crank\"\nfunction = 0.1\n\
        [guide.second]\ntype = \"coordinate\"\ncoordinate = \"crank\"\nfunction = 0.2\n";
    let system = extended("four-bar.toml", guides);
    let fault = assemble(&system, 0.0, &system.start.q, &system.start.v, &[]).expect_err("contradiction");
    let AssemblyFault::Conflict { rows } = &fault else { panic!("{fault}") };
    assert_eq!(rows.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["guide.first.coordinate", "guide.second.coordinate"]);
    assert_close(&[rows[0].1, rows[1].1], &[0.05, -0.05], 1e-6, "the best compromise");
    assert!(fault.to_string().contains("hint:"));
    assert!(check(&system).has_errors());
}

#[test]
fn two_guides_that_agree_now_but_not_in_speed_contradict_each_other() {
    let guides = "\n[guide.first]\ntype = \"coordinate\"\ncoordinate = \"crank\"\nfunction = 0.1\n\
        [guide.second]\ntype = \"coordinate\"\ncoordinate = \"crank\"\nfunction = { type = \"polynomial\", coefficients = [0.1, 1] }\n";
    let system = extended("four-bar.toml", guides);
    let fault = assemble(&system, 0.0, &system.start.q, &system.start.v, &[]).expect_err("contradiction");
    assert!(matches!(&fault, AssemblyFault::Conflict { rows } if rows.len() == 2), "{fault}");
}

#[test]
fn a_rod_that_does_not_reach_is_named() {
    let rod = "\n[loop.short]\ntype = \"rod\"\na = \"rocker.C\"\nb = \"world.far\"\nlength = \"5 cm\"\n";
    let text = std::fs::read_to_string(gallery().join("four-bar.toml")).expect("the gallery") + rod;
    let system = build(&text.replace("A = [0, 0]", "A = [0, 0]\nfar = [3, 0]"));
    let fault = assemble(&system, 0.0, &system.start.q, &system.start.v, &[]).expect_err("too short");
    let AssemblyFault::Unreachable { rows } = &fault else { panic!("{fault}") };
    assert!(rows.iter().any(|(name, left)| name == "loop.short.length" && *left > 1.0), "{fault}");
}

#[test]
fn held_coordinates_that_leave_no_way_are_told() {
    let system = model("four-bar.toml");
    let fault = assemble(&system, 0.0, &system.start.q, &system.start.v, &[true; 3]).expect_err("nothing may move");
    assert!(matches!(fault, AssemblyFault::Unreachable { .. }), "{fault}");
    assert!(fault.to_string().contains("`hold`"));
}

#[test]
fn a_block_at_the_end_of_its_stroke_cannot_be_given_a_speed() {
    let system = model("slider-crank.toml");
    // Crank and rod in line: the block is as far out as it can be.
    let held = [false, false, true];
    assert!(assemble(&system, 0.0, &[0.0, 0.0, 0.45], &[20.0, 0.0, 0.0], &held).is_ok());
    let fault = assemble(&system, 0.0, &[0.0, 0.0, 0.45], &[20.0, 0.0, 1.0], &held).expect_err("no way out");
    let AssemblyFault::Unreachable { rows } = &fault else { panic!("{fault}") };
    assert_eq!(rows.len(), 1, "{fault}");
    assert_eq!(rows[0], ("loop.wrist.x".to_string(), 1.0));
}

#[test]
fn a_held_velocity_gives_way_to_a_guide_that_prescribes_it() {
    let guide = "\n[guide.drive]\ntype = \"coordinate\"\ncoordinate = \"crank\"\nfunction = { type = \"polynomial\", coefficients = [\"60 deg\", \"3 rad/s\"] }\n";
    let system = extended("four-bar.toml", guide);
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).expect("a linkage");
    assert_close(&found.v[..1], &[3.0], 1e-14, "speed of the crank");
    assert_eq!(found.free, 0);
}

#[test]
fn a_table_that_ends_before_the_time_asked_for_is_named() {
    let guide = "\n[guide.drive]\ntype = \"coordinate\"\ncoordinate = \"crank\"\nfunction = \"turn\"\n\
        [function.turn]\ntype = \"table\"\nx = [0, 1, 2]\ny = [1, 1.1, 1.3]\n";
    let system = extended("four-bar.toml", guide);
    assert!(assemble(&system, 2.0, &system.start.q, &system.start.v, &[]).is_ok());
    let fault = assemble(&system, 2.5, &system.start.q, &system.start.v, &[]).expect_err("beyond the table");
    assert!(fault.to_string().starts_with("function `turn` is asked for at 2.5 s, outside its table from 0 s to 2 s"), "{fault}");
}

#[test]
fn a_guided_leg_starts_with_the_published_velocities() {
    let system = model("half-hat-leg.toml");
    // Hat, thigh, leg, foot: x, y and angular velocity of the mass centres.
    let published = [
        [1.39435745077261, 0.00462284482757772, 0.768965404860839],
        [2.06032120913890, -0.0711425036655352, 3.26653678206197],
        [2.38407732408711, 0.158938491420052, -2.23922425553936],
        [1.79589883494986, 0.576755883456152, -4.21409035268033],
    ];
    // From rest, and from the velocities as measured, which miss the guides by up to 0.23 rad/s.
    let measured = [0.73275, 3.39980, -2.07573, -3.98255];
    let raw = [1.38137, 0.05727, measured[0], measured[1] - measured[0], measured[2] - measured[1], measured[3] - measured[2]];
    for (start, miss) in [([0.0; 6], 4.21409035268033), (raw, 4.21409035268033 - 3.98255)] {
        let found = assemble(&system, 0.0, &system.start.q, &start, &[]).expect("a leg");
        assert_close(&[found.velocity_before], &[miss], 1e-12, "violation");
        assert!(found.position_after < 1e-15 && found.velocity_after < 1e-14, "{found:?}");
        assert_eq!(found.free, 0);
        let (skeleton, tree) = (&system.skeleton, &system.numbers.tree);
        let mut frames = Frames::new(skeleton);
        frames.fill::<f64, false>(skeleton, tree, &found.q, &found.v, &[]);
        frames.fill_points(skeleton);
        for (k, expected) in published.iter().enumerate() {
            let b = k + 1;
            let to_center: Vec3<f64> = frames.R[b] * tree.mc_B[b].scale(1.0 / tree.mass[b]);
            let velocity = frames.v[b] + frames.w[b].cross(to_center);
            assert_close(&[velocity.x, velocity.y, frames.w[b].z], expected, 1e-12, &system.names.bodies[b]);
        }
    }
}

#[test]
fn spatial_loops_close_from_disturbed_starts() {
    let mut random = Random::new(21);
    for file in ["spatial-loop.toml", "spatial-loop-welded.toml", "spatial-four-bar.toml", "spatial-rod.toml"] {
        let system = model(file);
        let at_start =
            assemble(&system, 0.0, &system.start.q, &system.start.v, &system.start.held).unwrap_or_else(|f| panic!("{file}: {f}"));
        for _ in 0..5 {
            let mut q = at_start.q.clone();
            let mut step = random.uniforms(system.skeleton.dofs(), -0.2, 0.2);
            step.iter_mut().zip(&system.start.held).for_each(|(x, held)| *x *= f64::from(!*held));
            crate::retract::retract(&system.skeleton, &mut q, &step);
            let found = assemble(&system, 0.0, &q, &system.start.v, &system.start.held).unwrap_or_else(|f| panic!("{file}: {f}"));
            assert!(found.position_after < 1e-14 && found.velocity_after < 1e-13, "{file}: {found:?}");
            assert_eq!(found.free, at_start.free, "{file}");
        }
    }
}

#[test]
fn a_rocker_held_out_of_reach_is_told_apart_from_a_conflict() {
    let system = model("four-bar.toml");
    // At 0 the rocker's end is 0.57 m from the crank's pivot, crank and coupler together have 0.4 m.
    let fault = assemble(&system, 0.0, &[0.2, 0.1, 0.0], &[0.0; 3], &[false, false, true]).expect_err("out of reach");
    let AssemblyFault::Unreachable { rows } = &fault else { panic!("{fault}") };
    assert_close(&[rows[0].1.hypot(rows.get(1).map_or(0.0, |row| row.1))], &[0.17], 1e-6, "what is missing");
}

#[test]
fn a_system_without_rows_keeps_its_state() {
    let system = model("double-pendulum.toml");
    let (q, v) = ([0.1, 7.0], [3.0, -2.0]);
    let found = assemble(&system, 0.0, &q, &v, &[]).expect("nothing to do");
    assert_eq!((found.q, found.v, found.free, found.iterations), (q.to_vec(), v.to_vec(), 2, 0));
    assert_eq!(branches(&system, 0.0, &q, &[], 5).len(), 1);
}

#[test]
fn a_state_that_does_not_fit_is_refused() {
    let system = model("four-bar.toml");
    let short = assemble(&system, 0.0, &[0.0], &[0.0; 3], &[]);
    assert!(matches!(short, Err(AssemblyFault::State(Failure::WrongLength { .. }))));
    let wild = assemble(&system, 0.0, &[0.0, f64::NAN, 0.0], &[0.0; 3], &[]);
    assert!(matches!(wild, Err(AssemblyFault::State(Failure::StateNotFinite { .. }))));
}

const GIMBAL: &str = r#"
borelli = 1
name = "gimbal"
dimension = "spatial"
[body.top]
mass = 1
inertia = [1, 2, 2.5]
center = [0, 0.1, 0]
[joint.neck]
type = "gimbal"
parent = "world"
child = "top"
[initial]
coordinates = { neck_2 = "90 deg" }
"#;

#[test]
fn parallel_axes_of_a_gimbal_are_warned_of() {
    let system = build(GIMBAL);
    let text = check(&system).render(&system.sources);
    assert!(text.contains("warning[singular-start]") && text.contains("`neck`"), "{text}");
    assert!(!check(&system).has_errors(), "{text}");
    assert!(check(&build(&GIMBAL.replace("90 deg", "80 deg"))).is_empty());
}

#[test]
fn a_point_mass_on_its_own_hinge_has_no_inertia_there() {
    let text = r#"
borelli = 1
name = "points"
dimension = "planar"
[body.rod]
mass = 1
inertia = 0
center = [0, -0.5]
point.end = [0, -1]
[body.bob]
mass = 1
inertia = 0
[joint.pivot]
type = "hinge"
parent = "world"
child = "rod"
[joint.eye]
type = "hinge"
parent = "rod.end"
child = "bob"
"#;
    let system = build(text);
    let found = check(&system).render(&system.sources);
    assert!(found.contains("error[no-inertia-at-joint]") && found.contains("`eye`") && !found.contains("`pivot`"), "{found}");
    // With its mass off the axis it has some; two hinges on one axis share it, which leaves none for the second.
    assert!(
        check(&build(&text.replace("[body.bob]\nmass = 1\ninertia = 0", "[body.bob]\nmass = 1\ninertia = 0\ncenter = [0.1, 0]")))
            .is_empty()
    );
    let shared =
        text.replace("mass = 1\ninertia = 0\ncenter = [0, -0.5]\npoint.end = [0, -1]", "mass = 1\ninertia = 0\npoint.end = [0, 0]");
    let system = build(&shared.replace("[body.bob]\nmass = 1\ninertia = 0", "[body.bob]\nmass = 1\ninertia = 0.1\ncenter = [0, 0.3]"));
    let found = check(&system).render(&system.sources);
    assert!(found.contains("`pivot`") && !found.contains("`eye`"), "{found}");
}

#[test]
fn every_model_of_the_gallery_assembles() {
    let mut files: Vec<String> = std::fs::read_dir(gallery())
        .expect("the gallery")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    files.sort();
    assert!(files.len() > 20);
    for file in files {
        let system = model(&file);
        let findings = check(&system);
        assert!(!findings.has_errors(), "{file}:\n{}", findings.render(&system.sources));
    }
}

const ONE_BODY: &str = "borelli = 1\nname = \"one\"\ndimension = \"DIM\"\n[body.a]\nmass = 1\ninertia = INERTIA\n\
    [joint.j]\ntype = \"JOINT\"\nparent = \"world\"\nchild = \"a\"\n";

/// A single body on a joint to the world, with more text.
fn one_body(joint: &str, more: &str) -> System {
    let (dimension, inertia) = if joint == "free" { ("spatial", "[0.1, 0.2, 0.15]") } else { ("planar", "0.1") };
    build(&(ONE_BODY.replace("DIM", dimension).replace("INERTIA", inertia).replace("JOINT", joint) + more))
}

fn guided(joint: &str, coordinate: &str, value: &str) -> f64 {
    let system = one_body(joint, &format!("[guide.g]\ntype = \"coordinate\"\ncoordinate = \"{coordinate}\"\nfunction = \"{value}\"\n"));
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &[]).unwrap_or_else(|fault| panic!("{joint} to {value}: {fault}"));
    assert!(found.position_after == 0.0, "{found:?}");
    let k = system.names.coordinates.iter().position(|c| c.name == coordinate).expect("a coordinate");
    found.q[k]
}

#[test]
fn a_guided_coordinate_is_reached_however_far_it_is() {
    assert_eq!(guided("hinge", "j", "150 rad"), 150.0);
    assert_eq!(guided("hinge", "j", "-1e6 rad"), -1e6);
    assert_eq!(guided("free", "j_pz", "0.2 m"), 0.2);
    assert_eq!(guided("planar", "j_x", "1e5 m"), 1e5);
    let slider = ONE_BODY.replace("DIM", "planar").replace("INERTIA", "0.1").replace("JOINT", "slider") + "axis = [0, 1]\n";
    let system = build(&(slider + "[guide.g]\ntype = \"coordinate\"\ncoordinate = \"j\"\nfunction = \"0.9 m\"\n"));
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &[]).expect("a slider");
    assert_eq!(found.q, [0.9]);
}

#[test]
fn a_rod_on_a_free_body_pushes_it_to_its_length() {
    for length in [1.0, 300.0] {
        let system = one_body("planar", &format!("[loop.r]\ntype = \"rod\"\na = \"a\"\nb = \"world\"\nlength = {length}\n"));
        let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &[]).expect("a rod");
        assert_close(&[found.q[0].hypot(found.q[1])], &[length], 1e-12, "distance");
    }
}

#[test]
fn a_point_guided_far_away_takes_its_body_with_it() {
    let text = ONE_BODY.replace("DIM", "planar").replace("INERTIA", "0.1\npoint.tip = [0.1, 0]").replace("JOINT", "planar")
        + "[guide.g]\ntype = \"point\"\npoint = \"a.tip\"\nx = \"0 m\"\ny = \"10 km\"\n";
    let system = build(&text);
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &[]).expect("a body");
    assert!(found.position_after < 1e-8, "{found:?}");
}

/// A planar chain of links of 1 m, mass centres half way.
fn chain(n: usize) -> System {
    let mut text = String::from("borelli = 1\ndimension = \"planar\"\n");
    for k in 0..n {
        let parent = if k == 0 { "world".to_string() } else { format!("b{}.tip", k - 1) };
        text += &format!("[body.b{k}]\nmass = 1\ninertia = 0.1\ncenter = [0, -0.5]\npoint = {{ tip = [0, -1] }}\n");
        text += &format!("[joint.j{k}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"b{k}\"\n");
    }
    build(&text)
}

#[test]
fn a_long_chain_has_inertia_at_every_hinge() {
    let mut system = chain(20_000);
    assert!(check(&system).is_empty());
    // Bent, so that every link carries the weight of those below at an arm.
    system.start.q.iter_mut().enumerate().for_each(|(k, q)| *q = if k % 2 == 0 { 0.5 } else { -0.5 });
    assert!(check(&system).is_empty());
}

#[test]
fn what_cannot_be_computed_at_the_start_is_named_with_its_cause() {
    let hinge = |more: &str| {
        let system = one_body("hinge", more);
        let findings = check(&system);
        assert!(findings.has_errors());
        findings.render(&system.sources)
    };
    let guide = |expression: &str| {
        hinge(&format!(
            "[guide.g]\ntype = \"coordinate\"\ncoordinate = \"j\"\nfunction = {{ type = \"expression\", expression = \"{expression}\" }}\n"
        ))
    };
    for (expression, what) in
        [("ln(t)", "value at 0 s: it is -inf"), ("sqrt(t - 1)", "value at 0 s: it is NaN"), ("sqrt(t)", "slope at 0 s: it is inf")]
    {
        let text = guide(expression);
        assert!(text.contains("error[row-not-finite]") && text.contains(&format!("`guide.g.coordinate` has no finite {what}")), "{text}");
    }
    let force = "[force.f]\ntype = \"effort\"\ncoordinate = \"j\"\neffort = { type = \"expression\", expression = \"ln(-1 - t)\" }\n";
    let text = hinge(force);
    assert!(text.contains("error[start-not-computable]") && text.contains("`j`"), "{text}");

    let large = ONE_BODY.replace("DIM", "planar").replace("INERTIA", "1e308\ncenter = [1e200, 0]").replace("JOINT", "hinge");
    let system = build(&large.replace("mass = 1\n", "mass = 1e308\n"));
    let text = check(&system).render(&system.sources);
    assert!(text.contains("error[inertia-too-large]") && !text.contains("no-inertia"), "{text}");
    let system = one_body("function", "angle = \"1 rad\"\n");
    let text = check(&system).render(&system.sources);
    assert!(text.contains("error[joint-stands-still]") && !text.contains("no-inertia"), "{text}");
}

#[test]
fn a_linkage_far_from_closed_keeps_the_side_it_starts_on() {
    let system = model("four-bar.toml");
    let mut random = Random::new(7);
    for k in 0..72 {
        let crank = f64::from(k) * TAU / 72.0;
        for side in [1.0, -1.0] {
            let [coupler, rocker] = four_bar(crank, side);
            let off = random.uniforms(2, -0.3, 0.3);
            let start = [crank, coupler + off[0], rocker + off[1]];
            let found = assemble(&system, 0.0, &start, &[0.0; 3], &[true, false, false]).expect("a linkage");
            assert_close(&found.q, &[crank, coupler, rocker], 1e-12, "the side of the start");
        }
    }
}

#[test]
fn a_stack_of_many_bodies_unfolds_in_few_steps() {
    let mut text = String::from("borelli = 1\ndimension = \"planar\"\n");
    for k in 0..60 {
        text += &format!(
            "[body.b{k}]\nmass = 1\ninertia = 0.1\npoint.e = [0, -0.1]\n[joint.j{k}]\ntype = \"planar\"\nparent = \"world\"\nchild = \"b{k}\"\n"
        );
        if k > 0 {
            text += &format!("[loop.l{k}]\ntype = \"coincident\"\na = \"b{}.e\"\nb = \"b{k}\"\n", k - 1);
        }
    }
    let system = build(&text);
    let fault = assemble(&system, 0.0, &system.start.q, &system.start.v, &[true; 180]).expect_err("nothing may move");
    assert!(fault.to_string().contains(", and 47 more cannot be met"), "{fault}");
    let found = assemble(&system, 0.0, &system.start.q, &system.start.v, &[]).expect("a chain");
    assert!(found.iterations < 10 && found.position_after < 1e-14 && found.free == 62, "{} steps", found.iterations);
    assert_close(&[found.q[1] - found.q[3 * 59 + 1]], &[5.9], 1e-12, "length");
}

#[test]
fn released_rows_are_left_out_and_others_are_met_where_they_are_held() {
    let system = build(
        "borelli = 1\ndimension = \"planar\"\n[body.foot]\nmass = 1\ninertia = 1\n[joint.place]\ntype = \"planar\"\nparent = \"world\"\nchild = \"foot\"\n\
         coordinates = [\"x\", \"y\", \"turn\"]\n[loop.ground]\ntype = \"coincident\"\na = \"world\"\nb = \"foot\"\n\
         [loop.level]\ntype = \"relation\"\ncoefficients = { turn = 2 }\noffset = 0.4\n",
    );
    let (q, v) = ([0.3, 0.5, 0.0], [1.0, 2.0, 3.0]);
    let names: Vec<String> = system.names.rows.iter().map(|row| row.path()).collect();
    assert_eq!(names, ["loop.ground.x", "loop.ground.y", "loop.level.sum"]);
    let released = RowControl::of(Memory::letting_go(&[true, true, false]));
    let found = assemble_under(&system, 0.0, &q, &v, &[false; 3], &released).expect("a foot in the air");
    assert_close(&found.q, &[0.3, 0.5, 0.2], 1e-14, "only the relation moves it");
    assert_close(&found.v, &[1.0, 2.0, 0.0], 1e-14, "and stops its turn");
    assert!(found.free == 2 && found.redundant.is_empty() && found.position_before == 0.4, "{found:?}");
    let elsewhere = RowControl::of(Memory::held_at(&[0.1, -0.2, 0.6]));
    let found = assemble_under(&system, 0.0, &q, &v, &[false; 3], &elsewhere).expect("a foot on the ground");
    assert_close(&found.q, &[0.1, -0.2, 0.5], 1e-14, "where each row is held");
    assert_eq!(found.free, 0);
    // A function that is not defined at the start does not matter where nothing follows it.
    let guided = build(
        "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 1\ninertia = 1\n[joint.j]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\n\
         [guide.g]\ntype = \"coordinate\"\ncoordinate = \"j\"\nfunction = { type = \"expression\", expression = \"ln(x)\" }\n",
    );
    assert!(assemble(&guided, 0.0, &[0.1], &[0.2], &[false]).is_err());
    let free = RowControl::of(Memory::letting_go(&[true]));
    assert_eq!(assemble_under(&guided, 0.0, &[0.1], &[0.2], &[false], &free).expect("nothing to meet").q, [0.1]);
}
