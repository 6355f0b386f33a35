//! Tests of reading declared fields: values in SI, places and names, and every fault with its code and exact position.

use super::*;
use crate::field::{Kind, number, number_of};
use crate::model::Model;

const fn field(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind, need: Need::Optional, doc: "for the test" }
}

const COMMON: &[Field] = &[
    number("mass", "kg", Range::POSITIVE, Need::Required, "mass of the body"),
    number("damping", "N s/m", Range::NON_NEGATIVE, Need::Default(0.5), "damping"),
];
const OWN: &[Field] = &[
    number("share", "1", Range::FRACTION, Need::Optional, "for the test"),
    number("angle", "rad", Range::ANY, Need::Optional, "for the test"),
    number("torsion", "N m/rad", Range::ANY, Need::Optional, "for the test"),
    number_of("rest", ["rad", "m"], Range::NON_NEGATIVE, Need::Optional, "for the test"),
    field("center", FieldKind::Vector { unit: "m" }),
    field("list", FieldKind::Numbers { unit: "s", least: 1 }),
    field("any", FieldKind::Numbers { unit: "*", least: 1 }),
    field("along", FieldKind::Direction),
    field("axis", FieldKind::Directions { count: 1 }),
    field("axes", FieldKind::Directions { count: 2 }),
    field("inertia", FieldKind::Inertia),
    field("drive", FieldKind::Function { value: "N" }),
    field("push", FieldKind::Functions { value: "N", planar: 2, spatial: 3 }),
    field("torque", FieldKind::Functions { value: "N m", planar: 1, spatial: 3 }),
    field("at", FieldKind::Place),
    field("body", FieldKind::Body),
    field("points", FieldKind::Stops(&[])),
    field("coefficients", FieldKind::Coefficients),
    field("mode", FieldKind::Choice(&["linear", "spline"])),
    field("note", FieldKind::Text),
    field("names", FieldKind::Names),
    field("rotations", FieldKind::Rotations),
    field("point", FieldKind::Points { unit: "m" }),
    field("frame", FieldKind::Tables),
    field("raw", FieldKind::Any),
];

/// A model with one body whose fields begin on line 4.
fn model(dimension: &str, fields: &str) -> Model {
    let text = format!("borelli = 1\ndimension = \"{dimension}\"\n[body.b]\n{fields}\n");
    Model::parse("a.toml", &text).map_err(|r| r.to_string()).expect("a readable file")
}

fn faults(dimension: &str, fields: &str) -> Vec<(&'static str, usize, usize)> {
    let model = model(dimension, fields);
    let mut findings = Findings::new();
    Fields::read(&model.bodies[0], &[COMMON, OWN], model.dimension, &mut findings);
    let place = |f: &crate::Finding| model.sources.locate(f.at.expect("a place"));
    findings.iter().map(|f| (f.code, place(f).line, place(f).column)).collect()
}

