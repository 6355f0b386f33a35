//! Broken model files: each is refused with the message recorded beside it, and never with a panic.
//! The first line of a file is `# expect: code`; a file that cannot carry one has it in its recorded text only.
//! `BORELLI_BLESS=1` records the messages anew; read the difference before committing it.

use crate::{program, root, stderr, stdout};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    root().join("crates/borelli/tests/suite/broken")
}

/// Files at the top of the folder; those in subfolders are only included by others.
fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder()).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files
}

/// The code after `# expect:` in the first lines of a file.
fn expected(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().find_map(|line| line.trim_start_matches('\u{feff}').strip_prefix("# expect:").map(|code| code.trim().to_string()))
}

/// The text of every finding, from the line with its code to its hint.
fn findings_of(text: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.contains("error[") || line.contains("warning[") {
            list.push(String::new());
        }
        if let Some(last) = list.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    list
}

#[test]
fn every_broken_file_is_refused_with_its_recorded_message() {
    let bless = std::env::var_os("BORELLI_BLESS").is_some();
    let mut codes = BTreeSet::new();
    let mut wrong = Vec::new();
    let files = files();
    for path in &files {
        let name = path.file_name().and_then(|n| n.to_str()).expect("a plain name");
        let output = program(&["check", name]).current_dir(folder()).output().expect("the program starts");
        let (out, err) = (stdout(&output), stderr(&output));
        if output.status.code() != Some(2) || err.contains("panicked") || !out.is_empty() {
            wrong.push(format!("{name}: exit {:?}, not 2\n{out}{err}", output.status.code()));
            continue;
        }
        if !err.contains(name) {
            wrong.push(format!("{name}: the message does not name the file\n{err}"));
        }
        let found: Vec<&str> = err.split("error[").skip(1).filter_map(|rest| rest.split(']').next()).collect();
        codes.extend(found.iter().map(|code| code.to_string()));
        if let Some(code) = expected(&fs::read(path).expect("readable"))
            && !found.contains(&code.as_str())
        {
            wrong.push(format!("{name}: expected {code}, found {found:?}\n{err}"));
        }
        for finding in findings_of(&err) {
            let hints = finding.lines().filter(|line| line.starts_with("  hint: ")).count();
            if hints != 1 {
                wrong.push(format!("{name}: {hints} hints\n{finding}"));
            }
            let place = finding.split(": ").next().unwrap_or_default().rsplit(':').take(2);
            if place.filter(|part| part.parse::<u32>().is_ok()).count() != 2 {
                wrong.push(format!("{name}: no line and column\n{finding}"));
            }
        }
        let record = path.with_extension("txt");
        if bless {
            fs::write(&record, &err).expect("writable");
        } else {
            let recorded = fs::read_to_string(&record).unwrap_or_else(|fault| format!("no record: {fault}\n"));
            if recorded != err {
                wrong.push(format!("{name}: the message changed\n--- recorded\n{recorded}--- now\n{err}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.len() >= 40, "only {} broken files", files.len());
    assert!(codes.len() >= 30, "only {} different faults: {codes:?}", codes.len());
}
