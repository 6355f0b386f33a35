//! The survey of a person: axes of every segment in every frame, and what stays the same over them.
//! Not here: masses (`inertia`), text (`model_text`).
//! In: a recording in borelli's axes with landmarks. Out: poses by frame, joint centres and lengths.

use super::fault::{SubjectFault, SubjectNotice};
use super::lower_limb::SubjectOptions;
use borelli_data::Explain;
use borelli_data::landmark::{
    Landmarks, Part, PelvisSize, Role, between, foot_axes, inwards, pelvis_axes, pelvis_size, segment_axes, shoulder_center,
};
use borelli_data::recording::{Recording, Side};
use borelli_math::{Mat3, Vec3, vec3};

/// Width of a knee that nobody measured, m.
const KNEE_WIDTH: f64 = 0.10;
/// Width of an ankle that nobody measured, m.
const ANKLE_WIDTH: f64 = 0.07;

/// Where a segment is in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Origin, m.
    pub p: Vec3<f64>,
    /// Axes of the segment.
    pub R: Mat3<f64>,
}

impl Pose {
    /// A place in the axes of the segment.
    pub fn local(&self, place: Vec3<f64>) -> Vec3<f64> {
        self.R.transpose_mul(place - self.p)
    }
    /// A place of the segment in the axes of the recording.
    pub fn place(&self, local: Vec3<f64>) -> Vec3<f64> {
        self.p + self.R * local
    }
}

/// Poses of a segment, one for each frame in which its landmarks were seen.
pub type Poses = Vec<Option<Pose>>;

/// One leg.
#[derive(Clone, Debug)]
pub struct Leg {
    /// Whose.
    pub side: Side,
    /// Thigh, origin at the hip.
    pub thigh: Poses,
    /// Shank, origin at the knee.
    pub shank: Poses,
    /// Foot, origin at the ankle.
    pub foot: Poses,
    /// Hip to knee, m.
    pub thigh_length: f64,
    /// Knee to ankle, m.
    pub shank_length: f64,
    /// Turn of the shank about X after flexion, rad, mean.
    pub varus: f64,
    /// Turn about Y of the shank from its own X to the direction of the foot, rad, mean.
    pub toe_turn: f64,
}

/// The trunk, where markers show it.
#[derive(Clone, Debug)]
pub struct Trunk {
    /// Origin at the lumbar joint.
    pub poses: Poses,
    /// Middle of the hips in trunk axes, m.
    pub hips: Vec3<f64>,
    /// Middle of the shoulders in trunk axes, m.
    pub shoulders: Vec3<f64>,
    /// Half the distance of the shoulders, m, where acromia are seen.
    pub half_width: Option<f64>,
}

/// What a recording says about a person.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Pelvis, origin between the anterior spines.
    pub pelvis: Poses,
    /// Hips in pelvis axes, right and left, m.
    pub hips: [Vec3<f64>; 2],
    /// Lumbar joint in pelvis axes, m.
    pub lumbar: Vec3<f64>,
    /// Legs that could be built.
    pub legs: Vec<Leg>,
    /// The trunk.
    pub trunk: Option<Trunk>,
    /// How the hips were found, in words.
    pub hip_source: String,
}

/// A recording with its landmarks.
pub struct Eyes<'r> {
    /// The recording.
    pub recording: &'r Recording,
    /// Its landmarks.
    pub landmarks: &'r Landmarks,
}

impl Eyes<'_> {
    fn has(&self, role: Role) -> bool {
        self.landmarks.index(role).is_some_and(|k| self.recording.points[k].seen.contains(&true))
    }

    pub(super) fn at(&self, role: Role, frame: usize) -> Option<Vec3<f64>> {
        self.landmarks.place(self.recording, role, frame)
    }

    fn frames(&self) -> std::ops::Range<usize> {
        0..self.recording.clock.count
    }

    fn names(&self, roles: &[Role]) -> Vec<String> {
        roles.iter().filter_map(|role| self.landmarks.name(*role)).map(str::to_string).collect()
    }
}

