//! A lower-limb model of a person from markers: pelvis, trunk with head and arms, and the legs that markers show.
//! Not here: axes and lengths (`survey`), masses (`inertia`), the text itself (`model_text`).
//! In: a recording in borelli's axes, its landmarks, what is known of the person. Out: text of a model file, measures, notices.
//!
//! The frames that serve are those in which the markers of a segment are seen together; the person may stand or walk. Markers sit in body axes where they were
//! in the mean over those frames. Joints: pelvis free with tilt, list and rotation, hips with three angles, knees hinges, ankles with two angles.

use super::fault::{SubjectFault, SubjectNotice};
use super::inertia::{Lump, upper_body};
use super::model_text::{BodyText, MarkerText, ModelText, write_model};
use super::survey::{Eyes, Leg, Pose, Poses, Survey, local_mean, mean, survey};
use borelli_data::anthropometry::{Anthropometry, BodyPart, Sex, de_leva, length_by_height};
use borelli_data::landmark::{HipRule, Landmarks, Part, Role, Segment, between};
use borelli_data::recording::{Recording, Side};
use borelli_math::{Vec3, vec3};

/// Weight of markers on the shoulders in inverse kinematics.
const SHOULDER_WEIGHT: f64 = 0.1;

/// What is known of a person, and how a model is to be built.
#[derive(Clone, Debug)]
pub struct SubjectOptions {
    /// Name of the model.
    pub name: String,
    /// Body mass, kg.
    pub mass: f64,
    /// Where the mass comes from, in words.
    pub mass_source: String,
    /// Body height, m, where it is known.
    pub height: Option<f64>,
    /// Sex, for tables with two rows and for the lumbar joint.
    pub sex: Sex,
    /// Table of segments.
    pub anthropometry: Anthropometry,
    /// Rule for the hips.
    pub hip_rule: HipRule,
    /// Take joint centres of the hips that the recording holds instead of the rule.
    pub recorded_centers: bool,
    /// From skin to the middle of a marker, m.
    pub marker_radius: f64,
    /// Width of the knees, m, used where medial markers are missing.
    pub knee_width: Option<f64>,
    /// Width of the ankles, m, used where medial markers are missing.
    pub ankle_width: Option<f64>,
    /// Anterior spine to medial malleolus, m, where it was measured.
    pub leg_length: Option<f64>,
}

impl SubjectOptions {
    /// A person of this mass, with de Leva's table and Harrington's hips.
    pub fn new(mass: f64, mass_source: &str, sex: Sex) -> SubjectOptions {
        SubjectOptions {
            name: "lower-limb".into(),
            mass,
            mass_source: mass_source.into(),
            height: None,
            sex,
            anthropometry: de_leva(sex),
            hip_rule: HipRule::default(),
            recorded_centers: false,
            marker_radius: 0.0,
            knee_width: None,
            ankle_width: None,
            leg_length: None,
        }
    }

    fn check(&self) -> Result<(), SubjectFault> {
        let numbers = [
            ("body mass in kg", Some(self.mass), 5.0, 400.0),
            ("body height in m", self.height, 0.4, 2.6),
            ("marker radius in m", Some(self.marker_radius), 0.0, 0.05),
            ("knee width in m", self.knee_width, 0.03, 0.3),
            ("ankle width in m", self.ankle_width, 0.02, 0.2),
            ("leg length in m", self.leg_length, 0.2, 1.5),
        ];
        let bad = |(_, value, least, most): &(&str, Option<f64>, f64, f64)| value.is_some_and(|v| !(v >= *least && v <= *most));
        match numbers.iter().find(|row| bad(row)) {
            Some((what, Some(value), ..)) => Err(SubjectFault::BadNumber { what, value: *value }),
            _ => Ok(()),
        }
    }
}

/// A model that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// Text of the model file.
    pub text: String,
    /// What a user ought to know.
    pub notices: Vec<SubjectNotice>,
    /// Measured lengths, m, by name: `thigh_r`, `shank_l`, `foot_r`, `trunk`, `pelvis`.
    pub lengths: Vec<(String, f64)>,
    /// Mean length of the legs, hip to ankle, m: what dimensionless numbers refer to.
    pub leg_length: f64,
    /// Labels of the recording that the model's markers have.
    pub labels: Vec<String>,
    /// How the hips were found.
    pub hip_source: String,
    /// Frames in which the pelvis was seen, which are those that could serve.
    pub frames: usize,
}

