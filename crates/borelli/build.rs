//! Embeds the gallery: writes an array of paths and texts of all files `models/**.toml`.
//! Not here: any look at what the files say.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../models").canonicalize()?;
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let mut text = String::from("/// Paths inside `models`, and texts.\nstatic FILES: &[(&str, &str)] = &[\n");
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        let name = path.strip_prefix(&folder)?.to_string_lossy().replace('\\', "/");
        writeln!(text, "    ({name:?}, include_str!({path:?})),")?;
    }
    text.push_str("];\n");
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("gallery.rs"), text)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
