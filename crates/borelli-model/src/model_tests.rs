//! Tests of reading whole files: every fault with its code and its exact line, includes, limits, and odd but valid texts.

use super::*;
use std::io::{Error, ErrorKind};

const HEAD: &str = "borelli = 1\ndimension = \"planar\"\n";

/// Code and line of every finding of a text that must be refused.
fn faults(text: &str) -> Vec<(&'static str, usize)> {
    codes(&refused(Model::parse("a.toml", text)))
}

/// The faults of a model that is refused, or that was read on beyond harmless ones.
fn refused(read: Result<Model, Rejected>) -> Rejected {
    read.map_or_else(
        |rejected| rejected,
        |model| {
            assert!(model.findings.has_errors(), "the model is good");
            Rejected { findings: model.findings, sources: model.sources }
        },
    )
}

fn codes(rejected: &Rejected) -> Vec<(&'static str, usize)> {
    rejected.findings.iter().map(|f| (f.code, f.at.map_or(0, |at| rejected.sources.locate(at).line))).collect()
}

/// Reads `main.toml` among these files.
fn among(files: &[(&str, &str)]) -> Result<Model, Rejected> {
    let load = |path: &str| -> Result<Vec<u8>, Error> {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| Error::new(ErrorKind::NotFound, "no such file"))
    };
    let main = files.iter().find(|(name, _)| name.ends_with("main.toml")).expect("a main file");
    Model::parse_with(main.0, main.1, &load)
}

fn names(elements: &[Element]) -> Vec<&str> {
    elements.iter().map(|e| e.name.as_str()).collect()
}

#[test]
fn the_pendulum_of_the_manual_is_read() {
    let text = include_str!("../../../docs/src/model-format.md");
    let text = text.split("```toml\n").nth(1).and_then(|t| t.split("```").next()).expect("an example");
    let model = Model::parse("pendulum.toml", text).expect("valid");
    assert_eq!((model.name.as_str(), model.dimension), ("pendulum", Dimension::Planar));
    assert_eq!((names(&model.bodies), names(&model.joints)), (vec!["rod"], vec!["pivot"]));
    assert_eq!(model.joints[0].text("parent"), Some("world"));
    assert_eq!(model.joints[0].path(), "joint.pivot");
    let place = model.sources.locate(model.bodies[0].value("mass").expect("given").at);
    assert_eq!((place.line, place.column, place.text_of_line), (6, 8, "mass = \"2 kg\""));
    assert!(model.initial.is_some() && model.findings.is_empty());
}

#[test]
fn every_section_keeps_the_order_of_the_file() {
    let text = format!(
        "{HEAD}gravity = [0, -9.81]\n[subject]\nmass = 70\n[world.point]\nfloor = [0, 0]\n[body.b]\n[body.a]\n[body.b.point]\nheel = [0, 1]\n[joint.z]\n[joint.y]\n[loop.l]\n[guide.g]\n[function.f]\n[path.p]\n[force.k]\n"
    );
    let model = Model::parse("dir/leg.toml", &text).expect("valid");
    assert_eq!((names(&model.bodies), names(&model.joints)), (vec!["b", "a"], vec!["z", "y"]));
    assert_eq!(model.bodies[0].value("point").and_then(Value::as_table).map(|t| t[0].key.as_str()), Some("heel"));
    assert_eq!(model.name, "leg");
    assert!(model.world.is_some() && model.subject.is_some() && model.gravity.is_some());
    assert_eq!([&model.loops, &model.guides, &model.functions, &model.paths, &model.forces].map(Vec::len), [1; 5]);
}

#[test]
fn windows_line_ends_a_byte_order_mark_and_foreign_letters_do_no_harm() {
    let text = format!("\u{feff}# Größe 身長\r\n{}[body.a]\r\nmass = 1 # kg\r\n", HEAD.replace('\n', "\r\n"));
    let model = Model::parse("a.toml", &text).expect("valid");
    let place = model.sources.locate(model.bodies[0].fields[0].value.at);
    assert_eq!((place.line, place.column, place.text_of_line), (5, 8, "mass = 1 # kg"));
}