/// Builds the model. The recording is in borelli's axes, X forward, Y up, Z right.
///
/// Tests: `a_person_made_of_known_segments_is_built_with_them`, `a_leg_without_markers_is_left_out`, `a_person_without_trunk_markers_has_a_welded_trunk`,
/// `missing_medial_markers_are_replaced_by_a_width`, `another_marker_set_is_refused_with_what_is_missing`, `walking5_gives_a_model_that_compiles`.
pub fn build_lower_limb(recording: &Recording, landmarks: &Landmarks, options: &SubjectOptions) -> Result<Built, SubjectFault> {
    options.check()?;
    let eyes = Eyes { recording, landmarks };
    let mut notices = Vec::new();
    let survey = survey(&eyes, options, &mut notices)?;
    notices.extend(options.anthropometry.remarks.iter().map(|remark| SubjectNotice::Table { remark: remark.clone() }));
    let legs_length = survey.legs.iter().map(|leg| leg.thigh_length + leg.shank_length).sum::<f64>() / survey.legs.len() as f64;
    let mut lengths = vec![("pelvis".to_string(), (survey.hips[0] - survey.hips[1]).norm())];

    let (pelvis, torso, trunk_length) = upper_bodies(&survey, options, legs_length, &mut notices)?;
    lengths.push(("trunk".into(), trunk_length));
    let mut model = ModelText::new(options, &survey, recording, landmarks);
    model.bodies.extend([pelvis, torso]);
    for leg in &survey.legs {
        let bodies = leg_bodies(&eyes, leg, options, &mut notices)?;
        let letter = leg.side.letter();
        lengths.push((format!("thigh_{letter}"), leg.thigh_length));
        lengths.push((format!("shank_{letter}"), leg.shank_length));
        lengths.push((format!("foot_{letter}"), bodies.1));
        model.bodies.extend(bodies.0);
    }
    check_lengths(&lengths, &mut notices);
    let share = |part| options.anthropometry.share(part).map_or(0.0, |row| row.mass * options.mass);
    for notice in &mut notices {
        if let SubjectNotice::LegLeftOut { mass, .. } = notice {
            *mass = [BodyPart::Thigh, BodyPart::Shank, BodyPart::Foot].into_iter().map(share).sum();
        }
    }
    model.markers = markers(&eyes, &survey, &mut notices);
    Ok(Built {
        labels: model.markers.iter().map(|marker| marker.label.clone()).collect(),
        text: write_model(&model, &survey, &notices),
        notices,
        lengths,
        leg_length: legs_length,
        frames: survey.pelvis.iter().flatten().count(),
        hip_source: survey.hip_source,
    })
}

/// Pelvis and torso as bodies, and the length of the trunk.
fn upper_bodies(
    survey: &Survey,
    options: &SubjectOptions,
    legs_length: f64,
    notices: &mut Vec<SubjectNotice>,
) -> Result<(BodyText, BodyText, f64), SubjectFault> {
    let mid_hips = between(survey.hips[0], survey.hips[1]);
    let (hips, shoulders) = match &survey.trunk {
        Some(trunk) => (trunk.hips, trunk.shoulders),
        None => {
            let legs = length_by_height(BodyPart::Thigh).unwrap_or(0.0) + length_by_height(BodyPart::Shank).unwrap_or(0.0);
            let height = options.height.unwrap_or_else(|| {
                let height = legs_length / legs;
                notices.push(SubjectNotice::HeightEstimated { height });
                height
            });
            let length = length_by_height(BodyPart::Trunk).unwrap_or(0.0) * height;
            notices.push(SubjectNotice::TrunkWelded { length });
            (mid_hips - survey.lumbar, mid_hips - survey.lumbar + vec3(0.0, length, 0.0))
        }
    };
    let length = (shoulders - hips).norm();
    let half_width = survey.trunk.as_ref().and_then(|trunk| trunk.half_width).unwrap_or(0.35 * length);
    let [pelvis, torso] = upper_body(&options.anthropometry, options.mass, length, half_width, options.sex)?;
    let body = |name: &str, lump: &Lump, center: Vec3<f64>| BodyText {
        name: name.into(),
        mass: lump.mass,
        center,
        moments: lump.moments,
        points: Vec::new(),
        frames: Vec::new(),
    };
    let mut pelvis = body("pelvis", &pelvis, mid_hips + vec3(0.0, pelvis.height, 0.0));
    pelvis.points.push(("lumbar".into(), survey.lumbar));
    for leg in &survey.legs {
        pelvis.points.push((format!("hip_{}", leg.side.letter()), survey.hips[super::survey::index(leg.side)]));
    }
    let along = (shoulders - hips).scale(1.0 / length);
    let mut torso = body("torso", &torso, hips + along.scale(torso.height));
    torso.points.push(("shoulders".into(), shoulders));
    Ok((pelvis, torso, length))
}

