//! Embeds the gallery, the studies and the report's stage in space: writes arrays of paths and texts of the files in `models` and `studies`,
//! and the script of `viewer/dist` where it has been built. Runs nothing, and needs no network.
//! Not here: any look at what the files say; building the viewer (`make viewer`).

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Folder of the repository, endings of the files to be embedded, name of the file with the array.
const ROOMS: [(&str, &[&str], &str); 2] =
    [("models", &["toml"], "gallery.rs"), ("studies", &["toml", "md", "csv", "sto", "trc", "mot", "msh"], "studies.rs")];

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../..").canonicalize()?;
    for (room, endings, file) in ROOMS {
        let folder = root.join(room);
        let mut files = Vec::new();
        collect(&folder, endings, &mut files)?;
        files.sort();
        let mut text = format!("/// Paths inside `{room}`, and texts.\nstatic FILES: &[(&str, &str)] = &[\n");
        for path in files {
            println!("cargo::rerun-if-changed={}", path.display());
            let name = path.strip_prefix(&folder)?.to_string_lossy().replace('\\', "/");
            writeln!(text, "    ({name:?}, include_str!({path:?})),")?;
        }
        text.push_str("];\n");
        std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join(file), text)?;
    }
    viewer(&root.join("viewer/dist"))
}

/// The script of the viewer and the licences of what is in it, or nothing. Only its own folder is watched, which is always there: the folder
/// above holds packages, and a path that is missing would make cargo build anew each time.
fn viewer(folder: &Path) -> Result<(), Box<dyn Error>> {
    if folder.is_dir() {
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    let built = ["viewer.js", "licenses.md"].map(|name| folder.join(name)).into_iter().all(|path| path.is_file());
    let mut text = String::new();
    for (name, file) in [("SCRIPT", "viewer.js"), ("LICENSES", "licenses.md")] {
        let value = if built { format!("Some(include_str!({:?}))", folder.join(file)) } else { "None".to_string() };
        writeln!(text, "static {name}: Option<&str> = {value};")?;
    }
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("viewer.rs"), text)?;
    Ok(())
}

fn collect(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, endings, files)?;
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            files.push(path);
        }
    }
    Ok(())
}
