//! Whether the house is in order: walls between rooms, registered families, module heads, documents that name what exists.
//! Not here: what the compiler and the linter check already.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder of the repository, sorted.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    fn collect(folder: &Path, extension: &str, list: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap_or_else(|fault| panic!("{}: {fault}", folder.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                if !path.ends_with("target") {
                    collect(&path, extension, list);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                list.push(path);
            }
        }
    }
    let mut list = Vec::new();
    collect(&root().join(folder), extension, &mut list);
    list.sort();
    list
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// The path inside the repository, for messages.
fn short(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Lines that are code: no comments, no doc comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn every_source_file_begins_with_its_head() {
    let missing: Vec<String> = files("crates", "rs").iter().filter(|path| !text(path).starts_with("//!")).map(|path| short(path)).collect();
    assert!(missing.is_empty(), "no `//!` head: {missing:?}");
}

/// Words of code: neither comments nor quoted text.
fn words(text: &str) -> Vec<String> {
    let bare = code(text).collect::<Vec<_>>().join("\n").replace("'\"'", "").replace("\\\"", "");
    let spoken: String = bare.split('"').step_by(2).map(|part| part.replace("//", "\u{0}")).collect::<Vec<_>>().join(" ");
    let lines = spoken.lines().map(|line| line.split('\u{0}').next().unwrap_or_default());
    lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')).map(str::to_string).collect()
}

/// Which of the names the code of a file speaks, however it came by them.
fn spoken<'n>(text: &str, names: &[&'n str]) -> Vec<&'n str> {
    let words = words(text);
    names.iter().copied().filter(|name| words.iter().any(|word| word == name)).collect()
}

#[test]
fn an_import_is_seen_however_it_is_written() {
    let names = ["cartesian", "natural"];
    for text in [
        "use crate::formulation::cartesian::Cartesian;",
        "use super::super::cartesian;",
        "use super::super::{Input, cartesian as other};",
        "use crate::{\n    formulation::{\n        cartesian,\n    },\n};",
        "let x = \"text\"; cartesian::build(x) // \"",
    ] {
        assert_eq!(spoken(text, &names), ["cartesian"], "{text}");
    }
    for text in ["// cartesian", "/// As `cartesian` does.", "let name = \"cartesian\";", "f(a); // cartesian", "let cartesian_twin = 1;"] {
        assert!(spoken(text, &names).is_empty(), "{text}");
    }
}