/// Mean of what there is; nothing of nothing.
pub fn mean(list: impl Iterator<Item = Vec3<f64>>) -> Option<Vec3<f64>> {
    let (sum, count) = list.fold((Vec3::ZERO, 0_usize), |(sum, count), v| (sum + v, count + 1));
    (count > 0).then(|| sum.scale(1.0 / count as f64))
}

fn mean_number(list: impl Iterator<Item = f64>) -> Option<f64> {
    mean(list.map(|x| vec3(x, 0.0, 0.0))).map(|v| v.x)
}

/// Surveys a person. Faults: markers that are needed and missing, or never seen together.
pub fn survey(eyes: &Eyes<'_>, options: &SubjectOptions, notices: &mut Vec<SubjectNotice>) -> Result<Survey, SubjectFault> {
    let gaps = Side::BOTH.map(|side| leg_gaps(eyes, side));
    let pelvis_missing = pelvis_gaps(eyes);
    if !pelvis_missing.is_empty() || gaps.iter().all(|gap| !gap.is_empty()) {
        let mut missing = pelvis_missing;
        if gaps.iter().all(|gap| !gap.is_empty()) {
            missing.extend(gaps.concat());
        }
        let found = |k: usize| {
            let (name, role) = (eyes.landmarks.names().get(k)?, eyes.landmarks.role(k)?);
            let seen = eyes.recording.points[k].seen.contains(&true);
            Some(if seen { format!("{name} ({role})") } else { format!("{name} ({role}, never seen)") })
        };
        return Err(SubjectFault::MissingRoles {
            missing,
            found: (0..eyes.recording.points.len()).filter_map(found).collect(),
            unknown: eyes.landmarks.unknown().iter().map(|name| name.to_string()).collect(),
        });
    }
    let (pelvis, hips, width, hip_source) = pelvis_of(eyes, options)?;
    let lumbar = lumbar_center(width, options);
    let mut legs = Vec::new();
    for (side, gap) in Side::BOTH.into_iter().zip(gaps) {
        if gap.is_empty() {
            legs.push(leg_of(eyes, options, side, &pelvis, hips[index(side)], notices)?);
        } else {
            notices.push(SubjectNotice::LegLeftOut { side: side.word(), missing: gap, mass: 0.0 });
        }
    }
    let trunk = trunk_of(eyes, &pelvis, hips, lumbar, notices);
    Ok(Survey { pelvis, hips, lumbar, legs, trunk, hip_source })
}

/// 0 for right, 1 for left.
pub fn index(side: Side) -> usize {
    usize::from(side == Side::Left)
}

fn back_roles(eyes: &Eyes<'_>) -> Vec<Role> {
    let psis = Side::BOTH.map(|side| Role::on(Part::Psis, side));
    if psis.iter().all(|role| eyes.has(*role)) { psis.to_vec() } else { vec![Role::middle(Part::Sacrum)] }
}

/// Whether the pelvis is known by hip centres only, as from markerless tools.
fn pelvis_by_hips(eyes: &Eyes<'_>) -> bool {
    let both = |part| Side::BOTH.iter().all(|side| eyes.has(Role::on(part, *side)));
    !both(Part::Asis) && both(Part::HipCenter)
}

fn pelvis_gaps(eyes: &Eyes<'_>) -> Vec<String> {
    if pelvis_by_hips(eyes) {
        return Vec::new();
    }
    let asis = Side::BOTH.map(|side| Role::on(Part::Asis, side));
    let mut missing: Vec<String> = asis.iter().filter(|role| !eyes.has(**role)).map(Role::to_string).collect();
    if !back_roles(eyes).iter().all(|role| eyes.has(*role)) {
        missing.push("psis_r and psis_l, or sacrum".into());
    }
    missing
}

const TOES: [Part; 4] = [Part::Toe, Part::ToeTip, Part::FirstMetatarsal, Part::FifthMetatarsal];

