//! A model with fields replaced from outside, as if it had been written so.
//! Not here: which fields may be replaced; whoever asks knows.
//! In: a model, values by path with the texts they stand in. Out: the model with them.

use crate::data_file::{Gathering, Load};
use crate::model::{MAX_BYTES, Model};
use crate::source::Sources;
use crate::value::{Entry, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Model {
    /// The same model with fields of its force elements and muscles replaced, by path (`force.motor.command`). Values point into `texts`; files of numbers that they
    /// name are seen from there and come from `load`. A path of no element changes nothing.
    pub fn replacing<'v>(&self, fields: impl Iterator<Item = (&'v str, &'v Value)>, texts: &Sources, load: Load) -> Model {
        let mut model = self.clone();
        let mut sources = Sources::clone(&self.sources);
        let mut files: BTreeMap<u32, u32> = BTreeMap::new();
        for (path, value) in fields {
            let Some((element, field)) = path.rsplit_once('.') else { continue };
            let Some(element) = model.forces.iter_mut().chain(&mut model.muscles).find(|own| own.path() == element) else { continue };
            let file = value.at.file;
            let moved = *files.entry(file).or_insert_with(|| sources.add(texts.path(file), texts.text(file)));
            let mut value = value.clone();
            value.each_span(&mut |at| at.file = moved);
            match element.fields.iter_mut().find(|entry| entry.key == field) {
                Some(entry) => entry.value = value,
                None => element.fields.push(Entry { key: field.to_string(), key_at: value.at, value }),
            }
        }
        // The files of the model have been read: only those that are new are.
        let fresh = |at: u32| files.values().any(|file| *file == at);
        let changed: Vec<_> = model
            .forces
            .iter()
            .chain(&model.muscles)
            .map(|element| {
                let mut own = element.clone();
                own.fields.retain(|entry| fresh(entry.value.at.file));
                own
            })
            .collect();
        let gathering = Gathering { load, sources: &mut sources, findings: &mut model.findings, room: MAX_BYTES, limit: MAX_BYTES };
        let data = gathering.gather(changed.iter());
        model.data = Arc::new(self.data.joined(data));
        model.sources = Arc::new(sources);
        model
    }
}
