//! The three-dimensional stage, where it was built: its script and the licences of what is in it.
//! Not here: the stage itself (`viewer/`), the plain stage (`page/`).

/// The script; nothing where it was not built.
pub fn script() -> Option<&'static str> {
    None
}

/// Licences of what is in the script.
pub fn licenses() -> Option<&'static str> {
    None
}
