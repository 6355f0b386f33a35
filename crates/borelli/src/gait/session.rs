//! A session made ready: recordings read and turned, the person's mass found, the model built or taken, one study per trial.
//! Not here: running the studies, walking itself (`super`), folders.
//! In: files and what is known of the person. Out: texts of model and studies, facts and remarks for the page, or what is wrong.

use super::person::scaled;
use super::study_text::{TrialStudy, seen_from};
use crate::report::gait::{PlainTable, Remark, Weight};
use borelli_data::anthropometry::{Anthropometry, Sex, de_leva, winter};
use borelli_data::gait::{assign_plates, cycles, foot_tracks, mass_from_stances, mass_from_standing, pelvis_track, zeni_events};
use borelli_data::landmark::{HipRule, Landmarks, MarkerMap, read_marker_map};
use borelli_data::recording::Side;
use borelli_data::signal::{Butterworth, Correction, filter_seen};
use borelli_data::{Explain, Recording, RecordingOptions, read_recording};
use borelli_dynamics::kinematics::scaling::InertiaRule;
use borelli_model::Model;
use borelli_study::read::{Files, RecordingFault, Wanted, load_recording};
use borelli_study::subject::{SubjectOptions, build_lower_limb, compare_lengths, same_person};
use std::path::{Path, PathBuf};

/// Cut-off of markers before events are looked for, Hz (Zeni 2008).
const EVENT_CUTOFF: f64 = 6.0;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Trials: files with markers, and forces where they hold them.
    pub trials: Vec<PathBuf>,
    /// Files with forces, one for each trial in order, where trials do not hold them.
    pub forces: Vec<PathBuf>,
    /// A trial of standing.
    pub static_trial: Option<PathBuf>,
    /// The model to be taken; nothing: a lower limb is built.
    pub model: Option<String>,
    /// The same as it is written, where a static trial is to scale it.
    pub generic: Option<Model>,
    /// Bodies of a scaled model keep their shares of the mass.
    pub preserve_distribution: bool,
    /// How inertias of a scaled model follow unequal factors.
    pub inertia: InertiaRule,
    /// Body mass, kg.
    pub mass: Option<f64>,
    /// Body height, m.
    pub height: Option<f64>,
    /// Sex.
    pub sex: Sex,
    /// Table of segments: `de-leva` or `winter`.
    pub anthropometry: String,
    /// Rule for the hips.
    pub hip_rule: HipRule,
    /// Radius of markers, m.
    pub marker_radius: f64,
    /// Text of a file that says what markers stand for, with its path.
    pub map: Option<(String, String)>,
    /// Axes of the laboratory.
    pub axes: Option<String>,
    /// Walking direction.
    pub forward: Option<String>,
    /// Whether names lose what stands before a colon.
    pub strip_prefix: bool,
    /// Whether exchanged markers are put back.
    pub fix_swaps: bool,
    /// Cut-off of coordinates.
    pub cutoff: String,
    /// Normal load below which a foot is off the plate, N.
    pub threshold: f64,
}

/// A session made ready.
#[derive(Clone, Debug)]
pub struct Session {
    /// Text of the model that was built or scaled; nothing where one was given and is taken as it is.
    pub model: Option<String>,
    /// One study per trial.
    pub studies: Vec<SessionStudy>,
    /// The user's names of markers.
    pub map: Option<MarkerMap>,
    /// Body mass, kg; nothing where it is that of the model.
    pub mass: Option<f64>,
    /// Leg length, m.
    pub leg_length: Option<f64>,
    /// Facts for the page.
    pub facts: Vec<(String, String)>,
    /// Remarks for the page.
    pub remarks: Vec<Remark>,
    /// Sentences on how the model came to be.
    pub methods: String,
    /// What was measured to scale the model, for people.
    pub scaling: Option<PlainTable>,
    /// The same for programs.
    pub scaling_json: serde_json::Value,
}

/// The study of a trial.
#[derive(Clone, Debug)]
pub struct SessionStudy {
    /// Name of the trial.
    pub name: String,
    /// Text of the study, whose files are seen from the folder of results.
    pub text: String,
    /// File with the markers, as it was given.
    pub markers: String,
    /// File with the forces, as it was given; nothing without forces.
    pub forces: Option<String>,
    /// Files as the study names them, and as they were given.
    pub files: Vec<(String, String)>,
}

