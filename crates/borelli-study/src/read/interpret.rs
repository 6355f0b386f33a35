//! From the entries of a study to a plan: defaults filled in, words to choices, all faults at once.
//! Not here: which case and which settings of the command line were laid over the entries (`mod`).
//! In: the top level as one element. Out: a `Plan`; with faults among the findings it must not be used.

use super::cases::{leaves, wrong_type};
use super::fault::StudyFault;
use super::fields::{COLUMN, DRIFT, EVENT, INTEGRATOR, MOTION, PRESSURE, Place, SHOOT, STANDSTILL, START, TARGET, TIME, TOP, place_of};
use super::{Files, is_model_file};
use super::{formula, mixed};
use crate::plan::{
    Action, Analysis, Angles, ControlSetting, CorrectionRule, Derivatives, Derived, EventRule, Integrator, Mixed, ModelSource, Motion,
    MotionFile, MotionSource, Plan, Setting, Shoot, Touchdown,
};
use crate::plan::{PressureFrames, Rest, StartRule, Target, Time};
use borelli_data::format::ReadNote;
use borelli_data::{ReadOptions, Trajectory, format_of};
use borelli_dynamics::compile::Fault;
use borelli_dynamics::integrate::{self, Direction, Form, Kind, Settings, StartAcceleration};
use borelli_dynamics::movement::DriftControl;
use borelli_model::model::is_name;
use borelli_model::{
    Data, Dim, Dimension, Element, Entry, Explain, Field, Fields, Findings, Quantity, Range, ReadFault, Span, Value, beside,
    parse_quantity, parse_unit,
};

/// What is interpreted and where it comes from.
pub(super) struct Context<'a> {
    /// Path of the study file.
    pub path: &'a str,
    /// Where files are read from.
    pub files: &'a Files,
    pub findings: &'a mut Findings,
}

/// A word of a list, as what it stands for.
pub(super) fn pick<T: Copy>(word: Option<&str>, choices: &[(&str, T)], otherwise: T) -> T {
    word.and_then(|word| choices.iter().find(|(name, _)| *name == word)).map_or(otherwise, |(_, choice)| *choice)
}

/// A table that is read with its fields; an empty one where it is absent.
fn table(fields: &Fields, name: &'static str) -> Element {
    fields.table(name).unwrap_or_else(|| Element { section: name, name: String::new(), at: fields.element().at, fields: Vec::new() })
}

