//! Every way in which a contact can be written wrongly, and starts that no contact can carry.

use crate::assemble::check;
use crate::compile;
use crate::twin::parse;
use borelli_model::{Model, Severity};

const GOOD: &str = r#"borelli = 1
dimension = "spatial"
[body.ball]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint.base]
type = "free"
parent = "world"
child = "ball"
[body.other]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint.side]
type = "free"
parent = "world"
child = "other"
[surface.ball]
type = "sphere"
at = "ball"
radius = 0.1
[surface.lump]
type = "sphere"
at = "ball"
radius = 0.2
[surface.dot]
type = "point"
at = "ball"
[surface.end]
type = "point"
at = "other"
[surface.egg]
type = "superellipsoid"
at = "other"
a = 0.1
b = 0.1
c = 0.1
p = 3
r = 4
[surface.floor]
type = "half-space"
at = "world"
ny = 1
height = -1
[surface.lid]
type = "half-space"
at = "other"
[law.rubber]
type = "hertz"
exponent = 1.5
stiffness = "4e4 N/m^1.5"
[law.grip]
type = "tanh"
friction = 0.8
transition = "0.01 m/s"
[contact.bounce]
a = "ball"
b = "floor"
normal = "rubber"
"#;

/// Errors of a text: code, element and field.
fn faults(text: &str) -> Vec<(&'static str, String, String)> {
    let findings = match Model::parse("test.toml", text) {
        Err(rejected) => rejected.findings,
        Ok(model) => match compile(&model) {
            Err(rejected) => rejected.findings,
            Ok(_) => return Vec::new(),
        },
    };
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| (finding.code, finding.element.clone(), finding.field.clone())).collect()
}

/// The good text with a piece exchanged has exactly this fault.
#[track_caller]
fn assert_fault(piece: &str, by: &str, code: &str, element: &str, field: &str) {
    assert!(GOOD.contains(piece), "{piece}");
    let found = faults(&GOOD.replace(piece, by));
    let expected = vec![(code, element.to_string(), field.to_string())];
    assert_eq!(found, expected, "{by}");
}

#[test]
fn the_good_text_is_good() {
    assert_eq!(faults(GOOD), []);
    assert!(check(&parse(GOOD)).is_empty());
}

#[test]
fn numbers_of_laws_outside_their_range_are_refused() {
    let hertz = "type = \"hertz\"";
    for (piece, by, field) in [
        ("stiffness = \"4e4 N/m^1.5\"", "stiffness = \"-4e4 N/m^1.5\"", "stiffness"),
        ("stiffness = \"4e4 N/m^1.5\"", "stiffness = 0", "stiffness"),
        (hertz, "type = \"flores\"\nrestitution = 0", "restitution"),
        (hertz, "type = \"flores\"\nrestitution = 1.2", "restitution"),
        (hertz, "type = \"exact-restitution\"\nrestitution = 0", "restitution"),
        (hertz, "type = \"hunt-crossley\"\ndissipation = -0.1", "dissipation"),
        ("exponent = 1.5\nstiffness = \"4e4 N/m^1.5\"", "exponent = 0.9\nstiffness = 4e4", "exponent"),
    ] {
        assert_fault(piece, by, "out-of-range", "law.rubber", field);
    }
    for (piece, by, field) in
        [("friction = 0.8", "friction = -0.1", "friction"), ("transition = \"0.01 m/s\"", "transition = 0", "transition")]
    {
        assert_fault(piece, by, "out-of-range", "law.grip", field);
    }
    // A restitution of zero is allowed where the law can have it.
    assert_eq!(faults(&GOOD.replace(hertz, "type = \"lankarani-nikravesh\"\nrestitution = 0")), []);
}