impl SessionStudy {
    /// The same trial with errors of measurement, by their table.
    pub fn with_errors(&self, table: &str) -> String {
        let line =
            |line: &str| if line.starts_with("analysis = ") { "analysis = \"uncertainty\"\n".to_string() } else { format!("{line}\n") };
        self.text.lines().map(line).chain([table.to_string()]).collect()
    }
}

/// Why a session cannot be made ready: text for people, with a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl Refused {
    pub(super) fn of(place: &str, fault: &dyn Explain) -> Refused {
        let hint = fault.hint().map_or(String::new(), |hint| format!("\n  hint: {hint}"));
        let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
        Refused(format!("{place}error[{}]: {}{hint}\n", fault.code(), fault.message()))
    }

    pub(super) fn plain(code: &str, message: &str, hint: &str) -> Refused {
        Refused(format!("error[{code}]: {message}\n  hint: {hint}\n"))
    }
}

/// Name of a trial by its file.
fn name_of(path: &Path) -> String {
    path.file_stem().map_or_else(|| "trial".into(), |stem| stem.to_string_lossy().into_owned())
}

/// A trial as it was measured.
pub(super) struct Measured {
    pub name: String,
    pub recording: Recording,
    landmarks: Landmarks,
    /// Rotation from the laboratory, to turn the static trial likewise.
    R_ML: borelli_math::Mat3<f64>,
    notes: Vec<(String, String)>,
}

