//! Soft parts read from model files: numbers, parameters, faults.

use super::survey;
use crate::compile::{compile, misfits};
use crate::formulation::FORMULATIONS;
use crate::implicit_movement::{ImplicitMovement, ImplicitOptions};
use crate::movement::{Movement, Options};
use crate::system::System;
use borelli_model::{Model, Rejected};
use borelli_soft::definition::{LoadKind, Method, Partner};
use borelli_soft::element::Kind;
use borelli_soft::material::Plane;
use std::f64::consts::PI;

const HIP: &str = r#"
borelli = 1
dimension = "planar"

[body.hat]
mass = "50 kg"
inertia = "3 kg m^2"
frame.hip = { origin = ["1 cm", "-30 cm"], angle = "30 deg" }

[joint.hat]
type = "free"
parent = "world"
child = "hat"

[body.leg]
mass = "10 kg"
inertia = "1 kg m^2"
point.head = [0, "40 cm"]

[joint.leg]
type = "free"
parent = "world"
child = "leg"

[surface.head]
type = "circle"
at = "leg.head"
radius = "14 mm"

[material.polyethylene]
type = "robust"
young = "974 MPa"
poisson = 0.46
viscosity = "2 kPa s"
density = "940 kg/m^3"

[soft.liner]
type = "annulus"
at = "hat.hip"
inner_radius = "14 mm"
outer_radius = "22 mm"
span = "180 deg"
direction = "90 deg"
divisions = [48, 8]
depth = "10 mm"
element = "f-bar"
material = "polyethylene"

[tie.cup]
boundary = "liner.outer"
to = "hat"
stiffness = "100 N/mm"

[soft_contact.hip]
boundary = "liner.inner"
target = "head"
method = "penalty"
stiffness = "20 N/mm"
"#;

const BLOCK: &str = r#"
borelli = 1
dimension = "planar"

[function.ramp]
type = "polynomial"
coefficients = [0, "-1 MPa/s"]
argument_unit = "s"
value_unit = "Pa"

[material.rubber]
type = "linear"
young = "2 MPa"
poisson = 0.3
density = "1 g/cm^3"

[soft.block]
type = "block"
size = ["2 cm", "1 cm"]
corner = ["1 cm", 0]
divisions = [4, 2]
cells = "q8"
depth = "1 mm"
plane = "stress"
material = "rubber"

[support.base]
boundary = "block.bottom"
displacement = [0, "1 mm"]

[support.side]
boundary = "block.left"
fix = "x"

[traction.push]
boundary = "block.top"
force = [0, "ramp"]

[traction.inside]
boundary = "block.right"
pressure = "3 kPa"
"#;

fn system(text: &str) -> System {
    compile(&Model::parse("soft.toml", text).expect("readable")).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn refusal(text: &str) -> Rejected {
    match Model::parse("soft.toml", text) {
        Ok(model) => compile(&model).expect_err("refused"),
        Err(rejected) => rejected,
    }
}

fn codes(text: &str) -> Vec<&'static str> {
    refusal(text).findings.iter().map(|finding| finding.code).collect()
}

#[track_caller]
fn refused(text: &str, from: &str, to: &str, code: &str) {
    assert!(text.contains(from), "`{from}` is not in the text");
    assert_eq!(codes(&text.replace(from, to)), [code]);
}