fn leg_gaps(eyes: &Eyes<'_>, side: Side) -> Vec<String> {
    let any = |parts: &[Part]| parts.iter().any(|part| eyes.has(Role::on(*part, side)));
    let needs: [(&[Part], &str); 4] = [
        (&[Part::KneeLateral, Part::KneeCenter], "knee_lateral"),
        (&[Part::AnkleLateral, Part::AnkleCenter], "ankle_lateral"),
        (&[Part::Heel], "heel"),
        (&TOES, "toe"),
    ];
    needs.iter().filter(|(parts, _)| !any(parts)).map(|(_, name)| format!("{name}_{}", side.letter())).collect()
}

type Pelvis = (Poses, [Vec3<f64>; 2], f64, String);

/// Poses of the pelvis, hips in its axes, its width, and how the hips were found.
fn pelvis_of(eyes: &Eyes<'_>, options: &SubjectOptions) -> Result<Pelvis, SubjectFault> {
    let part = if pelvis_by_hips(eyes) { Part::HipCenter } else { Part::Asis };
    let sides = Side::BOTH.map(|side| Role::on(part, side));
    let back = back_roles(eyes);
    let mut sizes: Vec<PelvisSize> = Vec::new();
    let poses: Poses = eyes
        .frames()
        .map(|frame| {
            let (r, l) = (eyes.at(sides[0], frame)?, eyes.at(sides[1], frame)?);
            if part == Part::HipCenter {
                let up = eyes.at(Role::middle(Part::Neck), frame).map_or(vec3(0.0, 1.0, 0.0), |neck| neck - between(r, l));
                let p = between(r, l);
                return segment_axes(p, p - up, r - l).map(|R| level(Pose { p, R }, r - l));
            }
            let places: Option<Vec<Vec3<f64>>> = back.iter().map(|role| eyes.at(*role, frame)).collect();
            let behind = mean(places?.into_iter())?;
            sizes.push(pelvis_size(r, l, behind, leg_length(eyes, frame)));
            pelvis_axes(r, l, behind).map(|(p, R)| Pose { p, R })
        })
        .collect();
    if poses.iter().flatten().next().is_none() {
        let roles: Vec<Role> = sides.iter().chain(back.iter()).copied().collect();
        return Err(SubjectFault::NeverSeenTogether { segment: "pelvis".into(), markers: eyes.names(&roles) });
    }
    let recorded = Side::BOTH.map(|side| local_mean(eyes, Role::on(Part::HipCenter, side), &poses));
    if let (true, [Some(r), Some(l)]) = (options.recorded_centers || part == Part::HipCenter, recorded) {
        return Ok((poses, [r, l], (r - l).norm() / 0.72, "centres that the recording holds".into()));
    }
    let width = mean_number(sizes.iter().map(|s| s.width)).unwrap_or(0.0);
    let depth = mean_number(sizes.iter().map(|s| s.depth)).unwrap_or(0.0);
    // The leg is longest when it is straight.
    let leg = options.leg_length.or_else(|| sizes.iter().filter_map(|s| s.leg).max_by(f64::total_cmp));
    let size = PelvisSize { width, depth, leg };
    let hip = |side| {
        let center = options.hip_rule.center(&size, side, options.marker_radius);
        center.map_err(|fault| SubjectFault::HipRule { message: fault.message(), hint: fault.hint() })
    };
    Ok((poses, [hip(Side::Right)?, hip(Side::Left)?], width, format!("rule `{}`", options.hip_rule.name())))
}

/// The pose with Z exactly along the line of the hips.
fn level(pose: Pose, rightward: Vec3<f64>) -> Pose {
    let z = rightward.scale(1.0 / rightward.norm());
    let y = z.cross(pose.R.x);
    let y = y.scale(1.0 / y.norm());
    Pose { p: pose.p, R: Mat3 { x: y.cross(z), y, z } }
}

