//! What is wrong with the study of a trial, in words of the command line: the user gave files and options, and never saw that study.
//! Not here: finding out (`borelli-study`).
//! In: findings with places in a study that the session wrote. Out: text that names files and options.

use borelli::gait::session::SessionStudy;
use borelli_model::{Finding, Rejected, Severity};
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// Findings of a study as text; `path` is the study's own.
pub(super) fn told(rejected: &Rejected, study: &SessionStudy, path: &str) -> String {
    let mut text = String::new();
    for finding in rejected.findings.iter() {
        let place = finding.at.map(|at| rejected.sources.locate(at));
        let given = match &place {
            Some(place) if place.path != path => format!("{}:{}:{}", place.path, place.line, place.column),
            _ => place_of(finding, study),
        };
        let word = if finding.severity == Severity::Error { "error" } else { "warning" };
        let _ = writeln!(text, "{given}: {word}[{}]: {}", finding.code, finding.message);
        if let Some(hint) = hint(finding) {
            let _ = writeln!(text, "  hint: {hint}");
        }
    }
    as_given(&text, study, path)
}

/// What to do, by options where the study would be told otherwise.
fn hint(finding: &Finding) -> Option<String> {
    let own = match finding.code {
        "markers-of-another-model" => {
            "give a model with these markers, or say which is which with --markers MAP, one `FILE = MODEL` a line"
        }
        "no-such-point" => "a line of the file given with --markers is `label of the trial = label of the model`",
        "no-feet" => "give the model markers of heels and toes, or build one with --build lower-limb",
        "loads-too-short" => "give forces of the same trial, on the same clock",
        "load-clocks" => "give forces whose plates are sampled together",
        "load-refused" => "give the force element of the model another name",
        "no-frames" => "give a trial in which the markers are seen longer",
        "unknown-model" => "give a model file (.toml), or a name of the gallery",
        _ => return finding.hint.clone(),
    };
    Some(own.into())
}

/// The file or option that a field of the study comes from.
fn place_of(finding: &Finding, study: &SessionStudy) -> String {
    let table = finding.element.split('.').next().unwrap_or_default();
    let forces = study.forces.as_ref().unwrap_or(&study.markers);
    match (table, finding.field.as_str()) {
        (_, "model") => "--model".into(),
        ("filter", _) => "--cutoff".into(),
        (_, "axes") => "--axes".into(),
        (_, "forward") => "--forward".into(),
        ("markers", "names") => "--markers".into(),
        ("loads", "threshold") => "--threshold".into(),
        ("loads" | "load", _) => forces.clone(),
        _ => study.markers.clone(),
    }
}

/// A text in which the files of a study are called as they were given.
pub(super) fn as_given(text: &str, study: &SessionStudy, path: &str) -> String {
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    let mut text = text.to_string();
    for (seen, given) in &study.files {
        let joined = folder.join(seen);
        text = text.replace(&*joined.to_string_lossy(), given);
        // Readers of files take `..` out of paths; a relative one is then as it was given.
        if joined.is_absolute() {
            text = text.replace(&*plain(&joined).to_string_lossy(), given);
        }
    }
    text
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}