impl Context<'_> {
    /// The plan of a top level; `parameters` come after those of `[set]`, `controls` after those of `[control]`.
    pub fn plan(&mut self, root: &Element, parameters: Vec<Setting>, controls: Vec<ControlSetting>) -> Plan {
        let fields = Fields::read(root, &[TOP], Dimension::Planar, self.findings);
        let asked = pick(fields.choice("analysis"), &Analysis::ALL, Analysis::Simulate);
        let [fit, uncertainty] = ["fit", "uncertainty"].map(|name| fields.table(name));
        // What a fit needs is what the analysis needs that is fitted, and so with uncertainty.
        let of = |table: &Option<Element>, otherwise: Analysis| {
            pick(table.as_ref().and_then(|element| element.text("of")), &Analysis::ALL, otherwise)
        };
        let analysis = match asked {
            Analysis::Fit => of(&fit, Analysis::Evaluate),
            Analysis::Uncertainty => of(&uncertainty, Analysis::Simulate),
            _ => asked,
        };
        let usual = if analysis == Analysis::Mixed { "segment-chain" } else { "articulated" };
        let formulation = fields.choice("formulation").unwrap_or(usual).to_string();
        let columns = fields.texts("columns").unwrap_or_default().into_iter().map(|(text, _)| text).collect();
        let model = fields.text("model").map_or(ModelSource::Given, |(word, at)| model_source(word, at, self.path));
        let [time, integrator, drift, start, pressure] =
            ["time", "integrator", "drift", "start", "pressure"].map(|name| table(&fields, name));
        let [shoot, sensitivity, motion, mixed] = ["shoot", "sensitivity", "motion", "mixed"].map(|name| fields.table(name));
        let [markers, filter, loads] = ["markers", "filter", "loads"].map(|name| fields.table(name));
        let [events, derived, tasks, load] = ["event", "column", "task", "load"].map(|name| fields.tables(name).unwrap_or_default());
        let mut settings = root.value("set").map_or(Vec::new(), |value| self.set(value));
        settings.extend(parameters);
        let controls = self.controls(root.value("control"), controls);
        let follows_any = matches!(analysis, Analysis::Evaluate | Analysis::Inverse | Analysis::Mixed);
        let measured = analysis == Analysis::Kinematics || (follows_any && markers.is_some());
        let follows = measured || (follows_any && motion.is_some());
        // a motion gives its own times, and one that cannot be read is fault enough
        let open_end =
            analysis == Analysis::Statics || measured || (follows && motion.as_ref().is_some_and(|element| element.get("file").is_some()));
        if analysis == Analysis::Kinematics && markers.is_none() && root.get("markers").is_none() {
            self.table_missing(root, "markers", analysis);
        }
        let markers = self.markers(markers.as_ref(), &tasks).filter(|_| measured);
        let following = motion.clone().filter(|_| follows);
        let motion = self.motion(motion.as_ref(), measured).filter(|_| follows);
        let (corrections, touchdown) = following.map_or_else(Default::default, |element| self.followed(&element));
        let filter = self.filter(filter.as_ref(), markers.is_some() || !measured && root.get("markers").is_some());
        let loads = self.loads(loads.as_ref(), &load, markers.as_ref());
        let ends = match motion.as_ref().map(|motion| &motion.source) {
            Some(MotionSource::Table(table) | MotionSource::File(MotionFile { table, .. })) => ends(table.time()),
            Some(MotionSource::Markers) => markers.as_ref().and_then(|markers| ends(&markers.recording.clock.times())),
            _ => None,
        };
        let (time, drift) = (self.time(&time, analysis, open_end, ends), self.drift(&drift));
        let (start, rest, released) = self.start(&start);
        Plan {
            model,
            analysis: asked,
            formulation,
            settings,
            controls,
            time,
            integrator: self.integrator(&integrator, analysis),
            drift,
            start,
            rest,
            released,
            events: self.events(&events),
            derived: derived.iter().map(|(_, _, element)| self.derived(element)).collect(),
            motion,
            corrections,
            touchdown,
            markers,
            filter,
            loads,
            shoot: self.shoot(root, shoot.as_ref(), analysis),
            sensitivity: self.sensitivity(root, sensitivity.as_ref(), analysis),
            fit: self.fit(root, fit.as_ref(), asked),
            uncertainty: self.uncertainty(root, uncertainty.as_ref(), asked),
            mixed: self.mixed(root, mixed.as_ref(), analysis, follows),
            pressure: self.pressure(&pressure),
            beside: Vec::new(),
            unjudged: Vec::new(),
            at_rows: false,
            columns,
            places: places(root),
            sources: std::sync::Arc::default(),
        }
    }

    pub(super) fn read<'f>(&'f mut self, element: &'f Element, declared: &'static [Field]) -> Fields<'f> {
        Fields::read(element, &[declared], Dimension::Planar, self.findings)
    }

    /// `[set]`: parameters and start values.
    fn set(&mut self, value: &Value) -> Vec<Setting> {
        let Some(entries) = value.as_table() else {
            wrong_type(value, "", "set", "a table", self.findings);
            return Vec::new();
        };
        let mut settings = Vec::new();
        for leaf in leaves(entries, "set", self.findings) {
            match place_of(&leaf.path) {
                Place::Parameter => settings.extend(parameter(&leaf.path, leaf.value, "set", self.findings)),
                Place::Setting | Place::Control(_) => {
                    self.findings.push(leaf.key_at, "set", "", &StudyFault::SettingInSet { path: leaf.path })
                }
                Place::Nothing(nearest) => {
                    self.findings.push(leaf.key_at, "set", "", &StudyFault::UnknownPath { path: leaf.path, nearest });
                }
            }
        }
        settings
    }

    /// `[control]`, and what was laid over it: the last of a path counts. What a control may be is known to the model.
    fn controls(&mut self, value: Option<&Value>, over: Vec<ControlSetting>) -> Vec<ControlSetting> {
        /// `force.NAME.FIELD` has two dots; what stands deeper belongs to a function.
        fn walk(entries: &[Entry], prefix: &str, out: &mut Vec<(Span, ControlSetting)>) {
            for entry in entries {
                let path = if prefix.is_empty() { entry.key.clone() } else { format!("{prefix}.{}", entry.key) };
                match &entry.value.data {
                    Data::Table(inner) if path.matches('.').count() < 2 => walk(inner, &path, out),
                    _ => out.push((entry.key_at, ControlSetting { path, value: entry.value.clone() })),
                }
            }
        }
        let mut written = Vec::new();
        match value.map(|value| (value, value.as_table())) {
            Some((_, Some(entries))) => walk(entries, "", &mut written),
            Some((value, None)) => wrong_type(value, "", "control", "a table", self.findings),
            None => {}
        }
        let mut list: Vec<ControlSetting> = Vec::new();
        for (at, control) in written {
            if list.iter().any(|known| known.path == control.path) {
                self.findings.push(at, "control", "", &StudyFault::PathTwice { path: control.path });
            } else {
                list.push(control);
            }
        }
        for control in over {
            list.retain(|known| known.path != control.path);
            list.push(control);
        }
        list
    }

    fn time(&mut self, element: &Element, analysis: Analysis, open_end: bool, ends: Option<(f64, f64)>) -> Time {
        let mut fields = self.read(element, TIME);
        let si = |name| fields.quantity(name).map(|q| q.value);
        let start = if fields.has("start") { si("start") } else { ends.map(|(first, _)| first).or(si("start")) }.unwrap_or(0.0);
        let (end, sample) = (si("end").or(ends.map(|(_, last)| last)), si("sample"));
        if end.is_none() && !fields.has("end") && !open_end {
            let at = element.at;
            fields.findings().push(at, "time", "end", &StudyFault::EndMissing { analysis: analysis.name() });
        }
        if let Some(end) = end {
            if end <= start {
                fields.fault("end", &StudyFault::EmptyTime { start, end });
            } else if let Some(sample) = sample
                && sample > end - start
            {
                fields.fault("sample", &StudyFault::SampleTooLong { sample, whole: end - start });
            }
        }
        Time { start, end: end.unwrap_or(start), sample }
    }

    fn integrator(&mut self, element: &Element, analysis: Analysis) -> Integrator {
        let mut fields = self.read(element, INTEGRATOR);
        let si = |name: &str, otherwise: f64| fields.quantity(name).map_or(otherwise, |q| q.value);
        let default = Integrator::default();
        let settings = Settings {
            rtol: si("rtol", default.settings.rtol),
            atol: si("atol", default.settings.atol),
            step: fields.quantity("step").map(|q| q.value),
            max_step: si("max_step", default.settings.max_step),
            min_step: si("min_step", default.settings.min_step),
            max_steps: fields.count("max_steps").unwrap_or(default.settings.max_steps),
        };
        let (beta, gamma, rho) = (si("beta", default.beta), si("gamma", default.gamma), si("rho", default.rho));
        let method = fields.choice("method");
        let fixed = method.is_some_and(|name| {
            integrate::find_scheme(name).is_some() || integrate::find(name).is_some_and(|entry| entry.kind == Kind::Fixed)
        });
        // A simulated motion is checked with the model.
        let integrates = matches!(analysis, Analysis::Simulate | Analysis::Shoot | Analysis::Sensitivity);
        if let Some(method) = method
            && fixed
            && integrates
            && !fields.has("step")
        {
            fields.fault("method", &StudyFault::StepMissing { method: method.into() });
        }
        if settings.rtol == 0.0 && settings.atol == 0.0 {
            fields.fault("rtol", &StudyFault::NoTolerance);
        }
        let forms = [("u", Form::Displacement), ("v", Form::Velocity), ("a", Form::Acceleration)];
        let accelerations =
            [("consistent", StartAcceleration::Consistent), ("zero", StartAcceleration::Zero), ("settled", StartAcceleration::Consistent)];
        let start = fields.choice("start_acceleration");
        Integrator {
            method: method.map(str::to_string),
            settings,
            beta,
            gamma,
            rho,
            form: pick(fields.choice("unknown"), &forms, default.form),
            start_acceleration: pick(start, &accelerations, default.start_acceleration),
            settle_soft: start == Some("settled"),
            load_steps: fields.count("load_steps").unwrap_or(default.load_steps),
            stop_at_breakpoints: fields.flag("stop_at_breakpoints").unwrap_or(default.stop_at_breakpoints),
        }
    }

    fn drift(&mut self, element: &Element) -> DriftControl {
        let mut fields = self.read(element, DRIFT);
        let control = fields.choice("control").unwrap_or("projection");
        let mut si = |field: &'static str| {
            match (control, fields.has(field)) {
                ("baumgarte", false) => fields.fault("control", &StudyFault::DriftMissing { field }),
                ("baumgarte", true) | (_, false) => {}
                (_, true) => fields.fault(field, &StudyFault::IdleDrift { field, control }),
            }
            fields.quantity(field).map_or(0.0, |q| q.value)
        };
        let (alpha, beta) = (si("alpha"), si("beta"));
        match control {
            "baumgarte" => DriftControl::Baumgarte { alpha, beta },
            "none" => DriftControl::None,
            _ => DriftControl::Projection,
        }
    }

    /// The rule, how a balance is sought, and what is not held.
    fn start(&mut self, element: &Element) -> (StartRule, Rest, Vec<String>) {
        let rules = [
            ("assemble", StartRule::Assemble),
            ("positions", StartRule::Positions),
            ("speeds", StartRule::Speeds),
            ("as-given", StartRule::AsGiven),
            ("equilibrium", StartRule::Equilibrium),
        ];
        let mut fields = self.read(element, START);
        let rule = pick(fields.choice("rule"), &rules, StartRule::Assemble);
        // A rule that is none is fault enough.
        let known = fields.choice("rule").is_some() || !fields.has("rule");
        for field in ["hold", "gravity"] {
            if known && fields.has(field) && rule != StartRule::Equilibrium {
                fields.fault(field, &StudyFault::IdleBalance { field });
            }
        }
        let hold = fields.texts("hold").unwrap_or_default().into_iter().map(|(name, _)| name).collect();
        let rest = Rest { hold, gravity: fields.flag("gravity").unwrap_or(true) };
        let released = fields.texts("released").unwrap_or_default();
        for (found, at) in released.iter().filter(|(found, _)| !is_row(found)) {
            fields.findings().push(*at, "start", "released", &StudyFault::BadRow { found: found.clone() });
        }
        (rule, rest, released.into_iter().map(|(name, _)| name).collect())
    }

    fn events(&mut self, elements: &[(String, Span, Element)]) -> Vec<EventRule> {
        let mut rules: Vec<EventRule> = Vec::new();
        for (_, _, element) in elements {
            let mut fields = self.read(element, EVENT);
            let name = fields.text("name").map_or("", |(name, _)| name);
            if fields.text("name").is_some() && !is_name(name) {
                fields.fault("name", &StudyFault::BadName { name: name.into() });
            } else if rules.iter().any(|rule| rule.name == name && !name.is_empty()) {
                fields.fault("name", &StudyFault::NameTwice { what: "events", name: name.into() });
            }
            let (when, at) = fields.text("when").map_or(("", None), |(when, at)| (when, Some(at)));
            formula::check(&mut fields, "when");
            let directions = [("rising", Direction::Rising), ("falling", Direction::Falling)];
            let action = fields.choice("action");
            // An action that is no action is fault enough.
            let known = action.is_some() || !fields.has("action");
            for (field, owner, needed) in [("release", "release", true), ("engage", "engage", true), ("tolerance", "engage", false)] {
                let acts = action == Some(owner);
                if known && (fields.has(field) && !acts || needed && acts && !fields.has(field)) {
                    let place = if acts { "action" } else { field };
                    fields.fault(place, &StudyFault::ActionMismatch { field, action: owner, given: !acts });
                }
            }
            let [release, engage] = ["release", "engage"].map(|field| {
                let what = fields.text(field).map(|(what, _)| what.to_string());
                if let Some(found) = what.clone().filter(|what| !is_row(what)) {
                    fields.fault(field, &StudyFault::BadRow { found });
                }
                what
            });
            // Its unit is that of the rows, which the model knows.
            let limit = fields.quantity("tolerance");
            let checked = limit.and_then(|q| fields.check("tolerance", &Quantity { dim: None, ..q }, "1", Range::POSITIVE));
            let (tolerance, dim) = (checked.unwrap_or(STANDSTILL), limit.and_then(|q| q.dim).filter(|dim| *dim != Dim::NONE));
            rules.push(EventRule {
                name: name.to_string(),
                when: when.to_string(),
                direction: pick(fields.choice("direction"), &directions, Direction::Any),
                action: match (action, release, engage) {
                    (Some("stop"), ..) => Action::Stop,
                    (Some("release"), Some(what), _) => Action::Release(what),
                    (Some("engage"), _, Some(target)) => Action::Engage { target, tolerance, dim },
                    _ => Action::Note,
                },
                at,
            });
        }
        rules
    }

    fn derived(&mut self, element: &Element) -> Derived {
        let mut fields = self.read(element, COLUMN);
        let (formula, at) = fields.text("formula").map_or(("", None), |(text, at)| (text, Some(at)));
        formula::check(&mut fields, "formula");
        let unit = fields.text("unit").map(|(unit, _)| unit.trim());
        match unit.map(parse_unit) {
            Some(Err(fault)) => fields.fault("unit", &ReadFault::of_unit(unit.unwrap_or(""), "*", fault)),
            Some(Ok((factor, dim))) if factor != 1.0 => {
                let si = if dim == Dim::NONE { "1".to_string() } else { dim.to_string() };
                fields.fault("unit", &StudyFault::NotSi { unit: unit.unwrap_or("").into(), si });
            }
            _ => {}
        }
        Derived { name: element.name.clone(), formula: formula.to_string(), unit: unit.map(str::to_string), at }
    }

    fn shoot(&mut self, root: &Element, element: Option<&Element>, analysis: Analysis) -> Option<Shoot> {
        let Some(element) = element else {
            if analysis == Analysis::Shoot && root.get("shoot").is_none() {
                self.table_missing(root, "shoot", analysis);
            }
            return None;
        };
        let mut fields = self.read(element, SHOOT);
        let unknowns = fields.texts("unknowns");
        for (path, at) in unknowns.iter().flatten() {
            let start =
                ["initial.coordinates.", "initial.speeds."].iter().any(|p| path.strip_prefix(p).is_some_and(|name| !name.is_empty()));
            if !start {
                fields.findings().push(*at, "shoot", "unknowns", &StudyFault::BadUnknown { path: path.clone() });
            }
        }
        if unknowns.as_ref().is_some_and(Vec::is_empty) {
            fields.fault("unknowns", &StudyFault::NothingListed { what: "unknown" });
        }
        let targets = fields.tables("target");
        let (tolerance, iterations) = (fields.quantity("tolerance").map_or(1e-10, |q| q.value), fields.count("iterations").unwrap_or(50));
        if let (Some(unknowns), Some(targets)) = (&unknowns, &targets)
            && targets.len() < unknowns.len()
        {
            fields.fault("unknowns", &StudyFault::Underdetermined { unknowns: unknowns.len(), targets: targets.len() });
        }
        let targets = targets.unwrap_or_default().iter().map(|(_, _, element)| self.target(element)).collect();
        let unknowns = unknowns.unwrap_or_default().into_iter().map(|(path, _)| path).collect();
        Some(Shoot { unknowns, targets, tolerance, iterations })
    }

    fn target(&mut self, element: &Element) -> Target {
        let mut fields = self.read(element, TARGET);
        let formula = fields.text("formula").map_or("", |(text, _)| text).to_string();
        formula::check(&mut fields, "formula");
        let value = fields.value("value").map_or(String::new(), written);
        Target { formula, value, at: Some(fields.span_of("formula")) }
    }

    fn pressure(&mut self, element: &Element) -> PressureFrames {
        let mut fields = self.read(element, PRESSURE);
        if fields.has("frames") && fields.has("interval") {
            fields.fault("interval", &Fault::BothGiven { one: "frames", other: "interval" });
        }
        match fields.quantity("interval") {
            Some(interval) => PressureFrames::Interval(interval.value),
            None => PressureFrames::Count(fields.count("frames").unwrap_or(15)),
        }
    }

    fn mixed(&mut self, root: &Element, element: Option<&Element>, analysis: Analysis, follows: bool) -> Option<Mixed> {
        match element {
            Some(element) => Some(mixed::read(element, follows, self.findings)),
            None if analysis == Analysis::Mixed && root.get("mixed").is_none() => {
                self.table_missing(root, "mixed", analysis);
                None
            }
            None => None,
        }
    }

    /// Reports a table that the analysis needs.
    pub(super) fn table_missing(&mut self, root: &Element, table: &'static str, analysis: Analysis) {
        let at = root.value("analysis").map_or(root.at, |value| value.at);
        self.findings.push(at, "", "analysis", &StudyFault::TableMissing { table, analysis: analysis.name() });
    }

    /// `[motion]`, or that of markers: it is differentiated by quintic splines unless the table says otherwise.
    fn motion(&mut self, element: Option<&Element>, measured: bool) -> Option<Motion> {
        let usual = if measured { Derivatives::Quintic } else { Derivatives::Spline };
        let Some(element) = element else { return measured.then_some(Motion { source: MotionSource::Markers, derivatives: usual }) };
        let (path, files) = (self.path, self.files);
        let mut fields = self.read(element, MOTION);
        let choices = [("spline", Derivatives::Spline), ("quintic", Derivatives::Quintic), ("exact", Derivatives::Exact)];
        let derivatives = pick(fields.choice("derivatives"), &choices, usual);
        let ways = ["file", "from"].iter().filter(|way| fields.has(way)).count();
        if measured {
            if ways > 0 {
                fields.fault("from", &StudyFault::MotionTwice);
            }
            return Some(Motion { source: MotionSource::Markers, derivatives });
        }
        if ways != 1 {
            fields.fault("from", &StudyFault::MotionCount { found: ways });
            return None;
        }
        if fields.has("from") {
            fields.choice("from")?;
            let interval = fields.quantity("interval").map(|q| q.value);
            return Some(Motion { source: MotionSource::Simulated { interval }, derivatives });
        }
        if fields.has("interval") {
            fields.fault("interval", &StudyFault::IdleInterval);
        }
        let (file, _) = fields.text("file")?;
        let path = beside(path, file);
        match load_table(&path, files) {
            Ok((table, angles)) => Some(Motion { source: MotionSource::File(MotionFile { path, table, angles }), derivatives }),
            Err((reason, advice)) => {
                fields.fault("file", &StudyFault::BadMotion { path, reason, advice });
                None
            }
        }
    }
}