/// Makes a session ready; `out` is the folder its results will stand in.
pub fn prepare(request: &Request, out: &Path) -> Result<Session, Refused> {
    let mut remarks = Vec::new();
    let mut remark = |weight, trial: &str, text: String| remarks.push(Remark { weight, trial: trial.into(), text });
    if !request.forces.is_empty() && request.forces.len() != request.trials.len() {
        let message = format!("{} files of forces are given for {} trials", request.forces.len(), request.trials.len());
        return Err(Refused::plain("forces-count", &message, "give --forces once for each trial, in the same order"));
    }
    let map = read_map(request)?;
    let mut trials: Vec<Measured> = (0..request.trials.len()).map(|k| measured(request, k, map.as_ref())).collect::<Result<_, _>>()?;
    for k in 1..trials.len() {
        let (before, own) = trials.split_at_mut(k);
        let name = own[0].name.clone();
        let mut number = 1;
        while before.iter().any(|other| other.name == own[0].name) {
            number += 1;
            own[0].name = format!("{name}-{number}");
        }
    }
    let Some(first) = trials.first() else {
        return Err(Refused::plain("no-trial", "no trial is given", "name a file with markers: walk.c3d or walk.trc"));
    };
    for trial in &trials {
        if let Some((start, end)) = seen_span(&trial.recording, &trial.landmarks) {
            let clock = &trial.recording.clock;
            let part = (end - start) * clock.rate / clock.count.max(1) as f64;
            let weight = if part < 0.5 { Weight::Warning } else { Weight::Note };
            let text = format!(
                "computed from {start:.3} to {end:.3} s, the longest stretch in which most markers are seen: {:.0} % of the recording",
                100.0 * part
            );
            remark(weight, &trial.name, text);
        }
        trial.notes.iter().for_each(|(key, value)| remark(Weight::Note, &trial.name, format!("{key}: {value}")));
        forces_in_time(trial)?;
        if trial.recording.points.is_empty() {
            let message = format!("`{}` holds no markers", trial.name);
            return Err(Refused::plain("no-markers", &message, "give the file with markers first; forces of their own go with --forces"));
        }
    }
    let mut facts = vec![("trials".to_string(), trials.iter().map(|t| t.name.clone()).collect::<Vec<_>>().join(", "))];
    let standing = static_trial(request, first, map.as_ref())?;
    if let Some(standing) = &standing {
        facts.push(("static trial".into(), standing.name.clone()));
        let lengths = compare_lengths((&standing.recording, &standing.landmarks), (&first.recording, &first.landmarks));
        let notices = same_person(&lengths).map_err(|fault| Refused::of(&standing.name, &fault))?;
        notices.iter().for_each(|notice| remark(Weight::Warning, &standing.name, notice.message()));
    }
    let mass = body_mass(request, standing.as_ref(), &trials);
    let (mut model, mut leg_length, mut methods) = (None, None, String::new());
    let (mut scaling, mut scaling_json) = (None, serde_json::Value::Null);
    if let (Some(given), Some((found, how))) = (request.mass, plate_mass(request, standing.as_ref(), &trials))
        && (found / given - 1.0).abs() > 0.05
    {
        let text = format!(
            "the body mass is given as {given:.1} kg, and the force plates say {found:.1} kg ({how}): mass, axes or plates are wrong"
        );
        remark(Weight::Warning, "", text);
    }
    if request.model.is_none() {
        let Some((mass, source)) = &mass else {
            // Markers that nobody knows, or are never seen, explain more than a missing mass.
            let body = standing.as_ref().unwrap_or(first);
            let options = SubjectOptions::new(70.0, "assumed", request.sex);
            build_lower_limb(&body.recording, &body.landmarks, &options).map_err(|fault| Refused::of(&body.name, &fault))?;
            let plates = trials.iter().any(|trial| !trial.recording.plates.is_empty());
            let why = if plates {
                "no force plate carried a whole stance of one foot (wrong axes, times or units of forces?)"
            } else {
                "there are no force plates"
            };
            return Err(Refused::plain("no-mass", &format!("the mass of the person is not known: {why}"), "give it with --mass, in kg"));
        };
        let mut options = SubjectOptions::new(*mass, source, request.sex);
        options.name = format!("{}-lower-limb", first.name);
        options.height = request.height;
        options.anthropometry = table(request)?;
        options.hip_rule = request.hip_rule;
        options.marker_radius = request.marker_radius;
        let body = standing.as_ref().unwrap_or(first);
        let built = build_lower_limb(&body.recording, &body.landmarks, &options).map_err(|fault| Refused::of(&body.name, &fault))?;
        built.notices.iter().for_each(|notice| remark(Weight::Note, "", notice.message()));
        if standing.is_none() {
            let text = format!(
                "no static trial: the {} frames of `{}` in which its markers are seen serve to build the model",
                built.frames, first.name
            );
            remark(Weight::Note, "", text);
        }
        facts.push(("model".into(), format!("lower limb built from `{}`", body.name)));
        facts.push(("segment parameters".into(), options.anthropometry.name.clone()));
        facts.push(("hip joint centres".into(), built.hip_source.clone()));
        for (segment, length) in &built.lengths {
            facts.push((format!("length of {}", crate::label::words(segment)), format!("{:.1} cm", 100.0 * length)));
        }
        methods = format!(
            "A lower-limb model (pelvis free, hips with three angles, knees as hinges, ankles with two angles, trunk with head and arms) was built from the markers of `{}`; \
             hip joint centres: {}; segment parameters: {}. ",
            body.name, built.hip_source, options.anthropometry.name
        );
        leg_length = Some(built.leg_length);
        model = Some(built.text);
    } else if let Some(name) = &request.model {
        let person = match (&request.generic, &standing) {
            (Some(generic), Some(standing)) => {
                Some((standing, scaled(request, generic, standing, mass.as_ref().map(|(mass, _)| *mass), map.as_ref(), out)?))
            }
            _ => None,
        };
        match person {
            Some((standing, Ok(person))) => {
                facts.push(("model".into(), format!("`{name}`, scaled to the person of `{}`", standing.name)));
                person.remarks.into_iter().for_each(|(weight, text)| remark(weight, &standing.name, text));
                (model, methods) = (Some(person.text), person.methods);
                (scaling, scaling_json) = (Some(person.table), person.json);
            }
            Some((standing, Err(why))) => {
                remark(Weight::Warning, &standing.name, why);
                facts.push(("model".into(), name.clone()));
            }
            None => facts.push(("model".into(), name.clone())),
        }
    }
    if let Some((mass, source)) = &mass {
        facts.push(("body mass".into(), format!("{mass:.1} kg, {source}")));
        if request.mass.is_none() && request.model.is_none() {
            remark(Weight::Note, "", format!("the body mass was estimated: {mass:.1} kg from {source}"));
        }
    }
    facts.extend(leg_length.map(|length| ("leg length".to_string(), format!("{:.1} cm", 100.0 * length))));
    facts.push(("filter of coordinates".into(), format!("zero-lag Butterworth, {}", request.cutoff)));
    facts.push(("threshold of contact".into(), format!("{} N", request.threshold)));
    let studies = trials.iter().enumerate().map(|(k, trial)| study(request, k, trial, map.as_ref(), model.is_some(), out)).collect();
    Ok(Session { model, studies, map, mass: mass.map(|(mass, _)| mass), leg_length, facts, remarks, methods, scaling, scaling_json })
}

