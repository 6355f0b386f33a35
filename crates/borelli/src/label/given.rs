//! Labels that a model gives its elements itself.
//! Not here: reading them (`borelli-dynamics`), words of names.
//! In: labels by `section.NAME`. Out: the label of an element.

use super::{Side, capital, words_of};

/// Labels by `section.NAME`, such as `joint.knee_r`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a>(pub &'a [(String, String)]);

impl<'a> Given<'a> {
    /// The model's own label of an element; nothing where it gives none.
    pub fn get(self, section: &str, name: &str) -> Option<&'a str> {
        let own = |key: &str| key.strip_prefix(section).and_then(|rest| rest.strip_prefix('.')) == Some(name);
        self.0.iter().find(|(key, _)| own(key)).map(|(_, label)| label.as_str())
    }

    /// The label of an element of a side: the model's own, else the words of its name.
    pub fn element(self, section: &str, name: &str, side: Option<Side>) -> String {
        self.get(section, name).map_or_else(|| capital(&words_of(name, side)), str::to_string)
    }
}