#[test]
fn each_fault_of_a_file_has_its_code_and_line() {
    let cases: Vec<(String, &str, usize)> = vec![
        ("".into(), "empty-file", 1),
        (" \n\n".into(), "empty-file", 1),
        ("dimension = \"planar\"\n".into(), "version-missing", 1),
        ("dimension = \"planar\"\nborelli = 1\n".into(), "version-missing", 2),
        ("borelli = 2\n".into(), "version-unsupported", 1),
        ("borelli = \"1\"\n".into(), "version-unsupported", 1),
        ("borelli = 1\n".into(), "dimension-missing", 1),
        ("borelli = 1\ndimension = \"flat\"\n".into(), "bad-dimension", 2),
        ("borelli = 1\ndimension = 2\n".into(), "wrong-type", 2),
        (format!("{HEAD}[body.a\n"), "syntax", 3),
        (format!("{HEAD}[bodi.a]\n"), "unknown-table", 3),
        (format!("{HEAD}gravitation = 1\n"), "unknown-key", 3),
        (format!("{HEAD}[body.\"left shank\"]\n"), "bad-name", 3),
        (format!("{HEAD}[body.1a]\n"), "bad-name", 3),
        (format!("{HEAD}[body.a.point]\n\"b.c\" = [0, 0]\n"), "bad-name", 4),
        (format!("{HEAD}[body.world]\n"), "reserved-name", 3),
        (format!("{HEAD}[body.a]\n[body.b]\n[body.a]\n"), "duplicate-name", 5),
        (format!("{HEAD}[body.a]\nmass = 1\nmass = 2\n"), "duplicate-name", 5),
        (format!("{HEAD}[body.a.point]\nx = [0, 0]\n[body.a.frame.x]\n"), "duplicate-name", 5),
        (format!("{HEAD}[body]\nmass = 1\n"), "wrong-type", 4),
        (format!("{HEAD}[[body]]\nmass = 1\n"), "wrong-type", 3),
        (format!("{HEAD}body = 1\n"), "wrong-type", 3),
        (format!("{HEAD}initial = 1\n"), "wrong-type", 3),
        (format!("{HEAD}name = 1\n"), "wrong-type", 3),
        (format!("{HEAD}include = \"b.toml\"\n"), "wrong-type", 3),
        (format!("{HEAD}include = [1]\n"), "wrong-type", 3),
        (format!("{HEAD}include = [\"b.toml\"]\n"), "missing-include", 3),
        (format!("{HEAD}include = [\"./a.toml\"]\n"), "include-cycle", 3),
        (format!("{HEAD}[body.a]\nmass = nan\n"), "not-finite", 4),
        (format!("{HEAD}[body.a]\nmass = -inf\n"), "not-finite", 4),
        (format!("{HEAD}[body.a]\nmass = 1e999\n"), "not-finite", 4),
        (format!("{HEAD}[body.a]\nmass = 2020-01-01\n"), "date", 4),
        (format!("{HEAD}x = {}1{}\n", "[".repeat(20), "]".repeat(20)), "nested-too-deep", 3),
        (format!("{HEAD}x = {}\n", "[".repeat(1_000_000)), "nested-too-deep", 3),
        (format!("{HEAD}{} = 1\n", vec!["a"; 60].join(".")), "nested-too-deep", 3),
        (format!("{HEAD}[mirror.side]\nfrom = \"_r\"\nto = \"_l\"\n"), "mirror-nothing", 4),
    ];
    for (text, code, line) in cases {
        let found = faults(&text);
        assert!(found.contains(&(code, line)), "{:.200}: {code} at {line}, not {found:?}", text);
        let others = found.iter().filter(|f| **f != (code, line) && f.0 != "unknown-key" && f.0 != "unknown-table").count();
        assert_eq!(others, 0, "{:.200}: {found:?}", text);
    }
}

#[test]
fn all_faults_are_reported_at_once_and_in_the_order_of_the_file() {
    let text = format!("{HEAD}[forze.a]\n[body.b]\nx = nan\n[joint.\"\"]\n");
    assert_eq!(faults(&text), [("unknown-table", 3), ("not-finite", 5), ("bad-name", 6)]);
    let text = format!("{HEAD}[body.a]\nmass = \ncenter = [1]\n[body.b]\ninertia = }}\n");
    let lines: Vec<usize> = faults(&text).iter().map(|f| f.1).collect();
    assert!(lines.contains(&4) && lines.contains(&7), "{lines:?}");
}