#[test]
fn values_come_out_in_si_with_defaults_filled_in() {
    let model = model(
        "planar",
        r#"mass = "500 g"
share = "45 %"
torsion = "3 N m"
rest = "20 cm"
center = [1, "-2 cm"]
list = ["2 ms", 1]
any = ["2 m", 3]
along = [0, -3]
axis = [0, 0, -2]
inertia = "1 kg cm^2"
drive = "2 kN"
push = ["ramp", { type = "sine" }]
torque = 4
at = "b.heel"
body = "b"
points = ["b", "world.floor"]
coefficients = { knee = 1, hip = "20 deg" }
mode = "spline"
note = "free text"
names = ["p", "q"]
rotations = [{ axis = [0, 0, 2], function = "turn" }]
point = { heel = [0, "1 cm"] }
frame = { f = { angle = 1 } }
raw = true"#,
    );
    let mut findings = Findings::new();
    let mut fields = Fields::read(&model.bodies[0], &[COMMON, OWN], model.dimension, &mut findings);
    let value = |q: Option<Quantity>| q.expect("read").value;
    assert_eq!(value(fields.quantity("mass")), 0.5);
    assert_eq!(value(fields.quantity("damping")), 0.5);
    assert_eq!(value(fields.quantity("share")), 0.45);
    assert_eq!(value(fields.quantity("torsion")), 3.0);
    assert_eq!(value(fields.quantity_in("rest", "m")), 0.2);
    let values = |v: Option<Vec<Quantity>>| v.expect("read").iter().map(|q| q.value).collect::<Vec<_>>();
    assert_eq!(values(fields.vector("center")), [1.0, -0.02]);
    assert_eq!(values(fields.numbers("list")), [0.002, 1.0]);
    let any = fields.numbers("any").expect("read");
    assert_eq!(any[0].dim, Some(Dim::LENGTH));
    assert_eq!(any[1].expect_scaled(0.01, Dim::LENGTH), Ok(0.03));
    assert_eq!(any[0].expect_scaled(0.01, Dim::LENGTH), Ok(2.0));
    assert!(any[0].expect_scaled(0.01, Dim::TIME).is_err());
    assert_eq!(fields.direction("along"), Some(vec![0.0, -1.0]));
    assert_eq!(fields.directions("axis"), Some(vec![[0.0, 0.0, -1.0]]));
    assert_eq!(values(fields.vector("inertia")), [1e-4]);
    assert!(matches!(fields.function("drive"), Some(FunctionRef::Constant(q)) if q.value == 2000.0));
    let push = fields.functions("push").expect("read");
    assert!(matches!(&push[0], FunctionRef::Named(name, _) if name == "ramp"));
    assert!(matches!(&push[1], FunctionRef::Inline(e) if e.text("type") == Some("sine") && e.path() == "function.b.push"));
    assert_eq!(fields.functions("torque").expect("read").len(), 1);
    assert_eq!(fields.place("at").expect("read").0, PlaceRef { body: "b".into(), spot: Some("heel".into()) });
    assert_eq!(fields.name("body").expect("read").0, "b");
    assert_eq!(fields.stops("points").expect("read").len(), 2);
    let coefficients = fields.coefficients("coefficients").expect("read");
    assert_eq!(coefficients[0].0, "knee");
    assert_eq!(fields.check("coefficients", &coefficients[1].2, "rad", Range::ANY), Some(20.0 * std::f64::consts::PI / 180.0));
    assert_eq!(fields.choice("mode"), Some("spline"));
    assert_eq!(fields.text("note").expect("read").0, "free text");
    assert_eq!(fields.names("names").expect("read").len(), 2);
    assert_eq!(fields.rotations("rotations").expect("read")[0].0, [0.0, 0.0, 1.0]);
    assert_eq!(fields.points("point").expect("read")[0].2[1].value, 0.01);
    let frames = fields.tables("frame").expect("read");
    assert_eq!((frames[0].0.as_str(), frames[0].2.path().as_str()), ("f", "body.b.frame.f"));
    assert!(fields.value("raw").is_some() && fields.has("raw") && !fields.has("angle"));
    assert_eq!(fields.quantity("angle"), None);
    assert!(fields.findings().is_empty());
}

#[test]
fn what_is_not_finite_is_in_no_range() {
    let code = |result: Result<f64, ReadFault>| result.map_err(|fault| fault.code());
    for range in [Range::ANY, Range::POSITIVE, Range::between(f64::NEG_INFINITY, 1.0)] {
        for x in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(code(in_range(x, range, "m")), Err("not-finite"));
        }
    }
    assert_eq!(code(in_range(0.0, Range::POSITIVE, "m")), Err("out-of-range"));
    assert_eq!(code(in_range(f64::MAX, Range::POSITIVE, "m")), Ok(f64::MAX));
    // A bare number that its unit takes beyond all numbers.
    let bare = Quantity { value: 1e308, at: Span { file: 0, start: 0, end: 0 }, dim: None };
    assert_eq!(code(bare.expect_scaled(1000.0, Dim::LENGTH)), Err("not-finite"));
    assert_eq!(code(bare.expect_scaled(1.0, Dim::LENGTH)), Ok(1e308));
}

