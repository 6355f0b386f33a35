//! Embeds the gallery: writes an array of file names and texts of `models/*.toml`.
//! Not here: any look at what the files say.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../models");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>()?,
        Err(_) => Vec::new(),
    };
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let mut text = String::from("/// File names and texts.\npub static FILES: &[(&str, &str)] = &[\n");
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(text, "    ({name:?}, include_str!({:?})),", path.canonicalize()?)?;
    }
    text.push_str("];\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("gallery.rs"), text)?;
    Ok(())
}
