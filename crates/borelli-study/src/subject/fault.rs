//! Everything that can keep a model from being built, and everything worth telling about one that was.
//! Not here: finding it out.
//! In: facts. Out: code, message and hint through [`Explain`].

use borelli_data::{Explain, Severity};

/// Why no model can be built.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum SubjectFault {
    /// Markers that are needed and have no name in the recording.
    MissingRoles { missing: Vec<String>, found: Vec<String>, unknown: Vec<String> },
    /// Markers that are named but never seen together.
    NeverSeenTogether { segment: String, markers: Vec<String> },
    /// Mass, height, width or radius that cannot be.
    BadNumber { what: &'static str, value: f64 },
    /// A table of segments without a row that is needed.
    TableLacks { table: String, segment: &'static str },
    /// The hip rule cannot be used.
    HipRule { message: String, hint: Option<String> },
    /// Distances of markers that differ too much between two recordings for one person.
    AnotherPerson { median: f64, worst: String },
    /// A generic model that cannot be made as large as a person.
    Scaling { message: String, hint: Option<String> },
}

use SubjectFault::*;

impl Explain for SubjectFault {
    fn code(&self) -> &'static str {
        match self {
            MissingRoles { .. } => "missing-markers",
            NeverSeenTogether { .. } => "markers-never-seen-together",
            BadNumber { .. } => "bad-subject-number",
            TableLacks { .. } => "table-lacks-segment",
            HipRule { .. } => "hip-rule-not-usable",
            AnotherPerson { .. } => "another-person",
            Scaling { .. } => "cannot-scale",
        }
    }

    fn message(&self) -> String {
        match self {
            MissingRoles { missing, found, unknown } => {
                let list = |names: &[String]| if names.is_empty() { "none".to_string() } else { names.join(", ") };
                format!(
                    "no model can be built: missing are {}; recognised were {}; unknown names are {}",
                    list(missing),
                    list(found),
                    list(unknown)
                )
            }
            NeverSeenTogether { segment, markers } => {
                format!("{segment}: the markers {} are never seen in the same frame", markers.join(", "))
            }
            BadNumber { what, value } => format!("{what} is {value}"),
            TableLacks { table, segment } => format!("the table `{table}` has no row `{segment}`"),
            HipRule { message, .. } | Scaling { message, .. } => message.clone(),
            AnotherPerson { median, worst } => {
                format!(
                    "the static trial shows another person: distances of markers differ by {:.0} % (median), most {worst}",
                    100.0 * median
                )
            }
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            MissingRoles { found, .. } if found.iter().any(|name| name.contains("never seen")) => {
                Some("markers that are in no frame tell nothing: `borelli data FILE` shows when each is seen".into())
            }
            MissingRoles { .. } => {
                Some("say what the markers stand for in a map file, one `NAME = role` a line, such as `K1 = knee_lateral_r`".into())
            }
            NeverSeenTogether { .. } => Some("fill gaps first, or give a static trial".into()),
            BadNumber { .. } => Some("kg and m".into()),
            HipRule { hint, .. } | Scaling { hint, .. } => hint.clone(),
            AnotherPerson { .. } => Some("check that static trial and walking trial belong together".into()),
            TableLacks { .. } => None,
        }
    }
}

