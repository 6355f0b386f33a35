//! Reading `[uncertainty]`: uncertain inputs, what goes together, noise of tables, numbers that are looked at.
//! Not here: whether parameters, tables and columns exist (`uncertainty`, `run`).
//! In: the table. Out: an `Uncertainty`; faults at their places.

use super::expectations::{known_part, options_of, unchecked};
use super::fault::StudyFault;
use super::fields::{UNCERTAINTY, UNCERTAINTY_CORRELATION, UNCERTAINTY_INPUT, UNCERTAINTY_NOISE, UNCERTAINTY_RESULT};
use super::formula;
use super::interpret::{Context, pick, written};
use super::sensitivity::check_name;
use crate::expect::Subject;
use crate::measure::{self, Measure, Takes};
use crate::plan::Analysis;
use crate::uncertainty::{Applied, Correlation, Input, Method, Noise, Shape, Sought, Uncertainty, Upon};
use borelli_fit::uncertainty::noise::Memory;
use borelli_model::{Dimension, Element, Fields, ReadFault, Span, Value, in_range, suggest};

/// What a distribution needs, and what it may have, of mean, standard deviation and ends.
const SHAPES: [(Shape, &[&str], &[&str]); 4] = [
    (Shape::Normal, &["sd"], &["mean", "sd"]),
    (Shape::LogNormal, &["sd"], &["mean", "sd"]),
    (Shape::Uniform, &["low", "high"], &["low", "high"]),
    (Shape::Triangular, &["low", "high"], &["low", "mode", "high"]),
];