/// Thigh, shank and foot of a leg, and the length of the foot.
fn leg_bodies(
    eyes: &Eyes<'_>,
    leg: &Leg,
    options: &SubjectOptions,
    notices: &mut Vec<SubjectNotice>,
) -> Result<([BodyText; 3], f64), SubjectFault> {
    let (side, letter) = (leg.side, leg.side.letter());
    let table = &options.anthropometry;
    let local = |part, poses: &Poses| local_mean(eyes, Role::on(part, side), poses);
    let knee = vec3(0.0, -leg.thigh_length, 0.0);
    let ankle = vec3(0.0, -leg.shank_length, 0.0);
    let heel = local(Part::Heel, &leg.foot).unwrap_or(Vec3::ZERO);
    let toe = mean_toe(eyes, leg).unwrap_or(heel);
    // From the heel to the metatarsal heads is nearly three quarters of a foot.
    let tip = local(Part::ToeTip, &leg.foot).unwrap_or_else(|| {
        let tip = heel + (toe - heel).scale(1.35);
        notices.push(SubjectNotice::FootLengthEstimated { side: side.word(), length: (tip - heel).norm() });
        tip
    });
    // Places of the ends that tables speak of, in the axes of each segment.
    let place = |part: BodyPart, end: &str| -> Vec3<f64> {
        match (part, end) {
            (BodyPart::Thigh, "greater trochanter") => local(Part::Trochanter, &leg.thigh).map_or(Vec3::ZERO, |p| vec3(0.0, p.y, 0.0)),
            (BodyPart::Thigh, "knee") => knee,
            (BodyPart::Shank | BodyPart::ShankToCenter, "ankle") => ankle,
            (BodyPart::Shank, "lateral malleolus") => local(Part::AnkleLateral, &leg.shank).map_or(ankle, |p| vec3(0.0, p.y, 0.0)),
            (BodyPart::Shank, "medial malleolus") => local(Part::AnkleMedial, &leg.shank).map_or(ankle, |p| vec3(0.0, p.y, 0.0)),
            (BodyPart::Foot, "heel") => heel,
            (BodyPart::Foot, "toe tip") => tip,
            (BodyPart::Foot, "lateral malleolus") => local(Part::AnkleLateral, &leg.foot).map_or(Vec3::ZERO, |p| vec3(p.x, p.y, 0.0)),
            (BodyPart::Foot, "second metatarsal head") => toe,
            // Hip and knee are the origins of thigh and shank; an end of a user's table that nobody knows counts as the nearest joint.
            (BodyPart::Foot, _) => toe,
            _ => Vec3::ZERO,
        }
    };
    let body = |name: &str, part: BodyPart| -> Result<BodyText, SubjectFault> {
        let lacks = SubjectFault::TableLacks { table: table.name.clone(), segment: part.name() };
        let row = table.share(part).ok_or(lacks.clone())?;
        let (a, b) = (place(part, &row.ends.0), place(part, &row.ends.1));
        // A user's table may name ends in its own words: then thigh and shank run between their joints.
        let b = if (b - a).norm() > 0.05 {
            b
        } else if part == BodyPart::Thigh {
            knee
        } else {
            ankle
        };
        let length = (b - a).norm();
        let segment = table.segment(part, options.mass, length).ok_or(lacks)?;
        let center = a + (b - a).scale(segment.center / length);
        Ok(BodyText {
            name: format!("{name}_{letter}"),
            mass: segment.mass,
            center,
            moments: segment.moments,
            points: Vec::new(),
            frames: Vec::new(),
        })
    };
    let shank_part = if table.share(BodyPart::ShankToCenter).is_some() { BodyPart::ShankToCenter } else { BodyPart::Shank };
    let (mut thigh, mut shank, mut foot) = (body("thigh", BodyPart::Thigh)?, body("shank", shank_part)?, body("foot", BodyPart::Foot)?);
    thigh.points.push(("knee".into(), knee));
    shank.frames.push(("knee".into(), Vec3::ZERO, vec3(-leg.varus, 0.0, 0.0)));
    shank.frames.push(("ankle".into(), ankle, vec3(0.0, leg.toe_turn, 0.0)));
    foot.points.extend([("heel".to_string(), heel), ("toe".to_string(), toe), ("tip".to_string(), tip)]);
    Ok(([thigh, shank, foot], (tip - heel).norm()))
}

/// Mean place of the toe in foot axes: the axes point to it, so it lies on X through the heel.
fn mean_toe(eyes: &Eyes<'_>, leg: &Leg) -> Option<Vec3<f64>> {
    let local = |part| local_mean(eyes, Role::on(part, leg.side), &leg.foot);
    local(Part::Toe)
        .or_else(|| Some(between(local(Part::FirstMetatarsal)?, local(Part::FifthMetatarsal)?)))
        .or_else(|| [Part::ToeTip, Part::FirstMetatarsal, Part::FifthMetatarsal].into_iter().find_map(local))
}

