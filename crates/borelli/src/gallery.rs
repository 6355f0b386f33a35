//! The models that come with the program, embedded by the build script.
//! Not here: the models themselves (`models/` of the repository).
//! In: a name. Out: the text, or a compiled system.

use borelli_model::{Model, Rejected};

include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// Names of all models, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter(|(_, text)| is_model(text)).map(|(name, _)| name.trim_end_matches(".toml"))
}

/// Text of a model by name, with or without `.toml`.
pub fn text(name: &str) -> Option<&'static str> {
    let name = name.trim_end_matches(".toml");
    FILES.iter().find(|(file, _)| file.trim_end_matches(".toml") == name).map(|(_, text)| *text)
}

/// Reads a model by name; what it includes comes from the gallery too.
pub fn read(name: &str) -> Option<Result<Model, Rejected>> {
    let load = |path: &str| {
        let file = path.trim_start_matches("./");
        let missing = || std::io::Error::new(std::io::ErrorKind::NotFound, "the gallery has no such file");
        FILES.iter().find(|(name, _)| *name == file).map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(missing)
    };
    let file = format!("{}.toml", name.trim_end_matches(".toml"));
    text(name).map(|text| Model::parse_with(&file, text, &load))
}

/// A file of the gallery that is only included by others has no joint.
fn is_model(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("[joint.") || line.trim_start().starts_with("include"))
}