/// Mean length from the anterior spines to the medial malleoli, m.
fn leg_length(eyes: &Eyes<'_>, frame: usize) -> Option<f64> {
    let of = |side| {
        let (spine, ankle) = (eyes.at(Role::on(Part::Asis, side), frame)?, eyes.at(Role::on(Part::AnkleMedial, side), frame)?);
        Some((spine - ankle).norm())
    };
    mean_number(Side::BOTH.into_iter().filter_map(of))
}

/// Mean place of a marker in the axes of a segment.
pub fn local_mean(eyes: &Eyes<'_>, role: Role, poses: &Poses) -> Option<Vec3<f64>> {
    mean(poses.iter().enumerate().filter_map(|(frame, pose)| Some(pose.as_ref()?.local(eyes.at(role, frame)?))))
}

/// Centre between the fifth lumbar vertebra and the sacrum, from the middle of the anterior spines in pelvis axes, by the width of the pelvis:
/// 26.4 and 28.9 per cent behind, 12.6 and 17.2 per cent above, of men and women.
///
/// Source: M. P. Reed, M. A. Manary and L. W. Schneider 1999, SAE 1999-01-0959, as used by R. Dumas, L. Chèze and J.-P. Verriest 2007, J. Biomech. 40:543-553.
fn lumbar_center(width: f64, options: &SubjectOptions) -> Vec3<f64> {
    match options.sex {
        borelli_data::anthropometry::Sex::Female => vec3(-0.289, 0.172, 0.0).scale(width),
        borelli_data::anthropometry::Sex::Male => vec3(-0.264, 0.126, 0.0).scale(width),
    }
}

/// Part of `v` perpendicular to the line from `a` to `b`, of unit length.
fn across(v: Vec3<f64>, a: Vec3<f64>, b: Vec3<f64>) -> Option<Vec3<f64>> {
    let line = b - a;
    let square = line.dot(line);
    let rest = if square > 0.0 { v - line.scale(v.dot(line) / square) } else { v };
    (rest.norm() > 1e-9).then(|| rest.scale(1.0 / rest.norm()))
}

/// How a joint is seen: lateral and medial marker, lateral marker alone, or a centre.
struct Hinge {
    lateral: Role,
    medial: Option<Role>,
    width: f64,
    side: Side,
    radius: f64,
}

impl Hinge {
    fn new(eyes: &Eyes<'_>, parts: [Part; 3], side: Side, width: f64, radius: f64) -> Hinge {
        let [lateral, medial, center] = parts.map(|part| Role::on(part, side));
        if !eyes.has(lateral) {
            return Hinge { lateral: center, medial: None, width: 0.0, side, radius: 0.0 };
        }
        Hinge { lateral, medial: Some(medial).filter(|role| eyes.has(*role)), width, side, radius }
    }

    /// Centre, and the direction to the right where both markers show it; `right` and `above` serve where they do not.
    fn center(&self, eyes: &Eyes<'_>, frame: usize, right: Vec3<f64>, above: Vec3<f64>) -> Option<(Vec3<f64>, Option<Vec3<f64>>)> {
        let lateral = eyes.at(self.lateral, frame)?;
        if let Some(medial) = self.medial {
            let medial = eyes.at(medial, frame)?;
            return Some((between(lateral, medial), Some((lateral - medial).scale(self.side.sign()))));
        }
        let inward = across(right.scale(-self.side.sign()), lateral, above)?;
        Some((inwards(lateral, inward, self.width, self.radius), None))
    }

    fn roles(&self) -> Vec<Role> {
        std::iter::once(self.lateral).chain(self.medial).collect()
    }

    fn tell(&self, joint: &'static str, given: bool, notices: &mut Vec<SubjectNotice>) {
        if self.medial.is_none() && !self.lateral.part.is_center() {
            notices.push(SubjectNotice::WidthUsed { joint, side: self.side.word(), width: self.width, given });
        }
    }
}

