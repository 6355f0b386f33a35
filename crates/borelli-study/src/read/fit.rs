//! Reading `[fit]`: unknowns, terms, constraints, trials with their data.
//! Not here: whether parameters and columns exist, and whether numbers have the right units (`fit`).
//! In: the table. Out: a `Fit`; faults at their places.

use super::cases::{leaves, wrong_type};
use super::fault::StudyFault;
use super::fields::{FIT, FIT_CONSTRAINT, FIT_FADE, FIT_NUMBER, FIT_TERM, FIT_TRIAL, FIT_UNKNOWN};
use super::interpret::{Context, load_table, parameter, pick, written};
use super::sensitivity::check_name;
use crate::fit::{
    Afterwards, Extreme, Fade, Fit, Limit, MeasuredMap, Method, Normalise, Reduce, RunNumber, SlopeRule, Term, Trial, Unknown, parse_map,
};
use crate::pattern::fits;
use crate::plan::{Analysis, MotionFile};
use borelli_data::{Trajectory, even_times};
use borelli_fit::covariance::Noise;
use borelli_math::function::Interpolation;
use borelli_model::{Data, Element, Fields, Span, beside, suggest};

/// Names of interpolations of measured columns.
const INTERPOLATIONS: [(&str, Interpolation); 6] = [
    ("linear", Interpolation::Linear),
    ("spline", Interpolation::Spline),
    ("pchip", Interpolation::Pchip),
    ("makima", Interpolation::Makima),
    ("natural", Interpolation::Natural),
    ("akima", Interpolation::Akima),
];

/// Length of a block of frames that are drawn together, s.
const BLOCK: f64 = 0.1;

/// Two optional times.
fn window(fields: &Fields, [from, to]: [&str; 2]) -> (Option<f64>, Option<f64>) {
    let time = |field: &str| fields.quantity(field).map(|q| q.value);
    (time(from), time(to))
}

