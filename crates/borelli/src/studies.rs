//! The studies that come with the program, embedded by the build script, or those of a folder.
//! Not here: the studies themselves (`studies/` of the repository), reading what they say.
//! In: a name or a part of it. Out: the texts of its files.

use crate::gallery;
use borelli_model::{Document, Explain, Model, Rejected, suggest};
use std::io;
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/studies.rs"));

/// File in the folder of every study.
pub const STUDY: &str = "study.toml";

/// How a study names a file of the folder of reference data, which need not be there: `reference:data/walk.csv`.
pub const REFERENCE: &str = "reference:";

/// Where studies come from, and where the reference data are that some of them read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Studies {
    home: Home,
    reference: Option<PathBuf>,
    /// A folder that is still being written, and where its files are meanwhile.
    unfinished: Option<(PathBuf, PathBuf)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Home {
    /// The program itself.
    Embedded,
    /// Folders in a folder.
    Folder(PathBuf),
}

/// A word that does not name one study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSuchStudy {
    /// Nothing of that name.
    Unknown {
        /// The word.
        word: String,
        /// A similar name.
        nearest: Option<String>,
        /// How many there are.
        count: usize,
    },
    /// More than one.
    Ambiguous {
        /// The word.
        word: String,
        /// Those it fits.
        fits: Vec<String>,
    },
}

impl Explain for NoSuchStudy {
    fn code(&self) -> &'static str {
        match self {
            NoSuchStudy::Unknown { .. } => "unknown-study",
            NoSuchStudy::Ambiguous { .. } => "ambiguous-study",
        }
    }

    fn message(&self) -> String {
        match self {
            NoSuchStudy::Unknown { word, .. } => format!("there is no study `{word}`"),
            NoSuchStudy::Ambiguous { word, fits } => format!("`{word}` is part of {} names of studies: {}", fits.len(), fits.join(", ")),
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            NoSuchStudy::Unknown { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            NoSuchStudy::Unknown { count, .. } => format!("`borelli reproduce --list` names all {count}"),
            NoSuchStudy::Ambiguous { .. } => "write more of the name".into(),
        })
    }
}

impl Studies {
    /// Those of the program.
    pub const EMBEDDED: Studies = Studies { home: Home::Embedded, reference: None, unfinished: None };

    /// Those of a folder.
    pub fn folder(folder: PathBuf) -> Studies {
        Studies { home: Home::Folder(folder), reference: None, unfinished: None }
    }

    /// Files by their own paths.
    pub fn on_disk() -> Studies {
        Studies::folder(PathBuf::new())
    }

    /// The same studies with a folder of reference data.
    pub fn with_reference(self, folder: Option<PathBuf>) -> Studies {
        Studies { reference: folder, ..self }
    }

    /// The same studies, those of an unfinished folder under the names that they will have; `working` is where the folder is meanwhile.
    pub fn with_unfinished(self, folder: PathBuf, working: PathBuf) -> Studies {
        Studies { unfinished: Some((folder, working)), ..self }
    }

    /// Files of reference data that a study or a model beside it names and that are not there.
    pub fn lacks(&self, name: &str) -> Vec<String> {
        let text: String = self.files_of(name).iter().filter_map(|path| String::from_utf8(self.load(path).ok()?).ok()).collect();
        let named = text.split('"').filter_map(|word| word.strip_prefix(REFERENCE));
        let there = |file: &str| self.reference.as_ref().is_some_and(|folder| folder.join(file).is_file());
        let mut list: Vec<String> = named.filter(|file| !there(file)).map(str::to_string).collect();
        list.sort();
        list.dedup();
        list
    }