#[test]
fn a_table_given_twice_is_told_once_and_not_again_for_each_of_its_keys() {
    let body = "[body.a]\nmass = 1\npoint.p = [0, 0]\ninertia = 2\n";
    assert_eq!(faults(&format!("{HEAD}{body}{body}")), [("duplicate-name", 7)]);
    let text = format!("{HEAD}{body}{body}  [body.b]\nmass = 1\nmass = 2\n");
    assert_eq!(faults(&text), [("duplicate-name", 7), ("duplicate-name", 13)]);
    assert_eq!(faults(&format!("{HEAD}{body}mass = 1\nmass = 2\n")), [("duplicate-name", 7), ("duplicate-name", 8)]);
}

#[test]
fn a_bracket_left_open_is_told_once_and_a_unit_without_quotes_is_told_how() {
    let text = format!("{HEAD}[body.a]\nmass = 2 kg\ncenter = [0, 1\n[body.b]\nmass = 3\n[body.c]\n");
    assert_eq!(faults(&text), [("syntax", 4), ("syntax", 6)]);
    let shown = Model::parse("a.toml", &text).expect_err("broken").to_string();
    assert!(shown.contains("hint: text goes in quotes") && shown.contains("hint: a bracket is not closed"), "{shown}");
}

#[test]
fn a_number_that_is_none_is_told_with_its_element_and_field() {
    let text = format!("{HEAD}[body.a]\ncenter = [0, nan]\n[initial]\nspeeds = {{ knee = inf }}\n");
    let shown = refused(Model::parse("a.toml", &text)).to_string();
    assert!(shown.contains("a.toml:4:14: error[not-finite]: body `a`: field `center`: `nan` is not a finite number"), "{shown}");
    assert!(shown.contains("a.toml:6:19: error[not-finite]: `initial`: field `speeds.knee`: `inf` is"), "{shown}");
}

#[test]
fn a_name_given_twice_points_at_the_first() {
    let rejected = Model::parse("a.toml", &format!("{HEAD}[body.a]\n[body.b]\n[body.a]\n")).expect_err("twice");
    assert!(rejected.to_string().contains("the first time at line 3"), "{rejected}");
    let rejected = Model::parse("a.toml", &format!("{HEAD}[body.a]\nmass = 1\n[body.b]\nmass = 1\nmass=2\n")).expect_err("twice");
    assert!(rejected.to_string().contains("the first time at line 6"), "{rejected}");
    let files = [("main.toml", &*format!("{HEAD}include = [\"b.toml\"]\n[body.a]\n")), ("b.toml", "borelli = 1\n\n[body.a]\n")];
    let rejected = among(&files).expect_err("twice");
    assert!(rejected.to_string().contains("main.toml:4:7: error[duplicate-name]: body `a`"), "{rejected}");
    assert!(rejected.to_string().contains("the first time at b.toml:3"), "{rejected}");
}

#[test]
fn a_mistyped_table_is_shown_with_its_line_and_a_hint() {
    let rejected = refused(Model::parse("leg.toml", &format!("{HEAD}[jiont.knee]\n")));
    let text = rejected.to_string();
    assert!(
        text.starts_with("leg.toml:3:2: error[unknown-table]: there is no table `jiont`\n  3 | [jiont.knee]\n    |  ^^^^^\n"),
        "{text}"
    );
    assert!(text.contains("hint: did you mean `joint`?"), "{text}");
}

#[test]
fn included_files_are_merged_before_the_file_that_includes_them() {
    let main = format!("{HEAD}include = [\"parts/leg.toml\"]\n[world.point]\na = [0, 0]\n[body.last]\n");
    let leg = "borelli = 1\nname = \"leg\"\ngravity = [0, 0]\ninclude = [\"../foot.toml\", \"deep/x.toml\"]\n[body.leg]\n";
    let foot = "borelli = 1\ndimension = \"planar\"\n[world.point]\nb = [0, 0]\n[body.foot]\n";
    let x = "borelli = 1\ninclude = [\"../../foot.toml\"]\n[body.x]\n";
    let files = [("m/main.toml", &*main), ("m/parts/leg.toml", leg), ("m/foot.toml", foot), ("m/parts/deep/x.toml", x)];
    let model = among(&files).map_err(|r| r.to_string()).expect("valid");
    assert_eq!(names(&model.bodies), ["foot", "x", "leg", "last"]);
    assert_eq!(model.name, "main");
    assert!(model.gravity.is_some());
    assert_eq!(model.sources.path(0), "m/main.toml");
    let points = model.world.as_ref().and_then(|w| w.value("point")).and_then(Value::as_table).expect("merged");
    assert_eq!(points.iter().map(|e| e.key.as_str()).collect::<Vec<_>>(), ["b", "a"]);
}

