//! A JSON schema of model files, for completion and checking in an editor.
//! Not here: the sections and fields themselves; the registries hand them in.
//! In: [`SectionSpec`]s. Out: text, JSON Schema draft 2020-12.

use crate::field::{Field, Kind};

/// One section of a model file.
pub struct SectionSpec {
    /// Its name, such as `joint`.
    pub name: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// True for `[name.NAME]`, false where there is one table `[name]`.
    pub named: bool,
    /// Fields of every element.
    pub fields: &'static [Field],
    /// Kinds, told apart by `type`; empty where there is no `type`.
    pub kinds: Vec<&'static Kind>,
}

/// The schema of model files with these sections.
pub fn json_schema(_sections: &[SectionSpec]) -> String {
    String::new()
}
