//! What a page shows of a fit: plain data.
//! Not here: the fit itself (`borelli-study`), its files (`results`), how it is shown (`sections`).
//! In: the record of a fit and the settings of its run. Out: a `FitPage`.

use borelli_study::fit::{End, FitRecord, LeftOut, LimitRecord, Profile, Residual, UnknownRecord};
use borelli_study::run::{FIT_OBJECTIVE, FIT_TERM};

/// An unknown at the end of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct FitUnknown {
    /// Name.
    pub name: String,
    /// Parameters that have its value.
    pub paths: String,
    /// SI unit.
    pub unit: String,
    /// Bounds, if it has any.
    pub bounds: Option<[f64; 2]>,
    /// Whether it was searched for on a logarithmic scale.
    pub log: bool,
    /// Where the search began.
    pub start: f64,
    /// Where it ended.
    pub best: f64,
    /// The bound it ended at: `low` or `high`; else empty.
    pub at_bound: String,
    /// Ends of the 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// How much J would fall if its bound gave way by a unit, and by its width; nothing where it is at none.
    pub cost: Option<[f64; 2]>,
    /// Ends of the 95 % interval of its profile, as far as they were found.
    pub profile: [Option<f64>; 2],
    /// Ends of the 95 % interval of frames drawn anew.
    pub drawn: Option<[f64; 2]>,
}

/// A constraint that an unknown gives way to.
#[derive(Clone, Debug, PartialEq)]
pub struct FitLimit {
    /// Name.
    pub name: String,
    /// The unknown.
    pub unknown: String,
    /// SI unit of what is limited.
    pub unit: String,
    /// How much J would fall if it were raised by a unit, and so far that the unknown moves by its width.
    pub cost: [f64; 2],
}

/// A fit without one of its trials.
#[derive(Clone, Debug, PartialEq)]
pub struct FitLeftOut {
    /// The trial.
    pub trial: String,
    /// Its part of J where it was fitted.
    pub fitted: f64,
    /// The same where it was left out.
    pub left_out: f64,
    /// Whether the search without it found what it looked for.
    pub found: bool,
    /// How far each unknown went, in its standard deviations.
    pub shifts: Vec<f64>,
}

/// Root of the rise of J over what ends a 95 % interval, at values of an unknown that is held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitProfile {
    /// The unknown.
    pub unknown: String,
    /// Values, SI.
    pub value: Vec<f64>,
    /// The root at each.
    pub root: Vec<f64>,
}

/// A term of a trial over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitCurve {
    /// Trial.
    pub trial: String,
    /// Whether it was fitted; else only compared.
    pub is_fitted: bool,
    /// Term.
    pub term: String,
    /// Times, s.
    pub time: Vec<f64>,
    /// What was measured, SI.
    pub measured: Vec<f64>,
    /// What was computed, SI.
    pub computed: Vec<f64>,
}

/// A direction of unknowns that the data determine badly.
#[derive(Clone, Debug, PartialEq)]
pub struct FitWeak {
    /// Its singular value over the largest.
    pub share: f64,
    /// Whether data say nothing at all about it.
    pub undetermined: bool,
    /// Its largest parts, by unknown.
    pub parts: Vec<(String, f64)>,
}

/// A finished fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitPage {
    /// Searches, one after the other.
    pub methods: Vec<String>,
    /// Why the last one ended.
    pub stop: String,
    /// Whether it found what it looked for.
    pub found: bool,
    /// J where the search began, and at its end.
    pub objective: [f64; 2],
    /// What of J at the end is `extra`.
    pub extra: f64,
    /// Terms with their part of J at start and end.
    pub terms: Vec<(String, [f64; 2])>,
    /// Evaluations, and those of them with slopes.
    pub evaluations: [usize; 2],
    /// Unknowns.
    pub unknowns: Vec<FitUnknown>,
    /// Terms over time, trial by trial.
    pub curves: Vec<FitCurve>,
    /// Evaluations so far and the best J so far, round by round.
    pub history: Vec<(f64, f64)>,
    /// Evaluations so far and the volume that the front dominates, where it is measured.
    pub volumes: Vec<(f64, f64)>,
    /// J at the end of each start, and why it ended.
    pub starts: Vec<(f64, String)>,
    /// Singular values of the slopes over the largest.
    pub singular: Vec<f64>,
    /// Directions that the data determine badly.
    pub weak: Vec<FitWeak>,
    /// Objectives of each point of the front, and how far it violates constraints.
    pub front: Vec<(Vec<f64>, f64)>,
    /// The point of the front that the run shows, by number.
    pub middle: Option<usize>,
    /// Terms over time at the ends of the front and in its middle, by number of the point.
    pub front_curves: Vec<(usize, Vec<FitCurve>)>,
    /// Constraints that unknowns give way to.
    pub limits: Vec<FitLimit>,
    /// Rise of J at the ends of a 95 % interval.
    pub rise: Option<f64>,
    /// Largest differences that count as good, by trial and term, SI.
    pub accepts: Vec<(String, String, f64)>,
    /// Names of free unknowns, and their correlations row after row.
    pub correlation: (Vec<String>, Vec<f64>),
    /// Trials left out.
    pub left_out: Vec<FitLeftOut>,
    /// Profiles.
    pub profiles: Vec<FitProfile>,
}