#[test]
fn formulations_do_not_import_each_other() {
    let folder = root().join("crates/borelli-dynamics/src/formulation");
    let rooms: Vec<String> = fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path().file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .filter(|name| name != "mod")
        .collect();
    let mut wrong = Vec::new();
    for path in files("crates/borelli-dynamics/src/formulation", "rs") {
        let inside = path.strip_prefix(&folder).expect("inside").to_string_lossy().into_owned();
        let own = inside.split(['/', '.']).next().unwrap_or_default();
        let others: Vec<&str> = rooms.iter().map(String::as_str).filter(|room| *room != own && own != "mod").collect();
        wrong.extend(spoken(&text(&path), &others).iter().map(|other| format!("{inside} speaks of {other}")));
    }
    // What formulations share knows none of them.
    let room = "crates/borelli-dynamics/src";
    let mut shared = files(&format!("{room}/block_tree"), "rs");
    shared.extend(
        ["evaluation.rs", "held_bodies.rs", "joint_motion.rs", "frames.rs", "scene.rs", "sight.rs"]
            .map(|file| root().join(room).join(file)),
    );
    for path in shared {
        let all: Vec<&str> = rooms.iter().map(String::as_str).chain(["formulation"]).collect();
        wrong.extend(spoken(&text(&path), &all).iter().map(|other| format!("{} speaks of {other}", short(&path))));
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn families_see_neither_formulations_nor_each_other() {
    let walls = [
        ("joint", &["force", "constraint", "formulation", "assemble"][..]),
        ("force", &["joint", "constraint", "formulation", "assemble"]),
        ("muscle", &["joint", "constraint", "contact", "ligament", "formulation", "assemble"]),
        ("ligament", &["joint", "constraint", "contact", "muscle", "formulation", "assemble"]),
        ("constraint", &["joint", "force", "formulation", "assemble"]),
        ("contact", &["joint", "force", "constraint", "formulation", "assemble"]),
        ("compile", &["formulation", "assemble"]),
        ("wrap", &["force", "scene", "system", "frames", "compile", "joint", "constraint", "contact", "formulation", "assemble"]),
    ];
    let mut wrong = Vec::new();
    for (room, forbidden) in walls {
        for path in files(&format!("crates/borelli-dynamics/src/{room}"), "rs") {
            if path.to_string_lossy().contains("tests") {
                continue;
            }
            let text = text(&path);
            let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
            for other in forbidden {
                if code(shipped).any(|line| line.contains(&format!("crate::{other}"))) {
                    wrong.push(format!("{} uses crate::{other}", short(&path)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn every_file_of_a_family_is_registered() {
    let mut wrong = Vec::new();
    let rooms = [
        ("crates/borelli-dynamics/src/joint", "JointKind {"),
        ("crates/borelli-dynamics/src/force", "\nforce! {"),
        ("crates/borelli-dynamics/src/force", "\nimpl Law for"),
        ("crates/borelli-dynamics/src/constraint", "Constraint for"),
        ("crates/borelli-contact/src/friction", "law! {"),
        ("crates/borelli-contact/src/friction/spin", "law! {"),
        ("crates/borelli-contact/src/normal", "law! {"),
        ("crates/borelli-study/src/measure", "Measure {"),
    ];
    for (room, kind) in rooms {
        let list = text(&root().join(room).join("mod.rs"));
        for path in files(room, "rs") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if name != "mod"
                && path.parent() == Some(&root().join(room))
                && text(&path).contains(kind)
                && !code(&list).any(|line| !line.contains("mod ") && line.contains(&format!("{name}::")))
            {
                wrong.push(short(&path));
            }
        }
    }
    assert!(wrong.is_empty(), "not registered: {wrong:?}");
}

#[test]
fn only_the_program_prints() {
    let mut wrong = Vec::new();
    for path in files("crates", "rs") {
        let name = short(&path);
        if name.ends_with("build.rs") || name.contains("/tests/") || name.contains("/examples/") || name.contains("tests.rs") {
            continue;
        }
        let text = text(&path);
        let prints = ["println!", "eprintln!", "print!(", "eprint!(", "dbg!"];
        if code(&text).any(|line| prints.iter().any(|p| line.contains(p))) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn no_library_holds_hidden_state() {
    let mut wrong = Vec::new();
    for path in files("crates", "rs") {
        let name = short(&path);
        if name.contains("borelli-testkit") || name.contains("/tests/") || name.ends_with("fault_injection.rs") {
            continue;
        }
        let text = text(&path);
        if code(&text).any(|line| {
            line.contains("static mut") || line.contains("thread_local!") || line.contains("OnceLock") || line.contains("LazyLock")
        }) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Words in backquotes that look like paths of the repository.
fn named_paths(text: &str) -> Vec<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted
        .filter(|word| !word.contains(char::is_whitespace) && !word.contains(['<', '*', '{', '(', '=']))
        .filter(|word| word.contains('/') || [".md", ".toml", ".rs"].iter().any(|end| word.ends_with(end)))
        .map(|word| word.trim_end_matches('/').to_string())
        .collect()
}

#[test]
fn every_path_the_documents_name_exists() {
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = text(&root().join(document));
        let paths = named_paths(&text);
        let missing: Vec<&String> = paths.iter().filter(|path| !root().join(path).exists()).collect();
        assert!(missing.is_empty(), "{document} names what is not there: {missing:?}");
        assert!(paths.len() > 5, "{document} names no paths");
    }
}

#[test]
fn the_manual_describes_every_type_of_the_schema() {
    let manual = text(&root().join("docs/src/model-format.md"));
    for section in borelli::dynamics::compile::sections() {
        assert!(manual.contains(&format!("`[{}", section.name)), "no section {}", section.name);
        for kind in &section.kinds {
            assert!(manual.contains(&format!("| `{}` |", kind.name)), "{} `{}` is not in the manual", section.name, kind.name);
        }
    }
}

/// Comments that belong together, each as one line: neighbouring lines of `//!` or `///`, up to an empty one.
fn paragraphs(text: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    for line in text.lines().map(str::trim_start) {
        let said = line.strip_prefix("//!").or_else(|| line.strip_prefix("///")).map_or("", str::trim);
        match list.last_mut() {
            Some(last) if !said.is_empty() => *last = format!("{last} {said}"),
            _ => list.push(String::new()),
        }
    }
    list
}

/// Tests that comments name after `Tests:` or `Test:`; words in backquotes without `_` are other things.
fn named_tests(text: &str) -> Vec<String> {
    let promises = |paragraph: &String| {
        let start = ["Tests: ", "Test: "].iter().filter_map(|head| paragraph.find(head)).min();
        start.map(|at| paragraph[at..].to_string())
    };
    let after: Vec<String> = paragraphs(text).iter().filter_map(promises).collect();
    after.iter().flat_map(|text| text.split('`').skip(1).step_by(2)).filter(|word| word.contains('_')).map(str::to_string).collect()
}

/// Functions that are tests.
fn tests_of(text: &str) -> Vec<String> {
    let names = text.split("#[test]").skip(1).filter_map(|rest| rest.split_once("fn ")).map(|(_, rest)| rest);
    names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
}

#[test]
fn a_promised_test_is_seen_across_lines() {
    let text =
        "//! Head. Tests: `it_holds`,\n//! `it_bends` and the oracle `peers`.\n//!\n//! Not `a_test`.\nfn f() {}\n/// Test: `third_one`.\n";
    assert_eq!(named_tests(text), ["it_holds", "it_bends", "third_one"]);
    assert_eq!(tests_of("#[test]\n#[ignore]\nfn it_holds() {}\nfn helper() {}\n"), ["it_holds"]);
}

#[test]
fn every_test_that_a_comment_names_exists() {
    let sources: Vec<(PathBuf, String)> = files("crates", "rs").into_iter().map(|path| (path.clone(), text(&path))).collect();
    let known: Vec<String> = sources.iter().flat_map(|(_, text)| tests_of(text)).collect();
    let mut named = 0;
    let mut missing = Vec::new();
    for (path, text) in sources.iter().filter(|(path, _)| short(path).contains("/src/")) {
        let names = named_tests(text);
        named += names.len();
        missing.extend(names.iter().filter(|name| !known.contains(name)).map(|name| format!("{}: {name}", short(path))));
    }
    assert!(missing.is_empty(), "no such test:\n{}", missing.join("\n"));
    assert!(named > 100, "only {named} tests are named");
}

#[test]
fn no_study_calls_agreement_with_another_run_a_closed_form() {
    let mut compared = 0;
    for path in files("studies", "toml") {
        for block in text(&path).split("[[expect]]").skip(1) {
            let line = |key: &str| block.lines().find(|line| line.starts_with(key)).unwrap_or_default();
            let of_run = ["case = ", "study = "].iter().any(|key| line("against = ").contains(key));
            if of_run && line("measure = ") == "measure = \"distance\"" {
                compared += 1;
                let quantity = line("quantity = ");
                assert_ne!(line("basis = "), "basis = \"closed-form\"", "{}: {quantity}: write `consistency`", path.display());
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