#[test]
fn the_unit_of_a_stiffness_follows_the_exponent() {
    assert_fault("\"4e4 N/m^1.5\"", "\"4e4 N/m\"", "wrong-unit", "law.rubber", "stiffness");
    assert_fault("exponent = 1.5", "exponent = 2", "wrong-unit", "law.rubber", "stiffness");
    assert_eq!(faults(&GOOD.replace("exponent = 1.5", "exponent = 2").replace("N/m^1.5", "N/m^2")), []);
    assert_eq!(faults(&GOOD.replace("exponent = 1.5\n", "")), []);
    // An exponent that no unit can have leaves a bare number only.
    assert_eq!(faults(&GOOD.replace("exponent = 1.5", "exponent = 1.8673").replace("\"4e4 N/m^1.5\"", "4e4")), []);
    assert_fault("exponent = 1.5", "exponent = 1.8673", "wrong-unit", "law.rubber", "stiffness");
    let system = parse(&GOOD.replace("\"4e4 N/m^1.5\"", "\"4e4 N/cm^1.5\""));
    let stiffness = &system.parameters[system.parameter("law.rubber.stiffness").expect("a parameter")];
    assert!((stiffness.value - 4e7).abs() < 1e-6 && stiffness.unit == "N/m^1.5", "{stiffness:?}");
}

#[test]
fn shapes_that_cannot_be_are_refused() {
    for (piece, by, field) in
        [("radius = 0.1", "radius = 0", "radius"), ("p = 3", "p = 1.5", "p"), ("p = 3", "p = 101", "p"), ("r = 4", "r = 1.9", "r")]
    {
        let element = if field == "radius" { "surface.ball" } else { "surface.egg" };
        assert_fault(piece, by, "out-of-range", element, field);
    }
    // Without second derivatives at the poles.
    assert_fault("r = 4", "r = 2", "bad-shape", "surface.egg", "type");
    assert_eq!(faults(&GOOD.replace("p = 3\nr = 4", "p = 2\nr = 2")), []);
    assert_fault("ny = 1", "ny = 0", "bad-shape", "surface.floor", "type");
}

#[test]
fn names_that_do_not_exist_are_refused() {
    assert_fault("b = \"floor\"", "b = \"flor\"", "unknown-surface", "contact.bounce", "b");
    assert_fault("a = \"ball\"", "a = [\"ball\", \"egg\", \"foot\"]", "unknown-surface", "contact.bounce", "a");
    assert_fault("normal = \"rubber\"", "normal = \"ruber\"", "unknown-law", "contact.bounce", "normal");
    assert_fault("a = \"ball\"", "a = []", "no-surfaces", "contact.bounce", "a");
    let rejected =
        compile(&Model::parse("test.toml", &GOOD.replace("\"rubber\"", "\"ruber\"")).expect("well written")).expect_err("refused");
    assert!(rejected.to_string().contains("did you mean `rubber`?"), "{rejected}");
}

#[test]
fn laws_of_another_family_are_refused() {
    assert_fault("normal = \"rubber\"", "normal = \"grip\"", "wrong-law", "contact.bounce", "normal");
    assert_fault("normal = \"rubber\"", "normal = \"rubber\"\nfriction = \"rubber\"", "wrong-law", "contact.bounce", "friction");
    let spin = "normal = \"rubber\"\nfriction = \"grip\"\nspin = { type = \"coupled\" }";
    assert_fault("normal = \"rubber\"", spin, "field-of-other-law", "contact.bounce", "spin");
    assert_fault(
        "normal = \"rubber\"",
        "normal = \"rubber\"\nsecond_moment = \"oblique\"",
        "field-of-other-law",
        "contact.bounce",
        "second_moment",
    );
    for field in ["force_at = \"a\"", "slip_at = \"centre\""] {
        let bed = format!("normal = {{ type = \"volumetric\", stiffness = 1e6 }}\n{field}");
        assert_fault("normal = \"rubber\"", &bed, "field-of-other-law", "contact.bounce", field.split(' ').next().expect("a name"));
    }
}