impl Context<'_> {
    /// What is added to a motion, and how touchdowns along it are found.
    fn followed(&mut self, element: &Element) -> (Vec<CorrectionRule>, Touchdown) {
        // Its fields were checked with the motion.
        let mut list = Vec::new();
        if let Some(value) = element.value("add") {
            match value.as_table() {
                Some(entries) => {
                    for leaf in leaves(entries, "motion.add", self.findings) {
                        match leaf.value.as_text() {
                            Some(function) => {
                                let function = function.trim().to_string();
                                list.push(CorrectionRule { coordinate: leaf.path, function, at: Some(leaf.value.at) });
                            }
                            None => wrong_type(leaf.value, "motion.add", &leaf.path, "the name of a function", self.findings),
                        }
                    }
                }
                None => wrong_type(value, "motion", "add", "a table of functions by coordinate", self.findings),
            }
        }
        let on_lines = element.value("touchdown").and_then(Value::as_text) == Some("line");
        (list, if on_lines { Touchdown::Line } else { Touchdown::Cubic })
    }
}

/// First and last time.
fn ends(times: &[f64]) -> Option<(f64, f64)> {
    Some((*times.first()?, *times.last()?))
}

/// Reads a table through the files of a study; why not, and what to do, if it cannot be.
pub(super) fn load_table(path: &str, files: &Files) -> Result<(Trajectory, Angles), (String, String)> {
    let advice = "give a .sto, .mot or .csv file with `time` and a column for every coordinate, relative to the study".to_string();
    let format =
        format_of(std::path::Path::new(path)).ok_or_else(|| ("no format of tables has this ending".to_string(), advice.clone()))?;
    let bytes = files.load(path).map_err(|error| (error.to_string(), advice.clone()))?;
    let text = String::from_utf8(bytes).map_err(|_| ("it is not UTF-8 text".to_string(), advice.clone()))?;
    match format.read(&text, path, &ReadOptions::default()) {
        Ok(reading) if reading.trajectory.len() < 2 => {
            let rows = if reading.trajectory.is_empty() { "no row" } else { "one row only" };
            let advice = "a motion needs rows at two times at least".to_string();
            Err((format!("line {}: the table ends here, with {rows}", text.lines().count()), advice))
        }
        Ok(reading) => {
            let said = reading.notes.iter().find_map(|note| match note {
                ReadNote::Angles { degrees, basis, .. } => Some(Angles { degrees: *degrees, basis: Some(*basis) }),
                _ => None,
            });
            Ok((reading.trajectory, said.unwrap_or(Angles { degrees: false, basis: None })))
        }
        Err(fault) => {
            let place = if fault.line > 0 { format!("line {}: ", fault.line) } else { String::new() };
            Err((format!("{place}{}", fault.kind.message()), fault.kind.hint().unwrap_or(advice)))
        }
    }
}

