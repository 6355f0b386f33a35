//! Roles: anatomical places that markers stand for, with the side of the body and the segment they belong to.
//! Not here: names that laboratories give them (`names.txt`, `recognise`).
//! In: text such as `knee_lateral_r`. Out: a role.

use crate::recording::Side;
use std::fmt;

/// A segment of the body that markers sit on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are the segments
pub enum Segment {
    Pelvis,
    Thigh,
    Shank,
    Foot,
    Trunk,
    Head,
    UpperArm,
    Forearm,
    Hand,
}

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident $text:literal $sided:literal $segment:ident $unique:literal),+ $(,)?) => {
        /// A place on the body, without its side.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Part { $($(#[$doc])* $name),+ }

        impl Part {
            /// Every part.
            pub const ALL: &[Part] = &[$(Part::$name),+];

            /// Its name in tables, without a side.
            pub fn name(self) -> &'static str {
                match self { $(Part::$name => $text),+ }
            }
            /// Whether it exists left and right.
            pub fn sided(self) -> bool {
                match self { $(Part::$name => $sided),+ }
            }
            /// Segment it moves with; a joint centre counts to the segment above it.
            pub fn segment(self) -> Segment {
                match self { $(Part::$name => Segment::$segment),+ }
            }
            /// True for one place of the body; false where any number of markers may have the role, only to follow a segment.
            pub fn unique(self) -> bool {
                match self { $(Part::$name => $unique),+ }
            }
        }
    };
}

parts! {
    /// Anterior superior iliac spine.
    Asis "asis" true Pelvis true,
    /// Posterior superior iliac spine.
    Psis "psis" true Pelvis true,
    /// Sacrum, midway between the posterior spines.
    Sacrum "sacrum" false Pelvis true,
    /// Highest point of the iliac crest.
    IliacCrest "iliac_crest" true Pelvis true,
    /// Centre of the hip, computed elsewhere.
    HipCenter "hip_center" true Pelvis true,
    /// Middle of both hips, of markerless tools.
    MidHip "mid_hip" false Pelvis true,
    /// Greater trochanter.
    Trochanter "trochanter" true Thigh true,
    /// Lateral epicondyle of the femur.
    KneeLateral "knee_lateral" true Thigh true,
    /// Medial epicondyle of the femur.
    KneeMedial "knee_medial" true Thigh true,
    /// Centre of the knee, computed elsewhere.
    KneeCenter "knee_center" true Thigh true,
    /// Anywhere on the thigh.
    Thigh "thigh" true Thigh false,
    /// Lateral malleolus.
    AnkleLateral "ankle_lateral" true Shank true,
    /// Medial malleolus.
    AnkleMedial "ankle_medial" true Shank true,
    /// Centre of the ankle, computed elsewhere.
    AnkleCenter "ankle_center" true Shank true,
    /// Anywhere on the shank.
    Shank "shank" true Shank false,
    /// Back of the heel bone.
    Heel "heel" true Foot true,
    /// Head of the second metatarsal.
    Toe "toe" true Foot true,
    /// Head of the first metatarsal.
    FirstMetatarsal "first_metatarsal" true Foot true,
    /// Head of the fifth metatarsal, or the small toe.
    FifthMetatarsal "fifth_metatarsal" true Foot true,
    /// Tip of the big toe.
    ToeTip "toe_tip" true Foot true,
    /// Anywhere on the foot.
    Foot "foot" true Foot false,
    /// Acromion.
    Acromion "acromion" true Trunk true,
    /// Centre of the shoulder, computed elsewhere.
    ShoulderCenter "shoulder_center" true Trunk true,
    /// Spinous process of the seventh cervical vertebra.
    C7 "c7" false Trunk true,
    /// Spinous process of the tenth, or eighth, thoracic vertebra.
    T10 "t10" false Trunk true,
    /// Jugular notch, where the collar bones meet.
    Clavicle "clavicle" false Trunk true,
    /// Lower end of the breastbone.
    Sternum "sternum" false Trunk true,
    /// Base of the neck, of markerless tools.
    Neck "neck" false Trunk true,
    /// Anywhere on the trunk.
    Trunk "trunk" false Trunk false,
    /// Top of the head.
    HeadTop "head_top" false Head true,
    /// Front of the head.
    HeadFront "head_front" true Head true,
    /// Back of the head.
    HeadBack "head_back" true Head true,
    /// Anywhere on the head.
    Head "head" false Head false,
    /// Lateral epicondyle of the humerus.
    ElbowLateral "elbow_lateral" true UpperArm true,
    /// Medial epicondyle of the humerus.
    ElbowMedial "elbow_medial" true UpperArm true,
    /// Anywhere on the upper arm.
    UpperArm "upper_arm" true UpperArm false,
    /// Wrist on the thumb's side.
    WristLateral "wrist_lateral" true Forearm true,
    /// Wrist on the side of the small finger.
    WristMedial "wrist_medial" true Forearm true,
    /// Anywhere on the forearm.
    Forearm "forearm" true Forearm false,
    /// Anywhere on the hand.
    Hand "hand" true Hand false,
}