#[test]
fn pairs_that_cannot_be_are_refused() {
    let bounce = "a = \"ball\"\nb = \"floor\"\nnormal = \"rubber\"\n";
    let with = |a: &str, b: &str| format!("a = {a}\nb = {b}\nnormal = \"rubber\"\n");
    assert_fault(bounce, &with("\"ball\"", "\"lump\""), "same-body", "contact.bounce", "a");
    // One surface against itself, and a set of which no two surfaces can meet.
    for side in ["\"ball\"", "[\"ball\", \"lump\"]", "[\"lump\", \"ball\", \"dot\"]"] {
        assert_fault(bounce, &with(side, side), "no-pairs", "contact.bounce", "b");
    }
    assert_eq!(faults(&GOOD.replace(bounce, &with("[\"ball\", \"lump\", \"egg\"]", "[\"egg\", \"ball\", \"lump\"]"))), []);
    for (a, b) in [
        // Half-spaces, points.
        ("\"floor\"", "\"lid\""),
        ("\"dot\"", "\"end\""),
        // The same pair twice.
        ("[\"ball\", \"ball\"]", "\"floor\""),
        ("\"ball\"", "[\"floor\", \"floor\"]"),
    ] {
        assert_fault(bounce, &with(a, b), "impossible-pair", "contact.bounce", "a");
    }
    for b in ["\"egg\"", "\"end\""] {
        let volume = with("\"ball\"", b).replace("\"rubber\"", "{ type = \"volumetric\", stiffness = 1e6 }");
        assert_fault(bounce, &volume, "impossible-pair", "contact.bounce", "a");
    }
    for (a, b) in [("\"ball\"", "\"floor\""), ("\"floor\"", "\"ball\"")] {
        assert_fault(bounce, &format!("{bounce}[contact.again]\n{}", with(a, b)), "impossible-pair", "contact.again", "a");
    }
    let curved = format!("{}[contact.again]\n{}", with("\"ball\"", "\"egg\""), with("\"egg\"", "\"ball\""));
    assert_fault(bounce, &curved, "impossible-pair", "contact.again", "a");
}

#[test]
fn what_has_no_meaning_in_the_plane_is_refused() {
    let flat = "borelli = 1\ndimension = \"planar\"\n[body.ball]\nmass = 1\ninertia = 0.1\n[joint.base]\ntype = \"free\"\nparent = \"world\"\nchild = \"ball\"\n\
         [surface.ball]\ntype = \"circle\"\nat = \"ball\"\nradius = 0.1\n[surface.floor]\ntype = \"half-space\"\nat = \"world\"\n\
         [contact.bounce]\na = \"ball\"\nb = \"floor\"\nnormal = { type = \"hooke\", stiffness = 1e4 }\n";
    assert_eq!(faults(flat), []);
    let fault =
        |piece: &str, by: &str| faults(&flat.replace(piece, by)).into_iter().map(|(code, element, _)| (code, element)).collect::<Vec<_>>();
    assert_eq!(fault("\"circle\"", "\"sphere\""), [("wrong-dimension", "surface.ball".to_string())]);
    assert_eq!(fault("at = \"world\"", "at = \"world\"\nnz = 0.1"), [("bad-shape", "surface.floor".to_string())]);
    let found = fault("{ type = \"hooke\"", "{ type = \"volumetric\"");
    assert!(found.len() == 1 && found[0].0 == "wrong-dimension", "{found:?}");
}

#[test]
fn an_ellipsoid_that_starts_inside_is_found() {
    let bed = GOOD.replace("normal = \"rubber\"", "normal = { type = \"volumetric\", stiffness = 1e6 }");
    // The centre of the ball of 10 cm stands at the origin; the floor rises.
    let found = |height: f64| {
        let findings = check(&parse(&bed.replace("height = -1", &format!("height = {height}"))));
        findings.iter().map(|finding| (finding.code, finding.severity, finding.element.clone())).collect::<Vec<_>>()
    };
    let immersed = |severity| vec![("immersed", severity, "contact.bounce".to_string())];
    assert_eq!(found(-0.2), []);
    assert_eq!(found(0.04), []);
    assert_eq!(found(0.06), immersed(Severity::Warning));
    assert_eq!(found(0.12), immersed(Severity::Error));
}