#[test]
fn each_fault_of_a_field_has_its_code_and_exact_position() {
    let cases = [
        ("share = 0.5", "missing-field", 3, 7),
        ("mass = 1\nmas = 1", "unknown-field", 5, 1),
        ("mass = true", "wrong-type", 4, 8),
        ("mass = [1]", "wrong-type", 4, 8),
        ("mass = \"1 kgg\"", "unknown-unit", 4, 8),
        ("mass = \"heavy\"", "bad-quantity", 4, 8),
        ("mass = \"1 kg/\"", "bad-quantity", 4, 8),
        ("mass = \"1 m\"", "wrong-unit", 4, 8),
        ("mass = \"1\"", "wrong-unit", 4, 8),
        ("mass = \"inf kg\"", "not-finite", 4, 8),
        ("mass = 0", "out-of-range", 4, 8),
        ("mass = \"-1 g\"", "out-of-range", 4, 8),
        ("mass = 1\nshare = 1.5", "out-of-range", 5, 9),
        ("mass = 1\nangle = 30", "bare-degrees", 5, 9),
        ("mass = 1\nangle = -90", "bare-degrees", 5, 9),
        ("mass = 1\nangle = \"3 m\"", "wrong-unit", 5, 9),
        ("mass = 1\nangle = \"50 %\"", "wrong-unit", 5, 9),
        ("mass = 1\ntorsion = \"3 N\"", "wrong-unit", 5, 11),
        ("mass = 1\ncenter = [0, 0, 0]", "wrong-length", 5, 10),
        ("mass = 1\ncenter = [0, \"1 s\"]", "wrong-unit", 5, 14),
        ("mass = 1\nlist = []", "wrong-length", 5, 8),
        ("mass = 1\nalong = [0, 0]", "zero-direction", 5, 9),
        ("mass = 1\naxes = [[0, 0, 1]]", "wrong-length", 5, 8),
        ("mass = 1\naxis = [0, 1]", "wrong-length", 5, 8),
        ("mass = 1\naxis = [0, 0, 0]", "zero-direction", 5, 8),
        ("mass = 1\naxes = [[0, 0, 1], [0, 0, 0]]", "zero-direction", 5, 20),
        ("mass = 1\ninertia = [1, 2, 3]", "wrong-type", 5, 11),
        ("mass = 1\ndrive = \"3 m\"", "wrong-unit", 5, 9),
        ("mass = 1\ndrive = \"a b\"", "bad-name", 5, 9),
        ("mass = 1\ndrive = [1]", "wrong-type", 5, 9),
        ("mass = 1\npush = [1]", "wrong-length", 5, 8),
        ("mass = 1\nat = \"a.b.c\"", "bad-name", 5, 6),
        ("mass = 1\nat = \"a.\"", "bad-name", 5, 6),
        ("mass = 1\nbody = \"a.b\"", "bad-name", 5, 8),
        ("mass = 1\npoints = [\"a\"]", "wrong-length", 5, 10),
        ("mass = 1\ncoefficients = [1]", "wrong-type", 5, 16),
        ("mass = 1\ncoefficients = { a = \"x\" }", "bad-quantity", 5, 22),
        ("mass = 1\nmode = \"splin\"", "bad-choice", 5, 8),
        ("mass = 1\nnote = 1", "wrong-type", 5, 8),
        ("mass = 1\nnames = [\"a\", 1]", "wrong-type", 5, 15),
        ("mass = 1\nrotations = [{ axis = [0, 0, 1] }]", "missing-field", 5, 14),
        ("mass = 1\nrotations = [{ axis = [0, 0, 1], function = 1, x = 1 }]", "unknown-field", 5, 48),
        ("mass = 1\npoint = { a = [1] }", "wrong-length", 5, 15),
        ("mass = 1\nframe = { a = 1 }", "wrong-type", 5, 15),
    ];
    for (fields, code, line, column) in cases {
        assert_eq!(faults("planar", fields), [(code, line, column)], "{fields}");
    }
    assert_eq!(faults("spatial", "mass = 1\ninertia = [1, 2]"), [("wrong-length", 5, 11)]);
    assert_eq!(faults("spatial", "mass = 1\ninertia = [1, 2, 3, 0, 0, 0]\nalong = [0, 1, 0]\nangle = 6.283"), []);
    assert_eq!(faults("planar", "mass = 1\nangle = \"30 rad\""), []);
}

#[test]
fn a_wrong_unit_names_the_field_and_both_dimensions() {
    let model = model("planar", "mass = 1\ndamping = \"3 N m\"");
    let mut findings = Findings::new();
    Fields::read(&model.bodies[0], &[COMMON], model.dimension, &mut findings);
    let text = findings.render(&model.sources);
    assert!(text.starts_with("a.toml:5:11: error[wrong-unit]: body `b`: field `damping`: expected N s/m, found N m\n"), "{text}");
}

#[test]
fn a_bare_angle_in_degrees_is_told_how_to_be_written() {
    let model = model("planar", "mass = 1\nangle = 30");
    let mut findings = Findings::new();
    Fields::read(&model.bodies[0], &[COMMON, OWN], model.dimension, &mut findings);
    let text = findings.render(&model.sources);
    assert!(text.contains("hint: write `\"30 deg\"` if degrees are meant"), "{text}");
}

#[test]
fn a_unit_that_depends_on_the_coordinate_is_checked_when_it_is_known() {
    let model = model("planar", "mass = 1\nrest = \"20 deg\"");
    let mut findings = Findings::new();
    let mut fields = Fields::read(&model.bodies[0], &[COMMON, OWN], model.dimension, &mut findings);
    assert!(fields.quantity_in("rest", "rad").is_some());
    assert_eq!(fields.quantity_in("rest", "m"), None);
    fields.fault("rest", &ReadFault::ZeroDirection);
    assert_eq!(findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["wrong-unit", "zero-direction"]);
}