#[test]
fn a_liner_has_the_numbers_of_the_file() {
    let model = system(HIP).soft_model().expect("a definition");
    let definition = &model.definition;
    assert_eq!(definition.carriers, ["world", "hat", "leg"]);
    assert_eq!(model.carriers, [0, 1, 2]);
    let liner = &definition.bodies[0];
    assert_eq!((liner.name.as_str(), liner.carrier, liner.depth), ("liner", 1, 0.01));
    let [x, y, angle] = liner.placement;
    assert!((x - 0.01).abs() < 1e-15 && (y + 0.3).abs() < 1e-15 && (angle - PI / 6.0).abs() < 1e-15, "{:?}", liner.placement);
    assert_eq!((liner.mesh.points.len(), liner.mesh.cells.len()), (49 * 9, 48 * 8));
    assert_eq!((liner.plane, liner.element), (Plane::Strain, Kind::FBar));
    assert_eq!(
        (liner.density.as_slice(), liner.materials[0].viscosity(), liner.materials[0].kind().name),
        (&[940.0][..], 2000.0, "robust")
    );
    let radii: Vec<f64> = liner.mesh.points.iter().map(|[x, y]| x.hypot(*y)).collect();
    assert!(radii.iter().all(|r| (0.014 - 1e-12..=0.022 + 1e-12).contains(r)));
    // A half ring of 14 and 22 mm, of straight edges; the middle looks up.
    assert!(liner.mesh.points.iter().all(|[_, y]| *y > -1e-12));
    let tie = &definition.ties[0];
    assert_eq!((tie.to, tie.method, tie.stiffness), (Partner::Carrier(1), Method::Augmented, 1e5));
    let contact = &definition.contacts[0];
    assert_eq!((contact.carrier, contact.method, contact.stiffness), (2, Method::Penalty, 2e4));
    // The head lies at its place in the axes of the leg: a point 1 mm above its top is 1 mm apart.
    let foot = contact.target.project([0.0, 0.4 + 0.015], None).expect("a foot");
    assert!((foot.gap - 0.001).abs() < 1e-15, "{}", foot.gap);
    assert!((foot.normal[1] + 1.0).abs() < 1e-12, "the normal looks into the head: {:?}", foot.normal);
}

#[test]
fn a_block_without_rigid_bodies_is_read() {
    let system = system(BLOCK);
    let model = system.soft_model().expect("a definition");
    let definition = &model.definition;
    let block = &definition.bodies[0];
    assert_eq!((block.mesh.points[0], block.carrier, block.plane, block.element), ([0.01, 0.0], 0, Plane::Stress, Kind::Plain));
    assert_eq!(definition.supports.iter().map(|support| support.held).collect::<Vec<_>>(), [[true, true], [true, false]]);
    assert_eq!(definition.loads.iter().map(|load| load.kind).collect::<Vec<_>>(), [LoadKind::Traction, LoadKind::Pressure]);
    let value = |function: Option<u32>, t: f64| function.map_or(0.0, |f| system.numbers.functions[f as usize].eval(t)[0]);
    assert_eq!([value(model.displacement[0][0], 0.0), value(model.displacement[0][1], 0.0)], [0.0, 0.001]);
    assert_eq!(model.displacement[1], [None, None]);
    assert_eq!([value(model.load[0][0], 2.0), value(model.load[0][1], 2.0)], [0.0, -2e6]);
    assert_eq!(value(model.load[1][0], 2.0), 3000.0);
    let seen = survey(definition);
    let body = &seen.bodies[0];
    assert_eq!((body.nodes, body.cells), (37, 8));
    for (found, expected) in [(body.smallest_angle, PI / 2.0), (body.area, 2e-4), (body.volume, 2e-7), (body.mass, 2e-4)] {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} is not {expected}");
    }
    assert_eq!(seen.supports, [("base".to_string(), 9), ("side".to_string(), 5)]);
}

#[test]
fn parameters_of_soft_parts_change_the_definition() {
    let mut system = system(HIP);
    let set = |system: &mut System, path: &str, value: f64| {
        let mut values = system.values();
        values[system.parameter(path).unwrap_or_else(|| panic!("no parameter `{path}`"))] = value;
        system.refill(&values);
        system.soft_definition()
    };
    assert_eq!(set(&mut system, "soft.liner.depth", 0.02).expect("good").bodies[0].depth, 0.02);
    let inner = set(&mut system, "soft.liner.inner_radius", 0.015).expect("good").bodies[0].mesh.points[0];
    assert!((inner[0].hypot(inner[1]) - 0.015).abs() < 1e-15);
    assert_eq!(set(&mut system, "material.polyethylene.density", 5.0).expect("good").bodies[0].density, [5.0]);
    assert_eq!(set(&mut system, "tie.cup.stiffness", 7.0).expect("good").ties[0].stiffness, 7.0);
    assert_eq!(set(&mut system, "soft_contact.hip.stiffness", 8.0).expect("good").contacts[0].stiffness, 8.0);
    assert!((set(&mut system, "body.hat.frame.hip.origin.x", 0.5).expect("good").bodies[0].placement[0] - 0.5).abs() < 1e-15);
    let before = system.soft_definition().expect("good").bodies[0].materials[0];
    let after = set(&mut system, "material.polyethylene.young", 2e9).expect("good").bodies[0].materials[0];
    assert_ne!(before, after);
    let target = set(&mut system, "surface.head.radius", 0.013).expect("good").contacts[0].target.clone();
    assert!((target.project([0.0, 0.415], None).expect("a foot").gap - 0.002).abs() < 1e-15);
    // Numbers that do not go together are told with the parameters that are meant.
    assert!(misfits(&system).is_empty());
    assert!(set(&mut system, "soft.liner.outer_radius", 0.01).is_err());
    let found = misfits(&system);
    assert_eq!(found.len(), 1);
    assert!(found[0].paths.iter().any(|path| path == "soft.liner.outer_radius"), "{:?}", found[0].paths);
}