/// Lengths that hardly any person has, and sides that differ by more than three per cent.
fn check_lengths(lengths: &[(String, f64)], notices: &mut Vec<SubjectNotice>) {
    let limits = [("thigh", 0.25, 0.60), ("shank", 0.25, 0.60), ("foot", 0.15, 0.36), ("trunk", 0.30, 0.70), ("pelvis", 0.10, 0.30)];
    for (segment, least, most) in limits {
        for (name, length) in lengths.iter().filter(|(name, _)| name.starts_with(segment)) {
            if !(*length >= least && *length <= most) {
                notices.push(SubjectNotice::UnlikelyLength { segment: name.clone(), length: *length });
            }
        }
        let side = |letter: char| lengths.iter().find(|(name, _)| *name == format!("{segment}_{letter}")).map(|(_, length)| *length);
        if let Some((right, left)) = side('r').zip(side('l')).filter(|(r, l)| (r - l).abs() > 0.03 * 0.5 * (r + l)) {
            notices.push(SubjectNotice::SidesDiffer { segment, right, left });
        }
    }
}

/// Markers on bodies, in body axes where they were in the mean.
fn markers(eyes: &Eyes<'_>, survey: &Survey, notices: &mut Vec<SubjectNotice>) -> Vec<MarkerText> {
    let mut list: Vec<MarkerText> = Vec::new();
    let (mut centers, mut elsewhere, mut unseen) = (Vec::new(), Vec::new(), Vec::new());
    for (k, point) in eyes.recording.points.iter().enumerate() {
        let Some(role) = eyes.landmarks.role(k) else { continue };
        if role.part.is_center() && !eyes.landmarks.markerless {
            centers.push(point.name.clone());
            continue;
        }
        let leg = |side: Option<Side>| survey.legs.iter().find(|leg| Some(leg.side) == side);
        let (poses, body): (Option<&Poses>, String) = match role.part.segment() {
            Segment::Pelvis => (Some(&survey.pelvis), "pelvis".into()),
            Segment::Trunk => (survey.trunk.as_ref().map(|trunk| &trunk.poses), "torso".into()),
            segment @ (Segment::Thigh | Segment::Shank | Segment::Foot) => match leg(role.side) {
                Some(leg) if segment == Segment::Thigh => (Some(&leg.thigh), format!("thigh_{}", leg.side.letter())),
                Some(leg) if segment == Segment::Shank => (Some(&leg.shank), format!("shank_{}", leg.side.letter())),
                Some(leg) => (Some(&leg.foot), format!("foot_{}", leg.side.letter())),
                None => (None, String::new()),
            },
            Segment::Head | Segment::UpperArm | Segment::Forearm | Segment::Hand => (None, String::new()),
        };
        let Some(poses) = poses else {
            elsewhere.push(point.name.clone());
            continue;
        };
        let seen = |(frame, pose): (usize, &Option<Pose>)| {
            pose.as_ref().filter(|_| point.seen[frame]).map(|pose| pose.local(point.position[frame]))
        };
        let places: Vec<Vec3<f64>> = poses.iter().enumerate().filter_map(seen).collect();
        let Some(location) = mean(places.iter().copied()) else {
            unseen.push(point.name.clone());
            continue;
        };
        let rms = (places.iter().map(|p| (*p - location).dot(*p - location)).sum::<f64>() / places.len() as f64).sqrt();
        if rms > 0.03 {
            notices.push(SubjectNotice::MarkerWanders { marker: point.name.clone(), body: body.clone(), distance: rms });
        }
        let mut marker = MarkerText::new(&point.name, body, location, &list);
        // Shoulders move on the trunk as the arms do, by centimetres: they must not turn the pelvis.
        if eyes.landmarks.role(k).is_some_and(|role| role.part == Part::Acromion) {
            marker.weight = SHOULDER_WEIGHT;
        }
        list.push(marker);
    }
    let unknown: Vec<String> = eyes.landmarks.unknown().iter().map(|name| name.to_string()).collect();
    for (markers, why) in [
        (centers, "they are joint centres somebody computed, not markers"),
        (elsewhere, "the model has no body that they move with"),
        (unseen, "they are never seen together with their segment"),
        (unknown, "nobody knows what they stand for"),
    ] {
        if !markers.is_empty() {
            notices.push(SubjectNotice::MarkersLeftOut { markers, why });
        }
    }
    list
}