    /// The study and the models beside it, as `load` takes them.
    fn files_of(&self, name: &str) -> Vec<String> {
        let mut list: Vec<String> = match &self.home {
            Home::Embedded => FILES.iter().map(|(path, _)| path.to_string()).filter(|path| path.starts_with(&format!("{name}/"))).collect(),
            Home::Folder(folder) => {
                let entries = std::fs::read_dir(folder.join(name)).into_iter().flatten().flatten();
                entries.map(|entry| entry.path().to_string_lossy().into_owned()).collect()
            }
        };
        list.retain(|path| path.ends_with(".toml"));
        list.sort();
        list
    }

    /// A text of the top level of a study's file, such as its title, also where the study itself cannot be read without its data.
    pub fn text(&self, name: &str, key: &str) -> Option<String> {
        let path = self.path(name);
        let document = Document::of(&path, self.load(&path).ok()?).ok()?;
        document.entries.iter().find(|entry| entry.key == key)?.value.as_text().map(str::to_string)
    }

    /// Names of all studies, sorted: folders with a `study.toml`.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names: Vec<String> = match &self.home {
            Home::Embedded => FILES.iter().filter_map(|(path, _)| path.strip_suffix("/study.toml")).map(str::to_string).collect(),
            Home::Folder(folder) => {
                let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
                let folders = entries.iter().filter(|entry| entry.path().join(STUDY).is_file());
                folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
            }
        };
        names.sort();
        Ok(names)
    }

    /// The name that a word is, with or without its number; nothing for a part of one.
    pub fn named(&self, word: &str) -> Option<String> {
        in_full(&self.names().ok()?, word).cloned()
    }

    /// The name that a word means: itself, with or without its number, the only one it begins, or the only one it is a part of.
    pub fn find(&self, word: &str) -> io::Result<Result<String, NoSuchStudy>> {
        Ok(pick(&self.names()?, word))
    }

    /// Path of a study's file as `load` takes it.
    pub fn path(&self, name: &str) -> String {
        match &self.home {
            Home::Embedded => format!("{name}/{STUDY}"),
            Home::Folder(folder) => folder.join(name).join(STUDY).to_string_lossy().into_owned(),
        }
    }

    /// The content of a file. What a study embedded in the program sees above its folder is the gallery: `../../models/parts/foot.toml`.
    pub fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        if let Some(file) = path.strip_prefix(REFERENCE) {
            let missing = || io::Error::new(io::ErrorKind::NotFound, "no folder of reference data is given: set BORELLI_REFERENCE");
            return std::fs::read(self.reference.as_ref().ok_or_else(missing)?.join(file));
        }
        match &self.home {
            Home::Embedded => {
                let here = FILES.iter().find(|(file, _)| *file == path).map(|(_, text)| *text);
                let text = here.or_else(|| path.strip_prefix("../models/").and_then(gallery::file));
                let missing = || io::Error::new(io::ErrorKind::NotFound, "the program has no such file");
                text.map(|text| text.as_bytes().to_vec()).ok_or_else(missing)
            }
            Home::Folder(_) => {
                let path = Path::new(path);
                let inside = self.unfinished.as_ref().and_then(|(folder, working)| Some(working.join(path.strip_prefix(folder).ok()?)));
                // A folder that is being replaced may hold files of the user.
                std::fs::read(inside.as_deref().filter(|inside| inside.exists()).unwrap_or(path))
            }
        }
    }
}

/// Reads a model that stands beside a study of the program, by `STUDY/model`.
pub fn model(name: &str) -> Option<Result<Model, Rejected>> {
    let path = format!("{name}.toml");
    let (_, text) = FILES.iter().find(|(file, _)| *file == path && !file.ends_with("/study.toml"))?;
    Some(Model::parse_with(&path, text, &|path: &str| Studies::EMBEDDED.load(path)))
}

/// The name that a word is; else the only one that it is without the number before it: `ballistic-gait` of `05-ballistic-gait`.
fn in_full<'a>(names: &'a [String], word: &str) -> Option<&'a String> {
    let bare = |name: &str| name.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('-') == Some(word);
    let mut called = names.iter().filter(|name| bare(name));
    names.iter().find(|name| *name == word).or_else(|| called.next().filter(|_| called.next().is_none()))
}