#[test]
fn a_misspelt_table_is_read_as_the_one_that_was_meant_unless_that_is_there() {
    let model = Model::parse("a.toml", &format!("{HEAD}[bodies.a]\n[bodies.b]\n[body.b]\n[jiont.j]\n")).expect("read on");
    assert_eq!((names(&model.bodies), names(&model.joints)), (vec!["b", "a"], vec!["j"]));
    let found: Vec<&str> = model.findings.iter().map(|f| f.code).collect();
    assert_eq!(found, ["unknown-table", "unknown-table"]);
}

#[test]
fn faults_of_includes_are_told_with_their_file() {
    let main = |list: &str| format!("{HEAD}include = [{list}]\n");
    let fault = |files: &[(&str, &str)]| {
        let rejected = refused(among(files));
        let f = rejected.findings.iter().next().expect("one").clone();
        let place = rejected.sources.locate(f.at.expect("a place"));
        (f.code, place.path.to_string(), place.line)
    };
    let b = main("\"b.toml\"");
    assert_eq!(fault(&[("main.toml", &b), ("b.toml", "borelli = 1\ninclude = [\"main.toml\"]\n")]), ("include-cycle", "b.toml".into(), 2));
    assert_eq!(fault(&[("main.toml", &b), ("b.toml", "[body.a]\n")]), ("version-missing", "b.toml".into(), 1));
    assert_eq!(fault(&[("main.toml", &b), ("b.toml", "borelli = 1\nx =\n")]), ("syntax", "b.toml".into(), 2));
    let spatial = "borelli = 1\ndimension = \"spatial\"\n";
    assert_eq!(fault(&[("main.toml", &b), ("b.toml", spatial)]).0, "bad-dimension");
    let twice = format!("{b}gravity = [0, 0]\n");
    assert_eq!(fault(&[("main.toml", &twice), ("b.toml", "borelli = 1\ngravity = [0, 1]\n")]), ("duplicate-name", "main.toml".into(), 4));
}

#[test]
fn includes_nest_sixteen_deep_and_no_deeper() {
    let deep = |count: usize| {
        let load = move |path: &str| -> Result<Vec<u8>, Error> {
            let k: usize = path.trim_end_matches(".toml").parse().expect("a number");
            let include = if k < count { format!("include = [\"{}.toml\"]\n", k + 1) } else { String::new() };
            Ok(format!("borelli = 1\n{include}").into_bytes())
        };
        Model::parse_with("0.toml", &format!("{HEAD}include = [\"1.toml\"]\n"), &load)
    };
    assert!(deep(MAX_INCLUDE_DEPTH - 1).is_ok());
    assert_eq!(codes(&deep(MAX_INCLUDE_DEPTH).expect_err("too deep")), [("include-too-deep", 2)]);
    assert_eq!(codes(&deep(1_000_000).expect_err("too deep")), [("include-too-deep", 2)]);
}

#[test]
fn what_is_too_large_is_refused_before_it_is_parsed() {
    let large = format!("{HEAD}#{}", "x".repeat(MAX_BYTES));
    assert_eq!(faults(&large), [("file-too-large", 1)]);
    let half = format!("borelli = 1\n#{}", "x".repeat(MAX_BYTES / 2));
    let main = format!("{HEAD}include = [\"b.toml\", \"c.toml\", \"d.toml\"]\n");
    let rejected = among(&[("main.toml", &main), ("b.toml", &half), ("c.toml", &half), ("d.toml", &half)]).expect_err("too large");
    assert_eq!(codes(&rejected), [("file-too-large", 3)]);
    let many: String = (0..=MAX_BODIES).map(|k| format!("[body.b{k}]\n")).collect();
    assert_eq!(faults(&format!("{HEAD}{many}")), [("too-many-bodies", MAX_BODIES + 3)]);
}