#[test]
fn every_formulation_and_movement_of_rigid_bodies_declines_soft_parts() {
    let system = system(HIP);
    for entry in FORMULATIONS.iter().filter(|entry| entry.name != "coupled") {
        let declined = (entry.build)(&system).err().unwrap_or_else(|| panic!("`{}` takes soft parts", entry.name));
        assert!(declined.reason.contains("`coupled`"), "{}: {}", entry.name, declined.reason);
    }
    assert!(Movement::new(&system, Options::default()).is_err());
    assert!(ImplicitMovement::new(&system, ImplicitOptions::default()).is_err());
}

#[test]
fn a_planar_mirror_copies_soft_parts_with_what_holds_and_touches_them() {
    let text = HIP
        .replace("hat]", "hat_r]")
        .replace("\"hat\"", "\"hat_r\"")
        .replace("hat.hip", "hat_r.hip")
        .replace("leg]", "leg_r]")
        .replace("\"leg\"", "\"leg_r\"")
        .replace("leg.head", "leg_r.head")
        .replace("surface.head", "surface.head_r")
        .replace("\"head\"", "\"head_r\"")
        .replace("soft.liner", "soft.liner_r")
        .replace("\"liner.", "\"liner_r.")
        .replace("tie.cup", "tie.cup_r")
        .replace("soft_contact.hip", "soft_contact.hip_r");
    let system = system(&format!("{text}\n[mirror.left]\nfrom = \"_r\"\nto = \"_l\"\n"));
    let model = system.soft_model().expect("a definition");
    let (bodies, ties, contacts) = (&model.definition.bodies, &model.definition.ties, &model.definition.contacts);
    assert_eq!(bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>(), ["liner_r", "liner_l"]);
    assert_eq!(bodies[0].mesh, bodies[1].mesh);
    let name = |carrier: usize| model.definition.carriers[carrier].as_str();
    assert_eq!([name(bodies[0].carrier), name(bodies[1].carrier)], ["hat_r", "hat_l"]);
    assert_eq!((ties[1].of.body, contacts[1].of.body, name(contacts[1].carrier)), (1, 1, "leg_l"));
    assert!(matches!(ties[1].to, Partner::Carrier(k) if name(k) == "hat_l"));
}

#[test]
fn units_of_soft_parts_are_checked() {
    refused(HIP, "\"974 MPa\"", "\"974 mm\"", "wrong-unit");
    refused(HIP, "depth = \"10 mm\"", "depth = \"10 N\"", "wrong-unit");
    refused(HIP, "\"100 N/mm\"", "\"100 N\"", "wrong-unit");
    refused(BLOCK, "\"3 kPa\"", "\"3 kN\"", "wrong-unit");
    refused(BLOCK, "\"1 mm\"]", "\"1 N\"]", "wrong-unit");
    refused(BLOCK, "value_unit = \"Pa\"", "value_unit = \"N\"", "wrong-unit");
    refused(HIP, "poisson = 0.46", "poisson = 0.5", "out-of-range");
    refused(HIP, "type = \"robust\"", "type = \"jelly\"", "bad-choice");
}