impl Context<'_> {
    /// The search that is asked for.
    pub(super) fn fit(&mut self, root: &Element, element: Option<&Element>, analysis: Analysis) -> Option<Fit> {
        let Some(element) = element else {
            if analysis == Analysis::Fit && root.get("fit").is_none() {
                self.table_missing(root, "fit", analysis);
            }
            return None;
        };
        let mut fields = self.read(element, FIT);
        let of = pick(fields.choice("of"), &Analysis::ALL, Analysis::Evaluate);
        let [method, then] = ["method", "then"].map(|field| {
            let word = fields.choice(field);
            Method::ALL.iter().find(|(name, _)| word == Some(name)).map(|(_, method)| *method)
        });
        let derivatives = if fields.choice("derivatives") == Some("differences") { SlopeRule::Differences } else { SlopeRule::Exact };
        let number = |field: &str, otherwise: f64| fields.quantity(field).map_or(otherwise, |q| q.value);
        let (power, scale, tolerance) = (number("power", 2.0), number("scale", 1.0), number("tolerance", 1e-10));
        let count = |field: &str, otherwise: usize| fields.count(field).unwrap_or(otherwise);
        let (starts, seed, evaluations) = (count("starts", 1), count("seed", 1), count("evaluations", 100_000));
        let (rounds, restarts) = (count("rounds", 1), count("restarts", 0));
        let population = fields.count("population");
        let generations = fields.numbers("generations").map_or(vec![300], |list| list.iter().map(|q| q.value as usize).collect());
        if generations.contains(&0) {
            fields.fault("generations", &StudyFault::NothingListed { what: "generation" });
        }
        let reference = fields.numbers("reference").map(|list| list.iter().map(|q| q.value).collect());
        let weights: Option<Vec<f64>> = fields.numbers("weights").map(|list| list.iter().map(|q| q.value).collect());
        let (searched, held, looked_at) = (fields.texts("search"), fields.texts("hold"), fields.texts("trials"));
        let noise = if fields.choice("noise") == Some("known") { Noise::Known } else { Noise::Estimated };
        let block = fields.quantity("block").map_or(BLOCK, |q| q.value);
        if fields.has("block") && !fields.has("bootstrap") {
            fields.fault("block", &StudyFault::BlockWithoutBootstrap);
        }
        let afterwards = Afterwards {
            leave_one_out: fields.flag("leave_one_out").unwrap_or(false),
            profile: fields.texts("profile").unwrap_or_default(),
            bootstrap: fields.count("bootstrap").map(|count| (count, block)),
        };
        let extra = fields.text("extra").map(|(text, at)| (text.to_string(), at));
        if power < 1.0 {
            fields.fault("power", &StudyFault::PowerBelowOne { power });
        }
        let [unknowns, terms, numbers, limits, trials] =
            ["unknown", "term", "number", "constraint", "trial"].map(|list| fields.tables(list).unwrap_or_default());
        for (field, list, what) in [("unknown", &unknowns, "unknown"), ("term", &terms, "term")] {
            if list.is_empty() && fields.has(field) {
                fields.fault(field, &StudyFault::NothingListed { what });
            }
        }
        if let Some(weight) = weights.iter().flatten().find(|weight| **weight < 0.0) {
            fields.fault("weights", &StudyFault::NegativeWeight { weight: *weight });
        }
        let Ok(seed) = u32::try_from(seed) else {
            fields.fault("seed", &StudyFault::SeedTooLarge);
            return None;
        };
        if let Some(weights) = weights.as_ref().filter(|weights| weights.len() != terms.len()) {
            fields.fault("weights", &StudyFault::WeightCount { found: weights.len(), terms: terms.len() });
        }
        let at = fields.span_of("search");
        let mut unknowns: Vec<Unknown> = unknowns.iter().filter_map(|(_, at, element)| self.unknown(*at, element)).collect();
        if let Some(searched) = searched {
            for (pattern, place) in &searched {
                if !unknowns.iter().any(|unknown| fits(pattern, &unknown.name)) {
                    let nearest = suggest(pattern, unknowns.iter().map(|unknown| unknown.name.as_str())).map(str::to_string);
                    self.findings.push(*place, "fit", "search", &StudyFault::UnknownUnknown { name: pattern.clone(), nearest });
                }
            }
            unknowns.retain(|unknown| searched.iter().any(|(pattern, _)| fits(pattern, &unknown.name)));
            if searched.is_empty() {
                self.findings.push(at, "fit", "search", &StudyFault::NothingListed { what: "unknown" });
            }
        }
        // Two unknowns with other bounds may share a parameter, as long as one of them is searched for.
        self.distinct(&unknowns);
        let mut names = Vec::new();
        let mut terms: Vec<Term> = terms.iter().map(|(_, at, element)| self.term(*at, element, &mut names)).collect();
        for (term, weight) in terms.iter_mut().zip(weights.unwrap_or_default()) {
            term.weight = weight;
        }
        let (mut names, mut others) = (Vec::new(), Vec::new());
        let numbers = numbers.iter().map(|(_, at, element)| self.run_number(*at, element, &mut names)).collect();
        let mut limits: Vec<Limit> = limits.iter().map(|(_, at, element)| self.limit(*at, element, &mut others)).collect();
        if let Some(held) = held {
            for (pattern, place) in held.iter().filter(|(pattern, _)| !limits.iter().any(|limit| fits(pattern, &limit.name))) {
                let nearest = suggest(pattern, limits.iter().map(|limit| limit.name.as_str())).map(str::to_string);
                self.findings.push(*place, "fit", "hold", &StudyFault::UnknownConstraint { name: pattern.clone(), nearest });
            }
            limits.retain(|limit| held.iter().any(|(pattern, _)| fits(pattern, &limit.name)));
        }
        for limit in &limits {
            let Some(name) = limit.met_by.as_ref().filter(|name| !unknowns.iter().any(|unknown| unknown.name == **name)) else { continue };
            let nearest = suggest(name, unknowns.iter().map(|unknown| unknown.name.as_str())).map(str::to_string);
            self.findings.push(limit.at, "fit.constraint", "met_by", &StudyFault::UnknownUnknown { name: name.clone(), nearest });
        }
        let mut names = Vec::new();
        let mut trials: Vec<Trial> = trials.iter().map(|(_, at, element)| self.trial(*at, element, &mut names)).collect();
        if let Some(list) = looked_at {
            for (pattern, place) in list.iter().filter(|(pattern, _)| !trials.iter().any(|trial| fits(pattern, &trial.name))) {
                let nearest = suggest(pattern, trials.iter().map(|trial| trial.name.as_str())).map(str::to_string);
                self.findings.push(*place, "fit", "trials", &StudyFault::UnknownTrial { name: pattern.clone(), nearest });
            }
            trials.retain(|trial| list.iter().any(|(pattern, _)| fits(pattern, &trial.name)));
        }
        let methods = [Some(method.unwrap_or(Method::LeastSquares)), then].into_iter().flatten().collect();
        Some(Fit {
            of,
            derivatives,
            methods,
            power,
            scale,
            starts,
            rounds,
            restarts,
            seed,
            evaluations,
            tolerance,
            population,
            generations,
            reference,
            noise,
            afterwards,
            unknowns,
            terms,
            numbers,
            extra,
            limits,
            trials,
        })
    }

    /// Reports parameters and names that two unknowns share.
    fn distinct(&mut self, unknowns: &[Unknown]) {
        for (k, unknown) in unknowns.iter().enumerate() {
            let before = &unknowns[..k];
            if before.iter().any(|other| other.name == unknown.name) {
                let fault = StudyFault::NameTwice { what: "unknowns", name: unknown.name.clone() };
                self.findings.push(unknown.at, "fit.unknown", "name", &fault);
            } else if let Some((path, _)) =
                unknown.paths.iter().find(|(path, _)| before.iter().any(|other| other.paths.iter().any(|(own, _)| own == path)))
            {
                self.findings.push(unknown.at, "fit.unknown", "path", &StudyFault::PathTwice { path: path.clone() });
            }
        }
    }

    fn unknown(&mut self, at: Span, element: &Element) -> Option<Unknown> {
        let mut fields = self.read(element, FIT_UNKNOWN);
        let ways = ["path", "paths"].iter().filter(|way| fields.has(way)).count();
        if ways != 1 {
            fields.fault("path", &StudyFault::PathCount { found: ways });
            return None;
        }
        let single = fields.text("path").map(|(path, _)| vec![path.to_string()]);
        let paths = single.or_else(|| Some(fields.texts("paths")?.into_iter().map(|(path, _)| path).collect()))?;
        if paths.is_empty() {
            fields.fault("paths", &StudyFault::NothingListed { what: "parameter" });
            return None;
        }
        let times: Vec<f64> = fields.numbers("times").map_or(vec![1.0; paths.len()], |list| list.iter().map(|q| q.value).collect());
        if times.len() != paths.len() {
            fields.fault("times", &StudyFault::FactorCount { found: times.len(), paths: paths.len() });
            return None;
        }
        if times.contains(&0.0) {
            fields.fault("times", &StudyFault::ZeroFactor);
            return None;
        }
        let name = fields.text("name").map_or_else(|| paths.first().cloned().unwrap_or_default(), |(name, _)| name.to_string());
        let text = |field: &str| fields.value(field).map(written);
        let [low, high, start] = ["low", "high", "start"].map(text);
        if low.is_some() != high.is_some() {
            let field = if low.is_some() { "low" } else { "high" };
            fields.fault(field, &StudyFault::OneBound);
        }
        let log = fields.choice("scale") == Some("log");
        if log && low.is_none() {
            fields.fault("scale", &StudyFault::LogWithoutBounds);
        }
        let per_trial = fields.flag("per_trial").unwrap_or(false);
        let pull = fields.quantity("pull").map(|q| q.value);
        let stage = fields.count("stage").unwrap_or(1);
        let before = fields.text("before").map(|(name, _)| name.to_string());
        let paths = paths.into_iter().zip(times).collect();
        Some(Unknown { name, paths, low, high, log, start, per_trial, trial: None, pull, stage, before, at })
    }

    fn term(&mut self, at: Span, element: &Element, names: &mut Vec<String>) -> Term {
        let mut fields = self.read(element, FIT_TERM);
        let name = check_name(&mut fields, "terms", names);
        let column = fields.text("column").map_or(String::new(), |(column, _)| column.to_string());
        let mat = fields.text("mat").map(|(mat, _)| mat.to_string());
        if fields.has("column") == fields.has("mat") {
            fields.fault("column", &StudyFault::TermOf { both: mat.is_some() });
        }
        let of_columns = ["interpolation", "knots_from", "knots_to", "where", "fade", "together", "accept"];
        if let Some(field) = of_columns.into_iter().find(|field| mat.is_some() && fields.has(field)) {
            fields.fault(field, &StudyFault::NotOfMat { what: field });
        }
        if mat.is_some() && fields.choice("reduce") == Some("max") {
            fields.fault("reduce", &StudyFault::NotOfMat { what: "reduce = \"max\"" });
        }
        let data = fields.text("data").map(|(data, _)| data.to_string());
        let normalise = match fields.value("normalise").map(|value| (written(value), &value.data)) {
            None => Normalise::By("1".into()),
            Some((_, Data::List(list))) if !list.is_empty() && list.iter().all(|own| own.as_text().is_some()) => {
                Normalise::Together(list.iter().filter_map(|own| own.as_text()).map(str::to_string).collect())
            }
            Some((word, Data::Text(_))) if word == "max" => Normalise::Max,
            Some((word, Data::Text(_))) if word == "max-abs" => Normalise::MaxAbs,
            Some((word, Data::Text(_))) if word == "rms" => Normalise::Rms,
            Some((word, Data::Text(_))) if word == "range" => Normalise::Range,
            Some((text, _)) => Normalise::By(text),
        };
        let reduces = [("mean", Reduce::Mean), ("max", Reduce::Max)];
        let term = Term {
            name,
            column,
            mat,
            data,
            interpolation: pick(fields.choice("interpolation"), &INTERPOLATIONS, Interpolation::Linear),
            knots: window(&fields, ["knots_from", "knots_to"]),
            weight: fields.quantity("weight").map_or(1.0, |q| q.value),
            normalise,
            accept: fields.value("accept").map(written),
            condition: fields.text("where").map(|(text, at)| (text.to_string(), at)),
            fade: None,
            reduce: pick(fields.choice("reduce"), &reduces, Reduce::Sum),
            together: fields.text("together").map(|(name, _)| name.to_string()),
            objective: fields.count("objective").unwrap_or(1),
            window: window(&fields, ["from", "to"]),
            at,
        };
        let fade = fields.table("fade").map(|element| self.fade(&element));
        Term { fade, ..term }
    }

    fn fade(&mut self, element: &Element) -> Fade {
        let fields = self.read(element, FIT_FADE);
        let text = |field: &str| fields.value(field).map_or(String::new(), written);
        Fade { by: fields.text("by").map_or(String::new(), |(by, _)| by.to_string()), low: text("low"), high: text("high") }
    }

    fn run_number(&mut self, at: Span, element: &Element, names: &mut Vec<String>) -> RunNumber {
        let mut fields = self.read(element, FIT_NUMBER);
        let name = check_name(&mut fields, "numbers", names);
        let column = fields.text("column").map_or(String::new(), |(column, _)| column.to_string());
        let extreme = pick(fields.choice("of"), &[("min", Extreme::Min)], Extreme::Max);
        RunNumber { name, column, extreme, window: window(&fields, ["from", "to"]), at }
    }

    fn limit(&mut self, at: Span, element: &Element, names: &mut Vec<String>) -> Limit {
        let mut fields = self.read(element, FIT_CONSTRAINT);
        let name = check_name(&mut fields, "constraints", names);
        let text = |field: &str| fields.text(field).map(|(text, _)| text.to_string());
        let at_most = fields.value("at_most").map_or(String::new(), written);
        let (column, met_by) = (text("column").unwrap_or_default(), text("met_by"));
        Limit { name, column, at_most, met_by, window: window(&fields, ["from", "to"]), at }
    }

    fn trial(&mut self, at: Span, element: &Element, names: &mut Vec<String>) -> Trial {
        let (path, files) = (self.path, self.files);
        let mut fields = self.read(element, FIT_TRIAL);
        let name = check_name(&mut fields, "trials", names);
        let rate = fields.quantity("rate").map(|q| q.value);
        let is_fitted = fields.choice("role") != Some("validate");
        let mut tables = Vec::new();
        for (file, at) in fields.texts("data").unwrap_or_default() {
            let path = beside(path, &file);
            let read = load_table(&path, files).and_then(|(table, _)| match rate {
                Some(rate) => at_even_times(&table, rate).map_err(|reason| (reason, "leave `rate` out, or give that of the file".into())),
                None => Ok(table),
            });
            match read {
                Ok(table) => tables.push(table),
                Err((reason, advice)) => {
                    fields.findings().push(at, "fit.trial", "data", &StudyFault::BadRecording { path, reason, advice });
                }
            }
        }
        let mut maps: Vec<MeasuredMap> = Vec::new();
        if let Some(value) = element.value("maps") {
            let named = value
                .as_table()
                .and_then(|entries| entries.iter().map(|own| Some((own, own.value.as_text()?))).collect::<Option<Vec<_>>>());
            let Some(named) = named else {
                wrong_type(value, "fit.trial", "maps", "a table of files by name", fields.findings());
                return Trial { name, tables, maps, motion: None, rest_at: None, is_fitted, settings: Vec::new(), at: Some(at) };
            };
            for (entry, file) in named {
                let path = beside(path, file);
                let bytes = files
                    .load(&path)
                    .map_err(|error| error.to_string())
                    .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string()));
                let advice = || "give a file of cells, relative to the study".to_string();
                match bytes.map_err(|reason| (reason, advice())).and_then(|text| parse_map(&entry.key, &text)) {
                    Ok(map) => maps.push(map),
                    Err((reason, advice)) => {
                        fields.findings().push(entry.value.at, "fit.trial", "maps", &StudyFault::BadRecording { path, reason, advice });
                    }
                }
            }
        }
        let mut motion = None;
        if let Some((file, at)) = fields.text("motion") {
            let path = beside(path, file);
            match load_table(&path, files) {
                Ok((table, angles)) => motion = Some((MotionFile { path, table, angles }, at)),
                Err((reason, advice)) => fields.fault("motion", &StudyFault::BadMotion { path, reason, advice }),
            }
        }
        let rest_at = fields.quantity("rest_at").map(|q| (q.value, fields.span_of("rest_at")));
        let mut settings = Vec::new();
        if let Some(value) = element.value("set") {
            match value.as_table() {
                Some(entries) => {
                    for leaf in leaves(entries, "fit.trial", self.findings) {
                        settings.extend(parameter(&leaf.path, leaf.value, "fit.trial", self.findings));
                    }
                }
                None => wrong_type(value, "fit.trial", "set", "a table of parameters", self.findings),
            }
        }
        Trial { name, tables, maps, motion, rest_at, is_fitted, settings, at: Some(at) }
    }
}

/// A table whose times are rounded, at those that its rate gives.
fn at_even_times(table: &Trajectory, rate: f64) -> Result<Trajectory, String> {
    let times = even_times(table.time(), rate).ok_or_else(|| format!("its times are not those of {rate} samples a second"))?;
    let mut even = Trajectory::foreign(table.columns().to_vec()).map_err(|fault| fault.to_string())?;
    let mut row = vec![0.0; table.columns().len() + 1];
    for (sample, t) in times.iter().enumerate() {
        table.fill_row(sample, &mut row);
        row[0] = *t;
        even.push_row(&row).map_err(|fault| fault.to_string())?;
    }
    Ok(even)
}
