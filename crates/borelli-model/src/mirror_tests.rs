//! Tests of mirrors: names, and reflection judged by the vector algebra of S = diag(1, 1, -1).

use crate::finding::Findings;
use crate::model::Model;
use crate::value::{Data, Element, Value};

const LEG: &str = r#"
[mirror.legs]
from = "_r"
to = "_l"
[body.pelvis]
point = { hip_r = [0, 0, 0.1], hip_l = [0, 0, -0.1] }
[body.thigh_r]
mass = "8 kg"
center = [0.01, "-0.2 m", "0.03 m"]
along = [0, -1, 0.1]
inertia = [1, 2, 3, 0.1, 0.2, 0.3]
[body.thigh_r.point]
knee = [1, 2, 3]
pad_r = [0, 0, "-1 cm"]
[body.thigh_r.frame.f]
origin = [1, 2, 3]
rotation = [0.1, 0.2, 0.3]
[body.thigh_r.frame.g]
x = [1, 0, 2]
y = [0, 1, 0]
[joint.hip_r]
type = "gimbal"
parent = "pelvis.hip_r"
child = "thigh_r.pad_r"
[joint.ankle_r]
type = "hinge"
axis = [1, 2, 3]
coordinates = ["flex_r"]
[joint.pump_r]
type = "slider"
axis = [1, 2, 3]
[joint.knee_r]
type = "function"
coordinate = "angle"
x = "own_r"
y = "shared_r"
z = "0.5 m"
rotations = [{ axis = [1, 2, 3], function = "own_r" }]
[loop.couple_r]
type = "relation"
coefficients = { hip_r_1 = 1, flex_r = -2, spine = 3 }
[guide.turn_r]
type = "orientation"
angles = [1, 2, 3]
body = "thigh_r.f"
[path.band_r]
points = ["pelvis.hip_r", "thigh_r", "world.post_r"]
[force.push_r]
type = "force"
at = "thigh_r.knee"
force = [1, 2, "3 N"]
axes = "body"
[force.drag_r]
type = "formula"
at = "thigh_r.knee"
force = ["-k*vx*z", "path.band_r.rate*coord.hip_r_2.value + 2e-3*force.push_r.x", "-k*vz - x"]
numbers = { k = "3 N s/m^2" }
[force.hold_r]
type = "formula"
path = "band_r"
tension = "coord.spine.value*coord.flex_r.rate*[2 N s/rad^2]"
[force.wring_r]
type = "torque"
body = "thigh_r"
torque = ["own_r", 2, 3]
[force.plate_r]
type = "load"
body = "thigh_r"
force = ["own_r", "shared_r", 3]
point = ["own_r", "shared_r", "own_r"]
moment = [1, "own_r", 3]
[force.drive_r]
type = "coordinate-spring"
coordinate = "hip_r_2"
[function.own_r]
[function.own_l]
[function.shared_r]
[initial]
coordinates = { flex_r = 1 }
"#;

fn read(dimension: &str, body: &str) -> Result<Model, crate::Rejected> {
    Model::parse("leg.toml", &format!("borelli = 1\ndimension = \"{dimension}\"\n{body}"))
}