#[test]
fn supports_that_agree_may_share_a_corner_and_others_may_not() {
    let other = BLOCK.replace("fix = \"x\"", "fix = \"xy\"");
    assert_eq!(codes(&other), ["shared-node"], "the base is lifted, the side is not");
    let same = other.replace("displacement = [0, \"1 mm\"]\n", "");
    assert_eq!(system(&same).soft_definition().expect("good").supports.len(), 2);
    let tied = BLOCK.replace(
        "[support.side]\nboundary = \"block.left\"\nfix = \"x\"",
        "[tie.side]\nboundary = \"block.left\"\nto = \"world\"\nmethod = \"lagrange\"",
    );
    assert_eq!(codes(&tied), ["shared-node"]);
}

#[test]
fn soft_parts_in_space_are_refused_with_the_reason() {
    let text =
        "borelli = 1\ndimension = \"spatial\"\n[material.a]\ntype = \"linear\"\nyoung = 1\npoisson = 0\n[soft.b]\ntype = \"block\"\n";
    assert_eq!(codes(text), ["soft-in-space", "soft-in-space"]);
}

#[test]
fn a_mesh_file_gives_regions_and_boundaries_and_its_faults_their_lines() {
    let mesh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"foot\"\n2 2 \"core\"\n2 3 \"shell\"\n$EndPhysicalNames\n\
        $Nodes\n6\n1 0 0 0\n2 10 0 0\n3 20 0 0\n4 0 10 0\n5 10 10 0\n6 20 10 0\n$EndNodes\n\
        $Elements\n4\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n3 3 2 2 1 1 2 5 4\n4 3 2 3 2 2 3 6 5\n$EndElements\n";
    let text = "borelli = 1\ndimension = \"planar\"\n[material.hard]\ntype = \"linear\"\nyoung = 2\npoisson = 0\ndensity = 3\n\
        [material.soft]\ntype = \"linear\"\nyoung = 1\npoisson = 0\n\
        [soft.part]\ntype = \"file\"\nfile = \"part.msh\"\nunit = \"1 mm\"\ndepth = 1\nmaterials = { core = \"soft\", shell = \"hard\" }\n\
        [support.foot]\nboundary = \"part.foot\"\n";
    let read = |text: &str, mesh: &str| {
        let mesh = mesh.to_string();
        let load = move |path: &str| match path {
            "part.msh" => Ok(mesh.clone().into_bytes()),
            _ => Err(std::io::Error::from(std::io::ErrorKind::NotFound)),
        };
        let model = Model::parse_with("soft.toml", text, &load).expect("readable");
        compile(&model)
    };
    let definition = read(text, mesh).unwrap_or_else(|rejected| panic!("{rejected}")).soft_definition().expect("a definition");
    let part = &definition.bodies[0];
    assert_eq!((part.mesh.points[5], part.mesh.cells.len()), ([0.02, 0.01], 2));
    assert_eq!(part.mesh.regions, ["core", "shell"]);
    assert_eq!(part.density, [0.0, 3.0]);
    assert!((survey(&definition).bodies[0].mass - 3.0 * 1e-4).abs() < 1e-18);
    let codes = |text: &str, mesh: &str| -> Vec<(&str, String)> {
        let rejected = read(text, mesh).expect_err("refused");
        rejected.findings.iter().map(|finding| (finding.code, finding.message.clone())).collect()
    };
    let lacking = codes(&text.replace(", shell = \"hard\"", ""), mesh);
    assert_eq!(lacking.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["unused-material", "region-without-material"]);
    assert!(codes(&text.replace("shell", "rind"), mesh).iter().any(|(code, _)| *code == "unknown-region"));
    let bad = codes(text, &mesh.replace("3 3 2 2 1 1 2 5 4", "3 5 2 2 1 1 2 5 4"));
    assert!(bad[0].0 == "bad-data-file" && bad[0].1.contains("line 23"), "{bad:?}");
    let twisted = codes(text, &mesh.replace("2 2 3 6 5", "2 2 6 3 5"));
    assert!(["bad-cell", "bad-data-file"].contains(&twisted[0].0), "{twisted:?}");
    let missing = codes(&text.replace("part.msh", "other.msh"), mesh);
    assert_eq!(missing[0].0, "missing-data-file");
    assert_eq!(missing.len(), 1, "{missing:?}");
}