#[test]
fn an_element_finds_its_kind_or_is_told_which_there_are() {
    const HINGE: Kind = Kind { name: "hinge", doc: "", fields: &[], planar: true, spatial: true };
    const BALL: Kind = Kind { name: "ball", doc: "", fields: &[], planar: false, spatial: true };
    let code = |text: &str| {
        let text = format!("borelli = 1\ndimension = \"planar\"\n[joint.j]\n{text}\n");
        let model = Model::parse("a.toml", &text).map_err(|r| r.to_string()).expect("a readable file");
        let mut findings = Findings::new();
        let kind = Kind::find(&model.joints[0], &[&HINGE, &BALL], model.dimension, &mut findings);
        Fields::read(&model.joints[0], &[], model.dimension, &mut Findings::new());
        (kind.map(|k| k.name), findings.iter().next().map(|f| f.code))
    };
    assert_eq!(code("type = \"hinge\""), (Some("hinge"), None));
    assert_eq!(code("type = \"hing\""), (None, Some("bad-choice")));
    assert_eq!(code("type = \"ball\""), (None, Some("wrong-dimension")));
    assert_eq!(code("type = 1"), (None, Some("wrong-type")));
    assert_eq!(code(""), (None, Some("missing-field")));
}

const NESTED: &[Field] = &[
    field("time", FieldKind::Table(COMMON)),
    field("event", FieldKind::List(|| COMMON.to_vec())),
    field("column", FieldKind::Named(COMMON)),
    field("word", FieldKind::WordOf(|| vec!["one", "two"])),
    field("flag", FieldKind::Flag),
    field("many", FieldKind::Count { least: 2 }),
    field("texts", FieldKind::Texts),
    field("pairs", FieldKind::Pairs),
];

fn root(text: &str) -> Element {
    let document = crate::Document::of("a.toml", format!("borelli = 1\n{text}").into_bytes()).expect("a document");
    Element { section: "", name: String::new(), at: document.entries[0].key_at, fields: document.entries[1..].to_vec() }
}

#[test]
fn tables_lists_words_flags_and_counts_of_a_document_are_read_by_their_fields() {
    let element = root(
        "word = \"two\"\nflag = true\nmany = 3\ntexts = [\"a.*\", \"b\"]\npairs = [[\"R.ASIS\", \"b\"]]\n[time]\nmass = 2\n[[event]]\nname = \"hit\"\n[[event]]\n[column.knee-flexion]\n",
    );
    let mut findings = Findings::new();
    let fields = Fields::read(&element, &[NESTED], Dimension::Planar, &mut findings);
    assert_eq!((fields.choice("word"), fields.flag("flag"), fields.count("many")), (Some("two"), Some(true), Some(3)));
    assert_eq!(fields.texts("texts").unwrap().iter().map(|(t, _)| t.as_str()).collect::<Vec<_>>(), ["a.*", "b"]);
    let pairs = fields.pairs("pairs").unwrap();
    assert_eq!((pairs.len(), pairs[0][0].0.as_str(), pairs[0][1].0.as_str()), (1, "R.ASIS", "b"));
    assert_eq!(fields.table("time").unwrap().path(), "time");
    let paths = |name| fields.tables(name).unwrap().iter().map(|(_, _, e)| e.path()).collect::<Vec<_>>();
    assert_eq!(paths("event"), ["event.hit", "event.2"]);
    assert_eq!(paths("column"), ["column.knee-flexion"]);
    assert!(findings.is_empty());
}

#[test]
fn faults_of_tables_lists_words_flags_and_counts_say_what_was_expected() {
    for (text, code) in [
        ("word = \"three\"", "bad-choice"),
        ("flag = \"yes\"", "wrong-type"),
        ("many = 1", "out-of-range"),
        ("many = 2.5", "wrong-type"),
        ("texts = [1]", "wrong-type"),
        ("pairs = [\"a\", \"b\"]", "wrong-type"),
        ("pairs = [[\"a\"]]", "wrong-length"),
        ("pairs = [[\"a\", \"b\", \"c\"]]", "wrong-length"),
        ("pairs = [[\"a\", 2]]", "wrong-type"),
        ("time = 3", "wrong-type"),
        ("event = { mass = 2 }", "wrong-type"),
        ("event = [1]", "wrong-type"),
        ("column = { a = 1 }", "wrong-type"),
        ("[column.\"a b\"]", "bad-name"),
    ] {
        let element = root(text);
        let mut findings = Findings::new();
        Fields::read(&element, &[NESTED], Dimension::Planar, &mut findings);
        let found: Vec<(&str, bool)> = findings.iter().map(|f| (f.code, f.hint.is_some())).collect();
        assert_eq!(found, [(code, true)], "{text}");
    }
}
