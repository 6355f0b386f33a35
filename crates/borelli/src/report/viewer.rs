//! The stage in space: a script that `make viewer` builds and this program carries where it was built.
//! Not here: the plain stage and the choice between the two (`report/page`); building it (`viewer`).
//! In: nothing. Out: texts for the page, or nothing where the program was built without Node.

include!(concat!(env!("OUT_DIR"), "/viewer.rs"));

/// The classic script that defines `borelliStages.three`; it closes no script element.
pub fn script() -> Option<&'static str> {
    SCRIPT
}

/// Licences of what is in the script; they must go with it.
pub fn licenses() -> Option<&'static str> {
    LICENSES
}