fn read_map(request: &Request) -> Result<Option<MarkerMap>, Refused> {
    let Some((path, text)) = &request.map else { return Ok(None) };
    // Labels of a model are known only when it is compiled; any target that is no role is taken for one.
    let targets: Vec<String> = text.lines().filter_map(target).collect();
    let labels = if request.model.is_some() { targets } else { Vec::new() };
    read_marker_map(text, &labels)
        .map(Some)
        .map_err(|faults| Refused(faults.iter().map(|(line, fault)| Refused::of(&format!("{path}:{line}"), fault).0).collect()))
}

/// What a line of a map names behind the sign of equality or the comma.
fn target(line: &str) -> Option<String> {
    let (_, right) = line.split_once('=').or_else(|| line.split_once(','))?;
    Some(right.split('#').next()?.trim().trim_matches('"').to_string())
}

fn table(request: &Request) -> Result<Anthropometry, Refused> {
    match request.anthropometry.as_str() {
        "de-leva" => Ok(de_leva(request.sex)),
        "winter" => Ok(winter()),
        other => {
            let text = std::fs::read_to_string(other).map_err(|error| {
                Refused::plain(
                    "cannot-read-file",
                    &format!("cannot read `{other}`: {error}"),
                    "give `de-leva`, `winter`, or a file with a table of segments",
                )
            })?;
            borelli_data::anthropometry::read_anthropometry(other, &text)
                .map_err(|faults| Refused(faults.iter().map(|(line, fault)| Refused::of(&format!("{other}:{line}"), fault).0).collect()))
        }
    }
}

/// What is wrong with a recording, or with an option that says how it is read.
fn unread(path: &str, wrong: &RecordingFault) -> Refused {
    let place = match wrong.field {
        "axes" => "--axes",
        "forward" => "--forward",
        _ => path,
    };
    Refused::of(place, &wrong.fault)
}

/// Reads a trial and turns it to borelli's axes; plates of a file of forces take the place of its own.
fn measured(request: &Request, k: usize, map: Option<&MarkerMap>) -> Result<Measured, Refused> {
    let path = &request.trials[k];
    let mut wanted = Wanted {
        axes: request.axes.clone(),
        forward: Some(request.forward.clone().unwrap_or_else(|| "auto".into())),
        strip_prefix: request.strip_prefix,
        threshold: Some(request.threshold),
        ..Wanted::default()
    };
    let text = path.to_string_lossy();
    let loaded = load_recording(&text, &Files::on_disk(), &wanted).map_err(|wrong| unread(&text, &wrong))?;
    let (mut recording, mut notes) = (loaded.recording, loaded.notes);
    if let Some(forces) = request.forces.get(k) {
        let text = forces.to_string_lossy();
        wanted.forward = request.forward.clone();
        let loaded = load_recording(&text, &Files::on_disk(), &wanted).map_err(|wrong| unread(&text, &wrong))?;
        if loaded.recording.plates.is_empty() {
            return Err(Refused::plain(
                "no-plates",
                &format!("`{text}` holds no force plate and no columns of ground forces"),
                "columns of forces are named like ground_force_r_vx, ground_force_r_px, ground_torque_r_y",
            ));
        }
        recording.plates = loaded.recording.plates;
        notes.extend(loaded.notes);
    }
    let landmarks = Landmarks::of(&recording, map);
    Ok(Measured { name: name_of(path), recording, landmarks, R_ML: loaded.R_ML, notes })
}

