//! From the words of the command line to a system: a file or a name of the gallery, and `--set path=value`.
//! Not here: reading and compiling themselves.
//! In: words. Out: model and system, or every fault.

use super::conduct::Reference;
use borelli::gallery;
use borelli::studies::{self, NoSuchStudy, STUDY, Studies};
use borelli_dynamics::{System, compile};
use borelli_model::{Document, Explain, Findings, Model, Rejected, suggest};
use borelli_study::apply_settings;
use borelli_study::plan::Setting;
use borelli_study::read::{Override, is_study};
use borelli_study::settings::assignment;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads a file; a word that is no file may name a model of the gallery, or one beside a study of the program as `STUDY/model`.
pub fn read(word: &str) -> Result<Model, Rejected> {
    if !Path::new(word).exists()
        && let Some(model) = gallery::read(word).or_else(|| studies::model(word))
    {
        return model;
    }
    if !Path::new(word).exists() {
        let nearest = suggest(word.trim_end_matches(".toml"), gallery::names());
        return Err(refused(&NoSuchModel { word: word.into(), nearest }));
    }
    Model::read(Path::new(word))
}

/// What a word of the command line means.
pub enum Meaning {
    /// A study.
    Study {
        /// Its path.
        path: String,
        /// Where it is.
        studies: Studies,
        /// What is to be said where the word names a model as well.
        note: Option<String>,
    },
    /// A model, by its file or its name.
    Model,
}

/// What a word means: a folder with a study, a file, a study of the program by its name, a model of the gallery by its name, a study by a part
/// of its name. A study comes before its model, since it says what is asked of it. `model`: studies are out of the question.
pub fn meaning(word: &str, model: bool) -> Result<Meaning, Rejected> {
    if model {
        return Ok(Meaning::Model);
    }
    let path = Path::new(word);
    let on_disk =
        |path: String| Meaning::Study { path, studies: Studies::on_disk().with_reference(Reference::new(None).folder()), note: None };
    if path.is_dir() {
        return Ok(on_disk(path.join(STUDY).to_string_lossy().into_owned()));
    }
    if path.exists() {
        let study = Document::read(path).is_ok_and(|document| is_study(&document));
        return Ok(if study { on_disk(word.into()) } else { Meaning::Model });
    }
    let embedded = |name: &str, note| Meaning::Study {
        path: Studies::EMBEDDED.path(name),
        studies: Studies::EMBEDDED.with_reference(Reference::new(None).folder()),
        note,
    };
    // A model of the gallery must be named in full, a study may be named by a part.
    if gallery::names().any(|model| model == word) {
        return Ok(match Studies::EMBEDDED.named(word) {
            Some(name) => {
                let note = format!("note: `{word}` is the study `{name}` here; the model of that name is meant with --model\n");
                embedded(&name, Some(note))
            }
            None => Meaning::Model,
        });
    }
    match Studies::EMBEDDED.find(word) {
        Ok(Ok(name)) => Ok(embedded(&name, None)),
        Ok(Err(fault @ NoSuchStudy::Ambiguous { .. })) => Err(refused(&fault)),
        _ => Ok(Meaning::Model),
    }
}

/// A single fault without a place.
pub fn refused(fault: &impl Explain) -> Rejected {
    let mut findings = Findings::new();
    findings.push(None, "", "", fault);
    Rejected { findings, sources: Arc::default() }
}

/// Reads, compiles, and sets parameters.
pub fn load(word: &str, settings: &[String]) -> Result<(Model, System), Rejected> {
    let model = read(word)?;
    let system = compile(&model)?;
    let system = with_settings(system, settings).map_err(|findings| Rejected { findings, sources: model.sources.clone() })?;
    Ok((model, system))
}

/// Name of a file for a picture, for options that take one.
pub fn svg_file(file: PathBuf) -> Result<PathBuf, String> {
    ending(file, &["svg"]).map_err(|found| format!("pictures are SVG, not {found}; give the file a name that ends in .svg"))
}

/// Name of a file for a picture or for numbers.
pub fn svg_or_csv_file(file: PathBuf) -> Result<PathBuf, String> {
    let hint = "give the file a name that ends in .svg for a picture, in .csv for numbers";
    ending(file, &["svg", "csv"]).map_err(|found| format!("pictures are SVG and numbers CSV, not {found}; {hint}"))
}

/// The file where its name has one of these endings, else its ending in words.
fn ending(file: PathBuf, known: &[&str]) -> Result<PathBuf, String> {
    let Some(found) = file.extension() else { return Err("files without an ending".into()) };
    if known.iter().any(|one| found.eq_ignore_ascii_case(one)) { Ok(file) } else { Err(found.to_string_lossy().to_uppercase()) }
}

/// Neither a file nor a model of the gallery.
struct NoSuchModel {
    word: String,
    nearest: Option<&'static str>,
}

impl Explain for NoSuchModel {
    fn code(&self) -> &'static str {
        "cannot-read-file"
    }

    fn message(&self) -> String {
        format!("cannot read `{}`: there is no such file, and no model of that name in the gallery", self.word)
    }

    fn hint(&self) -> Option<String> {
        Some(match self.nearest {
            Some(name) => format!("did you mean `{name}` of the gallery?"),
            None => format!("give the path of a file, or one of: {}", gallery::names().collect::<Vec<_>>().join(", ")),
        })
    }
}

/// The system with some parameters and start values changed; the last setting of a path counts.
fn with_settings(system: System, settings: &[String]) -> Result<System, Findings> {
    let (mut list, mut findings) = (Vec::new(), Findings::new());
    for text in settings {
        match assignment(text) {
            Ok((path, text)) => list.push(Setting { path, text, at: None }),
            Err(fault) => findings.push(None, "", "", &fault),
        }
    }
    match apply_settings(system, &list) {
        Ok(system) if !findings.has_errors() => Ok(system),
        Ok(_) => Err(findings),
        Err(others) => {
            findings.merge(others);
            Err(findings)
        }
    }
}

/// Paths and values of all settings.
pub fn assignments(settings: &[String]) -> Result<Vec<Override>, Rejected> {
    let read = |text: &String| assignment(text).map(|(path, value)| Override::set(path, value)).map_err(|fault| refused(&fault));
    settings.iter().map(read).collect()
}
