//! The study that a gait session writes for each trial, so that every run can be repeated and edited.
//! Not here: running it.
//! In: files and choices. Out: the text of a study file.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

/// What the study of one trial says.
#[derive(Clone, Debug, Default)]
pub struct TrialStudy {
    /// Name of the trial.
    pub name: String,
    /// The model: a file beside the study, or a model of the gallery.
    pub model: String,
    /// File with markers, seen from the study.
    pub markers: String,
    /// File with forces, seen from the study; nothing without forces.
    pub forces: Option<String>,
    /// Axes of the laboratory, where they are told.
    pub axes: Option<String>,
    /// Walking direction: an axis, or `auto`.
    pub forward: Option<String>,
    /// Names of the laboratory and those of the model.
    pub names: Vec<(String, String)>,
    /// Whether names lose what stands before a colon.
    pub strip_prefix: bool,
    /// Cut-off of coordinates, such as `6 Hz`.
    pub cutoff: String,
    /// Normal load below which there is none, N.
    pub threshold: f64,
    /// Whether exchanged markers are put back.
    pub fix_swaps: bool,
    /// Whether forces cover only part of the time.
    pub partly_loaded: bool,
    /// Stretch of time that is computed, s; nothing: all of it.
    pub span: Option<(f64, f64)>,
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

impl TrialStudy {
    /// The text of the study file.
    pub fn text(&self) -> String {
        let mut out = String::from("borelli = 1\n");
        let analysis = if self.forces.is_some() { "inverse" } else { "kinematics" };
        let title = if self.forces.is_some() { "from markers to moments" } else { "from markers to joint angles" };
        let _ = writeln!(
            out,
            "title = {}\nmodel = {}\nanalysis = \"{analysis}\"",
            quoted(&format!("{}: {title}", self.name)),
            quoted(&self.model)
        );
        let _ = writeln!(out, "\n[markers]\nfile = {}", quoted(&self.markers));
        for (key, value) in [("axes", &self.axes), ("forward", &self.forward)] {
            if let Some(value) = value {
                let _ = writeln!(out, "{key} = {}", quoted(value));
            }
        }
        if self.strip_prefix {
            out.push_str("strip_prefix = true\n");
        }
        if self.fix_swaps {
            out.push_str("swaps = \"mend\"\n");
        }
        if !self.names.is_empty() {
            let names: Vec<String> = self.names.iter().map(|(lab, own)| format!("{} = {}", quoted(lab), quoted(own))).collect();
            let _ = writeln!(out, "names = {{ {} }}", names.join(", "));
        }
        let _ = writeln!(out, "\n[filter]\ncutoff = {}", quoted(&self.cutoff));
        if let Some(forces) = &self.forces {
            let _ = writeln!(out, "\n[loads]\nfile = {}\nthreshold = \"{} N\"", quoted(forces), self.threshold);
            if self.partly_loaded {
                out.push_str("outside = \"unloaded\"\n");
            }
            // Forces of the file that holds the markers have their axes.
            if *forces != self.markers {
                for (key, value) in [("axes", &self.axes), ("forward", &self.forward)] {
                    if let Some(value) = value.as_ref().filter(|value| *value != "auto") {
                        let _ = writeln!(out, "{key} = {}", quoted(value));
                    }
                }
            }
        }
        if let Some((start, end)) = self.span {
            let _ = writeln!(out, "\n# The stretch in which most markers are seen.\n[time]\nstart = \"{start:?} s\"\nend = \"{end:?} s\"");
        }
        out
    }
}

/// A file as it is seen from a folder that may not exist yet; in full where both have nothing in common.
pub fn seen_from(folder: &Path, file: &Path) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let plain = |path: PathBuf| -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for part in path.components() {
            match part {
                Component::ParentDir => drop(parts.pop()),
                Component::CurDir => {}
                other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
            }
        }
        parts
    };
    let (from, to) = (plain(whole(folder)), plain(whole(file)));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // The root alone is nothing in common.
    if shared <= 1 {
        return whole(file).to_string_lossy().into_owned();
    }
    let up = std::iter::repeat_n("..".to_string(), from.len() - shared);
    up.chain(to[shared..].iter().cloned()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_study::read::{Files, StudyFile};

    #[test]
    fn a_file_is_seen_from_a_folder_beside_above_and_below() {
        let base = std::env::temp_dir().join("session");
        assert_eq!(seen_from(&base.join("out"), &base.join("walk.c3d")), "../walk.c3d");
        assert_eq!(seen_from(&base.join("out"), &base.join("out/model.toml")), "model.toml");
        assert_eq!(seen_from(&base.join("a/b"), &base.join("c/./d/../walk.c3d")), "../../c/walk.c3d");
    }

    #[test]
    fn names_with_quotes_survive_and_the_study_is_read() {
        let study = TrialStudy {
            name: "walk \"5\"".into(),
            model: "model.toml".into(),
            markers: "walk.trc".into(),
            names: vec![("R\\KNE".into(), "R.Knee".into())],
            cutoff: "6 Hz".into(),
            threshold: 20.0,
            forward: Some("auto".into()),
            ..TrialStudy::default()
        };
        let trc = "PathFileType\t4\t(X/Y/Z)\twalk.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n\
                   100\t100\t3\t1\tmm\t100\t1\t3\nFrame#\tTime\tR\\KNE\t\t\n\t\tX1\tY1\tZ1\n\n1\t0\t1\t2\t3\n2\t0.01\t401\t2\t3\n3\t0.02\t801\t2\t3\n";
        let files = Files::new(
            move |path| {
                if path == "walk.trc" { Ok(trc.as_bytes().to_vec()) } else { Err(std::io::Error::other("no such file")) }
            },
        );
        let read = StudyFile::parse("study.toml", &study.text(), files).unwrap_or_else(|rejected| panic!("{rejected}\n{}", study.text()));
        assert_eq!(read.title, "walk \"5\": from markers to joint angles");
        let plan = read.plan("", &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
        assert_eq!(plan.markers.map(|markers| markers.names), Some(vec![("R\\KNE".to_string(), "R.Knee".to_string())]));
    }
}