/// The static trial in the axes that the first trial was turned to.
fn static_trial(request: &Request, first: &Measured, map: Option<&MarkerMap>) -> Result<Option<Measured>, Refused> {
    let Some(path) = &request.static_trial else { return Ok(None) };
    let mut recording = read_recording(path, &RecordingOptions::default()).map_err(|fault| Refused(format!("error: {fault}\n")))?;
    if request.strip_prefix {
        recording.points.iter_mut().for_each(|point| {
            if let Some((_, name)) = point.name.split_once(':') {
                point.name = name.to_string();
            }
        });
    }
    let recording = recording.turned(&first.R_ML);
    let landmarks = Landmarks::of(&recording, map);
    Ok(Some(Measured { name: name_of(path), recording, landmarks, R_ML: first.R_ML, notes: Vec::new() }))
}

/// Body mass and where it comes from: as given, from standing on plates, or from stances of a walk.
fn body_mass(request: &Request, standing: Option<&Measured>, trials: &[Measured]) -> Option<(f64, String)> {
    request.mass.map(|mass| (mass, "given".into())).or_else(|| plate_mass(request, standing, trials))
}

/// Body mass by force plates: from standing, or from stances of a walk.
fn plate_mass(request: &Request, standing: Option<&Measured>, trials: &[Measured]) -> Option<(f64, String)> {
    if let Some(estimate) = standing.and_then(|standing| mass_from_standing(&standing.recording.plates)) {
        return Some((estimate.mass, estimate.how));
    }
    trials.iter().find_map(|trial| {
        let (recording, landmarks) = (&trial.recording, &trial.landmarks);
        let assigned = assign_plates(recording, landmarks, request.threshold);
        let stances: Vec<_> = assigned.iter().filter_map(|a| Some((a.whole_foot()?, &recording.plates[a.plate], a.contact))).collect();
        let estimate = mass_from_stances(&stances, stride_time(recording, landmarks)?)?;
        Some((estimate.mass, estimate.how))
    })
}

/// Mean time of a stride by markers, s.
fn stride_time(recording: &Recording, landmarks: &Landmarks) -> Option<f64> {
    let smooth = filtered(recording);
    let pelvis = pelvis_track(&smooth, landmarks)?;
    let mut times = Vec::new();
    for side in Side::BOTH {
        let Some(foot) = foot_tracks(&smooth, landmarks, side) else { continue };
        let events = zeni_events(&smooth.clock, &foot, &pelvis);
        times.extend(cycles(&events, side).iter().map(|cycle| cycle.duration()));
    }
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}

/// Markers low-pass filtered for events, stretch by stretch; what is too short to be filtered stays as it is.
pub fn filtered(recording: &Recording) -> Recording {
    let mut smooth = recording.clone();
    let Ok(filter) = Butterworth::low_pass(2, EVENT_CUTOFF, recording.clock.rate, 2, Correction::Exact) else { return smooth };
    for point in &mut smooth.points {
        for axis in 0..3 {
            let mut values: Vec<f64> = point.position.iter().map(|p| p.to_array()[axis]).collect();
            filter_seen(&mut values, &point.seen, &filter, None);
            for (place, value) in point.position.iter_mut().zip(values) {
                let mut all = place.to_array();
                all[axis] = value;
                *place = borelli_math::Vec3::from_array(all);
            }
        }
    }
    smooth
}

/// Share of the markers with a role that must be seen in a frame for it to count.
const SEEN: f64 = 0.75;

/// Longest interruption that does not end a stretch, s.
const BLINK: f64 = 0.1;

/// The longest stretch in which most markers are seen; nothing where that is the whole recording. People walk into the measured volume and out of it: before and
/// after, single markers would tell of poses that are not there.
pub fn seen_span(recording: &Recording, landmarks: &Landmarks) -> Option<(f64, f64)> {
    let clock = &recording.clock;
    let with_role: Vec<usize> = (0..recording.points.len()).filter(|k| landmarks.role(*k).is_some()).collect();
    let count = |frame: usize| with_role.iter().filter(|k| recording.points[**k].seen[frame]).count();
    let counts: Vec<usize> = (0..clock.count).map(count).collect();
    let most = counts.iter().copied().max().filter(|most| *most > 0)?;
    let good: Vec<usize> = (0..clock.count).filter(|frame| counts[*frame] as f64 >= SEEN * most as f64).collect();
    let blink = (BLINK * clock.rate).floor() as usize;
    let (mut best, mut first) = ((0, 0), *good.first()?);
    for (k, frame) in good.iter().enumerate() {
        let ends = good.get(k + 1).is_none_or(|next| next - frame > blink + 1);
        if ends {
            if frame - first > best.1 - best.0 {
                best = (first, *frame);
            }
            first = good.get(k + 1).copied().unwrap_or(*frame);
        }
    }
    (best != (0, clock.count.saturating_sub(1)) && best.1 > best.0).then(|| (clock.time(best.0), clock.time(best.1)))
}