fn named<'m>(elements: &'m [Element], name: &str) -> &'m Element {
    elements.iter().find(|e| e.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// A value as short text.
fn short(value: &Value) -> String {
    match &value.data {
        Data::Text(text) => text.clone(),
        Data::Number(x) => x.to_string(),
        Data::Bool(b) => b.to_string(),
        Data::Faulty => "faulty".into(),
        Data::List(list) => format!("[{}]", list.iter().map(short).collect::<Vec<_>>().join(" ")),
        Data::Table(table) => {
            format!("{{{}}}", table.iter().map(|e| format!("{}={}", e.key, short(&e.value))).collect::<Vec<_>>().join(" "))
        }
    }
}

fn field(element: &Element, key: &str) -> String {
    element.value(key).map_or("none".into(), short)
}

#[test]
fn a_copied_side_has_the_other_names_and_is_reflected_in_the_plane() {
    let model = read("spatial", LEG).map_err(|r| r.to_string()).expect("valid");
    let body = named(&model.bodies, "thigh_l");
    assert_eq!(field(body, "mass"), "8 kg");
    assert_eq!(field(body, "center"), "[0.01 -0.2 m -0.03 m]");
    assert_eq!(field(body, "along"), "[0 -1 -0.1]");
    assert_eq!(field(body, "inertia"), "[1 2 3 0.1 -0.2 -0.3]");
    assert_eq!(field(body, "point"), "{knee=[1 2 -3] pad_l=[0 0 1 cm]}");
    assert_eq!(field(body, "frame"), "{f={origin=[1 2 -3] rotation=[-0.1 -0.2 0.3]} g={x=[1 0 -2] y=[0 1 0]}}");
    let joint = |name| named(&model.joints, name);
    assert_eq!(field(joint("hip_l"), "parent"), "pelvis.hip_l");
    assert_eq!(field(joint("hip_l"), "child"), "thigh_l.pad_l");
    assert_eq!(field(joint("hip_l"), "axes"), "[[0 0 1] [-1 0 0] [0 -1 0]]");
    assert_eq!(field(joint("hip_r"), "axes"), "none");
    assert_eq!(field(joint("ankle_l"), "axis"), "[-1 -2 3]");
    assert_eq!(field(joint("ankle_l"), "coordinates"), "[flex_l]");
    assert_eq!(field(joint("pump_l"), "axis"), "[1 2 -3]");
    assert_eq!(["coordinate", "x", "y", "z"].map(|k| field(joint("knee_l"), k)), ["angle", "own_l", "shared_r", "-0.5 m"]);
    assert_eq!(field(joint("knee_l"), "rotations"), "[{axis=[-1 -2 3] function=own_l}]");
    assert_eq!(field(named(&model.loops, "couple_l"), "coefficients"), "{hip_l_1=1 flex_l=-2 spine=3}");
    assert_eq!(field(named(&model.guides, "turn_l"), "angles"), "[1 -2 -3]");
    assert_eq!(field(named(&model.guides, "turn_l"), "body"), "thigh_l.f");
    assert_eq!(field(named(&model.paths, "band_l"), "points"), "[pelvis.hip_l thigh_l world.post_l]");
    assert_eq!(field(named(&model.forces, "push_l"), "force"), "[1 2 -3 N]");
    assert_eq!(field(named(&model.forces, "push_l"), "axes"), "body");
    let drag = ["at", "force", "numbers"].map(|key| field(named(&model.forces, "drag_l"), key));
    let expected = "[-k*vx*(-z) path.band_l.rate*coord.hip_l_2.value + 2e-3*force.push_l.x -(-k*(-vz) - x)]";
    assert_eq!(drag, ["thigh_l.knee", expected, "{k=3 N s/m^2}"]);
    assert_eq!(field(named(&model.forces, "hold_l"), "tension"), "coord.spine.value*coord.flex_l.rate*[2 N s/rad^2]");
    assert_eq!(field(named(&model.forces, "wring_l"), "torque"), "[own_l -2 3]");
    let plate = ["body", "force", "point", "moment"].map(|key| field(named(&model.forces, "plate_l"), key));
    assert_eq!(plate, ["thigh_l", "[own_l shared_r -3]", "[own_l shared_r own_l]", "[-1 own_l 3]"]);
    assert_eq!(field(named(&model.forces, "drive_l"), "coordinate"), "hip_l_2");
    assert_eq!(field(model.initial.as_ref().expect("given"), "coordinates"), "{flex_r=1}");
    let order: Vec<&str> = model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(order, ["pelvis", "thigh_r", "thigh_l"]);
    assert_eq!(model.functions.len(), 3);
}

/// A foot with surfaces; the law `soft` is there for both sides, `hard` for one.
const FOOT: &str = r#"
[mirror.feet]
from = "r"
to = "l"
[body.foot_r.frame.heel]
angles = [0.1, "20 deg", 0.3]
[surface.heel_r]
type = "ellipsoid"
at = "foot_r.heel"
a = "2 km/hr"
b = "1 cm"
c = "1 cm"
[surface.ramp_r]
type = "half-space"
at = "world.ramp_r"
ny = 1
nz = "0.2"
height = 3
[contact.sole_r]
a = ["heel_r", "toe_r", "belly"]
b = "ramp_r"
normal = "soft_r"
friction = "hard_r"
spin = { type = "rate" }
force_at = "a"
[law.soft_r]
[law.soft_l]
[law.hard_r]
"#;

#[test]
fn contacts_take_the_surfaces_and_laws_of_the_other_side() {
    let model = read("spatial", FOOT).map_err(|r| r.to_string()).expect("valid");
    assert_eq!(field(named(&model.bodies, "foot_l"), "frame"), "{heel={angles=[-0.1 -20 deg 0.3]}}");
    let heel = named(&model.surfaces, "heel_l");
    // A semi-axis is not a name, whatever it ends in.
    assert_eq!(["at", "a", "b"].map(|k| field(heel, k)), ["foot_l.heel", "2 km/hr", "1 cm"]);
    let ramp = named(&model.surfaces, "ramp_l");
    assert_eq!(["at", "ny", "nz", "height"].map(|k| field(ramp, k)), ["world.ramp_l", "1", "-0.2", "3"]);
    let sole = named(&model.contacts, "sole_l");
    assert_eq!(["a", "b"].map(|k| field(sole, k)), ["[heel_l toe_l belly]", "ramp_l"]);
    assert_eq!(["normal", "friction", "spin", "force_at"].map(|k| field(sole, k)), ["soft_l", "hard_r", "{type=rate}", "a"]);
    assert_eq!(model.laws.len(), 3);
}

#[test]
fn a_planar_copy_is_only_renamed() {
    let text = "[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[body.a_r]\ncenter = [1, 2]\ninertia = 3\n[joint.j_r]\ntype = \"slider\"\naxis = [1, 2]\nchild = \"a_r\"\n[force.f_r]\nforce = [1, 2]\n";
    let model = read("planar", text).map_err(|r| r.to_string()).expect("valid");
    assert_eq!(field(named(&model.bodies, "a_l"), "center"), "[1 2]");
    assert_eq!(field(named(&model.joints, "j_l"), "axis"), "[1 2]");
    assert_eq!(field(named(&model.joints, "j_l"), "child"), "a_l");
    assert_eq!(field(named(&model.forces, "f_l"), "force"), "[1 2]");
}

#[test]
fn a_word_that_is_no_name_is_not_renamed() {
    let text = "[mirror.m]\nfrom = \"r\"\nto = \"x\"\n[joint.hinger]\ntype = \"slider\"\ncoordinate = \"radr\"\n[force.xr]\ntype = \"r\"\nrest = \"2 r\"\naxes = \"r\"\n";
    let model = read("planar", text).map_err(|r| r.to_string()).expect("valid");
    assert_eq!(["type", "coordinate"].map(|k| field(named(&model.joints, "hingex"), k)), ["slider", "radr"]);
    assert_eq!(["type", "rest", "axes"].map(|k| field(named(&model.forces, "xx"), k)), ["r", "2 r", "r"]);
}

#[test]
fn faults_of_mirrors_have_their_codes() {
    let cases = [
        ("[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[body.a_r]\n[body.a_l]\n", "mirror-clash", 6),
        ("[mirror.m]\nfrom = \"_r\"\nto = \"_r\"\n[body.a_r]\n", "mirror-clash", 5),
        ("[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[joint.a_r]\ncoordinates = [\"q\"]\n", "mirror-clash", 7),
        ("[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[body.a_r]\npoint = { p_r = [0, 0, 0], p_l = [0, 0, 0] }\n", "mirror-clash", 7),
        ("[mirror.m]\nfrom = \"_x\"\nto = \"_l\"\n[body.a_r]\n", "mirror-nothing", 4),
        ("[mirror.m]\nfrom = \"\"\nto = \"_l\"\n[body.a_r]\n", "bad-name", 4),
        ("[mirror.m]\nfrom = \"_r\"\nto = \".l\"\n[body.a_r]\n", "bad-name", 5),
        ("[mirror.m]\nfrom = \"_r\"\n[body.a_r]\n", "missing-field", 3),
        ("[mirror.m]\nfrom = \"_r\"\nto = 3\n[body.a_r]\n", "wrong-type", 5),
        ("[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\nplane = 1\n[body.a_r]\n", "unknown-field", 6),
        ("[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[guide.a_r]\nz = \"lift\"\n[function.lift]\n", "mirror-impossible", 7),
        ("[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[force.a_r]\ntorque = [{ type = \"sine\" }, 0, 0]\n", "mirror-impossible", 7),
        (
            "[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[joint.a_r]\ntype = \"free\"\n[force.f_r]\ncoordinate = \"a_r_pz\"\n",
            "mirror-impossible",
            9,
        ),
        (
            "[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[joint.a_r]\ntype = \"ball\"\n[force.f_r]\ncoordinate = \"a_r_wx\"\n",
            "mirror-impossible",
            9,
        ),
        (
            "[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[joint.a_r]\ntype = \"free\"\n[force.f_r]\ntype = \"formula\"\neffort = \"coord.a_r_vz.rate\"\n",
            "mirror-impossible",
            10,
        ),
        (
            "[mirror.m]\nfrom = \"_r\"\nto = \"_l\"\n[joint.a_r]\ntype = \"free\"\n[loop.f_r]\ncoefficients = { a_r_px = 1, a_r_pz = 1 }\n",
            "mirror-impossible",
            9,
        ),
    ];
    for (text, code, line) in cases {
        let rejected = read("spatial", text).expect_err(text);
        let found: Vec<_> = rejected.findings.iter().map(|f| (f.code, f.at.map_or(0, |at| rejected.sources.locate(at).line))).collect();
        assert_eq!(found, [(code, line)], "{text}");
    }
    let many: String = (0..17).map(|k| format!("[mirror.m{k}]\nfrom = \"r\"\nto = \"x{k}\"\n")).collect();
    let rejected = read("planar", &format!("{many}[body.r]\n")).expect_err("too many");
    assert_eq!(rejected.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["too-many-mirrors"]);
}

#[test]
fn mirrors_copy_what_is_written_and_never_a_copy() {
    let text = "[mirror.a]\nfrom = \"a\"\nto = \"ba\"\n[mirror.b]\nfrom = \"a\"\nto = \"ca\"\n[body.a]\n";
    let model = read("planar", text).map_err(|r| r.to_string()).expect("valid");
    assert_eq!(model.bodies.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(), ["a", "ba", "ca"]);
    let mut none = Findings::new();
    none.merge(model.findings);
    assert!(none.is_empty());
}

#[test]
fn wraps_and_points_of_paths_go_to_the_other_side() {
    let text = format!(
        "{LEG}\n[wrap.drum_r]\ntype = \"cylinder\"\nat = \"thigh_r.f\"\nradius = 0.03\n[wrap.egg_r]\ntype = \"ellipsoid\"\nat = \"thigh_r\"\na = 1\nb = 2\nc = 3\n\
         [path.bent_r]\npoints = [\"pelvis.hip_r\", {{ wrap = \"drum_r\", side = [1, 2, 3] }}, {{ at = \"thigh_r.pad_r\", when = {{ coordinate = \"flex_r\", from = 0, to = 1 }} }}, \
         {{ on = \"thigh_r\", x = \"own_r\", y = \"shared_r\", z = \"4 mm\", of = \"flex_r\" }}, \"thigh_r\"]\n"
    );
    let model = read("spatial", &text).map_err(|r| r.to_string()).expect("valid");
    assert_eq!(field(named(&model.wraps, "drum_l"), "at"), "thigh_l.f");
    assert_eq!(["a", "b", "c"].map(|key| field(named(&model.wraps, "egg_l"), key)), ["1", "2", "3"]);
    assert_eq!(
        field(named(&model.paths, "bent_l"), "points"),
        "[pelvis.hip_l {wrap=drum_l side=[1 2 -3]} {at=thigh_l.pad_l when={coordinate=flex_l from=0 to=1}} \
         {on=thigh_l x=own_l y=shared_r z=-4 mm of=flex_l} thigh_l]"
    );
}