fn pick(names: &[String], word: &str) -> Result<String, NoSuchStudy> {
    if let Some(name) = in_full(names, word) {
        return Ok(name.clone());
    }
    let those = |fits: fn(&str, &str) -> bool| -> Vec<String> {
        names.iter().filter(|name| !word.is_empty() && fits(name, word)).cloned().collect()
    };
    // `01` is a number before it is a part of `08-pendulum-a01`
    if let [name] = those(|name, word| name.starts_with(word)).as_slice() {
        return Ok(name.clone());
    }
    let fits = those(|name, word| name.contains(word));
    match fits.as_slice() {
        [name] => Ok(name.clone()),
        [] => {
            let nearest = suggest(word, names.iter().map(String::as_str)).map(str::to_string);
            Err(NoSuchStudy::Unknown { word: word.into(), nearest, count: names.len() })
        }
        _ => Err(NoSuchStudy::Ambiguous { word: word.into(), fits }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_is_found_by_its_name_or_by_a_part_that_only_it_has() {
        let names = ["01-projectile", "02-pendulum", "03-double-pendulum-a01"].map(String::from);
        assert_eq!(pick(&names, "02-pendulum").as_deref(), Ok("02-pendulum"));
        assert_eq!(pick(&names, "01").as_deref(), Ok("01-projectile"));
        assert_eq!(pick(&names, "double").as_deref(), Ok("03-double-pendulum-a01"));
        assert_eq!(pick(&names, "a01").as_deref(), Ok("03-double-pendulum-a01"));
        // in full without its number, though it is a part of another one
        assert_eq!(pick(&names, "pendulum").as_deref(), Ok("02-pendulum"));
        assert!(matches!(pick(&names, "pendul"), Err(NoSuchStudy::Ambiguous { fits, .. }) if fits == names[1..]));
        let twice = ["01-top", "02-top"].map(String::from);
        assert!(matches!(pick(&twice, "top"), Err(NoSuchStudy::Ambiguous { .. })));
        assert!(matches!(pick(&names, "01-projectle"), Err(NoSuchStudy::Unknown { nearest: Some(n), .. }) if n == names[0]));
        assert!(matches!(pick(&names, ""), Err(NoSuchStudy::Unknown { .. })));
    }

    #[test]
    fn a_study_tells_which_reference_data_it_lacks() {
        let root = std::env::temp_dir().join(format!("borelli-reference-{}", std::process::id()));
        let (study, data) = (root.join("studies/01-walk"), root.join("data"));
        for folder in [&study, &data] {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        std::fs::write(study.join(STUDY), "a = \"reference:data/a.csv\"\n").expect("a file");
        std::fs::write(study.join("model.toml"), "b = \"reference:data/b.csv\"\n").expect("a file");
        std::fs::write(data.join("a.csv"), "here").expect("a file");
        let studies = Studies::folder(root.join("studies"));
        assert_eq!(studies.lacks("01-walk"), ["data/a.csv", "data/b.csv"]);
        let studies = studies.with_reference(Some(root.clone()));
        assert_eq!(studies.lacks("01-walk"), ["data/b.csv"]);
        assert_eq!(studies.load("reference:data/a.csv").expect("a file"), b"here");
        assert!(studies.load("reference:data/b.csv").is_err());
        std::fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn the_program_holds_the_studies_of_the_repository() {
        let folder = Studies::folder(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies"));
        let names = Studies::EMBEDDED.names().expect("names");
        assert_eq!(names, folder.names().expect("names"));
        for name in names {
            assert_eq!(
                Studies::EMBEDDED.load(&Studies::EMBEDDED.path(&name)).expect("a file"),
                folder.load(&folder.path(&name)).expect("a file")
            );
        }
        assert!(Studies::EMBEDDED.load("no-such/study.toml").is_err());
        assert!(Studies::EMBEDDED.load("../models/pendulum.toml").is_ok());
    }
}