/// Time that is computed of a trial, s.
fn computed_span(trial: &Measured) -> (f64, f64) {
    let clock = &trial.recording.clock;
    seen_span(&trial.recording, &trial.landmarks).unwrap_or((clock.time(0), clock.time(clock.count.saturating_sub(1))))
}

/// First and last time of a plate.
fn plate_span(plate: &borelli_data::recording::Plate) -> (f64, f64) {
    (plate.clock.time(0), plate.clock.time(plate.clock.count.saturating_sub(1)))
}

/// Whether forces were recorded for part of the computed time only, by more than a frame.
fn partly_loaded(trial: &Measured) -> bool {
    let ((start, end), frame) = (computed_span(trial), 1.0 / trial.recording.clock.rate);
    let short = |(from, to): (f64, f64)| start < from - frame || end > to + frame;
    trial.recording.plates.iter().map(plate_span).any(short)
}

/// Forces that were recorded at another time than the markers are those of another trial, or on another clock.
fn forces_in_time(trial: &Measured) -> Result<(), Refused> {
    let (start, end) = computed_span(trial);
    let apart = |(from, to): &(f64, f64)| *from >= end || *to <= start;
    match trial.recording.plates.iter().map(plate_span).find(apart) {
        None => Ok(()),
        Some((from, to)) => Err(Refused::plain(
            "forces-elsewhere",
            &format!("`{}`: forces were recorded from {from:.3} to {to:.3} s, markers are seen from {start:.3} to {end:.3} s", trial.name),
            "give forces of the same trial, on the same clock",
        )),
    }
}

/// The study of a trial.
fn study(request: &Request, k: usize, trial: &Measured, map: Option<&MarkerMap>, own_model: bool, out: &Path) -> SessionStudy {
    let given = |path: &PathBuf| path.to_string_lossy().into_owned();
    let markers = seen_from(out, &request.trials[k]);
    let mut files = vec![(markers.clone(), given(&request.trials[k]))];
    files.extend(request.forces.get(k).map(|path| (seen_from(out, path), given(path))));
    files.extend(request.model.iter().filter(|_| !own_model).map(|word| (seen_from(out, Path::new(word)), word.clone())));
    let own = (!trial.recording.plates.is_empty()).then(|| markers.clone());
    let forces = request.forces.get(k).map(|path| seen_from(out, path)).or(own);
    let named = |point: &borelli_data::recording::PointSeries| {
        let label = map?.marker(&point.name)?;
        Some((point.name.clone(), label.to_string()))
    };
    let model = match &request.model {
        None => "model.toml".to_string(),
        Some(_) if own_model => "model.toml".to_string(),
        Some(word) if borelli_study::read::is_model_file(word) => seen_from(out, Path::new(word)),
        Some(word) => word.clone(),
    };
    let study = TrialStudy {
        name: trial.name.clone(),
        model,
        markers,
        forces,
        axes: request.axes.clone(),
        forward: Some(request.forward.clone().unwrap_or_else(|| "auto".into())),
        names: trial.recording.points.iter().filter_map(named).collect(),
        strip_prefix: request.strip_prefix,
        fix_swaps: request.fix_swaps,
        partly_loaded: partly_loaded(trial),
        cutoff: request.cutoff.clone(),
        threshold: request.threshold,
        span: seen_span(&trial.recording, &trial.landmarks),
    };
    let forces = study.forces.as_ref().map(|_| given(request.forces.get(k).unwrap_or(&request.trials[k])));
    SessionStudy { name: trial.name.clone(), text: study.text(), markers: given(&request.trials[k]), forces, files }
}