impl Context<'_> {
    /// What is uncertain, and what is asked about it.
    pub(super) fn uncertainty(&mut self, root: &Element, element: Option<&Element>, analysis: Analysis) -> Option<Uncertainty> {
        let Some(element) = element else {
            if analysis == Analysis::Uncertainty && root.get("uncertainty").is_none() {
                self.table_missing(root, "uncertainty", analysis);
            }
            return None;
        };
        let mut fields = self.read(element, UNCERTAINTY);
        let of = pick(fields.choice("of"), &Analysis::ALL, Analysis::Simulate);
        let count = |field: &str, otherwise: usize| fields.count(field).unwrap_or(otherwise);
        let (samples, trajectories, seed) = (count("samples", 200), count("trajectories", 20), count("seed", 1));
        let methods = methods(&mut fields);
        let [inputs, correlations, noises, results] =
            ["input", "correlation", "noise", "result"].map(|list| fields.tables(list).unwrap_or_default());
        let Ok(seed) = u32::try_from(seed) else {
            fields.fault("seed", &StudyFault::SeedTooLarge);
            return None;
        };
        if inputs.is_empty() && noises.is_empty() && !fields.has("input") && !fields.has("noise") {
            fields.fault("input", &StudyFault::NothingListed { what: "uncertain input" });
        }
        let ranks = methods.iter().find(|method| method.ranks()).copied();
        if let Some(method) = ranks.filter(|_| results.is_empty() && !fields.has("result")) {
            fields.fault("method", &StudyFault::NothingToRank { method: method.name() });
        }
        if let Some(method) = ranks.filter(|_| !correlations.is_empty()) {
            fields.fault("correlation", &StudyFault::RankedTogether { method: method.name() });
        }
        if methods.contains(&Method::Morris) && inputs.is_empty() {
            fields.fault("method", &StudyFault::NothingListed { what: "input, whose steps `morris` takes," });
        }
        let (mut names, mut numbers) = (Vec::new(), Vec::new());
        let inputs: Vec<Input> = inputs.iter().filter_map(|(_, at, element)| self.input(*at, element, &mut names)).collect();
        let noises = noises.iter().filter_map(|(_, at, element)| self.noise(*at, element, &mut names)).collect();
        let mut taken: Vec<[String; 2]> = Vec::new();
        let correlations = correlations.iter().filter_map(|(_, at, element)| self.correlation(*at, element, &inputs, &mut taken)).collect();
        let results = results.iter().filter_map(|(_, at, element)| self.sought(*at, element, &mut numbers)).collect();
        for (k, input) in inputs.iter().enumerate() {
            let twice = input
                .paths
                .iter()
                .enumerate()
                .find(|(j, path)| input.paths[..*j].contains(path) || inputs[..k].iter().any(|other| other.paths.contains(path)));
            if let Some((_, path)) = twice {
                self.findings.push(input.at, "uncertainty.input", "path", &StudyFault::PathTwice { path: path.clone() });
            }
        }
        Some(Uncertainty { of, methods, samples, trajectories, seed, inputs, correlations, noises, results })
    }

    fn input(&mut self, at: Span, element: &Element, names: &mut Vec<String>) -> Option<Input> {
        let mut fields = self.read(element, UNCERTAINTY_INPUT);
        let ways = ["path", "paths"].iter().filter(|way| fields.has(way)).count();
        if ways != 1 {
            fields.fault("path", &StudyFault::PathCount { found: ways });
            return None;
        }
        let single = fields.text("path").map(|(path, _)| vec![path.to_string()]);
        let paths = single.or_else(|| Some(fields.texts("paths")?.into_iter().map(|(path, _)| path).collect()))?;
        let Some(first) = paths.first().cloned() else {
            fields.fault("paths", &StudyFault::NothingListed { what: "parameter" });
            return None;
        };
        let name = match fields.has("name") {
            true => check_name(&mut fields, "inputs and noises", names),
            false if names.contains(&first) => {
                fields.fault("path", &StudyFault::NameTwice { what: "inputs and noises", name: first.clone() });
                first
            }
            false => {
                names.push(first.clone());
                first
            }
        };
        let shape = pick(fields.choice("distribution"), &Shape::ALL, Shape::Normal);
        if fields.choice("distribution").is_some() || !fields.has("distribution") {
            let (_, needed, possible) = SHAPES.iter().find(|(own, ..)| *own == shape)?;
            for field in ["mean", "sd", "low", "mode", "high"] {
                let distribution = shape.name();
                match (fields.has(field), needed.contains(&field), possible.contains(&field)) {
                    (false, true, _) => fields.fault("distribution", &StudyFault::ShapeNeeds { distribution, field }),
                    (true, _, false) => fields.fault(field, &StudyFault::IdleShape { distribution, field }),
                    _ => {}
                }
            }
        }
        let applied = pick(fields.choice("apply"), &[("factor", Applied::Factor), ("offset", Applied::Offset)], Applied::Value);
        let text = |field: &str| fields.value(field).map(written);
        let [mean, sd, low, mode, high] = ["mean", "sd", "low", "mode", "high"].map(text);
        let times: Option<Vec<f64>> = fields.numbers("times").map(|list| list.iter().map(|q| q.value).collect());
        if times.is_some() && applied != Applied::Offset {
            fields.fault("times", &StudyFault::TimesWithoutOffset);
        }
        let times = times.unwrap_or_else(|| vec![1.0; paths.len()]);
        if times.len() != paths.len() {
            fields.fault("times", &StudyFault::FactorCount { found: times.len(), paths: paths.len() });
            return None;
        }
        if times.contains(&0.0) {
            fields.fault("times", &StudyFault::ZeroFactor);
            return None;
        }
        Some(Input { name, paths, times, applied, shape, mean, sd, low, mode, high, at })
    }

    fn correlation(&mut self, at: Span, element: &Element, inputs: &[Input], taken: &mut Vec<[String; 2]>) -> Option<Correlation> {
        let mut fields = self.read(element, UNCERTAINTY_CORRELATION);
        let between: Vec<String> = fields.texts("between")?.into_iter().map(|(name, _)| name).collect();
        let value = fields.quantity("value")?.value;
        let Ok(between) = <[String; 2]>::try_from(between) else {
            fields.fault("between", &StudyFault::TwoInputs);
            return None;
        };
        for name in &between {
            if inputs.iter().all(|input| input.name != *name) {
                let nearest = suggest(name, inputs.iter().map(|input| input.name.as_str())).map(str::to_string);
                fields.fault("between", &StudyFault::UnknownInput { name: name.clone(), nearest });
                return None;
            }
        }
        let mut sorted = between.clone();
        sorted.sort();
        if between[0] == between[1] || taken.contains(&sorted) {
            fields.fault("between", &StudyFault::TwoInputs);
            return None;
        }
        taken.push(sorted);
        if !(value > -1.0 && value < 1.0) {
            fields.fault("value", &StudyFault::NoCorrelation { value });
            return None;
        }
        Some(Correlation { between, value, at })
    }

    fn noise(&mut self, at: Span, element: &Element, names: &mut Vec<String>) -> Option<Noise> {
        let mut fields = self.read(element, UNCERTAINTY_NOISE);
        let name = check_name(&mut fields, "inputs and noises", names);
        let upon = Upon::ALL.iter().find(|(word, _)| fields.choice("on") == Some(word)).map(|(_, upon)| *upon)?;
        let columns = fields.texts("columns").unwrap_or_default().into_iter().map(|(text, _)| text).collect();
        let sd = fields.value("sd").map(written)?;
        let constant = fields.quantity("time_constant").map(|q| q.value);
        let lasting = fields.flag("constant").unwrap_or(false);
        if lasting && constant.is_some() {
            fields.fault("constant", &StudyFault::TwoMemories);
        }
        let memory = if lasting { Memory::Lasting } else { constant.map_or(Memory::None, Memory::Fading) };
        Some(Noise { name, upon, columns, sd, memory, at })
    }

    fn sought(&mut self, at: Span, element: &Element, names: &mut Vec<String>) -> Option<Sought> {
        let chosen = element.text("measure").and_then(measure::find);
        let element = known_part(element, UNCERTAINTY_RESULT, chosen, None, self.findings);
        let own: Vec<_> = chosen.iter().map(|measure| measure.fields).collect();
        let declared = [&[UNCERTAINTY_RESULT], &own[..]].concat();
        let mut fields = Fields::read(&element, &declared, Dimension::Planar, self.findings);
        let name = check_name(&mut fields, "results", names);
        formula::check(&mut fields, "formula");
        for (field, range) in declared.iter().flat_map(|list| list.iter()).filter_map(unchecked) {
            if let Some(Err(fault)) = fields.quantity(field).map(|q| in_range(q.value, range, "")) {
                fields.fault(field, &fault);
            }
        }
        let found = ["column", "formula"].iter().filter(|field| fields.has(field)).count();
        if found != 1 {
            let at = fields.element().at;
            fields.findings().push(at, "uncertainty.result", "", &StudyFault::SubjectCount { found });
            return None;
        }
        if let Some(measure) = chosen.filter(|measure| measure.takes() != Takes::Series) {
            let advice = "name a measure of a column, such as `max`";
            fields.fault("measure", &StudyFault::WrongField { field: "measure", measure: format!("`{}`", measure.name), advice });
            return None;
        }
        if chosen.is_none() && fields.has("formula") && !fields.has("measure") {
            let advice = "say with `measure` how the formula becomes one number";
            fields.fault("formula", &StudyFault::WrongField { field: "formula", measure: "a number of the whole run".into(), advice });
            return None;
        }
        let text = |field: &str| fields.text(field).map(|(text, _)| text.to_string());
        let subject = text("column").map(Subject::Column).or_else(|| text("formula").map(Subject::Formula))?;
        Some(Sought { name, subject, measure: chosen.map(|measure: &Measure| measure.name), options: options_of(&fields, &own), at })
    }
}

/// One method, or a list of them.
fn methods(fields: &mut Fields) -> Vec<Method> {
    let Some(value) = fields.value("method") else { return vec![Method::LatinHypercube] };
    let words: Vec<&Value> = value.as_list().map_or(vec![value], |list| list.iter().collect());
    let mut list: Vec<Method> = Vec::new();
    for word in words {
        let found = word.as_text().unwrap_or_default();
        match Method::ALL.iter().find(|(name, _)| *name == found) {
            Some((_, method)) if list.contains(method) || method.draws() && list.iter().any(|other| other.draws()) => {
                let other = list.iter().find(|other| other.draws() == method.draws()).map_or(method.name(), |other| other.name());
                fields.findings().push(word.at, "uncertainty", "method", &StudyFault::SameDraws { method: method.name(), other });
            }
            Some((_, method)) => list.push(*method),
            None => {
                let choices = Method::ALL.iter().map(|(name, _)| *name).collect();
                fields.findings().push(word.at, "uncertainty", "method", &ReadFault::BadChoice { found: found.into(), choices });
            }
        }
    }
    if list.is_empty() && value.as_list().is_some_and(<[Value]>::is_empty) {
        fields.fault("method", &StudyFault::NothingListed { what: "method" });
    }
    list
}
