//! The models that come with the program, embedded by the build script.
//! Not here: the models themselves (`models/` of the repository).
//! In: a name. Out: the model, read as if from its file.

use borelli_model::{Model, Rejected};

include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// Names of all models, sorted. Files in subfolders are parts that models include.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter(|(path, _)| !path.contains('/')).map(|(path, _)| path.trim_end_matches(".toml"))
}

/// Text of a file of the gallery, by its path inside `models`.
pub fn file(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(file, _)| *file == path).map(|(_, text)| *text)
}

/// Reads a model by name; what it includes comes from the gallery too.
pub fn read(name: &str) -> Option<Result<Model, Rejected>> {
    let path = format!("{name}.toml");
    let load = |path: &str| {
        let missing = || std::io::Error::new(std::io::ErrorKind::NotFound, "the gallery has no such file");
        file(path).map(|text| text.as_bytes().to_vec()).ok_or_else(missing)
    };
    Some(Model::parse_with(&path, file(&path)?, &load))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_of_the_gallery_can_be_read_from_the_program_itself() {
        for name in names() {
            if let Some(Err(rejected)) = read(name) {
                panic!("{rejected}");
            }
        }
        assert!(read("no such model").is_none());
    }
}
