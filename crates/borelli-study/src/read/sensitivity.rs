//! Reading `[sensitivity]`: largest values of columns, and changes of parameters that they are differentiated by.
//! Not here: whether columns and parameters exist (`run`).
//! In: the table. Out: a `Sensitivities`; faults at their places.

use super::cases::{leaves, wrong_type};
use super::fault::StudyFault;
use super::fields::{SENSITIVITY, SENSITIVITY_BY, SENSITIVITY_OF};
use super::interpret::{Context, parameter};
use crate::plan::{Analysis, Change, Peak, Sensitivities};
use borelli_model::model::is_name;
use borelli_model::{Element, Fields, Span};

/// Reports a name that is none, or that another has.
pub(super) fn check_name(fields: &mut Fields, what: &'static str, taken: &mut Vec<String>) -> String {
    let name = fields.text("name").map_or(String::new(), |(name, _)| name.to_string());
    if fields.text("name").is_some() && !is_name(&name) {
        fields.fault("name", &StudyFault::BadName { name: name.clone() });
    } else if !name.is_empty() && taken.contains(&name) {
        fields.fault("name", &StudyFault::NameTwice { what, name: name.clone() });
    }
    taken.push(name.clone());
    name
}

impl Context<'_> {
    /// What derivatives are asked for.
    pub(super) fn sensitivity(&mut self, root: &Element, element: Option<&Element>, analysis: Analysis) -> Option<Sensitivities> {
        let Some(element) = element else {
            if analysis == Analysis::Sensitivity && root.get("sensitivity").is_none() {
                self.table_missing(root, "sensitivity", analysis);
            }
            return None;
        };
        let mut fields = self.read(element, SENSITIVITY);
        let differences = fields.flag("differences").unwrap_or(false);
        let (of, by) = (fields.tables("of"), fields.tables("by"));
        for (field, what, list) in [("of", "largest value", &of), ("by", "change of parameters", &by)] {
            if list.as_ref().is_some_and(Vec::is_empty) {
                fields.fault(field, &StudyFault::NothingListed { what });
            }
        }
        let (mut peaks, mut changes) = (Vec::new(), Vec::new());
        for (_, _, element) in &of.unwrap_or_default() {
            self.peak(element, &mut peaks);
        }
        for (_, _, element) in &by.unwrap_or_default() {
            self.change(element, &mut changes);
        }
        Some(Sensitivities { of: peaks, by: changes, differences })
    }

    fn peak(&mut self, element: &Element, list: &mut Vec<Peak>) {
        let mut taken: Vec<String> = list.iter().map(|peak| peak.name.clone()).collect();
        let mut fields = self.read(element, SENSITIVITY_OF);
        let name = check_name(&mut fields, "largest values", &mut taken);
        let (column, at) = fields.text("column").map_or((String::new(), None), |(column, at)| (column.to_string(), Some(at)));
        let time = |field: &str| fields.quantity(field).map(|q| q.value);
        list.push(Peak { name, column, from: time("from"), to: time("to"), at });
    }

    fn change(&mut self, element: &Element, list: &mut Vec<Change>) {
        let mut taken: Vec<String> = list.iter().map(|change| change.name.clone()).collect();
        let mut fields = self.read(element, SENSITIVITY_BY);
        let name = check_name(&mut fields, "changes", &mut taken);
        let at: Span = fields.span_of("change");
        let Some(value) = element.value("change") else { return };
        let mut settings = Vec::new();
        match value.as_table() {
            Some(entries) => {
                for leaf in leaves(entries, "sensitivity.by", self.findings) {
                    settings.extend(parameter(&leaf.path, leaf.value, "sensitivity.by", self.findings));
                }
                if entries.is_empty() {
                    self.findings.push(at, "sensitivity.by", "change", &StudyFault::NothingListed { what: "parameter" });
                }
            }
            None => wrong_type(value, "sensitivity.by", "change", "a table of parameters and what is added to them", self.findings),
        }
        list.push(Change { name, settings });
    }
}