#[test]
fn bytes_that_are_no_text_and_files_that_are_not_there_are_refused() {
    let load = |_: &str| -> Result<Vec<u8>, Error> { Ok(vec![b'#', 0xff, 0xfe]) };
    let rejected = Model::parse_with("a.toml", &format!("{HEAD}include = [\"b.toml\"]\n"), &load).expect_err("no text");
    assert_eq!(codes(&rejected), [("not-utf8", 1)]);
    assert!(rejected.to_string().starts_with("b.toml:1:2: "), "{rejected}");
    let rejected = Model::read(Path::new("no/such/file.toml")).expect_err("absent");
    assert_eq!(codes(&rejected), [("cannot-read-file", 0)]);
    assert!(rejected.to_string().starts_with("error[cannot-read-file]: cannot read `no/such/file.toml`"), "{rejected}");
}

#[test]
fn a_file_on_disk_is_read_with_what_it_includes() {
    let folder = std::env::temp_dir().join(format!("borelli-model-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("main.toml"), format!("{HEAD}include = [\"b.toml\"]\n")).expect("written");
    std::fs::write(folder.join("b.toml"), "borelli = 1\n[body.b]\n").expect("written");
    let model = Model::read(&folder.join("main.toml"));
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(names(&model.map_err(|r| r.to_string()).expect("valid").bodies), ["b"]);
}

#[test]
fn broken_texts_are_refused_and_never_crash() {
    let text = format!("{HEAD}[body.a]\nmass = \"2 kg\"\npoint = {{ a = [0, '''x'''] }}\n[joint.j]\ntype = \"hinge\" # é\n");
    // every prefix, and every single byte spoiled
    for (k, _) in text.char_indices() {
        let _ = Model::parse("a.toml", &text[..k]).map_err(|r| r.to_string());
        for spoiled in ["\"", "[", "\u{0}", "é", "'''", "\\"] {
            let broken = format!("{}{spoiled}{}", &text[..k], &text[k..]);
            let _ = Model::parse("a.toml", &broken).map_err(|r| r.to_string());
        }
    }
}

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read() {
    let folder = std::env::temp_dir().join(format!("borelli-model-large-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["part.msh", "table.csv", "whole.toml", "included.toml"] {
        std::fs::File::create(folder.join(name)).and_then(|file| file.set_len(1 << 36)).expect("a file with a hole");
    }
    let read = |text: &str| {
        let path = folder.join("main.toml");
        std::fs::write(&path, format!("{HEAD}{text}\n")).expect("written");
        match Model::read(&path) {
            Ok(model) => model.findings.iter().map(|f| f.code).collect::<Vec<_>>(),
            Err(rejected) => rejected.findings.iter().map(|f| f.code).collect(),
        }
    };
    assert_eq!(read("[soft.part]\ntype = \"file\"\nfile = \"part.msh\""), ["data-file-too-large"]);
    assert_eq!(read("[function.f]\ntype = \"table\"\nfile = \"table.csv\""), ["data-file-too-large"]);
    assert_eq!(read("include = [\"included.toml\"]"), ["file-too-large"]);
    let whole = Model::read(&folder.join("whole.toml")).expect_err("too large");
    assert_eq!(codes(&whole), [("file-too-large", 1)]);
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn meshes_of_soft_parts_are_files_of_the_model_read_once() {
    let text = format!(
        "{HEAD}[soft.a]\ntype = \"file\"\nfile = \"m/part.msh\"\n[soft.b]\ntype = \"file\"\nfile = \"./m/part.msh\"\n[soft.c]\ntype = \"file\"\nfile = \"none.msh\"\n"
    );
    let reads = std::cell::Cell::new(0);
    let load = |path: &str| -> Result<Vec<u8>, Error> {
        reads.set(reads.get() + 1);
        if path == "dir/m/part.msh" { Ok(b"mesh".to_vec()) } else { Err(Error::from(std::io::ErrorKind::NotFound)) }
    };
    let model = Model::parse_with("dir/a.toml", &text, &load).expect("readable");
    let at = |k: usize| model.softs[k].value("file").expect("given").at;
    assert_eq!(model.data.mesh_at(at(0)).map(|mesh| (mesh.path.as_str(), mesh.content.as_slice())), Some(("dir/m/part.msh", &b"mesh"[..])));
    assert!(model.data.mesh_at(at(1)).is_some() && model.data.mesh_at(at(2)).is_none() && model.data.at(at(0)).is_none());
    assert_eq!(reads.get(), 2);
    assert_eq!(model.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["missing-data-file"]);
    assert_eq!(model.sources.data().collect::<Vec<_>>(), [("dir/m/part.msh", &b"mesh"[..])]);
    assert!(model.text(&|path| format!("x/{path}")).contains("file = \"x/dir/m/part.msh\""));
}