fn toe_place(eyes: &Eyes<'_>, side: Side, frame: usize) -> Option<Vec3<f64>> {
    let at = |part| eyes.at(Role::on(part, side), frame);
    let has = |part| eyes.has(Role::on(part, side));
    if has(Part::Toe) {
        return at(Part::Toe);
    }
    if has(Part::FirstMetatarsal) && has(Part::FifthMetatarsal) {
        return Some(between(at(Part::FirstMetatarsal)?, at(Part::FifthMetatarsal)?));
    }
    TOES.into_iter().find(|part| has(*part)).and_then(at)
}

fn leg_of(
    eyes: &Eyes<'_>,
    options: &SubjectOptions,
    side: Side,
    pelvis: &Poses,
    hip: Vec3<f64>,
    notices: &mut Vec<SubjectNotice>,
) -> Result<Leg, SubjectFault> {
    let (knee_width, ankle_width) = (options.knee_width.unwrap_or(KNEE_WIDTH), options.ankle_width.unwrap_or(ANKLE_WIDTH));
    let knee = Hinge::new(eyes, [Part::KneeLateral, Part::KneeMedial, Part::KneeCenter], side, knee_width, options.marker_radius);
    let ankle = Hinge::new(eyes, [Part::AnkleLateral, Part::AnkleMedial, Part::AnkleCenter], side, ankle_width, options.marker_radius);
    knee.tell("knee", options.knee_width.is_some(), notices);
    ankle.tell("ankle", options.ankle_width.is_some(), notices);
    if knee.medial.is_none() {
        notices.push(SubjectNotice::PlaneOfPelvis { side: side.word() });
    }
    let (mut thigh, mut shank, mut foot): (Poses, Poses, Poses) = (Vec::new(), Vec::new(), Vec::new());
    let mut lengths = Vec::new();
    for frame in eyes.frames() {
        let seen = pelvis[frame].as_ref().and_then(|pelvis| {
            let hip = pelvis.place(hip);
            let (knee, axis) = knee.center(eyes, frame, pelvis.R.z, hip)?;
            let right = axis.unwrap_or(pelvis.R.z);
            let (ankle, _) = ankle.center(eyes, frame, right, knee)?;
            Some((hip, knee, ankle, right))
        });
        let poses = seen.and_then(|(hip, knee, ankle, right)| {
            lengths.push(((hip - knee).norm(), (knee - ankle).norm()));
            Some((Pose { p: hip, R: segment_axes(hip, knee, right)? }, Pose { p: knee, R: segment_axes(knee, ankle, right)? }, ankle))
        });
        thigh.push(poses.map(|(thigh, ..)| thigh));
        shank.push(poses.map(|(_, shank, _)| shank));
        foot.push(poses.and_then(|(_, shank, ankle)| {
            let (heel, toe) = (eyes.at(Role::on(Part::Heel, side), frame)?, toe_place(eyes, side, frame)?);
            Some(Pose { p: ankle, R: foot_axes(heel, toe, shank.R.y)? })
        }));
    }
    let never = |segment: String, roles: &[Role]| SubjectFault::NeverSeenTogether { segment, markers: eyes.names(roles) };
    let lengths_mean = mean(lengths.iter().map(|(a, b)| vec3(*a, *b, 0.0)));
    let Some(length) = lengths_mean else {
        return Err(never(format!("{} leg", side.word()), &[knee.roles(), ankle.roles()].concat()));
    };
    if foot.iter().flatten().next().is_none() {
        return Err(never(format!("{} foot", side.word()), &[Role::on(Part::Heel, side), Role::on(Part::Toe, side)]));
    }
    // R_thigh' R_shank = Rz(flexion) Rx(varus) Ry(0): the third row has sin(varus) in its middle.
    let varus = mean_number(thigh.iter().zip(&shank).filter_map(|(t, s)| {
        let y = t.as_ref()?.R.transpose_mul(s.as_ref()?.R.y);
        Some(y.z.clamp(-1.0, 1.0).asin())
    }));
    // Directions of the foot seen from above the shank; means of vectors, so that no angle wraps.
    let ahead = mean(shank.iter().zip(&foot).filter_map(|(s, f)| Some(s.as_ref()?.R.transpose_mul(f.as_ref()?.R.x))));
    let toe_turn = ahead.map_or(0.0, |x| (-x.z).atan2(x.x));
    Ok(Leg { side, thigh, shank, foot, thigh_length: length.x, shank_length: length.y, varus: varus.unwrap_or(0.0), toe_turn })
}