impl Part {
    /// Whether it moves with the pelvis.
    pub fn is_pelvis(self) -> bool {
        self.segment() == Segment::Pelvis
    }

    /// Whether it is a joint centre that somebody computed, not a marker on the skin.
    pub fn is_center(self) -> bool {
        matches!(self, Part::HipCenter | Part::KneeCenter | Part::AnkleCenter | Part::ShoulderCenter | Part::MidHip)
    }
}

impl Side {
    /// Right, then left.
    pub const BOTH: [Side; 2] = [Side::Right, Side::Left];

    /// `r` or `l`.
    pub fn letter(self) -> char {
        match self {
            Side::Right => 'r',
            Side::Left => 'l',
        }
    }

    /// `right` or `left`.
    pub fn word(self) -> &'static str {
        match self {
            Side::Right => "right",
            Side::Left => "left",
        }
    }

    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::Right => Side::Left,
            Side::Left => Side::Right,
        }
    }

    /// +1 to the right, -1 to the left: sign of Z.
    pub fn sign(self) -> f64 {
        match self {
            Side::Right => 1.0,
            Side::Left => -1.0,
        }
    }
}

/// A part with its side, where it has one. Written `knee_lateral_r`, `sacrum`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// What.
    pub part: Part,
    /// Whose side; nothing for parts in the middle.
    pub side: Option<Side>,
}

impl Role {
    /// A part on a side.
    pub fn on(part: Part, side: Side) -> Role {
        Role { part, side: part.sided().then_some(side) }
    }

    /// A part in the middle of the body.
    pub fn middle(part: Part) -> Role {
        Role { part, side: None }
    }

    /// Reads `knee_lateral_r`, `Knee lateral right`, `sacrum`.
    pub fn parse(text: &str) -> Option<Role> {
        let plain = text.trim().to_ascii_lowercase().replace([' ', '-', '.'], "_");
        if let Some(part) = Part::ALL.iter().find(|part| !part.sided() && part.name() == plain) {
            return Some(Role::middle(*part));
        }
        for side in Side::BOTH {
            let letter = side.letter().to_string();
            for word in [side.word(), letter.as_str()] {
                let rest = plain.strip_suffix(&format!("_{word}")).or_else(|| plain.strip_prefix(&format!("{word}_")));
                if let Some(part) = rest.and_then(|rest| Part::ALL.iter().find(|part| part.sided() && part.name() == rest)) {
                    return Some(Role::on(*part, side));
                }
            }
        }
        None
    }

    /// Names of all roles, as [`Role::parse`] reads them.
    pub fn all_names() -> Vec<String> {
        let of = |part: &Part| -> Vec<Role> {
            if part.sided() { Side::BOTH.map(|side| Role::on(*part, side)).to_vec() } else { vec![Role::middle(*part)] }
        };
        Part::ALL.iter().flat_map(of).map(|role| role.to_string()).collect()
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Some(side) => write!(f, "{}_{}", self.part.name(), side.letter()),
            None => f.write_str(self.part.name()),
        }
    }
}