impl FitPage {
    /// What is shown of a fit.
    pub fn of(record: &FitRecord) -> FitPage {
        let unknown = |(k, own): (usize, &UnknownRecord)| FitUnknown {
            name: own.name.clone(),
            paths: own.paths.join(" "),
            unit: own.unit.clone(),
            bounds: own.bounds.map(|(low, high)| [low, high]),
            log: own.log,
            start: own.start,
            best: own.best,
            at_bound: own.at_bound.unwrap_or_default().into(),
            interval: own.spread.map(|(_, ends)| ends),
            cost: own.multiplier.map(|own| [own.by_unit, own.by_width]),
            profile: record.wider.profiles.iter().find(|own| own.unknown == k).map_or([None; 2], |own| own.ends.map(End::value)),
            drawn: record.wider.bootstrap.as_ref().and_then(|own| own.spreads[k]).map(|own| own.ends),
        };
        let limit = |own: &LimitRecord| FitLimit {
            name: own.name.clone(),
            unknown: own.unknown.clone(),
            unit: own.unit.clone(),
            cost: [own.multiplier.by_unit, own.multiplier.by_width],
        };
        let left_out = |own: &LeftOut| FitLeftOut {
            trial: own.trial.clone(),
            fitted: own.fitted,
            left_out: own.left_out,
            found: own.found,
            shifts: own.shifts.clone(),
        };
        let profile = |own: &Profile| FitProfile {
            unknown: record.unknowns[own.unknown].name.clone(),
            value: own.points.iter().map(|point| point.value).collect(),
            root: own.points.iter().map(|point| point.root).collect(),
        };
        let weak = |own: &borelli_study::fit::Weak| FitWeak { share: own.share, undetermined: own.undetermined, parts: own.parts.clone() };
        let mut page = FitPage {
            methods: record.methods.iter().map(|method| method.to_string()).collect(),
            stop: record.stop.into(),
            found: record.found,
            objective: [record.objective_at_start, record.objective],
            extra: record.extra,
            terms: record.terms.iter().map(|(name, start, end)| (name.clone(), [*start, *end])).collect(),
            evaluations: [record.evaluations, record.jacobians],
            unknowns: record.unknowns.iter().enumerate().map(unknown).collect(),
            curves: curves_of(&record.residuals),
            history: record.history.iter().map(|round| (round.evaluations as f64, round.objective)).collect(),
            volumes: record.history.iter().filter_map(|round| Some((round.evaluations as f64, round.volume?))).collect(),
            starts: record.starts.iter().map(|start| (start.objective, start.end.to_string())).collect(),
            singular: record.singular.iter().map(|own| own / record.singular[0]).collect(),
            weak: record.weak.iter().map(weak).collect(),
            front: record.front.iter().map(|point| (point.objectives.clone(), point.violation)).collect(),
            middle: record.middle,
            front_curves: record.front_curves.iter().map(|(point, list)| (*point, curves_of(list))).collect(),
            limits: record.limits.iter().map(limit).collect(),
            rise: record.rise,
            accepts: record.accepts.clone(),
            correlation: (record.correlation.0.iter().map(|k| record.unknowns[*k].name.clone()).collect(), record.correlation.1.clone()),
            left_out: record.wider.left_out.iter().map(left_out).collect(),
            profiles: record.wider.profiles.iter().map(profile).collect(),
        };
        // one start tells nothing of others
        if page.starts.len() < 2 {
            page.starts.clear();
        }
        page
    }
}

impl FitCurve {
    /// Adds a sample to the curve of its trial and term: time, what was measured, what was computed.
    pub fn add(curves: &mut Vec<FitCurve>, trial: &str, is_fitted: bool, term: &str, [time, measured, computed]: [f64; 3]) {
        let known = curves.iter().rposition(|own| own.trial == trial && own.term == term && own.is_fitted == is_fitted);
        let place = known.unwrap_or_else(|| {
            curves.push(FitCurve { trial: trial.into(), is_fitted, term: term.into(), ..FitCurve::default() });
            curves.len() - 1
        });
        let own = &mut curves[place];
        own.time.push(time);
        own.measured.push(measured);
        own.computed.push(computed);
    }
}

fn curves_of(list: &[Residual]) -> Vec<FitCurve> {
    let mut curves = Vec::new();
    list.iter().for_each(|own| FitCurve::add(&mut curves, &own.trial, own.is_fitted, &own.term, [own.time, own.measured, own.computed]));
    curves
}

/// What J is, as the settings of a run tell.
pub fn definition(settings: &[(String, String)]) -> Option<&str> {
    settings.iter().find(|(key, _)| key == FIT_OBJECTIVE).map(|(_, words)| words.as_str())
}

/// What the residual of a term is, as the settings of a run tell.
pub fn term_words<'s>(settings: &'s [(String, String)], term: &str) -> Option<&'s str> {
    settings.iter().find(|(key, _)| key.strip_prefix(FIT_TERM) == Some(term)).map(|(_, words)| words.as_str())
}