/// What a user ought to know about a model that was built.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum SubjectNotice {
    /// A leg without enough markers.
    LegLeftOut { side: &'static str, missing: Vec<String>, mass: f64 },
    /// A joint whose medial marker is missing, with the width assumed or given.
    WidthUsed { joint: &'static str, side: &'static str, width: f64, given: bool },
    /// Axes of a leg that no medial marker shows.
    PlaneOfPelvis { side: &'static str },
    /// No markers on the trunk.
    TrunkWelded { length: f64 },
    /// Shoulders estimated from the neck.
    ShouldersFromNeck,
    /// Height estimated from the legs.
    HeightEstimated { height: f64 },
    /// Length of the foot estimated.
    FootLengthEstimated { side: &'static str, length: f64 },
    /// A segment of unlikely length.
    UnlikelyLength { segment: String, length: f64 },
    /// Left and right differ.
    SidesDiffer { segment: &'static str, right: f64, left: f64 },
    /// A marker that moves on its segment.
    MarkerWanders { marker: String, body: String, distance: f64 },
    /// Markers that are left out, with the reason.
    MarkersLeftOut { markers: Vec<String>, why: &'static str },
    /// A remark of the table of segments.
    Table { remark: String },
    /// A distance of two markers that differs between two recordings.
    DistanceDiffers { pair: String, first: f64, second: f64 },
    /// Pairs of a measurement that the static trial does not show; where none is left, the bodies that keep their size.
    PairsNotSeen { measurement: String, pairs: Vec<String>, kept: Option<Vec<String>> },
    /// A static trial in which somebody moves.
    NotStandingStill { marker: String, spread: f64 },
    /// A marker that sits elsewhere on the person than on the model.
    MarkerMovedFar { marker: String, distance: f64 },
}

use SubjectNotice::*;

impl Explain for SubjectNotice {
    fn code(&self) -> &'static str {
        match self {
            LegLeftOut { .. } => "leg-left-out",
            WidthUsed { .. } => "joint-width-used",
            PlaneOfPelvis { .. } => "axes-from-pelvis",
            TrunkWelded { .. } => "trunk-welded",
            ShouldersFromNeck => "shoulders-from-neck",
            HeightEstimated { .. } => "height-estimated",
            FootLengthEstimated { .. } => "foot-length-estimated",
            UnlikelyLength { .. } => "unlikely-length",
            SidesDiffer { .. } => "sides-differ",
            MarkerWanders { .. } => "marker-wanders",
            MarkersLeftOut { .. } => "markers-left-out",
            Table { .. } => "table-remark",
            DistanceDiffers { .. } => "distance-differs",
            PairsNotSeen { .. } => "pair-not-seen",
            NotStandingStill { .. } => "not-standing-still",
            MarkerMovedFar { .. } => "marker-moved-far",
        }
    }

    fn message(&self) -> String {
        match self {
            LegLeftOut { side, missing, mass } => {
                format!("the {side} leg and its {mass:.1} kg are left out: no markers for {}", missing.join(", "))
            }
            WidthUsed { joint, side, width, given } => {
                let origin = if *given { "given" } else { "assumed" };
                format!(
                    "the {side} {joint} has no medial marker: its centre is half the {origin} width of {:.0} mm inside the lateral one",
                    1e3 * width
                )
            }
            PlaneOfPelvis { side } => {
                format!("nothing shows the knee axis of the {side} leg: it is taken parallel to the line of the pelvis")
            }
            TrunkWelded { length } => {
                format!("no markers show the trunk: trunk, head and arms move with the pelvis (length to the shoulders {length:.3} m)")
            }
            ShouldersFromNeck => "no markers on the shoulders: their middle is taken at the base of the neck".into(),
            HeightEstimated { height } => format!("body height is estimated from the legs: {height:.2} m"),
            FootLengthEstimated { side, length } => {
                format!("the {side} toe tip has no marker: the foot is taken to be {:.0} mm long", 1e3 * length)
            }
            UnlikelyLength { segment, length } => format!("the {segment} is {:.0} mm long, which is unlikely", 1e3 * length),
            SidesDiffer { segment, right, left } => {
                format!("the {segment} is {:.0} mm long on the right, {:.0} mm on the left", 1e3 * right, 1e3 * left)
            }
            MarkerWanders { marker, body, distance } => {
                format!("marker `{marker}` moves by {:.0} mm (rms) against the {body}", 1e3 * distance)
            }
            MarkersLeftOut { markers, why } => format!("{} left out: {why}", markers.join(", ")),
            Table { remark } => remark.clone(),
            DistanceDiffers { pair, first, second } => {
                format!("{pair}: {:.0} mm in one recording, {:.0} mm in the other", 1e3 * first, 1e3 * second)
            }
            PairsNotSeen { measurement, pairs, kept } => {
                let effect = match kept.as_deref() {
                    None => "its other pairs count".to_string(),
                    Some([]) => "no pair is left, and only other measurements scale its bodies".to_string(),
                    Some([body]) => format!("no pair is left, and body `{body}` keeps its size"),
                    Some(list) => format!("no pair is left, and bodies `{}` keep their size", list.join("`, `")),
                };
                format!("measurement `{measurement}`: the static trial does not show {}; {effect}", pairs.join(" and "))
            }
            NotStandingStill { marker, spread } => {
                format!("the person does not stand still in the static trial: `{marker}` moves by {:.0} mm (rms)", 1e3 * spread)
            }
            MarkerMovedFar { marker, distance } => {
                format!("marker `{marker}` sits {:.0} mm away from where the scaled model has it, and was moved there", 1e3 * distance)
            }
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            WidthUsed { given: false, .. } => Some("measure the width of the joint and give it".into()),
            LegLeftOut { .. } => Some("name the markers in a map file; without both legs the residual at the pelvis means nothing".into()),
            NotStandingStill { .. } => Some("give a trial of quiet standing, or cut one out of it".into()),
            MarkerMovedFar { .. } => Some("look for exchanged markers, or for a pose that the model cannot take".into()),
            _ => None,
        }
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }
}