fn trunk_of(eyes: &Eyes<'_>, pelvis: &Poses, hips: [Vec3<f64>; 2], lumbar: Vec3<f64>, notices: &mut Vec<SubjectNotice>) -> Option<Trunk> {
    let both = |part| Side::BOTH.iter().all(|side| eyes.has(Role::on(part, *side)));
    let middle = |part| Role::middle(part);
    let acromia = both(Part::Acromion);
    let markers = eyes.landmarks.names().len();
    let followers = (0..markers)
        .filter(|k| eyes.landmarks.role(*k).is_some_and(|role| role.part.segment() == borelli_data::landmark::Segment::Trunk))
        .count();
    if followers < 3 {
        return None;
    }
    let mut widths = Vec::new();
    // Middle of the shoulders and the direction to the right.
    let mut top = |frame: usize, hips: Vec3<f64>, right: Vec3<f64>| -> Option<(Vec3<f64>, Vec3<f64>)> {
        if acromia {
            let [r, l] = Side::BOTH.map(|side| eyes.at(Role::on(Part::Acromion, side), frame));
            let (r, l) = (r?, l?);
            let down = hips - between(r, l);
            let down = down.scale(1.0 / down.norm());
            widths.push(0.5 * (r - l).norm());
            return Some((between(shoulder_center(r, l, down), shoulder_center(l, r, down)), r - l));
        }
        if eyes.has(middle(Part::C7)) && eyes.has(middle(Part::Clavicle)) {
            let (back, front) = (eyes.at(middle(Part::C7), frame)?, eyes.at(middle(Part::Clavicle), frame)?);
            let neck = between(back, front);
            return Some((neck, (front - back).cross(neck - hips)));
        }
        if both(Part::ShoulderCenter) {
            let [r, l] = Side::BOTH.map(|side| eyes.at(Role::on(Part::ShoulderCenter, side), frame));
            let (r, l) = (r?, l?);
            widths.push(0.5 * (r - l).norm());
            return Some((between(r, l), r - l));
        }
        let neck = [Part::C7, Part::Neck].into_iter().find(|part| eyes.has(middle(*part)))?;
        eyes.at(middle(neck), frame).map(|neck| (neck, right))
    };
    let mid_hips = between(hips[0], hips[1]);
    let mut poses: Poses = Vec::new();
    let mut ends: Vec<(Vec3<f64>, Vec3<f64>)> = Vec::new();
    for (frame, pelvis) in pelvis.iter().enumerate() {
        let pose = pelvis.as_ref().and_then(|pelvis| {
            let (base, hips) = (pelvis.place(lumbar), pelvis.place(mid_hips));
            let (shoulders, right) = top(frame, hips, pelvis.R.z)?;
            let pose = Pose { p: base, R: segment_axes(shoulders, base, right)? };
            ends.push((pose.local(hips), pose.local(shoulders)));
            Some(pose)
        });
        poses.push(pose);
    }
    let hips = mean(ends.iter().map(|(hips, _)| *hips))?;
    let shoulders = mean(ends.iter().map(|(_, shoulders)| *shoulders))?;
    if !acromia && !both(Part::ShoulderCenter) {
        notices.push(SubjectNotice::ShouldersFromNeck);
    }
    Some(Trunk { poses, hips, shoulders, half_width: mean_number(widths.into_iter()) })
}