/// A value as it is written: a number in SI, or a number with its unit.
pub(super) fn written(value: &Value) -> String {
    match &value.data {
        Data::Text(text) => text.trim().to_string(),
        Data::Number(x) => x.to_string(),
        Data::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}

/// A value for a parameter or a start value; only its form is checked here.
pub(super) fn parameter(path: &str, value: &Value, element: &str, findings: &mut Findings) -> Option<Setting> {
    match &value.data {
        Data::Number(_) => {}
        Data::Text(text) => {
            if let Err(fault) = parse_quantity(text) {
                findings.push(value.at, element, path, &ReadFault::of_unit(text, "*", fault));
                return None;
            }
        }
        _ => {
            wrong_type(value, element, path, "a number, or text with a number and a unit", findings);
            return None;
        }
    }
    Some(Setting { path: path.to_string(), text: written(value), at: Some(value.at) })
}

fn model_source(word: &str, at: Span, study: &str) -> ModelSource {
    if is_model_file(word) { ModelSource::File { path: beside(study, word), at } } else { ModelSource::Gallery { name: word.into(), at } }
}

/// Whether a text is `loop.NAME` or `guide.NAME`.
fn is_row(text: &str) -> bool {
    text.split_once('.').is_some_and(|(kind, name)| ["loop", "guide"].contains(&kind) && is_name(name))
}

/// Where each field, each field of a table and each field of an event (`event.NAME.release`) is written.
fn places(root: &Element) -> Vec<(String, Span)> {
    let mut list = Vec::new();
    for entry in &root.fields {
        list.push((entry.key.clone(), if entry.value.as_table().is_some() { entry.key_at } else { entry.value.at }));
        let inner = entry.value.as_table().unwrap_or_default();
        list.extend(inner.iter().map(|own| (format!("{}.{}", entry.key, own.key), own.value.at)));
        let events = entry.value.as_list().filter(|_| entry.key == "event").unwrap_or_default();
        for event in events.iter().filter_map(Value::as_table) {
            let name = event.iter().find(|own| own.key == "name").and_then(|own| own.value.as_text()).unwrap_or_default();
            list.extend(event.iter().map(|own| (format!("event.{name}.{}", own.key), own.value.at)));
        }
    }
    list
}
